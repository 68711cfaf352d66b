/* contatto sweep: the sounds of a plan, thousands of them, on one machine or many. */
#include "hosts/cli/sweep.h"
#include "base/text.h"
#include "hosts/cli/bench.h"
#include "hosts/cli/cli.h"
#include "sweep/sweep.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHARDS_MOST = 100000 };

/* ---- progress ---- */

/* A line that is overwritten on a terminal; elsewhere, in a log, a line now and then. */
typedef struct progress {
  struct timespec start, shown;
  bool terminal, visible;
} progress;

static void write_time(char *text, size_t size, double seconds) {
  const unsigned long s = (unsigned long)seconds;
  if (s < 100)
    snprintf(text, size, "%lu s", s);
  else if (s < 6000)
    snprintf(text, size, "%lu min %02lu s", s / 60, s % 60);
  else
    snprintf(text, size, "%lu h %02lu min", s / 3600, s / 60 % 60);
}

static void show_progress(void *context, uint64_t done, uint64_t before, uint64_t count) {
  progress *p = context;
  char left[48];
  const double seconds = cli_seconds_since(&p->start);
  if (seconds < 1 || cli_seconds_since(&p->shown) < (p->terminal ? 0.2 : 10))
    return;
  clock_gettime(CLOCK_MONOTONIC, &p->shown);
  const double rate = (double)(done - before) / seconds;
  write_time(left, sizeof left, (double)(count - done) / rate);
  fprintf(stderr, "%s%llu of %llu sounds, %.3g a second, %s left%s",
          p->terminal ? "\r\033[K" : "contatto sweep: ", (unsigned long long)done, (unsigned long long)count,
          rate, left, p->terminal ? "" : "\n");
  fflush(stderr);
  p->visible = p->terminal;
}

static progress start_progress(void) {
  progress p = {.terminal = isatty(STDERR_FILENO) == 1};
  clock_gettime(CLOCK_MONOTONIC, &p.start);
  p.shown = p.start;
  return p;
}

static void end_progress(progress *p) {
  if (p->visible)
    fputs("\r\033[K", stderr);
}

/* ---- the program ---- */

/* What bytes depend on besides the plan. */
static void describe_program(char *text, size_t size) {
  snprintf(text, size, "contatto %s, %s %s, C library %s", ct_version(),
#ifdef __clang__
           "clang", __clang_version__,
#else
           "gcc", __VERSION__,
#endif
           gnu_get_libc_version());
}

/* The C library chooses its own functions by what the processor can do, and their last bits differ; it takes
 * its orders from the environment, when a program starts. */
static int be_portable(char **argv) {
  static const char orders[] = "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable";
  const char *given = getenv("GLIBC_TUNABLES");
  bench_be_portable();
  if (given && strstr(given, orders))
    return CLI_OK;
  setenv("GLIBC_TUNABLES", orders, 1);
  execv("/proc/self/exe", argv);
  return cli_fail("sweep", "--portable: cannot start again: %s", strerror(errno));
}

/* ---- what is asked ---- */

static int take_shard(sweep_job *j) {
  char *end;
  if (!j->shard_text)
    return CLI_OK;
  j->shard = strtoull(j->shard_text, &end, 10);
  const bool both = *end == '/' && end[1] >= '0' && end[1] <= '9';
  if (both)
    j->shards = strtoull(end + 1, &end, 10);
  if (!both || *end || j->shard_text[0] < '0' || j->shard_text[0] > '9' || j->shards < 1 ||
      j->shards > SHARDS_MOST)
    return cli_misuse("sweep", "--shard: '%.40s' wants I/N, such as 3/8", j->shard_text);
  if (j->shard < 1 || j->shard > j->shards)
    return cli_misuse("sweep", "--shard: %llu is out of range, wants 1 to %llu", (unsigned long long)j->shard,
                      (unsigned long long)j->shards);
  return CLI_OK;
}

/* One word for every shell and every engine. */
static bool is_plain_name(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return *name && *name != '-' && *name != '.' && !name[strspn(name, letters)];
}

static int check_words(const sweep_job *j) {
  if (j->merge + j->check + j->dry_run + j->slurm + (j->hosts != NULL) > 1)
    return cli_misuse("sweep",
                      "--merge, --check, --dry-run, --parallel, --slurm: only one of them at a time");
  if (!j->check && !j->dry_run && !j->out)
    return cli_misuse("sweep", "wants -o DIR, where the sounds go");
  if ((j->hosts || j->slurm) && j->shard_text)
    return cli_misuse("sweep", "--parallel and --slurm write all shards; wants --shards N, not --shard");
  if (j->job_shards > SHARDS_MOST || (j->job_shards && !j->hosts && !j->slurm))
    return cli_misuse("sweep", "--shards: wants 1 to %d, with --parallel or --slurm", SHARDS_MOST);
  if (j->hosts && (!*j->hosts || strpbrk(j->hosts, ": \t")))
    return cli_misuse("sweep", "--parallel: '%.80s' wants ssh hosts, such as one,user@two", j->hosts);
  if ((j->hosts || j->slurm) && !is_plain_name(j->out))
    return cli_misuse(
        "sweep",
        "-o: '%.80s' wants a plain name, letters, digits, '.', '_' and '-': jobs are run beside "
        "the plan, on other machines too",
        j->out);
  if (!j->merge && j->word_count > 1)
    return cli_misuse("sweep", "'%.80s' is one argument too many", j->words[1]);
  return CLI_OK;
}

/* ---- doing it ---- */

/* What was made is complete; the exit code tells it from a run that was not. */
static int tell_failed(const ct_sweep_summary *s) {
  if (!s->failed)
    return CLI_OK;
  cli_fail("sweep", "%llu of %llu sounds failed; the column 'failed' of the table says why",
           (unsigned long long)s->failed, (unsigned long long)s->count);
  return SWEEP_SOME_FAILED;
}

static void tell_made(const ct_sweep_summary *s, const char *folder) {
  printf("%llu sounds in %s/", (unsigned long long)s->count, folder);
  if (s->made)
    printf(": %llu made now; %llu scenes built, %llu used again\n", (unsigned long long)s->made,
           (unsigned long long)s->built, (unsigned long long)s->reused);
  else
    puts(", all there");
}

static int run(sweep_job *j) {
  char program[128];
  ct_error error = {.text = ""};
  ct_sweep_plan *plan = NULL;
  ct_sweep_summary summary = {0};
  progress p = start_progress();
  describe_program(program, sizeof program);
  ct_result result = ct_sweep_plan_read(j->words[0], &plan, &error);
  const char *set = bench_instruction_set();
  const ct_sweep_def def = {.plan = plan,
                            .folder = j->out,
                            .jobs = (uint32_t)j->jobs,
                            .shard = j->shard,
                            .shards = j->shards,
                            .program = program,
                            .instructions = strcmp(set, "plain") == 0 && j->portable ? "portable" : set,
                            .progress = show_progress,
                            .context = &p};
  if (result == CT_OK && j->shards > plan->count)
    result = ct_fail(&error, CT_BAD_VALUE, "--shard: %llu shards are too many, the plan has %llu sounds",
                     (unsigned long long)j->shards, (unsigned long long)plan->count);
  if (result == CT_OK)
    result = ct_sweep_run(&def, &summary, &error);
  end_progress(&p);
  ct_sweep_plan_free(plan);
  if (result != CT_OK)
    return cli_fail("sweep", "%s", error.text);
  tell_made(&summary, j->out);
  return tell_failed(&summary);
}

static int merge(sweep_job *j) {
  ct_error error = {.text = ""};
  ct_sweep_summary summary = {0};
  progress p = start_progress();
  ct_result result = ct_sweep_merge(j->words, j->word_count, j->out, show_progress, &p, &summary, &error);
  end_progress(&p);
  if (result != CT_OK)
    return cli_fail("sweep", "%s", error.text);
  printf("%llu sounds in %s/, from %u shards\n", (unsigned long long)summary.count, j->out, j->word_count);
  return tell_failed(&summary);
}

static int check(const sweep_job *j) {
  ct_error error = {.text = ""};
  uint64_t files, sounds;
  if (ct_sweep_check(j->words[0], &files, &sounds, &error) != CT_OK)
    return cli_fail("sweep", "%s", error.text);
  printf("%s: %llu files, %llu sounds among them: all as they were made\n", j->words[0],
         (unsigned long long)files, (unsigned long long)sounds);
  return CLI_OK;
}

static bool parse(sweep_job *j, int argc, char **argv, int *code) {
  const cli_option options[] = {
      {"out", 'o', CLI_OUTPUT, &j->out, "DIR", "where the sounds and their table go", 0, 0},
      {"jobs", 'j', CLI_COUNT, &j->jobs, "N", "so many at once; default: one per core", 0, 0},
      {"shard", 0, CLI_TEXT, &j->shard_text, "I/N", "part I of N: every N-th sound from the I-th on", 0, 0},
      {"parallel", 0, CLI_TEXT, &j->hosts, "HOSTS",
       "write a job file for GNU parallel over ssh: host1,user@host2,...", 0, 0},
      {"slurm", 0, CLI_FLAG, &j->slurm, NULL, "write a job file for Slurm, a job array", 0, 0},
      {"shards", 0, CLI_COUNT, &j->job_shards, "N", "of a job file; default 4 per host, 16 for Slurm", 0, 0},
      {"dry-run", 0, CLI_FLAG, &j->dry_run, NULL, "say what would be made, and write nothing", 0, 0},
      {"portable", 0, CLI_FLAG, &j->portable, NULL, "the same bytes on every processor, a little slower", 0,
       0},
      {"check", 0, CLI_FLAG, &j->check, NULL, "whether DIR is complete and all its files as they were made",
       0, 0},
      {"merge", 0, CLI_FLAG, &j->merge, NULL, "all shards of a plan, DIR..., to the one folder of -o", 0, 0},
  };
  const cli_command command = {
      "sweep",
      "PLAN.json -o DIR [OPTION]... | --check DIR | --merge DIR... -o DIR",
      "Makes the sounds of a plan: grids, random or Halton samples over controls, parameters, presets and\n"
      "gestures of scenes; sound files, and a table of what was set and of all measures. An interrupted run\n"
      "goes on when the same line is typed again.",
      options,
      sizeof options / sizeof options[0],
      1,
      (uint32_t)argc};
  return cli_parse(&command, argc, argv, j->words, code);
}

static int work(sweep_job *j, char **argv) {
  int code = take_shard(j);
  while (j->words[j->word_count])
    j->word_count++;
  if (code == CLI_OK)
    code = check_words(j);
  if (code == CLI_OK && j->portable && !j->hosts && !j->slurm)
    code = be_portable(argv);
  if (code != CLI_OK)
    return code;
  if (j->jobs)
    snprintf(j->jobs_text, sizeof j->jobs_text, " --jobs %llu", (unsigned long long)j->jobs);
  if (j->hosts || j->slurm)
    return sweep_write_jobs(j);
  return j->check ? check(j) : j->merge ? merge(j) : j->dry_run ? sweep_tell(j) : run(j);
}

int cmd_sweep(int argc, char **argv) {
  sweep_job j = {.shard = 1, .shards = 1, .words = calloc((size_t)argc + 1, sizeof *j.words)};
  int code = CLI_FAILED;
  if (!j.words)
    return cli_fail("sweep", "no memory");
  if (parse(&j, argc, argv, &code))
    code = work(&j, argv - 1);
  free(j.words);
  return code;
}
