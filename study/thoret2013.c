/* What was found, as tables: the belt, inharmonicity, and the two glasses. */
#include "study/thoret2013.h"
#include "study/figure.h"

#include <math.h>

typedef struct found {
  thoret_belt belt;
  thoret_harmonic harmonic[THORET_HARMONICS];
  thoret_glass glass[THORET_GLASSES];
} found;

/* ---- as CSV ---- */

static void csv_row(FILE *out, const char *table, const char *of, const char *quantity, double value) {
  fprintf(out, "%s,\"%s\",%s,%.6g\n", table, of, quantity, value);
}

static void print_csv(FILE *out, const found *f) {
  fputs("table,of,quantity,value\n", out);
  csv_row(out, "belt", "mass", "period_s", f->belt.period_s);
  csv_row(out, "belt", "mass", "slip_share", f->belt.slip_share);
  for (int n = 0; n < 10; n++) {
    char name[32];
    snprintf(name, sizeof name, "harmonic_%d_db", n + 1);
    csv_row(out, "belt", "mass", name, f->belt.level_db[n]);
  }
  for (int i = 0; i < THORET_HARMONICS; i++) {
    const thoret_harmonic *h = &f->harmonic[i];
    csv_row(out, "inharmonicity", h->name, "frames", h->frames);
    csv_row(out, "inharmonicity", h->name, "partials", h->partials);
    csv_row(out, "inharmonicity", h->name, "f0_low_hz", h->f0_low_hz);
    csv_row(out, "inharmonicity", h->name, "f0_high_hz", h->f0_high_hz);
    csv_row(out, "inharmonicity", h->name, "slope", h->slope);
    csv_row(out, "inharmonicity", h->name, "slope_error", h->slope_error);
    csv_row(out, "inharmonicity", h->name, "rms", h->rms);
  }
  for (int i = 0; i < THORET_GLASSES; i++) {
    const thoret_glass *g = &f->glass[i];
    csv_row(out, "glass", thoret_glass_names[i], "hz", g->hz);
    csv_row(out, "glass", thoret_glass_names[i], "cents", g->cents);
    csv_row(out, "glass", thoret_glass_names[i], "pulses_hz", g->pulses_hz);
    csv_row(out, "glass", thoret_glass_names[i], "expected_hz", g->expected_hz);
    csv_row(out, "glass", thoret_glass_names[i], "attack_s", g->attack_s);
    csv_row(out, "glass", thoret_glass_names[i], "second_db", g->second_db);
  }
}

/* ---- in words ---- */

static void print_belt(FILE *out, const thoret_belt *b) {
  fprintf(out, "The mass on the belt (figure 3): period %.1f ms, sliding %.0f %% of it\n  k        ",
          1000 * b->period_s, 100 * b->slip_share);
  for (int n = 0; n < 10; n++)
    fprintf(out, " %6d", n + 1);
  fputs("\n  mass, dB ", out);
  for (int n = 0; n < 10; n++)
    fprintf(out, " %6.1f", b->level_db[n]);
  fputs("\n  1/k, dB  ", out);
  for (int n = 0; n < 10; n++)
    fprintf(out, " %6.1f", b->saw_db[n]);
  fputs("\n\n", out);
}

static void print_harmonics(FILE *out, const thoret_harmonic *harmonic) {
  fprintf(out, "Inharmonicity gamma_n = f_n/(n f0) - 1, its slope over n\n%-28s %6s %8s %15s %22s %10s\n", "",
          "frames", "partials", "f0, Hz", "slope, 1e-4", "rms, 1e-4");
  for (int i = 0; i < THORET_HARMONICS; i++) {
    const thoret_harmonic *h = &harmonic[i];
    fprintf(out, "%-28s %6u %8u %7.0f to %4.0f %12.2f +- %6.2f %10.1f\n", h->name, h->frames, h->partials,
            h->f0_low_hz, h->f0_high_hz, 1e4 * h->slope, 1e4 * h->slope_error, 1e4 * h->rms);
  }
  fputc('\n', out);
}

static void print_glasses(FILE *out, const thoret_glass *glass) {
  fprintf(out, "The glass at 0.12 m/s, twice\n%-24s %10s %8s %11s %9s %9s %14s\n", "", "partial", "cents",
          "pulses, Hz", "expected", "attack, s", "next partial");
  for (int i = 0; i < THORET_GLASSES; i++)
    fprintf(out, "%-24s %7.2f Hz %8.2f %11.3f %9.3f %9.2f %11.1f dB\n", thoret_glass_names[i], glass[i].hz,
            glass[i].cents, glass[i].pulses_hz, glass[i].expected_hz, glass[i].attack_s, glass[i].second_db);
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

ct_result thoret2013_run(const ct_study_run *run, ct_error *error) {
  found f = {0};
  ct_result result = find_all(run, &f, error);
  if (result == CT_OK && run->csv)
    print_csv(run->out, &f);
  else if (result == CT_OK) {
    print_belt(run->out, &f.belt);
    print_harmonics(run->out, f.harmonic);
    print_glasses(run->out, f.glass);
  }
  return result;
}
