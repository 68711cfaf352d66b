/* Figures 6 and 7: velocity under the bow, and friction over velocity beside the steady curve, for the law of
 * temperature and for bristles. At eight times the rate, so that the corners of the loops show. */
#include "study/avanzini2002.h"
#include "base/text.h"
#include "study/figure.h"

#include <contatto/measure.h>
#include <math.h>

const char *const bowed_law_names[BOWED_LAWS] = {"thermal",  "stiff 0.4", "stiff 0.5",
                                                 "soft 0.4", "soft 0.5",  "rosin"};

static const double beta = 0.1, normal_n = 1.1;
static const double played_s = 1.5; /* heat takes a third of a second to settle */

enum { PERIODS = 8, SHOWN = 3 }; /* measured; drawn */

static bool is_soft(int law) { return law == BOWED_SOFT_04 || law == BOWED_SOFT_05; }

/* Fig. 6: the thermal law. Fig. 7: bristles with the paper's mu, both ends of its range for mu_s; stiff as
 * our rosin's, or so soft that they take a good part of a slip to follow, with a curve that falls over the
 * whole of it. Last, rosin with our own numbers, see avanzini2002_bow.h. */
static bow bow_with(int law) {
  bow b = bow_cello();
  b.rate_hz *= 8;
  if (law == BOWED_THERMAL)
    b.friction.law = CT_THERMAL;
  else if (law != BOWED_ROSIN) {
    b.friction.mu_static = law == BOWED_STIFF_04 || law == BOWED_SOFT_04 ? 0.4 : 0.5;
    b.friction.mu_dynamic = 0.2;
  }
  if (is_soft(law)) {
    b.friction.bristle_n_m = 5e3;
    b.friction.bristle_damping_n_s_m = 0.05;
    b.friction.stribeck_m_s = 1;
  }
  return b;
}

/* ---- what a loop is like ---- */

typedef struct view {
  const double *v, *force;
  double speed_m_s, normal_n;
  uint32_t from, to;
} view;

static double slip_at(const view *w, uint32_t n) { return w->speed_m_s - w->v[n]; }
static double mu_at(const view *w, uint32_t n) { return w->force[n] / w->normal_n; }

static double fastest_slip(const view *w) {
  double most = 0;
  for (uint32_t n = w->from; n < w->to; n++)
    most = fmax(most, slip_at(w, n));
  return most;
}

/* Mean mu where the slip's speed passes `level`, upwards or downwards. */
static double crossing_mu(const view *w, double level, bool upwards) {
  double sum = 0, count = 0;
  for (uint32_t n = w->from + 1; n < w->to; n++) {
    double before = slip_at(w, n - 1), now = slip_at(w, n);
    if (upwards ? !(before < level && now >= level) : !(before >= level && now < level))
      continue;
    double t = (level - before) / (now - before);
    sum += mu_at(w, n - 1) + t * (mu_at(w, n) - mu_at(w, n - 1));
    count++;
  }
  return count > 0 ? sum / count : (double)NAN;
}

enum { LEVELS = 40 };

static double loop_width(const view *w, double fastest) {
  double sum = 0;
  for (int i = 0; i < LEVELS; i++) {
    double level = fastest * (0.1 + 0.8 * (i + 0.5) / LEVELS);
    sum += fabs(crossing_mu(w, level, true) - crossing_mu(w, level, false));
  }
  return sum / LEVELS;
}

/* In the slip, that is beyond a tenth of its greatest speed. */
static void compare_with_curve(const view *w, const ct_friction_def *f, double fastest, bowed_loop *l) {
  double on = 0, all = 0, way = 0, longest = 0;
  for (uint32_t n = w->from + 1; n < w->to; n++) {
    double slip = slip_at(w, n), steady = bow_steady_mu(f, slip);
    bool slipping = slip > 0.1 * fastest, follows = slipping && fabs(mu_at(w, n) / steady - 1) < 0.03;
    all += slipping;
    on += follows;
    way = follows ? way + fabs(w->v[n] - w->v[n - 1]) : 0;
    longest = fmax(longest, way);
  }
  l->on_curve_share = all > 0 ? on / all : (double)NAN;
  l->on_curve_longest = longest / fastest;
}

static double share_beyond(const view *w, double slip_m_s) {
  double beyond = 0;
  for (uint32_t n = w->from; n < w->to; n++)
    beyond += slip_at(w, n) > slip_m_s;
  return beyond / (w->to - w->from);
}

/* Of mu in the slip, and of mu at all. */
static void find_range(const view *w, double fastest, bowed_loop *l) {
  l->slip_mu[0] = l->mu[0] = INFINITY;
  l->slip_mu[1] = l->mu[1] = -INFINITY;
  for (uint32_t n = w->from; n < w->to; n++) {
    double mu = mu_at(w, n);
    l->mu[0] = fmin(l->mu[0], mu);
    l->mu[1] = fmax(l->mu[1], mu);
    if (slip_at(w, n) <= 0.1 * fastest)
      continue;
    l->slip_mu[0] = fmin(l->slip_mu[0], mu);
    l->slip_mu[1] = fmax(l->slip_mu[1], mu);
  }
}

void bowed_measure_loop(const bow *b, const bow_trace *t, double normal, bowed_loop *l) {
  uint32_t periods = (uint32_t)(PERIODS * b->rate_hz / BOW_HZ);
  view w = {t->v_m_s, t->force_n, t->speed_m_s[t->count - 1], normal, t->count - periods, t->count};
  double fastest = fastest_slip(&w);
  l->slip_m_s = fastest - w.speed_m_s;
  l->helmholtz_m_s = w.speed_m_s * (1 - l->beta) / l->beta;
  l->width = loop_width(&w, fastest);
  l->half_share = share_beyond(&w, w.speed_m_s / l->beta / 2);
  find_range(&w, fastest, l);
  compare_with_curve(&w, &b->friction, fastest, l);
}

ct_result bowed_measure_motion(const bow *b, const bow_trace *t, bowed_loop *l, ct_error *error) {
  uint32_t half = t->count / 2;
  ct_bowed_motion found;
  const ct_bowing how = {b->rate_hz, BOW_HZ, BOWED_SPEED_M_S, 0, l->beta};
  if (!ct_bowed_judge(t->v_m_s + half, t->count - half, &how, &found))
    return ct_fail(error, CT_NO_MEMORY, "no memory for slips");
  l->slips = found.slips;
  l->slip_share = found.slip_share;
  l->cents = ct_measure_cents(found.hz, BOW_HZ);
  return CT_OK;
}

/* ---- writing and drawing ---- */

static const char *const file_names[BOWED_LAWS] = {"thermal",  "stiff_0.4", "stiff_0.5",
                                                   "soft_0.4", "soft_0.5",  "rosin"};

static ct_result write_loop(const ct_study_run *run, int law, const bow *b, const bow_trace *t,
                            ct_error *error) {
  char name[40];
  figure_table *table;
  uint32_t shown = (uint32_t)(SHOWN * b->rate_hz / BOW_HZ);
  snprintf(name, sizeof name, "fig6_7_%s", file_names[law]);
  ct_result result = figure_table_begin(run, name, "time_s,v_m_s,slip_m_s,mu,steady_mu", &table, error);
  for (uint32_t i = 0; i < shown && result == CT_OK; i++) {
    uint32_t n = t->count - shown + i;
    double slip = t->speed_m_s[n] - t->v_m_s[n];
    result = figure_table_row(table,
                              (double[]){i / b->rate_hz, t->v_m_s[n], slip, t->force_n[n] / normal_n,
                                         bow_steady_mu(&b->friction, slip)},
                              error);
  }
  return figure_table_end(table, result, error);
}

static ct_result play_law(const ct_study_run *run, int law, bowed_loop *l, ct_error *error) {
  bow b = bow_with(law);
  const bow_row row = {0, BOWED_SPEED_M_S, normal_n, beta};
  bow_trace t;
  b.rows = &row;
  b.row_count = 1;
  *l = (bowed_loop){.beta = beta};
  ct_result result = bow_play(&b, played_s, &t, error);
  if (result != CT_OK)
    return result;
  bowed_measure_loop(&b, &t, normal_n, l);
  result = bowed_measure_motion(&b, &t, l, error);
  if (result == CT_OK && run->folder)
    result = write_loop(run, law, &b, &t, error);
  bow_trace_free(&t);
  return result;
}

static const char plot[] =
    "set multiplot layout 2,4 margins 0.045,0.99,0.085,0.94 spacing 0.045,0.13\n"
    "array file[4] = ['fig6_7_thermal', 'fig6_7_stiff_0.5', 'fig6_7_soft_0.5', 'fig6_7_rosin']\n"
    "array named[4] = ['fig. 6: thermal', 'fig. 7: stiff bristles, µ 0.5/0.2', 'fig. 7: soft bristles, µ "
    "0.5/0.2', 'stiff bristles, our µ 1.02/0.51']\n"
    "array high[4] = [0.8, 0.6, 0.6, 1.1]\n"
    "thermal(v) = 0.4*exp(-v/0.01) + 0.45*exp(-v/0.1) + 0.35\n"
    "stiff(v) = 0.2 + 0.3*exp(-(v/0.228)**2)\n"
    "soft(v) = 0.2 + 0.3*exp(-v**2)\n"
    "rosin(v) = 0.507 + 0.514*exp(-(v/0.228)**2)\n"
    "steady(i, v) = i == 1 ? thermal(v) : i == 2 ? stiff(v) : i == 3 ? soft(v) : rosin(v)\n"
    "set xlabel 'time, ms'\n"
    "set ylabel 'velocity under the bow, m/s' offset 1\n"
    "set xrange [0:20.4]\n"
    "set yrange [-1.4:0.3]\n"
    "do for [i=1:4] {\n"
    "  set title named[i]\n"
    "  plot 0.1 with lines dt 3 lc rgb exact notitle, D(file[i]) using "
    "(1e3*C('time_s')):(C('v_m_s')) with lines lw 1.3 lc rgb ours notitle\n"
    "}\n"
    "unset title\n"
    "set xlabel 'bow less string, m/s'\n"
    "set ylabel 'coefficient of friction' offset 1\n"
    "set key top right\n"
    "set samples 500\n"
    "set xrange [-0.1:1.4]\n"
    "do for [i=1:4] {\n"
    "  set yrange [0:high[i]]\n"
    "  plot D(file[i]) using (C('slip_m_s')):(C('mu')) with lines lw 1.1 lc rgb ours title 'contatto', "
    "(x > 0 ? steady(i, x) : NaN) with lines dt 2 lw 1.5 lc rgb exact title 'steady sliding'\n"
    "}\n"
    "unset multiplot\n";

ct_result bowed_measure_loops(const ct_study_run *run, bowed_loop loops[BOWED_LAWS], ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < BOWED_LAWS && result == CT_OK; i++)
    result = play_law(run, i, &loops[i], error);
  return result == CT_OK && run->folder ? figure_draw(run, "fig6_7", 1600, 760, "", plot, error) : result;
}
