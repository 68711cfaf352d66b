/* Pictures drawn by gnuplot, as PNG files that appear when they are complete. */
#ifndef CT_PICTURE_GNUPLOT_H
#define CT_PICTURE_GNUPLOT_H

#include <contatto/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Runs it with that standard input and one option. Its exit status; -1 when it cannot be started. [setup] */
int ct_gnuplot_run(int input, const char *option);

/* Text as gnuplot takes it, whatever it holds. [setup] */
void ct_gnuplot_quote(FILE *script, const char *text);

/* The first lines of a script: a sheet of so many pixels, and how large its letters are. [setup] */
void ct_gnuplot_begin(FILE *script, const char *png, double width, double height, int letters);
/* Where the next panel stands: its edges as shares of the sheet, from its left and from below. [setup] */
void ct_gnuplot_place(FILE *script, double left, double right, double top, double bottom);
/* The sheet's title, as label 1: unset it behind the first panel, or it is written again. [setup] */
void ct_gnuplot_title(FILE *script, const char *text, double x, double y, int letters);
/* Tics at 1, 2 and 5 times powers of ten of an axis ('x' or 'y'), "2k" for 2000; in_log: the axis shows their
 * logarithm. [setup] */
void ct_gnuplot_log_tics(FILE *script, char axis, double low, double high, bool in_log);

/* Writes the script and its numbers; `png` is what the script must name as its output. */
typedef ct_result ct_gnuplot_write(FILE *script, const char *png, const void *context, ct_error *error);

/* [setup] */
ct_result ct_gnuplot_draw(const char *png, ct_gnuplot_write *write, const void *context, ct_error *error);

/* Sheets that compare a recording with something: two spectrograms above, on one scale, and panels below. */

typedef struct ct_panel_sound {
  const char *title;
  const double *samples;
  size_t count;
  double rate_hz;
} ct_panel_sound;

/* The sheet with its title and both spectrograms. [setup] */
ct_result ct_panels_begin(FILE *script, const char *png, const char *title, const ct_panel_sound sounds[2],
                          ct_error *error);
void ct_panels_end(FILE *script);

/* Levels over time and log frequency, ready to be drawn. */

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
