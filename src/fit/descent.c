/* A step with corrected slopes asks for as many points as there are dampings, one with new slopes for as many
 * again as there are numbers. */
#include "base/text.h"
#include "fit/seeker.h"
#include "measure/signal.h"

#include <stdlib.h>
#include <string.h>

enum { N = CT_SEARCH_MOST };

static const double leap = 60;      /* tolerances */
static const double longest = 0.25; /* of a step, of a range */
static const double bend = CT_SEEK_BEND;

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
      x[k / 2] = ct_seeker_clip(x[k / 2] + (k % 2 ? step : -step));
  }
  if (result == CT_OK)
    result = def->ask(def->context, points, count, residuals, error);
  for (uint32_t j = 0; result == CT_OK && j < n; j++)
    take_slopes(def, j, points, residuals, jacobian);
  free(points);
  free(residuals);
  return result;
}

ct_result ct_descent_start(const ct_seeker *s, const double *from, ct_descent *d, ct_error *error) {
  *d = (ct_descent){.cost = CT_INFINITY, .damping = 1e-2, .width = 0.03};
  memcpy(d->start, from, s->def->numbers * sizeof *from);
  memcpy(d->point, from, s->def->numbers * sizeof *from);
  d->residuals = calloc(s->def->rows, sizeof *d->residuals);
  d->jacobian = calloc((size_t)s->def->rows * s->def->numbers, sizeof *d->jacobian);
  return d->residuals && d->jacobian ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory");
}

void ct_descent_free(ct_descent *d) {
  free(d->residuals);
  free(d->jacobian);
}

void ct_descent_move(const ct_seeker *s, uint32_t i, ct_descent *d) {
  memcpy(d->point, s->points + (size_t)i * s->def->numbers, s->def->numbers * sizeof *d->point);
  memcpy(d->residuals, s->residuals + (size_t)i * s->def->rows, s->def->rows * sizeof *d->residuals);
  d->cost = s->costs[i];
}

/* A point of the last batch that is better than where the descent stands, or `count`. */
static uint32_t find_better(const ct_seeker *s, const ct_descent *d, uint32_t count) {
  uint32_t best = 0;
  for (uint32_t k = 1; k < count; k++)
    best = s->costs[k] < s->costs[best] ? k : best;
  return count && s->costs[best] < d->cost - 1e-4 * (1 + d->cost) ? best : count;
}

/* One side of every number, the inner one at first; where the sound leaps there, the other. What leaps on
 * both has no slope. Where steps along these slopes have failed (odd d->fails), those of the other sides come
 * into the mean. Goes to a point that was better on the way. */
static ct_result measure_slopes(ct_seeker *s, ct_descent *d, ct_error *error) {
  uint32_t n = s->def->numbers, m = s->def->rows, asked[N], count = n, last = 0;
  bool second = d->fails % 2;
  double sign[N], share = second ? 0.5 : 1;
  for (uint32_t j = 0; j < n; j++) {
    asked[j] = j;
    sign[j] = (d->point[j] < 0.5) != second ? 1 : -1;
  }
  for (int side = 0; side < (second ? 1 : 2) && count; side++) {
    uint32_t again = 0;
    for (uint32_t k = 0; k < count; k++) {
      double *x = s->points + (size_t)k * n;
      memcpy(x, d->point, n * sizeof *x);
      x[asked[k]] = ct_seeker_clip(x[asked[k]] + sign[asked[k]] * d->width);
    }
    CT_TRY(ct_seeker_ask(s, count, error));
    last = count;
    for (uint32_t k = 0; k < count; k++) {
      uint32_t j = asked[k];
      const double *r = s->residuals + (size_t)k * m;
      double by = s->points[(size_t)k * n + j] - d->point[j];
      bool none = by == 0 || leaps(r, d->residuals, m);
      for (uint32_t i = 0; i < m && !(none && second); i++) {
        double *slope = &d->jacobian[(size_t)i * n + j];
        *slope = none ? 0 : (1 - share) * *slope + share * (r[i] - d->residuals[i]) / by;
      }
      sign[j] = -sign[j];
      if (none)
        asked[again++] = j;
    }
    count = again;
  }
  d->fresh = d->known = true;
  uint32_t better = find_better(s, d, last);
  if (better < last)
    ct_descent_move(s, better, d);
  return CT_OK;
}

/* (J'WJ + damping diag) dx = -J'W r, with the weight of the cost's own slope, 1 / sqrt(1 + (r / b)^2). */
static void step_for(const ct_seeker *s, const ct_descent *d, double damping, double *dx) {
  uint32_t n = s->def->numbers;
  double a[N * N] = {0}, g[N] = {0}, most = 0;
  for (uint32_t i = 0; i < s->def->rows; i++) {
    const double *row = d->jacobian + (size_t)i * n;
    double r = d->residuals[i], w = 1 / sqrt(1 + r * r / (bend * bend));
    for (uint32_t j = 0; j < n; j++) {
      g[j] -= w * row[j] * r;
      for (uint32_t k = 0; k <= j; k++)
        a[j * n + k] += w * row[j] * row[k];
    }
  }
  for (uint32_t j = 0; j < n; j++)
    a[j * n + j] += damping * (a[j * n + j] + 1);
  ct_signal_solve(a, g, n);
  for (uint32_t j = 0; j < n; j++)
    most = fmax(most, fabs(g[j]));
  for (uint32_t j = 0; j < n; j++)
    dx[j] = g[j] * fmin(1, longest / most);
}

/* Slopes that would have foretold the point `i`: J += (y - J s) s' / s's. */
static void correct_slopes(const ct_seeker *s, uint32_t i, ct_descent *d) {
  uint32_t n = s->def->numbers;
  const double *x = s->points + (size_t)i * n, *r = s->residuals + (size_t)i * s->def->rows;
  double length = ct_seeker_apart(x, d->point, n);
  if (length == 0 || leaps(r, d->residuals, s->def->rows))
    return;
  for (uint32_t k = 0; k < s->def->rows; k++) {
    double *row = d->jacobian + (size_t)k * n, off = r[k] - d->residuals[k];
    for (uint32_t j = 0; j < n; j++)
      off -= row[j] * (x[j] - d->point[j]);
    for (uint32_t j = 0; j < n; j++)
      row[j] += off * (x[j] - d->point[j]) / length;
  }
}

/* Tries steps of several dampings. Slopes are kept while a step takes a third off the cost. Steps for slopes
 * are wide at first: what rubs roughly is never twice the same, and small steps measure that. */
static ct_result descend_once(ct_seeker *s, ct_descent *d, ct_error *error) {
  uint32_t n = s->def->numbers;
  double dx[N] = {0}, before = d->cost, dampings[CT_DESCENT_DAMPINGS];
  if (!d->known)
    CT_TRY(measure_slopes(s, d, error));
  for (uint32_t k = 0; k < CT_DESCENT_DAMPINGS; k++) {
    dampings[k] = d->damping * pow(10, (int)k - 1);
    step_for(s, d, dampings[k], dx);
    for (uint32_t j = 0; j < n; j++)
      s->points[(size_t)k * n + j] = ct_seeker_clip(d->point[j] + dx[j]);
  }
  CT_TRY(ct_seeker_ask(s, CT_DESCENT_DAMPINGS, error));
  uint32_t best = find_better(s, d, CT_DESCENT_DAMPINGS);
  if (best < CT_DESCENT_DAMPINGS) {
    d->damping = fmin(fmax(dampings[best], 1e-6), 10);
    correct_slopes(s, best, d);
    ct_descent_move(s, best, d);
  }
  bool better = d->cost < before;
  d->known = d->cost < 0.67 * before;
  d->width *= !better && d->fails % 2 ? 0.4 : 1;
  d->fails = better ? 0 : d->fails + d->fresh;
  d->fresh = false;
  return CT_OK;
}

ct_result ct_descent_go(ct_seeker *s, ct_descent *d, uint32_t rounds, uint32_t most, ct_error *error) {
  uint32_t n = s->def->numbers, room = n > CT_DESCENT_DAMPINGS ? n : CT_DESCENT_DAMPINGS;
  uint32_t end = s->found->asked + rounds * (n + CT_DESCENT_DAMPINGS);
  CT_TRY(ct_seeker_make_room(s, room, error));
  while (d->fails < CT_DESCENT_FAILS_MOST && s->found->asked < end && s->found->asked < most &&
         !ct_seeker_is_good(s))
    CT_TRY(descend_once(s, d, error));
  return CT_OK;
}
