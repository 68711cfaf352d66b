/* What was found, as tables: the adhesion map, the loops, Schelleng's and Guettler's maps. */
#include "study/avanzini2002.h"
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

/* ---- shares of a map ---- */

/* Of Schelleng's cells, kept or begun, how many are of this regime. */
static uint32_t count_regime(const bowed_schelleng *m, const regime_found *cells, regime wanted) {
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
    const regime_attack *at = &m->at[k];
    if (isnan(at->periods))
      a.never++;
    else if (at->periods < 0.5)
      a.perfect++;
    else if (bowed_is_accepted(at))
      a.accepted++;
    else if (!regime_is_choked(at))
      a.multiple++;
    else
      a.prolonged++;
  }
  return a;
}

/* ---- as CSV: one table, every number a row ---- */

static void csv_row(FILE *out, const char *table, const char *of, const char *quantity, double value) {
  fprintf(out, "%s,%s,%s,,%.6g\n", table, of, quantity, value);
}

static void csv_loop(FILE *out, const char *law, const bowed_loop *l) {
  csv_row(out, "loop", law, "slips_per_period", l->slips);
  csv_row(out, "loop", law, "slip_share", l->slip_share);
  csv_row(out, "loop", law, "half_share", l->half_share);
  csv_row(out, "loop", law, "cents", l->cents);
  csv_row(out, "loop", law, "slip_m_s", l->slip_m_s);
  csv_row(out, "loop", law, "helmholtz_m_s", l->helmholtz_m_s);
  csv_row(out, "loop", law, "width_mu", l->width);
  csv_row(out, "loop", law, "least_mu", l->mu[0]);
  csv_row(out, "loop", law, "greatest_mu", l->mu[1]);
  csv_row(out, "loop", law, "least_slip_mu", l->slip_mu[0]);
  csv_row(out, "loop", law, "greatest_slip_mu", l->slip_mu[1]);
  csv_row(out, "loop", law, "on_curve_share", l->on_curve_share);
  csv_row(out, "loop", law, "on_curve_longest", l->on_curve_longest);
}

static void csv_heat(FILE *out, const bowed_heat *m) {
  for (int p = 0; p < BOWED_PATCHES; p++)
    for (int f = 0; f < BOWED_FILMS; f++) {
      char of[40];
      const bowed_loop *l = &m->at[p][f];
      snprintf(of, sizeof of, "patch %g mm", 1e3 * bowed_patch_m[p]);
      fprintf(out, "heat,%s,cents,%g,%.6g\n", of, bowed_film_m[f], l->cents);
      fprintf(out, "heat,%s,slip_over_ideal,%g,%.6g\n", of, bowed_film_m[f], l->slip_m_s / l->helmholtz_m_s);
      fprintf(out, "heat,%s,half_share,%g,%.6g\n", of, bowed_film_m[f], l->half_share);
      fprintf(out, "heat,%s,on_curve_share,%g,%.6g\n", of, bowed_film_m[f], l->on_curve_share);
      fprintf(out, "heat,%s,as_figure_6,%g,%d\n", of, bowed_film_m[f],
              bowed_is_in_tune(l) && bowed_is_off_curve(l));
    }
}

static void csv_slopes(FILE *out, const bowed_slope *s) {
  for (int i = 0; i < BOWED_SLOPE_CASES; i++) {
    const char *table = i < BOWED_UPPER_CASES ? "upper slope" : "lower slope";
    csv_row(out, table, s[i].what, "exponent", s[i].power.exponent);
    csv_row(out, table, s[i].what, "error", s[i].power.error);
  }
}

static void csv_schelleng(FILE *out, const bowed_schelleng *m) {
  bow b = bow_cello();
  csv_row(out, "schelleng", "bridge", "resistance_kg_s", m->resistance_kg_s);
  for (int r = 0; r < REGIMES; r++) {
    csv_row(out, "schelleng", regime_names[r], "kept_cells", count_regime(m, m->kept, (regime)r));
    csv_row(out, "schelleng", regime_names[r], "begun_cells", count_regime(m, m->begun, (regime)r));
  }
  csv_row(out, "schelleng", "upper edge", "worst_factor", m->upper_off);
  csv_row(out, "schelleng", "lower edge", "worst_factor", m->lower_off);
  csv_row(out, "schelleng", "upper edge", "exponent", m->upper.exponent);
  csv_row(out, "schelleng", "upper edge", "exponent_error", m->upper.error);
  csv_row(out, "schelleng", "lower edge", "exponent", m->lower.exponent);
  csv_row(out, "schelleng", "lower edge", "exponent_error", m->lower.error);
  for (uint32_t i = 0; i < m->betas; i++) {
    double beta = bowed_beta_at(m, i + 0.5);
    fprintf(out, "schelleng,upper edge,over_f_max,%.6g,%.6g\n", beta,
            m->upper_n[i] / bowed_most_n(&b, BOWED_SPEED_M_S, beta));
    fprintf(out, "schelleng,lower edge,over_f_min,%.6g,%.6g\n", beta,
            m->lower_n[i] / bowed_least_n(&b, m->resistance_kg_s, BOWED_SPEED_M_S, beta));
  }
}

static void csv_guettler(FILE *out, const bowed_guettler *m) {
  bow b = bow_cello();
  attacks a = count_attacks(m);
  csv_row(out, "guettler", "attacks", "perfect", a.perfect);
  csv_row(out, "guettler", "attacks", "accepted", a.accepted);
  csv_row(out, "guettler", "attacks", "multiple_slips", a.multiple);
  csv_row(out, "guettler", "attacks", "prolonged", a.prolonged);
  csv_row(out, "guettler", "attacks", "never", a.never);
  csv_row(out, "guettler", "force over acceleration", "found_n_s2_m", m->best_n_s2_m);
  csv_row(out, "guettler", "force over acceleration", "perfect_n_s2_m", bowed_perfect_n_s2_m(&b, m->beta));
  csv_row(out, "guettler", "force over acceleration", "late_n_s2_m", bowed_late_n_s2_m(&b, m->beta, 0.05));
  csv_row(out, "guettler", "force over acceleration", "growing_n_s2_m", bowed_growing_n_s2_m(&b, m->beta));
}

static void print_csv(FILE *out, const found *f) {
  fputs("table,of,quantity,at,value\n", out);
  csv_row(out, "adhesion", "alpha", "points", f->adhesion.points);
  csv_row(out, "adhesion", "alpha", "worst_off", f->adhesion.worst);
  for (int i = 0; i < BOWED_LAWS; i++)
    csv_loop(out, bowed_law_names[i], &f->loops[i]);
  csv_heat(out, &f->heat);
  csv_schelleng(out, &f->schelleng);
  csv_slopes(out, f->slopes);
  csv_guettler(out, &f->guettler);
}

/* ---- in words ---- */

static void print_loops(FILE *out, const bowed_loop *loops) {
  fprintf(out, "\nFigures 6 and 7: cello D, 0.1 m/s, 1.1 N, bowed at %g of the string; ideal slip %.2f m/s\n",
          loops[0].beta, loops[0].helmholtz_m_s);
  fprintf(out, "%-10s %6s %6s %6s %6s %9s %12s %12s %8s %9s %9s\n", "law", "slips", "share", "half", "cents",
          "slip, m/s", "mu, all", "mu, slip", "width", "on curve", "along it");
  for (int i = 0; i < BOWED_LAWS; i++) {
    const bowed_loop *l = &loops[i];
    fprintf(out, "%-10s %6.2f %6.3f %6.3f %6.1f %9.3f %6.2f %5.2f %6.2f %5.2f %8.3f %7.1f %% %7.1f %%\n",
            bowed_law_names[i], l->slips, l->slip_share, l->half_share, l->cents, l->slip_m_s, l->mu[0],
            l->mu[1], l->slip_mu[0], l->slip_mu[1], l->width, 100 * l->on_curve_share,
            100 * l->on_curve_longest);
  }
}

/* A mark behind the cents: + in tune and off the curve, = in tune but on the curve. */
static void print_heat(FILE *out, const bowed_heat *m) {
  fputs("\nThe thermal law over its two numbers: cents / slip over ideal / slip's time on the steady curve\n",
        out);
  fputs("+ Helmholtz motion at pitch, off the curve; = at pitch, but on the curve; - neither\n", out);
  fprintf(out, "%-14s", "patch, mm");
  for (int f = 0; f < BOWED_FILMS; f++)
    fprintf(out, "  %10g um  ", 1e6 * bowed_film_m[f]);
  for (int p = 0; p < BOWED_PATCHES; p++) {
    fprintf(out, "\n%-14g", 1e3 * bowed_patch_m[p]);
    for (int f = 0; f < BOWED_FILMS; f++) {
      const bowed_loop *l = &m->at[p][f];
      char mark = !bowed_is_in_tune(l) ? '-' : bowed_is_off_curve(l) ? '+' : '=';
      if (isnan(l->cents))
        fprintf(out, "    no pitch   %c", mark);
      else
        fprintf(out, " %4.0f %4.2f %3.0f%% %c", l->cents, l->slip_m_s / l->helmholtz_m_s,
                100 * l->on_curve_share, mark);
    }
  }
  fputs("\n", out);
}

static void print_slopes(FILE *out, const bowed_slope *s) {
  fprintf(out, "\nWhat moves the slopes: 8 positions, 12 forces each, one thing changed at a time\n");
  fprintf(out, "%-30s %19s %24s\n", "", "exponent", "edge over limit, ends");
  for (int i = 0; i < BOWED_SLOPE_CASES; i++) {
    if (i == 0)
      fputs("upper edge, F_max ~ 1/beta\n", out);
    if (i == BOWED_UPPER_CASES)
      fputs("lower edge, F_min ~ 1/beta^2\n", out);
    fprintf(out, "  %-28s %10.2f +- %.2f %15.2f %8.2f\n", s[i].what, s[i].power.exponent, s[i].power.error,
            s[i].first, s[i].last);
  }
}

static void print_schelleng(FILE *out, const bowed_schelleng *m) {
  fprintf(out, "\nSchelleng's map, %u positions x %u forces; R of the string's losses: %.0f kg/s\n", m->betas,
          m->forces, m->resistance_kg_s);
  fprintf(out, "%-10s %14s %12s\n", "cells", "kept", "from rest");
  for (int r = 0; r < REGIMES; r++)
    fprintf(out, "%-10s %14u %12u\n", regime_names[r], count_regime(m, m->kept, (regime)r),
            count_regime(m, m->begun, (regime)r));
  fprintf(out, "edges of what is kept: upper within a factor %.2f of F_max, lower within %.2f of F_min\n",
          m->upper_off, m->lower_off);
  fprintf(out,
          "slopes: upper edge ~ beta^(%.2f +- %.2f), F_max has -1; lower edge ~ beta^(%.2f +- %.2f), F_min "
          "has -2\n",
          m->upper.exponent, m->upper.error, m->lower.exponent, m->lower.error);
}

static void print_guettler(FILE *out, const bowed_guettler *m) {
  bow b = bow_cello();
  attacks a = count_attacks(m);
  fprintf(out, "\nGuettler's map, %u accelerations x %u forces, bowed at %g of the string\n",
          m->accelerations, m->forces, m->beta);
  fprintf(out,
          "right from the first slip %u, accepted %u, later after multiple slips %u, after prolonged periods "
          "%u, never %u\n",
          a.perfect, a.accepted, a.multiple, a.prolonged, a.never);
  fprintf(
      out,
      "force over acceleration, N s^2/m: perfect %.2f in the median, %.2f derived; 50 ms late %.2f; cannot "
      "grow below %.2f\n",
      m->best_n_s2_m, bowed_perfect_n_s2_m(&b, m->beta), bowed_late_n_s2_m(&b, m->beta, 0.05),
      bowed_growing_n_s2_m(&b, m->beta));
}

static void print_words(FILE *out, const found *f) {
  fprintf(out, "Figure 3: alpha at %u places of the (v, z) plane, within %.1e of eqs. 7 and 8\n",
          f->adhesion.points, f->adhesion.worst);
  print_loops(out, f->loops);
  print_heat(out, &f->heat);
  print_schelleng(out, &f->schelleng);
  print_slopes(out, f->slopes);
  print_guettler(out, &f->guettler);
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
  if (result == CT_OK && run->csv)
    print_csv(run->out, &f);
  else if (result == CT_OK)
    print_words(run->out, &f);
  bowed_schelleng_free(&f.schelleng);
  bowed_guettler_free(&f.guettler);
  return result;
}
