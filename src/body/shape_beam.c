/* Beam functions, and the long thin shapes made of them: string, bar, tube.
 *
 * A thin beam obeys EI y'''' + rho A y.. = 0 (Euler-Bernoulli), so w = beta^2/L^2 sqrt(EI / rho A) with beta
 * from the ends. The textbook form of the mode shapes, cosh - cos - sigma (sinh - sin), cancels to nothing
 * beyond the tenth mode; here the hyperbolic part is written as two decaying exponentials, one from each end,
 * which neither overflow nor cancel. Thick bars and tubes are lower than that: see below. */
#include "base/special.h"
#include "body/shape.h"

#include <math.h>

/* cos(beta) cosh(beta) = 1 between two equal ends, -1 for a cantilever, divided by cosh so that it stays
 * finite. The start is the root for an infinitely long beam; Newton needs three steps. */
static double end_root(double start, double sign) {
  double beta = start;
  for (int i = 0; i < 12; i++) {
    double s = 2.0 * exp(-beta) / (1.0 + exp(-2.0 * beta)); /* 1 / cosh */
    double step = (cos(beta) - sign * s) / (-sin(beta) + sign * s * tanh(beta));
    beta -= step;
    if (fabs(step) < 1e-16 * beta)
      break;
  }
  return beta;
}

static double beam_root(ct_shape_edge edge, int order) {
  switch (edge) {
  case CT_EDGE_FREE:
    return order < 2 ? 0.0 : end_root((order - 0.5) * CT_PI, 1.0);
  case CT_EDGE_CLAMPED:
    return end_root((order + 0.5) * CT_PI, 1.0);
  case CT_EDGE_CANTILEVER:
    return end_root((order - 0.5) * CT_PI, -1.0);
  default:
    return order * CT_PI;
  }
}

/* With sigma = (cosh -+ cos)/(sinh -+ sin) at beta, cosh(y) - sigma sinh(y) = A exp(y - beta) + (1 - A
 * exp(-beta)) exp(-y): this is A. */
static double beam_weight(ct_shape_edge edge, double beta) {
  double e = exp(-beta), sign = edge == CT_EDGE_CANTILEVER ? -1.0 : 1.0;
  return (sign * (cos(beta) - sin(beta)) - e) / (1.0 - e * e - sign * 2.0 * sin(beta) * e);
}

ct_beam ct_beam_make(ct_shape_edge edge, int order) {
  ct_beam beam = {edge, order, beam_root(edge, order), 0.0};
  if (edge != CT_EDGE_HINGED && beam.root > 0.0)
    beam.weight = beam_weight(edge, beam.root);
  return beam;
}

double ct_beam_value(const ct_beam *beam, double u) {
  double beta = beam->root, a = beam->weight, y = beta * u;
  if (beam->edge == CT_EDGE_HINGED)
    return sqrt(2.0) * sin(y);
  if (beta == 0.0)
    return beam->order == 0 ? 1.0 : sqrt(3.0) * (2.0 * u - 1.0);
  double e = exp(-beta), sigma = 1.0 - 2.0 * a * e;
  double decaying = a * exp(y - beta) + (1.0 - a * e) * exp(-y);
  double wave = cos(y) - sigma * sin(y);
  return beam->edge == CT_EDGE_FREE ? decaying + wave : decaying - wave;
}

/* Closed forms of Young and Felgar (1949), as used by Warburton (1954). */
double ct_beam_slope_square(const ct_beam *beam) {
  double beta = beam->root, sb = beta * (1.0 - 2.0 * beam->weight * exp(-beta));
  if (beam->edge == CT_EDGE_FREE)
    return beta > 0.0 ? sb * (sb + 6.0) : beam->order * 12.0;
  return beam->edge == CT_EDGE_CLAMPED ? sb * (sb - 2.0) : beta * beta;
}

double ct_beam_curvature_mean(const ct_beam *beam) {
  double beta = beam->root, sb = beta * (1.0 - 2.0 * beam->weight * exp(-beta));
  return beam->edge == CT_EDGE_FREE ? sb * (2.0 - sb) : -ct_beam_slope_square(beam);
}

ct_beam ct_beam_of(const ct_shape_mode *mode, int axis, ct_shape_edge edge) {
  return (ct_beam){edge, axis == 0 ? mode->m : mode->n, mode->root[axis], mode->weight[axis]};
}

void ct_beam_keep(ct_shape_mode *mode, int axis, const ct_beam *beam) {
  *(axis == 0 ? &mode->m : &mode->n) = (int16_t)beam->order;
  mode->root[axis] = beam->root;
  mode->weight[axis] = beam->weight;
}

static double hinged_factor(const ct_shape_def *def, const ct_shape_mode *mode, ct_shape_axis axis,
                            double u) {
  (void)def;
  return axis == CT_AXIS_FIRST ? sqrt(2.0) * sin(mode->root[0] * u) : 1.0;
}

static double beam_factor(const ct_shape_def *def, const ct_shape_mode *mode, ct_shape_axis axis, double u) {
  if (mode->table)
    return axis == CT_AXIS_FIRST ? ct_shape_undercut_value(mode, u) : 1.0;
  ct_beam beam = ct_beam_of(mode, 0, def->edge);
  return axis == CT_AXIS_FIRST ? ct_beam_value(&beam, u) : 1.0;
}

/* ---- thick beams ---- */

/* Shear and rotary inertia (Timoshenko 1921) in the closed form of Huang (1961). With b = w L^2
 * sqrt(rho A / EI), which is beta^2 of a thin beam, r^2 = I / A L^2, s^2 = EI / kappa A G L^2,
 *
 *   alpha, beta = sqrt((-+(r^2 + s^2) + sqrt((r^2 - s^2)^2 + 4 / b^2)) / 2)
 *
 * the ends ask for
 *
 *   free        2 - 2 cosh b alpha cos b beta
 *                 + b (b^2 r^2 (r^2 - s^2)^2 + 3 r^2 - s^2) / q sinh b alpha sin b beta = 0
 *   clamped     the same with r and s exchanged
 *   cantilever  2 + (b^2 (r^2 - s^2)^2 + 2) cosh b alpha cos b beta
 *                 - b (r^2 + s^2) / q sinh b alpha sin b beta = 0
 *   hinged      sin b beta = 0,  with q = sqrt(1 - b^2 r^2 s^2) everywhere,
 *
 * here divided by cosh. They hold up to b = 1 / rs, where sections begin to turn by themselves; from there
 * on, and for hinged ends, the frequency is that of an endless beam with the thin one's wavelength. Mode
 * shapes stay those of the thin beam. */

typedef struct thickness {
  double rotary, shear; /* r^2, s^2 */
} thickness;

/* Lower root of b^4 r^2 s^2 - b^2 (1 + k^2 (r^2 + s^2)) + k^4 = 0, which is that of b^2 as a product of
 * roots: the difference would cancel. */
static double endless(double k, const thickness *t) {
  double k2 = k * k, middle = 1.0 + k2 * (t->rotary + t->shear),
         upper = middle + sqrt(middle * middle - 4.0 * t->rotary * t->shear * k2 * k2);
  return sqrt(2.0 * k2 * k2 / upper);
}

static double ends(ct_shape_edge edge, double b, const thickness *t) {
  double r2 = t->rotary, s2 = t->shear, apart = (r2 - s2) * (r2 - s2), split = sqrt(apart + 4.0 / (b * b));
  /* split - (r2 + s2) as a quotient: it cancels near b = 1 / rs */
  double alpha = sqrt((4.0 / (b * b) - 4.0 * r2 * s2) / (split + r2 + s2) / 2.0),
         beta = sqrt((split + r2 + s2) / 2.0), q = sqrt(1.0 - b * b * r2 * s2);
  double sech = 1.0 / cosh(b * alpha), wave = cos(b * beta), other = tanh(b * alpha) * sin(b * beta) * b / q;
  if (edge == CT_EDGE_CANTILEVER)
    return 2.0 * sech + (b * b * apart + 2.0) * wave - (r2 + s2) * other;
  double own = edge == CT_EDGE_FREE ? r2 : s2, cross = edge == CT_EDGE_FREE ? s2 : r2;
  return 2.0 * sech - 2.0 * wave + (b * b * own * apart + 3.0 * own - cross) * other;
}

/* What stands for beta^2 of a thin beam. */
static double thick_frequency(ct_shape_edge edge, int order, const thickness *t) {
  double k = ct_beam_make(edge, order).root, guess = endless(k, t), last = 1.0 / sqrt(t->rotary * t->shear);
  if (k == 0.0 || edge == CT_EDGE_HINGED)
    return guess;
  /* the neighbours' roots are half a turn of k away */
  double low = endless(fmax(k - 1.5, 0.3 * k), t), high = endless(k + 1.5, t);
  if (high >= last || ends(edge, low, t) * ends(edge, high, t) > 0.0)
    return guess;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
    double middle = 0.5 * (low + high);
    if (ends(edge, low, t) * ends(edge, middle, t) <= 0.0)
      high = middle;
    else
      low = middle;
  }
  return 0.5 * (low + high);
}

/* ---- string, bar, tube ---- */

static double string_mass(const ct_shape_def *def) {
  return def->density_kg_m3 * CT_PI * def->radius_m * def->radius_m * def->size_m[0];
}

/* f_n = n f0 sqrt(1 + B n^2), f0 = sqrt(T / mu) / 2L, B = pi^2 EI / (T L^2): Fletcher (1964), hinged ends. */
static ct_result string_modes(const ct_shape_def *def, ct_shape_list *list) {
  double length = def->size_m[0], mass = string_mass(def);
  double f0 = 0.5 * sqrt(def->tension_n / (mass * length));
  double b = def->inharmonicity + CT_PI * CT_PI * def->bending_n_m2 / (def->tension_n * length * length);
  for (int n = 1; n <= INT16_MAX; n++) {
    double hz = n * f0 * sqrt(1.0 + b * n * n);
    ct_shape_list_offer(list,
                        &(ct_shape_mode){.hz = hz, .mass_kg = mass, .m = (int16_t)n, .root = {n * CT_PI}});
    if (hz > ct_shape_list_limit(list))
      break;
  }
  return CT_OK;
}

/* The beam of mass `mass` whose cross-section has this radius of gyration about its bending axis, and carries
 * this share of a shear force (Cowper 1966). */
static ct_result beam_modes(const ct_shape_def *def, double mass, double gyration_m, double shear_share,
                            ct_shape_list *list) {
  double length = def->size_m[0], r = gyration_m / length;
  thickness thick = {r * r, r * r * 2.0 * (1.0 + def->poisson) / shear_share};
  double unit_hz = gyration_m * sqrt(def->young_pa / def->density_kg_m3) / (2.0 * CT_PI * length * length);
  for (int order = def->edge == CT_EDGE_FREE ? 0 : 1; order <= INT16_MAX; order++) {
    ct_beam beam = ct_beam_make(def->edge, order);
    double b = def->thin ? beam.root * beam.root : thick_frequency(def->edge, order, &thick);
    ct_shape_mode mode = {.hz = unit_hz * b, .mass_kg = mass};
    ct_beam_keep(&mode, 0, &beam);
    ct_shape_list_offer(list, &mode);
    if (mode.hz > ct_shape_list_limit(list))
      break;
  }
  return CT_OK;
}

static double bar_mass(const ct_shape_def *def) {
  return def->density_kg_m3 * def->size_m[0] * def->size_m[1] * def->thickness_m *
         ct_shape_undercut_share(def);
}

static ct_result bar_modes(const ct_shape_def *def, ct_shape_list *list) {
  double nu = def->poisson;
  return def->undercut == CT_UNDERCUT_NONE ? beam_modes(def, bar_mass(def), def->thickness_m / sqrt(12.0),
                                                        10.0 * (1.0 + nu) / (12.0 + 11.0 * nu), list)
                                           : ct_shape_undercut_modes(def, list);
}

static double tube_mass(const ct_shape_def *def) {
  double outer = def->radius_m, inner = def->inner_radius_m;
  return def->density_kg_m3 * CT_PI * (outer - inner) * (outer + inner) * def->size_m[0];
}

static ct_result tube_modes(const ct_shape_def *def, ct_shape_list *list) {
  double hollow = def->inner_radius_m / def->radius_m, square = 1.0 + hollow * hollow, nu = def->poisson;
  double share = 6.0 * (1.0 + nu) * square * square /
                 ((7.0 + 6.0 * nu) * square * square + (20.0 + 12.0 * nu) * hollow * hollow);
  return beam_modes(def, tube_mass(def), 0.5 * hypot(def->radius_m, def->inner_radius_m), share, list);
}

const ct_shape_family ct_shape_string = {string_modes, hinged_factor, string_mass};
const ct_shape_family ct_shape_bar = {bar_modes, beam_factor, bar_mass};
const ct_shape_family ct_shape_tube = {tube_modes, beam_factor, tube_mass};
