/* See scan_table.h. A gap that went unnoticed would be heard as a blow, so every height must be there. */
#include "document/scan_table.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct span {
  const char *at, *end;
} span;

typedef struct reader {
  const char *name;
  span rest; /* what is not read yet; null at the end */
  uint32_t line, columns;
  double first_m, last_m; /* places */
  ct_scan_table *scan;
  ct_error *error;
} reader;

/* ---- lines ---- */

static bool next_line(reader *r, span *line) {
  if (!r->rest.at)
    return false;
  const char *end = memchr(r->rest.at, '\n', (size_t)(r->rest.end - r->rest.at));
  *line = (span){r->rest.at, end ? end : r->rest.end};
  r->rest.at = end ? end + 1 : NULL;
  r->line++;
  return true;
}

static void skip_blanks(span *s) {
  while (s->at < s->end && *s->at && strchr(" \t\r", *s->at))
    s->at++;
}

static bool is_blank(span s) {
  skip_blanks(&s);
  return s.at == s.end;
}

/* One line more, which is blank too, ends a table as well as none. */
static bool is_last(const reader *r) {
  reader ahead = *r;
  span line;
  return !next_line(&ahead, &line) || is_blank(line);
}

/* ---- numbers ---- */

/* One number up to the comma or the end behind it; false when there is none. */
static bool read_number(span *s, double *value) {
  skip_blanks(s);
  size_t used = ct_number_read(s->at, (size_t)(s->end - s->at), value);
  s->at += used;
  skip_blanks(s);
  return used && isfinite(*value) && (s->at == s->end || *s->at == ',');
}

static bool take_comma(span *s) {
  bool there = s->at < s->end && *s->at == ',';
  s->at += there;
  return there;
}

/* Columns of a line that holds numbers only; 0: it does not. */
static uint32_t count_numbers(span line) {
  double ignored;
  uint32_t count = 0;
  do {
    if (!read_number(&line, &ignored))
      return 0;
    count++;
  } while (take_comma(&line));
  return count;
}

/* Even distances: no place may be off by more than a hundredth of a step. */
static ct_result check_place(reader *r, double x_m) {
  uint32_t n = r->scan->count;
  if (n == 0)
    r->first_m = x_m;
  else if (n == 1)
    r->scan->step_m = x_m - r->first_m;
  double step = r->scan->step_m;
  if (n && !(step > 0))
    return ct_fail(r->error, CT_BAD_VALUE, "%.120s:%u: x_m does not rise", r->name, r->line);
  if (n > 1 && fabs(x_m - r->last_m - step) > 0.01 * step)
    return ct_fail(r->error, CT_BAD_VALUE,
                   "%.120s:%u: x_m is %g m after a step of %g m; a scan wants even steps without gaps",
                   r->name, r->line, x_m, step);
  r->last_m = x_m;
  return CT_OK;
}

static ct_result read_line(reader *r, span line) {
  double x_m = 0, height;
  bool good = r->columns == 1 || (read_number(&line, &x_m) && take_comma(&line));
  if (!good || !read_number(&line, &height) || line.at != line.end)
    return ct_fail(r->error, CT_BAD_VALUE, "%.120s:%u: wants %s, a finite number each", r->name, r->line,
                   r->columns == 1 ? "a height" : "x_m and height_m");
  if (r->columns == 2)
    CT_TRY(check_place(r, x_m));
  r->scan->heights[r->scan->count++] = height;
  return CT_OK;
}

/* ---- the table ---- */

static ct_result read_lines(reader *r) {
  for (span line; next_line(r, &line);) {
    if (is_blank(line) && is_last(r))
      break;
    if (!r->columns)
      r->columns = count_numbers(line);
    if (r->line == 1 && !r->columns)
      continue; /* a header */
    if (r->columns < 1 || r->columns > 2)
      return ct_fail(r->error, CT_BAD_VALUE, "%.120s:%u: wants one column of heights, or x_m and height_m",
                     r->name, r->line);
    CT_TRY(read_line(r, line));
  }
  return CT_OK;
}

ct_result ct_scan_table_read(const char *name, const char *text, size_t length, ct_scan_table *scan,
                             ct_error *error) {
  *scan = (ct_scan_table){0};
  reader r = {.name = name, .rest = {text, text + length}, .scan = scan, .error = error};
  CT_TRY(ct_csv_check(name, text, length, error));
  size_t lines = 1;
  for (size_t i = 0; i < length; i++)
    lines += text[i] == '\n';
  scan->heights = calloc(lines, sizeof *scan->heights);
  if (!scan->heights)
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory for the scan", name);
  ct_result result = read_lines(&r);
  if (result != CT_OK) {
    free(scan->heights);
    scan->heights = NULL;
  }
  return result;
}
