/* The harmonic sum's inner loop, included by one .c file per instruction set (which says how wide a vector
 * is, and how it is compiled). The formulas are derived in harmonics.c. */
#include "source/harmonics.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* all inlined: no vector crosses a call */
#endif

#define INLINE static inline __attribute__((always_inline))

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

static const double straight = 1e-3; /* turns times K2 below which the sum is a straight line */

typedef struct waves {
  lanes sine, cosine;
} waves;

/* Sine and cosine of angles in turns, of any size: reduced to half a turn, a quarter of that by Taylor's
 * series (next terms 5e-17 and 2e-18; grouped in powers of y^2 to shorten the chain), then doubled twice. */
INLINE waves turn(lanes turns) {
  const double whole = 6755399441055744.0; /* 1.5 2^52: adding it and taking it away leaves whole numbers */
  lanes x = (turns - ((turns + whole) - whole)) * (M_PI / 2), y = x * x, q = y * y, h = q * q;
  lanes s = ((1 - y * (1.0 / 6)) + q * (1.0 / 120 - y * (1.0 / 5040))) +
            h * ((1.0 / 362880 - y * (1.0 / 39916800)) + q * (1.0 / 6227020800 - y * (1.0 / 1307674368000)));
  lanes c = ((1 - y * (1.0 / 2)) + q * (1.0 / 24 - y * (1.0 / 720))) +
            h * ((1.0 / 40320 - y * (1.0 / 3628800)) +
                 q * ((1.0 / 479001600 - y * (1.0 / 87178291200)) + q * (1.0 / 20922789888000)));
  s *= x;
  for (int i = 0; i < 2; i++) {
    lanes twice = s + s, cosine = 1 - twice * s;
    s = twice * c;
    c = cosine;
  }
  return (waves){s, c};
}

/* What some samples need of theta: sin theta, 1 - cos theta, and at each end of the fade
 * exp(i order theta) (1 - part) and exp(i (order + 1) theta) part, both over the fade's width. */
typedef struct phase {
  lanes sine, bow, here_re[2], here_im[2], next_re[2], next_im[2];
} phase;

INLINE phase place(const ct_harmonics *h, lanes turns, lanes sample) {
  waves half = turn(turns * 0.5);
  phase p = {.sine = 2 * half.sine * half.cosine, .bow = 2 * half.sine * half.sine};
  lanes cosine = 1 - p.bow, narrow = h->narrow + h->narrow_step * sample;
  for (int e = 0; e < 2; e++) {
    waves end = turn(turns * h->order[e]);
    lanes part = narrow * (h->part[e] + h->part_step[e] * sample), here = narrow - part;
    p.here_re[e] = here * end.cosine;
    p.here_im[e] = here * end.sine;
    p.next_re[e] = part * (end.cosine * cosine - end.sine * p.sine);
    p.next_im[e] = part * (end.cosine * p.sine + end.sine * cosine);
  }
  return p;
}

/* With 1 - z = u - i v: Im z/(1-z) = v/(u^2+v^2), and N/(1-z)^2 = N (u + i v)^2/(u^2+v^2)^2, where N is what
 * is left at both ends of the fade. */
INLINE lanes sum_at(const ct_harmonics *h, lanes turns, lanes sample) {
  phase p = place(h, turns, sample);
  lanes total = p.sine * 0;
  for (uint32_t j = 0; j < h->reach; j++) {
    double r = h->decay[j], full = h->knot[0][j], none = h->knot[1][j];
    lanes u = h->loss[j] + r * p.bow, v = r * p.sine, uu = u * u, vv = v * v, over = 1 / (uu + vv);
    lanes re = full * (p.here_re[0] + r * p.next_re[0]) - none * (p.here_re[1] + r * p.next_re[1]);
    lanes im = full * (p.here_im[0] + r * p.next_im[0]) - none * (p.here_im[1] + r * p.next_im[1]);
    total += over * (h->share[j] * v - over * (re * (u + u) * v + im * (uu - vv)));
  }
  for (uint32_t j = h->reach; j < h->count; j++) {
    lanes u = h->loss[j] + h->decay[j] * p.bow, v = h->decay[j] * p.sine;
    total += h->share[j] * v / (u * u + v * v);
  }
  return total;
}

static void kernel_block(const ct_harmonics *h, const double turns[CT_HARMONIC_BLOCK],
                         double out[CT_HARMONIC_BLOCK]) {
  const double counted[4] = {0, 1, 2, 3};
  lanes first;
  memcpy(&first, counted, sizeof first);
  double least = straight / h->order[1], moved[CT_HARMONIC_BLOCK], scale[CT_HARMONIC_BLOCK];
  for (uint32_t i = 0; i < CT_HARMONIC_BLOCK; i++) {
    bool near = fabs(turns[i]) < least;
    moved[i] = near ? least : turns[i];
    scale[i] = near ? turns[i] / least : 1;
  }
  for (uint32_t i = 0; i < CT_HARMONIC_BLOCK; i += LANES) {
    lanes at, by;
    memcpy(&at, moved + i, sizeof at);
    memcpy(&by, scale + i, sizeof by);
    lanes y = by * sum_at(h, at, first + (double)i);
    memcpy(out + i, &y, sizeof y);
  }
}
