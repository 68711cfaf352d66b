/* Figures 4 to 6: spectrograms of a creaking door, of a squeaking plate beside its impulse response, and of a
 * glass that squeaks and sings; each from a source, and the door and the glass from physical friction too. */
#include "base/text.h"
#include "study/figure.h"
#include "study/thoret2013.h"

#include <math.h>
#include <stdlib.h>

enum { PITCH_EVERY = 480 };

/* What the source was told, for the line in the picture. */
static ct_result write_pitch(const ct_study_run *run, const char *name, const thoret_sound *sound,
                             ct_error *error) {
  figure_table *table;
  char file[64];
  ct_format(file, sizeof file, "%s_f0", name);
  ct_result result = figure_table_begin(run, file, "time_s,f0_hz,region", &table, error);
  for (size_t i = 0; i < sound->count && result == CT_OK; i += PITCH_EVERY) {
    double row[] = {(double)i / THORET_RATE, sound->tap[0][i], sound->tap[1][i]};
    result = figure_table_row(table, row, error);
  }
  return figure_table_end(table, result, error);
}

static ct_result write_sound(const ct_study_run *run, const thoret_play *play, const char *name,
                             ct_error *error) {
  thoret_sound sound;
  ct_result result = thoret_record(play, &sound, error);
  if (result != CT_OK)
    return result;
  result = figure_spectrogram(run, name, sound.samples, sound.count, THORET_RATE, error);
  if (result == CT_OK && play->tap[1])
    result = write_pitch(run, name, &sound, error);
  thoret_sound_free(&sound);
  return result;
}

/* The plate's impulse response: one sample of force where the finger is, half a second in. */
static ct_result write_strike(const ct_study_run *run, const char *name, ct_error *error) {
  const double sample = 1.0 / THORET_RATE, times[] = {0, 0.5 - sample, 0.5, 0.5 + sample, 2};
  const double force[] = {0, 0, 1000, 0, 0}, still[] = {0, 0, 0, 0, 0};
  const char *const paths[] = {"plate.finger.force_n", "speed"};
  const double *const columns[] = {force, still};
  const ct_gesture blow = {5, 2, times, paths, columns};
  return write_sound(run, &(thoret_play){.scene = "plate", .gesture = &blow, .seconds = 2}, name, error);
}

/* Two panels: tables A and B under their titles; a line of the source's pitch where there is one. */
static const char panels[] =
    "set multiplot layout 1,2 margins 0.06,0.9,0.13,0.91 spacing 0.06\n"
    "set palette defined (0 '#000004', 0.25 '#3b0f70', 0.5 '#b5367a', 0.75 '#fb8861', 1 '#fcfdbf')\n"
    "set cbrange [-80:0]\nset cblabel 'dB re the loudest'\nunset grid\nset key off\nset xlabel 'time, s'\n"
    "set ylabel 'frequency, Hz'\nset yrange [log10(40):log10(16000)]\n"
    "set ytics ('50' log10(50), '100' 2, '200' log10(200), '500' log10(500), '1k' 3, '2k' log10(2000), "
    "'5k' log10(5000), '10k' 4)\n"
    "unset colorbox\nset title titleA\n"
    "plot D(A) using 1:2:3 with image\n"
    "set colorbox\nunset ylabel\nset title titleB\n"
    "plot D(B) using 1:2:3 with image\n"
    "unset multiplot\n";

ct_result thoret_draw_spectra(const ct_study_run *run, ct_error *error) {
  const struct {
    thoret_play play;
    const char *name;
  } sounds[] = {
      {{.scene = "creak", .tap = {"hinge.f0_hz", "hinge.region"}}, "fig4_creak"},
      {{.scene = "door"}, "fig4_door"},
      {{.scene = "plate", .tap = {"finger.f0_hz", "finger.region"}, .seconds = 3}, "fig5_squeak"},
      {{.scene = "goblet", .tap = {"finger.f0_hz", "finger.region"}}, "fig6_goblet"},
      {{.scene = "glass", .preset = "paper"}, "fig6_glass"},
  };
  ct_result result = CT_OK;
  for (size_t i = 0; i < sizeof sounds / sizeof sounds[0] && result == CT_OK; i++)
    result = write_sound(run, &sounds[i].play, sounds[i].name, error);
  if (result == CT_OK)
    result = write_strike(run, "fig5_struck", error);
  if (result == CT_OK)
    result =
        figure_draw(run, "fig4", 1300, 460,
                    "A = 'fig4_creak'\nB = 'fig4_door'\ntitleA = 'Figure 4: creaking door, by the source'\n"
                    "titleB = 'by friction (scene door)'\n",
                    panels, error);
  if (result == CT_OK)
    result = figure_draw(run, "fig5", 1300, 460,
                         "A = 'fig5_squeak'\nB = 'fig5_struck'\ntitleA = 'Figure 5: squeaking plate'\n"
                         "titleB = 'the plate struck at the same place'\n",
                         panels, error);
  if (result == CT_OK)
    result = figure_draw(run, "fig6", 1300, 460,
                         "A = 'fig6_goblet'\nB = 'fig6_glass'\n"
                         "titleA = 'Figure 6: squeaking and singing glass, by the source'\n"
                         "titleB = 'by friction (scene glass, paper)'\n",
                         panels, error);
  return result;
}
