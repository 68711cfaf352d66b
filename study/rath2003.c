/* What was found, as tables: force over speed, spectra, cost, and what is heard. */
#include "study/rath2003.h"
#include "study/columns.h"
#include "study/figure.h"

typedef struct found {
  rath_lean lean[RATH_SPEEDS];
  rath_band band[RATH_BANDS];
  rath_cost cost[RATH_RADII];
  rath_heard heard;
  rath_turning turning[RATH_OFFSETS];
} found;

/* ---- tables, as CSV or for people ---- */

static void show_at(const ct_study_run *run, const study_table *table, double at, const double *values) {
  char of[32];
  snprintf(of, sizeof of, "%.6g", at);
  study_row(run, table, of, values);
}

static void show_lean(const ct_study_run *run, const rath_lean lean[RATH_SPEEDS]) {
  static const study_column columns[] = {PLAIN(NULL, "v, m/s", 8, 2),
                                         {"swing_n", "force, mN", 12, 4, 1e3, ""},
                                         {"expected_n", "M A (v/r)^2, mN", 18, 4, 1e3, ""}};
  const study_table table = STUDY_TABLE(
      "force", ",", "", "Asymmetry (eq. 4): half the swing of the contact's force", "", 0, columns);
  study_heading(run, &table);
  for (int i = 0; i < RATH_SPEEDS; i++) {
    const rath_lean *l = &lean[i];
    show_at(run, &table, l->speed_m_s, (double[]){l->speed_m_s, l->swing_n, l->expected_n});
  }
}

/* People see every other band and radius. */
static void show_bands(const ct_study_run *run, const rath_band band[RATH_BANDS]) {
  static const study_column columns[] = {
      PLAIN(NULL, "cycles/m", 10, 0), PLAIN("profile_db", "profile", 10, 1),
      PLAIN("rolled_db", "rolled", 10, 1), PLAIN("smooth_db", "low-passed", 13, 1)};
  const study_table table =
      STUDY_TABLE("spectrum", ",", "", "\nSpectra over distance, dB per cycle per metre", "", 0, columns);
  study_heading(run, &table);
  for (int i = 0; i < RATH_BANDS; i += run->csv ? 1 : 2) {
    const rath_band *b = &band[i];
    show_at(run, &table, b->per_m, (double[]){b->per_m, b->profile_db, b->rolled_db, b->smooth_db});
  }
}

static void show_cost(const ct_study_run *run, const rath_cost cost[RATH_RADII]) {
  static const study_column columns[] = {PLAIN(NULL, "radius, m", 11, 4), PLAIN("search", "search", 10, 0),
                                         PLAIN("queue_white", "queue: white", 17, 2),
                                         PLAIN("queue_fractal", "fractal", 10, 2),
                                         PLAIN("queue_periodic", "periodic", 11, 2)};
  const study_table table =
      STUDY_TABLE("cost", ",", "", "\nComparisons per grid point, grid 0.1 mm", "", 0, columns);
  study_heading(run, &table);
  for (int i = 0; i < RATH_RADII; i += run->csv ? 1 : 2) {
    const rath_cost *c = &cost[i];
    show_at(run, &table, c->radius_m, (double[]){c->radius_m, c->search, c->white, c->fractal, c->periodic});
  }
}

static void show_slowing(const ct_study_run *run, const rath_heard *h) {
  if (!run->csv)
    fprintf(run->out,
            "\nA marble slowing down: %.0f Hz and %.1f dB at 0.9 m/s, %.0f Hz and %.1f dB at 0.2 m/s\n",
            h->centroid_fast_hz, h->level_fast_db, h->centroid_slow_hz, h->level_slow_db);
  else
    fprintf(run->out,
            "slowing,0.9,centroid_hz,%.6g\nslowing,0.2,centroid_hz,%.6g\nslowing,0.9,level_db,%.6g\n"
            "slowing,0.2,level_db,%.6g\n",
            h->centroid_fast_hz, h->centroid_slow_hz, h->level_fast_db, h->level_slow_db);
}

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
  if (result != CT_OK)
    return result;
  if (run->csv)
    fputs("table,at,quantity,value\n", run->out);
  show_lean(run, f.lean);
  show_bands(run, f.band);
  show_cost(run, f.cost);
  show_slowing(run, &f.heard);
  for (int i = 0; i < RATH_OFFSETS && run->csv; i++)
    print_turning_csv(run->out, &f.turning[i]);
  if (!run->csv)
    print_turning(run->out, f.turning);
  return result;
}
