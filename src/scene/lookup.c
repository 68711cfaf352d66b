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

static int find_region(const ct_source *source, const char *name) {
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

/* A path on its way to a handle. */
typedef struct lookup {
  const ct_scene *s;
  const char *text;
  const ct_row *row;
  ct_catch found;
  ct_handle *handle;
  ct_error *error;
} lookup;

/* Whether something of that name was found, as `index`; -1: it was not. */
static ct_result check_found(const lookup *l, const char *what, const char *name, int index) {
  return index >= 0 ? CT_OK
                    : ct_fail(l->error, CT_BAD_PATH, "%s: there is no %s called '%s' in this scene", l->text,
                              what, name);
}

static ct_result fits_contact(const lookup *l, const ct_contact *c) {
  bool rubs = c->kind == &ct_friction_kind;
  return ct_row_fits_contact(l->row, rubs)
             ? CT_OK
             : ct_fail(l->error, CT_BAD_PATH, "%s: '%s' is %s contact and has no such parameter", l->text,
                       c->name, rubs ? "a friction" : "an impact");
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

static ct_result fits_body(const lookup *l, const ct_body *b) {
  bool struck_hand = l->row->section == CT_IN_POINT && l->row->field == CT_POINT_STRIKE && b->kind->rigid;
  if ((b->kind != kind_of(l->row) && kind_of(l->row)) || struck_hand)
    return ct_fail(l->error, CT_BAD_PATH, "%s: a %s body has no such parameter", l->text, b->kind->name);
  if (l->row->section == CT_IN_SHAPE && !b->as.modal.given)
    return ct_fail(l->error, CT_BAD_PATH, "%s: body '%s' is a list of modes, not a shape of a material",
                   l->text, b->name);
  return CT_OK;
}

/* The number of a mode or a gain. */
static ct_result place_number(const lookup *l, const ct_body *b, const char *what, uint16_t *number) {
  *number = (uint16_t)l->found.number[0];
  return l->found.number[0] < b->as.modal.mode_count
             ? CT_OK
             : ct_fail(l->error, CT_BAD_PATH, "%s: body '%s' has %s 0 to %u", l->text, b->name, what,
                       b->as.modal.mode_count - 1);
}

static ct_result place_in_body(const lookup *l, const ct_body *b) {
  bool gain = l->row->section == CT_IN_GAINS;
  CT_TRY(fits_body(l, b));
  if (l->row->section == CT_IN_MODE)
    return place_number(l, b, "modes", &l->handle->item);
  if (l->row->section == CT_IN_POINT || gain) {
    int point = ct_find_point(b, l->found.name[1]);
    l->handle->item = (uint16_t)point;
    CT_TRY(check_found(l, "point", l->found.name[1], point));
  }
  return gain ? place_number(l, b, "gains", &l->handle->element) : CT_OK;
}

/* A corner, or a value of its table. */
static ct_result place_in_list(const lookup *l, const ct_region *r) {
  bool table = l->row->field == CT_REGION_LIST_TABLE_HZ;
  uint32_t count = table ? r->table.hz_count : r->corner_count;
  l->handle->element = (uint16_t)l->found.number[0];
  if (l->found.number[0] < count)
    return CT_OK;
  if (count == 0)
    return ct_fail(l->error, CT_BAD_PATH, "%s: region '%s' has no %s", l->text, r->name,
                   table ? "table" : "corners: it is the whole plane");
  return ct_fail(l->error, CT_BAD_PATH, "%s: region '%s' has %s 0 to %u", l->text, r->name,
                 table ? "values" : "corners", count - 1);
}

static ct_result place_in_source(const lookup *l, const ct_source *source) {
  if (l->row->section == CT_IN_SOURCE)
    return CT_OK;
  int region = find_region(source, l->found.name[1]);
  l->handle->item = (uint16_t)region;
  CT_TRY(check_found(l, "region", l->found.name[1], region));
  return l->row->section == CT_IN_REGION_LIST ? place_in_list(l, &source->action.regions[region]) : CT_OK;
}

static ct_result fits_pickup(const lookup *l, const ct_pickup *p) {
  return l->row->field != CT_PICKUP_THUMP || p->listen == CT_VELOCITY || p->listen == CT_ACCELERATION
             ? CT_OK
             : ct_fail(l->error, CT_BAD_PATH,
                       "%s: '%s' listens to %s; a thump is heard as velocity or acceleration", l->text,
                       p->name, p->listen == CT_FORCE ? "force" : "displacement");
}

static ct_result place_in_part(const lookup *l, ct_part part) {
  int slot = ct_part_find(l->s, part, l->found.name[0]);
  CT_TRY(check_found(l, ct_part_word(part), l->found.name[0], slot));
  l->handle->object = (uint16_t)slot;
  l->handle->generation = ct_part_generation(l->s, part, (uint16_t)slot);
  switch (part) {
  case CT_PART_BODY:
    return place_in_body(l, &l->s->bodies[slot]);
  case CT_PART_CONTACT:
    return fits_contact(l, &l->s->contacts[slot]);
  case CT_PART_SOURCE:
    return place_in_source(l, &l->s->sources[slot]);
  case CT_PART_PICKUP:
    return fits_pickup(l, &l->s->pickups[slot]);
  default:
    return CT_OK;
  }
}

static ct_result place(const lookup *l) {
  ct_part part = ct_part_of((ct_section)l->row->section);
  *l->handle = (ct_handle){.row = (uint16_t)l->found.row};
  if (part < CT_PART_KINDS)
    return place_in_part(l, part);
  if (l->row->section == CT_IN_SCENE || l->row->section == CT_IN_ENERGY)
    return CT_OK;
  if (l->row->section != CT_IN_CONTROL)
    return ct_fail(l->error, CT_BAD_PATH, "%s: belongs to the scene file, not to a sounding scene", l->text);
  int control = ct_find_control(l->s, l->found.name[0]);
  l->handle->object = (uint16_t)control;
  return check_found(l, "control", l->found.name[0], control);
}

ct_result ct_scene_resolve(const ct_scene *s, const char *text, ct_handle *handle, ct_error *error) {
  if (!s || !text || !handle)
    return ct_fail(error, CT_BAD_ARGUMENT, "resolve: a null pointer");
  ct_path path;
  lookup l = {.s = s, .text = text, .handle = handle, .error = error};
  if (!ct_path_cut(&path, text))
    return ct_fail(error, CT_BAD_PATH,
                   "'%.80s': not a path; wants body.modes.0.hz, body.point.x_m, contact.force_n or a control",
                   text);
  if (!spell_out(s, &path)) {
    char kinds[96];
    ct_part_list_kinds(kinds, sizeof kinds);
    return ct_fail(error, CT_BAD_PATH, "%s: there is no %s or control called '%s' in this scene", text, kinds,
                   path.word[0]);
  }
  if (!ct_path_match(&path, &l.found))
    return ct_fail(error, CT_BAD_PATH, "%s: no such parameter; 'contatto describe' lists them", text);
  l.row = ct_row_at(l.found.row);
  if (l.row->shown.rate == CT_RATE_FIXED || l.row->shown.type != CT_TYPE_NUMBER)
    return ct_fail(error, CT_BAD_PATH, "%s: fixed when the scene is built", text);
  return place(&l);
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
