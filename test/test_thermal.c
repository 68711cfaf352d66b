/* The temperature of a thermal contact: heat flow against the closed forms it stands for. */
#include "contact/friction.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

static ct_friction contact(double film_m, double patch_m) {
  static ct_heat_store stores[CT_HEAT_STORES];
  ct_friction f = {.normal_n = 1, .values = {.film_m = film_m, .patch_m = patch_m}, .stores = stores};
  ct_thermal_fill(&f);
  return f;
}

static double ierfc(double z) { return exp(-z * z) / sqrt(pi) - z * erfc(z); }

/* Carslaw and Jaeger, Conduction of Heat in Solids, 10.5: the middle of a disc on a half-space. */
static double disc(double x) { return 2 * sqrt(x) * (1 / sqrt(pi) - ierfc(1 / (2 * sqrt(x)))); }

/* Hardly any film: the string takes it all. */
static void string_warms_as_a_half_space_does(void **state) {
  const double patch_m = 4.4e-4, steel_m2_s = 4e-6;
  ct_friction f = contact(1e-9, patch_m);
  double worst = 0;
  (void)state;
  for (double x = 3e-4; x < 30; x *= 1.1)
    worst = fmax(worst, fabs(ct_thermal_rise(&f, x * patch_m * patch_m / steel_m2_s) / disc(x) - 1));
  printf("a disc on a half-space: within %.1f %%\n", 100 * worst);
  assert_true(worst < 0.07);
  assert_true(fabs(ct_thermal_rise(&f, 1e6) - 1) < 1e-3);
}

/* Hardly any patch: a film between cold faces, one exponential of d^2/(8 k), and the slab's own series has
 * the same steady state and its slowest time, d^2/(pi^2 k), within a quarter. */
static void film_warms_as_a_slab_does(void **state) {
  const double film_m = 1e-5, rosin_m2_s = 1e-7, time_s = film_m * film_m / (8 * rosin_m2_s);
  ct_friction f = contact(film_m, 1e-9);
  (void)state;
  assert_true(fabs(ct_thermal_rise(&f, time_s) - (1 - exp(-1))) < 1e-3);
  double slab = 0, at_s = 2 * time_s;
  for (int n = 1; n < 200; n += 2)
    slab += 8 / (pi * pi * n * n) * (1 - exp(-n * n * pi * pi * rosin_m2_s * at_s / (film_m * film_m)));
  assert_true(fabs(ct_thermal_rise(&f, at_s) / slab - 1) < 0.1);
}

static double measured(double v) { return 0.4 * exp(-v / 0.01) + 0.45 * exp(-v / 0.1) + 0.35; }

/* The knots of the curve are numbers in the source: each is where heating and cooling balance. */
static void knots_are_the_measured_curve(void **state) {
  const uint32_t knots = 96;
  (void)state;
  for (uint32_t i = 0; i < knots; i++) {
    double v = i == 0 ? 0 : 1e-5 * pow(1e6, (double)(i - 1) / (knots - 2)), mu = measured(v);
    assert_true(fabs(ct_thermal_mu(mu * v / (1e-3 + 1.5e-3 * sqrt(v))) / mu - 1) < 1e-12);
  }
  assert_true(ct_thermal_mu(-1) == ct_cold_mu && ct_thermal_mu(0) == ct_cold_mu &&
              ct_thermal_mu(1e9) == ct_thermal_mu(1e6));
}

/* Sliding steadily, mu v of heat per newton and second: the measured curve, whatever film and patch. */
static void steady_sliding_is_the_measured_curve(void **state) {
  static const double films[] = {1e-6, 5e-6, 7e-5}, patches[] = {1e-6, 4.4e-4};
  (void)state;
  for (int i = 0; i < 6; i++)
    for (double v = 0.003; v < 3; v *= 1.7) {
      ct_friction f = contact(films[i % 3], patches[i / 3]);
      for (int n = 0; n < 200000; n++)
        ct_thermal_warm(&f, f.thermal_mu * v * 1e-4, v, 1e-4);
      assert_true(fabs(f.thermal_mu / measured(v) - 1) < 0.003);
    }
}

/* Heat that has flowed off is gone, not a number too small to count with. */
static void it_cools_to_nothing(void **state) {
  ct_friction f = contact(5e-6, 4.4e-4);
  (void)state;
  for (int n = 0; n < 1000; n++)
    ct_thermal_warm(&f, 1e-5, 1, 2e-5);
  assert_true(f.temperature_k > 1 && f.thermal_mu < 0.6);
  for (int n = 0; n < 2000000; n++) {
    ct_thermal_warm(&f, 0, 0, 2e-5);
    for (uint32_t i = 0; i < CT_HEAT_STORES; i++)
      assert_true(f.stores[i].warm_k == 0 || f.stores[i].warm_k > 1e-31);
  }
  assert_true(f.temperature_k == 0 && fabs(f.thermal_mu - 1.2) < 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(string_warms_as_a_half_space_does), cmocka_unit_test(film_warms_as_a_slab_does),
      cmocka_unit_test(knots_are_the_measured_curve), cmocka_unit_test(steady_sliding_is_the_measured_curve),
      cmocka_unit_test(it_cools_to_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
