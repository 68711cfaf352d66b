/* Islands: contacts joined through bodies that can move. They are found in canonical order, so that the order
 * in which parts were added, or which end of a contact came first, cannot change a sample. */
#include "scene/scene.h"

static uint16_t root_of(uint16_t *parent, uint16_t i) {
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

static uint16_t slot_of(const ct_scene *s, const ct_body *body) { return (uint16_t)(body - s->bodies); }

/* Parent of body slots; two bodies of one contact share a root unless one of them cannot move. */
static void join_bodies(ct_scene *s) {
  for (uint16_t i = 0; i < s->def.bodies; i++)
    s->parent[i] = i;
  for (uint16_t i = 0; i < s->parts[CT_PART_CONTACT].live; i++) {
    const ct_contact *c = ct_live_contact(s, i);
    if (c->end[0].body->kind->rigid || c->end[1].body->kind->rigid)
      continue;
    uint16_t a = root_of(s->parent, slot_of(s, c->end[0].body)),
             b = root_of(s->parent, slot_of(s, c->end[1].body));
    s->parent[a > b ? a : b] = a > b ? b : a;
  }
}

/* The root that stands for a contact; between two hands, CT_NO_PORT: an island of its own. */
static uint16_t contact_root(ct_scene *s, const ct_contact *c) {
  for (int e = 0; e < 2; e++)
    if (!c->end[e].body->kind->rigid)
      return root_of(s->parent, slot_of(s, c->end[e].body));
  return CT_NO_PORT;
}

/* No account to keep, one contact between two bodies, and a law that can do a whole sample. */
static ct_contact *quick_contact(const ct_scene *s, const ct_island *island) {
  ct_contact *c = s->island_contacts[island->first_contact];
  bool quick =
      !s->def.ledger && island->contact_count == 1 && c->kind->step && c->end[0].body != c->end[1].body;
  return quick ? c : NULL;
}

static void collect(ct_scene *s, ct_island *island, uint16_t first, uint16_t root, uint16_t *contacts,
                    uint16_t *bodies) {
  *island = (ct_island){.first_contact = *contacts, .first_body = *bodies};
  for (uint16_t i = first; i < s->parts[CT_PART_CONTACT].live; i++) {
    ct_contact *c = ct_live_contact(s, i);
    if (contact_root(s, c) != root || (root == CT_NO_PORT && i != first))
      continue;
    s->island_contacts[(*contacts)++] = c;
    island->contact_count++;
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live && root != CT_NO_PORT; i++) {
    ct_body *b = ct_live_body(s, i);
    if (b->kind->rigid || !b->contact_count || root_of(s->parent, s->parts[CT_PART_BODY].order[i]) != root)
      continue;
    s->island_bodies[(*bodies)++] = b;
    island->body_count++;
  }
  island->quick = quick_contact(s, island);
}

/* Is this contact the first, in canonical order, of its island? */
static bool first_of_island(ct_scene *s, uint16_t index, uint16_t root) {
  for (uint16_t i = 0; i < index && root != CT_NO_PORT; i++)
    if (contact_root(s, ct_live_contact(s, i)) == root)
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
  join_bodies(s);
  s->island_count = 0;
  for (uint16_t i = 0; i < s->parts[CT_PART_CONTACT].live; i++) {
    uint16_t root = contact_root(s, ct_live_contact(s, i));
    if (first_of_island(s, i, root))
      collect(s, &s->islands[s->island_count++], i, root, &contacts, &bodies);
  }
  collect_others(s, bodies);
}
