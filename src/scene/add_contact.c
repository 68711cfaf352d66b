/* Adding contacts. The end whose name comes first is end 0, so that swapping a and b is the same contact. */
#include "base/text.h"
#include "scene/add.h"
#include "scene/full.h"
#include "document/defaults.h"

#include <string.h>

static ct_result check_substeps(const char *name, uint32_t substeps, ct_error *error) {
  ct_result result = ct_field_check(CT_CONTACT_SUBSTEPS, name, substeps, error);
  if (result == CT_OK && substeps & (substeps - 1))
    return ct_fail(error, CT_BAD_VALUE, "%s.substeps: %u is not a power of two", name, substeps);
  return result;
}

ct_result ct_add_check_level(const ct_scene *s, const char *what, const char *name, uint32_t finest,
                             ct_error *error) {
  if (1u << finest > s->def.substeps)
    return ct_fail(error, CT_FULL,
                   "%s '%s': no room: the scene has %u substeps (ct_scene_def.substeps), %u are wanted", what,
                   name, s->def.substeps, 1u << finest);
  return CT_OK;
}

static ct_result check_impact(const ct_impact_def *def, ct_error *error) {
  ct_result result = ct_def_check(CT_DEF_IMPACT, def->name, def, error);
  return result == CT_OK ? check_substeps(def->name, def->substeps, error) : result;
}

static ct_result check_friction(const ct_friction_def *def, ct_error *error) {
  ct_result result = ct_def_check(CT_DEF_FRICTION, def->name, def, error);
  if (result == CT_OK && def->mu_static < def->mu_dynamic)
    return ct_fail(
        error, CT_BAD_VALUE,
        "%s.mu_static: %g is less than mu_dynamic %g; sticking must hold at least as well as sliding",
        def->name, def->mu_static, def->mu_dynamic);
  return result == CT_OK ? check_substeps(def->name, def->substeps, error) : result;
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

static ct_result find_ends(ct_scene *s, ct_contact *built, const char *name, const char *a, const char *b,
                           ct_direction direction, ct_error *error) {
  ct_result result = ct_add_find_end(s, "contact", name, a, direction, &built->end[0], error);
  if (result == CT_OK && strcmp(a, b ? b : "") == 0)
    return ct_fail(error, CT_BAD_SCENE,
                   "contact '%s': both ends are '%.60s', and no point touches itself; wants two points", name,
                   a);
  return result == CT_OK ? ct_add_find_end(s, "contact", name, b, direction, &built->end[1], error) : result;
}

size_t ct_friction_pool_bytes(void) {
  ct_contact scratch;
  ct_arena counting = {NULL, 0, 0};
  ct_friction_lay(&scratch, &counting);
  return counting.used;
}

static bool take_memory(ct_scene *s, ct_contact *built) {
  size_t bytes = ct_friction_pool_bytes();
  built->memory = ct_pool_take(&s->pool, bytes);
  ct_friction_lay(built, &(ct_arena){built->memory, bytes, 0});
  return built->memory;
}

static ct_result put_in_slot(ct_scene *s, ct_contact *built, const char *name, ct_error *error) {
  int slot = ct_part_free_slot(s, CT_PART_CONTACT);
  if (slot < 0)
    return ct_full_part(s, CT_PART_CONTACT, name, 0, error);
  ct_copy_name(built->name, name);
  order_ends(built);
  built->generation = ct_add_next_generation(s->contacts[slot].generation);
  s->contacts[slot] = *built;
  ct_add_announce(s, CT_PART_CONTACT, (uint16_t)slot);
  return CT_OK;
}

ct_result ct_scene_add_impact(ct_scene *s, const ct_impact_def *given, ct_error *error) {
  ct_impact_def whole = ct_default_impact_def();
  const ct_impact_def *def = &whole;
  ct_result result = ct_add_begin(s, "contact", given, &whole, error);
  ct_contact built;
  memset(&built, 0, sizeof built);
  if (result == CT_OK)
    result = check_impact(def, error);
  if (result == CT_OK)
    result = find_ends(s, &built, def->name, def->a, def->b, CT_NORMAL, error);
  if (result != CT_OK)
    return result;
  if (def->contact_time_s > 0 && built.end[0].body->kind->rigid && built.end[1].body->kind->rigid)
    return ct_fail(error, CT_BAD_VALUE,
                   "%s.contact_time_s: wants a body with a mass; hands and walls have none", def->name);
  result = ct_add_check_level(s, "contact", def->name, ct_impact_finest(def->quality, def->substeps), error);
  if (result != CT_OK)
    return result;
  ct_impact_fill(&built, def);
  return put_in_slot(s, &built, def->name, error);
}

/* The impact whose force presses, when the file names one. */
static ct_result find_source(ct_scene *s, ct_contact *built, const ct_friction_def *def, ct_error *error) {
  if (!def->normal_from || !*def->normal_from)
    return CT_OK;
  int slot = ct_part_find(s, CT_PART_CONTACT, def->normal_from);
  if (slot < 0 || s->contacts[slot].kind != &ct_impact_kind)
    return ct_fail(error, CT_BAD_PATH,
                   "contact '%s': normal_from wants an impact contact; there is none called '%.48s'",
                   def->name, def->normal_from);
  built->friction.source = &s->contacts[slot];
  return CT_OK;
}

ct_result ct_scene_add_friction(ct_scene *s, const ct_friction_def *given, ct_error *error) {
  ct_friction_def whole = ct_default_friction_def();
  const ct_friction_def *def = &whole;
  ct_result result = ct_add_begin(s, "contact", given, &whole, error);
  ct_contact built;
  memset(&built, 0, sizeof built);
  if (result == CT_OK)
    result = check_friction(def, error);
  if (result == CT_OK)
    result = find_ends(s, &built, def->name, def->a, def->b, CT_TANGENTIAL, error);
  if (result == CT_OK)
    result = find_source(s, &built, def, error);
  if (result == CT_OK && def->substeps)
    result =
        ct_add_check_level(s, "contact", def->name, (uint32_t)ct_level_of_substeps(def->substeps), error);
  if (result != CT_OK)
    return result;
  if (!take_memory(s, &built))
    return ct_full_part(s, CT_PART_CONTACT, def->name, ct_friction_pool_bytes(), error);
  ct_friction_fill(&built, def);
  built.friction.seed = s->def.seed;
  result = put_in_slot(s, &built, def->name, error);
  if (result != CT_OK)
    ct_pool_give(&s->pool, built.memory);
  return result;
}

/* ---- following ---- */

/* "body.point" to the point itself, through the end it would be for a contact. */
static ct_result find_point(ct_scene *s, const char *at, ct_direction direction, ct_end *end, uint16_t *point,
                            ct_error *error) {
  ct_result result = ct_add_find_end(s, "follow", at ? at : "", at, direction, end, error);
  for (uint16_t i = 0; result == CT_OK && i < end->body->point_count; i++)
    if (end->body->points[i].port[direction] == end->port)
      *point = i;
  return result;
}

ct_result ct_scene_follow(ct_scene *s, const char *follower, const char *leader, double metres_per_place,
                          ct_error *error) {
  ct_end who, whom;
  uint16_t point = 0, leading = 0;
  if (!s || !(metres_per_place >= 0 && metres_per_place <= 1000))
    return ct_fail(error, CT_BAD_VALUE, "follow: %g m per place is out of range; wants 0 to 1000 m",
                   metres_per_place);
  ct_result result = find_point(s, follower, CT_NORMAL, &who, &point, error);
  if (result == CT_OK)
    result = find_point(s, leader, CT_TANGENTIAL, &whom, &leading, error);
  if (result != CT_OK)
    return result;
  bool shaped = who.body->kind == &ct_modal_kind && who.body->as.modal.table;
  if (!shaped && who.body->kind != &ct_string_kind)
    return ct_fail(error, CT_BAD_SCENE, "follow '%s': only a point of a shape or a string can move along it",
                   follower);
  uint64_t lead = (uint64_t)(whom.body - s->bodies) << 16 | whom.port;
  ct_message m = {.kind = CT_MESSAGE_FOLLOW,
                  .handle = {.object = (uint16_t)(who.body - s->bodies), .item = point},
                  .value = metres_per_place,
                  .ramp = lead};
  if (!ct_queue_push(&s->inbox, &m))
    return ct_full_queue(s, "follow", follower, 1, error);
  return CT_OK;
}
