#include "picture/panels.h"
#include "base/text.h"
#include "picture/gnuplot.h"
#include "picture/spectrogram.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 480, ROWS = 320, RANGE_DB = 80 };

/* Colours from *top_db down; NAN: from what is loudest here, which *top_db then is. */
static ct_result put_spectrogram(FILE *out, double left, const ct_panel_sound *s, double *top_db,
                                 ct_error *error) {
  ct_spectrogram g;
  if (!ct_spectrogram_make(s->samples, s->count, s->rate_hz, COLUMNS, ROWS, &g))
    return ct_fail(error, CT_NO_MEMORY, "picture: no memory");
  if (isnan(*top_db))
    *top_db = 5 * ceil(g.loudest_db / 5);
  ct_gnuplot_place(out, left, left + 0.37, 0.9, 0.58);
  fputs("set title ", out);
  ct_gnuplot_quote(out, s->title);
  fputs(" offset 0,-0.6\n", out);
  ct_gnuplot_log_tics(out, 'y', g.lo_hz, g.hi_hz, true);
  ct_spectrogram_plot(out, &g, (double)s->count / s->rate_hz, *top_db, RANGE_DB);
  free(g.db);
  return CT_OK;
}

ct_result ct_panels_begin(FILE *out, const char *png, const char *title, const ct_panel_sound sounds[2],
                          ct_error *error) {
  double top_db = (double)NAN;
  ct_gnuplot_begin(out, png, 1040, 750, 11);
  fputs("set multiplot\nset tics nomirror out scale 0.6\n", out);
  ct_gnuplot_title(out, title, 0.075, 0.97, 14);
  fprintf(out,
          "set cblabel 'level, dBFS' offset 1.5\nset colorbox user origin 0.905,0.58 size 0.013,0.32\n"
          "set xlabel 'time, s'\nset ylabel 'frequency, Hz' offset 0\n%s",
          ct_spectrogram_palette);
  CT_TRY(put_spectrogram(out, 0.075, &sounds[0], &top_db, error));
  fputs("unset label 1\nset ylabel ''\n", out);
  return put_spectrogram(out, 0.52, &sounds[1], &top_db, error);
}

void ct_panels_end(FILE *out) { fputs("unset multiplot\nset output\n", out); }
