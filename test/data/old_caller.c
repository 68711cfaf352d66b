/* Uses every struct that may grow, but none of the last two fields of any: half a second of everything, as
 * doubles on standard output. test_old_callers.sh compiles it with headers that lack these fields. */
#include <contatto/contatto.h>
#include <stdio.h>

static ct_error error;

static void want(ct_result result) {
  if (result != CT_OK) {
    fprintf(stderr, "%s\n", error.text);
    _Exit(1);
  }
}

static void add_bodies(ct_scene *scene) {
  static const ct_mode_def modes[2] = {{.hz = 440, .t60_s = 1, .mass_kg = 0.02},
                                       {.hz = 1210, .t60_s = 0.5, .mass_kg = 0.01}};
  static const ct_mode_def free_mass[1] = {{.t60_s = 0, .mass_kg = 0.1}};
  static const ct_point_def points[2] = {{.name = "hit"}, {.name = "rub"}};
  ct_modal_def plate = ct_default_modal_def();
  plate.name = "plate";
  plate.modes = modes;
  plate.mode_count = 2;
  plate.points = points;
  plate.point_count = 2;
  want(ct_added(ct_scene_add_modal(scene, &plate, &error), &error));
  ct_modal_def ball = ct_default_modal_def();
  ball.name = "ball";
  ball.modes = free_mass;
  ball.mode_count = 1;
  ball.points = points;
  ball.point_count = 1;
#ifdef ASKS_FOR_MORE
  ball.new_field = 1;
#endif
  want(ct_added(ct_scene_add_modal(scene, &ball, &error), &error));
  ct_hand_def hand = ct_default_hand_def();
  hand.name = "hand";
  want(ct_added(ct_scene_add_hand(scene, &hand, &error), &error));
  ct_string_def string = ct_default_string_def();
  string.name = "string";
  string.hz = 220;
  string.points = points;
  string.point_count = 2;
  want(ct_added(ct_scene_add_string(scene, &string, &error), &error));
  ct_shape_def shape = ct_default_shape_def(CT_SHAPE_BAR);
  ct_object *object;
  want(ct_object_create(&shape, ct_material_find("wood"), 6, 8000, &object, NULL, &error));
  ct_modal_def bar = ct_object_modal_def(object);
  bar.name = "bar";
  bar.points = points;
  bar.point_count = 1;
  want(ct_added(ct_scene_add_modal(scene, &bar, &error), &error));
  ct_object_destroy(object);
}

static void add_contacts(ct_scene *scene) {
  ct_impact_def impact = ct_default_impact_def();
  impact.name = "knock";
  impact.a = "ball.hit";
  impact.b = "plate.hit";
  impact.from_above = true;
  want(ct_added(ct_scene_add_impact(scene, &impact, &error), &error));
  ct_friction_def friction = ct_default_friction_def();
  friction.name = "squeak";
  friction.a = "hand.at";
  friction.b = "plate.rub";
  friction.normal_n = 1;
  want(ct_added(ct_scene_add_friction(scene, &friction, &error), &error));
  ct_surface_def surface = ct_default_surface_def();
  surface.name = "ground";
  want(ct_added(ct_scene_add_surface(scene, &surface, &error), &error));
  ct_drive_def drive = ct_default_drive_def();
  drive.name = "roll";
  drive.contact = "knock";
  drive.surface = "ground";
  drive.v_m_s = 1;
  want(ct_added(ct_scene_add_drive(scene, &drive, &error), &error));
  ct_region_def region = ct_default_region_def();
  region.name = "all";
  region.hz = 300;
  ct_source_def source = ct_default_source_def();
  source.name = "pen";
  source.at = "bar.hit";
  source.regions = &region;
  source.region_count = 1;
  source.speed_m_s = 0.2;
  source.pressure = 0.5;
  want(ct_added(ct_scene_add_source(scene, &source, &error), &error));
}

static void add_ears(ct_scene *scene) {
  static const char *const at[3] = {"plate.hit", "string.rub", "bar.hit"}, *const names[3] = {"p", "s", "b"};
  for (int i = 0; i < 3; i++) {
    ct_pickup_def pickup = ct_default_pickup_def();
    pickup.name = names[i];
    pickup.at = at[i];
    want(ct_added(ct_scene_add_pickup(scene, &pickup, &error), &error));
  }
  static const ct_target_def target = {.path = "hand.tangential_v_m_s", .from = 0, .to = 0.3};
  ct_control_def control = ct_default_control_def();
  control.name = "speed";
  control.min = 0;
  control.max = 1;
  control.value = 1;
  control.targets = &target;
  control.target_count = 1;
  want(ct_scene_add_control(scene, &control, &error));
}

static double read_back(const ct_scene *scene) {
  ct_ledger ledger = ct_scene_ledger(scene);
  ct_counters counters = ct_scene_counters(scene);
  ct_fault fault = ct_scene_fault(scene);
  ct_bound bound = ct_scene_bound(scene);
  return ledger.stored_j + (double)counters.steps + fault.found + bound.evaluations_per_solve;
}

/* Room that parts take, asked for with definitions of this size: points one of which moves sideways on its
 * own. */
static double ask_for_room(void) {
  static const ct_mode_def mode = {.hz = 440, .t60_s = 1, .mass_kg = 0.02};
  static const double gain[1] = {1};
  const ct_point_def points[3] = {{.name = "a"}, {.name = "b", .gains = {gain, gain}}, {.name = "c"}};
  ct_scene_def scene = ct_default_scene_def();
  ct_modal_def modal = ct_default_modal_def();
  modal.modes = &mode;
  modal.points = points;
  modal.mode_count = 1;
  modal.point_count = 3;
  ct_string_def string = ct_default_string_def();
  string.name = "string";
  string.points = points;
  string.point_count = 3;
  ct_region_def regions[2] = {ct_default_region_def(), ct_default_region_def()};
  ct_source_def source = ct_default_source_def();
  source.regions = regions;
  source.region_count = 2;
  ct_surface_def surface = ct_default_surface_def();
  ct_drive_def drive = ct_default_drive_def();
  return (double)(ct_modal_pool_bytes(&modal, &scene) + ct_string_pool_bytes(&string, 48000) +
                  ct_source_pool_bytes(&source) + ct_surface_pool_bytes(&surface) +
                  ct_drive_pool_bytes(&drive, 1e-4));
}

/* Two regions into an array of this size of rows. */
static double read_source(void) {
  static const char *const corners[] = {"r.x[0]", "r.x[1]", "r.y[0]", "r.y[1]",
                                        "q.x[0]", "q.x[1]", "q.y[0]", "q.y[1]"};
  ct_doc *doc = ct_doc_create();
  char path[64];
  want(ct_doc_set_text(doc, "sources.s.at", "x.p", &error));
  want(ct_doc_set_number(doc, "sources.s.regions.r.hz", 300, &error));
  want(ct_doc_set_number(doc, "sources.s.regions.q.hz", 200, &error));
  for (int i = 0; i < 8; i++) {
    snprintf(path, sizeof path, "sources.s.regions.%s", corners[i]);
    want(ct_doc_set_number(doc, path, i % 2, &error));
  }
  ct_source_def source;
  ct_region_def regions[CT_REGIONS_MOST];
  want(ct_doc_source(doc, "s", &source, regions, &error));
  double sum = regions[0].hz + 2 * regions[1].hz + source.region_count;
  ct_doc_destroy(doc);
  return sum;
}

static double read_document(void) {
  ct_doc *doc = ct_doc_create();
  want(ct_doc_set_number(doc, "bodies.x.modes[0].hz", 100, &error));
  want(ct_doc_set_number(doc, "bodies.x.modes[0].t60_s", 1, &error));
  want(ct_doc_set_number(doc, "bodies.x.points.p.gains[0]", 1, &error));
  want(ct_doc_set_text(doc, "controls.c.unit", "N", &error));
  ct_leaf leaf = ct_doc_leaf(doc, 0);
  ct_control_info info = ct_doc_control(doc, 0);
  ct_build_def def = ct_default_build_def();
  ct_scene *scene;
  want(ct_doc_build(doc, &def, &scene, NULL, NULL, &error));
  double sum = leaf.path[0] + info.unit[0] + ct_scene_rate_hz(scene);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
  return sum;
}

int main(void) {
  ct_scene_def def = ct_default_scene_def();
  def.ledger = true;
  ct_scene *scene;
  want(ct_scene_create(&def, &scene, &error));
  add_bodies(scene);
  add_contacts(scene);
  add_ears(scene);
  ct_limiter_def gentle = ct_default_limiter_def();
  gentle.channels = 1;
  ct_limiter *limiter;
  want(ct_limiter_create(&gentle, &limiter, &error));
  for (int block = 0; block < 375; block++) {
    float sound[64];
    double raw[64];
    float *out[1] = {sound};
    double *exact[1] = {raw};
    ct_io io = {.frames = 64, .outputs = out, .raw = exact};
    ct_scene_process(scene, &io);
    ct_limiter_process(limiter, out, 64);
    for (int i = 0; i < 64; i++)
      raw[i] += (double)sound[i];
    fwrite(raw, sizeof *raw, 64, stdout);
  }
  double numbers[4] = {read_back(scene), read_document(), ask_for_room(), read_source()};
  fwrite(numbers, sizeof *numbers, 4, stdout);
  ct_limiter_destroy(limiter);
  ct_scene_destroy(scene);
  return 0;
}
