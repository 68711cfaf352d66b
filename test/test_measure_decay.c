/* ctest: slow
 * T60 on decaying sinusoids of known decay: alone, in noise, beside other modes, struck again. */
#include "contatto/measure.h"

#include "support/play.h"
#include "test_measure_signals.h"

static const double t60s[] = {0.02, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0};
enum { t60_count = sizeof t60s / sizeof t60s[0] };

static double duration_for(double t60_s) { return fmin(fmax(2.0 * t60_s, 0.3), 5.0); }

static double t60_error(const sound *s, double nominal_hz, double t60_s) {
  return ct_measure_decay(s->samples, s->count, s->rate_hz, nominal_hz).t60_s / t60_s - 1.0;
}

static void one_mode_alone_at_every_rate(void **state) {
  (void)state;
  const double rates[] = {44100.0, 48000.0, 96000.0, 192000.0};
  double worst = 0.0;
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < t60_count; i += r == 1 ? 1 : 3) {
      sound s = make_signal(duration_for(t60s[i]), rates[r]);
      add_decaying_sine(&s, 0.05, 1000.0, 0.5, 0.0, t60s[i]);
      const ct_measured_decay decay = ct_measure_decay(s.samples, s.count, s.rate_hz, 1000.0);
      check_near("t60 relative", decay.t60_s / t60s[i], 1.0, 0.001);
      check_near("hz", decay.hz, 1000.0, 0.01);
      check_near("onset level", decay.level_db, -6.02, 0.5);
      worst = fmax(worst, fabs(decay.t60_s / t60s[i] - 1.0));
      free_signal(&s);
    }
  print_message("t60 of one clean mode: within %.2g\n", worst);
}

static void low_and_high_modes(void **state) {
  (void)state;
  const double hz[] = {60.0, 250.0, 5000.0, 15000.0}, t60_s[] = {1.0, 0.2, 0.1, 0.05};
  for (int i = 0; i < 4; i++) {
    sound s = make_signal(1.5, 48000.0);
    add_decaying_sine(&s, 0.1, hz[i], 0.5, 0.4, t60_s[i]);
    check_near("t60 error", t60_error(&s, hz[i], t60_s[i]), 0.0, 0.01);
    free_signal(&s);
  }
}

/* Noise 60 dB under the start: uncertain by a per cent or so for the quickest, better for the others. */
static void over_a_noise_floor(void **state) {
  (void)state;
  double worst = 0.0;
  for (int i = 0; i < t60_count; i++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      sound s = make_signal(duration_for(t60s[i]), 48000.0);
      add_decaying_sine(&s, 0.05, 1000.0, 0.5, 0.0, t60s[i]);
      add_noise(&s, 0.5 * from_db(-60.0), seed);
      check_near("t60 error in noise", t60_error(&s, 1000.0, t60s[i]), 0.0, t60s[i] < 0.2 ? 0.03 : 0.01);
      worst = fmax(worst, fabs(t60_error(&s, 1000.0, t60s[i])));
      free_signal(&s);
    }
  print_message("t60 over noise at -60 dB: within %.2g\n", worst);
}

static void equal_neighbour_50_hz_away(void **state) {
  (void)state;
  for (int i = 0; i < t60_count; i++) {
    sound s = make_signal(duration_for(t60s[i]), 48000.0);
    add_decaying_sine(&s, 0.05, 1000.0, 0.4, 0.0, t60s[i]);
    add_decaying_sine(&s, 0.05, 1050.0, 0.4, 1.0, t60s[i]);
    check_near("t60 error beside a twin", t60_error(&s, 1000.0, t60s[i]), 0.0, 0.01);
    free_signal(&s);
  }
}

/* The neighbour is louder and rings twice as long. */
static void louder_neighbour_50_hz_away(void **state) {
  (void)state;
  for (int i = 3; i < t60_count; i++)
    for (double quieter_db = 0.0; quieter_db <= (t60s[i] < 1.0 ? 20.0 : 40.0); quieter_db += 20.0) {
      sound s = make_signal(duration_for(t60s[i]), 48000.0);
      add_decaying_sine(&s, 0.05, 1000.0, 0.4 * from_db(-quieter_db), 0.0, t60s[i]);
      add_decaying_sine(&s, 0.05, 1050.0, 0.4, 1.0, 2.0 * t60s[i]);
      check_near("t60 error under a louder mode", t60_error(&s, 1003.0, t60s[i]), 0.0, 0.01);
      free_signal(&s);
    }
}

/* A body with many modes, each asked for by a nominal frequency half a per cent off. */
static void every_mode_of_a_list(void **state) {
  (void)state;
  const double hz[] = {210.0, 583.0, 640.0, 1130.0, 1890.0, 2800.0, 2880.0, 5170.0};
  double nominal_hz[8], t60_s[8];
  ct_measured_decay decays[8];
  sound s = make_signal(4.0, 44100.0);
  for (int m = 0; m < 8; m++) {
    t60_s[m] = 600.0 / (200.0 + hz[m]);
    nominal_hz[m] = hz[m] * (m % 2 ? 1.005 : 0.995);
    add_decaying_sine(&s, 0.2, hz[m], 0.1, 0.3 * m, t60_s[m]);
  }
  add_noise(&s, 1e-5, 5);
  ct_measure_decays(s.samples, s.count, s.rate_hz, nominal_hz, 8, decays);
  for (int m = 0; m < 8; m++) {
    check_near("t60 of a list, relative", decays[m].t60_s / t60_s[m], 1.0, 0.01);
    check_near("hz of a list, cents", ct_measure_cents(decays[m].hz, hz[m]), 0.0, 0.5);
    check_near("level of a list", decays[m].level_db, -20.0, 0.4);
    check_below("misfit", decays[m].misfit_db, 1.0);
  }
  free_signal(&s);
}

static void only_the_loudest_strike_counts(void **state) {
  (void)state;
  sound s = make_signal(3.0, 48000.0);
  add_decaying_sine(&s, 0.1, 800.0, 0.2, 0.0, 1.0);
  add_decaying_sine(&s, 0.8, 800.0, 0.5, 0.0, 1.0);
  add_decaying_sine(&s, 2.0, 800.0, 0.2, 0.0, 1.0);
  check_near("t60 between strikes", t60_error(&s, 800.0, 1.0), 0.0, 0.01);
  check_near("level of the loudest", ct_measure_decay(s.samples, s.count, s.rate_hz, 800.0).level_db, -6.02,
             0.3);
  free_signal(&s);
}

/* Two modes 1 Hz apart beat: there is no one decay, and the misfit says so. */
static void misfit_tells_a_bad_question(void **state) {
  (void)state;
  sound s = make_signal(3.0, 48000.0);
  add_decaying_sine(&s, 0.0, 800.0, 0.3, 0.0, 2.0);
  add_decaying_sine(&s, 0.0, 801.0, 0.3, 0.0, 2.0);
  check_above("misfit of a beat", ct_measure_decay(s.samples, s.count, s.rate_hz, 800.5).misfit_db, 1.0);
  free_signal(&s);
}

static void growing_and_steady(void **state) {
  (void)state;
  sound s = make_signal(2.0, 48000.0);
  add_sine(&s, 500.0, 0.1, 0.0);
  const double steady_s = ct_measure_decay(s.samples, s.count, s.rate_hz, 500.0).t60_s;
  assert_true(isnan(steady_s) || fabs(steady_s) > 1e3);
  for (size_t n = 0; n < s.count; n++)
    s.samples[n] *= exp((double)n / s.rate_hz);
  assert_true(isnan(ct_measure_decay(s.samples, s.count, s.rate_hz, 500.0).t60_s));
  free_signal(&s);
}

/* ---- which modes ---- */

enum { MODES = 16 };

/* No two of them are one. */
static void check_apart(const ct_measured_mode *modes, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++) {
      const double a = isfinite(modes[i].decay.hz) ? modes[i].decay.hz : modes[i].peak.hz;
      const double b = isfinite(modes[k].decay.hz) ? modes[k].decay.hz : modes[k].peak.hz;
      if (fabs(a - b) < fmin(fmax(0.01 * a, 3.0), 20.0))
        fail_msg("%g and %g Hz are one mode", a, b);
    }
}

/* Struck seven times, unevenly: combs on every skirt. Still as many modes as there are, and theirs. */
static void struck_often_each_mode_is_listed_once(void **state) {
  (void)state;
  const double hz[] = {241.0, 664.3, 1302.2, 2152.6}, t60_s[] = {7.6, 1.1, 0.4, 0.15},
               level[] = {0.5, 0.3, 0.2, 0.2}, strikes_s[] = {0.05, 0.31, 0.77, 1.02, 1.6, 2.4, 2.97};
  sound s = make_signal(4.0, 48000.0);
  for (int k = 0; k < 7; k++)
    for (int i = 0; i < 4; i++)
      add_decaying_sine(&s, strikes_s[k], hz[i], level[i] * (1.0 - 0.1 * k), 0.3 * k, t60_s[i]);
  ct_measured_mode modes[MODES];
  const size_t found = ct_measure_modes(s.samples, s.count, s.rate_hz, 20.0, 20000.0, modes, MODES);
  assert_int_equal(found, 4);
  for (int i = 0; i < 4; i++) {
    double nearest = 1e9;
    for (size_t k = 0; k < found; k++)
      nearest = fmin(nearest, fabs(modes[k].decay.hz - hz[i]));
    check_near("a mode's frequency", nearest, 0.0, 3.0); /* the decays overlap; 3 Hz is the search's reach */
  }
  check_apart(modes, found);
  free_signal(&s);
}

/* Partials that stand next to each other are modes of their own; what sounds steadily has no decay. */
static void partials_of_a_tone_are_told_apart(void **state) {
  (void)state;
  sound s = make_signal(2.0, 48000.0);
  for (int k = 1; k <= 12; k++)
    add_sine(&s, 97.0 * k, 0.3 / k, 0.2 * k);
  ct_measured_mode modes[MODES];
  const size_t found = ct_measure_modes(s.samples, s.count, s.rate_hz, 20.0, 20000.0, modes, 8);
  assert_int_equal(found, 8);
  for (size_t i = 0; i < found; i++) /* the strongest first */
    check_near("partial", modes[i].peak.hz, 97.0 * (double)(i + 1), 0.05);
  check_apart(modes, found);
  free_signal(&s);
}

/* Noise through a resonance is many peaks and one mode; noise alone is nobody's mode twice. */
static void noise_has_no_mode_twice(void **state) {
  (void)state;
  for (int resonant = 0; resonant < 2; resonant++) {
    sound s = make_signal(2.0, 48000.0);
    add_noise(&s, 0.1, 11);
    const double r = exp(-log(1000.0) / (0.2 * s.rate_hz)), turn = 2.0 * r * cos(TWO_PI * 500.0 / s.rate_hz);
    for (size_t n = 2; resonant && n < s.count; n++)
      s.samples[n] = 0.01 * s.samples[n] + turn * s.samples[n - 1] - r * r * s.samples[n - 2];
    ct_measured_mode modes[MODES];
    const size_t found = ct_measure_modes(s.samples, s.count, s.rate_hz, 20.0, 20000.0, modes, MODES);
    check_apart(modes, found);
    assert_true(found > 0);
    if (resonant)
      check_near("resonance", modes[0].peak.hz, 500.0, 10.0);
    free_signal(&s);
  }
  ct_measured_mode none;
  sound silence = make_signal(0.5, 48000.0);
  assert_int_equal(ct_measure_modes(silence.samples, silence.count, 48000.0, 20.0, 20000.0, &none, 1), 0);
  assert_int_equal(ct_measure_modes(NULL, 0, 48000.0, 20.0, 20000.0, &none, 1), 0);
  free_signal(&silence);
}

/* Demos that strike one body over and over: teeth of combs stand above the skirts there, in `drop` above the
 * mode itself. Listed are modes of the body (the demos do not move them), none twice. */
static void check_demo(const char *scene, size_t least, const double *own_hz, size_t own_count) {
  play_sound s = play_mono(play_open(scene, NULL), (ct_render_def){.rate_hz = 48000});
  ct_measured_mode modes[8];
  bool taken[8] = {false};
  const size_t found = ct_measure_modes(s.samples, s.frames, s.rate_hz, 20.0, 20000.0, modes, 8);
  for (size_t k = 0; k < found; k++) {
    size_t own = 0;
    while (own < own_count && fabs(modes[k].decay.hz / own_hz[own] - 1.0) > 1e-3)
      own++;
    if (own == own_count || taken[own])
      fail_msg("%s: %g Hz is no mode of it, or there already", scene, modes[k].decay.hz);
    taken[own] = true;
  }
  print_message("%s: %zu modes\n", scene, found);
  assert_true(found >= least);
  free(s.samples);
}

static void demos_list_the_modes_of_their_body(void **state) {
  (void)state;
  check_demo("hammer", 3, (const double[]){240.734, 662.356, 1294.944, 2132.887, 3171.962}, 5);
  check_demo("drop", 3, (const double[]){207.431, 804.833, 829.725, 1269.479, 1866.881, 1999.637}, 6);
  check_demo("mallet", 2, (const double[]){220.0, 880.0, 2200.0}, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_mode_alone_at_every_rate),
      cmocka_unit_test(low_and_high_modes),
      cmocka_unit_test(over_a_noise_floor),
      cmocka_unit_test(equal_neighbour_50_hz_away),
      cmocka_unit_test(louder_neighbour_50_hz_away),
      cmocka_unit_test(every_mode_of_a_list),
      cmocka_unit_test(only_the_loudest_strike_counts),
      cmocka_unit_test(misfit_tells_a_bad_question),
      cmocka_unit_test(growing_and_steady),
      cmocka_unit_test(struck_often_each_mode_is_listed_once),
      cmocka_unit_test(partials_of_a_tone_are_told_apart),
      cmocka_unit_test(noise_has_no_mode_twice),
      cmocka_unit_test(demos_list_the_modes_of_their_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
