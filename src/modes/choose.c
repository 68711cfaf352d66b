/* Least squares would spend all modes on the loudest partials' last decibels. What is heard is levels: so
 * modes are chosen by log-spectral distance, one after the other, each time the one that lowers it most.
 *
 * A damped exponential c z^n has the same windowed spectrum in every frame, V(k) = sum over a frame of
 * w[n] z^n e^(-2 pi i k n / N), times c z^(start of the frame) / 2. So one transform tells all cells of a
 * mode, and adding, moving or leaving out one is a few thousand products. (Its mirror image at negative
 * frequencies is left out: it lies beyond the skirts of all but the lowest modes.) */
#include "modes/choose.h"
#include "modes/distance.h"
#include "modes/linear.h"
#include "measure/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BANDS = CT_CELL_BANDS, SWEEPS = 3, SWAPS = 24 };

static const double slowest = 0.7; /* 1/s: what stands for a band rings 10 s at most */
static const double skirt = 1e-8;  /* of its largest bin's power: what of a mode's spectrum counts */

/* One mode's spectrum. */
typedef struct ray {
  ct_pole pole;
  double complex c;
  double complex *v; /* bins */
  size_t from, to;   /* where it counts */
} ray;

typedef struct chooser {
  const ct_segment *segment;
  size_t frames, frame, hop, n, bins, cells;
  size_t edges[BANDS + 1];
  uint32_t *band_of;   /* [bin]; BANDS: none */
  double least;        /* floor of a cell's power */
  double *wanted;      /* dB of the recording's cells */
  double *power;       /* of what was chosen, */
  double complex *sum; /* and its spectrum, [frame * bins + bin] */
  double *changed;     /* cells */
  double *window;
  double complex *twiddles, *scratch;
} chooser;

static void chooser_free(chooser *c) {
  free(c->band_of);
  free(c->wanted);
  free(c->power);
  free(c->sum);
  free(c->changed);
  free(c->window);
  free(c->twiddles);
  free(c->scratch);
}

static double db(double power, double least) { return 10 * log10(power > least ? power : least); }

static bool chooser_allocate(chooser *c) {
  c->band_of = malloc(c->bins * sizeof *c->band_of);
  c->wanted = malloc(c->cells * sizeof *c->wanted);
  c->power = calloc(c->cells, sizeof *c->power);
  c->sum = calloc(c->frames * c->bins, sizeof *c->sum);
  c->changed = malloc(c->cells * sizeof *c->changed);
  c->window = malloc(c->frame * sizeof *c->window);
  c->twiddles = ct_fft_make_twiddles(c->n);
  c->scratch = malloc(c->n * sizeof *c->scratch);
  return c->band_of && c->wanted && c->power && c->sum && c->changed && c->window && c->twiddles &&
         c->scratch;
}

static bool chooser_init(chooser *c, const ct_segment *s) {
  *c = (chooser){.segment = s, .frames = ct_cells_frames(s->count, s->rate_hz)};
  ct_cells_layout(s->rate_hz, &c->frame, &c->hop, &c->n, c->edges);
  c->cells = c->frames * BANDS;
  c->bins = c->edges[BANDS];
  if (!chooser_allocate(c) || !ct_cells_fill(s->x, s->count, s->rate_hz, c->wanted))
    return false;
  c->least = ct_cells_floor(c->wanted, c->frames);
  for (size_t k = 0; k < c->cells; k++)
    c->wanted[k] = db(c->wanted[k], c->least);
  for (size_t k = 0; k < c->frame; k++)
    c->window[k] = 0.5 - 0.5 * cos(2 * M_PI * ((double)k + 0.5) / (double)c->frame);
  for (size_t k = 0, b = 0; k < c->bins; k++) {
    while (k >= c->edges[b + 1])
      b++;
    c->band_of[k] = k < c->edges[0] ? BANDS : (uint32_t)b;
  }
  return true;
}

/* The spectrum of a mode with that pole. */
static void ray_aim(const chooser *c, ray *r, ct_pole pole) {
  double rate = c->segment->rate_hz, most = 0;
  double complex z = exp(-pole.decay / rate) * (cos(pole.omega / rate) + CT_I * sin(pole.omega / rate)),
                 at = 0.5;
  r->pole = pole;
  for (size_t k = 0; k < c->n; k++) {
    c->scratch[k] = k < c->frame ? c->window[k] * at : 0;
    at = ct_times(at, z);
  }
  ct_fft_forward(c->scratch, c->n, c->twiddles);
  for (size_t k = 0; k < c->bins; k++) {
    r->v[k] = c->scratch[k];
    most = fmax(most, ct_square(r->v[k]));
  }
  r->from = 0;
  r->to = c->bins;
  while (r->from < r->to && ct_square(r->v[r->from]) < skirt * most)
    r->from++;
  while (r->to > r->from && ct_square(r->v[r->to - 1]) < skirt * most)
    r->to--;
}

static double complex ray_at(const chooser *c, const ray *r, double complex amplitude, size_t frame) {
  double t = (double)(frame * c->hop) / c->segment->rate_hz, size = exp(-r->pole.decay * t);
  return ct_times(amplitude, size * cos(r->pole.omega * t) + CT_I * (size * sin(r->pole.omega * t)));
}

/* By how much the summed squares of the cells' differences fall when the ray is added with that amplitude. */
static double gain_of(chooser *c, const ray *r, double complex amplitude) {
  double gain = 0;
  for (size_t f = 0; f < c->frames; f++) {
    double complex a = ray_at(c, r, amplitude, f);
    double change[BANDS + 1] = {0};
    const double complex *sum = c->sum + f * c->bins;
    for (size_t k = r->from; k < r->to; k++)
      change[c->band_of[k]] += ct_square(sum[k] + ct_times(a, r->v[k])) - ct_square(sum[k]);
    for (size_t b = 0; b < BANDS; b++) {
      if (change[b] == 0)
        continue;
      double power = c->power[f * BANDS + b], wanted = c->wanted[f * BANDS + b];
      double before = db(power, c->least) - wanted, after = db(power + change[b], c->least) - wanted;
      gain += before * before - after * after;
    }
  }
  return gain;
}

static void take(chooser *c, const ray *r, double complex amplitude) {
  for (size_t f = 0; f < c->frames; f++) {
    double complex a = ray_at(c, r, amplitude, f), *sum = c->sum + f * c->bins;
    double power[BANDS + 1] = {0};
    for (size_t k = r->from; k < r->to; k++)
      sum[k] += ct_times(a, r->v[k]);
    for (size_t k = 0; k < c->bins; k++)
      power[c->band_of[k]] += ct_square(sum[k]);
    memcpy(c->power + f * BANDS, power, BANDS * sizeof *power);
  }
}

/* ---- modes that stand for a band ---- */

/* A band in which nothing rings, such as a thump or a click, still has a level that falls. One mode in its
 * middle stands for it: the straight line through the levels of its cells, as far as they are over the floor.
 */
static bool line_through(const chooser *c, size_t band, double *first_db, double *nepers_s) {
  double floor_db = db(0, c->least), n = 0, t = 0, tt = 0, y = 0, ty = 0;
  bool ended = c->wanted[band] <= floor_db;
  for (size_t f = 0; f < c->frames && !ended; f++) {
    double level = c->wanted[f * BANDS + band], at = (double)f;
    n += 1, t += at, tt += at * at, y += level, ty += at * level;
    ended = level <= floor_db; /* the first cell at the floor still says that it has fallen */
  }
  if (n < 2)
    return false;
  double slope = (n * ty - t * y) / (n * tt - t * t);
  *first_db = (y - slope * t) / n;
  *nepers_s = -slope / CT_CELL_HOP_S / (20 / log(10.0));
  return *nepers_s >= slowest; /* what does not fall is noise, and no body's */
}

/* How much of a band's energy the modes have that were found in it. */
static double share_of_band(const chooser *c, const ct_fit *fit, uint32_t g, size_t band) {
  double all = 0, modes = 0, from = (double)c->edges[band] / (double)c->n * c->segment->rate_hz;
  double to = (double)c->edges[band + 1] / (double)c->n * c->segment->rate_hz, window = 0;
  for (size_t f = 0; f < c->frames; f++)
    all += pow(10, c->wanted[f * BANDS + band] / 10);
  for (size_t k = 0; k < c->frame; k++)
    window += c->window[k] * c->window[k];
  for (uint32_t i = 0; i < fit->count; i++) {
    double hz = fit->poles[i].omega / (2 * M_PI), decay = fit->poles[i].decay;
    double frames = 1 / (2 * decay * CT_CELL_HOP_S),
           size = ct_square(fit->amplitudes[(size_t)g * fit->room + i]);
    if (hz >= from && hz < to && decay < 60 && !fit->stands_in[i]) /* what rings 0.1 s */
      modes += 0.25 * size * window * (double)c->n * fmin(frames, (double)c->frames);
  }
  return modes / all;
}

/* Adds them to the fit, as far as there is room, to bands in which nothing rings. */
static void add_stand_ins(const chooser *c, ct_fit *fit, uint32_t g, double lo_hz, double hi_hz, ray *r) {
  for (size_t b = 0; b < BANDS && fit->count < fit->room; b++) {
    double level_db, decay, power = 0, hz = ct_cells_middle_hz((uint32_t)b, c->segment->rate_hz);
    if (hz < lo_hz || hz > hi_hz)
      continue;
    if (share_of_band(c, fit, g, b) > 0.5 || !line_through(c, b, &level_db, &decay))
      continue;
    ct_pole pole = {2 * M_PI * hz, fmin(decay, 3000)};
    ray_aim(c, r, pole);
    for (size_t k = c->edges[b]; k < c->edges[b + 1]; k++)
      power += ct_square(r->v[k]);
    ct_fit_add(fit, pole);
    fit->stands_in[fit->count - 1] = true;
    fit->amplitudes[(size_t)g * fit->room + fit->count - 1] = sqrt(pow(10, level_db / 10) / power);
  }
}

/* ---- choosing ---- */

/* Spectra of all modes; null without memory. */
static ray *make_rays(const chooser *c, const ct_fit *fit, uint32_t g, double complex **bins) {
  ray *rays = calloc(fit->count + 1, sizeof *rays);
  *bins = malloc((fit->count + 1) * c->bins * sizeof **bins);
  if (!rays || !*bins) {
    free(rays);
    free(*bins);
    *bins = NULL;
    return NULL;
  }
  for (uint32_t i = 0; i < fit->count; i++) {
    rays[i].v = *bins + i * c->bins;
    rays[i].c = fit->amplitudes[(size_t)g * fit->room + i];
    ray_aim(c, &rays[i], fit->poles[i]);
  }
  return rays;
}

/* Gains only get smaller as more is there, but for beats: so a mode whose last gain is below the best one so
 * far need not be asked again. */
static void choose(chooser *c, const ray *rays, uint32_t count, uint32_t most, bool *taken, double *gains) {
  for (uint32_t i = 0; i < count; i++)
    gains[i] = INFINITY;
  for (uint32_t n = 0; n < most && n < count; n++) {
    uint32_t best = count;
    double gain = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
      if (taken[i] || 1.3 * gains[i] < gain)
        continue;
      gains[i] = gain_of(c, &rays[i], rays[i].c);
      if (gains[i] > gain) {
        gain = gains[i];
        best = i;
      }
    }
    if (best == count || gain <= 0)
      return;
    taken[best] = true;
    take(c, &rays[best], rays[best].c);
  }
}

/* How a mode may be moved: factors of gain, decay and frequency. Only what stands for a band has no frequency
 * of its own. */
typedef struct move {
  double gain, decay, omega;
} move;

/* Lets a mode stand for what was left out beside it: it is moved as long as the cells come nearer. */
static void move_mode(chooser *c, ray *r, bool stands_in, double complex *other_bins, /* NOLINT: written */
                      double step) {
  double up = 1 + step, fast = 1 + 2 * step, high = 1 + 0.2 * step;
  const move moves[] = {{1, 1, 1},
                        {up, 1, 1},
                        {1 / up, 1, 1},
                        {1, fast, 1},
                        {1, 1 / fast, 1},
                        {sqrt(fast), fast, 1},
                        {1 / sqrt(fast), 1 / fast, 1},
                        {1, 1, high},
                        {1, 1, 1 / high}};
  take(c, r, -r->c);
  double best = -INFINITY;
  ct_pole pole = r->pole;
  double complex amplitude = r->c;
  ray trial = {.v = other_bins};
  for (int i = 0; i < (stands_in ? 9 : 7); i++) {
    double decay = moves[i].decay * r->pole.decay;
    if (stands_in && decay < slowest)
      continue;
    ray_aim(c, &trial, (ct_pole){moves[i].omega * r->pole.omega, decay});
    double gain = gain_of(c, &trial, moves[i].gain * r->c);
    if (gain > best) {
      best = gain;
      pole = trial.pole;
      amplitude = moves[i].gain * r->c;
    }
  }
  ray_aim(c, r, pole);
  r->c = amplitude;
  take(c, r, r->c);
}

static void move_all(chooser *c, ray *rays, uint32_t count, uint32_t own, const bool *taken,
                     double complex *other_bins) {
  static const double steps[] = {0.3, 0.12, 0.05};
  for (int pass = 0; pass < 3; pass++)
    for (int sweep = 0; sweep < SWEEPS; sweep++)
      for (uint32_t i = 0; i < count; i++)
        if (taken[i])
          move_mode(c, &rays[i], i >= own, other_bins, steps[pass]);
}

/* Puts the mode that would be missed least in the place of another that helps more, if there is one. */
static bool swap_one(chooser *c, const ray *rays, uint32_t count, bool *taken) {
  uint32_t least = count, best = count;
  double loss = INFINITY, gain = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    double missed = taken[i] ? -gain_of(c, &rays[i], -rays[i].c) : (double)INFINITY;
    if (missed < loss) {
      loss = missed;
      least = i;
    }
  }
  if (least == count)
    return false;
  take(c, &rays[least], -rays[least].c);
  taken[least] = false;
  for (uint32_t i = 0; i < count; i++) {
    double helped = taken[i] ? (double)-INFINITY : gain_of(c, &rays[i], rays[i].c);
    if (helped > gain) {
      gain = helped;
      best = i;
    }
  }
  taken[best] = true;
  take(c, &rays[best], rays[best].c);
  return best != least;
}

static void keep_taken(ct_fit *fit, uint32_t g, const ray *rays, const bool *taken) {
  for (uint32_t i = fit->count; i-- > 0;) {
    if (!taken[i]) {
      ct_fit_remove(fit, i);
      continue;
    }
    double before = cabs(fit->amplitudes[(size_t)g * fit->room + i]);
    for (uint32_t k = 0; k < fit->segment_count; k++)
      fit->amplitudes[(size_t)k * fit->room + i] *= cabs(rays[i].c) / before;
    fit->poles[i] = rays[i].pole;
    if (fit->stands_in[i]) /* its energy, since nothing was fitted */
      fit->risen[(size_t)g * fit->room + i] =
          0.25 * ct_square(rays[i].c) * fit->segments[g].rate_hz / rays[i].pole.decay;
  }
}

bool ct_choose(ct_fit *fit, uint32_t g, uint32_t most, double lo_hz, double hi_hz) {
  chooser c;
  uint32_t own = fit->count;
  double complex *bins = NULL;
  bool memory = chooser_init(&c, &fit->segments[g]), *taken = calloc(fit->room + 1, sizeof *taken);
  double *gains = malloc((fit->room + 1) * sizeof *gains);
  double complex *other = memory ? malloc(c.bins * sizeof *other) : NULL;
  memory = memory && taken && gains && other;
  if (memory) {
    ray spare = {.v = other};
    add_stand_ins(&c, fit, g, lo_hz, hi_hz, &spare);
  }
  ray *rays = memory ? make_rays(&c, fit, g, &bins) : NULL;
  if (rays) {
    choose(&c, rays, fit->count, most, taken, gains);
    move_all(&c, rays, fit->count, own, taken, other);
    for (int swaps = 0; swaps < SWAPS && swap_one(&c, rays, fit->count, taken); swaps++)
      if (swaps % 4 == 3)
        move_all(&c, rays, fit->count, own, taken, other);
    for (int again = 0; again < 2; again++)
      move_all(&c, rays, fit->count, own, taken, other);
    keep_taken(fit, g, rays, taken);
  }
  memory = rays != NULL;
  free(rays);
  free(bins);
  free(other);
  free(taken);
  free(gains);
  chooser_free(&c);
  return memory;
}
