/* The glass twice: rubbed by a contact that decides for itself, and by a source that does as its map says.
 * The same body, the same speed. And over the plane of speed and pressure: what sounds where. */
#include "base/text.h"
#include "study/figure.h"
#include "study/thoret2013.h"

#include <contatto/measure.h>
#include <math.h>

const char *const thoret_glass_names[THORET_GLASSES] = {"friction", "source (printed beats)",
                                                        "source (physical beats)"};

static const double mode_hz = 529.3, speed_m_s = 0.12, next_mode_hz = 1477.362,
                    rim_m = 0.22; /* once round, as the scene glass has it */

/* ---- one tone ---- */

static thoret_play glass_play(int which, double speed, double pressure, double seconds) {
  if (which == THORET_PHYSICAL)
    return (thoret_play){.scene = "glass",
                         .preset = "told",
                         .path = {"arm.tangential_v_m_s", "rub.normal_n"},
                         .value = {speed, pressure},
                         .held = 2,
                         .seconds = seconds};
  return (thoret_play){.scene = "goblet",
                       .preset = which == THORET_PRINTED ? "printed" : "real",
                       .path = {"speed", "pressure", "finger.diameter_m"},
                       .value = {speed, pressure, rim_m / M_PI},
                       .held = 3,
                       .seconds = seconds};
}

/* From the start to 3 dB under the loudest tenth of a second. */
static double attack_s(const double *v, size_t count) {
  size_t frame = THORET_RATE / 50;
  double loudest = -INFINITY;
  for (size_t at = 0; at + frame <= count; at += frame)
    loudest = fmax(loudest, ct_measure_level(v + at, frame).rms_db);
  for (size_t at = 0; at + frame <= count; at += frame)
    if (ct_measure_level(v + at, frame).rms_db > loudest - 3)
      return (double)at / THORET_RATE;
  return (double)NAN;
}

/* The mode's own line is split by signed pulses: its middle is the mean of the two. */
static double line_middle_hz(const double *v, size_t count, double pulses_hz) {
  double below = ct_measure_strongest_partial(v, count, THORET_RATE, mode_hz - 2 * pulses_hz, mode_hz).hz;
  double above = ct_measure_strongest_partial(v, count, THORET_RATE, mode_hz, mode_hz + 2 * pulses_hz).hz;
  return (below + above) / 2;
}

static ct_result measure_glass(int which, thoret_glass *g, ct_error *error) {
  thoret_sound sound;
  thoret_play play = glass_play(which, speed_m_s, 0.5, 8);
  ct_result result = thoret_record(&play, &sound, error);
  if (result != CT_OK)
    return result;
  const double *end = sound.samples + 3 * THORET_RATE;
  size_t count = sound.count - 3 * THORET_RATE;
  ct_measured_peak strongest = ct_measure_strongest_partial(end, count, THORET_RATE, 200, 12000);
  g->expected_hz = (which == THORET_PRINTED ? 2 : 4) * speed_m_s / rim_m;
  g->pulses_hz = ct_measure_modulation(end, count, THORET_RATE, 0.4, 10).rate_hz;
  g->hz = line_middle_hz(end, count, g->expected_hz);
  g->cents = ct_measure_cents(g->hz, mode_hz);
  g->attack_s = attack_s(sound.samples, sound.count);
  g->second_db = ct_measure_strongest_partial(end, count, THORET_RATE, 1.5 * mode_hz, 12000).level_db -
                 strongest.level_db;
  thoret_sound_free(&sound);
  return CT_OK;
}

/* ---- the plane ---- */

enum { SPEEDS = 9, PRESSURES = 7 };

enum { SILENT, SINGS, SINGS_HIGH, SQUEAKS, HISSES };

/* By ear: the strongest partial of the last half second. */
static double hear(const thoret_sound *sound, double *level_db) {
  const double *end = sound->samples + sound->count - THORET_RATE / 2;
  ct_measured_peak p = ct_measure_strongest_partial(end, THORET_RATE / 2, THORET_RATE, 100, 12000);
  *level_db = p.level_db;
  if (p.level_db < -55)
    return SILENT;
  if (fabs(ct_measure_cents(p.hz, mode_hz)) < 40)
    return SINGS;
  return fabs(ct_measure_cents(p.hz, next_mode_hz)) < 40 ? SINGS_HIGH : SQUEAKS;
}

/* By the map: slow, song, high, fast, light. Where it says that it sings, it must be heard to. */
static double read_map(const thoret_sound *sound) {
  static const double what[] = {SQUEAKS, SINGS, SINGS_HIGH, SQUEAKS, HISSES};
  double said = what[(int)sound->tap[0][sound->count - 1]], level_db, heard = hear(sound, &level_db);
  bool song = said == SINGS || said == SINGS_HIGH;
  return song && heard != said ? (double)NAN : said;
}

static ct_result write_plane(const ct_study_run *run, int which, const char *name, ct_error *error) {
  figure_table *table;
  ct_result result = figure_table_begin(run, name, "speed_m_s,pressure,what,level_db", &table, error);
  for (int s = 0; s < SPEEDS; s++)
    for (int p = 0; p < PRESSURES && result == CT_OK; p++) {
      double speed = 0.02 * pow(50, (double)s / (SPEEDS - 1)), share = (double)p / (PRESSURES - 1);
      double pressure = which == THORET_PHYSICAL ? 0.1 * pow(80, share) : 0.05 + 0.9 * share, what = 0,
             level = 0;
      thoret_sound sound;
      thoret_play play = glass_play(which, speed, pressure, 2);
      play.tap[0] = which == THORET_PHYSICAL ? NULL : "finger.region";
      result = thoret_record(&play, &sound, error);
      if (result == CT_OK) {
        what = hear(&sound, &level);
        what = which == THORET_PHYSICAL ? what : read_map(&sound);
        thoret_sound_free(&sound);
        result = figure_table_row(table, (double[]){speed, pressure, what, level}, error);
      }
    }
  return figure_table_end(table, result, error);
}

static const char plot[] =
    "set multiplot layout 1,2 margins 0.07,0.98,0.14,0.8 spacing 0.09\n"
    "set xrange [0.015:1.3]\nset xlabel 'speed, m/s'\nset xtics (0.02, 0.05, 0.1, 0.2, 0.5, 1)\nset logscale "
    "x\n"
    "array tint[5] = ['#cccccc', '#1f77b4', '#2a9d57', '#ed9b25', '#8c8c8c']\n"
    "array words[5] = ['silent', 'sings at 529 Hz', 'sings at 1477 Hz', 'squeaks', 'hisses']\n"
    "array kind[5] = [6, 7, 7, 9, 3]\n"
    "set key at screen 0.5,0.97 center top horizontal maxrows 1\n"
    "set title 'friction decides'\nset ylabel 'normal force, N' offset 1\nset yrange [0.07:12]\nset logscale "
    "y\n"
    "set ytics (0.1, 0.3, 1, 3, 10)\n"
    "plot for [i=0:4] D('glass_friction') using (C('what') == i ? C('speed_m_s') : 1/0):(C('pressure')) with "
    "points pt kind[i+1] ps 2 lw 1.5 lc rgb tint[i+1] title words[i+1]\n"
    "unset key\nset title 'the map decides'\nset ylabel 'pressure' offset 1\nunset logscale y\nset yrange "
    "[0:1]\n"
    "set ytics 0.2\n"
    "plot for [i=0:4] D('glass_source') using (C('what') == i ? C('speed_m_s') : 1/0):(C('pressure')) with "
    "points pt kind[i+1] ps 2 lw 1.5 lc rgb tint[i+1]\n"
    "unset multiplot\n";

ct_result thoret_compare_glasses(const ct_study_run *run, thoret_glass glass[THORET_GLASSES],
                                 ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < THORET_GLASSES && result == CT_OK; i++)
    result = measure_glass(i, &glass[i], error);
  if (result != CT_OK || !run->folder)
    return result;
  result = write_plane(run, THORET_PHYSICAL, "glass_friction", error);
  if (result == CT_OK)
    result = write_plane(run, THORET_PRINTED, "glass_source", error);
  return result == CT_OK ? figure_draw(run, "glasses", 1200, 480, "", plot, error) : result;
}
