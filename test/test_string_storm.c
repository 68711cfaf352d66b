/* A string's numbers that move do no work, at any speed and however often: stops and pitches that glide
 * across touched points, and storms of jumps on every live row of the schema over its whole range. At every
 * sample the account closes, nothing is booked as work of parameters, and what is stored is at most what was
 * put in. */
#include "support/instrumented.h"
#include "support/lab.h"
#include "support/long_run.h"
#include "support/play.h"
#include "support/random_scene.h"

#include <contatto/schema.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 22050 };

/* ---- judging ---- */

typedef struct verdict {
  double error, gain, parameter; /* the worst: of its allowance, of S, of S */
  uint64_t scenes;
} verdict;

static void judge(ct_scene *scene, double start_j, const char *what, uint32_t sample, verdict *v) {
  ct_ledger l = ct_scene_ledger(scene);
  double allowed = l.allowance_j;
  double gain = l.stored_j - start_j - l.force_j - l.motion_j;
  if (!isfinite(l.stored_j) || !isfinite(l.error_j))
    fail_msg("%s, sample %u: not finite", what, sample);
  if (fabs(l.error_j) > allowed || gain > 1e-9 * l.scale_j || fabs(l.parameter_j) > 1e-12 * l.scale_j)
    fail_msg("%s, sample %u: error %.3g J (allowed %.3g), gained %.3g J, parameters %.3g J, of %.3g J", what,
             sample, l.error_j, allowed, gain, l.parameter_j, l.scale_j);
  v->error = fmax(v->error, fabs(l.error_j) / allowed);
  v->gain = fmax(v->gain, gain / l.scale_j);
  v->parameter = fmax(v->parameter, fabs(l.parameter_j) / l.scale_j);
}

static void report(const char *what, const verdict *v) {
  printf("%s: %llu scenes, error %.2g of its allowance, gain %.2g and work of parameters %.2g of S\n", what,
         (unsigned long long)v->scenes, v->error, v->gain, v->parameter);
}

/* ---- a touched string ---- */

enum { PRESSED = 1, RUBBED = 2, BOWED = 4, HELD = 8 };

static const double places[] = {0.8, 0.5, 0.1, 0.97, 0.3, 0.1};

/* A mass thrown at it, one that rubs, a bow that moves, a finger that holds it: each at a point of its own.
 */
static ct_scene *touched(uint32_t touches, double hz, double inharmonicity) {
  ct_scene *scene = lab_scene(RATE, 0);
  ct_string_def def = ct_default_string_def();
  ct_friction_def rub = ct_default_friction_def();
  def.hz = hz;
  def.impedance_kg_s = 0.5;
  def.q = 1000;
  def.inharmonicity = inharmonicity;
  def.lowest_hz = 80;
  def.planes = touches & RUBBED ? 2 : 1;
  lab_string(scene, "s", def, places, 6);
  rub.normal_n = 1;
  rub.bristle_n_m = 1e4;
  if (touches & PRESSED) {
    lab_mass(scene, "m", 4e-4, -3e-4, -2);
    lab_touch(scene, lab_law("press", "s.p0", "m.at", 300, 1.5, 0));
  }
  if (touches & RUBBED) {
    lab_mass(scene, "pad", 0.002, 0, 0.3);
    lab_rub(scene, "rub", "pad.at", "s.p1", rub);
  }
  lab_hand(scene, "hand", 0, 0);
  if (touches & BOWED)
    lab_rub(scene, "bow", "hand.at", "s.p2", rub);
  if (touches & HELD)
    lab_touch(scene, lab_law("hold", "s.p3", "hand.at", 1e5, 1.3, 0.5));
  lab_settle(scene);
  if (touches & BOWED)
    lab_set(scene, "hand.tangential_v_m_s", 0.1, 0.01, 0);
  lab_set(scene, "s.p4.pluck_m", 1e-3, 0, 0);
  lab_set(scene, "s.p5.strike_n_s", 1e-4, 0, 0);
  return scene;
}

/* ---- gliding ---- */

static void a_stop_over_a_pressed_point(void **state) {
  (void)state;
  play_sound s = play_doc(play_open(CT_TEST_DATA "/violations/stop.json", NULL),
                          (ct_render_def){.ledger = true, .rate_hz = 44100});
  ct_ledger l = s.ledger;
  printf("stop.json: error %.2g of S, parameters %.2g J, stored %.17g J\n", fabs(l.error_j) / l.scale_j,
         l.parameter_j, l.stored_j);
  assert_true(fabs(l.error_j) <= l.allowance_j);
  assert_true(fabs(l.parameter_j) <= 1e-12 * l.scale_j);
  assert_true(l.motion_j == 0 && l.force_j == 0);
  assert_true(l.stored_j <= 0.0004 * 2 * 2 / 2 * (1 + 1e-9));
  free(s.samples);
}

typedef struct glide {
  const char *path;
  double a, b;
} glide;

static void glides_across_touched_points(void **state) {
  static const glide glides[] = {{"s.string.stop", 0, 0.6},
                                 {"s.string.stop", 0.05, 0.95},
                                 {"s.string.hz", 60, 900},
                                 {"s.string.hz", 180, 230},
                                 {"s.string.vibrato_cents", 0, 1200}};
  static const double times_s[] = {0, 0.002, 0.02, 0.1};
  static const uint32_t touches[] = {PRESSED, RUBBED, BOWED, HELD, PRESSED | RUBBED | BOWED | HELD};
  verdict v = {0};
  (void)state;
  for (size_t g = 0; g < sizeof glides / sizeof glides[0]; g++)
    for (size_t t = 0; t < sizeof times_s / sizeof times_s[0]; t++)
      for (size_t k = 0; k < sizeof touches / sizeof touches[0]; k++) {
        if (is_brief() && k != (g + t) % 5)
          continue; /* each glide and time with another touch */
        char what[96];
        uint32_t frames = RATE / 6, every = (uint32_t)(RATE * fmax(times_s[t] * 1.1, 0.013));
        ct_scene *scene = touched(touches[k], 200, k % 2 ? 1e-4 : 0);
        snprintf(what, sizeof what, "%s between %g and %g in %g s, touch %u", glides[g].path, glides[g].a,
                 glides[g].b, times_s[t], touches[k]);
        double start_j = ct_scene_ledger(scene).stored_j;
        for (uint32_t n = 0; n < frames; n++) {
          if (n % every == every / 2)
            lab_set(scene, glides[g].path, n / every % 2 ? glides[g].a : glides[g].b, times_s[t], 0);
          lab_step(scene, 1);
          judge(scene, start_j, what, n, &v);
        }
        v.scenes++;
        ct_scene_destroy(scene);
      }
  report("glides", &v);
}

/* ---- storms ---- */

typedef struct live_row {
  char path[48];
  double min, max;
  bool log;
} live_row;

enum { MOST_ROWS = 32 };

/* Every number of a string that moves while it sounds, and its range, as the schema has it. */
static uint32_t live_rows(live_row *rows) {
  static const char start[] = "bodies.*.string.";
  uint32_t count = 0;
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_schema_row *row = ct_schema_row_at(i);
    if (strncmp(row->path, start, strlen(start)) != 0 || row->rate != CT_RATE_TICK)
      continue;
    assert_true(count < MOST_ROWS);
    snprintf(rows[count].path, sizeof rows[count].path, "s.string.%s", row->path + strlen(start));
    rows[count].min = row->min;
    rows[count].max = row->max;
    rows[count++].log = row->scale == CT_LOG;
  }
  assert_true(count >= 9);
  return count;
}

/* Its ends, the least number there is where that is in range, or anywhere between. */
static double anywhere(const live_row *row, random_state *r) {
  switch (random_below(r, 5)) {
  case 0:
    return row->min;
  case 1:
    return row->max;
  case 2:
    return row->min == 0 ? 5e-324 : row->min;
  default:
    return row->log ? random_log(r, fmax(row->min, 1e-9 * row->max), row->max)
                    : random_between(r, row->min, row->max);
  }
}

static void storm(const live_row *rows, uint32_t count, double per_s, uint64_t seed, verdict *v) {
  char what[96];
  random_state r = {seed};
  uint32_t frames = (uint32_t)(RATE * fmin(fmax(4 / per_s, 0.2), 1.1)), every = (uint32_t)(RATE / per_s);
  ct_scene *scene = touched(seed % 2 ? PRESSED | HELD : PRESSED | RUBBED | BOWED | HELD, 200, 1e-4);
  double start_j = ct_scene_ledger(scene).stored_j;
  snprintf(what, sizeof what, "%.40s%s %g times a second, seed %llu", rows->path, count > 1 ? " and all" : "",
           per_s, (unsigned long long)seed);
  for (uint32_t n = 0; n < frames; n++) {
    for (uint32_t i = 0; n % every == 0 && i < count; i++)
      if (count == 1 || random_below(&r, 2))
        lab_set(scene, rows[i].path, anywhere(&rows[i], &r), 0, 0);
    lab_step(scene, 1);
    judge(scene, start_j, what, n, v);
  }
  v->scenes++;
  ct_scene_destroy(scene);
}

static void storms_on_every_row(void **state) {
  static const double per_s[] = {2, 5, 10, 50, 100, 500};
  live_row rows[MOST_ROWS];
  uint32_t count = live_rows(rows);
  verdict v = {0};
  (void)state;
  for (size_t k = 0; k < sizeof per_s / sizeof per_s[0]; k++) {
    for (uint32_t i = 0; i < count; i++)
      if (!is_brief() || k == i % 6)
        storm(&rows[i], 1, per_s[k], 10 * i + k, &v);
    for (uint64_t seed = 0; seed < (long_run() ? 4 : 1); seed++)
      storm(rows, count, per_s[k], 1000 + 10 * seed + k, &v);
  }
  report("storms", &v);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_stop_over_a_pressed_point),
                                     cmocka_unit_test(glides_across_touched_points),
                                     cmocka_unit_test(storms_on_every_row)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
