/* Eigenvalues and eigenvectors of real symmetric matrices, in memory the caller passes. Set-up only. */
#ifndef CT_BASE_EIGEN_H
#define CT_BASE_EIGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tridiagonal matrix of size n: diagonal[n], and off[i] between i and i + 1 (off[n-1] is scratch). On return
 * diagonal holds the eigenvalues, unsorted, and row k of vectors[n * n] the orthonormal eigenvector of
 * eigenvalue k. False if the iteration did not end; off is destroyed. */
bool ct_eigen_tridiagonal(uint32_t n, double *diagonal, double *off, double *vectors);

/* Full symmetric matrix[n * n], destroyed. Eigenvalues and rows of vectors as above. */
bool ct_eigen_symmetric(uint32_t n, double *matrix, double *values, double *vectors);

/* K x = lambda M x: symmetric matrix K, and mass M, positive definite; both destroyed. Rows x of vectors with
 * x' M x = 1. False also where M is not positive. */
bool ct_eigen_general(uint32_t n, double *matrix, double *mass, double *values, double *vectors);

/* How many of the values are less than values[k]; of equal ones, those before it. */
uint32_t ct_eigen_rank(uint32_t n, const double *values, uint32_t k);
/* The upper half of a matrix from its lower half. */
void ct_eigen_mirror(uint32_t n, double *matrix);

#endif
