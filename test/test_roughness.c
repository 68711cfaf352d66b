/* ctest: slow
 * Roughness: noise over distance whose power goes as a power of spatial frequency, the same surface at any
 * rate and speed, silent at rest. */
#include "support/lab.h"

#include "base/fractal.h"
#include "base/hash.h"
#include "measure/fft.h"
#include "scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- spectrum over distance ---- */

enum { BANDS = 30, AVERAGES = 6, LONGEST = 1 << 18 };

static const double lowest_per_m = 10; /* and three decades up */

typedef struct spectrum {
  double per_m[BANDS], power[BANDS]; /* per cycle per metre */
} spectrum;

/* Bands of a tenth of a decade: mean of the periodogram. */
static void add_bands(const double complex *x, uint32_t count, double step_m, spectrum *s) {
  for (int b = 0; b < BANDS; b++) {
    double low = lowest_per_m * pow(10, b / 10.0), high = low * pow(10, 0.1), sum = 0;
    uint32_t first = (uint32_t)ceil(low * step_m * count), last = (uint32_t)ceil(high * step_m * count);
    for (uint32_t k = first; k < last; k++)
      sum += creal(x[k]) * creal(x[k]) + cimag(x[k]) * cimag(x[k]);
    s->per_m[b] = sqrt(low * high);
    s->power[b] += sum / (last - first) * step_m / count / AVERAGES;
  }
}

/* Roughness as somebody finds it who was never there. */
static double rough_at(uint64_t seed, double place_m, double exponent, double last_m) {
  ct_fractal reader;
  ct_fractal_begin(&reader, seed);
  return ct_fractal_read(&reader, place_m, exponent, last_m);
}

/* Welch: `AVERAGES` stretches of surface, each 0.6 m, Hann window. */
static void measure(double rate_hz, double speed_m_s, double exponent, spectrum *s) {
  double step_m = speed_m_s / rate_hz;
  uint32_t count = rate_hz > 1e5 ? LONGEST : LONGEST / 4;
  double complex *x = malloc(count * sizeof *x), *twiddles = ct_fft_make_twiddles(count);
  ct_fractal reader;
  ct_fractal_begin(&reader, 42);
  *s = (spectrum){0};
  for (int a = 0; a < AVERAGES; a++) {
    for (uint32_t n = 0; n < count; n++) {
      double at = 100 * a + n * step_m, window = 1 - cos(2 * M_PI * (n + 0.5) / count);
      x[n] = window * ct_fractal_read(&reader, at, exponent, at - step_m);
    }
    ct_fft_forward(x, count, twiddles);
    add_bands(x, count, step_m, s);
  }
  free(x);
  free(twiddles);
}

static double slope(const spectrum *s, int from, int to) {
  return lab_fitted_order(s->per_m + from, s->power + from, (uint32_t)(to - from));
}

/* Largest difference of a decade's mean level: the same surface, cut into stretches of slightly other
 * lengths. */
static double farthest_apart_db(const spectrum *a, const spectrum *b) {
  double decade[BANDS / 10] = {0}, most = 0;
  for (int i = 0; i < BANDS; i++)
    decade[i / 10] += log10(a->power[i] / b->power[i]); /* ten bands, ten decibels per bel */
  for (int i = 0; i < BANDS / 10; i++)
    most = fmax(most, fabs(decade[i]));
  return most;
}

static void slopes(void **state) {
  (void)state;
  for (int beta = -2; beta <= 2; beta++) {
    spectrum low, high;
    measure(44100, 0.4, beta, &low);
    measure(192000, 0.4, beta, &high);
    double at_low = slope(&low, 0, BANDS), at_high = slope(&high, 0, BANDS),
           apart = farthest_apart_db(&low, &high);
    printf("beta %2d: slope %.3f at 44.1 kHz (by decade %.2f %.2f %.2f), %.3f at 192 kHz, decades at most "
           "%.2f dB apart\n",
           beta, at_low, slope(&low, 0, 10), slope(&low, 10, 20), slope(&low, 20, 30), at_high, apart);
    assert_true(fabs(at_low - beta) < 0.1);
    assert_true(fabs(at_high - beta) < 0.1);
    assert_true(apart < 1);
  }
}

/* ---- level and place ---- */

static void rms_is_one(void **state) {
  (void)state;
  for (int beta = -2; beta <= 2; beta++) {
    double sum = 0, mean = 0;
    for (int n = 0; n < 20000; n++) {
      double place = 0.7717 * n, w = rough_at(7, place, beta, place);
      sum += w * w / 20000;
      mean += w / 20000;
    }
    printf("beta %2d: rms %.3f, mean %.3f\n", beta, sqrt(sum), mean);
    assert_true(fabs(sqrt(sum) - 1) < 0.05);
    assert_true(fabs(mean) < 0.05);
  }
}

static void same_place_same_roughness(void **state) {
  (void)state;
  double here = rough_at(1, 12.345678, 0.5, 12.345678);
  assert_true(rough_at(1, 0.3, 0.5, 0.3) != here);
  assert_true(rough_at(2, 12.345678, 0.5, 12.345678) != here);
  assert_true(rough_at(1, 12.345678, 0.5, 12.345678) == here);
  assert_true(fabs(rough_at(1, 12.345678 + 1e-9, 0.5, 12.345678) - here) < 1e-2); /* smooth */
  const double far[] = {1e15, -1e15, 1e18, 1e300, -1e300, INFINITY, -INFINITY, NAN};
  for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
    assert_true(isfinite(rough_at(1, far[i], 2, 0)));
    assert_true(isfinite(rough_at(1, far[i], -2, far[i])));
  }
  assert_true(ct_fractal_seed(1, "left") != ct_fractal_seed(1, "right"));
}

/* What a reader keeps from place to place changes nothing: to and fro, in steps from a thousandth of the
 * finest cell to many of the coarsest, with exponents that change, it reads what a new reader does. */
static void keeping_changes_nothing(void **state) {
  (void)state;
  ct_fractal reader;
  double place = 0.25, exponents[] = {-1, 0.5, 2};
  ct_fractal_begin(&reader, 5);
  for (uint32_t n = 0; n < 100000; n++) {
    uint64_t bits = ct_hash(n);
    double last = place, size = pow(10, -9 + (double)(n / 10000) + ct_hash_even(bits));
    place += (bits & 7) ? size : -3 * size;
    double exponent = exponents[n / 1000 % 3], kept = ct_fractal_read(&reader, place, exponent, last);
    assert_true(kept == rough_at(5, place, exponent, last));
  }
}

/* ---- in a scene ---- */

enum { SLIDE = 8192 };

static ct_friction_def rough_rub(const char *name, double roughness_n) {
  ct_friction_def def = ct_default_friction_def();
  def.name = name;
  def.a = "bow.at";
  def.b = "wall.at";
  def.roughness_n = roughness_n;
  def.roughness_exponent = -1;
  def.normal_n = 10;
  return def;
}

static ct_scene *slide(double rate_hz, double speed_m_s, const ct_friction_def *defs, int count) {
  ct_scene *scene = lab_scene(rate_hz, 0);
  ct_error error = {0};
  lab_hand(scene, "bow", 0, 0);
  lab_hand(scene, "wall", 0, 0);
  for (int i = 0; i < count; i++)
    if (ct_added(ct_scene_add_friction(scene, &defs[i], &error), &error) != CT_OK)
      fail_msg("%s", error.text);
  lab_set(scene, "bow.tangential_v_m_s", speed_m_s, 0, 0);
  lab_settle(scene);
  return scene;
}

static double rms_about_mean(const double *x, int count) {
  double mean = 0, sum = 0;
  for (int n = 0; n < count; n++)
    mean += x[n] / count;
  for (int n = 0; n < count; n++)
    sum += (x[n] - mean) * (x[n] - mean) / count;
  return sqrt(sum);
}

static void check_only_sliding(ct_roughness_model model, uint32_t substeps) {
  static double force[SLIDE];
  ct_friction_def def = rough_rub("rub", 0.1);
  def.substeps = substeps;
  def.roughness_model = model;
  ct_scene *scene = slide(44100, 5, &def, 1);
  lab_step(scene, 1000);
  lab_record(scene, "rub.force_n", force, SLIDE);
  double moving = rms_about_mean(force, SLIDE);
  lab_set(scene, "bow.tangential_v_m_s", 0, 0, 0);
  lab_step(scene, 10);
  lab_record(scene, "rub.force_n", force, SLIDE);
  ct_ledger l = ct_scene_ledger(scene);
  printf("%s, %u substeps: force varies by %.4f N rms sliding; noise did %.3g J of %.3g J\n",
         model == CT_ROUGHNESS_ADDED ? "added" : "passive", substeps, moving, l.noise_j, l.motion_j);
  assert_true(moving > 0.05 && moving < 0.12);
  for (int n = 0; n < SLIDE; n++)
    assert_true(force[n] == force[0]);
  assert_true((l.noise_j != 0) == (model == CT_ROUGHNESS_ADDED));
  assert_true(fabs(l.error_j) < 1e-12 * l.scale_j);
  ct_scene_destroy(scene);
}

/* The force has the roughness asked for while sliding, none at all at rest, whatever the substeps. Only as
 * the papers' added force is it work of noise. */
static void force_is_rough_only_sliding(void **state) {
  (void)state;
  for (uint32_t substeps = 1; substeps <= 8; substeps *= 8) {
    check_only_sliding(CT_ROUGHNESS_PASSIVE, substeps);
    check_only_sliding(CT_ROUGHNESS_ADDED, substeps);
  }
}

/* ---- what sliding sounds like ---- */

static const double told_n = 0.1;

/* The force over `count` samples, and what the surface's layers that can be heard at this speed ask for. */
static void record_rough(ct_scene *scene, double *force, double *asked, uint32_t count) {
  const ct_contact *c = ct_live_contact(scene, 0);
  const ct_friction *f = &c->friction;
  for (uint32_t n = 0; n < count; n++) {
    double before_m = f->begun_m, at_m = f->travelled_m;
    lab_step(scene, 1);
    force[n] = c->force_n;
    asked[n] = told_n * rough_at(f->surface->seed, at_m, f->values.roughness_exponent, before_m);
  }
}

static double measured_slope(const double *force, uint32_t count, double step_m) {
  double complex *x = malloc(count * sizeof *x), *twiddles = ct_fft_make_twiddles(count);
  spectrum s = {0};
  for (uint32_t a = 0; a < AVERAGES; a++) {
    for (uint32_t n = 0; n < count; n++)
      x[n] = (1 - cos(2 * M_PI * (n + 0.5) / count)) * force[a * count + n];
    ct_fft_forward(x, count, twiddles);
    add_bands(x, count, step_m, &s);
  }
  free(x);
  free(twiddles);
  return slope(&s, 10, 25); /* 100 to 3200 cycles per metre: slower than Nyquist at each of the speeds */
}

/* Slope within 0.1 of beta, rms within 1 dB of what was asked. */
static void check_sliding(double speed_m_s, double exponent, ct_law law) {
  uint32_t count = speed_m_s < 0.1 ? LONGEST : LONGEST / 4, all = AVERAGES * count;
  double *force = malloc(all * sizeof *force), *asked = malloc(all * sizeof *asked), mean = 0;
  ct_friction_def def = rough_rub("rub", told_n);
  def.roughness_exponent = exponent;
  def.law = law;
  ct_scene *scene = slide(44100, speed_m_s, &def, 1);
  lab_step(scene, 4410);
  record_rough(scene, force, asked, all);
  double db = 20 * log10(rms_about_mean(force, (int)all) / rms_about_mean(asked, (int)all));
  for (uint32_t n = 0; n < all; n++)
    mean += force[n] / all;
  for (uint32_t n = 0; n < all; n++)
    force[n] -= mean;
  double is = measured_slope(force, count, speed_m_s / 44100);
  printf("%.2f m/s, beta %2.0f: slope %.3f, rms %+.3f dB of what was asked\n", speed_m_s, exponent, is, db);
  assert_true(fabs(is - exponent) < 0.1);
  assert_true(fabs(db) < 1);
  ct_scene_destroy(scene);
  free(force);
  free(asked);
}

static void sliding_is_as_rough_as_told(void **state) {
  (void)state;
  static const double speeds[] = {0.03, 0.1, 0.4};
  for (int i = 0; i < 3; i++) {
    check_sliding(speeds[i], -1, CT_ELASTO_PLASTIC);
    check_sliding(speeds[i], 1, CT_DAHL);
  }
}

/* The same on a body that gives way. */
static void sliding_on_a_body_too(void **state) {
  (void)state;
  static double force[LONGEST / 4], asked[LONGEST / 4];
  const ct_mode_def modes[] = {{.hz = 180, .t60_s = 0.1, .mass_kg = 0.05},
                               {.hz = 2100, .t60_s = 0.05, .mass_kg = 0.02}};
  for (int law = CT_ELASTO_PLASTIC; law <= CT_THERMAL; law++) {
    ct_scene *scene = lab_scene(44100, 0);
    ct_friction_def def = rough_rub("rub", told_n);
    def.law = (ct_law)law;
    def.mu_static = def.mu_dynamic; /* so that it does not squeak */
    lab_hand(scene, "bow", 0, 0);
    lab_modal(scene, "body", modes, 2);
    lab_rub(scene, "rub", "bow.at", "body.at", def);
    lab_set(scene, "bow.tangential_v_m_s", 0.4, 0, 0);
    lab_settle(scene);
    lab_step(scene, 44100);
    record_rough(scene, force, asked, LONGEST / 4);
    double db = 20 * log10(rms_about_mean(force, LONGEST / 4) / rms_about_mean(asked, LONGEST / 4));
    printf("law %d on a body: rms %+.3f dB of what was asked\n", law, db);
    assert_true(fabs(db) < 1);
    ct_scene_destroy(scene);
  }
}

/* The same surface at two rates: forces at equal places agree but for the finest waves. */
static void rate_does_not_change_the_surface(void **state) {
  (void)state;
  static double low[SLIDE], high[4 * SLIDE];
  ct_friction_def def = rough_rub("rub", 0.1);
  def.roughness_exponent = -2;
  ct_scene *at_low = slide(48000, 0.5, &def, 1), *at_high = slide(192000, 0.5, &def, 1);
  lab_record(at_low, "rub.force_n", low, SLIDE);
  lab_record(at_high, "rub.force_n", high, 4 * SLIDE);
  double apart = 0, size = rms_about_mean(low + 1000, SLIDE - 1000);
  for (int n = 1000; n < SLIDE; n++)
    apart += (low[n] - high[4 * n]) * (low[n] - high[4 * n]) / (SLIDE - 1000);
  printf("48 and 192 kHz: forces %.4f N rms, %.4f N apart\n", size, sqrt(apart));
  assert_true(sqrt(apart) < 0.05 * size);
  ct_scene_destroy(at_low);
  ct_scene_destroy(at_high);
}

static void contacts_are_not_rough_alike(void **state) {
  (void)state;
  static double left[SLIDE], right[SLIDE];
  ct_friction_def defs[2] = {rough_rub("left", 0.1), rough_rub("right", 0.1)};
  ct_scene *scene = slide(44100, 2, defs, 2);
  lab_step(scene, 1000);
  ct_tap taps[2] = {{lab_handle(scene, "left.force_n"), left}, {lab_handle(scene, "right.force_n"), right}};
  ct_scene_process(scene, &(ct_io){.frames = SLIDE, .taps = taps, .tap_count = 2});
  double size = rms_about_mean(left, SLIDE);
  for (int n = 0; n < SLIDE; n++)
    left[n] -= right[n];
  assert_true(size > 0.01 && rms_about_mean(left, SLIDE) > size / 2);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slopes),
                                     cmocka_unit_test(rms_is_one),
                                     cmocka_unit_test(same_place_same_roughness),
                                     cmocka_unit_test(keeping_changes_nothing),
                                     cmocka_unit_test(force_is_rough_only_sliding),
                                     cmocka_unit_test(sliding_is_as_rough_as_told),
                                     cmocka_unit_test(sliding_on_a_body_too),
                                     cmocka_unit_test(rate_does_not_change_the_surface),
                                     cmocka_unit_test(contacts_are_not_rough_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
