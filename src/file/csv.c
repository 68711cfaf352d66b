/* Spreadsheets of some countries write semicolons (and commas in numbers); old ones end lines with a carriage
 * return. */
#include "file/csv.h"
#include "base/text.h"

#include <string.h>

ct_result ct_csv_check(const char *file, const char *text, ct_error *error) {
  const char *end = strpbrk(text, "\r\n");
  if (end && *end == '\r' && !strchr(text, '\n'))
    return ct_fail(error, CT_BAD_VALUE, "%.160s: lines end with carriage returns alone; wants line feeds",
                   file);
  size_t first = strcspn(text, "\r\n");
  if (memchr(text, ',', first) && !memchr(text, ';', first))
    return CT_OK;
  if (memchr(text, ';', first))
    return ct_fail(error, CT_BAD_VALUE,
                   "%.160s:1: semicolons between cells; wants commas, and points in numbers", file);
  if (memchr(text, '\t', first))
    return ct_fail(error, CT_BAD_VALUE, "%.160s:1: tabs between cells; wants commas", file);
  return CT_OK;
}
