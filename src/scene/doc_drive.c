/* Surfaces and drives of a document, as definitions. */
#include "base/text.h"
#include "scene/doc.h"

#include <math.h>
#include <string.h>

static double surface_number(const ct_node *n, uint32_t field) {
  return ct_node_number(n, CT_IN_SURFACE, field);
}

/* Heights from the file's own list, or handed over by who read the scan. */
static ct_result fill_heights(const ct_node *node, ct_surface_def *def, ct_error *error) {
  const ct_column *column = ct_node_column(node, "heights_m");
  if (!column && ct_node_has(node, CT_SURFACE_FIELD_FILE))
    return ct_fail(error, CT_BAD_SCENE,
                   "surface '%s': the scan '%.80s' was not read; this host reads no files", node->name,
                   ct_node_text(node, CT_SURFACE_FIELD_FILE));
  if (!column)
    return ct_fail(error, CT_BAD_SCENE, "surface '%s': a scan wants heights_m or a file", node->name);
  for (uint32_t i = 0; i < column->count; i++)
    if (isnan(column->values[i]))
      return ct_fail(error, CT_BAD_SCENE, "%s.heights_m.%u: missing between others", node->name, i);
  def->heights = column->values;
  def->height_count = column->count;
  if (!ct_node_has(node, CT_SURFACE_FIELD_DEPTH))
    def->depth_m = 0; /* as measured */
  return CT_OK;
}

ct_result ct_doc_surface_def(const ct_node *node, ct_surface_def *def, ct_error *error) {
  *def = ct_default_surface_def();
  def->name = node->name;
  def->kind = (ct_surface_kind)surface_number(node, CT_SURFACE_FIELD_KIND);
  def->depth_m = surface_number(node, CT_SURFACE_FIELD_DEPTH);
  def->length_m = surface_number(node, CT_SURFACE_FIELD_LENGTH);
  def->width_octaves = surface_number(node, CT_SURFACE_FIELD_WIDTH);
  def->beta = surface_number(node, CT_SURFACE_FIELD_BETA);
  def->density = surface_number(node, CT_SURFACE_FIELD_DENSITY);
  def->gap_m = surface_number(node, CT_SURFACE_FIELD_GAP);
  def->irregularity = surface_number(node, CT_SURFACE_FIELD_IRREGULARITY);
  def->grid_m = surface_number(node, CT_SURFACE_FIELD_GRID);
  def->seed = (uint32_t)surface_number(node, CT_SURFACE_FIELD_SEED);
  def->step_m = surface_number(node, CT_SURFACE_FIELD_STEP);
  bool scan = def->kind == CT_SURFACE_SCAN;
  if (!scan && (ct_node_column(node, "heights_m") || ct_node_has(node, CT_SURFACE_FIELD_FILE)))
    return ct_fail(error, CT_BAD_SCENE, "surface '%s': heights_m and file belong to the kind scan",
                   node->name);
  return scan ? fill_heights(node, def, error) : CT_OK;
}

static double drive_number(const ct_node *n, uint32_t field) { return ct_node_number(n, CT_IN_DRIVE, field); }

ct_drive_def ct_doc_drive_def(const ct_node *node) {
  ct_drive_def def = ct_default_drive_def();
  def.name = node->name;
  def.kind = (ct_drive_kind_word)drive_number(node, CT_DRIVE_KIND);
  def.contact = ct_node_text(node, CT_DRIVE_CONTACT);
  def.surface = ct_node_text(node, CT_DRIVE_SURFACE);
  bool said = ct_node_has(node, CT_DRIVE_MOTION); /* not said: what rolls is free, what scrapes is not */
  def.free = said ? drive_number(node, CT_DRIVE_MOTION) == 0 : def.kind == CT_ROLL;
  def.radius_m = drive_number(node, CT_DRIVE_RADIUS);
  def.inertia = drive_number(node, CT_DRIVE_INERTIA);
  def.mass_kg = drive_number(node, CT_DRIVE_MASS);
  def.x_m = drive_number(node, CT_DRIVE_PLACE);
  def.v_m_s = drive_number(node, CT_DRIVE_THROW);
  def.speed_m_s = drive_number(node, CT_DRIVE_SPEED);
  def.acceleration_m_s2 = drive_number(node, CT_DRIVE_ACCELERATION);
  def.push_n = drive_number(node, CT_DRIVE_PUSH);
  def.slope = drive_number(node, CT_DRIVE_SLOPE);
  def.resistance = drive_number(node, CT_DRIVE_RESISTANCE);
  def.asymmetry_m = drive_number(node, CT_DRIVE_ASYMMETRY);
  def.out_of_round_m = drive_number(node, CT_DRIVE_OUT_OF_ROUND);
  def.facets = (uint32_t)drive_number(node, CT_DRIVE_FACETS);
  def.exaggerate = drive_number(node, CT_DRIVE_EXAGGERATE);
  def.low_m = drive_number(node, CT_DRIVE_LOW);
  def.high_m = drive_number(node, CT_DRIVE_HIGH);
  def.rebound = drive_number(node, CT_DRIVE_REBOUND);
  def.rim = ct_node_text(node, CT_DRIVE_RIM);
  def.knock_s = drive_number(node, CT_DRIVE_KNOCK);
  def.follows = ct_node_text(node, CT_DRIVE_FOLLOWS);
  def.travels = ct_node_text(node, CT_DRIVE_TRAVELS);
  def.travel_m = drive_number(node, CT_DRIVE_TRAVEL_M);
  def.travel_axis = (uint32_t)drive_number(node, CT_DRIVE_TRAVEL_AXIS);
  return def;
}
