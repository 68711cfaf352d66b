/* contatto list: the built-in scenes. */
#include "file/load.h"
#include "hosts/cli/cli.h"

static void show(const char *name, const ct_doc *doc) {
  printf("%-12s %s\n%-12s presets:", name, ct_doc_title(doc), "");
  for (uint32_t i = 0; i < ct_doc_preset_count(doc); i++)
    printf("%s %s", i ? "," : "", ct_doc_preset_name(doc, i));
  puts(ct_doc_preset_count(doc) ? "" : " none");
}

static json_t *as_json(const char *name, const ct_doc *doc) {
  json_t *presets = json_array();
  for (uint32_t i = 0; i < ct_doc_preset_count(doc); i++)
    json_array_append_new(presets, json_string(ct_doc_preset_name(doc, i)));
  return json_pack("{s:s, s:s, s:s, s:f, s:o}", "name", name, "title", ct_doc_title(doc), "about",
                   ct_doc_about(doc), "seconds", ct_doc_seconds(doc), "presets", presets);
}

/* The tree is null when plain lines are wanted. */
static int list_all(json_t *tree) {
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    const char *name = ct_builtin_scenes[i].name;
    ct_error error;
    ct_doc *doc;
    if (ct_doc_load(name, &doc, &error) != CT_OK)
      return cli_fail("list", "%s", error.text);
    if (tree)
      json_array_append_new(tree, as_json(name, doc));
    else
      show(name, doc);
    ct_doc_destroy(doc);
  }
  return CLI_OK;
}

int cmd_list(int argc, char **argv) {
  bool json = false;
  int code;
  const cli_option options[] = {{"json", 0, CLI_FLAG, &json, NULL, "as JSON", 0, 0}};
  const cli_command command = {
      "list", "[--json]", "Shows the built-in scenes with their presets.", options, 1, 0, 0};
  if (!cli_parse(&command, argc, argv, NULL, &code))
    return code;
  if (!json)
    return list_all(NULL);
  json_t *tree = json_array();
  code = list_all(tree);
  if (code == CLI_OK)
    return cli_print_json("list", tree);
  json_decref(tree);
  return code;
}
