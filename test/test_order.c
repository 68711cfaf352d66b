/* ctest: slow
 * What must not change a single bit: the order in which bodies and contacts were added, which end of a
 * contact is called a, how long the blocks are, and whether the ledger is kept. */
#include "scene/scene.h"
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
#include <string.h>

enum { FRAMES = 300, MOST_TAPS = RANDOM_BODIES * RANDOM_POINTS * 2 + RANDOM_CONTACTS * 2 };

/* Everything readable of a random scene, in the order of the paper it was written on. */
typedef struct listing {
  uint32_t count;
  char paths[MOST_TAPS][64];
} listing;

static void list_path(listing *l, const char *owner, const char *point, const char *state) {
  snprintf(l->paths[l->count++], sizeof l->paths[0], "%s%s%s.%s", owner, *point ? "." : "", point, state);
}

static void list_all(const random_scene *s, listing *l) {
  l->count = 0;
  for (uint32_t i = 0; i < s->body_count; i++)
    for (uint32_t p = 0; p < (s->bodies[i].hand ? 1 : s->bodies[i].point_count); p++) {
      const char *point = s->bodies[i].hand ? "at" : s->bodies[i].point_names[p];
      list_path(l, s->bodies[i].name, point, "x_m");
      list_path(l, s->bodies[i].name, point, "v_m_s");
    }
  for (uint32_t i = 0; i < s->contact_count; i++) {
    list_path(l, s->contacts[i].name, "", "force_n");
    list_path(l, s->contacts[i].name, "", "compression_m");
  }
}

typedef struct tape {
  double values[MOST_TAPS][FRAMES];
} tape;

static void record_all(ct_scene *scene, const listing *l, uint32_t block, const ct_input *inputs,
                       uint32_t input_count, tape *out) {
  ct_tap taps[MOST_TAPS];
  ct_input shifted[8];
  for (uint32_t done = 0; done < FRAMES; done += block) {
    uint32_t frames = FRAMES - done < block ? FRAMES - done : block;
    for (uint32_t i = 0; i < l->count; i++)
      taps[i] = (ct_tap){lab_handle(scene, l->paths[i]), out->values[i] + done};
    for (uint32_t i = 0; i < input_count; i++)
      shifted[i] = (ct_input){inputs[i].handle, inputs[i].values + done};
    ct_scene_process(scene, &(ct_io){.frames = frames,
                                     .taps = taps,
                                     .tap_count = l->count,
                                     .inputs = shifted,
                                     .input_count = input_count});
  }
}

static void same_tape(const listing *l, const tape *a, const tape *b, uint64_t seed, const char *why) {
  for (uint32_t i = 0; i < l->count; i++)
    for (uint32_t n = 0; n < FRAMES; n++)
      if (memcmp(&a->values[i][n], &b->values[i][n], sizeof(double)) != 0)
        fail_msg("seed %llu, %s: %s differs at sample %u: %.17g against %.17g", (unsigned long long)seed, why,
                 l->paths[i], n, a->values[i][n], b->values[i][n]);
}

typedef struct sets {
  random_scene *paper;
  listing *list;
  tape first, again;
  uint32_t touched;
} sets;

static sets *new_sets(void) {
  sets *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->paper = calloc(1, sizeof *s->paper);
  s->list = calloc(1, sizeof *s->list);
  return s;
}

static void free_sets(sets *s) {
  free(s->paper);
  free(s->list);
  free(s);
}

static void count_touched(sets *s) {
  for (uint32_t i = 0; i < s->list->count; i++)
    for (uint32_t n = 0; strstr(s->list->paths[i], ".force_n") && n < FRAMES; n++)
      if (s->first.values[i][n] > 0) {
        s->touched++;
        return;
      }
}

/* The scene as written, then built in `order`, its ledger kept or not. */
static void compare(sets *s, uint64_t seed, uint64_t order, bool ledger, const char *why) {
  ct_scene *scene = random_scene_build(s->paper, order, ledger);
  record_all(scene, s->list, FRAMES, NULL, 0, &s->again);
  same_tape(s->list, &s->first, &s->again, seed, why);
  ct_scene_destroy(scene);
}

static void begin(sets *s, uint64_t seed, random_limits limits) {
  random_scene_make(s->paper, seed, limits);
  list_all(s->paper, s->list);
  ct_scene *scene = random_scene_build(s->paper, 0, false);
  record_all(scene, s->list, FRAMES, NULL, 0, &s->first);
  ct_scene_destroy(scene);
  count_touched(s);
}

static void order_does_not_matter(void **state) {
  (void)state;
  sets *s = new_sets();
  for (uint64_t seed = 1; seed <= 120; seed++) {
    random_limits wild = {1e-9, 1e3, 1e2, 1e14}, usual = {1e-3, 1, 1e4, 1e10};
    begin(s, seed, seed % 3 ? usual : wild);
    for (uint64_t order = 1; order <= 4; order++)
      compare(s, seed, seed * 1000 + order, false, "another order");
  }
  printf("120 scenes in 4 other orders each, %u of them with forces: identical\n", s->touched);
  assert_true(s->touched > 40);
  free_sets(s);
}

static void ledger_does_not_matter(void **state) {
  (void)state;
  sets *s = new_sets();
  for (uint64_t seed = 501; seed <= 540; seed++) {
    begin(s, seed, (random_limits){1e-3, 1, 1e4, 1e10});
    compare(s, seed, 0, true, "with a ledger");
  }
  printf("40 scenes with and without ledger, %u of them with forces: identical\n", s->touched);
  assert_true(s->touched > 15);
  free_sets(s);
}

/* ---- blocks */

static void blocks_of_random_scenes(void **state) {
  (void)state;
  const uint32_t sizes[] = {1, 7, 64, 4096};
  sets *s = new_sets();
  for (uint64_t seed = 901; seed <= 930; seed++) {
    begin(s, seed, (random_limits){1e-3, 1, 1e4, 1e10});
    for (int k = 0; k < 4; k++) {
      ct_scene *scene = random_scene_build(s->paper, 0, false);
      record_all(scene, s->list, sizes[k], NULL, 0, &s->again);
      same_tape(s->list, &s->first, &s->again, seed, "another block size");
      ct_scene_destroy(scene);
    }
  }
  assert_true(s->touched > 10);
  free_sets(s);
}

/* A played scene: a tile that is struck, pushed, tapped by a moving hand at a moving place, retuned and
 * hardened on the way. */
enum { LONG = 9000, PLACES = 33 };

static void add_tile(ct_scene *scene) {
  ct_mode_def modes[5];
  double table[5 * PLACES];
  for (int i = 0; i < 5; i++) {
    modes[i] = (ct_mode_def){.hz = 310 * (i + 1) * (1 + 0.07 * i), .t60_s = 0.7 / (i + 1), .mass_kg = 0.03};
    for (int k = 0; k < PLACES; k++)
      table[i * PLACES + k] = sin((i + 1) * M_PI * (k + 1) / (PLACES + 1));
  }
  const double rows[2][5] = {{1, 0.5, -0.5, 0.2, 0.9}, {0.3, 1, 0.1, -0.7, 0.2}};
  ct_point_def points[2] = {{.name = "left", .gains = {rows[0], rows[1]}, .gain_count = 5, .place_u = 0.2},
                            {.name = "right", .gains = {rows[1]}, .gain_count = 5, .place_u = 0.7}};
  ct_modal_def def = ct_default_modal_def();
  def.name = "tile";
  def.modes = modes;
  def.mode_count = 5;
  def.points = points;
  def.point_count = 2;
  def.shape.u = table;
  def.shape.u_count = PLACES;
  lab_body(scene, &def);
}

static void add_hardness(ct_scene *scene) {
  ct_error error = {0};
  ct_target_def targets[2] = {{.path = "tap.stiffness", .from = 1e5, .to = 1e8, .scale = CT_LOG},
                              {.path = "press.gap_m", .from = 0, .to = -1e-5}};
  ct_control_def def = ct_default_control_def();
  def.name = "hardness";
  def.targets = targets;
  def.target_count = 2;
  if (ct_scene_add_control(scene, &def, &error) != CT_OK)
    fail_msg("%s", error.text);
}

static void add_ears(ct_scene *scene, bool backwards) {
  for (int i = 0; i < 3; i++)
    switch (backwards ? 2 - i : i) {
    case 0:
      lab_pickup(scene, "ear", "tile.right", CT_VELOCITY, 0.5);
      break;
    case 1:
      lab_pickup(scene, "skin", "tap", CT_FORCE, 20);
      break;
    default:
      lab_pickup(scene, "far", "tile.left", CT_ACCELERATION, 3000);
    }
}

static void add_touches(ct_scene *scene, bool backwards) {
  ct_impact_def tap = lab_law("tap", "ball.at", "tile.left", 1e7, 1.5, 0.3),
                press = lab_law("press", "finger.at", "tile.right", 1e6, 1.3, 1);
  tap.from_above = true;
  lab_touch(scene, backwards ? press : tap);
  lab_touch(scene, backwards ? tap : press);
}

static ct_scene *build_played(bool ledger, bool backwards) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = 48000;
  def.channels = 2;
  def.gravity_m_s2 = 9.81;
  def.ledger = ledger;
  ct_scene *scene = lab_scene_from(&def);
  add_tile(scene);
  lab_mass(scene, "ball", 0.004, 0.002, -0.5);
  lab_hand(scene, "finger", -1e-3, 0);
  add_touches(scene, backwards);
  add_ears(scene, backwards);
  add_hardness(scene);
  lab_settle(scene);
  return scene;
}

static void send_messages(ct_scene *scene) {
  lab_set(scene, "tile.modes.0.hz", 420, 0.013, 501);
  lab_set(scene, "tile.modes.2.t60_s", 2, -1, 777);
  lab_set(scene, "hardness", 0.93, 0.0211, 1003);
  lab_set(scene, "ball.modes.0.v_m_s", -0.8, 0, 2222);
  lab_set(scene, "tile.right.force_n", 0.7, 0.01, 3001);
  lab_set(scene, "tile.modes.1.mass_kg", 0.05, 0.0005, 3333);
  lab_set(scene, "tile.modes.0.hz", 300, 0.1, 4001);
  lab_set(scene, "tile.right.force_n", 0, 0, 5000);
  lab_set(scene, "skin.full_scale", 7, 0.003, 5001);
  lab_set(scene, "far.pan", -0.6, 0.02, 5100);
}

typedef struct gesture {
  double x[LONG], place[LONG], exponent[LONG];
} gesture;

static void make_gesture(gesture *g) {
  for (int n = 0; n < LONG; n++) {
    g->x[n] = -1e-3 + 1.02e-3 * sin(2 * M_PI * 31 * n / 48000.0);
    g->place[n] = 0.5 + 0.4 * sin(2 * M_PI * 7.3 * n / 48000.0);
    g->exponent[n] = 1.5 + 0.3 * sin(2 * M_PI * 3 * n / 48000.0);
  }
}

enum { PLAYED_TAPS = 5 };

typedef struct played {
  float out[2][LONG];
  double raw[2][LONG], taps[PLAYED_TAPS][LONG];
} played;

static void play(ct_scene *scene, uint32_t block, const gesture *g, played *p) {
  const char *paths[PLAYED_TAPS] = {"tile.right.x_m", "tap.force_n", "press.force_n", "tile.modes.0.hz",
                                    "ball.at.x_m"};
  ct_handle handles[PLAYED_TAPS], x = lab_handle(scene, "finger.x_m"),
                                  place = lab_handle(scene, "tile.left.place_u"),
                                  exponent = lab_handle(scene, "tap.exponent");
  for (int i = 0; i < PLAYED_TAPS; i++)
    handles[i] = lab_handle(scene, paths[i]);
  for (uint32_t at = 0; at < LONG; at += block) {
    ct_tap taps[PLAYED_TAPS];
    for (int i = 0; i < PLAYED_TAPS; i++)
      taps[i] = (ct_tap){handles[i], p->taps[i] + at};
    ct_input inputs[3] = {{x, g->x + at}, {place, g->place + at}, {exponent, g->exponent + at}};
    float *out[2] = {p->out[0] + at, p->out[1] + at};
    double *raw[2] = {p->raw[0] + at, p->raw[1] + at};
    ct_scene_process(scene, &(ct_io){.frames = LONG - at < block ? LONG - at : block,
                                     .outputs = out,
                                     .raw = raw,
                                     .inputs = inputs,
                                     .input_count = 3,
                                     .taps = taps,
                                     .tap_count = PLAYED_TAPS});
  }
}

static double peak(const double *values, int count) {
  double most = 0;
  for (int n = 0; n < count; n++)
    most = fmax(most, fabs(values[n]));
  return most;
}

static void play_once(uint32_t block, bool ledger, bool backwards, const gesture *g, played *p) {
  ct_scene *scene = build_played(ledger, backwards);
  send_messages(scene);
  play(scene, block, g, p);
  if (ledger)
    assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

static void blocks_of_a_played_scene(void **state) {
  (void)state;
  const uint32_t sizes[] = {1, 7, 64};
  gesture *g = malloc(sizeof *g);
  played *first = calloc(1, sizeof *first), *again = calloc(1, sizeof *again);
  make_gesture(g);
  play_once(4096, false, false, g, first);
  printf("played scene: tile %.3g m, tap %.3g N, press %.3g N\n", peak(first->taps[0], LONG),
         peak(first->taps[1], LONG), peak(first->taps[2], LONG));
  assert_true(peak(first->taps[1], LONG) > 0.1 && peak(first->taps[2], LONG) > 0.01);
  for (int k = 0; k < 3; k++) {
    play_once(sizes[k], false, false, g, again);
    assert_memory_equal(first, again, sizeof *first);
  }
  play_once(64, true, false, g, again);
  assert_memory_equal(first, again, sizeof *first);
  play_once(4096, false, true, g, again);
  assert_memory_equal(first, again, sizeof *first);
  free(g);
  free(first);
  free(again);
}

/* A message acts at its own sample, a slow parameter at the first tick from there on, a ramp ends on time. */
static void messages_act_on_time(void **state) {
  (void)state;
  static double v[128], hz[128], ramped[128];
  const ct_mode_def mode = {.hz = 100, .mass_kg = 1};
  ct_scene *scene = lab_scene(48000, 0);
  lab_mass(scene, "ball", 1, 0, 0);
  lab_modal(scene, "bar", &mode, 1);
  lab_settle(scene);
  lab_set(scene, "ball.at.force_n", 2, 0, 37);
  lab_set(scene, "bar.modes.0.hz", 200, 0, 50);
  lab_set(scene, "bar.at.force_n", 1, 20 / 48000.0, 60);
  ct_tap taps[3] = {{lab_handle(scene, "ball.at.v_m_s"), v},
                    {lab_handle(scene, "bar.modes.0.hz"), hz},
                    {lab_handle(scene, "bar.at.force_n"), ramped}};
  int tick = (50 + (int)CT_TICK - 1) / (int)CT_TICK * (int)CT_TICK; /* the first from sample 50 on */
  lab_step(scene, 1); /* the queue is read at once, the messages wait */
  ct_scene_process(scene, &(ct_io){.frames = 128, .taps = taps, .tap_count = 3});
  for (int n = 0; n < 128; n++) {
    int sample = n + 1;
    assert_true((v[n] > 0) == (sample > 37));
    assert_true(hz[n] == (sample >= tick ? 200 : 100));
    double done = fmin(fmax((sample - 60) / 20.0, 0), 1);
    assert_true(fabs(ramped[n] - done) < 1e-15);
  }
  ct_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_does_not_matter), cmocka_unit_test(ledger_does_not_matter),
      cmocka_unit_test(blocks_of_random_scenes), cmocka_unit_test(blocks_of_a_played_scene),
      cmocka_unit_test(messages_act_on_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
