/* A sound as a picture; how gnuplot is run is told in gnuplot.c. */
#include "picture/picture.h"
#include "base/text.h"
#include "picture/gnuplot.h"
#include "picture/spectrogram.h"

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

static void put_setup(FILE *out, const char *png, const char *title) {
  fputs("set terminal pngcairo noenhanced size 1200,680 font 'DejaVu Sans,11'\nset output ", out);
  ct_gnuplot_quote(out, png);
  fputs(
      "\nset multiplot\nset lmargin at screen 0.085\nset rmargin at screen 0.9\nset border lc rgb '#555555'\n"
      "set tics nomirror out scale 0.6\nunset key\nset label 1 ",
      out);
  ct_gnuplot_quote(out, title);
  fputs(" at screen 0.085,0.965 font 'DejaVu Sans,14'\n", out);
}

/* A nice upper end for the waveform's axis: 1, 2 or 5 times a power of ten. */
static double round_up(double value) {
  double power = pow(10, floor(log10(value)));
  double steps[] = {1, 2, 5, 10};
  for (int i = 0; i < 4; i++)
    if (value <= steps[i] * power)
      return steps[i] * power;
  return 10 * power;
}

static void extremes(const double *samples, size_t from, size_t to, float *low, float *high) {
  *low = *high = (float)samples[from];
  for (size_t i = from; i < to; i++) {
    *low = fminf(*low, (float)samples[i]);
    *high = fmaxf(*high, (float)samples[i]);
  }
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
  fprintf(out,
          "set tmargin at screen 0.925\nset bmargin at screen 0.78\nset xrange [0:%.9g]\nset yrange [%g:%g]\n"
          "set format x ''\nset ytics (%g, 0, %g)\nset ylabel 'full scale' offset 1\n"
          "plot '-' binary record=(%d) format='%%float%%float%%float' using 1:2:3 with filledcurves lc rgb "
          "'#1f5f8b'\n",
          seconds, -top, top, -top, top, COLUMNS);
  for (size_t c = 0; c < COLUMNS; c++) {
    size_t from = c * count / COLUMNS, to = (c + 1) * count / COLUMNS;
    float row[3] = {(float)((double)c * seconds / (COLUMNS - 1)), 0, 0};
    extremes(samples, from, to, &row[1], &row[2]);
    fwrite(row, sizeof *row, 3, out);
  }
}

static void put_frequency_tics(FILE *out, double lo_hz, double hi_hz) {
  static const int tics[] = {50, 100, 200, 500, 1000, 2000, 5000, 10000};
  fputs("set ytics (", out);
  const char *comma = "";
  for (size_t i = 0; i < sizeof tics / sizeof tics[0]; i++)
    if (tics[i] >= lo_hz && tics[i] <= hi_hz) {
      fprintf(out, "%s'%d%s' %.9f", comma, tics[i] < 1000 ? tics[i] : tics[i] / 1000,
              tics[i] < 1000 ? "" : "k", log10(tics[i]));
      comma = ", ";
    }
  fputs(")\n", out);
}

static void put_spectrogram(FILE *out, const ct_spectrogram *s, double seconds) {
  double top = fmax(5 * ceil(s->loudest_db / 5), -100), lo = log10(s->lo_hz), hi = log10(s->hi_hz);
  fprintf(
      out,
      "unset label 1\nset tmargin at screen 0.745\nset bmargin at screen 0.095\nset yrange [%.9f:%.9f]\n"
      "set format x '%%g'\nset xlabel 'time, s'\nset ylabel 'frequency, Hz' offset 0\nset cblabel 'level, "
      "dBFS'\n"
      "set cbrange [%g:%g]\nset colorbox user origin 0.915,0.095 size 0.015,0.65\n"
      "set palette defined (0 '#000004', 1 '#1b0c41', 2 '#4a0c6b', 3 '#781c6d', 4 '#a52c60', 5 '#cf4446', "
      "6 '#ed6925', 7 '#fb9b06', 8 '#f7d13d', 9 '#fcffa4')\n",
      lo, hi, top - RANGE_DB, top);
  put_frequency_tics(out, s->lo_hz, s->hi_hz);
  double dx = seconds / s->columns, dy = (hi - lo) / (s->rows - 1);
  fprintf(out,
          "plot '-' binary array=(%u,%u) format='%%float' dx=%.9g dy=%.9g origin=(%.9g,%.9g) with image\n",
          s->columns, s->rows, dx, dy, dx / 2, lo);
  fwrite(s->db, sizeof *s->db, (size_t)s->columns * s->rows, out);
  fputs("unset multiplot\nset output\n", out);
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
  put_setup(script, png, heard->title);
  put_waveform(script, heard->samples, heard->count, heard->rate_hz);
  put_spectrogram(script, &s, (double)heard->count / heard->rate_hz);
  free(s.db);
  return CT_OK;
}

ct_result ct_picture_draw(const char *png, const char *title, const double *samples, size_t count,
                          double rate_hz, ct_error *error) {
  if (count < COLUMNS)
    return ct_fail(error, CT_BAD_ARGUMENT, "%.200s: too short for a picture", png);
  return ct_gnuplot_draw(png, write_script, &(sound){title, samples, count, rate_hz}, error);
}
