/* Global: Halton points and a few local steps from the best of them; then CMA-ES (Hansen, "The CMA Evolution
 * Strategy: A Tutorial", 2016) from there, and, while nothing fits, from the next best points that lie
 * elsewhere. Local: Levenberg and Marquardt on weighted residuals, with slopes by differences. */
#include "fit/search.h"
#include "base/eigen.h"
#include "base/random.h"
#include "base/text.h"
#include "measure/signal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 8, LOCAL_ROUNDS = 12, DAMPINGS = 6, PER_NUMBER = 20 };

static const double good_enough = 0.5; /* of a tolerance, for every measure: nothing more to search for */

static const double leap = 60; /* tolerances */
static const double bend = 3;  /* tolerances from which on a residual counts less than its square */

double ct_seek_cost(const double *residuals, uint32_t rows) {
  double sum = 0;
  for (uint32_t i = 0; i < rows; i++)
    sum += sqrt(1 + residuals[i] * residuals[i] / (bend * bend)) - 1;
  return 2 * bend * bend * sum;
}

/* A search under way. */
typedef struct search {
  const ct_seek_def *def;
  ct_seek_found *found;
  ct_random random;
  double *points, *residuals, *costs; /* of the batch asked for last */
  uint32_t room;
} search;

static double normal(ct_random *r) {
  double size = sqrt(-2 * log(ct_random_share(r)));
  return size * cos(CT_TWO_PI * ct_random_share(r));
}

static double clip(double share) { return fmin(fmax(share, 0), 1); }

static bool make_room(search *s, uint32_t count) {
  if (s->points && count <= s->room)
    return true;
  double *points = realloc(s->points, (size_t)count * s->def->numbers * sizeof *points);
  s->points = points ? points : s->points;
  double *residuals = realloc(s->residuals, (size_t)count * s->def->rows * sizeof *residuals);
  s->residuals = residuals ? residuals : s->residuals;
  double *costs = realloc(s->costs, count * sizeof *costs);
  s->costs = costs ? costs : s->costs;
  bool made = points && residuals && costs;
  s->room = made ? count : s->room;
  return made;
}

static void remember(search *s, uint32_t i) {
  ct_seek_found *f = s->found;
  if (!(s->costs[i] < f->cost))
    return;
  f->cost = s->costs[i];
  memcpy(f->best, s->points + (size_t)i * s->def->numbers, s->def->numbers * sizeof *f->best);
  memcpy(f->residuals, s->residuals + (size_t)i * s->def->rows, s->def->rows * sizeof *f->residuals);
}

/* Asks for the first `count` points. */
static ct_result ask(search *s, uint32_t count, ct_error *error) {
  ct_result result = s->def->ask(s->def->context, s->points, count, s->residuals, error);
  for (uint32_t i = 0; i < count && result == CT_OK; i++) {
    s->costs[i] = ct_seek_cost(s->residuals + (size_t)i * s->def->rows, s->def->rows);
    remember(s, i);
  }
  s->found->asked += count;
  return result;
}

static bool is_good(const search *s) {
  for (uint32_t i = 0; i < s->def->rows; i++)
    if (fabs(s->found->residuals[i]) > good_enough)
      return false;
  return true;
}

/* ---- first points ---- */

/* The index-th number of van der Corput's sequence in a base, shifted. */
static double halton(uint32_t index, uint32_t base, double shift) {
  double sum = shift, digit = 1;
  for (uint32_t i = index + 1; i; i /= base) {
    digit /= base;
    sum += digit * (i % base);
  }
  return sum - floor(sum);
}

static uint32_t next_prime(uint32_t after) {
  for (uint32_t p = after + 1;; p++) {
    uint32_t d = 2;
    while (d * d <= p && p % d)
      d++;
    if (d * d > p)
      return p;
  }
}

typedef struct first {
  double point[CT_SEARCH_MOST];
  double cost;
} first;

/* Spread over the whole space; the best `STARTS` of them that lie apart are kept. */
static ct_result ask_first(search *s, first *kept, uint32_t *kept_count, ct_error *error) {
  uint32_t n = s->def->numbers, count = PER_NUMBER * n + 1, prime = 1;
  if (!make_room(s, count))
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  memcpy(s->points, s->def->start, n * sizeof *s->points);
  for (uint32_t j = 0; j < n; j++) {
    prime = next_prime(prime);
    double shift = ct_random_share(&s->random);
    for (uint32_t i = 1; i < count; i++)
      s->points[(size_t)i * n + j] = halton(i, prime, shift);
  }
  ct_result result = ask(s, count, error);
  *kept_count = 0;
  while (result == CT_OK && *kept_count < STARTS) {
    uint32_t best = count;
    for (uint32_t i = 0; i < count; i++) {
      bool apart = true;
      for (uint32_t k = 0; k < *kept_count; k++) {
        double d = 0;
        for (uint32_t j = 0; j < n; j++)
          d += pow(s->points[(size_t)i * n + j] - kept[k].point[j], 2);
        apart = apart && d > 0.02 * n;
      }
      if (apart && (best == count || s->costs[i] < s->costs[best]))
        best = i;
    }
    if (best == count)
      break;
    memcpy(kept[*kept_count].point, s->points + (size_t)best * n, n * sizeof *s->points);
    kept[(*kept_count)++].cost = s->costs[best];
  }
  return result;
}

/* ---- CMA-ES ---- */

enum { N = CT_SEARCH_MOST, POPULATION_MOST = 64 };

typedef struct cma {
  uint32_t n, population, parents;
  double mean[N], sigma, spread[N * N], axes[N * N], lengths[N], path_sigma[N], path_spread[N];
  double weights[POPULATION_MOST], weight_mass, c_sigma, d_sigma, c_path, c_one, c_many, expected;
  double drawn[POPULATION_MOST][N]; /* as drawn, before being cut to the range */
  double best;
  uint32_t generation, since_better;
} cma;

/* The tutorial's standard numbers (table 1). */
static void cma_start(cma *c, uint32_t n, const double *mean, double sigma, uint32_t times) {
  *c = (cma){.n = n, .sigma = sigma, .best = CT_INFINITY};
  c->population = times * (4 + (uint32_t)(3 * log(n)));
  c->population = c->population < POPULATION_MOST ? c->population : POPULATION_MOST;
  c->population += c->population % 2;
  c->parents = c->population / 2;
  double sum = 0, squares = 0;
  for (uint32_t i = 0; i < c->parents; i++) {
    c->weights[i] = log(c->parents + 0.5) - log(i + 1.0);
    sum += c->weights[i];
  }
  for (uint32_t i = 0; i < c->parents; i++) {
    c->weights[i] /= sum;
    squares += c->weights[i] * c->weights[i];
  }
  double mass = c->weight_mass = 1 / squares;
  c->c_sigma = (mass + 2) / (n + mass + 5);
  c->d_sigma = 1 + 2 * fmax(0, sqrt((mass - 1) / (n + 1)) - 1) + c->c_sigma;
  c->c_path = (4 + mass / n) / (n + 4 + 2 * mass / n);
  c->c_one = 2 / ((n + 1.3) * (n + 1.3) + mass);
  c->c_many = fmin(1 - c->c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2.0) * (n + 2.0) + mass));
  c->expected = sqrt(n) * (1 - 1 / (4.0 * n) + 1 / (21.0 * n * n));
  for (uint32_t i = 0; i < n; i++) {
    c->mean[i] = mean[i];
    c->spread[i * n + i] = 1;
  }
}

/* spread = axes' diag(lengths^2) axes; rows of `axes` are directions. */
static bool cma_axes(cma *c) {
  double copy[N * N], values[N];
  memcpy(copy, c->spread, (size_t)c->n * c->n * sizeof *copy);
  bool good = ct_eigen_symmetric(c->n, copy, values, c->axes);
  for (uint32_t i = 0; i < c->n; i++)
    c->lengths[i] = sqrt(fmax(values[i], 1e-20));
  return good;
}

static void cma_draw(cma *c, search *s) {
  for (uint32_t k = 0; k < c->population; k++) {
    double *x = c->drawn[k];
    memcpy(x, c->mean, c->n * sizeof *x);
    for (uint32_t i = 0; i < c->n; i++) {
      double step = c->sigma * c->lengths[i] * normal(&s->random);
      for (uint32_t j = 0; j < c->n; j++)
        x[j] += step * c->axes[i * c->n + j];
    }
    for (uint32_t j = 0; j < c->n; j++)
      s->points[(size_t)k * c->n + j] = clip(x[j]);
  }
}

/* What lies outside of the range is worse the farther it is. */
static double cma_cost(const cma *c, const search *s, uint32_t k) {
  double outside = 0;
  for (uint32_t j = 0; j < c->n; j++)
    outside += pow(c->drawn[k][j] - clip(c->drawn[k][j]), 2);
  return s->costs[k] + 20 * outside;
}

static void cma_rank(const cma *c, const search *s, uint32_t *order) {
  for (uint32_t k = 0; k < c->population; k++) {
    uint32_t at = k;
    for (; at > 0 && cma_cost(c, s, order[at - 1]) > cma_cost(c, s, k); at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
}

/* C^(-1/2) v */
static void cma_whiten(const cma *c, const double *v, double *out) {
  memset(out, 0, c->n * sizeof *out);
  for (uint32_t i = 0; i < c->n; i++) {
    double along = 0;
    for (uint32_t j = 0; j < c->n; j++)
      along += c->axes[i * c->n + j] * v[j];
    for (uint32_t j = 0; j < c->n; j++)
      out[j] += along / c->lengths[i] * c->axes[i * c->n + j];
  }
}

static void cma_learn(cma *c, const search *s) {
  uint32_t order[POPULATION_MOST] = {0}, n = c->n;
  double step[N] = {0}, white[N], length = 0;
  cma_rank(c, s, order);
  for (uint32_t i = 0; i < c->parents; i++)
    for (uint32_t j = 0; j < n; j++)
      step[j] += c->weights[i] * (c->drawn[order[i]][j] - c->mean[j]) / c->sigma;
  cma_whiten(c, step, white);
  for (uint32_t j = 0; j < n; j++) {
    c->path_sigma[j] =
        (1 - c->c_sigma) * c->path_sigma[j] + sqrt(c->c_sigma * (2 - c->c_sigma) * c->weight_mass) * white[j];
    length += c->path_sigma[j] * c->path_sigma[j];
  }
  length = sqrt(length);
  double settled = sqrt(1 - pow(1 - c->c_sigma, 2 * (c->generation + 1.0)));
  double moving = length / settled < (1.4 + 2 / (n + 1.0)) * c->expected ? 1 : 0;
  for (uint32_t j = 0; j < n; j++)
    c->path_spread[j] = (1 - c->c_path) * c->path_spread[j] +
                        moving * sqrt(c->c_path * (2 - c->c_path) * c->weight_mass) * step[j];
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++) {
      double many = 0, one = c->path_spread[a] * c->path_spread[b];
      for (uint32_t i = 0; i < c->parents; i++)
        many += c->weights[i] * (c->drawn[order[i]][a] - c->mean[a]) * (c->drawn[order[i]][b] - c->mean[b]) /
                (c->sigma * c->sigma);
      double kept = 1 - c->c_one - c->c_many + (1 - moving) * c->c_one * c->c_path * (2 - c->c_path);
      c->spread[a * n + b] = kept * c->spread[a * n + b] + c->c_one * one + c->c_many * many;
    }
  for (uint32_t j = 0; j < n; j++)
    c->mean[j] = fmin(fmax(c->mean[j] + c->sigma * step[j], -0.2), 1.2);
  c->sigma = fmin(c->sigma * exp(c->c_sigma / c->d_sigma * (length / c->expected - 1)), 0.5);
  double best = cma_cost(c, s, order[0]);
  c->since_better =
      best < c->best - 1e-3 * (1 + fabs(c->best)) || c->generation == 0 ? 0 : c->since_better + 1;
  c->best = fmin(c->best, best);
  c->generation++;
}

/* With a larger population, and wider steps to begin with, it looks farther around. */
static ct_result cma_run(search *s, const double *from, uint32_t round, uint32_t most, ct_error *error) {
  cma *c = malloc(sizeof *c);
  if (!c)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  cma_start(c, s->def->numbers, from, round ? 0.35 : 0.2, round < 3 ? round + 1 : 3);
  uint32_t end = s->found->asked + most, patience = 20 + 3 * c->n;
  ct_result result = make_room(s, c->population) ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory");
  while (result == CT_OK && s->found->asked + c->population <= end && c->sigma > 1e-4 &&
         c->since_better < patience && !is_good(s) && cma_axes(c)) {
    cma_draw(c, s);
    result = ask(s, c->population, error);
    if (result == CT_OK)
      cma_learn(c, s);
  }
  free(c);
  return result;
}

/* ---- local ---- */

/* A rub may lock to another mode a hair's breadth away. Such a leap is no slope: what lies beyond it is left
 * out. */
static bool leaps(const double *a, const double *b, uint32_t rows) {
  for (uint32_t i = 0; i < rows; i++)
    if (fabs(a[i] - b[i]) > leap)
      return true;
  return false;
}

/* One number's slopes from the points at both sides of it, or from one side and the middle. */
static void take_slopes(const ct_seek_def *def, uint32_t j, const double *points, const double *residuals,
                        double *jacobian) {
  uint32_t n = def->numbers, m = def->rows, low = 2 * j, high = 2 * j + 1, middle = 2 * n;
  if (leaps(residuals + (size_t)low * m, residuals + (size_t)middle * m, m))
    low = middle;
  if (leaps(residuals + (size_t)high * m, residuals + (size_t)middle * m, m))
    high = middle;
  double width = points[(size_t)high * n + j] - points[(size_t)low * n + j];
  for (uint32_t i = 0; i < m; i++)
    jacobian[(size_t)i * n + j] =
        width > 0 ? (residuals[(size_t)high * m + i] - residuals[(size_t)low * m + i]) / width : 0;
}

ct_result ct_seek_slopes(const ct_seek_def *def, const double *at, double step, double *jacobian,
                         ct_error *error) {
  uint32_t n = def->numbers, count = 2 * n + 1; /* the middle is the last */
  double *points = malloc((size_t)count * n * sizeof *points),
         *residuals = malloc((size_t)count * def->rows * sizeof *residuals);
  ct_result result = points && residuals ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory");
  for (uint32_t k = 0; result == CT_OK && k < count; k++) {
    double *x = points + (size_t)k * n;
    memcpy(x, at, n * sizeof *x);
    if (k < 2 * n)
      x[k / 2] = clip(x[k / 2] + (k % 2 ? step : -step));
  }
  if (result == CT_OK)
    result = def->ask(def->context, points, count, residuals, error);
  for (uint32_t j = 0; result == CT_OK && j < n; j++)
    take_slopes(def, j, points, residuals, jacobian);
  free(points);
  free(residuals);
  return result;
}

/* (J'WJ + damping diag) dx = -J'W r, with the weight of the cost's own slope, 1 / sqrt(1 + (r / b)^2). */
static void step_for(const search *s, const double *jacobian, double damping, double *dx) {
  uint32_t n = s->def->numbers;
  double a[N * N] = {0}, g[N] = {0};
  for (uint32_t i = 0; i < s->def->rows; i++) {
    const double *row = jacobian + (size_t)i * n;
    double r = s->found->residuals[i], w = 1 / sqrt(1 + r * r / (bend * bend));
    for (uint32_t j = 0; j < n; j++) {
      g[j] -= w * row[j] * r;
      for (uint32_t k = 0; k <= j; k++)
        a[j * n + k] += w * row[j] * row[k];
    }
  }
  for (uint32_t j = 0; j < n; j++)
    a[j * n + j] += damping * (a[j * n + j] + 1);
  ct_signal_solve(a, g, n);
  memcpy(dx, g, n * sizeof *dx);
}

/* Steps for slopes are wide at first: what rubs roughly is never twice the same, and small steps measure
 * that. */
static ct_result polish(search *s, uint32_t rounds, ct_error *error) {
  uint32_t n = s->def->numbers, fails = 0;
  double *jacobian = malloc((size_t)s->def->rows * n * sizeof *jacobian), width = 0.03;
  ct_result result = jacobian && make_room(s, DAMPINGS) ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory");
  for (uint32_t round = 0; round < rounds && fails < 3 && result == CT_OK && !is_good(s); round++) {
    double before = s->found->cost, dx[N] = {0};
    result = ct_seek_slopes(s->def, s->found->best, width, jacobian, error);
    s->found->asked += 2 * n + 1;
    for (uint32_t k = 0; k < DAMPINGS && result == CT_OK; k++) {
      step_for(s, jacobian, pow(10, (int)k - 3), dx);
      for (uint32_t j = 0; j < n; j++)
        s->points[(size_t)k * n + j] = clip(s->found->best[j] + dx[j]);
    }
    if (result == CT_OK)
      result = ask(s, DAMPINGS, error);
    bool better = s->found->cost < before - 1e-4 * (1 + before);
    fails = better ? 0 : fails + 1;
    width *= better ? 1 : 0.4;
  }
  free(jacobian);
  return result;
}

/* ---- all of it ---- */

uint32_t ct_seek_plan(uint32_t numbers, uint32_t most) {
  uint32_t least = PER_NUMBER * numbers + 1;
  return (most > least ? most : least) + 3 * LOCAL_ROUNDS / 2 * (2 * numbers + 1 + DAMPINGS);
}

ct_result ct_seek_run(const ct_seek_def *def, ct_seek_found *found, ct_error *error) {
  search s = {.def = def, .found = found, .random = {def->seed}};
  first kept[STARTS];
  uint32_t count = 0;
  *found = (ct_seek_found){.cost = CT_INFINITY, .residuals = calloc(def->rows, sizeof(double))};
  ct_result result =
      found->residuals ? ask_first(&s, kept, &count, error) : ct_fail(error, CT_NO_MEMORY, "no memory");
  if (result == CT_OK)
    result = polish(&s, LOCAL_ROUNDS / 2, error);
  for (uint32_t i = 0; i < count && result == CT_OK && !is_good(&s) && found->asked < def->most; i++) {
    uint32_t left = def->most - found->asked;
    result = cma_run(&s, i ? kept[i].point : found->best, i, left, error);
  }
  if (result == CT_OK)
    result = polish(&s, LOCAL_ROUNDS, error);
  free(s.points);
  free(s.residuals);
  free(s.costs);
  return result;
}
