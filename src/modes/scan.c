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
 * narrow there and do not move a median. But one that dies within a tenth of a second fills a band of the low
 * frequencies: where such a band's last half is quieter, that is its noise. Where it is very much quieter,
 * many modes are still to be found, whose skirts would pass for modes: there only when nothing else is found
 * any more. */
#include "modes/scan.h"
#include "modes/erb.h"
#include "measure/fft.h"
#include "modes/linear.h"
#include "modes/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double fastest = 2100; /* 1/s: t60 3.3 ms */
static const double span = 7;       /* windows are cut where they have fallen by so many nepers */
static const double step = 3;
/* A band narrower than this may be filled by one mode; whether it is, is seen where the second half has bins
 * narrow enough, and by this factor of power. */
static const double filled_hz = 150, tail_hz = 2, filled_factor = 1.5, crowded_factor = 1e4;
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

/* |X|^2 / sum u^2 at bins 0 .. n / 2 of a transform. */
typedef struct spectrum {
  double *power; /* null: no memory */
  size_t bins;
  double hz_per_bin;
} spectrum;

/* Tables of transforms: that of the largest, and of one with fewer points, taken from it. */
typedef struct tables {
  double complex *all, *fewer;
  size_t n, fewer_n;
} tables;

static bool tables_make(tables *t, size_t n) {
  *t = (tables){ct_fft_make_twiddles(n), malloc(n / 2 * sizeof *t->fewer), n, 0};
  return t->all && t->fewer;
}

static void tables_free(tables *t) {
  free(t->all);
  free(t->fewer);
}

static const double complex *table_of(tables *t, size_t n) {
  if (n == t->n)
    return t->all;
  for (size_t k = 0; n != t->fewer_n && k < n / 2; k++)
    t->fewer[k] = t->all[k * (t->n / n)];
  t->fewer_n = n;
  return t->fewer;
}

/* Room for the transform of that many numbers, all 0. */
static double *reserve(size_t n) { return calloc(n + 2, sizeof(double)); }

/* Frees x[0 .. n), which is windowed. */
static spectrum transform(double *x, size_t n, double energy, double rate_hz, tables *t) {
  spectrum s = {malloc((n / 2 + 1) * sizeof *s.power), n / 2 + 1, rate_hz / (double)n};
  if (x && s.power) {
    ct_fft_forward_real((double complex *)x, n, table_of(t, n));
    for (size_t k = 0; k < s.bins; k++)
      s.power[k] = (x[2 * k] * x[2 * k] + x[2 * k + 1] * x[2 * k + 1]) / energy;
  } else {
    free(s.power);
    s.power = NULL;
  }
  free(x);
  return s;
}

/* An exponential over blocks: e^(-s k) of one block, times that of its start. */
static spectrum spectrum_of(const ct_segment *s, double decay, tables *t) {
  enum { BLOCK = 64 };
  double heard = ceil(span * s->rate_hz / decay), energy = 0, fall[BLOCK];
  size_t used = heard < (double)s->count ? (size_t)heard : s->count, n = ct_fft_size(used);
  double *x = reserve(n);
  for (int k = 0; k < BLOCK; k++)
    fall[k] = exp(-decay * k / s->rate_hz);
  for (size_t start = 0; x && start < used; start += BLOCK) {
    double at = exp(-decay * (double)start / s->rate_hz);
    for (size_t k = 0; k < BLOCK && start + k < used; k++) {
      double u = at * fall[k];
      x[start + k] = s->x[start + k] * u;
      energy += u * u;
    }
  }
  return transform(x, n, energy, s->rate_hz, t);
}

/* Of the last half, under Hann's window. */
static spectrum tail_of(const ct_segment *s, tables *t) {
  size_t used = s->count / 2, n = ct_fft_size(used);
  double *x = reserve(n);
  double complex turn = cos(2 * pi / (double)used) + CT_I * sin(2 * pi / (double)used),
                 at = cos(pi / (double)used) + CT_I * sin(pi / (double)used);
  for (size_t k = 0; x && k < used; k++) {
    x[k] = s->x[s->count - used + k] * (0.5 - 0.5 * creal(at));
    at = ct_times(at, turn);
  }
  return transform(x, n, 0.375 * (double)used, s->rate_hz, t);
}

/* Median of a band; one with too few bins borrows from its upper neighbours. `sorted` has room for all. */
static double median(const spectrum *s, double from_hz, double to_hz, double *sorted) {
  enum { FEWEST = 96 };
  size_t first = (size_t)(from_hz / s->hz_per_bin) + 1, last = (size_t)(to_hz / s->hz_per_bin) + 1;
  if (last < first + FEWEST)
    last = first + FEWEST;
  if (last > s->bins)
    last = s->bins;
  if (first + FEWEST > last)
    first = last > FEWEST ? last - FEWEST : 0;
  memcpy(sorted, s->power + first, (last - first) * sizeof *sorted);
  return ct_select(sorted, last - first, (last - first) / 2);
}

static bool fill_noise(ct_noise *noise, const spectrum *all, const spectrum *tail, bool settled) {
  size_t most = all->bins > tail->bins ? all->bins : tail->bins;
  double *sorted = malloc(most * sizeof *sorted), top = ct_erb_rate(0.5 * noise->rate_hz);
  for (uint32_t b = 0; sorted && b < CT_NOISE_BANDS; b++) {
    double from = ct_erb_hz(b * top / CT_NOISE_BANDS), to = ct_erb_hz((b + 1) * top / CT_NOISE_BANDS);
    double here = median(all, from, to, sorted);
    if (to - from < filled_hz && tail->hz_per_bin < tail_hz) {
      double later = median(tail, from, to, sorted);
      bool filled = here > filled_factor * later && (settled || here < crowded_factor * later);
      here = filled ? later : here;
    }
    noise->power[b] = here / log(2.0) + noise->least + 1e-26;
  }
  free(sorted);
  return sorted != NULL;
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

static int take_peaks(const spectrum *x, double decay, const sieve *s, ct_candidate *found, int count) {
  for (size_t k = 1; k + 1 < x->bins; k++) {
    double hz = (double)k * x->hz_per_bin;
    if (x->power[k] < x->power[k - 1] || x->power[k] < x->power[k + 1] || hz < s->lo_hz || hz > s->hi_hz)
      continue;
    double over = x->power[k] / ct_noise_at(s->noise, hz);
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

int ct_scan(const ct_segment *residual, bool settled, double lo_hz, double hi_hz, double threshold,
            ct_noise *noise, ct_candidate *found, int most) {
  const sieve s = {noise, lo_hz, hi_hz, threshold};
  double slowest = 1.5 * residual->rate_hz / (double)residual->count;
  ct_candidate *all = malloc(PEAKS_MOST * sizeof *all);
  tables turns;
  bool made = tables_make(&turns, ct_fft_size(residual->count));
  spectrum tail = made ? tail_of(residual, &turns) : (spectrum){0};
  int count = all && tail.power ? 0 : -1;
  noise->rate_hz = residual->rate_hz;
  for (double decay = slowest; count >= 0 && decay < fastest * sqrt(step); decay *= step) {
    spectrum here = spectrum_of(residual, decay, &turns);
    bool memory = here.power && (decay > slowest || fill_noise(noise, &here, &tail, settled));
    count = memory ? take_peaks(&here, decay, &s, all, count) : -1;
    free(here.power);
  }
  if (count >= 0) {
    count = drop_explained(all, count);
    count = count < most ? count : most;
    memcpy(found, all, (size_t)count * sizeof *all);
  }
  tables_free(&turns);
  free(tail.power);
  free(all);
  return count;
}
