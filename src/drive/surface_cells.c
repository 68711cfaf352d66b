/* Surfaces laid piece by piece: tiles, boards, cobbles, rails. A piece has a height of its own and perhaps a
 * crown; between two pieces there is a joint. Edges are the integral of a cubic B-spline, as wide as the
 * level needs (its spectrum, sinc^4, is 80 dB down at 0.9 cycles per spline step), so that a joint finer than
 * the grid becomes a wider, shallower one of the same area. */
#include "base/hash.h"
#include "drive/surface.h"

#include <math.h>

/* What the kinds are made of. Shares of the depth, of the irregularity, and of the length. */
typedef struct masonry {
  double joint;  /* depth of the joint */
  double crown;  /* height of the middle of a piece over its edge; below 0: hollow */
  double uneven; /* height of a piece over the others, when quite irregular */
  double astray; /* how far a joint strays from its place, when quite irregular */
} masonry;

static masonry masonry_of(ct_surface_kind kind) {
  switch (kind) {
  case CT_SURFACE_BOARDS:
    return (masonry){.joint = 1, .crown = -0.15, .uneven = 0.3, .astray = 0.2};
  case CT_SURFACE_COBBLES:
    return (masonry){.joint = 0.3, .crown = 1, .uneven = 0.5, .astray = 0.3};
  case CT_SURFACE_RAILS:
    return (masonry){.joint = 1, .uneven = 0.2};
  default:
    return (masonry){.joint = 1, .uneven = 0.15, .astray = 0.05};
  }
}

typedef struct wall {
  masonry m;
  uint64_t height_seed, place_seed;
  double length_m, half_gap_m, irregularity, edge_m; /* edge_m: spline step of its edges */
} wall;

/* Integral of the cubic B-spline: from 0 at -2 to 1 at 2. */
static double edge(double x) {
  if (x <= -2)
    return 0;
  if (x >= 2)
    return 1;
  double t = 2 - fabs(x), tail = t * t * t * t; /* 24 times the area beyond |x| */
  if (t > 1)
    tail -= 4 * (t - 1) * (t - 1) * (t - 1) * (t - 1);
  return x < 0 ? tail / 24 : 1 - tail / 24;
}

static double joint_m(const wall *w, int64_t piece) {
  double astray = w->m.astray * w->irregularity * ct_hash_even(ct_hash_at(w->place_seed, (uint64_t)piece));
  return ((double)piece + astray) * w->length_m;
}

static double piece_height(const wall *w, int64_t piece) {
  return w->m.uneven * w->irregularity * ct_hash_even(ct_hash_at(w->height_seed, (uint64_t)piece));
}

/* The piece under a place. */
static int64_t piece_at(const wall *w, double x) {
  int64_t piece = (int64_t)floor(x / w->length_m);
  if (x < joint_m(w, piece))
    return piece - 1;
  return x >= joint_m(w, piece + 1) ? piece + 1 : piece;
}

/* In units of the depth. Neighbours count within reach of an edge; a piece shorter than that is faded out by
 * the caller. */
static double height(const wall *w, double x) {
  int64_t piece = piece_at(w, x);
  double left = joint_m(w, piece), right = joint_m(w, piece + 1), u = (x - left) / (right - left);
  double from_left = edge((x - left) / w->edge_m), to_right = edge((x - right) / w->edge_m);
  double sum = piece_height(w, piece - 1) * (1 - from_left) +
               piece_height(w, piece) * (from_left - to_right) + piece_height(w, piece + 1) * to_right;
  const double joints[] = {left, right};
  for (int j = 0; j < 2; j++)
    sum -= w->m.joint * (edge((x - joints[j] + w->half_gap_m) / w->edge_m) -
                         edge((x - joints[j] - w->half_gap_m) / w->edge_m));
  return sum + w->m.crown * 16 * u * u * (1 - u) * (1 - u);
}

void ct_relief_fill_cells(const ct_relief *r, uint32_t level, int64_t block, double *heights_m) {
  double step = ct_level_step_m(r->grid_m, level), length = r->values.length_m;
  wall w = {.m = masonry_of(r->kind),
            .height_seed = ct_hash(r->seed + 201),
            .place_seed = ct_hash(r->seed + 202),
            .length_m = length,
            .half_gap_m = fmin(r->values.gap_m, length / 2) / 2,
            .irregularity = r->values.irregularity,
            .edge_m = 4 * step};
  double depth = r->values.depth_m * fmin(fmax(length / (16 * step) - 1, 0), 1);
  for (uint32_t i = 0; i < CT_SURFACE_BLOCK; i++)
    heights_m[i] =
        depth == 0 ? 0 : depth * height(&w, (double)(block * (int64_t)CT_SURFACE_BLOCK + i) * step);
}
