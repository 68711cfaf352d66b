/* A bank of matched filters. Of a damped sinusoid with decay s in white noise of power v the statistic
 *
 *   over = |X(w)|^2 / (v sum u^2),  X(w) = sum x u e^(-i w n),  u = e^(-s n / rate)
 *
 * is the likelihood ratio at its best phase and amplitude: in noise alone it is exponential with mean 1, so
 * that P(over > t) = e^-t, and a mode of energy E lifts its mean by E / (2 v). X is a transform of the
 * windowed signal; decays on a grid of factors of three, between whose places at most 8 % of `over` is lost.
 *
 * Of about as many independent cells as there are samples (half of them for each decay, ever shorter windows,
 * rounded up), one exceeds ln(cells / P) in a share P of recordings. That is the threshold.
 *
 * The noise is the median of |X|^2 / sum u^2 over a band, divided by ln 2, at the slowest decay: modes are
 * narrow there and do not move a median. */
#include "modes/scan.h"
#include "modes/erb.h"
#include "measure/fft.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double fastest = 2100; /* 1/s: t60 3.3 ms */
static const double span = 7;       /* windows are cut where they have fallen by so many nepers */
static const double step = 3;
/* A stronger mode explains what stands less than this far above its skirt. */
static const double skirt_factor = 4;

double ct_scan_threshold(double false_alarms, size_t count) { return log(2 * (double)count / false_alarms); }

double ct_noise_at(const ct_noise *noise, double hz) {
  double at = CT_NOISE_BANDS * ct_erb_rate(hz) / ct_erb_rate(0.5 * noise->rate_hz) - 0.5;
  at = fmin(fmax(at, 0), CT_NOISE_BANDS - 1);
  uint32_t low = (uint32_t)fmin(at, CT_NOISE_BANDS - 2);
  double share = at - low;
  return exp((1 - share) * log(noise->power[low]) + share * log(noise->power[low + 1]));
}

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Bands with too few bins for a median borrow from their upper neighbours. */
static bool fill_noise(ct_noise *noise, const double *power, size_t bins, double hz_per_bin) {
  enum { FEWEST = 48 };
  double *sorted = malloc(bins * sizeof *sorted), top = ct_erb_rate(0.5 * noise->rate_hz);
  if (!sorted)
    return false;
  for (uint32_t b = 0; b < CT_NOISE_BANDS; b++) {
    double from = (pow(10, b * top / CT_NOISE_BANDS / 21.4) - 1) / 0.00437;
    double to = (pow(10, (b + 1) * top / CT_NOISE_BANDS / 21.4) - 1) / 0.00437;
    size_t first = (size_t)(from / hz_per_bin) + 1, last = (size_t)(to / hz_per_bin) + 1;
    if (last < first + FEWEST)
      last = first + FEWEST;
    if (last > bins)
      last = bins;
    if (first + FEWEST > last)
      first = last > FEWEST ? last - FEWEST : 0;
    memcpy(sorted, power + first, (last - first) * sizeof *sorted);
    qsort(sorted, last - first, sizeof *sorted, rising);
    noise->power[b] = sorted[(last - first) / 2] / log(2.0) + 1e-26;
  }
  free(sorted);
  return true;
}

/* |X|^2 / sum u^2 at bins 0 .. n / 2; null without memory. */
static double *spectrum_of(const ct_segment *s, double decay, size_t *bins) {
  double heard = ceil(span * s->rate_hz / decay);
  size_t used = heard < (double)s->count ? (size_t)heard : s->count, n = ct_fft_size(used);
  double complex *x = calloc(n, sizeof *x), *twiddles = ct_fft_make_twiddles(n);
  double *power = malloc((n / 2 + 1) * sizeof *power), energy = 0;
  *bins = n / 2 + 1;
  if (x && twiddles && power) {
    for (size_t k = 0; k < used; k++) {
      double u = exp(-decay * (double)k / s->rate_hz);
      x[k] = s->x[k] * u;
      energy += u * u;
    }
    ct_fft_forward(x, n, twiddles);
    for (size_t k = 0; k < *bins; k++)
      power[k] = ct_square(x[k]) / energy;
  } else {
    free(power);
    power = NULL;
  }
  free(x);
  free(twiddles);
  return power;
}

/* Keeps the strongest. */
static int keep(ct_candidate c, ct_candidate *found, int count, int most) {
  int at = count < most ? count : most - 1;
  if (count == most && found[at].over >= c.over)
    return count;
  for (; at > 0 && found[at - 1].over < c.over; at--)
    found[at] = found[at - 1];
  found[at] = c;
  return count < most ? count + 1 : count;
}

/* What may be a mode at all. */
typedef struct sieve {
  const ct_noise *noise;
  double lo_hz, hi_hz, threshold;
} sieve;

enum { PEAKS_MOST = 2048 };

static int take_peaks(const double *power, size_t bins, double hz_per_bin, double decay, const sieve *s,
                      ct_candidate *found, int count) {
  for (size_t k = 1; k + 1 < bins; k++) {
    double hz = (double)k * hz_per_bin;
    if (power[k] < power[k - 1] || power[k] < power[k + 1] || hz < s->lo_hz || hz > s->hi_hz)
      continue;
    double over = power[k] / ct_noise_at(s->noise, hz);
    if (over > s->threshold)
      count = keep((ct_candidate){{2 * pi * hz, decay}, over}, found, count, PEAKS_MOST);
  }
  return count;
}

/* What a mode that matches candidate `strong` would show at another place of the bank, against what it shows
 * at its own: 4 s t / ((s + t)^2 + (difference of w)^2). */
static double skirt(const ct_candidate *strong, const ct_candidate *other) {
  double s = strong->pole.decay, t = other->pole.decay, away = strong->pole.omega - other->pole.omega;
  return strong->over * 4 * s * t / ((s + t) * (s + t) + away * away);
}

static int drop_explained(ct_candidate *found, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    double explained = 0;
    for (int k = 0; k < kept; k++)
      explained += skirt(&found[k], &found[i]);
    if (found[i].over > skirt_factor * explained)
      found[kept++] = found[i];
  }
  return kept;
}

int ct_scan(const ct_segment *residual, double lo_hz, double hi_hz, double threshold, ct_noise *noise,
            ct_candidate *found, int most) {
  const sieve s = {noise, lo_hz, hi_hz, threshold};
  double slowest = 1.5 * residual->rate_hz / (double)residual->count;
  ct_candidate *all = malloc(PEAKS_MOST * sizeof *all);
  int count = all ? 0 : -1;
  noise->rate_hz = residual->rate_hz;
  for (double decay = slowest; count >= 0 && decay < fastest * sqrt(step); decay *= step) {
    size_t bins;
    double *power = spectrum_of(residual, decay, &bins);
    double hz_per_bin = 0.5 * residual->rate_hz / (double)(bins - 1);
    if (power && (decay > slowest || fill_noise(noise, power, bins, hz_per_bin)))
      count = take_peaks(power, bins, hz_per_bin, decay, &s, all, count);
    else
      count = -1;
    free(power);
  }
  if (count >= 0) {
    count = drop_explained(all, count);
    count = count < most ? count : most;
    memcpy(found, all, (size_t)count * sizeof *all);
  }
  free(all);
  return count;
}
