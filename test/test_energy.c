/* Undriven scenes never gain energy and the ledger closes, whatever the bodies, contacts, stiffness, masses
 * and rate.
 *
 * A thousand scenes with fresh seeds each day they run in, twenty thousand in `./check long`, a hundred
 * with sanitizers; CT_SCENES=100000 for so many. CT_SEED replays one. */
#include "support/instrumented.h"
#include "support/long_run.h"
#include "support/random_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct verdict {
  double worst_error, worst_gain; /* in units of what is allowed */
  uint32_t most_evaluations;
  uint64_t fallbacks, solves, touched;
} verdict;

static const double closing_limit = 1e-12; /* of S */

/* What rounding may do: 1e-12 S in so short a time, but for extreme stiffness over tiny masses. */
static double allowed(const random_scene *s, const ct_ledger *l) {
  bool extreme = s->least_mass_kg < 1e-4 || s->most_stiffness > 1e11;
  return extreme ? l->allowance_j : closing_limit * l->scale_j;
}

static void judge(const random_scene *s, uint64_t seed, uint32_t step, double before, const ct_ledger *l,
                  verdict *v) {
  double limit = allowed(s, l), gain = l->stored_j - before;
  if (!isfinite(l->stored_j) || !isfinite(l->error_j))
    fail_msg("seed %llu step %u: not finite", (unsigned long long)seed, step);
  if (limit <= 0)
    return;
  v->worst_error = fmax(v->worst_error, fabs(l->error_j) / limit);
  v->worst_gain = fmax(v->worst_gain, gain / limit);
  if (fabs(l->error_j) > limit || gain > limit)
    fail_msg("seed %llu step %u: error %.3g J, gain %.3g J, allowed %.3g J, stored %.6g J (mass >= %.2g, k "
             "<= %.2g)",
             (unsigned long long)seed, step, l->error_j, gain, limit, l->stored_j, s->least_mass_kg,
             s->most_stiffness);
}

/* linear: every contact a linear spring, the end of the range of exponents. */
static void run_scene(uint64_t seed, random_limits limits, bool linear, verdict *v) {
  static random_scene s;
  random_scene_make(&s, seed, limits);
  for (uint32_t i = 0; i < s.contact_count && linear; i++)
    s.contacts[i].def.exponent = 1;
  ct_scene *scene = random_scene_build(&s, 0, true);
  double before = ct_scene_ledger(scene).stored_j;
  for (uint32_t step = 0; step < 200; step++) {
    ct_scene_process(scene, &(ct_io){.frames = 1});
    ct_ledger l = ct_scene_ledger(scene);
    judge(&s, seed, step, before, &l, v);
    before = l.stored_j;
  }
  ct_counters c = ct_scene_counters(scene);
  ct_bound bound = ct_scene_bound(scene);
  assert_true(c.most_evaluations <= bound.evaluations_per_solve);
  assert_true(c.most_substeps <= bound.substeps_per_sample);
  v->most_evaluations = c.most_evaluations > v->most_evaluations ? c.most_evaluations : v->most_evaluations;
  v->fallbacks += c.fallbacks;
  v->solves += c.solves;
  v->touched += c.solves > 0;
  ct_scene_destroy(scene);
}

static uint64_t scenes_wanted(void) {
  const char *text = getenv("CT_SCENES");
  return text ? strtoull(text, NULL, 10) : INSTRUMENTED ? 50 : long_run() ? 20000 : 500;
}

static uint64_t first_seed(void) {
  const char *text = getenv("CT_SEED");
  return text ? strtoull(text, NULL, 10) : (uint64_t)time(NULL) * 100003u;
}

static void run_many(const char *name, uint64_t count, random_limits limits, bool linear) {
  verdict v = {0};
  uint64_t seed = first_seed();
  for (uint64_t i = 0; i < count; i++)
    run_scene(seed + i, limits, linear, &v);
  printf("%s: %llu scenes from seed %llu, %llu touched, %llu solves, error %.3g and gain %.3g of what is "
         "allowed, "
         "most evaluations %u, fallbacks %llu\n",
         name, (unsigned long long)count, (unsigned long long)seed, (unsigned long long)v.touched,
         (unsigned long long)v.solves, v.worst_error, v.worst_gain, v.most_evaluations,
         (unsigned long long)v.fallbacks);
  if (count >= 100)
    assert_true(v.touched > count / 4); /* else nothing was tested */
}

static const random_limits wildest = {1e-9, 1e3, 1e2, 1e14};

static void wild(void **state) {
  (void)state;
  run_many("wild", scenes_wanted(), wildest, false);
}

/* Scenes that found a mistake: forces all but clipped by damping, steps that yield far more than the
 * compression, and solves cut short whose forces are small differences. */
static void once_failed(void **state) {
  (void)state;
  static const uint64_t seeds[] = {179486905546459, 179486917653910, 179486956450749, 179486981688366};
  verdict v = {0};
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
    run_scene(seeds[i], wildest, false, &v);
}

static void usual(void **state) {
  (void)state;
  run_many("usual", scenes_wanted() / 4 + 1, (random_limits){1e-3, 1e3, 1e2, 1e11}, false);
}

static void linear(void **state) {
  (void)state;
  run_many("linear", scenes_wanted() / 4 + 1, wildest, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wild), cmocka_unit_test(once_failed),
                                     cmocka_unit_test(usual), cmocka_unit_test(linear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
