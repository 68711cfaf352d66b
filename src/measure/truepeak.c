/* True peak by a polyphase windowed-sinc interpolator: 8 phases below 96 kHz, 4 from there on, so the grid is
 * at least twice as fine as the standard asks. Each phase has unity gain at DC. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "measure/windows.h"

enum { taps = 48, max_phases = 8, block = 256, lanes = 8 };

/* Modified Bessel function of order 0, by its power series. */
static double bessel_i0(double x) {
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < 60 && term > 1e-17 * sum; k++) {
    term *= 0.25 * x * x / ((double)k * (double)k);
    sum += term;
  }
  return sum;
}

/* Kaiser window, beta 7: stop band -70 dB, flat to 0.45 of the rate. */
static double kaiser_sinc(double t) {
  const double edge = 1.0 - (2.0 * t / taps) * (2.0 * t / taps), angle = 0.5 * CT_TWO_PI * t;
  const double window = edge > 0.0 ? bessel_i0(7.0 * sqrt(edge)) / bessel_i0(7.0) : 0.0;
  return window * (fabs(t) < 1e-12 ? 1.0 : sin(angle) / angle);
}

static void make_phase(double *coefficients, double offset) {
  const int middle = taps / 2 - 1;
  double sum = 0.0;
  for (int k = 0; k < taps; k++) {
    coefficients[k] = kaiser_sinc((double)(k - middle) - offset);
    sum += coefficients[k];
  }
  for (int k = 0; k < taps; k++)
    coefficients[k] /= sum;
}

/* Largest |value| at one phase over `length` frames, or up to lanes - 1 more, side by side so that the
 * compiler can use vectors; x points taps / 2 - 1 frames before the first. */
static double phase_peak(const double *x, size_t length, const double coefficients[taps]) {
  double peak = 0.0;
  for (size_t n = 0; n < length; n += lanes) {
    double sum[lanes] = {0.0};
    for (size_t k = 0; k < taps; k++)
      for (size_t j = 0; j < lanes; j++)
        sum[j] += coefficients[k] * x[n + k + j];
    for (size_t j = 0; j < lanes; j++)
      peak = fabs(sum[j]) > peak ? fabs(sum[j]) : peak;
  }
  return peak;
}

/* Sum of |coefficients| of the worst phase stays under 3, so a block whose samples are all below a third of
 * the peak so far cannot raise it. */
static bool can_raise(const double *x, size_t length, double peak) {
  for (size_t n = 0; n < length + taps; n++)
    if (fabs(x[n]) > peak / 3.0)
      return true;
  return false;
}

/* One channel of frames [start - taps / 2, start - taps / 2 + length), zeros outside of the signal. */
static void take_channel(const ct_windows *w, const double *frames, size_t first, size_t count,
                         size_t channel, size_t start, double *x, size_t length) {
  for (size_t n = 0; n < length; n++) {
    const size_t at = start + n; /* counted from taps / 2 frames before the signal */
    const bool inside = at >= taps / 2 + first && at < taps / 2 + first + count;
    const double value = inside ? frames[(at - taps / 2 - first) * w->channels + channel] : 0.0;
    x[n] = isfinite(value) ? value : 0.0;
  }
}

/* The block of output that starts at frame `start`, which may lie behind the last frame. */
static bool raise_peaks(ct_windows *w, size_t start, size_t length, double coefficients[][taps], int phases,
                        double *peaks) {
  enum { reach = block + taps + lanes };
  double x[reach];
  const size_t first = start > taps / 2 ? start - taps / 2 : 0, wanted = start + reach - taps / 2;
  const size_t end = wanted < w->count ? wanted : w->count, count = end > first ? end - first : 0;
  const double *frames = count ? w->at(w, first, count) : x;
  for (size_t c = 0; frames && c < w->channels; c++) {
    take_channel(w, frames, first, count, c, start, x, reach);
    for (int p = 0; p < phases && can_raise(x, length, peaks[c]); p++)
      peaks[c] = fmax(peaks[c], phase_peak(x, length, coefficients[p]));
  }
  return frames != NULL;
}

double ct_windows_true_peak_db(ct_windows *w) {
  const int phases = w->rate_hz < 96000.0 ? 8 : 4;
  double coefficients[max_phases][taps], peak = 0.0, *peaks = calloc(w->channels, sizeof *peaks);
  bool good = peaks != NULL;
  for (int p = 0; p < phases; p++)
    make_phase(coefficients[p], (double)p / phases);
  for (size_t start = 0; good && start < w->count + taps / 2; start += block) {
    const size_t left = w->count + taps / 2 - start, length = left < block ? left : block;
    good = raise_peaks(w, start, length, coefficients, phases, peaks);
  }
  for (size_t c = 0; good && c < w->channels; c++)
    peak = fmax(peak, peaks[c]);
  free(peaks);
  return good ? ct_signal_power_db(peak * peak) : CT_NAN;
}
