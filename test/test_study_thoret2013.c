/* Thoret et al. (2013): the analysis of inharmonicity knows a harmonic sound from a stiff string; the belt's
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
  must(thoret_analyse(y, COUNT, 100, 500, &h, &error), &error);
  free(y);
  return h;
}

/* Regression of sqrt((1 + B n^2)/(1 + B)) - 1 on n = 2 .. 12. */
static double expected_slope(double b) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, count = 11;
  for (int n = 2; n <= 12; n++) {
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
  printf("harmonic %.2g, stiff %.4g for %.4g\n", harmonic.slope, stiff.slope, expected_slope(2e-4));
  assert_true(harmonic.frames > 50 && harmonic.partials > 500);
  assert_true(fabs(harmonic.slope) < 1e-5 && harmonic.rms < 1e-4);
  assert_true(fabs(stiff.slope / expected_slope(2e-4) - 1) < 0.03);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_analysis_knows), cmocka_unit_test(a_mass_on_a_belt),
                                     cmocka_unit_test(two_glasses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
