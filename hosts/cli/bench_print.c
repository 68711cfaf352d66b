/* Results as tables of text. */
#include "hosts/cli/bench.h"

#include <math.h>
#include <string.h>

static void put(double number, int width, int decimals, const char *unit) {
  if (isnan(number))
    printf("%*s", width + (int)strlen(unit), "");
  else
    printf("%*.*f%s", width, decimals, number, unit);
}

static double known(double number) { return number > 0 ? number : (double)NAN; }

static double share_of_peak(const bench_report *report, const bench_result *r) {
  return known(r->work->operations / r->speed.best_ns / report->peak_gflops);
}

static void print_result(const bench_report *report, const bench_result *r) {
  printf("%-21s", r->work->name);
  put(r->speed.best_ns, 9, 1, "");
  put(r->speed.median_ns, 11, 1, "");
  put(1e-7 * r->speed.best_ns * report->rate_hz, 10, 2, " %");
  put(r->speed.slowest_over_mean, 15, 2, "");
  put(r->facts.evaluations, 13, 2, "");
  put(known(r->facts.friction_evaluations), 10, 2, "");
  put(r->facts.most_substeps, 10, 0, "");
  put(r->facts.bytes / 1024, 7, 1, " kB");
  put(100 * share_of_peak(report, r), 7, 0, " %");
  put(known(r->work->sdt_ns), 8, 0, "");
  puts("");
}

static double most_different(const bench_report *report) {
  double most = NAN;
  for (uint32_t i = 0; i < report->count; i++)
    most = fmax(most, report->results[i].facts.difference);
  return most;
}

void bench_print(const bench_report *report) {
  printf("%s, instruction set %s\nmultiply-add peak of one core: %.1f GFLOP/s (%s)\n\n", report->cpu,
         report->instruction_set, report->peak_gflops, report->peak_with);
  printf("%-21s  best ns  median ns   of a core   slowest/mean  evaluations  friction  substeps    memory  "
         "of peak  "
         "SDT ns\n",
         "work");
  for (uint32_t i = 0; i < report->count; i++) {
    if (i > 0 && report->results[i].work->kind != report->results[i - 1].work->kind)
      puts("");
    print_result(report, &report->results[i]);
  }
  printf(
      "\nns per sample, share of a core at %g Hz; best: every block of %u samples at its shortest over the "
      "runs; median: of whole runs\n",
      report->rate_hz, BENCH_BLOCK);
  puts("slowest/mean: slowest block over the mean of those in which something happens\n"
       "evaluations of contact laws per sample; friction: of friction's rate law inside them\n"
       "memory: of the whole scene; that of struck-3 is the memory of a voice of three modes\n"
       "of peak: floating-point operations the model needs against the multiply-add peak\n"
       "SDT: Sound Design Toolkit on a 2.3 GHz Xeon, for orientation only");
  if (most_different(report) >= 0)
    printf("struck and ringing differ from the same model in plain C by %.0e at most\n",
           most_different(report));
}

/* ---- old and new ---- */

static const char *word_for(double ratio, const char *grown, const char *shrunk) {
  return ratio > BENCH_GROWN ? grown : ratio < 1 / BENCH_GROWN ? shrunk : "";
}

static void print_pair(const bench_result *r) {
  double ratio = r->speed.best_ns / r->old_ns;
  printf("%-21s", r->work->name);
  put(r->old_ns, 9, 1, "");
  put(r->speed.best_ns, 9, 1, "");
  put(ratio, 7, 2, "");
  put(r->old_bytes / 1024, 10, 1, " kB");
  put(r->facts.bytes / 1024, 8, 1, " kB");
  const char *time_word = word_for(ratio, "slower", "faster"),
             *memory_word = word_for(r->facts.bytes / r->old_bytes, "larger", "smaller");
  printf("  %s%s%s\n", time_word, *time_word && *memory_word ? ", " : "", memory_word);
}

static void print_grown(const bench_report *report) {
  uint32_t grown = 0;
  for (uint32_t i = 0; i < report->count; i++) {
    const bench_result *r = &report->results[i];
    bool more = r->speed.best_ns / r->old_ns > BENCH_GROWN || r->facts.bytes / r->old_bytes > BENCH_GROWN;
    if (more)
      printf("%s %s", grown++ ? "," : "grown by more than 10 %:", r->work->name);
  }
  puts(grown ? "" : "grown by more than 10 %: none");
}

static void print_missing(const bench_report *report) {
  uint32_t missing = 0;
  for (uint32_t i = 0; i < report->count; i++)
    if (isnan(report->results[i].old_ns))
      printf("%s %s", missing++ ? "," : "not in the old file:", report->results[i].work->name);
  if (missing)
    puts("");
  for (size_t i = 0; i < json_array_size(report->old_only); i++)
    printf("%s %s",
           i ? "," : "only in the old file:", json_string_value(json_array_get(report->old_only, i)));
  if (json_array_size(report->old_only))
    puts("");
}

void bench_print_comparison(const bench_report *report) {
  printf("\ncompared with %s: %s\n", report->old_name, report->old_words);
  if (report->elsewhere)
    puts("it was made on another processor, with other instructions, at another rate or by runs of other "
         "length: ratios say little");
  printf("%-21s   old ns   new ns  ratio   old memory  new memory\n", "work");
  for (uint32_t i = 0; i < report->count; i++)
    if (!isnan(report->results[i].old_ns))
      print_pair(&report->results[i]);
  print_grown(report);
  print_missing(report);
}
