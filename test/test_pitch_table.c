/* Phi as a table: a power law sampled is that power law, curves go through their values and stay between
 * them, against monotone cubics computed elsewhere; and what is refused. */
#include "picture/picture.h"
#include "support/action_lab.h"
#include "support/lab.h"
#include "support/words.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Doubles; cmocka's own compares floats. */
static void near(double is, double wanted, double tolerance) {
  if (!(fabs(is - wanted) <= tolerance))
    fail_msg("%.17g, not %.17g within %g", is, wanted, tolerance);
}

static const double rate_hz = 48000;
enum { COUNT = 48000, KNOTS = 33 };

/* A source without wandering, whose gesture sweeps the plane to and fro. */
static void prepare(action_lab *lab, ct_scale scale) {
  action_lab_prepare(lab, CT_SQUEAKY_GLASS);
  lab->def.wander = 0;
  lab->def.x = (ct_axis_def){CT_SPEED, 0.05, 1, scale};
  lab->def.y = (ct_axis_def){CT_PRESSURE, 0.1, 1, scale};
}

typedef struct run {
  double force_n[COUNT], hz[COUNT / CT_ACTION_BLOCK];
} run;

static run *play(action_lab *lab) {
  run *r = malloc(sizeof *r);
  action_lab_make(lab, rate_hz);
  for (size_t i = 0; i < COUNT; i += CT_ACTION_BLOCK) {
    double t = (double)i / COUNT;
    lab->action.signal[CT_SPEED] = 0.05 + 0.95 * (0.5 - 0.5 * cos(6 * M_PI * t));
    lab->action.signal[CT_PRESSURE] = 0.1 + 0.9 * (0.5 - 0.5 * cos(10 * M_PI * t));
    ct_action_block(&lab->action, r->force_n + i);
    r->hz[i / CT_ACTION_BLOCK] = lab->action.hz;
  }
  action_lab_free(lab);
  return r;
}

/* Largest difference of pitch, in octaves, and of force, of its peak. */
static double pitch_off(const run *a, const run *b) {
  double worst = 0;
  for (size_t i = 0; i < COUNT / CT_ACTION_BLOCK; i++)
    worst = fmax(worst, fabs(log2(a->hz[i] / b->hz[i])));
  return worst;
}

static double force_off(const run *a, const run *b) {
  double worst = 0, peak = 0;
  for (size_t i = 0; i < COUNT; i++) {
    worst = fmax(worst, fabs(a->force_n[i] - b->force_n[i]));
    peak = fmax(peak, fabs(a->force_n[i]));
  }
  return worst / peak;
}

static run *play_power(ct_scale scale, double x_power, double y_power) {
  action_lab lab;
  prepare(&lab, scale);
  lab.regions[0].hz = 440;
  lab.regions[0].x_power = x_power;
  lab.regions[0].y_power = y_power;
  return play(&lab);
}

typedef struct sampled {
  double x[KNOTS], y[KNOTS], hz[KNOTS * KNOTS];
} sampled;

/* The same law, sampled at so many places along each axis, evenly as the axis counts. */
static run *play_table(ct_scale scale, double x_power, double y_power, uint32_t nx, uint32_t ny,
                       ct_table_curve curve) {
  static sampled s;
  action_lab lab;
  prepare(&lab, scale);
  double x_middle = ct_axis_value(&lab.def.x, 0.5), y_middle = ct_axis_value(&lab.def.y, 0.5);
  for (uint32_t i = 0; i < nx; i++)
    s.x[i] = ct_axis_value(&lab.def.x, i / (nx - 1.0));
  for (uint32_t k = 0; k < ny; k++)
    s.y[k] = ct_axis_value(&lab.def.y, k / (ny - 1.0));
  for (uint32_t k = 0; k < (ny ? ny : 1); k++)
    for (uint32_t i = 0; i < (nx ? nx : 1); i++)
      s.hz[k * (nx ? nx : 1) + i] =
          440 * (nx ? pow(s.x[i] / x_middle, x_power) : 1) * (ny ? pow(s.y[k] / y_middle, y_power) : 1);
  ct_region_def *r = &lab.regions[0];
  r->table_x = s.x;
  r->table_y = s.y;
  r->table_hz = s.hz;
  r->table_x_count = nx;
  r->table_y_count = ny;
  r->table_hz_count = (nx ? nx : 1) * (ny ? ny : 1);
  r->table_curve = curve;
  return play(&lab);
}

/* On logarithmic axes a power law is a straight line: two values along each axis are all of it. */
static void a_power_law_in_two_values(void **state) {
  (void)state;
  static const struct {
    double x_power, y_power;
    uint32_t nx, ny;
  } laws[] = {{0.7, 0, 2, 0}, {0, -0.4, 0, 2}, {0.7, -0.4, 2, 2}, {0.7, -0.4, 5, 7}, {-1.5, 0.5, 3, 2}};
  for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
    for (int curve = CT_TABLE_STRAIGHT; curve <= CT_TABLE_SMOOTH; curve++) {
      run *power = play_power(CT_LOG, laws[i].x_power, laws[i].y_power);
      run *table =
          play_table(CT_LOG, laws[i].x_power, laws[i].y_power, laws[i].nx, laws[i].ny, (ct_table_curve)curve);
      assert_true(pitch_off(power, table) < 1e-12);
      assert_true(force_off(power, table) < 1e-8); /* a second of phase, summed */
      free(power);
      free(table);
    }
}

/* On linear axes p log2(x) bends by p / (x^2 ln 2), so straight lines between places h apart are off by at
 * most p h^2 / (8 x_min^2 ln 2) octaves along each axis; and it falls with h^2. A monotone cubic, of second
 * order at the ends and better between, is nearer still. */
static void a_power_law_sampled_on_linear_axes(void **state) {
  (void)state;
  const double p = 0.8, q = -0.3;
  double last = INFINITY;
  run *power = play_power(CT_LINEAR, p, q);
  for (uint32_t n = 9; n <= KNOTS; n = 2 * n - 1) {
    run *straight = play_table(CT_LINEAR, p, q, n, n, CT_TABLE_STRAIGHT),
        *smooth = play_table(CT_LINEAR, p, q, n, n, CT_TABLE_SMOOTH);
    double hx = 0.95 / (n - 1), hy = 0.9 / (n - 1);
    double bound = (fabs(p) * hx * hx / (0.05 * 0.05) + fabs(q) * hy * hy / (0.1 * 0.1)) / (8 * M_LN2);
    double off = pitch_off(power, straight), smooth_off = pitch_off(power, smooth);
    printf("%u x %u values on linear axes: off by %.4f octaves, smooth %.4f, bound %.4f\n", n, n, off,
           smooth_off, bound);
    assert_true(off <= bound && off < 0.6 * last && smooth_off < off);
    last = off;
    free(straight);
    free(smooth);
  }
  free(power);
}

/* ---- the curve itself ---- */

typedef struct grid {
  ct_pitch_table table;
  double x[8], y[8], hz[64];
} grid;

static void lay_grid(grid *g, const double *x, uint32_t nx, const double *y, uint32_t ny,
                     const double *log2_hz, ct_table_curve curve) {
  uint32_t count = (nx ? nx : 1) * (ny ? ny : 1);
  memcpy(g->x, x, nx * sizeof *x);
  if (ny)
    memcpy(g->y, y, ny * sizeof *y);
  for (uint32_t i = 0; i < count; i++)
    g->hz[i] = exp2(log2_hz[i]);
  g->table = (ct_pitch_table){
      .count = {nx, ny}, .curve = curve, .place = {g->x, g->y}, .hz = g->hz, .hz_count = count};
}

static double read_at(const grid *g, double x, double y) {
  return ct_pitch_table_read(&g->table, (double[2]){x, y});
}

/* Values by scipy.interpolate.PchipInterpolator; on two axes, of rows along x, then along y. */
static void as_computed_elsewhere(void **state) {
  (void)state;
  static const double x[] = {0, 0.1, 0.15, 0.4, 0.7, 0.72, 1}, v[] = {1, 2, 2.1, 5, 4, 4, 7.5};
  static const double wanted[][2] = {{0.03, 1.42184827586207},
                                     {0.05, 1.65287356321839},
                                     {0.1, 2},
                                     {0.12, 2.04338889538282},
                                     {0.2, 2.49597288135593},
                                     {0.39, 4.98758367457627},
                                     {0.4, 5},
                                     {0.55, 4.5},
                                     {0.69, 4.00325925925926},
                                     {0.705, 4},
                                     {0.8, 4.29931972789116},
                                     {0.97, 6.81010841836735}};
  static const double u[] = {0, 0.3, 0.5, 1}, w[] = {0, 0.2, 0.6, 0.9, 1};
  static const double rows[] = {1, 2, 4, 4.5, 2, 2.5, 3, 6, 5, 4, 2, 1, 5, 5, 5, 5.5, 3, 3.5, 4, 9};
  static const double both[][3] = {{0.1, 0.1, 1.60813157269939},   {0.4, 0.3, 2.73371710532269},
                                   {0.45, 0.59, 2.36802794188747}, {0.8, 0.75, 2.73918700718109},
                                   {0.9, 0.97, 6.83579670950748},  {0.3, 0.6, 4}};
  grid g;
  lay_grid(&g, x, 7, NULL, 0, v, CT_TABLE_SMOOTH);
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    near(read_at(&g, wanted[i][0], 0.7), wanted[i][1], 1e-12);
  lay_grid(&g, u, 4, w, 5, rows, CT_TABLE_SMOOTH);
  for (size_t i = 0; i < sizeof both / sizeof both[0]; i++)
    near(read_at(&g, both[i][0], both[i][1]), both[i][2], 1e-12);
}

/* Random tables: through their values, never beyond the two they are between, without jumps, level beyond
 * both ends. */
static void curves_stay_between_their_values(void **state) {
  (void)state;
  ct_random random = {77};
  for (int round = 0; round < 2000; round++) {
    uint32_t n = 2 + (uint32_t)(ct_random_bits(&random) % 7);
    double x[8], v[8], at = 0.2 * ct_random_share(&random);
    for (uint32_t i = 0; i < n; i++) {
      x[i] = at += 1e-3 + 0.1 * ct_random_share(&random);
      v[i] = 10 * ct_random_share(&random);
    }
    grid g;
    lay_grid(&g, x, n, NULL, 0, v, round % 2 ? CT_TABLE_SMOOTH : CT_TABLE_STRAIGHT);
    near(read_at(&g, 0, 0), v[0], 1e-12);
    near(read_at(&g, 1, 0), v[n - 1], 1e-12);
    for (uint32_t i = 0; i + 1 < n; i++) {
      double low = fmin(v[i], v[i + 1]), high = fmax(v[i], v[i + 1]), before = v[i];
      for (int k = 0; k <= 20; k++) {
        double now = read_at(&g, x[i] + (x[i + 1] - x[i]) * k / 20, 0);
        assert_true(now >= low - 1e-12 && now <= high + 1e-12);
        assert_true((now - before) * (v[i + 1] - v[i]) >= -1e-9); /* and never turns between them */
        before = now;
      }
      near(before, v[i + 1], 1e-12);
    }
  }
}

/* ---- in a scene ---- */

#define PLATE                                                                                                \
  "'contatto': 1, 'bodies': {'plate': {'modes': [{'hz': 440, 't60_s': 0.5}], 'points': {'spot': {'gains': "  \
  "[1]}}}},"                                                                                                 \
  "'pickups': {'ear': {'at': 'plate.spot'}},"
#define RUB(region)                                                                                          \
  "{" PLATE "'sources': {'rub': {'at': 'plate.spot', 'speed_m_s': 0.1, 'pressure': 0.5, 'wander': 0,"        \
  "'regions': {'all': {'behaviour': 'squeaky_plate', " region "}}}}}"

/* From the middle of a log axis from 0.01 to 1, 0.1 m/s; hz tunes the whole table, a value set live moves. */
static void tables_are_read_from_scenes(void **state) {
  (void)state;
  ct_scene *scene = words_scene(RUB("'table_x': [0.01, 0.1, 1], 'table_hz': [200, 300, 900]"));
  lab_step(scene, 16);
  near(lab_get(scene, "rub.f0_hz"), 300, 1e-9);
  lab_set(scene, "rub.speed_m_s", sqrt(0.1), 0, 0);
  lab_step(scene, 16);
  near(lab_get(scene, "rub.f0_hz"), sqrt(300. * 900), 1e-9);
  lab_set(scene, "rub.all.table_hz.2", 2700, 0, 0);
  lab_step(scene, 16);
  near(lab_get(scene, "rub.all.table_hz.2"), 2700, 0);
  near(lab_get(scene, "rub.f0_hz"), 900, 1e-9);
  lab_set(scene, "rub.all.hz", 150, 0, 0); /* an octave down from 300 in the middle */
  lab_step(scene, 16);
  near(lab_get(scene, "rub.f0_hz"), 450, 1e-9);
  ct_handle handle;
  ct_error error;
  assert_int_equal(ct_scene_resolve(scene, "rub.all.table_hz.3", &handle, &error), CT_BAD_PATH);
  assert_non_null(strstr(error.text, "region 'all' has values 0 to 2"));
  assert_int_equal(ct_scene_resolve(scene, "rub.all.x.0", &handle, &error), CT_BAD_PATH);
  assert_non_null(strstr(error.text, "no corners: it is the whole plane"));
  ct_scene_destroy(scene);
  scene = words_scene(RUB("'pitch': 'scale', 'notes': 'overtones', 'root_hz': 100, 'table_y': [0, 1],"
                          "'table_hz': [230, 230]"));
  lab_step(scene, 16);
  near(lab_get(scene, "rub.f0_hz"), 200, 1e-9); /* to the nearest note */
  ct_scene_destroy(scene);
}

/* As `describe --map` says it. */
static void tables_in_words(void **state) {
  (void)state;
  static const double x[] = {0.01, 1}, hz[] = {60, 1500};
  ct_region_def r = ct_default_region_def();
  char words[160];
  r.table_x = x;
  r.table_hz = hz;
  r.table_x_count = r.table_hz_count = 2;
  r.y_power = 0.2;
  ct_region_words(&r, words, sizeof words);
  assert_string_equal(words, "creaky_door, table of 2, 60 to 1500 Hz y^0.2");
}

static void bad_tables_are_refused(void **state) {
  (void)state;
  static const char *const bad[][3] = {
      {RUB("'table_x': [0.1], 'table_hz': [200]"), "table_x has 1 places", "2 to 256"},
      {RUB("'table_x': [0.1, 0.1], 'table_hz': [200, 300]"), "table_x.1 is 0.1", "not above"},
      {RUB("'table_x': [0.1, 2], 'table_hz': [200, 300]"), "table_x.1 is 2", "speed 0.01 to 1"},
      {RUB("'table_x': [0.1, 0.2], 'table_hz': [200, 300, 400]"), "table_hz has 3 values", "want 2"},
      {RUB("'table_x': [0.1, 0.2], 'table_y': [0, 1], 'table_hz': [200, 300]"), "table_hz has 2 values",
       "want 4"},
      {RUB("'table_hz': [200, 300]"), "table_hz has 2 values", "want 0"},
      {RUB("'table_y': [0, 1]"), "table_hz has 0 values", "want 2"},
      {RUB("'pitch': 'locked', 'table_y': [0, 1], 'table_hz': [2, 3]"), "locked", "table_hz"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    ct_error error = {0};
    const char *said = words_complaint(&error, NULL, 0, "%s", bad[i][0]);
    if (!strstr(said, "source 'rub', region 'all'") || !strstr(said, bad[i][1]) || !strstr(said, bad[i][2]))
      fail_msg("'%s' does not say '%s' and '%s'", said, bad[i][1], bad[i][2]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_power_law_in_two_values),   cmocka_unit_test(a_power_law_sampled_on_linear_axes),
      cmocka_unit_test(as_computed_elsewhere),       cmocka_unit_test(curves_stay_between_their_values),
      cmocka_unit_test(tables_are_read_from_scenes), cmocka_unit_test(tables_in_words),
      cmocka_unit_test(bad_tables_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
