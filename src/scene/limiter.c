/* A look-ahead limiter.
 *
 * Let p[m] be the largest |x| on the quarter-sample grid from m to m + 1, by a windowed sinc of 32 taps, over
 * all channels; what sample m can stand is
 *
 *     r[m] = min(1, ceiling / max(p[m - 1], p[m]))
 *
 * since a peak between two samples belongs to both. The gain is a smooth curve under r. With the minimum over
 * a window ahead and the mean over the same window behind,
 *
 *     M[m] = min(r[m] .. r[m + W - 1]),   R[m] = min(M[m], release towards 1),   g[m] = mean(R[m - W + 1] ..
 * R[m])
 *
 * every R in the mean is at most r[m], because each window reaches m; so g[m] <= r[m], and it takes W samples
 * to get there. R is kept in whole steps of 2^-30, rounded down: the running sum of it is exact for ever, and
 * is exactly W once the limiter has let go, which makes the gain exactly 1.
 *
 * Between the points of the grid a tone of frequency f can hide cos(pi f / 4 rate), 0.47 dB at 20 kHz of
 * 48 kHz, and a gain that moves adds under 0.1 dB: hence 0.6 dB for true peaks. Above 20 kHz the taps see
 * less and less; white noise 30 dB too loud comes out 0.57 dB over (test_limiter.c).
 *
 * Looking ahead also lets it end without a click. When a host learns that what comes next is worth nothing,
 * the last L samples, L the latency, have not left yet: they leave with weights sin^2(pi k / 2 L), k = L ..
 * 1, which is a fade from exactly 1 to nothing of sound that was good. */
#include "base/sized.h"
#include <contatto/limiter.h>

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COOKIE 0x0c0411e7u
#define ONE (1u << 30)

enum { CHANNELS_MOST = 8, WINDOW_MOST = 2048, TAPS = 32, BEFORE = TAPS / 2, PHASES = 4 };
enum { LINE = 4096 }; /* delay line, a power of two above WINDOW_MOST + TAPS */

struct ct_limiter {
  uint32_t channels, window, latency;
  double ceiling, release; /* release: share of what is missing that comes back per sample */
  double taps[PHASES][TAPS];
  double harmless; /* samples up to here cannot add up to the ceiling anywhere between them */
  uint32_t loud;   /* samples until the last one that was more has left the taps */
  uint64_t at;     /* samples taken in */
  float line[CHANNELS_MOST][LINE];
  double last_peak;
  /* minimum over the window, by blocks: of this block from its start, of the last one to its end */
  double run, allowed[WINDOW_MOST], tail[WINDOW_MOST];
  double released; /* R */
  uint32_t kept[WINDOW_MOST];
  uint64_t sum; /* of kept */
  double lowest;
  uint64_t dropped;
  uint32_t fading; /* samples still to leave of those that fade out */
};

void ct_fill_limiter_def(ct_limiter_def *to, uint32_t size) {
  ct_limiter_def def = {
      .cookie = COOKIE, .size = size, .rate_hz = 48000, .channels = 2, .ceiling_db = -1, .release_s = 0.1};
  ct_give_bytes(to, size, &def, sizeof def);
}

/* ---- set-up ---- */

static ct_result check(const ct_limiter_def *d, ct_error *error) {
  if (!(d->rate_hz >= 1000 && d->rate_hz <= 1e6))
    return ct_fail(error, CT_BAD_VALUE, "limiter: rate_hz %g Hz is out of range; wants 1000 to 1e6 Hz",
                   d->rate_hz);
  if (d->channels < 1 || d->channels > CHANNELS_MOST)
    return ct_fail(error, CT_BAD_VALUE, "limiter: %u channels; wants 1 to %d", d->channels, CHANNELS_MOST);
  if (!(d->ceiling_db >= -60 && d->ceiling_db <= 0))
    return ct_fail(error, CT_BAD_VALUE, "limiter: ceiling_db %g dB is out of range; wants -60 to 0 dB",
                   d->ceiling_db);
  if (!(d->release_s >= 0.001 && d->release_s <= 10))
    return ct_fail(error, CT_BAD_VALUE, "limiter: release_s %g s is out of range; wants 0.001 to 10 s",
                   d->release_s);
  return CT_OK;
}

/* Phase j of a Hann-windowed sinc, which looks at j / PHASES of a sample after tap BEFORE - 1; unity at DC.
 */
static void make_phase(double taps[TAPS], int j) {
  double sum = 0;
  for (int k = 0; k < TAPS; k++) {
    double t = k - (BEFORE - 1) - (double)j / PHASES, angle = M_PI * t;
    double window = 0.5 + 0.5 * cos(angle / (BEFORE + 0.5));
    taps[k] = window * (fabs(t) < 1e-12 ? 1 : sin(angle) / angle);
    sum += taps[k];
  }
  for (int k = 0; k < TAPS; k++)
    taps[k] /= sum;
}

/* The most that samples of 1 can add up to. */
static double reach(const ct_limiter *l) {
  double most = 1;
  for (int j = 0; j < PHASES; j++) {
    double sum = 0;
    for (int k = 0; k < TAPS; k++)
      sum += fabs(l->taps[j][k]);
    most = fmax(most, sum);
  }
  return most;
}

static void set_up(ct_limiter *l, const ct_limiter_def *def) {
  l->channels = def->channels;
  /* The power of two nearest above a millisecond: 64 samples at 44.1 and 48 kHz, 128 at 96 kHz. */
  uint32_t window = 8;
  while (window < WINDOW_MOST && window < 0.001 * def->rate_hz)
    window *= 2;
  l->window = window;
  l->latency = BEFORE + l->window - 1;
  l->ceiling = pow(10, def->ceiling_db / 20);
  l->release = 1 - exp(-1 / (def->release_s * def->rate_hz));
  l->run = l->released = l->lowest = 1;
  l->sum = (uint64_t)l->window * ONE;
  for (uint32_t i = 0; i < l->window; i++) {
    l->allowed[i] = l->tail[i] = 1;
    l->kept[i] = ONE;
  }
  for (int j = 0; j < PHASES; j++)
    make_phase(l->taps[j], j);
  l->harmless = l->ceiling / reach(l);
}

ct_result ct_limiter_create(const ct_limiter_def *given, ct_limiter **limiter, ct_error *error) {
  ct_limiter_def def = ct_default_limiter_def();
  if (!ct_take_def(&def, given))
    return ct_fail(error, CT_BAD_ARGUMENT, "limiter: start from ct_default_limiter_def()");
  CT_TRY(check(&def, error));
  if (!limiter)
    return ct_fail(error, CT_BAD_ARGUMENT, "limiter: nowhere to put it");
  ct_limiter *l = calloc(1, sizeof *l);
  if (!l)
    return ct_fail(error, CT_NO_MEMORY, "limiter: out of memory");
  set_up(l, &def);
  *limiter = l;
  return CT_OK;
}

void ct_limiter_destroy(ct_limiter *l) { free(l); }

/* ---- one sample ---- */

static void take_in(ct_limiter *l, float *const *channels, uint32_t frame) {
  for (uint32_t c = 0; c < l->channels; c++) {
    float x = channels[c][frame];
    bool good = isfinite(x);
    l->dropped += !good;
    l->line[c][l->at % LINE] = good ? x : 0;
    if (good && (double)fabsf(x) > l->harmless)
      l->loud = TAPS + 1;
  }
}

/* p of the sample BEFORE ago: its own value, and three places on the way to the next. */
static double peak_of(const ct_limiter *l, uint32_t channel) {
  const float *line = l->line[channel];
  double sums[PHASES] = {0}, most = 0;
  for (uint32_t k = 0; k < TAPS; k++) {
    double x = (double)line[(l->at - (TAPS - 1) + k) % LINE];
    for (int j = 0; j < PHASES; j++)
      sums[j] += l->taps[j][k] * x;
  }
  for (int j = 0; j < PHASES; j++)
    most = fmax(most, fabs(sums[j]));
  return fmax(most, (double)fabsf(line[(l->at - BEFORE) % LINE]));
}

static double allow(ct_limiter *l) {
  double peak = 0;
  for (uint32_t c = 0; c < l->channels && l->loud; c++)
    peak = fmax(peak, peak_of(l, c));
  l->loud -= l->loud > 0;
  double most = fmax(peak, l->last_peak);
  l->last_peak = peak;
  return most > l->ceiling ? l->ceiling / most : 1;
}

/* The minimum of the last `window` values: those of this block so far, and of the last block from here on. */
static double least_ahead(ct_limiter *l, double allowed) {
  uint32_t place = (uint32_t)(l->at % l->window), last = l->window - 1;
  l->run = place == 0 ? allowed : fmin(l->run, allowed);
  l->allowed[place] = allowed;
  double least = place == last ? l->run : fmin(l->run, l->tail[place + 1]);
  if (place == last) {
    double behind = 1;
    for (uint32_t i = l->window; i-- > 0;)
      l->tail[i] = behind = fmin(behind, l->allowed[i]);
  }
  return least;
}

/* Comes back like a discharging capacitor, and arrives: the last hundredth of a thousandth is given away. */
static double smooth(ct_limiter *l, double least) {
  double back = l->released + (1 - l->released) * l->release;
  l->released = fmin(least, back > 1 - 1e-5 ? 1 : back);
  uint32_t *kept = &l->kept[l->at % l->window];
  l->sum -= *kept;
  *kept = (uint32_t)(l->released * ONE);
  l->sum += *kept;
  return (double)l->sum / ((double)ONE * l->window);
}

static void give_out(ct_limiter *l, float *const *channels, uint32_t frame, double gain) {
  if (l->fading) {
    double root = sin(M_PI_2 * l->fading / l->latency);
    gain *= root * root;
    l->fading--;
  }
  for (uint32_t c = 0; c < l->channels; c++)
    channels[c][frame] = (float)((double)l->line[c][(l->at - l->latency) % LINE] * gain);
}

void ct_limiter_process(ct_limiter *l, float *const *channels, uint32_t frames) {
  for (uint32_t n = 0; n < frames; n++) {
    take_in(l, channels, n);
    double gain = smooth(l, least_ahead(l, allow(l)));
    l->lowest = fmin(l->lowest, gain);
    give_out(l, channels, n, gain);
    l->at++;
  }
}

/* While a fade is under way, what was taken in since it began has not begun to leave: it never does. */
void ct_limiter_fade_out(ct_limiter *l) {
  if (!l->fading) {
    l->fading = l->latency;
    return;
  }
  for (uint32_t i = 1; i <= l->latency - l->fading; i++)
    for (uint32_t c = 0; c < l->channels; c++)
      l->line[c][(l->at - i) % LINE] = 0;
}

uint32_t ct_limiter_latency(const ct_limiter *l) { return l->latency; }

double ct_limiter_gain(ct_limiter *l) {
  double lowest = l->lowest;
  l->lowest = (double)l->sum / ((double)ONE * l->window);
  return lowest;
}

uint64_t ct_limiter_dropped(const ct_limiter *l) { return l->dropped; }
