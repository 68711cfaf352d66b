/* Plain level: rms, peak, mean, over all of a signal or frame by frame. */
#include "contatto/measure.h"

#include <math.h>

#include "measure/windows.h"

double ct_measure_cents(double hz, double reference_hz) {
  return hz > 0.0 && reference_hz > 0.0 ? 1200.0 * log2(hz / reference_hz) : CT_NAN;
}

/* Sums so far. */
typedef struct {
  double energy, peak, sum;
} level_sums;

static void add_samples(level_sums *l, const double *samples, size_t count) {
  for (size_t n = 0; n < count; n++) {
    const double x = isfinite(samples[n]) ? samples[n] : 0.0;
    l->energy += x * x;
    l->sum += x;
    l->peak = fmax(l->peak, fabs(x));
  }
}

static ct_measured_level level_of(const level_sums *l, size_t count) {
  return (ct_measured_level){ct_signal_power_db(l->energy / (double)count),
                             ct_signal_power_db(l->peak * l->peak), l->sum / (double)count};
}

ct_measured_level ct_windows_level(ct_windows *w) {
  level_sums sums = {0};
  const double *x;
  size_t start = 0, length;
  for (; ct_windows_valid(w) && (x = ct_windows_piece(w, start, &length)); start += length)
    add_samples(&sums, x, length * w->channels);
  return start && start == w->count ? level_of(&sums, w->count * w->channels)
                                    : (ct_measured_level){CT_NAN, CT_NAN, CT_NAN};
}

ct_measured_level ct_measure_level(const double *samples, size_t count) {
  level_sums sums = {0};
  if (!ct_signal_valid(samples, count, 1.0))
    return (ct_measured_level){CT_NAN, CT_NAN, CT_NAN};
  add_samples(&sums, samples, count);
  return level_of(&sums, count);
}

size_t ct_measure_level_track(const double *samples, size_t count, double rate_hz, double window_s,
                              double hop_s, ct_measured_level_frame *frames, size_t max) {
  if (!ct_signal_valid(samples, count, rate_hz) || !(window_s * rate_hz >= 1.0) ||
      !(hop_s * rate_hz >= 1.0) || !(window_s * rate_hz <= (double)count))
    return 0;
  const size_t window = (size_t)(window_s * rate_hz + 0.5);
  size_t found = 0;
  for (;; found++) {
    const double start = floor((double)found * hop_s * rate_hz + 0.5);
    if (start + (double)window > (double)count)
      return found;
    if (found >= max)
      continue;
    const ct_measured_level level = ct_measure_level(samples + (size_t)start, window);
    frames[found] =
        (ct_measured_level_frame){(start + 0.5 * (double)window) / rate_hz, level.rms_db, level.peak_db};
  }
}
