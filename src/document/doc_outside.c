/* What a document names outside itself, brought by the host. */
#include "base/number.h"
#include "base/text.h"
#include "document/doc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As a table's text, or as numbers that the host has read itself. */
static ct_result read_scan(ct_doc *doc, uint32_t surface, ct_bring *bring, void *context, ct_error *error) {
  const char *file = ct_doc_surface_file(doc, surface), *name = ct_doc_surface_name(doc, surface);
  ct_brought b = {0};
  ct_scan_table scan = {0};
  ct_error inner = {.text = ""};
  ct_result result = bring(context, CT_OUTSIDE_SCAN, file, &b, &inner);
  if (result == CT_OK && b.numbers) {
    if (!b.metres && !ct_doc_surface_has_depth(doc, surface))
      return ct_fail(error, CT_BAD_SCENE, "surface '%s': a sound file has no scale; give depth_m, its rms",
                     name);
    return ct_doc_set_heights(doc, name, b.numbers, b.count, b.step_m, error);
  }
  if (result == CT_OK)
    result = b.text ? ct_scan_table_read(b.name ? b.name : file, b.text, b.length, &scan, &inner)
                    : ct_fail(&inner, CT_BAD_ARGUMENT, "the scan '%.80s' was brought empty", file);
  if (result != CT_OK)
    return ct_fail(error, result, "surface '%s': %.250s", name, inner.text);
  result = ct_doc_set_heights(doc, name, scan.heights, scan.count, scan.step_m, error);
  free(scan.heights);
  return result;
}

/* ---- bodies ---- */

/* Numbers of a node as another one has them, but for what the document itself says. */
static void take_numbers(ct_node *to, const ct_node *from) {
  for (uint32_t slot = 0; slot < CT_FIELDS_MOST; slot++) {
    uint64_t bit = (uint64_t)1 << slot;
    if (!(from->set & bit) || from->text[slot] || ((to->set & bit) && !(to->brought & bit)))
      continue;
    to->number[slot] = from->number[slot];
    to->set |= bit;
    to->brought |= bit;
  }
}

static ct_result out_of_memory(const ct_node *body, ct_error *error) {
  return ct_fail(error, CT_NO_MEMORY, "body '%s': out of memory", body->name);
}

static ct_result take_modes(ct_node *body, const ct_node *from, ct_error *error) {
  const ct_node_list *modes = &from->kids[CT_KIDS_MODES];
  for (uint32_t i = modes->count; i < body->kids[CT_KIDS_MODES].count; i++) {
    ct_node *old = body->kids[CT_KIDS_MODES].items[i];
    old->set &= ~old->brought; /* of another file, read before */
    old->brought = 0;
  }
  ct_node_prune(body);
  for (uint32_t i = 0; i < modes->count; i++) {
    ct_node *mode = ct_node_want_numbered(&body->kids[CT_KIDS_MODES], i, true);
    if (!mode)
      return out_of_memory(body, error);
    take_numbers(mode, modes->items[i]);
  }
  return CT_OK;
}

static bool take_column(ct_node *point, const ct_column *from) {
  const ct_column *own = ct_node_column(point, from->name);
  if (own && !own->brought)
    return true;
  ct_column *to = ct_node_want_column(point, from->name);
  if (!to)
    return false;
  to->brought = true;
  to->count = 0;
  for (uint32_t i = 0; from->values && i < from->count; i++) {
    double *cell = ct_column_want_cell(to, i);
    if (!cell)
      return false;
    *cell = from->values[i];
  }
  return true;
}

static ct_result take_points(ct_node *body, const ct_node *from, ct_error *error) {
  for (uint32_t i = 0; i < from->kids[CT_KIDS_POINTS].count; i++) {
    const ct_node *given = from->kids[CT_KIDS_POINTS].items[i];
    ct_node *point = ct_node_want_named(&body->kids[CT_KIDS_POINTS], given->name, true);
    if (!point)
      return out_of_memory(body, error);
    take_numbers(point, given);
    for (uint32_t k = 0; k < given->column_count; k++)
      if (!take_column(point, &given->columns[k]))
        return out_of_memory(body, error);
  }
  return CT_OK;
}

/* The one body of a file that has modes. */
static const ct_node *body_within(const ct_doc *doc) {
  const ct_node_list *bodies = &doc->root->kids[CT_KIDS_BODIES];
  const ct_node *found = NULL;
  for (uint32_t i = 0; i < bodies->count; i++) {
    if (!bodies->items[i]->kids[CT_KIDS_MODES].count)
      continue;
    if (found)
      return NULL;
    found = bodies->items[i];
  }
  return found;
}

static ct_result set_body(ct_node *body, const char *file, const ct_brought *b, ct_error *error) {
  if (!b->text)
    return ct_fail(error, CT_BAD_ARGUMENT, "the body '%.80s' was brought empty", file);
  ct_doc *doc = ct_doc_create();
  if (!doc)
    return out_of_memory(body, error);
  ct_result result = ct_doc_read_json(doc, b->name ? b->name : file, b->text, b->length, NULL, NULL, error);
  const ct_node *from = result == CT_OK ? body_within(doc) : NULL;
  if (result == CT_OK && !from)
    result = ct_fail(error, CT_BAD_SCENE, "'%.80s' wants one body with a list of modes", file);
  if (from)
    result = take_modes(body, from, error);
  if (from && result == CT_OK)
    result = take_points(body, from, error);
  ct_doc_destroy(doc);
  return result;
}

static ct_result read_body(ct_node *body, const char *file, ct_bring *bring, void *context, ct_error *error) {
  ct_brought brought = {0};
  ct_error inner = {.text = ""};
  ct_result result = bring(context, CT_OUTSIDE_BODY, file, &brought, &inner);
  if (result == CT_OK)
    result = set_body(body, file, &brought, &inner);
  return result == CT_OK ? CT_OK : ct_fail(error, result, "body '%s': %.250s", body->name, inner.text);
}

const char *ct_doc_body_file(const ct_doc *doc, uint32_t body) {
  const ct_node_list *shape = &doc->root->kids[CT_KIDS_BODIES].items[body]->kids[CT_KIDS_SHAPE];
  return shape->count ? ct_node_text(shape->items[0], CT_SHAPE_FIELD_FROM) : "";
}

ct_result ct_doc_read_outside(ct_doc *doc, ct_bring *bring, void *context, ct_error *error) {
  if (!doc || !bring)
    return ct_fail(error, CT_BAD_ARGUMENT, "read outside: a null pointer");
  for (uint32_t i = 0; i < ct_doc_surface_count(doc); i++)
    if (*ct_doc_surface_file(doc, i))
      CT_TRY(read_scan(doc, i, bring, context, error));
  for (uint32_t i = 0; i < ct_doc_body_count(doc); i++)
    if (*ct_doc_body_file(doc, i))
      CT_TRY(read_body(doc->root->kids[CT_KIDS_BODIES].items[i], ct_doc_body_file(doc, i), bring, context,
                       error));
  return CT_OK;
}

/* A gap that went unnoticed would be heard as a blow, so every height must be there. */

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
