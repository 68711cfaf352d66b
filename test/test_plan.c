/* ctest: timeout=900
 * Copies of a plan sound as the scene they were made from, bit for bit, and share nothing with it or with
 * each other; what the two scenes of a plan must not be is refused. Times are printed, not judged. */
#include "support/lab.h"
#include "support/play.h"
#include "scene/scene.h"
#include <contatto/file.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 4800, BLOCK = 160 };

typedef struct take {
  float heard[2][FRAMES];
  double raw[2][FRAMES];
} take;

static void play_take(ct_scene *scene, ct_doc *doc, take *t) {
  ct_error error = {0};
  ct_gesture gesture;
  ct_player *player = NULL;
  memset(t, 0, sizeof *t);
  lab_must(ct_doc_gesture(doc, &gesture, &error), &error);
  if (gesture.rows)
    lab_must(ct_player_create(&gesture, scene, &player, &error), &error);
  for (uint32_t at = 0; at < FRAMES; at += BLOCK) {
    float *outputs[] = {t->heard[0] + at, t->heard[1] + at};
    double *raws[] = {t->raw[0] + at, t->raw[1] + at};
    if (player)
      lab_must(ct_player_send(player, at + BLOCK, &error), &error);
    ct_scene_process(scene, &(ct_io){.frames = BLOCK, .outputs = outputs, .raw = raws});
  }
  ct_player_destroy(player);
}

/* No word of the copy points to where the other block is, or was. */
static void points_nowhere_else(const ct_scene *copy, uintptr_t base) {
  const unsigned char *bytes = (const unsigned char *)copy;
  for (size_t i = 0; i + sizeof(uintptr_t) <= copy->bytes; i += sizeof(uintptr_t)) {
    uintptr_t word;
    memcpy(&word, bytes + i, sizeof word);
    if (word >= base && word < base + copy->bytes)
      fail_msg("byte %zu of %zu points into the scene it is a copy of", i, copy->bytes);
  }
}

static double now_s(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void every_scene(void **state) {
  (void)state;
  static take built, copied, again;
  double all_built_s = 0, all_copied_s = 0;
  for (uint32_t i = 0; i < ct_builtin_count(); i++) {
    const char *name = ct_builtin_name(i);
    ct_error error = {0};
    ct_doc *doc = play_open(name, NULL);
    ct_build_def def = ct_default_build_def();
    ct_scene *scene, *one, *other;
    ct_plan *plan;
    def.ledger = i % 2 == 0;
    double start = now_s();
    lab_must(ct_doc_build(doc, &def, &scene, NULL, NULL, &error), &error);
    double built_s = now_s() - start;
    lab_must(ct_doc_plan(doc, &def, &plan, NULL, NULL, &error), &error);
    assert_int_equal(ct_plan_bytes(plan), ct_scene_bytes(scene));
    start = now_s();
    for (int k = 0; k < 10; k++) {
      lab_must(ct_plan_scene(plan, &one, &error), &error);
      ct_scene_destroy(one);
    }
    double copied_s = (now_s() - start) / 10;
    all_built_s += built_s;
    all_copied_s += copied_s;
    printf("%-10s %8zu bytes, built in %7.3f ms, copied in %6.3f ms\n", name, ct_plan_bytes(plan),
           1e3 * built_s, 1e3 * copied_s);
    lab_must(ct_plan_scene(plan, &one, &error), &error);
    play_take(scene, doc, &built);
    play_take(one, doc, &copied);
    if (memcmp(&built, &copied, sizeof built) != 0)
      fail_msg("%s: a copy sounds otherwise", name);
    lab_must(ct_plan_scene(plan, &other, &error), &error); /* while another has played */
    points_nowhere_else(other, (uintptr_t)one);
    ct_plan_destroy(plan);
    ct_scene_destroy(one);
    ct_scene_destroy(scene);
    play_take(other, doc, &again);
    assert_memory_equal(&built, &again, sizeof built);
    assert_int_equal(ct_scene_judge(other, &error), CT_OK);
    ct_scene_destroy(other);
    ct_doc_destroy(doc);
  }
  printf("all: built in %.1f ms, copied in %.2f ms, %.0f times as fast\n", 1e3 * all_built_s,
         1e3 * all_copied_s, all_built_s / all_copied_s);
}

static void in_the_callers_memory(void **state) {
  (void)state;
  static take first, second;
  ct_error error = {0};
  ct_doc *doc = play_open("hammer", NULL);
  ct_build_def def = ct_default_build_def();
  ct_plan *plan;
  ct_scene *scene;
  def.keep_start = true;
  lab_must(ct_doc_plan(doc, &def, &plan, NULL, NULL, &error), &error);
  size_t bytes = ct_plan_bytes(plan);
  unsigned char *block = malloc(bytes + 128);
  unsigned char *memory = block + (64 - (uintptr_t)block % 64);
  memset(block, 0xa5, bytes + 128);
  assert_int_equal(ct_plan_init(plan, memory + 8, bytes, &scene, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_plan_init(plan, memory, bytes - 1, &scene, &error), CT_NO_MEMORY);
  lab_must(ct_plan_init(plan, memory, bytes, &scene, &error), &error);
  play_take(scene, doc, &first);
  assert_true(memory[bytes] == 0xa5);
  lab_must(ct_scene_reset(scene, 0, &error), &error); /* it has kept its start */
  lab_settle(scene);
  ct_gesture gesture;
  ct_player *player;
  lab_must(ct_doc_gesture(doc, &gesture, &error), &error);
  lab_must(ct_player_create(&gesture, scene, &player, &error), &error);
  ct_player_start(player, FRAMES);
  memset(&second, 0, sizeof second);
  for (uint32_t at = 0; at < FRAMES; at += BLOCK) {
    lab_must(ct_player_send(player, FRAMES + at + BLOCK, &error), &error);
    ct_scene_process(scene, &(ct_io){.frames = BLOCK,
                                     .outputs = (float *[]){second.heard[0] + at, second.heard[1] + at},
                                     .raw = (double *[]){second.raw[0] + at, second.raw[1] + at}});
  }
  assert_memory_equal(&first, &second, sizeof first);
  ct_player_destroy(player);
  ct_scene_destroy(scene);
  ct_plan_destroy(plan);
  free(block);
  ct_doc_destroy(doc);
}

static ct_scene *bar(double hz) {
  const ct_mode_def mode = {.hz = hz, .mass_kg = 0.1, .v_m_s = 1};
  ct_scene *scene = lab_scene(48000, 0);
  lab_modal(scene, "bar", &mode, 1);
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
  return scene;
}

/* Made by hand, with room to spare: parts come and go in a copy, too. */
static void copies_live_on(void **state) {
  (void)state;
  ct_error error = {0};
  ct_plan *plan;
  ct_scene *a = bar(440), *b = bar(440), *scene;
  lab_must(ct_plan_create(a, b, &plan, &error), &error);
  ct_scene_destroy(a);
  ct_scene_destroy(b);
  lab_must(ct_plan_scene(plan, &scene, &error), &error);
  ct_plan_destroy(plan);
  lab_step(scene, 100);
  lab_mass(scene, "ball", 0.01, 0.001, -1);
  lab_touch(scene, lab_law("touch", "bar.at", "ball.at", 1e6, 1.5, 0.1));
  lab_step(scene, 4800);
  assert_true(lab_get(scene, "ball.at.v_m_s") != -1);
  lab_must(ct_scene_remove(scene, "bar", &error), &error);
  lab_step(scene, 4800);
  ct_ledger l = ct_scene_ledger(scene);
  assert_true(ct_ledger_kept(&l));
  ct_scene_destroy(scene);
}

/* A document that has been built from, changed, and built from again makes what a new one makes. */
static void kept_shapes_follow_changes(void **state) {
  (void)state;
  static take kept, fresh;
  static const struct {
    const char *path;
    double value, rate_hz;
  } changes[] = {{"panel.modes.thickness_m", 0.02, 48000},
                 {"panel.modes.size_m.0", 1.3, 48000},
                 {"panel.modes.count", 9, 48000},
                 {"panel.modes.count", 40, 8000}, /* fewer fit below half of that rate */
                 {"panel.modes.count", 40, 48000}};
  ct_error error = {0};
  ct_doc *doc = play_open("knock", NULL);
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
    ct_build_def def = ct_default_build_def();
    ct_scene *one, *other;
    def.rate_hz = changes[i].rate_hz;
    play_set(doc, changes[i].path, changes[i].value);
    ct_doc *again = play_open("knock", NULL);
    for (size_t k = 0; k <= i; k++)
      play_set(again, changes[k].path, changes[k].value);
    lab_must(ct_doc_build(doc, &def, &one, NULL, NULL, &error), &error);
    lab_must(ct_doc_build(again, &def, &other, NULL, NULL, &error), &error);
    assert_int_equal(ct_scene_bytes(one), ct_scene_bytes(other));
    play_take(one, doc, &kept);
    play_take(other, again, &fresh);
    assert_memory_equal(&kept, &fresh, sizeof kept);
    ct_scene_destroy(one);
    ct_scene_destroy(other);
    ct_doc_destroy(again);
  }
  ct_doc_destroy(doc);
}

static void refusals(void **state) {
  (void)state;
  ct_error error = {0};
  ct_plan *plan = NULL;
  ct_scene *a = bar(440), *b = bar(441), *c = bar(440);
  assert_int_equal(ct_plan_create(a, a, &plan, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_plan_create(a, b, &plan, &error), CT_BAD_SCENE);
  assert_string_equal(error.text, "plan: the two scenes were not made in the same way");
  lab_step(c, 1);
  assert_int_equal(ct_plan_create(a, c, &plan, &error), CT_BAD_SCENE);
  assert_null(plan);
  ct_scene_destroy(a);
  ct_scene_destroy(b);
  ct_scene_destroy(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scene),    cmocka_unit_test(in_the_callers_memory),
      cmocka_unit_test(copies_live_on), cmocka_unit_test(kept_shapes_follow_changes),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
