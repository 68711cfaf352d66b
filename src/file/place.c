/* See place.h. */
#include "file/place.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *ct_place_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return strdup(".");
  return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static const char *last_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static char *join(const char *folder, const char *name) {
  size_t room = strlen(folder) + strlen(name) + 2;
  char *path = malloc(room);
  if (path)
    snprintf(path, room, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
  return path;
}

/* The resolved folder of a path, and its last name behind it. */
static char *resolve_folder(const char *path) {
  char *folder = ct_place_folder(path), *real = folder ? realpath(folder, NULL) : NULL;
  char *joined = real ? join(real, last_name(path)) : NULL;
  free(folder);
  free(real);
  return joined;
}

/* Where a link that leads to nothing points; null when the path is no link. */
static char *follow(const char *path) {
  char to[PATH_MAX];
  ssize_t length = readlink(path, to, sizeof to - 1);
  if (length <= 0)
    return NULL;
  to[length] = 0;
  if (*to == '/')
    return strdup(to);
  char *folder = ct_place_folder(path), *joined = folder ? join(folder, to) : NULL;
  free(folder);
  return joined;
}

char *ct_place_resolve(const char *name) {
  enum { LINKS = 40 };
  char *real = realpath(name, NULL);
  char *at = real ? NULL : strdup(name);
  for (int links = 0; at && !real; links++) {
    char *next = links < LINKS ? follow(at) : NULL;
    if (!next && links < LINKS && *last_name(at))
      real = resolve_folder(at);
    free(at);
    at = next;
  }
  free(at);
  return real;
}

/* Slashes at the end say that it is a folder, and nothing about where it is. */
static char *without_slashes(const char *name) {
  size_t length = strlen(name);
  while (length > 1 && name[length - 1] == '/')
    length--;
  return strndup(name, length);
}

ct_place ct_place_of(const char *name) {
  struct stat found;
  char *plain = without_slashes(name);
  ct_place place = {.path = plain ? ct_place_resolve(plain) : NULL, .there = stat(name, &found) == 0};
  free(plain);
  if (place.there) {
    place.device = found.st_dev;
    place.file = found.st_ino;
    place.mode = found.st_mode;
  }
  return place;
}

void ct_place_free(ct_place *place) {
  free(place->path);
  *place = (ct_place){0};
}

bool ct_place_same(const ct_place *a, const ct_place *b) {
  if ((a->there && S_ISCHR(a->mode)) || (b->there && S_ISCHR(b->mode)))
    return false;
  if (a->path && b->path && strcmp(a->path, b->path) == 0)
    return true;
  return a->there && b->there && a->device == b->device && a->file == b->file;
}

bool ct_place_inside(const ct_place *inner, const ct_place *outer) {
  char *at = inner->path ? strdup(inner->path) : NULL;
  bool inside = false;
  while (at && !inside) {
    ct_place here = ct_place_of(at);
    inside = ct_place_same(&here, outer);
    ct_place_free(&here);
    char *up = strcmp(at, "/") != 0 ? ct_place_folder(at) : NULL;
    free(at);
    at = up;
  }
  free(at);
  return inside;
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
