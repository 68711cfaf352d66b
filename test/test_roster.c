/* Parts that come and go while the scene sounds: nothing is heard of it but what was asked for, nothing is
 * lost from the account, and the room they leave is room again. */
#include "support/lab.h"
#include "support/random_scene.h"
#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define RATE 48000.0
enum { FRAMES = 24000 };

static ct_scene *hasty_scene(uint32_t bodies, uint32_t contacts, uint32_t pickups, double smoothing_s) {
  ct_scene_def def = ct_default_scene_def();
  def.smoothing_s = smoothing_s;
  def.ledger = true;
  def.bodies = bodies;
  def.contacts = contacts;
  def.pickups = pickups;
  def.messages = 64;
  def.pool_bytes = 256u << 10;
  return lab_scene_from(&def);
}

static ct_scene *small_scene(uint32_t bodies, uint32_t contacts, uint32_t pickups) {
  return hasty_scene(bodies, contacts, pickups, 0.03);
}

/* Two partials that ring for a second. */
static void add_bar(ct_scene *scene, const char *name, double v_m_s) {
  ct_mode_def modes[] = {{.hz = 440, .t60_s = 1, .mass_kg = 0.1, .v_m_s = v_m_s},
                         {.hz = 1210, .t60_s = 0.7, .mass_kg = 0.1, .v_m_s = v_m_s / 2}};
  lab_modal(scene, name, modes, 2);
}

static void check_ledger(ct_scene *scene, const char *what) {
  ct_ledger l = ct_scene_ledger(scene);
  if (!ct_ledger_kept(&l))
    fail_msg("%s: the ledger is off by %.3g J of %.3g J allowed (stored %.3g, parameter %.3g)", what,
             l.error_j, l.allowance_j, l.stored_j, l.parameter_j);
}

static void take_out(ct_scene *scene, const char *name) {
  ct_error error = {0};
  if (ct_scene_remove(scene, name, &error) != CT_OK)
    fail_msg("%s", error.text);
}

/* Sound of `frames`, with something done after half of them. */
static void listen_around(ct_scene *scene, void (*act)(ct_scene *), double *sound, double *raw) {
  static float output[FRAMES];
  float *outputs[] = {output};
  double *raws[] = {raw};
  ct_scene_process(scene, &(ct_io){.frames = FRAMES / 2, .outputs = outputs, .raw = raws});
  act(scene);
  outputs[0] += FRAMES / 2;
  raws[0] += FRAMES / 2;
  ct_scene_process(scene, &(ct_io){.frames = FRAMES / 2, .outputs = outputs, .raw = raws});
  for (int n = 0; n < FRAMES; n++)
    sound[n] = (double)output[n];
}

static void no_click(const char *what, const double *sound) {
  ct_measured_click worst = ct_measure_worst_click(sound, FRAMES, RATE, NULL, 0);
  printf("%s: worst %.1f dB at %.4f s (a click is %g dB)\n", what, worst.strength_db, worst.time_s,
         CT_MEASURE_CLICK_DB);
  assert_true(worst.strength_db < CT_MEASURE_CLICK_DB);
}

/* ---- heard ---- */

static void remove_bar(ct_scene *s) { take_out(s, "bar"); }
static void remove_ear(ct_scene *s) { take_out(s, "ear"); }
static void remove_press(ct_scene *s) { take_out(s, "press"); }
static void add_second_ear(ct_scene *s) { lab_pickup(s, "ear2", "bar.at", CT_VELOCITY, 1); }
static void add_displacement_ear(ct_scene *s) { lab_pickup(s, "ear2", "sunk.at", CT_DISPLACEMENT, 1e-4); }
static void add_still_bar(ct_scene *s) { add_bar(s, "other", 0); }

static void ringing(ct_scene **scene) {
  *scene = small_scene(8, 8, 4);
  add_bar(*scene, "bar", 1);
  lab_pickup(*scene, "ear", "bar.at", CT_VELOCITY, 1);
}

static void leaving_fades(void **state) {
  (void)state;
  static double sound[FRAMES], raw[FRAMES];
  static void (*const acts[])(ct_scene *) = {remove_bar, remove_ear, add_second_ear, add_still_bar};
  static const char *const names[] = {"removing a ringing body", "removing a pickup",
                                      "adding a pickup to a ringing body", "adding a body at rest"};
  for (int i = 0; i < 4; i++) {
    ct_scene *scene;
    ringing(&scene);
    listen_around(scene, acts[i], sound, raw);
    no_click(names[i], sound);
    no_click("  in SI units", raw);
    assert_true(fabs(raw[FRAMES / 2 - 1]) + fabs(raw[FRAMES / 2 - 20]) > 0.01); /* it did sound */
    if (i < 2)
      for (int n = FRAMES / 2 + 1600; n < FRAMES; n++)
        assert_true(sound[n] == 0);
    check_ledger(scene, names[i]);
    ct_scene_destroy(scene);
  }
}

/* A pickup with a standing offset (a displacement, a resting force) leaves and comes as quietly. */
static void offsets_fade(void **state) {
  (void)state;
  static double sound[FRAMES], raw[FRAMES];
  for (int i = 0; i < 2; i++) {
    ct_scene *scene;
    ringing(&scene);
    ct_mode_def sunk = {.hz = 300, .t60_s = 0.02, .mass_kg = 0.1};
    lab_modal(scene, "sunk", &sunk, 1);
    lab_settle(scene);
    lab_set(scene, "sunk.at.force_n", 50, 0.1, 0);
    if (i == 0) {
      take_out(scene, "ear");
      lab_pickup(scene, "offset", "sunk.at", CT_DISPLACEMENT, 1e-4);
      lab_step(scene, 24000);
      lab_pickup(scene, "ear", "sunk.at", CT_DISPLACEMENT, 1e-4);
      lab_step(scene, 24000);
    } else
      lab_step(scene, 24000);
    listen_around(scene, i == 0 ? remove_ear : add_displacement_ear, sound, raw);
    no_click(i == 0 ? "removing a displaced pickup" : "adding a displaced pickup", sound);
    no_click("  in SI units", raw);
    ct_scene_destroy(scene);
  }
}

/* A hand presses a bar; the contact, then the force heard in it, are taken away. */
static void pressed_contacts_leave(void **state) {
  (void)state;
  static double sound[FRAMES], raw[FRAMES];
  for (int force = 0; force < 2; force++) {
    ct_scene *scene = small_scene(8, 8, 4);
    add_bar(scene, "bar", 0.1);
    lab_hand(scene, "hand", 0, 0);
    ct_impact_def press = lab_law("press", "hand.at", "bar.at", 1e6, 1.5, 1);
    press.gap_m = -1e-4;
    lab_touch(scene, press);
    if (force)
      lab_pickup(scene, "ear", "press", CT_FORCE, 1);
    else
      lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
    listen_around(scene, remove_press, sound, raw);
    no_click(force ? "the force of a contact that is removed" : "removing a pressed contact", sound);
    check_ledger(scene, "removing a pressed contact");
    assert_true(ct_scene_ledger(scene).parameter_j < 0); /* what it stored left with it */
    /* its slot is taken by another contact: nothing of that is heard through the old pickup */
    if (force) {
      lab_touch(scene, lab_law("other", "hand.at", "bar.at", 1e6, 1.5, 1));
      double after[1000], *raws[] = {after};
      ct_scene_process(scene, &(ct_io){.frames = 1000, .raw = raws});
      for (int n = 0; n < 1000; n++)
        assert_true(after[n] == 0);
    }
    ct_scene_destroy(scene);
  }
}

/* ---- accounted for ---- */

static void energy_comes_and_goes(void **state) {
  (void)state;
  ct_scene *scene = small_scene(8, 8, 4);
  add_bar(scene, "bar", 1);
  lab_step(scene, 100);
  double before = ct_scene_ledger(scene).stored_j;
  lab_mass(scene, "ball", 2, -0.001, 3); /* 9 J arrive */
  lab_step(scene, 1);
  ct_ledger l = ct_scene_ledger(scene);
  assert_true(fabs(l.parameter_j - 9) < 1e-9);
  lab_touch(scene, lab_law("hit", "ball.at", "bar.at", 1e6, 1.5, 0.1));
  lab_step(scene, 200);
  check_ledger(scene, "a body and a contact that joined");
  assert_true(ct_scene_ledger(scene).lost_contacts_j > 0);
  take_out(scene, "ball");
  lab_step(scene, 2);
  l = ct_scene_ledger(scene);
  printf("a ball of 9 J joined, struck and left: %.3g J taken along, %.3g J stored before, %.3g J now\n",
         9 - l.parameter_j, before, l.stored_j);
  check_ledger(scene, "a body that left");
  take_out(scene, "bar");
  lab_step(scene, 2000); /* they may have been pressed */
  assert_true(ct_scene_ledger(scene).stored_j == 0);
  check_ledger(scene, "an empty scene");
  ct_scene_destroy(scene);
}

/* Before the first sample the order of adding and throwing does not matter to the account. */
static void thrown_before_the_start(void **state) {
  (void)state;
  ct_scene *scene = small_scene(8, 8, 4);
  lab_mass(scene, "first", 1, 0, 0);
  lab_settle(scene);
  lab_set(scene, "first.modes.0.v_m_s", 2, 0, 0);
  lab_mass(scene, "second", 1, 1, 3);
  lab_settle(scene);
  lab_hand(scene, "hand", -0.5, 0);
  ct_impact_def press = lab_law("press", "hand.at", "first.at", 1e4, 1.5, 0);
  lab_touch(scene, press);
  lab_settle(scene);
  lab_set(scene, "press.gap_m", -0.6, 0, 0); /* pressed by 0.1 m */
  lab_settle(scene);
  lab_set(scene, "hand.x_m", -0.45, 0, 0); /* and by 0.05 m more */
  lab_settle(scene);
  check_ledger(scene, "before the first sample");
  double pressed = lab_get(scene, "press.compression_m");
  assert_true(fabs(pressed - 0.15) < 1e-12);
  lab_step(scene, 100);
  check_ledger(scene, "after a hundred");
  ct_scene_destroy(scene);
}

/* ---- room ---- */

/* A fingerprint of what the scene does next. */
static double next_samples(ct_scene *scene) {
  double sound[64], *raws[] = {sound}, sum = 0;
  ct_scene_process(scene, &(ct_io){.frames = 64, .raw = raws});
  for (int n = 0; n < 64; n++)
    sum += sound[n] * (n + 1);
  return sum;
}

static void beyond_capacity(void **state) {
  (void)state;
  double sums[2];
  for (int refused = 0; refused < 2; refused++) {
    ct_scene *scene = small_scene(2, 1, 1);
    ct_error error = {0};
    add_bar(scene, "bar", 1);
    lab_hand(scene, "hand", 0, 0);
    lab_touch(scene, lab_law("press", "hand.at", "bar.at", 1e5, 1.5, 0.1));
    lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
    lab_step(scene, 10);
    if (refused) {
      ct_hand_def hand = ct_default_hand_def();
      hand.name = "third";
      assert_int_equal(ct_added(ct_scene_add_hand(scene, &hand, &error), &error), CT_FULL);
      assert_non_null(strstr(error.text, "third"));
      ct_impact_def more = lab_law("more", "hand.at", "bar.at", 1e5, 1.5, 0.1);
      assert_int_equal(ct_added(ct_scene_add_impact(scene, &more, &error), &error), CT_FULL);
      ct_pickup_def pickup = ct_default_pickup_def();
      pickup.name = "second";
      pickup.at = "bar.at";
      assert_int_equal(ct_added(ct_scene_add_pickup(scene, &pickup, &error), &error), CT_FULL);
      ct_handle handle;
      assert_int_equal(ct_scene_resolve(scene, "third.x_m", &handle, &error), CT_BAD_PATH);
    }
    sums[refused] = next_samples(scene);
    ct_scene_destroy(scene);
  }
  assert_true(sums[0] == sums[1] && sums[0] != 0);
}

static void beyond_the_pool(void **state) {
  (void)state;
  ct_scene *scene = small_scene(1000, 1, 1);
  ct_error error = {0};
  static ct_mode_def modes[64];
  for (int i = 0; i < 64; i++)
    modes[i] = (ct_mode_def){.hz = 100 + i, .t60_s = 1, .mass_kg = 1};
  ct_point_def point = {.name = "at"};
  uint32_t count = 0;
  for (;; count++) {
    char name[16];
    snprintf(name, sizeof name, "b%u", count);
    ct_modal_def def = ct_default_modal_def();
    def.name = name;
    def.modes = modes;
    def.mode_count = 64;
    def.points = &point;
    def.point_count = 1;
    if (ct_added(ct_scene_add_modal(scene, &def, &error), &error) != CT_OK)
      break;
  }
  printf("256 KiB hold %u bodies of 64 modes\n", count);
  assert_int_equal(error.code, CT_FULL);
  assert_true(count >= 2 && count < 1000);
  lab_step(scene, 1);
  take_out(scene, "b0");
  lab_step(scene, 2);
  lab_modal(scene, "again", modes, 64);
  ct_scene_destroy(scene);
}

static void ten_thousand_times(void **state) {
  (void)state;
  ct_scene *scene = hasty_scene(3, 2, 2, 0.001); /* 48 samples in which a guest lets go, or fades */
  random_state r = {5};
  add_bar(scene, "stays", 1);
  static ct_mode_def modes[40];
  float buffer[64];
  float *outputs[] = {buffer};
  for (uint32_t round = 0; round < 10000; round++) {
    uint32_t count = 1 + random_below(&r, 40);
    for (uint32_t i = 0; i < count; i++)
      modes[i] =
          (ct_mode_def){.hz = 50 + 100 * i, .t60_s = 0.5, .mass_kg = 0.1, .v_m_s = random_between(&r, -1, 1)};
    lab_modal(scene, "guest", modes, count);
    lab_touch(scene, lab_law("touch", "guest.at", "stays.at", 1e5, 1.5, 0.5));
    if (round % 50 == 0)
      lab_pickup(scene, "ear", "guest.at", CT_VELOCITY, 1);
    ct_scene_process(scene, &(ct_io){.frames = 3, .outputs = outputs});
    take_out(scene, "guest");
    ct_scene_process(scene, &(ct_io){.frames = 60, .outputs = outputs});
    if (!isfinite(ct_scene_ledger(scene).stored_j))
      fail_msg("round %u: not finite", round);
  }
  check_ledger(scene, "ten thousand guests");
  ct_ledger l = ct_scene_ledger(scene);
  printf("10000 guests: error %.2g of S\n", fabs(l.error_j) / l.scale_j);
  ct_scene_destroy(scene);
}

/* ---- names and handles ---- */

static void removing_takes_what_depends(void **state) {
  (void)state;
  ct_scene *scene = small_scene(4, 4, 4);
  ct_error error = {0};
  ct_handle handle;
  add_bar(scene, "bar", 1);
  add_bar(scene, "other", 0);
  lab_touch(scene, lab_law("touch", "bar.at", "other.at", 1e5, 1.5, 0.5));
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
  lab_pickup(scene, "force", "touch", CT_FORCE, 1);
  lab_pickup(scene, "far", "other.at", CT_VELOCITY, 1);
  lab_step(scene, 10);
  take_out(scene, "bar");
  static const char *const gone[] = {"bar.modes.0.hz", "touch.force_n", "ear.pan", "force.pan"};
  for (int i = 0; i < 4; i++)
    if (ct_scene_resolve(scene, gone[i], &handle, &error) != CT_BAD_PATH)
      fail_msg("%s is still there", gone[i]);
  assert_int_equal(ct_scene_resolve(scene, "far.pan", &handle, &error), CT_OK);
  assert_int_equal(ct_scene_remove(scene, "bar", &error), CT_BAD_PATH);
  assert_int_equal(ct_scene_remove(scene, "touch", &error), CT_BAD_PATH);
  assert_non_null(strstr(error.text, "touch"));
  add_bar(scene, "bar", 0); /* the name is free at once */
  lab_touch(scene, lab_law("touch", "bar.at", "other.at", 1e5, 1.5, 0.5));
  lab_step(scene, 3000);
  assert_true(lab_get(scene, "bar.modes.0.hz") == 440);
  check_ledger(scene, "a name used again");
  ct_scene_destroy(scene);
}

/* A handle to what is gone does nothing, also when something else lives in its place. */
static void messages_to_the_gone(void **state) {
  (void)state;
  static const char *const paths[] = {"bar.modes.1.hz", "bar.modes.1.v_m_s", "bar.at.gains.1",
                                      "bar.at.force_n"};
  for (int kind = 0; kind < 3; kind++)
    for (int p = 0; p < 4; p++) {
      ct_scene *scene = small_scene(1, 1, 1);
      ct_error error = {0};
      add_bar(scene, "bar", 0);
      lab_step(scene, 10);
      ct_handle old = lab_handle(scene, paths[p]);
      take_out(scene, "bar");
      lab_step(scene, 10);
      if (kind == 1)
        lab_mass(scene, "new", 1, 0, 0);
      if (kind == 2)
        lab_hand(scene, "new", 0, 0);
      lab_step(scene, 1);
      for (double ramp = 0; ramp < 0.02; ramp += 0.01)
        ct_scene_set(scene, old, 123, ramp, 0, &error);
      double signal[64], got[64];
      for (int n = 0; n < 64; n++)
        signal[n] = 77;
      ct_input input = {old, signal};
      ct_tap tap = {old, got};
      ct_scene_process(
          scene, &(ct_io){.frames = 64, .inputs = &input, .input_count = 1, .taps = &tap, .tap_count = 1});
      for (int n = 0; n < 64; n++)
        assert_true(got[n] == 0);
      assert_true(ct_scene_get(scene, old) == 0);
      assert_true(ct_scene_ledger(scene).stored_j == 0);
      if (kind) {
        assert_true(lab_get(scene, "new.at.x_m") == 0);
        assert_true(lab_get(scene, "new.at.force_n") == 0);
      }
      check_ledger(scene, "messages to the gone");
      ct_scene_destroy(scene);
    }
}

/* A ramp, or a control, that was moving a part lets go of it when it leaves. */
static void ramps_let_go(void **state) {
  (void)state;
  for (int by_control = 0; by_control < 2; by_control++) {
    ct_scene *scene = small_scene(1, 1, 1);
    ct_error error = {0};
    add_bar(scene, "bar", 0);
    if (by_control) {
      ct_target_def target = {"bar.modes.0.hz", 100, 1000, CT_LINEAR};
      ct_control_def def = ct_default_control_def();
      def.name = "pitch";
      def.targets = &target;
      def.target_count = 1;
      assert_int_equal(ct_scene_add_control(scene, &def, &error), CT_OK);
    }
    lab_step(scene, 10);
    lab_set(scene, by_control ? "pitch" : "bar.modes.0.hz", by_control ? 1 : 900, 1, 0);
    lab_step(scene, 100);
    take_out(scene, "bar");
    lab_step(scene, 1);
    ct_mode_def mode = {.hz = 333, .t60_s = 1, .mass_kg = 1};
    lab_modal(scene, "new", &mode, 1);
    lab_step(scene, 48000);
    double hz = lab_get(scene, "new.modes.0.hz");
    if (hz != 333)
      fail_msg("%s moved the newcomer to %g Hz", by_control ? "a control" : "a ramp", hz);
    ct_scene_destroy(scene);
  }
}

static void wrong_definitions(void **state) {
  (void)state;
  ct_scene *scene = small_scene(4, 4, 4);
  ct_error error = {0};
  add_bar(scene, "bar", 0);
  ct_mode_def mode = {.hz = 1, .t60_s = 1, .mass_kg = 1};
  ct_point_def point = {.name = "at"};
  ct_modal_def good = ct_default_modal_def(), def;
  good.name = "more";
  good.modes = &mode;
  good.mode_count = 1;
  good.points = &point;
  good.point_count = 1;
  def = good;
  def.cookie = 0;
  assert_int_equal(ct_added(ct_scene_add_modal(scene, &def, &error), &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_added(ct_scene_add_modal(scene, NULL, &error), &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_added(ct_scene_add_modal(NULL, &good, &error), &error), CT_BAD_ARGUMENT);
  static const char *const names[] = {
      "12", "a.b",     "a b",    "bar",
      "#",  "gesture", "bodies", "a-name-that-is-longer-than-a-name-may-ever-be-in-here"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    def = good;
    def.name = names[i];
    if (ct_added(ct_scene_add_modal(scene, &def, &error), &error) == CT_OK)
      fail_msg("'%s' was taken as a name", names[i] ? names[i] : "(null)");
  }
  const double bad_modes[][3] = {{-1, 1, 1},  {1, -1, 1},  {1, 1, 0},   {1, 1, -1},
                                 {NAN, 1, 1}, {1, NAN, 1}, {1, 1, NAN}, {1, 1, INFINITY}};
  for (size_t i = 0; i < sizeof bad_modes / sizeof bad_modes[0]; i++) {
    ct_mode_def bad = {.hz = bad_modes[i][0], .t60_s = bad_modes[i][1], .mass_kg = bad_modes[i][2]};
    def = good;
    def.modes = &bad;
    assert_int_equal(ct_added(ct_scene_add_modal(scene, &def, &error), &error), CT_BAD_VALUE);
  }
  double gains[2] = {1, NAN};
  ct_point_def bad_point = {.name = "at", .gains = {gains}, .gain_count = 2};
  def = good;
  def.points = &bad_point;
  assert_int_equal(ct_added(ct_scene_add_modal(scene, &def, &error), &error), CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "2 gains for 1 modes"));
  ct_impact_def law = lab_law("hit", "bar.at", "nobody.at", 1e5, 1.5, 0);
  assert_int_equal(ct_added(ct_scene_add_impact(scene, &law, &error), &error), CT_BAD_PATH);
  law = lab_law("hit", "bar.at", "bar.at", 1e5, 0.5, 0);
  assert_int_equal(ct_added(ct_scene_add_impact(scene, &law, &error), &error), CT_BAD_VALUE);
  law = lab_law("hit", "bar.at", "bar.at", NAN, 1.5, 0);
  assert_int_equal(ct_added(ct_scene_add_impact(scene, &law, &error), &error), CT_BAD_VALUE);
  lab_step(scene, 10);
  assert_true(ct_scene_ledger(scene).stored_j == 0);
  lab_body(scene, &good); /* none of them took room */
  law = lab_law("hit", "bar.at", "bar.at", 1e5, 1.5, 0);
  assert_int_equal(ct_added(ct_scene_add_impact(scene, &law, &error), &error), CT_BAD_SCENE);
  assert_non_null(strstr(error.text, "no point touches itself"));
  lab_hand(scene, "hand1", 0, 0);
  lab_hand(scene, "hand2", 0, 0);
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(leaving_fades),
                                     cmocka_unit_test(offsets_fade),
                                     cmocka_unit_test(pressed_contacts_leave),
                                     cmocka_unit_test(energy_comes_and_goes),
                                     cmocka_unit_test(thrown_before_the_start),
                                     cmocka_unit_test(beyond_capacity),
                                     cmocka_unit_test(beyond_the_pool),
                                     cmocka_unit_test(ten_thousand_times),
                                     cmocka_unit_test(removing_takes_what_depends),
                                     cmocka_unit_test(messages_to_the_gone),
                                     cmocka_unit_test(ramps_let_go),
                                     cmocka_unit_test(wrong_definitions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
