/* Figures 4 to 7: single impacts, sample by sample, beside the motion in fine steps. */
#include "study/figure.h"
#include "study/papetti2009.h"

#include <math.h>
#include <string.h>

enum { FINE = 100, FINE_ROWS = 800, MOST_RUNS = WALL_METHODS };

static const ct_impact_case soft = {
    .mass_kg = 1e-2, .stiffness = 1e6, .exponent = 1.6, .damping_s_m = 0.5, .speed_m_s = 0.3};

/* ---- tables ---- */

/* Runs shown together, each under its own name. */
typedef struct runs {
  wall wall;
  uint32_t samples, every, count; /* every: how many samples to a row */
  const char *labels[MOST_RUNS];
  wall_run_def defs[MOST_RUNS];
} runs;

static runs all_methods(const ct_impact_case *c) {
  runs r = {.wall = {.impact = *c, .step_s = 1 / PAPETTI_RATE_HZ}, .every = 1, .count = WALL_METHODS};
  r.samples = (uint32_t)(ct_impact_contact_time_s(c) * PAPETTI_RATE_HZ) + 4;
  for (uint32_t i = 0; i < r.count; i++) {
    r.labels[i] = wall_method_names[i];
    r.defs[i] = (wall_run_def){.method = (wall_methods)i, .samples = r.samples, .quality = CT_NORMAL_QUALITY};
  }
  return r;
}

static void name_columns(const runs *r, char *columns, size_t room) {
  size_t at = (size_t)snprintf(columns, room, "time_s");
  for (uint32_t i = 0; i < r->count; i++)
    at += (size_t)snprintf(columns + at, room - at, ",%s_x_m,%s_v_m_s,%s_force_n,%s_energy_j", r->labels[i],
                           r->labels[i], r->labels[i], r->labels[i]);
}

/* Compression, velocity, the contact's force and energy. */
static void fill(const wall_trace *t, uint32_t n, double row[4]) {
  row[0] = t->at[n].x_m;
  row[1] = t->at[n].v_m_s;
  row[2] = fmax(0, -t->at[n].force_n);
  row[3] = t->energy_j[n];
}

static ct_result write_samples(const ct_study_run *run, const char *name, const runs *r,
                               const wall_trace traces[], ct_error *error) {
  char columns[1000];
  figure_table *t;
  name_columns(r, columns, sizeof columns);
  ct_result result = figure_table_begin(run, name, columns, &t, error);
  for (uint32_t n = 0; n <= r->samples && result == CT_OK; n += r->every) {
    double row[1 + 4 * MOST_RUNS] = {n * r->wall.step_s};
    for (uint32_t i = 0; i < r->count; i++)
      fill(&traces[i], n, row + 1 + 4 * i);
    result = figure_table_row(t, row, error);
  }
  return figure_table_end(t, result, error);
}

static ct_result write_runs(const ct_study_run *run, const char *name, const runs *r, ct_error *error) {
  wall_trace traces[MOST_RUNS] = {{0}};
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < r->count && result == CT_OK; i++)
    result = wall_run(&r->wall, &r->defs[i], &traces[i], error);
  if (result == CT_OK)
    result = write_samples(run, name, r, traces, error);
  for (uint32_t i = 0; i < r->count; i++)
    wall_trace_free(&traces[i]);
  return result;
}

/* The same impact in steps a hundred times finer, as `exact`. */
static ct_result write_fine(const ct_study_run *run, const char *name, const runs *r, ct_error *error) {
  char fine_name[80];
  runs fine = {.wall = r->wall, .samples = r->samples * FINE, .count = 1, .labels = {"exact"}};
  fine.every = 1 + fine.samples / FINE_ROWS;
  fine.wall.step_s /= FINE;
  fine.defs[0] = (wall_run_def){.method = WALL_RK4, .samples = fine.samples};
  snprintf(fine_name, sizeof fine_name, "%s_exact", name);
  return write_runs(run, fine_name, &fine, error);
}

static ct_result write_both(const ct_study_run *run, const char *name, const runs *r, ct_error *error) {
  ct_result result = write_runs(run, name, r, error);
  return result == CT_OK ? write_fine(run, name, r, error) : result;
}

/* ---- scripts ---- */

/* What the closed forms say of the impact, and how curves are drawn. */
static void put_head(char *head, size_t room, const runs *r) {
  const ct_impact_case *c = &r->wall.impact;
  double v = c->speed_m_s, mu = c->damping_s_m;
  snprintf(
      head, room,
      "m = %g\nh = %.17g\nx_max = %.9e\nv_in = %g\nv_out = %.9e\nH0 = %.9e\nH1 = %.9e\n"
      "array name[5] = ['am1', 'verlet', 'heun', 'rk4', 'contatto']\n"
      "array shown[5] = ['AM1', 'Verlet', 'Heun', 'RK4', 'contatto']\n"
      "array tint[5] = [am1, verlet, heun, rk4, ours]\narray mark[5] = [4, 6, 8, 2, 7]\n"
      "array size[5] = [1.1, 1.2, 1.2, 1.1, 0.9]\n"
      "X(n) = 1e6*C(n.'_x_m')\nV(n) = C(n.'_v_m_s')\nF(n) = C(n.'_force_n')\nE(n) = 1e3*C(n.'_energy_j')\n"
      "T(n) = 500*m*C(n.'_v_m_s')**2\nnow(s) = C('time_s')/h\n",
      c->mass_kg, r->wall.step_s, ct_impact_largest_compression_m(c), v, ct_impact_rebound_m_s(v, mu),
      500 * c->mass_kg * v * v, 1e3 * ct_impact_energy_left_j(c));
}

#define EVERY_METHOD "for [i=1:5] D(table) using "
#define MARKED " with points pt mark[i] ps size[i] lw 1.5 lc rgb tint[i] title shown[i]"
#define LINED " with linespoints pt mark[i] ps size[i] lw 1.2 lc rgb tint[i] title shown[i]"
#define FAINT " every 3 with points pt mark[i] ps 0.6*size[i] lc rgb tint[i] notitle"
#define FINELY ", D(table.'_exact') using "
#define THIN " with lines lw 1.2 lc rgb exact title 'exact'"

static const char soft_plot[] =
    "table = 'fig4'\nset multiplot layout 1,2 margins 0.07,0.98,0.13,0.95 spacing 0.1\n"
    "set xlabel 'compression, µm'\nset ylabel 'velocity, m/s' offset 1\nset xrange [0:*]\nset yrange "
    "[-0.33:0.35]\n"
    "set arrow from 1e6*x_max,graph 0 to 1e6*x_max,graph 1 nohead dt 2 lc rgb '#777777'\n"
    "set arrow from graph 0,first v_out to graph 1,first v_out nohead dt 2 lc rgb '#777777'\n"
    "set label 'x_max' at 1e6*x_max,0.3 right offset -0.5,0\nset label 'v_out' at 5,v_out left offset 0,0.7\n"
    "set key at graph 0.5,0.7 center\n"
    "plot " EVERY_METHOD "(X(name[i])):(V(name[i])) every 3" MARKED FINELY "(X('exact')):(V('exact'))" THIN
    "\n"
    "unset arrow\nunset label\nset xlabel 'time, samples'\nset ylabel 'energy, mJ' offset 1\nset yrange "
    "[-0.005:0.48]\n"
    "set arrow from graph 0,first H0 to graph 1,first H0 nohead dt 2 lc rgb '#777777'\n"
    "set arrow from graph 0,first H1 to graph 1,first H1 nohead dt 2 lc rgb '#777777'\n"
    "set label 'H_0' at graph 0.98,first H0 right offset 0,0.5\nset label 'H_tau' at graph 0.98,first H1 "
    "right "
    "offset 0,-0.7\nset label 'T' at graph 0.09,first 0.3\nset label 'V' at graph 0.2,first 0.08\n"
    "set label 'H = T + V' at graph 0.3,first 0.432\nunset key\n"
    "plot " EVERY_METHOD "(now(0)):(E(name[i])) every 3" MARKED ", " EVERY_METHOD
    "(now(0)):(T(name[i]))" FAINT ", " EVERY_METHOD "(now(0)):(E(name[i])-T(name[i]))" FAINT FINELY
    "(now(0)):(E('exact'))" THIN FINELY "(now(0)):(T('exact'))" THIN FINELY
    "(now(0)):(E('exact')-T('exact'))" THIN "\nunset multiplot\n";

static const char case_1_plot[] =
    "table = 'fig5'\nset multiplot layout 1,2 margins 0.08,0.98,0.13,0.95 spacing 0.1\n"
    "set xlabel 'compression, µm'\nset ylabel 'velocity, m/s' offset 1\nset xrange [13:18.5]\n"
    "set yrange [-0.2:0.2]\nset key at graph 0.32,0.72\n"
    "set arrow from 1e6*x_max,graph 0 to 1e6*x_max,graph 1 nohead dt 2 lc rgb '#777777'\n"
    "set label 'x_max' at 1e6*x_max,0.18 left offset 0.5,0\n"
    "plot " EVERY_METHOD "(X(name[i])):(V(name[i]))" LINED FINELY "(X('exact')):(V('exact'))" THIN "\n"
    "unset arrow\nunset label\nset xlabel 'time, samples'\nset ylabel 'energy, mJ' offset 1\nset xrange "
    "[0:11]\n"
    "set yrange [0.425:0.478]\nset key at graph 0.98,0.98 right top\n"
    "set arrow from 0,H0 to 11,H0 nohead dt 2 lc rgb '#777777'\nset arrow from 0,H1 to 11,H1 nohead dt 2 lc "
    "rgb "
    "'#777777'\nset label 'H_0' at 10.9,H0 right offset 0,0.5\nset label 'H_tau' at 0.2,H1 left offset "
    "0,-0.7\n"
    "plot " EVERY_METHOD "(now(0)):(E(name[i]))" LINED FINELY "(now(0)):(E('exact'))" THIN
    "\nunset multiplot\n";

/* The engine's force is the mean over the sample before, so it stands in that sample's middle. */
static const char case_2_plot[] =
    "table = 'fig6'\nset multiplot layout 1,2 margins 0.08,0.98,0.13,0.95 spacing 0.1\n"
    "set xlabel 'time, samples'\nset ylabel 'force, N' offset 1\nset xrange [0:9]\nset yrange [0:*]\n"
    "set key top right\n"
    "plot " EVERY_METHOD "(i < 5 ? now(0) : now(0) < 1 ? NaN : now(0)-0.5):(F(name[i]))" LINED FINELY
    "(now(0)):(F('exact'))" THIN "\n"
    "set ylabel 'energy, mJ' offset 1\nset yrange [2.4:5.2]\n"
    "set arrow from 0,H0 to 9,H0 nohead dt 2 lc rgb '#777777'\nset arrow from 0,H1 to 9,H1 nohead dt 2 lc "
    "rgb "
    "'#777777'\nset label 'H_0' at 8.9,H0 right offset 0,0.6\nset label 'H_tau' at 0.2,H1 left offset "
    "0,-0.7\n"
    "unset key\n"
    "plot " EVERY_METHOD "(now(0)):(E(name[i]))" LINED FINELY "(now(0)):(E('exact'))" THIN
    "\nunset multiplot\n";

static ct_result draw_hit(const ct_study_run *run, const char *name, const ct_impact_case *c,
                          const char *script, ct_error *error) {
  char head[1400];
  runs r = all_methods(c);
  put_head(head, sizeof head, &r);
  ct_result result = write_both(run, name, &r, error);
  return result == CT_OK ? figure_draw(run, name, 1100, 460, head, script, error) : result;
}

/* ---- figure 7 ---- */

/* The worst of each case: plain, with compression clipped, and with both corrections. */
static runs corrected(const ct_impact_case *c, wall_methods method) {
  static const wall_corrections how[3] = {{false, false}, {true, false}, {true, true}};
  static const char *const labels[3] = {"plain", "clipped", "both"};
  runs r = all_methods(c);
  r.count = 3;
  for (uint32_t i = 0; i < r.count; i++) {
    r.labels[i] = labels[i];
    r.defs[i] = (wall_run_def){.method = method, .corrections = how[i], .samples = r.samples};
  }
  return r;
}

static const char corrections_plot[] =
    "set multiplot layout 2,2 margins 0.08,0.98,0.08,0.95 spacing 0.1,0.13\n"
    "array name[3] = ['plain', 'clipped', 'both']\n"
    "array shown[3] = ['as it is', 'x clipped at x_max', 'and v_out from eq. 7']\n"
    "array tint[3] = ['#999999', heun, ours]\narray mark[3] = [4, 8, 7]\narray size[3] = [1.3, 1.2, 0.8]\n"
    "X(n) = 1e6*C(n.'_x_m')\nV(n) = C(n.'_v_m_s')\nE(n) = 1e3*C(n.'_energy_j')\nnow(s) = C('time_s')*44100\n"
    "set key at graph 0.12,0.6 left Left reverse\n"
    "set xlabel 'compression, µm'\nset ylabel 'velocity, m/s' offset 1\n"
    "set title 'case 1, Verlet'\nset xrange [-4:19]\nset yrange [-0.33:0.33]\n"
    "plot for [i=1:3] D('fig7_case1') using (X(name[i])):(V(name[i]))" LINED
    ", D('fig7_case1_exact') using (X('exact')):(V('exact'))" THIN "\n"
    "set title 'case 2, Heun'\nset xrange [-10:45]\nset yrange [-0.95:1.1]\n"
    "plot for [i=1:3] D('fig7_case2') using (X(name[i])):(V(name[i]))" LINED
    ", D('fig7_case2_exact') using (X('exact')):(V('exact'))" THIN "\n"
    "unset title\nset xlabel 'time, samples'\nset ylabel 'energy, mJ' offset 1\nset xrange [0:11]\n"
    "set yrange [0.415:0.468]\nunset key\n"
    "plot for [i=1:3] D('fig7_case1') using (now(0)):(E(name[i]))" LINED
    ", D('fig7_case1_exact') using (now(0)):(E('exact'))" THIN "\n"
    "set xrange [0:9]\nset yrange [2.4:5.2]\n"
    "plot for [i=1:3] D('fig7_case2') using (now(0)):(E(name[i]))" LINED
    ", D('fig7_case2_exact') using (now(0)):(E('exact'))" THIN "\nunset multiplot\n";

static ct_result draw_corrections(const ct_study_run *run, ct_error *error) {
  runs case_1 = corrected(&papetti_cases[0], WALL_VERLET), case_2 = corrected(&papetti_cases[1], WALL_HEUN);
  ct_result result = write_both(run, "fig7_case1", &case_1, error);
  if (result == CT_OK)
    result = write_both(run, "fig7_case2", &case_2, error);
  return result == CT_OK ? figure_draw(run, "fig7", 1100, 820, "", corrections_plot, error) : result;
}

ct_result papetti_draw_hits(const ct_study_run *run, ct_error *error) {
  ct_result result = draw_hit(run, "fig4", &soft, soft_plot, error);
  if (result == CT_OK)
    result = draw_hit(run, "fig5", &papetti_cases[0], case_1_plot, error);
  if (result == CT_OK)
    result = draw_hit(run, "fig6", &papetti_cases[1], case_2_plot, error);
  return result == CT_OK ? draw_corrections(run, error) : result;
}
