/* contatto describe: a scene, a body, or every parameter there is. */
#include "file/json.h"
#include "file/load.h"
#include "hosts/cli/cli.h"
#include "hosts/cli/describe.h"

#include <stdlib.h>

ct_result cli_describe_load(const describe_job *j, ct_doc **doc, ct_error *error) {
  ct_claims claims = {0};
  ct_result result = cli_load(j->scene, j->preset, &j->sets, &claims, doc, error);
  if (result == CT_OK)
    result = ct_claims_write(&claims, j->picture, error);
  ct_claims_free(&claims);
  return result;
}

static int describe_scene(const describe_job *j) {
  ct_error error;
  ct_doc *doc = NULL;
  ct_result result = cli_describe_load(j, &doc, &error);
  json_t *tree = result == CT_OK ? ct_doc_to_json(doc) : NULL;
  int code = CLI_OK;
  if (result != CT_OK)
    code = cli_fail("describe", "%s", error.text);
  else if (!tree)
    code = cli_fail("describe", "no memory");
  else if (j->json)
    code = cli_print_json("describe", cli_scene_json(j->scene, doc, tree));
  else
    cli_scene_show(j->scene, doc, tree);
  json_decref(tree);
  ct_doc_destroy(doc);
  return code;
}

static int describe_schema(const describe_job *j) {
  if (j->json)
    return cli_print_json("describe", cli_schema_json());
  if (j->markdown)
    cli_schema_markdown();
  else
    cli_schema_show();
  return CLI_OK;
}

static int check(const describe_job *j) {
  if (j->markdown && (j->scene || j->body || j->map || j->json))
    return cli_misuse("describe", "--markdown stands alone");
  if (j->picture && !j->body && !j->map)
    return cli_misuse("describe", "--picture draws a body or a map: wants --body or --map");
  if (j->body && j->map)
    return cli_misuse("describe", "--body and --map: one at a time");
  if (!j->scene && (j->preset || j->sets.count))
    return cli_misuse("describe", "--preset and --set change a scene: wants SCENE");
  return cli_check_sets("describe", &j->sets);
}

static bool parse(describe_job *j, int argc, char **argv, int *code) {
  const cli_option options[] = {
      {"body", 'b', CLI_TEXT, &j->body, "NAME|WORDS",
       "the modes of one body of SCENE, or of a body in words: '{\"shape\": \"bar\", \"material\": "
       "\"wood\"}'",
       0, 0},
      {"map", 'm', CLI_TEXT, &j->map, "NAME", "the map of one source of SCENE", 0, 0},
      {"picture", 0, CLI_OUTPUT, &j->picture, "FILE.png",
       "draw the body's mode shapes and spectrum, or the map", 0, 0},
      {"preset", 'p', CLI_TEXT, &j->preset, "NAME", "one of the scene's presets", 0, 0},
      {"set", 0, CLI_LIST, &j->sets, "PATH=VALUE", "change a control or parameter; may be repeated", 0, 0},
      {"rate", 'r', CLI_NUMBER, &j->rate_hz, "HZ", "samples per second the body is for; default 48000", 8000,
       384000},
      {"strict", 0, CLI_FLAG, &j->strict, NULL, "a warning is an error", 0, 0},
      {"json", 0, CLI_FLAG, &j->json, NULL, "as JSON", 0, 0},
      {"markdown", 0, CLI_FLAG, &j->markdown, NULL,
       "every parameter, as the reference in docs/scene-format.md", 0, 0},
  };
  const cli_command command = {
      "describe",
      "[SCENE] [--body NAME|WORDS] [--map NAME] [OPTION]...",
      "Shows what SCENE, a built-in name or a file, is made of; with --body, the "
      "modes of a body,\nwith --map the map of a source; without SCENE, every parameter a scene may have.",
      options,
      sizeof options / sizeof options[0],
      0,
      1};
  return cli_parse(&command, argc, argv, &j->scene, code);
}

int cmd_describe(int argc, char **argv) {
  describe_job j = {.rate_hz = 48000};
  int code;
  if (parse(&j, argc, argv, &code) && (code = check(&j)) == CLI_OK)
    code = j.body    ? cli_body_describe(&j)
           : j.map   ? cli_map_describe(&j)
           : j.scene ? describe_scene(&j)
                     : describe_schema(&j);
  free(j.sets.items);
  return code;
}
