/* ctest: slow timeout=1800
 * What is removed while it presses, rubs or rolls lets go: no click, and the account is kept. Every part of
 * every built-in scene is taken out in the middle of its demo. */
#include "file/builtin.h"
#include "support/lab.h"
#include "support/long_run.h"
#include "support/play.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 48000.0
enum { FRAMES = 48000 };

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

static bool kept(const ct_scene *scene) {
  ct_ledger l = ct_scene_ledger(scene);
  return ct_ledger_kept(&l);
}

/* ---- by hand ---- */

static void add_bar(ct_scene *scene) {
  ct_mode_def modes[] = {{.hz = 440, .t60_s = 1, .mass_kg = 0.1, .v_m_s = 0.2},
                         {.hz = 1210, .t60_s = 0.7, .mass_kg = 0.1, .v_m_s = 0.1}};
  lab_modal(scene, "bar", modes, 2);
  lab_pickup(scene, "ear", "bar.at", CT_VELOCITY, 1);
}

/* A hammer held against a ringing bar by a force. */
static ct_scene *pressed(double force_n) {
  ct_scene *scene = lab_scene(RATE, 0);
  add_bar(scene);
  lab_mass(scene, "hammer", 0.02, 0, 0);
  lab_touch(scene, lab_law("press", "hammer.at", "bar.at", 1e6, 1.5, 1));
  lab_settle(scene);
  lab_set(scene, "hammer.at.force_n", force_n, 0.2, 0);
  return scene;
}

/* A hand that rubs it. */
static ct_scene *rubbed(double normal_n) {
  ct_scene *scene = lab_scene(RATE, 0);
  add_bar(scene);
  lab_hand(scene, "hand", 0, 0);
  ct_friction_def rub = ct_default_friction_def();
  rub.normal_n = normal_n;
  rub.viscous_n_s_m = 0.5;
  lab_rub(scene, "rub", "hand.at", "bar.at", rub);
  lab_settle(scene);
  lab_set(scene, "hand.tangential_v_m_s", 0.1, 0, 0);
  return scene;
}

static double raw[FRAMES];

/* Half a second with a part, half a second without. */
static void listen_without(ct_scene *scene, const char *name) {
  double *raws[] = {raw};
  ct_error error = {0};
  ct_scene_process(scene, &(ct_io){.frames = FRAMES / 2, .raw = raws});
  must(ct_scene_remove(scene, name, &error), &error);
  raws[0] += FRAMES / 2;
  ct_scene_process(scene, &(ct_io){.frames = FRAMES / 2, .raw = raws});
  assert_true(kept(scene));
}

/* The largest change of the velocity's slope from one sample to the next. */
static double sharpest(int first, int count) {
  double most = 0;
  for (int n = first; n < first + count; n++)
    most = fmax(most, fabs(raw[n + 1] - 2 * raw[n] + raw[n - 1]));
  return most;
}

/* A force taken away at once changes the slope by F sum 1/m h; a hundredth of that is let pass, and what the
 * sound had before. */
static void check(const char *what, ct_scene *scene, const char *name, double force_n) {
  listen_without(scene, name);
  double step = force_n * (1 / 0.1 + 1 / 0.1) / RATE, before = sharpest(FRAMES / 2 - 4000, 3990),
         after = sharpest(FRAMES / 2 - 2, 4000);
  double worst = ct_measure_worst_click(raw + FRAMES / 4, FRAMES - FRAMES / 4, RATE, NULL, 0).strength_db;
  printf("%-20s %5g N: %.2g of a step, %.2g before; %5.1f dB (a click is %g)\n", what, force_n, after / step,
         before / step, worst, CT_MEASURE_CLICK_DB);
  assert_true(worst < CT_MEASURE_CLICK_DB);
  assert_true(after < 0.01 * step + 1.2 * before);
  ct_scene_destroy(scene);
}

static void what_presses_lets_go(void **state) {
  (void)state;
  static const double forces_n[] = {0.1, 1, 10, 100};
  for (int i = 0; i < 4; i++) {
    check("a pressed hammer", pressed(forces_n[i]), "hammer", forces_n[i]);
    check("  its contact", pressed(forces_n[i]), "press", forces_n[i]);
    check("  the bar it presses", pressed(forces_n[i]), "bar", forces_n[i]);
    check("a rubbing hand", rubbed(forces_n[i]), "hand", forces_n[i]);
    check("  its contact", rubbed(forces_n[i]), "rub", forces_n[i]);
  }
}

/* A drive lets go over 30 ms; its contact may be taken away meanwhile, pressed or not, and somebody else may
 * have its place. */
static void a_drive_outlives_nobody(void **state) {
  (void)state;
  ct_error error = {0};
  for (int apart = 0; apart < 2; apart++) {
    ct_scene *s = lab_scene(RATE, 9.81);
    add_bar(s);
    lab_mass(s, "ball", 0.02, apart ? 0.1 : 0, 0);
    ct_impact_def law = lab_law("touch", "ball.at", "bar.at", 1e6, 1.5, 1);
    law.from_above = true;
    lab_touch(s, law);
    ct_surface_def floor = ct_default_surface_def();
    floor.name = "floor";
    must(ct_added(ct_scene_add_surface(s, &floor, &error), &error), &error);
    ct_drive_def roll = ct_default_drive_def();
    roll.name = "roll";
    roll.contact = "touch";
    roll.surface = "floor";
    roll.free = true;
    roll.v_m_s = 0.5;
    must(ct_added(ct_scene_add_drive(s, &roll, &error), &error), &error);
    lab_step(s, 100);
    must(ct_scene_remove(s, "roll", &error), &error);
    lab_step(s, 10);
    must(ct_scene_remove(s, "touch", &error), &error);
    lab_step(s, 1);
    if (apart) { /* the contact has gone at once, and the drive with it: nobody holds the floor */
      must(ct_scene_remove(s, "floor", &error), &error);
      must(ct_added(ct_scene_add_surface(s, &floor, &error), &error), &error);
    }
    must(ct_scene_remove(s, "ball", &error), &error);
    lab_step(s, 3000);
    lab_mass(s, "other", 0.02, 0, 0);
    lab_step(s, 3000);
    must(ct_scene_remove(s, "floor", &error), &error);
    lab_step(s, 10);
    assert_true(kept(s));
    ct_scene_destroy(s);
  }
}

/* ---- built-in scenes ---- */

typedef struct trial {
  const char *scene, *part;
  double at_s, heard_s, seconds;
} trial;

static double *mono(ct_render *r, const trial *t, size_t *count) {
  double *sound = calloc((size_t)ct_render_frames(r) + 1, sizeof *sound);
  ct_error error = {0};
  ct_render_block b;
  bool removed = false;
  *count = 0;
  for (;;) {
    if (t->part && !removed && (double)*count >= t->at_s * RATE) {
      must(ct_scene_remove(ct_render_scene(r), t->part, &error), &error);
      removed = true;
    }
    must(ct_render_next(r, &b, &error), &error);
    if (!b.frames)
      return sound;
    for (uint32_t i = 0; i < b.frames; i++)
      sound[(*count)++] = b.raw[0][i];
  }
}

/* Within 40 ms before and 80 ms after the removal. */
static double click_near_db(const trial *t) {
  ct_error error = {0};
  ct_render *r = NULL;
  ct_doc *doc = play_open(t->scene, NULL);
  must(ct_render_open(doc, &(ct_render_def){.seconds = t->seconds, .raw = true, .ledger = true, .seed = 1},
                      &r, &error),
       &error);
  size_t count;
  double *sound = mono(r, t, &count);
  size_t from = (size_t)((t->heard_s - 0.04) * RATE), length = (size_t)(0.12 * RATE);
  double strength = ct_measure_worst_click(sound + from, length, RATE, NULL, 0).strength_db;
  if (!kept(ct_render_scene(r)))
    fail_msg("%s without %s: the account is not kept", t->scene, t->part ? t->part : "-");
  free(sound);
  ct_render_close(r);
  ct_doc_destroy(doc);
  return strength;
}

/* What sounds on may have clicks of its own, which the part has drowned: those are there as well when it was
 * taken out long before. */
static int take_out(const char *scene, const char *part, double at_s, double whole_db) {
  double db = click_near_db(&(trial){scene, part, at_s, at_s, at_s + 0.1});
  bool good = db < CT_MEASURE_CLICK_DB || db < whole_db + 3;
  if (!good)
    good = db < click_near_db(&(trial){scene, part, at_s / 2, at_s, at_s + 0.1}) + 3;
  printf("%-10s %-12s at %.2f s %6.1f dB, with it %6.1f%s\n", scene, part, at_s, db, whole_db,
         good ? "" : "   <-- clicks");
  return !good;
}

static int take_all_out(const char *scene, double at_s) {
  ct_doc *doc = play_open(scene, NULL);
  double whole_db = click_near_db(&(trial){scene, NULL, at_s, at_s, at_s + 0.1});
  int wrong = 0;
  for (uint32_t i = 0; i < ct_doc_contact_count(doc); i++)
    wrong += take_out(scene, ct_doc_contact_name(doc, i), at_s, whole_db);
  for (uint32_t i = 0; i < ct_doc_drive_count(doc); i++)
    wrong += take_out(scene, ct_doc_drive_name(doc, i), at_s, whole_db);
  for (uint32_t i = 0; i < ct_doc_body_count(doc); i++)
    wrong += take_out(scene, ct_doc_body_name(doc, i), at_s, whole_db);
  ct_doc_destroy(doc);
  return wrong;
}

static void parts_of_scenes_let_go(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < ct_builtin_scene_count; i++)
    for (double at_s = 0.4; at_s < (long_run() ? 4 : 0.5); at_s += 0.3)
      wrong += take_all_out(ct_builtin_scenes[i].name, at_s);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_presses_lets_go),
      cmocka_unit_test(a_drive_outlives_nobody),
      cmocka_unit_test(parts_of_scenes_let_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
