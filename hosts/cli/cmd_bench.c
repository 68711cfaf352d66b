/* contatto bench: nanoseconds per sample of the works in bench_works.c, as a table, JSON or bars, beside
 * those of another time. */
#include "base/text.h"
#include "file/json.h"
#include "picture/picture.h"
#include "file/staged.h"
#include "hosts/cli/bench.h"

#include <stdlib.h>

enum { PATTERNS_MOST = 64, ONCE_MOST = 1000000000 };

typedef struct job {
  /* asked for */
  const char *patterns[PATTERNS_MOST];
  const char *out, *compare, *plot;
  bool json, list, portable;
  uint64_t once;
  bench_plan plan;
  /* on the way */
  ct_claims claims;
  ct_staged *staged; /* of --out */
  bench_works works;
  json_t *old;
  bench_report report;
} job;

static int show_list(const job *j) {
  for (uint32_t i = 0; i < j->works.count; i++)
    printf("%-22s %s\n", j->works.items[i].name, j->works.items[i].about);
  return CLI_OK;
}

/* ---- once ---- */

/* Every work once and untimed, for a profiler; its name is printed before it is played. */
static ct_result play_once(job *j, ct_error *error) {
  uint32_t blocks = (uint32_t)((j->once + BENCH_BLOCK - 1) / BENCH_BLOCK);
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < j->works.count && result == CT_OK; i++) {
    bench_run run;
    result = bench_open(&j->works.items[i], j->plan.rate_hz, blocks, &run, error);
    printf("%-22s %u\n", j->works.items[i].name, blocks * BENCH_BLOCK);
    if (result == CT_OK)
      result = bench_play(&run, error);
    result = bench_close(&run, result, error);
  }
  return result;
}

/* ---- timed ---- */

static ct_result write_json(const job *j, ct_error *error) {
  json_t *tree = bench_json(&j->report);
  char *text = tree ? ct_json_print(tree) : NULL;
  if (text)
    fprintf(ct_staged_stream(j->staged), "%s\n", text);
  ct_result result = text ? ct_staged_close(j->staged, error) : ct_fail(error, CT_NO_MEMORY, "no memory");
  if (result == CT_OK)
    result = ct_staged_keep(j->staged, error);
  json_decref(tree);
  free(text);
  return result;
}

static int show(const job *j) {
  if (j->json)
    return cli_print_json("bench", bench_json(&j->report));
  bench_print(&j->report);
  if (j->report.compared)
    bench_print_comparison(&j->report);
  return CLI_OK;
}

static ct_result time_works(job *j, ct_error *error) {
  bench_cpu_name(j->report.cpu, sizeof j->report.cpu);
  j->report.peak_gflops = bench_peak_gflops(&j->report.peak_with);
  j->report.instruction_set = bench_instruction_set();
  j->report.rate_hz = j->plan.rate_hz;
  j->report.quick = j->plan.quick;
  ct_result result = bench_works_measure(&j->works, error);
  if (result == CT_OK)
    result = bench_time_all(&j->works, &j->plan, &j->report, error);
  if (result == CT_OK && j->old)
    result = bench_compare(&j->report, j->compare, j->old, error);
  if (result == CT_OK && j->plot)
    result = bench_plot(&j->report, j->plot, error);
  return result == CT_OK && j->out ? write_json(j, error) : result;
}

/* ---- both ---- */

/* What can be refused without reading a file. */
static int check(job *j) {
  ct_error error = {.text = ""};
  uint32_t patterns = 0;
  while (patterns < PATTERNS_MOST && j->patterns[patterns])
    patterns++;
  if (j->once > 0 && (j->json || j->out || j->compare || j->plot || j->plan.quick || j->list))
    return cli_misuse("bench", "--once times nothing: only --rate and --portable go with it");
  if (j->once > ONCE_MOST)
    return cli_misuse("bench", "--once: wants at most %u samples", ONCE_MOST);
  if (!bench_works_list(&j->works))
    return cli_fail("bench", "no memory");
  if (bench_works_choose(&j->works, j->patterns, patterns, &error) != CT_OK ||
      ct_claims_write(&j->claims, j->out, &error) != CT_OK ||
      ct_claims_write(&j->claims, j->plot, &error) != CT_OK)
    return cli_misuse("bench", "%s", error.text);
  return CLI_OK;
}

/* Whether the outputs can be written is found out before the long run, not after it. */
static ct_result open_files(job *j, ct_error *error) {
  ct_staged *tried = NULL;
  ct_result result = ct_claims_read(&j->claims, j->compare, error);
  if (result == CT_OK && j->compare)
    result = bench_read(j->compare, &j->old, error);
  if (result == CT_OK && j->plot && !ct_picture_possible())
    result = ct_fail(error, CT_BAD_FILE, "%.200s: gnuplot is not installed", j->plot);
  if (result == CT_OK && j->plot)
    result = ct_staged_open(j->plot, &tried, error);
  ct_staged_drop(tried);
  return result == CT_OK && j->out ? ct_staged_open(j->out, &j->staged, error) : result;
}

static int work(job *j) {
  ct_error error = {.text = ""};
  if (j->portable)
    bench_be_portable();
  if (j->list)
    return show_list(j);
  ct_result result = open_files(j, &error);
  if (result == CT_OK)
    result = j->once > 0 ? play_once(j, &error) : time_works(j, &error);
  if (result != CT_OK)
    return cli_fail("bench", "%s", error.text);
  return j->once > 0 ? CLI_OK : show(j);
}

static void release(job *j) {
  ct_staged_drop(j->staged);
  json_decref(j->old);
  json_decref(j->report.old_only);
  ct_claims_free(&j->claims);
  free(j->report.results);
  free(j->works.items);
}

int cmd_bench(int argc, char **argv) {
  job j = {.plan = {.rate_hz = 44100}};
  const cli_option options[] = {
      {"list", 0, CLI_FLAG, &j.list, NULL, "name the works instead", 0, 0},
      {"quick", 0, CLI_FLAG, &j.plan.quick, NULL, "shorter runs, fewer of them", 0, 0},
      {"rate", 'r', CLI_NUMBER, &j.plan.rate_hz, "HZ", "sample rate; default 44100", 8000, 384000},
      {"portable", 0, CLI_FLAG, &j.portable, NULL, "as on a processor without AVX2", 0, 0},
      {"json", 0, CLI_FLAG, &j.json, NULL, "print JSON instead of the table", 0, 0},
      {"out", 'o', CLI_OUTPUT, &j.out, "FILE.json", "write that JSON into a file", 0, 0},
      {"compare", 0, CLI_TEXT, &j.compare, "OLD.json", "show such a file's numbers beside the new ones", 0,
       0},
      {"plot", 0, CLI_OUTPUT, &j.plot, "FILE.png", "ns per sample as bars, old beside new", 0, 0},
      {"once", 0, CLI_COUNT, &j.once, "N", "play each work once for N samples, for a profiler", 0, 0},
  };
  const cli_command command = {
      "bench",
      "[WORK]... [OPTION]...",
      "Times works: struck bodies beside plain C, friction smooth and rough, bowed strings, marbles, many "
      "bodies, action sources, every built-in scene's demo. WORK is a name or a pattern, as in "
      "'friction-*'.",
      options,
      sizeof options / sizeof options[0],
      0,
      PATTERNS_MOST};
  int code;
  if (cli_parse(&command, argc, argv, j.patterns, &code) && (code = check(&j)) == CLI_OK)
    code = work(&j);
  release(&j);
  return code;
}
