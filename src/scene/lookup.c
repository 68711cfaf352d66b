/* Names to slots, paths to handles. Set-up thread only. */
#include "base/text.h"
#include "scene/scene.h"

#include <string.h>

int ct_find_control(const ct_scene *s, const char *name) {
  for (uint32_t i = 0; i < s->control_count; i++)
    if (strcmp(s->controls[i].name, name) == 0)
      return (int)i;
  return -1;
}

int ct_find_point(const ct_body *body, const char *name) {
  for (uint16_t i = 0; i < body->point_count; i++)
    if (strcmp(body->points[i].name, name) == 0)
      return i;
  return -1;
}

int ct_find_region(const ct_source *source, const char *name) {
  for (uint32_t i = 0; i < source->action.map.region_count; i++)
    if (strcmp(source->action.regions[i].name, name) == 0)
      return (int)i;
  return -1;
}

static bool spell_out(const ct_scene *s, ct_path *path) {
  const char *first = path->word[0];
  int part = 0;
  while (part < CT_PART_KINDS && ct_part_find(s, (ct_part)part, first) < 0)
    part++;
  bool control = ct_find_control(s, first) >= 0;
  if (!control && part == CT_PART_KINDS)
    return ct_word_of_scene(first);
  return ct_path_spell_out(path, control ? CT_PART_KINDS : (ct_part)part, control);
}

static ct_result no_such(const char *path, const char *what, const char *name, ct_error *error) {
  return ct_fail(error, CT_BAD_PATH, "%s: there is no %s called '%s' in this scene", path, what, name);
}

static ct_result place_part(const ct_scene *s, ct_part part, const ct_catch *found, const char *text,
                            ct_handle *handle, ct_error *error) {
  int slot = ct_part_find(s, part, found->name[0]);
  if (slot < 0)
    return no_such(text, ct_part_word(part), found->name[0], error);
  handle->object = (uint16_t)slot;
  handle->generation = ct_part_generation(s, part, (uint16_t)slot);
  return CT_OK;
}

static ct_result fits_contact(const ct_contact *c, const ct_row *row, const char *text, ct_error *error) {
  bool rubs = c->kind == &ct_friction_kind;
  return ct_row_fits_contact(row, rubs)
             ? CT_OK
             : ct_fail(error, CT_BAD_PATH, "%s: '%s' is %s contact and has no such parameter", text, c->name,
                       rubs ? "a friction" : "an impact");
}

/* The kind of body that has a row; null: any. */
static const ct_body_kind *kind_of(const ct_row *row) {
  switch ((ct_section)row->section) {
  case CT_IN_BODY:
    return &ct_hand_kind;
  case CT_IN_MODE:
  case CT_IN_SHAPE:
  case CT_IN_GAINS:
    return &ct_modal_kind;
  case CT_IN_STRING:
    return &ct_string_kind;
  default:
    if (row->field == CT_POINT_STRIKE_SPEED || row->field == CT_POINT_STRIKE_STIFFNESS)
      return &ct_modal_kind;
    return row->field == CT_POINT_PULL || row->field == CT_POINT_PLUCK ? &ct_string_kind : NULL;
  }
}

static ct_result fits_body(const ct_body *b, const ct_row *row, const char *text, ct_error *error) {
  bool struck_hand = row->section == CT_IN_POINT && row->field == CT_POINT_STRIKE && b->kind->rigid;
  if ((b->kind != kind_of(row) && kind_of(row)) || struck_hand)
    return ct_fail(error, CT_BAD_PATH, "%s: a %s body has no such parameter", text, b->kind->name);
  if (row->section == CT_IN_SHAPE && !b->as.modal.given)
    return ct_fail(error, CT_BAD_PATH, "%s: body '%s' is a list of modes, not a shape of a material", text,
                   b->name);
  return CT_OK;
}

/* A number up to `count`, of a mode or a gain. */
static ct_result place_number(const ct_body *b, const char *what, const ct_catch *found, const char *text,
                              uint16_t *number, ct_error *error) {
  *number = (uint16_t)found->number[0];
  return found->number[0] < b->as.modal.mode_count
             ? CT_OK
             : ct_fail(error, CT_BAD_PATH, "%s: body '%s' has %s 0 to %u", text, b->name, what,
                       b->as.modal.mode_count - 1);
}

static ct_result place_in_body(const ct_body *b, const ct_row *row, const ct_catch *found, const char *text,
                               ct_handle *handle, ct_error *error) {
  ct_result result = fits_body(b, row, text, error);
  if (result == CT_OK && row->section == CT_IN_MODE)
    result = place_number(b, "modes", found, text, &handle->item, error);
  if (result == CT_OK && (row->section == CT_IN_POINT || row->section == CT_IN_GAINS)) {
    int point = ct_find_point(b, found->name[1]);
    handle->item = (uint16_t)point;
    result = point >= 0 ? CT_OK : no_such(text, "point", found->name[1], error);
  }
  return result == CT_OK && row->section == CT_IN_GAINS
             ? place_number(b, "gains", found, text, &handle->element, error)
             : result;
}

static ct_result place_region(const ct_source *source, const ct_catch *found, const char *text,
                              ct_handle *handle, ct_error *error) {
  int region = ct_find_region(source, found->name[1]);
  handle->item = (uint16_t)region;
  return region >= 0 ? CT_OK : no_such(text, "region", found->name[1], error);
}

/* A corner, or a value of its table. */
static ct_result place_in_list(const ct_region *r, const ct_row *row, const ct_catch *found, const char *text,
                               ct_handle *handle, ct_error *error) {
  bool table = row->field == CT_REGION_LIST_TABLE_HZ;
  uint32_t count = table ? r->table.hz_count : r->corner_count;
  handle->element = (uint16_t)found->number[0];
  if (found->number[0] < count)
    return CT_OK;
  if (count == 0)
    return ct_fail(error, CT_BAD_PATH, "%s: region '%s' has no %s", text, r->name,
                   table ? "table" : "corners: it is the whole plane");
  return ct_fail(error, CT_BAD_PATH, "%s: region '%s' has %s 0 to %u", text, r->name,
                 table ? "values" : "corners", count - 1);
}

static ct_result place_control(const ct_scene *s, const ct_catch *found, const char *text, ct_handle *handle,
                               ct_error *error) {
  int slot = ct_find_control(s, found->name[0]);
  handle->object = (uint16_t)slot;
  return slot >= 0 ? CT_OK : no_such(text, "control", found->name[0], error);
}

static ct_result fits_pickup(const ct_pickup *p, const char *text, ct_error *error) {
  return p->listen == CT_VELOCITY || p->listen == CT_ACCELERATION
             ? CT_OK
             : ct_fail(error, CT_BAD_PATH,
                       "%s: '%s' listens to %s; a thump is heard as velocity or acceleration", text, p->name,
                       p->listen == CT_FORCE ? "force" : "displacement");
}

static ct_result place(const ct_scene *s, const ct_catch *found, const char *text, ct_handle *handle,
                       ct_error *error) {
  const ct_row *row = ct_row_at(found->row);
  ct_part part = ct_part_of((ct_section)row->section);
  *handle = (ct_handle){.row = (uint16_t)found->row};
  if (row->section == CT_IN_SCENE || row->section == CT_IN_ENERGY)
    return CT_OK;
  if (row->section == CT_IN_CONTROL)
    return place_control(s, found, text, handle, error);
  if (part == CT_PART_KINDS)
    return ct_fail(error, CT_BAD_PATH, "%s: belongs to the scene file, not to a sounding scene", text);
  ct_result result = place_part(s, part, found, text, handle, error);
  if (result == CT_OK && part == CT_PART_BODY)
    return place_in_body(&s->bodies[handle->object], row, found, text, handle, error);
  if (result == CT_OK && part == CT_PART_CONTACT)
    return fits_contact(&s->contacts[handle->object], row, text, error);
  if (result == CT_OK && row->field == CT_PICKUP_THUMP)
    return fits_pickup(&s->pickups[handle->object], text, error);
  bool in_list = row->section == CT_IN_REGION_LIST;
  if (result != CT_OK || (row->section != CT_IN_REGION && !in_list))
    return result;
  const ct_source *source = &s->sources[handle->object];
  result = place_region(source, found, text, handle, error);
  return result == CT_OK && in_list
             ? place_in_list(&source->action.regions[handle->item], row, found, text, handle, error)
             : result;
}

static ct_result no_such_part(const char *text, const char *name, ct_error *error) {
  char kinds[96];
  ct_part_list_kinds(kinds, sizeof kinds);
  return ct_fail(error, CT_BAD_PATH, "%s: there is no %s or control called '%s' in this scene", text, kinds,
                 name);
}

ct_result ct_scene_resolve(const ct_scene *s, const char *text, ct_handle *handle, ct_error *error) {
  if (!s || !text || !handle)
    return ct_fail(error, CT_BAD_ARGUMENT, "resolve: a null pointer");
  ct_path path;
  ct_catch found;
  if (!ct_path_cut(&path, text))
    return ct_fail(error, CT_BAD_PATH,
                   "'%.80s': not a path; wants body.modes.0.hz, body.point.x_m, contact.force_n or a control",
                   text);
  if (!spell_out(s, &path))
    return no_such_part(text, path.word[0], error);
  if (!ct_path_match(&path, &found))
    return ct_fail(error, CT_BAD_PATH, "%s: no such parameter; 'contatto describe' lists them", text);
  const ct_row *row = ct_row_at(found.row);
  if (row->shown.rate == CT_RATE_FIXED || row->shown.type != CT_TYPE_NUMBER)
    return ct_fail(error, CT_BAD_PATH, "%s: fixed when the scene is built", text);
  return place(s, &found, text, handle, error);
}

/* ---- parts by id ---- */

ct_id ct_scene_find(const ct_scene *s, const char *name) {
  for (int part = 0; s && name && part < CT_PART_KINDS; part++) {
    int slot = ct_part_find(s, (ct_part)part, name);
    if (slot >= 0)
      return ct_part_id(s, (ct_part)part, (uint16_t)slot);
  }
  return (ct_id){0, 0};
}

bool ct_scene_has(const ct_scene *s, ct_id id) {
  return s && id.index >> 16 < CT_PART_KINDS && ct_part_slot(s, (ct_part)(id.index >> 16), id) >= 0;
}

const char *ct_scene_name(const ct_scene *s, ct_id id) {
  return ct_scene_has(s, id) ? ct_part_name(s, (ct_part)(id.index >> 16), (uint16_t)id.index) : "";
}

void *ct_scene_user_data(const ct_scene *s, ct_id id) {
  return ct_scene_has(s, id) ? s->parts[id.index >> 16].user_data[(uint16_t)id.index] : NULL;
}

ct_result ct_scene_set_user_data(ct_scene *s, ct_id id, void *user_data, ct_error *error) {
  if (!ct_scene_has(s, id))
    return ct_fail(error, CT_BAD_ARGUMENT, "user data: no scene, or the id of nothing in it");
  s->parts[id.index >> 16].user_data[(uint16_t)id.index] = user_data;
  return CT_OK;
}

ct_result ct_scene_resolve_in(const ct_scene *s, ct_id part, const char *path, ct_handle *handle,
                              ct_error *error) {
  char whole[CT_PATH_BYTES];
  if (!ct_scene_has(s, part) || !path)
    return ct_fail(error, CT_BAD_ARGUMENT, "resolve: no path, no scene, or the id of nothing in it");
  if (ct_format(whole, sizeof whole, "%s.%s", ct_scene_name(s, part), path) >= sizeof whole)
    return ct_fail(error, CT_BAD_PATH, "%.80s...: too long for a path", path);
  return ct_scene_resolve(s, whole, handle, error);
}
