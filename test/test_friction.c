/* ctest: slow
 * The friction contact against an independent integration, closed forms and the behaviour its papers
 * describe. */
#include "support/lab.h"

#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* ---- tools ---- */

static const double pi = 3.14159265358979323846;

static ct_friction_def law_of(ct_law law, const char *a, const char *b) {
  ct_friction_def def = ct_default_friction_def();
  def.name = "rub";
  def.a = a;
  def.b = b;
  def.law = law;
  return def;
}

static void add_rub(ct_scene *scene, const ct_friction_def *def) {
  ct_error error = {0};
  if (ct_added(ct_scene_add_friction(scene, def, &error), &error) != CT_OK)
    fail_msg("%s", error.text);
}

static void add_bow(ct_scene *scene, double speed_m_s) {
  lab_hand(scene, "bow", 0, 0);
  lab_settle(scene);
  lab_set(scene, "bow.tangential_v_m_s", speed_m_s, 0, 0);
}

/* ---- against the reference ---- */

enum { SAMPLES = 442 };

typedef struct rubbing {
  const char *name;
  double hz[3], mass_kg, bow_m_s;
  ct_friction_def def;
} rubbing;

static rubbing slow_rub(void) {
  rubbing r = {"rub_slow", {400, 1000, 1800}, 0.05, 0.1, law_of(CT_ELASTO_PLASTIC, "bow.at", "bar.at")};
  r.def.bristle_n_m = 1e4;
  r.def.bristle_damping_n_s_m = 1;
  r.def.mu_dynamic = 0.2;
  r.def.mu_static = 0.4;
  return r;
}

static rubbing string_rub(void) {
  rubbing r = {"rub_string", {147, 294, 441}, 0.01, 0.05, law_of(CT_ELASTO_PLASTIC, "bow.at", "bar.at")};
  r.def.bristle_n_m = 3e5;
  r.def.bristle_damping_n_s_m = 0.5;
  r.def.mu_dynamic = 0.3;
  r.def.mu_static = 0.8;
  r.def.normal_n = 0.5;
  return r;
}

static void read_reference(const rubbing *r, double *x) {
  char path[512], line[512];
  snprintf(path, sizeof path, "%s/%s.csv", CT_TEST_DATA, r->name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  for (int n = 0; n < SAMPLES; n++) {
    int sample;
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(sscanf(line, "%d,%lf", &sample, &x[n]), 2);
    assert_int_equal(sample, n);
  }
  fclose(file);
}

static double error_of(const rubbing *r, uint32_t substeps, bool constant) {
  static double x[SAMPLES], reference[SAMPLES];
  ct_mode_def modes[3] = {
      {r->hz[0], 1.5, r->mass_kg, 0, 0}, {r->hz[1], 1, r->mass_kg, 0, 0}, {r->hz[2], 0.6, r->mass_kg, 0, 0}};
  ct_scene *scene = lab_scene(44100, 0);
  ct_friction_def def = r->def;
  def.substeps = substeps;
  def.constant_damping = constant;
  lab_modal(scene, "bar", modes, 3);
  add_bow(scene, r->bow_m_s);
  add_rub(scene, &def);
  lab_settle(scene);
  lab_record(scene, "bar.at.x_m", x, SAMPLES);
  read_reference(r, reference);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
  return lab_relative_rms(x, reference, SAMPLES);
}

static double order_of(const rubbing *r, double errors[5]) {
  double steps[5];
  for (int i = 0; i < 5; i++) {
    steps[i] = 1 << i;
    errors[i] = error_of(r, 1u << i, true);
    printf("%s, %2.0f substeps: relative rms error of x %.3e\n", r->name, steps[i], errors[i]);
  }
  double order = -lab_fitted_order(steps + 1, errors + 1, 4);
  printf("%s: fitted order over 2 to 16 substeps %.3f; with passive damping %.3e at one step\n", r->name,
         order, error_of(r, 1, false));
  return order;
}

static void converges(void **state) {
  (void)state;
  double errors[5];
  rubbing slow = slow_rub(), string = string_rub();
  double order = order_of(&slow, errors);
  assert_true(errors[0] < 3e-4);
  assert_true(order >= 1.8 && order <= 2.2);
  order = order_of(&string, errors);
  assert_true(errors[0] < 2e-3);
  assert_true(order >= 1.8 && order <= 2.2);
}

/* ---- presliding ---- */

enum { CYCLE = 8, CYCLES = 100000 };

/* A mass held by friction alone, pushed back and forth below breakaway, then left alone. Where it comes to
 * rest, in units of z_ba; `most` is the largest |z| on the way. */
static double rest_after_cycles(ct_law law, double *most) {
  static double force[CYCLE * 1000], z[CYCLE * 1000];
  ct_scene *scene = lab_scene(8000, 0);
  ct_friction_def def = law_of(law, "block.at", "floor.at");
  def.bristle_damping_n_s_m = 100; /* half critical */
  def.bristle_n_m = 1e6;
  lab_mass(scene, "block", 0.01, 0, 0);
  lab_hand(scene, "floor", 0, 0);
  add_rub(scene, &def);
  lab_settle(scene);
  double z_ba = def.breakaway * def.mu_dynamic * def.normal_n / def.bristle_n_m;
  for (int n = 0; n < CYCLE * 1000; n++)
    force[n] = def.breakaway * def.mu_dynamic * def.normal_n * (0.5 + 0.35 * sin(2 * pi * n / CYCLE));
  ct_input input = {lab_handle(scene, "block.at.tangential_force_n"), force};
  ct_tap tap = {lab_handle(scene, "rub.deflection_m"), z};
  *most = 0;
  for (int i = 0; i < CYCLES / 1000; i++) {
    ct_scene_process(
        scene,
        &(ct_io){.frames = CYCLE * 1000, .inputs = &input, .input_count = 1, .taps = &tap, .tap_count = 1});
    for (int n = 0; n < CYCLE * 1000; n++)
      *most = fmax(*most, fabs(z[n]) / z_ba);
  }
  lab_set(scene, "block.at.tangential_force_n", 0, 0, 0);
  lab_step(scene, 8000);
  double rest = lab_get(scene, "block.at.x_m") / z_ba;
  ct_scene_destroy(scene);
  return rest;
}

static void presliding(void **state) {
  (void)state;
  double most, elastic = rest_after_cycles(CT_ELASTO_PLASTIC, &most), unused;
  double lugre = rest_after_cycles(CT_LUGRE, &unused), dahl = rest_after_cycles(CT_DAHL, &unused);
  printf("after %d cycles below breakaway, in z_ba: elasto-plastic %.3g (|z| up to %.3f), LuGre %.4g, Dahl "
         "%.4g\n",
         CYCLES, elastic, most, lugre, dahl);
  assert_true(most > 0.8 && most < 1);
  assert_true(fabs(elastic) < 1e-9);
  assert_true(lugre > 10 && dahl > 10);
}

/* ---- the laws one by one ---- */

/* Two hands, so that the motion is given and the force is the law itself. */
static ct_scene *drag(const ct_friction_def *def, double speed_m_s) {
  ct_scene *scene = lab_scene(44100, 0);
  lab_hand(scene, "floor", 0, 0);
  add_bow(scene, speed_m_s);
  add_rub(scene, def);
  lab_settle(scene);
  return scene;
}

static double steady_force(const ct_friction_def *def, double speed_m_s) {
  ct_scene *scene = drag(def, speed_m_s);
  lab_step(scene, 8000);
  double force = lab_get(scene, "rub.force_n");
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
  return force;
}

/* All slide with mu(v) f_N + sigma_2 v, signed. */
static void steady_sliding(void **state) {
  (void)state;
  const double speeds[] = {0.01, -0.05, 0.1, -0.3, 2};
  for (int law = CT_ELASTO_PLASTIC; law <= CT_KINETIC; law++)
    for (int i = 0; i < 5; i++) {
      ct_friction_def def = law_of((ct_law)law, "bow.at", "floor.at");
      def.viscous_n_s_m = 0.3;
      def.normal_n = 3;
      double v = speeds[i], falling = law == CT_DAHL ? 0 : 0.2 * exp(-v * v / 0.01);
      double expected = copysign(3 * (0.2 + falling), v) + 0.3 * v, force = steady_force(&def, v);
      if (fabs(force / expected - 1) > 1e-6)
        fail_msg("law %d at %g m/s: %.9g N instead of %.9g N", law, v, force, expected);
    }
}

/* Dahl, one way: z = z_c (1 - exp(-x / z_c)). */
static void dahl_closed_form(void **state) {
  (void)state;
  static double z[2000];
  ct_friction_def def = law_of(CT_DAHL, "bow.at", "floor.at");
  ct_scene *scene = drag(&def, 0.01);
  double z_c = 0.2 * def.normal_n / def.bristle_n_m, worst = 0;
  lab_record(scene, "rub.deflection_m", z, 2000);
  for (int n = 0; n < 2000; n++)
    worst = fmax(worst, fabs(z[n] / z_c + expm1(-0.01 * n / 44100 / z_c)));
  printf("Dahl: deflection within %.2e of its closed form\n", worst);
  assert_true(worst < 1e-4);
  ct_scene_destroy(scene);
}

/* Kinetic: stuck below mu_s f_N, else driven by what is left over mu_d f_N. */
static void kinetic_is_coulomb(void **state) {
  (void)state;
  ct_friction_def def = law_of(CT_KINETIC, "block.at", "floor.at");
  def.normal_n = 10;
  for (int i = 0; i < 2; i++) {
    static double force[4410], v[4410];
    ct_scene *scene = lab_scene(44100, 0);
    lab_mass(scene, "block", 0.5, 0, 0);
    lab_hand(scene, "floor", 0, 0);
    add_rub(scene, &def);
    lab_settle(scene);
    double push = i == 0 ? 3.9 : 5;
    lab_set(scene, "block.at.tangential_force_n", push, 0, 0);
    lab_step(scene, 44100);
    ct_tap taps[2] = {{lab_handle(scene, "rub.force_n"), force}, {lab_handle(scene, "block.at.v_m_s"), v}};
    ct_scene_process(scene, &(ct_io){.frames = 4410, .taps = taps, .tap_count = 2});
    double crept = lab_get(scene, "block.at.x_m");
    printf("kinetic, pushed with %g N of %g: %.3g m in 1.1 s, %.4g m/s, force %.6g N\n", push, 4.0, crept,
           v[4409], force[4409]);
    for (int n = 0; n < 4410; n++) /* and it does not chatter */
      assert_true(fabs(force[n] - (i == 0 ? 3.9 : 2)) < 1e-4);
    if (i == 0)
      assert_true(fabs(crept) < 1e-6);
    else
      assert_true(fabs((v[4409] - v[0]) / (4409 / 44100.0) - 6) < 1e-3);
    ct_ledger l =
        ct_scene_ledger(scene); /* a bristle this stiff over a held mass rounds more than it stores */
    assert_true(ct_ledger_kept(&l));
    ct_scene_destroy(scene);
  }
}

/* ---- thermal ---- */

enum { LONGEST = 20 * 44100 }; /* long against the third of a second that heat takes to settle */

/* Speed swept from 0.02 to 0.4 m/s and back over `count` samples, after a second at the lowest; largest
 * distance of f / f_N from the steady curve, relative, and largest difference between the way up and the way
 * down. */
static void sweep(uint32_t count, double *from_curve, double *loop) {
  static double speed[LONGEST], force[LONGEST];
  ct_friction_def def = law_of(CT_THERMAL, "bow.at", "floor.at");
  def.bristle_n_m = 1e6;
  ct_scene *scene = drag(&def, 0.02);
  for (uint32_t n = 0; n < count; n++)
    speed[n] = 0.02 * pow(20, 0.5 - 0.5 * cos(2 * pi * n / count));
  lab_step(scene, 44100);
  ct_input input = {lab_handle(scene, "bow.tangential_v_m_s"), speed};
  ct_tap tap = {lab_handle(scene, "rub.force_n"), force};
  ct_scene_process(
      scene, &(ct_io){.frames = count, .inputs = &input, .input_count = 1, .taps = &tap, .tap_count = 1});
  *from_curve = *loop = 0;
  for (uint32_t n = 1; n < count; n++) {
    double v = speed[n], mu = 0.4 * exp(-v / 0.01) + 0.45 * exp(-v / 0.1) + 0.35;
    *from_curve = fmax(*from_curve, fabs(force[n] / mu - 1));
    *loop = fmax(*loop, fabs(force[n] - force[count - n]));
  }
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* Slowly the steady curve, quickly a loop about it: the contact is cooler on the way up than on the way down.
 */
static void thermal_loop(void **state) {
  (void)state;
  double curve, loop, fast_curve, fast_loop;
  sweep(LONGEST, &curve, &loop);
  sweep(441, &fast_curve, &fast_loop);
  printf(
      "thermal: sweep of 20 s within %.2f %% of the steady curve, loop %.4f; of 10 ms %.1f %%, loop %.3f\n",
      100 * curve, loop, 100 * fast_curve, fast_loop);
  assert_true(curve < 0.02);
  assert_true(fast_loop > 0.05 && fast_loop > 10 * loop);
}

/* ---- normal force ---- */

/* Lifted while the bristle is bent: no force from then on, and its energy is booked as lost. */
static void lifting_lets_go(void **state) {
  (void)state;
  ct_friction_def def = law_of(CT_ELASTO_PLASTIC, "bow.at", "floor.at");
  ct_scene *scene = drag(&def, 0);
  lab_set(scene, "bow.tangential_x_m", 1e-5, 0, 1);
  lab_step(scene, 10);
  double bent = lab_get(scene, "rub.stored_j"), lost = ct_scene_ledger(scene).lost_contacts_j;
  assert_true(fabs(bent - 1e4 * 1e-10 / 2) < 1e-9 * bent);
  lab_set(scene, "rub.normal_n", 0, 0, 0);
  lab_step(scene, 1);
  ct_ledger l = ct_scene_ledger(scene);
  assert_true(lab_get(scene, "rub.force_n") == 0 && lab_get(scene, "rub.deflection_m") == 0);
  assert_true(fabs(l.lost_contacts_j - lost - bent) < 1e-12 * bent);
  assert_true(fabs(l.error_j) < 1e-12 * l.scale_j);
  lab_set(scene, "rub.normal_n", 1, 0, 0);
  lab_set(scene, "bow.tangential_v_m_s", 1, 0, 0);
  lab_step(scene, 1000);
  assert_true(fabs(lab_get(scene, "rub.force_n") - 0.2) < 1e-9); /* and it grips again */
  ct_scene_destroy(scene);
}

static void add_puck(ct_scene *scene, double speed_m_s) {
  static const double normal[2] = {1, 0}, along[2] = {0, 1};
  ct_mode_def modes[2] = {{.mass_kg = 0.1, .t60_s = 0.05}, {.mass_kg = 0.1, .v_m_s = speed_m_s}};
  ct_point_def point = {.name = "at", .gains = {normal, along}, .gain_count = 2};
  ct_modal_def def = ct_default_modal_def();
  def.name = "puck";
  def.modes = modes;
  def.mode_count = 2;
  def.points = &point;
  def.point_count = 1;
  lab_body(scene, &def);
}

/* A puck lying on the floor by its weight slides and comes to a stop as mu_d g says: v^2 / (2 mu_d g). */
static void normal_force_from_an_impact(void **state) {
  (void)state;
  ct_scene *scene = lab_scene(44100, 0);
  ct_impact_def press = lab_law("press", "puck.at", "floor.at", 1e6, 1.5, 1);
  ct_friction_def rub = law_of(CT_ELASTO_PLASTIC, "puck.at", "floor.at");
  press.from_above = true;
  rub.normal_from = "press";
  rub.mu_static = rub.mu_dynamic = 0.3;
  lab_hand(scene, "floor", 0, 0);
  add_puck(scene, 0);
  lab_touch(scene, press);
  add_rub(scene, &rub);
  lab_settle(scene);
  lab_set(scene, "puck.at.force_n", -0.981, 0, 0);
  lab_step(scene, 44100);
  assert_true(fabs(lab_get(scene, "rub.pressed_n") - 0.981) < 1e-6);
  lab_set(scene, "puck.modes.1.v_m_s", 1, 0, 0);
  double from = lab_get(scene, "puck.at.tangential_x_m");
  lab_step(scene, 44100);
  double way = lab_get(scene, "puck.at.tangential_x_m") - from;
  printf("a puck at 1 m/s slides %.6f m, Coulomb %.6f m\n", way, 1 / (2 * 0.3 * 9.81));
  assert_true(fabs(way * 2 * 0.3 * 9.81 - 1) < 2e-3);
  assert_true(fabs(lab_get(scene, "puck.at.tangential_v_m_s")) < 1e-3); /* still trembling on its bristle */
  lab_set(scene, "puck.at.force_n", 5, 0, 0);                           /* lifted off */
  lab_step(scene, 4410);
  assert_true(lab_get(scene, "rub.pressed_n") == 0 && lab_get(scene, "rub.force_n") == 0);
  lab_set(scene, "puck.at.force_n", -5, 0, 0);
  lab_step(scene, 44100);
  assert_true(lab_get(scene, "rub.pressed_n") > 1);
  assert_int_equal(ct_scene_remove(scene, "press", NULL), CT_OK); /* what pressed it is gone: nothing does */
  lab_step(scene, 4410);
  assert_true(lab_get(scene, "rub.pressed_n") == 0 && lab_get(scene, "rub.force_n") == 0);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* ---- what it sounds like ---- */

enum { SOUND = 1 << 16 };

typedef struct heard {
  double hz, level_db, evaluations;
} heard;

/* The second half of three seconds of rubbing, pressed over `press_s`. It matters: more than one mode may be
 * stable, and the start decides. */
static heard listen(const ct_mode_def *modes, uint32_t count, const ct_friction_def *def, double speed_m_s,
                    double press_s) {
  static double v[SOUND];
  ct_scene *scene = lab_scene(44100, 0);
  ct_friction_def lifted = *def;
  lifted.normal_n = 0;
  lab_modal(scene, "body", modes, count);
  add_bow(scene, speed_m_s);
  add_rub(scene, &lifted);
  lab_settle(scene);
  lab_set(scene, "rub.normal_n", def->normal_n, press_s, 0);
  lab_step(scene, SOUND);
  ct_counters before = ct_scene_counters(scene);
  lab_record(scene, "body.at.v_m_s", v, SOUND);
  ct_counters after = ct_scene_counters(scene);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
  ct_measured_peak peak = ct_measure_strongest_partial(v, SOUND, 44100, 50, 5000);
  return (heard){peak.hz, peak.level_db,
                 (double)(after.friction_evaluations - before.friction_evaluations) /
                     (double)(after.solves - before.solves)};
}

static void mode_locking(void **state) {
  (void)state;
  const ct_mode_def modes[3] = {
      {400, 13.8155 / 6, 0.01, 0, 0}, {1000, 13.8155 / 10, 0.01, 0, 0}, {1800, 13.8155 / 20, 0.01, 0, 0}};
  ct_friction_def def = law_of(CT_ELASTO_PLASTIC, "bow.at", "body.at");
  def.bristle_damping_n_s_m = 10;
  heard light = listen(modes, 3, &def, 0.1, 0);
  def.normal_n = 20;
  heard heavy = listen(modes, 3, &def, 0.1, 0);
  printf("three modes: 1 N %.1f Hz at %.1f dB, %.2f evaluations a step; 20 N %.1f Hz at %.1f dB, %.2f "
         "evaluations\n",
         light.hz, light.level_db, light.evaluations, heavy.hz, heavy.level_db, heavy.evaluations);
  assert_true(fabs(light.hz - 1000) < 5);
  assert_true(fabs(heavy.hz - 401) < 2);
  assert_true(light.evaluations <= 7 && heavy.evaluations <= 7);
  assert_true(light.level_db > -40 && heavy.level_db > -40);
}

static heard rub_glass(double speed_m_s, double normal_n) {
  const ct_mode_def modes[2] = {{529.3, 1.5, 0.02, 0, 0}, {1368, 1, 0.02, 0, 0}};
  ct_friction_def def = law_of(CT_ELASTO_PLASTIC, "bow.at", "body.at");
  def.bristle_n_m = 1e5;
  def.bristle_damping_n_s_m = 0.3;
  def.mu_dynamic = 0.3;
  def.mu_static = 0.6;
  def.normal_n = normal_n;
  heard h = listen(modes, 2, &def, speed_m_s, 0.5);
  printf("glass at %.2f m/s, %.1f N: %.2f Hz at %.1f dB, %.2f evaluations a step\n", speed_m_s, normal_n,
         h.hz, h.level_db, h.evaluations);
  return h;
}

static void glass_sings(void **state) {
  (void)state;
  const double speeds[2] = {0.05, 0.1}, forces[3] = {0.2, 0.5, 1};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) {
      heard h = rub_glass(speeds[i], forces[k]);
      assert_true(fabs(ct_measure_cents(h.hz, 529.3)) < 50 &&
                  h.level_db > -40); /* see test_friction_pitch.c */
      assert_true(h.evaluations <= 7);
    }
  heard pressed = rub_glass(0.1, 5);
  assert_true(fabs(ct_measure_cents(pressed.hz, 1368)) < 50 && pressed.level_db > -40 &&
              pressed.evaluations <= 7);
  assert_true(rub_glass(0.4, 1).level_db < -80);
}

/* ---- bad input ---- */

static void refused(ct_friction_def def, const char *why) {
  ct_error error = {0};
  ct_scene *scene = lab_scene(44100, 0);
  lab_hand(scene, "floor", 0, 0);
  lab_hand(scene, "bow", 0, 0);
  assert_int_not_equal(ct_added(ct_scene_add_friction(scene, &def, &error), &error), CT_OK);
  if (!strstr(error.text, why))
    fail_msg("'%s' does not say '%s'", error.text, why);
  ct_scene_destroy(scene);
}

static void bad_definitions(void **state) {
  (void)state;
  ct_friction_def good = law_of(CT_ELASTO_PLASTIC, "bow.at", "floor.at"), def = good;
  def.mu_static = 0.1;
  refused(def, "mu_static");
  def = good;
  def.breakaway = 1;
  refused(def, "breakaway");
  def = good;
  def.stribeck_m_s = 0;
  refused(def, "stribeck_m_s");
  def.stribeck_m_s = -1;
  refused(def, "stribeck_m_s");
  def = good;
  def.normal_n = -1;
  refused(def, "normal_n");
  def.normal_n = NAN;
  refused(def, "normal_n");
  def = good;
  def.bristle_n_m = 0;
  refused(def, "bristle_n_m");
  def = good;
  def.bristle_damping_n_s_m = -1;
  refused(def, "bristle_damping_n_s_m");
  def = good;
  def.roughness_exponent = 2.5;
  refused(def, "roughness_exponent");
  def = good;
  def.substeps = 3;
  refused(def, "power of two");
  def = good;
  def.law = (ct_law)5;
  refused(def, "law");
  def = good;
  def.normal_from = "nobody";
  refused(def, "normal_from");
}

/* A negative normal force in a gesture is none, and counted; so is one that is no number. */
static void negative_normal_force(void **state) {
  (void)state;
  double normal[64], force[64];
  ct_error error = {0};
  ct_friction_def def = law_of(CT_ELASTO_PLASTIC, "bow.at", "floor.at");
  ct_scene *scene = drag(&def, 0.5);
  lab_step(scene, 4410);
  for (int n = 0; n < 64; n++)
    normal[n] = n < 32 ? 1 : -1;
  normal[5] = NAN;
  ct_input input = {lab_handle(scene, "rub.normal_n"), normal};
  ct_tap tap = {lab_handle(scene, "rub.force_n"), force};
  ct_scene_process(scene,
                   &(ct_io){.frames = 64, .inputs = &input, .input_count = 1, .taps = &tap, .tap_count = 1});
  assert_true(force[31] > 0.19 && force[33] == 0 && force[63] == 0);
  assert_int_equal(ct_scene_counters(scene).clamped_inputs, 32);
  assert_int_equal(ct_scene_counters(scene).dropped_inputs, 1);
  assert_int_not_equal(ct_scene_set(scene, input.handle, -1, 0, 0, &error), CT_OK);
  assert_non_null(strstr(error.text, "normal_n"));
  ct_scene_destroy(scene);
}

/* mu_static on its way below mu_dynamic: taken as mu_dynamic, the force stays what sliding gives. */
static void mu_static_below_mu_dynamic(void **state) {
  (void)state;
  for (int law = CT_ELASTO_PLASTIC; law <= CT_KINETIC; law++) {
    ct_friction_def def = law_of((ct_law)law, "bow.at", "floor.at");
    ct_scene *scene = drag(&def, 0.01);
    lab_step(scene, 4410);
    lab_set(scene, "rub.mu_static", 0.001, 0, 0);
    lab_set(scene, "rub.mu_dynamic", 0.3, 0, 0);
    lab_step(scene, 44100);
    assert_true(fabs(lab_get(scene, "rub.force_n") - 0.3) < 1e-6);
    assert_true(lab_ledger_error(scene) < 1e-12);
    ct_scene_destroy(scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(converges),
                                     cmocka_unit_test(presliding),
                                     cmocka_unit_test(steady_sliding),
                                     cmocka_unit_test(dahl_closed_form),
                                     cmocka_unit_test(kinetic_is_coulomb),
                                     cmocka_unit_test(thermal_loop),
                                     cmocka_unit_test(lifting_lets_go),
                                     cmocka_unit_test(normal_force_from_an_impact),
                                     cmocka_unit_test(mode_locking),
                                     cmocka_unit_test(glass_sings),

                                     cmocka_unit_test(bad_definitions),
                                     cmocka_unit_test(negative_normal_force),
                                     cmocka_unit_test(mu_static_below_mu_dynamic)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
