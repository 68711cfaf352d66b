/* A live pen.
 *
 * At every sample a parabola is fitted to the last 35 ms (at least three samples) by least squares; its end
 * gives place, velocity, acceleration. Motion then runs on a cubic from where it is, with the speed it has,
 * to that place and velocity, and gets there 1.2 sample intervals later, when the next sample is there. So
 * place and speed never step, whatever the samples do and however late they come: a cubic begins where motion
 * was last read. When no sample comes it goes on slower and slower and rests.
 *
 * Fluidity is measured on a course of its own, laid by the samples' times alone, so that it does not matter
 * when they come: a page that stumbles is not a hand that does. It is read at 200 Hz behind four equal
 * low-passes (8 Hz together, human movement ends there): their states are also the derivatives, v' = (y3 -
 * y4)/T and v'' = (y2 - 2 y3 + y4)/T^2, and nothing of the pen's own rate is left in them. The window of a
 * second holds motion only: it waits while the pen rests. */
#include "base/text.h"
#include "source/fluidity.h"
#include <contatto/pen.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SAMPLES = 16,     /* kept for the fit */
  GRID_HZ = 200,    /* fluidity's clock */
  WINDOW = GRID_HZ, /* one second of it */
  COARSE = 4,       /* of these for one sample of the arc length's speed */
  ARC_EVERY = 10,   /* and the arc length every so many */
  LOW_PASSES = 4,
  PRESSURE = 2, /* of the axes x, y, pressure */
  AXES = 3,
};

static const double fit_s = 0.035;
static const double pole_s = 0.00865; /* four of these are 3 dB down at 8 Hz */
static const double late = 1.2;       /* intervals */
static const double first_s = 0.01;   /* an interval nobody knows yet */
static const double coast_s = 0.02;   /* how long motion goes on without samples */
static const double rest_s = 0.03;    /* how fast motion dies without samples */
static const double shortest_s = 0.002;
static const double together_s = 0.001; /* samples that come closer than this count as one */
static const double certain = 0.8;      /* intervals: before this no sample is due that might come late */
static const double hurried = 0.5;      /* of the latency: faster than this motion does not catch up */
static const double still_m_s = 1e-3;   /* slower than this says nothing about fluidity */

typedef struct target {
  double value[AXES], rate[AXES];
  double along_m_s2, curvature_1_m;
} target;

/* A cubic per axis from start_s to end_s, then dying. */
typedef struct course {
  double start_s, end_s, cubic[AXES][4];
  target aim, last;  /* of its end; of its start */
  double interval_s; /* between samples, a slow mean; 0: not known yet */
} course;

struct ct_pen {
  ct_pen_sample sample[SAMPLES]; /* newest last */
  uint32_t count;                /* since the pen was put down */
  bool begun;
  double came_s; /* when the newest samples came */
  double read_s; /* motion has been read up to here */
  course motion;
  /* fluidity */
  course measured;
  double grid_s, pass[LOW_PASSES];
  double square[WINDOW], speed[WINDOW], coarse[WINDOW / COARSE];
  uint32_t filled, at, since_arc;
  double log_jerk, arc_length, fluidity;
};

ct_pen *ct_pen_create(void) {
  ct_pen *pen = calloc(1, sizeof *pen);
  if (pen) {
    pen->log_jerk = pen->arc_length = NAN;
    pen->fluidity = 1;
  }
  return pen;
}

void ct_pen_destroy(ct_pen *pen) { free(pen); }

/* ---- the fit ---- */

/* The parabola's value, slope and half its bend at s = 0 from the moments of s and of s f. */
static void solve_parabola(const double m[5], const double f[3], double out[3]) {
  double a = m[2] * m[4] - m[3] * m[3], b = m[2] * m[3] - m[1] * m[4], c = m[1] * m[3] - m[2] * m[2];
  double e = m[0] * m[4] - m[2] * m[2], g = m[1] * m[2] - m[0] * m[3], i = m[0] * m[2] - m[1] * m[1];
  double det = m[0] * a + m[1] * b + m[2] * c;
  out[0] = (a * f[0] + b * f[1] + c * f[2]) / det;
  out[1] = (b * f[0] + e * f[1] + g * f[2]) / det;
  out[2] = (c * f[0] + g * f[1] + i * f[2]) / det;
}

static double axis_of(const ct_pen_sample *s, int axis) {
  return axis == 0 ? s->x_m : axis == 1 ? s->y_m : s->pressure;
}

/* Value, rate and second derivative of one axis at the newest sample; from the `used` newest. */
static void fit_axis(const ct_pen *pen, uint32_t used, int axis, double out[3]) {
  const ct_pen_sample *newest = &pen->sample[SAMPLES - 1], *s = newest - (used - 1);
  double at = axis_of(newest, axis), scale = newest->time_s - s->time_s;
  out[0] = at;
  out[1] = out[2] = 0;
  if (used == 2)
    out[1] = (at - axis_of(s, axis)) / scale;
  if (used < 3)
    return;
  double m[5] = {0}, f[3] = {0}, p[3];
  for (uint32_t i = 0; i < used; i++) {
    double t = (s[i].time_s - newest->time_s) / scale, v = axis_of(&s[i], axis) - at;
    double t2 = t * t;
    m[0] += 1;
    m[1] += t;
    m[2] += t2;
    m[3] += t2 * t;
    m[4] += t2 * t2;
    f[0] += v;
    f[1] += v * t;
    f[2] += v * t2;
  }
  solve_parabola(m, f, p);
  out[0] += p[0];
  out[1] = p[1] / scale;
  out[2] = 2 * p[2] / (scale * scale);
}

static uint32_t samples_used(const ct_pen *pen) {
  double newest = pen->sample[SAMPLES - 1].time_s;
  uint32_t used = 1;
  while (used < pen->count && (used < 3 || newest - pen->sample[SAMPLES - 1 - used].time_s <= fit_s))
    used++;
  return used;
}

static target aim_at(const ct_pen *pen) {
  target t = {.along_m_s2 = 0};
  double fit[AXES][3];
  uint32_t used = samples_used(pen);
  for (int k = 0; k < AXES; k++) {
    fit_axis(pen, used, k, fit[k]);
    t.value[k] = fit[k][0];
    t.rate[k] = fit[k][1];
  }
  double half = 0.5 * (pen->sample[SAMPLES - 1].time_s - pen->sample[SAMPLES - used].time_s);
  double ax = fit[0][2], ay = fit[1][2], vx = fit[0][1] - half * ax, vy = fit[1][1] - half * ay,
         v = hypot(vx, vy);
  if (v > still_m_s) {
    t.along_m_s2 = (vx * ax + vy * ay) / v;
    t.curvature_1_m = (vx * ay - vy * ax) / (v * v * v);
  }
  return t;
}

/* ---- motion ---- */

/* Value and rate of an axis at a time. Behind the cubic it coasts, then its rate dies, and it ends rate *
 * rest_s further on. */
static void move_axis(const course *way, int axis, double time_s, double *value, double *rate) {
  const double *c = way->cubic[axis];
  if (time_s < way->end_s) {
    double t = fmax(time_s - way->start_s, 0);
    *value = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    *rate = c[1] + t * (2 * c[2] + t * 3 * c[3]);
    return;
  }
  double beyond = time_s - way->end_s, coasted = fmin(beyond, coast_s);
  double left = exp(-(beyond - coasted) / rest_s);
  *rate = way->aim.rate[axis] * left;
  *value = way->aim.value[axis] + way->aim.rate[axis] * (coasted + rest_s * (1 - left));
}

/* Hermite's cubic from (a, va) to (b, vb) in T seconds. */
static void lay_cubic(double c[4], double a, double va, double b, double vb, double t) {
  c[0] = a;
  c[1] = va;
  c[2] = (3 * (b - a) - (2 * va + vb) * t) / (t * t);
  c[3] = (2 * (a - b) + (va + vb) * t) / (t * t * t);
}

static double latency_s(const course *way) {
  double interval = way->interval_s > 0 ? way->interval_s : first_s;
  return fmin(fmax(late * interval, shortest_s), CT_PEN_LATENCY_MOST_S);
}

double ct_pen_latency_s(const ct_pen *pen) { return latency_s(&pen->motion); }

static void count_interval(course *way, double passed_s, bool anew) {
  if (anew)
    way->interval_s = 0;
  else
    way->interval_s += (way->interval_s > 0 ? 0.02 : 1) * (passed_s - way->interval_s);
}

/* From where it is at `from_s` to the newest sample, `late` intervals after it. A pen put down elsewhere
 * jumps there, but keeps the speed it had and the pressure, and comes to rest. */
static void set_course(const ct_pen *pen, course *way, const target *aim, double from_s) {
  target last = way->aim;
  double end_s = pen->sample[SAMPLES - 1].time_s + latency_s(way);
  double span = fmax(end_s - from_s, hurried * latency_s(way));
  for (int k = 0; k < AXES; k++) {
    double cubic[4];
    move_axis(way, k, from_s, &last.value[k], &last.rate[k]);
    if (pen->count == 1 && k != PRESSURE)
      last.value[k] = aim->value[k];
    lay_cubic(cubic, last.value[k], last.rate[k], aim->value[k], aim->rate[k], span);
    memcpy(way->cubic[k], cubic, sizeof cubic);
  }
  way->last = last;
  way->aim = *aim;
  way->start_s = from_s;
  way->end_s = from_s + span;
}

/* ---- fluidity ---- */

static void measure_jerk(ct_pen *pen) {
  double sum = 0, peak = 0;
  for (uint32_t i = 0; i < pen->filled; i++) {
    sum += pen->square[i];
    peak = fmax(peak, pen->speed[i]);
  }
  if (peak < still_m_s || pen->filled < WINDOW / 5)
    return;
  double jerk = ct_log_jerk((double)pen->filled / GRID_HZ, peak, sum / GRID_HZ);
  if (isnan(jerk))
    return;
  pen->log_jerk = jerk;
  pen->fluidity = ct_fluidity(jerk, (double)pen->filled / GRID_HZ);
}

static void measure_arc(ct_pen *pen) {
  uint32_t count = pen->filled / COARSE;
  for (uint32_t i = 0; i < count; i++)
    pen->coarse[i] = pen->speed[(pen->at + WINDOW - pen->filled + i * COARSE) % WINDOW];
  if (count < WINDOW / COARSE / 5)
    return;
  double arc = ct_arc_length(pen->coarse, count, (double)GRID_HZ / COARSE);
  if (!isnan(arc))
    pen->arc_length = arc;
}

static void tick_fluidity(ct_pen *pen) {
  double value, rate[2], *y = pen->pass, step = -expm1(-1 / (GRID_HZ * pole_s));
  for (int k = 0; k < 2; k++)
    move_axis(&pen->measured, k, pen->grid_s, &value, &rate[k]);
  double in = hypot(rate[0], rate[1]);
  for (int i = 0; i < LOW_PASSES; i++) {
    y[i] += step * (in - y[i]);
    if (y[i] < 1e-30) /* no denormal numbers */
      y[i] = 0;
    in = y[i];
  }
  if (in < still_m_s) /* rest says nothing: the window waits for motion */
    return;
  double bend = (y[1] - 2 * y[2] + y[3]) / (pole_s * pole_s);
  pen->square[pen->at] = bend * bend;
  pen->speed[pen->at] = y[3];
  pen->at = (pen->at + 1) % WINDOW;
  pen->filled += pen->filled < WINDOW;
  measure_jerk(pen);
  if (++pen->since_arc == ARC_EVERY) {
    measure_arc(pen);
    pen->since_arc = 0;
  }
}

/* However long no sample came, no more than a window's worth of ticks. */
static void follow_clock(ct_pen *pen, double time_s) {
  if (time_s - pen->grid_s > (double)WINDOW / GRID_HZ)
    pen->grid_s = time_s - (double)WINDOW / GRID_HZ;
  for (; pen->grid_s <= time_s; pen->grid_s += 1.0 / GRID_HZ)
    tick_fluidity(pen);
}

/* ---- samples ---- */

static ct_result check_sample(const ct_pen *pen, const ct_pen_sample *s, ct_error *error) {
  if (!isfinite(s->time_s) || !isfinite(s->x_m) || !isfinite(s->y_m) || !isfinite(s->pressure))
    return ct_fail(error, CT_BAD_VALUE, "pen sample: time, place and pressure want finite numbers");
  if (!(s->pressure >= 0 && s->pressure <= 1))
    return ct_fail(error, CT_BAD_VALUE, "pen sample at %g s: pressure %g is out of range; wants 0 to 1",
                   s->time_s, s->pressure);
  double last = pen->sample[SAMPLES - 1].time_s;
  if (pen->begun && !(s->time_s > last))
    return ct_fail(error, CT_BAD_VALUE, "pen sample: time %g s does not come after %g s", s->time_s, last);
  return CT_OK;
}

/* How often samples come: those of a burst count as one. */
static void watch_arrival(ct_pen *pen, double came_s, bool anew) {
  if (!anew && came_s - pen->came_s <= together_s)
    return;
  count_interval(&pen->motion, came_s - pen->came_s, anew);
  pen->came_s = came_s;
}

ct_result ct_pen_push(ct_pen *pen, const ct_pen_sample *s, ct_error *error) {
  if (!pen || !s)
    return ct_fail(error, CT_BAD_ARGUMENT, "pen: a null pointer");
  CT_TRY(check_sample(pen, s, error));
  double passed = s->time_s - pen->sample[SAMPLES - 1].time_s;
  bool touched = s->pressure > 0 && !(pen->sample[SAMPLES - 1].pressure > 0);
  bool anew = pen->count == 0 || passed > CT_PEN_GAP_S || touched;
  if (!pen->begun) {
    pen->motion.start_s = pen->motion.end_s = pen->measured.start_s = pen->measured.end_s = s->time_s;
    pen->grid_s = pen->read_s = s->time_s;
    pen->begun = true;
  }
  follow_clock(pen, s->time_s);
  watch_arrival(pen, fmax(s->time_s, pen->read_s), anew);
  count_interval(&pen->measured, passed, anew);
  memmove(pen->sample, pen->sample + 1, (SAMPLES - 1) * sizeof pen->sample[0]);
  pen->sample[SAMPLES - 1] = *s;
  pen->count = anew ? 1 : pen->count + (pen->count < SAMPLES);
  target aim = aim_at(pen);
  set_course(pen, &pen->measured, &aim, s->time_s);
  set_course(pen, &pen->motion, &aim, fmax(fmax(s->time_s, pen->motion.start_s), pen->read_s));
  return CT_OK;
}

ct_motion ct_pen_read(ct_pen *pen, double time_s) {
  ct_motion m = {.time_s = time_s, .log_jerk = pen->log_jerk, .arc_length = pen->arc_length, .fluidity = 1};
  if (!pen->begun || !isfinite(time_s))
    return m;
  const course *way = &pen->motion;
  follow_clock(pen, fmin(time_s, pen->sample[SAMPLES - 1].time_s + certain * pen->measured.interval_s));
  pen->read_s = fmax(pen->read_s, time_s);
  double rate[AXES], span = way->end_s - way->start_s;
  double t = span > 0 ? fmin(fmax((time_s - way->start_s) / span, 0), 1) : 1;
  double coasted = way->end_s + coast_s, left = time_s > coasted ? exp(-(time_s - coasted) / rest_s) : 1;
  move_axis(way, 0, time_s, &m.x_m, &rate[0]);
  move_axis(way, 1, time_s, &m.y_m, &rate[1]);
  move_axis(way, 2, time_s, &m.pressure, &rate[2]);
  m.speed_m_s = hypot(rate[0], rate[1]);
  m.pressure = fmin(fmax(m.pressure, 0), 1);
  m.acceleration_m_s2 = left * (way->last.along_m_s2 + t * (way->aim.along_m_s2 - way->last.along_m_s2));
  m.curvature_1_m = way->last.curvature_1_m + t * (way->aim.curvature_1_m - way->last.curvature_1_m);
  m.log_jerk = pen->log_jerk; /* as of now */
  m.arc_length = pen->arc_length;
  m.fluidity = pen->fluidity;
  return m;
}

/* ---- fluidity.h: the spectrum is summed directly at the few frequencies that count ---- */

/* A speed v (1 + cos(w t)/2) has v'' of mean square v^2 w^4/8 and a peak of 3/2 v, so over T seconds its
 * dimensionless jerk is T^4 w^4/18. */
double ct_fluidity(double log_jerk, double duration_s) {
  double swings_per_s = exp(-0.25 * log_jerk) / duration_s * pow(18, 0.25) / (2 * M_PI);
  return fmin(fmax(1 - log(swings_per_s) / log(7), 0), 1);
}

double ct_log_jerk(double duration_s, double peak_m_s, double squared_m2_s5) {
  if (!(peak_m_s > 0 && squared_m2_s5 > 0))
    return NAN;
  return -log(duration_s * duration_s * duration_s * squared_m2_s5 / (peak_m_s * peak_m_s));
}

/* |sum v exp(-i w n)| by Goertzel's recurrence. */
static double amplitude(const double *v, size_t count, double w) {
  double c = 2 * cos(w), s1 = 0, s2 = 0;
  for (size_t n = 0; n < count; n++) {
    double s = v[n] + c * s1 - s2;
    s2 = s1;
    s1 = s;
  }
  return sqrt(fmax(s1 * s1 + s2 * s2 - c * s1 * s2, 0));
}

double ct_arc_length(const double *v, size_t count, double rate_hz) {
  double whole = amplitude(v, count, 0), step_hz = rate_hz / ((double)count * CT_ARC_STEPS);
  if (!(whole > 0))
    return NAN;
  size_t steps = (size_t)(CT_ARC_HZ / step_hz), cut = 0;
  for (size_t i = 1; i <= steps; i++)
    if (amplitude(v, count, 2 * M_PI * (double)i * step_hz / rate_hz) >= CT_ARC_FLOOR * whole)
      cut = i;
  if (!cut)
    return NAN;
  double length = 0, last = 1;
  for (size_t i = 1; i <= cut; i++) {
    double now = amplitude(v, count, 2 * M_PI * (double)i * step_hz / rate_hz) / whole;
    double along = 1 / (double)cut;
    length += sqrt(along * along + (now - last) * (now - last));
    last = now;
  }
  return -length;
}
