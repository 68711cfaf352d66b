/* What was found, as tables: iterations, the delay's harm, Table I with a verdict on each of its rows. */
#include "study/avanzini2005.h"
#include "base/text.h"
#include "study/columns.h"
#include "study/figure.h"

#include <math.h>
#include <stdlib.h>

typedef struct found {
  avanzini_counts counts[AVANZINI_REGIONS];
  avanzini_late late[AVANZINI_STIFFNESSES];
  avanzini_table table;
  avanzini_stage wheel[AVANZINI_STAGES];
} found;

static const study_csv csv = {"table,of,quantity,at,value", true, ""};

static void show_counts(const ct_study_run *run, const avanzini_counts *counts) {
  static const study_column columns[] = {
      PLAIN("runs", "runs", 6, 0),
      PLAIN("newton_mean", "Newton mean", 13, 2),
      PLAIN("newton_most", "most", 6, 0),
      SCALED("newton_steps_over_7_pct", "steps > 7", 10, 4, 1, "%"),
      PLAIN("newton_runs_over_7", "runs > 7", 11, 0),
      PLAIN("newton_runs_not_converging", "no converging", 14, 0),
      PLAIN("newton_runs_blown_up", "blown up", 10, 0),
      PLAIN("contatto_mean", "contatto mean", 15, 2),
      PLAIN("contatto_most", "most", 6, 0),
  };
  const study_table table =
      STUDY_TABLE(&csv, "iterations",
                  "Iterations in a step: the papers' Newton (\"at most seven iterations "
                  "typically\"), evaluations of ours",
                  "region", 8, columns);
  study_heading(run, &table);
  for (int g = 0; g < AVANZINI_REGIONS; g++) {
    const avanzini_counts *c = &counts[g];
    double over_pct = 100 * (double)c->steps_over_7 / (double)c->steps;
    study_row(run, &table, avanzini_region_names[g],
              (double[]){c->runs, c->mean_newton, c->most_newton, over_pct, c->runs_over_7, c->runs_ended,
                         c->runs_blown, c->mean_ours, c->most_ours});
  }
}

/* People read one quantity behind the other, files have one solver behind the other. */
static void show_late(const ct_study_run *run, const avanzini_late *late) {
  static const study_column columns[] = {PLAIN("rubbed_cents", NULL, 10, 2), PLAIN("held_db", NULL, 10, 2)};
  const study_table table = {
      &csv,
      "delay",
      "\nA force one sample late: pitch error while rubbed, cents; level after a second held still, dB re "
      "1 m/s",
      "sigma_0",
      10,
      "blown up",
      columns,
      2};
  study_say(run, "%s\n%*s", table.title, table.first, table.names);
  for (int i = 0; i < 2 * AVANZINI_SOLVERS; i++)
    study_say(run, "%*s", columns[0].width, avanzini_solver_names[i % AVANZINI_SOLVERS]);
  for (const avanzini_late *l = late; l < late + AVANZINI_STIFFNESSES; l++) {
    study_say(run, "\n%*.3g", table.first, l->bristle_n_m);
    for (uint32_t i = 0; i < 2 * AVANZINI_SOLVERS; i++) {
      uint32_t quantity = run->csv ? i % 2 : i / AVANZINI_SOLVERS,
               s = run->csv ? i / 2 : i % AVANZINI_SOLVERS;
      study_number(run, &table, quantity, avanzini_solver_names[s], study_number_text(l->bristle_n_m).text,
                   quantity ? l->held_db[s] : l->cents[s]);
    }
  }
  study_say(run, "\n");
}

/* ---- Table I ---- */

/* For files: every measure of every sound; then how far it moves over the values that sound, in what can be
 * noticed, and whether it rises. */
static void show_sweep(const ct_study_run *run, int body, int parameter, const avanzini_sweep *sweep) {
  study_column columns[HEARD_MEASURES];
  char word[40];
  const study_table table = STUDY_TABLE(&csv, word, "", "", 0, columns);
  const char *of = avanzini_parameters[parameter];
  for (int m = 0; m < HEARD_MEASURES; m++)
    columns[m] = (study_column)PLAIN(heard_names[m], NULL, 0, 0);
  snprintf(word, sizeof word, "table1 %s", avanzini_bodies[body]);
  for (int i = 0; i < AVANZINI_VALUES; i++)
    study_numbers(run, &table, of, study_number_text(sweep->value[i]).text, sweep->at[i].of);
  snprintf(word, sizeof word, "effect %s", avanzini_bodies[body]);
  for (uint32_t m = 0; m < HEARD_MEASURES; m++) {
    avanzini_effect e = avanzini_judge(sweep, (heard_measure)m, 0);
    study_number(run, &table, m, of, "steps", e.steps);
    study_number(run, &table, m, of, "low", e.low);
    study_number(run, &table, m, of, "high", e.high);
    study_number(run, &table, m, of, "trend", e.trend);
  }
}

static void say_claim(const ct_study_run *run, const avanzini_claim *c, avanzini_table table) {
  study_say(run, "  \"%s\"\n", c->words);
  for (int b = 0; b < AVANZINI_BODIES; b++) {
    avanzini_effect e = avanzini_judge(&table[c->parameter][b], c->measure, c->direction);
    study_say(run, "    %-10s %-14s %9.3g to %-9.3g %5.1f steps that can be noticed, trend %+.2f: %s\n",
              avanzini_bodies[b], heard_names[c->measure], e.low, e.high, e.steps, e.trend,
              e.holds ? "yes" : "no");
  }
}

static void show_verdicts(const ct_study_run *run, avanzini_table table) {
  study_say(run, "\nTable I, measured over the values that sound\n");
  for (int p = 0; p < AVANZINI_PARAMETERS; p++) {
    const char *of = avanzini_parameters[p], *verdict = avanzini_verdict(table, p);
    const double *values = table[p][0].value, *glass = table[p][1].value;
    if (run->csv)
      fprintf(run->out, "verdict,%s,%s,,\n", of, verdict);
    study_say(run, "%s (%.3g to %.3g; glass %.3g to %.3g): %s\n", of, values[0], values[AVANZINI_VALUES - 1],
              glass[0], glass[AVANZINI_VALUES - 1], verdict);
    for (uint32_t i = 0; i < avanzini_claim_count; i++)
      if (avanzini_claims[i].parameter == p)
        say_claim(run, &avanzini_claims[i], table);
  }
}

/* For people: which parameter moves what. Nearly everything moves something. */
static void show_matrix(const ct_study_run *run, avanzini_table table) {
  study_column columns[HEARD_MEASURES * AVANZINI_BODIES];
  const study_table matrix =
      STUDY_TABLE(&csv, "", "\nSteps that can be noticed over each sweep, reference / glass", "", 8, columns);
  for (int m = 0; m < HEARD_MEASURES; m++) {
    columns[2 * m] = (study_column)SCALED(NULL, NULL, 7, 0, 1, " /");
    columns[2 * m + 1] = (study_column)PLAIN(NULL, heard_names[m], 5, 0);
  }
  study_heading(run, &matrix);
  for (int p = 0; p < AVANZINI_PARAMETERS; p++) {
    double steps[HEARD_MEASURES * AVANZINI_BODIES];
    for (int i = 0; i < HEARD_MEASURES * AVANZINI_BODIES; i++)
      steps[i] = avanzini_judge(&table[p][i % 2], (heard_measure)(i / 2), 0).steps;
    study_row(run, &matrix, avanzini_parameters[p], steps);
  }
}

static void show_wheel(const ct_study_run *run, const avanzini_stage *stages) {
  static const study_column columns[] = {
      SCALED("cart_m_s", "cart", 6, 2, 1, " m/s"),
      SCALED("tread_m_s", "tread", 6, 2, 1, " m/s"),
      SCALED("slip_m_s", "most slip", 9, 3, 1, " m/s"),
      SCALED("joints_um", "joints", 9, 2, 1, " um"),
      SCALED("loudness_lufs", "heard", 5, 1, 1, " LUFS"),
      SCALED("partial_hz", NULL, 9, 1, 1, " Hz"),
      SCALED("partial_db", "strongest partial", 6, 1, 1, " dB"),
  };
  const study_table table =
      STUDY_TABLE(&csv, "wheel", "\nThe braking wheel, scene 'wheel', preset 'paper'", "", 8, columns);
  study_heading(run, &table);
  for (int i = 0; i < AVANZINI_STAGES; i++) {
    const avanzini_stage *s = &stages[i];
    study_row(run, &table, avanzini_stage_names[i],
              (double[]){s->cart_m_s, s->tread_m_s, s->slip_m_s, 1e6 * s->joints_m, s->lufs, s->partial_hz,
                         s->partial_db});
  }
}

static void show_all(const ct_study_run *run, found *f) {
  if (run->csv)
    fprintf(run->out, "%s\n", csv.head);
  show_counts(run, f->counts);
  show_late(run, f->late);
  for (int i = 0; i < AVANZINI_PARAMETERS * AVANZINI_BODIES; i++)
    show_sweep(run, i % AVANZINI_BODIES, i / AVANZINI_BODIES,
               &f->table[i / AVANZINI_BODIES][i % AVANZINI_BODIES]);
  show_verdicts(run, f->table);
  show_matrix(run, f->table);
  show_wheel(run, f->wheel);
}

/* ---- all of it ---- */

static ct_result draw_figures(const ct_study_run *run, ct_error *error) {
  ct_result (*const parts[])(const ct_study_run *, ct_error *) = {
      avanzini_draw_curve, avanzini_draw_waves, avanzini_draw_loop, avanzini_draw_presliding};
  ct_result result = figure_folder(run->folder, error);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0] && result == CT_OK; i++)
    result = parts[i](run, error);
  return result;
}

static ct_result find_all(const ct_study_run *run, found *f, ct_error *error) {
  ct_result result = run->folder ? draw_figures(run, error) : CT_OK;
  if (result == CT_OK)
    result = avanzini_count(run, f->counts, error);
  if (result == CT_OK)
    result = avanzini_delay(run, f->late, error);
  if (result == CT_OK)
    result = avanzini_wheel(run, f->wheel, error);
  return result == CT_OK ? avanzini_sweep_all(run, f->table, error) : result;
}

ct_result avanzini2005_run(const ct_study_run *run, ct_error *error) {
  found *f = calloc(1, sizeof *f);
  if (!f)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the study");
  ct_result result = find_all(run, f, error);
  if (result == CT_OK)
    show_all(run, f);
  free(f);
  return result;
}
