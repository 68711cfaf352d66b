/* A trail: the offsets a ball will meet, known for a stretch around it. It grows ahead of the ball, a bounded
 * share per sample, and keeps what lies behind, so that turning back reads what is stored while the filter
 * starts anew towards the other side. */
#ifndef CT_DRIVE_TRAIL_H
#define CT_DRIVE_TRAIL_H

#include "base/arena.h"
#include "drive/surface.h"

/* The rolling filter: heights of a profile go in, one per grid step, and out comes the path of a ball that
 * rolls over them, `reach` steps later. It knows no direction: feed it the profile backwards and it gives the
 * way back. */

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

/* What rolls over what. Frozen while a trail lives: another radius or roughness is another trail. */
typedef struct ct_trail_def {
  ct_relief relief;
  uint32_t level, unused; /* no holes: see scene/plan.c */
  double radius_m;
  const ct_round *round; /* null, or the ball's own profile */
  double round_depth_m;
  double turn, turn_at_m; /* how far it has turned, and where */
} ct_trail_def;

typedef struct ct_trail {
  ct_trail_def def;
  double step_m, per_m; /* grid step of the level, and its reciprocal */
  double turns_per_m;   /* of the ball */
  ct_roll_filter filter;
  double *offsets_m;     /* a ring over grid places low .. high - 1, */
  uint32_t size, lowest; /* that so many fit in; where the lowest of them is */
  int64_t low, high;
  int direction; /* of the filter: 1 or -1 */
  int64_t next;  /* grid place of the height it wants next */
  uint32_t lead; /* grid steps known ahead of the ball */
  int64_t block; /* of the heights at hand */
  bool begun, has_block, growing;
  double heights_m[CT_SURFACE_BLOCK];
  bool has_cell;
  int64_t cell;    /* grid place the ball was last seen after, */
  double power[6]; /* and the path from there to the next one */
  uint32_t late;   /* how often it was asked for what is not known */
} ct_trail;

/* Room for balls that cover up to `most` grid steps to either side. */
void ct_trail_lay(ct_trail *trail, ct_arena *arena, uint32_t most);
/* Nothing is known yet. */
void ct_trail_begin(ct_trail *trail, const ct_trail_def *def, double x_m);

/* Some samples' share of work for a ball at x that moves towards a side (1, -1, or 0: rests). Bounded: per
 * sample one block of heights, CT_TRAIL_POINTS points, CT_TRAIL_COMPARISONS comparisons. It keeps ahead of
 * the ball, whatever the profile, up to CT_SURFACE_PACE grid steps per sample, if it is done for no more than
 * CT_TRAIL_SAMPLES at a time. [audio] */
#define CT_TRAIL_POINTS 8u
#define CT_TRAIL_COMPARISONS 40u
#define CT_TRAIL_SAMPLES 8u
void ct_trail_work(ct_trail *trail, double x_m, int towards, uint32_t samples);

/* Is the path known around x, with a margin? [audio] */
bool ct_trail_knows(const ct_trail *trail, double x_m);
/* Spells out the path after a grid place; false: it is not known. [audio] */
bool ct_trail_enter(ct_trail *trail, int64_t place);
/* The end of what is known, on the side of a place beyond it. [audio] */
double ct_trail_end(ct_trail *trail, int64_t place);

/* Grid places that count: a surface ends 2^40 of them (22 000 km of the usual grid) from 0, where its
 * lattices can still be told apart; beyond, or at a place that is not a number, it is as it is there. */
#define CT_PLACE_MOST 0x1p40
static inline double ct_place_within(double at) {
  at = at < CT_PLACE_MOST ? at : CT_PLACE_MOST;
  return at > -CT_PLACE_MOST ? at : -CT_PLACE_MOST;
}
/* floor of a place within, which is a call on machines without an instruction for it. */
static inline int64_t ct_place_below(double at) {
  int64_t place = (int64_t)at;
  return place - ((double)place > at);
}

/* The path at x, m, smooth between grid places; beyond what is known, its end. [audio] */
static inline double ct_trail_read(ct_trail *t, double x_m) {
  double at = ct_place_within(x_m * t->per_m);
  int64_t place = ct_place_below(at);
  if ((place != t->cell || !t->has_cell) && !ct_trail_enter(t, place))
    return ct_trail_end(t, place);
  double u = at - (double)place, u2 = u * u; /* by pairs: the sums do not wait for each other */
  const double *p = t->power;
  return p[0] + u * p[1] + u2 * (p[2] + u * p[3] + u2 * (p[4] + u * p[5]));
}
/* And how it rises there. [audio] */
double ct_trail_slope(ct_trail *trail, double x_m);

#endif
