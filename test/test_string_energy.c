/* ctest: slow
 * Strings cannot fail: whatever their filters, points, pitch and stiffness, whatever jumps, slides, rubs and
 * strikes them together with other bodies in one island, the ledger closes, numbers that move do no work,
 * undriven scenes never gain energy, and work stays bounded.
 *
 * Three hundred scenes with fresh seeds each time; CT_SCENES=20000 for the long run. CT_SEED replays one. */
#include "support/lab.h"
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

enum { STEPS = 400, STRINGS = 2, POINTS = 3, MASSES = 2, MOST_CONTACTS = 6, MOST_INPUTS = 24 };

static const char *const string_names[STRINGS] = {"s0", "s1"};
static const char *const mass_names[MASSES] = {"m0", "m1"};

typedef struct verdict {
  double worst_error, worst_gain;
  uint32_t most_substeps;
  uint64_t touched;
} verdict;

/* ---- making a scene ---- */

static double some(random_state *r, double chance, double low, double high) {
  return random_unit(r) < chance ? random_log(r, low, high) : 0;
}

static void add_string(ct_scene *scene, random_state *r, const char *name) {
  ct_string_def def = ct_default_string_def();
  double places[POINTS];
  def.stop = random_unit(r) < 0.5 ? 0 : random_between(r, 0, 0.6);
  def.hz = random_log(r, 30, (1 - def.stop) * ct_scene_rate_hz(scene) / 100); /* higher, and it is refused */
  def.high_hz = fmin(def.hz * random_log(r, 2, 60), 1e5);
  def.impedance_kg_s = random_log(r, 0.01, 20);
  def.t60_s = some(r, 0.8, 0.02, 60);
  def.high_t60_s = some(r, 0.8, 0.002, 60);
  def.inharmonicity = some(r, 0.7, 1e-7, 3e-3);
  def.vibrato_cents = some(r, 0.3, 1, 300);
  def.planes = 1 + random_below(r, 2);
  places[0] = random_unit(r);
  for (int i = 1; i < POINTS; i++)
    places[i] = random_unit(r) < 0.2 ? places[0] : random_unit(r); /* now and then the same place twice */
  lab_string(scene, name, def, places, POINTS);
}

static void random_end(random_state *r, char *end, size_t size) {
  uint32_t which = random_below(r, STRINGS * 2 + MASSES + 1);
  if (which < STRINGS * 2)
    snprintf(end, size, "s%u.p%u", which / 2, random_below(r, POINTS));
  else if (which < STRINGS * 2 + MASSES)
    snprintf(end, size, "m%u.at", which - STRINGS * 2);
  else
    snprintf(end, size, "hand.at");
}

static void add_contact(ct_scene *scene, random_state *r, uint32_t index) {
  char name[16], a[32], b[32];
  snprintf(name, sizeof name, "c%u", index);
  random_end(r, a, sizeof a);
  do
    random_end(r, b, sizeof b);
  while (strcmp(a, b) == 0);
  if (random_unit(r) < 0.5) {
    ct_impact_def def =
        lab_law(name, a, b, random_log(r, 1e2, 1e10), random_between(r, 1.01, 3), random_log(r, 1e-3, 10));
    def.from_above = random_unit(r) < 0.5;
    def.gap_m = random_unit(r) < 0.5 ? 0 : random_log(r, 1e-7, 1e-4);
    def.quality = CT_DRAFT;
    lab_touch(scene, def);
    return;
  }
  ct_friction_def def = ct_default_friction_def();
  def.law = (ct_law)random_below(r, 5);
  def.bristle_n_m = random_log(r, 1e2, 1e8);
  def.bristle_damping_n_s_m = some(r, 0.8, 1e-3, 1e2);
  def.viscous_n_s_m = some(r, 0.5, 1e-3, 1);
  def.mu_static = 0.2 + random_log(r, 0.01, 2);
  def.normal_n = random_log(r, 1e-3, 1e2);
  def.substeps = 1u << random_below(r, 3);
  lab_rub(scene, name, a, b, def);
}

static ct_scene *make(random_state *r) {
  ct_scene *scene = lab_scene(random_log(r, 22050, 192000), 0);
  for (int i = 0; i < STRINGS; i++)
    add_string(scene, r, string_names[i]);
  for (int i = 0; i < MASSES; i++) {
    ct_mode_def modes[2] = {{.mass_kg = random_log(r, 1e-4, 1), .v_m_s = random_between(r, -2, 2)},
                            {.hz = random_log(r, 20, 9000), .t60_s = 1, .mass_kg = random_log(r, 1e-4, 1)}};
    lab_modal(scene, mass_names[i], modes, 2);
  }
  lab_hand(scene, "hand", 0, 0);
  uint32_t contacts = 1 + random_below(r, MOST_CONTACTS);
  for (uint32_t i = 0; i < contacts; i++)
    add_contact(scene, r, i);
  lab_settle(scene);
  for (int i = 0; i < STRINGS; i++) {
    char path[32];
    snprintf(path, sizeof path, "s%d.p%u.%s", i, random_below(r, POINTS), i ? "strike_n_s" : "pluck_m");
    lab_set(scene, path, random_between(r, -1e-3, 1e-3), 0, 0);
  }
  return scene;
}

/* ---- driving it ---- */

/* Points slide at audio rate, sometimes leap; forces and hands push; string numbers jump anywhere. */
typedef struct drive {
  ct_input inputs[MOST_INPUTS];
  double values[MOST_INPUTS], step[MOST_INPUTS], low[MOST_INPUTS], high[MOST_INPUTS];
  uint32_t count;
} drive;

static void want(drive *d, ct_scene *scene, const char *path, double low, double high) {
  uint32_t i = d->count++;
  d->inputs[i] = (ct_input){lab_handle(scene, path), &d->values[i]};
  d->values[i] = ct_scene_get(scene, d->inputs[i].handle);
  d->low[i] = low;
  d->high[i] = high;
}

static void start_drive(drive *d, ct_scene *scene) {
  char path[40];
  *d = (drive){.count = 0};
  for (int s = 0; s < STRINGS; s++)
    for (int p = 0; p < POINTS; p++) {
      snprintf(path, sizeof path, "s%d.p%d.place_u", s, p);
      want(d, scene, path, -0.1, 1.1);
      snprintf(path, sizeof path, "s%d.p%d.force_n", s, p);
      want(d, scene, path, -5, 5);
    }
  want(d, scene, "hand.v_m_s", -3, 3);
  want(d, scene, "hand.tangential_v_m_s", -3, 3);
}

static void move(drive *d, random_state *r) {
  for (uint32_t i = 0; i < d->count; i++) {
    double range = d->high[i] - d->low[i];
    if (random_unit(r) < 0.02)
      d->step[i] =
          random_unit(r) < 0.5 ? 0 : range * random_log(r, 1e-6, 1e-2) * (random_unit(r) < 0.5 ? 1 : -1);
    if (random_unit(r) < 0.01)
      d->values[i] = random_between(r, d->low[i], d->high[i]);
    d->values[i] = fmin(fmax(d->values[i] + d->step[i], d->low[i]), d->high[i]);
  }
}

static void jump_number(ct_scene *scene, random_state *r) {
  static const struct {
    const char *name;
    double low, high;
  } numbers[] = {{"hz", 20, 3000},         {"impedance_kg_s", 0.01, 20},  {"t60_s", 0.01, 100},
                 {"high_t60_s", 1e-3, 50}, {"inharmonicity", 1e-8, 9e-3}, {"stop", 1e-3, 0.9},
                 {"vibrato_hz", 0.1, 40},  {"vibrato_cents", 1, 900},     {"high_hz", 100, 20000}};
  uint32_t which = random_below(r, sizeof numbers / sizeof numbers[0]);
  char path[40];
  snprintf(path, sizeof path, "%s.string.%s", string_names[random_below(r, STRINGS)], numbers[which].name);
  lab_set(scene, path, random_log(r, numbers[which].low, numbers[which].high),
          random_unit(r) < 0.5 ? 0 : random_log(r, 1e-4, 1e-2), 0);
}

/* ---- judging it ---- */

static double allowed(const ct_ledger *l) { return l->allowance_j; }

static void judge(const ct_ledger *l, const ct_ledger *before, bool driven, uint64_t seed, uint32_t step,
                  verdict *v) {
  double limit = allowed(l), gain = l->stored_j - before->stored_j - (l->force_j - before->force_j);
  if (!isfinite(l->stored_j) || !isfinite(l->error_j))
    fail_msg("seed %llu step %u: not finite", (unsigned long long)seed, step);
  if (limit <= 0)
    return;
  if (fabs(l->parameter_j) > limit)
    fail_msg("seed %llu step %u: parameters worked %.3g J, allowed %.3g J", (unsigned long long)seed, step,
             l->parameter_j, limit);
  v->worst_error = fmax(v->worst_error, fabs(l->error_j) / limit);
  if (fabs(l->error_j) > limit)
    fail_msg("seed %llu step %u: error %.3g J, allowed %.3g J", (unsigned long long)seed, step, l->error_j,
             limit);
  if (driven)
    return;
  v->worst_gain = fmax(v->worst_gain, gain / limit);
  if (gain > limit)
    fail_msg("seed %llu step %u: gained %.3g J, allowed %.3g J", (unsigned long long)seed, step, gain, limit);
}

static void run_scene(uint64_t seed, bool driven, verdict *v) {
  random_state r = {seed * 0x9e3779b97f4a7c15u + 5};
  ct_scene *scene = make(&r);
  drive d;
  start_drive(&d, scene);
  ct_scene_process(scene, &(ct_io){.frames = 0});
  ct_ledger before = ct_scene_ledger(scene);
  for (uint32_t step = 0; step < STEPS; step++) {
    if (driven) {
      move(&d, &r);
      if (random_unit(&r) < 0.1)
        jump_number(scene, &r);
    }
    ct_scene_process(scene, &(ct_io){.frames = 1, .inputs = d.inputs, .input_count = driven ? d.count : 0});
    ct_ledger l = ct_scene_ledger(scene);
    judge(&l, &before, driven, seed, step, v);
    before = l;
  }
  ct_counters c = ct_scene_counters(scene);
  assert_true(c.most_substeps <= ct_scene_bound(scene).substeps_per_sample);
  assert_true(c.most_evaluations <= ct_scene_bound(scene).evaluations_per_solve);
  assert_true(c.dropped_inputs == 0);
  v->most_substeps = c.most_substeps > v->most_substeps ? c.most_substeps : v->most_substeps;
  v->touched += c.solves;
  ct_scene_destroy(scene);
}

static uint64_t from_environment(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

static void run_many(const char *name, bool driven) {
  uint64_t count = from_environment("CT_SCENES", 300),
           seed = from_environment("CT_SEED", (uint64_t)time(NULL) * 100003u);
  verdict v = {0};
  for (uint64_t i = 0; i < count; i++)
    run_scene(seed + i, driven, &v);
  printf(
      "%s: %llu scenes from seed %llu, %llu solves, error %.3g and gain %.3g of what is allowed, at most %u "
      "substeps\n",
      name, (unsigned long long)count, (unsigned long long)seed, (unsigned long long)v.touched, v.worst_error,
      v.worst_gain, v.most_substeps);
  assert_true(v.touched > 50 * count); /* else nothing was tested */
}

/* Vibrato retunes of itself: an undriven scene may have it, since retuning gains nothing. */
static void undriven(void **state) {
  (void)state;
  run_many("undriven", false);
}

static void driven(void **state) {
  (void)state;
  run_many("driven", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(undriven), cmocka_unit_test(driven)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
