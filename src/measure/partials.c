/* Spectral peaks: a Blackman-Harris window over the active part of the signal, at most 4 s of it,
 * zero-padded, and the maximum of the continuous spectrum found from there. A decay widens a peak
 * symmetrically, so it does not move. */
#include "contatto/measure.h"

#include <math.h>
#include <stdlib.h>

#include "measure/fft.h"
#include "measure/windows.h"

enum { zero_pad = 4 };

/* The windowed part of the signal and its zero-padded spectrum. */
typedef struct {
  const double *samples; /* the signal's own: nothing else may be asked of it meanwhile */
  double *window;
  double *magnitude;
  size_t count;
  size_t fft_count;
  double rate_hz;
  double amplitude_scale; /* from magnitude to the amplitude of a sine */
} analysis;

static void analysis_free(analysis *a) {
  free(a->window);
  free(a->magnitude);
}

/* Long enough to tell a low partial from DC, short enough not to drown a quick decay in what follows it. */
static ct_signal_span span_for(ct_windows *w, double lo_hz) {
  const double min_s = fmin(fmax(0.1, 8.0 / fmax(lo_hz, 1.0)), 0.2);
  return ct_windows_active_span(w, (size_t)(min_s * w->rate_hz), (size_t)(4.0 * w->rate_hz) + 1);
}

static bool analysis_make(analysis *a, ct_windows *w, double lo_hz) {
  *a = (analysis){.rate_hz = w->rate_hz};
  if (!ct_windows_valid(w))
    return false;
  const ct_signal_span span = span_for(w, lo_hz);
  a->samples = w->at(w, span.start, span.count);
  a->count = span.count;
  a->fft_count = zero_pad * ct_fft_size(span.count);
  a->window = ct_signal_make_window(span.count);
  if (a->window && a->samples)
    a->magnitude = ct_signal_make_magnitude(a->samples, a->window, a->count, a->fft_count);
  a->amplitude_scale = 2.0 / (0.35875 * (double)a->count);
  return a->magnitude && ct_signal_power(a->samples, a->count) > 0.0;
}

static bool is_peak(const double *m, size_t k, size_t reach, size_t last) {
  for (size_t d = 1; d <= reach; d++)
    if ((k >= d && m[k] < m[k - d]) || (k + d <= last && m[k] <= m[k + d]))
      return false;
  return m[k] > 0.0;
}

/* Vertex of the parabola through three points of the log spectrum, which for this window and padding is
 * within 1e-3 bins of the truth. */
static ct_measured_peak interpolate(const analysis *a, size_t k) {
  const double low = log(a->magnitude[k - 1] + 1e-300), mid = log(a->magnitude[k] + 1e-300);
  const double high = log(a->magnitude[k + 1] + 1e-300), bend = low - 2.0 * mid + high;
  const double shift = bend < 0.0 ? 0.5 * (low - high) / bend : 0.0;
  const double top = exp(mid - 0.25 * (low - high) * shift);
  return (ct_measured_peak){((double)k + shift) * a->rate_hz / (double)a->fft_count,
                            20.0 * log10(top * a->amplitude_scale)};
}

static ct_measured_peak refine(const analysis *a, ct_measured_peak coarse) {
  const double to_omega = CT_TWO_PI / a->rate_hz;
  const double omega = ct_signal_refine_peak(a->samples, a->window, a->count, coarse.hz * to_omega,
                                             CT_TWO_PI / (double)a->count);
  if (!isfinite(omega))
    return coarse;
  const ct_signal_line line = ct_signal_transform_at(a->samples, a->window, a->count, omega);
  return (ct_measured_peak){omega / to_omega, 20.0 * log10(cabs(line.value) * a->amplitude_scale)};
}

static size_t strongest_bin(const analysis *a, double lo_hz, double hi_hz) {
  const size_t last = a->fft_count / 2;
  const double bins_per_hz = (double)a->fft_count / a->rate_hz;
  size_t best = 0;
  for (size_t k = 1; k < last; k++) {
    const double hz = (double)k / bins_per_hz;
    if (hz >= lo_hz && hz <= hi_hz && (!best || a->magnitude[k] > a->magnitude[best]) &&
        is_peak(a->magnitude, k, 1, last))
      best = k;
  }
  return best;
}

static ct_measured_peak strongest(const analysis *a, double lo_hz, double hi_hz) {
  const size_t bin = strongest_bin(a, lo_hz, hi_hz);
  return bin ? refine(a, interpolate(a, bin)) : (ct_measured_peak){CT_NAN, CT_NAN};
}

static size_t all_peaks(const analysis *a, double floor_db, ct_measured_peak *peaks, size_t max) {
  /* A window's own bin is so many padded ones; its main lobe reaches 4 of them to each side. */
  const size_t last = a->fft_count / 2, reach = a->fft_count / a->count;
  size_t found = 0;
  for (size_t k = 1; k < last; k++) {
    if (20.0 * log10(a->magnitude[k] * a->amplitude_scale + 1e-300) < floor_db - 0.1 ||
        !is_peak(a->magnitude, k, reach, last))
      continue;
    const ct_measured_peak peak = interpolate(a, k);
    if (peak.level_db < floor_db)
      continue;
    if (found < max)
      peaks[found] = peak;
    found++;
  }
  return found;
}

ct_measured_peak ct_windows_strongest_partial(ct_windows *w, double lo_hz, double hi_hz) {
  analysis a;
  ct_measured_peak peak = {CT_NAN, CT_NAN};
  if (analysis_make(&a, w, lo_hz))
    peak = strongest(&a, lo_hz, hi_hz);
  analysis_free(&a);
  return peak;
}

static size_t peaks_of(ct_windows *w, double floor_db, ct_measured_peak *peaks, size_t max) {
  analysis a;
  const size_t found = analysis_make(&a, w, 0.0) ? all_peaks(&a, floor_db, peaks, max) : 0;
  analysis_free(&a);
  return found;
}

size_t ct_windows_strong_peaks(ct_windows *w, double depth_db, ct_measured_peak *peaks, size_t max) {
  analysis a;
  size_t found = 0;
  if (analysis_make(&a, w, 0.0)) {
    const ct_measured_peak top = strongest(&a, 0.0, 0.5 * w->rate_hz);
    if (isfinite(top.level_db))
      found = all_peaks(&a, top.level_db - depth_db, peaks, max);
  }
  analysis_free(&a);
  return found;
}

ct_measured_peak ct_measure_strongest_partial(const double *samples, size_t count, double rate_hz,
                                              double lo_hz, double hi_hz) {
  ct_memory_windows m = ct_memory_windows_copy(samples, count, rate_hz);
  const ct_measured_peak peak = ct_windows_strongest_partial(&m.windows, lo_hz, hi_hz);
  ct_memory_windows_free(&m);
  return peak;
}

size_t ct_measure_peaks(const double *samples, size_t count, double rate_hz, double floor_db,
                        ct_measured_peak *peaks, size_t max) {
  ct_memory_windows m = ct_memory_windows_copy(samples, count, rate_hz);
  const size_t found = peaks_of(&m.windows, floor_db, peaks, max);
  ct_memory_windows_free(&m);
  return found;
}

/* ---- many questions to one signal ---- */

struct ct_partials {
  ct_memory_windows copy;
  analysis kept; /* of `span` */
  ct_signal_span span;
  bool made, good;
};

ct_partials *ct_partials_make(const double *samples, size_t count, double rate_hz) {
  ct_partials *p = calloc(1, sizeof *p);
  if (p)
    p->copy = ct_memory_windows_copy(samples, count, rate_hz);
  if (p && p->copy.samples)
    return p;
  free(p);
  return NULL;
}

void ct_partials_free(ct_partials *p) {
  if (!p)
    return;
  analysis_free(&p->kept);
  ct_memory_windows_free(&p->copy);
  free(p);
}

ct_signal_part ct_partials_signal(const ct_partials *p) {
  return (ct_signal_part){p->copy.samples, p->copy.windows.count, p->copy.windows.rate_hz};
}

/* The spectrum for partials from lo_hz on, NULL without one; made anew where another span is to be looked at.
 */
static const analysis *spectrum_for(ct_partials *p, double lo_hz) {
  ct_windows *w = &p->copy.windows;
  const ct_signal_span span = ct_windows_valid(w) ? span_for(w, lo_hz) : (ct_signal_span){0};
  if (!p->made || span.start != p->span.start || span.count != p->span.count) {
    analysis_free(&p->kept);
    p->good = analysis_make(&p->kept, w, lo_hz);
    p->span = span;
    p->made = true;
  }
  return p->good ? &p->kept : NULL;
}

ct_measured_peak ct_partials_strongest(ct_partials *p, double lo_hz, double hi_hz) {
  const analysis *a = spectrum_for(p, lo_hz);
  return a ? strongest(a, lo_hz, hi_hz) : (ct_measured_peak){CT_NAN, CT_NAN};
}

size_t ct_partials_peaks(ct_partials *p, double floor_db, ct_measured_peak *peaks, size_t max) {
  const analysis *a = spectrum_for(p, 0.0);
  return a ? all_peaks(a, floor_db, peaks, max) : 0;
}
