/* Forces, gravity and imposed motion against closed forms; what pickups hear; what happens to input that
 * makes no sense. */
#include "support/lab.h"
#include "support/random_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 4800 };

static const double rate_hz = 48000;

/* ---- no contact: exact at every sample */

static void free_mass_under_force(void **state) {
  (void)state;
  static double x[FRAMES];
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_mass(scene, "ball", 0.02, 0.001, -0.1);
  lab_settle(scene);
  lab_set(scene, "ball.at.force_n", 0.3, 0, 0);
  lab_record(scene, "ball.at.x_m", x, FRAMES);
  double worst = 0;
  for (int n = 0; n < FRAMES; n++) {
    double t = n / rate_hz;
    worst = fmax(worst, fabs(x[n] - (0.001 - 0.1 * t + 0.3 / 0.02 * t * t / 2)));
  }
  double t = FRAMES / rate_hz, v = -0.1 + 0.3 / 0.02 * t;
  ct_ledger l = ct_scene_ledger(scene);
  printf("parabola: off by %.2g m; ledger %.2g\n", worst, lab_ledger_error(scene));
  assert_true(worst < 1e-14);
  assert_true(fabs(lab_get(scene, "ball.at.v_m_s") / v - 1) < 1e-12);
  assert_true(fabs(l.force_j - 0.02 * (v * v - 0.01) / 2) < 1e-14);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

static void free_fall(void **state) {
  (void)state;
  static double x[FRAMES];
  ct_scene *scene = lab_scene(rate_hz, 9.81);
  const ct_mode_def modes[2] = {{.mass_kg = 0.02}, {.hz = 500, .mass_kg = 0.02}};
  lab_modal(scene, "body", modes, 2);
  lab_settle(scene);
  lab_record(scene, "body.at.x_m", x, FRAMES);
  double worst = 0;
  for (int n = 0; n < FRAMES; n++)
    worst = fmax(worst, fabs(x[n] + 9.81 * n / rate_hz * n / rate_hz / 2));
  printf("free fall: off by %.2g m; ledger %.2g\n", worst, lab_ledger_error(scene));
  assert_true(worst < 1e-14);
  assert_true(lab_get(scene, "body.modes.1.x_m") == 0); /* gravity pulls what no spring holds, nothing else */
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* x = F / m w^2 (1 - cos w t) without loss; with loss the held force ends at F / m w^2. */
static void sprung_mode_under_force(void **state) {
  (void)state;
  static double x[2][FRAMES];
  const double w = 2 * M_PI * 700, still = 2 / (0.05 * w * w);
  double worst = 0;
  for (int lossy = 0; lossy < 2; lossy++) {
    const ct_mode_def mode = {.hz = 700, .mass_kg = 0.05, .t60_s = lossy ? 0.01 : 0};
    ct_scene *scene = lab_scene(rate_hz, 0);
    lab_modal(scene, "bar", &mode, 1);
    lab_settle(scene);
    lab_set(scene, "bar.at.force_n", 2, 0, 0);
    lab_record(scene, "bar.at.x_m", x[lossy], FRAMES);
    assert_true(lab_ledger_error(scene) < 1e-12);
    ct_scene_destroy(scene);
  }
  for (int n = 0; n < FRAMES; n++)
    worst = fmax(worst, fabs(x[0][n] / still - 1 + cos(w * n / rate_hz)));
  printf("sprung mode: off by %.2g of its rest place; with loss it ends there to %.2g\n", worst,
         fabs(x[1][FRAMES - 1] / still - 1));
  assert_true(worst < 1e-11);
  assert_true(fabs(x[1][FRAMES - 1] / still - 1) < 1e-12);
}

/* A drag with no spring: v = v0 e^(-g t), x = v0 (1 - e^(-g t)) / g. */
static void dragged_mass(void **state) {
  (void)state;
  static double x[FRAMES];
  const double g = 2 * log(1000) / 0.05;
  const ct_mode_def mode = {.t60_s = 0.05, .mass_kg = 0.1, .v_m_s = 3};
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_modal(scene, "ball", &mode, 1);
  lab_settle(scene);
  lab_record(scene, "ball.at.x_m", x, FRAMES);
  double worst = 0, end = FRAMES / rate_hz;
  for (int n = 0; n < FRAMES; n++)
    worst = fmax(worst, fabs(x[n] / (3 / g) + expm1(-g * n / rate_hz)));
  double v = lab_get(scene, "ball.at.v_m_s") / (3 * exp(-g * end)) - 1;
  ct_ledger l = ct_scene_ledger(scene);
  printf("dragged mass: place off by %.2g, speed by %.2g, loss by %.2g\n", worst, v,
         l.lost_bodies_j / (0.05 * 9) - 1);
  assert_true(worst < 1e-13 && fabs(v) < 1e-11);
  assert_true(fabs(l.lost_bodies_j / (0.1 * 9 / 2 * -expm1(-2 * g * end)) - 1) < 1e-12);
  ct_scene_destroy(scene);
}

/* A force that comes and goes leaves nothing behind: once it is zero again, not a bit of speed changes. */
static void force_lets_go(void **state) {
  (void)state;
  static double force[FRAMES], v[FRAMES];
  random_state r = {51};
  for (int n = 0; n < FRAMES; n++)
    force[n] = n < FRAMES / 2 ? random_log(&r, 1e-6, 1e5) * (n % 2 ? 1 : -1) : 0;
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_mass(scene, "ball", 0.02, 0, 0);
  lab_settle(scene);
  ct_input input = {lab_handle(scene, "ball.at.force_n"), force};
  ct_tap tap = {lab_handle(scene, "ball.at.v_m_s"), v};
  ct_scene_process(
      scene, &(ct_io){.frames = FRAMES, .inputs = &input, .input_count = 1, .taps = &tap, .tap_count = 1});
  double sum = 0, size = 0;
  for (int n = 0; n < FRAMES / 2; n++) {
    sum += force[n] / rate_hz / 0.02;
    size += fabs(force[n]) / rate_hz / 0.02;
  }
  printf("force let go: speed off by %.2g m/s, then changes by %.2g m/s\n", v[FRAMES / 2] - sum,
         v[FRAMES - 1] - v[FRAMES / 2]);
  assert_true(fabs(v[FRAMES / 2] - sum) < 1e-13 * size);
  assert_true(v[FRAMES - 1] == v[FRAMES / 2]);
  ct_scene_destroy(scene);
}

/* ---- with contacts */

/* A hand at speed V meets a resting mass: without loss it leaves at 2 V, and the hand has done 2 m V^2. */
static void hand_throws_a_mass(void **state) {
  (void)state;
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_hand(scene, "hand", -1e-3, 0.7);
  lab_mass(scene, "ball", 0.03, 0, 0);
  lab_touch(scene, lab_law("push", "hand.at", "ball.at", 1e6, 1.5, 0));
  lab_settle(scene);
  lab_step(scene, FRAMES);
  ct_ledger l = ct_scene_ledger(scene);
  double v = lab_get(scene, "ball.at.v_m_s");
  printf("hand at 0.7 m/s throws a mass at %.15g m/s, work %.15g J; hand at %.6g m\n", v, l.motion_j,
         lab_get(scene, "hand.at.x_m"));
  assert_true(fabs(v / 1.4 - 1) < 1e-12);
  assert_true(fabs(l.motion_j / (2 * 0.03 * 0.49) - 1) < 1e-12);
  assert_true(fabs(lab_get(scene, "hand.at.x_m") - (-1e-3 + 0.7 * FRAMES / rate_hz)) < 1e-12);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* The hand's work is what the scene gained or lost, whatever it does. */
static void hand_works(void **state) {
  (void)state;
  static double x[FRAMES];
  for (int n = 0; n < FRAMES; n++)
    x[n] = 2e-4 * (1 - cos(2 * M_PI * 90 * n / rate_hz));
  const ct_mode_def modes[2] = {{.hz = 150, .t60_s = 0.3, .mass_kg = 0.05},
                                {.hz = 700, .t60_s = 0.1, .mass_kg = 0.05}};
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_modal(scene, "drum", modes, 2);
  lab_hand(scene, "hand", 0, 0);
  lab_touch(scene, lab_law("push", "hand.at", "drum.at", 1e6, 1.5, 0.5));
  lab_settle(scene);
  ct_input input = {lab_handle(scene, "hand.x_m"), x};
  ct_scene_process(scene, &(ct_io){.frames = FRAMES, .inputs = &input, .input_count = 1});
  ct_ledger l = ct_scene_ledger(scene);
  double balance = l.stored_j + l.lost_bodies_j + l.lost_contacts_j;
  printf("hand on a drum: work %.6g J, stored and lost %.6g J, ledger %.2g\n", l.motion_j, balance,
         lab_ledger_error(scene));
  assert_true(l.motion_j > 1e-5 && l.lost_bodies_j > 1e-6 && l.lost_contacts_j > 1e-7);
  assert_true(fabs(l.motion_j - balance) < 1e-12 * l.scale_j);
  ct_scene_destroy(scene);
}

static ct_scene *drop(double height_m, double damping_s_m, ct_quality quality) {
  ct_scene *scene = lab_scene(rate_hz, 9.81);
  lab_mass(scene, "ball", 0.01, height_m, 0);
  lab_hand(scene, "floor", 0, 0);
  ct_impact_def law = lab_law("bounce", "ball.at", "floor.at", 1e8, 1.5, damping_s_m);
  law.from_above = true;
  law.quality = quality;
  lab_touch(scene, law);
  lab_settle(scene);
  return scene;
}

/* Highest place between the first and the second bounce. */
static double bounce_height(double height_m, double damping_s_m, ct_quality quality) {
  static double x[48000];
  ct_scene *scene = drop(height_m, damping_s_m, quality);
  lab_record(scene, "ball.at.x_m", x, 48000);
  int n = 0;
  double most = 0;
  for (; n < 48000 && x[n] > 0; n++)
    ;
  for (; n < 48000 && x[n] <= 0; n++)
    ;
  for (; n < 48000 && x[n] > 0; n++)
    most = fmax(most, x[n]);
  assert_true(n < 48000);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
  return most;
}

static void dropped_ball_rebounds(void **state) {
  (void)state;
  const double heights[] = {0.01, 0.05, 0.1};
  for (int i = 0; i < 3; i++) {
    double speed = sqrt(2 * 9.81 * heights[i]), back = lab_rebound_m_s(speed, 0.3);
    double want = back * back / (2 * 9.81), normal = bounce_height(heights[i], 0.3, CT_NORMAL_QUALITY),
           best = bounce_height(heights[i], 0.3, CT_BEST);
    printf("dropped from %.3g m: back to %.5f m at normal quality, %.5f m at best, closed form %.5f m\n",
           heights[i], normal, best, want);
    assert_true(fabs(normal / want - 1) < 0.015);
    assert_true(fabs(best / want - 1) < 0.002);
  }
}

/* Without loss a ball comes back as high as it fell, bounce after bounce. */
static void ball_bounces_on(void **state) {
  (void)state;
  static double x[48000];
  ct_scene *scene = drop(0.02, 0, CT_NORMAL_QUALITY);
  double most = 0;
  lab_step(scene, 48000 * 4);
  lab_record(scene, "ball.at.x_m", x, 48000);
  for (int n = 0; n < 48000; n++)
    most = fmax(most, x[n]);
  printf("after 4 s of bouncing without loss a ball from 0.02 m reaches %.9f m; ledger %.2g\n", most,
         lab_ledger_error(scene));
  assert_true(fabs(most / 0.02 - 1) < 1e-4);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* At rest the floor carries the weight: f = m g, k x^alpha = m g; an external force adds to it. */
static void ball_at_rest(void **state) {
  (void)state;
  ct_scene *scene = lab_scene(rate_hz, 9.81);
  lab_mass(scene, "ball", 0.01, 1e-4, 0);
  lab_hand(scene, "floor", 0, 0);
  ct_impact_def law = lab_law("rest", "ball.at", "floor.at", 1e6, 1.5, 300);
  law.from_above = true;
  lab_touch(scene, law);
  lab_settle(scene);
  lab_step(scene, 48000 * 3);
  double weight = 0.01 * 9.81, depth = pow(weight / 1e6, 1 / 1.5);
  printf("ball at rest: force %.9g N of %.9g N, depth %.9g m of %.9g m, ledger %.2g\n",
         lab_get(scene, "rest.force_n"), weight, -lab_get(scene, "ball.at.x_m"), depth,
         lab_ledger_error(scene));
  assert_true(fabs(lab_get(scene, "rest.force_n") / weight - 1) < 1e-3);
  assert_true(fabs(-lab_get(scene, "ball.at.x_m") / depth - 1) < 1e-3);
  lab_set(scene, "ball.at.force_n", -1, 0.01, 0);
  lab_step(scene, 48000);
  printf("pressed with another newton: force %.9g N, ledger %.2g\n", lab_get(scene, "rest.force_n"),
         lab_ledger_error(scene));
  assert_true(fabs(lab_get(scene, "rest.force_n") / (weight + 1) - 1) < 1e-3);
  assert_true(fabs(lab_get(scene, "rest.compression_m") + lab_get(scene, "ball.at.x_m")) < 1e-12);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* A force at another point of the body reaches the contact in the same step. */
static void force_reaches_the_contact(void **state) {
  (void)state;
  const double rows[2][2] = {{1, 0.5}, {0.3, -1}};
  const ct_mode_def modes[2] = {{.hz = 300, .t60_s = 0.2, .mass_kg = 0.05},
                                {.hz = 900, .t60_s = 0.1, .mass_kg = 0.05}};
  const ct_point_def points[2] = {{.name = "near", .gains = {rows[0]}, .gain_count = 2},
                                  {.name = "far", .gains = {rows[1]}, .gain_count = 2}};
  ct_modal_def def = ct_default_modal_def();
  def.name = "bar";
  def.modes = modes;
  def.mode_count = 2;
  def.points = points;
  def.point_count = 2;
  static double force[FRAMES];
  random_state r = {52};
  for (int n = 0; n < FRAMES; n++)
    force[n] = 20 * sin(2 * M_PI * 250 * n / rate_hz) + random_between(&r, -5, 5);
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_body(scene, &def);
  lab_hand(scene, "stop", 0, 0);
  lab_touch(scene, lab_law("touch", "bar.near", "stop.at", 1e7, 1.5, 0.5));
  lab_settle(scene);
  ct_handle depth = lab_handle(scene, "touch.compression_m"), at = lab_handle(scene, "bar.near.x_m"),
            push = lab_handle(scene, "bar.far.force_n");
  double worst = 0, deepest = 0;
  for (int n = 0; n < FRAMES; n++) {
    ct_input input = {push, &force[n]};
    ct_scene_process(scene, &(ct_io){.frames = 1, .inputs = &input, .input_count = 1});
    worst = fmax(worst, fabs(ct_scene_get(scene, depth) - ct_scene_get(scene, at)));
    deepest = fmax(deepest, ct_scene_get(scene, depth));
  }
  printf("forced bar on a stop: compression %.2g m at most, off the geometry by %.2g m, ledger %.2g\n",
         deepest, worst, lab_ledger_error(scene));
  assert_true(deepest > 1e-6 && worst < 1e-15);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* ---- pickups */

typedef struct heard {
  double raw[FRAMES], x[FRAMES], v[FRAMES], force[FRAMES];
  float out[FRAMES];
} heard;

static void hear(ct_listen listen, double full_scale, heard *h) {
  const ct_mode_def modes[2] = {{.hz = 440, .t60_s = 0.5, .mass_kg = 0.05},
                                {.hz = 1000, .t60_s = 0.2, .mass_kg = 0.05}};
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_modal(scene, "bar", modes, 2);
  lab_mass(scene, "hammer", 0.01, -1e-3, 1);
  lab_touch(scene, lab_law("strike", "hammer.at", "bar.at", 1e7, 1.5, 0.3));
  lab_pickup(scene, "ear", listen == CT_FORCE ? "strike" : "bar.at", listen, full_scale);
  lab_settle(scene);
  ct_tap taps[3] = {{lab_handle(scene, "bar.at.x_m"), h->x},
                    {lab_handle(scene, "bar.at.v_m_s"), h->v},
                    {lab_handle(scene, "strike.force_n"), h->force}};
  float *out = h->out;
  double *raw = h->raw;
  ct_scene_process(scene,
                   &(ct_io){.frames = FRAMES, .outputs = &out, .raw = &raw, .taps = taps, .tap_count = 3});
  ct_scene_destroy(scene);
}

static void pickups_hear_what_they_say(void **state) {
  (void)state;
  static heard h;
  hear(CT_DISPLACEMENT, 1, &h);
  assert_memory_equal(h.raw, h.x, sizeof h.raw);
  assert_true(lab_relative_rms(h.raw, (double[]){0, 0, 1}, 3) == 1); /* silent before the strike */
  hear(CT_VELOCITY, 1, &h);
  assert_memory_equal(h.raw, h.v, sizeof h.raw);
  hear(CT_FORCE, 1, &h);
  assert_memory_equal(h.raw, h.force, sizeof h.raw);
  hear(CT_ACCELERATION, 1, &h);
  double worst = 0, most = 0;
  for (int n = 1; n < FRAMES; n++) {
    worst = fmax(worst, fabs(h.raw[n] - (h.v[n] - h.v[n - 1]) * rate_hz));
    most = fmax(most, fabs(h.raw[n]));
  }
  assert_true(most > 1 && worst <= 1e-12 * most);
}

/* The output is the raw signal over full scale, behind y = x - x' + p y'. */
static void full_scale_and_dc_blocker(void **state) {
  (void)state;
  static heard h;
  hear(CT_VELOCITY, 0.25, &h);
  double pole = exp(-2 * M_PI * 20 / rate_hz), y = 0, last = 0, worst = 0;
  for (int n = 0; n < FRAMES; n++) {
    y = h.raw[n] - last + pole * y;
    last = h.raw[n];
    worst = fmax(worst, fabs(y / 0.25 - (double)h.out[n]));
  }
  printf("output off the blocked signal by %.2g\n", worst);
  assert_true(worst < 1e-6);
}

/* Gain of the output path for one undamped mode at `hz`: near zero below 20 Hz, -3 dB there, 1 above. */
static double path_gain(double hz) {
  static float out[96000];
  static double raw[96000];
  const ct_mode_def mode = {.hz = hz, .mass_kg = 1, .v_m_s = 0.1};
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_modal(scene, "bar", &mode, 1);
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 0.5);
  lab_settle(scene);
  float *to = out;
  double *plain = raw, heard_power = 0, power = 0;
  ct_scene_process(scene, &(ct_io){.frames = 96000, .outputs = &to, .raw = &plain});
  for (int n = 48000; n < 96000; n++) {
    heard_power += 0.25 * (double)out[n] * (double)out[n];
    power += raw[n] * raw[n];
  }
  ct_scene_destroy(scene);
  return sqrt(heard_power / power);
}

static void dc_blocker_is_at_20_hz(void **state) {
  (void)state;
  double at_2 = path_gain(2), at_20 = path_gain(20), at_1000 = path_gain(1000);
  printf("DC blocker: %.2f dB at 2 Hz, %.2f dB at 20 Hz, %.3f dB at 1 kHz\n", 20 * log10(at_2),
         20 * log10(at_20), 20 * log10(at_1000));
  assert_true(fabs(at_2 - 2 / sqrt(404)) < 0.003);
  assert_true(fabs(20 * log10(at_20) + 3.01) < 0.05);
  assert_true(fabs(20 * log10(at_1000)) < 0.02);
}

static void pan_keeps_power(void **state) {
  (void)state;
  const ct_mode_def mode = {.hz = 300, .mass_kg = 1, .v_m_s = 0.1};
  const double pans[3] = {-1, 0, 0.5};
  for (int k = 0; k < 3; k++) {
    double left[64], right[64], *raw[2] = {left, right}, v[64];
    ct_scene_def def = ct_default_scene_def();
    def.channels = 2;
    ct_scene *scene = lab_scene_from(&def);
    lab_modal(scene, "bar", &mode, 1);
    lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
    lab_settle(scene);
    lab_set(scene, "ear.pan", pans[k], 0, 0);
    ct_tap tap = {lab_handle(scene, "bar.at.v_m_s"), v};
    ct_scene_process(scene, &(ct_io){.frames = 64, .raw = raw, .taps = &tap, .tap_count = 1});
    double angle = (pans[k] + 1) * M_PI / 4;
    for (int n = 0; n < 64; n++) {
      assert_true(fabs(left[n] - v[n] * cos(angle)) < 1e-15);
      assert_true(fabs(right[n] - v[n] * sin(angle)) < 1e-15);
    }
    ct_scene_destroy(scene);
  }
}

/* ---- what makes no sense */

/* A mode at or above Nyquist is counted and gone: the rest sounds as if it had never been there. */
static void mode_above_nyquist(void **state) {
  (void)state;
  static double x[2][FRAMES];
  for (int with = 0; with < 2; with++) {
    const ct_mode_def modes[3] = {{.hz = 440, .t60_s = 0.5, .mass_kg = 0.05},
                                  {.hz = 23999, .t60_s = 0.5, .mass_kg = 0.05},
                                  {.hz = 24000, .t60_s = 0.2, .mass_kg = 0.01, .x_m = 1, .v_m_s = 3}};
    ct_scene *scene = lab_scene(rate_hz, 0);
    lab_modal(scene, "bar", modes, with ? 3 : 2);
    lab_mass(scene, "hammer", 0.01, -1e-3, 1);
    lab_touch(scene, lab_law("strike", "hammer.at", "bar.at", 1e7, 1.5, 0.3));
    lab_settle(scene);
    lab_record(scene, "bar.at.x_m", x[with], FRAMES);
    assert_int_equal(ct_scene_counters(scene).dropped_modes, with);
    if (with) {
      lab_set(scene, "bar.modes.2.v_m_s", 5, 0, 0);
      lab_step(scene, 1);
      assert_true(lab_get(scene, "bar.modes.2.x_m") == 0 && lab_get(scene, "bar.modes.2.v_m_s") == 0);
    }
    assert_true(lab_ledger_error(scene) < 1e-12);
    ct_scene_destroy(scene);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
}

/* Not a number: the last good value stays. Out of range: the end of the range is taken. Both are counted. */
static void senseless_inputs(void **state) {
  (void)state;
  double force[8] = {1, (double)NAN, (double)INFINITY, 2, -(double)INFINITY, 1e9, -2e6, 0}, got[8];
  const double want[8] = {1, 1, 1, 2, 2, 1e6, -1e6, 0};
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_mass(scene, "ball", 1, 0, 0);
  lab_settle(scene);
  ct_input input = {lab_handle(scene, "ball.at.force_n"), force};
  ct_tap tap = {lab_handle(scene, "ball.at.force_n"), got};
  ct_scene_process(scene,
                   &(ct_io){.frames = 8, .inputs = &input, .input_count = 1, .taps = &tap, .tap_count = 1});
  for (int n = 0; n < 8; n++)
    assert_true(got[n] == want[n]);
  ct_counters c = ct_scene_counters(scene);
  assert_int_equal(c.dropped_inputs, 3);
  assert_int_equal(c.clamped_inputs, 2);
  assert_true(fabs(lab_get(scene, "ball.at.v_m_s") * rate_hz - 7) < 1e-9);
  ct_scene_destroy(scene);
}

static void senseless_messages(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_mass(scene, "ball", 1, 0, 0);
  lab_settle(scene);
  ct_handle force = lab_handle(scene, "ball.at.force_n"), x = lab_handle(scene, "ball.at.x_m");
  assert_int_equal(ct_scene_set(scene, force, (double)NAN, 0, 0, &error), CT_BAD_VALUE);
  assert_int_equal(ct_scene_set(scene, force, 2e6, 0, 0, &error), CT_BAD_VALUE);
  assert_non_null(strstr(error.text, "out of range"));
  assert_int_equal(ct_scene_set(scene, x, 0, 0, 0, &error), CT_BAD_PATH);
  lab_step(scene, 10);
  assert_true(lab_get(scene, "ball.at.x_m") == 0 && lab_get(scene, "ball.at.force_n") == 0);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(free_mass_under_force),
                                     cmocka_unit_test(free_fall),
                                     cmocka_unit_test(sprung_mode_under_force),
                                     cmocka_unit_test(dragged_mass),
                                     cmocka_unit_test(force_lets_go),
                                     cmocka_unit_test(hand_throws_a_mass),
                                     cmocka_unit_test(hand_works),
                                     cmocka_unit_test(dropped_ball_rebounds),
                                     cmocka_unit_test(ball_bounces_on),
                                     cmocka_unit_test(ball_at_rest),
                                     cmocka_unit_test(force_reaches_the_contact),
                                     cmocka_unit_test(pickups_hear_what_they_say),
                                     cmocka_unit_test(full_scale_and_dc_blocker),
                                     cmocka_unit_test(dc_blocker_is_at_20_hz),
                                     cmocka_unit_test(pan_keeps_power),
                                     cmocka_unit_test(mode_above_nyquist),
                                     cmocka_unit_test(senseless_inputs),
                                     cmocka_unit_test(senseless_messages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
