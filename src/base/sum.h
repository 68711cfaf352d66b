/* Neumaier's compensated sum: the ledger adds millions of small numbers to large ones. */
#ifndef CT_BASE_SUM_H
#define CT_BASE_SUM_H

#include <math.h>

typedef struct ct_sum {
  double sum, rest;
} ct_sum;

static inline void ct_sum_add(ct_sum *s, double term) {
  double total = s->sum + term;
  s->rest += fabs(s->sum) >= fabs(term) ? (s->sum - total) + term : (term - total) + s->sum;
  s->sum = total;
}

static inline double ct_sum_value(const ct_sum *s) { return s->sum + s->rest; }

#endif
