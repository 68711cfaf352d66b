/* A recorded stroke. Places go through a natural cubic spline to an even 240 Hz, then through a Gaussian
 * low-pass (8 Hz, zero phase; ends continued by point reflection, which keeps place and slope), and
 * descriptors are differences there. So they hardly depend on how the pen was sampled. */
#include "base/text.h"
#include "source/fluidity.h"
#include <contatto/pen.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double grid_hz = 240;
static const double cutoff_hz = 8; /* 3 dB down: sigma = sqrt(ln 2) / (2 pi hz) seconds */
static const double shortest_s = 0.1;
static const double still_m_s = 1e-3; /* a pen that is never faster than this rests: no stroke */

/* ---- checks ---- */

static ct_result check_samples(const ct_pen_sample *s, size_t count, ct_error *error) {
  for (size_t i = 0; i < count; i++) {
    uint32_t row = (uint32_t)i + 1;
    if (!isfinite(s[i].time_s) || !isfinite(s[i].x_m) || !isfinite(s[i].y_m) || !isfinite(s[i].pressure))
      return ct_fail(error, CT_BAD_VALUE, "sample %u: time, place and pressure want finite numbers", row);
    if (!(s[i].pressure >= 0 && s[i].pressure <= 1))
      return ct_fail(error, CT_BAD_VALUE, "sample %u: pressure %g is out of range; wants 0 to 1", row,
                     s[i].pressure);
    if (i && s[i].time_s == s[i - 1].time_s)
      return ct_fail(error, CT_BAD_VALUE, "sample %u: time %g s is there twice", row, s[i].time_s);
    if (i && s[i].time_s < s[i - 1].time_s)
      return ct_fail(error, CT_BAD_VALUE, "sample %u: time %g s comes after %g s; times must rise", row,
                     s[i].time_s, s[i - 1].time_s);
  }
  return CT_OK;
}

/* ---- an even, smooth path ---- */

typedef struct path {
  size_t count;
  double *place[2], *rate[2], *bend[2]; /* and derivatives */
  double *speed, *scratch;
  double *memory;
} path;

static bool path_lay(path *p, size_t count, size_t samples) {
  size_t scratch = count > samples ? 2 * count : 2 * samples;
  p->count = count;
  p->memory = calloc(7 * count + scratch, sizeof *p->memory);
  if (!p->memory)
    return false;
  for (int k = 0; k < 2; k++) {
    p->place[k] = p->memory + (size_t)k * count;
    p->rate[k] = p->memory + (size_t)(2 + k) * count;
    p->bend[k] = p->memory + (size_t)(4 + k) * count;
  }
  p->speed = p->memory + 6 * count;
  p->scratch = p->memory + 7 * count;
  return true;
}

static double axis_of(const ct_pen_sample *s, int axis) { return axis ? s->y_m : s->x_m; }

/* Second derivatives of the natural spline: a tridiagonal system, solved forwards and back. */
static void spline_bends(const ct_pen_sample *s, size_t n, int axis, double *bend, double *ratio) {
  bend[0] = ratio[0] = 0;
  for (size_t i = 1; i + 1 < n; i++) {
    double before = s[i].time_s - s[i - 1].time_s, after = s[i + 1].time_s - s[i].time_s;
    double slope_before = (axis_of(&s[i], axis) - axis_of(&s[i - 1], axis)) / before;
    double slope_after = (axis_of(&s[i + 1], axis) - axis_of(&s[i], axis)) / after;
    double pivot = 2 * (before + after) - before * ratio[i - 1];
    ratio[i] = after / pivot;
    bend[i] = (6 * (slope_after - slope_before) - before * bend[i - 1]) / pivot;
  }
  bend[n - 1] = 0;
  for (size_t i = n - 1; i-- > 0;)
    bend[i] -= ratio[i] * bend[i + 1];
}

static void resample(const ct_pen_sample *s, size_t n, int axis, const path *p) {
  double *bend = p->scratch, *ratio = p->scratch + n;
  size_t i = 0;
  spline_bends(s, n, axis, bend, ratio);
  for (size_t g = 0; g < p->count; g++) {
    double t = s[0].time_s + (double)g / grid_hz;
    while (i + 2 < n && s[i + 1].time_s <= t)
      i++;
    double h = s[i + 1].time_s - s[i].time_s, b = (t - s[i].time_s) / h, a = 1 - b;
    p->place[axis][g] = a * axis_of(&s[i], axis) + b * axis_of(&s[i + 1], axis) +
                        ((a * a * a - a) * bend[i] + (b * b * b - b) * bend[i + 1]) * h * h / 6;
  }
}

/* A value beyond an end, by point reflection there. */
static double reflected(const double *v, size_t n, ptrdiff_t i) {
  ptrdiff_t last = (ptrdiff_t)n - 1;
  if (i < 0)
    return 2 * v[0] - v[-i > last ? last : -i];
  if (i > last)
    return 2 * v[last] - v[2 * last - i < 0 ? 0 : 2 * last - i];
  return v[i];
}

static void low_pass(double *v, size_t n, double *scratch) {
  double sigma = grid_hz * sqrt(M_LN2) / (2 * M_PI * cutoff_hz);
  ptrdiff_t reach = (ptrdiff_t)(4 * sigma);
  for (size_t i = 0; i < n; i++) {
    double sum = 0, weights = 0;
    for (ptrdiff_t k = -reach; k <= reach; k++) {
      double w = exp(-0.5 * (double)(k * k) / (sigma * sigma));
      sum += w * reflected(v, n, (ptrdiff_t)i + k);
      weights += w;
    }
    scratch[i] = sum / weights;
  }
  memcpy(v, scratch, n * sizeof *v);
}

/* Central differences; at the ends as its neighbour. */
static void differentiate(const double *v, size_t n, double *out) {
  for (size_t i = 1; i + 1 < n; i++)
    out[i] = (v[i + 1] - v[i - 1]) * grid_hz / 2;
  out[0] = out[1];
  out[n - 1] = out[n - 2];
}

static void smooth_path(const ct_pen_sample *s, size_t n, path *p) {
  for (int k = 0; k < 2; k++) {
    resample(s, n, k, p);
    low_pass(p->place[k], p->count, p->scratch);
    differentiate(p->place[k], p->count, p->rate[k]);
    differentiate(p->rate[k], p->count, p->bend[k]);
  }
  for (size_t i = 0; i < p->count; i++)
    p->speed[i] = hypot(p->rate[0][i], p->rate[1][i]);
}

/* ---- one stroke ---- */

typedef struct stroke {
  double duration_s, length_m, log_jerk, arc_length;
} stroke;

static stroke measure_stroke(const path *p) {
  stroke r = {.duration_s = (double)(p->count - 1) / grid_hz};
  double peak = 0, sum = 0;
  for (size_t i = 0; i < p->count; i++) {
    peak = fmax(peak, p->speed[i]);
    r.length_m += p->speed[i] / grid_hz;
  }
  for (size_t i = 1; i + 1 < p->count; i++) {
    double bend = (p->speed[i + 1] - 2 * p->speed[i] + p->speed[i - 1]) * grid_hz * grid_hz;
    sum += bend * bend / grid_hz;
  }
  r.log_jerk = peak < still_m_s ? (double)NAN : ct_log_jerk(r.duration_s, peak, sum);
  r.arc_length = ct_arc_length(p->speed, p->count, grid_hz);
  return r;
}

static double at_time(const double *v, size_t n, double t) {
  size_t i = t < 0 ? 0 : (size_t)t;
  if (i + 1 >= n)
    return v[n - 1];
  return v[i] + (t - (double)i) * (v[i + 1] - v[i]);
}

static void describe_samples(const ct_pen_sample *s, size_t n, const path *p, const stroke *r,
                             ct_motion *out) {
  for (size_t i = 0; i < n; i++) {
    double t = (s[i].time_s - s[0].time_s) * grid_hz;
    double vx = at_time(p->rate[0], p->count, t), vy = at_time(p->rate[1], p->count, t);
    double ax = at_time(p->bend[0], p->count, t), ay = at_time(p->bend[1], p->count, t);
    double v = hypot(vx, vy);
    out[i] = (ct_motion){.time_s = s[i].time_s,
                         .x_m = s[i].x_m,
                         .y_m = s[i].y_m,
                         .speed_m_s = v,
                         .acceleration_m_s2 = v > 0 ? (vx * ax + vy * ay) / v : 0,
                         .curvature_1_m = v > 1e-3 ? (vx * ay - vy * ax) / (v * v * v) : 0,
                         .pressure = s[i].pressure,
                         .log_jerk = r->log_jerk,
                         .arc_length = r->arc_length,
                         .fluidity = ct_fluidity(r->log_jerk, r->duration_s)};
  }
}

static void add_stroke(ct_stroke_scores *total, const stroke *r) {
  total->strokes++;
  total->duration_s += r->duration_s;
  total->length_m += r->length_m;
  total->log_jerk += r->duration_s * r->log_jerk;
  total->arc_length += r->duration_s * r->arc_length;
  total->fluidity += r->duration_s * ct_fluidity(r->log_jerk, r->duration_s);
}

static ct_result describe_stroke(const ct_pen_sample *s, size_t n, ct_motion *motion,
                                 ct_stroke_scores *scores, ct_error *error) {
  double duration = s[n - 1].time_s - s[0].time_s;
  if (n < 4 || duration < shortest_s)
    return CT_OK;
  path p;
  if (!path_lay(&p, (size_t)(duration * grid_hz) + 1, n))
    return ct_fail(error, CT_NO_MEMORY, "stroke: out of memory");
  smooth_path(s, n, &p);
  stroke r = measure_stroke(&p);
  if (!isnan(r.log_jerk) && !isnan(r.arc_length)) {
    add_stroke(scores, &r);
    if (motion)
      describe_samples(s, n, &p, &r, motion);
  }
  free(p.memory);
  return CT_OK;
}

/* ---- the recording ---- */

/* A pen that never presses is a pointer without a pressure: it draws all the time. */
static bool has_pressure(const ct_pen_sample *s, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (s[i].pressure > 0)
      return true;
  return false;
}

static void mean_scores(ct_stroke_scores *scores) {
  double t = scores->duration_s;
  if (scores->strokes == 0) {
    scores->log_jerk = scores->arc_length = scores->fluidity = NAN;
    return;
  }
  scores->speed_m_s = scores->length_m / t;
  scores->log_jerk /= t;
  scores->arc_length /= t;
  scores->fluidity /= t;
}

ct_result ct_stroke_describe(const ct_pen_sample *samples, size_t count, ct_motion *motion,
                             ct_stroke_scores *scores, ct_error *error) {
  if (!samples || !scores || count == 0)
    return ct_fail(error, CT_BAD_ARGUMENT, "strokes: no samples");
  CT_TRY(check_samples(samples, count, error));
  ct_stroke_scores total = {0};
  bool pressed = has_pressure(samples, count);
  for (size_t i = 0; motion && i < count; i++)
    motion[i] = (ct_motion){.time_s = samples[i].time_s, .x_m = samples[i].x_m, .y_m = samples[i].y_m};
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && (samples[end].pressure > 0) == (samples[first].pressure > 0) &&
                          samples[end].time_s - samples[end - 1].time_s <= CT_PEN_GAP_S;)
      end++;
    if (samples[first].pressure > 0 || !pressed)
      CT_TRY(describe_stroke(samples + first, end - first, motion ? motion + first : NULL, &total, error));
  }
  mean_scores(&total);
  *scores = total;
  return CT_OK;
}
