/* An action source by itself: its force, sample by sample, without a scene. */
#ifndef CT_TEST_ACTION_LAB_H
#define CT_TEST_ACTION_LAB_H

#include "source/action.h"

typedef struct action_lab {
  ct_action action;
  ct_source_def def;
  ct_region_def regions[CT_REGIONS_MOST];
  void *memory;
} action_lab;

/* A source with one region of that behaviour, in motion at 0.1 m/s and half pressure; change what you like...
 */
void action_lab_prepare(action_lab *lab, ct_behaviour behaviour);
/* ...then have it made; fails the running test when it is refused. */
void action_lab_make(action_lab *lab, double rate_hz);
/* What is said when it is refused, "" when not. */
const char *action_lab_refusal(action_lab *lab, ct_error *error);
void action_lab_play(action_lab *lab, double *force_n, size_t count); /* count: a multiple of the block */
void action_lab_free(action_lab *lab);

#endif
