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

static void show_counts(const ct_study_run *run, const avanzini_counts *counts) {
  static const study_column columns[] = {
      PLAIN("runs", "runs", 6, 0),
      PLAIN("newton_mean", "Newton mean", 13, 2),
      PLAIN("newton_most", "most", 6, 0),
      {"newton_steps_over_7_pct", "steps > 7", 10, 4, 1, "%"},
      PLAIN("newton_runs_over_7", "runs > 7", 11, 0),
      PLAIN("newton_runs_not_converging", "no converging", 14, 0),
      PLAIN("newton_runs_blown_up", "blown up", 10, 0),
      PLAIN("contatto_mean", "contatto mean", 15, 2),
      PLAIN("contatto_most", "most", 6, 0),
  };
  const study_table table =
      STUDY_TABLE("iterations", ",,", "",
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

/* ---- as CSV: one table, every number a row ---- */

static void csv_late(FILE *out, const avanzini_late *l) {
  for (int s = 0; s < AVANZINI_SOLVERS; s++) {
    fprintf(out, "delay,%s,rubbed_cents,%.6g,%.6g\n", avanzini_solver_names[s], l->bristle_n_m, l->cents[s]);
    fprintf(out, "delay,%s,held_db,%.6g,%.6g\n", avanzini_solver_names[s], l->bristle_n_m, l->held_db[s]);
  }
}

static void csv_sweep(FILE *out, const char *parameter, const char *body, const avanzini_sweep *sweep) {
  for (int i = 0; i < AVANZINI_VALUES; i++)
    for (int m = 0; m < HEARD_MEASURES; m++)
      fprintf(out, "table1 %s,%s,%s,%.6g,%.6g\n", body, parameter, heard_names[m], sweep->value[i],
              sweep->at[i].of[m]);
}

/* How far each measure moves over the values that sound, in what can be noticed, and whether it rises. */
static void csv_effects(FILE *out, const char *parameter, const char *body, const avanzini_sweep *sweep) {
  for (int m = 0; m < HEARD_MEASURES; m++) {
    avanzini_effect e = avanzini_judge(sweep, (heard_measure)m, 0);
    fprintf(out, "effect %s,%s,%s,steps,%.6g\n", body, parameter, heard_names[m], e.steps);
    fprintf(out, "effect %s,%s,%s,low,%.6g\n", body, parameter, heard_names[m], e.low);
    fprintf(out, "effect %s,%s,%s,high,%.6g\n", body, parameter, heard_names[m], e.high);
    fprintf(out, "effect %s,%s,%s,trend,%.6g\n", body, parameter, heard_names[m], e.trend);
  }
}

static void print_csv(FILE *out, const found *f) {
  for (int i = 0; i < AVANZINI_STIFFNESSES; i++)
    csv_late(out, &f->late[i]);
  for (int p = 0; p < AVANZINI_PARAMETERS; p++)
    for (int b = 0; b < AVANZINI_BODIES; b++) {
      csv_sweep(out, avanzini_parameters[p], avanzini_bodies[b], &f->table[p][b]);
      csv_effects(out, avanzini_parameters[p], avanzini_bodies[b], &f->table[p][b]);
    }
  for (int p = 0; p < AVANZINI_PARAMETERS; p++)
    fprintf(out, "verdict,%s,%s,,\n", avanzini_parameters[p], avanzini_verdict(f->table, p));
}

/* ---- in words ---- */

static void print_number(FILE *out, double value) {
  if (isnan(value))
    fprintf(out, " %9s", "blown up");
  else
    fprintf(out, " %9.2f", value);
}

static void print_late(FILE *out, const avanzini_late *late) {
  fputs("\nA force one sample late: pitch error while rubbed, cents; level after a second held still, dB re "
        "1 m/s\n",
        out);
  fprintf(out, "%10s", "sigma_0");
  for (int i = 0; i < 2 * AVANZINI_SOLVERS; i++)
    fprintf(out, " %9s", avanzini_solver_names[i % AVANZINI_SOLVERS]);
  fputc('\n', out);
  for (int i = 0; i < AVANZINI_STIFFNESSES; i++) {
    fprintf(out, "%10.3g", late[i].bristle_n_m);
    for (int s = 0; s < AVANZINI_SOLVERS; s++)
      print_number(out, late[i].cents[s]);
    for (int s = 0; s < AVANZINI_SOLVERS; s++)
      print_number(out, late[i].held_db[s]);
    fputc('\n', out);
  }
}

static void print_claim(FILE *out, const avanzini_claim *c, avanzini_table table) {
  fprintf(out, "  \"%s\"\n", c->words);
  for (int b = 0; b < AVANZINI_BODIES; b++) {
    avanzini_effect e = avanzini_judge(&table[c->parameter][b], c->measure, c->direction);
    fprintf(out, "    %-10s %-14s %9.3g to %-9.3g %5.1f steps that can be noticed, trend %+.2f: %s\n",
            avanzini_bodies[b], heard_names[c->measure], e.low, e.high, e.steps, e.trend,
            e.holds ? "yes" : "no");
  }
}

static void print_table(FILE *out, avanzini_table table) {
  fputs("\nTable I, measured over the values that sound\n", out);
  for (int p = 0; p < AVANZINI_PARAMETERS; p++) {
    double low = table[p][0].value[0], high = table[p][0].value[AVANZINI_VALUES - 1];
    fprintf(out, "%s (%.3g to %.3g; glass %.3g to %.3g): %s\n", avanzini_parameters[p], low, high,
            table[p][1].value[0], table[p][1].value[AVANZINI_VALUES - 1], avanzini_verdict(table, p));
    for (uint32_t i = 0; i < avanzini_claim_count; i++)
      if (avanzini_claims[i].parameter == p)
        print_claim(out, &avanzini_claims[i], table);
  }
}

/* Which parameter moves what: nearly everything moves something. */
static void print_matrix(FILE *out, avanzini_table table) {
  fprintf(out, "\nSteps that can be noticed over each sweep, reference / glass\n%-8s", "");
  for (int m = 0; m < HEARD_MEASURES; m++)
    fprintf(out, " %13s", heard_names[m]);
  for (int p = 0; p < AVANZINI_PARAMETERS; p++) {
    fprintf(out, "\n%-8s", avanzini_parameters[p]);
    for (int m = 0; m < HEARD_MEASURES; m++)
      fprintf(out, " %6.0f /%5.0f", avanzini_judge(&table[p][0], (heard_measure)m, 0).steps,
              avanzini_judge(&table[p][1], (heard_measure)m, 0).steps);
  }
  fputc('\n', out);
}

static void show_wheel(const ct_study_run *run, const avanzini_stage *stages) {
  static const study_column columns[] = {
      {"cart_m_s", "cart", 6, 2, 1, " m/s"},
      {"tread_m_s", "tread", 6, 2, 1, " m/s"},
      {"slip_m_s", "most slip", 9, 3, 1, " m/s"},
      {"joints_um", "joints", 9, 2, 1, " um"},
      {"loudness_lufs", "heard", 5, 1, 1, " LUFS"},
      {"partial_hz", NULL, 9, 1, 1, " Hz"},
      {"partial_db", "strongest partial", 6, 1, 1, " dB"},
  };
  const study_table table =
      STUDY_TABLE("wheel", ",,", "", "\nThe braking wheel, scene 'wheel', preset 'paper'", "", 8, columns);
  study_heading(run, &table);
  for (int i = 0; i < AVANZINI_STAGES; i++) {
    const avanzini_stage *s = &stages[i];
    study_row(run, &table, avanzini_stage_names[i],
              (double[]){s->cart_m_s, s->tread_m_s, s->slip_m_s, 1e6 * s->joints_m, s->lufs, s->partial_hz,
                         s->partial_db});
  }
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
  if (result == CT_OK && run->csv)
    fputs("table,of,quantity,at,value\n", run->out);
  if (result == CT_OK)
    show_counts(run, f->counts);
  if (result == CT_OK && run->csv)
    print_csv(run->out, f);
  else if (result == CT_OK) {
    print_late(run->out, f->late);
    print_table(run->out, f->table);
    print_matrix(run->out, f->table);
  }
  if (result == CT_OK)
    show_wheel(run, f->wheel);
  free(f);
  return result;
}
