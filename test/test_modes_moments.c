/* Sums over samples that are kept by block and band (src/modes/moments.c) against sums that are not, and how
 * often samples are read. The error allowed is a share of what the terms add up to without signs: that of the
 * angle of the last term, which a double holds to 1.1e-16 of itself, and of Chebyshev's series, 4e-14. */
#include "modes/linear.h"
#include "modes/moments.h"
#include "support/strikes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double rate_hz = 48000, rounding = 1.1e-16, series = 4e-14;
enum { LENGTH = 100000 };

static double *draw_noise(void) {
  double *x = calloc(LENGTH, sizeof *x);
  uint64_t random = 1;
  assert_non_null(x);
  strike_add_noise(1, &random, x, LENGTH);
  return x;
}

static void compare(ct_moments *m, const double *start, size_t from, size_t to, ct_pole pole) {
  double complex kept[2] = {0}, summed[2] = {0};
  double size[2] = {0};
  if (!ct_moments_sum(m, start, pole, &from, &to, &kept[0], &kept[1]))
    return;
  for (size_t n = from; n < to; n++) {
    double t = (double)n / rate_hz, fall = exp(-pole.decay * t);
    double complex term = start[n] * (fall * cos(pole.omega * t) + CT_I * (fall * sin(pole.omega * t)));
    summed[0] += term;
    summed[1] += (double)n * term;
    size[0] += fabs(start[n]) * fall;
    size[1] += (double)n * fabs(start[n]) * fall;
  }
  double allowed = series + rounding * pole.omega * (double)to / rate_hz;
  for (int k = 0; k < 2; k++)
    assert_true(cabs(kept[k] - summed[k]) < allowed * size[k]);
}

/* Poles from 0 to half the rate, that hardly fall or fall too fast, from anywhere to anywhere. */
static void sums_are_the_same(void **state) {
  (void)state;
  double *x = draw_noise();
  ct_moments *m = ct_moments_make(x, LENGTH, rate_hz);
  uint64_t random = 2;
  assert_non_null(m);
  for (int run = 0; run < 200; run++) {
    ct_pole pole = {M_PI * rate_hz * strike_random(&random), 0.1 * pow(4000, strike_random(&random))};
    size_t skip = (size_t)(0.5 * LENGTH * strike_random(&random));
    size_t to = (size_t)((LENGTH - (double)skip) * strike_random(&random));
    compare(m, x + skip, to / 3, to, pole);
  }
  ct_moments_free(m);
  free(x);
}

/* A hundred steps of a mode and of its neighbour read every sample once, from wherever they start. */
static void samples_are_read_once(void **state) {
  (void)state;
  double *x = draw_noise();
  ct_moments *m = ct_moments_make(x, LENGTH, rate_hz);
  double band_hz = rate_hz / CT_MOMENT_BLOCK, middle = 2 * M_PI * 10 * band_hz;
  assert_non_null(m);
  for (int step = 0; step < 100; step++)
    for (int neighbour = -1; neighbour < 2; neighbour += 2) {
      size_t from = 0, to = LENGTH - (size_t)step;
      double complex x0 = 0, x1 = 0;
      ct_pole pole = {middle + neighbour * (2 * M_PI * 0.4 * band_hz + 0.1 * step), 3 + 0.01 * step};
      assert_true(ct_moments_sum(m, x + step, pole, &from, &to, &x0, &x1));
    }
  assert_int_equal(ct_moments_reads(m), LENGTH / CT_MOMENT_BLOCK * CT_MOMENT_BLOCK);
  ct_moments_free(m);
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_the_same),
                                     cmocka_unit_test(samples_are_read_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
