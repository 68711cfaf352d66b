/* ctest: slow
 * Friction beside friction and an impact on one body: not a bit may change with the order in which the parts
 * were added, with which end is called a, with the length of the blocks or with the ledger; and the account
 * closes. Calling the other end a turns the sign of what friction says of itself, v_a - v_b, and nothing
 * else. */
#include "support/lab.h"
#include "support/random_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 3000, TAPS = 9, FORCES = 4, DEFLECTIONS = 7, INPUTS = 3, RUBS = 2 };

/* A plate rubbed by a bow at one point, by a dragged block at another, tapped by a ball at a third. */
static const double gains[3][3] = {{1, 0.6, -0.4}, {0.3, -0.9, 0.8}, {-0.7, 0.5, 1}};

static void add_plate(ct_scene *scene) {
  const ct_mode_def modes[3] = {{310, 0.8, 0.03, 0, 0}, {742, 0.5, 0.02, 0, 0}, {1611, 0.3, 0.02, 0, 0}};
  ct_point_def points[3] = {{.name = "near", .gains = {gains[0], gains[1]}, .gain_count = 3},
                            {.name = "far", .gains = {gains[1]}, .gain_count = 3},
                            {.name = "top", .gains = {gains[2], gains[0]}, .gain_count = 3}};
  ct_modal_def def = ct_default_modal_def();
  def.name = "plate";
  def.modes = modes;
  def.mode_count = 3;
  def.points = points;
  def.point_count = 3;
  lab_body(scene, &def);
}

static ct_friction_def rub_of(int which, ct_law law) {
  ct_friction_def def = ct_default_friction_def();
  def.name = which ? "drag" : "bowing";
  def.a = which ? "block.at" : "bow.at";
  def.b = which ? "plate.far" : "plate.near";
  def.law = law;
  def.roughness_n = which ? 0.02 : 0;
  def.normal_n = which ? 0.7 : 0.4;
  return def;
}

static void add_rub(ct_scene *scene, int which, ct_law law, bool swap) {
  ct_error error = {0};
  ct_friction_def def = rub_of(which, law);
  const char *a = def.a;
  def.a = swap ? def.b : def.a;
  def.b = swap ? a : def.b;
  if (ct_added(ct_scene_add_friction(scene, &def, &error), &error) != CT_OK)
    fail_msg("%s", error.text);
}

static void add_tap(ct_scene *scene, bool swap) {
  ct_impact_def def =
      lab_law("tap", swap ? "plate.top" : "ball.at", swap ? "ball.at" : "plate.top", 1e7, 1.5, 0.3);
  def.from_above = !swap;
  lab_touch(scene, def);
}

static void add_body(ct_scene *scene, uint32_t which) {
  if (which == 0)
    add_plate(scene);
  else if (which == 1)
    lab_hand(scene, "bow", 0, 0);
  else if (which == 2)
    lab_mass(scene, "block", 0.05, 0, 0);
  else
    lab_mass(scene, "ball", 0.004, 0.002, -0.5);
}

static void shuffle(uint32_t *order, uint32_t count, random_state *r, bool really) {
  for (uint32_t i = 0; i < count; i++)
    order[i] = i;
  for (uint32_t i = count; really && i > 1; i--) {
    uint32_t j = random_below(r, i), swap = order[i - 1];
    order[i - 1] = order[j];
    order[j] = swap;
  }
}

/* Order 0 is as written; `turned` says which of the rubs have a and b exchanged. */
static ct_scene *build(ct_law law, uint64_t order, bool ledger, bool turned[RUBS]) {
  random_state r = {order};
  uint32_t bodies[4], contacts[3];
  ct_scene_def def = ct_default_scene_def();
  def.gravity_m_s2 = 0;
  def.ledger = ledger;
  ct_scene *scene = lab_scene_from(&def);
  shuffle(bodies, 4, &r, order != 0);
  shuffle(contacts, 3, &r, order != 0);
  for (int i = 0; i < 4; i++)
    add_body(scene, bodies[i]);
  for (int i = 0; i < 3; i++) {
    bool swap = order != 0 && random_unit(&r) < 0.5;
    if (contacts[i] < RUBS)
      add_rub(scene, (int)contacts[i], law, turned[contacts[i]] = swap);
    else
      add_tap(scene, swap);
  }
  lab_settle(scene);
  return scene;
}

/* ---- playing it ---- */

typedef struct tape {
  double values[TAPS][FRAMES];
} tape;

typedef struct gesture {
  double values[INPUTS]
               [FRAMES]; /* bow speed, push on the block, normal force of the bow, negative at times */
} gesture;

static void make_gesture(gesture *g) {
  for (int n = 0; n < FRAMES; n++) {
    g->values[0][n] = 0.15 * sin(n / 300.0);
    g->values[1][n] = 0.5 + 0.4 * sin(n / 97.0);
    g->values[2][n] = 0.6 * sin(n / 211.0) + 0.3;
  }
}

static const char *const tap_paths[TAPS] = {"plate.near.tangential_x_m",
                                            "plate.top.v_m_s",
                                            "block.at.v_m_s",
                                            "ball.at.x_m",
                                            "bowing.force_n",
                                            "drag.force_n",
                                            "tap.force_n",
                                            "bowing.deflection_m",
                                            "drag.deflection_m"};
static const char *const input_paths[INPUTS] = {"bow.tangential_v_m_s", "block.at.tangential_force_n",
                                                "bowing.normal_n"};

static void play(ct_scene *scene, uint32_t block, const gesture *g, tape *t) {
  for (uint32_t at = 0; at < FRAMES; at += block) {
    ct_tap taps[TAPS];
    ct_input inputs[INPUTS];
    for (int i = 0; i < TAPS; i++)
      taps[i] = (ct_tap){lab_handle(scene, tap_paths[i]), t->values[i] + at};
    for (int i = 0; i < INPUTS; i++)
      inputs[i] = (ct_input){lab_handle(scene, input_paths[i]), g->values[i] + at};
    ct_scene_process(scene, &(ct_io){.frames = FRAMES - at < block ? FRAMES - at : block,
                                     .taps = taps,
                                     .tap_count = TAPS,
                                     .inputs = inputs,
                                     .input_count = INPUTS});
  }
}

static void send_messages(ct_scene *scene) {
  lab_set(scene, "drag.bristle_n_m", 1e5, 0.003, 701);
  lab_set(scene, "bowing.mu_static", 0.9, 0.01, 1003);
  lab_set(scene, "drag.roughness_n", 0.1, 0.001, 1500);
  lab_set(scene, "drag.normal_n", 0, 0, 2001);
  lab_set(scene, "drag.normal_n", 1.5, 0.002, 2100);
  lab_set(scene, "ball.modes.0.v_m_s", -0.7, 0, 1800);
}

static double peak(const double *values) {
  double most = 0;
  for (int n = 0; n < FRAMES; n++)
    most = fmax(most, fabs(values[n]));
  return most;
}

static void play_once(ct_law law, uint64_t order, bool ledger, uint32_t block, const gesture *g, tape *t) {
  bool turned[RUBS];
  ct_scene *scene = build(law, order, ledger, turned);
  send_messages(scene);
  play(scene, block, g, t);
  for (int i = 0; i < RUBS; i++)
    for (int n = 0; turned[i] && n < FRAMES; n++) {
      t->values[FORCES + i][n] *= -1;
      t->values[DEFLECTIONS + i][n] *= -1;
    }
  if (ledger)
    assert_true(lab_ledger_error(scene) < 1e-12);
  assert_true(ct_scene_counters(scene).most_friction_evaluations <= 80);
  ct_scene_destroy(scene);
}

static void same(const tape *a, const tape *b, ct_law law, const char *why) {
  for (int i = 0; i < TAPS; i++)
    for (int n = 0; n < FRAMES; n++)
      if (!(a->values[i][n] == b->values[i][n]))
        fail_msg("law %d, %s: %s differs at sample %d: %.17g against %.17g", (int)law, why, tap_paths[i], n,
                 a->values[i][n], b->values[i][n]);
}

static void nothing_changes(void **state) {
  (void)state;
  const uint32_t blocks[] = {1, 7, 64, 4096};
  gesture *g = malloc(sizeof *g);
  tape *first = calloc(1, sizeof *first), *again = calloc(1, sizeof *again);
  make_gesture(g);
  for (int k = CT_ELASTO_PLASTIC; k <= CT_THERMAL; k++) {
    ct_law law = (ct_law)k;
    play_once(law, 0, false, FRAMES, g, first);
    for (uint64_t order = 1; order <= 12; order++) {
      play_once(law, order, false, FRAMES, g, again);
      same(first, again, law, "another order");
    }
    for (int i = 0; i < 4; i++) {
      play_once(law, 0, false, blocks[i], g, again);
      same(first, again, law, "another block size");
    }
    play_once(law, 0, true, FRAMES, g, again);
    same(first, again, law, "with a ledger");
    printf("law %d: plate %.3g m, bow %.3g N, block %.3g N, tap %.3g N\n", k, peak(first->values[0]),
           peak(first->values[4]), peak(first->values[5]), peak(first->values[6]));
    for (int i = FORCES; i < DEFLECTIONS; i++)
      assert_true(peak(first->values[i]) > 0.05);
  }
  free(g);
  free(first);
  free(again);
}

/* Left alone, the same three contacts only lose: stored energy never rises. */
static void left_alone(void **state) {
  (void)state;
  for (int law = CT_ELASTO_PLASTIC; law <= CT_THERMAL; law++) {
    bool turned[RUBS];
    ct_scene *scene = build((ct_law)law, 0, true, turned);
    lab_set(scene, "drag.roughness_n", 0, 0, 0);
    lab_set(scene, "block.modes.0.v_m_s", 0.4, 0, 0);
    lab_set(scene, "plate.modes.1.v_m_s", 0.5, 0, 0);
    lab_step(scene, 1);
    double start = ct_scene_ledger(scene).stored_j, before = start;
    for (int n = 0; n < FRAMES; n++) {
      lab_step(scene, 1);
      ct_ledger l = ct_scene_ledger(scene);
      assert_true(l.stored_j - before < 1e-14 * l.scale_j);
      before = l.stored_j;
    }
    assert_true(before < 0.9 * start);
    assert_true(lab_ledger_error(scene) < 1e-12);
    ct_scene_destroy(scene);
  }
}

/* Contacts side by side with a share of everything each are one contact: the passes over many lambdas arrive.
 */
static void rub_in_parts(int parts, double *v, uint32_t count) {
  const ct_mode_def modes[2] = {{529.3, 1.5, 0.02, 0, 0}, {1368, 1, 0.02, 0, 0}};
  ct_scene *scene = lab_scene(44100, 0);
  ct_error error = {0};
  lab_modal(scene, "body", modes, 2);
  lab_hand(scene, "bow", 0, 0);
  for (int i = 0; i < parts; i++) {
    char name[2] = {(char)('p' + i), 0};
    ct_friction_def def = ct_default_friction_def();
    def.name = name;
    def.a = "bow.at";
    def.b = "body.at";
    def.bristle_n_m = 1e6 / parts;
    def.bristle_damping_n_s_m = 0.3 / parts;
    def.normal_n = 2.0 / parts;
    if (ct_added(ct_scene_add_friction(scene, &def, &error), &error) != CT_OK)
      fail_msg("%s", error.text);
  }
  lab_settle(scene);
  lab_set(scene, "bow.tangential_v_m_s", 0.1, 0, 0);
  lab_record(scene, "body.at.v_m_s", v, count);
  ct_scene_destroy(scene);
}

static void parts_make_a_whole(void **state) {
  (void)state;
  static double one[4410], many[4410];
  rub_in_parts(1, one, 4410);
  for (int parts = 2; parts <= 4; parts++) {
    rub_in_parts(parts, many, 4410);
    double apart = lab_relative_rms(many, one, 4410);
    printf("%d contacts instead of one: velocity %.2e apart\n", parts, apart);
    assert_true(apart < 1e-6);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_changes), cmocka_unit_test(left_alone),
                                     cmocka_unit_test(parts_make_a_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
