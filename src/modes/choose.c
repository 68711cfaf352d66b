/* Least squares would spend all modes on the loudest partials' last decibels. What is heard is levels: so
 * modes are chosen by log-spectral distance, one after the other, each time the one that lowers it most.
 *
 * A damped exponential c z^n has the same windowed spectrum in every frame, V(k) = sum over a frame of
 * w[n] z^n e^(-2 pi i k n / N), times c z^(start of the frame) / 2. So one transform tells all cells of a
 * mode, and adding, moving or leaving out one is a few thousand products. Its mirror image at negative
 * frequencies, conj(c) times another such spectrum, lies beyond the skirts of all but the lowest modes. */
#include "modes/choose.h"
#include "modes/distance.h"
#include "modes/linear.h"
#include "measure/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BANDS = CT_CELL_BANDS, SWEEPS = 3, SWAPS = 24, SWAP_TRIES = 6 };

static const double unheard_db = 6, mirrored_hz = 400;
static const double slowest = 0.7; /* 1/s: what stands for a band rings 10 s at most */
static const double skirt = 1e-8;  /* of its largest bin's power: what of a mode's spectrum counts */

/* One mode's spectrum. */
typedef struct ray {
  ct_pole pole;
  double complex c;
  double complex *v; /* bins, and as many of its mirror image */
  bool mirrored;     /* which is heard */
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
  r->mirrored = pole.omega < 2 * M_PI * mirrored_hz;
  for (size_t k = 0; k < c->bins; k++) {
    r->v[k] = c->scratch[k];
    r->v[c->bins + k] = conj(c->scratch[k ? c->n - k : 0]);
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

/* Square of a cell's difference. One that is under the floor in the recording is not heard there, nor counted
 * by the distance: it may be some dB over it. */
static double off_by(const chooser *c, double power, double wanted) {
  double off = db(power, c->least) - wanted;
  if (wanted <= db(0, c->least))
    off = fmax(off - unheard_db, 0);
  return off * off;
}

/* A ray's share of a bin, a its amplitude at the frame. */
static inline double complex share_at(const chooser *c, const ray *r, double complex a, size_t bin) {
  double complex share = ct_times(a, r->v[bin]);
  return r->mirrored ? share + ct_times(conj(a), r->v[c->bins + bin]) : share;
}

/* By how much the summed squares of the cells' differences fall when the ray is added with that amplitude. */
static double gain_of(chooser *c, const ray *r, double complex amplitude) {
  double gain = 0;
  for (size_t f = 0; f < c->frames; f++) {
    double complex a = ray_at(c, r, amplitude, f);
    double change[BANDS + 1] = {0};
    const double complex *sum = c->sum + f * c->bins;
    for (size_t k = r->from; k < r->to; k++)
      change[c->band_of[k]] += ct_square(sum[k] + share_at(c, r, a, k)) - ct_square(sum[k]);
    for (size_t b = 0; b < BANDS; b++) {
      if (change[b] == 0)
        continue;
      double power = c->power[f * BANDS + b], wanted = c->wanted[f * BANDS + b];
      gain += off_by(c, power, wanted) - off_by(c, power + change[b], wanted);
    }
  }
  return gain;
}

static void take(chooser *c, const ray *r, double complex amplitude) {
  size_t first = r->from < c->edges[0] ? 0 : c->band_of[r->from];
  size_t last = r->to <= c->edges[0] ? 0 : c->band_of[r->to - 1] + 1;
  for (size_t f = 0; f < c->frames; f++) {
    double complex a = ray_at(c, r, amplitude, f), *sum = c->sum + f * c->bins;
    for (size_t k = r->from; k < r->to; k++)
      sum[k] += share_at(c, r, a, k);
    for (size_t b = first; b < last; b++) {
      double *power = &c->power[f * BANDS + b];
      *power = 0;
      for (size_t k = c->edges[b]; k < c->edges[b + 1]; k++)
        *power += ct_square(sum[k]);
    }
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
  *nepers_s = fmax(-slope / CT_CELL_HOP_S / (20 / log(10.0)), slowest);
  return true;
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
    if (hz >= from && hz < to && decay < 60 && fit->kinds[i] != CT_KIND_STANDS_IN) /* what rings 0.1 s */
      modes += 0.25 * size * window * (double)c->n * fmin(frames, (double)c->frames);
  }
  return modes / all;
}

/* Adds them to the fit, as far as there is room, to bands in which nothing rings: one in the middle and, if
 * `aside`, one on each side of it, since a band of noise has a wandering level, which takes more than one to
 * follow. */
static void add_stand_ins(const chooser *c, ct_fit *fit, uint32_t g, const ct_choice *choice, bool aside,
                          ray *r) {
  for (size_t k = 0; k < CT_STAND_INS && fit->count < fit->room; k++) {
    size_t b = k / 3;
    double level_db, decay, power = 0, middle = ct_cells_middle_hz((uint32_t)b, c->segment->rate_hz);
    double wide = (double)(c->edges[b + 1] - c->edges[b]) / (double)c->n * c->segment->rate_hz;
    double hz = middle + ((double)(k % 3) - 1) * 0.3 * wide;
    if ((k % 3 != 1 && !aside) || hz < choice->lo_hz || hz > choice->hi_hz ||
        share_of_band(c, fit, g, b) > 0.5 || !line_through(c, b, &level_db, &decay))
      continue;
    ct_pole pole = {2 * M_PI * hz, fmin(decay, 3000)};
    ray_aim(c, r, pole);
    for (size_t bin = c->edges[b]; bin < c->edges[b + 1]; bin++)
      power += ct_square(r->v[bin]);
    ct_fit_add(fit, pole);
    fit->kinds[fit->count - 1] = CT_KIND_STANDS_IN;
    fit->amplitudes[(size_t)g * fit->room + fit->count - 1] = sqrt(pow(10, level_db / 10) / power);
  }
}

/* ---- choosing ---- */

/* Modes that outlast a room are body's for sure: they are taken as they are. */
static bool is_fixed(const ct_fit *fit, uint32_t mode) { return fit->kinds[mode] == CT_KIND_OUTLASTS; }

/* Spectra of all modes; null without memory. */
static ray *make_rays(const chooser *c, const ct_fit *fit, uint32_t g, double complex **bins) {
  ray *rays = calloc(fit->count + 1, sizeof *rays);
  *bins = malloc((fit->count + 1) * 2 * c->bins * sizeof **bins);
  if (!rays || !*bins) {
    free(rays);
    free(*bins);
    *bins = NULL;
    return NULL;
  }
  for (uint32_t i = 0; i < fit->count; i++) {
    rays[i].v = *bins + 2 * i * c->bins;
    rays[i].c = fit->amplitudes[(size_t)g * fit->room + i];
    ray_aim(c, &rays[i], fit->poles[i]);
  }
  return rays;
}

/* Gains only get smaller as more is there, but for beats: so a mode whose last gain is below the best one so
 * far need not be asked again. */
static void choose(chooser *c, const ct_fit *fit, const ray *rays, uint32_t most, bool *taken,
                   double *gains) {
  uint32_t count = fit->count, n = 0;
  for (uint32_t i = 0; i < count; i++) {
    gains[i] = INFINITY;
    if (is_fixed(fit, i) && n < most) {
      taken[i] = true;
      take(c, &rays[i], rays[i].c);
      n++;
    }
  }
  for (; n < most && n < count; n++) {
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

/* How a mode may be moved: factors of gain, decay and frequency, and by what its phase turns. Only what
 * stands for a band has no frequency of its own. */
typedef struct move {
  double gain, decay, omega, turn_rad;
} move;

/* Lets a mode stand for what was left out beside it: it is moved as long as the cells come nearer. */
static void move_mode(chooser *c, ray *r, bool stands_in, double complex *other_bins, /* NOLINT: written */
                      double step) {
  double up = 1 + step, fast = 1 + 2 * step, high = 1 + 0.2 * step;
  const move moves[] = {{1, 1, 1, 0},
                        {up, 1, 1, 0},
                        {1 / up, 1, 1, 0},
                        {1, fast, 1, 0},
                        {1, 1 / fast, 1, 0},
                        {sqrt(fast), fast, 1, 0},
                        {1 / sqrt(fast), 1 / fast, 1, 0},
                        {1, 1, 1, 5 * step},
                        {1, 1, 1, -5 * step},
                        {1, 1, high, 0},
                        {1, 1, 1 / high, 0}};
  const int move_count = stands_in ? 11 : 9;
  take(c, r, -r->c);
  double best = -INFINITY;
  ct_pole pole = r->pole;
  double complex amplitude = r->c;
  ray trial = {.v = other_bins};
  for (int i = 0; i < move_count; i++) {
    double decay = moves[i].decay * r->pole.decay;
    if (stands_in && decay < slowest)
      continue;
    ray_aim(c, &trial, (ct_pole){moves[i].omega * r->pole.omega, decay});
    double complex moved =
        moves[i].gain * ct_times(r->c, cos(moves[i].turn_rad) + CT_I * sin(moves[i].turn_rad));
    double gain = gain_of(c, &trial, moved);
    if (gain > best) {
      best = gain;
      pole = trial.pole;
      amplitude = moved;
    }
  }
  ray_aim(c, r, pole);
  r->c = amplitude;
  take(c, r, r->c);
}

static void move_all(chooser *c, const ct_fit *fit, ray *rays, const bool *taken,
                     double complex *other_bins) {
  static const double steps[] = {0.3, 0.12, 0.05};
  for (int pass = 0; pass < 3; pass++)
    for (int sweep = 0; sweep < SWEEPS; sweep++)
      for (uint32_t i = 0; i < fit->count; i++)
        if (taken[i] && !is_fixed(fit, i))
          move_mode(c, &rays[i], fit->kinds[i] == CT_KIND_STANDS_IN, other_bins, steps[pass]);
}

/* What a mode would help; one that stands for a band may turn its phase to help most. */
static double help_of(chooser *c, ray *r, bool stands_in) {
  double complex at = r->c;
  double best = gain_of(c, r, at);
  for (int turn = 1; stands_in && turn < 4; turn++) {
    at = ct_times(at, CT_I);
    double gain = gain_of(c, r, at);
    if (gain > best) {
      best = gain;
      r->c = at;
    }
  }
  return best;
}

/* The mode that helps most beside those that were taken; `count`: none helps more than `least`. */
static uint32_t most_helpful(chooser *c, const ct_fit *fit, ray *rays, const bool *taken, double least) {
  uint32_t best = fit->count;
  for (uint32_t i = 0; i < fit->count; i++) {
    double helped = taken[i] ? (double)-INFINITY : help_of(c, &rays[i], fit->kinds[i] == CT_KIND_STANDS_IN);
    if (helped > least) {
      least = helped;
      best = i;
    }
  }
  return best;
}

/* Puts another mode in the place of one of those that would be missed least, if it helps more. */
static bool swap_one(chooser *c, const ct_fit *fit, ray *rays, bool *taken, double *missed) {
  uint32_t count = fit->count;
  if (count == 0)
    return false;
  for (uint32_t i = 0; i < count; i++)
    missed[i] = taken[i] && !is_fixed(fit, i) ? -gain_of(c, &rays[i], -rays[i].c) : (double)INFINITY;
  for (int tries = 0; tries < SWAP_TRIES; tries++) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++)
      least = missed[i] < missed[least] ? i : least;
    if (!(missed[least] < (double)INFINITY))
      return false;
    take(c, &rays[least], -rays[least].c);
    taken[least] = false;
    uint32_t best = most_helpful(c, fit, rays, taken, missed[least] + 1e-6 * fabs(missed[least]));
    bool better = best < count && best != least;
    best = better ? best : least;
    take(c, &rays[best], rays[best].c);
    taken[best] = true;
    if (better)
      return true;
    missed[least] = INFINITY;
  }
  return false;
}

static void keep_taken(ct_fit *fit, uint32_t g, const ray *rays, const bool *taken) {
  for (uint32_t i = fit->count; i-- > 0;) {
    if (!taken[i]) {
      ct_fit_remove(fit, i);
      continue;
    }
    double complex change = rays[i].c / fit->amplitudes[(size_t)g * fit->room + i];
    for (uint32_t k = 0; k < fit->segment_count; k++)
      fit->amplitudes[(size_t)k * fit->room + i] *= change;
    fit->poles[i] = rays[i].pole;
    if (fit->kinds[i] == CT_KIND_STANDS_IN) /* its energy, since nothing was fitted */
      fit->risen[(size_t)g * fit->room + i] =
          0.25 * ct_square(rays[i].c) * fit->segments[g].rate_hz / rays[i].pole.decay;
  }
}

/* Squares of all cells that are heard in the recording. */
static double squares_left(const chooser *c) {
  double sum = 0;
  for (size_t k = 0; k < c->cells; k++)
    if (c->wanted[k] > db(0, c->least))
      sum += off_by(c, c->power[k], c->wanted[k]);
  return sum;
}

/* Chooses; returns the squares that are left. Negative: no memory. */
static double run_choice(ct_fit *fit, uint32_t g, const ct_choice *choice, bool aside) {
  chooser c;
  double complex *bins = NULL;
  bool memory = chooser_init(&c, &fit->segments[g]), *taken = calloc(fit->room + 1, sizeof *taken);
  double *gains = malloc((fit->room + 1) * sizeof *gains), left = -1;
  double complex *other = memory ? malloc(2 * c.bins * sizeof *other) : NULL;
  memory = memory && taken && gains && other;
  if (memory) {
    ray spare = {.v = other};
    add_stand_ins(&c, fit, g, choice, aside, &spare);
  }
  ray *rays = memory ? make_rays(&c, fit, g, &bins) : NULL;
  if (rays) {
    choose(&c, fit, rays, choice->most, taken, gains);
    move_all(&c, fit, rays, taken, other);
    for (int swaps = 0; swaps < SWAPS && swap_one(&c, fit, rays, taken, gains); swaps++)
      if (swaps % 4 == 3)
        move_all(&c, fit, rays, taken, other);
    for (int again = 0; again < 2; again++)
      move_all(&c, fit, rays, taken, other);
    left = squares_left(&c);
    keep_taken(fit, g, rays, taken);
  }
  free(rays);
  free(bins);
  free(other);
  free(taken);
  free(gains);
  chooser_free(&c);
  return left;
}

/* One after the other is not the best of all choices: two are made, with and without stand-ins aside. */
bool ct_choose(ct_fit *fit, uint32_t g, const ct_choice *choice) {
  ct_fit other;
  if (!ct_fit_copy(&other, fit))
    return false;
  double left = run_choice(fit, g, choice, false), left_other = run_choice(&other, g, choice, true);
  bool memory = left >= 0 && left_other >= 0;
  if (memory && left_other < left) {
    ct_fit swap = *fit;
    *fit = other;
    other = swap;
  }
  ct_fit_free(&other);
  return memory;
}
