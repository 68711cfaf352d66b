/* Drives in their turn: they say what the next samples meet before the bodies predict. A free one's way is a
 * body of the scene, and its ends are contacts of it, joined while the ball is near. */
#include "scene/scene.h"

#include <math.h>

/* Masses may have moved; kinetic energy stays, but for the rounding. */
static void weigh(ct_scene *s, ct_drive *d) {
  double before = d->free ? ct_way_kinetic_j(&d->way.as.way) : 0;
  d->gravity_m_s2 = s->def.gravity_m_s2;
  d->stood = false;
  ct_drive_weigh(d);
  if (d->free && s->def.ledger)
    ct_sum_add(&s->account.parameter, ct_way_kinetic_j(&d->way.as.way) - before);
}

/* ---- the ends of a way ---- */

static void join_end(ct_scene *s, ct_drive *d, int side) {
  ct_contact *c = &d->stop[side];
  if (d->rim.body)
    ct_wake_body(s, d->rim.body);
  ct_body *rim = d->rim.body ? d->rim.body : &s->wall->body;
  uint16_t port = d->rim.body ? rim->points[d->rim.point].port[CT_NORMAL] : 0;
  c->end[0] = (ct_end){.body = &d->way,
                       .port = CT_WAY_ALONG,
                       .sign = side == CT_LOW_END ? -1 : 1,
                       .at = &d->way_port[CT_WAY_ALONG]};
  c->end[1] = (ct_end){.body = rim, .port = port, .sign = -1, .at = &rim->ports[port]};
  for (int e = 0; e < 2; e++)
    c->end[e].body->contact_count++;
  ct_body_want(rim, port, CT_WANT_FREE | CT_TOUCHED);
  d->way_port[CT_WAY_ALONG].x_m = d->way.as.way.along * d->way.as.way.x_m;
  c->compression_m = c->stored_j = c->force_n = c->now_n = c->force_sum_n = 0;
  c->revision = c->own_valid = 0;
  ct_drive_set_end(d, side);
  c->kind->on_tick(c);
  d->near[side] = true;
}

bool ct_port_touched(const ct_scene *s, const ct_end *end) {
  for (uint16_t i = 0; i < s->joined_count; i++)
    for (uint16_t e = 0; e < s->joined[i]->end_count; e++)
      if (s->joined[i]->end[e].body == end->body && s->joined[i]->end[e].port == end->port)
        return true;
  return false;
}

static void part_end(ct_scene *s, ct_drive *d, int side) {
  const ct_contact *c = &d->stop[side];
  d->near[side] = false;
  for (int e = 0; e < 2; e++)
    c->end[e].body->contact_count--;
  ct_contacts_gather(s);
  if (!ct_port_touched(s, &c->end[1]))
    ct_body_untouch(c->end[1].body, c->end[1].port);
}

void ct_drive_part_ends(ct_scene *s, ct_drive *d) {
  for (int side = 0; side < CT_WAY_ENDS; side++)
    if (d->near[side])
      part_end(s, d, side);
}

/* On ticks, and when it is thrown. */
void ct_drive_meet_ends(ct_scene *s, ct_drive *d) {
  for (int side = 0; side < CT_WAY_ENDS; side++) {
    bool near = ct_drive_nears(d, side);
    if (near && !d->near[side]) {
      join_end(s, d, side);
      ct_contacts_gather(s);
    } else if (!near && d->near[side])
      part_end(s, d, side);
    else if (near)
      ct_drive_set_end(d, side);
  }
}

/* One that stands still with nothing set has nothing to ask. */
static void tick(ct_scene *s, ct_drive *d) {
  if (d->still && d->tuned_at == s->change_count)
    return;
  if (d->tuned_at != s->change_count)
    weigh(s, d);
  ct_drive_tick(d, s->step_s);
  if (d->free)
    ct_drive_meet_ends(s, d);
  d->tuned_at = s->change_count;
}

/* With its group. */
static bool is_asleep(const ct_drive *d) { return d->contact->end[0].body->asleep; }

/* So many samples as all of them see ahead; an account is kept sample by sample. */
uint32_t ct_drives_begin(ct_scene *s, uint32_t from, uint32_t samples) {
  uint32_t to_tick = CT_TICK - s->sample % CT_TICK, count = s->def.ledger ? 1 : samples;
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    ct_drive *d = ct_live_drive(s, i);
    if (is_asleep(d))
      continue;
    if (to_tick == CT_TICK)
      tick(s, d);
    uint32_t seen = ct_drive_plan_length(d, s->step_s, to_tick);
    count = seen < count ? seen : count;
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    ct_drive *d = ct_live_drive(s, i);
    if (is_asleep(d))
      continue;
    d->told = s->streams && ct_streams_tell(s, d, from, count);
    ct_drive_run(d, s->step_s, count);
  }
  return count;
}

void ct_drives_end(ct_scene *s, uint32_t count) {
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    ct_drive *d = ct_live_drive(s, i);
    s->counters.late_paths += d->trail[0].late + d->trail[1].late; /* not known in time */
    d->trail[0].late = d->trail[1].late = 0;
    if (!d->free || d->still || is_asleep(d))
      continue;
    ct_drive_advance(d, count);
    ct_sum_add(&s->account.bodies, d->lost_j);
    d->lost_j = 0;
  }
}

/* ---- points that travel along ---- */

/* Of how far the points of such drives' planes go in a sample: the sum of squares over the axes. */
static double travelled(ct_scene *s, const ct_spot *plane) {
  double sum = 0;
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    const ct_drive *d = ct_live_drive(s, i);
    if (ct_drive_is_solved(d) && d->plane.body == plane->body && d->plane.point == plane->point)
      sum += d->travelled_m * d->travelled_m;
  }
  return sum;
}

/* The point of a drive that no hand moves slides because the drive goes on: the slide is part of the slope
 * that its way meets, slide_m / travelled_m, along the direction of travel; so nobody moves it, and what it
 * costs is paid within the solve. Another contact at that point does not notice it. */
static void share_slide(ct_scene *s, ct_drive *d) {
  uint16_t port = d->plane.body->points[d->plane.point].port[CT_NORMAL];
  double all = travelled(s, &d->plane);
  for (int e = 0; e < 2; e++)
    if (d->contact->end[e].body == d->plane.body && d->contact->end[e].port == port) {
      d->slides = all > 0 ? &d->plane.body->ports[port] : NULL;
      d->slide_gain = all > 0 ? d->contact->end[e].sign * d->travelled_m / all : 0;
    }
}

void ct_drives_travel(ct_scene *s) {
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++)
    if (ct_live_drive(s, i)->plane.body)
      ct_drive_travel(ct_live_drive(s, i), s->sample == 0);
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++)
    if (ct_live_drive(s, i)->plane.body && ct_drive_is_solved(ct_live_drive(s, i)))
      share_slide(s, ct_live_drive(s, i));
}

void ct_drives_start(ct_scene *s) {
  double before = ct_stored_before(s);
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    ct_drive *d = ct_live_drive(s, i);
    if (d->wants_jump)
      d->x_m = d->wish_m;
    ct_drive_start(d, &d->surface->values, s->step_s);
    ct_drive_meet(d, s->def.gravity_m_s2);
  }
  ct_book_start(s, before);
}
