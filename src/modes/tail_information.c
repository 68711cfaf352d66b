/* What the samples of a strike in a room tell about its parameters: of what is expected of them, and of how
 * they scatter.
 *
 * The first: with g the derivatives of the modes by the parameters and C the covariance of the samples it is
 * g' C^-1 g, and the filter of tail.c makes every column of g such that C becomes diagonal.
 *
 * The second, for which C would have to be multiplied out, is taken by frequency and time, where noise that
 * changes slowly has independent cells (Whittle 1953): in a band of B Hz and in T seconds there are B T
 * complex numbers of the power S, each of which tells (d log S)^2. Times e^(fall n) the tail is stationary,
 * and modes driven by it have the spectrum level |M|^2, M = sum of c / (1 - z e^(fall - i w)). */
#include "modes/tail.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 16, TIMES = 12 };

static const double pi = 3.14159265358979323846;
/* Bands: how wide they are, and how many of their widths away from a mode. */
static const double narrowest_hz = 1.5, widest_hz = 12, widths_away = 16;

/* ---- of what is expected ---- */

/* One column for every amplitude and every free pole; `states` has what the filter knows of each. */
typedef struct columns {
  uint32_t count, n;
  double *now, *states, *sum; /* [count], [count * n], [count * count] */
} columns;

/* The derivatives of sample k; at[mode] is z^(first sample of the block). */
static void fill_columns(const ct_tail *t, size_t k, const double complex *at, double *now) {
  const double *view = t->views + k % BLOCK * 2 * t->modes;
  double seconds = (double)k / t->rate_hz;
  for (uint32_t i = 0; i < t->modes; i++) {
    double complex z = ct_times_conj(at[i], view[2 * i] + CT_I * view[2 * i + 1]);
    now[2 * i] = creal(z);
    now[2 * i + 1] = -cimag(z);
    if (i < t->fixed)
      continue;
    double complex m = ct_times(t->c[i], z);
    double *out = now + 2 * (size_t)(t->modes + i - t->fixed);
    out[0] = -seconds * cimag(m);
    out[1] = -seconds * t->poles[i].decay * creal(m);
  }
}

/* Filters the columns' sample k, and adds their products. */
static void add_products(const ct_tail *t, size_t k, columns *c) {
  const double *view = t->views + k % BLOCK * c->n, *gain = t->gains + k * c->n;
  for (uint32_t i = 0; i < c->count; i++) {
    double *state = c->states + (size_t)i * c->n;
    double off = c->now[i] -= ct_dot(view, state, c->n);
    for (uint32_t l = 0; l < c->n; l++)
      state[l] += gain[l] * off;
  }
  for (uint32_t i = 0; i < c->count; i++) {
    double along = c->now[i] / t->spread[k];
    for (uint32_t l = 0; l <= i; l++)
      c->sum[(size_t)i * c->count + l] += along * c->now[l];
  }
}

static void turn_states(const ct_tail *t, columns *c) {
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t l = 0; l < t->modes; l++) {
      double *x = c->states + (size_t)i * c->n + 2 * (size_t)l;
      double complex z = ct_times(x[0] + CT_I * x[1], t->turns[l]);
      x[0] = creal(z);
      x[1] = cimag(z);
    }
}

/* Where column i stands among the parameters. */
static uint32_t place_of(const columns *c, uint32_t i) { return i < c->n ? i : i + 2; }

static bool add_expected(const ct_tail *t, double *matrix) {
  uint32_t all = ct_tail_parameters(t);
  columns c = {.count = all - 2, .n = 2 * t->modes};
  c.now = calloc(c.count + 1, sizeof *c.now);
  c.states = calloc((size_t)c.count * c.n + 1, sizeof *c.states);
  c.sum = calloc((size_t)c.count * c.count + 1, sizeof *c.sum);
  double complex *at = malloc((t->modes + 1) * sizeof *at);
  bool memory = c.now && c.states && c.sum && at;
  for (size_t k = 0; memory && k < t->count; k++) {
    if (k % BLOCK == 0 && k > 0)
      turn_states(t, &c);
    for (uint32_t i = 0; k % BLOCK == 0 && i < t->modes; i++)
      at[i] = k ? ct_times(at[i], t->turns[i]) : 1;
    fill_columns(t, k, at, c.now);
    add_products(t, k, &c);
  }
  for (uint32_t i = 0; memory && i < c.count; i++)
    for (uint32_t l = 0; l <= i; l++)
      matrix[(size_t)place_of(&c, i) * all + place_of(&c, l)] += c.sum[(size_t)i * c.count + l];
  free(at);
  free(c.now);
  free(c.states);
  free(c.sum);
  return memory;
}

/* ---- of how they scatter ---- */

/* z e^(fall) of every mode. A pole is not nearer to the circle than the time that is looked at tells. */
static void fill_poles(const ct_tail *t, double complex *z) {
  double least = 1 / (double)t->count;
  for (uint32_t i = 0; i < t->modes; i++) {
    double away = (t->poles[i].decay - t->fall) / t->rate_hz, angle = t->poles[i].omega / t->rate_hz;
    double size = exp(-(fabs(away) < least ? copysign(least, away) : away));
    z[i] = size * (cos(angle) + CT_I * sin(angle));
  }
}

static double complex one_over(double complex x) { return conj(x) / ct_square(x); }

/* |M|^2, and the derivatives of its logarithm by amplitudes and poles; those by the room are filled later. */
static double fill_row(const ct_tail *t, const double complex *z, double omega, double complex *answers,
                       double *row) {
  double complex m = 0, turn = cos(omega / t->rate_hz) - CT_I * sin(omega / t->rate_hz);
  uint32_t n = 2 * t->modes;
  for (uint32_t i = 0; i < t->modes; i++) {
    answers[2 * i] = one_over(1 - ct_times(turn, z[i]));
    answers[2 * i + 1] = one_over(1 - ct_times_conj(turn, z[i]));
    m += 0.5 * (ct_times(answers[2 * i], t->c[i]) + ct_times_conj(answers[2 * i + 1], t->c[i]));
  }
  double size = ct_square(m) + 1e-300;
  double complex over = conj(m) / size; /* 1 / M */
  for (uint32_t i = 0; i < t->modes; i++) {
    double complex up = ct_times(answers[2 * i], over), down = ct_times(answers[2 * i + 1], over);
    row[2 * i] = creal(up) + creal(down);
    row[2 * i + 1] = cimag(down) - cimag(up);
    if (i < t->fixed)
      continue;
    /* by log z, of 1 / (1 - z q): z q / (1 - z q)^2 */
    double complex by_z = ct_times(ct_times(up, answers[2 * i] - 1), t->c[i]),
                   by_conj = ct_times_conj(ct_times(down, answers[2 * i + 1] - 1), t->c[i]);
    double *out = row + n + 2 + 2 * (size_t)(i - t->fixed);
    out[0] = (cimag(by_conj) - cimag(by_z)) / t->rate_hz;
    out[1] = -(creal(by_z) + creal(by_conj)) * t->poles[i].decay / t->rate_hz;
  }
  return size;
}

/* Adds what a band tells; row has the derivatives of log |M|^2, and level |M|^2 2 fall / rate is
 * the power at the start. */
static void add_band(const ct_tail *t, double width_hz, double power, double *row, double *matrix) {
  uint32_t all = ct_tail_parameters(t), n = 2 * t->modes;
  double seconds = (double)t->count / t->rate_hz / TIMES, all_of_it = 0, late = 0, later = 0;
  for (int k = 0; k < TIMES; k++) {
    double at = seconds * (k + 0.5), here = power * exp(-2 * t->fall * at);
    double share = here / (here + t->noise), weight = share * share * seconds * width_hz;
    double by_fall = 1 - 2 * t->fall * at;
    all_of_it += weight;
    late += weight * by_fall;
    later += weight * by_fall * by_fall;
  }
  row[n] = row[n + 1] = 0;
  for (uint32_t i = 0; i < all; i++) {
    double along = all_of_it * row[i];
    for (uint32_t l = 0; l <= i; l++)
      matrix[(size_t)i * all + l] += along * row[l];
    /* whatever depends on the room beside it is below or above */
    matrix[(size_t)(i > n ? i : n) * all + (i > n ? n : i)] += all_of_it * row[i];
    if (i != n + 1)
      matrix[(size_t)(i > n + 1 ? i : n + 1) * all + (i > n + 1 ? n + 1 : i)] += late * row[i];
  }
  matrix[(size_t)n * all + n] += all_of_it;
  matrix[(size_t)(n + 1) * all + n] += late;
  matrix[(size_t)(n + 1) * all + n + 1] += later;
}

/* How wide the band from `hz` on is: narrow near a mode. */
static double width_at(const ct_tail *t, double hz) {
  double nearest = INFINITY;
  for (uint32_t i = 0; i < t->modes; i++)
    nearest = fmin(nearest, fabs(t->poles[i].omega / (2 * pi) - hz));
  return fmin(fmax(narrowest_hz, nearest / widths_away), widest_hz);
}

static void add_scatter(const ct_tail *t, const double complex *z, double complex *answers, double *row,
                        double *matrix) {
  double width;
  for (double hz = 0; hz < 0.5 * t->rate_hz; hz += width) {
    width = width_at(t, hz);
    double size = fill_row(t, z, 2 * pi * (hz + 0.5 * width), answers, row);
    add_band(t, width, size * t->level * 2 * t->fall / t->rate_hz, row, matrix);
  }
}

bool ct_tail_information(const ct_tail *t, double *matrix) {
  uint32_t all = ct_tail_parameters(t);
  double complex *z = malloc((3 * t->modes + 1) * sizeof *z);
  double *row = malloc((all + 1) * sizeof *row);
  memset(matrix, 0, (size_t)all * all * sizeof *matrix);
  bool memory = z && row && add_expected(t, matrix);
  if (memory && !t->expected_only) {
    fill_poles(t, z);
    add_scatter(t, z, z + t->modes, row, matrix);
  }
  for (uint32_t i = 0; memory && i < all; i++)
    for (uint32_t l = i + 1; l < all; l++)
      matrix[(size_t)i * all + l] = matrix[(size_t)l * all + i];
  free(z);
  free(row);
  return memory;
}
