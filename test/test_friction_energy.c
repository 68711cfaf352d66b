/* Friction cannot fail: whatever the bodies, contacts, laws, numbers, roughness, rate and sudden steps of all
 * of them, the ledger closes, no contact makes energy, undriven scenes never gain any, also while their
 * numbers jump, and every search ends in time.
 *
 * A thousand scenes with fresh seeds each day they run in, twenty thousand in `./check long`, a hundred
 * with sanitizers; CT_SCENES=100000 for so many. CT_SEED replays one. */
#include "support/lab.h"
#include "support/instrumented.h"
#include "support/long_run.h"
#include "support/random_scene.h"

#include "scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 160, MOST_RUBS = 5, MOST_IMPACTS = 4, MOST_INPUTS = MOST_RUBS * 2 };

typedef struct rub {
  char name[16], a[40], b[40], from[16];
  ct_friction_def def;
} rub;

/* A scene on paper: the bodies and impacts of a random scene, friction contacts on top. */
typedef struct paper {
  random_scene scene;
  rub rubs[MOST_RUBS];
  uint32_t rub_count;
} paper;

/* ---- making one ---- */

static void random_end(random_state *r, const random_scene *s, char *end, size_t size) {
  const struct random_body *b = &s->bodies[random_below(r, s->body_count)];
  snprintf(end, size, "%s.%s", b->name, b->hand ? "at" : b->point_names[random_below(r, b->point_count)]);
}

static double none_or_log(random_state *r, double low, double high) {
  return random_unit(r) < 0.2 ? 0 : random_log(r, low, high);
}

static void random_rub(random_state *r, paper *p, uint32_t index) {
  rub *k = &p->rubs[index];
  snprintf(k->name, sizeof k->name, "f%u%c", index, 'a' + (char)random_below(r, 26));
  random_end(r, &p->scene, k->a, sizeof k->a);
  random_end(r, &p->scene, k->b, sizeof k->b);
  if (strcmp(k->a, k->b) == 0)
    (void)random_other_end(&p->scene, k->a, k->b, sizeof k->b);
  k->def = ct_default_friction_def();
  k->def.law = (ct_law)random_below(r, 5);
  k->def.bristle_n_m = random_log(r, 1e2, 1e9);
  k->def.bristle_damping_n_s_m = none_or_log(r, 1e-4, 1e4);
  k->def.viscous_n_s_m = none_or_log(r, 1e-4, 10);
  k->def.mu_dynamic = random_log(r, 1e-3, 2);
  k->def.mu_static = k->def.mu_dynamic * (random_unit(r) < 0.2 ? 1 : random_log(r, 1, 20));
  k->def.stribeck_m_s = random_log(r, 1e-6, 10);
  k->def.breakaway = random_unit(r) < 0.2 ? 0 : random_between(r, 0, 0.999);
  k->def.normal_n = none_or_log(r, 1e-6, 1e4);
  k->def.substeps = 1u << random_below(r, 4);
  k->def.roughness_n = random_unit(r) < 0.3 ? 0 : fmin(1e4, k->def.normal_n * random_log(r, 1e-3, 30));
  k->def.roughness_exponent = random_between(r, -2, 2);
  if (p->scene.contact_count && random_unit(r) < 0.2) {
    k->def.roughness_n = random_log(r, 1e-4, 1e4);
    snprintf(k->from, sizeof k->from, "%s", p->scene.contacts[random_below(r, p->scene.contact_count)].name);
  }
}

/* What a run is about. */
typedef struct plan {
  random_limits limits;
  bool driven, stepped; /* stepped: numbers jump */
  bool constant;        /* the papers' damping, which is not passive */
} plan;

static void make(paper *p, uint64_t seed, const plan *what) {
  random_state r = {seed * 0x9e3779b97f4a7c15u + 77};
  random_scene_make(&p->scene, seed, what->limits);
  if (p->scene.body_count < RANDOM_BODIES) /* someone to move fast */
    p->scene.bodies[p->scene.body_count++] = (struct random_body){.name = "mover", .hand = true};
  uint32_t impacts = random_below(&r, MOST_IMPACTS + 1);
  p->scene.contact_count = impacts < p->scene.contact_count ? impacts : p->scene.contact_count;
  p->rub_count = 1 + random_below(&r, MOST_RUBS);
  for (uint32_t i = 0; i < p->rub_count; i++) {
    p->rubs[i] = (rub){0};
    random_rub(&r, p, i);
    p->rubs[i].def.constant_damping = what->constant;
  }
}

static void add_rub(ct_scene *scene, const rub *k, const ct_friction_def *def) {
  ct_error error = {0};
  ct_friction_def named = *def;
  named.name = k->name;
  named.a = k->a;
  named.b = k->b;
  named.normal_from = k->from;
  if (ct_added(ct_scene_add_friction(scene, &named, &error), &error) != CT_OK)
    fail_msg("%s", error.text);
}

static ct_scene *build(const paper *p) {
  ct_scene *scene = random_scene_build(&p->scene, 0, true);
  for (uint32_t i = 0; i < p->rub_count; i++)
    add_rub(scene, &p->rubs[i], &p->rubs[i].def);
  lab_settle(scene);
  return scene;
}

/* ---- driving it ---- */

/* Inputs at audio rate: every normal force, stepping, negative now and then; a push along each contact. */
typedef struct drive {
  random_state r;
  ct_input inputs[MOST_INPUTS];
  double values[MOST_INPUTS];
  double most[MOST_INPUTS];
  uint32_t count;
} drive;

static void want_input(drive *d, ct_scene *scene, const char *path, double most) {
  d->most[d->count] = most;
  d->inputs[d->count] = (ct_input){lab_handle(scene, path), &d->values[d->count]};
  d->values[d->count] = ct_scene_get(scene, d->inputs[d->count].handle);
  d->count++;
}

static void start_drive(drive *d, ct_scene *scene, const paper *p, uint64_t seed) {
  char path[80];
  *d = (drive){.r = {seed ^ 0x1234567}};
  double push_n = p->scene.least_mass_kg < 1e-4 ? 1e-3 : 100;
  for (uint32_t i = 0; i < p->rub_count; i++) {
    snprintf(path, sizeof path, "%s.normal_n", p->rubs[i].name);
    want_input(d, scene, path, 1e4);
  }
  for (uint32_t i = 0; i < p->scene.body_count; i++) {
    const struct random_body *b = &p->scene.bodies[i];
    if (d->count == MOST_INPUTS)
      return;
    snprintf(path, sizeof path, b->hand ? "%s.tangential_v_m_s" : "%s.p0.tangential_force_n", b->name);
    want_input(d, scene, path, b->hand ? 1e3 : push_n);
  }
}

static double random_signed(random_state *r, double low, double high) {
  return (random_unit(r) < 0.5 ? -1 : 1) * none_or_log(r, low, high);
}

/* Hands as fast as 1 km/s. */
static void move_inputs(drive *d) {
  for (uint32_t i = 0; i < d->count; i++)
    if (random_unit(&d->r) < 0.1)
      d->values[i] = random_signed(&d->r, 1e-6, d->most[i]);
}

/* Numbers jump anywhere in their range, to its ends too, mu_static also below mu_dynamic. */
static void step_numbers(drive *d, ct_scene *scene, const paper *p) {
  static const struct {
    const char *path;
    double low, high;
  } moves[] = {{"bristle_n_m", 1, 1e12},        {"bristle_damping_n_s_m", 1e-4, 1e5},
               {"viscous_n_s_m", 1e-4, 1e4},    {"mu_static", 1e-3, 100},
               {"mu_dynamic", 1e-3, 100},       {"stribeck_m_s", 1e-6, 1000},
               {"breakaway", 1e-3, 0.999},      {"roughness_n", 1e-4, 1e4},
               {"roughness_exponent", 1e-3, 2}, {"normal_n", 1e-6, 1e4}};
  char path[80];
  uint32_t which = random_below(&d->r, sizeof moves / sizeof moves[0]);
  const rub *k = &p->rubs[random_below(&d->r, p->rub_count)];
  snprintf(path, sizeof path, "%s.%s", k->name, moves[which].path);
  double end = random_unit(&d->r);
  lab_set(scene, path,
          end < 0.1   ? moves[which].low
          : end < 0.2 ? moves[which].high
                      : random_log(&d->r, moves[which].low, moves[which].high),
          0, 0);
}

/* ---- judging it ---- */

typedef struct verdict {
  double worst_error, worst_gain, worst_loss; /* in units of what is allowed */
  uint32_t most_search;
  uint64_t fallbacks, solves, slid, clamped;
  uint64_t rises, negative; /* samples in which an undriven scene gained, a contact lost less than nothing */
} verdict;

static double allowed(const ct_ledger *l) { return l->allowance_j; }

/* Without a drive nothing may rise, and what jumps does no work. */
static void judge_ledger(const ct_ledger *l, const ct_ledger *before, const plan *what, uint64_t seed,
                         uint32_t step, verdict *v) {
  double limit = allowed(l), gain = l->stored_j - before->stored_j;
  if (!isfinite(l->stored_j) || !isfinite(l->error_j))
    fail_msg("seed %llu step %u: not finite", (unsigned long long)seed, step);
  if (limit <= 0)
    return;
  v->worst_error = fmax(v->worst_error, fabs(l->error_j) / limit);
  if (fabs(l->error_j) > limit)
    fail_msg("seed %llu step %u: error %.3g J, allowed %.3g J, stored %.6g J", (unsigned long long)seed, step,
             l->error_j, limit, l->stored_j);
  if (l->noise_j != 0)
    fail_msg("seed %llu step %u: noise worked %.3g J", (unsigned long long)seed, step, l->noise_j);
  if (fabs(l->parameter_j) > limit)
    fail_msg("seed %llu step %u: parameters worked %.3g J, allowed %.3g J", (unsigned long long)seed, step,
             l->parameter_j, limit);
  if (what->driven)
    return;
  v->worst_gain = fmax(v->worst_gain, gain / limit);
  v->rises += gain > limit;
  if (gain > limit && !what->constant)
    fail_msg("seed %llu step %u: gained %.3g J, allowed %.3g J, stored %.6g J", (unsigned long long)seed,
             step, gain, limit, l->stored_j);
}

/* Loss of each friction contact over its last substep, against the work that went through it. */
static void judge_losses(const ct_scene *scene, const plan *what, uint64_t seed, uint32_t step, verdict *v) {
  for (uint16_t i = 0; i < scene->parts[CT_PART_CONTACT].live; i++) {
    const ct_contact *c = ct_live_contact(scene, i);
    if (c->kind != &ct_friction_kind)
      continue;
    double handled = fabs(c->now_n * c->d_m) + fabs(c->noise_j) + c->stored_j;
    v->slid += c->friction.lambda_per_s > 0;
    if (!isfinite(c->lost_j) || !isfinite(c->friction.z_m))
      fail_msg("seed %llu step %u: %s not finite", (unsigned long long)seed, step, c->name);
    if (handled > 0)
      v->worst_loss = fmax(v->worst_loss, -c->lost_j / (1e-12 * handled));
    v->negative += c->lost_j < -1e-12 * handled;
    if (c->lost_j < -1e-12 * handled && !what->constant)
      fail_msg("seed %llu step %u: %s (law %d) lost %.3g J of %.3g J handled", (unsigned long long)seed, step,
               c->name, (int)c->friction.law, c->lost_j, handled);
  }
}

static void judge_counts(const ct_scene *scene, uint64_t seed, verdict *v) {
  ct_counters c = ct_scene_counters(scene);
  if (c.most_friction_evaluations > 80)
    fail_msg("seed %llu: %u evaluations in one search", (unsigned long long)seed,
             c.most_friction_evaluations);
  assert_true(c.most_evaluations <= ct_scene_bound(scene).evaluations_per_solve);
  assert_true(c.most_substeps <= ct_scene_bound(scene).substeps_per_sample);
  assert_true(c.dropped_inputs == 0);
  v->most_search =
      c.most_friction_evaluations > v->most_search ? c.most_friction_evaluations : v->most_search;
  v->fallbacks += c.fallbacks;
  v->solves += c.solves;
  v->clamped += c.clamped_inputs;
}

static void run_scene(uint64_t seed, const plan *what, verdict *v) {
  static paper p;
  drive d;
  make(&p, seed, what);
  ct_scene *scene = build(&p);
  start_drive(&d, scene, &p, seed);
  ct_ledger before = ct_scene_ledger(scene);
  for (uint32_t step = 0; step < STEPS; step++) {
    if (what->driven)
      move_inputs(&d);
    if (what->stepped && random_unit(&d.r) < (what->driven ? 0.15 : 0.5))
      step_numbers(&d, scene, &p);
    ct_scene_process(scene,
                     &(ct_io){.frames = 1, .inputs = d.inputs, .input_count = what->driven ? d.count : 0});
    ct_ledger l = ct_scene_ledger(scene);
    judge_losses(scene, what, seed, step, v);
    judge_ledger(&l, &before, what, seed, step, v);
    before = l;
  }
  judge_counts(scene, seed, v);
  ct_scene_destroy(scene);
}

/* ---- many ---- */

static uint64_t scenes_wanted(void) {
  const char *text = getenv("CT_SCENES");
  return text ? strtoull(text, NULL, 10) : INSTRUMENTED ? 50 : long_run() ? 20000 : 500;
}

static uint64_t first_seed(void) {
  const char *text = getenv("CT_SEED");
  return text ? strtoull(text, NULL, 10) : (uint64_t)time(NULL) * 100003u;
}

static verdict run_many(const char *name, uint64_t seed, uint64_t count, const plan *what) {
  verdict v = {0};
  for (uint64_t i = 0; i < count; i++)
    run_scene(seed + i, what, &v);
  printf("%s: %llu scenes from seed %llu, %llu solves, %llu sliding steps, error %.3g, gain %.3g and "
         "negative loss "
         "%.3g of what is allowed, longest search %u, fallbacks %llu, clamped inputs %llu\n",
         name, (unsigned long long)count, (unsigned long long)seed, (unsigned long long)v.solves,
         (unsigned long long)v.slid, v.worst_error, v.worst_gain, v.worst_loss, v.most_search,
         (unsigned long long)v.fallbacks, (unsigned long long)v.clamped);
  if (count >= 100)
    assert_true(v.slid > 10 * count); /* else nothing was tested */
  return v;
}

static const random_limits usual = {1e-4, 1e2, 1e2, 1e11}, wild = {1e-9, 1e3, 1e2, 1e14};

static void driven_usual(void **state) {
  (void)state;
  verdict v = run_many("driven", first_seed(), scenes_wanted(),
                       &(plan){.limits = usual, .driven = true, .stepped = true});
  assert_true(v.clamped > 0);
}

static void driven_wild(void **state) {
  (void)state;
  run_many("driven, wild masses", first_seed(), scenes_wanted() / 4 + 1,
           &(plan){.limits = wild, .driven = true, .stepped = true});
}

static void undriven(void **state) {
  (void)state;
  run_many("undriven", first_seed(), scenes_wanted() / 2 + 1, &(plan){.limits = usual});
}

static void undriven_while_numbers_jump(void **state) {
  (void)state;
  run_many("undriven, numbers jump", first_seed(), scenes_wanted() / 2 + 1,
           &(plan){.limits = usual, .stepped = true});
}

/* The control: with the papers' constant damping the same scenes make energy, and these tests see it. */
static void constant_damping_makes_energy(void **state) {
  (void)state;
  verdict v = run_many("constant damping", 1, 300, &(plan){.limits = usual, .constant = true});
  printf("constant damping: %llu negative losses, %llu samples in which an undriven scene gained\n",
         (unsigned long long)v.negative, (unsigned long long)v.rises);
  assert_true(v.negative > 0 && v.rises > 0);
}

/* Least power lost while the rub speeds up and its bristles unbend. */
static double least_power(bool constant) {
  ct_friction_def def = ct_default_friction_def();
  ct_scene *scene = lab_scene(44100, 0);
  const rub k = {.name = "rub", .a = "bow.at", .b = "floor.at"};
  double least = INFINITY, before = 0;
  def.bristle_damping_n_s_m = 50;
  def.constant_damping = constant;
  lab_hand(scene, "bow", 0, 0);
  lab_hand(scene, "floor", 0, 0);
  add_rub(scene, &k, &def);
  lab_settle(scene);
  lab_set(scene, "bow.tangential_v_m_s", 0.01, 0, 0);
  lab_set(scene, "bow.tangential_v_m_s", 0.15, 0.001, 2000);
  for (int n = 0; n < 2400; n++) {
    lab_step(scene, 1);
    double lost = ct_scene_ledger(scene).lost_contacts_j;
    least = fmin(least, (lost - before) * 44100);
    before = lost;
  }
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
  return least;
}

static void constant_damping_loses_less_than_nothing(void **state) {
  (void)state;
  double constant = least_power(true), passive = least_power(false);
  printf("speeding up, sigma_1 50, 1 N: least loss %.3g W with constant damping, %.3g W with passive\n",
         constant, passive);
  assert_true(constant < -0.01 && passive >= 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(driven_usual),
                                     cmocka_unit_test(driven_wild),
                                     cmocka_unit_test(undriven),
                                     cmocka_unit_test(undriven_while_numbers_jump),
                                     cmocka_unit_test(constant_damping_makes_energy),
                                     cmocka_unit_test(constant_damping_loses_less_than_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
