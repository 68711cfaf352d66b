/* From paper to sound: definitions from the document's nodes, a scene with room for them, and everything
 * added in turn. */
#include "base/sized.h"
#include "base/text.h"
#include "drive/drive.h"
#include "document/doc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COOKIE 0x0c04b171u

typedef struct builder {
  ct_doc *doc;
  ct_scene *scene;
  ct_scene_def *counting; /* not null: parts are not added, only their bytes to its pool_bytes */
  ct_warn *warn;
  void *context;
  double rate_hz;
  ct_error *error;
} builder;

void ct_fill_build_def(ct_build_def *to, uint32_t size) {
  ct_build_def def = {.cookie = COOKIE, .size = size, .rate_hz = 48000, .seed = 1};
  ct_give_bytes(to, size, &def, sizeof def);
}

static const ct_node_list *list(const ct_doc *doc, uint32_t kind) { return &doc->root->kids[kind]; }

static ct_result count(const builder *b, size_t bytes) {
  b->counting->pool_bytes += bytes;
  return CT_OK;
}

/* ---- bodies ---- */

typedef struct modal_parts {
  ct_modal_def def;
  ct_mode_def *modes;
  const ct_object *object; /* when the body is a shape: the document keeps it */
  ct_point_def *points;
  const char *note; /* what the shape could not give */
} modal_parts;

static ct_result fill_modes(const ct_node *body, modal_parts *parts, ct_error *error) {
  const ct_node_list *modes = &body->kids[CT_KIDS_MODES];
  for (uint32_t i = 0; i < modes->count; i++) {
    const ct_node *m = modes->items[i];
    if (!m->set)
      return ct_fail(error, CT_BAD_SCENE, "body '%s': mode %u is missing between others", body->name, i);
    if (ct_node_has(m, CT_MODE_LEV) && ct_node_has(m, CT_MODE_MASS))
      return ct_fail(error, CT_BAD_SCENE, "%s.modes.%u: lev and mass_kg say the same thing; give one",
                     body->name, i);
    ct_def_standard(CT_DEF_MODE, &parts->modes[i]);
    ct_node_give(m, CT_DEF_MODE, &parts->modes[i]);
    if (ct_node_has(m, CT_MODE_LEV)) /* Avanzini, Serafin and Rocchesso (2005) set each mode's level so */
      parts->modes[i].mass_kg = 1 / ct_node_number(m, CT_MODE_LEV);
  }
  return CT_OK;
}

/* A list of numbers of a point, none when it was not given. */
static ct_result take_list(const ct_node *body, const ct_node *point, const char *name,
                           const ct_column **list, ct_error *error) {
  char what[2 * CT_NAME_MAX + 2];
  ct_format(what, sizeof what, "%s.%s.", body->name, point->name);
  return ct_node_list_of(point, name, what, list, error);
}

static ct_result take_gains(const ct_node *body, const ct_node *point, const char *name, uint32_t modes,
                            const double **gains, ct_error *error) {
  const ct_column *c = ct_node_column(point, name);
  if (c && c->count != modes)
    return ct_fail(error, CT_BAD_SCENE, "%s.%s.%s: %u gains for %u modes; wants one gain per mode",
                   body->name, point->name, name, c->count, modes);
  CT_TRY(take_list(body, point, name, &c, error));
  *gains = c ? c->values : *gains;
  return CT_OK;
}

static ct_result fill_point(const ct_node *body, const ct_node *node, uint32_t modes, ct_point_def *point,
                            ct_error *error) {
  *point = (ct_point_def){.name = node->name, .gain_count = modes};
  ct_def_standard(CT_DEF_POINT, point);
  ct_node_give(node, CT_DEF_POINT, point);
  const ct_column *thump = NULL;
  CT_TRY(take_gains(body, node, "gains", modes, &point->gains[CT_NORMAL], error));
  CT_TRY(take_gains(body, node, "normal", modes, &point->gains[CT_NORMAL], error));
  CT_TRY(take_gains(body, node, "tangential", modes, &point->gains[CT_TANGENTIAL], error));
  CT_TRY(take_list(body, node, "thump", &thump, error));
  point->thump = thump ? thump->values : NULL;
  point->thump_count = thump ? thump->count : 0;
  return CT_OK;
}

static ct_result fill_points(const ct_node *body, modal_parts *parts, ct_error *error) {
  const ct_node_list *points = &body->kids[CT_KIDS_POINTS];
  for (uint32_t i = 0; i < points->count; i++) {
    bool has_gains = points->items[i]->column_count > (ct_node_column(points->items[i], "thump") != NULL);
    if (parts->object && has_gains)
      return ct_fail(error, CT_BAD_SCENE,
                     "%s.%s: the body is a shape, so its point is a place (place_u, place_v), not gains",
                     body->name, points->items[i]->name);
    CT_TRY(fill_point(body, points->items[i], parts->def.mode_count, &parts->points[i], error));
  }
  parts->def.points = parts->points;
  parts->def.point_count = points->count;
  return CT_OK;
}

static ct_result fill_listed(const ct_node *body, modal_parts *parts, ct_error *error) {
  uint32_t modes = body->kids[CT_KIDS_MODES].count;
  parts->modes = calloc(modes ? modes : 1, sizeof *parts->modes);
  if (!parts->modes)
    return ct_fail(error, CT_NO_MEMORY, "body '%s': out of memory", body->name);
  parts->def = ct_default_modal_def();
  parts->def.modes = parts->modes;
  parts->def.mode_count = modes;
  return fill_modes(body, parts, error);
}

static ct_result fill_shaped(const ct_node *body, double rate_hz, modal_parts *parts, ct_error *error) {
  if (body->kids[CT_KIDS_MODES].count)
    return ct_fail(error, CT_BAD_SCENE, "body '%s': modes are either a list or a shape", body->name);
  ct_error inner;
  ct_node *shape = body->kids[CT_KIDS_SHAPE].items[0];
  const ct_kept_object *kept;
  ct_result result = ct_doc_keep_object(shape, rate_hz / 2, &kept, &inner);
  if (result != CT_OK)
    return ct_fail(error, result, "body '%s': %.260s", body->name, inner.text);
  parts->object = kept->object;
  parts->note = kept->note;
  parts->def = ct_object_modal_def(parts->object);
  parts->def.making.size *= ct_node_number(shape, CT_SHAPE_FIELD_SIZE);
  return CT_OK;
}

/* Modes from another file are all of them, and must have been brought. */
static ct_result check_from(const ct_node *body, ct_error *error) {
  if (body->kids[CT_KIDS_SHAPE].count == 0 || ct_node_shape(body))
    return CT_OK;
  const ct_node *from = body->kids[CT_KIDS_SHAPE].items[0];
  if ((from->set & (from->set - 1)) || from->column_count)
    return ct_fail(error, CT_BAD_SCENE, "body '%s': modes are either from a file or a shape", body->name);
  if (body->kids[CT_KIDS_MODES].count == 0)
    return ct_fail(error, CT_BAD_SCENE, "body '%s': its modes are in '%.80s', which nobody has read",
                   body->name, ct_node_text(from, CT_SHAPE_FIELD_FROM));
  return CT_OK;
}

static ct_result fill_modal(const ct_node *body, double rate_hz, modal_parts *parts, ct_error *error) {
  uint32_t points = body->kids[CT_KIDS_POINTS].count;
  memset(parts, 0, sizeof *parts);
  parts->points = calloc(points ? points : 1, sizeof *parts->points);
  if (!parts->points)
    return ct_fail(error, CT_NO_MEMORY, "body '%s': out of memory", body->name);
  CT_TRY(check_from(body, error));
  CT_TRY(ct_node_shape(body) ? fill_shaped(body, rate_hz, parts, error) : fill_listed(body, parts, error));
  CT_TRY(fill_points(body, parts, error));
  parts->def.name = body->name;
  ct_node_give(body, CT_DEF_MODAL, &parts->def);
  return CT_OK;
}

static void warn_of_dropped(const builder *b, const modal_parts *parts) {
  char line[CT_TEXT_MAX];
  if (parts->note && *parts->note && b->warn) {
    ct_format(line, sizeof line, "body '%s': %s", parts->def.name, parts->note);
    b->warn(b->context, line);
  }
  for (uint32_t i = 0; i < parts->def.mode_count && b->warn; i++) {
    if (parts->def.modes[i].hz < b->rate_hz / 2)
      continue;
    ct_format(line, sizeof line,
              "%s.modes.%u: %g Hz is not below half the rate (%g Hz); the mode is left out", parts->def.name,
              i, parts->def.modes[i].hz, b->rate_hz / 2);
    b->warn(b->context, line);
  }
}

static ct_result add_modal(const builder *b, const ct_node *body) {
  modal_parts parts;
  ct_result result = fill_modal(body, b->rate_hz, &parts, b->error);
  if (result == CT_OK)
    result = b->counting ? count(b, ct_modal_pool_bytes(&parts.def, b->counting))
                         : ct_added(ct_scene_add_modal(b->scene, &parts.def, b->error), b->error);
  if (result == CT_OK && !b->counting)
    warn_of_dropped(b, &parts);
  free(parts.modes);
  free(parts.points);
  return result;
}

static ct_result add_hand(const builder *b, const ct_node *body) {
  if (b->counting)
    return count(b, ct_hand_pool_bytes());
  if (body->kids[CT_KIDS_MODES].count || body->kids[CT_KIDS_POINTS].count || body->kids[CT_KIDS_STRING].count)
    return ct_fail(b->error, CT_BAD_SCENE,
                   "body '%s': a hand or wall has no modes and no points but its own, '%s.at'", body->name,
                   body->name);
  ct_hand_def def = ct_default_hand_def();
  def.name = body->name;
  ct_node_give(body, CT_DEF_HAND, &def);
  return ct_added(ct_scene_add_hand(b->scene, &def, b->error), b->error);
}

static ct_result add_string(const builder *b, const ct_node *body) {
  ct_string_def def;
  ct_point_def *points = NULL;
  ct_result result = ct_doc_string_def(body, &def, &points, b->error);
  if (result == CT_OK)
    result = b->counting ? count(b, ct_string_pool_bytes(&def, b->rate_hz))
                         : ct_added(ct_scene_add_string(b->scene, &def, b->error), b->error);
  free(points);
  return result;
}

static ct_result add_body(const builder *b, const ct_node *body) {
  if (ct_node_is_string(body))
    return add_string(b, body);
  if (body->kids[CT_KIDS_STRING].count)
    return ct_fail(b->error, CT_BAD_SCENE, "body '%s': has 'string' but is none; wants \"kind\": \"string\"",
                   body->name);
  return ct_node_is_hand(body) ? add_hand(b, body) : add_modal(b, body);
}

/* External forces a file gives to points start with the scene; and what strikes them is as it says. */
static ct_result push_points(const builder *b, const ct_node *body) {
  static const ct_field fields[] = {CT_POINT_FORCE, CT_POINT_TANGENTIAL_FORCE, CT_POINT_STRIKE_SPEED,
                                    CT_POINT_STRIKE_STIFFNESS};
  for (uint32_t i = 0; i < body->kids[CT_KIDS_POINTS].count; i++)
    for (int k = 0; k < 4; k++) {
      const ct_node *point = body->kids[CT_KIDS_POINTS].items[i];
      if (!ct_node_has(point, fields[k]))
        continue;
      char path[CT_PATH_BYTES];
      ct_format(path, sizeof path, "%s.%s.%s", body->name, point->name,
                strrchr(ct_row_at(ct_row_of(fields[k]))->shown.path, '.') + 1);
      CT_TRY(ct_scene_set_path(b->scene, path, ct_node_number(point, fields[k]), b->error));
    }
  return CT_OK;
}

/* Once all bodies are there: points that another one carries along. */
static ct_result lead_points(const builder *b, const ct_node *body) {
  for (uint32_t i = 0; i < body->kids[CT_KIDS_POINTS].count; i++) {
    const ct_node *point = body->kids[CT_KIDS_POINTS].items[i];
    double metres = ct_node_number(point, CT_POINT_FOLLOW_M);
    if (!ct_node_has(point, CT_POINT_FOLLOWS) || metres == 0)
      continue;
    char path[CT_PATH_BYTES];
    ct_format(path, sizeof path, "%s.%s", body->name, point->name);
    CT_TRY(ct_scene_follow(b->scene, path, ct_node_text(point, CT_POINT_FOLLOWS), metres, b->error));
  }
  return CT_OK;
}

/* ---- contacts, pickups, controls ---- */

static bool is_friction(const ct_node *c) { return ct_node_number(c, CT_CONTACT_KIND) > 0; }

static uint32_t substeps_of(const ct_node *c) { return (uint32_t)ct_node_number(c, CT_CONTACT_SUBSTEPS); }

static ct_result add_friction(const builder *b, const ct_node *c) {
  if (!is_friction(c))
    return CT_OK;
  if (b->counting)
    return count(b, ct_friction_pool_bytes());
  ct_friction_def def = ct_default_friction_def();
  def.name = c->name;
  def.a = ct_node_text(c, CT_CONTACT_A);
  def.b = ct_node_text(c, CT_CONTACT_B);
  def.substeps = substeps_of(c);
  ct_node_give(c, CT_DEF_FRICTION, &def);
  return ct_added(ct_scene_add_friction(b->scene, &def, b->error), b->error);
}

/* Two ways to say one thing, or a way that needs the other's number. */
static ct_result check_said_once(const builder *b, const ct_node *c) {
  bool lambda = ct_node_has(c, CT_CONTACT_LAMBDA), time = ct_node_has(c, CT_CONTACT_TIME);
  if (lambda && ct_node_has(c, CT_CONTACT_DAMPING))
    return ct_fail(b->error, CT_BAD_SCENE,
                   "contact '%s': lambda and damping_s_m say the same thing; give one", c->name);
  if (time && ct_node_has(c, CT_CONTACT_STIFFNESS))
    return ct_fail(b->error, CT_BAD_SCENE,
                   "contact '%s': stiffness and contact_time_s say the same thing; give one", c->name);
  if (time && lambda)
    return ct_fail(b->error, CT_BAD_SCENE,
                   "contact '%s': lambda needs a stiffness; with contact_time_s give damping_s_m", c->name);
  return CT_OK;
}

static ct_result add_impact(const builder *b, const ct_node *c) {
  if (is_friction(c))
    return CT_OK;
  ct_impact_def def = ct_default_impact_def();
  def.name = c->name;
  def.a = ct_node_text(c, CT_CONTACT_A);
  def.b = ct_node_text(c, CT_CONTACT_B);
  def.substeps = substeps_of(c);
  ct_node_give(c, CT_DEF_IMPACT, &def);
  if (ct_node_has(c, CT_CONTACT_LAMBDA))
    def.damping_s_m = ct_node_number(c, CT_CONTACT_LAMBDA) / def.stiffness;
  CT_TRY(check_said_once(b, c));
  return ct_added(ct_scene_add_impact(b->scene, &def, b->error), b->error);
}

/* A field of the other kind is a slip, not a wish. */
static ct_result check_fields(const builder *b, const ct_node *c) {
  bool friction = is_friction(c);
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_row *row = ct_row_at(i);
    if (row->section == CT_IN_CONTACT && ct_node_holds(c, i) && !ct_row_fits_contact(row, friction))
      return ct_fail(b->error, CT_BAD_SCENE, "contact '%s': %s belongs to %s contacts", c->name,
                     strrchr(row->shown.path, '.') + 1, friction ? "impact" : "friction");
  }
  return CT_OK;
}

static ct_result add_surface(const builder *b, const ct_node *node) {
  ct_surface_def def;
  CT_TRY(ct_doc_surface_def(node, &def, b->error));
  return b->counting ? count(b, ct_surface_pool_bytes(&def))
                     : ct_added(ct_scene_add_surface(b->scene, &def, b->error), b->error);
}

static ct_result add_drive(const builder *b, const ct_node *node) {
  ct_drive_def def = ct_doc_drive_def(node);
  const ct_node *under = ct_node_named(list(b->doc, CT_KIDS_SURFACES), def.surface);
  ct_surface_def surface;
  if (b->counting && (!under || ct_doc_surface_def(under, &surface, NULL) != CT_OK))
    return CT_OK; /* it is refused when added */
  if (b->counting)
    return count(b, ct_drive_pool_bytes(&def, surface.grid_m));
  return ct_added(ct_scene_add_drive(b->scene, &def, b->error), b->error);
}

static ct_result add_source(const builder *b, const ct_node *node) {
  ct_source_def def;
  ct_region_def regions[CT_REGIONS_MOST];
  ct_result result = ct_doc_source(b->doc, node->name, &def, regions, b->counting ? NULL : b->error);
  if (b->counting)
    return count(b, result == CT_OK ? ct_source_pool_bytes(&def) : 0); /* else it is refused when added */
  return result == CT_OK ? ct_added(ct_scene_add_source(b->scene, &def, b->error), b->error) : result;
}

static ct_result add_pickup(const builder *b, const ct_node *p) {
  ct_pickup_def def = ct_default_pickup_def();
  def.name = p->name;
  ct_node_give(p, CT_DEF_PICKUP, &def);
  return ct_added(ct_scene_add_pickup(b->scene, &def, b->error), b->error);
}

static ct_result add_control(const builder *b, const ct_node *c) {
  const ct_node_list *targets = &c->kids[CT_KIDS_TARGETS];
  ct_target_def *made = calloc(targets->count ? targets->count : 1, sizeof *made);
  if (!made)
    return ct_fail(b->error, CT_NO_MEMORY, "control '%s': out of memory", c->name);
  for (uint32_t i = 0; i < targets->count; i++) {
    ct_def_standard(CT_DEF_TARGET, &made[i]);
    ct_node_give(targets->items[i], CT_DEF_TARGET, &made[i]);
  }
  ct_control_def def = ct_default_control_def();
  def.name = c->name;
  ct_node_give(c, CT_DEF_CONTROL, &def);
  if (def.trigger && !ct_node_has(c, CT_CONTROL_VALUE))
    def.value = 0;
  def.targets = made;
  def.target_count = targets->count;
  ct_result result = ct_scene_add_control(b->scene, &def, b->error);
  free(made);
  return result;
}

/* ---- the scene ---- */

/* What contacts may ask for, and the ends of the ways of drives; anything, where others may come later. */
static uint32_t most_substeps(const ct_doc *doc, const ct_build_def *def) {
  uint32_t finest =
      list(doc, CT_KIDS_DRIVES)->count || def->more_drives ? ct_impact_finest(CT_END_QUALITY, 0) : 0;
  for (uint32_t i = 0; i < list(doc, CT_KIDS_CONTACTS)->count; i++) {
    const ct_node *c = list(doc, CT_KIDS_CONTACTS)->items[i];
    uint32_t substeps = substeps_of(c);
    ct_quality quality = (ct_quality)ct_node_number(c, CT_CONTACT_QUALITY);
    uint32_t wanted = substeps || !is_friction(c) ? ct_impact_finest(quality, substeps) : 0;
    finest = wanted > finest ? wanted : finest;
  }
  return def->more_contacts ? 1u << (CT_LEVELS - 1) : 1u << finest;
}

/* In this order, since each leans on those before it: friction may take its normal force from an impact. */
static const struct {
  uint32_t kind;
  ct_result (*add)(const builder *, const ct_node *);
  bool counted; /* takes of the pool */
} order[] = {{CT_KIDS_BODIES, add_body, true},      {CT_KIDS_BODIES, push_points, false},
             {CT_KIDS_BODIES, lead_points, false},  {CT_KIDS_CONTACTS, check_fields, false},
             {CT_KIDS_CONTACTS, add_impact, false}, {CT_KIDS_CONTACTS, add_friction, true},
             {CT_KIDS_SURFACES, add_surface, true}, {CT_KIDS_DRIVES, add_drive, true},
             {CT_KIDS_SOURCES, add_source, true},   {CT_KIDS_PICKUPS, add_pickup, false},
             {CT_KIDS_CONTROLS, add_control, false}};

static ct_result add_parts(const builder *b) {
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
    const ct_node_list *parts = list(b->doc, order[k].kind);
    for (uint32_t i = 0; i < parts->count && (order[k].counted || !b->counting); i++)
      CT_TRY(order[k].add(b, parts->items[i]));
  }
  return CT_OK;
}

static ct_result create(builder *b, const ct_build_def *def) {
  const ct_doc *doc = b->doc;
  ct_scene_def s = ct_default_scene_def();
  s.rate_hz = def->rate_hz;
  s.seed = def->seed;
  s.ledger = def->ledger;
  ct_node_give(doc->root, CT_DEF_SCENE, &s);
  s.bodies = list(doc, CT_KIDS_BODIES)->count + def->more_bodies;
  s.contacts = list(doc, CT_KIDS_CONTACTS)->count + def->more_contacts;
  s.pickups = list(doc, CT_KIDS_PICKUPS)->count + def->more_pickups;
  s.surfaces = list(doc, CT_KIDS_SURFACES)->count + def->more_surfaces;
  s.drives = list(doc, CT_KIDS_DRIVES)->count + def->more_drives;
  s.sources = list(doc, CT_KIDS_SOURCES)->count + def->more_sources;
  s.controls = list(doc, CT_KIDS_CONTROLS)->count;
  for (uint32_t i = s.targets = 0; i < s.controls; i++)
    s.targets += list(doc, CT_KIDS_CONTROLS)->items[i]->kids[CT_KIDS_TARGETS].count;
  s.substeps = most_substeps(doc, def);
  s.pool_bytes = def->more_pool_bytes;
  b->counting = &s;
  ct_result result = add_parts(b);
  b->counting = NULL;
  return result == CT_OK ? ct_scene_create(&s, &b->scene, b->error) : result;
}

ct_result ct_doc_build(ct_doc *doc, const ct_build_def *given, ct_scene **scene, ct_warn *warn, void *context,
                       ct_error *error) {
  ct_build_def def = ct_default_build_def();
  if (!doc || !scene || !ct_take_def(&def, given))
    return ct_fail(error, CT_BAD_ARGUMENT,
                   "build: a null pointer, or a definition not made by ct_default_build_def()");
  builder b = {doc, NULL, NULL, warn, context, def.rate_hz, error};
  CT_TRY(create(&b, &def));
  ct_result result = add_parts(&b);
  if (result == CT_OK)
    ct_scene_process(b.scene, &(ct_io){.frames = 0}); /* everybody takes their place */
  if (result == CT_OK && def.keep_start)
    result = ct_scene_keep_start(b.scene, error);
  if (result == CT_OK)
    *scene = b.scene;
  else
    ct_scene_destroy(b.scene);
  return result;
}

ct_result ct_doc_plan(ct_doc *doc, const ct_build_def *def, ct_plan **plan, ct_warn *warn, void *context,
                      ct_error *error) {
  ct_scene *one = NULL, *other = NULL;
  ct_result result = ct_doc_build(doc, def, &one, warn, context, error);
  if (result == CT_OK)
    result = ct_doc_build(doc, def, &other, NULL, NULL, error);
  if (result == CT_OK)
    result = ct_plan_create(one, other, plan, error);
  ct_scene_destroy(one);
  ct_scene_destroy(other);
  return result;
}

ct_result ct_doc_add_to(ct_doc *doc, ct_scene *scene, ct_warn *warn, void *context, ct_error *error) {
  if (!doc || !scene)
    return ct_fail(error, CT_BAD_ARGUMENT, "add: a null pointer");
  return add_parts(&(builder){doc, scene, NULL, warn, context, ct_scene_rate_hz(scene), error});
}
