/* ctest: slow
 * No number in range breaks a body: the ends of every range, and the least number there is. Filters of
 * strings are finite and passive, materials give decays that a mode can have, and struck modes sound finite
 * and keep the account. (Modes alone: test_response.c; numbers that jump: test_string_storm.c.) */
#include "body/body.h"
#include "support/lab.h"

#include <contatto/material.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* ---- strings ---- */

static const double rates_hz[] = {8000, 44100, 96000, 384000};
static const double pitches_hz[] = {1, 5, 27.5, 147, 440, 2000, 8000, 20000};
static const double t60s_s[] = {0, 5e-324, 1e-300, 1e-9, 1e-3, 0.1, 3, 1000};
static const double high_t60s_s[] = {0, 5e-324, 1e-4, 0.1, 1000};
static const double high_hzs[] = {2, 100, 5000, 1e5};
static const double stiffs[] = {0, 5e-324, 1e-8, 1e-5, 1e-3, 0.01};
static const double stops[] = {0, 0.5, 0.95};

/* |k| < 1 of either all-pass; a pole inside the circle; a bridge that gives no more than it takes. */
static void look_at_loop(const ct_loop *loop, const ct_loss_wish *wish, double stop) {
  bool passive = loop->pole >= 0 && loop->pole < 1 && loop->ease > 0 && loop->ease < 2 && loop->give >= 0 &&
                 loop->give <= 1 - loop->ease / 2;
  for (uint32_t i = 0; i < loop->sections; i++)
    passive = passive && loop->e1[i] > 0 && loop->e1[i] < 2 && loop->e2[i] > 0 && loop->e2[i] < 2;
  for (int i = 0; i <= 8 && passive; i++)
    passive =
        isfinite(ct_loop_lag(loop, ct_sine_at(i * M_PI / 8))) && isfinite(ct_loop_gain(loop, i * M_PI / 8));
  if (!passive)
    fail_msg("%g Hz at %g, stop %g, t60 %g and %g s at %g Hz, B %g: pole %g, give %g, ease %g, %u sections",
             wish->hz, wish->rate_hz, stop, wish->t60_s, wish->high_t60_s, wish->high_hz, wish->inharmonicity,
             loop->pole, loop->give, loop->ease, loop->sections);
}

static void losses_are_finite_and_passive(void **state) {
  uint64_t loops = 0;
  (void)state;
  for (size_t i = 0; i < COUNT(rates_hz) * COUNT(pitches_hz); i++)
    for (size_t j = 0; j < COUNT(t60s_s) * COUNT(high_t60s_s); j++)
      for (size_t k = 0; k < COUNT(high_hzs) * COUNT(stiffs); k++) {
        ct_loop loop = {0};
        ct_loss_wish wish = {.rate_hz = rates_hz[i % COUNT(rates_hz)],
                             .hz = pitches_hz[i / COUNT(rates_hz)],
                             .inharmonicity = stiffs[k / COUNT(high_hzs)],
                             .t60_s = t60s_s[j % COUNT(t60s_s)],
                             .high_t60_s = high_t60s_s[j / COUNT(t60s_s)],
                             .high_hz = high_hzs[k % COUNT(high_hzs)]};
        ct_loop_set_losses(&loop, &wish);
        look_at_loop(&loop, &wish, 0);
        loops++;
      }
  printf("losses of %llu strings\n", (unsigned long long)loops);
}

/* The fit is slow: every pitch, rate, stop and stiffness, and the two ends of the losses. */
static void stiffness_is_finite_and_passive(void **state) {
  uint64_t loops = 0;
  (void)state;
  for (size_t i = 0; i < COUNT(rates_hz) * COUNT(pitches_hz); i++)
    for (size_t j = 0; j < COUNT(stops) * COUNT(stiffs); j++)
      for (int damped = 0; damped < 2; damped++) {
        ct_loop loop;
        ct_loss_wish wish = {.rate_hz = rates_hz[i % COUNT(rates_hz)],
                             .hz = pitches_hz[i / COUNT(rates_hz)],
                             .inharmonicity = stiffs[j / COUNT(stops)],
                             .t60_s = damped ? 5e-324 : 1000,
                             .high_t60_s = damped ? 5e-324 : 1000,
                             .high_hz = 5000};
        double stop = stops[j % COUNT(stops)], cells = ct_string_make_loop(&loop, &wish, stop);
        look_at_loop(&loop, &wish, stop);
        assert_true(isfinite(cells));
        loops++;
      }
  printf("stiffness of %llu strings\n", (unsigned long long)loops);
}

/* ---- materials ---- */

static void materials_decay_as_modes_can(void **state) {
  static const double globals[] = {-20, -4, 0, 8, 20}, relatives[] = {-1, -0.1, 0, 0.1, 1};
  static const double hzs[] = {0, 5e-324, 1, 1000, 2e5, 1e9, 1e15, 1e300};
  (void)state;
  for (size_t i = 0; i < COUNT(globals); i++)
    for (size_t j = 0; j < COUNT(relatives); j++)
      for (size_t k = 0; k < COUNT(hzs); k++) {
        ct_material m = {.global_damping = globals[i], .relative_damping = relatives[j]};
        double t60 = ct_material_t60_s(&m, hzs[k]);
        assert_true(t60 > 0 && isfinite(t60));
      }
}

/* What the two numbers are made of may be as small and as large as a double. */
static void materials_take_any_times(void **state) {
  static const double times[] = {5e-324, 1e-300, 1e-9, 1, 1e9, 1e300};
  (void)state;
  for (size_t i = 0; i < COUNT(times); i++)
    for (size_t j = 0; j < COUNT(times); j++) {
      ct_material m = *ct_material_find("wood"), before = m;
      assert_int_equal(ct_material_set_t60_s(&m, 300, times[i], 4000, times[j]), CT_OK);
      assert_true(isfinite(m.global_damping) && isfinite(m.relative_damping));
      m = before;
      assert_int_equal(ct_material_set_t60_s(&m, 0, times[i], 5e-324, times[j]), CT_BAD_VALUE);
      assert_true(m.global_damping == before.global_damping && m.relative_damping == before.relative_damping);
    }
}

/* ---- modes that are struck ---- */

/* A light mode pushes back so weakly that all of a blow's thousands of substeps round the hammer's velocity
 * the same way: half a unit of the last place each. */
static void strike(double rate_hz, const ct_mode_def *mode, ct_integrator integrator, double *worst) {
  ct_scene *scene = lab_scene(rate_hz, 0);
  ct_point_def point = {.name = "at"};
  ct_modal_def def = ct_default_modal_def();
  def.name = "struck";
  def.modes = mode;
  def.mode_count = 1;
  def.points = &point;
  def.point_count = 1;
  def.integrator = integrator;
  lab_body(scene, &def);
  lab_mass(scene, "hammer", 0.01, -1e-5, 1);
  lab_touch(scene, lab_law("blow", "hammer.at", "struck.at", 1e6, 1.5, 0.2));
  lab_settle(scene);
  for (int n = 0; n < 60; n++) {
    lab_step(scene, 1);
    ct_ledger l = ct_scene_ledger(scene);
    double allowed = l.allowance_j;
    if (!isfinite(lab_get(scene, "struck.at.v_m_s")) || !(fabs(l.error_j) <= allowed))
      fail_msg("%g Hz, t60 %g s, %g kg at %g Hz, sample %d: error %g J, allowed %g J", mode->hz, mode->t60_s,
               mode->mass_kg, rate_hz, n, l.error_j, allowed);
    *worst = fmax(*worst, fabs(l.error_j) / allowed);
  }
  ct_scene_destroy(scene);
}

static void struck_modes_keep_the_account(void **state) {
  static const double hzs[] = {0, 5e-324, 1e-160, 1e-3, 440, 21000, 2e5};
  static const double t60s[] = {0, 5e-324, 1e-300, 1e-9, 1e-5, 1, 1000}, masses[] = {1e-12, 1e-3, 1e6};
  double worst = 0;
  (void)state;
  for (size_t r = 0; r < COUNT(rates_hz); r++)
    for (size_t i = 0; i < COUNT(hzs); i++)
      for (size_t j = 0; j < COUNT(t60s); j++)
        for (size_t k = 0; k < COUNT(masses); k++)
          for (int rule = 0; rule < 2; rule++) {
            ct_mode_def mode = {.hz = hzs[i], .t60_s = t60s[j], .mass_kg = masses[k]};
            strike(rates_hz[r], &mode, rule ? CT_BILINEAR : CT_EXACT, &worst);
          }
  printf("struck modes: error at most %.2g of its allowance\n", worst);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(losses_are_finite_and_passive), cmocka_unit_test(stiffness_is_finite_and_passive),
      cmocka_unit_test(materials_decay_as_modes_can), cmocka_unit_test(materials_take_any_times),
      cmocka_unit_test(struck_modes_keep_the_account)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
