/* A document as a JSON tree, by way of its text; and trees as text. */
#include "base/number.h"
#include "file/json.h"

#include <stdint.h>
#include <stdlib.h>

json_t *ct_doc_to_json(const ct_doc *doc) {
  size_t length;
  if (ct_doc_write_json(doc, NULL, 0, &length, NULL) != CT_OK)
    return NULL;
  char *text = malloc(length + 1);
  bool written = text && ct_doc_write_json(doc, text, length + 1, &length, NULL) == CT_OK;
  json_t *tree = written ? json_loadb(text, length, 0, NULL) : NULL;
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
