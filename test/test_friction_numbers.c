/* Numbers of friction that move do no work, and none in range breaks it: bristles keep what they store when
 * their stiffness jumps; every live number at its ends, at the smallest there is and leaping between them at
 * every sample leaves all finite and the account closed, under every law. */
#include "support/lab.h"

#include "document/schema.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { RATE = 44100, LAWS = CT_THERMAL + 1 };

static const char *const law_names[LAWS] = {"elasto_plastic", "lugre", "dahl", "kinetic", "thermal"};

static double allowed_j(const ct_ledger *l) { return l->allowance_j; }

/* ---- stiffness ---- */

/* Bristles are bent by a hand that then rests; their stiffness jumps up and down by a million. */
static void stiffness_does_no_work(void **state) {
  (void)state;
  for (int law = 0; law < LAWS; law++) {
    ct_scene *scene = lab_scene(RATE, 0);
    ct_friction_def def = ct_default_friction_def();
    def.law = (ct_law)law;
    def.normal_n = 100;
    lab_hand(scene, "hand", 0, 0);
    lab_hand(scene, "wall", 0, 0);
    lab_rub(scene, "rub", "hand.at", "wall.at", def);
    lab_settle(scene);
    lab_set(scene, "hand.tangential_v_m_s", 0.1, 0, 0);
    lab_step(scene, 200);
    lab_set(scene, "hand.tangential_v_m_s", 0, 0, 0);
    lab_step(scene, 200);
    double bent_j = lab_get(scene, "rub.stored_j"), bent_n = lab_get(scene, "rub.force_n");
    assert_true(bent_j > 0);
    lab_set(scene, "rub.bristle_n_m", 1e2, 0, 0);
    lab_step(scene, 100);
    assert_true(fabs(lab_get(scene, "rub.stored_j") / bent_j - 1) < 1e-14);
    assert_true(fabs(lab_get(scene, "rub.force_n") / bent_n - 0.1) < 1e-12); /* f = sqrt(2 s0 V) */
    lab_set(scene, "rub.bristle_n_m", 1e8, 0, 0); /* more than friction holds: the rest is lost */
    lab_step(scene, 100);
    ct_ledger l = ct_scene_ledger(scene);
    double held_n = lab_get(scene, "rub.force_n");
    assert_true(lab_get(scene, "rub.stored_j") < 0.1 * bent_j && held_n >= bent_n * (1 - 1e-12));
    printf("%s: %.3g J bent, %.3g J after, work of parameters %.3g J\n", law_names[law], bent_j,
           lab_get(scene, "rub.stored_j"), l.parameter_j);
    assert_true(fabs(l.parameter_j) <= 1e-14 * bent_j && fabs(l.error_j) <= allowed_j(&l));
    ct_scene_destroy(scene);
  }
}

/* The kinetic law's bristle is stiff against the step and the body it holds: a hundred times the mass, a
 * hundred times the stiffness, from the next change of the contact on. */
static void kinetic_stiffness_does_no_work(void **state) {
  (void)state;
  ct_scene *scene = lab_scene(RATE, 0);
  ct_friction_def def = ct_default_friction_def();
  def.law = CT_KINETIC;
  def.normal_n = 100;
  lab_hand(scene, "wall", 0, 0);
  lab_mass(scene, "b", 1e-3, 0, 0);
  lab_rub(scene, "rub", "b.at", "wall.at", def);
  lab_settle(scene);
  lab_set(scene, "b.at.tangential_force_n", 10, 0, 0);
  lab_step(scene, RATE / 10);
  double bent_j = lab_get(scene, "rub.stored_j"), bent_m = lab_get(scene, "rub.deflection_m");
  assert_true(bent_j > 0);
  lab_set(scene, "b.modes.0.mass_kg", 0.1, 0, 0);
  lab_step(scene, 8);
  lab_set(scene, "rub.viscous_n_s_m", 1, 0, 0);
  lab_step(scene, RATE / 10);
  ct_ledger l = ct_scene_ledger(scene);
  double stiffer = bent_m / lab_get(scene, "rub.deflection_m"); /* at the same force */
  printf("kinetic: %.3g J bent, %.1f times as stiff, work of parameters %.3g J\n", bent_j, stiffer,
         l.parameter_j);
  assert_true(fabs(stiffer - 100) < 1);
  assert_true(fabs(l.parameter_j) <= 0.01 * bent_j && fabs(l.error_j) <= allowed_j(&l));
  ct_scene_destroy(scene);
}

/* ---- ends of the range ---- */

static bool live_of_friction(const ct_row *row) {
  bool moves = row->shown.rate == CT_RATE_TICK || row->shown.rate == CT_RATE_AUDIO;
  return row->section == CT_IN_CONTACT && moves && ct_row_fits_contact(row, true);
}

static void must_be_finite(ct_scene *scene, const char *path, double value, ct_law law) {
  ct_ledger l = ct_scene_ledger(scene);
  const double heard[] = {lab_get(scene, "rub.force_n"), lab_get(scene, "rub.deflection_m"),
                          lab_get(scene, "rub.temperature_k"), l.stored_j, l.error_j};
  for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++)
    if (!isfinite(heard[i]))
      fail_msg("%s = %g under %s: number %zu is not finite", path, value, law_names[law], i);
  if (fabs(l.error_j) > allowed_j(&l))
    fail_msg("%s = %g under %s: the account is off by %.3g J", path, value, law_names[law], l.error_j);
}

/* Two bodies on a rough surface of each other, and of a wall. */
static ct_scene *rub_between(ct_law law) {
  const ct_mode_def heavy[] = {{.hz = 200, .t60_s = 2, .mass_kg = 0.01, .v_m_s = 0.3},
                               {.hz = 1330, .t60_s = 1, .mass_kg = 0.02, .v_m_s = -0.3}};
  ct_scene *scene = lab_scene(RATE, 0);
  ct_friction_def def = ct_default_friction_def();
  def.law = law;
  def.bristle_n_m = 1e5;
  def.bristle_damping_n_s_m = 0.1;
  def.normal_n = 2;
  def.roughness_n = 1;
  def.substeps = law == CT_DAHL ? 4 : 0;
  lab_hand(scene, "wall", 0, 0);
  lab_modal(scene, "b", heavy, 2);
  lab_mass(scene, "other", 1e-4, 0, 0);
  lab_rub(scene, "rub", "b.at", "wall.at", def);
  lab_rub(scene, "rub2", "other.at", "b.at", def);
  lab_settle(scene);
  return scene;
}

/* To and fro over a rough body, while one number is at an end, at the smallest there is, or leaps between
 * them at every sample. */
static void check_ends(const ct_row *row, ct_law law) {
  const double low = row->shown.min, high = row->shown.max, tiny = 5e-324;
  const double values[] = {low, high, tiny >= low ? tiny : low, high, low, high};
  ct_scene *scene = rub_between(law);
  char path[80];
  snprintf(path, sizeof path, "rub.%s", strrchr(row->shown.path, '.') + 1);
  double leaping[128];
  for (int i = 0; i < 128; i++)
    leaping[i] = i % 3 == 0 ? low : i % 3 == 1 ? high : values[2];
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    lab_set(scene, path, values[i], 0, 0);
    lab_set(scene, "b.at.tangential_force_n", i % 2 ? 50 : -50, 0, 0);
    for (int n = 0; n < 40; n++) {
      lab_step(scene, 8);
      must_be_finite(scene, path, values[i], law);
    }
  }
  ct_input input = {lab_handle(scene, path), leaping};
  ct_scene_process(scene, &(ct_io){.frames = 128, .inputs = &input, .input_count = 1});
  must_be_finite(scene, path, low, law);
  ct_scene_destroy(scene);
}

static void no_number_in_range_breaks_it(void **state) {
  (void)state;
  int rows = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_row *row = ct_row_at(i);
    if (!live_of_friction(row))
      continue;
    rows++;
    for (int law = 0; law < LAWS; law++)
      check_ends(row, (ct_law)law);
  }
  printf("%d live numbers of friction under %d laws\n", rows, LAWS);
  assert_true(rows >= 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stiffness_does_no_work),
                                     cmocka_unit_test(kinetic_stiffness_does_no_work),
                                     cmocka_unit_test(no_number_in_range_breaks_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
