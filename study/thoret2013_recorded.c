/* Recorded squeaks beside ours: the pitch over time, inharmonicity and regimes of both, by the same analysis.
 * The paper's recordings are not published; Debian's sonic-pi-samples (CC0) has a door and a rubbed glass,
 * and anybody's own will do. */
#include "base/text.h"
#include "file/sound.h"
#include "study/columns.h"
#include "study/figure.h"
#include "study/thoret2013.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KNOWN = 2, OURS = 5 };

static const char *const known[KNOWN] = {"/usr/share/sonic-pi/samples/perc_door.flac",
                                         "/usr/share/sonic-pi/samples/ambi_glass_rub.flac"};
static const double least_s = 0.3, most_s = 60; /* of a recording */

static const struct {
  const char *name;
  thoret_play play;
} ours[OURS] = {
    {"creaking door (source)", {.scene = "creak"}},
    {"creaking door (friction)", {.scene = "door"}},
    {"squeaking plate (source)", {.scene = "plate", .seconds = 3}},
    {"squeaking and singing glass (source)", {.scene = "goblet"}},
    {"singing glass (friction)", {.scene = "glass", .preset = "paper"}},
};

typedef struct squeak {
  char name[64];
  double *samples, rate_hz;
  size_t count;
  thoret_heard heard;
} squeak;

struct thoret_squeaks {
  squeak recorded[KNOWN], ours[OURS];
  int recordings;
};

/* ---- reading ---- */

static void name_after(const char *file, squeak *s) {
  const char *slash = strrchr(file, '/');
  ct_format(s->name, sizeof s->name, "%.60s", slash ? slash + 1 : file);
  char *dot = strrchr(s->name, '.');
  if (dot && dot != s->name)
    *dot = 0;
}

/* One sentence for what cannot be compared: silence, and what has no pitch anywhere. */
static ct_result judge(const char *file, const squeak *s, ct_error *error) {
  if (!(ct_measure_level(s->samples, s->count).peak_db > -120))
    return ct_fail(error, CT_BAD_VALUE, "%.160s: is silent", file);
  if (!isfinite(s->heard.f0_middle_hz))
    return ct_fail(error, CT_BAD_VALUE,
                   "%.160s: nothing in it has a pitch; wants a squeak, a creak or a song", file);
  return CT_OK;
}

static ct_result listen(const char *file, squeak *s, ct_error *error) {
  ct_recorded r;
  ct_result result = ct_recording_read(file, least_s, most_s, "a squeak", &r, error);
  name_after(file, s);
  s->samples = r.samples;
  s->count = r.count;
  s->rate_hz = r.rate_hz;
  if (result == CT_OK)
    result = thoret_hear(s->samples, s->count, s->rate_hz, &s->heard, error);
  return result == CT_OK ? judge(file, s, error) : result;
}

static ct_result listen_to_all(const ct_study_run *run, thoret_squeaks *all, ct_error *error) {
  ct_result result = CT_OK;
  if (run->recording)
    return listen(run->recording, &all->recorded[all->recordings++], error);
  for (int i = 0; i < KNOWN && result == CT_OK; i++)
    if (access(known[i], R_OK) == 0)
      result = listen(known[i], &all->recorded[all->recordings++], error);
  return result;
}

static ct_result play_ours(thoret_squeaks *all, ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < OURS && result == CT_OK; i++) {
    squeak *s = &all->ours[i];
    thoret_sound sound;
    result = thoret_record(&ours[i].play, &sound, error);
    if (result != CT_OK)
      break;
    ct_format(s->name, sizeof s->name, "%s", ours[i].name);
    s->samples = sound.samples;
    s->count = sound.count;
    s->rate_hz = THORET_RATE;
    result = thoret_hear(s->samples, s->count, s->rate_hz, &s->heard, error);
  }
  return result;
}

/* ---- tables ---- */

static void show_squeak(const ct_study_run *run, const study_table *table, const squeak *s) {
  const thoret_heard *h = &s->heard;
  study_row(run, table, s->name,
            (double[]){h->seconds, h->f0_low_hz, h->f0_high_hz, log2(h->f0_high_hz / h->f0_low_hz),
                       h->pitched, h->sings, h->changes_per_s, h->harmonic.partials, h->harmonic.slope,
                       h->harmonic.slope_error, h->harmonic.rms});
}

static void show_squeaks(const ct_study_run *run, const thoret_squeaks *all) {
  static const study_column columns[] = {
      PLAIN("seconds", "s", 5, 1),
      SCALED("f0_low_hz", NULL, 6, 0, 1, " to "),
      PLAIN("f0_high_hz", "f0, Hz", 5, 0),
      PLAIN("octaves", "octaves", 8, 1),
      SCALED("pitched", "pitched", 7, 0, 100, " %"),
      SCALED("sings", "sings", 6, 0, 100, " %"),
      PLAIN("changes_per_s", "changes/s", 10, 1),
      PLAIN("partials", "partials", 9, 0),
      SCALED("slope", NULL, 9, 2, 1e4, " +- "),
      SCALED("slope_error", "slope, 1e-4", 6, 2, 1e4, ""),
      SCALED("rms", "rms, 1e-4", 10, 1, 1e4, ""),
  };
  const study_table table = STUDY_TABLE(&thoret_csv, "recorded",
                                        "\nRecorded squeaks, and ours by the same analysis", "", 38, columns);
  study_heading(run, &table);
  for (int i = 0; i < all->recordings; i++)
    show_squeak(run, &table, &all->recorded[i]);
  for (int i = 0; i < OURS; i++)
    show_squeak(run, &table, &all->ours[i]);
}

static void show_regimes(const ct_study_run *run, const squeak *s) {
  static const char *const words[] = {"silent", "noisy", "squeaks", "sings"};
  if (run->csv)
    return; /* they are a file */
  fprintf(run->out, "\nRegimes of %s\n", s->name);
  for (uint32_t i = 0; i < s->heard.regime_count; i++) {
    const thoret_regime *r = &s->heard.regimes[i];
    fprintf(run->out, "  %6.2f to %6.2f s  %-8s", r->from_s, r->to_s, words[r->kind]);
    if (r->kind >= THORET_SQUEAKS)
      fprintf(run->out, " %8.1f Hz +- %.1f %%", r->hz, 100 * r->spread);
    fputc('\n', run->out);
  }
}

/* ---- figures ---- */

static ct_result write_track(const ct_study_run *run, const char *name, const thoret_heard *h,
                             ct_error *error) {
  figure_table *table;
  char file[64];
  ct_format(file, sizeof file, "%s_f0", name);
  ct_result result = figure_table_begin(run, file, "time_s,f0_hz,clarity,level_db", &table, error);
  for (size_t i = 0; i < h->frame_count && result == CT_OK; i++) {
    const ct_measured_pitch_frame *f = &h->frames[i];
    double row[] = {f->time_s, thoret_pitched(h, i) ? f->hz : 0, f->clarity, fmax(f->level_db, -200)};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

/* Kinds are numbered as in thoret_kind. */
static ct_result write_regimes(const ct_study_run *run, const char *name, const thoret_heard *h,
                               ct_error *error) {
  figure_table *table;
  char file[64];
  ct_format(file, sizeof file, "%s_regimes", name);
  ct_result result = figure_table_begin(run, file, "from_s,to_s,kind,hz,spread", &table, error);
  for (uint32_t i = 0; i < h->regime_count && result == CT_OK; i++) {
    const thoret_regime *r = &h->regimes[i];
    bool pitched = r->kind >= THORET_SQUEAKS;
    double row[] = {r->from_s, r->to_s, r->kind, pitched ? r->hz : 0, pitched ? r->spread : 0};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

static ct_result write_squeak(const ct_study_run *run, const char *name, const squeak *s, ct_error *error) {
  ct_result result = figure_spectrogram(run, name, s->samples, s->count, s->rate_hz, error);
  if (result == CT_OK)
    result = write_track(run, name, &s->heard, error);
  return result == CT_OK ? write_regimes(run, name, &s->heard, error) : result;
}

/* Of ours, the one whose pitch is nearest. */
static int nearest(const thoret_squeaks *all, const squeak *s) {
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < OURS; i++) {
    double far = fabs(log(all->ours[i].heard.f0_middle_hz / s->heard.f0_middle_hz));
    if (far < least) {
      least = far;
      best = i;
    }
  }
  return best;
}

/* A row for each recording: it, and the nearest of ours; dots are the pitch, lines where regimes change. */
static const char panels[] =
    "set multiplot layout rows,2 margins 0.06,0.9,0.11/rows+0.02,0.96-0.03/rows spacing 0.06,0.2/rows\n"
    "set palette defined (0 '#000004', 0.25 '#3b0f70', 0.5 '#b5367a', 0.75 '#fb8861', 1 '#fcfdbf')\n"
    "set cbrange [-80:0]\nset cblabel 'dB re the loudest'\nunset grid\nset key off\nset xlabel 'time, s'\n"
    "set xrange [0:*]\nset yrange [log10(40):log10(16000)]\n"
    "set ytics ('50' log10(50), '100' 2, '200' log10(200), '500' log10(500), '1k' 3, '2k' log10(2000), "
    "'5k' log10(5000), '10k' 4)\n"
    "do for [i=1:2*rows] {\n"
    "  name = word(names, i)\n"
    "  set title word(titles, i)\n"
    "  if (i % 2) { unset colorbox; set ylabel 'frequency, Hz' } else { set colorbox; unset ylabel }\n"
    "  plot D(name) using 1:2:3 with image, \\\n"
    "    D(name.'_f0') using 1:($2 > 0 ? log10($2) : NaN) with points pt 7 ps 0.25 lc rgb '#7fffd4', \\\n"
    "    D(name.'_regimes') using 1:(log10(40)):(0):(log10(16000) - log10(40)) with vectors nohead "
    "lw 1 dt 3 lc rgb '#ffffff'\n"
    "}\n"
    "unset multiplot\n";

static ct_result draw(const ct_study_run *run, const thoret_squeaks *all, ct_error *error) {
  char head[800], names[160] = "", titles[480] = "";
  ct_result result = CT_OK;
  for (int i = 0; i < all->recordings && result == CT_OK; i++) {
    const squeak *recorded = &all->recorded[i], *own = &all->ours[nearest(all, recorded)];
    char name[2][32];
    ct_format(name[0], sizeof name[0], "recorded%d", i + 1);
    ct_format(name[1], sizeof name[1], "recorded%d_ours", i + 1);
    result = write_squeak(run, name[0], recorded, error);
    if (result == CT_OK)
      result = write_squeak(run, name[1], own, error);
    ct_format(names + strlen(names), sizeof names - strlen(names), " %s %s", name[0], name[1]);
    ct_format(titles + strlen(titles), sizeof titles - strlen(titles), " \\\"%.60s, recorded\\\" \\\"%s\\\"",
              recorded->name, own->name);
  }
  if (result != CT_OK)
    return result;
  ct_format(head, sizeof head, "rows = %d\nnames = \"%s\"\ntitles = \"%s\"\n", all->recordings, names,
            titles);
  return figure_draw(run, "recorded", 1300, 60 + 420 * all->recordings, head, panels, error);
}

/* ---- all of it ---- */

void thoret_squeaks_free(thoret_squeaks *all) {
  if (!all)
    return;
  for (int i = 0; i < KNOWN; i++)
    free(all->recorded[i].samples);
  for (int i = 0; i < OURS; i++)
    free(all->ours[i].samples);
  free(all);
}

ct_result thoret_squeaks_read(const ct_study_run *run, thoret_squeaks **read, ct_error *error) {
  thoret_squeaks *all = *read = calloc(1, sizeof *all);
  return all ? listen_to_all(run, all, error) : ct_fail(error, CT_NO_MEMORY, "no memory for recordings");
}

ct_result thoret_squeaks_compare(const ct_study_run *run, thoret_squeaks *all, ct_error *error) {
  if (all->recordings == 0)
    return CT_OK;
  ct_result result = play_ours(all, error);
  if (result == CT_OK && run->folder)
    result = draw(run, all, error);
  if (result != CT_OK)
    return result;
  show_squeaks(run, all);
  for (int i = 0; i < all->recordings; i++)
    show_regimes(run, &all->recorded[i]);
  return CT_OK;
}
