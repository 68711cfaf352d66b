/* See guide.h. A strokes file is a gesture file with columns of its own. */
#include "base/text.h"
#include "file/load.h"
#include "file/table.h"
#include "guide/guide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { X, Y, PRESSURE, WANTED };

static const double usual_pressure = 0.5;
static const double furthest_m = 10;  /* a pen's reach, and some: pixels are no metres */
static const double longest_s = 3600; /* of one recording */

typedef struct columns {
  const double *values[WANTED];
  double scale[WANTED];
} columns;

static const char *const names[] = {"x_m", "y_m", "pressure", "x_mm", "y_mm"};
static const int which[] = {X, Y, PRESSURE, X, Y};

static ct_result take_column(const char *file, const ct_gesture *g, uint32_t column, columns *c,
                             ct_error *error) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(g->paths[column], names[i]) != 0)
      continue;
    if (c->values[which[i]])
      return ct_fail(error, CT_BAD_VALUE, "%.160s: column '%s' says the same as an earlier one", file,
                     names[i]);
    c->values[which[i]] = g->values[column];
    c->scale[which[i]] = i > 2 ? 1e-3 : 1;
    return CT_OK;
  }
  return ct_fail(
      error, CT_BAD_VALUE,
      "%.120s: column '%.40s' is not known; wants time_s, x_m and y_m (or x_mm and y_mm), pressure", file,
      g->paths[column]);
}

static ct_result find_columns(const char *file, const ct_gesture *g, columns *c, ct_error *error) {
  for (uint32_t i = 0; i < g->columns; i++)
    CT_TRY(take_column(file, g, i, c, error));
  if (!c->values[X] || !c->values[Y])
    return ct_fail(error, CT_BAD_VALUE, "%.160s: wants columns x_m and y_m, or x_mm and y_mm", file);
  return CT_OK;
}

/* NaN where there is no number. */
static double cell(const columns *c, int column, uint32_t row) {
  const double *values = c->values[column];
  return values ? c->scale[column] * values[row] : (double)NAN;
}

static ct_result check_row(const char *file, double time_s, uint32_t row, const ct_pen_sample *s,
                           ct_error *error) {
  if (isnan(s->x_m) || isnan(s->y_m) || isnan(s->pressure))
    return ct_fail(error, CT_BAD_VALUE, "%.160s: sample %u (at %g s) lacks a number", file, row, time_s);
  if (!(s->pressure >= 0 && s->pressure <= 1))
    return ct_fail(error, CT_BAD_VALUE,
                   "%.160s: sample %u (at %g s): pressure %g is out of range; wants 0 to 1", file, row,
                   time_s, s->pressure);
  double furthest = fmax(fabs(s->x_m), fabs(s->y_m));
  if (!(furthest <= furthest_m))
    return ct_fail(error, CT_BAD_VALUE,
                   "%.160s: sample %u (at %g s) is %g m away; wants places within %g m (x_mm, y_mm: in mm)",
                   file, row, time_s, furthest, furthest_m);
  if (!(s->time_s <= longest_s))
    return ct_fail(error, CT_BAD_VALUE,
                   "%.160s: sample %u (at %g s) comes %g s after the first; wants recordings within %g s",
                   file, row, time_s, s->time_s, longest_s);
  return CT_OK;
}

/* A device without pressure may say 0 all the time: then it is as if it had said nothing. */
static void fill_pressure(ct_pen_sample *samples, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (samples[i].pressure > 0)
      return;
  for (uint32_t i = 0; i < count; i++)
    samples[i].pressure = usual_pressure;
}

static ct_result take_rows(const char *file, const ct_gesture *g, ct_pen_sample **samples, ct_error *error) {
  columns c = {0};
  ct_result result = CT_OK;
  CT_TRY(find_columns(file, g, &c, error));
  ct_pen_sample *read = calloc(g->rows, sizeof *read);
  if (!read)
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory for the strokes", file);
  for (uint32_t i = 0; result == CT_OK && i < g->rows; i++) {
    read[i] = (ct_pen_sample){.time_s = g->time_s[i] - g->time_s[0],
                              .x_m = cell(&c, X, i),
                              .y_m = cell(&c, Y, i),
                              .pressure = c.values[PRESSURE] ? cell(&c, PRESSURE, i) : usual_pressure};
    result = check_row(file, g->time_s[i], i + 1, &read[i], error);
  }
  fill_pressure(read, result == CT_OK ? g->rows : 0);
  if (result == CT_OK)
    *samples = read;
  else
    free(read);
  return result;
}

ct_result ct_strokes_read(const char *file, ct_pen_sample **samples, size_t *count, ct_error *error) {
  ct_gesture *g = NULL;
  CT_TRY(ct_gesture_read(file, &g, error));
  ct_result result = take_rows(file, g, samples, error);
  *count = result == CT_OK ? g->rows : 0;
  ct_gesture_free(g);
  return result;
}

ct_result ct_strokes_write(const char *file, const ct_pen_sample *samples, size_t count, ct_error *error) {
  static const char *const header[] = {"time_s", "x_m", "y_m", "pressure"};
  ct_table *table = NULL;
  ct_result result = ct_table_open(file, header, 4, &table, error);
  for (size_t i = 0; i < count && result == CT_OK; i++) {
    const double row[] = {samples[i].time_s, samples[i].x_m, samples[i].y_m, samples[i].pressure};
    result = ct_table_write(table, row, error);
  }
  return ct_table_finish(table, result, error);
}
