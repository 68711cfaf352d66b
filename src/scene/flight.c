/* Flight: a stretch in which no contact of a group can touch. Then nothing in the group acts on anything
 * else, and each body goes through the stretch by itself, in one go where it can (ct_body_kind.coast). It is
 * to the bit what sample after sample would make of it, so who flies, and when, cannot be heard.
 *
 * A contact stays apart whose ends cannot get so far in that time. From sample to sample it keeps a distance
 * of its own, which is set right by the bodies' places on ticks: so what has contacts flies whole ticks only.
 */
#include "scene/scene.h"

#include <math.h>

/* No hand moves it, and nothing is told to it, or read from it, between samples. */
static bool is_left_alone(const ct_scene *s, const ct_group *g) {
  uint16_t group = (uint16_t)(g - s->groups);
  if (s->def.ledger || g->has_source || g->has_thump)
    return false;
  for (uint16_t i = 0; g->leading && i < g->body_count; i++)
    if (s->group_bodies[g->first_body + i]->kind->rigid)
      return false;
  for (uint16_t i = 0; i < g->drive_count; i++)
    if (s->group_drives[g->first_drive + i]->led)
      return false;
  for (uint32_t i = 0; s->streams && i < s->streams->count; i++)
    if (s->streams->at[i].body->group == group)
      return false;
  for (uint32_t i = 0; s->taps && i < s->taps->count; i++)
    if (s->taps->group[i] == group)
      return false;
  return true;
}

/* With a margin for what rounding makes of distances and ways. */
static bool stays_apart(const ct_scene *s, const ct_group *g, const ct_contact *c, uint32_t samples) {
  double left_m = c->kind->base && c->gap_step_m == 0 ? c->kind->base(c) - 1e-12 : 0, rolled_m = 0;
  for (uint16_t e = 0; e < 2 && left_m > 0; e++) {
    const ct_end *end = &c->end[e];
    if (!end->body->kind->reach)
      return false;
    ct_reach reach = end->body->kind->reach(end->body, end->port, samples * s->step_s);
    if (end->at->rolled)
      rolled_m = reach.slide_m; /* it is part of a drive's slope */
    else
      reach.free_m += reach.slide_m;
    left_m -= 1.001 * fabs(end->sign) * reach.free_m;
  }
  for (uint16_t i = 0; i < g->drive_count && left_m > 0; i++) {
    const ct_drive *d = s->group_drives[g->first_drive + i];
    left_m -= d->contact == c ? 1.001 * ct_drive_reach_m(d, s->step_s, samples, rolled_m) : 0;
  }
  return left_m > 0;
}

bool ct_group_flies(const ct_scene *s, const ct_group *g, uint32_t samples) {
  uint16_t count;
  ct_contact *const *contacts = ct_group_contacts(s, g, &count);
  if ((count && (samples != CT_TICK || !ct_at_tick(s))) || !is_left_alone(s, g))
    return false;
  for (uint16_t i = 0; i < count; i++)
    if (!stays_apart(s, g, contacts[i], samples))
      return false;
  return true;
}

/* A pickup on a body that has coasted. */
static void hear_track(ct_scene *s, ct_pickup *p, const ct_track *track, uint32_t first, uint32_t count) {
  ct_port *port = &s->bodies[p->body].ports[p->port];
  double now_m_s = port->v_m_s, *si = p->si + first;
  uint32_t w = 0;
  while (w + 1 < track->count && track->port[w] != p->port)
    w++;
  if (p->reads == &port->v_m_s && !p->fresh) {
    for (uint32_t n = 0; n < count; n++)
      si[n] = track->v_m_s[w][n];
    return;
  }
  for (uint32_t n = 0; n < count; n++) {
    port->v_m_s = track->v_m_s[w][n];
    ct_pickup_hear(s, p, first + n, s->sample + n);
  }
  port->v_m_s = now_m_s;
}

static bool hears(const ct_scene *s, const ct_pickup *p, const ct_body *body) {
  return !ct_pickup_on_contact(p) && &s->bodies[p->body] == body;
}

static void fly_body(ct_scene *s, const ct_group *g, ct_body *body, uint32_t first, uint32_t count) {
  ct_pickup *const *pickups = s->group_pickups + g->first_pickup;
  ct_track track;
  bool coasts = body->kind->coast && body->kind->coast(body, count, &track);
  for (uint16_t i = 0; coasts && i < g->pickup_count; i++)
    if (hears(s, pickups[i], body))
      hear_track(s, pickups[i], &track, first, count);
  body->glides_ahead = 0;
  for (uint32_t n = 0; !coasts && n < count; n++) {
    if (n > 0 && body->gliding) {
      body->kind->begin(body);
      body->kind->predict(body, 0);
    }
    for (uint16_t i = 0; i < g->pickup_count; i++)
      if (hears(s, pickups[i], body))
        ct_pickup_hear(s, pickups[i], first + n, s->sample + n);
    body->kind->advance(body, 0, 0, NULL);
  }
}

/* Pickups on contacts, at some of the samples. */
static void hear_contacts(ct_scene *s, const ct_group *g, uint32_t from, uint32_t to) {
  for (uint16_t i = 0; i < g->pickup_count; i++) {
    ct_pickup *p = s->group_pickups[g->first_pickup + i];
    for (uint32_t at = from; ct_pickup_on_contact(p) && at < to; at++)
      ct_pickup_hear(s, p, at, s->sample);
  }
}

/* The ways go on, and the paths under them rise: in the first sample after the last one's forces. */
static void fly_drives(ct_scene *s, const ct_group *g, uint32_t from, uint32_t to) {
  for (uint16_t i = 0; i < g->drive_count; i++) {
    ct_drive *d = s->group_drives[g->first_drive + i];
    ct_drive_coast(d, from, to);
    d->contact->gap_step_m = 0;
  }
}

void ct_group_fly(ct_scene *s, ct_group *g, uint32_t first, uint32_t count) {
  uint16_t contact_count;
  ct_contact *const *contacts = ct_group_contacts(s, g, &contact_count);
  for (uint16_t i = 0; i < g->body_count; i++)
    fly_body(s, g, s->group_bodies[g->first_body + i], first, count);
  hear_contacts(s, g, first, first + 1);
  fly_drives(s, g, 0, 1);
  for (uint16_t i = 0; i < contact_count; i++)
    contacts[i]->force_n = contacts[i]->now_n = 0; /* which was the last sample's */
  fly_drives(s, g, 1, count);
  for (uint16_t i = 0; i < contact_count; i++)
    contacts[i]->kind->on_tick(contacts[i]);
  if (g->slid)
    ct_group_end_slides(s, g);
  g->leading = false; /* what glided has arrived */
  hear_contacts(s, g, first + 1, first + count);
  s->counters.substeps += (uint64_t)count * g->island_count;
  if (g->island_count && s->counters.most_substeps == 0)
    s->counters.most_substeps = 1;
}
