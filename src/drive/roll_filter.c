/* Exact path of a ball over a profile (physics: section 7; Rath 2003, equation 2):
 *
 *   offset(x) = max over |q - x| <= r of s(q) + sqrt(r^2 - (q - x)^2), minus r
 *
 * is the upper envelope of equal circles, one over each grid point. Two of them cross at most once, the one
 * that stands further back leading before the crossing and the other after it. So the circles that will ever
 * carry the ball form a queue, each with the place from which it carries: the newest one throws out, from the
 * back, those it already tops at the place where they would take over, and the oldest leave at the front as
 * the ball moves on. Every circle comes and goes once: the mean cost does not depend on the radius. One high
 * bump can throw out the whole queue, which is why feeding stops when its quota is spent and goes on later.
 *
 * Heights are compared at grid places only, by a table of the circle's sag: no rounding of a crossing can let
 * a wrong circle carry the ball. */
#include "base/clamp.h"
#include "drive/trail.h"

#include <math.h>

/* No ball has room for more than a billion grid steps. */
uint32_t ct_roll_reach(double radius_m, double step_m) {
  return (uint32_t)fmin(radius_m / step_m * (1 + 1e-12), 1e9);
}

void ct_roll_filter_lay(ct_roll_filter *f, ct_arena *arena, uint32_t most) {
  f->most = most < CT_ROLL_MOST ? most : CT_ROLL_MOST;
  most = f->most;
  f->size = 2 * most + 2;
  f->sag_m = ct_arena_take(arena, most + 1u, sizeof *f->sag_m);
  f->heights_m = ct_arena_take(arena, f->size, sizeof *f->heights_m);
  f->arcs = ct_arena_take(arena, f->size, sizeof *f->arcs);
}

void ct_roll_filter_restart(ct_roll_filter *f) {
  f->first = f->count = 0;
  f->fed = 0;
  f->pending = false;
}

void ct_roll_filter_start(ct_roll_filter *f, double radius_m, double step_m) {
  f->radius_m = radius_m;
  f->step_m = step_m;
  f->per_m = 1 / step_m;
  f->reach = ct_roll_reach(radius_m, step_m);
  f->reach = f->reach < f->most ? f->reach : f->most;
  f->sag_count = 0;
  ct_roll_filter_restart(f);
}

/* sqrt(r^2 - d^2) - r without cancellation. */
bool ct_roll_filter_prepare(ct_roll_filter *f, uint32_t entries) {
  double r = f->radius_m;
  for (; entries && f->sag_count <= f->reach; entries--) {
    double d = f->sag_count * f->step_m;
    f->sag_m[f->sag_count++] = d == 0 ? 0 : -d * d / (r + sqrt(fmax(r * r - d * d, 0)));
  }
  return f->sag_count > f->reach;
}

static uint32_t slot_of(const ct_roll_filter *f, uint32_t index) {
  uint32_t at = f->first + index;
  return at < f->size ? at : at - f->size;
}

/* The place whose low digits these are. */
static int64_t place_of(const ct_roll_filter *f, uint16_t digits) {
  return f->fed + (int16_t)(uint16_t)(digits - (uint16_t)f->fed);
}

/* An arc with whole places. */
typedef struct circle {
  int64_t at, from;
  double height_m;
} circle;

static circle circle_of(const ct_roll_filter *f, uint32_t slot) {
  const ct_arc *arc = &f->arcs[slot];
  return (circle){place_of(f, arc->at), place_of(f, arc->from), f->heights_m[slot]};
}

/* Does the newer arc carry at x? Where the older one has ended, or is not higher, it does. */
static bool tops(ct_roll_filter *f, const circle *newer, const circle *older, int64_t x) {
  int64_t behind = x - older->at, ahead = newer->at - x;
  f->comparisons++;
  if (behind > (int64_t)f->reach)
    return true;
  behind = behind < 0 ? -behind : behind;
  ahead = ahead < 0 ? -ahead : ahead;
  return newer->height_m + f->sag_m[ahead] >= older->height_m + f->sag_m[behind];
}

/* Circles of centres a distance D apart cross on their bisector, at
 *   x = middle - (rise / D) sqrt(r^2 - D^2 / 4),  y = middle + (run / D) sqrt(r^2 - D^2 / 4),
 * counted from the older one. Not at all, or below the higher centre: then the older one carries to its very
 * end, for where the newer one is the higher it has thrown the older one out. */
static double crossing(const ct_roll_filter *f, const circle *newer, const circle *older) {
  double apart = (double)(newer->at - older->at), run = apart * f->step_m,
         rise = newer->height_m - older->height_m, squared = run * run + rise * rise;
  double root = f->radius_m * f->radius_m / squared - 0.25;
  if (run * run * root < rise * rise / 4)
    return INFINITY;
  return apart / 2 - rise * f->per_m * sqrt(root);
}

/* First grid place at which the newer arc carries: the one after the crossing. Where that is a grid place
 * but for rounding, its height decides. */
static int64_t takes_over(ct_roll_filter *f, const circle *newer, const circle *older, int64_t earliest) {
  int64_t end = older->at + f->reach + 1;
  double at = crossing(f, newer, older);
  f->comparisons++;
  if (!(at <= (double)f->reach)) /* or not a number */
    return end;
  at = ct_most(at, -(double)f->reach - 1); /* earlier than it can carry: the earliest will do */
  int64_t next = (int64_t)at;
  next += (double)next < at;
  int64_t x = older->at + next;
  double beyond = (double)next - at;
  if (beyond > 1 - 1e-6 && x > earliest && tops(f, newer, older, x - 1))
    x--;
  else if (beyond < 1e-6 && x < end && !tops(f, newer, older, x))
    x++;
  return x < earliest ? earliest : x;
}

/* Those that have carried for the last time leave at the front. */
static inline void drop_first(ct_roll_filter *f, int64_t now) {
  while (f->count > 1 && place_of(f, f->arcs[slot_of(f, 1)].from) <= now) {
    f->first = f->first + 1 < f->size ? f->first + 1 : 0;
    f->count--;
  }
}

bool ct_roll_filter_feed(ct_roll_filter *f, double height_m, uint32_t *quota) {
  int64_t now = f->fed - f->reach; /* nobody will ask for the path before this place */
  circle arc = {.at = f->fed, .from = now, .height_m = height_m};
  for (; f->count; f->count--) {
    const circle last = circle_of(f, slot_of(f, f->count - 1));
    int64_t carries = last.from > now ? last.from : now;
    f->pending = *quota < 3; /* this comparison, and up to two to fit the arc in */
    if (f->pending)
      return false;
    (*quota)--;
    if (tops(f, &arc, &last, carries))
      continue;
    uint64_t before = f->comparisons;
    arc.from = takes_over(f, &arc, &last, carries + 1);
    uint32_t spent = (uint32_t)(f->comparisons - before);
    *quota -= spent < *quota ? spent : *quota;
    break;
  }
  uint32_t slot = slot_of(f, f->count++);
  f->arcs[slot] = (ct_arc){(uint16_t)arc.at, (uint16_t)arc.from};
  f->heights_m[slot] = arc.height_m;
  f->fed++;
  drop_first(f, now);
  return true;
}

double ct_roll_filter_offset_m(ct_roll_filter *f) {
  uint32_t slot = slot_of(f, 0);
  int64_t x = f->fed - 1 - f->reach, apart = x - place_of(f, f->arcs[slot].at);
  return f->heights_m[slot] + f->sag_m[apart < 0 ? -apart : apart];
}
