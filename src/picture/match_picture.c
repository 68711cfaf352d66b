#include "base/text.h"
#include "measure/signal.h"
#include "picture/gnuplot.h"
#include "picture/picture.h"

static const double block_s = 0.01;
static const double widest = 8; /* tolerances that are shown */

static void put_level(FILE *out, const ct_match_sound *s) {
  size_t block = (size_t)(block_s * s->rate_hz);
  for (size_t n = 0; n + block <= s->count; n += block)
    fprintf(out, "%.4f %.3f\n", (double)n / s->rate_hz,
            fmax(ct_signal_power_db(ct_signal_power(s->samples + n, block)), -150));
  fputs("e\n", out);
}

static void put_levels(FILE *out, const ct_match_picture *p) {
  ct_gnuplot_place(out, 0.075, 0.445, 0.47, 0.09);
  fprintf(out,
          "set title 'level' offset 0,-0.6\nset key bottom right\nset xrange [0:%.9g]\nset yrange [*:*]\n"
          "set xtics auto\nset ytics auto\nset xlabel 'time, s'\nset ylabel 'level, dB' offset 0\n"
          "plot '-' with lines lw 1.5 lc rgb '#1f5f8b' title 'recorded', '-' with lines lw 1.5 lc rgb "
          "'#cf4446' title 'scene'\n",
          (double)p->recorded.count / p->recorded.rate_hz);
  put_level(out, &p->recorded);
  put_level(out, &p->played);
}

static void put_measures(FILE *out, const ct_match_picture *p) {
  ct_gnuplot_place(out, 0.66, 0.955, 0.47, 0.09);
  fprintf(out,
          "unset key\nset title 'how far each measure is off' offset 0,-0.6\nset xrange [%g:%g]\n"
          "set yrange [%u.5:-0.5]\nset xlabel 'tolerances (3 cents, 1 dB, 5 %%)'\nset ylabel ''\nset ytics (",
          -widest, widest, p->measure_count - 1);
  for (uint32_t i = 0; i < p->measure_count; i++)
    fprintf(out, "%s'%s' %u", i ? ", " : "", p->measures[i], i);
  fputs(")\nset style fill solid\nset object 1 rect from -1, graph 0 to 1, graph 1 fc rgb '#e4ecf1' fs "
        "noborder behind\n"
        "plot '-' using (0):1:(0):2:($1-0.3):($1+0.3) with boxxyerror lc rgb '#cf4446'\n",
        out);
  for (uint32_t i = 0; i < p->measure_count; i++)
    fprintf(out, "%u %.4f\n", i, isnan(p->off[i]) ? 0 : fmin(fmax(p->off[i], -widest), widest));
  fputs("e\n", out);
}

static ct_result write_script(FILE *script, const char *png, const void *context, ct_error *error) {
  const ct_match_picture *p = context;
  const ct_panel_sound sounds[] = {
      {"recorded", p->recorded.samples, p->recorded.count, p->recorded.rate_hz},
      {"the fitted scene", p->played.samples, p->played.count, p->played.rate_hz}};
  CT_TRY(ct_panels_begin(script, png, p->title, sounds, error));
  put_levels(script, p);
  put_measures(script, p);
  ct_panels_end(script);
  return CT_OK;
}

ct_result ct_match_picture_draw(const char *png, const ct_match_picture *picture, ct_error *error) {
  return ct_gnuplot_draw(png, write_script, picture, error);
}
