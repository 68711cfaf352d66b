/* One-line errors and small text work. Nothing here runs on the audio thread. */
#include "base/text.h"

#include <string.h>

ct_result(ct_fail)(ct_error *error, ct_result code, const char *format, ...) {
  if (!error)
    return code;
  error->code = code;
  va_list arguments;
  va_start(arguments, format);
  ct_format_list(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return code;
}

/* Dots and brackets separate path words, so a name may not carry them; nor may it be a number. */
static bool name_character(char c) {
  return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool ct_copy_name(char field[CT_NAME_MAX], const char *name) {
  uint32_t index;
  if (!name || !*name || strlen(name) >= CT_NAME_MAX || ct_parse_index(name, &index))
    return false;
  for (const char *c = name; *c; c++)
    if (!name_character(*c))
      return false;
  ct_put_name(field, name);
  return true;
}

void ct_put_name(char field[CT_NAME_MAX], const char *name) {
  memset(field, 0, CT_NAME_MAX);
  memcpy(field, name, strlen(name));
}

bool ct_ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), last = strlen(end);
  return length >= last && strcmp(text + length - last, end) == 0;
}

uint32_t ct_edit_distance(const char *a, const char *b) {
  enum { MOST = 64 };
  uint32_t row[MOST + 1];
  size_t la = strlen(a), lb = strlen(b);
  if (la > MOST || lb > MOST)
    return MOST;
  for (size_t j = 0; j <= lb; j++)
    row[j] = (uint32_t)j;
  for (size_t i = 1; i <= la; i++) {
    uint32_t diagonal = row[0];
    row[0] = (uint32_t)i;
    for (size_t j = 1; j <= lb; j++) {
      uint32_t best = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      if (row[j] + 1 < best)
        best = row[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[lb];
}

int ct_choice_index(const char *choices, const char *word) {
  size_t length = strlen(word);
  int index = 0;
  for (const char *at = choices; *at; index++) {
    size_t span = strcspn(at, "|");
    if (span == length && memcmp(at, word, span) == 0)
      return index;
    at += span;
    at += *at == '|';
  }
  return -1;
}

void ct_choice_word(const char *choices, int index, char *word, size_t size) {
  const char *at = choices;
  for (; index > 0 && *at; index--) {
    at += strcspn(at, "|");
    at += *at == '|';
  }
  size_t span = strcspn(at, "|");
  if (span >= size)
    span = size - 1;
  memcpy(word, at, span);
  word[span] = 0;
}

bool ct_parse_index(const char *text, uint32_t *index) {
  uint32_t value = 0;
  if (!*text)
    return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9')
      return false;
    value = value * 10 + (uint32_t)(*text - '0');
    if (value > UINT16_MAX)
      return false;
  }
  *index = value;
  return true;
}

/* Spreadsheets of some countries write semicolons (and commas in numbers); old ones end lines with a carriage
 * return. */
ct_result ct_csv_check(const char *file, const char *text, size_t length, ct_error *error) {
  size_t first = 0;
  while (first < length && text[first] != '\r' && text[first] != '\n')
    first++;
  if (first < length && text[first] == '\r' && !memchr(text, '\n', length))
    return ct_fail(error, CT_BAD_VALUE, "%.160s: lines end with carriage returns alone; wants line feeds",
                   file);
  if (memchr(text, ';', first))
    return ct_fail(error, CT_BAD_VALUE,
                   "%.160s:1: semicolons between cells; wants commas, and points in numbers", file);
  if (!memchr(text, ',', first) && memchr(text, '\t', first))
    return ct_fail(error, CT_BAD_VALUE, "%.160s:1: tabs between cells; wants commas", file);
  return CT_OK;
}
