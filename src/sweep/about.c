/* about.json. Nothing in it depends on when or where it was made. */
#include "base/text.h"
#include "file/json.h"
#include "file/staged.h"
#include "sweep/folder.h"

#include <stdlib.h>
#include <string.h>

static const char *const writes[] = {"wav", "flac", "measures", "watched"};

static json_t *inputs_tree(const ct_sweep_plan *plan) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < plan->input_count; i++) {
    const ct_sweep_input *input = &plan->inputs[i];
    json_array_append_new(list, json_pack("{s:s, s:s, s:b}", "name", input->name, "sha256", input->sha256,
                                          "built_in", !input->file));
  }
  return list;
}

static json_t *about_tree(const ct_sweep_plan *plan, const ct_sweep_origin *o,
                          const ct_sweep_summary *summary) {
  const uint64_t sounds = ct_sweep_writes_sounds(plan) ? summary->count - summary->failed : 0;
  return json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:o}", "contatto_data_set",
                   1, "title", plan->title ? plan->title : "", "licence", plan->licence ? plan->licence : "",
                   "write", writes[plan->write], "plan", o->plan, "program", o->program, "instructions",
                   o->instructions, "shard", (json_int_t)o->shard, "shards", (json_int_t)o->shards, "rows",
                   (json_int_t)summary->count, "sounds", (json_int_t)sounds, "failed",
                   (json_int_t)summary->failed, "inputs", inputs_tree(plan));
}

ct_result ct_sweep_about_write(const char *folder, const ct_sweep_plan *plan, const ct_sweep_origin *origin,
                               const ct_sweep_summary *summary, ct_error *error) {
  json_t *tree = about_tree(plan, origin, summary);
  char *text = tree ? ct_json_print(tree) : NULL;
  ct_result result = text ? ct_staged_write_text(ct_file_join(folder, "about.json").text, text, error)
                          : ct_fail(error, CT_NO_MEMORY, "no memory for the sweep");
  free(text);
  json_decref(tree);
  return result;
}

/* ---- reading back ---- */

static ct_result read_about(const char *folder, json_t **tree, ct_error *error) {
  *tree = json_load_file(ct_file_join(folder, "about.json").text, 0, NULL);
  return *tree ? CT_OK : ct_fail(error, CT_BAD_FILE, "%.200s/about.json: cannot be read", folder);
}

static const char *text_of(const json_t *tree, const char *key) {
  const char *text = json_string_value(json_object_get(tree, key));
  return text ? text : "";
}

static uint64_t count_of(const json_t *tree, const char *key) {
  return (uint64_t)json_integer_value(json_object_get(tree, key));
}

ct_result ct_sweep_about_compare(const char *folder, const ct_sweep_origin *origin, ct_sweep_summary *summary,
                                 ct_error *error) {
  json_t *tree;
  ct_sweep_origin there = {.count = origin->count};
  CT_TRY(read_about(folder, &tree, error));
  ct_format(there.plan, sizeof there.plan, "%s", text_of(tree, "plan"));
  ct_format(there.program, sizeof there.program, "%s", text_of(tree, "program"));
  ct_format(there.instructions, sizeof there.instructions, "%s", text_of(tree, "instructions"));
  there.shard = count_of(tree, "shard");
  there.shards = count_of(tree, "shards");
  *summary = (ct_sweep_summary){
      .count = count_of(tree, "rows"), .failed = count_of(tree, "failed"), .pictures = true};
  json_decref(tree);
  return ct_sweep_origin_compare(folder, &there, origin, error);
}

ct_result ct_sweep_about_counts(const char *folder, uint64_t *rows, uint64_t *sounds, ct_error *error) {
  json_t *tree;
  CT_TRY(read_about(folder, &tree, error));
  *rows = count_of(tree, "rows");
  *sounds = count_of(tree, "sounds");
  json_decref(tree);
  return CT_OK;
}
