/* ctest: slow
 * How fast a mass comes back: the engine at 44.1 kHz against the exact root, whatever the sub-sample moment
 * of arrival. 1 to 100 g, alpha 1.1 to 2.3 and 1, 0.05 to 4 m/s, k up to 1e10, mu up to 0.6. At most 1 % off
 * at default quality and 0.1 % at the highest; energy never rises. Two free masses keep their momentum.
 *
 * The scheme is of second order and a contact gets at least N steps (16 at default quality, 64 at the
 * highest), so the error is at most c / N^2: it is largest where the contact time is just N steps, and random
 * parameters find that place better than a grid does. CT_CASES=20000 for the long run. */
#include "support/lab.h"
#include <contatto/impact.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { PHASES = 64, MOST_SAMPLES = 100000 };
static const double rate_hz = 44100;

typedef struct verdict {
  double worst, spread; /* of |v| against the exact root, relative; and over the moments of one case */
  double gain;          /* largest rise of energy over a sample, relative to the energy at the start */
  uint64_t solves, contacts;
} verdict;

static ct_scene *empty_scene(void) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = rate_hz;
  def.gravity_m_s2 = 0;
  def.ledger = true;
  def.bodies = 2;
  def.contacts = def.pickups = def.controls = def.targets = 1;
  def.pool_bytes = 1 << 16;
  return lab_scene_from(&def);
}

static void touch(ct_scene *scene, const ct_impact_case *c, const char *other, ct_quality quality) {
  ct_impact_def law = lab_law("touch", "ball.at", other, c->stiffness, c->exponent, c->damping_s_m);
  law.quality = quality;
  lab_touch(scene, law);
  lab_settle(scene);
}

/* Steps until the contact has been and gone; every rise of energy on the way is noted. */
static void play(ct_scene *scene, verdict *v) {
  ct_handle compression = lab_handle(scene, "touch.compression_m");
  double start = ct_scene_ledger(scene).stored_j, before = start;
  bool touched = false;
  for (int n = 0; n < MOST_SAMPLES; n++) {
    lab_step(scene, 1);
    double now = ct_scene_ledger(scene).stored_j;
    v->gain = fmax(v->gain, (now - before) / start);
    before = now;
    touched |= ct_scene_counters(scene).solves > 0;
    if (touched && ct_scene_get(scene, compression) <= 0) {
      v->solves += ct_scene_counters(scene).solves;
      v->contacts++;
      return;
    }
  }
  fail_msg("it never left");
}

/* Arrives `when` samples after the start. */
static double rebound_m_s(const ct_impact_case *c, double when, ct_quality quality, verdict *v) {
  ct_scene *scene = empty_scene();
  lab_mass(scene, "ball", c->mass_kg, -when * c->speed_m_s / rate_hz, c->speed_m_s);
  lab_hand(scene, "wall", 0, 0);
  touch(scene, c, "wall.at", quality);
  play(scene, v);
  double out = lab_get(scene, "ball.at.v_m_s");
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
  return out;
}

static void try_case(const ct_impact_case *c, ct_quality quality, double limit, verdict *v) {
  double exact = ct_impact_rebound_m_s(c->speed_m_s, c->damping_s_m), low = INFINITY, high = -INFINITY;
  for (int phase = 0; phase < PHASES; phase++) {
    double error = rebound_m_s(c, 1 + (double)phase / PHASES, quality, v) / exact - 1;
    low = fmin(low, error);
    high = fmax(high, error);
  }
  v->worst = fmax(v->worst, fmax(high, -low));
  v->spread = fmax(v->spread, high - low);
  if (v->worst > limit || v->gain > 1e-14)
    fail_msg("m %g kg, k %g, alpha %g, mu %g, v %g: error %g to %g, energy rises by %g", c->mass_kg,
             c->stiffness, c->exponent, c->damping_s_m, c->speed_m_s, low, high, v->gain);
}

static void report(const char *what, const verdict *v) {
  printf(
      "%s: %llu rebounds, worst error %.4f %%, over the moments of one case %.4f %%, energy rises by %.1e, "
      "%.1f solves each\n",
      what, (unsigned long long)v->contacts, 100 * v->worst, 100 * v->spread, v->gain,
      (double)v->solves / (double)v->contacts);
}

/* ---- the corners ---- */

/* The worst of a search through 20000 cases: the contact lasts just over 16 steps of the level chosen. Half
 * the steps would not do. */
static const ct_impact_case worst_found = {2.69918e-3, 1e10, 2.29461, 0.563804, 2.63552};

static void try_corners(const char *what, ct_quality quality, double limit, const double exponent[2]) {
  static const double mass_kg[] = {1e-3, 1e-1}, stiffness[] = {1e7, 1e10}, damping_s_m[] = {0, 0.6},
                      speed_m_s[] = {0.05, 4};
  verdict v = {0};
  for (int i = 0; i < 32; i++) {
    ct_impact_case c = {mass_kg[i & 1], stiffness[i >> 1 & 1], exponent[i >> 2 & 1], damping_s_m[i >> 3 & 1],
                        speed_m_s[i >> 4]};
    try_case(&c, quality, limit, &v);
  }
  try_case(&worst_found, quality, limit, &v);
  report(what, &v);
}

static void corners(void **state) {
  (void)state;
  static const double exponent[2] = {1.1, 2.3};
  try_corners("corners, normal", CT_NORMAL_QUALITY, 0.01, exponent);
  try_corners("corners, best", CT_BEST, 0.001, exponent);
}

/* alpha = 1 and the least above it: a linear spring is no special case. */
static void linear_corners(void **state) {
  (void)state;
  static const double exponent[2] = {1, 1 + 1e-9};
  try_corners("linear, normal", CT_NORMAL_QUALITY, 0.01, exponent);
  try_corners("linear, best", CT_BEST, 0.001, exponent);
}

/* ---- anywhere between ---- */

/* xorshift64*: the same cases everywhere. */
static double next_random(uint64_t *s) {
  *s ^= *s >> 12;
  *s ^= *s << 25;
  *s ^= *s >> 27;
  return (double)(*s * 2685821657736338717u >> 11) / 9007199254740992.0;
}

static double between(uint64_t *s, double low, double high) { return low + (high - low) * next_random(s); }

static double log_between(uint64_t *s, double low, double high) {
  return low * pow(high / low, next_random(s));
}

static ct_impact_case random_case(uint64_t *s) {
  ct_impact_case c = {.mass_kg = log_between(s, 1e-3, 1e-1), .stiffness = log_between(s, 1e6, 1e10)};
  c.exponent = between(s, 1.1, 2.3);
  c.damping_s_m = between(s, 0, 0.6);
  c.speed_m_s = log_between(s, 0.05, 4);
  return c;
}

static int cases_wanted(void) {
  const char *text = getenv("CT_CASES");
  return text ? atoi(text) : 200;
}

static void try_random(const char *what, ct_quality quality, double limit) {
  uint64_t seed = 20090901;
  verdict v = {0};
  for (int i = 0; i < cases_wanted(); i++) {
    ct_impact_case c = random_case(&seed);
    try_case(&c, quality, limit, &v);
  }
  report(what, &v);
}

static void anywhere(void **state) {
  (void)state;
  try_random("anywhere, normal", CT_NORMAL_QUALITY, 0.01);
  try_random("anywhere, best", CT_BEST, 0.001);
}

/* The limits above mean something: with a quarter of the steps they are broken. */
static void draft_does_not(void **state) {
  (void)state;
  ct_impact_case c = {1e-3, 1e10, 1.1, 0.6, 4};
  verdict v = {0};
  try_case(&c, CT_DRAFT, INFINITY, &v);
  report("hardest corner, draft", &v);
  assert_true(v.worst > 0.01);
}

/* ---- two free masses ---- */

static void try_pair(uint64_t *seed, ct_quality quality, double limit, verdict *v, double *drift) {
  ct_impact_case c = random_case(seed);
  ct_impact_pair before = {{c.mass_kg, log_between(seed, 1e-3, 1e-1)}, {c.speed_m_s / 2, -c.speed_m_s / 2}};
  ct_impact_pair exact = ct_impact_pair_after(&before, c.damping_s_m);
  ct_scene *scene = empty_scene();
  lab_mass(scene, "ball", before.mass_kg[0], -between(seed, 1, 2) * c.speed_m_s / rate_hz, before.v_m_s[0]);
  lab_mass(scene, "other", before.mass_kg[1], 0, before.v_m_s[1]);
  touch(scene, &c, "other.at", quality);
  play(scene, v);
  double a = lab_get(scene, "ball.at.v_m_s"), b = lab_get(scene, "other.at.v_m_s");
  double size = (before.mass_kg[0] + before.mass_kg[1]) * c.speed_m_s / 2;
  double momentum = before.mass_kg[0] * (a - before.v_m_s[0]) + before.mass_kg[1] * (b - before.v_m_s[1]);
  *drift = fmax(*drift, fabs(momentum) / size);
  v->worst = fmax(v->worst, fabs((b - a) / (exact.v_m_s[1] - exact.v_m_s[0]) - 1));
  if (v->worst > limit || *drift > 1e-12 || v->gain > 1e-14)
    fail_msg("masses %g and %g kg: parting speed off by %g, momentum by %g, energy rises by %g",
             before.mass_kg[0], before.mass_kg[1], v->worst, *drift, v->gain);
  ct_scene_destroy(scene);
}

static void pairs(void **state) {
  (void)state;
  static const double limits[] = {[CT_NORMAL_QUALITY] = 0.01, [CT_BEST] = 0.001};
  for (int quality = CT_NORMAL_QUALITY; quality <= CT_BEST; quality += CT_BEST - CT_NORMAL_QUALITY) {
    uint64_t seed = 1975;
    double drift = 0;
    verdict v = {0};
    for (int i = 0; i < 5 * cases_wanted(); i++)
      try_pair(&seed, (ct_quality)quality, limits[quality], &v, &drift);
    report(quality == CT_BEST ? "two free masses, best" : "two free masses, normal", &v);
    printf("momentum drifts by %.1e\n", drift);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(corners), cmocka_unit_test(linear_corners),
                                     cmocka_unit_test(anywhere), cmocka_unit_test(draft_does_not),
                                     cmocka_unit_test(pairs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
