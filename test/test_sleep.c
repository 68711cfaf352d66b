/* ctest: slow
 * What nothing moves takes no steps; it falls asleep and wakes without a click, its account is kept, and
 * neither block sizes nor an account change a sample. A twin that somebody keeps awake is the measure: it
 * must do the same all along. */
#include "support/lab.h"
#include <contatto/contatto.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE_HZ = 48000, BLOCK = 64 };

static void near(double value, double wanted, double within) {
  if (!(fabs(value - wanted) <= within))
    fail_msg("%.17g instead of %.17g", value, wanted);
}

static ct_scene *empty(bool ledger, double gravity_m_s2) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = RATE_HZ;
  def.ledger = ledger;
  def.gravity_m_s2 = gravity_m_s2;
  def.at_rest = gravity_m_s2 > 0;
  def.bodies = 64;
  def.contacts = 64;
  def.pickups = 64;
  return lab_scene_from(&def);
}

static void add_impact(ct_scene *s, const char *name, const char *a, const char *b, bool from_above) {
  ct_impact_def def = lab_law(name, a, b, 1e7, 1.5, 2);
  def.from_above = from_above;
  lab_touch(s, def);
}

static void put(ct_scene *s, const char *path, double value) { lab_set(s, path, value, 0, 0); }

/* Plays on, in blocks; what is heard, in SI units, may be null. `nudge`: a path that is set to what it is at
 * every block, so that nobody there sleeps. */
static void play(ct_scene *s, uint32_t frames, uint32_t block, const char *nudge, double *heard) {
  for (uint32_t n = 0; n < frames; n += block) {
    uint32_t count = block < frames - n ? block : frames - n;
    double *raw[] = {heard ? heard + n : NULL};
    if (nudge)
      put(s, nudge, lab_get(s, nudge));
    ct_scene_process(s, &(ct_io){.frames = count, .raw = heard ? raw : NULL});
  }
}

static uint64_t group_steps(const ct_scene *s) { return ct_scene_counters(s).group_steps; }

static void kept(const ct_scene *s) {
  ct_ledger ledger = ct_scene_ledger(s);
  if (!ct_ledger_kept(&ledger))
    fail_msg("the account is off by %g J, of %g J allowed", ledger.error_j, ledger.allowance_j);
}

static const ct_mode_def bar_modes[] = {{.hz = 440, .t60_s = 0.1, .mass_kg = 0.05},
                                        {.hz = 1210, .t60_s = 0.05, .mass_kg = 0.05},
                                        {.hz = 2390, .t60_s = 0.03, .mass_kg = 0.05}};

/* ---- bodies ---- */

static void silent_bodies_take_no_steps(void **state) {
  (void)state;
  ct_scene *s = empty(false, 0);
  for (int i = 0; i < 20; i++) {
    char name[16], out[16], at[24];
    snprintf(name, sizeof name, "bar%d", i);
    snprintf(out, sizeof out, "out%d", i);
    snprintf(at, sizeof at, "bar%d.at", i);
    lab_modal(s, name, bar_modes, 3);
    lab_pickup(s, out, at, CT_VELOCITY, 1);
  }
  play(s, 128, BLOCK, NULL, NULL);
  uint64_t before = group_steps(s);
  assert_true(before <= 20 * 128);
  play(s, 4800, BLOCK, NULL, NULL);
  assert_int_equal(group_steps(s), before);

  put(s, "bar7.modes.0.v_m_s", 0.1); /* one of them is struck: it alone steps */
  play(s, 4800, BLOCK, NULL, NULL);
  assert_int_equal(group_steps(s), before + 4800);
  play(s, RATE_HZ, BLOCK, NULL, NULL); /* and falls silent again */
  before = group_steps(s);
  play(s, 4800, BLOCK, NULL, NULL);
  assert_int_equal(group_steps(s), before);
  ct_scene_destroy(s);
}

/* ---- a hammer and a bar ---- */

static ct_scene *hammer_and_bar(bool ledger) {
  const ct_mode_def hammer = {.mass_kg = 0.01, .x_m = -1e-3, .v_m_s = 1};
  ct_scene *s = empty(ledger, 0);
  lab_modal(s, "bar", bar_modes, 3);
  lab_modal(s, "hammer", &hammer, 1);
  add_impact(s, "strike", "hammer.at", "bar.at", false);
  lab_pickup(s, "out", "bar.at", CT_VELOCITY, 1);
  return s;
}

/* It strikes, flies away while the bar falls silent, is thrown again from where it has got to, and strikes.
 */
static void strike_twice(ct_scene *s, uint32_t block, const char *nudge, double *heard) {
  play(s, RATE_HZ, block, nudge, heard);
  put(s, "hammer.modes.0.v_m_s", 2);
  play(s, RATE_HZ, block, nudge, heard ? heard + RATE_HZ : NULL);
}

static double loudest(const double *sound, uint32_t frames) {
  double most = 0;
  for (uint32_t n = 0; n < frames; n++)
    most = fmax(most, fabs(sound[n]));
  return most;
}

static void hammers_fly_away_asleep(void **state) {
  static double asleep[2 * RATE_HZ], awake[2 * RATE_HZ];
  (void)state;
  ct_scene *s = hammer_and_bar(true), *twin = hammer_and_bar(true);
  play(s, RATE_HZ, BLOCK, NULL, asleep);
  play(twin, RATE_HZ, BLOCK / 2, "bar.at.force_n", awake);
  assert_true(group_steps(s) < RATE_HZ / 5 * 4);
  assert_int_equal(group_steps(twin), RATE_HZ);

  double v = lab_get(s, "hammer.modes.0.v_m_s"), x = lab_get(s, "hammer.modes.0.x_m");
  assert_true(v < -0.1);
  near(v, lab_get(twin, "hammer.modes.0.v_m_s"), 1e-14);
  near(x, lab_get(twin, "hammer.modes.0.x_m"), 1e-12); /* it is where it would have got to */
  near(lab_get(s, "hammer.at.x_m"), x, 1e-15);
  play(s, 480, 1, NULL, NULL);
  near(lab_get(s, "hammer.modes.0.x_m"), x + v * 480 / RATE_HZ, 1e-14);
  play(twin, 480, 1, "bar.at.force_n", NULL);

  put(s, "hammer.modes.0.v_m_s", 2);
  put(twin, "hammer.modes.0.v_m_s", 2);
  play(s, RATE_HZ, BLOCK, NULL, asleep + RATE_HZ);
  play(twin, RATE_HZ, BLOCK / 2, "bar.at.force_n", awake + RATE_HZ);
  double most = loudest(awake + RATE_HZ, RATE_HZ);
  assert_true(most > 0.05); /* it has struck again */
  for (int n = 0; n < 2 * RATE_HZ; n++)
    if (fabs(asleep[n] - awake[n]) > 1e-9 * most)
      fail_msg("sample %d: %g, and %g where nobody sleeps", n, asleep[n], awake[n]);
  kept(s);
  kept(twin);
  ct_scene_destroy(s);
  ct_scene_destroy(twin);
}

static void blocks_and_accounts_change_nothing(void **state) {
  static double first[2 * RATE_HZ], other[2 * RATE_HZ];
  const uint32_t blocks[] = {1, 7, 64, 1000};
  (void)state;
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
    for (int ledger = 0; ledger < 2; ledger++) {
      ct_scene *s = hammer_and_bar(ledger);
      strike_twice(s, blocks[i], NULL, i + (size_t)ledger ? other : first);
      assert_true(group_steps(s) < RATE_HZ / 5 * 8);
      if (i + (size_t)ledger > 0)
        assert_memory_equal(first, other, sizeof first);
      ct_scene_destroy(s);
    }
}

/* ---- masses that rest ---- */

static ct_scene *masses_on_a_floor(bool ledger, int count) {
  const ct_mode_def floor_modes[] = {{.hz = 60, .t60_s = 0.5, .mass_kg = 20},
                                     {.hz = 240, .t60_s = 0.3, .mass_kg = 20}};
  const ct_mode_def mass = {.mass_kg = 0.1};
  ct_scene *s = empty(ledger, 9.81);
  lab_modal(s, "floor", floor_modes, 2);
  for (int i = 0; i < count; i++) {
    char name[16], contact[16], at[24];
    snprintf(name, sizeof name, "mass%d", i);
    snprintf(contact, sizeof contact, "rest%d", i);
    snprintf(at, sizeof at, "mass%d.at", i);
    lab_modal(s, name, &mass, 1);
    add_impact(s, contact, at, "floor.at", true);
  }
  lab_pickup(s, "out", "floor.at", CT_VELOCITY, 1);
  ct_scene_process(s, &(ct_io){0});
  return s;
}

static void resting_masses_sleep_and_wake(void **state) {
  enum { MASSES = 12 };
  static double asleep[RATE_HZ], awake[RATE_HZ];
  (void)state;
  ct_scene *s = masses_on_a_floor(true, MASSES), *twin = masses_on_a_floor(true, MASSES);
  play(s, RATE_HZ, BLOCK, NULL, NULL);
  play(twin, RATE_HZ, BLOCK / 2, "floor.at.force_n", NULL);
  uint64_t before = group_steps(s);
  double force_n = lab_get(s, "rest3.force_n");
  near(force_n, 0.1 * 9.81, 1e-9); /* they go on pressing */
  play(s, RATE_HZ, BLOCK, NULL, NULL);
  play(twin, RATE_HZ, BLOCK / 2, "floor.at.force_n", NULL);
  assert_int_equal(group_steps(s), before);

  put(s, "mass5.modes.0.v_m_s", 0.2);
  put(twin, "mass5.modes.0.v_m_s", 0.2);
  play(s, RATE_HZ, BLOCK, NULL, asleep);
  play(twin, RATE_HZ, BLOCK / 2, "floor.at.force_n", awake);
  assert_true(group_steps(s) > before);
  double most = loudest(awake, RATE_HZ);
  assert_true(most > 1e-4);
  for (int n = 0; n < RATE_HZ; n++)
    if (fabs(asleep[n] - awake[n]) > 1e-9 * most)
      fail_msg("sample %d: %g, and %g where nobody sleeps", n, asleep[n], awake[n]);
  kept(s);
  kept(twin);
  ct_scene_destroy(s);
  ct_scene_destroy(twin);
}

static void removed_floors_let_them_fall(void **state) {
  (void)state;
  ct_error error;
  ct_scene *s = masses_on_a_floor(true, 3);
  play(s, RATE_HZ, BLOCK, NULL, NULL);
  double before = lab_get(s, "mass1.modes.0.x_m");
  lab_must(ct_scene_remove(s, "rest1", &error), &error);
  play(s, 1536, BLOCK, NULL, NULL); /* the contact lets go within 30 ms */
  double x = lab_get(s, "mass1.modes.0.x_m"), v = lab_get(s, "mass1.modes.0.v_m_s");
  assert_true(x < before && v < 0 && v > -9.81 * 0.032);
  play(s, 4800, BLOCK, NULL, NULL);
  near(lab_get(s, "mass1.modes.0.x_m"), x + v * 0.1 - 9.81 * 0.1 * 0.1 / 2, 1e-6);
  kept(s);
  ct_scene_destroy(s);
}

/* ---- a ball that stands ---- */

static ct_scene *ball_on_a_board(void) {
  ct_error error;
  const ct_mode_def ball = {.mass_kg = 0.02};
  ct_scene *s = empty(true, 9.81);
  lab_modal(s, "board", bar_modes, 3);
  lab_modal(s, "ball", &ball, 1);
  add_impact(s, "touch", "ball.at", "board.at", true);
  ct_surface_def surface = ct_default_surface_def();
  surface.name = "grain";
  surface.depth_m = 1e-6;
  lab_must(ct_added(ct_scene_add_surface(s, &surface, &error), &error), &error);
  ct_drive_def drive = ct_default_drive_def();
  drive.name = "roll";
  drive.contact = "touch";
  drive.surface = "grain";
  drive.free = true;
  drive.radius_m = 0.01;
  drive.resistance = 0.01;
  drive.push_n = 5e-4; /* less than it takes */
  lab_must(ct_added(ct_scene_add_drive(s, &drive, &error), &error), &error);
  lab_pickup(s, "out", "board.at", CT_VELOCITY, 1);
  ct_scene_process(s, &(ct_io){0});
  return s;
}

/* Held by resistance until the ground is tilted. */
static void standing_balls_sleep_and_roll_off(void **state) {
  static double asleep[RATE_HZ], awake[RATE_HZ];
  (void)state;
  ct_scene *s = ball_on_a_board(), *twin = ball_on_a_board();
  play(s, 2 * RATE_HZ, BLOCK, NULL, NULL);
  play(twin, 2 * RATE_HZ, BLOCK / 2, "board.at.force_n", NULL);
  uint64_t before = group_steps(s);
  play(s, RATE_HZ, BLOCK, NULL, NULL);
  play(twin, RATE_HZ, BLOCK / 2, "board.at.force_n", NULL);
  assert_int_equal(group_steps(s), before);
  put(s, "roll.slope", 0.05);
  put(twin, "roll.slope", 0.05);
  play(s, RATE_HZ, BLOCK, NULL, asleep);
  play(twin, RATE_HZ, BLOCK / 2, "board.at.force_n", awake);
  double rolled_m = lab_get(twin, "roll.x_m"), most = loudest(awake, RATE_HZ);
  assert_true(rolled_m > 0.1);
  near(lab_get(s, "roll.x_m"), rolled_m, 1e-6 * rolled_m);
  near(loudest(asleep, RATE_HZ), most, 0.01 * most);
  kept(s);
  kept(twin);
  ct_scene_destroy(s);
  ct_scene_destroy(twin);
}

/* Who begins to listen to what sleeps hears what there is. */
static void late_listeners_hear_the_load(void **state) {
  static double heard[480];
  (void)state;
  ct_error error;
  ct_scene *s = masses_on_a_floor(true, 3);
  play(s, RATE_HZ, BLOCK, NULL, NULL);
  lab_pickup(s, "load", "rest1", CT_FORCE, 1);
  lab_must(ct_scene_remove(s, "out", &error), &error);
  play(s, 4800, BLOCK, NULL, NULL);
  play(s, 480, BLOCK, NULL, heard);
  near(heard[479], 0.1 * 9.81, 1e-9);
  ct_scene_destroy(s);
}

/* ---- strings and hands ---- */

static void plucked_strings_sleep_when_silent(void **state) {
  static double first[RATE_HZ], again[RATE_HZ];
  (void)state;
  const double place = 0.2;
  ct_scene *s = empty(true, 0);
  ct_string_def def = ct_default_string_def();
  def.hz = 220;
  def.t60_s = 0.1;
  lab_string(s, "string", def, &place, 1);
  lab_pickup(s, "out", "string.p0", CT_VELOCITY, 1);
  put(s, "string.p0.pluck_m", 1e-3);
  play(s, RATE_HZ, BLOCK, NULL, first);
  play(s, RATE_HZ, BLOCK, NULL, NULL);
  uint64_t before = group_steps(s);
  play(s, RATE_HZ, BLOCK, NULL, NULL);
  assert_int_equal(group_steps(s), before);
  put(s, "string.p0.pluck_m", 1e-3);
  play(s, RATE_HZ, BLOCK, NULL, again);
  double most = loudest(first, RATE_HZ);
  assert_true(most > 0.01);
  for (int n = 0; n < RATE_HZ; n++)
    near(first[n], again[n], 1e-9 * most);
  kept(s);
  ct_scene_destroy(s);
}

static void hands_wake_what_they_touch(void **state) {
  (void)state;
  ct_scene *s = empty(true, 0);
  lab_hand(s, "hand", -1e-3, 0);
  lab_modal(s, "bar", bar_modes, 3);
  add_impact(s, "poke", "hand.at", "bar.at", false);
  play(s, 4800, BLOCK, NULL, NULL);
  uint64_t before = group_steps(s);
  play(s, 4800, BLOCK, NULL, NULL);
  assert_int_equal(group_steps(s), before);
  lab_set(s, "hand.x_m", 1e-3, 0.01, 0);
  play(s, 480, BLOCK, NULL, NULL);
  assert_true(lab_get(s, "poke.force_n") > 0);
  kept(s);
  ct_scene_destroy(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(silent_bodies_take_no_steps),
                                     cmocka_unit_test(hammers_fly_away_asleep),
                                     cmocka_unit_test(blocks_and_accounts_change_nothing),
                                     cmocka_unit_test(resting_masses_sleep_and_wake),
                                     cmocka_unit_test(removed_floors_let_them_fall),
                                     cmocka_unit_test(plucked_strings_sleep_when_silent),
                                     cmocka_unit_test(hands_wake_what_they_touch),
                                     cmocka_unit_test(standing_balls_sleep_and_roll_off),
                                     cmocka_unit_test(late_listeners_hear_the_load)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
