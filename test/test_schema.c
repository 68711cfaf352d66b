/* Every row of the schema is fit to be shown, and means in a scene what it says on paper. */
#include "base/text.h"
#include "document/schema.h"
#include "support/lab.h"
#include <contatto/doc.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t complaints; /* of the running test */

static void complain(const ct_schema_row *row, const char *what) {
  print_error("%s: %s\n", row->path, what);
  complaints++;
}

/* ---- words ---- */

static void rows_are_documented(void **state) {
  (void)state;
  complaints = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    assert_non_null(row->path);
    if (!*row->path || !row->words || strlen(row->words) < 3)
      complain(row, "not described");
    if (!row->effect || strlen(row->effect) < 3)
      complain(row, "does not say what it does to the sound");
    if (!row->symbol || !row->unit || !ct_rate_word(row->rate) || !*ct_rate_word(row->rate))
      complain(row, "a text is missing");
    if ((row->type == CT_TYPE_CHOICE) != (row->choices != NULL))
      complain(row, "choices belong to choices");
    if (row->rate != CT_RATE_STATE && ct_row_slot(i) >= CT_FIELDS_MOST)
      complain(row, "a document has no room for it");
    for (uint32_t k = 0; k < i; k++)
      if (row->path && strcmp(ct_schema_row_at(k)->path, row->path) == 0)
        complain(row, "described twice");
  }
  assert_null(ct_schema_row_at(ct_schema_count()));
  assert_null(ct_schema_row_at(UINT32_MAX));
  printf("schema: %u rows\n", ct_schema_count());
  assert_true(ct_schema_count() > 60);
  assert_int_equal(complaints, 0);
}

static int choice_count(const char *choices) {
  int count = 1;
  for (; *choices; choices++)
    count += *choices == '|';
  return count;
}

/* A value that stands when none is given is one that could be given; else the words say what stands. */
static void standards_are_in_range(void **state) {
  (void)state;
  complaints = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    if (row->type == CT_TYPE_TEXT)
      continue;
    double least = row->min, most = row->max;
    if (row->type == CT_TYPE_CHOICE) {
      least = 0;
      most = choice_count(row->choices) - 1;
    }
    if (!(least <= most))
      complain(row, "an empty range");
    if (row->scale == CT_LOG && !(least >= 0 && most > 0))
      complain(row, "a log scale below zero");
    bool said = strstr(row->words, "not given") != NULL;
    if (!(row->standard >= least && row->standard <= most) && !said)
      complain(row, "its standard value is out of its range");
  }
  assert_int_equal(complaints, 0);
}

/* The last word of a path, without brackets. */
static void last_word(const char *path, char *word, size_t size) {
  const char *dot = strrchr(path, '.');
  ct_format(word, size, "%s", dot ? dot + 1 : path);
  word[strcspn(word, "[")] = 0;
}

static bool ends_in(const char *word, const char *suffix) {
  size_t length = strlen(word), span = strlen(suffix);
  return length >= span && strcmp(word + length - span, suffix) == 0;
}

static void names_carry_units(void **state) {
  (void)state;
  static const struct {
    const char *suffix, *unit;
  } units[] = {{"_m_s2", "m/s^2"}, {"_kg_m3", "kg/m^3"}, {"_n_m2", "N m^2"}, {"_n_s_m", "N s/m"},
               {"_kg_s", "kg/s"},  {"_kg_m", "kg/m"},    {"_n_s", "N s"},    {"_cents", "cents"},
               {"_n_m", "N/m"},    {"_m_s", "m/s"},      {"_s_m", "s/m"},    {"hz", "Hz"},
               {"_1_m", "1/m"},    {"_kg", "kg"},        {"_pa", "Pa"},      {"_n", "N"},
               {"_m", "m"},        {"_s", "s"},          {"_j", "J"}};
  uint32_t checked = 0;
  complaints = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    char word[64];
    last_word(row->path, word, sizeof word);
    for (size_t u = 0; u < sizeof units / sizeof units[0] && row->type == CT_TYPE_NUMBER; u++) {
      if (!ends_in(word, units[u].suffix))
        continue;
      checked++;
      if (strcmp(row->unit, units[u].unit) != 0)
        complain(row, "its name and its unit disagree");
      break;
    }
  }
  printf("units: %u names carry theirs\n", checked);
  assert_true(checked > 30);
  assert_int_equal(complaints, 0);
}

/* ---- meaning ---- */

static void set_text(ct_doc *doc, const char *path, const char *text) {
  ct_error error = {0};
  if (ct_doc_set_text(doc, path, text, &error) != CT_OK)
    fail_msg("%s", error.text);
}

static void set_number(ct_doc *doc, const char *path, double number) {
  ct_error error = {0};
  if (ct_doc_set_number(doc, path, number, &error) != CT_OK)
    fail_msg("%s", error.text);
}

/* One part of every kind. */
static ct_doc *everything(void) {
  ct_doc *doc = ct_doc_create();
  for (int i = 0; i < 4; i++) {
    char path[64];
    ct_format(path, sizeof path, "bodies.bar.modes[%d].hz", i);
    set_number(doc, path, 200 * (i + 1));
    ct_format(path, sizeof path, "bodies.bar.points.tip.gains[%d]", i);
    set_number(doc, path, 1);
    ct_format(path, sizeof path, "bodies.bar.points.tip.tangential[%d]", i);
    set_number(doc, path, -1);
  }
  set_text(doc, "bodies.plate.modes.shape", "plate");
  set_number(doc, "bodies.plate.points.spot.place_u", 0.3);
  set_text(doc, "bodies.wire.kind", "string");
  set_number(doc, "bodies.wire.points.tip.place_u", 0.1);
  set_text(doc, "bodies.hand.kind", "hand");
  set_text(doc, "contacts.touch.a", "hand.at");
  set_text(doc, "contacts.touch.b", "bar.tip");
  set_number(doc, "contacts.touch.gap_m", 0.01);
  set_text(doc, "contacts.rub.kind", "friction");
  set_text(doc, "contacts.rub.a", "hand.at");
  set_text(doc, "contacts.rub.b", "bar.tip");
  set_text(doc, "surfaces.floor.kind", "tiles");
  set_text(doc, "drives.wheel.contact", "touch");
  set_text(doc, "drives.wheel.surface", "floor");
  set_text(doc, "drives.wheel.motion", "imposed");
  set_text(doc, "sources.voice.at", "bar.tip");
  set_text(doc, "sources.voice.regions.calm.behaviour", "squeaky_glass");
  for (int i = 0; i < 2; i++) {
    char path[64];
    ct_format(path, sizeof path, "sources.voice.regions.calm.x[%d]", i);
    set_number(doc, path, i ? 1 : 0.01); /* the whole plane */
    ct_format(path, sizeof path, "sources.voice.regions.calm.y[%d]", i);
    set_number(doc, path, i);
    ct_format(path, sizeof path, "sources.voice.regions.calm.table_x[%d]", i);
    set_number(doc, path, i ? 1 : 0.01);
    ct_format(path, sizeof path, "sources.voice.regions.calm.table_hz[%d]", i);
    set_number(doc, path, i ? 900 : 300);
  }
  set_text(doc, "pickups.ear.at", "bar.tip");
  set_text(doc, "controls.knob.targets[0].path", "touch.stiffness");
  set_number(doc, "controls.knob.targets[0].from", 1e3);
  set_number(doc, "controls.knob.targets[0].to", 1e6);
  set_number(doc, "presets.soft.set.knob", 0.1);
  set_number(doc, "gesture.time_s[0]", 0);
  set_number(doc, "gesture.knob[0]", 1);
  return doc;
}

static ct_scene *build(ct_doc *doc) {
  ct_error error = {0};
  ct_scene *scene = NULL;
  ct_build_def def = ct_default_build_def();
  def.ledger = true;
  if (ct_doc_build(doc, &def, &scene, NULL, NULL, &error) != CT_OK)
    fail_msg("%s", error.text);
  return scene;
}

static const char *const names[] = {"bar",   "plate", "wire", "hand", "touch", "rub",
                                    "floor", "wheel", "ear",  "knob", "soft",  "voice"};
static const char *const points[] = {"tip", "spot", "at", "knob", "calm"};
enum { NAMES = sizeof names / sizeof names[0], POINTS = sizeof points / sizeof points[0] };

/* A row's pattern with names and numbers put in. */
static void fill_in(const char *pattern, const char *name, const char *point, char *path, size_t size) {
  size_t used = 0;
  const char *next = name;
  for (const char *p = pattern; *p; p++) {
    if (*p == '*') {
      used += ct_format(path + used, size - used, "%s", next);
      next = point;
    } else if (*p == '[')
      used += ct_format(path + used, size - used, "[0");
    else
      used += ct_format(path + used, size - used, "%c", *p);
  }
}

/* The first way of filling a row in that the scene knows; false when there is none. */
static bool find_path(ct_scene *scene, const ct_schema_row *row, char *path, size_t size, ct_handle *handle) {
  for (int n = 0; n < NAMES; n++)
    for (int p = 0; p < POINTS; p++) {
      fill_in(row->path, names[n], points[p], path, size);
      if (ct_scene_resolve(scene, path, handle, NULL) == CT_OK &&
          strcmp(ct_schema_row_at(handle->row)->path, row->path) == 0)
        return true;
    }
  return false;
}

/* "bodies.bar.points.tip.x_m" as "bar.tip.x_m", "controls.knob.value" as "knob". */
static void name_first(const char *path, char *text, size_t size) {
  static const char *const sections[] = {"bodies.", "contacts.", "sources.", "surfaces.",
                                         "drives.", "pickups.",  "controls."};
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
    if (strncmp(path, sections[i], strlen(sections[i])) == 0)
      path += strlen(sections[i]);
  ct_format(text, size, "%s", path);
  char *cut = strstr(text, ".points.");
  if (cut)
    memmove(cut, cut + 7, strlen(cut + 7) + 1);
  if ((cut = strstr(text, ".regions.")))
    memmove(cut, cut + 8, strlen(cut + 8) + 1);
  if ((cut = strstr(text, ".value")))
    *cut = 0;
}

static void live_rows_resolve(void **state) {
  (void)state;
  ct_doc *doc = everything();
  ct_scene *scene = build(doc);
  uint32_t live = 0, fixed = 0;
  complaints = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    char path[128], brief[128];
    ct_handle handle, again;
    bool found = find_path(scene, row, path, sizeof path, &handle);
    if (found != (row->rate != CT_RATE_FIXED))
      complain(row, found ? "fixed, but found in a sounding scene" : "not found in a sounding scene");
    fixed += !found;
    if (!found)
      continue;
    live++;
    if (!isfinite(ct_scene_get(scene, handle)))
      complain(row, "not a finite number");
    name_first(path, brief, sizeof brief);
    if (ct_scene_resolve(scene, brief, &again, NULL) != CT_OK || memcmp(&handle, &again, sizeof handle) != 0)
      complain(row, "name-first path means something else");
  }
  printf("resolved: %u live rows; %u fixed ones refused\n", live, fixed);
  assert_int_equal(complaints, 0);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

typedef struct visits {
  ct_scene *scene;
  uint32_t of_row[1024], count, most;
} visits;

static bool count_visit(void *context, const char *path, const char *full_path, ct_handle handle,
                        const ct_schema_row *row) {
  visits *v = context;
  ct_handle brief, full;
  v->count++;
  v->of_row[handle.row]++;
  if (ct_schema_row_at(handle.row) != row)
    complain(row, "visited with another row's handle");
  if (ct_scene_resolve(v->scene, path, &brief, NULL) != CT_OK || memcmp(&brief, &handle, sizeof handle) != 0)
    complain(row, "the short path it is visited by means something else");
  if (ct_scene_resolve(v->scene, full_path, &full, NULL) != CT_OK ||
      memcmp(&full, &handle, sizeof handle) != 0)
    complain(row, "the long path it is visited by means something else");
  return v->count < v->most;
}

/* A visitor sees every live row, each number once, by paths that lead back to it. */
static void live_rows_are_visited(void **state) {
  (void)state;
  ct_doc *doc = everything();
  ct_scene *scene = build(doc);
  visits v = {.scene = scene, .most = UINT32_MAX}, few = {.scene = scene, .most = 5};
  assert_true(ct_schema_count() <= sizeof v.of_row / sizeof v.of_row[0]);
  complaints = 0;
  ct_scene_visit(scene, count_visit, &v);
  for (uint32_t i = 0; i < ct_schema_count(); i++)
    if ((v.of_row[i] > 0) != (ct_schema_row_at(i)->rate != CT_RATE_FIXED))
      complain(ct_schema_row_at(i), v.of_row[i] ? "fixed, but visited" : "live, but not visited");
  ct_handle mode, tip;
  assert_int_equal(ct_scene_resolve(scene, "bar.modes.0.hz", &mode, NULL), CT_OK);
  assert_int_equal(ct_scene_resolve(scene, "bar.tip.x_m", &tip, NULL), CT_OK);
  ct_handle far;
  uint32_t modes = 4; /* of bar; plate has its own */
  for (char path[48]; ct_format(path, sizeof path, "plate.modes.%u.hz", modes - 4) &&
                      ct_scene_resolve(scene, path, &far, NULL) == CT_OK;)
    modes++;
  assert_int_equal(v.of_row[mode.row], modes);
  assert_int_equal(v.of_row[tip.row], 4); /* points: bar.tip, plate.spot, wire.tip, hand.at */
  assert_int_equal(complaints, 0);
  ct_scene_visit(scene, count_visit, &few);
  assert_int_equal(few.count, 5);
  printf("visited: %u numbers of a small scene\n", v.count);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}

/* Range of a row in this scene: a control has its own. */
static void range_of(const ct_schema_row *row, double *min, double *max) {
  bool control = strcmp(row->path, "controls.*.value") == 0;
  *min = control ? 0 : row->min;
  *max = control ? 1 : row->max;
}

static void refuse_live(ct_scene *scene, const ct_schema_row *row, ct_handle handle, double value) {
  ct_error error = {0};
  if (ct_scene_set(scene, handle, value, 0, 0, &error) != CT_BAD_VALUE || !*error.text)
    complain(row, "a value out of range was not refused");
}

/* What is set arrives: at once for triggers, within the smoothing time for the rest. */
static void live_rows_move(void **state) {
  (void)state;
  uint32_t moved = 0;
  complaints = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    if (row->rate == CT_RATE_FIXED)
      continue;
    ct_doc *doc = everything();
    ct_scene *scene = build(doc);
    char path[128];
    ct_handle handle;
    double min, max;
    range_of(row, &min, &max);
    assert_true(find_path(scene, row, path, sizeof path, &handle));
    lab_step(scene, 100);
    if (row->rate == CT_RATE_STATE) {
      ct_error error = {0};
      if (ct_scene_set(scene, handle, 0, 0, 0, &error) != CT_BAD_PATH)
        complain(row, "a state could be set");
    } else {
      refuse_live(scene, row, handle, max + fabs(max) * 1e-9 + 1e-9);
      refuse_live(scene, row, handle, min - fabs(min) * 1e-9 - 1e-9);
      refuse_live(scene, row, handle, NAN);
      refuse_live(scene, row, handle, INFINITY);
      double value = row->scale == CT_LOG ? sqrt(fmax(min, 1e-3) * max) : min + 0.625 * (max - min);
      lab_set(scene, path, value, -1, 0);
      lab_step(scene, row->rate == CT_RATE_TRIGGER ? 0 : 2000);
      if (!(fabs(lab_get(scene, path) - value) <= 1e-12 * fabs(value)))
        complain(row, "did not arrive where it was sent");
      moved++;
    }
    ct_scene_destroy(scene);
    ct_doc_destroy(doc);
  }
  printf("moved: %u live rows\n", moved);
  assert_true(moved > 20);
  assert_int_equal(complaints, 0);
}

/* ---- on paper ---- */

/* A cell of a gesture may be NaN: nothing happens in that row. */
static bool may_be_silent(const ct_schema_row *row, double value) {
  return isnan(value) && strstr(row->path, "gesture.*[]");
}

static void refuse_paper(ct_doc *doc, const ct_schema_row *row, const char *path, double value) {
  ct_error error = {0};
  if (may_be_silent(row, value))
    return;
  uint32_t before = ct_doc_leaf_count(doc);
  if (ct_doc_set_number(doc, path, value, &error) != CT_BAD_VALUE || !strstr(error.text, path))
    complain(row, "a bad number was not refused by name");
  if (ct_doc_leaf_count(doc) != before)
    complain(row, "a refusal left a leaf");
}

static void accept_paper(ct_doc *doc, const ct_schema_row *row, const char *path, double value) {
  ct_error error = {0};
  if (ct_doc_set_number(doc, path, value, &error) != CT_OK) {
    complain(row, error.text);
    return;
  }
  ct_leaf leaf = ct_doc_leaf(doc, ct_doc_leaf_count(doc) - 1);
  if (leaf.row != row || leaf.number != value || leaf.text)
    complain(row, "does not read back as it was set");
}

static void check_number_row(ct_doc *doc, const ct_schema_row *row, const char *path) {
  ct_error error = {0};
  refuse_paper(doc, row, path, NAN);
  refuse_paper(doc, row, path, INFINITY);
  refuse_paper(doc, row, path, row->max + fabs(row->max) * 1e-9 + 1e-9);
  refuse_paper(doc, row, path, row->min - fabs(row->min) * 1e-9 - 1e-9);
  if (row->type == CT_TYPE_COUNT && row->max > row->min)
    refuse_paper(doc, row, path, row->min + 0.5);
  accept_paper(doc, row, path, row->min);
  accept_paper(doc, row, path, row->max);
  ct_result wanted = row->type == CT_TYPE_ANY ? CT_OK : CT_BAD_VALUE;
  if (ct_doc_set_text(doc, path, "many", &error) != wanted || (wanted && !strstr(error.text, path)))
    complain(row, "text for a number was not refused");
}

static void check_choice_row(ct_doc *doc, const ct_schema_row *row, const char *path) {
  ct_error error = {0};
  for (int i = 0; i < choice_count(row->choices); i++) {
    char word[48];
    ct_choice_word(row->choices, i, word, sizeof word);
    if (ct_doc_set_text(doc, path, word, &error) != CT_OK)
      complain(row, error.text);
    ct_leaf leaf = ct_doc_leaf(doc, ct_doc_leaf_count(doc) - 1);
    if (leaf.row != row || leaf.number != i || !leaf.text || strcmp(leaf.text, word) != 0)
      complain(row, "does not read back as it was set");
  }
  if (ct_doc_set_text(doc, path, "neither", &error) != CT_BAD_VALUE || !strstr(error.text, row->choices))
    complain(row, "a word that is no choice was not refused with the choices");
  if (ct_doc_set_number(doc, path, 0, &error) != CT_BAD_VALUE)
    complain(row, "a number for a choice was not refused");
}

static void rows_on_paper(void **state) {
  (void)state;
  complaints = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    ct_doc *doc = ct_doc_create();
    ct_error error = {0};
    char path[128];
    fill_in(row->path, "thing", "part", path, sizeof path);
    if (row->rate == CT_RATE_STATE) {
      if (ct_doc_set_number(doc, path, 0, &error) != CT_BAD_PATH || !strstr(error.text, "read only"))
        complain(row, "a state could be set on paper");
    } else if (row->type == CT_TYPE_TEXT) {
      if (ct_doc_set_text(doc, path, "words", &error) != CT_OK)
        complain(row, error.text);
      if (ct_doc_set_number(doc, path, 1, &error) != CT_BAD_VALUE)
        complain(row, "a number for text was not refused");
    } else if (row->type == CT_TYPE_CHOICE)
      check_choice_row(doc, row, path);
    else
      check_number_row(doc, row, path);
    ct_doc_destroy(doc);
  }
  assert_int_equal(complaints, 0);
}

/* Default definitions are what the scene would build from an empty page. */
static void defaults_follow_the_schema(void **state) {
  (void)state;
  ct_impact_def impact = ct_default_impact_def();
  ct_surface_def surface = ct_default_surface_def();
  ct_drive_def drive = ct_default_drive_def();
  const struct {
    const char *path;
    double value;
  } pairs[] = {{"contacts.*.stiffness", impact.stiffness},
               {"contacts.*.exponent", impact.exponent},
               {"contacts.*.damping_s_m", impact.damping_s_m},
               {"contacts.*.gap_m", impact.gap_m},
               {"contacts.*.quality", impact.quality},
               {"contacts.*.substeps", impact.substeps},
               {"contacts.*.contact_time_s", impact.contact_time_s},
               {"contacts.*.contact_speed_m_s", impact.contact_speed_m_s},
               {"surfaces.*.depth_m", surface.depth_m},
               {"surfaces.*.length_m", surface.length_m},
               {"surfaces.*.width_octaves", surface.width_octaves},
               {"surfaces.*.beta", surface.beta},
               {"surfaces.*.density", surface.density},
               {"surfaces.*.gap_m", surface.gap_m},
               {"surfaces.*.irregularity", surface.irregularity},
               {"surfaces.*.grid_m", surface.grid_m},
               {"surfaces.*.seed", surface.seed},
               {"surfaces.*.step_m", surface.step_m},
               {"drives.*.radius_m", drive.radius_m},
               {"drives.*.inertia", drive.inertia},
               {"drives.*.mass_kg", drive.mass_kg},
               {"drives.*.speed_m_s", drive.speed_m_s},
               {"drives.*.acceleration_m_s2", drive.acceleration_m_s2},
               {"drives.*.push_n", drive.push_n},
               {"drives.*.slope", drive.slope},
               {"drives.*.resistance", drive.resistance},
               {"drives.*.asymmetry_m", drive.asymmetry_m},
               {"drives.*.out_of_round_m", drive.out_of_round_m},
               {"drives.*.facets", drive.facets},
               {"drives.*.exaggerate", drive.exaggerate},
               {"drives.*.low_m", drive.low_m},
               {"drives.*.high_m", drive.high_m},
               {"drives.*.rebound", drive.rebound},
               {"drives.*.knock_s", drive.knock_s},
               {"drives.*.travel_m", drive.travel_m},
               {"pickups.*.full_scale", ct_default_pickup_def().full_scale},
               {"pickups.*.listen", ct_default_pickup_def().listen},
               {"pickups.*.pan", ct_default_pickup_def().pan},
               {"controls.*.min", ct_default_control_def().min},
               {"controls.*.max", ct_default_control_def().max},
               {"controls.*.value", ct_default_control_def().value},
               {"smoothing_s", ct_default_scene_def().smoothing_s},
               {"gravity_m_s2", ct_default_scene_def().gravity_m_s2},
               {"channels", ct_default_scene_def().channels}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    bool found = false;
    for (uint32_t k = 0; k < ct_schema_count(); k++)
      if (strcmp(ct_schema_row_at(k)->path, pairs[i].path) == 0) {
        found = true;
        if (ct_schema_row_at(k)->standard != pairs[i].value)
          fail_msg("%s: %g on paper, %g in its definition", pairs[i].path, ct_schema_row_at(k)->standard,
                   pairs[i].value);
      }
    assert_true(found);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_documented),   cmocka_unit_test(standards_are_in_range),
      cmocka_unit_test(names_carry_units),     cmocka_unit_test(live_rows_resolve),
      cmocka_unit_test(live_rows_are_visited), cmocka_unit_test(live_rows_move),
      cmocka_unit_test(rows_on_paper),         cmocka_unit_test(defaults_follow_the_schema)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
