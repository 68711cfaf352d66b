/* Strings, surfaces, drives and sources of a document, as definitions. What is not said follows from the
 * rest, or is left to who adds them. */
#include "base/sized.h"
#include "base/text.h"
#include "document/doc.h"

#include <stdlib.h>

/* ---- strings ---- */

static ct_result fill_points(const ct_node *body, ct_string_def *def, ct_point_def **points,
                             ct_error *error) {
  const ct_node_list *list = &body->kids[CT_KIDS_POINTS];
  *points = calloc(list->count ? list->count : 1, sizeof **points);
  if (!*points)
    return ct_fail(error, CT_NO_MEMORY, "body '%s': out of memory", body->name);
  for (uint32_t i = 0; i < list->count; i++) {
    const ct_node *point = list->items[i];
    if (ct_node_column(point, "thump"))
      return ct_fail(error, CT_BAD_SCENE, "%s.%s: thump belongs to points of modal bodies, not of a string",
                     body->name, point->name);
    if (point->column_count)
      return ct_fail(error, CT_BAD_SCENE, "%s.%s: a string's point is a place (place_u), not gains",
                     body->name, point->name);
    (*points)[i] = (ct_point_def){.name = point->name, .place_u = ct_node_number(point, CT_POINT_PLACE_U)};
  }
  def->points = *points;
  def->point_count = list->count;
  return CT_OK;
}

ct_result ct_doc_string_def(const ct_node *body, ct_string_def *def, ct_point_def **points, ct_error *error) {
  *def = ct_default_string_def();
  def->name = body->name;
  if (body->kids[CT_KIDS_MODES].count || body->kids[CT_KIDS_SHAPE].count)
    return ct_fail(error, CT_BAD_SCENE,
                   "body '%s': a string has no modes; for the same string as modes, say modes: shape string",
                   body->name);
  if (body->kids[CT_KIDS_STRING].count) {
    const ct_node *node = body->kids[CT_KIDS_STRING].items[0];
    if (ct_node_has(node, CT_STRING_Q) && ct_node_has(node, CT_STRING_T60))
      return ct_fail(error, CT_BAD_SCENE, "body '%s': q and t60_s say the same thing; give one", body->name);
    ct_node_give(node, CT_DEF_STRING, def);
    if (ct_node_has(node, CT_STRING_Q))
      def->q = ct_node_number(node, CT_STRING_Q);
  }
  return fill_points(body, def, points, error);
}

/* ---- surfaces and drives ---- */

/* Heights from the file's own list, or handed over by who read the scan. */
static ct_result fill_heights(const ct_node *node, ct_surface_def *def, ct_error *error) {
  const ct_column *column;
  char what[CT_NAME_MAX + 1];
  ct_format(what, sizeof what, "%s.", node->name);
  CT_TRY(ct_node_list_of(node, "heights_m", what, &column, error));
  if (!column && ct_node_has(node, CT_SURFACE_FIELD_FILE))
    return ct_fail(error, CT_BAD_SCENE,
                   "surface '%s': the scan '%.80s' was not read; this host reads no files", node->name,
                   ct_node_text(node, CT_SURFACE_FIELD_FILE));
  if (!column)
    return ct_fail(error, CT_BAD_SCENE, "surface '%s': a scan wants heights_m or a file", node->name);
  def->heights = column->values;
  def->height_count = column->count;
  if (!ct_node_has(node, CT_SURFACE_FIELD_DEPTH))
    def->depth_m = 0; /* as measured */
  return CT_OK;
}

ct_result ct_doc_surface_def(const ct_node *node, ct_surface_def *def, ct_error *error) {
  *def = ct_default_surface_def();
  def->name = node->name;
  ct_node_give(node, CT_DEF_SURFACE, def);
  bool scan = def->kind == CT_SURFACE_SCAN;
  if (!scan && (ct_node_column(node, "heights_m") || ct_node_has(node, CT_SURFACE_FIELD_FILE)))
    return ct_fail(error, CT_BAD_SCENE, "surface '%s': heights_m and file belong to the kind scan",
                   node->name);
  return scan ? fill_heights(node, def, error) : CT_OK;
}

ct_drive_def ct_doc_drive_def(const ct_node *node) {
  ct_drive_def def = ct_default_drive_def();
  def.name = node->name;
  ct_node_give(node, CT_DEF_DRIVE, &def);
  bool said = ct_node_has(node, CT_DRIVE_MOTION); /* not said: what rolls is free, what scrapes is not */
  def.free = said ? ct_node_number(node, CT_DRIVE_MOTION) == 0 : def.kind == CT_ROLL;
  return def;
}

/* ---- sources ---- */

/* Lists of numbers; none where they were not given. */
static ct_result take_lists(const ct_node *source, const ct_node *node, ct_region_def *r, ct_error *error) {
  uint32_t y_count = 0;
  const struct {
    const char *name;
    const double **values;
    uint32_t *count;
  } lists[] = {{"x", &r->x, &r->corner_count},
               {"y", &r->y, &y_count},
               {"table_x", &r->table_x, &r->table_x_count},
               {"table_y", &r->table_y, &r->table_y_count},
               {"table_hz", &r->table_hz, &r->table_hz_count}};
  char what[3 * CT_NAME_MAX];
  ct_format(what, sizeof what, "%s.%s.", source->name, node->name);
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    const ct_column *list;
    CT_TRY(ct_node_list_of(node, lists[i].name, what, &list, error));
    *lists[i].values = list ? list->values : NULL;
    *lists[i].count = list ? list->count : 0;
    if (i == 1 && r->corner_count != y_count)
      return ct_fail(error, CT_BAD_SCENE,
                     "source '%s', region '%s': %u values of x, %u of y; wants one each per corner",
                     source->name, node->name, r->corner_count, y_count);
  }
  return CT_OK;
}

static ct_result take_region(const ct_node *source, const ct_node *node, ct_region_def *region,
                             ct_error *error) {
  double morph_to = ct_node_number(node, CT_REGION_MORPH_TO);
  *region = ct_default_region_def();
  region->name = node->name;
  ct_node_give(node, CT_DEF_REGION, region);
  region->morph_to = morph_to > 0 ? (ct_behaviour)(morph_to - 1) : region->behaviour;
  return take_lists(source, node, region, error);
}

ct_result ct_doc_source_sized(const ct_doc *doc, const char *name, ct_source_def *to, uint32_t size,
                              ct_region_def *regions, uint32_t stride, ct_error *error) {
  const ct_node *node = doc && name ? ct_node_named(&doc->root->kids[CT_KIDS_SOURCES], name) : NULL;
  if (!node || !to || !regions)
    return ct_fail(error, CT_BAD_PATH, "there is no source called '%.48s' in this scene", name ? name : "");
  const ct_node_list *kids = &node->kids[CT_KIDS_REGIONS];
  if (kids->count > CT_REGIONS_MOST)
    return ct_fail(error, CT_BAD_SCENE, "source '%s': %u regions; wants 1 to %u", name, kids->count,
                   CT_REGIONS_MOST);
  ct_source_def def = ct_default_source_def();
  ct_node_give(node, CT_DEF_SOURCE, &def);
  def.name = node->name;
  def.size = size;
  def.regions = regions;
  def.region_count = kids->count;
  def.region_stride = stride;
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < kids->count && result == CT_OK; i++) {
    ct_region_def region;
    result = take_region(node, kids->items[i], &region, error);
    ct_give_bytes((unsigned char *)regions + (size_t)i * stride, stride, &region, sizeof region);
  }
  ct_give_bytes(to, size, &def, sizeof def);
  return result;
}
