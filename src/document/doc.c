/* Setting leaves: a path is matched against the schema, the value checked, and only then is anything made or
 * changed. */
#include "document/doc.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the document ---- */

ct_doc *ct_doc_create(void) {
  ct_doc *doc = calloc(1, sizeof *doc);
  if (doc && !(doc->root = calloc(1, sizeof *doc->root))) {
    free(doc);
    return NULL;
  }
  return doc;
}

void ct_doc_destroy(ct_doc *doc) {
  if (!doc)
    return;
  ct_node_free(doc->root);
  for (uint32_t i = 0; i < doc->leaf_count; i++) {
    free(doc->leaves[i].path);
    free(doc->leaves[i].text);
  }
  free(doc->leaves);
  ct_names_clear(&doc->leaf_names);
  free(doc->gesture_paths);
  free(doc->gesture_values);
  free(doc);
}

static uint32_t list_of(ct_section section) {
  if (section == CT_IN_CONTROL || section == CT_IN_TARGET)
    return CT_KIDS_CONTROLS;
  if (section == CT_IN_PRESET || section == CT_IN_PRESET_SET || section == CT_IN_PRESET_GESTURE)
    return CT_KIDS_PRESETS;
  return ct_part_of(section);
}

/* The node that holds a row's field, made on the way when `create`. */
static ct_node *node_for(const ct_doc *doc, const ct_row *row, const ct_catch *found, bool create) {
  if (row->section == CT_IN_SCENE || row->section == CT_IN_GESTURE)
    return doc->root;
  if (row->section == CT_IN_ENERGY)
    return NULL;
  ct_node *node =
      ct_node_want_named(&doc->root->kids[list_of((ct_section)row->section)], found->name[0], create);
  if (!node)
    return NULL;
  switch ((ct_section)row->section) {
  case CT_IN_MODE:
    return ct_node_want_numbered(&node->kids[CT_KIDS_MODES], found->number[0], create);
  case CT_IN_SHAPE:
  case CT_IN_SHAPE_LIST:
    return ct_node_want_numbered(&node->kids[CT_KIDS_SHAPE], 0, create);
  case CT_IN_STRING:
    return ct_node_want_numbered(&node->kids[CT_KIDS_STRING], 0, create);
  case CT_IN_POINT:
  case CT_IN_GAINS:
  case CT_IN_THUMP:
    return ct_node_want_named(&node->kids[CT_KIDS_POINTS], found->name[1], create);
  case CT_IN_REGION:
  case CT_IN_REGION_LIST:
    return ct_node_want_named(&node->kids[CT_KIDS_REGIONS], found->name[1], create);
  case CT_IN_TARGET:
    return ct_node_want_numbered(&node->kids[CT_KIDS_TARGETS], found->number[0], create);
  case CT_IN_PRESET_SET:
    return ct_node_want_named(&node->kids[CT_KIDS_SETS], found->name[1], create);
  default:
    return node;
  }
}

/* The last word of a row's path, without brackets. */
static const char *list_name(const ct_row *row, char name[CT_NAME_MAX]) {
  const char *last = strrchr(row->shown.path, '.') + 1;
  size_t length = strcspn(last, "[");
  memcpy(name, last, length);
  name[length] = 0;
  return name;
}

/* Column a row writes into, or null: most rows are plain fields. */
static const char *column_name(const ct_row *row, const ct_catch *found, char name[CT_NAME_MAX]) {
  switch ((ct_section)row->section) {
  case CT_IN_GAINS:
  case CT_IN_THUMP:
  case CT_IN_SHAPE_LIST:
  case CT_IN_SURFACE_LIST:
  case CT_IN_REGION_LIST:
    return list_name(row, name);
  case CT_IN_GESTURE:
    return found->name[0];
  case CT_IN_PRESET_GESTURE:
    return found->name[1];
  default:
    return NULL;
  }
}

static void spell(const ct_path *path, char *text, size_t size) {
  bool dotted = false;
  for (uint32_t i = 0; i < path->count; i++)
    dotted |= strchr(path->word[i], '.') != NULL;
  size_t used = 0;
  for (uint32_t i = 0; i < path->count && used < size; i++)
    used += ct_format(text + used, size - used, "%s%s", i == 0 ? "" : dotted ? "\x1f" : ".", path->word[i]);
}

static const char *leaf_name(const void *doc, uint32_t index) {
  return ((const ct_doc *)doc)->leaves[index].path;
}

/* The leaf of a path, made when it is not there yet; null without memory, and then nothing was made. */
static ct_kept_leaf *want_leaf(ct_doc *doc, const ct_path *path, uint32_t row) {
  char spelled[CT_PATH_BYTES * 2];
  spell(path, spelled, sizeof spelled);
  uint32_t found = ct_names_find(&doc->leaf_names, spelled, leaf_name, doc);
  if (found != CT_NO_NAME)
    return &doc->leaves[found];
  ct_kept_leaf *leaves = ct_doc_grow(doc->leaves, doc->leaf_count, &doc->leaf_capacity, sizeof *leaves);
  if (!leaves)
    return NULL;
  doc->leaves = leaves;
  ct_kept_leaf *leaf = &leaves[doc->leaf_count];
  *leaf = (ct_kept_leaf){.path = ct_doc_copy_text(spelled), .row = row};
  if (!leaf->path || !ct_names_add(&doc->leaf_names, doc->leaf_count, leaf_name, doc)) {
    free(leaf->path);
    return NULL;
  }
  doc->leaf_count++;
  return leaf;
}

/* Takes over `text`. */
static void keep(ct_kept_leaf *leaf, double number, char *text) {
  free(leaf->text);
  leaf->text = text;
  leaf->number = number;
}

/* ---- limits, checked before anything is made ---- */

/* A path as messages show it: with dots, whatever its words were joined by. */
static void readable(const char *path, char *text, size_t size) {
  ct_format(text, size, "%s", path);
  for (char *c = text; *c; c++)
    if (*c == CT_DOC_JOIN)
      *c = '.';
}

static void show(const ct_path *path, char *shown, size_t size) {
  char spelled[CT_PATH_BYTES * 2];
  spell(path, spelled, sizeof spelled);
  readable(spelled, shown, size);
}

static ct_result too_many(const ct_path *path, uint32_t wanted, uint32_t most, const char *what,
                          ct_error *error) {
  char shown[CT_PATH_BYTES * 2];
  show(path, shown, sizeof shown);
  return ct_fail(error, CT_BAD_SCENE, "%.120s: too many: %u %s are wanted; at most %u", shown, wanted, what,
                 most);
}

static ct_result check_name_length(const ct_path *path, const char *name, ct_error *error) {
  char shown[CT_PATH_BYTES * 2];
  if (!name || strlen(name) < CT_NAME_MAX)
    return CT_OK;
  show(path, shown, sizeof shown);
  return ct_fail(error, CT_BAD_VALUE, "%.100s: the name '%.24s...' is too long; wants at most %u letters",
                 shown, name, CT_NAME_MAX - 1);
}

static bool is_full(const ct_node_list *list, const char *name, uint32_t most) {
  return list->count >= most && !ct_node_named(list, name);
}

/* Samples of one point, at the highest rate. */
static const uint32_t thump_most = (uint32_t)(CT_THUMP_MOST_S * CT_THUMP_HZ_MOST) + 1;

/* Numbered children, and points. */
static ct_result check_nested(const ct_node *node, const ct_row *row, const ct_catch *found,
                              const ct_path *path, ct_error *error) {
  switch ((ct_section)row->section) {
  case CT_IN_MODE:
  case CT_IN_GAINS:
    if (found->number[0] >= CT_MODES_MOST)
      return too_many(path, found->number[0] + 1, CT_MODES_MOST, "modes of a body", error);
    break;
  case CT_IN_THUMP:
    if (found->number[0] >= thump_most)
      return too_many(path, found->number[0] + 1, thump_most, "samples of a thump", error);
    break;
  case CT_IN_TARGET:
    if (found->number[0] >= CT_TARGETS_MOST)
      return too_many(path, found->number[0] + 1, CT_TARGETS_MOST, "targets", error);
    break;
  default:
    break;
  }
  bool point = row->section == CT_IN_POINT || row->section == CT_IN_GAINS || row->section == CT_IN_THUMP;
  if (point && node && is_full(&node->kids[CT_KIDS_POINTS], found->name[1], CT_POINTS_MOST))
    return too_many(path, CT_POINTS_MOST + 1, CT_POINTS_MOST, "points of a body", error);
  bool named = point || row->section == CT_IN_REGION || row->section == CT_IN_REGION_LIST;
  return named ? check_name_length(path, found->name[1], error) : CT_OK;
}

static ct_result check_room(const ct_doc *doc, const ct_path *path, const ct_row *row, const ct_catch *found,
                            ct_error *error) {
  if (doc->leaf_count >= CT_LEAVES_MOST)
    return too_many(path, CT_LEAVES_MOST + 1, CT_LEAVES_MOST, "values in a scene", error);
  if (row->section == CT_IN_SCENE || row->section == CT_IN_GESTURE || row->section == CT_IN_ENERGY)
    return CT_OK;
  const ct_node_list *list = &doc->root->kids[list_of((ct_section)row->section)];
  if (is_full(list, found->name[0], CT_PARTS_MOST))
    return too_many(path, CT_PARTS_MOST + 1, CT_PARTS_MOST, path->word[0], error);
  ct_result result = check_name_length(path, found->name[0], error);
  return result == CT_OK ? check_nested(ct_node_named(list, found->name[0]), row, found, path, error)
                         : result;
}

/* ---- paths ---- */

/* The nearest name among the document's parts, when it is near enough to be a slip. */
static const char *nearest_name(const ct_doc *doc, const char *name) {
  const char *best = NULL;
  uint32_t least = 3;
  for (uint32_t k = 0; k < CT_KIDS_KINDS; k++)
    for (uint32_t i = 0; i < doc->root->kids[k].count && k != CT_KIDS_PRESETS; i++) {
      uint32_t distance = ct_edit_distance(name, doc->root->kids[k].items[i]->name);
      if (distance < least) {
        least = distance;
        best = doc->root->kids[k].items[i]->name;
      }
    }
  return best;
}

/* False for an unknown first word. */
static bool spell_out(const ct_doc *doc, ct_path *path) {
  const char *first = path->word[0];
  const ct_node_list *kids = doc->root->kids;
  if (ct_word_of_scene(first))
    return true;
  uint32_t part = 0;
  while (part < CT_PART_KINDS && !ct_node_named(&kids[part], first))
    part++;
  bool control = ct_node_named(&kids[CT_KIDS_CONTROLS], first) != NULL;
  return ct_path_spell_out(path, control ? CT_PART_KINDS : (ct_part)part, control);
}

static ct_result find_row(const ct_doc *doc, const char *text, ct_path *path, ct_catch *found,
                          ct_error *error) {
  *found = (ct_catch){0};
  if (strlen(text) >= CT_PATH_BYTES)
    return ct_fail(error, CT_BAD_PATH, "'%.80s...': this path is too long; wants at most %u letters", text,
                   CT_PATH_BYTES - 1);
  if (!ct_path_cut(path, text))
    return ct_fail(error, CT_BAD_PATH, "'%.80s': not a path; wants something like bar.modes.0.hz", text);
  if (!spell_out(doc, path)) {
    const char *near = nearest_name(doc, path->word[0]);
    char kinds[96];
    ct_part_list_kinds(kinds, sizeof kinds);
    return ct_fail(error, CT_BAD_PATH, "%.100s: there is no %s or control called '%.48s'%s%s%s", text, kinds,
                   path->word[0], near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  if (!ct_path_match(path, found))
    return ct_fail(error, CT_BAD_PATH, "%.120s: no such parameter; 'contatto describe' lists them all", text);
  if (ct_row_at(found->row)->shown.rate == CT_RATE_STATE)
    return ct_fail(error, CT_BAD_PATH, "%.120s: read only, it cannot be set", text);
  return CT_OK;
}

/* ---- setting ---- */

/* An edit makes no new parts. */
static ct_result check_part(const ct_doc *doc, const ct_path *path, const ct_catch *found, bool create,
                            ct_error *error) {
  if (create)
    return check_room(doc, path, ct_row_at(found->row), found, error);
  if (node_for(doc, ct_row_at(found->row), found, false))
    return CT_OK;
  char spelled[CT_PATH_BYTES * 2];
  show(path, spelled, sizeof spelled);
  return ct_fail(error, CT_BAD_PATH, "%.200s: the scene has no such part", spelled);
}

/* Everything that may fail first; then the change. */
static ct_result put(ct_doc *doc, const ct_path *path, const ct_catch *found, double number, const char *text,
                     ct_error *error) {
  const ct_row *row = ct_row_at(found->row);
  char *for_node = text ? ct_doc_copy_text(text) : NULL, *for_leaf = text ? ct_doc_copy_text(text) : NULL;
  bool copied = !text || (for_node && for_leaf);
  ct_node *node = copied ? node_for(doc, row, found, true) : NULL;
  char name[CT_NAME_MAX];
  const char *column = column_name(row, found, name);
  double *cell =
      node && column ? ct_column_want_cell(ct_node_want_column(node, column), found->number[0]) : NULL;
  ct_kept_leaf *leaf = node && (cell || !column) ? want_leaf(doc, path, found->row) : NULL;
  if (!leaf) {
    free(for_node);
    free(for_leaf);
    ct_node_prune(doc->root);
    return ct_fail(error, CT_NO_MEMORY, "scene document: out of memory");
  }
  ct_doc_forget_object(node);
  if (cell)
    *cell = number;
  else
    ct_node_store(node, found->row, number, for_node);
  keep(leaf, number, for_leaf);
  return CT_OK;
}

/* A control that is turned stays in its own range. A file may tell the value before the range: that is
 * checked when the scene is built. */
static ct_result check_control(const ct_doc *doc, const ct_row *row, const ct_catch *found, const char *shown,
                               double value, ct_error *error) {
  if (row->field != CT_CONTROL_VALUE)
    return CT_OK;
  const ct_node *c = node_for(doc, row, found, false);
  double min = ct_node_number(c, CT_CONTROL_MIN), max = ct_node_number(c, CT_CONTROL_MAX);
  bool trigger = ct_node_number(c, CT_CONTROL_TRIGGER) != 0;
  if ((value >= min && value <= max) || (trigger && value == 0))
    return CT_OK;
  const char *unit = ct_node_text(c, CT_CONTROL_UNIT), *space = *unit ? " " : "";
  return ct_fail(error, CT_BAD_VALUE, "%s: %g%s%s is out of range; wants %g to %g%s%s", shown, value, space,
                 unit, min, max, space, unit);
}

static ct_result check_number(const ct_doc *doc, const char *text, double value, bool create, ct_path *path,
                              ct_catch *found, ct_error *error) {
  char shown[CT_PATH_BYTES] = "";
  readable(text, shown, sizeof shown);
  ct_result result = find_row(doc, text, path, found, error);
  if (result != CT_OK)
    return result;
  const ct_row *row = ct_row_at(found->row);
  if (row->shown.type == CT_TYPE_TEXT)
    return ct_fail(error, CT_BAD_VALUE, "%s: wants text (%s), not a number", shown, row->shown.words);
  if (row->shown.type == CT_TYPE_CHOICE)
    return ct_fail(error, CT_BAD_VALUE, "%s: wants one of %s, not a number", shown, row->shown.choices);
  bool silent_cell = isnan(value) && (row->section == CT_IN_GESTURE || row->section == CT_IN_PRESET_GESTURE);
  if (!silent_cell) /* NaN, null in a file: nothing happens in this row of a gesture */
    result = ct_row_check(row, shown, value, error);
  if (result == CT_OK)
    result = check_part(doc, path, found, create, error);
  return result == CT_OK && !create ? check_control(doc, row, found, shown, value, error) : result;
}

static ct_result set_number(ct_doc *doc, const char *text, double value, bool create, ct_error *error) {
  ct_path path;
  ct_catch found;
  ct_result result = check_number(doc, text, value, create, &path, &found, error);
  return result == CT_OK ? put(doc, &path, &found, value, NULL, error) : result;
}

/* `index` is the choice's. */
static ct_result check_text(const ct_doc *doc, const char *text_path, const char *text, bool create,
                            ct_path *path, ct_catch *found, int *index, ct_error *error) {
  char shown[CT_PATH_BYTES] = "";
  readable(text_path, shown, sizeof shown);
  ct_result result = find_row(doc, text_path, path, found, error);
  if (result != CT_OK || (result = check_part(doc, path, found, create, error)) != CT_OK)
    return result;
  const ct_schema_row *row = &ct_row_at(found->row)->shown;
  *index = 0;
  if (row->type == CT_TYPE_TEXT || row->type == CT_TYPE_ANY)
    return CT_OK;
  if (row->type != CT_TYPE_CHOICE)
    return ct_fail(error, CT_BAD_VALUE, "%s: '%.60s' is not a number; wants %g to %g%s%s", shown, text,
                   row->min, row->max, *row->unit ? " " : "", row->unit);
  *index = ct_choice_index(row->choices, text);
  return *index >= 0 ? CT_OK
                     : ct_fail(error, CT_BAD_VALUE, "%s: '%.60s' is not known; wants one of %s", shown, text,
                               row->choices);
}

static ct_result set_text(ct_doc *doc, const char *text_path, const char *text, bool create,
                          ct_error *error) {
  ct_path path;
  ct_catch found;
  int index;
  ct_result result = check_text(doc, text_path, text, create, &path, &found, &index, error);
  return result == CT_OK ? put(doc, &path, &found, index, text, error) : result;
}

ct_result ct_doc_set_number(ct_doc *doc, const char *path, double value, ct_error *error) {
  return doc && path ? set_number(doc, path, value, true, error)
                     : ct_fail(error, CT_BAD_ARGUMENT, "set: a null pointer");
}

ct_result ct_doc_set_flag(ct_doc *doc, const char *path_text, bool value, ct_error *error) {
  if (!doc || !path_text)
    return ct_fail(error, CT_BAD_ARGUMENT, "set: a null pointer");
  ct_path path;
  ct_catch found;
  ct_result result = find_row(doc, path_text, &path, &found, error);
  if (result != CT_OK)
    return result;
  const ct_schema_row *row = &ct_row_at(found.row)->shown;
  if (row->type == CT_TYPE_FLAG || row->type == CT_TYPE_ANY)
    return set_number(doc, path_text, value, true, error);
  char shown[CT_PATH_BYTES * 2];
  const char *word = value ? "true" : "false";
  show(&path, shown, sizeof shown);
  if (row->type == CT_TYPE_TEXT)
    return ct_fail(error, CT_BAD_VALUE, "%.120s: wants text (%.60s), not %s", shown, row->words, word);
  if (row->type == CT_TYPE_CHOICE)
    return ct_fail(error, CT_BAD_VALUE, "%.120s: wants one of %.120s, not %s", shown, row->choices, word);
  return ct_fail(error, CT_BAD_VALUE, "%.120s: %s is not a number; wants %g to %g%s%s", shown, word, row->min,
                 row->max, *row->unit ? " " : "", row->unit);
}

ct_result ct_doc_set_text(ct_doc *doc, const char *path, const char *text, ct_error *error) {
  return doc && path && text ? set_text(doc, path, text, true, error)
                             : ct_fail(error, CT_BAD_ARGUMENT, "set: a null pointer");
}

/* An edit of what is there: it makes no new parts, so a slip in a name is refused. */
ct_result ct_doc_set_typed(ct_doc *doc, const char *path_text, const char *text, ct_error *error) {
  if (!doc || !path_text || !text)
    return ct_fail(error, CT_BAD_ARGUMENT, "set: a null pointer");
  ct_path path;
  ct_catch found;
  ct_result result = find_row(doc, path_text, &path, &found, error);
  if (result != CT_OK)
    return result;
  ct_type type = ct_row_at(found.row)->shown.type;
  if (type == CT_TYPE_TEXT || type == CT_TYPE_CHOICE)
    return set_text(doc, path_text, text, false, error);
  if (type == CT_TYPE_FLAG && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
    return set_number(doc, path_text, strcmp(text, "true") == 0, false, error);
  double value;
  if (!ct_number_typed(text, &value))
    return set_text(doc, path_text, text, false, error); /* tells what is wanted */
  return set_number(doc, path_text, value, false, error);
}

/* ---- presets ---- */

static ct_result no_such_preset(const ct_doc *doc, const char *name, ct_error *error) {
  char names[160] = "";
  for (uint32_t i = 0; i < ct_doc_preset_count(doc); i++) {
    size_t used = strlen(names);
    ct_format(names + used, sizeof names - used, "%s%s", i ? ", " : "", ct_doc_preset_name(doc, i));
  }
  return ct_fail(error, CT_BAD_PATH, "there is no preset called '%.48s'; the scene has %s", name,
                 *names ? names : "none");
}

static ct_result check_preset_value(const ct_doc *doc, const ct_node *set, ct_error *error) {
  ct_path path;
  ct_catch found;
  int index;
  return set->text[0] ? check_text(doc, set->name, set->text[0], false, &path, &found, &index, error)
                      : check_number(doc, set->name, set->number[0], false, &path, &found, error);
}

static ct_result apply_preset_value(ct_doc *doc, const ct_node *set, ct_error *error) {
  return set->text[0] ? set_text(doc, set->name, set->text[0], false, error)
                      : set_number(doc, set->name, set->number[0], false, error);
}

ct_result ct_doc_check_preset(const ct_doc *doc, const char *name, const ct_node **preset, ct_error *error) {
  *preset = ct_node_named(&doc->root->kids[CT_KIDS_PRESETS], name);
  if (!*preset)
    return no_such_preset(doc, name, error);
  const ct_node_list *sets = &(*preset)->kids[CT_KIDS_SETS];
  ct_error inner;
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < sets->count && result == CT_OK; i++)
    result = check_preset_value(doc, sets->items[i], &inner);
  return result == CT_OK ? CT_OK : ct_fail(error, result, "preset '%s': %.260s", name, inner.text);
}

/* All are checked before any is set. */
ct_result ct_doc_apply_preset(ct_doc *doc, const char *name, ct_error *error) {
  if (!doc || !name)
    return ct_fail(error, CT_BAD_ARGUMENT, "preset: a null pointer");
  const ct_node *preset;
  ct_error inner;
  ct_result result = ct_doc_check_preset(doc, name, &preset, error);
  if (result != CT_OK)
    return result;
  const ct_node_list *sets = &preset->kids[CT_KIDS_SETS];
  for (uint32_t i = 0; i < sets->count && result == CT_OK; i++)
    result = apply_preset_value(doc, sets->items[i], &inner);
  if (result != CT_OK)
    return ct_fail(error, result, "preset '%s': %.260s", name, inner.text);
  doc->preset = preset;
  return CT_OK;
}

ct_result ct_doc_find_leaf(const ct_doc *doc, const char *text, char *spelled, size_t size, uint32_t *row,
                           const ct_kept_leaf **leaf, ct_error *error) {
  ct_path path = {.count = 0};
  ct_catch found;
  ct_result result = find_row(doc, text, &path, &found, error);
  if (result != CT_OK)
    return result;
  spell(&path, spelled, size);
  uint32_t index = ct_names_find(&doc->leaf_names, spelled, leaf_name, doc);
  *row = found.row;
  *leaf = index == CT_NO_NAME ? NULL : &doc->leaves[index];
  return CT_OK;
}

ct_result ct_doc_set_heights(ct_doc *doc, const char *surface, const double *heights, uint32_t count,
                             double step_m, ct_error *error) {
  if (!doc || !surface || (!heights && count))
    return ct_fail(error, CT_BAD_ARGUMENT, "set heights: a null pointer");
  ct_node *node = ct_node_named(&doc->root->kids[CT_KIDS_SURFACES], surface);
  if (!node)
    return ct_fail(error, CT_BAD_PATH, "there is no surface called '%.48s'", surface);
  double *copy = malloc((count ? count : 1) * sizeof *copy);
  ct_column *column = copy ? ct_node_want_column(node, "heights_m") : NULL;
  if (!column) {
    free(copy);
    return ct_fail(error, CT_NO_MEMORY, "surface '%.48s': no memory for its heights", surface);
  }
  free(column->values);
  if (count)
    memcpy(copy, heights, count * sizeof *copy);
  column->values = copy;
  column->count = column->capacity = count;
  if (step_m > 0) {
    ct_node_store(node, ct_row_of(CT_SURFACE_FIELD_STEP), step_m, NULL);
  }
  return CT_OK;
}
