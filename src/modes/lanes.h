/* Two doubles at a time, as the compiler's own vectors: sums in lanes are those that are written, which the
 * compiler may not reorder by itself. Two are what every processor of 64 bits has, and WebAssembly. */
#ifndef CT_MODES_LANES_H
#define CT_MODES_LANES_H

#include <string.h>

/* Compiled once for any machine and once for registers of four numbers, and chosen when the program is
 * loaded, where that can be done. Loops under it add up in the order that is written and fuse nothing: the
 * numbers are the same. */
#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define CT_WIDE
#endif

typedef double ct_lanes __attribute__((vector_size(16), aligned(8)));

static inline ct_lanes ct_load(const double *from) {
  ct_lanes x;
  memcpy(&x, from, sizeof x);
  return x;
}

static inline void ct_store(double *to, ct_lanes x) { memcpy(to, &x, sizeof x); }
static inline ct_lanes ct_both(double x) { return (ct_lanes){x, x}; }
static inline double ct_sum_lanes(ct_lanes x) { return x[0] + x[1]; }

#endif
