/* ctest: slow
 * A string against its own equations: f_n = n f0 sqrt(1 + B n^2), decay 1/t60 = a + b f^2, static shapes, the
 * same string as modes, and an account that closes. Frequencies and decays are both computed from the filters
 * and measured in the sound; that the two agree is tested first. */
#include "support/lab.h"

#include <contatto/measure.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static const double rates[] = {44100, 48000, 96000};

static ct_string_def string_of(double hz, double inharmonicity) {
  ct_string_def def = ct_default_string_def();
  def.hz = hz;
  def.inharmonicity = inharmonicity;
  def.t60_s = 3;
  def.high_t60_s = 0.5;
  return def;
}

static ct_scene *plucked(double rate_hz, const ct_string_def *def, double place) {
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_string(scene, "s", *def, (double[]){place, 0}, 2);
  lab_settle(scene);
  lab_set(scene, "s.p0.pluck_m", 1e-3, 0, 0);
  return scene;
}

static double partial(const ct_scene *scene, uint32_t n, double *t60_s) {
  ct_error error = {0};
  double hz = 0;
  if (ct_scene_string_partial(scene, "s", n, &hz, t60_s, &error) != CT_OK)
    fail_msg("%s", error.text);
  return hz;
}

static double stretched(double hz, double b, uint32_t n) { return n * hz * sqrt(1 + b * n * n); }

/* ---- pitch ---- */

/* Worst cents of the first twenty partials below a quarter of the rate. */
static double worst_partial(const ct_scene *scene, double rate_hz, double hz, double b) {
  double worst = 0, t60;
  for (uint32_t n = 1; n <= 20 && stretched(hz, b, n) < rate_hz / 4; n++)
    worst = fmax(worst, fabs(ct_measure_cents(partial(scene, n, &t60), stretched(hz, b, n))));
  return worst;
}

static void partials_are_where_stiffness_puts_them(void **state) {
  static const double pitches[] = {40, 65.4, 97, 146.8, 220, 440, 659, 1000, 1480, 2000};
  static const double stiff[] = {0, 1e-5, 6e-5, 3e-4, 1e-3};
  double worst_first = 0, worst = 0, t60;
  (void)state;
  for (int r = 0; r < 3; r++)
    for (size_t p = 0; p < sizeof pitches / sizeof pitches[0]; p++)
      for (size_t b = 0; b < sizeof stiff / sizeof stiff[0]; b++) {
        ct_string_def def = string_of(pitches[p], stiff[b]);
        ct_scene *scene = plucked(rates[r], &def, 0.1);
        double first = fabs(ct_measure_cents(partial(scene, 1, &t60), stretched(pitches[p], stiff[b], 1)));
        double most = worst_partial(scene, rates[r], pitches[p], stiff[b]);
        if (first > (pitches[p] > 1000 ? 2 : 1) || most > 3)
          fail_msg("%g Hz, B %g at %g Hz: first partial off by %g cents, worst by %g", pitches[p], stiff[b],
                   rates[r], first, most);
        worst_first = fmax(worst_first, first);
        worst = fmax(worst, most);
        ct_scene_destroy(scene);
      }
  printf("first partial within %.2g cents, twenty within %.2g\n", worst_first, worst);
}

/* Every fractional length is as good as every other: a sweep in steps of a third of a cent. */
static void no_pitch_falls_between_cells(void **state) {
  double worst = 0, t60;
  (void)state;
  for (int i = 0; i < 60; i++) {
    double hz = 1000 * exp2(i / 3600.0);
    ct_string_def def = string_of(hz, 1e-5);
    ct_scene *scene = plucked(44100, &def, 0.1);
    worst = fmax(worst, fabs(ct_measure_cents(partial(scene, 1, &t60), hz)));
    worst = fmax(worst, worst_partial(scene, 44100, hz, 1e-5) / 3);
    ct_scene_destroy(scene);
  }
  assert_true(worst < 1);
}

static void partials_sound_where_they_are_computed(void **state) {
  static const struct {
    double rate_hz, hz, b;
  } cases[] = {{44100, 2000, 1e-3}, {48000, 146.8, 6e-5}, {48000, 440, 1e-3}, {96000, 40, 1e-4}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double rate = cases[i].rate_hz, t60;
    ct_string_def def = string_of(cases[i].hz, cases[i].b);
    ct_scene *scene = plucked(rate, &def, 0.137);
    uint32_t count = (uint32_t)(1.2 * rate);
    double *heard = calloc(count, sizeof *heard);
    lab_record(scene, "s.p1.pull_n", heard, count);
    for (uint32_t n = 1; n <= 20 && stretched(cases[i].hz, cases[i].b, n) < rate / 4; n += n < 5 ? 1 : 5) {
      double expected = partial(scene, n, &t60);
      double found = ct_measure_strongest_partial(heard, count, rate, expected - 0.4 * cases[i].hz,
                                                  expected + 0.4 * cases[i].hz)
                         .hz;
      if (fabs(ct_measure_cents(found, expected)) > 0.2)
        fail_msg("partial %u of %g Hz: heard at %.5f, computed %.5f Hz", n, cases[i].hz, found, expected);
    }
    assert_true(lab_ledger_error(scene) < 1e-12);
    free(heard);
    ct_scene_destroy(scene);
  }
}

/* ---- decay ---- */

static double law_t60(const ct_string_def *def, double first_hz, double hz) {
  double low = 1 / def->t60_s, high = 1 / def->high_t60_s;
  double b = (high - low) / (def->high_hz * def->high_hz - first_hz * first_hz);
  return 1 / (low + b * (hz * hz - first_hz * first_hz));
}

/* Exact where it is given; between the two points the poles' own curve is within a tenth of the parabola as
 * long as a round trip leaves more than half. */
static void decay_follows_its_law(void **state) {
  static const double pitches[] = {65.4, 146.8, 440, 880}, t60s[] = {3, 5, 12};
  double worst = 0;
  (void)state;
  for (int r = 0; r < 3; r++)
    for (size_t p = 0; p < 4; p++)
      for (size_t t = 0; t < 3; t++) {
        ct_string_def def = string_of(pitches[p], 6e-5);
        def.t60_s = t60s[t];
        def.high_t60_s = t60s[t] / 8;
        ct_scene *scene = plucked(rates[r], &def, 0.1);
        for (uint32_t n = 1; n <= 20 && stretched(pitches[p], 6e-5, n) < def.high_hz; n++) {
          double t60, hz = partial(scene, n, &t60), law = law_t60(&def, stretched(pitches[p], 6e-5, 1), hz);
          worst = fmax(worst, fabs(t60 / law - 1));
          if (fabs(t60 / law - 1) > (n == 1 ? 0.05 : 0.1))
            fail_msg("%g Hz at %g: partial %u rings %g s, the law says %g s", pitches[p], rates[r], n, t60,
                     law);
        }
        ct_scene_destroy(scene);
      }
  printf("decay within %.2g of a + b f^2\n", worst);
}

static void decay_is_heard_as_computed(void **state) {
  ct_string_def def = string_of(146.8, 6e-5);
  ct_scene *scene = plucked(48000, &def, 0.137);
  uint32_t count = 3 * 48000;
  double *heard = calloc(count, sizeof *heard), t60;
  (void)state;
  lab_record(scene, "s.p1.pull_n", heard, count);
  for (uint32_t n = 1; n <= 13; n += 4) {
    double hz = partial(scene, n, &t60);
    ct_measured_decay d = ct_measure_decay(heard, count, 48000, hz);
    if (fabs(d.t60_s / t60 - 1) > 0.02)
      fail_msg("partial %u: heard %g s, computed %g s", n, d.t60_s, t60);
  }
  free(heard);
  ct_scene_destroy(scene);
}

/* Q = pi f t60 / ln 1000 */
static void quality_factor_is_a_decay(void **state) {
  ct_string_def def = ct_default_string_def();
  double t60;
  (void)state;
  def.hz = 147;
  def.q = 500;
  ct_scene *scene = plucked(48000, &def, 0.1);
  partial(scene, 1, &t60);
  assert_true(fabs(t60 / (500 * log(1000) / (M_PI * 147)) - 1) < 0.02);
  ct_scene_destroy(scene);
}

static void nothing_sounds_for_ever(void **state) {
  ct_string_def def = string_of(440, 1e-4);
  def.t60_s = 0.2;
  def.high_t60_s = 0.05;
  ct_scene *scene = plucked(48000, &def, 0.2);
  (void)state;
  lab_step(scene, 6 * 48000);
  ct_ledger l = ct_scene_ledger(scene);
  printf("left after 30 decays: %.2g of %.2g J\n", l.stored_j, l.scale_j);
  assert_true(l.stored_j < 1e-24 * l.scale_j);
  ct_scene_destroy(scene);
}

static void without_loss_nothing_is_lost(void **state) {
  ct_string_def def = string_of(300, 3e-4);
  def.t60_s = 0;
  def.high_t60_s = 0;
  ct_scene *scene = plucked(48000, &def, 0.2);
  (void)state;
  lab_step(scene, 1);
  double before = ct_scene_ledger(scene).stored_j;
  lab_step(scene, 5 * 48000);
  ct_ledger l = ct_scene_ledger(scene);
  printf("five seconds without loss: energy kept to %.2g\n", l.stored_j / before - 1);
  assert_true(l.lost_bodies_j == 0);
  assert_true(fabs(l.stored_j / before - 1) < 1e-12);
  ct_scene_destroy(scene);
}

/* ---- statics ---- */

/* A force f at u pulls the string to f L u (1 - u) / T and there it stays: losses do not let it creep. The
 * bridge's own spring adds a little. */
static void a_held_string_stays(void **state) {
  ct_string_def def = ct_default_string_def();
  ct_scene *scene = lab_scene(48000, 0);
  const double u = 0.3, f = 0.5;
  (void)state;
  lab_string(scene, "s", def, (double[]){u, 0}, 2);
  lab_settle(scene);
  lab_set(scene, "s.p0.force_n", f, 0.5, 0);
  lab_step(scene, 20 * 48000);
  double tension = 2 * 0.69 * 146.8 * 0.506, expected = f * 0.69 * u * (1 - u) / tension;
  double x = lab_get(scene, "s.p0.x_m"), pull = lab_get(scene, "s.p1.pull_n");
  lab_step(scene, 20 * 48000);
  printf("held: %.4g m, statics %.4g m; on the bridge %.4g N, statics %.4g N\n", x, expected, pull,
         f * (1 - u));
  assert_true(fabs(x / expected - 1) < 0.1);
  assert_true(fabs(pull / (f * (1 - u)) - 1) < 0.03);
  assert_true(fabs(lab_get(scene, "s.p0.x_m") - x) < 1e-3 * expected);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* Stored by a pluck: the work of pulling it there, T A^2 / (2 u (1 - u) L). */
static void a_pluck_stores_its_work(void **state) {
  ct_string_def def = ct_default_string_def();
  (void)state;
  def.t60_s = 0; /* a bridge that does not give */
  for (int i = 1; i < 10; i++) {
    double u = i / 10.0, tension = 2 * 0.69 * 146.8 * 0.506;
    ct_scene *scene = plucked(48000, &def, u);
    lab_step(scene, 1);
    double expected = tension * 1e-6 / (2 * u * (1 - u) * 0.69);
    assert_true(fabs(ct_scene_ledger(scene).force_j / expected - 1) < 0.03);
    ct_scene_destroy(scene);
  }
}

/* Level of one frequency, dB, under a Hann window. */
static double level_at(const double *heard, uint32_t count, double rate_hz, double hz) {
  double re = 0, im = 0;
  for (uint32_t i = 0; i < count; i++) {
    double w = heard[i] * (1 - cos(2 * M_PI * i / count)), phase = 2 * M_PI * hz * i / rate_hz;
    re += w * cos(phase);
    im += w * sin(phase);
  }
  return 20 * log10(hypot(re, im) / count);
}

/* A corner at a seventh leaves out the seventh partial, wherever between two cells the seventh is: half a
 * cell away it would be 16 dB under the sixth. And every point comes back to where it was. */
static void a_pluck_is_a_corner_just_there(void **state) {
  static double heard[48000];
  double worst = -INFINITY, left = 0, t60;
  (void)state;
  for (int i = 0; i < 20; i++) {
    ct_string_def def = ct_default_string_def();
    def.hz = 196 + 0.35 * i; /* the seventh moves by a cell and a half */
    def.t60_s = def.high_t60_s = 0;
    ct_scene *scene = plucked(48000, &def, 1.0 / 7);
    lab_record(scene, "s.p1.pull_n", heard, 48000);
    double six = level_at(heard, 48000, 48000, partial(scene, 6, &t60)),
           seven = level_at(heard, 48000, 48000, partial(scene, 7, &t60));
    worst = fmax(worst, seven - six);
    assert_true(lab_ledger_error(scene) < 1e-12);
    ct_scene_destroy(scene);
    def.t60_s = 0.1;
    def.high_t60_s = 0.05;
    scene = plucked(48000, &def, 1.0 / 7);
    lab_step(scene, 1);
    double pulled = lab_get(scene, "s.p0.x_m");
    assert_true(pulled > 0.9e-3 && pulled <= 1e-3);
    lab_step(scene, 48000);
    left = fmax(left, fabs(lab_get(scene, "s.p0.x_m")));
    ct_scene_destroy(scene);
  }
  printf("plucked at a seventh: seventh partial %.1f dB under the sixth; %.2g m left of 1e-3 m\n", -worst,
         left);
  assert_true(worst < -60);
  assert_true(left < 1e-9);
}

/* ---- the same string as modes ---- */

enum { MODES = 40 };

/* Modes of the hinged string: mass rho L / 2 = Z / (4 f0), gain sin(n pi u). */
static void modal_string(ct_scene *scene, const ct_string_def *def, double z, const double *places) {
  ct_mode_def modes[MODES];
  double gains[2][MODES];
  ct_point_def points[2] = {{.name = "p0"}, {.name = "p1"}};
  for (uint32_t n = 1; n <= MODES; n++) {
    double hz = stretched(def->hz, def->inharmonicity, n);
    modes[n - 1] = (ct_mode_def){.hz = hz,
                                 .t60_s = law_t60(def, stretched(def->hz, def->inharmonicity, 1), hz),
                                 .mass_kg = z / (4 * def->hz)};
    for (int p = 0; p < 2; p++)
      gains[p][n - 1] = sin(n * M_PI * places[p]);
  }
  for (int p = 0; p < 2; p++) {
    points[p].gains[CT_NORMAL] = gains[p];
    points[p].gain_count = MODES;
  }
  ct_modal_def body = ct_default_modal_def();
  body.name = "s";
  body.modes = modes;
  body.mode_count = MODES;
  body.points = points;
  body.point_count = 2;
  lab_body(scene, &body);
}

/* Pushed by the same force for a millisecond, heard at the same place. */
static double *pushed(bool waves, const ct_string_def *def, uint32_t count) {
  const double places[] = {0.12, 0.3};
  ct_scene *scene = lab_scene(48000, 0);
  double *heard = calloc(count, sizeof *heard);
  if (waves)
    lab_string(scene, "s", *def, places, 2);
  else
    modal_string(scene, def, 0.506, places);
  lab_settle(scene);
  lab_set(scene, "s.p0.force_n", 1, 0.0003, 10);
  lab_set(scene, "s.p0.force_n", 0, 0.0003, 30);
  lab_record(scene, "s.p1.v_m_s", heard, count);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
  return heard;
}

static void waves_and_modes_agree(void **state) {
  ct_string_def def = string_of(196, 1e-4);
  uint32_t count = 3 * 48000;
  double *waves = pushed(true, &def, count), *modes = pushed(false, &def, count);
  (void)state;
  for (uint32_t n = 1; n <= 12; n++) {
    double hz = stretched(196, 1e-4, n);
    ct_measured_decay w = ct_measure_decay(waves, count, 48000, hz);
    ct_measured_decay m = ct_measure_decay(modes, count, 48000, hz);
    if (m.level_db < -80) /* a node */
      continue;
    printf("partial %2u: %+.2f cents, t60 %.3f against %.3f s, %+.2f dB\n", n, ct_measure_cents(w.hz, m.hz),
           w.t60_s, m.t60_s, w.level_db - m.level_db);
    assert_true(fabs(ct_measure_cents(w.hz, m.hz)) < 1.5);
    assert_true(fabs(w.t60_s / m.t60_s - 1) < 0.05);
    assert_true(fabs(w.level_db - m.level_db) < 2);
  }
  free(waves);
  free(modes);
}

/* ---- contacts ---- */

/* What a resistance does: a mass that meets a long string slows as exp(-2 Z t / m) until its own wave comes
 * back from an end. */
static void a_mass_feels_twice_the_impedance(void **state) {
  ct_string_def def = string_of(50, 0);
  ct_scene *scene = lab_scene(48000, 0);
  ct_friction_def glue = ct_default_friction_def();
  (void)state;
  glue.bristle_n_m = 1e8;
  glue.bristle_damping_n_s_m = 100;
  glue.normal_n = 1e4;
  lab_string(scene, "s", def, (double[]){0.5}, 1);
  lab_mass(scene, "m", 0.005, 0, 1);
  lab_rub(scene, "glued", "m.at", "s.p0", glue);
  lab_settle(scene);
  lab_step(scene, 240);
  double expected = exp(-2 * 0.506 * 240 / 48000 / 0.005);
  assert_true(fabs(lab_get(scene, "m.at.v_m_s") / expected - 1) < 0.02);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* Substeps hold what arrives and send out the mean: the account closes, and more of them change little. */
static void substeps_change_little(void **state) {
  double kept[2][4800];
  (void)state;
  for (int i = 0; i < 2; i++) {
    ct_string_def def = string_of(196, 6e-5);
    ct_scene *scene = lab_scene(48000, 0);
    ct_impact_def hit = lab_law("hit", "hammer.at", "s.p0", 1e7, 2.0, 0.2);
    hit.substeps = i ? 64 : 4;
    lab_string(scene, "s", def, (double[]){0.12, 0.4}, 2);
    lab_mass(scene, "hammer", 0.01, -1e-5, 1);
    lab_touch(scene, hit);
    lab_settle(scene);
    lab_record(scene, "s.p1.v_m_s", kept[i], 4800);
    assert_true(lab_ledger_error(scene) < 1e-12);
    ct_scene_destroy(scene);
  }
  assert_true(lab_relative_rms(kept[0], kept[1], 4800) < 0.02);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(partials_are_where_stiffness_puts_them),
                                     cmocka_unit_test(no_pitch_falls_between_cells),
                                     cmocka_unit_test(partials_sound_where_they_are_computed),
                                     cmocka_unit_test(decay_follows_its_law),
                                     cmocka_unit_test(decay_is_heard_as_computed),
                                     cmocka_unit_test(quality_factor_is_a_decay),
                                     cmocka_unit_test(nothing_sounds_for_ever),
                                     cmocka_unit_test(without_loss_nothing_is_lost),
                                     cmocka_unit_test(a_held_string_stays),
                                     cmocka_unit_test(a_pluck_stores_its_work),
                                     cmocka_unit_test(a_pluck_is_a_corner_just_there),
                                     cmocka_unit_test(waves_and_modes_agree),
                                     cmocka_unit_test(a_mass_feels_twice_the_impedance),
                                     cmocka_unit_test(substeps_change_little)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
