/* Objects on paper: a scene's words give the modes the library gives, size and material in the file are the
 * same as moved while sounding, points on a shape are places, and what cannot be is refused in one line. */
#include "base/special.h"
#include "support/lab.h"
#include "support/words.h"
#include <contatto/contatto.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 6 };

static void assert_ratio(double value, double wanted, double tolerance) {
  if (!(fabs(value / wanted - 1) <= tolerance))
    fail_msg("%.17g is not %.17g within %g", value, wanted, tolerance);
}

#define BODY(modes) "{'contatto': 1, 'bodies': {'b': {'modes': " modes "}}}"
#define WITH_POINT(modes, point)                                                                             \
  "{'contatto': 1, 'bodies': {'b': {'modes': " modes ", 'points': {'p': " point "}}}}"

/* ---- the same modes ---- */

static void compare_with_library(ct_scene *scene, const ct_shape_def *def, const ct_material *material) {
  ct_shape_mode modes[COUNT];
  ct_shape_found found;
  ct_error error = {0};
  size_t need = ct_shape_memory_count(def);
  double *memory = calloc(need + 1, sizeof *memory);
  assert_non_null(memory);
  if (ct_shape_modes(def, modes, COUNT, 0.999 * 24000, memory, need, &found, &error) != CT_OK)
    fail_msg("%s", error.text);
  assert_true(found.count > 0);
  for (uint32_t i = 0; i < found.count; i++) {
    assert_true(words_mode(scene, "b", i, "hz") == modes[i].hz);
    assert_true(words_mode(scene, "b", i, "mass_kg") == modes[i].mass_kg);
    assert_ratio(words_mode(scene, "b", i, "t60_s"), ct_material_t60_s(material, modes[i].hz), 1e-14);
  }
  free(memory);
}

/* A shape's name alone: an everyday thing, made and damped as such things are. */
static void a_name_is_an_everyday_thing(void **state) {
  (void)state;
  static const struct {
    ct_shape_kind kind;
    const char *material;
  } things[] = {{CT_SHAPE_STRING, "steel"}, {CT_SHAPE_BAR, "steel"},        {CT_SHAPE_PLATE, "glass"},
                {CT_SHAPE_DISC, "steel"},   {CT_SHAPE_MEMBRANE, "plastic"}, {CT_SHAPE_DRUM, "plastic"},
                {CT_SHAPE_RING, "steel"},   {CT_SHAPE_GLASS, "glass"},      {CT_SHAPE_BELL, "bronze"},
                {CT_SHAPE_BOWL, "bronze"},  {CT_SHAPE_TUBE, "brass"},       {CT_SHAPE_CHAIN, "steel"},
                {CT_SHAPE_MESH, "steel"},   {CT_SHAPE_WINEGLASS, "glass"},  {CT_SHAPE_TUMBLER, "glass"}};
  for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
    ct_shape_def def = ct_default_shape_def(things[i].kind);
    ct_scene *scene = words_scene(BODY("{'shape': '%s', 'count': 6}"), ct_shape_kind_name(things[i].kind));
    compare_with_library(scene, &def, ct_material_find(things[i].material));
    ct_scene_destroy(scene);
  }
}

static void words_give_what_the_library_gives(void **state) {
  (void)state;
  ct_scene *scene = words_scene(BODY("{'shape': 'plate', 'edge': 'clamped', 'size_m': [0.31, 0.21],"
                                     " 'thickness_m': 0.004, 'material': 'stone', 'count': 6}"));
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_PLATE);
  def.edge = CT_EDGE_CLAMPED;
  def.size_m[0] = 0.31, def.size_m[1] = 0.21, def.thickness_m = 0.004;
  ct_shape_set_material(&def, ct_material_find("stone"));
  compare_with_library(scene, &def, ct_material_find("stone"));
  ct_scene_destroy(scene);

  scene = words_scene(BODY("{'shape': 'glass', 'radius_m': 0.04, 'size_m': [0.1], 'thickness_m': 0.002,"
                           " 'fill': 0.5, 'material': 'water-filled-glass', 'count': 6}"));
  def = ct_default_shape_def(CT_SHAPE_GLASS);
  def.radius_m = 0.04, def.size_m[0] = 0.1, def.thickness_m = 0.002, def.fill = 0.5;
  ct_shape_set_material(&def, ct_material_find("water-filled-glass"));
  compare_with_library(scene, &def, ct_material_find("water-filled-glass"));
  ct_scene_destroy(scene);
}

/* A triangle of three masses, one of them tied to the ground, m and k alike everywhere. The other two moving
 * against each other have m w^2 = 3k; moving together they leave x^2 - 4x + 1 = 0 for x = m w^2 / k. */
static void network_of_links(void **state) {
  (void)state;
  ct_scene *scene = words_scene(
      BODY("{'shape': 'network', 'columns': 3, 'node_mass_kg': 0.01, 'count': 3,"
           " 'links_from': [0, 1, 0, 0], 'links_to': [1, 2, 2, -1], 'links_n_m': [1e5, 1e5, 1e5, 1e5]}"));
  const double squares[] = {2 - sqrt(3), 3, 2 + sqrt(3)};
  for (uint32_t i = 0; i < 3; i++)
    assert_ratio(words_mode(scene, "b", i, "hz"), sqrt(squares[i] * 1e5 / 0.01) / (2 * CT_PI), 1e-12);
  ct_scene_destroy(scene);
}

/* ---- size and material ---- */

/* Every number of the two bodies' modes. */
static double worst_difference(ct_scene *a, ct_scene *b) {
  static const char *const fields[] = {"hz", "mass_kg", "t60_s"};
  double worst = 0;
  for (uint32_t i = 0; i < COUNT; i++)
    for (int k = 0; k < 3; k++)
      worst = fmax(worst, fabs(words_mode(a, "b", i, fields[k]) / words_mode(b, "b", i, fields[k]) - 1));
  return worst;
}

static void move_to(ct_scene *scene, const char *path, double value) {
  lab_step(scene, 100);
  lab_set(scene, path, value, 0.01, 0);
  lab_step(scene, 1000);
  assert_true(lab_get(scene, path) == value);
}

static void size_in_the_file_is_size_moved(void **state) {
  (void)state;
  const char *things[] = {"string", "bar",  "plate", "disc", "membrane",  "drum",   "ring",
                          "glass",  "bell", "bowl",  "tube", "wineglass", "tumbler"};
  for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
    ct_scene *large = words_scene(BODY("{'shape': '%s', 'count': 6, 'size': 2}"), things[i]);
    ct_scene *grown = words_scene(BODY("{'shape': '%s', 'count': 6}"), things[i]);
    ct_scene *shrunk = words_scene(BODY("{'shape': '%s', 'count': 6, 'size': 3}"), things[i]);
    assert_true(worst_difference(large, grown) > 0.1);
    move_to(grown, "b.modes.size", 2);
    move_to(shrunk, "b.modes.size", 2);
    assert_true(worst_difference(large, grown) < 1e-12);
    assert_true(worst_difference(large, shrunk) < 1e-12);
    ct_scene_destroy(large);
    ct_scene_destroy(grown);
    ct_scene_destroy(shrunk);
  }
}

/* Poisson's ratio does not move with the material: what depends on it ends up apart, plate and disc by 3 %,
 * thick bars and tubes, which shear, by less than half a percent. */
static void material_in_the_file_is_material_moved(void **state) {
  (void)state;
  static const struct {
    const char *thing;
    double apart;
  } things[] = {{"bar', 'thin': true, 'edge': 'free", 1e-12},
                {"tube', 'thin': true, 'edge': 'free", 1e-12},
                {"bar", 1e-3},
                {"tube", 5e-3},
                {"ring", 1e-12},
                {"glass", 1e-12},
                {"bell", 1e-12},
                {"bowl", 1e-12},
                {"drum", 1e-12},
                {"wineglass", 0.025},
                {"tumbler", 0.025},
                {"plate", 0.025},
                {"disc", 0.05}};
  for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
    ct_scene *steel = words_scene(BODY("{'shape': '%s', 'count': 6, 'material_at': 7}"), things[i].thing);
    ct_scene *moved = words_scene(BODY("{'shape': '%s', 'count': 6, 'material': 'wood'}"), things[i].thing);
    move_to(moved, "b.modes.material_at", 7);
    double apart = worst_difference(steel, moved);
    if (apart > things[i].apart)
      fail_msg("%s: %g apart", things[i].thing, apart);
    ct_scene_destroy(steel);
    ct_scene_destroy(moved);
  }
}

/* A ramp starts where the body is: material_at knows what the words said. */
static void material_knows_its_place(void **state) {
  (void)state;
  for (int k = 0; k <= 70; k++) {
    ct_material m = ct_material_along(0.1 * k);
    assert_true(fabs(ct_material_place_along(&m) - 0.1 * k) < 1e-9);
  }
  for (uint32_t i = 0; i < CT_MATERIAL_WALK; i++) {
    ct_scene *scene =
        words_scene(BODY("{'shape': 'bar', 'material': '%s', 'count': 6}"), ct_material_along_name(i));
    assert_true(fabs(lab_get(scene, "b.modes.material_at") - i) < 1e-12);
    ct_scene_destroy(scene);
  }
  ct_scene *scene = words_scene(BODY("{'shape': 'bar', 'material_at': 2, 'count': 6}"));
  double hz = words_mode(scene, "b", 0, "hz"), t60 = words_mode(scene, "b", 0, "t60_s");
  lab_step(scene, 16);
  lab_set(scene, "b.modes.material_at", 3, 100, 0);
  lab_step(scene, 64);
  assert_ratio(words_mode(scene, "b", 0, "hz"), hz, 1e-4);
  assert_ratio(words_mode(scene, "b", 0, "t60_s"), t60, 1e-4);
  ct_scene_destroy(scene);
}

/* ---- hanging, tuning, places ---- */

/* One more mode in front, the whole mass on every point, that size and material leave alone; the others stay.
 */
static void hung_bodies_swing(void **state) {
  (void)state;
  ct_scene *held = words_scene(WITH_POINT("{'shape': 'tube', 'count': 6}", "{'place_u': 0.3}"));
  ct_scene *hung = words_scene(
      WITH_POINT("{'shape': 'tube', 'count': 6, 'hung_hz': 0.8, 'hung_t60_s': 6}", "{'place_u': 0.3}"));
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_TUBE);
  assert_true(words_mode(hung, "b", 0, "hz") == 0.8);
  assert_true(words_mode(hung, "b", 0, "t60_s") == 6);
  assert_true(words_mode(hung, "b", 0, "mass_kg") == ct_shape_mass_kg(&def));
  assert_true(lab_get(hung, "b.p.gains.0") == 1);
  for (uint32_t i = 0; i < COUNT; i++) {
    char path[32], moved[32];
    snprintf(path, sizeof path, "b.p.gains.%u", i);
    snprintf(moved, sizeof moved, "b.p.gains.%u", i + 1);
    assert_true(words_mode(hung, "b", i + 1, "hz") == words_mode(held, "b", i, "hz"));
    assert_true(words_mode(hung, "b", i + 1, "mass_kg") == words_mode(held, "b", i, "mass_kg"));
    assert_true(lab_get(hung, moved) == lab_get(held, path));
  }
  double ringing = words_mode(hung, "b", 1, "hz");
  move_to(hung, "b.modes.size", 2);
  assert_true(words_mode(hung, "b", 0, "hz") == 0.8);
  assert_ratio(words_mode(hung, "b", 1, "hz"), ringing / 2, 1e-12);
  ct_scene_destroy(held);
  ct_scene_destroy(hung);
}

static void lowest_hz_tunes(void **state) {
  (void)state;
  const char *things[] = {"bar", "bell", "glass", "drum", "plate", "chain"};
  for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
    ct_scene *free_one = words_scene(BODY("{'shape': '%s', 'count': 6}"), things[i]);
    ct_scene *tuned = words_scene(BODY("{'shape': '%s', 'count': 6, 'lowest_hz': 220}"), things[i]);
    double factor = 220 / words_mode(free_one, "b", 0, "hz");
    assert_ratio(words_mode(tuned, "b", 0, "hz"), 220, 1e-14);
    for (uint32_t k = 0; k < COUNT; k++) {
      assert_ratio(words_mode(tuned, "b", k, "hz"), factor * words_mode(free_one, "b", k, "hz"), 1e-13);
      assert_true(words_mode(tuned, "b", k, "mass_kg") == words_mode(free_one, "b", k, "mass_kg"));
    }
    ct_scene_destroy(free_one);
    ct_scene_destroy(tuned);
  }
}

/* In and out by sqrt2 cos m theta, along the rim by -(sqrt2 / m) sin m theta; the sine twin a quarter wave
 * on. A bar knows one direction. */
static void rims_move_along_themselves_too(void **state) {
  (void)state;
  const double turns = 0.11, angle = 2 * CT_PI * turns;
  ct_scene *scene = words_scene(WITH_POINT("{'shape': 'ring', 'count': 4}", "{'place_u': 0.11}"));
  const double normal[] = {cos(2 * angle), sin(2 * angle), cos(3 * angle), sin(3 * angle)};
  const double along[] = {-sin(2 * angle) / 2, cos(2 * angle) / 2, -sin(3 * angle) / 3, cos(3 * angle) / 3};
  for (int i = 0; i < 4; i++) {
    char path[32];
    snprintf(path, sizeof path, "b.p.normal.%d", i);
    assert_true(fabs(lab_get(scene, path) - sqrt(2) * normal[i]) < 1e-5);
    snprintf(path, sizeof path, "b.p.tangential.%d", i);
    assert_true(fabs(lab_get(scene, path) - sqrt(2) * along[i]) < 1e-5);
  }
  ct_scene_destroy(scene);
  scene = words_scene(WITH_POINT("{'shape': 'bar', 'count': 4}", "{'place_u': 0.11}"));
  for (int i = 0; i < 4; i++) {
    char path[32];
    snprintf(path, sizeof path, "b.p.normal.%d", i);
    double gain = lab_get(scene, path);
    snprintf(path, sizeof path, "b.p.tangential.%d", i);
    assert_true(lab_get(scene, path) == gain);
  }
  ct_scene_destroy(scene);
}

/* A push along the rim moves a mode as its tangential gain says: here not at all, though it moves most there.
 */
static void a_push_along_the_rim(void **state) {
  (void)state;
  ct_scene *scene = words_scene(WITH_POINT("{'shape': 'ring', 'count': 2}", "{'place_u': 0}"));
  lab_set(scene, "b.p.tangential_force_n", 10, 0, 0);
  lab_step(scene, 20);
  double cosine = fabs(lab_get(scene, "b.modes.0.v_m_s")), sine = fabs(lab_get(scene, "b.modes.1.v_m_s"));
  assert_true(sine > 1e-3);
  assert_true(cosine < 1e-6 * sine);
  ct_scene_destroy(scene);
}

/* The shape's place tables against the shape itself, at places between the samples. */
static void points_are_places(void **state) {
  (void)state;
  const ct_shape_kind kinds[] = {CT_SHAPE_BAR, CT_SHAPE_PLATE, CT_SHAPE_DISC, CT_SHAPE_GLASS, CT_SHAPE_DRUM};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    ct_shape_def def = ct_default_shape_def(kinds[i]);
    ct_shape_mode modes[COUNT];
    ct_shape_found found;
    assert_int_equal(ct_shape_modes(&def, modes, COUNT, 0.999 * 24000, NULL, 0, &found, NULL), CT_OK);
    for (int k = 0; k < 20; k++) {
      double u = 0.013 + 0.0487 * k, v = 0.97 - 0.043 * k;
      ct_scene *scene =
          words_scene(WITH_POINT("{'shape': '%s', 'count': 6}", "{'place_u': %.17g, 'place_v': %.17g}"),
                      ct_shape_kind_name(kinds[i]), u, v);
      for (uint32_t m = 0; m < found.count; m++) {
        char path[32];
        snprintf(path, sizeof path, "b.p.gains.%u", m);
        assert_true(fabs(lab_get(scene, path) - ct_shape_gain(&def, &modes[m], u, v)) < 3e-4);
      }
      ct_scene_destroy(scene);
    }
  }
}

/* ---- levels of a list ---- */

static void lev_is_inverse_mass(void **state) {
  (void)state;
  ct_scene *scene = words_scene(BODY("[{'hz': 400, 'lev': 8}, {'hz': 700, 'mass_kg': 0.5}, {'hz': 900}]"));
  assert_true(words_mode(scene, "b", 0, "mass_kg") == 0.125);
  assert_true(words_mode(scene, "b", 1, "mass_kg") == 0.5);
  assert_true(words_mode(scene, "b", 2, "mass_kg") == 0.05);
  ct_scene_destroy(scene);
}

static void an_object_of_a_document(void **state) {
  (void)state;
  ct_doc *doc =
      words_doc("{'contatto': 1, 'bodies': {'list': {'modes': [{'hz': 300}]}, 'shape': {'modes': "
                "{'shape': 'bell', 'count': 5, 'hung_hz': 1}}, 'hand': {'kind': 'hand', 'x_m': 0}}}");
  ct_error error = {0};
  ct_object *object = NULL;
  uint32_t count;
  assert_int_equal(ct_doc_body_object(doc, "shape", 48000, &object, &error), CT_OK);
  assert_non_null(object);
  const ct_shape_mode *modes = ct_object_modes(object, &count);
  assert_int_equal(count, 5);
  assert_int_equal(modes[0].m, 2);
  assert_int_equal(ct_object_modal_def(object).mode_count, 6);
  ct_object_destroy(object);
  assert_int_equal(ct_doc_body_object(doc, "list", 48000, &object, &error), CT_OK);
  assert_null(object);
  assert_int_equal(ct_doc_body_object(doc, "hand", 48000, &object, &error), CT_OK);
  assert_null(object);
  assert_int_equal(ct_doc_body_object(doc, "nobody", 48000, &object, &error), CT_BAD_PATH);
  assert_non_null(strstr(error.text, "nobody"));
  ct_doc_destroy(doc);
}

/* ---- what cannot be ---- */

typedef struct refusal {
  const char *scene;
  const char *says[3]; /* all of these */
} refusal;

static const refusal refusals[] = {
    {BODY("{'shape': 'plate', 'size_m': [0, 0.2]}"), {"size_m.0", "0 m", "0.0001 to 1000 m"}},
    {BODY("{'shape': 'plate', 'size_m': [0.3, -0.2]}"), {"size_m.1", "-0.2 m", "0.0001 to 1000 m"}},
    {BODY("{'shape': 'plate', 'thickness_m': 0}"), {"thickness_m", "0 m", "1e-06 to 10 m"}},
    {BODY("{'shape': 'plate', 'thickness_m': 0.5}"), {"body 'b'", "thickness_m = 0.5 m", "below 0.2 m"}},
    {BODY("{'shape': 'glass', 'radius_m': 1e-9}"), {"radius_m", "1e-09 m", "wants"}},
    {BODY("{'shape': 'tube', 'radius_m': 0.01, 'inner_radius_m': 0.02}"),
     {"inner_radius_m = 0.02 m", "0.01 m", "tube"}},
    {BODY("{'shape': 'bar', 'size_m': [0.3, 0.03, 0.006]}"), {"size_m", "3 sizes", "one or two"}},
    {BODY("{'shape': 'bar', 'edge': 'loose'}"), {"edge", "'loose'", "free|clamped|hinged|cantilever"}},
    {BODY("{'shape': 'plate', 'edge': 'cantilever'}"), {"plate", "cantilever", "not one it can have"}},
    {BODY("{'shape': 'spoon'}"), {"shape", "'spoon'", "string|bar|plate"}},
    {BODY("{'material': 'wood'}"), {"body 'b'", "wants a shape", "list of modes"}},
    {BODY("{'shape': 'bar', 'material': 'stele'}"), {"body 'b'", "no material \"stele\"", "\"steel\""}},
    {BODY("{'shape': 'bar', 'material': 'glas'}"), {"no material \"glas\"", "\"glass\"", "\"brass\""}},
    {BODY("{'shape': 'bar', 'material': ''}"), {"no material \"\"", "did you mean", ""}},
    {BODY("{'shape': 'bar', 'material_at': 8}"), {"material_at", "8", "0 to 7"}},
    {BODY("{'shape': 'bar', 'count': 0}"), {"count", "0", "1 to 4096"}},
    {BODY("{'shape': 'bar', 'count': 2.5}"), {"count", "2.5", "whole"}},
    {BODY("{'shape': 'bar', 'size': 0.001}"), {"size", "0.001", "0.05 to 20"}},
    {BODY("{'shape': 'bar', 'size_m': [0.002, 0.001], 'thickness_m': 0.0019}"),
     {"bar", "lowest mode", "nothing to hear"}},
    {BODY("{'shape': 'string', 'bending_n_m2': 0.1, 'inharmonicity': 0.001}"),
     {"string", "given twice", "bending_n_m2"}},
    {BODY("{'shape': 'chain', 'columns': 3, 'masses_kg': [1, 1]}"), {"masses_kg", "2 values", "wants 3"}},
    {BODY("{'shape': 'chain', 'columns': 3, 'springs_n_m': [1, 1, 1]}"),
     {"springs_n_m", "3 values", "wants 4"}},
    {BODY("{'shape': 'network', 'columns': 2, 'links_from': [0], 'links_to': [5], 'links_n_m': [1]}"),
     {"network", "link 0", "2 nodes"}},
    {BODY("{'shape': 'network', 'columns': 2, 'links_from': [0, 1], 'links_to': [1], 'links_n_m': [1]}"),
     {"links_from", "links_to", "one value per spring"}},
    {BODY("[{'hz': 300, 'lev': 2, 'mass_kg': 0.5}]"), {"b.modes.0", "lev and mass_kg", "give one"}},
    {BODY("[{'hz': 300, 'lev': 0}]"), {"lev", "0 1/kg", "1e-06 to 1e+12 1/kg"}},
    {WITH_POINT("{'shape': 'bar', 'count': 2}", "{'gains': [1, 1]}"), {"b.p", "is a shape", "place_u"}},
    {WITH_POINT("{'shape': 'bar', 'count': 2}", "{'tangential': [1, 1]}"), {"b.p", "is a shape", "place_u"}},
};

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  ct_error error;
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    const char *said = words_complaint(&error, NULL, 0, "%s", refusals[i].scene);
    for (int k = 0; k < 3; k++)
      if (!*said || !strstr(said, refusals[i].says[k]))
        fail_msg("%s: '%s' lacks '%s'", refusals[i].scene, said, refusals[i].says[k]);
    assert_null(strchr(said, '\n'));
  }
}

/* A list and a shape: no file can say both at once, but a document can. */
static void list_and_shape_is_refused(void **state) {
  (void)state;
  ct_doc *doc = words_doc(BODY("{'shape': 'bar', 'count': 3}"));
  ct_error error = {0};
  ct_scene *scene = NULL;
  ct_build_def def = ct_default_build_def();
  assert_int_equal(ct_doc_set_number(doc, "bodies.b.modes[0].hz", 300, &error), CT_OK);
  assert_int_equal(ct_doc_build(doc, &def, &scene, NULL, NULL, &error), CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "either a list or a shape"));
  ct_doc_destroy(doc);
}

/* Fewer modes than asked for is a warning that says how many, and only when they are lost to the sample rate.
 */
static void modes_beyond_hearing_are_told(void **state) {
  (void)state;
  ct_error error;
  char warned[CT_TEXT_MAX];
  assert_string_equal(words_complaint(&error, warned, sizeof warned, BODY("{'shape': 'bar', 'count': 40}")),
                      "");
  assert_non_null(strstr(warned, "body 'b'"));
  assert_non_null(strstr(warned, "40 modes were asked for; 12 lie below 23976 Hz"));
  assert_string_equal(words_complaint(&error, warned, sizeof warned, BODY("{'shape': 'bar', 'count': 12}")),
                      "");
  assert_string_equal(warned, "");
  assert_string_equal(words_complaint(&error, warned, sizeof warned, BODY("{'shape': 'chain', 'count': 40}")),
                      "");
  assert_string_equal(warned, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_name_is_an_everyday_thing),
      cmocka_unit_test(words_give_what_the_library_gives),
      cmocka_unit_test(network_of_links),
      cmocka_unit_test(size_in_the_file_is_size_moved),
      cmocka_unit_test(material_in_the_file_is_material_moved),
      cmocka_unit_test(material_knows_its_place),
      cmocka_unit_test(hung_bodies_swing),
      cmocka_unit_test(lowest_hz_tunes),
      cmocka_unit_test(rims_move_along_themselves_too),
      cmocka_unit_test(a_push_along_the_rim),
      cmocka_unit_test(points_are_places),
      cmocka_unit_test(lev_is_inverse_mass),
      cmocka_unit_test(an_object_of_a_document),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(list_and_shape_is_refused),
      cmocka_unit_test(modes_beyond_hearing_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
