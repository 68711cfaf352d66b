/* What a plan points to lives as long as the plan: a list of blocks, each behind the pointer to the next. */
#include "sweep/plan.h"
#include "base/grow.h"
#include "base/text.h"
#include "file/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
  struct block *next;
  double bytes[]; /* aligned for anything that is kept here */
} block;

ct_result ct_sweep_plan_take(ct_sweep_plan *plan, size_t count, size_t size, void *items, ct_error *error) {
  block *new = calloc(1, sizeof *new + count *size);
  if (!new)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the plan");
  void *bytes = new->bytes;
  new->next = plan->blocks;
  plan->blocks = new;
  memcpy(items, &bytes, sizeof bytes);
  return CT_OK;
}

ct_result ct_sweep_plan_text(ct_sweep_plan *plan, const char *text, char **copy, ct_error *error) {
  const size_t bytes = strlen(text) + 1;
  CT_TRY(ct_sweep_plan_take(plan, bytes, 1, copy, error));
  memcpy(*copy, text, bytes);
  return CT_OK;
}

void ct_sweep_plan_free(ct_sweep_plan *plan) {
  if (!plan)
    return;
  for (uint32_t i = 0; i < plan->gesture_count; i++)
    free(plan->gestures[i].gesture);
  for (block *at = plan->blocks, *next; at; at = next) {
    next = at->next;
    free(at);
  }
  free(plan->gestures);
  free(plan->inputs);
  free(plan->text);
  free(plan);
}

/* ---- the files that it names: where they lie, and what is in them ---- */

ct_file_path ct_sweep_file_of(const ct_sweep_plan *plan, const char *name) {
  return ct_file_join(ct_builtin_find(name) ? "" : ct_file_folder(plan->file).text, name);
}

static ct_result add_input(ct_sweep_plan *plan, const char *file, const char *name,
                           const uint8_t digest[CT_SHA256_BYTES], ct_error *error) {
  for (uint32_t i = 0; i < plan->input_count; i++)
    if (strcmp(plan->inputs[i].name, name) == 0)
      return CT_OK;
  ct_sweep_input input = {0};
  CT_TRY(ct_sweep_plan_text(plan, name, &input.name, error));
  if (file)
    CT_TRY(ct_sweep_plan_text(plan, file, &input.file, error));
  ct_sha256_print(digest, input.sha256);
  if (!ct_grow(&plan->inputs, &plan->input_room, plan->input_count + 1, sizeof input))
    return ct_fail(error, CT_NO_MEMORY, "no memory for the plan");
  plan->inputs[plan->input_count++] = input;
  return CT_OK;
}

/* The name from the plan's folder on; null when it is elsewhere. */
static const char *name_inside(const ct_sweep_plan *plan, const char *file) {
  const char *slash = strrchr(plan->file, '/');
  const size_t folder = slash ? (size_t)(slash - plan->file) + 1 : 0;
  if (strncmp(file, plan->file, folder) != 0)
    return NULL;
  file += folder;
  while (strncmp(file, "./", 2) == 0)
    file += 2;
  for (const char *at = file; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
    if (strncmp(at, "../", 3) == 0)
      return NULL;
  return *file == '/' ? NULL : file;
}

ct_result ct_sweep_note_input(ct_sweep_plan *plan, const char *file, ct_error *error) {
  uint8_t digest[CT_SHA256_BYTES];
  const char *name = name_inside(plan, file);
  if (!name)
    return ct_fail(
        error, CT_BAD_FILE,
        "%.80s: %.120s lies elsewhere; a data set has copies of what it was made from: wants it in "
        "the plan's folder",
        plan->file, file);
  /* Names that the data set has for itself. */
  if (ct_choice_index("plan.json|rows.bin|table.csv|table.npy|columns.csv|about.json|README.md|SHA256SUMS|"
                      "histograms.png|contact.png",
                      name) >= 0 ||
      strncmp(name, "sounds/", 7) == 0)
    return ct_fail(error, CT_BAD_FILE, "%.80s: %.120s: the data set has a file of this name; wants another",
                   plan->file, file);
  CT_TRY(ct_sha256_file(file, digest, NULL, error));
  return add_input(plan, file, name, digest, error);
}

ct_result ct_sweep_note_builtin(ct_sweep_plan *plan, const char *scene, const char *text, size_t length,
                                ct_error *error) {
  uint8_t digest[CT_SHA256_BYTES];
  ct_sha256 hash = ct_sha256_start();
  ct_sha256_add(&hash, text, length);
  ct_sha256_end(&hash, digest);
  return add_input(plan, NULL, scene, digest, error);
}

/* The text of the plan, and the hashes of all inputs. */
void ct_sweep_hash_plan(ct_sweep_plan *plan) {
  uint8_t digest[CT_SHA256_BYTES];
  ct_sha256 hash = ct_sha256_start();
  ct_sha256_add(&hash, plan->text, plan->length);
  for (uint32_t i = 0; i < plan->input_count; i++)
    ct_sha256_add(&hash, plan->inputs[i].sha256, CT_SHA256_TEXT);
  ct_sha256_end(&hash, digest);
  ct_sha256_print(digest, plan->sha256);
}

/* A copied gesture is one block: the struct, the pointers, the numbers, the names. */

ct_gesture *ct_sweep_gesture_copy(const ct_gesture *g) {
  size_t names = 0, columns = g->columns, rows = g->rows;
  for (uint32_t c = 0; c < columns; c++)
    names += strlen(g->paths[c]) + 1;
  size_t pointers = columns * 2 * sizeof(void *), numbers = (columns + 1) * rows * sizeof(double);
  char *memory = malloc(sizeof *g + pointers + numbers + names + 1);
  if (!memory)
    return NULL;
  const char **paths = (const char **)(void *)(memory + sizeof *g);
  const double **values = (const double **)(void *)(paths + columns);
  double *cells = (double *)(void *)(values + columns);
  char *text = (char *)(cells + (columns + 1) * rows);
  ct_gesture *copy = (ct_gesture *)(void *)memory;
  *copy = (ct_gesture){g->rows, g->columns, cells, paths, values};
  if (rows && g->time_s)
    memcpy(cells, g->time_s, rows * sizeof *cells);
  for (uint32_t c = 0; c < columns; c++) {
    const size_t length = strlen(g->paths[c]) + 1;
    values[c] = memcpy(cells + (c + 1) * rows, g->values[c], rows * sizeof *cells);
    paths[c] = memcpy(text, g->paths[c], length);
    text += length;
  }
  return copy;
}

uint32_t ct_sweep_gesture_column(const ct_gesture *g, const char *column) {
  uint32_t c = 0;
  while (c < g->columns && strcmp(g->paths[c], column) != 0)
    c++;
  return c;
}

bool ct_sweep_gesture_set(ct_gesture *copy, const char *column, uint32_t row, double value) {
  uint32_t c = ct_sweep_gesture_column(copy, column);
  if (c == copy->columns || (row != CT_SWEEP_ALL_ROWS && row >= copy->rows))
    return false;
  double *cells = (double *)(uintptr_t)copy->values[c]; /* ours: it is a copy */
  for (uint32_t r = 0; r < copy->rows; r++)
    if (row == r || (row == CT_SWEEP_ALL_ROWS && !isnan(cells[r])))
      cells[r] = value;
  return true;
}

/* ---- from JSON ---- */

static ct_result read_column(const json_t *list, const char *where, const char *name, size_t rows, bool time,
                             double *cells, ct_error *error) {
  if (!json_is_array(list) || json_array_size(list) != rows)
    return ct_fail(error, CT_BAD_FILE, "%.160s.%.60s: wants a list of %zu numbers, as many as time_s has",
                   where, name, rows);
  for (size_t r = 0; r < rows; r++) {
    const json_t *cell = json_array_get(list, r);
    if (!json_is_number(cell) && (time || !json_is_null(cell)))
      return ct_fail(error, CT_BAD_FILE, "%.160s.%.60s: number %zu of its list is not a number", where, name,
                     r + 1);
    cells[r] = json_is_number(cell) ? json_number_value(cell) : (double)NAN;
    if (time && (cells[r] < 0 || (r && cells[r] <= cells[r - 1])))
      return ct_fail(error, CT_BAD_FILE, "%.160s.time_s: wants times from 0 on that rise", where);
  }
  return CT_OK;
}

static ct_result read_columns(const json_t *object, const char *where, ct_gesture *g, double *cells,
                              const char **paths, const double **values, ct_error *error) {
  const char *name;
  json_t *list;
  ct_result result =
      read_column(json_object_get(object, "time_s"), where, "time_s", g->rows, true, cells, error);
  json_object_foreach((json_t *)(uintptr_t)object, name, list) {
    if (result != CT_OK || strcmp(name, "time_s") == 0)
      continue;
    double *column = cells + (size_t)(g->columns + 1) * g->rows;
    result = read_column(list, where, name, g->rows, false, column, error);
    paths[g->columns] = name;
    values[g->columns++] = column;
  }
  return result;
}

ct_result ct_sweep_gesture_read(const json_t *object, const char *where, ct_gesture **gesture,
                                ct_error *error) {
  size_t rows = json_array_size(json_object_get(object, "time_s")), columns = json_object_size(object);
  if (!rows)
    return ct_fail(error, CT_BAD_FILE, "%.200s: wants a list time_s, and a list per control or path", where);
  double *cells = calloc(columns * rows, sizeof *cells);
  const char **paths = calloc(columns, sizeof *paths);
  const double **values = calloc(columns, sizeof *values);
  ct_gesture read = {.rows = (uint32_t)rows, .time_s = cells, .paths = paths, .values = values};
  ct_result result = cells && paths && values
                         ? read_columns(object, where, &read, cells, paths, values, error)
                         : ct_fail(error, CT_NO_MEMORY, "%.200s: no memory", where);
  if (result == CT_OK && !(*gesture = ct_sweep_gesture_copy(&read)))
    result = ct_fail(error, CT_NO_MEMORY, "%.200s: no memory", where);
  free(cells);
  free(paths);
  free(values);
  return result;
}
