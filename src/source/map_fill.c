/* Whether regions cut the plane. Between two neighbouring corners or crossings of edges nothing but straight
 * edges that do not meet: so one line through the middle of each such slab tells who covers what, exactly. */
#include "source/map.h"
#include "base/text.h"

#include <math.h>

static const double thin = 1e-7; /* slivers of the unit square that nobody can hit */

typedef struct edge {
  double x0, y0, x1, y1; /* x0 <= x1 */
  uint32_t region;
} edge;

typedef struct crossing {
  double y;
  uint32_t region;
} crossing;

enum { EDGES = CT_MAP_CORNERS_MOST, CUTS = 2 + EDGES + EDGES * (EDGES - 1) / 2 };

typedef struct checker {
  const ct_map *map;
  const ct_region_def *regions;
  const char *source;
  ct_error *error;
  edge edges[EDGES];
  uint32_t edge_count;
  double cuts[CUTS];
  uint32_t cut_count;
} checker;

/* ---- axes and corners ---- */

static ct_result check_axis(const ct_axis_def *a, const char *source, const char *which, ct_error *error) {
  if (!isfinite(a->min) || !isfinite(a->max) || !(a->min < a->max))
    return ct_fail(error, CT_BAD_VALUE, "source '%s': %s runs from %g to %g; wants min below max", source,
                   which, a->min, a->max);
  if (a->scale == CT_LOG && !(a->min > 0))
    return ct_fail(error, CT_BAD_VALUE, "source '%s': %s is logarithmic from %g; wants a min above 0", source,
                   which, a->min);
  return CT_OK;
}

static ct_result check_corner(const checker *c, const ct_region_def *r, uint32_t i) {
  const double at[2] = {r->x[i], r->y[i]};
  for (int k = 0; k < 2; k++) {
    const ct_axis_def *a = &c->map->axis[k];
    double slack = 1e-9 * (a->max - a->min);
    if (!(at[k] >= a->min - slack && at[k] <= a->max + slack))
      return ct_fail(c->error, CT_BAD_VALUE,
                     "source '%s', region '%s': %s.%u is %g; the plane has %s %g to %g", c->source, r->name,
                     k ? "y" : "x", i, at[k], ct_signal_name(a->signal), a->min, a->max);
  }
  return CT_OK;
}

static ct_result check_corners(const checker *c, const ct_region_def *r) {
  if (r->corner_count == 0 && c->map->region_count > 1)
    return ct_fail(c->error, CT_BAD_SCENE,
                   "source '%s', region '%s': no corners; only a region that is alone may do without",
                   c->source, r->name);
  if (r->corner_count == 1 || r->corner_count > CT_CORNERS_MOST)
    return ct_fail(c->error, CT_BAD_SCENE,
                   "source '%s', region '%s': %u corners; wants 2 (a rectangle) to %u", c->source, r->name,
                   r->corner_count, CT_CORNERS_MOST);
  for (uint32_t i = 0; i < r->corner_count; i++)
    CT_TRY(check_corner(c, r, i));
  return CT_OK;
}

/* ---- edges ---- */

static void add_edges(checker *c, uint32_t region) {
  const ct_outline *o = &c->map->outlines[region];
  for (uint32_t i = 0; i < o->count; i++) {
    const double *a = o->corner[i], *b = o->corner[(i + 1) % o->count];
    bool forward = a[0] <= b[0];
    const double *left = forward ? a : b, *right = forward ? b : a;
    c->edges[c->edge_count++] = (edge){left[0], left[1], right[0], right[1], region};
    c->cuts[c->cut_count++] = a[0];
  }
}

static double y_at(const edge *e, double x) {
  return e->x1 > e->x0 ? e->y0 + (x - e->x0) / (e->x1 - e->x0) * (e->y1 - e->y0) : e->y0;
}

/* Where two edges cross strictly inside both; false when they do not. */
static bool cross(const edge *a, const edge *b, double *x) {
  double from = fmax(a->x0, b->x0), to = fmin(a->x1, b->x1);
  if (!(from < to))
    return false;
  double left = y_at(a, from) - y_at(b, from), right = y_at(a, to) - y_at(b, to);
  if (!((left > thin && right < -thin) || (left < -thin && right > thin)))
    return false;
  *x = from + (to - from) * left / (left - right);
  return true;
}

static void describe_place(const checker *c, double x, double y, char *text, size_t size) {
  const ct_axis_def *a = c->map->axis;
  const char *unit[2] = {ct_signal_unit(a[0].signal), ct_signal_unit(a[1].signal)};
  ct_format(text, size, "%s %g%s%s, %s %g%s%s", ct_signal_name(a[0].signal), ct_axis_value(&a[0], x),
            *unit[0] ? " " : "", unit[0], ct_signal_name(a[1].signal), ct_axis_value(&a[1], y),
            *unit[1] ? " " : "", unit[1]);
}

static ct_result add_crossings(checker *c) {
  for (uint32_t i = 0; i < c->edge_count; i++)
    for (uint32_t k = i + 1; k < c->edge_count; k++) {
      double x;
      if (!cross(&c->edges[i], &c->edges[k], &x))
        continue;
      char place[CT_TEXT_MAX / 2];
      describe_place(c, x, y_at(&c->edges[i], x), place, sizeof place);
      const char *name = c->regions[c->edges[i].region].name;
      if (c->edges[i].region == c->edges[k].region)
        return ct_fail(c->error, CT_BAD_SCENE, "source '%s', region '%s': its outline crosses itself at %s",
                       c->source, name, place);
      c->cuts[c->cut_count++] = x;
    }
  return CT_OK;
}

/* ---- slabs ---- */

/* The C library's may ask for memory, and sources are added while others sound. At most a few thousand. */
static void sort(double *numbers, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    double number = numbers[i];
    uint32_t at = i;
    for (; at > 0 && numbers[at - 1] > number; at--)
      numbers[at] = numbers[at - 1];
    numbers[at] = number;
  }
}

static void insert(crossing *sorted, uint32_t count, crossing c) {
  for (; count > 0 && sorted[count - 1].y > c.y; count--)
    sorted[count] = sorted[count - 1];
  sorted[count] = c;
}

/* One interval of the line at x, covered by the regions in `inside` (a bit each). */
static ct_result check_interval(const checker *c, double x, double low, double high, uint32_t inside) {
  if (high - low < thin || (inside && !(inside & (inside - 1))))
    return CT_OK;
  char place[CT_TEXT_MAX / 2];
  describe_place(c, x, (low + high) / 2, place, sizeof place);
  if (!inside)
    return ct_fail(c->error, CT_BAD_SCENE, "source '%s': a hole in the map at %s: no region is there",
                   c->source, place);
  int first = __builtin_ctz(inside), second = __builtin_ctz(inside & (inside - 1));
  return ct_fail(c->error, CT_BAD_SCENE, "source '%s': regions '%s' and '%s' overlap at %s", c->source,
                 c->regions[first].name, c->regions[second].name, place);
}

static ct_result check_line(const checker *c, double x) {
  crossing crossings[EDGES];
  uint32_t count = 0, inside = 0;
  for (uint32_t i = 0; i < c->edge_count; i++)
    if (c->edges[i].x0 < x && x < c->edges[i].x1)
      insert(crossings, count++, (crossing){y_at(&c->edges[i], x), c->edges[i].region});
  double low = 0;
  for (uint32_t i = 0; i <= count; i++) {
    double high = i < count ? crossings[i].y : 1;
    CT_TRY(check_interval(c, x, low, high, inside));
    low = high;
    if (i < count)
      inside ^= 1u << crossings[i].region;
  }
  return CT_OK;
}

static ct_result check_slabs(checker *c) {
  sort(c->cuts, c->cut_count);
  for (uint32_t i = 0; i + 1 < c->cut_count; i++)
    if (c->cuts[i + 1] - c->cuts[i] >= thin)
      CT_TRY(check_line(c, (c->cuts[i] + c->cuts[i + 1]) / 2));
  return CT_OK;
}

static ct_result check_partition(checker *c) {
  uint32_t corners = 0;
  for (uint32_t i = 0; i < c->map->region_count; i++)
    corners += c->map->outlines[i].count;
  if (corners > EDGES)
    return ct_fail(c->error, CT_BAD_SCENE, "source '%s': %u corners in all regions; wants at most %u",
                   c->source, corners, EDGES);
  c->cuts[c->cut_count++] = 0;
  c->cuts[c->cut_count++] = 1;
  for (uint32_t i = 0; i < c->map->region_count; i++)
    add_edges(c, i);
  ct_result result = add_crossings(c);
  return result == CT_OK ? check_slabs(c) : result;
}

ct_result ct_map_fill(ct_map *map, const ct_region_def *regions, const char *source, ct_error *error) {
  checker c;
  c.map = map;
  c.regions = regions;
  c.source = source;
  c.error = error;
  c.edge_count = c.cut_count = 0;
  CT_TRY(check_axis(&map->axis[0], source, "x", error));
  CT_TRY(check_axis(&map->axis[1], source, "y", error));
  for (uint32_t i = 0; i < map->region_count; i++)
    CT_TRY(check_corners(&c, &regions[i]));
  for (int k = 0; k < 2; k++)
    map->middle[k] = ct_axis_value(&map->axis[k], 0.5);
  for (uint32_t i = 0; i < map->region_count; i++)
    ct_outline_fill(&map->outlines[i], map->axis, regions[i].x, regions[i].y, regions[i].corner_count);
  CT_TRY(check_partition(&c));
  for (uint32_t i = 0; i < map->region_count; i++)
    ct_outline_move(&map->outlines[i], regions[i].size, regions[i].shift_x, regions[i].shift_y);
  return CT_OK;
}
