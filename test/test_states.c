/* What can be read of a contact besides its force: how fast its points pass each other, and how much of that
 * slips. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Doubles; cmocka's own compares floats. */
static void near(double is, double wanted, double tolerance) {
  if (!(fabs(is - wanted) <= tolerance))
    fail_msg("%.17g, not %.17g within %g", is, wanted, tolerance);
}

enum { RATE = 48000 };

/* A mass in flight towards a wall closes at its own speed, whichever of them is called a; thrown back it
 * opens at the rebound's. */
static void closing(void **state) {
  (void)state;
  for (int swapped = 0; swapped < 2; swapped++) {
    ct_scene *scene = lab_scene(RATE, 0);
    lab_mass(scene, "ball", 0.01, -0.001, 1);
    lab_hand(scene, "wall", 0, 0);
    ct_impact_def law =
        lab_law("hit", swapped ? "wall.at" : "ball.at", swapped ? "ball.at" : "wall.at", 1e7, 1.5, 0.4);
    law.from_above = swapped;
    lab_touch(scene, law);
    lab_settle(scene);
    near(lab_get(scene, "hit.relative_m_s"), 1, 1e-15);
    lab_step(scene, RATE / 100);
    near(lab_get(scene, "hit.relative_m_s"), lab_get(scene, "ball.at.v_m_s"), 1e-15);
    near(lab_get(scene, "hit.relative_m_s"), -lab_rebound_m_s(1, 0.4), 2e-3);
    ct_scene_destroy(scene);
  }
}

/* A hand that rubs a heavy mass: at first the bristles only bend and nothing slips; then friction, which does
 * not depend on speed here, makes it slide steadily, all of the motion slips, and the mass gains speed by
 * mu f_N / m. Lifted off, nothing slips. */
static void sliding(void **state) {
  (void)state;
  ct_scene *scene = lab_scene(RATE, 0);
  lab_mass(scene, "block", 10, 0, 0);
  lab_hand(scene, "hand", 0, 0);
  ct_friction_def def = ct_default_friction_def();
  def.law = CT_ELASTO_PLASTIC;
  def.mu_static = def.mu_dynamic = 0.3;
  def.bristle_n_m = 1e4;
  def.bristle_damping_n_s_m = def.viscous_n_s_m = 0;
  def.normal_n = 1;
  lab_rub(scene, "rub", "hand.at", "block.at", def);
  lab_set(scene, "hand.tangential_v_m_s", 0.1, 0, 0);
  lab_step(scene, 2); /* 4 um of bending; breakaway is at 0.7 * 30 um */
  near(lab_get(scene, "rub.slip"), 0, 1e-12);
  lab_step(scene, RATE / 10);
  near(lab_get(scene, "rub.slip"), 1, 1e-3);
  double block_m_s = lab_get(scene, "block.at.tangential_v_m_s");
  near(block_m_s, 0.3 / 10 * 0.1, 1e-5);
  near(lab_get(scene, "rub.relative_m_s"), 0.1 - block_m_s, 1e-15);
  lab_set(scene, "rub.normal_n", 0, 0, 0);
  lab_step(scene, 2);
  near(lab_get(scene, "rub.slip"), 0, 0);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closing), cmocka_unit_test(sliding)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
