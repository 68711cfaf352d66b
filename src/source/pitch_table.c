/* Pitches are interpolated as logarithms over the axes' own places, so on a logarithmic axis a power law is a
 * straight line and two values hold all of it. Straight: linear along each axis, bilinear over both. Smooth:
 * monotone cubics (Fritsch and Carlson 1980): between two values the curve never leaves them, and it has no
 * kinks; over both axes, cubics along the first through up to four rows, then one along the second through
 * what they gave. */
#include "source/action.h"
#include "base/text.h"

#include <math.h>

/* ---- set-up ---- */

static ct_result check_places(const ct_source_def *s, const ct_region_def *r, int axis, ct_error *error) {
  const char *word = axis ? "table_y" : "table_x";
  const double *at = axis ? r->table_y : r->table_x;
  uint32_t count = axis ? r->table_y_count : r->table_x_count;
  const ct_axis_def *a = axis ? &s->y : &s->x;
  double slack = 1e-9 * (a->max - a->min);
  if (count == 1 || count > CT_TABLE_PLACES_MOST || (count && !at))
    return ct_fail(error, CT_BAD_SCENE, "source '%s', region '%s': %s has %u places; wants 2 to %u, or none",
                   s->name, r->name, word, count, CT_TABLE_PLACES_MOST);
  for (uint32_t i = 0; i < count; i++) {
    if (!(at[i] >= a->min - slack && at[i] <= a->max + slack))
      return ct_fail(error, CT_BAD_VALUE, "source '%s', region '%s': %s.%u is %g; the plane has %s %g to %g",
                     s->name, r->name, word, i, at[i], ct_signal_name(a->signal), a->min, a->max);
    if (i && !(at[i] > at[i - 1]))
      return ct_fail(error, CT_BAD_VALUE, "source '%s', region '%s': %s.%u is %g, not above the one before",
                     s->name, r->name, word, i, at[i]);
  }
  return CT_OK;
}

static uint32_t at_least_one(uint32_t count) { return count ? count : 1; }

ct_result ct_pitch_table_check(const ct_source_def *s, const ct_region_def *r, ct_error *error) {
  CT_TRY(check_places(s, r, 0, error));
  CT_TRY(check_places(s, r, 1, error));
  bool places = r->table_x_count || r->table_y_count;
  uint32_t wanted = places ? at_least_one(r->table_x_count) * at_least_one(r->table_y_count) : 0;
  if (r->table_hz_count != wanted || (wanted && !r->table_hz))
    return ct_fail(
        error, CT_BAD_SCENE,
        "source '%s', region '%s': table_hz has %u values; %u places along x and %u along y want %u", s->name,
        r->name, r->table_hz_count, r->table_x_count, r->table_y_count, wanted);
  if (wanted > CT_TABLE_VALUES_MOST)
    return ct_fail(error, CT_BAD_SCENE, "source '%s', region '%s': table_hz has %u values; wants at most %u",
                   s->name, r->name, wanted, CT_TABLE_VALUES_MOST);
  if (wanted && r->pitch == CT_PITCH_LOCKED)
    return ct_fail(error, CT_BAD_SCENE,
                   "source '%s', region '%s': table_hz says its pitch, and so does the mode it is locked to",
                   s->name, r->name);
  for (uint32_t i = 0; i < wanted; i++)
    if (!(r->table_hz[i] > 0 && isfinite(r->table_hz[i])))
      return ct_fail(error, CT_BAD_VALUE, "source '%s', region '%s': table_hz.%u is %g Hz; wants more than 0",
                     s->name, r->name, i, r->table_hz[i]);
  return CT_OK;
}

void ct_pitch_table_lay(ct_pitch_table *t, ct_arena *arena, const ct_region_def *r) {
  *t = (ct_pitch_table){
      .count = {r->table_x_count, r->table_y_count}, .curve = r->table_curve, .hz_count = r->table_hz_count};
  if (!t->hz_count)
    return;
  for (int k = 0; k < 2; k++)
    t->place[k] = ct_arena_take(arena, t->count[k], sizeof(double));
  t->hz = ct_arena_take(arena, t->hz_count, sizeof(double));
}

void ct_pitch_table_fill(ct_pitch_table *t, const ct_axis_def axis[2], const ct_region_def *r) {
  for (uint32_t i = 0; i < t->hz_count; i++)
    t->hz[i] = r->table_hz[i];
  for (uint32_t i = 0; t->hz_count && i < t->count[0]; i++)
    t->place[0][i] = ct_axis_place(&axis[0], r->table_x[i]);
  for (uint32_t i = 0; t->hz_count && i < t->count[1]; i++)
    t->place[1][i] = ct_axis_place(&axis[1], r->table_y[i]);
}

/* ---- reading ---- */

/* The places around one: at most four, the wanted one between `at` and the next. */
typedef struct window {
  uint32_t first, count, at;
  double t;       /* 0 .. 1 from `at` to the next */
  double step[3]; /* from each place to the next */
} window;

static window look(const ct_pitch_table *t, int axis, double place) {
  const double *p = t->place[axis];
  uint32_t n = t->count[axis], low = 0, high = n ? n - 1 : 0;
  if (n == 0)
    return (window){.count = 1};
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (p[middle] <= place)
      low = middle;
    else
      high = middle;
  }
  window w = {.first = low, .count = 2, .t = fmin(fmax((place - p[low]) / (p[high] - p[low]), 0), 1)};
  if (t->curve == CT_TABLE_SMOOTH) {
    uint32_t before = low > 0, after = low + 2 < n;
    w.first = low - before;
    w.at = before;
    w.count = 2 + before + after;
  }
  for (uint32_t i = 0; i + 1 < w.count; i++)
    w.step[i] = p[w.first + i + 1] - p[w.first + i];
  return w;
}

/* Slope where two pieces of lengths h0, h1 and slopes s0, s1 meet: a harmonic mean, so that neither piece
 * overshoots; level where they turn. */
static double inner_slope(double h0, double h1, double s0, double s1) {
  if (s0 * s1 <= 0)
    return 0;
  double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / s0 + w1 / s1);
}

/* Slope at an end: of the parabola through three values, kept to what does not overshoot. */
static double end_slope(double h0, double h1, double s0, double s1) {
  double slope = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
  if (slope * s0 <= 0)
    return 0;
  return s0 * s1 <= 0 && fabs(slope) > 3 * fabs(s0) ? 3 * s0 : slope;
}

static double curve(const window *w, const double *v) {
  if (w->count == 1)
    return v[0];
  uint32_t i = w->at > 0, last = i > 0 ? i - 1 : 0; /* 0 or 1; the piece before */
  double t = w->t, h = w->step[i], rise = v[i + 1] - v[i];
  if (w->count == 2)
    return v[i] + t * rise;
  double s[3] = {0, 0, 0};
  for (uint32_t k = 0; k + 1 < w->count; k++)
    s[k] = (v[k + 1] - v[k]) / w->step[k];
  double left = i > 0 ? inner_slope(w->step[last], h, s[last], s[i]) : end_slope(h, w->step[1], s[0], s[1]);
  double right = i + 2 < w->count ? inner_slope(h, w->step[i + 1], s[i], s[i + 1])
                                  : end_slope(h, w->step[last], s[i], s[last]);
  double a = h * left - rise, b = rise - h * right; /* v + t rise + t (1 - t) (a (1 - t) + b t) */
  return v[i] + t * rise + t * (1 - t) * (a * (1 - t) + b * t);
}

double ct_pitch_table_read(const ct_pitch_table *t, const double place[2]) {
  window x = look(t, 0, place[0]), y = look(t, 1, place[1]);
  uint32_t row_length = at_least_one(t->count[0]);
  double rows[4] = {0};
  for (uint32_t row = 0; row < y.count; row++) {
    double values[4] = {0};
    for (uint32_t i = 0; i < x.count; i++)
      values[i] = log2(t->hz[(y.first + row) * row_length + x.first + i]);
    rows[row] = curve(&x, values);
  }
  return curve(&y, rows);
}
