/* Roughness and harmonicity: how the partials of a sound sit against each other. */
#include "contatto/measure.h"

#include <math.h>
#include <stdlib.h>

#include "measure/fft.h"
#include "measure/windows.h"

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

/* Mean of noise bins from their median: powers of noise are distributed exponentially, whose median is ln 2
 * of the mean. A partial that sits among them does not count. */
static double noise_mean(double *powers, size_t count) {
  ct_signal_sort(powers, count);
  return count ? powers[count / 2] / log(2.0) : 0.0;
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
  return on - noise_mean(scratch, off_bins) * (double)(end - start - off_bins);
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
