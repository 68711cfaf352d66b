/* A spectrogram as the table behind a picture. */
#include "base/text.h"
#include "picture/gnuplot.h"
#include "study/figure.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 420, ROWS = 200 };

static ct_result write_cells(figure_table *table, const ct_spectrogram *s, double seconds, ct_error *error) {
  ct_result result = CT_OK;
  double step = log10(s->hi_hz / s->lo_hz) / (s->rows - 1);
  for (uint32_t c = 0; c < s->columns; c++)
    for (uint32_t r = 0; r < s->rows && result == CT_OK; r++) {
      double db = (double)s->db[r * s->columns + c] - s->loudest_db;
      double row[] = {seconds * (c + 0.5) / s->columns, log10(s->lo_hz) + step * r, fmax(db, -120)};
      result = figure_table_row(table, row, error);
    }
  return result;
}

ct_result figure_spectrogram(const ct_study_run *run, const char *name, const double *samples, size_t count,
                             double rate_hz, ct_error *error) {
  ct_spectrogram s;
  figure_table *table;
  if (!ct_spectrogram_make(samples, count, rate_hz, COLUMNS, ROWS, &s))
    return ct_fail(error, CT_NO_MEMORY, "no memory for a spectrogram");
  ct_result result = figure_table_begin(run, name, "time_s,log_hz,level_db", &table, error);
  if (result == CT_OK)
    result = write_cells(table, &s, (double)count / rate_hz, error);
  free(s.db);
  return figure_table_end(table, result, error);
}
