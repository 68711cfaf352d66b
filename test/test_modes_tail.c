/* The likelihood of a strike in a room (src/modes/tail.h) is that of a normal distribution with the
 * covariance written out, its slopes are those of differences, and the information about parameters is how
 * far slopes scatter over many strikes. */
#include "modes/linear.h"
#include "modes/tail.h"
#include "support/strikes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MODES = 4, FIXED = 2, SAMPLES = 1500, SHORT = 200, ALL = 4 * MODES + 2 - 2 * FIXED };
static const double rate_hz = 8000, noise = 1e-6;

/* The tail drives every mode as a resonator. */
static void draw_strike(const ct_tail *t, uint64_t *random, double *x) {
  double complex at[MODES] = {0};
  double a = t->fall / rate_hz;
  for (int n = 0; n < SAMPLES; n++) {
    double push = (n == 0) + strike_normal(random) * sqrt(t->level * 2 * a * exp(-2 * a * n));
    x[n] = sqrt(noise) * strike_normal(random);
    for (uint32_t i = 0; i < MODES; i++) {
      at[i] = at[i] * cexp((-t->poles[i].decay + CT_I * t->poles[i].omega) / rate_hz) + push * t->c[i];
      x[n] += creal(at[i]);
    }
  }
}

static void set_up(ct_tail *t, const double *x) {
  static const double hz[MODES] = {310, 900, 1500, 420}, t60_s[MODES] = {1.2, 0.9, 0.2, 0.15};
  static const double gain[MODES] = {0.05, 0.08, 0.06, 0.04}, phase[MODES] = {0.3, 2, -1.4, 0.9};
  assert_true(ct_tail_init(t, x, SAMPLES, rate_hz, MODES));
  t->noise = noise;
  t->modes = MODES;
  t->fixed = FIXED;
  t->level = 0.25;
  t->fall = log(1000) / 0.4;
  for (int i = 0; i < MODES; i++) {
    t->poles[i] = (ct_pole){2 * M_PI * hz[i], log(1000) / t60_s[i]};
    t->c[i] = gain[i] * cexp(CT_I * phase[i]);
  }
}

/* Adds to a parameter. */
static void add(ct_tail *t, int k, double step) {
  int n = 2 * (int)t->modes, pole = k - n - 2;
  if (k < n)
    t->c[k / 2] += k % 2 ? CT_I * step : step;
  else if (pole < 0)
    *(k == n ? &t->level : &t->fall) *= exp(step);
  else if (pole % 2)
    t->poles[t->fixed + (uint32_t)pole / 2].decay *= exp(step);
  else
    t->poles[t->fixed + (uint32_t)pole / 2].omega += step;
}

/* -1/2 (x - m)' C^-1 (x - m) - 1/2 log det C, m the modes, C[k][l] = sum of q[j] m[k - j] m[l - j] and noise.
 */
static double written_out(const ct_tail *t) {
  double m[SHORT], off[SHORT], *c = calloc(SHORT * SHORT, sizeof *c), sum = 0, a = t->fall / rate_hz;
  assert_non_null(c);
  for (int k = 0; k < SHORT; k++) {
    m[k] = 0;
    for (uint32_t i = 0; i < t->modes; i++)
      m[k] += creal(t->c[i] * cexp((-t->poles[i].decay + CT_I * t->poles[i].omega) * (k / rate_hz)));
    off[k] = t->x[k] - m[k];
  }
  for (int k = 0; k < SHORT; k++)
    for (int l = 0; l <= k; l++)
      for (int j = 0; j <= l; j++)
        c[k * SHORT + l] += t->level * 2 * a * exp(-2 * a * j) * m[k - j] * m[l - j] + (j == k) * noise;
  ct_cholesky(SHORT, c);
  ct_cholesky_forward(SHORT, c, off);
  for (int k = 0; k < SHORT; k++)
    sum -= 0.5 * off[k] * off[k] + log(c[k * SHORT + k]);
  free(c);
  return sum;
}

/* Of one mode and more, odd and even numbers of them, with room for more; blocks of samples are not full. A
 * sum of squares is right to rounding times how far the covariance's eigenvalues are apart, some 1e6. */
static void likelihood_is_that_of_the_covariance(void **state) {
  (void)state;
  for (uint32_t modes = 1; modes <= MODES; modes++) {
    ct_tail t;
    double x[SAMPLES] = {0}, slopes[ALL + 2 * FIXED];
    uint64_t random = modes;
    set_up(&t, x);
    draw_strike(&t, &random, x);
    t.count = SHORT;
    t.modes = modes;
    t.fixed = modes / 3;
    double wanted = written_out(&t), found = ct_tail_likelihood(&t);
    assert_true(fabs(found - wanted) < 1e-9 * fabs(wanted));
    ct_tail_slopes(&t, slopes);
    for (int k = 0; k < (int)ct_tail_parameters(&t); k++) {
      double step = k < 2 * (int)modes ? 1e-6 : 1e-4;
      add(&t, k, step);
      double above = written_out(&t);
      add(&t, k, -2 * step);
      double difference = (above - written_out(&t)) / (2 * step);
      add(&t, k, step);
      if (fabs(difference - slopes[k]) > 1e-4 * (1 + fabs(slopes[k])))
        fail_msg("%u modes, parameter %d: slope %g, covariance says %g", modes, k, slopes[k], difference);
    }
    ct_tail_free(&t);
  }
}

static void slopes_are_differences(void **state) {
  (void)state;
  ct_tail t;
  double x[SAMPLES] = {0}, slopes[ALL];
  uint64_t random = 3;
  set_up(&t, x);
  draw_strike(&t, &random, x);
  add(&t, 1, 0.01); /* off the top, where slopes are not all small */
  add(&t, 2 * MODES, 0.1);
  ct_tail_likelihood(&t);
  ct_tail_slopes(&t, slopes);
  for (int k = 0; k < ALL; k++) {
    double step = k < 2 * MODES ? 1e-6 : 1e-4;
    add(&t, k, step);
    double above = ct_tail_likelihood(&t);
    add(&t, k, -2 * step);
    double below = ct_tail_likelihood(&t), found = (above - below) / (2 * step);
    add(&t, k, step);
    if (fabs(found - slopes[k]) > 1e-3 * (1 + fabs(slopes[k])))
      fail_msg("parameter %d: slope %g, differences say %g", k, slopes[k], found);
  }
  ct_tail_free(&t);
}

static void slopes_scatter_by_the_information(void **state) {
  (void)state;
  enum { STRIKES = 200 };
  ct_tail t;
  double x[SAMPLES] = {0}, slopes[ALL], information[ALL * ALL], squares[ALL] = {0};
  uint64_t random = 8;
  set_up(&t, x);
  for (int run = 0; run < STRIKES; run++) {
    draw_strike(&t, &random, x);
    ct_tail_likelihood(&t);
    ct_tail_slopes(&t, slopes);
    for (int k = 0; k < ALL; k++)
      squares[k] += slopes[k] * slopes[k] / STRIKES;
  }
  assert_true(ct_tail_information(&t, information));
  for (int k = 0; k < ALL; k++) {
    double ratio = squares[k] / information[k * ALL + k];
    print_message("parameter %2d: slopes' squares %.3f of the information\n", k, ratio);
    assert_true(ratio > 0.6 &&
                ratio < 1.6); /* of 200 drawn, and cells of the spectrum are taken as independent */
  }
  ct_tail_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(likelihood_is_that_of_the_covariance),
                                     cmocka_unit_test(slopes_are_differences),
                                     cmocka_unit_test(slopes_scatter_by_the_information)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
