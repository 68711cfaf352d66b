/* Where on the map: one signed distance per region decides. It is positive in the region one is in and, as
 * the regions are drawn as a partition (map_fill.c), nowhere else. Moved since, they may overlap and leave
 * holes: the largest is then the deepest region, or the nearest. Sudden: the region with the largest.
 * Hysteretic: the old one until its own has fallen to -width. Blended: smooth steps of the distances over +-
 * width. */
#include "source/map.h"

#include <math.h>

double ct_axis_place(const ct_axis_def *a, double value) {
  double place = a->scale == CT_LOG ? log(fmax(value, a->min) / a->min) / log(a->max / a->min)
                                    : (value - a->min) / (a->max - a->min);
  return fmin(fmax(place, 0), 1);
}

double ct_axis_value(const ct_axis_def *a, double place) {
  return a->scale == CT_LOG ? a->min * pow(a->max / a->min, place) : a->min + place * (a->max - a->min);
}

/* Corners of a rectangle go round: x 0 1 1 0, y 0 0 1 1 of the two that are given. */
void ct_outline_fill(ct_outline *o, const ct_axis_def axis[2], const double *x, const double *y,
                     uint32_t corner_count) {
  bool rectangle = corner_count == 0 || corner_count == 2;
  o->count = rectangle ? 4 : corner_count;
  for (uint32_t i = 0; i < o->count; i++) {
    uint32_t of_x = rectangle ? i == 1 || i == 2 : i, of_y = rectangle ? i >= 2 : i;
    o->corner[i][0] = corner_count ? ct_axis_place(&axis[0], x[of_x]) : of_x;
    o->corner[i][1] = corner_count ? ct_axis_place(&axis[1], y[of_y]) : of_y;
  }
}

void ct_outline_move(ct_outline *o, double size, double shift_x, double shift_y) {
  const double shift[2] = {shift_x, shift_y};
  if (size == 1 && shift_x == 0 && shift_y == 0)
    return;
  for (int k = 0; k < 2; k++) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < o->count; i++) {
      low = fmin(low, o->corner[i][k]);
      high = fmax(high, o->corner[i][k]);
    }
    for (uint32_t i = 0; i < o->count; i++)
      o->corner[i][k] = (low + high) / 2 + size * (o->corner[i][k] - (low + high) / 2) + shift[k];
  }
}

/* Squared distance from p to the segment from a to b. */
static double to_segment(const double p[2], const double a[2], const double b[2]) {
  double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  double t = length > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length : 0;
  t = fmin(fmax(t, 0), 1);
  double ex = p[0] - a[0] - t * dx, ey = p[1] - a[1] - t * dy;
  return ex * ex + ey * ey;
}

/* Whether the ray from p towards larger x crosses the segment. */
static bool crosses(const double p[2], const double a[2], const double b[2]) {
  return (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
}

double ct_outline_depth(const ct_outline *o, const double place[2]) {
  double least = INFINITY;
  bool inside = false;
  for (uint32_t i = 0; i < o->count; i++) {
    const double *a = o->corner[i], *b = o->corner[(i + 1) % o->count];
    least = fmin(least, to_segment(place, a, b));
    inside ^= crosses(place, a, b);
  }
  return inside ? sqrt(least) : -sqrt(least);
}

/* Depths become weights: from 0 at -width to 1 at width, level at both ends. */
static void blend(const ct_map *map, double *weights, uint32_t deepest) {
  double sum = 0;
  for (uint32_t i = 0; i < map->region_count; i++) {
    double t = fmin(fmax(0.5 + 0.5 * weights[i] / map->width, 0), 1);
    sum += weights[i] = t * t * (3 - 2 * t);
  }
  if (sum <= 0)
    sum = weights[deepest] = 1;
  for (uint32_t i = 0; i < map->region_count; i++)
    weights[i] /= sum;
}

bool ct_map_weigh(ct_map *map, const double place[2], double *weights) {
  uint32_t deepest = 0, before = map->now;
  for (uint32_t i = 0; i < map->region_count; i++) {
    weights[i] = ct_outline_depth(&map->outlines[i], place);
    if (weights[i] > weights[deepest])
      deepest = i;
  }
  if (map->boundary == CT_BLENDED && map->width > 0) {
    map->now = deepest;
    blend(map, weights, deepest);
    return false;
  }
  bool held = map->boundary == CT_HYSTERETIC && before < map->region_count && weights[before] > -map->width;
  map->now = held ? before : deepest;
  for (uint32_t i = 0; i < map->region_count; i++)
    weights[i] = i == map->now;
  return map->now != before && before < map->region_count;
}
