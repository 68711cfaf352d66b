/* Paths: cutting, and matching against the schema. */
#include "base/text.h"
#include "document/schema.h"

#include <string.h>

/* Cuts at dots and brackets, or at CT_PATH_JOIN alone when the text carries one. */
bool ct_path_cut(ct_path *path, const char *text) {
  size_t length = strlen(text);
  const char *separators = strchr(text, CT_PATH_JOIN) ? "\x1f" : ".[]";
  path->count = 0;
  if (length == 0 || length >= CT_PATH_BYTES)
    return false;
  memcpy(path->bytes, text, length + 1);
  for (char *at = path->bytes; *at;) {
    at += strspn(at, separators);
    if (!*at)
      break;
    if (path->count == CT_PATH_WORDS)
      return false;
    path->word[path->count++] = at;
    at += strcspn(at, separators);
    if (*at)
      *at++ = 0;
  }
  return path->count > 0;
}

void ct_path_show_dots(char *text) {
  for (; *text; text++)
    if (*text == CT_PATH_JOIN)
      *text = '.';
}

/* Puts a word in front of the index-th; false when the path is full. */
static bool insert(ct_path *path, uint32_t index, const char *word) {
  if (path->count == CT_PATH_WORDS)
    return false;
  memmove(&path->word[index + 1], &path->word[index], (path->count - index) * sizeof path->word[0]);
  path->word[index] = word;
  path->count++;
  return true;
}

bool ct_path_spell_out(ct_path *path, ct_part part, bool control) {
  if (control)
    return insert(path, 0, "controls") && (path->count > 2 || insert(path, 2, "value"));
  if (part == CT_PART_KINDS)
    return false;
  bool point = part == CT_PART_BODY && path->count > 1 && !ct_word_of_body(path->word[1]);
  bool region = part == CT_PART_SOURCE && path->count > 1 && !ct_word_of_source(path->word[1]);
  return (!(point || region) || insert(path, 1, point ? "points" : "regions")) &&
         insert(path, 0, ct_part_section(part));
}

/* Every leaf of a document is matched against rows until one fits: letter by letter, most rows are done with
 * at their first. A whole word of the pattern: where it ends, or null when that is another word. */
static const char *after_word(const char *pattern, const char *word) {
  while (*word && *pattern == *word) {
    pattern++;
    word++;
  }
  return *word || (*pattern && *pattern != '.' && *pattern != '[') ? NULL : pattern;
}

/* One pattern against the words: literal words, * for a name, [] for a number. */
static bool match_pattern(const char *pattern, const ct_path *path, ct_catch *found) {
  uint32_t at = 0, names = 0, numbers = 0;
  for (const char *p = pattern; *p; at++) {
    if (at == path->count)
      return false;
    const char *word = path->word[at];
    if (*p == '[') {
      if (numbers == 2 || !ct_parse_index(word, &found->number[numbers++]))
        return false;
      p += 2;
    } else if (*p == '*') {
      if (names == 2)
        return false;
      found->name[names++] = word;
      p++;
    } else {
      if (!(p = after_word(p, word)))
        return false;
    }
    p += *p == '.';
  }
  return at == path->count;
}

static bool match_rows(const ct_path *path, ct_catch *found) {
  const uint32_t count = ct_schema_count();
  memset(found, 0, sizeof *found);
  for (uint32_t i = 0; i < count; i++) {
    const char *pattern = ct_row_at(i)->shown.path;
    if (*pattern != *path->word[0] && *pattern != '*')
      continue;
    if (match_pattern(pattern, path, found)) {
      found->row = i;
      return true;
    }
    memset(found, 0, sizeof *found);
  }
  return false;
}

bool ct_path_match(ct_path *path, ct_catch *found) {
  if (match_rows(path, found))
    return true;
  if (path->count < 2)
    return false;
  const char *last = path->word[path->count - 1];
  path->word[path->count - 1] = path->word[path->count - 2];
  path->word[path->count - 2] = last;
  return match_rows(path, found);
}

/* Is `word` the index-th word of some row's pattern that starts with `first` (any, when null)? */
static bool word_in_patterns(const char *word, const char *first, uint32_t index) {
  const uint32_t count = ct_schema_count();
  const size_t length = first ? strlen(first) : 0;
  for (uint32_t i = 0; *word && i < count; i++) {
    const char *at = ct_row_at(i)->shown.path;
    if (first && (*at != *first || strncmp(at, first, length) != 0))
      continue;
    for (uint32_t skip = index; skip && *at; skip--) {
      while (*at && *at != '.')
        at++;
      at += *at == '.';
    }
    if (after_word(at, word))
      return true;
  }
  return false;
}

bool ct_word_of_body(const char *word) { return word_in_patterns(word, "bodies.", 2); }

bool ct_word_of_source(const char *word) { return word_in_patterns(word, "sources.", 2); }

bool ct_word_of_scene(const char *word) { return word_in_patterns(word, NULL, 0); }
