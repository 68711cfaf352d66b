/* x'' + g x' + w^2 x = a, a held over the step. With s = g/2 and z = (w^2 - s^2) h^2:
 *
 *   a12(h) = e^(-s h) h sinc(sqrt z)        response of x to v = 1
 *   ii     = integral_0^h a12               response of x to a = 1
 *   b22    = a22 - 1 = -(w^2 ii + g a12)    change of v from v = 1
 *
 * so that dx = a12 v + ii acc and dv = b22 v + a12 acc with acc = a - w^2 x: increments only, nothing near 1.
 * (1 - a11) / w^2 cancels for slow modes, so below w h = 1/2 the integral is done by quadrature, which is
 * exact to rounding there (20 points, integrand entire and nearly polynomial). */
#include "body/response.h"

#include <math.h>

enum { NODES = 20 };

/* Gauss-Legendre on [-1, 1], positive half. */
static const double node[NODES / 2] = {0.07652652113349733375, 0.22778585114164507808, 0.37370608871541956067,
                                       0.51086700195082709800, 0.63605368072651502545, 0.74633190646015079261,
                                       0.83911697182221882339, 0.91223442825132590587, 0.96397192727791379127,
                                       0.99312859918509492479};
static const double weight[NODES / 2] = {
    0.15275338713072585070, 0.14917298647260374679, 0.14209610931838205133, 0.13168863844917662690,
    0.11819453196151841731, 0.10193011981724043504, 0.08327674157670474872, 0.06267204833410906357,
    0.04060142980038694133, 0.01761400713915211831};

/* What falls by 60 dB in less than a nanosecond is gone within a step whatever the rate; shorter times only
 * leave the range of a double. */
double ct_damping_from_t60(double t60_s) {
  return t60_s > 0 ? 2 * log(1000.0) / fmax(t60_s, CT_SHORTEST_T60_S) : 0;
}

/* sinc(sqrt z) for z of either sign, without a seam at critical damping. */
static double sinc_root(double z) {
  if (fabs(z) < 1e-2)
    return 1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72)));
  double r = sqrt(fabs(z));
  return z > 0 ? sin(r) / r : sinh(r) / r;
}

static double cos_root(double z) {
  double r = sqrt(fabs(z));
  return z > 0 ? cos(r) : cosh(r);
}

/* Heavily over-damped: two real exponentials; e^(-sh) cosh would overflow. l1 l2 = w^2, and l1 - l2 = 2
 * sqrt(s
 * - w) sqrt(s + w): as a product of roots it neither overflows nor vanishes where s^2 - w^2 would. */
typedef struct roots {
  double l1, l2, apart;
} roots;

static roots real_roots(double w, double g) {
  double s = g / 2, half = sqrt(s - w) * sqrt(s + w), l1 = s + half;
  return (roots){l1, w * (w / l1), 2 * half};
}

static int heavily_damped(double w, double g, double h) { return g * h >= 4 && g > 2.5 * w; }

/* x after time t from x = 0, v = 1. */
static double velocity_to_displacement(double w, double g, double t) {
  if (heavily_damped(w, g, t)) {
    roots r = real_roots(w, g);
    return (exp(-r.l2 * t) - exp(-r.l1 * t)) / r.apart;
  }
  double s = g / 2;
  return exp(-s * t) * t * sinc_root((w * w - s * s) * t * t);
}

/* v after time t from v = 1: the derivative of the above. */
static double velocity_to_velocity(double w, double g, double t) {
  if (heavily_damped(w, g, t)) {
    roots r = real_roots(w, g);
    return (r.l1 * exp(-r.l1 * t) - r.l2 * exp(-r.l2 * t)) / r.apart;
  }
  double s = g / 2, z = (w * w - s * s) * t * t;
  return exp(-s * t) * (cos_root(z) - s * t * sinc_root(z));
}

/* integral_0^t e^(-l u) du = (1 - e^(-l t)) / l. Where l t is nothing beside 1 it is t, and l t may be too
 * small to divide by. */
static double decay_integral(double l, double t) { return l * t > 1e-17 ? -expm1(-l * t) / l : t; }

static double displacement_integral(double w, double g, double h) {
  if (heavily_damped(w, g, h)) {
    roots r = real_roots(w, g);
    return (decay_integral(r.l2, h) - decay_integral(r.l1, h)) / r.apart;
  }
  if (w * h >= 0.5) {
    double s = g / 2, z = (w * w - s * s) * h * h;
    return (1 - exp(-s * h) * (cos_root(z) + s * h * sinc_root(z))) / (w * w);
  }
  double sum = 0;
  for (int i = 0; i < NODES / 2; i++)
    sum += weight[i] * (velocity_to_displacement(w, g, h / 2 * (1 - node[i])) +
                        velocity_to_displacement(w, g, h / 2 * (1 + node[i])));
  return sum * h / 2;
}

ct_response ct_response_exact(double w, double g, double h) {
  if (w == 0 && g == 0)
    return (ct_response){h, h * h / 2, 0};
  ct_response r = {.a12 = velocity_to_displacement(w, g, h), .ii = displacement_integral(w, g, h)};
  r.b22 = heavily_damped(w, g, h) ? velocity_to_velocity(w, g, h) - 1 : -(w * w * r.ii + g * r.a12);
  return r;
}

/* Trapezoid: v_mid (1 + g h/2 + w^2 h^2/4) = v0 + h/2 acc, dx = h v_mid, v1 = 2 v_mid - v0. The same three
 * numbers with other values; b22 = -(w^2 ii + g a12) holds again. */
static double bilinear_divisor(double w, double g, double h) { return 1 + g * h / 2 + w * w * h * h / 4; }

ct_response ct_response_bilinear(double w, double g, double h) {
  double d = bilinear_divisor(w, g, h);
  return (ct_response){h / d, h * h / (2 * d), -(g * h + w * w * h * h / 2) / d};
}

/* The integrals below for two real exponentials: D(l) = (1 - e^(-l h)) / l stands for each product of two.
 * The roots are at least four apart, so the sums do not cancel. */
static ct_response_loss loss_heavily_damped(double w, double g, double h) {
  roots r = real_roots(w, g);
  double scale = g / r.apart / r.apart;
  double both = decay_integral(r.l1 + r.l2, h), fast = decay_integral(2 * r.l1, h),
         slow = decay_integral(2 * r.l2, h), a12 = velocity_to_displacement(w, g, h);
  return (ct_response_loss){.vv = scale * (r.l1 * r.l1 * fast - 2 * r.l1 * r.l2 * both + r.l2 * r.l2 * slow),
                            .va = g * a12 * a12 / 2, /* a22 is the derivative of a12 */
                            .aa = scale * (slow - 2 * both + fast)};
}

/* Loss per kg = g integral v(t)^2 dt with v(t) = v0 a22(t) + acc a12(t): quadrature in panels short enough
 * for both the oscillation and the decay. Independent of the energy balance, so that the ledger's closing
 * means something. */
ct_response_loss ct_response_loss_exact(double w, double g, double h) {
  ct_response_loss loss = {0, 0, 0};
  if (g == 0)
    return loss;
  if (heavily_damped(w, g, h))
    return loss_heavily_damped(w, g, h);
  int panels = 1 + (int)(g * h / 4); /* g h is below 4, or below 2.5 w h */
  double half = h / panels / 2;
  for (int p = 0; p < panels; p++)
    for (int i = -NODES / 2; i < NODES / 2; i++) {
      int k = i < 0 ? -i - 1 : i;
      double t = half * (2 * p + 1 + (i < 0 ? -node[k] : node[k])), u = g * half * weight[k];
      double from_v = velocity_to_velocity(w, g, t), from_a = velocity_to_displacement(w, g, t);
      loss.vv += u * from_v * from_v;
      loss.va += u * from_v * from_a;
      loss.aa += u * from_a * from_a;
    }
  return loss;
}

/* g h v_mid^2. */
ct_response_loss ct_response_loss_bilinear(double w, double g, double h) {
  double d = bilinear_divisor(w, g, h), u = g * h / (d * d);
  return (ct_response_loss){u, u * h / 2, u * h * h / 4};
}
