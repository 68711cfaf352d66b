/* contatto describe: a scene, or every parameter there is. */
#include "file/json.h"
#include "file/load.h"
#include "hosts/cli/cli.h"
#include "hosts/cli/describe.h"

static int describe_scene(const char *name, bool json) {
  ct_error error;
  ct_doc *doc;
  if (ct_doc_load(name, &doc, &error) != CT_OK)
    return cli_fail("describe", "%s", error.text);
  json_t *tree = ct_doc_to_json(doc);
  int code = CLI_OK;
  if (!tree)
    code = cli_fail("describe", "no memory");
  else if (json)
    code = cli_print_json("describe", cli_scene_json(name, doc, tree));
  else
    cli_scene_show(name, doc, tree);
  json_decref(tree);
  ct_doc_destroy(doc);
  return code;
}

int cmd_describe(int argc, char **argv) {
  bool json = false, markdown = false;
  const char *scene = NULL;
  int code;
  const cli_option options[] = {
      {"json", 0, CLI_FLAG, &json, NULL, "as JSON", 0, 0},
      {"markdown", 0, CLI_FLAG, &markdown, NULL, "every parameter, as the reference in docs/scene-format.md",
       0, 0},
  };
  const cli_command command = {"describe",
                               "[SCENE] [--json]",
                               "Shows what SCENE, a built-in name or a file, is made of; without SCENE, "
                               "every parameter a scene may have.",
                               options,
                               2,
                               0,
                               1};
  if (!cli_parse(&command, argc, argv, &scene, &code))
    return code;
  if (markdown && (scene || json))
    return cli_misuse("describe", "--markdown stands alone");
  if (scene)
    return describe_scene(scene, json);
  if (json)
    return cli_print_json("describe", cli_schema_json());
  if (markdown)
    cli_schema_markdown();
  else
    cli_schema_show();
  return CLI_OK;
}
