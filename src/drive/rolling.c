/* A ball, wheel or barrel that rolls. Imposed, it moves as told. Free, its way is a mode of the scene
 * (body/way.h), solved with the contact: this file says which slope it meets.
 *
 * The slope of a sample is the path's secant over the way that is planned for it. A plan is made on every
 * tick, from where the ball is: the same way for every sample, T (v + v+) / 2 in all, with v+ as the mean
 * force since the last plan predicts it. The way that comes out differs from it by what the force does within
 * a tick; the slopes then belong to places so far off, which costs nobody anything: the account is exact for
 * any slope.
 *
 * Resistance stops it, and holds it while nothing stronger pulls. */
#include "drive/drive.h"

#include <math.h>
#include <string.h>

/* Slower than this is standing still: 1e-12 m/s is 30 um in a year. */
static const double standing_m_s = 1e-12;
/* On a shorter way the difference of two heights has too few digits, and the path's slope will do. */
static const double shortest_m = 1e-9;

const ct_drive_kind ct_roll_kind = {.name = "roll", .turns = true};

/* ---- mass ---- */

void ct_drive_fill_way(ct_drive *d, double step_s) {
  ct_body *body = &d->way;
  body->kind = &ct_way_kind;
  body->step_s = step_s;
  body->ports = d->way_port;
  body->port_count = CT_WAY_PORTS;
  body->predicted = CT_NO_LEVEL;
  body->revision = 1;
  body->as.way.step_s = step_s;
  body->as.way.mass_kg = 0;
  body->as.way.held = true;
  memcpy(body->name, d->name, sizeof body->name);
  ct_drive_fill_ends(d);
}

/* When the mass moves, kinetic energy stays: v = sqrt(2 K / M). What has lost its mass (its mode is no longer
 * at 0 Hz) keeps the last one. */
void ct_drive_weigh(ct_drive *d) {
  ct_way *w = &d->way.as.way;
  double mass = d->values.mass_kg, before = w->mass_kg, turning = d->kind->turns ? d->values.inertia : 0;
  for (int e = 0; e < 2 && !ct_drive_can_weigh(mass); e++) { /* free mass felt at an end of the contact */
    const ct_end *end = &d->contact->end[e];
    mass = end->body->kind->free_kg ? end->body->kind->free_kg(end->body, end->port) : 0;
  }
  w->along = 1 + turning;
  if (!ct_drive_can_weigh(mass))
    mass = d->carried_kg > 0 ? d->carried_kg : ct_drive_given_kg(d);
  d->carried_kg = mass;
  if (!d->free || !(mass > 0) || mass * (1 + turning) == before)
    return;
  w->mass_kg = mass * (1 + turning);
  w->yield_m_n = w->step_s * w->step_s / (2 * w->mass_kg);
  w->gains_m_s_n = w->step_s / w->mass_kg;
  d->way.revision++;
  if (before > 0) {
    d->v_m_s = w->v_m_s *= sqrt(before / w->mass_kg);
    w->rest_m_s = 0; /* of the faster one: far too much for a slower */
  }
}

/* ---- the plan ---- */

static double pull_n(const ct_drive *d) {
  return d->values.push_n + d->carried_kg * d->gravity_m_s2 * d->values.slope;
}

void ct_drive_pull(ct_drive *d) { d->way.as.way.pull_n = pull_n(d); }

double ct_drive_slope_here(ct_drive *d) {
  double slope = ct_trail_slope(&d->trail[d->now], d->x_m);
  if (d->blend_step > 0)
    slope += d->blend * (ct_trail_slope(&d->trail[!d->now], d->x_m) - slope);
  return slope + 2 * M_PI * d->trail[d->now].turns_per_m * d->lean_m * d->cosine;
}

/* Speed after a span; -f slope is the path's share of what moves it. */
static double predict(const ct_drive *d, double span_s) {
  const ct_way *w = &d->way.as.way;
  double per_n = span_s / w->mass_kg, v = d->v_m_s + per_n * (pull_n(d) - d->pressed_n * d->slope),
         held = per_n * d->values.resistance * d->pressed_n;
  if (fabs(v) <= held)
    return 0;
  return v > 0 ? v - held : v + held;
}

static void plan(ct_drive *d, double step_s, uint32_t samples) {
  if (!isfinite(d->x_m) || !isfinite(d->v_m_s)) {
    /* Numbers have left a double's range: better a ball that stands than one that is nowhere for ever. */
    ct_way *w = &d->way.as.way;
    d->x_m = w->x_m = isfinite(d->from_m) ? d->from_m : 0;
    d->v_m_s = w->v_m_s = w->rest_m_s = 0;
    d->turned = isfinite(d->turned) ? d->turned : 0;
    d->faced = NAN; /* turned afresh on the next tick */
  }
  if (ct_drive_blended(d))
    ct_drive_take_over(d);
  if (d->v_m_s != 0 && fabs(d->v_m_s) < standing_m_s) {
    d->lost_j += ct_way_kinetic_j(&d->way.as.way);
    d->v_m_s = d->way.as.way.v_m_s = d->way.as.way.rest_m_s = 0;
  }
  /* The mean of the force since the last plan stands for what is to come. */
  double now = d->contact->force_n, mean = d->pressed_count ? d->pressed_sum_n / d->pressed_count : now;
  d->pressed_n = mean > 0 ? mean : 0;
  d->pressed_sum_n = 0;
  d->pressed_count = 0;
  d->from_m = d->plan_m = d->x_m;
  d->plan_sine = d->sine;
  d->plan_cosine = d->cosine;
  d->path_m[d->now] = ct_trail_read(&d->trail[d->now], d->x_m);
  if (d->blend_step > 0)
    d->path_m[!d->now] = ct_trail_read(&d->trail[!d->now], d->x_m);
  d->slope = ct_drive_slope_here(d);
  d->way_m = step_s * (d->v_m_s + predict(d, samples * step_s)) / 2;
  d->planned = samples;
}

/* With nothing to pull it, what the path's slope asks for and what resistance holds both grow with the force:
 * where it is held, it is held for good. The slope is that of the last plan, so it must have stood through
 * that. */
static bool stays(const ct_drive *d) {
  return d->v_m_s == 0 && !d->streamed && d->stood && !d->planned && !d->changing && !d->wants_jump &&
         !d->near[CT_LOW_END] && !d->near[CT_HIGH_END] && d->values.push_n == 0 && d->values.slope == 0 &&
         fabs(d->slope) <= d->values.resistance;
}

uint32_t ct_roll_plan_length(ct_drive *d, double step_s, uint32_t to_tick) {
  d->still = stays(d);
  if (d->still) {
    d->way.as.way.held = true;
    return to_tick;
  }
  if (!d->planned)
    plan(d, step_s, to_tick);
  return d->planned;
}

/* ---- slopes ---- */

static double lean_on(ct_drive *d) {
  double before = d->plan_sine;
  d->plan_sine = before * d->turn_cosine + d->plan_cosine * d->turn_sine;
  d->plan_cosine = d->plan_cosine * d->turn_cosine - before * d->turn_sine;
  return d->lean_m * (d->plan_sine - before);
}

/* With another path that grows beside the one that is read. */
static void run_changing(ct_drive *d, double step_s, uint32_t count, bool moves) {
  double per_way = 1 / d->way_m;
  for (uint32_t n = 0; n < count; n++) {
    ct_drive_grow_other(d, d->plan_m, step_s);
    d->plan_m += moves ? d->way_m : 0;
    d->ahead[n] = moves ? (ct_drive_climb(d, d->plan_m) + lean_on(d)) * per_way : d->slope;
    ct_drive_blend_on(d);
  }
}

/* The path at the next places. By itself: little has to be put aside where a new cell is entered. */
static void read_ahead(ct_drive *d, uint32_t count, double path_m[CT_TICK]) {
  ct_trail *trail = &d->trail[d->now];
  double x = d->plan_m, way = d->way_m;
  for (uint32_t n = 0; n < count; n++) {
    x += way;
    path_m[n] = ct_trail_read(trail, x);
  }
  d->plan_m = x;
}

/* From copies, because a store to `ahead` might else be one to what is kept. */
static void run_planned(ct_drive *d, uint32_t count) {
  double path_m[CT_TICK], per_way = 1 / d->way_m, lean_m = d->lean_m, before = d->path_m[d->now],
                          sine = d->plan_sine, cosine = d->plan_cosine, s = d->turn_sine, c = d->turn_cosine;
  read_ahead(d, count, path_m);
  for (uint32_t n = 0; n < count; n++) {
    double next = sine * c + cosine * s;
    d->ahead[n] = (path_m[n] - before + lean_m * (next - sine)) * per_way;
    cosine = cosine * c - sine * s;
    sine = next;
    before = path_m[n];
  }
  d->path_m[d->now] = before;
  d->plan_sine = sine;
  d->plan_cosine = cosine;
}

void ct_roll_run(ct_drive *d, double step_s, uint32_t count) {
  bool moves = fabs(d->way_m) >= shortest_m;
  ct_drive_pull(d);
  d->way.as.way.resistance = d->values.resistance;
  if (moves && d->way_m != d->turn_way_m)
    ct_drive_aim(d, d->way_m);
  if (d->changing)
    run_changing(d, step_s, count, moves);
  else if (moves)
    run_planned(d, count);
  else
    for (uint32_t n = 0; n < count; n++)
      d->ahead[n] = d->slope;
}

/* ---- arriving ---- */

/* The plan is over, or off: from here on another one counts. Its way has turned the ball as a whole, so how
 * many samples were taken at a time does not matter. */
static void end_plan(ct_drive *d) {
  double way = d->x_m - d->from_m;
  d->planned = 0;
  d->from_turned = d->turned;
  d->stood = way == 0;
  if (d->stood)
    return;
  d->from_m = d->x_m;
  if (d->lean_m == 0)
    return; /* on the tick that leans it, it is turned afresh */
  ct_drive_aim(d, way);
  double sine = d->sine;
  d->sine = sine * d->turn_cosine + d->cosine * d->turn_sine;
  d->cosine = d->cosine * d->turn_cosine - sine * d->turn_sine;
}

void ct_drive_advance(ct_drive *d, uint32_t count) {
  const ct_way *w = &d->way.as.way;
  d->x_m = w->x_m;
  d->v_m_s = w->v_m_s;
  d->turned = d->from_turned + (d->x_m - d->from_m) * d->trail[d->now].turns_per_m;
  d->pressed_count += count;
  d->planned -= count;
  if (!d->planned)
    end_plan(d);
}

/* What was planned is off. */
void ct_drive_throw(ct_drive *d, double v_m_s) {
  if (d->planned)
    end_plan(d);
  d->v_m_s = d->way.as.way.v_m_s = v_m_s;
  d->way.as.way.rest_m_s = 0;
}
