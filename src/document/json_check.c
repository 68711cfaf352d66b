/* Is it JSON, and a scene's? Objects and lists go at most CT_JSON_DEPTH deep, so the calls within one another
 * do too.
 *
 * Equal keys are found by putting an object's keys in order when it ends: heap sort, whose work is bounded by
 * n log n for any keys, where a table by hash could be made as slow as n^2 by whoever writes the text. */
#include "base/grow.h"
#include "base/text.h"
#include "document/json.h"

#include <stdlib.h>
#include <string.h>

typedef struct checker {
  const ct_json_text *text;
  uint32_t at, depth, values;
  uint32_t version;
  uint32_t *keys; /* where they begin: of all objects that are open, the innermost last */
  uint32_t key_count;
  size_t key_room;
  ct_error *error;
} checker;

static ct_result check_value(checker *c);

/* ---- faults ---- */

/* The column counts characters; at the end of the text it is the last one's. */
static ct_result refuse(const checker *c, uint32_t at, const char *what) {
  uint32_t line = 1, column = at < c->text->length;
  for (uint32_t i = 0; i < at; i++) {
    char byte = c->text->bytes[i];
    column += ((unsigned char)byte & 0xc0) != 0x80;
    if (byte == '\n') {
      line++;
      column = at < c->text->length;
    }
  }
  return ct_fail(c->error, CT_BAD_SCENE, "%.140s:%u:%u: %s", c->text->name, line, column, what);
}

/* What stands there, as a message shows it: a word, a text up to its other quote, or one character; 0 bytes
 * for what cannot be shown. */
static uint32_t shown_bytes(const checker *c) {
  enum { SHOWN_MOST = 24 };
  const char *here = c->text->bytes + c->at;
  const char *stops = *here == '"' ? "\"" : "{}[],:\"";
  uint32_t room = c->text->length - c->at, bytes = 0;
  while (bytes < room && bytes < SHOWN_MOST && here[bytes] > ' ' && here[bytes] < 0x7f &&
         (bytes == 0 || !strchr(stops, here[bytes])))
    bytes++;
  return bytes + (*here == '"' && bytes < room && here[bytes] == '"');
}

static ct_result refuse_here(const checker *c, const char *wants) {
  char what[160];
  const char *here = c->text->bytes + c->at;
  if (c->at >= c->text->length)
    ct_format(what, sizeof what, "wants %s, but the text ends", wants);
  else if (shown_bytes(c)) {
    char shown[32] = "";
    memcpy(shown, here, shown_bytes(c));
    ct_format(what, sizeof what, "wants %s, not '%s'", wants, shown);
  } else
    ct_format(what, sizeof what, "wants %s, not the byte %u", wants, (unsigned)(unsigned char)*here);
  return refuse(c, c->at, what);
}

/* ---- pieces ---- */

static bool next_is(const checker *c, char wanted) {
  return c->at < c->text->length && c->text->bytes[c->at] == wanted;
}

static bool take(checker *c, char wanted) {
  c->at = ct_json_skip_blanks(c->text, c->at);
  if (!next_is(c, wanted))
    return false;
  c->at++;
  return true;
}

static ct_result check_string(checker *c) {
  const char *what = ct_json_check_string(c->text, &c->at);
  return what ? refuse(c, c->at, what) : CT_OK;
}

static bool take_word(checker *c, const char *word) {
  uint32_t length = (uint32_t)strlen(word), room = c->text->length - c->at;
  if (length > room || memcmp(c->text->bytes + c->at, word, length) != 0)
    return false;
  char next = length < room ? c->text->bytes[c->at + length] : 0;
  if ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z'))
    return false;
  c->at += length;
  return true;
}

static ct_result check_plain(checker *c) {
  char first = c->at < c->text->length ? c->text->bytes[c->at] : 0;
  if (first == '"')
    return check_string(c);
  if (first == '-' || (first >= '0' && first <= '9')) {
    const char *what = ct_json_check_number(c->text, &c->at);
    return what ? refuse(c, c->at, what) : CT_OK;
  }
  if (take_word(c, "true") || take_word(c, "false") || take_word(c, "null"))
    return CT_OK;
  return refuse_here(c, "a value");
}

/* ---- keys ---- */

static int compare_keys(const ct_json_text *text, uint32_t a, uint32_t b) {
  ct_json_letters left = ct_json_letters_of(text, a), right = ct_json_letters_of(text, b);
  for (;;) {
    int l = ct_json_letter(&left), r = ct_json_letter(&right);
    if (l != r || l < 0)
      return l - r;
  }
}

static bool key_is(const ct_json_text *text, uint32_t key, const char *word) {
  ct_json_letters letters = ct_json_letters_of(text, key);
  for (; *word; word++)
    if (ct_json_letter(&letters) != *word)
      return false;
  return ct_json_letter(&letters) < 0;
}

/* Equal keys stand in the order of the text. */
static bool comes_before(const ct_json_text *text, uint32_t a, uint32_t b) {
  int order = compare_keys(text, a, b);
  return order ? order < 0 : a < b;
}

static void sink(const ct_json_text *text, uint32_t *keys, uint32_t count, uint32_t root) {
  uint32_t moved = keys[root];
  for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
    child += child + 1 < count && comes_before(text, keys[child], keys[child + 1]);
    if (!comes_before(text, moved, keys[child]))
      break;
    keys[root] = keys[child];
  }
  keys[root] = moved;
}

static void sort_keys(const ct_json_text *text, uint32_t *keys, uint32_t count) {
  for (uint32_t i = count / 2; i--;)
    sink(text, keys, count, i);
  for (uint32_t last = count; last-- > 1;) {
    uint32_t greatest = keys[0];
    keys[0] = keys[last];
    keys[last] = greatest;
    sink(text, keys, last, 0);
  }
}

/* Of all second ones, the first in the text; 0 when there is none. */
static uint32_t key_twice(const ct_json_text *text, uint32_t *keys, uint32_t count) {
  uint32_t first = 0;
  sort_keys(text, keys, count);
  for (uint32_t i = 1; i < count; i++)
    if (compare_keys(text, keys[i - 1], keys[i]) == 0 && (!first || keys[i] < first))
      first = keys[i];
  return first;
}

static ct_result check_keys(checker *c, uint32_t from) {
  uint32_t twice = key_twice(c->text, c->keys + from, c->key_count - from);
  c->key_count = from;
  if (!twice)
    return CT_OK;
  char what[120], key[48];
  ct_json_letters letters = ct_json_letters_of(c->text, twice);
  size_t used = 0;
  for (int letter; used + 1 < sizeof key && (letter = ct_json_letter(&letters)) >= 0;)
    key[used++] = letter < ' ' ? '?' : (char)letter;
  key[used] = 0;
  ct_format(what, sizeof what, "duplicate key '%s'; wants each only once in an object", key);
  return refuse(c, twice, what);
}

/* ---- objects and lists ---- */

static ct_result check_member(checker *c, bool first) {
  c->at = ct_json_skip_blanks(c->text, c->at);
  if (!next_is(c, '"'))
    return refuse_here(c, first ? "a key in quotes or '}'" : "a key in quotes");
  uint32_t key = c->at;
  if (!ct_grow(&c->keys, &c->key_room, c->key_count + 1, sizeof *c->keys))
    return ct_fail(c->error, CT_NO_MEMORY, "%.200s: no memory to read it", c->text->name);
  c->keys[c->key_count++] = key;
  CT_TRY(check_string(c));
  if (!take(c, ':'))
    return refuse_here(c, "':' after a key");
  if (c->depth == 1 && key_is(c->text, key, "contatto"))
    c->version = ct_json_skip_blanks(c->text, c->at);
  return check_value(c);
}

static ct_result check_object(checker *c) {
  uint32_t from = c->key_count;
  if (take(c, '}'))
    return CT_OK;
  CT_TRY(check_member(c, true));
  while (take(c, ','))
    CT_TRY(check_member(c, false));
  return take(c, '}') ? check_keys(c, from) : refuse_here(c, "',' or '}' after a value");
}

static ct_result check_list(checker *c) {
  if (take(c, ']'))
    return CT_OK;
  CT_TRY(check_value(c));
  while (take(c, ','))
    CT_TRY(check_value(c));
  return take(c, ']') ? CT_OK : refuse_here(c, "',' or ']' after a value");
}

static ct_result check_value(checker *c) {
  if (++c->values > CT_JSON_VALUES_MOST)
    return ct_fail(c->error, CT_BAD_SCENE, "%.200s: more than %d values; wants fewer", c->text->name,
                   CT_JSON_VALUES_MOST);
  c->at = ct_json_skip_blanks(c->text, c->at);
  if (!next_is(c, '{') && !next_is(c, '['))
    return check_plain(c);
  if (c->depth == CT_JSON_DEPTH) {
    char what[80];
    ct_format(what, sizeof what, "nested too deeply; wants at most %d levels", CT_JSON_DEPTH);
    return refuse(c, c->at, what);
  }
  c->depth++;
  ct_result result = c->text->bytes[c->at++] == '{' ? check_object(c) : check_list(c);
  c->depth--;
  return result;
}

ct_result ct_json_check(const ct_json_text *text, uint32_t *version, ct_error *error) {
  checker c = {.text = text, .error = error};
  c.at = ct_json_skip_blanks(text, 0);
  ct_result result =
      next_is(&c, '{') || next_is(&c, '[') ? check_value(&c) : refuse_here(&c, "'{' at the beginning");
  c.at = ct_json_skip_blanks(text, c.at);
  if (result == CT_OK && c.at < text->length)
    result = refuse_here(&c, "nothing after the last bracket");
  free(c.keys);
  *version = c.version;
  return result;
}
