/* Makes sounds of a plan, one after the other. It keeps documents, the shapes they have computed and, where
 * only gestures vary, the scene itself, so that the next sound costs less; what it makes is what `contatto
 * render` would, to the bit. One maker per thread. */
#ifndef CT_SWEEP_MAKER_H
#define CT_SWEEP_MAKER_H

#include "sweep/plan.h"

typedef struct ct_sweep_maker ct_sweep_maker;

/* [setup] */
ct_sweep_maker *ct_sweep_maker_create(const ct_sweep_plan *plan); /* null without memory */
void ct_sweep_maker_destroy(ct_sweep_maker *maker);               /* null is fine */

/* A sound; valid until the next one is made. */
typedef struct ct_sweep_made {
  char failed[CT_TEXT_MAX]; /* why there is none; "": there is */
  const double *samples;    /* frame by frame */
  size_t frames;
  uint32_t channels;
  double rate_hz;
  const double *const *watched; /* a number per frame for each of the plan's watches */
  uint32_t warnings;            /* lines said while the scene was built */
} ct_sweep_made;

/* A scene that cannot be built or stops being finite is a sound that failed, not an error. [setup] */
ct_result ct_sweep_make(ct_sweep_maker *maker, const ct_sweep_point *point, ct_sweep_made *made,
                        ct_error *error);

/* How many scenes were built, and how many sounds came from one that was there already. [any] */
void ct_sweep_maker_counts(const ct_sweep_maker *maker, uint64_t *built, uint64_t *reused);

#endif
