/* The words of [ct.body], [ct.contact] and their like, read by the schema: no parameter is listed here.
 *
 *   [ct.body g bar1 bar steel modes.size 2 hit.place_u 0.3]
 *
 * After the part's name come, in any order,
 *   - a key and its value: "modes.size 2". A key is what the schema calls it below the part; words in front
 * may be left out where no other parameter ends alike ("material"). A list takes all numbers that follow
 *     ("modes.hz 400 1000").
 *   - a choice by itself: "bar" can only be a shape, "friction" only a kind of contact.
 *   - names of other parts or materials, which fill the parameters that want text in the schema's order:
 *     "finger.tip glass.rim" are the two ends of a contact. */
#include "hosts/pd/contatto_pd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ctpd_section ctpd_sections[] = {{"bodies", "body"},  {"contacts", "contact"}, {"surfaces", "surface"},
                                      {"drives", "drive"}, {"sources", "source"},   {"pickups", "pickup"}};
const int ctpd_section_count = sizeof ctpd_sections / sizeof ctpd_sections[0];

enum { WORDS_MOST = 8, LISTED_MOST = 3 };

/* ---- leaves ---- */

static ct_result fail(ct_error *error, ct_result result, const char *words, const char *what) {
  error->code = result;
  snprintf(error->text, sizeof error->text, "%.120s: %.180s", what, words);
  return result;
}

ct_result ctpd_leaves_add(ctpd_leaves *l, const char *path, const t_atom *value, ct_error *error) {
  if (value->a_type != A_FLOAT && value->a_type != A_SYMBOL)
    return fail(error, CT_BAD_VALUE, "wants a number or a word", path);
  if (l->count == l->room) {
    int room = l->room ? 2 * l->room : 8;
    ctpd_leaf *items = realloc(l->items, (size_t)room * sizeof *items);
    if (!items)
      return fail(error, CT_NO_MEMORY, "out of memory", path);
    l->items = items;
    l->room = room;
  }
  ctpd_leaf *leaf = &l->items[l->count++];
  *leaf = (ctpd_leaf){.number = 0};
  snprintf(leaf->path, sizeof leaf->path, "%s", path);
  if (value->a_type == A_SYMBOL)
    leaf->text = value->a_w.w_symbol;
  else
    leaf->number = ctpd_number(value->a_w.w_float);
  return CT_OK;
}

void ctpd_leaves_free(ctpd_leaves *l) {
  free(l->items);
  *l = (ctpd_leaves){NULL, 0, 0};
}

static ct_result set_words(ct_doc *doc, const char *path, const char *words, ct_error *error) {
  bool yes = strcmp(words, "true") == 0, no = strcmp(words, "false") == 0;
  if ((yes || no) && ct_doc_set_flag(doc, path, yes, error) == CT_OK)
    return CT_OK;
  return ct_doc_set_text(doc, path, words, error);
}

ct_result ctpd_leaves_set(const ctpd_leaves *l, ct_doc *doc, ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < l->count && result == CT_OK; i++) {
    const ctpd_leaf *leaf = &l->items[i];
    result = leaf->text ? set_words(doc, leaf->path, leaf->text->s_name, error)
                        : ct_doc_set_number(doc, leaf->path, leaf->number, error);
  }
  return result;
}

/* ---- matching a key to a row ---- */

typedef struct split {
  char text[CTPD_PATH];
  const char *words[WORDS_MOST];
  bool list[WORDS_MOST]; /* "modes[]" */
  int count;
} split;

static bool split_path(const char *path, split *s) {
  s->count = 0;
  if (strlen(path) >= sizeof s->text)
    return false;
  memcpy(s->text, path, strlen(path) + 1);
  char *next = s->text;
  while (next && s->count < WORDS_MOST) {
    char *word = next;
    next = strchr(word, '.');
    if (next)
      *next++ = 0;
    char *bracket = strstr(word, "[]");
    s->list[s->count] = bracket != NULL;
    if (bracket)
      *bracket = 0;
    s->words[s->count++] = word;
  }
  return !next;
}

static bool is_index(const char *word) { return *word && strspn(word, "0123456789") == strlen(word); }

/* A key that was found: the leaf's path up to the list, what follows it, and the row. */
typedef struct match {
  const ct_schema_row *row;
  char before[CTPD_PATH], after[CTPD_PATH];
  bool open_list; /* an index belongs between the two */
} match;

static bool append(char *to, const char *word, const char *index) {
  size_t used = strlen(to);
  int more = snprintf(to + used, CTPD_PATH - used, "%s%s%s%s", used ? "." : "", word, index ? "." : "",
                      index ? index : "");
  return more >= 0 && (size_t)more < CTPD_PATH - used;
}

/* The row's words from `skip` on against all words of the key; fills `m` when they agree. */
static bool agree(const split *row, int skip, const split *key, const char *part, const char *section,
                  match *m) {
  int k = 0;
  *m = (match){.open_list = false};
  bool fits = append(m->before, section, NULL) && append(m->before, part, NULL);
  for (int r = 2; r < row->count && fits; r++) {
    bool wild = strcmp(row->words[r], "*") == 0;
    const char *word = row->words[r], *index = NULL;
    if (r >= skip) {
      if (k >= key->count || !(wild || strcmp(word, key->words[k]) == 0))
        return false;
      word = key->words[k++];
    } else if (wild)
      return false;
    if (row->list[r] && r >= skip && k < key->count && is_index(key->words[k]))
      index = key->words[k++];
    fits = append(m->open_list ? m->after : m->before, word, index);
    m->open_list = m->open_list || (row->list[r] && !index);
  }
  return fits && k == key->count;
}

static bool of_section(const split *row, const char *section) {
  return row->count > 2 && strcmp(row->words[0], section) == 0 && strcmp(row->words[1], "*") == 0;
}

static void note_row(char *list, size_t size, const ct_schema_row *row, int found) {
  size_t used = strlen(list);
  if (found <= LISTED_MOST)
    snprintf(list + used, size - used, "%s%s", found > 1 ? ", " : "", row->path);
}

/* 0: no such key, 1: one, more: ambiguous, and `listed` names some. */
static int find_key(const char *section, const char *part, const char *word, match *best, char *listed,
                    size_t size) {
  split key, row;
  int found = 0;
  *listed = 0;
  if (!split_path(word, &key))
    return 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *r = ct_schema_row_at(i);
    if (r->rate == CT_RATE_STATE || !split_path(r->path, &row) || !of_section(&row, section))
      continue;
    for (int skip = 2; skip < row.count; skip++) {
      match m;
      if (!agree(&row, skip, &key, part, section, &m))
        continue;
      m.row = r;
      if (skip == 2) { /* written out in full */
        *best = m;
        return 1;
      }
      if (!found)
        *best = m;
      note_row(listed, size, r, ++found);
      break;
    }
  }
  return found;
}

/* ---- bare words ---- */

static bool has_choice(const ct_schema_row *row, const char *word) {
  size_t length = strlen(word);
  for (const char *at = row->choices; at && *at && length;) {
    const char *end = strchr(at, '|');
    size_t here = end ? (size_t)(end - at) : strlen(at);
    if (here == length && memcmp(at, word, length) == 0)
      return true;
    at = end ? end + 1 : NULL;
  }
  return false;
}

/* The path of a row below a part; false when other names belong into it. */
static bool plain_path(const ct_schema_row *row, const char *section, const char *part,
                       char path[CTPD_PATH]) {
  split s;
  *path = 0;
  if (!split_path(row->path, &s) || !of_section(&s, section) || !append(path, section, NULL) ||
      !append(path, part, NULL))
    return false;
  for (int i = 2; i < s.count; i++)
    if (s.list[i] || strcmp(s.words[i], "*") == 0 || !append(path, s.words[i], NULL))
      return false;
  return true;
}

static bool is_set(const ctpd_leaves *leaves, const char *path) {
  for (int i = 0; i < leaves->count; i++)
    if (strcmp(leaves->items[i].path, path) == 0)
      return true;
  return false;
}

/* `only`: the last word of the row; null: any. */
static bool find_choice(const char *section, const char *part, const char *word, const char *only,
                        const ctpd_leaves *leaves, char path[CTPD_PATH]) {
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    if (row->type != CT_TYPE_CHOICE || !has_choice(row, word) || !plain_path(row, section, part, path) ||
        is_set(leaves, path))
      continue;
    if (!only || strcmp(strrchr(path, '.') + 1, only) == 0)
      return true;
  }
  return false;
}

/* Text that changes nothing (about, role) is not meant. */
static bool find_text(const char *section, const char *part, const ctpd_leaves *leaves,
                      char path[CTPD_PATH]) {
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    if (row->type == CT_TYPE_TEXT && strncmp(row->effect, "none", 4) != 0 &&
        plain_path(row, section, part, path) && !is_set(leaves, path))
      return true;
  }
  return false;
}

/* ---- reading ---- */

typedef struct reader {
  const char *section, *part;
  int argc;
  const t_atom *argv;
  int at;
  ctpd_leaves *leaves;
  ct_error *error;
} reader;

static ct_result add_one(reader *r, const char *before, int index, const char *after) {
  char path[3 * CTPD_PATH];
  if (index < 0)
    snprintf(path, sizeof path, "%s%s%s", before, *after ? "." : "", after);
  else
    snprintf(path, sizeof path, "%s.%d%s%s", before, index, *after ? "." : "", after);
  if (strlen(path) >= CTPD_PATH)
    return fail(r->error, CT_BAD_PATH, "too long", before);
  return ctpd_leaves_add(r->leaves, path, &r->argv[r->at++], r->error);
}

static ct_result read_values(reader *r, const match *m, const char *key) {
  if (r->at >= r->argc)
    return fail(r->error, CT_BAD_VALUE, "wants a value behind it", key);
  if (!m->open_list)
    return add_one(r, m->before, -1, "");
  if (r->argv[r->at].a_type != A_FLOAT)
    return fail(r->error, CT_BAD_VALUE, "wants numbers behind it", key);
  ct_result result = CT_OK;
  for (int n = 0; r->at < r->argc && r->argv[r->at].a_type == A_FLOAT && result == CT_OK; n++)
    result = add_one(r, m->before, n, m->after);
  return result;
}

static ct_result read_bare(reader *r, const char *word) {
  char path[CTPD_PATH];
  if (find_choice(r->section, r->part, word, NULL, r->leaves, path) ||
      find_text(r->section, r->part, r->leaves, path))
    return ctpd_leaves_add(r->leaves, path, &r->argv[r->at++], r->error);
  return fail(r->error, CT_BAD_PATH, "neither a parameter nor one of its choices", word);
}

static ct_result read_next(reader *r) {
  const t_atom *atom = &r->argv[r->at];
  char listed[200];
  match m;
  if (atom->a_type != A_SYMBOL)
    return fail(r->error, CT_BAD_VALUE, "a number without the word it is for", r->part);
  const char *word = atom->a_w.w_symbol->s_name;
  int found = find_key(r->section, r->part, word, &m, listed, sizeof listed);
  if (found > 1) {
    r->error->code = CT_BAD_PATH;
    snprintf(r->error->text, sizeof r->error->text, "%.60s: could be %.200s; write more of it", word, listed);
    return CT_BAD_PATH;
  }
  if (!found)
    return read_bare(r, word);
  r->at++;
  return read_values(r, &m, word);
}

/* A name that is a kind says both: [ct.contact g friction finger.tip glass.rim]. */
static ct_result name_as_kind(reader *r) {
  char path[CTPD_PATH];
  t_atom atom;
  if (!find_choice(r->section, r->part, r->part, "kind", r->leaves, path))
    return CT_OK;
  SETSYMBOL(&atom, gensym(r->part));
  return ctpd_leaves_add(r->leaves, path, &atom, r->error);
}

ct_result ctpd_read_part(const ctpd_section *section, int argc, const t_atom *argv, ctpd_leaves *leaves,
                         ct_error *error) {
  if (argc < 1 || argv[0].a_type != A_SYMBOL)
    return fail(error, CT_BAD_ARGUMENT, "wants the scene's name and one of its own", section->word);
  reader r = {section->key, argv[0].a_w.w_symbol->s_name, argc, argv, 1, leaves, error};
  if (!*r.part || strchr(r.part, '.') || strlen(r.part) >= CT_NAME_MAX)
    return fail(error, CT_BAD_ARGUMENT, "no name for a part: without dots, at most 47 letters", r.part);
  ct_result result = CT_OK;
  while (r.at < argc && result == CT_OK)
    result = read_next(&r);
  if (result == CT_OK)
    result = name_as_kind(&r);
  if (result == CT_OK && !leaves->count)
    result = fail(error, CT_BAD_ARGUMENT, "says nothing about it", r.part);
  return result;
}
