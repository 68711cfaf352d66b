/* A point that somebody carries along moves evenly, from sample to sample, though who carries it is asked on
 * ticks only: on a body that is bent and at rest, what it reads changes by equal steps. On a shape and on a
 * string; it arrives where its leader is, at most a tick late. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

enum { RATE = 48000, NODES = 33, TRAVEL = 4800 };

static const double start_u = 0.2, speed_m_s = 0.5, metres_per_place = 1;

/* Pushed in the middle until it rests, a string is a triangle. */
static ct_scene *bent_string(void) {
  ct_scene *scene = lab_scene(RATE, 0);
  ct_string_def def = ct_default_string_def();
  def.hz = 196;
  def.t60_s = def.high_t60_s = 0.1;
  lab_string(scene, "body", def, (double[]){0.6, start_u}, 2);
  return scene;
}

/* One mode that is half a sine long. */
static ct_scene *bent_shape(void) {
  static double shape[NODES];
  ct_scene *scene = lab_scene(RATE, 0);
  ct_mode_def mode = {.hz = 300, .t60_s = 0.1, .mass_kg = 0.01};
  ct_point_def points[2] = {{.name = "p0", .place_u = 0.6}, {.name = "p1", .place_u = start_u}};
  for (int k = 0; k < NODES; k++)
    shape[k] = sin(M_PI * k / (NODES - 1));
  ct_modal_def def = ct_default_modal_def();
  def.name = "body";
  def.modes = &mode;
  def.mode_count = 1;
  def.points = points;
  def.point_count = 2;
  def.shape.u = shape;
  def.shape.u_count = NODES;
  lab_body(scene, &def);
  return scene;
}

/* Steps of what the carried point reads while it travels: how far two in a row differ at most, of their mean.
 */
static double unevenness(ct_scene *scene) {
  ct_error error = {0};
  lab_hand(scene, "hand", 0, 0);
  lab_settle(scene);
  assert_int_equal(ct_scene_follow(scene, "body.p1", "hand.at", metres_per_place, &error), CT_OK);
  lab_set(scene, "body.p0.force_n", 1, 0.05, 0);
  lab_step(scene, 2 * RATE);
  lab_set(scene, "hand.tangential_v_m_s", speed_m_s, 0, 0);
  lab_step(scene, 64);
  double first = lab_get(scene, "body.p1.x_m"), before = first, last_step = 0, worst = 0;
  for (int n = 0; n < TRAVEL; n++) {
    lab_step(scene, 1);
    double now = lab_get(scene, "body.p1.x_m"), step = now - before;
    worst = n ? fmax(worst, fabs(step - last_step)) : 0;
    before = now;
    last_step = step;
  }
  return worst / fabs((before - first) / TRAVEL);
}

static void moves_evenly(void **state) {
  (void)state;
  ct_scene *scenes[] = {bent_shape(), bent_string()};
  for (int i = 0; i < 2; i++) {
    double uneven = unevenness(scenes[i]), way = speed_m_s * (TRAVEL + 64) / RATE / metres_per_place;
    double u = lab_get(scenes[i], "body.p1.place_u"), late = (start_u + way - u) / (way / (TRAVEL + 64));
    printf("%s: steps differ by %.2g of their mean, %.1f samples late\n", i ? "string" : "shape", uneven,
           late);
    assert_true(uneven < 0.02);
    assert_true(late > -1 && late < 17);
    ct_scene_destroy(scenes[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves_evenly)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
