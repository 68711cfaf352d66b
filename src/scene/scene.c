/* Making a scene: one block of memory, laid out by the same code that measures it. */
#include "scene/scene.h"
#include "base/sized.h"
#include "base/text.h"

#include <stdlib.h>

#define COOKIE 0x0c047a77u

void ct_fill_scene_def(ct_scene_def *to, uint32_t size) {
  ct_scene_def def = {.cookie = COOKIE,
                      .size = size,
                      .rate_hz = 48000,
                      .smoothing_s = 0.03,
                      .seed = 1,
                      .channels = 1,
                      .bodies = 16,
                      .contacts = 32,
                      .pickups = 8,
                      .controls = 16,
                      .targets = 64,
                      .pool_bytes = 4u << 20,
                      .messages = 1024,
                      .surfaces = 4,
                      .drives = 4,
                      .sources = 8,
                      .strikes = 16,
                      .substeps = 1u << (CT_LEVELS - 1)};
  ct_give_bytes(to, size, &def, sizeof def);
}

static ct_result take_def(const ct_scene_def *given, ct_scene_def *d, ct_error *error) {
  *d = ct_default_scene_def();
  if (!ct_take_def(d, given))
    return ct_fail(error, CT_BAD_ARGUMENT, "scene definition: start from ct_default_scene_def()");
  if (!(d->rate_hz >= 1000 && d->rate_hz <= 1e6))
    return ct_fail(error, CT_BAD_VALUE, "rate_hz: %g Hz is out of range; wants 1000 to 1e6 Hz", d->rate_hz);
  if (!(d->smoothing_s >= 0.001 && d->smoothing_s <= 10))
    return ct_fail(error, CT_BAD_VALUE, "smoothing_s: %g s is out of range; wants 0.001 to 10 s",
                   d->smoothing_s);
  if (!(d->gravity_m_s2 >= 0 && d->gravity_m_s2 <= 100))
    return ct_fail(error, CT_BAD_VALUE, "gravity_m_s2: %g is out of range; wants 0 to 100 m/s^2",
                   d->gravity_m_s2);
  if (d->channels < 1 || d->channels > CT_OUTPUTS_MOST)
    return ct_fail(error, CT_BAD_VALUE, "channels: %u; wants 1 to %u", d->channels, CT_OUTPUTS_MOST);
  if (d->messages < 1 || d->messages > CT_MESSAGES_MOST)
    return ct_fail(error, CT_BAD_VALUE, "messages: %u; wants 1 to %u", d->messages, CT_MESSAGES_MOST);
  if (d->substeps < 1 || d->substeps > 1u << (CT_LEVELS - 1) || (d->substeps & (d->substeps - 1)))
    return ct_fail(error, CT_BAD_VALUE, "substeps: %u; wants a power of two from 1 to %u", d->substeps,
                   1u << (CT_LEVELS - 1));
  return ct_full_check_def(d, error);
}

static void lay_queue(ct_queue *queue, ct_arena *arena, uint32_t items, size_t size) {
  queue->capacity = items;
  queue->item_size = (uint32_t)size;
  queue->items = ct_arena_take(arena, queue->capacity, size);
}

static void lay_setup_side(ct_scene *s, ct_arena *arena, const ct_scene_def *d) {
  ct_parts_lay(s, arena, d);
  s->controls = ct_arena_take(arena, d->controls, sizeof *s->controls);
  s->targets = ct_arena_take(arena, d->targets, sizeof *s->targets);
  s->pool.size = d->pool_bytes;
  s->pool.base = ct_arena_take(arena, 1, d->pool_bytes);
  s->pool.most = d->bodies + d->contacts + d->surfaces + d->drives + d->sources; /* one each */
  s->pool.pieces = ct_arena_take(arena, s->pool.most, sizeof *s->pool.pieces);
  /* adding and removing everything once must fit beside the parameters */
  uint32_t parts = ct_parts_capacity(d);
  lay_queue(&s->inbox, arena, d->messages + 2 * parts, sizeof(ct_message));
  lay_queue(&s->outbox, arena, parts + 1, sizeof(ct_returned));
}

static void *list_at(void **lists, size_t at) { return lists ? lists + at : NULL; }

static void lay_audio_side(ct_scene *s, ct_arena *arena, const ct_scene_def *d) {
  ct_status *shown = &s->status;
  size_t bytes = d->contacts * sizeof *shown->contacts + d->channels * sizeof *shown->levels;
  shown->contacts = ct_arena_take(arena, 1, bytes);
  shown->levels = shown->contacts ? (ct_shown_level *)(shown->contacts + d->contacts) : NULL;
  /* a drive may bring a body, its way, and contacts, the ends of it */
  uint32_t contacts = d->contacts + CT_WAY_ENDS * d->drives, bodies = d->bodies + d->drives;
  s->joined = ct_arena_take(arena, 2 * contacts, sizeof(ct_contact *));
  s->island_contacts = s->joined ? s->joined + contacts : NULL;
  s->islands = ct_arena_take(arena, contacts, sizeof *s->islands);
  s->island_bodies = ct_arena_take(arena, bodies, sizeof *s->island_bodies);
  s->parent = ct_arena_take(arena, 2 * bodies + 1 + (d->contacts + 1) / 2, sizeof *s->parent);
  s->awake = s->parent ? s->parent + bodies : NULL;
  s->contact_leaving = s->parent ? (bool *)(s->parent + 2 * bodies + 1) : NULL;
  s->groups = ct_arena_take(arena, bodies + 1, sizeof *s->groups);
  const size_t drives_at = 2 * (size_t)d->bodies, pickups_at = drives_at + d->drives;
  void **lists = ct_arena_take(arena, pickups_at + 2 * (size_t)d->pickups, sizeof *lists);
  s->group_bodies = list_at(lists, 0);
  s->group_others = list_at(lists, d->bodies);
  s->group_drives = list_at(lists, drives_at);
  s->group_pickups = list_at(lists, pickups_at);
  s->heard = list_at(lists, pickups_at + d->pickups);
  ct_solver_lay(&s->solver, arena, contacts);
  s->solver.keeps_account = d->ledger;
  s->waiting_capacity = d->messages;
  s->waiting = ct_arena_take(arena, s->waiting_capacity, sizeof *s->waiting);
  s->ramp_capacity = d->messages;
  s->ramps = ct_arena_take(arena, s->ramp_capacity, sizeof *s->ramps);
  s->strikes = ct_arena_take(arena, d->strikes, sizeof *s->strikes);
  s->wall = d->drives ? ct_arena_take(arena, 1, sizeof *s->wall) : NULL;
}

static void lay(ct_scene *s, ct_arena *arena, const ct_scene_def *d) {
  lay_setup_side(s, arena, d);
  lay_audio_side(s, arena, d);
}

ct_result ct_scene_size(const ct_scene_def *given, size_t *bytes, ct_error *error) {
  ct_scene_def def;
  CT_TRY(take_def(given, &def, error));
  if (!bytes)
    return ct_fail(error, CT_BAD_ARGUMENT, "scene size: nowhere to write it");
  ct_arena counting = {NULL, 0, 0};
  ct_scene scratch;
  memset(&scratch, 0, sizeof scratch);
  ct_arena_take(&counting, 1, sizeof scratch);
  lay(&scratch, &counting, &def);
  *bytes = counting.used;
  return CT_OK;
}

ct_result ct_scene_init(void *memory, size_t bytes, const ct_scene_def *given, ct_scene **scene,
                        ct_error *error) {
  ct_scene_def def;
  size_t wanted;
  CT_TRY(ct_scene_size(given, &wanted, error));
  CT_TRY(take_def(given, &def, error));
  if (!memory || !scene || (uintptr_t)memory % CT_SCENE_ALIGN != 0)
    return ct_fail(error, CT_BAD_ARGUMENT, "scene memory: wants %zu bytes aligned to %u", wanted,
                   CT_SCENE_ALIGN);
  if (bytes < wanted)
    return ct_fail(error, CT_NO_MEMORY, "scene memory: %zu bytes given, %zu needed", bytes, wanted);
  ct_arena arena = {memory, bytes, 0};
  ct_scene *s = ct_arena_take(&arena, 1, sizeof *s);
  lay(s, &arena, &def);
  s->def = def;
  s->bytes = wanted;
  s->step_s = 1 / def.rate_hz;
  if (s->wall) {
    ct_wall *wall = s->wall;
    wall->body.points = &wall->point;
    wall->body.ports = wall->port;
    wall->body.point_count = 1;
    wall->body.port_count = CT_DIRECTIONS;
    wall->body.step_s = s->step_s;
    ct_hand_fill(&wall->body, &(ct_hand_def){0});
  }
  s->groups_stale = true;
  s->gravity_taken = def.gravity_m_s2;
  s->dc_pole = exp(-2 * M_PI * 20 / def.rate_hz);
  *scene = s;
  return CT_OK;
}

ct_result ct_scene_create(const ct_scene_def *def, ct_scene **scene, ct_error *error) {
  size_t bytes;
  ct_result result = ct_scene_size(def, &bytes, error);
  if (result != CT_OK)
    return result;
  void *block = bytes <= SIZE_MAX - CT_SCENE_ALIGN ? malloc(bytes + CT_SCENE_ALIGN) : NULL;
  if (!block)
    return ct_fail(error, CT_NO_MEMORY, "scene: no memory for %zu bytes", bytes);
  unsigned char *aligned = (unsigned char *)block + (CT_SCENE_ALIGN - (uintptr_t)block % CT_SCENE_ALIGN);
  result = ct_scene_init(aligned, bytes, def, scene, error);
  if (result == CT_OK)
    (*scene)->owned = block;
  else
    free(block);
  return result;
}

void ct_scene_destroy(ct_scene *s) {
  if (!s)
    return;
  ct_start_drop(s);
  free(s->owned);
}

double ct_scene_rate_hz(const ct_scene *s) { return s->def.rate_hz; }

uint32_t ct_scene_channels(const ct_scene *s) { return s->def.channels; }

size_t ct_scene_bytes(const ct_scene *s) { return s->bytes; }

void ct_scene_bound_sized(const ct_scene *s, ct_bound *to, uint32_t size) {
  ct_bound bound = {CT_PASSES * CT_MOST_EVALUATIONS, s->def.substeps};
  ct_give_bytes(to, size, &bound, sizeof bound);
}
