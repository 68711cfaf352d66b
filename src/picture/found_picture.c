/* Two spectrograms side by side on one scale, the spectrum with the modes on it, and the decays of the
 * strongest modes: levels of the recording around their frequency, and of the modes there. */
#include "base/text.h"
#include "measure/fft.h"
#include "picture/gnuplot.h"
#include "picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DECAYS = 4, POINTS = 160 };

static const double longest_s = 3; /* of a strike is shown */

/* Everything that is drawn. */
typedef struct sheet {
  const ct_found_picture *p;
  size_t count;
  double *again; /* the modes as sound */
  double least_hz, most_hz;
} sheet;

/* ---- spectrum ---- */

/* Largest level in dB of `bins` steps even in log frequency: the transform of the strike as it is. */
static bool fill_spectrum(const sheet *s, double *level, int bins) {
  size_t n = ct_fft_size(s->count);
  double complex *x = calloc(n, sizeof *x), *twiddles = ct_fft_make_twiddles(n);
  bool memory = x && twiddles;
  for (int i = 0; i < bins; i++)
    level[i] = -300;
  if (memory) {
    for (size_t k = 0; k < s->count; k++)
      x[k] = s->p->samples[k];
    ct_fft_forward(x, n, twiddles);
    for (size_t k = 1; k < n / 2; k++) {
      double hz = (double)k * s->p->rate_hz / (double)n,
             at = log(hz / s->least_hz) / log(s->most_hz / s->least_hz);
      int i = (int)floor(at * bins);
      if (i >= 0 && i < bins)
        level[i] = fmax(level[i], 20 * log10(2 * cabs(x[k]) / s->p->rate_hz + 1e-30));
    }
  }
  free(x);
  free(twiddles);
  return memory;
}

/* A mode's own line: amplitude over decay, as the transform of it alone has at its top. */
static double line_db(const sheet *s, uint32_t i) {
  const ct_found_modes *f = s->p->found;
  return 20 *
         log10(f->gains[(size_t)s->p->strike * f->mode_count + i].gain * f->modes[i].t60_s / log(1000.0) +
               1e-30);
}

static ct_result put_spectrum(FILE *out, const sheet *s, ct_error *error) {
  enum { BINS = 900 };
  double level[BINS], top = -300;
  const ct_found_modes *f = s->p->found;
  if (!fill_spectrum(s, level, BINS))
    return ct_fail(error, CT_NO_MEMORY, "picture: no memory");
  for (int i = 0; i < BINS; i++)
    top = fmax(top, level[i]);
  ct_gnuplot_place(out, 0.075, 0.5, 0.47, 0.09);
  fprintf(out,
          "set title 'spectrum, and the modes found' offset 0,-0.6\nset logscale x\nset xrange [%.9g:%.9g]\n"
          "set yrange [%g:%g]\nset xlabel 'frequency, Hz'\nset ylabel 'level, dB' offset 1\nset ytics auto\n",
          s->least_hz, s->most_hz, 10 * ceil(top / 10) - 100, 10 * ceil(top / 10));
  ct_gnuplot_log_tics(out, 'x', s->least_hz, s->most_hz, false);
  fputs("plot '-' with lines lw 1 lc rgb '#8fa8b8', '-' with points pt 7 ps 0.7 lc rgb '#cf4446', '-' with "
        "points pt "
        "6 ps 0.8 lc rgb '#7a6a2a'\n",
        out);
  for (int i = 0; i < BINS; i++)
    if (level[i] > -290)
      fprintf(out, "%.6g %.3f\n", s->least_hz * pow(s->most_hz / s->least_hz, (i + 0.5) / BINS), level[i]);
  for (int room = 0; room < 2; room++) {
    fputs("e\n", out);
    for (uint32_t i = 0; i < f->mode_count; i++)
      if (f->modes[i].perhaps_room == room)
        fprintf(out, "%.6g %.3f\n", f->modes[i].hz, line_db(s, i));
    if (room)
      fputs("1 -999\n", out); /* gnuplot refuses an empty list */
  }
  fputs("e\nunset logscale x\n", out);
  return CT_OK;
}

/* ---- decays ---- */

/* Level of x around hz in a window of `length` samples from `from` on. */
static double level_at(const double *x, size_t from, size_t length, double omega) {
  double re = 0, im = 0, sum = 0;
  for (size_t k = 0; k < length; k++) {
    double w = 0.5 - 0.5 * cos(2 * M_PI * ((double)k + 0.5) / (double)length), at = omega * (double)k;
    re += w * x[from + k] * cos(at);
    im += w * x[from + k] * sin(at);
    sum += w;
  }
  return 20 * log10(2 * hypot(re, im) / sum + 1e-30);
}

static uint32_t pick_loudest(const sheet *s, uint32_t *picked) {
  const ct_found_modes *f = s->p->found;
  uint32_t count = 0;
  while (count < DECAYS && count < f->mode_count) {
    uint32_t best = f->mode_count;
    for (uint32_t i = 0; i < f->mode_count; i++) {
      bool taken = false;
      for (uint32_t k = 0; k < count; k++)
        taken = taken || fabs(f->modes[picked[k]].hz - f->modes[i].hz) < 60;
      if (!taken && (best == f->mode_count || line_db(s, i) > line_db(s, best)))
        best = i;
    }
    if (best == f->mode_count)
      break;
    picked[count++] = best;
  }
  return count;
}

static void put_decay_data(FILE *out, const sheet *s, const double *x, double hz, double seconds) {
  size_t length = (size_t)(0.04 * s->p->rate_hz);
  for (int k = 0; k < POINTS; k++) {
    size_t from = (size_t)(seconds * s->p->rate_hz * k / POINTS);
    if (from + length > s->count)
      break;
    fprintf(out, "%.5f %.3f\n", (double)from / s->p->rate_hz,
            level_at(x, from, length, 2 * M_PI * hz / s->p->rate_hz));
  }
  fputs("e\n", out);
}

static void put_decays(FILE *out, const sheet *s) {
  static const char *const colours[] = {"#1f5f8b", "#cf4446", "#3c8b4a", "#b5771f"};
  uint32_t picked[DECAYS], count = pick_loudest(s, picked);
  double seconds = (double)s->count / s->p->rate_hz;
  ct_gnuplot_place(out, 0.565, 0.955, 0.47, 0.09);
  fprintf(
      out,
      "set title 'decays of the strongest: recorded (dots), modes (lines)' offset 0,-0.6\nset key top right\n"
      "set xrange [0:%.9g]\nset yrange [-110:*]\nset xtics auto\nset ytics auto\nset xlabel 'time, s'\n"
      "set ylabel 'level, dB' offset 1\nplot ",
      seconds);
  for (uint32_t k = 0; k < count; k++)
    fprintf(out,
            "%s'-' with points pt 7 ps 0.35 lc rgb '%s' notitle, '-' with lines lw 1.3 lc rgb '%s' title "
            "'%.0f Hz'",
            k ? ", " : "", colours[k], colours[k], s->p->found->modes[picked[k]].hz);
  fputs("\n", out);
  for (uint32_t k = 0; k < count; k++) {
    put_decay_data(out, s, s->p->samples, s->p->found->modes[picked[k]].hz, seconds);
    put_decay_data(out, s, s->again, s->p->found->modes[picked[k]].hz, seconds);
  }
}

/* ---- the picture ---- */

static ct_result write_script(FILE *script, const char *png, const void *context, ct_error *error) {
  const sheet *s = context;
  const ct_panel_sound sounds[] = {{"recorded", s->p->samples, s->count, s->p->rate_hz},
                                   {"its modes", s->again, s->count, s->p->rate_hz}};
  char title[300];
  ct_format(title, sizeof title, "%.120s: %u modes, %g %% of the energy, log-spectral distance %g dB",
            s->p->title, s->p->found->mode_count, round(1000 * s->p->found->explained) / 10,
            round(10 * s->p->distance_db) / 10);
  CT_TRY(ct_panels_begin(script, png, title, sounds, error));
  CT_TRY(put_spectrum(script, s, error));
  put_decays(script, s);
  ct_panels_end(script);
  return CT_OK;
}

ct_result ct_found_picture_draw(const char *png, const ct_found_picture *p, ct_error *error) {
  sheet s = {.p = p, .least_hz = 40, .most_hz = fmin(18000, 0.5 * p->rate_hz)};
  s.count = (size_t)fmin((double)p->found->strikes[p->strike].count, longest_s * p->rate_hz);
  s.again = malloc((s.count + 1) * sizeof *s.again);
  if (!s.again)
    return ct_fail(error, CT_NO_MEMORY, "picture: no memory");
  ct_modes_play(p->found, p->strike, p->rate_hz, s.again, s.count);
  ct_result result = ct_gnuplot_draw(png, write_script, &s, error);
  free(s.again);
  return result;
}
