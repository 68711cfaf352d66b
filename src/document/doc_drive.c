/* Surfaces and drives of a document, as definitions. */
#include "base/text.h"
#include "document/doc.h"

#include <string.h>

/* Heights from the file's own list, or handed over by who read the scan. */
static ct_result fill_heights(const ct_node *node, ct_surface_def *def, ct_error *error) {
  const ct_column *column;
  char what[CT_NAME_MAX + 1];
  ct_format(what, sizeof what, "%s.", node->name);
  ct_result result = ct_node_list_of(node, "heights_m", what, &column, error);
  if (!column && ct_node_has(node, CT_SURFACE_FIELD_FILE))
    return ct_fail(error, CT_BAD_SCENE,
                   "surface '%s': the scan '%.80s' was not read; this host reads no files", node->name,
                   ct_node_text(node, CT_SURFACE_FIELD_FILE));
  if (!column)
    return ct_fail(error, CT_BAD_SCENE, "surface '%s': a scan wants heights_m or a file", node->name);
  if (result != CT_OK)
    return result;
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
