/* Parts by id: what adding returns, what takes it, and that one who was removed is nobody ever after. */
#include "scene/scene.h"
#include "support/lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 4000 };

static ct_error error;

static ct_id some(ct_id id) {
  if (ct_id_is_none(id))
    fail_msg("%s", error.text);
  return id;
}

/* ---- one scene, said twice ---- */

static const ct_mode_def bar_modes[] = {{.hz = 440, .t60_s = 1, .mass_kg = 0.1},
                                        {.hz = 1210, .t60_s = 0.7, .mass_kg = 0.1}};
static const double far_gains[] = {0.5, -0.3};

static ct_id add_bar(ct_scene *s, bool named) {
  ct_point_def points[] = {{.name = named ? "hit" : NULL},
                           {.name = named ? "far" : NULL, .gains = {far_gains}, .gain_count = 2}};
  ct_modal_def def = ct_default_modal_def();
  def.name = named ? "a_bar" : NULL;
  def.modes = bar_modes;
  def.mode_count = def.point_count = 2;
  def.points = points;
  return some(ct_scene_add_modal(s, &def, &error));
}

static ct_id add_ball(ct_scene *s, bool named) {
  ct_mode_def mode = {.mass_kg = 0.02, .x_m = 1e-3};
  ct_point_def point = {.name = named ? "at" : NULL};
  ct_modal_def def = ct_default_modal_def();
  def.name = named ? "b_ball" : NULL;
  def.modes = &mode;
  def.points = &point;
  def.mode_count = def.point_count = 1;
  return some(ct_scene_add_modal(s, &def, &error));
}

/* A ball that rolls on a bar, and a hand that rubs it; the first impact presses the rub. */
static ct_scene *build(bool named) {
  ct_scene *s = lab_scene(48000, 9.81);
  ct_id bar = add_bar(s, named), ball = add_ball(s, named);
  ct_hand_def hand_def = ct_default_hand_def();
  hand_def.name = named ? "c_hand" : "";
  hand_def.v_m_s[CT_TANGENTIAL] = 0.1;
  ct_id hand = some(ct_scene_add_hand(s, &hand_def, &error));

  ct_impact_def touch = ct_default_impact_def();
  touch.from_above = true;
  ct_friction_def rub = ct_default_friction_def();
  ct_surface_def floor = ct_default_surface_def();
  ct_drive_def roll = ct_default_drive_def();
  ct_pickup_def ears[2] = {ct_default_pickup_def(), ct_default_pickup_def()};
  roll.v_m_s = 0.5;
  roll.free = true;
  ears[0].listen = CT_VELOCITY;
  ears[1].listen = CT_FORCE;
  if (named) {
    touch.name = "touch", touch.a = "b_ball.at", touch.b = "a_bar.hit";
    rub.name = "rub", rub.a = "c_hand.at", rub.b = "a_bar.far", rub.normal_from = "touch";
    floor.name = "floor";
    roll.name = "roll", roll.contact = "touch", roll.surface = "floor", roll.rim = "a_bar.far";
    ears[0].name = "ear", ears[0].at = "a_bar.far";
    ears[1].name = "push", ears[1].at = "touch";
  } else {
    touch.a_id = (ct_point_id){ball, 0};
    touch.b_id = (ct_point_id){bar, 0};
    rub.a_id = (ct_point_id){hand, 0};
    rub.b_id = roll.rim_id = ears[0].at_id = (ct_point_id){bar, 1};
  }
  ct_id contact = some(ct_scene_add_impact(s, &touch, &error));
  if (!named)
    rub.normal_id = roll.contact_id = ears[1].contact_id = contact;
  some(ct_scene_add_friction(s, &rub, &error));
  ct_id surface = some(ct_scene_add_surface(s, &floor, &error));
  if (!named)
    roll.surface_id = surface;
  some(ct_scene_add_drive(s, &roll, &error));
  for (int i = 0; i < 2; i++)
    some(ct_scene_add_pickup(s, &ears[i], &error));
  return s;
}

/* Ids and names say the same; the names of those without one come in the order of their slots. */
static void without_a_name_it_sounds_alike(void **state) {
  (void)state;
  static double sound[2][FRAMES];
  for (int named = 0; named < 2; named++) {
    ct_scene *s = build(named);
    double *raws[] = {sound[named], NULL};
    ct_scene_process(s, &(ct_io){.frames = FRAMES, .raw = raws});
    assert_true(lab_ledger_error(s) < 1e-12);
    ct_scene_destroy(s);
  }
  double most = 0;
  for (int n = 0; n < FRAMES; n++)
    most = sound[0][n] > most ? sound[0][n] : most;
  assert_true(most > 1e-6);
  assert_memory_equal(sound[0], sound[1], sizeof sound[0]);
}

/* ---- who is who ---- */

static void ids_find_their_parts(void **state) {
  (void)state;
  ct_scene *s = lab_scene(48000, 0);
  int mine = 1, other = 2;
  ct_id bar = add_bar(s, true), ball = add_ball(s, false);
  assert_string_equal(ct_scene_name(s, bar), "a_bar");
  assert_string_equal(ct_scene_name(s, ball), "body#1");
  ct_id found = ct_scene_find(s, "a_bar");
  assert_memory_equal(&found, &bar, sizeof bar);
  assert_true(ct_id_is_none(ct_scene_find(s, "nobody")));
  assert_null(ct_scene_user_data(s, bar));
  lab_must(ct_scene_set_user_data(s, bar, &mine, &error), &error);
  ct_hand_def hand = ct_default_hand_def();
  hand.user_data = &other;
  ct_id third = some(ct_scene_add_hand(s, &hand, &error));
  assert_ptr_equal(ct_scene_user_data(s, bar), &mine);
  assert_ptr_equal(ct_scene_user_data(s, third), &other);

  ct_handle by_id, by_name;
  lab_must(ct_scene_resolve_in(s, bar, "modes.1.hz", &by_id, &error), &error);
  lab_must(ct_scene_resolve(s, "a_bar.modes.1.hz", &by_name, &error), &error);
  assert_memory_equal(&by_id, &by_name, sizeof by_id);
  lab_must(ct_scene_resolve_in(s, ball, "points.#0.x_m", &by_id, &error), &error);
  lab_must(ct_scene_resolve(s, "body#1.#0.x_m", &by_name, &error), &error);
  assert_memory_equal(&by_id, &by_name, sizeof by_id);
  lab_settle(s);
  assert_true(ct_scene_get(s, by_id) == 1e-3);
  assert_int_equal(ct_scene_resolve_in(s, ball, "no.such", &by_id, &error), CT_BAD_PATH);
  ct_scene_destroy(s);
}

static void a_name_cannot_look_like_a_made_one(void **state) {
  (void)state;
  ct_scene *s = lab_scene(48000, 0);
  ct_hand_def hand = ct_default_hand_def();
  hand.name = "body#0";
  assert_true(ct_id_is_none(ct_scene_add_hand(s, &hand, &error)));
  assert_int_equal(error.code, CT_BAD_VALUE);
  ct_scene_destroy(s);
}

/* ---- the dead ---- */

static void the_removed_are_nobody(void **state) {
  (void)state;
  ct_scene *s = lab_scene(48000, 0);
  ct_id bar = add_bar(s, true), ball = add_ball(s, true);
  ct_handle hz;
  lab_must(ct_scene_resolve_in(s, bar, "modes.0.hz", &hz, &error), &error);
  lab_settle(s);
  lab_must(ct_scene_remove_id(s, bar, &error), &error);
  assert_false(ct_scene_has(s, bar));
  assert_string_equal(ct_scene_name(s, bar), "");
  assert_null(ct_scene_user_data(s, bar));
  assert_int_equal(ct_scene_remove_id(s, bar, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_scene_set_user_data(s, bar, NULL, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_scene_resolve_in(s, bar, "modes.0.hz", &hz, NULL), CT_BAD_ARGUMENT);
  lab_step(s, 10);

  ct_id again = add_bar(s, true); /* in its slot, by its name */
  assert_int_equal(again.index, bar.index);
  assert_true(again.generation != bar.generation);
  assert_false(ct_scene_has(s, bar));
  lab_step(s, 10);
  assert_true(ct_scene_get(s, hz) == 0);
  lab_must(ct_scene_set(s, hz, 300, 0, 0, &error), &error); /* reaches nobody */
  lab_step(s, 100);
  assert_true(lab_get(s, "a_bar.modes.0.hz") == 440);

  ct_impact_def touch = ct_default_impact_def();
  touch.a_id = (ct_point_id){ball, 0};
  touch.b_id = (ct_point_id){bar, 0};
  assert_true(ct_id_is_none(ct_scene_add_impact(s, &touch, &error)));
  assert_string_equal(error.text, "contact 'contact#0': a place on what is no body, or was removed");
  touch.b_id = (ct_point_id){again, 2};
  assert_true(ct_id_is_none(ct_scene_add_impact(s, &touch, &error)));
  assert_string_equal(error.text, "contact 'contact#0': there is no point 2 on body 'a_bar', which has 2");
  touch.b_id = touch.a_id;
  assert_true(ct_id_is_none(ct_scene_add_impact(s, &touch, &error)));
  touch.b_id = (ct_point_id){again, 1};
  ct_id contact = some(ct_scene_add_impact(s, &touch, &error));
  touch.a_id.body = contact; /* no body at all */
  assert_true(ct_id_is_none(ct_scene_add_impact(s, &touch, &error)));
  ct_scene_destroy(s);
}

static void nonsense_is_nobody(void **state) {
  (void)state;
  ct_scene *s = lab_scene(48000, 0);
  add_bar(s, true);
  for (uint32_t i = 0; i < 100000; i++) {
    ct_id id = {i * 2654435761u, i % 3};
    assert_false(ct_scene_has(s, id) && (id.index != 0 || id.generation != 1));
  }
  assert_false(ct_scene_has(NULL, (ct_id){0, 1}));
  ct_scene_destroy(s);
}

/* A slot that has had all the parts it can count is given to nobody else. */
static void a_full_count_retires_a_slot(void **state) {
  (void)state;
  ct_scene_def def = ct_default_scene_def();
  def.bodies = 2;
  ct_scene *s = lab_scene_from(&def);
  s->bodies[0].generation = UINT32_MAX - 1;
  ct_id last = add_bar(s, true);
  assert_int_equal(last.generation, UINT32_MAX);
  lab_settle(s);
  lab_must(ct_scene_remove_id(s, last, &error), &error);
  lab_settle(s);
  ct_id next = add_bar(s, true);
  assert_int_equal(next.index, 1);
  ct_hand_def hand = ct_default_hand_def();
  assert_true(ct_id_is_none(ct_scene_add_hand(s, &hand, &error)));
  assert_int_equal(error.code, CT_FULL);
  assert_false(ct_scene_has(s, last));
  ct_scene_destroy(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_a_name_it_sounds_alike),
      cmocka_unit_test(ids_find_their_parts),
      cmocka_unit_test(a_name_cannot_look_like_a_made_one),
      cmocka_unit_test(the_removed_are_nobody),
      cmocka_unit_test(nonsense_is_nobody),
      cmocka_unit_test(a_full_count_retires_a_slot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
