/* The columns of a sweep's table. */
#ifndef CT_SWEEP_COLUMNS_H
#define CT_SWEEP_COLUMNS_H

#include "file/table.h"
#include "sweep/rows.h"

typedef struct ct_sweep_columns ct_sweep_columns;

/* Null without memory. [setup] */
ct_sweep_columns *ct_sweep_columns_create(const ct_sweep_plan *plan);
void ct_sweep_columns_destroy(ct_sweep_columns *columns); /* null is fine */

typedef struct ct_sweep_column {
  const char *name, *unit, *words;
  bool text;
  bool log; /* its numbers are even on a log scale */
} ct_sweep_column;

uint32_t ct_sweep_columns_count(const ct_sweep_columns *columns);
ct_sweep_column ct_sweep_columns_at(const ct_sweep_columns *columns, uint32_t index);

/* One cell per column; valid until the next row. [setup] */
const ct_table_cell *ct_sweep_columns_row(ct_sweep_columns *columns, const ct_sweep_row *row);

#endif
