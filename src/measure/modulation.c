/* Amplitude modulation: the envelope is the magnitude of the analytic signal, its exponential trend is
 * divided out, its strongest rate is found as a partial, and the depth read from a Fourier series at that
 * rate. */
#include "contatto/measure.h"

#include <math.h>
#include <stdlib.h>

#include "measure/fft.h"
#include "measure/windows.h"

enum { series_terms = 6, series_size = 2 * series_terms + 1 };

/* |x + i Hilbert(x)|: negative frequencies and DC are taken out. */
static double *make_envelope(const double *samples, size_t count) {
  const size_t size = ct_fft_size(count);
  double complex *x = calloc(size, sizeof *x), *twiddles = ct_fft_make_twiddles(size);
  double *envelope = malloc(count * sizeof *envelope);
  if (x && twiddles && envelope) {
    for (size_t n = 0; n < count; n++)
      x[n] = samples[n];
    ct_fft_forward(x, size, twiddles);
    x[0] = 0.0;
    for (size_t k = size / 2; k < size; k++)
      x[k] = 0.0;
    ct_fft_inverse(x, size, twiddles);
    for (size_t n = 0; n < count; n++)
      envelope[n] = 2.0 * cabs(x[n]) / (double)size;
  } else {
    free(envelope);
    envelope = NULL;
  }
  free(twiddles);
  free(x);
  return envelope;
}

/* Growth per sample of A exp(g n), from the means of the two halves of the envelope: unlike a line through
 * the logarithm it does not mind envelopes that touch zero. */
static double growth_per_sample(const double *envelope, size_t count) {
  const size_t half = count / 2;
  double first = 0.0, second = 0.0;
  for (size_t n = 0; n < half; n++) {
    first += envelope[n];
    second += envelope[n + half];
  }
  return first > 0.0 && second > 0.0 ? log(second / first) / (double)half : 0.0;
}

/* Divides the trend out and makes the mean 1; false for silence. */
static bool flatten(double *envelope, size_t count) {
  const double growth = growth_per_sample(envelope, count);
  double mean = 0.0;
  for (size_t n = 0; n < count; n++) {
    envelope[n] *= exp(-growth * (double)n);
    mean += envelope[n] / (double)count;
  }
  if (!(mean > 0.0) || !isfinite(mean))
    return false;
  for (size_t n = 0; n < count; n++)
    envelope[n] = envelope[n] / mean - 1.0;
  return true;
}

/* Least-squares Fourier series of the envelope at one rate: coefficient 0 is the mean, 2h - 1 and 2h the
 * cosine and sine of harmonic h. Exact for a periodic envelope even when the signal holds a broken number of
 * periods. */
static void fit_series(const double *envelope, size_t count, double omega, double series[series_size]) {
  double m[series_size * series_size] = {0.0}, row[series_size] = {1.0};
  for (size_t k = 0; k < series_size; k++)
    series[k] = 0.0;
  for (size_t n = 0; n < count; n++) {
    for (size_t h = 1; h <= series_terms; h++) {
      row[2 * h - 1] = cos(omega * (double)(h * n));
      row[2 * h] = sin(omega * (double)(h * n));
    }
    for (size_t i = 0; i < series_size; i++) {
      series[i] += row[i] * envelope[n];
      for (size_t j = 0; j <= i; j++)
        m[i * series_size + j] += row[i] * row[j];
    }
  }
  /* Harmonics above Nyquist fold onto others; the ridge shares the power among them instead of failing. */
  for (size_t i = 0; i < series_size; i++)
    m[i * series_size + i] += 1e-9 * (double)count;
  ct_signal_solve(m, series, series_size);
}

double ct_envelope_depth(double mean, const double *pairs, int count) {
  double low = CT_INFINITY, high = -CT_INFINITY;
  for (int p = 0; p < 256; p++) {
    double value = mean;
    for (int h = 1; h <= count; h++) {
      const double angle = CT_TWO_PI * h * p / 256.0;
      value += pairs[2 * h - 2] * cos(angle) + pairs[2 * h - 1] * sin(angle);
    }
    low = fmin(low, value);
    high = fmax(high, value);
  }
  low = fmax(low, 0.0);
  return high + low > 0.0 ? (high - low) / (high + low) : 0.0;
}

/* Means of blocks, in place, until the rate is just 64 times hi_hz: enough for the fastest modulation asked
 * for (a block mean takes 0.04 % off it). Returns the block length. */
static size_t thin_out(double *envelope, size_t count, double rate_hz, double hi_hz) {
  const double room = rate_hz / (64.0 * hi_hz);
  const size_t block = room > 1.0 ? (size_t)fmin(room, (double)count / 64.0 + 1.0) : 1;
  for (size_t i = 0; i < count / block; i++) {
    double sum = 0.0;
    for (size_t n = i * block; n < (i + 1) * block; n++)
      sum += envelope[n];
    envelope[i] = sum / (double)block;
  }
  return block;
}

ct_measured_modulation ct_envelope_modulation(double *envelope, size_t count, double rate_hz, double lo_hz,
                                              double hi_hz) {
  const ct_measured_modulation steady = {CT_NAN, 0.0};
  const size_t block = thin_out(envelope, count, rate_hz, hi_hz);
  count /= block;
  rate_hz /= (double)block;
  if (!flatten(envelope, count))
    return steady;
  const ct_measured_peak peak = ct_measure_strongest_partial(envelope, count, rate_hz, lo_hz, hi_hz);
  if (!isfinite(peak.hz) || peak.level_db < -60.0)
    return steady;
  double series[series_size];
  fit_series(envelope, count, CT_TWO_PI * peak.hz / rate_hz, series);
  const double mean = series[0] + 1.0; /* flatten() took it out */
  return (ct_measured_modulation){peak.hz, ct_envelope_depth(mean, series + 1, series_terms)};
}

ct_measured_modulation ct_measure_modulation(const double *samples, size_t count, double rate_hz,
                                             double lo_hz, double hi_hz) {
  ct_measured_modulation result = {CT_NAN, CT_NAN};
  if (!ct_signal_valid(samples, count, rate_hz) || count < 64 || !(lo_hz > 0.0) || !(hi_hz > lo_hz))
    return result;
  double *copy = ct_signal_copy(samples, count);
  if (copy && ct_signal_power(copy, count) > 0.0) {
    double *envelope = make_envelope(copy, count);
    const size_t end = count / 20; /* the analytic signal rings there, where the signal is cut off */
    if (envelope)
      result = ct_envelope_modulation(envelope + end, count - 2 * end, rate_hz, lo_hz, hi_hz);
    free(envelope);
  }
  free(copy);
  return result;
}
