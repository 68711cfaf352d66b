/* A drive that follows a body no hand moves: that body pays for the path. It goes as a free drive of the same
 * mass goes, over hills and in valleys; nobody's motion does work, and what is stored never rises. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000, ball_kg = 0.01, load_n = 0.2, cart_kg = 0.05;

static ct_result add_drive(ct_scene *s, ct_drive_def drive, const char *name, ct_error *error) {
  drive.name = name;
  drive.contact = "touch";
  drive.surface = "floor";
  return ct_added(ct_scene_add_drive(s, &drive, error), error);
}

/* A ball pressed on a soft wall, as deep as the load presses it. */
static ct_scene *pressed_ball(ct_surface_def surface) {
  ct_error error = {0};
  ct_scene *s = lab_scene(rate_hz, 0);
  lab_mass(s, "ball", ball_kg, 0, 0);
  lab_mass(s, "cart", cart_kg, 0, 0);
  lab_hand(s, "wall", 0, 0);
  ct_impact_def law = lab_law("touch", "ball.at", "wall.at", 1e5, 1.5, 20);
  law.from_above = true;
  law.gap_m = -pow(load_n / 1e5, 1 / 1.5);
  lab_touch(s, law);
  surface.name = "floor";
  if (ct_added(ct_scene_add_surface(s, &surface, &error), &error) != CT_OK)
    fail_msg("%s", error.text);
  lab_settle(s);
  lab_set(s, "ball.at.force_n", -load_n, 0, 0);
  return s;
}

static ct_surface_def hills(void) {
  ct_surface_def def = ct_default_surface_def();
  def.kind = CT_SURFACE_SINE;
  def.length_m = 0.1;
  def.depth_m = 0.001;
  return def;
}

static ct_drive_def led(void) {
  ct_drive_def def = ct_default_drive_def();
  def.free = false;
  def.follows = "cart.at";
  def.radius_m = 0.02;
  def.resistance = 0;
  return def;
}

/* Closing error over what rounding allows. */
static double account_used(const ct_scene *s) {
  ct_ledger l = ct_scene_ledger(s);
  return fabs(l.error_j) / l.allowance_j;
}

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

/* As a free drive without inertia of its own, whose mass is the cart's: over the hills, or caught between two
 * of them. Slopes are planned from tick to tick there and from sample to sample here. */
static void check_as_free(double v_m_s) {
  ct_error error = {0};
  ct_scene *s = pressed_ball(hills()), *f = pressed_ball(hills());
  ct_drive_def free_one = led();
  free_one.free = true;
  free_one.follows = NULL;
  free_one.inertia = 0;
  free_one.mass_kg = cart_kg;
  free_one.v_m_s = v_m_s;
  must(add_drive(s, led(), "roll", &error), &error);
  must(add_drive(f, free_one, "roll", &error), &error);
  lab_settle(s);
  lab_set(s, "cart.modes.0.v_m_s", v_m_s, 0, 0);
  double apart_m = 0, far_m = 0;
  for (int i = 0; i < 100; i++) {
    lab_step(s, 480);
    lab_step(f, 480);
    apart_m = fmax(apart_m, fabs(lab_get(s, "roll.x_m") - lab_get(f, "roll.x_m")));
    far_m = fmax(far_m, fabs(lab_get(f, "roll.x_m")));
  }
  printf("from %.2f m/s: %.4f m far, apart %.2g m; at %.6f and %.6f m/s\n", v_m_s, far_m, apart_m,
         lab_get(s, "cart.modes.0.v_m_s"), lab_get(f, "roll.v_m_s"));
  assert_true(apart_m < 1e-6 * far_m);
  assert_true(fabs(lab_get(s, "roll.x_m") - lab_get(s, "cart.at.tangential_x_m")) < 1e-9);
  assert_true(fabs(lab_get(s, "roll.v_m_s") - lab_get(s, "cart.modes.0.v_m_s")) < 1e-3);
  assert_true(ct_scene_ledger(s).motion_j == 0);
  assert_true(account_used(s) < 0.5);
  ct_scene_destroy(s);
  ct_scene_destroy(f);
}

static void goes_as_a_free_one(void **state) {
  (void)state;
  check_as_free(0.3);  /* over all hills */
  check_as_free(0.05); /* swings in a valley */
}

/* Rough ground, hopping and all: nobody works, and nothing is gained. */
static void nothing_is_gained(void **state) {
  (void)state;
  static const double depths[] = {1e-6, 3e-5, 1e-3, 0.02};
  for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
    ct_error error = {0};
    ct_surface_def ground = ct_default_surface_def();
    ground.depth_m = depths[i];
    ct_scene *s = pressed_ball(ground);
    ct_drive_def def = led();
    def.asymmetry_m = 1e-3;
    must(add_drive(s, def, "roll", &error), &error);
    lab_settle(s);
    lab_set(s, "ball.at.force_n", 0, 0, 0);
    lab_set(s, "cart.modes.0.v_m_s", 2, 0, 0);
    lab_step(s, 1);
    double least = ct_scene_ledger(s).stored_j, first = least, gained = 0;
    for (int k = 0; k < 400; k++) {
      lab_step(s, 64);
      double now = ct_scene_ledger(s).stored_j;
      gained = fmax(gained, now - least);
      least = fmin(least, now);
    }
    printf("ground of %g m: %.4g of %.4g J left, gained %.2g J; cart at %.3f m/s\n", depths[i], least, first,
           gained, lab_get(s, "cart.modes.0.v_m_s"));
    assert_true(gained <= 1e-12 * first);
    assert_true(ct_scene_ledger(s).motion_j == 0);
    assert_true(account_used(s) < 0.5);
    ct_scene_destroy(s);
  }
}

/* The leader may be another mode of the body that touches: a wheel whose tread comes round. Between two
 * points of one body the rows are summed before they are squared, so the account closes there too. */
static void a_body_may_lead_itself(void **state) {
  (void)state;
  ct_error error = {0};
  const ct_mode_def modes[] = {{.hz = 0, .mass_kg = 1}, {.hz = 0, .mass_kg = 0.5, .v_m_s = 1}};
  const double down[] = {1, 0.2}, round[] = {0, 1};
  const ct_point_def points[] = {{.name = "tread", .gains = {down, down}, .gain_count = 2},
                                 {.name = "turn", .gains = {round, round}, .gain_count = 2}};
  ct_modal_def wheel = ct_default_modal_def();
  wheel.name = "wheel";
  wheel.modes = modes;
  wheel.mode_count = 2;
  wheel.points = points;
  wheel.point_count = 2;
  ct_scene *s = lab_scene(rate_hz, 0);
  lab_body(s, &wheel);
  lab_hand(s, "wall", 0, 0);
  ct_impact_def law = lab_law("touch", "wheel.tread", "wall.at", 1e6, 1.5, 1);
  law.from_above = true;
  lab_touch(s, law);
  ct_surface_def ground = ct_default_surface_def();
  ground.name = "floor";
  ground.depth_m = 1e-4;
  must(ct_added(ct_scene_add_surface(s, &ground, &error), &error), &error);
  ct_drive_def def = led();
  def.follows = "wheel.turn";
  must(add_drive(s, def, "roll", &error), &error);
  lab_settle(s);
  lab_set(s, "wheel.tread.force_n", -3, 0, 0);
  lab_step(s, 24000);
  printf("wheel: %.4f m/s left, error %.2g of what is allowed\n", lab_get(s, "wheel.modes.1.v_m_s"),
         account_used(s));
  assert_true(ct_scene_ledger(s).motion_j == 0);
  assert_true(account_used(s) < 0.5);
  assert_true(lab_get(s, "roll.turns") > 0.5);
  ct_scene_destroy(s);
}

/* Comes and goes while it sounds: the contact and the leader are then as they were without it. */
static void comes_and_goes(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *s = pressed_ball(hills());
  must(add_drive(s, led(), "roll", &error), &error);
  lab_set(s, "cart.modes.0.v_m_s", 0.3, 0, 0);
  lab_step(s, 4800);
  must(ct_scene_remove(s, "roll", &error), &error);
  lab_step(s, 2000); /* it lets go */
  double speed = lab_get(s, "cart.modes.0.v_m_s");
  lab_step(s, 4800);
  assert_true(lab_get(s, "cart.modes.0.v_m_s") == speed);
  must(add_drive(s, led(), "roll", &error), &error);
  lab_step(s, 4800);
  assert_true(lab_get(s, "cart.modes.0.v_m_s") != speed);
  assert_true(ct_scene_ledger(s).motion_j == 0);
  assert_true(account_used(s) < 0.5);
  ct_scene_destroy(s);
}

/* Four ways are as many as a contact has ends for. */
static void so_many_and_no_more(void **state) {
  (void)state;
  static const char *const names[] = {"d1", "d2", "d3", "d4", "d5"};
  ct_error error = {0};
  ct_scene *s = pressed_ball(hills());
  for (int i = 0; i < 4; i++)
    must(add_drive(s, led(), names[i], &error), &error);
  assert_int_equal(add_drive(s, led(), names[4], &error), CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "at most 4"));
  lab_set(s, "cart.modes.0.v_m_s", 0.3, 0, 0);
  lab_step(s, 4800);
  assert_true(account_used(s) < 0.5);
  ct_scene_destroy(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(goes_as_a_free_one),
                                     cmocka_unit_test(nothing_is_gained),
                                     cmocka_unit_test(a_body_may_lead_itself),
                                     cmocka_unit_test(comes_and_goes), cmocka_unit_test(so_many_and_no_more)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
