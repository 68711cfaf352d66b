/* Loudness after ITU-R BS.1770-4: K-weighting, mean square per channel, gated blocks. True peak is in
 * truepeak.c. */
#include "contatto/measure.h"

#include <math.h>
#include <stdlib.h>

#include "measure/signal.h"
#include "measure/truepeak.h"

typedef struct {
  double b0, b1, b2, a1, a2;
} biquad;

/* The standard prints coefficients for 48 kHz only; these analogue prototypes, put through the bilinear
 * transform, give those back and the same response at any other rate. */
static biquad shelf_for(double rate_hz) {
  const double k = tan(0.5 * CT_TWO_PI * 1681.974450955533 / rate_hz), q = 0.7071752369554196;
  const double high = pow(10.0, 3.999843853973347 / 20.0), band = pow(high, 0.4996667741545416);
  const double a0 = 1.0 + k / q + k * k;
  return (biquad){(high + band * k / q + k * k) / a0, 2.0 * (k * k - high) / a0,
                  (high - band * k / q + k * k) / a0, 2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0};
}

static biquad highpass_for(double rate_hz) {
  const double k = tan(0.5 * CT_TWO_PI * 38.13547087602444 / rate_hz), q = 0.5003270373238773;
  const double a0 = 1.0 + k / q + k * k;
  return (biquad){1.0, -2.0, 1.0, 2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0};
}

/* Transposed direct form II. */
static double biquad_step(const biquad *f, double state[2], double x) {
  const double y = f->b0 * x + state[0];
  state[0] = f->b1 * x - f->a1 * y + state[1];
  state[1] = f->b2 * x - f->a2 * y;
  return y;
}

/* Surround channels count 1.41, the LFE not at all. */
static double channel_weight(size_t channel, size_t channels) {
  if (channels == 6 && channel == 3)
    return 0.0;
  const size_t first_surround = channels == 4 ? 2 : channels == 5 ? 3 : channels == 6 ? 4 : channels;
  return channel >= first_surround ? 1.41 : 1.0;
}

/* cumulated[n] = weighted energy of frames 0 .. n - 1, so that any block's mean square is one difference. */
static double *cumulate_energy(const double *interleaved, size_t frames, size_t channels, double rate_hz) {
  double *cumulated = calloc(frames + 1, sizeof *cumulated);
  if (!cumulated)
    return NULL;
  const biquad shelf = shelf_for(rate_hz), highpass = highpass_for(rate_hz);
  for (size_t c = 0; c < channels; c++) {
    const double weight = channel_weight(c, channels);
    double shelf_state[2] = {0.0, 0.0}, highpass_state[2] = {0.0, 0.0};
    for (size_t n = 0; n < frames; n++) {
      const double x = interleaved[n * channels + c];
      const double shelved = biquad_step(&shelf, shelf_state, isfinite(x) ? x : 0.0);
      const double y = biquad_step(&highpass, highpass_state, shelved);
      cumulated[n + 1] += weight * y * y;
    }
  }
  for (size_t n = 0; n < frames; n++)
    cumulated[n + 1] += cumulated[n];
  return cumulated;
}

static double lufs(double mean_square) { return -0.691 + ct_signal_power_db(mean_square); }

/* Mean square of the block of `length` frames that starts at `start` seconds; negative when it does not fit.
 */
static double block_power(const double *cumulated, size_t frames, double rate_hz, double start_s,
                          size_t length) {
  const double start = floor(start_s * rate_hz + 0.5);
  if (length == 0 || start + (double)length > (double)frames)
    return -1.0;
  const size_t first = (size_t)start;
  return fmax(cumulated[first + length] - cumulated[first], 0.0) / (double)length;
}

/* Blocks of 0.4 s every 0.1 s: mean over those louder than gate_lufs. */
static double gated_power(const double *cumulated, size_t frames, double rate_hz, double gate_lufs) {
  const size_t length = (size_t)(0.4 * rate_hz + 0.5);
  double sum = 0.0;
  size_t passed = 0;
  for (size_t block = 0;; block++) {
    const double power = block_power(cumulated, frames, rate_hz, 0.1 * (double)block, length);
    if (power < 0.0)
      return passed ? sum / (double)passed : 0.0;
    if (lufs(power) > gate_lufs) {
      sum += power;
      passed++;
    }
  }
}

static double integrated(const double *cumulated, size_t frames, double rate_hz) {
  if (frames < (size_t)(0.4 * rate_hz + 0.5))
    return CT_NAN;
  const double absolute = gated_power(cumulated, frames, rate_hz, -70.0);
  if (absolute <= 0.0)
    return -CT_INFINITY;
  return lufs(gated_power(cumulated, frames, rate_hz, fmax(lufs(absolute) - 10.0, -70.0)));
}

/* Loudest window of window_s, looked for every 10 ms. */
static double sliding_max(const double *cumulated, size_t frames, double rate_hz, double window_s) {
  const size_t length = (size_t)(window_s * rate_hz + 0.5);
  double best = -1.0;
  for (size_t step = 0;; step++) {
    const double power = block_power(cumulated, frames, rate_hz, 0.01 * (double)step, length);
    if (power < 0.0)
      return best < 0.0 ? CT_NAN : lufs(best);
    best = fmax(best, power);
  }
}

ct_measured_loudness ct_measure_loudness(const double *interleaved, size_t frames, size_t channels,
                                         double rate_hz) {
  ct_measured_loudness result = {CT_NAN, CT_NAN, CT_NAN, CT_NAN};
  if (!ct_signal_valid(interleaved, frames, rate_hz) || channels == 0 || rate_hz < 4000.0)
    return result;
  double *cumulated = cumulate_energy(interleaved, frames, channels, rate_hz);
  if (!cumulated)
    return result;
  result.integrated_lufs = integrated(cumulated, frames, rate_hz);
  result.momentary_max_lufs = sliding_max(cumulated, frames, rate_hz, 0.4);
  result.short_term_max_lufs = sliding_max(cumulated, frames, rate_hz, 3.0);
  result.true_peak_db = ct_true_peak_db(interleaved, frames, channels, rate_hz);
  free(cumulated);
  return result;
}
