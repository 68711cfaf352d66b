/* Groups whose contacts cannot touch go through whole ticks at once (src/scene/flight.c). Blocks of 64
 * samples do that, blocks of 7 never hold a whole tick and go sample by sample: both must be the same to the
 * bit, for hammers that come as near as they can without a touch, graze, or hit in the middle of a tick. */
#include "support/instrumented.h"
#include "support/lab.h"
#include "support/long_run.h"
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(flights_are_not_heard)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
