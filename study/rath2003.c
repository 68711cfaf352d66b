/* What was found, as tables: force over speed, spectra, cost, and what is heard. */
#include "study/rath2003.h"
#include "study/figure.h"

typedef struct found {
  rath_lean lean[RATH_SPEEDS];
  rath_band band[RATH_BANDS];
  rath_cost cost[RATH_RADII];
  rath_heard heard;
  rath_turning turning[RATH_OFFSETS];
} found;

/* ---- as CSV ---- */

static void csv_row(FILE *out, const char *table, double at, const char *quantity, double value) {
  fprintf(out, "%s,%.6g,%s,%.6g\n", table, at, quantity, value);
}

static void print_turning_csv(FILE *out, const rath_turning *t) {
  static const char *const words[2][4] = {{"rolled_at_turn", "rolled_least", "rolled_median", "rolled_most"},
                                          {"slid_at_turn", "slid_least", "slid_median", "slid_most"}};
  csv_row(out, "turning", t->asymmetry_m, "turn_hz", t->turn_hz);
  csv_row(out, "turning", t->asymmetry_m, "tables", RATH_SEEDS);
  for (int c = 0; c < 2; c++) {
    const double values[] = {t->at_turn[c], t->least[c], t->median[c], t->most[c]};
    for (int i = 0; i < 4; i++)
      csv_row(out, "turning", t->asymmetry_m, words[c][i], values[i]);
  }
  csv_row(out, "turning", t->asymmetry_m, "rolled_larger", t->larger);
}

static void print_csv(FILE *out, const found *f) {
  fputs("table,at,quantity,value\n", out);
  for (int i = 0; i < RATH_SPEEDS; i++) {
    csv_row(out, "force", f->lean[i].speed_m_s, "swing_n", f->lean[i].swing_n);
    csv_row(out, "force", f->lean[i].speed_m_s, "expected_n", f->lean[i].expected_n);
  }
  for (int i = 0; i < RATH_BANDS; i++) {
    csv_row(out, "spectrum", f->band[i].per_m, "profile_db", f->band[i].profile_db);
    csv_row(out, "spectrum", f->band[i].per_m, "rolled_db", f->band[i].rolled_db);
    csv_row(out, "spectrum", f->band[i].per_m, "smooth_db", f->band[i].smooth_db);
  }
  for (int i = 0; i < RATH_RADII; i++) {
    csv_row(out, "cost", f->cost[i].radius_m, "search", f->cost[i].search);
    csv_row(out, "cost", f->cost[i].radius_m, "queue_white", f->cost[i].white);
    csv_row(out, "cost", f->cost[i].radius_m, "queue_fractal", f->cost[i].fractal);
    csv_row(out, "cost", f->cost[i].radius_m, "queue_periodic", f->cost[i].periodic);
  }
  csv_row(out, "slowing", 0.9, "centroid_hz", f->heard.centroid_fast_hz);
  csv_row(out, "slowing", 0.2, "centroid_hz", f->heard.centroid_slow_hz);
  csv_row(out, "slowing", 0.9, "level_db", f->heard.level_fast_db);
  csv_row(out, "slowing", 0.2, "level_db", f->heard.level_slow_db);
  for (int i = 0; i < RATH_OFFSETS; i++)
    print_turning_csv(out, &f->turning[i]);
}

/* ---- in words ---- */

static void print_turning(FILE *out, const rath_turning turning[RATH_OFFSETS]) {
  fprintf(
      out,
      "\nThe same can at %.1f m/s, %.2f turns a second, four seconds on each of %d tables: largest line in "
      "the\nmodulation of its power\n  off the middle            at the rate of turning   depth: least   "
      "median   most\n",
      RATH_CAN_SPEED_M_S, turning[0].turn_hz, RATH_SEEDS);
  for (int i = 0; i < RATH_OFFSETS; i++)
    for (int c = 0; c < 2; c++) {
      const rath_turning *t = &turning[i];
      fprintf(out, "  %6.1f mm, %-12s %17u of %d %14.2f %8.2f %6.2f\n", 1e3 * t->asymmetry_m,
              c   ? "slid"
              : i ? "rolled"
                  : "rolled (own)",
              t->at_turn[c], RATH_SEEDS, t->least[c], t->median[c], t->most[c]);
    }
  fprintf(out, "  at its own settings the rolled can's is larger on %u of them\n", turning[0].larger);
}

static void print_words(FILE *out, const found *f) {
  fputs("Asymmetry (eq. 4): half the swing of the contact's force\n  v, m/s   force, mN   M A (v/r)^2, mN\n",
        out);
  for (int i = 0; i < RATH_SPEEDS; i++)
    fprintf(out, "  %6.2f %11.4f %17.4f\n", f->lean[i].speed_m_s, 1e3 * f->lean[i].swing_n,
            1e3 * f->lean[i].expected_n);
  fputs("\nSpectra over distance, dB per cycle per metre\n  cycles/m   profile    rolled   low-passed\n",
        out);
  for (int i = 0; i < RATH_BANDS; i += 2)
    fprintf(out, "  %8.0f %9.1f %9.1f %12.1f\n", f->band[i].per_m, f->band[i].profile_db,
            f->band[i].rolled_db, f->band[i].smooth_db);
  fputs("\nComparisons per grid point, grid 0.1 mm\n  radius, m    search     queue: white   fractal   "
        "periodic\n",
        out);
  for (int i = 0; i < RATH_RADII; i += 2)
    fprintf(out, "  %9.4f %9.0f %16.2f %9.2f %10.2f\n", f->cost[i].radius_m, f->cost[i].search,
            f->cost[i].white, f->cost[i].fractal, f->cost[i].periodic);
  fprintf(out, "\nA marble slowing down: %.0f Hz and %.1f dB at 0.9 m/s, %.0f Hz and %.1f dB at 0.2 m/s\n",
          f->heard.centroid_fast_hz, f->heard.level_fast_db, f->heard.centroid_slow_hz,
          f->heard.level_slow_db);
  print_turning(out, f->turning);
}

/* ---- all of it ---- */

static ct_result find_all(const ct_study_run *run, found *f, ct_error *error) {
  ct_result result = run->folder ? figure_folder(run->folder, error) : CT_OK;
  if (result == CT_OK && run->folder)
    result = rath_draw_path(run, error);
  if (result == CT_OK)
    result = rath_draw_lean(run, f->lean, error);
  if (result == CT_OK)
    result = rath_draw_spectra(run, f->band, error);
  if (result == CT_OK)
    result = rath_draw_cost(run, f->cost, error);
  if (result == CT_OK)
    result = rath_draw_heard(run, &f->heard, error);
  return result == CT_OK ? rath_draw_turning(run, f->turning, error) : result;
}

ct_result rath2003_run(const ct_study_run *run, ct_error *error) {
  found f = {0};
  ct_result result = find_all(run, &f, error);
  if (result == CT_OK && run->csv)
    print_csv(run->out, &f);
  else if (result == CT_OK)
    print_words(run->out, &f);
  return result;
}
