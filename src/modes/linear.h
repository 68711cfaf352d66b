/* The little linear algebra that finding modes takes: complex Hermitian and general eigenproblems of a few
 * dozen rows, and Cholesky factors. Matrices are rows after rows, in memory the caller passes. */
#ifndef CT_MODES_LINEAR_H
#define CT_MODES_LINEAR_H

#include "measure/fft.h"

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#define CT_I ct_complex(0, 1) /* the C library's is a float */

/* a b and a conj(b). The products are written out: C's own one looks for infinities at every turn. */
static inline double complex ct_times(double complex a, double complex b) {
  return (creal(a) * creal(b) - cimag(a) * cimag(b)) + CT_I * (creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline double complex ct_times_conj(double complex a, double complex b) {
  return (creal(a) * creal(b) + cimag(a) * cimag(b)) + CT_I * (cimag(a) * creal(b) - creal(a) * cimag(b));
}

static inline double ct_square(double complex a) { return creal(a) * creal(a) + cimag(a) * cimag(a); }

/* Eigenvalues of a Hermitian matrix[n * n] (destroyed), the largest first, and row k of vectors[n * n] the
 * orthonormal eigenvector of the k-th. False if the iteration did not end, or without memory. */
bool ct_hermitian_eigen(uint32_t n, double complex *matrix, double *values, double complex *vectors);

/* Eigenvalues of any matrix[n * n] (destroyed), in no order. False if the iteration did not end. */
bool ct_general_eigen(uint32_t n, double complex *matrix, double complex *values);

/* A x = b of n complex equations, by elimination with pivots; both destroyed, x in b[n * columns]. False
 * where A is singular. */
bool ct_complex_solve(uint32_t n, double complex *a, double complex *b, uint32_t columns);

double ct_dot(const double *a, const double *b, uint32_t n);
/* A = L L' in the lower half of a; a diagonal that is lost in rounding is lifted to 1e-12 of what it was. */
void ct_cholesky(uint32_t n, double *a);
/* L y = b and L' y = b, in place. */
void ct_cholesky_forward(uint32_t n, const double *l, double *b);
void ct_cholesky_back(uint32_t n, const double *l, double *b);

#endif
