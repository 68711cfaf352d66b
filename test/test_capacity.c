/* Whatever is full says which capacity it is, how large, and how much is wanted; and nothing has changed.
 * Every capacity of ct_scene_def is tried, and every bound of a document but those of its text (test_json.c,
 * test_cli_refuse.sh). */
#include "support/lab.h"
#include <contatto/doc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ct_scene_def roomy(void) {
  ct_scene_def def = ct_default_scene_def();
  def.bodies = def.contacts = def.surfaces = def.drives = def.sources = def.pickups = 3;
  def.controls = 2;
  def.targets = 3;
  def.messages = 8;
  def.substeps = 256; /* what contacts ask for by their quality */
  return def;
}

static const char *name_of(const char *kind, int i) {
  static char name[CT_NAME_MAX];
  snprintf(name, sizeof name, "%s%d", kind, i);
  return name;
}

/* ---- one of each kind ---- */

typedef ct_result add(ct_scene *scene, int i, ct_error *error);

static ct_result add_body(ct_scene *scene, int i, ct_error *error) {
  ct_hand_def def = ct_default_hand_def();
  def.name = name_of("hand", i);
  return ct_added(ct_scene_add_hand(scene, &def, error), error);
}

static ct_result add_contact(ct_scene *scene, int i, ct_error *error) {
  ct_impact_def def = lab_law(name_of("touch", i), "mass.at", "bar.at", 1e4, 1.5, 0);
  return ct_added(ct_scene_add_impact(scene, &def, error), error);
}

static ct_result add_surface(ct_scene *scene, int i, ct_error *error) {
  ct_surface_def def = ct_default_surface_def();
  def.name = name_of("ground", i);
  return ct_added(ct_scene_add_surface(scene, &def, error), error);
}

static ct_result add_drive(ct_scene *scene, int i, ct_error *error) {
  ct_drive_def def = ct_default_drive_def();
  char contact[CT_NAME_MAX];
  snprintf(contact, sizeof contact, "touch%d", i); /* one drive per contact */
  def.name = name_of("ride", i);
  def.contact = contact;
  def.surface = "ground0";
  return ct_added(ct_scene_add_drive(scene, &def, error), error);
}

static ct_result add_source(ct_scene *scene, int i, ct_error *error) {
  ct_region_def region = ct_default_region_def();
  ct_source_def def = ct_default_source_def();
  region.name = "all";
  def.name = name_of("action", i);
  def.at = "bar.at";
  def.regions = &region;
  def.region_count = 1;
  return ct_added(ct_scene_add_source(scene, &def, error), error);
}

static ct_result add_pickup(ct_scene *scene, int i, ct_error *error) {
  ct_pickup_def def = ct_default_pickup_def();
  def.name = name_of("ear", i);
  def.at = "bar.at";
  return ct_added(ct_scene_add_pickup(scene, &def, error), error);
}

static ct_result add_control(ct_scene *scene, int i, ct_error *error) {
  const ct_target_def targets[] = {{.path = "bar.modes.0.hz", .from = 100, .to = 200}};
  ct_control_def def = ct_default_control_def();
  def.name = name_of("knob", i);
  def.targets = targets;
  def.target_count = 1;
  return ct_scene_add_control(scene, &def, error);
}

static const struct {
  const char *field, *first;
  add *one;
  int there, most; /* parts that are there already; the capacity */
} kinds[] = {
    {"bodies", "body 'hand1'", add_body, 2, 3},           {"contacts", "contact 'touch4'", add_contact, 0, 4},
    {"surfaces", "surface 'ground3'", add_surface, 0, 3}, {"drives", "drive 'ride3'", add_drive, 0, 3},
    {"sources", "source 'action3'", add_source, 0, 3},    {"pickups", "pickup 'ear3'", add_pickup, 0, 3},
    {"controls", "control 'knob2'", add_control, 0, 2},
};

static ct_scene *two_bodies(ct_scene_def def) {
  const ct_mode_def mode = {.hz = 440, .mass_kg = 0.1};
  ct_scene *scene = lab_scene_from(&def);
  lab_modal(scene, "bar", &mode, 1);
  lab_mass(scene, "mass", 0.1, 0, 0);
  return scene;
}

static void says(const ct_error *error, const char *what) {
  if (!strstr(error->text, what))
    fail_msg("'%s' does not say '%s'", error->text, what);
}

static void every_kind_of_part(void **state) {
  (void)state;
  ct_scene_def def = roomy();
  def.contacts = 4;
  def.messages = 100;
  ct_scene *scene = two_bodies(def);
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    ct_error error = {0};
    char wanted[64];
    int more = kinds[k].most - kinds[k].there;
    for (int i = 0; i < more; i++)
      lab_must(kinds[k].one(scene, i, &error), &error);
    lab_settle(scene);
    for (int again = 0; again < 2; again++) { /* nothing has changed: the same again */
      ct_error full = {0};
      assert_int_equal(kinds[k].one(scene, more, &full), CT_FULL);
      says(&full, kinds[k].first);
      snprintf(wanted, sizeof wanted, "has %d (ct_scene_def.%s), %d are wanted", kinds[k].most,
               kinds[k].field, kinds[k].most + 1);
      says(&full, wanted);
    }
    lab_step(scene, 8);
  }
  ct_scene_destroy(scene);
}

/* A part that fades out has its slot until it is gone. */
static void parts_that_leave(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = two_bodies(roomy());
  for (int i = 0; i < 3; i++)
    lab_must(add_pickup(scene, i, &error), &error);
  lab_step(scene, 8);
  lab_must(ct_scene_remove(scene, "ear1", &error), &error);
  assert_int_equal(add_pickup(scene, 3, &error), CT_FULL);
  says(&error, "4 are wanted; 1 still leaving");
  lab_step(scene, 48000);
  lab_must(add_pickup(scene, 3, &error), &error);
  ct_scene_destroy(scene);
}

static void targets(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = two_bodies(roomy());
  lab_must(add_control(scene, 0, &error), &error);
  const ct_target_def three[] = {{.path = "bar.modes.0.hz", .from = 100, .to = 200},
                                 {.path = "bar.modes.0.t60_s", .from = 1, .to = 2},
                                 {.path = "mass.modes.0.t60_s", .from = 1, .to = 2}};
  ct_control_def def = ct_default_control_def();
  def.name = "many";
  def.targets = three;
  def.target_count = 3;
  assert_int_equal(ct_scene_add_control(scene, &def, &error), CT_FULL);
  assert_string_equal(error.text, "control 'many': no room for its targets: the scene has 3 "
                                  "(ct_scene_def.targets), 4 are wanted");
  ct_scene_destroy(scene);
}

static void pool(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene_def def = roomy();
  const ct_mode_def modes[64] = {[0] = {.hz = 440, .mass_kg = 0.1}};
  ct_mode_def all[64];
  for (int i = 0; i < 64; i++)
    all[i] = modes[0];
  const ct_point_def point = {.name = "at"};
  ct_modal_def small = ct_default_modal_def(), large = ct_default_modal_def();
  small.modes = large.modes = all;
  small.points = large.points = &point;
  small.point_count = large.point_count = 1;
  small.name = "small";
  large.name = "large";
  small.mode_count = 1;
  large.mode_count = 64;
  size_t few = ct_modal_pool_bytes(&small, &def), many = ct_modal_pool_bytes(&large, &def);
  def.pool_bytes = few + many - 32;
  char wanted[160];
  ct_scene *scene = lab_scene_from(&def);
  lab_must(ct_added(ct_scene_add_modal(scene, &small, &error), &error), &error);
  assert_int_equal(ct_added(ct_scene_add_modal(scene, &large, &error), &error), CT_FULL);
  snprintf(
      wanted, sizeof wanted,
      "body 'large': no room in the pool: %zu bytes are wanted in one piece, %zu are free, at most %zu in "
      "one piece (ct_scene_def.pool_bytes: %zu)",
      many, many - 32, many - 32, def.pool_bytes);
  assert_string_equal(error.text, wanted);
  ct_scene_destroy(scene);
  def.pool_bytes += 32; /* as wanted */
  scene = lab_scene_from(&def);
  lab_must(ct_added(ct_scene_add_modal(scene, &small, &error), &error), &error);
  lab_must(ct_added(ct_scene_add_modal(scene, &large, &error), &error), &error);
  ct_scene_destroy(scene);
}

/* The other kinds that take bytes. */
static void pool_of_others(void **state) {
  (void)state;
  static const double heights[4096] = {1e-6, -1e-6};
  ct_error error = {0};
  ct_scene_def def = roomy();
  const ct_mode_def mode = {.hz = 440, .mass_kg = 0.1};
  const ct_point_def point = {.name = "at"};
  ct_modal_def body = ct_default_modal_def();
  body.modes = &mode;
  body.points = &point;
  body.mode_count = body.point_count = 1;
  def.pool_bytes = 2 * ct_modal_pool_bytes(&body, &def);
  ct_scene *scene = two_bodies(def);
  ct_surface_def scan = ct_default_surface_def();
  scan.name = "scan";
  scan.kind = CT_SURFACE_SCAN;
  scan.heights = heights;
  scan.height_count = 4096;
  scan.step_m = 1e-4;
  assert_int_equal(ct_added(ct_scene_add_surface(scene, &scan, &error), &error), CT_FULL);
  says(&error, "surface 'scan': no room in the pool: ");
  says(&error, ", 0 are free");
  assert_int_equal(add_source(scene, 0, &error), CT_FULL);
  says(&error, "source 'action0': no room in the pool: ");
  ct_friction_def rub = ct_default_friction_def();
  rub.name = "rub";
  rub.a = "bar.at";
  rub.b = "mass.at";
  assert_int_equal(ct_added(ct_scene_add_friction(scene, &rub, &error), &error), CT_FULL);
  says(&error, "contact 'rub': no room in the pool: ");
  lab_must(add_surface(scene, 0, &error), &error); /* takes none */
  lab_must(add_contact(scene, 0, &error), &error);
  assert_int_equal(add_drive(scene, 0, &error), CT_FULL);
  says(&error, "drive 'ride0': no room in the pool: ");
  ct_scene_destroy(scene);
}

static void substeps(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene_def def = roomy();
  def.substeps = 16;
  ct_scene *scene = two_bodies(def);
  ct_impact_def law = lab_law("hard", "mass.at", "bar.at", 1e4, 1.5, 0);
  law.substeps = 64;
  assert_int_equal(ct_added(ct_scene_add_impact(scene, &law, &error), &error), CT_FULL);
  assert_string_equal(
      error.text,
      "contact 'hard': no room: the scene has 16 substeps (ct_scene_def.substeps), 64 are wanted");
  ct_scene_destroy(scene);
}

static void messages(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = two_bodies(roomy());
  lab_settle(scene);
  ct_change changes[64];
  for (int i = 0; i < 64; i++)
    changes[i] = (ct_change){lab_handle(scene, "bar.modes.0.hz"), 500, 0};
  assert_int_equal(ct_scene_set_many(scene, changes, 64, 0, &error), CT_FULL); /* 8 and two per part */
  assert_string_equal(error.text, "set: the message queue is full: it has room for 44 of 64 "
                                  "(ct_scene_def.messages: 8); process some samples first");
  lab_must(ct_scene_set_many(scene, changes, 44, 0, &error), &error);
  assert_int_equal(add_body(scene, 0, &error), CT_FULL);
  says(&error, "body 'hand0': the message queue is full: it has room for 0 of 1 (ct_scene_def.messages: 8)");
  assert_int_equal(ct_scene_remove(scene, "bar", &error), CT_FULL);
  says(&error, "remove 'bar': the message queue is full: it has room for 0 of 18");
  assert_int_equal(ct_scene_set_path(scene, "bar.modes.0.hz", 300, &error), CT_FULL);
  says(&error, "room for 0 of 1");
  ct_scene_destroy(scene);
}

/* What no scene can have is refused before there is one. */
static void definitions(void **state) {
  (void)state;
#define TOO_MANY(field, most)                                                                                \
  { offsetof(ct_scene_def, field), most, "ct_scene_def." #field }
  static const struct {
    size_t at;
    uint32_t most;
    const char *says;
  } fields[] = {TOO_MANY(bodies, CT_PARTS_MOST),
                TOO_MANY(contacts, CT_PARTS_MOST),
                TOO_MANY(surfaces, CT_PARTS_MOST),
                TOO_MANY(drives, CT_PARTS_MOST),
                TOO_MANY(sources, CT_PARTS_MOST),
                TOO_MANY(pickups, CT_PARTS_MOST),
                TOO_MANY(controls, CT_PARTS_MOST),
                TOO_MANY(strikes, CT_PARTS_MOST),
                TOO_MANY(targets, CT_TARGETS_MOST),
                {offsetof(ct_scene_def, messages), CT_MESSAGES_MOST, "messages: "},
                {offsetof(ct_scene_def, channels), CT_OUTPUTS_MOST, "channels: "},
                {offsetof(ct_scene_def, substeps), CT_SUBSTEPS_MOST, "substeps: "}};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    ct_scene_def def = ct_default_scene_def();
    ct_error error = {0};
    size_t bytes;
    char number[32];
    uint32_t asked = fields[i].most + 1;
    memcpy((unsigned char *)&def + fields[i].at, &fields[i].most, sizeof asked);
    lab_must(ct_scene_size(&def, &bytes, &error), &error);
    memcpy((unsigned char *)&def + fields[i].at, &asked, sizeof asked);
    assert_int_equal(ct_scene_size(&def, &bytes, &error), CT_BAD_VALUE);
    says(&error, fields[i].says);
    snprintf(number, sizeof number, "%u", asked);
    says(&error, number);
    snprintf(number, sizeof number, "%u", fields[i].most);
    says(&error, number);
  }
}

static void parts_of_a_body(void **state) {
  (void)state;
  ct_error error = {0};
  ct_scene *scene = two_bodies(roomy());
  ct_mode_def *modes = calloc(CT_MODES_MOST + 1, sizeof *modes);
  ct_point_def *points = calloc(CT_POINTS_MOST + 1, sizeof *points);
  ct_modal_def body = ct_default_modal_def();
  body.name = "many";
  body.modes = modes;
  body.points = points;
  body.mode_count = CT_MODES_MOST + 1;
  body.point_count = 2;
  assert_int_equal(ct_added(ct_scene_add_modal(scene, &body, &error), &error), CT_BAD_SCENE);
  assert_string_equal(error.text, "body 'many': 65001 modes and 2 points are wanted; at most 65000 and 1000");
  ct_string_def string = ct_default_string_def();
  string.name = "line";
  string.points = points;
  string.point_count = CT_STRING_POINTS_MOST + 1;
  assert_int_equal(ct_added(ct_scene_add_string(scene, &string, &error), &error), CT_BAD_SCENE);
  assert_string_equal(error.text, "body 'line': 65 points on a string are wanted; at most 64");
  ct_surface_def scan = ct_default_surface_def();
  scan.name = "scan";
  scan.kind = CT_SURFACE_SCAN;
  scan.heights = &(double){0};
  scan.height_count = CT_HEIGHTS_MOST + 1;
  scan.step_m = 1e-4;
  assert_int_equal(ct_added(ct_scene_add_surface(scene, &scan, &error), &error), CT_BAD_SCENE);
  says(&error, "10000001 heights are too many; at most 10000000");
  free(modes);
  free(points);
  ct_scene_destroy(scene);
}

/* ---- documents ---- */

static void documents(void **state) {
  (void)state;
  static const struct {
    const char *pattern; /* with the number of one too many */
    uint32_t most;
    const char *what;
  } bounds[] = {
      {"bodies.b%u.x_m", CT_PARTS_MOST, "bodies"},
      {"contacts.c%u.gap_m", CT_PARTS_MOST, "contacts"},
      {"surfaces.s%u.depth_m", CT_PARTS_MOST, "surfaces"},
      {"drives.d%u.push_n", CT_PARTS_MOST, "drives"},
      {"sources.s%u.speed_m_s", CT_PARTS_MOST, "sources"},
      {"pickups.p%u.pan", CT_PARTS_MOST, "pickups"},
      {"controls.c%u.value", CT_PARTS_MOST, "controls"},
      {"presets.p%u.set.knob", CT_PARTS_MOST, "presets"},
      {"bodies.b.points.p%u.place_u", CT_POINTS_MOST, "points of a body"},
      {"controls.c.targets.%u.from", CT_TARGETS_MOST, "targets"},
      {"bodies.b.modes.%u.hz", CT_MODES_MOST, "modes of a body"},
      {"bodies.b.points.p.gains.%u", CT_MODES_MOST, "modes of a body"},
  };
  for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
    ct_doc *doc = ct_doc_create();
    assert_non_null(doc);
    ct_error error = {0};
    char path[96], wanted[160];
    bool numbered = strstr(bounds[i].pattern, ".%u") != NULL; /* no need for those before it */
    for (uint32_t k = numbered ? bounds[i].most - 1 : 0; k < bounds[i].most; k++) {
      snprintf(path, sizeof path, bounds[i].pattern, k);
      lab_must(ct_doc_set_number(doc, path, 1, &error), &error);
    }
    uint32_t leaves = ct_doc_leaf_count(doc);
    snprintf(path, sizeof path, bounds[i].pattern, bounds[i].most);
    assert_int_equal(ct_doc_set_number(doc, path, 1, &error), CT_BAD_SCENE);
    snprintf(wanted, sizeof wanted, "%s: too many: %u %s are wanted; at most %u", path, bounds[i].most + 1,
             bounds[i].what, bounds[i].most);
    assert_string_equal(error.text, wanted);
    assert_int_equal(ct_doc_leaf_count(doc), leaves);
    ct_doc_destroy(doc);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_part),
      cmocka_unit_test(parts_that_leave),
      cmocka_unit_test(targets),
      cmocka_unit_test(pool),
      cmocka_unit_test(pool_of_others),
      cmocka_unit_test(substeps),
      cmocka_unit_test(messages),
      cmocka_unit_test(definitions),
      cmocka_unit_test(parts_of_a_body),
      cmocka_unit_test(documents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
