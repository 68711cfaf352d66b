/* Small eigenproblems. The Hermitian one goes by Householder's reflections to a real tridiagonal matrix,
 * which base/eigen.c solves; the general one by shifted QR steps on a Hessenberg matrix. */
#include "modes/linear.h"
#include "base/eigen.h"
#include "modes/lanes.h"

#include <math.h>
#include <stdlib.h>

enum { QR_STEPS_MOST = 60 }; /* per eigenvalue; two or three are usual */

/* ---- Hermitian ---- */

/* H = 1 - 2 v v^H / |v|^2 takes x to -e^(i arg x_0) |x| e_0; v replaces x. Returns 2 / |v|^2, 0 where there
 * is nothing to do. */
static double reflector(uint32_t n, double complex *x) {
  double rest = 0;
  for (uint32_t i = 1; i < n; i++)
    rest += ct_square(x[i]);
  if (rest == 0)
    return 0;
  double size = sqrt(rest + ct_square(x[0])), first = cabs(x[0]);
  x[0] = first > 0 ? x[0] * (1 + size / first) : size;
  return 2 / (rest + ct_square(x[0]));
}

/* A <- H A H on the block that starts at row and column `first`; v lives on it. With p = s A v and
 * q = p - (s/2)(v^H p) v that is A - v q^H - q v^H. */
static void reflect_block(uint32_t n, double complex *a, uint32_t first, const double complex *v, double s,
                          double complex *p) {
  uint32_t size = n - first;
  double complex k = 0;
  for (uint32_t i = 0; i < size; i++) {
    const double complex *row = a + (size_t)(first + i) * n + first;
    double complex sum = 0;
    for (uint32_t j = 0; j < size; j++)
      sum += ct_times(row[j], v[j]);
    p[i] = s * sum;
    k += ct_times_conj(p[i], v[i]);
  }
  for (uint32_t i = 0; i < size; i++)
    p[i] -= 0.5 * s * ct_times(k, v[i]);
  for (uint32_t i = 0; i < size; i++)
    for (uint32_t j = 0; j < size; j++)
      a[(size_t)(first + i) * n + first + j] -= ct_times_conj(v[i], p[j]) + ct_times_conj(p[i], v[j]);
}

/* Q <- Q H, on columns from `first` on. */
static void reflect_columns(uint32_t n, double complex *q, uint32_t first, const double complex *v,
                            double s) {
  for (uint32_t i = 0; i < n; i++) {
    double complex *row = q + (size_t)i * n + first, sum = 0;
    for (uint32_t j = 0; j < n - first; j++)
      sum += ct_times(row[j], v[j]);
    for (uint32_t j = 0; j < n - first; j++)
      row[j] -= s * ct_times_conj(sum, v[j]);
  }
}

/* A = Q T Q^H with T tridiagonal; its off-diagonal is made real by turning the columns of Q. */
static void make_tridiagonal(uint32_t n, double complex *a, double complex *q, double *diagonal, double *off,
                             double complex *v, double complex *p) {
  for (size_t i = 0; i < (size_t)n * n; i++)
    q[i] = i % (n + 1) == 0;
  for (uint32_t k = 0; k + 2 < n; k++) {
    uint32_t size = n - k - 1;
    for (uint32_t i = 0; i < size; i++)
      v[i] = a[(size_t)(k + 1 + i) * n + k];
    double first = cabs(v[0]), rest = 0;
    double complex turn = first > 0 ? v[0] / first : 1;
    for (uint32_t i = 0; i < size; i++)
      rest += ct_square(v[i]);
    double s = reflector(size, v);
    if (s == 0)
      continue;
    a[(size_t)(k + 1) * n + k] = -turn * sqrt(rest);
    reflect_block(n, a, k + 1, v, s, p);
    reflect_columns(n, q, k + 1, v, s);
  }
  double complex turn = 1;
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = 0; i < n; i++)
      q[(size_t)i * n + k] = ct_times(q[(size_t)i * n + k], turn);
    diagonal[k] = creal(a[(size_t)k * n + k]);
    if (k + 1 == n)
      break;
    double complex below = ct_times(a[(size_t)(k + 1) * n + k], turn);
    off[k] = cabs(below);
    turn = off[k] > 0 ? below / off[k] : 1;
  }
  off[n - 1] = 0;
}

/* Rows in order of falling eigenvalue, each Q times a row of the tridiagonal's vectors. */
static void sort_vectors(uint32_t n, const double complex *q, const double *diagonal, const double *turned,
                         double *values, double complex *vectors, uint32_t *order) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = k;
    for (; at > 0 && diagonal[order[at - 1]] < diagonal[k]; at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
  for (uint32_t k = 0; k < n; k++) {
    const double *w = turned + (size_t)order[k] * n;
    values[k] = diagonal[order[k]];
    for (uint32_t i = 0; i < n; i++) {
      double complex sum = 0;
      for (uint32_t j = 0; j < n; j++)
        sum += q[(size_t)i * n + j] * w[j];
      vectors[(size_t)k * n + i] = sum;
    }
  }
}

bool ct_hermitian_eigen(uint32_t n, double complex *matrix, double *values, double complex *vectors) {
  double complex *q = malloc(((size_t)n * n + 2 * n) * sizeof *q);
  double *turned = malloc(((size_t)n * n + 2 * n) * sizeof *turned);
  uint32_t *order = malloc(n * sizeof *order);
  bool done = q && turned && order;
  if (done) {
    double complex *v = q + (size_t)n * n;
    double *diagonal = turned + (size_t)n * n, *off = diagonal + n;
    make_tridiagonal(n, matrix, q, diagonal, off, v, v + n);
    done = ct_eigen_tridiagonal(n, diagonal, off, turned);
    sort_vectors(n, q, diagonal, turned, values, vectors, order);
  }
  free(q);
  free(turned);
  free(order);
  return done;
}

/* ---- general ---- */

static void make_hessenberg(uint32_t n, double complex *a) {
  for (uint32_t k = 1; k + 1 < n; k++) { /* stabilised elimination: the largest of the column is the pivot */
    uint32_t pivot = k;
    for (uint32_t i = k + 1; i < n; i++)
      if (cabs(a[i * n + k - 1]) > cabs(a[pivot * n + k - 1]))
        pivot = i;
    if (cabs(a[pivot * n + k - 1]) == 0)
      continue;
    for (uint32_t j = 0; pivot != k && j < n; j++) {
      double complex x = a[pivot * n + j];
      a[pivot * n + j] = a[k * n + j];
      a[k * n + j] = x;
    }
    for (uint32_t i = 0; pivot != k && i < n; i++) {
      double complex x = a[i * n + pivot];
      a[i * n + pivot] = a[i * n + k];
      a[i * n + k] = x;
    }
    for (uint32_t i = k + 1; i < n; i++) {
      double complex m = a[i * n + k - 1] / a[k * n + k - 1];
      for (uint32_t j = 0; j < n; j++)
        a[i * n + j] -= m * a[k * n + j];
      for (uint32_t j = 0; j < n; j++)
        a[j * n + k] += m * a[j * n + i];
    }
  }
}

/* One QR step by plane rotations on rows and columns low .. high: A - shift = Q R, A <- R Q + shift. */
static void qr_step(uint32_t n, double complex *a, uint32_t low, uint32_t high, double complex shift,
                    double complex *c, double complex *s) {
  for (uint32_t i = low; i <= high; i++)
    a[i * n + i] -= shift;
  for (uint32_t k = low; k < high; k++) {
    double complex x = a[k * n + k], y = a[(k + 1) * n + k];
    double size = hypot(cabs(x), cabs(y));
    c[k] = size > 0 ? x / size : 1;
    s[k] = size > 0 ? y / size : 0;
    for (uint32_t j = k; j <= high; j++) {
      double complex u = a[k * n + j], w = a[(k + 1) * n + j];
      a[k * n + j] = conj(c[k]) * u + conj(s[k]) * w;
      a[(k + 1) * n + j] = c[k] * w - s[k] * u;
    }
  }
  for (uint32_t k = low; k < high; k++)
    for (uint32_t i = low; i <= (k + 1 < high ? k + 1 : high); i++) {
      double complex u = a[i * n + k], w = a[i * n + k + 1];
      a[i * n + k] = u * c[k] + w * s[k];
      a[i * n + k + 1] = w * conj(c[k]) - u * conj(s[k]);
    }
  for (uint32_t i = low; i <= high; i++)
    a[i * n + i] += shift;
}

/* Wilkinson's: the eigenvalue of the last 2 x 2 block that is nearer to its last element. */
static double complex shift_of(uint32_t n, const double complex *a, uint32_t high) {
  double complex d = a[high * n + high], e = a[(high - 1) * n + high - 1];
  double complex half = 0.5 * (e - d), bc = a[(high - 1) * n + high] * a[high * n + high - 1];
  double complex root = csqrt(half * half + bc);
  return d + (cabs(half + root) < cabs(half - root) ? half + root : half - root);
}

bool ct_general_eigen(uint32_t n, double complex *a, double complex *values) {
  double complex c[64], s[64];
  if (n == 0 || n > 64)
    return n == 0;
  make_hessenberg(n, a);
  for (uint32_t high = n - 1, steps = 0;;) {
    uint32_t low = high;
    while (low > 0 &&
           cabs(a[low * n + low - 1]) > 1e-15 * (cabs(a[low * n + low]) + cabs(a[(low - 1) * n + low - 1])))
      low--;
    if (low < high) {
      if (++steps > QR_STEPS_MOST)
        return false;
      /* now and then an odd shift, against going round in circles */
      qr_step(n, a, low, high, steps % 11 == 10 ? a[high * n + high - 1] : shift_of(n, a, high), c, s);
      continue;
    }
    values[high] = a[high * n + high];
    if (high-- == 0)
      return true;
    steps = 0;
  }
}

bool ct_complex_solve(uint32_t n, double complex *a, double complex *b, uint32_t columns) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t pivot = k;
    for (uint32_t i = k + 1; i < n; i++)
      if (cabs(a[i * n + k]) > cabs(a[pivot * n + k]))
        pivot = i;
    if (cabs(a[pivot * n + k]) == 0)
      return false;
    for (uint32_t j = 0; pivot != k && j < n + columns; j++) {
      double complex *x = j < n ? &a[pivot * n + j] : &b[pivot * columns + j - n];
      double complex *y = j < n ? &a[k * n + j] : &b[k * columns + j - n], swap = *x;
      *x = *y;
      *y = swap;
    }
    for (uint32_t i = 0; i < n; i++) {
      double complex m = i == k ? 0 : a[i * n + k] / a[k * n + k];
      for (uint32_t j = k; i != k && j < n; j++)
        a[i * n + j] -= m * a[k * n + j];
      for (uint32_t j = 0; i != k && j < columns; j++)
        b[i * columns + j] -= m * b[k * columns + j];
    }
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < columns; j++)
      b[i * columns + j] /= a[i * n + i];
  return true;
}

/* ---- Cholesky ---- */

double ct_dot(const double *a, const double *b, uint32_t n) {
  ct_lanes sum0 = {0}, sum1 = {0};
  double rest = 0;
  uint32_t k = 0;
  for (; k + 4 <= n; k += 4) {
    sum0 += ct_load(a + k) * ct_load(b + k);
    sum1 += ct_load(a + k + 2) * ct_load(b + k + 2);
  }
  for (; k < n; k++)
    rest += a[k] * b[k];
  return ct_sum_lanes(sum0 + sum1) + rest;
}

void ct_cholesky(uint32_t n, double *a) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double given = a[i * n + j], sum = given - ct_dot(a + i * n, a + j * n, (uint32_t)j);
      if (i == j)
        a[i * n + i] = sqrt(sum > 1e-12 * given ? sum : given > 0 ? 1e-12 * given : 1);
      else
        a[i * n + j] = sum / a[j * n + j];
    }
}

void ct_cholesky_forward(uint32_t n, const double *l, double *b) {
  for (size_t i = 0; i < n; i++)
    b[i] = (b[i] - ct_dot(l + i * n, b, (uint32_t)i)) / l[i * n + i];
}

void ct_cholesky_back(uint32_t n, const double *l, double *b) {
  for (size_t i = n; i-- > 0;) {
    b[i] /= l[i * n + i];
    for (size_t k = 0; k < i; k++)
      b[k] -= l[i * n + k] * b[i];
  }
}
