/* See place.h. */
#include "file/place.h"
#include "base/grow.h"
#include "base/text.h"
#include "file/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ct_file_path cut_path(const char *text, size_t length) {
  ct_file_path path = {""};
  memcpy(path.text, text, length < sizeof path.text ? length : sizeof path.text - 1);
  return path;
}

ct_file_path ct_file_join(const char *folder, const char *name) {
  const size_t length = *name == '/' ? 0 : strlen(folder);
  ct_file_path path;
  ct_format(path.text, sizeof path.text, "%s%s%s", length ? folder : "",
            length && folder[length - 1] != '/' ? "/" : "", name);
  return path;
}

ct_file_path ct_file_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? cut_path(path, slash > path ? (size_t)(slash - path) : 1) : cut_path(".", 1);
}

/* Goes to where a link points; false when the path is no link. */
static bool follow(ct_file_path *path) {
  char to[PATH_MAX];
  const ssize_t length = readlink(path->text, to, sizeof to - 1);
  if (length <= 0)
    return false;
  to[length] = 0;
  *path = ct_file_join(ct_file_folder(path->text).text, to);
  return true;
}

/* "" when the way there does not exist. Of a link that leads to nothing, the place it points to. */
static ct_file_path resolve(const char *name) {
  enum { LINKS = 40 };
  ct_file_path at = ct_file_join("", name), real;
  int links = 0;
  if (realpath(name, real.text))
    return real;
  while (links < LINKS && follow(&at))
    links++;
  const char *slash = strrchr(at.text, '/'), *last = slash ? slash + 1 : at.text;
  if (links == LINKS || !*last || !realpath(ct_file_folder(at.text).text, real.text))
    return (ct_file_path){""};
  return ct_file_join(real.text, last);
}

char *ct_place_resolve(const char *name) {
  const ct_file_path real = resolve(name);
  return *real.text ? strdup(real.text) : NULL;
}

/* Slashes at the end say that it is a folder, and nothing about where it is. */
ct_place ct_place_of(const char *name) {
  struct stat found;
  size_t length = strlen(name);
  while (length > 1 && name[length - 1] == '/')
    length--;
  ct_place place = {.path = resolve(cut_path(name, length).text), .there = stat(name, &found) == 0};
  if (place.there) {
    place.device = found.st_dev;
    place.file = found.st_ino;
    place.mode = found.st_mode;
  }
  return place;
}

bool ct_place_same(const ct_place *a, const ct_place *b) {
  if ((a->there && S_ISCHR(a->mode)) || (b->there && S_ISCHR(b->mode)))
    return false;
  if (*a->path.text && strcmp(a->path.text, b->path.text) == 0)
    return true;
  return a->there && b->there && a->device == b->device && a->file == b->file;
}

bool ct_place_inside(const ct_place *inner, const ct_place *outer) {
  for (ct_file_path at = inner->path; *at.text; at = ct_file_folder(at.text)) {
    const ct_place here = ct_place_of(at.text);
    if (ct_place_same(&here, outer))
      return true;
    if (strcmp(at.text, "/") == 0)
      break;
  }
  return false;
}

/* ---- folders ---- */

ct_result ct_place_make_folders(const char *folder, ct_error *error) {
  char *path = strdup(folder);
  if (!path)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  ct_result result = CT_OK;
  for (char *c = path; result == CT_OK; c++) {
    char kept = *c;
    if (kept != '/' && kept)
      continue;
    *c = 0;
    if (*path && mkdir(path, 0777) != 0 && errno != EEXIST)
      result = ct_fail(error, CT_BAD_ARGUMENT, "%.200s: cannot be made: %s", path, strerror(errno));
    *c = kept;
    if (!kept)
      break;
  }
  free(path);
  return result;
}

/* A run has few files: each is compared with all before it. */

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
