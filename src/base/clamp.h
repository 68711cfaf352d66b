/* Least and most of two numbers in one instruction each. The library's fmin and fmax must tell what is not a
 * number from what is, and are calls; here the second one wins whenever the first is not a number. */
#ifndef CT_BASE_CLAMP_H
#define CT_BASE_CLAMP_H

static inline double ct_least(double a, double b) { return a < b ? a : b; }
static inline double ct_most(double a, double b) { return a > b ? a : b; }
static inline double ct_clamp(double x, double low, double high) { return ct_least(ct_most(x, low), high); }

#endif
