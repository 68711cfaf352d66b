/* Adding contacts. The end whose name comes first is end 0, so that swapping a and b is the same contact. */
#include "base/text.h"
#include "scene/add.h"

#include <string.h>

static ct_result check_substeps(const char *name, uint32_t substeps, ct_error *error) {
  CT_TRY(ct_field_check(CT_CONTACT_SUBSTEPS, name, substeps, error));
  if (substeps & (substeps - 1))
    return ct_fail(error, CT_BAD_VALUE, "%s.substeps: %u is not a power of two", name, substeps);
  return CT_OK;
}

ct_result ct_add_check_level(const ct_scene *s, const char *what, const char *name, uint32_t finest,
                             ct_error *error) {
  if (1u << finest > s->def.substeps)
    return ct_fail(error, CT_FULL,
                   "%s '%s': no room: the scene has %u substeps (ct_scene_def.substeps), %u are wanted", what,
                   name, s->def.substeps, 1u << finest);
  return CT_OK;
}

static ct_result check_friction(const ct_friction_def *def, ct_error *error) {
  CT_TRY(ct_def_check(CT_DEF_FRICTION, def->name, def, error));
  if (def->mu_static < def->mu_dynamic)
    return ct_fail(
        error, CT_BAD_VALUE,
        "%s.mu_static: %g is less than mu_dynamic %g; sticking must hold at least as well as sliding",
        def->name, def->mu_static, def->mu_dynamic);
  return check_substeps(def->name, def->substeps, error);
}

/* The end whose name comes first is end 0: swapping a and b, with the side, is the same contact. Both at one
 * port: the one that adds comes first, since even x - x - gap rounds by order. */
static void order_ends(ct_contact *c) {
  const ct_end *a = &c->end[0], *b = &c->end[1];
  int order = strcmp(a->body->name, b->body->name);
  if (order == 0)
    order = a->port != b->port ? a->port - b->port : a->sign > 0 ? -1 : 1;
  if (order < 0)
    return;
  ct_end swap = c->end[0];
  c->end[0] = c->end[1];
  c->end[1] = swap;
}

/* The two ends as a definition names them. */
typedef struct named_ends {
  const char *name[2];
  const ct_point_id *place[2];
} named_ends;

static ct_result find_ends(ct_scene *s, ct_contact *built, const char *name, const named_ends *ends,
                           ct_direction direction, ct_error *error) {
  ct_spot spot[2] = {{NULL, 0}, {NULL, 0}};
  for (int e = 0; e < 2; e++) {
    CT_TRY(ct_add_find_spot(s, "contact", name, ends->name[e], ends->place[e], &spot[e], error));
    built->end[e].body = spot[e].body;
    built->end[e].port = spot[e].body->points[spot[e].point].port[direction];
  }
  if (spot[0].body == spot[1].body && spot[0].point == spot[1].point)
    return ct_fail(error, CT_BAD_SCENE,
                   "contact '%s': both ends are '%s.%s', and no point touches itself; wants two points", name,
                   spot[0].body->name, spot[0].body->points[spot[0].point].name);
  return CT_OK;
}

size_t ct_friction_pool_bytes(void) {
  ct_contact scratch;
  ct_arena counting = {NULL, 0, 0};
  ct_friction_lay(&scratch, &counting);
  return counting.used;
}

static ct_result put_in_slot(ct_scene *s, ct_contact *built, const char *name, void *user_data,
                             ct_error *error) {
  int slot = ct_part_free_slot(s, CT_PART_CONTACT);
  if (slot < 0)
    return ct_full_part(s, CT_PART_CONTACT, name, 0, error);
  ct_put_name(built->name, name);
  order_ends(built);
  built->generation = s->contacts[slot].generation + 1;
  s->contacts[slot] = *built;
  ct_add_announce(s, CT_PART_CONTACT, (uint16_t)slot, user_data);
  return CT_OK;
}

static ct_result add_impact(ct_scene *s, const ct_impact_def *given, ct_error *error) {
  ct_impact_def def = ct_default_impact_def();
  char made[CT_NAME_MAX];
  CT_TRY(ct_add_begin(s, CT_PART_CONTACT, given, &def, made, error));
  ct_contact built;
  memset(&built, 0, sizeof built);
  CT_TRY(ct_def_check(CT_DEF_IMPACT, def.name, &def, error));
  CT_TRY(check_substeps(def.name, def.substeps, error));
  CT_TRY(find_ends(s, &built, def.name, &(named_ends){{def.a, def.b}, {&def.a_id, &def.b_id}}, CT_NORMAL,
                   error));
  if (def.contact_time_s > 0 && built.end[0].body->kind->rigid && built.end[1].body->kind->rigid)
    return ct_fail(error, CT_BAD_VALUE,
                   "%s.contact_time_s: wants a body with a mass; hands and walls have none", def.name);
  CT_TRY(ct_add_check_level(s, "contact", def.name, ct_impact_finest(def.quality, def.substeps), error));
  ct_impact_fill(&built, &def);
  return put_in_slot(s, &built, def.name, def.user_data, error);
}

ct_id ct_scene_add_impact(ct_scene *s, const ct_impact_def *given, ct_error *error) {
  return ct_add_end(s, add_impact(s, given, error));
}

/* The impact whose force presses, when the file names one. */
static ct_result find_source(ct_scene *s, ct_contact *built, const ct_friction_def *def, ct_error *error) {
  const char *from = def->normal_from ? def->normal_from : "";
  if (!*from && ct_id_is_none(def->normal_id))
    return CT_OK;
  int slot = ct_add_find_part(s, CT_PART_CONTACT, from, def->normal_id);
  if (slot < 0 || s->contacts[slot].kind != &ct_impact_kind)
    return ct_fail(error, CT_BAD_PATH,
                   "contact '%s': normal_from wants an impact contact; there is none called '%.48s'",
                   def->name, from);
  built->friction.source = &s->contacts[slot];
  return CT_OK;
}

static ct_result add_friction(ct_scene *s, const ct_friction_def *given, ct_error *error) {
  ct_friction_def def = ct_default_friction_def();
  char made[CT_NAME_MAX];
  CT_TRY(ct_add_begin(s, CT_PART_CONTACT, given, &def, made, error));
  ct_contact built;
  memset(&built, 0, sizeof built);
  CT_TRY(check_friction(&def, error));
  CT_TRY(find_ends(s, &built, def.name, &(named_ends){{def.a, def.b}, {&def.a_id, &def.b_id}}, CT_TANGENTIAL,
                   error));
  CT_TRY(find_source(s, &built, &def, error));
  if (def.substeps)
    CT_TRY(ct_add_check_level(s, "contact", def.name, (uint32_t)ct_level_of_substeps(def.substeps), error));
  size_t bytes = ct_friction_pool_bytes();
  built.memory = ct_pool_take(&s->pool, bytes);
  ct_friction_lay(&built, &(ct_arena){built.memory, bytes, 0});
  if (!built.memory)
    return ct_full_part(s, CT_PART_CONTACT, def.name, ct_friction_pool_bytes(), error);
  ct_friction_fill(&built, &def);
  built.friction.seed = s->def.seed;
  ct_result result = put_in_slot(s, &built, def.name, def.user_data, error);
  if (result != CT_OK)
    ct_pool_give(&s->pool, built.memory);
  return result;
}

ct_id ct_scene_add_friction(ct_scene *s, const ct_friction_def *given, ct_error *error) {
  return ct_add_end(s, add_friction(s, given, error));
}

/* ---- following ---- */

static ct_result follow(ct_scene *s, const ct_spot *follower, const ct_spot *leader, double metres_per_place,
                        ct_error *error) {
  const ct_body *who = follower->body;
  CT_TRY(ct_start_check(s, "follow", error));
  bool shaped = who->kind == &ct_modal_kind && who->as.modal.table;
  if (!shaped && who->kind != &ct_string_kind)
    return ct_fail(error, CT_BAD_SCENE,
                   "follow '%s.%s': only a point of a shape or a string can move along it", who->name,
                   who->points[follower->point].name);
  uint64_t port = leader->body->points[leader->point].port[CT_TANGENTIAL],
           lead = (uint64_t)(leader->body - s->bodies) << 16 | port;
  ct_message m = {.kind = CT_MESSAGE_FOLLOW,
                  .handle = {.object = (uint16_t)(who - s->bodies), .item = follower->point},
                  .value = metres_per_place,
                  .ramp = lead};
  if (!ct_queue_push(&s->inbox, &m))
    return ct_full_queue(s, "follow", who->name, 1, error);
  ct_start_note_change(s);
  return CT_OK;
}

static ct_result find_and_follow(ct_scene *s, const named_ends *ends, double metres_per_place,
                                 ct_error *error) {
  ct_spot spot[2] = {{NULL, 0}, {NULL, 0}};
  if (!s || !(metres_per_place >= 0 && metres_per_place <= 1000))
    return ct_fail(error, CT_BAD_VALUE, "follow: %g m per place is out of range; wants 0 to 1000 m",
                   metres_per_place);
  for (int e = 0; e < 2; e++)
    CT_TRY(ct_add_find_spot(s, "follow", ends->name[e] ? ends->name[e] : "", ends->name[e], ends->place[e],
                            &spot[e], error));
  return follow(s, &spot[0], &spot[1], metres_per_place, error);
}

ct_result ct_scene_follow(ct_scene *s, const char *follower, const char *leader, double metres_per_place,
                          ct_error *error) {
  const ct_point_id none = {{0, 0}, 0};
  return find_and_follow(s, &(named_ends){{follower, leader}, {&none, &none}}, metres_per_place, error);
}

ct_result ct_scene_follow_id(ct_scene *s, ct_point_id follower, ct_point_id leader, double metres_per_place,
                             ct_error *error) {
  return find_and_follow(s, &(named_ends){{NULL, NULL}, {&follower, &leader}}, metres_per_place, error);
}
