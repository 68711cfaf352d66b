/* Products with C, and the equations (I + S C S) u = b of a Newton step with slopes S^2: by Cholesky, or for
 * many contacts by conjugate gradients. Expanded in solve.c, where n is a constant for two and three. */
#ifndef CT_CONTACT_SCALED_H
#define CT_CONTACT_SCALED_H

#include "base/clamp.h"
#include "base/inline.h"
#include "contact/solve.h"

#include <math.h>
#include <string.h>

static const double eps = 2.220446049250313e-16;

/* Long rows are added up in so many sums, which do not wait for one another. */
#define LANES 8u

CT_INLINE double add_products(const double *row, const double *v, uint32_t n, bool sizes) {
  double sum = 0, sums[LANES] = {0};
  uint32_t j = 0;
  for (; j + LANES <= n; j += LANES)
    for (uint32_t k = 0; k < LANES; k++)
      sums[k] += sizes ? fabs(row[j + k] * v[j + k]) : row[j + k] * v[j + k];
  for (uint32_t k = 0; k < LANES && j > 0; k++)
    sum += sums[k];
  for (; j < n; j++)
    sum += sizes ? fabs(row[j] * v[j]) : row[j] * v[j];
  return sum;
}

CT_INLINE double row_product(const double *row, const double *v, uint32_t n) {
  return add_products(row, v, n, false);
}

CT_INLINE double row_size(const double *row, const double *v, uint32_t n) {
  return add_products(row, v, n, true);
}

/* out = C v */
CT_INLINE void multiply(const ct_solver *s, uint32_t n, const double *v, double *out) {
  for (uint32_t i = 0; n < LANES && i < n; i++)
    out[i] = row_product(s->compliance + i * n, v, n);
  if (n >= LANES)
    s->kernels->multiply(n, s->compliance, v, out);
}

/* Factors I + S C S by Cholesky: eigenvalues are at least 1, so it always exists. */
CT_INLINE void factor_scaled(ct_solver *s, uint32_t n, const double *root) {
  double *m = s->matrix;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j <= i; j++) {
      double sum = root[i] * s->compliance[i * n + j] * root[j] + (i == j ? 1 : 0);
      uint32_t k = j - j % LANES;
      sum -= k ? row_product(m + i * n, m + j * n, k) : 0;
      for (; k < j; k++)
        sum -= m[i * n + k] * m[j * n + k];
      m[i * n + j] = i == j ? sqrt(ct_most(sum, eps)) : sum / m[j * n + j];
    }
}

/* Solves (I + S C S) u = b in place, once it has been factored. */
CT_INLINE void substitute(const ct_solver *s, uint32_t n, double *b) {
  const double *m = s->matrix;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = i - i % LANES;
    b[i] -= k ? row_product(m + i * n, b, k) : 0;
    for (; k < i; k++)
      b[i] -= m[i * n + k] * b[k];
    b[i] /= m[i * n + i];
  }
  for (uint32_t i = n; i-- > 0;) {
    b[i] /= m[i * n + i];
    for (uint32_t k = 0; k < i; k++)
      b[k] -= m[i * n + k] * b[i];
  }
}

CT_INLINE void solve_scaled(ct_solver *s, uint32_t n, const double *root, double *b) {
  factor_scaled(s, n, root);
  substitute(s, n, b);
}

/* w = C S p; p . (I + S C S) p */
static double apply_scaled(const ct_solver *s, uint32_t n, const double *root, const double *p, double *w) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    s->scaled[i] = root[i] * p[i];
  multiply(s, n, s->scaled, w);
  for (uint32_t i = 0; i < n; i++)
    sum += p[i] * p[i] + s->scaled[i] * w[i];
  return sum;
}

#define MOST_ITERATIONS 12u /* beyond them a factorisation is cheaper */
/* What may be left of b, squared: a billionth, since Newton comes again; of his first step a ten-thousandth,
 * since it is wrong by more than that. */
static const double near_to = 1e-18, far_from = 1e-8;

/* The same for many contacts without the cube, preconditioned by the diagonal: contacts that meet on a heavy
 * body hardly feel one another, and a few iterations do; `pushed` is C S u then. False: they feel too much,
 * and b is as it was. */
static bool conjugate_gradients(ct_solver *s, uint32_t n, const double *root, double *b, double left_over) {
  double *x = s->step, *r = s->push, *p = s->direction, *w = s->image, size = 0, rho = 0;
  for (uint32_t i = 0; i < n; i++) {
    x[i] = s->pushed[i] = 0;
    r[i] = b[i];
    p[i] = r[i] / (1 + root[i] * root[i] * s->compliance[i * n + i]);
    rho += r[i] * p[i];
  }
  size = rho;
  for (uint32_t iteration = 0; iteration < MOST_ITERATIONS && rho > 0; iteration++) {
    double along = rho / apply_scaled(s, n, root, p, w), before = rho;
    rho = 0;
    for (uint32_t i = 0; i < n; i++) {
      x[i] += along * p[i];
      s->pushed[i] += along * w[i];
      r[i] -= along * (p[i] + root[i] * w[i]);
      w[i] = r[i] / (1 + root[i] * root[i] * s->compliance[i * n + i]);
      rho += r[i] * w[i];
    }
    if (rho <= left_over * size) {
      memcpy(b, x, n * sizeof *b);
      return true;
    }
    for (uint32_t i = 0; i < n; i++)
      p[i] = w[i] + rho / before * p[i];
  }
  return false;
}

/* x = u / S where stiff, else r0 - C S u; `scaled` holds S u on return. `moved`: `pushed` is C S u already.
 */
CT_INLINE void unscale(const ct_solver *s, uint32_t n, const double *root, const double *start,
                       const double *u, double *scaled, double *x, bool moved) {
  for (uint32_t i = 0; i < n; i++)
    scaled[i] = root[i] * u[i];
  if (n >= LANES && !moved)
    multiply(s, n, scaled, s->pushed);
  for (uint32_t i = 0; i < n; i++) {
    bool stiff = root[i] * root[i] * s->compliance[i * n + i] > 1;
    double left = n < LANES ? 0 : start[i] - s->pushed[i];
    if (n < LANES && !stiff)
      left = start[i] - row_product(s->compliance + i * n, scaled, n);
    x[i] = stiff ? u[i] / root[i] : left;
  }
}

#endif
