/* How often the papers' Newton has to go round ("at most seven iterations typically", section IV-B), and how
 * often the engine evaluates its rate law, over the same random rubbed bodies. */
#include "study/avanzini2005.h"
#include "study/avanzini2005_kmethod.h"
#include "base/text.h"
#include "study/figure.h"

#include <math.h>
#include <stdlib.h>

enum { RUNS = 300, MOST = KMETHOD_MOST + 1 };

static const double seconds = 0.1;

const char *const avanzini_region_names[AVANZINI_REGIONS] = {"typical", "wide"};

/* ---- random bodies ---- */

typedef struct range {
  double low, high;
} range;

typedef struct region {
  range mass_kg, bristle_n_m, damping_n_s_m, viscous_n_s_m, normal_n, speed_m_s, stribeck_m_s;
} region;

/* Around what the papers and their examples use; and what somebody may ask for. */
static const region regions[AVANZINI_REGIONS] = {
    {{5e-3, 5e-2}, {3e3, 3e5}, {0.1, 10}, {0.01, 1}, {0.1, 10}, {0.02, 0.5}, {0.03, 0.3}},
    {{1e-3, 1}, {1e2, 1e8}, {1e-3, 1e3}, {1e-3, 10}, {1e-2, 1e3}, {0.01, 10}, {0.01, 1}},
};

/* Knuth's 64-bit linear congruence: the same bodies everywhere. */
static double next_share(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

static double pick(uint64_t *seed, range r) { return r.low * pow(r.high / r.low, next_share(seed)); }

static rub random_rub(const region *g, uint64_t *seed) {
  rub r = rub_reference();
  r.rise_s = 0;
  for (uint32_t i = 0; i < r.mode_count; i++) {
    r.modes[i].hz = pick(seed, (range){100, 4000});
    r.modes[i].t60_s = pick(seed, (range){0.1, 3});
    r.modes[i].mass_kg = pick(seed, g->mass_kg);
  }
  r.speed_m_s = pick(seed, g->speed_m_s);
  ct_friction_def *f = &r.friction;
  f->bristle_n_m = pick(seed, g->bristle_n_m);
  f->bristle_damping_n_s_m = pick(seed, g->damping_n_s_m);
  f->viscous_n_s_m = pick(seed, g->viscous_n_s_m);
  f->normal_n = pick(seed, g->normal_n);
  f->stribeck_m_s = pick(seed, g->stribeck_m_s);
  f->mu_dynamic = 0.1 + 0.4 * next_share(seed);
  f->mu_static = f->mu_dynamic + 0.05 + 0.5 * next_share(seed);
  return r;
}

/* ---- counting ---- */

typedef struct tally {
  uint64_t newton[MOST], ours[MOST];
  uint64_t steps[2], sum[2];
} tally;

typedef struct one_run {
  double gain; /* |K(1)|: how strongly the loop is closed */
  uint32_t most_newton, most_ours;
  double mean_newton, mean_ours;
  bool ended, blown;
} one_run;

static void count_newton(const rub *r, const rub_trace *t, tally *all, one_run *one) {
  uint32_t n = 0;
  double sum = 0;
  for (; n < t->count && t->searches[n] < KMETHOD_MOST; n++) {
    all->newton[t->searches[n]]++;
    sum += t->searches[n];
    one->most_newton = t->searches[n] > one->most_newton ? t->searches[n] : one->most_newton;
  }
  one->ended = n < t->count;
  one->mean_newton = n ? sum / n : (double)NAN;
  all->newton[KMETHOD_MOST] += one->ended;
  all->steps[0] += n;
  all->sum[0] += (uint64_t)sum;
  for (n = 0; n < t->count && !one->blown; n++)
    one->blown = !(fabs(t->v_m_s[n]) < 100 * r->speed_m_s);
}

static void count_ours(const rub_trace *t, tally *all, one_run *one) {
  for (uint32_t n = 0; n < t->count; n++)
    all->ours[t->searches[n] < MOST ? t->searches[n] : MOST - 1]++;
  one->most_ours = t->counters.most_friction_evaluations;
  one->mean_ours = (double)t->counters.friction_evaluations / t->count;
  all->steps[1] += t->count;
  all->sum[1] += t->counters.friction_evaluations;
}

static ct_result count_run(const rub *r, tally *all, one_run *one, ct_error *error) {
  rub_trace t;
  kmethod k;
  *one = (one_run){0};
  kmethod_start(&k, r, false);
  one->gain = fabs(k.k1);
  ct_result result = rub_play_kmethod(r, seconds, false, &t, error);
  if (result != CT_OK)
    return result;
  count_newton(r, &t, all, one);
  rub_trace_free(&t);
  result = rub_play(r, seconds, (rub_wanted){.searches = true}, &t, error);
  if (result == CT_OK)
    count_ours(&t, all, one);
  rub_trace_free(&t);
  return result;
}

static void add_run(avanzini_counts *c, const one_run *one) {
  c->runs++;
  c->runs_over_7 += one->ended || one->most_newton > 7;
  c->runs_ended += one->ended;
  c->runs_blown += one->blown;
  c->most_newton = one->most_newton > c->most_newton ? one->most_newton : c->most_newton;
  c->most_ours = one->most_ours > c->most_ours ? one->most_ours : c->most_ours;
}

static void sum_up(avanzini_counts *c, const tally *all) {
  c->steps = all->steps[0] + c->runs_ended;
  for (int n = 8; n < MOST; n++)
    c->steps_over_7 += all->newton[n];
  c->mean_newton = (double)all->sum[0] / (double)all->steps[0];
  c->mean_ours = (double)all->sum[1] / (double)all->steps[1];
}

static ct_result count_region(int which, one_run runs[RUNS], tally *all, avanzini_counts *c,
                              ct_error *error) {
  uint64_t seed = 1;
  ct_result result = CT_OK;
  *all = (tally){0};
  *c = (avanzini_counts){0};
  for (int i = 0; i < RUNS && result == CT_OK; i++) {
    rub r = random_rub(&regions[which], &seed);
    result = count_run(&r, all, &runs[i], error);
    add_run(c, &runs[i]);
  }
  sum_up(c, all);
  return result;
}

/* ---- writing and drawing ---- */

static ct_result write_runs(const ct_study_run *run, const char *name, const one_run runs[RUNS],
                            ct_error *error) {
  figure_table *t;
  ct_result result = figure_table_begin(
      run, name, "gain,newton_most,newton_mean,newton_ended,newton_blown,contatto_most,contatto_mean", &t,
      error);
  for (int i = 0; i < RUNS && result == CT_OK; i++) {
    const one_run *r = &runs[i];
    double most = r->ended ? KMETHOD_MOST : r->most_newton;
    result = figure_table_row(
        t, (double[]){r->gain, most, r->mean_newton, r->ended, r->blown, r->most_ours, r->mean_ours}, error);
  }
  return figure_table_end(t, result, error);
}

static ct_result write_shares(const ct_study_run *run, const tally all[AVANZINI_REGIONS], ct_error *error) {
  figure_table *t;
  ct_result result = figure_table_begin(
      run, "newton_shares", "count,typical_newton,typical_contatto,wide_newton,wide_contatto", &t, error);
  for (int n = 0; n < MOST && result == CT_OK; n++) {
    double row[5] = {n};
    for (int g = 0; g < AVANZINI_REGIONS; g++) {
      row[1 + 2 * g] = 100 * (double)all[g].newton[n] / (double)all[g].steps[0];
      row[2 + 2 * g] = 100 * (double)all[g].ours[n] / (double)all[g].steps[1];
    }
    result = figure_table_row(t, row, error);
  }
  return figure_table_end(t, result, error);
}

static const char plot[] =
    "set multiplot layout 1,2 margins 0.08,0.98,0.14,0.9 spacing 0.09\n"
    "set logscale y\n"
    "set yrange [5e-5:200]\n"
    "set xrange [0.5:28]\n"
    "set format y '%g'\n"
    "set xlabel 'iterations, or evaluations, in a step'\n"
    "set ylabel 'share of steps, %' offset 1\n"
    "set title 'steps'\n"
    "set arrow from 7,5e-5 to 7,200 nohead dt 2 lc rgb '#777777'\n"
    "set label 'the paper: seven' at 7.4,120 left\n"
    "set key at graph 1,0.93\n"
    "array name[4] = ['typical_newton', 'wide_newton', 'typical_contatto', 'wide_contatto']\n"
    "array shown[4] = ['Newton, typical', 'Newton, wide', 'contatto, typical', 'contatto, wide']\n"
    "array tint[4] = [rk4, am1, heun, ours]\n"
    "array mark[4] = [6, 4, 7, 5]\n"
    "plot for [i=1:4] D('newton_shares') using (C('count')):(C(name[i])) with linespoints pt mark[i] ps 0.8 "
    "lw 1.3 lc rgb tint[i] title shown[i]\n"
    "unset arrow\n"
    "unset label\n"
    "set title 'runs of 0.1 s: the longest step'\n"
    "set logscale xy\n"
    "set xrange [1e-4:30]\n"
    "set yrange [1:150]\n"
    "set xtics ('0.001' 1e-3, '0.01' 1e-2, '0.1' 0.1, '1' 1, '10' 10, '100' 100)\n"
    "set xlabel '|K(1)|: how strongly the loop is closed'\n"
    "set ylabel 'most in one step'\n"
    "set key at graph 0.62,0.9\n"
    "set label 'no convergence' at 1.3e-4,122 left\n"
    "set arrow from 1e-4,7 to 30,7 nohead dt 2 lc rgb '#777777'\n"
    "plot for [g=1:2] D(g==1 ? 'newton_typical' : 'newton_wide') using (C('gain')):(C('newton_most')) with "
    "points pt mark[g] ps 0.7 lc rgb tint[g] title shown[g], for [g=1:2] D(g==1 ? 'newton_typical' : "
    "'newton_wide') using (C('gain')):(C('contatto_most')) with points pt mark[g+2] ps 0.4 lc rgb tint[g+2] "
    "title shown[g+2]\n"
    "unset multiplot\n";

static ct_result draw(const ct_study_run *run, const tally all[AVANZINI_REGIONS], ct_error *error) {
  ct_result result = write_shares(run, all, error);
  return result == CT_OK ? figure_draw(run, "newton", 1100, 460, "", plot, error) : result;
}

typedef struct counting {
  one_run runs[RUNS];
  tally all[AVANZINI_REGIONS];
} counting;

ct_result avanzini_count(const ct_study_run *run, avanzini_counts counts[AVANZINI_REGIONS], ct_error *error) {
  static const char *const files[AVANZINI_REGIONS] = {"newton_typical", "newton_wide"};
  counting *c = calloc(1, sizeof *c);
  if (!c)
    return ct_fail(error, CT_NO_MEMORY, "no memory for counting");
  ct_result result = CT_OK;
  for (int g = 0; g < AVANZINI_REGIONS && result == CT_OK; g++) {
    result = count_region(g, c->runs, &c->all[g], &counts[g], error);
    if (result == CT_OK && run->folder)
      result = write_runs(run, files[g], c->runs, error);
  }
  if (result == CT_OK && run->folder)
    result = draw(run, c->all, error);
  free(c);
  return result;
}
