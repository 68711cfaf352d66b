/* Names of a plan in its scenes: every path is looked for, every value tried, and what the plan is silent
 * about comes from the control or from the schema. */
#include "base/number.h"
#include "base/text.h"
#include "document/doc.h"
#include "file/load.h"
#include "file/render.h"
#include "sweep/maker.h"
#include "sweep/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is checked: one scene with one preset. */
typedef struct checker {
  ct_sweep_plan *plan;
  ct_sweep_part *part;
  const char *scene;
  ct_doc *doc;
  ct_error *error;
} checker;

static ct_result refuse(const checker *c, const ct_sweep_vary *v, const char *what) {
  return ct_fail(c->error, CT_BAD_FILE, "%.100s: vary.%.60s: %.140s", c->plan->file, v->name, what);
}

static ct_result refuse_inner(const checker *c, const char *name, ct_result result, const ct_error *inner) {
  return ct_fail(c->error, result, "%.80s: %.60s: %.170s", c->plan->file, name, inner->text);
}

/* ---- scenes ---- */

bool ct_sweep_names_file(const char *path) {
  return ct_ends_with(path, ".file") || ct_ends_with(path, ".from");
}

/* Preset and sets, and then the files that they may name. */
static ct_result set_up_scene(const ct_sweep_part *part, const char *file, const char *preset, ct_doc *doc,
                              ct_error *error) {
  bool files = false;
  if (*preset)
    CT_TRY(ct_doc_apply_preset(doc, preset, error));
  for (uint32_t i = 0; i < part->set_count; i++) {
    CT_TRY(ct_doc_set_typed(doc, part->sets[i].path, part->sets[i].text, error));
    files |= ct_sweep_names_file(part->sets[i].path);
  }
  return files ? ct_doc_read_scans(doc, file, error) : CT_OK;
}

ct_result ct_sweep_open_scene(const ct_sweep_plan *plan, const ct_sweep_part *part, const char *scene,
                              const char *preset, ct_doc **doc, ct_error *error) {
  const ct_file_path file = ct_sweep_file_of(plan, scene);
  ct_doc *loaded = NULL;
  CT_TRY(ct_doc_load(file.text, &loaded, error));
  const ct_result result = set_up_scene(part, file.text, preset, loaded, error);
  if (result == CT_OK)
    *doc = loaded;
  else
    ct_doc_destroy(loaded);
  return result;
}

/* As --set does: what a scene does not have is not made, and controls stay in their range. */
ct_result ct_sweep_set_path(ct_doc *doc, const ct_sweep_vary *v, double number, const char *word,
                            ct_error *error) {
  char text[CT_NUMBER_ROOM];
  if (v->target != CT_SWEEP_PATH)
    return CT_OK;
  if (!word)
    ct_number_print(text, number, ct_number_digits(number));
  return ct_doc_set_typed(doc, v->name, word ? word : text, error);
}

/* The files a scene was read from: they belong to what the plan is. */
static ct_result note_files(const checker *c) {
  ct_claims claims = {0};
  size_t length;
  const char *builtin = ct_builtin_text(c->scene, &length);
  ct_result result = ct_doc_claim_files(c->doc, ct_sweep_file_of(c->plan, c->scene).text, &claims, c->error);
  if (result == CT_OK && builtin)
    result = ct_sweep_note_builtin(c->plan, c->scene, builtin, length, c->error);
  for (size_t i = 0; i < claims.count && result == CT_OK; i++)
    result = ct_sweep_note_input(c->plan, claims.items[i].name, c->error);
  ct_claims_free(&claims);
  return result;
}

/* ---- ranges ---- */

/* What the scene knows of a path. */
typedef struct known {
  ct_type type;
  double min, max;
  ct_scale scale;
  const char *unit, *words, *choices;
} known;

static bool find_control(const ct_doc *doc, const char *spelled, known *k) {
  char name[CT_NAME_MAX];
  ct_control_info info;
  const char *from = spelled + strlen("controls.");
  snprintf(name, sizeof name, "%.*s", (int)strcspn(from, "."), from);
  if (strcmp(from + strlen(name), ".value") != 0 || !ct_doc_find_control(doc, name, &info))
    return false;
  *k = (known){CT_TYPE_NUMBER, info.min, info.max, info.scale, info.unit, info.hint, ""};
  return true;
}

static ct_result find_known(const checker *c, const char *path, known *k) {
  char spelled[CT_PATH_BYTES * 2];
  uint32_t row;
  const ct_kept_leaf *leaf;
  ct_error inner = {.text = ""};
  ct_result result = ct_doc_find_leaf(c->doc, path, spelled, sizeof spelled, &row, &leaf, &inner);
  if (result != CT_OK)
    return refuse_inner(c, "vary", result, &inner);
  if (strncmp(spelled, "controls.", strlen("controls.")) == 0 && find_control(c->doc, spelled, k))
    return CT_OK;
  const ct_schema_row *r = ct_schema_row_at(row);
  *k = (known){r->type, r->min, r->max, r->scale, r->unit, r->words, r->choices};
  return CT_OK;
}

/* All words of a choice. */
static ct_result take_choices(const checker *c, ct_sweep_vary *v, const char *choices) {
  char word[CT_NAME_MAX];
  uint32_t count = 1;
  for (const char *at = choices; *at; at++)
    count += *at == '|';
  CT_TRY(ct_sweep_plan_take(c->plan, count, sizeof *v->words, &v->words, c->error));
  for (v->count = 0; v->count < count; v->count++) {
    ct_choice_word(choices, (int)v->count, word, sizeof word);
    CT_TRY(ct_sweep_plan_text(c->plan, word, &v->words[v->count], c->error));
  }
  return CT_OK;
}

static ct_result fill_range(const checker *c, ct_sweep_vary *v, const known *k) {
  char what[120];
  v->min = v->has_min ? v->min : k->min;
  v->max = v->has_max ? v->max : k->max;
  v->whole = k->type == CT_TYPE_COUNT;
  /* A log scale that the plan did not ask for cannot begin at 0. */
  v->scale = v->has_scale ? v->scale : k->scale == CT_LOG && v->min > 0 ? CT_LOG : CT_LINEAR;
  if (!isfinite(v->min) || !isfinite(v->max) || v->max - v->min > 1e15)
    return refuse(c, v, "its range has no ends; wants min and max");
  if (v->max <= v->min) {
    snprintf(what, sizeof what, "an empty range, %g to %g; wants min below max", v->min, v->max);
    return refuse(c, v, what);
  }
  if (v->scale == CT_LOG && v->min <= 0)
    return refuse(c, v, "a log scale wants a min above 0");
  return c->part->sample == CT_SWEEP_GRID && !v->steps
             ? refuse(c, v, "a grid wants steps, or a list of values")
             : CT_OK;
}

/* What the plan is silent about; the first scene decides. */
static ct_result fill(const checker *c, ct_sweep_vary *v, const known *k) {
  if (!v->about) {
    snprintf(v->unit, sizeof v->unit, "%s", k->unit);
    CT_TRY(ct_sweep_plan_text(c->plan, k->words, &v->about, c->error));
  }
  if (v->count || v->with)
    return CT_OK;
  switch (k->type) {
  case CT_TYPE_CHOICE:
    return take_choices(c, v, k->choices);
  case CT_TYPE_FLAG: /* off and on */
    CT_TRY(ct_sweep_plan_take(c->plan, 2, sizeof *v->numbers, &v->numbers, c->error));
    v->numbers[1] = 1;
    v->count = 2;
    return CT_OK;
  case CT_TYPE_TEXT:
    return refuse(c, v, "a text; wants a list of texts");
  default:
    return fill_range(c, v, k);
  }
}

/* Every value of a list, both ends of a range. */
static ct_result try_values(const checker *c, const ct_sweep_vary *v) {
  ct_error inner = {.text = ""};
  ct_result result = CT_OK;
  const uint32_t count = v->count ? v->count : v->with ? 0 : 2;
  for (uint32_t i = 0; i < count && result == CT_OK; i++) {
    const double number = v->numbers ? v->numbers[i] : i ? v->max : v->min;
    result = ct_sweep_set_path(c->doc, v, v->whole ? round(number) : number, v->words ? v->words[i] : NULL,
                               &inner);
    if (result == CT_OK && ct_sweep_names_file(v->name) && note_files(c) != CT_OK)
      return c->error->code;
  }
  return result == CT_OK ? CT_OK : refuse_inner(c, "vary", result, &inner);
}

/* ---- gestures ---- */

/* Whether two paths are spelled differently and mean the same. */
static bool same_path(const ct_doc *doc, const char *a, const char *b) {
  char spelled[2][CT_PATH_BYTES * 2];
  uint32_t row;
  const ct_kept_leaf *leaf;
  return ct_doc_find_leaf(doc, a, spelled[0], sizeof spelled[0], &row, &leaf, NULL) == CT_OK &&
         ct_doc_find_leaf(doc, b, spelled[1], sizeof spelled[1], &row, &leaf, NULL) == CT_OK &&
         strcmp(spelled[0], spelled[1]) == 0;
}

/* "controls.hardness.targets.0.path": the control's name, when the leaf is such a path. */
static bool is_target(const ct_leaf *leaf, char control[CT_NAME_MAX]) {
  static const char section[] = "controls.";
  const char *name = leaf->path + strlen(section);
  if (strncmp(leaf->path, section, strlen(section)) != 0 || !ct_ends_with(leaf->path, ".path") || !leaf->text)
    return false;
  snprintf(control, CT_NAME_MAX, "%.*s", (int)strcspn(name, "."), name);
  return true;
}

/* Controls win over the numbers they move: to set such a number does nothing. */
static ct_result check_not_controlled(const checker *c, const ct_sweep_vary *v) {
  char control[CT_NAME_MAX];
  ct_control_info info = {0};
  for (uint32_t i = 0; i < ct_doc_leaf_count(c->doc); i++) {
    const ct_leaf leaf = ct_doc_leaf(c->doc, i);
    if (is_target(&leaf, control) && !(ct_doc_find_control(c->doc, control, &info) && info.trigger) &&
        same_path(c->doc, v->name, leaf.text))
      return ct_fail(c->error, CT_BAD_FILE,
                     "%.80s: vary.%.60s: the control '%.48s' moves it; vary %.48s instead", c->plan->file,
                     v->name, control, control);
  }
  return CT_OK;
}

/* A gesture would move away at once what the plan sets. */
static ct_result check_not_moved(const checker *c, const ct_sweep_vary *v, const char *gesture,
                                 const ct_gesture *g) {
  for (uint32_t i = 0; i < g->columns && g->rows; i++)
    if (v->target == CT_SWEEP_PATH && same_path(c->doc, v->name, g->paths[i]))
      return ct_fail(c->error, CT_BAD_FILE,
                     "%.80s: vary.%.48s: the gesture '%.48s' moves it; vary gesture.%.48s, or give another "
                     "gesture",
                     c->plan->file, v->name, gesture, g->paths[i]);
  return CT_OK;
}

static ct_result check_cell(const checker *c, const ct_sweep_vary *v, const char *gesture,
                            const ct_gesture *g) {
  if (v->target != CT_SWEEP_GESTURE_CELL)
    return CT_OK;
  const uint32_t column = ct_sweep_gesture_column(g, v->column);
  if (column < g->columns && (v->row == CT_SWEEP_ALL_ROWS || v->row < g->rows))
    return CT_OK;
  return ct_fail(c->error, CT_BAD_FILE, "%.80s: vary.%.48s: the gesture '%.48s' has no such %s",
                 c->plan->file, v->name, gesture, column < g->columns ? "row" : "column");
}

static ct_result check_gesture(const checker *c, const char *name) {
  ct_gesture demo = {0};
  CT_TRY(ct_sweep_want_gesture(c->plan, name, c->error));
  const ct_gesture *g = ct_sweep_find_gesture(c->plan, name)->gesture;
  if (!g)
    CT_TRY(ct_doc_gesture(c->doc, &demo, c->error));
  for (uint32_t i = 0; i < c->part->vary_count; i++) {
    CT_TRY(check_not_moved(c, &c->part->vary[i], name, g ? g : &demo));
    CT_TRY(check_cell(c, &c->part->vary[i], name, g ? g : &demo));
  }
  return CT_OK;
}

/* ---- a part ---- */

static ct_result check_seeds(const checker *c, ct_sweep_vary *v) {
  const known k = {CT_TYPE_COUNT, 0, 0x1p53, CT_LINEAR, "", "seed of everything random", ""};
  if (v->words || (!v->count && !v->has_max))
    return refuse(c, v, "wants a list of whole numbers, or min and max");
  for (uint32_t i = 0; i < v->count; i++)
    if (v->numbers[i] < 0 || v->numbers[i] > 0x1p53 || v->numbers[i] != floor(v->numbers[i]))
      return refuse(c, v, "wants whole numbers from 0 on");
  return fill(c, v, &k);
}

static ct_result check_vary(const checker *c, ct_sweep_vary *v) {
  known k;
  switch (v->target) {
  case CT_SWEEP_PATH:
    CT_TRY(find_known(c, v->name, &k));
    CT_TRY(check_not_controlled(c, v));
    CT_TRY(fill(c, v, &k));
    return try_values(c, v);
  case CT_SWEEP_GESTURE_CELL:
    if (strcmp(v->column, "time_s") == 0)
      return refuse(c, v, "times do not vary; wants a column of the gesture");
    CT_TRY(find_known(c, v->column, &k));
    return fill(c, v, &k);
  case CT_SWEEP_SEED:
    return check_seeds(c, v);
  default:
    return v->words ? CT_OK : refuse(c, v, "wants a list of names");
  }
}

/* The part's own, or all that vary. */
static const ct_sweep_vary *varied(const ct_sweep_part *part, ct_sweep_target target) {
  for (uint32_t i = 0; i < part->vary_count; i++)
    if (part->vary[i].target == target)
      return &part->vary[i];
  return NULL;
}

static ct_result check_gestures(const checker *c) {
  const ct_sweep_vary *v = varied(c->part, CT_SWEEP_GESTURE);
  if (!v)
    return check_gesture(c, c->part->gesture);
  for (uint32_t i = 0; i < v->count; i++)
    CT_TRY(check_gesture(c, v->words[i]));
  return CT_OK;
}

/* How long and how wide its sounds are: room for them is looked for before the first. What is watched must be
 * there. */
static ct_result measure_part(checker *c) {
  ct_render *render = NULL;
  const double seconds = c->part->seconds > 0 ? c->part->seconds : ct_doc_seconds(c->doc);
  const ct_render_def def = {.rate_hz = c->part->rate_hz, .seconds = 1e-3};
  ct_error inner = {.text = ""};
  ct_result result = CT_OK;
  c->part->longest_s = fmax(c->part->longest_s, seconds);
  if (ct_render_open(c->doc, &def, &render, NULL) == CT_OK) {
    const uint32_t channels = ct_render_channels(render);
    c->part->channels = channels > c->part->channels ? channels : c->part->channels;
    result = ct_sweep_watches_tap(c->plan, render, &inner);
  }
  ct_render_close(render);
  return result == CT_OK ? CT_OK : refuse_inner(c, "watch", result, &inner);
}

static ct_result check_opened(checker *c) {
  CT_TRY(note_files(c));
  CT_TRY(measure_part(c));
  for (uint32_t i = 0; i < c->part->vary_count; i++)
    CT_TRY(check_vary(c, &c->part->vary[i]));
  return check_gestures(c);
}

static ct_result check_scene(checker *c, const char *scene, const char *preset) {
  ct_error inner = {.text = ""};
  ct_result result = ct_sweep_open_scene(c->plan, c->part, scene, preset, &c->doc, &inner);
  if (result != CT_OK)
    return refuse_inner(c, "scene", result, &inner);
  c->scene = scene;
  result = check_opened(c);
  ct_doc_destroy(c->doc);
  return result;
}

static ct_result check_presets(checker *c, const char *scene) {
  const ct_sweep_vary *v = varied(c->part, CT_SWEEP_PRESET);
  if (!v)
    return check_scene(c, scene, c->part->preset ? c->part->preset : "");
  if (!v->words)
    return refuse(c, v, "wants a list of names");
  for (uint32_t i = 0; i < v->count; i++)
    CT_TRY(check_scene(c, scene, v->words[i]));
  return CT_OK;
}

/* What goes with another has a value for each of its values, or takes the same number. */
static ct_result find_with(const checker *c, ct_sweep_vary *v) {
  const ct_sweep_part *part = c->part;
  if (!v->with)
    return CT_OK;
  v->with_item = ct_sweep_find_vary(part, v->with);
  const ct_sweep_vary *other = &part->vary[v->with_item];
  if (v->with_item == part->vary_count || other == v || other->with)
    return refuse(c, v, "with: wants the name of something else that varies by itself");
  const uint32_t values = other->count || c->part->sample != CT_SWEEP_GRID ? other->count : other->steps;
  if (v->count ? v->count != values : other->words != NULL)
    return refuse(c, v, "with: wants as many values as what it goes with has, or none of its own");
  return CT_OK;
}

static ct_result count_grid(const checker *c) {
  ct_sweep_part *part = c->part;
  if (part->sample != CT_SWEEP_GRID)
    return CT_OK;
  part->count = 1;
  for (uint32_t i = 0; i < part->vary_count; i++) {
    if (part->vary[i].with)
      continue;
    part->count *= part->vary[i].count ? part->vary[i].count : part->vary[i].steps;
    if (part->count > CT_SWEEP_SOUNDS_MOST)
      return ct_fail(c->error, CT_BAD_FILE, "%.100s: more than %u sounds; wants fewer", c->plan->file,
                     CT_SWEEP_SOUNDS_MOST);
  }
  return CT_OK;
}

ct_result ct_sweep_check_part(ct_sweep_plan *plan, ct_sweep_part *part, ct_error *error) {
  checker c = {.plan = plan, .part = part, .error = error};
  const ct_sweep_vary *scenes = varied(part, CT_SWEEP_SCENE);
  part->channels = 1;
  if (!scenes && !part->scene)
    return ct_fail(error, CT_BAD_FILE, "%.100s: scene: wants a built-in scene's name, or a file", plan->file);
  if (scenes && !scenes->words)
    return refuse(&c, scenes, "wants a list of names");
  for (uint32_t i = 0; i < (scenes ? scenes->count : 1); i++)
    CT_TRY(check_presets(&c, scenes ? scenes->words[i] : part->scene));
  for (uint32_t i = 0; i < part->vary_count; i++)
    CT_TRY(find_with(&c, &part->vary[i]));
  CT_TRY(ct_sweep_watches_check(plan, part, error));
  return count_grid(&c);
}
