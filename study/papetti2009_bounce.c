/* Figure 8: case 1 left to bounce under gravity. Twenty rebounds, and when each really comes: flights are
 * parabolas, contacts are integrated in thousands of steps with gravity in them. */
#include "study/figure.h"
#include "study/papetti2009.h"

#include <math.h>

enum { REBOUNDS = 20, CORRECTED = WALL_METHODS, BEST, SHOWN, EVERY = 16 };

/* Touch 0 is the start. */
typedef struct touches {
  double time_s[REBOUNDS + 1], v_in_m_s[REBOUNDS + 1], left_s[REBOUNDS + 1], v_out_m_s[REBOUNDS + 1];
  uint32_t count;
} touches;

static wall bouncing(void) {
  return (wall){.impact = papetti_cases[0], .step_s = 1 / PAPETTI_RATE_HZ, .gravity_m_s2 = 9.80665};
}

/* ---- the truth ---- */

static touches true_touches(const wall *w) {
  touches t = {.v_in_m_s = {w->impact.speed_m_s}, .count = REBOUNDS + 1};
  for (int i = 0; i <= REBOUNDS; i++) {
    wall_contact c = wall_contact_true(w, t.v_in_m_s[i]);
    t.left_s[i] = t.time_s[i] + c.time_s;
    t.v_out_m_s[i] = -c.v_out_m_s;
    if (i == REBOUNDS)
      break;
    t.v_in_m_s[i + 1] = t.v_out_m_s[i];
    t.time_s[i + 1] = t.left_s[i] + 2 * t.v_out_m_s[i] / w->gravity_m_s2;
  }
  return t;
}

static double true_height_m(const wall *w, const touches *t, double time_s) {
  int i = 0;
  while (i < REBOUNDS && t->time_s[i + 1] <= time_s)
    i++;
  double flown = fmax(0, time_s - t->left_s[i]);
  return flown * (t->v_out_m_s[i] - w->gravity_m_s2 * flown / 2);
}

/* ---- what the methods make of it ---- */

/* From the last sample apart the mass falls on: -x = v t + g t^2 / 2. */
static double time_to_touch_s(const wall *w, const wall_state *s) {
  double distance = -s->x_m, v = s->v_m_s;
  return 2 * distance / (v + sqrt(v * v + 2 * w->gravity_m_s2 * distance));
}

static touches find_touches(const wall *w, const wall_trace *t) {
  touches found = {.v_in_m_s = {w->impact.speed_m_s}, .count = 1};
  for (uint32_t n = 1; n < t->count && found.count <= REBOUNDS; n++) {
    const wall_state *before = &t->at[n - 1];
    if (before->x_m > 0 || t->at[n].x_m <= 0 || n == 1)
      continue;
    double left = time_to_touch_s(w, before);
    found.time_s[found.count] = (n - 1) * w->step_s + left;
    found.v_in_m_s[found.count++] = before->v_m_s + w->gravity_m_s2 * left;
  }
  return found;
}

/* All methods, AM1 with both corrections, and the engine at its best. */
static wall_run_def run_of(int shown, uint32_t samples) {
  wall_run_def def = {.samples = samples};
  def.method = shown == CORRECTED ? WALL_AM1 : shown == BEST ? WALL_CONTATTO : (wall_methods)shown;
  def.corrections = (wall_corrections){shown == CORRECTED, shown == CORRECTED};
  def.quality = shown == BEST ? CT_BEST : CT_NORMAL_QUALITY;
  return def;
}

/* ---- tables ---- */

static ct_result write_heights(const ct_study_run *run, const wall *w, const touches *truth,
                               const wall_trace traces[SHOWN], ct_error *error) {
  figure_table *t;
  ct_result result =
      figure_table_begin(run, "fig8",
                         "time_s,exact_height_m,am1_height_m,verlet_height_m,heun_height_m,rk4_height_m,"
                         "contatto_height_m,am1_corrected_height_m,best_height_m",
                         &t, error);
  for (uint32_t n = 0; n < traces[0].count && result == CT_OK; n += EVERY) {
    double row[2 + SHOWN] = {n * w->step_s, true_height_m(w, truth, n * w->step_s)};
    for (int i = 0; i < SHOWN; i++)
      row[2 + i] = -traces[i].at[n].x_m;
    result = figure_table_row(t, row, error);
  }
  return figure_table_end(t, result, error);
}

/* NAN where a method has not come that far. */
static ct_result write_rebounds(const ct_study_run *run, const touches *truth, const touches found[SHOWN],
                                ct_error *error) {
  figure_table *t;
  ct_result result = figure_table_begin(run, "fig8_rebounds",
                                        "rebound,exact_s,exact_v_in_m_s,am1_late_s,verlet_late_s,heun_late_s,"
                                        "rk4_late_s,contatto_late_s,am1_corrected_late_s,best_late_s",
                                        &t, error);
  for (uint32_t n = 1; n <= REBOUNDS && result == CT_OK; n++) {
    double row[3 + SHOWN] = {n, truth->time_s[n], truth->v_in_m_s[n]};
    for (int i = 0; i < SHOWN; i++)
      row[3 + i] = n < found[i].count ? found[i].time_s[n] - truth->time_s[n] : (double)NAN;
    result = figure_table_row(t, row, error);
  }
  return figure_table_end(t, result, error);
}

static ct_result write_bounces(const ct_study_run *run, ct_error *error) {
  wall w = bouncing();
  touches truth = true_touches(&w), found[SHOWN];
  wall_trace traces[SHOWN] = {{0}};
  /* the liveliest method takes longer than the truth for its twenty rebounds */
  uint32_t samples = (uint32_t)(1.25 * truth.time_s[REBOUNDS] * PAPETTI_RATE_HZ);
  ct_result result = CT_OK;
  for (int i = 0; i < SHOWN && result == CT_OK; i++) {
    wall_run_def def = run_of(i, samples);
    result = wall_run(&w, &def, &traces[i], error);
    if (result == CT_OK)
      found[i] = find_touches(&w, &traces[i]);
  }
  if (result == CT_OK)
    result = write_heights(run, &w, &truth, traces, error);
  if (result == CT_OK)
    result = write_rebounds(run, &truth, found, error);
  for (int i = 0; i < SHOWN; i++)
    wall_trace_free(&traces[i]);
  return result;
}

/* ---- the figure ---- */

static const char plot[] =
    "set multiplot\nset lmargin at screen 0.07\nset rmargin at screen 0.98\n"
    "set tmargin at screen 0.96\nset bmargin at screen 0.63\n"
    "set xlabel 'time, s' offset 0,0.5\nset ylabel 'height, mm' offset 1\nset xrange [0:1.05]\nset yrange "
    "[0:5.6]\n"
    "set key top right horizontal\n"
    "H(n) = 1e3*C(n.'_height_m')\n"
    "plot D('fig8') using (C('time_s')):(H('exact')) with lines lw 4 lc rgb '#bbbbbb' title 'exact', "
    "'' using (C('time_s')):(H('am1')) with lines lw 1.3 lc rgb am1 title 'AM1', "
    "'' using (C('time_s')):(H('rk4')) with lines lw 1.3 lc rgb rk4 title 'RK4', "
    "'' using (C('time_s')):(H('contatto')) with lines lw 1 lc rgb ours title 'contatto'\n"
    "set tmargin at screen 0.53\nset bmargin at screen 0.08\n"
    "set rmargin at screen 0.48\nset xlabel 'rebound' offset 0,0\nset ylabel 'late by, ms' offset 1\n"
    "set xrange [0:21]\nset yrange [-20:20]\nset key top left vertical Left reverse\n"
    "L(n) = 1e3*C(n.'_late_s')\n"
    "array name[7] = ['am1', 'verlet', 'heun', 'rk4', 'am1_corrected', 'contatto', 'best']\n"
    "array shown[7] = ['AM1', 'Verlet', 'Heun', 'RK4', 'AM1, corrected', 'contatto', 'contatto, best']\n"
    "array tint[7] = [am1, verlet, heun, rk4, am1, ours, '#f08080']\narray mark[7] = [4, 6, 8, 2, 5, 7, 7]\n"
    "plot for [i=1:7] D('fig8_rebounds') using (C('rebound')):(L(name[i])) with linespoints pt mark[i] ps "
    "0.8 lw 1.2 "
    "lc rgb tint[i] title shown[i]\n"
    "set lmargin at screen 0.585\nset rmargin at screen 0.98\nset logscale y\nset yrange [1e-5:1e2]\n"
    "set format y '%.0e'\nset ylabel 'off by, ms' offset 0.5\nunset key\n"
    "plot for [i=1:7] D('fig8_rebounds') using (C('rebound')):(abs(L(name[i]))) with linespoints pt mark[i] "
    "ps 0.8 "
    "lw 1.2 lc rgb tint[i] title shown[i]\n"
    "unset multiplot\n";

ct_result papetti_draw_bounce(const ct_study_run *run, ct_error *error) {
  ct_result result = write_bounces(run, error);
  return result == CT_OK ? figure_draw(run, "fig8", 1100, 760, "", plot, error) : result;
}
