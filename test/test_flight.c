/* ctest: slow
 * Groups whose contacts cannot touch go through whole ticks at once (src/scene/flight.c). Blocks of 64
 * samples do that, blocks of 7 never hold a whole tick and go sample by sample: both must be the same to the
 * bit, for hammers that come as near as they can without a touch, graze, or hit in the middle of a tick; and
 * for balls that leap and roll over shapes, which glide under them, on ways that are tilted as they go. */
#include "support/instrumented.h"
#include "support/lab.h"
#include "support/long_run.h"
#include "support/play.h"
#include "support/random_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 448, MODES = 6 };

typedef struct throw {
  ct_mode_def modes[MODES];
  uint32_t count;
  double gap_m, speed_m_s, gravity_m_s2, mass_kg;
  bool second; /* a second mass, thrown from the other side */
}
throw;

static throw draw(random_state * r) {
  throw t = {.count = 1 + random_below(r, MODES),
             .gap_m = pow(10, random_between(r, -8, -2)),
             .gravity_m_s2 = random_below(r, 2) ? 9.81 : 0,
             .mass_kg = pow(10, random_between(r, -4, 0)),
             .second = random_below(r, 2)};
  /* some touch within the samples, some do not */
  t.speed_m_s = t.gap_m / (FRAMES / 48e3) * pow(10, random_between(r, -1, 1.5));
  for (uint32_t i = 0; i < t.count; i++)
    t.modes[i] = (ct_mode_def){.hz = random_below(r, 5) ? pow(10, random_between(r, 1, 4.3)) : 0,
                               .t60_s = random_below(r, 4) ? random_between(r, 0.01, 2) : 0,
                               .mass_kg = pow(10, random_between(r, -3, 0)),
                               .v_m_s = t.speed_m_s * random_between(r, -3, 3)};
  return t;
}

static ct_scene *build(const throw *t) {
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = 48000;
  def.ledger = false;
  def.gravity_m_s2 = t->gravity_m_s2;
  ct_scene *s = lab_scene_from(&def);
  lab_modal(s, "bar", t->modes, t->count);
  lab_mass(s, "hammer", t->mass_kg, -t->gap_m, t->speed_m_s);
  lab_touch(s, lab_law("strike", "hammer.at", "bar.at", 1e7, 1.5, 0.5));
  if (t->second) {
    lab_mass(s, "other", t->mass_kg, 2 * t->gap_m, -t->speed_m_s);
    lab_touch(s, lab_law("strike2", "bar.at", "other.at", 1e6, 1.5, 0.5));
  }
  lab_pickup(s, "fast", "bar.at", CT_VELOCITY, 1);
  lab_pickup(s, "faster", "hammer.at", CT_ACCELERATION, 1);
  lab_pickup(s, "force", "strike", CT_FORCE, 1);
  return s;
}

/* Everything that is heard, and where the bodies are in the end; true: it has touched. */
static bool play(const throw *t, uint32_t block, double *sound, double *ends) {
  ct_scene *s = build(t);
  for (uint32_t n = 0; n < FRAMES; n += block) {
    double *raw[] = {sound + n};
    uint32_t frames = FRAMES - n < block ? FRAMES - n : block;
    ct_scene_process(s, &(ct_io){.frames = frames, .raw = raw});
  }
  ends[0] = lab_get(s, "bar.at.x_m");
  ends[1] = lab_get(s, "hammer.at.x_m");
  ends[2] = lab_get(s, "strike.compression_m");
  bool touched = ct_scene_counters(s).solves > 0;
  ct_scene_destroy(s);
  return touched;
}

static void flights_are_not_heard(void **state) {
  (void)state;
  random_state r = {25};
  uint32_t cases = INSTRUMENTED ? 400 : long_run() ? 200000 : 4000, touched = 0;
  for (uint32_t i = 0; i < cases; i++) {
    double sound[2][FRAMES], ends[2][3];
    throw t = draw(&r);
    bool hit = play(&t, 64, sound[0], ends[0]);
    touched += hit;
    assert_int_equal(play(&t, 7, sound[1], ends[1]), hit);
    assert_memory_equal(sound[0], sound[1], sizeof sound[0]);
    assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
  }
  printf("%u throws, %u of them touched\n", cases, touched);
  assert_true(touched > cases / 10 && touched < cases * 9 / 10);
}

/* ---- what rolls ---- */

/* A built-in scene whose drives run over a shape, or imposed, and how it is started. */
typedef struct roll {
  const char *scene, *drives[2], *surface, *thrown; /* thrown: the body that may start in the air */
  double speed_m_s[2], tilt, depth_m, up_m_s;
} roll;

static roll draw_roll(random_state *r) {
  static const roll scenes[] = {
      {"marble", {"roll", 0}, "grain", "ball", {0}, 0, 0, 0},
      {"ball", {"roll", 0}, "grain", "ball", {0}, 0, 0, 0},
      {"track", {"x", "y"}, "along", "ball", {0}, 0, 0, 0},
      {"barrel", {"roll", 0}, "planking", "barrel", {0}, 0, 0, 0},
  };
  roll t = scenes[random_below(r, sizeof scenes / sizeof scenes[0])];
  for (int i = 0; i < 2; i++)
    t.speed_m_s[i] = random_below(r, 6) ? random_between(r, -1.5, 1.5) : 0;
  t.tilt = random_below(r, 2) ? random_between(r, -0.3, 0.3) : 0;
  t.depth_m = pow(10, random_between(r, -7, -4));
  t.up_m_s = random_below(r, 2) ? random_between(r, 0, 0.3) : 0;
  return t;
}

static void set(ct_doc *doc, const char *format, const char *name, double value) {
  char path[96];
  snprintf(path, sizeof path, format, name);
  play_set(doc, path, value);
}

/* All that is heard. */
static void play_roll(const roll *t, uint32_t block, bool ledger, double *sound, uint32_t frames) {
  enum { RATE_HZ = 44100 };
  ct_error error = {0};
  ct_doc *doc = play_open(t->scene, NULL);
  bool is_free = strcmp(t->scene, "barrel") != 0;
  for (int i = 0; i < 2 && t->drives[i]; i++)
    set(doc, is_free ? "drives.%s.throw_m_s" : "drives.%s.speed_m_s", t->drives[i], t->speed_m_s[i]);
  set(doc, "surfaces.%s.depth_m", t->surface, t->depth_m);
  set(doc, "bodies.%s.modes.0.v_m_s", t->thrown, t->up_m_s);
  ct_render_def def = {.rate_hz = RATE_HZ,
                       .seconds = (double)frames / RATE_HZ,
                       .ledger = ledger,
                       .block_frames = block,
                       .raw = true};
  ct_render *r = NULL;
  lab_must(ct_render_open(doc, &def, &r, &error), &error);
  char slope[64];
  snprintf(slope, sizeof slope, "%s.slope", t->drives[0]);
  if (t->tilt != 0 && is_free) /* at every sample of 10 ms */
    lab_set(ct_render_scene(r), slope, t->tilt, 0.01, 500);
  ct_render_block b = {.frames = 1};
  for (uint32_t n = 0; n < frames; n += b.frames) {
    lab_must(ct_render_next(r, &b, &error), &error);
    memcpy(sound + n, b.raw[0], b.frames * sizeof *sound);
  }
  ct_render_close(r);
  ct_doc_destroy(doc);
}

static void rolling_flights_are_not_heard(void **state) {
  (void)state;
  enum { LENGTH = 2205 };
  static double sound[3][LENGTH];
  random_state r = {71};
  uint32_t cases = long_run() ? 2000 : 60;
  for (uint32_t i = 0; i < cases; i++) {
    roll t = draw_roll(&r);
    play_roll(&t, 64, false, sound[0], LENGTH);
    play_roll(&t, 7, false, sound[1], LENGTH);
    play_roll(&t, 64, true, sound[2], LENGTH);
    if (memcmp(sound[0], sound[1], sizeof sound[0]) != 0 || memcmp(sound[0], sound[2], sizeof sound[0]) != 0)
      fail_msg("case %u, %s at %.3g m/s, depth %.3g m, tilt %.3g, up %.3g m/s: not the same samples", i,
               t.scene, t.speed_m_s[0], t.depth_m, t.tilt, t.up_m_s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(flights_are_not_heard),
                                     cmocka_unit_test(rolling_flights_are_not_heard)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
