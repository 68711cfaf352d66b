/* How far ahead is enough. At CT_SURFACE_PACE p grid steps per sample and a quota of CT_TRAIL_POINTS points a
 * sample, warming up for a turn takes (2 R + 1) / points samples (R: reach), in which the ball runs through
 * less than 0.63 R + 8 p of what is stored. While rolling on, n points cost at most 3 n comparisons and one
 * emptying of a queue of 2 R arcs: the lead shrinks by at most 2 R p / (comparisons - 3 p) < 0.16 R. A lead
 * of R + a block covers both. */
#include "drive/trail.h"
#include "base/spline.h"

#include <math.h>

/* Known around the ball: what the spline reads, and what a ball may run through before the next share of
 * work. */
enum { MARGIN = 24 };

void ct_trail_lay(ct_trail *t, ct_arena *arena, uint32_t most) {
  ct_roll_filter_lay(&t->filter, arena, most);
  t->size = 2 * (most + 2 * CT_SURFACE_BLOCK);
  t->offsets_m = ct_arena_take(arena, t->size, sizeof *t->offsets_m);
}

static int64_t place_of(const ct_trail *t, double x_m) {
  return ct_place_below(ct_place_within(x_m * t->per_m));
}

void ct_trail_begin(ct_trail *t, const ct_trail_def *def, double x_m) {
  t->def = *def;
  t->step_m = ct_level_step_m(def->relief.grid_m, def->level);
  t->per_m = 1 / t->step_m;
  t->turns_per_m = 1 / (2 * M_PI * fmax(def->radius_m, 1e-9)); /* a stylus of no radius does not turn */
  ct_roll_filter_start(&t->filter, def->radius_m, t->step_m);
  t->lead = t->filter.reach + CT_SURFACE_BLOCK;
  t->direction = 1;
  t->low = t->high = place_of(t, x_m) - t->lead;
  t->lowest = 0;
  t->next = t->low - t->filter.reach;
  t->begun = true;
  t->has_block = t->has_cell = t->growing = false;
  t->late = 0;
}

/* ---- the ring ---- */

static uint32_t next_in_ring(const ct_trail *t, uint32_t slot, uint32_t steps) {
  return slot + steps < t->size ? slot + steps : slot + steps - t->size;
}

/* Of a place that is known, or the next one that will be. */
static uint32_t slot_of(const ct_trail *t, int64_t place) {
  return next_in_ring(t, t->lowest, (uint32_t)(place - t->low));
}

static double *offset_at(const ct_trail *t, int64_t place) { return &t->offsets_m[slot_of(t, place)]; }

/* ---- growing ---- */

/* Heights of the plane, and of the ball as it will have turned there. */
static void fill_block(ct_trail *t, int64_t block) {
  const ct_trail_def *d = &t->def;
  ct_relief_fill(&d->relief, d->level, block, t->heights_m);
  if (d->round && d->round_depth_m > 0) {
    double first = (double)(block * (int64_t)CT_SURFACE_BLOCK) * t->step_m;
    ct_round_add(d->round, d->round_depth_m, d->turn + (first - d->turn_at_m) * t->turns_per_m,
                 t->step_m * t->turns_per_m, t->heights_m, CT_SURFACE_BLOCK);
  }
  t->block = block;
  t->has_block = true;
}

/* Which way to grow, if any: to the ball, then first where it is going. */
static int wanted(const ct_trail *t, int64_t at, int towards, int64_t lead) {
  if (t->high < at + MARGIN)
    return 1;
  if (t->low > at - MARGIN)
    return -1;
  bool ahead = t->high<at + lead, behind = t->low> at - lead;
  if (towards < 0)
    return behind ? -1 : ahead ? 1 : 0;
  return ahead ? 1 : behind ? -1 : 0;
}

/* One more at the upper or at the lower end of what is known; where the ring is full the other end goes. */
static void store(ct_trail *t, double offset_m) {
  bool full = t->high - t->low == (int64_t)t->size;
  if (t->direction > 0) {
    t->low += full;
    t->lowest = next_in_ring(t, t->lowest, full);
    *offset_at(t, t->high++) = offset_m;
  } else {
    t->high -= full;
    t->low--;
    t->lowest = t->lowest ? t->lowest - 1 : t->size - 1;
    t->offsets_m[t->lowest] = offset_m;
  }
}

/* One height into the filter, one offset out of it; false when the share of work is used up. */
static bool grow(ct_trail *t, uint32_t *comparisons, uint32_t *blocks) {
  int64_t block = t->next >> 6;
  _Static_assert(CT_SURFACE_BLOCK == 64, "a block is a shift by six");
  if (!t->has_block || block != t->block) {
    if (!*blocks)
      return false;
    (*blocks)--;
    fill_block(t, block);
  }
  if (!ct_roll_filter_feed(&t->filter, t->heights_m[t->next & 63], comparisons))
    return false;
  if (ct_roll_filter_ready(&t->filter))
    store(t, ct_roll_filter_offset_m(&t->filter));
  t->next += t->direction;
  return true;
}

/* Once it grows it grows some way further than it must, so that most samples find nothing to do. */
static void work(ct_trail *t, int64_t at, int towards) {
  int way = wanted(t, at, towards, t->lead + (t->growing ? CT_SURFACE_BLOCK / 2 : 0));
  t->growing = way != 0;
  if (!way || !ct_roll_filter_prepare(&t->filter, CT_TRAIL_COMPARISONS))
    return;
  if (way != t->direction) {
    t->direction = way;
    t->next = way > 0 ? t->high - t->filter.reach : t->low - 1 + (int64_t)t->filter.reach;
    ct_roll_filter_restart(&t->filter);
  }
  uint32_t comparisons = CT_TRAIL_COMPARISONS, blocks = 1;
  for (uint32_t i = 0; i < CT_TRAIL_POINTS; i++)
    if (!grow(t, &comparisons, &blocks))
      return;
}

void ct_trail_work(ct_trail *t, double x_m, int towards, uint32_t samples) {
  int64_t lead = t->lead, at = place_of(t, x_m);
  while (samples-- && (t->growing || at < t->low + lead || at > t->high - lead))
    work(t, at, towards);
}

/* ---- reading ---- */

bool ct_trail_knows(const ct_trail *t, double x_m) {
  int64_t at = place_of(t, x_m);
  return t->begun && at - MARGIN >= t->low && at + MARGIN <= t->high;
}

double ct_trail_end(ct_trail *t, int64_t place) {
  t->late++;
  if (t->high <= t->low)
    return 0;
  return *offset_at(t, place - 2 < t->low ? t->low : t->high - 1);
}

/* Between two grid places the path is a polynomial of fifth degree: the quintic B-spline over the offsets,
 * spelled out. It smooths over about two grid steps and keeps 85 dB away from what the grid would mirror. */
static void spell_out(ct_trail *t, int64_t place) {
  double c[CT_SPLINE_TAPS];
  uint32_t slot = slot_of(t, place - 2);
  for (int k = 0; k < CT_SPLINE_TAPS; k++, slot = next_in_ring(t, slot, 1))
    c[k] = t->offsets_m[slot] * (1 / CT_SPLINE_SUM);
  double outer = c[0] + c[4], inner = c[1] + c[3], tilt = c[4] - c[0], slope = c[3] - c[1];
  t->power[0] = outer + 26 * inner + 66 * c[2];
  t->power[1] = 5 * tilt + 50 * slope;
  t->power[2] = 10 * (outer + 2 * inner - 6 * c[2]);
  t->power[3] = 10 * (tilt - 2 * slope);
  t->power[4] = 5 * (outer - 4 * inner + 6 * c[2]);
  t->power[5] = c[5] - c[0] - 5 * (c[4] - c[1]) + 10 * (c[3] - c[2]);
}

bool ct_trail_enter(ct_trail *t, int64_t place) {
  if (place - 2 < t->low || place - 2 + CT_SPLINE_TAPS > t->high)
    return false;
  spell_out(t, place);
  t->cell = place;
  t->has_cell = true;
  return true;
}

double ct_trail_slope(ct_trail *t, double x_m) {
  double at = ct_place_within(x_m * t->per_m);
  int64_t place = ct_place_below(at);
  if ((place != t->cell || !t->has_cell) && !ct_trail_enter(t, place))
    return 0;
  double u = at - (double)place, u2 = u * u;
  const double *p = t->power;
  return t->per_m * (p[1] + 2 * u * p[2] + u2 * (3 * p[3] + 4 * u * p[4] + u2 * 5 * p[5]));
}
