/* ctest: slow
 * Thumps from recordings: what modes leave of a strike is kept with the body, and a scene that plays it comes
 * nearer to the recording. The recordings are made here: modes, and a knock that is none.
 *
 *   test_modes_thump NAME FILE MODES   the same distances for a real one, as lines NAME/key,value */
#include "base/spline.h"
#include "file/sound.h"
#include "support/lab.h"
#include "support/strikes.h"
#include <contatto/modes.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 44100, SECOND = RATE, START = 4410, COUNT = 3 * RATE };

static const known_mode modes[] = {{.hz = 320, .t60_s = 1.1, .gain = 0.2},
                                   {.hz = 871, .t60_s = 0.8, .gain = 0.15},
                                   {.hz = 2440, .t60_s = 0.5, .gain = 0.1},
                                   {.hz = 5170, .t60_s = 0.3, .gain = 0.05}};

/* Noise that falls by 60 dB in 40 ms, without its lows: the sum is near 0. */
static void add_knock(double level, uint64_t *random, double *samples) {
  double last = 0;
  for (int n = 0; n < RATE / 10; n++) {
    double noise = strike_normal(random);
    samples[START + n] += level * (noise - last) * pow(1000, -n / (0.04 * RATE));
    last = noise;
  }
}

static void record(double knock, double noise, uint64_t seed, double *samples) {
  memset(samples, 0, COUNT * sizeof *samples);
  strike_add(modes, 4, RATE, START, samples, COUNT);
  add_knock(knock, &seed, samples);
  strike_add_noise(noise, &seed, samples, COUNT);
}

/* ---- from the recording to a body's text ---- */

typedef struct body {
  char *text;
  size_t length;
  double impulse_n_s, length_s;
  size_t start; /* where the strike was found */
} body;

static body analyse_recording(ct_recording recording, uint32_t most, double longest_s) {
  const char *places[] = {"hit"};
  const ct_modes_weight weight = {.mass_kg = 0.4};
  ct_modes_def def = ct_default_modes_def();
  ct_found_modes *found = NULL;
  ct_error error = {.text = ""};
  ct_doc *doc = NULL;
  body b = {0};
  def.most = most;
  lab_must(ct_modes_find(&recording, 1, &def, &found, &error), &error);
  lab_must(ct_modes_document(found, places, "test", &weight, &doc, &error), &error);
  lab_must(ct_modes_add_thumps(found, &recording, places, &weight, longest_s, &b.length_s, doc, &error),
           &error);
  lab_must(ct_doc_write_json(doc, NULL, 0, &b.length, &error), &error);
  b.text = malloc(b.length + 1);
  lab_must(ct_doc_write_json(doc, b.text, b.length + 1, &b.length, &error), &error);
  uint32_t strike = 0, mode = 0;
  for (uint32_t g = 1; g < found->strike_count; g++)
    strike = found->strikes[g].energy > found->strikes[strike].energy ? g : strike;
  const ct_found_gain *gains = found->gains + (size_t)strike * found->mode_count;
  for (uint32_t i = 0; i < found->mode_count; i++) /* the one with most energy tells the impulse */
    if (!found->modes[i].stands_in && gains[i].gain * gains[i].gain * found->modes[i].t60_s >
                                          gains[mode].gain * gains[mode].gain * found->modes[mode].t60_s)
      mode = i;
  char path[64];
  ct_leaf leaf;
  snprintf(path, sizeof path, "bodies.body.modes.%u.mass_kg", mode);
  for (uint32_t i = 0; i < ct_doc_leaf_count(doc); i++)
    if (strcmp((leaf = ct_doc_leaf(doc, i)).path, path) == 0)
      b.impulse_n_s = leaf.number * gains[mode].gain;
  b.start = found->strikes[strike].start;
  ct_doc_destroy(doc);
  ct_modes_free(found);
  return b;
}

static body analyse(const double *samples, double longest_s) {
  return analyse_recording((ct_recording){.samples = samples, .count = COUNT, .rate_hz = RATE}, 40,
                           longest_s);
}

static ct_result bring(void *context, const char *what, const char *name, ct_brought *brought,
                       ct_error *error) {
  const body *b = context;
  (void)what, (void)name, (void)error;
  *brought = (ct_brought){.text = b->text, .length = b->length};
  return CT_OK;
}

/* A blow of the recorded impulse, all at once. */
static void strike(body *b, double rate_hz, double thump, double *samples, uint32_t count) {
  const char *text = "{\"contatto\": 1, \"bodies\": {\"thing\": {\"modes\": {\"from\": \"body.json\"}}},"
                     " \"pickups\": {\"out\": {\"at\": \"thing.hit\"}}}";
  ct_error error = {.text = ""};
  ct_doc *doc = ct_doc_create();
  ct_build_def def = ct_default_build_def();
  ct_scene *s = NULL;
  def.rate_hz = rate_hz;
  lab_must(ct_doc_read_json(doc, "scene", text, strlen(text), bring, b, &error), &error);
  if (thump > 0)
    lab_must(ct_doc_set_number(doc, "out.thump", thump, &error), &error);
  lab_must(ct_doc_build(doc, &def, &s, NULL, NULL, &error), &error);
  lab_set(s, "thing.hit.strike_stiffness", 1e15, 0, 0);
  lab_set(s, "thing.hit.strike_n_s", b->impulse_n_s, 0, 0);
  ct_scene_process(s, &(ct_io){.frames = count, .raw = &samples});
  ct_scene_destroy(s);
  ct_doc_destroy(doc);
}

static double square(const double *a, const double *b, uint32_t count) {
  double sum = 0;
  for (uint32_t n = 0; n < count; n++)
    sum += (a[n] - b[n]) * (a[n] - b[n]);
  return sum;
}

/* The blow takes one sample, so it is heard half a sample late. */
static void shift(const double *samples, size_t all, size_t start, double *heard, uint32_t count) {
  for (uint32_t n = 0; n < count; n++)
    heard[n] = ct_read_between(samples, all, (double)(start + n) - 0.5, 1);
}

/* Nearer in the levels of bands over time; and the first 50 ms, before it is faded out, in its samples. */
static void it_comes_nearer(void **state) {
  (void)state;
  static double samples[COUNT], heard[SECOND], off[SECOND], on[SECOND];
  for (uint64_t seed = 1; seed <= 6; seed++) {
    double knock = seed % 3 ? 0.2 : 0;
    record(knock, 1e-4, seed, samples);
    body b = analyse(samples, CT_THUMP_MOST_S);
    strike(&b, RATE, 0, off, SECOND);
    strike(&b, RATE, 1, on, SECOND);
    shift(samples, COUNT, b.start, heard, SECOND);
    double without = ct_modes_distance_db(heard, off, SECOND, RATE),
           with = ct_modes_distance_db(heard, on, SECOND, RATE),
           early_without = ct_modes_distance_db(heard, off, RATE / 20, RATE),
           early_with = ct_modes_distance_db(heard, on, RATE / 20, RATE),
           squares_without = square(heard, off, RATE / 20), squares_with = square(heard, on, RATE / 20);
    printf("%d samples off, %.1f ms, %zu bytes; distance %.2f dB without, %.2f dB with; first 50 ms: %.2f "
           "and %.2f dB, "
           "squares %.3g and %.3g\n",
           (int)b.start - START, 1000 * b.length_s, b.length, without, with, early_without, early_with,
           squares_without, squares_with);
    assert_true((knock == 0 || b.length_s > 0.01) && b.length_s <= CT_THUMP_MOST_S && b.length < 50000);
    double most = knock > 0 ? 0.8 : 1.01;
    assert_true(with < most * without && early_with < most * early_without);
    assert_true(squares_with <= (knock > 0 ? 0.1 : 1) * squares_without);
    free(b.text);
  }
}

/* As long as it may be, and not at all where nobody wants it. */
static void it_is_as_short_as_asked_for(void **state) {
  (void)state;
  static double samples[COUNT];
  record(0.2, 1e-4, 6, samples);
  body b = analyse(samples, 0);
  assert_null(strstr(b.text, "thump"));
  assert_true(b.length_s == 0);
  free(b.text);
  b = analyse(samples, 0.005);
  assert_non_null(strstr(b.text, "thump"));
  assert_true(b.length_s > 0.002 && b.length_s <= 0.005);
  free(b.text);
}

static int measure(const char *name, const char *file, uint32_t most) {
  enum { SECOND_MOST = 192000 };
  static double heard[SECOND_MOST], off[SECOND_MOST], on[SECOND_MOST];
  ct_recorded r;
  ct_error error = {.text = ""};
  if (ct_recording_read(file, 0, 120, "a strike", &r, &error) != CT_OK || r.rate_hz > SECOND_MOST)
    return fprintf(stderr, "%s\n", error.text), 1;
  body b = analyse_recording((ct_recording){.samples = r.samples, .count = r.count, .rate_hz = r.rate_hz},
                             most, CT_THUMP_MOST_S);
  double left = fmin((double)(r.count - b.start), r.rate_hz);
  uint32_t count = (uint32_t)left;
  shift(r.samples, r.count, b.start, heard, count);
  strike(&b, r.rate_hz, 0, off, count);
  strike(&b, r.rate_hz, 1, on, count);
  printf("%s/struck_db,%.17g\n%s/with_thump_db,%.17g\n%s/thump_ms,%.17g\n", name,
         ct_modes_distance_db(heard, off, count, r.rate_hz), name,
         ct_modes_distance_db(heard, on, count, r.rate_hz), name, 1000 * b.length_s);
  free(b.text);
  free(r.samples);
  return 0;
}

int main(int count, char **words) {
  if (count == 4)
    return measure(words[1], words[2], (uint32_t)atoi(words[3]));
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_comes_nearer),
                                     cmocka_unit_test(it_is_as_short_as_asked_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
