/* ctest: slow timeout=1800
 * What every built-in scene promises: each preset's demo measures -23 +- 2 LUFS with true peak under -3 dB
 * and its energy account is kept, with an allowance below 1e-10 of all that moved (in `./check` the account
 * of the scene as it is, and of one preset in three: with it everything is heard the same, test_ledger_same,
 * and takes twice as long); `drop` comes to rest and stays silent; silence costs no more the longer it lasts.
 */
#include "file/builtin.h"
#include "support/long_run.h"
#include "support/play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program's own seed is 1; what a source lets wander at random is as loud whatever the dice say. */
static uint64_t seeds(uint32_t preset) { return long_run() ? 10 : preset == 0 ? 2 : 1; }

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

static int check_demo(const char *scene, const char *preset, uint64_t seed, bool ledger) {
  play_sound s = play_doc(play_open(scene, preset), (ct_render_def){.ledger = ledger, .seed = seed});
  ct_measured_loudness l = ct_measure_loudness(s.samples, s.frames, s.channels, s.rate_hz);
  bool good = fabs(l.integrated_lufs + 23) <= 2 && l.true_peak_db < -3;
  printf("%-8s %-10s seed %u %7.2f LUFS  %6.2f dB true peak", scene, preset ? preset : "-", (unsigned)seed,
         l.integrated_lufs, l.true_peak_db);
  if (ledger) {
    good = good && ct_ledger_kept(&s.ledger) && s.ledger.allowance_j < 1e-10 * s.ledger.scale_j;
    printf("  ledger error %.2g of what is allowed", fabs(s.ledger.error_j) / s.ledger.allowance_j);
  }
  printf("%s\n", good ? "" : "   <-- wrong");
  free(s.samples);
  return !good;
}

static size_t write_doc(const char *scene, const char *preset, char *text, size_t size) {
  ct_error error = {0};
  ct_doc *doc = play_open(scene, preset);
  size_t length = 0;
  must(ct_doc_write_json(doc, text, size, &length, &error), &error);
  assert_true(length < size);
  ct_doc_destroy(doc);
  return length;
}

/* A preset that changes nothing is the scene as it is, and heard as that. */
static bool changes_nothing(const char *scene, const char *preset) {
  static char texts[2][1 << 20];
  size_t length = write_doc(scene, NULL, texts[0], sizeof texts[0]);
  return write_doc(scene, preset, texts[1], sizeof texts[1]) == length && !memcmp(texts[0], texts[1], length);
}

static void demos_are_level(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    const char *name = ct_builtin_scenes[i].name;
    ct_doc *doc = play_open(name, NULL);
    assert_true(ct_doc_preset_count(doc) >= 2);
    wrong += check_demo(name, NULL, 1, true);
    for (uint32_t p = 0; p < ct_doc_preset_count(doc); p++)
      for (uint64_t seed = changes_nothing(name, ct_doc_preset_name(doc, p)) ? 2 : 1;
           seed <= (ct_doc_source_count(doc) ? seeds(p) : 1); seed++)
        wrong += check_demo(name, ct_doc_preset_name(doc, p), seed, long_run() || (i + p) % 3 == 0);
    ct_doc_destroy(doc);
  }
  assert_int_equal(wrong, 0);
}

/* ---- rest ---- */

/* A number of mode i of a body; false beyond its last mode. */
static bool get_mode(ct_scene *scene, const char *body, int mode, const char *field, double *value) {
  char path[96];
  ct_handle handle;
  snprintf(path, sizeof path, "%s.modes.%d.%s", body, mode, field);
  if (ct_scene_resolve(scene, path, &handle, NULL) != CT_OK)
    return false;
  *value = ct_scene_get(scene, handle);
  return true;
}

static double longest_t60_s(ct_scene *scene) {
  double longest = 0, t60;
  for (int i = 0; get_mode(scene, "plate", i, "t60_s", &t60); i++)
    longest = fmax(longest, t60);
  return longest;
}

/* Renders `drop`, finds the last time the ball left the plate, and the last sample above -90 dBFS. */
static void check_rest(const char *preset) {
  ct_error error = {0};
  ct_doc *doc = play_open("drop", preset);
  ct_render *r = NULL;
  static const char *const taps[] = {"bounce.compression_m"};
  must(ct_render_open(doc, &(ct_render_def){.seconds = 20, .taps = taps, .tap_count = 1}, &r, &error),
       &error);
  double last_bounce = 0, last_loud = 0;
  ct_render_block b;
  for (must(ct_render_next(r, &b, &error), &error); b.frames; must(ct_render_next(r, &b, &error), &error))
    for (uint32_t i = 0; i < b.frames; i++) {
      double time = (double)(b.start + i) / 48000;
      if (b.taps[0][i] < 0)
        last_bounce = time;
      if (fabs((double)b.outputs[0][i]) >= pow(10, -90.0 / 20))
        last_loud = time;
    }
  double t60 = longest_t60_s(ct_render_scene(r));
  printf("drop %s: last off the plate at %.3f s, below -90 dBFS from %.3f s, longest t60 %.2f s\n", preset,
         last_bounce, last_loud, t60);
  assert_true(last_bounce > 0.3 && last_bounce < 15);
  assert_true(last_loud < last_bounce + 1 + 1.5 * t60);
  ct_render_close(r);
  ct_doc_destroy(doc);
}

static void drop_comes_to_rest(void **state) {
  (void)state;
  check_rest("wood");
  check_rest("glass");
  check_rest("metal");
}

/* ---- silence ---- */

static bool settled_number(double value) { return value == 0 || fabs(value) > 1e-200; }

/* Nothing in the state is denormal or on its way there: the arithmetic of a minute of silence is that of a
 * second. */
static void check_state(ct_scene *scene, const char *body) {
  double x, v;
  int modes = 0;
  for (; get_mode(scene, body, modes, "x_m", &x) && get_mode(scene, body, modes, "v_m_s", &v); modes++)
    assert_true(settled_number(x) && settled_number(v));
  assert_true(modes > 4);
}

static uint64_t work_of(ct_scene *scene) {
  ct_counters c = ct_scene_counters(scene);
  return c.evaluations + c.substeps;
}

static void check_silence(const char *name, const char *body) {
  ct_error error = {0};
  ct_doc *doc = play_open(name, NULL);
  ct_render *r = NULL;
  must(ct_render_open(doc, &(ct_render_def){.seconds = 90, .rate_hz = 16384}, &r, &error), &error);
  ct_scene *scene = ct_render_scene(r);
  ct_render_block b;
  uint64_t work[91] = {0};
  for (must(ct_render_next(r, &b, &error), &error); b.frames; must(ct_render_next(r, &b, &error), &error))
    work[b.start / 16384 + 1] = work_of(scene);
  check_state(scene, body);
  uint64_t second = work[30] - work[29], minute = work[90] - work[30];
  printf("%s: %llu units of work in second 30, %llu in the minute after\n", name, (unsigned long long)second,
         (unsigned long long)minute);
  assert_true(minute <= 60 * second);
  ct_render_close(r);
  ct_doc_destroy(doc);
}

static void silence_costs_nothing_more(void **state) {
  (void)state;
  check_silence("hammer", "bar");
  check_silence("drop", "plate");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(demos_are_level), cmocka_unit_test(drop_comes_to_rest),
                                     cmocka_unit_test(silence_costs_nothing_more)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
