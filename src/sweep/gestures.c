/* A copied gesture is one block: the struct, the pointers, the numbers, the names. */
#include "base/text.h"
#include "sweep/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ct_gesture *ct_sweep_gesture_copy(const ct_gesture *g) {
  size_t names = 0, columns = g->columns, rows = g->rows;
  for (uint32_t c = 0; c < columns; c++)
    names += strlen(g->paths[c]) + 1;
  size_t pointers = columns * 2 * sizeof(void *), numbers = (columns + 1) * rows * sizeof(double);
  char *block = malloc(sizeof *g + pointers + numbers + names + 1);
  if (!block)
    return NULL;
  const char **paths = (const char **)(void *)(block + sizeof *g);
  const double **values = (const double **)(void *)(paths + columns);
  double *cells = (double *)(void *)(values + columns);
  char *text = (char *)(cells + (columns + 1) * rows);
  ct_gesture *copy = (ct_gesture *)(void *)block;
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
