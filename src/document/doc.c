/* Setting leaves: a path is matched against the schema, the value checked, and only then is anything made or
 * changed. */
#include "document/doc.h"
#include "base/grow.h"
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

/* The node that holds a row's field, made on the way when `create`. */
static ct_node *node_for(const ct_doc *doc, const ct_row *row, const ct_catch *found, bool create) {
  const ct_section_place *place = &ct_section_places[row->section];
  if (place->list == CT_KIDS_KINDS)
    return row->section == CT_IN_ENERGY ? NULL : doc->root;
  ct_node *node = ct_node_want_named(&doc->root->kids[place->list], found->name[0], create);
  if (!node || place->child == CT_ITSELF)
    return node;
  ct_node_list *kids = &node->kids[place->kids];
  if (place->child == CT_NAMED)
    return ct_node_want_named(kids, found->name[1], create);
  return ct_node_want_numbered(kids, place->child == CT_ONLY ? 0 : found->number[0], create);
}

/* The column that a row writes into: its path ends in "name[]" or "*[]". Null for most rows, plain fields. */
static const char *column_name(const ct_row *row, const ct_catch *found, char name[CT_NAME_MAX]) {
  const char *last = strrchr(row->shown.path, '.');
  size_t length = last ? strcspn(++last, "[") : 0;
  if (!last || !last[length])
    return NULL;
  if (*last == '*')
    return found->name[found->name[1] != NULL];
  memcpy(name, last, length);
  name[length] = 0;
  return name;
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
  if (!ct_grow(&doc->leaves, &doc->leaf_room, doc->leaf_count + 1, sizeof *doc->leaves))
    return NULL;
  ct_kept_leaf *leaf = &doc->leaves[doc->leaf_count];
  *leaf = (ct_kept_leaf){.path = ct_doc_copy_text(spelled), .row = row};
  if (!leaf->path || !ct_names_add(&doc->leaf_names, doc->leaf_count, leaf_name, doc)) {
    free(leaf->path);
    return NULL;
  }
  doc->leaf_count++;
  return leaf;
}

/* ---- limits, checked before anything is made ---- */

static void show(const ct_path *path, char *shown, size_t size) {
  spell(path, shown, size);
  ct_path_show_dots(shown);
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

/* Numbered children and cells, points, and names of what a part has. */
static ct_result check_nested(const ct_node *node, const ct_section_place *place, const ct_catch *found,
                              const ct_path *path, ct_error *error) {
  if (place->most && found->number[0] >= place->most)
    return too_many(path, found->number[0] + 1, place->most, place->what, error);
  if (place->child != CT_NAMED || place->list == CT_KIDS_PRESETS)
    return CT_OK;
  if (place->list == CT_KIDS_BODIES && node &&
      is_full(&node->kids[CT_KIDS_POINTS], found->name[1], CT_POINTS_MOST))
    return too_many(path, CT_POINTS_MOST + 1, CT_POINTS_MOST, "points of a body", error);
  return check_name_length(path, found->name[1], error);
}

static ct_result check_room(const ct_doc *doc, const ct_path *path, const ct_row *row, const ct_catch *found,
                            ct_error *error) {
  const ct_section_place *place = &ct_section_places[row->section];
  if (doc->leaf_count >= CT_LEAVES_MOST)
    return too_many(path, CT_LEAVES_MOST + 1, CT_LEAVES_MOST, "values in a scene", error);
  if (place->list == CT_KIDS_KINDS)
    return CT_OK;
  const ct_node_list *list = &doc->root->kids[place->list];
  if (is_full(list, found->name[0], CT_PARTS_MOST))
    return too_many(path, CT_PARTS_MOST + 1, CT_PARTS_MOST, path->word[0], error);
  CT_TRY(check_name_length(path, found->name[0], error));
  return check_nested(ct_node_named(list, found->name[0]), place, found, path, error);
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
  free(leaf->text);
  leaf->text = for_leaf;
  leaf->number = number;
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

/* What a path is to be: a text, or a number. */
typedef struct setting {
  const char *path, *text; /* text: null for a number */
  double number;           /* of a text that is a choice, which one */
} setting;

static ct_result check_number(const ct_row *row, const char *shown, double value, ct_error *error) {
  if (row->shown.type == CT_TYPE_TEXT)
    return ct_fail(error, CT_BAD_VALUE, "%s: wants text (%s), not a number", shown, row->shown.words);
  if (row->shown.type == CT_TYPE_CHOICE)
    return ct_fail(error, CT_BAD_VALUE, "%s: wants one of %s, not a number", shown, row->shown.choices);
  /* NaN, null in a file: nothing happens in this row of a gesture */
  if (isnan(value) && (row->section == CT_IN_GESTURE || row->section == CT_IN_PRESET_GESTURE))
    return CT_OK;
  return ct_row_check(row, shown, value, error);
}

static ct_result check_text(const ct_schema_row *row, const char *shown, setting *given, ct_error *error) {
  if (row->type == CT_TYPE_TEXT || row->type == CT_TYPE_ANY)
    return CT_OK;
  if (row->type != CT_TYPE_CHOICE)
    return ct_fail(error, CT_BAD_VALUE, "%s: '%.60s' is not a number; wants %g to %g%s%s", shown, given->text,
                   row->min, row->max, *row->unit ? " " : "", row->unit);
  int index = ct_choice_index(row->choices, given->text);
  given->number = index;
  return index >= 0 ? CT_OK
                    : ct_fail(error, CT_BAD_VALUE, "%s: '%.60s' is not known; wants one of %s", shown,
                              given->text, row->choices);
}

static ct_result check(const ct_doc *doc, setting *given, bool create, ct_path *path, ct_catch *found,
                       ct_error *error) {
  char shown[CT_PATH_BYTES] = "";
  ct_format(shown, sizeof shown, "%s", given->path);
  ct_path_show_dots(shown);
  CT_TRY(find_row(doc, given->path, path, found, error));
  const ct_row *row = ct_row_at(found->row);
  if (!given->text)
    CT_TRY(check_number(row, shown, given->number, error));
  CT_TRY(check_part(doc, path, found, create, error));
  if (given->text)
    return check_text(&row->shown, shown, given, error);
  return create ? CT_OK : check_control(doc, row, found, shown, given->number, error);
}

static ct_result set(ct_doc *doc, setting given, bool create, ct_error *error) {
  ct_path path;
  ct_catch found;
  CT_TRY(check(doc, &given, create, &path, &found, error));
  return put(doc, &path, &found, given.number, given.text, error);
}

ct_result ct_doc_set_number(ct_doc *doc, const char *path, double value, ct_error *error) {
  return doc && path ? set(doc, (setting){path, NULL, value}, true, error)
                     : ct_fail(error, CT_BAD_ARGUMENT, "set: a null pointer");
}

ct_result ct_doc_set_text(ct_doc *doc, const char *path, const char *text, ct_error *error) {
  return doc && path && text ? set(doc, (setting){path, text, 0}, true, error)
                             : ct_fail(error, CT_BAD_ARGUMENT, "set: a null pointer");
}

ct_result ct_doc_set_flag(ct_doc *doc, const char *path_text, bool value, ct_error *error) {
  if (!doc || !path_text)
    return ct_fail(error, CT_BAD_ARGUMENT, "set: a null pointer");
  ct_path path;
  ct_catch found;
  CT_TRY(find_row(doc, path_text, &path, &found, error));
  const ct_schema_row *row = &ct_row_at(found.row)->shown;
  if (row->type == CT_TYPE_FLAG || row->type == CT_TYPE_ANY)
    return set(doc, (setting){path_text, NULL, value}, true, error);
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

/* An edit of what is there: it makes no new parts, so a slip in a name is refused. */
ct_result ct_doc_set_typed(ct_doc *doc, const char *path_text, const char *text, ct_error *error) {
  if (!doc || !path_text || !text)
    return ct_fail(error, CT_BAD_ARGUMENT, "set: a null pointer");
  ct_path path;
  ct_catch found;
  CT_TRY(find_row(doc, path_text, &path, &found, error));
  ct_type type = ct_row_at(found.row)->shown.type;
  setting given = {path_text, text, 0};
  bool yes = strcmp(text, "true") == 0, flag = type == CT_TYPE_FLAG && (yes || strcmp(text, "false") == 0);
  if (flag)
    given = (setting){path_text, NULL, yes};
  else if (type != CT_TYPE_TEXT && type != CT_TYPE_CHOICE && ct_number_typed(text, &given.number))
    given.text = NULL;
  return set(doc, given, false, error); /* what is no number is refused as a text, with what is wanted */
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

static setting setting_of(const ct_node *set) { return (setting){set->name, set->text[0], set->number[0]}; }

ct_result ct_doc_check_preset(const ct_doc *doc, const char *name, const ct_node **preset, ct_error *error) {
  *preset = ct_node_named(&doc->root->kids[CT_KIDS_PRESETS], name);
  if (!*preset)
    return no_such_preset(doc, name, error);
  const ct_node_list *sets = &(*preset)->kids[CT_KIDS_SETS];
  ct_error inner;
  ct_result result = CT_OK;
  for (uint32_t i = 0; i < sets->count && result == CT_OK; i++) {
    ct_path path;
    ct_catch found;
    setting given = setting_of(sets->items[i]);
    result = check(doc, &given, false, &path, &found, &inner);
  }
  return result == CT_OK ? CT_OK : ct_fail(error, result, "preset '%s': %.260s", name, inner.text);
}

/* All are checked before any is set. */
ct_result ct_doc_apply_preset(ct_doc *doc, const char *name, ct_error *error) {
  if (!doc || !name)
    return ct_fail(error, CT_BAD_ARGUMENT, "preset: a null pointer");
  const ct_node *preset;
  ct_error inner;
  ct_result result = CT_OK;
  CT_TRY(ct_doc_check_preset(doc, name, &preset, error));
  const ct_node_list *sets = &preset->kids[CT_KIDS_SETS];
  for (uint32_t i = 0; i < sets->count && result == CT_OK; i++)
    result = set(doc, setting_of(sets->items[i]), false, &inner);
  if (result != CT_OK)
    return ct_fail(error, result, "preset '%s': %.260s", name, inner.text);
  doc->preset = preset;
  return CT_OK;
}

ct_result ct_doc_find_leaf(const ct_doc *doc, const char *text, char *spelled, size_t size, uint32_t *row,
                           const ct_kept_leaf **leaf, ct_error *error) {
  ct_path path = {.count = 0};
  ct_catch found;
  CT_TRY(find_row(doc, text, &path, &found, error));
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
  column->room = column->count = count;
  if (step_m > 0)
    ct_node_store(node, ct_row_of(CT_SURFACE_FIELD_STEP), step_m, NULL);
  return CT_OK;
}
