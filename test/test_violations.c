/* ctest: slow
 * Scenes that once gained energy or lost their account, and twenty variations of each of the first five: no
 * gain above 1e-9 of what was put in, an account within its allowance. */
#include "file/load.h"
#include "support/draw.h"
#include "support/judge.h"
#include "support/live.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* Cut down from random scenes; test_storms --replay runs one by itself. */
static const char *const found[] = {"account-contact-time",
                                    "account-gap",
                                    "account-pressed",
                                    "bristle-ramp",
                                    "drive-mass-tiny",
                                    "kinetic-material",
                                    "kinetic-place",
                                    "log-from-denormal",
                                    "residual-force",
                                    "rim-knock",
                                    "roll-fractal",
                                    "roll-lean",
                                    "solver-leap",
                                    "solver-leap-2",
                                    "solver-inf",
                                    "residual-slow",
                                    "residual-rigid",
                                    "string-struck-at-start",
                                    "string-carried",
                                    "drive-mass-huge",
                                    "drive-mass-jump",
                                    "follow-tiny",
                                    "string-many-ends",
                                    "string-touching-itself",
                                    "friction-side-by-side",
                                    "friction-lambda",
                                    "friction-light",
                                    "string-led-at-start",
                                    "string-high-hz",
                                    "string-hz",
                                    "string-t60",
                                    "string-inharmonicity",
                                    "string-t60-control",
                                    "t60-tiny",
                                    "carried-by-a-wall",
                                    "carried-round-a-glass",
                                    "held-by-friction",
                                    "held-by-two",
                                    "damped-hard",
                                    "loud",
                                    "follow-far",
                                    "string-many-cells"};

static void judge_it(const trial *t, const char *name) {
  judge j = judge_trial(t);
  if (j.complaint != JUDGE_FINE)
    fail_msg("%s: %s at sample %llu: %s", name, judge_word(j.complaint), (unsigned long long)j.sample,
             j.text);
}

static void found_by_chance(void **state) {
  (void)state;
  trial t = {0};
  ct_error error;
  for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
    char base[512];
    snprintf(base, sizeof base, "%s/storms/%s", CT_TEST_DATA, found[i]);
    if (!trial_read(&t, base, &error))
      fail_msg("%s", error.text);
    judge_it(&t, found[i]);
  }
  trial_clear(&t);
}

/* ---- variations ---- */

enum { VARIATIONS = 20 };

/* Numbers that say what a thing is like; not how many there are of something, or when. */
static bool varies(const trial_leaf *leaf, const ct_schema_row *row) {
  return !leaf->text[0] && row->type == CT_TYPE_NUMBER && leaf->number != 0 &&
         strncmp(leaf->path, "gesture", 7) != 0 && strncmp(leaf->path, "controls", 8) != 0 &&
         strncmp(leaf->path, "presets", 7) != 0 && strcmp(leaf->path, "seconds") != 0;
}

static const ct_schema_row *row_of(const char *path) {
  for (uint32_t i = 0; i < ct_schema_count(); i++)
    if (live_matches(ct_schema_row_at(i)->path, path))
      return ct_schema_row_at(i);
  return NULL;
}

/* Every such number by a factor of up to two and a half, either way. */
static void vary(trial *t, ct_random *r) {
  for (uint32_t i = 0; i < t->leaf_count; i++) {
    trial_leaf *leaf = &t->leaves[i];
    const ct_schema_row *row = row_of(leaf->path);
    if (!row || !varies(leaf, row))
      continue;
    double number = leaf->number * pow(10, draw_between(r, -0.4, 0.4));
    leaf->number = fmin(fmax(number, row->min), row->max);
  }
}

static void read_scene(trial *t, const char *scene) {
  ct_doc *doc = NULL;
  ct_error error;
  if (ct_doc_load(scene, &doc, &error) != CT_OK)
    fail_msg("%s", error.text);
  trial_clear(t);
  trial_take_doc(t, doc);
  t->seed = 1;
  t->rate_hz = 44100;
  t->block_frames = 16;
  t->frames = (uint32_t)(t->rate_hz * fmin(ct_doc_seconds(doc), 1));
  ct_doc_destroy(doc);
}

static void first_five(void **state) {
  (void)state;
  static const char *const names[] = {"roll", "knock", "rough", "stop"};
  trial as_found = {0}, t = {0};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char scene[512], name[64];
    snprintf(scene, sizeof scene, "%s/violations/%s.json", CT_TEST_DATA, names[i]);
    read_scene(&as_found, scene);
    judge_it(&as_found, names[i]);
    ct_random r = draw_begin(i, 6);
    for (int n = 1, refused = 0; n <= VARIATIONS; n++) {
      trial_copy(&t, &as_found);
      vary(&t, &r);
      t.rate_hz = draw_log(&r, 16000, 96000);
      judge j = judge_trial(&t);
      if (j.complaint == JUDGE_REFUSED && ++refused < 100) {
        n--;
        continue;
      }
      snprintf(name, sizeof name, "%s, variation %d", names[i], n);
      judge_it(&t, name);
    }
  }
  trial_clear(&as_found);
  trial_clear(&t);
}

static void drop_gesture(trial *t) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->leaf_count; i++)
    if (strncmp(t->leaves[i].path, "gesture", 7) != 0 && strncmp(t->leaves[i].path, "presets", 7) != 0)
      t->leaves[kept++] = t->leaves[i];
  t->leaf_count = kept;
}

/* One strike of `hammer`, then a knob of the bar swings. The first is the one that was found. */
static void swung_hammer(void **state) {
  (void)state;
  static const char *const knobs[] = {"material", "size", "mass", "hardness"};
  static const double ends[][2] = {{0, 7}, {0.25, 4}, {0.002, 0.2}, {0, 1}};
  trial t = {0};
  ct_random r = draw_begin(0, 7);
  for (int n = 0; n <= VARIATIONS; n++) {
    read_scene(&t, "hammer");
    drop_gesture(&t);
    uint32_t k = n ? draw_below(&r, 4) : 0;
    double every_s = n ? draw_log(&r, 0.001, 0.05) : 0.002;
    double low = n ? draw_between(&r, ends[k][0], ends[k][1]) : 7,
           high = n ? draw_between(&r, ends[k][0], ends[k][1]) : 0;
    uint32_t strike = trial_knob_of(&t, "strike_speed"), knob = trial_knob_of(&t, knobs[k]);
    trial_add_event(&t, (trial_event){.knob = strike, .value = n ? draw_between(&r, 0.1, 5) : 2});
    for (uint32_t jump = 0; jump * every_s < 1; jump++)
      trial_add_event(&t, (trial_event){.sample = (uint32_t)(jump * every_s * t.rate_hz),
                                        .knob = knob,
                                        .value = jump % 2 ? high : low});
    trial_sort_events(&t);
    char name[64];
    snprintf(name, sizeof name, "hammer, %s, variation %d", knobs[k], n);
    judge_it(&t, name);
  }
  trial_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(found_by_chance), cmocka_unit_test(first_five),
                                     cmocka_unit_test(swung_hammer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
