/* Least squares would spend all modes on the loudest partials' last decibels. What is heard is levels: so
 * modes are chosen by log-spectral distance, one after the other, each time the one that lowers it most.
 * What a mode adds to the cells of a sound is known from one spectrum (levels.h). */
#include "modes/choose.h"
#include "modes/linear.h"
#include "modes/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BANDS = CT_CELL_BANDS, SWEEPS = 3, SWAPS = 24, SWAP_TRIES = 6 };

static const double slowest = 0.7; /* 1/s: what stands for a band rings 10 s at most */

/* ---- modes that stand for a band ---- */

/* A band in which nothing rings, such as a thump or a click, still has a level that falls. One mode in its
 * middle stands for it: the straight line through the levels of its cells, as far as they are over the floor.
 */
static bool line_through(const ct_levels *l, size_t band, double *first_db, double *nepers_s) {
  double floor_db = ct_levels_db(l, 0), n = 0, t = 0, tt = 0, y = 0, ty = 0;
  const double *wanted = l->wanted + band * l->frames;
  bool ended = wanted[0] <= floor_db;
  for (size_t f = 0; f < l->frames && !ended; f++) {
    double level = wanted[f], at = (double)f;
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
static double share_of_band(const ct_levels *l, const ct_fit *fit, uint32_t g, size_t band) {
  double all = 0, modes = 0, from = (double)l->edges[band] / (double)l->n * l->segment->rate_hz;
  double window = 0.375 * (double)l->frame; /* squares of Hann's */
  double to = (double)l->edges[band + 1] / (double)l->n * l->segment->rate_hz;
  for (size_t f = 0; f < l->frames; f++)
    all += pow(10, l->wanted[band * l->frames + f] / 10);
  for (uint32_t i = 0; i < fit->count; i++) {
    double hz = fit->poles[i].omega / (2 * M_PI), decay = fit->poles[i].decay;
    double frames = 1 / (2 * decay * CT_CELL_HOP_S),
           size = ct_square(fit->amplitudes[(size_t)g * fit->room + i]);
    if (hz >= from && hz < to && decay < 60 && fit->kinds[i] != CT_KIND_STANDS_IN) /* what rings 0.1 s */
      modes += 0.25 * size * window * (double)l->n * fmin(frames, (double)l->frames);
  }
  return modes / all;
}

/* Adds them to the fit, as far as there is room, to bands in which nothing rings: one in the middle and, if
 * `aside`, one on each side of it, since a band of noise has a wandering level, which takes more than one to
 * follow. */
static void add_stand_ins(const ct_levels *l, ct_fit *fit, uint32_t g, const ct_choice *choice, bool aside,
                          ct_shape *r) {
  for (size_t k = 0; k < CT_STAND_INS && fit->count < fit->room; k++) {
    size_t b = k / 3;
    double level_db, decay, middle = ct_cells_middle_hz((uint32_t)b, l->segment->rate_hz);
    double wide = (double)(l->edges[b + 1] - l->edges[b]) / (double)l->n * l->segment->rate_hz;
    double hz = middle + ((double)(k % 3) - 1) * 0.3 * wide;
    if ((k % 3 != 1 && !aside) || hz < choice->lo_hz || hz > choice->hi_hz ||
        share_of_band(l, fit, g, b) > 0.5 || !line_through(l, b, &level_db, &decay))
      continue;
    ct_pole pole = {2 * M_PI * hz, fmin(decay, 3000)};
    ct_shape_aim(l, r, pole);
    ct_fit_add(fit, pole);
    fit->kinds[fit->count - 1] = CT_KIND_STANDS_IN;
    fit->amplitudes[(size_t)g * fit->room + fit->count - 1] = sqrt(pow(10, level_db / 10) / r->own[b]);
  }
}

/* ---- choosing ---- */

/* Modes that outlast a room, or may, were found in its silence: they are taken as they are. */
static bool is_fixed(const ct_fit *fit, uint32_t mode) {
  return fit->kinds[mode] == CT_KIND_OUTLASTS || fit->kinds[mode] == CT_KIND_MAY_OUTLAST;
}

/* Spectra of all modes; null without memory. */
static ct_shape *make_shapes(const ct_levels *l, const ct_fit *fit, uint32_t g, double complex **bins) {
  ct_shape *shapes = calloc(fit->count + 1, sizeof *shapes);
  *bins = malloc((fit->count + 1) * 2 * l->bins * sizeof **bins);
  if (!shapes || !*bins) {
    free(shapes);
    free(*bins);
    *bins = NULL;
    return NULL;
  }
  for (uint32_t i = 0; i < fit->count; i++) {
    shapes[i].bins = *bins + 2 * i * l->bins;
    shapes[i].c = fit->amplitudes[(size_t)g * fit->room + i];
    ct_shape_aim(l, &shapes[i], fit->poles[i]);
  }
  return shapes;
}

/* By how much the squares fall when the shape is added with that amplitude. */
static double gain_of(ct_levels *l, const ct_shape *shape, double complex amplitude) {
  ct_levels_look(l, shape);
  return ct_levels_gain(l, shape, amplitude);
}

/* Gains only get smaller as more is there, but for beats: so a mode whose last gain is below the best one so
 * far need not be asked again. */
static void choose(ct_levels *l, const ct_fit *fit, const ct_shape *shapes, uint32_t most, bool *taken,
                   double *gains) {
  uint32_t count = fit->count, n = 0;
  for (uint32_t i = 0; i < count; i++) {
    gains[i] = INFINITY;
    if (is_fixed(fit, i) && n < most) {
      taken[i] = true;
      ct_levels_add(l, &shapes[i], shapes[i].c);
      n++;
    }
  }
  for (; n < most && n < count; n++) {
    uint32_t best = count;
    double gain = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
      if (taken[i] || 1.3 * gains[i] < gain)
        continue;
      gains[i] = gain_of(l, &shapes[i], shapes[i].c);
      if (gains[i] > gain) {
        gain = gains[i];
        best = i;
      }
    }
    if (best == count || gain <= 0)
      return;
    taken[best] = true;
    ct_levels_add(l, &shapes[best], shapes[best].c);
  }
}

/* How a mode may be moved: factors of gain, decay and frequency, and by what its phase turns. Only what
 * stands for a band has no frequency of its own. */
typedef struct move {
  double gain, decay, omega, turn_rad;
} move;

/* Lets a mode stand for what was left out beside it: it is moved as long as the cells come nearer. */
static void move_mode(ct_levels *l, ct_shape *r, bool stands_in,
                      double complex *other_bins, /* NOLINT: written */
                      double step) {
  double up = 1 + step, fast = 1 + 2 * step, high = 1 + 0.2 * step;
  const move moves[] = {{1, 1, 1, 0},
                        {up, 1, 1, 0},
                        {1 / up, 1, 1, 0},
                        {1, 1, 1, 5 * step},
                        {1, 1, 1, -5 * step},
                        {1, fast, 1, 0},
                        {sqrt(fast), fast, 1, 0},
                        {1, 1 / fast, 1, 0},
                        {1 / sqrt(fast), 1 / fast, 1, 0},
                        {1, 1, high, 0},
                        {1, 1, 1 / high, 0}};
  const int move_count = stands_in ? 11 : 9;
  ct_levels_add(l, r, -r->c);
  double best = -INFINITY;
  ct_pole pole = r->pole;
  double complex amplitude = r->c;
  ct_shape trial = {.bins = other_bins};
  for (int i = 0; i < move_count; i++) {
    ct_pole moved = {moves[i].omega * r->pole.omega, moves[i].decay * r->pole.decay};
    if (stands_in && moved.decay < slowest)
      continue;
    if (moved.omega != trial.pole.omega || moved.decay != trial.pole.decay) {
      ct_shape_aim(l, &trial, moved);
      ct_levels_look(l, &trial);
    }
    double complex turn = cos(moves[i].turn_rad) + CT_I * sin(moves[i].turn_rad);
    double complex louder = moves[i].gain * ct_times(r->c, turn);
    double gain = ct_levels_gain(l, &trial, louder);
    if (gain > best) {
      best = gain;
      pole = moved;
      amplitude = louder;
    }
  }
  ct_shape_aim(l, r, pole);
  r->c = amplitude;
  ct_levels_add(l, r, r->c);
}

static void move_all(ct_levels *l, const ct_fit *fit, ct_shape *shapes, const bool *taken,
                     double complex *other_bins) {
  static const double steps[] = {0.3, 0.12, 0.05};
  for (int pass = 0; pass < 3; pass++)
    for (int sweep = 0; sweep < SWEEPS; sweep++)
      for (uint32_t i = 0; i < fit->count; i++)
        if (taken[i] && !is_fixed(fit, i))
          move_mode(l, &shapes[i], fit->kinds[i] == CT_KIND_STANDS_IN, other_bins, steps[pass]);
}

/* What a mode would help; one that stands for a band may turn its phase to help most. */
static double help_of(ct_levels *l, ct_shape *r, bool stands_in) {
  double complex at = r->c;
  double best = gain_of(l, r, at);
  for (int turn = 1; stands_in && turn < 4; turn++) {
    at = ct_times(at, CT_I);
    double gain = ct_levels_gain(l, r, at);
    if (gain > best) {
      best = gain;
      r->c = at;
    }
  }
  return best;
}

/* The mode that helps most beside those that were taken; `count`: none helps more than `least`. */
static uint32_t most_helpful(ct_levels *l, const ct_fit *fit, ct_shape *shapes, const bool *taken,
                             double least) {
  uint32_t best = fit->count;
  for (uint32_t i = 0; i < fit->count; i++) {
    double helped = taken[i] ? (double)-INFINITY : help_of(l, &shapes[i], fit->kinds[i] == CT_KIND_STANDS_IN);
    if (helped > least) {
      least = helped;
      best = i;
    }
  }
  return best;
}

/* Puts another mode in the place of one of those that would be missed least, if it helps more. */
static bool swap_one(ct_levels *l, const ct_fit *fit, ct_shape *shapes, bool *taken, double *missed) {
  uint32_t count = fit->count;
  if (count == 0)
    return false;
  for (uint32_t i = 0; i < count; i++)
    missed[i] = taken[i] && !is_fixed(fit, i) ? -gain_of(l, &shapes[i], -shapes[i].c) : (double)INFINITY;
  for (int tries = 0; tries < SWAP_TRIES; tries++) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++)
      least = missed[i] < missed[least] ? i : least;
    if (!(missed[least] < (double)INFINITY))
      return false;
    ct_levels_add(l, &shapes[least], -shapes[least].c);
    taken[least] = false;
    uint32_t best = most_helpful(l, fit, shapes, taken, missed[least] + 1e-6 * fabs(missed[least]));
    bool better = best < count && best != least;
    best = better ? best : least;
    ct_levels_add(l, &shapes[best], shapes[best].c);
    taken[best] = true;
    if (better)
      return true;
    missed[least] = INFINITY;
  }
  return false;
}

static void keep_taken(ct_fit *fit, uint32_t g, const ct_shape *shapes, const bool *taken) {
  for (uint32_t i = fit->count; i-- > 0;) {
    if (!taken[i]) {
      ct_fit_remove(fit, i);
      continue;
    }
    double complex change = shapes[i].c / fit->amplitudes[(size_t)g * fit->room + i];
    for (uint32_t k = 0; k < fit->segment_count; k++)
      fit->amplitudes[(size_t)k * fit->room + i] *= change;
    fit->poles[i] = shapes[i].pole;
    if (fit->kinds[i] == CT_KIND_STANDS_IN) /* its energy, since nothing was fitted */
      fit->risen[(size_t)g * fit->room + i] =
          0.25 * ct_square(shapes[i].c) * fit->segments[g].rate_hz / shapes[i].pole.decay;
  }
}

/* Chooses; returns the squares that are left. Negative: no memory. */
static double run_choice(ct_fit *fit, uint32_t g, const ct_choice *choice, bool aside) {
  ct_levels levels;
  double complex *bins = NULL;
  bool memory = ct_levels_init(&levels, &fit->segments[g]), *taken = calloc(fit->room + 1, sizeof *taken);
  double *gains = malloc((fit->room + 1) * sizeof *gains), left = -1;
  double complex *other = memory ? malloc(2 * levels.bins * sizeof *other) : NULL;
  memory = memory && taken && gains && other;
  if (memory) {
    ct_shape spare = {.bins = other};
    add_stand_ins(&levels, fit, g, choice, aside, &spare);
  }
  ct_shape *shapes = memory ? make_shapes(&levels, fit, g, &bins) : NULL;
  if (shapes) {
    choose(&levels, fit, shapes, choice->most, taken, gains);
    move_all(&levels, fit, shapes, taken, other);
    for (int swaps = 0; swaps < SWAPS && swap_one(&levels, fit, shapes, taken, gains); swaps++)
      if (swaps % 4 == 3)
        move_all(&levels, fit, shapes, taken, other);
    for (int again = 0; again < 2; again++)
      move_all(&levels, fit, shapes, taken, other);
    left = ct_levels_squares(&levels);
    keep_taken(fit, g, shapes, taken);
  }
  free(shapes);
  free(bins);
  free(other);
  free(taken);
  free(gains);
  ct_levels_free(&levels);
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
