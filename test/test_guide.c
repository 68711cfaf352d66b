/* ctest: slow
 * Strokes to sound: smooth scores above jerky at every level, scores do not depend on how the pen was
 * sampled, sound follows the pen within 20 ms, and the same strokes and seed give the same samples. */
#include "guide/guide.h"
#include "support/play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2000, RATE = 48000 };

static ct_guide run(const ct_pen_sample *samples, size_t count, int level, uint64_t seed) {
  char preset[16];
  snprintf(preset, sizeof preset, "level_%d", level);
  ct_guide_def def = {
      .doc = play_open("guide", preset), .samples = samples, .count = count, .rate_hz = RATE, .seed = seed};
  ct_guide guide;
  ct_error error = {0};
  if (ct_guide_run(&def, &guide, &error) != CT_OK)
    fail_msg("%s", error.text);
  ct_doc_destroy(def.doc);
  return guide;
}

static ct_guide run_example(ct_example example, double pen_hz, int level, uint64_t seed) {
  static ct_pen_sample samples[MOST];
  size_t count = ct_example_stroke(example, pen_hz, samples, MOST);
  assert_true(count <= MOST);
  return run(samples, count, level, seed);
}

static void smooth_scores_above_jerky(void **state) {
  (void)state;
  for (int level = 1; level <= 5; level++) {
    double last = 2;
    for (double pen_hz = 60; pen_hz <= 240; pen_hz *= 4) {
      ct_guide smooth = run_example(CT_EXAMPLE_SMOOTH, pen_hz, level, 1);
      ct_guide word = run_example(CT_EXAMPLE_WORD, pen_hz, level, 1);
      ct_guide jerky = run_example(CT_EXAMPLE_JERKY, pen_hz, level, 1);
      printf("level %d, %3.0f Hz: smooth %.3f, word %.3f, jerky %.3f\n", level, pen_hz, smooth.sung,
             word.sung, jerky.sung);
      assert_true(smooth.sung > jerky.sung + 0.5 && word.sung >= jerky.sung && smooth.sung >= word.sung);
      assert_true(last > 1 || fabs(word.sung - last) < 0.02); /* the most sensitive of them */
      last = word.sung;
      ct_guide_free(&smooth);
      ct_guide_free(&word);
      ct_guide_free(&jerky);
    }
  }
}

static void scores_do_not_depend_on_the_pen(void **state) {
  (void)state;
  for (int e = 0; e < CT_EXAMPLES; e++) {
    ct_guide slow = run_example((ct_example)e, 60, 3, 1), fast = run_example((ct_example)e, 240, 3, 1);
    assert_true(fabs(slow.sung - fast.sung) < 0.02 && fabs(slow.fluidity - fast.fluidity) < 0.02);
    assert_true(fabs(slow.whole.log_jerk / fast.whole.log_jerk - 1) < 0.02);
    assert_true(fabs(slow.whole.arc_length / fast.whole.arc_length - 1) < 0.02);
    assert_true(fabs(slow.whole.length_m / fast.whole.length_m - 1) < 0.02);
    ct_guide_free(&slow);
    ct_guide_free(&fast);
  }
}

/* A pen that rests on the paper for half a second and then moves at once: how long until it is heard. */
static double onset_s(double pen_hz) {
  static ct_pen_sample samples[MOST];
  size_t count = (size_t)pen_hz, still = count / 2;
  for (size_t i = 0; i < count; i++)
    samples[i] = (ct_pen_sample){.time_s = (double)i / pen_hz,
                                 .x_m = i > still ? 0.1 * (double)(i - still) / pen_hz : 0,
                                 .pressure = 0.5};
  ct_guide g = run(samples, count, 1, 1);
  double moved_s = samples[still + 1].time_s, heard = 0, loudest = 0;
  for (size_t i = 0; i < g.frames; i++)
    loudest = fmax(loudest, fabs((double)g.sound[0][i]));
  while (heard < (double)g.frames && fabs((double)g.sound[0][(size_t)heard]) < 0.01 * loudest)
    heard++;
  assert_true(g.latency_s < 0.02);
  ct_guide_free(&g);
  return heard / RATE - moved_s;
}

static void sound_follows_the_pen(void **state) {
  (void)state;
  for (double pen_hz = 60; pen_hz <= 240; pen_hz *= 2) {
    double late = onset_s(pen_hz);
    printf("%3.0f Hz: heard %.1f ms after the first sample that moved\n", pen_hz, 1000 * late);
    assert_true(late > 0 && late < 0.02);
  }
}

static void same_strokes_same_sound(void **state) {
  (void)state;
  ct_guide a = run_example(CT_EXAMPLE_WORD, 120, 3, 1), b = run_example(CT_EXAMPLE_WORD, 120, 3, 1),
           c = run_example(CT_EXAMPLE_WORD, 120, 3, 2);
  assert_int_equal(a.frames, b.frames);
  assert_memory_equal(a.sound[0], b.sound[0], a.frames * sizeof(float));
  assert_true(memcmp(a.sound[0], c.sound[0], a.frames * sizeof(float)) != 0); /* squeaks stray otherwise */
  assert_true(a.sung == c.sung);
  ct_guide_free(&a);
  ct_guide_free(&b);
  ct_guide_free(&c);
}

static void events_tell_the_story(void **state) {
  (void)state;
  ct_guide g = run_example(CT_EXAMPLE_WORD, 120, 3, 1);
  uint32_t down = 0, up = 0, crossed = 0;
  for (size_t i = 0; i < g.event_count; i++) {
    down += g.events[i].kind == CT_GUIDE_DOWN;
    up += g.events[i].kind == CT_GUIDE_UP;
    crossed += g.events[i].kind == CT_GUIDE_REGION;
    assert_true(i == 0 || g.events[i].time_s >= g.events[i - 1].time_s);
  }
  assert_int_equal(down, 2); /* the word, and the line under it */
  assert_int_equal(up, 2);
  assert_true(crossed > 0);
  assert_string_equal(g.regions[0], "squeak");
  assert_true(!g.sings[0] && g.sings[1]);
  ct_guide_free(&g);
}

static void a_scene_without_a_source(void **state) {
  (void)state;
  ct_pen_sample samples[] = {{0, 0, 0, 0.5}, {0.01, 0.001, 0, 0.5}};
  ct_guide_def def = {.doc = play_open("hammer", NULL), .samples = samples, .count = 2, .rate_hz = RATE};
  ct_guide guide;
  ct_error error = {0};
  assert_int_equal(ct_guide_run(&def, &guide, &error), CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "no source"));
  ct_doc_destroy(def.doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smooth_scores_above_jerky), cmocka_unit_test(scores_do_not_depend_on_the_pen),
      cmocka_unit_test(sound_follows_the_pen),     cmocka_unit_test(same_strokes_same_sound),
      cmocka_unit_test(events_tell_the_story),     cmocka_unit_test(a_scene_without_a_source)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
