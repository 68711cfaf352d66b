/* Two sounds: a marble slowing down, and the same can rolled and slid. */
#include "base/text.h"
#include "file/load.h"
#include "file/render.h"
#include "measure/fft.h"
#include "study/figure.h"
#include "study/rath2003.h"

#include <contatto/measure.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000, CHANNELS = 2, SETS = 3 };

static const double can_radius_m = 0.035, can_speed_m_s = 1.2;

typedef struct setting {
  const char *path;
  double value;
} setting;

typedef struct sound {
  double *samples[CHANNELS], *speed_m_s;
  size_t count;
} sound;

static void free_sound(sound *s) {
  for (int c = 0; c < CHANNELS; c++)
    free(s->samples[c]);
  free(s->speed_m_s);
  memset(s, 0, sizeof *s);
}

/* ---- recording ---- */

static ct_result collect(ct_render *r, sound *s, ct_error *error) {
  ct_render_block b = {.frames = 1};
  ct_result result = CT_OK;
  size_t frames = (size_t)ct_render_frames(r);
  uint32_t channels = ct_render_channels(r);
  s->speed_m_s = calloc(frames, sizeof(double));
  for (int c = 0; c < CHANNELS; c++)
    s->samples[c] = calloc(frames, sizeof(double));
  if (!s->speed_m_s || !s->samples[0] || !s->samples[1])
    return ct_fail(error, CT_NO_MEMORY, "no memory for a sound");
  while (b.frames && (result = ct_render_next(r, &b, error)) == CT_OK)
    for (uint32_t i = 0; i < b.frames; i++, s->count++) {
      s->speed_m_s[s->count] = b.taps[0][i];
      for (uint32_t c = 0; c < channels && c < CHANNELS; c++)
        s->samples[c][s->count] = (double)b.outputs[c][i];
    }
  return result;
}

static ct_result record(const char *scene, const setting *sets, uint32_t count, const ct_gesture *gesture,
                        double seconds, sound *s, ct_error *error) {
  static const char *const taps[] = {"roll.v_m_s"};
  ct_doc *doc = NULL;
  ct_render *render = NULL;
  ct_render_def def = {
      .rate_hz = RATE, .seconds = seconds, .seed = 1, .gesture = gesture, .taps = taps, .tap_count = 1};
  memset(s, 0, sizeof *s);
  ct_result result = ct_doc_load(scene, &doc, error);
  for (uint32_t i = 0; i < count && result == CT_OK; i++)
    result = ct_doc_set_number(doc, sets[i].path, sets[i].value, error);
  if (result == CT_OK)
    result = ct_render_open(doc, &def, &render, error);
  if (result == CT_OK)
    result = collect(render, s, error);
  ct_render_close(render);
  ct_doc_destroy(doc);
  if (result != CT_OK)
    free_sound(s);
  return result;
}

/* ---- spectrograms ---- */

static const char palette[] =
    "set palette defined (0 '#000004', 0.25 '#3b0f70', 0.5 '#b5367a', 0.75 '#fb8861', 1 '#fcfdbf')\n"
    "set cbrange [-80:0]\nset cblabel 'dB re the loudest'\nunset grid\nset key off\nset xlabel 'time, s'\n"
    "set ylabel 'frequency, Hz'\nset yrange [log10(40):log10(16000)]\n"
    "set ytics ('50' log10(50), '100' 2, '200' log10(200), '500' log10(500), '1k' 3, '2k' log10(2000), "
    "'5k' log10(5000), '10k' 4)\n";

/* ---- slowing down ---- */

static ct_result write_speed(const ct_study_run *run, const sound *s, ct_error *error) {
  figure_table *table;
  ct_result result = figure_table_begin(run, "slowing_speed", "time_s,speed_m_s", &table, error);
  for (size_t i = 0; i < s->count && result == CT_OK; i += RATE / 50) {
    double row[] = {(double)i / RATE, s->speed_m_s[i]};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

/* Half a second around the moment at which it passes a speed. */
static void hear_at(const sound *s, double speed_m_s, double *centroid_hz, double *level_db) {
  size_t at = RATE / 2, half = RATE / 4;
  while (at + half < s->count && s->speed_m_s[at] > speed_m_s)
    at++;
  const double *from = s->samples[0] + at - half;
  *centroid_hz = ct_measure_spectrum(from, 2 * half, RATE, 50, 16000).centroid_hz;
  *level_db = ct_measure_level(from, 2 * half).rms_db;
}

static const char slowing_script[] =
    "set lmargin at screen 0.07\nset rmargin at screen 0.81\nset xrange [0:10]\nset cblabel offset 1.5\n"
    "set y2label 'speed, m/s'\nset y2range [0:1.6]\nset y2tics 0,0.2,1\n"
    "set colorbox user origin 0.91,0.2 size 0.012,0.65\n"
    "plot D('slowing') using 1:2:3 with image, \\\n"
    "  D('slowing_speed') using (C('time_s')):(C('speed_m_s')) axes x1y2 with lines lw 2 lc rgb '#ffffff'\n";

static ct_result slow_down(const ct_study_run *run, rath_heard *heard, ct_error *error) {
  static const setting endless[] = {{"roll.high_m", 0}, {"roll.travel_m", 1e4}, {"drag", 0.015}};
  static const double times[] = {0.05}, speeds[] = {1}, *const values[] = {speeds};
  static const char *const paths[] = {"throw"};
  const ct_gesture gesture = {1, 1, times, paths, values};
  sound s;
  ct_result result = record("marble", endless, SETS, &gesture, 11, &s, error);
  if (result != CT_OK)
    return result;
  hear_at(&s, 0.9, &heard->centroid_fast_hz, &heard->level_fast_db);
  hear_at(&s, 0.2, &heard->centroid_slow_hz, &heard->level_slow_db);
  if (run->folder)
    result = figure_spectrogram(run, "slowing", s.samples[0], s.count, RATE, error);
  if (result == CT_OK && run->folder)
    result = write_speed(run, &s, error);
  free_sound(&s);
  return result == CT_OK && run->folder
             ? figure_draw(run, "slowing", 1000, 480, palette, slowing_script, error)
             : result;
}

/* ---- rolled against slid ---- */

enum { EVERY = 480, LONGEST = 2048 }; /* the envelope, a hundred times a second */

typedef struct swing {
  double power[LONGEST]; /* of the envelope, re its mean */
  uint32_t count;
} swing;

/* Amplitude of the power's modulation at a rate, as a share of its mean: a sine fitted to it. */
static double depth_at(const swing *s, double hz) {
  double re = 0, im = 0;
  for (uint32_t n = 0; n < s->count; n++) {
    double window = 1 - cos(2 * M_PI * (n + 0.5) / s->count), angle = 2 * M_PI * hz * n * EVERY / RATE;
    re += window * (s->power[n] - 1) * cos(angle) * 2 / s->count;
    im += window * (s->power[n] - 1) * sin(angle) * 2 / s->count;
  }
  return hypot(re, im);
}

static void find_envelope(const double *samples, size_t count, swing *s) {
  double mean = 0;
  s->count = 0;
  for (size_t at = RATE; at + EVERY <= count && s->count < LONGEST; at += EVERY) {
    double sum = 0;
    for (int i = 0; i < EVERY; i++)
      sum += samples[at + (size_t)i] * samples[at + (size_t)i];
    s->power[s->count++] = sum;
  }
  for (uint32_t n = 0; n < s->count; n++)
    mean += s->power[n] / s->count;
  for (uint32_t n = 0; n < s->count; n++)
    s->power[n] /= mean;
}

static double strongest_hz(const swing *s) {
  double best = 0, at = 0;
  for (double hz = 2; hz < 20; hz += 0.01) {
    double depth = depth_at(s, hz);
    at = depth > best ? hz : at;
    best = fmax(best, depth);
  }
  return at;
}

static ct_result write_swings(const ct_study_run *run, const swing *rolled, const swing *slid,
                              ct_error *error) {
  figure_table *table;
  ct_result result = figure_table_begin(run, "turning", "hz,rolled,slid", &table, error);
  for (double hz = 1; hz < 25 && result == CT_OK; hz += 0.05) {
    double row[] = {hz, depth_at(rolled, hz), depth_at(slid, hz)};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

static const char turning_script[] =
    "set multiplot layout 1,3 margins 0.06,0.98,0.18,0.91 spacing 0.06\nunset colorbox\n"
    "set title 'rolled'\nplot D('rolled') using 1:2:3 with image\n"
    "unset ylabel\nset title 'slid'\nplot D('slid') using 1:2:3 with image\n"
    "unset title\nset grid\nset ytics auto\nset yrange [0:*]\nset xrange [1:25]\nset key top right\n"
    "set xlabel 'modulation of the power, Hz'\n"
    "plot D('turning') using (C('hz')):(C('rolled')) with lines lw 2 lc rgb ours title 'rolled', \\\n"
    "  '' using (C('hz')):(C('slid')) with lines lw 1.5 lc rgb rk4 title 'slid'\n"
    "unset multiplot\n";

static ct_result draw_turning(const ct_study_run *run, const sound *s, const swing *rolled, const swing *slid,
                              ct_error *error) {
  size_t shown = 3 * (size_t)RATE;
  ct_result result = figure_spectrogram(run, "rolled", s->samples[0] + RATE, shown, RATE, error);
  if (result == CT_OK)
    result = figure_spectrogram(run, "slid", s->samples[1] + RATE, shown, RATE, error);
  if (result == CT_OK)
    result = write_swings(run, rolled, slid, error);
  return result == CT_OK ? figure_draw(run, "turning", 1200, 400, palette, turning_script, error) : result;
}

static ct_result compare(const ct_study_run *run, rath_heard *heard, ct_error *error) {
  static const setting sets[] = {{"asymmetry", 0.004}, {"left.pan", -1}, {"right.pan", 1}};
  static const double times[] = {0, 0.2}, speeds[] = {0, 1.2}, *const values[] = {speeds};
  static const char *const paths[] = {"speed"};
  const ct_gesture gesture = {2, 1, times, paths, values};
  sound s;
  swing *swings = calloc(2, sizeof *swings);
  if (!swings)
    return ct_fail(error, CT_NO_MEMORY, "no memory for an envelope");
  ct_result result = record("slide", sets, SETS, &gesture, 18, &s, error);
  if (result == CT_OK) {
    find_envelope(s.samples[0], s.count, &swings[0]);
    find_envelope(s.samples[1], s.count, &swings[1]);
    heard->turn_hz = can_speed_m_s / (2 * M_PI * can_radius_m);
    heard->rolled = depth_at(&swings[0], heard->turn_hz);
    heard->slid = depth_at(&swings[1], heard->turn_hz);
    heard->rolled_hz = strongest_hz(&swings[0]);
    if (run->folder)
      result = draw_turning(run, &s, &swings[0], &swings[1], error);
    free_sound(&s);
  }
  free(swings);
  return result;
}

ct_result rath_draw_heard(const ct_study_run *run, rath_heard *heard, ct_error *error) {
  ct_result result = slow_down(run, heard, error);
  return result == CT_OK ? compare(run, heard, error) : result;
}
