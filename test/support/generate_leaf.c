/* Leaves of a random scene: what a row may be given, and mending what the scene refuses. See generate.h. */
#include "support/border.h"
#include "support/generate_parts.h"
#include <contatto/material.h>

#include <stdio.h>
#include <string.h>

static const char *left_out;

void generate_without(const char *text) { left_out = text; }

bool generate_leaves_out(const ct_schema_row *row) {
  char word[64];
  for (const char *at = left_out; at && *at; at += strcspn(at, "|"), at += *at == '|') {
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "|"), at);
    if (strstr(row->path, word))
      return true;
  }
  return false;
}

void names_add(names *list, const char *name) {
  if (list->count < NAMES_MOST)
    snprintf(list->name[list->count++], sizeof list->name[0], "%.100s", name);
}

/* ---- what the schema cannot say ---- */

typedef enum text_kind {
  TEXT_ANY = 0, /* any name there is: what a row nobody has heard of gets */
  TEXT_NONE,
  TEXT_POINT,
  TEXT_SHAPED_POINT,
  TEXT_IMPACT,
  TEXT_SURFACE,
  TEXT_MATERIAL,
  TEXT_HEARD, /* a point or a contact */
} text_kind;

static const struct {
  const char *path;
  text_kind kind;
  bool must; /* else now and then */
} texts[] = {
    {"bodies.*.modes.material", TEXT_MATERIAL, false},
    {"bodies.*.points.*.follows", TEXT_POINT, false},
    {"contacts.*.a", TEXT_POINT, true},
    {"contacts.*.b", TEXT_POINT, true},
    {"contacts.*.normal_from", TEXT_IMPACT, false},
    {"surfaces.*.file", TEXT_NONE, false},
    {"bodies.*.modes.from", TEXT_NONE, false},
    {"drives.*.contact", TEXT_IMPACT, true},
    {"drives.*.surface", TEXT_SURFACE, true},
    {"drives.*.rim", TEXT_POINT, false},
    {"drives.*.follows", TEXT_POINT, false},
    {"drives.*.travels", TEXT_SHAPED_POINT, false},
    {"pickups.*.at", TEXT_HEARD, true},
    {"sources.*.at", TEXT_POINT, true},
};

/* Rows that make a scene driven though they are no number a hand moves. */
bool generate_drives_it(const ct_schema_row *row) {
  static const char *const paths[] = {"drives.*.follows", "contacts.*.constant_damping"};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
    if (strcmp(paths[i], row->path) == 0)
      return true;
  border_kind kind = border_of_row(row);
  return kind == BORDER_FORCE || kind == BORDER_SPEED;
}

const char *names_any(generator *g, const names *list) {
  return list->count ? list->name[draw_below(&g->random, list->count)] : "";
}

static const char *draw_text(generator *g, text_kind kind) {
  const names *lists[] = {[TEXT_POINT] = &g->points,
                          [TEXT_SHAPED_POINT] = &g->shaped,
                          [TEXT_IMPACT] = &g->impacts,
                          [TEXT_SURFACE] = &g->surfaces,
                          [TEXT_HEARD] = &g->points};
  if (kind == TEXT_NONE)
    return "";
  if (kind == TEXT_MATERIAL)
    return ct_material_at(draw_below(&g->random, ct_material_count()))->name;
  if (kind == TEXT_HEARD && draw_chance(&g->random, 0.25))
    return names_any(g, &g->contacts);
  if (kind == TEXT_ANY)
    kind = (text_kind)(TEXT_POINT + draw_below(&g->random, TEXT_SURFACE - TEXT_POINT + 1));
  return names_any(g, lists[kind]);
}

/* ---- one leaf ---- */

draw_temper generate_temper(generator *g) {
  return draw_chance(&g->random, 0.85) ? g->temper : (draw_temper)draw_below(&g->random, 3);
}

static void give_text(generator *g, const ct_schema_row *row, const char *path) {
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (strcmp(texts[i].path, row->path) == 0) {
      bool wanted = texts[i].must || row == g->wish || draw_chance(&g->random, 0.4);
      const char *text = wanted ? draw_text(g, texts[i].kind) : "";
      if (*text)
        trial_set_text(g->t, path, text);
      return;
    }
  bool said_only = strcmp(row->effect, "none") == 0; /* titles, hints */
  const char *text = said_only || draw_chance(&g->random, 0.7) ? "" : draw_text(g, TEXT_ANY);
  if (*text)
    trial_set_text(g->t, path, text);
}

void generate_give(generator *g, const ct_schema_row *row, const char *path) {
  char word[64];
  switch (row->type) {
  case CT_TYPE_NUMBER:
  case CT_TYPE_COUNT:
    trial_set_number(g->t, path, draw_row_value(&g->random, row, generate_temper(g)));
    return;
  case CT_TYPE_FLAG:
    trial_set_number(g->t, path, draw_chance(&g->random, 0.3));
    return;
  case CT_TYPE_CHOICE:
    draw_choice(&g->random, row->choices, word, sizeof word);
    trial_set_text(g->t, path, word);
    return;
  case CT_TYPE_TEXT:
    give_text(g, row, path);
    return;
  default:
    return;
  }
}

/* ---- groups of rows: "bodies.*.string" and what is right below it ---- */

/* The last word of a row that lies right below the group; null: it does not. Lists end in []. */
static const char *field_of(const ct_schema_row *row, const char *group) {
  size_t length = strlen(group);
  if (strncmp(row->path, group, length) != 0 || row->path[length] != '.')
    return NULL;
  const char *field = row->path + length + 1;
  return strpbrk(field, ".*") ? NULL : field;
}

void generate_join(char path[TRIAL_PATH], const char *part, const char *field) {
  trial_spell(path, "%s.%s", part, field);
}

/* Some of a group's single values for the part at `part`. Choices are always given: they say what it is. */
void generate_group(generator *g, const char *group, const char *part) {
  char path[TRIAL_PATH];
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    const char *field = field_of(row, group);
    if (!field || strchr(field, '[') || row->rate == CT_RATE_STATE ||
        (g->undriven && generate_drives_it(row)) || generate_leaves_out(row))
      continue;
    generate_join(path, part, field);
    if (trial_find(g->t, path))
      continue;
    if (row->type == CT_TYPE_CHOICE || row->type == CT_TYPE_TEXT || row == g->wish ||
        draw_chance(&g->random, g->odds))
      generate_give(g, row, path);
  }
}

/* A list of a group, `count` long. */
void generate_list(generator *g, const char *group, const char *part, const char *list, uint32_t count) {
  char path[TRIAL_PATH], name[64];
  snprintf(name, sizeof name, "%s[]", list);
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    const char *field = field_of(row, group);
    for (uint32_t k = 0; field && strcmp(field, name) == 0 && k < count; k++) {
      trial_spell(path, "%s.%s.%u", part, list, k);
      generate_give(g, row, path);
    }
  }
}

void generate_lists(generator *g, const char *group, const char *part) {
  char path[TRIAL_PATH], name[64];
  uint32_t count = 1 + draw_below(&g->random, 4);
  bool few = draw_chance(&g->random, 0.2);
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    const char *field = field_of(row, group), *list = field ? strstr(field, "[]") : NULL;
    if (!list || list[2] || row->rate == CT_RATE_STATE || !(few || row == g->wish))
      continue;
    snprintf(name, sizeof name, "%.*s", (int)(list - field), field);
    trial_spell(path, "%s.%s.0", part, name);
    if (!trial_find(g->t, path))
      generate_list(g, group, part, name, count);
  }
}

/* ---- mending ---- */

static bool builds(generator *g, ct_error *error) {
  ct_scene *scene = NULL;
  if (g->counts)
    g->counts->tries++;
  bool good = trial_build(g->t, &scene, error) == CT_OK;
  if (good)
    ct_scene_destroy(scene);
  return good;
}

/* Whether the message speaks of the leaf: its last word that is no number occurs in it. */
static bool speaks_of(const char *message, const char *path) {
  char word[64];
  const char *end = path + strlen(path), *begin;
  do {
    begin = end;
    while (begin > path && begin[-1] != '.')
      begin--;
    snprintf(word, sizeof word, "%.*s", (int)(end - begin), begin);
    end = begin > path ? begin - 1 : begin;
  } while (begin > path && strspn(word, "0123456789") == strlen(word));
  size_t length = strlen(word);
  for (const char *at = strstr(message, word); at && length; at = strstr(at + 1, word)) {
    bool starts = at == message || !strchr("abcdefghijklmnopqrstuvwxyz_", at[-1]);
    if (starts && !strchr("abcdefghijklmnopqrstuvwxyz_", at[length]))
      return true;
    if (starts && !at[length])
      return true;
  }
  return false;
}

/* Drops a leaf behind `first`, of those the message speaks of if there are any; with a list, all of it. */
static bool drop_one(generator *g, uint32_t first, const char *message) {
  trial *t = g->t;
  uint32_t named = 0, pick = 0, count = t->leaf_count - first;
  if (count == 0)
    return false;
  for (uint32_t i = first; i < t->leaf_count; i++)
    if (speaks_of(message, t->leaves[i].path) && draw_below(&g->random, ++named) == 0)
      pick = i;
  if (!named)
    pick = first + draw_below(&g->random, count);
  char prefix[TRIAL_PATH];
  trial_spell(prefix, "%s", t->leaves[pick].path);
  char *last = strrchr(prefix, '.');
  bool listed = last && strspn(last + 1, "0123456789") == strlen(last + 1);
  if (listed)
    last[1] = 0;
  uint32_t kept = first;
  for (uint32_t i = first; i < t->leaf_count; i++)
    if (listed ? strncmp(t->leaves[i].path, prefix, strlen(prefix)) != 0 : i != pick)
      t->leaves[kept++] = t->leaves[i];
  t->leaf_count = kept;
  return kept > first;
}

/* Leaves from `first` on are a new part. Mends it until the scene can be built, else takes it back. */
bool generate_mend(generator *g, uint32_t first) {
  ct_error error;
  if (g->t->leaf_count == first)
    return false;
  for (int tries = 0; tries < 24; tries++) {
    if (builds(g, &error))
      return g->t->leaf_count > first;
    if (!drop_one(g, first, error.text))
      break;
  }
  if (g->counts)
    g->counts->parts_given_up++;
  g->t->leaf_count = first;
  return false;
}

const ct_schema_row *generate_row(const char *path) {
  for (uint32_t i = 0; i < ct_schema_count(); i++)
    if (strcmp(ct_schema_row_at(i)->path, path) == 0)
      return ct_schema_row_at(i);
  return NULL;
}
