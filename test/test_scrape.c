/* Scraping: a stylus dragged by a hand meets the same surface as a ball, follows the hand exactly, and its
 * account closes with friction beside it. Surfaces and drives that make no sense are refused in one line. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000;

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

/* A tip pressed on a board by 2 N, and a hand that drags it. */
static ct_scene *tip_on_board(void) {
  const ct_mode_def board[] = {{.hz = 410, .t60_s = 0.3, .mass_kg = 0.3},
                               {.hz = 1270, .t60_s = 0.2, .mass_kg = 0.4},
                               {.hz = 3330, .t60_s = 0.1, .mass_kg = 0.3}};
  ct_error error = {0};
  ct_scene *s = lab_scene(rate_hz, 0);
  lab_mass(s, "tip", 0.005, 0, 0);
  lab_modal(s, "board", board, 3);
  lab_hand(s, "hand", 0, 0);
  ct_impact_def law = lab_law("touch", "tip.at", "board.at", 1e7, 1.3, 1);
  law.from_above = true;
  lab_touch(s, law);
  ct_friction_def friction = ct_default_friction_def();
  friction.name = "rub";
  friction.a = "hand.at";
  friction.b = "board.at";
  friction.normal_from = "touch";
  must(ct_added(ct_scene_add_friction(s, &friction, &error), &error), &error);
  ct_surface_def surface = ct_default_surface_def();
  surface.name = "grain";
  surface.depth_m = 3e-6;
  must(ct_added(ct_scene_add_surface(s, &surface, &error), &error), &error);
  return s;
}

static ct_drive_def scraping(void) {
  ct_drive_def drive = ct_default_drive_def();
  drive.name = "scrape";
  drive.kind = CT_SCRAPE;
  drive.free = false;
  drive.contact = "touch";
  drive.surface = "grain";
  drive.radius_m = 1e-4;
  drive.follows = "hand.at";
  return drive;
}

static void follows_the_hand(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *s = tip_on_board();
  ct_drive_def drive = scraping();
  drive.low_m = -0.01; /* ends are for what rolls: a hand goes where it goes */
  drive.high_m = 0.01;
  must(ct_added(ct_scene_add_drive(s, &drive, &error), &error), &error);
  lab_settle(s);
  lab_set(s, "tip.at.force_n", -2, 0.1, 0);
  lab_set(s, "hand.tangential_v_m_s", 0.3, 0.05, 4800);
  lab_step(s, 48000);
  double hand = lab_get(s, "hand.at.tangential_x_m"), behind = 0.3 / rate_hz;
  assert_true(fabs(lab_get(s, "scrape.x_m") - hand + behind) < 1e-9); /* a sample later */
  assert_true(lab_get(s, "scrape.turns") == 0);
  assert_true(lab_get(s, "rub.pressed_n") > 0);
  lab_set(s, "hand.tangential_v_m_s", -0.3, 0.05, 0);
  lab_step(s, 48000);
  lab_set(s, "hand.tangential_v_m_s", 0, 0.05, 0);
  lab_step(s, 24000);
  double offset = lab_get(s, "scrape.offset_m");
  lab_step(s, 24000);
  assert_true(lab_get(s, "scrape.offset_m") == offset);
  ct_ledger l = ct_scene_ledger(s);
  printf("account off by %.2g of S; the drag did %.3g J\n", lab_ledger_error(s), l.motion_j);
  assert_true(lab_ledger_error(s) < 1e-12);
  assert_true(l.motion_j > 0);
  assert_true(ct_scene_counters(s).late_paths == 0);
  ct_scene_destroy(s);
}

/* A finer tip meets more: the offset's slope grows as the radius falls, down to the surface itself. */
static void finer_tips_meet_more(void **state) {
  (void)state;
  const double radii_m[] = {1e-1, 1e-2, 1e-3, 1e-6};
  double last = 0;
  for (int i = 0; i < 4; i++) {
    enum { FRAMES = 24000 };
    ct_error error = {0};
    ct_scene *s = tip_on_board();
    ct_drive_def drive = scraping();
    drive.follows = NULL;
    drive.speed_m_s = 0.4;
    drive.radius_m = radii_m[i];
    must(ct_added(ct_scene_add_drive(s, &drive, &error), &error), &error);
    lab_settle(s);
    double *offset = malloc(FRAMES * sizeof *offset), power = 0;
    lab_record(s, "scrape.offset_m", offset, FRAMES);
    for (int n = 1; n < FRAMES; n++)
      power += (offset[n] - offset[n - 1]) * (offset[n] - offset[n - 1]);
    printf("tip of %g m: rms slope %.4g\n", radii_m[i], sqrt(power / FRAMES) / (0.4 / rate_hz));
    assert_true(power > last);
    last = power;
    free(offset);
    ct_scene_destroy(s);
  }
}

/* ---- bad input ---- */

static void refuses(const char *expected, ct_result (*try)(ct_scene *, ct_error *)) {
  ct_error error = {0};
  ct_scene *s = tip_on_board();
  assert_int_not_equal(try(s, &error), CT_OK);
  assert_string_equal(error.text, expected);
  lab_step(s, 10);
  ct_scene_destroy(s);
}

static ct_result zero_grid(ct_scene *s, ct_error *e) {
  ct_surface_def def = ct_default_surface_def();
  def.name = "floor";
  def.grid_m = 0;
  return ct_added(ct_scene_add_surface(s, &def, e), e);
}

static ct_result zero_radius(ct_scene *s, ct_error *e) {
  ct_drive_def def = scraping();
  def.radius_m = 0;
  return ct_added(ct_scene_add_drive(s, &def, e), e);
}

static ct_result endless_depth(ct_scene *s, ct_error *e) {
  ct_surface_def def = ct_default_surface_def();
  def.name = "floor";
  def.depth_m = (double)INFINITY;
  return ct_added(ct_scene_add_surface(s, &def, e), e);
}

static ct_result fine_sine(ct_scene *s, ct_error *e) {
  ct_surface_def def = ct_default_surface_def();
  def.name = "floor";
  def.kind = CT_SURFACE_SINE;
  def.length_m = 5e-5;
  return ct_added(ct_scene_add_surface(s, &def, e), e);
}

static ct_result holey_scan(ct_scene *s, ct_error *e) {
  double heights[20] = {0};
  heights[17] = (double)NAN;
  ct_surface_def def = ct_default_surface_def();
  def.name = "floor";
  def.kind = CT_SURFACE_SCAN;
  def.heights = heights;
  def.height_count = 20;
  return ct_added(ct_scene_add_surface(s, &def, e), e);
}

static ct_result short_scan(ct_scene *s, ct_error *e) {
  double heights[3] = {0};
  ct_surface_def def = ct_default_surface_def();
  def.name = "floor";
  def.kind = CT_SURFACE_SCAN;
  def.heights = heights;
  def.height_count = 3;
  return ct_added(ct_scene_add_surface(s, &def, e), e);
}

static ct_result no_contact(ct_scene *s, ct_error *e) {
  ct_drive_def def = scraping();
  def.contact = "rub";
  return ct_added(ct_scene_add_drive(s, &def, e), e);
}

static ct_result no_surface(ct_scene *s, ct_error *e) {
  ct_drive_def def = scraping();
  def.surface = "ice";
  return ct_added(ct_scene_add_drive(s, &def, e), e);
}

static ct_result no_mass(ct_scene *s, ct_error *e) {
  ct_error ignored;
  ct_impact_def law = lab_law("hold", "hand.at", "board.at", 1e7, 1.3, 1);
  must(ct_added(ct_scene_add_impact(s, &law, &ignored), &ignored), &ignored);
  ct_drive_def def = scraping();
  def.kind = CT_ROLL;
  def.free = true;
  def.follows = NULL;
  def.contact = "hold";
  return ct_added(ct_scene_add_drive(s, &def, e), e);
}

static ct_result no_shape(ct_scene *s, ct_error *e) {
  ct_drive_def def = scraping();
  def.travels = "board.at";
  return ct_added(ct_scene_add_drive(s, &def, e), e);
}

static ct_result upside_down(ct_scene *s, ct_error *e) {
  ct_drive_def def = scraping();
  def.low_m = 1;
  return ct_added(ct_scene_add_drive(s, &def, e), e);
}

static ct_result not_genuine(ct_scene *s, ct_error *e) {
  ct_drive_def def = {.name = "scrape"};
  return ct_added(ct_scene_add_drive(s, &def, e), e);
}

static ct_result free_scrape(ct_scene *s, ct_error *e) {
  ct_drive_def def = scraping();
  def.free = true;
  return ct_added(ct_scene_add_drive(s, &def, e), e);
}

static void bad_input(void **state) {
  (void)state;
  refuses("floor.grid_m: 0 m is out of range; wants 1e-06 to 0.01 m", zero_grid);
  refuses("scrape.radius_m: 0 m is out of range; wants 1e-06 to 100 m", zero_radius);
  refuses("floor.depth_m: not a finite number; wants 0 to 1 m", endless_depth);
  refuses("floor.length_m: 5e-05 m is too short for a grid of 2e-05 m; wants at least 0.0001 m", fine_sine);
  refuses("surface 'floor': height 17 is missing or not a number between -1000 and 1000 m", holey_scan);
  refuses("surface 'floor': a scan wants at least 8 heights; there are 3", short_scan);
  refuses("drive 'scrape': contact wants an impact contact; there is none called 'rub'", no_contact);
  refuses("drive 'scrape': there is no surface called 'ice'", no_surface);
  refuses("drive 'scrape': what moves freely has a mass; give mass_kg, or a body with a 0 Hz mode", no_mass);
  refuses("drive 'scrape': travels wants a point of a shape; 'board.at' is none", no_shape);
  refuses("scrape.high_m: 0 m lies below low_m, 1 m", upside_down);
  refuses("drive: no scene, or a definition not made by its default function, or by one that knows more than "
          "this library (" CT_VERSION ")",
          not_genuine);
  refuses("drive 'scrape': what scrapes is moved by others; only what rolls is free", free_scrape);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(follows_the_hand),
                                     cmocka_unit_test(finer_tips_meet_more), cmocka_unit_test(bad_input)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
