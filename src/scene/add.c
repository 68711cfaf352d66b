/* Adding, on the set-up thread: check everything, lay the part out in its slot, then
 * ct_add_announce it. Until the announcement the audio thread does not look at the slot; when it refuses,
 * nothing has changed. */
#include "scene/add.h"
#include "base/sized.h"
#include "base/text.h"

/* ---- slots ---- */

/* Takes back what the audio thread is done with. */
void ct_add_collect(ct_scene *s) {
  const ct_returned *r;
  while ((r = ct_queue_peek(&s->outbox))) {
    void *memory = ct_part_memory(s, r->part, r->slot);
    s->parts[r->part].slot[r->slot] = CT_SLOT_FREE;
    if (memory)
      ct_pool_give(&s->pool, memory);
    ct_queue_drop(&s->outbox);
  }
}

void ct_add_announce(ct_scene *s, ct_part part, uint16_t slot, void *user_data) {
  ct_message m = {.kind = CT_MESSAGE_ADD, .part = (uint8_t)part, .handle = {.object = slot}};
  s->parts[part].slot[slot] = CT_SLOT_USED;
  s->parts[part].user_data[slot] = user_data;
  s->added = ct_part_id(s, part, slot);
  ct_start_note_change(s);
  ct_queue_push(&s->inbox, &m);
}

/* ---- checks ---- */

static ct_result check_name(const ct_scene *s, const char *what, const char *name, ct_error *error) {
  char field[CT_NAME_MAX];
  if (!ct_copy_name(field, name))
    return ct_fail(error, CT_BAD_VALUE,
                   "%s '%.60s': a name has 1 to %u letters, digits, - or _, and is not a number", what,
                   name ? name : "", CT_NAME_MAX - 1);
  if (ct_word_of_scene(name))
    return ct_fail(error, CT_BAD_VALUE,
                   "%s '%s': this word means something else in a path; choose another name", what, name);
  if (ct_part_named(s, name))
    return ct_fail(error, CT_BAD_SCENE, "%s '%s': the scene has a part of that name already", what, name);
  return CT_OK;
}

/* What every definition of a part begins with. */
typedef struct part_head {
  ct_def_head head;
  const char *name;
} part_head;

ct_result ct_add_begin(ct_scene *s, ct_part part, const void *given, void *def, char made[CT_NAME_MAX],
                       ct_error *error) {
  const char *what = ct_part_word(part);
  part_head head;
  if (!s || !ct_take_def(def, given))
    return ct_fail(
        error, CT_BAD_ARGUMENT,
        "%s: no scene, or a definition not made by its default function, or by one that knows more "
        "than this library (%s)",
        what, CT_VERSION);
  memcpy(&head, def, sizeof head);
  const char *name = head.name;
  CT_TRY(ct_start_check(s, what, error));
  ct_add_collect(s);
  if (ct_queue_room(&s->inbox) == 0)
    return ct_full_queue(s, what, name ? name : "", 1, error);
  if (name && *name)
    return check_name(s, what, name, error);
  /* by the slot it will have; there may be none, and then it is refused later */
  ct_format(made, CT_NAME_MAX, "%s#%d", what, ct_part_free_slot(s, part));
  head.name = made;
  memcpy(def, &head, sizeof head);
  return CT_OK;
}

ct_result ct_add_check_rows(const char *what, const void *taken, ct_error *error) {
  return taken ? CT_OK
               : ct_fail(error, CT_BAD_ARGUMENT,
                         "%s: no memory, or fields that this library (%s) does not have", what, CT_VERSION);
}

ct_result ct_add_take_points(const ct_point_def **points, uint32_t count, uint32_t stride, void **made,
                             ct_error *error) {
  ct_point_def standard = {0};
  if (!*points)
    return CT_OK;
  *points = ct_take_rows(*points, count, stride, &standard, sizeof standard, made);
  return ct_add_check_rows("points", *points, error);
}

static ct_result check_gains(const ct_modal_def *def, const ct_point_def *point, ct_error *error) {
  for (int d = 0; d < CT_DIRECTIONS; d++) {
    if (!point->gains[d])
      continue;
    if (point->gain_count != def->mode_count)
      return ct_fail(error, CT_BAD_SCENE, "%s.%s: %u gains for %u modes; wants one gain per mode", def->name,
                     point->name ? point->name : "#", point->gain_count, def->mode_count);
    for (uint32_t i = 0; i < point->gain_count; i++)
      if (!(fabs(point->gains[d][i]) <= 1000))
        return ct_fail(error, CT_BAD_VALUE, "%s.%s.gains.%u: %g is out of range; wants -1000 to 1000",
                       def->name, point->name ? point->name : "#", i, point->gains[d][i]);
  }
  return CT_OK;
}

ct_result ct_add_check_point(const char *body, const ct_point_def *points, uint32_t index, ct_error *error) {
  const ct_point_def *point = &points[index];
  char field[CT_NAME_MAX];
  bool named = point->name && *point->name;
  if (named && (!ct_copy_name(field, point->name) || ct_word_of_body(point->name)))
    return ct_fail(error, CT_BAD_VALUE, "point '%.60s' of '%s': not usable as a point's name", point->name,
                   body);
  for (uint32_t i = 0; named && i < index; i++)
    if (points[i].name && strcmp(points[i].name, point->name) == 0)
      return ct_fail(error, CT_BAD_SCENE, "%s.%s: the body has a point of that name already", body,
                     point->name);
  if (!isfinite(point->place_u) || !isfinite(point->place_v))
    return ct_fail(error, CT_BAD_VALUE, "%s, point %u: place is not a finite number", body, index);
  return CT_OK;
}

static ct_result check_thump(const ct_modal_def *def, const ct_point_def *point, ct_error *error) {
  const char *name = point->name ? point->name : "#";
  if (point->thump_count == 0)
    return CT_OK;
  if (!point->thump)
    return ct_fail(error, CT_BAD_ARGUMENT, "%s.%s.thump: a null pointer", def->name, name);
  char who[CT_TEXT_MAX / 2];
  ct_format(who, sizeof who, "%s.%s", def->name, name);
  CT_TRY(ct_field_check(CT_POINT_THUMP_HZ, who, point->thump_hz, error));
  if (!(point->thump_count <= CT_THUMP_MOST_S * point->thump_hz + 1))
    return ct_fail(error, CT_BAD_VALUE,
                   "%s.thump: %u samples at %g Hz are longer than %g s; wants at most %u", who,
                   point->thump_count, point->thump_hz, CT_THUMP_MOST_S,
                   (unsigned)(CT_THUMP_MOST_S * point->thump_hz + 1));
  for (uint32_t i = 0; i < point->thump_count; i++)
    if (!(fabs(point->thump[i]) <= 1e6))
      return ct_fail(error, CT_BAD_VALUE, "%s.thump.%u: %g is out of range; wants -1e+06 to 1e+06 1/kg", who,
                     i, point->thump[i]);
  return CT_OK;
}

static ct_result check_modal(const ct_modal_def *def, ct_error *error) {
  if (def->mode_count == 0 || !def->modes)
    return ct_fail(error, CT_BAD_SCENE, "body '%s': no modes; wants at least one", def->name);
  if (def->mode_count > CT_MODES_MOST || def->point_count > CT_POINTS_MOST)
    return ct_fail(error, CT_BAD_SCENE, "body '%s': %u modes and %u points are wanted; at most %u and %u",
                   def->name, def->mode_count, def->point_count, CT_MODES_MOST, CT_POINTS_MOST);
  if ((def->shape.u && def->shape.u_count < 4) || (def->shape.v && def->shape.v_count < 4))
    return ct_fail(error, CT_BAD_SCENE, "body '%s': a shape table wants at least 4 samples", def->name);
  for (uint32_t i = 0; i < def->mode_count; i++) {
    char who[CT_TEXT_MAX / 2];
    ct_format(who, sizeof who, "%s.modes.%u", def->name, i);
    CT_TRY(ct_def_check(CT_DEF_MODE, who, &def->modes[i], error));
  }
  for (uint32_t i = 0; i < def->point_count; i++) {
    CT_TRY(ct_add_check_point(def->name, def->points, i, error));
    CT_TRY(check_gains(def, &def->points[i], error));
    CT_TRY(check_thump(def, &def->points[i], error));
  }
  return CT_OK;
}

/* ---- bodies ---- */

static uint16_t level_count(const ct_scene_def *def) {
  return (uint16_t)(ct_level_of_substeps(def->substeps) + 1);
}

void ct_add_prepare_body(const ct_scene *s, ct_body *body, const char *name) {
  memset(body, 0, sizeof *body);
  ct_put_name(body->name, name);
  body->step_s = s->step_s;
  body->sample = &s->sample;
  body->rate_hz = s->def.rate_hz;
  body->kernels = ct_bank_choose();
  body->keeps_ledger = s->def.ledger;
  body->levels = level_count(&s->def);
}

size_t ct_modal_pool_bytes(const ct_modal_def *given, const ct_scene_def *scene) {
  ct_modal_def def = ct_default_modal_def();
  ct_scene_def room = ct_default_scene_def();
  ct_body scratch;
  ct_arena counting = {NULL, 0, 0};
  void *points = NULL;
  memset(&scratch, 0, sizeof scratch);
  if (ct_take_def(&def, given) && ct_take_def(&room, scene) &&
      ct_add_take_points(&def.points, def.point_count, def.point_stride, &points, NULL) == CT_OK) {
    scratch.keeps_ledger = room.ledger;
    scratch.levels = level_count(&room);
    scratch.rate_hz = room.rate_hz;
    ct_modal_lay(&scratch, &counting, &def);
  }
  ct_rows_drop(points);
  return counting.used;
}

size_t ct_hand_pool_bytes(void) {
  ct_body scratch;
  ct_arena counting = {NULL, 0, 0};
  memset(&scratch, 0, sizeof scratch);
  ct_hand_lay(&scratch, &counting);
  return counting.used;
}

/* A body laid out on a counting arena gets a slot and memory of its size; the arena is then that memory. */
ct_body *ct_add_place_body(ct_scene *s, ct_body *counted, ct_arena *arena, ct_error *error) {
  int slot = ct_part_free_slot(s, CT_PART_BODY);
  counted->memory = slot >= 0 ? ct_pool_take(&s->pool, arena->used) : NULL;
  if (!counted->memory) {
    ct_full_part(s, CT_PART_BODY, counted->name, arena->used, error);
    return NULL;
  }
  *arena = (ct_arena){counted->memory, arena->used, 0};
  counted->generation = s->bodies[slot].generation + 1;
  s->bodies[slot] = *counted;
  return &s->bodies[slot];
}

static ct_result add_modal(ct_scene *s, const ct_modal_def *def, ct_error *error) {
  CT_TRY(check_modal(def, error));
  ct_body counted;
  ct_arena arena = {NULL, 0, 0};
  ct_add_prepare_body(s, &counted, def->name);
  ct_modal_lay(&counted, &arena, def);
  ct_body *body = ct_add_place_body(s, &counted, &arena, error);
  if (!body)
    return CT_FULL;
  ct_modal_lay(body, &arena, def);
  ct_modal_fill(body, def);
  ct_add_announce(s, CT_PART_BODY, (uint16_t)(body - s->bodies), def->user_data);
  return CT_OK;
}

static ct_result take_modes(ct_modal_def *def, void **made, ct_error *error) {
  ct_mode_def standard = {0};
  ct_def_standard(CT_DEF_MODE, &standard);
  if (!def->modes)
    return CT_OK;
  def->modes = ct_take_rows(def->modes, def->mode_count, def->mode_stride, &standard, sizeof standard, made);
  return ct_add_check_rows("modes", def->modes, error);
}

ct_id ct_scene_add_modal(ct_scene *s, const ct_modal_def *given, ct_error *error) {
  ct_modal_def def = ct_default_modal_def();
  char made[CT_NAME_MAX];
  void *modes = NULL, *points = NULL;
  ct_result result = ct_add_begin(s, CT_PART_BODY, given, &def, made, error);
  if (result == CT_OK)
    result = take_modes(&def, &modes, error);
  if (result == CT_OK)
    result = ct_add_take_points(&def.points, def.point_count, def.point_stride, &points, error);
  if (result == CT_OK)
    result = add_modal(s, &def, error);
  ct_rows_drop(modes);
  ct_rows_drop(points);
  return ct_add_end(s, result);
}

static ct_result add_hand(ct_scene *s, const ct_hand_def *given, ct_error *error) {
  ct_hand_def def = ct_default_hand_def();
  char made[CT_NAME_MAX];
  CT_TRY(ct_add_begin(s, CT_PART_BODY, given, &def, made, error));
  for (int d = 0; d < CT_DIRECTIONS; d++)
    if (!(fabs(def.x_m[d]) <= 1000 && fabs(def.v_m_s[d]) <= 1000))
      return ct_fail(error, CT_BAD_VALUE, "body '%s': a hand's place and speed want -1000 to 1000 m, m/s",
                     def.name);
  ct_body counted;
  ct_arena arena = {NULL, 0, 0};
  ct_add_prepare_body(s, &counted, def.name);
  ct_hand_lay(&counted, &arena);
  ct_body *body = ct_add_place_body(s, &counted, &arena, error);
  if (!body)
    return CT_FULL;
  ct_hand_lay(body, &arena);
  ct_hand_fill(body, &def);
  ct_add_announce(s, CT_PART_BODY, (uint16_t)(body - s->bodies), def.user_data);
  return CT_OK;
}

ct_id ct_scene_add_hand(ct_scene *s, const ct_hand_def *given, ct_error *error) {
  return ct_add_end(s, add_hand(s, given, error));
}

/* ---- ends of contacts and pickups ---- */

int ct_add_find_part(const ct_scene *s, ct_part part, const char *name, ct_id id) {
  if (!ct_id_is_none(id))
    return ct_part_slot(s, part, id);
  return name ? ct_part_find(s, part, name) : -1;
}

static ct_result find_by_id(ct_scene *s, const char *what, const char *name, const ct_point_id *place,
                            ct_spot *spot, ct_error *error) {
  int slot = ct_part_slot(s, CT_PART_BODY, place->body);
  if (slot < 0)
    return ct_fail(error, CT_BAD_PATH, "%s '%s': a place on what is no body, or was removed", what, name);
  if (place->point >= s->bodies[slot].point_count)
    return ct_fail(error, CT_BAD_PATH, "%s '%s': there is no point %u on body '%s', which has %u", what, name,
                   place->point, s->bodies[slot].name, (unsigned)s->bodies[slot].point_count);
  *spot = (ct_spot){&s->bodies[slot], (uint16_t)place->point};
  return CT_OK;
}

ct_result ct_add_find_spot(ct_scene *s, const char *what, const char *name, const char *at,
                           const ct_point_id *place, ct_spot *spot, ct_error *error) {
  char body[CT_NAME_MAX];
  const char *dot = at ? strchr(at, '.') : NULL;
  if (!ct_id_is_none(place->body))
    return find_by_id(s, what, name, place, spot, error);
  if (!dot || (size_t)(dot - at) >= sizeof body)
    return ct_fail(error, CT_BAD_PATH, "%s '%s': '%.60s' is not a place; wants body.point", what, name,
                   at ? at : "");
  memcpy(body, at, (size_t)(dot - at));
  body[dot - at] = 0;
  int slot = ct_part_find(s, CT_PART_BODY, body);
  if (slot < 0)
    return ct_fail(error, CT_BAD_PATH, "%s '%s': there is no body called '%s'", what, name, body);
  int point = ct_find_point(&s->bodies[slot], dot + 1);
  if (point < 0)
    return ct_fail(error, CT_BAD_PATH, "%s '%s': body '%s' has no point called '%.60s'", what, name, body,
                   dot + 1);
  *spot = (ct_spot){&s->bodies[slot], (uint16_t)point};
  return CT_OK;
}

static ct_result find_listened(ct_scene *s, const ct_pickup_def *def, ct_pickup *p, ct_error *error) {
  bool force = def->listen == CT_FORCE,
       at_point = !ct_id_is_none(def->at_id.body) || (def->at && strchr(def->at, '.'));
  p->contact = CT_NO_PORT;
  if (force && (!at_point || !ct_id_is_none(def->contact_id))) {
    int contact = ct_add_find_part(s, CT_PART_CONTACT, def->at, def->contact_id);
    p->contact = (uint16_t)contact;
    return contact >= 0 ? CT_OK
                        : ct_fail(error, CT_BAD_PATH,
                                  "pickup '%s': there is no contact called '%.60s' to hear the force of",
                                  def->name, def->at ? def->at : "");
  }
  ct_spot spot = {NULL, 0};
  CT_TRY(ct_add_find_spot(s, "pickup", def->name, def->at, &def->at_id, &spot, error));
  p->body = (uint16_t)(spot.body - s->bodies);
  p->port = spot.body->points[spot.point].port[def->direction];
  if (force && spot.body->kind != &ct_string_kind)
    return ct_fail(error, CT_BAD_SCENE,
                   "pickup '%s': only a string carries a force to hear; '%s' is a %s body: name a contact",
                   def->name, spot.body->name, spot.body->kind->name);
  return CT_OK;
}

static ct_result check_pickup_thump(const ct_pickup_def *def, ct_error *error) {
  CT_TRY(ct_field_check(CT_PICKUP_THUMP, def->name, def->thump, error));
  if (def->thump != 0 && def->listen != CT_VELOCITY && def->listen != CT_ACCELERATION)
    return ct_fail(error, CT_BAD_SCENE,
                   "pickup '%s': thump %g, but a thump is heard as velocity or acceleration, and it listens "
                   "to %s",
                   def->name, def->thump, def->listen == CT_FORCE ? "force" : "displacement");
  return CT_OK;
}

static ct_result add_pickup(ct_scene *s, const ct_pickup_def *given, ct_error *error) {
  ct_pickup_def def = ct_default_pickup_def();
  char made[CT_NAME_MAX];
  CT_TRY(ct_add_begin(s, CT_PART_PICKUP, given, &def, made, error));
  ct_pickup built;
  memset(&built, 0, sizeof built);
  CT_TRY(check_pickup_thump(&def, error));
  if (!(def.full_scale >= 1e-12 && def.full_scale <= 1e12 && fabs(def.pan) <= 1))
    return ct_fail(error, CT_BAD_VALUE, "pickup '%s': wants full_scale 1e-12 to 1e12 and pan -1 to 1",
                   def.name);
  if (def.output > s->def.channels)
    return ct_fail(error, CT_BAD_SCENE,
                   "pickup '%s': goes to output %u, but the scene has %u: give it more channels, or output 0 "
                   "to %u",
                   def.name, def.output, s->def.channels, s->def.channels);
  CT_TRY(find_listened(s, &def, &built, error));
  int slot = ct_part_free_slot(s, CT_PART_PICKUP);
  if (slot < 0)
    return ct_full_part(s, CT_PART_PICKUP, def.name, 0, error);
  ct_put_name(built.name, def.name);
  built.listen = def.listen;
  built.output = (uint16_t)def.output;
  ct_def_start(CT_DEF_PICKUP, &def, &built);
  built.fade = 1;
  built.heard_pan = NAN; /* none yet */
  built.generation = s->pickups[slot].generation + 1;
  s->pickups[slot] = built;
  ct_add_announce(s, CT_PART_PICKUP, (uint16_t)slot, def.user_data);
  return CT_OK;
}

ct_id ct_scene_add_pickup(ct_scene *s, const ct_pickup_def *given, ct_error *error) {
  return ct_add_end(s, add_pickup(s, given, error));
}
