/* Order statistics. */
#ifndef CT_MODES_SELECT_H
#define CT_MODES_SELECT_H

#include <stddef.h>

/* The number of x[0 .. count) that `rank` others come before; the order of x changes. Hoare's: it takes some
 * three passes where sorting takes as many as count has bits. No number may be NAN. */
static inline double ct_select(double *x, size_t count, size_t rank) {
  size_t low = 0, high = count - 1;
  while (low < high) {
    double pivot = x[low + (high - low) / 2];
    size_t i = low, j = high;
    for (;; i++, j--) {
      while (i < high && x[i] < pivot)
        i++;
      while (j > low && x[j] > pivot)
        j--;
      if (i >= j)
        break;
      double swap = x[i];
      x[i] = x[j];
      x[j] = swap;
    }
    if (rank <= j)
      high = j;
    else
      low = j + 1;
  }
  return x[rank];
}

#endif
