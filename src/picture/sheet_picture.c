/* Panels in rows, each with an axis of its own as far as it says something new. */
#include "base/text.h"
#include "picture/gnuplot.h"
#include "picture/picture.h"

#include <math.h>
#include <stdlib.h>

enum { PANEL_COLUMNS = 150, PANEL_ROWS = 110, PANEL_WIDTH = 220, PANEL_HEIGHT = 170, TITLE_HEIGHT = 44 };
enum { RANGE_DB = 70, SPREAD_COLUMNS = 4, SPREAD_WIDTH = 320, SPREAD_HEIGHT = 190 };

/* A grid of panels in screen units: gnuplot counts from below. */
typedef struct panels {
  uint32_t columns, rows;
  double width, height; /* of the picture, pixels */
} panels;

static panels lay_out(uint32_t count, uint32_t columns, double width, double height) {
  const uint32_t used = count < columns ? count : columns, rows = (count + columns - 1) / columns;
  return (panels){columns, rows, used * width, rows * height + TITLE_HEIGHT};
}

static void put_setup(FILE *out, const char *png, const char *title, const panels *p) {
  ct_gnuplot_begin(out, png, p->width, p->height, 9);
  fputs("set multiplot\nset tics nomirror out scale 0.4\nunset colorbox\n", out);
  ct_gnuplot_title(out, title, 12 / p->width, 1 - 18 / p->height, 12);
}

static void put_panel(FILE *out, const panels *p, uint32_t index, double width, double height) {
  const uint32_t row = index / p->columns, column = index % p->columns;
  const double left = column * width, below = p->height - TITLE_HEIGHT - (row + 1) * height;
  ct_gnuplot_place(out, (left + 36) / p->width, (left + width - 10) / p->width,
                   (below + height - 18) / p->height, (below + 24) / p->height);
}

/* ---- spectrograms ---- */

static void put_spectrogram(FILE *out, const ct_spectrogram *s, double seconds, const char *label) {
  fputs("set title ", out);
  ct_gnuplot_quote(out, label);
  fprintf(out, " font 'DejaVu Sans,7' offset 0,-0.9\nset xtics %.9g\n", seconds / 2);
  ct_spectrogram_plot(out, s, seconds, fmax(s->loudest_db, -150), RANGE_DB);
  fputs("unset label 1\n", out);
}

static ct_result put_sound(FILE *out, const ct_sheet *sheet, uint32_t index, ct_error *error) {
  ct_sheet_sound sound = {0};
  char label[CT_TEXT_MAX];
  ct_spectrogram s = {.db = NULL};
  ct_result result = sheet->take(sheet->context, index, &sound, label, error);
  if (result == CT_OK &&
      !ct_spectrogram_make(sound.samples, sound.count, sound.rate_hz, PANEL_COLUMNS, PANEL_ROWS, &s))
    result = ct_fail(error, CT_NO_MEMORY, "picture: no memory");
  if (result == CT_OK) {
    put_spectrogram(out, &s, (double)sound.count / sound.rate_hz, label);
    free(s.db);
  }
  free(sound.samples);
  return result;
}

static ct_result write_sheet(FILE *script, const char *png, const void *context, ct_error *error) {
  const ct_sheet *sheet = context;
  const panels p = lay_out(sheet->count, CT_SHEET_COLUMNS, PANEL_WIDTH, PANEL_HEIGHT);
  put_setup(script, png, sheet->title, &p);
  fprintf(script, "%sset ytics ('100' 2, '1k' 3, '10k' 4)\nset xtics format '%%g'\n", ct_spectrogram_palette);
  for (uint32_t i = 0; i < sheet->count; i++) {
    put_panel(script, &p, i, PANEL_WIDTH, PANEL_HEIGHT);
    CT_TRY(put_sound(script, sheet, i, error));
  }
  fputs("unset multiplot\nset output\n", script);
  return CT_OK;
}

ct_result ct_sheet_picture_draw(const char *png, const ct_sheet *sheet, ct_error *error) {
  return ct_gnuplot_draw(png, write_sheet, sheet, error);
}

/* ---- spreads ---- */

uint32_t ct_spread_bin(const ct_spread *s, double number) {
  const double way =
      s->log ? log(number / s->min) / log(s->max / s->min) : (number - s->min) / (s->max - s->min);
  const double at = way * CT_SHEET_BINS;
  if (number == s->max)
    return CT_SHEET_BINS - 1;
  return at >= 0 && at < CT_SHEET_BINS ? (uint32_t)at : CT_SHEET_BINS;
}

/* Where bin `at` begins. */
static double edge(const ct_spread *s, double at) {
  const double share = at / CT_SHEET_BINS;
  return s->log ? s->min * pow(s->max / s->min, share) : s->min + share * (s->max - s->min);
}

static void put_spread(FILE *out, const ct_spread *s) {
  uint64_t most = 1;
  for (int i = 0; i < CT_SHEET_BINS; i++)
    most = s->bins[i] > most ? s->bins[i] : most;
  fputs("set title ", out);
  ct_gnuplot_quote(out, s->title);
  fprintf(out,
          " font 'DejaVu Sans,9' offset 0,-0.7\n%s logscale x\nset xrange [%.9g:%.9g]\nset yrange [0:%.9g]\n"
          "set xtics autofreq\nset ytics (0, %llu)\n"
          "plot '-' using 1:3:1:2:(0):3 with boxxyerror fs solid 0.8 noborder lc rgb '#1f5f8b'\n",
          s->log ? "set" : "unset", s->min, s->max, 1.08 * (double)most, (unsigned long long)most);
  for (int i = 0; i < CT_SHEET_BINS; i++)
    fprintf(out, "%.9g %.9g %llu\n", edge(s, i), edge(s, i + 1), (unsigned long long)s->bins[i]);
  fputs("e\nunset label 1\n", out);
}

typedef struct spreads {
  const char *title;
  const ct_spread *all;
  uint32_t count;
} spreads;

static ct_result write_spreads(FILE *script, const char *png, const void *context, ct_error *error) {
  const spreads *s = context;
  const panels p = lay_out(s->count, SPREAD_COLUMNS, SPREAD_WIDTH, SPREAD_HEIGHT);
  (void)error;
  put_setup(script, png, s->title, &p);
  for (uint32_t i = 0; i < s->count; i++) {
    put_panel(script, &p, i, SPREAD_WIDTH, SPREAD_HEIGHT);
    put_spread(script, &s->all[i]);
  }
  fputs("unset multiplot\nset output\n", script);
  return CT_OK;
}

ct_result ct_spread_picture_draw(const char *png, const char *title, const ct_spread *all, uint32_t count,
                                 ct_error *error) {
  return ct_gnuplot_draw(png, write_spreads, &(spreads){title, all, count}, error);
}
