/* Panels of mode shapes, six in a row, and the spectrum below. Everything is scaled by the mode's own largest
 * motion: the picture tells where a mode moves, not how much. */
#include "base/text.h"
#include "picture/gnuplot.h"
#include "picture/picture.h"

#include <math.h>

enum { ACROSS = 6, ROWS_MOST = 2, PANELS_MOST = ACROSS * ROWS_MOST, POINTS = 181, CELLS = 144 };

/* ---- reading the tables ---- */

static double read_row(const double *row, uint32_t count, bool periodic, double place) {
  place = periodic ? place - floor(place) : fmin(fmax(place, 0), 1);
  double at = place * (periodic ? count : count - 1);
  uint32_t low = (uint32_t)at;
  low = low < count - 1 ? low : count - 1;
  uint32_t high = low + 1 < count ? low + 1 : periodic ? 0 : low;
  return row[low] + (at - low) * (row[high] - row[low]);
}

double ct_mode_along(const ct_shape_table *s, uint32_t mode, double u) {
  return read_row(s->u + (size_t)mode * s->u_count, s->u_count, s->u_periodic, u);
}

double ct_mode_across(const ct_shape_table *s, uint32_t mode, double v) {
  return s->v ? read_row(s->v + (size_t)mode * s->v_count, s->v_count, s->v_periodic, v) : 1;
}

ct_mode_view ct_mode_view_of(const ct_shape_table *s) {
  if (!s->u)
    return CT_VIEW_NONE;
  if (s->u_periodic)
    return s->v ? CT_VIEW_CUP : CT_VIEW_RING;
  if (!s->v)
    return CT_VIEW_LINE;
  return s->v_periodic ? CT_VIEW_DISC : CT_VIEW_FLAT;
}

static double largest(const double *row, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    most = fmax(most, fabs(row[i]));
  return most > 0 ? most : 1;
}

static double along_scale(const ct_shape_table *s, uint32_t mode) {
  return 1 / largest(s->u + (size_t)mode * s->u_count, s->u_count);
}

/* ---- panels ---- */

static uint32_t panels(const ct_mode_picture *p) {
  if (!p->shape.u)
    return 0;
  return p->count < PANELS_MOST ? p->count : PANELS_MOST;
}

static void put_panel(FILE *out, uint32_t index, const char *label) {
  uint32_t row = index / ACROSS, column = index % ACROSS;
  double left = 0.06 + 0.155 * column, top = 0.895 - 0.26 * row;
  ct_gnuplot_place(out, left, left + 0.14, top, top - 0.195);
  fputs("set title ", out);
  ct_gnuplot_quote(out, label);
  fputs(" offset 0,-0.6 font 'DejaVu Sans,10'\n", out);
}

static void put_line(FILE *out, const ct_shape_table *s, uint32_t mode) {
  double scale = along_scale(s, mode);
  fputs("set xrange [0:1]\nset yrange [-1.15:1.15]\nset border 0\n"
        "plot 0 with lines lc rgb '#aaaaaa', '-' with lines lw 2 lc rgb '#1f5f8b'\n",
        out);
  for (int k = 0; k < POINTS; k++) {
    double u = (double)k / (POINTS - 1);
    fprintf(out, "%.5f %.5f\n", u, scale * ct_mode_along(s, mode, u));
  }
  fputs("e\n", out);
}

/* The rim seen from above, at rest and bent. */
static void put_ring(FILE *out, const ct_shape_table *s, uint32_t mode) {
  double scale = 0.25 * along_scale(s, mode);
  fputs("set xrange [-1.47:1.47]\nset yrange [-1.3:1.3]\nset border 0\n"
        "plot '-' with lines lc rgb '#aaaaaa', '-' with lines lw 2 lc rgb '#1f5f8b'\n",
        out);
  for (int bent = 0; bent < 2; bent++) {
    for (int k = 0; k < POINTS; k++) {
      double u = (double)k / (POINTS - 1), r = 1 + (bent ? scale * ct_mode_along(s, mode, u) : 0);
      fprintf(out, "%.5f %.5f\n", r * cos(2 * M_PI * u), r * sin(2 * M_PI * u));
    }
    fputs("e\n", out);
  }
}

/* Where on the body a cell of the map is; outside: NaN. */
static double map_value(const ct_shape_table *s, uint32_t mode, double x, double y) {
  if (!s->v_periodic)
    return ct_mode_along(s, mode, x) * ct_mode_across(s, mode, y);
  double r = hypot(2 * x - 1, 2 * y - 1);
  if (r > 1)
    return (double)NAN;
  return ct_mode_along(s, mode, r) * ct_mode_across(s, mode, atan2(2 * y - 1, 2 * x - 1) / (2 * M_PI));
}

static void put_map(FILE *out, const ct_shape_table *s, uint32_t mode) {
  double scale = along_scale(s, mode) / largest(s->v + (size_t)mode * s->v_count, s->v_count),
         wide = s->v_periodic ? 0.067 : 0;
  fprintf(out,
          "set xrange [%g:%g]\nset yrange [0:1]\nset border %d\nset cbrange [-1:1]\nunset colorbox\n"
          "set palette maxcolors 15 defined (-1 '#1f5f8b', 0 '#f7f7f2', 1 '#cf4446')\n"
          "plot '-' binary array=(%d,%d) format='%%float' dx=%.9g dy=%.9g origin=(%.9g,%.9g) with image\n",
          -wide, 1 + wide, s->v_periodic ? 0 : 31, CELLS, CELLS, 1.0 / CELLS, 1.0 / CELLS, 0.5 / CELLS,
          0.5 / CELLS);
  for (int row = 0; row < CELLS; row++)
    for (int column = 0; column < CELLS; column++) {
      double x = (column + 0.5) / CELLS, y = (row + 0.5) / CELLS;
      float cell = (float)(scale * map_value(s, mode, x, y));
      fwrite(&cell, sizeof cell, 1, out);
    }
}

static void put_shape(FILE *out, const ct_mode_picture *p, uint32_t mode) {
  put_panel(out, mode, p->labels[mode]);
  switch (ct_mode_view_of(&p->shape)) {
  case CT_VIEW_LINE:
    put_line(out, &p->shape, mode);
    break;
  case CT_VIEW_RING:
  case CT_VIEW_CUP:
    put_ring(out, &p->shape, mode);
    break;
  case CT_VIEW_FLAT:
  case CT_VIEW_DISC:
    put_map(out, &p->shape, mode);
    break;
  case CT_VIEW_NONE:
    break;
  }
}

/* ---- spectrum ---- */

static bool rings(const ct_mode_def *mode) { return mode->hz > 0 && mode->t60_s > 0; }

static bool find_ranges(const ct_mode_picture *p, double hz[2], double t60[2]) {
  hz[0] = t60[0] = HUGE_VAL;
  hz[1] = t60[1] = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    if (!rings(&p->modes[i]))
      continue;
    hz[0] = fmin(hz[0], p->modes[i].hz), hz[1] = fmax(hz[1], p->modes[i].hz);
    t60[0] = fmin(t60[0], p->modes[i].t60_s), t60[1] = fmax(t60[1], p->modes[i].t60_s);
  }
  return hz[1] > 0;
}

static void put_spectrum(FILE *out, const ct_mode_picture *p) {
  double hz[2], t60[2];
  if (!find_ranges(p, hz, t60))
    return;
  double left = hz[0] / 1.3, right = hz[1] * 1.3, bottom = t60[0] / 2, top = t60[1] * 1.5;
  uint32_t rows = (panels(p) + ACROSS - 1) / ACROSS; /* of panels above */
  ct_gnuplot_place(out, 0.06, 0.975, 0.93 - 0.26 * rows - 0.03, 0.09);
  fprintf(out,
          "unset title\nset border 3\nset logscale xy\n"
          "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\nset grid lc rgb '#dddddd' lw 0.7\n"
          "set xlabel 'frequency of the mode, Hz'\nset ylabel 'time to fall by 60 dB, s'\n",
          left, right, bottom, top);
  ct_gnuplot_log_tics(out, 'x', left, right, false);
  ct_gnuplot_log_tics(out, 'y', bottom, top, false);
  fprintf(
      out,
      "plot '-' using 1:2:(0):(%.9g-$2) with vectors nohead lw 1.5 lc rgb '#9db8c9', '-' with points pt 7 "
      "ps 0.9 lc rgb '#1f5f8b'\n",
      bottom);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < p->count; i++)
      if (rings(&p->modes[i]))
        fprintf(out, "%.9g %.9g\n", p->modes[i].hz, p->modes[i].t60_s);
    fputs("e\n", out);
  }
}

/* ---- the picture ---- */

static ct_result write_script(FILE *script, const char *png, const void *context, ct_error *error) {
  const ct_mode_picture *p = context;
  double hz[2], t60[2];
  if (!panels(p) && !find_ranges(p, hz, t60))
    return ct_fail(error, CT_BAD_VALUE, "picture: no mode rings and no shape is known: nothing to draw");
  ct_gnuplot_begin(script, png, 1200, 760, 11);
  fputs("set multiplot\nunset tics\n", script);
  ct_gnuplot_title(script, p->title, 0.06, 0.97, 14);
  for (uint32_t i = 0; i < panels(p); i++) {
    put_shape(script, p, i);
    fputs("unset label 1\n", script);
  }
  fputs("set tics nomirror out scale 0.6\nset border lc rgb '#555555'\n", script);
  put_spectrum(script, p);
  fputs("unset multiplot\nset output\n", script);
  return CT_OK;
}

ct_result ct_mode_picture_draw(const char *png, const ct_mode_picture *picture, ct_error *error) {
  return ct_gnuplot_draw(png, write_script, picture, error);
}
