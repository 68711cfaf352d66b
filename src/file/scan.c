/* See scan.h. A gap that went unnoticed would be heard as a blow, so every height must be there. */
#include "file/scan.h"
#include "base/text.h"
#include "file/csv.h"
#include "file/text_file.h"

#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

typedef struct table {
  const char *name;
  char *rest; /* what is not read yet; null at the end */
  uint32_t line, columns;
  double first_m, last_m; /* places */
  ct_scan_file *scan;
  ct_error *error;
} table;

static char *next_line(table *t) {
  char *line = t->rest, *end = line ? strchr(line, '\n') : NULL;
  t->rest = end ? end + 1 : NULL;
  if (end)
    *end = 0;
  t->line++;
  return line;
}

static bool is_blank(const char *text) { return text[strspn(text, " \t\r")] == 0; }

/* One number, and what follows it; false when there is none. */
static bool read_number(char **text, double *value) {
  char *end;
  *value = strtod(*text, &end);
  bool found = end != *text && isfinite(*value);
  end += strspn(end, " \t\r");
  *text = end;
  return found && (*end == ',' || *end == 0);
}

/* Columns of a line that holds numbers only; 0: it does not. */
static uint32_t count_numbers(char *line) {
  double ignored;
  for (uint32_t count = 1;; count++) {
    if (!read_number(&line, &ignored))
      return 0;
    if (*line == 0)
      return count;
    line++;
  }
}

/* Even distances: no place may be off by more than a hundredth of a step. */
static ct_result check_place(table *t, double x_m) {
  uint32_t n = t->scan->count;
  if (n == 0)
    t->first_m = x_m;
  else if (n == 1)
    t->scan->step_m = x_m - t->first_m;
  double step = t->scan->step_m;
  if (n && !(step > 0))
    return ct_fail(t->error, CT_BAD_VALUE, "%.120s:%u: x_m does not rise", t->name, t->line);
  if (n > 1 && fabs(x_m - t->last_m - step) > 0.01 * step)
    return ct_fail(t->error, CT_BAD_VALUE,
                   "%.120s:%u: x_m is %g m after a step of %g m; a scan wants even steps without gaps",
                   t->name, t->line, x_m, step);
  t->last_m = x_m;
  return CT_OK;
}

static ct_result read_line(table *t, char *line) {
  double x_m = 0, height;
  bool good = t->columns == 1 || (read_number(&line, &x_m) && *line++ == ',');
  if (!good || !read_number(&line, &height) || *line)
    return ct_fail(t->error, CT_BAD_VALUE, "%.120s:%u: wants %s, a finite number each", t->name, t->line,
                   t->columns == 1 ? "a height" : "x_m and height_m");
  ct_result result = t->columns == 2 ? check_place(t, x_m) : CT_OK;
  if (result == CT_OK)
    t->scan->heights[t->scan->count++] = height;
  return result;
}

static uint32_t count_lines(const char *text) {
  uint32_t lines = 1;
  for (; *text; text++)
    lines += *text == '\n';
  return lines;
}

static ct_result read_table(const char *file, char *text, ct_scan_file *scan, ct_error *error) {
  table t = {.name = file, .rest = text, .scan = scan, .error = error};
  ct_result result = ct_csv_check(file, text, error);
  if (result != CT_OK)
    return result;
  scan->metres = true;
  scan->heights = calloc(count_lines(text), sizeof *scan->heights);
  if (!scan->heights)
    return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory for the scan", file);
  for (char *line; result == CT_OK && (line = next_line(&t));) {
    if (is_blank(line) && (!t.rest || is_blank(t.rest)))
      break;
    if (!t.columns)
      t.columns = count_numbers(line);
    if (t.line == 1 && !t.columns)
      continue; /* a header */
    if (t.columns < 1 || t.columns > 2)
      return ct_fail(error, CT_BAD_VALUE, "%.120s:%u: wants one column of heights, or x_m and height_m", file,
                     t.line);
    result = read_line(&t, line);
  }
  return result;
}

/* ---- sound files ---- */

enum { HEIGHTS_MOST = 1 << 23, CHUNK = 1024 };

static ct_result take_frames(const char *file, SNDFILE *sound, const SF_INFO *info, double *chunk,
                             ct_scan_file *scan, ct_error *error) {
  for (sf_count_t got = 1; got > 0;) {
    sf_count_t left = info->frames - (sf_count_t)scan->count;
    got = sf_readf_double(sound, chunk, left < CHUNK ? left : CHUNK);
    for (sf_count_t i = 0; i < got; i++) {
      double height = chunk[i * info->channels];
      if (!isfinite(height))
        return ct_fail(error, CT_BAD_VALUE, "%.120s: frame %u is not a finite number", file, scan->count);
      scan->heights[scan->count++] = height;
    }
  }
  return CT_OK;
}

static ct_result take_first_channel(const char *file, SNDFILE *sound, const SF_INFO *info, ct_scan_file *scan,
                                    ct_error *error) {
  double *chunk = malloc(sizeof *chunk * CHUNK * (size_t)info->channels);
  scan->heights = malloc(sizeof *scan->heights * (size_t)(info->frames > 0 ? info->frames : 1));
  ct_result result = chunk && scan->heights
                         ? take_frames(file, sound, info, chunk, scan, error)
                         : ct_fail(error, CT_NO_MEMORY, "%.200s: no memory for the scan", file);
  free(chunk);
  return result;
}

static ct_result read_sound(const char *file, ct_scan_file *scan, ct_error *error) {
  SF_INFO info = {0};
  SNDFILE *sound = sf_open(file, SFM_READ, &info);
  if (!sound)
    return ct_fail(error, CT_BAD_PATH, "%.120s: cannot be read as a scan: %.100s", file, sf_strerror(NULL));
  ct_result result = CT_OK;
  if (info.frames > HEIGHTS_MOST)
    result = ct_fail(error, CT_BAD_VALUE, "%.120s: %lld heights; wants at most %d", file,
                     (long long)info.frames, HEIGHTS_MOST);
  else
    result = take_first_channel(file, sound, &info, scan, error);
  sf_close(sound);
  return result;
}

ct_result ct_scan_file_read(const char *file, ct_scan_file *scan, ct_error *error) {
  *scan = (ct_scan_file){0};
  size_t length = strlen(file);
  ct_result result;
  if (length > 4 && strcmp(file + length - 4, ".csv") == 0) {
    char *text;
    size_t bytes;
    if ((result = ct_text_file_read(file, &text, &bytes, error)) != CT_OK)
      return result;
    result = read_table(file, text, scan, error);
    free(text);
  } else
    result = read_sound(file, scan, error);
  if (result != CT_OK) {
    free(scan->heights);
    scan->heights = NULL;
  }
  return result;
}

/* ---- a document's scans ---- */

bool ct_scan_path(const ct_doc *doc, uint32_t surface, const char *folder, char *path, size_t room) {
  const char *file = ct_doc_surface_file(doc, surface);
  int length =
      snprintf(path, room, "%s%s%s", *file == '/' ? "" : folder, *file == '/' || !*folder ? "" : "/", file);
  return *file && length >= 0 && (size_t)length < room;
}

static ct_result read_for(ct_doc *doc, uint32_t surface, const char *folder, ct_error *error) {
  const char *name = ct_doc_surface_name(doc, surface);
  char path[1024];
  if (!ct_scan_path(doc, surface, folder, path, sizeof path))
    return ct_fail(error, CT_BAD_PATH, "surface '%s': the name of its scan is too long", name);
  ct_scan_file scan;
  ct_error inner;
  ct_result result = ct_scan_file_read(path, &scan, &inner);
  if (result != CT_OK)
    return ct_fail(error, result, "surface '%s': %.250s", name, inner.text);
  if (!scan.metres && !ct_doc_surface_has_depth(doc, surface))
    result =
        ct_fail(error, CT_BAD_SCENE, "surface '%s': a sound file has no scale; give depth_m, its rms", name);
  if (result == CT_OK)
    result = ct_doc_set_heights(doc, name, scan.heights, scan.count, scan.step_m, error);
  free(scan.heights);
  return result;
}

ct_result ct_scan_files_read(ct_doc *doc, const char *folder, ct_error *error) {
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < ct_doc_surface_count(doc) && result == CT_OK; i++)
    if (*ct_doc_surface_file(doc, i))
      result = read_for(doc, i, folder, error);
  return result;
}
