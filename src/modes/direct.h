/* In a room: the amplitudes of the direct sound, without what the room adds to them. */
#ifndef CT_MODES_DIRECT_H
#define CT_MODES_DIRECT_H

#include "modes/fit.h"

typedef struct ct_room {
  double t60_s; /* about; ct_direct_fit finds it, */
  double level; /* and the energy of the room's answer, of the direct sound's as 1 */
  double noise; /* power of a sample of the noise beside it */
} ct_room;

/* Modes of a strike. The poles of the first `known` of them are, and these modes are there. */
typedef struct ct_direct {
  uint32_t known, modes;
  ct_pole *poles;
  double complex *amplitudes; /* guesses, then those of the direct sound at the segment's start */
  size_t before;              /* samples before the segment that may be looked at */
  /* False: the samples are not those of modes in such a room; nothing was filled, but for the room's t60
   * where that is what was wrong. */
  bool found;
  double *errors; /* [modes] standard errors of their sizes, as shares of them */
  void (*progress)(const void *context, double fraction);
  const void *context;
} ct_direct;

/* Finds amplitudes, poles that are not known and the room. Leaves out modes that are not known and without
 * which the samples are hardly less likely. False without memory. */
bool ct_direct_fit(const ct_segment *segment, ct_room *room, ct_direct *modes);

#endif
