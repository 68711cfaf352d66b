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

static const study_csv csv = {"table,at,quantity,value", false, ""};

static void show_lean(const ct_study_run *run, const rath_lean lean[RATH_SPEEDS]) {
  static const study_column columns[] = {PLAIN(NULL, "v, m/s", 8, 2),
                                         SCALED("swing_n", "force, mN", 12, 4, 1e3, ""),
                                         SCALED("expected_n", "M A (v/r)^2, mN", 18, 4, 1e3, "")};
  const study_table table =
      STUDY_TABLE(&csv, "force", "Asymmetry (eq. 4): half the swing of the contact's force", "", 0, columns);
  study_heading(run, &table);
  for (int i = 0; i < RATH_SPEEDS; i++) {
    const rath_lean *l = &lean[i];
    study_row(run, &table, study_number_text(l->speed_m_s).text,
              (double[]){l->speed_m_s, l->swing_n, l->expected_n});
  }
}

/* People see every other band and radius. */
static void show_bands(const ct_study_run *run, const rath_band band[RATH_BANDS]) {
  static const study_column columns[] = {
      PLAIN(NULL, "cycles/m", 10, 0), PLAIN("profile_db", "profile", 10, 1),
      PLAIN("rolled_db", "rolled", 10, 1), PLAIN("smooth_db", "low-passed", 13, 1)};
  const study_table table =
      STUDY_TABLE(&csv, "spectrum", "\nSpectra over distance, dB per cycle per metre", "", 0, columns);
  study_heading(run, &table);
  for (int i = 0; i < RATH_BANDS; i += run->csv ? 1 : 2) {
    const rath_band *b = &band[i];
    study_row(run, &table, study_number_text(b->per_m).text,
              (double[]){b->per_m, b->profile_db, b->rolled_db, b->smooth_db});
  }
}

static void show_cost(const ct_study_run *run, const rath_cost cost[RATH_RADII]) {
  static const study_column columns[] = {PLAIN(NULL, "radius, m", 11, 4), PLAIN("search", "search", 10, 0),
                                         PLAIN("queue_white", "queue: white", 17, 2),
                                         PLAIN("queue_fractal", "fractal", 10, 2),
                                         PLAIN("queue_periodic", "periodic", 11, 2)};
  const study_table table =
      STUDY_TABLE(&csv, "cost", "\nComparisons per grid point, grid 0.1 mm", "", 0, columns);
  study_heading(run, &table);
  for (int i = 0; i < RATH_RADII; i += run->csv ? 1 : 2) {
    const rath_cost *c = &cost[i];
    study_row(run, &table, study_number_text(c->radius_m).text,
              (double[]){c->radius_m, c->search, c->white, c->fractal, c->periodic});
  }
}

static void show_slowing(const ct_study_run *run, const rath_heard *h) {
  const study_fact facts[] = {
      {"0.9", "centroid_hz", "\nA marble slowing down: ", 0, 'f', h->centroid_fast_hz},
      {"0.9", "level_db", " Hz and ", 1, 'f', h->level_fast_db},
      {"0.2", "centroid_hz", " dB at 0.9 m/s, ", 0, 'f', h->centroid_slow_hz},
      {"0.2", "level_db", " Hz and ", 1, 'f', h->level_slow_db},
  };
  STUDY_SENTENCE(run, &csv, "slowing", facts, " dB at 0.2 m/s");
}

#define MOVED(how)                                                                                           \
  {                                                                                                          \
    SCALED(how "_at_turn", "at the rate of turning", 17, 0, 1, of_all),                                      \
        PLAIN(how "_least", "depth: least", 15, 2), PLAIN(how "_median", "median", 9, 2),                    \
        PLAIN(how "_most", "most", 7, 2)                                                                     \
  }

/* People read one line for the rolled can and one for the same can slid. */
static void show_turning(const ct_study_run *run, const rath_turning turning[RATH_OFFSETS]) {
  char title[200], of_all[16], label[40];
  const study_column columns[] = {PLAIN("turn_hz", NULL, 0, 0), PLAIN("tables", NULL, 0, 0),
                                  PLAIN("rolled_larger", NULL, 0, 0)};
  const study_column moved[2][4] = {MOVED("rolled"), MOVED("slid")};
  const study_table table = STUDY_TABLE(&csv, "turning", "", "", 0, columns);
  const study_table by_motion[] = {
      STUDY_TABLE(&csv, "turning", title, "  off the middle", 26, moved[0]),
      STUDY_TABLE(&csv, "turning", title, "  off the middle", 26, moved[1]),
  };
  snprintf(of_all, sizeof of_all, " of %d", RATH_SEEDS);
  snprintf(
      title, sizeof title,
      "\nThe same can at %.1f m/s, %.2f turns a second, four seconds on each of %d tables: largest line in "
      "the\nmodulation of its power",
      RATH_CAN_SPEED_M_S, turning[0].turn_hz, RATH_SEEDS);
  study_heading(run, &by_motion[0]);
  for (int i = 0; i < RATH_OFFSETS; i++) {
    const rath_turning *t = &turning[i];
    const char *const names[] = {i ? "rolled" : "rolled (own)", "slid"};
    study_text at = study_number_text(t->asymmetry_m);
    study_number(run, &table, 0, at.text, "", t->turn_hz);
    study_number(run, &table, 1, at.text, "", RATH_SEEDS);
    for (int c = 0; c < 2; c++) {
      snprintf(label, sizeof label, "  %6.1f mm, %s", 1e3 * t->asymmetry_m, names[c]);
      study_labelled_row(run, &by_motion[c], label, at.text,
                         (double[]){t->at_turn[c], t->least[c], t->median[c], t->most[c]});
    }
    study_number(run, &table, 2, at.text, "", t->larger);
  }
  study_say(run, "  at its own settings the rolled can's is larger on %u of them\n", turning[0].larger);
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
    fprintf(run->out, "%s\n", csv.head);
  show_lean(run, f.lean);
  show_bands(run, f.band);
  show_cost(run, f.cost);
  show_slowing(run, &f.heard);
  show_turning(run, f.turning);
  return result;
}
