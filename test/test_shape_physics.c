/* Shapes in metres, kilograms and newtons: textbook frequencies, static deflections as sums over modes (which
 * needs frequency, mass and mode shape all right at once), chains and networks against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <contatto/shape.h>

#include "base/special.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 1200 };

typedef struct body {
  ct_shape_def def;
  ct_shape_found found;
  double *memory;
  ct_shape_mode modes[MOST];
} body;

static void assert_near(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance))
    fail_msg("%.17g is not %.17g within %g", value, wanted, tolerance);
}

static void assert_ratio(double value, double wanted, double tolerance) {
  assert_near(value / wanted, 1.0, tolerance);
}

static body *solve(ct_shape_def def, uint32_t count) {
  body *b = calloc(1, sizeof *b);
  size_t need = ct_shape_memory_count(&def);
  ct_error error = {CT_OK, ""};
  b->def = def;
  b->memory = need ? malloc(need * sizeof(double)) : NULL;
  if (ct_shape_modes(&b->def, b->modes, count, HUGE_VAL, b->memory, need, &b->found, &error) != CT_OK)
    fail_msg("%s", error.text);
  return b;
}

static void drop(body *b) {
  free(b->memory);
  free(b);
}

/* ASTM E1876, impulse excitation of a bar: E = 0.9465 (m f^2 / b)(L/t)^3 T1, T1 = 1 + 6.585 (1 + 0.0752 nu +
 * 0.8109 nu^2) (t/L)^2 - 0.868 (t/L)^4 - ... being what thin-beam theory leaves out. A 200 x 20 x 4 mm steel
 * bar, and one five times as thick. */
static void test_steel_bar(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_BAR);
  ct_shape_set_material(&def, ct_material_find("steel"));
  double length = def.size_m[0] = 0.2, width = def.size_m[1] = 0.02, thick = def.thickness_m = 0.004;
  def.thin = true;
  body *b = solve(def, 3);
  double mass = 7800.0 * length * width * thick, slender = thick / length;
  double hz = sqrt(2.0e11 * width / (0.9465 * mass) * slender * slender * slender);
  assert_near(ct_shape_mass_kg(&def), mass, 1e-15);
  assert_ratio(b->modes[0].hz, hz, 1e-4);
  assert_near(b->modes[0].hz, 520.5, 0.1);
  drop(b);
  def.thin = false;
  for (int times = 1; times <= 5; times += 4) {
    double nu = def.poisson, s2 = slender * times * slender * times;
    double t1 = 1.0 + 6.585 * (1.0 + 0.0752 * nu + 0.8109 * nu * nu) * s2 - 0.868 * s2 * s2 -
                8.34 * (1.0 + 0.2023 * nu + 2.173 * nu * nu) * s2 * s2 /
                    (1.0 + 6.338 * (1.0 + 0.1408 * nu + 1.536 * nu * nu) * s2);
    def.thickness_m = thick * times;
    body *full = solve(def, 3);
    assert_ratio(full->modes[0].hz, hz * times / sqrt(t1), 1.5e-3);
    drop(full);
  }
}

/* Shear force and bending moment along a Timoshenko beam of unit length, stiffness and mass, by Runge-Kutta;
 * what two ways to start at one end leave at the other must not be independent. */
static double shoot(double b, double rotary, double shear, ct_shape_edge edge) {
  int first = edge == CT_EDGE_FREE ? 0 : 2, wanted = edge == CT_EDGE_CLAMPED ? 0 : 2;
  double end[2][4];
  for (int start = 0; start < 2; start++) {
    double at[4] = {0.0, 0.0, 0.0, 0.0}; /* y, turn, moment, force */
    at[first + start] = 1.0;
    for (int n = 0; n < 4000; n++) {
      double k[4] = {0.0, 0.0, 0.0, 0.0}, sum[4] = {0.0, 0.0, 0.0, 0.0};
      static const double share[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
      for (int i = 0; i < 4; i++) {
        double z[4];
        for (int j = 0; j < 4; j++)
          z[j] = at[j] + share[i] / 4000.0 * k[j];
        k[0] = z[1] + shear * z[3];
        k[1] = z[2];
        k[2] = -z[3] - rotary * b * b * z[1];
        k[3] = -b * b * z[0];
        for (int j = 0; j < 4; j++)
          sum[j] += weight[i] * k[j] / 6.0 / 4000.0;
      }
      for (int j = 0; j < 4; j++)
        at[j] += sum[j];
    }
    for (int j = 0; j < 4; j++)
      end[start][j] = at[j];
  }
  return end[0][wanted] * end[1][wanted + 1] - end[0][wanted + 1] * end[1][wanted];
}

static void test_thick_bars(void **state) {
  (void)state;
  ct_shape_edge edges[] = {CT_EDGE_FREE, CT_EDGE_CLAMPED, CT_EDGE_CANTILEVER};
  for (int e = 0; e < 3; e++) {
    ct_shape_def def = ct_default_shape_def(CT_SHAPE_BAR);
    def.edge = edges[e];
    def.thickness_m = def.size_m[0] / 10.0;
    body *b = solve(def, 4);
    double nu = def.poisson, rotary = 1.0 / 1200.0,
           shear = rotary * 2.0 * (1.0 + nu) * (12.0 + 11.0 * nu) / (10.0 * (1.0 + nu));
    double unit_hz = def.thickness_m / sqrt(12.0) * sqrt(def.young_pa / def.density_kg_m3) /
                     (2.0 * CT_PI * def.size_m[0] * def.size_m[0]);
    for (int i = 0; i < 4; i++) { /* a change of sign within 1e-7 of it */
      double root = b->modes[i].hz / unit_hz;
      assert_true(shoot(root * (1.0 - 1e-7), rotary, shear, edges[e]) *
                      shoot(root * (1.0 + 1e-7), rotary, shear, edges[e]) <
                  0.0);
    }
    drop(b);
  }
}

/* Tuned as makers do, whatever the bar; orthonormal over the mass that is left. */
static void test_undercut_bars(void **state) {
  (void)state;
  static const double ratios[CT_UNDERCUT_COUNT][2] = {{0.0, 0.0}, {4.0, 10.0}, {3.0, 6.0}};
  for (int cut = CT_UNDERCUT_MARIMBA; cut < CT_UNDERCUT_COUNT; cut++) {
    ct_shape_def def = ct_default_shape_def(CT_SHAPE_BAR);
    double whole = ct_shape_mass_kg(&def);
    def.undercut = (ct_undercut)cut;
    body *b = solve(def, 8);
    assert_ratio(b->modes[1].hz / b->modes[0].hz, ratios[cut][0], 1e-6);
    assert_ratio(b->modes[2].hz / b->modes[0].hz, ratios[cut][1], 1e-6);
    assert_true(ct_shape_mass_kg(&def) < whole && b->modes[0].mass_kg == ct_shape_mass_kg(&def));
    double left = cut == CT_UNDERCUT_MARIMBA ? 0.367991707 : 0.850036270,
           half = cut == CT_UNDERCUT_MARIMBA ? 0.578699670 : 0.469302474;
    for (int i = 0; i < 6; i++)
      for (int j = 0; j <= i; j++) {
        double sum = 0.0, all = 0.0;
        for (int n = 0; n < 20000; n++) {
          double u = (n + 0.5) / 20000.0, x = fabs(2.0 * u - 1.0) / half,
                 h = x < 1.0 ? left + (1.0 - left) * x * x * x : 1.0;
          sum += h * ct_shape_gain(&def, &b->modes[i], u, 0.0) * ct_shape_gain(&def, &b->modes[j], u, 0.0);
          all += h;
        }
        assert_near(sum / all, i == j ? 1.0 : 0.0, 1e-6);
      }
    drop(b);
  }
}

/* Fletcher and Rossing (1998), section 3.5: f = 0.453 c_L h [(m/Lx)^2 + (n/Ly)^2] for a simply supported
 * plate, and section 3.4 for circular ones: 0.4694 (clamped), 0.2287 (hinged) c_L h / a^2, c_L^2 = E / rho (1
 * - nu^2). */
static void test_glass_plate(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_PLATE);
  ct_shape_set_material(&def, ct_material_find("glass"));
  def.size_m[0] = 0.3, def.size_m[1] = 0.2, def.thickness_m = 0.003;
  double speed = sqrt(6.2e10 / (2500.0 * (1.0 - 0.22 * 0.22)));
  body *b = solve(def, 2);
  assert_ratio(b->modes[0].hz, 0.453 * speed * 0.003 * (1.0 / 0.09 + 1.0 / 0.04), 1.1e-3);
  assert_ratio(b->modes[1].hz, 0.453 * speed * 0.003 * (4.0 / 0.09 + 1.0 / 0.04), 1.1e-3);
  assert_near(b->modes[0].hz, 250.8, 0.1);
  drop(b);
}

static void test_round_plates(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_DISC);
  def.poisson = 0.33;
  double speed = sqrt(def.young_pa / (def.density_kg_m3 * (1.0 - 0.33 * 0.33)));
  double unit_hz = speed * def.thickness_m / (def.radius_m * def.radius_m);
  def.edge = CT_EDGE_CLAMPED;
  body *clamped = solve(def, 1);
  def.edge = CT_EDGE_HINGED;
  body *hinged = solve(def, 1);
  assert_ratio(clamped->modes[0].hz, 0.4694 * unit_hz, 3e-4);
  assert_ratio(hinged->modes[0].hz, 0.2287 * unit_hz, 3e-4);
  drop(clamped);
  drop(hinged);
}

/* Fletcher and Rossing (1998), section 3.2: f01 = (2.405 / 2 pi a) sqrt(T / sigma). A 65 cm kettledrum
 * without its air: Mylar of 0.262 kg/m^2 at 4000 N/m. */
static void test_drum(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_DRUM);
  def.radius_m = 0.325, def.tension_n_m = 4000.0, def.thickness_m = 1.9e-4,
  def.density_kg_m3 = 0.262 / 1.9e-4;
  body *b = solve(def, 2);
  assert_ratio(b->modes[0].hz, 2.405 / (2.0 * CT_PI * 0.325) * sqrt(4000.0 / 0.262), 1e-4);
  assert_near(b->modes[0].hz, 145.51, 0.01);
  assert_near(b->modes[0].mass_kg, 0.262 * CT_PI * 0.325 * 0.325, 1e-12);
  drop(b);
}

/* Displacement under one newton at rest, as the sum of all modes' answers. */
static double deflection(const body *b, double u, double v) {
  double sum = 0.0;
  for (uint32_t i = b->found.count; i-- > 0;) {
    double w = 2.0 * CT_PI * b->modes[i].hz, gain = ct_shape_gain(&b->def, &b->modes[i], u, v);
    sum += gain * gain / (b->modes[i].mass_kg * w * w);
  }
  return sum;
}

/* L/4T in the middle; L^3/3EI at a cantilever's tip, L^3/48EI and L^3/192EI in the middle of a hinged and a
 * clamped bar. */
static void test_static_string_and_bars(void **state) {
  (void)state;
  body *s = solve(ct_default_shape_def(CT_SHAPE_STRING), MOST);
  assert_ratio(deflection(s, 0.5, 0.0), s->def.size_m[0] / (4.0 * s->def.tension_n), 1e-3);
  ct_shape_edge edges[] = {CT_EDGE_CANTILEVER, CT_EDGE_HINGED, CT_EDGE_CLAMPED};
  double shares[] = {3.0, 48.0, 192.0}, places[] = {1.0, 0.5, 0.5};
  for (int i = 0; i < 3; i++) {
    ct_shape_def def = ct_default_shape_def(CT_SHAPE_BAR);
    def.edge = edges[i];
    def.thin = true;
    body *b = solve(def, 300);
    double second_moment = def.size_m[1] * pow(def.thickness_m, 3.0) / 12.0;
    double wanted = pow(def.size_m[0], 3.0) / (shares[i] * def.young_pa * second_moment);
    assert_ratio(deflection(b, places[i], 0.0), wanted, 1e-6);
    drop(b);
  }
  drop(s);
}

static void test_static_tube(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_TUBE);
  def.edge = CT_EDGE_CANTILEVER;
  def.thin = true;
  body *b = solve(def, 300);
  double second_moment = CT_PI / 4.0 * (pow(def.radius_m, 4.0) - pow(def.inner_radius_m, 4.0));
  assert_ratio(deflection(b, 1.0, 0.0), pow(def.size_m[0], 3.0) / (3.0 * def.young_pa * second_moment), 1e-6);
  drop(b);
}

/* Timoshenko and Woinowsky-Krieger (1959): middle load on a plate: 0.01160 a^2/D (hinged square, section 34),
 * a^2/16 pi D (clamped disc), (3+nu)/(1+nu) a^2/16 pi D (hinged disc, section 19). */
static void test_static_plates(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_PLATE);
  def.size_m[0] = def.size_m[1] = 0.25;
  double d = def.young_pa * pow(def.thickness_m, 3.0) / (12.0 * (1.0 - def.poisson * def.poisson));
  body *b = solve(def, MOST);
  assert_ratio(deflection(b, 0.5, 0.5), 0.01160 * 0.25 * 0.25 / d, 2e-3);
  drop(b);
  def = ct_default_shape_def(CT_SHAPE_DISC);
  d = def.young_pa * pow(def.thickness_m, 3.0) / (12.0 * (1.0 - def.poisson * def.poisson));
  double wanted = def.radius_m * def.radius_m / (16.0 * CT_PI * d);
  def.edge = CT_EDGE_CLAMPED;
  b = solve(def, MOST);
  assert_ratio(deflection(b, 0.0, 0.0), wanted, 1e-3);
  drop(b);
  def.edge = CT_EDGE_HINGED;
  b = solve(def, MOST);
  assert_ratio(deflection(b, 0.0, 0.0), wanted * (3.0 + def.poisson) / (1.0 + def.poisson), 1e-3);
  drop(b);
}

/* A ring pinched between two fingers gives way by (pi/4 - 2/pi) F R^3 / EI: Roark. Each finger drives the
 * even orders twice, the odd ones not at all. */
static void test_static_ring(void **state) {
  (void)state;
  body *b = solve(ct_default_shape_def(CT_SHAPE_RING), 800);
  const ct_shape_def *def = &b->def;
  double sum = 0.0, second_moment = def->size_m[0] * pow(def->thickness_m, 3.0) / 12.0;
  for (uint32_t i = b->found.count; i-- > 0;) {
    double w = 2.0 * CT_PI * b->modes[i].hz;
    double gain = ct_shape_gain(def, &b->modes[i], 0.1, 0.0) + ct_shape_gain(def, &b->modes[i], 0.6, 0.0);
    sum += gain * gain / (b->modes[i].mass_kg * w * w);
  }
  double wanted = (CT_PI / 4.0 - 2.0 / CT_PI) * pow(def->radius_m, 3.0) / (def->young_pa * second_moment);
  assert_ratio(sum, wanted, 1e-6);
  drop(b);
}

/* How many ways each body can move as a whole; the ringing modes are the same with them and without. */
static void test_rigid_modes(void **state) {
  (void)state;
  struct {
    ct_shape_kind kind;
    uint32_t rigid;
  } cases[] = {{CT_SHAPE_BAR, 2},  {CT_SHAPE_PLATE, 3}, {CT_SHAPE_DISC, 3},
               {CT_SHAPE_RING, 2}, {CT_SHAPE_CHAIN, 1}, {CT_SHAPE_MESH, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_shape_def def = ct_default_shape_def(cases[i].kind);
    def.edge = CT_EDGE_FREE;
    body *without = solve(def, 6);
    def.with_rigid_modes = true;
    body *with = solve(def, 6 + cases[i].rigid);
    for (uint32_t k = 0; k < cases[i].rigid; k++)
      assert_near(with->modes[k].hz, 0.0, 0.0);
    for (uint32_t k = 0; k < 6; k++)
      assert_near(with->modes[k + cases[i].rigid].hz, without->modes[k].hz, 0.0);
    drop(without);
    drop(with);
  }
}

/* A free bar struck at its end: the hammer meets a quarter of its mass, 1/M + 3/M. */
static void test_rigid_bar_seen_from_its_end(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_BAR);
  def.with_rigid_modes = true;
  body *b = solve(def, 2);
  double mobility = 0.0;
  for (int i = 0; i < 2; i++)
    mobility += pow(ct_shape_gain(&b->def, &b->modes[i], 1.0, 0.0), 2.0) / b->modes[i].mass_kg;
  assert_ratio(mobility, 4.0 / ct_shape_mass_kg(&def), 1e-14);
  drop(b);
}

/* (2,0): f^2 = (3/5)(E a^2 / rho R^4)(1 + 1.3736 (R/H)^4)/4 pi^2, French (1983) with the
 * cantilever's 12.362/9; filled to the brim, 1 + (2/5) rho_l R / rho_g a times as heavy. */
static void test_glass_empty_and_full(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_GLASS);
  double a = def.thickness_m, r = def.radius_m, h = def.size_m[0];
  body *empty = solve(def, 2);
  double square =
      0.6 * def.young_pa * a * a / (def.density_kg_m3 * pow(r, 4.0)) * (1.0 + 1.37363 * pow(r / h, 4.0));
  assert_ratio(empty->modes[0].hz, sqrt(square) / (2.0 * CT_PI), 1e-6);
  def.fill = 1.0;
  body *full = solve(def, 2);
  double heavier = 1.0 + 0.4 * def.liquid_density_kg_m3 * r / (def.density_kg_m3 * a);
  assert_ratio(empty->modes[0].hz / full->modes[0].hz, sqrt(heavier), 1e-12);
  drop(full);
  double last = empty->modes[0].hz;
  for (def.fill = 0.2; def.fill < 1.0; def.fill += 0.2) {
    body *b = solve(def, 1);
    assert_true(b->modes[0].hz < last);
    last = b->modes[0].hz;
    drop(b);
  }
  drop(empty);
}

/* Church bells: strike note times mouth diameter is about 400 m/s, half a ton or so at one metre. */
static void test_bell_is_of_this_world(void **state) {
  (void)state;
  body *b = solve(ct_default_shape_def(CT_SHAPE_BELL), 4);
  assert_near(b->modes[2].hz * 2.0 * b->def.radius_m, 400.0, 10.0);
  assert_near(ct_shape_mass_kg(&b->def), 570.0, 60.0);
  drop(b);
}

static double chain_hz(const ct_shape_def *def, double half_angle) {
  return sqrt(def->spring_n_m / def->node_mass_kg) * sin(half_angle) / CT_PI;
}

static void test_chain_between_walls_and_free(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= 100; n += 33) {
    ct_shape_def def = ct_default_shape_def(CT_SHAPE_CHAIN);
    def.columns = n;
    body *walls = solve(def, n);
    def.edge = CT_EDGE_FREE;
    def.with_rigid_modes = true;
    body *loose = solve(def, n);
    for (uint32_t k = 0; k < n; k++) {
      assert_ratio(walls->modes[k].hz, chain_hz(&def, CT_PI * (k + 1) / (2.0 * (n + 1))), 1e-9);
      assert_near(loose->modes[k].hz, chain_hz(&def, CT_PI * k / (2.0 * n)), 1e-9 * loose->modes[n > 1].hz);
    }
    drop(walls);
    drop(loose);
  }
}

/* Masses m and M in turn on equal springs, between walls that are an odd number of masses away: w^2 = k (1/m
 * + 1/M) -+ sqrt(k^2 (1/m + 1/M)^2 - 4 k^2 sin^2(q) / m M), q = pi p / (n + 1), and one mode w^2 = 2 k/m by
 * itself. */
static void test_chain_of_two_masses(void **state) {
  (void)state;
  enum { COUNT = 21 };
  double masses[COUNT], k = 5e4, light = 0.01, heavy = 0.035;
  for (int i = 0; i < COUNT; i++)
    masses[i] = i % 2 ? heavy : light;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_CHAIN);
  def.columns = COUNT, def.masses_kg = masses, def.spring_n_m = k;
  body *b = solve(def, COUNT);
  for (int p = 1; p <= COUNT / 2; p++) {
    double sum = k * (1.0 / light + 1.0 / heavy), s = sin(CT_PI * p / (COUNT + 1));
    double root = sqrt(sum * sum - 4.0 * k * k * s * s / (light * heavy));
    assert_ratio(b->modes[p - 1].hz, sqrt(sum - root) / (2.0 * CT_PI), 1e-9);
    assert_ratio(b->modes[COUNT - p].hz, sqrt(sum + root) / (2.0 * CT_PI), 1e-9);
  }
  assert_ratio(b->modes[COUNT / 2].hz, sqrt(2.0 * k / light) / (2.0 * CT_PI), 1e-9);
  drop(b);
}

/* (1/M) sum m_i phi phi over the masses, and the static answer of springs in series: pulling mass i of a
 * chain between walls meets 1/(1/k_left + 1/k_right) on both sides. */
static void test_uneven_chain(void **state) {
  (void)state;
  enum { COUNT = 12 };
  double masses[COUNT], springs[COUNT + 1], total = 0.0;
  for (int i = 0; i < COUNT; i++)
    total += masses[i] = 0.01 * (1.0 + (i * 7) % 5);
  for (int i = 0; i <= COUNT; i++)
    springs[i] = 1e4 * (1.0 + (i * 5) % 7);
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_CHAIN);
  def.columns = COUNT, def.masses_kg = masses, def.springs_n_m = springs;
  body *b = solve(def, COUNT);
  for (int i = 0; i < COUNT; i++) {
    double left = 0.0, right = 0.0;
    for (int k = 0; k <= COUNT; k++)
      *(k <= i ? &left : &right) += 1.0 / springs[k];
    assert_ratio(deflection(b, i / (COUNT - 1.0), 0.0), 1.0 / (1.0 / left + 1.0 / right), 1e-11);
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k < COUNT; k++)
        sum += masses[k] * b->modes[i].table[k] * b->modes[j].table[k] / total;
      assert_near(sum, i == j ? 1.0 : 0.0, 1e-12);
    }
  }
  drop(b);
}

/* The even mesh in closed form and the same springs given one by one as a network. */
static void check_mesh_as_network(ct_shape_edge edge) {
  enum { COLUMNS = 5, ROWS = 4, NODES = COLUMNS * ROWS };
  ct_shape_link links[4 * NODES];
  uint32_t count = 0;
  ct_shape_def mesh = ct_default_shape_def(CT_SHAPE_MESH), net = ct_default_shape_def(CT_SHAPE_NETWORK);
  for (uint32_t i = 0; i < NODES; i++) {
    uint32_t x = i % COLUMNS, y = i / COLUMNS;
    int walls = (x == 0) + (x == COLUMNS - 1) + (y == 0) + (y == ROWS - 1);
    if (x + 1 < COLUMNS)
      links[count++] = (ct_shape_link){i, i + 1, mesh.spring_n_m};
    if (y + 1 < ROWS)
      links[count++] = (ct_shape_link){i + COLUMNS, i, mesh.spring_n_m};
    if (walls && edge == CT_EDGE_CLAMPED)
      links[count++] = (ct_shape_link){i, CT_LINK_GROUND, walls * mesh.spring_n_m};
  }
  mesh.edge = edge, mesh.columns = COLUMNS, mesh.rows = ROWS;
  net.columns = NODES, net.links = links, net.link_count = count;
  mesh.with_rigid_modes = net.with_rigid_modes = true;
  body *a = solve(mesh, NODES), *b = solve(net, NODES);
  for (uint32_t i = 0; i < NODES; i++)
    assert_near(a->modes[i].hz, b->modes[i].hz, 1e-9 * a->modes[NODES - 1].hz);
  if (edge == CT_EDGE_CLAMPED)
    for (uint32_t i = 0; i < NODES; i++) {
      double u = i % COLUMNS / (COLUMNS - 1.0), v = (double)(i / COLUMNS) / (ROWS - 1.0);
      assert_ratio(deflection(a, u, v), deflection(b, i / (NODES - 1.0), 0.0), 1e-11);
    }
  drop(a);
  drop(b);
}

static void test_mesh_is_a_network(void **state) {
  (void)state;
  check_mesh_as_network(CT_EDGE_CLAMPED);
  check_mesh_as_network(CT_EDGE_FREE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steel_bar),
      cmocka_unit_test(test_glass_plate),
      cmocka_unit_test(test_thick_bars),
      cmocka_unit_test(test_undercut_bars),
      cmocka_unit_test(test_round_plates),
      cmocka_unit_test(test_drum),
      cmocka_unit_test(test_static_string_and_bars),
      cmocka_unit_test(test_static_tube),
      cmocka_unit_test(test_static_plates),
      cmocka_unit_test(test_static_ring),
      cmocka_unit_test(test_rigid_modes),
      cmocka_unit_test(test_rigid_bar_seen_from_its_end),
      cmocka_unit_test(test_glass_empty_and_full),
      cmocka_unit_test(test_bell_is_of_this_world),
      cmocka_unit_test(test_chain_between_walls_and_free),
      cmocka_unit_test(test_chain_of_two_masses),
      cmocka_unit_test(test_uneven_chain),
      cmocka_unit_test(test_mesh_is_a_network),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
