/* ctest: slow
 * Pitch, partials and pitch track on tones of known frequency. */
#include "contatto/measure.h"

#include "test_measure_signals.h"

static const double rates[] = {44100.0, 48000.0, 96000.0, 192000.0};
static const double tones[] = {55.0, 82.41, 146.83, 440.0, 997.3, 3520.0, 7040.0};
enum { rate_count = sizeof rates / sizeof rates[0], tone_count = sizeof tones / sizeof tones[0] };

static double pitch_cents(const sound *s, double hz) {
  return ct_measure_cents(ct_measure_pitch(s->samples, s->count, s->rate_hz, 40.0, 10000.0).hz, hz);
}

static double partial_cents(const sound *s, double hz) {
  return ct_measure_cents(ct_measure_strongest_partial(s->samples, s->count, s->rate_hz, 20.0, 20000.0).hz,
                          hz);
}

static void pure_sine_to_a_tenth_of_a_cent(void **state) {
  (void)state;
  double worst = 0.0;
  for (int r = 0; r < rate_count; r++)
    for (int i = 0; i < tone_count; i++) {
      sound s = make_signal(0.2, rates[r]);
      add_sine(&s, tones[i], 0.5, 0.3);
      const ct_measured_pitch pitch = ct_measure_pitch(s.samples, s.count, s.rate_hz, 40.0, 10000.0);
      check_above("clarity of a sine", pitch.clarity, 0.99);
      check_near("cents", ct_measure_cents(pitch.hz, tones[i]), 0.0, 0.01);
      worst = fmax(worst, fabs(ct_measure_cents(pitch.hz, tones[i])));
      free_signal(&s);
    }
  print_message("pitch of 0.2 s of a sine: within %.5f cent\n", worst);
}

static void harmonic_tone(void **state) {
  (void)state;
  double worst = 0.0;
  for (int r = 0; r < rate_count; r++)
    for (int i = 0; i < tone_count; i++) {
      sound s = make_signal(0.2, rates[r]);
      for (int k = 1; k <= 10 && k * tones[i] < 0.45 * rates[r]; k++)
        add_sine(&s, k * tones[i], 0.3 / k, 0.7 * k);
      worst = fmax(worst, fabs(pitch_cents(&s, tones[i])));
      check_near("cents", pitch_cents(&s, tones[i]), 0.0, 0.01);
      free_signal(&s);
    }
  print_message("pitch of 0.2 s of a harmonic tone: within %.5f cent\n", worst);
}

/* Harmonics 2 to 5 only, over noise 60 dB down. */
static void missing_fundamental_in_noise(void **state) {
  (void)state;
  for (int i = 0; i < tone_count - 2; i++) {
    sound s = make_signal(0.2, 48000.0);
    for (int k = 2; k <= 5; k++)
      add_sine(&s, k * tones[i], 0.2, 1.1 * k);
    add_noise(&s, 0.2 * from_db(-60.0), 1);
    check_near("cents", pitch_cents(&s, tones[i]), 0.0, 0.1);
    free_signal(&s);
  }
}

/* Second harmonic 12 dB above the fundamental, and odd harmonics only: neither moves the octave. */
static void no_octave_errors(void **state) {
  (void)state;
  sound strong_second = make_signal(0.3, 48000.0), odd = make_signal(0.3, 48000.0);
  add_sine(&strong_second, 200.0, 0.1, 0.0);
  add_sine(&strong_second, 400.0, 0.4, 0.4);
  add_sine(&strong_second, 600.0, 0.1, 0.9);
  for (int k = 1; k < 30; k += 2)
    add_sine(&odd, 200.0 * k, 0.4 / k, 0.0);
  check_near("strong second harmonic", pitch_cents(&strong_second, 200.0), 0.0, 0.1);
  check_near("odd harmonics", pitch_cents(&odd, 200.0), 0.0, 0.1);
  free_signal(&strong_second);
  free_signal(&odd);
}

/* A free bar: partials 1, 2.756, 5.404. The ear takes the first, and so does the measure. */
static void inharmonic_bar(void **state) {
  (void)state;
  sound s = make_signal(1.0, 44100.0);
  add_decaying_sine(&s, 0.0, 300.0, 0.3, 0.0, 2.0);
  add_decaying_sine(&s, 0.0, 826.8, 0.15, 0.0, 1.0);
  add_decaying_sine(&s, 0.0, 1621.2, 0.06, 0.0, 0.5);
  check_near("bar", pitch_cents(&s, 300.0), 0.0, 1.0);
  free_signal(&s);
}

/* f_k = k f sqrt(1 + B k^2) with a piano's B. */
static void stretched_string(void **state) {
  (void)state;
  const double stretch = 1e-4;
  sound s = make_signal(0.5, 48000.0);
  for (int k = 1; k <= 12; k++)
    add_decaying_sine(&s, 0.0, 220.0 * k * sqrt(1.0 + stretch * k * k), 0.3 / k, 0.0, 3.0);
  check_near("stretched string", pitch_cents(&s, 220.0 * sqrt(1.0 + stretch)), 0.0, 1.0);
  free_signal(&s);
}

static void no_pitch_where_there_is_none(void **state) {
  (void)state;
  sound noise = make_signal(0.5, 48000.0), high = make_signal(0.5, 48000.0);
  add_noise(&noise, 0.2, 7);
  add_sine(&high, 3000.0, 0.5, 0.0);
  assert_true(isnan(ct_measure_pitch(noise.samples, noise.count, 48000.0, 50.0, 5000.0).hz));
  assert_true(isnan(ct_measure_pitch(high.samples, high.count, 48000.0, 50.0, 2000.0).hz));
  free_signal(&noise);
  free_signal(&high);
}

static void strongest_partial_of_a_steady_sine(void **state) {
  (void)state;
  double worst = 0.0;
  for (int r = 0; r < rate_count; r++)
    for (int i = 0; i < tone_count; i++) {
      sound s = make_signal(0.5, rates[r]);
      add_sine(&s, tones[i], 0.5, 1.0);
      const ct_measured_peak peak =
          ct_measure_strongest_partial(s.samples, s.count, s.rate_hz, 20.0, 20000.0);
      check_near("cents", ct_measure_cents(peak.hz, tones[i]), 0.0, 0.002);
      check_near("level", peak.level_db, -6.0206, 0.001);
      worst = fmax(worst, fabs(ct_measure_cents(peak.hz, tones[i])));
      free_signal(&s);
    }
  print_message("strongest partial of 0.5 s of a sine: within %.6f cent\n", worst);
}

/* A short decay in a long file, also with noise 60 dB down. */
static void strongest_partial_of_a_decay(void **state) {
  (void)state;
  for (int i = 1; i < tone_count; i++) {
    sound s = make_signal(3.0, 48000.0);
    add_decaying_sine(&s, 0.7, tones[i], 0.5, 0.3, 0.3);
    check_near("decaying, cents", partial_cents(&s, tones[i]), 0.0, 0.05);
    add_noise(&s, 0.5 * from_db(-60.0), 3);
    check_near("decaying in noise, cents", partial_cents(&s, tones[i]), 0.0, 0.2);
    free_signal(&s);
  }
}

static void strongest_partial_obeys_its_band(void **state) {
  (void)state;
  sound s = make_signal(0.5, 48000.0);
  add_sine(&s, 500.0, 0.5, 0.0);
  add_sine(&s, 1234.5, 0.005, 0.0);
  const ct_measured_peak peak = ct_measure_strongest_partial(s.samples, s.count, s.rate_hz, 1000.0, 1500.0);
  check_near("quiet partial in its band, cents", ct_measure_cents(peak.hz, 1234.5), 0.0, 0.05);
  check_near("its level", peak.level_db, 20.0 * log10(0.005), 0.05);
  free_signal(&s);
}

static void peaks_are_listed_with_levels(void **state) {
  (void)state;
  const double hz[] = {200.0, 230.0, 1000.0, 5000.0, 15000.0},
               level_db[] = {-10.0, -20.0, -40.0, -60.0, -85.0};
  ct_measured_peak peaks[16];
  sound s = make_signal(1.0, 44100.0);
  for (int k = 0; k < 5; k++)
    add_sine(&s, hz[k], from_db(level_db[k]), 0.5 * k);
  assert_int_equal(ct_measure_peaks(s.samples, s.count, s.rate_hz, -88.0, peaks, 16), 5);
  for (int k = 0; k < 5; k++) {
    check_near("peak cents", ct_measure_cents(peaks[k].hz, hz[k]), 0.0, 0.5);
    check_near("peak level", peaks[k].level_db, level_db[k], 0.05);
  }
  assert_int_equal(ct_measure_peaks(s.samples, s.count, s.rate_hz, -50.0, NULL, 0), 3);
  free_signal(&s);
}

/* An exponential glide from 220 to 440 Hz in a second. */
static void track_follows_a_glide(void **state) {
  (void)state;
  sound s = make_signal(1.0, 48000.0);
  for (size_t n = 0; n < s.count; n++) {
    const double t = (double)n / s.rate_hz;
    s.samples[n] = 0.5 * sin(TWO_PI * 220.0 * (exp2(t) - 1.0) / log(2.0));
  }
  ct_measured_pitch_frame frames[100];
  const size_t found =
      ct_measure_pitch_track(s.samples, s.count, s.rate_hz, 0.04, 0.01, 80.0, 1000.0, frames, 100);
  assert_int_equal(found, 97);
  for (size_t i = 0; i < found; i++) {
    check_near("time", frames[i].time_s, 0.02 + 0.01 * (double)i, 1e-9);
    check_near("cents", ct_measure_cents(frames[i].hz, 220.0 * exp2(frames[i].time_s)), 0.0, 2.0);
    check_near("level", frames[i].level_db, -9.03, 0.5);
    check_above("clarity", frames[i].clarity, 0.95);
  }
  free_signal(&s);
}

static void track_is_silent_in_silence(void **state) {
  (void)state;
  ct_measured_pitch_frame frames[100];
  sound s = make_signal(1.0, 48000.0);
  add_decaying_sine(&s, 0.5, 300.0, 0.5, 0.0, (double)INFINITY);
  const size_t found =
      ct_measure_pitch_track(s.samples, s.count, s.rate_hz, 0.05, 0.05, 80.0, 1000.0, frames, 100);
  assert_int_equal(found, 20);
  assert_true(isnan(frames[2].hz) && isinf(frames[2].level_db));
  check_near("tone half", ct_measure_cents(frames[15].hz, 300.0), 0.0, 0.5);
  free_signal(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pure_sine_to_a_tenth_of_a_cent),
      cmocka_unit_test(harmonic_tone),
      cmocka_unit_test(missing_fundamental_in_noise),
      cmocka_unit_test(no_octave_errors),
      cmocka_unit_test(inharmonic_bar),
      cmocka_unit_test(stretched_string),
      cmocka_unit_test(no_pitch_where_there_is_none),
      cmocka_unit_test(strongest_partial_of_a_steady_sine),
      cmocka_unit_test(strongest_partial_of_a_decay),
      cmocka_unit_test(strongest_partial_obeys_its_band),
      cmocka_unit_test(peaks_are_listed_with_levels),
      cmocka_unit_test(track_follows_a_glide),
      cmocka_unit_test(track_is_silent_in_silence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
