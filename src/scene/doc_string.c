/* From a document's words to a string. What is not said follows from the rest, or is left to
 * ct_scene_add_string. */
#include "base/text.h"
#include "scene/doc.h"

#include <stdlib.h>

static ct_result fill_points(const ct_node *body, ct_string_def *def, ct_point_def **points,
                             ct_error *error) {
  const ct_node_list *list = &body->kids[CT_KIDS_POINTS];
  *points = calloc(list->count ? list->count : 1, sizeof **points);
  if (!*points)
    return ct_fail(error, CT_NO_MEMORY, "body '%s': out of memory", body->name);
  for (uint32_t i = 0; i < list->count; i++) {
    const ct_node *point = list->items[i];
    if (point->column_count)
      return ct_fail(error, CT_BAD_SCENE, "%s.%s: a string's point is a place (place_u), not gains",
                     body->name, point->name);
    (*points)[i] =
        (ct_point_def){.name = point->name, .place_u = ct_node_number(point, CT_IN_POINT, CT_POINT_PLACE_U)};
  }
  def->points = *points;
  def->point_count = list->count;
  return CT_OK;
}

static void take_numbers(const ct_node *node, ct_string_def *def) {
  const struct {
    uint32_t field;
    double *number;
  } numbers[] = {{CT_STRING_HZ, &def->hz},
                 {CT_STRING_IMPEDANCE, &def->impedance_kg_s},
                 {CT_STRING_LENGTH, &def->length_m},
                 {CT_STRING_TENSION, &def->tension_n},
                 {CT_STRING_DENSITY, &def->density_kg_m},
                 {CT_STRING_T60, &def->t60_s},
                 {CT_STRING_Q, &def->q},
                 {CT_STRING_HIGH_T60, &def->high_t60_s},
                 {CT_STRING_HIGH_HZ, &def->high_hz},
                 {CT_STRING_INHARMONICITY, &def->inharmonicity},
                 {CT_STRING_BENDING, &def->bending_n_m2},
                 {CT_STRING_STOP, &def->stop},
                 {CT_STRING_VIBRATO_HZ, &def->vibrato_hz},
                 {CT_STRING_VIBRATO_CENTS, &def->vibrato_cents},
                 {CT_STRING_LOWEST_HZ, &def->lowest_hz}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (ct_node_has(node, numbers[i].field))
      *numbers[i].number = node->number[numbers[i].field];
  def->planes = (uint32_t)ct_node_number(node, CT_IN_STRING, CT_STRING_FIELD_PLANES);
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
    take_numbers(node, def);
  }
  return fill_points(body, def, points, error);
}
