/* Figure 9, not in the paper: its claim (section 3.3.2) that below a contact time of four samples no
 * simulation can be relied on. The worst rebound over 32 sub-sample moments of arrival, for contact times
 * from a tenth of a sample up. */
#include "study/figure.h"
#include "study/papetti2009.h"

#include <math.h>

enum { TIMES = 49, MOMENTS = 32 };

static const double shortest = 0.1, longest = 40; /* samples */

static double contact_samples(int i) { return shortest * pow(longest / shortest, (double)i / (TIMES - 1)); }

/* Error of the rebound, percent; a mass that is thrown through the wall or stays in it is off by -100. */
static ct_result error_at(const wall *w, wall_methods method, double moment, double *pct, ct_error *error) {
  double v = w->impact.speed_m_s, samples = ct_impact_contact_time_s(&w->impact) / w->step_s;
  wall_run_def def = {.method = method, .once = true, .quality = CT_NORMAL_QUALITY};
  def.x_m = -moment * v * w->step_s;
  def.samples = (uint32_t)(4 * samples) + 20;
  wall_trace t;
  ct_result result = wall_run(w, &def, &t, error);
  if (result != CT_OK)
    return result;
  const wall_state *end = &t.at[t.count - 1];
  double exact = -ct_impact_rebound_m_s(v, w->impact.damping_s_m);
  bool back = end->x_m <= 0 && end->v_m_s < 0;
  *pct = back ? 100 * (-end->v_m_s / exact - 1) : -100;
  wall_trace_free(&t);
  return CT_OK;
}

static ct_result worst_at(const wall *w, wall_methods method, double *worst, ct_error *error) {
  ct_result result = CT_OK;
  *worst = 0;
  for (int i = 0; i < MOMENTS && result == CT_OK; i++) {
    double pct;
    result = error_at(w, method, (double)i / MOMENTS, &pct, error);
    *worst = fmax(*worst, result == CT_OK ? fabs(pct) : 0);
  }
  return result;
}

static ct_result write_row(figure_table *t, const ct_impact_case *c, double samples, ct_error *error) {
  wall w = {.impact = *c, .step_s = 1 / PAPETTI_RATE_HZ};
  w.impact.stiffness = ct_impact_stiffness_for(c, samples / PAPETTI_RATE_HZ);
  double row[2 + WALL_METHODS] = {samples, w.impact.stiffness};
  ct_result result = CT_OK;
  for (int i = 0; i < WALL_METHODS && result == CT_OK; i++)
    result = worst_at(&w, (wall_methods)i, &row[2 + i], error);
  return result == CT_OK ? figure_table_row(t, row, error) : result;
}

static ct_result write_times(const ct_study_run *run, const char *name, const ct_impact_case *c,
                             ct_error *error) {
  figure_table *t;
  ct_result result = figure_table_begin(
      run, name, "contact_samples,stiffness,am1_pct,verlet_pct,heun_pct,rk4_pct,contatto_pct", &t, error);
  for (int i = 0; i < TIMES && result == CT_OK; i++)
    result = write_row(t, c, contact_samples(i), error);
  return figure_table_end(t, result, error);
}

/* The two cases of table 1 arriving between samples: the least and the most error of each method. */
static ct_result write_moments(const ct_study_run *run, ct_error *error) {
  enum { ARRIVALS = 256 };
  figure_table *t;
  ct_result result = figure_table_begin(run, "moments", "case,method,least_pct,most_pct", &t, error);
  for (int i = 0; i < 2 * WALL_METHODS && result == CT_OK; i++) {
    int which = i / WALL_METHODS;
    const wall w = {.impact = papetti_cases[which], .step_s = 1 / PAPETTI_RATE_HZ};
    double row[4] = {which + 1, i % WALL_METHODS, INFINITY, -INFINITY};
    for (int k = 0; k < ARRIVALS && result == CT_OK; k++) {
      double pct;
      result = error_at(&w, (wall_methods)(i % WALL_METHODS), (double)k / ARRIVALS, &pct, error);
      if (result == CT_OK)
        row[2] = fmin(row[2], pct), row[3] = fmax(row[3], pct);
    }
    if (result == CT_OK)
      result = figure_table_row(t, row, error);
  }
  return figure_table_end(t, result, error);
}

static const char plot[] =
    "set multiplot layout 1,2 margins 0.08,0.98,0.13,0.92 spacing 0.09\n"
    "set logscale xy\nset xlabel 'contact time, samples'\nset ylabel 'worst error of the rebound speed, %' "
    "offset 1\n"
    "set xrange [0.1:40]\nset yrange [1e-5:1e4]\nset format y '%g'\nset key bottom left Left reverse\n"
    "set arrow from 4,1e-5 to 4,1e4 nohead dt 2 lc rgb '#777777'\nset label '4 samples' at 4.3,4e3 left\n"
    "array name[5] = ['am1', 'verlet', 'heun', 'rk4', 'contatto']\n"
    "array shown[5] = ['AM1', 'Verlet', 'Heun', 'RK4', 'contatto']\n"
    "array tint[5] = [am1, verlet, heun, rk4, ours]\narray mark[5] = [4, 6, 8, 2, 7]\n"
    "array case[2] = ['as case 1: µ v_in 0.03, α 1.1', 'as case 2: µ v_in 0.5, α 1.5']\n"
    "do for [c=1:2] {\n"
    "  set title case[c]\n"
    "  plot for [i=1:5] D('fig9_case'.c) using (C('contact_samples')):(C(name[i].'_pct')) with linespoints "
    "pt mark[i] "
    "ps 0.7 lw 1.3 lc rgb tint[i] title shown[i]\n"
    "}\nunset multiplot\n";

ct_result papetti_draw_short(const ct_study_run *run, ct_error *error) {
  ct_result result = write_times(run, "fig9_case1", &papetti_cases[0], error);
  if (result == CT_OK)
    result = write_times(run, "fig9_case2", &papetti_cases[1], error);
  if (result == CT_OK)
    result = write_moments(run, error);
  return result == CT_OK ? figure_draw(run, "fig9", 1100, 460, "", plot, error) : result;
}
