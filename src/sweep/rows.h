/* What has been made of a sweep so far: a file of records of one size, each in its own place. A record that
 * is not whole, because the process was killed or the power went, is one that is not there; so a sweep goes
 * on where it was, whoever made what in which order. */
#ifndef CT_SWEEP_ROWS_H
#define CT_SWEEP_ROWS_H

#include "file/place.h"
#include "sweep/plan.h"

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

#endif
