/* A trail: the offsets a ball will meet, known for a stretch around it. It grows ahead of the ball, a bounded
 * share per sample, and keeps what lies behind, so that turning back reads what is stored while the filter
 * starts anew towards the other side. */
#ifndef CT_DRIVE_TRAIL_H
#define CT_DRIVE_TRAIL_H

#include "drive/roll_filter.h"
#include "drive/round.h"
#include "drive/surface.h"

/* What rolls over what. Frozen while a trail lives: another radius or roughness is another trail. */
typedef struct ct_trail_def {
  ct_relief relief;
  uint32_t level;
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
  double *offsets_m; /* a ring over grid places low .. high - 1 */
  uint32_t mask;
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

/* A sample's share of work for a ball at x that moves towards a side (1, -1, or 0: rests). Bounded: one block
 * of heights, CT_TRAIL_POINTS points, CT_TRAIL_COMPARISONS comparisons. It keeps ahead of the ball, whatever
 * the profile, up to CT_SURFACE_PACE grid steps per sample. [audio] */
#define CT_TRAIL_POINTS 8u
#define CT_TRAIL_COMPARISONS 40u
void ct_trail_work(ct_trail *trail, double x_m, int towards);

/* Both: work for a ball at x, and the path there, m. [audio] */
double ct_trail_ride(ct_trail *trail, double x_m, int towards);

/* Is the path known around x, with a margin? [audio] */
bool ct_trail_knows(const ct_trail *trail, double x_m);
/* The path at x, m, smooth between grid places; beyond what is known, its end. [audio] */
double ct_trail_read(ct_trail *trail, double x_m);
/* And how it rises there. [audio] */
double ct_trail_slope(ct_trail *trail, double x_m);

#endif
