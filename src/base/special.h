/* Special functions and one-dimensional numerics for set-up: Bessel functions, roots, integrals. Pure. */
#ifndef CT_BASE_SPECIAL_H
#define CT_BASE_SPECIAL_H

#include <stdint.h>

#define CT_PI 3.14159265358979323846

/* J_order(x), order >= 0, x >= 0. Absolute error about 1e-15. */
double ct_bessel_j(int order, double x);

/* exp(-x) I_order(x): the growing Bessel function without its overflow. Relative error about 1e-15. */
double ct_bessel_i_scaled(int order, double x);

typedef double ct_function(double x, const void *context);

/* The root of f between a and b, where its sign changes, to the last bit or two. */
double ct_root_between(ct_function *f, const void *context, double a, double b);

/* The first sign change of f above `from`, looked for in equal steps, then refined; HUGE_VAL if none up to
 * `limit`. */
double ct_root_above(ct_function *f, const void *context, double from, double step, double limit);

/* Legendre's polynomials P_0 .. P_(count-1) at x, and their first and second derivatives; count >= 2. */
void ct_legendre(double x, uint32_t count, double *value, double *slope, double *bend);

/* Integral of f from a to b by 16-point Gauss-Legendre on equal panels: exact to rounding when each panel
 * holds no more than a period or two. */
double ct_integrate(ct_function *f, const void *context, double a, double b, uint32_t panels);

#endif
