/* The folder of a sweep, and what is written into it. */
#ifndef CT_SWEEP_FOLDER_H
#define CT_SWEEP_FOLDER_H

#include "sweep/rows.h"
#include "sweep/sweep.h"

enum { CT_SWEEP_NAME_MAX = 48 };

/* "sounds/000/000123.wav"; "" when the plan keeps none. [any] */
void ct_sweep_sound_name(const ct_sweep_plan *plan, uint64_t index, char name[CT_SWEEP_NAME_MAX]);
/* A file of the folder; free() it. [setup] */
char *ct_sweep_in(const char *folder, const char *name);

/* folder.c: nothing is there, or a sweep of the same plan. [setup] */
ct_result ct_sweep_folder_check(const ct_sweep_def *def, ct_error *error);
/* The folder with the plan and its inputs in it. [setup] */
ct_result ct_sweep_folder_make(const ct_sweep_def *def, ct_error *error);
bool ct_sweep_folder_complete(const char *folder); /* [setup] */
/* Copies a file, and gives its hash; it appears when it is complete. [setup] */
ct_result ct_sweep_copy(const char *from, const char *to, uint8_t digest[CT_SHA256_BYTES], ct_error *error);

/* run.c: opens the folder, does `job` for every row that is not there, and finishes it. */
typedef ct_result ct_sweep_job(void *context, uint64_t index, ct_sweep_rows *rows, ct_error *error);
ct_result ct_sweep_fill(const ct_sweep_def *def, const ct_sweep_origin *origin, ct_sweep_job *job,
                        void *context, ct_sweep_summary *summary, ct_error *error);

/* finish.c: tables, descriptions, pictures, hashes. [setup] */
ct_result ct_sweep_finish(const ct_sweep_def *def, const ct_sweep_rows *rows, ct_sweep_summary *summary,
                          ct_error *error);

#endif
