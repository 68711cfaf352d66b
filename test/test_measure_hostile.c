/* Every measure on input nobody should send: it answers "not measurable" and does not crash. Run under the
 * sanitizers, this is also the bounds check of the library. */
#include "contatto/measure.h"

#include "measure/fft.h"
#include "test_measure_signals.h"

/* Calls everything; the results only have to exist. */
static void call_everything(const double *samples, size_t count, double rate_hz) {
  const double modes[] = {440.0, -1.0, (double)NAN, 1e9}, edges[] = {0.0, 100.0, 50.0, (double)INFINITY};
  ct_measured_pitch_frame pitch_frames[4];
  ct_measured_level_frame level_frames[4];
  ct_measured_peak peaks[4];
  ct_measured_decay decays[4];
  ct_measured_onset onsets[4];
  ct_measured_click clicks[4];
  double level_db[3];
  ct_measure_pitch(samples, count, rate_hz, 50.0, 5000.0);
  ct_measure_pitch(samples, count, rate_hz, 0.0, (double)NAN);
  ct_measure_pitch_track(samples, count, rate_hz, 0.01, 0.001, 300.0, 5000.0, pitch_frames, 4);
  ct_measure_strongest_partial(samples, count, rate_hz, 0.0, (double)INFINITY);
  ct_measure_peaks(samples, count, rate_hz, -200.0, peaks, 4);
  ct_measure_level(samples, count);
  ct_measure_level_track(samples, count, rate_hz, 0.01, 0.001, level_frames, 4);
  ct_measure_loudness(samples, count, 1, rate_hz);
  ct_measure_loudness(samples, count / 3, 3, rate_hz);
  ct_measure_decays(samples, count, rate_hz, modes, 4, decays);
  ct_measure_spectrum(samples, count, rate_hz, 100.0, 50.0);
  ct_measure_bands(samples, count, rate_hz, edges, 3, level_db);
  ct_measure_roughness(samples, count, rate_hz);
  ct_measure_harmonicity(samples, count, rate_hz, 440.0);
  ct_measure_modulation(samples, count, rate_hz, 1.0, 100.0);
  ct_measure_onsets(samples, count, rate_hz, onsets, 4);
  ct_measure_clicks(samples, count, rate_hz, -1000.0, NULL, 0, clicks, 4);
  ct_measure_worst_click(samples, count, rate_hz, NULL, 0);
}

static void lengths_and_rates(void **state) {
  (void)state;
  const size_t counts[] = {0, 1, 2, 3, 7, 16, 63, 64, 100, 300, 1000, 4801};
  const double rates[] = {48000.0, 0.0, -1.0, (double)NAN, (double)INFINITY, 1.0, 8000.0, 1e-9, 1e7};
  sound s = make_signal(0.2, 48000.0);
  add_sine(&s, 440.0, 0.5, 0.0);
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
    double *exact =
        malloc(counts[c] * sizeof *exact + 1); /* exact size, so that a sanitizer sees any overrun */
    assert_non_null(exact);
    for (size_t n = 0; n < counts[c]; n++)
      exact[n] = s.samples[n];
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++)
      call_everything(exact, counts[c], rates[r]);
    free(exact);
  }
  call_everything(NULL, 100, 48000.0);
  free_signal(&s);
}

static void silence_dc_and_extremes(void **state) {
  (void)state;
  const double values[] = {0.0, 1.0, -1e-300, 1e-320, 1e150, (double)NAN, (double)INFINITY};
  for (int v = 0; v < 7; v++) {
    sound s = make_signal(0.45, 8000.0);
    for (size_t n = 0; n < s.count; n++)
      s.samples[n] = values[v] * (v == 4 && n % 2 ? -1.0 : 1.0);
    call_everything(s.samples, s.count, s.rate_hz);
    free_signal(&s);
  }
}

static void nan_samples_read_as_zero(void **state) {
  (void)state;
  sound holes = make_signal(1.0, 48000.0), zeros = make_signal(1.0, 48000.0);
  add_sine(&holes, 440.0, 0.5, 0.0);
  add_sine(&zeros, 440.0, 0.5, 0.0);
  for (size_t n = 100; n < 48000; n += 1000) {
    holes.samples[n] = n % 2000 ? (double)NAN : (double)INFINITY;
    zeros.samples[n] = 0.0;
  }
  assert_true(ct_measure_pitch(holes.samples, 48000, 48000.0, 50.0, 5000.0).hz ==
              ct_measure_pitch(zeros.samples, 48000, 48000.0, 50.0, 5000.0).hz);
  assert_true(ct_measure_level(holes.samples, 48000).rms_db == ct_measure_level(zeros.samples, 48000).rms_db);
  assert_true(ct_measure_loudness(holes.samples, 48000, 1, 48000.0).integrated_lufs ==
              ct_measure_loudness(zeros.samples, 48000, 1, 48000.0).integrated_lufs);
  free_signal(&holes);
  free_signal(&zeros);
}

static void nothing_is_nan_or_minus_infinity(void **state) {
  (void)state;
  double silence[4800] = {0.0};
  assert_true(isnan(ct_measure_level(silence, 0).rms_db));
  assert_true(ct_measure_level(silence, 4800).rms_db == -(double)INFINITY);
  assert_true(isnan(ct_measure_pitch(silence, 4800, 48000.0, 50.0, 5000.0).hz));
  assert_true(isnan(ct_measure_strongest_partial(silence, 4800, 48000.0, 50.0, 5000.0).hz));
  assert_true(isnan(ct_measure_decay(silence, 4800, 48000.0, 440.0).t60_s));
  assert_true(isnan(ct_measure_spectrum(silence, 4800, 48000.0, 0.0, (double)INFINITY).centroid_hz));
  assert_true(isnan(ct_measure_modulation(silence, 4800, 48000.0, 1.0, 100.0).rate_hz));
  assert_int_equal(ct_measure_peaks(silence, 4800, 48000.0, -300.0, NULL, 0), 0);
  assert_int_equal(ct_measure_onsets(silence, 4800, 48000.0, NULL, 0), 0);
  assert_int_equal(ct_measure_clicks(silence, 4800, 48000.0, CT_MEASURE_CLICK_DB, NULL, 0, NULL, 0), 0);
}

/* The transform under all this, against the sum that defines it. */
static void fft_is_the_fourier_sum(void **state) {
  (void)state;
  enum { n = 64 };
  double complex x[n], original[n], *twiddles = ct_fft_make_twiddles(n);
  assert_non_null(twiddles);
  for (int k = 0; k < n; k++)
    original[k] = x[k] = ct_complex(sin(1.7 * k * k), cos(0.3 * k));
  ct_fft_forward(x, n, twiddles);
  for (int k = 0; k < n; k++) {
    double complex sum = 0.0;
    for (int j = 0; j < n; j++)
      sum += original[j] * ct_complex(cos(TWO_PI * j * k / n), -sin(TWO_PI * j * k / n));
    check_below("forward", cabs(sum - x[k]), 1e-12);
  }
  ct_fft_inverse(x, n, twiddles);
  for (int k = 0; k < n; k++)
    check_below("there and back", cabs(x[k] / n - original[k]), 1e-14);
  free(twiddles);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lengths_and_rates),        cmocka_unit_test(silence_dc_and_extremes),
      cmocka_unit_test(nan_samples_read_as_zero), cmocka_unit_test(nothing_is_nan_or_minus_infinity),
      cmocka_unit_test(fft_is_the_fourier_sum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
