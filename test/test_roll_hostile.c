/* Every live number of drives and surfaces at both ends of its range, at the smallest number there is, and
 * jumped between the ends at every sample, while something rolls: sound stays finite and the account closes.
 * Casts of what does not fit are undefined; the instrumented build sees them. */
#include "document/schema.h"
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

typedef struct ground {
  ct_surface_kind kind;
  bool free, round;
} ground;

/* A ball on a board, near an end of its way. */
static ct_scene *rolling(ground g) {
  const ct_mode_def board[] = {{.hz = 310, .t60_s = 0.3, .mass_kg = 0.3},
                               {.hz = 870, .t60_s = 0.2, .mass_kg = 0.4}};
  ct_error error = {0};
  ct_scene *s = lab_scene(48000, 9.81);
  lab_mass(s, "ball", 0.01, 0, 0);
  lab_modal(s, "board", board, 2);
  ct_impact_def law = lab_law("touch", "ball.at", "board.at", 1e6, 1.5, 1);
  law.from_above = true;
  lab_touch(s, law);
  ct_surface_def surface = ct_default_surface_def();
  surface.name = "floor";
  surface.kind = g.kind;
  surface.length_m = 0.02;
  must(ct_added(ct_scene_add_surface(s, &surface, &error), &error), &error);
  ct_drive_def drive = ct_default_drive_def();
  drive.name = "roll";
  drive.contact = "touch";
  drive.surface = "floor";
  drive.free = g.free;
  drive.v_m_s = drive.speed_m_s = 0.5;
  drive.low_m = -0.01;
  drive.high_m = 0.01;
  drive.rim = "board.at";
  drive.asymmetry_m = g.round ? 0 : 1e-4;
  drive.out_of_round_m = g.round ? 0 : 1e-5;
  must(ct_added(ct_scene_add_drive(s, &drive, &error), &error), &error);
  lab_settle(s);
  return s;
}

/* `drives.*.radius_m` of the schema is `roll.radius_m` here. */
static bool path_of(const ct_row *row, char *path, size_t size) {
  bool drive = row->section == CT_IN_DRIVE, surface = row->section == CT_IN_SURFACE;
  ct_rate rate = row->shown.rate;
  if (!(drive || surface) || row->shown.type != CT_TYPE_NUMBER || rate == CT_RATE_FIXED ||
      rate == CT_RATE_STATE)
    return false;
  snprintf(path, size, "%s%s", drive ? "roll" : "floor", strrchr(row->shown.path, '.'));
  return true;
}

static void check(ct_scene *s, const char *path, const char *what) {
  ct_ledger l = ct_scene_ledger(s);
  double allowed = l.allowance_j;
  if (!(isfinite(lab_get(s, "ball.at.x_m")) && isfinite(lab_get(s, "board.at.v_m_s")) &&
        isfinite(lab_get(s, "roll.x_m")) && isfinite(lab_get(s, "roll.offset_m")) && isfinite(l.stored_j)))
    fail_msg("%s %s: not finite", path, what);
  if (!(fabs(l.error_j) <= allowed))
    fail_msg("%s %s: account off by %.3g J, allowed %.3g J", path, what, l.error_j, allowed);
}

static void push_row(const ct_row *row, const char *path, ground g) {
  const double least = row->shown.min, most = row->shown.max, smallest = 5e-324;
  const double values[] = {least, most, least <= smallest ? smallest : least};
  static const char *const what[] = {"at its least", "at its most", "at next to nothing"};
  ct_scene *s = rolling(g);
  lab_step(s, 300);
  for (int i = 0; i < 3; i++) {
    lab_set(s, path, values[i], 0, 0);
    lab_step(s, 1200);
    check(s, path, what[i]);
  }
  for (int n = 0; n < 400; n++) {
    lab_set(s, path, n % 2 ? least : most, 0, 0);
    lab_step(s, 1);
  }
  check(s, path, "to and fro");
  ct_scene_destroy(s);
}

static void ends_of_every_range(void **state) {
  (void)state;
  static const ground grounds[] = {{CT_SURFACE_NOISE, true, false},  {CT_SURFACE_FRACTAL, true, false},
                                   {CT_SURFACE_COBBLES, true, true}, {CT_SURFACE_SINE, true, false},
                                   {CT_SURFACE_NOISE, false, false}, {CT_SURFACE_TILES, false, false}};
  uint32_t rows = 0;
  for (uint32_t i = 0; ct_row_at(i); i++) {
    char path[128];
    if (!path_of(ct_row_at(i), path, sizeof path))
      continue;
    rows++;
    for (size_t g = 0; g < sizeof grounds / sizeof grounds[0]; g++)
      push_row(ct_row_at(i), path, grounds[g]);
  }
  printf("%u rows on %zu grounds\n", rows, sizeof grounds / sizeof grounds[0]);
  assert_true(rows > 20);
}

/* Farther than a surface can count its places: it goes on, and comes to rest. */
static void beyond_the_world(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    ct_scene *s = rolling((ground){CT_SURFACE_NOISE, i == 0, false});
    lab_set(s, "roll.high_m", -0.01, 0, 0); /* endless */
    lab_set(s, "floor.width_octaves", 0.05, 0, 0);
    lab_set(s, "roll.mass_kg", 1e-9, 0, 0);
    lab_set(s, "roll.push_n", 1e5, 0, 0);
    lab_set(s, "roll.speed_m_s", 1000, 0, 0);
    for (int n = 0; n < 50; n++) {
      lab_step(s, 480);
      assert_true(isfinite(lab_get(s, "roll.x_m")) && isfinite(lab_get(s, "ball.at.x_m")));
    }
    lab_set(s, "roll.place_m", -1e5, 0, 0);
    lab_step(s, 4800);
    assert_true(isfinite(lab_get(s, "roll.x_m")) && isfinite(lab_get(s, "ball.at.x_m")));
    assert_true(lab_get(s, "roll.x_m") < -9e4 || i == 0);
    printf("at %.3g m, %.3g m/s\n", lab_get(s, "roll.x_m"), lab_get(s, "roll.v_m_s"));
    ct_scene_destroy(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_of_every_range),
                                     cmocka_unit_test(beyond_the_world)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
