/* Messages are carried out at their sample, whatever was queued before them; of two for the same sample the
 * one that came first goes first. */
#include "support/lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static ct_scene *hand_scene(uint32_t messages) {
  ct_scene_def def = ct_default_scene_def();
  def.messages = messages;
  ct_scene *scene = lab_scene_from(&def);
  lab_hand(scene, "hand", 0, 0);
  lab_settle(scene);
  return scene;
}

static double speed_at(ct_scene *scene, uint64_t sample) {
  while (ct_scene_sample(scene) < sample)
    lab_step(scene, 1);
  lab_settle(scene);
  return lab_get(scene, "hand.v_m_s");
}

/* One that waits for sample 100 does not hold up one for now, and is not lost. */
static void later_holds_up_nobody(void **state) {
  (void)state;
  ct_scene *scene = hand_scene(64);
  lab_set(scene, "hand.v_m_s", 5, 0, 100);
  lab_set(scene, "hand.v_m_s", 1, 0, 0);
  assert_true(speed_at(scene, 1) == 1);
  lab_set(scene, "hand.v_m_s", 2, 0, 50);
  assert_true(speed_at(scene, 49) == 1);
  assert_true(speed_at(scene, 50) == 2);
  assert_true(speed_at(scene, 99) == 2);
  assert_true(speed_at(scene, 100) == 5);
  ct_scene_destroy(scene);
}

static void same_sample_in_order(void **state) {
  (void)state;
  ct_scene *scene = hand_scene(64);
  for (int i = 1; i <= 20; i++)
    lab_set(scene, "hand.v_m_s", i, 0, 10);
  assert_true(speed_at(scene, 9) == 0);
  lab_set(scene, "hand.v_m_s", 30, 0, 10); /* promised later, for the same sample */
  assert_true(speed_at(scene, 10) == 30);
  ct_scene_destroy(scene);
}

/* Told "now" at the very sample for which something was promised: now is the last word. */
static void now_comes_after_promises(void **state) {
  (void)state;
  ct_scene *scene = hand_scene(64);
  lab_set(scene, "hand.v_m_s", 7, 0, 10);
  for (int i = 0; i < 10; i++)
    lab_step(scene, 1);
  lab_set(scene, "hand.v_m_s", 8, 0, 0);
  assert_true(speed_at(scene, 10) == 8);
  ct_scene_destroy(scene);
}

/* Due in a jumbled order: every one at its own sample. */
static void any_order_in(void **state) {
  (void)state;
  ct_scene *scene = hand_scene(512);
  for (uint64_t i = 0; i < 200; i++) {
    uint64_t at = 10 + i * 67 % 200; /* 67 and 200 share no factor: every sample once */
    lab_set(scene, "hand.v_m_s", (double)at, 0, at);
  }
  for (uint64_t at = 10; at < 210; at++)
    assert_true(speed_at(scene, at) == (double)at);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(later_holds_up_nobody), cmocka_unit_test(same_sample_in_order),
      cmocka_unit_test(now_comes_after_promises), cmocka_unit_test(any_order_in)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
