/* ctest: slow
 * What the rolling scenes let one hear, by number: tiles under a skateboard, a barrel's turns, the joints of
 * a wheel's rails, scratches few and many; and what exaggeration exaggerates. */
#include "support/play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

/* A control that goes from 0 to its value within 0.2 s and stays there. */
typedef struct steady {
  const char *path[1];
  double times[2], values[2], *columns[1];
  ct_gesture gesture;
} steady;

static const ct_gesture *hold(steady *s, const char *path, double value) {
  *s = (steady){.path = {path}, .times = {0, 0.2}, .values = {0, value}};
  s->columns[0] = s->values;
  s->gesture = (ct_gesture){2, 1, s->times, s->path, (const double *const *)s->columns};
  return &s->gesture;
}

/* Renders and keeps two taps; frees the document. */
typedef struct tapped {
  double *tap[2];
  size_t frames;
} tapped;

static tapped tap(ct_doc *doc, const char *const paths[2], double seconds, const ct_gesture *gesture) {
  ct_error error = {0};
  ct_render *r = NULL;
  ct_render_def def = {.seconds = seconds, .gesture = gesture, .taps = paths, .tap_count = 2};
  must(ct_render_open(doc, &def, &r, &error), &error);
  size_t room = (size_t)ct_render_frames(r);
  tapped t = {{calloc(room, sizeof(double)), calloc(room, sizeof(double))}, 0};
  assert_true(t.tap[0] && t.tap[1]);
  ct_render_block b;
  for (must(ct_render_next(r, &b, &error), &error); b.frames; must(ct_render_next(r, &b, &error), &error))
    for (uint32_t i = 0; i < b.frames; i++, t.frames++)
      for (int k = 0; k < 2; k++)
        t.tap[k][t.frames] = b.taps[k][i];
  ct_render_close(r);
  ct_doc_destroy(doc);
  return t;
}

static void free_tapped(tapped *t) {
  free(t->tap[0]);
  free(t->tap[1]);
}

/* ---- skate ---- */

static void a_clack_per_tile(void **state) {
  (void)state;
  const double speeds[] = {1.2, 2.4}, tile = 0.3;
  for (int i = 0; i < 2; i++) {
    steady s;
    ct_doc *doc = play_open("skate", NULL);
    play_set(doc, "irregularity", 0);
    play_set(doc, "tile", tile);
    play_sound heard = play_mono(doc, (ct_render_def){.seconds = 6, .gesture = hold(&s, "speed", speeds[i])});
    double rate = speeds[i] / tile;
    ct_measured_modulation m =
        ct_measure_modulation(play_from(heard, 1), heard.frames - 48000, 48000, 0.6 * rate, 1.6 * rate);
    printf("%g m/s over tiles of %g m: %.3f clacks a second, depth %.2f\n", speeds[i], tile, m.rate_hz,
           m.depth);
    assert_true(fabs(m.rate_hz / rate - 1) < 0.01);
    assert_true(m.depth > 0.5);
    free(heard.samples);
  }
}

/* ---- barrel ---- */

/* How much of the power comes and goes at a rate: 2 |sum of e exp(i w t)| / sum of e. */
static double share_at(play_sound s, double start_s, double hz) {
  double re = 0, im = 0, all = 0;
  for (size_t n = (size_t)(start_s * s.rate_hz); n < s.frames; n++) {
    double e = s.samples[n] * s.samples[n], angle = 2 * M_PI * hz * (double)n / s.rate_hz;
    re += e * cos(angle);
    im += e * sin(angle);
    all += e;
  }
  return 2 * hypot(re, im) / all;
}

/* Twenty staves: twenty thumps per turn, and none from a round barrel. */
static void a_thump_per_stave(void **state) {
  (void)state;
  const double staves_m[] = {0, 4e-4}, turn_hz = 0.3 / (2 * M_PI * 0.28);
  double share[2];
  for (int i = 0; i < 2; i++) {
    steady s;
    ct_doc *doc = play_open("barrel", NULL);
    play_set(doc, "staves", staves_m[i]);
    play_sound heard = play_mono(doc, (ct_render_def){.seconds = 10, .gesture = hold(&s, "speed", 0.3)});
    share[i] = share_at(heard, 2, 20 * turn_hz);
    free(heard.samples);
  }
  printf("barrel: %.3f of its power comes and goes with its staves; round, %.3f\n", share[1], share[0]);
  assert_true(share[1] > 0.2 && share[1] > 4 * share[0]);
}

/* ---- wheel ---- */

/* The tyre is three plates: the force on the tread dips once per joint; between two dips the wheel has made a
 * third of a turn. */
static void a_wheel_meets_its_joints(void **state) {
  (void)state;
  static const char *const paths[] = {"clatter.x_m", "tread.force_n"};
  ct_doc *doc = play_open("wheel", NULL);
  const double plate_m = 2 * M_PI * 0.25 / 3;
  play_set(doc, "rail.depth_m", 0);
  tapped t = tap(doc, paths, 0, NULL);
  double last = -1, worst = 0, load = t.tap[1][100], turned = t.tap[0][t.frames - 1];
  int joints = 0;
  for (size_t n = 1; n < t.frames; n++)
    if (fabs(t.tap[1][n] / load - 1) > 0.5 && t.tap[0][n] > last + plate_m / 2) {
      if (joints++)
        worst = fmax(worst, fabs(t.tap[0][n] - last - plate_m));
      last = t.tap[0][n];
    }
  printf("wheel: %d joints over %.2f m, at most %.4f m off their places\n", joints, turned, worst);
  assert_true(joints >= 8);
  assert_true(worst < 0.02);
  free_tapped(&t);
}

/* ---- scrape ---- */

/* Share of the way, in stretches of half a millimetre, over which the tip meets nothing; kurtosis of what is
 * heard: 3 is a dense noise, far more are single blows. */
static void scrape_at(double density, double *smooth, double *kurtosis) {
  static const char *const paths[] = {"draw.offset_m", "draw.x_m"};
  enum { STRETCH = 240, START = 48000 };
  steady s;
  ct_doc *doc = play_open("scrape", NULL);
  play_set(doc, "density", density);
  tapped t = tap(doc, paths, 6, hold(&s, "speed", 0.1));
  double flat = 0, all = 0;
  for (size_t n = START; n + STRETCH <= t.frames; n += STRETCH, all++) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < STRETCH; i++) {
      least = fmin(least, t.tap[0][n + i]);
      most = fmax(most, t.tap[0][n + i]);
    }
    flat += most - least < 1e-8;
  }
  *smooth = flat / all;
  free_tapped(&t);
  doc = play_open("scrape", NULL);
  play_set(doc, "density", density);
  play_sound heard = play_mono(doc, (ct_render_def){.seconds = 6, .gesture = hold(&s, "speed", 0.1)});
  double square = 0, fourth = 0;
  for (size_t n = START; n < heard.frames; n++) {
    double x2 = heard.samples[n] * heard.samples[n];
    square += x2 / (double)(heard.frames - START);
    fourth += x2 * x2 / (double)(heard.frames - START);
  }
  *kurtosis = fourth / (square * square);
  free(heard.samples);
}

static void scratches_few_and_many(void **state) {
  (void)state;
  const double densities[] = {0.001, 0.01, 0.1, 1};
  double smooth[4], kurtosis[4];
  for (int i = 0; i < 4; i++) {
    scrape_at(densities[i], &smooth[i], &kurtosis[i]);
    printf("scrape, density %g: meets nothing on %.0f %% of the way, kurtosis %.1f\n", densities[i],
           100 * smooth[i], kurtosis[i]);
    assert_true(i == 0 || (smooth[i] <= smooth[i - 1] && kurtosis[i] < kurtosis[i - 1]));
  }
  assert_true(smooth[0] > 0.5 && smooth[3] < 0.01);
}

/* ---- exaggeration ---- */

/* Asymmetry times e; radius r (r / 2 cm)^((e - 1) / 2), so a marble of 8 mm turns as a smaller one. */
static void exaggeration(void **state) {
  (void)state;
  static const char *const paths[] = {"roll.offset_m", "roll.turns"};
  for (int e = 1; e <= 3; e++) {
    ct_doc *doc = play_open("marble", NULL);
    static const ct_gesture nothing;
    play_set_text(doc, "drives.roll.motion", "imposed");
    play_set(doc, "roll.speed_m_s", 0.3);
    play_set(doc, "roll.high_m", 0);
    play_set(doc, "roll.travel_m", 1e4);
    play_set(doc, "roughness", 1e-7);
    play_set(doc, "asymmetry", 2e-4);
    play_set(doc, "exaggerate", e);
    tapped t = tap(doc, paths, 2, &nothing);
    double least = INFINITY, most = -INFINITY, turns = t.tap[1][t.frames - 1] - t.tap[1][0];
    for (size_t n = 0; n < t.frames; n++) {
      least = fmin(least, t.tap[0][n]);
      most = fmax(most, t.tap[0][n]);
    }
    double radius = 0.008 * pow(0.4, (e - 1) / 2.0),
           expected = 0.3 * (double)(t.frames - 1) / 48000 / (2 * M_PI * radius);
    printf("exaggerated %d times: offset swings by %.3g m, %.3f turns (%.3f)\n", e, (most - least) / 2, turns,
           expected);
    assert_true(fabs((most - least) / 2 / (2e-4 * e) - 1) < 0.01);
    assert_true(fabs(turns / expected - 1) < 1e-3);
    free_tapped(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_clack_per_tile), cmocka_unit_test(a_thump_per_stave),
                                     cmocka_unit_test(a_wheel_meets_its_joints),
                                     cmocka_unit_test(scratches_few_and_many),
                                     cmocka_unit_test(exaggeration)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
