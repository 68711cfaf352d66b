/* In a room: the amplitudes of the direct sound, without what the room adds to them. */
#ifndef CT_MODES_DIRECT_H
#define CT_MODES_DIRECT_H

#include "modes/fit.h"

typedef struct ct_room {
  double t60_s;
  double noise; /* power of a sample of the noise beside it */
} ct_room;

/* Leaves out modes, the last first and none of the first `kept`, that the room's answer to the others
 * explains as well: without which the log likelihood falls by less than `worth`. False without memory. */
bool ct_direct_drop(const ct_segment *segment, const ct_room *room, uint32_t kept, double worth,
                    ct_pole *poles, double complex *amplitudes, uint32_t *modes);

/* amplitudes[modes]: a guess, then those of the direct sound at the segment's start. Returns the energy of
 * the room's answer, of the direct sound's as 1; negative: no memory. */
double ct_direct_amplitudes(const ct_segment *segment, const ct_room *room, const ct_pole *poles,
                            uint32_t modes, double complex *amplitudes);

#endif
