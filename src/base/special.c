/* Special functions for set-up. Bessel functions by Miller's backward recurrence (stable for every order and
 * argument, no tables, the same on every platform); roots by bracketing, so that they always end. */
#include "base/special.h"

#include <math.h>
#include <stdbool.h>

/* Where to start the recurrence so that what is forgotten is below rounding: above both order and argument
 * the functions fall faster than geometrically. */
static int recurrence_start(int order, double x) {
  double top = fmax((double)order, x);
  int start = (int)(top + 24.0 + 9.0 * cbrt(top));
  return start + (start & 1); /* even, for the sum of even orders */
}

#define TINY 1e-280
#define LARGE 1e250

/* J_{k-1} = (2k/x) J_k - J_{k+1} and I_{k-1} = (2k/x) I_k + I_{k+1}, scaled at the end by
 * J_0 + 2 (J_2 + J_4 + ...) = 1 and I_0 + 2 (I_1 + I_2 + ...) = exp(x). */
static double recur(int order, double x, double sign) {
  if (x < 1e-30)
    return order == 0 ? 1.0 : 0.0;
  double above = 0.0, here = TINY, sum = 0.0, wanted = 0.0;
  for (int k = recurrence_start(order, x); k > 0; k--) {
    double below = 2.0 * k / x * here + sign * above;
    above = here;
    here = below;
    if (fabs(here) > LARGE) {
      here /= LARGE, above /= LARGE, sum /= LARGE, wanted /= LARGE;
    }
    if (k - 1 == order)
      wanted = here;
    if ((k - 1) % 2 == 0 || sign > 0)
      sum += k - 1 == 0 ? here : 2.0 * here;
  }
  return wanted / sum;
}

double ct_bessel_j(int order, double x) { return recur(order, x, -1.0); }

double ct_bessel_i_scaled(int order, double x) { return recur(order, x, 1.0); }

/* Secant within a bracket, bisecting whenever the bracket did not halve: quick, and cannot leave or stall. */
double ct_root_between(ct_function *f, const void *context, double a, double b) {
  double fa = f(a, context), fb = f(b, context), width = b - a;
  bool bisect = false;
  for (int i = 0; i < 200 && fa != 0.0 && fb != 0.0 && b - a > 2e-16 * fabs(b); i++) {
    double x = bisect ? 0.5 * (a + b) : a + (b - a) * (fa / (fa - fb));
    if (!(x > a && x < b))
      x = 0.5 * (a + b);
    if (!(x > a && x < b))
      break;
    double fx = f(x, context);
    if ((fx < 0.0) == (fa < 0.0))
      a = x, fa = fx;
    else
      b = x, fb = fx;
    bisect = b - a > 0.5 * width;
    width = b - a;
  }
  return fabs(fa) < fabs(fb) ? a : b;
}

double ct_root_above(ct_function *f, const void *context, double from, double step, double limit) {
  double a = from, fa = f(a, context);
  while (a < limit) {
    double b = a + step, fb = f(b, context);
    if (fb == 0.0)
      return b;
    if (fa != 0.0 && (fa < 0.0) != (fb < 0.0))
      return ct_root_between(f, context, a, b);
    a = b;
    fa = fb;
  }
  return HUGE_VAL;
}

/* Bonnet's recurrence; P_k' = P_(k-2)' + (2 k - 1) P_(k-1), and so on. */
void ct_legendre(double x, uint32_t count, double *value, double *slope, double *bend) {
  value[0] = 1.0, value[1] = x;
  slope[0] = 0.0, slope[1] = 1.0;
  bend[0] = bend[1] = 0.0;
  for (uint32_t k = 2; k < count; k++) {
    value[k] = ((2.0 * k - 1.0) * x * value[k - 1] - (k - 1.0) * value[k - 2]) / k;
    slope[k] = slope[k - 2] + (2.0 * k - 1.0) * value[k - 1];
    bend[k] = bend[k - 2] + (2.0 * k - 1.0) * slope[k - 1];
  }
}

#define POINTS 8

/* Positive half of the 16-point Gauss-Legendre rule, Abramowitz and Stegun table 25.4. */
static const double gauss_node[POINTS] = {0.0950125098376374402, 0.2816035507792589132, 0.4580167776572273863,
                                          0.6178762444026437484, 0.7554044083550030339, 0.8656312023878317439,
                                          0.9445750230732325761, 0.9894009349916499326};
static const double gauss_weight[POINTS] = {
    0.1894506104550684963, 0.1826034150449235889, 0.1691565193950025382, 0.1495959888165767321,
    0.1246289712555338721, 0.0951585116824927848, 0.0622535239386478929, 0.0271524594117540949};

double ct_integrate(ct_function *f, const void *context, double a, double b, uint32_t panels) {
  double half = 0.5 * (b - a) / panels, sum = 0.0;
  for (uint32_t panel = 0; panel < panels; panel++) {
    double middle = a + (2.0 * panel + 1.0) * half;
    for (int i = 0; i < POINTS; i++)
      sum += gauss_weight[i] *
             (f(middle - half * gauss_node[i], context) + f(middle + half * gauss_node[i], context));
  }
  return sum * half;
}
