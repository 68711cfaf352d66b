/* ctest: slow timeout=3600
 * Storms on every control of every built-in scene: it jumps between its ends, then anywhere, every 2, 5, 10
 * or 50 ms, while the demo plays. No sample is not finite, no energy comes from it, and nothing gets much
 * louder than the loudest of the control's quiet positions: 6 dB, and what a light body does that takes over
 * a heavy one's energy, 10 lg of the mass ratio, and 10 lg of how much more energy the hand gave.
 *
 *   test_storm_scenes                 every control for a second, at one of the four intervals each; in
 *                                     `./check long` for two at all of them
 *   test_storm_scenes all             every control at every interval, longer
 *   test_storm_scenes SCENE [CONTROL] one scene, one control, at every interval */
#include "file/load.h"
#include "support/draw.h"
#include "support/judge.h"
#include "support/live.h"
#include "support/long_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 44100, BLOCK = 64, MODES = 256, POSITIONS = 9 };

static const double intervals_s[] = {0.002, 0.005, 0.010, 0.050};

typedef struct scene_case {
  trial t; /* the scene */
  ct_doc *doc;
  ct_control_info control;
  double seconds;
} scene_case;

/* The demo without the column of a control. */
static ct_gesture without(const ct_gesture *all, const char *control, const char **paths,
                          const double **values) {
  ct_gesture left = *all;
  left.columns = 0;
  left.paths = paths;
  left.values = values;
  for (uint32_t i = 0; i < all->columns; i++)
    if (strcmp(all->paths[i], control) != 0) {
      paths[left.columns] = all->paths[i];
      values[left.columns++] = all->values[i];
    }
  return left;
}

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

/* ---- one render ---- */

typedef struct render {
  double level_db;
  double put_in_j;       /* by hands: all that forces and motion did, either way, and what was there */
  double mass_kg[MODES]; /* of the first modes of all bodies, at the end */
  uint32_t modes;
  judge judge;
} render;

static ct_scene *build(const scene_case *c, bool ledger) {
  ct_build_def def = ct_default_build_def();
  ct_scene *scene = NULL;
  ct_error error;
  def.rate_hz = RATE;
  def.ledger = ledger;
  must(ct_doc_build(c->doc, &def, &scene, NULL, NULL, &error), &error);
  return scene;
}

static void weigh(const scene_case *c, const ct_scene *scene, render *r) {
  char path[TRIAL_PATH];
  ct_handle handle;
  ct_error error;
  for (uint32_t b = 0; b < ct_doc_body_count(c->doc); b++)
    for (uint32_t i = 0; r->modes < MODES; i++) {
      trial_spell(path, "%s.modes.%u.mass_kg", ct_doc_body_name(c->doc, b), i);
      if (ct_scene_resolve(scene, path, &handle, &error) != CT_OK)
        break;
      r->mass_kg[r->modes++] = ct_scene_get(scene, handle);
    }
}

static double walk(const ct_control_info *k, double share) {
  return k->scale == CT_LOG ? k->min * pow(k->max / k->min, share) : k->min + share * (k->max - k->min);
}

/* Where the control stands from this jump on: its ends in turn, in the second half of the time anywhere. */
static double jump_to(const scene_case *c, ct_random *r, uint32_t jump, double at_s) {
  return walk(&c->control, at_s < c->seconds / 2 ? jump % 2 : draw_share(r));
}

static void sum_power(const float *samples, uint32_t count, double *power) {
  for (uint32_t i = 0; i < count; i++)
    *power += (double)samples[i] * (double)samples[i];
}

/* With interval_s 0 the control stands at `share` of its range, else it is stormed. */
static void run(const scene_case *c, double share, double interval_s, render *r) {
  bool storm = interval_s > 0;
  ct_scene *scene = build(c, true);
  const char *paths[256];
  const double *values[256];
  ct_gesture demo = {0}, played;
  ct_player *player = NULL;
  ct_handle knob;
  ct_error error;
  float left[BLOCK], right[BLOCK], *const outputs[] = {left, right};
  memset(r, 0, sizeof *r);
  must(ct_doc_gesture(c->doc, &demo, &error), &error);
  played = without(&demo, c->control.name, paths, values);
  if (played.rows)
    must(ct_player_create(&played, scene, &player, &error), &error);
  must(ct_scene_resolve(scene, c->control.name, &knob, &error), &error);
  if (!storm && !c->control.trigger)
    must(ct_scene_set(scene, knob, walk(&c->control, share), 0, 0, &error), &error);
  judge_open(&r->judge, &c->t, scene);
  uint32_t frames = (uint32_t)(c->seconds * RATE), jump = 0;
  ct_random random = draw_begin(5, 5);
  double power = 0;
  for (uint32_t at = 0; at < frames; at += BLOCK) {
    for (; storm && jump * interval_s * RATE < at + BLOCK; jump++)
      must(ct_scene_set(scene, knob, jump_to(c, &random, jump, jump * interval_s), 0,
                        (uint64_t)(jump * interval_s * RATE), &error),
           &error);
    if (player)
      must(ct_player_send(player, at + BLOCK, &error), &error);
    ct_scene_process(scene, &(ct_io){.frames = BLOCK, .outputs = outputs});
    bool stereo = ct_scene_channels(scene) > 1;
    sum_power(left, BLOCK, &power);
    if (stereo)
      sum_power(right, BLOCK, &power);
    if (storm && !(judge_look(&r->judge) && judge_hear(&r->judge, left, BLOCK) &&
                   (!stereo || judge_hear(&r->judge, right, BLOCK))))
      break;
  }
  r->level_db = 10 * log10(power / frames + 1e-30);
  r->put_in_j = ct_scene_ledger(scene).scale_j;
  weigh(c, scene, r);
  if (player)
    ct_player_destroy(player);
  ct_scene_destroy(scene);
}

/* ---- what is allowed ---- */

/* Whether something rolls or scrapes as it is told: a hand moves it over its profile and against its springs.
 */
static bool is_led(const scene_case *c) {
  for (uint32_t i = 0; i < c->t.leaf_count; i++)
    if (strncmp(c->t.leaves[i].path, "drives.", 7) == 0 &&
        (strcmp(c->t.leaves[i].text, "imposed") == 0 || strstr(c->t.leaves[i].path, ".follows")))
      return true;
  return false;
}

static bool has(const ct_schema_row *row, const char *word) { return strstr(row->path, word) != NULL; }

/* What a hand does is work and may be heard: force, gap, speed, pressure, grip (friction numbers: how much of
 * the hand's motion reaches the body). Under an imposed motion the profile is a gap, and a spring is what the
 * hand presses. */
static bool is_work(const ct_schema_row *row, bool led) {
  return border_of_row(row) != BORDER_NONE || has(row, ".normal_n") || has(row, ".mu_") ||
         has(row, "speed_m_s") || strncmp(row->path, "sources.", 8) == 0 ||
         (led && (has(row, "drives.") || has(row, "surfaces.") || has(row, ".stiffness")));
}

static bool does_work(const scene_case *c, const ct_scene *scene) {
  char prefix[TRIAL_PATH];
  trial_spell(prefix, "controls.%s.targets", c->control.name);
  for (uint32_t i = 0; i < c->t.leaf_count; i++) {
    const trial_leaf *leaf = &c->t.leaves[i];
    if (strncmp(leaf->path, prefix, strlen(prefix)) != 0 || !leaf->text[0])
      continue;
    const ct_schema_row *row = live_row_of(scene, leaf->text);
    if (row && is_work(row, is_led(c)))
      return true;
  }
  return false;
}

/* The control standing still: the loudest of the positions that were played so far, and what else counts. */
typedef struct stills {
  render at[POSITIONS];
  uint32_t count;
  double loudest_db, most_j;
} stills;

/* Its ends and its middle first: one of them is loud enough for most controls. */
static void play_still(const scene_case *c, stills *s) {
  static const int order[POSITIONS] = {0, 8, 4, 2, 6, 1, 3, 5, 7};
  render *r = &s->at[s->count];
  run(c, order[s->count] / (POSITIONS - 1.0), 0, r);
  s->loudest_db = s->count ? fmax(s->loudest_db, r->level_db) : r->level_db;
  s->most_j = s->count ? fmax(s->most_j, r->put_in_j) : fmax(1e-30, r->put_in_j);
  s->count++;
}

/* The largest ratio of a mode's masses at two positions of the control, dB. */
static double mass_ratio_db(const stills *s) {
  double most = 1;
  for (uint32_t m = 0; m < s->at[0].modes; m++) {
    double low = INFINITY, high = 0;
    for (uint32_t i = 0; i < s->count; i++) {
      low = fmin(low, s->at[i].mass_kg[m]);
      high = fmax(high, s->at[i].mass_kg[m]);
    }
    most = fmax(most, high / low);
  }
  return 10 * log10(most);
}

/* A position more can only raise the loudest and the ratio of masses: what the first few allow, all of them
 * do, and a storm that keeps to it needs no more. That a control which lets the hand do n times the work may
 * be 10 lg n louder is known when all were played. */
static double allowed_db(const scene_case *c, stills *s, const render *storm) {
  for (;;) {
    double quietly = s->count ? s->loudest_db + 6 + mass_ratio_db(s) : (double)-INFINITY;
    if (s->count == POSITIONS)
      return quietly + fmax(0, 10 * log10(storm->put_in_j / s->most_j));
    if (storm->level_db <= quietly)
      return quietly;
    play_still(c, s);
  }
}

typedef struct totals {
  uint32_t controls, storms, failed, levelled, stills;
  double loudest_db; /* over what is allowed */
  char loudest[128];
} totals;

static void judge_storm(const scene_case *c, const char *name, double interval_s, stills *s, bool levelled,
                        totals *sum) {
  static render storm;
  run(c, 0, interval_s, &storm);
  sum->storms++;
  double allowed = levelled ? allowed_db(c, s, &storm) : (double)INFINITY;
  bool judged = storm.judge.complaint != JUDGE_FINE, loud = !(storm.level_db <= allowed);
  sum->failed += judged || loud;
  if (judged)
    printf("%s %s every %g ms: %s at sample %llu: %s\n", name, c->control.name, 1000 * interval_s,
           judge_word(storm.judge.complaint), (unsigned long long)storm.judge.sample, storm.judge.text);
  if (loud)
    printf("%s %s every %g ms: %.1f dB, quiet at most %.1f dB, allowed %.1f dB\n", name, c->control.name,
           1000 * interval_s, storm.level_db, s->loudest_db, allowed);
  if (levelled && storm.level_db - allowed > sum->loudest_db) {
    sum->loudest_db = storm.level_db - allowed;
    snprintf(sum->loudest, sizeof sum->loudest, "%s %s", name, c->control.name);
  }
}

static void storm_control(scene_case *c, const char *name, const bool use[4], totals *sum) {
  static stills s;
  ct_scene *scene = build(c, false);
  bool levelled = !c->control.trigger && !does_work(c, scene);
  ct_scene_destroy(scene);
  s.count = 0;
  sum->controls++;
  sum->levelled += levelled;
  for (int i = 0; i < 4; i++)
    if (use[i])
      judge_storm(c, name, intervals_s[i], &s, levelled, sum);
  sum->stills += s.count;
}

/* `interval` 0 .. 3: that one, for each control another; 4: all of them. */
static void storm_scene(const char *name, const char *control, uint32_t interval, double seconds,
                        totals *sum) {
  scene_case c = {.seconds = seconds};
  ct_error error;
  must(ct_doc_load(name, &c.doc, &error), &error);
  c.t.seed = 1;
  c.t.rate_hz = RATE;
  trial_take_doc(&c.t, c.doc);
  for (uint32_t i = 0; i < ct_doc_control_count(c.doc); i++) {
    c.control = ct_doc_control(c.doc, i);
    bool use[4];
    for (uint32_t k = 0; k < 4; k++)
      use[k] = interval == 4 || k == (interval + i) % 4;
    if (control && strcmp(control, c.control.name) != 0)
      continue;
    c.t.knob_count = c.t.event_count = 0; /* the judge must know that it moves */
    trial_add_event(&c.t, (trial_event){.sample = 1, .knob = trial_knob_of(&c.t, c.control.name)});
    storm_control(&c, name, use, sum);
  }
  ct_doc_destroy(c.doc);
  trial_clear(&c.t);
}

static int storm_all(const char *only, const char *control, uint32_t interval, double seconds) {
  totals sum = {.loudest_db = -INFINITY};
  for (size_t i = 0; i < ct_builtin_scene_count; i++)
    if (!only || strcmp(only, ct_builtin_scenes[i].name) == 0)
      storm_scene(ct_builtin_scenes[i].name, control, interval == 4 ? 4 : (uint32_t)i % 4, seconds, &sum);
  printf("%u controls, %u storms, %u failed; level of %u controls, beside %u that stand still, at most %.1f "
         "dB from "
         "what is allowed (%s)\n",
         sum.controls, sum.storms, sum.failed, sum.levelled, sum.stills, sum.loudest_db, sum.loudest);
  return (int)sum.failed;
}

static void every_control(void **state) {
  (void)state;
  assert_int_equal(storm_all(NULL, NULL, long_run() ? 4 : 0, long_run() ? 2 : 1), 0);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "all") == 0)
    return storm_all(NULL, NULL, 4, 2) != 0;
  if (argc > 1)
    return storm_all(argv[1], argc > 2 ? argv[2] : NULL, 4, 2) != 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_control)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
