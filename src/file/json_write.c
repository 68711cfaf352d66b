/* A document as a JSON tree, by way of its text; and trees as text. */
#include "base/number.h"
#include "base/text.h"
#include "file/json.h"

#include <stdint.h>
#include <stdlib.h>

ct_result ct_doc_to_text(const ct_doc *doc, char **text, ct_error *error) {
  size_t length;
  CT_TRY(ct_doc_write_json(doc, NULL, 0, &length, error));
  if (!(*text = malloc(length + 1)))
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  return ct_doc_write_json(doc, *text, length + 1, &length, error); /* it has room, so it is written */
}

json_t *ct_doc_to_json(const ct_doc *doc) {
  char *text;
  if (ct_doc_to_text(doc, &text, NULL) != CT_OK)
    return NULL;
  json_t *tree = json_loads(text, 0, NULL);
  free(text);
  return tree;
}

/* ---- printing ---- */

static int most_digits(const json_t *node) {
  int most = json_is_real(node) ? ct_number_digits(json_real_value(node)) : 15;
  const char *key;
  json_t *child;
  json_object_foreach((json_t *)(uintptr_t)node, key, child) {
    int digits = most_digits(child);
    most = digits > most ? digits : most;
  }
  for (size_t i = 0; i < json_array_size(node); i++) {
    int digits = most_digits(json_array_get(node, i));
    most = digits > most ? digits : most;
  }
  return most;
}

char *ct_json_print(const json_t *tree) {
  return json_dumps(tree, JSON_INDENT(2) | JSON_ENCODE_ANY | JSON_REAL_PRECISION((size_t)most_digits(tree)));
}
