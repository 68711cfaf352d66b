/* Rectangles: plate and membrane. Both have product mode shapes; exact for the membrane and the hinged plate,
 * Warburton's one-term Rayleigh quotient for clamped and free plates. */
#include "body/shape.h"

#include "base/special.h"

#include <math.h>

static ct_shape_edge edge_of(const ct_shape_def *def) {
  return def->kind == CT_SHAPE_PLATE ? def->edge : CT_EDGE_HINGED;
}

static double flat_factor(const ct_shape_def *def, const ct_shape_mode *mode, ct_shape_axis axis, double u) {
  int which = axis == CT_AXIS_SECOND;
  ct_beam beam = ct_beam_of(mode, which, edge_of(def));
  return ct_beam_value(&beam, u);
}

static double flat_mass(const ct_shape_def *def) {
  return def->density_kg_m3 * def->size_m[0] * def->size_m[1] * def->thickness_m;
}

/* w^2 rho h / D = (beta_x/a)^4 + (beta_y/b)^4 + 2 [nu H_x H_y + (1 - nu) J_x J_y] / (a b)^2, H the mean of
 * psi psi'' and J that of psi'^2: Warburton (1954). For hinged edges it is exact, [(m pi/a)^2 + (n
 * pi/b)^2]^2. */
static double plate_hz(const ct_shape_def *def, const ct_beam *x, const ct_beam *y) {
  double a = def->size_m[0], b = def->size_m[1], nu = def->poisson;
  double h = ct_beam_curvature_mean(x) * ct_beam_curvature_mean(y);
  double j = ct_beam_slope_square(x) * ct_beam_slope_square(y);
  double square =
      pow(x->root / a, 4.0) + pow(y->root / b, 4.0) + 2.0 * (nu * h + (1.0 - nu) * j) / (a * a * b * b);
  double d =
      def->young_pa * def->thickness_m * def->thickness_m / (12.0 * (1.0 - nu * nu) * def->density_kg_m3);
  return sqrt(d * square) / (2.0 * CT_PI);
}

static double membrane_hz(const ct_shape_def *def, const ct_beam *x, const ct_beam *y) {
  double speed = sqrt(def->tension_n_m / (def->density_kg_m3 * def->thickness_m));
  return speed * hypot(x->root / def->size_m[0], y->root / def->size_m[1]) / (2.0 * CT_PI);
}

/* Offers the modes (m, first ...) until the series leaves the list; true if even its first one did. */
static bool offer_row(const ct_shape_def *def, ct_shape_list *list, const ct_beam *x, int first) {
  bool is_plate = def->kind == CT_SHAPE_PLATE;
  for (int n = first; n <= INT16_MAX; n++) {
    ct_beam y = ct_beam_make(x->edge, n);
    ct_shape_mode mode = {.hz = is_plate ? plate_hz(def, x, &y) : membrane_hz(def, x, &y),
                          .mass_kg = flat_mass(def)};
    ct_beam_keep(&mode, 0, x);
    ct_beam_keep(&mode, 1, &y);
    bool out = mode.hz > ct_shape_list_limit(list);
    ct_shape_list_offer(list, &mode);
    if (out)
      return n == first;
  }
  return false;
}

/* Rows 0 and 1 of a free plate start with rigid motion, so only from 2 on does a row that is out end the
 * search. */
static ct_result flat_modes(const ct_shape_def *def, ct_shape_list *list) {
  ct_shape_edge edge = edge_of(def);
  int first = edge == CT_EDGE_FREE ? 0 : 1;
  for (int m = first; m <= INT16_MAX; m++) {
    ct_beam x = ct_beam_make(edge, m);
    if (offer_row(def, list, &x, first) && m >= 2 * (1 - first))
      break;
  }
  return CT_OK;
}

const ct_shape_family ct_shape_plate = {flat_modes, flat_factor, flat_mass};
const ct_shape_family ct_shape_membrane = {flat_modes, flat_factor, flat_mass};
