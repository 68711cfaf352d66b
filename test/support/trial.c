/* See trial.h. */
#include "support/trial.h"

#include "file/json.h"
#include "file/load.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *items, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity)
    return items;
  *capacity = *capacity ? 2 * *capacity : 64;
  void *larger = realloc(items, *capacity * size);
  if (!larger)
    abort();
  return larger;
}

void trial_spell(char path[TRIAL_PATH], const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(path, TRIAL_PATH, format, list);
  va_end(list);
}

void trial_clear(trial *t) {
  free(t->leaves);
  free(t->events);
  memset(t, 0, sizeof *t);
}

void trial_copy(trial *to, const trial *from) {
  trial_leaf *leaves = to->leaves;
  trial_event *events = to->events;
  *to = *from;
  to->leaf_capacity = from->leaf_count + 1;
  to->event_capacity = from->event_count + 1;
  to->leaves = realloc(leaves, to->leaf_capacity * sizeof *leaves);
  to->events = realloc(events, to->event_capacity * sizeof *events);
  if (!to->leaves || !to->events)
    abort();
  if (from->leaf_count)
    memcpy(to->leaves, from->leaves, from->leaf_count * sizeof *leaves);
  if (from->event_count)
    memcpy(to->events, from->events, from->event_count * sizeof *events);
}

/* ---- leaves ---- */

static trial_leaf *leaf_of(trial *t, const char *path) {
  for (uint32_t i = 0; i < t->leaf_count; i++)
    if (strcmp(t->leaves[i].path, path) == 0)
      return &t->leaves[i];
  t->leaves = grown(t->leaves, t->leaf_count, &t->leaf_capacity, sizeof *t->leaves);
  trial_leaf *leaf = &t->leaves[t->leaf_count++];
  memset(leaf, 0, sizeof *leaf);
  trial_spell(leaf->path, "%s", path);
  return leaf;
}

void trial_set_number(trial *t, const char *path, double number) {
  trial_leaf *leaf = leaf_of(t, path);
  leaf->number = number;
  leaf->text[0] = 0;
}

void trial_set_text(trial *t, const char *path, const char *text) {
  snprintf(leaf_of(t, path)->text, sizeof t->leaves->text, "%s", text);
}

void trial_keep(trial *t, const bool *drop) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->leaf_count; i++)
    if (!drop[i])
      t->leaves[kept++] = t->leaves[i];
  t->leaf_count = kept;
}

const trial_leaf *trial_find(const trial *t, const char *path) {
  for (uint32_t i = 0; i < t->leaf_count; i++)
    if (strcmp(t->leaves[i].path, path) == 0)
      return &t->leaves[i];
  return NULL;
}

/* ---- events ---- */

uint32_t trial_knob_of(trial *t, const char *path) {
  for (uint32_t i = 0; i < t->knob_count; i++)
    if (strcmp(t->knobs[i].path, path) == 0)
      return i;
  if (t->knob_count == TRIAL_KNOBS)
    return UINT32_MAX;
  trial_spell(t->knobs[t->knob_count].path, "%s", path);
  return t->knob_count++;
}

void trial_add_event(trial *t, trial_event event) {
  t->events = grown(t->events, t->event_count, &t->event_capacity, sizeof *t->events);
  t->events[t->event_count++] = event;
}

static int earlier(const void *a, const void *b) {
  const trial_event *left = a, *right = b;
  if (left->sample != right->sample)
    return left->sample < right->sample ? -1 : 1;
  return left->knob < right->knob ? -1 : left->knob > right->knob;
}

void trial_sort_events(trial *t) {
  if (t->event_count)
    qsort(t->events, t->event_count, sizeof *t->events, earlier);
}

/* ---- scenes ---- */

ct_doc *trial_doc(const trial *t, ct_error *error) {
  ct_doc *doc = ct_doc_create();
  if (!doc)
    abort();
  for (uint32_t i = 0; i < t->leaf_count; i++) {
    const trial_leaf *leaf = &t->leaves[i];
    ct_result result = leaf->text[0] ? ct_doc_set_text(doc, leaf->path, leaf->text, error)
                                     : ct_doc_set_number(doc, leaf->path, leaf->number, error);
    if (result != CT_OK) {
      ct_doc_destroy(doc);
      return NULL;
    }
  }
  return doc;
}

ct_result trial_build(const trial *t, ct_scene **scene, ct_error *error) {
  ct_doc *doc = trial_doc(t, error);
  if (!doc)
    return error->code;
  ct_build_def def = ct_default_build_def();
  def.rate_hz = t->rate_hz;
  def.seed = t->seed;
  def.ledger = true;
  ct_result result = ct_doc_build(doc, &def, scene, NULL, NULL, error);
  ct_doc_destroy(doc);
  return result;
}

void trial_take_doc(trial *t, const ct_doc *doc) {
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++) {
    ct_leaf leaf = ct_doc_leaf(doc, i);
    if (leaf.text && *leaf.text)
      trial_set_text(t, leaf.path, leaf.text);
    else if (!leaf.text)
      trial_set_number(t, leaf.path, leaf.number);
  }
}

/* ---- files ---- */

static const char *const ways[] = {"set", "ramp", "smooth", "input", "remove"};

static bool save_scene(const trial *t, const char *name) {
  ct_error error;
  ct_doc *doc = trial_doc(t, &error);
  if (doc)
    ct_doc_set_number(doc, "contatto", CT_FILE_VERSION, &error); /* what a file must say */
  json_t *tree = doc ? ct_doc_to_json(doc) : NULL;
  char *text = tree ? ct_json_print(tree) : NULL;
  FILE *file = text ? fopen(name, "w") : NULL;
  bool good = file && fputs(text, file) >= 0;
  if (file)
    good &= fclose(file) == 0;
  free(text);
  json_decref(tree);
  ct_doc_destroy(doc);
  return good;
}

bool trial_save(const trial *t, const char *base) {
  char name[512];
  snprintf(name, sizeof name, "%s.json", base);
  if (!save_scene(t, name))
    return false;
  snprintf(name, sizeof name, "%s.storm", base);
  FILE *file = fopen(name, "w");
  if (!file)
    return false;
  fprintf(file, "seed %" PRIu64 "\nrate_hz %.17g\nframes %u\nblock %u\n", t->seed, t->rate_hz, t->frames,
          t->block_frames);
  for (uint32_t i = 0; i < t->event_count; i++) {
    const trial_event *e = &t->events[i];
    fprintf(file, "%u %s %.17g %s %.17g\n", e->sample, t->knobs[e->knob].path, e->value, ways[e->way],
            e->ramp_s);
  }
  return fclose(file) == 0;
}

static bool read_line(trial *t, const char *line) {
  char path[TRIAL_PATH], way[16];
  trial_event e = {0};
  if (sscanf(line, "seed %" SCNu64, &t->seed) == 1 || sscanf(line, "rate_hz %lf", &t->rate_hz) == 1 ||
      sscanf(line, "frames %u", &t->frames) == 1 || sscanf(line, "block %u", &t->block_frames) == 1)
    return true;
  if (sscanf(line, "%u %159s %lf %15s %lf", &e.sample, path, &e.value, way, &e.ramp_s) != 5)
    return false;
  while (e.way < TRIAL_REMOVE && strcmp(ways[e.way], way) != 0)
    e.way++;
  e.knob = trial_knob_of(t, path);
  trial_add_event(t, e);
  return e.knob != UINT32_MAX;
}

bool trial_read(trial *t, const char *base, ct_error *error) {
  char name[512], line[512];
  ct_doc *doc = NULL;
  trial_clear(t);
  snprintf(name, sizeof name, "%s.json", base);
  if (ct_doc_load(name, &doc, error) != CT_OK)
    return false;
  trial_take_doc(t, doc);
  double seconds = ct_doc_seconds(doc);
  ct_doc_destroy(doc);
  t->seed = 1;
  t->rate_hz = 44100;
  t->frames = (uint32_t)(44100 * seconds);
  t->block_frames = 8;
  snprintf(name, sizeof name, "%s.storm", base);
  FILE *file = fopen(name, "r");
  bool good = true;
  while (file && good && fgets(line, sizeof line, file))
    good = read_line(t, line);
  if (file)
    fclose(file);
  if (!good)
    snprintf(error->text, sizeof error->text, "%.200s: cannot read the line '%.80s'", name, line);
  return good;
}
