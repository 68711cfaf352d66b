/* about.json: what a data set was made from and by, for programs. */
#ifndef CT_SWEEP_ABOUT_H
#define CT_SWEEP_ABOUT_H

#include "sweep/rows.h"
#include "sweep/sweep.h"

/* [setup] */
ct_result ct_sweep_about_write(const char *file, const ct_sweep_plan *plan, const ct_sweep_origin *origin,
                               const ct_sweep_summary *summary, ct_error *error);
/* Whether a complete folder has this origin; fills the summary. [setup] */
ct_result ct_sweep_about_compare(const char *folder, const ct_sweep_origin *origin, ct_sweep_summary *summary,
                                 ct_error *error);
/* How many sounds a complete folder promises: rows, and files of them. [setup] */
ct_result ct_sweep_about_counts(const char *folder, uint64_t *rows, uint64_t *sounds, ct_error *error);

#endif
