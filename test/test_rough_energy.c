/* ctest: slow
 * Roughness only takes energy: scenes that nobody drives never gain, under every law, alone and in islands,
 * in whole samples and in substeps, and no number in range breaks that. The papers' added force, which does
 * make energy, is the control. */
#include "support/lab.h"

#include "file/load.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

enum { RATE = 44100, STEPS = RATE / 2, LAWS = CT_THERMAL + 1 };

static const char *const law_names[LAWS] = {"elasto_plastic", "lugre", "dahl", "kinetic", "thermal"};

static double allowed_j(const ct_ledger *l) { return l->allowance_j; }

/* ---- nobody drives ---- */

typedef struct outcome {
  double start_j, most_j; /* stored */
  double noise_j;
} outcome;

/* Steps a scene that nobody drives and holds it to its account at every sample. */
static outcome watch(const char *name, ct_scene *scene, uint32_t steps) {
  ct_ledger l = ct_scene_ledger(scene);
  outcome o = {.start_j = l.stored_j, .most_j = l.stored_j};
  for (uint32_t n = 0; n < steps; n++) {
    lab_step(scene, 1);
    l = ct_scene_ledger(scene);
    if (!(fabs(l.error_j) <= allowed_j(&l)))
      fail_msg("%s, sample %u: the account is off by %.3g J, allowed %.3g J", name, n, l.error_j,
               allowed_j(&l));
    o.most_j = fmax(o.most_j, l.stored_j);
  }
  o.noise_j = l.noise_j;
  return o;
}

static void must_only_take(const char *name, const outcome *o) {
  printf("%-46s %.3g J, at most %.3g of it more\n", name, o->start_j, o->most_j / o->start_j - 1);
  assert_true(o->start_j > 0);
  assert_true(o->most_j <= o->start_j * (1 + 1e-9));
  assert_true(o->noise_j == 0);
}

/* The scene that turned 1.3e-8 J into 1.7e-3 J. */
static outcome watch_found(const char *law, const char *model) {
  ct_error error = {0};
  ct_doc *doc = NULL;
  ct_scene *scene = NULL;
  ct_build_def def = ct_default_build_def();
  def.rate_hz = RATE;
  def.ledger = true;
  if (ct_doc_load(CT_TEST_DATA "/violations/rough.json", &doc, &error) != CT_OK ||
      ct_doc_set_text(doc, "c.law", law, &error) != CT_OK ||
      ct_doc_set_text(doc, "c.roughness_model", model, &error) != CT_OK ||
      ct_doc_build(doc, &def, &scene, NULL, NULL, &error) != CT_OK)
    fail_msg("%s", error.text);
  lab_settle(scene);
  outcome o = watch(law, scene, 2 * RATE);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
  return o;
}

static void what_was_found_only_takes(void **state) {
  (void)state;
  for (int i = 0; i < LAWS; i++) {
    outcome o = watch_found(law_names[i], "passive");
    must_only_take(law_names[i], &o);
  }
}

/* ---- variations ---- */

typedef enum setting {
  ALONE,    /* a body rubs a wall */
  PRESSED,  /* an impact presses it, and its force is the normal force: an island */
  TWICE,    /* two walls rub it */
  BETWEEN,  /* two bodies rub each other, and one of them a wall */
  ON_STRING /* a string rubs a mass */
} setting;

typedef struct trial {
  setting setting;
  ct_law law;
  double speed_m_s, normal_n, roughness_n, exponent, bristle_n_m, damping_n_s_m;
  uint32_t substeps;
} trial;

static const trial trials[] = {
    {ALONE, CT_ELASTO_PLASTIC, 0.0139, 95, 1000, 1.16, 76000, 0.019, 0},
    {ALONE, CT_LUGRE, 0.3, 1, 0.05, -1, 1e4, 0, 0},
    {ALONE, CT_LUGRE, 3, 0.01, 10, -2, 1e3, 0, 8},
    {ALONE, CT_DAHL, 0.05, 10, 2, 2, 1e5, 0.1, 0},
    {ALONE, CT_DAHL, 0.5, 100, 1e4, 0, 1e6, 100, 4},
    {ALONE, CT_KINETIC, 0.1, 2, 0.3, 0.5, 1e4, 0, 0},
    {ALONE, CT_KINETIC, 1, 0.5, 5, -0.5, 1e9, 0.01, 2},
    {ALONE, CT_THERMAL, 0.2, 3, 1, -1, 1e5, 0.02, 0},
    {ALONE, CT_THERMAL, 2, 30, 1000, 2, 1e3, 0, 16},
    {ALONE, CT_ELASTO_PLASTIC, 10, 1, 0.4, -1, 1e12, 1e5, 0},
    {PRESSED, CT_ELASTO_PLASTIC, 0.1, 0, 1, 1, 1e5, 0, 0},
    {PRESSED, CT_LUGRE, 0.5, 0, 100, -1, 1e4, 0.01, 0},
    {PRESSED, CT_DAHL, 0.02, 0, 0.1, 2, 1e6, 1, 4},
    {PRESSED, CT_KINETIC, 0.3, 0, 3, 0, 1e4, 0, 0},
    {PRESSED, CT_THERMAL, 1, 0, 30, -2, 1e5, 0, 2},
    {TWICE, CT_LUGRE, 0.2, 1, 0.5, 0.5, 1e4, 0, 0},
    {TWICE, CT_THERMAL, 0.05, 20, 500, 1.5, 1e5, 0.1, 8},
    {TWICE, CT_KINETIC, 1, 5, 2, -1, 1e4, 0, 0},
    {BETWEEN, CT_ELASTO_PLASTIC, 0.3, 2, 1, -1, 1e5, 0, 0},
    {BETWEEN, CT_LUGRE, 0.01, 50, 300, 1, 1e6, 0.01, 4},
    {BETWEEN, CT_DAHL, 2, 0.1, 0.05, 2, 1e3, 0, 0},
    {ON_STRING, CT_LUGRE, 0.5, 1, 0.5, 0, 1e5, 0, 0},
    {ON_STRING, CT_ELASTO_PLASTIC, 2, 0.3, 10, -1, 1e4, 0.1, 2},
};

static const char *const setting_names[] = {"alone", "pressed", "twice", "between", "on a string"};

static ct_friction_def rough_def(const trial *t, ct_roughness_model model) {
  ct_friction_def def = ct_default_friction_def();
  def.law = t->law;
  def.bristle_n_m = t->bristle_n_m;
  def.bristle_damping_n_s_m = t->damping_n_s_m;
  def.roughness_n = t->roughness_n;
  def.roughness_exponent = t->exponent;
  def.roughness_model = model;
  def.normal_n = t->normal_n;
  def.substeps = t->substeps;
  return def;
}

static void add_trial_bodies(ct_scene *scene, const trial *t) {
  const ct_mode_def light[] = {{.hz = 456, .t60_s = 1, .mass_kg = 1.3e-4, .v_m_s = t->speed_m_s}};
  const ct_mode_def heavy[] = {{.hz = 200, .t60_s = 2, .mass_kg = 0.01, .v_m_s = t->speed_m_s},
                               {.hz = 1330, .t60_s = 1, .mass_kg = 0.02, .v_m_s = -t->speed_m_s}};
  const double place = 0.3;
  lab_hand(scene, "wall", 0, 0);
  lab_hand(scene, "ceiling", 0, 0);
  if (t->setting != ON_STRING)
    lab_modal(scene, "b", t->setting == ALONE ? light : heavy, t->setting == ALONE ? 1 : 2);
  if (t->setting == BETWEEN)
    lab_modal(scene, "other", light, 1);
  if (t->setting == ON_STRING) {
    lab_mass(scene, "b", 0.01, 0, t->speed_m_s);
    lab_string(scene, "string", ct_default_string_def(), &place, 1);
  }
}

static ct_scene *build_trial(const trial *t, ct_roughness_model model) {
  ct_scene *scene = lab_scene(RATE, 0);
  ct_friction_def def = rough_def(t, model);
  add_trial_bodies(scene, t);
  if (t->setting == PRESSED) {
    ct_impact_def press = lab_law("press", "b.at", "wall.at", 1e6, 1.5, 0.5);
    press.gap_m = -1e-4; /* leans on the wall */
    lab_touch(scene, press);
    def.normal_from = "press";
  }
  lab_rub(scene, "rub", "b.at", t->setting == ON_STRING ? "string.p0" : "wall.at", def);
  if (t->setting == TWICE)
    lab_rub(scene, "rub2", "ceiling.at", "b.at", def);
  if (t->setting == BETWEEN)
    lab_rub(scene, "rub2", "other.at", "b.at", def);
  lab_settle(scene);
  return scene;
}

static void variations_only_take(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
    const trial *t = &trials[i];
    char name[80];
    snprintf(name, sizeof name, "%s, %s, %g m/s, %g of %g N:", setting_names[t->setting], law_names[t->law],
             t->speed_m_s, t->roughness_n, t->normal_n);
    ct_scene *scene = build_trial(t, CT_ROUGHNESS_PASSIVE);
    outcome o = watch(name, scene, STEPS);
    must_only_take(name, &o);
    ct_scene_destroy(scene);
  }
}

/* Else the tests here could not fail. */
static void added_force_makes_energy(void **state) {
  (void)state;
  int gained = 0;
  outcome o = watch_found("lugre", "added");
  for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
    ct_scene *scene = build_trial(&trials[i], CT_ROUGHNESS_ADDED);
    outcome varied = watch("added", scene, STEPS);
    gained += varied.most_j > varied.start_j * (1 + 1e-9);
    ct_scene_destroy(scene);
  }
  printf("added force: %.3g J became %.3g J, noise did %.3g J; %d of the variations gained\n", o.start_j,
         o.most_j, o.noise_j, gained);
  assert_true(o.most_j > 1e4 * o.start_j && o.noise_j > o.most_j);
  assert_true(gained > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_found_only_takes),
                                     cmocka_unit_test(added_force_makes_energy),
                                     cmocka_unit_test(variations_only_take)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
