/* A scene on paper: what is set is what is kept, what is wrong is refused in one clear line and changes
 * nothing, and what is built is what was written. */
#include "base/text.h"
#include "support/lab.h"
#include <contatto/doc.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka compares floats as single precision only. */
#define assert_near(got, wanted, room)                                                                       \
  do {                                                                                                       \
    double got_ = (got), wanted_ = (wanted);                                                                 \
    if (!(fabs(got_ - wanted_) <= (room)))                                                                   \
      fail_msg("%.17g instead of %.17g", got_, wanted_);                                                     \
  } while (0)

static void set_text(ct_doc *doc, const char *path, const char *text) {
  ct_error error = {0};
  if (ct_doc_set_text(doc, path, text, &error) != CT_OK)
    fail_msg("%s", error.text);
}

static void set_number(ct_doc *doc, const char *path, double number) {
  ct_error error = {0};
  if (ct_doc_set_number(doc, path, number, &error) != CT_OK)
    fail_msg("%s", error.text);
}

/* A ball over a bar with two modes, a pickup, a control and two presets. */
static ct_doc *page(void) {
  ct_doc *doc = ct_doc_create();
  set_number(doc, "contatto", 1);
  set_text(doc, "title", "Ball and bar");
  set_number(doc, "seconds", 2);
  set_number(doc, "bodies.ball.modes[0].hz", 0);
  set_number(doc, "bodies.ball.modes[0].t60_s", 0);
  set_number(doc, "bodies.ball.modes[0].mass_kg", 0.1);
  set_number(doc, "bodies.ball.points.bottom.gains[0]", 1);
  set_number(doc, "bodies.bar.modes[0].hz", 300);
  set_number(doc, "bodies.bar.modes[1].hz", 800);
  set_number(doc, "bodies.bar.points.top.gains[0]", 1);
  set_number(doc, "bodies.bar.points.top.gains[1]", -1);
  set_text(doc, "contacts.hit.a", "ball.bottom");
  set_text(doc, "contacts.hit.b", "bar.top");
  set_text(doc, "contacts.hit.from", "above");
  set_number(doc, "contacts.hit.gap_m", 0.01);
  set_text(doc, "pickups.ear.at", "bar.top");
  set_text(doc, "controls.hardness.targets[0].path", "hit.stiffness");
  set_number(doc, "controls.hardness.targets[0].from", 1e4);
  set_number(doc, "controls.hardness.targets[0].to", 1e8);
  set_text(doc, "controls.hardness.targets[0].scale", "log");
  set_number(doc, "presets.soft.set.hardness", 0);
  set_text(doc, "presets.low.title", "Low bar");
  set_number(doc,
             "presets\x1f"
             "low\x1fset\x1f"
             "bar.modes.0.hz",
             100);
  return doc;
}

static ct_result try_build(ct_doc *doc, ct_scene **scene, ct_error *error) {
  ct_build_def def = ct_default_build_def();
  return ct_doc_build(doc, &def, scene, NULL, NULL, error);
}

static ct_scene *build(ct_doc *doc) {
  ct_error error = {0};
  ct_scene *scene = NULL;
  if (try_build(doc, &scene, &error) != CT_OK)
    fail_msg("%s", error.text);
  return scene;
}

static ct_leaf find_leaf(const ct_doc *doc, const char *path) {
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++)
    if (strcmp(ct_doc_leaf(doc, i).path, path) == 0)
      return ct_doc_leaf(doc, i);
  fail_msg("no leaf %s", path);
  return (ct_leaf){0};
}

/* ---- setting ---- */

static void paths_that_mean_the_same(void **state) {
  (void)state;
  static const char *const ways[] = {"bodies.bar.modes[1].hz", "bodies.bar.modes.1.hz",
                                     "bar.modes.1.hz",         "bar.modes[1].hz",
                                     "bar.modes.hz[1]",        "bodies.bar.modes.hz.1"};
  ct_doc *doc = page();
  uint32_t leaves = ct_doc_leaf_count(doc);
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    set_number(doc, ways[i], 500 + (double)i);
    assert_int_equal(ct_doc_leaf_count(doc), leaves); /* replaced, not added */
    assert_near(find_leaf(doc, "bodies.bar.modes.1.hz").number, 500 + (double)i, 0);
    ct_scene *scene = build(doc);
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
      assert_near(lab_get(scene, ways[k]), 500 + (double)i, 0);
    ct_scene_destroy(scene);
  }
  set_number(doc, "bar.top.force_n", 1);
  assert_near(find_leaf(doc, "bodies.bar.points.top.force_n").number, 1, 0);
  set_number(doc, "hardness", 0.75);
  assert_near(find_leaf(doc, "controls.hardness.value").number, 0.75, 0);
  ct_doc_destroy(doc);
}

static void leaves_read_back_in_order(void **state) {
  (void)state;
  ct_doc *doc = page();
  set_number(doc, "seconds", 9);
  set_text(doc, "title", "Other");
  assert_string_equal(ct_doc_leaf(doc, 0).path, "contatto");
  assert_string_equal(ct_doc_leaf(doc, 1).path, "title");
  assert_string_equal(ct_doc_leaf(doc, 1).text, "Other");
  assert_string_equal(ct_doc_leaf(doc, 2).path, "seconds");
  assert_near(ct_doc_leaf(doc, 2).number, 9, 0);
  assert_null(ct_doc_leaf(doc, 2).text);
  ct_leaf side = find_leaf(doc, "contacts.hit.from");
  assert_string_equal(side.text, "above");
  assert_near(side.number, 1, 0);
  find_leaf(doc, "presets\x1f"
                 "low\x1fset\x1f"
                 "bar.modes.0.hz");
  assert_string_equal(ct_doc_title(doc), "Other");
  assert_string_equal(ct_doc_about(doc), "");
  assert_near(ct_doc_seconds(doc), 9, 0);
  ct_doc_destroy(doc);
}

/* Copying every leaf into a new document, backwards, builds the same scene. */
static void order_does_not_matter(void **state) {
  (void)state;
  ct_doc *doc = page(), *copy = ct_doc_create();
  for (uint32_t i = ct_doc_leaf_count(doc); i-- > 0;) {
    ct_leaf leaf = ct_doc_leaf(doc, i);
    if (leaf.text)
      set_text(copy, leaf.path, leaf.text);
    else
      set_number(copy, leaf.path, leaf.number);
  }
  assert_int_equal(ct_doc_leaf_count(copy), ct_doc_leaf_count(doc));
  ct_scene *a = build(doc), *b = build(copy);
  lab_set(a, "ball.modes.0.v_m_s", -1, 0, 0);
  lab_set(b, "ball.modes.0.v_m_s", -1, 0, 0);
  static double first[4000], second[4000];
  lab_record(a, "bar.top.v_m_s", first, 4000);
  lab_record(b, "bar.top.v_m_s", second, 4000);
  assert_memory_equal(first, second, sizeof first);
  assert_true(fabs(first[3000]) > 1e-6); /* it was struck */
  ct_scene_destroy(a);
  ct_scene_destroy(b);
  ct_doc_destroy(doc);
  ct_doc_destroy(copy);
}

static void what_people_see(void **state) {
  (void)state;
  ct_doc *doc = page();
  assert_int_equal(ct_doc_body_count(doc), 2);
  assert_string_equal(ct_doc_body_name(doc, 0), "ball");
  assert_int_equal(ct_doc_point_count(doc, 1), 1);
  assert_string_equal(ct_doc_point_name(doc, 1, 0), "top");
  assert_int_equal(ct_doc_contact_count(doc), 1);
  assert_string_equal(ct_doc_contact_name(doc, 0), "hit");
  assert_int_equal(ct_doc_control_count(doc), 1);
  ct_control_info control = ct_doc_control(doc, 0);
  assert_string_equal(control.name, "hardness");
  assert_string_equal(control.unit, "");
  assert_near(control.value, 0.5, 0);
  assert_int_equal(control.target_count, 1);
  assert_int_equal(ct_doc_preset_count(doc), 2);
  assert_string_equal(ct_doc_preset_name(doc, 1), "low");
  assert_string_equal(ct_doc_preset_about(doc, 0), "");
  assert_string_equal(ct_doc_preset_title(doc, 0), "");
  assert_string_equal(ct_doc_preset_title(doc, 1), "Low bar");
  set_text(doc, "bodies.wall.kind", "wall");
  assert_int_equal(ct_doc_point_count(doc, 2), 1);
  assert_string_equal(ct_doc_point_name(doc, 2, 0), "at");
  ct_doc_destroy(doc);
}

/* Everything a document shows, as one text. */
static char *spell_out(const ct_doc *doc) {
  size_t room = 1 << 16, used = 0;
  char *text = malloc(room);
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++) {
    ct_leaf leaf = ct_doc_leaf(doc, i);
    used += ct_format(text + used, room - used, "%s = %g %s\n", leaf.path, leaf.number,
                      leaf.text ? leaf.text : "");
  }
  used += ct_format(text + used, room - used, "%u bodies %u contacts %u controls %u presets",
                    ct_doc_body_count(doc), ct_doc_contact_count(doc), ct_doc_control_count(doc),
                    ct_doc_preset_count(doc));
  for (uint32_t i = 0; i < ct_doc_body_count(doc); i++)
    used += ct_format(text + used, room - used, " %u points", ct_doc_point_count(doc, i));
  assert_true(used < room);
  return text;
}

static void bad_leaves_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *path, *text; /* null text: the number */
    double number;
    ct_result result;
    const char *says[3];
  } cases[] = {
      {"baar.modes.0.hz", NULL, 1, CT_BAD_PATH, {"baar", "did you mean 'bar'"}},
      {"hardnes", NULL, 0.5, CT_BAD_PATH, {"did you mean 'hardness'"}},
      {"xylophone.modes.0.hz", NULL, 1, CT_BAD_PATH, {"no body", "xylophone"}},
      {"bar.modes.0.hertz", NULL, 1, CT_BAD_PATH, {"bar.modes.0.hertz", "no such parameter"}},
      {"", NULL, 1, CT_BAD_PATH, {"not a path"}},
      {"...", NULL, 1, CT_BAD_PATH, {"not a path"}},
      {"bar", NULL, 1, CT_BAD_PATH, {"bar"}},
      {"bar.modes.-1.hz", NULL, 1, CT_BAD_PATH, {"bar.modes.-1.hz"}},
      {"bar.modes.70000.hz", NULL, 1, CT_BAD_PATH, {"bar.modes.70000.hz"}},
      {"bar.top.x_m", NULL, 1, CT_BAD_PATH, {"read only"}},
      {"energy.stored_j", NULL, 1, CT_BAD_PATH, {"read only"}},
      {"bar.modes.0.hz", NULL, -1, CT_BAD_VALUE, {"bar.modes.0.hz", "-1 Hz", "0 to 200000 Hz"}},
      {"bar.modes.0.hz", NULL, NAN, CT_BAD_VALUE, {"bar.modes.0.hz", "not a finite number"}},
      {"bar.modes.0.hz", NULL, INFINITY, CT_BAD_VALUE, {"not a finite number"}},
      {"bar.modes.0.mass_kg", NULL, 0, CT_BAD_VALUE, {"bar.modes.0.mass_kg", "0 kg", "1e-12"}},
      {"bar.modes.0.mass_kg", NULL, -2, CT_BAD_VALUE, {"-2 kg"}},
      {"bar.modes.0.hz", "low", 0, CT_BAD_VALUE, {"'low' is not a number", "Hz"}},
      {"title", NULL, 3, CT_BAD_VALUE, {"title", "wants text"}},
      {"bar.kind", "jelly", 0, CT_BAD_VALUE, {"'jelly'", "modal|hand|wall"}},
      {"bar.kind", NULL, 1, CT_BAD_VALUE, {"modal|hand|wall"}},
      {"hit.substeps", NULL, 1.5, CT_BAD_VALUE, {"hit.substeps", "whole number"}},
      {"hit.exponent", NULL, 0.999, CT_BAD_VALUE, {"hit.exponent", "0.999", "1 to 5"}},
      {"contatto", NULL, 2, CT_BAD_VALUE, {"contatto", "2"}},
      {"channels", NULL, 65, CT_BAD_VALUE, {"channels", "1 to 64"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ct_doc *doc = page();
    char *before = spell_out(doc);
    ct_error error = {0};
    ct_result result = cases[i].text ? ct_doc_set_text(doc, cases[i].path, cases[i].text, &error)
                                     : ct_doc_set_number(doc, cases[i].path, cases[i].number, &error);
    char *after = spell_out(doc);
    if (result != cases[i].result || error.code != result)
      fail_msg("%s: %s: '%s'", cases[i].path, ct_result_text(result), error.text);
    for (int k = 0; k < 3 && cases[i].says[k]; k++)
      if (!strstr(error.text, cases[i].says[k]))
        fail_msg("%s: '%s' does not say '%s'", cases[i].path, error.text, cases[i].says[k]);
    assert_null(strchr(error.text, '\n'));
    assert_string_equal(before, after);
    free(before);
    free(after);
    ct_doc_destroy(doc);
  }
}

static void typed_leaves(void **state) {
  (void)state;
  ct_doc *doc = page();
  ct_error error = {0};
  assert_int_equal(ct_doc_set_typed(doc, "bar.modes.0.hz", "529", &error), CT_OK);
  assert_near(find_leaf(doc, "bodies.bar.modes.0.hz").number, 529, 0);
  assert_int_equal(ct_doc_set_typed(doc, "bar.modes.0.hz", "1e3", &error), CT_OK);
  assert_int_equal(ct_doc_set_typed(doc, "hit.from", "below", &error), CT_OK);
  assert_int_equal(ct_doc_set_typed(doc, "title", "3", &error), CT_OK);
  assert_string_equal(ct_doc_title(doc), "3");
  assert_int_equal(ct_doc_set_typed(doc, "controls.hardness.trigger", "true", &error), CT_OK);
  assert_near(find_leaf(doc, "controls.hardness.trigger").number, 1, 0);
  assert_int_equal(ct_doc_set_typed(doc, "controls.hardness.trigger", "false", &error), CT_OK);
  char *before = spell_out(doc);
  static const char *const bad[][2] = {{"bar.modes.0.hz", "529 Hz"}, {"bar.modes.0.hz", ""},
                                       {"bar.modes.0.hz", "nan"},    {"bar.modes.9.hz", "100"},
                                       {"bodies.baar.kind", "hand"}, {"bar.side.force_n", "1"},
                                       {"controls.loud.value", "1"}, {"hit.from", "left"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    if (ct_doc_set_typed(doc, bad[i][0], bad[i][1], &error) == CT_OK)
      fail_msg("%s = '%s' was taken", bad[i][0], bad[i][1]);
  char *after = spell_out(doc);
  assert_string_equal(before, after);
  free(before);
  free(after);
  ct_doc_destroy(doc);
}

static void null_pointers(void **state) {
  (void)state;
  ct_doc *doc = page();
  ct_scene *scene = NULL;
  ct_build_def def = ct_default_build_def(), raw = {0};
  assert_int_equal(ct_doc_set_number(NULL, "seconds", 1, NULL), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_set_number(doc, NULL, 1, NULL), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_set_text(doc, "title", NULL, NULL), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_set_typed(doc, NULL, "1", NULL), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_apply_preset(doc, NULL, NULL), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_gesture(doc, NULL, NULL), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_build(doc, &raw, &scene, NULL, NULL, NULL), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_build(doc, &def, NULL, NULL, NULL, NULL), CT_BAD_ARGUMENT);
  assert_null(scene);
  ct_doc_destroy(NULL);
  ct_doc_destroy(doc);
}

/* ---- presets and gestures ---- */

static void presets_apply(void **state) {
  (void)state;
  ct_doc *doc = page();
  ct_error error = {0};
  ct_scene *scene = build(doc);
  assert_near(lab_get(scene, "hit.stiffness"), 1e6, 1e-3);
  ct_scene_destroy(scene);
  assert_int_equal(ct_doc_apply_preset(doc, "soft", &error), CT_OK);
  assert_int_equal(ct_doc_apply_preset(doc, "low", &error), CT_OK);
  scene = build(doc);
  assert_near(lab_get(scene, "hit.stiffness"), 1e4, 1e-6);
  assert_near(lab_get(scene, "bar.modes.0.hz"), 100, 0);
  ct_scene_destroy(scene);
  assert_int_equal(ct_doc_apply_preset(doc, "sofd", &error), CT_BAD_PATH);
  assert_non_null(strstr(error.text, "soft, low"));
  ct_doc_destroy(doc);
}

/* Where a path wants words a preset gives words, and words for a number are refused with the path. */
static void presets_give_words(void **state) {
  (void)state;
  ct_doc *doc = page();
  ct_error error = {0};
  set_text(doc, "presets\x1funder\x1fset\x1fhit.from", "below");
  set_text(doc,
           "presets\x1fwrong\x1fset\x1f"
           "bar.modes.0.hz",
           "high");
  assert_int_equal(ct_doc_apply_preset(doc, "wrong", &error), CT_BAD_VALUE);
  assert_non_null(strstr(error.text, "preset 'wrong': bar.modes.0.hz: 'high' is not a number"));
  assert_int_equal(ct_doc_apply_preset(doc, "under", &error), CT_OK);
  ct_leaf leaf = find_leaf(doc, "contacts.hit.from");
  assert_string_equal(leaf.text, "below");
  ct_doc_destroy(doc);
}

/* A preset whose second line is wrong leaves the first undone as well. */
static void a_bad_preset_changes_nothing(void **state) {
  (void)state;
  ct_doc *doc = page();
  ct_error error = {0};
  set_number(doc, "presets.wrong.set.hardness", 0.1);
  set_number(doc, "presets.wrong.set.softness", 0.1);
  char *before = spell_out(doc);
  assert_int_equal(ct_doc_apply_preset(doc, "wrong", &error), CT_BAD_PATH);
  assert_non_null(strstr(error.text, "preset 'wrong'"));
  assert_non_null(strstr(error.text, "softness"));
  char *after = spell_out(doc);
  assert_string_equal(before, after);
  free(before);
  free(after);
  ct_doc_destroy(doc);
}

static void gestures_are_checked(void **state) {
  (void)state;
  ct_doc *doc = page();
  ct_error error = {0};
  ct_gesture gesture;
  assert_int_equal(ct_doc_gesture(doc, &gesture, &error), CT_OK);
  assert_int_equal(gesture.rows, 0);
  set_number(doc, "gesture.hardness[0]", 0.1);
  assert_int_equal(ct_doc_gesture(doc, &gesture, &error), CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "time_s"));
  set_number(doc, "gesture.time_s[0]", 0);
  set_number(doc, "gesture.time_s[1]", 1);
  assert_int_equal(ct_doc_gesture(doc, &gesture, &error), CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "gesture.hardness: 1 values for 2 times"));
  set_number(doc, "gesture.hardness[1]", 0.9);
  assert_int_equal(ct_doc_gesture(doc, &gesture, &error), CT_OK);
  assert_true(gesture.rows == 2 && gesture.columns == 1);
  assert_string_equal(gesture.paths[0], "hardness");
  assert_near(gesture.values[0][1], 0.9, 0);
  set_number(doc, "gesture.time_s[1]", 0);
  assert_int_equal(ct_doc_gesture(doc, &gesture, &error), CT_BAD_VALUE);
  set_number(doc, "gesture.time_s[1]", 2);
  set_number(doc, "gesture.time_s[3]", 3);
  assert_int_equal(ct_doc_gesture(doc, &gesture, &error), CT_BAD_VALUE);
  assert_non_null(strstr(error.text, "gesture.time_s.2"));
  set_number(doc, "presets.soft.gesture.time_s[0]", 0.5);
  set_number(doc, "presets.soft.gesture.hardness[0]", 0.25);
  assert_int_equal(ct_doc_apply_preset(doc, "soft", &error), CT_OK);
  assert_int_equal(ct_doc_gesture(doc, &gesture, &error), CT_OK); /* the preset's own */
  assert_true(gesture.rows == 1 && gesture.values[0][0] == 0.25);
  ct_doc_destroy(doc);
}

/* ---- building ---- */

static void pieces_that_do_not_fit(void **state) {
  (void)state;
  static const struct {
    const char *path, *text;
    double number;
    ct_result result;
    const char *says[2];
  } cases[] = {
      {"bodies.bar.modes[3].hz", NULL, 1000, CT_BAD_SCENE, {"bar", "mode 2"}},
      {"bodies.bar.points.top.gains[2]", NULL, 1, CT_BAD_SCENE, {"bar.top", "3 gains for 2 modes"}},
      {"bodies.bar.points.side.gains[1]", NULL, 1, CT_BAD_SCENE, {"bar.side.gains.0", "missing"}},
      {"bodies.bar.points.side.gains[0]", NULL, 1, CT_BAD_SCENE, {"bar.side", "1 gains for 2 modes"}},
      {"contacts.hit.b", "baar.top", 0, CT_BAD_PATH, {"hit", "baar"}},
      {"contacts.hit.b", "bar.bottom", 0, CT_BAD_PATH, {"hit", "bottom"}},
      {"contacts.hit.b", "bar", 0, CT_BAD_PATH, {"hit", "body.point"}},
      {"contacts.more.a", "ball.bottom", 0, CT_BAD_PATH, {"more", "not a place"}},
      {"contacts.bar.a", "ball.bottom", 0, CT_BAD_SCENE, {"bar", "of that name already"}},
      {"controls.hit.min", NULL, 0, CT_BAD_SCENE, {"hit", "of that name already"}},
      {"controls.hardness.targets[1].path", "hit.softness", 0, CT_BAD_PATH, {"hardness", "hit.softness"}},
      {"controls.hardness.targets[1].path", "nobody.force_n", 0, CT_BAD_PATH, {"hardness", "nobody"}},
      {"controls.hardness.targets[1].path", "hit.force_n", 0, CT_BAD_PATH, {"hardness", "hit.force_n"}},
      {"controls.hardness.targets[1].path", "hardness", 0, CT_BAD_PATH, {"hardness"}},
      {"controls.hardness.targets[0].from", NULL, -5, CT_BAD_VALUE, {"hardness", "from and to > 0"}},
      {"controls.hardness.targets[0].to", NULL, 1e17, CT_BAD_VALUE, {"hit.stiffness"}},
      {"controls.hardness.value", NULL, 7, CT_BAD_VALUE, {"hardness", "0 to 1"}},
      {"controls.hardness.max", NULL, -1, CT_BAD_VALUE, {"hardness", "range"}},
      {"pickups.ear.at", "nobody.top", 0, CT_BAD_PATH, {"ear", "nobody"}},
      {"pickups.ear.listen", "force", 0, CT_BAD_SCENE, {"ear", "name a contact"}},
      {"bodies.empty.about", "nothing", 0, CT_BAD_SCENE, {"empty", "no modes"}},
      {"bodies.7.modes[0].hz", NULL, 1, CT_BAD_VALUE, {"7", "name"}},
      {"bodies.gesture.modes[0].hz", NULL, 1, CT_BAD_VALUE, {"gesture", "name"}},
      {"bodies.a b.modes[0].hz", NULL, 1, CT_BAD_VALUE, {"a b", "name"}},
      {"bodies.bar.points.modes.force_n", NULL, 1, CT_BAD_VALUE, {"modes", "point"}},
      {"bodies.bar.kind", "hand", 0, CT_BAD_SCENE, {"bar", "hand"}},
      {"contacts.hit.substeps", NULL, 3, CT_BAD_VALUE, {"hit.substeps", "power of two"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ct_doc *doc = page();
    ct_error error = {0};
    ct_scene *scene = NULL;
    if (cases[i].text)
      set_text(doc, cases[i].path, cases[i].text);
    else
      set_number(doc, cases[i].path, cases[i].number);
    ct_result result = try_build(doc, &scene, &error);
    if (result != cases[i].result || scene)
      fail_msg("%s: %s: '%s'", cases[i].path, ct_result_text(result), error.text);
    for (int k = 0; k < 2 && cases[i].says[k]; k++)
      if (!strstr(error.text, cases[i].says[k]))
        fail_msg("%s: '%s' does not say '%s'", cases[i].path, error.text, cases[i].says[k]);
    assert_null(strchr(error.text, '\n'));
    ct_doc_destroy(doc);
  }
}

static void keep_line(void *context, const char *line) { ct_format(context, CT_TEXT_MAX, "%s", line); }

static void modes_above_nyquist_are_told(void **state) {
  (void)state;
  ct_doc *doc = page();
  ct_error error = {0};
  ct_scene *scene = NULL;
  char told[CT_TEXT_MAX] = "";
  ct_build_def def = ct_default_build_def();
  set_number(doc, "bar.modes.1.hz", 24000);
  assert_int_equal(ct_doc_build(doc, &def, &scene, keep_line, told, &error), CT_OK);
  assert_non_null(strstr(told, "bar.modes.1: 24000 Hz"));
  assert_int_equal(ct_scene_counters(scene).dropped_modes, 1);
  ct_scene_destroy(scene);
  *told = 0;
  set_number(doc, "bar.modes.1.hz", 23999);
  assert_int_equal(ct_doc_build(doc, &def, &scene, keep_line, told, &error), CT_OK);
  assert_string_equal(told, "");
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

/* lambda = mu k is another way to say mu, and only one may be said. */
static void lambda_is_damping(void **state) {
  (void)state;
  ct_doc *doc = page();
  ct_error error = {0};
  ct_scene *scene = NULL;
  set_number(doc, "contacts.hit.stiffness", 2e6);
  set_number(doc, "contacts.hit.lambda", 3e6);
  scene = build(doc);
  assert_near(lab_get(scene, "hit.damping_s_m"), 1.5, 1e-15);
  ct_scene_destroy(scene);
  scene = NULL;
  set_number(doc, "contacts.hit.damping_s_m", 1);
  assert_int_equal(try_build(doc, &scene, &error), CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "lambda"));
  ct_doc_destroy(doc);
}

/* A control's value is where its targets stand from the first sample on; a hand it presses is pressed. */
static void controls_stand_where_they_say(void **state) {
  (void)state;
  ct_doc *doc = page();
  set_text(doc, "bodies.hand.kind", "hand");
  set_text(doc, "contacts.press.a", "hand.at");
  set_text(doc, "contacts.press.b", "bar.top");
  set_number(doc, "contacts.press.gap_m", 0.001);
  set_text(doc, "controls.depth.targets[0].path", "hand.x_m");
  set_number(doc, "controls.depth.targets[0].from", 0);
  set_number(doc, "controls.depth.targets[0].to", 0.01);
  set_number(doc, "controls.depth.value", 0.15);
  ct_scene *scene = build(doc);
  assert_near(lab_get(scene, "hand.x_m"), 0.0015, 1e-15);
  assert_near(lab_get(scene, "hand.at.x_m"), 0.0015, 1e-15);
  assert_near(lab_get(scene, "press.compression_m"), 0.0005, 1e-12);
  lab_step(scene, 1);
  assert_true(lab_get(scene, "press.force_n") > 0);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(paths_that_mean_the_same),
                                     cmocka_unit_test(leaves_read_back_in_order),
                                     cmocka_unit_test(order_does_not_matter),
                                     cmocka_unit_test(what_people_see),
                                     cmocka_unit_test(bad_leaves_are_refused),
                                     cmocka_unit_test(typed_leaves),
                                     cmocka_unit_test(null_pointers),
                                     cmocka_unit_test(presets_apply),
                                     cmocka_unit_test(presets_give_words),
                                     cmocka_unit_test(a_bad_preset_changes_nothing),
                                     cmocka_unit_test(gestures_are_checked),
                                     cmocka_unit_test(pieces_that_do_not_fit),
                                     cmocka_unit_test(modes_above_nyquist_are_told),
                                     cmocka_unit_test(lambda_is_damping),
                                     cmocka_unit_test(controls_stand_where_they_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
