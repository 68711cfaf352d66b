/* A scene that is played by one thread and set, reset and given presets by another: no data race (the thread
 * sanitizer looks), every reset is carried out, the account closes. */
#include "support/lab.h"
#include <contatto/doc.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "{\"contatto\": 1, \"bodies\": {\"bar\": {\"modes\": [{\"hz\": 440, \"t60_s\": 2, "
                           "\"v_m_s\": 0.5}, {\"hz\": 1200}], "
                           "\"points\": {\"hit\": {\"gains\": [1, 0.2]}}}, \"ball\": {\"modes\": [{\"hz\": "
                           "0, \"mass_kg\": 0.01, \"x_m\": "
                           "0.001}], \"points\": {\"tip\": {\"gains\": [1]}}}}, \"gravity_m_s2\": 9.81, "
                           "\"contacts\": {\"bounce\": {\"a\": \"ball.tip\", \"b\": \"bar.hit\", "
                           "\"from\": \"above\", \"stiffness\": 1e6}}, "
                           "\"pickups\": {\"out\": {\"at\": \"bar.hit\"}}, "
                           "\"presets\": {\"low\": {\"set\": {\"bar.modes.0.hz\": 220}}, \"heavy\": "
                           "{\"set\": {\"ball.modes.0.mass_kg\": 0.1}}}}";

typedef struct stage {
  ct_scene *scene;
  _Atomic bool done;
} stage;

static void *play(void *context) {
  stage *s = context;
  float heard[64];
  while (!atomic_load(&s->done))
    ct_scene_process(s->scene, &(ct_io){.frames = 64, .outputs = (float *[]){heard}});
  return NULL;
}

/* Until the other thread has played so far. */
static void wait_for(ct_scene *scene, uint64_t sample) {
  while (ct_scene_sample(scene) < sample) {
  }
}

static void reset_while_it_sounds(void **state) {
  (void)state;
  enum { ROUNDS = 60 };
  ct_error error = {0};
  ct_doc *doc = ct_doc_create();
  stage s = {0};
  ct_build_def def = ct_default_build_def();
  ct_preset_def preset = ct_default_preset_def();
  def.keep_start = def.ledger = true;
  lab_must(ct_doc_read_json(doc, "page", text, strlen(text), NULL, NULL, &error), &error);
  lab_must(ct_doc_build(doc, &def, &s.scene, NULL, NULL, &error), &error);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, play, &s), 0);
  uint64_t last = 0;
  for (int i = 0; i < ROUNDS; i++) {
    ct_handle hz;
    lab_must(ct_scene_resolve(s.scene, "bar.modes.1.hz", &hz, &error), &error);
    lab_must(ct_scene_set(s.scene, hz, 1000 + i, -1, 0, &error), &error);
    lab_must(ct_doc_send_preset(doc,
                                i % 3 == 0   ? NULL
                                : i % 3 == 1 ? "low"
                                             : "heavy",
                                s.scene, &preset, &error),
             &error);
    wait_for(s.scene, ct_scene_sample(s.scene) + 640);
    lab_must(ct_scene_reset(s.scene, i % 2 ? -1 : 0.002, &error), &error);
    lab_must(ct_scene_set(s.scene, hz, 1500, 0, 0, &error), &error);
    uint64_t now = ct_scene_sample(s.scene);
    assert_true(now >= last); /* the clock goes on */
    last = now;
    wait_for(s.scene, now + 2560);
  }
  atomic_store(&s.done, true);
  pthread_join(thread, NULL);
  assert_true(lab_get(s.scene, "bar.modes.1.hz") == 1500);
  assert_int_equal(ct_scene_judge(s.scene, &error), CT_OK);
  ct_scene_destroy(s.scene);
  ct_doc_destroy(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reset_while_it_sounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
