/* Random numbers from a state of their own: the same seed gives the same numbers everywhere. */
#ifndef CT_BASE_RANDOM_H
#define CT_BASE_RANDOM_H

#include <stdint.h>

typedef struct ct_random {
  uint64_t state;
} ct_random;

/* splitmix64 (Steele, Lea and Flood 2014): any state is a good one. */
static inline uint64_t ct_random_bits(ct_random *r) {
  uint64_t x = r->state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* -1 .. 1 */
static inline double ct_random_even(ct_random *r) { return (double)(int64_t)ct_random_bits(r) * 0x1p-63; }

/* 0 .. 1, never 0 */
static inline double ct_random_share(ct_random *r) {
  return ((double)(ct_random_bits(r) >> 11) + 0.5) * 0x1p-53;
}

#endif
