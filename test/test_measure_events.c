/* ctest: slow
 * Amplitude modulation and onsets. */
#include "contatto/measure.h"

#include "test_measure_signals.h"

static const double rates[] = {44100.0, 48000.0, 96000.0, 192000.0};

static sound make_modulated(double rate_hz, double modulation_hz, double depth, double t60_s) {
  sound s = make_signal(2.0, rate_hz);
  add_decaying_sine(&s, 0.0, 800.0, 0.3, 0.0, t60_s);
  for (size_t n = 0; n < s.count; n++)
    s.samples[n] *= 1.0 + depth * cos(TWO_PI * modulation_hz * (double)n / rate_hz + 0.4);
  return s;
}

static void modulation_rate_and_depth(void **state) {
  (void)state;
  const double depths[] = {0.01, 0.1, 0.5, 0.9, 1.0}, modulations_hz[] = {3.0, 5.3, 30.0, 70.0};
  double worst_depth = 0.0, worst_rate = 0.0;
  for (int r = 0; r < 4; r += 3)
    for (int d = 0; d < 5; d++)
      for (int m = 0; m < 4; m++)
        for (int decaying = 0; decaying < 2; decaying++) {
          sound s = make_modulated(rates[r], modulations_hz[m], depths[d], decaying ? 3.0 : (double)INFINITY);
          const ct_measured_modulation got = ct_measure_modulation(s.samples, s.count, rates[r], 1.0, 100.0);
          check_near("rate", got.rate_hz / modulations_hz[m], 1.0, 0.001);
          check_near("depth", got.depth, depths[d], 0.005);
          worst_depth = fmax(worst_depth, fabs(got.depth - depths[d]));
          worst_rate = fmax(worst_rate, fabs(got.rate_hz / modulations_hz[m] - 1.0));
          free_signal(&s);
        }
  print_message("modulation: rate within %.2g, depth within %.2g\n", worst_rate, worst_depth);
}

static void modulation_in_noise_and_beats(void **state) {
  (void)state;
  sound noisy = make_modulated(48000.0, 7.0, 0.3, (double)INFINITY), beat = make_signal(2.0, 48000.0);
  add_noise(&noisy, 0.3 * from_db(-40.0), 2);
  add_sine(&beat, 800.0, 0.3, 0.0);
  add_sine(&beat, 807.0, 0.1, 0.0);
  const ct_measured_modulation a = ct_measure_modulation(noisy.samples, noisy.count, 48000.0, 1.0, 100.0);
  const ct_measured_modulation b = ct_measure_modulation(beat.samples, beat.count, 48000.0, 1.0, 100.0);
  check_near("rate in noise", a.rate_hz, 7.0, 0.01);
  check_near("depth in noise", a.depth, 0.3, 0.01);
  check_near("beat rate", b.rate_hz, 7.0, 0.01);
  check_near("beat depth", b.depth, 1.0 / 3.0, 0.01);
  free_signal(&noisy);
  free_signal(&beat);
}

static void steady_tone_has_no_modulation(void **state) {
  (void)state;
  sound s = make_modulated(48000.0, 5.0, 0.0, 3.0);
  const ct_measured_modulation got = ct_measure_modulation(s.samples, s.count, 48000.0, 1.0, 100.0);
  assert_true(isnan(got.rate_hz));
  check_near("depth", got.depth, 0.0, 1e-9);
  free_signal(&s);
}

/* A struck body: five modes, force pulse of 1 ms. */
static void add_strike(sound *s, double start_s, double gain) {
  const double hz[] = {300.0, 827.0, 1621.0, 2680.0, 4003.0};
  for (int m = 0; m < 5; m++)
    add_decaying_sine(s, start_s, hz[m], 0.1 * gain, 0.0, 0.8 / (1.0 + 0.5 * m));
}

/* Eight strikes, each 4.4 dB quieter, on the ringing of those before and noise 60 dB down. */
static void strikes_on_a_ringing_body(void **state) {
  (void)state;
  double worst = 0.0;
  for (int r = 0; r < 4; r++) {
    ct_measured_onset onsets[32];
    sound s = make_signal(2.0, rates[r]);
    for (int k = 0; k < 8; k++)
      add_strike(&s, 0.2 + 0.2 * k, pow(0.6, k));
    add_noise(&s, 3e-4, 8);
    assert_int_equal(ct_measure_onsets(s.samples, s.count, rates[r], onsets, 32), 8);
    for (int k = 0; k < 8; k++) {
      check_near("onset", onsets[k].time_s, 0.2 + 0.2 * k, 0.002);
      worst = fmax(worst, fabs(onsets[k].time_s - 0.2 - 0.2 * k));
    }
    free_signal(&s);
  }
  print_message("onsets of strikes: within %.2f ms\n", 1e3 * worst);
}

/* A bouncing ball: gaps shrink from 200 to 40 ms. */
static void bounces(void **state) {
  (void)state;
  ct_measured_onset onsets[32];
  double at_s[32], gap_s = 0.2, time_s = 0.1;
  size_t bounce_count = 0;
  sound s = make_signal(1.3, 44100.0);
  for (; gap_s > 0.04; gap_s *= 0.8) {
    at_s[bounce_count++] = time_s;
    add_decaying_sine(&s, time_s, 1500.0, gap_s, 0.0, 0.1);
    time_s += gap_s;
  }
  assert_int_equal(ct_measure_onsets(s.samples, s.count, s.rate_hz, onsets, 32), bounce_count);
  for (size_t k = 0; k < bounce_count; k++)
    check_near("bounce", onsets[k].time_s, at_s[k], 0.002);
  free_signal(&s);
}

/* Modulation, vibrato, noise and slow fades are no attacks; only the file's own beginning may be one. */
static void smooth_sounds_have_no_onsets(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; kind++) {
    ct_measured_onset onsets[8];
    sound s = make_signal(2.0, 48000.0);
    if (kind == 3)
      add_noise(&s, 0.2, 12);
    for (size_t n = 0; n < s.count && kind < 3; n++) {
      const double t = (double)n / s.rate_hz;
      const double tone = sin(TWO_PI * 700.0 * t + (kind == 1 ? 20.0 * sin(TWO_PI * 5.0 * t) : 0.0));
      s.samples[n] = 0.4 * tone *
                     (kind == 0   ? 1.0 + cos(TWO_PI * 8.0 * t)
                      : kind == 2 ? fmin(t / 0.2, 1.0)
                                  : 1.0);
    }
    const size_t found = ct_measure_onsets(s.samples, s.count, s.rate_hz, onsets, 8);
    assert_true(found == 0 || (found == 1 && onsets[0].time_s < 0.002));
    free_signal(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modulation_rate_and_depth),
      cmocka_unit_test(modulation_in_noise_and_beats),
      cmocka_unit_test(steady_tone_has_no_modulation),
      cmocka_unit_test(strikes_on_a_ringing_body),
      cmocka_unit_test(bounces),
      cmocka_unit_test(smooth_sounds_have_no_onsets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
