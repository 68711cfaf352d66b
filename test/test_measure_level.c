/* ctest: slow
 * Level, loudness and true peak. The loudness cases are those of EBU Tech 3341 that can be synthesised, by
 * number. */
#include "contatto/measure.h"

#include "test_measure_signals.h"

static void level_of_known_signals(void **state) {
  (void)state;
  sound s = make_signal(1.0, 48000.0);
  add_sine(&s, 1000.0, 0.5, 0.0);
  for (size_t n = 0; n < s.count; n++)
    s.samples[n] += 0.25;
  const ct_measured_level level = ct_measure_level(s.samples, s.count);
  check_near("rms", level.rms_db, 10.0 * log10(0.125 + 0.0625), 1e-9);
  check_near("peak", level.peak_db, 20.0 * log10(0.75), 1e-9);
  check_near("mean", level.mean, 0.25, 1e-12);
  free_signal(&s);
}

static void level_track_follows_a_decay(void **state) {
  (void)state;
  ct_measured_level_frame frames[64];
  sound s = make_signal(1.0, 48000.0);
  add_decaying_sine(&s, 0.0, 1000.0, 1.0, 0.0, 1.0);
  assert_int_equal(ct_measure_level_track(s.samples, s.count, s.rate_hz, 0.02, 0.1, frames, 64), 10);
  for (int i = 0; i < 10; i++) {
    check_near("time", frames[i].time_s, 0.01 + 0.1 * i, 1e-9);
    check_near("level", frames[i].rms_db, -3.01 - 60.0 * frames[i].time_s, 0.05);
  }
  free_signal(&s);
}

/* A stretch of 1 kHz at one level per channel. */
typedef struct {
  double duration_s;
  double level_db[5];
} stretch;

/* Stretches one after the other, the sine running through. */
static sound make_stretches(const stretch *parts, size_t part_count, size_t channels, double rate_hz) {
  double duration_s = 0.0;
  for (size_t p = 0; p < part_count; p++)
    duration_s += parts[p].duration_s;
  sound s = make_signal(duration_s * (double)channels, rate_hz);
  size_t frame = 0;
  double end_s = 0.0;
  for (size_t p = 0; p < part_count; p++) {
    end_s += parts[p].duration_s;
    for (; (double)frame < end_s * rate_hz - 0.5 && (frame + 1) * channels <= s.count; frame++)
      for (size_t c = 0; c < channels; c++)
        s.samples[frame * channels + c] =
            from_db(parts[p].level_db[c]) * sin(TWO_PI * 1000.0 * (double)frame / rate_hz);
  }
  return s;
}

static ct_measured_loudness loudness_of(const stretch *parts, size_t part_count, size_t channels,
                                        double rate_hz) {
  sound s = make_stretches(parts, part_count, channels, rate_hz);
  const ct_measured_loudness loudness = ct_measure_loudness(s.samples, s.count / channels, channels, rate_hz);
  free_signal(&s);
  return loudness;
}

static void cases_1_and_2_at_every_rate(void **state) {
  (void)state;
  const double rates[] = {8000.0, 44100.0, 48000.0, 96000.0, 192000.0};
  for (int r = 0; r < 5; r++)
    for (double level_db = -33.0; level_db <= -23.0; level_db += 10.0) {
      const stretch steady = {5.0, {level_db, level_db}};
      const ct_measured_loudness loudness = loudness_of(&steady, 1, 2, rates[r]);
      check_near("integrated", loudness.integrated_lufs, level_db, 0.1);
      check_near("momentary", loudness.momentary_max_lufs, level_db, 0.1);
      check_near("short-term", loudness.short_term_max_lufs, level_db, 0.1);
      print_message("case 1/2 at %6.0f Hz: %.4f LUFS for %.1f\n", rates[r], loudness.integrated_lufs,
                    level_db);
    }
}

/* The standard's own anchor: 997 Hz at 0 dBFS in one channel reads -3.01 LKFS. */
static void one_channel_at_full_scale(void **state) {
  (void)state;
  sound s = make_signal(2.0, 48000.0);
  add_sine(&s, 997.0, 1.0, 0.0);
  check_near("-3.01 LKFS", ct_measure_loudness(s.samples, s.count, 1, 48000.0).integrated_lufs, -3.01, 0.01);
  free_signal(&s);
}

/* K-weighting at other frequencies, from the printed 48 kHz coefficients: |H1 H2| evaluated here,
 * independently. */
static double printed_k_weighting_db(double hz) {
  const double w = TWO_PI * hz / 48000.0;
  const double b1[] = {1.53512485958697, -2.69169618940638, 1.19839281085285},
               a1[] = {1.0, -1.69065929318241, 0.73248077421585}, b2[] = {1.0, -2.0, 1.0},
               a2[] = {1.0, -1.99004745483398, 0.99007225036621};
  const double *polynomials[] = {b1, b2, a1, a2};
  double db = 0.0;
  for (int p = 0; p < 4; p++) {
    double re = 0.0, im = 0.0;
    for (int k = 0; k < 3; k++) {
      re += polynomials[p][k] * cos(w * k);
      im -= polynomials[p][k] * sin(w * k);
    }
    db += (p < 2 ? 10.0 : -10.0) * log10(re * re + im * im);
  }
  return db;
}

static void k_weighting_matches_the_printed_filter(void **state) {
  (void)state;
  const double rates[] = {44100.0, 48000.0, 96000.0, 192000.0},
               hz[] = {30.0, 60.0, 200.0, 1000.0, 2000.0, 4000.0, 10000.0};
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < 7; i++) {
      sound s = make_signal(4.0, rates[r]);
      add_sine(&s, hz[i], 0.1, 0.0);
      const double want = -23.0103 - 0.691 + printed_k_weighting_db(hz[i]);
      /* 48 kHz is exact; elsewhere the bilinear transform bends the top of the shelf a little. */
      check_near("K-weighted sine", ct_measure_loudness(s.samples, s.count, 1, rates[r]).integrated_lufs,
                 want, rates[r] == 48000.0 ? 0.01 : 0.1);
      free_signal(&s);
    }
}

static void cases_3_to_6_gating_and_surround(void **state) {
  (void)state;
  const stretch case3[] = {{10.0, {-36.0, -36.0}}, {60.0, {-23.0, -23.0}}, {10.0, {-36.0, -36.0}}};
  const stretch case4[] = {{10.0, {-72.0, -72.0}},
                           {10.0, {-36.0, -36.0}},
                           {60.0, {-23.0, -23.0}},
                           {10.0, {-36.0, -36.0}},
                           {10.0, {-72.0, -72.0}}};
  const stretch case5[] = {{20.0, {-26.0, -26.0}}, {20.1, {-20.0, -20.0}}, {20.0, {-26.0, -26.0}}};
  const stretch case6[] = {{20.0, {-28.0, -28.0, -24.0, -30.0, -30.0}}};
  check_near("case 3", loudness_of(case3, 3, 2, 48000.0).integrated_lufs, -23.0, 0.1);
  check_near("case 4", loudness_of(case4, 5, 2, 48000.0).integrated_lufs, -23.0, 0.1);
  check_near("case 5", loudness_of(case5, 3, 2, 48000.0).integrated_lufs, -23.0, 0.1);
  check_near("case 6", loudness_of(case6, 1, 5, 48000.0).integrated_lufs, -23.0, 0.1);
}

static void cases_9_and_12_short_windows(void **state) {
  (void)state;
  stretch slow[10], fast[50];
  for (int k = 0; k < 10; k++)
    slow[k] = k % 2 ? (stretch){1.66, {-30.0, -30.0}} : (stretch){1.34, {-20.0, -20.0}};
  for (int k = 0; k < 50; k++)
    fast[k] = k % 2 ? (stretch){0.22, {-30.0, -30.0}} : (stretch){0.18, {-20.0, -20.0}};
  check_near("case 9", loudness_of(slow, 10, 2, 48000.0).short_term_max_lufs, -23.0, 0.1);
  check_near("case 12", loudness_of(fast, 50, 2, 48000.0).momentary_max_lufs, -23.0, 0.1);
}

static void cases_10_and_13_bursts_at_any_offset(void **state) {
  (void)state;
  const double off = -300.0;
  for (int k = 0; k < 20; k++) {
    const stretch burst3[] = {{0.15 * k, {off, off}}, {3.0, {-23.0, -23.0}}, {1.0, {off, off}}};
    if (k % 5 == 0)
      check_near("case 10", loudness_of(burst3, 3, 2, 48000.0).short_term_max_lufs, -23.0, 0.1);
    const stretch burst04[] = {{0.02 * k, {off, off}}, {0.4, {-23.0, -23.0}}, {1.0, {off, off}}};
    check_near("case 13", loudness_of(burst04, 3, 2, 48000.0).momentary_max_lufs, -23.0, 0.1);
  }
}

/* Cases 15 to 19: +0.2 / -0.4 dB allowed; the sine fades in and out so that nothing but it is measured. */
static void cases_15_to_19_true_peak(void **state) {
  (void)state;
  const struct {
    double divisor, amplitude, degrees, want_db;
  } cases[] = {{4.0, 0.5, 0.0, -6.02},
               {4.0, 0.5, 45.0, -6.02},
               {6.0, 0.5, 60.0, -6.02},
               {8.0, 0.5, 67.5, -6.02},
               {4.0, 1.41, 45.0, 2.98}};
  const double rates[] = {44100.0, 48000.0, 96000.0, 192000.0};
  double worst = 0.0;
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 5; c++) {
      sound s = make_signal(0.5, rates[r]);
      add_sine(&s, rates[r] / cases[c].divisor, cases[c].amplitude, cases[c].degrees * TWO_PI / 360.0);
      for (size_t n = 0; n < s.count; n++)
        s.samples[n] *= fmin(1.0, 20.0 * fmin((double)n, (double)(s.count - 1 - n)) / (double)s.count);
      const double got = ct_measure_loudness(s.samples, s.count, 1, rates[r]).true_peak_db;
      check_near("true peak", got, cases[c].want_db, 0.05);
      worst = fmax(worst, fabs(got - cases[c].want_db));
      free_signal(&s);
    }
  print_message("true peak: within %.4f dB\n", worst);
}

/* A tone whose samples never meet its crest, near the band's edge, to within the 8-fold grid. */
static void true_peak_near_the_edge(void **state) {
  (void)state;
  sound s = make_signal(0.5, 48000.0);
  for (size_t n = 0; n < s.count; n++) {
    const double fade = 0.5 - 0.5 * cos(TWO_PI * (double)n / (double)s.count);
    s.samples[n] = 0.5 * fade * sin(TWO_PI * 20011.0 * (double)n / 48000.0);
  }
  check_near("20 kHz", ct_measure_loudness(s.samples, s.count, 1, 48000.0).true_peak_db, -6.02, 0.15);
  free_signal(&s);
}

static void too_short_or_silent(void **state) {
  (void)state;
  sound s = make_signal(1.0, 48000.0);
  ct_measured_loudness silent = ct_measure_loudness(s.samples, s.count, 1, 48000.0);
  assert_true(isinf(silent.integrated_lufs) && silent.integrated_lufs < 0.0);
  assert_true(isinf(silent.true_peak_db) && isnan(silent.short_term_max_lufs));
  assert_true(isnan(ct_measure_loudness(s.samples, 1000, 1, 48000.0).integrated_lufs));
  free_signal(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(level_of_known_signals),
      cmocka_unit_test(level_track_follows_a_decay),
      cmocka_unit_test(cases_1_and_2_at_every_rate),
      cmocka_unit_test(one_channel_at_full_scale),
      cmocka_unit_test(k_weighting_matches_the_printed_filter),
      cmocka_unit_test(cases_3_to_6_gating_and_surround),
      cmocka_unit_test(cases_9_and_12_short_windows),
      cmocka_unit_test(cases_10_and_13_bursts_at_any_offset),
      cmocka_unit_test(cases_15_to_19_true_peak),
      cmocka_unit_test(true_peak_near_the_edge),
      cmocka_unit_test(too_short_or_silent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
