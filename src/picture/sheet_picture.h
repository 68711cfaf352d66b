/* Pictures of many sounds: a sheet of small spectrograms, and how numbers are spread. */
#ifndef CT_PICTURE_SHEET_PICTURE_H
#define CT_PICTURE_SHEET_PICTURE_H

#include <contatto/base.h>

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
