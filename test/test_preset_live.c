/* ctest: slow timeout=900
 * A preset sent to a scene: before its first sample the scene then has the numbers, and makes the sound, of
 * one built with the preset, unless something was told that only building can do; presets follow one another
 * and lead back; while it sounds nothing clicks. */
#include "support/lab.h"
#include "support/play.h"
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

enum { FRAMES = 4800, TOLD = 64 };

typedef struct told {
  uint32_t count;
  char lines[TOLD][CT_TEXT_MAX];
} told;

static void hear(void *context, const char *line) {
  told *t = context;
  if (t->count < TOLD)
    snprintf(t->lines[t->count], sizeof t->lines[0], "%s", line);
  t->count++;
}

static ct_scene *build(ct_doc *doc) {
  ct_error error = {0};
  ct_scene *scene = NULL;
  ct_build_def def = ct_default_build_def();
  def.keep_start = true;
  lab_must(ct_doc_build(doc, &def, &scene, NULL, NULL, &error), &error);
  return scene;
}

static void send(ct_doc *doc, const char *preset, ct_scene *scene, bool at_start, told *t) {
  ct_error error = {0};
  ct_preset_def def = ct_default_preset_def();
  def.starts = at_start;
  def.warn = hear;
  def.context = t;
  if (at_start)
    def.ramp_s = 0;
  t->count = 0;
  lab_must(ct_doc_send_preset(doc, preset, scene, &def, &error), &error);
  ct_scene_process(scene, &(ct_io){.frames = 0});
}

/* ---- numbers ---- */

/* All that the document with the preset says and that can move; what follows from it is heard. */
static uint32_t wrong_numbers(ct_scene *scene, ct_scene *wanted, ct_doc *applied, const char *what) {
  uint32_t compared = 0, wrong = 0;
  for (uint32_t i = 0; i < ct_doc_leaf_count(applied); i++) {
    ct_leaf leaf = ct_doc_leaf(applied, i);
    ct_handle handle;
    bool moves = leaf.row->rate == CT_RATE_TICK || leaf.row->rate == CT_RATE_AUDIO;
    if (!moves || ct_scene_resolve(scene, leaf.path, &handle, NULL) != CT_OK)
      continue;
    double is = ct_scene_get(scene, handle), right = ct_scene_get(wanted, handle);
    compared++;
    if (is != right && wrong++ < 3)
      printf("%s: %s is %.17g, wanted %.17g\n", what, leaf.path, is, right);
  }
  assert_true(compared > 2);
  return wrong;
}

static bool same_sound(ct_scene *a, ct_scene *b) {
  static float heard[2][2][FRAMES];
  ct_scene *scenes[] = {a, b};
  memset(heard, 0, sizeof heard);
  for (int i = 0; i < 2; i++)
    ct_scene_process(scenes[i], &(ct_io){.frames = FRAMES, .outputs = (float *[]){heard[i][0], heard[i][1]}});
  return memcmp(heard[0], heard[1], sizeof heard[0]) == 0;
}

static void every_preset(void **state) {
  (void)state;
  uint32_t presets = 0, whole = 0, same = 0, wrong = 0;
  static told t;
  for (uint32_t i = 0; i < ct_builtin_count(); i++) {
    const char *name = ct_builtin_name(i);
    char what[128];
    ct_doc *doc = play_open(name, NULL);
    ct_scene *base = build(doc), *one = build(doc);
    for (uint32_t p = 0; p < ct_doc_preset_count(doc); p++, presets++) {
      const char *preset = ct_doc_preset_name(doc, p);
      ct_doc *applied = play_open(name, preset);
      ct_scene *wanted = build(applied), *fresh = build(doc);
      send(doc, preset, one, true, &t); /* where the preset before stood */
      send(doc, preset, fresh, true, &t);
      if (t.count == 0) {
        whole++;
        snprintf(what, sizeof what, "%s, preset %s", name, preset);
        wrong += wrong_numbers(one, wanted, applied, what);
        wrong += wrong_numbers(fresh, wanted, applied, what);
        bool as_built = same_sound(fresh, wanted);
        same += as_built;
        if (!as_built &&
            !ct_doc_drive_count(doc)) /* what rolls or scrapes is put on its surface a second time */
          fail_msg("%s: sounds otherwise than built", what);
      }
      ct_scene_destroy(fresh);
      ct_scene_destroy(wanted);
      ct_doc_destroy(applied);
    }
    send(doc, NULL, one, true, &t);
    wrong += wrong_numbers(one, base, doc, name);
    ct_scene_destroy(one);
    ct_scene_destroy(base);
    ct_doc_destroy(doc);
  }
  printf("%u presets, %u of which can be sent whole; %u of these sound as if built\n", presets, whole, same);
  assert_int_equal(wrong, 0);
  assert_true(whole > presets / 2);
}

/* ---- by hand ---- */

static const char text[] =
    "{\"contatto\": 1, \"bodies\": {\"bar\": {\"modes\": [{\"hz\": 440, \"t60_s\": 2, \"v_m_s\": 0.5}, "
    "{\"hz\": 1200}], "
    "\"points\": {\"hit\": {\"gains\": [1, 0.2]}}}}, "
    "\"pickups\": {\"out\": {\"at\": \"bar.hit\", \"full_scale\": 2}}, "
    "\"controls\": {\"tone\": {\"min\": 0, \"max\": 1, \"value\": 0.5, \"targets\": [{\"path\": "
    "\"bar.modes.1.hz\", "
    "\"from\": 1000, \"to\": 2000}]}, \"blow\": {\"trigger\": true, \"min\": 0, \"max\": 1, \"targets\": "
    "[{\"path\": "
    "\"bar.modes.0.v_m_s\", \"from\": 0, \"to\": 1}]}}, "
    "\"presets\": {\"low\": {\"set\": {\"bar.modes.0.hz\": 220, \"tone\": 0, \"blow\": 1}}, "
    "\"far\": {\"set\": {\"out.full_scale\": 4, \"bar.modes.1.hz\": 5000}}, "
    "\"other\": {\"set\": {\"out.listen\": \"displacement\", \"bar.modes.0.v_m_s\": 1, "
    "\"bar.modes.0.t60_s\": 1}}}}";

static ct_doc *page(void) {
  ct_error error = {0};
  ct_doc *doc = ct_doc_create();
  assert_non_null(doc);
  lab_must(ct_doc_read_json(doc, "page", text, strlen(text), NULL, NULL, &error), &error);
  return doc;
}

static void one_after_the_other(void **state) {
  (void)state;
  static told t;
  ct_doc *doc = page();
  ct_scene *scene = build(doc);
  lab_step(scene, 1000);
  send(doc, "low", scene, false, &t);
  assert_int_equal(t.count, 0);
  double v = lab_get(scene, "bar.modes.0.v_m_s");
  assert_true(lab_get(scene, "bar.modes.0.hz") == 440); /* it takes its time */
  lab_step(scene, 4800);
  assert_true(lab_get(scene, "bar.modes.0.hz") == 220 && lab_get(scene, "bar.modes.1.hz") == 1000);
  assert_true(fabs(v) > 0 && fabs(lab_get(scene, "bar.modes.0.v_m_s")) < 0.5); /* and strikes nobody */
  send(doc, "far", scene, false, &t);
  lab_step(scene, 4800);
  assert_true(lab_get(scene, "bar.modes.0.hz") == 440 && lab_get(scene, "tone") == 0.5);
  assert_true(lab_get(scene, "out.full_scale") == 4);
  assert_true(lab_get(scene, "bar.modes.1.hz") == 1500); /* its control wins */
  send(doc, NULL, scene, false, &t);
  lab_step(scene, 4800);
  assert_true(lab_get(scene, "out.full_scale") == 2);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

static void what_cannot_change_is_told(void **state) {
  (void)state;
  static told t;
  ct_error error = {0};
  ct_doc *doc = page();
  ct_scene *scene = build(doc);
  lab_step(scene, 1000);
  send(doc, "other", scene, false, &t);
  assert_int_equal(t.count, 2);
  assert_string_equal(t.lines[0],
                      "preset 'other': pickups.out.listen cannot change while the scene sounds: build "
                      "it with this preset");
  assert_string_equal(t.lines[1],
                      "preset 'other': bodies.bar.modes.0.v_m_s is where things start: it takes effect "
                      "when the scene is reset or built with this preset");
  lab_step(scene, 4800);
  assert_true(lab_get(scene, "bar.modes.0.t60_s") == 1);
  lab_must(ct_scene_reset(scene, 0, &error), &error); /* from its start, with what can be */
  send(doc, "other", scene, true, &t);
  assert_int_equal(t.count, 1);
  assert_true(lab_get(scene, "bar.modes.0.v_m_s") == 1 && lab_get(scene, "bar.modes.0.t60_s") == 1);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

static void refusals(void **state) {
  (void)state;
  ct_error error = {0};
  ct_doc *doc = page();
  ct_scene *scene = build(doc);
  ct_preset_def def = ct_default_preset_def();
  assert_int_equal(ct_doc_send_preset(doc, "none", scene, &def, &error), CT_BAD_PATH);
  assert_non_null(strstr(error.text, "low, far, other"));
  def.cookie = 0;
  assert_int_equal(ct_doc_send_preset(doc, "low", scene, &def, &error), CT_BAD_ARGUMENT);
  def = ct_default_preset_def();
  ct_handle hz = lab_handle(scene, "bar.modes.0.hz");
  while (ct_scene_set(scene, hz, 440, 0, 0, &error) == CT_OK) {
  }
  assert_int_equal(ct_doc_send_preset(doc, "low", scene, &def, &error), CT_FULL);
  assert_non_null(strstr(error.text, "preset 'low': set: the message queue is full"));
  lab_step(scene, 100);
  assert_true(lab_get(scene, "bar.modes.0.hz") == 440);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

/* Bars that ring while presets change: what is heard is smooth. */
static void no_click(void **state) {
  (void)state;
  static float heard[48000];
  static double sound[48000];
  static told t;
  ct_doc *doc = page();
  ct_scene *scene = build(doc);
  const char *order[] = {"low", "far", NULL, "low", NULL};
  for (uint32_t at = 0, i = 0; at < 48000; at += 8000, i++) {
    ct_scene_process(scene, &(ct_io){.frames = 8000, .outputs = (float *[]){heard + at}});
    if (i < 5)
      send(doc, order[i], scene, false, &t);
  }
  for (int n = 0; n < 48000; n++)
    sound[n] = (double)heard[n];
  ct_measured_click worst = ct_measure_worst_click(sound + 480, 48000 - 480, 48000, NULL, 0);
  printf("worst %.1f dB at %.4f s (a click is %g dB)\n", worst.strength_db, worst.time_s,
         CT_MEASURE_CLICK_DB);
  assert_true(worst.strength_db < CT_MEASURE_CLICK_DB);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_preset),
      cmocka_unit_test(one_after_the_other),
      cmocka_unit_test(what_cannot_change_is_told),
      cmocka_unit_test(refusals),
      cmocka_unit_test(no_click),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
