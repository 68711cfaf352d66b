/* Wineglass and tumbler: walls of glass as thin shells of revolution, held where they join stem or base, free
 * at the rim. By Rayleigh and Ritz with the whole wall, so that profile and thickness are heard.
 *
 * Along the meridian, s; its tangent leans by a against the radius: dr/ds = cos a, dz/ds = sin a. A point of
 * the wall moves by u along the meridian, v round, w outward along the normal, u and w as cos m theta, v as
 * sin m theta. The tangent turns by a' ds and both unit vectors turn with theta, so the strains are (Love
 * 1888)
 *
 *   e_s = u' + a' w     e_t = (m v + u cos a + w sin a) / r     g = v' - (m u + v cos a) / r
 *
 * the normal turns by b_s = a' u - w' and b_t = (m w + v sin a) / r, and the wall bends by (Sanders 1959)
 *
 *   k_s = b_s'     k_t = (m b_t + b_s cos a) / r
 *   2 k_st = b_t' - (m b_s + b_t cos a) / r + (sin a / r - a') (v' + (m u + v cos a) / r) / 2
 *
 * With C = E h / (1 - nu^2) and D = C h^2 / 12 the energies over the whole turn, pi of it each, are
 *
 *   V = pi/2 int [C (e_s^2 + e_t^2 + 2 nu e_s e_t + (1 - nu)/2 g^2)
 *               + D (k_s^2 + k_t^2 + 2 nu k_s k_t + 2 (1 - nu) k_st^2)] r ds
 *   T = pi/2 int rho h (u.^2 + v.^2 + w.^2) r ds  +  pi/2 int_0^fill rho_l r^2 / m (radial velocity)^2 dz
 *
 * the last for water that follows the wall, slice by slice, as r^m cos m theta. u and v are sums of t P_k(t),
 * w of t^2 P_k(t), t from 0 where the wall is held to 1 at the rim: it neither moves nor turns at its foot.
 * Nothing is taken to be inextensional; that the walls of glasses nearly are comes out by itself.
 *
 * A mode's shape is its radial motion u cos a + w sin a; round the rim it moves 1/m of that, since a free
 * edge does not stretch. */
#include "body/shape.h"

#include "base/eigen.h"
#include "base/special.h"

#include <math.h>
#include <string.h>

#define TERMS 12u         /* polynomials for each of u, v, w */
#define SIZE (3u * TERMS) /* unknowns */
#define KEPT (2u * TERMS) /* numbers that make a shape: those of u and w */
#define PANELS 12u        /* of each stretch, above and below the water */
#define SERIES 3u         /* modes for each m: without, with one, with two nodal circles */
#define FIRST_M 2         /* with m = 1 a glass sways on its stem */
#define LAST_M 40         /* far above hearing for what is held in a hand */
#define M_COUNT (LAST_M - FIRST_M + 1)

/* The wineglass is part of an egg, an ellipse about the axis: from where it joins the stem, through the
 * belly, to a rim that leans inward again by 15 degrees. The tumbler's wall is straight. Both thin out
 * upwards, h (1 + more (1 - t)^power). What is not said is as usual: a wineglass joins its stem with 0.13 of
 * its largest radius and is five times as thick there as at the rim; a tumbler is four fifths as wide at its
 * foot, and twice as thick. The wineglass's partials are then 1 : 2.34 : 4.36 : 6.93 : 9.99, for 1 : 2.32
 * : 4.25 : 6.63 : 9.38 measured. */
static const double lean_rad = 0.2618;

typedef struct wall {
  bool egg;
  double radius_m, foot_m, height_m, rim_m; /* rim_m: thickness there */
  double more, power;
  double from_rad, to_rad, belly_m, half_m; /* egg: angles from its lower pole, its two half axes */
} wall;

static wall wall_of(const ct_shape_def *def) {
  bool egg = def->kind == CT_SHAPE_WINEGLASS;
  wall w = {.egg = egg, .radius_m = def->radius_m, .height_m = def->size_m[0], .rim_m = def->thickness_m};
  w.to_rad = CT_PI / 2.0 + lean_rad;
  w.belly_m = w.radius_m / sin(w.to_rad);
  w.foot_m = def->foot_radius_m > 0.0 ? def->foot_radius_m : egg ? 0.13 * w.belly_m : 0.8 * w.radius_m;
  w.more = def->foot_thickness_m > 0.0 ? def->foot_thickness_m / w.rim_m - 1.0 : egg ? 4.0 : 1.0;
  w.power = egg ? 3.0 : 2.0;
  w.from_rad = asin(fmin(w.foot_m / w.belly_m, 1.0));
  w.half_m = w.height_m / (cos(w.from_rad) - cos(w.to_rad));
  return w;
}

/* One place of the wall. */
typedef struct spot {
  double r_m, z_m, h_m;
  double cosine, sine;       /* of a */
  double metre, metre_slope; /* ds/dt, and its derivative by t */
  double turn, turn_slope;   /* a' = da/ds, da'/ds */
} spot;

static spot egg_spot(const wall *w, double t) {
  double span = w->to_rad - w->from_rad, at = w->from_rad + span * t, c = cos(at), s = sin(at);
  double r = w->belly_m, a = w->half_m, j = sqrt(r * r * c * c + a * a * s * s);
  double j_slope = (a * a - r * r) * s * c / j; /* by the angle */
  return (spot){.r_m = r * s,
                .z_m = a * (cos(w->from_rad) - c),
                .cosine = r * c / j,
                .sine = a * s / j,
                .metre = j * span,
                .metre_slope = j_slope * span * span,
                .turn = a * r / (j * j * j),
                .turn_slope = -3.0 * a * r * j_slope / (j * j * j * j * j)};
}

static spot cone_spot(const wall *w, double t) {
  double out = w->radius_m - w->foot_m, j = hypot(out, w->height_m);
  return (spot){.r_m = w->foot_m + out * t,
                .z_m = w->height_m * t,
                .cosine = out / j,
                .sine = w->height_m / j,
                .metre = j};
}

static spot spot_at(const wall *w, double t) {
  spot p = w->egg ? egg_spot(w, t) : cone_spot(w, t);
  p.h_m = w->rim_m * (1.0 + w->more * pow(1.0 - t, w->power));
  return p;
}

/* t at this share of the height. */
static double along_wall(const wall *w, double height) {
  if (!w->egg)
    return height;
  double c = cos(w->from_rad) * (1.0 - height) + cos(w->to_rad) * height;
  return (acos(c) - w->from_rad) / (w->to_rad - w->from_rad);
}

double ct_shape_shell_radius_m(const ct_shape_def *def, double height) {
  wall w = wall_of(def);
  return spot_at(&w, along_wall(&w, height)).r_m;
}

static double mass_per_t(double t, const void *context) {
  const ct_shape_def *def = context;
  wall w = wall_of(def);
  spot p = spot_at(&w, t);
  return 2.0 * CT_PI * def->density_kg_m3 * p.h_m * p.r_m * p.metre;
}

static double shell_mass(const ct_shape_def *def) { return ct_integrate(mass_per_t, def, 0.0, 1.0, 8); }

/* ---- polynomials ---- */

/* t^power P_k(2t - 1), and its first and second derivatives by s. */
typedef struct family_of {
  double value[TERMS], slope[TERMS], bend[TERMS];
} functions;

static functions functions_at(double t, int power, const spot *p) {
  double f = power == 1 ? t : t * t, f1 = power == 1 ? 1.0 : 2.0 * t;
  double f2 = power == 1 ? 0.0 : 2.0, l[TERMS], l1[TERMS], l2[TERMS];
  functions q;
  ct_legendre(2.0 * t - 1.0, TERMS, l, l1, l2);
  for (uint32_t k = 0; k < TERMS; k++) {
    double p1 = 2.0 * l1[k], p2 = 4.0 * l2[k]; /* by t */
    double d1 = f1 * l[k] + f * p1, d2 = f2 * l[k] + 2.0 * f1 * p1 + f * p2;
    q.value[k] = f * l[k];
    q.slope[k] = d1 / p->metre;
    q.bend[k] = (d2 - d1 * p->metre_slope / p->metre) / (p->metre * p->metre);
  }
  return q;
}

/* ---- energies ---- */

/* What each unknown does at one place. */
typedef struct strains {
  double s[SIZE], t[SIZE], shear[SIZE], bend_s[SIZE], bend_t[SIZE], twist[SIZE];
  double u[SIZE], v[SIZE], w[SIZE];
} strains;

/* One unknown alone: the strains above the file, from its u, v, w and their derivatives by s. */
static void strain_of(const spot *p, int m, const double u[2], const double v[2], const double w[3],
                      strains *e, uint32_t i) {
  double r = p->r_m, c = p->cosine, s = p->sine, turn = p->turn;
  double b_s = turn * u[0] - w[1], b_t = (m * w[0] + v[0] * s) / r;
  double b_t_slope =
      (m * w[1] + v[1] * s + v[0] * c * turn - b_t * c) / r; /* (sin a)' = a' cos a, r' = cos a */
  e->s[i] = u[1] + turn * w[0];
  e->t[i] = (m * v[0] + u[0] * c + w[0] * s) / r;
  e->shear[i] = v[1] - (m * u[0] + v[0] * c) / r;
  e->bend_s[i] = turn * u[1] + p->turn_slope * u[0] - w[2];
  e->bend_t[i] = (m * b_t + b_s * c) / r;
  e->twist[i] =
      (b_t_slope - (m * b_s + b_t * c) / r + (s / r - turn) * (v[1] + (m * u[0] + v[0] * c) / r) / 2.0) / 2.0;
  e->u[i] = u[0];
  e->v[i] = v[0];
  e->w[i] = w[0];
}

static void strains_at(const spot *p, double t, int m, strains *e) {
  functions one = functions_at(t, 1, p), two = functions_at(t, 2, p);
  static const double none[3] = {0.0, 0.0, 0.0};
  for (uint32_t k = 0; k < TERMS; k++) {
    const double f[2] = {one.value[k], one.slope[k]}, g[3] = {two.value[k], two.slope[k], two.bend[k]};
    strain_of(p, m, f, none, none, e, k);
    strain_of(p, m, none, f, none, e, TERMS + k);
    strain_of(p, m, none, none, g, e, 2 * TERMS + k);
  }
}

typedef struct problem {
  const ct_shape_def *def;
  wall wall;
  int m;
  double *mass, *stiffness; /* SIZE x SIZE */
} problem;

/* One place of the wall as a sum over it meets it: its strains, and what weighs them. */
typedef struct part {
  strains e;
  double cosine, sine;
  double stretch, bend, moved, water; /* C, D, mass of the wall, of the water; times pi r ds */
} part;

static part part_at(const problem *q, double t, double weight, bool wet) {
  spot p = spot_at(&q->wall, t);
  double nu = q->def->poisson, area = CT_PI * weight * p.metre * p.r_m;
  part a = {.cosine = p.cosine, .sine = p.sine};
  a.stretch = area * q->def->young_pa * p.h_m / (1.0 - nu * nu);
  a.bend = a.stretch * p.h_m * p.h_m / 12.0;
  a.moved = area * q->def->density_kg_m3 * p.h_m;
  a.water = wet ? area * q->def->liquid_density_kg_m3 * p.r_m * p.sine / q->m : 0.0;
  strains_at(&p, t, q->m, &a.e);
  return a;
}

static void add_part(const problem *q, const part *a, void *unused) {
  (void)unused;
  const strains *e = &a->e;
  double nu = q->def->poisson;
  for (uint32_t i = 0; i < SIZE; i++) {
    double out = e->u[i] * a->cosine + e->w[i] * a->sine;
    for (uint32_t j = 0; j <= i; j++) {
      q->stiffness[i * SIZE + j] +=
          a->stretch * (e->s[i] * e->s[j] + e->t[i] * e->t[j] + nu * (e->s[i] * e->t[j] + e->t[i] * e->s[j]) +
                        (1.0 - nu) / 2.0 * e->shear[i] * e->shear[j]) +
          a->bend * (e->bend_s[i] * e->bend_s[j] + e->bend_t[i] * e->bend_t[j] +
                     nu * (e->bend_s[i] * e->bend_t[j] + e->bend_t[i] * e->bend_s[j]) +
                     2.0 * (1.0 - nu) * e->twist[i] * e->twist[j]);
      q->mass[i * SIZE + j] += a->moved * (e->u[i] * e->u[j] + e->v[i] * e->v[j] + e->w[i] * e->w[j]) +
                               a->water * out * (e->u[j] * a->cosine + e->w[j] * a->sine);
    }
  }
}

typedef void visitor(const problem *q, const part *a, void *context);

/* Gauss' five places in every panel. */
static void visit_stretch(const problem *q, double from, double to, bool wet, visitor *visit, void *context) {
  static const double place[] = {0.0, 0.538469310105683091, 0.906179845938663993},
                      weight[] = {0.568888888888888889, 0.478628670499366468, 0.236926885056189088};
  double half = 0.5 * (to - from) / PANELS;
  for (uint32_t panel = 0; panel < PANELS && half > 0.0; panel++)
    for (int i = -2; i <= 2; i++) {
      int n = i < 0 ? -i : i;
      double middle = from + (2.0 * panel + 1.0) * half;
      part a = part_at(q, middle + (i < 0 ? -place[n] : place[n]) * half, weight[n] * half, wet);
      visit(q, &a, context);
    }
}

/* The wall below the water's level, then above it. */
static void visit_wall(const problem *q, visitor *visit, void *context) {
  double level = along_wall(&q->wall, q->def->fill);
  visit_stretch(q, 0.0, level, true, visit, context);
  visit_stretch(q, level, 1.0, false, visit, context);
}

static void fill(const problem *q) {
  memset(q->mass, 0, SIZE * SIZE * sizeof *q->mass);
  memset(q->stiffness, 0, SIZE * SIZE * sizeof *q->stiffness);
  visit_wall(q, add_part, NULL);
  ct_eigen_mirror(SIZE, q->mass);
  ct_eigen_mirror(SIZE, q->stiffness);
}

/* ---- modes ---- */

/* Radial motion at t of the shape given by u[TERMS], w[TERMS]. */
static double outward(const wall *w, const double *shape, double t) {
  spot p = spot_at(w, t);
  functions one = functions_at(t, 1, &p), two = functions_at(t, 2, &p);
  double sum = 0.0;
  for (uint32_t k = 0; k < TERMS; k++)
    sum += shape[k] * one.value[k] * p.cosine + shape[TERMS + k] * two.value[k] * p.sine;
  return sum;
}

/* Energies of one solution x: twice the potential, twice the kinetic, and the part of that which is the
 * wall's radial motion. */
typedef struct energies {
  const double *x;
  double potential, kinetic, outward;
} energies;

static double times(const double *a, const double *x) {
  double sum = 0.0;
  for (uint32_t i = 0; i < SIZE; i++)
    sum += a[i] * x[i];
  return sum;
}

static void add_energies(const problem *q, const part *a, void *context) {
  energies *g = context;
  const strains *e = &a->e;
  const double *x = g->x;
  double nu = q->def->poisson, s = times(e->s, x), t = times(e->t, x), shear = times(e->shear, x);
  double bs = times(e->bend_s, x), bt = times(e->bend_t, x), twist = times(e->twist, x);
  double u = times(e->u, x), v = times(e->v, x), w = times(e->w, x), out = u * a->cosine + w * a->sine;
  g->potential += a->stretch * (s * s + t * t + 2.0 * nu * s * t + (1.0 - nu) / 2.0 * shear * shear) +
                  a->bend * (bs * bs + bt * bt + 2.0 * nu * bs * bt + 2.0 * (1.0 - nu) * twist * twist);
  g->kinetic += a->moved * (u * u + v * v + w * w) + a->water * out * out;
  g->outward += a->moved * out * out;
}

/* The frequency is Rayleigh's quotient once more, from the strains of the solution itself: matrices whose
 * stretching terms all but cancel leave it only ten digits. A solution whose radial motion has the kinetic
 * part B of T is scaled so that sqrt(2) cos m theta times that motion has the mean square 1 over the wall's
 * mass M: by kappa, kappa^2 = M / 2B; the modal mass is then 2 kappa^2 T = M T / B. The rim moves outward. */
static void offer(const problem *q, const double *row, uint32_t n, double *kept, ct_shape_list *list) {
  energies g = {.x = row};
  visit_wall(q, add_energies, &g);
  memcpy(kept, row, TERMS * sizeof *kept);
  memcpy(kept + TERMS, row + 2 * TERMS, TERMS * sizeof *kept);
  double mass = shell_mass(q->def);
  double scale = copysign(sqrt(mass / (2.0 * g.outward)), outward(&q->wall, kept, 1.0));
  for (uint32_t k = 0; k < KEPT; k++)
    kept[k] *= scale;
  ct_shape_list_offer_pair(list, &(ct_shape_mode){.hz = sqrt(g.potential / g.kinetic) / (2.0 * CT_PI),
                                                  .mass_kg = mass * g.kinetic / g.outward,
                                                  .m = (int16_t)q->m,
                                                  .n = (int16_t)n,
                                                  .table = kept,
                                                  .table_count = KEPT});
}

size_t ct_shape_shell_memory(const ct_shape_def *def) {
  bool shell = def->kind == CT_SHAPE_WINEGLASS || def->kind == CT_SHAPE_TUMBLER;
  return shell ? 3 * SIZE * SIZE + SIZE + (size_t)M_COUNT * SERIES * KEPT : 0;
}

/* Over m the lowest frequencies fall first and then rise for ever: once they rise beyond the limit, all is
 * found. */
static ct_result shell_modes(const ct_shape_def *def, ct_shape_list *list) {
  double *mass = list->memory, *stiffness = mass + SIZE * SIZE, *vectors = stiffness + SIZE * SIZE,
         *squares = vectors + SIZE * SIZE, *kept = squares + SIZE, before = 0.0;
  problem q = {.def = def, .wall = wall_of(def), .mass = mass, .stiffness = stiffness};
  for (q.m = FIRST_M; q.m <= LAST_M; q.m++) {
    double lowest = HUGE_VAL;
    fill(&q);
    if (!ct_eigen_general(SIZE, stiffness, mass, squares, vectors))
      return CT_BAD_VALUE;
    for (uint32_t i = 0; i < SIZE; i++) {
      uint32_t n = ct_eigen_rank(SIZE, squares, i);
      if (n >= SERIES)
        continue;
      offer(&q, vectors + (size_t)i * SIZE, n, kept + ((size_t)(q.m - FIRST_M) * SERIES + n) * KEPT, list);
      lowest = fmin(lowest, squares[i]);
    }
    double hz = sqrt(lowest) / (2.0 * CT_PI);
    if (hz > before && hz > ct_shape_list_limit(list))
      break;
    before = hz;
  }
  return CT_OK;
}

static double shell_factor(const ct_shape_def *def, const ct_shape_mode *mode, ct_shape_axis axis,
                           double coordinate) {
  if (axis != CT_AXIS_SECOND)
    return ct_shape_round_rim(mode, axis, coordinate);
  wall w = wall_of(def);
  return outward(&w, mode->table, along_wall(&w, coordinate));
}

const ct_shape_family ct_shape_shell = {shell_modes, shell_factor, shell_mass};
