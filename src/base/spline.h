/* The quintic B-spline: a bump over six lattice steps whose spectrum, sinc^6, falls fast enough that what a
 * lattice cannot hold is not heard. */
#ifndef CT_BASE_SPLINE_H
#define CT_BASE_SPLINE_H

#include <math.h>
#include <stddef.h>

#define CT_SPLINE_TAPS 6
#define CT_SPLINE_SUM 120.0 /* of the six weights */

/* 120 times the spline one and two lattice steps from its end. */
static inline double ct_spline_shoulder(double t) {
  return 1 + t * (5 + t * (10 + t * (10 + t * (5 - 5 * t))));
}
static inline double ct_spline_flank(double t) {
  return 26 + t * (50 + t * (20 + t * (-20 + t * (-20 + 10 * t))));
}

/* 120 times the weights of lattice points -2 .. 3 at a place t = 0 .. 1 between points 0 and 1. */
static inline void ct_spline_weights(double t, double weights[CT_SPLINE_TAPS]) {
  double u = 1 - t;
  weights[0] = u * u * u * u * u;
  weights[1] = ct_spline_shoulder(u);
  weights[2] = ct_spline_flank(u);
  weights[3] = ct_spline_flank(t);
  weights[4] = ct_spline_shoulder(t);
  weights[5] = t * t * t * t * t;
}

/* A signal between its samples, by a windowed sinc: what was recorded at one rate, read at another. */

#define CT_BETWEEN_CROSSINGS 32 /* of the sinc's zeros, to either side */

/* Blackman's, from -1 to 1. */
static inline double ct_between_window(double x) {
  return fabs(x) >= 1 ? 0 : 0.42 + 0.5 * cos(M_PI * x) + 0.08 * cos(2 * M_PI * x);
}

/* At sample `at`, which need not be a whole number, of what lies below `band` times half the signal's rate.
 * Outside of it there is silence. */
static inline double ct_read_between(const double *samples, size_t count, double at, double band) {
  double sum = 0, reach = CT_BETWEEN_CROSSINGS / band;
  for (size_t n = at > reach ? (size_t)(at - reach) : 0; n < count && (double)n <= at + reach; n++) {
    double x = at - (double)n, phase = M_PI * band * x;
    sum += samples[n] * band * (phase == 0 ? 1 : sin(phase) / phase) * ct_between_window(x / reach);
  }
  return sum;
}

#endif
