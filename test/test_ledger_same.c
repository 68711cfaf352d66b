/* ctest: slow
 * Keeping an account changes nothing that is heard: every built-in scene and random ones sound the same to
 * the bit with and without it, and take as many solves. */
#include "file/builtin.h"
#include "support/long_run.h"
#include "support/play.h"
#include "support/random_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static void sounds_the_same(const char *name, const char *preset, double seconds) {
  play_sound with = play_doc(play_open(name, preset), (ct_render_def){.ledger = true, .seconds = seconds});
  play_sound without = play_doc(play_open(name, preset), (ct_render_def){.seconds = seconds});
  assert_int_equal(with.frames, without.frames);
  for (size_t n = 0; n < with.frames * with.channels; n++)
    if (with.samples[n] != without.samples[n])
      fail_msg("%s, %s: sample %zu is %.17g with an account, %.17g without", name,
               preset ? preset : "as it is", n, with.samples[n], without.samples[n]);
  free(with.samples);
  free(without.samples);
}

/* Presets are stiffer, harder, faster than the scene as it is: a point that glides met steps of less than a
 * sample only in one of them. */
static void scenes_sound_the_same(void **state) {
  (void)state;
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    const char *name = ct_builtin_scenes[i].name;
    ct_doc *doc = play_open(name, NULL);
    sounds_the_same(name, NULL, 2);
    for (uint32_t p = 0; p < ct_doc_preset_count(doc); p++)
      sounds_the_same(name, ct_doc_preset_name(doc, p), long_run() ? 3 : 0.3);
    ct_doc_destroy(doc);
  }
}

enum { FRAMES = 400 };

/* All there is to see of a random scene, after some samples each time: the momentum of every body's modes. */
static void run(const random_scene *paper, bool ledger, double seen[FRAMES], ct_counters *counters) {
  ct_scene *s = random_scene_build(paper, 0, ledger);
  for (int n = 0; n < FRAMES; n++) {
    ct_scene_process(s, &(ct_io){.frames = (uint32_t)(1 + n % 11)});
    seen[n] = 0;
    for (uint32_t b = 0; b < paper->body_count; b++) {
      char path[64];
      ct_handle handle;
      snprintf(path, sizeof path, "%s.%s", paper->bodies[b].name,
               paper->bodies[b].hand ? "v_m_s" : "modes.0.v_m_s");
      if (ct_scene_resolve(s, path, &handle, NULL) == CT_OK)
        seen[n] += ct_scene_get(s, handle) * (b + 1);
    }
  }
  *counters = ct_scene_counters(s);
  ct_scene_destroy(s);
}

static void random_scenes_move_the_same(void **state) {
  static random_scene paper;
  uint64_t solves = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    double with[FRAMES], without[FRAMES];
    ct_counters a, b;
    random_scene_make(&paper, seed, (random_limits){1e-3, 1, 1e3, 1e8});
    run(&paper, true, with, &a);
    run(&paper, false, without, &b);
    for (int n = 0; n < FRAMES; n++)
      if (with[n] != without[n])
        fail_msg("scene %llu moves otherwise without an account", (unsigned long long)seed);
    assert_int_equal(a.substeps, b.substeps);
    assert_int_equal(a.solves, b.solves);
    solves += b.solves;
  }
  assert_true(solves > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_sound_the_same),
                                     cmocka_unit_test(random_scenes_move_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
