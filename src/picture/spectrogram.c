/* Short-time spectra on a log frequency axis. A Hann window of about 85 ms shows a partial as a line 24 Hz
 * wide and an impact as a stripe. Where several bins fall into one row the loudest is shown, so that no
 * partial is lost. */
#include "picture/spectrogram.h"
#include "measure/fft.h"

#include <math.h>
#include <stdlib.h>

#define WINDOW_S 0.085
#define FLOOR_DB (-200.0)

typedef struct analysis {
  ct_fft_frame frame;
  double scale; /* from |bin| to the amplitude of a sine */
} analysis;

static bool prepare(analysis *a, double rate_hz) {
  const size_t size = ct_fft_size((size_t)(WINDOW_S * rate_hz));
  double sum = 0;
  if (!ct_fft_frame_make(&a->frame, size, size, 0.5))
    return false;
  for (size_t i = 0; i < size; i++)
    sum += a->frame.hann[i];
  a->scale = 2 / sum;
  return true;
}

static void transform(const ct_fft_frame *f, const double *samples, size_t count, double middle) {
  double start = floor(middle) - 0.5 * (double)f->size;
  for (size_t i = 0; i < f->size; i++) {
    double at = start + (double)i;
    bool inside = at >= 0 && at < (double)count;
    double sample = inside ? samples[(size_t)at] : 0;
    f->x[i] = isfinite(sample) ? sample * f->hann[i] : 0;
  }
  ct_fft_forward(f->x, f->size, f->twiddles);
}

static double bin_db(const analysis *a, size_t bin) {
  double amplitude = cabs(a->frame.x[bin < a->frame.size / 2 ? bin : a->frame.size / 2]) * a->scale;
  return amplitude > 1e-10 ? 20 * log10(amplitude) : FLOOR_DB;
}

/* The level between two bin places: interpolated when they are closer than a bin, else the loudest in
 * between. */
static double row_db(const analysis *a, double from, double to) {
  double middle = 0.5 * (from + to), part = middle - floor(middle);
  double db = (1 - part) * bin_db(a, (size_t)middle) + part * bin_db(a, (size_t)middle + 1);
  for (size_t bin = (size_t)ceil(from); (double)bin < to; bin++)
    db = fmax(db, bin_db(a, bin));
  return db;
}

static void fill_column(ct_spectrogram *s, const analysis *a, double rate_hz, uint32_t column) {
  double bins_per_hz = (double)a->frame.size / rate_hz;
  double step = log(s->hi_hz / s->lo_hz) / (s->rows - 1);
  for (uint32_t row = 0; row < s->rows; row++) {
    double from = s->lo_hz * exp(step * (row - 0.5)), to = s->lo_hz * exp(step * (row + 0.5));
    double db = row_db(a, from * bins_per_hz, to * bins_per_hz);
    s->db[(size_t)row * s->columns + column] = (float)db;
    s->loudest_db = fmax(s->loudest_db, db);
  }
}

const char ct_spectrogram_palette[] =
    "set palette defined (0 '#000004', 1 '#1b0c41', 2 '#4a0c6b', 3 '#781c6d', 4 '#a52c60', 5 '#cf4446', "
    "6 '#ed6925', 7 '#fb9b06', 8 '#f7d13d', 9 '#fcffa4')\n";

void ct_spectrogram_plot(FILE *out, const ct_spectrogram *s, double seconds, double top_db, double range_db) {
  const double lo = log10(s->lo_hz), hi = log10(s->hi_hz), dx = seconds / s->columns;
  fprintf(out,
          "set xrange [0:%.9g]\nset yrange [%.9f:%.9f]\nset cbrange [%g:%g]\n"
          "plot '-' binary array=(%u,%u) format='%%float' dx=%.9g dy=%.9g origin=(%.9g,%.9g) with image\n",
          seconds, lo, hi, top_db - range_db, top_db, s->columns, s->rows, dx, (hi - lo) / (s->rows - 1),
          dx / 2, lo);
  fwrite(s->db, sizeof *s->db, (size_t)s->columns * s->rows, out);
}

bool ct_spectrogram_make(const double *samples, size_t count, double rate_hz, uint32_t columns, uint32_t rows,
                         ct_spectrogram *s) {
  *s = (ct_spectrogram){.columns = columns, .rows = rows, .lo_hz = 40, .loudest_db = FLOOR_DB};
  s->hi_hz = fmin(16000, rate_hz / 2);
  s->db = calloc((size_t)columns * rows, sizeof *s->db);
  analysis a = {0};
  bool good = prepare(&a, rate_hz) && s->db;
  for (uint32_t column = 0; good && column < columns; column++) {
    transform(&a.frame, samples, count, (column + 0.5) * (double)count / columns);
    fill_column(s, &a, rate_hz, column);
  }
  ct_fft_frame_free(&a.frame);
  if (!good)
    free(s->db);
  return good;
}
