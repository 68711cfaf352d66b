/* Events come with the audio call and are carried out at their frame, whatever the size of the blocks: the
 * sound is, to the bit, that of the same changes queued beforehand. None is lost without being counted.
 * Changes that are queued together begin together, or not at all. */
#include "base/hash.h"
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { FRAMES = 9600, EVENTS = 2000 }; /* 0.2 s: ten thousand a second */

typedef struct told {
  uint64_t sample;
  const char *path;
  double value, ramp_s;
} told;

/* Rubbed, struck and retuned, all by events. */
static ct_scene *band(uint32_t messages) {
  ct_scene_def def = ct_default_scene_def();
  def.messages = messages;
  def.ledger = true;
  ct_scene *scene = lab_scene_from(&def);
  lab_modal(scene, "bar",
            (const ct_mode_def[]){{.hz = 523, .t60_s = 1, .mass_kg = 0.02},
                                  {.hz = 1311, .t60_s = 0.6, .mass_kg = 0.03}},
            2);
  lab_mass(scene, "mallet", 0.02, 0.001, -1);
  lab_hand(scene, "hand", 0, 0);
  lab_touch(scene, lab_law("knock", "bar.at", "mallet.at", 1e6, 1.5, 0.3));
  lab_rub(scene, "rub", "hand.at", "bar.at", ct_default_friction_def());
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
  lab_control(scene, "push", "mallet.at.force_n", -2, 2, false);
  lab_settle(scene);
  return scene;
}

static void draw(told *all, uint32_t count) {
  static const struct {
    const char *path;
    double low, high;
  } moves[] = {
      {"hand.tangential_v_m_s", -0.5, 0.5}, {"rub.normal_n", 0, 5},       {"push", 0, 1},
      {"bar.modes.0.hz", 300, 900},         {"mallet.at.force_n", -1, 1}, {"rub.mu_dynamic", 0.1, 0.3},
      {"ear.full_scale", 0.5, 2},           {"knock.gap_m", 0, 1e-4},     {"bar.modes.1.t60_s", 0.1, 1}};
  ct_random random = {12345};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t which = (uint32_t)(ct_random_bits(&random) % (sizeof moves / sizeof *moves));
    double share = ct_random_share(&random);
    all[i] = (told){.sample = (uint64_t)i * FRAMES / count,
                    .path = moves[which].path,
                    .value = moves[which].low + share * (moves[which].high - moves[which].low),
                    .ramp_s = i % 3 == 0   ? 0
                              : i % 3 == 1 ? 0.002
                                           : -1};
  }
}

static void play_queued(const told *all, uint32_t count, double *sound) {
  ct_scene *scene = band(4096);
  for (uint32_t i = 0; i < count; i++)
    lab_set(scene, all[i].path, all[i].value, all[i].ramp_s, all[i].sample);
  double *raw[] = {sound};
  ct_scene_process(scene, &(ct_io){.frames = FRAMES, .raw = raw});
  assert_int_equal(ct_scene_judge(scene, NULL), CT_OK);
  assert_int_equal(ct_scene_counters(scene).dropped_messages, 0);
  ct_scene_destroy(scene);
}

/* Blocks of this size, with those events that lie in each. */
static void play_events(const told *all, uint32_t count, uint32_t block, double *sound) {
  ct_scene *scene = band(1024);
  ct_event *events = calloc(count, sizeof *events);
  assert_non_null(events);
  for (uint32_t begin = 0, next = 0; begin < FRAMES; begin += block) {
    uint32_t frames = FRAMES - begin < block ? FRAMES - begin : block, n = 0;
    for (; next < count && all[next].sample < begin + frames; next++)
      events[n++] = (ct_event){.frame = (uint32_t)(all[next].sample - begin),
                               .handle = lab_handle(scene, all[next].path),
                               .value = all[next].value,
                               .ramp_s = all[next].ramp_s};
    double *raw[] = {sound + begin};
    ct_scene_process(scene, &(ct_io){.frames = frames, .raw = raw, .events = events, .event_count = n});
  }
  ct_counters c = ct_scene_counters(scene);
  assert_int_equal(c.late_events + c.dropped_events + c.clamped_inputs + c.dropped_messages, 0);
  assert_int_equal(ct_scene_judge(scene, NULL), CT_OK);
  free(events);
  ct_scene_destroy(scene);
}

static void on_their_sample_for_any_block(void **state) {
  (void)state;
  static told all[EVENTS];
  static double queued[FRAMES], sound[FRAMES];
  static const uint32_t blocks[] = {1, 3, 8, 64, 509, 1024, FRAMES};
  draw(all, EVENTS);
  play_queued(all, EVENTS, queued);
  double loudest = 0;
  for (uint32_t i = 0; i < FRAMES; i++)
    loudest = queued[i] > loudest ? queued[i] : loudest;
  assert_true(loudest > 1e-3);
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    play_events(all, EVENTS, blocks[i], sound);
    assert_memory_equal(sound, queued, sizeof sound);
  }
}

static ct_scene *hand_scene(void) {
  ct_scene *scene = lab_scene(48000, 0);
  lab_hand(scene, "hand", 0, 0);
  lab_settle(scene);
  return scene;
}

/* Speeds over a block, with these events in it. */
static ct_counters speeds(ct_scene *scene, const ct_event *events, uint32_t count, double values[16]) {
  ct_tap tap = {lab_handle(scene, "hand.v_m_s"), values};
  ct_scene_process(
      scene, &(ct_io){.frames = 16, .taps = &tap, .tap_count = 1, .events = events, .event_count = count});
  return ct_scene_counters(scene);
}

static void in_order_behind_messages(void **state) {
  (void)state;
  ct_scene *scene = hand_scene();
  ct_handle v = lab_handle(scene, "hand.v_m_s");
  double values[16];
  lab_set(scene, "hand.v_m_s", 9, 0, 5);
  speeds(scene, (const ct_event[]){{5, v, 1, 0}, {5, v, 2, 0}, {5, v, 3, 0}, {9, v, 4, 0}}, 4, values);
  assert_true(values[4] == 0 && values[5] == 3 && values[8] == 3 && values[9] == 4);
  ct_scene_destroy(scene);
}

static void misplaced_are_counted_not_lost(void **state) {
  (void)state;
  ct_scene *scene = hand_scene();
  ct_handle v = lab_handle(scene, "hand.v_m_s");
  double values[16];
  ct_counters c =
      speeds(scene, (const ct_event[]){{8, v, 1, 0}, {3, v, 2, 0}, {16, v, 5, 0}, {99, v, 6, 0}}, 4, values);
  assert_int_equal(c.late_events, 3);
  assert_true(values[7] == 0 && values[8] == 2 && values[15] == 2);
  speeds(scene, NULL, 0, values);
  assert_true(values[0] == 6);
  ct_scene_process(scene, &(ct_io){.events = (const ct_event[]){{0, v, 7, 0}}, .event_count = 1});
  assert_true(lab_get(scene, "hand.v_m_s") == 7);
  ct_scene_destroy(scene);
}

static void senseless_are_counted(void **state) {
  (void)state;
  ct_scene *scene = hand_scene();
  lab_mass(scene, "gone", 1, 0, 0);
  lab_settle(scene);
  ct_handle v = lab_handle(scene, "hand.v_m_s"), dead = lab_handle(scene, "gone.at.force_n"),
            state_only = lab_handle(scene, "hand.at.x_m"), wild = {.row = 65535};
  lab_must(ct_scene_remove(scene, "gone", NULL), NULL);
  lab_step(scene, 1);
  double values[16];
  ct_counters c = speeds(scene,
                         (const ct_event[]){{0, dead, 1, 0},
                                            {1, state_only, 1, 0},
                                            {2, wild, 1, 0},
                                            {3, v, NAN, 0},
                                            {4, v, 1, NAN},
                                            {5, v, 1e9, 0}},
                         6, values);
  assert_int_equal(c.dropped_events, 5);
  assert_int_equal(c.clamped_inputs, 1);
  assert_true(values[4] == 0 && values[5] == 1000);
  ct_scene_destroy(scene);
}

/* ---- changes that belong together ---- */

static void together_or_not_at_all(void **state) {
  (void)state;
  ct_scene_def def = ct_default_scene_def();
  def.messages = 4;
  ct_scene *scene = lab_scene_from(&def);
  lab_hand(scene, "hand", 0, 0);
  lab_settle(scene);
  ct_handle v = lab_handle(scene, "hand.v_m_s"), w = lab_handle(scene, "hand.tangential_v_m_s");
  ct_error error;
  double values[16];
  assert_int_equal(ct_scene_set_many(scene, (const ct_change[]){{v, 1, 0}, {w, 1e9, 0}}, 2, 0, &error),
                   CT_BAD_VALUE);
  speeds(scene, NULL, 0, values);
  assert_true(values[15] == 0);
  static ct_change many[4096];
  for (int i = 0; i < 4096; i++)
    many[i] = (ct_change){v, 1, 0};
  assert_int_equal(ct_scene_set_many(scene, many, 4096, 0, &error), CT_FULL);
  assert_non_null(strstr(error.text, "the message queue is full"));
  assert_non_null(strstr(error.text, "of 4096"));
  speeds(scene, NULL, 0, values);
  assert_true(values[15] == 0);
  for (int round = 0; round < 200; round++) { /* over the end of the ring, too */
    assert_int_equal(
        ct_scene_set_many(scene, (const ct_change[]){{v, 1 + round, 0}, {w, 2 + round, 0}, {v, 3 + round, 0}},
                          3, ct_scene_sample(scene) + 7, &error),
        CT_OK);
    speeds(scene, NULL, 0, values);
    assert_true(values[6] == (round ? 2 + round : 0) && values[7] == 3 + round);
    assert_true(lab_get(scene, "hand.tangential_v_m_s") == 2 + round);
  }
  assert_int_equal(ct_scene_set_many(scene, NULL, 0, 0, &error), CT_OK);
  assert_int_equal(ct_scene_set_many(NULL, many, 1, 0, &error), CT_BAD_ARGUMENT);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_their_sample_for_any_block),  cmocka_unit_test(in_order_behind_messages),
      cmocka_unit_test(misplaced_are_counted_not_lost), cmocka_unit_test(senseless_are_counted),
      cmocka_unit_test(together_or_not_at_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
