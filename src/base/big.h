/* Whole numbers of up to 2688 bits, for number.c: as many as the exact value of a decimal number of 768
 * digits can take (derived there). What would not fit is a mistake of the caller's and is cut off. */
#ifndef CT_BASE_BIG_H
#define CT_BASE_BIG_H

#include <stdbool.h>
#include <stdint.h>

enum { CT_BIG_WORDS = 84 };

typedef struct ct_big {
  uint32_t words[CT_BIG_WORDS]; /* the lowest first */
  uint32_t count;               /* the highest of them is not 0 */
} ct_big;

void ct_big_set(ct_big *big, uint64_t value);
void ct_big_scale(ct_big *big, uint32_t factor, uint32_t plus); /* big = big * factor + plus */
void ct_big_scale_5(ct_big *big, uint32_t power);               /* big = big * 5^power */
void ct_big_shift(ct_big *big, uint32_t bits);                  /* big = big * 2^bits */
uint32_t ct_big_bits(const ct_big *big);                        /* 0 for 0 */
int ct_big_compare(const ct_big *a, const ct_big *b);           /* below, at or above 0 as a is to b */
uint32_t ct_big_cut(ct_big *big, uint32_t word); /* takes off the word at that place, if it has one so high */
void ct_big_take(ct_big *a, const ct_big *b);    /* a = a - b, b not above a */

#endif
