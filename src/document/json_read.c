/* A scene's text into a document: walk it, join the words on the way, set the leaves. No parameter is known
 * here by name; the schema does all the checking. */
#include "base/grow.h"
#include "base/number.h"
#include "base/text.h"
#include "document/doc.h"
#include "document/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024, WORD_SHOWN = 40, LIST_MOST = 65536 };

typedef struct level {
  uint32_t key; /* where it begins; of a list: */
  uint32_t index;
  bool listed, dotted; /* dotted: the key holds a separator itself */
} level;

typedef struct walk {
  ct_doc *doc;
  const ct_json_text *text;
  uint32_t at;
  level levels[CT_JSON_DEPTH];
  uint32_t depth;
  char *words; /* of the value that is a text */
  size_t words_room;
  ct_error *error;
} walk;

/* ---- paths ---- */

/* Appends at most `most` bytes of a word; gives the length the whole word has. */
static size_t put_word(const walk *w, const level *l, char *to, size_t most) {
  char number[24];
  size_t length = 0;
  if (l->listed) {
    length = ct_format(number, sizeof number, "%u", l->index);
    memcpy(to, number, length < most ? length : most);
    return length;
  }
  ct_json_letters letters = ct_json_letters_of(w->text, l->key);
  for (int letter; (letter = ct_json_letter(&letters)) >= 0; length++)
    if (length < most)
      to[length] = (char)letter;
  return length;
}

/* A key that holds a separator itself forces the join character on the whole path. */
static char separator_for(const walk *w) {
  for (uint32_t i = 0; i < w->depth; i++)
    if (w->levels[i].dotted)
      return CT_DOC_JOIN;
  return '.';
}

static bool join(const walk *w, char separator, char path[PATH_BYTES]) {
  size_t used = 0;
  for (uint32_t i = 0; i < w->depth; i++) {
    if (used + 2 > PATH_BYTES)
      return false;
    if (i)
      path[used++] = separator;
    size_t room = PATH_BYTES - 1 - used, length = put_word(w, &w->levels[i], path + used, room);
    if (length > room)
      return false;
    used += length;
  }
  path[used] = 0;
  return true;
}

/* What a message calls the place: of a very long one, the beginning of each word. */
static const char *place(const walk *w, char path[PATH_BYTES]) {
  if (!w->depth)
    return "the file";
  if (join(w, '.', path))
    return path;
  size_t used = 0;
  for (uint32_t i = 0; i < w->depth; i++) {
    char word[WORD_SHOWN + 1] = "";
    bool cut = put_word(w, &w->levels[i], word, WORD_SHOWN) > WORD_SHOWN;
    used += ct_format(path + used, PATH_BYTES - used, "%s%s%s", i ? "." : "", word, cut ? "..." : "");
  }
  return path;
}

static ct_result refuse(const walk *w, const char *what) {
  char path[PATH_BYTES];
  return ct_fail(w->error, CT_BAD_SCENE, "%.100s: %.120s: %s", w->text->name, place(w, path), what);
}

/* ---- leaves ---- */

/* The text that begins here, in memory that the next one overwrites; null without memory. */
static const char *take_words(walk *w) {
  uint32_t end = ct_json_skip_string(w->text, w->at);
  size_t room = end - w->at; /* what is resolved is no longer than its escapes */
  if (!ct_grow(&w->words, &w->words_room, room, 1))
    return NULL;
  ct_json_letters letters = ct_json_letters_of(w->text, w->at);
  size_t length = 0;
  for (int letter; (letter = ct_json_letter(&letters)) >= 0;)
    w->words[length++] = (char)letter;
  w->words[length] = 0;
  w->at = end;
  return w->words;
}

/* A leaf that is null stands for "no number here"; where the schema wants one, it says so. */
static ct_result set_here(walk *w, const char *path, ct_error *error) {
  const char *here = w->text->bytes + w->at;
  double value = (double)NAN;
  if (*here == '"') {
    const char *words = take_words(w);
    return words ? ct_doc_set_text(w->doc, path, words, error)
                 : ct_fail(error, CT_NO_MEMORY, "%.120s: no memory for its text", path);
  }
  if (*here == 't' || *here == 'f') {
    w->at += *here == 't' ? 4 : 5;
    return ct_doc_set_flag(w->doc, path, *here == 't', error);
  }
  w->at += *here == 'n' ? 4 : (uint32_t)ct_number_read(here, w->text->length - w->at, &value);
  return ct_doc_set_number(w->doc, path, value, error);
}

static ct_result set_leaf(walk *w) {
  char path[PATH_BYTES];
  ct_error inner = {.text = ""};
  if (!join(w, separator_for(w), path))
    return refuse(w, "this path is too long; wants shorter names");
  ct_result result = set_here(w, path, &inner);
  if (result == CT_OK)
    return CT_OK;
  ct_path_show_dots(inner.text);
  return ct_fail(w->error, result, "%.100s: %.200s", w->text->name, inner.text);
}

/* ---- objects and lists ---- */

static ct_result visit(walk *w);

static char next(walk *w) {
  w->at = ct_json_skip_blanks(w->text, w->at);
  return w->text->bytes[w->at];
}

/* Steps over what is there; false when that was the closing bracket. */
static bool goes_on(walk *w, char closing) {
  char here = next(w);
  w->at++;
  return here != closing;
}

static ct_result visit_child(walk *w, level l) {
  w->levels[w->depth++] = l;
  ct_result result = visit(w);
  w->depth--;
  return result;
}

/* False for an empty key, or one with a control character. */
static bool look_at_key(const walk *w, level *l) {
  ct_json_letters letters = ct_json_letters_of(w->text, l->key);
  bool usable = false;
  for (int letter; (letter = ct_json_letter(&letters)) >= 0; usable = true) {
    if (letter < ' ')
      return false;
    l->dotted |= letter == '.' || letter == '[' || letter == ']';
  }
  return usable;
}

static ct_result visit_member(walk *w) {
  level l = {.key = w->at};
  if (!look_at_key(w, &l))
    return refuse(w, "holds an empty key, or one with a control character");
  w->at = ct_json_skip_string(w->text, w->at);
  next(w);
  w->at++; /* the colon */
  return visit_child(w, l);
}

/* {} below the first level would vanish without a word: a body or point that has no leaf is not there. */
static ct_result visit_object(walk *w) {
  w->at++;
  if (next(w) == '}') {
    w->at++;
    return w->depth > 1 ? refuse(w, "{} holds nothing; give it at least one value, or leave it out") : CT_OK;
  }
  ct_result result;
  do {
    next(w);
    result = visit_member(w);
  } while (result == CT_OK && goes_on(w, '}'));
  return result;
}

static ct_result visit_list(walk *w) {
  w->at++;
  if (next(w) == ']') {
    w->at++;
    return CT_OK;
  }
  ct_result result;
  uint32_t index = 0;
  do {
    if (index == LIST_MOST)
      return refuse(w, "a list of more than 65536 items; wants fewer");
    result = visit_child(w, (level){.listed = true, .index = index++});
  } while (result == CT_OK && goes_on(w, ']'));
  return result;
}

static ct_result visit(walk *w) {
  switch (next(w)) {
  case '{':
    return visit_object(w);
  case '[':
    return visit_list(w);
  default:
    return set_leaf(w);
  }
}

/* ---- the whole text ---- */

/* `version` is where the number begins, as ct_json_check found it. */
static ct_result check_version(const ct_json_text *text, uint32_t version, ct_error *error) {
  char wanted[24];
  size_t length = ct_format(wanted, sizeof wanted, "%d", CT_FILE_VERSION);
  if (!version)
    return ct_fail(error, CT_BAD_SCENE,
                   "%.200s: not a contatto scene file: it wants { \"contatto\": %d, ... }", text->name,
                   CT_FILE_VERSION);
  const char *here = text->bytes + version; /* a bracket follows, if nothing else */
  if (strncmp(here, wanted, length) != 0 || strchr("0123456789.eE", here[length]))
    return ct_fail(error, CT_BAD_SCENE,
                   "%.200s: written for another version of contatto; this one reads \"contatto\": %d",
                   text->name, CT_FILE_VERSION);
  return CT_OK;
}

ct_result ct_doc_read_json(ct_doc *doc, const char *name, const char *text, size_t length, ct_bring *bring,
                           void *context, ct_error *error) {
  if (!doc || !name || !text)
    return ct_fail(error, CT_BAD_ARGUMENT, "read: a null pointer");
  if (length > CT_JSON_BYTES_MOST)
    return ct_fail(error, CT_BAD_SCENE, "%.200s: more than %u bytes; wants fewer", name, CT_JSON_BYTES_MOST);
  bool marked = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; /* some programs begin UTF-8 with that */
  ct_json_text whole = {name, text + 3 * marked, (uint32_t)(length - 3 * marked)};
  walk w = {.doc = doc, .text = &whole, .error = error};
  uint32_t version;
  ct_result result = ct_json_check(&whole, &version, error);
  if (result == CT_OK)
    result = check_version(&whole, version, error);
  if (result == CT_OK)
    result = visit(&w);
  free(w.words);
  return result == CT_OK && bring ? ct_doc_read_outside(doc, bring, context, error) : result;
}
