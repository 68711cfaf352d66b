/* A marble slowing down, as it is heard. */
#include "base/text.h"
#include "file/load.h"
#include "file/render.h"
#include "study/figure.h"
#include "study/rath2003.h"

#include <contatto/measure.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000, SETS = 3 };

typedef struct setting {
  const char *path;
  double value;
} setting;

typedef struct sound {
  double *samples, *speed_m_s;
  size_t count;
} sound;

static void free_sound(sound *s) {
  free(s->samples);
  free(s->speed_m_s);
  memset(s, 0, sizeof *s);
}

/* ---- recording ---- */

static ct_result collect(ct_render *r, sound *s, ct_error *error) {
  ct_render_block b = {.frames = 1};
  ct_result result = CT_OK;
  size_t frames = (size_t)ct_render_frames(r);
  s->speed_m_s = calloc(frames, sizeof(double));
  s->samples = calloc(frames, sizeof(double));
  if (!s->speed_m_s || !s->samples)
    return ct_fail(error, CT_NO_MEMORY, "no memory for a sound");
  while (b.frames && (result = ct_render_next(r, &b, error)) == CT_OK)
    for (uint32_t i = 0; i < b.frames; i++, s->count++) {
      s->speed_m_s[s->count] = b.taps[0][i];
      s->samples[s->count] = (double)b.outputs[0][i];
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

const char rath_palette[] =
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
  const double *from = s->samples + at - half;
  *centroid_hz = ct_measure_spectrum(from, 2 * half, RATE, 50, 16000).centroid_hz;
  *level_db = ct_measure_level(from, 2 * half).rms_db;
}

static const char slowing_script[] =
    "set lmargin at screen 0.07\nset rmargin at screen 0.81\nset xrange [0:10]\nset cblabel offset 1.5\n"
    "set y2label 'speed, m/s'\nset y2range [0:1.6]\nset y2tics 0,0.2,1\n"
    "set colorbox user origin 0.91,0.2 size 0.012,0.65\n"
    "plot D('slowing') using 1:2:3 with image, \\\n"
    "  D('slowing_speed') using (C('time_s')):(C('speed_m_s')) axes x1y2 with lines lw 2 lc rgb '#ffffff'\n";

ct_result rath_draw_heard(const ct_study_run *run, rath_heard *heard, ct_error *error) {
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
    result = figure_spectrogram(run, "slowing", s.samples, s.count, RATE, error);
  if (result == CT_OK && run->folder)
    result = write_speed(run, &s, error);
  free_sound(&s);
  return result == CT_OK && run->folder
             ? figure_draw(run, "slowing", 1000, 480, rath_palette, slowing_script, error)
             : result;
}
