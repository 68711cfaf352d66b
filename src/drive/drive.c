/* What all drives share: the path under them, and the contact it moves.
 *
 * The path is read from a trail that is frozen: another radius, roughness or level is another trail, grown
 * beside the first and blended in over 10 ms. What the offset gains along the way is the drive's own work;
 * what a blend or a changed parameter adds is imposed motion. */
#include "drive/drive.h"

#include <math.h>

static const double usual_radius_m = 0.02; /* what exaggeration leaves as it is */
static const double fade_s = 0.01;
enum { LEAST_REACH = 256, MOST_REACH = 8192 };

/* ---- room ---- */

uint32_t ct_drive_reach(double radius_m, double grid_m) {
  double reach = 4 * radius_m / grid_m; /* to grow into; beyond it coarser levels are read */
  return reach > MOST_REACH ? MOST_REACH : reach < LEAST_REACH ? LEAST_REACH : (uint32_t)reach;
}

void ct_drive_lay(ct_drive *d, ct_arena *arena, uint32_t reach) {
  ct_round_lay(&d->round, arena);
  for (int i = 0; i < 2; i++)
    ct_trail_lay(&d->trail[i], arena, reach);
}

/* ---- which path ---- */

/* Larger than usual becomes larger still, smaller smaller. */
static double radius_of(const ct_drive *d) {
  double r = d->values.radius_m, e = d->values.exaggerate;
  return e == 1 ? r : r * pow(r / usual_radius_m, (e - 1) / 2);
}

/* The centre of mass stays well inside. */
static double lean_of(const ct_drive *d) {
  return d->kind->turns ? fmin(d->values.asymmetry_m * d->values.exaggerate, radius_of(d) / 4) : 0;
}

/* Coarse enough for the speed, and for the room there is. With a margin, so that a speed at the border of two
 * levels does not waver between them. */
static uint32_t level_of(const ct_drive *d, double radius_m, double step_s) {
  double grid = d->surface->grid_m, way = fabs(d->v_m_s) * step_s;
  uint32_t least = ct_level_for(grid, way / 0.9), most = ct_level_for(grid, way / 0.4),
           level = d->trail[d->now].def.level, roomy = 0;
  level = level < least ? least : level > most ? most : level;
  while (roomy + 1 < CT_SURFACE_LEVELS && radius_m > ct_level_step_m(grid, roomy) * d->trail[0].filter.most)
    roomy++;
  return level < roomy ? roomy : level;
}

static bool same_values(const ct_surface_values *a, const ct_surface_values *b) {
  return a->depth_m == b->depth_m && a->length_m == b->length_m && a->width_octaves == b->width_octaves &&
         a->beta == b->beta && a->density == b->density && a->gap_m == b->gap_m &&
         a->irregularity == b->irregularity;
}

/* The path wanted now; false when it is the one that is read, and then there is no definition. */
static bool want_path(const ct_drive *d, ct_surface_values values, double step_s, bool anew,
                      ct_trail_def *wanted) {
  const ct_trail_def *now = &d->trail[d->now].def;
  double radius_m = radius_of(d), round_m = d->values.out_of_round_m * d->values.exaggerate;
  uint32_t level = level_of(d, radius_m, step_s);
  values.depth_m *= d->values.exaggerate;
  if (!anew && level == now->level && radius_m == now->radius_m && round_m == now->round_depth_m &&
      same_values(&values, &now->relief.values))
    return false;
  *wanted = (ct_trail_def){.level = level,
                           .radius_m = radius_m,
                           .round = d->kind->turns ? &d->round : NULL,
                           .round_depth_m = round_m,
                           .turn = d->turned,
                           .turn_at_m = d->x_m};
  ct_relief_make(&wanted->relief, d->surface->kind, &values, d->surface->grid_m, d->surface->seed,
                 &d->surface->scan);
  return true;
}

/* ---- turning ---- */

static void face(ct_drive *d) {
  double whole = floor(d->turned), angle = 2 * M_PI * (d->turned - whole);
  d->faced = whole;
  d->sine = sin(angle);
  d->cosine = cos(angle);
}

/* What a sample turns by: a small angle by its series, kept while the way is the same. */
static void aim(ct_drive *d, double turns_per_m, double way_m) {
  double angle = 2 * M_PI * turns_per_m * way_m, a2 = angle * angle;
  bool small = a2 < 4e-4;
  d->turn_way_m = way_m;
  d->turn_sine = small ? angle * (1 - a2 * (1.0 / 6) * (1 - a2 * (1.0 / 20))) : sin(angle);
  d->turn_cosine = small ? 1 - a2 / 2 * (1 - a2 * (1.0 / 12)) : cos(angle);
}

/* What rounding adds up is set right once per turn. */
static void turn(ct_drive *d) {
  double sine = d->sine;
  d->sine = sine * d->turn_cosine + d->cosine * d->turn_sine;
  d->cosine = d->cosine * d->turn_cosine - sine * d->turn_sine;
}

/* ---- the path ---- */

static double other_place(const ct_drive *d) { return d->jumping ? d->jump_m : d->x_m; }

static void begin_other(ct_drive *d, const ct_trail_def *def) {
  ct_trail_begin(&d->trail[!d->now], def, other_place(d));
  d->changing = true;
  d->blend = d->blend_step = 0;
}

static int towards(const ct_drive *d) { return d->v_m_s > 0 ? 1 : d->v_m_s < 0 ? -1 : 0; }

/* The other trail grows; once it is known it begins to fade in. */
static void grow_other(ct_drive *d, double step_s) {
  ct_trail *other = &d->trail[!d->now];
  ct_trail_work(other, other_place(d), towards(d), 1);
  if (d->blend_step > 0 || !ct_trail_knows(other, other_place(d)))
    return;
  d->blend_step = step_s / fade_s;
  d->path_m[!d->now] = ct_trail_read(other, other_place(d));
}

/* Rise of the path since the last place. */
static inline double climb(ct_drive *d) {
  double here = ct_trail_read(&d->trail[d->now], d->x_m), rise = here - d->path_m[d->now];
  d->path_m[d->now] = here;
  if (d->blend_step > 0) {
    double other = ct_trail_read(&d->trail[!d->now], other_place(d));
    rise += d->blend * (other - d->path_m[!d->now] - rise);
    d->path_m[!d->now] = other;
  }
  return rise;
}

static double slope_here(ct_drive *d) {
  const ct_trail *trail = &d->trail[d->now];
  double slope = ct_trail_slope(&d->trail[d->now], d->x_m);
  if (d->blend_step > 0)
    slope += d->blend * (ct_trail_slope(&d->trail[!d->now], other_place(d)) - slope);
  return slope + 2 * M_PI * trail->turns_per_m * d->lean_m * d->cosine;
}

/* What the offset gains by blending over to the other trail. */
static double fade(ct_drive *d) {
  double before = d->blend;
  if (d->blend_step == 0)
    return 0;
  d->blend = fmin(1, before + d->blend_step);
  double gain = (d->blend - before) * (d->path_m[!d->now] - d->path_m[d->now]);
  if (d->blend < 1)
    return gain;
  if (d->jumping)
    d->x_m = d->jump_m;
  d->now = !d->now;
  d->changing = d->jumping = false;
  d->blend = d->blend_step = 0;
  d->turn_way_m = NAN;
  return gain;
}

/* The centre of mass goes up and down as it turns: c = lean sin(angle) on top of the path (Rath 2003,
 * equation 3), so the contact's force is modulated by its acceleration, mass lean (v / r)^2 sin(angle)
 * (equation 4), and lifting it costs speed. */
static inline double lean(ct_drive *d, double way_m) {
  double before = d->sine, turns_per_m = d->trail[d->now].turns_per_m;
  d->turned += way_m * turns_per_m;
  if (way_m != d->turn_way_m)
    aim(d, turns_per_m, way_m);
  turn(d);
  return d->lean_m * (d->sine - before);
}

static double leader_now(const ct_drive *d) {
  const ct_body *b = d->leader.body;
  return ct_port_x_m(b, b->points[d->leader.point].port[CT_TANGENTIAL]);
}

/* ---- the way ---- */

/* No further than the end of the way. */
static double stop_at_end(ct_drive *d, double way) {
  const ct_drive_values *v = &d->values;
  double to = d->x_m + way;
  d->struck = false;
  if (v->low_m >= v->high_m || (to >= v->low_m && to <= v->high_m))
    return way;
  double end = to > v->high_m ? v->high_m : v->low_m;
  d->struck = (end - d->x_m) * way >= 0 && way != 0; /* else it was put outside: let it come in */
  return d->struck ? end - d->x_m : way;
}

/* The way of a sample as it is imposed, by a leader or by a speed. */
static double follow(ct_drive *d, double step_s) {
  double most = d->values.acceleration_m_s2 * step_s, change = d->values.speed_m_s - d->v_m_s;
  if (!d->leader.body) {
    d->next_m_s = most > 0 ? d->v_m_s + fmin(fmax(change, -most), most) : d->values.speed_m_s;
    return step_s * (d->v_m_s + d->next_m_s) / 2;
  }
  double at = leader_now(d), way = at - d->leader_m;
  d->leader_m = at;
  d->next_m_s = way / step_s;
  return way;
}

/* Held while it is carried somewhere else. What rolls has ends to its way; a hand that scrapes has none. */
static double imposed_way(ct_drive *d, double step_s) {
  double way = follow(d, step_s);
  if (d->kind->turns)
    way = stop_at_end(d, way);
  if (d->jumping)
    return 0;
  d->v_m_s = d->struck ? 0 : d->next_m_s;
  return way;
}

static double plan_way(ct_drive *d, double step_s, uint32_t samples) {
  d->planned = samples;
  d->next_m_s = d->moved_kg > 0 && !d->jumping ? d->kind->predict(d, samples * step_s) : d->v_m_s;
  return d->jumping ? 0 : step_s * (d->v_m_s + d->next_m_s) / 2;
}

/* The mean of the force since the last plan stands for what is to come. False: there was none to go by. */
static bool recall_force(ct_drive *d) {
  double now = d->contact->force_n, mean = d->pressed_count ? d->pressed_sum_n / d->pressed_count : now;
  bool known = d->pressed_count > 0 || now != 0;
  d->pressed_n = mean > 0 ? mean : 0;
  d->pressed_sum_n = 0;
  d->pressed_count = 0;
  return known;
}

/* A free one is planned up to the next tick, or by single samples where its way ends or its weight is not yet
 * known. */
static void plan(ct_drive *d, double step_s, uint32_t to_tick) {
  uint32_t samples = recall_force(d) ? to_tick : 1;
  d->slope = slope_here(d);
  d->way_m = plan_way(d, step_s, samples);
  stop_at_end(d, samples * d->way_m);
  if (d->struck)
    d->way_m = stop_at_end(d, plan_way(d, step_s, 1));
}

static inline bool stays(const ct_drive *d) {
  return d->free && !d->planned && !d->changing && !d->wants_jump && d->knock_n_s == 0 && d->kind->stays(d);
}

uint32_t ct_drive_foresee(ct_drive *d, double step_s, uint32_t to_tick) {
  d->still = stays(d);
  if (d->still)
    return to_tick;
  if (d->free && !d->planned)
    plan(d, step_s, to_tick);
  return d->knock_n_s > 0 || d->leader.body ? 1 : d->free ? d->planned : to_tick;
}

static void knock(ct_drive *d, double step_s) {
  ct_point *point = &d->rim.body->points[d->rim.point];
  double length = d->values.knock_s;
  d->knock_left_s = fmin(d->knock_left_s - step_s, length);
  bool over = d->knock_left_s <= 0;
  point->knock_n = over ? 0 : d->knock_n_s * M_PI / (2 * length) * sin(M_PI * d->knock_left_s / length);
  d->knock_n_s = over ? 0 : d->knock_n_s;
  ct_point_push(d->rim.body, point);
}

static double go(ct_drive *d, double way_m) {
  d->x_m += way_m;
  double climbed = climb(d);
  return d->kind->turns ? climbed + lean(d, way_m) : climbed;
}

/* Imposed, standing, or with another path that grows beside the one that is read. */
static void run_anyhow(ct_drive *d, double step_s, uint32_t count) {
  for (uint32_t n = 0; n < count; n++) {
    double way = d->free ? d->way_m : imposed_way(d, step_s);
    if (d->changing)
      grow_other(d, step_s);
    double climbed = way != 0 || d->changing ? go(d, way) : 0, closed = climbed + fade(d);
    d->offset_m += closed;
    d->step[n] = (ct_drive_step){.way_m = way, .climbed_m = climbed, .closed_m = closed};
  }
}

/* The path at the next places. By itself: little has to be put aside where a new cell is entered. */
static void read_ahead(ct_drive *d, uint32_t count, double path_m[CT_TICK]) {
  ct_trail *trail = &d->trail[d->now];
  double x = d->x_m, way = d->way_m;
  for (uint32_t n = 0; n < count; n++) {
    x += way;
    path_m[n] = ct_trail_read(trail, x);
  }
  d->x_m = x;
}

/* The same where the way is planned, and the path is the one that is read: from copies, because a store to
 * the steps might else be one to what is kept. */
static void run_planned(ct_drive *d, uint32_t count) {
  double path_m[CT_TICK], turns_per_m = d->trail[d->now].turns_per_m, way = d->way_m, lean_m = d->lean_m;
  double before = d->path_m[d->now], sine = d->sine, cosine = d->cosine, turned = d->turned,
         offset = d->offset_m;
  if (way != d->turn_way_m)
    aim(d, turns_per_m, way);
  double s = d->turn_sine, c = d->turn_cosine, turns = way * turns_per_m;
  read_ahead(d, count, path_m);
  for (uint32_t n = 0; n < count; n++) {
    double next = sine * c + cosine * s, climbed = path_m[n] - before + lean_m * (next - sine);
    cosine = cosine * c - sine * s;
    sine = next;
    before = path_m[n];
    turned += turns;
    offset += climbed;
    d->step[n].way_m = way;
    d->step[n].climbed_m = d->step[n].closed_m = climbed;
  }
  d->path_m[d->now] = before;
  d->sine = sine;
  d->cosine = cosine;
  d->turned = turned;
  d->offset_m = offset;
}

void ct_drive_run(ct_drive *d, double step_s, uint32_t count) {
  _Static_assert(CT_TICK <= CT_TRAIL_SAMPLES, "a trail keeps ahead of a tick's way");
  if (d->knock_n_s > 0)
    knock(d, step_s);
  if (d->still)
    return;
  ct_trail_work(&d->trail[d->now], d->x_m, towards(d), count);
  if (d->changing || !d->free || d->way_m == 0 || !d->kind->turns)
    run_anyhow(d, step_s, count);
  else
    run_planned(d, count);
}

/* Arrived where the plan led: the account says how fast. */
static double arrive(ct_drive *d) {
  double lost = 0;
  if (d->next_m_s == 0) { /* stands; the last of its speed went into resistance */
    lost = d->kinetic_j;
    d->kinetic_j = 0;
  }
  d->v_m_s = copysign(sqrt(2 * d->kinetic_j * d->per_kg), d->next_m_s);
  return d->struck ? lost + d->kind->rebound(d) : lost;
}

void ct_drive_settle(ct_drive *d, uint32_t count, ct_drive_tally *tally) {
  d->kind->pay(d, d->step, count, tally);
  for (uint32_t n = 0; n < count; n++)
    d->pressed_sum_n += d->step[n].force_n > 0 ? d->step[n].force_n : 0;
  d->pressed_count += count;
  d->planned -= count;
  if (!d->planned)
    tally->lost_j += arrive(d);
}

/* ---- the drive ---- */

void ct_drive_start(ct_drive *d, const ct_surface_values *values, double step_s) {
  ct_trail_def def;
  ct_trail *trail = &d->trail[d->now];
  want_path(d, *values, step_s, true, &def);
  ct_trail_begin(trail, &def, d->x_m);
  while (!ct_trail_knows(trail, d->x_m))
    ct_trail_work(trail, d->x_m, 0, 1);
  d->changing = d->jumping = d->wants_jump = false;
  d->blend = d->blend_step = 0;
  d->planned = 0;
  d->turn_way_m = NAN;
  d->lean_m = lean_of(d);
  face(d);
  d->path_m[d->now] = ct_trail_read(trail, d->x_m);
  d->slope = slope_here(d);
}

/* Where the plane's point is when the drive is at 0. */
static void begin_travel(ct_drive *d) {
  if (d->plane.body)
    d->travel_from = d->plane.body->points[d->plane.point].place[d->plane_axis] - d->x_m / d->travel_m;
}

void ct_drive_meet(ct_drive *d, double gravity_m_s2) {
  d->gravity_m_s2 = gravity_m_s2;
  d->leader_m = d->leader.body ? leader_now(d) : 0;
  ct_drive_weigh(d);
}

void ct_drive_join(ct_drive *d, double gravity_m_s2) {
  begin_travel(d);
  ct_drive_meet(d, gravity_m_s2);
}

static void hand_over(ct_drive *d, double closed_m) {
  d->offset_m += closed_m;
  d->contact->offset_m += closed_m;
  d->contact->gap_step_m += closed_m;
}

/* Parameters act on ticks. The centre of mass that a knob moves is moved by the knob. */
void ct_drive_tick(ct_drive *d, double step_s) {
  ct_trail_def def;
  double lean_m = lean_of(d);
  if (lean_m > 0 && (d->lean_m == 0 || floor(d->turned) != d->faced))
    face(d);
  hand_over(d, (lean_m - d->lean_m) * d->sine);
  d->lean_m = lean_m;
  if (d->changing)
    return;
  d->jumping = d->wants_jump;
  d->jump_m = d->wish_m;
  d->wants_jump = false;
  if (want_path(d, d->surface->values, step_s, d->jumping, &def))
    begin_other(d, &def);
}

/* The plane's point is where the drive is. */
void ct_drive_travel(ct_drive *d, bool leap) {
  ct_point_carry(d->plane.body, &d->plane.body->points[d->plane.point], d->plane_axis,
                 d->travel_from + d->x_m / d->travel_m, leap);
}

/* Free mass felt at an end of the contact; 0 where there is none. */
static double free_mass(const ct_end *end) {
  return end->body->kind == &ct_modal_kind ? ct_modal_free_kg(end->body, end->port) : 0;
}

double ct_drive_given_kg(const ct_drive *d) {
  double mass = d->values.mass_kg;
  for (int e = 0; e < 2 && mass == 0; e++)
    mass = d->contact->end[e].body->ports[d->contact->end[e].port].given_kg;
  return mass;
}

void ct_drive_weigh(ct_drive *d) {
  double mass = d->values.mass_kg;
  for (int e = 0; e < 2 && mass == 0; e++)
    mass = free_mass(&d->contact->end[e]);
  double moved = mass * (1 + (d->kind->turns ? d->values.inertia : 0));
  d->carried_kg = mass;
  if (moved == d->moved_kg)
    return;
  d->moved_kg = moved;
  d->per_kg = moved > 0 ? 1 / moved : 0;
  d->kinetic_j = d->free ? moved * d->v_m_s * d->v_m_s / 2 : 0;
}

/* What was planned is off. */
void ct_drive_throw(ct_drive *d, double v_m_s) {
  d->planned = 0;
  d->v_m_s = v_m_s;
  d->kinetic_j = d->free ? d->moved_kg * v_m_s * v_m_s / 2 : 0;
}

/* A later wish replaces one that is not yet on its way. */
void ct_drive_put(ct_drive *d, double x_m) {
  d->wish_m = x_m;
  d->wants_jump = true;
}

double ct_drive_place_m(const ct_drive *d) {
  return d->wants_jump ? d->wish_m : d->jumping ? d->jump_m : d->x_m;
}
