/* A run has few files: each is compared with all before it. */
#include "file/claims.h"
#include "base/grow.h"
#include "base/text.h"
#include "file/load.h"
#include "file/scan.h"

#include <stdlib.h>
#include <string.h>

static ct_result clash(const ct_claim *one, const ct_claim *other, ct_error *error) {
  const ct_claim *out = one->output ? one : other, *in = one->output ? other : one;
  if (in->output && strcmp(out->name, in->name) == 0)
    return ct_fail(error, CT_BAD_ARGUMENT, "%.160s: two outputs have the same name; wants one each",
                   out->name);
  if (strcmp(out->name, in->name) == 0)
    return ct_fail(error, CT_BAD_ARGUMENT, "%.160s: is an output and also an input; wants another name",
                   out->name);
  return ct_fail(error, CT_BAD_ARGUMENT, "%.120s: is the same file as %s, %.120s; wants another name",
                 out->name, in->output ? "another output" : "an input", in->name);
}

static ct_result claim(ct_claims *c, const char *file, bool output, ct_error *error) {
  if (!file)
    return CT_OK;
  char *name = strdup(file);
  if (!name || !ct_grow(&c->items, &c->room, c->count + 1, sizeof *c->items)) {
    free(name);
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory", file);
  }
  ct_claim *new = &c->items[c->count++];
  *new = (ct_claim){ct_place_of(file), name, output};
  for (size_t i = 0; i + 1 < c->count; i++)
    if ((output || c->items[i].output) && ct_place_same(&c->items[i].place, &new->place))
      return clash(new, &c->items[i], error);
  return CT_OK;
}

ct_result ct_claims_read(ct_claims *claims, const char *file, ct_error *error) {
  return claim(claims, file, false, error);
}

ct_result ct_claims_write(ct_claims *claims, const char *file, ct_error *error) {
  return claim(claims, file, true, error);
}

void ct_claims_free(ct_claims *c) {
  for (size_t i = 0; i < c->count; i++)
    free(c->items[i].name);
  free(c->items);
  *c = (ct_claims){0};
}

ct_result ct_doc_claim_files(const ct_doc *doc, const char *scene, ct_claims *claims, ct_error *error) {
  char folder[CT_FOLDER_BYTES], path[2 * CT_FOLDER_BYTES];
  ct_scene_folder(scene, folder);
  if (!ct_builtin_find(scene))
    CT_TRY(ct_claims_read(claims, scene, error));
  for (uint32_t i = 0; i < ct_doc_surface_count(doc); i++)
    if (ct_outside_path(folder, ct_doc_surface_file(doc, i), path, sizeof path))
      CT_TRY(ct_claims_read(claims, path, error));
  for (uint32_t i = 0; i < ct_doc_body_count(doc); i++)
    if (ct_outside_path(folder, ct_doc_body_file(doc, i), path, sizeof path))
      CT_TRY(ct_claims_read(claims, path, error));
  return CT_OK;
}
