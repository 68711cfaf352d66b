/* How little a scene takes: what a voice is made of, capacities that are no larger than asked for, and mode
 * shapes kept once. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* ---- how small ---- */

static size_t voice_bytes(uint32_t modes) {
  ct_mode_def bar_modes[16];
  for (int i = 0; i < 16; i++)
    bar_modes[i] = (ct_mode_def){.hz = 440 * (i + 1), .t60_s = 1, .mass_kg = 0.05};
  const ct_mode_def hammer_mode = {.mass_kg = 0.01};
  const ct_point_def hit = {.name = "hit"}, tip = {.name = "tip"};
  ct_modal_def bar = ct_default_modal_def(), hammer = ct_default_modal_def();
  bar.name = "bar";
  bar.modes = bar_modes;
  bar.mode_count = modes;
  bar.points = &hit;
  hammer.name = "hammer";
  hammer.modes = &hammer_mode;
  hammer.mode_count = 1;
  hammer.points = &tip;
  bar.point_count = hammer.point_count = 1;
  ct_scene_def def = ct_default_scene_def();
  def.bodies = 2;
  def.contacts = def.pickups = def.substeps = 1;
  def.controls = def.targets = def.surfaces = def.drives = def.sources = def.strikes = 0;
  def.messages = 4;
  def.pool_bytes = ct_modal_pool_bytes(&bar, &def) + ct_modal_pool_bytes(&hammer, &def);
  ct_scene *scene = lab_scene_from(&def);
  ct_impact_def strike = ct_default_impact_def();
  strike.name = "strike";
  strike.a = "hammer.tip";
  strike.b = "bar.hit";
  strike.substeps = 1;
  lab_body(scene, &bar);
  lab_body(scene, &hammer);
  assert_int_equal(ct_added(ct_scene_add_impact(scene, &strike, NULL), NULL), CT_OK);
  lab_pickup(scene, "out", "bar.hit", CT_VELOCITY, 1);
  lab_step(scene, 100);
  size_t bytes = ct_scene_bytes(scene);
  ct_scene_destroy(scene);
  return bytes;
}

static void a_voice_is_small(void **state) {
  (void)state;
  size_t three = voice_bytes(3), sixteen = voice_bytes(16);
  printf("a hammer on three modes: %zu bytes, on sixteen: %zu\n", three, sixteen);
  assert_true(three <= 8u << 10 && sixteen <= 12u << 10);
}

/* Bodies keep coefficients for as many substeps as the scene was made for; whoever may want more stays out.
 */
static void substeps_are_a_capacity(void **state) {
  (void)state;
  ct_scene_def def = ct_default_scene_def();
  ct_error error = {0};
  def.substeps = 3;
  size_t bytes;
  assert_int_equal(ct_scene_size(&def, &bytes, &error), CT_BAD_VALUE);
  def.substeps = 8;
  ct_scene *scene = lab_scene_from(&def);
  lab_mass(scene, "a", 1, 0, 1);
  lab_mass(scene, "b", 1, 0, 0);
  ct_impact_def strike = ct_default_impact_def();
  strike.name = "strike";
  strike.a = "a.at";
  strike.b = "b.at";
  assert_int_equal(ct_added(ct_scene_add_impact(scene, &strike, &error), &error),
                   CT_FULL); /* 256, by its quality */
  assert_non_null(strstr(error.text, "256 are wanted"));
  strike.substeps = 16;
  assert_int_equal(ct_added(ct_scene_add_impact(scene, &strike, &error), &error), CT_FULL);
  strike.substeps = 8;
  assert_int_equal(ct_added(ct_scene_add_impact(scene, &strike, &error), &error), CT_OK);
  ct_friction_def rub = ct_default_friction_def();
  rub.name = "rub";
  rub.a = "a.at";
  rub.b = "b.at";
  rub.substeps = 16;
  assert_int_equal(ct_added(ct_scene_add_friction(scene, &rub, &error), &error), CT_FULL);
  rub.substeps = 0;
  assert_int_equal(ct_added(ct_scene_add_friction(scene, &rub, &error), &error), CT_OK);
  lab_step(scene, 1000);
  assert_int_equal(ct_scene_bound(scene).substeps_per_sample, 8);
  assert_int_equal(ct_scene_counters(scene).most_substeps, 8);
  ct_scene_destroy(scene);
}

/* ---- shapes that modes share ---- */

enum { SHAPED = 200, NODES = 9 };

/* Mode i has shape `which(i)`: a bend of its own. */
static void fill_shapes(double shapes[SHAPED][NODES], uint32_t kinds) {
  for (uint32_t i = 0; i < SHAPED; i++)
    for (uint32_t k = 0; k < NODES; k++)
      shapes[i][k] = sin((double)(i * 7 % kinds + 1) * (k + 1));
}

static ct_scene *shaped_scene(const double *u, const double *v, uint32_t modes) {
  static ct_mode_def all[SHAPED];
  const ct_point_def point = {.name = "at", .place_u = 0.37, .place_v = 0.81};
  for (uint32_t i = 0; i < SHAPED; i++)
    all[i] = (ct_mode_def){.hz = 100 + i, .t60_s = 1, .mass_kg = 1};
  ct_modal_def body = ct_default_modal_def();
  body.name = "body";
  body.modes = all;
  body.mode_count = modes;
  body.points = &point;
  body.point_count = 1;
  body.shape = (ct_shape_table){.u = u, .v = v, .u_count = NODES, .v_count = NODES};
  ct_scene_def def = ct_default_scene_def();
  def.pool_bytes = ct_modal_pool_bytes(&body, &def);
  ct_scene *scene = lab_scene_from(&def);
  lab_body(scene, &body);
  lab_step(scene, 1);
  return scene;
}

/* A mode's gain is what it is in a body of this mode alone, whoever else has its shape. */
static void shared_shapes_are_read_alike(void **state) {
  (void)state;
  static const uint32_t kinds[][2] = {{1, 1}, {3, 5}, {20, 50}, {127, 200}, {200, 130}, {200, 200}};
  static double u[SHAPED][NODES], v[SHAPED][NODES];
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    fill_shapes(u, kinds[k][0]);
    fill_shapes(v, kinds[k][1]);
    ct_scene *scene = shaped_scene(u[0], v[0], SHAPED);
    for (uint32_t i = 0; i < SHAPED; i += 1 + i % 5) {
      char path[64];
      snprintf(path, sizeof path, "body.at.gains.%u", i);
      ct_scene *alone = shaped_scene(u[i], v[i], 1);
      assert_true(lab_get(scene, path) == lab_get(alone, "body.at.gains.0"));
      ct_scene_destroy(alone);
    }
    printf("%u and %u shapes of %d modes: %zu bytes\n", kinds[k][0], kinds[k][1], SHAPED,
           ct_scene_bytes(scene));
    ct_scene_destroy(scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_voice_is_small),
                                     cmocka_unit_test(substeps_are_a_capacity),
                                     cmocka_unit_test(shared_shapes_are_read_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
