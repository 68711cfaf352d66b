/* Names to slots, paths to handles. Set-up thread only. */
#include "base/text.h"
#include "scene/scene.h"

#include <string.h>

int ct_find_body(const ct_scene *s, const char *name) {
  for (uint32_t i = 0; i < s->def.bodies; i++)
    if (s->body_slot[i] == CT_SLOT_USED && strcmp(s->bodies[i].name, name) == 0)
      return (int)i;
  return -1;
}

int ct_find_contact(const ct_scene *s, const char *name) {
  for (uint32_t i = 0; i < s->def.contacts; i++)
    if (s->contact_slot[i] == CT_SLOT_USED && strcmp(s->contacts[i].name, name) == 0)
      return (int)i;
  return -1;
}

int ct_find_pickup(const ct_scene *s, const char *name) {
  for (uint32_t i = 0; i < s->def.pickups; i++)
    if (s->pickup_slot[i] == CT_SLOT_USED && strcmp(s->pickups[i].name, name) == 0)
      return (int)i;
  return -1;
}

int ct_find_surface(const ct_scene *s, const char *name) {
  for (uint32_t i = 0; i < s->def.surfaces; i++)
    if (s->surface_slot[i] == CT_SLOT_USED && strcmp(s->surfaces[i].name, name) == 0)
      return (int)i;
  return -1;
}

int ct_find_drive(const ct_scene *s, const char *name) {
  for (uint32_t i = 0; i < s->def.drives; i++)
    if (s->drive_slot[i] == CT_SLOT_USED && strcmp(s->drives[i].name, name) == 0)
      return (int)i;
  return -1;
}

int ct_find_control(const ct_scene *s, const char *name) {
  for (uint32_t i = 0; i < s->control_count; i++)
    if (strcmp(s->controls[i].name, name) == 0)
      return (int)i;
  return -1;
}

bool ct_find_part(const ct_scene *s, const char *name) {
  return ct_find_body(s, name) >= 0 || ct_find_contact(s, name) >= 0 || ct_find_surface(s, name) >= 0 ||
         ct_find_drive(s, name) >= 0 || ct_find_pickup(s, name) >= 0 || ct_find_control(s, name) >= 0;
}

int ct_find_point(const ct_body *body, const char *name) {
  for (uint16_t i = 0; i < body->point_count; i++)
    if (strcmp(body->points[i].name, name) == 0)
      return i;
  return -1;
}

/* "bar.hit.x_m" -> bodies.bar.points.hit.x_m; "hardness" -> controls.hardness.value. */
static bool spell_out(const ct_scene *s, ct_path *path) {
  const char *first = path->word[0];
  if (ct_find_control(s, first) >= 0)
    return ct_path_insert(path, 0, "controls") && (path->count > 2 || ct_path_insert(path, 2, "value"));
  if (ct_find_contact(s, first) >= 0)
    return ct_path_insert(path, 0, "contacts");
  if (ct_find_surface(s, first) >= 0)
    return ct_path_insert(path, 0, "surfaces");
  if (ct_find_drive(s, first) >= 0)
    return ct_path_insert(path, 0, "drives");
  if (ct_find_pickup(s, first) >= 0)
    return ct_path_insert(path, 0, "pickups");
  if (ct_find_body(s, first) < 0)
    return ct_word_of_scene(first);
  if (path->count > 1 && !ct_word_of_body(path->word[1]) && !ct_path_insert(path, 1, "points"))
    return false;
  return ct_path_insert(path, 0, "bodies");
}

static ct_result no_such(const char *path, const char *what, const char *name, ct_error *error) {
  return ct_fail(error, CT_BAD_PATH, "%s: there is no %s called '%s' in this scene", path, what, name);
}

static ct_result place_in_body(const ct_scene *s, const ct_row *row, const ct_catch *found, const char *text,
                               ct_handle *handle, ct_error *error) {
  int body = ct_find_body(s, found->name[0]);
  if (body < 0)
    return no_such(text, "body", found->name[0], error);
  const ct_body *b = &s->bodies[body];
  handle->object = (uint16_t)body;
  handle->turn = b->turn;
  bool modal = b->kind == &ct_modal_kind;
  bool for_modal = row->section == CT_IN_MODE || row->section == CT_IN_SHAPE || row->section == CT_IN_GAINS;
  if ((row->section == CT_IN_BODY && modal) || (for_modal && !modal))
    return ct_fail(error, CT_BAD_PATH, "%s: a %s body has no such parameter", text, b->kind->name);
  if (row->section == CT_IN_SHAPE && !b->as.modal.given)
    return ct_fail(error, CT_BAD_PATH, "%s: body '%s' is a list of modes, not a shape of a material", text,
                   b->name);
  if (row->section == CT_IN_MODE) {
    handle->item = (uint16_t)found->number[0];
    if (found->number[0] >= b->as.modal.mode_count)
      return ct_fail(error, CT_BAD_PATH, "%s: body '%s' has modes 0 to %u", text, b->name,
                     b->as.modal.mode_count - 1);
  }
  if (row->section == CT_IN_POINT || row->section == CT_IN_GAINS) {
    int point = ct_find_point(b, found->name[1]);
    if (point < 0)
      return no_such(text, "point", found->name[1], error);
    handle->item = (uint16_t)point;
  }
  if (row->section == CT_IN_GAINS) {
    handle->element = (uint16_t)found->number[0];
    if (found->number[0] >= b->as.modal.mode_count)
      return ct_fail(error, CT_BAD_PATH, "%s: body '%s' has gains 0 to %u", text, b->name,
                     b->as.modal.mode_count - 1);
  }
  return CT_OK;
}

static ct_result place_named(int slot, const char *what, const ct_catch *found, const char *text,
                             ct_handle *handle, ct_error *error) {
  if (slot < 0)
    return no_such(text, what, found->name[0], error);
  handle->object = (uint16_t)slot;
  return CT_OK;
}

static uint16_t turn_of(const ct_scene *s, const ct_row *row, int slot) {
  if (slot < 0)
    return 0;
  switch ((ct_section)row->section) {
  case CT_IN_CONTACT:
    return s->contacts[slot].turn;
  case CT_IN_SURFACE:
    return s->surfaces[slot].turn;
  case CT_IN_DRIVE:
    return s->drives[slot].turn;
  default:
    return s->pickups[slot].turn;
  }
}

static ct_result place_in_contact(const ct_scene *s, const ct_row *row, const ct_catch *found,
                                  const char *text, ct_handle *handle, ct_error *error) {
  int slot = ct_find_contact(s, found->name[0]);
  if (slot >= 0 && !ct_contact_field_fits(row->field, s->contacts[slot].kind == &ct_friction_kind))
    return ct_fail(error, CT_BAD_PATH, "%s: '%s' is %s contact and has no such parameter", text,
                   found->name[0], s->contacts[slot].kind == &ct_friction_kind ? "a friction" : "an impact");
  handle->turn = turn_of(s, row, slot);
  return place_named(slot, "contact", found, text, handle, error);
}

static ct_result place(const ct_scene *s, const ct_catch *found, const char *text, ct_handle *handle,
                       ct_error *error) {
  const ct_row *row = ct_row_at(found->row);
  int slot;
  *handle = (ct_handle){.row = (uint16_t)found->row};
  switch ((ct_section)row->section) {
  case CT_IN_SCENE:
  case CT_IN_ENERGY:
    return CT_OK;
  case CT_IN_BODY:
  case CT_IN_MODE:
  case CT_IN_SHAPE:
  case CT_IN_POINT:
  case CT_IN_GAINS:
    return place_in_body(s, row, found, text, handle, error);
  case CT_IN_CONTACT:
    return place_in_contact(s, row, found, text, handle, error);
  case CT_IN_SURFACE:
    slot = ct_find_surface(s, found->name[0]);
    handle->turn = turn_of(s, row, slot);
    return place_named(slot, "surface", found, text, handle, error);
  case CT_IN_DRIVE:
    slot = ct_find_drive(s, found->name[0]);
    handle->turn = turn_of(s, row, slot);
    return place_named(slot, "drive", found, text, handle, error);
  case CT_IN_PICKUP:
    slot = ct_find_pickup(s, found->name[0]);
    handle->turn = turn_of(s, row, slot);
    return place_named(slot, "pickup", found, text, handle, error);
  case CT_IN_CONTROL:
    return place_named(ct_find_control(s, found->name[0]), "control", found, text, handle, error);
  default:
    return ct_fail(error, CT_BAD_PATH, "%s: belongs to the scene file, not to a sounding scene", text);
  }
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
    return ct_fail(
        error, CT_BAD_PATH,
        "%s: there is no body, contact, surface, drive, pickup or control called '%s' in this scene", text,
        path.word[0]);
  if (!ct_path_match(&path, &found))
    return ct_fail(error, CT_BAD_PATH, "%s: no such parameter; 'contatto describe' lists them", text);
  const ct_row *row = ct_row_at(found.row);
  if (row->shown.rate == CT_RATE_FIXED || row->shown.type != CT_TYPE_NUMBER)
    return ct_fail(error, CT_BAD_PATH, "%s: fixed when the scene is built", text);
  return place(s, &found, text, handle, error);
}
