/* Numbers from places: a hash of (seed, place) needs no state, so that noise over distance can be asked for
 * anywhere, in any order. */
#ifndef CT_BASE_HASH_H
#define CT_BASE_HASH_H

#include <stdint.h>

#define CT_SPLITMIX_STEP 0x9e3779b97f4a7c15u

/* splitmix64 (Steele, Lea and Flood 2014): a step and its finaliser. */
static inline uint64_t ct_hash(uint64_t x) {
  x += CT_SPLITMIX_STEP;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* Bits of one place. Steps of an odd number visit every state of the hash. */
static inline uint64_t ct_hash_at(uint64_t seed, uint64_t place) {
  return ct_hash(seed + place * 0xd1342543de82ef95u);
}

/* -1 .. 1, uniform. */
static inline double ct_hash_even(uint64_t bits) { return (double)(int64_t)bits * 0x1p-63; }

/* Random numbers from a state of their own: the same seed gives the same numbers everywhere. */

typedef struct ct_random {
  uint64_t state;
} ct_random;

/* splitmix64: any state is a good one. */
static inline uint64_t ct_random_bits(ct_random *r) {
  uint64_t before = r->state;
  r->state += CT_SPLITMIX_STEP;
  return ct_hash(before);
}

/* -1 .. 1 */
static inline double ct_random_even(ct_random *r) { return (double)(int64_t)ct_random_bits(r) * 0x1p-63; }

/* 0 .. 1, never 0 */
static inline double ct_random_share(ct_random *r) {
  return ((double)(ct_random_bits(r) >> 11) + 0.5) * 0x1p-53;
}

#endif
