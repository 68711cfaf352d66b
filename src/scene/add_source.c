/* Adding a source, on the set-up thread: check everything, lay it out, announce it. */
#include "base/fractal.h"
#include "base/sized.h"
#include "base/text.h"
#include "scene/add.h"

#include <math.h>
#include <string.h>

static ct_result check_source(const ct_source_def *d, ct_error *error) {
  if (!d->regions || d->region_count == 0 || d->region_count > CT_REGIONS_MOST)
    return ct_fail(error, CT_BAD_SCENE, "source '%s': %u regions; wants 1 to %u", d->name, d->region_count,
                   CT_REGIONS_MOST);
  if (d->x.signal >= CT_SIGNALS || d->y.signal >= CT_SIGNALS || d->x.signal == d->y.signal)
    return ct_fail(error, CT_BAD_SCENE, "source '%s': the map's axes want two different signals", d->name);
  return ct_def_check(CT_DEF_SOURCE, d->name, d, error);
}

static ct_result check_region(const ct_source_def *d, uint32_t index, ct_error *error) {
  const ct_region_def *r = &d->regions[index];
  char field[CT_NAME_MAX], who[2 * CT_NAME_MAX];
  if (!ct_copy_name(field, r->name) || ct_word_of_source(r->name))
    return ct_fail(error, CT_BAD_VALUE, "source '%s': '%.60s' is not usable as a region's name", d->name,
                   r->name ? r->name : "");
  for (uint32_t i = 0; i < index; i++)
    if (strcmp(d->regions[i].name, r->name) == 0)
      return ct_fail(error, CT_BAD_SCENE, "source '%s': two regions are called '%s'", d->name, r->name);
  if (r->behaviour >= CT_BEHAVIOURS || r->morph_to >= CT_BEHAVIOURS || r->notes >= CT_NOTES_KINDS ||
      r->pitch > CT_PITCH_SCALE || r->table_curve > CT_TABLE_SMOOTH || (r->corner_count && (!r->x || !r->y)))
    return ct_fail(error, CT_BAD_VALUE, "source '%s', region '%s': a choice that there is not", d->name,
                   r->name);
  ct_format(who, sizeof who, "%s.%s", d->name, r->name);
  CT_TRY(ct_def_check(CT_DEF_REGION, who, r, error));
  return ct_pitch_table_check(d, r, error);
}

/* Whether the region's pitch can be a mode's. */
static bool locks(const ct_region *r) {
  return r->pitch == CT_PITCH_LOCKED || (r->pitch == CT_PITCH_USUAL && (r->ends[0].part[CT_VOICE_LOCK] > 0 ||
                                                                        r->ends[1].part[CT_VOICE_LOCK] > 0));
}

static ct_result lock_to_mode(const ct_source *source, ct_region *r, const ct_body *body, ct_error *error) {
  const ct_modal *m = &body->as.modal;
  if (r->mode >= m->mode_count)
    return ct_fail(error, CT_BAD_VALUE, "source '%s', region '%s': mode %u; body '%s' has modes 0 to %u",
                   source->name, r->name, r->mode, body->name, m->mode_count - 1);
  if (m->still[r->mode])
    return ct_fail(error, CT_BAD_VALUE, "source '%s', region '%s': mode %u of '%s' does not ring (0 Hz)",
                   source->name, r->name, r->mode, body->name);
  r->locked_hz = &m->modes[r->mode].hz;
  return CT_OK;
}

/* How many times the fundamental its partial is, is seen when the source arrives. */
static ct_result lock_to_partial(const ct_source *source, ct_region *r, const ct_body *body,
                                 ct_error *error) {
  const ct_loop_wish *given = &body->as.string.given;
  double radians = ct_loop_partial(given->fundamental, given->inharmonicity, r->mode + 1.0);
  if (!(radians < M_PI))
    return ct_fail(error, CT_BAD_VALUE,
                   "source '%s', region '%s': partial %u of '%s' lies above half the rate", source->name,
                   r->name, r->mode, body->name);
  r->locked_hz = &body->as.string.heard.fundamental;
  return CT_OK;
}

static ct_result lock(ct_source *source, const ct_body *body, ct_error *error) {
  for (uint32_t i = 0; i < source->action.map.region_count; i++) {
    ct_region *r = &source->action.regions[i];
    if (locks(r))
      CT_TRY(body->kind == &ct_string_kind ? lock_to_partial(source, r, body, error)
                                           : lock_to_mode(source, r, body, error));
  }
  return CT_OK;
}

/* Regions of another length than this library's, as in ct_take_rows. */
static ct_result take_regions(ct_source_def *def, void **made, ct_error *error) {
  ct_region_def standard = ct_default_region_def();
  if (!def->regions)
    return CT_OK;
  def->regions =
      ct_take_rows(def->regions, def->region_count, def->region_stride, &standard, sizeof standard, made);
  return ct_add_check_rows("regions", def->regions, error);
}

static size_t pool_bytes(const ct_source_def *def) {
  ct_arena counting = {NULL, 0, 0};
  ct_action scratch;
  ct_action_lay(&scratch, &counting, def);
  return counting.used;
}

size_t ct_source_pool_bytes(const ct_source_def *given) {
  ct_source_def def = ct_default_source_def();
  void *regions = NULL;
  bool good = ct_take_def(&def, given) && take_regions(&def, &regions, NULL) == CT_OK && def.regions;
  size_t bytes = good ? pool_bytes(&def) : 0;
  ct_rows_drop(regions);
  return bytes;
}

static ct_result find_place(ct_scene *s, const ct_source_def *def, ct_source *built, ct_error *error) {
  ct_spot spot = {NULL, 0};
  CT_TRY(ct_add_find_spot(s, "source", def->name, def->at, &def->at_id, &spot, error));
  if (spot.body->kind->rigid)
    return ct_fail(error, CT_BAD_SCENE, "source '%s': '%s' is a %s; wants a body that a force can move",
                   def->name, spot.body->name, spot.body->kind->name);
  built->body = (uint16_t)(spot.body - s->bodies);
  built->direction = def->direction;
  built->point = spot.point;
  return CT_OK;
}

/* Room in the pool and everything in it; gives the room back when something is wrong. */
static ct_result lay_out(ct_scene *s, const ct_source_def *def, ct_source *built, ct_error *error) {
  size_t bytes = pool_bytes(def);
  built->memory = ct_pool_take(&s->pool, bytes);
  if (!built->memory)
    return ct_full_part(s, CT_PART_SOURCE, def->name, bytes, error);
  ct_arena arena = {built->memory, bytes, 0};
  ct_action_lay(&built->action, &arena, def);
  ct_result result =
      ct_action_fill(&built->action, def, s->def.rate_hz, ct_fractal_seed(s->def.seed, def->name), error);
  if (result == CT_OK)
    result = lock(built, &s->bodies[built->body], error);
  if (result != CT_OK)
    ct_pool_give(&s->pool, built->memory);
  return result;
}

static ct_result add_source(ct_scene *s, const ct_source_def *def, ct_error *error) {
  ct_source built;
  memset(&built, 0, sizeof built);
  CT_TRY(check_source(def, error));
  for (uint32_t i = 0; i < def->region_count; i++)
    CT_TRY(check_region(def, i, error));
  CT_TRY(find_place(s, def, &built, error));
  int slot = ct_part_free_slot(s, CT_PART_SOURCE);
  if (slot < 0)
    return ct_full_part(s, CT_PART_SOURCE, def->name, 0, error);
  ct_put_name(built.name, def->name);
  built.fade = 1;
  CT_TRY(lay_out(s, def, &built, error));
  built.generation = s->sources[slot].generation + 1;
  s->sources[slot] = built;
  ct_add_announce(s, CT_PART_SOURCE, (uint16_t)slot, def->user_data);
  return CT_OK;
}

ct_id ct_scene_add_source(ct_scene *s, const ct_source_def *given, ct_error *error) {
  ct_source_def def = ct_default_source_def();
  char made[CT_NAME_MAX];
  void *regions = NULL;
  ct_result result = ct_add_begin(s, CT_PART_SOURCE, given, &def, made, error);
  if (result == CT_OK)
    result = take_regions(&def, &regions, error);
  if (result == CT_OK)
    result = add_source(s, &def, error);
  ct_rows_drop(regions);
  return ct_add_end(s, result);
}
