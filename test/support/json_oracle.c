/* See json_oracle.h. */
#include "support/json_oracle.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 12, PATH_BYTES = 1024, INDEX_BYTES = 24, LIST_MOST = 65536 };

typedef struct walk {
  ct_doc *doc;
  const char *name; /* of the file */
  const char *words[DEPTH];
  char numbers[DEPTH][INDEX_BYTES]; /* words that are indices */
  uint32_t depth;
  ct_error *error;
} walk;

/* ---- paths ---- */

/* A key that holds a separator itself forces the join character on the whole path. */
static char separator_for(const walk *w) {
  for (uint32_t i = 0; i < w->depth; i++)
    if (strpbrk(w->words[i], ".[]"))
      return CT_DOC_JOIN;
  return '.';
}

static bool join(const walk *w, char separator, char path[PATH_BYTES]) {
  size_t used = 0;
  for (uint32_t i = 0; i < w->depth; i++) {
    size_t length = strlen(w->words[i]);
    if (used + length + 2 > PATH_BYTES)
      return false;
    if (i)
      path[used++] = separator;
    memcpy(path + used, w->words[i], length);
    used += length;
  }
  path[used] = 0;
  return true;
}

/* What a message calls the place: of a very long one, the beginning. */
static const char *place(const walk *w, char path[PATH_BYTES]) {
  if (!w->depth)
    return "the file";
  if (!join(w, '.', path)) {
    size_t used = 0;
    for (uint32_t i = 0; i < w->depth && used < PATH_BYTES; i++)
      used += (size_t)snprintf(path + used, PATH_BYTES - used, "%s%.40s%s", i ? "." : "", w->words[i],
                               strlen(w->words[i]) > 40 ? "..." : "");
  }
  return path;
}

static ct_result refuse(const walk *w, const char *what) {
  char path[PATH_BYTES];
  return ct_fail(w->error, CT_BAD_SCENE, "%.100s: %.120s: %s", w->name, place(w, path), what);
}

/* ---- leaves ---- */

/* A leaf that is null stands for "no number here"; where the schema wants one, it says so. */
static ct_result set(ct_doc *doc, const char *path, const json_t *value, ct_error *error) {
  if (json_is_string(value))
    return ct_doc_set_text(doc, path, json_string_value(value), error);
  if (json_is_boolean(value))
    return ct_doc_set_flag(doc, path, json_is_true(value), error);
  return ct_doc_set_number(doc, path, json_is_null(value) ? (double)NAN : json_number_value(value), error);
}

static void show_dots(char *text) {
  for (; *text; text++)
    if (*text == CT_DOC_JOIN)
      *text = '.';
}

static ct_result set_leaf(walk *w, const json_t *value) {
  char path[PATH_BYTES];
  ct_error inner = {.text = ""};
  if (!join(w, separator_for(w), path))
    return refuse(w, "this path is too long; wants shorter names");
  ct_result result = set(w->doc, path, value, &inner);
  if (result == CT_OK)
    return CT_OK;
  show_dots(inner.text);
  return ct_fail(w->error, result, "%.100s: %.200s", w->name, inner.text);
}

/* ---- the tree ---- */

static ct_result visit(walk *w, const json_t *value);

static ct_result visit_child(walk *w, const char *word, const json_t *value) {
  if (w->depth == DEPTH)
    return refuse(w, "nested too deeply");
  w->words[w->depth++] = word;
  ct_result result = visit(w, value);
  w->depth--;
  return result;
}

static bool usable_key(const char *key) {
  for (const char *c = key; *c; c++)
    if ((unsigned char)*c < ' ')
      return false;
  return *key != 0;
}

static ct_result visit_object(walk *w, const json_t *object) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    if (!usable_key(key))
      return refuse(w, "holds an empty key, or one with a control character");
    ct_result result = visit_child(w, key, value);
    if (result != CT_OK)
      return result;
  }
  return CT_OK;
}

static ct_result visit_array(walk *w, const json_t *array) {
  if (json_array_size(array) > LIST_MOST)
    return refuse(w, "a list of more than 65536 items; wants fewer");
  for (size_t i = 0; i < json_array_size(array); i++) {
    char *number = w->depth < DEPTH ? w->numbers[w->depth] : NULL;
    if (number)
      snprintf(number, INDEX_BYTES, "%zu", i);
    ct_result result = visit_child(w, number, json_array_get(array, i));
    if (result != CT_OK)
      return result;
  }
  return CT_OK;
}

/* {} below the first level would vanish without a word: a body or point that has no leaf is not there. */
static ct_result visit(walk *w, const json_t *value) {
  if (json_is_array(value))
    return visit_array(w, value);
  if (!json_is_object(value))
    return set_leaf(w, value);
  if (w->depth > 1 && json_object_size(value) == 0)
    return refuse(w, "{} holds nothing; give it at least one value, or leave it out");
  return visit_object(w, value);
}

/* ---- the file ---- */

json_t *oracle_parse(const char *text, size_t length) {
  return json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
}

uint32_t oracle_depth(const json_t *tree) {
  uint32_t deepest = 0;
  const char *key;
  json_t *child;
  json_object_foreach((json_t *)(uintptr_t)tree, key, child) {
    uint32_t depth = oracle_depth(child);
    deepest = depth > deepest ? depth : deepest;
  }
  for (size_t i = 0; i < json_array_size(tree); i++) {
    uint32_t depth = oracle_depth(json_array_get(tree, i));
    deepest = depth > deepest ? depth : deepest;
  }
  return deepest + (json_is_object(tree) || json_is_array(tree));
}

bool oracle_version(const char *text, size_t length, const json_t *tree, const char *name, ct_result *result,
                    ct_error *error) {
  json_t *exact = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
  const json_t *version = json_object_get(exact, "contatto");
  *result = CT_OK;
  if (!json_object_get(tree, "contatto"))
    *result =
        ct_fail(error, CT_BAD_SCENE, "%.200s: not a contatto scene file: it wants { \"contatto\": %d, ... }",
                name, CT_FILE_VERSION);
  else if (exact && (!json_is_integer(version) || json_integer_value(version) != CT_FILE_VERSION))
    *result = ct_fail(error, CT_BAD_SCENE,
                      "%.200s: written for another version of contatto; this one reads \"contatto\": %d",
                      name, CT_FILE_VERSION);
  bool known = exact || *result != CT_OK;
  json_decref(exact);
  return known;
}

ct_result oracle_fill(ct_doc *doc, const char *name, const json_t *tree, ct_error *error) {
  walk w = {.doc = doc, .name = name, .error = error};
  return visit(&w, tree);
}
