/* Products of small dense matrices, rows after rows. Rows, columns and n are multiples of four. */
#ifndef CT_MODES_PRODUCT_H
#define CT_MODES_PRODUCT_H

#include <stddef.h>
#include <stdint.h>

/* to += a b, b[inner * columns]; a's element at (i, k) is a[i * row + k * column]. */
void ct_add_product(uint32_t rows, uint32_t inner, uint32_t columns, const double *a, size_t row,
                    size_t column, const double *b, double *to);

/* to += factor a' b, which is known to be symmetric; a and b[inner * n], to[n * n] symmetric as well. */
void ct_add_symmetric(uint32_t n, uint32_t inner, double factor, const double *a, const double *b,
                      double *to);

#endif
