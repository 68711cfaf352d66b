/* See big.h. */
#include "base/big.h"

#include <string.h>

static void trim(ct_big *big) {
  while (big->count && big->words[big->count - 1] == 0)
    big->count--;
}

void ct_big_set(ct_big *big, uint64_t value) {
  big->words[0] = (uint32_t)value;
  big->words[1] = (uint32_t)(value >> 32);
  big->count = 2;
  trim(big);
}

void ct_big_scale(ct_big *big, uint32_t factor, uint32_t plus) {
  uint64_t carry = plus;
  for (uint32_t i = 0; i < big->count; i++) {
    carry += (uint64_t)big->words[i] * factor;
    big->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry && big->count < CT_BIG_WORDS)
    big->words[big->count++] = (uint32_t)carry;
}

void ct_big_scale_5(ct_big *big, uint32_t power) {
  enum { STEP = 13, FIVE_TO_STEP = 1220703125 }; /* the largest power of five in a word */
  for (; power >= STEP; power -= STEP)
    ct_big_scale(big, FIVE_TO_STEP, 0);
  uint32_t rest = 1;
  while (power--)
    rest *= 5;
  ct_big_scale(big, rest, 0);
}

void ct_big_shift(ct_big *big, uint32_t bits) {
  uint32_t words = bits / 32;
  if (big->count == 0 || words + big->count > CT_BIG_WORDS)
    return;
  if (words) {
    memmove(big->words + words, big->words, big->count * sizeof big->words[0]);
    memset(big->words, 0, words * sizeof big->words[0]);
    big->count += words;
  }
  ct_big_scale(big, (uint32_t)1 << bits % 32, 0);
}

uint32_t ct_big_bits(const ct_big *big) {
  uint32_t bits = 32 * big->count;
  for (uint32_t top = big->count ? big->words[big->count - 1] : UINT32_MAX; !(top >> 31); top <<= 1)
    bits--;
  return bits;
}

int ct_big_compare(const ct_big *a, const ct_big *b) {
  if (a->count != b->count)
    return a->count < b->count ? -1 : 1;
  for (uint32_t i = a->count; i--;)
    if (a->words[i] != b->words[i])
      return a->words[i] < b->words[i] ? -1 : 1;
  return 0;
}

uint32_t ct_big_cut(ct_big *big, uint32_t word) {
  if (big->count <= word)
    return 0;
  uint32_t top = big->words[word];
  big->count = word;
  trim(big);
  return top;
}

void ct_big_take(ct_big *a, const ct_big *b) {
  uint64_t borrow = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    uint64_t less = (i < b->count ? b->words[i] : 0) + borrow;
    borrow = a->words[i] < less;
    a->words[i] = (uint32_t)(a->words[i] - less);
  }
  trim(a);
}
