/* A ball's own profile: how far it is from round, over one turn. It joins the profile of the plane (Rath
 * 2003, section 3), and repeats. */
#ifndef CT_DRIVE_ROUND_H
#define CT_DRIVE_ROUND_H

#include "base/arena.h"

#define CT_ROUND_COPIES 8u

/* Copy j has 4096 / 2^j points and no harmonic beyond a fifth of that; a rough one none beyond the 256th. */
typedef struct ct_round {
  float *heights[CT_ROUND_COPIES]; /* rms 1 */
} ct_round;

void ct_round_lay(ct_round *round, ct_arena *arena);
/* Facets: a polygon with so many sides; 0: rough all round, power of harmonic h ~ 1 / h^2. */
void ct_round_fill(ct_round *round, uint64_t seed, uint32_t facets);

/* Adds `depth_m` of it at `count` places, `turns_per_step` apart. [audio] */
void ct_round_add(const ct_round *round, double depth_m, double first_turn, double turns_per_step,
                  double *heights_m, uint32_t count);

#endif
