/* A harmonic sum in closed form.
 *
 * Wanted: y(theta) = sum_k W(k) k^-a sin(k theta), with W one up to K1 = full_hz / f0, falling in a straight
 * line to zero at K2 = none_hz / f0. For a geometric series, z = r exp(i theta),
 *
 *     sum_k W(k) z^k = z / (1 - z) - [P(K1) - P(K2)] / ((K2 - K1) (1 - z)^2)
 *
 * where P(n + p) = z^(n+1) (1 - p + p z), n whole, 0 <= p < 1: the ramp max(0, k - n) sums to
 * z^(n+1) / (1 - z)^2, and a ramp that starts between two whole numbers is a blend of its neighbours at every
 * whole k. K1 and K2 are real numbers, so W moves with f0 without steps.
 *
 * And k^-a is a sum of geometric series: with t = exp(u),
 *
 *     k^-a = 1/Gamma(a) integral exp(a u - k exp(u)) du = ln 2/Gamma(a) sum_j t_j^a exp(-k t_j),
 *
 * by the trapezoidal rule at t_j = 16 / 2^j. By Poisson's summation its relative error is
 * 2 |Gamma(a + 2 pi i/ln 2)| / Gamma(a): 1e-5 at a = 1, 1e-3 at a = 4. As t halves from term to term, exp(-n
 * t) of all terms is one exp and a chain of squares. The infinitely many terms that hardly decay before K2
 * are replaced by two with the same first four moments.
 *
 * Cancellation: |1 - z|^2 is formed from 1 - r and sin(theta/2), never from 1 - 2 r cos theta + r^2; what is
 * left of it at K theta < 0.006 is avoided by the sum's own straight line there. */
#include "source/harmonics.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define TERMS CT_HARMONIC_TERMS

static const double first_t = 16; /* exp(-2 t) is nothing beside the first harmonic */
static const double slow = 1;     /* terms with t K2 below this are two */
static const double gone = 14;    /* terms with t K1 above this have decayed to 1e-6 before the fade */

static double dyadic_t(uint32_t j) { return ldexp(first_t, -(int)j); }

/* The measure sum_m 2^(-m a) at x = 2^-m, m > 0, as two nodes (Gauss): its moments are 1/(2^(a+p) - 1). At
 * a = 0 all of it sits at x = 0. Shares are per t^a of the slowest dyadic term. */
static void split_rest(ct_harmonics *h, double a) {
  double sum = a > 0 ? h->norm / expm1(a * M_LN2) : 1, m[4] = {1};
  for (int p = 1; p < 4; p++)
    m[p] = h->norm / (exp2(a + p) - 1) / sum;
  double spread = m[2] - m[1] * m[1];
  if (spread <= 0) {
    h->rest_share[0] = sum;
    h->rest_share[1] = h->rest_t[0] = h->rest_t[1] = 0;
    return;
  }
  /* roots of x^2 - b x + c, which is orthogonal to 1 and x */
  double b = (m[3] - m[1] * m[2]) / spread, c = (m[1] * m[3] - m[2] * m[2]) / spread;
  double root = sqrt(b * b - 4 * c);
  h->rest_t[1] = (b + root) / 2;
  h->rest_t[0] = c / h->rest_t[1];
  h->rest_share[1] = sum * (m[1] - h->rest_t[0]) / root;
  h->rest_share[0] = sum - h->rest_share[1];
}

void ct_harmonics_set_exponent(ct_harmonics *h, double a) {
  double power = pow(first_t, a), ratio = exp2(-a);
  h->norm = M_LN2 * a / tgamma(1 + a); /* ln 2/Gamma(a), also at a = 0 */
  for (uint32_t j = 0; j < TERMS; j++, power *= ratio)
    h->dyadic_power[j] = power;
  split_rest(h, a);
  h->exponent = a;
  h->hz[0] = 0;
}

void ct_harmonics_init(ct_harmonics *h, double rate_hz, double exponent) {
  memset(h, 0, sizeof *h);
  h->kernel = ct_harmonics_kernel_at(0);
  h->full_hz = fmin(20000, 0.42 * rate_hz);
  h->none_hz = fmin(0.49 * rate_hz, 1.15 * h->full_hz);
  for (uint32_t j = 0; j < TERMS; j++) {
    h->dyadic_decay[j] = exp(-dyadic_t(j));
    h->dyadic_loss[j] = -expm1(-dyadic_t(j));
  }
  ct_harmonics_set_exponent(h, exponent);
}

/* The terms for harmonics up to `most`, slowest first. */
static void choose_terms(ct_harmonics *h, double most) {
  uint32_t last = 0;
  while (last + 3 < TERMS && dyadic_t(last) * most > slow)
    last++;
  for (int i = 0; i < 2; i++) {
    h->t[i] = h->rest_t[i] * dyadic_t(last);
    h->share[i] = h->rest_share[i] * h->dyadic_power[last];
    h->decay[i] = exp(-h->t[i]);
    h->loss[i] = -expm1(-h->t[i]);
  }
  for (uint32_t j = 0; j <= last; j++) {
    h->t[2 + j] = dyadic_t(last - j);
    h->share[2 + j] = h->norm * h->dyadic_power[last - j];
    h->decay[2 + j] = h->dyadic_decay[last - j];
    h->loss[2 + j] = h->dyadic_loss[last - j];
  }
  h->count = last + 3;
}

/* share exp(-t (n+1)) at one end of the fade. */
static void reach_fade(ct_harmonics *h, int end) {
  double power = exp(-h->t[2] * h->order[end]);
  for (uint32_t i = 0; i < 2; i++)
    h->knot[end][i] = h->share[i] * exp(-h->t[i] * h->order[end]);
  for (uint32_t i = 2; i < h->reach; i++) {
    h->knot[end][i] = h->share[i] * power;
    power *= power;
  }
}

/* P is linear in the part p for a whole n, and W(k) in f0 while no end passes a whole number. So over a block
 * n stays that of its middle and p runs in a straight line, if need be a little beyond 0 or 1: no steps in W.
 */
static void place_ends(ct_harmonics *h, double from_hz, double to_hz) {
  const double fade_hz[2] = {h->full_hz, h->none_hz};
  for (int e = 0; e < 2; e++) {
    double from = fade_hz[e] / from_hz, to = fade_hz[e] / to_hz, whole = floor(0.5 * (from + to));
    bool moved = h->order[e] != whole + 1 || h->hz[0] == 0;
    h->order[e] = whole + 1;
    h->part[e] = from - whole;
    h->part_step[e] = (to - from) / CT_HARMONIC_BLOCK;
    if (moved)
      reach_fade(h, e);
  }
  h->narrow = from_hz / (h->none_hz - h->full_hz);
  h->narrow_step = (to_hz - from_hz) / (h->none_hz - h->full_hz) / CT_HARMONIC_BLOCK;
}

void ct_harmonics_set_hz(ct_harmonics *h, double from_hz, double to_hz) {
  if (from_hz == h->hz[0] && to_hz == h->hz[1])
    return;
  double hz = 0.5 * (from_hz + to_hz), most = h->none_hz / hz;
  if (h->hz[0] == 0 || h->t[2] * most > slow || h->t[2] * most <= slow / 2) {
    choose_terms(h, most);
    h->hz[0] = 0;
  }
  uint32_t reach = 2;
  while (reach < h->count && h->t[reach] * h->full_hz / hz < gone)
    reach++;
  if (reach != h->reach)
    h->hz[0] = 0;
  h->reach = reach;
  place_ends(h, from_hz, to_hz);
  h->hz[0] = from_hz;
  h->hz[1] = to_hz;
}

void ct_harmonics_block(const ct_harmonics *h, const double turns[CT_HARMONIC_BLOCK],
                        double out[CT_HARMONIC_BLOCK]) {
  h->kernel(h, turns, out);
}
