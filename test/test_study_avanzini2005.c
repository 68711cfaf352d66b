/* ctest: slow
 * Avanzini, Serafin and Rocchesso (2005): the papers' solver against independent data, what a late force
 * does, how far both searches go, and the judge of Table I. */
#include "study/avanzini2005.h"
#include "study/avanzini2005_kmethod.h"

#include <contatto/measure.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

/* ---- the papers' solver ---- */

/* test/data/rub_slow.csv: three modes of 50 g, sigma_1 1. */
static rub rub_slow(double times) {
  const double t60_s[3] = {1.5, 1, 0.6};
  rub r = rub_reference();
  r.rate_hz *= times;
  r.rise_s = 0;
  r.friction.bristle_damping_n_s_m = 1;
  for (int i = 0; i < 3; i++) {
    r.modes[i].t60_s = t60_s[i];
    r.modes[i].mass_kg = 0.05;
  }
  return r;
}

/* Relative rms error of the resonator's velocity. */
static double error_at(uint32_t times) {
  rub r = rub_slow(times);
  kmethod k;
  char line[200];
  double square = 0, off = 0, v, miss;
  FILE *file = fopen(CT_TEST_DATA "/rub_slow.csv", "r");
  assert_non_null(file);
  kmethod_start(&k, &r, false);
  assert_non_null(fgets(line, sizeof line, file));
  assert_non_null(fgets(line, sizeof line, file)); /* sample 0: at rest */
  while (fgets(line, sizeof line, file)) {
    assert_int_equal(sscanf(line, "%*d,%*f,%lf", &v), 1);
    for (uint32_t i = 0; i < times; i++)
      kmethod_step(&k);
    assert_true(k.converged);
    square += v * v;
    miss = kmethod_velocity_m_s(&k) - v;
    off += miss * miss;
  }
  fclose(file);
  return sqrt(off / square);
}

/* Second order, as the bilinear transformation must be: it is the papers' equations that are counted, and
 * not a solver with a slip in it. */
static void solver_converges(void **state) {
  (void)state;
  double one = error_at(1), four = error_at(4), sixteen = error_at(16);
  printf("the papers' solver, relative error of v at 1, 4, 16 x 44.1 kHz: %.2e %.2e %.2e\n", one, four,
         sixteen);
  assert_true(one < 0.06 && sixteen < 3e-4);
  assert_true(log2(one / four) / 2 > 1.8 && log2(four / sixteen) / 2 > 1.8);
}

/* Opened by a delay, the same equations at a high rate: first order, the same sound. */
static void delay_vanishes(void **state) {
  (void)state;
  ct_error error = {0};
  rub r = rub_slow(64);
  rub_trace late, now;
  must(rub_play_kmethod(&r, 0.01, true, &late, &error), &error);
  must(rub_play_kmethod(&r, 0.01, false, &now, &error), &error);
  double square = 0, off = 0;
  for (uint32_t n = 0; n < now.count; n++) {
    square += now.v_m_s[n] * now.v_m_s[n];
    off += pow(late.v_m_s[n] - now.v_m_s[n], 2);
  }
  printf("delayed against delay-free at 64 x 44.1 kHz: %.2e\n", sqrt(off / square));
  assert_true(off < 1e-4 * square);
  rub_trace_free(&late);
  rub_trace_free(&now);
}

/* ---- late, and counted ---- */

/* A body held still and plucked gently: with s0 > s1 Fs the late force feeds it, and only then. */
static void late_force_feeds(void **state) {
  (void)state;
  ct_error error = {0};
  for (int stiff = 0; stiff < 2; stiff++)
    for (int delayed = 0; delayed < 2; delayed++) {
      rub r = rub_reference();
      rub_trace t;
      r.speed_m_s = 0;
      r.modes[0].v_m_s = 1e-6;
      r.friction.bristle_damping_n_s_m = 1;
      r.friction.bristle_n_m = stiff ? 2e5 : 1e4; /* sigma_1 Fs is 4.4e4 */
      must(rub_play_kmethod(&r, 0.6, delayed, &t, &error), &error);
      double db = ct_measure_level(t.v_m_s + t.count / 2, t.count / 2).rms_db;
      printf("held, sigma_0 %g, %s: %.0f dB\n", r.friction.bristle_n_m, delayed ? "late" : "delay-free", db);
      assert_true(stiff && delayed ? db > -45 : db < -150);
      rub_trace_free(&t);
    }
}

static void iterations(void **state) {
  (void)state;
  ct_error error = {0};
  ct_study_run run = {.out = stdout};
  avanzini_counts counts[AVANZINI_REGIONS];
  must(avanzini_count(&run, counts, &error), &error);
  const avanzini_counts *typical = &counts[AVANZINI_TYPICAL], *wide = &counts[AVANZINI_WIDE];
  for (int g = 0; g < AVANZINI_REGIONS; g++)
    printf(
        "%s: Newton mean %.2f, %u of %u runs without convergence, %u blown up; contatto mean %.2f, most %u\n",
        avanzini_region_names[g], counts[g].mean_newton, counts[g].runs_ended, counts[g].runs,
        counts[g].runs_blown, counts[g].mean_ours, counts[g].most_ours);
  assert_true(typical->mean_newton < 4 && typical->steps_over_7 < typical->steps / 1000); /* "typically" */
  assert_true(typical->runs_ended > 0 && typical->runs_ended < typical->runs / 5);        /* ... not always */
  assert_true(wide->runs_ended > wide->runs / 4 && wide->runs_blown > 0);
  assert_true(typical->mean_ours < 7 && wide->mean_ours < 7);
  assert_true(typical->most_ours <= 80 && wide->most_ours <= 80);
}

/* ---- the judge ---- */

static avanzini_effect judge(heard_measure measure, const double values[AVANZINI_VALUES], int direction) {
  avanzini_sweep sweep = {0};
  for (int i = 0; i < AVANZINI_VALUES; i++) {
    sweep.at[i].sounds = isfinite(values[i]);
    sweep.at[i].of[measure] = values[i];
  }
  return avanzini_judge(&sweep, measure, direction);
}

static void judging(void **state) {
  (void)state;
  const double rising[] = {-30, -29, -28, -27, -26, -25, -24, -23, -22},
               level[] = {5, 5, 5, 5, 5, 5, 5, 5, 5}, some[] = {NAN, NAN, 100, 110, 120, 130, 140, NAN, NAN},
               hump[] = {1, 2, 4, 8, 16, 8, 4, 2, 1};
  avanzini_effect e = judge(HEARD_LOUDNESS, rising, 1);
  assert_true(e.holds && fabs(e.trend - 1) < 1e-12 && fabs(e.steps - 8) < 1e-12);
  assert_false(judge(HEARD_LOUDNESS, rising, -1).holds);
  assert_false(judge(HEARD_BANDWIDTH, level, 0).holds);
  assert_true(judge(HEARD_BANDWIDTH, level, 0).trend == 0);
  e = judge(HEARD_BANDWIDTH, some, 0); /* silent values do not count */
  assert_true(e.low == 100 && e.high == 140 && e.holds && fabs(e.trend - 1) < 1e-12);
  assert_true(judge(HEARD_ATTACK, hump, 0).holds);
  assert_false(judge(HEARD_ATTACK, hump, 1).holds);
}

/* What is measured says what it should of sounds that are known: the two reference bodies. */
static void hearing(void **state) {
  (void)state;
  ct_error error = {0};
  const rub bodies[2] = {rub_reference(), rub_glass()};
  for (int b = 0; b < 2; b++) {
    rub_trace t;
    heard h;
    must(rub_play(&bodies[b], 1, (rub_wanted){0}, &t, &error), &error);
    must(heard_measure_trace(&bodies[b], &t, &h, &error), &error);
    assert_true(h.sounds && h.of[HEARD_MODE] == 1 && h.of[HEARD_LOCK] < 0.2);
    assert_true(fabs(ct_measure_cents(h.of[HEARD_PITCH], bodies[b].modes[0].hz)) < 15);
    assert_true(h.of[HEARD_ATTACK] > 0.005 && h.of[HEARD_ATTACK] < 0.2);
    assert_true(h.of[HEARD_BANDWIDTH] < 200 && h.of[HEARD_NOISE] < -30);
    memset(t.v_m_s, 0, t.count * sizeof *t.v_m_s);
    must(heard_measure_trace(&bodies[b], &t, &h, &error), &error);
    assert_true(!h.sounds && isnan(h.of[HEARD_PITCH]));
    rub_trace_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(solver_converges), cmocka_unit_test(delay_vanishes),
                                     cmocka_unit_test(late_force_feeds), cmocka_unit_test(iterations),
                                     cmocka_unit_test(judging),          cmocka_unit_test(hearing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
