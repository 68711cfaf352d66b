/* Levels over time and log frequency, ready to be drawn. */
#ifndef CT_PICTURE_SPECTROGRAM_H
#define CT_PICTURE_SPECTROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ct_spectrogram {
  uint32_t columns, rows;
  double lo_hz, hi_hz; /* of the first and last row; rows are even in log frequency */
  double loudest_db;   /* amplitude dB: a full-scale sine reads 0 */
  float *db;           /* db[row * columns + column] */
} ct_spectrogram;

/* False without memory; free db. [setup] */
bool ct_spectrogram_make(const double *samples, size_t count, double rate_hz, uint32_t columns, uint32_t rows,
                         ct_spectrogram *result);

/* Into gnuplot's panel: axes, colours of `range_db` down from top_db, and the plot. Black, purple, orange,
 * yellow: ct_spectrogram_palette, once per sheet. [setup] */
void ct_spectrogram_plot(FILE *script, const ct_spectrogram *spectrogram, double seconds, double top_db,
                         double range_db);
extern const char ct_spectrogram_palette[];

#endif
