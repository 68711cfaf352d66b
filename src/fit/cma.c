/* Evolution of a normal distribution; equations and standard numbers are those of the tutorial. */
#include "base/eigen.h"
#include "base/text.h"
#include "fit/seeker.h"
#include "measure/signal.h"

#include <stdlib.h>
#include <string.h>

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

static void cma_draw(cma *c, ct_seeker *s) {
  for (uint32_t k = 0; k < c->population; k++) {
    double *x = c->drawn[k];
    memcpy(x, c->mean, c->n * sizeof *x);
    for (uint32_t i = 0; i < c->n; i++) {
      double size = sqrt(-2 * log(ct_random_share(&s->random)));
      double step = c->sigma * c->lengths[i] * (size * cos(CT_TWO_PI * ct_random_share(&s->random)));
      for (uint32_t j = 0; j < c->n; j++)
        x[j] += step * c->axes[i * c->n + j];
    }
    for (uint32_t j = 0; j < c->n; j++)
      s->points[(size_t)k * c->n + j] = ct_seeker_clip(x[j]);
  }
}

/* What lies outside of the range is worse the farther it is. */
static double cma_cost(const cma *c, const ct_seeker *s, uint32_t k) {
  double outside = 0;
  for (uint32_t j = 0; j < c->n; j++)
    outside += pow(c->drawn[k][j] - ct_seeker_clip(c->drawn[k][j]), 2);
  return s->costs[k] + 20 * outside;
}

static void cma_rank(const cma *c, const ct_seeker *s, uint32_t *order) {
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

static void cma_learn(cma *c, const ct_seeker *s) {
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
ct_result ct_cma_run(ct_seeker *s, const double *from, uint32_t round, uint32_t most, ct_error *error) {
  cma *c = malloc(sizeof *c);
  if (!c)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  cma_start(c, s->def->numbers, from, round ? 0.35 : 0.2, round < 3 ? round + 1 : 3);
  uint32_t end = s->found->asked + most, patience = 20 + 3 * c->n;
  ct_result result = ct_seeker_make_room(s, c->population, error);
  while (result == CT_OK && s->found->asked + c->population <= end && c->sigma > 1e-4 &&
         c->since_better < patience && !ct_seeker_is_good(s) && cma_axes(c)) {
    cma_draw(c, s);
    result = ct_seeker_ask(s, c->population, error);
    if (result == CT_OK)
      cma_learn(c, s);
  }
  free(c);
  return result;
}
