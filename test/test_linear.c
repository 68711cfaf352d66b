/* A linear spring, the impact law at exponent 1. The discrete gradient of k x^2 / 2 is k (x0 + x1) / 2, and
 * the mass moves by dx = v h - h^2 f / 2m: the midpoint rule, which turns (x, v / w) by exactly
 * theta = 2 atan(w h / 2) per step. Half a turn is the whole contact, at any speed. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

/* Doubles; cmocka's own compares floats. */
static void near(double is, double wanted, double tolerance) {
  if (!(fabs(is - wanted) <= tolerance))
    fail_msg("%.17g, not %.17g within %g", is, wanted, tolerance);
}

enum { RATE = 48000 };
static const double mass_kg = 0.01;

/* Contact lasts so many samples: T = pi sqrt(m / k). */
static double stiffness_for(double samples) {
  double omega = M_PI * RATE / samples;
  return mass_kg * omega * omega;
}

static ct_scene *spring(double samples, double x_m, double v_m_s, uint32_t substeps) {
  ct_scene *scene = lab_scene(RATE, 0);
  lab_mass(scene, "ball", mass_kg, x_m, v_m_s);
  lab_hand(scene, "wall", 0, 0);
  ct_impact_def law = lab_law("touch", "ball.at", "wall.at", stiffness_for(samples), 1, 0);
  law.substeps = substeps;
  lab_touch(scene, law);
  lab_settle(scene);
  return scene;
}

/* x after n substeps is v / w sin(n theta). */
static void turns_evenly(void **state) {
  (void)state;
  double worst = 0;
  for (uint32_t substeps = 1; substeps <= 64; substeps *= 4)
    for (double samples = 2; samples < 1000; samples *= 3.7) {
      double v = 0.7, omega = M_PI * RATE / samples, theta = 2 * atan(omega / RATE / substeps / 2);
      ct_scene *scene = spring(samples, 0, v, substeps);
      for (uint32_t n = 1; substeps * n * theta < M_PI; n++) {
        lab_step(scene, 1);
        double wanted = v / omega * sin(substeps * n * theta);
        worst = fmax(worst, fabs(lab_get(scene, "touch.compression_m") - wanted) * omega / v);
      }
      ct_scene_destroy(scene);
    }
  printf("linear spring: off the closed form by %.1e of the depth\n", worst);
  assert_true(worst < 1e-11);
}

/* Steps until it has been and gone. */
static void leave(ct_scene *scene) {
  ct_handle compression = lab_handle(scene, "touch.compression_m");
  for (int n = 0; n < 4000; n++) {
    lab_step(scene, 1);
    if (ct_scene_counters(scene).solves > 0 && ct_scene_get(scene, compression) <= 0)
      return;
  }
  fail_msg("it never left");
}

/* The step is chosen by the contact time, which no speed changes: as many substeps and solves from a
 * micrometre a second to a hundred metres, as many as T >= 16 h asks for, and all of the speed comes back. */
static void steps_do_not_depend_on_speed(void **state) {
  (void)state;
  static const struct {
    double samples;
    uint32_t substeps;
  } cases[] = {{40, 1},
               {16.01, 1},
               {15.99, 2},
               {5, 4},
               {1.9, 16},
               /* 23 of 1/32 until it has left, then 1/32 and 1/4 to the end of the sample */
               {0.7, 25}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ct_counters first = {0};
    for (double v = 1e-6; v < 200; v *= 100) {
      ct_scene *scene = spring(cases[i].samples, 0, v, 0);
      leave(scene);
      ct_counters c = ct_scene_counters(scene);
      if (first.solves == 0)
        first = c;
      assert_int_equal(c.most_substeps, cases[i].substeps);
      assert_int_equal(c.solves, first.solves);
      near(lab_get(scene, "ball.at.v_m_s") / v, -1, 1e-12);
      ct_scene_destroy(scene);
    }
  }
}

/* From 1 to 2 and back while pressed, in one leap each: no energy comes of it. */
static void exponent_moves_through(void **state) {
  (void)state;
  ct_scene *scene = spring(30, 0, 1, 0);
  double start = ct_scene_ledger(scene).stored_j;
  for (int n = 0; n < 2000; n++) {
    lab_step(scene, 3);
    lab_set(scene, "touch.exponent", n % 2 ? 1 : 2, 0, 0);
    assert_true(ct_scene_ledger(scene).stored_j <= start * (1 + 1e-12));
    assert_true(lab_ledger_error(scene) < 1e-12);
  }
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(turns_evenly),
                                     cmocka_unit_test(steps_do_not_depend_on_speed),
                                     cmocka_unit_test(exponent_moves_through)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
