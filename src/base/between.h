/* A signal between its samples, by a windowed sinc: what was recorded at one rate, read at another. */
#ifndef CT_BASE_BETWEEN_H
#define CT_BASE_BETWEEN_H

#include <math.h>
#include <stddef.h>

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
