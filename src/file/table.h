/* Writing tables of numbers with named columns, row by row: comma-separated with 17 significant digits (every
 * double reads back as it was), or, when the name ends in .npy, a NumPy array whose fields carry the columns'
 * names. */
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

/* Complete but not yet in place; then in place; then gone (with the file, if it was not kept). [setup] */
ct_result ct_table_close(ct_table *table, ct_error *error);
ct_result ct_table_keep(ct_table *table, ct_error *error);
ct_staged *ct_table_staged(ct_table *table); /* to be kept together with others; null for null */
void ct_table_drop(ct_table *table);

#endif
