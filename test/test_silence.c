/* Silence is exact, and neither dying away nor resting meets a denormal number on the way. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

static bool is_denormal(double x) { return x != 0 && fabs(x) < 2.2250738585072014e-308; }

/* A struck bar, a hand lifted off it, then a minute of nothing. */
static void silence_is_exact(void **state) {
  (void)state;
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = 8000;
  def.ledger = true;
  ct_scene *scene = lab_scene_from(&def);
  enum { MODES = 9, BUFFER = 8000 };
  ct_mode_def modes[MODES];
  for (int i = 0; i < MODES; i++)
    modes[i] = (ct_mode_def){.hz = 100 + 300 * i, .t60_s = 0.05 * (i + 1), .mass_kg = 0.1, .v_m_s = 1};
  lab_modal(scene, "bar", modes, MODES);
  lab_hand(scene, "hand", 0, 0);
  lab_touch(scene, lab_law("touch", "hand.at", "bar.at", 1e6, 1.5, 0.5));
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
  lab_pickup(scene, "eye", "bar.at", CT_DISPLACEMENT, 1e-6);
  lab_settle(scene);
  lab_set(scene, "hand.x_m", -0.01, 0.1, 0);
  static float output[BUFFER];
  static double x[BUFFER], v[BUFFER];
  float *outputs[] = {output};
  uint64_t state_denormals = 0, output_denormals = 0, last_heard = 0;
  ct_tap taps[] = {{lab_handle(scene, "bar.modes.0.x_m"), x}, {lab_handle(scene, "bar.modes.8.v_m_s"), v}};
  for (int second = 0; second < 65; second++) {
    ct_io io = {.frames = BUFFER, .outputs = outputs, .taps = taps, .tap_count = 2};
    ct_scene_process(scene, &io);
    for (int n = 0; n < BUFFER; n++) {
      state_denormals += is_denormal(x[n]) || is_denormal(v[n]);
      output_denormals += fpclassify(output[n]) == FP_SUBNORMAL;
      if (output[n] != 0)
        last_heard = (uint64_t)second * BUFFER + (uint64_t)n;
    }
  }
  for (int i = 0; i < MODES; i++) {
    char path[32];
    snprintf(path, sizeof path, "bar.modes.%d.x_m", i);
    assert_true(lab_get(scene, path) == 0);
    snprintf(path, sizeof path, "bar.modes.%d.v_m_s", i);
    assert_true(lab_get(scene, path) == 0);
  }
  assert_true(lab_get(scene, "bar.at.x_m") == 0 && lab_get(scene, "bar.at.v_m_s") == 0);
  assert_true(ct_scene_ledger(scene).stored_j == 0);
  printf(
      "silence: exact zero %.2f s after the strike (longest t60 %.2f s), %llu denormal states, %llu denormal "
      "outputs\n",
      (double)last_heard / def.rate_hz, 0.05 * MODES, (unsigned long long)state_denormals,
      (unsigned long long)output_denormals);
  assert_true(state_denormals == 0 && output_denormals == 0 && (double)last_heard / def.rate_hz < 10);
  ct_scene_destroy(scene);
}

/* A ball comes to rest under gravity: pressed for ever, and no state on the way is denormal. */
static void rest_has_no_denormals(void **state) {
  (void)state;
  ct_scene *scene = lab_scene(8000, 9.81);
  ct_mode_def mode = {.hz = 200, .t60_s = 0.2, .mass_kg = 0.5};
  lab_modal(scene, "plate", &mode, 1);
  lab_mass(scene, "ball", 0.01, 0.01, 0);
  ct_impact_def law = lab_law("rest", "ball.at", "plate.at", 1e6, 1.5, 2);
  law.from_above = true;
  lab_touch(scene, law);
  lab_settle(scene);
  static double seen[4][8000];
  static const char *const paths[] = {"plate.modes.0.x_m", "plate.modes.0.v_m_s", "ball.modes.0.v_m_s",
                                      "rest.force_n"};
  ct_tap taps[4];
  uint64_t denormals = 0;
  for (int i = 0; i < 4; i++)
    taps[i] = (ct_tap){lab_handle(scene, paths[i]), seen[i]};
  for (int second = 0; second < 60; second++) {
    ct_scene_process(scene, &(ct_io){.frames = 8000, .taps = taps, .tap_count = 4});
    for (int i = 0; i < 4; i++)
      for (int n = 0; n < 8000; n++)
        denormals += is_denormal(seen[i][n]);
  }
  double force = lab_get(scene, "rest.force_n"), speed = lab_get(scene, "ball.at.v_m_s");
  printf("a ball at rest for a minute: presses with %.9g N of %.9g N, moves at %.2g m/s, %llu denormals\n",
         force, 0.01 * 9.81, speed, (unsigned long long)denormals);
  assert_true(fabs(force - 0.01 * 9.81) < 1e-6 && fabs(speed) < 1e-9);
  assert_int_equal(denormals, 0);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(silence_is_exact),
                                     cmocka_unit_test(rest_has_no_denormals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
