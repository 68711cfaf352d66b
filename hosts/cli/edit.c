/* A scene as loaded, changed by --preset and --set. */
#include "base/text.h"
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

ct_result cli_edit(ct_doc *doc, const char *preset, const cli_list *sets, ct_error *error) {
  ct_result result = preset ? ct_doc_apply_preset(doc, preset, error) : CT_OK;
  for (uint32_t i = 0; i < sets->count && result == CT_OK; i++)
    result = apply_set(doc, sets->items[i], error);
  return result;
}
