/* Strings in scene files: what is given and what follows, what contradicts, and the one line that says so. */
#include "support/lab.h"
#include "support/words.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ct_scene *scene_of(const char *string) {
  return words_scene("{'contatto': 1, 'bodies': {'s': {'kind': 'string', 'string': {%s},"
                     "'points': {'bow': {'place_u': 0.1}, 'bridge': {'place_u': 0}}}}}",
                     string);
}

static double number(ct_scene *scene, const char *name) {
  char path[48];
  snprintf(path, sizeof path, "s.string.%s", name);
  return lab_get(scene, path);
}

static void expect(const char *string, double hz, double z, double b) {
  ct_scene *scene = scene_of(string);
  if (fabs(number(scene, "hz") / hz - 1) > 1e-3 || fabs(number(scene, "impedance_kg_s") / z - 1) > 1e-3 ||
      fabs(number(scene, "inharmonicity") - b) > 1e-3 * b + 1e-12)
    fail_msg("{%s}: %g Hz, %g kg/s, B %g; wants %g Hz, %g kg/s, B %g", string, number(scene, "hz"),
             number(scene, "impedance_kg_s"), number(scene, "inharmonicity"), hz, z, b);
  ct_scene_destroy(scene);
}

/* The published D3: 0.69 m, 102.6 N, 4110 kg/m^3 at 0.44 mm radius, EI from 25 GPa. */
static void three_numbers_make_the_others(void **state) {
  double rho = 4110 * M_PI * 4.4e-4 * 4.4e-4;
  char text[200];
  (void)state;
  snprintf(text, sizeof text, "'length_m': 0.69, 'tension_n': 102.6, 'density_kg_m': %.10g", rho);
  expect(text, 146.8, 0.5064, 0);
  expect("'hz': 146.8, 'length_m': 0.69, 'tension_n': 102.6", 146.8, 0.5064, 0);
  expect("'hz': 220, 'impedance_kg_s': 0.3", 220, 0.3, 0);
  expect("'hz': 220", 220, 0.506, 0);
  expect("'stop': 0", 146.8, 0.506, 0);
  /* pi^2 EI / (T L^2), T = 2 L hz Z */
  expect("'hz': 147, 'impedance_kg_s': 0.506, 'length_m': 0.69, 'bending_n_m2': 3e-4", 147, 0.506,
         M_PI * M_PI * 3e-4 / (2 * 0.69 * 147 * 0.506 * 0.69 * 0.69));
  /* given once more, but in agreement */
  expect("'hz': 146.8, 'impedance_kg_s': 0.506, 'length_m': 0.69, 'tension_n': 102.5", 146.8, 0.506, 0);
}

static void quality_and_decay(void **state) {
  (void)state;
  ct_scene *scene = scene_of("'hz': 147, 'q': 500");
  assert_true(fabs(number(scene, "t60_s") / (500 * log(1000) / (M_PI * 147)) - 1) < 1e-9);
  /* as many periods at high_hz */
  assert_true(fabs(number(scene, "high_t60_s") / (number(scene, "t60_s") * 147 / 5000) - 1) < 1e-9);
  ct_scene_destroy(scene);
}

static void refuse(const char *body, const char *said) {
  ct_error error;
  const char *line = words_complaint(&error, NULL, 0, "{'contatto': 1, 'bodies': {'s': %s}}", body);
  if (!strstr(line, said))
    fail_msg("%s: said '%s', wanted '%s'", body, line, said);
}

static void contradictions_get_one_line(void **state) {
  (void)state;
  refuse("{'kind': 'string', 'string': {'hz': 147, 'length_m': 0.69, 'tension_n': 102.6, 'impedance_kg_s': "
         "0.9}}",
         "tension_n: 102.6 contradicts");
  refuse("{'kind': 'string', 'string': {'impedance_kg_s': 0.5, 'tension_n': 100, 'density_kg_m': 1}}",
         "density_kg_m: 1 contradicts the other numbers given, which make it 0.0025");
  refuse("{'kind': 'string', 'string': {'q': 500, 't60_s': 3}}", "q and t60_s say the same thing");
  refuse("{'kind': 'string', 'string': {'inharmonicity': 1e-4, 'bending_n_m2': 3e-4}}",
         "inharmonicity and bending_n_m2 say the same thing");
  refuse("{'kind': 'string', 'string': {'hz': 9000, 'high_hz': 15000}}",
         "too short for a rate of 48000 Hz; wants about");
  refuse("{'kind': 'string', 'string': {'hz': 4000}}", "high_hz: 5000 Hz; wants at least");
  refuse("{'kind': 'string', 'string': {'hz': 0}}", "s.string.hz: 0 Hz is out of range");
  refuse("{'kind': 'string', 'string': {'length_m': 0.001, 'tension_n': 1e6, 'density_kg_m': 1e-7}}",
         "out of range");
  refuse("{'kind': 'string', 'string': {'bending_n_m2': 1000}}", "s.string.inharmonicity");
  refuse("{'kind': 'string', 'modes': [{'hz': 100}]}", "a string has no modes");
  refuse("{'kind': 'string', 'modes': {'shape': 'string'}}", "a string has no modes");
  refuse("{'string': {'hz': 100}}", "has 'string' but is none");
  refuse("{'kind': 'hand', 'string': {'hz': 100}}", "has 'string' but is none");
  refuse("{'kind': 'string', 'points': {'a': {'gains': [1]}}}", "a string's point is a place");
  refuse("{'kind': 'string', 'string': {'planes': 3}}", "planes: 3 is out of range");
}

static void only_strings_have_string_numbers(void **state) {
  ct_error error = {0};
  ct_handle handle;
  ct_scene *scene = words_scene(
      "{'contatto': 1, 'bodies': {'m': {'modes': [{'hz': 100}], 'points': {'p': {'place_u': 0.5}}},"
      "'s': {'kind': 'string', 'points': {'p': {'place_u': 0.5}}}, 'h': {'kind': 'hand'}}}");
  (void)state;
  static const char *const wrong[] = {"m.string.hz", "m.p.pluck_m",   "m.p.pull_n",        "s.modes.0.hz",
                                      "s.v_m_s",     "h.string.stop", "s.string.length_m", "s.p.gains.0"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    if (ct_scene_resolve(scene, wrong[i], &handle, &error) == CT_OK)
      fail_msg("%s was found", wrong[i]);
  static const char *const right[] = {"s.string.hz", "s.p.pluck_m", "s.p.pull_n",
                                      "s.p.v_m_s",   "s.p.x_m",     "s.string.stop"};
  for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
    if (ct_scene_resolve(scene, right[i], &handle, &error) != CT_OK)
      fail_msg("%s", error.text);
  ct_scene_destroy(scene);
}

/* Force is heard at a contact, or across a string: not across anything else. */
static void the_bridge_is_heard(void **state) {
  ct_error error;
  (void)state;
  const char *line = words_complaint(
      &error, NULL, 0,
      "{'contatto': 1, 'bodies': {'m': {'modes': [{'hz': 100}], 'points': {'p': {'place_u': 0.5}}}},"
      "'pickups': {'ear': {'at': 'm.p', 'listen': 'force'}}}");
  assert_non_null(strstr(line, "only a string carries a force"));
  words_sound sound = words_rendered(0.5, "{'contatto': 1, 'bodies': {'s': {'kind': 'string', 'points': "
                                          "{'b': {'place_u': 0}, 'p': {'place_u': 0.2}}}},"
                                          "'pickups': {'ear': {'at': 's.b', 'listen': 'force'}},"
                                          "'gesture': {'time_s': [0, 0.1], 's.p.pluck_m': [0, 0.001]}}");
  double loudest = 0;
  for (size_t i = 0; i < sound.count; i++)
    loudest = fmax(loudest, fabs(sound.samples[i]));
  assert_true(loudest > 0.1 && loudest < 2); /* T A / (u L) = 0.74 N and what comes back on top */
  assert_true(words_ledger_closes(&sound.ledger));
  free(sound.samples);
}

/* A bow that travels along a string takes its point with it. */
static void a_point_can_follow(void **state) {
  ct_scene *scene = words_scene(
      "{'contatto': 1, 'bodies': {'h': {'kind': 'hand', 'tangential_v_m_s': 0.1},"
      "'s': {'kind': 'string', 'points': {'p': {'place_u': 0.2, 'follows': 'h.at', 'follow_m': 0.5}}}}}");
  (void)state;
  lab_step(scene, 48000);
  assert_true(fabs(lab_get(scene, "s.p.place_u") - 0.4) < 1e-3);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_numbers_make_the_others), cmocka_unit_test(quality_and_decay),
      cmocka_unit_test(contradictions_get_one_line),   cmocka_unit_test(only_strings_have_string_numbers),
      cmocka_unit_test(the_bridge_is_heard),           cmocka_unit_test(a_point_can_follow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
