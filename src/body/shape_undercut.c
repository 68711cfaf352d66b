/* Bars of marimbas and xylophones: cut out from below, in the middle, so that the lowest partials are in tune
 * with each other. With x from -1 to 1 along the bar the thickness is
 *
 *   h(x) = h (t + (1 - t) |x / c|^3) for |x| < c, h beyond,
 *
 * thinnest in the middle, where the lowest mode bends most: it sinks most. Two numbers bring two ratios where
 * makers want them; they were found by solving the problem below for them. Thin beams again, by Rayleigh and
 * Ritz on Legendre polynomials P_k: K_ij = int h^3 P_i'' P_j'' dx, M_ij = int h P_i P_j dx, K a = w^2 M a. */
#include "body/shape.h"

#include "base/eigen.h"
#include "base/special.h"

#include <math.h>
#include <string.h>

#define TERMS 36u  /* polynomials */
#define PANELS 16u /* of each stretch */
#define GIVEN 16u  /* modes that they describe well */

typedef struct cut {
  double left, half; /* t: thickness left in the middle; c: half of its length */
} cut;

static const cut cuts[CT_UNDERCUT_COUNT] = {[CT_UNDERCUT_NONE] = {1.0, 0.5},
                                            [CT_UNDERCUT_MARIMBA] = {0.367991707, 0.578699670},
                                            [CT_UNDERCUT_XYLOPHONE] = {0.850036270, 0.469302474}};

static double thickness(const cut *c, double x) {
  double along = fabs(x) / c->half;
  return along < 1.0 ? c->left + (1.0 - c->left) * along * along * along : 1.0;
}

/* int_0^1 of it: the cut takes (1 - t) 3/4 over its length. */
double ct_shape_undercut_share(const ct_shape_def *def) {
  const cut *c = &cuts[def->undercut];
  return 1.0 - 0.75 * (1.0 - c->left) * c->half;
}

size_t ct_shape_undercut_memory(const ct_shape_def *def) {
  return def->kind == CT_SHAPE_BAR && def->undercut != CT_UNDERCUT_NONE ? 4 * TERMS * TERMS + TERMS : 0;
}

/* P_k(x) and P_k''(x), mean square 1 over the uniform bar: P_k sqrt(2k + 1). */
static void polynomials(double x, double *value, double *bend) {
  double slope[TERMS];
  ct_legendre(x, TERMS, value, slope, bend);
  for (uint32_t k = 0; k < TERMS; k++) {
    value[k] *= sqrt(2.0 * k + 1.0);
    bend[k] *= sqrt(2.0 * k + 1.0);
  }
}

double ct_shape_undercut_value(const ct_shape_mode *mode, double u) {
  double value[TERMS], bend[TERMS], sum = 0.0;
  polynomials(2.0 * u - 1.0, value, bend);
  for (uint32_t k = 0; k < TERMS; k++)
    sum += mode->table[k] * value[k];
  return sum;
}

static void add_place(const cut *c, double x, double weight, double *m, double *k) {
  double value[TERMS], bend[TERMS], h = thickness(c, x);
  polynomials(x, value, bend);
  for (uint32_t i = 0; i < TERMS; i++)
    for (uint32_t j = i % 2; j <= i; j += 2) { /* even and odd do not mix */
      m[i * TERMS + j] += weight * h * value[i] * value[j];
      k[i * TERMS + j] += weight * h * h * h * bend[i] * bend[j];
    }
}

/* Both sums, by Gauss' five places in every panel. */
static void add_stretch(const cut *c, double from, double to, double *m, double *k) {
  static const double place[] = {0.0, 0.538469310105683091, 0.906179845938663993},
                      weight[] = {0.568888888888888889, 0.478628670499366468, 0.236926885056189088};
  double half = 0.5 * (to - from) / PANELS;
  for (uint32_t panel = 0; panel < PANELS; panel++)
    for (int i = -2; i <= 2; i++) {
      int n = i < 0 ? -i : i;
      double middle = from + (2.0 * panel + 1.0) * half;
      add_place(c, middle + (i < 0 ? -place[n] : place[n]) * half, weight[n] * half, m, k);
    }
}

/* The bar is symmetric about its middle, so half of it will do. */
static void fill(const cut *c, double *m, double *k) {
  memset(m, 0, TERMS * TERMS * sizeof *m);
  memset(k, 0, TERMS * TERMS * sizeof *k);
  add_stretch(c, 0.0, c->half, m, k);
  add_stretch(c, c->half, 1.0, m, k);
  ct_eigen_mirror(TERMS, m);
  ct_eigen_mirror(TERMS, k);
}

/* The end of the bar moves up. */
static void turn_up(double *row) {
  double end = 0.0;
  for (uint32_t k = 0; k < TERMS; k++)
    end += row[k] * sqrt(2.0 * k + 1.0);
  for (uint32_t k = 0; k < TERMS && end < 0.0; k++)
    row[k] = -row[k];
}

/* Lengths in half bars: w = sqrt(lambda) (2 / L)^2 h / sqrt(12) sqrt(E / rho). Shapes are orthonormal over
 * the mass that is left: int h phi^2 dx = int h dx. The two lowest are the bar drifting and tumbling. */
ct_result ct_shape_undercut_modes(const ct_shape_def *def, ct_shape_list *list) {
  const cut *c = &cuts[def->undercut];
  double *m = list->memory, *k = m + TERMS * TERMS, *vectors = k + TERMS * TERMS,
         *squares = vectors + 2 * TERMS * TERMS;
  fill(c, m, k);
  if (!ct_eigen_general(TERMS, k, m, squares, vectors))
    return CT_BAD_VALUE;
  double length = def->size_m[0], unit_hz = 4.0 / (length * length) * def->thickness_m *
                                            sqrt(def->young_pa / (12.0 * def->density_kg_m3)) / (2.0 * CT_PI);
  double mass =
      def->density_kg_m3 * length * def->size_m[1] * def->thickness_m * ct_shape_undercut_share(def);
  for (uint32_t i = 0; i < TERMS; i++) {
    uint32_t rank = ct_eigen_rank(TERMS, squares, i);
    double *row = vectors + (size_t)i * TERMS, share = sqrt(ct_shape_undercut_share(def));
    if (rank >= GIVEN)
      continue;
    turn_up(row);
    for (uint32_t n = 0; n < TERMS; n++)
      row[n] *= share;
    ct_shape_list_offer(list, &(ct_shape_mode){.hz = rank < 2 ? 0.0 : unit_hz * sqrt(squares[i]),
                                               .mass_kg = mass,
                                               .m = (int16_t)rank,
                                               .table = row,
                                               .table_count = TERMS});
  }
  return CT_OK;
}
