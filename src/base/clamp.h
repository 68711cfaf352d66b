/* Least and most of two numbers in one instruction each. The library's fmin and fmax must tell what is not a
 * number from what is, and are calls; here the second one wins whenever the first is not a number. */
#ifndef CT_BASE_CLAMP_H
#define CT_BASE_CLAMP_H

#include <float.h>
#include <math.h>

static inline double ct_least(double a, double b) { return a < b ? a : b; }
static inline double ct_most(double a, double b) { return a > b ? a : b; }
static inline double ct_clamp(double x, double low, double high) { return ct_least(ct_most(x, low), high); }

/* Between two numbers, evenly on a straight or a logarithmic scale. */

/* ln(to / from) of positive numbers. From 5e-324 to 1000 the quotient itself is too large for a double, the
 * other way round it is 0; the difference of the logarithms always is a number. */
static inline double ct_log_ratio(double to, double from) {
  double ratio = to / from;
  return ratio >= DBL_MIN && ratio <= DBL_MAX ? log(ratio) : log(to) - log(from);
}

/* Both ends positive; t from 0 to 1. */
static inline double ct_walk_log(double from, double to, double t) {
  double way = t * ct_log_ratio(to, from);
  return way <= 700 ? from * exp(way) : exp(log(from) + way);
}

/* Never beyond its ends: from 1e12 to 1e-12 the sum alone would arrive at 0. */
static inline double ct_walk_line(double from, double to, double t) {
  return ct_clamp(from + t * (to - from), ct_least(from, to), ct_most(from, to));
}

/* From 0 to 1 as t does, without a jump of speed or acceleration at either end: what is led by it makes no
 * click. */
static inline double ct_walk_gently(double t) { return t * (t * t * (10 + t * (6 * t - 15))); }

#endif
