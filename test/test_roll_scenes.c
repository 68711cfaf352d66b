/* ctest: slow
 * What the rolling scenes promise: `marble` sounds the same at any rate; what is off the middle is heard once
 * per turn, the more the faster; `ball` passes from bounces to rolling to silence; `slide` tells rolled from
 * slid; `track` stays in its tray. */
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

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

/* ---- marble at any rate ---- */

enum { SEEDS = 32, BANDS = 7 };

/* Octave bands from 125 Hz, mean power of many surfaces: each ride over one is chaos (its bands are 1 dB off
 * the mean as likely as not), their mean is not. */
static void marble_bands(double rate_hz, double power[BANDS]) {
  double edges[BANDS + 1], level_db[BANDS];
  for (int b = 0; b <= BANDS; b++)
    edges[b] = 125 * exp2(b - 0.5);
  memset(power, 0, BANDS * sizeof *power);
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    play_sound s =
        play_mono(play_open("marble", NULL), (ct_render_def){.rate_hz = rate_hz, .seconds = 4, .seed = seed});
    ct_measure_bands(s.samples, s.frames, s.rate_hz, edges, BANDS, level_db);
    for (int b = 0; b < BANDS; b++)
      power[b] += pow(10, level_db[b] / 10) / SEEDS;
    free(s.samples);
  }
}

static void marble_is_the_same_at_any_rate(void **state) {
  (void)state;
  double low[BANDS], high[BANDS], worst = 0;
  marble_bands(44100, low);
  marble_bands(192000, high);
  for (int b = 0; b < BANDS; b++) {
    double apart_db = 10 * log10(low[b] / high[b]);
    printf("%5g Hz: %6.2f dB at 44.1 kHz, %+.2f dB against 192 kHz\n", 125 * exp2(b), 10 * log10(low[b]),
           apart_db);
    worst = fmax(worst, fabs(apart_db));
  }
  assert_true(worst < 1);
}

/* ---- once per turn ---- */

/* `marble` led over a sine that makes a steady tone of 6 kHz, far above the ball's bounce on its own contact
 * (1 kHz). There the force is the contact's stiffness times the sine, and stiffness goes as the cube root of
 * the load: an asymmetry A modulates the tone by A (v/r)^2 / 3 g. */
static ct_measured_modulation modulation_at(double speed_m_s, double lean_m) {
  ct_doc *doc = play_open("marble", NULL);
  const double tone_hz = 6000, depth_m = 1e-8; /* small against the compression of 0.4 um */
  play_set_text(doc, "surfaces.grain.kind", "sine");
  play_set_text(doc, "drives.roll.motion", "imposed");
  play_set(doc, "surfaces.grain.grid_m", 2e-6); /* twelve heights to the shortest wave */
  play_set(doc, "roll.speed_m_s", speed_m_s);
  play_set(doc, "roll.high_m", 0);
  play_set(doc, "roll.travel_m", 1e4);
  play_set(doc, "roughness", 1e-7);
  play_set(doc, "controls.roughness.targets.0.from", depth_m);
  play_set(doc, "controls.grain_length.min", 1e-5);
  play_set(doc, "controls.grain_length.targets.0.from", 1e-5);
  play_set(doc, "grain_length", speed_m_s / tone_hz);
  play_set(doc, "asymmetry", lean_m);
  static const char *const taps[] = {"touch.force_n"};
  static const ct_gesture nothing;
  ct_render_def def = {.seconds = 6, .gesture = &nothing, .taps = taps, .tap_count = 1};
  ct_render *r = NULL;
  ct_error error = {0};
  must(ct_render_open(doc, &def, &r, &error), &error);
  double *force = calloc((size_t)ct_render_frames(r), sizeof *force);
  ct_render_block b;
  size_t count = 0;
  for (must(ct_render_next(r, &b, &error), &error); b.frames; must(ct_render_next(r, &b, &error), &error))
    for (uint32_t i = 0; i < b.frames; i++)
      force[count++] = b.taps[0][i];
  assert_true(force && count > 48000);
  for (size_t n = count - 1; n > 0; n--) /* the tone without the load under it */
    force[n] -= force[n - 1];
  double rate = speed_m_s / (2 * M_PI * 0.008);
  ct_measured_modulation m =
      ct_measure_modulation(force + 48000, count - 48000, 48000, 0.6 * rate, 1.6 * rate);
  free(force);
  ct_render_close(r);
  ct_doc_destroy(doc);
  return m;
}

static void wobble_is_heard(void **state) {
  (void)state;
  const double lean = 5e-4, radius = 0.008, speeds[] = {0.15, 0.21, 0.3, 0.42};
  bool good = true;
  for (int i = 0; i < 4; i++) {
    double v = speeds[i], rate = v / (2 * M_PI * radius),
           depth = lean * (v / radius) * (v / radius) / (3 * 9.81);
    ct_measured_modulation m = modulation_at(v, lean);
    printf("%.2f m/s: modulated %.4f times a second (v / 2 pi r: %.4f), depth %.4f (A (v/r)^2 / 3 g: %.4f)\n",
           v, m.rate_hz, rate, m.depth, depth);
    good &= fabs(m.rate_hz / rate - 1) < 0.02 && fabs(m.depth / depth - 1) < 0.1;
  }
  assert_true(good);
}

/* ---- from bounce to rest ---- */

typedef struct ride {
  double last_bounce_s, stops_s, quiet_s, t60_s, worst_ledger, rolling_db, motion_j;
} ride;

static double longest_t60_s(ct_scene *scene, const char *body) {
  double longest = 0;
  for (int i = 0;; i++) {
    char path[64];
    ct_handle handle;
    snprintf(path, sizeof path, "%s.modes.%d.t60_s", body, i);
    if (ct_scene_resolve(scene, path, &handle, NULL) != CT_OK)
      return longest;
    longest = fmax(longest, ct_scene_get(scene, handle));
  }
}

/* When it is last off the floor, when it stops, and when it is last above -90 dBFS; the ledger on the way. */
static ride ride_of(const char *scene, const char *preset, const char *contact, const char *drive,
                    const char *floor) {
  char compression[64], speed[64];
  snprintf(compression, sizeof compression, "%s.compression_m", contact);
  snprintf(speed, sizeof speed, "%s.v_m_s", drive);
  const char *taps[] = {compression, speed};
  ct_doc *doc = play_open(scene, preset);
  ct_render *r = NULL;
  ct_error error = {0};
  ct_render_def def = {.seconds = 20, .ledger = true, .taps = taps, .tap_count = 2};
  must(ct_render_open(doc, &def, &r, &error), &error);
  ride out = {.last_bounce_s = 0};
  double sum = 0, rolls = 0;
  ct_render_block b;
  for (must(ct_render_next(r, &b, &error), &error); b.frames; must(ct_render_next(r, &b, &error), &error)) {
    for (uint32_t i = 0; i < b.frames; i++) {
      double time = (double)(b.start + i) / 48000, heard = fabs((double)b.outputs[0][i]);
      if (b.taps[0][i] < -1e-3) /* a bounce of a millimetre, not a hop over grain */
        out.last_bounce_s = time;
      if (b.taps[1][i] != 0)
        out.stops_s = time;
      if (heard >= pow(10, -90.0 / 20))
        out.quiet_s = time;
      bool rolling = b.taps[1][i] != 0 && time > out.last_bounce_s + 0.3;
      sum += rolling ? heard * heard : 0;
      rolls += rolling;
    }
    ct_ledger l = ct_scene_ledger(ct_render_scene(r));
    out.motion_j = fmax(out.motion_j, fabs(l.motion_j));
    out.worst_ledger = fmax(out.worst_ledger, fabs(l.error_j) / l.allowance_j);
  }
  out.t60_s = longest_t60_s(ct_render_scene(r), floor);
  out.rolling_db = 10 * log10(sum / rolls);
  ct_render_close(r);
  ct_doc_destroy(doc);
  return out;
}

static void check_ride(const char *preset) {
  ride t = ride_of("ball", preset, "touch", "roll", "boards");
  printf("ball %s: last bounce at %.2f s, rolls at %.1f dBFS, stops at %.2f s, below -90 dBFS from %.2f s "
         "(t60 %.2f s), ledger %.2g of what is allowed\n",
         preset ? preset : "-", t.last_bounce_s, t.rolling_db, t.stops_s, t.quiet_s, t.t60_s, t.worst_ledger);
  assert_true(t.last_bounce_s > 0.2);
  assert_true(t.stops_s > t.last_bounce_s + 0.5); /* it rolls */
  assert_true(t.rolling_db > -80);
  assert_true(t.stops_s < 15);
  assert_true(t.quiet_s < t.stops_s + 1 + 1.5 * t.t60_s);
  assert_true(t.worst_ledger <= 1 && t.motion_j == 0); /* nobody moves it */
}

static void ball_comes_to_rest(void **state) {
  (void)state;
  check_ride(NULL);
  check_ride("bowl");
  check_ride("pingpong");
  check_ride("stone");
}

/* ---- rolled against slid ---- */

typedef struct line {
  double hz, depth;
} line;

/* The largest line in the modulation of four seconds of a channel's power, from 1.5 to 20 Hz. */
static line largest_line(play_sound s, uint32_t channel) {
  enum { START = 24000, EVERY = 480, POWERS = 400 };
  double power[POWERS] = {0}, mean = 0;
  line best = {0, 0};
  assert_true(s.frames >= START + POWERS * EVERY);
  for (size_t n = 0; n < (size_t)POWERS * EVERY; n++) {
    double x = s.samples[s.channels * (START + n) + channel];
    power[n / EVERY] += x * x;
    mean += x * x / POWERS;
  }
  for (double hz = 1.5; hz < 20; hz += 0.05) {
    double re = 0, im = 0;
    for (int n = 0; n < POWERS; n++) {
      double part = (1 - cos(2 * M_PI * (n + 0.5) / POWERS)) * (power[n] / mean - 1) * 2 / POWERS;
      re += part * cos(2 * M_PI * hz * n * EVERY / s.rate_hz);
      im += part * sin(2 * M_PI * hz * n * EVERY / s.rate_hz);
    }
    if (hypot(re, im) > best.depth)
      best = (line){hz, hypot(re, im)};
  }
  return best;
}

/* The same can over the same tables, at the scene's own settings: in four seconds turning is the strongest
 * rhythm of the rolled one; that of the slid one is chance, and weaker. */
static void rolled_is_not_slid(void **state) {
  (void)state;
  enum { TABLES = 12 };
  static const char *const paths[] = {"speed"};
  static const double times[] = {0, 0.2}, speeds[] = {0, 1.2}, *const values[] = {speeds};
  ct_gesture steady = {2, 1, times, paths, values};
  double turn_hz = 1.2 / (2 * M_PI * 0.035);
  uint32_t at_turn[2] = {0}, larger = 0;
  for (uint64_t seed = 1; seed <= TABLES; seed++) {
    ct_doc *doc = play_open("slide", NULL);
    play_set(doc, "left.pan", -1);
    play_set(doc, "right.pan", 1);
    play_sound s =
        play_doc(doc, (ct_render_def){.rate_hz = 48000, .seconds = 4.5, .seed = seed, .gesture = &steady});
    assert_int_equal(s.channels, 2);
    line rolled = largest_line(s, 0), slid = largest_line(s, 1);
    at_turn[0] += fabs(rolled.hz - turn_hz) <= 0.25;
    at_turn[1] += fabs(slid.hz - turn_hz) <= 0.25;
    larger += rolled.depth > slid.depth;
    free(s.samples);
  }
  printf("largest line at one per turn on %u of %d tables rolled, on %u slid; larger rolled on %u\n",
         at_turn[0], TABLES, at_turn[1], larger);
  assert_true(at_turn[0] >= TABLES - 1 && larger >= TABLES - 1 && at_turn[1] <= TABLES / 3);
}

/* ---- the tray ---- */

/* The rims give way while they are knocked: by v knock_s / pi, a third of a millimetre. */
static void tray_holds_the_ball(void **state) {
  (void)state;
  static const char *const taps[] = {"x.x_m", "y.x_m"};
  ct_doc *doc = play_open("track", NULL);
  ct_render *r = NULL;
  ct_error error = {0};
  must(ct_render_open(doc, &(ct_render_def){.taps = taps, .tap_count = 2}, &r, &error), &error);
  double low[2] = {0, 0}, high[2] = {0, 0};
  ct_render_block b;
  for (must(ct_render_next(r, &b, &error), &error); b.frames; must(ct_render_next(r, &b, &error), &error))
    for (uint32_t i = 0; i < b.frames; i++)
      for (int axis = 0; axis < 2; axis++) {
        low[axis] = fmin(low[axis], b.taps[axis][i]);
        high[axis] = fmax(high[axis], b.taps[axis][i]);
      }
  printf("along %.5f .. %.5f m, across %.5f .. %.5f m\n", low[0], high[0], low[1], high[1]);
  assert_true(low[0] >= -0.1605 && high[0] <= 0.1605 && low[1] >= -0.1105 && high[1] <= 0.1105);
  assert_true(high[0] - low[0] > 0.3 && high[1] - low[1] > 0.15); /* to and fro, both ways */
  assert_int_equal(ct_scene_counters(ct_render_scene(r)).late_paths, 0);
  ct_render_close(r);
  ct_doc_destroy(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(marble_is_the_same_at_any_rate),
                                     cmocka_unit_test(wobble_is_heard), cmocka_unit_test(ball_comes_to_rest),
                                     cmocka_unit_test(rolled_is_not_slid),
                                     cmocka_unit_test(tray_holds_the_ball)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
