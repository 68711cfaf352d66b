/* Circles: drum (a membrane) and disc (a plate). Mode shapes are R(r) cos or sin(m theta); R is J_m(k r) for
 * the drum and J_m(k r) + C I_m(k r) for the disc, with k from the exact characteristic equation of the edge.
 */
#include "body/shape.h"

#include "base/special.h"

#include <math.h>

/* What a characteristic function needs; also the equation itself. */
typedef struct circle {
  ct_shape_edge edge;
  double poisson;
  int m;
} circle;

static double drum_equation(double k, const void *context) {
  return ct_bessel_j(((const circle *)context)->m, k);
}

/* The two Bessel functions at the edge with their slopes k d/dk, and what the edge makes of each: the bending
 * moment and the edge force of Kirchhoff. Leissa (1969), section 2.1. I is scaled by exp(-k) throughout. */
typedef struct edge_terms {
  double j, i, j_slope, i_slope;
  double j_moment, i_moment, j_force, i_force;
} edge_terms;

static edge_terms edge_terms_at(const circle *c, double k) {
  double m = c->m, m2 = m * m, free = 1.0 - c->poisson;
  edge_terms t = {.j = ct_bessel_j(c->m, k), .i = ct_bessel_i_scaled(c->m, k)};
  t.j_slope = m * t.j - k * ct_bessel_j(c->m + 1, k);
  t.i_slope = m * t.i + k * ct_bessel_i_scaled(c->m + 1, k);
  t.j_moment = k * k * t.j + free * (t.j_slope - m2 * t.j);
  t.i_moment = k * k * t.i - free * (t.i_slope - m2 * t.i);
  t.j_force = k * k * t.j_slope + free * m2 * (t.j_slope - t.j);
  t.i_force = k * k * t.i_slope - free * m2 * (t.i_slope - t.i);
  return t;
}

/* Zero when J + C I can meet both conditions of the edge. */
static double disc_equation(double k, const void *context) {
  const circle *c = context;
  edge_terms t = edge_terms_at(c, k);
  switch (c->edge) {
  case CT_EDGE_CLAMPED:
    return t.j * t.i_slope - t.i * t.j_slope;
  case CT_EDGE_HINGED:
    return t.j * t.i_moment + t.i * t.j_moment;
  default:
    return t.j_moment * t.i_force - t.j_force * t.i_moment;
  }
}

/* k = 0 is rigid motion: up and down, or tilting. */
static double radial(const ct_shape_mode *mode, double r) {
  double k = mode->root[0], c = mode->root[1], scale = mode->weight[0];
  if (k == 0.0)
    return mode->m == 0 ? 1.0 : sqrt(2.0) * r;
  double value = ct_bessel_j(mode->m, k * r);
  if (c != 0.0)
    value += c * ct_bessel_i_scaled(mode->m, k * r) * exp(-k * (1.0 - r));
  return scale * value;
}

static double radial_square(double r, const void *context) {
  double value = radial(context, r);
  return 2.0 * r * value * value;
}

static double round_factor(const ct_shape_def *def, const ct_shape_mode *mode, ct_shape_axis axis,
                           double coordinate) {
  (void)def;
  return axis == CT_AXIS_SECOND ? ct_shape_around(mode->m, mode->turned, coordinate)
                                : radial(mode, coordinate);
}

static double round_mass(const ct_shape_def *def) {
  return def->density_kg_m3 * CT_PI * def->radius_m * def->radius_m * def->thickness_m;
}

/* Hertz of a root k: k^2 for the plate, k for the membrane. */
static double round_hz(const ct_shape_def *def, double k) {
  double a = def->radius_m, h = def->thickness_m, rho = def->density_kg_m3, nu = def->poisson;
  if (def->kind == CT_SHAPE_DRUM)
    return k / (2.0 * CT_PI * a) * sqrt(def->tension_n_m / (rho * h));
  return k * k * h / (2.0 * CT_PI * a * a) * sqrt(def->young_pa / (12.0 * rho * (1.0 - nu * nu)));
}

static ct_shape_mode round_mode(const ct_shape_def *def, const circle *c, int n, double k) {
  ct_shape_mode mode = {.hz = round_hz(def, k),
                        .mass_kg = round_mass(def),
                        .m = (int16_t)c->m,
                        .n = (int16_t)n,
                        .root = {k},
                        .weight = {1.0}};
  if (def->kind == CT_SHAPE_DISC) {
    /* C, for I scaled by exp(-k (1 - r)). */
    edge_terms t = edge_terms_at(c, k);
    mode.root[1] = c->edge == CT_EDGE_FREE ? t.j_moment / t.i_moment : -t.j / t.i;
  }
  mode.weight[0] = 1.0 / sqrt(ct_integrate(radial_square, &mode, 0.0, 1.0, 2 + (uint32_t)(k / 8.0)));
  return mode;
}

/* Offers the modes with m nodal diameters up to the root k_most; true if even the first was out. Circles are
 * counted with the edge when the edge is held; free edges start without a circle, except that m = 0 and 1
 * would then be rigid. Roots lie about pi apart, none below 0.7 m. */
static bool offer_diameters(const ct_shape_def *def, ct_shape_list *list, const circle *c, double k_most) {
  ct_function *equation = def->kind == CT_SHAPE_DRUM ? drum_equation : disc_equation;
  int first = c->edge == CT_EDGE_FREE && c->m >= 2 ? 0 : 1;
  double k = 0.5 + 0.7 * c->m;
  for (int n = first; n <= INT16_MAX; n++) {
    k = ct_root_above(equation, c, n == first ? k : k + 0.5, 0.5, k + 100.0 + c->m);
    if (isinf(k))
      return false;
    bool out = k > k_most || round_hz(def, k) > ct_shape_list_limit(list);
    ct_shape_mode mode = round_mode(def, c, n, k);
    ct_shape_list_offer_pair(list, &mode);
    if (out)
      return n == first;
  }
  return false;
}

/* About k^2/4 - k/2 modes of a circle lie below k (Weyl), so the list fills up before k_most: without it, a
 * search without a frequency limit would first walk down the whole row m = 0. */
static ct_result round_modes(const ct_shape_def *def, ct_shape_list *list) {
  circle c = {def->kind == CT_SHAPE_DRUM ? CT_EDGE_CLAMPED : def->edge, def->poisson, 0};
  for (int16_t m = 0; c.edge == CT_EDGE_FREE && m < 2; m++) /* rigid */
    ct_shape_list_offer_pair(list, &(ct_shape_mode){.mass_kg = round_mass(def), .m = m});
  double k_most = 10.0 + 2.0 * sqrt((double)list->capacity);
  for (c.m = 0; c.m <= CT_SHAPE_ORDER_MAX; c.m++)
    if (offer_diameters(def, list, &c, k_most) && c.m >= 2)
      break;
  return CT_OK;
}

const ct_shape_family ct_shape_disc = {round_modes, round_factor, round_mass};
const ct_shape_family ct_shape_drum = {round_modes, round_factor, round_mass};
