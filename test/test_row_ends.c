/* ctest: timeout=1200
 * Every live parameter of every built-in scene at its ends, beyond them, at the smallest number there is, and
 * swept at audio rate: it is refused in one line or it sounds, and every number stays finite. Run with the
 * sanitizers it also finds what a cast or a shift cannot hold.
 *
 *   test_row_ends             one parameter of each row of each scene; with sanitizers of three scenes
 *   test_row_ends all         every parameter of every part
 *   test_row_ends SCENE       every parameter of one scene */
#include "file/load.h"
#include "support/instrumented.h"
#include "support/lab.h"
#include "support/live.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 44100, BLOCK = 64, WARM_UP = 2048, STAY = 128, SWEEP = 512 };

typedef struct bench {
  const char *name;
  ct_doc *doc;
  trial t;
  ct_scene *scene;
  ct_player *player;
  const live_knob *knob;
  const char *doing;
  double value;
  uint32_t failed, tried;
} bench;

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

static void complain(bench *b, const char *what) {
  printf("%s %s, %s %.17g: %s\n", b->name, b->knob ? b->knob->path : "", b->doing, b->value, what);
  b->failed++;
}

static bool all_finite(const float *samples, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!isfinite(samples[i]))
      return false;
  return true;
}

/* Goes on for some samples, with one input or none. */
static bool go_on(bench *b, uint32_t frames, const double *values) {
  float left[BLOCK], right[BLOCK], *const outputs[] = {left, right};
  ct_error error;
  for (uint32_t at = 0; at < frames; at += BLOCK) {
    if (b->player)
      ct_player_send(b->player, ct_scene_sample(b->scene) + BLOCK, &error);
    ct_input input = {.values = values ? values + at : NULL};
    if (values)
      input.handle = b->knob->handle;
    ct_scene_process(b->scene, &(ct_io){.frames = BLOCK,
                                        .outputs = outputs,
                                        .inputs = values ? &input : NULL,
                                        .input_count = values != NULL});
    if (!all_finite(left, BLOCK) || (ct_scene_channels(b->scene) > 1 && !all_finite(right, BLOCK))) {
      complain(b, "a sample is not finite");
      return false;
    }
    if (ct_scene_judge(b->scene, &error) != CT_OK) {
      complain(b, error.text);
      return false;
    }
  }
  return true;
}

/* A number in range: it sounds. */
static bool stay(bench *b, double value) {
  ct_error error;
  b->doing = "set to";
  b->value = value;
  if (ct_scene_set(b->scene, b->knob->handle, value, 0, 0, &error) != CT_OK) {
    complain(b, error.text);
    return false;
  }
  return go_on(b, STAY, NULL);
}

/* A number out of range: refused in one line; as an input it counts as the end. */
static bool beyond(bench *b, double value) {
  double values[BLOCK];
  ct_error error = {0};
  b->doing = "beyond its range at";
  b->value = value;
  bool trigger = value == 0; /* a trigger control takes 0 for no strike, whatever its range */
  bool taken = ct_scene_set(b->scene, b->knob->handle, value, 0, 0, &error) == CT_OK;
  if (taken ? !trigger : !error.text[0] || strchr(error.text, '\n')) {
    complain(b, taken ? "not refused" : "not refused in one line");
    return false;
  }
  for (uint32_t i = 0; i < BLOCK; i++)
    values[i] = value;
  return go_on(b, BLOCK, values);
}

static double walk(const live_knob *k, double share) {
  bool log_scale = k->row->scale == CT_LOG && k->min > 0;
  return log_scale ? k->min * pow(k->max / k->min, share) : k->min + share * (k->max - k->min);
}

/* From end to end and back at 700 Hz, with a sample of not a number now and then. */
static bool sweep(bench *b) {
  double values[SWEEP];
  b->doing = "swept at audio rate";
  b->value = 0;
  for (uint32_t i = 0; i < SWEEP; i++)
    values[i] = i % 97 == 96 ? (double)NAN : walk(b->knob, 0.5 - 0.5 * cos(2 * M_PI * 700 * i / RATE));
  return go_on(b, SWEEP, values);
}

/* The range of a control is its own; just outside, and far out. */
static double outside(double end, double other) {
  return end + (end - other) * 1e-3 + (end > other ? 1e-9 : -1e-9);
}

static void try_knob(bench *b, const live_knob *knob) {
  const double low = knob->min, high = knob->max;
  b->knob = knob;
  b->tried++;
  bool good = stay(b, low) && stay(b, high);
  if (good && low <= 5e-324 && high > 0)
    good = stay(b, 5e-324);
  if (good && low > 5e-324)
    good = beyond(b, 5e-324);
  if (good && low < 0)
    good = stay(b, -5e-324);
  good = good && sweep(b) && beyond(b, outside(low, high)) && beyond(b, outside(high, low)) &&
         beyond(b, 1e308) && beyond(b, -1e308) && stay(b, low);
  (void)good;
}

static void open_scene(bench *b) {
  ct_build_def def = ct_default_build_def();
  ct_gesture gesture = {0};
  ct_error error;
  def.rate_hz = RATE;
  def.ledger = true;
  must(ct_doc_build(b->doc, &def, &b->scene, NULL, NULL, &error), &error);
  must(ct_doc_gesture(b->doc, &gesture, &error), &error);
  b->player = NULL;
  if (gesture.rows)
    must(ct_player_create(&gesture, b->scene, &b->player, &error), &error);
}

static void close_scene(bench *b) {
  if (b->player)
    ct_player_destroy(b->player);
  ct_scene_destroy(b->scene);
}

enum { MOST_ROWS = 1024, BRIEF_SCENES = 3 };

/* With sanitizers a row has had its turns in the first scenes that know it; controls are each scene's own. */
static bool had_enough(const live_knob *knob) {
  static uint32_t turns[MOST_ROWS];
  assert_true(knob->row_index < MOST_ROWS);
  return is_brief() && strchr(knob->path, '.') && turns[knob->row_index]++ >= BRIEF_SCENES;
}

/* Of each row one parameter, another for each scene; or all of them. */
static bool wanted(const live_knob *knobs, uint32_t count, uint32_t index, uint32_t turn, bool all) {
  uint32_t same = 0, before = 0;
  for (uint32_t i = 0; i < count; i++) {
    same += knobs[i].row == knobs[index].row;
    before += i < index && knobs[i].row == knobs[index].row;
  }
  return all || (before == turn % same && !had_enough(&knobs[index]));
}

static void try_scene(bench *b, const char *name, uint32_t turn, bool all) {
  ct_error error;
  live_knob *knobs;
  b->name = name;
  must(ct_doc_load(name, &b->doc, &error), &error);
  trial_take_doc(&b->t, b->doc);
  open_scene(b);
  uint32_t count = live_all(&b->t, b->scene, 4096, &knobs);
  close_scene(b);
  for (uint32_t i = 0; i < count; i++) {
    if (!wanted(knobs, count, i, turn, all))
      continue;
    open_scene(b);
    b->knob = NULL;
    b->doing = "warming up";
    go_on(b, INSTRUMENTED ? BLOCK : WARM_UP, NULL);
    try_knob(b, &knobs[i]);
    close_scene(b);
  }
  free(knobs);
  trial_clear(&b->t);
  ct_doc_destroy(b->doc);
}

static uint32_t try_all(const char *only, bool all) {
  bench b = {0};
  for (size_t i = 0; i < ct_builtin_scene_count; i++)
    if (!only || strcmp(only, ct_builtin_scenes[i].name) == 0)
      try_scene(&b, ct_builtin_scenes[i].name, (uint32_t)(7 * i + 3), all);
  printf("%u parameters tried, %u failed\n", b.tried, b.failed);
  return b.failed;
}

static void every_row(void **state) {
  (void)state;
  assert_int_equal(try_all(NULL, false), 0);
}

/* Between the smallest number and a large one the quotient of the ends is no number, but the way is one. */
static void longest_log_ways(void **state) {
  (void)state;
  double up[257], down[257];
  ct_scene *scene = lab_scene(48000, 0);
  lab_mass(scene, "ball", 1, 0, 0);
  lab_settle(scene);
  lab_set(scene, "ball.modes.0.t60_s", 5e-324, 0, 0);
  lab_step(scene, 8);
  lab_set(scene, "ball.modes.0.t60_s", 1000, 256 / 48000.0, 0);
  lab_record(scene, "ball.modes.0.t60_s", up, 257);
  lab_step(scene, 7);
  lab_set(scene, "ball.modes.0.t60_s", 5e-324, 256 / 48000.0, 0);
  lab_record(scene, "ball.modes.0.t60_s", down, 257);
  for (int i = 1; i < 257; i++) {
    assert_true(isfinite(up[i]) && up[i] >= up[i - 1]);
    assert_true(isfinite(down[i]) && down[i] <= down[i - 1]);
  }
  assert_true(up[0] < 1e-300 && fabs(up[128] / sqrt(4.94065645841246544e-324 * 1e3) - 1) < 0.1 &&
              up[256] == 1000);
  assert_true(down[256] < 1e-300);
  ct_scene_destroy(scene);
}

/* A control's target arrives at its end, however far that is from where it began. */
static void straight_ways_arrive(void **state) {
  (void)state;
  ct_scene *scene = lab_scene(48000, 0);
  lab_mass(scene, "ball", 1, 0, 0);
  lab_pickup(scene, "out", "ball.at", CT_VELOCITY, 1);
  lab_control(scene, "scale", "out.full_scale", 1e12, 1e-12, false);
  lab_settle(scene);
  lab_set(scene, "scale", 1, 0, 0);
  lab_step(scene, 64);
  assert_true(lab_get(scene, "out.full_scale") == 1e-12);
  ct_scene_destroy(scene);
}

int main(int argc, char **argv) {
  if (argc > 1)
    return try_all(strcmp(argv[1], "all") == 0 ? NULL : argv[1], true) != 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_row), cmocka_unit_test(longest_log_ways),
                                     cmocka_unit_test(straight_ways_arrive)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
