/* Figures 6 and 7: velocity under the bow, and friction over velocity beside the steady curve, for the law of
 * temperature and for bristles. At eight times the rate, so that the corners of the loops show. */
#include "study/avanzini2002.h"
#include "study/figure.h"

#include <contatto/measure.h>
#include <math.h>

const char *const bowed_law_names[BOWED_LAWS] = {"thermal", "rosin", "soft"};

static const double beta = 0.1, normal_n = 1.1, played_s = 0.7;

enum { PERIODS = 8, SHOWN = 3 }; /* measured; drawn */

/* Rosin: our numbers, see avanzini2002_bow.h. Soft: the paper's mu, bristles so soft that they take a good part of a slip to
 * follow, and a curve that falls over the whole of it. */
static bow bow_with(int law) {
  bow b = bow_cello();
  b.rate_hz *= 8;
  b.friction.law = law == BOWED_THERMAL ? CT_THERMAL : CT_ELASTO_PLASTIC;
  if (law == BOWED_SOFT) {
    b.friction.bristle_n_m = 5e3;
    b.friction.bristle_damping_n_s_m = 0.05;
    b.friction.mu_static = 0.45;
    b.friction.mu_dynamic = 0.2;
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

void bowed_measure_loop(const bow *b, const bow_trace *t, double normal, bowed_loop *l) {
  uint32_t periods = (uint32_t)(PERIODS * b->rate_hz / BOW_HZ);
  view w = {t->v_m_s, t->force_n, t->speed_m_s[t->count - 1], normal, t->count - periods, t->count};
  double fastest = fastest_slip(&w);
  l->slip_m_s = fastest - w.speed_m_s;
  l->helmholtz_m_s = w.speed_m_s * (1 - l->beta) / l->beta;
  l->width = loop_width(&w, fastest);
  compare_with_curve(&w, &b->friction, fastest, l);
}

static ct_result measure_motion(const bow *b, const bow_trace *t, bowed_loop *l, ct_error *error) {
  uint32_t half = t->count / 2;
  regime_found found;
  const regime_bow how = {b->rate_hz, BOW_HZ, BOWED_SPEED_M_S, 0, l->beta};
  ct_result result = regime_judge(t->v_m_s + half, t->count - half, &how, &found, error);
  l->slips = found.slips;
  l->slip_share = found.slip_share;
  l->cents = ct_measure_cents(found.hz, BOW_HZ);
  return result;
}

/* ---- writing and drawing ---- */

static ct_result write_loop(const ct_study_run *run, int law, const bow *b, const bow_trace *t,
                            ct_error *error) {
  char name[40];
  figure_table *table;
  uint32_t shown = (uint32_t)(SHOWN * b->rate_hz / BOW_HZ);
  snprintf(name, sizeof name, "fig6_7_%s", bowed_law_names[law]);
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
  result = measure_motion(&b, &t, l, error);
  if (result == CT_OK && run->folder)
    result = write_loop(run, law, &b, &t, error);
  bow_trace_free(&t);
  return result;
}

static const char plot[] =
    "set multiplot layout 2,3 margins 0.055,0.99,0.085,0.94 spacing 0.055,0.13\n"
    "array file[3] = ['fig6_7_thermal', 'fig6_7_rosin', 'fig6_7_soft']\n"
    "array named[3] = ['fig. 6: thermal', 'fig. 7: bristles, stiff', 'fig. 7: soft bristles']\n"
    "array most[3] = [1.0, 1.4, 1.4]\n"
    "array high[3] = [0.7, 1.05, 0.5]\n"
    "thermal(v) = 0.4*exp(-v/0.01) + 0.45*exp(-v/0.1) + 0.35\n"
    "rosin(v) = 0.507 + 0.514*exp(-(v/0.228)**2)\n"
    "soft(v) = 0.2 + 0.25*exp(-v**2)\n"
    "steady(i, v) = i == 1 ? thermal(v) : i == 2 ? rosin(v) : soft(v)\n"
    "set xlabel 'time, ms'\n"
    "set ylabel 'velocity under the bow, m/s' offset 1\n"
    "set xrange [0:20.4]\n"
    "set yrange [-1.4:0.3]\n"
    "do for [i=1:3] {\n"
    "  set title named[i]\n"
    "  plot 0.1 with lines dt 3 lc rgb exact notitle, D(file[i]) using "
    "(1e3*C('time_s')):(C('v_m_s')) with lines lw 1.3 lc rgb ours notitle\n"
    "}\n"
    "unset title\n"
    "set xlabel 'bow less string, m/s'\n"
    "set ylabel 'coefficient of friction' offset 1\n"
    "set key top right\n"
    "set samples 500\n"
    "do for [i=1:3] {\n"
    "  set xrange [-0.1:most[i]]\n"
    "  set yrange [0:high[i]]\n"
    "  plot D(file[i]) using (C('slip_m_s')):(C('mu')) with lines lw 1.1 lc rgb ours title 'contatto', "
    "(x > 0 ? steady(i, x) : NaN) with lines dt 2 lw 1.5 lc rgb exact title 'steady sliding'\n"
    "}\n"
    "unset multiplot\n";

ct_result bowed_measure_loops(const ct_study_run *run, bowed_loop loops[BOWED_LAWS], ct_error *error) {
  ct_result result = CT_OK;
  for (int i = 0; i < BOWED_LAWS && result == CT_OK; i++)
    result = play_law(run, i, &loops[i], error);
  return result == CT_OK && run->folder ? figure_draw(run, "fig6_7", 1250, 760, "", plot, error) : result;
}
