/* ESPRIT in decimated sub-bands (Roy and Kailath 1989; for damped sinusoids, Badeau, Boyer and David 2002).
 *
 * The band: y[m] = 2 sum h[k] x[n_m + k] e^(-i w (n_m + k)), n_m = m D, with h a low-pass. Only samples after
 * the strike are used, so that an exponential c z^n stays one, with its own pole and another amplitude. The
 * filter passes |f| < half_hz and stops |f| > 3 half_hz: at four samples per half_hz nothing folds back onto
 * the modes looked for.
 *
 * The poles: rows of the Hankel matrix of y lie in the span of p vectors, its signal space. Without their
 * last and without their first element they differ by a p x p matrix whose eigenvalues are the poles.
 *
 * The order: p is the number that makes
 *
 *   (squares left) / (noise power) + 2 p threshold
 *
 * smallest, with squares counted as at the full rate. A mode is taken when it explains more energy than the
 * false-alarm threshold allows noise to have, the same test as everywhere (scan.c). */
#include "modes/esprit.h"
#include "modes/lanes.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Widths of a mode, decay / 2 pi Hz, from its middle to the edge of the band; and the widest and narrowest.
 */
static const double widths = 20, narrowest_hz = 3, widest_hz = 1200;

/* Low-pass: Kaiser's window for 60 dB, whose transition of 2 half_hz takes so many periods of half_hz. */
static const double filter_periods = 1.8, kaiser = 5.65;

static double bessel0(double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 40 && term > 1e-17 * sum; k++) {
    term *= (0.5 * x / k) * (0.5 * x / k);
    sum += term;
  }
  return sum;
}

/* h[taps], sum 1, cut-off at 2 half_hz. */
static void fill_filter(double *h, uint32_t taps, double cut) {
  double sum = 0;
  for (uint32_t k = 0; k < taps; k++) {
    double t = k - 0.5 * (taps - 1), u = taps > 1 ? 2 * t / (taps - 1) : 0;
    double sinc = t == 0 ? 2 * cut : sin(2 * pi * cut * t) / (pi * t);
    h[k] = sinc * bessel0(kaiser * sqrt(fmax(0, 1 - u * u)));
    sum += h[k];
  }
  for (uint32_t k = 0; k < taps; k++)
    h[k] /= sum;
}

/* Modes of the fit that lie in the band, as the filter would have passed them. */
static void put_back(ct_band *band, const double *h, uint32_t taps, double rate_hz, const ct_fit *fit,
                     uint32_t segment) {
  for (uint32_t i = 0; i < fit->count; i++) {
    double away = fit->poles[i].omega - band->omega, s = fit->poles[i].decay / rate_hz, w = away / rate_hz;
    if (fabs(away) > 2 * pi * band->half_hz)
      continue;
    double complex gain = 0;
    for (uint32_t k = 0; k < taps; k++)
      gain += h[k] * exp(-s * k) * (cos(w * k) + CT_I * sin(w * k));
    gain = ct_times(gain, fit->amplitudes[(size_t)segment * fit->room + i]);
    for (uint32_t m = 0; m < band->count; m++) {
      double n = m * band->decimation, size = exp(-s * n);
      band->y[m] += ct_times(gain, size * cos(w * n) + CT_I * (size * sin(w * n)));
    }
  }
}

/* 2 x e^(-i w n), Re and Im, in blocks. */
static void shift_down(const double *x, size_t count, double omega, double *re, double *im) {
  enum { BLOCK = 64 };
  double turn_re[BLOCK], turn_im[BLOCK];
  for (int k = 0; k < BLOCK; k++) {
    turn_re[k] = 2 * cos(omega * k);
    turn_im[k] = -2 * sin(omega * k);
  }
  for (size_t start = 0; start < count; start += BLOCK) {
    double at_re = cos(omega * (double)start), at_im = -sin(omega * (double)start);
    size_t length = count - start < BLOCK ? count - start : BLOCK;
    for (size_t k = 0; k < length; k++) {
      re[start + k] = x[start + k] * (at_re * turn_re[k] - at_im * turn_im[k]);
      im[start + k] = x[start + k] * (at_re * turn_im[k] + at_im * turn_re[k]);
    }
  }
}

static double complex filtered(const double *re, const double *im, const double *h, uint32_t taps) {
  ct_lanes re0 = {0}, re1 = {0}, im0 = {0}, im1 = {0};
  double re_rest = 0, im_rest = 0;
  uint32_t k = 0;
  for (; k + 4 <= taps; k += 4) {
    ct_lanes h0 = ct_load(h + k), h1 = ct_load(h + k + 2);
    re0 += h0 * ct_load(re + k);
    re1 += h1 * ct_load(re + k + 2);
    im0 += h0 * ct_load(im + k);
    im1 += h1 * ct_load(im + k + 2);
  }
  for (; k < taps; k++) {
    re_rest += h[k] * re[k];
    im_rest += h[k] * im[k];
  }
  return ct_sum_lanes(re0 + re1) + re_rest + CT_I * (ct_sum_lanes(im0 + im1) + im_rest);
}

double ct_band_half_hz(ct_pole around) {
  return fmin(fmax(widths * around.decay / (2 * pi), narrowest_hz), widest_hz);
}

bool ct_band_make(ct_band *band, const ct_segment *s, ct_pole around, const ct_fit *fit, uint32_t segment) {
  double half_hz = ct_band_half_hz(around);
  double seconds = (double)s->count / s->rate_hz;
  half_hz = fmax(half_hz, 2.5 * filter_periods / seconds);
  *band = (ct_band){.omega = around.omega, .half_hz = half_hz};
  band->decimation = fmax(1, floor(s->rate_hz / (4 * half_hz)));
  band->rate_hz = s->rate_hz / band->decimation;
  uint32_t taps = (uint32_t)(filter_periods * s->rate_hz / half_hz) | 1;
  if (taps >= s->count)
    return false;
  double most = floor((double)(s->count - taps) / band->decimation);
  band->count = (uint32_t)fmin(most, CT_BAND_SAMPLES);
  if (band->count < 8)
    return false;
  size_t length = (size_t)((band->count - 1) * band->decimation) + taps;
  double *h = malloc((taps + 2 * length) * sizeof *h), *re = h + taps, *im = re + length;
  if (!h)
    return false;
  fill_filter(h, taps, 2 * half_hz / s->rate_hz);
  shift_down(s->x, length, band->omega / s->rate_hz, re, im);
  for (uint32_t m = 0; m < band->count; m++) {
    size_t start = (size_t)(m * band->decimation);
    band->y[m] = filtered(re + start, im + start, h, taps);
  }
  if (fit)
    put_back(band, h, taps, s->rate_hz, fit, segment);
  free(h);
  return true;
}

/* ---- ESPRIT ---- */

/* Eigenvectors of the Hankel matrix's rows' covariance, the strongest first. */
static bool signal_space(const ct_band *band, uint32_t n, double complex *vectors) {
  uint32_t rows = band->count - n + 1;
  double complex *r = malloc((size_t)n * n * sizeof *r);
  double *values = malloc(n * sizeof *values);
  bool done = r && values;
  for (uint32_t i = 0; done && i < n; i++)
    for (uint32_t j = 0; j <= i; j++) {
      double complex sum = 0;
      for (uint32_t m = 0; m < rows; m++)
        sum += ct_times_conj(band->y[m + i], band->y[m + j]);
      r[(size_t)i * n + j] = sum;
      r[(size_t)j * n + i] = conj(sum);
    }
  done = done && ct_hermitian_eigen(n, r, values, vectors);
  free(r);
  free(values);
  return done;
}

/* Least squares of U_first Psi = U_last for the first p vectors; eigenvalues of Psi. */
static bool shift_poles(uint32_t n, uint32_t p, const double complex *vectors, double complex *z) {
  double complex left[CT_BAND_MODES * CT_BAND_MODES], right[CT_BAND_MODES * CT_BAND_MODES];
  for (uint32_t i = 0; i < p; i++)
    for (uint32_t j = 0; j < p; j++) {
      const double complex *u = vectors + (size_t)i * n, *v = vectors + (size_t)j * n;
      double complex l = 0, r = 0;
      for (uint32_t k = 0; k + 1 < n; k++) {
        l += ct_times_conj(v[k], u[k]);
        r += ct_times_conj(v[k + 1], u[k]);
      }
      left[i * p + j] = l;
      right[i * p + j] = r;
    }
  return ct_complex_solve(p, left, right, p) && ct_general_eigen(p, right, z);
}

/* Squares that are left of the band after the best amplitudes for these poles. */
static double squares_left(const ct_band *band, uint32_t p, const double complex *z) {
  double complex gram[CT_BAND_MODES * CT_BAND_MODES] = {0}, right[CT_BAND_MODES] = {0}, kept[CT_BAND_MODES];
  double complex powers[CT_BAND_MODES];
  double left = 0;
  for (uint32_t i = 0; i < p; i++)
    powers[i] = 1;
  for (uint32_t m = 0; m < band->count; m++) {
    left += ct_square(band->y[m]);
    for (uint32_t i = 0; i < p; i++) {
      right[i] += ct_times_conj(band->y[m], powers[i]);
      for (uint32_t j = 0; j < p; j++)
        gram[i * p + j] += ct_times_conj(powers[j], powers[i]);
    }
    for (uint32_t i = 0; i < p; i++)
      powers[i] = ct_times(powers[i], z[i]);
  }
  memcpy(kept, right, sizeof kept);
  if (p && !ct_complex_solve(p, gram, right, 1))
    return left;
  for (uint32_t i = 0; i < p; i++)
    left -= creal(ct_times_conj(right[i], kept[i]));
  return left;
}

uint32_t ct_band_poles(const ct_band *band, double noise_power, double threshold, ct_pole *poles) {
  uint32_t n = band->count / 2, most = n > 3 ? n - 2 : 1, best = 0;
  double complex *vectors = malloc((size_t)n * n * sizeof *vectors), z[CT_BAND_MODES], taken[CT_BAND_MODES];
  if (!vectors || !signal_space(band, n, vectors)) {
    free(vectors);
    return 0;
  }
  most = most < CT_BAND_MODES ? most : CT_BAND_MODES;
  double at_rate = 0.5 * band->decimation / noise_power, least = at_rate * squares_left(band, 0, NULL);
  for (uint32_t p = 1; p <= most; p++) {
    if (!shift_poles(n, p, vectors, z))
      continue;
    double cost = at_rate * squares_left(band, p, z) + 2 * p * threshold;
    if (cost < least) {
      least = cost;
      best = p;
      memcpy(taken, z, p * sizeof *z);
    }
  }
  free(vectors);
  for (uint32_t i = 0; i < best; i++)
    poles[i] = (ct_pole){band->omega + carg(taken[i]) * band->rate_hz, -log(cabs(taken[i])) * band->rate_hz};
  return best;
}
