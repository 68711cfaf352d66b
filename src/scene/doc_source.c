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

static ct_result take_corners(const ct_node *source, const ct_node *node, ct_region_def *region,
                              ct_error *error) {
  const ct_column *x, *y;
  char what[3 * CT_NAME_MAX];
  ct_format(what, sizeof what, "%s.%s.", source->name, node->name);
  ct_result result = ct_node_list_of(node, "x", what, &x, error);
  if (result == CT_OK)
    result = ct_node_list_of(node, "y", what, &y, error);
  if (result != CT_OK)
    return result;
  if ((x ? x->count : 0) != (y ? y->count : 0))
    return ct_fail(error, CT_BAD_SCENE,
                   "source '%s', region '%s': %u values of x, %u of y; wants one each per corner",
                   source->name, node->name, x ? x->count : 0, y ? y->count : 0);
  region->x = x ? x->values : NULL;
  region->y = y ? y->values : NULL;
  region->corner_count = x ? x->count : 0;
  return CT_OK;
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
  return take_corners(source, node, region, error);
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
