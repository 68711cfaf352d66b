#include "base/text.h"
#include "scene/scene.h"

#include <stddef.h>
#include <string.h>

#define ROW(type, many, memory, stem, leans)                                                                 \
  {                                                                                                          \
    sizeof(type), offsetof(type, name), offsetof(type, generation), memory, offsetof(ct_scene_def, many),    \
        offsetof(ct_scene, many), stem##_arrive, stem##_leave, leans                                         \
  }

const ct_part_kind ct_part_kinds[CT_PART_KINDS] = {
    [CT_PART_BODY] = ROW(ct_body, bodies, offsetof(ct_body, memory), ct_body, NULL),
    [CT_PART_CONTACT] =
        ROW(ct_contact, contacts, offsetof(ct_contact, memory), ct_contact, ct_contact_leans_on),
    [CT_PART_SURFACE] = ROW(ct_surface, surfaces, offsetof(ct_surface, memory), ct_surface, NULL),
    [CT_PART_DRIVE] = ROW(ct_drive, drives, offsetof(ct_drive, memory), ct_drive, ct_drive_leans_on),
    [CT_PART_SOURCE] = ROW(ct_source, sources, offsetof(ct_source, memory), ct_source, ct_source_leans_on),
    [CT_PART_PICKUP] = ROW(ct_pickup, pickups, CT_NO_MEMORY_AT, ct_pickup, ct_pickup_leans_on),
};

static uint32_t capacity_in(const ct_scene_def *def, ct_part part) {
  uint32_t capacity;
  memcpy(&capacity, (const unsigned char *)def + ct_part_kinds[part].capacity_at, sizeof capacity);
  return capacity;
}

uint32_t ct_parts_capacity(const ct_scene_def *def) {
  uint32_t sum = 0;
  for (int k = 0; k < CT_PART_KINDS; k++)
    sum += capacity_in(def, (ct_part)k);
  return sum;
}

enum { PART_BYTES = sizeof(void *) + sizeof(uint32_t) + sizeof(uint16_t) + sizeof(uint8_t) };

/* One piece for all kinds, the widest first; null: only counted. */
static void lay_lists(ct_scene *s, void *memory, uint32_t capacity) {
  if (!memory)
    return;
  void **user_data = memory;
  uint32_t *here = (uint32_t *)(void *)(user_data + capacity);
  uint16_t *order = (uint16_t *)(here + capacity);
  uint8_t *slot = (uint8_t *)(order + capacity);
  uint32_t first = 0;
  for (int k = 0; k < CT_PART_KINDS; k++) {
    ct_parts *p = &s->parts[k];
    p->user_data = user_data + first;
    p->here = here + first;
    p->order = order + first;
    p->slot = slot + first;
    first += p->capacity;
  }
}

void ct_parts_lay(ct_scene *s, ct_arena *arena, const ct_scene_def *def) {
  for (int k = 0; k < CT_PART_KINDS; k++) {
    ct_parts *parts = &s->parts[k];
    uint32_t capacity = parts->capacity = capacity_in(def, (ct_part)k);
    void *items = ct_arena_take(arena, capacity, ct_part_kinds[k].size);
    memcpy((unsigned char *)s + ct_part_kinds[k].items_at, &items, sizeof items);
  }
  lay_lists(s, ct_arena_take(arena, ct_parts_capacity(def), PART_BYTES), ct_parts_capacity(def));
}

/* ---- one part ---- */

static const unsigned char *item(const ct_scene *s, ct_part part, uint16_t slot) {
  const unsigned char *items;
  memcpy(&items, (const unsigned char *)s + ct_part_kinds[part].items_at, sizeof items);
  return items + slot * ct_part_kinds[part].size;
}

const char *ct_part_name(const ct_scene *s, ct_part part, uint16_t slot) {
  return (const char *)item(s, part, slot) + ct_part_kinds[part].name_at;
}

uint32_t ct_part_generation(const ct_scene *s, ct_part part, uint16_t slot) {
  uint32_t generation;
  memcpy(&generation, item(s, part, slot) + ct_part_kinds[part].generation_at, sizeof generation);
  return generation;
}

void *ct_part_memory(const ct_scene *s, ct_part part, uint16_t slot) {
  void *memory = NULL;
  if (ct_part_kinds[part].memory_at != CT_NO_MEMORY_AT)
    memcpy(&memory, item(s, part, slot) + ct_part_kinds[part].memory_at, sizeof memory);
  return memory;
}

/* ---- by id ---- */

ct_id ct_part_id(const ct_scene *s, ct_part part, uint16_t slot) {
  return (ct_id){(uint32_t)part << 16 | slot, ct_part_generation(s, part, slot)};
}

int ct_part_slot(const ct_scene *s, ct_part part, ct_id id) {
  uint32_t slot = id.index & 0xffff;
  bool there = !ct_id_is_none(id) && id.index >> 16 == (uint32_t)part && slot < s->parts[part].capacity &&
               s->parts[part].slot[slot] == CT_SLOT_USED &&
               ct_part_generation(s, part, (uint16_t)slot) == id.generation;
  return there ? (int)slot : -1;
}

/* ---- by name ---- */

int ct_part_find(const ct_scene *s, ct_part part, const char *name) {
  const ct_parts *parts = &s->parts[part];
  for (uint16_t i = 0; i < parts->capacity; i++)
    if (parts->slot[i] == CT_SLOT_USED && strcmp(ct_part_name(s, part, i), name) == 0)
      return i;
  return -1;
}

int ct_part_find_live(const ct_scene *s, ct_part part, const char *name) {
  const ct_parts *parts = &s->parts[part];
  for (uint16_t i = 0; i < parts->live; i++)
    if (strcmp(ct_part_name(s, part, parts->order[i]), name) == 0)
      return parts->order[i];
  return -1;
}

bool ct_part_named(const ct_scene *s, const char *name) {
  for (int k = 0; k < CT_PART_KINDS; k++)
    if (ct_part_find(s, (ct_part)k, name) >= 0)
      return true;
  return ct_find_control(s, name) >= 0;
}

/* Not one that has had all the parts it can count: its next would have an id that was somebody else's. */
int ct_part_free_slot(const ct_scene *s, ct_part part) {
  for (uint32_t i = 0; i < s->parts[part].capacity; i++)
    if (s->parts[part].slot[i] == CT_SLOT_FREE && ct_part_generation(s, part, (uint16_t)i) < UINT32_MAX)
      return (int)i;
  return -1;
}

/* ---- in order: by name, so that the order in which parts were added cannot change a sample ---- */

void ct_part_enter(ct_scene *s, ct_part part, uint16_t slot) {
  ct_parts *p = &s->parts[part];
  uint16_t at = p->live++;
  for (; at > 0 && strcmp(ct_part_name(s, part, p->order[at - 1]), ct_part_name(s, part, slot)) > 0; at--)
    p->order[at] = p->order[at - 1];
  p->order[at] = slot;
  p->here[slot] = ct_part_generation(s, part, slot);
  if (part == CT_PART_CONTACT)
    ct_status_show_contact(s, slot, p->here[slot]);
  s->groups_stale = true;
}

void ct_part_exit(ct_scene *s, ct_part part, uint16_t slot) {
  ct_parts *p = &s->parts[part];
  uint16_t kept = 0;
  for (uint16_t i = 0; i < p->live; i++)
    if (p->order[i] != slot)
      p->order[kept++] = p->order[i];
  p->live = kept;
  p->here[slot] = 0;
  if (part == CT_PART_CONTACT)
    ct_status_show_contact(s, slot, p->here[slot]);
  s->groups_stale = true;
}

/* What is said when a scene is full: which capacity it is, how large, and how much is wanted. */

static ct_result no_slot(const ct_scene *s, ct_part part, const char *name, ct_error *error) {
  const ct_parts *parts = &s->parts[part];
  uint32_t leaving = 0;
  char still[48] = "";
  for (uint32_t i = 0; i < parts->capacity; i++)
    leaving += parts->slot[i] == CT_SLOT_LEAVING;
  if (leaving)
    ct_format(still, sizeof still, "; %u still leaving", leaving);
  return ct_fail(error, CT_FULL, "%s '%s': no room: the scene has %u (ct_scene_def.%s), %u are wanted%s",
                 ct_part_word(part), name, parts->capacity, ct_part_section(part), parts->capacity + 1,
                 still);
}

ct_result ct_full_part(const ct_scene *s, ct_part part, const char *name, size_t bytes, ct_error *error) {
  if (ct_part_free_slot(s, part) < 0)
    return no_slot(s, part, name, error);
  size_t largest, free = ct_pool_free(&s->pool, &largest);
  return ct_fail(error, CT_FULL,
                 "%s '%s': no room in the pool: %zu bytes are wanted in one piece, %zu are free, at most %zu "
                 "in one piece (ct_scene_def.pool_bytes: %zu)",
                 ct_part_word(part), name, bytes, free, largest, s->def.pool_bytes);
}

ct_result ct_full_queue(ct_scene *s, const char *what, const char *name, uint32_t wanted, ct_error *error) {
  return ct_fail(error, CT_FULL,
                 "%s%s%.60s%s: the message queue is full: it has room for %u of %u (ct_scene_def.messages: "
                 "%u); process some samples first",
                 what, name ? " '" : "", name ? name : "", name ? "'" : "", ct_queue_room(&s->inbox), wanted,
                 s->def.messages);
}

ct_result ct_full_controls(const ct_scene *s, const char *name, uint32_t targets, ct_error *error) {
  if (s->control_count == s->def.controls)
    return ct_fail(error, CT_FULL,
                   "control '%s': no room: the scene has %u (ct_scene_def.controls), %u are wanted", name,
                   s->def.controls, s->control_count + 1u);
  return ct_fail(error, CT_FULL,
                 "control '%s': no room for its targets: the scene has %u (ct_scene_def.targets), %u are "
                 "wanted",
                 name, s->def.targets, s->target_count + targets);
}

/* ---- what no scene can have ---- */

ct_result ct_full_check_def(const ct_scene_def *d, ct_error *error) {
  const struct {
    const char *field;
    uint32_t asked, most;
  } limits[] = {{"bodies", d->bodies, CT_PARTS_MOST},     {"contacts", d->contacts, CT_PARTS_MOST},
                {"surfaces", d->surfaces, CT_PARTS_MOST}, {"drives", d->drives, CT_PARTS_MOST},
                {"sources", d->sources, CT_PARTS_MOST},   {"pickups", d->pickups, CT_PARTS_MOST},
                {"controls", d->controls, CT_PARTS_MOST}, {"targets", d->targets, CT_TARGETS_MOST},
                {"strikes", d->strikes, CT_PARTS_MOST}};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
    if (limits[i].asked > limits[i].most)
      return ct_fail(error, CT_BAD_VALUE, "capacity: %u %s are wanted (ct_scene_def.%s); at most %u",
                     limits[i].asked, limits[i].field, limits[i].field, limits[i].most);
  return CT_OK;
}
