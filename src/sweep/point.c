/* Sound number n of a plan. */
#include "base/hash.h"
#include "sweep/plan.h"

#include <math.h>
#include <string.h>

uint32_t ct_sweep_find_vary(const ct_sweep_part *part, const char *name) {
  uint32_t i = 0;
  while (i < part->vary_count && strcmp(part->vary[i].name, name) != 0)
    i++;
  return i;
}

const ct_sweep_gesture *ct_sweep_find_gesture(const ct_sweep_plan *plan, const char *name) {
  for (uint32_t i = 0; i < plan->gesture_count; i++)
    if (strcmp(plan->gestures[i].name, name) == 0)
      return &plan->gestures[i];
  return NULL;
}

/* A share of the range, 0 to 1, on its scale; the ends exactly. */
static double in_range(const ct_sweep_vary *v, double share) {
  if (share <= 0)
    return v->min;
  if (share >= 1)
    return v->max;
  if (v->scale == CT_LOG)
    return fmin(v->max, fmax(v->min, exp(log(v->min) + share * (log(v->max) - log(v->min)))));
  return v->min + share * (v->max - v->min);
}

static double whole_in_range(const ct_sweep_vary *v, double share) {
  const double lo = ceil(v->min), hi = floor(v->max);
  if (v->scale == CT_LOG)
    return fmin(hi, fmax(lo, round(in_range(v, share))));
  return fmin(hi, lo + floor(share * (hi - lo + 1)));
}

static void put_value(const ct_sweep_vary *v, uint32_t at, uint32_t i, ct_sweep_point *p) {
  p->number[i] = v->words ? at : v->numbers[at];
  p->word[i] = v->words ? v->words[at] : NULL;
  p->label[i] = v->labels ? v->labels[at] : NULL;
}

/* Item `i` has its value number `at`: so have all that go with it, the same one where they have no list. */
static void take_with(const ct_sweep_part *part, uint32_t at, uint32_t i, ct_sweep_point *p) {
  for (uint32_t k = 0; k < part->vary_count; k++) {
    const ct_sweep_vary *v = &part->vary[k];
    if (!v->with || v->with_item != i)
      continue;
    if (v->count)
      put_value(v, at, k, p);
    else
      p->number[k] = p->number[i];
  }
}

/* The last that varies is the fastest. */
static void take_grid(const ct_sweep_part *part, uint64_t index, ct_sweep_point *p) {
  for (uint32_t i = part->vary_count; i-- > 0;) {
    const ct_sweep_vary *v = &part->vary[i];
    if (v->with)
      continue;
    const uint64_t count = v->count ? v->count : v->steps, at = index % count;
    index /= count;
    const double number = in_range(v, count > 1 ? (double)at / (double)(count - 1) : 0);
    if (v->count)
      put_value(v, (uint32_t)at, i, p);
    else
      p->number[i] = v->whole ? round(number) : number;
    take_with(part, (uint32_t)at, i, p);
  }
}

static void take_drawn(const ct_sweep_part *part, uint64_t index, ct_sweep_point *p) {
  for (uint32_t i = 0; i < part->vary_count; i++) {
    const ct_sweep_vary *v = &part->vary[i];
    const double share = part->sample == CT_SWEEP_HALTON ? ct_sweep_halton(part->seed, i, index)
                                                         : ct_sweep_random(part->seed, i, index);
    if (v->with)
      continue;
    if (v->count)
      put_value(v, (uint32_t)(share * v->count), i, p);
    else
      p->number[i] = v->whole ? whole_in_range(v, share) : in_range(v, share);
    take_with(part, (uint32_t)(share * v->count), i, p);
  }
}

static void take_names(ct_sweep_point *p) {
  for (uint32_t i = 0; i < p->part->vary_count; i++) {
    const ct_sweep_target target = p->part->vary[i].target;
    if (target == CT_SWEEP_SCENE)
      p->scene = p->word[i];
    else if (target == CT_SWEEP_PRESET)
      p->preset = p->word[i];
    else if (target == CT_SWEEP_GESTURE)
      p->gesture = p->word[i];
    else if (target == CT_SWEEP_SEED)
      p->seed = (uint64_t)p->number[i];
  }
}

void ct_sweep_point_at(const ct_sweep_plan *plan, uint64_t index, ct_sweep_point *p) {
  const ct_sweep_part *part = &plan->parts[plan->part_count - 1];
  while (part > plan->parts && part->first > index)
    part--;
  *p = (ct_sweep_point){.part = part,
                        .index = index,
                        .scene = part->scene,
                        .preset = part->preset ? part->preset : "",
                        .gesture = part->gesture,
                        .seed = part->own_seeds ? ct_hash_at(part->seed, index) >> 32 : part->seed};
  if (part->sample == CT_SWEEP_GRID)
    take_grid(part, index - part->first, p);
  else
    take_drawn(part, index - part->first, p);
  take_names(p);
}

/* ---- where in the unit cube a point lies: both ways need no state ---- */

double ct_sweep_random(uint64_t seed, uint32_t dimension, uint64_t index) {
  return ((double)(ct_hash_at(ct_hash_at(seed, dimension), index) >> 11) + 0.5) * 0x1p-53;
}

/* The dimension-th prime: the base of its digits. */
static uint32_t prime_at(uint32_t dimension) {
  uint32_t found = 0;
  for (uint32_t n = 2;; n++) {
    bool prime = true;
    for (uint32_t d = 2; d * d <= n && prime; d++)
      prime = n % d != 0;
    if (prime && found++ == dimension)
      return n;
  }
}

/* Where a digit goes: a permutation of 0 .. base - 1, of its own for every place, by Fisher and Yates. */
static uint32_t permuted(uint64_t key, uint32_t base, uint32_t digit) {
  enum { BASE_MOST = 512 };
  uint32_t to[BASE_MOST];
  for (uint32_t i = 0; i < base; i++)
    to[i] = i;
  for (uint32_t i = base - 1; i > 0; i--) {
    uint32_t other = (uint32_t)(ct_hash_at(key, i) % (i + 1)), kept = to[i];
    to[i] = to[other];
    to[other] = kept;
  }
  return to[digit];
}

/* Halton's sequence (1960): the digits of the index in a prime base, mirrored at the point. Of every base^k
 * points in a row each interval of length base^-k has exactly one. In large bases the first points of two
 * dimensions lie on lines; permuting the digits at every place by the seed (as in Owen 2017, "A randomized
 * Halton algorithm in R") breaks these and keeps that property. Places go on until they are beyond a double,
 * since a permutation makes something of the zeros in front of the index too. */
double ct_sweep_halton(uint64_t seed, uint32_t dimension, uint64_t index) {
  const uint32_t base = prime_at(dimension);
  const uint64_t key = ct_hash_at(seed, dimension);
  double sum = 0, place = 1;
  for (uint32_t k = 0; place > 0x1p-53; k++) {
    place /= base;
    sum += place * permuted(ct_hash_at(key, k), base, (uint32_t)(index % base));
    index /= base;
  }
  return sum + 0.5 * place < 1 ? sum + 0.5 * place : 1 - 0x1p-53;
}
