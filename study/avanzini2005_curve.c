/* Figure 2, the steady-state friction force: what the engine settles to at each speed, on eq. 4. And the
 * adhesion map (figure 3 of 2002): how the engine's bristles give way as a slide begins, on eqs. 5 and 6. */
#include "study/avanzini2005.h"
#include "study/figure.h"

#include <math.h>

enum { SPEEDS = 60 };

/* So heavy that it does not move. */
static rub rubbed_wall(double speed_m_s) {
  rub r = rub_reference();
  r.mode_count = 1;
  r.modes[0] = (ct_mode_def){.mass_kg = 1e6};
  r.rise_s = 0;
  r.speed_m_s = speed_m_s;
  r.friction.bristle_damping_n_s_m = 1;
  r.friction.viscous_n_s_m = 0.4;
  return r;
}

/* Eq. 3, times sigma_0. */
static double sliding_n(const ct_friction_def *f, double v) {
  double u = v / f->stribeck_m_s;
  return copysign(f->normal_n * (f->mu_dynamic + (f->mu_static - f->mu_dynamic) * exp(-u * u)), v);
}

/* ---- figure 2 ---- */

static ct_result write_speed(figure_table *t, double speed_m_s, ct_error *error) {
  rub r = rubbed_wall(speed_m_s);
  const ct_friction_def *f = &r.friction;
  rub_trace trace;
  ct_result result = rub_play(&r, 0.3, (rub_wanted){.motion = true}, &trace, error);
  if (result != CT_OK)
    return result;
  double settled = trace.force_n[trace.count - 1], viscous = f->viscous_n_s_m * speed_m_s;
  double far = copysign(f->mu_dynamic * f->normal_n, speed_m_s) + viscous;
  rub_trace_free(&trace);
  return figure_table_row(t, (double[]){speed_m_s, sliding_n(f, speed_m_s) + viscous, far, settled}, error);
}

static ct_result write_steady(const ct_study_run *run, ct_error *error) {
  figure_table *t;
  ct_result result = figure_table_begin(run, "fig2_steady", "v_m_s,eq4_n,asymptote_n,contatto_n", &t, error);
  for (int i = 0; i < SPEEDS && result == CT_OK; i++)
    result = write_speed(t, -0.5 + (i + 0.5) / SPEEDS, error);
  return figure_table_end(t, result, error);
}

/* ---- the adhesion map ---- */

/* From one sample to the next, eq. 1 solved for alpha; z over z_ss as the paper draws it. */
static ct_result write_adhesion(const ct_study_run *run, ct_error *error) {
  rub r = rubbed_wall(0.01);
  const ct_friction_def *f = &r.friction;
  rub_trace trace;
  figure_table *t;
  double v = r.speed_m_s, z_ss = sliding_n(f, v) / f->bristle_n_m,
         z_ba = f->breakaway * f->mu_dynamic * f->normal_n / f->bristle_n_m;
  ct_result result = rub_play(&r, 0.02, (rub_wanted){.motion = true}, &trace, error);
  if (result != CT_OK)
    return result;
  result = figure_table_begin(run, "fig2_adhesion", "z_over_zss,eq6,contatto", &t, error);
  for (uint32_t n = 1; n < trace.count && result == CT_OK; n++) {
    double z = (trace.bristle_m[n] + trace.bristle_m[n - 1]) / 2;
    double rate = (trace.bristle_m[n] - trace.bristle_m[n - 1]) * r.rate_hz;
    double eq6 = z <= z_ba ? 0 : (1 + sin(M_PI * (z - (z_ss + z_ba) / 2) / (z_ss - z_ba))) / 2;
    result = figure_table_row(t, (double[]){z / z_ss, eq6, (1 - rate / v) * z_ss / z}, error);
  }
  rub_trace_free(&trace);
  return figure_table_end(t, result, error);
}

static const char plot[] =
    "set multiplot layout 1,2 margins 0.07,0.98,0.14,0.93 spacing 0.09\n"
    "set xlabel 'relative velocity v, m/s'\n"
    "set ylabel 'f_ss, N' offset 1\n"
    "set xrange [-0.5:0.5]\n"
    "set yrange [-0.5:0.5]\n"
    "set key bottom right\n"
    "set xzeroaxis lt 1 lc rgb '#999999'\n"
    "set yzeroaxis lt 1 lc rgb '#999999'\n"
    "plot D('fig2_steady') using (C('v_m_s')):(C('asymptote_n')) with lines dt 3 lw 2 lc rgb exact title "
    "'f_c + σ2 v', '' using (C('v_m_s')):(C('eq4_n')) with lines lw 2 lc rgb rk4 title 'eq. 4', '' using "
    "(C('v_m_s')):(C('contatto_n')) with points pt 7 ps 0.6 lc rgb ours title 'contatto, settled'\n"
    "unset xzeroaxis\n"
    "unset yzeroaxis\n"
    "set xlabel 'z / z_ss'\n"
    "set ylabel 'α'\n"
    "set xrange [0:1.05]\n"
    "set yrange [-0.05:1.1]\n"
    "set key top left\n"
    "plot D('fig2_adhesion') using (C('z_over_zss')):(C('eq6')) with lines lw 2 lc rgb rk4 title 'eqs. 5 and "
    "6', '' using (C('z_over_zss')):(C('contatto')) with points pt 7 ps 0.5 lc rgb ours title 'contatto, as "
    "a slide begins'\n"
    "unset multiplot\n";

ct_result avanzini_draw_curve(const ct_study_run *run, ct_error *error) {
  ct_result result = write_steady(run, error);
  if (result == CT_OK)
    result = write_adhesion(run, error);
  return result == CT_OK ? figure_draw(run, "fig2", 1000, 400, "", plot, error) : result;
}
