/* The page as a folder of files: it asks for nothing that a plain web server does not give. The files are
 * listed first, then all copied aside, then all put in place: a failure or a signal on the way leaves the
 * target as it was. */
#include "base/text.h"
#include "file/place.h"
#include "file/staged.h"
#include "hosts/cli/lab.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct copy {
  ct_undo undo; /* first, so that a pointer to it is a pointer to all */
  char *from, *to;
  bool folder;
  bool made;         /* a folder that was not there before, known to ct_undo until all is in place */
  ct_staged *staged; /* a file on its way */
} copy;

typedef struct export_job {
  copy *items; /* every folder before what is in it */
  size_t count, room;
  ct_error *error;
} export_job;

static ct_result cannot(const export_job *e, const char *path) {
  return ct_fail(e->error, CT_BAD_FILE, "%.250s: %s", path, strerror(errno));
}

static ct_result no_memory(const export_job *e) { return ct_fail(e->error, CT_NO_MEMORY, "no memory"); }

/* ---- listing ---- */

/* "" as the name: the folder itself. */
static char *join(const char *folder, const char *name) {
  size_t room = strlen(folder) + strlen(name) + 2;
  char *path = malloc(room);
  if (path)
    snprintf(path, room, "%s%s%s", folder, *name ? "/" : "", name);
  return path;
}

static bool make_room(export_job *e) {
  if (e->count < e->room)
    return true;
  size_t room = e->room ? 2 * e->room : 64;
  copy *items = realloc(e->items, room * sizeof *items);
  if (!items)
    return false;
  e->items = items;
  e->room = room;
  return true;
}

static ct_result add(export_job *e, const char *from, const char *to, const char *name) {
  struct stat about;
  if (!make_room(e))
    return no_memory(e);
  copy *c = &e->items[e->count++];
  *c = (copy){.from = join(from, name), .to = join(to, name)};
  if (!c->from || !c->to)
    return no_memory(e);
  if (stat(c->from, &about) != 0)
    return cannot(e, c->from);
  c->folder = S_ISDIR(about.st_mode);
  return CT_OK;
}

static ct_result add_entries(export_job *e, const char *from, const char *to) {
  DIR *entries = opendir(from);
  if (!entries)
    return cannot(e, from);
  ct_result result = CT_OK;
  for (struct dirent *entry; result == CT_OK && (entry = readdir(entries));)
    if (entry->d_name[0] != '.')
      result = add(e, from, to, entry->d_name);
  closedir(entries);
  return result;
}

/* The list grows while it is walked: folders bring what is in them. */
static ct_result list(export_job *e, const char *folder, const char *to) {
  ct_result result = add(e, folder, to, "");
  for (size_t i = 0; i < e->count && result == CT_OK; i++)
    if (e->items[i].folder)
      result = add_entries(e, e->items[i].from, e->items[i].to);
  return result;
}

/* ---- checking ---- */

static ct_result check_folders(const export_job *e, const char *folder, const char *to) {
  ct_place page = ct_place_of(folder), target = ct_place_of(to);
  ct_result result = CT_OK;
  if (ct_place_same(&page, &target))
    result = ct_fail(e->error, CT_BAD_ARGUMENT, "%.200s: is the lab's own folder; wants another one", to);
  else if (ct_place_inside(&target, &page))
    result = ct_fail(e->error, CT_BAD_ARGUMENT,
                     "%.120s: lies in the lab's own folder, %.120s; wants one outside of it", to, folder);
  return result;
}

/* Links in the target may lead back to the page. */
static ct_result check_files(const export_job *e) {
  ct_claims claims = {0};
  ct_result result = CT_OK;
  for (size_t i = 0; i < e->count && result == CT_OK; i++)
    result = e->items[i].folder ? CT_OK : ct_claims_read(&claims, e->items[i].from, e->error);
  for (size_t i = 0; i < e->count && result == CT_OK; i++)
    result = e->items[i].folder ? CT_OK : ct_claims_write(&claims, e->items[i].to, e->error);
  ct_claims_free(&claims);
  return result;
}

/* ---- copying ---- */

static bool copy_bytes(FILE *in, FILE *out) {
  char bytes[65536];
  size_t count;
  while ((count = fread(bytes, 1, sizeof bytes, in)) > 0)
    if (fwrite(bytes, 1, count, out) != count)
      return false;
  return !ferror(in);
}

static ct_result copy_file(const export_job *e, copy *c) {
  FILE *in = fopen(c->from, "rb");
  if (!in)
    return cannot(e, c->from);
  ct_result result = ct_staged_open(c->to, &c->staged, e->error);
  if (result == CT_OK && !copy_bytes(in, ct_staged_stream(c->staged)))
    result = cannot(e, c->to);
  fclose(in);
  return result == CT_OK ? ct_staged_close(c->staged, e->error) : result;
}

static void remove_folder(ct_undo *undo) { rmdir(((copy *)(void *)undo)->to); }

static ct_result make_folder(const export_job *e, copy *c) {
  c->undo.run = remove_folder;
  ct_undo_lock();
  c->made = mkdir(c->to, 0777) == 0;
  int why = errno;
  if (c->made)
    ct_undo_add(&c->undo);
  ct_undo_unlock();
  struct stat found;
  if (why == EEXIST && stat(c->to, &found) == 0)
    why = S_ISDIR(found.st_mode) ? 0 : ENOTDIR;
  errno = why;
  return c->made || why == 0 ? CT_OK : cannot(e, c->to);
}

static ct_result copy_all(const export_job *e) {
  ct_result result = CT_OK;
  for (size_t i = 0; i < e->count && result == CT_OK; i++)
    result = e->items[i].folder ? make_folder(e, &e->items[i]) : copy_file(e, &e->items[i]);
  return result;
}

static ct_result keep_all(const export_job *e) {
  ct_staged **files = calloc(e->count + 1, sizeof *files);
  if (!files)
    return no_memory(e);
  for (size_t i = 0; i < e->count; i++)
    files[i] = e->items[i].staged;
  ct_result result = ct_staged_keep_all(files, e->count, e->error);
  free(files);
  return result;
}

static void clean_up(export_job *e, bool kept) {
  for (size_t i = e->count; i-- > 0;) {
    copy *c = &e->items[i];
    ct_staged_drop(c->staged);
    ct_undo_lock();
    if (c->made && !kept)
      rmdir(c->to);
    ct_undo_remove(&c->undo);
    ct_undo_unlock();
    free(c->from);
    free(c->to);
  }
  free(e->items);
}

ct_result lab_export(const char *folder, const char *to, ct_error *error) {
  export_job e = {.error = error};
  ct_result result = check_folders(&e, folder, to);
  if (result == CT_OK)
    result = list(&e, folder, to);
  if (result == CT_OK)
    result = check_files(&e);
  if (result == CT_OK)
    result = copy_all(&e);
  if (result == CT_OK)
    result = keep_all(&e);
  clean_up(&e, result == CT_OK);
  return result;
}
