/* contatto sweep --parallel and --slurm: a sweep as a file of jobs for engines that schedule, copy and retry;
 * a shard is a plain command. */
#include "base/text.h"
#include "file/staged.h"
#include "hosts/cli/cli.h"
#include "hosts/cli/sweep.h"
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

enum { SHARDS_PER_HOST = 4, SHARDS_OF_SLURM = 16 };

/* Whatever it holds, one word for a shell. */
static void put_word(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text; text++)
    fputs(*text == '\'' ? "'\\''" : (char[]){*text, 0}, out);
  fputc('\'', out);
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* ---- GNU parallel ---- */

/* Hosts have a folder of their own: the plan and its files go there, the shard's folder comes back. GNU
 * parallel's log of jobs is no help for going on: a host that is lost after its work and before the return
 * has ended well there. So the shards themselves are looked at. */
static void put_parallel(FILE *out, const sweep_job *j, const ct_sweep_plan *plan, uint64_t shards) {
  const unsigned long long n = shards;
  fprintf(out,
          "#!/bin/sh\n"
          "# Written by contatto sweep --parallel. Run it again when a host was lost: shards that are here "
          "are kept.\n"
          "# Wants GNU parallel and rsync here, contatto and rsync on the hosts.\n"
          "set -eu\ncd \"$(dirname \"$0\")\"\ncontatto=${CONTATTO:-contatto}\n"
          "for shard in $(seq %llu); do\n"
          "  \"$contatto\" sweep --check %s.shard-$shard-of-%llu >/dev/null 2>&1 || echo $shard\n"
          "done | parallel --jobs 1 --retries 3 --sshlogin ",
          n, j->out, n);
  put_word(out, j->hosts);
  fputs(" --workdir ... \\\n  --transferfile ", out);
  put_word(out, name_of(plan->file));
  for (uint32_t i = 0; i < plan->input_count; i++)
    if (plan->inputs[i].file) {
      fputs(" --transferfile ", out);
      put_word(out, plan->inputs[i].name);
    }
  fprintf(out, " --return %s.shard-{}-of-%llu --cleanup \\\n  \"$contatto\" sweep \"", j->out, n);
  put_word(out, name_of(plan->file));
  fprintf(out, "\" -o %s.shard-{}-of-%llu --shard {}/%llu%s%s '||' '[ $? -eq %d ]'\n", j->out, n, n,
          j->portable ? " --portable" : "", j->jobs_text, SWEEP_SOME_FAILED);
  fprintf(out, "\"$contatto\" sweep --merge %s.shard-*-of-%llu -o %s\n", j->out, n, j->out);
}

/* ---- Slurm ---- */

/* A job array on a file system that all nodes share. */
static void put_slurm(FILE *out, const sweep_job *j, const ct_sweep_plan *plan, uint64_t shards) {
  fprintf(out,
          "#!/bin/sh\n"
          "# Written by contatto sweep --slurm. A task that is run again goes on where it was.\n"
          "#SBATCH --job-name=contatto-sweep\n#SBATCH --array=1-%llu\n#SBATCH --ntasks=1\n"
          "#SBATCH --requeue\n#SBATCH --output=%s.slurm-%%a.log\n"
          "cd \"$SLURM_SUBMIT_DIR\"\nshard=$SLURM_ARRAY_TASK_ID\n\"${CONTATTO:-contatto}\" sweep ",
          (unsigned long long)shards, j->out);
  put_word(out, name_of(plan->file));
  fprintf(
      out,
      " -o %s.shard-$shard-of-%llu --shard $shard/%llu --jobs \"${SLURM_CPUS_PER_TASK:-1}\"%s || [ $? -eq %d "
      "]\n",
      j->out, (unsigned long long)shards, (unsigned long long)shards, j->portable ? " --portable" : "",
      SWEEP_SOME_FAILED);
}

/* ---- both ---- */

static uint64_t count_hosts(const char *hosts) {
  uint64_t count = 1;
  for (; *hosts; hosts++)
    count += *hosts == ',';
  return count;
}

typedef struct job_text {
  const sweep_job *job;
  const ct_sweep_plan *plan;
  uint64_t shards;
} job_text;

static ct_result put_jobs(FILE *out, const void *context, ct_error *error) {
  const job_text *t = context;
  (void)error;
  (t->job->slurm ? put_slurm : put_parallel)(out, t->job, t->plan, t->shards);
  return CT_OK;
}

/* The job file lies beside the plan: it is run there, and so are the shards. */
static char *job_file(const sweep_job *j, const ct_sweep_plan *plan) {
  const int folder = (int)(name_of(plan->file) - plan->file);
  const size_t room = (size_t)folder + strlen(j->out) + 32;
  char *file = malloc(room);
  if (file)
    snprintf(file, room, "%.*s%s.%s.sh", folder, plan->file, j->out, j->slurm ? "slurm" : "parallel");
  return file;
}

static void tell(const sweep_job *j, const ct_sweep_plan *plan, const char *file, uint64_t shards) {
  const int folder = (int)(name_of(plan->file) - plan->file);
  printf("%s: %llu sounds in %llu shards. Now type\n\n", file, (unsigned long long)plan->count,
         (unsigned long long)shards);
  if (folder)
    printf("    cd %.*s\n", folder, plan->file);
  if (!j->slurm) {
    printf("    sh %s\n\nand the same again if a host was lost; %s is the merged data set.\n", name_of(file),
           j->out);
    return;
  }
  printf(
      "    sbatch %s\n    squeue --me\n    contatto sweep --merge %s.shard-*-of-%llu -o %s\n\n"
      "the last when all tasks are done; tasks that failed: sbatch --array=3,7 %s goes on where they were.\n",
      name_of(file), j->out, (unsigned long long)shards, j->out, name_of(file));
}

int sweep_write_jobs(const sweep_job *j) {
  ct_error error = {.text = ""};
  ct_sweep_plan *plan = NULL;
  char *file = NULL;
  ct_result result = ct_sweep_plan_read(j->words[0], &plan, &error);
  uint64_t shards = j->job_shards ? j->job_shards
                    : j->slurm    ? SHARDS_OF_SLURM
                                  : SHARDS_PER_HOST * count_hosts(j->hosts);
  if (result == CT_OK) {
    shards = shards < plan->count ? shards : plan->count;
    file = job_file(j, plan);
    result = file ? ct_staged_write(file, put_jobs, &(job_text){j, plan, shards}, &error)
                  : ct_fail(&error, CT_NO_MEMORY, "no memory");
  }
  if (result == CT_OK)
    tell(j, plan, file, shards);
  ct_sweep_plan_free(plan);
  free(file);
  return result == CT_OK ? CLI_OK : cli_fail("sweep", "%s", error.text);
}
