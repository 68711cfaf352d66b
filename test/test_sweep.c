/* Where the points of a plan lie, and what a sweep's parts promise: samples that fill the space, hashes that
 * others compute too, renders that start again, memory that does not grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "file/load.h"
#include "file/render.h"
#include "file/wav.h"
#include "measure/report.h"
#include "support/instrumented.h"
#include "support/long_run.h"
#include "sweep/plan.h"
#include "sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- samples */

/* Of base^k points in a row, each interval of length base^-k has exactly one: that is what makes it a Halton
 * sequence, whatever the seed. Bases are primes: 2, 3, 5, ..., and of dimension 63, 311. */
static void halton_points_are_spread_evenly(void **state) {
  static const struct {
    uint32_t dimension, points;
  } cases[] = {{0, 1024}, {1, 729}, {2, 625}, {5, 2197}, {63, 311}};
  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
    for (uint64_t seed = 0; seed < 3; seed++) {
      const uint32_t n = cases[c].points;
      const uint64_t start = 7 * seed * n; /* any aligned run of points */
      unsigned char *met = calloc(n, 1);
      for (uint64_t i = 0; i < n; i++) {
        const double u = ct_sweep_halton(seed, cases[c].dimension, start + i);
        assert_true(u > 0 && u < 1);
        assert_int_equal(met[(uint32_t)(u * n)]++, 0);
      }
      free(met);
    }
}

/* Two dimensions of large bases: without scrambling, their first points lie on a line (correlation 1). With
 * N independent points the correlation's standard deviation is 1/sqrt(N): five of them are allowed. */
static void dimensions_do_not_follow_each_other(void **state) {
  enum { N = 300 };
  (void)state;
  for (int random = 0; random < 2; random++)
    for (uint32_t d = 40; d < 48; d++) {
      double xy = 0, xx = 0, yy = 0;
      for (uint64_t i = 0; i < N; i++) {
        const double x = (random ? ct_sweep_random(1, d, i) : ct_sweep_halton(1, d, i)) - 0.5;
        const double y = (random ? ct_sweep_random(1, d + 1, i) : ct_sweep_halton(1, d + 1, i)) - 0.5;
        xy += x * y;
        xx += x * x;
        yy += y * y;
      }
      assert_true(fabs(xy) / sqrt(xx * yy) < 5 / sqrt(N));
    }
}

/* ---- plans */

static char folder[] = "/tmp/contatto-test-sweep-XXXXXX";

static const char *in_folder(const char *name) {
  static char path[4][256];
  static int at;
  at = (at + 1) % 4;
  snprintf(path[at], sizeof path[at], "%s/%s", folder, name);
  return path[at];
}

static ct_sweep_plan *read_plan(const char *text) {
  ct_error error = {.text = ""};
  ct_sweep_plan *plan = NULL;
  FILE *out = fopen(in_folder("plan.json"), "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
  if (ct_sweep_plan_read(in_folder("plan.json"), &plan, &error) != CT_OK)
    fail_msg("%s", error.text);
  return plan;
}

/* The last that varies is the fastest; ends are exact; a log range is even in the logarithm. */
static void a_grid_is_walked_in_order(void **state) {
  ct_sweep_point p;
  (void)state;
  ct_sweep_plan *plan =
      read_plan("{\"contatto_sweep\": 1, \"scene\": \"hammer\", \"gesture\": \"none\", \"vary\": {"
                "\"preset\": [\"felt\", \"pin\"], \"mass\": {\"steps\": 3}, \"hardness\": {\"steps\": 2}}}");
  assert_int_equal(plan->count, 12);
  for (uint64_t i = 0; i < 12; i++) {
    ct_sweep_point_at(plan, i, &p);
    assert_string_equal(p.preset, i < 6 ? "felt" : "pin");
    assert_true(p.number[2] == (double)(i % 2));
    const double masses[] = {0.002, sqrt(0.002 * 0.2), 0.2}; /* log, as the control says */
    assert_true(fabs(p.number[1] / masses[i / 2 % 3] - 1) < (i / 2 % 3 == 1 ? 1e-14 : 1e-300));
  }
  ct_sweep_plan_free(plan);
}

/* Silent plans take range, scale, unit and words from where they are kept. */
static void silence_is_filled_from_the_schema(void **state) {
  ct_sweep_point p;
  (void)state;
  ct_sweep_plan *plan = read_plan(
      "{\"contatto_sweep\": 1, \"scene\": \"hammer\", \"gesture\": \"none\", \"sample\": \"random\", "
      "\"count\": 500, "
      "\"seed\": \"each\", \"vary\": {\"mass\": true, \"strike.exponent\": true, \"bar.modes.edge\": true, "
      "\"bar.modes.count\": {\"max\": 3}}}");
  const ct_sweep_vary *v = plan->parts[0].vary;
  assert_true(v[0].min == 0.002 && v[0].max == 0.2 && v[0].scale == CT_LOG);
  assert_string_equal(v[0].unit, "kg");
  assert_true(v[1].max > v[1].min);
  assert_int_equal(v[2].count, 4);
  assert_string_equal(v[2].words[3], "cantilever");
  uint32_t met[4] = {0};
  uint64_t seed = 0;
  for (uint64_t i = 0; i < plan->count; i++) {
    ct_sweep_point_at(plan, i, &p);
    assert_true(p.number[0] >= 0.002 && p.number[0] <= 0.2);
    assert_true(p.number[3] == 1 || p.number[3] == 2 || p.number[3] == 3);
    met[(int)p.number[3]]++;
    assert_true(p.seed != seed);
    seed = p.seed;
  }
  for (int i = 1; i <= 3; i++) /* 500 draws of three: 167 each, standard deviation 10.5 */
    assert_in_range(met[i], 114, 220);
  ct_sweep_plan_free(plan);
}

/* ---- parts */

/* FIPS 180-4's examples: the empty text, "abc", a million of a. */
static void hashes_are_those_of_the_standard(void **state) {
  static const struct {
    const char *text;
    uint32_t times;
    const char *hash;
  } cases[] = {{"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
               {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
               {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
               {"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  uint8_t digest[CT_SHA256_BYTES];
  char text[CT_SHA256_TEXT];
  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    ct_sha256 hash = ct_sha256_start();
    for (uint32_t i = 0; i < cases[c].times; i++)
      ct_sha256_add(&hash, cases[c].text, strlen(cases[c].text));
    ct_sha256_end(&hash, digest);
    ct_sha256_print(digest, text);
    assert_string_equal(text, cases[c].hash);
  }
}

static void flac_rounding_is_its_own_neighbour(void **state) {
  (void)state;
  for (double x = -1.5; x < 1.5; x += 0.0137) {
    const double rounded = ct_flac_rounded(x);
    assert_true(rounded == ct_flac_rounded(rounded));
    assert_true(rounded >= -1 && rounded < 1);
    assert_true(fabs(x) > 0.999 || fabs(rounded - x) <= 0x1p-24);
  }
}

static void take_all(ct_render *render, float *to) {
  ct_render_block block = {.frames = 1};
  ct_error error;
  while (block.frames) {
    assert_int_equal(ct_render_next(render, &block, &error), CT_OK);
    memcpy(to + block.start, block.outputs[0], block.frames * sizeof *to);
  }
}

/* A render that starts again, with a length of no whole ticks, gives the samples of a new one. */
static void renders_start_again(void **state) {
  enum { FRAMES = 1003 };
  static float first[FRAMES], second[FRAMES], fresh[FRAMES];
  const double time_s = 0.001, soft = 0.5, hard = 3;
  const char *path = "strike_speed";
  const double *columns[2] = {&soft, &hard};
  ct_error error = {.text = ""};
  ct_doc *doc = NULL;
  ct_render *render = NULL, *other = NULL;
  (void)state;
  assert_int_equal(ct_doc_load("hammer", &doc, &error), CT_OK);
  ct_gesture gesture = {1, 1, &time_s, &path, &columns[0]};
  ct_render_def def = {.seconds = FRAMES / 48000.0, .gesture = &gesture, .again = true};
  assert_int_equal(ct_render_open(doc, &def, &render, &error), CT_OK);
  assert_int_equal(ct_render_frames(render), FRAMES);
  take_all(render, first);
  gesture.values = &columns[1];
  assert_int_equal(ct_render_again(render, doc, &def, &error), CT_OK);
  take_all(render, second);
  def.again = false;
  assert_int_equal(ct_render_open(doc, &def, &other, &error), CT_OK);
  take_all(other, fresh);
  assert_memory_equal(second, fresh, sizeof fresh);
  assert_memory_not_equal(first, fresh, sizeof fresh);
  ct_render_close(render);
  ct_render_close(other);
  ct_doc_destroy(doc);
}

/* Every number of a report has a column of its own name. */
static void columns_have_names_of_their_own(void **state) {
  (void)state;
  for (uint32_t i = 0; i < ct_report_column_count(); i++)
    for (uint32_t j = 0; j < i; j++)
      assert_string_not_equal(ct_report_column_at(i).name, ct_report_column_at(j).name);
}

/* ---- memory */

static long peak_kb(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static void sweep(uint32_t count) {
  char text[512], name[32];
  ct_error error = {.text = ""};
  ct_sweep_summary summary = {0};
  snprintf(text, sizeof text,
           "{\"contatto_sweep\": 1, \"scene\": \"hammer\", \"seconds\": 0.01, \"rate_hz\": 8000, "
           "\"gesture\": \"none\", "
           "\"measures\": [\"level\"], \"sample\": \"random\", \"count\": %u, \"vary\": {\"hardness\": true, "
           "\"size\": true, \"material\": true}}",
           count);
  ct_sweep_plan *plan = read_plan(text);
  snprintf(name, sizeof name, "made-%u", count);
  const ct_sweep_def def = {.plan = plan,
                            .folder = in_folder(name),
                            .jobs = 2,
                            .shard = 1,
                            .shards = 1,
                            .program = "test",
                            .instructions = "test"};
  if (ct_sweep_run(&def, &summary, &error) != CT_OK)
    fail_msg("%s", error.text);
  assert_int_equal(summary.made, count);
  ct_sweep_plan_free(plan);
}

/* Ten times the sounds in the same process: the largest it has ever been grows by less than 1 MB. 1800 rows
 * kept in memory, a kilobyte each, would take twice that. */
static void memory_does_not_grow_with_the_sounds(void **state) {
  const uint32_t few = 200, many = long_run() ? 20000 : 2000;
  (void)state;
  if (INSTRUMENTED)
    skip(); /* sanitizers keep what was freed */
  sweep(few);
  const long before = peak_kb();
  sweep(many);
  const long grown = peak_kb() - before;
  print_message("peak memory: %ld kB at %u sounds, %ld kB more at %u\n", before, few, grown, many);
  assert_true(grown < 1024);
}

static int set_up(void **state) {
  (void)state;
  setenv("PATH", "/nowhere", 1); /* no gnuplot: pictures are not looked at here */
  return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
  char command[128];
  (void)state;
  snprintf(command, sizeof command, "/bin/rm -rf %s", folder);
  return system(command); // NOLINT
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halton_points_are_spread_evenly),
      cmocka_unit_test(dimensions_do_not_follow_each_other),
      cmocka_unit_test(a_grid_is_walked_in_order),
      cmocka_unit_test(silence_is_filled_from_the_schema),
      cmocka_unit_test(hashes_are_those_of_the_standard),
      cmocka_unit_test(flac_rounding_is_its_own_neighbour),
      cmocka_unit_test(renders_start_again),
      cmocka_unit_test(columns_have_names_of_their_own),
      cmocka_unit_test(memory_does_not_grow_with_the_sounds),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
