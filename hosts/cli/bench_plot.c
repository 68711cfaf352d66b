/* Results as bars, old beside new: ns per sample on a logarithmic scale, since works lie a thousandfold
 * apart. */
#include "picture/gnuplot.h"
#include "hosts/cli/bench.h"

#include <math.h>

enum { ROW_PIXELS = 22, PAIR_PIXELS = 28, FRAME_PIXELS = 130 };

static void put_title(FILE *out, const bench_report *report) {
  char what[120], where[240];
  snprintf(what, sizeof what, "contatto %s: ns per sample at %g Hz", CT_VERSION, report->rate_hz);
  snprintf(where, sizeof where, "%s, instruction set %s", report->cpu, report->instruction_set);
  fputs("set title ", out);
  ct_gnuplot_quote(out, what);
  fputs(".\"\\n\".", out);
  ct_gnuplot_quote(out, where);
  fputs("\n", out);
}

static void put_tics(FILE *out, const bench_report *report) {
  fputs("set ytics scale 0 (", out);
  for (uint32_t i = 0; i < report->count; i++) {
    fputs(i ? ", " : "", out);
    ct_gnuplot_quote(out, report->results[i].work->name);
    fprintf(out, " %u", i);
  }
  fputs(")\n", out);
}

/* Bars lie, the first work on top; of a pair the old one lies above. Where its middle is, beside the row. */
static double middle(const bench_report *report, bool old) {
  return !report->compared ? 0 : old ? -0.2 : 0.2;
}

static double ns_of(const bench_result *r, bool old) { return old ? r->old_ns : r->speed.best_ns; }

/* x, y, and the ends of the bar along both. */
static void put_bars(FILE *out, const bench_report *report, bool old) {
  double at = middle(report, old), half = report->compared ? 0.18 : 0.32;
  for (uint32_t i = 0; i < report->count; i++) {
    double ns = ns_of(&report->results[i], old);
    if (ns > 0)
      fprintf(out, "0.1 %g 0.1 %g %g %g\n", i + at, ns, i + at - half, i + at + half);
  }
  fputs("e\n", out);
}

static void put_numbers(FILE *out, const bench_report *report, bool old) {
  for (uint32_t i = 0; i < report->count; i++) {
    double ns = ns_of(&report->results[i], old);
    if (ns > 0)
      fprintf(out, "%g %g %.*f\n", ns, i + middle(report, old), ns < 10 ? 1 : 0, ns);
  }
  fputs("e\n", out);
}

static double most_ns(const bench_report *report) {
  double most = 1;
  for (uint32_t i = 0; i < report->count; i++)
    most = fmax(most, fmax(report->results[i].speed.best_ns, report->results[i].old_ns));
  return most;
}

static ct_result write_script(FILE *out, const char *png, const void *context, ct_error *error) {
  const bench_report *report = context;
  const char *bars = "'-' using 1:2:3:4:5:6 with boxxyerror fs solid noborder lc rgb";
  const char *numbers = "'-' using 1:2:3 with labels left offset 0.4,0 font 'DejaVu Sans,8' notitle";
  (void)error;
  fprintf(out, "set terminal pngcairo noenhanced size 1100,%u font 'DejaVu Sans,10'\nset output ",
          FRAME_PIXELS + (report->compared ? PAIR_PIXELS : ROW_PIXELS) * report->count);
  ct_gnuplot_quote(out, png);
  fprintf(
      out,
      "\nset border 3 lc rgb '#555555'\nset tics nomirror out\nset grid xtics lt 1 lc rgb '#cccccc' lw 0.7\n"
      "set logscale x\nset xrange [1:%g]\nset yrange [%g:-0.7]\nset xlabel 'ns per sample'\n"
      "set key above right samplen 2\n",
      2.5 * most_ns(report), report->count - 0.3);
  put_title(out, report);
  put_tics(out, report);
  if (report->compared)
    fprintf(out, "plot %s '#b8b8b8' title 'old', %s '#1f5f8b' title 'new', %s, %s\n", bars, bars, numbers,
            numbers);
  else
    fprintf(out, "plot %s '#1f5f8b' notitle, %s\n", bars, numbers);
  if (report->compared)
    put_bars(out, report, true);
  put_bars(out, report, false);
  if (report->compared)
    put_numbers(out, report, true);
  put_numbers(out, report, false);
  return CT_OK;
}

ct_result bench_plot(const bench_report *report, const char *png, ct_error *error) {
  return ct_gnuplot_draw(png, write_script, report, error);
}
