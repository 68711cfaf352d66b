/* Who is in the scene, as the audio thread sees it. Parts come in by message, already laid out; they leave
 * when the last thing that listens to them has faded, and their slot goes back through the outbox. */
#include "scene/scene.h"

#include <math.h>
#include <string.h>

static void give_back(ct_scene *s, ct_part part, uint16_t slot) {
  ct_returned returned = {part, slot};
  ct_queue_push(&s->outbox, &returned); /* has room for every slot there is */
}

/* ---- coming ---- */

/* Gravity may be on its way: it is the audio thread's. */
void ct_body_arrive(ct_scene *s, uint16_t slot) {
  s->bodies[slot].gravity_m_s2 = s->def.gravity_m_s2;
  ct_contacts_gather(s);
  s->counters.dropped_modes += s->bodies[slot].dropped_modes;
  s->thumps = (uint16_t)(s->thumps + (s->bodies[slot].thump != NULL));
}

void ct_contact_arrive(ct_scene *s, uint16_t slot) {
  ct_contact *c = &s->contacts[slot];
  for (int e = 0; e < 2; e++) {
    c->end[e].body->contact_count++;
    ct_body_want(c->end[e].body, c->end[e].port, CT_WANT_FREE | CT_TOUCHED);
    c->end[e].at = &c->end[e].body->ports[c->end[e].port];
  }
  c->unbooked = !s->def.ledger;
  ct_wake_contact(s, c);
  c->kind->join(c);
  ct_contacts_gather(s);
}

void ct_surface_arrive(ct_scene *s, uint16_t slot) { (void)s, (void)slot; }

/* What pays for the path: its own way, or the port of the body that leads it. */
static ct_end way_of(ct_drive *d) {
  if (d->free)
    return (ct_end){.body = &d->way, .port = CT_WAY_PATH, .sign = 1, .at = &d->way_port[CT_WAY_PATH]};
  uint16_t port = d->leader.body->points[d->leader.point].port[CT_TANGENTIAL];
  return (ct_end){.body = d->leader.body, .port = port, .sign = 0, .at = &d->leader.body->ports[port]};
}

/* The ways of all drives that run along a contact are its ends, in the order of their names. */
static void find_ways(ct_scene *s, ct_contact *c) {
  c->end_count = 2;
  c->led_count = 0;
  c->own_valid = 0; /* these are other ends */
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live && c->end_count < CT_ENDS; i++) {
    ct_drive *d = ct_live_drive(s, i);
    if (d->contact != c || !ct_drive_is_solved(d))
      continue;
    d->end = c->end_count++;
    c->led_count += d->led;
    c->end[d->end] = way_of(d);
  }
}

/* Points that travel with a drive that no hand moves slide with its way. */
static void mark_rolled(ct_scene *s, const ct_spot *gone) {
  for (int k = 0; gone->body && k < CT_DIRECTIONS; k++)
    gone->body->ports[gone->body->points[gone->point].port[k]].rolled = false;
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    const ct_drive *d = ct_live_drive(s, i);
    for (int k = 0; ct_drive_is_solved(d) && d->plane.body && k < CT_DIRECTIONS; k++)
      d->plane.body->ports[d->plane.body->points[d->plane.point].port[k]].rolled = true;
  }
}

/* It stands where it was laid out; its start shifts no contact. */
void ct_drive_arrive(ct_scene *s, uint16_t slot) {
  ct_drive *d = &s->drives[slot];
  ct_wake_contact(s, d->contact);
  ct_drive_join(d, s->def.gravity_m_s2);
  s->followers = (uint16_t)(s->followers + (d->plane.body != NULL));
  if (ct_drive_is_solved(d)) {
    ct_end way = way_of(d);
    way.body->contact_count++;
    if (d->led)
      ct_body_want(way.body, way.port, CT_WANT_FREE | CT_TOUCHED);
    find_ways(s, d->contact);
    ct_contacts_gather(s);
  }
  mark_rolled(s, &d->plane);
}

/* A string's partials move with its fundamental, which it keeps in radians per sample. */
void ct_source_arrive(ct_scene *s, uint16_t slot) {
  ct_wake_body(s, &s->bodies[s->sources[slot].body]);
  ct_action *action = &s->sources[slot].action;
  const ct_body *body = &s->bodies[s->sources[slot].body];
  const ct_loop_wish *wish = &body->as.string.heard;
  for (uint32_t i = 0; body->kind == &ct_string_kind && i < action->map.region_count; i++) {
    ct_region *r = &action->regions[i];
    if (r->locked_hz)
      r->locked_times = ct_loop_partial(body->rate_hz / (2 * M_PI), wish->inharmonicity, r->mode + 1.0);
  }
}

void ct_pickup_arrive(ct_scene *s, uint16_t slot) {
  ct_pickup *p = &s->pickups[slot];
  p->fresh = true;
  if (ct_pickup_on_contact(p))
    ct_wake_contact(s, &s->contacts[p->contact]);
  else
    ct_wake_body(s, &s->bodies[p->body]);
  if (s->sample > 0) { /* joins in the middle of a sound */
    p->fade = 0;
    p->fade_step = 1 / (s->def.smoothing_s * s->def.rate_hz);
  }
  if (!ct_pickup_on_contact(p))
    ct_body_want(&s->bodies[p->body], p->port, p->listen == CT_DISPLACEMENT ? CT_WANT_X : CT_WANT_V);
  if (p->listen == CT_VELOCITY || p->listen == CT_ACCELERATION)
    p->thumps = s->bodies[p->body].thump;
  p->reads = ct_pickup_reads(s, p);
}

/* ---- going ---- */

void ct_contact_leave(ct_scene *s, uint16_t slot) {
  ct_wake_contact(s, &s->contacts[slot]);
  s->leaving++;
  if (!ct_contact_lets_go(s, &s->contacts[slot]))
    ct_contact_part(s, slot);
}

/* A drive that was removed before its contact has nowhere left to let go. */
static void part_drives_of(ct_scene *s, const ct_contact *c) {
  for (uint16_t i = s->parts[CT_PART_DRIVE].live; i-- > 0;)
    if (ct_live_drive(s, i)->removed_at && ct_live_drive(s, i)->contact == c)
      ct_drive_part(s, s->parts[CT_PART_DRIVE].order[i]);
}

void ct_contact_part(ct_scene *s, uint16_t slot) {
  ct_contact *c = &s->contacts[slot];
  part_drives_of(s, c);
  double before = ct_stored_before(s);
  for (int e = 0; e < 2; e++)
    c->end[e].body->contact_count--;
  ct_part_exit(s, CT_PART_CONTACT, slot);
  for (uint16_t i = 0; i < s->parts[CT_PART_CONTACT].live; i++)
    ct_friction_forget(ct_live_contact(s, i), c);
  ct_contacts_gather(s);
  ct_book_jump(s, &s->account.parameter, before);
  s->contact_leaving[slot] = true;
}

void ct_surface_leave(ct_scene *s, uint16_t slot) {
  ct_part_exit(s, CT_PART_SURFACE, slot);
  give_back(s, CT_PART_SURFACE, slot);
}

void ct_drive_leave(ct_scene *s, uint16_t slot) {
  ct_wake_contact(s, s->drives[slot].contact);
  s->leaving++;
  if (!ct_drive_lets_go(s, &s->drives[slot]))
    ct_drive_part(s, slot);
}

/* The contact stays as far closed as it was. */
void ct_drive_part(ct_scene *s, uint16_t slot) {
  double before = ct_stored_before(s);
  ct_drive *d = &s->drives[slot];
  s->leaving--;
  s->followers = (uint16_t)(s->followers - (d->plane.body != NULL));
  if (d->free)
    ct_drive_part_ends(s, d);
  ct_part_exit(s, CT_PART_DRIVE, slot);
  if (ct_drive_is_solved(d)) {
    /* It is no longer among the live. */
    ct_end way = way_of(d);
    way.body->contact_count--;
    find_ways(s, d->contact);
    ct_contacts_gather(s);
    if (d->led && !ct_port_touched(s, &way))
      ct_body_untouch(way.body, way.port);
  }
  mark_rolled(s, &d->plane);
  ct_book_jump(s, &s->account.parameter, before);
  give_back(s, CT_PART_DRIVE, slot);
}

void ct_pickup_leave(ct_scene *s, uint16_t slot) {
  ct_pickup *p = &s->pickups[slot];
  p->fade_step = -1 / (s->def.smoothing_s * s->def.rate_hz);
  s->awake_stale = true; /* its fade goes on where all sleep, too */
  s->leaving++;
}

/* Fades away; the sweep drops it when it is silent. */
void ct_source_leave(ct_scene *s, uint16_t slot) {
  s->sources[slot].fade_step = -1 / (s->def.smoothing_s * s->def.rate_hz);
  s->leaving++;
}

void ct_body_leave(ct_scene *s, uint16_t slot) {
  s->bodies[slot].leaving = true;
  s->leaving++;
}

/* From here on the point moves as its leader does, starting where both are now. */
static void follow(ct_scene *s, const ct_message *m) {
  ct_point *point = &s->bodies[m->handle.object].points[m->handle.item];
  ct_wake_body(s, &s->bodies[m->handle.object]);
  s->followers = (uint16_t)(s->followers - (point->leader != NULL));
  point->leader = m->value > 0 ? &s->bodies[m->ramp >> 16] : NULL;
  point->leader_port = (uint16_t)(m->ramp & 0xffff);
  point->led_freely = point->leader && !point->leader->kind->rigid;
  point->follow_m = m->value;
  if (!point->leader)
    return;
  s->followers++;
  point->follow_from = point->place[0];
  point->follow_x_m = ct_port_x_m(point->leader, point->leader_port);
}

/* Nobody follows a body that has gone. */
static void release_followers(ct_scene *s, const ct_body *gone) {
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live && s->followers; i++) {
    ct_body *b = ct_live_body(s, i);
    for (uint16_t p = 0; p < b->point_count; p++)
      if (b->points[p].leader && (b->points[p].leader == gone || b == gone)) {
        b->points[p].leader = NULL;
        s->followers--;
      }
  }
}

void ct_roster_apply(ct_scene *s, const ct_message *m) {
  s->dirty = true;
  s->change_count++;
  if (m->kind == CT_MESSAGE_ADD) {
    /* Energy that comes with a part is the scene's own before the first sample, a parameter's work later. */
    double before = ct_stored_before(s);
    ct_part_enter(s, m->part, m->handle.object);
    ct_part_kinds[m->part].arrive(s, m->handle.object);
    if (s->sample > 0)
      ct_book_jump(s, &s->account.parameter, before);
    else
      ct_book_start(s, before);
  } else if (m->kind == CT_MESSAGE_REMOVE) {
    /* Nobody reaches it by a handle any more, though it may take its time. */
    s->parts[m->part].here[m->handle.object] = 0;
    if (m->part == CT_PART_CONTACT)
      ct_status_show_contact(s, m->handle.object, 0);
    ct_part_kinds[m->part].leave(s, m->handle.object);
  } else
    follow(s, m);
}

/* ---- leaving ---- */

static bool listened_to(const ct_scene *s, bool force, uint16_t slot) {
  for (uint16_t i = 0; i < s->parts[CT_PART_PICKUP].live; i++) {
    const ct_pickup *p = ct_live_pickup(s, i);
    if (ct_pickup_on_contact(p) == force && (force ? p->contact : p->body) == slot)
      return true;
  }
  return false;
}

static void drop(ct_scene *s, ct_part part, uint16_t slot) {
  s->leaving--;
  ct_part_exit(s, part, slot);
  give_back(s, part, slot);
}

static bool fed(const ct_scene *s, uint16_t body) {
  for (uint16_t i = 0; i < s->parts[CT_PART_SOURCE].live; i++)
    if (ct_live_source(s, i)->body == body)
      return true;
  return false;
}

/* Contacts and drives that still let go hold it. */
static bool held(const ct_scene *s, uint16_t body) {
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++)
    if (ct_drive_leans_on(s, s->parts[CT_PART_DRIVE].order[i], CT_PART_BODY, body))
      return true;
  return s->bodies[body].contact_count > 0;
}

static void drop_body(ct_scene *s, uint16_t slot) {
  double before = ct_stored_before(s);
  release_followers(s, &s->bodies[slot]);
  ct_strikes_forget(s, slot);
  s->bodies[slot].leaving = false;
  s->thumps = (uint16_t)(s->thumps - (s->bodies[slot].thump != NULL));
  s->leaving--;
  ct_part_exit(s, CT_PART_BODY, slot);
  ct_contacts_gather(s);
  ct_book_jump(s, &s->account.parameter, before);
  give_back(s, CT_PART_BODY, slot);
}

void ct_roster_sweep(ct_scene *s) {
  ct_release_go_on(s);
  for (uint16_t i = s->parts[CT_PART_PICKUP].live; i-- > 0;)
    if (ct_live_pickup(s, i)->fade <= 0 && ct_live_pickup(s, i)->fade_step < 0)
      drop(s, CT_PART_PICKUP, s->parts[CT_PART_PICKUP].order[i]);
  for (uint16_t i = s->parts[CT_PART_SOURCE].live; i-- > 0;)
    if (ct_live_source(s, i)->fade <= 0) {
      ct_source_silence(s, s->parts[CT_PART_SOURCE].order[i]);
      drop(s, CT_PART_SOURCE, s->parts[CT_PART_SOURCE].order[i]);
    }
  for (uint16_t slot = 0; slot < s->def.contacts; slot++)
    if (s->contact_leaving[slot] && !listened_to(s, true, slot)) {
      /* It pushes nothing any more; only its slot was still listened to. */
      s->contact_leaving[slot] = false;
      s->leaving--;
      give_back(s, CT_PART_CONTACT, slot);
    }
  for (uint16_t i = s->parts[CT_PART_BODY].live; i-- > 0;) {
    uint16_t slot = s->parts[CT_PART_BODY].order[i];
    if (s->bodies[slot].leaving && !listened_to(s, false, slot) && !fed(s, slot) && !held(s, slot))
      drop_body(s, slot);
  }
}
