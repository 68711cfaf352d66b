/* ctest: slow
 * Glasses as they are heard: pairs of modes that wonkiness puts apart beat as fast as they are apart, whether
 * it is in the file or moved while it rings. */
#include "support/lab.h"
#include "support/words.h"

#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE = 48000 };

/* ---- struck, not quite round ---- */

/* A pair struck where both of it move: u = 1/8m turns from an antinode of the cosine. */
static void check_beats(const char *shape, int m, double cents, double hz) {
  char words[160];
  snprintf(words, sizeof words,
           "{'shape': '%s', 'count': 2, 'lowest_hz': %g, 'damping_global': -1.5, 'wonkiness': %g}", shape, hz,
           cents);
  double place = 1.0 / (8 * m), seconds = 6, expected_hz = hz * 2 * sinh(cents * log(2) / 2400);
  words_sound s = words_struck(
      &(words_strike){.modes = words, .hit = {place, 0.95}, .ear = {place, 1}, .seconds = seconds});
  ct_measured_modulation b = ct_measure_modulation(s.samples + RATE / 10, s.count - RATE / 10, RATE, 0.3, 20);
  printf("%s, %g cents at %g Hz: beats at %.3f Hz (%.3f apart), depth %.2f\n", shape, cents, hz, b.rate_hz,
         expected_hz, b.depth);
  assert_true(fabs(b.rate_hz / expected_hz - 1) < 0.02);
  assert_true(b.depth > 0.5);
  assert_true(words_ledger_closes(&s.ledger));
  free(s.samples);
}

static void wonky_pairs_beat(void **state) {
  (void)state;
  check_beats("wineglass", 2, 4, 529.3);
  check_beats("wineglass", 2, 10, 529.3);
  check_beats("tumbler", 2, 3, 1500);
  check_beats("glass", 2, 5, 800);
  check_beats("bowl", 2, 8, 400);
}

static double apart_cents(ct_scene *scene, uint32_t pair) {
  return ct_measure_cents(words_mode(scene, "b", 2 * pair + 1, "hz"), words_mode(scene, "b", 2 * pair, "hz"));
}

/* From the file to another number and back, with size and material moved as well: the same modes to the last
 * digits. */
static void wonkiness_moves(void **state) {
  (void)state;
#define BODY                                                                                                 \
  "{'contatto': 1, 'bodies': {'b': {'modes': {'shape': 'wineglass', 'count': 8, 'wonkiness': %g}, "          \
  "'points': {'p': {'place_u': 0}}}}}"
  ct_scene *told = words_scene(BODY, 7.0), *moved = words_scene(BODY, 2.0);
  lab_set(moved, "b.modes.wonkiness", 7, 0.01, 0);
  lab_set(moved, "b.modes.size", 1.5, 0.01, 0);
  lab_set(told, "b.modes.size", 1.5, 0.01, 0);
  lab_step(moved, 1000);
  lab_step(told, 1000);
  for (uint32_t i = 0; i < 8; i++)
    assert_true(fabs(words_mode(moved, "b", i, "hz") / words_mode(told, "b", i, "hz") - 1) < 1e-12);
  for (uint32_t pair = 0; pair < 4; pair++)
    assert_true(fabs(apart_cents(moved, pair) - 7) < 1e-6);
  ct_scene_destroy(told);
  ct_scene_destroy(moved);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wonky_pairs_beat), cmocka_unit_test(wonkiness_moves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
