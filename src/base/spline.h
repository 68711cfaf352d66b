/* The quintic B-spline: a bump over six lattice steps whose spectrum, sinc^6, falls fast enough that what a
 * lattice cannot hold is not heard. */
#ifndef CT_BASE_SPLINE_H
#define CT_BASE_SPLINE_H

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

#endif
