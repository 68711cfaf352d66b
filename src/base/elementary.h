/* exp and sin where friction asks for them, on a short range, without branches, good to 1e-13; the angle of a
 * phasor where strings are retuned. They are inlined, and the same on every machine. */
#ifndef CT_BASE_ELEMENTARY_H
#define CT_BASE_ELEMENTARY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* exp(x) for x <= 0; 0 below -700. With x = (32 m + i) ln 2 / 32 + r, |r| <= ln 2 / 64:
 * exp(x) = 2^m 2^(i / 32) exp(r), and six terms of exp(r) leave 2e-15. */
static inline double ct_exp_negative(double x) {
  static const double root[32] = {
      0x1.0000000000000p+0, 0x1.059b0d3158574p+0, 0x1.0b5586cf9890fp+0, 0x1.11301d0125b51p+0,
      0x1.172b83c7d517bp+0, 0x1.1d4873168b9aap+0, 0x1.2387a6e756238p+0, 0x1.29e9df51fdee1p+0,
      0x1.306fe0a31b715p+0, 0x1.371a7373aa9cbp+0, 0x1.3dea64c123422p+0, 0x1.44e086061892dp+0,
      0x1.4bfdad5362a27p+0, 0x1.5342b569d4f82p+0, 0x1.5ab07dd485429p+0, 0x1.6247eb03a5585p+0,
      0x1.6a09e667f3bcdp+0, 0x1.71f75e8ec5f74p+0, 0x1.7a11473eb0187p+0, 0x1.82589994cce13p+0,
      0x1.8ace5422aa0dbp+0, 0x1.93737b0cdc5e5p+0, 0x1.9c49182a3f090p+0, 0x1.a5503b23e255dp+0,
      0x1.ae89f995ad3adp+0, 0x1.b7f76f2fb5e47p+0, 0x1.c199bdd85529cp+0, 0x1.cb720dcef9069p+0,
      0x1.d5818dcfba487p+0, 0x1.dfc97337b9b5fp+0, 0x1.ea4afa2a490dap+0, 0x1.f50765b6e4540p+0};
  static const double per_step = 46.166241308446828384 /* 32 / ln 2 */, step = 0.021660849392498290195;
  static const double to_integer = 0x1.8p52; /* added, it leaves the nearest integer in the low digits */
  if (!(x > -700))
    return 0;
  double shifted = x * per_step + to_integer, n = shifted - to_integer, r = x - n * step, scale;
  int64_t whole = (int64_t)n;
  uint64_t bits = (uint64_t)(1023 + (whole >> 5)) << 52;
  memcpy(&scale, &bits, sizeof scale);
  double r2 = r * r, p = 1 + r + r2 * (0.5 + r * (1.0 / 6) + r2 * (1.0 / 24 + r * (1.0 / 120)));
  return scale * root[whole & 31] * p;
}

/* sin(pi t) for |t| <= 1/2: ten terms of its series leave 3e-16. */
static inline double ct_sin_pi(double t) {
  double q = t * t, q2 = q * q, q4 = q2 * q2;
  double a =
      3.14159265358979324 - 5.16771278004997003 * q + (2.55016403987734544 - 0.599264529320792077 * q) * q2;
  double b = 0.0821458866111282287 - 0.00737043094571435078 * q +
             (0.000466302805767612567 - 2.19153534478302173e-05 * q) * q2;
  return t * (a + q4 * (b + q4 * (7.95205400147551261e-07 - 2.29484289972998965e-08 * q)));
}

/* cos(pi t) for |t| <= 1/2 to 5e-7: enough for a slope. */
static inline double ct_cos_pi_rough(double t) {
  double q = t * t, q2 = q * q;
  return 1 - 4.93480220054467931 * q + (4.05871212641676821 - 1.33526276885458942 * q) * q2 +
         (0.235330630358893203 - 0.0258068913900140593 * q) * q2 * q2;
}

/* atan2(y, x). Small angles, which filters turn a string's first partial by, are a series: eleven terms of it
 * leave 2e-17 of the angle where y is a fifth of x. */
static inline double ct_angle(double y, double x) {
  if (!(fabs(y) < 0.2 * x))
    return atan2(y, x);
  double t = y / x, q = t * t, q2 = q * q, q4 = q2 * q2;
  double low = (1 - q * (1.0 / 3)) + q2 * (1.0 / 5 - q * (1.0 / 7)),
         middle = (1.0 / 9 - q * (1.0 / 11)) + q2 * (1.0 / 13 - q * (1.0 / 15)),
         high = (1.0 / 17 - q * (1.0 / 19)) + q2 * (1.0 / 21);
  return t * (low + q4 * (middle + q4 * high));
}

#endif
