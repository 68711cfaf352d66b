/* Plain level: rms, peak, mean, over all of a signal or frame by frame. */
#include "contatto/measure.h"

#include <math.h>

#include "measure/signal.h"

double ct_measure_cents(double hz, double reference_hz) {
  return hz > 0.0 && reference_hz > 0.0 ? 1200.0 * log2(hz / reference_hz) : CT_NAN;
}

ct_measured_level ct_measure_level(const double *samples, size_t count) {
  if (!ct_signal_valid(samples, count, 1.0))
    return (ct_measured_level){CT_NAN, CT_NAN, CT_NAN};
  double energy = 0.0, peak = 0.0, sum = 0.0;
  for (size_t n = 0; n < count; n++) {
    const double x = isfinite(samples[n]) ? samples[n] : 0.0;
    energy += x * x;
    sum += x;
    peak = fmax(peak, fabs(x));
  }
  return (ct_measured_level){ct_signal_power_db(energy / (double)count), ct_signal_power_db(peak * peak),
                             sum / (double)count};
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
