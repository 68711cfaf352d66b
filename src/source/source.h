/* A source of a scene. */
#ifndef CT_SOURCE_SOURCE_H
#define CT_SOURCE_SOURCE_H

#include "source/action.h"

/* An action that pushes a point. It computes a block at every tick and hands it out sample by sample. */
typedef struct ct_source {
  char name[CT_NAME_MAX];
  uint32_t generation;
  uint16_t body, point;
  ct_direction direction;
  ct_action action;
  double block_n[CT_ACTION_BLOCK];
  double push_n, region;  /* now, to be read */
  double fade, fade_step; /* to 0 when it is removed */
  void *memory;           /* its piece of the pool */
} ct_source;

#endif
