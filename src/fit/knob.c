/* Which numbers are free when nobody says: those that rubbing and rolling are about, told by where a
 * number stands in the document and by its unit, never by a list of names.
 *   - every control that moves a number of a friction contact;
 *   - every control that moves a number of a drive, a surface, or the contact of a drive, if the scene chose
 *     that number (it differs from the schema's standard);
 *   - controls that push or move a hand (N, m/s), tune (Hz) or size a body, unless they stand at 0;
 *   - numbers that the scene states for a friction contact and no control moves, unless they are 0.
 * Ranges: a control's own; for a number of a contact a decade to both sides of what the scene says, cut by
 * the schema. */
#include "fit/knob.h"
#include "base/number.h"
#include "base/text.h"
#include "document/doc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double decade = 10;

/* ---- walking a range ---- */

double ct_knob_value(const ct_knob *k, double share) {
  double u = fmin(fmax(share, 0), 1);
  if (k->scale == CT_KNOB_LOG)
    return k->low * pow(k->high / k->low, u);
  return k->low + (k->high - k->low) * (k->scale == CT_KNOB_SQUARE ? u * u : u);
}

double ct_knob_share(const ct_knob *k, double value) {
  double u = (value - k->low) / (k->high - k->low);
  if (k->scale == CT_KNOB_LOG)
    u = log(value / k->low) / log(k->high / k->low);
  u = fmin(fmax(u, 0), 1);
  return k->scale == CT_KNOB_SQUARE ? sqrt(u) : u;
}

/* What moves to both sides of 0 sounds the same on both: one side is enough. */
static void choose_scale(ct_knob *k, bool in_log) {
  if (k->low < 0 && k->high > 0) {
    k->high = k->start < 0 ? k->low : k->high;
    k->low = 0;
  }
  k->scale = in_log && k->low > 0 ? CT_KNOB_LOG : k->low == 0 ? CT_KNOB_SQUARE : CT_KNOB_LINE;
  k->start = ct_knob_value(k, ct_knob_share(k, k->start));
}

/* ---- reading the document ---- */

static const ct_kept_leaf *leaf_at(const ct_doc *doc, const char *path, uint32_t *row) {
  char spelled[CT_KNOB_BYTES];
  uint32_t found;
  const ct_kept_leaf *leaf = NULL;
  return ct_doc_find_leaf(doc, path, spelled, sizeof spelled, row ? row : &found, &leaf, NULL) == CT_OK
             ? leaf
             : NULL;
}

static double number_at(const ct_doc *doc, const char *path) {
  uint32_t row = 0;
  const ct_kept_leaf *leaf = leaf_at(doc, path, &row);
  return leaf ? leaf->number : ct_row_at(row)->shown.standard;
}

static bool spell_out(const ct_doc *doc, const char *path, char *spelled, uint32_t *row, ct_error *error) {
  const ct_kept_leaf *leaf;
  return ct_doc_find_leaf(doc, path, spelled, CT_KNOB_BYTES, row, &leaf, error) == CT_OK;
}

/* One target of a control. */
typedef struct target {
  char path[CT_KNOB_BYTES]; /* spelled out */
  uint32_t row;
  double from, to;
  bool in_log;
} target;

static bool target_at(const ct_doc *doc, const char *control, uint32_t index, target *t) {
  char path[CT_KNOB_BYTES];
  ct_format(path, sizeof path, "controls.%s.targets.%u.path", control, index);
  const ct_kept_leaf *leaf = leaf_at(doc, path, NULL);
  if (!leaf || !leaf->text || !spell_out(doc, leaf->text, t->path, &t->row, NULL))
    return false;
  ct_format(path, sizeof path, "controls.%s.targets.%u.from", control, index);
  t->from = number_at(doc, path);
  ct_format(path, sizeof path, "controls.%s.targets.%u.to", control, index);
  t->to = number_at(doc, path);
  ct_format(path, sizeof path, "controls.%s.targets.%u.scale", control, index);
  t->in_log = number_at(doc, path) == CT_LOG && t->from > 0 && t->to > 0;
  return true;
}

static double walk(bool in_log, double from, double to, double t) {
  return in_log ? from * pow(to / from, t) : from + (to - from) * t;
}

static double place(bool in_log, double from, double to, double value) {
  return in_log ? log(value / from) / log(to / from) : (value - from) / (to - from);
}

static bool walks_in_log(const ct_control_info *c) { return c->scale == CT_LOG && c->min > 0; }

/* The control's value at which a target has that value. */
static double control_for(const ct_control_info *c, const target *t, double value) {
  return walk(walks_in_log(c), c->min, c->max, place(t->in_log, t->from, t->to, value));
}

static double target_value(const ct_control_info *c, const target *t, double value) {
  return walk(t->in_log, t->from, t->to, place(walks_in_log(c), c->min, c->max, value));
}

/* The control that moves a number, if one does: one whose target stands still does not. */
static bool control_over(const ct_doc *doc, const char *spelled, ct_control_info *info, target *t) {
  for (uint32_t i = 0; i < ct_doc_control_count(doc); i++) {
    *info = ct_doc_control(doc, i);
    for (uint32_t k = 0; k < info->target_count; k++)
      if (target_at(doc, info->name, k, t) && strcmp(t->path, spelled) == 0)
        return true;
  }
  return false;
}

static void copy_part(char *to, size_t size, const char *from, size_t length) {
  length = length < size ? length : size - 1;
  memcpy(to, from, length);
  to[length] = 0;
}

/* "contacts.rub.normal_n" -> rub; false when it is of another section. */
static bool part_of(const char *spelled, const char *section, char *name) {
  size_t length = strlen(section);
  if (strncmp(spelled, section, length) != 0 || spelled[length] != '.')
    return false;
  size_t end = strcspn(spelled + length + 1, ".");
  copy_part(name, CT_NAME_MAX, spelled + length + 1, end);
  return true;
}

/* Whether the text at "SECTION.NAME.KEY" is that one. */
static bool says(const ct_doc *doc, const char *section, const char *name, const char *key,
                 const char *text) {
  char path[CT_KNOB_BYTES];
  ct_format(path, sizeof path, "%s.%s.%s", section, name, key);
  const ct_kept_leaf *leaf = leaf_at(doc, path, NULL);
  return leaf && leaf->text && strcmp(leaf->text, text) == 0;
}

static bool is_friction(const ct_doc *doc, const char *contact) {
  return says(doc, "contacts", contact, "kind", "friction");
}

static bool is_of_drive(const ct_doc *doc, const char *contact) {
  for (uint32_t i = 0; i < ct_doc_drive_count(doc); i++)
    if (says(doc, "drives", ct_doc_drive_name(doc, i), "contact", contact))
      return true;
  return false;
}

/* Whether anything ever presses a friction contact: a scene may hold one for a preset. */
static bool is_pressed(const ct_doc *doc, const char *contact) {
  char path[CT_KNOB_BYTES];
  ct_control_info over;
  target t;
  ct_format(path, sizeof path, "contacts.%s.normal_from", contact);
  if (leaf_at(doc, path, NULL))
    return true;
  ct_format(path, sizeof path, "contacts.%s.normal_n", contact);
  return control_over(doc, path, &over, &t) ? t.from != 0 || t.to != 0 : number_at(doc, path) != 0;
}

static bool is_friction_number(const ct_doc *doc, const char *spelled) {
  char part[CT_NAME_MAX];
  return part_of(spelled, "contacts", part) && is_friction(doc, part) && is_pressed(doc, part);
}

static bool is_rolling_number(const ct_doc *doc, const char *spelled) {
  char part[CT_NAME_MAX];
  return part_of(spelled, "drives", part) || part_of(spelled, "surfaces", part) ||
         (part_of(spelled, "contacts", part) && is_of_drive(doc, part));
}

static bool pushes_or_tunes(const target *t) {
  const ct_row *row = ct_row_at(t->row);
  return row->field == CT_SHAPE_FIELD_SIZE || ct_choice_index("N|m/s|Hz", row->shown.unit) >= 0;
}

/* ---- the demo ---- */

typedef struct weighed {
  double value, weight;
} weighed;

static int by_value(const void *a, const void *b) {
  double x = ((const weighed *)a)->value, y = ((const weighed *)b)->value;
  return (x > y) - (x < y);
}

/* The value a column of the demo stands at for most of the time that it is not 0: the median over time. False
 * when it is not in the demo. */
static bool demo_value(const ct_gesture *g, const char *path, double *value) {
  uint32_t column = 0, count = 0;
  while (column < g->columns && strcmp(g->paths[column], path) != 0)
    column++;
  weighed *rows = column < g->columns ? calloc(g->rows, sizeof *rows) : NULL;
  double all = 0, sum = 0;
  for (uint32_t i = 0; rows && i < g->rows; i++) {
    double v = g->values[column][i], until = i + 1 < g->rows ? g->time_s[i + 1] : g->time_s[i] + 0.1;
    if (isnan(v) || v == 0)
      continue;
    rows[count++] = (weighed){v, until - g->time_s[i]};
    all += until - g->time_s[i];
  }
  if (count)
    qsort(rows, count, sizeof *rows, by_value);
  for (uint32_t i = 0; i < count && sum <= 0.5 * all; i++) {
    *value = rows[i].value;
    sum += rows[i].weight;
  }
  free(rows);
  return count > 0;
}

/* ---- making knobs ---- */

static ct_result add_knob(ct_knobs *knobs, const ct_knob *knob, ct_knob **added, ct_error *error) {
  uint32_t at = 0;
  while (at < knobs->count && strcmp(knobs->items[at].path, knob->path) != 0)
    at++;
  if (at == CT_KNOBS_MOST)
    return ct_fail(error, CT_FULL, "more than %d numbers to turn; choose some with --free", CT_KNOBS_MOST);
  if (at == knobs->count)
    knobs->items[knobs->count++] = *knob;
  if (added)
    *added = &knobs->items[at];
  return CT_OK;
}

static ct_knob control_knob(const ct_control_info *c, const ct_gesture *g) {
  ct_knob k = {.unit = c->unit, .low = c->min, .high = c->max, .start = c->value, .trigger = c->trigger};
  ct_format(k.path, sizeof k.path, "controls.%s.value", c->name);
  ct_format(k.name, sizeof k.name, "%s", c->name);
  demo_value(g, c->name, &k.start);
  choose_scale(&k, c->scale == CT_LOG);
  return k;
}

static ct_knob number_knob(const ct_doc *doc, const char *spelled, uint32_t row, const char *name) {
  const ct_schema_row *r = &ct_row_at(row)->shown;
  ct_knob k = {.unit = r->unit, .start = number_at(doc, spelled)};
  ct_format(k.path, sizeof k.path, "%s", spelled);
  ct_format(k.name, sizeof k.name, "%s", name);
  double size = k.start != 0 ? fabs(k.start) : r->standard != 0 ? fabs(r->standard) : 1;
  k.low = k.start == 0 ? fmax(r->min, 0) : fmax(r->min, (k.start < 0 ? -1 : 1) * size / decade);
  k.high = k.start < 0 ? fmax(r->min, -size * decade) : fmin(r->max, size * decade);
  choose_scale(&k, true);
  return k;
}

/* Whether a control is free when nobody says. */
static bool free_by_itself(const ct_doc *doc, const ct_control_info *c, const ct_knob *k, bool in_demo) {
  target t;
  for (uint32_t i = 0; i < c->target_count; i++) {
    if (!target_at(doc, c->name, i, &t) || t.from == t.to)
      continue;
    double now = target_value(c, &t, k->start);
    if (is_friction_number(doc, t.path) && !c->trigger)
      return true;
    if (is_rolling_number(doc, t.path) && now != ct_row_at(t.row)->shown.standard && (in_demo || !c->trigger))
      return true;
    if (!c->trigger && pushes_or_tunes(&t) && now != 0)
      return true;
  }
  return false;
}

static ct_result find_controls(const ct_doc *doc, const ct_gesture *g, ct_knobs *knobs, ct_error *error) {
  for (uint32_t i = 0; i < ct_doc_control_count(doc); i++) {
    ct_control_info c = ct_doc_control(doc, i);
    double value;
    bool in_demo = demo_value(g, c.name, &value);
    ct_knob k = control_knob(&c, g);
    k.role = free_by_itself(doc, &c, &k, in_demo) ? CT_KNOB_FREE : CT_KNOB_HELD;
    if (k.role == CT_KNOB_FREE || in_demo)
      CT_TRY(add_knob(knobs, &k, NULL, error));
  }
  return CT_OK;
}

/* Numbers a scene states for friction, which nothing else moves. */
static ct_result find_numbers(const ct_doc *doc, ct_knobs *knobs, ct_error *error) {
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++) {
    ct_leaf leaf = ct_doc_leaf(doc, i);
    ct_control_info over;
    target t;
    uint32_t row;
    bool moves = leaf.row->rate == CT_RATE_TICK || leaf.row->rate == CT_RATE_AUDIO;
    if (leaf.row->type != CT_TYPE_NUMBER || !moves || leaf.number == 0 ||
        !is_friction_number(doc, leaf.path) || control_over(doc, leaf.path, &over, &t) ||
        !leaf_at(doc, leaf.path, &row))
      continue;
    ct_knob k = number_knob(doc, leaf.path, row, leaf.path + strlen("contacts."));
    CT_TRY(add_knob(knobs, &k, NULL, error));
  }
  return CT_OK;
}

ct_result ct_knobs_find(ct_doc *doc, ct_knobs *knobs, ct_error *error) {
  ct_gesture g = {0};
  *knobs = (ct_knobs){.rolling = ct_doc_drive_count(doc) > 0};
  for (uint32_t i = 0; i < ct_doc_contact_count(doc); i++)
    knobs->friction = knobs->friction || is_friction(doc, ct_doc_contact_name(doc, i));
  if (!knobs->friction && !knobs->rolling)
    return ct_fail(error, CT_BAD_ARGUMENT,
                   "has neither friction nor anything that rolls or scrapes; wants a scene that has");
  CT_TRY(ct_doc_gesture(doc, &g, error));
  CT_TRY(find_controls(doc, &g, knobs, error));
  return find_numbers(doc, knobs, error);
}

/* ---- what somebody asks for ---- */

/* What somebody calls by a path: a knob, and where it is a number that a control moves, the control's. */
typedef struct named {
  ct_knob *knob;
  bool moved; /* by: */
  ct_control_info control;
  target target;
} named;

static ct_result find_named(const ct_doc *doc, const char *path, ct_knobs *knobs, named *n, ct_error *error) {
  char spelled[CT_KNOB_BYTES];
  uint32_t row;
  ct_knob k;
  *n = (named){0};
  bool control = ct_doc_find_control(doc, path, &n->control);
  if (!control && !spell_out(doc, path, spelled, &row, error))
    return CT_BAD_PATH;
  n->moved = !control && control_over(doc, spelled, &n->control, &n->target);
  if (control || n->moved)
    k = control_knob(&n->control, &(ct_gesture){0});
  else {
    const ct_schema_row *r = &ct_row_at(row)->shown;
    if (r->type != CT_TYPE_NUMBER || r->rate == CT_RATE_STATE)
      return ct_fail(error, CT_BAD_PATH, "'%.100s' is not a number that can be turned", path);
    k = number_knob(doc, spelled, row, path);
  }
  return add_knob(knobs, &k, &n->knob, error);
}

ct_result ct_knobs_take_free(const ct_doc *doc, const char *const *paths, uint32_t count, ct_knobs *knobs,
                             ct_error *error) {
  bool only = false;
  for (uint32_t i = 0; i < count; i++)
    only = only || paths[i][0] != '+';
  for (uint32_t i = 0; i < knobs->count && only; i++)
    knobs->items[i].role = knobs->items[i].role == CT_KNOB_FREE ? CT_KNOB_HELD : knobs->items[i].role;
  for (uint32_t i = 0; i < count; i++) {
    named n;
    CT_TRY(find_named(doc, paths[i] + (paths[i][0] == '+'), knobs, &n, error));
    if (n.knob->role == CT_KNOB_KNOWN)
      return ct_fail(error, CT_BAD_ARGUMENT, "'%.100s' is both known and free", paths[i]);
    n.knob->role = CT_KNOB_FREE;
  }
  return CT_OK;
}

ct_result ct_knobs_take_known(const ct_doc *doc, const char *text, uint32_t count, ct_knobs *knobs,
                              ct_error *error) {
  char path[CT_KNOB_BYTES];
  const char *equals = strchr(text, '=');
  named n;
  uint32_t found = 0;
  if (!equals || equals == text || equals - text >= CT_KNOB_BYTES)
    return ct_fail(error, CT_BAD_ARGUMENT, "'%.100s' wants PATH=VALUE,VALUE..., such as pressure=0.5,1,2",
                   text);
  copy_part(path, sizeof path, text, (size_t)(equals - text));
  CT_TRY(find_named(doc, path, knobs, &n, error));
  for (const char *at = equals + 1; *at; found++) {
    double value;
    size_t used = ct_number_read(at, strlen(at), &value);
    if (!used || (at[used] && at[used] != ',') || !isfinite(value))
      return ct_fail(error, CT_BAD_ARGUMENT, "'%.100s': '%.40s' is not a number", text, at);
    if (found < CT_FITTED_MOST)
      n.knob->known[found] = n.moved ? control_for(&n.control, &n.target, value) : value;
    at += used + (at[used] == ',');
  }
  if (found != count)
    return ct_fail(error, CT_BAD_ARGUMENT, "'%.100s' gives %u values for %u recordings; wants one for each",
                   text, found, count);
  n.knob->role = CT_KNOB_KNOWN;
  return CT_OK;
}

/* ---- using them ---- */

uint32_t ct_knobs_free_count(const ct_knobs *knobs) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < knobs->count; i++)
    count += knobs->items[i].role == CT_KNOB_FREE;
  return count;
}

const ct_knob *ct_knobs_free_at(const ct_knobs *knobs, uint32_t index) {
  for (uint32_t i = 0; i < knobs->count; i++)
    if (knobs->items[i].role == CT_KNOB_FREE && index-- == 0)
      return &knobs->items[i];
  return NULL;
}

double ct_knob_stands_at(const ct_knob *k, const double *shares, uint32_t *free_at, uint32_t recording) {
  if (k->role == CT_KNOB_FREE)
    return ct_knob_value(k, shares[(*free_at)++]);
  return k->role == CT_KNOB_KNOWN ? k->known[recording] : k->start;
}

ct_result ct_knobs_set(const ct_knobs *knobs, const double *shares, uint32_t recording, ct_doc *doc,
                       ct_error *error) {
  for (uint32_t i = 0, free_at = 0; i < knobs->count; i++)
    CT_TRY(ct_doc_set_number(doc, knobs->items[i].path,
                             ct_knob_stands_at(&knobs->items[i], shares, &free_at, recording), error));
  return CT_OK;
}
