/* A scene that stops being finite is found out, says where, and is silent from there on; the same for every
 * block size. */
#include "scene/scene.h"
#include "support/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

enum { RATE = 48000, FRAMES = 256 };

/* A hammer on a bar that is heard, and a mass by itself that nobody hears. */
static ct_scene *make_scene(bool ledger) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = RATE;
  def.ledger = ledger;
  ct_scene *scene = lab_scene_from(&def);
  ct_mode_def modes[] = {{.hz = 400, .t60_s = 1, .mass_kg = 0.05, .v_m_s = 0.1},
                         {.hz = 1100, .t60_s = 0.5, .mass_kg = 0.05}};
  lab_modal(scene, "bar", modes, 2);
  lab_mass(scene, "hammer", 0.01, -1e-5, 1);
  lab_modal(scene, "aside", modes, 2); /* rings: what sleeps cannot go wrong, and is not looked at */
  lab_touch(scene, lab_law("strike", "hammer.at", "bar.at", 1e7, 1.5, 0.3));
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
  lab_settle(scene);
  return scene;
}

static ct_body *body_named(ct_scene *scene, const char *name) {
  return &scene->bodies[ct_part_find(scene, CT_PART_BODY, name)];
}

/* Spoils a number at sample 100 and plays on to FRAMES in blocks of this size. */
static void play_spoilt(ct_scene *scene, double *number, double value, uint32_t block, float *out,
                        double *raw) {
  for (uint32_t at = 0, frames; at < FRAMES; at += frames) {
    frames = at < 100 && at + block > 100 ? 100 - at : at + block > FRAMES ? FRAMES - at : block;
    if (at == 100)
      *number = value;
    ct_scene_process(scene, &(ct_io){.frames = frames,
                                     .outputs = (float *[]){out + at},
                                     .raw = raw ? (double *[]){raw + at} : NULL});
  }
}

static void check_silent(const float *out, const double *raw, uint64_t from) {
  for (uint32_t n = 0; n < FRAMES; n++) {
    assert_true(isfinite(out[n]) && isfinite(raw[n]));
    assert_true(n < from || (out[n] == 0 && raw[n] == 0));
  }
  assert_true(out[from - 2] != 0);
}

static void sound_is_silent_from_there(void **state) {
  (void)state;
  const double wrong[] = {NAN, INFINITY, -INFINITY, 1e200};
  static float out[FRAMES], again[FRAMES];
  static double raw[FRAMES];
  const uint32_t blocks[] = {1, 3, 8, 64, 256};
  for (int w = 0; w < 4; w++)
    for (int ledger = 0; ledger < 2; ledger++)
      for (int b = 0; b < 5; b++) {
        ct_scene *scene = make_scene(ledger);
        play_spoilt(scene, &body_named(scene, "bar")->as.modal.v[1], wrong[w], blocks[b], out, raw);
        ct_fault fault = ct_scene_fault(scene);
        assert_true(fault.found && !ct_scene_finite(scene));
        assert_string_equal(fault.kind, "body");
        assert_string_equal(fault.name, "bar");
        assert_true(fault.sample >= 100 && fault.sample <= 104);
        check_silent(out, raw, fault.sample);
        assert_int_equal(ct_scene_counters(scene).nonfinite_samples, FRAMES - fault.sample);
        assert_int_equal(ct_scene_sample(scene), FRAMES);
        if (b > 0)
          assert_memory_equal(out, again, sizeof out);
        memcpy(again, out, sizeof out);
        ct_ledger l = ct_scene_ledger(scene);
        assert_true(!ledger || !ct_ledger_kept(&l));
        ct_scene_destroy(scene);
      }
}

/* Found on the next tick, though nobody listens. */
static void what_nobody_hears_is_found(void **state) {
  (void)state;
  static float out[FRAMES];
  ct_scene *scene = make_scene(false);
  play_spoilt(scene, &body_named(scene, "aside")->as.modal.x[0], NAN, 64, out, NULL);
  ct_fault fault = ct_scene_fault(scene);
  assert_true(fault.found);
  assert_string_equal(fault.name, "aside");
  assert_int_equal(fault.sample, 104);
  assert_true(out[102] != 0 && out[104] == 0 && out[FRAMES - 1] == 0);
  ct_scene_destroy(scene);
}

static void contacts_and_strings_are_watched(void **state) {
  (void)state;
  static float out[FRAMES];
  ct_scene *scene = make_scene(false);
  play_spoilt(scene, &scene->contacts[0].offset_m, -INFINITY, 64, out, NULL);
  ct_fault fault = ct_scene_fault(scene);
  assert_true(fault.found);
  assert_string_equal(fault.kind, "contact");
  assert_string_equal(fault.name, "strike");
  ct_scene_destroy(scene);

  scene = lab_scene(RATE, 0);
  lab_string(scene, "wire", ct_default_string_def(), (double[]){0.3}, 1);
  lab_pickup(scene, "ear", "wire.p0", CT_VELOCITY, 1);
  lab_settle(scene);
  lab_set(scene, "wire.p0.pluck_m", 1e-3, 0, 0);
  play_spoilt(scene, &body_named(scene, "wire")->as.string.plane[0].pole[0], NAN, 64, out, NULL);
  fault = ct_scene_fault(scene);
  assert_true(fault.found);
  assert_string_equal(fault.name, "wire");
  ct_scene_destroy(scene);
}

/* Finite in the scene, but too large for a float. */
static void too_loud_is_not_finite(void **state) {
  (void)state;
  static float out[FRAMES];
  ct_scene *scene = make_scene(false);
  play_spoilt(scene, &scene->pickups[0].full_scale, 1e-60, 64, out, NULL);
  ct_fault fault = ct_scene_fault(scene);
  assert_true(fault.found);
  assert_string_equal(fault.kind, "pickup");
  assert_string_equal(fault.name, "ear");
  assert_int_equal(fault.sample, 100);
  ct_scene_destroy(scene);
}

/* Parts still come and go, and a slot comes back. */
static void parts_leave_a_scene_that_stands_still(void **state) {
  (void)state;
  static float out[FRAMES];
  ct_error error = {0};
  ct_scene *scene = make_scene(true);
  play_spoilt(scene, &body_named(scene, "bar")->as.modal.v[0], NAN, 64, out, NULL);
  assert_int_equal(ct_scene_remove(scene, "bar", &error), CT_OK);
  for (int i = 0; i < 100; i++)
    ct_scene_process(scene, &(ct_io){.frames = 64});
  assert_int_equal(scene->parts[CT_PART_PICKUP].live, 0);
  assert_int_equal(scene->parts[CT_PART_BODY].live, 2);
  assert_false(ct_scene_finite(scene));
  ct_scene_destroy(scene);
}

static void the_judge_speaks(void **state) {
  (void)state;
  ct_error error = {0};
  for (int ledger = 0; ledger < 2; ledger++) {
    ct_scene *scene = make_scene(ledger);
    lab_step(scene, 1000);
    assert_int_equal(ct_scene_judge(scene, &error), CT_OK);
    scene->account.force.sum += 1e-9; /* a nanojoule that nobody brought */
    assert_int_equal(ct_scene_judge(scene, &error), ledger ? CT_BROKEN : CT_OK);
    if (ledger)
      assert_non_null(strstr(error.text, "account is broken: its error is -1e-09 J, rounding allows"));
    body_named(scene, "bar")->as.modal.v[0] = NAN;
    lab_step(scene, 8);
    assert_int_equal(ct_scene_judge(scene, &error), CT_NOT_FINITE);
    assert_string_equal(error.text, "body 'bar' stopped being finite at 0.0208333 s");
    ct_scene_destroy(scene);
  }
}

/* A sound scene stays so, and its account is kept; anything that is not a number is not. */
static void verdicts(void **state) {
  (void)state;
  ct_scene *scene = make_scene(true);
  lab_step(scene, 10000);
  assert_true(ct_scene_finite(scene));
  assert_false(ct_scene_fault(scene).found);
  ct_ledger l = ct_scene_ledger(scene);
  assert_true(ct_ledger_kept(&l));
  assert_true(l.allowance_j > 0 && l.allowance_j >= fabs(l.error_j));
  ct_ledger off = l;
  off.error_j = -1.001 * l.allowance_j;
  assert_false(ct_ledger_kept(&off));
  double *numbers[] = {&off.error_j, &off.allowance_j, &off.stored_j};
  for (int i = 0; i < 3; i++) {
    off = l;
    *numbers[i] = NAN;
    assert_false(ct_ledger_kept(&off));
    *numbers[i] = INFINITY;
    assert_false(ct_ledger_kept(&off));
  }
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sound_is_silent_from_there),
                                     cmocka_unit_test(what_nobody_hears_is_found),
                                     cmocka_unit_test(contacts_and_strings_are_watched),
                                     cmocka_unit_test(too_loud_is_not_finite),
                                     cmocka_unit_test(parts_leave_a_scene_that_stands_still),
                                     cmocka_unit_test(the_judge_speaks),
                                     cmocka_unit_test(verdicts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
