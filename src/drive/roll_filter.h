/* The rolling filter: heights of a profile go in, one per grid step, and out comes the path of a ball that
 * rolls over them, `reach` steps later. It knows no direction: feed it the profile backwards and it gives the
 * way back. */
#ifndef CT_DRIVE_ROLL_FILTER_H
#define CT_DRIVE_ROLL_FILTER_H

#include "base/arena.h"

/* A circle over one grid point: it carries the ball from place `from` on. Of both places the low digits are
 * kept: the filter knows how much it was fed, and no place at hand is further from that than
 * three times its reach: an arc carries from `reach` before its place at the earliest until the ball, which
 * is `reach` behind what is fed, is `reach` beyond it. */
typedef struct ct_arc {
  uint16_t at, from;
} ct_arc;

#define CT_ROLL_MOST 10000u /* reach: three times as much is told apart by 16 bits */

typedef struct ct_roll_filter {
  double radius_m, step_m, per_m; /* per_m: 1 / step_m */
  uint32_t reach;                 /* grid steps the ball covers to either side */
  uint32_t most;                  /* reach it has room for */
  double *sag_m;                  /* sqrt(r^2 - (k step)^2) - r for k = 0 .. reach */
  uint32_t sag_count;             /* how many of them are known */
  ct_arc *arcs;                   /* upper envelope, a ring, */
  double *heights_m;              /* and how high each of them stands */
  uint32_t size, first, count;
  int64_t fed;          /* heights taken in so far */
  bool pending;         /* the last height is not yet fitted in */
  uint64_t comparisons; /* of arcs, since the start */
} ct_roll_filter;

/* Grid steps a ball of this radius covers to either side. */
uint32_t ct_roll_reach(double radius_m, double step_m);

/* Room for balls of up to `most` grid steps. With a null arena base it only counts. */
void ct_roll_filter_lay(ct_roll_filter *filter, ct_arena *arena, uint32_t most);

/* A ball, and nothing fed yet. Its radius covers at most what there is room for. The table of its sag is
 * still empty: */
void ct_roll_filter_start(ct_roll_filter *filter, double radius_m, double step_m);
/* a share of it, until it returns true. */
bool ct_roll_filter_prepare(ct_roll_filter *filter, uint32_t entries);
/* Forgets what was fed, keeps the ball. */
void ct_roll_filter_restart(ct_roll_filter *filter);

/* Takes the next height, with at most `*quota` comparisons, which it counts down. False when they did not
 * suffice: call again with the same height. */
bool ct_roll_filter_feed(ct_roll_filter *filter, double height_m, uint32_t *quota);

/* The path is known once 2 reach + 1 heights are in; it belongs to the height fed `reach` steps before the
 * last one. */
static inline bool ct_roll_filter_ready(const ct_roll_filter *f) {
  return f->fed > 2 * (int64_t)f->reach && !f->pending;
}
double ct_roll_filter_offset_m(ct_roll_filter *filter);

#endif
