/* ctest: slow
 * Fitting a scene to recordings, part by part: measures of made-up tones against what they were made of, the
 * search on functions whose least is known, what it says cannot be told apart, and answers kept in a file. */
#include "base/hash.h"
#include "fit/fit.h"
#include "fit/heard.h"
#include "fit/journal.h"
#include "measure/signal.h"
#include <contatto/measure.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define RATE_HZ 44100.0

static void near(double value, double wanted, double within, const char *what) {
  if (!(fabs(value - wanted) <= within))
    fail_msg("%s is %.9g, wanted %.9g within %.3g", what, value, wanted, within);
}

#define assert_near(value, wanted, within) near(value, wanted, within, #value)

/* ---- measures ---- */

typedef struct tone {
  double hz, wander_cents, wander_hz, level[6], rate_hz, depth, noise;
} tone;

/* Harmonics with a pitch that sways by a sine, an amplitude modulated by another, white noise. */
static double *make_tone(const tone *t, size_t count) {
  double *x = malloc(count * sizeof *x), phase = 0;
  ct_random r = {7};
  for (size_t n = 0; n < count; n++) {
    double time_s = (double)n / RATE_HZ, sum = 0;
    double cents = sqrt(2) * t->wander_cents * sin(CT_TWO_PI * t->wander_hz * time_s);
    phase += CT_TWO_PI * t->hz * pow(2, cents / 1200) / RATE_HZ;
    for (int h = 1; h <= 5; h++)
      sum += t->level[h] * sin(h * phase);
    x[n] = 0.3 * (1 + t->depth * cos(CT_TWO_PI * t->rate_hz * time_s)) * sum +
           t->noise * sqrt(3) * ct_random_even(&r);
  }
  return x;
}

static double heard_named(ct_heard_kind kind, const ct_heard *heard, const char *name) {
  uint32_t count;
  const ct_heard_row *rows = ct_heard_rows(kind, &count);
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(rows[i].name, name) == 0)
      return heard->value[i];
  fail_msg("no measure called %s", name);
  return 0;
}

/* White noise in 22 thirds of octaves from 100 Hz on, each against all power, and the mean of their levels.
 */
static double noise_share_of(double noise, double power) {
  double sum = 0;
  for (int i = 0; i < 22; i++)
    sum +=
        10 * log10(noise * noise / power * 100 * (pow(2, (i + 1) / 3.0) - pow(2, i / 3.0)) / (RATE_HZ / 2));
  return sum / 22;
}

static void tone_is_heard_as_made(void **state) {
  (void)state;
  const tone t = {523.7, 12, 2, {0, 1, 0.05, 0.02, 0.01, 0.003}, 3.1, 0.4, 0.001};
  size_t count = (size_t)(2 * RATE_HZ);
  double *x = make_tone(&t, count), power = 0;
  ct_heard heard;
  assert_true(ct_heard_measure(CT_HEARD_TONE, x, count, RATE_HZ, &heard));
  assert_true(ct_heard_is_tone(x, count, RATE_HZ));
  for (int h = 1; h <= 5; h++)
    power += 0.3 * 0.3 * t.level[h] * t.level[h] / 2 * (1 + t.depth * t.depth / 2);
  assert_near(ct_measure_cents(heard_named(CT_HEARD_TONE, &heard, "pitch"), t.hz), 0, 1.5);
  /* frames of 85 ms smooth a sway of 2 Hz by a few per cent */
  assert_near(heard_named(CT_HEARD_TONE, &heard, "pitch wander"), t.wander_cents, 1);
  assert_near(heard_named(CT_HEARD_TONE, &heard, "harmonic 2"), 20 * log10(t.level[2]), 0.1);
  assert_near(heard_named(CT_HEARD_TONE, &heard, "harmonic 3"), 20 * log10(t.level[3]), 0.1);
  assert_near(heard_named(CT_HEARD_TONE, &heard, "harmonic 4"), 20 * log10(t.level[4]), 0.2);
  assert_near(heard_named(CT_HEARD_TONE, &heard, "harmonic 5"), 20 * log10(t.level[5]), 0.5);
  assert_near(heard_named(CT_HEARD_TONE, &heard, "modulation rate"), t.rate_hz, 0.01 * t.rate_hz);
  assert_near(heard_named(CT_HEARD_TONE, &heard, "modulation depth"), t.depth, 0.02);
  assert_near(heard_named(CT_HEARD_TONE, &heard, "noise share"), noise_share_of(t.noise, power), 1);
  assert_near(heard_named(CT_HEARD_TONE, &heard, "regime changes"), 0, 0);
  free(x);
}

/* A pulsation of two harmonics over a falling line, begun anywhere in its period, from two periods on: the
 * rate is that of what repeats even where the second harmonic is the stronger one. A line and harmonics are
 * what is fitted, so 5 % noise on 400 values is all that is between: some 0.3 % of the rate, three of it are
 * allowed. A peak of the spectrum is off by 5 % here, and by an octave. */
static void pulsation_is_what_repeats(void **state) {
  (void)state;
  enum { COUNT = 400 };
  double envelope[COUNT];
  ct_random r = {11};
  for (int second = 0; second < 2; second++)
    for (int periods = 0; periods < 6; periods++)
      for (int phase = 0; phase < 8; phase++) {
        double hz = (2.1 + 0.5 * periods) / 2, a = second ? 0.2 : 0.4, b = second ? 0.3 : 0.1;
        for (int n = 0; n < COUNT; n++) {
          double angle = CT_TWO_PI * (hz * n / 200.0 + phase / 8.0);
          envelope[n] = 3 * (1 - 0.1 * n / COUNT + a * cos(angle) + b * cos(2 * angle + 1)) +
                        0.15 * sqrt(3) * ct_random_even(&r);
        }
        ct_measured_modulation m = ct_pulse_measure(envelope, COUNT, 200, 20);
        near(m.rate_hz, hz, 0.01 * hz, "rate of a pulsation");
        double low = CT_INFINITY, high = 0;
        for (int p = 0; p < 256; p++) {
          double angle = CT_TWO_PI * p / 256, v = 0.95 + a * cos(angle) + b * cos(2 * angle + 1);
          low = fmin(low, v);
          high = fmax(high, v);
        }
        near(m.depth, (high - low) / (high + low), 0.05, "depth of a pulsation");
      }
  for (int n = 0; n < COUNT; n++)
    envelope[n] = 2 + 0.01 * n;
  assert_true(isnan(ct_pulse_measure(envelope, COUNT, 200, 20).rate_hz));
}

/* Two pitches after one another are one change of regime. */
static void change_of_regime_is_counted(void **state) {
  (void)state;
  const tone low = {400, 0, 1, {0, 1, 0.1, 0, 0, 0}, 1, 0, 1e-4};
  tone high = low;
  high.hz = 1000;
  size_t count = (size_t)RATE_HZ;
  double *a = make_tone(&low, 2 * count), *b = make_tone(&high, count);
  ct_heard heard;
  memcpy(a + count, b, count * sizeof *a);
  assert_true(ct_heard_measure(CT_HEARD_TONE, a, 2 * count, RATE_HZ, &heard));
  assert_near(heard_named(CT_HEARD_TONE, &heard, "regime changes"), 0.5, 1e-9);
  free(a);
  free(b);
}

/* White noise has 3 dB more in every octave; the octave at 8 kHz is 5657 Hz of 22050 - 40. */
static void noise_is_heard_as_made(void **state) {
  (void)state;
  const tone t = {.hz = 100, .noise = 0.1};
  size_t count = (size_t)(2 * RATE_HZ);
  double *x = make_tone(&t, count);
  ct_heard heard;
  assert_false(ct_heard_is_tone(x, count, RATE_HZ));
  for (size_t n = count / 2; n < count; n++)
    x[n] *= 0.5;
  assert_true(ct_heard_measure(CT_HEARD_NOISE, x, count, RATE_HZ, &heard));
  double octave = 10 * log10(8000 / sqrt(2) / (RATE_HZ / 2 - 40));
  assert_near(heard_named(CT_HEARD_NOISE, &heard, "octave at 8 kHz"), octave, 0.2);
  assert_near(heard_named(CT_HEARD_NOISE, &heard, "octave at 1 kHz"), octave - 9.03, 0.5);
  assert_near(heard_named(CT_HEARD_NOISE, &heard, "second half over first"), -6.02, 0.2);
  free(x);
}

/* ---- the search ---- */

/* Rosenbrock's valley in the first two numbers, a ripple that makes many local ends in the third. Its least
 * is 0, at (0.7, 0.49, 0.35). */
static ct_result ask_valley(void *context, const double *points, uint32_t count, double *residuals,
                            ct_error *error) {
  (void)error;
  uint32_t *asked = context;
  *asked += count;
  for (uint32_t i = 0; i < count; i++) {
    const double *x = points + 3 * i;
    double *r = residuals + 4 * i;
    r[0] = 20 * (x[1] - x[0] * x[0]);
    r[1] = 10 * (x[0] - 0.7);
    r[2] = 5 * (x[2] - 0.35);
    r[3] = 5 * sin(20 * (x[2] - 0.35));
  }
  return CT_OK;
}

/* No search can promise the deepest of many ends: nine runs in ten must find it. */
static void search_finds_the_least(void **state) {
  (void)state;
  enum { RUNS = 40 };
  const double start[] = {0.1, 0.9, 0.9};
  uint32_t found_it = 0;
  for (uint64_t seed = 1; seed <= RUNS; seed++) {
    uint32_t asked = 0;
    ct_seek_def def = {3, 4, start, seed, 2000, ask_valley, &asked, NULL};
    ct_seek_found found, again;
    ct_error error = {.text = ""};
    assert_int_equal(ct_seek_run(&def, &found, &error), CT_OK);
    assert_true(asked <= ct_seek_plan(3, 2000));
    found_it += fabs(found.best[0] - 0.7) < 0.05 && fabs(found.best[1] - 0.49) < 0.08 &&
                fabs(found.best[2] - 0.35) < 0.05;
    assert_int_equal(ct_seek_run(&def, &again, &error), CT_OK);
    assert_memory_equal(found.best, again.best, sizeof found.best);
    free(found.residuals);
    free(again.residuals);
  }
  if (found_it < RUNS - RUNS / 10)
    fail_msg("found in %u of %d runs", found_it, RUNS);
}

/* Only the product of the first two numbers is heard: one up and the other down by as much is not. */
static ct_result ask_product(void *context, const double *points, uint32_t count, double *residuals,
                             ct_error *error) {
  (void)error;
  const ct_knobs *knobs = context;
  for (uint32_t i = 0; i < count; i++) {
    residuals[2 * i] = 50 * log(ct_knob_value(&knobs->items[0], points[3 * i]) *
                                ct_knob_value(&knobs->items[1], points[3 * i + 1]));
    residuals[2 * i + 1] = 100 * log(ct_knob_value(&knobs->items[2], points[3 * i + 2]));
  }
  return CT_OK;
}

static void what_is_alike_is_told(void **state) {
  (void)state;
  ct_match_found found = {.knobs.count = 3};
  for (int i = 0; i < 3; i++) {
    found.knobs.items[i] = (ct_knob){.scale = CT_KNOB_LOG, .low = 0.1, .high = 10, .start = 1};
    found.shares[i] = 0.5;
  }
  ct_seek_def def = {3, 2, found.shares, 1, 0, ask_product, &found.knobs, NULL};
  ct_error error = {.text = ""};
  assert_int_equal(ct_match_find_alike(&def, &found, &error), CT_OK);
  assert_int_equal(found.alike_count, 1);
  assert_near(found.alike[0].weight[0] + found.alike[0].weight[1], 0, 1e-6);
  assert_near(fabs(found.alike[0].weight[0]), sqrt(0.5), 1e-6);
  assert_near(found.alike[0].weight[2], 0, 1e-6);
  assert_true(found.alike[0].reach > 1);
}

/* ---- the journal ---- */

static void journal_gives_back_what_it_got(void **state) {
  (void)state;
  char name[] = "/tmp/contatto-fit-XXXXXX";
  int made = mkstemp(name);
  assert_true(made >= 0);
  close(made);
  const double answers[] = {1.0 / 3, CT_NAN, -0.0, 1e-310, 5, CT_INFINITY};
  double read[2];
  ct_journal *journal = NULL;
  ct_error error = {.text = ""};
  assert_int_equal(ct_journal_open(name, 42, 2, &journal, &error), CT_OK);
  assert_false(ct_journal_next(journal, read));
  assert_int_equal(ct_journal_add(journal, answers, 2, &error), CT_OK);
  ct_journal_close(journal);
  FILE *file = fopen(name, "a"); /* the end of a process in the middle of a line */
  fputs("3fd555555555", file);
  fclose(file);
  for (int round = 0; round < 2; round++) {
    assert_int_equal(ct_journal_open(name, 42, 2, &journal, &error), CT_OK);
    for (int i = 0; i < 2 + round; i++) {
      assert_true(ct_journal_next(journal, read));
      assert_memory_equal(read, answers + 2 * i, sizeof read);
    }
    assert_false(ct_journal_next(journal, read));
    if (round == 0)
      assert_int_equal(ct_journal_add(journal, answers + 4, 1, &error), CT_OK);
    ct_journal_close(journal);
  }
  assert_int_not_equal(ct_journal_open(name, 43, 2, &journal, &error), CT_OK);
  assert_non_null(strstr(error.text, "not the state of this fit"));
  remove(name);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tone_is_heard_as_made),          cmocka_unit_test(pulsation_is_what_repeats),
      cmocka_unit_test(change_of_regime_is_counted),    cmocka_unit_test(noise_is_heard_as_made),
      cmocka_unit_test(search_finds_the_least),         cmocka_unit_test(what_is_alike_is_told),
      cmocka_unit_test(journal_gives_back_what_it_got),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
