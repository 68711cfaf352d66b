/* The folder of a sweep, and what is written into it. */
#ifndef CT_SWEEP_FOLDER_H
#define CT_SWEEP_FOLDER_H

#include "base/number.h"
#include "file/place.h"
#include "file/table.h"
#include "sweep/plan.h"
#include "sweep/sweep.h"

/* What has been made of a sweep so far: a file of records of one size, each in its own place. A record that
 * is not whole, because the process was killed or the power went, is one that is not there; so a sweep goes
 * on where it was, whoever made what in which order. */

enum { CT_SWEEP_WHY_MAX = 200, CT_SWEEP_NAME_MAX = 48, CT_SWEEP_CELLS_MOST = 512 };

/* Who has made the records: those of two makers are not mixed. */
typedef struct ct_sweep_origin {
  char plan[CT_SHA256_TEXT];
  char program[128];      /* version, compiler, C library */
  char instructions[32];  /* "avx2", "portable" */
  uint64_t shard, shards; /* 1 of 1: everything */
  uint64_t count;         /* sounds of the whole plan */
} ct_sweep_origin;

/* Whether both are one; `name` begins the message. [any] */
ct_result ct_sweep_origin_compare(const char *name, const ct_sweep_origin *there,
                                  const ct_sweep_origin *wanted, ct_error *error);

/* Sound `index` of the plan, as it lies in the file. */
typedef struct ct_sweep_row {
  uint64_t check;                    /* of all that follows; never 0: a hole in the file is no row */
  uint64_t index, bytes;             /* bytes of its sound file; 0: has none */
  uint8_t sha256[CT_SHA256_BYTES];   /* of that file */
  char failed[CT_SWEEP_WHY_MAX];     /* "": has not */
  double cells[CT_SWEEP_CELLS_MOST]; /* warnings, the measures of the sound, those of what is watched */
} ct_sweep_row;

uint32_t ct_sweep_cell_count(const ct_sweep_plan *plan); /* [any] */

typedef struct ct_sweep_rows {
  int file; /* -1: none */
  ct_file_path name;
  size_t row_bytes; /* what of a row is in the file */
  ct_sweep_origin origin;
} ct_sweep_rows;

/* Made when it is not there, for rows of so many cells. Refused when somebody else works on it or when its
 * origin is another. [setup] */
ct_result ct_sweep_rows_open(const char *file, const ct_sweep_origin *origin, uint32_t cells,
                             ct_sweep_rows *rows, ct_error *error);
/* For reading alone, whatever its origin is. [setup] */
ct_result ct_sweep_rows_look(const char *file, ct_sweep_rows *rows, ct_error *error);
void ct_sweep_rows_close(ct_sweep_rows *rows);

uint64_t ct_sweep_rows_count(const ct_sweep_rows *rows);                 /* of this shard */
uint64_t ct_sweep_rows_index(const ct_sweep_rows *rows, uint64_t place); /* of the plan */
bool ct_sweep_rows_has(const ct_sweep_rows *rows, uint64_t index);       /* whether it is the shard's */

/* Sets its check. Several threads at once. [setup] */
ct_result ct_sweep_rows_put(const ct_sweep_rows *rows, ct_sweep_row *row, ct_error *error);
/* False: not made yet. [setup] */
bool ct_sweep_rows_get(const ct_sweep_rows *rows, uint64_t index, ct_sweep_row *row);
/* Everything is on the disk. [setup] */
ct_result ct_sweep_rows_sync(const ct_sweep_rows *rows, ct_error *error);

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
