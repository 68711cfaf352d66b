/* What the samples of a strike in a room tell about its parameters: of what is expected of them, and of how
 * they scatter. Both are sums of products of rows, each of which has a number for every parameter; in these
 * rows amplitudes are as in tail.h (real parts first), then come omega and log decay of every free pole, and
 * the room at the end.
 *
 * The first: with g the derivatives of the modes by the parameters and C the covariance of the samples it is
 * g' C^-1 g, and the filter of tail.c makes every column of g such that C becomes diagonal.
 *
 * The second, for which C would have to be multiplied out, is taken by frequency and time, where noise that
 * changes slowly has independent cells (Whittle 1953): in a band of B Hz and in T seconds there are B T
 * complex numbers of the power S, each of which tells (d log S)^2. Times e^(fall n) the tail is stationary,
 * and modes driven by it have the spectrum level |M|^2, M = sum of c / (1 - z e^(fall - i w)). */
#include "modes/lanes.h"
#include "modes/linear.h"
#include "modes/product.h"
#include "modes/tail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = CT_TAIL_BLOCK, TIMES = 12 };

static const double pi = 3.14159265358979323846;
/* Bands: how wide they are, and how many of their widths away from a mode. */
static const double narrowest_hz = 1.5, widest_hz = 12, widths_away = 16;

/* Numbers of a row: a multiple of four. */
typedef struct rows {
  uint32_t poles, room, count; /* where poles and the room begin, and all of it */
  double *sum;                 /* [count][count] */
} rows;

/* Where parameter k is in a row. */
static uint32_t place_of(const ct_tail *t, const rows *r, uint32_t k) {
  const uint32_t n = 2 * t->modes;
  return k < n ? k / 2 + k % 2 * t->width : k < n + 2 ? r->room + k - n : r->poles + k - n - 2;
}

/* ---- of what is expected ---- */

/* The derivatives of a block's samples, at[] the modes' z^(its first sample). */
static void fill_expected(const ct_tail *t, size_t block, const double complex *at, const rows *r,
                          double *now) {
  for (size_t k = 0; k < BLOCK; k++) {
    const double *view = t->views + k * 2 * t->width;
    double *row = now + k * r->count, seconds = (double)(block * BLOCK + k) / t->rate_hz;
    for (uint32_t i = 0; i < t->modes; i++) {
      double complex z = ct_times_conj(at[i], view[i] + CT_I * view[t->width + i]);
      row[i] = creal(z);
      row[t->width + i] = -cimag(z);
      if (i < t->fixed)
        continue;
      double complex m = ct_times(t->c[i], z);
      double *out = row + r->poles + 2 * (size_t)(i - t->fixed);
      out[0] = -seconds * cimag(m);
      out[1] = -seconds * t->poles[i].decay * creal(m);
    }
  }
}

/* What the filter knows of every column, but for the sign, turns: states[n][count]. */
CT_WIDE static void turn_states(const ct_tail *t, uint32_t count, double *states) {
  for (size_t i = 0; i < t->width; i++) {
    double *restrict x = states + i * count, *restrict y = x + (size_t)t->width * count;
    double c = t->turns[i], s = t->turns[t->width + i];
    for (size_t l = 0; l < count; l++) {
      double re = x[l], im = y[l];
      x[l] = c * re - s * im;
      y[l] = s * re + c * im;
    }
  }
}

static bool add_expected(const ct_tail *t, rows *r) {
  const uint32_t n = 2 * t->width, count = r->count;
  const size_t size = BLOCK * (size_t)count;
  double *states = calloc(n * (size_t)count + 1, sizeof *states);
  double *now = calloc(2 * size + 1, sizeof *now), *left = now ? now + size : NULL;
  double complex *at = malloc((t->modes + 1) * sizeof *at);
  bool memory = states && now && at;
  for (size_t block = 0; memory && block < ct_tail_blocks(t); block++) {
    for (uint32_t i = 0; i < t->modes; i++)
      at[i] = block ? ct_times(at[i], t->turns[i] + CT_I * t->turns[t->width + i]) : 1;
    if (block)
      turn_states(t, count, states);
    fill_expected(t, block, at, r, now);
    ct_add_product(BLOCK, n, count, t->views, n, 1, states, now);
    ct_tail_unmix(t, block, count, now, left);
    ct_add_symmetric(count, BLOCK, 1, left, left, r->sum);
    for (size_t k = 0; k < size; k++)
      left[k] = -left[k];
    ct_add_product(n, BLOCK, count, ct_tail_block_of(t, block).gains, 1, n, left, states);
  }
  free(at);
  free(states);
  free(now);
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

/* |M|^2, and the derivatives of its logarithm by amplitudes and poles; the rest of the row is 0. */
static double fill_row(const ct_tail *t, const double complex *z, double omega, double complex *answers,
                       const rows *r, double *row) {
  double complex m = 0, turn = cos(omega / t->rate_hz) - CT_I * sin(omega / t->rate_hz);
  for (uint32_t i = 0; i < t->modes; i++) {
    answers[2 * i] = one_over(1 - ct_times(turn, z[i]));
    answers[2 * i + 1] = one_over(1 - ct_times_conj(turn, z[i]));
    m += 0.5 * (ct_times(answers[2 * i], t->c[i]) + ct_times_conj(answers[2 * i + 1], t->c[i]));
  }
  double size = ct_square(m) + 1e-300;
  double complex over = conj(m) / size; /* 1 / M */
  for (uint32_t i = 0; i < t->modes; i++) {
    double complex up = ct_times(answers[2 * i], over), down = ct_times(answers[2 * i + 1], over);
    row[i] = creal(up) + creal(down);
    row[t->width + i] = cimag(down) - cimag(up);
    if (i < t->fixed)
      continue;
    /* by log z, of 1 / (1 - z q): z q / (1 - z q)^2 */
    double complex by_z = ct_times(ct_times(up, answers[2 * i] - 1), t->c[i]),
                   by_conj = ct_times_conj(ct_times(down, answers[2 * i + 1] - 1), t->c[i]);
    double *out = row + r->poles + 2 * (size_t)(i - t->fixed);
    out[0] = (cimag(by_conj) - cimag(by_z)) / t->rate_hz;
    out[1] = -(creal(by_z) + creal(by_conj)) * t->poles[i].decay / t->rate_hz;
  }
  return size;
}

/* Makes a row of what a band tells from the derivatives of log |M|^2, where level |M|^2 2 fall / rate is the
 * power at the start: all are by the same share as that by log level, but by log fall it is 1 - 2 fall t more
 * or less of it. What that scatters by is added to the sum. */
static void finish_row(const ct_tail *t, double width_hz, double power, rows *r, double *row) {
  double seconds = (double)t->count / t->rate_hz / TIMES, all_of_it = 1e-300, late = 0, later = 0;
  for (int k = 0; k < TIMES; k++) {
    double at = seconds * (k + 0.5), here = power * exp(-2 * t->fall * at);
    double share = here / (here + t->noise), weight = share * share * seconds * width_hz;
    double by_fall = 1 - 2 * t->fall * at;
    all_of_it += weight;
    late += weight * by_fall;
    later += weight * by_fall * by_fall;
  }
  row[r->room] = 1;
  row[r->room + 1] = late / all_of_it;
  for (uint32_t i = 0; i < r->count; i++)
    row[i] *= sqrt(all_of_it);
  r->sum[(r->room + 1) * (size_t)(r->count + 1)] += later - late * late / all_of_it;
}

/* How wide the band from `hz` on is: narrow near a mode. */
static double width_at(const ct_tail *t, double hz) {
  double nearest = INFINITY;
  for (uint32_t i = 0; i < t->modes; i++)
    nearest = fmin(nearest, fabs(t->poles[i].omega / (2 * pi) - hz));
  return fmin(fmax(narrowest_hz, nearest / widths_away), widest_hz);
}

static bool add_scatter(const ct_tail *t, rows *r) {
  double complex *z = malloc((3 * t->modes + 1) * sizeof *z);
  double *row = calloc(BLOCK * (size_t)r->count + 1, sizeof *row), width;
  uint32_t filled = 0;
  if (z && row)
    fill_poles(t, z);
  for (double hz = 0; z && row && hz < 0.5 * t->rate_hz; hz += width) {
    double *here = row + filled++ * (size_t)r->count;
    width = width_at(t, hz);
    double size = fill_row(t, z, 2 * pi * (hz + 0.5 * width), z + t->modes, r, here);
    finish_row(t, width, size * t->level * 2 * t->fall / t->rate_hz, r, here);
    if (filled < BLOCK && hz + width < 0.5 * t->rate_hz)
      continue;
    ct_add_symmetric(r->count, filled, 1, row, row, r->sum);
    filled = 0;
  }
  bool memory = z && row;
  free(z);
  free(row);
  return memory;
}

bool ct_tail_information(const ct_tail *t, double *matrix) {
  const uint32_t all = ct_tail_parameters(t), poles = 2 * t->width, room = poles + 2 * (t->modes - t->fixed);
  rows r = {poles, room, (room + 5) & ~3u, NULL};
  r.sum = calloc((size_t)r.count * r.count, sizeof *r.sum);
  bool memory = r.sum && add_expected(t, &r) && (t->expected_only || add_scatter(t, &r));
  for (uint32_t i = 0; memory && i < all; i++)
    for (uint32_t l = 0; l < all; l++)
      matrix[(size_t)i * all + l] = r.sum[(size_t)place_of(t, &r, i) * r.count + place_of(t, &r, l)];
  free(r.sum);
  return memory;
}
