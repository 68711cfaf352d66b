/* ctest: slow
 * The harmonic sum in closed form against the plain sum, in every instruction set; its spectrum at rest and
 * in a glide; and that its work does not depend on how many harmonics there are. */
#include "measure/fft.h"
#include "source/harmonics.h"
#include "support/action_lab.h"
#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { B = CT_HARMONIC_BLOCK };

static double weight(const ct_harmonics *h, double hz) {
  return fmin(fmax((h->none_hz - hz) / (h->none_hz - h->full_hz), 0), 1);
}

static double plain_sum(const ct_harmonics *h, double hz, double turns) {
  double sum = 0;
  for (int k = 1; k * hz < h->none_hz; k++)
    sum += weight(h, k * hz) * pow(k, -h->exponent) * sin(2 * M_PI * fmod(k * turns, 1));
  return sum;
}

/* Relative error of k^-a by the trapezoidal rule: 2 |Gamma(a + i y)|/Gamma(a), y = 2 pi/ln 2. |Gamma(a + i
 * y)| follows from |Gamma(1 + i y)|^2 = pi y/sinh(pi y), |Gamma(1/2 + i y)|^2 = pi/cosh(pi y) and the
 * recurrence.
 */
static double law_error(double a) {
  const double y = 2 * M_PI / M_LN2;
  double half = fmod(a, 1) == 0 ? 1 : 0.5,
         squared = half == 1 ? M_PI * y / sinh(M_PI * y) : M_PI / cosh(M_PI * y);
  for (double b = half; b < a; b++)
    squared *= b * b + y * y;
  for (double b = half; b > a; b--)
    squared /= (b - 1) * (b - 1) + y * y;
  return a > 0 ? 2 * sqrt(squared) / tgamma(a) : 0;
}

/* Errors of single harmonics may add up: each is at most law_error k^-a. Ends of the fade and the two lumped
 * terms add 1e-5. */
static void compare(ct_harmonics *h, double hz, double *worst) {
  double turns[B], y[B], bound = 0;
  ct_harmonics_set_hz(h, hz, hz);
  for (int k = 1; k * hz < h->none_hz; k++)
    bound += pow(k, -h->exponent) * (law_error(h->exponent) + 1e-5);
  for (int i = 0; i < 4 * B; i++) {
    turns[i % B] = i < 3 * B ? (i - 1.5 * B) / (3.01 * B) : pow(10, -(i - 3 * B) - 1);
    if (i % B < B - 1)
      continue;
    ct_harmonics_block(h, turns, y);
    for (int j = 0; j < B; j++)
      *worst = fmax(*worst, fabs(y[j] - plain_sum(h, hz, turns[j])) / bound);
  }
}

static void closed_form_is_the_sum(void **state) {
  (void)state;
  const double exponents[] = {0, 0.5, 1, 1.5, 2, 3, 4}, pitches[] = {1, 7.3, 50, 440, 3000, 9999};
  for (uint32_t set = 0; ct_harmonics_kernel_at(set); set++)
    for (size_t a = 0; a < sizeof exponents / sizeof exponents[0]; a++) {
      ct_harmonics h;
      double worst = 0;
      ct_harmonics_init(&h, 48000, exponents[a]);
      h.kernel = ct_harmonics_kernel_at(set);
      for (size_t p = 0; p < sizeof pitches / sizeof pitches[0]; p++)
        compare(&h, pitches[p], &worst);
      if (worst > 1)
        fail_msg("set %u, exponent %g: %g of the bound", set, exponents[a], worst);
    }
}

/* ---- spectra ---- */

typedef struct tone {
  double rate_hz, hz, octaves_per_s, exponent;
  size_t count;
} tone;

/* As the action source plays it: a phase integrated exactly, the pitch told once a block. */
static double *play(const tone *t) {
  double *y = malloc(t->count * sizeof *y), c = t->octaves_per_s * M_LN2;
  ct_harmonics h;
  ct_harmonics_init(&h, t->rate_hz, t->exponent);
  for (size_t i = 0; i < t->count; i += B) {
    double turns[B];
    for (size_t j = 0; j < B; j++) {
      double s = (double)(i + j) / t->rate_hz, phase = c > 0 ? t->hz * expm1(c * s) / c : t->hz * s;
      turns[j] = phase - floor(phase + 0.5);
    }
    ct_harmonics_set_hz(&h, t->hz * exp(c * (double)i / t->rate_hz),
                        t->hz * exp(c * (double)(i + B) / t->rate_hz));
    ct_harmonics_block(&h, turns, y + i);
  }
  return y;
}

static void partials_are_multiples(void **state) {
  (void)state;
  const double pitches[] = {50, 187.3, 991.7};
  for (size_t p = 0; p < 3; p++) {
    tone t = {48000, pitches[p], 0, 1, 96000};
    double *y = play(&t);
    for (int n = 1; n <= 20; n++) {
      double hz = n * t.hz;
      ct_measured_peak peak =
          ct_measure_strongest_partial(y, t.count, t.rate_hz, hz - t.hz / 3, hz + t.hz / 3);
      assert_true(fabs(peak.hz / hz - 1) < 1e-4);
      assert_true(fabs(peak.level_db + 20 * log10(n)) < 0.05);
    }
    free(y);
  }
}

/* Every peak down to -90 dB is a harmonic, none is above the fade, from ticks to the highest pitch. */
static void nothing_else_at_rest(void **state) {
  (void)state;
  const double pitches[] = {1, 13, 50, 1234.5, 7777.7, 10000}, rates[] = {44100, 48000};
  for (size_t r = 0; r < 2; r++)
    for (size_t p = 0; p < sizeof pitches / sizeof pitches[0]; p++) {
      tone t = {rates[r], pitches[p], 0, 1, (size_t)rates[r] * (pitches[p] < 20 ? 12 : 2) / B * B};
      double *y = play(&t);
      ct_measured_peak *peaks = malloc(40000 * sizeof *peaks);
      size_t count = ct_measure_peaks(y, t.count, t.rate_hz, -90, peaks, 40000);
      assert_true(count >= 1 && count < 40000);
      for (size_t i = 0; i < count; i++) {
        assert_true(fabs(peaks[i].hz - t.hz * round(peaks[i].hz / t.hz)) < 0.1);
        assert_true(peaks[i].hz < fmin(23000, 0.49 * t.rate_hz) + 1);
      }
      free(peaks);
      free(y);
    }
}

/* In a glide a partial at f sweeps over f c T in a window of T; with the window's own width (4 bins to each
 * side) all partials leave most of the spectrum free while f0 is high. Nothing may be there. */
static double loudest_between(const double *y, size_t n, double rate_hz, double hz, double octaves_per_s) {
  double complex *x = malloc(n * sizeof *x), *twiddles = ct_fft_make_twiddles(n);
  double most = 0, strongest = 0, bin = rate_hz / (double)n;
  for (size_t i = 0; i < n; i++) { /* Blackman-Harris: side lobes 92 dB down */
    double a = 2 * M_PI * (double)i / (double)n;
    x[i] = y[i] * (0.35875 - 0.48829 * cos(a) + 0.14128 * cos(2 * a) - 0.01168 * cos(3 * a));
  }
  ct_fft_forward(x, n, twiddles);
  for (size_t k = 0; k < n / 2; k++) {
    double f = (double)k * bin, near = hz * fmax(round(f / hz), 1);
    double clear = 5 * bin + near * octaves_per_s * M_LN2 * (double)n / rate_hz / 2;
    strongest = fmax(strongest, cabs(x[k]));
    if (fabs(f - near) > clear)
      most = fmax(most, cabs(x[k]));
  }
  free(x);
  free(twiddles);
  return 20 * log10(most / strongest);
}

static void nothing_between_in_a_glide(void **state) {
  (void)state;
  const double exponents[] = {0.5, 1, 2};
  for (size_t e = 0; e < 3; e++) {
    tone t = {48000, 2500, 2, exponents[e], 48000};
    double *y = play(&t);
    for (size_t at = 0; at + 512 <= t.count; at += 512) {
      double hz = t.hz * exp2(2 * ((double)at + 256) / t.rate_hz);
      double db = loudest_between(y + at, 512, t.rate_hz, hz, 2);
      if (db > -80)
        fail_msg("exponent %g: %.1f dB off the partials at %g Hz", t.exponent, db, hz);
    }
    free(y);
  }
}

/* The source itself, its pitch led by a gesture: Phi ~ speed, which glides. */
static double *play_source(double hz, double octaves_per_s, size_t count, double rate_hz) {
  double *y = malloc(count * sizeof *y);
  action_lab lab;
  action_lab_prepare(&lab, CT_CREAKY_DOOR);
  lab.def.wander = 0;
  lab.def.onset_m_s = 1e-6; /* as loud at any speed */
  lab.regions[0].hz = hz;
  lab.regions[0].x_power = 1;
  lab.def.speed_m_s = 0.1;
  action_lab_make(&lab, rate_hz);
  for (size_t i = 0; i < count; i += B) {
    lab.action.signal[CT_SPEED] = 0.1 * exp2(octaves_per_s * (double)(i + B) / rate_hz);
    ct_action_block(&lab.action, y + i);
  }
  action_lab_free(&lab);
  return y;
}

static void a_gesture_glides_cleanly(void **state) {
  (void)state;
  enum { COUNT = 46080 };
  double *y = play_source(2500, 2, COUNT, 48000), worst = -INFINITY;
  for (size_t at = 4608; at + 512 <= COUNT; at += 512)
    worst = fmax(worst, loudest_between(y + at, 512, 48000, 2500 * exp2(2 * ((double)at + 256) / 48000), 2));
  printf("the source in a glide of two octaves a second: %.1f dB off the partials\n", worst);
  assert_true(worst < -80);
  free(y);
}

/* Where not even the fundamental is below the fade there is silence, not its mirror image. */
static void nothing_is_mirrored(void **state) {
  (void)state;
  const double rates[] = {8000, 16000};
  for (int i = 0; i < 2; i++) {
    tone t = {rates[i], 10000, 0, 1, 8000};
    double *y = play(&t), most = 0;
    for (size_t n = 0; n < t.count; n++)
      most = fmax(most, fabs(y[n]));
    assert_true(most < 1e-4);
    free(y);
  }
}

/* The same for pitches whose partials lie too close for that: what is left when every partial, a sweep of
 * known phase that fades below Nyquist, is taken away. */
static void a_glide_is_its_partials(void **state) {
  (void)state;
  const double starts[] = {40, 200, 1000};
  for (size_t p = 0; p < 3; p++) {
    tone t = {48000, starts[p], 2, 1, 4800 / B * B};
    double *y = play(&t), rest = 0;
    ct_harmonics h;
    ct_harmonics_init(&h, t.rate_hz, t.exponent);
    for (size_t i = 0; i < t.count; i += 7) {
      double s = (double)i / t.rate_hz, c = 2 * M_LN2, phase = t.hz * expm1(c * s) / c;
      rest = fmax(rest, fabs(y[i] - plain_sum(&h, t.hz * exp(c * s), phase - floor(phase))));
    }
    assert_true(rest < 3e-5); /* the fundamental has amplitude 1; the law itself errs by 1.2e-5 */
    free(y);
  }
}

static void work_does_not_grow(void **state) {
  (void)state;
  ct_harmonics h;
  ct_harmonics_init(&h, 48000, 1);
  for (double hz = 1; hz <= 10000; hz *= 1.3) {
    ct_harmonics_set_hz(&h, hz, hz);
    assert_true(h.count <= 22 && h.reach <= 8);
    assert_true(h.order[0] >= 20000 / hz); /* all of them up to 20 kHz */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_form_is_the_sum),   cmocka_unit_test(partials_are_multiples),
      cmocka_unit_test(nothing_else_at_rest),     cmocka_unit_test(nothing_between_in_a_glide),
      cmocka_unit_test(a_gesture_glides_cleanly), cmocka_unit_test(nothing_is_mirrored),
      cmocka_unit_test(a_glide_is_its_partials),  cmocka_unit_test(work_does_not_grow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
