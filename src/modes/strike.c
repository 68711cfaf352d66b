/* Strikes. In frames of 20 ms, every 5 ms, a bin of the spectrum rises when it is far over its noise and 6 dB
 * over whatever it was in the 0.1 s before; so a weak strike shows in the few bins of its modes, and beating
 * does not show at all. The sum of what rose, over the noise, is the strength of a frame; its maxima are
 * strikes. The instant is then where the samples' variance changes most likely. */
#include "modes/strike.h"
#include "base/text.h"
#include "measure/fft.h"
#include "modes/linear.h"
#include "modes/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOPS_PER_FRAME = 4, PAST = 20 };

static const double frame_s = 0.02;
static const double over_noise = 18; /* e^-18: a bin of noise alone is above that once in sixty million */
static const double longest_frame_s = 0.5;
static const double over_past = 4;         /* power */
static const double weakest = 0.01;        /* strikes 20 dB under the strongest are echoes or noise */
static const double apart_s = 0.15;        /* two strikes closer than that are one */
static const double clipped_share = 0.999; /* of the peak */

static double peak_of(const ct_recording *r) {
  double peak = 0;
  for (size_t n = 0; n < r->count; n++)
    peak = fmax(peak, fabs(r->samples[n]));
  return peak;
}

double ct_recording_least_noise(const ct_recording *r) {
  double step = peak_of(r) * 0x1p-23;
  return step * step / 12;
}

/* Runs of three or more samples that stand at the peak, which a sound above 1/16 of the rate never does by
 * itself more than once or twice. */
static uint32_t clipped_runs(const ct_recording *r, double peak) {
  uint32_t runs = 0, run = 0;
  for (size_t n = 0; n < r->count; n++) {
    run = fabs(r->samples[n]) >= clipped_share * peak ? run + 1 : 0;
    runs += run == 3;
  }
  return runs;
}

ct_result ct_recording_check(const ct_recording *r, uint32_t index, ct_error *error) {
  unsigned number = index + 1;
  if (!r->samples || !(r->rate_hz >= 4000) || !(r->rate_hz <= 1e6))
    return ct_fail(error, CT_BAD_ARGUMENT, "recording %u: wants samples, at 4 kHz to 1 MHz", number);
  double seconds = (double)r->count / r->rate_hz;
  if (seconds < CT_MODES_LEAST_S)
    return ct_fail(error, CT_BAD_VALUE, "recording %u lasts %g s; modes want at least %g s after the strike",
                   number, round(1e3 * seconds) / 1e3, CT_MODES_LEAST_S);
  for (size_t n = 0; n < r->count; n++)
    if (!isfinite(r->samples[n]))
      return ct_fail(error, CT_BAD_VALUE, "recording %u: sample %g is not a finite number", number,
                     (double)n);
  double peak = peak_of(r);
  if (peak < 1e-6)
    return ct_fail(error, CT_BAD_VALUE, "recording %u is silent", number);
  uint32_t runs = clipped_runs(r, peak);
  if (runs >= 3)
    return ct_fail(error, CT_BAD_VALUE,
                   "recording %u is clipped: it stands at its peak in %u places; record it quieter", number,
                   runs);
  return CT_OK;
}

/* ---- frames ---- */

typedef struct frames {
  size_t count, size, hop, bins;
  float *power; /* [frame * bins + bin] */
  float *noise; /* [bin] */
  double *rise; /* [frame] */
  bool quiet;   /* strikes too weak for a short frame are looked for */
} frames;

static void frames_free(frames *f) {
  free(f->power);
  free(f->noise);
  free(f->rise);
}

static bool fill_power(frames *f, const ct_recording *r) {
  double *window = malloc(f->size * sizeof *window), *x = malloc((f->size + 2) * sizeof *x);
  double complex *twiddles = ct_fft_make_twiddles(f->size);
  bool memory = window && x && twiddles;
  for (size_t k = 0; memory && k < f->size; k++)
    window[k] = 0.5 - 0.5 * cos(2 * M_PI * ((double)k + 0.5) / (double)f->size);
  for (size_t i = 0; memory && i < f->count; i++) {
    for (size_t k = 0; k < f->size; k++) {
      size_t n =
          i * f->hop + k; /* frame i ends at sample (i + 1) hop: those before the recording are silent */
      size_t before = f->size - f->hop;
      x[k] = n >= before && n - before < r->count ? window[k] * r->samples[n - before] : 0;
    }
    ct_fft_forward_real((double complex *)x, f->size, twiddles);
    for (size_t k = 0; k < f->bins; k++)
      f->power[i * f->bins + k] = (float)(x[2 * k] * x[2 * k] + x[2 * k + 1] * x[2 * k + 1]);
  }
  free(window);
  free(x);
  free(twiddles);
  return memory;
}

/* A bin's noise: its power at the quietest fifth of the frames, as if that were noise alone, averaged over
 * neighbours; never more than 80 dB under the loudest cell, so that digital silence has some. */
static bool fill_noise(frames *f) {
  double *levels = malloc(f->count * sizeof *levels);
  float *raw = malloc(f->bins * sizeof *raw), loudest = 0;
  bool memory = levels && raw;
  for (size_t k = 0; memory && k < f->bins; k++) {
    for (size_t i = 0; i < f->count; i++) {
      float power = f->power[i * f->bins + k];
      levels[i] = (double)power;
      loudest = power > loudest ? power : loudest;
    }
    raw[k] = (float)ct_select(levels, f->count, f->count / 5) / 0.2231f; /* -ln 0.8 */
  }
  for (size_t k = 0; memory && k < f->bins; k++) {
    size_t from = k > 8 ? k - 8 : 0, to = k + 9 < f->bins ? k + 9 : f->bins;
    float sum = 0;
    for (size_t j = from; j < to; j++)
      sum += raw[j];
    f->noise[k] = fmaxf(sum / (float)(to - from), 1e-8f * loudest);
  }
  free(levels);
  free(raw);
  return memory;
}

static double past_of(const frames *f, size_t i, size_t k) {
  float most = 0;
  for (size_t back = HOPS_PER_FRAME; back < HOPS_PER_FRAME + PAST && back <= i; back++)
    most = fmaxf(most, f->power[(i - back) * f->bins + k]);
  return (double)most;
}

static void fill_rise(frames *f) {
  for (size_t i = 0; i < f->count; i++)
    for (size_t k = 1; k < f->bins; k++) {
      double power = (double)f->power[i * f->bins + k], noise = (double)f->noise[k];
      if (power > over_noise * noise && power > over_past * past_of(f, i, k))
        f->rise[i] += power / noise;
    }
}

/* ---- instants ---- */

/* The sample of [from, to) at which the variance most likely changes from a lower to a higher one; `silence`
 * is the least that it can be. */
static size_t change_point(const double *x, size_t from, size_t to, double silence) {
  double total = 0, before = 0, best = -1e300;
  size_t at = from, least = 16;
  for (size_t n = from; n < to; n++)
    total += x[n] * x[n];
  for (size_t n = from; n < to; n++) {
    double left = (double)(n - from), right = (double)(to - n);
    if (n >= from + least && n + least < to) {
      double v = before / left + silence, w = (total - before) / right + silence;
      double likely = w > v ? -left * log(v) - right * log(w) : -1e300;
      if (likely > best) {
        best = likely;
        at = n;
      }
    }
    before += x[n] * x[n];
  }
  return at;
}

/* A recording that was cut after the beginning is loud from its first samples on: not 40 dB under the rest.
 */
static bool begins_at_once(const double *x, size_t count) {
  enum { FIRST = 16 };
  double first = 0, all = 0;
  for (size_t n = 0; n < count; n++) {
    first += n < FIRST ? x[n] * x[n] / FIRST : 0;
    all += x[n] * x[n] / (double)count;
  }
  return first > 1e-4 * all;
}

static size_t instant_of(const frames *f, const ct_recording *r, size_t frame) {
  /* what rose entered the frame within its last three hops or so */
  size_t end = (frame + 1) * f->hop, reach = f->size + f->hop;
  if (f->quiet) /* the variance says nothing; the frame that rose most holds the beginning */
    return end > f->size ? end - f->size : 0;
  size_t from = end > reach ? end - reach : 0, to = end + f->hop < r->count ? end + f->hop : r->count;
  if (from == 0 && begins_at_once(r->samples, to))
    return 0;
  return change_point(r->samples, from, to, ct_recording_least_noise(r));
}

static int add_strike(ct_strike s, ct_strike *strikes, int count, int most) {
  if (count == most) {
    int weak = 0;
    for (int i = 1; i < count; i++)
      weak = strikes[i].energy < strikes[weak].energy ? i : weak;
    if (strikes[weak].energy >= s.energy)
      return count;
    memmove(strikes + weak, strikes + weak + 1, (size_t)(count - 1 - weak) * sizeof *strikes);
    count--;
  }
  strikes[count] = s;
  return count + 1;
}

static int pick_strikes(const frames *f, const ct_recording *r, ct_strike *strikes, int most) {
  double strongest = 0;
  size_t reach = (size_t)(apart_s * r->rate_hz / (double)f->hop);
  int count = 0;
  for (size_t i = 0; i < f->count; i++)
    strongest = fmax(strongest, f->rise[i]);
  for (size_t i = 0; i < f->count; i++) {
    bool top = f->rise[i] > 0 && f->rise[i] >= weakest * strongest;
    for (size_t j = i > reach ? i - reach : 0; top && j <= i + reach && j < f->count; j++)
      top = f->rise[j] < f->rise[i] || (f->rise[j] == f->rise[i] && j >= i);
    if (top)
      count = add_strike((ct_strike){instant_of(f, r, i), f->rise[i]}, strikes, count, most);
  }
  return count;
}

static int find_in_frames(const ct_recording *r, double seconds, ct_strike *strikes, int most) {
  frames f = {.size = ct_fft_size((size_t)(0.7 * seconds * r->rate_hz)), .quiet = seconds > frame_s};
  f.hop = f.size / HOPS_PER_FRAME;
  f.bins = f.size / 2;
  f.count = r->count / f.hop;
  f.power = malloc((f.count * f.bins + 1) * sizeof *f.power);
  f.noise = malloc(f.bins * sizeof *f.noise);
  f.rise = calloc(f.count + 1, sizeof *f.rise);
  bool memory = f.power && f.noise && f.rise && fill_power(&f, r) && fill_noise(&f);
  int count = -1;
  if (memory) {
    fill_rise(&f);
    count = pick_strikes(&f, r, strikes, most);
  }
  frames_free(&f);
  return count;
}

/* What is too weak for a frame to stand out of the noise may do so in a longer one, if it rings on. */
int ct_strikes_find(const ct_recording *r, ct_strike *strikes, int most) {
  int count = 0;
  for (double seconds = frame_s; count == 0 && seconds < longest_frame_s; seconds *= 4)
    if (4 * seconds * r->rate_hz < (double)r->count || seconds == frame_s)
      count = find_in_frames(r, seconds, strikes, most);
  return count;
}
