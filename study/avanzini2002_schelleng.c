/* Schelleng's map: at which force and where on the string Helmholtz motion can be kept, and where it comes by
 * itself. Both of his limits are about keeping it.
 *
 * Most: when the corner comes back, it must shake the string loose. Stuck, the string would take the corner's
 * velocity step v_b/beta as a step of force 2 Z v_b/beta; that must exceed (mu_s - mu_d) F.
 * Least: what the string loses, the bow must replace, by pulling harder in the middle of sticking than at its
 * ends: by Z^2 v_b/(2 R beta^2) (avanzini2002_bow.c), which must not exceed (mu_s - mu_d) F. */
#include "study/avanzini2002.h"
#include "base/text.h"
#include "file/crew.h"
#include "study/figure.h"

#include <contatto/measure.h>
#include <math.h>
#include <stdlib.h>

static double mu_step(const bow *b) { return b->friction.mu_static - b->friction.mu_dynamic; }

double bowed_most_n(const bow *b, double speed_m_s, double beta) {
  return 2 * bow_impedance_kg_s(b) * speed_m_s / (beta * mu_step(b));
}

double bowed_least_n(const bow *b, double resistance_kg_s, double speed_m_s, double beta) {
  double z = bow_impedance_kg_s(b);
  return z * z * speed_m_s / (2 * resistance_kg_s * mu_step(b) * beta * beta);
}

/* ---- one point ---- */

static const double judged_s = 24 / BOW_HZ;

static ct_result play_and_judge(bow b, const bow_row *rows, uint32_t count, double settled_s,
                                ct_bowed_motion *found, ct_error *error) {
  bow_trace t;
  const ct_bowing how = {b.rate_hz, BOW_HZ, BOWED_SPEED_M_S, 0, rows[count - 1].place};
  b.rows = rows;
  b.row_count = count;
  ct_result result = bow_play(&b, settled_s + judged_s, &t, error);
  if (result != CT_OK)
    return result;
  uint32_t judged = (uint32_t)(judged_s * b.rate_hz);
  if (!ct_bowed_judge(t.v_m_s + t.count - judged, judged, &how, found))
    result = ct_fail(error, CT_NO_MEMORY, "no memory for slips");
  bow_trace_free(&t);
  return result;
}

/* Begun at an eighth of the string with 0.4 F_max; then to the place, keeping that share of F_max; then to
 * the force; then time for a motion that is not carried to fade by a tenth and more. */
ct_result bowed_keep(const bow *b, double beta, double normal_n, double wait_s, ct_bowed_motion *found,
                     ct_error *error) {
  const double easy = 0.125, share = 0.4, v = BOWED_SPEED_M_S;
  double there_n = share * bowed_most_n(b, v, beta);
  const bow_row rows[] = {{0, v, share * bowed_most_n(b, v, easy), easy},
                          {0.15, v, share * bowed_most_n(b, v, easy), easy},
                          {0.3, v, there_n, beta},
                          {0.4, v, normal_n, beta}};
  return play_and_judge(*b, rows, 4, 0.4 + wait_s, found, error);
}

ct_result bowed_begin(const bow *b, double beta, double normal_n, ct_bowed_motion *found, ct_error *error) {
  const bow_row row = {0, BOWED_SPEED_M_S, normal_n, beta};
  return play_and_judge(*b, &row, 1, 0.3, found, error);
}

/* ---- all of them ---- */

double bowed_beta_at(const bowed_schelleng *m, double cell) {
  return m->lowest_beta * pow(m->highest_beta / m->lowest_beta, cell / m->betas);
}

double bowed_normal_at(const bowed_schelleng *m, double cell) {
  return m->lowest_n * pow(m->highest_n / m->lowest_n, cell / m->forces);
}

/* The plan study/schelleng.json has both maps one after the other, force by force. */
static ct_result play_plan(bowed_schelleng *m, ct_error *error) {
  enum { REGIME, SLIPS, SLIP_SHARE, HZ, CLARITY, STUCK, NUMBERS };
  const uint32_t cells = m->betas * m->forces;
  double *numbers = NULL;
  ct_result result = bowed_run_plan("schelleng", 2 * cells, NUMBERS, &numbers, error);
  for (uint32_t k = 0; k < 2 * cells && result == CT_OK; k++) {
    const double *of = numbers + (size_t)k * NUMBERS;
    *(k < cells ? &m->kept[k] : &m->begun[k - cells]) =
        (ct_bowed_motion){.regime = (ct_bowed_regime)of[REGIME],
                          .slips = of[SLIPS],
                          .slip_share = of[SLIP_SHARE],
                          .hz = of[HZ],
                          .clarity = of[CLARITY],
                          .stuck_m_s = of[STUCK]};
  }
  free(numbers);
  return result;
}

/* ---- edges ---- */

static bool is_kept(const bowed_schelleng *m, uint32_t beta, uint32_t force) {
  return m->kept[force * m->betas + beta].regime == CT_BOWED_HELMHOLTZ;
}

/* Cells on the wrong side of a border below row `edge`: kept between `from` and it, not kept beyond. */
static uint32_t count_wrong(const bowed_schelleng *m, uint32_t beta, uint32_t from, uint32_t edge) {
  uint32_t wrong = 0;
  for (uint32_t j = from; j < m->forces && edge >= from; j++) /* upwards */
    wrong += is_kept(m, beta, j) != (j < edge);
  for (uint32_t j = 0; j < from && edge <= from; j++) /* downwards */
    wrong += is_kept(m, beta, j) != (j >= edge);
  return wrong;
}

/* The border between two rows, first .. last, that puts the fewest cells on the wrong side. */
static uint32_t border(const bowed_schelleng *m, uint32_t beta, uint32_t from, uint32_t first,
                       uint32_t last) {
  uint32_t best = first, fewest = UINT32_MAX;
  for (uint32_t edge = first; edge <= last; edge++) {
    uint32_t wrong = count_wrong(m, beta, from, edge);
    if (wrong < fewest) {
      fewest = wrong;
      best = edge;
    }
  }
  return best;
}

/* The middle between both limits, in cells. */
static uint32_t middle_row(const bowed_schelleng *m, const bow *b, double beta) {
  double middle_n = sqrt(bowed_most_n(b, BOWED_SPEED_M_S, beta) *
                         bowed_least_n(b, m->resistance_kg_s, BOWED_SPEED_M_S, beta));
  double cell = log(middle_n / m->lowest_n) / log(m->highest_n / m->lowest_n) * m->forces;
  return (uint32_t)fmin(fmax(cell, 1), m->forces - 1);
}

enum { HALVINGS = 2 };

/* Closer: between the cell on this side of the border, which is kept, and the one on the other. */
static ct_result refine(const bow *b, double beta, double kept_n, double lost_n, double *edge_n,
                        ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < HALVINGS && result == CT_OK; i++) {
    ct_bowed_motion found = {.regime = CT_BOWED_NONE};
    double middle_n = sqrt(kept_n * lost_n);
    result = bowed_keep(b, beta, middle_n, BOWED_WAIT_S, &found, error);
    *(found.regime == CT_BOWED_HELMHOLTZ ? &kept_n : &lost_n) = middle_n;
  }
  *edge_n = sqrt(kept_n * lost_n);
  return result;
}

/* Job 2 i: the upper edge at place i; 2 i + 1: the lower. */
static ct_result find_edge(void *context, uint32_t index, ct_error *error) {
  bowed_schelleng *m = context;
  bow b = bow_cello();
  uint32_t i = index / 2;
  bool upper = index % 2 == 0;
  double beta = bowed_beta_at(m, i + 0.5), *edge_n = upper ? &m->upper_n[i] : &m->lower_n[i];
  uint32_t from = middle_row(m, &b, beta);
  uint32_t row = upper ? border(m, i, from, from + 1, m->forces) : border(m, i, from, 0, from - 1);
  *edge_n = NAN;
  if (row == 0 || row == m->forces)
    return CT_OK;
  double above_n = bowed_normal_at(m, row + 0.5), below_n = bowed_normal_at(m, row - 0.5);
  return upper ? refine(&b, beta, below_n, above_n, edge_n, error)
               : refine(&b, beta, above_n, below_n, edge_n, error);
}

static double off(double a, double b) { return a > b ? a / b : b / a; }

bowed_power bowed_fit_power(const double *beta, const double *force_n, uint32_t count) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (isnan(force_n[i]))
      continue;
    double u = log(beta[i]), f = log(force_n[i]);
    n++;
    x += u;
    y += f;
    xx += u * u;
    xy += u * f;
    yy += f * f;
  }
  bowed_power p = {NAN, NAN, (uint32_t)n};
  if (n < 3)
    return p;
  xx -= x * x / n;
  xy -= x * y / n;
  yy -= y * y / n;
  p.exponent = xy / xx;
  p.error = sqrt(fmax(0, yy - xy * xy / xx) / ((n - 2) * xx));
  return p;
}

static bowed_power fit_edge(const bowed_schelleng *m, const double *edge_n) {
  double beta[64] = {0};
  uint32_t count = m->betas < 64 ? m->betas : 64;
  for (uint32_t i = 0; i < count; i++)
    beta[i] = bowed_beta_at(m, i + 0.5);
  return bowed_fit_power(beta, edge_n, count);
}

static void compare_edges(bowed_schelleng *m, const bow *b) {
  m->upper_off = m->lower_off = NAN;
  m->upper = fit_edge(m, m->upper_n);
  m->lower = fit_edge(m, m->lower_n);
  for (uint32_t i = 0; i < m->betas; i++) {
    double beta = bowed_beta_at(m, i + 0.5), most = bowed_most_n(b, BOWED_SPEED_M_S, beta),
           least = bowed_least_n(b, m->resistance_kg_s, BOWED_SPEED_M_S, beta);
    m->upper_off = fmax(m->upper_off, off(m->upper_n[i], most)); /* fmax passes over NAN */
    m->lower_off = fmax(m->lower_off, off(m->lower_n[i], least));
  }
}

/* ---- writing and drawing ---- */

static void describe(const ct_bowed_motion *f, double row[4]) {
  row[0] = f->regime;
  row[1] = f->slips;
  row[2] = f->clarity;
  row[3] = ct_measure_cents(f->hz, BOW_HZ);
}

static ct_result write_cells(const ct_study_run *run, const bowed_schelleng *m, ct_error *error) {
  figure_table *t;
  ct_result result = figure_table_begin(
      run, "schelleng",
      "beta,normal_n,beta_from,beta_to,normal_from_n,normal_to_n,kept,kept_slips,kept_clarity,kept_cents,"
      "begun,begun_slips,begun_clarity,begun_cents",
      &t, error);
  for (uint32_t k = 0; k < m->betas * m->forces && result == CT_OK; k++) {
    uint32_t i = k % m->betas, j = k / m->betas;
    double row[14] = {bowed_beta_at(m, i + 0.5), bowed_normal_at(m, j + 0.5), bowed_beta_at(m, i),
                      bowed_beta_at(m, i + 1),   bowed_normal_at(m, j),       bowed_normal_at(m, j + 1)};
    describe(&m->kept[k], row + 6);
    describe(&m->begun[k], row + 10);
    result = figure_table_row(t, row, error);
  }
  return figure_table_end(t, result, error);
}

static ct_result write_limits(const ct_study_run *run, const bowed_schelleng *m, const bow *b,
                              ct_error *error) {
  figure_table *t;
  ct_result result =
      figure_table_begin(run, "schelleng_limits", "beta,f_max_n,f_min_n,upper_n,lower_n", &t, error);
  for (uint32_t i = 0; i < m->betas && result == CT_OK; i++) {
    double beta = bowed_beta_at(m, i + 0.5);
    result = figure_table_row(t,
                              (double[]){beta, bowed_most_n(b, BOWED_SPEED_M_S, beta),
                                         bowed_least_n(b, m->resistance_kg_s, BOWED_SPEED_M_S, beta),
                                         m->upper_n[i], m->lower_n[i]},
                              error);
  }
  return figure_table_end(t, result, error);
}

static const char plot[] =
    "set multiplot layout 1,2 margins 0.065,0.98,0.2,0.92 spacing 0.06\n"
    "array tint[5] = [0xe6e6e6, 0x2a9d57, 0xf0b04a, 0x781c6d, 0xcf2027]\n"
    "array named[5] = ['none', 'Helmholtz', 'multiple slips', 'other periodic', 'raucous']\n"
    "array what[2] = ['kept', 'begun']\n"
    "array titled[2] = ['begun where it is easy, then moved there', 'bow put on at full speed']\n"
    "set logscale xy\n"
    "set xrange [0.02:0.18]\n"
    "set yrange [0.008:16]\n"
    "set xtics (0.02, 0.03, 0.05, 0.08, 0.12, 0.18)\n"
    "set xlabel 'bow position β'\n"
    "set ylabel 'bow force, N' offset 1\n"
    "set border 15\n"
    "unset grid\n"
    "unset key\n"
    "do for [k=1:2] {\n"
    "  set title titled[k]\n"
    "  plot D('schelleng') using "
    "(C('beta')):(C('normal_n')):(C('beta_from')):(C('beta_to')):(C('normal_from_n')):(C('normal_to_n')):"
    "(tint[int(C(what[k]))+1]) with boxxyerror fs solid noborder lc rgb variable, "
    "D('schelleng_limits') using (C('beta')):(C('f_max_n')) with lines lw 2 lc rgb exact, "
    "'' using (C('beta')):(C('f_min_n')) with lines dt 2 lw 2 lc rgb exact\n"
    "}\n"
    /* the key across both, as a picture of its own */
    "unset title\nunset border\nunset tics\nunset xlabel\nunset ylabel\nunset logscale\n"
    "set margins screen 0.02, screen 0.98, screen 0, screen 0.08\n"
    "set key center center horizontal maxrows 1 reverse Left\n"
    "plot [0:1] [0:1] NaN with lines lw 2 lc rgb exact title 'F_max', NaN with lines dt 2 lw 2 lc rgb exact "
    "title 'F_min', for [i=1:5] NaN with boxes fs solid noborder lc rgb tint[i] title named[i]\n"
    "unset multiplot\n";

static ct_result draw(const ct_study_run *run, const bowed_schelleng *m, const bow *b, ct_error *error) {
  ct_result result = write_cells(run, m, error);
  if (result == CT_OK)
    result = write_limits(run, m, b, error);
  return result == CT_OK ? figure_draw(run, "schelleng", 1250, 560, "", plot, error) : result;
}

/* ---- the map ---- */

void bowed_schelleng_free(bowed_schelleng *m) {
  free(m->kept);
  free(m->begun);
  free(m->upper_n);
  free(m->lower_n);
  m->kept = m->begun = NULL;
  m->upper_n = m->lower_n = NULL;
}

static bool make_room(bowed_schelleng *m) {
  size_t cells = (size_t)m->betas * m->forces;
  m->kept = calloc(cells, sizeof *m->kept);
  m->begun = calloc(cells, sizeof *m->begun);
  m->upper_n = calloc(m->betas, sizeof *m->upper_n);
  m->lower_n = calloc(m->betas, sizeof *m->lower_n);
  return m->kept && m->begun && m->upper_n && m->lower_n;
}

ct_result bowed_map_schelleng(const ct_study_run *run, bowed_schelleng *m, ct_error *error) {
  bow b = bow_cello();
  ct_result result = make_room(m) ? bow_resistance_kg_s(&b, &m->resistance_kg_s, error)
                                  : ct_fail(error, CT_NO_MEMORY, "no memory for a map");
  if (result == CT_OK)
    result = play_plan(m, error);
  if (result == CT_OK)
    result = ct_crew_run(0, 2 * m->betas, find_edge, m, error);
  if (result == CT_OK)
    compare_edges(m, &b);
  return result == CT_OK && run->folder ? draw(run, m, &b, error) : result;
}
