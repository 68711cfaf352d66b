/* Table 1: how far off each method is, beside what the paper says. Errors there are against eq. 7, not the
 * exact root; both are given here. */
#include "study/papetti2009.h"
#include "study/columns.h"
#include "study/figure.h"

#include <math.h>

const ct_impact_case papetti_cases[2] = {
    {.mass_kg = 1e-2, .stiffness = 1e7, .exponent = 1.1, .damping_s_m = 0.1, .speed_m_s = 0.3},
    {.mass_kg = 1e-2, .stiffness = 1e9, .exponent = 1.5, .damping_s_m = 0.5, .speed_m_s = 1},
};

enum { X_MAX, V_OUT, H_TAU, QUANTITIES, PAPER_METHODS = WALL_RK4 + 1, COLUMNS = WALL_METHODS + 1 };
enum { EQ7, EXACT };

static const char *const quantity_names[QUANTITIES] = {"x_max", "v_out", "h_tau"};

/* As printed; NAN is "n.e.". */
static const double published[2][QUANTITIES][PAPER_METHODS] = {
    {{NAN, 1.122, 1.254, NAN}, {1.293, 1.660, 1.467, -0.125}, {2.603, 3.348, 2.955, -0.250}},
    {{NAN, NAN, NAN, NAN}, {2.551, 0.839, -4.692, -0.105}, {5.166, 1.685, -9.164, -0.211}},
};

static const char *const published_eq7[2] = {"~ -1e-2", "~ -1e-4"}; /* its last column */

/* ---- measuring ---- */

static double percent(double value, double wanted) { return 100 * (value / wanted - 1); }

ct_result papetti_measure(const ct_impact_case *c, wall_methods method, ct_quality quality, papetti_errors *e,
                          ct_error *error) {
  wall w = {.impact = *c, .step_s = 1 / PAPETTI_RATE_HZ};
  wall_run_def def = {.method = method, .samples = 1000, .once = true, .quality = quality};
  wall_trace t;
  ct_result result = wall_run(&w, &def, &t, error);
  if (result != CT_OK)
    return result;
  double v = -t.at[t.count - 1].v_m_s, h = t.energy_j[t.count - 1];
  double truth[2] = {-ct_impact_rebound_eq7_m_s(c->speed_m_s, c->damping_s_m),
                     -ct_impact_rebound_m_s(c->speed_m_s, c->damping_s_m)};
  for (int i = EQ7; i <= EXACT; i++) {
    e->x_max_pct[i] = percent(wall_trace_largest_x_m(&t), ct_impact_largest_compression_m(c));
    e->v_out_pct[i] = percent(v, truth[i]);
    e->h_tau_pct[i] = percent(h, 0.5 * c->mass_kg * truth[i] * truth[i]);
  }
  wall_trace_free(&t);
  return CT_OK;
}

/* The last column is the engine at its best. */
static ct_result measure_case(const ct_impact_case *c, papetti_errors errors[COLUMNS], ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < COLUMNS && result == CT_OK; i++) {
    wall_methods method = i < WALL_METHODS ? (wall_methods)i : WALL_CONTATTO;
    ct_quality quality = i < WALL_METHODS ? CT_NORMAL_QUALITY : CT_BEST;
    result = papetti_measure(c, method, quality, &errors[i], error);
  }
  return result;
}

static const double *pick(const papetti_errors *e, int quantity) {
  const double *all[QUANTITIES] = {e->x_max_pct, e->v_out_pct, e->h_tau_pct};
  return all[quantity];
}

/* ---- printing ---- */

/* What a method is compared with: columns of the CSV, lines for people. */
static const struct {
  const char *column, *line;
} truths[] = {{"error_pct_eq7", "against eq. 7"}, {"error_pct_exact", "against exact"}};

static void write_csv(FILE *out, papetti_errors errors[2][COLUMNS]) {
  fprintf(out, "case,method,quantity,%s,%s\n", truths[EQ7].column, truths[EXACT].column);
  for (int c = 0; c < 2; c++)
    for (int method = 0; method < WALL_METHODS; method++)
      for (int q = 0; q < QUANTITIES; q++) {
        const double *pct = pick(&errors[c][method], q);
        fprintf(out, "%d,%s,%s,%+.6f,%+.6f\n", c + 1, wall_method_names[method], quantity_names[q], pct[EQ7],
                pct[EXACT]);
      }
}

static void say_label(const ct_study_run *run, const char *quantity, const char *line) {
  study_say(run, "%-6s %-14s", quantity, line);
}

/* Compressions that are not too large are not errors. */
static void say_error(const ct_study_run *run, const study_table *table, int column, int q, double pct) {
  study_number(run, table, (uint32_t)column, "", "", q == X_MAX && pct <= 0 ? (double)NAN : pct);
}

/* The published line, then ours: x_max has one truth. */
static void show_quantity(const ct_study_run *run, const study_table *table, int c, int q,
                          papetti_errors errors[COLUMNS]) {
  double v = papetti_cases[c].speed_m_s, mu = papetti_cases[c].damping_s_m;
  say_label(run, quantity_names[q], "published");
  for (int i = 0; i < PAPER_METHODS; i++)
    say_error(run, table, i, q, published[c][q][i]);
  if (q == V_OUT)
    study_say(run, "%20s %10s", "", published_eq7[c]);
  for (int truth = q == X_MAX ? EXACT : EQ7; truth <= EXACT; truth++) {
    study_say(run, "\n");
    say_label(run, "", truths[truth].line);
    for (int i = 0; i < COLUMNS; i++)
      say_error(run, table, i, q, pick(&errors[i], q)[truth]);
  }
  if (q == V_OUT)
    study_say(run, " %+10.2e", percent(ct_impact_rebound_eq7_m_s(v, mu), ct_impact_rebound_m_s(v, mu)));
  study_say(run, "\n");
}

static void show_case(const ct_study_run *run, int c, papetti_errors errors[COLUMNS]) {
  const ct_impact_case *given = &papetti_cases[c];
  char title[160];
  study_column columns[COLUMNS + 1];
  const study_table table = {NULL, "", title, "", 21, "n.e.", columns, COLUMNS + 1};
  for (int i = 0; i < COLUMNS; i++)
    columns[i] = (study_column)SIGNED(NULL, i < WALL_METHODS ? wall_method_names[i] : "best", 10, 3);
  columns[COLUMNS] = (study_column)PLAIN(NULL, "eq. 7", 11, 2);
  snprintf(title, sizeof title,
           "\ncase %d: k %g, mu %g s/m, alpha %g, v_in %g m/s: mu v_in %g, the contact lasts %.2f samples",
           c + 1, given->stiffness, given->damping_s_m, given->exponent, given->speed_m_s,
           given->damping_s_m * given->speed_m_s, PAPETTI_RATE_HZ * ct_impact_contact_time_s(given));
  study_heading(run, &table);
  for (int q = 0; q < QUANTITIES; q++)
    show_quantity(run, &table, c, q, errors);
}

static void show_table(const ct_study_run *run, papetti_errors errors[2][COLUMNS]) {
  study_say(run,
            "Table 1: percent by which each method is off; 10 g on a wall, 44.1 kHz. n.e.: not exceeded.\n");
  for (int c = 0; c < 2; c++)
    show_case(run, c, errors[c]);
}

/* ---- all of it ---- */

static ct_result draw_all(const ct_study_run *run, ct_error *error) {
  ct_result (*const parts[])(const ct_study_run *, ct_error *) = {
      papetti_draw_curves, papetti_draw_hits, papetti_draw_bounce, papetti_draw_short, papetti_draw_hardness};
  ct_result result = figure_folder(run->folder, error);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0] && result == CT_OK; i++)
    result = parts[i](run, error);
  return result;
}

ct_result papetti2009_run(const ct_study_run *run, ct_error *error) {
  papetti_errors errors[2][COLUMNS];
  ct_result result = CT_OK;
  for (int c = 0; c < 2 && result == CT_OK; c++)
    result = measure_case(&papetti_cases[c], errors[c], error);
  if (result == CT_OK && run->folder)
    result = draw_all(run, error);
  if (result == CT_OK && run->csv)
    write_csv(run->out, errors);
  else if (result == CT_OK)
    show_table(run, errors);
  return result;
}
