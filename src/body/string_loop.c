/* What a string's loop does to a sine: how long it takes round, and how much comes back. Pure functions of
 * the coefficients; the waves themselves are in string_wave.c. */
#include "base/elementary.h"
#include "base/special.h"
#include "body/waveguide.h"

#include <math.h>

static const double ln_1000 = 6.907755278982137;

/* f_n = n f0 sqrt(1 + B n^2), the stiff string hinged at both ends. */
double ct_loop_partial(double fundamental, double inharmonicity, double n) {
  return n * fundamental * sqrt(1 + inharmonicity * n * n);
}

/* n(f) is the loop's phase in turns, so its slope dn/df is the time round: (1/f0) sqrt(1 + B n^2) / (1 + 2 B
 * n^2). */
double ct_loop_trip(double inharmonicity, double n) {
  double b = inharmonicity * n * n;
  return sqrt(1 + b) / (1 + 2 * b);
}

/* The n whose partial lies at f = ratio f0. */
static double order_at(double inharmonicity, double ratio) {
  double b = inharmonicity * ratio * ratio;
  return ratio * sqrt(2 / (1 + sqrt(1 + 4 * b)));
}

/* ---- cells ---- */

/* The last two cells fade with S(t) = the integral of a hat, so that their shares sum to a straight line
 * (fraction + 1/2) and each begins and ends with slope zero: a cell comes and goes without a jump even of its
 * rate. */
double ct_cells_share(double cells, int which) {
  double fraction = cells - floor(cells), left = 1 - fraction;
  return which == 0 ? 1 - left * left / 2 : fraction * fraction / 2;
}

/* Two all-passes (k + z^-1) / (1 + k z^-1) with k = (1 - d)/(1 + d): d samples each at low frequencies. Each
 * 1 + k z^-1 turns by less than a quarter, so one arctangent does for both. */
double ct_cells_lag(double cells, ct_sine at) {
  double first = ct_cells_share(cells, 0), second = ct_cells_share(cells, 1);
  double k = (1 - first) / (1 + first), l = (1 - second) / (1 + second);
  double k_re = 1 + k * at.cos, k_im = k * at.sin, l_re = 1 + l * at.cos, l_im = l * at.sin;
  return (floor(cells) + 2) * at.w - 2 * ct_angle(k_re * l_im + k_im * l_re, k_re * l_re - k_im * l_im);
}

/* ---- filters ---- */

typedef struct complex_number {
  double re, im;
} complex_number;

/* The bridge moves by v = 2 a (x - s): X = (x - s)/x = (1 - z^-1) / (1 - (1 - q) z^-1). */
static complex_number bridge_share(double ease, ct_sine at) {
  double c = at.cos, s = at.sin, keep = 1 - ease;
  double above_re = 1 - c, above_im = s, below_re = 1 - keep * c, below_im = keep * s;
  double size = below_re * below_re + below_im * below_im;
  return (complex_number){(above_re * below_re + above_im * below_im) / size,
                          (above_im * below_re - above_re * below_im) / size};
}

static complex_number bridge(const ct_loop *loop, ct_sine at) {
  complex_number x = bridge_share(loop->ease, at);
  return (complex_number){1 - 2 * loop->give * x.re, -2 * loop->give * x.im};
}

/* |one-pole|^2: what both ends together let pass. */
static double poles_gain(double pole, double w) {
  return (1 - pole) * (1 - pole) / (1 - 2 * pole * cos(w) + pole * pole);
}

double ct_loop_gain(const ct_loop *loop, double w) {
  complex_number b = bridge(loop, ct_sine_at(w));
  return poles_gain(loop->pole, w) * hypot(b.re, b.im);
}

static double pole_lag(double pole, ct_sine at) { return ct_angle(pole * at.sin, 1 - pole * at.cos); }

/* Of the bridge with its one-pole: how far behind the last cell the string seems to end. */
double ct_loop_bridge_lag(const ct_loop *loop, ct_sine at) {
  complex_number b = bridge(loop, at);
  return pole_lag(loop->pole, at) - ct_angle(b.im, b.re);
}

/* (a2 + a1 z^-1 + z^-2) / D, D = 1 + a1 z^-1 + a2 z^-2: lags by 2 w + 2 arg D. */
static double section_lag(double e1, double e2, ct_sine at) {
  double a2 = 1 - e2, a1 = (e1 - 1) * (1 + a2), sin2 = 2 * at.sin * at.cos, cos2 = 1 - 2 * at.sin * at.sin;
  return 2 * at.w + 2 * ct_angle(-a1 * at.sin - a2 * sin2, 1 + a1 * at.cos + a2 * cos2);
}

double ct_loop_lag(const ct_loop *loop, ct_sine at) {
  complex_number b = bridge(loop, at);
  double lag = 2 * pole_lag(loop->pole, at) - ct_angle(b.im, b.re);
  for (uint32_t i = 0; i < loop->sections; i++)
    lag += section_lag(loop->e1[i], loop->e2[i], at);
  return lag;
}

double ct_loop_bridge_rest(const ct_loop *loop) {
  return loop->pole / (1 - loop->pole) + 2 * loop->give / loop->ease;
}

double ct_loop_rest(const ct_loop *loop) {
  double samples = ct_loop_bridge_rest(loop) + loop->pole / (1 - loop->pole);
  for (uint32_t i = 0; i < loop->sections; i++)
    samples += 2 * loop->e2[i] / (loop->e1[i] * (2 - loop->e2[i]));
  return samples;
}

/* ---- losses ---- */

/* Decay by frequency, alpha = a + b f^2 (1/s), through both given points. */
typedef struct decay_law {
  double constant, square;
} decay_law;

/* A decay of 0 s stands for none at all; one of less than a nanosecond is as good as at once. */
static double decay_per_s(double t60_s) { return t60_s > 0 ? ln_1000 / fmax(t60_s, 1e-9) : 0; }

static decay_law law_of(const ct_loss_wish *wish, double lowest_hz) {
  double low = decay_per_s(wish->t60_s);
  double high = fmax(decay_per_s(wish->high_t60_s), low);
  double high_hz = fmax(wish->high_hz, 1.5 * lowest_hz);
  double square = (high - low) / (high_hz * high_hz - lowest_hz * lowest_hz);
  square = fmin(square, low / (lowest_hz * lowest_hz));
  return (decay_law){low - square * lowest_hz * lowest_hz, square};
}

/* What one trip round leaves of a partial at this frequency: never nothing, since gains are divided by it. */
static double wanted_gain(const ct_loss_wish *wish, decay_law law, double hz) {
  double trip_s = ct_loop_trip(wish->inharmonicity, order_at(wish->inharmonicity, hz / wish->hz)) / wish->hz;
  return exp(-fmin((law.constant + law.square * hz * hz) * trip_s, 100));
}

/* A filter that does less than this to a wave is none: its state, which keeps its energy, would be as large
 * as it is weak. A decay of 1000 s at 20 kHz wants 3e-7. */
static double or_none(double coefficient) { return coefficient < 1e-12 ? 0 : coefficient; }

/* |O(high)|^2 / |O(low)|^2 = ratio is a quadratic in p, p + 1/p = 2 (c_low - ratio c_high)/(1 - ratio). */
static double pole_for(double ratio, double low, double high, double most) {
  if (ratio >= 1)
    return 0;
  double half = (cos(low) - ratio * cos(high)) / (1 - ratio);
  return half <= 1 ? most : or_none(fmin(1 / (half + sqrt(half * half - 1)), most));
}

/* |1 - 2 a X| = gain, the smaller root. */
static double give_for(double gain, complex_number x) {
  double size = x.re * x.re + x.im * x.im, under = x.re * x.re - size * (1 - gain * gain);
  return gain >= 1 ? 0 : or_none((x.re - sqrt(fmax(under, 0))) / (2 * size));
}

/* The bridge sets the decay of the fundamental, the poles how much faster high partials go. At 0 Hz neither
 * loses anything: a string that is held aside stays there. The bridge's spring lets go a twentieth of the
 * fundamental below it. */
void ct_loop_set_losses(ct_loop *loop, const ct_loss_wish *wish) {
  double first_hz = ct_loop_partial(wish->hz, wish->inharmonicity, 1), step_s = 1 / wish->rate_hz;
  decay_law law = law_of(wish, first_hz);
  double high_hz = fmin(fmax(wish->high_hz, 2 * first_hz), 0.35 * wish->rate_hz);
  double low = 2 * CT_PI * first_hz * step_s, high = 2 * CT_PI * fmax(high_hz, 1.2 * first_hz) * step_s;
  double wanted_low = wanted_gain(wish, law, first_hz),
         wanted_high = wanted_gain(wish, law, high / low * first_hz);
  double period = wish->rate_hz / wish->hz, most = period / (8 + period);
  ct_sine low_sine = ct_sine_at(low), high_sine = ct_sine_at(high);
  loop->ease = 0.05 * low;
  loop->give = 0;
  for (int i = 0; i < 4; i++) {
    complex_number at_low = bridge(loop, low_sine), at_high = bridge(loop, high_sine);
    double ratio = wanted_high / wanted_low * hypot(at_low.re, at_low.im) / hypot(at_high.re, at_high.im);
    loop->pole = pole_for(ratio, low, high, most);
    loop->give = fmin(give_for(wanted_low / poles_gain(loop->pole, low), bridge_share(loop->ease, low_sine)),
                      1 - loop->ease / 2);
  }
}

/* ---- tuning ---- */

/* All of the loop lags by one turn at the first partial. The cells' lag grows by w a cell but for a whiff, so
 * Newton with that slope is done in one or two steps, and four are enough for any string. */
double ct_loop_cells(const ct_loop *loop, const ct_loop_wish *wish) {
  double w = ct_loop_partial(wish->fundamental, wish->inharmonicity, 1);
  ct_sine at = ct_sine_at(w);
  double left = 2 * CT_PI - ct_loop_lag(loop, at), cells = left / w - 0.5, step = cells;
  for (int i = 0; i < 4 && fabs(step) > 1e-13 * cells; i++) {
    step = (left - ct_cells_lag(cells, at)) / w;
    cells += step;
  }
  return cells;
}

static double whole_lag(const ct_loop *loop, double cells, double w) {
  return ct_loop_lag(loop, ct_sine_at(w)) + ct_cells_lag(cells, ct_sine_at(w));
}

/* Newton on lag(w) = 2 pi n; the slope is the time round in samples, and the decay what is lost per round. */
double ct_loop_find_partial(const ct_loop *loop, double cells, double n, double near, double *t60_samples) {
  double w = near, trip = 1;
  for (int i = 0; i < 12; i++) {
    double step = 1e-4 * w;
    trip = (whole_lag(loop, cells, w + step) - whole_lag(loop, cells, w - step)) / (2 * step);
    w += (2 * CT_PI * n - whole_lag(loop, cells, w)) / trip;
    w = fmin(fmax(w, 1e-9), CT_PI * 0.999);
  }
  double lost = -log(ct_loop_gain(loop, w));
  *t60_samples = lost > 0 ? ln_1000 * trip / lost : 0;
  return w;
}
