/* Gesture files. The text is cut in place; column names stay pointers into it. */
#include "base/number.h"
#include "base/text.h"
#include "file/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 1024, CELLS_MOST = 1 << 24 };

typedef struct gesture_file {
  ct_gesture shown; /* first, so that a pointer to it is a pointer to all */
  const char *name;
  char *text, *rest; /* rest: what is not read yet; null at the end */
  uint32_t line;
  uint32_t cells;     /* per row, time_s included */
  uint32_t time_cell; /* which of them is time_s */
  uint32_t room;      /* rows */
  char **paths;
  double *time_s, *numbers, **values;
  ct_error *error;
} gesture_file;

/* ---- lines and cells ---- */

static bool is_blank(char c) { return c && strchr(" \t\r\n\v\f", c); }

static char *trim(char *text) {
  while (is_blank(*text))
    text++;
  size_t length = strlen(text);
  while (length && is_blank(text[length - 1]))
    text[--length] = 0;
  if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
    text[length - 1] = 0;
    text++;
  }
  return text;
}

/* The next line that is not blank, or null. */
static char *next_line(gesture_file *g) {
  while (g->rest) {
    char *line = g->rest, *end = strchr(line, '\n');
    g->rest = end ? end + 1 : NULL;
    if (end)
      *end = 0;
    g->line++;
    if (line[strspn(line, " \t\r")])
      return line;
  }
  return NULL;
}

static char *next_cell(char **line) {
  char *cell = *line, *end = cell + strcspn(cell, ",");
  *line = *end ? end + 1 : end;
  *end = 0;
  return trim(cell);
}

static uint32_t count_of(const char *text, char wanted) {
  uint32_t count = 0;
  for (; *text; text++)
    count += *text == wanted;
  return count;
}

/* ---- the header ---- */

/* Before memory is taken for it. */
static ct_result check_size(gesture_file *g, const char *header) {
  g->cells = count_of(header, ',') + 1;
  g->room = (g->rest ? count_of(g->rest, '\n') : 0) + 1;
  if (g->cells > COLUMNS_MOST)
    return ct_fail(g->error, CT_BAD_VALUE, "%.120s:%u: %u columns; wants at most %d", g->name, g->line,
                   g->cells, COLUMNS_MOST);
  if ((uint64_t)g->cells * g->room > CELLS_MOST)
    return ct_fail(g->error, CT_BAD_VALUE, "%.120s: %u lines of %u cells; wants at most %d cells in all",
                   g->name, g->room, g->cells, CELLS_MOST);
  return CT_OK;
}

static bool make_room(gesture_file *g) {
  g->paths = calloc(g->cells, sizeof *g->paths);
  g->values = calloc(g->cells, sizeof *g->values);
  g->time_s = calloc(g->room, sizeof *g->time_s);
  g->numbers = calloc((size_t)g->room * g->cells, sizeof *g->numbers);
  if (!g->paths || !g->values || !g->time_s || !g->numbers)
    return false;
  for (uint32_t c = 0; c < g->cells; c++)
    g->values[c] = g->numbers + (size_t)c * g->room;
  return true;
}

static ct_result refuse_name(const gesture_file *g, uint32_t cell, const char *what) {
  return ct_fail(g->error, CT_BAD_VALUE, "%.120s:%u: column %u: %s", g->name, g->line, cell + 1, what);
}

static ct_result read_header(gesture_file *g) {
  char *line = next_line(g);
  bool timed = false;
  if (!line)
    return ct_fail(g->error, CT_BAD_VALUE, "%.200s: empty; wants a header row with time_s and controls",
                   g->name);
  CT_TRY(check_size(g, line));
  if (!make_room(g))
    return ct_fail(g->error, CT_NO_MEMORY, "%.200s: no memory for the gesture", g->name);
  for (uint32_t c = 0; c < g->cells; c++) {
    char *name = next_cell(&line);
    if (!*name)
      return refuse_name(g, c, "has no name; wants time_s, a control or a path");
    for (uint32_t k = 0; k < g->shown.columns; k++)
      if (g->paths[k] && strcmp(g->paths[k], name) == 0)
        return refuse_name(g, c, "has the name of an earlier column");
    bool is_time = strcmp(name, "time_s") == 0;
    if (is_time && timed)
      return refuse_name(g, c, "is a second time_s");
    if (is_time)
      g->time_cell = c;
    else
      g->paths[g->shown.columns++] = name;
    timed |= is_time;
  }
  if (!timed)
    return ct_fail(g->error, CT_BAD_VALUE, "%.120s:%u: no column is called time_s", g->name, g->line);
  return CT_OK;
}

/* ---- the rows ---- */

static ct_result refuse_cell(const gesture_file *g, uint32_t cell, const char *text, const char *what) {
  uint32_t column = cell - (cell > g->time_cell);
  const char *name = cell == g->time_cell ? "time_s" : g->paths[column];
  return ct_fail(g->error, CT_BAD_VALUE, "%.120s:%u: column %u (%.60s): '%.30s' %s", g->name, g->line,
                 cell + 1, name, text, what);
}

static ct_result read_time(gesture_file *g, uint32_t cell, const char *text, double value) {
  uint32_t row = g->shown.rows;
  if (!*text || value < 0)
    return refuse_cell(g, cell, text, "is not a time; wants seconds from 0 on");
  if (row && value <= g->time_s[row - 1])
    return refuse_cell(g, cell, text, "does not come after the row before; times must rise");
  g->time_s[row] = value;
  return CT_OK;
}

static ct_result read_cell(gesture_file *g, uint32_t cell, const char *text) {
  double value = 0;
  if (*text && (!ct_number_typed(text, &value) || !isfinite(value)))
    return refuse_cell(g, cell, text, "is not a finite number");
  if (cell == g->time_cell)
    return read_time(g, cell, text, value);
  g->values[cell - (cell > g->time_cell)][g->shown.rows] = *text ? value : (double)NAN;
  return CT_OK;
}

static ct_result read_row(gesture_file *g, char *line) {
  uint32_t cells = count_of(line, ',') + 1;
  if (cells != g->cells)
    return ct_fail(g->error, CT_BAD_VALUE, "%.120s:%u: has %u cells; the header has %u", g->name, g->line,
                   cells, g->cells);
  for (uint32_t c = 0; c < cells; c++)
    CT_TRY(read_cell(g, c, next_cell(&line)));
  g->shown.rows++;
  return CT_OK;
}

static ct_result read_gesture(gesture_file *g) {
  g->rest = g->text;
  CT_TRY(ct_csv_check(g->name, g->text, strlen(g->text), g->error));
  CT_TRY(read_header(g));
  for (char *line; (line = next_line(g));)
    CT_TRY(read_row(g, line));
  g->shown.time_s = g->time_s;
  g->shown.paths = (const char *const *)g->paths;
  g->shown.values = (const double *const *)g->values;
  return g->shown.rows ? CT_OK : ct_fail(g->error, CT_BAD_VALUE, "%.200s: has a header but no rows", g->name);
}

ct_result ct_gesture_read(const char *file, ct_gesture **gesture, ct_error *error) {
  gesture_file *g = calloc(1, sizeof *g);
  size_t length;
  if (!g)
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory for the gesture", file);
  g->name = file;
  g->error = error;
  ct_result result = ct_text_file_read(file, &g->text, &length, error);
  if (result == CT_OK)
    result = read_gesture(g);
  if (result == CT_OK)
    *gesture = &g->shown;
  else
    ct_gesture_free(&g->shown);
  return result;
}

void ct_gesture_free(ct_gesture *gesture) {
  gesture_file *g = (gesture_file *)(void *)gesture;
  if (!g)
    return;
  free(g->paths);
  free(g->values);
  free(g->time_s);
  free(g->numbers);
  free(g->text);
  free(g);
}
