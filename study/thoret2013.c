/* What was found, as tables: the belt, inharmonicity, and the two glasses. */
#include "study/thoret2013.h"
#include "study/columns.h"
#include "study/figure.h"

#include <math.h>

typedef struct found {
  thoret_belt belt;
  thoret_harmonic harmonic[THORET_HARMONICS];
  thoret_glass glass[THORET_GLASSES];
} found;

/* ---- tables, as CSV or for people ---- */

const study_csv thoret_csv = {"table,of,quantity,value", false, "\""};

/* Levels of the belt's harmonics, numbered across. */
static void show_belt(const ct_study_run *run, const thoret_belt *b) {
  enum { COUNT = sizeof b->level_db / sizeof *b->level_db };
  char names[COUNT][24], numbers[COUNT][8];
  study_column columns[COUNT];
  char title[120];
  const study_table table = STUDY_TABLE(&thoret_csv, "belt", title, "  k", 11, columns);
  const study_fact facts[] = {
      {"mass", "period_s", NULL, 0, 'f', b->period_s},
      {"mass", "slip_share", NULL, 0, 'f', b->slip_share},
  };
  snprintf(title, sizeof title, "The mass on the belt (figure 3): period %.1f ms, sliding %.0f %% of it",
           1000 * b->period_s, 100 * b->slip_share);
  for (int n = 0; n < COUNT; n++) {
    snprintf(names[n], sizeof names[n], "harmonic_%d_db", n + 1);
    snprintf(numbers[n], sizeof numbers[n], "%d", n + 1);
    columns[n] = (study_column)PLAIN(names[n], numbers[n], 7, 1);
  }
  STUDY_SENTENCE(run, &thoret_csv, "belt", facts, NULL);
  study_heading(run, &table);
  study_labelled_row(run, &table, "  mass, dB", "mass", b->level_db);
  if (!run->csv)
    study_labelled_row(run, &table, "  1/k, dB", "", b->saw_db);
  study_say(run, "\n");
}

static void show_harmonics(const ct_study_run *run, const thoret_harmonic *harmonic) {
  static const study_column columns[] = {
      PLAIN("frames", "frames", 7, 0),
      PLAIN("partials", "partials", 9, 0),
      SCALED("f0_low_hz", NULL, 8, 0, 1, " to "),
      PLAIN("f0_high_hz", "f0, Hz", 4, 0),
      SCALED("slope", NULL, 13, 2, 1e4, " +- "),
      SCALED("slope_error", "slope, 1e-4", 6, 2, 1e4, ""),
      SCALED("rms", "rms, 1e-4", 11, 1, 1e4, ""),
  };
  const study_table table =
      STUDY_TABLE(&thoret_csv, "inharmonicity", "Inharmonicity gamma_n = f_n/(n f0) - 1, its slope over n",
                  "", 28, columns);
  study_heading(run, &table);
  for (int i = 0; i < THORET_HARMONICS; i++) {
    const thoret_harmonic *h = &harmonic[i];
    study_row(
        run, &table, h->name,
        (double[]){h->frames, h->partials, h->f0_low_hz, h->f0_high_hz, h->slope, h->slope_error, h->rms});
  }
}

static void show_glasses(const ct_study_run *run, const thoret_glass *glass) {
  static const study_column columns[] = {
      SCALED("hz", "partial", 8, 2, 1, " Hz"), PLAIN("cents", "cents", 9, 2),
      PLAIN("pulses_hz", "pulses, Hz", 12, 3), PLAIN("expected_hz", "expected", 10, 3),
      PLAIN("attack_s", "attack, s", 10, 2),   SCALED("second_db", "next partial", 12, 1, 1, " dB"),
  };
  const study_table table =
      STUDY_TABLE(&thoret_csv, "glass", "\nThe glass at 0.12 m/s, twice", "", 24, columns);
  study_heading(run, &table);
  for (int i = 0; i < THORET_GLASSES; i++) {
    const thoret_glass *g = &glass[i];
    study_row(run, &table, thoret_glass_names[i],
              (double[]){g->hz, g->cents, g->pulses_hz, g->expected_hz, g->attack_s, g->second_db});
  }
}

/* ---- all of it ---- */

static ct_result find_all(const ct_study_run *run, found *f, ct_error *error) {
  ct_result result = run->folder ? figure_folder(run->folder, error) : CT_OK;
  if (result == CT_OK)
    result = thoret_draw_belt(run, &f->belt, error);
  if (result == CT_OK && run->folder)
    result = thoret_draw_spectra(run, error);
  if (result == CT_OK && run->folder)
    result = thoret_draw_plane(run, error);
  if (result == CT_OK)
    result = thoret_find_harmonics(run, f->harmonic, error);
  return result == CT_OK ? thoret_compare_glasses(run, f->glass, error) : result;
}

static void show_all(const ct_study_run *run, const found *f) {
  if (run->csv)
    fprintf(run->out, "%s\n", thoret_csv.head);
  show_belt(run, &f->belt);
  show_harmonics(run, f->harmonic);
  show_glasses(run, f->glass);
}

/* A recording that cannot be taken is refused before anything is made. */
ct_result thoret2013_run(const ct_study_run *run, ct_error *error) {
  found f = {0};
  thoret_squeaks *squeaks = NULL;
  ct_result result = thoret_squeaks_read(run, &squeaks, error);
  if (result == CT_OK)
    result = find_all(run, &f, error);
  if (result == CT_OK) {
    show_all(run, &f);
    result = thoret_squeaks_compare(run, squeaks, error);
  }
  thoret_squeaks_free(squeaks);
  return result;
}
