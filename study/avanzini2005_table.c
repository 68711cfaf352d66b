/* Table I, "a phenomenological guide to model variables", measured: each parameter swept around two rubbed
 * bodies, everything heard of it, and the paper's words put so that they can be wrong. */
#include "study/avanzini2005.h"
#include "base/text.h"
#include "study/figure.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

const char *const avanzini_bodies[AVANZINI_BODIES] = {"reference", "glass"};

/* ---- the sweeps ---- */

typedef enum unit { TIMES_OWN, TIMES_SLIDING, ABSOLUTE } unit;

typedef struct swept {
  const char *shown;
  size_t field;
  double low, high;
  unit unit; /* of low and high: the body's own value, its sliding friction, or 1 */
} swept;

#define FIELD(name) offsetof(ct_friction_def, name)

static const swept parameters[AVANZINI_PARAMETERS] = {
    {"bristle stiffness σ0, N/m: “affects the evolution of mode locking”", FIELD(bristle_n_m), 0.05, 20,
     TIMES_OWN},
    {"bristle damping σ1, N s/m: “affects the sound bandwidth”", FIELD(bristle_damping_n_s_m), 0.03, 10,
     TIMES_OWN},
    {"viscous friction σ2, N s/m: “affects the speed of timbre evolution and the sound pitch”",
     FIELD(viscous_n_s_m), 0.01, 3, ABSOLUTE},
    {"noise coefficient σ3, N: “affects the perceived surface roughness”", FIELD(roughness_n), 0.003, 1,
     TIMES_SLIDING},
    {"dynamic friction μd: “high values reduce the sound bandwidth”", FIELD(mu_dynamic), 0.2, 1.9, TIMES_OWN},
    {"static friction μs: “affects the smoothness of sound attack”", FIELD(mu_static), 0.6, 3, TIMES_OWN},
    {"Stribeck velocity v_S, m/s: “affects the smoothness of sound attack”", FIELD(stribeck_m_s), 0.3, 4,
     TIMES_OWN},
    {"normal force f_N, N: “high values give rougher and louder sounds”", FIELD(normal_n), 0.2, 20,
     TIMES_OWN},
};

const char *const avanzini_parameters[AVANZINI_PARAMETERS] = {"sigma_0", "sigma_1", "sigma_2", "sigma_3",
                                                              "mu_d",    "mu_s",    "v_S",     "f_N"};

static double *field_of(rub *r, const swept *s) { return (double *)((char *)&r->friction + s->field); }

static double value_at(const swept *s, rub *r, int i) {
  double share = s->low * pow(s->high / s->low, (double)i / (AVANZINI_VALUES - 1));
  const double units[] = {[TIMES_OWN] = *field_of(r, s),
                          [TIMES_SLIDING] = r->friction.mu_dynamic * r->friction.normal_n,
                          [ABSOLUTE] = 1};
  return share * units[s->unit];
}

static ct_result sweep_one(const swept *s, rub body, avanzini_sweep *sweep, ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < AVANZINI_VALUES && result == CT_OK; i++) {
    rub r = body;
    rub_trace t;
    *field_of(&r, s) = sweep->value[i] = value_at(s, &body, i);
    result = rub_play(&r, 1, (rub_wanted){0}, &t, error);
    if (result == CT_OK)
      result = heard_measure_trace(&r, &t, &sweep->at[i], error);
    rub_trace_free(&t);
  }
  return result;
}

/* All sweeps of one body: half of the work, on a thread of its own. */
typedef struct share {
  rub body;
  avanzini_sweep sweeps[AVANZINI_PARAMETERS];
  ct_result result;
  ct_error error;
} share;

static void *sweep_body(void *context) {
  share *s = context;
  for (int p = 0; p < AVANZINI_PARAMETERS && s->result == CT_OK; p++)
    s->result = sweep_one(&parameters[p], s->body, &s->sweeps[p], &s->error);
  return NULL;
}

static void sweep_both(share shares[AVANZINI_BODIES]) {
  pthread_t other;
  bool apart = pthread_create(&other, NULL, sweep_body, &shares[1]) == 0;
  sweep_body(&shares[0]);
  if (apart)
    pthread_join(other, NULL);
  else
    sweep_body(&shares[1]);
}

/* ---- verdicts ---- */

const avanzini_claim avanzini_claims[] = {
    {0, "affects the evolution of mode locking", HEARD_LOCK, 0},
    {1, "affects the sound bandwidth", HEARD_BANDWIDTH, 0},
    {2, "affects the speed of timbre evolution", HEARD_TIMBRE, 0},
    {2, "and the sound pitch", HEARD_PITCH, 0},
    {3, "affects the perceived surface roughness", HEARD_NOISE, 0},
    {4, "high values reduce the sound bandwidth", HEARD_BANDWIDTH, -1},
    {5, "affects the smoothness of sound attack", HEARD_ATTACK, 0},
    {6, "affects the smoothness of sound attack", HEARD_ATTACK, 0},
    {7, "high values give rougher", HEARD_ROUGHNESS, 1},
    {7, "and louder sounds", HEARD_LOUDNESS, 1},
};

const uint32_t avanzini_claim_count = sizeof avanzini_claims / sizeof avanzini_claims[0];

/* What can just be noticed: 1 dB, a tenth of a bandwidth, a fifth of a duration or of a rate, 5 cents, 50 ms
 * of locking. Roughness, noise and wandering timbre count from floors below which nobody would speak of them.
 */
static double noticed(heard_measure m, double low, double high) {
  const double least_rough = 1e-2, least_oct_s = 0.05, least_noise_db = -50;
  switch (m) {
  case HEARD_LOUDNESS:
    return high - low;
  case HEARD_NOISE:
    return fmax(high, least_noise_db) - fmax(low, least_noise_db);
  case HEARD_ROUGHNESS:
    return log(fmax(high, least_rough) / fmax(low, least_rough)) / log(1.25);
  case HEARD_TIMBRE:
    return log(fmax(high, least_oct_s) / fmax(low, least_oct_s)) / log(1.2);
  case HEARD_CENTROID:
  case HEARD_BANDWIDTH:
    return log(high / low) / log(1.1);
  case HEARD_ATTACK:
    return log(high / low) / log(1.2);
  case HEARD_PITCH:
    return 1200 * log2(high / low) / 5;
  case HEARD_LOCK:
    return (high - low) / 0.05;
  default:
    return 3 * (high - low); /* another mode is always noticed */
  }
}

static double rank_of(const double *values, int count, int i) {
  double rank = 0;
  for (int j = 0; j < count; j++)
    rank += values[j] < values[i] ? 1 : values[j] == values[i] ? 0.5 : 0;
  return rank;
}

/* Spearman's correlation of values in order with their places. */
static double trend_of(const double *values, int count) {
  double xy = 0, xx = 0, yy = 0, mean = count / 2.0;
  for (int i = 0; i < count; i++) {
    double x = i + 0.5 - mean, y = rank_of(values, count, i) - mean;
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

avanzini_effect avanzini_judge(const avanzini_sweep *sweep, heard_measure measure, int direction) {
  double values[AVANZINI_VALUES];
  int count = 0;
  avanzini_effect e = {.low = INFINITY, .high = -INFINITY};
  for (int i = 0; i < AVANZINI_VALUES; i++)
    if (sweep->at[i].sounds && isfinite(sweep->at[i].of[measure])) {
      values[count++] = sweep->at[i].of[measure];
      e.low = fmin(e.low, values[count - 1]);
      e.high = fmax(e.high, values[count - 1]);
    }
  e.steps = count > 1 ? noticed(measure, e.low, e.high) : 0;
  e.trend = trend_of(values, count);
  e.holds = e.steps >= 3 && (direction == 0 || direction * e.trend > 0.6);
  return e;
}

const char *avanzini_verdict(const avanzini_table table, int parameter) {
  int asked = 0, held = 0;
  for (uint32_t i = 0; i < avanzini_claim_count; i++)
    for (int b = 0; avanzini_claims[i].parameter == parameter && b < AVANZINI_BODIES; b++) {
      const avanzini_claim *c = &avanzini_claims[i];
      asked++;
      held += avanzini_judge(&table[parameter][b], c->measure, c->direction).holds;
    }
  return held == asked ? "agree" : held > 0 ? "partly" : "not";
}

/* ---- writing and drawing ---- */

static ct_result write_sweep(const ct_study_run *run, const char *name, const avanzini_sweep *sweep,
                             ct_error *error) {
  char columns[256];
  figure_table *t;
  int used = snprintf(columns, sizeof columns, "value");
  for (int m = 0; m < HEARD_MEASURES; m++)
    used += snprintf(columns + used, sizeof columns - (size_t)used, ",%s", heard_names[m]);
  ct_result result = figure_table_begin(run, name, columns, &t, error);
  for (int i = 0; i < AVANZINI_VALUES && result == CT_OK; i++) {
    double row[1 + HEARD_MEASURES] = {sweep->value[i]};
    for (int m = 0; m < HEARD_MEASURES; m++)
      row[1 + m] = sweep->at[i].of[m];
    result = figure_table_row(t, row, error);
  }
  return figure_table_end(t, result, error);
}

/* Eight small plots in two rows; `parameter` and `shown` come before. */
static const char plot[] =
    "set multiplot layout 2,4 margins 0.055,0.99,0.08,0.84 spacing 0.055,0.17 title shown\n"
    "set logscale x\n"
    "set key off\n"
    "set tics font ',9'\n"
    "set xtics nomirror\n"
    "set format x '%g'\n"
    "set xrange [*:*] noextend\n"
    "unset grid\n"
    "set grid y lc rgb '#dddddd' lw 0.7\n"
    "array name[8] = ['loudness_lufs', 'roughness', 'noise_db', 'bandwidth_hz', 'attack_s', 'pitch_hz', "
    "'lock_s', 'timbre_oct_s']\n"
    "array label[8] = ['loudness, LUFS', 'roughness', 'off the harmonics, dB', 'bandwidth, Hz', 'attack, s', "
    "'strongest partial, Hz', 'locked after, s', 'timbre, octaves/s']\n"
    "if (parameter[1:2] eq 'mu' || parameter eq 'v_S') { set xtics (0.05, 0.1, 0.2, 0.5, 1, 2) }\n"
    "do for [i=1:8] {\n"
    "  set title label[i] font ',10'\n"
    "  if (i==1) { set key at graph 0.98,0.22 font ',9' } else { set key off }\n"
    "  if (i==4 || i==5 || i==6) { set logscale y } else { unset logscale y }\n"
    "  if (i==7) { set yrange [-0.05:1.05] } else { set yrange [*:*] }\n"
    "  plot D('table1_'.parameter.'_reference') using (C('value')):(C(name[i])) with linespoints pt 7 ps 0.6 "
    "lw 1.3 lc rgb rk4 title 'reference', D('table1_'.parameter.'_glass') using (C('value')):(C(name[i])) "
    "with linespoints pt 5 ps 0.6 lw 1.3 lc rgb heun title 'glass'\n"
    "}\n"
    "unset multiplot\n";

static ct_result draw_parameter(const ct_study_run *run, int p, avanzini_sweep sweep[AVANZINI_BODIES],
                                ct_error *error) {
  char name[80], head[240];
  ct_result result = CT_OK;
  for (int b = 0; b < AVANZINI_BODIES && result == CT_OK; b++) {
    snprintf(name, sizeof name, "table1_%s_%s", avanzini_parameters[p], avanzini_bodies[b]);
    result = write_sweep(run, name, &sweep[b], error);
  }
  if (result != CT_OK)
    return result;
  snprintf(name, sizeof name, "table1_%s", avanzini_parameters[p]);
  snprintf(head, sizeof head, "parameter = '%s'\nshown = '%s'\n", avanzini_parameters[p],
           parameters[p].shown);
  return figure_draw(run, name, 1000, 420, head, plot, error);
}

static ct_result collect(const share shares[AVANZINI_BODIES], avanzini_table table, ct_error *error) {
  for (int b = 0; b < AVANZINI_BODIES; b++) {
    if (shares[b].result != CT_OK)
      return ct_fail(error, shares[b].result, "%s", shares[b].error.text);
    for (int p = 0; p < AVANZINI_PARAMETERS; p++)
      table[p][b] = shares[b].sweeps[p];
  }
  return CT_OK;
}

ct_result avanzini_sweep_all(const ct_study_run *run, avanzini_table table, ct_error *error) {
  share *shares = calloc(AVANZINI_BODIES, sizeof *shares);
  if (!shares)
    return ct_fail(error, CT_NO_MEMORY, "no memory for sweeps");
  shares[0] = (share){.body = rub_reference()};
  shares[1] = (share){.body = rub_glass()};
  sweep_both(shares);
  ct_result result = collect(shares, table, error);
  for (int p = 0; p < AVANZINI_PARAMETERS && result == CT_OK && run->folder; p++)
    result = draw_parameter(run, p, table[p], error);
  free(shares);
  return result;
}
