/* From a document's words to a source and its map. */
#include "base/text.h"
#include "scene/doc.h"

#include <string.h>

static double number(const ct_node *node, uint32_t field) {
  return ct_node_number(node, CT_IN_SOURCE, field);
}

static ct_axis_def take_axis(const ct_node *node, uint32_t signal) {
  return (ct_axis_def){(ct_signal)number(node, signal), number(node, signal + 1), number(node, signal + 2),
                       (ct_scale)number(node, signal + 3)};
}

/* A list of numbers, none when it was not given. */
static ct_result take_list(const ct_node *source, const ct_node *node, const char *name,
                           const double **values, uint32_t *count, ct_error *error) {
  const ct_column *list;
  char what[3 * CT_NAME_MAX];
  ct_format(what, sizeof what, "%s.%s.", source->name, node->name);
  ct_result result = ct_node_list_of(node, name, what, &list, error);
  *values = result == CT_OK && list ? list->values : NULL;
  *count = result == CT_OK && list ? list->count : 0;
  return result;
}

static ct_result take_corners(const ct_node *source, const ct_node *node, ct_region_def *region,
                              ct_error *error) {
  uint32_t x_count = 0, y_count = 0;
  ct_result result = take_list(source, node, "x", &region->x, &x_count, error);
  if (result == CT_OK)
    result = take_list(source, node, "y", &region->y, &y_count, error);
  if (result == CT_OK && x_count != y_count)
    return ct_fail(error, CT_BAD_SCENE,
                   "source '%s', region '%s': %u values of x, %u of y; wants one each per corner",
                   source->name, node->name, x_count, y_count);
  region->corner_count = x_count;
  return result;
}

static ct_result take_table(const ct_node *source, const ct_node *node, ct_region_def *r, ct_error *error) {
  r->table_curve = (ct_table_curve)ct_node_number(node, CT_IN_REGION, CT_REGION_TABLE_CURVE);
  ct_result result = take_list(source, node, "table_x", &r->table_x, &r->table_x_count, error);
  if (result == CT_OK)
    result = take_list(source, node, "table_y", &r->table_y, &r->table_y_count, error);
  if (result == CT_OK)
    result = take_list(source, node, "table_hz", &r->table_hz, &r->table_hz_count, error);
  return result;
}

static ct_result take_region(const ct_node *source, const ct_node *node, ct_region_def *region,
                             ct_error *error) {
  const ct_section in = CT_IN_REGION;
  double morph_to = ct_node_number(node, in, CT_REGION_MORPH_TO);
  *region = ct_default_region_def();
  region->name = node->name;
  region->behaviour = (ct_behaviour)ct_node_number(node, in, CT_REGION_BEHAVIOUR);
  region->morph_to = morph_to > 0 ? (ct_behaviour)(morph_to - 1) : region->behaviour;
  region->morph = ct_node_number(node, in, CT_REGION_MORPH);
  region->pitch = (ct_pitch_kind)ct_node_number(node, in, CT_REGION_PITCH);
  region->hz = ct_node_number(node, in, CT_REGION_HZ);
  region->x_power = ct_node_number(node, in, CT_REGION_X_POWER);
  region->y_power = ct_node_number(node, in, CT_REGION_Y_POWER);
  region->mode = (uint32_t)ct_node_number(node, in, CT_REGION_MODE);
  region->notes = (ct_notes)ct_node_number(node, in, CT_REGION_NOTES);
  region->root_hz = ct_node_number(node, in, CT_REGION_ROOT);
  region->level = ct_node_number(node, in, CT_REGION_LEVEL);
  region->shift_x = ct_node_number(node, in, CT_REGION_SHIFT_X);
  region->shift_y = ct_node_number(node, in, CT_REGION_SHIFT_Y);
  region->size = ct_node_number(node, in, CT_REGION_SIZE);
  ct_result result = take_corners(source, node, region, error);
  return result == CT_OK ? take_table(source, node, region, error) : result;
}

static void take_numbers(const ct_node *node, ct_source_def *def) {
  const struct {
    uint32_t field;
    double *to;
  } numbers[] = {{CT_SOURCE_WIDTH, &def->width},
                 {CT_SOURCE_SPEED, &def->speed_m_s},
                 {CT_SOURCE_PRESSURE, &def->pressure},
                 {CT_SOURCE_FLUIDITY, &def->fluidity},
                 {CT_SOURCE_ACCELERATION, &def->acceleration_m_s2},
                 {CT_SOURCE_CURVATURE, &def->curvature_1_m},
                 {CT_SOURCE_LOG_JERK, &def->log_jerk},
                 {CT_SOURCE_ARC_LENGTH, &def->arc_length},
                 {CT_SOURCE_POSITION, &def->position},
                 {CT_SOURCE_FORCE, &def->force_n},
                 {CT_SOURCE_NOISE, &def->noise_n},
                 {CT_SOURCE_EXPONENT, &def->exponent},
                 {CT_SOURCE_WANDER, &def->wander},
                 {CT_SOURCE_WANDER_HZ, &def->wander_hz},
                 {CT_SOURCE_ONSET, &def->onset_m_s},
                 {CT_SOURCE_DENSITY, &def->density},
                 {CT_SOURCE_IMPACT, &def->impact_s},
                 {CT_SOURCE_DIAMETER, &def->diameter_m}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    *numbers[i].to = number(node, numbers[i].field);
  def->rim_waves = (uint32_t)number(node, CT_SOURCE_RIM_WAVES);
  def->physical_beats = number(node, CT_SOURCE_BEATS) > 0;
}

ct_result ct_doc_source(const ct_doc *doc, const char *name, ct_source_def *def,
                        ct_region_def regions[CT_REGIONS_MOST], ct_error *error) {
  const ct_node *node = doc && name ? ct_node_named(&doc->root->kids[CT_KIDS_SOURCES], name) : NULL;
  if (!node || !def || !regions)
    return ct_fail(error, CT_BAD_PATH, "there is no source called '%.48s' in this scene", name ? name : "");
  const ct_node_list *kids = &node->kids[CT_KIDS_REGIONS];
  if (kids->count > CT_REGIONS_MOST)
    return ct_fail(error, CT_BAD_SCENE, "source '%s': %u regions; wants 1 to %u", name, kids->count,
                   CT_REGIONS_MOST);
  *def = ct_default_source_def();
  def->name = node->name;
  def->at = ct_node_text(node, CT_SOURCE_AT);
  def->direction = (ct_direction)number(node, CT_SOURCE_DIRECTION);
  def->x = take_axis(node, CT_SOURCE_X_SIGNAL);
  def->y = take_axis(node, CT_SOURCE_Y_SIGNAL);
  def->boundary = (ct_boundary)number(node, CT_SOURCE_BOUNDARY);
  take_numbers(node, def);
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < kids->count && result == CT_OK; i++)
    result = take_region(node, kids->items[i], &regions[i], error);
  def->regions = regions;
  def->region_count = kids->count;
  return result;
}
