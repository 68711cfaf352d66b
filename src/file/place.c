/* See place.h. */
#include "file/place.h"
#include "base/text.h"

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
