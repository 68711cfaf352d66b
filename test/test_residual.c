/* ctest: slow
 * What lies above the modes still yields: a ball on a plate rebounds as from the whole plate, at every rate.
 */
#include "body/body.h"
#include "support/lab.h"
#include <contatto/object.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* A steel ball of 10 mm radius on 8 mm of glass, 1 m/s: the contact by Hertz, the plate large enough that
 * nothing comes back from its edges while they touch. */
enum { ALL = 1u << 14 };
static const double ball_kg = 7800 * 4.0 / 3 * M_PI * 0.01 * 0.01 * 0.01, speed_m_s = 1;

static ct_shape_def glass_plate(void) {
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_PLATE);
  def.size_m[0] = 0.41;
  def.size_m[1] = 0.37;
  def.thickness_m = 0.008;
  return def;
}

/* F = (4/3) E' sqrt(R) d^(3/2), 1/E' = (1 - nu1^2)/E1 + (1 - nu2^2)/E2. */
static double hertz_stiffness(void) {
  const ct_material *steel = ct_material_find("steel"), *glass = ct_material_find("glass");
  double soft = (1 - steel->poisson * steel->poisson) / steel->young_pa +
                (1 - glass->poisson * glass->poisson) / glass->young_pa;
  return 4.0 / 3 / soft * sqrt(0.01);
}

/* Of a force at the middle of an infinite plate: v = Y f, Y = 1 / (8 sqrt(D rho h)). */
static double mobility(const ct_shape_def *p) {
  double h = p->thickness_m, d = p->young_pa * h * h * h / (12 * (1 - p->poisson * p->poisson));
  return 1 / (8 * sqrt(d * p->density_kg_m3 * h));
}

/* Zener (1941): m x'' = -F, z' = Y F, F = k (x - z)^(3/2); by small Runge-Kutta steps. Returns the
 * restitution and how long they touch. */
static double zener(double *time_s) {
  ct_shape_def plate = glass_plate();
  double k = hertz_stiffness(), y = mobility(&plate), d = 0, v = speed_m_s, h = 1e-9;
  long steps = 0;
  for (; d > 0 || steps == 0; steps++) {
    double d1 = d, v1 = v, sum_d = 0, sum_v = 0;
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double slope_d = 0, slope_v = 0;
    for (int i = 0; i < 4; i++) {
      d1 = d + at[i] * h * slope_d;
      v1 = v + at[i] * h * slope_v;
      double f = k * pow(fmax(d1, 0), 1.5);
      slope_d = v1 - y * f;
      slope_v = -f / ball_kg;
      sum_d += weight[i] * slope_d / 6;
      sum_v += weight[i] * slope_v / 6;
    }
    d += h * sum_d;
    v += h * sum_v;
  }
  *time_s = (double)steps * h;
  return -v / speed_m_s;
}

/* The same with every mode of the plate up to five million hertz, apart from the engine: velocity Verlet, 20
 * ns. */
static double all_modes(double *time_s) {
  enum { MODES = 24000 };
  ct_shape_def shape = glass_plate();
  ct_shape_mode *modes = calloc(MODES, sizeof *modes);
  double *x = calloc(MODES, sizeof *x), *v = calloc(MODES, sizeof *v), *gain = calloc(MODES, sizeof *gain);
  ct_shape_found found;
  assert_true(modes && x && v && gain);
  assert_int_equal(ct_shape_modes(&shape, modes, MODES, 5e6, NULL, 0, &found, NULL), CT_OK);
  for (uint32_t i = 0; i < found.count; i++)
    gain[i] = ct_shape_gain(&shape, &modes[i], 0.47, 0.53);
  double k = hertz_stiffness(), d = 0, ball = speed_m_s, h = 20e-9, f = 0;
  long steps = 0;
  do {
    double sinks = 0;
    steps++;
    ball -= h / 2 * f / ball_kg;
    for (uint32_t i = 0; i < found.count; i++) {
      double w = 2 * M_PI * modes[i].hz;
      v[i] += h / 2 * (gain[i] * f / modes[i].mass_kg - w * w * x[i]);
      x[i] += h * v[i];
      sinks += gain[i] * h * v[i];
    }
    d += h * ball - sinks;
    f = d > 0 ? k * d * sqrt(d) : 0;
    ball -= h / 2 * f / ball_kg;
    for (uint32_t i = 0; i < found.count; i++) {
      double w = 2 * M_PI * modes[i].hz;
      v[i] += h / 2 * (gain[i] * f / modes[i].mass_kg - w * w * x[i]);
    }
  } while (d > 0);
  *time_s = (double)steps * h;
  print_message("%u modes\n", found.count);
  free(modes);
  free(x);
  free(v);
  free(gain);
  return -ball / speed_m_s;
}

typedef struct hit {
  double restitution, time_s, ledger, residual_m_n;
} hit;

/* Struck once, off the middle, with as many modes as the rate has room for. */
static hit strike(double rate_hz, uint32_t substeps, ct_quality quality, bool residual, uint32_t count) {
  ct_shape_def shape = glass_plate();
  ct_error error = {0};
  ct_object *plate = NULL;
  if (ct_object_create(&shape, ct_material_find("glass"), count, 0.4995 * rate_hz, &plate, NULL, &error) !=
          CT_OK ||
      (residual && ct_object_add_residual(plate, &error) != CT_OK))
    fail_msg("%s", error.text);
  ct_modal_def def = ct_object_modal_def(plate);
  const ct_point_def point = {.name = "at", .place_u = 0.47, .place_v = 0.53};
  def.name = "plate";
  def.points = &point;
  def.point_count = 1;
  ct_scene_def scene_def = ct_default_scene_def();
  scene_def.rate_hz = rate_hz;
  scene_def.ledger = true;
  scene_def.pool_bytes = (size_t)64 << 20;
  ct_scene *scene = lab_scene_from(&scene_def);
  lab_body(scene, &def);
  lab_mass(scene, "ball", ball_kg, 1e-6, -speed_m_s);
  ct_impact_def law = lab_law("touch", "ball.at", "plate.at", hertz_stiffness(), 1.5, 0);
  law.from_above = true;
  law.substeps = substeps;
  law.quality = quality;
  lab_touch(scene, law);
  lab_settle(scene);
  hit h = {.residual_m_n = def.residual_m_n};
  bool touched = false;
  for (uint32_t n = 1; n <= (uint32_t)(400e-6 * rate_hz); n++) {
    lab_step(scene, 1);
    double apart = -lab_get(scene, "touch.compression_m"),
           parting = lab_get(scene, "ball.modes.0.v_m_s") - lab_get(scene, "plate.at.v_m_s");
    if (touched && h.time_s == 0 && apart > 0) /* how long ago they let go; they met after a micrometre */
      h.time_s = n / rate_hz - apart / parting - 1e-6 / speed_m_s;
    touched |= apart < 0;
  }
  h.restitution = lab_get(scene, "ball.modes.0.v_m_s") / speed_m_s;
  h.ledger = lab_ledger_error(scene);
  ct_scene_destroy(scene);
  ct_object_destroy(plate);
  return h;
}

/* The sum of what is left out of a hinged plate against the closed form of its mean density of modes. */
static void a_plate_yields_as_an_infinite_one(void **state) {
  (void)state;
  ct_shape_def plate = glass_plate();
  for (uint32_t count = 40; count <= 640; count *= 4) {
    double c, cut, y = mobility(&plate);
    assert_int_equal(ct_shape_residual(&plate, count, &c, &cut, NULL), CT_OK);
    double expected = 2 / M_PI * y / (2 * M_PI * cut);
    print_message("%u modes kept, cut at %.0f Hz: %.4g m/N, closed form %.4g\n", count, cut, c, expected);
    assert_true(fabs(c / expected - 1) < 0.1);
  }
}

static void a_ball_rebounds_alike_at_every_rate(void **state) {
  (void)state;
  double theory_time_s, theory = zener(&theory_time_s);
  double all_time_s, all = all_modes(&all_time_s);
  print_message("Zener: %.4f, touches for %.1f us; all modes: %.4f, %.1f us\n", theory, 1e6 * theory_time_s,
                all, 1e6 * all_time_s);
  assert_true(fabs(all / theory - 1) < 0.05 && fabs(all_time_s / theory_time_s - 1) < 0.05);
  static const double rates_hz[] = {44100, 48000, 96000, 192000};
  for (int i = 0; i < 4; i++) {
    hit with = strike(rates_hz[i], 0, CT_BEST, true, ALL),
        without = strike(rates_hz[i], 0, CT_BEST, false, ALL),
        usual = strike(rates_hz[i], 0, CT_NORMAL_QUALITY, true, ALL);
    print_message(
        "%.1f kHz: %.4f (%.1f us), without the residual %.4f (%.1f us), normal quality %.4f (%.1f us); "
        "account %.1e\n",
        rates_hz[i] / 1000, with.restitution, 1e6 * with.time_s, without.restitution, 1e6 * without.time_s,
        usual.restitution, 1e6 * usual.time_s, with.ledger);
    assert_true(fabs(with.restitution / all - 1) < 0.03);
    assert_true(fabs(with.restitution / theory - 1) < 0.05);
    assert_true(fabs(with.time_s / all_time_s - 1) < 0.03);
    assert_true(fabs(with.time_s / theory_time_s - 1) < 0.05);
    assert_true(fabs(usual.restitution / all - 1) < 0.03 && fabs(usual.time_s / all_time_s - 1) < 0.03);
    assert_true(with.ledger < 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_plate_yields_as_an_infinite_one),
                                     cmocka_unit_test(a_ball_rebounds_alike_at_every_rate)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
