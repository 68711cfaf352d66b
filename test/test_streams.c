/* ctest: slow
 * Numbers that move at every sample do not end a stretch: what they do is the same to the bit as where every
 * sample is a block of its own, with an account and without one, told by inputs, ramps and controls, on
 * bodies that touch, fall and fly, beside hands and alone. */
#include "support/lab.h"
#include <contatto/contatto.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RATE_HZ = 48000, FRAMES = 4800, TICK = 8 };

typedef struct wanted {
  bool ledger, friction, hand, two_points;
  double gravity_m_s2;
} wanted;

static void add_body(ct_scene *s, const char *name, const ct_mode_def *modes, uint32_t count) {
  const ct_point_def points[] = {{.name = "at", .gain_count = count}, {.name = "by", .gain_count = count}};
  ct_modal_def def = ct_default_modal_def();
  def.name = name;
  def.modes = modes;
  def.mode_count = count;
  def.points = points;
  def.point_count = 2;
  lab_body(s, &def);
}

static ct_scene *build(const wanted *w) {
  const ct_mode_def bar[] = {{.hz = 440, .t60_s = 0.5, .mass_kg = 0.05},
                             {.hz = 1210, .t60_s = 0.3, .mass_kg = 0.05}},
                    mass = {.mass_kg = 0.02};
  ct_scene_def def = ct_default_scene_def();
  ct_friction_def rub = ct_default_friction_def();
  ct_impact_def standard = ct_default_impact_def();
  def.rate_hz = RATE_HZ;
  def.ledger = w->ledger;
  def.gravity_m_s2 = w->gravity_m_s2;
  rub.normal_n = 5;
  ct_scene *s = lab_scene_from(&def);
  add_body(s, "bar", bar, 2);
  add_body(s, "mass", &mass, 1);
  if (w->friction)
    lab_rub(s, "touch", "mass.at", "bar.at", rub);
  else
    lab_touch(s, lab_law("touch", "mass.at", "bar.at", 1e6, standard.exponent, standard.damping_s_m));
  if (w->hand) {
    lab_hand(s, "hand", -1e-3, 0.02);
    lab_touch(
        s, lab_law("poke", "hand.at", "bar.by", standard.stiffness, standard.exponent, standard.damping_s_m));
  }
  lab_pickup(s, "out", "bar.at", CT_VELOCITY, 1);
  return s;
}

/* Pushes, lets go, pulls, is not a number and is beyond all measure. */
static void draw_forces(double *first, double *second) {
  for (int n = 0; n < FRAMES; n++) {
    first[n] = n % 1000 < 200 ? 0 : 3 * sin(2 * M_PI * 90 * n / RATE_HZ) + 1;
    second[n] = n % 700 < 300 ? 0 : -0.5;
  }
  first[1234] = NAN;
  first[2345] = 1e30;
  second[3456] = -INFINITY;
}

static ct_counters play(const wanted *w, uint32_t block, double *heard) {
  static double first[FRAMES], second[FRAMES];
  ct_scene *s = build(w);
  ct_input inputs[2];
  draw_forces(first, second);
  inputs[0].handle = lab_handle(s, w->friction ? "mass.at.tangential_force_n" : "mass.at.force_n");
  inputs[1].handle = lab_handle(s, w->two_points ? "bar.by.force_n" : "bar.at.force_n");
  for (uint32_t n = 0; n < FRAMES; n += block) {
    uint32_t count = block < FRAMES - n ? block : FRAMES - n;
    double *raw[] = {heard + n};
    inputs[0].values = first + n;
    inputs[1].values = second + n;
    ct_scene_process(s, &(ct_io){.frames = count, .raw = raw, .inputs = inputs, .input_count = 2});
  }
  if (w->ledger) {
    ct_ledger ledger = ct_scene_ledger(s);
    assert_true(ct_ledger_kept(&ledger));
  }
  ct_counters counters = ct_scene_counters(s);
  ct_scene_destroy(s);
  return counters;
}

static double loudest(const double *sound) {
  double most = 0;
  for (int n = 0; n < FRAMES; n++)
    most = fmax(most, fabs(sound[n]));
  return most;
}

static void stretches_change_nothing(void **state) {
  static double one[FRAMES], many[FRAMES];
  const uint32_t blocks[] = {5, 64, 480};
  (void)state;
  for (uint32_t bits = 0; bits < 32; bits++) {
    wanted w = {.friction = bits & 1,
                .hand = bits & 2,
                .two_points = bits & 4,
                .gravity_m_s2 = bits & 8 ? 9.81 : 0,
                .ledger = bits & 16};
    ct_counters by_one = play(&w, 1, one);
    assert_true(loudest(one) > 1e-4);
    assert_int_equal(by_one.dropped_inputs, 2);
    assert_int_equal(by_one.clamped_inputs, 1);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
      ct_counters by_many = play(&w, blocks[i], many);
      assert_memory_equal(one, many, sizeof one);
      assert_int_equal(by_many.dropped_inputs, 2);
      assert_int_equal(by_many.clamped_inputs, 1);
    }
  }
}

static void accounts_change_nothing(void **state) {
  static double with[FRAMES], without[FRAMES];
  (void)state;
  for (uint32_t bits = 0; bits < 16; bits++) {
    wanted w = {
        .friction = bits & 1, .hand = bits & 2, .two_points = bits & 4, .gravity_m_s2 = bits & 8 ? 9.81 : 0};
    play(&w, 64, without);
    w.ledger = true;
    play(&w, 64, with);
    assert_memory_equal(with, without, sizeof with);
  }
}

/* Nothing is looked up sample by sample: stretches end at ticks, and nowhere else. */
static void stretches_stay_whole(void **state) {
  static double heard[FRAMES];
  (void)state;
  ct_counters counters = play(&(wanted){0}, 480, heard);
  assert_int_equal(counters.stretches, FRAMES / TICK);
}

/* ---- ramps and controls ---- */

static ct_scene *build_moved(bool ledger, bool friction) {
  ct_scene *s = build(&(wanted){.ledger = ledger, .friction = friction, .hand = true, .gravity_m_s2 = 9.81});
  lab_control(s, "speed", "hand.v_m_s", -0.1, 0.1, false);
  lab_control(s, "push", friction ? "touch.normal_n" : "touch.gap_m", 0, friction ? 20 : -1e-3, false);
  return s;
}

/* Ramps begin and end between ticks, take over from one another, and two of them want the same number. */
static void set_ramps(ct_scene *s, bool friction) {
  lab_set(s, "bar.by.force_n", 2, 0.011, 13);
  lab_set(s, "bar.by.force_n", -1, 0.0071, 301);
  lab_set(s, "hand.x_m", 1e-3, 0.02, 77);
  lab_set(s, "controls.speed.value", 0.9, 0.013, 130);
  lab_set(s, "hand.v_m_s", -0.05, 0.0033, 401);
  lab_set(s, "poke.gap_m", 2e-4, 0.0047, 703);
  lab_set(s, "bar.modes.0.hz", 500, 0.03, 1201); /* waits for ticks */
  lab_set(s, friction ? "touch.mu_dynamic" : "touch.damping_s_m", 0.2, 0.003, 1501);
}

static uint64_t play_moved(bool ledger, bool friction, uint32_t block, double *heard, double *speed) {
  static double knob[FRAMES];
  ct_scene *s = build_moved(ledger, friction);
  ct_input input = {.handle = lab_handle(s, "controls.push.value")};
  ct_tap tap = {.handle = lab_handle(s, "controls.speed.value")};
  for (int n = 0; n < FRAMES; n++)
    knob[n] = 0.5 + 0.7 * sin(2 * M_PI * 17 * n / RATE_HZ); /* beyond both ends of it */
  knob[777] = NAN;
  set_ramps(s, friction);
  for (uint32_t n = 0; n < FRAMES; n += block) {
    uint32_t count = block < FRAMES - n ? block : FRAMES - n;
    double *raw[] = {heard + n};
    input.values = knob + n;
    tap.values = speed ? speed + n : NULL;
    ct_scene_process(s, &(ct_io){.frames = count,
                                 .raw = raw,
                                 .inputs = &input,
                                 .input_count = 1,
                                 .taps = &tap,
                                 .tap_count = speed ? 1 : 0});
  }
  ct_counters counters = ct_scene_counters(s);
  assert_int_equal(counters.dropped_inputs, 1);
  assert_true(counters.clamped_inputs > FRAMES / 4 && counters.clamped_inputs < FRAMES / 2);
  ct_scene_destroy(s);
  return counters.stretches;
}

static void moving_numbers_are_the_same(void **state) {
  static double one[FRAMES], many[FRAMES], tapped[FRAMES], told_one[FRAMES], told_many[FRAMES];
  const uint32_t blocks[] = {3, 64, 480};
  (void)state;
  for (int friction = 0; friction < 2; friction++) {
    play_moved(true, friction, 1, one, told_one);
    assert_true(loudest(one) > 1e-4);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
      for (int ledger = 0; ledger < 2; ledger++) {
        uint64_t stretches = play_moved(ledger, friction, blocks[i], many, NULL);
        assert_memory_equal(one, many, sizeof one);
        play_moved(ledger, friction, blocks[i], tapped, told_many);
        assert_memory_equal(one, tapped, sizeof one);
        assert_memory_equal(told_one, told_many, sizeof told_one);
        if (blocks[i] == 480 && friction)
          assert_true(stretches < FRAMES / TICK * 5 / 4);
      }
  }
}

/* ---- what sleeps ---- */

/* Nothing moves and all that is told is no number, so everything sleeps; the first number wakes it, between
 * two ticks. */
static void a_number_wakes(void **state) {
  static double one[FRAMES], many[FRAMES], push[FRAMES];
  const uint32_t blocks[] = {1, 64, 480};
  (void)state;
  for (int n = 0; n < FRAMES; n++)
    push[n] = n < 1003 ? (double)NAN : 1;
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    ct_scene *s = build(&(wanted){0});
    ct_input input = {.handle = lab_handle(s, "bar.at.force_n")};
    for (uint32_t n = 0; n < FRAMES; n += blocks[i]) {
      double *raw[] = {many + n};
      input.values = push + n;
      ct_scene_process(s, &(ct_io){.frames = blocks[i], .raw = raw, .inputs = &input, .input_count = 1});
      if (n == 960)
        assert_true(ct_scene_counters(s).group_steps < 1000);
    }
    assert_int_equal(ct_scene_counters(s).dropped_inputs, 1003);
    ct_scene_destroy(s);
    if (i == 0)
      memcpy(one, many, sizeof one);
    assert_memory_equal(one, many, sizeof one);
  }
  assert_true(one[1003] == 0 && one[1005] != 0);
}

/* ---- places of points, speeds of drives ---- */

/* A plate that a mass falls on and a tip is dragged over; a shell on which a hand carries the point it rubs,
 * and an ear moves beside it; a string under a bow. */
static const char travelling[] =
    "{\"contatto\": 1, \"channels\": 3, \"gravity_m_s2\": 9.81, \"bodies\": {"
    "\"plate\": {\"modes\": {\"shape\": \"plate\", \"edge\": \"clamped\", \"size_m\": [0.3, 0.2],"
    " \"thickness_m\": 0.004, \"count\": 9, \"material_at\": 5}, \"points\": {"
    " \"hit\": {\"place_u\": 0.4, \"place_v\": 0.3}, \"rod\": {\"place_u\": 0.5, \"place_v\": 0.5}}},"
    "\"shell\": {\"modes\": {\"shape\": \"plate\", \"edge\": \"clamped\", \"size_m\": [0.3, 0.2],"
    " \"thickness_m\": 0.004, \"count\": 7, \"material_at\": 5}, \"points\": {"
    " \"led\": {\"place_u\": 0.2, \"place_v\": 0.6, \"follows\": \"hand.at\", \"follow_m\": 0.3},"
    " \"ear\": {\"place_u\": 0.5, \"place_v\": 0.5}}},"
    "\"mass\": {\"modes\": [{\"hz\": 0, \"t60_s\": 0, \"mass_kg\": 0.02, \"x_m\": -1e-4}],"
    " \"points\": {\"at\": {\"gains\": [1]}}},"
    "\"tip\": {\"modes\": [{\"hz\": 0, \"t60_s\": 0, \"mass_kg\": 0.05}], \"points\": {\"at\": {\"gains\": "
    "[1]}}},"
    "\"d\": {\"kind\": \"string\", \"string\": {\"hz\": 220, \"impedance_kg_s\": 0.4, \"lowest_hz\": 100},"
    " \"points\": {\"bow\": {\"place_u\": 0.2}}},"
    "\"bow\": {\"kind\": \"hand\", \"tangential_v_m_s\": 0.15},"
    "\"hand\": {\"kind\": \"hand\", \"tangential_v_m_s\": 0.2}},"
    "\"surfaces\": {\"rough\": {\"kind\": \"fractal\", \"depth_m\": 2e-5}},"
    "\"contacts\": {"
    "\"touch\": {\"kind\": \"impact\", \"from\": \"above\", \"a\": \"mass.at\", \"b\": \"plate.hit\", "
    "\"stiffness\": 1e6},"
    "\"drag\": {\"kind\": \"impact\", \"from\": \"above\", \"a\": \"tip.at\", \"b\": \"plate.rod\", "
    "\"stiffness\": 1e6},"
    "\"rub\": {\"kind\": \"friction\", \"a\": \"bow.at\", \"b\": \"d.bow\", \"normal_n\": 1},"
    "\"stroke\": {\"kind\": \"friction\", \"a\": \"hand.at\", \"b\": \"shell.led\", \"normal_n\": 2}},"
    "\"drives\": {\"pull\": {\"contact\": \"drag\", \"surface\": \"rough\", \"motion\": \"imposed\","
    " \"radius_m\": 0.005, \"speed_m_s\": 0.3, \"acceleration_m_s2\": 200}},"
    "\"controls\": {"
    "\"where\": {\"targets\": [{\"path\": \"plate.hit.place_u\", \"from\": 0.1, \"to\": 0.9},"
    " {\"path\": \"plate.hit.place_v\", \"from\": 0.8, \"to\": 0.3},"
    " {\"path\": \"shell.ear.place_u\", \"from\": 0.1, \"to\": 0.7}]},"
    "\"haste\": {\"targets\": [{\"path\": \"pull.speed_m_s\", \"from\": -0.5, \"to\": 0.8}]}},"
    "\"pickups\": {\"below\": {\"at\": \"plate.rod\", \"output\": 1},"
    "\"beside\": {\"at\": \"shell.ear\", \"direction\": \"tangential\", \"output\": 2},"
    "\"heard\": {\"at\": \"d.bow\", \"direction\": \"tangential\", \"output\": 3}}}";
enum { HEARD = 3 };

static ct_scene *build_travelling(bool ledger) {
  ct_error error = {.text = ""};
  ct_doc *doc = ct_doc_create();
  ct_scene *s = NULL;
  ct_build_def def = ct_default_build_def();
  def.rate_hz = RATE_HZ;
  def.ledger = ledger;
  lab_must(ct_doc_read_json(doc, "test", travelling, strlen(travelling), NULL, NULL, &error), &error);
  lab_must(ct_doc_build(doc, &def, &s, NULL, NULL, &error), &error);
  ct_doc_destroy(doc);
  return s;
}

typedef enum teller { BY_INPUTS, BY_RAMPS, TELLERS } teller;

static uint64_t play_travelling(bool ledger, teller by, uint32_t block, double heard[HEARD][FRAMES]) {
  static double where[FRAMES], along[FRAMES], haste[FRAMES];
  ct_scene *s = build_travelling(ledger);
  for (int n = 0; n < FRAMES; n++) {
    where[n] = 0.5 + 0.6 * sin(2 * M_PI * 31 * n / RATE_HZ); /* beyond both ends */
    along[n] = n % 900 < 450 ? 0.2 : 0.3;                    /* the string's point is under way for long */
    haste[n] = 0.5 + 0.5 * sin(2 * M_PI * 23 * n / RATE_HZ);
  }
  where[1111] = NAN;
  ct_input inputs[] = {{.handle = lab_handle(s, "controls.where.value")},
                       {.handle = lab_handle(s, "d.bow.place_u")},
                       {.handle = lab_handle(s, "controls.haste.value")}};
  if (by == BY_RAMPS) {
    lab_set(s, "plate.hit.place_u", 0.8, 0.011, 13);
    lab_set(s, "controls.where.value", 0.1, 0.02, 301);
    lab_set(s, "d.bow.place_u", 0.35, 0.004, 77);
    lab_set(s, "d.bow.place_u", 0.1, 0, 1003);
    lab_set(s, "pull.speed_m_s", 0.9, 0.0333, 130);
    lab_set(s, "controls.haste.value", 0, 0.0101, 2703);
    lab_set(s, "shell.ear.place_u", 0.4, 0.013, 501);
  }
  for (uint32_t n = 0; n < FRAMES; n += block) {
    uint32_t count = block < FRAMES - n ? block : FRAMES - n;
    double *raw[] = {heard[0] + n, heard[1] + n, heard[2] + n};
    inputs[0].values = where + n;
    inputs[1].values = along + n;
    inputs[2].values = haste + n;
    ct_scene_process(s, &(ct_io){.frames = count,
                                 .raw = raw,
                                 .inputs = inputs,
                                 .input_count = by == BY_INPUTS ? sizeof inputs / sizeof *inputs : 0});
  }
  if (ledger) {
    ct_ledger account = ct_scene_ledger(s);
    assert_true(ct_ledger_kept(&account));
  }
  ct_counters counters = ct_scene_counters(s);
  assert_int_equal(counters.dropped_inputs, by == BY_INPUTS);
  ct_scene_destroy(s);
  return counters.stretches;
}

static void places_and_speeds_are_the_same(void **state) {
  static double one[HEARD][FRAMES], many[HEARD][FRAMES];
  const uint32_t blocks[] = {1, 3, 64, 480};
  (void)state;
  for (teller by = 0; by < TELLERS; by++) {
    play_travelling(true, by, 1, one);
    for (int k = 0; k < HEARD; k++)
      assert_true(loudest(one[k]) > 1e-4);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
      for (int ledger = 0; ledger < 2; ledger++) {
        uint64_t stretches = play_travelling(ledger, by, blocks[i], many);
        assert_memory_equal(one, many, sizeof one);
        if (blocks[i] == 480 && by == BY_RAMPS)
          assert_true(stretches < FRAMES / TICK * 3 / 2);
      }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stretches_change_nothing), cmocka_unit_test(accounts_change_nothing),
      cmocka_unit_test(stretches_stay_whole),     cmocka_unit_test(moving_numbers_are_the_same),
      cmocka_unit_test(a_number_wakes),           cmocka_unit_test(places_and_speeds_are_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
