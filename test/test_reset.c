/* ctest: timeout=900
 * A scene starts again: after ct_scene_reset the samples are those of its start, bit by bit, whatever was
 * played before; the clock goes on, the account closes, nothing clicks. */
#include "support/lab.h"
#include "support/play.h"
#include "scene/scene.h"
#include <contatto/file.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 48000.0
enum { FRAMES = 9600, BLOCK = 160 };

/* ---- every built-in scene ---- */

typedef struct take {
  float heard[2][FRAMES];
  double raw[2][FRAMES];
} take;

static void play_take(ct_scene *scene, ct_player *player, take *t) {
  ct_error error = {0};
  uint64_t start = ct_scene_sample(scene);
  if (player)
    ct_player_start(player, start);
  for (uint32_t at = 0; at < FRAMES; at += BLOCK) {
    float *outputs[] = {t->heard[0] + at, t->heard[1] + at};
    double *raws[] = {t->raw[0] + at, t->raw[1] + at};
    if (player)
      lab_must(ct_player_send(player, start + at + BLOCK, &error), &error);
    ct_scene_process(scene, &(ct_io){.frames = BLOCK, .outputs = outputs, .raw = raws});
  }
}

static void scene_starts_again(const char *name, const char *preset, bool ledger) {
  static take first, again;
  ct_error error = {0};
  ct_doc *doc = play_open(name, preset);
  ct_build_def def = ct_default_build_def();
  ct_scene *scene;
  ct_player *player = NULL;
  ct_gesture gesture;
  def.keep_start = true;
  def.ledger = ledger;
  lab_must(ct_doc_build(doc, &def, &scene, NULL, NULL, &error), &error);
  lab_must(ct_doc_gesture(doc, &gesture, &error), &error);
  if (gesture.rows)
    lab_must(ct_player_create(&gesture, scene, &player, &error), &error);
  memset(&first, 0, sizeof first);
  memset(&again, 0, sizeof again);
  play_take(scene, player, &first);
  lab_step(scene, 1237); /* no tick falls there */
  for (int round = 0; round < 2; round++) {
    uint64_t clock = ct_scene_sample(scene);
    lab_must(ct_scene_reset(scene, 0, &error), &error);
    lab_settle(scene);
    assert_int_equal(ct_scene_sample(scene), clock);
    play_take(scene, player, &again);
    if (memcmp(&first, &again, sizeof first) != 0)
      fail_msg("%s, preset %s: sounds otherwise after a reset", name, preset ? preset : "none");
    assert_int_equal(ct_scene_judge(scene, &error), CT_OK);
  }
  ct_player_destroy(player);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

static void every_scene(void **state) {
  (void)state;
  for (uint32_t i = 0; i < ct_builtin_count(); i++)
    scene_starts_again(ct_builtin_name(i), NULL, i % 2 == 0);
}

/* ---- by hand ---- */

static ct_scene *ringing(void) {
  ct_error error = {0};
  const ct_mode_def modes[] = {{.hz = 440, .t60_s = 2, .mass_kg = 0.1, .v_m_s = 0.5},
                               {.hz = 1210, .t60_s = 1, .mass_kg = 0.1, .v_m_s = 0.3}};
  ct_scene *scene = lab_scene(RATE, 0);
  lab_modal(scene, "bar", modes, 2);
  lab_pickup(scene, "ear", "bar.at", CT_DISPLACEMENT, 1e-3);
  lab_must(ct_scene_keep_start(scene, &error), &error);
  return scene;
}

/* The bar starts at rest of place, so that its start is no click either: what is heard is the fade. */
static void fades_before_it(void **state) {
  (void)state;
  static float heard[48000];
  static double sound[48000];
  ct_error error = {0};
  ct_scene *scene = ringing();
  ct_scene_process(scene, &(ct_io){.frames = 24000, .outputs = (float *[]){heard}});
  lab_must(ct_scene_reset(scene, -1, &error), &error);
  lab_set(scene, "bar.modes.0.v_m_s", 0, 0, 0); /* and of what it starts with nothing is left */
  lab_set(scene, "bar.modes.1.v_m_s", 0, 0, 0);
  ct_scene_process(scene, &(ct_io){.frames = 24000, .outputs = (float *[]){heard + 24000}});
  uint32_t fade = (uint32_t)(0.03 * RATE);
  assert_true(fabs((double)heard[24000 + fade / 4]) > 1e-4);
  for (uint32_t n = 24000 + fade; n < 48000; n++)
    assert_true(heard[n] == 0);
  for (int n = 0; n < 48000; n++)
    sound[n] = (double)heard[n];
  ct_measured_click worst = ct_measure_worst_click(sound, 48000, RATE, NULL, 0);
  printf("worst %.1f dB at %.4f s (a click is %g dB)\n", worst.strength_db, worst.time_s,
         CT_MEASURE_CLICK_DB);
  assert_true(worst.strength_db < CT_MEASURE_CLICK_DB || worst.time_s < 0.01); /* its own start */
  ct_scene_destroy(scene);
}

/* Changes before it are gone, also those of later samples; changes behind it hold. */
static void order_of_changes(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = ringing();
  lab_step(scene, 100);
  lab_set(scene, "bar.modes.0.hz", 500, 0.5, 0);
  lab_set(scene, "bar.modes.0.t60_s", 1, 0, 3000);
  lab_step(scene, 100);
  lab_must(ct_scene_reset(scene, 0.01, &error), &error);
  lab_set(scene, "bar.modes.1.hz", 1300, 0, 0);
  lab_set(scene, "bar.modes.1.t60_s", 3, 0, 2000); /* on the clock, which goes on */
  lab_step(scene, 400);
  assert_true(lab_get(scene, "bar.modes.1.hz") == 1210); /* not yet */
  lab_step(scene, 400);
  assert_true(lab_get(scene, "bar.modes.1.hz") == 1300 && lab_get(scene, "bar.modes.1.t60_s") == 1);
  assert_true(lab_get(scene, "bar.modes.0.hz") == 440);
  lab_step(scene, 993);
  assert_int_equal(ct_scene_sample(scene), 1993);
  assert_true(lab_get(scene, "bar.modes.1.t60_s") == 1);
  lab_step(scene, 16);
  assert_true(lab_get(scene, "bar.modes.1.t60_s") == 3);
  lab_step(scene, 4000);
  assert_true(lab_get(scene, "bar.modes.0.t60_s") == 2);
  ct_ledger l = ct_scene_ledger(scene);
  assert_true(ct_ledger_kept(&l));
  ct_scene_destroy(scene);
}

/* A scene that stopped being finite starts again, too. */
static void after_a_fault(void **state) {
  (void)state;
  static float first[4800], again[4800];
  ct_error error = {0};
  const ct_mode_def mode = {.hz = 440, .t60_s = 2, .mass_kg = 0.1, .v_m_s = 0.5};
  ct_scene *scene = lab_scene(RATE, 0);
  lab_modal(scene, "bar", &mode, 1);
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
  lab_must(ct_scene_keep_start(scene, &error), &error);
  ct_scene_process(scene, &(ct_io){.frames = 4800, .outputs = (float *[]){first}});
  scene->bodies[0].as.modal.v[0] = INFINITY;
  ct_scene_process(scene, &(ct_io){.frames = 4801, .outputs = NULL});
  assert_false(ct_scene_finite(scene));
  uint64_t clock = ct_scene_sample(scene);
  lab_must(ct_scene_reset(scene, -1, &error), &error);
  ct_scene_process(scene, &(ct_io){.frames = 4800, .outputs = (float *[]){again}});
  assert_true(ct_scene_finite(scene));
  assert_int_equal(ct_scene_sample(scene), clock + 4800);
  assert_memory_equal(first, again, sizeof first);
  ct_scene_destroy(scene);
}

static void user_data_and_ids_stay(void **state) {
  (void)state;
  ct_error error = {0};
  int mine = 0;
  ct_scene *scene = ringing();
  ct_id bar = ct_scene_find(scene, "bar");
  lab_must(ct_scene_set_user_data(scene, bar, &mine, &error), &error);
  lab_step(scene, 100);
  lab_must(ct_scene_reset(scene, -1, &error), &error);
  lab_step(scene, 4000);
  assert_ptr_equal(ct_scene_user_data(scene, bar), &mine);
  ct_scene_destroy(scene);
}

static void refusals(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = lab_scene(RATE, 0);
  assert_int_equal(ct_scene_reset(scene, -1, &error), CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "ct_scene_keep_start"));
  lab_step(scene, 1);
  assert_int_equal(ct_scene_keep_start(scene, &error), CT_BAD_SCENE);
  ct_scene_destroy(scene);
  scene = ringing();
  lab_step(scene, 100);
  lab_must(ct_scene_reset(scene, -1, &error), &error);
  ct_hand_def hand = ct_default_hand_def();
  hand.name = "hand";
  assert_int_equal(ct_added(ct_scene_add_hand(scene, &hand, &error), &error), CT_FULL);
  assert_non_null(strstr(error.text, "about to start again"));
  assert_int_equal(ct_scene_remove(scene, "ear", &error), CT_FULL);
  lab_must(ct_scene_reset(scene, -1, &error), &error); /* once is enough */
  lab_step(scene, 2000);
  lab_must(ct_added(ct_scene_add_hand(scene, &hand, &error), &error), &error);
  assert_int_equal(ct_scene_reset(scene, -1, &error), CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "since its start was kept"));
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scene),
      cmocka_unit_test(fades_before_it),
      cmocka_unit_test(order_of_changes),
      cmocka_unit_test(after_a_fault),
      cmocka_unit_test(user_data_and_ids_stay),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
