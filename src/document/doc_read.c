/* Reading a document back: leaves, and what people see of the scene. */
#include "base/sized.h"
#include "base/text.h"
#include "document/doc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t ct_doc_leaf_count(const ct_doc *doc) { return doc->leaf_count; }

void ct_doc_leaf_sized(const ct_doc *doc, uint32_t i, ct_leaf *to, uint32_t size) {
  const ct_kept_leaf *kept = &doc->leaves[i];
  ct_leaf leaf = {kept->path, ct_schema_row_at(kept->row), kept->number, kept->text};
  ct_give_bytes(to, size, &leaf, sizeof leaf);
}

const char *ct_doc_title(const ct_doc *doc) { return ct_node_text(doc->root, CT_SCENE_TITLE); }
const char *ct_doc_about(const ct_doc *doc) { return ct_node_text(doc->root, CT_SCENE_ABOUT); }
double ct_doc_seconds(const ct_doc *doc) { return ct_node_number(doc->root, CT_SCENE_SECONDS); }

static const ct_node_list *list(const ct_doc *doc, uint32_t kind) { return &doc->root->kids[kind]; }

static const char *name_of(const ct_doc *doc, uint32_t kind, uint32_t i) {
  return list(doc, kind)->items[i]->name;
}

uint32_t ct_doc_control_count(const ct_doc *doc) { return list(doc, CT_KIDS_CONTROLS)->count; }

void ct_doc_control_sized(const ct_doc *doc, uint32_t index, ct_control_info *to, uint32_t size) {
  const ct_node *c = list(doc, CT_KIDS_CONTROLS)->items[index];
  ct_control_def def = ct_default_control_def();
  ct_node_give(c, CT_DEF_CONTROL, &def);
  ct_control_info info = {.name = c->name,
                          .unit = def.unit,
                          .hint = def.hint,
                          .min = def.min,
                          .max = def.max,
                          .value = def.value,
                          .scale = def.scale,
                          .trigger = def.trigger,
                          .target_count = c->kids[CT_KIDS_TARGETS].count};
  ct_give_bytes(to, size, &info, sizeof info);
}

bool ct_doc_find_control(const ct_doc *doc, const char *name, ct_control_info *info) {
  for (uint32_t i = 0; i < ct_doc_control_count(doc); i++) {
    *info = ct_doc_control(doc, i);
    if (strcmp(info->name, name) == 0)
      return true;
  }
  return false;
}

uint32_t ct_doc_preset_count(const ct_doc *doc) { return list(doc, CT_KIDS_PRESETS)->count; }
const char *ct_doc_preset_name(const ct_doc *doc, uint32_t i) { return name_of(doc, CT_KIDS_PRESETS, i); }
const char *ct_doc_preset_title(const ct_doc *doc, uint32_t i) {
  return ct_node_text(list(doc, CT_KIDS_PRESETS)->items[i], CT_PRESET_TITLE);
}
const char *ct_doc_preset_about(const ct_doc *doc, uint32_t i) {
  return ct_node_text(list(doc, CT_KIDS_PRESETS)->items[i], CT_PRESET_ABOUT);
}
uint32_t ct_doc_body_count(const ct_doc *doc) { return list(doc, CT_KIDS_BODIES)->count; }
const char *ct_doc_body_name(const ct_doc *doc, uint32_t i) { return name_of(doc, CT_KIDS_BODIES, i); }

bool ct_node_is_hand(const ct_node *body) {
  double kind = ct_node_number(body, CT_BODY_KIND);
  return kind == CT_KIND_HAND || kind == CT_KIND_WALL;
}

bool ct_node_is_string(const ct_node *body) { return ct_node_number(body, CT_BODY_KIND) == CT_KIND_STRING; }

/* A hand has one point, which no file names. */
uint32_t ct_doc_point_count(const ct_doc *doc, uint32_t i) {
  const ct_node *body = list(doc, CT_KIDS_BODIES)->items[i];
  return ct_node_is_hand(body) ? 1 : body->kids[CT_KIDS_POINTS].count;
}

const char *ct_doc_point_name(const ct_doc *doc, uint32_t i, uint32_t point) {
  const ct_node *body = list(doc, CT_KIDS_BODIES)->items[i];
  return ct_node_is_hand(body) ? "at" : body->kids[CT_KIDS_POINTS].items[point]->name;
}

uint32_t ct_doc_drive_count(const ct_doc *doc) { return list(doc, CT_KIDS_DRIVES)->count; }
const char *ct_doc_drive_name(const ct_doc *doc, uint32_t i) { return name_of(doc, CT_KIDS_DRIVES, i); }
uint32_t ct_doc_surface_count(const ct_doc *doc) { return list(doc, CT_KIDS_SURFACES)->count; }
const char *ct_doc_surface_name(const ct_doc *doc, uint32_t i) { return name_of(doc, CT_KIDS_SURFACES, i); }
const char *ct_doc_surface_file(const ct_doc *doc, uint32_t i) {
  return ct_node_text(list(doc, CT_KIDS_SURFACES)->items[i], CT_SURFACE_FIELD_FILE);
}
bool ct_doc_surface_has_depth(const ct_doc *doc, uint32_t i) {
  return ct_node_has(list(doc, CT_KIDS_SURFACES)->items[i], CT_SURFACE_FIELD_DEPTH);
}

uint32_t ct_doc_contact_count(const ct_doc *doc) { return list(doc, CT_KIDS_CONTACTS)->count; }
const char *ct_doc_contact_name(const ct_doc *doc, uint32_t i) { return name_of(doc, CT_KIDS_CONTACTS, i); }

uint32_t ct_doc_source_count(const ct_doc *doc) { return list(doc, CT_KIDS_SOURCES)->count; }
const char *ct_doc_source_name(const ct_doc *doc, uint32_t i) { return name_of(doc, CT_KIDS_SOURCES, i); }

/* ---- the gesture ---- */

static ct_result check_times(const ct_column *time, ct_error *error) {
  for (uint32_t i = 0; i < time->count; i++) {
    if (!(time->values[i] >= 0))
      return ct_fail(error, CT_BAD_VALUE, "gesture.time_s.%u: missing or negative", i);
    if (i && time->values[i] <= time->values[i - 1])
      return ct_fail(error, CT_BAD_VALUE, "gesture.time_s.%u: %g s does not come after %g s", i,
                     time->values[i], time->values[i - 1]);
  }
  return CT_OK;
}

static ct_result hand_out(ct_doc *doc, const ct_node *holder, const ct_column *time, ct_gesture *gesture,
                          ct_error *error) {
  const char **paths = realloc(doc->gesture_paths, holder->column_count * sizeof *paths);
  if (paths)
    doc->gesture_paths = paths;
  const double **values = realloc(doc->gesture_values, holder->column_count * sizeof *values);
  if (values)
    doc->gesture_values = values;
  if (!paths || !values)
    return ct_fail(error, CT_NO_MEMORY, "gesture: out of memory");
  uint32_t columns = 0;
  for (uint32_t i = 0; i < holder->column_count; i++) {
    if (&holder->columns[i] == time)
      continue;
    paths[columns] = holder->columns[i].name;
    values[columns++] = holder->columns[i].values;
  }
  *gesture = (ct_gesture){time->count, columns, time->values, paths, values};
  return CT_OK;
}

ct_result ct_doc_gesture(ct_doc *doc, ct_gesture *gesture, ct_error *error) {
  if (!doc || !gesture)
    return ct_fail(error, CT_BAD_ARGUMENT, "gesture: a null pointer");
  const ct_node *holder = doc->preset && doc->preset->column_count ? doc->preset : doc->root;
  memset(gesture, 0, sizeof *gesture);
  if (holder->column_count == 0)
    return CT_OK;
  const ct_column *time = ct_node_column(holder, "time_s");
  if (!time)
    return ct_fail(error, CT_BAD_SCENE, "gesture: no time_s");
  CT_TRY(check_times(time, error));
  for (uint32_t i = 0; i < holder->column_count; i++)
    if (holder->columns[i].count != time->count)
      return ct_fail(error, CT_BAD_SCENE, "gesture.%s: %u values for %u times", holder->columns[i].name,
                     holder->columns[i].count, time->count);
  return hand_out(doc, holder, time, gesture, error);
}
