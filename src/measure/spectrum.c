/* The power spectrum of a whole signal, and what is read off it: centroid, spread, rolloff, band levels.
 *
 * Invariant: every sample weighs the same. Windows start half a window before the signal and overlap by three
 * quarters, where the squares of Hann windows add up to a constant, so the powers of all bands add up to the
 * signal's power wherever in time it sits. */
#include "contatto/measure.h"

#include <math.h>
#include <stdlib.h>

#include "measure/fft.h"
#include "measure/windows.h"

/* Sample n of the window is sample n + shift - size of the signal. Silence adds nothing. */
static bool add_window(double *power, const ct_fft_frame *t, ct_windows *w, size_t shift) {
  const size_t size = t->size, first = shift > size ? shift - size : 0;
  const size_t end = shift < w->count ? shift : w->count;
  const double *samples = w->at(w, first, end - first);
  if (!samples || ct_signal_is_silent(samples, end - first))
    return samples != NULL;
  for (size_t n = 0; n < size; n++) {
    const size_t at = n + shift;
    t->x[n] = at >= size && at - size < w->count ? t->hann[n] * samples[at - size - first] : 0.0;
  }
  ct_fft_forward(t->x, size, t->twiddles);
  for (size_t k = 0; k <= size / 2; k++) {
    const double both_sides = k == 0 || k == size / 2 ? 1.0 : 2.0;
    power[k] += both_sides * ct_complex_power(t->x[k]);
  }
  return true;
}

ct_power_spectrum ct_windows_spectrum(ct_windows *w) {
  ct_power_spectrum s = {0};
  ct_fft_frame t;
  if (!ct_windows_valid(w))
    return s;
  /* About a second: 1.5 Hz of main lobe, fine enough for third octaves from 20 Hz. A short signal has no such
   * detail. */
  const size_t size = ct_fft_size(
                   (size_t)fmin(fmax(w->rate_hz, 64.0), fmin(4.0 * (double)w->count + 64.0, 1e6))),
               hop = size / 4;
  s = (ct_power_spectrum){calloc(size / 2 + 1, sizeof *s.power), size / 2 + 1, w->rate_hz / (double)size};
  bool good = ct_fft_frame_make(&t, size, size, 0.0) && s.power;
  for (size_t shift = hop; good && shift < w->count + size; shift += hop)
    good = add_window(s.power, &t, w, shift);
  /* Squared Hann windows a quarter apart add up to 1.5; Parseval gives the 1 / size. */
  for (size_t k = 0; good && k < s.bins; k++)
    s.power[k] /= 1.5 * (double)size * (double)w->count;
  if (!good) {
    free(s.power);
    s = (ct_power_spectrum){0};
  }
  ct_fft_frame_free(&t);
  return s;
}

static ct_power_spectrum spectrum_of(const double *samples, size_t count, double rate_hz) {
  ct_memory_windows m = ct_memory_windows_copy(samples, count, rate_hz);
  const ct_power_spectrum s = ct_windows_spectrum(&m.windows);
  ct_memory_windows_free(&m);
  return s;
}

/* Moments of power over the bins in range; sums[j] = sum of power f^j. */
static void moments(const ct_power_spectrum *s, double lo_hz, double hi_hz, double sums[3]) {
  sums[0] = sums[1] = sums[2] = 0.0;
  for (size_t k = 0; k < s->bins; k++) {
    const double hz = (double)k * s->bin_hz;
    if (hz < lo_hz || hz > hi_hz)
      continue;
    sums[0] += s->power[k];
    sums[1] += s->power[k] * hz;
    sums[2] += s->power[k] * hz * hz;
  }
}

static double rolloff(const ct_power_spectrum *s, double lo_hz, double hi_hz, double total) {
  double sum = 0.0;
  for (size_t k = 0; k < s->bins; k++) {
    const double hz = (double)k * s->bin_hz;
    if (hz < lo_hz || hz > hi_hz)
      continue;
    sum += s->power[k];
    if (sum >= 0.85 * total)
      return hz;
  }
  return hi_hz;
}

ct_measured_spectrum ct_power_spectrum_shape(const ct_power_spectrum *s, double lo_hz, double hi_hz) {
  double sums[3] = {0.0};
  if (s->power)
    moments(s, lo_hz, hi_hz, sums);
  if (!s->power || !(sums[0] > 0.0))
    return (ct_measured_spectrum){CT_NAN, CT_NAN, CT_NAN};
  const double centroid = sums[1] / sums[0];
  return (ct_measured_spectrum){centroid, sqrt(fmax(sums[2] / sums[0] - centroid * centroid, 0.0)),
                                rolloff(s, lo_hz, hi_hz, sums[0])};
}

ct_measured_spectrum ct_measure_spectrum(const double *samples, size_t count, double rate_hz, double lo_hz,
                                         double hi_hz) {
  ct_power_spectrum s = spectrum_of(samples, count, rate_hz);
  const ct_measured_spectrum shape = ct_power_spectrum_shape(&s, lo_hz, hi_hz);
  free(s.power);
  return shape;
}

/* Power between two frequencies; a bin stands for half a bin to each side, within 0 .. Nyquist, and is shared
 * where an edge cuts it. */
static double band_power(const ct_power_spectrum *s, double lo_hz, double hi_hz) {
  double sum = 0.0;
  for (size_t k = 0; k < s->bins; k++) {
    const double from = k ? ((double)k - 0.5) * s->bin_hz : 0.0;
    const double to = ((double)k + (k + 1 < s->bins ? 0.5 : 0.0)) * s->bin_hz;
    const double shared = fmin(to, hi_hz) - fmax(from, lo_hz);
    if (shared > 0.0)
      sum += s->power[k] * shared / (to - from);
  }
  return sum;
}

void ct_power_spectrum_bands(const ct_power_spectrum *s, const double *edges_hz, size_t bands,
                             double *level_db) {
  for (size_t b = 0; b < bands; b++)
    level_db[b] = s->power ? ct_signal_power_db(band_power(s, edges_hz[b], edges_hz[b + 1])) : CT_NAN;
}

void ct_measure_bands(const double *samples, size_t count, double rate_hz, const double *edges_hz,
                      size_t bands, double *level_db) {
  ct_power_spectrum s = spectrum_of(samples, count, rate_hz);
  ct_power_spectrum_bands(&s, edges_hz, bands, level_db);
  free(s.power);
}

/* Midbands of IEC 61260-1: 1000 Hz times G^(x / per_octave), G = 10^0.3, edges half a step away. Exact
 * midbands differ from their nominal names by up to 1.2 %: 1.3 % are allowed on either side. */
size_t ct_measure_octave_edges(int per_octave, double lo_hz, double hi_hz, double *edges_hz, size_t max) {
  if ((per_octave != 1 && per_octave != 3) || !(lo_hz > 0.0) || !(hi_hz >= lo_hz) || !isfinite(hi_hz))
    return 0;
  const double step = 0.3 / per_octave;
  const double first = ceil(log10(lo_hz / 1013.0) / step), last = floor(log10(hi_hz * 1.013 / 1000.0) / step);
  if (last < first)
    return 0;
  const size_t edges = (size_t)(last - first) + 2;
  for (size_t k = 0; k < edges && k < max; k++)
    edges_hz[k] = 1000.0 * pow(10.0, step * (first + (double)k - 0.5));
  return edges;
}
