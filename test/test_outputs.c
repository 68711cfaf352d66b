/* Buses: a pickup goes to any one of up to 64 outputs, as it is, or is panned over the first two. What an
 * output plays is, to the bit, what a mono scene with that pickup plays; block size, account and sleep know
 * nothing of it. */
#include "support/lab.h"
#include <contatto/doc.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { OUTPUTS = CT_OUTPUTS_MOST, FRAMES = 4800, ALL = -1 };

typedef struct sound {
  float heard[OUTPUTS][FRAMES];
  double raw[OUTPUTS][FRAMES];
  double level[OUTPUTS];
  uint64_t group_steps;
} sound;

static void add_ear(ct_scene *scene, uint32_t k, const char *at, uint32_t output, double pan) {
  char name[CT_NAME_MAX];
  snprintf(name, sizeof name, "ear%u", k);
  ct_pickup_def def = ct_default_pickup_def();
  ct_error error = {0};
  def.name = name;
  def.at = at;
  def.listen = k % 3 ? CT_VELOCITY : k % 2 ? CT_ACCELERATION : CT_DISPLACEMENT;
  def.full_scale = pow(10, -(double)(k % 5));
  def.output = output;
  def.pan = pan;
  lab_must(ct_added(ct_scene_add_pickup(scene, &def, &error), &error), &error);
}

/* Eight bars that ring for some milliseconds, two of which touch, so that most of them sleep in the end. */
static ct_scene *bars(uint32_t channels, bool ledger) {
  ct_scene_def def = ct_default_scene_def();
  def.channels = channels;
  def.ledger = ledger;
  def.pickups = OUTPUTS + 2;
  ct_scene *scene = lab_scene_from(&def);
  for (int i = 0; i < 8; i++) {
    char name[] = {'b', (char)('0' + i), 0};
    const ct_mode_def modes[] = {{.hz = 300 + 97 * i, .t60_s = 0.008, .mass_kg = 0.1, .v_m_s = 0.1 + i},
                                 {.hz = 1210 + 31 * i, .t60_s = 0.006, .mass_kg = 0.2, .v_m_s = 0.2}};
    lab_modal(scene, name, modes, 2);
  }
  lab_touch(scene, lab_law("knock", "b0.at", "b1.at", 1e6, 1.5, 0.5));
  return scene;
}

static void place(uint32_t k, char at[8]) { snprintf(at, 8, "b%u.at", k % 8); }

/* Everybody's ear on an output of its own; or one of them alone, in mono. */
static ct_scene *with_ears(int alone, bool ledger) {
  ct_scene *scene = bars(alone == ALL ? OUTPUTS : 1, ledger);
  char at[8];
  for (uint32_t k = 0; k < OUTPUTS; k++) {
    place(k, at);
    if (alone == ALL || alone == (int)k)
      add_ear(scene, k, at, alone == ALL ? k + 1 : 0, 0.3);
  }
  return scene;
}

static void play(ct_scene *scene, uint32_t block, sound *s) {
  memset(s, 0, sizeof *s);
  uint32_t channels = ct_scene_channels(scene);
  for (uint32_t at = 0, count; at < FRAMES; at += count) {
    count = FRAMES - at < block ? FRAMES - at : block;
    float *outputs[OUTPUTS];
    double *raws[OUTPUTS];
    for (uint32_t c = 0; c < channels; c++) {
      outputs[c] = s->heard[c] + at;
      raws[c] = s->raw[c] + at;
    }
    ct_scene_process(scene, &(ct_io){.frames = count, .outputs = outputs, .raw = raws});
    for (uint32_t c = 0; c < channels; c++) {
      double most = 0;
      for (uint32_t n = at; n < at + count; n++)
        most = fmax(most, fabs((double)s->heard[c][n]));
      assert_true((float)ct_scene_level(scene, c) == (float)most); /* of this block, of this output */
      s->level[c] = fmax(s->level[c], most);
    }
  }
  s->group_steps = ct_scene_counters(scene).group_steps;
}

static void each_output_plays_its_pickup_alone(void **state) {
  (void)state;
  static sound all, alone;
  ct_scene *scene = with_ears(ALL, true);
  play(scene, 64, &all);
  ct_ledger ledger = ct_scene_ledger(scene);
  assert_true(ct_ledger_kept(&ledger));
  ct_scene_destroy(scene);
  for (int k = 0; k < OUTPUTS; k++) {
    scene = with_ears(k, true);
    play(scene, 64, &alone);
    assert_memory_equal(all.heard[k], alone.heard[0], sizeof alone.heard[0]);
    for (int n = 0; n < FRAMES; n++)
      assert_true(all.raw[k][n] == alone.raw[0][n]);
    assert_true(alone.level[0] > 1e-6);
    ct_ledger own = ct_scene_ledger(scene);
    assert_memory_equal(&own, &ledger, sizeof own);
    assert_int_equal(alone.group_steps, all.group_steps); /* asleep from the same samples on */
    ct_scene_destroy(scene);
  }
  assert_true(all.group_steps < 8 * FRAMES / 2); /* they do sleep */
}

static void block_size_and_account_do_not_matter(void **state) {
  (void)state;
  static sound one, other;
  ct_scene *scene = with_ears(ALL, true);
  play(scene, FRAMES, &one);
  ct_scene_destroy(scene);
  static const uint32_t blocks[] = {1, 7, 8, 64, 1000};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
    scene = with_ears(ALL, i % 2 == 0);
    play(scene, blocks[i], &other);
    assert_memory_equal(one.heard, other.heard, sizeof one.heard);
    assert_memory_equal(one.raw, other.raw, sizeof one.raw);
    ct_scene_destroy(scene);
  }
}

/* Panned pickups are heard on the first two, whatever else there is; an output adds up who goes to it. */
static void pan_is_over_the_first_two(void **state) {
  (void)state;
  static sound stereo, many, straight;
  ct_scene *scene = bars(2, false);
  add_ear(scene, 1, "b1.at", 0, -0.4);
  play(scene, 64, &stereo);
  ct_scene_destroy(scene);
  scene = bars(5, false);
  add_ear(scene, 1, "b1.at", 0, -0.4);
  add_ear(scene, 2, "b2.at", 4, 0);
  play(scene, 64, &many);
  ct_scene_destroy(scene);
  assert_memory_equal(stereo.heard[0], many.heard[0], sizeof stereo.heard[0]);
  assert_memory_equal(stereo.heard[1], many.heard[1], sizeof stereo.heard[1]);
  assert_true(many.level[2] == 0 && many.level[3] > 0 && many.level[4] == 0);
  scene = bars(5, false);
  add_ear(scene, 1, "b1.at", 2, 1); /* its pan says nothing */
  add_ear(scene, 2, "b2.at", 2, 0);
  play(scene, 64, &straight);
  ct_scene_destroy(scene);
  scene = bars(1, false);
  add_ear(scene, 1, "b1.at", 1, 0);
  add_ear(scene, 2, "b2.at", 0, 0);
  play(scene, 64, &stereo);
  ct_scene_destroy(scene);
  assert_memory_equal(straight.heard[1], stereo.heard[0], sizeof stereo.heard[0]);
  assert_true(straight.level[0] == 0);
}

/* One that leaves fades on its own output and nowhere else. */
static void removing_one_is_heard_there_only(void **state) {
  (void)state;
  static sound before, after;
  ct_error error = {0};
  ct_scene *scene = with_ears(ALL, true);
  play(scene, 64, &before);
  ct_scene_destroy(scene);
  scene = with_ears(ALL, true);
  lab_step(scene, 0);
  lab_must(ct_scene_remove(scene, "ear9", &error), &error);
  play(scene, 64, &after);
  ct_scene_destroy(scene);
  for (int k = 0; k < OUTPUTS; k++)
    assert_int_equal(memcmp(before.heard[k], after.heard[k], sizeof before.heard[k]) != 0, k == 9);
  assert_true(after.heard[9][FRAMES - 1] == 0);
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = bars(2, false);
  ct_pickup_def def = ct_default_pickup_def();
  def.name = "ear";
  def.at = "b0.at";
  def.output = 3;
  assert_int_equal(ct_added(ct_scene_add_pickup(scene, &def, &error), &error), CT_BAD_SCENE);
  assert_string_equal(error.text,
                      "pickup 'ear': goes to output 3, but the scene has 2: give it more channels, or output "
                      "0 to 2");
  ct_scene_destroy(scene);
  ct_scene_def wide = ct_default_scene_def();
  wide.channels = OUTPUTS + 1;
  assert_int_equal(ct_scene_create(&wide, &scene, &error), CT_BAD_VALUE);
  assert_string_equal(error.text, "channels: 65; wants 1 to 64");
}

static ct_result build(const char *text, ct_scene **scene, ct_error *error) {
  ct_doc *doc = ct_doc_create();
  assert_non_null(doc);
  ct_build_def def = ct_default_build_def();
  ct_result result = ct_doc_read_json(doc, "buses", text, strlen(text), NULL, NULL, error);
  if (result == CT_OK)
    result = ct_doc_build(doc, &def, scene, NULL, NULL, error);
  ct_doc_destroy(doc);
  return result;
}

#define BODY                                                                                                 \
  "\"bodies\": {\"bar\": {\"modes\": [{\"hz\": 440, \"v_m_s\": 1}], \"points\": {\"at\": {\"gains\": "       \
  "[1]}}}}, "

static void documents_say_it_too(void **state) {
  (void)state;
  static sound s;
  ct_error error = {0};
  ct_scene *scene;
  lab_must(build("{\"contatto\": 1, \"channels\": 64, " BODY
                 "\"pickups\": {\"far\": {\"at\": \"bar.at\", \"output\": 64}}}",
                 &scene, &error),
           &error);
  assert_int_equal(ct_scene_channels(scene), 64);
  play(scene, 64, &s);
  ct_scene_destroy(scene);
  for (int k = 0; k < OUTPUTS; k++)
    assert_int_equal(s.level[k] > 0, k == 63);
  assert_int_equal(build("{\"contatto\": 1, " BODY
                         "\"pickups\": {\"far\": {\"at\": \"bar.at\", \"output\": 2}}}",
                         &scene, &error),
                   CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "goes to output 2, but the scene has 1"));
  assert_int_equal(build("{\"contatto\": 1, \"channels\": 65}", &scene, &error), CT_BAD_VALUE);
  assert_non_null(strstr(error.text, "65"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_output_plays_its_pickup_alone),
      cmocka_unit_test(block_size_and_account_do_not_matter),
      cmocka_unit_test(pan_is_over_the_first_two),
      cmocka_unit_test(removing_one_is_heard_there_only),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(documents_say_it_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
