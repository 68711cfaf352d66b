/* A preset for a scene that sounds: what it sets and can be set now goes to the scene as one batch of
 * changes, of what cannot the caller is warned. Whatever another preset of the document sets and this one
 * does not goes back to what the document says, so that presets may follow one another in any order. */
#include "base/grow.h"
#include "base/sized.h"
#include "base/text.h"
#include "document/doc.h"

#include <stdlib.h>
#include <string.h>

/* Something that a preset of the document sets. */
typedef struct wish {
  char *path; /* spelled out */
  uint32_t row;
  const ct_node *set;       /* by this preset; null: by others */
  const ct_kept_leaf *leaf; /* what the document says; null: nothing */
} wish;

typedef struct sender {
  const ct_doc *doc;
  ct_scene *scene;
  const ct_preset_def *def;
  const char *preset; /* "" for the document itself */
  ct_error *error;
  wish *wishes;
  uint32_t wish_count;
  size_t wish_room;
  ct_names names;
  ct_handle *driven; /* by controls: those win */
  uint32_t driven_count;
  ct_change *changes;
  uint32_t change_count;
} sender;

static const char *wish_path(const void *list, uint32_t index) { return ((const wish *)list)[index].path; }

static ct_result no_memory(const sender *s) {
  return ct_fail(s->error, CT_NO_MEMORY, "preset '%.48s': out of memory", s->preset);
}

/* ---- what all presets set ---- */

static ct_result add_wish(sender *s, const ct_node *set, bool own) {
  char path[CT_PATH_BYTES * 2];
  uint32_t row;
  const ct_kept_leaf *leaf;
  if (ct_doc_find_leaf(s->doc, set->name, path, sizeof path, &row, &leaf, NULL) != CT_OK)
    return CT_OK; /* of another preset: whoever takes that one is warned */
  uint32_t found = ct_names_find(&s->names, path, wish_path, s->wishes);
  if (found != CT_NO_NAME) {
    s->wishes[found].set = own ? set : s->wishes[found].set;
    return CT_OK;
  }
  if (!ct_grow(&s->wishes, &s->wish_room, s->wish_count + 1, sizeof *s->wishes))
    return no_memory(s);
  wish *made = &s->wishes[s->wish_count];
  *made = (wish){ct_doc_copy_text(path), row, own ? set : NULL, leaf};
  if (!made->path || !ct_names_add(&s->names, s->wish_count, wish_path, s->wishes)) {
    free(made->path);
    return no_memory(s);
  }
  s->wish_count++;
  return CT_OK;
}

static ct_result gather(sender *s, const ct_node *own) {
  const ct_node_list *presets = &s->doc->root->kids[CT_KIDS_PRESETS];
  for (uint32_t p = 0; p < presets->count; p++) {
    const ct_node_list *sets = &presets->items[p]->kids[CT_KIDS_SETS];
    for (uint32_t i = 0; i < sets->count; i++)
      CT_TRY(add_wish(s, sets->items[i], presets->items[p] == own));
  }
  return CT_OK;
}

/* ---- numbers that controls move ---- */

static bool is_trigger(const ct_node *control) { return ct_node_number(control, CT_CONTROL_TRIGGER) != 0; }

static ct_result gather_driven(sender *s) {
  const ct_node_list *controls = &s->doc->root->kids[CT_KIDS_CONTROLS];
  uint32_t count = 0;
  for (uint32_t c = 0; c < controls->count; c++)
    count += controls->items[c]->kids[CT_KIDS_TARGETS].count;
  if (!(s->driven = calloc(count + 1, sizeof *s->driven)))
    return no_memory(s);
  for (uint32_t c = 0; c < controls->count; c++) {
    const ct_node_list *targets = &controls->items[c]->kids[CT_KIDS_TARGETS];
    for (uint32_t i = 0; i < targets->count && !is_trigger(controls->items[c]); i++) {
      ct_target_def target = {0};
      ct_node_give(targets->items[i], CT_DEF_TARGET, &target);
      ct_handle *handle = &s->driven[s->driven_count];
      s->driven_count += ct_scene_resolve(s->scene, target.path ? target.path : "", handle, NULL) == CT_OK;
    }
  }
  return CT_OK;
}

static bool is_driven(const sender *s, ct_handle h) {
  bool driven = false;
  for (const ct_handle *d = s->driven; d < s->driven + s->driven_count; d++)
    driven |= d->row == h.row && d->object == h.object && d->item == h.item && d->element == h.element;
  return driven;
}

/* ---- one wish ---- */

static void warn(const sender *s, const wish *w, const char *why) {
  char line[CT_TEXT_MAX];
  if (!s->def->warn)
    return;
  ct_format(line, sizeof line, "preset '%.48s': %.120s %s", s->preset, w->path, why);
  ct_path_show_dots(line);
  s->def->warn(s->def->context, line);
}

/* Where a row that was not given takes its number from elsewhere, its standard says nothing. */
static bool has_standard(const ct_row *row) {
  const ct_schema_row *r = &row->shown;
  return r->standard >= r->min && r->standard <= r->max && row->def != CT_DEF_MATERIAL &&
         row->field != CT_SHAPE_FIELD_MATERIAL_AT;
}

static bool is_change(const wish *w) {
  const char *now = w->leaf && w->leaf->text ? w->leaf->text : "", *then = w->set->text[0];
  if (then)
    return strcmp(now, then) != 0;
  double said = w->leaf ? w->leaf->number : ct_row_at(w->row)->shown.standard;
  return said != w->set->number[0];
}

/* Whether the number can change while the scene sounds; if not, the reason. */
static bool can_move(const sender *s, const ct_row *row, const char **why) {
  if (row->shown.rate == CT_RATE_TRIGGER) {
    *why = "is where things start: it takes effect when the scene is reset or built with this preset";
    return s->def->starts;
  }
  *why = "cannot change while the scene sounds: build it with this preset";
  return row->shown.type == CT_TYPE_NUMBER &&
         (row->shown.rate == CT_RATE_TICK || row->shown.rate == CT_RATE_AUDIO);
}

static void send(sender *s, const wish *w) {
  const ct_row *row = ct_row_at(w->row);
  const char *why;
  ct_handle handle;
  bool movable = can_move(s, row, &why);
  if (!movable || ct_scene_resolve(s->scene, w->path, &handle, NULL) != CT_OK) {
    if (w->set && is_change(w))
      warn(s, w, movable ? "is not in the scene as it was built" : why);
    return;
  }
  if (is_driven(s, handle))
    return;
  if (!w->set && !w->leaf && !has_standard(row)) {
    warn(s, w, "is not given by the document: it stays as it is");
    return;
  }
  double value = w->set ? w->set->number[0] : w->leaf ? w->leaf->number : row->shown.standard;
  s->changes[s->change_count++] = (ct_change){handle, value, s->def->ramp_s};
}

/* The value of a trigger is what it shows, not a blow. */
static bool is_trigger_value(const sender *s, const wish *w) {
  ct_path path;
  if (ct_row_at(w->row)->field != CT_CONTROL_VALUE || !ct_path_cut(&path, w->path) || path.count < 2)
    return false;
  const ct_node *control = ct_node_named(&s->doc->root->kids[CT_KIDS_CONTROLS], path.word[1]);
  return control && is_trigger(control);
}

static ct_result send_all(sender *s) {
  if (!(s->changes = calloc(s->wish_count + 1, sizeof *s->changes)))
    return no_memory(s);
  for (uint32_t i = 0; i < s->wish_count; i++)
    if (!is_trigger_value(s, &s->wishes[i]))
      send(s, &s->wishes[i]);
  ct_error inner = {CT_OK, ""};
  ct_result result = ct_scene_set_many(s->scene, s->changes, s->change_count, s->def->at_sample, &inner);
  return result == CT_OK ? CT_OK : ct_fail(s->error, result, "preset '%.48s': %.250s", s->preset, inner.text);
}

#define COOKIE 0x0c049e7au

void ct_fill_preset_def(ct_preset_def *to, uint32_t size) {
  ct_preset_def def = {.cookie = COOKIE, .size = size, .ramp_s = -1};
  ct_give_bytes(to, size, &def, sizeof def);
}

ct_result ct_doc_send_preset(const ct_doc *doc, const char *preset, ct_scene *scene,
                             const ct_preset_def *given, ct_error *error) {
  ct_preset_def def = ct_default_preset_def();
  if (!doc || !scene || !ct_take_def(&def, given))
    return ct_fail(error, CT_BAD_ARGUMENT,
                   "preset: a null pointer, or a definition not made by ct_default_preset_def()");
  const ct_node *own = NULL;
  ct_result result = preset ? ct_doc_check_preset(doc, preset, &own, error) : CT_OK;
  sender s = {.doc = doc, .scene = scene, .def = &def, .preset = preset ? preset : "", .error = error};
  if (result == CT_OK)
    result = gather(&s, own);
  if (result == CT_OK)
    result = gather_driven(&s);
  if (result == CT_OK)
    result = send_all(&s);
  for (uint32_t i = 0; i < s.wish_count; i++)
    free(s.wishes[i].path);
  free(s.wishes);
  free(s.driven);
  free(s.changes);
  ct_names_clear(&s.names);
  return result;
}
