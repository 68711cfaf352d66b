/* Where in a recording the body is struck, and what cannot be analysed at all. */
#ifndef CT_MODES_STRIKE_H
#define CT_MODES_STRIKE_H

#include <contatto/modes.h>

/* Refuses silence, clipping, what is too short. `what` begins the message. */
ct_result ct_recording_check(const ct_recording *recording, uint32_t index, ct_error *error);

/* Power per sample of the noise that any recording has: that of 24 bits, whose steps are 2^-23 of its peak,
 * is a twelfth of their square. What is quieter is silence, and not told from it. */
double ct_recording_least_noise(const ct_recording *recording);

typedef struct ct_strike {
  size_t at;
  double energy; /* by how much its frames rose over the noise */
} ct_strike;

/* By time; returns how many, at most `most`, the strongest. Negative: no memory. */
int ct_strikes_find(const ct_recording *recording, ct_strike *strikes, int most);

#endif
