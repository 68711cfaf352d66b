/* A mass strikes a three-mode body: the engine against an independent Runge-Kutta integration with a thousand
 * steps per 44.1 kHz sample (test/data/hit_*.csv). Second order in the step, by substeps and by rate. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

enum { SAMPLES = 442, MOST_FACTOR = 16 };

typedef struct track {
  double x[SAMPLES], v[SAMPLES], hammer_x[SAMPLES], hammer_v[SAMPLES], force[SAMPLES];
} track;

typedef struct strike {
  const char *name;
  double hz[3];
  double hammer_kg, speed_m_s, stiffness, damping_s_m, exponent;
} strike;

static const strike soft = {"hit_soft", {400, 1000, 1800}, 0.01, 1, 1e8, 0.5, 1.5};
static const strike hard = {"hit_hard", {233, 710, 2105}, 0.02, 2, 1e9, 0.2, 1.3};

static void read_reference(const strike *s, track *t) {
  char path[512], line[512];
  snprintf(path, sizeof path, "%s/%s.csv", CT_TEST_DATA, s->name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  for (int n = 0; n < SAMPLES; n++) {
    int sample;
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(sscanf(line, "%d,%lf,%lf,%lf,%lf,%lf", &sample, &t->x[n], &t->v[n], &t->hammer_x[n],
                            &t->hammer_v[n], &t->force[n]),
                     6);
    assert_int_equal(sample, n);
  }
  fclose(file);
}

static void add_bar(ct_scene *scene, const strike *s, ct_integrator integrator) {
  const double t60_s[3] = {1.5, 1, 0.6};
  ct_mode_def modes[3];
  for (int i = 0; i < 3; i++)
    modes[i] = (ct_mode_def){.hz = s->hz[i], .t60_s = t60_s[i], .mass_kg = 0.05};
  ct_point_def point = {.name = "at"};
  ct_modal_def def = ct_default_modal_def();
  def.name = "bar";
  def.modes = modes;
  def.mode_count = 3;
  def.points = &point;
  def.point_count = 1;
  def.integrator = integrator;
  lab_body(scene, &def);
}

static ct_scene *build(const strike *s, ct_integrator integrator, uint32_t substeps, uint32_t factor) {
  ct_scene *scene = lab_scene(44100.0 * factor, 0);
  add_bar(scene, s, integrator);
  lab_mass(scene, "hammer", s->hammer_kg, 0, s->speed_m_s);
  ct_impact_def law = lab_law("strike", "hammer.at", "bar.at", s->stiffness, s->exponent, s->damping_s_m);
  law.substeps = substeps;
  lab_touch(scene, law);
  lab_settle(scene);
  return scene;
}

/* At `factor` times 44.1 kHz, every factor-th sample kept. */
static void play(const strike *s, ct_integrator integrator, uint32_t substeps, uint32_t factor, track *out) {
  static double fine[5][SAMPLES * MOST_FACTOR];
  const char *paths[5] = {"bar.at.x_m", "bar.at.v_m_s", "hammer.at.x_m", "hammer.at.v_m_s", "strike.force_n"};
  double *columns[5] = {out->x, out->v, out->hammer_x, out->hammer_v, out->force};
  ct_scene *scene = build(s, integrator, substeps, factor);
  ct_tap taps[5];
  for (int i = 0; i < 5; i++)
    taps[i] = (ct_tap){lab_handle(scene, paths[i]), fine[i]};
  ct_scene_process(scene, &(ct_io){.frames = SAMPLES * factor, .taps = taps, .tap_count = 5});
  for (int i = 0; i < 5; i++)
    for (uint32_t n = 0; n < SAMPLES; n++)
      columns[i][n] = fine[i][n * factor];
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

static double error_of_x(const strike *s, ct_integrator integrator, uint32_t substeps, uint32_t factor) {
  static track reference, engine;
  read_reference(s, &reference);
  play(s, integrator, substeps, factor, &engine);
  return lab_relative_rms(engine.x, reference.x, SAMPLES);
}

/* Errors for 1, 2, 4 .. 32 substeps; the order is fitted from 4 on. */
static double fitted_over_substeps(const strike *s, double errors[6]) {
  double steps[6];
  for (int i = 0; i < 6; i++) {
    steps[i] = 1 << i;
    errors[i] = error_of_x(s, CT_EXACT, 1u << i, 1);
    printf("%s, %2.0f substeps: relative rms error of x %.3e\n", s->name, steps[i], errors[i]);
  }
  double order = -lab_fitted_order(steps + 2, errors + 2, 4);
  printf("%s: fitted order over 4 to 32 substeps %.3f\n", s->name, order);
  return order;
}

static void soft_converges(void **state) {
  (void)state;
  double errors[6], order = fitted_over_substeps(&soft, errors);
  assert_true(order >= 1.9 && order <= 2.1);
  assert_true(errors[0] < 6e-3);
  assert_true(errors[3] < 1e-4);
}

static void hard_converges(void **state) {
  (void)state;
  double errors[6], order = fitted_over_substeps(&hard, errors);
  assert_true(order >= 1.9 && order <= 2.1);
  assert_true(errors[4] < 1e-3);
}

/* The level the contact picks for itself. */
static void chosen_substeps(void **state) {
  (void)state;
  double of_soft = error_of_x(&soft, CT_EXACT, 0, 1), of_hard = error_of_x(&hard, CT_EXACT, 0, 1);
  printf("substeps chosen by the contact: soft %.3e, hard %.3e\n", of_soft, of_hard);
  assert_true(of_soft < 2e-3);
  assert_true(of_hard < 1e-2);
}

/* Everything else that moves, and the impulse: the engine's force is the mean over the sample before. */
static void other_columns(const strike *s) {
  static track reference, engine;
  read_reference(s, &reference);
  play(s, CT_EXACT, 64, 1, &engine);
  double v = lab_relative_rms(engine.v, reference.v, SAMPLES),
         hammer_x = lab_relative_rms(engine.hammer_x, reference.hammer_x, SAMPLES),
         hammer_v = lab_relative_rms(engine.hammer_v, reference.hammer_v, SAMPLES), impulse = 0;
  for (int n = 0; n < SAMPLES; n++)
    impulse += engine.force[n] / 44100;
  double lost = s->hammer_kg * (s->speed_m_s - engine.hammer_v[SAMPLES - 1]);
  double expected = s->hammer_kg * (s->speed_m_s - reference.hammer_v[SAMPLES - 1]);
  printf("%s, 64 substeps: v %.2e, hammer x %.2e, hammer v %.2e, impulse %.9g N s, reference %.9g N s\n",
         s->name, v, hammer_x, hammer_v, impulse, expected);
  assert_true(v < 2e-3 && hammer_x < 2e-4 && hammer_v < 2e-4);
  assert_true(fabs(impulse - lost) < 1e-12 * impulse);
  assert_true(fabs(impulse - expected) < 2e-4 * expected);
}

static void all_columns(void **state) {
  (void)state;
  other_columns(&soft);
  other_columns(&hard);
}

/* The papers' integrator bends frequencies at any step, so only the rate can cure it: it converges to the
 * same motion, and one Richardson step from the two finest rates lands much nearer than either. */
static void bilinear(void **state) {
  (void)state;
  static track reference, coarse, fine;
  double rates[3], errors[3];
  for (int i = 0; i < 3; i++) {
    rates[i] = 4 << i;
    errors[i] = error_of_x(&soft, CT_BILINEAR, 1, 4u << i);
    printf("hit_soft, bilinear at %2.0f x 44.1 kHz: relative rms error of x %.3e\n", rates[i], errors[i]);
  }
  double order = -lab_fitted_order(rates, errors, 3);
  read_reference(&soft, &reference);
  play(&soft, CT_BILINEAR, 1, 8, &coarse);
  play(&soft, CT_BILINEAR, 1, 16, &fine);
  for (int n = 0; n < SAMPLES; n++)
    fine.x[n] += (fine.x[n] - coarse.x[n]) / 3;
  double limit = lab_relative_rms(fine.x, reference.x, SAMPLES);
  printf("hit_soft, bilinear: fitted order %.3f, extrapolated error %.3e\n", order, limit);
  assert_true(order >= 1.9 && order <= 2.1);
  assert_true(errors[2] < 5e-4);
  assert_true(limit < errors[2] / 20);
}

/* A higher rate must do what more substeps do. */
static void exact_by_rate(void **state) {
  (void)state;
  double by_substeps = error_of_x(&soft, CT_EXACT, 16, 1), by_rate = error_of_x(&soft, CT_EXACT, 1, 16);
  printf("hit_soft: 16 substeps %.3e, 16 x 44.1 kHz %.3e\n", by_substeps, by_rate);
  assert_true(fabs(by_rate / by_substeps - 1) < 0.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(soft_converges),  cmocka_unit_test(hard_converges),
                                     cmocka_unit_test(chosen_substeps), cmocka_unit_test(all_columns),
                                     cmocka_unit_test(bilinear),        cmocka_unit_test(exact_by_rate)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
