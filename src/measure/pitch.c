/* The fundamental: the period comes from the normalised square difference function (McLeod and Wyvill 2005),
 * which does not mind a missing fundamental; the precise frequency then comes from the harmonics found near
 * its multiples. */
#include "contatto/measure.h"

#include <math.h>
#include <stdlib.h>

#include "measure/fft.h"
#include "measure/windows.h"

/* A shorter period wins over a longer one if its correlation comes this close to the best. */
static const double octave_margin = 0.93;
static const double min_clarity = 0.5;
enum { harmonics_used = 12, max_upsampling = 8 };

/* nsdf[j] is the similarity of the signal with itself j / lags_per_s later. */
typedef struct {
  double *nsdf;
  size_t lags;
  double lags_per_s;
} similarity;

/* Upsample the correlation until a period of hi_hz spans 16 lags, so that a parabola fits its peaks. */
static size_t upsampling_for(double rate_hz, double hi_hz) {
  size_t factor = 1;
  while (factor < max_upsampling && rate_hz * (double)factor < 16.0 * hi_hz)
    factor *= 2;
  return factor;
}

/* Autocorrelation by the power spectrum; padding that spectrum with zeros interpolates the correlation. */
static double complex *correlate(const double *samples, size_t count, size_t max_lag, size_t factor) {
  const size_t n = ct_fft_size(count + max_lag + 1), wide = n * factor;
  double complex *x = calloc(wide, sizeof *x);
  double complex *twiddles = ct_fft_make_twiddles(n), *wide_twiddles = ct_fft_make_twiddles(wide);
  if (x && twiddles && wide_twiddles) {
    for (size_t k = 0; k < count; k++)
      x[k] = samples[k];
    ct_fft_forward(x, n, twiddles);
    for (size_t k = 0; k < n; k++)
      x[k] = ct_complex_power(x[k]) / (double)n;
    for (size_t k = n / 2; k < n && factor > 1; k++) {
      x[wide - n + k] = x[k];
      x[k] = 0.0;
    }
    ct_fft_inverse(x, wide, wide_twiddles);
  } else {
    free(x);
    x = NULL;
  }
  free(twiddles);
  free(wide_twiddles);
  return x;
}

static similarity similarity_make(const double *samples, size_t count, double rate_hz, double lo_hz,
                                  double hi_hz) {
  const size_t factor = upsampling_for(rate_hz, hi_hz);
  const double reach = fmin(1.03 * rate_hz / lo_hz + 2.0, 0.75 * (double)count);
  const size_t max_lag = reach > 0.0 ? (size_t)reach : 0;
  similarity s = {NULL, max_lag * factor, rate_hz * (double)factor};
  double complex *r = correlate(samples, count, max_lag, factor);
  s.nsdf = r ? malloc((s.lags + 1) * sizeof *s.nsdf) : NULL;
  if (s.nsdf) {
    double overlap = 2.0 * ct_signal_power(samples, count) * (double)count;
    for (size_t j = 0; j <= s.lags; j++) {
      if (j && j % factor == 0) {
        const size_t lag = j / factor;
        overlap -= samples[lag - 1] * samples[lag - 1] + samples[count - lag] * samples[count - lag];
      }
      s.nsdf[j] = overlap > 0.0 ? 2.0 * creal(r[j]) / overlap : 0.0;
    }
  }
  free(r);
  return s;
}

/* Next hump above zero after *j: its top by parabola. False at the end of the lags. */
static bool next_hump(const similarity *s, size_t *j, double *lag, double *height) {
  size_t k = *j;
  while (k < s->lags && s->nsdf[k] > 0.0)
    k++;
  while (k < s->lags && s->nsdf[k] <= 0.0)
    k++;
  size_t top = k;
  for (; k < s->lags && s->nsdf[k] > 0.0; k++)
    if (s->nsdf[k] > s->nsdf[top])
      top = k;
  *j = k;
  if (top == 0 || top + 1 >= s->lags)
    return false;
  const double low = s->nsdf[top - 1], mid = s->nsdf[top], high = s->nsdf[top + 1];
  const double bend = low - 2.0 * mid + high, shift = bend < 0.0 ? 0.5 * (low - high) / bend : 0.0;
  *lag = (double)top + shift;
  *height = mid - 0.25 * (low - high) * shift;
  return true;
}

/* The first hump nearly as high as the best. A shorter period than the range allows wins as well, unless the
 * one in range explains at least half of what the short one leaves open: a tone above the range has no pitch
 * in it. */
static ct_measured_pitch find_period(const similarity *s, double lo_hz, double hi_hz) {
  double lag, height, best = 0.0, above = -CT_INFINITY;
  for (size_t j = 0; j < s->lags && next_hump(s, &j, &lag, &height);)
    best = fmax(best, height);
  for (size_t j = 0; j < s->lags && next_hump(s, &j, &lag, &height);) {
    const double hz = s->lags_per_s / lag;
    if (height < octave_margin * best || hz < lo_hz / 1.01)
      continue;
    if (hz > hi_hz * 1.01)
      above = fmax(above, height);
    else if (height > above + fmax(0.5 * (1.0 - above), 1e-3) || above < 0.0)
      return (ct_measured_pitch){hz, fmin(fmax(height, 0.0), 1.0)};
  }
  return (ct_measured_pitch){CT_NAN, fmin(fmax(best, 0.0), 1.0)};
}

/* Mean of f_k / k over the harmonics, weighted by power: of a stretched series the strong partials decide.
 * Each harmonic is looked for where the ones before it say, since an error of the period grows k-fold. */
static double refine_by_harmonics(const double *samples, const double *window, size_t count, double hz,
                                  double rate_hz) {
  const double bin = CT_TWO_PI / (double)count, coarse = CT_TWO_PI * hz / rate_hz;
  /* Harmonics 60 dB under the whole are noise; what the period says counts like one at -40 dB. */
  const double full =
      0.35875 * 0.35875 * 0.5 * (double)count * (double)count * ct_signal_power(samples, count);
  double sum = 0.0, weights = 0.0;
  for (int k = 1; k <= harmonics_used && k * coarse < 0.9 * 0.5 * CT_TWO_PI; k++) {
    const double fundamental = (sum + 1e-4 * full * coarse) / (weights + 1e-4 * full);
    const double reach = fmin(2.0 * bin + 0.01 * k * coarse, 0.25 * coarse);
    const double omega = ct_signal_refine_peak(samples, window, count, k * fundamental, reach);
    if (!isfinite(omega) || fabs(omega / (k * coarse) - 1.0) > 0.01)
      continue;
    const double amplitude = cabs(ct_signal_transform_at(samples, window, count, omega).value);
    if (amplitude * amplitude < 1e-6 * full)
      continue;
    sum += amplitude * amplitude * omega / k;
    weights += amplitude * amplitude;
  }
  return weights > 0.0 ? sum / weights * rate_hz / CT_TWO_PI : hz;
}

/* Pitch of all of a clean buffer. */
static ct_measured_pitch pitch_of(double *samples, size_t count, double rate_hz, double lo_hz, double hi_hz) {
  ct_measured_pitch pitch = {CT_NAN, 0.0};
  double mean = 0.0;
  for (size_t n = 0; n < count; n++)
    mean += samples[n] / (double)count;
  for (size_t n = 0; n < count; n++)
    samples[n] -= mean;
  if (count < 16 || ct_signal_power(samples, count) < 1e-30)
    return pitch;
  similarity s = similarity_make(samples, count, rate_hz, lo_hz, hi_hz);
  if (s.nsdf)
    pitch = find_period(&s, lo_hz, hi_hz);
  free(s.nsdf);
  if (pitch.clarity < min_clarity)
    pitch.hz = CT_NAN;
  if (pitch.clarity < 0.97 && isfinite(pitch.hz)) {
    /* Of an inharmonic sound the period that fits best on the whole lies beside the partial that dominates
     * it; the ear goes with the partial. */
    const ct_measured_peak top =
        ct_measure_strongest_partial(samples, count, rate_hz, 0.5 * pitch.hz, 0.5 * rate_hz);
    pitch.hz = fabs(top.hz / pitch.hz - 1.0) < 0.1 ? top.hz : pitch.hz;
  }
  /* The window tells harmonics apart only if it holds enough periods. */
  double *window =
      isfinite(pitch.hz) && pitch.hz * (double)count > 6.0 * rate_hz ? ct_signal_make_window(count) : NULL;
  if (window)
    pitch.hz = refine_by_harmonics(samples, window, count, pitch.hz, rate_hz);
  free(window);
  return pitch;
}

static bool range_valid(double lo_hz, double hi_hz) {
  return lo_hz > 0.0 && hi_hz > lo_hz && isfinite(hi_hz);
}

ct_measured_pitch ct_windows_pitch(ct_windows *w, double lo_hz, double hi_hz) {
  ct_measured_pitch pitch = {CT_NAN, CT_NAN};
  if (!ct_windows_valid(w) || !range_valid(lo_hz, hi_hz))
    return pitch;
  const size_t shortest = (size_t)fmin(fmax(0.2, 8.0 / lo_hz) * w->rate_hz, (double)w->count);
  const ct_signal_span span = ct_windows_active_span(w, shortest, (size_t)(2.0 * w->rate_hz) + 1);
  double *part = ct_signal_copy(w->at(w, span.start, span.count), span.count);
  if (part)
    pitch = pitch_of(part, span.count, w->rate_hz, lo_hz, hi_hz);
  free(part);
  return pitch;
}

ct_measured_pitch ct_measure_pitch(const double *samples, size_t count, double rate_hz, double lo_hz,
                                   double hi_hz) {
  ct_memory_windows m = ct_memory_windows_copy(samples, count, rate_hz);
  const ct_measured_pitch pitch = ct_windows_pitch(&m.windows, lo_hz, hi_hz);
  ct_memory_windows_free(&m);
  return pitch;
}

static ct_measured_pitch_frame track_frame(const double *samples, double *scratch, size_t start,
                                           size_t window, double rate_hz, double lo_hz, double hi_hz) {
  for (size_t n = 0; n < window; n++)
    scratch[n] = isfinite(samples[start + n]) ? samples[start + n] : 0.0;
  const double level_db = ct_signal_power_db(ct_signal_power(scratch, window));
  const ct_measured_pitch pitch = pitch_of(scratch, window, rate_hz, lo_hz, hi_hz);
  return (ct_measured_pitch_frame){((double)start + 0.5 * (double)window) / rate_hz, pitch.hz, pitch.clarity,
                                   level_db};
}

size_t ct_measure_pitch_track(const double *samples, size_t count, double rate_hz, double window_s,
                              double hop_s, double lo_hz, double hi_hz, ct_measured_pitch_frame *frames,
                              size_t max) {
  if (!ct_signal_valid(samples, count, rate_hz) || !range_valid(lo_hz, hi_hz) ||
      !(window_s * rate_hz >= 16.0) || !(hop_s * rate_hz >= 1.0) || !(window_s * rate_hz <= (double)count))
    return 0;
  const size_t window = (size_t)(window_s * rate_hz + 0.5);
  double *scratch = malloc(window * sizeof *scratch);
  size_t found = 0;
  for (; scratch; found++) {
    const double start = floor((double)found * hop_s * rate_hz + 0.5);
    if (start + (double)window > (double)count)
      break;
    if (found < max)
      frames[found] = track_frame(samples, scratch, (size_t)start, window, rate_hz, lo_hz, hi_hz);
  }
  free(scratch);
  return found;
}
