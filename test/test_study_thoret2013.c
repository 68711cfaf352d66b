/* ctest: slow
 * Thoret et al. (2013): the analysis of inharmonicity knows a harmonic sound from a stiff string; the belt's
 * mass sticks and slips; the glasses do what they are said to. */
#include "study/thoret2013.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

/* n f0 sqrt(1 + B n^2), amplitudes 1/n. */
static thoret_harmonic analyse_string(double b) {
  enum { COUNT = 2 * THORET_RATE };
  double *y = calloc(COUNT, sizeof *y);
  thoret_harmonic h = {0};
  ct_error error = {0};
  for (int n = 1; n <= 12; n++)
    for (int i = 0; i < COUNT; i++)
      y[i] += 0.1 / n * sin(2 * M_PI * 220 * n * sqrt(1 + b * n * n) * i / THORET_RATE);
  must(thoret_analyse(y, COUNT, THORET_RATE, 100, 500, &h, &error), &error);
  free(y);
  return h;
}

/* Regression of sqrt((1 + B n^2)/(1 + B)) - 1 on n = 2 .. last. */
static double expected_slope(double b, int last) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, count = last - 1;
  for (int n = 2; n <= last; n++) {
    double gamma = sqrt((1 + b * n * n) / (1 + b)) - 1;
    sx += n;
    sy += gamma;
    sxx += n * n;
    sxy += n * gamma;
  }
  return (sxy - sx * sy / count) / (sxx - sx * sx / count);
}

static void the_analysis_knows(void **state) {
  (void)state;
  thoret_harmonic harmonic = analyse_string(0), stiff = analyse_string(2e-4);
  printf("harmonic %.2g, stiff %.4g for %.4g\n", harmonic.slope, stiff.slope, expected_slope(2e-4, 12));
  assert_true(harmonic.frames > 50 && harmonic.partials > 500);
  assert_true(fabs(harmonic.slope) < 1e-5 && harmonic.rms < 1e-4);
  assert_true(fabs(stiff.slope / expected_slope(2e-4, 12) - 1) < 0.03);
}

/* A recording whose every number is known: it sings at 440 Hz, squeaks around 700 Hz (5 %, three times a
 * second), hisses, is silent, sings at 1200 Hz as a stiff string does. At a rate that is not the study's. */
enum { RECORDED_HZ = 44100, RECORDED = 4 * RECORDED_HZ };

static const double stiffness = 2e-4, changes_s[] = {0.8, 1.8, 2.4, 2.8};

static double squeak_hz(double t) { return 700 * (1 + 0.05 * sin(2 * M_PI * 3 * t)); }

static double *made_up(void) {
  double *y = calloc(RECORDED, sizeof *y), phase = 0;
  uint32_t random = 1;
  assert_non_null(y);
  for (int i = 0; i < RECORDED; i++) {
    double t = (double)i / RECORDED_HZ;
    random = random * 1664525 + 1013904223;
    phase += 2 * M_PI * squeak_hz(t) / RECORDED_HZ;
    for (int n = 1; n <= 10; n++) {
      double stiff = 1200 * n * sqrt(1 + stiffness * n * n);
      y[i] += t < changes_s[0]   ? 0.1 / n * sin(2 * M_PI * 440 * n * t)
              : t < changes_s[1] ? 0.1 / n * sin(n * phase)
              : t < changes_s[3] ? 0
                                 : 0.1 / n * sin(2 * M_PI * stiff * t);
    }
    y[i] += t >= changes_s[1] && t < changes_s[2] ? 0.1 * (random / 2147483648.0 - 1) : 0;
  }
  return y;
}

static void a_recording_is_heard(void **state) {
  (void)state;
  static const thoret_kind kinds[] = {THORET_SINGS, THORET_SQUEAKS, THORET_NOISY, THORET_SILENT,
                                      THORET_SINGS};
  static const double pitches_hz[] = {440, 700, 0, 0, 1200.12};
  thoret_heard *h = calloc(1, sizeof *h);
  double *y = made_up();
  ct_error error = {0};
  must(thoret_hear(y, RECORDED, RECORDED_HZ, h, &error), &error);
  for (uint32_t i = 0; i < h->regime_count; i++)
    printf("%.3f to %.3f s: %d, %.2f Hz, %.4f\n", h->regimes[i].from_s, h->regimes[i].to_s,
           h->regimes[i].kind, h->regimes[i].hz, h->regimes[i].spread);
  assert_int_equal(h->regime_count, 5);
  for (int i = 0; i < 5; i++) {
    assert_int_equal(h->regimes[i].kind, kinds[i]);
    assert_true(i == 0 || fabs(h->regimes[i].from_s - changes_s[i - 1]) < 0.04); /* half a window and a hop */
    if (pitches_hz[i] > 0)
      assert_true(fabs(h->regimes[i].hz / pitches_hz[i] - 1) < (kinds[i] == THORET_SINGS ? 1e-3 : 1e-2));
  }
  /* 5 % of a sine deviate by 3.5 %; a window of 64 ms that counted evenly would take 6 % of that, at 3 Hz */
  assert_true(h->regimes[1].spread > 0.92 * 0.05 / sqrt(2) && h->regimes[1].spread < 1.03 * 0.05 / sqrt(2));
  for (size_t i = 0; i < h->frame_count; i++) { /* the track, where a window sees the squeak alone */
    double t = h->frames[i].time_s;
    if (t > changes_s[0] + 0.04 && t < changes_s[1] - 0.04)
      assert_true(fabs(h->frames[i].hz / squeak_hz(t) - 1) < 0.015);
  }
  /* 2 s of 3.6 sing, 1 s squeaks; two changes from sound to sound, those from and to silence are none */
  assert_true(fabs(h->sings - 2.0 / 3.6) < 0.03 && fabs(h->pitched - 3.0 / 3.6) < 0.03);
  assert_true(fabs(h->changes_per_s * 3.6 - 2) < 0.1);
  free(y);
  free(h);
}

/* The stiff part alone has the slope of its formula, at this rate too. */
static void inharmonicity_at_any_rate(void **state) {
  (void)state;
  double *y = made_up();
  thoret_harmonic h = {0};
  ct_error error = {0};
  int from = (int)(changes_s[3] * RECORDED_HZ);
  must(thoret_analyse(y + from, (size_t)(RECORDED - from), RECORDED_HZ, 50, 4000, &h, &error), &error);
  double wanted = expected_slope(stiffness, 10);
  printf("slope %.4g for %.4g, %u partials\n", h.slope, wanted, h.partials);
  assert_true(h.partials > 200 && fabs(h.slope / wanted - 1) < 0.03);
  free(y);
}

static void a_mass_on_a_belt(void **state) {
  (void)state;
  thoret_belt b;
  ct_error error = {0};
  must(thoret_draw_belt(&(ct_study_run){0}, &b, &error), &error);
  /* it slides back within about half a period of its spring, 20 ms, and is carried on the rest of the time */
  assert_true(b.slip_share * b.period_s > 0.01 && b.slip_share * b.period_s < 0.03);
  assert_true(b.period_s > 0.1 && b.period_s < 0.3);
  for (int n = 1; n < 10; n++) {
    assert_true(b.level_db[n] < b.level_db[n - 1]);
    assert_true(b.level_db[n] <
                b.saw_db[n]); /* the slide takes time: less of every harmonic than a sawtooth */
  }
  assert_true(fabs(b.level_db[1] - b.saw_db[1]) < 1);
}

static void two_glasses(void **state) {
  (void)state;
  thoret_glass g[THORET_GLASSES];
  ct_error error = {0};
  must(thoret_compare_glasses(&(ct_study_run){0}, g, &error), &error);
  for (int i = 0; i < THORET_GLASSES; i++) {
    printf("%s: %.2f cents, pulses %.3f for %.3f Hz\n", thoret_glass_names[i], g[i].cents, g[i].pulses_hz,
           g[i].expected_hz);
    assert_true(fabs(g[i].pulses_hz / g[i].expected_hz - 1) < 0.01);
    assert_true(fabs(g[i].cents) < (i == THORET_PHYSICAL ? 5 : 1));
  }
  assert_true(g[THORET_PHYSICAL].cents < -1); /* friction pulls the pitch down; nothing pulls a source */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_analysis_knows),
                                     cmocka_unit_test(a_recording_is_heard),
                                     cmocka_unit_test(inharmonicity_at_any_rate),
                                     cmocka_unit_test(a_mass_on_a_belt), cmocka_unit_test(two_glasses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
