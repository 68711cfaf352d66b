/* What `drop` sounds like is what the restitution law says: the times between bounces and how loud each of
 * them is, measured from the sound alone, against the closed form, bounce by bounce, within 2 %.
 *
 * The law holds for a round ball on something that does not give. So the ball is the lightest the scene has,
 * and the plate is made of something heavy (and as much stiffer, so that it keeps its pitch) and short of
 * sound, so that a bounce is over before the next. What the modes that the plate leaves out yield is switched
 * off: it gives way and takes energy with it, and the law knows of none.
 *
 * A ball that leaves with v is away for 2 v / g and returns with v; before, it has touched for tau (eq. 9):
 *
 *     v_0 = sqrt(2 g h),   v_{n+1} = E(v_n) v_n,   t_{n+1} - t_n = tau_n + 2 v_{n+1} / g
 *
 * A bounce hands the plate the momentum m (v_n + v_{n+1}) = m v_n (1 + E). Modes whose period is long against
 * tau feel this impulse and not its shape: the level of the lowest modes is in proportion to v_n (1 + E). */
#include "file/load.h"
#include "file/render.h"
#include <contatto/contatto.h>
#include <contatto/impact.h>
#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE_HZ = 48000, BOUNCES = 7, MOST_ONSETS = 64 };
static const double let_go_s = 0.02, seconds = 2.5;

typedef struct ball {
  double height_m, hardness, deadness_s_m, off_round;
} ball;

typedef struct bounce {
  double time_s, level; /* level in proportion to the momentum, the first is 1 */
} bounce;

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

static ct_doc *open_drop(const ball *b) {
  const struct {
    const char *path;
    double value;
  } set[] = {{"mass", 0.0005},
             {"hardness", b->hardness},
             {"deadness", b->deadness_s_m},
             {"off_round", b->off_round},
             {"plate.modes.residual", 0},
             {"out.full_scale", 0.001}};
  ct_error error = {0};
  ct_doc *doc = NULL;
  must(ct_doc_load("drop", &doc, &error), &error);
  for (size_t i = 0; i < sizeof set / sizeof *set; i++)
    must(ct_doc_set_number(doc, set[i].path, set[i].value, &error), &error);
  return doc;
}

static double get(ct_scene *scene, const char *path) {
  ct_handle handle;
  ct_error error = {0};
  must(ct_scene_resolve(scene, path, &handle, &error), &error);
  return ct_scene_get(scene, handle);
}

/* ---- what the law says ---- */

static void foretell(ct_scene *scene, double height_m, bounce bounces[BOUNCES]) {
  double g = get(scene, "gravity_m_s2"), v = sqrt(2 * g * height_m);
  double first = v - ct_impact_rebound_m_s(v, get(scene, "bounce.damping_s_m"));
  double time = let_go_s + v / g;
  for (int n = 0; n < BOUNCES; n++) {
    ct_impact_case c = {.mass_kg = get(scene, "ball.modes.0.mass_kg"),
                        .stiffness = get(scene, "bounce.stiffness"),
                        .exponent = get(scene, "bounce.exponent"),
                        .damping_s_m = get(scene, "bounce.damping_s_m"),
                        .speed_m_s = v};
    double leaves = v * ct_impact_restitution(v, c.damping_s_m);
    bounces[n] = (bounce){time, (v + leaves) / first};
    time += ct_impact_contact_time_s(&c) + 2 * leaves / g;
    v = leaves;
  }
}

/* ---- what is heard ---- */

static double loudest(const double *x, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    most = fmax(most, fabs(x[i]));
  return most;
}

/* Onsets are good to 2 ms: from 5 ms before, the first sample that stands out of what comes in the next 20.
 */
static size_t begin_of(const double *x, double onset_s) {
  size_t from = (size_t)((onset_s - 0.005) * RATE_HZ);
  double threshold = 0.05 * loudest(x + from, RATE_HZ / 50);
  while (fabs(x[from]) < threshold)
    from++;
  return from;
}

/* The lowest modes, over 40 ms from 1 ms before the bounce. */
static double level_of(const double *x, size_t begin) {
  const double edges_hz[] = {50, 500};
  double level_db;
  ct_measure_bands(x + begin - RATE_HZ / 1000, RATE_HZ / 25, RATE_HZ, edges_hz, 1, &level_db);
  return pow(10, level_db / 20);
}

static void hear(const double *x, size_t count, bounce bounces[BOUNCES]) {
  ct_measured_onset onsets[MOST_ONSETS];
  size_t found = ct_measure_onsets(x, count, RATE_HZ, onsets, MOST_ONSETS);
  assert_true(found >= BOUNCES);
  for (int n = 0; n < BOUNCES; n++) {
    size_t begin = begin_of(x, onsets[n].time_s);
    bounces[n] = (bounce){(double)begin / RATE_HZ, level_of(x, begin)};
  }
  for (int n = BOUNCES - 1; n >= 0; n--)
    bounces[n].level /= bounces[0].level;
}

static double *render(ct_render *r, size_t frames) {
  ct_error error = {0};
  ct_render_block b;
  double *x = malloc(frames * sizeof *x);
  assert_non_null(x);
  for (must(ct_render_next(r, &b, &error), &error); b.frames; must(ct_render_next(r, &b, &error), &error))
    for (uint32_t i = 0; i < b.frames; i++)
      x[b.start + i] = (double)b.outputs[0][i];
  return x;
}

/* Lets the ball fall once; what the law says and what was heard. The plate changes as the ball is let go,
 * long before it lands: as built, the plate follows the control `material`. */
static void drop(const ball *b, bounce law[BOUNCES], bounce heard[BOUNCES]) {
  enum { COLUMNS = 4 };
  static const char *const paths[COLUMNS] = {"height", "plate.modes.density_kg_m3", "plate.modes.young_pa",
                                             "plate.modes.damping_global"};
  const double plate[] = {30000, 5e11, 4.5};
  const double *const values[COLUMNS] = {&b->height_m, &plate[0], &plate[1], &plate[2]};
  const ct_gesture once = {1, COLUMNS, &let_go_s, paths, values};
  ct_error error = {0};
  ct_doc *doc = open_drop(b);
  ct_render *r = NULL;
  must(ct_render_open(doc, &(ct_render_def){.seconds = seconds, .gesture = &once}, &r, &error), &error);
  size_t frames = (size_t)ct_render_frames(r);
  double *x = render(r, frames);
  foretell(ct_render_scene(r), b->height_m, law);
  hear(x, frames, heard);
  free(x);
  ct_render_close(r);
  ct_doc_destroy(doc);
}

/* ---- the tests ---- */

static double flight_s(const bounce *bounces, int n) {
  return bounces[n].time_s - (n ? bounces[n - 1].time_s : let_go_s);
}

static void sound_follows_the_law(void **state) {
  (void)state;
  static const ball balls[] = {
      {0.3, 0.3, 0.2, 0}, {0.3, 0.8, 0.1, 0}, {0.6, 0.5, 0.25, 0}, {0.2, 0.4, 0.02, 0}};
  double worst_time = 0, worst_level = 0;
  for (size_t i = 0; i < sizeof balls / sizeof *balls; i++) {
    bounce law[BOUNCES], heard[BOUNCES];
    drop(&balls[i], law, heard);
    for (int n = 0; n < BOUNCES; n++) {
      double time = flight_s(heard, n) / flight_s(law, n) - 1, level = heard[n].level / law[n].level - 1;
      printf("ball %zu bounce %d: flight %.4f s, %+.3f %%; level %.4f, %+.3f %%\n", i, n, flight_s(law, n),
             100 * time, law[n].level, 100 * level);
      worst_time = fmax(worst_time, fabs(time));
      worst_level = fmax(worst_level, fabs(level));
    }
  }
  printf("worst: times %.3f %%, levels %.3f %%\n", 100 * worst_time, 100 * worst_level);
  assert_true(worst_time < 0.02 && worst_level < 0.02);
}

/* A ball that is not round lands now early, now late: flights grow as well as shrink. */
static void a_pebble_does_not(void **state) {
  (void)state;
  bounce law[BOUNCES], heard[BOUNCES];
  drop(&(ball){0.6, 0.5, 0.02, 0.5}, law, heard);
  int longer = 0, shorter = 0;
  for (int n = 2; n < BOUNCES; n++) {
    printf("pebble: flight %.3f s, round %.3f s\n", flight_s(heard, n), flight_s(law, n));
    longer += flight_s(heard, n) > 1.1 * flight_s(heard, n - 1);
    shorter += flight_s(heard, n) < 0.9 * flight_s(heard, n - 1);
  }
  assert_true(longer >= 1 && shorter >= 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sound_follows_the_law),
                                     cmocka_unit_test(a_pebble_does_not)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
