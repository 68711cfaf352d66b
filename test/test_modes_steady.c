/* ctest: slow timeout=1200
 * Rounding does not choose the modes. The same recording with noise of 1e-9 of its peak (a thousandth of the
 * steps of 20 bits) has the same modes, each within a hundredth of its stated error; a processor that fuses
 * products and sums, or sums in another order, makes differences that are smaller still.
 *
 * Where modes overlap, several descriptions of one sound are as good, and which is found may depend on that
 * noise: there the sound must be the same, within 0.5 dB of log-spectral distance. */
#include "support/long_run.h"
#include "support/strikes.h"
#include <contatto/modes.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* How many disturbances of each recording. */
static uint64_t disturbances(void) { return long_run() ? 3 : 1; }

static const double rate_hz = 48000, little = 1e-9, share = 0.01, heard_db = 0.5;
enum { START = 4800, LENGTH = 72000 };

static ct_found_modes *analyse(const double *x, uint32_t most) {
  ct_modes_def def = ct_default_modes_def();
  ct_error error = {.text = ""};
  ct_found_modes *found = NULL;
  const ct_recording recording = {x, LENGTH, rate_hz, 0};
  def.most = most;
  if (ct_modes_find(&recording, 1, &def, &found, &error) != CT_OK)
    fail_msg("%s", error.text);
  return found;
}

static ct_found_modes *analyse_disturbed(const double *x, uint32_t most, uint64_t seed) {
  double *y = malloc(LENGTH * sizeof *y), peak = 0;
  assert_non_null(y);
  for (int n = 0; n < LENGTH; n++)
    peak = fmax(peak, fabs(y[n] = x[n]));
  strike_add_noise(little * peak, &seed, y, LENGTH);
  ct_found_modes *found = analyse(y, most);
  free(y);
  return found;
}

static bool are_same(const ct_found_modes *a, const ct_found_modes *b) {
  bool same = a->mode_count == b->mode_count && a->strikes[0].start == b->strikes[0].start;
  for (uint32_t i = 0; same && i < a->mode_count; i++) {
    const ct_found_mode *m = &a->modes[i], *k = &b->modes[i];
    same = fabs(m->hz - k->hz) < share * m->hz_error && fabs(m->t60_s - k->t60_s) < share * m->t60_error_s &&
           fabs(a->gains[i].gain / b->gains[i].gain - 1) < share * m->gain_error;
  }
  return same;
}

static double distance_db(const ct_found_modes *a, const ct_found_modes *b) {
  double *x = malloc(2 * LENGTH * sizeof *x), *y = x + LENGTH;
  assert_non_null(x);
  ct_modes_play(a, 0, rate_hz, x, LENGTH);
  ct_modes_play(b, 0, rate_hz, y, LENGTH);
  double distance = ct_modes_distance_db(x, y, LENGTH, rate_hz);
  free(x);
  return distance;
}

/* Modes that can be told apart, 20 dB over the noise or more. */
static void apart(void **state) {
  (void)state;
  for (uint64_t run = 0; run < (long_run() ? 40 : 4); run++) {
    uint64_t random = 100 + run;
    known_mode m[24];
    double *x = calloc(LENGTH, sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < 24; i++)
      m[i] = (known_mode){.hz = 100 * pow(100, (i + 0.5 * strike_random(&random)) / 24),
                          .t60_s = 0.1 * pow(20, strike_random(&random)),
                          .gain = 0.05 * pow(10, -strike_random(&random)),
                          .phase_rad = 2 * M_PI * strike_random(&random)};
    strike_add(m, 24, rate_hz, START, x, LENGTH);
    strike_add_noise(1e-4, &random, x, LENGTH);
    ct_found_modes *found = analyse(x, 40);
    for (uint64_t seed = 1; seed <= disturbances(); seed++) {
      ct_found_modes *other = analyse_disturbed(x, 40, seed);
      assert_true(are_same(found, other));
      ct_modes_free(other);
    }
    ct_modes_free(found);
    free(x);
  }
}

/* Twenty heaps of three modes, closer than they are wide, after digital silence: more than there is room for.
 */
static void overlapping(void **state) {
  (void)state;
  int same = 0, all = 0;
  for (uint64_t run = 0; run < (long_run() ? 20 : 2); run++) {
    uint64_t random = 200 + run;
    double *x = calloc(LENGTH, sizeof *x), farthest = 0;
    assert_non_null(x);
    for (int i = 0; i < 60; i++) {
      double decay = 5 + 20 * strike_random(&random), wide_hz = decay / M_PI;
      known_mode m = {.hz = 300 * pow(1.2, i % 20) + wide_hz * strike_normal(&random),
                      .t60_s = log(1000) / decay,
                      .gain = 0.02 * pow(10, -strike_random(&random)),
                      .phase_rad = 2 * M_PI * strike_random(&random)};
      strike_add(&m, 1, rate_hz, START, x, LENGTH);
    }
    for (int n = START; n < LENGTH; n++)
      x[n] += 1e-3 * strike_normal(&random);
    ct_found_modes *found = analyse(x, 40);
    for (uint64_t seed = 1; seed <= disturbances(); seed++) {
      ct_found_modes *other = analyse_disturbed(x, 40, seed);
      same += are_same(found, other);
      all++;
      farthest = fmax(farthest, distance_db(found, other));
      ct_modes_free(other);
    }
    print_message("overlapping: sounds %.3f dB apart\n", farthest);
    assert_true(farthest < heard_db);
    ct_modes_free(found);
    free(x);
  }
  print_message("overlapping: %d of %d have the same modes\n", same, all);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(apart), cmocka_unit_test(overlapping)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
