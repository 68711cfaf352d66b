/* ctest: slow
 * What rounding does to the account over long runs, and that the printed bound knows it: a mass that slides
 * for half a minute, modes without loss up to Nyquist. Both drift at a steady rate, for reasons that are
 * shown here by computing them with more digits. A mistake of the same size as rounding is still found. */
#include "body/response.h"
#include "scene/scene.h"
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static const double rate_hz = 44100, roundings = 0x1p53;

static ct_body *body_named(ct_scene *scene, const char *name) {
  return &scene->bodies[ct_part_find(scene, CT_PART_BODY, name)];
}

/* |error| over the allowance; the allowance itself must stay small. */
static double check_kept(const ct_scene *scene, const char *what, double most_of_scale) {
  ct_ledger l = ct_scene_ledger(scene);
  double share = fabs(l.error_j) / l.allowance_j;
  printf("%-24s error %9.2e S, allowed %8.2e S: %.2g\n", what, l.error_j / l.scale_j,
         l.allowance_j / l.scale_j, share);
  if (!ct_ledger_kept(&l))
    fail_msg("%s: the account is broken", what);
  assert_true(l.allowance_j < most_of_scale * l.scale_j);
  return share;
}

/* ---- sliding ---- */

/* 50 g at 20 mm/s, slowed down so gently that it takes a minute to stop. */
static ct_scene *make_slider(ct_law law) {
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_mass(scene, "mass", 0.05, 0, 0.02);
  lab_hand(scene, "floor", 0, 0);
  ct_friction_def def = ct_default_friction_def();
  def.law = law;
  def.normal_n = 0.001;
  def.mu_dynamic = def.mu_static = 0.01;
  lab_rub(scene, "rub", "mass.at", "floor.at", def);
  lab_settle(scene);
  return scene;
}

static void sliding_for_half_a_minute(void **state) {
  (void)state;
  static const char *const names[] = {"Dahl slides 30 s", "LuGre slides 30 s", "elasto-plastic 30 s",
                                      "kinetic slides 30 s", "thermal slides 30 s"};
  static const ct_law laws[] = {CT_DAHL, CT_LUGRE, CT_ELASTO_PLASTIC, CT_KINETIC, CT_THERMAL};
  double worst = 0;
  for (int i = 0; i < 5; i++) {
    ct_scene *scene = make_slider(laws[i]);
    lab_step(scene, (uint32_t)(30 * rate_hz));
    worst = fmax(worst, check_kept(scene, names[i], 1e-9));
    ct_scene_destroy(scene);
  }
  assert_true(worst > 0.01); /* the bound is not a matter of luck */
}

/* Under a constant force v falls by the same dv at every step, and v + dv is rounded the same way: that alone
 * is the drift. */
static void a_sliding_mass_drifts_by_rounding_its_speed(void **state) {
  (void)state;
  ct_scene *scene = make_slider(CT_LUGRE);
  const ct_body *mass = body_named(scene, "mass");
  const ct_contact *rub = &scene->contacts[0];
  const ct_end *end = &rub->end[rub->end[0].body == mass ? 0 : 1];
  long double drift = 0;
  for (int n = 0; n < 5 * (int)rate_hz; n++) {
    long double before = mass->as.modal.v[0];
    lab_step(scene, 1);
    long double now = mass->as.modal.v[0], pushed = -(long double)end->sign * rub->now_n;
    long double wanted =
        before + pushed * mass->ports[end->port].gain_over_mass[0] * mass->as.modal.level[0].rule.a12[0];
    drift += 0.05L * now * (now - wanted);
  }
  ct_ledger l = ct_scene_ledger(scene);
  printf("sliding: error %.5e J, rounding of the speed did %.5e J\n", l.error_j, (double)drift);
  assert_true(fabs(l.error_j) > 1e-13 * l.scale_j);
  assert_true(fabs(l.error_j - (double)drift) < 0.02 * fabs(l.error_j));
  ct_scene_destroy(scene);
}

/* ---- ringing without loss ---- */

static ct_scene *make_ringing(double hz) {
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_modal(scene, "bar", &(ct_mode_def){.hz = hz, .mass_kg = 0.05, .v_m_s = 1}, 1);
  lab_settle(scene);
  return scene;
}

static void ringing_without_loss(void **state) {
  (void)state;
  static const double hz[] = {100, 1000, 5000, 10000, 11025, 15000, 20000, 21900, 22000};
  for (size_t i = 0; i < sizeof hz / sizeof *hz; i++) {
    char what[40];
    snprintf(what, sizeof what, "%g Hz rings 10 s", hz[i]);
    ct_scene *scene = make_ringing(hz[i]);
    lab_step(scene, (uint32_t)(10 * rate_hz));
    check_kept(scene, what, 1e-8);
    ct_scene_destroy(scene);
  }
}

/* The energy of a rotation grows by its determinant at every step; that of rounded coefficients is not one.
 */
static void a_mode_drifts_by_its_determinant(void **state) {
  (void)state;
  static const double hz[] = {10000, 20000, 21900};
  for (size_t i = 0; i < sizeof hz / sizeof *hz; i++) {
    enum { STEPS = 441000 };
    ct_scene *scene = make_ringing(hz[i]);
    lab_step(scene, STEPS);
    const ct_coefficients *r = &body_named(scene, "bar")->as.modal.level[0].rule;
    double grown = (double)((1 - (long double)r->jj[0]) * (1 + (long double)r->b22[0]) +
                            (long double)r->a12[0] * r->kk[0] - 1);
    ct_ledger l = ct_scene_ledger(scene);
    double rate = l.error_j / l.scale_j / STEPS;
    printf("%g Hz: %.3e of the energy a step, determinant less one %.3e\n", hz[i], rate, grown);
    assert_true(fabs(rate - grown) < 1e-17 + 0.03 * fabs(grown));
    ct_scene_destroy(scene);
  }
}

/* ---- the bound itself ---- */

enum { MODES = 200 };

/* The defects of the rounded coefficients, as kept for the bound, against the same with more digits. None is
 * so large that it would be cut off as a mistake. */
static void check_defects(double rate, ct_integrator integrator, double damping) {
  ct_scene *scene = lab_scene(rate, 0);
  ct_mode_def modes[MODES];
  ct_point_def point = {.name = "at"};
  ct_modal_def def = ct_default_modal_def();
  for (int i = 0; i < MODES; i++) {
    double hz = rate / 2 * pow(1e-5, 1 - (i + 0.5) / MODES);
    modes[i] =
        (ct_mode_def){.hz = hz, .t60_s = damping > 0 ? log(1000) / (damping * rate) : 0, .mass_kg = 0.05};
  }
  def.name = "bar";
  def.modes = modes;
  def.mode_count = MODES;
  def.points = &point;
  def.point_count = 1;
  def.integrator = integrator;
  lab_body(scene, &def);
  lab_step(scene, 1);
  const ct_modal *m = &body_named(scene, "bar")->as.modal;
  const ct_level *level = &m->level[0];
  for (int i = 0; i < MODES; i++) {
    const ct_coefficients *r = &level->rule;
    long double k = m->stiffness_over_mass[i], a12 = r->a12[i], b22 = r->b22[i], jj = r->jj[i], kk = r->kk[i];
    ct_response_loss loss =
        integrator == CT_EXACT
            ? ct_response_loss_exact(sqrt((double)k), ct_damping_from_t60(modes[i].t60_s), 1 / rate)
            : ct_response_loss_bilinear(sqrt((double)k), ct_damping_from_t60(modes[i].t60_s), 1 / rate);
    long double vv = b22 + b22 * b22 / 2 + k * a12 * a12 / 2 + loss.vv,
                xx = kk * kk / 2 - k * jj + k * jj * jj / 2 + k * k * loss.aa,
                vx = -kk - kk * b22 + k * a12 - k * a12 * jj - 2 * k * loss.va;
    double known = level->losses->state[i] - 1 -
                   3 * (fmax(fabs(r->b22[i]), r->jj[i]) + fabs(r->a12[i]) * sqrt((double)k));
    double state = (double)(fmaxl(fabsl(vv), fabsl(xx) / k) + fabsl(vx) / (2 * sqrtl(k))) * roundings;
    if (fabs(known - state) > 0.02 + 0.01 * state)
      fail_msg("%g Hz at %g Hz, damping %g: defect %g roundings, should be %g", modes[i].hz, rate, damping,
               known, state);
  }
  ct_scene_destroy(scene);
}

static void defects_are_known(void **state) {
  (void)state;
  static const double rates[] = {8000, 44100, 48000}, damping[] = {0, 1e-6, 1e-5, 1e-3, 0.1, 0.8, 3};
  for (int r = 0; r < 3; r++)
    for (int d = 0; d < 7; d++) {
      check_defects(rates[r], CT_EXACT, damping[d]);
      check_defects(rates[r], CT_BILINEAR, damping[d]);
    }
}

/* A coefficient that is wrong by 1e-13 of itself is five hundred roundings off: the account says so. */
static void a_small_mistake_is_found(void **state) {
  (void)state;
  for (int wrong = 0; wrong < 2; wrong++) {
    ct_scene *scene = make_ringing(5000);
    lab_step(scene, 1);
    body_named(scene, "bar")->as.modal.level[0].rule.kk[0] *= wrong ? 1 + 1e-13 : 1;
    lab_step(scene, 10000);
    ct_ledger l = ct_scene_ledger(scene);
    assert_int_equal(ct_ledger_kept(&l), !wrong);
    ct_scene_destroy(scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sliding_for_half_a_minute),
                                     cmocka_unit_test(a_sliding_mass_drifts_by_rounding_its_speed),
                                     cmocka_unit_test(ringing_without_loss),
                                     cmocka_unit_test(a_mode_drifts_by_its_determinant),
                                     cmocka_unit_test(defects_are_known),
                                     cmocka_unit_test(a_small_mistake_is_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
