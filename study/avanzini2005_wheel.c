/* The braking wheel of section VI, played by the built-in scene `wheel` with two modes each (preset `paper`):
 * "the wheel is blocked from rolling and the friction model is triggered ... brake squeals are produced in
 * the final stage of deceleration". Its motion and its sound in three stages of the demo. */
#include "file/load.h"
#include "file/render.h"
#include "study/avanzini2005.h"
#include "study/figure.h"

#include "base/text.h"
#include <contatto/measure.h>
#include <math.h>
#include <stdlib.h>

enum { RATE = 48000, HOP = 96, CART = 0, TREAD, JOINTS, TAPS };

static const char *const taps[TAPS] = {"cart.modes.0.v_m_s", "wheel.modes.6.v_m_s", "clatter.offset_m"};

const char *const avanzini_stage_names[AVANZINI_STAGES] = {"rolls", "slides", "squeals"};
/* The demo brakes at 2.4 s and stands at 4.7 s. */
static const double stage_s[AVANZINI_STAGES][2] = {{1.4, 2.4}, {2.6, 3.6}, {4.15, 4.65}};

typedef struct played {
  size_t count;
  double *sound, *state[TAPS];
} played;

static void free_played(played *p) {
  free(p->sound);
  for (int k = 0; k < TAPS; k++)
    free(p->state[k]);
}

static ct_result collect(ct_render *render, played *p, ct_error *error) {
  ct_render_block b = {0};
  p->count = (size_t)ct_render_frames(render);
  p->sound = malloc(p->count * sizeof(double));
  bool room = p->sound;
  for (int k = 0; k < TAPS; k++)
    room &= (p->state[k] = malloc(p->count * sizeof(double))) != NULL;
  ct_result result =
      room ? ct_render_next(render, &b, error) : ct_fail(error, CT_NO_MEMORY, "no memory for the wheel");
  while (result == CT_OK && b.frames) {
    for (uint32_t i = 0; i < b.frames; i++) {
      p->sound[b.start + i] = (double)b.outputs[0][i];
      for (int k = 0; k < TAPS; k++)
        p->state[k][b.start + i] = b.taps[k][i];
    }
    result = ct_render_next(render, &b, error);
  }
  return result;
}

static ct_result play(played *p, ct_error *error) {
  ct_doc *doc = NULL;
  ct_render *render = NULL;
  ct_render_def def = {.rate_hz = RATE, .seed = 1, .taps = taps, .tap_count = TAPS};
  ct_result result = ct_doc_load("wheel", &doc, error);
  if (result == CT_OK)
    result = ct_doc_apply_preset(doc, "paper", error);
  if (result == CT_OK)
    result = ct_render_open(doc, &def, &render, error);
  if (result == CT_OK)
    result = collect(render, p, error);
  ct_render_close(render);
  ct_doc_destroy(doc);
  return result;
}

static double mean(const double *x, size_t from, size_t to) {
  double sum = 0;
  for (size_t i = from; i < to; i++)
    sum += x[i] / (double)(to - from);
  return sum;
}

static avanzini_stage stage(const played *p, size_t from, size_t to) {
  avanzini_stage s = {.cart_m_s = mean(p->state[CART], from, to),
                      .tread_m_s = mean(p->state[TREAD], from, to)};
  double low = INFINITY, high = -INFINITY;
  for (size_t i = from; i < to; i++) {
    s.slip_m_s = fmax(s.slip_m_s, fabs(p->state[CART][i] - p->state[TREAD][i]));
    low = fmin(low, p->state[JOINTS][i]);
    high = fmax(high, p->state[JOINTS][i]);
  }
  s.joints_m = high - low;
  s.lufs = ct_measure_loudness(p->sound + from, to - from, 1, RATE).integrated_lufs;
  ct_measured_peak peak = ct_measure_strongest_partial(p->sound + from, to - from, RATE, 40, 15000);
  s.partial_hz = peak.hz;
  s.partial_db = peak.level_db - ct_measure_level(p->sound + from, to - from).rms_db;
  return s;
}

static ct_result write_motion(const ct_study_run *run, const played *p, ct_error *error) {
  figure_table *table;
  ct_result result = figure_table_begin(run, "wheel", "time_s,cart_m_s,tread_m_s,joints_m", &table, error);
  for (size_t i = 0; i < p->count && result == CT_OK; i += HOP) {
    double row[] = {(double)i / RATE, p->state[CART][i], p->state[TREAD][i], p->state[JOINTS][i]};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

static const char plot[] =
    "set palette defined (0 '#000004', 0.25 '#3b0f70', 0.5 '#b5367a', 0.75 '#fb8861', 1 '#fcfdbf')\n"
    "set multiplot layout 3,1 margins 0.09,0.98,0.1,0.97 spacing 0.05\n"
    "set xrange [0:5.5]\nset format x ''\nset ylabel 'speed, m/s'\nset yrange [-0.1:3.2]\nset key top right\n"
    "plot D('wheel') using (C('time_s')):(C('cart_m_s')) with lines lw 2 lc rgb exact title 'cart', \\\n"
    "  '' using (C('time_s')):(C('tread_m_s')) with lines lw 2 lc rgb ours title 'tread'\n"
    "set ylabel 'tyre, um'\nset yrange [*:*]\nset key off\n"
    "plot D('wheel') using (C('time_s')):(1e6*C('joints_m')) with lines lw 1 lc rgb ours\n"
    "set format x '%g'\nset xlabel 'time, s'\nset ylabel 'frequency, Hz'\nunset colorbox\nset cbrange "
    "[-80:0]\n"
    "unset grid\nset yrange [log10(40):log10(16000)]\n"
    "set ytics ('50' log10(50), '100' 2, '200' log10(200), '500' log10(500), '1k' 3, '2k' log10(2000), "
    "'5k' log10(5000), '10k' 4)\n"
    "plot D('wheel_spectrogram') using 1:2:3 with image\n"
    "unset multiplot\n";

static ct_result draw(const ct_study_run *run, const played *p, ct_error *error) {
  ct_result result = write_motion(run, p, error);
  if (result == CT_OK)
    result = figure_spectrogram(run, "wheel_spectrogram", p->sound, (size_t)(5.5 * RATE), RATE, error);
  return result == CT_OK ? figure_draw(run, "wheel", 1000, 760, "", plot, error) : result;
}

ct_result avanzini_wheel(const ct_study_run *run, avanzini_stage stages[AVANZINI_STAGES], ct_error *error) {
  played p = {0};
  ct_result result = play(&p, error);
  for (int i = 0; i < AVANZINI_STAGES && result == CT_OK; i++)
    stages[i] = stage(&p, (size_t)(stage_s[i][0] * RATE), (size_t)(stage_s[i][1] * RATE));
  if (result == CT_OK && run->folder)
    result = draw(run, &p, error);
  free_played(&p);
  return result;
}
