/* Removing, on the set-up thread: what leans on a part goes with it, and before it. */
#include "base/text.h"
#include "scene/add.h"

bool ct_contact_leans_on(const ct_scene *s, uint16_t slot, ct_part part, uint16_t other) {
  const ct_end *end = s->contacts[slot].end;
  return part == CT_PART_BODY && (end[0].body == &s->bodies[other] || end[1].body == &s->bodies[other]);
}

bool ct_pickup_leans_on(const ct_scene *s, uint16_t slot, ct_part part, uint16_t other) {
  const ct_pickup *p = &s->pickups[slot];
  return ct_pickup_on_contact(p) ? part == CT_PART_CONTACT && p->contact == other
                                 : part == CT_PART_BODY && p->body == other;
}

bool ct_drive_leans_on(const ct_scene *s, uint16_t slot, ct_part part, uint16_t other) {
  const ct_drive *d = &s->drives[slot];
  const ct_body *body = part == CT_PART_BODY ? &s->bodies[other] : NULL;
  return (part == CT_PART_CONTACT && d->contact == &s->contacts[other]) ||
         (body && (d->leader.body == body || d->plane.body == body || d->rim.body == body));
}

bool ct_source_leans_on(const ct_scene *s, uint16_t slot, ct_part part, uint16_t other) {
  return part == CT_PART_BODY && s->sources[slot].body == other;
}

/* At most contacts lean on bodies and others on those: two levels deep. */
static void remove_part(ct_scene *s, ct_part part, uint16_t slot) {
  for (int k = 0; k < CT_PART_KINDS; k++)
    for (uint16_t i = 0; ct_part_kinds[k].leans_on && i < s->parts[k].capacity; i++)
      if (s->parts[k].slot[i] == CT_SLOT_USED && ct_part_kinds[k].leans_on(s, i, part, slot))
        remove_part(s, (ct_part)k, i); /* NOLINT(misc-no-recursion) */
  ct_message m = {.kind = CT_MESSAGE_REMOVE, .part = (uint8_t)part, .handle = {.object = slot}};
  s->parts[part].slot[slot] = CT_SLOT_LEAVING;
  ct_start_note_change(s);
  ct_queue_push(&s->inbox, &m);
}

static ct_result check_surface(const ct_scene *s, uint16_t surface, ct_error *error) {
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].capacity; i++)
    if (s->parts[CT_PART_DRIVE].slot[i] != CT_SLOT_FREE && s->drives[i].surface == &s->surfaces[surface])
      return ct_fail(error, CT_BAD_SCENE, "remove '%s': drive '%s' runs over it; remove that first",
                     s->surfaces[surface].name, s->drives[i].name);
  return CT_OK;
}

ct_result ct_scene_remove_id(ct_scene *s, ct_id id, ct_error *error) {
  if (!s || !ct_scene_has(s, id))
    return ct_fail(error, CT_BAD_ARGUMENT, "remove: no scene, or the id of nothing in it");
  ct_part part = (ct_part)(id.index >> 16);
  uint16_t slot = (uint16_t)(id.index & 0xffff);
  CT_TRY(ct_start_check(s, "remove", error));
  ct_add_collect(s);
  if (ct_queue_room(&s->inbox) < ct_parts_capacity(&s->def))
    return ct_full_queue(s, "remove", ct_part_name(s, part, slot), ct_parts_capacity(&s->def), error);
  if (part == CT_PART_SURFACE)
    CT_TRY(check_surface(s, slot, error));
  remove_part(s, part, slot);
  return CT_OK;
}

ct_result ct_scene_remove(ct_scene *s, const char *name, ct_error *error) {
  if (!s || !name)
    return ct_fail(error, CT_BAD_ARGUMENT, "remove: a null pointer");
  ct_id id = ct_scene_find(s, name);
  if (!ct_id_is_none(id))
    return ct_scene_remove_id(s, id, error);
  char kinds[96];
  ct_part_list_kinds(kinds, sizeof kinds);
  return ct_fail(error, CT_BAD_PATH, "remove: there is no %s called '%.60s'", kinds, name);
}
