/* See generate.h. */
#include "support/generate.h"

#include "scene/schema.h"
#include "support/border.h"
#include "support/live.h"
#include <contatto/material.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 40

typedef struct names {
  char name[NAMES_MOST][TRIAL_TEXT];
  uint32_t count;
} names;

typedef struct generator {
  ct_random random;
  trial *t;
  bool undriven;
  draw_temper temper; /* of most numbers */
  double odds;        /* that a number is given at all */
  names points, shaped, impacts, contacts, surfaces;
  generate_counts *counts;
} generator;

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

static void remember(names *list, const char *name) {
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
    {"drives.*.contact", TEXT_IMPACT, true},
    {"drives.*.surface", TEXT_SURFACE, true},
    {"drives.*.rim", TEXT_POINT, false},
    {"drives.*.follows", TEXT_POINT, false},
    {"drives.*.travels", TEXT_SHAPED_POINT, false},
    {"pickups.*.at", TEXT_HEARD, true},
    {"sources.*.at", TEXT_POINT, true},
};

/* Rows that make a scene driven though they are no number a hand moves. */
static bool drives_it(const ct_schema_row *row) {
  static const char *const paths[] = {"drives.*.follows", "contacts.*.constant_damping"};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
    if (strcmp(paths[i], row->path) == 0)
      return true;
  border_kind kind = border_of_row(row);
  return kind == BORDER_FORCE || kind == BORDER_SPEED;
}

static const char *any_of(generator *g, const names *list) {
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
    return any_of(g, &g->contacts);
  if (kind == TEXT_ANY)
    kind = (text_kind)(TEXT_POINT + draw_below(&g->random, TEXT_SURFACE - TEXT_POINT + 1));
  return any_of(g, lists[kind]);
}

/* ---- one leaf ---- */

static draw_temper draw_temper_now(generator *g) {
  return draw_chance(&g->random, 0.85) ? g->temper : (draw_temper)draw_below(&g->random, 3);
}

static void give_text(generator *g, const ct_schema_row *row, const char *path) {
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (strcmp(texts[i].path, row->path) == 0) {
      const char *text = texts[i].must || draw_chance(&g->random, 0.4) ? draw_text(g, texts[i].kind) : "";
      if (*text)
        trial_set_text(g->t, path, text);
      return;
    }
  bool said_only = strcmp(row->effect, "none") == 0; /* titles, hints */
  const char *text = said_only || draw_chance(&g->random, 0.7) ? "" : draw_text(g, TEXT_ANY);
  if (*text)
    trial_set_text(g->t, path, text);
}

static void give(generator *g, const ct_schema_row *row, const char *path) {
  char word[64];
  switch (row->type) {
  case CT_TYPE_NUMBER:
  case CT_TYPE_COUNT:
    trial_set_number(g->t, path, draw_row_value(&g->random, row, draw_temper_now(g)));
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

static void join(char *path, const char *part, const char *field) { trial_spell(path, "%s.%s", part, field); }

/* Some of a group's single values for the part at `part`. Choices are always given: they say what it is. */
static void give_group(generator *g, const char *group, const char *part) {
  char path[TRIAL_PATH];
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    const char *field = field_of(row, group);
    if (!field || strchr(field, '[') || row->rate == CT_RATE_STATE || (g->undriven && drives_it(row)) ||
        generate_leaves_out(row))
      continue;
    join(path, part, field);
    if (trial_find(g->t, path))
      continue;
    if (row->type == CT_TYPE_CHOICE || row->type == CT_TYPE_TEXT || draw_chance(&g->random, g->odds))
      give(g, row, path);
  }
}

/* A list of a group, `count` long. */
static void give_list(generator *g, const char *group, const char *part, const char *list, uint32_t count) {
  char path[TRIAL_PATH], name[64];
  snprintf(name, sizeof name, "%s[]", list);
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    const char *field = field_of(row, group);
    for (uint32_t k = 0; field && strcmp(field, name) == 0 && k < count; k++) {
      trial_spell(path, "%s.%s.%u", part, list, k);
      give(g, row, path);
    }
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
static bool mend(generator *g, uint32_t first) {
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

/* ---- bodies ---- */

static uint32_t draw_modes(generator *g) {
  return 1 + draw_below(&g->random, draw_chance(&g->random, 0.6) ? 3 : 16);
}

static void give_modes(generator *g, const char *body, uint32_t count) {
  char part[TRIAL_PATH], path[TRIAL_PATH];
  for (uint32_t i = 0; i < count; i++) {
    trial_spell(part, "%s.modes.%u", body, i);
    if (i == 0 && draw_chance(&g->random, 0.5)) { /* something to fall, fly and roll */
      join(path, part, "hz");
      trial_set_number(g->t, path, 0);
    }
    if (draw_chance(&g->random, 0.5)) {
      join(path, part, "v_m_s");
      trial_set_number(g->t, path, draw_log(&g->random, 1e-4, 10) * (draw_chance(&g->random, 0.5) ? 1 : -1));
    }
    join(path, part, "mass_kg");
    trial_set_number(g->t, path, 0.05);
    give_group(g, "bodies.*.modes[]", part);
    if (draw_chance(&g->random, 0.7))
      trial_set_number(g->t, path, draw_log(&g->random, 1e-5, 10));
  }
}

/* Lists that a few shapes want: most draws are refused by most shapes, and mended. */
static void give_shape(generator *g, const char *body) {
  char part[TRIAL_PATH], path[TRIAL_PATH];
  join(part, body, "modes");
  join(path, part, "count");
  trial_set_number(g->t, path, 1 + draw_below(&g->random, draw_chance(&g->random, 0.7) ? 6 : 24));
  join(path, part, "columns");
  uint32_t columns = 1 + draw_below(&g->random, 8);
  trial_set_number(g->t, path, columns);
  join(path, part, "rows");
  trial_set_number(g->t, path, 1 + draw_below(&g->random, 5));
  draw_temper temper = g->temper;
  double odds = g->odds;
  g->temper = draw_chance(&g->random, 0.7) ? DRAW_MILD : temper;
  g->odds = draw_chance(&g->random, 0.6) ? 0.07 : odds;
  give_group(g, "bodies.*.modes", part);
  if (draw_chance(&g->random, 0.2))
    give_list(g, "bodies.*.modes", part, "size_m", 1 + draw_below(&g->random, 2));
  if (draw_chance(&g->random, 0.15)) {
    give_list(g, "bodies.*.modes", part, "masses_kg", columns);
    give_list(g, "bodies.*.modes", part, "springs_n_m", columns + 1);
  }
  const trial_leaf *shape = trial_find(g->t, (join(path, part, "shape"), path));
  if (shape && strcmp(shape->text, "network") == 0)
    for (uint32_t i = 0; i < columns; i++) {
      trial_spell(path, "%s.links_from.%u", part, i);
      trial_set_number(g->t, path, i);
      trial_spell(path, "%s.links_to.%u", part, i);
      trial_set_number(g->t, path, i + 1 < columns ? i + 1.0 : -1);
      trial_spell(path, "%s.links_n_m.%u", part, i);
      trial_set_number(g->t, path, draw_log(&g->random, 1, 1e7));
    }
  g->temper = temper;
  g->odds = odds;
}

static void give_points(generator *g, const char *body, uint32_t modes) {
  char part[TRIAL_PATH], path[TRIAL_PATH];
  uint32_t count = 1 + draw_below(&g->random, 3);
  for (uint32_t i = 0; i < count; i++) {
    trial_spell(part, "%s.points.p%u", body, i);
    if (modes) {
      const char *lists[] = {"gains", "normal", "tangential"};
      give_list(g, "bodies.*.points.*", part, lists[0], modes);
      for (int k = 1; k < 3; k++)
        if (draw_chance(&g->random, 0.3))
          give_list(g, "bodies.*.points.*", part, lists[k], modes);
    } else {
      join(path, part, "place_u");
      trial_set_number(g->t, path, draw_share(&g->random));
    }
    give_group(g, "bodies.*.points.*", part);
  }
}

/* Gains near 1 more often than not, so that bodies are felt. */
static void calm_gains(generator *g, uint32_t first) {
  for (uint32_t i = first; i < g->t->leaf_count; i++) {
    trial_leaf *leaf = &g->t->leaves[i];
    bool gain = live_matches("bodies.*.points.*.gains[]", leaf->path) ||
                live_matches("bodies.*.points.*.normal[]", leaf->path) ||
                live_matches("bodies.*.points.*.tangential[]", leaf->path);
    if (gain && draw_chance(&g->random, 0.9))
      leaf->number = draw_chance(&g->random, 0.4) ? 1 : draw_between(&g->random, -1, 1);
  }
}

static void note_points(generator *g, const char *name, bool shaped) {
  char prefix[TRIAL_PATH], point[64];
  trial_spell(prefix, "bodies.%s.points.", name);
  for (uint32_t i = 0; i < 3; i++) {
    snprintf(point, sizeof point, "p%u.", i);
    bool there = false;
    for (uint32_t k = 0; k < g->t->leaf_count && !there; k++)
      there = strncmp(g->t->leaves[k].path, prefix, strlen(prefix)) == 0 &&
              strncmp(g->t->leaves[k].path + strlen(prefix), point, strlen(point)) == 0;
    snprintf(point, sizeof point, "%s.p%u", name, i);
    if (there)
      remember(&g->points, point);
    if (there && shaped)
      remember(&g->shaped, point);
  }
}

static const ct_schema_row *row_named(const char *path) {
  for (uint32_t i = 0; i < ct_schema_count(); i++)
    if (strcmp(ct_schema_row_at(i)->path, path) == 0)
      return ct_schema_row_at(i);
  return NULL;
}

static void draw_body(generator *g, uint32_t index) {
  char name[16], body[TRIAL_PATH], path[TRIAL_PATH], kind[32], part[TRIAL_PATH];
  uint32_t first = g->t->leaf_count;
  snprintf(name, sizeof name, "b%u", index);
  trial_spell(body, "bodies.%s", name);
  draw_choice(&g->random, row_named("bodies.*.kind")->choices, kind, sizeof kind);
  if (index == 0 || draw_chance(&g->random, 0.4))
    snprintf(kind, sizeof kind, "modal");
  join(path, body, "kind");
  trial_set_text(g->t, path, kind);
  bool modal = strcmp(kind, "modal") == 0, string = strcmp(kind, "string") == 0;
  bool hand = strcmp(kind, "hand") == 0 || strcmp(kind, "wall") == 0;
  bool shaped = modal && draw_chance(&g->random, 0.4);
  uint32_t modes = modal && !shaped ? draw_modes(g) : 0;
  if (modes)
    give_modes(g, body, modes);
  if (shaped)
    give_shape(g, body);
  if (string)
    give_group(g, "bodies.*.string", (join(part, body, "string"), part));
  if (hand)
    give_group(g, "bodies.*", body);
  if (!hand)
    give_points(g, body, modes);
  if (modal && draw_chance(&g->random, 0.2)) {
    join(path, body, "integrator");
    give(g, row_named("bodies.*.integrator"), path);
  }
  calm_gains(g, first);
  if (!mend(g, first))
    return;
  if (hand) {
    trial_spell(path, "%s.at", name);
    remember(&g->points, path);
  } else
    note_points(g, name, shaped);
}

/* ---- contacts, surfaces, drives, pickups, and whatever comes later ---- */

static bool is_friction(const trial *t, const char *part) {
  char path[TRIAL_PATH];
  const trial_leaf *kind = trial_find(t, (join(path, part, "kind"), path));
  return kind && strcmp(kind->text, "friction") == 0;
}

/* Fields of the other kind of contact are refused one by one: they are not given at all. */
static void drop_misfits(generator *g, const char *part, uint32_t first) {
  bool friction = is_friction(g->t, part);
  uint32_t kept = first;
  for (uint32_t i = first; i < g->t->leaf_count; i++) {
    bool fits = true;
    for (uint32_t k = 0; k < ct_schema_count(); k++) {
      const ct_row *row = ct_row_at(k);
      if (row->section == CT_IN_CONTACT && live_matches(row->shown.path, g->t->leaves[i].path))
        fits = ct_contact_field_fits(row->field, friction);
    }
    if (fits)
      g->t->leaves[kept++] = g->t->leaves[i];
  }
  g->t->leaf_count = kept;
}

/* Stiff enough to be felt and not so deep inside each other that everything is blown apart. */
static void usual_contact(generator *g, const char *part) {
  char path[TRIAL_PATH];
  const char *a = any_of(g, &g->points), *b = any_of(g, &g->points);
  for (int tries = 0; tries < 8 && strcmp(a, b) == 0; tries++)
    b = any_of(g, &g->points);
  if (*a && strcmp(a, b) != 0) { /* a point does not touch itself */
    join(path, part, "a");
    trial_set_text(g->t, path, a);
    join(path, part, "b");
    trial_set_text(g->t, path, b);
  }
  if (draw_chance(&g->random, 0.8)) {
    join(path, part, "gap_m");
    trial_set_number(g->t, path, draw_chance(&g->random, 0.5) ? 0 : draw_log(&g->random, 1e-7, 1e-2));
  }
}

static void drop_leaf(trial *t, const char *path) {
  for (uint32_t i = 0; i < t->leaf_count; i++)
    if (strcmp(t->leaves[i].path, path) == 0) {
      memmove(&t->leaves[i], &t->leaves[i + 1], (t->leaf_count - i - 1) * sizeof t->leaves[0]);
      t->leaf_count--;
      return;
    }
}

/* In an undriven scene what runs over a surface goes by itself. */
static void free_drive(generator *g, const char *part) {
  char path[TRIAL_PATH];
  join(path, part, "kind");
  trial_set_text(g->t, path, "roll");
  join(path, part, "motion");
  trial_set_text(g->t, path, "free");
}

static void usual_drive(generator *g, const char *part) {
  char path[TRIAL_PATH];
  join(path, part, "motion");
  if (draw_chance(&g->random, 0.3))
    drop_leaf(g->t, path);
  if (draw_chance(&g->random, 0.7)) {
    join(path, part, "throw_m_s");
    trial_set_number(g->t, path, draw_between(&g->random, -2, 2));
  }
  if (draw_chance(&g->random, 0.4)) {
    join(path, part, "low_m");
    trial_set_number(g->t, path, -draw_log(&g->random, 1e-5, 1));
    join(path, part, "high_m");
    trial_set_number(g->t, path, draw_log(&g->random, 1e-5, 1));
  }
}

static void give_heights(generator *g, const char *part) {
  char path[TRIAL_PATH];
  const trial_leaf *kind = trial_find(g->t, (join(path, part, "kind"), path));
  uint32_t count = 8 + draw_below(&g->random, 40);
  double step = draw_log(&g->random, 1e-8, 1e-2);
  for (uint32_t i = 0; kind && strcmp(kind->text, "scan") == 0 && i < count; i++) {
    trial_spell(path, "%s.heights_m.%u", part, i);
    trial_set_number(g->t, path, step * draw_between(&g->random, -1, 1));
  }
}

static void draw_part(generator *g, const char *section, const char *letter, uint32_t index) {
  char name[16], part[TRIAL_PATH], group[64];
  uint32_t first = g->t->leaf_count;
  snprintf(name, sizeof name, "%s%u", letter, index);
  trial_spell(part, "%s.%s", section, name);
  snprintf(group, sizeof group, "%s.*", section);
  bool contact = strcmp(section, "contacts") == 0, drive = strcmp(section, "drives") == 0;
  if (contact)
    usual_contact(g, part);
  if (drive && g->undriven)
    free_drive(g, part);
  if (drive)
    usual_drive(g, part);
  give_group(g, group, part);
  if (contact)
    drop_misfits(g, part, first);
  if (strcmp(section, "surfaces") == 0)
    give_heights(g, part);
  if (!mend(g, first))
    return;
  if (contact && !is_friction(g->t, part))
    remember(&g->impacts, name);
  if (contact)
    remember(&g->contacts, name);
  if (strcmp(section, "surfaces") == 0)
    remember(&g->surfaces, name);
}

/* ---- sources and controls: lists of their own ---- */

static void draw_source(generator *g, uint32_t index) {
  char part[TRIAL_PATH], region[TRIAL_PATH], path[TRIAL_PATH];
  uint32_t first = g->t->leaf_count, regions = 1 + draw_below(&g->random, 2);
  double cut = draw_between(&g->random, 0.1, 0.9);
  trial_spell(part, "sources.s%u", index);
  if (regions == 2) { /* two halves of the plane as it is without being told */
    const char *plain[] = {"x_min", "x_max", "y_min", "y_max"};
    const double ends[] = {0.01, 1, 0, 1};
    for (int i = 0; i < 4; i++)
      trial_set_number(g->t, (join(path, part, plain[i]), path), ends[i]);
    trial_set_text(g->t, (join(path, part, "x_signal"), path), "speed");
    trial_set_text(g->t, (join(path, part, "y_signal"), path), "pressure");
  }
  if (draw_chance(&g->random, 0.8)) {
    trial_set_number(g->t, (join(path, part, "speed_m_s"), path), draw_log(&g->random, 1e-3, 3));
    trial_set_number(g->t, (join(path, part, "pressure"), path), draw_share(&g->random));
  }
  give_group(g, "sources.*", part);
  for (uint32_t i = 0; i < regions; i++) {
    trial_spell(region, "%s.regions.r%u", part, i);
    give_group(g, "sources.*.regions.*", region);
    for (uint32_t k = 0; regions == 2 && k < 2; k++) {
      trial_spell(path, "%s.x.%u", region, k);
      trial_set_number(g->t, path, k == i ? (i ? 1 : 0.01) : cut);
      trial_spell(path, "%s.y.%u", region, k);
      trial_set_number(g->t, path, k);
    }
  }
  mend(g, first);
}

static bool not_a_control(const ct_schema_row *row) {
  return strncmp(row->path, "controls.", 9) != 0 && !generate_leaves_out(row);
}

static bool undriven_target(const ct_schema_row *row) {
  return not_a_control(row) && border_of_row(row) == BORDER_NONE;
}

static void draw_target(generator *g, const char *part, uint32_t index, bool *trigger) {
  char path[TRIAL_PATH];
  ct_scene *scene = NULL;
  ct_error error;
  live_knob knob;
  uint32_t kept = g->t->leaf_count;
  trial_spell(path, "%s.", part);
  while (kept && strncmp(g->t->leaves[kept - 1].path, path, strlen(path)) == 0)
    kept--; /* built without this control, which has no target yet */
  trial before = *g->t;
  before.leaf_count = kept;
  if (trial_build(&before, &scene, &error) != CT_OK)
    return;
  bool found = live_pick(&g->random, g->t, scene, g->undriven ? undriven_target : not_a_control, &knob);
  ct_scene_destroy(scene);
  if (!found)
    return;
  *trigger |= knob.row->rate == CT_RATE_TRIGGER;
  double from = draw_row_value(&g->random, knob.row, draw_temper_now(g)),
         to = draw_row_value(&g->random, knob.row, draw_temper_now(g));
  trial_spell(path, "%s.targets.%u.path", part, index);
  trial_set_text(g->t, path, knob.path);
  trial_spell(path, "%s.targets.%u.from", part, index);
  trial_set_number(g->t, path, from);
  trial_spell(path, "%s.targets.%u.to", part, index);
  trial_set_number(g->t, path, to);
  trial_spell(path, "%s.targets.%u.scale", part, index);
  trial_set_text(g->t, path, from > 0 && to > 0 && draw_chance(&g->random, 0.5) ? "log" : "linear");
}

static void draw_control(generator *g, uint32_t index) {
  char part[TRIAL_PATH], path[TRIAL_PATH];
  uint32_t first = g->t->leaf_count, targets = 1 + draw_below(&g->random, 3);
  bool trigger = false;
  trial_spell(part, "controls.k%u", index);
  double min = draw_log(&g->random, 1e-3, 10), max = min * draw_log(&g->random, 1.01, 1e4);
  trial_set_number(g->t, (join(path, part, "min"), path), min);
  trial_set_number(g->t, (join(path, part, "max"), path), max);
  trial_set_number(g->t, (join(path, part, "value"), path), draw_between(&g->random, min, max));
  for (uint32_t i = 0; i < targets; i++)
    draw_target(g, part, i, &trigger);
  trial_set_number(g->t, (join(path, part, "trigger"), path), trigger);
  give_group(g, "controls.*", part);
  mend(g, first);
}

/* ---- the scene ---- */

/* Sections of the schema that this file has no words for: parts of a new kind. */
static void draw_unknown(generator *g) {
  static const char *const known[] = {"bodies.",  "contacts.", "surfaces.", "drives.",  "sources.",
                                      "pickups.", "controls.", "presets.",  "gesture.", "energy."};
  char last[64] = "";
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const char *path = ct_schema_row_at(i)->path;
    size_t length = strcspn(path, ".");
    bool skip =
        strncmp(path + length, ".*", 2) != 0 || (strncmp(path, last, length) == 0 && strlen(last) == length);
    for (size_t k = 0; k < sizeof known / sizeof known[0] && !skip; k++)
      skip = strncmp(path, known[k], strlen(known[k])) == 0;
    if (skip || length >= sizeof last)
      continue;
    snprintf(last, sizeof last, "%.*s", (int)length, path);
    for (uint32_t n = draw_below(&g->random, 3); n > 0; n--)
      draw_part(g, last, last, n);
  }
}

static void draw_scene_numbers(generator *g) {
  trial_set_number(g->t, "contatto", 1);
  if (draw_chance(&g->random, 0.5))
    trial_set_number(g->t, "gravity_m_s2",
                     draw_chance(&g->random, 0.7) ? 9.81 : draw_between(&g->random, 0, 100));
  if (draw_chance(&g->random, 0.3))
    trial_set_number(g->t, "smoothing_s", draw_log(&g->random, 0.001, 0.05));
  trial_set_number(g->t, "channels", 1 + draw_below(&g->random, 2));
}

static void count_given(const generator *g) {
  for (uint32_t i = 0; g->counts && i < g->t->leaf_count; i++)
    for (uint32_t k = 0; k < ct_schema_count() && k < 1024; k++)
      if (live_matches(ct_schema_row_at(k)->path, g->t->leaves[i].path)) {
        g->counts->given[k]++;
        break;
      }
}

bool generate_is_undriven(uint64_t seed) {
  ct_random r = draw_begin(seed, 2);
  return draw_chance(&r, 0.5);
}

void generate_scene(trial *t, uint64_t seed, generate_counts *counts) {
  generator g = {.random = draw_begin(seed, 1), .t = t, .counts = counts};
  trial_clear(t);
  t->seed = seed;
  t->rate_hz = draw_chance(&g.random, 0.5) ? 44100 : draw_log(&g.random, 8000, 192000);
  t->frames = (uint32_t)draw_log(&g.random, 200, 6000);
  t->block_frames = 1 + draw_below(&g.random, 24);
  g.undriven = generate_is_undriven(seed);
  g.temper = (draw_temper)draw_below(&g.random, 3);
  g.odds = draw_between(&g.random, 0.05, 0.5);
  draw_scene_numbers(&g);
  for (uint32_t i = 0, n = 1 + draw_below(&g.random, 4); i < n; i++)
    draw_body(&g, i);
  for (uint32_t i = 0, n = draw_below(&g.random, 5); i < n; i++)
    draw_part(&g, "contacts", "c", i);
  for (uint32_t i = 0, n = draw_below(&g.random, 3); i < n; i++)
    draw_part(&g, "surfaces", "f", i);
  for (uint32_t i = 0, n = g.surfaces.count && g.impacts.count ? draw_below(&g.random, 3) : 0; i < n; i++)
    draw_part(&g, "drives", "d", i);
  draw_unknown(&g);
  for (uint32_t i = 0, n = !g.undriven && draw_chance(&g.random, 0.5); i < n; i++)
    draw_source(&g, i);
  for (uint32_t i = 0, n = 1 + draw_below(&g.random, 2); i < n; i++)
    draw_part(&g, "pickups", "o", i);
  for (uint32_t i = 0, n = draw_chance(&g.random, 0.4) ? 1 + draw_below(&g.random, 2) : 0; i < n; i++)
    draw_control(&g, i);
  count_given(&g);
}
