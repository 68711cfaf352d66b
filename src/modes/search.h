/* The search for modes: rounds of looking at the residual, guessing poles, fitting all, and testing each. */
#ifndef CT_MODES_SEARCH_H
#define CT_MODES_SEARCH_H

#include "modes/scan.h"
#include <contatto/modes.h>

typedef struct ct_search {
  const ct_recording *recordings;
  const ct_modes_def *def;
  uint32_t strike_count;
  ct_found_strike strikes[CT_STRIKES_MOST];
  ct_segment segments[CT_STRIKES_MOST];
  struct ct_moments *moments[CT_STRIKES_MOST]; /* [recording] */
  ct_noise noise[CT_STRIKES_MOST];
  double threshold;
  ct_fit fit;
  double explained, noise_db, room_t60_s; /* as ct_found_modes tells them */
  double from, to;                        /* the share of all work that is being done, for progress */
} ct_search;

/* Energy of a mode over the noise, in the segment where that is most; after ct_fit_judge. */
double ct_search_over(const ct_search *search, uint32_t mode);

/* What share of the energy modes must explain. Syllables are strikes, too, but not on one body: several
 * strikes must have the same modes, though each has amplitudes of its own, with which modes explain more of
 * anything.
 */
static inline double ct_search_least_explained(const ct_search *s) {
  double least = s->def->least_explained;
  return s->strike_count > 1 && least > 0 ? 1 - (1 - least) / 3 : least;
}

/* Tells that so much of this share is done. */
void ct_search_tell(const ct_search *search, double fraction);

/* From strikes to modes that all pass the test; `instants`: also when strikes start. False without memory. */
bool ct_search_find(ct_search *search, bool instants);

/* The same, then told from a room, and not more of them than wanted. False without memory. */
bool ct_search_run(ct_search *search);

#endif
