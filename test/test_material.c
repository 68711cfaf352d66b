/* The damping law, the plane of materials and its names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <contatto/material.h>

#include <math.h>
#include <string.h>

static void assert_near(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance))
    fail_msg("%.17g is not %.17g within %g", value, wanted, tolerance);
}

static void test_every_name_is_there_and_possible(void **state) {
  (void)state;
  const char *names[] = {
      "wood", "steel", "brass", "glass", "ceramic", "plastic", "rubber", "stone", "water-filled-glass"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_non_null(ct_material_find(names[i]));
  for (uint32_t i = 0; i < ct_material_count(); i++) {
    assert_int_equal(ct_material_check(ct_material_at(i), NULL), CT_OK);
    assert_ptr_equal(ct_material_find(ct_material_at(i)->name), ct_material_at(i));
  }
  assert_null(ct_material_at(ct_material_count()));
  assert_ptr_equal(ct_material_find("metal"), ct_material_find("steel"));
  assert_ptr_equal(ct_material_find("Glass"), ct_material_find("glass"));
}

/* ln(1000) / exp(g + r E), with E(1 kHz) = 15.62 by Glasberg and Moore's formula, computed by hand. */
static void test_law(void **state) {
  (void)state;
  ct_material m = {"", 1.0, 1.0, 0.0, 1.0, 0.1};
  assert_near(ct_material_t60_s(&m, 0.0), 6.907755278982137 / 2.718281828459045, 1e-14);
  assert_near(ct_material_t60_s(&m, 1000.0), 0.532858, 1e-6);
  assert_near(ct_material_t60_s(&m, -5.0), ct_material_t60_s(&m, 0.0), 0.0);
  assert_near(ct_material_decay_rate_per_s(&m, 440.0) * ct_material_t60_s(&m, 440.0), log(1000.0), 1e-14);
}

/* Relative damping 0: all alike. Relative damping ln(10)/21.4: a constant loss factor well above 229 Hz. */
static void test_law_limits(void **state) {
  (void)state;
  ct_material m = {"", 1.0, 1.0, 0.0, 0.5, 0.0};
  assert_near(ct_material_t60_s(&m, 20.0), ct_material_t60_s(&m, 15000.0), 1e-15);
  m.relative_damping = log(10.0) / 21.4;
  double ratio = ct_material_t60_s(&m, 5000.0) / ct_material_t60_s(&m, 15000.0);
  assert_near(ratio, (1.0 + 0.00437 * 15000.0) / (1.0 + 0.00437 * 5000.0), 1e-12);
}

static void test_damping_from_two_times(void **state) {
  (void)state;
  ct_material m = *ct_material_find("glass");
  assert_int_equal(ct_material_set_t60_s(&m, 300.0, 2.0, 4000.0, 0.25), CT_OK);
  assert_near(ct_material_t60_s(&m, 300.0), 2.0, 1e-13);
  assert_near(ct_material_t60_s(&m, 4000.0), 0.25, 1e-13);
  ct_material before = m;
  assert_int_equal(ct_material_set_t60_s(&m, 300.0, 0.0, 4000.0, 0.25), CT_BAD_VALUE);
  assert_int_equal(ct_material_set_t60_s(&m, 300.0, 1.0, 300.0, 0.25), CT_BAD_VALUE);
  assert_memory_equal(&m, &before, sizeof m);
}

/* Glass has a loss factor that hardly depends on frequency, so a partial an octave up dies twice as fast:
 * alpha = pi eta (f + 229 Hz), eta within the handbooks' 0.6e-3 to 2e-3; a rubbed wineglass has 1.5 s at 529
 * Hz. */
static void test_glass_has_a_constant_loss_factor(void **state) {
  (void)state;
  const ct_material *glass = ct_material_find("glass"), *wet = ct_material_find("water-filled-glass");
  assert_near(ct_material_t60_s(glass, 529.3), 1.5, 0.001);
  for (double hz = 250.0; hz < 20000.0; hz *= 2.0) {
    double eta = log(1000.0) / (M_PI * (hz + 1.0 / 0.00437) * ct_material_t60_s(glass, hz));
    assert_near(eta, 1.934e-3, 3e-6);
    assert_near(ct_material_t60_s(wet, hz) / ct_material_t60_s(glass, hz), 0.448, 0.001);
  }
}

/* The order any ear knows. */
static void test_names_sound_as_they_should(void **state) {
  (void)state;
  const char *order[] = {"steel",   "glass", "water-filled-glass", "ceramic", "stone", "wood",
                         "plastic", "rubber"};
  for (size_t i = 1; i < sizeof order / sizeof *order; i++)
    assert_true(ct_material_t60_s(ct_material_find(order[i]), 2000.0) <
                ct_material_t60_s(ct_material_find(order[i - 1]), 2000.0));
}

static void test_mix(void **state) {
  (void)state;
  const ct_material *wood = ct_material_find("wood"), *steel = ct_material_find("steel");
  ct_material half = ct_material_mix(wood, steel, 0.5);
  assert_near(half.density_kg_m3, sqrt(wood->density_kg_m3 * steel->density_kg_m3), 1e-9);
  assert_near(half.young_pa, sqrt(wood->young_pa * steel->young_pa), 1.0);
  double t60 = sqrt(ct_material_t60_s(wood, 700.0) * ct_material_t60_s(steel, 700.0));
  assert_near(ct_material_t60_s(&half, 700.0), t60, 1e-13);
  ct_material end = ct_material_mix(wood, steel, 2.0), start = ct_material_mix(wood, steel, -1.0);
  assert_memory_equal(&end, steel, sizeof end);
  assert_memory_equal(&start, wood, sizeof start);
}

static void test_plane(void **state) {
  (void)state;
  double distance;
  for (uint32_t i = 0; i < ct_material_count(); i++) {
    const ct_material *m = ct_material_at(i);
    assert_ptr_equal(ct_material_nearest(m->global_damping, m->relative_damping, &distance), m);
    assert_near(distance, 0.0, 0.0);
    ct_material near = ct_material_on_plane(m->global_damping + 1e-5, m->relative_damping);
    assert_near(near.young_pa / m->young_pa, 1.0, 1e-6);
    assert_near(near.global_damping, m->global_damping + 1e-5, 0.0);
  }
  ct_material between = ct_material_on_plane(2.0, 0.08);
  assert_int_equal(ct_material_check(&between, NULL), CT_OK);
  assert_string_equal(between.name, "");
}

/* One unit: a factor e at both 200 Hz and 5 kHz makes sqrt(2). */
static void test_plane_distance_is_in_factors_of_e(void **state) {
  (void)state;
  const ct_material *rubber = ct_material_find("rubber");
  double distance;
  assert_ptr_equal(ct_material_nearest(rubber->global_damping + 1.0, rubber->relative_damping, &distance),
                   rubber);
  assert_near(distance, sqrt(2.0), 1e-12);
}

static void test_unknown_name_suggests(void **state) {
  (void)state;
  ct_error error;
  assert_null(ct_material_look_up("glas", &error));
  assert_int_equal(error.code, CT_BAD_VALUE);
  assert_non_null(strstr(error.text, "\"glas\""));
  assert_non_null(strstr(error.text, "\"glass\" or "));
  assert_null(ct_material_look_up("STEAL", &error));
  assert_non_null(strstr(error.text, "did you mean \"steel\""));
  assert_null(ct_material_look_up(NULL, NULL));
  assert_null(ct_material_look_up("", &error));
  assert_ptr_equal(ct_material_look_up("brass", &error), ct_material_find("brass"));
}

static void test_impossible_numbers_are_refused(void **state) {
  (void)state;
  ct_error error;
  ct_material m = *ct_material_find("wood");
  m.poisson = 0.5;
  assert_int_equal(ct_material_check(&m, &error), CT_BAD_VALUE);
  assert_non_null(strstr(error.text, "poisson = 0.5"));
  m = *ct_material_find("wood");
  m.young_pa = -1.0;
  assert_int_equal(ct_material_check(&m, &error), CT_BAD_VALUE);
  m = *ct_material_find("wood");
  m.global_damping = nan("");
  assert_int_equal(ct_material_check(&m, &error), CT_BAD_VALUE);
  assert_non_null(strstr(error.text, "global_damping"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_name_is_there_and_possible),
      cmocka_unit_test(test_law),
      cmocka_unit_test(test_law_limits),
      cmocka_unit_test(test_damping_from_two_times),
      cmocka_unit_test(test_glass_has_a_constant_loss_factor),
      cmocka_unit_test(test_names_sound_as_they_should),
      cmocka_unit_test(test_mix),
      cmocka_unit_test(test_plane),
      cmocka_unit_test(test_plane_distance_is_in_factors_of_e),
      cmocka_unit_test(test_unknown_name_suggests),
      cmocka_unit_test(test_impossible_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
