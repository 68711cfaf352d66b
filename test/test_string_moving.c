/* ctest: slow
 * What moves on a string while it sounds: pitch, finger, stiffness, decay, vibrato, points and pickups. Each
 * arrives where it should, no faster than a string can, without a click or a rattle of cells, and the account
 * closes: retuning keeps energy but for what is cut off with a cell. */
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
#include <string.h>

enum { RATE = 48000 };

static ct_string_def ringing(double hz) {
  ct_string_def def = ct_default_string_def();
  def.hz = hz;
  def.inharmonicity = 6e-5;
  def.t60_s = 8;
  def.high_t60_s = 1.5;
  return def;
}

static ct_scene *plucked(const ct_string_def *def, const double *places, uint32_t count) {
  ct_scene *scene = lab_scene(RATE, 0);
  lab_string(scene, "s", *def, places, count);
  lab_settle(scene);
  lab_set(scene, "s.p0.force_n", 1, 0.005, 10);
  lab_set(scene, "s.p0.force_n", 0, 0.005, 480);
  return scene;
}

static double pitch_of(const double *heard, size_t count, double near) {
  return ct_measure_pitch(heard, count, RATE, near * 0.7, near * 1.4).hz;
}

/* Nothing sudden after the excitation. */
static double worst_click(const double *heard, size_t count) {
  const ct_measure_interval begin = {0, 0.1};
  return ct_measure_worst_click(heard, count, RATE, &begin, 1).strength_db;
}

/* ---- gliding ---- */

typedef struct glide {
  const char *path;
  double to, seconds, end_hz; /* from an open string of 196 Hz */
} glide;

static void glides_arrive_without_clicks(void **state) {
  static const glide glides[] = {{"s.string.hz", 293.7, 0.5, 293.7},
                                 {"s.string.hz", 110, 0.5, 110},
                                 {"s.string.stop", 0.5, 0.3, 392},
                                 {"s.string.stop", 0.25, 0.02, 261.33},
                                 {"s.string.inharmonicity", 2e-4, 0.4, 196.02},
                                 {"s.string.t60_s", 1, 0.2, 196},
                                 {"s.string.high_t60_s", 0.2, 0.2, 196},
                                 {"s.string.impedance_kg_s", 1.5, 0.4, 196}};
  static double heard[3 * RATE];
  (void)state;
  for (size_t i = 0; i < sizeof glides / sizeof glides[0]; i++) {
    ct_string_def def = ringing(196);
    ct_scene *scene = plucked(&def, (double[]){0.13, 0.05}, 2);
    lab_set(scene, glides[i].path, glides[i].to, glides[i].seconds, RATE / 2);
    lab_record(scene, "s.p1.v_m_s", heard, 3 * RATE);
    double hz = pitch_of(heard + 2 * RATE, RATE, glides[i].end_hz), click = worst_click(heard, 3 * RATE);
    printf("%-24s %.2f Hz (%.2f), worst click %.1f dB, account %.1e\n", glides[i].path, hz, glides[i].end_hz,
           click, lab_ledger_error(scene));
    /* the pitch of a stretched series is a little above its first partial */
    assert_true(fabs(ct_measure_cents(hz, glides[i].end_hz)) < 3);
    assert_true(click < CT_MEASURE_CLICK_DB);
    assert_true(lab_ledger_error(scene) < 1e-12);
    ct_scene_destroy(scene);
  }
}

/* Where it ends does not depend on how it came there: a string stopped at a quarter has the partials of one
 * built so, f0 / 0.75 and B / 0.75^2. */
static void a_glide_ends_like_a_fresh_string(void **state) {
  ct_string_def def = ringing(196), fresh_def = ringing(196 / 0.75);
  fresh_def.inharmonicity /= 0.75 * 0.75;
  ct_scene *glided = plucked(&def, (double[]){0.13}, 1), *fresh = plucked(&fresh_def, (double[]){0.13}, 1);
  ct_error error = {0};
  double worst = 0;
  (void)state;
  lab_set(glided, "s.string.stop", 0.6, 0.3, 0);
  lab_set(glided, "s.string.stop", 0.25, 0.3, RATE / 2);
  lab_step(glided, RATE);
  for (uint32_t n = 1; n <= 20; n++) {
    double a = 0, b = 0, t60;
    assert_true(ct_scene_string_partial(glided, "s", n, &a, &t60, &error) == CT_OK);
    assert_true(ct_scene_string_partial(fresh, "s", n, &b, &t60, &error) == CT_OK);
    worst = fmax(worst, fabs(ct_measure_cents(a, b)));
  }
  printf("after a glide, twenty partials within %.2g cents of a string built so\n", worst);
  assert_true(worst < 1);
  ct_scene_destroy(glided);
  ct_scene_destroy(fresh);
}

/* A jump in pitch is walked at a quarter of a cell per sample: quick, but a glide. */
static void a_jump_is_a_quick_glide(void **state) {
  static double heard[2 * RATE];
  ct_string_def def = ringing(196);
  ct_scene *scene = plucked(&def, (double[]){0.13, 0.05}, 2);
  (void)state;
  lab_set(scene, "s.string.stop", 0.5, 0, RATE / 2);
  lab_record(scene, "s.p1.v_m_s", heard, 2 * RATE);
  assert_true(fabs(ct_measure_cents(pitch_of(heard + RATE * 6 / 10, RATE, 392), 392)) < 3);
  assert_true(worst_click(heard, 2 * RATE) < CT_MEASURE_CLICK_DB);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* Without losses a glide up and down again leaves the energy but for what is cut off. */
static void gliding_keeps_energy(void **state) {
  ct_string_def def = ringing(196);
  (void)state;
  def.t60_s = def.high_t60_s = 0;
  ct_scene *scene = plucked(&def, (double[]){0.13}, 1);
  lab_step(scene, RATE / 4);
  double before = ct_scene_ledger(scene).stored_j;
  lab_set(scene, "s.string.stop", 0.4, 0.5, RATE / 4);
  lab_set(scene, "s.string.stop", 0, 0.5, RATE);
  lab_step(scene, 2 * RATE);
  ct_ledger l = ct_scene_ledger(scene);
  printf("gliding up a sixth and back kept %.4f of the energy, lost %.2g J, worked %.2g J\n",
         l.stored_j / before, l.lost_bodies_j, l.parameter_j);
  assert_true(l.stored_j <= before && l.stored_j > 0.97 * before);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

static void vibrato_swings_as_asked(void **state) {
  static double heard[3 * RATE];
  ct_measured_pitch_frame frames[600];
  ct_string_def def = ringing(196);
  (void)state;
  def.vibrato_cents = 40;
  def.vibrato_hz = 5;
  ct_scene *scene = plucked(&def, (double[]){0.13, 0.05}, 2);
  lab_record(scene, "s.p1.v_m_s", heard, 3 * RATE);
  size_t count = ct_measure_pitch_track(heard + RATE / 4, 2 * RATE, RATE, 0.03, 0.005, 150, 250, frames, 600);
  double high = 0, low = 1e9, mean = 0;
  for (size_t i = 0; i < count; i++) {
    high = fmax(high, frames[i].hz);
    low = fmin(low, frames[i].hz);
    mean += frames[i].hz / (double)count;
  }
  printf("vibrato: %.1f to %.1f cents, clicks %.1f dB\n", ct_measure_cents(low, 196),
         ct_measure_cents(high, 196), worst_click(heard, 3 * RATE));
  assert_true(fabs(ct_measure_cents(high, 196) - 40) < 5 && fabs(ct_measure_cents(low, 196) + 40) < 5);
  assert_true(fabs(ct_measure_cents(mean, 196)) < 4); /* a stretched series sounds a little sharp */
  assert_true(worst_click(heard, 3 * RATE) < CT_MEASURE_CLICK_DB);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

enum { TURN = RATE / 6, TURNS = 12 }; /* of a vibrato of 6 Hz */

/* Levels of every turn of two seconds, dB. */
static void levels_of_turns(const ct_string_def *def, const char *path, double middle, double swing,
                            double *level_db) {
  static double heard[2 * RATE], values[2 * RATE];
  ct_scene *scene = plucked(def, (double[]){0.13, 0.05}, 2);
  lab_step(scene, RATE / 20);
  for (int i = 0; i < 2 * RATE; i++)
    values[i] = middle + swing * sin(2 * M_PI * 6 * i / RATE);
  ct_input input = {lab_handle(scene, path), values};
  ct_tap tap = {lab_handle(scene, "s.p1.v_m_s"), heard};
  ct_scene_process(
      scene, &(ct_io){.frames = 2 * RATE, .inputs = &input, .input_count = 1, .taps = &tap, .tap_count = 1});
  for (int k = 0; k < TURNS; k++) {
    double power = 0;
    for (int i = k * TURN; i < (k + 1) * TURN; i++)
      power += heard[i] * heard[i] / TURN;
    level_db[k] = 10 * log10(power);
  }
  assert_true(fabs(ct_scene_ledger(scene).parameter_j) < 1e-12 * ct_scene_ledger(scene).scale_j);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* Whichever number swings, the string rings on as if it did not. */
static void vibrato_keeps_the_level(void **state) {
  static const struct {
    const char *path;
    double middle, swing;
  } vibratos[] = {
      {"s.string.hz", 196, 2}, {"s.string.stop", 0.2, 0.01}, {"s.string.impedance_kg_s", 0.5, 0.05}};
  (void)state;
  for (size_t v = 0; v < sizeof vibratos / sizeof vibratos[0]; v++) {
    ct_string_def def = ringing(196);
    double still[TURNS], swung[TURNS], worst = 0;
    def.stop = v == 1 ? 0.2 : 0;
    def.impedance_kg_s = 0.5;
    levels_of_turns(&def, vibratos[v].path, vibratos[v].middle, 0, still);
    levels_of_turns(&def, vibratos[v].path, vibratos[v].middle, vibratos[v].swing, swung);
    for (int k = 0; k < TURNS; k++)
      worst = fmax(worst, fabs(swung[k] - still[k]));
    printf("6 Hz on %s: level within %.3f dB over 2 s\n", vibratos[v].path, worst);
    assert_true(worst < 1);
  }
}

/* ---- moving points ---- */

/* Peaks away from every partial by more than the slow beating of a moving pickup explains, relative to the
 * strongest, dB. Cells pass under a pickup that moves by 0.3 of a string a second 37 times a second. */
static double rattle_db(const double *heard, size_t count, double hz, double b) {
  static ct_measured_peak peaks[4000];
  size_t found = ct_measure_peaks(heard, count, RATE, -220, peaks, 4000);
  double strongest = -INFINITY, rattle = -INFINITY;
  for (size_t i = 0; i < found && i < 4000; i++)
    strongest = fmax(strongest, peaks[i].level_db);
  for (size_t i = 0; i < found && i < 4000; i++) {
    double apart = INFINITY;
    for (int n = 1; n < 120; n++)
      apart = fmin(apart, fabs(peaks[i].hz - n * hz * sqrt(1 + b * n * n)));
    if (apart > 25 && peaks[i].hz > 60)
      rattle = fmax(rattle, peaks[i].level_db);
  }
  return rattle - strongest;
}

static void a_moving_pickup_does_not_rattle(void **state) {
  static double heard[2 * RATE], place[2 * RATE];
  static const char *const listens[] = {"s.p1.v_m_s", "s.p1.x_m", "s.p1.pull_n"};
  (void)state;
  for (int k = 0; k < 3; k++) {
    ct_string_def def = ringing(196);
    def.inharmonicity = 0;
    ct_scene *scene = plucked(&def, (double[]){0.13, 0.1}, 2);
    lab_step(scene, RATE / 4);
    for (int i = 0; i < 2 * RATE; i++)
      place[i] = 0.1 + 0.3 * i / RATE;
    ct_input input = {lab_handle(scene, "s.p1.place_u"), place};
    ct_tap tap = {lab_handle(scene, listens[k]), heard};
    ct_scene_process(
        scene,
        &(ct_io){.frames = 2 * RATE, .inputs = &input, .input_count = 1, .taps = &tap, .tap_count = 1});
    double rattle = rattle_db(heard, 2 * RATE, 196, 0),
           click = ct_measure_worst_click(heard, 2 * RATE, RATE, NULL, 0).strength_db;
    printf("moving pickup, %s: rattle %.1f dB, clicks %.1f dB\n", listens[k], rattle, click);
    assert_true(rattle < -80);
    assert_true(click < CT_MEASURE_CLICK_DB);
    assert_true(lab_ledger_error(scene) < 1e-12);
    ct_scene_destroy(scene);
  }
}

/* A finger's mass that slides along a ringing string: its work is motion's, and it makes no clicks. */
static void a_moving_contact_does_not_click(void **state) {
  static double heard[2 * RATE], place[2 * RATE];
  ct_string_def def = ringing(196);
  ct_scene *scene = plucked(&def, (double[]){0.13, 0.3, 0.05}, 3);
  ct_friction_def pad = ct_default_friction_def();
  (void)state;
  pad.normal_n = 2;
  pad.bristle_n_m = 3e4;
  pad.viscous_n_s_m = 0.02;
  lab_mass(scene, "pad", 0.001, 0, 0);
  lab_rub(scene, "touch", "pad.at", "s.p1", pad);
  lab_step(scene, RATE / 4);
  for (int i = 0; i < 2 * RATE; i++)
    place[i] = 0.5 - 0.4 * cos(2 * M_PI * 0.7 * i / RATE);
  ct_input input = {lab_handle(scene, "s.p1.place_u"), place};
  ct_tap tap = {lab_handle(scene, "s.p2.v_m_s"), heard};
  ct_scene_process(
      scene, &(ct_io){.frames = 2 * RATE, .inputs = &input, .input_count = 1, .taps = &tap, .tap_count = 1});
  double click = ct_measure_worst_click(heard + RATE / 10, 2 * RATE - RATE / 10, RATE, NULL, 0).strength_db;
  printf("moving contact: clicks %.1f dB, account %.1e\n", click, lab_ledger_error(scene));
  assert_true(click < CT_MEASURE_CLICK_DB);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* The compliance of a point hardly depends on where between the cells it is. */
static void places_between_cells_feel_alike(void **state) {
  double least = INFINITY, most = 0;
  (void)state;
  for (int i = 0; i < 40; i++) {
    ct_string_def def = ringing(196);
    ct_scene *scene = lab_scene(RATE, 0);
    lab_string(scene, "s", def, (double[]){0.3 + i / 40.0 / 122}, 1);
    lab_settle(scene);
    lab_set(scene, "s.p0.force_n", 1, 0, 0);
    lab_step(scene, 1);
    double v = lab_get(scene, "s.p0.v_m_s");
    least = fmin(least, v);
    most = fmax(most, v);
    ct_scene_destroy(scene);
  }
  printf("compliance between cells within %.3f\n", most / least - 1);
  assert_true(most / least < 1.1);
}

/* The displacement of a moved point is that of the place it has come to. */
static void a_moved_point_reads_its_new_place(void **state) {
  ct_string_def def = ringing(196);
  ct_scene *scene = lab_scene(RATE, 0);
  (void)state;
  lab_string(scene, "s", def, (double[]){0.5, 0.1, 0.4}, 3);
  lab_settle(scene);
  lab_set(scene, "s.p0.force_n", 1, 0.3, 0);
  lab_step(scene, 10 * RATE);
  lab_set(scene, "s.p1.place_u", 0.4, 0.2, 10 * RATE);
  lab_step(scene, RATE);
  double moved = lab_get(scene, "s.p1.x_m"), there = lab_get(scene, "s.p2.x_m");
  assert_true(fabs(moved / there - 1) < 0.01);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(glides_arrive_without_clicks),    cmocka_unit_test(a_glide_ends_like_a_fresh_string),
      cmocka_unit_test(a_jump_is_a_quick_glide),         cmocka_unit_test(gliding_keeps_energy),
      cmocka_unit_test(vibrato_swings_as_asked),         cmocka_unit_test(vibrato_keeps_the_level),
      cmocka_unit_test(a_moving_pickup_does_not_rattle), cmocka_unit_test(a_moving_contact_does_not_click),
      cmocka_unit_test(places_between_cells_feel_alike), cmocka_unit_test(a_moved_point_reads_its_new_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
