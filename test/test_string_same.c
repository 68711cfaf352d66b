/* The same samples, whatever the block size, the order in which parts were added, or which end of a contact
 * was called a: with strings that are bowed, struck, retuned and slid along while it is decided. And memory:
 * as much as asked for is enough, strings come and go, and what they are asked for is given back. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 6000, PARTS = 8 };

static void add_wire(ct_scene *scene, const char *name, double hz, uint32_t planes) {
  ct_string_def def = ct_default_string_def();
  def.hz = hz;
  def.inharmonicity = 2e-4;
  def.vibrato_cents = 15;
  def.planes = planes;
  lab_string(scene, name, def, (double[]){0.1, 0.12, 0.5}, 3);
}

static void add_part(ct_scene *scene, int part, bool swap) {
  ct_friction_def rub = ct_default_friction_def();
  ct_impact_def law;
  switch (part) {
  case 0:
    add_wire(scene, "low", 98, 1);
    return;
  case 1:
    add_wire(scene, "high", 196, 2);
    return;
  case 2:
    lab_mass(scene, "bow", 0.05, -1e-4, 0.2);
    return;
  case 3:
    lab_hand(scene, "hand", 0, 0);
    return;
  default:
    break;
  }
  rub.bristle_n_m = 3e4;
  rub.bristle_damping_n_s_m = 0.5;
  if (part == 4)
    lab_rub(scene, "rub", swap ? "low.p0" : "hand.at", swap ? "hand.at" : "low.p0", rub);
  else if (part == 5)
    lab_rub(scene, "grip", swap ? "high.p2" : "low.p2", swap ? "low.p2" : "high.p2", rub);
  else {
    law = lab_law(part == 6 ? "knock" : "buzz", swap ? "high.p1" : "bow.at", swap ? "bow.at" : "high.p1", 1e6,
                  1.5, 0.1);
    law.from_above = swap;
    lab_touch(scene, law);
  }
}

static ct_scene *build(const int *order, bool swap, bool ledger) {
  ct_scene_def def = ct_default_scene_def();
  def.ledger = ledger;
  ct_scene *scene = lab_scene_from(&def);
  for (int i = 0; i < PARTS; i++)
    add_part(scene, order[i], swap);
  lab_pickup(scene, "ear", "low.p1", CT_VELOCITY, 1);
  lab_pickup(scene, "foot", "high.p0", CT_FORCE, 1);
  lab_settle(scene);
  return scene;
}

static void play(ct_scene *scene, uint32_t block, double *raw, double *error) {
  double place[FRAMES];
  for (int i = 0; i < FRAMES; i++)
    place[i] = 0.12 + 0.1 * sin(0.002 * i);
  lab_set(scene, "hand.tangential_v_m_s", 0.2, 0.01, 0);
  lab_set(scene, "low.string.stop", 0.3, 0.05, 1000);
  lab_set(scene, "high.string.hz", 150, 0.02, 2003);
  lab_set(scene, "high.string.inharmonicity", 4e-4, 0.03, 2500);
  lab_set(scene, "low.p0.place_u", 0.3, 0, 3001);
  lab_set(scene, "low.string.impedance_kg_s", 2, 0, 3100);
  lab_set(scene, "low.string.t60_s", 0, 0, 3150);
  lab_set(scene, "high.string.high_t60_s", 0.01, 0, 3203);
  lab_set(scene, "low.string.t60_s", 0.5, 0.01, 3400);
  lab_set(scene, "low.p1.pluck_m", 1e-4, 0, 3333);
  lab_set(scene, "high.p2.strike_n_s", 1e-4, 0, 4004);
  ct_handle slide = lab_handle(scene, "high.p1.place_u"), error_j = lab_handle(scene, "energy.stored_j");
  for (uint32_t at = 0; at < FRAMES; at += block) {
    uint32_t frames = at + block > FRAMES ? FRAMES - at : block;
    double *out = raw + at;
    ct_input input = {slide, place + at};
    ct_tap tap = {error_j, error + at};
    ct_scene_process(
        scene,
        &(ct_io){
            .frames = frames, .raw = &out, .inputs = &input, .input_count = 1, .taps = &tap, .tap_count = 1});
  }
  if (ct_scene_ledger(scene).scale_j > 0)
    assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

static double first[FRAMES], first_energy[FRAMES], other[FRAMES], other_energy[FRAMES];

static void reference(void) {
  static const int order[PARTS] = {0, 1, 2, 3, 4, 5, 6, 7};
  play(build(order, false, true), 64, first, first_energy);
}

static void compare(const char *what, bool energy) {
  for (int i = 0; i < FRAMES; i++)
    if (memcmp(&first[i], &other[i], sizeof first[i]) != 0 ||
        (energy && memcmp(&first_energy[i], &other_energy[i], sizeof first[i]) != 0))
      fail_msg("%s: sample %d is %.17g, was %.17g", what, i, other[i], first[i]);
}

static void block_size_does_not_matter(void **state) {
  static const int order[PARTS] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const uint32_t blocks[] = {1, 7, 333, FRAMES};
  (void)state;
  reference();
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
    play(build(order, false, true), blocks[i], other, other_energy);
    compare("block size", true);
  }
  double loudest = 0;
  for (int i = 0; i < FRAMES; i++)
    loudest = fmax(loudest, fabs(first[i]));
  assert_true(loudest > 0.01); /* else nothing was compared */
}

static void order_and_ends_do_not_matter(void **state) {
  static const int orders[][PARTS] = {{3, 2, 1, 0, 7, 6, 5, 4}, {1, 0, 3, 2, 5, 7, 4, 6}};
  (void)state;
  reference();
  for (int i = 0; i < 2; i++) {
    play(build(orders[i], true, true), 64, other, other_energy);
    compare("order and ends", true);
  }
}

static void an_account_does_not_matter(void **state) {
  static const int order[PARTS] = {0, 1, 2, 3, 4, 5, 6, 7};
  (void)state;
  reference();
  play(build(order, false, false), 64, other, other_energy);
  compare("without an account", false);
}

/* A pool of just the bytes a string asks for holds it; one byte less does not. */
static void asked_memory_is_enough(void **state) {
  ct_string_def def = ct_default_string_def();
  ct_point_def points[] = {{.name = "a", .place_u = 0.2}, {.name = "b", .place_u = 0.7}};
  (void)state;
  def.name = "wire";
  def.points = points;
  def.point_count = 2;
  for (int planes = 1; planes <= 2; planes++) {
    def.planes = (uint32_t)planes;
    for (int less = 0; less < 2; less++) {
      ct_error error = {0};
      ct_scene_def scene_def = ct_default_scene_def();
      scene_def.pool_bytes = ct_string_pool_bytes(&def, scene_def.rate_hz) - (less ? 64u : 0);
      ct_scene *scene = lab_scene_from(&scene_def);
      assert_int_equal(ct_added(ct_scene_add_string(scene, &def, &error), &error), less ? CT_FULL : CT_OK);
      ct_scene_destroy(scene);
    }
  }
}

static void strings_come_and_go(void **state) {
  ct_error error = {0};
  ct_scene *scene = lab_scene(48000, 0);
  (void)state;
  lab_hand(scene, "hand", 0, 0);
  for (int i = 0; i < 50; i++) {
    add_wire(scene, "wire", 100 + 7 * i, 1 + (uint32_t)i % 2);
    lab_rub(scene, "rub", "hand.at", "wire.p0", ct_default_friction_def());
    lab_pickup(scene, "ear", "wire.p2", CT_FORCE, 1);
    lab_settle(scene);
    lab_set(scene, "wire.p1.strike_n_s", 1e-3, 0, 0);
    lab_step(scene, 500);
    assert_true(ct_scene_ledger(scene).stored_j > 0);
    assert_int_equal(ct_scene_remove(scene, "wire", &error), CT_OK);
    lab_step(scene, 3000);
  }
  assert_true(ct_scene_ledger(scene).stored_j == 0);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_size_does_not_matter), cmocka_unit_test(order_and_ends_do_not_matter),
      cmocka_unit_test(an_account_does_not_matter), cmocka_unit_test(asked_memory_is_enough),
      cmocka_unit_test(strings_come_and_go)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
