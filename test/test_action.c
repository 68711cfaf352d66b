/* ctest: slow
 * The action source by itself: eps, the rim's modulation, pitches that lock and pitches that wander, morphs,
 * noise impacts. */
#include "support/action_lab.h"
#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000;

static double *played(action_lab *lab, size_t count) {
  double *y = malloc(count * sizeof *y);
  action_lab_make(lab, rate_hz);
  action_lab_play(lab, y, count);
  action_lab_free(lab);
  return y;
}

/* ---- eps ---- */

static void eps_is_slow(void **state) {
  (void)state;
  enum { COUNT = 1 << 17 };
  const double limits_hz[] = {20, 5, 20}, clocks_hz[] = {500, 500, 6000}; /* the last is the source's own */
  for (int i = 0; i < 3; i++) {
    ct_wander w;
    double *eps = malloc(COUNT * sizeof *eps), square = 0, most = 0, level_db[2];
    const double edges_hz[] = {0, limits_hz[i], clocks_hz[i] / 2};
    ct_wander_init(&w, 7);
    for (size_t n = 0; n < COUNT; n++) {
      eps[n] = ct_wander_next(&w, limits_hz[i], 1 / clocks_hz[i]);
      square += eps[n] * eps[n] / COUNT;
      most = fmax(most, fabs(eps[n]));
    }
    ct_measure_bands(eps, COUNT, clocks_hz[i], edges_hz, 2, level_db);
    printf("eps: %.3f %% of its power above %g Hz\n", 100 * pow(10, (level_db[1] - level_db[0]) / 10),
           limits_hz[i]);
    assert_true(level_db[1] - level_db[0] < -20); /* 1 % */
    assert_true(fabs(sqrt(square) - 1) < 0.05);
    assert_true(most > 1.5 && most <= CT_WANDER_MOST);
    free(eps);
  }
}

/* ---- modulation ---- */

static double measured_beats_hz(bool physical, uint32_t waves, double speed_m_s, double diameter_m) {
  enum { COUNT = 48000 * 6 };
  action_lab lab;
  action_lab_prepare(&lab, CT_SINGING_GLASS);
  lab.def.speed_m_s = speed_m_s;
  lab.def.diameter_m = diameter_m;
  lab.def.physical_beats = physical;
  lab.def.rim_waves = waves;
  double *y = played(&lab, COUNT);
  ct_measured_modulation m = ct_measure_modulation(y, COUNT, rate_hz, 0.5, 30);
  free(y);
  assert_true(m.depth > 0.9);
  return m.rate_hz;
}

static void a_rim_beats(void **state) {
  (void)state;
  const double speeds[] = {0.15, 0.3}, diameters[] = {0.06, 0.09};
  for (int i = 0; i < 2; i++) {
    double turns = speeds[i] / (M_PI * diameters[i]);
    assert_true(fabs(measured_beats_hz(false, 3, speeds[i], diameters[i]) / (2 * turns) - 1) < 0.01);
    assert_true(fabs(measured_beats_hz(true, 3, speeds[i], diameters[i]) / (6 * turns) - 1) < 0.01);
    assert_true(fabs(measured_beats_hz(true, 2, speeds[i], diameters[i]) / (4 * turns) - 1) < 0.01);
  }
}

/* ---- pitch ---- */

static double *play_locked(ct_behaviour behaviour, double mode_hz, double speed_m_s, size_t count) {
  action_lab lab;
  double *y = malloc(count * sizeof *y);
  action_lab_prepare(&lab, behaviour);
  lab.def.speed_m_s = speed_m_s;
  lab.regions[0].x_power = 0.5; /* which a locked pitch does not care for */
  action_lab_make(&lab, rate_hz);
  lab.action.regions[0].locked_hz = &mode_hz;
  action_lab_play(&lab, y, count);
  action_lab_free(&lab);
  return y;
}

static void what_sings_locks(void **state) {
  (void)state;
  enum { COUNT = 48000 };
  const double modes_hz[] = {146.83, 529.3, 1871.1}, speeds[] = {0.05, 0.4};
  for (int b = CT_SINGING_GLASS; b <= CT_BOWED_STRING; b++)
    for (int m = 0; m < 3; m++)
      for (int v = 0; v < 2; v++) {
        double *y = play_locked((ct_behaviour)b, modes_hz[m], speeds[v], COUNT);
        /* a rim's beats move the strongest line's sides, not its middle: look at one pulse */
        ct_measured_pitch p = ct_measure_pitch(y + 4800, 9600, rate_hz, modes_hz[m] / 2, 2 * modes_hz[m]);
        assert_true(fabs(ct_measure_cents(p.hz, modes_hz[m])) < 1);
        free(y);
      }
}

static void what_squeaks_wanders(void **state) {
  (void)state;
  enum { COUNT = 48000 * 8, FRAMES = 500 };
  const ct_behaviour squeaks[] = {CT_SQUEAKY_PLATE, CT_SQUEAKY_GLASS};
  for (int b = 0; b < 2; b++) {
    double mode_hz = b ? 900 : 1500, square = 0, near = 0;
    double *y = play_locked(squeaks[b], mode_hz, 0.1, COUNT);
    ct_measured_pitch_frame frames[FRAMES];
    size_t count =
        ct_measure_pitch_track(y, COUNT, rate_hz, 0.02, 0.02, mode_hz / 3, mode_hz * 3, frames, FRAMES);
    double cents = 0, heard = 0;
    for (size_t i = 0; i < count; i++) {
      cents = ct_measure_cents(frames[i].hz, mode_hz);
      if (isnan(cents))
        continue;
      heard++;
      square += cents * cents;
      near += fabs(cents) < 5;
    }
    assert_true(heard > 300);
    /* eps of rms 0.1 is 165 cents; locked, all frames would be near the mode */
    assert_true(sqrt(square / heard) > 100 && sqrt(square / heard) < 250);
    assert_true(near < 0.1 * heard);
    free(y);
  }
}

static void pitch_follows_the_gesture(void **state) {
  (void)state;
  enum { COUNT = 24000 };
  action_lab lab;
  for (double speed = 0.025; speed < 0.5; speed *= 2) {
    action_lab_prepare(&lab, CT_CREAKY_DOOR);
    lab.def.wander = 0;
    lab.def.speed_m_s = speed;
    lab.def.pressure = 0.25;
    lab.regions[0].hz = 200;
    lab.regions[0].x_power = 1;
    lab.regions[0].y_power = -0.5;
    double *y = played(&lab, COUNT), wanted = 200 * speed / 0.1 * sqrt(0.5 / 0.25);
    ct_measured_pitch p = ct_measure_pitch(y, COUNT, rate_hz, wanted / 2, wanted * 2);
    assert_true(fabs(ct_measure_cents(p.hz, wanted)) < 1);
    free(y);
  }
}

/* Every scale by its steps, over four octaves on both sides of the root. */
static void scales_have_their_steps(void **state) {
  (void)state;
  static const struct {
    ct_notes notes;
    const char *steps; /* in semitones above the root, x where there is a note */
  } scales[] = {{CT_NOTES_CHROMATIC, "xxxxxxxxxxxx"}, {CT_NOTES_MAJOR, "x-x-xx-x-x-x"},
                {CT_NOTES_MINOR, "x-xx-x-xx-x-"},     {CT_NOTES_PENTATONIC, "x-x-x--x-x--"},
                {CT_NOTES_BLUES, "x--x-xxx--x-"},     {CT_NOTES_WHOLE_TONE, "x-x-x-x-x-x-"}};
  for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++)
    for (int semitone = -24; semitone < 24; semitone++) {
      double pitch = log2(110) + semitone / 12.0, note = ct_notes_nearest(scales[s].notes, 110, pitch, NAN);
      bool there = fabs(note - pitch) < 1e-9;
      assert_int_equal(there, scales[s].steps[(semitone + 24) % 12] == 'x');
    }
}

/* A gesture that glides evenly through two octaves is heard in notes, each within a cent. */
static void a_glide_is_played_in_notes(void **state) {
  (void)state;
  enum { COUNT = 12000 };
  action_lab lab;
  const int major[] = {0, 2, 4, 5, 7, 9, 11};
  double last = 0;
  int different = 0;
  for (int i = 0; i <= 48; i++) {
    action_lab_prepare(&lab, CT_CREAKY_DOOR);
    lab.def.wander = 0;
    lab.def.speed_m_s = 0.1 * exp2(i / 24.0);
    lab.regions[0].pitch = CT_PITCH_SCALE;
    lab.regions[0].notes = CT_NOTES_MAJOR;
    lab.regions[0].hz = lab.regions[0].root_hz = 220;
    lab.regions[0].x_power = 1;
    double *y = played(&lab, COUNT), least = 1e9;
    ct_measured_pitch p = ct_measure_pitch(y, COUNT, rate_hz, 150, 1200);
    for (int octave = 0; octave < 3; octave++)
      for (int k = 0; k < 7; k++)
        least = fmin(least, fabs(ct_measure_cents(p.hz, 220 * exp2(octave + major[k] / 12.0))));
    assert_true(least < 1);
    different += fabs(ct_measure_cents(p.hz, last > 0 ? last : 1)) > 50;
    last = p.hz;
    free(y);
  }
  assert_int_equal(different, 15); /* two octaves of seven notes, and the last */
}

static void notes_are_of_the_scale(void **state) {
  (void)state;
  const double root = 110;
  const int major[] = {0, 2, 4, 5, 7, 9, 11, 12};
  for (double pitch = log2(root); pitch < log2(root) + 1; pitch += 0.01) {
    double note = 12 * (ct_notes_nearest(CT_NOTES_MAJOR, root, pitch, NAN) - log2(root)), least = 99;
    for (int i = 0; i < 8; i++)
      least = fmin(least, fabs(note - major[i]));
    assert_true(least < 1e-9);
    assert_true(fabs(note - 12 * (pitch - log2(root))) <=
                1 + 1e-9); /* the nearest: no two are further apart */
    double overtone = exp2(ct_notes_nearest(CT_NOTES_OVERTONES, root, pitch + 1, NAN)) / root;
    assert_true(fabs(overtone - round(overtone)) < 1e-9);
  }
  /* a note is kept a little beyond the middle */
  double held = log2(root), middle = held + 1.02 / 12;
  assert_true(ct_notes_nearest(CT_NOTES_MAJOR, root, middle, held) == held);
  assert_true(ct_notes_nearest(CT_NOTES_MAJOR, root, held + 1.5 / 12, held) > held);
}

/* ---- morphs ---- */

/* Harmonics that fall fast make a force without jumps, in which every other jump is heard. */
static void any_two_morph(void **state) {
  (void)state;
  enum { COUNT = 24000 };
  for (int from = 0; from < CT_BEHAVIOURS; from++)
    for (int to = from + 1; to < CT_BEHAVIOURS; to++) {
      action_lab lab;
      double *y = malloc(COUNT * sizeof *y), mode_hz = 600, lab_half[CT_VOICE_PARTS];
      action_lab_prepare(&lab, (ct_behaviour)from);
      lab.regions[0].morph_to = (ct_behaviour)to;
      lab.def.exponent = 3;
      lab.def.noise_n = 0; /* blows are sudden by nature */
      action_lab_make(&lab, rate_hz);
      lab.action.regions[0].locked_hz = &mode_hz;
      for (size_t i = 0; i < COUNT; i += CT_ACTION_BLOCK) {
        lab.action.regions[0].morph = (double)i / COUNT;
        ct_action_block(&lab.action, y + i);
        if (i == COUNT / 2)
          memcpy(lab_half, lab.action.voice.part, sizeof lab_half);
      }
      ct_voice begin = ct_behaviour_voice((ct_behaviour)from), end = ct_behaviour_voice((ct_behaviour)to);
      const ct_voice_part walked[] = {CT_VOICE_HARMONICS, CT_VOICE_GAMMA, CT_VOICE_BEATS, CT_VOICE_NOISE};
      for (int k = 0; k < 4; k++) {
        double a = begin.part[walked[k]], b = end.part[walked[k]], half = lab_half[walked[k]];
        assert_true(fabs(half - (a + b) / 2) < 1e-3); /* half-way */
        assert_true(fabs(lab.action.voice.part[walked[k]] - b) < 1e-3);
      }
      assert_true(ct_measure_worst_click(y + 480, COUNT - 480, rate_hz, NULL, 0).strength_db <
                  CT_MEASURE_CLICK_DB);
      action_lab_free(&lab);
      free(y);
    }
}

/* ---- noise impacts ---- */

typedef struct grain {
  double rms, kurtosis;
} grain;

static grain measure_grain(ct_behaviour from, ct_behaviour to, double morph) {
  enum { COUNT = 48000 * 10 };
  action_lab lab;
  action_lab_prepare(&lab, from);
  lab.regions[0].morph_to = to;
  lab.regions[0].morph = morph;
  lab.def.pressure = 1;
  lab.def.onset_m_s = 1e-6;
  double *y = played(&lab, COUNT), two = 0, four = 0;
  for (size_t i = 0; i < COUNT; i++) {
    two += y[i] * y[i] / COUNT;
    four += y[i] * y[i] * y[i] * y[i] / COUNT;
  }
  free(y);
  return (grain){sqrt(two), four / (two * two)};
}

/* Campbell: kurtosis - 3 = E a^4/(E a^2)^2 * integral h^4/(integral h^2)^2 / per_s; 9/5 for even numbers and
 * 3/8 over T for t/T^2 exp(-t/T), whose square has the integral 1/4T and whose fourth power 3/128T^3. */
static void scratching_becomes_rubbing(void **state) {
  (void)state;
  double last = INFINITY;
  for (double morph = 0; morph <= 1; morph += 0.25) {
    grain g = measure_grain(CT_SCRATCHING, CT_RUBBING, morph);
    double per_s = 0.1 * 300 * pow(100, morph), wanted = 3 + 1.8 * 0.375 / (per_s * 1e-4);
    assert_true(fabs(g.rms - 1) < 0.15); /* as loud at any density: 300 blows at least */
    assert_true(fabs(g.kurtosis / wanted - 1) < 0.3);
    assert_true(g.kurtosis < last);
    last = g.kurtosis;
  }
}

static void rest_is_silence(void **state) {
  (void)state;
  enum { COUNT = 4800 };
  for (int b = 0; b < CT_BEHAVIOURS; b++)
    for (int k = 0; k < 2; k++) {
      action_lab lab;
      action_lab_prepare(&lab, (ct_behaviour)b);
      lab.def.speed_m_s = k ? 0.1 : 0;
      lab.def.pressure = k ? 0 : 1;
      double *y = played(&lab, COUNT);
      for (size_t i = 0; i < COUNT; i++)
        assert_true(y[i] == 0);
      free(y);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(eps_is_slow),
                                     cmocka_unit_test(a_rim_beats),
                                     cmocka_unit_test(what_sings_locks),
                                     cmocka_unit_test(what_squeaks_wanders),
                                     cmocka_unit_test(pitch_follows_the_gesture),
                                     cmocka_unit_test(scales_have_their_steps),
                                     cmocka_unit_test(a_glide_is_played_in_notes),
                                     cmocka_unit_test(notes_are_of_the_scale),
                                     cmocka_unit_test(any_two_morph),
                                     cmocka_unit_test(scratching_becomes_rubbing),
                                     cmocka_unit_test(rest_is_silence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
