/* All-passes that stretch a string's partials to n f0 sqrt(1 + B n^2), and take back what the loss filters
 * and fading cells bend. K sections of second order; their poles, and a straight delay beside them, are the
 * least-squares fit of the loop's phase at the first twenty partials below a quarter of the rate, each
 * weighted as cents, by Levenberg's and Marquardt's method. The start is Abel and Smith's (Robust design of
 * very high-order allpass dispersion filters, DAFx-06): bands that hold one turn of the wanted phase each,
 * one section per band. Poles are kept in units of the fundamental, where the fit hardly depends on pitch:
 * gliding moves coefficients, not poles. */
#include "base/special.h"
#include "body/waveguide.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS = 2 * CT_STRING_SECTIONS + 1 };

static const double cents_per_e = 1731.2340490667562; /* 1200 / ln 2 */

typedef struct target {
  uint32_t count;
  double fundamental;
  ct_sine at[CT_STRING_PARTIALS];
  double lag[CT_STRING_PARTIALS];    /* what sections and the straight delay must make */
  double weight[CT_STRING_PARTIALS]; /* cents per radian */
} target;

typedef struct fit {
  uint32_t sections, unknowns;
  double x[UNKNOWNS]; /* per section ln decay, square of frequency; last the delay */
  double residual[CT_STRING_PARTIALS];
  double slope[CT_STRING_PARTIALS][UNKNOWNS];
  double cost, worst;
} fit;

/* The phase is off by e radians where the partial is off by e / (w trip) of itself. Partials above a quarter
 * of the rate fade out over a tenth of it, so that a glide meets no edge. */
static void aim(target *t, const ct_loop *bare, const ct_loop_wish *wish) {
  double period = 2 * CT_PI / wish->fundamental, fraction = wish->cells - floor(wish->cells);
  t->count = 0;
  t->fundamental = wish->fundamental;
  for (uint32_t n = 1; n <= CT_STRING_PARTIALS; n++) {
    double w = ct_loop_partial(wish->fundamental, wish->inharmonicity, n);
    double heeded = fmin(fmax((0.55 * CT_PI - w) / (0.05 * CT_PI), 0), 1);
    if (heeded <= 0)
      return;
    ct_sine at = t->at[t->count] = ct_sine_at(w);
    t->lag[t->count] = 2 * CT_PI * n - ct_loop_lag(bare, at) - ct_cells_lag(fraction, at);
    t->weight[t->count++] = heeded * cents_per_e / (w * period * ct_loop_trip(wish->inharmonicity, n));
  }
}

/* A pair of poles at exp(fundamental (-decay +- j frequency)), and how its coefficients follow. */
typedef struct pair {
  double a1, a2, a1_by_decay, a2_by_decay, a1_by_square;
  double e1, e2; /* 1 + a1/(1 + a2) and 1 - a2, without cancellation */
} pair;

static pair pair_of(double log_decay, double square, double fundamental) {
  double decay = exp(log_decay) * fundamental, e = exp(-decay), angle = sqrt(fabs(square)) * fundamental;
  double c = square >= 0 ? cos(angle) : cosh(angle);
  double s = angle < 1e-6 ? 1 : (square >= 0 ? sin(angle) : sinh(angle)) / angle;
  double half = square >= 0 ? sin(angle / 2) : sinh(angle / 2), gone = expm1(-decay);
  double at_rest = gone * gone + (square >= 0 ? 4 : -4) * e * half * half; /* 1 + a1 + a2 */
  return (pair){.a1 = -2 * e * c,
                .a2 = e * e,
                .a1_by_decay = 2 * decay * e * c,
                .a2_by_decay = -2 * decay * e * e,
                .a1_by_square = e * s * fundamental * fundamental,
                .e1 = at_rest / (1 + e * e),
                .e2 = -expm1(-2 * decay)};
}

/* The sections' phase at one partial. Each turns z D, z D = e^(jw) + a1 + a2 e^(-jw), by an angle between 0
 * and pi, half its lag; so their product is known to have passed a half-turn when its imaginary part changes
 * sign, and one arctangent does for all of them. */
typedef struct turning {
  double re, im;
  uint32_t halves;
} turning;

static void turn(turning *t, double re, double im) {
  double now_re = t->re * re - t->im * im, now_im = t->re * im + t->im * re;
  t->halves += (now_im < 0) != (t->halves % 2 == 1);
  t->re = now_re;
  t->im = now_im;
}

static double turned(const turning *t) {
  double sign = t->halves % 2 ? -1 : 1;
  return CT_PI * t->halves + atan2(sign * t->im, sign * t->re);
}

/* By a1 the lag changes as 2 Im(z^-1 / D), by a2 as 2 Im(z^-2 / D). */
static void add_section(fit *f, const target *t, const pair *p, uint32_t section, uint32_t partial,
                        turning *all) {
  double c = t->at[partial].cos, s = t->at[partial].sin;
  double re = p->a1 + (1 + p->a2) * c, im = (1 - p->a2) * s, size = re * re + im * im;
  double by_a1 = -2 * im / size, by_a2 = -2 * (s * re + c * im) / size;
  f->slope[partial][2 * section] = t->weight[partial] * (by_a1 * p->a1_by_decay + by_a2 * p->a2_by_decay);
  f->slope[partial][2 * section + 1] = t->weight[partial] * by_a1 * p->a1_by_square;
  turn(all, re, im);
}

static void evaluate(fit *f, const target *t) {
  pair pairs[CT_STRING_SECTIONS];
  f->cost = f->worst = 0;
  for (uint32_t k = 0; k < f->sections; k++)
    pairs[k] = pair_of(f->x[2 * k], f->x[2 * k + 1], t->fundamental);
  for (uint32_t i = 0; i < t->count; i++) {
    turning all = {1, 0, 0};
    for (uint32_t k = 0; k < f->sections; k++)
      add_section(f, t, &pairs[k], k, i, &all);
    double lag = f->x[2 * f->sections] * t->at[i].w + 2 * turned(&all);
    f->slope[i][2 * f->sections] = t->weight[i] * t->at[i].w;
    f->residual[i] = t->weight[i] * (lag - t->lag[i]);
    f->cost += f->residual[i] * f->residual[i];
    f->worst = fmax(f->worst, fabs(f->residual[i]));
  }
}

/* (J'J + damping diag J'J) step = -J'r by Cholesky. */
static void marquardt_step(const fit *f, const target *t, double damping, double step[UNKNOWNS]) {
  double m[UNKNOWNS][UNKNOWNS];
  uint32_t n = f->unknowns;
  for (uint32_t i = 0; i < n; i++) {
    step[i] = 0;
    for (uint32_t p = 0; p < t->count; p++)
      step[i] -= f->slope[p][i] * f->residual[p];
    for (uint32_t j = 0; j <= i; j++) {
      m[i][j] = 0;
      for (uint32_t p = 0; p < t->count; p++)
        m[i][j] += f->slope[p][i] * f->slope[p][j];
    }
    m[i][i] += damping * m[i][i] + 1e-12;
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j <= i; j++) {
      double sum = m[i][j];
      for (uint32_t k = 0; k < j; k++)
        sum -= m[i][k] * m[j][k];
      m[i][j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / m[j][j];
    }
    for (uint32_t k = 0; k < i; k++)
      step[i] -= m[i][k] * step[k];
    step[i] /= m[i][i];
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t k = i + 1; k < n; k++)
      step[i] -= m[k][i] * step[k];
    step[i] /= m[i][i];
  }
}

static double limited(double step, double most) { return fmin(fmax(step, -most), most); }

/* Poles move by no more than half of themselves at once, and decay neither at once nor never. */
static void walk(fit *f, const double step[UNKNOWNS]) {
  for (uint32_t k = 0; k < f->sections; k++) {
    f->x[2 * k] = fmin(fmax(f->x[2 * k] + limited(step[2 * k], 0.5), -4), 6);
    f->x[2 * k + 1] += limited(step[2 * k + 1], 0.5 * fmax(1, fabs(f->x[2 * k + 1])));
    double most = exp(2 * f->x[2 * k]); /* two real poles, both decaying */
    f->x[2 * k + 1] = fmax(f->x[2 * k + 1], -0.98 * most);
  }
  f->x[2 * f->sections] += step[2 * f->sections];
}

/* One step; true when nothing is left to gain. */
static bool improve(fit *f, const target *t, double *damping) {
  double step[UNKNOWNS];
  fit trial = *f;
  marquardt_step(f, t, *damping, step);
  walk(&trial, step);
  evaluate(&trial, t);
  if (!(trial.cost < f->cost)) {
    *damping *= 6;
    return *damping > 1e6;
  }
  bool done = f->cost - trial.cost < 1e-6 * f->cost + 1e-14;
  *damping = fmax(*damping / 4, 1e-7);
  *f = trial;
  return done;
}

/* ---- the start ---- */

/* Of n turns at partial n, a straight delay takes c f_n; sections take the rest. The n at which `turns` are
 * left to them, found above `from`. */
static double band_edge(double turns, double c, double b, double from, double last) {
  double n = (from + last) / 2;
  for (int i = 0; i < 40; i++) {
    double root = sqrt(1 + b * n * n), slope = 1 - c * (1 + 2 * b * n * n) / root;
    if (slope <= 1e-6)
      break;
    n = fmin(fmax(n - (n - c * n * root - turns) / slope, from), last);
  }
  return n;
}

static void start_in_bands(fit *f, const target *t, const ct_loop_wish *wish, uint32_t sections) {
  double b = wish->inharmonicity, last = t->count, k = sections, edge = 0;
  double c = fmax((last - k) / ct_loop_partial(1, b, last), 0.02);
  f->sections = sections;
  f->unknowns = 2 * sections + 1;
  for (uint32_t i = 0; i < sections; i++) {
    double next = band_edge(i + 1, c, b, edge, last);
    double low = ct_loop_partial(1, b, edge), high = ct_loop_partial(1, b, next);
    f->x[2 * i] = log(fmax(high - low, 0.3) / 2);
    f->x[2 * i + 1] = (low + high) * (low + high) / 4;
    edge = next;
  }
  f->x[2 * sections] = c * 2 * CT_PI / wish->fundamental;
}

void ct_loop_transpose(ct_loop *loop, double fundamental) {
  for (uint32_t i = 0; i < loop->sections; i++) {
    pair p = pair_of(loop->log_decay[i], loop->square[i], fundamental);
    loop->e2[i] = p.e2;
    loop->e1[i] = p.e1;
  }
}

static void keep(ct_loop *loop, const fit *f, double fundamental) {
  loop->sections = f->sections;
  loop->straight = f->x[2 * f->sections] * fundamental;
  for (uint32_t i = 0; i < f->sections; i++) {
    loop->log_decay[i] = f->x[2 * i];
    loop->square[i] = f->x[2 * i + 1];
  }
  ct_loop_transpose(loop, fundamental);
}

static ct_loop without_sections(const ct_loop *loop) {
  ct_loop bare = *loop;
  bare.sections = 0;
  return bare;
}

/* One section more until every partial is near enough, or more no longer help. */
double ct_loop_fit(ct_loop *loop, const ct_loop_wish *wish, uint32_t fewest, double enough_cents) {
  target t;
  fit f;
  ct_loop bare = without_sections(loop);
  double best = INFINITY;
  aim(&t, &bare, wish);
  for (uint32_t sections = fewest; sections <= CT_STRING_SECTIONS && best > enough_cents; sections++) {
    double damping = 0.01;
    memset(&f, 0, sizeof f);
    start_in_bands(&f, &t, wish, sections);
    evaluate(&f, &t);
    for (int i = 0; i < 80 && !improve(&f, &t, &damping); i++)
      continue;
    if (f.worst < best)
      keep(loop, &f, wish->fundamental);
    best = fmin(best, f.worst);
  }
  return best;
}

bool ct_loop_refit(ct_loop *loop, const ct_loop_wish *wish) {
  target t;
  fit f;
  ct_loop bare = without_sections(loop);
  bool done = false;
  if (loop->sections == 0)
    return true;
  f.sections = loop->sections;
  f.unknowns = 2 * loop->sections + 1;
  for (uint32_t i = 0; i < f.sections; i++) {
    f.x[2 * i] = loop->log_decay[i];
    f.x[2 * i + 1] = loop->square[i];
  }
  f.x[2 * f.sections] = loop->straight / wish->fundamental;
  aim(&t, &bare, wish);
  evaluate(&f, &t);
  double before = f.cost;
  for (double damping = 1e-4; damping < 10 && !done && f.cost == before; damping *= 100) {
    double tried = damping;
    done = improve(&f, &t, &tried);
  }
  done |= f.cost == before; /* no step helps: it is there */
  keep(loop, &f, wish->fundamental);
  return done;
}
