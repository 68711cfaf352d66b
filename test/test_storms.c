/* ctest: timeout=5400
 * Random scenes of everything the schema knows, half of them undriven, half of them with parameter storms:
 * every number stays finite, the account closes, parameters do no work, and nobody gains energy for nothing.
 *
 *   test_storms                        three hundred scenes, other ones every day, and as many more as it
 *                                      takes to have had every row of the schema; a hundred with
 *                                      sanitizers; in `./check long` eleven thousand
 *   test_storms COUNT [FIRST_SEED]     so many, from that seed; goes on after a failure and counts them
 *   test_storms COUNT FIRST_SEED TEXT  without the rows whose path contains it ("a|b": or that)
 *   test_storms --replay BASE          BASE.json and BASE.storm
 *   test_storms --shrink SEED|BASE     the failing trial, cut down, to shrunk-SEED.json and .storm
 *   test_storms --show SEED            the trial of a seed, written to storm-SEED.json and .storm */
#include "support/draw.h"
#include "support/generate.h"
#include "support/instrumented.h"
#include "support/judge.h"
#include "support/live.h"
#include "support/long_run.h"
#include "support/shrink.h"
#include "support/storm.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t seed_now;

/* A crash or a scene that never ends says which one it was. */
static void tell_seed(int signal_number) {
  char line[64];
  int length = snprintf(line, sizeof line, "signal %d at seed %" PRIu64 "\n", signal_number, seed_now);
  (void)!write(2, line, (size_t)length);
  _exit(3);
}

/* A sanitizer that has found something ends with a signal too. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__asan_default_options(void) { return "abort_on_error=1:handle_abort=0"; }
const char *__ubsan_default_options(void) { return "abort_on_error=1:handle_abort=0:print_stacktrace=1"; }

static void watch_signals(void) {
  const int signals[] = {SIGSEGV, SIGFPE, SIGABRT, SIGALRM, SIGILL, SIGBUS};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    signal(signals[i], tell_seed);
}

/* Undriven or not and storm or not are drawn apart: all four quarters are there. */
static void draw_trial(trial *t, uint64_t seed, generate_counts *counts) {
  generate_scene(t, seed, counts);
  storm_draw(t, seed, generate_is_undriven(seed), storm_comes(seed), counts);
}

typedef struct tally {
  uint64_t complaints[JUDGE_COMPLAINTS], first_seed[JUDGE_COMPLAINTS];
  uint64_t scenes, undriven, storms, samples, touched, moving;
  double worst_error, worst_gain;
  double drawing_s, longest_s; /* of the processor */
  uint64_t longest_seed;
  generate_counts counts;
} tally;

static double cpu_s(void) { return (double)clock() / CLOCKS_PER_SEC; }

static judge run_seed(uint64_t seed, tally *sum) {
  static trial t;
  seed_now = seed;
  alarm(600);
  double start = cpu_s();
  draw_trial(&t, seed, &sum->counts);
  sum->drawing_s += cpu_s() - start;
  judge j = judge_trial(&t);
  start = cpu_s() - start;
  alarm(0);
  if (start > sum->longest_s) {
    sum->longest_s = start;
    sum->longest_seed = seed;
  }
  sum->scenes++;
  sum->undriven += generate_is_undriven(seed);
  sum->storms += t.event_count > 4;
  sum->samples += t.frames;
  sum->touched += j.counters.solves > 0;
  sum->moving += j.last.scale_j > 0;
  sum->worst_error = fmax(sum->worst_error, j.worst_error);
  sum->worst_gain = fmax(sum->worst_gain, j.worst_gain);
  if (sum->complaints[j.complaint]++ == 0)
    sum->first_seed[j.complaint] = seed;
  return j;
}

static void say(uint64_t seed, const judge *j) {
  printf("seed %" PRIu64 ": %s at sample %" PRIu64 ": %s\n", seed, judge_word(j->complaint), j->sample,
         j->text);
}

static void print_tally(const tally *sum, double seconds) {
  printf("%" PRIu64 " scenes, %" PRIu64 " undriven, %" PRIu64 " with storms, %" PRIu64
         " where something moves, %" PRIu64 " where something touches, %" PRIu64
         " samples, %.1f s; error %.3g and gain %.3g of what is allowed; %u builds, %u parts given up\n",
         sum->scenes, sum->undriven, sum->storms, sum->moving, sum->touched, sum->samples, seconds,
         sum->worst_error, sum->worst_gain, sum->counts.tries, sum->counts.parts_given_up);
  printf("drawing took %.1f s of the processor; the longest trial, of seed %" PRIu64 ", %.2f s\n",
         sum->drawing_s, sum->longest_seed, sum->longest_s);
  for (int i = JUDGE_FINE; i < JUDGE_COMPLAINTS; i++)
    if (sum->complaints[i])
      printf("  %-18s %8" PRIu64 "  first seed %" PRIu64 "\n", judge_word((judge_complaint)i),
             sum->complaints[i], sum->first_seed[i]);
}

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the test ---- */

enum { SCENES = INSTRUMENTED ? 100 : 300, LONG_SCENES = 11000 };

/* Seeds of today, ten billion and more; the one that fails is said. */
static uint64_t todays_seed(void) { return 10000000000 + (uint64_t)time(NULL) / 86400 * 100000; }

static tally checked;

/* One of the test's scenes; the first that fails is written down. */
static bool check_seed(uint64_t seed) {
  static trial t;
  static bool written;
  judge j = run_seed(seed, &checked);
  if (j.complaint == JUDGE_FINE)
    return true;
  say(seed, &j);
  if (!written) {
    char base[64];
    snprintf(base, sizeof base, "storm-%" PRIu64, seed);
    draw_trial(&t, seed, NULL);
    if (trial_save(&t, base))
      printf("  written to %s.json and %s.storm\n", base, base);
    written = true;
  }
  return false;
}

static void nobody_gains(void **state) {
  (void)state;
  double start = now_s();
  uint64_t failed = 0, first = todays_seed(), scenes = long_run() && !INSTRUMENTED ? LONG_SCENES : SCENES;
  printf("seeds from %" PRIu64 "\n", first);
  for (uint64_t seed = first; seed < first + scenes; seed++)
    failed += !check_seed(seed);
  print_tally(&checked, now_s() - start);
  assert_int_equal(failed, 0);
  assert_true(checked.moving > scenes / 2 && checked.touched > scenes / 4); /* else nothing was tested */
}

/* Rows that no scene is given: words for people, files, presets, gestures. */
static bool for_people(const ct_schema_row *row) {
  static const char *const starts[] = {"presets.", "gesture.", "surfaces.*.file", "bodies.*.modes.from",
                                       "seconds"};
  for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
    if (strncmp(row->path, starts[i], strlen(starts[i])) == 0)
      return true;
  return row->type == CT_TYPE_TEXT && strcmp(row->effect, "none") == 0;
}

/* The first word of a choice that no scene was given, copied, or "": a new kind of part is such a word. A
 * body of shape "none" is no body, and refused. */
static const char *never_chosen(uint32_t row, char word[64]) {
  const ct_schema_row *r = ct_schema_row_at(row);
  const char *at = r->type == CT_TYPE_CHOICE ? r->choices : "";
  word[0] = 0;
  for (uint32_t i = 0; *at; i++) {
    size_t length = strcspn(at, "|");
    bool refused = strcmp(r->path, "bodies.*.modes.shape") == 0 && strncmp(at, "none", length) == 0;
    bool known = refused || (checked.counts.chosen[row] >> i & 1);
    snprintf(word, 64, "%.*s", known ? 0 : (int)length, at);
    at += *word ? strlen(at) : length + (at[length] == '|');
  }
  return word;
}

static bool had(uint32_t row) {
  const ct_schema_row *r = ct_schema_row_at(row);
  char word[64];
  bool given = (checked.counts.given[row] > 0 && !*never_chosen(row, word)) || r->rate == CT_RATE_STATE ||
               for_people(r);
  return given && (checked.counts.moved[row] > 0 || !live_row(r));
}

/* The scenes hold everything the schema knows, and everything that moves is moved: if not among those,
 * then within some scenes that were asked for it. A row that fails here is one the generator has no words
 * for. */
static void whole_schema(void **state) {
  (void)state;
  uint32_t missed = 0;
  uint64_t failed = 0;
  char word[64];
  for (uint32_t row = 0; row < ct_schema_count(); row++) {
    for (uint64_t n = 0; n < 240 && !had(row) && !INSTRUMENTED; n++)
      failed += !check_seed(GENERATE_WISHES + 1024 * n + row);
    missed += !had(row);
    if (!had(row) && !INSTRUMENTED)
      printf("%s: never %s %s\n", ct_schema_row_at(row)->path, checked.counts.given[row] ? "moved" : "given",
             never_chosen(row, word));
  }
  print_tally(&checked, 0);
  assert_true(missed == 0 || INSTRUMENTED); /* a hundred are too few */
  assert_int_equal(failed, 0);
}

/* ---- by hand ---- */

/* Whoever cannot wait for all of them still gets the count of those that were played. */
static volatile sig_atomic_t enough;

static void stop(int signal_number) {
  (void)signal_number;
  enough = 1;
}

static int run_many(uint64_t count, uint64_t first) {
  static tally sum;
  double start = now_s();
  signal(SIGINT, stop);
  signal(SIGTERM, stop);
  for (uint64_t seed = first; seed < first + count && !enough; seed++) {
    judge j = run_seed(seed, &sum);
    if (j.complaint != JUDGE_FINE)
      say(seed, &j);
    if (sum.scenes % 10000 == 0)
      print_tally(&sum, now_s() - start);
    fflush(stdout);
  }
  print_tally(&sum, now_s() - start);
  return sum.complaints[JUDGE_FINE] == sum.scenes ? 0 : 1;
}

static bool load(trial *t, const char *what) {
  ct_error error;
  if (strspn(what, "0123456789") == strlen(what)) {
    draw_trial(t, strtoull(what, NULL, 10), NULL);
    return true;
  }
  bool good = trial_read(t, what, &error);
  if (!good)
    fprintf(stderr, "%s\n", error.text);
  return good;
}

static int replay(const char *what, bool shrink, bool show) {
  static trial t;
  char base[512];
  if (!load(&t, what))
    return 2;
  judge j = judge_trial(&t);
  printf("%s at sample %" PRIu64 ": %s\n", judge_word(j.complaint), j.sample, j.text);
  printf("undriven but for:%s%s%s%s%s; error %.3g, gain %.3g of what is allowed\n",
         j.border.force ? " forces" : "", j.border.motion ? " motion" : "", j.border.noise ? " noise" : "",
         j.border.gravity ? " gravity" : "", j.border.mass_moves ? " (mass moves)" : "", j.worst_error,
         j.worst_gain);
  if (shrink && j.complaint != JUDGE_FINE)
    shrink_trial(&t, j.complaint);
  if (shrink || show) {
    const char *name = strrchr(what, '/') ? strrchr(what, '/') + 1 : what;
    snprintf(base, sizeof base, "%s-%s", shrink ? "shrunk" : "storm", name);
    if (!trial_save(&t, base))
      return 2;
    j = judge_trial(&t);
    printf("%s.json, %s.storm: %s at sample %" PRIu64 ": %s\n", base, base, judge_word(j.complaint), j.sample,
           j.text);
  }
  return j.complaint == JUDGE_FINE ? 0 : 1;
}

int main(int argc, char **argv) {
  watch_signals();
  if (argc >= 3 && argv[1][0] == '-') {
    generate_without(argc > 3 ? argv[3] : NULL);
    return replay(argv[2], strcmp(argv[1], "--shrink") == 0, strcmp(argv[1], "--show") == 0);
  }
  generate_without(argc > 3 ? argv[3] : NULL);
  if (argc > 1)
    return run_many(strtoull(argv[1], NULL, 10), argc > 2 ? strtoull(argv[2], NULL, 10) : todays_seed());
  const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_gains), cmocka_unit_test(whole_schema)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
