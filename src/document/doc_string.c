/* From a document's words to a string. What is not said follows from the rest, or is left to
 * ct_scene_add_string. */
#include "base/text.h"
#include "document/doc.h"

#include <stdlib.h>

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
