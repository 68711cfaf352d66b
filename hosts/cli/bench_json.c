/* Results as JSON, and read again to compare. */
#include "base/text.h"
#include "file/load.h"
#include "hosts/cli/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static void set_number(json_t *tree, const char *key, double number) {
  if (!isnan(number))
    json_object_set_new(tree, key, json_real(number));
}

static json_t *result_json(const bench_report *report, const bench_result *r) {
  json_t *tree = json_pack("{s:s, s:s}", "name", r->work->name, "about", r->work->about);
  set_number(tree, "ns_per_sample", r->speed.best_ns);
  set_number(tree, "median_ns_per_sample", r->speed.median_ns);
  set_number(tree, "slowest_block_ns_per_sample", r->speed.slowest_ns);
  set_number(tree, "slowest_block_over_mean", r->speed.slowest_over_mean);
  set_number(tree, "share_of_core", 1e-9 * r->speed.best_ns * report->rate_hz);
  set_number(tree, "evaluations_per_sample", r->facts.evaluations);
  set_number(tree, "friction_evaluations_per_sample", r->facts.friction_evaluations);
  set_number(tree, "solves_per_sample", r->facts.solves);
  set_number(tree, "most_substeps", r->facts.most_substeps);
  set_number(tree, "bytes", r->facts.bytes);
  set_number(tree, "difference_from_plain", r->facts.difference);
  set_number(tree, "slips_per_second", r->facts.slips_per_s);
  if (r->work->operations > 0)
    set_number(tree, "share_of_peak", r->work->operations / r->speed.best_ns / report->peak_gflops);
  set_number(tree, "old_ns_per_sample", r->old_ns);
  set_number(tree, "old_bytes", r->old_bytes);
  set_number(tree, "ratio", r->speed.best_ns / r->old_ns);
  return tree;
}

json_t *bench_json(const bench_report *report) {
  json_t *works = json_array();
  for (uint32_t i = 0; i < report->count; i++)
    json_array_append_new(works, result_json(report, &report->results[i]));
  json_t *tree =
      json_pack("{s:s, s:s, s:s, s:f, s:s, s:f, s:b, s:o}", "version", CT_VERSION, "cpu", report->cpu,
                "instruction_set", report->instruction_set, "peak_gflops", report->peak_gflops, "peak_with",
                report->peak_with, "rate_hz", report->rate_hz, "quick", report->quick, "works", works);
  if (tree && report->old_only)
    json_object_set(tree, "only_in_old", report->old_only);
  return tree;
}

/* ---- reading ---- */

static const char *text_at(const json_t *tree, const char *key) {
  return json_string_value(json_object_get(tree, key));
}

static double number_at(const json_t *tree, const char *key) {
  const json_t *value = json_object_get(tree, key);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static bool is_report(const json_t *tree) {
  const json_t *works = json_object_get(tree, "works");
  if (!text_at(tree, "version") || !text_at(tree, "cpu") || !text_at(tree, "instruction_set") ||
      !(number_at(tree, "rate_hz") > 0) || !json_is_array(works))
    return false;
  for (size_t i = 0; i < json_array_size(works); i++) {
    const json_t *work = json_array_get(works, i);
    if (!text_at(work, "name") || !(number_at(work, "ns_per_sample") > 0))
      return false;
  }
  return true;
}

ct_result bench_read(const char *file, json_t **tree, ct_error *error) {
  char *text = NULL;
  size_t length = 0;
  json_error_t fault;
  *tree = NULL;
  ct_result result = ct_text_file_read(file, &text, &length, error);
  if (result != CT_OK)
    return result;
  *tree = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault);
  free(text);
  if (!*tree)
    return ct_fail(error, CT_BAD_FILE, "%.200s:%d:%d: %s", file, fault.line, fault.column, fault.text);
  if (is_report(*tree))
    return CT_OK;
  json_decref(*tree);
  *tree = NULL;
  return ct_fail(error, CT_BAD_FILE, "%.200s: is not what 'contatto bench --json' writes", file);
}

/* ---- comparing ---- */

static bench_result *find(const bench_report *report, const char *name) {
  for (uint32_t i = 0; i < report->count; i++)
    if (strcmp(report->results[i].work->name, name) == 0)
      return &report->results[i];
  return NULL;
}

static void describe_old(bench_report *report, const json_t *tree) {
  double rate_hz = number_at(tree, "rate_hz");
  snprintf(report->old_words, sizeof report->old_words, "version %s, %s, instruction set %s, %g Hz%s",
           text_at(tree, "version"), text_at(tree, "cpu"), text_at(tree, "instruction_set"), rate_hz,
           json_is_true(json_object_get(tree, "quick")) ? ", quick" : "");
  report->elsewhere = strcmp(text_at(tree, "cpu"), report->cpu) != 0 ||
                      strcmp(text_at(tree, "instruction_set"), report->instruction_set) != 0 ||
                      rate_hz != report->rate_hz ||
                      json_is_true(json_object_get(tree, "quick")) != report->quick;
}

ct_result bench_compare(bench_report *report, const char *file, const json_t *tree, ct_error *error) {
  const json_t *works = json_object_get(tree, "works");
  report->compared = true;
  report->old_name = file;
  report->old_only = json_array();
  if (!report->old_only)
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  describe_old(report, tree);
  for (size_t i = 0; i < json_array_size(works); i++) {
    const json_t *old = json_array_get(works, i);
    bench_result *now = find(report, text_at(old, "name"));
    if (now) {
      now->old_ns = number_at(old, "ns_per_sample");
      now->old_bytes = number_at(old, "bytes");
    } else {
      json_array_append(report->old_only, json_object_get(old, "name"));
    }
  }
  return CT_OK;
}
