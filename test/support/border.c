/* See border.h. */
#include "support/border.h"

#include "support/live.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *pattern;
  border_kind kind;
} rows[] = {
    {"gravity_m_s2", BORDER_GRAVITY},
    {"bodies.*.x_m", BORDER_MOVES},
    {"bodies.*.v_m_s", BORDER_SPEED},
    {"bodies.*.tangential_x_m", BORDER_MOVES},
    {"bodies.*.tangential_v_m_s", BORDER_SPEED},
    {"bodies.*.modes[].x_m", BORDER_START},
    {"bodies.*.modes[].v_m_s", BORDER_START},
    {"bodies.*.points.*.place_u", BORDER_MOVES},
    {"bodies.*.points.*.place_v", BORDER_MOVES},
    {"bodies.*.points.*.force_n", BORDER_FORCE},
    {"bodies.*.points.*.tangential_force_n", BORDER_FORCE},
    {"bodies.*.points.*.pluck_m", BORDER_START},
    {"bodies.*.points.*.strike_n_s", BORDER_FORCE}, /* a modal body's takes its time */
    {"contacts.*.gap_m", BORDER_MOVES},
    {"drives.*.throw_m_s", BORDER_START},
    {"drives.*.place_m", BORDER_CARRY},
    {"drives.*.push_n", BORDER_FORCE},
    {"drives.*.slope", BORDER_FORCE},
    {"drives.*.low_m", BORDER_MOVES}, /* a rim that is pushed */
    {"drives.*.high_m", BORDER_MOVES},
};

border_kind border_of_row(const ct_schema_row *row) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(rows[i].pattern, row->path) == 0)
      return rows[i].kind;
  return BORDER_NONE;
}

static void allow(border *b, border_kind kind) {
  b->force |= kind == BORDER_FORCE || kind == BORDER_START || kind == BORDER_GRAVITY;
  b->motion |= kind == BORDER_MOVES || kind == BORDER_SPEED || kind == BORDER_START || kind == BORDER_CARRY;
}

static bool ends_in(const char *path, const char *end) {
  size_t length = strlen(path), part = strlen(end);
  return length > part && strcmp(path + length - part, end) == 0;
}

static const char *text_of(const trial *t, const char *part, const char *field, const char *otherwise) {
  char path[TRIAL_PATH];
  trial_spell(path, "%s.%s", part, field);
  const trial_leaf *leaf = trial_find(t, path);
  return leaf && leaf->text[0] ? leaf->text : otherwise;
}

/* A drive goes by itself when it rolls and nothing else is said; one that follows a body is moved by that
 * body's modes, and only a hand that leads it may work. */
static void judge_drive(const trial *t, const trial_leaf *leaf, border *b) {
  char part[TRIAL_PATH];
  trial_spell(part, "%.*s", (int)(strrchr(leaf->path, '.') - leaf->path), leaf->path);
  bool rolls = strcmp(text_of(t, part, "kind", "roll"), "roll") == 0;
  bool free = strcmp(text_of(t, part, "motion", rolls ? "free" : "imposed"), "free") == 0;
  const char *leader = text_of(t, part, "follows", "");
  char body[TRIAL_PATH];
  trial_spell(body, "bodies.%.*s", (int)strcspn(leader, "."), leader);
  bool hand = strcmp(text_of(t, body, "kind", "modal"), "hand") == 0;
  b->motion |= !free && (!*leader || hand);
}

static void judge_leaf(const trial *t, const trial_leaf *leaf, border *b) {
  b->force |= strncmp(leaf->path, "sources.", 8) == 0;
  if (leaf->text[0]) {
    b->noise |= strcmp(leaf->text, "added") == 0; /* roughness as the papers have it */
    if (live_matches("drives.*.contact", leaf->path))
      judge_drive(t, leaf, b);
    return;
  }
  b->noise |= leaf->number != 0 && live_matches("contacts.*.constant_damping", leaf->path);
  b->gravity |= leaf->number != 0 && strcmp(leaf->path, "gravity_m_s2") == 0;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    bool acts = rows[i].kind == BORDER_FORCE || rows[i].kind == BORDER_SPEED;
    if (acts && leaf->number != 0 && live_matches(rows[i].pattern, leaf->path))
      allow(b, rows[i].kind);
  }
}

/* A parameter that is set before the first sample, or moves while the scene sounds. */
static void judge_moved(const ct_scene *scene, const char *path, bool at_start, border *b) {
  const ct_schema_row *row = live_row_of(scene, path);
  border_kind kind = row ? border_of_row(row) : BORDER_NONE;
  if (!at_start || (kind != BORDER_START && kind != BORDER_MOVES))
    allow(b, kind);
  b->mass_moves |= row && strncmp(row->path, "bodies.*.modes", 14) == 0 && kind == BORDER_NONE;
  if (at_start)
    return;
  b->gravity |= kind == BORDER_GRAVITY;
}

/* Every target of a control that is turned, or that stands for something from the start. */
static void judge_control(const trial *t, const ct_scene *scene, const char *name, size_t length,
                          bool at_start, border *b) {
  char prefix[TRIAL_PATH];
  trial_spell(prefix, "controls.%.*s.targets", (int)length, name);
  for (uint32_t i = 0; i < t->leaf_count; i++)
    if (strncmp(t->leaves[i].path, prefix, strlen(prefix)) == 0 && ends_in(t->leaves[i].path, ".path"))
      judge_moved(scene, t->leaves[i].text, at_start, b);
}

static bool has_control(const trial *t, const char *name, size_t length) {
  char path[TRIAL_PATH];
  trial_spell(path, "controls.%.*s.targets", (int)length, name);
  for (uint32_t i = 0; i < t->leaf_count; i++)
    if (strncmp(t->leaves[i].path, path, strlen(path)) == 0)
      return true;
  return false;
}

static void judge_path(const trial *t, const ct_scene *scene, const char *path, bool at_start, border *b) {
  const char *name = strncmp(path, "controls.", 9) == 0 ? path + 9 : path;
  size_t length = strcspn(name, ".");
  if (has_control(t, name, length))
    judge_control(t, scene, name, length, at_start, b);
  else
    judge_moved(scene, path, at_start, b);
}

/* A column of the demo gesture moves what it names. Names with dots are joined by CT_DOC_JOIN. */
static void judge_column(const trial *t, const ct_scene *scene, const char *leaf, border *b) {
  char path[TRIAL_PATH];
  if (strncmp(leaf, "gesture", 7) != 0)
    return;
  trial_spell(path, "%.*s", (int)(strrchr(leaf, leaf[7]) - leaf - 8), leaf + 8);
  if (strcmp(path, "time_s") != 0)
    judge_path(t, scene, path, false, b);
}

border border_of(const trial *t, const ct_scene *scene) {
  border b = {0};
  for (uint32_t i = 0; i < t->leaf_count; i++) {
    const trial_leaf *leaf = &t->leaves[i];
    judge_leaf(t, leaf, &b);
    if (live_matches("controls.*.targets[].path", leaf->path))
      judge_moved(scene, leaf->text, true, &b);
    judge_column(t, scene, leaf->path, &b);
  }
  for (uint32_t i = 0; i < t->event_count; i++) {
    b.removes |= t->events[i].way == TRIAL_REMOVE;
    judge_path(t, scene, t->knobs[t->events[i].knob].path, t->events[i].sample == 0, &b);
  }
  return b;
}
