/* Shapes that cannot be: refused with field, value, unit and range, nothing written. Too many modes: cut, and
 * told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <contatto/shape.h>

#include <math.h>
#include <string.h>

static ct_shape_mode modes[64];
static double memory[4096];

static void refuse(const ct_shape_def *def, ct_result code, const char *words) {
  ct_shape_found found;
  ct_error error = {CT_OK, ""};
  ct_result result = ct_shape_modes(def, modes, 64, 20000.0, memory, 4096, &found, &error);
  if (result != code || error.code != code || !strstr(error.text, words))
    fail_msg("got %d, \"%s\"; wanted %d, \"%s\"", (int)result, error.text, (int)code, words);
  assert_int_equal(found.count, 0);
  assert_int_equal(ct_shape_check(def, NULL), code);
}

static void test_defaults_are_possible(void **state) {
  (void)state;
  for (int kind = 1; kind < CT_SHAPE_KIND_COUNT; kind++) {
    ct_shape_def def = ct_default_shape_def((ct_shape_kind)kind);
    assert_int_equal(ct_shape_check(&def, NULL), CT_OK);
    assert_int_equal(ct_shape_kind_find(ct_shape_kind_name((ct_shape_kind)kind)), kind);
  }
  for (int edge = 0; edge < CT_EDGE_COUNT; edge++)
    assert_int_equal(ct_shape_edge_find(ct_shape_edge_name((ct_shape_edge)edge)), edge);
  assert_int_equal(ct_shape_kind_find("none"), CT_SHAPE_NONE);
  assert_int_equal(ct_shape_kind_find("blob"), CT_SHAPE_NONE);
  assert_int_equal(ct_shape_edge_find("loose"), CT_EDGE_COUNT);
}

static void test_stranger_definitions(void **state) {
  (void)state;
  ct_shape_def def;
  memset(&def, 0, sizeof def);
  def.kind = CT_SHAPE_BAR;
  refuse(&def, CT_BAD_ARGUMENT, "ct_default_shape_def");
  def = ct_default_shape_def(CT_SHAPE_NONE);
  refuse(&def, CT_BAD_VALUE, "kind");
  def = ct_default_shape_def((ct_shape_kind)99);
  refuse(&def, CT_BAD_VALUE, "kind");
  assert_int_equal(ct_shape_check(NULL, NULL), CT_BAD_ARGUMENT);
}

static void test_impossible_sizes(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_BAR);
  def.thickness_m = 0.0;
  refuse(&def, CT_BAD_VALUE, "bar: thickness_m = 0 m, must be 1e-06 to 10 m");
  def.thickness_m = 0.5;
  refuse(&def, CT_BAD_VALUE, "thickness_m = 0.5 m, must be below 0.3 m");
  def = ct_default_shape_def(CT_SHAPE_PLATE);
  def.size_m[1] = -0.2;
  refuse(&def, CT_BAD_VALUE, "plate: size_m[1] = -0.2 m");
  def.size_m[1] = nan("");
  refuse(&def, CT_BAD_VALUE, "size_m[1]");
  def.size_m[1] = HUGE_VAL;
  refuse(&def, CT_BAD_VALUE, "size_m[1]");
  def = ct_default_shape_def(CT_SHAPE_TUBE);
  def.inner_radius_m = 0.016;
  refuse(&def, CT_BAD_VALUE, "tube: inner_radius_m = 0.016 m, must be below radius_m = 0.016 m");
  def = ct_default_shape_def(CT_SHAPE_RING);
  def.thickness_m = 0.2;
  refuse(&def, CT_BAD_VALUE, "ring: thickness_m");
}

static void test_impossible_matter(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_DISC);
  def.poisson = 0.5;
  refuse(&def, CT_BAD_VALUE, "disc: poisson = 0.5");
  def = ct_default_shape_def(CT_SHAPE_GLASS);
  def.fill = 1.5;
  refuse(&def, CT_BAD_VALUE, "glass: fill = 1.5, must be 0 to 1");
  def = ct_default_shape_def(CT_SHAPE_BELL);
  def.density_kg_m3 = 0.0;
  refuse(&def, CT_BAD_VALUE, "bell: density_kg_m3 = 0 kg/m^3");
  def = ct_default_shape_def(CT_SHAPE_DRUM);
  def.tension_n_m = 0.0;
  refuse(&def, CT_BAD_VALUE, "drum: tension_n_m = 0 N/m");
  def = ct_default_shape_def(CT_SHAPE_STRING);
  def.bending_n_m2 = 3e-4, def.inharmonicity = 1e-4;
  refuse(&def, CT_BAD_VALUE, "given twice");
  def = ct_default_shape_def(CT_SHAPE_BAR);
  def.lowest_hz = -1.0;
  refuse(&def, CT_BAD_VALUE, "lowest_hz = -1 Hz");
}

static void test_unused_numbers_do_not_matter(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_BAR);
  def.thin = true; /* no shear: no Poisson's ratio */
  def.tension_n = def.fill = def.poisson = nan("");
  assert_int_equal(ct_shape_check(&def, NULL), CT_OK);
}

static void test_impossible_edges(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_PLATE);
  def.edge = CT_EDGE_CANTILEVER;
  refuse(&def, CT_BAD_VALUE, "plate: edge = cantilever");
  def = ct_default_shape_def(CT_SHAPE_BAR);
  def.edge = (ct_shape_edge)77;
  refuse(&def, CT_BAD_VALUE, "bar: edge");
  def = ct_default_shape_def(CT_SHAPE_CHAIN);
  def.edge = CT_EDGE_HINGED;
  refuse(&def, CT_BAD_VALUE, "chain: edge = hinged");
}

static void test_impossible_lattices(void **state) {
  (void)state;
  const double masses[3] = {0.1, 0.0, 0.1}, springs[4] = {1.0, 1.0, -1.0, 1.0};
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_CHAIN);
  def.columns = 0;
  refuse(&def, CT_BAD_VALUE, "chain: columns = 0, must be 1 to");
  def.columns = 3, def.masses_kg = masses;
  refuse(&def, CT_BAD_VALUE, "chain: masses_kg[1] = 0");
  def.masses_kg = NULL, def.springs_n_m = springs;
  refuse(&def, CT_BAD_VALUE, "chain: springs_n_m[2] = -1");
  ct_shape_link link = {0, 5, 100.0};
  def = ct_default_shape_def(CT_SHAPE_NETWORK);
  def.columns = 3, def.links = &link, def.link_count = 1;
  refuse(&def, CT_BAD_VALUE, "link 0 must join two of 3 nodes");
  link = (ct_shape_link){1, 1, 100.0};
  refuse(&def, CT_BAD_VALUE, "link 0");
  link = (ct_shape_link){0, 1, nan("")};
  refuse(&def, CT_BAD_VALUE, "spring_n_m of link 0");
  def.links = NULL;
  refuse(&def, CT_BAD_ARGUMENT, "links");
  def = ct_default_shape_def(CT_SHAPE_MESH);
  def.rows = 1000000;
  refuse(&def, CT_BAD_VALUE, "mesh: rows = 1000000");
}

static void test_room(void **state) {
  (void)state;
  ct_shape_found found;
  ct_error error;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_CHAIN);
  size_t need = ct_shape_memory_count(&def);
  assert_true(need > 0);
  assert_int_equal(ct_shape_modes(&def, modes, 8, 2e4, memory, need, &found, &error), CT_OK);
  assert_int_equal(ct_shape_modes(&def, modes, 8, 2e4, memory, need - 1, &found, &error), CT_NO_MEMORY);
  assert_int_equal(found.count, 0);
  assert_int_equal(ct_shape_modes(&def, modes, 8, 2e4, NULL, need, &found, &error), CT_NO_MEMORY);
  assert_int_equal(ct_shape_modes(&def, modes, 0, 2e4, memory, need, &found, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_shape_modes(&def, NULL, 8, 2e4, memory, need, &found, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_shape_modes(&def, modes, 8, 0.0, memory, need, &found, &error), CT_BAD_VALUE);
  assert_int_equal(ct_shape_modes(&def, modes, 8, nan(""), memory, need, &found, &error), CT_BAD_VALUE);
}

static void test_modes_above_the_limit_are_cut_and_told(void **state) {
  (void)state;
  ct_shape_found found;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_BAR); /* 347, 957, 1875, 3100 ... Hz */
  def.thin = true;
  assert_int_equal(ct_shape_modes(&def, modes, 40, 2000.0, NULL, 0, &found, NULL), CT_OK);
  assert_int_equal(found.count, 3);
  assert_int_equal(found.end, CT_SHAPE_END_MAX_HZ);
  assert_string_equal(found.note, "40 modes were asked for; 3 lie below 2000 Hz");
  assert_int_equal(ct_shape_modes(&def, modes, 3, 2000.0, NULL, 0, &found, NULL), CT_OK);
  assert_int_equal(found.end, CT_SHAPE_END_ASKED);
  assert_string_equal(found.note, "");
  assert_int_equal(ct_shape_modes(&def, modes, 3, 100.0, NULL, 0, &found, NULL), CT_OK);
  assert_int_equal(found.count, 0);
  assert_true(fabs(found.lowest_hz - 347.0) < 0.1);
  assert_non_null(strstr(found.note, "no mode lies below 100 Hz; the lowest is at 34"));
}

static void test_bodies_with_few_modes_tell(void **state) {
  (void)state;
  ct_shape_found found;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_CHAIN);
  assert_int_equal(ct_shape_modes(&def, modes, 40, 2e4, memory, 4096, &found, NULL), CT_OK);
  assert_int_equal(found.count, 8);
  assert_int_equal(found.end, CT_SHAPE_END_NO_MORE);
  assert_string_equal(found.note, "40 modes were asked for; the body has 8");
}

/* Every kind at the corners of its ranges: an answer or a refusal, never a hang, never a number that is none.
 */
static void test_extremes_end(void **state) {
  (void)state;
  const double scales[] = {1e-4, 1e-2, 1.0, 1e2, 1e3};
  for (int kind = 1; kind < CT_SHAPE_CHAIN; kind++)
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
      ct_shape_found found;
      ct_shape_def def = ct_default_shape_def((ct_shape_kind)kind);
      def.size_m[0] *= scales[i], def.size_m[1] *= scales[i], def.radius_m *= scales[i];
      ct_result result = ct_shape_modes(&def, modes, 64, 20000.0, NULL, 0, &found, NULL);
      assert_true(result == CT_OK || found.count == 0);
      for (uint32_t k = 0; k < found.count; k++)
        assert_true(isfinite(modes[k].hz) && modes[k].mass_kg > 0.0 &&
                    isfinite(ct_shape_gain(&def, &modes[k], 0.37, 0.61)));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults_are_possible),
      cmocka_unit_test(test_stranger_definitions),
      cmocka_unit_test(test_impossible_sizes),
      cmocka_unit_test(test_impossible_matter),
      cmocka_unit_test(test_unused_numbers_do_not_matter),
      cmocka_unit_test(test_impossible_edges),
      cmocka_unit_test(test_impossible_lattices),
      cmocka_unit_test(test_room),
      cmocka_unit_test(test_modes_above_the_limit_are_cut_and_told),
      cmocka_unit_test(test_bodies_with_few_modes_tell),
      cmocka_unit_test(test_extremes_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
