/* What is said when a scene is full: which capacity it is, how large, and how much is wanted. */
#include "base/text.h"
#include "scene/full.h"

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
