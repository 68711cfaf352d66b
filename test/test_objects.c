/* ctest: slow
 * Objects as they sound: everything here is measured on what a pickup hears. Decays follow the material's
 * law, a mode is silent when struck at its node, a point that travels round a rim hears beats, a chain sounds
 * at its analytic frequencies, and size and material move without a click while the ledger closes. */
#include "base/special.h"
#include "support/words.h"
#include <contatto/contatto.h>
#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { MODES_MOST = 24 };

static const double rate_hz = 48000;

/* The different frequencies of the body's modes: a degenerate pair is one. */
static uint32_t partials_of(const char *modes, double hz[MODES_MOST]) {
  ct_scene *scene = words_scene("{'contatto': 1, 'bodies': {'b': {'modes': %s}}}", modes);
  ct_handle handle;
  uint32_t count = 0;
  char path[32];
  for (int i = 0; i < MODES_MOST; i++) {
    snprintf(path, sizeof path, "b.modes.%d.hz", i);
    if (ct_scene_resolve(scene, path, &handle, NULL) != CT_OK)
      break;
    double now = ct_scene_get(scene, handle);
    if (count == 0 || now > hz[count - 1] * (1 + 1e-9))
      hz[count++] = now;
  }
  ct_scene_destroy(scene);
  return count;
}

/* ---- decay ---- */

typedef struct decay_case {
  const char *words, *material; /* words with %s for the material */
  double seconds;
} decay_case;

static const decay_case decay_cases[] = {
    {"{'shape': 'bar', 'material': '%s', 'count': 6}", "steel", 3},
    {"{'shape': 'bar', 'material': '%s', 'count': 6}", "brass", 3},
    {"{'shape': 'bar', 'material': '%s', 'count': 6}", "glass", 1.5},
    {"{'shape': 'bar', 'material': '%s', 'count': 6}", "stone", 1},
    {"{'shape': 'bar', 'material': '%s', 'count': 6}", "wood", 0.6},
    {"{'shape': 'plate', 'size_m': [0.3, 0.2], 'thickness_m': 0.003, 'material': '%s', 'count': 10}", "glass",
     2},
    {"{'shape': 'plate', 'size_m': [0.3, 0.2], 'thickness_m': 0.003, 'material': '%s', 'count': 10}", "steel",
     3},
    {"{'shape': 'plate', 'size_m': [0.3, 0.2], 'thickness_m': 0.003, 'material': '%s', 'count': 5}",
     "ceramic", 1},
    {"{'shape': 'plate', 'size_m': [0.3, 0.2], 'thickness_m': 0.003, 'material': '%s', 'count': 5}", "wood",
     0.6},
    {"{'shape': 'glass', 'material': '%s', 'count': 10}", "glass", 2},
    {"{'shape': 'glass', 'material': '%s', 'fill': 0.6, 'count': 10}", "water-filled-glass", 1.5},
    {"{'shape': 'wineglass', 'material': '%s', 'count': 10}", "glass", 2},
    {"{'shape': 'tumbler', 'material': '%s', 'count': 6}", "glass", 1},
    {"{'shape': 'ring', 'material': '%s', 'count': 8}", "aluminium", 3},
    {"{'shape': 'bowl', 'material': '%s', 'count': 8}", "bronze", 3},
};

/* The worst |t60 / law - 1| of all partials. */
static double decay_error(const decay_case *c) {
  char words[200];
  double hz[MODES_MOST], worst = 0;
  ct_measured_decay decays[MODES_MOST];
  snprintf(words, sizeof words, c->words, c->material);
  uint32_t count = partials_of(words, hz);
  words_sound s = words_struck(
      &(words_strike){.modes = words, .hit = {0.07, 0.9}, .ear = {0.03, 0.87}, .seconds = c->seconds});
  ct_measure_decays(s.samples, s.count, rate_hz, hz, count, decays);
  for (uint32_t i = 0; i < count; i++) {
    double wanted = ct_material_t60_s(ct_material_find(c->material), hz[i]);
    worst = fmax(worst, fabs(decays[i].t60_s / wanted - 1));
    if (!(fabs(decays[i].t60_s / wanted - 1) <= 0.03))
      print_message("%s: %g Hz falls in %g s, not %g s\n", words, hz[i], decays[i].t60_s, wanted);
  }
  assert_true(words_ledger_closes(&s.ledger));
  free(s.samples);
  return worst;
}

/* Partials of dull things lie closer than they are wide: each is rung alone. */
static double lone_decay_error(const char *format, const char *material) {
  char words[200];
  double hz[MODES_MOST], worst = 0;
  snprintf(words, sizeof words, format, material);
  uint32_t count = partials_of(words, hz);
  for (uint32_t i = 0; i < count; i++) {
    words_sound s =
        words_rendered(0.5,
                       "{'contatto': 1, 'bodies': {'b': {'modes': %s, 'points': {'ear': {'place_u': 0}}}},"
                       "'pickups': {'out': {'at': 'b.ear'}},"
                       "'gesture': {'time_s': [0, 0.01], 'b.modes.%u.v_m_s': [0, 1]}}",
                       words, i);
    double t60 = ct_measure_decay(s.samples, s.count, rate_hz, hz[i]).t60_s;
    worst = fmax(worst, fabs(t60 / ct_material_t60_s(ct_material_find(material), hz[i]) - 1));
    free(s.samples);
  }
  return worst;
}

static void decays_of_dull_things(void **state) {
  (void)state;
  double plastic = lone_decay_error("{'shape': 'bar', 'material': '%s', 'count': 4}", "plastic");
  double rubber = lone_decay_error(
      "{'shape': 'bar', 'size_m': [0.05, 0.02], 'thickness_m': 0.01, 'material': '%s', 'count': 2}",
      "rubber");
  print_message("t60 of plastic within %.3f %%, of rubber within %.3f %%\n", 100 * plastic, 100 * rubber);
  assert_true(plastic <= 0.03 && rubber <= 0.03);
}

static void decays_follow_the_material(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof decay_cases / sizeof decay_cases[0]; i++) {
    double error = decay_error(&decay_cases[i]);
    print_message("t60 of %-18s within %.3f %%: %.40s\n", decay_cases[i].material, 100 * error,
                  decay_cases[i].words);
    wrong += !(error <= 0.03);
  }
  assert_int_equal(wrong, 0);
}

/* ---- nodes ---- */

/* A hammer strikes the body there; the level of one partial at the ear. */
static double struck_level_db(const char *modes, const double at[2], double hz) {
  words_sound s = words_rendered(
      1.0,
      "{'contatto': 1, 'bodies': {"
      "'hammer': {'modes': [{'hz': 0, 't60_s': 0, 'mass_kg': 0.005, 'x_m': -0.0005, 'v_m_s': 1}],"
      "           'points': {'tip': {'gains': [1]}}},"
      "'b': {'modes': %s, 'points': {'hit': {'place_u': %.17g, 'place_v': %.17g},"
      "                              'ear': {'place_u': 0.03, 'place_v': 0.06}}}},"
      "'contacts': {'strike': {'a': 'hammer.tip', 'b': 'b.hit', 'stiffness': 1e8}},"
      "'pickups': {'out': {'at': 'b.ear'}}}",
      modes, at[0], at[1]);
  double db = ct_measure_strongest_partial(s.samples, s.count, rate_hz, 0.985 * hz, 1.015 * hz).level_db;
  free(s.samples);
  return db;
}

static void check_node(const char *modes, uint32_t partial, double u, double v, double loud_u,
                       double loud_v) {
  double hz[MODES_MOST];
  assert_true(partials_of(modes, hz) > partial);
  double quiet = struck_level_db(modes, (double[2]){u, v}, hz[partial]);
  double loud = struck_level_db(modes, (double[2]){loud_u, loud_v}, hz[partial]);
  print_message("struck at its node (%.4f, %.4f), partial %u at %.1f Hz is %.1f dB down\n", u, v, partial,
                hz[partial], loud - quiet);
  assert_true(loud - quiet >= 40);
}

/* Zeros of the free bar's first five modes, by bisection between two places. */
static void bar_is_silent_at_its_nodes(void **state) {
  (void)state;
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_BAR);
  ct_shape_mode modes[5];
  ct_shape_found found;
  assert_int_equal(ct_shape_modes(&def, modes, 5, 24000, NULL, 0, &found, NULL), CT_OK);
  for (uint32_t i = 0; i < 5; i++) {
    double low = 0, high = 0;
    while (ct_shape_gain(&def, &modes[i], high, 0) > 0)
      high += 0.01;
    for (int k = 0; k < 60; k++) {
      double middle = (low + high) / 2;
      *(ct_shape_gain(&def, &modes[i], middle, 0) > 0 ? &low : &high) = middle;
    }
    check_node("{'shape': 'bar', 'material': 'glass', 'count': 5}", i, low, 0.5, 0.0, 0.5);
  }
}

/* Hinged: sin m pi u sin n pi v. The partials in order are (1,1), (2,1), (1,2), (3,1), (2,2). */
static void plate_is_silent_at_its_nodes(void **state) {
  (void)state;
  const char *plate =
      "{'shape': 'plate', 'size_m': [0.3, 0.2], 'thickness_m': 0.003, 'material': 'glass', 'count': 5}";
  check_node(plate, 1, 0.5, 0.3, 0.25, 0.3);
  check_node(plate, 2, 0.3, 0.5, 0.3, 0.25);
  check_node(plate, 3, 1.0 / 3, 0.4, 0.5, 0.4);
  check_node(plate, 4, 0.5, 0.3, 0.25, 0.3);
}

/* ---- clicks ---- */

static double worst_click_db(const words_sound *s, const ct_measure_interval *exempt, size_t count) {
  double peak = 0, *scaled = malloc(s->count * sizeof *scaled);
  assert_non_null(scaled);
  for (size_t i = 0; i < s->count; i++)
    peak = fmax(peak, fabs(s->samples[i]));
  assert_true(peak > 0);
  for (size_t i = 0; i < s->count; i++)
    scaled[i] = 0.5 * s->samples[i] / peak;
  double worst = ct_measure_worst_click(scaled, s->count, rate_hz, exempt, count).strength_db;
  free(scaled);
  return worst;
}

static ct_measure_interval around(double time_s) {
  return (ct_measure_interval){time_s - 0.004, time_s + 0.006};
}

/* ---- moving along ---- */

enum { STRIKES = 9 };
static const double strike_every_s = 0.5;

/* A wooden bar, dead before the next strike, struck nine times while the point walks from one end towards
 * the other; between strikes the point moves through what still rings. */
static words_sound walked_strikes(void) {
  char times[800] = "0", forces[800] = "0", places[800] = "0.02";
  size_t at[3] = {1, 1, 4};
  for (int k = 0; k < STRIKES; k++)
    for (int row = -1; row < 2; row++) {
      double t = strike_every_s * k + 0.01 + row / rate_hz;
      at[0] += (size_t)snprintf(times + at[0], sizeof times - at[0], ", %.17g", t);
      at[1] += (size_t)snprintf(forces + at[1], sizeof forces - at[1], ", %d", row == 0 ? 1000 : 0);
      at[2] += (size_t)snprintf(places + at[2], sizeof places - at[2], ", %.17g", 0.02 + 0.2 * t);
    }
  return words_rendered(
      strike_every_s * STRIKES,
      "{'contatto': 1, 'bodies': {'b': {'modes': {'shape': 'bar', 'material': 'wood', 'count': 5},"
      "'points': {'hit': {'place_u': 0.02}, 'ear': {'place_u': 0}}}},"
      "'pickups': {'out': {'at': 'b.ear'}},"
      "'gesture': {'time_s': [%s], 'b.hit.force_n': [%s], 'b.hit.place_u': [%s]}}",
      times, forces, places);
}

/* Level of each partial in each strike: 20 log10 |phi(u)| apart from what is common to all strikes. */
static void moving_the_strike_sweeps_the_spectrum(void **state) {
  (void)state;
  words_sound s = walked_strikes();
  ct_measure_interval exempt[STRIKES];
  ct_shape_def def = ct_default_shape_def(CT_SHAPE_BAR);
  ct_shape_mode modes[3];
  ct_shape_found found;
  ct_shape_set_material(&def, ct_material_find("wood"));
  assert_int_equal(ct_shape_modes(&def, modes, 3, 24000, NULL, 0, &found, NULL), CT_OK);
  double worst = 0, least = HUGE_VAL, most = 0;
  for (int k = 0; k < STRIKES; k++) {
    double time_s = strike_every_s * k + 0.01, u = 0.02 + 0.2 * time_s;
    size_t first = (size_t)lround(time_s * rate_hz), length = (size_t)(0.45 * rate_hz);
    exempt[k] = around(time_s);
    for (int i = 0; i < 3; i++) {
      double gain = fabs(ct_shape_gain(&def, &modes[i], u, 0));
      double db = ct_measure_decay(s.samples + first, length, rate_hz, modes[i].hz).level_db;
      /* one newton for one sample, heard at the end where every mode has gain 2 */
      double wanted = 20 * log10(1000 / rate_hz * 2 * gain / modes[i].mass_kg);
      least = fmin(least, gain), most = fmax(most, gain);
      if (gain > 0.3)
        worst = fmax(worst, fabs(db - wanted));
    }
  }
  double click = worst_click_db(&s, exempt, STRIKES);
  print_message("walking strikes: levels within %.2f dB of |phi(u)|, which runs from %.3f to %.2f; worst "
                "click %.1f dB\n",
                worst, least, most, click);
  assert_true(worst < 0.7 && most > 10 * least);
  assert_true(click < CT_MEASURE_CLICK_DB);
  assert_true(words_ledger_closes(&s.ledger));
  free(s.samples);
}

/* An ear that walks along a ringing body hears every mode come and go, and no click. */
static void moving_the_ear_does_not_click(void **state) {
  (void)state;
  const char *things[] = {"{'shape': 'bar', 'material': 'steel', 'count': 8}",
                          "{'shape': 'plate', 'material': 'glass', 'count': 20}",
                          "{'shape': 'disc', 'material': 'steel', 'count': 12}"};
  for (int i = 0; i < 3; i++) {
    words_sound s = words_struck(&(words_strike){.modes = things[i],
                                                 .hit = {0.9, 0.1},
                                                 .ear = {0.02, 0.3},
                                                 .moves = "b.ear.place_u",
                                                 .start = 0.02,
                                                 .end = 0.98,
                                                 .from_s = 0.1,
                                                 .to_s = 1.1,
                                                 .seconds = 1.3});
    ct_measure_interval strike = around(WORDS_STRIKE_SAMPLE / rate_hz);
    double click = worst_click_db(&s, &strike, 1);
    print_message("ear along %.30s: worst click %.1f dB\n", things[i], click);
    assert_true(click < CT_MEASURE_CLICK_DB);
    free(s.samples);
  }
}

/* ---- round the rim ---- */

/* One of a degenerate pair rings alone, w = q(t) sqrt2 cos m theta. A point that travels along the rim with
 * speed v is at theta = v t / R, so it hears q(t) sqrt2 cos(m v t / R): the tone's amplitude is |cos(m v t /
 * R)|, whose period is half the cosine's: the point passes 2 m antinodes a turn and turns v / 2 pi R times a
 * second,
 *
 *     beats per second = 2 m v / (2 pi R) = m v / (pi R)
 *
 * and as a spectrum two lines m v / (2 pi R) above and below the mode, that far apart. For the (2,0) mode: 2
 * v / (pi R). Moving along the rim (tangentially) it hears -(sqrt2 / m) sin(m theta): the same beats. */
static void check_beats(uint32_t mode, int m, double speed_m_s, const char *direction) {
  const double radius = 0.035, seconds = 3, theory = m * fabs(speed_m_s) / (CT_PI * radius);
  words_sound s = words_rendered(
      seconds,
      "{'contatto': 1, 'bodies': {'glass': {'modes': {'shape': 'glass', 'radius_m': %.17g, 'material': "
      "'steel', 'count': 4}, 'points': {'finger': {'place_u': 0, 'place_v': 1}}}},"
      "'pickups': {'out': {'at': 'glass.finger', 'direction': '%s'}},"
      "'gesture': {'time_s': [0, %.17g], 'glass.modes.%u.v_m_s': [0.1, 0],"
      "            'glass.finger.place_u': [0, %.17g]}}",
      radius, direction, seconds, mode, speed_m_s * seconds / (2 * CT_PI * radius));
  ct_measured_modulation beats =
      ct_measure_modulation(s.samples, s.count, rate_hz, 0.7 * theory, 1.4 * theory);
  print_message("round the rim at %+.2f m/s, mode (%d,0), %s: %.4f beats a second, theory %.4f; depth %.2f\n",
                speed_m_s, m, direction, beats.rate_hz, theory, beats.depth);
  assert_true(fabs(beats.rate_hz / theory - 1) < 0.01);
  assert_true(beats.depth > 0.8);
  free(s.samples);
}

static void travelling_point_hears_beats(void **state) {
  (void)state;
  check_beats(0, 2, 0.3, "normal");
  check_beats(0, 2, 0.15, "normal");
  check_beats(0, 2, -0.6, "normal");
  check_beats(1, 2, 0.3, "normal");
  check_beats(2, 3, 0.3, "normal");
  check_beats(0, 2, 0.3, "tangential");
}

/* At rest it does not beat. */
static void resting_point_hears_none(void **state) {
  (void)state;
  words_sound s = words_struck(&(words_strike){.modes = "{'shape': 'glass', 'material': 'steel', 'count': 2}",
                                               .hit = {0, 1},
                                               .ear = {0.03, 1},
                                               .seconds = 2});
  ct_measured_modulation beats = ct_measure_modulation(s.samples + 960, s.count - 960, rate_hz, 1, 20);
  assert_true(isnan(beats.rate_hz) || beats.depth < 0.01);
  free(s.samples);
}

/* ---- the chain ---- */

/* Equal masses between walls: w_j = 2 sqrt(k/m) sin(j pi / 2(n+1)); held by nothing: sin(j pi / 2n). */
static void check_chain(const char *edge, uint32_t masses, uint32_t steps) {
  char words[160];
  double hz[MODES_MOST], worst = 0, worst_cents = 0;
  snprintf(words, sizeof words,
           "{'shape': 'chain', 'edge': '%s', 'columns': %u, 'node_mass_kg': 0.01, 'spring_n_m': 1e5}", edge,
           masses);
  uint32_t count = partials_of(words, hz);
  assert_int_equal(count, steps - 1);
  words_sound s =
      words_struck(&(words_strike){.modes = words, .hit = {0.0, 0}, .ear = {0.0, 0}, .seconds = 2});
  for (uint32_t j = 1; j <= count; j++) {
    double wanted = sqrt(1e5 / 0.01) / CT_PI * sin(j * CT_PI / (2.0 * steps));
    double heard = ct_measure_strongest_partial(s.samples, s.count, rate_hz, hz[j - 1] - 8, hz[j - 1] + 8).hz;
    worst = fmax(worst, fabs(hz[j - 1] / wanted - 1));
    worst_cents = fmax(worst_cents, fabs(ct_measure_cents(heard, wanted)));
  }
  print_message("chain of %u, %s: %.2g off the closed form, sounds within %.3f cents of it\n", masses, edge,
                worst, worst_cents);
  assert_true(worst < 1e-9);
  assert_true(worst_cents < 0.5);
  free(s.samples);
}

static void chain_sounds_as_it_must(void **state) {
  (void)state;
  check_chain("clamped", 12, 13);
  check_chain("free", 9, 9);
}

/* ---- moving what it is made of ---- */

typedef struct morph {
  const char *modes, *moves;
  double start, end;
} morph;

static void check_morph(const morph *m) {
  words_sound s = words_struck(&(words_strike){.modes = m->modes,
                                               .hit = {0.13, 0.9},
                                               .ear = {0.03, 0.87},
                                               .moves = m->moves,
                                               .start = m->start,
                                               .end = m->end,
                                               .from_s = 0.05,
                                               .to_s = 1.05,
                                               .seconds = 1.5});
  ct_measure_interval strike = around(WORDS_STRIKE_SAMPLE / rate_hz);
  double click = worst_click_db(&s, &strike, 1);
  print_message(
      "%s %g to %g in a second, %.16s: worst click %.1f dB, ledger error %.2g of what is allowed, parameter "
      "work %.2g of S\n",
      m->moves, m->start, m->end, m->modes, click, fabs(s.ledger.error_j) / s.ledger.allowance_j,
      s.ledger.parameter_j / s.ledger.scale_j);
  assert_true(click < CT_MEASURE_CLICK_DB);
  assert_true(words_ledger_closes(&s.ledger));
  assert_true(fabs(s.ledger.parameter_j) <= s.ledger.allowance_j);
  free(s.samples);
}

static void size_and_material_move_without_a_click(void **state) {
  (void)state;
  static const morph morphs[] = {
      {"{'shape': 'bar', 'count': 8, 'material': 'wood'}", "b.modes.material_at", 2, 7},
      {"{'shape': 'bar', 'count': 8, 'material_at': 7}", "b.modes.material_at", 7, 2},
      {"{'shape': 'plate', 'count': 30, 'material_at': 2}", "b.modes.material_at", 2, 7},
      {"{'shape': 'glass', 'count': 8, 'material_at': 5}", "b.modes.material_at", 5, 7},
      {"{'shape': 'bar', 'count': 8, 'material': 'steel'}", "b.modes.size", 1, 2},
      {"{'shape': 'bar', 'count': 6, 'material': 'steel'}", "b.modes.size", 1, 0.7},
      {"{'shape': 'plate', 'count': 30, 'material': 'glass'}", "b.modes.size", 1, 2},
      {"{'shape': 'drum', 'count': 12}", "b.modes.size", 1, 1.5},
      {"{'shape': 'string', 'count': 12, 'material': 'steel'}", "b.modes.size", 1, 1.5},
      {"{'shape': 'bowl', 'count': 8, 'material': 'bronze'}", "b.modes.density_kg_m3", 8600, 2700},
      {"{'shape': 'tube', 'count': 5, 'material': 'brass'}", "b.modes.young_pa", 1.04e11, 2e11},
  };
  for (size_t i = 0; i < sizeof morphs / sizeof morphs[0]; i++)
    check_morph(&morphs[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decays_follow_the_material),
      cmocka_unit_test(decays_of_dull_things),
      cmocka_unit_test(bar_is_silent_at_its_nodes),
      cmocka_unit_test(plate_is_silent_at_its_nodes),
      cmocka_unit_test(moving_the_strike_sweeps_the_spectrum),
      cmocka_unit_test(moving_the_ear_does_not_click),
      cmocka_unit_test(travelling_point_hears_beats),
      cmocka_unit_test(resting_point_hears_none),
      cmocka_unit_test(chain_sounds_as_it_must),
      cmocka_unit_test(size_and_material_move_without_a_click),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
