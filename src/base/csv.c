/* Spreadsheets of some countries write semicolons (and commas in numbers); old ones end lines with a carriage
 * return. */
#include "base/csv.h"
#include "base/text.h"

#include <string.h>

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
