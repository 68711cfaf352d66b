/* Draws what is done to a scene while it sounds: live parameters, picked at random, jumped at 1 to 500 Hz
 * over their whole range by messages, ramps, audio-rate inputs and controls, or swept at audio rate. */
#ifndef CT_TEST_STORM_H
#define CT_TEST_STORM_H

#include "support/generate.h"

/* Adds events. In an undriven scene only parameters that must do no work move; before its first sample it is
 * struck, plucked and thrown. `counts` may be null. */
void storm_draw(trial *t, uint64_t seed, bool undriven, bool storm, generate_counts *counts);

/* Whether a seed's scene gets a storm: half of them do. */
bool storm_comes(uint64_t seed);

#endif
