/* Figure 4: a ball whose centre of mass is off its middle, led over a smooth plane. Its height follows eq. 3;
 * the force of the contact that carries it, eq. 4. */
#include "base/text.h"
#include "study/figure.h"
#include "study/rath2003.h"

#include <contatto/scene.h>
#include <math.h>
#include <stdlib.h>

static const double lean_m = 2e-4, radius_m = 0.01, mass_kg = 0.01, gravity = 9.81, rate_hz = 48000;
static const double speeds_m_s[RATH_SPEEDS] = {0.1, 0.2, 0.3, 0.4};

static ct_result add_contact(ct_scene *s, ct_error *error) {
  ct_mode_def mode = {.mass_kg = mass_kg};
  ct_point_def point = {.name = "at"};
  ct_modal_def ball = ct_default_modal_def();
  ct_hand_def wall = ct_default_hand_def();
  ct_impact_def touch = ct_default_impact_def();
  ball.name = "ball";
  ball.modes = &mode;
  ball.mode_count = 1;
  ball.points = &point;
  ball.point_count = 1;
  wall.name = "wall";
  touch.name = "touch";
  touch.a = "ball.at";
  touch.b = "wall.at";
  touch.from_above = true;
  touch.stiffness = 1e5;
  touch.damping_s_m = 200; /* settles in milliseconds */
  touch.gap_m = -pow(mass_kg * gravity / touch.stiffness, 1 / touch.exponent);
  ct_result result = ct_added(ct_scene_add_modal(s, &ball, error), error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_hand(s, &wall, error), error);
  return result == CT_OK ? ct_added(ct_scene_add_impact(s, &touch, error), error) : result;
}

static ct_result add_drive(ct_scene *s, double speed_m_s, ct_error *error) {
  ct_surface_def plain = ct_default_surface_def();
  ct_drive_def roll = ct_default_drive_def();
  plain.name = "plain";
  plain.depth_m = 0;
  roll.name = "roll";
  roll.contact = "touch";
  roll.surface = "plain";
  roll.free = false;
  roll.speed_m_s = speed_m_s;
  roll.radius_m = radius_m;
  roll.asymmetry_m = lean_m;
  ct_result result = ct_added(ct_scene_add_surface(s, &plain, error), error);
  return result == CT_OK ? ct_added(ct_scene_add_drive(s, &roll, error), error) : result;
}

/* Height and force over `frames` samples, once it has settled. */
static ct_result ride(double speed_m_s, uint32_t frames, double *height_m, double *force_n, ct_error *error) {
  ct_scene *scene = NULL;
  ct_handle height, force;
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = rate_hz;
  def.gravity_m_s2 = gravity;
  ct_result result = ct_scene_create(&def, &scene, error);
  if (result == CT_OK)
    result = add_contact(scene, error);
  if (result == CT_OK)
    result = add_drive(scene, speed_m_s, error);
  if (result == CT_OK)
    result = ct_scene_resolve(scene, "ball.at.x_m", &height, error);
  if (result == CT_OK)
    result = ct_scene_resolve(scene, "touch.force_n", &force, error);
  if (result == CT_OK) {
    ct_tap taps[] = {{height, height_m}, {force, force_n}};
    ct_scene_process(scene, &(ct_io){.frames = frames});
    ct_scene_process(scene, &(ct_io){.frames = frames, .taps = taps, .tap_count = 2});
    result = ct_scene_judge(scene, error);
  }
  ct_scene_destroy(scene);
  return result;
}

static double half_swing(const double *values, uint32_t count) {
  double least = INFINITY, most = -INFINITY;
  for (uint32_t n = 0; n < count; n++) {
    least = fmin(least, values[n]);
    most = fmax(most, values[n]);
  }
  return (most - least) / 2;
}

static ct_result write_ride(const ct_study_run *run, double speed_m_s, const double *height_m,
                            const double *force_n, uint32_t frames, ct_error *error) {
  figure_table *table;
  double turn_s = 2 * M_PI * radius_m / speed_m_s;
  ct_result result = figure_table_begin(run, "fig4_ride", "turns,height_mm,force_mn", &table, error);
  for (uint32_t n = 0; n < frames && n / rate_hz < 3 * turn_s && result == CT_OK; n += 8) {
    double row[] = {n / rate_hz / turn_s, 1e3 * height_m[n], 1e3 * force_n[n]};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

static ct_result write_swings(const ct_study_run *run, const rath_lean *lean, ct_error *error) {
  figure_table *table;
  ct_result result = figure_table_begin(run, "fig4_force", "speed_m_s,swing_mn,expected_mn", &table, error);
  for (int i = 0; i < RATH_SPEEDS && result == CT_OK; i++) {
    double row[] = {lean[i].speed_m_s, 1e3 * lean[i].swing_n, 1e3 * lean[i].expected_n};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

static const char script[] =
    "set multiplot layout 1,2 margins 0.08,0.97,0.18,0.95 spacing 0.1\nset key off\n"
    "set xlabel 'turns'\nset ylabel 'height of the centre of mass, mm'\n"
    "plot D('fig4_ride') using (C('turns')):(C('height_mm')) with lines lw 2 lc rgb rk4\n"
    "set key top left\nset xlabel 'speed, m/s'\nset ylabel 'half the swing of the force, mN'\nset xrange "
    "[0:0.42]\n"
    "set samples 200\nplot x**2 * 20 with lines lw 1.5 lc rgb exact title 'M A (v/r)²', \\\n"
    "  D('fig4_force') using (C('speed_m_s')):(C('swing_mn')) with points pt 7 ps 1.2 lc rgb ours title "
    "'contact'\n"
    "unset multiplot\n";

static ct_result measure(const ct_study_run *run, int i, rath_lean *lean, ct_error *error) {
  double v = speeds_m_s[i], w = v / radius_m;
  uint32_t frames = (uint32_t)(4 * 2 * M_PI / w * rate_hz);
  double *height_m = calloc(2 * (size_t)frames, sizeof *height_m), *force_n = height_m + frames;
  if (!height_m)
    return ct_fail(error, CT_NO_MEMORY, "no memory for a ride");
  ct_result result = ride(v, frames, height_m, force_n, error);
  if (result == CT_OK)
    *lean = (rath_lean){v, half_swing(force_n, frames), mass_kg * lean_m * w * w};
  if (result == CT_OK && run->folder && i == RATH_SPEEDS - 1)
    result = write_ride(run, v, height_m, force_n, frames, error);
  free(height_m);
  return result;
}

ct_result rath_draw_lean(const ct_study_run *run, rath_lean lean[RATH_SPEEDS], ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < RATH_SPEEDS && result == CT_OK; i++)
    result = measure(run, i, &lean[i], error);
  if (result == CT_OK && run->folder)
    result = write_swings(run, lean, error);
  return result == CT_OK && run->folder ? figure_draw(run, "fig4", 1000, 380, "", script, error) : result;
}
