/* Nothing is lost silently: a full queue refuses, too many ramps and changes of what is gone are counted,
 * what comes late is counted; and a queue full of later changes does not hold up what is due now. */
#include "support/lab.h"
#include "scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGES = 16, MODES = 64 };

static ct_scene *bars(void) {
  ct_scene_def def = ct_default_scene_def();
  ct_mode_def modes[MODES];
  for (int i = 0; i < MODES; i++)
    modes[i] = (ct_mode_def){.hz = 100 + 10 * i, .t60_s = 1, .mass_kg = 0.1};
  def.bodies = 2;
  def.contacts = def.surfaces = def.drives = def.sources = 0;
  def.pickups = 1;
  def.messages = MESSAGES;
  def.ledger = true;
  ct_scene *scene = lab_scene_from(&def);
  lab_modal(scene, "bar", modes, MODES);
  lab_modal(scene, "other", modes, 1);
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
  lab_settle(scene);
  return scene;
}

static ct_handle hz(ct_scene *scene, int mode) {
  char path[64];
  snprintf(path, sizeof path, "bar.modes.%d.hz", mode);
  return lab_handle(scene, path);
}

/* Every change that was taken arrives; every other one was refused, and the counts agree. */
static void full_queue_refuses(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = bars();
  uint32_t taken = 0, refused = 0;
  for (int i = 0; i < MODES; i++) {
    ct_result result = ct_scene_set(scene, hz(scene, i), 1000 + i, 0, 0, &error);
    taken += result == CT_OK;
    refused += result == CT_FULL;
  }
  assert_int_equal(taken + refused, MODES);
  assert_int_equal(taken, MESSAGES + 2 * 3); /* two for each part there can be */
  lab_step(scene, 16);
  uint32_t arrived = 0;
  for (int i = 0; i < MODES; i++)
    arrived += ct_scene_get(scene, hz(scene, i)) == 1000 + i;
  assert_int_equal(arrived, taken);
  assert_int_equal(ct_scene_counters(scene).dropped_messages, 0);
  ct_scene_destroy(scene);
}

/* More ramps than there is room for: those that were not begun are counted, all others arrive. */
static void ramps_beyond_room_are_counted(void **state) {
  (void)state;
  ct_scene *scene = bars();
  for (int i = 0; i < MODES; i++) {
    lab_must(ct_scene_set(scene, hz(scene, i), 1000 + i, 0.1, 0, NULL), &(ct_error){0});
    lab_step(scene, 1);
  }
  lab_step(scene, 9600);
  uint32_t arrived = 0;
  for (int i = 0; i < MODES; i++)
    arrived += ct_scene_get(scene, hz(scene, i)) == 1000 + i;
  assert_int_equal(ct_scene_counters(scene).dropped_messages, MODES - MESSAGES);
  assert_int_equal(arrived, MESSAGES);
  ct_scene_destroy(scene);
}

/* The same by events: what is not carried out is counted, and any number of them is looked at. */
static void events_beyond_room_are_counted(void **state) {
  (void)state;
  enum { EVENTS = 5000 };
  static ct_event events[EVENTS];
  ct_scene *scene = bars();
  for (int i = 0; i < EVENTS; i++)
    events[i] =
        (ct_event){.frame = (uint32_t)(i / 100), .handle = hz(scene, i % MODES), .value = 500, .ramp_s = 0.1};
  ct_scene_process(scene, &(ct_io){.frames = 64, .events = events, .event_count = EVENTS});
  ct_counters c = ct_scene_counters(scene);
  uint32_t begun = 0;
  for (int i = 0; i < EVENTS; i++)
    begun += i % MODES < MESSAGES; /* the first so many numbers have a ramp, which is taken over again */
  assert_int_equal(c.dropped_messages, EVENTS - begun);
  assert_int_equal(c.late_events + c.dropped_events, 0);
  ct_scene_destroy(scene);
}

/* Later changes fill all the room there is; what is due now is carried out all the same, in order, and all
 * later ones at their sample. */
static void later_ones_hold_up_nobody(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = bars();
  lab_step(scene, 8);
  for (int i = 0; i < MESSAGES; i++)
    lab_must(ct_scene_set(scene, hz(scene, i), 2000 + i, 0, 8000, &error), &error);
  lab_settle(scene);
  for (int round = 0; round < 10; round++) {
    lab_must(ct_scene_set(scene, hz(scene, 63), 3000 + round, 0, 0, &error), &error);
    lab_must(ct_scene_set(scene, hz(scene, 62), 3000 + round, 0, 0, &error), &error);
    lab_step(scene, 8); /* a tick */
    assert_true(ct_scene_get(scene, hz(scene, 63)) == 3000 + round);
    assert_true(ct_scene_get(scene, hz(scene, 62)) == 3000 + round);
  }
  lab_must(ct_scene_remove(scene, "other", &error), &error); /* parts go, too */
  lab_step(scene, 7990 - 88);
  assert_true(ct_scene_get(scene, hz(scene, 0)) == 100);
  lab_step(scene, 16);
  for (int i = 0; i < MESSAGES; i++)
    assert_true(ct_scene_get(scene, hz(scene, i)) == 2000 + i);
  ct_counters c = ct_scene_counters(scene);
  assert_int_equal(c.dropped_messages + c.late_messages, 0);
  ct_scene_destroy(scene);
}

static void late_and_lost_are_counted(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = bars();
  lab_step(scene, 1000);
  lab_must(ct_scene_set(scene, hz(scene, 0), 900, 0, 500, &error), &error); /* that sample is gone */
  lab_step(scene, 8);
  assert_int_equal(ct_scene_counters(scene).late_messages, 1);
  assert_true(ct_scene_get(scene, hz(scene, 0)) == 900);
  ct_handle gone = lab_handle(scene, "other.modes.0.hz");
  lab_must(ct_scene_set(scene, gone, 700, 0, 2000, &error), &error);
  lab_must(ct_scene_remove(scene, "other", &error), &error);
  lab_step(scene, 4000);
  assert_int_equal(ct_scene_counters(scene).dropped_messages, 1);
  lab_set(scene, "bar.modes.0.v_m_s", 1, 0, 0);
  lab_step(scene, 8);
  scene->bodies[0].as.modal.v[0] = INFINITY; /* it breaks */
  lab_step(scene, 64);
  assert_false(ct_scene_finite(scene));
  lab_must(ct_scene_set(scene, hz(scene, 0), 800, 0, 0, &error), &error);
  ct_event event = {.frame = 3, .handle = hz(scene, 1), .value = 800};
  ct_scene_process(scene, &(ct_io){.frames = 64, .events = &event, .event_count = 1});
  assert_int_equal(ct_scene_counters(scene).dropped_messages, 2);
  assert_int_equal(ct_scene_counters(scene).dropped_events, 1);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full_queue_refuses),
      cmocka_unit_test(ramps_beyond_room_are_counted),
      cmocka_unit_test(events_beyond_room_are_counted),
      cmocka_unit_test(later_ones_hold_up_nobody),
      cmocka_unit_test(late_and_lost_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
