/* Figure 3: a mass on a spring, carried along by a belt through a friction contact, as the engine has it;
 * beside it the sawtooth of eq. 1, and the source's own wave. The mass sticks, slides back within half a
 * period of its spring, and sticks again: a sawtooth but for the slide, whose length rounds its corners. */
#include "base/text.h"
#include "source/harmonics.h"
#include "study/figure.h"
#include "study/thoret2013.h"

#include <contatto/measure.h>
#include <contatto/scene.h>
#include <math.h>
#include <stdlib.h>

enum { COUNT = 4 * THORET_RATE, SETTLED = 2 * THORET_RATE, EVERY = 24 };

static const double belt_m_s = 0.004, mass_kg = 0.1, spring_hz = 25, weight_n = 2;

static ct_result make_belt(ct_scene **scene, ct_error *error) {
  ct_scene_def def = ct_default_scene_def();
  ct_mode_def mode = {.hz = spring_hz, .t60_s = 0.5, .mass_kg = mass_kg};
  ct_point_def point = {.name = "at"};
  ct_modal_def mass = ct_default_modal_def();
  ct_hand_def belt = ct_default_hand_def();
  ct_friction_def rub = ct_default_friction_def();
  def.rate_hz = THORET_RATE;
  mass.name = "mass";
  mass.modes = &mode;
  mass.mode_count = 1;
  mass.points = &point;
  mass.point_count = 1;
  belt.name = "belt";
  belt.v_m_s[CT_TANGENTIAL] = belt_m_s;
  rub.name = "rub";
  rub.a = "belt.at";
  rub.b = "mass.at";
  rub.bristle_n_m = 1e6;
  rub.bristle_damping_n_s_m = 30;
  rub.mu_static = 0.6;
  rub.mu_dynamic = 0.25;
  rub.stribeck_m_s = 0.01;
  rub.normal_n = weight_n;
  ct_result result = ct_scene_create(&def, scene, error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_modal(*scene, &mass, error), error);
  if (result == CT_OK)
    result = ct_added(ct_scene_add_hand(*scene, &belt, error), error);
  return result == CT_OK ? ct_added(ct_scene_add_friction(*scene, &rub, error), error) : result;
}

static ct_result ride(double x_m[COUNT], ct_error *error) {
  ct_scene *scene = NULL;
  ct_handle place;
  ct_result result = make_belt(&scene, error);
  if (result == CT_OK)
    result = ct_scene_resolve(scene, "mass.at.tangential_x_m", &place, error);
  if (result == CT_OK) {
    ct_tap tap = {.handle = place};
    tap.values = x_m;
    ct_scene_process(scene, &(ct_io){.frames = COUNT, .taps = &tap, .tap_count = 1});
    result = ct_scene_judge(scene, error);
  }
  ct_scene_destroy(scene);
  return result;
}

/* Stick-slip once settled: the mass slides where it moves against the belt. */
static void find_cycle(const double *x_m, thoret_belt *belt) {
  double first = 0, last = 0, slides = 0, sliding = 0;
  for (int i = SETTLED + 1; i + 1 < COUNT; i++) {
    bool back = x_m[i + 1] < x_m[i] - 1e-12, before = x_m[i] < x_m[i - 1] - 1e-12;
    if (back && !before) {
      if (slides == 0)
        first = i;
      last = i;
      slides++;
    }
    sliding += back;
  }
  belt->period_s = slides > 1 ? (last - first) / (slides - 1) / THORET_RATE : (double)NAN;
  belt->slip_share = sliding / (COUNT - SETTLED);
}

/* Level of the n-th harmonic over whole periods. */
static double harmonic_db(const double *v, double period, int n) {
  int count = (int)(floor((COUNT - SETTLED) / period) * period);
  double re = 0, im = 0, mean = 0;
  for (int i = 0; i < count; i++)
    mean += v[SETTLED + i] / count;
  for (int i = 0; i < count; i++) {
    double window = 1 - cos(2 * M_PI * (i + 0.5) / count), angle = 2 * M_PI * n * i / period;
    re += (v[SETTLED + i] - mean) * window * cos(angle);
    im += (v[SETTLED + i] - mean) * window * sin(angle);
  }
  return 20 * log10(hypot(re, im));
}

static void measure_levels(const double *x_m, thoret_belt *belt) {
  double period = belt->period_s * THORET_RATE, first = harmonic_db(x_m, period, 1);
  for (int n = 1; n <= 10; n++) {
    belt->level_db[n - 1] = harmonic_db(x_m, period, n) - first;
    belt->saw_db[n - 1] = -20 * log10(n);
  }
}

/* The source's wave at a share of the period, rising, from -1 to 1. */
static double source_wave(const ct_harmonics *h, double share) {
  double turns[CT_HARMONIC_BLOCK], wave[CT_HARMONIC_BLOCK];
  for (uint32_t i = 0; i < CT_HARMONIC_BLOCK; i++)
    turns[i] = share - floor(share + 0.5);
  ct_harmonics_block(h, turns, wave);
  return -2 / M_PI * wave[0];
}

/* Three periods from a slide's middle on: the mass, eq. 1 (its sign turned: the belt runs forwards) and the
 * source.
 */
static ct_result write_belt(figure_table *table, const double *x_m, const thoret_belt *belt,
                            ct_error *error) {
  double period = belt->period_s * THORET_RATE, low = INFINITY, high = -INFINITY;
  int start = SETTLED, falling = SETTLED;
  ct_result result = CT_OK;
  ct_harmonics h;
  ct_harmonics_init(&h, THORET_RATE, 1);
  ct_harmonics_set_hz(&h, 1 / belt->period_s, 1 / belt->period_s);
  for (int i = SETTLED; i < COUNT; i++) {
    low = fmin(low, x_m[i]);
    high = fmax(high, x_m[i]);
  }
  for (int i = SETTLED; i < SETTLED + (int)(1.5 * period); i++)
    if (x_m[i + 1] - x_m[i] < x_m[falling + 1] - x_m[falling])
      falling = i;
  start = falling;
  for (int i = 0; i < (int)(3 * period) && start + i < COUNT && result == CT_OK; i += EVERY) {
    double share = i / period, saw = 2 * (share - floor(share)) - 1;
    double row[] = {i / (double)THORET_RATE, (2 * x_m[start + i] - low - high) / (high - low), saw,
                    source_wave(&h, share)};
    result = figure_table_row(table, row, error);
  }
  return result;
}

static ct_result write_levels(figure_table *table, const thoret_belt *belt, ct_error *error) {
  ct_result result = CT_OK;
  for (int n = 0; n < 10 && result == CT_OK; n++)
    result = figure_table_row(table, (double[]){n + 1, belt->level_db[n], belt->saw_db[n]}, error);
  return result;
}

static const char plot[] =
    "set multiplot layout 1,2 margins 0.07,0.98,0.14,0.9 spacing 0.1\n"
    "set xlabel 'time, ms'\nset ylabel 'displacement, of its range' offset 1\nset yrange [-1.25:1.45]\n"
    "set key top left horizontal\nset title 'Figure 3: stick, slip'\n"
    "plot D('fig3_belt') using (1e3*C('time_s')):(C('eq1')) with lines lw 1 lc rgb heun title 'eq. 1', \\\n"
    "  '' using (1e3*C('time_s')):(C('source')) with lines lw 2 dt 3 lc rgb rk4 title 'source', \\\n"
    "  '' using (1e3*C('time_s')):(C('mass')) with lines lw 2 lc rgb ours title 'mass on the belt'\n"
    "set title 'its harmonics'\nset xlabel 'k'\nset ylabel 'dB re the first'\nset yrange [-45:5]\nset xrange "
    "[0.5:10.5]\n"
    "set key top right vertical\n"
    "plot D('fig3_levels') using (C('k')):(C('saw_db')) with linespoints pt 6 lw 1.5 lc rgb heun title "
    "'1/k', \\\n"
    "  '' using (C('k')):(C('mass_db')) with linespoints pt 7 lw 1.5 lc rgb ours title 'mass on the belt'\n"
    "unset multiplot\n";

static ct_result draw(const ct_study_run *run, const double *x_m, const thoret_belt *belt, ct_error *error) {
  figure_table *table;
  ct_result result = figure_table_begin(run, "fig3_belt", "time_s,mass,eq1,source", &table, error);
  if (result == CT_OK)
    result = write_belt(table, x_m, belt, error);
  result = figure_table_end(table, result, error);
  if (result == CT_OK &&
      (result = figure_table_begin(run, "fig3_levels", "k,mass_db,saw_db", &table, error)) == CT_OK)
    result = figure_table_end(table, write_levels(table, belt, error), error);
  return result == CT_OK ? figure_draw(run, "fig3", 1100, 420, "", plot, error) : result;
}

static ct_result study_belt(const ct_study_run *run, double x_m[COUNT], thoret_belt *belt, ct_error *error) {
  ct_result result = ride(x_m, error);
  if (result != CT_OK)
    return result;
  find_cycle(x_m, belt);
  if (!(belt->period_s > 0))
    return ct_fail(error, CT_BAD_SCENE, "the belt's mass does not stick and slip");
  measure_levels(x_m, belt);
  return run->folder ? draw(run, x_m, belt, error) : CT_OK;
}

ct_result thoret_draw_belt(const ct_study_run *run, thoret_belt *belt, ct_error *error) {
  double *x_m = calloc(COUNT, sizeof *x_m);
  if (!x_m)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the belt");
  ct_result result = study_belt(run, x_m, belt, error);
  free(x_m);
  return result;
}
