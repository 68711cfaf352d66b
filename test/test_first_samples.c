/* The first tenth of a second of every built-in scene, one after the other in one process: each is all there,
 * and finite. `./check memory` has valgrind look at it, which takes longer to begin than this takes. */
#include "file/builtin.h"
#include "support/play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static void all_scenes_begin(void **state) {
  (void)state;
  assert_true(ct_builtin_scene_count >= 30);
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    const char *name = ct_builtin_scenes[i].name;
    play_sound s = play_doc(play_open(name, NULL), (ct_render_def){.seconds = 0.1});
    assert_true(s.frames == (size_t)lrint(0.1 * s.rate_hz));
    for (size_t n = 0; n < s.frames * s.channels; n++)
      if (!isfinite(s.samples[n]))
        fail_msg("%s: sample %zu is not finite", name, n);
    free(s.samples);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_scenes_begin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
