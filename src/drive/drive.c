/* What all drives share: the path under them, and the contact it moves; and drives that are imposed.
 *
 * The path is read from a trail that is frozen: another radius, roughness or level is another trail, grown
 * beside the first. Over 10 ms its increments are blended in; its height does not matter. */
#include "drive/drive.h"

static const double usual_radius_m = 0.02; /* what exaggeration leaves as it is */
static const double fade_s = 0.01;
enum { LEAST_REACH = 256, MOST_REACH = 8192 };

/* ---- room ---- */

uint32_t ct_drive_reach(double radius_m, double grid_m) {
  double reach = 4 * radius_m / grid_m; /* to grow into; beyond it coarser levels are read */
  return reach > MOST_REACH ? MOST_REACH : reach < LEAST_REACH ? LEAST_REACH : (uint32_t)reach;
}

void ct_drive_lay(ct_drive *d, ct_arena *arena, uint32_t reach) {
  if (d->kind->turns)
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

static double other_place(const ct_drive *d, double x_m) { return d->jumping ? d->jump_m : x_m; }

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
                           .turn_at_m = other_place(d, d->x_m)};
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
void ct_drive_aim(ct_drive *d, double way_m) {
  double angle = 2 * M_PI * d->trail[d->now].turns_per_m * way_m, a2 = angle * angle;
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

/* Of a free one, as planned: how many samples are taken at a time does not change that. */
static int towards(const ct_drive *d) {
  double speed = d->free ? d->way_m : d->v_m_s;
  return speed > 0 ? 1 : speed < 0 ? -1 : 0;
}

/* The other trail grows; once it is known it begins to fade in. */
void ct_drive_grow_other(ct_drive *d, double x_m, double step_s) {
  ct_trail *other = &d->trail[!d->now];
  double place = other_place(d, x_m);
  ct_trail_work(other, place, towards(d), 1);
  if (d->jumping || d->blend_step > 0 || !ct_trail_knows(other, place))
    return;
  d->blend_step = step_s / fade_s;
  d->path_m[!d->now] = ct_trail_read(other, place);
}

double ct_drive_climb(ct_drive *d, double x_m) {
  double here = ct_trail_read(&d->trail[d->now], x_m), rise = here - d->path_m[d->now];
  d->path_m[d->now] = here;
  if (d->blend_step > 0) {
    double other = ct_trail_read(&d->trail[!d->now], x_m);
    rise += d->blend * (other - d->path_m[!d->now] - rise);
    d->path_m[!d->now] = other;
  }
  return rise;
}

void ct_drive_blend_on(ct_drive *d) { d->blend = fmin(1, d->blend + d->blend_step); }

bool ct_drive_blended(const ct_drive *d) {
  return d->changing && (d->jumping ? ct_trail_knows(&d->trail[!d->now], d->jump_m) : d->blend >= 1);
}

/* Put somewhere else, it rides on from there. */
void ct_drive_take_over(ct_drive *d) {
  d->now = !d->now;
  if (d->jumping) {
    d->x_m = d->way.as.way.x_m = d->jump_m;
    d->path_m[d->now] = ct_trail_read(&d->trail[d->now], d->x_m);
  }
  d->changing = d->jumping = false;
  d->blend = d->blend_step = 0;
  d->turn_way_m = NAN;
}

/* The centre of mass goes up and down as it turns: c = lean sin(angle) on top of the path (Rath 2003,
 * equation 3), so the contact's force is modulated by its acceleration, mass lean (v / r)^2 sin(angle)
 * (equation 4), and lifting it costs speed. */
double ct_drive_lean(ct_drive *d, double way_m) {
  double before = d->sine;
  d->turned += way_m * d->trail[d->now].turns_per_m;
  if (way_m != d->turn_way_m)
    ct_drive_aim(d, way_m);
  turn(d);
  return d->lean_m * (d->sine - before);
}

/* ---- imposed ---- */

double ct_drive_leader_m(const ct_drive *d) {
  const ct_body *b = d->leader.body;
  return ct_port_x_m(b, b->points[d->leader.point].port[CT_TANGENTIAL]);
}

/* No further than the end of the way; a hand that goes on there is stopped. One put outside may come in. */
double ct_drive_stop_at_end(ct_drive *d, double way) {
  const ct_drive_def *v = &d->values;
  double to = d->x_m + way, end = to > v->high_m ? v->high_m : v->low_m;
  if (v->low_m >= v->high_m || (to >= v->low_m && to <= v->high_m) || (end - d->x_m) * way < 0 || way == 0)
    return way;
  d->next_m_s = 0;
  return end - d->x_m;
}

/* The way of a sample as it is imposed, by a leader or by a speed. */
static double follow(ct_drive *d, double step_s) {
  double most = d->values.acceleration_m_s2 * step_s, change = d->values.speed_m_s - d->v_m_s;
  if (!d->leader.body) {
    d->next_m_s = most > 0 ? d->v_m_s + fmin(fmax(change, -most), most) : d->values.speed_m_s;
    return step_s * (d->v_m_s + d->next_m_s) / 2;
  }
  double at = ct_drive_leader_m(d), way = at - d->leader_m;
  d->leader_m = at;
  d->next_m_s = way / step_s;
  return way;
}

/* Held while it is put somewhere else. What rolls has ends to its way; a hand that scrapes has none. */
static double imposed_way(ct_drive *d, double step_s) {
  double way = follow(d, step_s);
  if (d->kind->turns)
    way = ct_drive_stop_at_end(d, way);
  if (d->jumping)
    return 0;
  d->v_m_s = d->next_m_s;
  return way;
}

static double go(ct_drive *d, double way_m) {
  d->x_m += way_m;
  double climbed = ct_drive_climb(d, d->x_m);
  return d->kind->turns ? climbed + ct_drive_lean(d, way_m) : climbed;
}

static void run_imposed(ct_drive *d, double step_s, uint32_t count) {
  for (uint32_t n = 0; n < count; n++) {
    d->values.speed_m_s = d->told ? d->told_m_s[n] : d->values.speed_m_s;
    double way = imposed_way(d, step_s);
    if (d->changing)
      ct_drive_grow_other(d, d->x_m, step_s);
    d->ahead[n] = way != 0 ? go(d, way) : 0;
    if (d->changing)
      ct_drive_blend_on(d);
    if (ct_drive_blended(d))
      ct_drive_take_over(d);
  }
}

/* ---- both ---- */

uint32_t ct_drive_plan_length(ct_drive *d, double step_s, uint32_t to_tick) {
  if (d->free)
    return ct_roll_plan_length(d, step_s, to_tick);
  return d->leader.body ? 1 : to_tick;
}

void ct_drive_run(ct_drive *d, double step_s, uint32_t count) {
  _Static_assert(CT_TICK <= CT_TRAIL_SAMPLES, "a trail keeps ahead of a tick's way");
  if (d->still)
    return;
  ct_trail_work(&d->trail[d->now], d->x_m, towards(d), count);
  if (d->free)
    ct_roll_run(d, step_s, count);
  else if (d->led)
    ct_led_run(d, step_s);
  else
    run_imposed(d, step_s, count);
  for (uint32_t n = 0; d->removed_at && n < count; n++)
    d->ahead[n] *= d->share_left;
}

/* In a loop of its own: what ct_drive_lead, the way's step and ct_drive_feel make of it. */
static void coast_freely(ct_drive *d, uint32_t from, uint32_t to) {
  ct_way w = d->way.as.way;
  double pressed_n = d->contact->force_n, ends_n = ct_drive_ends_n(d), offset_m = d->contact->offset_m,
         own_m = d->offset_m;
  bool held = w.held;
  for (uint32_t n = from; n < to; n++) {
    ct_way_begin(&w, ct_drive_slope(d, n), pressed_n, ends_n);
    w.held |= d->jumping;
    double rise_m = d->ahead[n] * ct_way_go(&w, 1, 0, 0).way_m;
    offset_m += rise_m;
    own_m += rise_m;
  }
  d->way.revision += held != w.held;
  d->way.predicted = CT_NO_LEVEL;
  d->way.as.way = w;
  d->way_port[CT_WAY_ALONG].x_m = w.along * w.x_m;
  d->contact->offset_m = offset_m;
  d->offset_m = own_m;
}

void ct_drive_coast(ct_drive *d, uint32_t from, uint32_t to) {
  if (d->free && !d->still)
    coast_freely(d, from, to);
  for (uint32_t n = from; n < to && !d->free; n++)
    ct_drive_lead(d, n);
}

double ct_drive_reach_m(const ct_drive *d, double step_s, uint32_t count, double slide_m) {
  double sum = 0, steepest = 0;
  for (uint32_t n = 0; n < count && !d->still; n++) {
    sum += fabs(d->ahead[n]);
    steepest = fmax(steepest, fabs(d->ahead[n]));
  }
  if (!d->free || d->still)
    return sum;
  steepest += d->slides ? fabs(d->slide_gain) * slide_m : 0;
  return ct_way_reach_m(&d->way.as.way, count * step_s) * steepest;
}

void ct_drive_start(ct_drive *d, const ct_surface_values *values, double step_s) {
  ct_trail_def def;
  ct_trail *trail = &d->trail[d->now];
  d->changing = d->jumping = d->wants_jump = false;
  want_path(d, *values, step_s, true, &def);
  ct_trail_begin(trail, &def, d->x_m);
  while (!ct_trail_knows(trail, d->x_m))
    ct_trail_work(trail, d->x_m, 0, 1);
  d->blend = d->blend_step = 0;
  d->planned = 0;
  d->turn_way_m = NAN;
  d->lean_m = lean_of(d);
  face(d);
  d->path_m[d->now] = ct_trail_read(trail, d->x_m);
}

void ct_drive_meet(ct_drive *d, double gravity_m_s2) {
  d->gravity_m_s2 = gravity_m_s2;
  d->leader_m = d->leader.body ? ct_drive_leader_m(d) : 0;
  d->way.as.way.x_m = d->from_m = d->x_m;
  d->way.as.way.v_m_s = d->v_m_s;
  d->from_turned = d->turned;
  ct_drive_weigh(d);
}

void ct_drive_join(ct_drive *d, double gravity_m_s2) {
  if (d->plane.body) /* where its point is when the drive is at 0 */
    d->travel_from = d->plane.body->points[d->plane.point].place[d->plane_axis] - d->x_m / d->travel_m;
  ct_drive_meet(d, gravity_m_s2);
}

double ct_drive_given_kg(const ct_drive *d) {
  double mass = d->values.mass_kg;
  for (int e = 0; e < 2 && !ct_drive_can_weigh(mass); e++)
    mass = d->contact->end[e].body->ports[d->contact->end[e].port].given_kg;
  return ct_drive_can_weigh(mass) ? mass : 0;
}

/* The trail that grows is too fine for the speed by now, and would never be known. */
static bool outrun(const ct_drive *d, double step_s) {
  return !d->jumping && d->blend_step == 0 && d->trail[!d->now].def.level < level_of(d, radius_of(d), step_s);
}

/* Parameters act on ticks, on what comes: where it stands they move nothing. */
void ct_drive_tick(ct_drive *d, double step_s) {
  ct_trail_def def;
  double lean_m = lean_of(d);
  if (lean_m > 0 && (d->lean_m == 0 || floor(d->turned) != d->faced))
    face(d);
  d->lean_m = lean_m;
  if (d->changing && !outrun(d, step_s))
    return;
  d->changing = false;
  d->jumping = d->wants_jump;
  d->jump_m = d->wish_m;
  d->wants_jump = false;
  if (want_path(d, d->surface->values, step_s, d->jumping, &def)) {
    ct_trail_begin(&d->trail[!d->now], &def, other_place(d, d->x_m));
    d->changing = true;
    d->blend = d->blend_step = 0;
  }
}

void ct_drive_travel(ct_drive *d, bool leap) {
  ct_point *point = &d->plane.body->points[d->plane.point];
  double before = point->place[d->plane_axis], now = d->travel_from + d->x_m / d->travel_m;
  d->travelled_m = leap ? 0 : (now - before) * d->travel_m / CT_TICK;
  ct_point_carry(d->plane.body, point, d->plane_axis, now, leap);
}

/* A later wish replaces one that is not yet on its way. */
void ct_drive_put(ct_drive *d, double x_m) {
  d->wish_m = x_m;
  d->wants_jump = true;
}

double ct_drive_place_m(const ct_drive *d) {
  return d->wants_jump ? d->wish_m : d->jumping ? d->jump_m : d->x_m;
}

/* A stylus, a nail, a sliding box: dragged over the surface without turning. It moves as a point's sideways
 * motion does (a hand's; friction between the two is a contact of its own), or at a speed of its own. The
 * work of its offset is imposed motion, as is that of the hand. */

const ct_drive_kind ct_scrape_kind = {.name = "scrape", .turns = false};
