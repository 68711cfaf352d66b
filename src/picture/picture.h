/* A picture of a sound: its waveform over its spectrogram, as a PNG drawn by gnuplot. */
#ifndef CT_PICTURE_PICTURE_H
#define CT_PICTURE_PICTURE_H

#include <contatto/base.h>
#include <contatto/defs.h>
#include <contatto/modes.h>
#include <contatto/source.h>

/* False, and in `missing` nothing else to be done, when there is no gnuplot: the caller goes on without
 * pictures. [setup] */
bool ct_picture_possible(void);

/* [setup] */
ct_result ct_picture_draw(const char *png, const char *title, const double *samples, size_t count,
                          double rate_hz, ct_error *error);

/* A report on modes found in a recording: what was recorded and what the modes make of it. */

typedef struct ct_found_picture {
  const char *title;
  const ct_found_modes *found;
  uint32_t strike;
  const double *samples; /* of that strike, from its start on */
  double rate_hz;
  double distance_db;
} ct_found_picture;

/* [setup] */
ct_result ct_found_picture_draw(const char *png, const ct_found_picture *picture, ct_error *error);

/* The report on a fit: a recording and the scene as spectrograms, their levels over time, and how far each
 * measure is off. */

typedef struct ct_match_sound {
  const double *samples;
  size_t count;
  double rate_hz;
} ct_match_sound;

typedef struct ct_match_picture {
  const char *title;
  ct_match_sound recorded, played;
  const char *const *measures;
  const double *off; /* in tolerances; NAN: not compared */
  uint32_t measure_count;
} ct_match_picture;

/* Needs gnuplot. [setup] */
ct_result ct_match_picture_draw(const char *png, const ct_match_picture *picture, ct_error *error);

/* A picture of a source's map: its regions, how they meet, and what rules in each. */

/* "bowed_string, mode 1", "creaky_door, 60 Hz, x^1": what a region does. [any] */
void ct_region_words(const ct_region_def *region, char *text, size_t room);

/* Drawn by gnuplot, as a PNG. Refused like the source itself when the map has holes or overlaps. [setup] */
ct_result ct_map_picture_draw(const char *png, const ct_source_def *source, ct_error *error);

/* A picture of a body: the shapes of its lowest modes over its spectrum, decay time against frequency. */

/* A mode's shape at a place, from the body's tables, by straight lines between samples: for the eye. [any] */
double ct_mode_along(const ct_shape_table *shape, uint32_t mode, double u); /* its factor along u */
double ct_mode_across(const ct_shape_table *shape, uint32_t mode,
                      double v); /* along v; 1 when there is none */

/* How a shape is drawn. */
typedef enum ct_mode_view {
  CT_VIEW_NONE, /* a list of modes: nothing is known of their shapes */
  CT_VIEW_LINE, /* bar, string, tube, chain */
  CT_VIEW_FLAT, /* plate, membrane, mesh: u along the first side, v along the second */
  CT_VIEW_DISC, /* disc, drum: u radius, v angle */
  CT_VIEW_RING, /* ring: u angle */
  CT_VIEW_CUP   /* glass, bell, bowl: u angle, v height */
} ct_mode_view;

ct_mode_view ct_mode_view_of(const ct_shape_table *shape); /* [any] */

typedef struct ct_mode_picture {
  const char *title;
  const ct_mode_def *modes;
  uint32_t count;
  ct_shape_table shape;      /* u null: the spectrum alone */
  const char *const *labels; /* one per mode, for its panel */
} ct_mode_picture;

/* Drawn by gnuplot, as a PNG. [setup] */
ct_result ct_mode_picture_draw(const char *png, const ct_mode_picture *picture, ct_error *error);

/* Pictures of many sounds: a sheet of small spectrograms, and how numbers are spread. */

enum { CT_SHEET_COLUMNS = 6, CT_SHEET_MOST = 24, CT_SHEET_BINS = 40, CT_SPREADS_MOST = 16 };

typedef struct ct_sheet_sound {
  double *samples; /* mono */
  size_t count;
  double rate_hz;
} ct_sheet_sound;

typedef struct ct_sheet {
  const char *title;
  uint32_t count; /* at most CT_SHEET_MOST */
  /* The mean of the channels of sound `index`, and a line about it; free() the samples. */
  ct_result (*take)(void *context, uint32_t index, ct_sheet_sound *sound, char label[CT_TEXT_MAX],
                    ct_error *error);
  void *context;
} ct_sheet;

/* Drawn by gnuplot, as a PNG. [setup] */
ct_result ct_sheet_picture_draw(const char *png, const ct_sheet *sheet, ct_error *error);

/* How often a number lies where between `min` and `max`. */
typedef struct ct_spread {
  char title[CT_TEXT_MAX];
  double min, max; /* of the bins, on a log axis where `log` is set */
  bool log;
  uint64_t bins[CT_SHEET_BINS];
} ct_spread;

/* The place of a number; CT_SHEET_BINS when it is outside. [any] */
uint32_t ct_spread_bin(const ct_spread *spread, double number);
/* [setup] */
ct_result ct_spread_picture_draw(const char *png, const char *title, const ct_spread *spreads, uint32_t count,
                                 ct_error *error);

#endif
