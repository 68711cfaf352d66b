/* Variable projection with closed sums.
 *
 * Given the poles the amplitudes are linear: A a = b with A the inner products of the modes. Inner products
 * of damped sinusoids over 0 .. N-1 are geometric sums,
 *
 *   <Re(P n^j z^n), Re(Q n^k y^n)> = 1/2 Re(P conj(Q) S(z conj(y)) + P Q S(z y)),  S(w) = sum n^(j+k) w^n
 *
 * so that only the sums over data, X0 = sum x z^n and X1 = sum n x z^n, take a pass over the samples. With
 * J the derivatives by the poles, P = i c / rate for w and -c / rate for s, the step d of the poles solves
 *
 *   (D - B' A^-1 B) d = J' r,   B = <modes, J>, D = <J, J>, r the residual at the best amplitudes
 *
 * which is Gauss and Newton's step for poles and amplitudes together (Golub and Pereyra 1973); Levenberg and
 * Marquardt's factor guards it. Segments add up. */
#include "modes/fit.h"
#include "modes/lanes.h"
#include "modes/linear.h"
#include "modes/moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 };

static const double silent = 18.5; /* nepers: 160 dB down nothing is left of a mode */

/* Geometric sums of the quotient and of the product of two poles. */
typedef struct products {
  double complex apart[3], along[3];
} products;

/* Everything that a step takes, for one set of poles. */
typedef struct state {
  uint32_t n;                   /* twice the modes */
  double *a, *b, *d;            /* n x n each: of one segment */
  products *products;           /* of modes i and l <= i at [i (i + 1) / 2 + l]: of one segment */
  double *schur, *gradient;     /* of all segments */
  double *right, *solved, *row; /* n */
  double squares;
} state;

/* X0 and X1 of a mode, and what they were summed for. */
typedef struct ct_sums {
  double complex x0, x1;
  ct_pole pole;
  const double *x;
  size_t count;
} ct_sums;

/* Of a segment's samples, and which these were. */
typedef struct ct_energy {
  const double *x;
  size_t count;
  double value;
} ct_energy;

bool ct_fit_init(ct_fit *fit, const ct_segment *segments, uint32_t segment_count, uint32_t room) {
  *fit = (ct_fit){.segments = segments, .segment_count = segment_count, .room = room};
  fit->poles = calloc(room, sizeof *fit->poles);
  fit->risen = calloc((size_t)room * segment_count, sizeof *fit->risen);
  fit->errors = calloc((size_t)room * segment_count, sizeof *fit->errors);
  fit->kinds = calloc(room, sizeof *fit->kinds);
  fit->amplitudes = calloc((size_t)room * segment_count, sizeof *fit->amplitudes);
  fit->sums = calloc((size_t)room * segment_count, sizeof *fit->sums);
  fit->energies = calloc(segment_count, sizeof *fit->energies);
  if (fit->poles && fit->risen && fit->errors && fit->amplitudes && fit->sums && fit->kinds && fit->energies)
    return true;
  ct_fit_free(fit);
  return false;
}

void ct_fit_free(ct_fit *fit) {
  free(fit->poles);
  free(fit->risen);
  free(fit->errors);
  free(fit->amplitudes);
  free(fit->sums);
  free(fit->kinds);
  free(fit->energies);
  *fit = (ct_fit){0};
}

bool ct_fit_copy(ct_fit *to, const ct_fit *from) {
  if (!ct_fit_init(to, from->segments, from->segment_count, from->room))
    return false;
  size_t cells = (size_t)from->room * from->segment_count;
  memcpy(to->poles, from->poles, from->room * sizeof *to->poles);
  memcpy(to->amplitudes, from->amplitudes, cells * sizeof *to->amplitudes);
  memcpy(to->risen, from->risen, cells * sizeof *to->risen);
  memcpy(to->errors, from->errors, cells * sizeof *to->errors);
  memcpy(to->sums, from->sums, cells * sizeof *to->sums);
  memcpy(to->kinds, from->kinds, from->room * sizeof *to->kinds);
  memcpy(to->energies, from->energies, from->segment_count * sizeof *to->energies);
  to->count = from->count;
  to->exact = from->exact;
  to->squares = from->squares;
  return true;
}

double ct_fit_least_decay(const ct_segment *s) { return 0.05 * s->rate_hz / (double)s->count; }

void ct_fit_add(ct_fit *fit, ct_pole pole) {
  if (fit->count == fit->room)
    return;
  for (uint32_t g = 0; g < fit->segment_count; g++)
    fit->amplitudes[(size_t)g * fit->room + fit->count] = fit->risen[(size_t)g * fit->room + fit->count] =
        fit->errors[(size_t)g * fit->room + fit->count] = 0;
  fit->kinds[fit->count] = CT_KIND_PLAIN;
  fit->poles[fit->count++] = pole;
}

void ct_fit_remove(ct_fit *fit, uint32_t mode) {
  uint32_t after = --fit->count - mode;
  memmove(fit->poles + mode, fit->poles + mode + 1, after * sizeof *fit->poles);
  memmove(fit->kinds + mode, fit->kinds + mode + 1, after * sizeof *fit->kinds);
  for (uint32_t g = 0; g < fit->segment_count; g++) {
    double complex *at = fit->amplitudes + (size_t)g * fit->room + mode;
    double *risen = fit->risen + (size_t)g * fit->room + mode;
    double *errors = fit->errors + (size_t)g * fit->room + mode;
    ct_sums *sums = fit->sums + (size_t)g * fit->room + mode;
    memmove(at, at + 1, after * sizeof *at);
    memmove(sums, sums + 1, after * sizeof *sums);
    memmove(risen, risen + 1, after * sizeof *risen);
    memmove(errors, errors + 1, after * sizeof *errors);
  }
}

/* ---- passes over samples ---- */

/* z^k of a block, and how many samples of a mode are worth summing. */
typedef struct powers {
  double re[BLOCK], im[BLOCK];
  double complex block; /* z^BLOCK */
  size_t count;
} powers;

static powers powers_of(ct_pole pole, double rate_hz, size_t count) {
  powers p;
  for (int k = 0; k < BLOCK; k++) {
    double size = exp(-pole.decay * k / rate_hz), angle = pole.omega * k / rate_hz;
    p.re[k] = size * cos(angle);
    p.im[k] = size * sin(angle);
  }
  double size = exp(-pole.decay * BLOCK / rate_hz), angle = pole.omega * BLOCK / rate_hz;
  p.block = size * cos(angle) + CT_I * (size * sin(angle));
  double heard = ceil(silent * rate_hz / pole.decay);
  p.count = heard < (double)count ? (size_t)heard : count;
  return p;
}

/* sum x z^k and sum k x z^k over one block. */
static inline void sum_block(const double *x, const powers *p, double sums[4]) {
  ct_lanes re0 = {0}, im0 = {0}, re1 = {0}, im1 = {0}, k = {0, 1};
  for (int i = 0; i < BLOCK; i += 2) {
    ct_lanes x2 = ct_load(x + i), z_re = x2 * ct_load(p->re + i), z_im = x2 * ct_load(p->im + i);
    re0 += z_re;
    im0 += z_im;
    re1 += k * z_re;
    im1 += k * z_im;
    k += ct_both(2);
  }
  sums[0] = ct_sum_lanes(re0);
  sums[1] = ct_sum_lanes(im0);
  sums[2] = ct_sum_lanes(re1);
  sums[3] = ct_sum_lanes(im1);
}

/* Adds the sums over samples from .. to - 1. */
static void add_samples(const ct_segment *s, const powers *p, double complex at, size_t from, size_t to,
                        double complex *x0, double complex *x1) {
  for (size_t n = from; n < to; n += BLOCK) {
    double sums[4], rest[BLOCK] = {0};
    const double *x = s->x + n;
    if (n + BLOCK > to) {
      memcpy(rest, x, (to - n) * sizeof *x);
      x = rest;
    }
    sum_block(x, p, sums);
    double complex whole = sums[0] + CT_I * sums[1], first = sums[2] + CT_I * sums[3];
    *x0 += ct_times(at, whole);
    *x1 += ct_times(at, first + (double)n * whole);
    at = ct_times(at, p->block);
  }
}

/* X0 and X1 of one mode. */
static void correlate(const ct_segment *s, ct_pole pole, double complex *x0, double complex *x1) {
  powers p = powers_of(pole, s->rate_hz, s->count);
  size_t from = 0, to = p.count;
  *x0 = *x1 = 0;
  if (!s->moments || !ct_moments_sum(s->moments, s->x, pole, &from, &to, x0, x1)) {
    add_samples(s, &p, 1, 0, p.count, x0, x1);
    return;
  }
  double size = exp(-pole.decay * (double)to / s->rate_hz), angle = pole.omega * (double)to / s->rate_hz;
  add_samples(s, &p, 1, 0, from, x0, x1);
  add_samples(s, &p, size * cos(angle) + CT_I * (size * sin(angle)), to, p.count, x0, x1);
}

void ct_fit_add_modes(const ct_pole *poles, const double complex *amplitudes, uint32_t modes, double rate_hz,
                      double factor, double *out, size_t count) {
  for (uint32_t i = 0; i < modes; i++) {
    powers p = powers_of(poles[i], rate_hz, count);
    double complex at = factor * amplitudes[i];
    for (size_t n = 0; n < p.count; n += BLOCK) {
      double re = creal(at), im = cimag(at);
      size_t length = count - n < BLOCK ? count - n : BLOCK;
      for (size_t k = 0; k < length; k++)
        out[n + k] += re * p.re[k] - im * p.im[k];
      at = ct_times(at, p.block);
    }
  }
}

void ct_fit_residual(const ct_fit *fit, uint32_t g, double *residual) {
  const ct_segment *s = &fit->segments[g];
  memcpy(residual, s->x, s->count * sizeof *residual);
  ct_fit_add_modes(fit->poles, fit->amplitudes + (size_t)g * fit->room, fit->count, s->rate_hz, -1, residual,
                   s->count);
}

/* ---- closed sums ---- */

/* sum w^n, sum n w^n, sum n^2 w^n over n < count, w = exp(re + i im). From (1 - w) S_0 = 1 - w^N and, for the
 * next ones, sums of w^n (n^k - (n-1)^k). 1 - w is formed without cancellation. */
static void geometric(double re, double im, double count, double complex sums[3]) {
  double half = sin(0.5 * im), last = count - 1;
  double complex gap = (2 * half * half - expm1(re) * cos(im)) - CT_I * (exp(re) * sin(im));
  double complex one_over = conj(gap) / ct_square(gap), end = 0;
  if (re * count > -80) {
    double size = exp(re * count);
    end = size * cos(im * count) + CT_I * (size * sin(im * count));
  }
  sums[0] = ct_times(1 - end, one_over);
  sums[1] = ct_times(sums[0] - 1 - last * end, one_over);
  sums[2] = ct_times(2 * sums[1] - sums[0] + 1 - last * last * end, one_over);
}

/* 1/2 Re(P conj(Q) D + P Q E). */
static inline double inner(double complex p, double complex q, double complex d, double complex e) {
  return 0.5 * (creal(ct_times(ct_times_conj(p, q), d)) + creal(ct_times(ct_times(p, q), e)));
}

/* Sums of products of two modes, and the 2 x 2 block of A between them. */
static void fill_products(const ct_segment *s, ct_pole pi, ct_pole pl, uint32_t i, uint32_t l, state *t) {
  products *sums = &t->products[(size_t)i * (i + 1) / 2 + l];
  double re = -(pi.decay + pl.decay) / s->rate_hz, count = (double)s->count;
  geometric(re, (pi.omega - pl.omega) / s->rate_hz, count, sums->apart);
  geometric(re, (pi.omega + pl.omega) / s->rate_hz, count, sums->along);
  const double complex unit[2] = {1, CT_I};
  for (uint32_t p = 0; p < 2; p++)
    for (uint32_t q = 0; q < 2; q++) {
      size_t at = (size_t)(2 * i + p) * t->n + 2 * l + q, mirror = (size_t)(2 * l + q) * t->n + 2 * i + p;
      t->a[at] = t->a[mirror] = inner(unit[p], unit[q], sums->apart[0], sums->along[0]);
    }
}

/* The blocks of B and D between modes i and l of these amplitudes. */
static void fill_slopes(double rate_hz, double complex ci, double complex cl, uint32_t i, uint32_t l,
                        state *t) {
  const products *sums = &t->products[(size_t)i * (i + 1) / 2 + l];
  const double complex unit[2] = {1, CT_I};
  const double complex ji[2] = {CT_I * ci / rate_hz, -ci / rate_hz};
  const double complex jl[2] = {CT_I * cl / rate_hz, -cl / rate_hz};
  for (uint32_t p = 0; p < 2; p++)
    for (uint32_t q = 0; q < 2; q++) {
      size_t at = (size_t)(2 * i + p) * t->n + 2 * l + q, mirror = (size_t)(2 * l + q) * t->n + 2 * i + p;
      t->d[at] = t->d[mirror] = inner(ji[p], jl[q], sums->apart[2], sums->along[2]);
      t->b[at] = inner(unit[p], jl[q], sums->apart[1], sums->along[1]);
      /* <mode l, J i>: the same sums with w conjugated where the order turns */
      t->b[mirror] = inner(ji[p], unit[q], sums->apart[1], sums->along[1]);
    }
}

/* ---- one evaluation ---- */

static void state_free(state *t) {
  double **parts[] = {&t->a, &t->b, &t->d, &t->schur, &t->gradient, &t->right, &t->solved, &t->row};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    free(*parts[i]);
    *parts[i] = NULL;
  }
  free(t->products);
  t->products = NULL;
}

static bool state_init(state *t, uint32_t modes) {
  uint32_t n = t->n = 2 * modes;
  double **square[] = {&t->a, &t->b, &t->d, &t->schur},
         **line[] = {&t->gradient, &t->right, &t->solved, &t->row};
  t->products = malloc(((size_t)modes * (modes + 1) / 2 + 1) * sizeof *t->products);
  bool all = t->products != NULL;
  for (int i = 0; i < 4; i++) {
    *square[i] = malloc(((size_t)n * n + 1) * sizeof(double));
    *line[i] = malloc((n + 1) * sizeof(double));
    all = all && *square[i] && *line[i];
  }
  return all;
}

/* Of a segment's samples; kept for as long as they are the same. */
static double energy_of(ct_fit *fit, uint32_t g) {
  const ct_segment *s = &fit->segments[g];
  ct_energy *e = &fit->energies[g];
  if (e->x == s->x && e->count == s->count)
    return e->value;
  *e = (ct_energy){s->x, s->count, 0};
  for (size_t n = 0; n < s->count; n++)
    e->value += s->x[n] * s->x[n];
  return e->value;
}

/* The sums are kept for as long as pole and samples stay. */
static const ct_sums *sums_of(ct_fit *fit, uint32_t g, uint32_t i) {
  const ct_segment *s = &fit->segments[g];
  ct_sums *k = &fit->sums[(size_t)g * fit->room + i];
  ct_pole p = fit->poles[i];
  if (k->x == s->x && k->count == s->count && k->pole.omega == p.omega && k->pole.decay == p.decay)
    return k;
  *k = (ct_sums){.pole = p, .x = s->x, .count = s->count};
  correlate(s, p, &k->x0, &k->x1);
  return k;
}

/* The best amplitudes of a segment for the poles as they are; leaves the factor of A in t->a. */
static void solve_amplitudes(ct_fit *fit, uint32_t g, state *t, double complex *x1) {
  const ct_segment *s = &fit->segments[g];
  for (uint32_t i = 0; i < fit->count; i++) {
    const ct_sums *sums = sums_of(fit, g, i);
    x1[i] = sums->x1;
    t->right[2 * i] = creal(sums->x0);
    t->right[2 * i + 1] = -cimag(sums->x0);
    for (uint32_t l = 0; l <= i; l++)
      fill_products(s, fit->poles[i], fit->poles[l], i, l, t);
  }
  memcpy(t->solved, t->right, t->n * sizeof(double));
  ct_cholesky(t->n, t->a);
  ct_cholesky_forward(t->n, t->a, t->solved);
  ct_cholesky_back(t->n, t->a, t->solved);
  double explained = 0;
  for (uint32_t i = 0; i < fit->count; i++) {
    fit->amplitudes[(size_t)g * fit->room + i] = t->solved[2 * i] + CT_I * t->solved[2 * i + 1];
    explained += t->solved[2 * i] * t->right[2 * i] + t->solved[2 * i + 1] * t->right[2 * i + 1];
  }
  t->squares += energy_of(fit, g) - explained;
}

bool ct_fit_equations(const ct_pole *poles, uint32_t modes, const ct_segment *segment, double *a,
                      double *right) {
  state t = {0};
  bool memory = state_init(&t, modes);
  for (uint32_t i = 0; memory && i < modes; i++) {
    double complex x0, x1;
    correlate(segment, poles[i], &x0, &x1);
    right[2 * i] = creal(x0);
    right[2 * i + 1] = -cimag(x0);
    for (uint32_t l = 0; l <= i; l++)
      fill_products(segment, poles[i], poles[l], i, l, &t);
  }
  if (memory)
    memcpy(a, t.a, (size_t)t.n * t.n * sizeof *a);
  state_free(&t);
  return memory;
}

/* Adds the segment's share of the Schur complement and of the gradient, after solve_amplitudes. */
static void add_share(const ct_fit *fit, uint32_t g, state *t, const double complex *x1) {
  const ct_segment *s = &fit->segments[g];
  const double complex *c = fit->amplitudes + (size_t)g * fit->room;
  uint32_t n = t->n;
  for (uint32_t i = 0; i < fit->count; i++)
    for (uint32_t l = 0; l <= i; l++)
      fill_slopes(s->rate_hz, c[i], c[l], i, l, t);
  for (uint32_t q = 0; q < n; q++) {
    uint32_t i = q / 2;
    double complex j = (q % 2 ? -c[i] : CT_I * c[i]) / s->rate_hz;
    double gradient = creal(ct_times(j, x1[i]));
    for (uint32_t p = 0; p < n; p++)
      gradient -= t->b[(size_t)p * n + q] * t->solved[p];
    t->gradient[q] += gradient;
  }
  /* rows of B' from here on: row q is L^-1 of column q of B */
  for (uint32_t p = 0; p < n; p++)
    for (uint32_t q = 0; q < p; q++) {
      double x = t->b[(size_t)p * n + q];
      t->b[(size_t)p * n + q] = t->b[(size_t)q * n + p];
      t->b[(size_t)q * n + p] = x;
    }
  for (uint32_t q = 0; q < n; q++)
    ct_cholesky_forward(n, t->a, t->b + (size_t)q * n);
  for (uint32_t p = 0; p < n; p++)
    for (uint32_t q = 0; q <= p; q++) {
      const double *x = t->b + (size_t)p * n, *y = t->b + (size_t)q * n;
      t->schur[(size_t)p * n + q] += t->d[(size_t)p * n + q] - ct_dot(x, y, n);
    }
}

static bool evaluate(ct_fit *fit, state *t) {
  double complex *x1 = malloc((fit->count + 1) * sizeof *x1);
  if (!x1)
    return false;
  t->squares = 0;
  memset(t->schur, 0, (size_t)t->n * t->n * sizeof(double));
  memset(t->gradient, 0, t->n * sizeof(double));
  for (uint32_t g = 0; g < fit->segment_count; g++) {
    solve_amplitudes(fit, g, t, x1);
    add_share(fit, g, t, x1);
  }
  free(x1);
  return true;
}

/* ---- steps ---- */

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* Where modes overlap many steps are far from straight, and each makes a difference of two recordings several
 * times larger: after a hundred steps rounding of the first one decides which modes are found. So poles go in
 * steps of a grid, on which small differences end. A tenth of a standard error (of that pole alone) costs
 * 0.01 of the noise of one sample, which is no more than what a fit stops at; powers of two, so that the grid
 * itself hardly ever differs. */
static double round_to_error(double x, double curvature, double noise) {
  if (!(curvature > 0) || !(noise > 0))
    return x;
  double grid = exp2(floor(log2(0.1 * sqrt(noise / curvature))));
  return grid * round(x / grid);
}

/* Poles plus a step: at most by its own width in frequency, and by a factor of two in decay. Returns by how
 * much the squares are expected to fall. */
static double take_step(const ct_fit *fit, const state *t, double lambda, double noise, ct_pole *poles,
                        double *factor) {
  uint32_t n = t->n;
  for (uint32_t p = 0; p < n; p++) {
    for (uint32_t q = 0; q <= p; q++)
      factor[(size_t)p * n + q] = t->schur[(size_t)p * n + q];
    factor[(size_t)p * n + p] = factor[(size_t)p * n + p] * (1 + lambda) + 1e-300;
    t->row[p] = t->gradient[p];
  }
  ct_cholesky(n, factor);
  ct_cholesky_forward(n, factor, t->row);
  ct_cholesky_back(n, factor, t->row);
  double fall = 0;
  for (uint32_t i = 0; i < fit->count; i++) {
    double least = ct_fit_least_decay(&fit->segments[0]), s = fit->poles[i].decay;
    double wide = fmax(s, 60 * least), most = 0.5 * fit->segments[0].rate_hz;
    fall += t->row[2 * i] * t->gradient[2 * i] + t->row[2 * i + 1] * t->gradient[2 * i + 1];
    poles[i].omega = fabs(fit->poles[i].omega + clamp(t->row[2 * i], -wide, wide));
    poles[i].decay = clamp(s + clamp(t->row[2 * i + 1], -0.5 * s, s + 2 * least), least, most);
    if (!fit->exact) {
      poles[i].omega = round_to_error(poles[i].omega, t->schur[(size_t)2 * i * n + 2 * i], noise);
      poles[i].decay = round_to_error(poles[i].decay, t->schur[((size_t)2 * i + 1) * (n + 1)], noise);
      poles[i].decay = clamp(poles[i].decay, least, most);
    }
  }
  return fall;
}

/* One accepted step, if there is one. False: it has come to its end. */
static bool improve(ct_fit *fit, state *now, state *next, double *lambda, double noise, ct_pole *kept,
                    double complex *kept_amplitudes, bool *memory) {
  ct_pole *trial = kept + fit->count;
  size_t amplitudes = (size_t)fit->room * fit->segment_count * sizeof *kept_amplitudes;
  memcpy(kept, fit->poles, fit->count * sizeof *kept);
  memcpy(kept_amplitudes, fit->amplitudes, amplitudes);
  for (int tries = 0; tries < 8; tries++) {
    double fall = take_step(fit, now, *lambda, noise, trial, next->d);
    if (fall < 0.01 * noise && *lambda < 1)
      return false;
    memcpy(fit->poles, trial, fit->count * sizeof *trial);
    *memory = evaluate(fit, next);
    if (!*memory)
      return false;
    if (next->squares <= now->squares) {
      state swap = *now;
      *now = *next;
      *next = swap;
      *lambda = *lambda * 0.2 < 1e-7 ? 0 : *lambda * 0.2;
      return true;
    }
    memcpy(fit->poles, kept, fit->count * sizeof *kept);
    memcpy(fit->amplitudes, kept_amplitudes, amplitudes);
    *lambda = *lambda * 8 + 1e-3;
  }
  return false;
}

static size_t samples_of(const ct_fit *fit) {
  size_t count = 0;
  for (uint32_t g = 0; g < fit->segment_count; g++)
    count += fit->segments[g].count;
  return count;
}

bool ct_fit_run(ct_fit *fit, uint32_t steps) {
  state now = {0}, next = {0};
  double complex *kept = malloc(((size_t)fit->room * fit->segment_count + 1) * sizeof *kept);
  ct_pole *poles = malloc((2 * fit->count + 1) * sizeof *poles);
  bool memory = kept && poles;
  if (memory)
    memory = state_init(&now, fit->count) && state_init(&next, fit->count) && evaluate(fit, &now);
  double lambda = 1e-3, samples = (double)samples_of(fit);
  for (uint32_t k = 0; memory && k < steps; k++)
    if (!improve(fit, &now, &next, &lambda, now.squares / samples, poles, kept, &memory))
      break;
  fit->squares = now.squares;
  state_free(&now);
  state_free(&next);
  free(kept);
  free(poles);
  return memory;
}

/* Without mode i, and with the others at their new best, the squares rise by a_i' (A^-1)_ii^-1 a_i, where
 * (A^-1)_ii is the mode's 2 x 2 block: the share of it that nothing else can take over. */
static void judge_segment(ct_fit *fit, uint32_t g, state *t) {
  uint32_t n = t->n;
  for (uint32_t i = 0; i < fit->count; i++) {
    double block[3] = {0};
    for (uint32_t p = 0; p < 2; p++) {
      double *x = p ? t->row : t->right;
      memset(x, 0, n * sizeof *x);
      x[2 * i + p] = 1;
      ct_cholesky_forward(n, t->a, x);
    }
    for (uint32_t k = 2 * i; k < n; k++) {
      block[0] += t->right[k] * t->right[k];
      block[1] += t->right[k] * t->row[k];
      block[2] += t->row[k] * t->row[k];
    }
    double complex c = fit->amplitudes[(size_t)g * fit->room + i];
    double det = block[0] * block[2] - block[1] * block[1];
    double rise = (block[2] * creal(c) * creal(c) - 2 * block[1] * creal(c) * cimag(c) +
                   block[0] * cimag(c) * cimag(c)) /
                  det;
    fit->risen[(size_t)g * fit->room + i] = det > 0 ? rise : 0;
  }
}

bool ct_fit_judge(ct_fit *fit) {
  state t = {0};
  double complex *x1 = malloc((fit->count + 1) * sizeof *x1);
  bool memory = x1 && state_init(&t, fit->count);
  for (uint32_t g = 0; memory && g < fit->segment_count; g++) {
    solve_amplitudes(fit, g, &t, x1);
    judge_segment(fit, g, &t);
  }
  state_free(&t);
  free(x1);
  return memory;
}
