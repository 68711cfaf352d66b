/* The columns of a sweep's table. */
#ifndef CT_SWEEP_COLUMNS_H
#define CT_SWEEP_COLUMNS_H

#include "base/number.h"
#include "file/table.h"
#include "sweep/rows.h"

/* Where a cell comes from. */
typedef enum ct_sweep_source {
  CT_FROM_INDEX,
  CT_FROM_SOUND,
  CT_FROM_PART,
  CT_FROM_SCENE,
  CT_FROM_PRESET,
  CT_FROM_GESTURE,
  CT_FROM_SEED,
  CT_FROM_SET,   /* what varies, */
  CT_FROM_LABEL, /* and its label */
  CT_FROM_CELL,  /* of the row */
  CT_FROM_FAILED
} ct_sweep_source;

typedef struct ct_sweep_column {
  char name[CT_NAME_MAX + 64], unit[CT_NAME_MAX], words[160];
  bool text, log; /* log: its numbers are even on a log scale */
  ct_sweep_source from;
  uint32_t cell;    /* of the row */
  const char *vary; /* name of what varies */
  char printed[CT_NUMBER_ROOM];
} ct_sweep_column;

typedef struct ct_sweep_columns {
  const ct_sweep_plan *plan;
  ct_sweep_column *all;
  uint32_t count;
  ct_table_cell *cells; /* of the row asked for last */
  ct_sweep_point point; /* the same */
  char sound[CT_SWEEP_NAME_MAX];
} ct_sweep_columns;

/* False without memory. Give back in any case. [setup] */
bool ct_sweep_columns_make(const ct_sweep_plan *plan, ct_sweep_columns *columns);
void ct_sweep_columns_free(ct_sweep_columns *columns);

/* One cell per column; valid until the next row, and as long as this one. [setup] */
const ct_table_cell *ct_sweep_columns_row(ct_sweep_columns *columns, const ct_sweep_row *row);

#endif
