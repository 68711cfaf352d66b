/* Who is in the scene, as the audio thread sees it. Parts come in by message, already laid out; they leave
 * when the last thing that listens to them has faded, and their slot goes back through the outbox. */
#include "scene/scene.h"

#include <string.h>

static const char *body_name(const ct_scene *s, uint16_t i) { return s->bodies[i].name; }
static const char *contact_name(const ct_scene *s, uint16_t i) { return s->contacts[i].name; }
static const char *drive_name(const ct_scene *s, uint16_t i) { return s->drives[i].name; }
static const char *pickup_name(const ct_scene *s, uint16_t i) { return s->pickups[i].name; }

/* Energy that comes with a part: the scene's own before the first sample, a parameter's work later. */
static void book_arrival(ct_scene *s, double before_j) {
  if (s->sample > 0) {
    ct_book_jump(s, &s->account.parameter, before_j);
    return;
  }
  ct_book_start(s, before_j);
}

static double stored_now(const ct_scene *s) { return s->def.ledger ? ct_stored_j(s) : 0; }

static void add_body(ct_scene *s, uint16_t slot) {
  double before = stored_now(s);
  s->body_here[slot] = s->bodies[slot].turn;
  s->rigid = (uint16_t)(s->rigid + s->bodies[slot].kind->rigid);
  s->counters.dropped_modes += s->bodies[slot].kind == &ct_modal_kind ? s->bodies[slot].as.modal.dropped : 0;
  ct_order_insert(s->body_order, &s->body_live, slot, body_name, s);
  book_arrival(s, before);
}

static void add_contact(ct_scene *s, uint16_t slot) {
  double before = stored_now(s);
  ct_contact *c = &s->contacts[slot];
  s->contact_here[slot] = c->turn;
  for (int e = 0; e < 2; e++) {
    c->end[e].body->contact_count++;
    ct_body_want(c->end[e].body, c->end[e].port, CT_WANT_FREE);
  }
  ct_order_insert(s->contact_order, &s->contact_live, slot, contact_name, s);
  c->kind->join(c);
  ct_islands_find(s);
  book_arrival(s, before);
}

/* It stands where it was laid out; its start shifts no contact. */
static void add_drive(ct_scene *s, uint16_t slot) {
  double before = stored_now(s);
  ct_drive *d = &s->drives[slot];
  s->drive_here[slot] = d->turn;
  s->followers = (uint16_t)(s->followers + (d->plane.body != NULL));
  ct_order_insert(s->drive_order, &s->drive_live, slot, drive_name, s);
  book_arrival(s, before);
}

static void add_pickup(ct_scene *s, uint16_t slot) {
  ct_pickup *p = &s->pickups[slot];
  s->pickup_here[slot] = p->turn;
  p->since = s->sample;
  if (s->sample > 0) { /* joins in the middle of a sound */
    p->fade = 0;
    p->fade_step = 1 / (s->def.smoothing_s * s->def.rate_hz);
  }
  if (p->listen != CT_FORCE)
    ct_body_want(&s->bodies[p->body], p->port, p->listen == CT_DISPLACEMENT ? CT_WANT_X : CT_WANT_V);
  ct_order_insert(s->pickup_order, &s->pickup_live, slot, pickup_name, s);
}

static void give_back(ct_scene *s, ct_message_kind kind, uint16_t slot) {
  ct_returned returned = {kind, slot};
  ct_queue_push(&s->outbox, &returned); /* has room for every slot there is */
}

static void remove_contact(ct_scene *s, uint16_t slot) {
  double before = stored_now(s);
  ct_contact *c = &s->contacts[slot];
  s->contact_here[slot] = 0;
  for (int e = 0; e < 2; e++)
    c->end[e].body->contact_count--;
  ct_order_drop(s->contact_order, &s->contact_live, slot);
  for (uint16_t i = 0; i < s->contact_live; i++)
    ct_friction_forget(&s->contacts[s->contact_order[i]], c);
  ct_islands_find(s);
  ct_book_jump(s, &s->account.parameter, before);
  s->contact_leaving[slot] = true;
  s->leaving++;
}

/* The contact stays as far closed as it was. */
static void remove_drive(ct_scene *s, uint16_t slot) {
  double before = stored_now(s);
  ct_drive *d = &s->drives[slot];
  s->drive_here[slot] = 0;
  s->followers = (uint16_t)(s->followers - (d->plane.body != NULL));
  if (d->knock_n_s > 0) {
    d->rim.body->points[d->rim.point].knock_n = 0;
    ct_point_push(d->rim.body, &d->rim.body->points[d->rim.point]);
  }
  ct_order_drop(s->drive_order, &s->drive_live, slot);
  ct_book_jump(s, &s->account.parameter, before);
  give_back(s, CT_MESSAGE_REMOVE_DRIVE, slot);
}

static void fade_pickup(ct_scene *s, uint16_t slot) {
  ct_pickup *p = &s->pickups[slot];
  p->fade_step = -1 / (s->def.smoothing_s * s->def.rate_hz);
  s->leaving++;
}

static void remove_body(ct_scene *s, uint16_t slot) {
  s->bodies[slot].leaving = true;
  s->leaving++;
}

/* From here on the point moves as its leader does, starting where both are now. */
static void follow(ct_scene *s, const ct_message *m) {
  ct_point *point = &s->bodies[m->handle.object].points[m->handle.item];
  s->followers = (uint16_t)(s->followers - (point->leader != NULL));
  point->leader = m->value > 0 ? &s->bodies[m->ramp >> 16] : NULL;
  point->leader_port = (uint16_t)(m->ramp & 0xffff);
  point->follow_m = m->value;
  if (!point->leader)
    return;
  s->followers++;
  point->follow_from = point->place[0] - ct_port_x_m(point->leader, point->leader_port) / m->value;
}

/* Nobody follows a body that has gone. */
static void release_followers(ct_scene *s, const ct_body *gone) {
  for (uint16_t i = 0; i < s->body_live && s->followers; i++) {
    ct_body *b = &s->bodies[s->body_order[i]];
    for (uint16_t p = 0; p < b->point_count; p++)
      if (b->points[p].leader && (b->points[p].leader == gone || b == gone)) {
        b->points[p].leader = NULL;
        s->followers--;
      }
  }
}

void ct_roster_apply(ct_scene *s, const ct_message *m) {
  uint16_t slot = m->handle.object;
  s->stirred = true;
  switch (m->kind) {
  case CT_MESSAGE_ADD_BODY:
    add_body(s, slot);
    return;
  case CT_MESSAGE_ADD_CONTACT:
    add_contact(s, slot);
    return;
  case CT_MESSAGE_ADD_SURFACE:
    s->surface_here[slot] = s->surfaces[slot].turn;
    return;
  case CT_MESSAGE_ADD_DRIVE:
    add_drive(s, slot);
    return;
  case CT_MESSAGE_REMOVE_SURFACE:
    s->surface_here[slot] = 0;
    give_back(s, CT_MESSAGE_REMOVE_SURFACE, slot);
    return;
  case CT_MESSAGE_REMOVE_DRIVE:
    remove_drive(s, slot);
    return;
  case CT_MESSAGE_ADD_PICKUP:
    add_pickup(s, slot);
    return;
  case CT_MESSAGE_REMOVE_CONTACT:
    remove_contact(s, slot);
    return;
  case CT_MESSAGE_REMOVE_PICKUP:
    fade_pickup(s, slot);
    return;
  case CT_MESSAGE_REMOVE_BODY:
    remove_body(s, slot);
    return;
  case CT_MESSAGE_FOLLOW:
    follow(s, m);
    return;
  case CT_MESSAGE_SET:
    return;
  }
}

/* ---- leaving ---- */

static bool listened_to(const ct_scene *s, bool force, uint16_t slot) {
  for (uint16_t i = 0; i < s->pickup_live; i++) {
    const ct_pickup *p = &s->pickups[s->pickup_order[i]];
    if ((p->listen == CT_FORCE) == force && (force ? p->contact : p->body) == slot)
      return true;
  }
  return false;
}

static void drop_pickup(ct_scene *s, uint16_t slot) {
  s->pickup_here[slot] = 0;
  s->leaving--;
  ct_order_drop(s->pickup_order, &s->pickup_live, slot);
  give_back(s, CT_MESSAGE_REMOVE_PICKUP, slot);
}

/* It pushes nothing any more; only its slot was still listened to. */
static void drop_contact(ct_scene *s, uint16_t slot) {
  s->contact_leaving[slot] = false;
  s->leaving--;
  give_back(s, CT_MESSAGE_REMOVE_CONTACT, slot);
}

static void drop_body(ct_scene *s, uint16_t slot) {
  double before = stored_now(s);
  release_followers(s, &s->bodies[slot]);
  s->bodies[slot].leaving = false;
  s->body_here[slot] = 0;
  s->rigid = (uint16_t)(s->rigid - s->bodies[slot].kind->rigid);
  s->leaving--;
  ct_order_drop(s->body_order, &s->body_live, slot);
  ct_islands_find(s);
  ct_book_jump(s, &s->account.parameter, before);
  give_back(s, CT_MESSAGE_REMOVE_BODY, slot);
}

void ct_roster_sweep(ct_scene *s) {
  for (uint16_t i = s->pickup_live; i-- > 0;)
    if (s->pickups[s->pickup_order[i]].fade <= 0 && s->pickups[s->pickup_order[i]].fade_step < 0)
      drop_pickup(s, s->pickup_order[i]);
  for (uint16_t slot = 0; slot < s->def.contacts; slot++)
    if (s->contact_leaving[slot] && !listened_to(s, true, slot))
      drop_contact(s, slot);
  for (uint16_t i = s->body_live; i-- > 0;) {
    uint16_t slot = s->body_order[i];
    if (s->bodies[slot].leaving && !listened_to(s, false, slot))
      drop_body(s, slot);
  }
}
