/* Points that move: gains follow the shape, a contact feels dgain . x as imposed motion, and the ledger books
 * it. */
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

enum { MODES = 6, NODES = 257, FRAMES = 4000 };

static const double rate_hz = 48000;

/* A plate that separates: sin along u, cos across v; on a ring u runs round. */
static double along(int mode, double u, bool ring) {
  return ring ? cos(2 * M_PI * (mode + 1) * u + 0.3 * mode) : sin(M_PI * (mode + 1) * u);
}

static double across(int mode, double v) { return cos(M_PI * mode * v); }

typedef struct tables {
  double u[MODES * NODES], v[MODES * NODES];
} tables;

static void fill_tables(tables *t, bool ring) {
  for (int i = 0; i < MODES; i++)
    for (int k = 0; k < NODES; k++) {
      t->u[i * NODES + k] = along(i, (double)k / (ring ? NODES : NODES - 1), ring);
      t->v[i * NODES + k] = across(i, (double)k / (NODES - 1));
    }
}

/* A body with two points at (0.3, 0.4), the first of which will move. */
static void add_plate(ct_scene *scene, bool ring, bool flat, double ringing_m_s) {
  static tables t;
  ct_mode_def modes[MODES];
  fill_tables(&t, ring);
  for (int i = 0; i < MODES; i++)
    modes[i] = (ct_mode_def){.hz = 180 * (i + 1) * (1 + 0.1 * i),
                             .t60_s = i % 2 ? 0.8 : 0,
                             .mass_kg = 0.02 * (1 + i),
                             .x_m = 1e-5 * ringing_m_s * (1 + i),
                             .v_m_s = ringing_m_s / (1 + i)};
  ct_point_def points[2] = {{.name = "moving", .place_u = 0.3, .place_v = 0.4},
                            {.name = "still", .place_u = 0.3, .place_v = 0.4}};
  ct_modal_def def = ct_default_modal_def();
  def.name = "plate";
  def.modes = modes;
  def.mode_count = MODES;
  def.points = points;
  def.point_count = 2;
  def.shape.u = t.u;
  def.shape.u_count = NODES;
  def.shape.u_periodic = ring;
  def.shape.v = flat ? t.v : NULL;
  def.shape.v_count = flat ? NODES : 0;
  lab_body(scene, &def);
}

typedef struct walk {
  double u[FRAMES], v[FRAMES];
} walk;

static void make_walk(walk *w, bool ring) {
  for (int n = 0; n < FRAMES; n++) {
    double t = n / rate_hz;
    w->u[n] = ring ? 17 * t - 0.4 : 0.5 + 0.5 * sin(2 * M_PI * 23 * t + 0.5);
    w->v[n] = 0.5 - 0.5 * cos(2 * M_PI * 31 * t);
  }
}

typedef struct motion {
  double x[FRAMES], v[FRAMES], mode_x[MODES][FRAMES], mode_v[MODES][FRAMES];
} motion;

static void run_walk(ct_scene *scene, const walk *w, bool flat, motion *m) {
  ct_tap taps[2 + 2 * MODES] = {{lab_handle(scene, "plate.moving.x_m"), m->x},
                                {lab_handle(scene, "plate.moving.v_m_s"), m->v}};
  for (int i = 0; i < MODES; i++) {
    char path[64];
    snprintf(path, sizeof path, "plate.modes.%d.x_m", i);
    taps[2 + i] = (ct_tap){lab_handle(scene, path), m->mode_x[i]};
    snprintf(path, sizeof path, "plate.modes.%d.v_m_s", i);
    taps[2 + MODES + i] = (ct_tap){lab_handle(scene, path), m->mode_v[i]};
  }
  ct_input inputs[2] = {{lab_handle(scene, "plate.moving.place_u"), w->u},
                        {lab_handle(scene, "plate.moving.place_v"), w->v}};
  ct_scene_process(scene, &(ct_io){.frames = FRAMES,
                                   .taps = taps,
                                   .tap_count = 2 + 2 * MODES,
                                   .inputs = inputs,
                                   .input_count = flat ? 2 : 1});
}

/* What the point reads against the shape functions themselves. */
static double reading_error(bool ring, bool flat) {
  static walk w;
  static motion m;
  ct_scene *scene = lab_scene(rate_hz, 0);
  add_plate(scene, ring, flat, 1);
  lab_settle(scene);
  make_walk(&w, ring);
  run_walk(scene, &w, flat, &m);
  double worst = 0;
  for (int n = 0; n < FRAMES; n++) {
    double x = 0, v = 0, size_x = 0, size_v = 0;
    for (int i = 0; i < MODES; i++) {
      double gain = along(i, w.u[n], ring) * (flat ? across(i, w.v[n]) : 1);
      x += gain * m.mode_x[i][n];
      v += gain * m.mode_v[i][n];
      size_x += fabs(m.mode_x[i][n]);
      size_v += fabs(m.mode_v[i][n]);
    }
    worst = fmax(worst, fmax(fabs(m.x[n] - x) / size_x, fabs(m.v[n] - v) / size_v));
  }
  assert_true(lab_ledger_error(scene) < 1e-12);
  assert_true(ct_scene_ledger(scene).motion_j == 0);
  ct_scene_destroy(scene);
  return worst;
}

static void reads_the_shape(void **state) {
  (void)state;
  double line = reading_error(false, false), plate = reading_error(false, true),
         ring = reading_error(true, false);
  printf("moving point off its shape: along a line %.2g, over a plate %.2g, round a ring %.2g\n", line, plate,
         ring);
  assert_true(line < 1e-5 && plate < 1e-5 && ring < 1e-5);
}

/* A point brought to where another one stands is that point. */
static void arrives_where_it_is_sent(void **state) {
  (void)state;
  ct_scene *scene = lab_scene(rate_hz, 0);
  add_plate(scene, false, true, 1);
  lab_settle(scene);
  lab_step(scene, 100);
  lab_set(scene, "plate.moving.place_u", 0.8, 0.01, 0);
  lab_set(scene, "plate.moving.place_v", 0.1, 0.01, 0);
  lab_step(scene, 1000);
  assert_true(lab_get(scene, "plate.moving.place_u") == 0.8);
  double away = fabs(lab_get(scene, "plate.moving.v_m_s") - lab_get(scene, "plate.still.v_m_s"));
  assert_true(away > 1e-3);
  lab_set(scene, "plate.moving.place_u", 0.3, 0.01, 0);
  lab_set(scene, "plate.moving.place_v", 0.4, 0.01, 0);
  lab_step(scene, 1000);
  assert_true(lab_get(scene, "plate.moving.x_m") == lab_get(scene, "plate.still.x_m"));
  assert_true(lab_get(scene, "plate.moving.v_m_s") == lab_get(scene, "plate.still.v_m_s"));
  ct_scene_destroy(scene);
}

/* ---- in contact */

typedef struct account {
  double motion_j, slide_error_m, deepest_m, most_slide_m;
} account;

/* A resting hand presses on the plate; whatever work imposed motion does comes from the point's walk. The
 * slide is dgain . x with x before the step and the force is its mean over the step. */
static void watch(ct_scene *scene, const walk *w, account *out) {
  ct_handle u = lab_handle(scene, "plate.moving.place_u"), x = lab_handle(scene, "plate.moving.x_m"),
            v = lab_handle(scene, "plate.moving.place_v"), pressed = lab_handle(scene, "press.compression_m"),
            force = lab_handle(scene, "press.force_n");
  for (int n = 0; n < FRAMES; n++) {
    double before = ct_scene_get(scene, x), after;
    ct_tap tap = {x, &after};
    ct_input inputs[2] = {{u, &w->u[n]}, {v, &w->v[n]}};
    ct_scene_process(scene,
                     &(ct_io){.frames = 1, .taps = &tap, .tap_count = 1, .inputs = inputs, .input_count = 2});
    double slide = after - before, depth = ct_scene_get(scene, pressed), at = ct_scene_get(scene, x);
    out->motion_j -= slide * ct_scene_get(scene, force);
    out->most_slide_m = fmax(out->most_slide_m, fabs(slide));
    out->deepest_m = fmax(out->deepest_m, depth);
    if (depth > 0)
      out->slide_error_m = fmax(out->slide_error_m, fabs(depth - (2e-5 - at)));
  }
}

static void slides_under_a_hand(void **state) {
  (void)state;
  static walk w;
  make_walk(&w, false);
  for (uint32_t substeps = 0; substeps <= 4; substeps += 2) {
    ct_scene *scene = lab_scene(rate_hz, 0);
    add_plate(scene, false, true, 0.2);
    lab_hand(scene, "hand", 2e-5, 0);
    ct_impact_def law = lab_law("press", "hand.at", "plate.moving", 1e7, 1.4, 0.5);
    law.substeps = substeps;
    lab_touch(scene, law);
    lab_settle(scene);
    account a = {0};
    watch(scene, &w, &a);
    ct_ledger l = ct_scene_ledger(scene);
    printf("hand on a moving point, %u substeps: motion work %.6g J booked, %.6g J expected; compression "
           "%.2g m at most, off the geometry by %.2g m; ledger %.2g\n",
           substeps, l.motion_j, a.motion_j, a.deepest_m, a.slide_error_m, lab_ledger_error(scene));
    assert_true(fabs(l.motion_j) > 1e-6 && a.deepest_m > 1e-6 && a.most_slide_m > 1e-7);
    assert_true(fabs(l.motion_j - a.motion_j) < 1e-10 * l.scale_j);
    assert_true(a.slide_error_m < 1e-15);
    assert_true(lab_ledger_error(scene) < 1e-12);
    ct_scene_destroy(scene);
  }
}

/* Gains on ramps, one each, under a hand pressed on a ringing bar: parameters, which do no work. */
static void ramps_gains(void **state) {
  (void)state;
  const double row[3] = {1, 0.4, -0.6};
  const ct_mode_def modes[3] = {{.hz = 210, .t60_s = 1, .mass_kg = 0.05, .x_m = 2e-5},
                                {.hz = 640, .t60_s = 0.7, .mass_kg = 0.04, .v_m_s = 0.1},
                                {.hz = 1900, .t60_s = 0.5, .mass_kg = 0.03}};
  ct_point_def point = {.name = "at", .gains = {row}, .gain_count = 3};
  ct_modal_def def = ct_default_modal_def();
  def.name = "bar";
  def.modes = modes;
  def.mode_count = 3;
  def.points = &point;
  def.point_count = 1;
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_body(scene, &def);
  lab_hand(scene, "hand", 0, 0);
  lab_touch(scene, lab_law("press", "hand.at", "bar.at", 1e6, 1.5, 0.2));
  lab_settle(scene);
  lab_set(scene, "bar.at.gains.0", 0.2, 0.02, 100);
  lab_set(scene, "bar.at.gains.1", 1.5, 0.005, 300);
  lab_set(scene, "bar.at.gains.2", 0.9, 0, 700);
  double start = ct_scene_ledger(scene).stored_j, gain = 0, least = start;
  for (int n = 0; n < 3000; n++) {
    lab_step(scene, 1);
    double stored = ct_scene_ledger(scene).stored_j;
    gain = fmax(gain, stored - least);
    least = fmin(least, stored);
  }
  ct_ledger l = ct_scene_ledger(scene);
  printf("gains on ramps: motion work %.3g J, parameter work %.3g J, %.3g J gained of %.3g, ledger %.2g\n",
         l.motion_j, l.parameter_j, gain, start, lab_ledger_error(scene));
  assert_true(lab_get(scene, "bar.at.gains.0") == 0.2 && lab_get(scene, "bar.at.gains.1") == 1.5 &&
              lab_get(scene, "bar.at.gains.2") == 0.9);
  assert_true(l.motion_j == 0 && l.parameter_j == 0 && start > 1e-6 && gain < 1e-12 * start);
  assert_true(l.stored_j < start);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* A gap that opens and closes while pressed is a motion too: compression = hand - bar - gap at every sample.
 */
static void moves_a_gap(void **state) {
  (void)state;
  const ct_mode_def mode = {.hz = 300, .t60_s = 0.5, .mass_kg = 0.05};
  ct_scene *scene = lab_scene(rate_hz, 0);
  lab_modal(scene, "bar", &mode, 1);
  lab_hand(scene, "hand", 0, 0);
  lab_touch(scene, lab_law("press", "hand.at", "bar.at", 1e7, 1.4, 0.3));
  lab_settle(scene);
  ct_handle gap = lab_handle(scene, "press.gap_m"), depth = lab_handle(scene, "press.compression_m"),
            x = lab_handle(scene, "bar.at.x_m"), force = lab_handle(scene, "press.force_n");
  double worst = 0, work = 0, last = 0;
  for (int n = 0; n < FRAMES; n++) {
    double now = -2e-5 * sin(2 * M_PI * 40 * n / rate_hz);
    ct_input input = {gap, &now};
    ct_scene_process(scene, &(ct_io){.frames = 1, .inputs = &input, .input_count = 1});
    worst = fmax(worst, fabs(ct_scene_get(scene, depth) - (-ct_scene_get(scene, x) - now)));
    work += ct_scene_get(scene, force) * (last - now);
    last = now;
  }
  ct_ledger l = ct_scene_ledger(scene);
  printf("moving gap: work %.6g J booked, %.6g J expected; compression off by %.2g m; ledger %.2g\n",
         l.motion_j, work, worst, lab_ledger_error(scene));
  assert_true(l.motion_j > 1e-9 && worst < 1e-15);
  assert_true(fabs(l.motion_j - work) < 1e-12 * l.scale_j);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

/* Everything at once: a thrown ball, a hand that moves, both points of the plate walking, a gap that moves.
 */
static void all_moves_together(void **state) {
  (void)state;
  static walk w;
  static double hand[FRAMES], gap[FRAMES], other[FRAMES];
  make_walk(&w, false);
  random_state r = {41};
  for (int n = 0; n < FRAMES; n++) {
    hand[n] = 3e-5 * sin(2 * M_PI * 60 * n / rate_hz);
    gap[n] = 1e-5 * sin(2 * M_PI * 111 * n / rate_hz);
    other[n] = n ? other[n - 1] + 1e-3 * random_between(&r, -1, 1) : 0.6;
  }
  ct_scene *scene = lab_scene(rate_hz, 0);
  add_plate(scene, false, true, 0.1);
  lab_mass(scene, "ball", 0.005, 4e-4, -0.3);
  lab_hand(scene, "hand", 0, 0);
  ct_impact_def bounce = lab_law("bounce", "ball.at", "plate.moving", 1e7, 1.5, 0.1);
  bounce.from_above = true;
  lab_touch(scene, bounce);
  lab_touch(scene, lab_law("press", "hand.at", "plate.still", 1e7, 1.3, 0.5));
  lab_settle(scene);
  ct_input inputs[5] = {{lab_handle(scene, "plate.moving.place_u"), w.u},
                        {lab_handle(scene, "plate.moving.place_v"), w.v},
                        {lab_handle(scene, "plate.still.place_u"), other},
                        {lab_handle(scene, "hand.x_m"), hand},
                        {lab_handle(scene, "press.gap_m"), gap}};
  ct_scene_process(scene, &(ct_io){.frames = FRAMES, .inputs = inputs, .input_count = 5});
  ct_ledger l = ct_scene_ledger(scene);
  printf("all at once: motion work %.3g J, lost %.3g J in contacts, ledger %.2g\n", l.motion_j,
         l.lost_contacts_j, lab_ledger_error(scene));
  assert_true(fabs(l.motion_j) > 1e-6 && l.lost_contacts_j > 1e-7);
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_the_shape),     cmocka_unit_test(arrives_where_it_is_sent),
      cmocka_unit_test(slides_under_a_hand), cmocka_unit_test(ramps_gains),
      cmocka_unit_test(moves_a_gap),         cmocka_unit_test(all_moves_together)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
