/* What other threads may read while the scene sounds: numbers that the audio thread writes at the end of each
 * of its calls, each whole by itself. They are for meters, games and hosts that want to know when to stop;
 * what has to be exact to the sample is tapped.
 *
 * A contact's generation is written before the first force of its own, and read after the force: whoever sees
 * a force of its successor sees the successor's generation, too. */
#include "scene/scene.h"

/* Groups that step, or pickups that have not yet faded after their groups fell asleep. */
static bool is_sounding(const ct_scene *s) {
  bool sounding = s->groups_stale || s->awake_count > 0;
  for (uint16_t i = 0; i < s->heard_count && !sounding; i++)
    sounding = !ct_pickup_is_silent(s->heard[i], s->sample);
  return sounding && !s->fault.found;
}

void ct_status_write(ct_scene *s, uint32_t frames) {
  ct_status *shown = &s->status;
  atomic_store_explicit(&shown->sample, ct_start_origin(s) + s->sample, memory_order_relaxed);
  atomic_store_explicit(&shown->sounding, is_sounding(s), memory_order_relaxed);
  for (uint32_t c = 0; frames && c < s->def.channels; c++) {
    ct_shown_level *output = &shown->levels[c];
    atomic_store_explicit(&output->level, output->loudest, memory_order_relaxed);
    output->loudest = 0;
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_CONTACT].live; i++) {
    const ct_contact *c = ct_live_contact(s, i);
    double force = s->fault.found ? 0 : c->force_n;
    atomic_store_explicit(&shown->contacts[c - s->contacts].force_n, force, memory_order_release);
  }
}

void ct_status_show_contact(ct_scene *s, uint16_t slot, uint32_t generation) {
  ct_shown_contact *shown = &s->status.contacts[slot];
  atomic_store_explicit(&shown->generation, generation, memory_order_relaxed);
  atomic_store_explicit(&shown->force_n, 0, memory_order_release);
}

uint64_t ct_scene_sample(const ct_scene *s) {
  return atomic_load_explicit(&s->status.sample, memory_order_relaxed);
}

bool ct_scene_is_sounding(const ct_scene *s) {
  return atomic_load_explicit(&s->status.sounding, memory_order_relaxed);
}

double ct_scene_level(const ct_scene *s, uint32_t channel) {
  if (channel >= s->def.channels)
    return 0;
  return (double)atomic_load_explicit(&s->status.levels[channel].level, memory_order_relaxed);
}

double ct_scene_contact_force_n(const ct_scene *s, ct_handle contact) {
  const ct_row *row = ct_row_at(contact.row);
  if (!row || ct_part_of((ct_section)row->section) != CT_PART_CONTACT || contact.object >= s->def.contacts)
    return 0;
  const ct_shown_contact *shown = &s->status.contacts[contact.object];
  double force = atomic_load_explicit(&shown->force_n, memory_order_acquire);
  uint32_t there = atomic_load_explicit(&shown->generation, memory_order_relaxed);
  return there == contact.generation ? force : 0;
}
