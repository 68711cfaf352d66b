/* Parts come in alphabetical order, so that a reordered scene file gives the same table. No column is listed
 * here: the scene shows what it has, and the schema says what of it is state. */
#include "hosts/cli/columns.h"
#include "base/text.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const char energy[] = "energy.";

static bool of_energy(const char *path) { return strncmp(path, energy, strlen(energy)) == 0; }

static ct_result no_memory(ct_error *error) {
  return ct_fail(error, CT_NO_MEMORY, "no memory for the tables");
}

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

/* ---- motion ---- */

typedef struct choice {
  cli_columns *columns;
  const cli_list *patterns;
  uint32_t *states, *others; /* per pattern: how many numbers of either sort it matches */
  bool full;                 /* no memory left */
} choice;

static bool matches(const choice *c, uint32_t pattern, const char *path, const char *full_path) {
  const char *text = c->patterns->items[pattern];
  return fnmatch(text, path, 0) == 0 || fnmatch(text, full_path, 0) == 0;
}

static bool count_matches(void *context, const char *path, const char *full_path, ct_handle handle,
                          const ct_schema_row *row) {
  choice *c = context;
  (void)handle;
  for (uint32_t i = 0; i < c->patterns->count && !of_energy(path); i++)
    if (matches(c, i, path, full_path))
      (row->rate == CT_RATE_STATE ? c->states : c->others)[i]++;
  return true;
}

static bool wanted(const choice *c, const char *path, const char *full_path, bool state) {
  if (c->patterns->count == 0)
    return state;
  for (uint32_t i = 0; i < c->patterns->count; i++)
    if ((state || c->states[i] == 0) && matches(c, i, path, full_path))
      return true;
  return false;
}

static bool choose(void *context, const char *path, const char *full_path, ct_handle handle,
                   const ct_schema_row *row) {
  choice *c = context;
  (void)handle;
  if (!of_energy(path) && wanted(c, path, full_path, row->rate == CT_RATE_STATE))
    c->full = !add(c->columns, path, 0);
  return !c->full;
}

static ct_result check_patterns(const choice *c, ct_error *error) {
  for (uint32_t i = 0; i < c->patterns->count; i++)
    if (c->states[i] + c->others[i] == 0)
      return ct_fail(error, CT_BAD_PATH,
                     "--motion-of '%.80s': nothing in this scene has such a path; wants body.point.x_m, "
                     "'contact.*', 'drives.*'; 'contatto describe' lists what can be read%s",
                     c->patterns->items[i],
                     of_energy(c->patterns->items[i]) ? "; --energy writes the energy account" : "");
  return CT_OK;
}

ct_result cli_columns_add_motion(cli_columns *columns, const ct_scene *scene, const cli_list *patterns,
                                 ct_error *error) {
  uint32_t *counts = calloc(2 * (size_t)patterns->count + 1, sizeof *counts);
  if (!counts)
    return no_memory(error);
  choice c = {columns, patterns, counts, counts + patterns->count, false};
  ct_scene_visit(scene, count_matches, &c);
  ct_result result = check_patterns(&c, error);
  if (result == CT_OK)
    ct_scene_visit(scene, choose, &c);
  free(counts);
  return c.full ? no_memory(error) : result;
}

/* ---- energy ---- */

ct_result cli_columns_add_energy(cli_columns *c, ct_error *error) {
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const char *path = ct_schema_row_at(i)->path;
    if (of_energy(path) && !add(c, path, strlen(energy)))
      return no_memory(error);
  }
  return CT_OK;
}

void cli_columns_free(cli_columns *c) {
  for (uint32_t i = 0; i < c->count; i++)
    free((char *)(uintptr_t)c->paths[i]);
  free(c->paths);
  free(c->names);
}
