/* From a document's words to a source and its map. */
#include "base/sized.h"
#include "base/text.h"
#include "document/doc.h"

#include <string.h>

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
    ct_result result = ct_node_list_of(node, lists[i].name, what, &list, error);
    if (result != CT_OK)
      return result;
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
