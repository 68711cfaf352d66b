/* See fluidity.h. The spectrum is summed directly at the few frequencies that count. */
#include "source/fluidity.h"
#include <contatto/pen.h>

#include <math.h>

/* A speed v (1 + cos(w t)/2) has v'' of mean square v^2 w^4/8 and a peak of 3/2 v, so over T seconds its
 * dimensionless jerk is T^4 w^4/18. */
double ct_fluidity(double log_jerk, double duration_s) {
  double swings_per_s = exp(-0.25 * log_jerk) / duration_s * pow(18, 0.25) / (2 * M_PI);
  return fmin(fmax(1 - log(swings_per_s) / log(7), 0), 1);
}

double ct_log_jerk(double duration_s, double peak_m_s, double squared_m2_s5) {
  if (!(peak_m_s > 0 && squared_m2_s5 > 0))
    return NAN;
  return -log(duration_s * duration_s * duration_s * squared_m2_s5 / (peak_m_s * peak_m_s));
}

/* |sum v exp(-i w n)| by Goertzel's recurrence. */
static double amplitude(const double *v, size_t count, double w) {
  double c = 2 * cos(w), s1 = 0, s2 = 0;
  for (size_t n = 0; n < count; n++) {
    double s = v[n] + c * s1 - s2;
    s2 = s1;
    s1 = s;
  }
  return sqrt(fmax(s1 * s1 + s2 * s2 - c * s1 * s2, 0));
}

double ct_arc_length(const double *v, size_t count, double rate_hz) {
  double whole = amplitude(v, count, 0), step_hz = rate_hz / ((double)count * CT_ARC_STEPS);
  if (!(whole > 0))
    return NAN;
  size_t steps = (size_t)(CT_ARC_HZ / step_hz), cut = 0;
  for (size_t i = 1; i <= steps; i++)
    if (amplitude(v, count, 2 * M_PI * (double)i * step_hz / rate_hz) >= CT_ARC_FLOOR * whole)
      cut = i;
  if (!cut)
    return NAN;
  double length = 0, last = 1;
  for (size_t i = 1; i <= cut; i++) {
    double now = amplitude(v, count, 2 * M_PI * (double)i * step_hz / rate_hz) / whole;
    double along = 1 / (double)cut;
    length += sqrt(along * along + (now - last) * (now - last));
    last = now;
  }
  return -length;
}
