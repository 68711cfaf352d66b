/* Bodies, contacts and drives come in alphabetical order, so that a reordered scene file gives the same
 * table. */
#include "hosts/cli/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add(cli_columns *c, const char *path, size_t skip) {
  const char **paths = realloc(c->paths, (c->count + 1) * sizeof *paths);
  if (paths)
    c->paths = paths;
  const char **names = realloc(c->names, (c->count + 1) * sizeof *names);
  if (names)
    c->names = names;
  char *copy = strdup(path);
  if (!paths || !names || !copy) {
    free(copy);
    return false;
  }
  c->paths[c->count] = copy;
  c->names[c->count++] = copy + skip;
  return true;
}

typedef struct part {
  const char *name;
  uint32_t index;
} part;

static int by_name(const void *a, const void *b) {
  return strcmp(((const part *)a)->name, ((const part *)b)->name);
}

static part *sorted(const ct_doc *doc, uint32_t count, const char *(*name)(const ct_doc *, uint32_t)) {
  part *parts = calloc((size_t)count + 1, sizeof *parts);
  for (uint32_t i = 0; parts && i < count; i++)
    parts[i] = (part){name(doc, i), i};
  if (parts)
    qsort(parts, count, sizeof *parts, by_name);
  return parts;
}

static bool add_body(cli_columns *c, const ct_doc *doc, const part *body) {
  static const char *const states[] = {"x_m", "v_m_s"};
  for (uint32_t p = 0; p < ct_doc_point_count(doc, body->index); p++)
    for (int s = 0; s < 2; s++) {
      char path[2 * CT_NAME_MAX + 16];
      snprintf(path, sizeof path, "%s.%s.%s", body->name, ct_doc_point_name(doc, body->index, p), states[s]);
      if (!add(c, path, 0))
        return false;
    }
  return true;
}

static bool add_contact(cli_columns *c, const ct_doc *doc, const part *contact) {
  char path[CT_NAME_MAX + 16];
  (void)doc;
  snprintf(path, sizeof path, "%s.force_n", contact->name);
  return add(c, path, 0);
}

static bool add_drive(cli_columns *c, const ct_doc *doc, const part *drive) {
  static const char *const states[] = {"x_m", "v_m_s", "offset_m"};
  (void)doc;
  for (int s = 0; s < 3; s++) {
    char path[CT_NAME_MAX + 16];
    snprintf(path, sizeof path, "%s.%s", drive->name, states[s]);
    if (!add(c, path, 0))
      return false;
  }
  return true;
}

static bool add_parts(cli_columns *c, const ct_doc *doc, uint32_t count,
                      const char *(*name)(const ct_doc *, uint32_t),
                      bool (*add_part)(cli_columns *, const ct_doc *, const part *)) {
  part *parts = sorted(doc, count, name);
  bool good = parts != NULL;
  for (uint32_t i = 0; good && i < count; i++)
    good = add_part(c, doc, &parts[i]);
  free(parts);
  return good;
}

bool cli_columns_add_motion(cli_columns *c, const ct_doc *doc) {
  return add_parts(c, doc, ct_doc_body_count(doc), ct_doc_body_name, add_body) &&
         add_parts(c, doc, ct_doc_contact_count(doc), ct_doc_contact_name, add_contact) &&
         add_parts(c, doc, ct_doc_drive_count(doc), ct_doc_drive_name, add_drive);
}

bool cli_columns_add_energy(cli_columns *c) {
  static const char prefix[] = "energy.";
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const char *path = ct_schema_row_at(i)->path;
    if (strncmp(path, prefix, strlen(prefix)) == 0 && !add(c, path, strlen(prefix)))
      return false;
  }
  return true;
}

void cli_columns_free(cli_columns *c) {
  for (uint32_t i = 0; i < c->count; i++)
    free((char *)(uintptr_t)c->paths[i]);
  free(c->paths);
  free(c->names);
}
