/* Who acts on whom. A group is made of parts that act on one another from sample to sample: ends of a
 * contact, hands included; friction and the contact that presses it; a drive, its contact, its leader and the
 * point that travels with it. What acts on ticks only, or through buffers (followers, sources, pickups),
 * joins nobody. Within a group, islands are contacts joined through bodies that can move: those are solved
 * together. Both are found in canonical order, so that the order in which parts were added, or which end of a
 * contact came first, cannot change a sample. */
#include "scene/scene.h"

#include <assert.h>

static uint16_t root_of(uint16_t *parent, uint16_t i) {
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

/* Contacts in canonical order, and behind them the ends of drives' ways that the ball is near; bodies that
 * they touch are numbered the same way. */
void ct_contacts_gather(ct_scene *s) {
  s->groups_stale = true;
  uint16_t bodies = s->parts[CT_PART_BODY].live, drives = s->parts[CT_PART_DRIVE].live;
  s->joined_count = 0;
  for (uint16_t i = 0; i < s->parts[CT_PART_CONTACT].live; i++)
    s->joined[s->joined_count++] = ct_live_contact(s, i);
  for (uint16_t i = 0; i < bodies; i++)
    ct_live_body(s, i)->number = i;
  for (uint16_t i = 0; i < drives; i++) {
    ct_drive *d = ct_live_drive(s, i);
    d->way.number = (uint16_t)(bodies + i);
    for (int e = 0; e < CT_WAY_ENDS; e++)
      if (d->near[e])
        s->joined[s->joined_count++] = &d->stop[e];
  }
}

static void part_all(ct_scene *s) {
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live + s->parts[CT_PART_DRIVE].live; i++)
    s->parent[i] = i;
}

static void unite(ct_scene *s, uint16_t a, uint16_t b) {
  a = root_of(s->parent, a);
  b = root_of(s->parent, b);
  s->parent[a > b ? a : b] = a > b ? b : a;
}

/* ---- islands ---- */

/* The first body of a contact that can move; null between two hands. */
static const ct_body *first_mover(const ct_contact *c) {
  for (uint16_t e = 0; e < c->end_count; e++)
    if (!c->end[e].body->kind->rigid)
      return c->end[e].body;
  return NULL;
}

/* Bodies of one contact share a root, but for those that cannot move. */
static void join_bodies(ct_scene *s) {
  for (uint16_t i = 0; i < s->joined_count; i++) {
    const ct_contact *c = s->joined[i];
    const ct_body *first = first_mover(c);
    for (uint16_t e = 0; e < c->end_count; e++)
      if (!c->end[e].body->kind->rigid)
        unite(s, first->number, c->end[e].body->number);
  }
}

/* The root that stands for a contact; between two hands, CT_NO_PORT: an island of its own. */
static uint16_t contact_root(ct_scene *s, const ct_contact *c) {
  const ct_body *first = first_mover(c);
  return first ? root_of(s->parent, first->number) : CT_NO_PORT;
}

static void collect_body(ct_scene *s, ct_island *island, ct_body *b, uint16_t root, uint16_t *bodies) {
  if (b->kind->rigid || !b->contact_count || root_of(s->parent, b->number) != root)
    return;
  s->island_bodies[(*bodies)++] = b;
  island->body_count++;
}

static void collect(ct_scene *s, ct_island *island, uint16_t first, uint16_t root, uint16_t *contacts,
                    uint16_t *bodies) {
  *island = (ct_island){.first_contact = *contacts, .first_body = *bodies};
  for (uint16_t i = first; i < s->joined_count; i++) {
    ct_contact *c = s->joined[i];
    if (contact_root(s, c) != root || (root == CT_NO_PORT && i != first))
      continue;
    c->number = *contacts;
    s->island_contacts[(*contacts)++] = c;
    island->contact_count++;
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live && root != CT_NO_PORT; i++)
    collect_body(s, island, ct_live_body(s, i), root, bodies);
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live && root != CT_NO_PORT; i++)
    if (ct_live_drive(s, i)->free)
      collect_body(s, island, &ct_live_drive(s, i)->way, root, bodies);
}

/* Is this contact the first, in canonical order, of its island? */
static bool first_of_island(ct_scene *s, uint16_t index, uint16_t root) {
  for (uint16_t i = 0; i < index && root != CT_NO_PORT; i++)
    if (contact_root(s, s->joined[i]) == root)
      return false;
  return true;
}

static void find_islands(ct_scene *s) {
  uint16_t contacts = 0, bodies = 0;
  part_all(s);
  join_bodies(s);
  ct_solver_forget(&s->solver);
  s->island_count = 0;
  for (uint16_t g = 0; g < s->group_count; g++) {
    s->groups[g].first_island = s->island_count;
    for (uint16_t i = 0; i < s->joined_count; i++) {
      if (s->joined[i]->group != g)
        continue;
      uint16_t root = contact_root(s, s->joined[i]);
      if (first_of_island(s, i, root))
        collect(s, &s->islands[s->island_count++], i, root, &contacts, &bodies);
    }
    s->groups[g].island_count = (uint16_t)(s->island_count - s->groups[g].first_island);
  }
  assert(contacts == s->joined_count); /* each is in one island */
}

/* ---- groups ---- */

/* The wall at the end of a way belongs to nobody. */
static bool is_numbered(const ct_scene *s, const ct_body *body) {
  return body && (!s->wall || body != &s->wall->body);
}

static void unite_bodies(ct_scene *s, const ct_body *a, const ct_body *b) {
  if (is_numbered(s, a) && is_numbered(s, b))
    unite(s, a->number, b->number);
}

static void join_parts(ct_scene *s) {
  for (uint16_t i = 0; i < s->joined_count; i++) {
    const ct_contact *c = s->joined[i], *presser = c->kind == &ct_friction_kind ? c->friction.source : NULL;
    for (uint16_t e = 1; e < c->end_count; e++)
      unite_bodies(s, c->end[0].body, c->end[e].body);
    if (presser)
      unite_bodies(s, c->end[0].body, presser->end[0].body);
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    const ct_drive *d = ct_live_drive(s, i);
    const ct_body *beside[] = {d->contact->end[0].body, d->leader.body, d->plane.body};
    for (size_t k = 0; k < sizeof beside / sizeof beside[0]; k++)
      unite_bodies(s, &d->way, beside[k]);
  }
}

/* Groups are numbered by their first body. */
static void number_groups(ct_scene *s) {
  uint16_t bodies = s->parts[CT_PART_BODY].live, drives = s->parts[CT_PART_DRIVE].live;
  s->group_count = 0;
  for (uint16_t i = 0; i < bodies + drives; i++) {
    ct_body *b = i < bodies ? ct_live_body(s, i) : &ct_live_drive(s, (uint16_t)(i - bodies))->way;
    uint16_t root = root_of(s->parent, i);
    const ct_body *first = root < bodies ? ct_live_body(s, root) : b;
    if (root == i)
      s->groups[s->group_count] = (ct_group){0};
    b->group = root == i ? s->group_count++ : first->group;
  }
  s->groups[s->group_count++] = (ct_group){0}; /* of pickups on contacts that have gone */
  for (uint16_t i = 0; i < s->joined_count; i++)
    s->joined[i]->group = s->joined[i]->end[0].body->group;
}

/* Of what it listens to: a contact that has gone keeps its last force, and no group. */
static uint16_t pickup_group(const ct_scene *s, const ct_pickup *p) {
  if (!ct_pickup_on_contact(p))
    return s->bodies[p->body].group;
  return s->contact_leaving[p->contact] ? (uint16_t)(s->group_count - 1) : s->contacts[p->contact].group;
}

/* Ranges for counts, then the items in order: `first` is where the next one goes until all are there. */
static void lay_ranges(ct_scene *s) {
  uint16_t bodies = 0, others = 0, drives = 0, pickups = 0;
  for (uint16_t i = 0; i < s->group_count; i++) {
    ct_group *g = &s->groups[i];
    g->first_body = bodies;
    g->first_other = others;
    g->first_drive = drives;
    g->first_pickup = pickups;
    bodies = (uint16_t)(bodies + g->body_count);
    others = (uint16_t)(others + g->other_count);
    drives = (uint16_t)(drives + g->drive_count);
    pickups = (uint16_t)(pickups + g->pickup_count);
    g->body_count = g->other_count = g->drive_count = g->pickup_count = 0;
  }
}

static bool is_other(const ct_body *b) { return b->kind->rigid || !b->contact_count; }

/* Twice: once to count, once to fill. */
static void sort_parts(ct_scene *s, bool fill) {
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live; i++) {
    ct_body *b = ct_live_body(s, i);
    ct_group *g = &s->groups[b->group];
    if (fill)
      s->group_bodies[g->first_body + g->body_count] = b;
    g->body_count++;
    if (fill && is_other(b))
      s->group_others[g->first_other + g->other_count] = b;
    g->other_count = (uint16_t)(g->other_count + is_other(b));
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    ct_drive *d = ct_live_drive(s, i);
    ct_group *g = &s->groups[d->way.group];
    if (fill)
      s->group_drives[g->first_drive + g->drive_count] = d;
    g->drive_count++;
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_PICKUP].live; i++) {
    ct_pickup *p = ct_live_pickup(s, i);
    p->group = pickup_group(s, p);
    ct_group *g = &s->groups[p->group];
    if (fill)
      s->group_pickups[g->first_pickup + g->pickup_count] = p;
    g->pickup_count++;
  }
}

/* A group sleeps where all of it slept before; hands and points that moved go on moving. */
static void note_states(ct_scene *s) {
  for (uint16_t i = 0; i < s->parts[CT_PART_SOURCE].live; i++)
    s->groups[s->bodies[ct_live_source(s, i)->body].group].has_source = true;
  for (uint16_t i = 0; i < s->group_count; i++) {
    ct_group *g = &s->groups[i];
    uint16_t asleep = 0;
    for (uint16_t k = 0; k < g->body_count; k++) {
      const ct_body *b = s->group_bodies[g->first_body + k];
      asleep = (uint16_t)(asleep + b->asleep);
      g->slid |= b->slid;
      g->leading |= b->kind->rigid || b->gliding;
      g->has_thump |= b->thump != NULL;
    }
    g->asleep = g->body_count > 0 && asleep == g->body_count;
    if (!g->asleep && asleep > 0)
      ct_wake_group(s, g);
  }
}

void ct_groups_find(ct_scene *s) {
  ct_contacts_gather(s);
  s->groups_stale = false;
  part_all(s);
  join_parts(s);
  number_groups(s);
  sort_parts(s, false);
  lay_ranges(s);
  sort_parts(s, true);
  find_islands(s);
  note_states(s);
  s->awake_stale = true;
}

void ct_groups_list_awake(ct_scene *s) {
  s->awake_stale = false;
  s->awake_count = 0;
  for (uint16_t i = 0; i < s->group_count; i++)
    if (!s->groups[i].asleep && (s->groups[i].body_count || s->groups[i].pickup_count))
      s->awake[s->awake_count++] = i;
  s->heard_count = 0;
  for (uint16_t i = 0; i < s->parts[CT_PART_PICKUP].live; i++) {
    ct_pickup *p = ct_live_pickup(s, i);
    if (!s->groups[p->group].asleep || !ct_pickup_is_done(p, s->sample))
      s->heard[s->heard_count++] = p;
  }
}
