/* Random numbers at an even rate R, blurred by the cubic B-spline. Its power spectrum is sinc(f/R)^8: at
 * R = 1.6 hz less than 0.1 % of it lies above hz. Blurring makes weighted means, so the numbers' own bound is
 * kept, and the pitch cannot run through zero. */
#include "source/action.h"

#include <math.h>

static const double per_hz = 1.6;
/* Mean square of the spline's weights over its phase is 151/315, that of the numbers 1/3. */
static const double scale = 2.501655081; /* sqrt(3 * 315 / 151) */

void ct_wander_init(ct_wander *w, uint64_t seed) {
  w->random.state = seed;
  w->at = ct_random_share(&w->random);
  for (int i = 0; i < 4; i++)
    w->value[i] = ct_random_even(&w->random);
}

double ct_wander_next(ct_wander *w, double hz, double seconds) {
  w->at += fmin(per_hz * hz * seconds, 4); /* after four shifts nothing of the past is left */
  for (; w->at >= 1; w->at -= 1) {
    for (int i = 0; i < 3; i++)
      w->value[i] = w->value[i + 1];
    w->value[3] = ct_random_even(&w->random);
  }
  double t = w->at, u = 1 - t;
  double blurred = u * u * u * w->value[0] + (4 + t * t * (3 * t - 6)) * w->value[1] +
                   (4 + u * u * (3 * u - 6)) * w->value[2] + t * t * t * w->value[3];
  return scale * blurred / 6;
}
