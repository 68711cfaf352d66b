/* Where in the unit cube a point of a plan lies. Both ways need no state: any point can be asked for alone.
 */
#include "base/hash.h"
#include "sweep/plan.h"

double ct_sweep_random(uint64_t seed, uint32_t dimension, uint64_t index) {
  return ((double)(ct_hash_at(ct_hash_at(seed, dimension), index) >> 11) + 0.5) * 0x1p-53;
}

/* ---- Halton ---- */

/* The dimension-th prime: the base of its digits. */
static uint32_t prime_at(uint32_t dimension) {
  uint32_t found = 0;
  for (uint32_t n = 2;; n++) {
    bool prime = true;
    for (uint32_t d = 2; d * d <= n && prime; d++)
      prime = n % d != 0;
    if (prime && found++ == dimension)
      return n;
  }
}

/* Where a digit goes: a permutation of 0 .. base - 1, of its own for every place, by Fisher and Yates. */
static uint32_t permuted(uint64_t key, uint32_t base, uint32_t digit) {
  enum { BASE_MOST = 512 };
  uint32_t to[BASE_MOST];
  for (uint32_t i = 0; i < base; i++)
    to[i] = i;
  for (uint32_t i = base - 1; i > 0; i--) {
    uint32_t other = (uint32_t)(ct_hash_at(key, i) % (i + 1)), kept = to[i];
    to[i] = to[other];
    to[other] = kept;
  }
  return to[digit];
}

/* Halton's sequence (1960): the digits of the index in a prime base, mirrored at the point. Of every base^k
 * points in a row each interval of length base^-k has exactly one. In large bases the first points of two
 * dimensions lie on lines; permuting the digits at every place by the seed (as in Owen 2017, "A randomized
 * Halton algorithm in R") breaks these and keeps that property. Places go on until they are beyond a double,
 * since a permutation makes something of the zeros in front of the index too. */
double ct_sweep_halton(uint64_t seed, uint32_t dimension, uint64_t index) {
  const uint32_t base = prime_at(dimension);
  const uint64_t key = ct_hash_at(seed, dimension);
  double sum = 0, place = 1;
  for (uint32_t k = 0; place > 0x1p-53; k++) {
    place /= base;
    sum += place * permuted(ct_hash_at(key, k), base, (uint32_t)(index % base));
    index /= base;
  }
  return sum + 0.5 * place < 1 ? sum + 0.5 * place : 1 - 0x1p-53;
}
