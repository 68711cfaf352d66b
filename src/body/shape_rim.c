/* Round things that ring at a rim: ring, wineglass, bell, bowl. All modes are degenerate pairs, cos and sin
 * of m theta, which is what lets a finger travel round: the wall moves in and out by w and, not stretching,
 * along the rim by v with w + dv/dtheta = 0, so v carries 1/m^2 of the kinetic energy and the modal mass is M
 * (1 + 1/m^2). */
#include "body/shape.h"

#include "base/special.h"

#include <math.h>

double ct_shape_around(int m, bool turned, double turns) {
  double angle = 2.0 * CT_PI * m * (turns - floor(turns));
  if (m == 0)
    return 1.0;
  return sqrt(2.0) * (turned ? sin(angle) : cos(angle));
}

/* v = -sin(m theta)/m beside w = cos(m theta); cos(m theta)/m beside sin(m theta). */
static double along_rim(const ct_shape_mode *mode, double turns) {
  double across = ct_shape_around(mode->m, !mode->turned, turns) / mode->m;
  return mode->turned ? across : -across;
}

double ct_shape_round_rim(const ct_shape_mode *mode, ct_shape_axis axis, double turns) {
  return axis == CT_AXIS_ALONG ? along_rim(mode, turns) : ct_shape_around(mode->m, mode->turned, turns);
}

static double rim_factor(const ct_shape_def *def, const ct_shape_mode *mode, ct_shape_axis axis,
                         double coordinate) {
  if (axis != CT_AXIS_SECOND)
    return ct_shape_round_rim(mode, axis, coordinate);
  if (def->kind == CT_SHAPE_RING)
    return 1.0;
  ct_beam wall = {CT_EDGE_CANTILEVER, 1, mode->root[1], mode->weight[1]};
  return ct_beam_value(&wall, coordinate);
}

static double with_motion_along(double mass, int m) { return mass * (1.0 + 1.0 / ((double)m * m)); }

static double ring_mass(const ct_shape_def *def) {
  return def->density_kg_m3 * 2.0 * CT_PI * def->radius_m * def->thickness_m * def->size_m[0];
}

/* w^2 = (E h^2 / 12 rho R^4) m^2 (m^2 - 1)^2 / (m^2 + 1): Hoppe (1871); m = 1 is the ring drifting. */
static ct_result ring_modes(const ct_shape_def *def, ct_shape_list *list) {
  double r2 = def->radius_m * def->radius_m;
  double unit_hz = def->thickness_m / r2 * sqrt(def->young_pa / (12.0 * def->density_kg_m3)) / (2.0 * CT_PI);
  for (int m = 1; m <= INT16_MAX; m++) {
    double m2 = (double)m * m, hz = unit_hz * m * (m2 - 1.0) / sqrt(m2 + 1.0);
    ct_shape_list_offer_pair(
        list, &(ct_shape_mode){.hz = hz, .mass_kg = with_motion_along(ring_mass(def), m), .m = (int16_t)m});
    if (hz > ct_shape_list_limit(list))
      break;
  }
  return CT_OK;
}

static double glass_mass(const ct_shape_def *def) {
  return def->density_kg_m3 * 2.0 * CT_PI * def->radius_m * def->size_m[0] * def->thickness_m;
}

static double wall_square(double u, const void *context) {
  double value = ct_beam_value(context, u);
  return value * value;
}

/* Water swaying with cos(m theta): potential r^m cos(m theta), kinetic energy per height (pi R^2 / 2m) rho
 * w.^2. Slices are taken to move on their own, and the surface to follow. */
static double liquid_mass(const ct_shape_def *def, const ct_beam *wall, int m) {
  double slice = 2.0 * CT_PI * def->radius_m * def->radius_m * def->liquid_density_kg_m3 / m;
  return slice * def->size_m[0] * ct_integrate(wall_square, wall, 0.0, def->fill, 4);
}

/* The wall bends round the rim as a ring does and up the height as a cantilever does; French (1983) for m
 * = 2. */
static double wall_stiffness(const ct_shape_def *def, const ct_beam *wall, int m) {
  double a = def->thickness_m, around = ((double)m * m - 1.0) / (def->radius_m * def->radius_m);
  double up = wall->root / def->size_m[0];
  return def->young_pa * a * a / (12.0 * def->density_kg_m3) * (around * around + up * up * up * up);
}

static double glass_hz(const ct_shape_def *def, const ct_beam *wall, int m, double modal_mass) {
  return sqrt(glass_mass(def) * wall_stiffness(def, wall, m) / modal_mass) / (2.0 * CT_PI);
}

static ct_result glass_modes(const ct_shape_def *def, ct_shape_list *list) {
  ct_beam wall = ct_beam_make(CT_EDGE_CANTILEVER, 1);
  for (int m = 2; m <= INT16_MAX; m++) {
    double mass = with_motion_along(glass_mass(def), m) + liquid_mass(def, &wall, m);
    ct_shape_mode mode = {.hz = glass_hz(def, &wall, m, mass), .mass_kg = mass};
    ct_beam_keep(&mode, 1, &wall);
    mode.m = (int16_t)m;
    mode.n = 0;
    ct_shape_list_offer_pair(list, &mode);
    if (mode.hz > ct_shape_list_limit(list))
      break;
  }
  return CT_OK;
}

/* A partial of a bell: nodal meridians (2 m of them) and circles, frequency over the strike note's, and which
 * cantilever function stands for its profile up the height. */
typedef struct partial {
  int16_t m, n;
  int wall;
  double ratio;
} partial;

/* A minor-third church bell tuned to its just ratios; Rossing and Perrin (1987), Fletcher and Rossing (1998),
 * table 21.1: hum, prime, tierce, quint, nominal, deciem, undeciem, duodeciem, octave, upper fourth, upper
 * sixth, triple octave. */
static const partial bell_partials[] = {{2, 0, 1, 0.5},      {2, 1, 2, 1.0},      {3, 1, 1, 1.2},
                                        {3, 1, 2, 1.5},      {4, 1, 1, 2.0},      {4, 1, 2, 2.5},
                                        {2, 2, 3, 8.0 / 3},  {5, 1, 1, 3.0},      {6, 1, 1, 4.0},
                                        {7, 1, 1, 16.0 / 3}, {8, 1, 1, 20.0 / 3}, {9, 1, 1, 8.0}};

/* A hammered bronze bowl; Inacio, Henrique and Antunes (2006), bowl 1, over its lowest frequency. */
static const partial bowl_partials[] = {{2, 0, 1, 1.0},  {3, 0, 1, 2.8},  {4, 0, 1, 5.2}, {5, 0, 1, 8.1},
                                        {6, 0, 1, 11.6}, {7, 0, 1, 15.6}, {8, 0, 1, 19.9}};

static void offer_partial(ct_shape_list *list, const partial *p, double hz, double mass) {
  ct_beam wall = ct_beam_make(CT_EDGE_CANTILEVER, p->wall);
  ct_shape_mode mode = {.hz = p->ratio * hz, .mass_kg = with_motion_along(mass, p->m)};
  ct_beam_keep(&mode, 1, &wall);
  mode.m = p->m;
  mode.n = p->n;
  ct_shape_list_offer_pair(list, &mode);
}

/* A bell thins out from its sound bow upwards: about half that thickness on average, over a cone's wall 0.7
 * pi D H. */
static double bell_mass(const ct_shape_def *def) {
  return def->density_kg_m3 * 0.35 * CT_PI * 2.0 * def->radius_m * def->size_m[0] * def->thickness_m;
}

/* Similar bells: strike note = C (h/D^2) sqrt(E/rho). C from church bells, whose strike note times mouth
 * diameter is about 400 m/s with h = D/13 and bell bronze at 3410 m/s. */
static ct_result bell_modes(const ct_shape_def *def, ct_shape_list *list) {
  double mouth = 2.0 * def->radius_m;
  double strike_hz = 1.525 * def->thickness_m / (mouth * mouth) * sqrt(def->young_pa / def->density_kg_m3);
  for (size_t i = 0; i < sizeof bell_partials / sizeof *bell_partials; i++)
    offer_partial(list, &bell_partials[i], strike_hz, bell_mass(def));
  return CT_OK;
}

/* The wall of a spherical cap. */
static double bowl_mass(const ct_shape_def *def) {
  double r = def->radius_m, h = def->size_m[0];
  return def->density_kg_m3 * def->thickness_m * CT_PI * (r * r + h * h);
}

/* The lowest mode as of a dry glass of the same radius, height and wall; the rest as measured. */
static ct_result bowl_modes(const ct_shape_def *def, ct_shape_list *list) {
  ct_beam wall = ct_beam_make(CT_EDGE_CANTILEVER, 1);
  double lowest_hz = glass_hz(def, &wall, 2, with_motion_along(glass_mass(def), 2));
  for (size_t i = 0; i < sizeof bowl_partials / sizeof *bowl_partials; i++)
    offer_partial(list, &bowl_partials[i], lowest_hz, bowl_mass(def));
  return CT_OK;
}

const ct_shape_family ct_shape_ring = {ring_modes, rim_factor, ring_mass};
const ct_shape_family ct_shape_glass = {glass_modes, rim_factor, glass_mass};
const ct_shape_family ct_shape_bell = {bell_modes, rim_factor, bell_mass};
const ct_shape_family ct_shape_bowl = {bowl_modes, rim_factor, bowl_mass};
