/* From a document's words to a source and its map. */
#include "base/sized.h"
#include "base/text.h"
#include "document/doc.h"

#include <string.h>

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
  ct_result result = take_list(source, node, "table_x", &r->table_x, &r->table_x_count, error);
  if (result == CT_OK)
    result = take_list(source, node, "table_y", &r->table_y, &r->table_y_count, error);
  if (result == CT_OK)
    result = take_list(source, node, "table_hz", &r->table_hz, &r->table_hz_count, error);
  return result;
}

static ct_result take_region(const ct_node *source, const ct_node *node, ct_region_def *region,
                             ct_error *error) {
  double morph_to = ct_node_number(node, CT_REGION_MORPH_TO);
  *region = ct_default_region_def();
  region->name = node->name;
  ct_node_give(node, CT_DEF_REGION, region);
  region->morph_to = morph_to > 0 ? (ct_behaviour)(morph_to - 1) : region->behaviour;
  ct_result result = take_corners(source, node, region, error);
  return result == CT_OK ? take_table(source, node, region, error) : result;
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
