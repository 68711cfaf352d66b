/* What gestures, strokes and scans have in common as text: lines of cells between commas. */
#ifndef CT_BASE_CSV_H
#define CT_BASE_CSV_H

#include <contatto/base.h>

/* Refused, with what would be right: other marks between cells, and carriage returns alone between lines.
 * [setup] */
ct_result ct_csv_check(const char *file, const char *text, size_t length, ct_error *error);

#endif
