/* Loudness after ITU-R BS.1770-4: K-weighting, mean square per channel, gated blocks; and the true peak. */
#include "base/grow.h"
#include "contatto/measure.h"
#include "measure/windows.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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

/* A window that is moved over the signal: it starts at the steps-th multiple of step_s, frame `first`. */
typedef struct {
  double step_s;
  size_t length, steps, first;
} sliding;

/* What is known after a number of frames. cumulated[n % room] = weighted energy of frames 0 .. n - 1, so that
 * any window's mean square is one difference; the longest window looks 3 s back. */
typedef struct {
  double rate_hz;
  double *cumulated;
  size_t room, frames;
  double (*state)[4]; /* of the two filters, per channel */
  sliding gate, momentary, short_term;
  double *gated; /* mean square of every 0.4 s, each 0.1 s */
  size_t gated_count, gated_room;
  double momentary_most, short_term_most; /* negative: none yet */
} loudness;

static double lufs(double mean_square) { return -0.691 + ct_signal_power_db(mean_square); }

static sliding sliding_of(double step_s, double window_s, double rate_hz) {
  return (sliding){.step_s = step_s, .length = (size_t)(window_s * rate_hz + 0.5)};
}

static bool loudness_make(loudness *l, size_t channels, double rate_hz) {
  *l = (loudness){.rate_hz = rate_hz, .momentary_most = -1.0, .short_term_most = -1.0};
  l->gate = sliding_of(0.1, 0.4, rate_hz);
  l->momentary = sliding_of(0.01, 0.4, rate_hz);
  l->short_term = sliding_of(0.01, 3.0, rate_hz);
  l->room = l->short_term.length + 1;
  l->cumulated = calloc(l->room, sizeof *l->cumulated);
  l->state = calloc(channels, sizeof *l->state);
  return l->cumulated && l->state;
}

/* The mean square of the window if it ends with the last frame, and on to the next; negative: it does not. */
static double window_power(const loudness *l, sliding *s) {
  if (s->first + s->length != l->frames)
    return -1.0;
  const double energy = l->cumulated[l->frames % l->room] - l->cumulated[s->first % l->room];
  s->steps++;
  s->first = (size_t)floor(s->step_s * (double)s->steps * l->rate_hz + 0.5);
  return fmax(energy, 0.0) / (double)s->length;
}

/* One more frame, of that weighted energy. */
static bool add_energy(loudness *l, double energy) {
  const double before = l->cumulated[l->frames % l->room];
  l->frames++;
  l->cumulated[l->frames % l->room] = energy + before;
  l->momentary_most = fmax(l->momentary_most, window_power(l, &l->momentary));
  l->short_term_most = fmax(l->short_term_most, window_power(l, &l->short_term));
  const double power = window_power(l, &l->gate);
  if (power < 0.0)
    return true;
  if (!ct_grow(&l->gated, &l->gated_room, l->gated_count + 1, sizeof *l->gated))
    return false;
  l->gated[l->gated_count++] = power;
  return true;
}

static double frame_energy(loudness *l, const biquad *shelf, const biquad *highpass, const double *frame,
                           size_t channels) {
  double energy = 0.0;
  for (size_t c = 0; c < channels; c++) {
    const double x = frame[c], shelved = biquad_step(shelf, l->state[c], isfinite(x) ? x : 0.0);
    const double y = biquad_step(highpass, l->state[c] + 2, shelved);
    energy += channel_weight(c, channels) * y * y;
  }
  return energy;
}

static bool loudness_add(loudness *l, ct_windows *w) {
  const biquad shelf = shelf_for(w->rate_hz), highpass = highpass_for(w->rate_hz);
  const double *x;
  size_t start = 0, length;
  for (; (x = ct_windows_piece(w, start, &length)); start += length)
    for (size_t n = 0; n < length; n++)
      if (!add_energy(l, frame_energy(l, &shelf, &highpass, x + n * w->channels, w->channels)))
        return false;
  return start == w->count;
}

/* Mean over the blocks louder than gate_lufs. */
static double gated_power(const loudness *l, double gate_lufs) {
  double sum = 0.0;
  size_t passed = 0;
  for (size_t block = 0; block < l->gated_count; block++)
    if (lufs(l->gated[block]) > gate_lufs) {
      sum += l->gated[block];
      passed++;
    }
  return passed ? sum / (double)passed : 0.0;
}

static double integrated(const loudness *l) {
  if (l->frames < l->gate.length)
    return CT_NAN;
  const double absolute = gated_power(l, -70.0);
  if (absolute <= 0.0)
    return -CT_INFINITY;
  return lufs(gated_power(l, fmax(lufs(absolute) - 10.0, -70.0)));
}

ct_measured_loudness ct_windows_loudness(ct_windows *w) {
  ct_measured_loudness result = {CT_NAN, CT_NAN, CT_NAN, CT_NAN};
  loudness l = {0};
  if (!ct_windows_valid(w) || w->rate_hz < 4000.0)
    return result;
  if (loudness_make(&l, w->channels, w->rate_hz) && loudness_add(&l, w)) {
    result.integrated_lufs = integrated(&l);
    result.momentary_max_lufs = l.momentary_most < 0.0 ? CT_NAN : lufs(l.momentary_most);
    result.short_term_max_lufs = l.short_term_most < 0.0 ? CT_NAN : lufs(l.short_term_most);
    result.true_peak_db = ct_windows_true_peak_db(w);
  }
  free(l.cumulated);
  free(l.state);
  free(l.gated);
  return result;
}

ct_measured_loudness ct_measure_loudness(const double *interleaved, size_t frames, size_t channels,
                                         double rate_hz) {
  if (!ct_signal_valid(interleaved, frames, rate_hz))
    return (ct_measured_loudness){CT_NAN, CT_NAN, CT_NAN, CT_NAN};
  ct_memory_windows m = ct_memory_windows_of(interleaved, frames, channels, rate_hz);
  return ct_windows_loudness(&m.windows);
}

/* ---- true peak ---- */

/* True peak by a polyphase windowed-sinc interpolator: 8 phases below 96 kHz, 4 from there on, so the grid is
 * at least twice as fine as the standard asks. Each phase has unity gain at DC. */

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

/* Plain level: rms, peak, mean, over all of a signal or frame by frame. */

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
