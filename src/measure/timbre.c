/* Roughness and harmonicity: how the partials of a sound sit against each other. */
#include "contatto/measure.h"
#include "measure/fft.h"
#include "measure/windows.h"

#include <math.h>
#include <stdlib.h>

enum { max_peaks = 200 };

/* Vassilakis (2001), "Perceptual and physical properties of amplitude fluctuation and their musical
 * significance", for one pair: X^0.1 0.5 Y^3.11 Z, with X the product of amplitudes, Y the degree of
 * fluctuation, and Z the dissonance curve of Sethares over the distance, scaled by the critical band. */
static double pair_roughness(double f1, double a1, double f2, double a2) {
  const double product = a1 * a2, fluctuation = 2.0 * fmin(a1, a2) / (a1 + a2);
  const double distance = 0.24 / (0.0207 * fmin(f1, f2) + 18.96) * fabs(f2 - f1);
  const double curve = exp(-3.5 * distance) - exp(-5.75 * distance);
  return pow(product, 0.1) * 0.5 * pow(fluctuation, 3.11) * curve;
}

/* Partials 60 dB under the strongest add nothing: Y^3.11 is below 1e-8 there. */
static double frame_roughness(const double *samples, size_t count, double rate_hz) {
  ct_measured_peak peaks[max_peaks];
  ct_memory_windows frame = ct_memory_windows_of(samples, count, 1, rate_hz);
  size_t found = ct_windows_strong_peaks(&frame.windows, 60.0, peaks, max_peaks);
  found = found < max_peaks ? found : max_peaks;
  double sum = 0.0;
  for (size_t i = 0; i < found; i++)
    for (size_t j = i + 1; j < found; j++)
      sum += pair_roughness(peaks[i].hz, pow(10.0, peaks[i].level_db / 20.0), peaks[j].hz,
                            pow(10.0, peaks[j].level_db / 20.0));
  return sum;
}

double ct_windows_roughness(ct_windows *w) {
  if (!ct_windows_valid(w))
    return CT_NAN;
  size_t frame = (size_t)(0.5 * w->rate_hz);
  if (frame < 64 || frame > w->count)
    frame = w->count;
  double sum = 0.0, weights = 0.0;
  for (size_t start = 0; start + frame <= w->count; start += frame / 2 + 1) {
    const double *x = w->at(w, start, frame);
    if (!x)
      return CT_NAN;
    const double power = ct_signal_power(x, frame);
    sum += power * (power > 0.0 ? frame_roughness(x, frame, w->rate_hz) : 0.0);
    weights += power;
  }
  return weights > 0.0 ? sum / weights : 0.0;
}

double ct_measure_roughness(const double *samples, size_t count, double rate_hz) {
  ct_memory_windows m = ct_memory_windows_copy(samples, count, rate_hz);
  const double roughness = ct_windows_roughness(&m.windows);
  ct_memory_windows_free(&m);
  return roughness;
}

/* Power of the harmonic in bins [start, end), which lie nearest to it: what is within `reach` of it, less the
 * floor seen in the rest of those bins. Scratch holds end - start values. */
static double harmonic_power(const double *power, size_t start, size_t end, double at_bin, double reach,
                             double *scratch) {
  double on = 0.0;
  size_t off_bins = 0;
  for (size_t k = start; k < end; k++) {
    if (fabs((double)k - at_bin) <= reach)
      on += power[k];
    else
      scratch[off_bins++] = power[k];
  }
  /* Mean of noise bins from their median: powers of noise are distributed exponentially, whose median is ln 2
   * of the mean. A partial that sits among them does not count. */
  ct_signal_sort(scratch, off_bins);
  return on - (off_bins ? scratch[off_bins / 2] / log(2.0) : 0.0) * (double)(end - start - off_bins);
}

static ct_measured_harmonicity harmonicity_from(const double *power, size_t bins, double f0_bins,
                                                double reach) {
  double harmonic = 0.0, total = 0.0;
  double *scratch = malloc(bins * sizeof *scratch);
  for (size_t k = 1; k < bins; k++)
    total += power[k];
  for (double h = 1.0; scratch && (h + 0.5) * f0_bins < (double)bins; h += 1.0)
    harmonic += harmonic_power(power, (size_t)ceil((h - 0.5) * f0_bins), (size_t)ceil((h + 0.5) * f0_bins),
                               h * f0_bins, reach, scratch);
  const bool known = scratch && total > 0.0;
  free(scratch);
  if (!known)
    return (ct_measured_harmonicity){CT_NAN, CT_NAN};
  harmonic = fmin(fmax(harmonic, 0.0), total);
  return (ct_measured_harmonicity){harmonic / total, ct_signal_power_db(harmonic) -
                                                         ct_signal_power_db(fmax(total - harmonic, 1e-300))};
}

ct_measured_harmonicity ct_windows_harmonicity(ct_windows *w, double f0_hz) {
  ct_measured_harmonicity result = {CT_NAN, CT_NAN};
  const double rate_hz = w->rate_hz;
  if (!ct_windows_valid(w) || !(f0_hz > 0.0) || !(f0_hz < 0.5 * rate_hz))
    return result;
  const ct_signal_span span = ct_windows_active_span(w, (size_t)(0.2 * rate_hz), (size_t)(2.0 * rate_hz) + 1);
  const double *part = w->at(w, span.start, span.count);
  double *window = ct_signal_make_window(span.count), *magnitude = NULL;
  const size_t fft_count = ct_fft_size(span.count);
  const double period_bins = f0_hz * (double)fft_count / rate_hz,
               lobe = 4.0 * (double)fft_count / (double)span.count;
  /* A twentieth of the spacing leaves room for the skirts of decaying partials. With fewer periods the lobes
   * of neighbouring harmonics would fill the spectrum. */
  if (part && window && period_bins > 3.0 * lobe)
    magnitude = ct_signal_make_magnitude(part, window, span.count, fft_count);
  if (magnitude) {
    for (size_t k = 0; k <= fft_count / 2; k++)
      magnitude[k] *= magnitude[k];
    result = harmonicity_from(magnitude, fft_count / 2 + 1, period_bins, fmax(lobe, 0.05 * period_bins));
  }
  free(magnitude);
  free(window);
  return result;
}

ct_measured_harmonicity ct_measure_harmonicity(const double *samples, size_t count, double rate_hz,
                                               double f0_hz) {
  ct_memory_windows m = ct_memory_windows_copy(samples, count, rate_hz);
  const ct_measured_harmonicity result = ct_windows_harmonicity(&m.windows, f0_hz);
  ct_memory_windows_free(&m);
  return result;
}

/* Amplitude modulation: the envelope is the magnitude of the analytic signal, its exponential trend is
 * divided out, its strongest rate is found as a partial, and the depth read from a Fourier series at that
 * rate. */

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
