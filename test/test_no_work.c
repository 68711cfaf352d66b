/* ctest: slow
 * Parameters that move do no work: however a body's or a contact's numbers jump, what is stored stays or
 * falls, and the account closes. What hands do (force, gap, place, motion, strike) is work, and not tested
 * here. */
#include "file/load.h"
#include "support/lab.h"
#include "support/play.h"
#include "support/random_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double rate_hz = 44100;

static double stored(const ct_scene *scene) { return ct_scene_ledger(scene).stored_j; }

/* ---- one mode ---- */

/* Undamped, so that what it stores is what it started with, to rounding, whatever was done to it. */
static void a_mode_keeps_its_energy(void **state) {
  (void)state;
  random_state r = {1};
  const ct_mode_def mode = {.hz = 440, .mass_kg = 0.02, .x_m = 1e-5, .v_m_s = 0.3};
  for (int period = 8; period <= 44100; period *= 3) {
    ct_scene *scene = lab_scene(rate_hz, 0);
    lab_modal(scene, "b", &mode, 1);
    lab_settle(scene);
    double start = stored(scene), worst = 0;
    for (int n = 0; n < 200; n++) {
      lab_set(scene, "b.modes.0.hz", random_log(&r, 1e-2, 2e4), 0, 0);
      lab_set(scene, "b.modes.0.mass_kg", random_log(&r, 1e-6, 1e3), 0, 0);
      lab_step(scene, (uint32_t)period);
      worst = fmax(worst, fabs(stored(scene) / start - 1));
    }
    ct_ledger l = ct_scene_ledger(scene);
    print_message("hz and mass jump every %d samples: stored moves by %.2g, parameter work %.2g of S\n",
                  period, worst, l.parameter_j / l.scale_j);
    /* each step of an undamped mode may round by a part in 1e16 */
    assert_true(worst < 1e-13 + 200e-16 * period && fabs(l.parameter_j) < 1e-12 * l.scale_j);
    ct_scene_destroy(scene);
  }
}

/* Bound to free: its place stays, its potential is lost and booked so. Free to bound: its spring is at rest
 * where it is. So the point never leaps, and going to and fro only takes. */
static void free_and_bound(void **state) {
  (void)state;
  const ct_mode_def mode = {.hz = 100, .mass_kg = 0.1, .x_m = 2e-3, .v_m_s = 0.1};
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_modal(scene, "b", &mode, 1);
  lab_settle(scene);
  double w = 2 * M_PI * 100, potential = 0.5 * 0.1 * w * w * 4e-6, kinetic = 0.5 * 0.1 * 0.01;
  lab_set(scene, "b.modes.0.hz", 0, 0, 0);
  lab_step(scene, 1);
  ct_ledger l = ct_scene_ledger(scene);
  assert_true(fabs(l.stored_j / kinetic - 1) < 1e-12 && fabs(l.lost_bodies_j / potential - 1) < 1e-12);
  assert_true(fabs(l.parameter_j) < 1e-15 * l.scale_j && lab_ledger_error(scene) < 1e-15);
  double last = stored(scene), x = lab_get(scene, "b.at.x_m");
  for (int n = 0; n < 400; n++) {
    lab_set(scene, "b.modes.0.hz", n & 1 ? 0 : 30 + n, 0, 0);
    lab_step(scene, 37);
    double now = stored(scene), at = lab_get(scene, "b.at.x_m");
    assert_true(now <= last * (1 + 1e-12));
    /* 37 samples at no more than the speed its energy allows */
    assert_true(fabs(at - x) <= sqrt(2 * last / 0.1) * 37 / rate_hz * (1 + 1e-9) + 1e-15 * fabs(x));
    last = now;
    x = at;
  }
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* Slower than a turn in two hours counts as free: no place is stretched beyond a double. */
static void nearly_free(void **state) {
  (void)state;
  const ct_mode_def mode = {.hz = 100, .mass_kg = 0.1, .x_m = 2e-3};
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_modal(scene, "b", &mode, 1);
  lab_settle(scene);
  double most = stored(scene);
  static const double slow_hz[] = {5e-324, 1e-300, 1e-9, 1.5e-4, 1.6e-4, 1e-3};
  for (int n = 0; n < 60; n++) {
    lab_set(scene, "b.modes.0.hz", n & 1 ? 100 : slow_hz[n / 2 % 6], 0, 0);
    lab_step(scene, 50);
    assert_true(isfinite(stored(scene)) && stored(scene) <= most * (1 + 1e-12));
    assert_true(isfinite(lab_get(scene, "b.at.x_m")));
  }
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* Six times a second, by a semitone at most: the tone neither swells nor dies. */
static void vibrato(void **state) {
  (void)state;
  const ct_mode_def mode = {.hz = 440, .mass_kg = 0.02, .v_m_s = 0.1};
  static const double depth[] = {0.003, 0.01, 0.0595};
  for (int d = 0; d < 3; d++) {
    ct_scene *scene = lab_scene(rate_hz, 0);
    lab_modal(scene, "b", &mode, 1);
    lab_pickup(scene, "p", "b.at", CT_VELOCITY, 1);
    lab_settle(scene);
    ct_handle hz = lab_handle(scene, "b.modes.0.hz");
    double low = INFINITY, high = 0;
    for (int block = 0; block < 40; block++) { /* of 50 ms */
      double value[2205], sum = 0;
      float sound[2205], *outputs[] = {sound};
      for (int n = 0; n < 2205; n++)
        value[n] = 440 * (1 + depth[d] * sin(2 * M_PI * 6 * (block * 2205 + n) / rate_hz));
      ct_input input = {.handle = hz, .values = value};
      ct_scene_process(scene,
                       &(ct_io){.frames = 2205, .outputs = outputs, .inputs = &input, .input_count = 1});
      for (int n = 0; n < 2205; n++)
        sum += (double)sound[n] * (double)sound[n];
      low = fmin(low, sum);
      high = fmax(high, sum);
    }
    print_message("vibrato by %g: level within %.3f dB over 2 s\n", depth[d], 10 * log10(high / low));
    assert_true(10 * log10(high / low) < 1);
    ct_scene_destroy(scene);
  }
}

/* ---- a contact ---- */

/* A mass between a wall and a ringing bar, nobody's hand: stiffness, exponent, damping and the bar's numbers
 * jump all the time, and what is stored only falls. */
static void a_pressed_contact(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    random_state r = {seed};
    const ct_mode_def modes[] = {{.hz = 300, .t60_s = 2, .mass_kg = 0.02, .x_m = 1e-4},
                                 {.hz = 1100, .t60_s = 1, .mass_kg = 0.02, .v_m_s = 1}};
    ct_scene *scene = lab_scene(rate_hz, 0);
    lab_modal(scene, "bar", modes, 2);
    lab_hand(scene, "wall", 3e-4, 0);
    lab_mass(scene, "m", 0.005, 1e-4, 0.5);
    lab_touch(scene, lab_law("up", "m.at", "wall.at", 1e6, 1.5, 0.1));
    lab_touch(scene, lab_law("down", "bar.at", "m.at", 1e7, 1.5, 0.1));
    lab_settle(scene);
    double start = stored(scene), least = start, gain = 0;
    for (int n = 0; n < 400; n++) {
      static const char *const paths[] = {"up.stiffness",        "down.stiffness",    "up.exponent",
                                          "down.exponent",       "up.damping_s_m",    "bar.modes.0.hz",
                                          "bar.modes.1.mass_kg", "m.modes.0.mass_kg", "down.contact_time_s"};
      static const double low[] = {1e2, 1e2, 1.01, 1.01, 1e-3, 20, 1e-4, 1e-4, 1e-5},
                          high[] = {1e12, 1e12, 5, 5, 10, 2e4, 1, 1, 1e-2};
      uint32_t i = random_below(&r, 9);
      lab_set(scene, paths[i], random_log(&r, low[i], high[i]), 0, 0);
      for (int k = 0; k < 10; k++) {
        lab_step(scene, 2);
        gain = fmax(gain, stored(scene) - least);
        least = fmin(least, stored(scene));
      }
    }
    ct_ledger l = ct_scene_ledger(scene);
    double allowed = l.allowance_j;
    if (!(gain <= 1e-9 * start) || !(fabs(l.error_j) <= allowed))
      fail_msg("seed %llu: %.3g J gained of %.3g, account off by %.3g of what is allowed",
               (unsigned long long)seed, gain, start, fabs(l.error_j) / allowed);
    ct_scene_destroy(scene);
  }
}

/* ---- built-in knobs ---- */

static void check_hammer(const ct_gesture *gesture, const char *name) {
  play_sound s =
      play_mono(play_open("hammer", NULL),
                (ct_render_def){.rate_hz = rate_hz, .gesture = gesture, .ledger = true, .seconds = 1});
  const ct_ledger *l = &s.ledger;
  double put_in = l->force_j + l->motion_j, largest = 0;
  for (size_t i = 0; i < s.frames; i++) {
    assert_true(isfinite(s.samples[i]));
    largest = fmax(largest, fabs(s.samples[i]));
  }
  print_message("%s: %.3g J put in, %.3g stored at the end, parameter work %.2g J, peak %.2f\n", name, put_in,
                l->stored_j, l->parameter_j, largest);
  assert_true(l->stored_j <= put_in * (1 + 1e-9) && fabs(l->parameter_j) < 1e-9 * put_in);
  assert_true(fabs(l->error_j) <= l->allowance_j);
  free(s.samples);
}

/* One strike, then a knob swung between its ends. */
static void swing(const char *knob, double low, double high, double period_s) {
  enum { MOST = 1200 };
  double time_s[MOST], strike[MOST], value[MOST];
  uint32_t rows = 0;
  for (double t = 0; t < 1 && rows < MOST; t += period_s, rows++) {
    time_s[rows] = t;
    strike[rows] = rows == 0 ? 2 : NAN;
    value[rows] = rows & 1 ? low : high;
  }
  const char *const paths[] = {"strike_speed", knob};
  const double *const values[] = {strike, value};
  ct_gesture gesture = {.rows = rows, .columns = 2, .time_s = time_s, .paths = paths, .values = values};
  char name[64];
  snprintf(name, sizeof name, "hammer, %s every %g ms", knob, 1e3 * period_s);
  check_hammer(&gesture, name);
}

static void knobs_of_the_hammer(void **state) {
  (void)state;
  ct_gesture *kept = NULL;
  ct_error error = {0};
  if (ct_gesture_read(CT_TEST_DATA "/violations/hammer_material.csv", &kept, &error) != CT_OK)
    fail_msg("%s", error.text);
  check_hammer(kept, "hammer, material to and fro");
  ct_gesture_free(kept);
  static const double periods_s[] = {0.001, 0.002, 0.005, 0.007, 0.010, 0.050};
  for (int i = 0; i < 6; i++) {
    swing("material", 0, 7, periods_s[i]);
    swing("size", 0.25, 4, periods_s[i]);
    swing("hardness", 0, 1, periods_s[i]);
    swing("mass", 0.002, 0.2, periods_s[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_mode_keeps_its_energy),
                                     cmocka_unit_test(free_and_bound),
                                     cmocka_unit_test(nearly_free),
                                     cmocka_unit_test(vibrato),
                                     cmocka_unit_test(a_pressed_contact),
                                     cmocka_unit_test(knobs_of_the_hammer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
