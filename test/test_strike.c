/* Strikes from outside: an impulse at a speed, on a point of a modal body. */
#include "support/lab.h"
#include <contatto/impact.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static ct_scene *struck_mass(double rate_hz, uint32_t strikes) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = rate_hz;
  def.ledger = true;
  def.strikes = strikes;
  ct_scene *s = lab_scene_from(&def);
  lab_mass(s, "mass", 0.5, 0, 0);
  lab_settle(s);
  return s;
}

/* Whatever the rate, the block and the number of strikes at once: momentum is the sum of impulses, and the
 * work of the force is the kinetic energy. */
static void impulses_add_up(void **state) {
  (void)state;
  static const double rates[] = {8000, 44100, 48000, 192000};
  for (int r = 0; r < 4; r++)
    for (uint32_t strikes = 0; strikes <= 4; strikes += 2) {
      ct_scene *s = struck_mass(rates[r], strikes);
      double sum = 0;
      for (int i = 0; i < 5; i++) {
        double impulse = 0.01 * (i + 1) * (i == 3 ? -1 : 1);
        sum += impulse;
        lab_set(s, "mass.at.strike_m_s", 0.1 + i, 0, 0);
        lab_set(s, "mass.at.strike_n_s", impulse, 0, 0);
        lab_step(s, 7);
      }
      lab_step(s, (uint32_t)rates[r]);
      double v = lab_get(s, "mass.modes.0.v_m_s");
      ct_ledger l = ct_scene_ledger(s);
      assert_true(fabs(v - sum / 0.5) < 1e-12);
      assert_true(fabs(l.force_j - 0.25 * v * v) < 1e-12 && ct_ledger_kept(&l) && l.parameter_j == 0);
      ct_scene_destroy(s);
    }
}

/* How long it pushes: from the first sample that moves the mass to the last that speeds it up. */
static double lasted_s(double impulse, double speed, double stiffness, double rate_hz) {
  ct_scene *s = struck_mass(rate_hz, 4);
  static double v[200000];
  lab_set(s, "mass.at.strike_m_s", speed, 0, 0);
  lab_set(s, "mass.at.strike_stiffness", stiffness, 0, 0);
  lab_set(s, "mass.at.strike_n_s", impulse, 0, 0);
  lab_record(s, "mass.modes.0.v_m_s", v, 20000);
  ct_scene_destroy(s);
  int last = 0;
  for (int n = 1; n < 20000; n++)
    if (v[n] != v[n - 1])
      last = n;
  return last / rate_hz;
}

/* As long as Hertz's contact of the mass I / 2v with a wall. */
static void lasts_as_long_as_a_contact(void **state) {
  (void)state;
  static const double cases[][3] = {
      {0.02, 1, 1e7}, {0.02, 4, 1e7}, {0.2, 1, 1e7}, {0.02, 1, 1e9}, {2, 0.5, 1e6}};
  for (int i = 0; i < 5; i++) {
    const double *c = cases[i];
    ct_impact_case hertz = {
        .mass_kg = c[0] / (2 * c[1]), .stiffness = c[2], .exponent = 1.5, .speed_m_s = c[1]};
    double wanted = ct_impact_contact_time_s(&hertz), got = lasted_s(c[0], c[1], c[2], 1e6);
    printf("%g N s at %g m/s, k = %g: %.4g ms, Hertz %.4g ms\n", c[0], c[1], c[2], 1e3 * got, 1e3 * wanted);
    assert_true(fabs(got - wanted) < 2e-6);
  }
}

/* ---- against a hammer that is there ---- */

static const ct_mode_def bar[] = {{.hz = 150, .mass_kg = 200},
                                  {.hz = 400, .mass_kg = 200},
                                  {.hz = 900, .mass_kg = 200},
                                  {.hz = 1600, .mass_kg = 200}};

static void energies(ct_scene *s, double level_db[4]) {
  lab_step(s, 9600);
  for (int i = 0; i < 4; i++) {
    char path[40];
    snprintf(path, sizeof path, "bar.modes.%d.x_m", i);
    double x = lab_get(s, path) * 2 * M_PI * bar[i].hz;
    snprintf(path, sizeof path, "bar.modes.%d.v_m_s", i);
    level_db[i] = 20 * log10(hypot(x, lab_get(s, path)));
  }
}

/* The levels of modes below 1 / T are a hammer's on a heavy body. */
static void sounds_like_a_hammer(void **state) {
  (void)state;
  double hammer_db[4], strike_db[4], impulse = 0.02, speed = 1;
  ct_scene *s = lab_scene(96000, 0);
  lab_modal(s, "bar", bar, 4);
  lab_mass(s, "hammer", impulse / (2 * speed), 0, speed);
  lab_touch(s, lab_law("touch", "hammer.at", "bar.at", 1e7, 1.5, 0));
  energies(s, hammer_db);
  ct_scene_destroy(s);
  s = lab_scene(96000, 0);
  lab_modal(s, "bar", bar, 4);
  lab_settle(s);
  lab_set(s, "bar.at.strike_n_s", impulse, 0, 0);
  energies(s, strike_db);
  ct_scene_destroy(s);
  for (int i = 0; i < 4; i++) {
    printf("%5g Hz: hammer %.2f dB, strike %.2f dB\n", bar[i].hz, hammer_db[i], strike_db[i]);
    assert_true(fabs(hammer_db[i] - strike_db[i]) < (bar[i].hz < 1250 ? 0.5 : 2));
  }
}

/* ---- who can be struck, and when ---- */

static void strings_and_hands(void **state) {
  (void)state;
  ct_error error = {0};
  ct_handle handle;
  ct_scene *s = lab_scene(48000, 0);
  lab_hand(s, "hand", 0, 0);
  lab_string(s, "string", ct_default_string_def(), (const double[]){0.1}, 1);
  lab_modal(s, "bar", bar, 4);
  assert_int_equal(ct_scene_resolve(s, "hand.at.strike_n_s", &handle, &error), CT_BAD_PATH);
  assert_int_equal(ct_scene_resolve(s, "string.p0.strike_n_s", &handle, &error), CT_OK);
  assert_int_equal(ct_scene_resolve(s, "string.p0.strike_m_s", &handle, &error), CT_BAD_PATH);
  assert_int_equal(ct_scene_resolve(s, "bar.at.strike_m_s", &handle, &error), CT_OK);
  assert_int_equal(ct_scene_resolve(s, "bar.at.pluck_m", &handle, &error), CT_BAD_PATH);
  ct_scene_destroy(s);
}

/* On its sample by an event, the same in every block size; a body that is removed takes its strikes along. */
static void on_its_sample(void **state) {
  (void)state;
  enum { FRAMES = 960 };
  static double sound[3][FRAMES];
  static const uint32_t blocks[] = {960, 64, 1};
  for (int b = 0; b < 3; b++) {
    ct_scene *s = lab_scene(48000, 0);
    lab_modal(s, "bar", bar, 4);
    lab_pickup(s, "ear", "bar.at", CT_VELOCITY, 1);
    lab_settle(s);
    ct_handle strike = lab_handle(s, "bar.at.strike_n_s");
    for (uint32_t at = 0; at < FRAMES; at += blocks[b]) {
      ct_event event = {.frame = 123 - at, .handle = strike, .value = 0.02};
      double *raw[] = {sound[b] + at};
      bool here = at <= 123 && 123 < at + blocks[b];
      ct_scene_process(s, &(ct_io){.frames = blocks[b], .raw = raw, .events = &event, .event_count = here});
    }
    for (int n = 0; n <= 123; n++)
      assert_true(sound[b][n] == 0);
    assert_true(sound[b][124] != 0);
    lab_set(s, "bar.at.strike_n_s", 0.02, 0, 0);
    lab_step(s, 2);
    lab_must(ct_scene_remove(s, "bar", NULL), NULL);
    lab_step(s, 4000);
    assert_true(ct_scene_ledger(s).stored_j == 0 && lab_ledger_error(s) < 1e-12);
    ct_scene_destroy(s);
  }
  assert_memory_equal(sound[0], sound[1], sizeof sound[0]);
  assert_memory_equal(sound[0], sound[2], sizeof sound[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(impulses_add_up),
                                     cmocka_unit_test(lasts_as_long_as_a_contact),
                                     cmocka_unit_test(sounds_like_a_hammer),
                                     cmocka_unit_test(strings_and_hands), cmocka_unit_test(on_its_sample)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
