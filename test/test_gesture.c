/* The player: what a gesture's rows say is what the scene's controls do, at the sample they say it. */
#include "support/lab.h"
#include <contatto/doc.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* cmocka compares floats as single precision only. */
#define assert_near(got, wanted, room)                                                                       \
  do {                                                                                                       \
    double got_ = (got), wanted_ = (wanted);                                                                 \
    if (!(fabs(got_ - wanted_) <= (room)))                                                                   \
      fail_msg("%.17g instead of %.17g", got_, wanted_);                                                     \
  } while (0)

#define RATE 48000.0
enum { MOST = 48000 };

static void add_control(ct_scene *scene, const char *name, const char *path, double min, double max,
                        double value, ct_scale scale, bool trigger) {
  ct_target_def target = {path, min, max, CT_LINEAR};
  ct_control_def def = ct_default_control_def();
  def.name = name;
  def.min = min;
  def.max = max;
  def.value = value;
  def.scale = scale;
  def.trigger = trigger;
  def.targets = &target;
  def.target_count = 1;
  ct_error error = {0};
  if (ct_scene_add_control(scene, &def, &error) != CT_OK)
    fail_msg("%s", error.text);
}

/* `push` moves every sample, `hertz` on ticks over a log range, `strike` throws a free mass. */
static ct_scene *stage(uint32_t messages) {
  ct_scene_def def = ct_default_scene_def();
  def.messages = messages;
  def.ledger = true;
  ct_scene *scene = lab_scene_from(&def);
  ct_mode_def mode = {.hz = 440, .t60_s = 1, .mass_kg = 1};
  lab_modal(scene, "bar", &mode, 1);
  lab_mass(scene, "ball", 1, 0, 0);
  lab_hand(scene, "hand", 0, 0);
  add_control(scene, "push", "bar.at.force_n", 0, 1, 0.5, CT_LINEAR, false);
  add_control(scene, "hertz", "bar.modes.0.hz", 100, 10000, 1000, CT_LOG, false);
  add_control(scene, "strike", "ball.modes.0.v_m_s", 0.5, 5, 0, CT_LINEAR, true);
  lab_settle(scene);
  return scene;
}

static ct_player *play(const ct_gesture *gesture, ct_scene *scene) {
  ct_error error = {0};
  ct_player *player = NULL;
  if (ct_player_create(gesture, scene, &player, &error) != CT_OK)
    fail_msg("%s", error.text);
  return player;
}

/* Runs the gesture in blocks and keeps one path at every sample. */
static void run(const ct_gesture *gesture, const char *path, uint32_t block, double *values,
                uint32_t frames) {
  ct_scene *scene = stage(1024);
  ct_player *player = play(gesture, scene);
  ct_error error = {0};
  for (uint32_t at = 0; at < frames; at += block) {
    uint32_t count = frames - at < block ? frames - at : block;
    assert_int_equal(ct_player_send(player, at + count, &error), CT_OK);
    lab_record(scene, path, values + at, count);
  }
  ct_player_destroy(player);
  ct_scene_destroy(scene);
}

/* Value of a polyline at a time. */
static double line(const double *time, const double *value, uint32_t rows, double t) {
  uint32_t i = 0;
  while (i + 2 < rows && time[i + 1] <= t)
    i++;
  double part = (t - time[i]) / (time[i + 1] - time[i]);
  return value[i] + fmin(part, 1) * (value[i + 1] - value[i]);
}

static void straight_lines(void **state) {
  (void)state;
  static double got[MOST];
  const double time[] = {0, 0.1, 0.25, 0.26, 0.7}, value[] = {0.2, 0.9, 0.9, 0.1, 0.6};
  const double *columns[] = {value};
  const char *paths[] = {"push"};
  ct_gesture gesture = {5, 1, time, paths, columns};
  static const uint32_t blocks[] = {1, 64, 1000};
  for (int b = 0; b < 3; b++) {
    double worst = 0;
    run(&gesture, "push", blocks[b], got, 40000);
    for (uint32_t n = 0; n < 40000; n++)
      worst = fmax(worst, fabs(got[n] - line(time, value, 5, n / RATE)));
    printf("straight lines in blocks of %u: worst %.2g of a range of 1\n", blocks[b], worst);
    assert_true(worst < 1e-9);
    run(&gesture, "bar.at.force_n", blocks[b], got, 40000);
    for (uint32_t n = 0; n < 40000; n++)
      assert_near(got[n], line(time, value, 5, n / RATE), 1e-9);
  }
}

/* A column that first speaks at a later row starts there with what that row says. */
static void first_row_later(void **state) {
  (void)state;
  static double got[MOST];
  const double time[] = {0.1, 0.3, 0.5}, value[] = {0.9, 0.1, 0.4};
  const double late[] = {NAN, 0.9, 0.4};
  const double *columns[] = {value}, *late_columns[] = {late};
  const char *paths[] = {"push"};
  double smoothing = 0.03;
  ct_gesture gesture = {3, 1, time, paths, columns}, late_gesture = {3, 1, time, paths, late_columns};
  run(&gesture, "push", 64, got, 30000);
  double worst = 0;
  for (uint32_t n = (uint32_t)((0.1 + smoothing) * RATE) + 16; n < 30000; n++)
    worst = fmax(worst, fabs(got[n] - line(time, value, 3, n / RATE)));
  printf("a first row at 0.1 s: worst %.2g once the %g s of smoothing are over\n", worst, smoothing);
  assert_true(worst < 1e-9);
  run(&late_gesture, "push", 64, got, 30000);
  for (uint32_t n = (uint32_t)((0.3 + smoothing) * RATE) + 16; n < 30000; n++)
    assert_near(got[n], line(time + 1, late + 1, 2, n / RATE), 1e-9);
}

/* NaN cells say nothing: the line runs from the row before to the row after. */
static void silent_cells(void **state) {
  (void)state;
  static double got[MOST];
  const double time[] = {0, 0.1, 0.2, 0.3, 0.4}, value[] = {0, NAN, NAN, 0.9, NAN};
  const double *columns[] = {value};
  const char *paths[] = {"push"};
  ct_gesture gesture = {5, 1, time, paths, columns};
  run(&gesture, "push", 64, got, 24000);
  for (uint32_t n = 0; n < 24000; n++)
    assert_near(got[n], fmin(3 * n / RATE, 0.9), 1e-9);
}

/* On its own scale a log control walks straight; coefficients follow on ticks of 8 samples. */
static void log_controls(void **state) {
  (void)state;
  static double got[MOST];
  const double time[] = {0, 0.2, 0.5}, value[] = {100, 10000, 1000};
  const double logs[] = {log(100), log(10000), log(1000)};
  const double *columns[] = {value};
  const char *paths[] = {"hertz"};
  ct_gesture gesture = {3, 1, time, paths, columns};
  run(&gesture, "hertz", 64, got, 24000);
  double worst = 0;
  for (uint32_t n = 0; n < 24000; n += 16)
    worst = fmax(worst, fabs(log(got[n]) - line(time, logs, 3, n / RATE)));
  printf("log control at ticks: worst %.2g nepers\n", worst);
  assert_true(worst < 1e-9);
}

static void triggers(void **state) {
  (void)state;
  static double got[MOST];
  const double time[] = {0, 0.0123, 0.1, 0.2}, value[] = {0, 2, NAN, 3.5};
  const double *columns[] = {value};
  const char *paths[] = {"strike"};
  ct_gesture gesture = {4, 1, time, paths, columns};
  static const uint32_t blocks[] = {1, 64, 4800};
  for (int b = 0; b < 3; b++) {
    run(&gesture, "ball.modes.0.v_m_s", blocks[b], got, 12000);
    uint32_t first = (uint32_t)(0.0123 * RATE + 0.5), second = (uint32_t)(0.2 * RATE + 0.5);
    for (uint32_t n = 0; n < 12000; n++) {
      double wanted = n < first ? 0 : n < second ? 2 : 3.5;
      if (got[n] != wanted)
        fail_msg("blocks of %u: %g m/s instead of %g at sample %u", blocks[b], got[n], wanted, n);
    }
  }
}

/* Rows between samples act at the nearest one. */
static void sample_accuracy(void **state) {
  (void)state;
  static double got[MOST];
  for (uint32_t k = 0; k < 20; k++) {
    const double time[] = {(100 + k + 0.05 * k) / RATE}, value[] = {1};
    const double *columns[] = {value};
    const char *paths[] = {"strike"};
    ct_gesture gesture = {1, 1, time, paths, columns};
    run(&gesture, "ball.modes.0.v_m_s", 7, got, 200);
    uint32_t first = 0;
    while (got[first] == 0)
      first++;
    assert_int_equal(first, (uint32_t)(time[0] * RATE + 0.5));
  }
}

static void paths_as_columns(void **state) {
  (void)state;
  static double got[MOST];
  const double time[] = {0, 0.1}, place[] = {0, 0.01}, speed[] = {NAN, 4};
  const double *columns[] = {place, speed};
  const char *paths[] = {"hand.x_m", "bodies.ball.modes[0].v_m_s"};
  ct_gesture gesture = {2, 2, time, paths, columns};
  run(&gesture, "hand.x_m", 64, got, 6000);
  for (uint32_t n = 0; n < 6000; n++)
    assert_near(got[n], fmin(0.1 * n / RATE, 0.01), 1e-12);
  run(&gesture, "ball.at.v_m_s", 64, got, 6000);
  assert_true(got[4799] == 0 && got[4800] == 4);
}

static void refuse(const char *path, double first, double second, ct_result wanted, const char *words) {
  ct_scene *scene = stage(1024);
  const double time[] = {0, 0.1}, value[] = {first, second};
  const double *columns[] = {value};
  const char *paths[] = {path};
  ct_gesture gesture = {2, 1, time, paths, columns};
  ct_player *player = NULL;
  ct_error error = {0};
  ct_result result = ct_player_create(&gesture, scene, &player, &error);
  if (result != wanted || player || !strstr(error.text, words) || !strstr(error.text, path))
    fail_msg("%s = %g, %g: %s: '%s'", path, first, second, ct_result_text(result), error.text);
  lab_step(scene, 10);
  assert_near(lab_get(scene, "push"), 0.5, 0);
  ct_scene_destroy(scene);
}

static void refused_before_playing(void **state) {
  (void)state;
  refuse("push", 0.5, 1.5, CT_BAD_VALUE, "1.5");
  refuse("push", -0.1, 0.5, CT_BAD_VALUE, "0 to 1");
  refuse("push", 0.5, INFINITY, CT_BAD_VALUE, "inf");
  refuse("strike", 0, 0.1, CT_BAD_VALUE, "0.5 to 5");
  refuse("bar.modes.0.hz", 100, 1e9, CT_BAD_VALUE, "Hz");
  refuse("bar.modes.3.hz", 100, 100, CT_BAD_PATH, "modes 0 to 0");
  refuse("pusch", 0, 1, CT_BAD_PATH, "no body");
  refuse("bar.at.x_m", 0, 1, CT_BAD_PATH, "read only");
  refuse("energy.stored_j", 0, 1, CT_BAD_PATH, "read only");
  ct_error error = {0};
  ct_player *player = NULL;
  assert_int_equal(ct_player_create(NULL, NULL, &player, &error), CT_BAD_ARGUMENT);
}

/* A queue that overflows in the middle of a row: nothing is lost and nothing is said twice. */
static void full_queue(void **state) {
  (void)state;
  enum { ROWS = 300 };
  double time[ROWS], strike[ROWS], push[ROWS];
  for (int i = 0; i < ROWS; i++) {
    time[i] = (100 + i) / RATE;
    strike[i] = i % 2 ? 1 : 2;
    push[i] = i % 2 ? 0.25 : 0.75;
  }
  const double *columns[] = {strike, push};
  const char *paths[] = {"strike", "push"};
  ct_gesture gesture = {ROWS, 2, time, paths, columns};
  for (uint32_t filled = 0; filled < 4; filled++) {
    ct_scene *scene = stage(16);
    ct_player *player = play(&gesture, scene);
    ct_error error = {0};
    ct_handle force = lab_handle(scene, "ball.at.force_n");
    for (uint32_t i = 0; i < filled; i++)
      assert_int_equal(ct_scene_set(scene, force, 0, 0, 0, &error), CT_OK);
    assert_int_equal(ct_player_send(player, 1000, &error), CT_FULL);
    assert_non_null(strstr(error.text, "full"));
    static double speed[1000], value[1000];
    ct_tap taps[] = {{lab_handle(scene, "ball.modes.0.v_m_s"), NULL}, {lab_handle(scene, "push"), NULL}};
    uint32_t at = 0, full = 0;
    for (; at < 1000; at++) {
      full += ct_player_send(player, 1000, &error) == CT_FULL;
      taps[0].values = speed + at;
      taps[1].values = value + at;
      ct_scene_process(scene, &(ct_io){.frames = 1, .taps = taps, .tap_count = 2});
    }
    for (int i = 0; i < ROWS; i++)
      assert_near(speed[100 + i], strike[i], 0);
    for (int i = 1; i < ROWS; i++)
      assert_near(value[100 + i], push[i], 1e-9);
    assert_true(full > 0);
    printf("queue full %u times, %u set before: speeds and values as written, last speed %g\n", full, filled,
           speed[999]);
    ct_player_destroy(player);
    ct_scene_destroy(scene);
  }
}

/* Played again later, it does the same, that much later; a live host's play button. */
static void played_again(void **state) {
  (void)state;
  enum { LENGTH = 12000, LATER = 5003 };
  static double first[LENGTH], again[LENGTH], strike[LENGTH];
  const double time[] = {0, 0.1, 0.2}, push[] = {0.5, 0.9, 0.5}, hit[] = {0, 2, 0};
  const double *columns[] = {push, hit};
  const char *paths[] = {"push", "strike"};
  ct_gesture gesture = {3, 2, time, paths, columns};
  ct_scene *scene = stage(1024);
  ct_player *player = play(&gesture, scene);
  ct_error error = {0};
  assert_int_equal(ct_player_send(player, LENGTH, &error), CT_OK);
  lab_record(scene, "push", first, LENGTH);
  lab_step(scene, LATER);
  ct_player_start(player, ct_scene_sample(scene));
  lab_set(scene, "ball.modes.0.v_m_s", 0, 0, 0);
  assert_int_equal(ct_player_send(player, LENGTH + LATER + LENGTH, &error), CT_OK);
  ct_tap taps[] = {{lab_handle(scene, "push"), again}, {lab_handle(scene, "ball.modes.0.v_m_s"), strike}};
  ct_scene_process(scene, &(ct_io){.frames = LENGTH, .taps = taps, .tap_count = 2});
  for (int n = 0; n < LENGTH; n++)
    assert_near(again[n], first[n], 1e-12);
  assert_near(strike[4799], 0, 0);
  assert_near(strike[4800], 2, 0);
  ct_player_destroy(player);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(straight_lines),   cmocka_unit_test(first_row_later),
      cmocka_unit_test(silent_cells),     cmocka_unit_test(log_controls),
      cmocka_unit_test(triggers),         cmocka_unit_test(sample_accuracy),
      cmocka_unit_test(paths_as_columns), cmocka_unit_test(refused_before_playing),
      cmocka_unit_test(full_queue),       cmocka_unit_test(played_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
