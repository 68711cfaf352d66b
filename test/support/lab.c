/* See lab.h. */
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

void lab_must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

ct_scene *lab_scene_from(const ct_scene_def *def) {
  ct_error error = {0};
  ct_scene *scene = NULL;
  lab_must(ct_scene_create(def, &scene, &error), &error);
  return scene;
}

ct_scene *lab_scene(double rate_hz, double gravity_m_s2) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = rate_hz;
  def.gravity_m_s2 = gravity_m_s2;
  def.ledger = true;
  return lab_scene_from(&def);
}

void lab_body(ct_scene *scene, const ct_modal_def *def) {
  ct_error error = {0};
  lab_must(ct_added(ct_scene_add_modal(scene, def, &error), &error), &error);
}

void lab_string(ct_scene *scene, const char *name, ct_string_def def, const double *places, uint32_t count) {
  static const char *const names[] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};
  ct_error error = {0};
  ct_point_def points[8] = {0};
  for (uint32_t i = 0; i < count; i++)
    points[i] = (ct_point_def){.name = names[i], .place_u = places[i]};
  def.name = name;
  def.points = points;
  def.point_count = count;
  lab_must(ct_added(ct_scene_add_string(scene, &def, &error), &error), &error);
}

void lab_modal(ct_scene *scene, const char *name, const ct_mode_def *modes, uint32_t count) {
  ct_point_def point = {.name = "at"};
  ct_modal_def def = ct_default_modal_def();
  def.name = name;
  def.modes = modes;
  def.mode_count = count;
  def.points = &point;
  def.point_count = 1;
  lab_body(scene, &def);
}

void lab_mass(ct_scene *scene, const char *name, double mass_kg, double x_m, double v_m_s) {
  ct_mode_def mode = {.mass_kg = mass_kg, .x_m = x_m, .v_m_s = v_m_s};
  lab_modal(scene, name, &mode, 1);
}

void lab_hand(ct_scene *scene, const char *name, double x_m, double v_m_s) {
  ct_error error = {0};
  ct_hand_def def = ct_default_hand_def();
  def.name = name;
  def.x_m[CT_NORMAL] = x_m;
  def.v_m_s[CT_NORMAL] = v_m_s;
  lab_must(ct_added(ct_scene_add_hand(scene, &def, &error), &error), &error);
}

ct_impact_def lab_law(const char *name, const char *a, const char *b, double stiffness, double exponent,
                      double damping_s_m) {
  ct_impact_def def = ct_default_impact_def();
  def.name = name;
  def.a = a;
  def.b = b;
  def.stiffness = stiffness;
  def.exponent = exponent;
  def.damping_s_m = damping_s_m;
  return def;
}

void lab_touch(ct_scene *scene, ct_impact_def def) {
  ct_error error = {0};
  lab_must(ct_added(ct_scene_add_impact(scene, &def, &error), &error), &error);
}

void lab_rub(ct_scene *scene, const char *name, const char *a, const char *b, ct_friction_def def) {
  ct_error error = {0};
  def.name = name;
  def.a = a;
  def.b = b;
  lab_must(ct_added(ct_scene_add_friction(scene, &def, &error), &error), &error);
}

void lab_pickup(ct_scene *scene, const char *name, const char *at, ct_listen listen, double full_scale) {
  ct_error error = {0};
  ct_pickup_def def = ct_default_pickup_def();
  def.name = name;
  def.at = at;
  def.listen = listen;
  def.full_scale = full_scale;
  lab_must(ct_added(ct_scene_add_pickup(scene, &def, &error), &error), &error);
}

void lab_control(ct_scene *scene, const char *name, const char *path, double from, double to, bool trigger) {
  ct_error error = {0};
  ct_target_def target = {path, from, to, CT_LINEAR};
  ct_control_def def = ct_default_control_def();
  def.name = name;
  def.targets = &target;
  def.target_count = 1;
  def.trigger = trigger;
  def.value = trigger ? 0 : 0.5;
  lab_must(ct_scene_add_control(scene, &def, &error), &error);
}

void lab_settle(ct_scene *scene) { ct_scene_process(scene, &(ct_io){.frames = 0}); }

void lab_step(ct_scene *scene, uint32_t frames) { ct_scene_process(scene, &(ct_io){.frames = frames}); }

ct_handle lab_handle(ct_scene *scene, const char *path) {
  ct_error error = {0};
  ct_handle handle = {0};
  lab_must(ct_scene_resolve(scene, path, &handle, &error), &error);
  return handle;
}

double lab_get(ct_scene *scene, const char *path) { return ct_scene_get(scene, lab_handle(scene, path)); }

void lab_set(ct_scene *scene, const char *path, double value, double ramp_s, uint64_t at_sample) {
  ct_error error = {0};
  lab_must(ct_scene_set(scene, lab_handle(scene, path), value, ramp_s, at_sample, &error), &error);
}

void lab_record(ct_scene *scene, const char *path, double *values, uint32_t frames) {
  ct_tap tap = {lab_handle(scene, path), values};
  ct_scene_process(scene, &(ct_io){.frames = frames, .taps = &tap, .tap_count = 1});
}

double lab_ledger_error(const ct_scene *scene) {
  ct_ledger ledger = ct_scene_ledger(scene);
  return fabs(ledger.error_j) / ledger.scale_j;
}

double lab_relative_rms(const double *a, const double *b, uint32_t count) {
  double apart = 0, size = 0;
  for (uint32_t i = 0; i < count; i++) {
    apart += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return sqrt(apart / size);
}

double lab_fitted_order(const double *x, const double *y, uint32_t count) {
  double mean_x = 0, mean_y = 0, above = 0, below = 0;
  for (uint32_t i = 0; i < count; i++) {
    mean_x += log(x[i]) / count;
    mean_y += log(y[i]) / count;
  }
  for (uint32_t i = 0; i < count; i++) {
    above += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
    below += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
  }
  return above / below;
}

/* u - ln(1 + u), by its series where the two would cancel. */
static long double first_integral(long double u) {
  if (fabsl(u) > 0.05L)
    return u - log1pl(u);
  long double sum = 0, power = u;
  for (int k = 2; k < 20; k++) {
    power *= -u;
    sum -= power / k;
  }
  return sum;
}

double lab_rebound_m_s(double speed_m_s, double damping_s_m) {
  if (damping_s_m == 0)
    return speed_m_s;
  long double wanted = first_integral((long double)damping_s_m * speed_m_s), low = -1, high = 0;
  for (int i = 0; i < 200; i++) {
    long double middle = (low + high) / 2;
    *(first_integral(middle) > wanted ? &low : &high) = middle;
  }
  return (double)(-(low + high) / 2 / damping_s_m);
}
