/* Symmetric eigenproblems: implicit QL for chains, where it is fast, and cyclic Jacobi for networks, where it
 * is short and keeps small eigenvalues accurate. Eigenvectors are kept as rows, which both rotations then
 * walk in order. */
#include "base/eigen.h"

#include <math.h>

static void set_identity(uint32_t n, double *vectors) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      vectors[i * n + j] = i == j ? 1.0 : 0.0;
}

static void rotate_rows(uint32_t n, double *a, double *b, double c, double s) {
  for (uint32_t k = 0; k < n; k++) {
    double x = a[k], y = b[k];
    a[k] = c * x - s * y;
    b[k] = s * x + c * y;
  }
}

/* The first place from `first` on where the matrix falls apart: off[m] is nothing beside its neighbours. */
static uint32_t find_split(uint32_t n, const double *d, const double *e, uint32_t first) {
  uint32_t m = first;
  while (m + 1 < n && fabs(e[m]) > 1.1e-16 * (fabs(d[m]) + fabs(d[m + 1])))
    m++;
  return m;
}

/* One implicit QL sweep from m down to l with Wilkinson's shift; Bowdler, Martin, Reinsch and Wilkinson
 * (1968). */
static void ql_sweep(uint32_t n, double *d, double *e, double *vectors, uint32_t l, uint32_t m) {
  double g = (d[l + 1] - d[l]) / (2.0 * e[l]);
  g = d[m] - d[l] + e[l] / (g + copysign(hypot(g, 1.0), g));
  double s = 1.0, c = 1.0, p = 0.0;
  for (uint32_t i = m; i-- > l;) {
    double f = s * e[i], b = c * e[i], r = hypot(f, g);
    e[i + 1] = r;
    if (r == 0.0) { /* the matrix fell apart on the way: start again on the smaller piece */
      d[i + 1] -= p;
      e[m] = 0.0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2.0 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    rotate_rows(n, vectors + (size_t)i * n, vectors + (size_t)(i + 1) * n, c, s);
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0.0;
}

bool ct_eigen_tridiagonal(uint32_t n, double *diagonal, double *off, double *vectors) {
  set_identity(n, vectors);
  off[n - 1] = 0.0;
  for (uint32_t l = 0; l < n; l++) {
    uint32_t m = find_split(n, diagonal, off, l);
    for (int sweeps = 0; m != l; sweeps++) {
      if (sweeps == 60)
        return false;
      ql_sweep(n, diagonal, off, vectors, l, m);
      m = find_split(n, diagonal, off, l);
    }
  }
  return true;
}

/* Turns rows and columns p and q by the angle that makes matrix[p][q] zero. */
static void jacobi_turn(uint32_t n, double *matrix, double *vectors, uint32_t p, uint32_t q) {
  double *row_p = matrix + (size_t)p * n, *row_q = matrix + (size_t)q * n;
  double theta = (row_q[q] - row_p[p]) / (2.0 * row_p[q]);
  double t = 1.0 / (theta + copysign(hypot(theta, 1.0), theta));
  double c = 1.0 / hypot(t, 1.0), s = t * c;
  rotate_rows(n, row_p, row_q, c, s);
  for (uint32_t k = 0; k < n; k++) {
    double *row = matrix + (size_t)k * n, x = row[p], y = row[q];
    row[p] = c * x - s * y;
    row[q] = s * x + c * y;
  }
  row_p[q] = row_q[p] = 0.0;
  rotate_rows(n, vectors + (size_t)p * n, vectors + (size_t)q * n, c, s);
}

/* One pass over all pairs; true if nothing was left to turn. */
static bool jacobi_sweep(uint32_t n, double *matrix, double *vectors) {
  bool done = true;
  for (uint32_t p = 0; p + 1 < n; p++)
    for (uint32_t q = p + 1; q < n; q++) {
      double size = fabs(matrix[(size_t)p * n + p]) + fabs(matrix[(size_t)q * n + q]);
      if (fabs(matrix[(size_t)p * n + q]) <= 1e-17 * size)
        continue;
      jacobi_turn(n, matrix, vectors, p, q);
      done = false;
    }
  return done;
}

bool ct_eigen_symmetric(uint32_t n, double *matrix, double *values, double *vectors) {
  set_identity(n, vectors);
  bool done = false;
  for (int sweep = 0; sweep < 60 && !done; sweep++)
    done = jacobi_sweep(n, matrix, vectors);
  for (uint32_t i = 0; i < n; i++)
    values[i] = matrix[(size_t)i * n + i];
  return done;
}

/* M = L L', in the lower half of m. */
static bool factor(uint32_t n, double *m) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = m[i * n + j];
      for (size_t k = 0; k < j; k++)
        sum -= m[i * n + k] * m[j * n + k];
      if (i == j && !(sum > 0.0))
        return false;
      m[i * n + j] = i == j ? sqrt(sum) : sum / m[j * n + j];
    }
  return true;
}

static void transpose(uint32_t n, double *a) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      double other = a[i * n + j];
      a[i * n + j] = a[j * n + i];
      a[j * n + i] = other;
    }
}

/* K <- L^-1 K L^-T: columns, then rows, solved forwards. */
static void reduce(uint32_t n, const double *l, double *k) {
  for (int pass = 0; pass < 2; pass++) {
    for (size_t column = 0; column < n; column++)
      for (size_t i = 0; i < n; i++) {
        double sum = k[i * n + column];
        for (size_t j = 0; j < i; j++)
          sum -= l[i * n + j] * k[j * n + column];
        k[i * n + column] = sum / l[i * n + i];
      }
    transpose(n, k);
  }
}

/* y <- L^-T y. */
static void back(uint32_t n, const double *l, double *y) {
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++)
      y[i] -= l[k * n + i] * y[k];
    y[i] /= l[i * n + i];
  }
}

bool ct_eigen_general(uint32_t n, double *matrix, double *mass, double *values, double *vectors) {
  if (!factor(n, mass))
    return false;
  reduce(n, mass, matrix);
  bool done = ct_eigen_symmetric(n, matrix, values, vectors);
  for (uint32_t i = 0; i < n; i++)
    back(n, mass, vectors + (size_t)i * n);
  return done;
}

uint32_t ct_eigen_rank(uint32_t n, const double *values, uint32_t k) {
  uint32_t rank = 0;
  for (uint32_t i = 0; i < n; i++)
    rank += values[i] < values[k] || (values[i] == values[k] && i < k);
  return rank;
}

void ct_eigen_mirror(uint32_t n, double *matrix) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      matrix[j * n + i] = matrix[i * n + j];
}
