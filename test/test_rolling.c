/* ctest: slow
 * The rolling drive against mechanics: it slows down as resistance says, turns back on a slope, rocks about
 * its centre of mass, pays for every bump, and comes to rest in silence. */
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

static const double rate_hz = 48000, mass_kg = 0.01, gravity = 9.81;

static void add(ct_scene *s, ct_surface_def surface, ct_drive_def drive) {
  ct_error error = {0};
  surface.name = "floor";
  drive.name = "roll";
  drive.contact = "touch";
  drive.surface = "floor";
  if (ct_added(ct_scene_add_surface(s, &surface, &error), &error) != CT_OK ||
      ct_added(ct_scene_add_drive(s, &drive, &error), &error) != CT_OK)
    fail_msg("%s", error.text);
  lab_settle(s);
}

/* A ball on a soft wall that loses much: the normal motion settles in milliseconds. */
static ct_scene *ball_on_wall(void) {
  ct_scene *s = lab_scene(rate_hz, gravity);
  lab_mass(s, "ball", mass_kg, 0, 0);
  lab_hand(s, "wall", 0, 0);
  ct_impact_def law = lab_law("touch", "ball.at", "wall.at", 1e5, 1.5, 200);
  law.from_above = true;
  law.gap_m = -pow(mass_kg * gravity / 1e5, 1 / 1.5); /* as pressed as its weight makes it */
  lab_touch(s, law);
  return s;
}

/* A ball on a board of three modes. */
static ct_scene *ball_on_board(void) {
  const ct_mode_def board[] = {{.hz = 310, .t60_s = 0.3, .mass_kg = 0.3},
                               {.hz = 870, .t60_s = 0.2, .mass_kg = 0.4},
                               {.hz = 2130, .t60_s = 0.1, .mass_kg = 0.3}};
  ct_scene *s = lab_scene(rate_hz, gravity);
  lab_mass(s, "ball", mass_kg, 0, 0);
  lab_modal(s, "board", board, 3);
  ct_impact_def law = lab_law("touch", "ball.at", "board.at", 1e8, 1.5, 1);
  law.from_above = true;
  lab_touch(s, law);
  return s;
}

static ct_surface_def smooth(void) {
  ct_surface_def def = ct_default_surface_def();
  def.depth_m = 0;
  return def;
}

static ct_surface_def rough(double depth_m) {
  ct_surface_def def = ct_default_surface_def();
  def.depth_m = depth_m;
  return def;
}

/* ---- mechanics on a plain ---- */

/* Rolling resistance: stops after v^2 (1 + I) / 2 c g, in v (1 + I) / c g. */
static void slows_down(void **state) {
  (void)state;
  const double v = 0.5, c = 0.02;
  ct_scene *s = ball_on_wall();
  ct_drive_def drive = ct_default_drive_def();
  drive.v_m_s = v;
  drive.resistance = c;
  add(s, smooth(), drive);
  double way = v * v * 1.4 / (2 * c * gravity), time = v * 1.4 / (c * gravity);
  lab_step(s, (uint32_t)(0.99 * time * rate_hz));
  assert_true(lab_get(s, "roll.v_m_s") > 0);
  lab_step(s, (uint32_t)(0.05 * time * rate_hz));
  printf("stopped after %.5f m, expected %.5f m; %.5f turns, expected %.5f\n", lab_get(s, "roll.x_m"), way,
         lab_get(s, "roll.turns"), way / (2 * M_PI * 0.01));
  assert_true(lab_get(s, "roll.v_m_s") == 0);
  assert_true(fabs(lab_get(s, "roll.x_m") / way - 1) < 1e-3);
  assert_true(fabs(lab_get(s, "roll.turns") / (way / (2 * M_PI * 0.01)) - 1) < 1e-3);
  assert_true(lab_ledger_error(s) < 1e-12);
  ct_scene_destroy(s);
}

/* Up a slope and back: the same speed at the same place, reached at v^2 (1 + I) / 2 g slope. */
static void turns_back(void **state) {
  (void)state;
  const double v = 0.5, slope = -0.1;
  ct_scene *s = ball_on_wall();
  ct_drive_def drive = ct_default_drive_def();
  drive.v_m_s = v;
  drive.slope = slope;
  drive.resistance = 0;
  add(s, smooth(), drive);
  double highest = 0, a = gravity * slope / 1.4;
  uint32_t frames = (uint32_t)(2 * v / -a * rate_hz);
  for (uint32_t n = 0; n < frames; n += 8) {
    highest = fmax(highest, lab_get(s, "roll.x_m"));
    lab_step(s, 8);
  }
  double expected = v * v / (-2 * a);
  printf("highest %.6f m (expected %.6f), back at %.2g m with %.9f m/s\n", highest, expected,
         lab_get(s, "roll.x_m"), lab_get(s, "roll.v_m_s"));
  assert_true(fabs(highest / expected - 1) < 1e-5);
  assert_true(fabs(lab_get(s, "roll.v_m_s") / -v - 1) < 1e-3);
  assert_true(lab_ledger_error(s) < 1e-12);
  ct_scene_destroy(s);
}

/* Resistance holds on a slope that pulls less. */
static void holds(void **state) {
  (void)state;
  ct_scene *s = ball_on_wall();
  ct_drive_def drive = ct_default_drive_def();
  drive.slope = 0.019;
  drive.resistance = 0.02;
  add(s, smooth(), drive);
  lab_step(s, 48000); /* it knows its weight from the first sample's force on */
  assert_true(lab_get(s, "roll.v_m_s") == 0 && fabs(lab_get(s, "roll.x_m")) < 1e-9);
  lab_set(s, "roll.slope", 0.03, 0, 0);
  lab_step(s, 48000);
  double expected = 0.5 * gravity * 0.01 / 1.4; /* metres in a second */
  assert_true(fabs(lab_get(s, "roll.x_m") / expected - 1) < 0.01);
  ct_scene_destroy(s);
}

/* ---- asymmetry ---- */

/* Extremes of the contact's force over whole turns at an imposed speed. */
static void extremes(double v, double lean_m, double radius_m, double *least, double *most) {
  ct_scene *s = ball_on_wall();
  ct_drive_def drive = ct_default_drive_def();
  drive.free = false;
  drive.speed_m_s = v;
  drive.asymmetry_m = lean_m;
  drive.radius_m = radius_m;
  add(s, smooth(), drive);
  uint32_t frames = (uint32_t)(4 * 2 * M_PI * radius_m / v * rate_hz);
  double *force = malloc(frames * sizeof *force);
  lab_step(s, frames);
  lab_record(s, "touch.force_n", force, frames);
  *least = INFINITY;
  *most = 0;
  for (uint32_t n = 0; n < frames; n++) {
    *least = fmin(*least, force[n]);
    *most = fmax(*most, force[n]);
  }
  free(force);
  ct_scene_destroy(s);
}

/* Rath 2003, equation 4: the force goes up and down by mass A (v/r)^2. */
static void force_is_modulated(void **state) {
  (void)state;
  const double lean = 1e-4, radius = 0.01, speeds[] = {0.1, 0.2, 0.4};
  for (int i = 0; i < 3; i++) {
    double least, most, w = speeds[i] / radius, expected = mass_kg * lean * w * w;
    extremes(speeds[i], lean, radius, &least, &most);
    printf("%.1f m/s: force %.6f .. %.6f N, half the swing %.3g N, M A (v/r)^2 = %.3g N\n", speeds[i], least,
           most, (most - least) / 2, expected);
    assert_true(fabs((most + least) / 2 / (mass_kg * gravity) - 1) < 2e-3);
    assert_true(fabs((most - least) / 2 / expected - 1) < 0.01);
  }
}

/* A free one is slower where its centre of mass is high: M A g (1 - sin) is taken from its speed. */
static void speed_oscillates(void **state) {
  (void)state;
  const double lean = 5e-4, v = 0.3;
  ct_scene *s = ball_on_wall();
  ct_drive_def drive = ct_default_drive_def();
  drive.v_m_s = v;
  drive.asymmetry_m = lean;
  drive.resistance = 0;
  add(s, smooth(), drive);
  enum { FRAMES = 48000 };
  double *speed = malloc(FRAMES * sizeof *speed), least = INFINITY, most = 0;
  lab_record(s, "roll.v_m_s", speed, FRAMES);
  for (uint32_t n = 0; n < FRAMES; n++) {
    least = fmin(least, speed[n]);
    most = fmax(most, speed[n]);
  }
  double change = 2 * gravity * lean / 1.4; /* of v^2, to either side */
  printf("v^2 swings by %.5f and %.5f, expected %.5f\n", most * most - v * v, v * v - least * least, change);
  assert_true(fabs((most * most - v * v) / change - 1) < 0.03);
  assert_true(fabs((v * v - least * least) / change - 1) < 0.03);
  ct_ledger l = ct_scene_ledger(s);
  assert_true(fabs(l.motion_j) < 1e-12 * l.scale_j); /* it pays for all of it */
  assert_true(lab_ledger_error(s) < 1e-12);
  free(speed);
  ct_scene_destroy(s);
}

/* With little speed it rocks about the lowest place of its centre of mass, as a pendulum of sqrt(g A / 1.4
 * r^2), and resistance brings it to rest there: it wobbles, settles, stops. */
static void wobbles(void **state) {
  (void)state;
  const double lean = 1e-3, radius = 0.01;
  ct_scene *s = ball_on_wall();
  ct_drive_def drive = ct_default_drive_def();
  drive.asymmetry_m = lean;
  drive.radius_m = radius;
  drive.resistance = 0.003;
  drive.x_m = 0;
  add(s, smooth(), drive); /* centre of mass at the side: it falls over and rocks */
  enum { FRAMES = 20 * 48000 };
  double *speed = malloc(FRAMES * sizeof *speed);
  lab_record(s, "roll.v_m_s", speed, FRAMES);
  uint32_t crossings = 0, first = 0, last = 0;
  for (uint32_t n = 1; n < FRAMES; n++)
    if (speed[n - 1] < 0 && speed[n] >= 0) {
      last = n;
      first = first ? first : n;
      crossings++;
    }
  assert_true(speed[FRAMES - 1] == 0);
  double angle = 2 * M_PI * (lab_get(s, "roll.turns") + 0.25); /* from the lowest place */
  printf("rocks %u times, rests %.3f rad from its lowest place\n", crossings, angle);
  assert_true(crossings > 4 && fabs(angle) < 0.03);
  /* the last swings are small: */
  double period = 2 * M_PI * sqrt(1.4 * radius * radius / (gravity * lean));
  uint32_t before = first;
  for (uint32_t n = first, seen = 0; n < last; n++)
    if (speed[n - 1] < 0 && speed[n] >= 0 && ++seen == crossings - 3)
      before = n;
  double measured = (last - before) / rate_hz / 3;
  printf("last swings of %.4f s, pendulum %.4f s\n", measured, period);
  assert_true(fabs(measured / period - 1) < 0.03);
  assert_true(lab_ledger_error(s) < 1e-12);
  free(speed);
  ct_scene_destroy(s);
}

/* ---- over a rough surface ---- */

/* Without resistance all it loses is what the contact and the board lost: it pays for its sound. */
static void pays_for_its_sound(void **state) {
  (void)state;
  ct_scene *s = ball_on_board();
  ct_drive_def drive = ct_default_drive_def();
  drive.v_m_s = 1;
  drive.resistance = 0;
  add(s, rough(1e-5), drive);
  double before = mass_kg * 1.4 / 2;
  for (int i = 0; i < 20; i++) {
    lab_step(s, 12000);
    assert_true(lab_ledger_error(s) < 1e-12);
  }
  ct_ledger l = ct_scene_ledger(s);
  double v = lab_get(s, "roll.v_m_s"), left = mass_kg * 1.4 * v * v / 2;
  printf(
      "of %.3g J %.3g are left after 5 s; motion %.1g J; lost %.3g J in the board, %.3g J in the contact\n",
      before, left, l.motion_j, l.lost_bodies_j, l.lost_contacts_j);
  assert_true(v < 0.99 && v > 0);
  assert_true(l.motion_j == 0); /* nobody moves it */
  assert_true(ct_scene_counters(s).late_paths == 0);
  ct_scene_destroy(s);
}

/* On its way to rest it wobbles between the bumps, then nothing moves any more, for ever. */
static void comes_to_rest(void **state) {
  (void)state;
  ct_scene *s = ball_on_board();
  ct_drive_def drive = ct_default_drive_def();
  drive.v_m_s = 0.3;
  drive.resistance = 0.01;
  add(s, rough(1e-5), drive);
  lab_pickup(s, "out", "board.at", CT_VELOCITY, 1);
  lab_step(s, 10 * 48000);
  double x = lab_get(s, "roll.x_m"), offset = lab_get(s, "roll.offset_m");
  assert_true(lab_get(s, "roll.v_m_s") == 0);
  lab_step(s, 48000);
  assert_true(lab_get(s, "roll.x_m") == x && lab_get(s, "roll.offset_m") == offset);
  printf("rests at %.4f m; the board moves at %.2g m/s\n", x, fabs(lab_get(s, "board.at.v_m_s")));
  assert_true(fabs(lab_get(s, "board.at.v_m_s")) < 1e-9);
  assert_true(lab_ledger_error(s) < 1e-12);
  ct_scene_destroy(s);
}

/* Everything that can be turned is turned while it rolls: the account closes, and the path is there in time.
 */
static void everything_moves(void **state) {
  (void)state;
  ct_scene *s = ball_on_board();
  ct_drive_def drive = ct_default_drive_def();
  drive.v_m_s = 0.5;
  drive.low_m = -0.2;
  drive.high_m = 0.3;
  drive.rim = "board.at";
  drive.out_of_round_m = 2e-6;
  add(s, rough(5e-6), drive);
  static const struct {
    const char *path;
    double value;
  } moves[] = {{"roll.radius_m", 0.03},      {"roll.slope", 0.05},        {"floor.depth_m", 2e-5},
               {"roll.asymmetry_m", 3e-4},   {"roll.inertia", 0.9},       {"ball.modes.0.mass_kg", 0.02},
               {"roll.push_n", -0.02},       {"roll.throw_m_s", -0.8},    {"floor.length_m", 5e-3},
               {"roll.exaggerate", 2},       {"roll.place_m", 0.1},       {"roll.radius_m", 0.002},
               {"floor.width_octaves", 0.5}, {"roll.throw_m_s", 4},       {"roll.resistance", 0.1},
               {"roll.place_m", -0.1},       {"roll.out_of_round_m", 0},  {"floor.density", 0.1},
               {"roll.throw_m_s", 0.4},      {"roll.exaggerate", 0.5},    {"roll.rebound", 1},
               {"gravity_m_s2", 3},          {"floor.irregularity", 0.9}, {"roll.asymmetry_m", 0}};
  double worst = 0;
  for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
    lab_set(s, moves[i].path, moves[i].value, -1, 0);
    for (int k = 0; k < 12; k++) {
      lab_step(s, 1000);
      worst = fmax(worst, lab_ledger_error(s));
      /* the rim gives way by v knock_s / pi */
      assert_true(lab_get(s, "roll.x_m") >= -0.202 && lab_get(s, "roll.x_m") <= 0.302);
    }
  }
  printf("account off by at most %.2g of S; %llu samples late\n", worst,
         (unsigned long long)ct_scene_counters(s).late_paths);
  assert_true(worst < 1e-12);
  assert_true(ct_scene_counters(s).late_paths == 0);
  ct_scene_destroy(s);
}

/* From standing to 20 m/s and back within two seconds: coarser levels take over in time. */
static void keeps_pace(void **state) {
  (void)state;
  ct_scene *s = ball_on_board();
  ct_drive_def drive = ct_default_drive_def();
  drive.free = false;
  drive.acceleration_m_s2 = 20;
  drive.radius_m = 0.05;
  add(s, rough(1e-6), drive);
  lab_set(s, "roll.speed_m_s", 20, 0, 0);
  lab_step(s, 48000);
  assert_true(fabs(lab_get(s, "roll.v_m_s") - 20) < 0.01);
  assert_true(fabs(lab_get(s, "roll.x_m") - 10) < 0.01);
  lab_set(s, "roll.speed_m_s", -1, 0, 0);
  lab_step(s, 2 * 48000);
  assert_true(lab_get(s, "roll.v_m_s") == -1);
  assert_true(ct_scene_counters(s).late_paths == 0);
  assert_true(lab_ledger_error(s) < 1e-12);
  ct_scene_destroy(s);
}

/* ---- same samples ---- */

/* Whatever the block size. */
static void blocks_do_not_matter(void **state) {
  (void)state;
  enum { FRAMES = 9600 };
  static double x[2][FRAMES];
  const uint32_t sizes[] = {FRAMES, 37};
  for (int i = 0; i < 2; i++) {
    ct_scene *s = ball_on_board();
    ct_drive_def drive = ct_default_drive_def();
    drive.v_m_s = 0.5;
    drive.asymmetry_m = 1e-4;
    add(s, rough(1e-5), drive);
    lab_set(s, "roll.radius_m", 0.02, -1, 1000);
    for (uint32_t n = 0; n < FRAMES; n += sizes[i])
      lab_record(s, "board.at.x_m", x[i] + n, FRAMES - n < sizes[i] ? FRAMES - n : sizes[i]);
    ct_scene_destroy(s);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
}

/* The same path at any rate: read at the same places, the offset is the same. */
static void rates_do_not_matter(void **state) {
  (void)state;
  enum { FRAMES = 4410 };
  double *low = malloc(FRAMES * sizeof *low), *high = malloc(4 * FRAMES * sizeof *high), worst = 0;
  for (int i = 0; i < 2; i++) {
    ct_scene *s = lab_scene(i ? 4 * 44100 : 44100, gravity);
    lab_mass(s, "ball", mass_kg, 0, 0);
    lab_hand(s, "wall", 0, 0);
    ct_impact_def law = lab_law("touch", "ball.at", "wall.at", 1e5, 1.5, 10);
    law.from_above = true;
    lab_touch(s, law);
    ct_drive_def drive = ct_default_drive_def();
    drive.free = false;
    drive.speed_m_s = 0.7;
    add(s, rough(1e-5), drive);
    lab_record(s, "roll.offset_m", i ? high : low, i ? 4 * FRAMES : FRAMES);
    ct_scene_destroy(s);
  }
  for (uint32_t n = 0; n < FRAMES; n++)
    worst = fmax(worst, fabs(low[n] - high[4 * n]));
  printf("offsets at 44.1 and 176.4 kHz: at most %.2g m apart\n", worst);
  assert_true(worst < 1e-14);
  free(low);
  free(high);
}

/* ---- coming and going ---- */

/* Whatever becomes of the path under it, what stands does not turn. */
static void stands_as_it_stood(void **state) {
  (void)state;
  ct_scene *s = ball_on_board();
  ct_drive_def drive = ct_default_drive_def();
  drive.free = false;
  drive.asymmetry_m = 1e-4;
  add(s, smooth(), drive);
  lab_set(s, "roll.radius_m", 0.017, 0, 0); /* another trail grows and fades in */
  lab_step(s, 4000);
  lab_set(s, "roll.speed_m_s", 0.37, 0, 0);
  lab_step(s, 5003);
  lab_set(s, "roll.speed_m_s", 0, 0, 0);
  lab_step(s, 100);
  double offset = lab_get(s, "roll.offset_m"), turns = lab_get(s, "roll.turns");
  assert_true(fabs(offset) > 1e-6);
  lab_set(s, "roll.radius_m", 0.013, 0, 0);
  lab_step(s, 4000);
  assert_true(fabs(lab_get(s, "roll.offset_m") - offset) < 1e-15);
  assert_true(lab_get(s, "roll.turns") == turns);
  ct_scene_destroy(s);
}

static void comes_and_goes(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *s = ball_on_board();
  ct_drive_def drive = ct_default_drive_def();
  drive.v_m_s = 0.5;
  add(s, rough(1e-5), drive);
  ct_handle speed = lab_handle(s, "roll.v_m_s");
  lab_step(s, 5000);
  assert_int_equal(ct_scene_remove(s, "floor", &error), CT_BAD_SCENE);
  assert_string_equal(error.text, "remove 'floor': drive 'roll' runs over it; remove that first");
  assert_int_equal(ct_scene_remove(s, "roll", &error), CT_OK);
  lab_step(s, 100);
  assert_true(ct_scene_get(s, speed) == 0); /* out of reach, while it lets go */
  assert_int_equal(ct_scene_remove(s, "floor", &error), CT_BAD_SCENE);
  lab_step(s, 1900);
  assert_int_equal(ct_scene_remove(s, "floor", &error), CT_OK);
  lab_step(s, 1000);
  assert_true(lab_ledger_error(s) < 1e-12);
  for (int i = 0; i < 10; i++) {
    add(s, rough(1e-5), drive);
    lab_step(s, 2000);
    assert_true(lab_get(s, "roll.v_m_s") > 0);
    assert_int_equal(ct_scene_remove(s, i % 2 ? "touch" : "roll", &error), CT_OK);
    lab_step(s, 2000);
    assert_int_equal(ct_scene_remove(s, "floor", &error), CT_OK);
    lab_step(s, 10);
    if (i % 2) {
      ct_impact_def law = lab_law("touch", "ball.at", "board.at", 1e8, 1.5, 1);
      law.from_above = true;
      lab_touch(s, law);
    }
  }
  assert_true(lab_ledger_error(s) < 1e-12);
  ct_scene_destroy(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slows_down),
                                     cmocka_unit_test(turns_back),
                                     cmocka_unit_test(holds),
                                     cmocka_unit_test(force_is_modulated),
                                     cmocka_unit_test(speed_oscillates),
                                     cmocka_unit_test(wobbles),
                                     cmocka_unit_test(pays_for_its_sound),
                                     cmocka_unit_test(comes_to_rest),
                                     cmocka_unit_test(everything_moves),
                                     cmocka_unit_test(keeps_pace),
                                     cmocka_unit_test(blocks_do_not_matter),
                                     cmocka_unit_test(rates_do_not_matter),
                                     cmocka_unit_test(stands_as_it_stood),
                                     cmocka_unit_test(comes_and_goes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
