/* Figure 4: a wheel that rolls, brakes and squeals, a rubbed wineglass, a door of two shutters, each with at
 * most two modes and an exciter that has mass and is pushed, as in the paper. Waveforms with their motion. */
#include "study/avanzini2005.h"
#include "base/text.h"
#include "study/figure.h"

#include <contatto/measure.h>
#include <math.h>
#include <stdlib.h>

static const double seconds = 3;

enum { HOP = 88 }; /* samples: 2 ms */

/* ---- the three ---- */

static const rub_row wheel_rows[] = {{0, 0.15, 0.5}, {0.9, 0.15, 0.5}, {0.95, 0, 10}};

/* Rolls lightly on a rough track; when it is blocked, its whole weight slides. */
static rub make_wheel(void) {
  rub r = {.rate_hz = 44100, .mode_count = 2, .speed_m_s = 2, .exciter_kg = 2};
  r.rows = wheel_rows;
  r.row_count = sizeof wheel_rows / sizeof wheel_rows[0];
  r.modes[0] = (ct_mode_def){.hz = 950, .t60_s = 0.4, .mass_kg = 0.05};
  r.modes[1] = (ct_mode_def){.hz = 2340, .t60_s = 0.3, .mass_kg = 0.05};
  r.friction = rub_glass().friction;
  r.friction.bristle_n_m = 3e5;
  r.friction.bristle_damping_n_s_m = 1;
  r.friction.stribeck_m_s = 0.15;
  r.friction.roughness_n = 0.3;
  r.friction.roughness_exponent = -0.5;
  return r;
}

static const rub_row glass_rows[] = {{0, 0, 0},        {0.1, 0.2, 0.5},  {0.3, 1.35, 0.5}, {1.7, 1.35, 0.5},
                                     {1.9, 5.2, 0.15}, {2.4, 5.2, 0.15}, {2.6, 0, 0.15},   {2.7, 0, 0}};

/* A finger of 0.2 kg, braked by its own hand, that goes round at 0.08 m/s; then too fast and too lightly. */
static rub make_glass(void) {
  rub r = rub_glass();
  r.exciter_kg = 0.2;
  r.exciter_t60_s = 0.2;
  r.speed_m_s = 0;
  r.rows = glass_rows;
  r.row_count = sizeof glass_rows / sizeof glass_rows[0];
  return r;
}

/* A swinging shutter, as heavy as it feels at its hinge, slowed down by nothing but the hinge. */
static rub make_shutter(double hz, double normal_n, double speed_m_s) {
  rub r = {.rate_hz = 44100, .mode_count = 2, .speed_m_s = speed_m_s, .exciter_kg = 18 * normal_n};
  r.modes[0] = (ct_mode_def){.hz = hz, .t60_s = 0.03, .mass_kg = 0.02};
  r.modes[1] = (ct_mode_def){.hz = 2.36 * hz, .t60_s = 0.021, .mass_kg = 0.04};
  r.friction = rub_glass().friction;
  r.friction.bristle_n_m = 3e6;
  r.friction.bristle_damping_n_s_m = 1;
  r.friction.stribeck_m_s = 0.03;
  r.friction.normal_n = normal_n;
  return r;
}

/* ---- writing ---- */

/* The strongest partial around a sample; nothing where it is quiet. */
static double partial_near(const rub_trace *t, double rate_hz, uint32_t n) {
  uint32_t frame = (uint32_t)(0.05 * rate_hz), from = n < frame / 2 ? 0 : n - frame / 2;
  from = from + frame > t->count ? t->count - frame : from;
  if (!(ct_measure_level(t->v_m_s + from, frame).rms_db > -60))
    return NAN;
  return ct_measure_strongest_partial(t->v_m_s + from, frame, rate_hz, 40, 20000).hz;
}

/* A row for every hop: the waveform's lowest and highest, and what moved it. */
static ct_result write_trace(figure_table *table, const rub *r, const rub_trace *t, ct_error *error) {
  ct_result result = CT_OK;
  for (uint32_t n = 0; n + HOP <= t->count && result == CT_OK; n += HOP) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = n; i < n + HOP; i++) {
      low = fmin(low, t->v_m_s[i]);
      high = fmax(high, t->v_m_s[i]);
    }
    double hz = n / HOP % 10 == 0 ? partial_near(t, r->rate_hz, n) : (double)NAN;
    double row[] = {n / r->rate_hz, low, high, t->speed_m_s[n], t->place_m[n], t->force_n[n], hz};
    result = figure_table_row(table, row, error);
  }
  return result;
}

static ct_result write_wave(const ct_study_run *run, const char *name, const rub *r, ct_error *error) {
  rub_trace t;
  figure_table *table;
  ct_result result = rub_play(r, seconds, (rub_wanted){.motion = true}, &t, error);
  if (result != CT_OK)
    return result;
  result = figure_table_begin(
      run, name, "time_s,lowest_m_s,highest_m_s,exciter_m_s,exciter_m,friction_n,partial_hz", &table, error);
  if (result == CT_OK)
    result = write_trace(table, r, &t, error);
  rub_trace_free(&t);
  return figure_table_end(table, result, error);
}

static const char plot[] =
    "set multiplot layout 3,4 margins 0.07,0.99,0.1,0.94 spacing 0.05,0.05\n"
    "set key off\n"
    "set xrange [0:3]\n"
    "array file[4] = ['fig4a_wheel', 'fig4b_glass', 'fig4c_door_left', 'fig4c_door_right']\n"
    "array named[4] = ['(a) wheel, blocked at 0.9 s', '(b) glass', '(c) door, left shutter', '(c) door, "
    "right shutter']\n"
    "array tint[4] = [rk4, verlet, heun, am1]\n"
    "do for [row=1:3] { do for [i=1:4] {\n"
    "  set yrange [*:*]\n"
    "  unset logscale y\n"
    "  set format x ''\n"
    "  unset xlabel\n"
    "  unset title\n"
    "  unset ylabel\n"
    "  if (row==1) {\n"
    "    set title named[i]\n"
    "    if (i==1) { set ylabel 'velocity heard, m/s' }\n"
    "    plot D(file[i]) using (C('time_s')):(C('lowest_m_s')):(C('highest_m_s')) with filledcurves lc rgb "
    "tint[i]\n"
    "  }\n"
    "  if (row==2) {\n"
    "    if (i==1) { set ylabel 'exciter, m/s' }\n"
    "    plot D(file[i]) using (C('time_s')):(C('exciter_m_s')) with lines lw 1.5 lc rgb exact\n"
    "  }\n"
    "  if (row==3) {\n"
    "    set format x '%g'\n"
    "    set xlabel 'time, s'\n"
    "    if (i==1) { set ylabel 'strongest partial, Hz' }\n"
    "    set logscale y\n"
    "    set yrange [100:4000]\n"
    "    set ytics (100, 200, 400, 1000, 2000, 4000)\n"
    "    plot D(file[i]) using (C('time_s')):(C('partial_hz')) with points pt 7 ps 0.35 lc rgb ours\n"
    "    set ytics autofreq\n"
    "  }\n"
    "} }\n"
    "unset multiplot\n";

ct_result avanzini_draw_waves(const ct_study_run *run, ct_error *error) {
  static const char *const names[] = {"fig4a_wheel", "fig4b_glass", "fig4c_door_left", "fig4c_door_right"};
  const rub rubs[] = {make_wheel(), make_glass(), make_shutter(640, 100, 0.056),
                      make_shutter(830, 70, 0.047)};
  ct_result result = CT_OK;
  for (int i = 0; i < 4 && result == CT_OK; i++)
    result = write_wave(run, names[i], &rubs[i], error);
  return result == CT_OK ? figure_draw(run, "fig4", 1300, 640, "", plot, error) : result;
}
