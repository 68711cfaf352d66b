/* Guettler's map: the bow starts from rest with a steady acceleration a, pressed with F; how many periods go
 * by between the first slip and the first of Helmholtz motion.
 *
 * Three lines through the origin, F/a = const, because an ideal string from rest knows no other number. They
 * are derived here from Schelleng's two arguments; Guettler's own conditions follow the first waves up and
 * down the string. P is the period.
 *
 * First slip. The string follows the bow to x = a t^2/2, pulls back with 2 Z x/(beta (1 - beta) P) and gives
 * way at mu_s F, that is at
 *
 *   t1^2 = mu_s F beta (1 - beta) P/(Z a).
 *
 * Fast enough. F_max grows with the bow's speed a t and passes F at t2 = F beta (mu_s - mu_d)/(2 Z a). With
 * more force the corner that comes back cannot shake the string loose before t2, and slips come late; with
 * less it is loose before the corner is back, and slips come early. Perfect is t1 = t2:
 *
 *   F/a = 4 Z P (1 - beta) mu_s/(beta (mu_s - mu_d)^2).
 *
 * Late by some time: t2 - t1 is that time, a quadratic for sqrt(F/a).
 *
 * Growing. Each period the velocity must grow by a P. An ideal string driven at beta with A(t) h(t), h the
 * periodic velocity of Helmholtz motion, asks of partial n the force Z P A'/(2 sin^2(n pi beta)) h_n: the
 * parabola of avanzini2002_bow.c, with P A' for the loss d v_b, Z P a/(4 beta^2) deep. So at least
 *
 *   F/a = Z P/(4 beta^2 (mu_s - mu_d)). */
#include "study/avanzini2002.h"
#include "base/text.h"
#include "study/figure.h"

#include <math.h>
#include <stdlib.h>

static const double played_s = 0.45, prolonged_s = 0.05, multiple_s = 0.09;

static double mu_step(const bow *b) { return b->friction.mu_static - b->friction.mu_dynamic; }

double bowed_late_n_s2_m(const bow *b, double beta, double late_s) {
  double z = bow_impedance_kg_s(b), fast = beta * mu_step(b) / (2 * z),
         slip = sqrt(b->friction.mu_static * beta * (1 - beta) / (BOW_HZ * z));
  /* fast r - slip sqrt r = late */
  double root = (slip + sqrt(slip * slip + 4 * fast * late_s)) / (2 * fast);
  return root * root;
}

double bowed_perfect_n_s2_m(const bow *b, double beta) { return bowed_late_n_s2_m(b, beta, 0); }

double bowed_growing_n_s2_m(const bow *b, double beta) {
  return bow_impedance_kg_s(b) / (4 * BOW_HZ * beta * beta * mu_step(b));
}

/* ---- one attack ---- */

ct_result bowed_attack(const bow *from, double beta, double acceleration_m_s2, double normal_n,
                       ct_bowed_attack *attack, ct_error *error) {
  bow b = *from;
  const bow_row rows[] = {{0, 0, normal_n, beta}, {1, acceleration_m_s2, normal_n, beta}};
  const ct_bowing how = {b.rate_hz, BOW_HZ, 0, acceleration_m_s2, beta};
  bow_trace t;
  b.rows = rows;
  b.row_count = 2;
  ct_result result = bow_play(&b, played_s, &t, error);
  if (result != CT_OK)
    return result;
  if (!ct_bowed_measure_attack(t.v_m_s, t.count, &how, attack))
    result = ct_fail(error, CT_NO_MEMORY, "no memory for slips");
  bow_trace_free(&t);
  return result;
}

bool bowed_is_accepted(const ct_bowed_attack *a) {
  double limit_s = ct_bowed_is_choked(a) ? prolonged_s : multiple_s;
  return a->periods / BOW_HZ <= limit_s; /* not for NAN */
}

/* ---- all of them ---- */

static double acceleration_at(const bowed_guettler *m, double cell) {
  return m->highest_m_s2 * cell / m->accelerations;
}

static double normal_at(const bowed_guettler *m, double cell) { return m->highest_n * cell / m->forces; }

typedef struct cell {
  double acceleration_m_s2, normal_n; /* in its middle */
} cell;

static cell cell_at(const bowed_guettler *m, uint32_t k) {
  uint32_t i = k % m->accelerations, j = k / m->accelerations;
  return (cell){acceleration_at(m, i + 0.5), normal_at(m, j + 0.5)};
}

/* The plan study/guettler.json, force by force. */
static ct_result play_plan(bowed_guettler *m, ct_error *error) {
  enum { FIRST, PERIODS, LONGEST, NUMBERS };
  const uint32_t cells = m->accelerations * m->forces;
  double *numbers = NULL;
  ct_result result = bowed_run_plan("guettler", cells, NUMBERS, &numbers, error);
  for (uint32_t k = 0; k < cells && result == CT_OK; k++) {
    const double *of = numbers + (size_t)k * NUMBERS;
    m->at[k] = (ct_bowed_attack){.first_s = of[FIRST], .periods = of[PERIODS], .longest = of[LONGEST]};
  }
  free(numbers);
  return result;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Median of F/a over attacks that are right from the first slip on. */
static double middle_ratio(const bowed_guettler *m, double *scratch) {
  uint32_t found = 0;
  for (uint32_t k = 0; k < m->accelerations * m->forces; k++)
    if (m->at[k].periods < 0.5)
      scratch[found++] = cell_at(m, k).normal_n / cell_at(m, k).acceleration_m_s2;
  qsort(scratch, found, sizeof *scratch, by_size);
  return found ? scratch[found / 2] : (double)NAN;
}

static ct_result find_middle(bowed_guettler *m, ct_error *error) {
  double *scratch = malloc(sizeof *scratch * m->accelerations * m->forces);
  if (!scratch)
    return ct_fail(error, CT_NO_MEMORY, "no memory for a map");
  m->best_n_s2_m = middle_ratio(m, scratch);
  free(scratch);
  return CT_OK;
}

/* ---- writing and drawing ---- */

static ct_result write_cells(const ct_study_run *run, const bowed_guettler *m, ct_error *error) {
  figure_table *t;
  ct_result result = figure_table_begin(
      run, "guettler",
      "acceleration_m_s2,normal_n,acceleration_from,acceleration_to,normal_from_n,normal_to_n,first_slip_s,"
      "periods,longest_periods,accepted",
      &t, error);
  for (uint32_t k = 0; k < m->accelerations * m->forces && result == CT_OK; k++) {
    uint32_t i = k % m->accelerations, j = k / m->accelerations;
    const ct_bowed_attack *a = &m->at[k];
    double row[] = {acceleration_at(m, i + 0.5),
                    normal_at(m, j + 0.5),
                    acceleration_at(m, i),
                    acceleration_at(m, i + 1),
                    normal_at(m, j),
                    normal_at(m, j + 1),
                    a->first_s,
                    a->periods,
                    a->longest,
                    bowed_is_accepted(a)};
    result = figure_table_row(t, row, error);
  }
  return figure_table_end(t, result, error);
}

static const char plot[] =
    "set border 15\n"
    "unset grid\n"
    "set lmargin 9\n"
    "set palette defined (0 '#1a7a43', 4 '#7cc587', 7.35 '#f3efb0', 20 '#ee9f45', 45 '#b02a2a')\n"
    "set cbrange [0:45]\n"
    "set cblabel 'periods from the first slip to Helmholtz motion'\n"
    "set xlabel 'acceleration of the bow, m/s²'\n"
    "set ylabel 'bow force, N' offset 1\n"
    "set xrange [0:highest_a]\n"
    "set yrange [0:highest_n]\n"
    "set key horizontal outside top center width 1\n"
    "plot D('guettler') using (C('acceleration_m_s2')):(C('normal_n')):(C('acceleration_from')):"
    "(C('acceleration_to')):(C('normal_from_n')):(C('normal_to_n')):(C('periods')) with boxxyerror fs solid "
    "noborder lc palette notitle, "
    "'' using (C('accepted') > 0 ? C('acceleration_m_s2') : NaN):(C('normal_n')) with points pt 7 ps 0.35 "
    "lc rgb '#000000' title 'a listener accepts it', "
    "NaN with boxes lc rgb '#777777' fs empty title 'never', "
    "late*x with lines dt 4 lw 1.8 lc rgb rk4 title '50 ms late', "
    "perfect*x with lines lw 2 lc rgb exact title 'perfect', "
    "growing*x with lines dt 2 lw 1.8 lc rgb am1 title 'cannot grow'\n";

static ct_result draw(const ct_study_run *run, const bowed_guettler *m, ct_error *error) {
  char head[200];
  bow b = bow_cello();
  snprintf(head, sizeof head, "highest_a = %g\nhighest_n = %g\nlate = %g\nperfect = %g\ngrowing = %g\n",
           m->highest_m_s2, m->highest_n, bowed_late_n_s2_m(&b, m->beta, prolonged_s),
           bowed_perfect_n_s2_m(&b, m->beta), bowed_growing_n_s2_m(&b, m->beta));
  ct_result result = write_cells(run, m, error);
  return result == CT_OK ? figure_draw(run, "guettler", 900, 640, head, plot, error) : result;
}

void bowed_guettler_free(bowed_guettler *m) {
  free(m->at);
  m->at = NULL;
}

ct_result bowed_map_guettler(const ct_study_run *run, bowed_guettler *m, ct_error *error) {
  m->at = calloc((size_t)m->accelerations * m->forces, sizeof *m->at);
  if (!m->at)
    return ct_fail(error, CT_NO_MEMORY, "no memory for a map");
  ct_result result = play_plan(m, error);
  if (result == CT_OK)
    result = find_middle(m, error);
  return result == CT_OK && run->folder ? draw(run, m, error) : result;
}
