/* A scan of a surface as a table: heights along a line. */
#ifndef CT_DOCUMENT_SCAN_TABLE_H
#define CT_DOCUMENT_SCAN_TABLE_H

#include <contatto/base.h>

typedef struct ct_scan_table {
  double *heights; /* free() it */
  uint32_t count;
  double step_m; /* 0: the table does not say */
} ct_scan_table;

/* CSV: one column of heights in metres, or x_m and height_m at even distances; a header line may name them.
 * Refused, with the line: what is not a number, or missing; what is not evenly spaced. `name` is what
 * messages call it. [setup] */
ct_result ct_scan_table_read(const char *name, const char *text, size_t length, ct_scan_table *scan,
                             ct_error *error);

#endif
