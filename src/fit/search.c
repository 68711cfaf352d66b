/* First a local search from where the scene stands. If that does not fit, Halton points are looked at, and
 * from the best of them that lie apart local searches go down, stage by stage. While nothing fits, CMA-ES
 * follows from the best of them, then from the others; and a last local search. */
#include "fit/search.h"
#include "base/grow.h"
#include "base/text.h"
#include "fit/seeker.h"
#include "measure/signal.h"

#include <stdlib.h>
#include <string.h>

enum { N = CT_SEARCH_MOST, STARTS = 8, STAGES = 24, STAGE_ROUNDS = 3, LAST_ROUNDS = 12, PER_NUMBER = 20 };

/* Of a tolerance, for every measure. Of one rub with two seeds they differ by up to 0.6. */
static const double good_enough = 0.5; /* nothing more to search for */
static const double right_place = 0.7; /* nowhere else to search: a last local search from there */
static const double bend = CT_SEEK_BEND;

double ct_seek_cost(const double *residuals, uint32_t rows) {
  double sum = 0;
  for (uint32_t i = 0; i < rows; i++)
    sum += sqrt(1 + residuals[i] * residuals[i] / (bend * bend)) - 1;
  return 2 * bend * bend * sum;
}

ct_result ct_seeker_make_room(ct_seeker *s, uint32_t count, ct_error *error) {
  size_t points = s->room, residuals = s->room, costs = s->room;
  bool made = ct_grow(&s->points, &points, count, s->def->numbers * sizeof *s->points) &&
              ct_grow(&s->residuals, &residuals, count, s->def->rows * sizeof *s->residuals) &&
              ct_grow(&s->costs, &costs, count, sizeof *s->costs);
  s->room = made ? costs : s->room;
  return made ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory");
}

static void remember(ct_seeker *s, uint32_t i) {
  ct_seek_found *f = s->found;
  if (!(s->costs[i] < f->cost))
    return;
  f->cost = s->costs[i];
  memcpy(f->best, s->points + (size_t)i * s->def->numbers, s->def->numbers * sizeof *f->best);
  memcpy(f->residuals, s->residuals + (size_t)i * s->def->rows, s->def->rows * sizeof *f->residuals);
}

ct_result ct_seeker_ask(ct_seeker *s, uint32_t count, ct_error *error) {
  ct_result result = s->def->ask(s->def->context, s->points, count, s->residuals, error);
  for (uint32_t i = 0; i < count && result == CT_OK; i++) {
    s->costs[i] = ct_seek_cost(s->residuals + (size_t)i * s->def->rows, s->def->rows);
    remember(s, i);
  }
  s->found->asked += count;
  return result;
}

static bool is_within(const ct_seeker *s, double bound) {
  for (uint32_t i = 0; i < s->def->rows; i++)
    if (fabs(s->found->residuals[i]) > bound)
      return false;
  return s->found->cost < CT_INFINITY;
}

bool ct_seeker_is_good(const ct_seeker *s) { return is_within(s, good_enough); }

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

/* What the first `count` points of the batch may cost; they may move. */
static ct_result look(ct_seeker *s, uint32_t count, ct_error *error) {
  if (!s->def->look)
    return ct_seeker_ask(s, count, error);
  s->found->asked += count;
  return s->def->look(s->def->context, s->points, count, s->costs, error);
}

/* Points spread over the whole space. */
static ct_result look_around(ct_seeker *s, uint32_t count, ct_error *error) {
  uint32_t n = s->def->numbers, prime = 1;
  CT_TRY(ct_seeker_make_room(s, count, error));
  for (uint32_t j = 0; j < n; j++) {
    prime = next_prime(prime);
    double shift = ct_random_share(&s->random);
    for (uint32_t i = 0; i < count; i++)
      s->points[(size_t)i * n + j] = halton(i, prime, shift);
  }
  return look(s, count, error);
}

/* Begins descents at the cheapest of `count` points that lie apart from all begun before. */
static ct_result choose_starts(const ct_seeker *s, uint32_t count, ct_descent *all, uint32_t *begun,
                               ct_error *error) {
  uint32_t n = s->def->numbers;
  while (*begun < STARTS) {
    uint32_t best = count;
    for (uint32_t i = 0; i < count; i++) {
      bool apart = true;
      for (uint32_t k = 0; k < *begun; k++)
        apart = apart && ct_seeker_apart(s->points + (size_t)i * n, all[k].start, n) > 0.02 * n;
      if (apart && (best == count || s->costs[i] < s->costs[best]))
        best = i;
    }
    if (best == count)
      break;
    CT_TRY(ct_descent_start(s, s->points + (size_t)best * n, &all[(*begun)++], error));
  }
  return CT_OK;
}

/* ---- local searches, some of each at a time ---- */

/* The next one to go on: the cheapest, or the cheapest of those that had the fewest stages. `count` when all
 * have ended. */
static uint32_t choose_descent(const ct_descent *all, uint32_t count, bool fewest) {
  uint32_t best = count;
  for (uint32_t i = 0; i < count; i++) {
    if (all[i].fails == CT_DESCENT_FAILS_MOST)
      continue;
    bool fewer = best == count || (fewest && all[i].stages < all[best].stages);
    bool as_many = !fewest || best == count || all[i].stages == all[best].stages;
    best = fewer || (as_many && all[i].cost < all[best].cost) ? i : best;
  }
  return best;
}

/* What those from the index `from` on cost where they begin. */
static ct_result ask_starts(ct_seeker *s, ct_descent *all, uint32_t from, uint32_t count, ct_error *error) {
  uint32_t n = s->def->numbers;
  CT_TRY(ct_seeker_make_room(s, count, error));
  for (uint32_t i = from; i < count; i++)
    memcpy(s->points + (size_t)(i - from) * n, all[i].point, n * sizeof *s->points);
  CT_TRY(ct_seeker_ask(s, count - from, error));
  for (uint32_t i = from; i < count; i++)
    ct_descent_move(s, i - from, &all[i]);
  return CT_OK;
}

/* The first one, from where the scene stands, as far as it gets in a few rounds. */
static ct_result descend_from_start(ct_seeker *s, ct_descent *first, ct_error *error) {
  CT_TRY(ct_seeker_make_room(s, 1, error));
  memcpy(s->points, s->def->start, s->def->numbers * sizeof *s->points);
  CT_TRY(look(s, 1, error));
  CT_TRY(ct_descent_start(s, s->points, first, error));
  CT_TRY(ask_starts(s, first, 0, 1, error));
  first->stages = 2;
  return ct_descent_go(s, first, 2 * STAGE_ROUNDS, s->def->most, error);
}

/* Half of the time goes to the one that is lowest, half to those that have had less: whichever of both would
 * have been right, no more than twice the time is spent. Half of the points are kept for CMA-ES: where a
 * sound is never twice the same, as of what rolls, slopes lead nowhere. */
static ct_result descend_by_stages(ct_seeker *s, ct_descent *all, uint32_t count, ct_error *error) {
  for (uint32_t stage = 0; stage < STAGES; stage++) {
    uint32_t next = choose_descent(all, count, stage % 2);
    if (next == count || is_within(s, right_place) || s->found->asked >= s->def->most / 2)
      break;
    all[next].stages++;
    CT_TRY(ct_descent_go(s, &all[next], STAGE_ROUNDS, s->def->most, error));
  }
  return CT_OK;
}

/* From the best point of all, with slopes taken anew. */
static ct_result descend_last(ct_seeker *s, ct_error *error) {
  ct_descent d;
  ct_result result = ct_descent_start(s, s->found->best, &d, error);
  if (result == CT_OK) {
    memcpy(d.residuals, s->found->residuals, s->def->rows * sizeof *d.residuals);
    d.cost = s->found->cost;
    result = ct_descent_go(s, &d, LAST_ROUNDS, UINT32_MAX, error);
  }
  ct_descent_free(&d);
  return result;
}

/* ---- all of it ---- */

uint32_t ct_seek_plan(uint32_t numbers, uint32_t most) {
  uint32_t least = PER_NUMBER * numbers + 2 + STARTS, round = 2 * numbers + CT_DESCENT_DAMPINGS;
  return (most > least ? most : least) + round + (LAST_ROUNDS + 1) * round;
}

static ct_result search_far(ct_seeker *s, ct_descent *all, uint32_t *count, ct_error *error) {
  uint32_t points = PER_NUMBER * s->def->numbers;
  CT_TRY(look_around(s, points, error));
  CT_TRY(choose_starts(s, points, all, count, error));
  if (*count > 1)
    CT_TRY(ask_starts(s, all, 1, *count, error));
  CT_TRY(descend_by_stages(s, all, *count, error));
  for (uint32_t i = 0; i < *count && !is_within(s, right_place) && s->found->asked < s->def->most; i++)
    CT_TRY(ct_cma_run(s, i ? all[i].point : s->found->best, i, s->def->most - s->found->asked, error));
  return CT_OK;
}

ct_result ct_seek_run(const ct_seek_def *def, ct_seek_found *found, ct_error *error) {
  ct_seeker s = {.def = def, .found = found, .random = {def->seed}};
  ct_descent all[STARTS] = {0};
  uint32_t count = 1;
  *found = (ct_seek_found){.cost = CT_INFINITY, .residuals = calloc(def->rows, sizeof(double))};
  ct_result result =
      found->residuals ? descend_from_start(&s, &all[0], error) : ct_fail(error, CT_NO_MEMORY, "no memory");
  if (result == CT_OK && !is_within(&s, right_place))
    result = search_far(&s, all, &count, error);
  if (result == CT_OK)
    result = descend_last(&s, error);
  for (uint32_t i = 0; i < STARTS; i++)
    ct_descent_free(&all[i]);
  free(s.points);
  free(s.residuals);
  free(s.costs);
  return result;
}
