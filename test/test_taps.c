/* ctest: slow
 * Taps are read while their group runs and do not end a stretch: in every built-in scene, while its demo
 * plays, they write the same to the bit as where every sample is a block of its own. */
#include "file/builtin.h"
#include "support/play.h"
#include <contatto/contatto.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 12000, TAPS = 60, RATE_HZ = 48000 };

typedef struct listing {
  ct_handle handles[TAPS];
  char paths[TAPS][96];
  uint32_t count, seen;
} listing;

/* States that move: every third one, so that scenes of many modes are not all modes of one body. */
static bool list_one(void *context, const char *path, const char *full, ct_handle handle,
                     const struct ct_schema_row *row) {
  listing *l = context;
  bool wanted = strncmp(full, "bodies.", 7) == 0 || strncmp(full, "contacts.", 9) == 0;
  bool moves = strstr(full, "x_m") || strstr(full, "v_m_s") || strstr(full, "contacts.");
  (void)row;
  if (wanted && moves && l->seen++ % 3 == 0 && l->count < TAPS) {
    l->handles[l->count] = handle;
    snprintf(l->paths[l->count++], sizeof l->paths[0], "%s", path);
  }
  return true;
}

static void record(const char *name, uint32_t block, listing *l, double *values) {
  ct_error error;
  ct_scene *scene;
  ct_player *player = NULL;
  ct_doc *doc = play_open(name, NULL);
  ct_build_def def = ct_default_build_def();
  def.rate_hz = RATE_HZ;
  ct_gesture gesture;
  assert_int_equal(ct_doc_build(doc, &def, &scene, NULL, NULL, &error), CT_OK);
  assert_int_equal(ct_doc_gesture(doc, &gesture, &error), CT_OK);
  ct_scene_process(scene, &(ct_io){0});
  if (gesture.rows)
    assert_int_equal(ct_player_create(&gesture, scene, &player, &error), CT_OK);
  *l = (listing){.count = 0};
  ct_scene_visit(scene, list_one, l);
  for (uint32_t n = 0; n < FRAMES; n += block) {
    ct_tap taps[TAPS];
    uint32_t frames = block < FRAMES - n ? block : FRAMES - n;
    for (uint32_t i = 0; i < l->count; i++)
      taps[i] = (ct_tap){l->handles[i], values + (size_t)i * FRAMES + n};
    if (player)
      assert_int_equal(ct_player_send(player, n + frames, &error), CT_OK);
    ct_scene_process(scene, &(ct_io){.frames = frames, .taps = taps, .tap_count = l->count});
  }
  ct_player_destroy(player);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

static void stretches_change_nothing(void **state) {
  static double one[TAPS * FRAMES], many[TAPS * FRAMES];
  static listing l;
  uint32_t moved = 0;
  (void)state;
  for (size_t k = 0; k < ct_builtin_scene_count; k++) {
    const char *name = ct_builtin_scenes[k].name;
    record(name, 1, &l, one);
    record(name, 96, &l, many);
    assert_true(l.count > 0);
    for (uint32_t i = 0; i < l.count; i++)
      for (uint32_t n = 0; n < FRAMES; n++) {
        size_t at = (size_t)i * FRAMES + n;
        moved += n > 0 && one[at] != one[at - 1];
        if (memcmp(&one[at], &many[at], sizeof one[at]) != 0)
          fail_msg("%s: %s at sample %u is %.17g, and %.17g sample by sample", name, l.paths[i], n, many[at],
                   one[at]);
      }
  }
  assert_true(moved > 1000000); /* something was to be seen */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stretches_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
