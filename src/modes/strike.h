/* Where in a recording the body is struck, and what cannot be analysed at all. */
#ifndef CT_MODES_STRIKE_H
#define CT_MODES_STRIKE_H

#include <contatto/modes.h>

/* Refuses silence, clipping, what is too short. `what` begins the message. */
ct_result ct_recording_check(const ct_recording *recording, uint32_t index, ct_error *error);

typedef struct ct_strike {
  size_t at;
  double energy; /* by how much its frames rose over the noise */
} ct_strike;

/* By time; returns how many, at most `most`, the strongest. Negative: no memory. */
int ct_strikes_find(const ct_recording *recording, ct_strike *strikes, int most);

#endif
