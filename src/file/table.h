/* Writing tables with named columns, row by row: comma-separated with 17 significant digits (every double
 * reads back as it was), or, when the name ends in .npy, a NumPy array whose fields carry the columns' names.
 * Columns are numbers; in a mixed table some are texts. */
#ifndef CT_FILE_TABLE_H
#define CT_FILE_TABLE_H

#include "file/staged.h"
#include <contatto/base.h>

typedef struct ct_table ct_table;

/* [setup] */
ct_result ct_table_open(const char *file, const char *const *columns, uint32_t column_count, ct_table **table,
                        ct_error *error);
/* One value per column. [setup] */
ct_result ct_table_write(ct_table *table, const double *row, ct_error *error);

/* ---- tables with texts ---- */

typedef struct ct_table_column {
  const char *name;
  bool text;
  uint32_t letters; /* of the longest text: a NumPy array wants to know */
} ct_table_column;

typedef struct ct_table_cell {
  double number;
  const char *text; /* UTF-8; null in columns of numbers */
} ct_table_cell;

/* Numbers in the fewest digits that read back as they were. [setup] */
ct_result ct_table_open_mixed(const char *file, const ct_table_column *columns, uint32_t column_count,
                              ct_table **table, ct_error *error);
/* One cell per column. [setup] */
ct_result ct_table_write_mixed(ct_table *table, const ct_table_cell *row, ct_error *error);
/* Letters (Unicode code points) of a UTF-8 text; what is not UTF-8 counts and is written byte by byte. [any]
 */
uint32_t ct_table_letters(const char *text);

/* ---- the end ---- */

/* Complete but not yet in place; what keeps it, alone or with others, null for null; then gone (with the
 * file, if it was not kept). [setup] */
ct_result ct_table_close(ct_table *table, ct_error *error);
ct_staged *ct_table_staged(ct_table *table);
void ct_table_drop(ct_table *table);
/* All three if `result`, of what was written, is good; else it is dropped. Null is fine. [setup] */
ct_result ct_table_finish(ct_table *table, ct_result result, ct_error *error);

#endif
