/* The core's JSON reader against jansson's: every built-in scene gives the same document; of texts changed at
 * random both take the same for JSON, and where they do, both read the same document or refuse it in the same
 * words. Where ours is meant to differ, the comparison says so:
 *   - more than 12 levels are refused (jansson: more than 2048);
 *   - whole numbers beyond 64 bits are numbers like any other (jansson takes them when told to read all as
 * real);
 *   - zero bytes are refused everywhere (jansson overlooks one right behind a number or a word);
 *   - a byte order mark in front does no harm. */
#include "base/text.h"
#include "document/json.h"
#include "file/load.h"
#include "support/instrumented.h"
#include "support/json_oracle.h"
#include "support/long_run.h"
#include "support/random_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 17 };

typedef struct draft {
  char bytes[ROOM];
  size_t length;
} draft;

/* ---- both readers ---- */

static bool same_texts(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_leaves(const ct_leaf *a, const ct_leaf *b) {
  return strcmp(a->path, b->path) == 0 && a->row == b->row &&
         memcmp(&a->number, &b->number, sizeof a->number) == 0 && same_texts(a->text, b->text);
}

static bool same_docs(const ct_doc *a, const ct_doc *b) {
  uint32_t count = ct_doc_leaf_count(a);
  bool same = count == ct_doc_leaf_count(b);
  for (uint32_t i = 0; same && i < count; i++) {
    ct_leaf left = ct_doc_leaf(a, i), right = ct_doc_leaf(b, i);
    same = same_leaves(&left, &right);
  }
  return same;
}

/* In any order: a path whose last two words stand the other way round is understood, and written where it
 * belongs. */
static bool same_sets(const ct_doc *a, const ct_doc *b) {
  uint32_t count = ct_doc_leaf_count(a);
  bool same = count == ct_doc_leaf_count(b);
  for (uint32_t i = 0; same && i < count; i++) {
    ct_leaf left = ct_doc_leaf(a, i), right = ct_doc_leaf(b, i);
    same = same_leaves(&left, &right);
    for (uint32_t k = 0; !same && k < count; k++) {
      right = ct_doc_leaf(b, k);
      same = same_leaves(&left, &right);
    }
  }
  return same;
}

typedef struct tally {
  uint32_t texts, good, scenes, too_deep, too_whole;
} tally;

static void disagree(const draft *t, const char *what, const char *ours, const char *theirs) {
  FILE *out = fopen("disagreement.json", "wb");
  if (out) {
    fwrite(t->bytes, 1, t->length, out);
    fclose(out);
  }
  fail_msg("%s; ours: '%s', jansson's: '%s'; see disagreement.json", what, ours, theirs);
}

/* Ours refuses for its depth alone; true when that is right. */
static bool is_only_too_deep(const json_t *tree, const char *message) {
  return tree && oracle_depth(tree) > CT_JSON_DEPTH &&
         strstr(message, ": nested too deeply; wants at most 12");
}

/* What was read can be written, and that is read as the same. */
static void check_written(const draft *t, const ct_doc *doc) {
  static char bytes[2 * ROOM];
  size_t length = 0;
  ct_error error = {.text = ""};
  ct_doc *again = ct_doc_create();
  ct_result result = ct_doc_write_json(doc, bytes, sizeof bytes, &length, &error);
  if (result == CT_OK && length < sizeof bytes)
    result = ct_doc_read_json(again, "written", bytes, length, NULL, NULL, &error);
  if (result != CT_OK || !same_sets(doc, again))
    disagree(t, "not the same once written", error.text, "");
  ct_doc_destroy(again);
}

static void compare_docs(const draft *t, const char *exact, const json_t *tree, tally *count) {
  ct_doc *ours = ct_doc_create(), *theirs = ct_doc_create();
  ct_error said = {.text = ""}, wanted = {.text = ""};
  ct_result expected, result = ct_doc_read_json(ours, "it", exact, t->length, NULL, NULL, &said);
  bool known = oracle_version(t->bytes, t->length, tree, "it", &expected, &wanted);
  if (known && expected == CT_OK)
    expected = oracle_fill(theirs, "it", tree, &wanted);
  if (known && (result != expected || strcmp(said.text, wanted.text) != 0))
    disagree(t, "read differently", said.text, wanted.text);
  if (known && result == CT_OK && !same_docs(ours, theirs))
    disagree(t, "read as another document", "", "");
  if (result == CT_OK)
    check_written(t, ours);
  count->too_whole += !known;
  count->scenes += result == CT_OK;
  ct_doc_destroy(ours);
  ct_doc_destroy(theirs);
}

static void compare(const draft *t, tally *count) {
  /* in memory of its own size, so that a byte read beyond it is found */
  char *exact = malloc(t->length ? t->length : 1);
  assert_non_null(exact);
  memcpy(exact, t->bytes, t->length);
  json_t *tree = oracle_parse(exact, t->length);
  ct_json_text whole = {"it", exact, (uint32_t)t->length};
  uint32_t version;
  ct_error error = {.text = ""};
  bool good = ct_json_check(&whole, &version, &error) == CT_OK;
  count->texts++;
  count->good += good;
  if (strchr(error.text, '\n') || strlen(error.text) + 1 >= CT_TEXT_MAX)
    disagree(t, "not one line", error.text, "");
  if (memchr(t->bytes, 0, t->length)) {
    if (good)
      disagree(t, "a zero byte is taken for JSON", "", "");
  } else if (good != (tree != NULL)) {
    if (!is_only_too_deep(tree, error.text))
      disagree(t, "not agreed on what JSON is", error.text, tree ? "good" : "bad");
    count->too_deep++;
  } else if (good)
    compare_docs(t, exact, tree, count);
  json_decref(tree);
  free(exact);
}

static void set_text(draft *t, const char *bytes, size_t length) {
  assert_true(length <= ROOM);
  memcpy(t->bytes, bytes, length);
  t->length = length;
}

/* ---- built-in scenes ---- */

static ct_doc *read_scene(size_t i, bool ours) {
  const struct ct_builtin_scene *s = &ct_builtin_scenes[i];
  ct_doc *doc = ct_doc_create();
  ct_error error = {.text = ""};
  json_t *tree = ours ? NULL : oracle_parse(s->json, s->length);
  ct_result result = ours ? ct_doc_read_json(doc, s->name, s->json, s->length, NULL, NULL, &error)
                          : oracle_fill(doc, s->name, tree, &error);
  json_decref(tree);
  if (result != CT_OK)
    fail_msg("%s", error.text);
  return doc;
}

static void built_in_scenes(void **state) {
  (void)state;
  uint32_t presets = 0;
  for (size_t i = 0; i < ct_builtin_scene_count; i++) {
    ct_doc *ours = read_scene(i, true), *theirs = read_scene(i, false);
    assert_true(ct_doc_leaf_count(ours) > 10 && same_docs(ours, theirs));
    for (uint32_t p = 0; p < ct_doc_preset_count(ours); p++, presets++) {
      ct_error error;
      assert_int_equal(ct_doc_apply_preset(ours, ct_doc_preset_name(ours, p), &error), CT_OK);
      assert_int_equal(ct_doc_apply_preset(theirs, ct_doc_preset_name(theirs, p), &error), CT_OK);
      assert_true(same_docs(ours, theirs));
    }
    ct_doc_destroy(ours);
    ct_doc_destroy(theirs);
  }
  printf("%zu scenes and %u presets, the same documents\n", ct_builtin_scene_count, presets);
}

/* ---- changed texts ---- */

/* All that JSON has, in little room. */
static const char everything[] = "{\"contatto\": 1, \"title\": \"\\u00e9t\\u00e9 \\ud83d\\ude00 "
                                 "\\\"\\\\\\/\\b\\f\\n\\r\\t \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\","
                                 " \"seconds\": 0.1, \"channels\":2,\r\n\t\"bodies\": {\"bar\": {\"kind\": "
                                 "\"modal\", \"modes\": [{\"hz\": 441.1, "
                                 "\"t60_s\": 3e-1}, {\"hz\": 0, \"mass_kg\": 1E-7}], \"points\": {\"hit\": "
                                 "{\"gains\": [0.1, -0.30000000000000004]}}},"
                                 " \"floor\": {\"kind\": \"wall\"}}, \"controls\": {\"go\": {\"trigger\": "
                                 "true, \"min\": 0.5, \"max\": 2, \"targets\":"
                                 " [{\"path\": \"bar.modes.0.v_m_s\", \"from\": 0.5, \"to\": 2}]}}, "
                                 "\"presets\": {\"low\": {\"about\": \"\", \"set\":"
                                 " {\"bar.modes.0.hz\": 380.5, \"go\": 1}, \"gesture\": {\"time_s\": [0, "
                                 "1.5], \"bar.modes.0.t60_s\": [1, null]}}}}";
static const char no_scene[] =
    "[{\"a\": [], \"b\": {}, \"\": [[1, -0, -0.0], [[1e-400]]]}, false, null, \"\", [[[[[[[[[[{\"x\": "
    "0}]]]]]]]]]], "
    "{\"\\u0061b\": 1, \"b\\u0061\": 2}, 123456789012345678, 0.1e+1, \"\\u0020\\uFFFF\"]";

static const char *const pieces[] = {"\\u0000",
                                     "\\ud83d\\ude00",
                                     "\\ud800",
                                     "\\udc00",
                                     "\\ud800\\u0041",
                                     "\xc3\xa9",
                                     "\xc0\x80",
                                     "\xed\xa0\x80",
                                     "\xf4\x90\x80\x80",
                                     "\xf0\x80\x80\x80",
                                     "\xff",
                                     "\xe2\x82",
                                     "\xef\xbb\xbf",
                                     "1e999",
                                     "-1e999",
                                     "1e-999",
                                     "-0",
                                     "01",
                                     "1.",
                                     ".5",
                                     "+1",
                                     "1e",
                                     "0x1",
                                     "NaN",
                                     "Infinity",
                                     "99999999999999999999",
                                     "9223372036854775808",
                                     "null",
                                     "true",
                                     "false",
                                     "nul",
                                     "True",
                                     "\"\"",
                                     "{}",
                                     "[]",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     ",",
                                     ":",
                                     "\"",
                                     "\\",
                                     "/",
                                     "//",
                                     " ",
                                     "\n",
                                     "\t",
                                     "\x0b",
                                     "\x7f",
                                     "\x01",
                                     "\"contatto\": 1",
                                     "\"\\u0063ontatto\": 1",
                                     "\"contatto\": 1.0",
                                     "\"a\": {\"a\": [{\"a\": ",
                                     "[[[[[[",
                                     "]]]]]]",
                                     "\\n",
                                     "\\x",
                                     "\\u12",
                                     "1.7976931348623159e308",
                                     "0.1000000000000000055511151231257827",
                                     "2.2250738585072011e-308",
                                     "\"title\": \"x\", ",
                                     "\"bar.modes.0.hz\": 2, "};

static void put_in(draft *t, size_t at, const char *bytes, size_t length) {
  if (t->length + length > ROOM)
    return;
  memmove(t->bytes + at + length, t->bytes + at, t->length - at);
  memcpy(t->bytes + at, bytes, length);
  t->length += length;
}

static void take_out(draft *t, size_t at, size_t length) {
  length = length < t->length - at ? length : t->length - at;
  memmove(t->bytes + at, t->bytes + at + length, t->length - at - length);
  t->length -= length;
}

static size_t any_place(random_state *r, const draft *t) { return random_below(r, (uint32_t)t->length + 1); }

/* The bytes of a token that begins at or after a place; the end of the text has none. */
static size_t token_at(const draft *t, size_t *at) {
  while (*at < t->length && strchr(" \t\r\n", t->bytes[*at]) && t->bytes[*at])
    ++*at;
  size_t end = *at;
  if (end < t->length && t->bytes[end] == '"') {
    for (end++; end < t->length && t->bytes[end] != '"'; end++)
      end += t->bytes[end] == '\\';
    end++;
  } else if (end < t->length && strchr("{}[],:", t->bytes[end]))
    end++;
  else
    while (end < t->length && !strchr(" \t\r\n{}[],:\"", t->bytes[end]))
      end++;
  end = end > t->length ? t->length : end;
  return end - *at;
}

/* The second of two tokens is put in before the first, or they change places. */
static void swap_tokens(random_state *r, draft *t) {
  size_t a = any_place(r, t), b = any_place(r, t);
  size_t first = a < b ? a : b, second = a < b ? b : a;
  size_t la = token_at(t, &first), lb = token_at(t, &second);
  char kept[2][256];
  if (first + la > second || la > sizeof kept[0] || lb > sizeof kept[0])
    return;
  memcpy(kept[0], t->bytes + first, la);
  memcpy(kept[1], t->bytes + second, lb);
  take_out(t, second, lb);
  put_in(t, second, kept[0], la);
  if (random_below(r, 2))
    take_out(t, first, la);
  put_in(t, first, kept[1], lb);
}

/* "key": value, as it stands, put in again somewhere in front of it or behind. */
static void repeat_member(random_state *r, draft *t) {
  size_t at = any_place(r, t);
  while (at < t->length && t->bytes[at] != '"')
    at++;
  size_t end = at;
  while (end < t->length && t->bytes[end] != ',')
    end++;
  char kept[256];
  size_t length = end - at + 1;
  if (end >= t->length || length > sizeof kept)
    return;
  memcpy(kept, t->bytes + at, length);
  put_in(t, random_below(r, 4) ? at : any_place(r, t), kept, length);
}

static void nest(random_state *r, draft *t) {
  uint32_t levels = 1 + random_below(r, 16);
  size_t at = any_place(r, t), length = token_at(t, &at);
  for (uint32_t i = 0; i < levels; i++) {
    put_in(t, at + length + i, "]", 1);
    put_in(t, at, "[", 1);
    at++;
  }
}

static void change(random_state *r, draft *t) {
  size_t at = any_place(r, t);
  const char *piece = pieces[random_below(r, sizeof pieces / sizeof pieces[0])];
  char byte = (char)random_below(r, 256);
  switch (random_below(r, 10)) {
  case 0:
    if (at < t->length)
      t->bytes[at] = (char)(t->bytes[at] ^ 1 << random_below(r, 8));
    break;
  case 1:
    put_in(t, at, &byte, 1);
    break;
  case 2:
    take_out(t, at, 1 + random_below(r, random_below(r, 2) ? 2 : 40));
    break;
  case 3:
    swap_tokens(r, t);
    break;
  case 4:
    repeat_member(r, t);
    break;
  case 5:
    nest(r, t);
    break;
  case 6:
    if (random_below(r, 8) == 0)
      t->length = at;
    break;
  case 7: { /* a token becomes another */
    size_t length = token_at(t, &at);
    take_out(t, at, length);
    put_in(t, at, piece, strlen(piece));
    break;
  }
  default:
    put_in(t, at, piece, strlen(piece));
  }
}

static void start_with(random_state *r, draft *t) {
  uint32_t which = random_below(r, 20);
  const struct ct_builtin_scene *s = &ct_builtin_scenes[random_below(r, (uint32_t)ct_builtin_scene_count)];
  if (which == 0 && s->length < ROOM / 2)
    set_text(t, s->json, s->length);
  else if (which < 7)
    set_text(t, no_scene, strlen(no_scene));
  else
    set_text(t, everything, strlen(everything));
}

static void changed_texts(void **state) {
  (void)state;
  static draft t;
  tally count = {0};
  random_state r = {long_run() ? 20261117 : 18};
  uint32_t wanted = INSTRUMENTED ? 10000 : long_run() ? 1000000 : 50000;
  set_text(&t, everything, strlen(everything));
  compare(&t, &count);
  assert_int_equal(count.scenes, 1);
  set_text(&t, no_scene, strlen(no_scene));
  compare(&t, &count);
  assert_int_equal(count.good, 2);
  while (count.texts < wanted) {
    start_with(&r, &t);
    for (uint32_t changes = 1 + random_below(&r, 3); changes--;)
      change(&r, &t);
    compare(&t, &count);
  }
  printf("%u texts: %u are JSON, %u of them scenes; %u only too deep, %u with whole numbers beyond 64 bits\n",
         count.texts, count.good, count.scenes, count.too_deep, count.too_whole);
  /* the comparison means something only while every side of it occurs */
  assert_true(count.good > wanted / 10 && count.good < wanted * 9 / 10);
  assert_true(count.scenes > wanted / 200 && count.too_deep > wanted / 2000 && count.too_whole > 0);
}

/* Every beginning of a text, and every byte in every place of a short one. */
static void all_small_changes(void **state) {
  (void)state;
  static draft t;
  tally count = {0};
  for (size_t length = 0; length <= strlen(everything); length++) {
    set_text(&t, everything, length);
    compare(&t, &count);
  }
  static const char small[] = "{\"a\":[-1.5e3,\"\\u00e9\\n\",true]}";
  for (size_t at = 0; at < strlen(small); at++)
    for (int byte = 0; byte < 256; byte++) {
      set_text(&t, small, strlen(small));
      t.bytes[at] = (char)byte;
      compare(&t, &count);
    }
  printf("%u small changes\n", count.texts);
}

/* ---- what is said ---- */

static void check_refused(const char *text, size_t length, const char *words) {
  ct_doc *doc = ct_doc_create();
  ct_error error = {.text = ""};
  assert_int_not_equal(ct_doc_read_json(doc, "it", text, length, NULL, NULL, &error), CT_OK);
  if (!strstr(error.text, words))
    fail_msg("'%s' lacks '%s'", error.text, words);
  ct_doc_destroy(doc);
}

static void messages(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"", "it:1:0: wants '{' at the beginning, but the text ends"},
      {"  \n ", "it:2:1: wants '{' at the beginning, but the text ends"},
      {"7", "it:1:1: wants '{' at the beginning, not '7'"},
      {"{\"contatto\": 1,\n\"title\" 3}", "it:2:9: wants ':' after a key, not '3'"},
      {"{\"\xc3\xa9\xc3\xa9\": oops}", "it:1:8: wants a value, not 'oops'"},
      {"{\"a\": 1 \"b\": 2}", "it:1:9: wants ',' or '}' after a value, not '\"b\"'"},
      {"{\"a\": [1 2]}", "it:1:10: wants ',' or ']' after a value, not '2'"},
      {"{\"a\": [1,", "it:1:9: wants a value, but the text ends"},
      {"{\"a\": 1,}", "it:1:9: wants a key in quotes, not '}'"},
      {"{a: 1}", "it:1:2: wants a key in quotes or '}', not 'a'"},
      {"{\"a\": \x01}", "it:1:7: wants a value, not the byte 1"},
      {"{}{}", "it:1:3: wants nothing after the last bracket, not '{'"},
      {"{\"a\": 012}", "it:1:7: not a number as JSON writes it; wants one such as 0.5, -3 or 1e-6"},
      {"{\"a\": 1e999}", "it:1:7: a number too large; wants at most 1.797e308"},
      {"{\"a\": \"x", "it:1:8: a text that does not end; wants '\"'"},
      {"{\"a\": \"x\n\"}", "it:1:9: a line ends within a text"},
      {"{\"a\": \"x\t\"}", "it:1:9: a control character in a text"},
      {"{\"a\": \"\\x\"}", "it:1:8: no escape; wants \\\" "},
      {"{\"a\": \"\\u12g4\"}", "it:1:10: \\u wants four hexadecimal digits"},
      {"{\"a\": \"\\u0000\"}", "it:1:10: \\u0000 cannot be in a text"},
      {"{\"a\": \"\\udc00\"}", "half of a surrogate pair; wants \\ud800 to \\udbff before it"},
      {"{\"a\": \"\\ud800x\"}", "half of a surrogate pair; wants \\udc00 to \\udfff after it"},
      {"{\"a\": \"\xc0\x80\"}", "it:1:8: not UTF-8"},
      {"{\"a\": 1,\n \"b\": 2, \"c\": 3, \"b\": 4, \"a\": 5}",
       "it:2:18: duplicate key 'b'; wants each only once"},
      {"{\"ab\": 1, \"\\u0061b\": 2}", "it:1:11: duplicate key 'ab'"},
      {"{\"a\": [[[[[[[[[[[[1]]]]]]]]]]]]}", "it:1:18: nested too deeply; wants at most 12 levels"},
      {"{\"contatto\": 1, \"bodies\": {\"b\": {}}}",
       "it: bodies.b: {} holds nothing; give it at least one value"},
      {"[1]", "it: not a contatto scene file: it wants { \"contatto\": 1, ... }"},
      {"{\"x\": {\"contatto\": 1}}", "it: not a contatto scene file"},
      {"{\"a\": 3, \"contatto\": 12}",
       "it: written for another version of contatto; this one reads \"contatto\": 1"},
      {"{\"a\": 3, \"contatto\": 1e0}", "it: written for another version"},
      {"{\"title\": 3, \"\\u0063ontatto\" :\n1 }", "it: title: wants text"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    check_refused(cases[i].text, strlen(cases[i].text), cases[i].words);
  check_refused("{}\0", 3, "it:1:3: wants nothing after the last bracket, not the byte 0");
  ct_doc *doc = ct_doc_create();
  ct_error error;
  static const char marked[] = "\xef\xbb\xbf{\"contatto\": 1, \"title\": \"a\\u0062\"}";
  assert_int_equal(ct_doc_read_json(doc, "it", marked, strlen(marked), NULL, NULL, &error), CT_OK);
  assert_string_equal(ct_doc_title(doc), "ab");
  assert_int_equal(ct_doc_read_json(NULL, "it", marked, 1, NULL, NULL, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_read_json(doc, NULL, marked, 1, NULL, NULL, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_read_json(doc, "it", NULL, 1, NULL, NULL, &error), CT_BAD_ARGUMENT);
  ct_doc_destroy(doc);
}

/* ---- bounds ---- */

static size_t repeat(char *to, const char *head, const char *item, uint32_t count, const char *tail) {
  size_t at = (size_t)sprintf(to, "%s", head);
  for (uint32_t i = 0; i < count; i++)
    at += (size_t)sprintf(to + at, item, i);
  return at + (size_t)sprintf(to + at, "%s", tail);
}

/* Half a million keys in one object, in order and all the same; long ones that differ at their ends; and
 * lists, depths and sizes beyond what is read. */
static void hostile(void **state) {
  (void)state;
  enum { KEYS = 500000, LONG_KEYS = 9000, BYTES = 16 << 20 };
  char *text = malloc(BYTES);
  assert_non_null(text);
  size_t length = repeat(text, "{\n", "\"k%u\":0,\n", KEYS, "\"k250000\":1}");
  check_refused(text, length, "it:500002:1: duplicate key 'k250000'");
  length = repeat(text, "{", "\"a\":%u,\n", KEYS, "\"b\":1}");
  check_refused(text, length, "it:2:1: duplicate key 'a'");
  char item[1100];
  memset(item, 'x', 1000);
  snprintf(item, sizeof item, "\"%0999d%%u\":0,\n", 7);
  length = repeat(text, "{", item, LONG_KEYS, "\"contatto\":1}");
  check_refused(text, length, "this path is too long"); /* none is there twice */
  length = repeat(text, "[", "[", 100000, "");
  check_refused(text, length, "it:1:13: nested too deeply");
  length = repeat(text, "{\"contatto\": 1, \"x\": [", "1,", CT_JSON_VALUES_MOST, "1]}");
  check_refused(text, length, "it: more than 4194304 values; wants fewer");
  length = repeat(text, "{\"contatto\": 1, \"gesture\": {\"time_s\": [", "%u,", 65536, "0]}}");
  check_refused(text, length, "it: gesture.time_s: a list of more than 65536 items; wants fewer");
  check_refused(text, CT_JSON_BYTES_MOST + 1, "it: more than 67108864 bytes; wants fewer");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(built_in_scenes), cmocka_unit_test(messages), cmocka_unit_test(all_small_changes),
      cmocka_unit_test(changed_texts),   cmocka_unit_test(hostile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
