/* Helpers shared by the measures. Invariant: nothing here reads outside samples[0 .. count). */
#include "measure/signal.h"

#include <stdlib.h>

#include "measure/fft.h"

bool ct_signal_valid(const double *samples, size_t count, double rate_hz) {
  return samples && count > 0 && isfinite(rate_hz) && rate_hz > 0.0;
}

double *ct_signal_copy(const double *samples, size_t count) {
  if (!samples || count == 0)
    return NULL;
  double *copy = malloc(count * sizeof *copy);
  if (!copy)
    return NULL;
  for (size_t n = 0; n < count; n++)
    copy[n] = isfinite(samples[n]) ? samples[n] : 0.0;
  return copy;
}

double ct_signal_power_db(double power) { return power > 0.0 ? 10.0 * log10(power) : -CT_INFINITY; }

bool ct_signal_is_silent(const double *samples, size_t count) {
  for (size_t n = 0; n < count; n++)
    if (samples[n] != 0.0)
      return false;
  return true;
}

double ct_signal_power(const double *samples, size_t count) {
  double sum = 0.0;
  for (size_t n = 0; n < count; n++)
    sum += samples[n] * samples[n];
  return count ? sum / (double)count : 0.0;
}

ct_signal_span ct_signal_span_within(size_t count, size_t start, size_t end, size_t min_count,
                                     size_t max_count) {
  if (start == count)
    return (ct_signal_span){0, count < max_count ? count : max_count};
  if (end < start + min_count)
    end = start + min_count;
  if (end > count)
    end = count;
  if (end - start < min_count)
    start = end > min_count ? end - min_count : 0;
  return (ct_signal_span){start, end - start < max_count ? end - start : max_count};
}

double *ct_signal_make_window(size_t count) {
  double *window = malloc((count ? count : 1) * sizeof *window);
  if (!window)
    return NULL;
  for (size_t n = 0; n < count; n++) {
    const double angle = CT_TWO_PI * (double)n / (double)count;
    window[n] = 0.35875 - 0.48829 * cos(angle) + 0.14128 * cos(2.0 * angle) - 0.01168 * cos(3.0 * angle);
  }
  return window;
}

/* Time is counted from the middle, where the derivatives by frequency are best conditioned. The phasor is
 * rotated, and set afresh every 64 samples so that rounding does not pile up. */
ct_signal_line ct_signal_transform_at(const double *samples, const double *window, size_t count,
                                      double omega) {
  const double middle = 0.5 * (double)count, step_re = cos(omega), step_im = -sin(omega);
  double re[3] = {0.0}, im[3] = {0.0}, p_re = 1.0, p_im = 0.0;
  for (size_t n = 0; n < count; n++) {
    const double time = (double)n - middle;
    if (n % 64 == 0) {
      p_re = cos(omega * time);
      p_im = -sin(omega * time);
    }
    double weight = samples[n] * window[n];
    for (int k = 0; k < 3; k++, weight *= time) {
      re[k] += weight * p_re;
      im[k] += weight * p_im;
    }
    const double next_re = p_re * step_re - p_im * step_im;
    p_im = p_re * step_im + p_im * step_re;
    p_re = next_re;
  }
  /* d/d omega multiplies by -i time. */
  return (ct_signal_line){ct_complex(re[0], im[0]), ct_complex(im[1], -re[1]), ct_complex(-re[2], -im[2])};
}

/* Maximises |X|^2: its slope is 2 Re(conj(X) X'), its curvature 2 (|X'|^2 + Re(conj(X) X'')). Half a bin at
 * most per round, uphill where the curve is not yet bent down. */
double ct_signal_refine_peak(const double *samples, const double *window, size_t count, double omega,
                             double max_shift) {
  const double start = omega, half_bin = 0.5 * CT_TWO_PI / (double)count;
  for (int round = 0; round < 24; round++) {
    const ct_signal_line line = ct_signal_transform_at(samples, window, count, omega);
    const double slope = creal(conj(line.value) * line.slope);
    const double curvature = creal(conj(line.slope) * line.slope) + creal(conj(line.value) * line.curvature);
    const double newton = curvature < 0.0 ? -slope / curvature : copysign(CT_INFINITY, slope);
    const double shift = fmin(fmax(newton, -half_bin), half_bin);
    omega += shift;
    if (!(fabs(omega - start) <= max_shift))
      return CT_NAN;
    if (fabs(shift) < 1e-10 * omega)
      return omega;
  }
  return CT_NAN;
}

double *ct_signal_make_magnitude(const double *samples, const double *window, size_t count,
                                 size_t fft_count) {
  double complex *twiddles = ct_fft_make_twiddles(fft_count);
  double complex *bins = calloc(fft_count / 2 + 1, sizeof *bins);
  double *magnitude = malloc((fft_count / 2 + 1) * sizeof *magnitude);
  if (twiddles && bins && magnitude) {
    double *windowed = (double *)bins;
    for (size_t n = 0; n < count; n++)
      windowed[n] = samples[n] * window[n];
    ct_fft_forward_real(bins, fft_count, twiddles);
    for (size_t k = 0; k <= fft_count / 2; k++)
      magnitude[k] = cabs(bins[k]);
  } else {
    free(magnitude);
    magnitude = NULL;
  }
  free(bins);
  free(twiddles);
  return magnitude;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void ct_signal_sort(double *values, size_t count) { qsort(values, count, sizeof *values, by_size); }

void ct_signal_solve(double *m, double *v, size_t n) {
  for (size_t k = 0; k < n; k++) { /* a column, and what it takes from those behind it */
    m[k * n + k] = sqrt(fmax(m[k * n + k], 1e-300));
    for (size_t i = k + 1; i < n; i++)
      m[i * n + k] /= m[k * n + k];
    for (size_t i = k + 1; i < n; i++)
      for (size_t j = k + 1; j <= i; j++)
        m[i * n + j] -= m[i * n + k] * m[j * n + k];
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++)
      v[i] -= m[i * n + k] * v[k];
    v[i] /= m[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++)
      v[i] -= m[k * n + i] * v[k];
    v[i] /= m[i * n + i];
  }
}
