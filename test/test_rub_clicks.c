/* ctest: slow
 * Which candidate clicks of rubbed sounds are the physics, and which would be ours.
 *
 * A string that is bowed sticks and slips, and every slip is a corner: a jump of the bridge's force that no
 * predictor foresees. Those are the sound. Ours would be what the machinery does: bow changes, string
 * changes, retuning, a bow that lands, numbers that move. So the demo is played twice with the same hands:
 * once as it is, once with friction that does not fall with speed (Dahl), which slides and never slips back.
 * All that moves moves then too, and nothing may click. And a bow that is only drawn on has corners that
 * count as candidates though nothing moves at all. */
#include "support/play.h"

#include <contatto/measure.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static size_t clicks(play_sound s, ct_measured_click *worst) {
  *worst = ct_measure_worst_click(s.samples, s.frames, s.rate_hz, NULL, 0);
  return ct_measure_clicks(s.samples, s.frames, s.rate_hz, CT_MEASURE_CLICK_DB, NULL, 0, NULL, 0);
}

static ct_doc *fiddle_that_slides(void) {
  static const char *const laws[] = {"contacts.rub_g.law", "contacts.rub_d.law", "contacts.rub_a.law",
                                     "contacts.rub_e.law"};
  ct_doc *doc = play_open("fiddle", NULL);
  for (int i = 0; i < 4; i++)
    play_set_text(doc, laws[i], "dahl");
  return doc;
}

/* Bow changes, string changes, pitch and landing, without stick and slip; and a step that is planted is
 * found. */
static void what_moves_a_fiddle_does_not_click(void **state) {
  ct_measured_click worst;
  (void)state;
  play_sound s = play_mono(fiddle_that_slides(), (ct_render_def){.rate_hz = 48000});
  size_t found = clicks(s, &worst);
  printf("fiddle, sliding: %zu candidates, strongest %.1f dB\n", found, worst.strength_db);
  assert_true(found == 0);
  double peak = 0;
  size_t from = s.frames / 2;
  for (size_t n = from; n < from + 4800; n++)
    peak = fmax(peak, fabs(s.samples[n]));
  assert_true(peak > 0);
  for (size_t n = from; n < s.frames; n++)
    s.samples[n] += 0.1 * peak;
  found = clicks(s, &worst);
  printf("with a step of a tenth of the peak: %zu, strongest %.1f dB\n", found, worst.strength_db);
  assert_true(found > 0 && fabs(worst.time_s - (double)from / s.rate_hz) < 1e-3);
  free(s.samples);
}

/* One long bow, nothing but the corner moves. */
static void corners_are_candidates(void **state) {
  const double time_s[] = {0, 0.25, 0.3, 2}, speed[] = {0, 0, 0.3, 0.3}, pitch[] = {4, 4, 4, 4};
  const char *const paths[] = {"speed", "pitch"};
  const double *const columns[] = {speed, pitch};
  ct_gesture gesture = {.rows = 4, .columns = 2, .time_s = time_s, .paths = paths, .values = columns};
  ct_measured_click worst;
  (void)state;
  play_sound s = play_mono(play_open("fiddle", NULL),
                           (ct_render_def){.rate_hz = 48000, .seconds = 2, .gesture = &gesture});
  size_t found = clicks(s, &worst);
  printf("fiddle, one long bow: %zu candidates in 2 s\n", found);
  assert_true(found > 100);
  free(s.samples);
}

/* A light body that comes to rest on a rough surface is not flipped about rest, sample by sample: that made
 * 18, 17 and 13 candidates. The few that are left are stops quicker than roughness fades. */
static void a_rough_rub_stops_without_clicks(void **state) {
  static const double rates[] = {44100, 48000, 96000};
  size_t all = 0;
  (void)state;
  for (int r = 0; r < 3; r++) {
    ct_doc *doc = play_open("rub", NULL);
    ct_measured_click worst;
    play_set(doc, "controls.roughness.value", 0.3);
    play_sound s = play_mono(doc, (ct_render_def){.rate_hz = rates[r]});
    size_t found = clicks(s, &worst);
    printf("rub, roughness 0.3 N, %.1f kHz: %zu candidates, strongest %.1f dB\n", rates[r] / 1000, found,
           worst.strength_db);
    all += found;
    free(s.samples);
  }
  assert_true(all <= 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_moves_a_fiddle_does_not_click),
                                     cmocka_unit_test(corners_are_candidates),
                                     cmocka_unit_test(a_rough_rub_stops_without_clicks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
