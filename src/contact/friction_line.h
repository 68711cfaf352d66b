/* The line f(d) of friction at one frozen lambda; friction.c has the derivation. */
#ifndef CT_CONTACT_FRICTION_LINE_H
#define CT_CONTACT_FRICTION_LINE_H

#include "base/clamp.h"
#include "contact/friction.h"

#include <math.h>

/* Refused when built, mu_static < mu_dynamic may still happen while one of them is on its way: then sticking
 * holds as well as sliding, no less. */
static inline double ct_friction_static_mu(const ct_friction *f) {
  return ct_most(f->values.mu_static, f->values.mu_dynamic);
}

/* u, and the least s1' it wants. Where lambda is less than it was counted on, so is g: at rest, with lambda =
 * 0, there is no roughness. */
static inline void ct_frozen_roughen(const ct_friction *f, double lambda, ct_frozen *z, ct_frozen *slope) {
  bool fades = lambda < f->rough_lambda_per_s;
  double rise = fades ? f->rough_root / f->rough_lambda_per_s : 0, g = fades ? lambda * rise : f->rough_root;
  double s0 = f->bristle_n_m, least = s0 * g * g;
  z->rough = s0 * (g * (2 + g)); /* never below -s0 */
  slope->rough = s0 * 2 * (1 + g) * rise;
  if (lambda * z->damping < least) {
    z->damping = least / lambda;
    slope->damping = (2 * s0 * g * rise - z->damping) / lambda;
  }
}

/* Over such a step the line is the midpoint's, and no number of it but the divisor depends on lambda: smooth
 * bristles that bend over more than half a step, with their own damping. */
static inline bool ct_friction_is_midpoint(const ct_friction *f, double lambda, double h) {
  return f->rough_root == 0 && f->law != CT_KINETIC && lambda * h <= 2 &&
         (f->constant_damping || lambda * f->values.bristle_damping_n_s_m <= 2 * f->bristle_n_m);
}

/* The line at lambda, and in `slope` the derivatives of its numbers by lambda. */
static inline ct_frozen ct_friction_freeze_slope(const ct_friction *f, double lambda, double h,
                                                 ct_frozen *slope) {
  double s0 = f->bristle_n_m, s2 = f->values.viscous_n_s_m;
  ct_frozen z = {h / 2, f->values.bristle_damping_n_s_m, 1 + lambda * (h / 2), 0};
  *slope = (ct_frozen){0, 0, h / 2, 0};
  if (f->law == CT_KINETIC) { /* theta = 1 */
    z.step_s = slope->divisor = h;
    z.divisor = 1 + lambda * h;
  } else if (lambda * h > 2) { /* theta = 1 - 1/(lambda h) */
    z.step_s = h - 1 / lambda;
    z.divisor = lambda * h;
    slope->step_s = 1 / (lambda * lambda);
    slope->divisor = h;
  }
  if (f->rough_root != 0)
    ct_frozen_roughen(f, lambda, &z, slope);
  double over = lambda * z.damping - z.rough; /* beyond 2 s0 the interval's upper half begins */
  if (!f->constant_damping && over > 2 * s0 && over * over > 4 * lambda * s0 * (z.damping + s2)) {
    double root = sqrt(s0 * s0 + s0 * z.rough + s0 * s2 * lambda);
    z.damping = 2 / lambda * (s0 + z.rough / 2 + root);
    slope->damping = (slope->rough + s0 * (slope->rough + s2) / root - z.damping) / lambda;
  }
  return z;
}

static inline ct_frozen ct_friction_freeze(const ct_friction *f, double lambda, double h) {
  ct_frozen slope;
  if (ct_friction_is_midpoint(f, lambda, h))
    return (ct_frozen){h / 2, f->values.bristle_damping_n_s_m, 1 + lambda * (h / 2), 0};
  return ct_friction_freeze_slope(f, lambda, h, &slope);
}

/* Searches the lambda that the motion it leads to asks for, when the contact's bodies would close it by
 * d_free and yield by `compliance`; from f->lambda_start_per_s, and on its branch. Any lambda is passive:
 * what is left of the search is accuracy, not energy. */
double ct_friction_find_lambda(ct_friction *f, double h, double compliance, double d_free,
                               uint32_t *evaluations);

#endif
