/* A sound as a picture; how gnuplot is run is told in gnuplot.c. */
#include "picture/picture.h"
#include "base/text.h"
#include "picture/gnuplot.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS = 960, ROWS = 420, RANGE_DB = 80 };

bool ct_picture_possible(void) {
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0)
    return false;
  int status = ct_gnuplot_run(nothing, "--version");
  close(nothing);
  return status == 0;
}

/* ---- the script ---- */

/* A nice upper end for the waveform's axis: 1, 2 or 5 times a power of ten. */
static double round_up(double value) {
  double power = pow(10, floor(log10(value)));
  double steps[] = {1, 2, 5, 10};
  for (int i = 0; i < 4; i++)
    if (value <= steps[i] * power)
      return steps[i] * power;
  return 10 * power;
}

static double peak_of(const double *samples, size_t count) {
  double peak = 0;
  for (size_t i = 0; i < count; i++)
    peak = isfinite(samples[i]) ? fmax(peak, fabs(samples[i])) : peak;
  return peak;
}

static void put_waveform(FILE *out, const double *samples, size_t count, double rate_hz) {
  double seconds = (double)count / rate_hz, peak = peak_of(samples, count);
  double top = round_up(peak > 1e-9 ? peak : 1e-9);
  ct_gnuplot_place(out, 0.085, 0.9, 0.925, 0.78);
  fprintf(out,
          "set xrange [0:%.9g]\nset yrange [%g:%g]\n"
          "set format x ''\nset ytics (%g, 0, %g)\nset ylabel 'full scale' offset 1\n"
          "plot '-' binary record=(%d) format='%%float%%float%%float' using 1:2:3 with filledcurves lc rgb "
          "'#1f5f8b'\n",
          seconds, -top, top, -top, top, COLUMNS);
  for (size_t c = 0; c < COLUMNS; c++) {
    size_t from = c * count / COLUMNS, to = (c + 1) * count / COLUMNS;
    float row[3] = {(float)((double)c * seconds / (COLUMNS - 1)), 0, 0};
    row[1] = row[2] = (float)samples[from];
    for (size_t i = from; i < to; i++) {
      row[1] = fminf(row[1], (float)samples[i]);
      row[2] = fmaxf(row[2], (float)samples[i]);
    }
    fwrite(row, sizeof *row, 3, out);
  }
}

static void put_spectrogram(FILE *out, const ct_spectrogram *s, double seconds) {
  ct_gnuplot_place(out, 0.085, 0.9, 0.745, 0.095);
  fprintf(out,
          "unset label 1\nset format x '%%g'\nset xlabel 'time, s'\nset ylabel 'frequency, Hz' offset 0\n"
          "set cblabel 'level, dBFS'\nset colorbox user origin 0.915,0.095 size 0.015,0.65\n%s",
          ct_spectrogram_palette);
  ct_gnuplot_log_tics(out, 'y', s->lo_hz, s->hi_hz, true);
  ct_spectrogram_plot(out, s, seconds, fmax(5 * ceil(s->loudest_db / 5), -100), RANGE_DB);
}

/* ---- the picture ---- */

typedef struct sound {
  const char *title;
  const double *samples;
  size_t count;
  double rate_hz;
} sound;

static ct_result write_script(FILE *script, const char *png, const void *context, ct_error *error) {
  const sound *heard = context;
  ct_spectrogram s;
  if (!ct_spectrogram_make(heard->samples, heard->count, heard->rate_hz, COLUMNS, ROWS, &s))
    return ct_fail(error, CT_NO_MEMORY, "picture: no memory");
  ct_gnuplot_begin(script, png, 1200, 680, 11);
  fputs("set multiplot\nset tics nomirror out scale 0.6\n", script);
  ct_gnuplot_title(script, heard->title, 0.085, 0.965, 14);
  put_waveform(script, heard->samples, heard->count, heard->rate_hz);
  put_spectrogram(script, &s, (double)heard->count / heard->rate_hz);
  fputs("unset multiplot\nset output\n", script);
  free(s.db);
  return CT_OK;
}

ct_result ct_picture_draw(const char *png, const char *title, const double *samples, size_t count,
                          double rate_hz, ct_error *error) {
  if (count < COLUMNS)
    return ct_fail(error, CT_BAD_ARGUMENT, "%.200s: too short for a picture", png);
  return ct_gnuplot_draw(png, write_script, &(sound){title, samples, count, rate_hz}, error);
}
