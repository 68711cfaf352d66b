/* A document into a JSON tree. Each leaf carries its schema row, whose pattern says which words of the path
 * are names and which are places in a list: "bodies.*.modes[].hz". */
#include "base/number.h"
#include "file/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 12, PATH_BYTES = 1024 };

typedef struct leaf_path {
  char bytes[PATH_BYTES];
  const char *words[DEPTH];
  bool index[DEPTH];
  uint32_t depth;
} leaf_path;

static bool cut(leaf_path *p, const char *path) {
  const char *separators = strchr(path, CT_DOC_JOIN) ? "\x1f" : ".[]";
  char *rest = NULL;
  if (strlen(path) >= PATH_BYTES)
    return false;
  memcpy(p->bytes, path, strlen(path) + 1);
  p->depth = 0;
  for (char *word = strtok_r(p->bytes, separators, &rest); word; word = strtok_r(NULL, separators, &rest)) {
    if (p->depth == DEPTH)
      return false;
    p->words[p->depth++] = word;
  }
  return p->depth > 0;
}

static void mark_indices(leaf_path *p, const char *pattern) {
  for (uint32_t i = 0; i < p->depth; i++) {
    p->index[i] = *pattern == '[';
    pattern += p->index[i] ? 2 : strcspn(pattern, ".[");
    pattern += *pattern == '.';
  }
}

static json_t *number_json(const ct_leaf *leaf) {
  if (leaf->row->type == CT_TYPE_FLAG)
    return json_boolean(leaf->number != 0);
  if (!isfinite(leaf->number))
    return json_null();
  if (leaf->number == floor(leaf->number) && fabs(leaf->number) < 1e15)
    return json_integer((json_int_t)leaf->number);
  return json_real(leaf->number);
}

static json_t *leaf_json(const ct_leaf *leaf) {
  return leaf->text ? json_string(leaf->text) : number_json(leaf);
}

static json_t *child_of(const json_t *node, const char *word, bool index) {
  return index ? json_array_get(node, strtoul(word, NULL, 10)) : json_object_get(node, word);
}

/* Takes the reference, also on failure. */
static bool put_child(json_t *node, const char *word, bool index, json_t *child) {
  if (!index)
    return json_object_set_new(node, word, child) == 0;
  size_t place = strtoul(word, NULL, 10);
  while (json_array_size(node) < place && json_array_append_new(node, json_null()) == 0)
    ;
  if (place < json_array_size(node))
    return json_array_set_new(node, place, child) == 0;
  return json_array_append_new(node, child) == 0;
}

static bool put_leaf(json_t *root, const ct_leaf *leaf) {
  leaf_path p;
  if (!cut(&p, leaf->path))
    return false;
  mark_indices(&p, leaf->row->path);
  json_t *node = root;
  for (uint32_t i = 0; i + 1 < p.depth; i++) {
    json_t *child = child_of(node, p.words[i], p.index[i]);
    if (!json_is_object(child) && !json_is_array(child)) {
      child = p.index[i + 1] ? json_array() : json_object();
      if (!put_child(node, p.words[i], p.index[i], child))
        return false;
    }
    node = child;
  }
  return put_child(node, p.words[p.depth - 1], p.index[p.depth - 1], leaf_json(leaf));
}

json_t *ct_doc_to_json(const ct_doc *doc) {
  json_t *root = json_object();
  bool good = root != NULL;
  for (uint32_t i = 0; good && i < ct_doc_leaf_count(doc); i++) {
    ct_leaf leaf = ct_doc_leaf(doc, i);
    good = put_leaf(root, &leaf);
  }
  if (!good && root) {
    json_decref(root);
    root = NULL;
  }
  return root;
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
