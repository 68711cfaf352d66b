/* See live.h. */
#include "support/live.h"

#include "document/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool live_row(const ct_schema_row *row) {
  return row->type == CT_TYPE_NUMBER &&
         (row->rate == CT_RATE_TICK || row->rate == CT_RATE_AUDIO || row->rate == CT_RATE_TRIGGER);
}

const ct_schema_row *live_row_of(const ct_scene *scene, const char *path) {
  ct_handle handle;
  ct_error error;
  return ct_scene_resolve(scene, path, &handle, &error) == CT_OK ? ct_schema_row_at(handle.row) : NULL;
}

/* Cuts off the next word: up to a dot or bracket. */
static size_t next_word(const char **at, const char **word) {
  *at += strspn(*at, ".[]\x1f");
  *word = *at;
  size_t length = strcspn(*at, ".[]\x1f");
  *at += length;
  return length;
}

bool live_matches(const char *pattern, const char *path) {
  for (;;) {
    bool number = pattern[0] == '[';
    const char *want = "", *have;
    if (number)
      pattern += 2;
    size_t wanted = number ? 0 : next_word(&pattern, &want), had = next_word(&path, &have);
    if (!number && wanted == 0)
      return had == 0;
    if (had == 0)
      return false;
    bool any = number ? strspn(have, "0123456789") >= had : wanted == 1 && *want == '*';
    if (!any && (wanted != had || memcmp(want, have, had) != 0))
      return false;
  }
}

/* ---- from a pattern to paths ---- */

#define NAMES 64

/* The different words that follow `prefix` in the trial's leaves. */
static uint32_t words_after(const trial *t, const char *prefix, char names[NAMES][CT_NAME_MAX]) {
  uint32_t count = 0;
  size_t length = strlen(prefix);
  for (uint32_t i = 0; i < t->leaf_count && count < NAMES; i++) {
    const char *path = t->leaves[i].path;
    if (strncmp(path, prefix, length) != 0 || strchr(path, '\x1f'))
      continue;
    size_t word = strcspn(path + length, ".[");
    bool known = word == 0 || word >= CT_NAME_MAX;
    for (uint32_t k = 0; k < count && !known; k++)
      known = strlen(names[k]) == word && memcmp(names[k], path + length, word) == 0;
    if (!known)
      snprintf(names[count++], CT_NAME_MAX, "%.*s", (int)word, path + length);
  }
  return count;
}

static bool take(const ct_scene *scene, const char *path, live_knob *knob) {
  ct_error error;
  if (ct_scene_resolve(scene, path, &knob->handle, &error) != CT_OK)
    return false;
  trial_spell(knob->path, "%s", path);
  knob->row_index = knob->handle.row;
  knob->row = ct_schema_row_at(knob->handle.row);
  knob->min = knob->row->min;
  knob->max = knob->row->max;
  return true;
}

/* A control moves between its own ends. */
static void take_range(const trial *t, live_knob *knob) {
  if (strncmp(knob->path, "controls.", 9) != 0)
    return;
  char path[TRIAL_PATH];
  const char *const ends[] = {"min", "max"};
  for (int i = 0; i < 2; i++) {
    trial_spell(path, "%.*s.%s", (int)(strrchr(knob->path, '.') - knob->path), knob->path, ends[i]);
    const trial_leaf *leaf = trial_find(t, path);
    *(i ? &knob->max : &knob->min) = leaf ? leaf->number : i;
  }
}

typedef struct walk {
  const trial *t;
  const ct_scene *scene;
  uint32_t most_numbers;
  ct_random *random; /* null: every path */
  live_knob *knobs;
  uint32_t count, capacity;
} walk;

static void keep(walk *w, const char *path) {
  live_knob knob;
  memset(&knob, 0, sizeof knob);
  if (!take(w->scene, path, &knob))
    return;
  take_range(w->t, &knob);
  if (w->count == w->capacity) {
    w->capacity = w->capacity ? 2 * w->capacity : 64;
    w->knobs = realloc(w->knobs, w->capacity * sizeof *w->knobs);
    if (!w->knobs)
      abort();
  }
  w->knobs[w->count++] = knob;
}

/* Writes out the pattern from `pattern` on behind the path so far. */
static void spell(walk *w, const char *path, const char *pattern) {
  char longer[TRIAL_PATH], names[NAMES][CT_NAME_MAX];
  if (!*pattern) {
    keep(w, path);
    return;
  }
  if (*pattern == '*') {
    uint32_t count = words_after(w->t, path, names), first = 0;
    if (w->random && count) {
      first = draw_below(w->random, count);
      count = first + 1;
    }
    for (uint32_t i = first; i < count; i++) {
      trial_spell(longer, "%s%s", path, names[i]);
      spell(w, longer, pattern + 1);
    }
    return;
  }
  if (*pattern == '[') {
    uint32_t first = w->random ? draw_below(w->random, w->most_numbers) : 0;
    for (uint32_t i = first; i < w->most_numbers; i++) {
      uint32_t before = w->count;
      trial_spell(longer, "%s.%u", path, i);
      spell(w, longer, pattern + 2);
      if (w->random || w->count == before)
        return;
    }
    return;
  }
  size_t plain = strcspn(pattern, "*[");
  trial_spell(longer, "%s%.*s", path, (int)plain, pattern);
  spell(w, longer, pattern + plain);
}

uint32_t live_all(const trial *t, const ct_scene *scene, uint32_t most_numbers, live_knob **knobs) {
  walk w = {.t = t, .scene = scene, .most_numbers = most_numbers};
  for (uint32_t i = 0; i < ct_schema_count(); i++)
    if (live_row(ct_schema_row_at(i)))
      spell(&w, "", ct_schema_row_at(i)->path);
  *knobs = w.knobs;
  return w.count;
}

bool live_pick_row(ct_random *r, const trial *t, const ct_scene *scene, const ct_schema_row *row,
                   live_knob *knob) {
  walk w = {.t = t, .scene = scene, .random = r};
  for (int tries = 0; tries < 20 && !w.count && live_row(row); tries++) {
    w.most_numbers = 1 + draw_below(r, 8);
    spell(&w, "", row->path);
  }
  bool found = w.count > 0;
  if (found)
    *knob = w.knobs[0];
  free(w.knobs);
  return found;
}

bool live_pick(ct_random *r, const trial *t, const ct_scene *scene, bool (*wanted)(const ct_schema_row *),
               live_knob *knob) {
  walk w = {.t = t, .scene = scene, .random = r};
  for (int tries = 0; tries < 400 && !w.count; tries++) {
    const ct_schema_row *row = ct_schema_row_at(draw_below(r, ct_schema_count()));
    w.most_numbers = 1 + draw_below(r, 8);
    if (live_row(row) && (!wanted || wanted(row)))
      spell(&w, "", row->path);
  }
  bool found = w.count > 0;
  if (found)
    *knob = w.knobs[0];
  free(w.knobs);
  return found;
}
