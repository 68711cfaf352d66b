/* ctest: slow
 * Five equal masses in a row, the first thrown at the others, no losses. Apart, collisions come in pairs and
 * the speed is handed on whole; touching, all contacts act at once and only a fine integration knows the
 * answer. Momentum is conserved always. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

enum { BALLS = 5 };

static const char *const names[BALLS] = {"a", "b", "c", "d", "e"};
static const char *const places[BALLS] = {"a.at", "b.at", "c.at", "d.at", "e.at"};
static const char *const speeds[BALLS] = {"a.at.v_m_s", "b.at.v_m_s", "c.at.v_m_s", "d.at.v_m_s",
                                          "e.at.v_m_s"};
static const char *const contacts[BALLS - 1] = {"ab", "bc", "cd", "de"};

typedef struct row {
  double mass_kg[BALLS], speed_m_s, gap_m, stiffness, exponent, damping_s_m;
  ct_quality quality;
} row;

static ct_scene *build(const row *r, double rate_hz) {
  ct_scene *scene = lab_scene(rate_hz, 0);
  for (int i = 0; i < BALLS; i++)
    lab_mass(scene, names[i], r->mass_kg[i], 0, i == 0 ? r->speed_m_s : 0);
  for (int i = 0; i + 1 < BALLS; i++) {
    ct_impact_def law =
        lab_law(contacts[i], places[i], places[i + 1], r->stiffness, r->exponent, r->damping_s_m);
    law.gap_m = r->gap_m;
    law.quality = r->quality;
    lab_touch(scene, law);
  }
  lab_settle(scene);
  return scene;
}

static void read_speeds(ct_scene *scene, double v[BALLS]) {
  for (int i = 0; i < BALLS; i++)
    v[i] = lab_get(scene, speeds[i]);
}

static double momentum(const row *r, const double v[BALLS]) {
  double sum = 0;
  for (int i = 0; i < BALLS; i++)
    sum += r->mass_kg[i] * v[i];
  return sum;
}

/* Runs `frames`, watching momentum and ledger at every sample. */
static void run(const row *r, double rate_hz, uint32_t frames, double v[BALLS]) {
  ct_scene *scene = build(r, rate_hz);
  double start = r->mass_kg[0] * r->speed_m_s, worst = 0;
  for (uint32_t n = 0; n < frames; n++) {
    lab_step(scene, 1);
    read_speeds(scene, v);
    worst = fmax(worst, fabs(momentum(r, v) / start - 1));
  }
  printf("  momentum off by %.2g at most, ledger by %.2g\n", worst, lab_ledger_error(scene));
  assert_true(worst < 1e-12);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

static row equal_masses(double mass_kg, double speed_m_s, double gap_m, double stiffness, double exponent) {
  return (row){{mass_kg, mass_kg, mass_kg, mass_kg, mass_kg},
               speed_m_s,
               gap_m,
               stiffness,
               exponent,
               0,
               CT_NORMAL_QUALITY};
}

/* Energy and momentum of a pair are both kept to rounding, which leaves only "exchanged" or "as before". */
static void with_gaps(void **state) {
  (void)state;
  const double exponents[] = {1.1, 1.5, 2.5}, rates[] = {44100, 48000, 96000};
  for (int k = 0; k < 9; k++) {
    row r = equal_masses(0.1, 1.3, 5e-3, k % 2 ? 1e10 : 1e9, exponents[k % 3]);
    double v[BALLS] = {0}, rest = 0;
    run(&r, rates[k / 3], (uint32_t)(0.03 * rates[k / 3]), v);
    for (int i = 0; i + 1 < BALLS; i++)
      rest = fmax(rest, fabs(v[i]) / r.speed_m_s);
    printf("gaps, exponent %.1f at %.0f Hz: last ball short of the speed by %.2g, others at most %.2g\n",
           r.exponent, rates[k / 3], 1 - v[BALLS - 1] / r.speed_m_s, rest);
    assert_true(fabs(v[BALLS - 1] / r.speed_m_s - 1) < 1e-9);
    assert_true(rest < 1e-9);
  }
}

/* ---- touching: Runge-Kutta with short steps */

static void reference_forces(const row *r, const double x[BALLS], const double v[BALLS], double a[BALLS]) {
  for (int i = 0; i < BALLS; i++)
    a[i] = 0;
  for (int i = 0; i + 1 < BALLS; i++) {
    double pressed = x[i] - x[i + 1] - r->gap_m;
    if (pressed <= 0)
      continue;
    double force = r->stiffness * pow(pressed, r->exponent) * (1 + r->damping_s_m * (v[i] - v[i + 1]));
    a[i] -= force / r->mass_kg[i];
    a[i + 1] += force / r->mass_kg[i + 1];
  }
}

static void blend(double *out, const double *base, const double *slope, double h) {
  for (int i = 0; i < BALLS; i++)
    out[i] = base[i] + h * slope[i];
}

static void runge_kutta_step(const row *r, double x[BALLS], double v[BALLS], double h) {
  static const double offset[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  double dx[BALLS] = {0}, dv[BALLS] = {0}, sum_x[BALLS] = {0}, sum_v[BALLS] = {0};
  for (int s = 0; s < 4; s++) {
    double at_x[BALLS], at_v[BALLS];
    blend(at_x, x, dx, h * offset[s]);
    blend(at_v, v, dv, h * offset[s]);
    for (int i = 0; i < BALLS; i++)
      dx[i] = at_v[i];
    reference_forces(r, at_x, at_v, dv);
    blend(sum_x, sum_x, dx, weight[s]);
    blend(sum_v, sum_v, dv, weight[s]);
  }
  blend(x, x, sum_x, h);
  blend(v, v, sum_v, h);
}

static void reference(const row *r, double seconds, uint32_t steps, double v[BALLS]) {
  double x[BALLS] = {0};
  for (int i = 0; i < BALLS; i++)
    v[i] = i == 0 ? r->speed_m_s : 0;
  for (uint32_t n = 0; n < steps; n++)
    runge_kutta_step(r, x, v, seconds / steps);
}

static void compare(const row *r, const char *what) {
  const double rate_hz = 44100, seconds = 0.01;
  double v[BALLS] = {0}, coarse[BALLS], fine[BALLS], worst = 0, doubt = 0;
  run(r, rate_hz, (uint32_t)(seconds * rate_hz), v);
  reference(r, seconds, 100000, coarse);
  reference(r, seconds, 200000, fine);
  for (int i = 0; i < BALLS; i++) {
    worst = fmax(worst, fabs(v[i] - fine[i]) / r->speed_m_s);
    doubt = fmax(doubt, fabs(coarse[i] - fine[i]) / r->speed_m_s);
  }
  printf("%s, k %.0e, exponent %.1f: %.5f %.5f %.5f %.5f %.5f m/s, off by %.2g of the speed (reference "
         "good to %.1g)\n",
         what, r->stiffness, r->exponent, v[0], v[1], v[2], v[3], v[4], worst, doubt);
  assert_true(doubt < 1e-4);
  assert_true(worst < 0.01);
}

static void touching(void **state) {
  (void)state;
  const double stiffness[] = {1e8, 1e9, 1e10, 1e11}, exponents[] = {1.1, 1.5, 2.5};
  for (int k = 0; k < 12; k++) {
    row r = equal_masses(0.1, 1, 0, stiffness[k / 3], exponents[k % 3]);
    compare(&r, "touching");
  }
}

/* A light mass squeezed from both sides moves faster than any pair alone would: one quality more. */
static void touching_unequal(void **state) {
  (void)state;
  row heavy = {{0.3, 0.1, 0.05, 0.1, 0.2}, 1, 0, 1e9, 1.5, 0, CT_HIGH}, lossy = heavy;
  compare(&heavy, "touching, unequal masses");
  lossy.damping_s_m = 0.4;
  compare(&lossy, "touching, unequal masses, with losses");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(with_gaps), cmocka_unit_test(touching),
                                     cmocka_unit_test(touching_unequal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
