/* A scene as loaded, changed by --preset and --set. */
#include "base/text.h"
#include "file/load.h"
#include "hosts/cli/cli.h"

#include <stdlib.h>
#include <string.h>

int cli_check_sets(const char *command, const cli_list *sets) {
  for (uint32_t i = 0; i < sets->count; i++)
    if (!strchr(sets->items[i], '=') || sets->items[i][0] == '=')
      return cli_misuse(command, "--set: '%.80s' is not of the form PATH=VALUE", sets->items[i]);
  return CLI_OK;
}

static ct_result apply_set(ct_doc *doc, const char *text, ct_error *error) {
  size_t length = strcspn(text, "=");
  char *path = strndup(text, length);
  ct_result result = path ? ct_doc_set_typed(doc, path, text + length + 1, error)
                          : ct_fail(error, CT_NO_MEMORY, "--set: no memory");
  free(path);
  return result;
}

/* Whether one of them names another file: surfaces.ground.file=other.csv, bell.modes.from=other.json. */
static bool names_file(const cli_list *sets) {
  for (uint32_t i = 0; i < sets->count; i++) {
    size_t length = strcspn(sets->items[i], "=");
    if (length > 5 && (strncmp(sets->items[i] + length - 5, ".file", 5) == 0 ||
                       strncmp(sets->items[i] + length - 5, ".from", 5) == 0))
      return true;
  }
  return false;
}

static ct_result edit(ct_doc *doc, const char *preset, const cli_list *sets, ct_error *error) {
  ct_result result = preset ? ct_doc_apply_preset(doc, preset, error) : CT_OK;
  for (uint32_t i = 0; i < sets->count && result == CT_OK; i++)
    result = apply_set(doc, sets->items[i], error);
  return result;
}

ct_result cli_load(const char *scene, const char *preset, const cli_list *sets, ct_claims *claims,
                   ct_doc **doc, ct_error *error) {
  ct_result result = ct_doc_load(scene, doc, error);
  if (result == CT_OK)
    result = ct_doc_claim_files(*doc, scene, claims, error);
  if (result == CT_OK)
    result = edit(*doc, preset, sets, error);
  if (result != CT_OK || !names_file(sets))
    return result;
  result = ct_doc_claim_files(*doc, scene, claims, error);
  return result == CT_OK ? ct_doc_read_scans(*doc, scene, error) : result;
}
