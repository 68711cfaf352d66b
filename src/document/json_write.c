/* A document as a scene file's text. Each leaf carries its schema row, whose pattern says which words of the
 * path are names and which are places in a list: "bodies.*.modes[].hz". Leaves of one object need not have
 * been set one after the other, so a tree of words is made first; objects keep the order in which their words
 * were first set, lists that of their numbers. */
#include "base/grow.h"
#include "base/number.h"
#include "base/text.h"
#include "document/doc.h"
#include "document/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, INDENT = 2 };

typedef struct word {
  const char *bytes; /* of a leaf's path */
  uint32_t length;
  uint32_t index; /* of a list's item, NONE: a key */
} word;

typedef struct twig {
  char *path; /* the words from the root on, joined by CT_DOC_JOIN */
  word word;
  uint32_t parent, next, first, last; /* twigs */
  uint32_t leaf;                      /* NONE: an object or a list */
} twig;

typedef struct tree {
  const ct_doc *doc;
  twig *twigs; /* the first is the root */
  uint32_t count;
  size_t room;
  ct_names names; /* by path */
  ct_error *error;
} tree;

/* ---- words ---- */

/* The path's words, as its row's pattern tells them; 0 when there are too many. */
static uint32_t cut(const ct_leaf *leaf, word words[CT_JSON_DEPTH]) {
  const char *at = leaf->path, *pattern = leaf->row->path;
  char separator = strchr(at, CT_DOC_JOIN) ? CT_DOC_JOIN : '.';
  uint32_t count = 0;
  for (; *at; count++) {
    if (count == CT_JSON_DEPTH)
      return 0;
    const char *end = strchr(at, separator);
    word *w = &words[count];
    *w = (word){at, (uint32_t)(end ? end - at : (ptrdiff_t)strlen(at)), NONE};
    if (*pattern == '[') {
      w->index = 0;
      for (uint32_t i = 0; i < w->length; i++)
        w->index = 10 * w->index + (uint32_t)(at[i] - '0');
    }
    pattern += *pattern == '[' ? 2 : strcspn(pattern, ".[");
    pattern += *pattern == '.';
    at = end ? end + 1 : at + w->length;
  }
  return count;
}

/* ---- the tree ---- */

static const char *twig_path(const void *twigs, uint32_t index) { return ((const twig *)twigs)[index].path; }

static ct_result append(tree *t, const char *path, const word *w, uint32_t parent) {
  char *copy = ct_doc_copy_text(path);
  bool room = copy && ct_grow(&t->twigs, &t->room, t->count + 1, sizeof *t->twigs);
  if (room)
    t->twigs[t->count] = (twig){copy, *w, parent, NONE, NONE, NONE, NONE};
  if (!room || !ct_names_add(&t->names, t->count, twig_path, t->twigs)) {
    free(copy);
    return ct_fail(t->error, CT_NO_MEMORY, "no memory to write the scene");
  }
  t->count++;
  return CT_OK;
}

/* Behind the last one, or where its number belongs. */
static void link(tree *t, uint32_t index) {
  twig *made = &t->twigs[index], *parent = &t->twigs[made->parent];
  uint32_t before = parent->last;
  if (made->word.index != NONE && before != NONE && t->twigs[before].word.index > made->word.index) {
    before = NONE;
    for (uint32_t i = parent->first; t->twigs[i].word.index < made->word.index; i = t->twigs[i].next)
      before = i;
  }
  uint32_t *to = before == NONE ? &parent->first : &t->twigs[before].next;
  made->next = *to;
  *to = index;
  if (made->next == NONE)
    parent->last = index;
}

/* A list holds no keys, an object no numbers, and a value neither. */
static bool fits(const tree *t, uint32_t parent, const word *w) {
  const twig *p = &t->twigs[parent];
  bool listed = p->first != NONE && t->twigs[p->first].word.index != NONE;
  return p->leaf == NONE && (p->first == NONE || listed == (w->index != NONE));
}

/* The twig of that path below `parent`, made when it is not there yet. */
static ct_result want(tree *t, uint32_t parent, const char *path, const word *w, uint32_t *index) {
  *index = ct_names_find(&t->names, path, twig_path, t->twigs);
  if (*index != CT_NO_NAME)
    return CT_OK;
  if (!fits(t, parent, w))
    return ct_fail(t->error, CT_BAD_SCENE,
                   "%.160s: cannot be written beside what else is there: a list or words", w->bytes);
  CT_TRY(append(t, path, w, parent));
  *index = t->count - 1;
  link(t, *index);
  return CT_OK;
}

static ct_result plant(tree *t, uint32_t leaf) {
  ct_leaf shown = ct_doc_leaf(t->doc, leaf);
  word words[CT_JSON_DEPTH];
  char path[CT_PATH_BYTES * 2 + 2] = ""; /* one separator more than the leaf's */
  uint32_t count = cut(&shown, words), at = 0;
  size_t used = 0;
  for (uint32_t i = 0; i < count; i++) {
    path[used++] = CT_DOC_JOIN;
    memcpy(path + used, words[i].bytes, words[i].length);
    path[used += words[i].length] = 0;
    CT_TRY(want(t, at, path, &words[i], &at));
  }
  t->twigs[at].leaf = leaf;
  return CT_OK;
}

static ct_result grow(tree *t) {
  CT_TRY(append(t, "", &(word){"", 0, NONE}, NONE));
  for (uint32_t i = 0; i < ct_doc_leaf_count(t->doc); i++)
    CT_TRY(plant(t, i));
  return CT_OK;
}

/* ---- the text ---- */

typedef struct sink {
  char *text;
  size_t size, used; /* used counts what would have been written, as snprintf does */
} sink;

static void put(sink *s, const char *bytes, size_t length) {
  if (s->used < s->size)
    memcpy(s->text + s->used, bytes, length < s->size - s->used ? length : s->size - s->used);
  s->used += length;
}

static void put_line(sink *s, uint32_t depth) {
  put(s, "\n", 1);
  for (uint32_t i = 0; i < INDENT * depth; i++)
    put(s, " ", 1);
}

static void put_escape(sink *s, unsigned char c) {
  static const char hex[] = "0123456789abcdef";
  const char *known = strchr("\"\"\\\\\bb\ff\nn\rr\tt", c);
  char escape[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
  if (known && c)
    put(s, (const char[]){'\\', known[1]}, 2);
  else
    put(s, escape, sizeof escape);
}

static void put_string(sink *s, const char *bytes, size_t length) {
  put(s, "\"", 1);
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c < ' ' || c == '"' || c == '\\')
      put_escape(s, c);
    else
      put(s, bytes + i, 1);
  }
  put(s, "\"", 1);
}

/* A flag may have been given as a number, any from 0 to 1; then it is written as that. */
static bool is_flag(const ct_leaf *leaf) {
  bool plain = leaf->number == 1 || (leaf->number == 0 && !signbit(leaf->number));
  return leaf->row->type == CT_TYPE_FLAG && plain;
}

static ct_result put_leaf(const tree *t, sink *s, uint32_t index) {
  ct_leaf leaf = ct_doc_leaf(t->doc, index);
  char text[CT_NUMBER_ROOM];
  if (leaf.text && !ct_json_is_utf8(leaf.text, strlen(leaf.text)))
    return ct_fail(t->error, CT_BAD_VALUE, "%.200s: not UTF-8; cannot be written", leaf.path);
  if (leaf.text)
    put_string(s, leaf.text, strlen(leaf.text));
  else if (is_flag(&leaf))
    put(s, leaf.number != 0 ? "true" : "false", leaf.number != 0 ? 4 : 5);
  else if (isfinite(leaf.number))
    put(s, text, ct_number_print(text, leaf.number, ct_number_digits(leaf.number)));
  else
    put(s, "null", 4);
  return CT_OK;
}

static ct_result put_twig(const tree *t, sink *s, const twig *w, uint32_t depth);

/* Values alone stand in one line, what holds more in lines of its own. A place that was left out is [], which
 * sets nothing when it is read: null would be a value, and {} is refused. */
static ct_result put_list(const tree *t, sink *s, const twig *list, uint32_t depth) {
  uint32_t at = list->first, wanted = 0;
  bool plain = t->twigs[at].leaf != NONE;
  put(s, "[", 1);
  for (; at != NONE; wanted++) {
    const twig *item = &t->twigs[at];
    if (wanted)
      put(s, ", ", plain ? 2 : 1);
    if (!plain)
      put_line(s, depth + 1);
    if (item->word.index > wanted) {
      put(s, "[]", 2);
      continue;
    }
    CT_TRY(put_twig(t, s, item, depth + 1));
    at = item->next;
  }
  if (!plain)
    put_line(s, depth);
  put(s, "]", 1);
  return CT_OK;
}

static ct_result put_member(const tree *t, sink *s, const twig *member, uint32_t depth) {
  const word *key = &member->word;
  if (!ct_json_is_utf8(key->bytes, key->length))
    return ct_fail(t->error, CT_BAD_VALUE, "%.200s: not UTF-8; cannot be written", key->bytes);
  put_line(s, depth);
  put_string(s, key->bytes, key->length);
  put(s, ": ", 2);
  return put_twig(t, s, member, depth);
}

static ct_result put_object(const tree *t, sink *s, const twig *object, uint32_t depth) {
  put(s, "{", 1);
  for (uint32_t at = object->first; at != NONE; at = t->twigs[at].next) {
    if (at != object->first)
      put(s, ",", 1);
    CT_TRY(put_member(t, s, &t->twigs[at], depth + 1));
  }
  put_line(s, depth);
  put(s, "}", 1);
  return CT_OK;
}

/* As deep as paths have words. */
static ct_result put_twig(const tree *t, sink *s, const twig *w, uint32_t depth) {
  if (w->leaf != NONE)
    return put_leaf(t, s, w->leaf);
  bool list = w->first != NONE && t->twigs[w->first].word.index != NONE;
  return list ? put_list(t, s, w, depth) : put_object(t, s, w, depth);
}

ct_result ct_doc_write_json(const ct_doc *doc, char *text, size_t size, size_t *length, ct_error *error) {
  if (!doc || (!text && size) || !length)
    return ct_fail(error, CT_BAD_ARGUMENT, "write: a null pointer");
  tree t = {.doc = doc, .error = error};
  sink s = {text, size ? size - 1 : 0, 0};
  ct_result result = grow(&t);
  if (result == CT_OK)
    result = put_twig(&t, &s, t.twigs, 0);
  put(&s, "\n", 1);
  if (size)
    text[s.used < size ? s.used : size - 1] = 0;
  *length = s.used;
  for (uint32_t i = 0; i < t.count; i++)
    free(t.twigs[i].path);
  free(t.twigs);
  ct_names_clear(&t.names);
  return result;
}
