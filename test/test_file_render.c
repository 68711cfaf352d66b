/* The offline renderer: blocks of any size give the same samples, also when a gesture says more than the
 * queue holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "file/json.h"
#include "file/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scene[] =
    "{\"contatto\": 1, \"seconds\": 0.1,"
    " \"bodies\": {\"hammer\": {\"modes\": [{\"hz\": 0, \"t60_s\": 0, \"mass_kg\": 0.01, \"x_m\": -0.001, "
    "\"v_m_s\": 1}],"
    "   \"points\": {\"tip\": {\"gains\": [1]}}},"
    "  \"bar\": {\"modes\": [{\"hz\": 400}, {\"hz\": 1000}, {\"hz\": 1500}], \"points\": {\"hit\": "
    "{\"gains\": [1, 1, 1]}}}},"
    " \"contacts\": {\"strike\": {\"a\": \"hammer.tip\", \"b\": \"bar.hit\", \"stiffness\": 1e7}},"
    " \"pickups\": {\"out\": {\"at\": \"bar.hit\", \"full_scale\": 1}}}";

enum { ROWS = 2400, COLUMNS = 12, FRAMES = 4800 };

/* A row for every other sample and a change in every cell: a block of 4096 wants to say 24576 things, twelve
 * times what the queue holds. */
typedef struct dense {
  ct_gesture gesture;
  double time_s[ROWS], numbers[COLUMNS][ROWS];
  const double *values[COLUMNS];
} dense;

static const char *const paths[COLUMNS] = {"bar.modes.0.hz",     "bar.modes.0.t60_s", "bar.modes.0.mass_kg",
                                           "bar.modes.1.hz",     "bar.modes.1.t60_s", "bar.modes.1.mass_kg",
                                           "bar.modes.2.hz",     "bar.modes.2.t60_s", "strike.exponent",
                                           "strike.damping_s_m", "bar.hit.force_n",   "out.full_scale"};
static const double middle[COLUMNS] = {400, 1, 0.05, 1000, 1, 0.05, 1500, 1, 1.5, 0.5, 2, 1};

static dense *make_dense(void) {
  dense *d = calloc(1, sizeof *d);
  for (int row = 0; row < ROWS; row++) {
    d->time_s[row] = row * 2 / 48000.0;
    for (int c = 0; c < COLUMNS; c++)
      d->numbers[c][row] = middle[c] * (1 + 0.1 * sin(row * 0.01 + c));
  }
  for (int c = 0; c < COLUMNS; c++)
    d->values[c] = d->numbers[c];
  d->gesture = (ct_gesture){ROWS, COLUMNS, d->time_s, paths, d->values};
  return d;
}

static void render(uint32_t block_frames, const ct_gesture *gesture, float *out, double *taps) {
  static const char *const tap_paths[] = {"bar.modes.0.hz"};
  ct_error error = {.text = ""};
  ct_doc *doc = ct_doc_create();
  ct_render *r;
  ct_render_block block = {.frames = 1};
  ct_render_def def = {
      .seed = 1, .block_frames = block_frames, .gesture = gesture, .taps = tap_paths, .tap_count = 1};
  assert_int_equal(ct_doc_read_json(doc, "test", scene, strlen(scene), NULL, NULL, &error), CT_OK);
  if (ct_render_open(doc, &def, &r, &error) != CT_OK)
    fail_msg("%s", error.text);
  assert_int_equal(ct_render_frames(r), FRAMES);
  for (uint64_t done = 0; block.frames; done += block.frames) {
    if (ct_render_next(r, &block, &error) != CT_OK)
      fail_msg("%s", error.text);
    assert_int_equal(block.start, done);
    assert_true(done + block.frames <= FRAMES);
    memcpy(out + done, block.outputs[0], block.frames * sizeof *out);
    memcpy(taps + done, block.taps[0], block.frames * sizeof *taps);
  }
  assert_int_equal(ct_scene_counters(ct_render_scene(r)).dropped_messages, 0);
  ct_render_close(r);
  ct_doc_destroy(doc);
}

static void test_blocks(void **state) {
  (void)state;
  static float once[FRAMES], again[FRAMES];
  static double tap_once[FRAMES], tap_again[FRAMES];
  static const uint32_t sizes[] = {1, 7, 64, 4096};
  dense *d = make_dense();
  const ct_gesture *gestures[] = {NULL, &d->gesture};
  for (int g = 0; g < 2; g++) {
    render(256, gestures[g], once, tap_once);
    double loudest = 0;
    for (int n = 0; n < FRAMES; n++)
      loudest = fmax(loudest, fabs((double)once[n]));
    assert_true(loudest > 0.01);
    for (int i = 0; i < 4; i++) {
      render(sizes[i], gestures[g], again, tap_again);
      assert_memory_equal(once, again, sizeof once);
      assert_memory_equal(tap_once, tap_again, sizeof tap_once);
    }
  }
  free(d);
}

/* Every message arrives in time: between rows the parameter is where the gesture says, up to a tick of 16
 * samples. */
static void test_dense_gesture_arrives(void **state) {
  (void)state;
  static float out[FRAMES];
  static double hz[FRAMES];
  dense *d = make_dense();
  render(4096, &d->gesture, out, hz);
  double most_per_tick = 400 * 0.1 * 0.01 * 16 / 2;
  for (int n = 32; n < FRAMES; n++)
    assert_true(fabs(hz[n] - d->numbers[0][n / 2]) < 2 * most_per_tick);
  free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks),
                                     cmocka_unit_test(test_dense_gesture_arrives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
