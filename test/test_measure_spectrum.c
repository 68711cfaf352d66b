/* ctest: slow
 * Spectral shape, bands, roughness and harmonicity on signals whose answers follow from arithmetic. */
#include "contatto/measure.h"

#include "test_measure_signals.h"

static const double rates[] = {44100.0, 48000.0, 96000.0, 192000.0};

/* Fades of 50 ms keep the sound's own ends from adding a spectrum. */
static void fade_ends(sound *s) {
  const double fade = 0.05 * s->rate_hz;
  for (size_t n = 0; n < s->count; n++) {
    const double edge = fmin(fmin((double)n, (double)(s->count - 1 - n)) / fade, 1.0);
    s->samples[n] *= 0.5 - 0.5 * cos(0.5 * TWO_PI * edge);
  }
}

/* Powers 4 : 1 at 1 and 3 kHz: centroid 1400, spread sqrt(0.8 * 400^2 + 0.2 * 1600^2) = 800. */
static void two_sines_have_known_moments(void **state) {
  (void)state;
  for (int r = 0; r < 4; r++) {
    sound s = make_signal(2.0, rates[r]);
    add_sine(&s, 1000.0, 0.5, 0.0);
    add_sine(&s, 3000.0, 0.25, 0.0);
    fade_ends(&s);
    const ct_measured_spectrum all = ct_measure_spectrum(s.samples, s.count, rates[r], 0.0, (double)INFINITY);
    const ct_measured_spectrum high = ct_measure_spectrum(s.samples, s.count, rates[r], 2000.0, 4000.0);
    check_near("centroid", all.centroid_hz, 1400.0, 0.1);
    check_near("spread", all.spread_hz, 800.0, 0.1);
    check_near("rolloff", all.rolloff_hz, 3000.0, 2.0);
    check_near("centroid of the upper half", high.centroid_hz, 3000.0, 0.1);
    check_below("spread of the upper half", high.spread_hz, 3.0);
    free_signal(&s);
  }
}

/* White noise: flat to Nyquist f, so centroid f / 2, spread f / sqrt(12), rolloff 0.85 f. */
static void white_noise_is_flat(void **state) {
  (void)state;
  sound s = make_signal(5.0, 48000.0);
  add_noise(&s, 0.2, 3);
  const ct_measured_spectrum shape =
      ct_measure_spectrum(s.samples, s.count, s.rate_hz, 0.0, (double)INFINITY);
  check_near("centroid", shape.centroid_hz, 12000.0, 60.0);
  check_near("spread", shape.spread_hz, 24000.0 / sqrt(12.0), 60.0);
  check_near("rolloff", shape.rolloff_hz, 20400.0, 60.0);
  free_signal(&s);
}

static void octave_bands_hold_their_sines(void **state) {
  (void)state;
  double edges_hz[16], level_db[16];
  const size_t bands = ct_measure_octave_edges(1, 31.0, 16500.0, edges_hz, 16) - 1;
  assert_int_equal(bands, 10);
  sound s = make_signal(2.0, 48000.0);
  for (size_t b = 0; b < bands; b++)
    add_sine(&s, sqrt(edges_hz[b] * edges_hz[b + 1]), from_db(-20.0 - (double)b), 0.0);
  fade_ends(&s);
  const double fade_db = 10.0 * log10(1.0 - 2.0 * 0.05 * (1.0 - 0.375) / 2.0);
  ct_measure_bands(s.samples, s.count, s.rate_hz, edges_hz, bands, level_db);
  for (size_t b = 0; b < bands; b++)
    check_near("band level", level_db[b], -23.0103 - (double)b + fade_db, 0.01);
  free_signal(&s);
}

/* Third octaves of noise add up to the whole, and each is as wide as it is loud. */
static void third_octaves_add_up(void **state) {
  (void)state;
  double edges_hz[64], level_db[64], sum = 0.0;
  const size_t edges = ct_measure_octave_edges(3, 20.0, 20000.0, edges_hz, 64);
  assert_int_equal(edges, 32);
  check_near("edge below 1 kHz", edges_hz[17], 891.251, 0.001);
  sound s = make_signal(10.0, 48000.0);
  add_noise(&s, 0.1, 9);
  ct_measure_bands(s.samples, s.count, s.rate_hz, edges_hz, edges - 1, level_db);
  for (size_t b = 0; b + 1 < edges; b++) {
    const double width_hz = edges_hz[b + 1] - edges_hz[b];
    sum += pow(10.0, level_db[b] / 10.0);
    /* The spread of a noise level: 4.34 / sqrt(width * duration) dB, four times over. */
    check_near("third octave of noise", level_db[b], -20.0 + 10.0 * log10(width_hz / 24000.0),
               4.0 * 4.34 / sqrt(width_hz * 10.0));
  }
  const double covered_hz = edges_hz[edges - 1] - edges_hz[0];
  check_near("sum of bands", 10.0 * log10(sum), -20.0 + 10.0 * log10(covered_hz / 24000.0), 0.05);
  free_signal(&s);
}

/* A single click anywhere in the sound has the same spectrum: every sample weighs the same. */
static void place_in_time_does_not_matter(void **state) {
  (void)state;
  const double edges_hz[] = {0.0, 24001.0};
  for (size_t at = 0; at < 100000; at += 9973) {
    double level_db;
    sound s = make_signal(2.1, 48000.0);
    s.samples[at] = 1.0;
    ct_measure_bands(s.samples, s.count, s.rate_hz, edges_hz, 1, &level_db);
    check_near("power of a click", level_db, -10.0 * log10((double)s.count), 1e-6);
    free_signal(&s);
  }
}

/* Vassilakis' formula for one pair of equal sines, written down independently. */
static double pair_model(double lower_hz, double apart_hz, double amplitude) {
  const double s = 0.24 / (0.0207 * lower_hz + 18.96) * apart_hz;
  return pow(amplitude * amplitude, 0.1) * 0.5 * (exp(-3.5 * s) - exp(-5.75 * s));
}

static void roughness_follows_its_model(void **state) {
  (void)state;
  for (int r = 0; r < 4; r++)
    for (double apart_hz = 20.0; apart_hz < 300.0; apart_hz *= 1.5) {
      sound s = make_signal(1.0, rates[r]);
      add_sine(&s, 1000.0, 0.3, 0.0);
      add_sine(&s, 1000.0 + apart_hz, 0.3, 0.0);
      const double want = pair_model(1000.0, apart_hz, 0.3);
      check_near("roughness", ct_measure_roughness(s.samples, s.count, rates[r]) / want, 1.0, 0.01);
      free_signal(&s);
    }
}

/* A sine has none; full modulation at 70 Hz of 1 kHz is far rougher than at 4 or 400 Hz. */
static void roughness_orders_sounds(void **state) {
  (void)state;
  const double modulation_hz[] = {4.0, 70.0, 400.0};
  double rough[3];
  for (int i = 0; i < 3; i++) {
    sound s = make_signal(1.0, 48000.0);
    add_sine(&s, 1000.0, 0.3, 0.0);
    if (i == 0)
      check_below("roughness of a sine", ct_measure_roughness(s.samples, s.count, 48000.0), 1e-4);
    add_sine(&s, 1000.0 - modulation_hz[i], 0.15, 0.0);
    add_sine(&s, 1000.0 + modulation_hz[i], 0.15, 0.0);
    rough[i] = ct_measure_roughness(s.samples, s.count, 48000.0);
    free_signal(&s);
  }
  check_above("70 Hz against 4 Hz", rough[1], 5.0 * rough[0]);
  check_above("70 Hz against 400 Hz", rough[1], 5.0 * rough[2]);
}

static void harmonicity_reads_the_noise(void **state) {
  (void)state;
  for (double hnr_db = 0.0; hnr_db <= 60.0; hnr_db += 10.0) {
    sound s = make_signal(1.0, 48000.0);
    add_sine(&s, 220.0, 0.3, 0.0);
    add_sine(&s, 440.0, 0.15, 0.5);
    add_sine(&s, 660.0, 0.075, 1.0);
    add_noise(&s, sqrt(0.5 * (0.09 + 0.0225 + 0.005625)) * from_db(-hnr_db), 4);
    const ct_measured_harmonicity h = ct_measure_harmonicity(s.samples, s.count, s.rate_hz, 220.0);
    check_near("hnr", h.hnr_db, hnr_db, 0.5);
    check_near("fraction", h.fraction, 1.0 / (1.0 + pow(10.0, -hnr_db / 10.0)), 0.02);
    free_signal(&s);
  }
}

static void harmonicity_of_noise_and_of_a_bar(void **state) {
  (void)state;
  sound noise = make_signal(1.0, 48000.0), bar = make_signal(1.0, 48000.0);
  add_noise(&noise, 0.2, 6);
  check_below("noise", ct_measure_harmonicity(noise.samples, noise.count, 48000.0, 220.0).fraction, 0.05);
  add_sine(&bar, 300.0, 0.3, 0.0);
  add_sine(&bar, 826.8, 0.3, 0.0);
  check_near("bar: half on, half off",
             ct_measure_harmonicity(bar.samples, bar.count, 48000.0, 300.0).fraction, 0.5, 0.05);
  free_signal(&noise);
  free_signal(&bar);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_sines_have_known_moments),      cmocka_unit_test(white_noise_is_flat),
      cmocka_unit_test(octave_bands_hold_their_sines),     cmocka_unit_test(third_octaves_add_up),
      cmocka_unit_test(place_in_time_does_not_matter),     cmocka_unit_test(roughness_follows_its_model),
      cmocka_unit_test(roughness_orders_sounds),           cmocka_unit_test(harmonicity_reads_the_noise),
      cmocka_unit_test(harmonicity_of_noise_and_of_a_bar),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
