/* A measured profile. Coarser copies are made when it is taken in, by a half-band filter of 19 taps that is
 * flat to fifth order at both ends; a level reads the copy whose points lie half as far apart as its own. */
#include "drive/surface.h"

#include <math.h>

/* Every other tap, from the middle out: (131072 h[1], h[3], ...); h[0] = 1/2. */
static const double taps[] = {39690, -8820, 2268, -405, 35};
enum { TAPS = sizeof taps / sizeof taps[0] };

static uint32_t halved(uint32_t count) { return (count + 1) / 2; }

void ct_scan_lay(ct_scan *s, ct_arena *arena, uint32_t count) {
  for (s->copies = 0; s->copies < CT_SCAN_COPIES && (s->copies == 0 || count >= 8); s->copies++) {
    s->count[s->copies] = count;
    s->heights[s->copies] = ct_arena_take(arena, count, sizeof(double));
    count = halved(count);
  }
}

/* Mirrored at both ends. */
static double height_at(const double *heights, uint32_t count, int64_t i) {
  int64_t period = 2 * (int64_t)count - 2;
  if (period <= 0)
    return heights[0];
  i = ((i % period) + period) % period;
  return heights[i < (int64_t)count ? i : period - i];
}

static void halve(const double *fine, uint32_t count, double *coarse) {
  for (uint32_t j = 0; j < halved(count); j++) {
    double sum = 65536 * fine[2 * j];
    for (int t = 0; t < TAPS; t++)
      sum += taps[t] * (height_at(fine, count, 2 * (int64_t)j - 2 * t - 1) +
                        height_at(fine, count, 2 * (int64_t)j + 2 * t + 1));
    coarse[j] = sum / 131072;
  }
}

void ct_scan_fill(ct_scan *s, const double *heights, uint32_t count, double step_m, double mean, double rms) {
  s->step_m = step_m;
  for (uint32_t i = 0; i < count; i++)
    s->heights[0][i] = rms > 0 ? (heights[i] - mean) / rms : 0;
  for (uint32_t c = 1; c < s->copies; c++)
    halve(s->heights[c - 1], s->count[c - 1], s->heights[c]);
}

/* Cubic through four points of a copy. */
static double read_copy(const ct_scan *s, uint32_t copy, double at) {
  double base = floor(at), t = at - base, p[4];
  for (int k = 0; k < 4; k++)
    p[k] = height_at(s->heights[copy], s->count[copy], (int64_t)base - 1 + k);
  double slope0 = (p[2] - p[0]) / 2, slope1 = (p[3] - p[1]) / 2, rise = p[2] - p[1];
  return p[1] + t * (slope0 + t * (3 * rise - 2 * slope0 - slope1 + t * (slope0 + slope1 - 2 * rise)));
}

/* Level 0 reads the scan as it is, or the copy nearest to a grid that is wider than the scan's own. */
static uint32_t copy_for(const ct_scan *s, double step_m, uint32_t level) {
  double wanted = (level ? 2 : 1) * step_m;
  uint32_t copy = 0;
  while (copy + 1 < s->copies && ldexp(s->step_m, (int)copy) < 0.75 * wanted)
    copy++;
  return copy;
}

void ct_relief_fill_scan(const ct_relief *r, uint32_t level, int64_t block, double *heights_m) {
  const ct_scan *s = r->scan;
  double step = ct_level_step_m(r->grid_m, level);
  uint32_t copy = copy_for(s, step, level);
  /* mirrored as a whole first: a copy's own ends lie elsewhere */
  double period = 2 * ((double)s->count[0] - 1);
  for (uint32_t i = 0; i < CT_SURFACE_BLOCK; i++) {
    double at = (double)(block * (int64_t)CT_SURFACE_BLOCK + i) * step / s->step_m;
    at -= floor(at / period) * period;
    at = at > period / 2 ? period - at : at;
    heights_m[i] = r->values.depth_m * read_copy(s, copy, ldexp(at, -(int)copy));
  }
}
