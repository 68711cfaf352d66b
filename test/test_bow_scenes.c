/* ctest: slow
 * What the bowed scenes promise, heard: every note of a scale in tune, a bow that bounces and carries its
 * hair with it, fingers that let go, a bow that rests on the string it is borne down on, a saw and a bowl
 * that sing their modes. */
#include "support/play.h"

#include <contatto/scene.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE = 48000 };

static play_sound demo(const char *scene, const char *preset) {
  return play_mono(play_open(scene, preset), (ct_render_def){0});
}

static ct_measured_pitch pitch_at(play_sound s, double start_s, double end_s, double near_hz) {
  return ct_measure_pitch(play_from(s, start_s), (size_t)((end_s - start_s) * RATE), RATE, near_hz * 0.55,
                          near_hz * 1.8);
}

/* A demo's notes, and the part of each that is listened to. */
typedef struct melody {
  const char *scene, *preset;
  const double *semitones;
  int count;
  double open_hz, first_s, every_s, from_s, until_s, most_cents;
} melody;

static void check_notes(melody m) {
  play_sound s = demo(m.scene, m.preset);
  double worst = 0, least = 1;
  for (int i = 0; i < m.count; i++) {
    double start = m.first_s + m.every_s * i, hz = m.open_hz * exp2(m.semitones[i] / 12);
    ct_measured_pitch p = pitch_at(s, start + m.from_s, start + m.until_s, hz);
    double cents = ct_measure_cents(p.hz, hz);
    if (!(fabs(cents) < m.most_cents))
      fail_msg("%s, %s: note %d is %g Hz, wants %g Hz", m.scene, m.preset, i, p.hz, hz);
    worst = fmax(worst, fabs(cents));
    least = fmin(least, p.clarity);
  }
  printf("%s, %s: %d notes within %.1f cents, clarity at least %.3f\n", m.scene, m.preset, m.count, worst,
         least);
  free(s.samples);
}

static void cello_plays_in_tune(void **state) {
  static const double scale[] = {0, 2, 4, 5, 7, 9, 11, 12, 11, 9, 7, 5, 4, 2, 0};
  static const double plucked[] = {0, 4, 7, 12, 7, 4, 0, 5, 9, 12, 9, 5, 0};
  (void)state;
  check_notes((melody){"cello", "detache", scale, 15, 147, 0.02, 0.5, 0.3, 0.46, 10});
  check_notes((melody){"cello", "pizzicato", plucked, 13, 147, 0.15, 0.55, 0.05, 0.45, 5});
}

static void violin_plays_in_tune(void **state) {
  static const double plucked[] = {0, 4, 7, 12, 16, 12, 7, 4, 0, -5, -1, 2, 5, 7, 5, 2, -1, -5, 0, 12};
  (void)state;
  check_notes((melody){"violin", "pizzicato", plucked, 20, 440, 0.1, 0.36, 0.02, 0.3, 5});
  play_sound s = demo("violin", NULL);
  ct_measured_pitch p = pitch_at(s, 1, 3, 440);
  printf("violin: %.2f Hz, clarity %.4f\n", p.hz, p.clarity);
  assert_true(fabs(ct_measure_cents(p.hz, 440)) < 10 && p.clarity > 0.98);
  free(s.samples);
}

/* Every note ends up on its pitch; the bite before it is noise. */
static void martele_bites_then_sings(void **state) {
  static const double notes[] = {0, 7, 0, 9, 0, 12, 7, 0};
  (void)state;
  check_notes((melody){"cello", "martele", notes, 8, 147, 0.1, 0.9, 0.3, 0.5, 25});
}

static void crescendo_grows(void **state) {
  (void)state;
  play_sound s = demo("cello", "crescendo");
  double before = -INFINITY, soft = play_rms_db(s, 0.5, 1), loud = play_rms_db(s, 6, 6.5);
  for (int k = 0; k < 5; k++) {
    double level = play_rms_db(s, 0.5 + k, 1.5 + k);
    assert_true(level > before);
    before = level;
  }
  printf("crescendo: %.1f dB to %.1f dB\n", soft, loud);
  assert_true(loud > soft + 15);
  free(s.samples);
}

/* ---- spiccato ---- */

/* The hair is pressed by the bounce, a sample late, and by nothing while the bow is in the air; each throw
 * makes one landing, and the string rings on between. */
static void spiccato_bounces(void **state) {
  ct_error error = {0};
  ct_render *r = NULL;
  static const char *const taps[] = {"bounce.force_n", "rub.pressed_n", "d.bridge.pull_n"};
  ct_doc *doc = play_open("cello", "spiccato");
  (void)state;
  if (ct_render_open(doc, &(ct_render_def){.taps = taps, .tap_count = 3, .ledger = true}, &r, &error) !=
      CT_OK)
    fail_msg("%s", error.text);
  double last = 0, hardest = 0, ringing = 0, landing = 0, longest = 0;
  uint32_t landings = 0, air = 0, off = 0;
  ct_render_block b;
  while (ct_render_next(r, &b, &error) == CT_OK && b.frames)
    for (uint32_t i = 0; i < b.frames; i++) {
      double bounce = b.taps[0][i], pressed = b.taps[1][i];
      landings += bounce > 0.05 && last <= 0.05;
      landing = bounce > 0.05 ? landing + 1 : 0;
      longest = fmax(longest, landing);
      hardest = fmax(hardest, bounce);
      off += fabs(pressed - last) > 1e-9;
      air += bounce <= 0;
      ringing = bounce <= 0 ? fmax(ringing, fabs(b.taps[2][i])) : ringing;
      last = bounce;
    }
  ct_ledger l = ct_scene_ledger(ct_render_scene(r));
  printf("spiccato: %u landings of up to %.0f ms and %.2f N, in the air %.0f %% of the time, ringing up to "
         "%.2f N\n",
         landings, longest / 48, hardest, air / 3840.0, ringing);
  assert_int_equal(landings, 32);
  assert_true(longest < 0.1 * RATE && hardest > 0.8 && hardest < 4 && air > 8 * RATE / 2 && ringing > 0.05);
  assert_true(off < 20); /* where a tick settles what a sample left */
  assert_true(ct_ledger_kept(&l));
  ct_render_close(r);
  ct_doc_destroy(doc);
}

/* ---- fiddle ---- */

/* Level of each string's bridge while the bow rests where it is told. */
static void bear_down(double string, double force_n, double level_db[4]) {
  static const char *const names[] = {"g", "d", "a", "e"};
  const double time_s[] = {0, 0.3, 0.5, 2.2}, speed[] = {0, 0, 0.25, 0.25},
               at[] = {string, string, string, string}, force[] = {force_n, force_n, force_n, force_n};
  const char *const paths[] = {"speed", "string", "force"};
  const double *const columns[] = {speed, at, force};
  ct_gesture gesture = {.rows = 4, .columns = 3, .time_s = time_s, .paths = paths, .values = columns};
  for (int i = 0; i < 4; i++) {
    ct_doc *doc = play_open("fiddle", NULL);
    char path[40];
    for (int k = 0; k < 4; k++) {
      snprintf(path, sizeof path, "out_%s.full_scale", names[k]);
      play_set(doc, path, k == i ? 3 : 1e9);
    }
    play_sound s = play_mono(doc, (ct_render_def){.gesture = &gesture, .seconds = 2.2});
    level_db[i] = play_rms_db(s, 1.5, 2.2);
    free(s.samples);
  }
}

static void fiddle_bow_rests_where_it_is_borne_down(void **state) {
  double level[4];
  (void)state;
  for (int string = 0; string < 4; string++) {
    bear_down(string, 1, level);
    printf("string %d: %.1f %.1f %.1f %.1f dB\n", string, level[0], level[1], level[2], level[3]);
    for (int k = 0; k < 4; k++)
      assert_true(k == string ? level[k] > -32 : level[k] < level[string] - 30);
  }
  bear_down(1.5, 2, level);
  printf("between D and A: %.1f %.1f %.1f %.1f dB\n", level[0], level[1], level[2], level[3]);
  assert_true(level[1] > -32 && level[2] > -32 && level[0] < -60 && level[3] < -60);
}

/* ---- saw and bowl ---- */

static void saw_sings_and_slides(void **state) {
  (void)state;
  play_sound s = demo("saw", NULL);
  ct_measured_pitch low = pitch_at(s, 0.7, 1.1, 440), high = pitch_at(s, 3.1, 4, 659);
  printf("saw: %.1f Hz, then %.1f Hz\n", low.hz, high.hz);
  assert_true(fabs(ct_measure_cents(low.hz, 440)) < 40 &&
              fabs(ct_measure_cents(high.hz, 440 * exp2(7 / 12.0))) < 40);
  free(s.samples);
  s = demo("saw", "edge");
  double first = play_strongest(s, 2, 3).hz, second = play_strongest(s, 5.8, 6.7).hz;
  printf("saw, edge: %.1f Hz leaps to %.1f Hz\n", first, second);
  assert_true(fabs(first / 440 - 1) < 0.01 && fabs(second / 1212.9 - 1) < 0.01);
  free(s.samples);
}

/* The two (2,0) modes turn with the stick: four beats a round at a fixed ear. */
static void bowl_sings_and_pulsates(void **state) {
  (void)state;
  play_sound s = demo("bowl", NULL);
  ct_measured_peak p = play_strongest(s, 4, 9);
  ct_measured_modulation m = ct_measure_modulation(play_from(s, 4), 5 * RATE, RATE, 0.5, 8);
  double rounds_per_s = 0.2 / 0.565;
  printf("bowl: %.2f Hz, pulsates at %.2f Hz (four times a round: %.2f), depth %.2f\n", p.hz, m.rate_hz,
         4 * rounds_per_s, m.depth);
  assert_true(fabs(p.hz - 220) < 4 && p.level_db > -30);
  assert_true(fabs(m.rate_hz / (4 * rounds_per_s) - 1) < 0.1);
  free(s.samples);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cello_plays_in_tune),      cmocka_unit_test(violin_plays_in_tune),
      cmocka_unit_test(martele_bites_then_sings), cmocka_unit_test(crescendo_grows),
      cmocka_unit_test(spiccato_bounces),         cmocka_unit_test(fiddle_bow_rests_where_it_is_borne_down),
      cmocka_unit_test(saw_sings_and_slides),     cmocka_unit_test(bowl_sings_and_pulsates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
