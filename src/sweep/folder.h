/* The folder of a sweep, and what is written into it. */
#ifndef CT_SWEEP_FOLDER_H
#define CT_SWEEP_FOLDER_H

#include "base/number.h"
#include "file/table.h"
#include "sweep/rows.h"
#include "sweep/sweep.h"

/* ---- folder.c ---- */

/* "sounds/000/000123.wav"; "" when the plan keeps none. [any] */
void ct_sweep_sound_name(const ct_sweep_plan *plan, uint64_t index, char name[CT_SWEEP_NAME_MAX]);
/* Nothing is there, or a sweep of the same plan. [setup] */
ct_result ct_sweep_folder_check(const ct_sweep_def *def, ct_error *error);
/* The folder with the plan and its inputs in it. [setup] */
ct_result ct_sweep_folder_make(const ct_sweep_def *def, ct_error *error);
bool ct_sweep_folder_complete(const char *folder); /* [setup] */
/* A file of a folder, whose own folder is made where it is missing. [setup] */
ct_result ct_sweep_prepare_file(const char *folder, const char *name, ct_file_path *file, ct_error *error);
/* Copies a file, and gives its hash; it appears when it is complete. [setup] */
ct_result ct_sweep_copy(const char *from, const char *to, uint8_t digest[CT_SHA256_BYTES], ct_error *error);

/* ---- run.c ---- */

/* Opens the folder, does `job` for every row that is not there, and finishes it. [setup] */
typedef ct_result ct_sweep_job(void *context, uint64_t index, const ct_sweep_rows *rows, ct_error *error);
ct_result ct_sweep_fill(const ct_sweep_def *def, const ct_sweep_origin *origin, ct_sweep_job *job,
                        void *context, ct_sweep_summary *summary, ct_error *error);

/* ---- columns.c: the columns of the table ---- */

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

/* ---- finish.c ---- */

/* Tables, descriptions, pictures, hashes. [setup] */
ct_result ct_sweep_finish(const ct_sweep_def *def, const ct_sweep_rows *rows, ct_sweep_summary *summary,
                          ct_error *error);

/* ---- pictures.c ---- */

/* histograms.png and contact.png; wants gnuplot and a sound that did not fail. [setup] */
ct_result ct_sweep_draw(const ct_sweep_def *def, const ct_sweep_rows *rows, ct_sweep_columns *columns,
                        ct_error *error);

/* ---- about.c: about.json, for programs: what a data set was made from and by ---- */

/* [setup] */
ct_result ct_sweep_about_write(const char *folder, const ct_sweep_plan *plan, const ct_sweep_origin *origin,
                               const ct_sweep_summary *summary, ct_error *error);
/* Whether a complete folder has this origin; fills the summary. [setup] */
ct_result ct_sweep_about_compare(const char *folder, const ct_sweep_origin *origin, ct_sweep_summary *summary,
                                 ct_error *error);
/* How many sounds a complete folder promises: rows, and files of them. [setup] */
ct_result ct_sweep_about_counts(const char *folder, uint64_t *rows, uint64_t *sounds, ct_error *error);

#endif
