/* What decays and is no mode of the body: a room, most of the time. */
#ifndef CT_MODES_ROOM_H
#define CT_MODES_ROOM_H

#include "modes/fit.h"

/* Time in which the rest, what the modes leave of a segment, falls by 60 dB; 0 when there is not enough of it
 * to tell, or bands do not agree. */
double ct_room_t60_s(const ct_segment *segment, const double *rest);

#endif
