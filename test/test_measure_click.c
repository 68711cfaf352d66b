/* ctest: slow
 * The click detector on both sides of its threshold: smooth sounds stay 6 dB below it, clicks stand 6 dB
 * above. */
#include "contatto/measure.h"

#include "test_measure_signals.h"

static const double margin_db = 6.0;
static const double rates[] = {44100.0, 96000.0, 192000.0};
static const double tones[] = {50.0, 200.0, 440.0, 1000.0, 2000.0, 4000.0};
enum { rate_count = 3, tone_count = 6, low_tone_count = 5 };
static const double event_s = 0.1;

static double worst_db(const sound *s) {
  return ct_measure_worst_click(s->samples, s->count, s->rate_hz, NULL, 0).strength_db;
}

static double expect_smooth(const char *what, const sound *s) {
  const double strength_db = worst_db(s);
  check_below(what, strength_db, CT_MEASURE_CLICK_DB - margin_db);
  assert_int_equal(ct_measure_clicks(s->samples, s->count, s->rate_hz, CT_MEASURE_CLICK_DB, NULL, 0, NULL, 0),
                   0);
  return strength_db;
}

/* The strongest click is at event_s, to a few samples. */
static double expect_click(const char *what, const sound *s) {
  const ct_measured_click click = ct_measure_worst_click(s->samples, s->count, s->rate_hz, NULL, 0);
  check_above(what, click.strength_db, CT_MEASURE_CLICK_DB + margin_db);
  check_near(what, click.time_s, event_s, 4.0 / s->rate_hz);
  return click.strength_db;
}

/* Phase accumulated from a frequency that moves from hz to hz * ratio within glide_s at event_s. */
static sound make_glide(double rate_hz, double hz, double ratio, double glide_s) {
  sound s = make_signal(0.15, rate_hz);
  double phase = 0.3;
  for (size_t n = 0; n < s.count; n++) {
    const double t = (double)n / rate_hz - event_s,
                 done = fmin(fmax(glide_s > 0.0 ? t / glide_s : t * 1e9, 0.0), 1.0);
    phase += TWO_PI * hz * pow(ratio, done) / rate_hz;
    s.samples[n] = 0.5 * sin(phase);
  }
  return s;
}

static void steady_and_gliding_sines_are_smooth(void **state) {
  (void)state;
  double worst = -(double)INFINITY;
  for (int r = 0; r < rate_count; r++)
    for (int i = 0; i < tone_count; i++)
      for (double ratio = 0.5; ratio <= 2.0; ratio *= 2.0) {
        sound s = make_glide(rates[r], tones[i], ratio, 0.02);
        worst = fmax(worst, expect_smooth("octave glide in 20 ms", &s));
        free_signal(&s);
      }
  print_message("glides: at most %.1f dB, threshold %.1f\n", worst, CT_MEASURE_CLICK_DB);
}

/* The frequency jumps by an octave while the value goes on: a kink, not a click. */
static void slope_changes_are_smooth(void **state) {
  (void)state;
  double worst = -(double)INFINITY;
  for (int r = 0; r < rate_count; r++)
    for (int i = 0; i < tone_count; i++) {
      sound jump = make_glide(rates[r], tones[i], 2.0, 0.0), folded = make_signal(0.15, rates[r]);
      for (size_t n = 0; n < folded.count; n++)
        folded.samples[n] = 0.5 * fabs(sin(TWO_PI * 0.1 * tones[i] * (double)n / rates[r] + 0.1));
      worst = fmax(worst, expect_smooth("octave jump", &jump));
      worst = fmax(worst, expect_smooth("rectified sine", &folded));
      free_signal(&jump);
      free_signal(&folded);
    }
  print_message("slope changes: at most %.1f dB\n", worst);
}

static void ramps_of_ten_milliseconds_are_smooth(void **state) {
  (void)state;
  double worst = -(double)INFINITY;
  for (int r = 0; r < rate_count; r++)
    for (int i = 0; i < tone_count; i++)
      for (int rising = 0; rising < 2; rising++) {
        sound s = make_signal(0.13, rates[r]);
        add_sine(&s, tones[i], 0.5, 0.7);
        for (size_t n = 0; n < s.count; n++) {
          const double done = fmin(fmax(((double)n / rates[r] - event_s) / 0.01, 0.0), 1.0);
          s.samples[n] *= rising ? done : 1.0 - done;
        }
        worst = fmax(worst, expect_smooth("ramp of 10 ms", &s));
        free_signal(&s);
      }
  print_message("ramps: at most %.1f dB\n", worst);
}

/* Noise, dull noise, and struck bodies with 5 to 40 modes up to 16 kHz. */
static void noise_and_modal_sounds_are_smooth(void **state) {
  (void)state;
  double worst = -(double)INFINITY;
  for (int r = 0; r < rate_count; r++)
    for (int modes = 0; modes <= 40; modes += 10) {
      sound s = make_signal(0.5, rates[r]);
      for (int m = 0; m < modes; m++)
        add_decaying_sine(&s, 0.0, 100.0 * pow(160.0, fmod(0.618 * m, 1.0)), 0.02, 2.4 * m, 0.3 + 0.05 * m);
      if (modes == 0)
        add_noise(&s, 0.2, 11);
      worst = fmax(worst, expect_smooth("noise or modes", &s));
      for (size_t n = 1; n < s.count; n++)
        s.samples[n] = s.samples[n - 1] + 0.02 * (s.samples[n] - s.samples[n - 1]);
      worst = fmax(worst, expect_smooth("dull noise or modes", &s));
      free_signal(&s);
    }
  print_message("noise and modes: at most %.1f dB\n", worst);
}

/* A decay rounded to 16 bits ends in steps of the last bit. */
static void the_last_bit_is_smooth(void **state) {
  (void)state;
  double worst = (double)-INFINITY;
  for (int i = 0; i < tone_count; i++) {
    sound s = make_signal(1.0, 44100.0);
    add_decaying_sine(&s, 0.0, tones[i], 0.5, 0.0, 0.6);
    for (size_t n = 0; n < s.count; n++)
      s.samples[n] = round(32767.0 * s.samples[n]) / 32767.0;
    worst = fmax(worst, expect_smooth("16 bits", &s));
    free_signal(&s);
  }
  print_message("16 bits: at most %.1f dB\n", worst);
}

static void one_per_cent_steps_click(void **state) {
  (void)state;
  double least = (double)INFINITY;
  for (int r = 0; r < rate_count; r++)
    for (int i = 0; i < low_tone_count; i++)
      for (int p = 0; p < 8; p += 3) {
        sound s = make_signal(0.13, rates[r]);
        add_sine(&s, tones[i], 0.5, TWO_PI * p / 8.0);
        for (size_t n = (size_t)(event_s * rates[r] + 0.5); n < s.count; n++)
          s.samples[n] += 0.005;
        least = fmin(least, expect_click("step of 1 %", &s));
        free_signal(&s);
      }
  print_message("steps of 1 %%: at least %.1f dB\n", least);
}

static void one_per_cent_spikes_click(void **state) {
  (void)state;
  double least = (double)INFINITY;
  for (int r = 0; r < rate_count; r++)
    for (int i = 0; i < tone_count; i++)
      for (int wide = 1; wide <= 9; wide += 4) {
        sound s = make_signal(0.13, rates[r]);
        add_sine(&s, tones[i], 0.5, 0.5);
        for (int k = 0; k < wide; k++)
          s.samples[(size_t)(event_s * rates[r] + 0.5) + (size_t)k] += wide == 1 ? 0.005 : 0.05;
        const ct_measured_click click = ct_measure_worst_click(s.samples, s.count, s.rate_hz, NULL, 0);
        check_above("spike", click.strength_db, CT_MEASURE_CLICK_DB + margin_db);
        check_near("spike", click.time_s, event_s, 12.0 / s.rate_hz);
        least = fmin(least, click.strength_db);
        free_signal(&s);
      }
  print_message("spikes: at least %.1f dB\n", least);
}

/* 0.5 dB at phases where the sine is not near zero. */
static void gain_steps_click(void **state) {
  (void)state;
  double least = (double)INFINITY;
  for (int r = 0; r < rate_count; r++)
    for (int i = 0; i < low_tone_count; i++)
      for (int p = 1; p < 8; p += 2) {
        const double phase = TWO_PI * p / 16.0;
        sound s = make_signal(0.13, rates[r]);
        add_sine(&s, tones[i], 0.5, phase - TWO_PI * tones[i] * event_s);
        for (size_t n = (size_t)(event_s * rates[r] + 0.5); n < s.count; n++)
          s.samples[n] *= from_db(0.5);
        least = fmin(least, expect_click("gain step of 0.5 dB", &s));
        free_signal(&s);
      }
  print_message("gain steps of 0.5 dB: at least %.1f dB\n", least);
}

/* Strikes are sudden: they count unless exempted, and an exemption hides nothing else. */
static void exempt_strikes_do_not_count(void **state) {
  (void)state;
  const double rate_hz = 48000.0;
  sound s = make_signal(0.5, rate_hz);
  add_decaying_sine(&s, 0.2, 700.0, 0.5, TWO_PI / 4.0, 0.5);
  const ct_measure_interval strike = {0.195, 0.205};
  ct_measured_click clicks[8];
  check_above("strike", worst_db(&s), CT_MEASURE_CLICK_DB);
  assert_int_equal(ct_measure_clicks(s.samples, s.count, rate_hz, CT_MEASURE_CLICK_DB, &strike, 1, NULL, 0),
                   0);
  for (size_t n = (size_t)(0.3 * rate_hz); n < s.count; n++)
    s.samples[n] += 0.02;
  assert_int_equal(ct_measure_clicks(s.samples, s.count, rate_hz, CT_MEASURE_CLICK_DB, &strike, 1, clicks, 8),
                   1);
  check_near("time of the step", clicks[0].time_s, 0.3, 3.0 / rate_hz);
  free_signal(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steady_and_gliding_sines_are_smooth),
      cmocka_unit_test(slope_changes_are_smooth),
      cmocka_unit_test(ramps_of_ten_milliseconds_are_smooth),
      cmocka_unit_test(noise_and_modal_sounds_are_smooth),
      cmocka_unit_test(the_last_bit_is_smooth),
      cmocka_unit_test(one_per_cent_steps_click),
      cmocka_unit_test(one_per_cent_spikes_click),
      cmocka_unit_test(gain_steps_click),
      cmocka_unit_test(exempt_strikes_do_not_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
