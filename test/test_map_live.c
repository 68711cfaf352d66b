/* A map's regions while they sound: borders, places, sizes and the width of boundaries are parameters like
 * any other. They act on the tick they are due at, by host, control and gesture; they do not click; whatever
 * is done to them, the map stays one, and block sizes change nothing. */
#include "base/hash.h"
#include "support/action_lab.h"
#include "support/lab.h"
#include "support/words.h"
#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Doubles; cmocka's own compares floats. */
static void near(double is, double wanted, double tolerance) {
  if (!(fabs(is - wanted) <= tolerance))
    fail_msg("%.17g, not %.17g within %g", is, wanted, tolerance);
}

enum { TICK = 8 };

/* Two regions that meet at 0.1 m/s, the middle of the log axis; the gesture is at 0.09 m/s, in the first. A
 * knob moves the border of both. */
#define TWO(boundary)                                                                                        \
  "{'contatto': 1, 'bodies': {'plate': {'modes': [{'hz': 440, 't60_s': 0.5}, {'hz': 1013, 't60_s': 0.3}],"   \
  "'points': {'spot': {'gains': [1, 0.7]}}}}, 'pickups': {'ear': {'at': 'plate.spot'}},"                     \
  "'sources': {'rub': {'at': 'plate.spot', 'speed_m_s': 0.09, 'pressure': 0.5, 'wander': 0, 'exponent': 3,"  \
  "'boundary': '" boundary "', 'regions': {"                                                                 \
  "'squeak': {'behaviour': 'squeaky_plate', 'hz': 700, 'x': [0.01, 0.1], 'y': [0, 1]},"                      \
  "'sing': {'behaviour': 'bowed_string', 'mode': 1, 'x': [0.1, 1], 'y': [0, 1]}}}},"                         \
  "'controls': {'border': {'min': 0.02, 'max': 0.5, 'value': 0.1, 'targets': ["                              \
  "{'path': 'rub.squeak.x.1', 'from': 0.02, 'to': 0.5}, {'path': 'rub.sing.x.0', 'from': 0.02, 'to': "       \
  "0.5}]}}}"

/* The first sample at which the path reads `value`; COUNT: never. */
enum { COUNT = 2000 };
static uint32_t first_with(ct_scene *scene, const char *path, double value) {
  double values[COUNT];
  lab_record(scene, path, values, COUNT);
  for (uint32_t n = 0; n < COUNT; n++)
    if (values[n] == value)
      return n;
  return COUNT;
}

/* Set at sample n without a ramp, both corners of the border are where they were sent at the first tick from
 * n on, and so is the region. */
static void borders_move_on_their_tick(void **state) {
  (void)state;
  for (uint32_t n = 800; n < 800 + 2 * TICK; n++) {
    ct_scene *scene = words_scene(TWO("sudden"));
    lab_set(scene, "rub.squeak.x.1", 0.08, 0, n);
    lab_set(scene, "rub.sing.x.0", 0.08, 0, n);
    assert_int_equal(first_with(scene, "rub.region", 1), (n + TICK - 1) / TICK * TICK);
    near(lab_get(scene, "rub.squeak.x.1"), 0.08, 0);
    near(lab_get(scene, "rub.sing.share"), 1, 0);
    ct_scene_destroy(scene);
  }
}

/* On a ramp the border passes the gesture when it gets there: from 0.1 to 0.08 in 1000 samples, it is at 0.09
 * after 500; regions change at the next tick. Held by hysteresis of 0.05 of the side, a factor of 100^0.05,
 * it has further to go. */
static void borders_pass_when_they_get_there(void **state) {
  (void)state;
  ct_scene *scene = words_scene(TWO("sudden"));
  const double ramp_s = 1000 / 48000.;
  lab_set(scene, "rub.squeak.x.1", 0.08, ramp_s, 400);
  lab_set(scene, "rub.sing.x.0", 0.08, ramp_s, 400);
  uint32_t crossed = first_with(scene, "rub.region", 1);
  assert_true(crossed >= 900 && crossed <= 900 + TICK);
  ct_scene_destroy(scene);
  scene = words_scene(TWO("hysteretic"));
  double left = 0.09 / pow(100, 0.05), wanted = 400 + 1000 * (0.1 - left) / 0.03;
  lab_set(scene, "rub.squeak.x.1", 0.07, ramp_s, 400);
  lab_set(scene, "rub.sing.x.0", 0.07, ramp_s, 400);
  crossed = first_with(scene, "rub.region", 1);
  assert_true(crossed >= wanted && crossed <= wanted + TICK);
  ct_scene_destroy(scene);
}

/* By a knob with two targets, by a gesture of paths, by a gesture of the knob: the same region at the same
 * moment. */
static void by_control_and_gesture(void **state) {
  (void)state;
  static const char *const columns[][2] = {{"border", "border"}, {"rub.squeak.x.1", "rub.sing.x.0"}};
  static const double time_s[] = {0, 0.01, 0.02}, values[] = {0.1, 0.1, 0.05};
  uint32_t crossed[3];
  for (int way = 0; way < 3; way++) {
    ct_scene *scene = words_scene(TWO("sudden"));
    ct_player *player = NULL;
    ct_error error = {0};
    const double *both[] = {values, values};
    ct_gesture gesture = {3, way == 1 ? 2 : 1, time_s, columns[way == 1], both};
    if (way == 2)
      lab_set(scene, "border", 0.05, 0.01, 480);
    else {
      assert_int_equal(ct_player_create(&gesture, scene, &player, &error), CT_OK);
      assert_int_equal(ct_player_send(player, COUNT, &error), CT_OK);
    }
    crossed[way] = first_with(scene, "rub.region", 1);
    ct_player_destroy(player);
    ct_scene_destroy(scene);
  }
  /* from 0.1 to 0.05 in 480 samples: at 0.09 after 96 */
  assert_true(crossed[0] >= 576 && crossed[0] <= 576 + TICK);
  assert_int_equal(crossed[1], crossed[0]);
  assert_int_equal(crossed[2], crossed[0]);
}

/* The whole region moved by a share of the plane, or grown about its middle: worked out by hand. */
static void regions_move_and_grow(void **state) {
  (void)state;
  ct_scene *scene = words_scene(TWO("sudden"));
  /* places: squeak 0 to 0.5, sing 0.5 to 1, the gesture at log(9) / log(100) = 0.477 */
  double place = log(9) / log(100);
  lab_step(scene, 8);
  near(lab_get(scene, "rub.region"), 0, 0);
  /* sing moved to 0.45 .. 0.95 lies over squeak, and deeper than it from the middle of 0.45 and 0.5 on */
  lab_set(scene, "rub.sing.shift_x", -0.05, 0, 0);
  lab_step(scene, 16);
  near(lab_get(scene, "rub.region"), place > 0.475, 0);
  lab_set(scene, "rub.sing.shift_x", -0.04, 0, 0);
  lab_step(scene, 16);
  near(lab_get(scene, "rub.region"), place > 0.48, 0);
  /* squeak shrunk to 0.125 .. 0.375 leaves a hole, whose middle is at 0.4375 */
  lab_set(scene, "rub.sing.shift_x", 0, 0, 0);
  lab_set(scene, "rub.squeak.size", 0.5, 0, 0);
  lab_step(scene, 16);
  near(lab_get(scene, "rub.region"), 1, 0);
  lab_set(scene, "rub.speed_m_s", 0.01 * pow(100, 0.43), 0, 0);
  lab_step(scene, 16);
  near(lab_get(scene, "rub.region"), 0, 0);
  ct_scene_destroy(scene);
}

/* As drawn, too: a map with a shift is the map with corners moved by hand. */
static void shifts_may_be_drawn(void **state) {
  (void)state;
  action_lab lab;
  ct_map *map = &lab.action.map;
  double weights[2];
  static const double slow[] = {0.01, 0.1}, fast[] = {0.1, 1}, all[] = {0, 1};
  action_lab_prepare(&lab, CT_RUBBING);
  lab.def.region_count = 2;
  lab.regions[0].x = slow;
  lab.regions[1].x = fast;
  lab.regions[0].y = lab.regions[1].y = all;
  lab.regions[0].corner_count = lab.regions[1].corner_count = 2;
  lab.regions[0].shift_x = lab.regions[1].shift_x = -0.2;
  action_lab_make(&lab, 48000);
  for (double x = 0.01; x < 1; x += 0.02) {
    ct_map_weigh(map, (double[2]){x, 0.5}, weights);
    assert_int_equal(map->now, x > 0.3 ? 1 : 0);
  }
  action_lab_free(&lab);
}

/* Swept across the gesture in either direction, slowly or at once: as quiet as a gesture that crosses. */
static void moving_borders_do_not_click(void **state) {
  (void)state;
  enum { LONG = 24000 };
  static const double ramps_s[] = {0, 0.005, 0.03, 0.2};
  double *sound = malloc(LONG * sizeof *sound), worst = -INFINITY;
  for (int blended = 0; blended < 2; blended++)
    for (size_t r = 0; r < sizeof ramps_s / sizeof ramps_s[0]; r++) {
      if (blended && ramps_s[r] == 0)
        continue; /* told to leap, a blend leaps within a tick, as under a gesture that does */
      ct_scene *scene = blended ? words_scene(TWO("blended")) : words_scene(TWO("sudden"));
      for (int k = 0; k < 10; k++)
        lab_set(scene, "border", k % 2 ? 0.2 : 0.04, ramps_s[r], 4000 + 1600 * (uint64_t)k);
      ct_scene_process(scene, &(ct_io){.frames = LONG, .raw = &sound});
      double click_db = ct_measure_worst_click(sound + 2000, LONG - 2000, 48000, NULL, 0).strength_db;
      worst = fmax(worst, click_db);
      ct_scene_destroy(scene);
    }
  printf("moving borders: the strongest candidate click is %.1f dB, a click from %.0f dB on\n", worst,
         CT_MEASURE_CLICK_DB);
  assert_true(worst < CT_MEASURE_CLICK_DB);
  free(sound);
}

/* ---- storms ---- */

static const char storm_scene[] =
    "{'contatto': 1, 'bodies': {'plate': {'modes': [{'hz': 440, 't60_s': 0.5}, {'hz': 1013, 't60_s': 0.3}],"
    "'points': {'spot': {'gains': [1, 0.7]}}}}, 'pickups': {'ear': {'at': 'plate.spot'}},"
    "'sources': {'rub': {'at': 'plate.spot', 'speed_m_s': 0.09, 'pressure': 0.5, 'boundary': '%s',"
    "'regions': {"
    "'squeak': {'behaviour': 'squeaky_plate', 'table_x': [0.01, 0.03, 0.1], 'table_y': [0, 1], "
    "'table_curve': "
    "'smooth', 'table_hz': [300, 400, 900, 500, 450, 2000], 'x': [0.01, 0.1], 'y': [0, 1]},"
    "'sing': {'behaviour': 'singing_glass', 'mode': 1, 'x': [0.1, 1, 1, 0.1], 'y': [0, 0, 0.7, 0.4]},"
    "'hiss': {'behaviour': 'rubbing', 'x': [0.1, 1, 1, 0.1], 'y': [0.4, 0.7, 1, 1]}}}}}";

typedef struct storm {
  ct_scene *scene;
  ct_handle handles[128];
  const ct_schema_row *rows[128];
  uint32_t count;
} storm;

/* Everything live of the source and its regions. */
static bool take(void *context, const char *path, const char *full_path, ct_handle handle,
                 const ct_schema_row *row) {
  storm *s = context;
  (void)path;
  if (strncmp(full_path, "sources.", 8) == 0 && row->rate == CT_RATE_TICK && s->count < 128) {
    s->handles[s->count] = handle;
    s->rows[s->count++] = row;
  }
  return true;
}

/* A value anywhere in its range, often an end of it; speeds and corners mostly within the plane. */
static double any_value(ct_random *random, const ct_schema_row *row) {
  double share = ct_random_share(random);
  if (strstr(row->path, ".x[]") || strstr(row->path, ".y[]") || strstr(row->path, "speed"))
    return share < 0.1 ? row->min : share < 0.2 ? row->max : share;
  if (share < 0.2 || share > 0.8)
    return share < 0.2 ? row->min : row->max;
  return row->scale == CT_LOG ? fmax(row->min, 1e-6) * pow(row->max / fmax(row->min, 1e-6), share)
                              : row->min + share * (row->max - row->min);
}

static void play_storm(const char *boundary, uint64_t seed, uint32_t block, double *sound, uint32_t count) {
  storm s = {.scene = words_scene(storm_scene, boundary)};
  ct_random random = {seed};
  ct_scene_visit(s.scene, take, &s);
  assert_true(s.count > 40);
  for (uint32_t n = 0; n < count; n += 240) { /* every 5 ms a few of them, at once or in a while */
    for (int k = 0; k < 6; k++) {
      uint32_t which = (uint32_t)(ct_random_bits(&random) % s.count);
      double value = any_value(&random, s.rows[which]), ramp_s = ct_random_bits(&random) % 2 ? 0 : 0.004;
      assert_int_equal(
          ct_scene_set(s.scene, s.handles[which], value, ramp_s, n + ct_random_bits(&random) % 240, NULL),
          CT_OK);
    }
    for (uint32_t done = 0; done < 240;) {
      uint32_t frames = 240 - done < block ? 240 - done : block;
      double *raw = sound + n + done;
      ct_scene_process(s.scene, &(ct_io){.frames = frames, .raw = &raw});
      done += frames;
    }
    double shares = lab_get(s.scene, "rub.squeak.share") + lab_get(s.scene, "rub.sing.share") +
                    lab_get(s.scene, "rub.hiss.share");
    near(shares, 1, 1e-12);
    double hz = lab_get(s.scene, "rub.f0_hz");
    assert_true(hz >= 1 && hz <= 10000);
  }
  for (uint32_t n = 0; n < count; n++)
    assert_true(isfinite(sound[n]));
  assert_int_equal(ct_scene_counters(s.scene).dropped_messages, 0);
  ct_scene_destroy(s.scene);
}

static void storms_stay_finite(void **state) {
  (void)state;
  enum { SAMPLES = 48000 };
  static const char *const boundaries[] = {"sudden", "hysteretic", "blended"};
  double *a = malloc(SAMPLES * sizeof *a), *b = malloc(SAMPLES * sizeof *b);
  for (int i = 0; i < 3; i++)
    for (uint64_t seed = 1; seed <= 4; seed++) {
      play_storm(boundaries[i], seed, 240, a, SAMPLES);
      play_storm(boundaries[i], seed, seed % 2 ? 1 : 37, b, SAMPLES);
      assert_memory_equal(a, b, SAMPLES * sizeof *a);
    }
  free(a);
  free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(borders_move_on_their_tick), cmocka_unit_test(borders_pass_when_they_get_there),
      cmocka_unit_test(by_control_and_gesture),     cmocka_unit_test(regions_move_and_grow),
      cmocka_unit_test(shifts_may_be_drawn),        cmocka_unit_test(moving_borders_do_not_click),
      cmocka_unit_test(storms_stay_finite)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
