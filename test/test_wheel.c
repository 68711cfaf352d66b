/* ctest: slow
 * The braked wheel, from its motion and its sound: unbraked it rolls without slip; braked hard it stands
 * while the cart slides on, its joints are silent then, sliding is heard above rolling, and it squeals only
 * when the cart is nearly at rest. Braked softly it rolls to a stop and never squeals. Nobody's motion does
 * work, and at rest nothing leaps. */
#include "support/play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE = 48000, CART, TURN, CLOSED, PRESSED, TAPS };
static const char *const paths[TAPS - CART] = {"cart.modes.0.v_m_s", "wheel.modes.6.v_m_s",
                                               "clatter.offset_m", "tread.force_n"};

typedef struct run {
  play_sound sound;
  double *state[TAPS];
} run;

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

static run play_wheel(const char *preset, const ct_gesture *gesture, double seconds) {
  ct_error error = {0};
  ct_doc *doc = play_open("wheel", preset);
  ct_render *r = NULL;
  ct_render_def def = {
      .gesture = gesture, .seconds = seconds, .taps = paths, .tap_count = TAPS - CART, .ledger = true};
  must(ct_render_open(doc, &def, &r, &error), &error);
  run w = {.sound = {.frames = (size_t)ct_render_frames(r), .channels = 1, .rate_hz = RATE}};
  w.sound.samples = malloc(w.sound.frames * sizeof(double));
  for (int k = CART; k < TAPS; k++)
    w.state[k] = malloc(w.sound.frames * sizeof(double));
  ct_render_block b;
  for (must(ct_render_next(r, &b, &error), &error); b.frames; must(ct_render_next(r, &b, &error), &error))
    for (uint32_t i = 0; i < b.frames; i++) {
      w.sound.samples[b.start + i] = (double)b.outputs[0][i];
      for (int k = CART; k < TAPS; k++)
        w.state[k][b.start + i] = b.taps[k - CART][i];
    }
  w.sound.ledger = ct_scene_ledger(ct_render_scene(r));
  ct_render_close(r);
  ct_doc_destroy(doc);
  return w;
}

static void drop(run w) {
  free(w.sound.samples);
  for (int k = CART; k < TAPS; k++)
    free(w.state[k]);
}

/* Largest |state| between two times, of one or of the difference of two. */
static double most(run w, int of, int less, double start_s, double end_s) {
  double m = 0;
  for (size_t i = (size_t)(start_s * RATE); i < (size_t)(end_s * RATE); i++)
    m = fmax(m, fabs(w.state[of][i] - (less ? w.state[less][i] : 0)));
  return m;
}

static double least(run w, int of, double start_s, double end_s) {
  double m = HUGE_VAL;
  for (size_t i = (size_t)(start_s * RATE); i < (size_t)(end_s * RATE); i++)
    m = fmin(m, w.state[of][i]);
  return m;
}

/* By how far the tyre's joints and its lean have moved the contact. */
static double swing_m(run w, double start_s, double end_s) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = (size_t)(start_s * RATE); i < (size_t)(end_s * RATE); i++) {
    low = fmin(low, w.state[CLOSED][i]);
    high = fmax(high, w.state[CLOSED][i]);
  }
  return high - low;
}

/* As it is heard: weighted by frequency. */
static double heard_lufs(run w, double start_s, double end_s) {
  return ct_measure_loudness(play_from(w.sound, start_s), (size_t)((end_s - start_s) * RATE), 1, RATE)
      .integrated_lufs;
}

/* Brakes at 2.4 s; then the cart slides until 4.7 s. */
static void check_blocks(const char *preset) {
  run w = play_wheel(preset, NULL, 0);
  double slip = most(w, CART, TURN, 0, 2.4), fast = most(w, CART, 0, 0, 2.4),
         stands = most(w, TURN, 0, 2.6, 4.6), slides = least(w, CART, 2.6, 4.0),
         rolling_m = swing_m(w, 1.4, 2.4), sliding_m = swing_m(w, 2.6, 4.6),
         rolling = heard_lufs(w, 1.4, 2.4), sliding = heard_lufs(w, 2.6, 3.6),
         squeal = heard_lufs(w, 4.15, 4.65);
  printf(
      "wheel, %s: rolls at %.2f m/s with %.4f m/s of slip; blocked it turns at %.4f m/s, the cart slides at "
      "%.2f m/s and more; joints %.1f um rolling, %.2f um sliding; %.1f LUFS rolling, %.1f sliding, %.1f "
      "squealing; motion did %.3g J\n",
      preset, fast, slip, stands, slides, 1e6 * rolling_m, 1e6 * sliding_m, rolling, sliding, squeal,
      w.sound.ledger.motion_j);
  assert_true(fast > 2 && slip < 0.02 * fast);
  assert_true(stands < 0.01 && slides > 0.5);
  assert_true(sliding_m < 0.02 * rolling_m);
  assert_true(sliding > rolling + 4 && squeal > sliding + 8);
  assert_true(w.sound.ledger.motion_j == 0 && ct_ledger_kept(&w.sound.ledger));
  drop(w);
}

static void braked_hard_it_blocks(void **state) {
  (void)state;
  check_blocks("tram");
  check_blocks("paper");
  check_blocks("freight");
  check_blocks("toy");
}

/* Below what the rail can turn it with the brake stops a wheel that rolls: no slip, no squeal. */
static void braked_softly_it_rolls_to_a_stop(void **state) {
  (void)state;
  const double time_s[] = {0, 0.1, 1.2, 1.3, 2.4, 2.6, 6}, push[] = {0, 250, 250, 0, 0, 0, 0},
               pressure[] = {0, 0, 0, 0, 0, 200, 200};
  run w = play_wheel("tram",
                     &(ct_gesture){.rows = 7,
                                   .columns = 2,
                                   .time_s = time_s,
                                   .paths = (const char *[]){"push", "pressure"},
                                   .values = (const double *const[]){push, pressure}},
                     6);
  double slip = most(w, CART, TURN, 2.4, 5.8), stopped = most(w, CART, 0, 5.8, 6),
         squeals = play_band_db(w.sound, 2.6, 5.8, 1870 / 1.12, 1870 * 1.12);
  printf("wheel, braked softly: slips by at most %.4f m/s, %.5f m/s left, %.1f dB where it squeals\n", slip,
         stopped, squeals);
  assert_true(slip < 0.05 && stopped < 0.01 && squeals < -50);
  drop(w);
}

/* How fast the cart still goes when a wheel that is braked with this first stands. */
static double blocks_at_m_s(double pressure_n, double brakes_s) {
  const double time_s[] = {0, 0.1, 1.2, 1.3, brakes_s, brakes_s + 0.02, 6},
               push[] = {0, 250, 250, 0, 0, 0, 0}, pressure[] = {0, 0, 0, 0, 0, pressure_n, pressure_n};
  run w = play_wheel("tram",
                     &(ct_gesture){.rows = 7,
                                   .columns = 2,
                                   .time_s = time_s,
                                   .paths = (const char *[]){"push", "pressure"},
                                   .values = (const double *const[]){push, pressure}},
                     6);
  size_t n = (size_t)((brakes_s + 0.02) * RATE);
  while (n < w.sound.frames && fabs(w.state[TURN][n]) > 0.01)
    n++;
  assert_true(n < w.sound.frames);
  double cart = fabs(w.state[CART][n]);
  drop(w);
  return cart;
}

/* The rail can turn the wheel with 150 N (mu 0.5 of 300 N); 4 N of them slow the wheel's own 2.5 kg as
 * quickly as the cart's 90 kg, and its roughness may take 26 N (their rms). A shoe that slides (mu 0.35, and
 * up to 0.4 when slow) cannot beat the rest below 300 N, and beats all of it above 440 N. Between, it is for
 * the roughness and for the joint that comes by to unload the tread for a moment; how much more is needed
 * where none does is not known beforehand: 500 N always were enough. Once the wheel stands, the rail pulls
 * with 60 N (mu 0.2) and what its roughness adds, and the shoe holds mu 0.4. */
static void it_blocks_where_the_forces_say(void **state) {
  (void)state;
  for (double brakes_s = 2.4; brakes_s < 2.6; brakes_s += 0.07) {
    double below = blocks_at_m_s(300, brakes_s), above = blocks_at_m_s(500, brakes_s);
    printf("wheel, braked at %.2f s: stands at %.2f m/s of the cart with 300 N, at %.2f m/s with 500 N\n",
           brakes_s, below, above);
    assert_true(below < 0.05 && above > 1.5);
  }
  const double time_s[] = {0, 0.1, 1.2, 1.3, 2.4, 2.42, 2.6, 3.6, 4},
               push[] = {0, 250, 250, 0, 0, 0, 0, 0, 0}, pressure[] = {0, 0, 0, 0, 0, 1000, 400, 0, 0};
  run w = play_wheel("tram",
                     &(ct_gesture){.rows = 9,
                                   .columns = 2,
                                   .time_s = time_s,
                                   .paths = (const char *[]){"push", "pressure"},
                                   .values = (const double *const[]){push, pressure}},
                     4);
  size_t n = (size_t)(2.6 * RATE);
  while (n < w.sound.frames && fabs(w.state[TURN][n]) < 0.01)
    n++;
  double held_n = 400 * (3.6 - (double)n / RATE);
  printf("wheel: blocked, it is let go at %.0f N\n", held_n);
  assert_true(held_n > 180 && held_n < 260); /* (60 + 26) / 0.4 = 215, while roughness is at its rms */
  drop(w);
}

/* Let go while it slides, the wheel is taken along again. */
static void released_it_rolls_again(void **state) {
  (void)state;
  const double time_s[] = {0, 0.1, 1.2, 1.3, 2.4, 2.42, 3, 3.02, 4}, push[] = {0, 250, 250, 0, 0, 0, 0, 0, 0},
               pressure[] = {0, 0, 0, 0, 0, 1000, 1000, 0, 0};
  run w = play_wheel("tram",
                     &(ct_gesture){.rows = 9,
                                   .columns = 2,
                                   .time_s = time_s,
                                   .paths = (const char *[]){"push", "pressure"},
                                   .values = (const double *const[]){push, pressure}},
                     4);
  double stood = most(w, TURN, 0, 2.7, 3), slip = most(w, CART, TURN, 3.4, 4), goes = least(w, TURN, 3.4, 4);
  printf("wheel, let go: stood within %.4f m/s, then turns at %.2f m/s with %.4f m/s of slip\n", stood, goes,
         slip);
  assert_true(stood < 0.01 && goes > 1 && slip < 0.05);
  drop(w);
}

/* Twelve seconds of rest after the demo: forces stay where they are. */
static void at_rest_nothing_leaps(void **state) {
  (void)state;
  run w = play_wheel("tram", NULL, 14);
  double swings = most(w, PRESSED, 0, 7, 14) - least(w, PRESSED, 7, 14);
  printf("wheel, at rest: the load swings by %.2g N of 300\n", swings);
  assert_true(swings < 1e-2);
  drop(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(braked_hard_it_blocks), cmocka_unit_test(braked_softly_it_rolls_to_a_stop),
      cmocka_unit_test(it_blocks_where_the_forces_say), cmocka_unit_test(released_it_rolls_again),
      cmocka_unit_test(at_rest_nothing_leaps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
