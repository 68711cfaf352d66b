/* Parts of `contatto sweep`. */
#ifndef CT_CLI_SWEEP_H
#define CT_CLI_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

/* What was asked for. */
typedef struct sweep_job {
  const char **words; /* the plan, or folders; null behind the last */
  uint32_t word_count;
  const char *out, *shard_text, *hosts;
  char jobs_text[32]; /* " --jobs 4", or "" */
  uint64_t jobs, shard, shards, job_shards;
  bool dry_run, portable, check, merge, slurm;
} sweep_job;

/* An exit code of its own: everything was made, and some sounds are rows that say why there are none. */
enum { SWEEP_SOME_FAILED = 3 };

/* --dry-run: what the plan would make. Returns an exit code. */
int sweep_tell(const sweep_job *job);
/* --parallel, --slurm: a file of jobs, and what to type. Returns an exit code. */
int sweep_write_jobs(const sweep_job *job);

#endif
