/* Sweeps: the sounds of a plan into a folder that others can use as a data set.
 *
 * DIR/plan.json        the plan, byte by byte, and beside it the files that it names
 * DIR/sounds/NNN/...   a sound file per row that has one
 * DIR/table.csv .npy   a row per sound in the plan's order: what was set, and all measures
 * DIR/columns.csv      what each column is, with its unit
 * DIR/README.md about.json histograms.png contact.png
 * DIR/SHA256SUMS       of all of these; written last, so that it marks what is complete
 * DIR/rows.bin         what has been made so far, until all is; of a shard, which is to be merged, for good
 *
 * No byte depends on how many jobs or shards there were, on how often it was interrupted or on the time of
 * day.
 */
#ifndef CT_SWEEP_SWEEP_H
#define CT_SWEEP_SWEEP_H

#include "sweep/plan.h"

/* So many of `count` are done now, `before` of them by earlier runs. */
typedef void ct_sweep_progress(void *context, uint64_t done, uint64_t before, uint64_t count);

typedef struct ct_sweep_def {
  const ct_sweep_plan *plan;
  const char *folder;
  uint32_t jobs;               /* threads; 0: as many as there are cores */
  uint64_t shard, shards;      /* 1 of 1: everything */
  const char *program;         /* version, compiler, C library: what the bytes depend on, */
  const char *instructions;    /* and the instruction set */
  ct_sweep_progress *progress; /* may be null; called under a lock */
  void *context;
} ct_sweep_def;

typedef struct ct_sweep_summary {
  uint64_t count, made, failed; /* sounds: in all, by this run, of all */
  uint64_t built, reused;       /* scenes, by this run */
  bool pictures;                /* false: there is no gnuplot */
} ct_sweep_summary;

/* Bytes that its sounds and rows will take at most. [any] */
double ct_sweep_bytes(const ct_sweep_plan *plan, uint64_t shards);

/* Makes what is not there yet. Refused, with nothing written, when the folder holds anything else or the disk
 * has no room. [setup] */
ct_result ct_sweep_run(const ct_sweep_def *def, ct_sweep_summary *summary, ct_error *error);

/* The numbers of every sound, without a folder: a row of ct_sweep_cell_count() for each. A sound that fails
 * is an error. [setup] */
ct_result ct_sweep_measure(const ct_sweep_plan *plan, double *cells, ct_error *error);

/* All shards of a plan as one folder, the same as one run would have made. [setup] */
ct_result ct_sweep_merge(const char *const *shards, uint32_t count, const char *folder,
                         ct_sweep_progress *progress, void *context, ct_sweep_summary *summary,
                         ct_error *error);

/* Whether a folder is complete and every file in it as it was made; *files and *sounds become how many there
 * are. [setup] */
ct_result ct_sweep_check(const char *folder, uint64_t *files, uint64_t *sounds, ct_error *error);

#endif
