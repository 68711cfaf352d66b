/* Noise impacts: small blows at random times, from a few that can be told apart (scratching) to so many that
 * they make a hiss (rubbing). */
#ifndef CT_SOURCE_IMPACTS_H
#define CT_SOURCE_IMPACTS_H

#include "base/random.h"

#define CT_IMPACTS_PER_SAMPLE 8u /* at most */

typedef struct ct_impacts {
  ct_random random;
  double step_s, length_s; /* of a sample, of a blow */
  double left;             /* until the next blow, in mean distances */
  double decay;            /* of a blow, per sample */
  double now, swelling;    /* exp(-t/length) and t exp(-t/length), summed over the blows */
} ct_impacts;

void ct_impacts_init(ct_impacts *m, double rate_hz, double length_s, uint64_t seed);
void ct_impacts_set_length(ct_impacts *m, double length_s);

/* [audio] The next sample, at so many blows a second. Mean square per_s / 4 length_s. */
double ct_impacts_next(ct_impacts *m, double per_s);

#endif
