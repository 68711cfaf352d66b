/* Thick beams: shear and rotary inertia (Timoshenko 1921) in the closed form of Huang (1961). With b = w L^2
 * sqrt(rho A / EI), which is beta^2 of a thin beam, r^2 = I / A L^2, s^2 = EI / kappa A G L^2,
 *
 *   alpha, beta = sqrt((-+(r^2 + s^2) + sqrt((r^2 - s^2)^2 + 4 / b^2)) / 2)
 *
 * the ends ask for
 *
 *   free      2 - 2 cosh b alpha cos b beta + b (b^2 r^2 (r^2 - s^2)^2 + 3 r^2 - s^2) / q sinh b alpha sin b
 * beta = 0 clamped   the same with r and s exchanged cantilever  2 + (b^2 (r^2 - s^2)^2 + 2) cosh cos - b
 * (r^2 + s^2) / q sinh sin = 0,   q = sqrt(1 - b^2 r^2 s^2) hinged    sin b beta = 0
 *
 * here divided by cosh. They hold up to b = 1 / rs, where sections begin to turn by themselves; from there
 * on, and for hinged ends, the frequency is that of an endless beam with the thin one's wavelength. Mode
 * shapes stay those of the thin beam. */
#include "body/shape.h"

#include <math.h>

/* Lower root of b^4 r^2 s^2 - b^2 (1 + k^2 (r^2 + s^2)) + k^4 = 0, which is that of b^2 as a product of
 * roots: the difference would cancel. */
static double endless(double k, const ct_thickness *t) {
  double k2 = k * k, middle = 1.0 + k2 * (t->rotary + t->shear),
         upper = middle + sqrt(middle * middle - 4.0 * t->rotary * t->shear * k2 * k2);
  return sqrt(2.0 * k2 * k2 / upper);
}

static double ends(ct_shape_edge edge, double b, const ct_thickness *t) {
  double r2 = t->rotary, s2 = t->shear, apart = (r2 - s2) * (r2 - s2), split = sqrt(apart + 4.0 / (b * b));
  /* split - (r2 + s2) as a quotient: it cancels near b = 1 / rs */
  double alpha = sqrt((4.0 / (b * b) - 4.0 * r2 * s2) / (split + r2 + s2) / 2.0),
         beta = sqrt((split + r2 + s2) / 2.0), q = sqrt(1.0 - b * b * r2 * s2);
  double sech = 1.0 / cosh(b * alpha), wave = cos(b * beta), other = tanh(b * alpha) * sin(b * beta) * b / q;
  if (edge == CT_EDGE_CANTILEVER)
    return 2.0 * sech + (b * b * apart + 2.0) * wave - (r2 + s2) * other;
  double own = edge == CT_EDGE_FREE ? r2 : s2, cross = edge == CT_EDGE_FREE ? s2 : r2;
  return 2.0 * sech - 2.0 * wave + (b * b * own * apart + 3.0 * own - cross) * other;
}

double ct_beam_thick_frequency(ct_shape_edge edge, int order, const ct_thickness *t) {
  double k = ct_beam_make(edge, order).root, guess = endless(k, t), last = 1.0 / sqrt(t->rotary * t->shear);
  if (k == 0.0 || edge == CT_EDGE_HINGED)
    return guess;
  /* the neighbours' roots are half a turn of k away */
  double low = endless(fmax(k - 1.5, 0.3 * k), t), high = endless(k + 1.5, t);
  if (high >= last || ends(edge, low, t) * ends(edge, high, t) > 0.0)
    return guess;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
    double middle = 0.5 * (low + high);
    if (ends(edge, low, t) * ends(edge, middle, t) <= 0.0)
      high = middle;
    else
      low = middle;
  }
  return 0.5 * (low + high);
}
