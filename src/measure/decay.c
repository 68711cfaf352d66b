/* Decay of one mode: the signal is brought to 0 Hz (complex demodulation), low-passed by a window, and a line
 * is laid through the envelope in dB.
 *
 * Invariant of the method: once the window lies wholly after the onset, the envelope of an exponential is
 * exactly an exponential, whatever the window's length. A short window is needed for fast decays in noise, a
 * long one to keep neighbours out; all lengths are tried and the one whose line fits best, for the span it
 * covers, is kept. */
#include "contatto/measure.h"

#include <math.h>
#include <stdlib.h>

#include "measure/fft.h"
#include "measure/windows.h"

enum { frames_per_window = 8, knee_steps = 48 };

/* The demodulated signal through one window, frame after frame. */
typedef struct {
  double complex *value; /* amplitude and phase, so that |value| is the sine's amplitude */
  double *level_db;
  size_t frames;
  double frame_s;
  double window_s;
} envelope;

/* A line start_db + slope * time over frames [first, end), above a floor. */
typedef struct {
  size_t first, end;
  double start_db, slope_db_s, misfit_db, floor_db, cost;
} line_fit;

static void envelope_free(envelope *e) {
  free(e->value);
  free(e->level_db);
}

/* The signal brought down so that the mode sits at 0 Hz: samples[n] e^(-i omega n). */
typedef struct {
  double *re, *im;
  size_t count;
  double rate_hz;
} baseband;

static double radians(double cycles) { return CT_TWO_PI * fmod(cycles, 1.0); }

/* One turn for every so many samples, times one of the samples within them. */
enum { BLOCK = 64 };

static bool baseband_make(baseband *b, const double *samples, size_t count, double rate_hz, double mode_hz) {
  *b = (baseband){calloc(count, sizeof *b->re), calloc(count, sizeof *b->im), count, rate_hz};
  if (!b->re || !b->im)
    return false;
  double re[BLOCK], im[BLOCK];
  for (size_t n = 0; n < BLOCK; n++) {
    re[n] = cos(radians(mode_hz / rate_hz * (double)n));
    im[n] = -sin(radians(mode_hz / rate_hz * (double)n));
  }
  for (size_t first = 0; first < count; first += BLOCK) {
    const double angle = radians(mode_hz / rate_hz * (double)first), c = cos(angle), s = -sin(angle);
    for (size_t n = 0; n < BLOCK && first + n < count; n++) {
      b->re[first + n] = samples[first + n] * (c * re[n] - s * im[n]);
      b->im[first + n] = samples[first + n] * (c * im[n] + s * re[n]);
    }
  }
  return true;
}

/* Sum of products, in strands that the processor can run side by side. */
static double dot(const double *a, const double *b, size_t count) {
  enum { SUMS = 8 };
  double sum[SUMS] = {0.0};
  size_t n = 0;
  for (; n + SUMS <= count; n += SUMS)
    for (size_t k = 0; k < SUMS; k++)
      sum[k] += a[n + k] * b[n + k];
  for (; n < count; n++)
    sum[0] += a[n] * b[n];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* Frame i is the windowed sum of the baseband from sample i * hop on. */
static bool envelope_make(envelope *e, const baseband *b, double window_s) {
  const size_t length = (size_t)(window_s * b->rate_hz), hop = length / frames_per_window;
  *e = (envelope){0};
  if (hop == 0 || length > b->count)
    return false;
  e->frames = (b->count - length) / hop + 1;
  e->frame_s = (double)hop / b->rate_hz;
  e->window_s = (double)length / b->rate_hz;
  e->value = malloc(e->frames * sizeof *e->value);
  e->level_db = malloc(e->frames * sizeof *e->level_db);
  double *window = ct_signal_make_window(length);
  const bool ready = e->value && e->level_db && window;
  const double scale = 2.0 / (0.35875 * (double)length);
  for (size_t i = 0; ready && i < e->frames; i++) {
    e->value[i] =
        scale * ct_complex(dot(b->re + i * hop, window, length), dot(b->im + i * hop, window, length));
    e->level_db[i] = 20.0 * log10(cabs(e->value[i]) + 1e-300);
  }
  free(window);
  return ready;
}

static size_t loudest_frame(const envelope *e) {
  size_t loudest = 0;
  for (size_t i = 1; i < e->frames; i++)
    if (e->level_db[i] > e->level_db[loudest])
      loudest = i;
  return loudest;
}

/* The mode is excited again where it rises 15 dB above its lowest point since; what follows is another decay.
 */
static size_t last_valid_frame(const envelope *e, size_t first) {
  size_t lowest = first;
  for (size_t i = first; i < e->frames; i++) {
    if (e->level_db[i] < e->level_db[lowest])
      lowest = i;
    if (e->level_db[i] > e->level_db[lowest] + 15.0 && i > lowest + frames_per_window / 2)
      return lowest > frames_per_window ? lowest - frames_per_window / 2 : lowest;
  }
  return e->frames;
}

/* Least squares through the levels of frames [first, end). */
static line_fit fit_line(const envelope *e, size_t first, size_t end) {
  const double n = (double)(end - first), middle = 0.5 * (n - 1.0);
  double mean = 0.0, cross = 0.0, spread = 0.0, square = 0.0;
  for (size_t i = first; i < end; i++)
    mean += e->level_db[i] / n;
  for (size_t i = first; i < end; i++) {
    const double x = (double)(i - first) - middle, y = e->level_db[i] - mean;
    cross += x * y;
    spread += x * x;
    square += y * y;
  }
  const double slope = spread > 0.0 ? cross / spread : 0.0;
  const double rest = fmax(square - slope * cross, 0.0);
  return (line_fit){.first = first,
                    .end = end,
                    .start_db = mean - slope * middle,
                    .slope_db_s = slope / e->frame_s,
                    .misfit_db = sqrt(rest / n)};
}

/* Mean power of frames [first, end) in dB: the floor under a decay that has ended. */
static double mean_power_db(const envelope *e, size_t first, size_t end) {
  double sum = 0.0;
  for (size_t i = first; i < end; i++)
    sum += ct_complex_power(e->value[i]);
  return end > first ? ct_signal_power_db(sum / (double)(end - first)) : -CT_INFINITY;
}

/* How badly "line plus floor" explains frames [fit->first, end). A misfit beyond 12 dB counts as 12: deep
 * dips of noise say nothing. */
static double model_cost(const envelope *e, const line_fit *fit, size_t end) {
  const double floor_power = pow(10.0, 0.1 * fit->floor_db);
  double sum = 0.0;
  for (size_t i = fit->first; i < end; i++) {
    const double line_db = fit->start_db + fit->slope_db_s * e->frame_s * (double)(i - fit->first);
    const double model_db = ct_signal_power_db(pow(10.0, 0.1 * line_db) + floor_power + 1e-300);
    const double off = fmin(fabs(e->level_db[i] - model_db), 12.0);
    sum += off * off;
  }
  return sum / (double)(end - fit->first);
}

/* The knee between decay and floor: tried at growing distances from the start, the best explanation wins. */
static line_fit fit_above_floor(const envelope *e, size_t first, size_t end) {
  line_fit best = fit_line(e, first, end);
  best.floor_db = -CT_INFINITY;
  best.cost = model_cost(e, &best, end);
  const double span = (double)(end - first);
  for (int step = 1; step < knee_steps; step++) {
    const size_t knee = first + (size_t)(span * pow(span / 4.0, (double)step / knee_steps - 1.0));
    if (knee < first + 4 || knee >= end)
      continue;
    line_fit fit = fit_line(e, first, knee);
    fit.floor_db = mean_power_db(e, knee + (end - knee) / 4, end);
    fit.cost = model_cost(e, &fit, end);
    if (fit.cost < best.cost)
      best = fit;
  }
  return best;
}

/* The final line: only frames 15 dB above the floor, where noise moves the level by less than a decibel and
 * on average not at all. */
static line_fit fit_clear_of_floor(const envelope *e, line_fit rough) {
  const double clear_db = rough.floor_db + 15.0;
  if (!isfinite(rough.floor_db) || rough.slope_db_s >= 0.0 || rough.start_db <= clear_db)
    return rough;
  const double frames = (clear_db - rough.start_db) / (rough.slope_db_s * e->frame_s);
  const size_t end = rough.first + (size_t)fmin(frames, (double)(rough.end - rough.first));
  if (end < rough.first + 4)
    return rough;
  line_fit fit = fit_line(e, rough.first, end);
  fit.floor_db = rough.floor_db;
  return fit;
}

/* Frequency of the frames in the fit relative to the demodulation, from the phase step per frame weighted by
 * power. */
static double frequency_offset_hz(const envelope *e, const line_fit *fit) {
  double complex sum = 0.0;
  for (size_t i = fit->first; i + 1 < fit->end; i++)
    sum += e->value[i + 1] * conj(e->value[i]);
  return carg(sum) / (CT_TWO_PI * e->frame_s);
}

/* Expected error of the slope, relative: the scatter about the line, over the span it covers, less by the
 * root of the number of independent windows. The hundredth of a dB keeps perfect fits of tiny spans from
 * winning. */
static double relative_error(const line_fit *fit, double range_db) {
  const double windows = 1.0 + (double)(fit->end - fit->first) / frames_per_window;
  return (fit->misfit_db + 0.01) / (fmax(range_db, 0.01) * sqrt(windows));
}

/* What a decaying sine of amplitude 1 gives through a window that starts with it: the window's mean weighted
 * by exp(-a u), in dB. */
static double window_gain_db(double t60_s, double window_s) {
  enum { points = 512 };
  const double keep = exp(-log(1000.0) / t60_s * window_s / points);
  double sum = 0.0, plain = 0.0;
  for (int n = points - 1; n >= 0; n--) {
    const double angle = CT_TWO_PI * ((double)n + 0.5) / points;
    const double w = 0.35875 - 0.48829 * cos(angle) + 0.14128 * cos(2.0 * angle) - 0.01168 * cos(3.0 * angle);
    sum = sum * keep + w * sqrt(keep);
    plain += w;
  }
  return 20.0 * log10(sum / plain);
}

/* When the mode's neighbourhood, seen through the shortest window, came within 10 dB of the loudest it gets
 * between from_s and to_s; dips of a beat, up to 25 ms, do not end the search backwards. A window with a
 * third of its weight after the onset reads 10 dB down: that is so when the onset lies 0.56 into it. */
static double onset_time_s(const envelope *quick, double from_s, double to_s) {
  size_t loudest = (size_t)(from_s / quick->frame_s);
  for (size_t i = loudest; i < quick->frames && (double)i * quick->frame_s < to_s; i++)
    if (quick->level_db[i] > quick->level_db[loudest])
      loudest = i;
  size_t onset = loudest;
  for (size_t i = loudest + 1; i-- > 0 && (double)(onset - i) * quick->frame_s < 0.025;)
    if (quick->level_db[i] > quick->level_db[loudest] - 10.0)
      onset = i;
  return onset == 0 ? 0.0 : ((double)onset - 0.5) * quick->frame_s + 0.56 * quick->window_s;
}

/* Amplitude at the onset: the line, followed back to it. */
static double onset_level_db(const envelope *e, const line_fit *fit, double onset_s) {
  const double back_s = e->frame_s * (double)fit->first - onset_s;
  return fit->start_db - fit->slope_db_s * back_s - window_gain_db(-60.0 / fit->slope_db_s, e->window_s);
}

/* Decay seen through one window; its relative error, or INFINITY if this window cannot tell. */
static double try_window(const baseband *b, double mode_hz, double tolerance_hz, const envelope *quick,
                         double window_s, ct_measured_decay *decay) {
  envelope e;
  double error = CT_INFINITY;
  if (envelope_make(&e, b, window_s)) {
    /* The loudest window is centred on the onset or later: half a window on, the window lies wholly after it.
     */
    const size_t loudest = loudest_frame(&e), first = loudest ? loudest + frames_per_window / 2 : 0;
    const size_t end = first < e.frames ? last_valid_frame(&e, first) : 0;
    if (end >= first + 6) {
      const line_fit fit = fit_clear_of_floor(&e, fit_above_floor(&e, first, end));
      const double offset_hz = frequency_offset_hz(&e, &fit);
      const double range_db = fabs(fit.slope_db_s) * e.frame_s * (double)(fit.end - fit.first);
      const double loudest_s = (double)loudest * e.frame_s;
      const double onset_s = onset_time_s(quick, loudest_s, loudest_s + e.window_s);
      if (fabs(offset_hz) <= tolerance_hz && fit.start_db > fit.floor_db && fit.slope_db_s < 0.0) {
        *decay = (ct_measured_decay){mode_hz + offset_hz, -60.0 / fit.slope_db_s,
                                     onset_level_db(&e, &fit, onset_s), range_db, fit.misfit_db};
        error = relative_error(&fit, range_db);
      }
    }
  }
  envelope_free(&e);
  return error;
}

/* The best of all windows, looking at hz exactly. */
static ct_measured_decay decay_at(const double *samples, size_t count, double rate_hz, double hz,
                                  double tolerance_hz) {
  ct_measured_decay best = {CT_NAN, CT_NAN, CT_NAN, CT_NAN, CT_NAN};
  const double shortest_s = fmax(0.004, fmax(2.0 / hz, 32.0 / rate_hz));
  const double longest_s = fmin(0.5 * (double)count / rate_hz, 1.5);
  double best_error = CT_INFINITY;
  baseband b;
  envelope quick = {0};
  if (baseband_make(&b, samples, count, rate_hz, hz) && envelope_make(&quick, &b, shortest_s)) {
    for (double window_s = shortest_s; window_s <= longest_s; window_s *= 1.6) {
      ct_measured_decay decay = {0};
      const double error = try_window(&b, hz, tolerance_hz, &quick, window_s, &decay);
      if (error < best_error) {
        best_error = error;
        best = decay;
      }
    }
  }
  envelope_free(&quick);
  free(b.re);
  free(b.im);
  return best;
}

/* Off the mode's frequency the window would lower its level: look again where it was found. */
static ct_measured_decay decay_of(ct_partials *p, ct_signal_part s, double mode_hz) {
  const double tolerance_hz = ct_signal_mode_reach_hz(mode_hz);
  const ct_measured_peak peak = ct_partials_strongest(p, mode_hz - tolerance_hz, mode_hz + tolerance_hz);
  const double hz = isfinite(peak.hz) ? peak.hz : mode_hz;
  const ct_measured_decay decay = decay_at(s.samples, s.count, s.rate_hz, hz, tolerance_hz);
  return fabs(decay.hz - hz) > 0.5 ? decay_at(s.samples, s.count, s.rate_hz, decay.hz, tolerance_hz) : decay;
}

ct_measured_decay ct_partials_decay(ct_partials *p, double mode_hz) {
  const ct_signal_part s = ct_partials_signal(p);
  if (mode_hz > 0.0 && mode_hz < 0.5 * s.rate_hz && ct_signal_power(s.samples, s.count) > 0.0)
    return decay_of(p, s, mode_hz);
  return (ct_measured_decay){CT_NAN, CT_NAN, CT_NAN, CT_NAN, CT_NAN};
}

void ct_measure_decays(const double *samples, size_t count, double rate_hz, const double *mode_hz,
                       size_t modes, ct_measured_decay *decays) {
  ct_partials *p = ct_partials_make(samples, count, rate_hz);
  for (size_t m = 0; m < modes; m++)
    decays[m] =
        p ? ct_partials_decay(p, mode_hz[m]) : (ct_measured_decay){CT_NAN, CT_NAN, CT_NAN, CT_NAN, CT_NAN};
  ct_partials_free(p);
}

ct_measured_decay ct_measure_decay(const double *samples, size_t count, double rate_hz, double mode_hz) {
  ct_measured_decay decay;
  ct_measure_decays(samples, count, rate_hz, &mode_hz, 1, &decay);
  return decay;
}
