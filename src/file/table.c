/* Tables. The number of rows is known only at the end, so a .npy header leaves room for it and is written
 * again then. */
#include "file/table.h"
#include "base/number.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct ct_table {
  ct_staged *staged;
  char *name;
  uint32_t columns;
  uint32_t *letters; /* mixed tables: of each column, 0 for numbers */
  uint64_t rows;
  char *fields; /* .npy: the columns as Python writes them; null: comma-separated */
};

static ct_result cannot_write(const ct_table *t, const char *why, ct_error *error) {
  return ct_fail(error, CT_BAD_FILE, "%.200s: cannot be written: %s", t->name, why);
}

/* ---- .npy ---- */

static char *describe_fields(const ct_table_column *columns, uint32_t count) {
  const char order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '>' : '<';
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  for (uint32_t i = 0; i < count; i++) {
    fputs("('", out);
    for (const char *name = columns[i].name ? columns[i].name : ""; *name; name++)
      fprintf(out, *name == '\'' || *name == '\\' ? "\\%c" : "%c", *name);
    fputc('\'', out);
    if (columns[i].text)
      fprintf(out, ", '%cU%u'), ", order, columns[i].letters ? columns[i].letters : 1);
    else
      fprintf(out, ", '%cf8'), ", order);
  }
  fclose(out);
  return text;
}

/* Format 2.0: magic, version, 4 bytes of length (little endian), a Python dict padded with blanks and one
 * newline so that the numbers start at a multiple of 64. */
static void write_npy_header(const ct_table *t, FILE *out) {
  static const char dict[] = "{'descr': [%s], 'fortran_order': False, 'shape': (%" PRIu64 ",), }";
  enum { PREFIX = 12, ALIGN = 64, ROW_DIGITS = 20 };
  size_t most = (size_t)snprintf(NULL, 0, dict, t->fields, (uint64_t)0) + ROW_DIGITS + 1;
  size_t total = (PREFIX + most + ALIGN - 1) / ALIGN * ALIGN;
  size_t length = total - PREFIX;
  fwrite("\x93NUMPY\x02\x00", 1, 8, out);
  for (int byte = 0; byte < 4; byte++)
    fputc((int)(length >> (8 * byte) & 0xff), out);
  int used = fprintf(out, dict, t->fields, t->rows);
  fprintf(out, "%*s\n", (int)(length - 1) - used, "");
}

/* ---- both ---- */

static void write_csv_text(FILE *out, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"')
      fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

static ct_result no_memory(const char *file, ct_error *error) {
  return ct_fail(error, CT_NO_MEMORY, "%.200s: no memory to write it", file);
}

static ct_result start(ct_table *t, const ct_table_column *columns, ct_error *error) {
  FILE *out = ct_staged_stream(t->staged);
  if (!ct_ends_with(t->name, ".npy")) {
    for (uint32_t i = 0; i < t->columns; i++) {
      fputs(i ? "," : "", out);
      write_csv_text(out, columns[i].name);
    }
    fputc('\n', out);
    return CT_OK;
  }
  t->fields = describe_fields(columns, t->columns);
  if (!t->fields)
    return no_memory(t->name, error);
  write_npy_header(t, out);
  return CT_OK;
}

ct_result ct_table_open_mixed(const char *file, const ct_table_column *columns, uint32_t column_count,
                              ct_table **table, ct_error *error) {
  ct_table *t = calloc(1, sizeof *t);
  uint32_t *letters = calloc((size_t)column_count + 1, sizeof *letters);
  if (!t || !letters || !(t->name = strdup(file))) {
    free(t);
    free(letters);
    return no_memory(file, error);
  }
  t->columns = column_count;
  t->letters = letters;
  for (uint32_t i = 0; i < column_count; i++)
    letters[i] = columns[i].text ? (columns[i].letters ? columns[i].letters : 1) : 0;
  ct_result result = ct_staged_open(file, &t->staged, error);
  if (result == CT_OK)
    result = start(t, columns, error);
  if (result == CT_OK)
    *table = t;
  else
    ct_table_drop(t);
  return result;
}

ct_result ct_table_open(const char *file, const char *const *columns, uint32_t column_count, ct_table **table,
                        ct_error *error) {
  ct_table_column *plain = calloc((size_t)column_count + 1, sizeof *plain);
  if (!plain)
    return no_memory(file, error);
  for (uint32_t i = 0; i < column_count; i++)
    plain[i].name = columns[i];
  ct_result result = ct_table_open_mixed(file, plain, column_count, table, error);
  free(plain);
  return result;
}

static ct_result check_written(const ct_table *t, FILE *out, ct_error *error) {
  return ferror(out) ? cannot_write(t, strerror(errno ? errno : EIO), error) : CT_OK;
}

ct_result ct_table_write(ct_table *t, const double *row, ct_error *error) {
  FILE *out = ct_staged_stream(t->staged);
  errno = 0;
  t->rows++;
  if (t->fields)
    fwrite(row, sizeof *row, t->columns, out);
  else {
    /* With points in numbers, whatever the locale. */
    char text[CT_NUMBER_ROOM + 1];
    for (uint32_t i = 0; i < t->columns; i++) {
      size_t length = ct_number_print(text, row[i], 17);
      text[length++] = i + 1 < t->columns ? ',' : '\n';
      fwrite(text, 1, length, out);
    }
  }
  return check_written(t, out, error);
}

/* ---- texts ---- */

/* The next letter of a UTF-8 text; a byte that does not belong there is a letter of its own. */
static uint32_t next_letter(const unsigned char **text) {
  const unsigned char *c = *text;
  int more = c[0] >= 0xf0 ? 3 : c[0] >= 0xe0 ? 2 : c[0] >= 0xc0 ? 1 : 0;
  uint32_t letter = more ? c[0] & (0x3fu >> more) : c[0];
  for (int i = 1; i <= more; i++) {
    if ((c[i] & 0xc0) != 0x80) {
      *text = c + 1;
      return c[0];
    }
    letter = letter << 6 | (c[i] & 0x3fu);
  }
  *text = c + 1 + more;
  return letter;
}

uint32_t ct_table_letters(const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  uint32_t count = 0;
  for (; *at; count++)
    next_letter(&at);
  return count;
}

/* NumPy keeps each letter in four bytes, and fills up with zeros. */
static void write_npy_text(FILE *out, const char *text, uint32_t letters) {
  const unsigned char *at = (const unsigned char *)text;
  for (uint32_t i = 0; i < letters; i++) {
    uint32_t letter = *at ? next_letter(&at) : 0;
    fwrite(&letter, sizeof letter, 1, out);
  }
}

ct_result ct_table_write_mixed(ct_table *t, const ct_table_cell *row, ct_error *error) {
  FILE *out = ct_staged_stream(t->staged);
  errno = 0;
  t->rows++;
  for (uint32_t i = 0; i < t->columns; i++) {
    if (!t->fields)
      fputs(i ? "," : "", out);
    if (t->letters[i] && t->fields)
      write_npy_text(out, row[i].text, t->letters[i]);
    else if (t->letters[i])
      write_csv_text(out, row[i].text);
    else if (t->fields)
      fwrite(&row[i].number, sizeof row[i].number, 1, out);
    else {
      char text[CT_NUMBER_ROOM];
      fwrite(text, 1, ct_number_print(text, row[i].number, ct_number_digits(row[i].number)), out);
    }
  }
  if (!t->fields)
    fputc('\n', out);
  return check_written(t, out, error);
}

ct_result ct_table_close(ct_table *t, ct_error *error) {
  FILE *out = ct_staged_stream(t->staged);
  if (out && t->fields) {
    errno = 0;
    if (fseeko(out, 0, SEEK_SET) != 0)
      return cannot_write(t, strerror(errno), error);
    write_npy_header(t, out);
  }
  return ct_staged_close(t->staged, error);
}

ct_staged *ct_table_staged(ct_table *t) { return t ? t->staged : NULL; }

void ct_table_drop(ct_table *t) {
  if (!t)
    return;
  ct_staged_drop(t->staged);
  free(t->letters);
  free(t->fields);
  free(t->name);
  free(t);
}

ct_result ct_table_finish(ct_table *t, ct_result result, ct_error *error) {
  if (result == CT_OK)
    result = ct_table_close(t, error);
  if (result == CT_OK)
    result = ct_staged_keep(t->staged, error);
  ct_table_drop(t);
  return result;
}
