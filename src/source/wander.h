/* eps of the action's pitch: slow noise that cannot be predicted, of rms 1 and never beyond CT_WANDER_MOST.
 */
#ifndef CT_SOURCE_WANDER_H
#define CT_SOURCE_WANDER_H

#include "base/random.h"

#define CT_WANDER_MOST 2.5017 /* sqrt(3 * 315 / 151) */

typedef struct ct_wander {
  ct_random random;
  double at;       /* 0 .. 1 between the middle two of the numbers */
  double value[4]; /* random numbers, evenly spaced */
} ct_wander;

void ct_wander_init(ct_wander *w, uint64_t seed);

/* [audio] Walks on by `seconds` and reads; less than 0.1 % of its power lies above `hz`. */
double ct_wander_next(ct_wander *w, double hz, double seconds);

#endif
