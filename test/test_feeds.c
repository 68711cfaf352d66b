/* Forces that come with every sample do not end a stretch: what they do is the same to the bit as where every
 * sample is a block of its own, with an account and without one, on bodies that
 * touch, fall and fly, beside hands and alone.
 */
#include <contatto/contatto.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RATE_HZ = 48000, FRAMES = 4800 };

static void works(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

typedef struct wanted {
  bool ledger, friction, hand, two_points;
  double gravity_m_s2;
} wanted;

static void add_body(ct_scene *s, const char *name, const ct_mode_def *modes, uint32_t count) {
  ct_error error;
  const ct_point_def points[] = {{.name = "at", .gain_count = count}, {.name = "by", .gain_count = count}};
  ct_modal_def def = ct_default_modal_def();
  def.name = name;
  def.modes = modes;
  def.mode_count = count;
  def.points = points;
  def.point_count = 2;
  works(ct_scene_add_modal(s, &def, &error), &error);
}

static void add_contact(ct_scene *s, bool friction) {
  ct_error error;
  if (friction) {
    ct_friction_def def = ct_default_friction_def();
    def.name = "touch";
    def.a = "mass.at";
    def.b = "bar.at";
    def.normal_n = 5;
    works(ct_scene_add_friction(s, &def, &error), &error);
    return;
  }
  ct_impact_def def = ct_default_impact_def();
  def.name = "touch";
  def.a = "mass.at";
  def.b = "bar.at";
  def.stiffness = 1e6;
  works(ct_scene_add_impact(s, &def, &error), &error);
}

static ct_scene *build(const wanted *w) {
  ct_error error;
  ct_scene *s;
  const ct_mode_def bar[] = {{.hz = 440, .t60_s = 0.5, .mass_kg = 0.05},
                             {.hz = 1210, .t60_s = 0.3, .mass_kg = 0.05}},
                    mass = {.mass_kg = 0.02};
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = RATE_HZ;
  def.ledger = w->ledger;
  def.gravity_m_s2 = w->gravity_m_s2;
  works(ct_scene_create(&def, &s, &error), &error);
  add_body(s, "bar", bar, 2);
  add_body(s, "mass", &mass, 1);
  add_contact(s, w->friction);
  if (w->hand) {
    ct_hand_def hand = ct_default_hand_def();
    hand.name = "hand";
    hand.v_m_s[0] = 0.02;
    hand.x_m[0] = -1e-3;
    works(ct_scene_add_hand(s, &hand, &error), &error);
    ct_impact_def poke = ct_default_impact_def();
    poke.name = "poke";
    poke.a = "hand.at";
    poke.b = "bar.by";
    works(ct_scene_add_impact(s, &poke, &error), &error);
  }
  ct_pickup_def pickup = ct_default_pickup_def();
  pickup.name = "out";
  pickup.at = "bar.at";
  works(ct_scene_add_pickup(s, &pickup, &error), &error);
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
  ct_error error;
  ct_scene *s = build(w);
  ct_input inputs[2];
  draw_forces(first, second);
  works(ct_scene_resolve(s, w->friction ? "mass.at.tangential_force_n" : "mass.at.force_n", &inputs[0].handle,
                         &error),
        &error);
  works(ct_scene_resolve(s, w->two_points ? "bar.by.force_n" : "bar.at.force_n", &inputs[1].handle, &error),
        &error);
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

/* Not asked sample by sample who is there: as many solves go the quick way as without inputs. */
static void stretches_stay_whole(void **state) {
  static double heard[FRAMES];
  (void)state;
  ct_counters counters = play(&(wanted){0}, 480, heard);
  assert_true(counters.quick_steps > FRAMES / 10 * 9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stretches_change_nothing),
                                     cmocka_unit_test(accounts_change_nothing),
                                     cmocka_unit_test(stretches_stay_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
