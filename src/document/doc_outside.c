/* What a document names outside itself, brought by the host. */
#include "base/text.h"
#include "document/doc.h"
#include "document/scan_table.h"

#include <stdlib.h>

/* As a table's text, or as numbers that the host has read itself. */
static ct_result set_scan(ct_doc *doc, uint32_t surface, const char *file, const ct_brought *b,
                          ct_error *error) {
  const char *name = ct_doc_surface_name(doc, surface);
  if (b->numbers) {
    if (!b->metres && !ct_doc_surface_has_depth(doc, surface))
      return ct_fail(error, CT_BAD_SCENE, "surface '%s': a sound file has no scale; give depth_m, its rms",
                     name);
    return ct_doc_set_heights(doc, name, b->numbers, b->count, b->step_m, error);
  }
  ct_scan_table scan = {0};
  ct_error inner = {.text = ""};
  ct_result result = b->text ? ct_scan_table_read(b->name ? b->name : file, b->text, b->length, &scan, &inner)
                             : ct_fail(&inner, CT_BAD_ARGUMENT, "the scan '%.80s' was brought empty", file);
  if (result != CT_OK)
    return ct_fail(error, result, "surface '%s': %.250s", name, inner.text);
  result = ct_doc_set_heights(doc, name, scan.heights, scan.count, scan.step_m, error);
  free(scan.heights);
  return result;
}

static ct_result read_scan(ct_doc *doc, uint32_t surface, ct_bring *bring, void *context, ct_error *error) {
  const char *file = ct_doc_surface_file(doc, surface);
  ct_brought brought = {0};
  ct_error inner = {.text = ""};
  ct_result result = bring(context, CT_OUTSIDE_SCAN, file, &brought, &inner);
  if (result != CT_OK)
    return ct_fail(error, result, "surface '%s': %.250s", ct_doc_surface_name(doc, surface), inner.text);
  return set_scan(doc, surface, file, &brought, error);
}

ct_result ct_doc_read_outside(ct_doc *doc, ct_bring *bring, void *context, ct_error *error) {
  if (!doc || !bring)
    return ct_fail(error, CT_BAD_ARGUMENT, "read outside: a null pointer");
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < ct_doc_surface_count(doc) && result == CT_OK; i++)
    if (*ct_doc_surface_file(doc, i))
      result = read_scan(doc, i, bring, context, error);
  return result;
}
