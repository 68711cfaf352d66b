/* The limiter: nothing leaves above its ceiling, and nothing below it is touched. */
#include "measure/windows.h"
#include "support/random_scene.h"
#include <contatto/limiter.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define RATE 48000.0
enum { FRAMES = 24000, LATENCY = 79, AHEAD = 16 }; /* AHEAD: half the taps, which ring before a blow */

static ct_limiter *limiter(uint32_t channels) {
  ct_limiter_def def = ct_default_limiter_def();
  ct_limiter *l;
  def.rate_hz = RATE;
  def.channels = channels;
  assert_int_equal(ct_limiter_create(&def, &l, NULL), CT_OK);
  return l;
}

static const double ceiling = 0.8912509381337456; /* -1 dB */

static void run(ct_limiter *l, float *samples, uint32_t frames, uint32_t block) {
  for (uint32_t at = 0; at < frames; at += block) {
    float *channel = samples + at;
    ct_limiter_process(l, &channel, frames - at < block ? frames - at : block);
  }
}

static double largest(const float *x, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    most = fmax(most, fabs((double)x[i]));
  return most;
}

static double true_peak_db(const float *x, uint32_t count) {
  double *copy = malloc(count * sizeof *copy);
  assert_non_null(copy);
  for (uint32_t i = 0; i < count; i++)
    copy[i] = (double)x[i];
  ct_memory_windows windows = ct_memory_windows_of(copy, count, 1, RATE);
  double peak = ct_windows_true_peak_db(&windows.windows);
  free(copy);
  return peak;
}

/* ---- below ---- */

/* 32 taps of unity gain add up to less than 3 in absolute value: a third of the ceiling is below it however
 * the signs fall. */
static void passes_what_is_below_bit_for_bit(void **state) {
  (void)state;
  ct_limiter *l = limiter(1);
  random_state random = {7};
  static float in[FRAMES], out[FRAMES];
  for (uint32_t i = 0; i < FRAMES; i++)
    out[i] = in[i] = (float)(ceiling / 3 * random_between(&random, -1, 1));
  run(l, out, FRAMES, 128);
  uint32_t latency = ct_limiter_latency(l);
  assert_int_equal(latency, LATENCY);
  for (uint32_t i = 0; i < latency; i++)
    assert_true(out[i] == 0);
  assert_memory_equal(out + latency, in, (FRAMES - latency) * sizeof *in);
  assert_true(ct_limiter_gain(l) == 1);
  ct_limiter_destroy(l);
}

/* A tone 0.05 dB below the ceiling, at frequencies where samples and peaks coincide and where they do not. */
static void passes_tones_up_to_the_ceiling(void **state) {
  (void)state;
  const double tones[] = {55, 997, 5000, 11999, 16000};
  for (size_t k = 0; k < sizeof tones / sizeof tones[0]; k++) {
    ct_limiter *l = limiter(1);
    static float in[FRAMES], out[FRAMES];
    for (uint32_t i = 0; i < FRAMES; i++) {
      double fade = fmin(1, i / 2400.0);
      out[i] = in[i] = (float)(ceiling * 0.994 * fade * sin(2 * M_PI * tones[k] * i / RATE));
    }
    run(l, out, FRAMES, 128);
    assert_memory_equal(out + LATENCY, in, (FRAMES - LATENCY) * sizeof *in);
    ct_limiter_destroy(l);
  }
}

/* ---- above ---- */

static void hostile(int kind, float *x) {
  random_state random = {(uint64_t)kind + 1};
  for (uint32_t i = 0; i < FRAMES; i++) {
    double t = i / RATE, noise = random_between(&random, -1, 1);
    switch (kind) {
    case 0: /* a blow out of silence */
      x[i] = i == 12000 ? 1000.0f : 0;
      break;
    case 1: /* square, full of corners */
      x[i] = sin(2 * M_PI * 441 * t) > 0 ? 3.0f : -3.0f;
      break;
    case 2: /* noise that swells and falls by 60 dB */
      x[i] = (float)(noise * pow(10, 1.5 * sin(2 * M_PI * 3 * t)));
      break;
    case 3: /* steps of all sizes */
      x[i] = i % 97 ? x[i - 1] : (float)(noise * exp(8 * random_between(&random, -1, 1)));
      break;
    case 4: /* the largest there is */
      x[i] = i % 2 ? FLT_MAX : -FLT_MAX;
      break;
    default: /* blows of a hammer, decaying */
      x[i] = (float)(6 * exp((i % 6000) / -600.0) * sin(2 * M_PI * 2300 * t));
    }
  }
}

enum { KINDS = 6 };

static void lets_no_sample_above(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    ct_limiter *l = limiter(1);
    static float x[FRAMES];
    hostile(kind, x);
    run(l, x, FRAMES, 128);
    double most = largest(x, FRAMES);
    if (!(most <= ceiling * (1 + 1e-6)))
      fail_msg("signal %d leaves at %.9g", kind, most);
    double gain = ct_limiter_gain(l);
    if (!(gain < 1))
      fail_msg("signal %d passes with gain %g", kind, gain);
    ct_limiter_destroy(l);
  }
}

/* In and out slowly: a tone that is cut off overshoots by itself. */
static double swell(uint32_t i) { return fmin(1, fmin(i, (double)FRAMES - LATENCY - i) / 4800.0); }

/* Between the samples too: a quarter-sample grid misses cos(pi f / 4 rate), 0.47 dB at 20 kHz. */
static void keeps_true_peaks(void **state) {
  (void)state;
  const double tones[] = {100, 1000, 3000, 6000, 8000, 11999, 12001, 15000, 17000, 20000};
  for (size_t k = 0; k < sizeof tones / sizeof tones[0]; k++) {
    ct_limiter *l = limiter(1);
    static float x[FRAMES];
    for (uint32_t i = 0; i < FRAMES; i++)
      x[i] = (float)(4 * swell(i) * sin(2 * M_PI * tones[k] * i / RATE + (double)k));
    run(l, x, FRAMES, 128);
    double peak = true_peak_db(x, FRAMES);
    if (!(peak <= -1 + 0.6))
      fail_msg("a tone of %g Hz peaks at %g dB", tones[k], peak);
    ct_limiter_destroy(l);
  }
  for (int kind = 1; kind < KINDS; kind++) {
    ct_limiter *l = limiter(1);
    static float x[FRAMES];
    hostile(kind, x);
    run(l, x, FRAMES, 128);
    double peak = true_peak_db(x, FRAMES);
    if (kind != 4 && !(peak <= -1 + 0.6)) /* kind 4 is all at half the rate, where there is no telling */
      fail_msg("signal %d peaks at %g dB between the samples", kind, peak);
    ct_limiter_destroy(l);
  }
}

/* ---- how it moves ---- */

/* The gain as heard by a small constant in the other channel. */
static void gains_of_a_blow(double release_s, float *gain, uint32_t frames, uint32_t at) {
  ct_limiter_def def = ct_default_limiter_def();
  def.release_s = release_s;
  ct_limiter *l;
  assert_int_equal(ct_limiter_create(&def, &l, NULL), CT_OK);
  float *blow = calloc(frames, sizeof *blow);
  assert_non_null(blow);
  for (uint32_t i = 0; i < frames; i++)
    gain[i] = 0.015625f;
  blow[at] = 8;
  float *channels[2] = {blow, gain};
  ct_limiter_process(l, channels, frames);
  for (uint32_t i = 0; i < frames; i++)
    gain[i] *= 64;
  free(blow);
  ct_limiter_destroy(l);
}

/* Down in one window of 64 samples, never by more than a 64th per sample; at the blow as low as it must be.
 */
static void comes_down_before_the_blow_without_a_jump(void **state) {
  (void)state;
  static float gain[FRAMES];
  gains_of_a_blow(0.1, gain, FRAMES, 6000);
  assert_true(gain[6000 + LATENCY - 64 - AHEAD - 1] == 1 && gain[6000 + LATENCY - 56] < 1);
  assert_true((double)gain[6000 + LATENCY] <= ceiling / 8 * (1 + 1e-6));
  for (uint32_t i = LATENCY + 1; i < FRAMES; i++)
    assert_true(fabs((double)gain[i] - (double)gain[i - 1]) <= 1 / 64.0 + 1e-6);
}

/* 63 % of the way back after the release time, and all of it, exactly, after a dozen of them. */
static void lets_go_in_its_time(void **state) {
  (void)state;
  static float gain[4 * FRAMES];
  const double release_s = 0.1, low = ceiling / 8;
  gains_of_a_blow(release_s, gain, 4 * FRAMES, 6000);
  uint32_t after = 6000 + LATENCY + 64 + (uint32_t)(release_s * RATE);
  double way = ((double)gain[after] - low) / (1 - low);
  assert_true(fabs(way - 0.632) < 0.01);
  for (uint32_t i = 6000 + (uint32_t)(12 * release_s * RATE); i < 4 * FRAMES; i++)
    assert_true(gain[i] == 1);
}

static void does_not_depend_on_blocks(void **state) {
  (void)state;
  const uint32_t blocks[] = {1, 7, 128, FRAMES};
  static float one[FRAMES], other[FRAMES];
  hostile(2, one);
  ct_limiter *l = limiter(1);
  run(l, one, FRAMES, 64);
  ct_limiter_destroy(l);
  for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++) {
    hostile(2, other);
    l = limiter(1);
    run(l, other, FRAMES, blocks[k]);
    ct_limiter_destroy(l);
    assert_memory_equal(one, other, sizeof one);
  }
}

/* ---- what is not sound ---- */

static void silences_and_counts_what_is_not_finite(void **state) {
  (void)state;
  ct_limiter *l = limiter(1);
  static float x[1024];
  for (uint32_t i = 0; i < 1024; i++)
    x[i] = 0.25f;
  x[100] = NAN;
  x[101] = INFINITY;
  x[102] = -INFINITY;
  run(l, x, 1024, 128);
  for (uint32_t i = 0; i < 1024; i++)
    assert_true(isfinite(x[i]));
  assert_true(x[100 + LATENCY] == 0 && x[102 + LATENCY] == 0 && x[103 + LATENCY] == 0.25f);
  assert_int_equal(ct_limiter_dropped(l), 3);
  ct_limiter_destroy(l);
}

/* ---- ending ---- */

static double fade_weight(uint32_t left) {
  double root = sin(M_PI / 2 * left / LATENCY);
  return root * root;
}

/* A tone, then nothing: it leaves with the weights it should have, no step is larger than those of the tone
 * and of the weights together, and what follows is as it would be without the fade. */
static void fades_out_without_a_step(void **state) {
  (void)state;
  enum { CUT = 4096, AGAIN = 6000 };
  const double size = 0.25, turn = 2 * M_PI * 997 / RATE;
  ct_limiter *l = limiter(1);
  static float in[FRAMES], out[FRAMES];
  for (uint32_t i = 0; i < FRAMES; i++)
    out[i] = in[i] = i >= CUT && i < AGAIN ? 0 : (float)(size * sin(turn * (i < CUT ? i : i - AGAIN)));
  run(l, out, CUT, 128);
  ct_limiter_fade_out(l);
  run(l, out + CUT, FRAMES - CUT, 128);
  assert_memory_equal(out + LATENCY, in, (CUT - LATENCY) * sizeof *in);
  for (uint32_t k = 0; k < LATENCY; k++)
    assert_true(fabs((double)out[CUT + k] - (double)in[CUT - LATENCY + k] * fade_weight(LATENCY - k)) < 1e-8);
  for (uint32_t i = CUT + LATENCY; i < AGAIN + LATENCY; i++)
    assert_true(out[i] == 0);
  assert_memory_equal(out + AGAIN + LATENCY, in + AGAIN, (FRAMES - AGAIN - LATENCY) * sizeof *in);
  for (uint32_t i = 1; i < FRAMES; i++)
    assert_true(fabs((double)out[i] - (double)out[i - 1]) <= size * (turn + M_PI / 2 / LATENCY));
  assert_true(ct_limiter_gain(l) == 1);
  ct_limiter_destroy(l);
}

/* Something that grew by 1 dB a sample until it was no number any more. */
static void fades_out_what_ran_away(void **state) {
  (void)state;
  enum { CUT = 8192, RISE = 600 };
  ct_limiter *l = limiter(1);
  static float x[FRAMES];
  for (uint32_t i = 0; i < CUT; i++)
    x[i] = (float)(0.01 * pow(10, fmax(0, i + RISE - (double)CUT) / 20) * sin(0.3 * i));
  run(l, x, CUT, 128);
  ct_limiter_fade_out(l);
  memset(x + CUT, 0, (FRAMES - CUT) * sizeof *x);
  run(l, x + CUT, FRAMES - CUT, 128);
  assert_true(largest(x, CUT) <= ceiling * (1 + 1e-6));
  for (uint32_t k = 0; k < LATENCY; k++)
    assert_true(fabs((double)x[CUT + k]) <= ceiling * (1 + 1e-6) * fade_weight(LATENCY - k));
  assert_true(largest(x + CUT + LATENCY, FRAMES - CUT - LATENCY) == 0);
  ct_limiter_destroy(l);
}

/* Asked again before the first fade is over: what was taken in between is not heard. */
static void fades_out_twice(void **state) {
  (void)state;
  enum { CUT = 1024, MORE = 30 };
  ct_limiter *l = limiter(2);
  static float left[FRAMES], right[FRAMES];
  for (uint32_t i = 0; i < CUT + MORE; i++)
    left[i] = right[i] = i < CUT ? 0.25f : -0.5f;
  const uint32_t ends[] = {CUT, CUT + MORE, FRAMES};
  for (uint32_t k = 0, at = 0; k < 3; at = ends[k++]) {
    float *channels[] = {left + at, right + at};
    ct_limiter_process(l, channels, ends[k] - at);
    if (k < 2)
      ct_limiter_fade_out(l);
  }
  for (uint32_t k = 0; k < LATENCY; k++)
    assert_true(fabs((double)right[CUT + k] - 0.25 * fade_weight(LATENCY - k)) < 1e-8);
  assert_true(largest(left + CUT + LATENCY, FRAMES - CUT - LATENCY) == 0);
  assert_memory_equal(left, right, sizeof left);
  ct_limiter_destroy(l);
}

static void refuses_what_it_cannot_be(void **state) {
  (void)state;
  ct_limiter *l;
  ct_error error;
  ct_limiter_def blank = {0}, def = ct_default_limiter_def();
  assert_int_equal(ct_limiter_create(&blank, &l, &error), CT_BAD_ARGUMENT);
  def.channels = 9;
  assert_int_equal(ct_limiter_create(&def, &l, &error), CT_BAD_VALUE);
  assert_non_null(strstr(error.text, "9 channels; wants 1 to 8"));
  def = ct_default_limiter_def();
  def.ceiling_db = 3;
  assert_int_equal(ct_limiter_create(&def, &l, &error), CT_BAD_VALUE);
  def = ct_default_limiter_def();
  def.rate_hz = (double)NAN;
  assert_int_equal(ct_limiter_create(&def, &l, &error), CT_BAD_VALUE);
  def = ct_default_limiter_def();
  def.release_s = 0;
  assert_int_equal(ct_limiter_create(&def, &l, &error), CT_BAD_VALUE);
}

/* At other rates the window stays near a millisecond, and the promise holds. */
static void works_at_every_rate(void **state) {
  (void)state;
  const double rates[] = {8000, 44100, 96000, 192000, 1e6};
  for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++) {
    ct_limiter_def def = ct_default_limiter_def();
    def.rate_hz = rates[k];
    def.channels = 1;
    ct_limiter *l;
    assert_int_equal(ct_limiter_create(&def, &l, NULL), CT_OK);
    double latency_s = ct_limiter_latency(l) / rates[k];
    assert_true(latency_s >= 0.001 && latency_s < 0.003);
    static float x[FRAMES];
    hostile(2, x);
    run(l, x, FRAMES, 128);
    assert_true(largest(x, FRAMES) <= ceiling * (1 + 1e-6));
    ct_limiter_destroy(l);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(passes_what_is_below_bit_for_bit),
      cmocka_unit_test(passes_tones_up_to_the_ceiling),
      cmocka_unit_test(lets_no_sample_above),
      cmocka_unit_test(keeps_true_peaks),
      cmocka_unit_test(comes_down_before_the_blow_without_a_jump),
      cmocka_unit_test(lets_go_in_its_time),
      cmocka_unit_test(does_not_depend_on_blocks),
      cmocka_unit_test(silences_and_counts_what_is_not_finite),
      cmocka_unit_test(fades_out_without_a_step),
      cmocka_unit_test(fades_out_what_ran_away),
      cmocka_unit_test(fades_out_twice),
      cmocka_unit_test(refuses_what_it_cannot_be),
      cmocka_unit_test(works_at_every_rate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
