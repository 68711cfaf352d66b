/* Phi as a table: the fundamental at places along one axis of the map or both, and a curve between them. */
#ifndef CT_SOURCE_PITCH_TABLE_H
#define CT_SOURCE_PITCH_TABLE_H

#include "base/arena.h"
#include <contatto/source.h>

typedef struct ct_pitch_table {
  uint32_t count[2]; /* places along each axis; 0: the pitch does not depend on it */
  ct_table_curve curve;
  double *place[2];  /* 0 .. 1 along the axes, rising */
  double *hz;        /* a row along the first axis for every place on the second; may move */
  uint32_t hz_count; /* 0: there is no table */
} ct_pitch_table;

/* [setup] Refused, with source and region: places that do not rise or are not on the plane, a single one, a
 * number of values that is not one for each. */
ct_result ct_pitch_table_check(const ct_source_def *source, const ct_region_def *region, ct_error *error);

/* [setup] Room for it; with an arena that only counts, how much. Then its numbers. */
void ct_pitch_table_lay(ct_pitch_table *table, ct_arena *arena, const ct_region_def *region);
void ct_pitch_table_fill(ct_pitch_table *table, const ct_axis_def axis[2], const ct_region_def *region);

/* [audio] log2 of the fundamental at a place of the map; beyond the first and last places those count. */
double ct_pitch_table_read(const ct_pitch_table *table, const double place[2]);

#endif
