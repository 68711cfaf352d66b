/* What was found, as tables: the adhesion map, the loops, Schelleng's and Guettler's maps. */
#include "study/avanzini2002.h"
#include "study/columns.h"
#include "study/figure.h"

#include <math.h>

typedef struct found {
  bowed_adhesion adhesion;
  bowed_loop loops[BOWED_LAWS];
  bowed_heat heat;
  bowed_schelleng schelleng;
  bowed_slope slopes[BOWED_SLOPE_CASES];
  bowed_guettler guettler;
} found;

static const study_csv csv = {"table,of,quantity,at,value", true, ""};

/* ---- shares of a map ---- */

/* Of Schelleng's cells, kept or begun, how many are of this regime. */
static uint32_t count_regime(const bowed_schelleng *m, const ct_bowed_motion *cells, ct_bowed_regime wanted) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < m->betas * m->forces; k++)
    count += cells[k].regime == wanted;
  return count;
}

typedef struct attacks {
  uint32_t perfect, accepted, multiple, prolonged, never; /* multiple, prolonged: later than accepted */
} attacks;

static attacks count_attacks(const bowed_guettler *m) {
  attacks a = {0};
  for (uint32_t k = 0; k < m->accelerations * m->forces; k++) {
    const ct_bowed_attack *at = &m->at[k];
    if (isnan(at->periods))
      a.never++;
    else if (at->periods < 0.5)
      a.perfect++;
    else if (bowed_is_accepted(at))
      a.accepted++;
    else if (!ct_bowed_is_choked(at))
      a.multiple++;
    else
      a.prolonged++;
  }
  return a;
}

/* ---- tables, as CSV or for people ---- */

static void show_adhesion(const ct_study_run *run, const bowed_adhesion *a) {
  const study_fact facts[] = {
      {"alpha", "points", "Figure 3: alpha at ", 0, 'f', a->points},
      {"alpha", "worst_off", " places of the (v, z) plane, within ", 1, 'e', a->worst},
  };
  STUDY_SENTENCE(run, &csv, "adhesion", facts, " of eqs. 7 and 8");
}

static void show_loops(const ct_study_run *run, const bowed_loop *loops) {
  static const study_column columns[] = {
      PLAIN("slips_per_period", "slips", 7, 2),
      PLAIN("slip_share", "share", 7, 3),
      PLAIN("half_share", "half", 7, 3),
      PLAIN("cents", "cents", 7, 1),
      PLAIN("slip_m_s", "slip, m/s", 10, 3),
      PLAIN("helmholtz_m_s", NULL, 0, 0),
      PLAIN("least_mu", NULL, 7, 2),
      PLAIN("greatest_mu", "mu, all", 6, 2),
      PLAIN("least_slip_mu", NULL, 7, 2),
      PLAIN("greatest_slip_mu", "mu, slip", 6, 2),
      PLAIN("width_mu", "width", 9, 3),
      SCALED("on_curve_share", "on curve", 8, 1, 100, " %"),
      SCALED("on_curve_longest", "along it", 8, 1, 100, " %"),
  };
  char title[120];
  const study_table table = STUDY_TABLE(&csv, "loop", title, "law", 10, columns);
  snprintf(title, sizeof title,
           "\nFigures 6 and 7: cello D, 0.1 m/s, 1.1 N, bowed at %g of the string; ideal slip %.2f m/s",
           loops[0].beta, loops[0].helmholtz_m_s);
  study_heading(run, &table);
  for (int i = 0; i < BOWED_LAWS; i++) {
    const bowed_loop *l = &loops[i];
    study_row(run, &table, bowed_law_names[i],
              (double[]){l->slips, l->slip_share, l->half_share, l->cents, l->slip_m_s, l->helmholtz_m_s,
                         l->mu[0], l->mu[1], l->slip_mu[0], l->slip_mu[1], l->width, l->on_curve_share,
                         l->on_curve_longest});
  }
}

/* A map: patches down, films across. People see one mark for what is right. */
static void show_heat(const ct_study_run *run, const bowed_heat *m) {
  static const study_column columns[] = {
      PLAIN("cents", NULL, 5, 0),       PLAIN("slip_over_ideal", NULL, 5, 2),
      PLAIN("half_share", NULL, 0, 0),  SCALED("on_curve_share", NULL, 4, 0, 100, "%"),
      PLAIN("as_figure_6", NULL, 0, 0),
  };
  const study_table table = STUDY_TABLE(
      &csv, "heat",
      "\nThe thermal law over its two numbers: cents / slip over ideal / slip's time on the steady curve\n"
      "+ Helmholtz motion at pitch, off the curve; = at pitch, but on the curve; - neither",
      "patch, mm", 14, columns);
  study_say(run, "%s\n%-*s", table.title, table.first, table.names);
  for (int f = 0; f < BOWED_FILMS; f++)
    study_say(run, "%14g um", 1e6 * bowed_film_m[f]);
  for (int p = 0; p < BOWED_PATCHES; p++) {
    char of[32];
    snprintf(of, sizeof of, "patch %g mm", 1e3 * bowed_patch_m[p]);
    study_say(run, "\n%-*g", table.first, 1e3 * bowed_patch_m[p]);
    for (int f = 0; f < BOWED_FILMS; f++) {
      const bowed_loop *l = &m->at[p][f];
      bool in_tune = bowed_is_in_tune(l), off_curve = bowed_is_off_curve(l);
      if (isnan(l->cents) && !run->csv)
        study_say(run, "%15s", "no pitch");
      else
        study_numbers(run, &table, of, study_number_text(bowed_film_m[f]).text,
                      (double[]){l->cents, l->slip_m_s / l->helmholtz_m_s, l->half_share, l->on_curve_share,
                                 in_tune && off_curve});
      study_say(run, " %c", !in_tune ? '-' : off_curve ? '+' : '=');
    }
  }
  study_say(run, "\n");
}

/* For files: how far the edges are from Schelleng's limits at each place of the bow. */
static void show_edges(const ct_study_run *run, const bowed_schelleng *m) {
  static const study_column columns[] = {PLAIN("over_f_max", NULL, 0, 0), PLAIN("over_f_min", NULL, 0, 0)};
  const study_table table = STUDY_TABLE(&csv, "schelleng", "", "", 0, columns);
  bow b = bow_cello();
  for (uint32_t i = 0; i < m->betas; i++) {
    double beta = bowed_beta_at(m, i + 0.5), most_n = bowed_most_n(&b, BOWED_SPEED_M_S, beta),
           least_n = bowed_least_n(&b, m->resistance_kg_s, BOWED_SPEED_M_S, beta);
    study_text at = study_number_text(beta);
    study_number(run, &table, 0, "upper edge", at.text, m->upper_n[i] / most_n);
    study_number(run, &table, 1, "lower edge", at.text, m->lower_n[i] / least_n);
  }
}

static void show_schelleng(const ct_study_run *run, const bowed_schelleng *m) {
  static const study_column columns[] = {PLAIN("kept_cells", "kept", 15, 0),
                                         PLAIN("begun_cells", "from rest", 13, 0)};
  char title[120];
  const study_table table = STUDY_TABLE(&csv, "schelleng", title, "cells", 10, columns);
  const study_fact bridge[] = {{"bridge", "resistance_kg_s", NULL, 0, 'f', m->resistance_kg_s}};
  const study_fact edges[] = {
      {"upper edge", "worst_factor", "edges of what is kept: upper within a factor ", 2, 'f', m->upper_off},
      {"lower edge", "worst_factor", " of F_max, lower within ", 2, 'f', m->lower_off}};
  const study_fact slopes[] = {
      {"upper edge", "exponent", "slopes: upper edge ~ beta^(", 2, 'f', m->upper.exponent},
      {"upper edge", "exponent_error", " +- ", 2, 'f', m->upper.error},
      {"lower edge", "exponent", "), F_max has -1; lower edge ~ beta^(", 2, 'f', m->lower.exponent},
      {"lower edge", "exponent_error", " +- ", 2, 'f', m->lower.error}};
  snprintf(title, sizeof title,
           "\nSchelleng's map, %u positions x %u forces; R of the string's losses: %.0f kg/s", m->betas,
           m->forces, m->resistance_kg_s);
  STUDY_SENTENCE(run, &csv, "schelleng", bridge, NULL);
  study_heading(run, &table);
  for (int r = 0; r < CT_BOWED_REGIMES; r++)
    study_row(run, &table, ct_bowed_regime_names[r],
              (double[]){count_regime(m, m->kept, (ct_bowed_regime)r),
                         count_regime(m, m->begun, (ct_bowed_regime)r)});
  STUDY_SENTENCE(run, &csv, "schelleng", edges, " of F_min");
  STUDY_SENTENCE(run, &csv, "schelleng", slopes, "), F_min has -2");
  show_edges(run, m);
}

static void show_slopes(const ct_study_run *run, const bowed_slope *s) {
  static const study_column columns[] = {
      SCALED("exponent", NULL, 11, 2, 1, " +- "),
      SCALED("error", "exponent", 4, 2, 1, ""),
      PLAIN(NULL, NULL, 16, 2),
      PLAIN(NULL, "edge over limit, ends", 9, 2),
  };
  study_table table = STUDY_TABLE(
      &csv, "upper slope",
      "\nWhat moves the slopes: 8 positions, 12 forces each, one thing changed at a time", "", 30, columns);
  study_heading(run, &table);
  for (int i = 0; i < BOWED_SLOPE_CASES; i++) {
    char label[64];
    if (i == 0)
      study_say(run, "upper edge, F_max ~ 1/beta\n");
    if (i == BOWED_UPPER_CASES) {
      study_say(run, "lower edge, F_min ~ 1/beta^2\n");
      table.word = "lower slope";
    }
    snprintf(label, sizeof label, "  %s", s[i].what);
    study_labelled_row(run, &table, label, s[i].what,
                       (double[]){s[i].power.exponent, s[i].power.error, s[i].first, s[i].last});
  }
}

static void show_guettler(const ct_study_run *run, const bowed_guettler *m) {
  static const char *const over = "force over acceleration";
  bow b = bow_cello();
  attacks a = count_attacks(m);
  const study_fact counts[] = {
      {"attacks", "perfect", "right from the first slip ", 0, 'f', a.perfect},
      {"attacks", "accepted", ", accepted ", 0, 'f', a.accepted},
      {"attacks", "multiple_slips", ", later after multiple slips ", 0, 'f', a.multiple},
      {"attacks", "prolonged", ", after prolonged periods ", 0, 'f', a.prolonged},
      {"attacks", "never", ", never ", 0, 'f', a.never}};
  const study_fact forces[] = {
      {over, "found_n_s2_m", "force over acceleration, N s^2/m: perfect ", 2, 'f', m->best_n_s2_m},
      {over, "perfect_n_s2_m", " in the median, ", 2, 'f', bowed_perfect_n_s2_m(&b, m->beta)},
      {over, "late_n_s2_m", " derived; 50 ms late ", 2, 'f', bowed_late_n_s2_m(&b, m->beta, 0.05)},
      {over, "growing_n_s2_m", "; cannot grow below ", 2, 'f', bowed_growing_n_s2_m(&b, m->beta)}};
  study_say(run, "\nGuettler's map, %u accelerations x %u forces, bowed at %g of the string\n",
            m->accelerations, m->forces, m->beta);
  STUDY_SENTENCE(run, &csv, "guettler", counts, "");
  STUDY_SENTENCE(run, &csv, "guettler", forces, "");
}

static void show_all(const ct_study_run *run, const found *f) {
  if (run->csv)
    fprintf(run->out, "%s\n", csv.head);
  show_adhesion(run, &f->adhesion);
  show_loops(run, f->loops);
  show_heat(run, &f->heat);
  show_schelleng(run, &f->schelleng);
  show_slopes(run, f->slopes);
  show_guettler(run, &f->guettler);
}

/* ---- all of it ---- */

static ct_result find_all(const ct_study_run *run, found *f, ct_error *error) {
  ct_result result = run->folder ? figure_folder(run->folder, error) : CT_OK;
  if (result == CT_OK)
    result = bowed_draw_adhesion(run, &f->adhesion, error);
  if (result == CT_OK)
    result = bowed_measure_loops(run, f->loops, error);
  if (result == CT_OK)
    result = bowed_map_heat(run, &f->heat, error);
  if (result == CT_OK)
    result = bowed_vary_slopes(f->slopes, error);
  if (result == CT_OK)
    result = bowed_map_schelleng(run, &f->schelleng, error);
  return result == CT_OK ? bowed_map_guettler(run, &f->guettler, error) : result;
}

ct_result avanzini2002_run(const ct_study_run *run, ct_error *error) {
  found f = {
      .schelleng = {.betas = 20,
                    .forces = 24,
                    .lowest_beta = 0.02,
                    .highest_beta = 0.18,
                    .lowest_n = 0.008,
                    .highest_n = 16},
      .guettler = {.accelerations = 24, .forces = 24, .beta = 0.1, .highest_m_s2 = 3, .highest_n = 2.4}};
  ct_result result = find_all(run, &f, error);
  if (result == CT_OK)
    show_all(run, &f);
  bowed_schelleng_free(&f.schelleng);
  bowed_guettler_free(&f.guettler);
  return result;
}
