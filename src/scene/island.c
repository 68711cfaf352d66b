/* Islands: contacts joined through bodies that can move. They are found in canonical order, so that the order
 * in which parts were added, or which end of a contact came first, cannot change a sample. */
#include "scene/scene.h"

static uint16_t root_of(uint16_t *parent, uint16_t i) {
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

/* Contacts in canonical order, and behind them the ends of drives' ways that the ball is near; bodies that
 * they touch are numbered the same way. */
static void gather(ct_scene *s) {
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
  for (uint16_t i = 0; i < bodies + drives; i++)
    s->parent[i] = i;
}

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
    for (uint16_t e = 0; e < c->end_count; e++) {
      if (c->end[e].body->kind->rigid)
        continue;
      uint16_t a = root_of(s->parent, first->number), b = root_of(s->parent, c->end[e].body->number);
      s->parent[a > b ? a : b] = a > b ? b : a;
    }
  }
}

/* The root that stands for a contact; between two hands, CT_NO_PORT: an island of its own. */
static uint16_t contact_root(ct_scene *s, const ct_contact *c) {
  const ct_body *first = first_mover(c);
  return first ? root_of(s->parent, first->number) : CT_NO_PORT;
}

/* No account to keep, one contact between two bodies, and a law that can do a whole sample. */
static ct_contact *quick_contact(const ct_scene *s, const ct_island *island) {
  ct_contact *c = s->island_contacts[island->first_contact];
  bool quick = !s->def.ledger && island->contact_count == 1 && c->kind->step &&
               c->end[0].body != c->end[1].body && c->led_count == 0;
  return quick ? c : NULL;
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
    s->island_contacts[(*contacts)++] = c;
    island->contact_count++;
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live && root != CT_NO_PORT; i++)
    collect_body(s, island, ct_live_body(s, i), root, bodies);
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live && root != CT_NO_PORT; i++)
    if (ct_live_drive(s, i)->free)
      collect_body(s, island, &ct_live_drive(s, i)->way, root, bodies);
  island->quick = quick_contact(s, island);
}

/* Is this contact the first, in canonical order, of its island? */
static bool first_of_island(ct_scene *s, uint16_t index, uint16_t root) {
  for (uint16_t i = 0; i < index && root != CT_NO_PORT; i++)
    if (contact_root(s, s->joined[i]) == root)
      return false;
  return true;
}

/* Behind those of the islands: bodies that touch nothing, and hands. */
static void collect_others(ct_scene *s, uint16_t first) {
  s->first_other = s->others_end = first;
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live; i++) {
    ct_body *b = ct_live_body(s, i);
    if (b->kind->rigid || !b->contact_count)
      s->island_bodies[s->others_end++] = b;
  }
}

void ct_islands_find(ct_scene *s) {
  uint16_t contacts = 0, bodies = 0;
  gather(s);
  join_bodies(s);
  ct_solver_forget(&s->solver);
  s->island_count = 0;
  for (uint16_t i = 0; i < s->joined_count; i++) {
    uint16_t root = contact_root(s, s->joined[i]);
    if (first_of_island(s, i, root))
      collect(s, &s->islands[s->island_count++], i, root, &contacts, &bodies);
  }
  collect_others(s, bodies);
}
