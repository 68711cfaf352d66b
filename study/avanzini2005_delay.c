/* What a force that comes one sample late does: the papers' solver with the delay-free loop opened by a delay
 * (as in the work that their section 1 of 2002 speaks of) against the same solver without it, and the engine.
 */
#include "study/avanzini2005.h"
#include "study/figure.h"

#include <contatto/measure.h>
#include <math.h>

const char *const avanzini_solver_names[AVANZINI_SOLVERS] = {"delayed", "newton", "contatto"};

/* The reference body with less bristle damping: a bristle sprung at s0 and damped by s1, its force late by
 * 1 / Fs, is damped by s1 - s0 / Fs. */
static rub body_with(double bristle_n_m) {
  rub r = rub_reference();
  r.rise_s = 0;
  r.friction.bristle_damping_n_s_m = 1;
  r.friction.bristle_n_m = bristle_n_m;
  return r;
}

static double stiffness_at(int i) { return 1e3 * pow(1e5, (double)i / (AVANZINI_STIFFNESSES - 1)); }

static ct_result play_by(int solver, const rub *r, double seconds, rub_trace *t, ct_error *error) {
  if (solver == AVANZINI_ENGINE)
    return rub_play(r, seconds, (rub_wanted){0}, t, error);
  return rub_play_kmethod(r, seconds, solver == AVANZINI_DELAYED, t, error);
}

static bool blown(const rub_trace *t, double limit_m_s) {
  for (uint32_t n = 0; n < t->count; n++)
    if (!(fabs(t->v_m_s[n]) < limit_m_s))
      return true;
  return false;
}

/* ---- rubbed ---- */

static const double rubbed_s = 0.6;

static ct_result partial_of(int solver, const rub *r, double *hz, ct_error *error) {
  rub_trace t;
  ct_result result = play_by(solver, r, rubbed_s, &t, error);
  if (result != CT_OK)
    return result;
  uint32_t half = t.count / 2;
  *hz = blown(&t, 100 * r->speed_m_s)
            ? (double)NAN
            : ct_measure_strongest_partial(t.v_m_s + half, t.count - half, r->rate_hz, 50, 20000).hz;
  rub_trace_free(&t);
  return CT_OK;
}

static ct_result rub_at(avanzini_late *late, ct_error *error) {
  rub r = body_with(late->bristle_n_m), fine = r;
  double truth = NAN, hz = NAN;
  fine.rate_hz *= 8;
  ct_result result = partial_of(AVANZINI_ENGINE, &fine, &truth, error);
  for (int s = 0; s < AVANZINI_SOLVERS && result == CT_OK; s++) {
    result = partial_of(s, &r, &hz, error);
    late->cents[s] = ct_measure_cents(hz, truth);
  }
  return result;
}

/* ---- held still ---- */

static ct_result hold_at(avanzini_late *late, ct_error *error) {
  rub r = body_with(late->bristle_n_m);
  ct_result result = CT_OK;
  r.speed_m_s = 0;
  r.modes[0].v_m_s = 1e-6;
  for (int s = 0; s < AVANZINI_SOLVERS && result == CT_OK; s++) {
    rub_trace t;
    result = play_by(s, &r, 1, &t, error);
    if (result != CT_OK)
      break;
    uint32_t last = t.count / 10;
    late->held_db[s] = ct_measure_level(t.v_m_s + t.count - last, last).rms_db;
    rub_trace_free(&t);
  }
  return result;
}

/* ---- writing and drawing ---- */

static ct_result write_late(const ct_study_run *run, const avanzini_late late[], ct_error *error) {
  figure_table *t;
  ct_result result = figure_table_begin(
      run, "delay",
      "bristle_n_m,delayed_cents,newton_cents,contatto_cents,delayed_held_db,newton_held_db,contatto_held_db",
      &t, error);
  for (int i = 0; i < AVANZINI_STIFFNESSES && result == CT_OK; i++) {
    const avanzini_late *l = &late[i];
    result = figure_table_row(t,
                              (double[]){l->bristle_n_m, l->cents[0], l->cents[1], l->cents[2], l->held_db[0],
                                         l->held_db[1], l->held_db[2]},
                              error);
  }
  return figure_table_end(t, result, error);
}

enum { SHOWN = 882 }; /* 20 ms */

/* Twenty milliseconds of the held body, after half a second in which nothing moved it. */
static ct_result write_held(const ct_study_run *run, ct_error *error) {
  rub r = body_with(2e5);
  rub_trace by[AVANZINI_SOLVERS] = {{0}};
  figure_table *t = NULL;
  ct_result result = CT_OK;
  r.speed_m_s = 0;
  r.modes[0].v_m_s = 1e-6;
  for (int s = 0; s < AVANZINI_SOLVERS && result == CT_OK; s++)
    result = play_by(s, &r, 0.6, &by[s], error);
  if (result == CT_OK)
    result = figure_table_begin(run, "delay_held", "time_s,delayed_m_s,newton_m_s,contatto_m_s", &t, error);
  for (uint32_t i = 0; i < SHOWN && result == CT_OK; i++) {
    uint32_t n = (uint32_t)(0.5 * r.rate_hz) + i;
    double row[] = {n / r.rate_hz, by[0].v_m_s[n], by[1].v_m_s[n], by[2].v_m_s[n]};
    result = figure_table_row(t, row, error);
  }
  for (int s = 0; s < AVANZINI_SOLVERS; s++)
    rub_trace_free(&by[s]);
  return figure_table_end(t, result, error);
}

static const char plot[] = "set multiplot layout 1,3 margins 0.06,0.985,0.15,0.9 spacing 0.07\n"
                           "array name[3] = ['delayed', 'newton', 'contatto']\n"
                           "array tint[3] = [rk4, am1, ours]\n"
                           "array mark[3] = [6, 4, 7]\n"
                           "array shown[3] = ['one sample late', 'delay-free, Newton', 'contatto']\n"
                           "limit = 44100.\n"
                           "set logscale x\n"
                           "set xrange [800:1.3e8]\n"
                           "set format x '%.0e'\n"
                           "set xtics 1e3,100\n"
                           "set xlabel 'bristle stiffness σ0, N/m'\n"
                           "set arrow from limit,graph 0 to limit,graph 1 nohead dt 2 lc rgb '#777777'\n"
                           "set label 'σ1 Fs' at limit*1.3,graph 0.06 left\n"
                           "set title 'held still: level after 1 s'\n"
                           "set ylabel 'dB re 1 m/s' offset 1\n"
                           "set yrange [-300:0]\n"
                           "set key at graph 0.99,0.72\n"
                           "plot for [i=1:3] D('delay') using (C('bristle_n_m')):(C(name[i].'_held_db')) "
                           "with linespoints pt mark[i] ps 0.8 lw 1.3 lc rgb tint[i] title shown[i]\n"
                           "set title 'rubbed: pitch against the truth'\n"
                           "set ylabel 'cents, absolute' offset 1\n"
                           "set yrange [1e-3:1e6]\n"
                           "set logscale y\n"
                           "set format y '%g'\n"
                           "set key at graph 0.98,0.98\n"
                           "plot for [i=1:3] D('delay') using (C('bristle_n_m')):(abs(C(name[i].'_cents'))) "
                           "with linespoints pt mark[i] ps 0.8 lw 1.3 lc rgb tint[i] title shown[i]\n"
                           "unset arrow\n"
                           "unset label\n"
                           "unset logscale\n"
                           "set format '%g'\n"
                           "set xtics autofreq\n"
                           "set yrange [-40:60]\n"
                           "set xrange [500:520]\n"
                           "set title 'held still, σ0 = 2e5 N/m'\n"
                           "set xlabel 'time, ms'\n"
                           "set ylabel 'velocity, mm/s' offset 1\n"
                           "plot for [i=1:3] D('delay_held') using (1e3*C('time_s')):(1e3*C(name[i].'_m_s')) "
                           "with lines lw 1.5 lc rgb tint[i] title shown[i]\n"
                           "unset multiplot\n";

ct_result avanzini_delay(const ct_study_run *run, avanzini_late late[AVANZINI_STIFFNESSES], ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < AVANZINI_STIFFNESSES && result == CT_OK; i++) {
    late[i].bristle_n_m = stiffness_at(i);
    result = rub_at(&late[i], error);
    if (result == CT_OK)
      result = hold_at(&late[i], error);
  }
  if (result != CT_OK || !run->folder)
    return result;
  result = write_late(run, late, error);
  if (result == CT_OK)
    result = write_held(run, error);
  return result == CT_OK ? figure_draw(run, "delay", 1200, 420, "", plot, error) : result;
}
