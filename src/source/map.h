/* A plane of two signals cut into regions. In the plane's own coordinates it is the unit square. */
#ifndef CT_SOURCE_MAP_H
#define CT_SOURCE_MAP_H

#include <contatto/source.h>

typedef struct ct_outline {
  uint32_t count;
  double corner[CT_CORNERS_MOST][2]; /* in the unit square */
} ct_outline;

typedef struct ct_map {
  ct_axis_def axis[2];
  double middle[2]; /* of the axes */
  ct_boundary boundary;
  double width;
  uint32_t region_count;
  ct_outline *outlines;
  uint32_t now; /* the region we are in; region_count: none yet */
} ct_map;

/* [any] A signal's place on its axis, 0 .. 1; what lies beyond an end counts as the end. */
double ct_axis_place(const ct_axis_def *axis, double value);
double ct_axis_value(const ct_axis_def *axis, double place);

/* [setup] Draws the outlines, once axes, region_count and room for outlines are there. Refused when an axis
 * has no length or the regions, before they are moved and grown, do not cut the plane: one line says which
 * region leaves a hole or overlaps, and where. */
ct_result ct_map_fill(ct_map *map, const ct_region_def *regions, const char *source, ct_error *error);

/* [any] A region's corners in the unit square: all of it without any, a rectangle from two. */
void ct_outline_fill(ct_outline *outline, const ct_axis_def axis[2], const double *x, const double *y,
                     uint32_t corner_count);
/* [any] Grown about its middle, then moved; it may reach beyond the square. */
void ct_outline_move(ct_outline *outline, double size, double shift_x, double shift_y);

/* [any] Distance to the outline, positive inside. */
double ct_outline_depth(const ct_outline *outline, const double place[2]);

/* [audio] How much of each region there is at a place; weights sum to 1. True when a boundary that is not
 * blended was crossed. */
bool ct_map_weigh(ct_map *map, const double place[2], double *weights);

#endif
