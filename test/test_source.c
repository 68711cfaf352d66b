/* ctest: slow
 * Sources in a scene: they feed bodies, their work is booked, they lock to modes that move, cross boundaries
 * without a click, come and go; and what is refused. */
#include "support/lab.h"
#include "support/words.h"
#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000;

/* A plate of three modes and a source on it with these fields and regions. */
#define PLATE                                                                                                \
  "'contatto': 1, 'bodies': {'plate': {'modes': ["                                                           \
  "{'hz': 440, 't60_s': 0.5}, {'hz': 1013, 't60_s': 0.3}, {'hz': 1870, 't60_s': 0.2}],"                      \
  "'points': {'spot': {'gains': [1, 0.7, -0.5]}, 'edge': {'gains': [0.5, -1, 1]}}}},"                        \
  "'pickups': {'ear': {'at': 'plate.edge', 'listen': 'velocity'}}"
#define TWO_REGIONS                                                                                          \
  "'regions': {'squeak': {'behaviour': 'squeaky_plate', 'hz': 700, 'x': [0.01, 0.1], 'y': [0, 1]},"          \
  "'sing': {'behaviour': 'bowed_string', 'mode': 1, 'x': [0.1, 1], 'y': [0, 1]}}"

static double *heard(ct_scene *scene, uint32_t count, uint32_t block) {
  double *sound = malloc(count * sizeof *sound);
  for (uint32_t n = 0; n < count; n += block) {
    double *raw = sound + n;
    ct_scene_process(scene, &(ct_io){.frames = count - n < block ? count - n : block, .raw = &raw});
  }
  return sound;
}

/* ---- energy ---- */

static void work_is_booked(void **state) {
  (void)state;
  static const char *const behaviours[] = {"creaky_door",  "squeaky_glass", "singing_glass",
                                           "bowed_string", "scratching",    "rubbing"};
  for (int b = 0; b < 6; b++) {
    ct_scene *scene = words_scene("{" PLATE ", 'sources': {'rub': {'at': 'plate.spot', 'speed_m_s': 0.2,"
                                  "'pressure': 0.7, 'regions': {'all': {'behaviour': '%s'}}}}}",
                                  behaviours[b]);
    lab_step(scene, 24000);
    ct_ledger l = ct_scene_ledger(scene);
    assert_true(l.force_j > 1e-9 && l.lost_bodies_j > 0 && l.stored_j > 0);
    assert_true(l.noise_j == 0 && l.motion_j == 0);
    assert_true(words_ledger_closes(&l));
    ct_scene_destroy(scene);
  }
}

/* Beside a contact on the same body: what the source will do is in what the contact sees. */
static void work_is_booked_beside_a_contact(void **state) {
  (void)state;
  ct_scene *scene = words_scene(
      "{'contatto': 1, 'gravity_m_s2': 9.81,"
      "'contacts': {'touch': {'a': 'ball.at', 'b': 'plate.spot', 'from': 'above'}},"
      "'bodies': {'plate': {'modes': [{'hz': 440, 't60_s': 0.5}], 'points': {'spot': {'gains': [1]}}},"
      "'ball': {'modes': [{'hz': 0, 't60_s': 0, 'mass_kg': 0.01, 'x_m': 0.001}],"
      "'points': {'at': {'gains': [1]}}}},"
      "'sources': {'rub': {'at': 'plate.spot', 'speed_m_s': 0.2, 'pressure': 1, 'force_n': 20,"
      "'regions': {'all': {'behaviour': 'bowed_string'}}}}}");
  lab_step(scene, 48000);
  ct_ledger l = ct_scene_ledger(scene);
  assert_true(lab_get(scene, "touch.force_n") >= 0 && l.lost_contacts_j > 0);
  assert_true(words_ledger_closes(&l));
  ct_scene_destroy(scene);
}

/* ---- pitch ---- */

static void locked_to_a_mode_that_moves(void **state) {
  (void)state;
  enum { COUNT = 24000 };
  ct_scene *scene =
      words_scene("{" PLATE ", 'sources': {'bow': {'at': 'plate.spot', 'speed_m_s': 0.2,"
                  "'pressure': 0.5, 'regions': {'all': {'behaviour': 'bowed_string', 'mode': 1}}}}}");
  const double modes_hz[] = {1013, 955, 1200};
  for (int i = 0; i < 3; i++) {
    lab_set(scene, "plate.modes.1.hz", modes_hz[i], 0.1, 0);
    lab_step(scene, 9600);
    double *y = heard(scene, COUNT, 480);
    ct_measured_pitch p = ct_measure_pitch(y, COUNT, rate_hz, 500, 2000);
    assert_true(fabs(ct_measure_cents(p.hz, modes_hz[i])) < 1);
    assert_true(fabs(ct_measure_cents(lab_get(scene, "bow.f0_hz"), modes_hz[i])) < 0.01);
    free(y);
  }
  ct_scene_destroy(scene);
}

/* The same on a waveguide: its second partial, stopped and stiff. */
static void locked_to_a_string(void **state) {
  (void)state;
  enum { COUNT = 24000 };
  ct_scene *scene = words_scene(
      "{'contatto': 1, 'bodies': {'g': {'kind': 'string', 'string': {'hz': 196, 'inharmonicity': 1e-4},"
      "'points': {'bow': {'place_u': 0.1}, 'ear': {'place_u': 0.05}}}},"
      "'pickups': {'ear': {'at': 'g.ear'}},"
      "'sources': {'bow': {'at': 'g.bow', 'speed_m_s': 0.2, 'pressure': 0.5, 'force_n': 0.1,"
      "'regions': {'all': {'behaviour': 'bowed_string', 'mode': 1}}}}}");
  const double pitches_hz[] = {196, 220};
  for (int i = 0; i < 2; i++) {
    lab_set(scene, "g.string.hz", pitches_hz[i], 0.1, 0);
    lab_step(scene, 19200);
    double wanted = 2 * pitches_hz[i] * sqrt((1 + 4e-4) / (1 + 1e-4)), *y = heard(scene, COUNT, 480);
    ct_measured_pitch p = ct_measure_pitch(y, COUNT, rate_hz, 200, 800);
    assert_true(fabs(ct_measure_cents(p.hz, wanted)) < 1);
    free(y);
  }
  ct_ledger l = ct_scene_ledger(scene);
  assert_true(l.force_j > 0 && words_ledger_closes(&l));
  ct_scene_destroy(scene);
}

/* A squeak goes its own way past the modes. */
static void squeaks_do_not_lock(void **state) {
  (void)state;
  enum { COUNT = 48000 * 4 };
  ct_scene *scene =
      words_scene("{" PLATE ", 'sources': {'rub': {'at': 'plate.spot', 'speed_m_s': 0.2, 'wander': 0.15,"
                  "'pressure': 0.5, 'regions': {'all': {'behaviour': 'squeaky_plate', 'hz': 1013}}}}}");
  double *f0 = malloc(COUNT * sizeof *f0), near = 0, mean = 0, square = 0;
  lab_record(scene, "rub.f0_hz", f0, COUNT);
  for (int i = 0; i < COUNT; i++) {
    double cents = ct_measure_cents(f0[i], 1013);
    near += fabs(cents) < 5;
    mean += cents / COUNT;
    square += cents * cents / COUNT;
  }
  assert_true(near < 0.05 * COUNT);
  assert_true(sqrt(square - mean * mean) > 150);
  free(f0);
  ct_scene_destroy(scene);
}

/* ---- boundaries ---- */

typedef struct crossing {
  double ms, click_db;
  uint32_t changes;
} crossing;

/* The speed walks over the boundary in `ramp_s`; heard through the plate. */
static crossing cross(const char *boundary, double from, double to, double ramp_s) {
  enum { COUNT = 48000, AT = 24000 };
  ct_scene *scene = words_scene("{" PLATE ", 'sources': {'rub': {'at': 'plate.spot', 'boundary': '%s',"
                                "'speed_m_s': %g, 'pressure': 0.5, 'wander': 0.05," TWO_REGIONS "}}}",
                                boundary, from);
  static double f0[COUNT], region[COUNT], sound[COUNT], *raw = sound;
  crossing c = {.ms = INFINITY};
  lab_set(scene, "rub.speed_m_s", to, ramp_s, AT);
  ct_tap taps[] = {{lab_handle(scene, "rub.f0_hz"), f0}, {lab_handle(scene, "rub.region"), region}};
  ct_scene_process(scene, &(ct_io){.frames = COUNT, .raw = &raw, .taps = taps, .tap_count = 2});
  uint32_t left = 0;
  for (uint32_t i = AT; i < COUNT; i++) {
    c.changes += region[i] != region[i - 1];
    if (!left && region[i] != region[i - 1])
      left = i;
    if (left && isinf(c.ms) && fabs(f0[i] - 1013) < 0.01)
      c.ms = 1000 * (i - left) / rate_hz;
  }
  c.click_db = ct_measure_worst_click(sound + 4800, COUNT - 4800, rate_hz, NULL, 0).strength_db;
  ct_scene_destroy(scene);
  return c;
}

static void crossings_are_quick_and_clean(void **state) {
  (void)state;
  static const char *const boundaries[] = {"sudden", "hysteretic"};
  for (int b = 0; b < 2; b++) {
    crossing c = cross(boundaries[b], 0.05, 0.2, 0.2);
    assert_true(c.ms <= 5 && c.changes == 1);
    assert_true(c.click_db < CT_MEASURE_CLICK_DB);
    c = cross(boundaries[b], 0.2, 0.05, 0.2);
    assert_true(c.changes == 1 && c.click_db < CT_MEASURE_CLICK_DB);
  }
  assert_true(cross("blended", 0.05, 0.2, 0.2).click_db < CT_MEASURE_CLICK_DB);
  /* 0.05 of the plane beyond the boundary is a speed of 0.126 m/s */
  assert_int_equal(cross("hysteretic", 0.05, 0.12, 0.2).changes, 0);
  assert_int_equal(cross("hysteretic", 0.05, 0.13, 0.2).changes, 1);
  assert_int_equal(cross("sudden", 0.05, 0.12, 0.2).changes, 1);
}

/* Everything that may move, moved at once without a time given: no click. */
static void parameters_move_without_clicks(void **state) {
  (void)state;
  enum { COUNT = 48000 };
  static const struct {
    const char *path;
    double value;
  } moves[] = {{"rub.speed_m_s", 0.5}, {"rub.pressure", 1},      {"rub.force_n", 0.2},
               {"rub.exponent", 2.5},  {"rub.wander", 0.3},      {"rub.diameter_m", 0.2},
               {"rub.all.hz", 1500},   {"rub.all.x_power", 0.5}, {"rub.all.morph", 1},
               {"rub.all.level", 0.3}, {"rub.pressure", 0},      {"rub.speed_m_s", 0}};
  for (size_t m = 0; m < sizeof moves / sizeof moves[0]; m++) {
    ct_scene *scene =
        words_scene("{" PLATE ", 'sources': {'rub': {'at': 'plate.spot', 'speed_m_s': 0.05,"
                    "'pressure': 0.5, 'exponent': 1.5, 'wander': 0.05, 'regions': {'all':"
                    "{'behaviour': 'squeaky_glass', 'hz': 600, 'morph_to': 'singing_glass'}}}}}");
    lab_set(scene, moves[m].path, moves[m].value, -1, 24000);
    double *y = heard(scene, COUNT, 256);
    double click = ct_measure_worst_click(y + 9600, COUNT - 9600, rate_hz, NULL, 0).strength_db;
    if (click >= CT_MEASURE_CLICK_DB)
      fail_msg("%s: a click of %.1f dB", moves[m].path, click);
    assert_true(fabs(lab_get(scene, moves[m].path) - moves[m].value) < 1e-9);
    free(y);
    ct_scene_destroy(scene);
  }
}

/* ---- the same samples ---- */

static ct_scene *duet(const char *first, const char *second, const char *sources) {
  return words_scene("{" PLATE ", 'sources': {'%s': %s, '%s': %s}}", first, sources, second, sources);
}

static void blocks_and_order_do_not_matter(void **state) {
  (void)state;
  enum { COUNT = 12000 };
  static const char rub[] = "{'at': 'plate.spot', 'speed_m_s': 0.2, 'pressure': 0.5, 'regions': {'all':"
                            "{'behaviour': 'creaky_door', 'morph_to': 'rubbing', 'morph': 0.5}}}";
  ct_scene *scenes[] = {duet("a", "b", rub), duet("b", "a", rub), duet("a", "b", rub)};
  const uint32_t blocks[] = {512, 512, 37};
  double *sound[3];
  for (int i = 0; i < 3; i++) {
    lab_set(scenes[i], "a.speed_m_s", 0.4, 0.05, 3001);
    sound[i] = heard(scenes[i], COUNT, blocks[i]);
    ct_scene_destroy(scenes[i]);
  }
  assert_memory_equal(sound[0], sound[1], COUNT * sizeof(double));
  assert_memory_equal(sound[0], sound[2], COUNT * sizeof(double));
  double difference = 0; /* two sources of the same words are two sources */
  ct_scene *alone = words_scene("{" PLATE ", 'sources': {'a': %s}}", rub);
  lab_set(alone, "a.speed_m_s", 0.4, 0.05, 3001);
  double *one = heard(alone, COUNT, 512);
  for (int i = 6000; i < COUNT; i++)
    difference = fmax(difference, fabs(sound[0][i] - 2 * one[i]));
  assert_true(difference > 1e-6);
  ct_scene_destroy(alone);
  for (int i = 0; i < 3; i++)
    free(sound[i]);
  free(one);
}

/* ---- coming and going ---- */

static void sources_leave_softly(void **state) {
  (void)state;
  enum { COUNT = 24000 };
  for (int what = 0; what < 2; what++) {
    ct_scene *scene =
        words_scene("{" PLATE ", 'sources': {'rub': {'at': 'plate.spot', 'speed_m_s': 0.2,"
                    "'pressure': 0.5, 'exponent': 2, 'regions': {'all': {'behaviour': 'bowed_string'}}}}}");
    ct_error error;
    lab_step(scene, 12000);
    assert_int_equal(ct_scene_remove(scene, what ? "plate" : "rub", &error), CT_OK);
    double *y = heard(scene, COUNT, 64);
    assert_true(ct_measure_worst_click(y, COUNT, rate_hz, NULL, 0).strength_db < CT_MEASURE_CLICK_DB);
    assert_true(lab_ledger_error(scene) < 1e-12);
    ct_handle h;
    assert_int_equal(ct_scene_resolve(scene, "rub.speed_m_s", &h, &error), CT_BAD_PATH);
    double before = ct_scene_ledger(scene).force_j;
    lab_step(scene, 4800);
    assert_true(ct_scene_ledger(scene).force_j == before); /* nobody pushes any more */
    free(y);
    ct_scene_destroy(scene);
  }
}

static void slots_come_back(void **state) {
  (void)state;
  ct_scene_def def = ct_default_scene_def();
  def.sources = 2;
  def.pool_bytes = 1 << 16;
  ct_scene *scene = lab_scene_from(&def);
  lab_modal(scene, "plate", &(ct_mode_def){.hz = 440, .t60_s = 1, .mass_kg = 0.1}, 1);
  ct_region_def region = ct_default_region_def();
  region.name = "all";
  ct_source_def source = ct_default_source_def();
  source.at = "plate.at";
  source.regions = &region;
  source.region_count = 1;
  ct_error error;
  for (int i = 0; i < 500; i++) {
    source.name = "a";
    assert_int_equal(ct_added(ct_scene_add_source(scene, &source, &error), &error), CT_OK);
    assert_int_equal(ct_added(ct_scene_add_source(scene, &source, &error), &error),
                     CT_BAD_SCENE); /* the name is taken */
    source.name = "b";
    assert_int_equal(ct_added(ct_scene_add_source(scene, &source, &error), &error), CT_OK);
    source.name = "c";
    assert_int_equal(ct_added(ct_scene_add_source(scene, &source, &error), &error), CT_FULL);
    lab_step(scene, 10);
    ct_handle h = lab_handle(scene, "a.speed_m_s");
    assert_int_equal(ct_scene_remove(scene, "a", &error), CT_OK);
    assert_int_equal(ct_scene_remove(scene, "b", &error), CT_OK);
    lab_step(scene, 2000);
    assert_true(ct_scene_get(scene, h) == 0);
    assert_int_equal(ct_scene_set(scene, h, 1, 0, 0, &error), CT_OK); /* to nobody */
  }
  ct_scene_destroy(scene);
}

/* ---- refused ---- */

static void refused(const char *source, const char *words) {
  ct_error error;
  const char *said = words_complaint(&error, NULL, 0, "{" PLATE ", 'sources': {'rub': %s}}", source);
  if (!said || !strstr(said, words))
    fail_msg("'%s' does not say '%s'", error.text, words);
}

static void bad_sources_are_refused(void **state) {
  (void)state;
  refused("{'at': 'plate.nowhere', 'regions': {'all': {'level': 1}}}",
          "source 'rub': body 'plate' has no point called 'nowhere'");
  refused("{'at': 'door.spot', 'regions': {'all': {'level': 1}}}",
          "source 'rub': there is no body called 'door'");
  refused("{'at': 'plate.spot'}", "source 'rub': 0 regions; wants 1 to 16");
  refused("{'at': 'plate.spot', 'regions': {'all': {'behaviour': 'sobbing'}}}",
          "'sobbing' is not known; wants one of creaky_door|");
  refused("{'at': 'plate.spot', 'regions': {'all': {'behaviour': 'bowed_string', 'mode': 3}}}",
          "region 'all': mode 3; body 'plate' has modes 0 to 2");
  refused("{'at': 'plate.spot', 'pressure': 1.5, 'regions': {'all': {'level': 1}}}",
          "1.5 is out of range; wants 0 to 1");
  refused("{'at': 'plate.spot', 'wander_hz': 25, 'regions': {'all': {'level': 1}}}",
          "25 Hz is out of range; wants 0.01 to 20 Hz");
  refused("{'at': 'plate.spot', 'exponent': 5, 'regions': {'all': {'level': 1}}}", "wants 0 to 4");
  refused("{'at': 'plate.spot', 'x_signal': 'pressure', 'regions': {'all': {'level': 1}}}",
          "two different signals");
  refused("{'at': 'plate.spot', 'regions': {'speed_m_s': {'level': 1}}}", "not usable as a region's name");
  refused("{'at': 'plate.spot', 'regions': {'all': {'x': [0.01, 1], 'y': [0]}}}", "2 values of x, 1 of y");
  refused("{'at': 'plate.spot', 'regions': {'a': {'x': [0.01, 0.1], 'y': [0, 1]},"
          "'b': {'x': [0.2, 1], 'y': [0, 1]}}}",
          "a hole in the map at speed");
  refused("{'at': 'plate.spot', 'regions': {'a': {'x': [0.01, 0.3], 'y': [0, 1]},"
          "'b': {'x': [0.2, 1], 'y': [0, 1]}}}",
          "regions 'a' and 'b' overlap at speed");
  ct_error error;
  const char *said =
      words_complaint(&error, NULL, 0,
                      "{'contatto': 1, 'bodies': {'hand': {'kind': 'hand'}},"
                      "'sources': {'rub': {'at': 'hand.at', 'regions': {'all': {'level': 1}}}}}");
  assert_non_null(strstr(said, "'hand' is a hand; wants a body that a force can move"));
  ct_source_def blank = {0};
  ct_scene *scene = lab_scene(rate_hz, 0);
  assert_int_equal(ct_added(ct_scene_add_source(scene, &blank, &error), &error), CT_BAD_ARGUMENT);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(work_is_booked),
                                     cmocka_unit_test(work_is_booked_beside_a_contact),
                                     cmocka_unit_test(locked_to_a_mode_that_moves),
                                     cmocka_unit_test(locked_to_a_string),
                                     cmocka_unit_test(squeaks_do_not_lock),
                                     cmocka_unit_test(crossings_are_quick_and_clean),
                                     cmocka_unit_test(parameters_move_without_clicks),
                                     cmocka_unit_test(blocks_and_order_do_not_matter),
                                     cmocka_unit_test(sources_leave_softly),
                                     cmocka_unit_test(slots_come_back),
                                     cmocka_unit_test(bad_sources_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
