#include "picture/panels.h"
#include "base/text.h"
#include "picture/gnuplot.h"
#include "picture/spectrogram.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 480, ROWS = 320, RANGE_DB = 80 };

void ct_panels_begin(FILE *out, const char *png, const char *title) {
  fputs("set terminal pngcairo noenhanced size 1040,750 font 'DejaVu Sans,11'\nset output ", out);
  ct_gnuplot_quote(out, png);
  fputs("\nset multiplot\nset border lc rgb '#555555'\nset tics nomirror out scale 0.6\nunset key\nset label "
        "1 ",
        out);
  ct_gnuplot_quote(out, title);
  fputs(" at screen 0.075,0.97 font 'DejaVu Sans,14'\nset cblabel 'level, dBFS' offset 1.5\n"
        "set colorbox user origin 0.905,0.58 size 0.013,0.32\nset xlabel 'time, s'\n"
        "set ylabel 'frequency, Hz' offset 0\n"
        "set palette defined (0 '#000004', 1 '#1b0c41', 2 '#4a0c6b', 3 '#781c6d', 4 '#a52c60', 5 '#cf4446', "
        "6 '#ed6925', 7 '#fb9b06', 8 '#f7d13d', 9 '#fcffa4')\n",
        out);
}

void ct_panels_beside(FILE *out) { fputs("unset label 1\nset ylabel ''\n", out); }

void ct_panels_end(FILE *out) { fputs("unset multiplot\nset output\n", out); }

void ct_panel_place(FILE *out, const ct_panel *p) {
  fprintf(out,
          "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset tmargin at screen %.4f\n"
          "set bmargin at screen %.4f\n",
          p->left, p->right, p->top, p->bottom);
}

void ct_panel_log_tics(FILE *out, char axis, double low_hz, double high_hz, bool in_log) {
  static const int tics[] = {50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000};
  const char *comma = "";
  fprintf(out, "set %ctics (", axis);
  for (size_t i = 0; i < sizeof tics / sizeof *tics; i++)
    if (tics[i] >= low_hz && tics[i] <= high_hz) {
      fprintf(out, "%s'%d%s' %.9g", comma, tics[i] < 1000 ? tics[i] : tics[i] / 1000,
              tics[i] < 1000 ? "" : "k", in_log ? log10(tics[i]) : tics[i]);
      comma = ", ";
    }
  fputs(")\n", out);
}

ct_result ct_panel_spectrogram(FILE *out, const ct_panel *panel, const double *samples, size_t count,
                               double rate_hz, const char *title, double *top_db, ct_error *error) {
  ct_spectrogram g;
  if (!ct_spectrogram_make(samples, count, rate_hz, COLUMNS, ROWS, &g))
    return ct_fail(error, CT_NO_MEMORY, "picture: no memory");
  if (isnan(*top_db))
    *top_db = 5 * ceil(g.loudest_db / 5);
  double lo = log10(g.lo_hz), hi = log10(g.hi_hz), seconds = (double)count / rate_hz;
  ct_panel_place(out, panel);
  fputs("set title ", out);
  ct_gnuplot_quote(out, title);
  fprintf(out, " offset 0,-0.6\nset xrange [0:%.9g]\nset yrange [%.9f:%.9f]\nset cbrange [%g:%g]\n", seconds,
          lo, hi, *top_db - RANGE_DB, *top_db);
  ct_panel_log_tics(out, 'y', g.lo_hz, g.hi_hz, true);
  fprintf(out,
          "plot '-' binary array=(%u,%u) format='%%float' dx=%.9g dy=%.9g origin=(%.9g,%.9g) with image\n",
          g.columns, g.rows, seconds / g.columns, (hi - lo) / (g.rows - 1), 0.5 * seconds / g.columns, lo);
  fwrite(g.db, sizeof *g.db, (size_t)g.columns * g.rows, out);
  free(g.db);
  return CT_OK;
}
