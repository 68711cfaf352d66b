/* A plan from its text. Every key is known by a table, and a key nobody knows is refused. */
#include "base/grow.h"
#include "base/number.h"
#include "base/text.h"
#include "file/load.h"
#include "measure/report.h"
#include "sweep/maker.h"
#include "sweep/plan.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is read, and what messages call it. */
typedef struct reader {
  ct_sweep_plan *plan;
  const json_t *top, *part; /* what a part does not say, the plan says for all */
  char where[64];           /* "", "parts.2." */
  ct_error *error;
} reader;

#define PART_KEYS "scene|preset|set|gesture|seconds|rate_hz|sample|count|seed|vary|name"
#define PLAN_KEYS "contatto_sweep|title|about|licence|write|measures|gestures|parts|watch|" PART_KEYS
#define VARY_KEYS "min|max|scale|steps|values|labels|with"

/* ---- keys ---- */

/* `keys` are words "a|b|c". */
static ct_result check_keys(const reader *r, const json_t *object, const char *where, const char *keys) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    char word[CT_NAME_MAX], near[CT_NAME_MAX] = "";
    uint32_t least = 4;
    if (ct_choice_index(keys, key) >= 0)
      continue;
    for (int i = 0; ct_choice_word(keys, i, word, sizeof word), *word; i++)
      if (ct_edit_distance(word, key) < least) {
        least = ct_edit_distance(word, key);
        memcpy(near, word, sizeof near);
      }
    return ct_fail(r->error, CT_BAD_FILE, "%.100s: %.60s%.60s: no such key%s%s%s", r->plan->file, where, key,
                   *near ? "; did you mean '" : "", near, *near ? "'?" : "");
  }
  return CT_OK;
}

static ct_result refuse(const reader *r, const char *key, const char *what) {
  return ct_fail(r->error, CT_BAD_FILE, "%.100s: %.60s%.80s: %.120s", r->plan->file, r->where, key, what);
}

static const json_t *value_of(const reader *r, const char *key) {
  const json_t *value = r->part ? json_object_get(r->part, key) : NULL;
  return value ? value : json_object_get(r->top, key);
}

/* ---- values ---- */

/* Null stays null where the plan says nothing. */
static ct_result take_text(const reader *r, const json_t *value, const char *key, char **text) {
  if (!value)
    return CT_OK;
  if (!json_is_string(value) || !*json_string_value(value))
    return refuse(r, key, "wants a text");
  return ct_sweep_plan_text(r->plan, json_string_value(value), text, r->error);
}

static ct_result take_number(const reader *r, const char *key, double least, double most, double *number) {
  const json_t *value = value_of(r, key);
  char what[80];
  if (!value)
    return CT_OK;
  *number = json_is_number(value) ? json_number_value(value) : (double)NAN;
  if (*number >= least && *number <= most)
    return CT_OK;
  snprintf(what, sizeof what, "wants a number from %g to %g", least, most);
  return refuse(r, key, what);
}

/* One of the words "a|b|c"; *index stays where the plan says nothing. */
static ct_result take_choice(const reader *r, const json_t *value, const char *key, const char *choices,
                             int *index) {
  char what[120];
  if (!value)
    return CT_OK;
  *index = json_is_string(value) ? ct_choice_index(choices, json_string_value(value)) : -1;
  if (*index >= 0)
    return CT_OK;
  snprintf(what, sizeof what, "wants one of %s", choices);
  return refuse(r, key, what);
}

/* A value as somebody would type it. */
static ct_result take_typed(const reader *r, const json_t *value, char **text) {
  char number[CT_NUMBER_ROOM];
  ct_number_print(number, json_number_value(value), ct_number_digits(json_number_value(value)));
  return ct_sweep_plan_text(r->plan,
                            json_is_string(value)    ? json_string_value(value)
                            : json_is_boolean(value) ? json_is_true(value) ? "true" : "false"
                                                     : number,
                            text, r->error);
}

static ct_result take_sets(const reader *r, ct_sweep_part *part) {
  const json_t *sets = value_of(r, "set");
  const char *path;
  json_t *value;
  if (!sets)
    return CT_OK;
  if (!json_is_object(sets))
    return refuse(r, "set", "wants an object, a path or control to each value");
  CT_TRY(ct_sweep_plan_take(r->plan, json_object_size(sets) + 1, sizeof *part->sets, &part->sets, r->error));
  json_object_foreach((json_t *)(uintptr_t)sets, path, value) {
    if (!json_is_string(value) && !json_is_boolean(value) && !json_is_number(value))
      return refuse(r, path, "wants a number, a text, true or false");
    ct_sweep_set *set = &part->sets[part->set_count++];
    CT_TRY(ct_sweep_plan_text(r->plan, path, &set->path, r->error));
    CT_TRY(take_typed(r, value, &set->text));
  }
  return CT_OK;
}

/* ---- what varies ---- */

static ct_result refuse_vary(const reader *r, const ct_sweep_vary *v, const char *what) {
  char key[CT_TEXT_MAX];
  snprintf(key, sizeof key, "vary.%.72s", v->name);
  return refuse(r, key, what);
}

static ct_result copy_words(const reader *r, const json_t *list, char ***words) {
  const size_t count = json_array_size(list);
  CT_TRY(ct_sweep_plan_take(r->plan, count, sizeof **words, words, r->error));
  for (size_t i = 0; i < count; i++)
    CT_TRY(ct_sweep_plan_text(r->plan, json_string_value(json_array_get(list, i)), &(*words)[i], r->error));
  return CT_OK;
}

static bool all_texts(const json_t *list) {
  for (size_t i = 0; i < json_array_size(list); i++)
    if (!json_is_string(json_array_get(list, i)))
      return false;
  return true;
}

static ct_result take_values(const reader *r, ct_sweep_vary *v, const json_t *list) {
  enum { VALUES_MOST = 1000000 };
  const size_t count = json_array_size(list);
  if (!json_is_array(list) || count < 1 || count > VALUES_MOST)
    return refuse_vary(r, v, "wants a list of one value or more");
  v->count = (uint32_t)count;
  if (all_texts(list))
    return copy_words(r, list, &v->words);
  CT_TRY(ct_sweep_plan_take(r->plan, count, sizeof *v->numbers, &v->numbers, r->error));
  for (size_t i = 0; i < count; i++) {
    const json_t *value = json_array_get(list, i);
    if (!json_is_number(value) && !json_is_boolean(value))
      return refuse_vary(r, v, "wants numbers, or texts, not both");
    v->numbers[i] = json_is_boolean(value) ? json_is_true(value) : json_number_value(value);
  }
  return CT_OK;
}

static ct_result take_labels(const reader *r, ct_sweep_vary *v, const json_t *list) {
  if (!list)
    return CT_OK;
  if (!json_is_array(list) || !all_texts(list) || json_array_size(list) != v->count)
    return refuse_vary(r, v, "labels: wants a list of texts, one for each of values");
  return copy_words(r, list, &v->labels);
}

static bool take_end(const json_t *value, bool *has, double *number) {
  *has = value != NULL;
  *number = json_number_value(value);
  return !value || (json_is_number(value) && isfinite(*number));
}

static ct_result take_range(const reader *r, ct_sweep_vary *v, const json_t *object) {
  char where[CT_TEXT_MAX];
  int scale = 0;
  const json_t *steps = json_object_get(object, "steps"), *values = json_object_get(object, "values");
  snprintf(where, sizeof where, "%svary.%.40s.", r->where, v->name);
  CT_TRY(check_keys(r, object, where, VARY_KEYS));
  if (values && (json_object_get(object, "min") || json_object_get(object, "max") || steps))
    return refuse_vary(r, v, "wants values, or a range with min, max and steps, not both");
  if (values)
    CT_TRY(take_values(r, v, values));
  CT_TRY(take_labels(r, v, json_object_get(object, "labels")));
  if (!take_end(json_object_get(object, "min"), &v->has_min, &v->min) ||
      !take_end(json_object_get(object, "max"), &v->has_max, &v->max))
    return refuse_vary(r, v, "min and max want numbers");
  CT_TRY(take_text(r, json_object_get(object, "with"), v->name, &v->with));
  v->has_scale = json_object_get(object, "scale") != NULL;
  CT_TRY(take_choice(r, json_object_get(object, "scale"), v->name, "linear|log", &scale));
  v->scale = scale ? CT_LOG : CT_LINEAR;
  v->steps = (uint32_t)json_integer_value(steps);
  return !steps || (json_integer_value(steps) >= 1 && json_integer_value(steps) <= 1000000)
             ? CT_OK
             : refuse_vary(r, v, "steps: wants a whole number from 1 to 1000000");
}

/* "gesture.COLUMN.ROW": a last word that is a number is a row. */
static ct_result take_target(const reader *r, ct_sweep_vary *v) {
  static const ct_sweep_target meant[] = {CT_SWEEP_SCENE, CT_SWEEP_PRESET, CT_SWEEP_GESTURE, CT_SWEEP_SEED};
  const int index = ct_choice_index("scene|preset|gesture|seed", v->name);
  v->target = index >= 0 ? meant[index] : CT_SWEEP_PATH;
  if (strncmp(v->name, "gesture.", strlen("gesture.")) != 0)
    return CT_OK;
  v->target = CT_SWEEP_GESTURE_CELL;
  v->row = CT_SWEEP_ALL_ROWS;
  CT_TRY(ct_sweep_plan_text(r->plan, v->name + strlen("gesture."), &v->column, r->error));
  char *last = strrchr(v->column, '.');
  if (last && ct_parse_index(last + 1, &v->row))
    *last = 0;
  return CT_OK;
}

static ct_result take_vary_item(const reader *r, ct_sweep_vary *v, const char *name, const json_t *value) {
  CT_TRY(ct_sweep_plan_text(r->plan, name, &v->name, r->error));
  CT_TRY(take_target(r, v));
  if (json_is_true(value))
    return CT_OK;
  if (json_is_array(value))
    return take_values(r, v, value);
  return json_is_object(value)
             ? take_range(r, v, value)
             : refuse_vary(r, v, "wants a list of values, an object with min and max, or true");
}

static ct_result take_vary(const reader *r, ct_sweep_part *part) {
  const json_t *vary = value_of(r, "vary");
  const char *name;
  json_t *value;
  if (!json_is_object(vary) || json_object_size(vary) < 1 || json_object_size(vary) > CT_SWEEP_VARY_MOST)
    return refuse(r, "vary", "wants an object of 1 to 64 things that vary");
  CT_TRY(ct_sweep_plan_take(r->plan, json_object_size(vary), sizeof *part->vary, &part->vary, r->error));
  json_object_foreach((json_t *)(uintptr_t)vary, name, value) {
    CT_TRY(take_vary_item(r, &part->vary[part->vary_count++], name, value));
  }
  return CT_OK;
}

/* ---- gestures ---- */

/* Takes over `gesture`. */
static ct_result add_gesture(ct_sweep_plan *plan, const char *name, ct_gesture *gesture, ct_error *error) {
  char *copy;
  ct_result result = ct_sweep_plan_text(plan, name, &copy, error);
  if (result == CT_OK &&
      !ct_grow(&plan->gestures, &plan->gesture_room, plan->gesture_count + 1, sizeof *plan->gestures))
    result = ct_fail(error, CT_NO_MEMORY, "no memory for the plan");
  if (result == CT_OK)
    plan->gestures[plan->gesture_count++] = (ct_sweep_gesture){copy, gesture};
  else
    free(gesture);
  return result;
}

static ct_result read_gesture_file(ct_sweep_plan *plan, const char *name, ct_error *error) {
  const ct_file_path file = ct_sweep_file_of(plan, name);
  ct_gesture *read = NULL;
  CT_TRY(ct_gesture_read(file.text, &read, error));
  ct_gesture *copy = ct_sweep_gesture_copy(read);
  ct_gesture_free(read);
  if (!copy)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the plan");
  const ct_result result = ct_sweep_note_input(plan, file.text, error);
  if (result == CT_OK)
    return add_gesture(plan, name, copy, error);
  free(copy);
  return result;
}

ct_result ct_sweep_want_gesture(ct_sweep_plan *plan, const char *name, ct_error *error) {
  if (ct_sweep_find_gesture(plan, name))
    return CT_OK;
  if (ct_ends_with(name, ".csv"))
    return read_gesture_file(plan, name, error);
  return ct_fail(
      error, CT_BAD_FILE,
      "%.100s: there is no gesture '%.60s'; wants demo, none, one of the plan's gestures, or a .csv "
      "file",
      plan->file, name);
}

static ct_result take_gestures(const reader *r) {
  const json_t *named = json_object_get(r->top, "gestures");
  const char *name;
  json_t *object;
  char where[CT_TEXT_MAX];
  ct_gesture *gesture = ct_sweep_gesture_copy(&(ct_gesture){0});
  if (!gesture)
    return ct_fail(r->error, CT_NO_MEMORY, "no memory for the plan");
  CT_TRY(add_gesture(r->plan, "none", gesture, r->error));
  CT_TRY(add_gesture(r->plan, "demo", NULL, r->error));
  json_object_foreach((json_t *)(uintptr_t)named, name, object) {
    snprintf(where, sizeof where, "%.100s: gestures.%.60s", r->plan->file, name);
    if (ct_sweep_find_gesture(r->plan, name))
      return ct_fail(r->error, CT_BAD_FILE, "%s: this name has a meaning of its own; wants another", where);
    CT_TRY(ct_sweep_gesture_read(object, where, &gesture, r->error));
    CT_TRY(add_gesture(r->plan, name, gesture, r->error));
  }
  return CT_OK;
}

/* A name, or a gesture as such, which is then called by its place. */
static ct_result take_gesture(const reader *r, ct_sweep_part *part) {
  const json_t *value = value_of(r, "gesture");
  char where[CT_TEXT_MAX];
  ct_gesture *gesture = NULL;
  if (value && !json_is_object(value))
    return take_text(r, value, "gesture", &part->gesture);
  snprintf(where, sizeof where, "%sgesture", r->part && json_object_get(r->part, "gesture") ? r->where : "");
  CT_TRY(ct_sweep_plan_text(r->plan, value ? where : "demo", &part->gesture, r->error));
  if (!value || ct_sweep_find_gesture(r->plan, where)) /* the plan's own, met again in the next part */
    return CT_OK;
  snprintf(where, sizeof where, "%.100s: %sgesture", r->plan->file, r->where);
  CT_TRY(ct_sweep_gesture_read(value, where, &gesture, r->error));
  return add_gesture(r->plan, part->gesture, gesture, r->error);
}

/* ---- a part ---- */

/* "each": every sound has its own. */
static ct_result take_seed(const reader *r, ct_sweep_part *part) {
  const json_t *value = value_of(r, "seed");
  part->seed = 1;
  part->own_seeds = json_is_string(value) && strcmp(json_string_value(value), "each") == 0;
  if (!value || part->own_seeds)
    return CT_OK;
  if (!json_is_integer(value) || json_integer_value(value) < 0)
    return refuse(r, "seed", "wants a whole number from 0 on, or \"each\"");
  part->seed = (uint64_t)json_integer_value(value);
  return CT_OK;
}

static ct_result take_sample(const reader *r, ct_sweep_part *part) {
  int sample = CT_SWEEP_GRID;
  double count = 0;
  CT_TRY(take_choice(r, value_of(r, "sample"), "sample", "grid|random|halton", &sample));
  CT_TRY(take_number(r, "count", 1, CT_SWEEP_SOUNDS_MOST, &count));
  part->sample = (ct_sweep_sample)sample;
  if (sample == CT_SWEEP_GRID && value_of(r, "count"))
    return refuse(r, "count", "a grid counts its own steps; wants a sample that is random or halton");
  if (sample != CT_SWEEP_GRID && (!value_of(r, "count") || count != floor(count)))
    return refuse(r, "count", "wants how many sounds to draw, a whole number");
  part->count = (uint64_t)count;
  return CT_OK;
}

static ct_result take_part(const reader *r, ct_sweep_part *part) {
  part->rate_hz = 48000;
  CT_TRY(take_text(r, value_of(r, "scene"), "scene", &part->scene));
  CT_TRY(take_text(r, value_of(r, "name"), "name", &part->name));
  CT_TRY(take_text(r, value_of(r, "preset"), "preset", &part->preset));
  CT_TRY(take_gesture(r, part));
  CT_TRY(take_number(r, "seconds", 1e-6, 3600, &part->seconds));
  CT_TRY(take_number(r, "rate_hz", 8000, 384000, &part->rate_hz));
  CT_TRY(take_seed(r, part));
  CT_TRY(take_sample(r, part));
  CT_TRY(take_sets(r, part));
  CT_TRY(take_vary(r, part));
  return ct_sweep_check_part(r->plan, part, r->error);
}

static ct_result take_parts(reader *r) {
  ct_sweep_plan *plan = r->plan;
  const json_t *parts = json_object_get(r->top, "parts");
  const size_t count = parts ? json_array_size(parts) : 1;
  if (parts && (count < 1 || count > CT_SWEEP_PARTS_MOST))
    return refuse(r, "parts", "wants a list of 1 to 256 parts");
  CT_TRY(ct_sweep_plan_take(plan, count, sizeof *plan->parts, &plan->parts, r->error));
  for (size_t i = 0; i < count; i++) {
    r->part = json_array_get(parts, i);
    if (parts)
      snprintf(r->where, sizeof r->where, "parts.%zu.", i);
    if (parts && !json_is_object(r->part))
      return refuse(r, "", "wants an object");
    if (parts)
      CT_TRY(check_keys(r, r->part, r->where, PART_KEYS));
    ct_sweep_part *part = &plan->parts[plan->part_count++];
    CT_TRY(take_part(r, part));
    part->first = plan->count;
    plan->count += part->count;
    if (plan->count > CT_SWEEP_SOUNDS_MOST)
      return ct_fail(r->error, CT_BAD_FILE, "%.100s: more than %u sounds; wants fewer", plan->file,
                     CT_SWEEP_SOUNDS_MOST);
  }
  return CT_OK;
}

/* ---- measures ---- */

/* A list of groups; without one, all. */
static ct_result take_measures(const reader *r) {
  static const char groups[] = "level|tone|colour|events|modes";
  const json_t *list = json_object_get(r->top, "measures");
  if (!list)
    return CT_OK;
  r->plan->left_out = CT_REPORT_TONE | CT_REPORT_COLOUR | CT_REPORT_EVENTS | CT_REPORT_MODES;
  for (size_t i = 0; i < json_array_size(list); i++) {
    int group = -1;
    CT_TRY(take_choice(r, json_array_get(list, i), "measures", groups, &group));
    r->plan->left_out &= group > 0 ? ~(1u << (group - 1)) : ~0u;
  }
  return json_array_size(list) ? CT_OK
                               : refuse(r, "measures", "wants a list of level, tone, colour, events, modes");
}

/* ---- the whole ---- */

static ct_result take_plan(reader *r) {
  int write = CT_SWEEP_WAV;
  const json_t *version = json_object_get(r->top, "contatto_sweep");
  if (!json_is_integer(version) || json_integer_value(version) != 1)
    return refuse(r, "contatto_sweep", "wants 1: this tells a plan from other files");
  CT_TRY(check_keys(r, r->top, "", PLAN_KEYS));
  CT_TRY(take_text(r, json_object_get(r->top, "title"), "title", &r->plan->title));
  CT_TRY(take_text(r, json_object_get(r->top, "about"), "about", &r->plan->about));
  CT_TRY(take_text(r, json_object_get(r->top, "licence"), "licence", &r->plan->licence));
  CT_TRY(take_choice(r, json_object_get(r->top, "write"), "write", "wav|flac|measures|watched", &write));
  r->plan->write = (ct_sweep_write)write;
  CT_TRY(take_measures(r));
  CT_TRY(take_gestures(r));
  CT_TRY(ct_sweep_watches_read(r->plan, json_object_get(r->top, "watch"), r->error));
  return take_parts(r);
}

static ct_result parse(ct_sweep_plan *plan, ct_error *error) {
  json_error_t said;
  json_t *top = json_loadb(plan->text, plan->length, JSON_REJECT_DUPLICATES, &said);
  reader r = {.plan = plan, .top = top, .error = error};
  if (!top)
    return ct_fail(error, CT_BAD_FILE, "%.120s: line %d, column %d: %.120s", plan->file, said.line,
                   said.column, said.text);
  ct_result result = json_is_object(top) ? take_plan(&r) : refuse(&r, "", "wants an object");
  json_decref(top);
  return result;
}

static ct_result read_plan(ct_sweep_plan *plan, const char *file, ct_error *error) {
  const char *builtin = ct_builtin_text(file, &plan->length);
  if (builtin)
    plan->text = strdup(builtin);
  else
    CT_TRY(ct_text_file_read(file, &plan->text, &plan->length, error));
  if (!plan->text)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the plan");
  CT_TRY(ct_sweep_plan_text(plan, file, &plan->file, error));
  return parse(plan, error);
}

ct_result ct_sweep_plan_read(const char *file, ct_sweep_plan **plan, ct_error *error) {
  ct_sweep_plan *p = calloc(1, sizeof *p);
  const ct_result result =
      p ? read_plan(p, file, error) : ct_fail(error, CT_NO_MEMORY, "no memory for the plan");
  if (result == CT_OK) {
    ct_sweep_hash_plan(p);
    *plan = p;
  } else
    ct_sweep_plan_free(p);
  return result;
}
