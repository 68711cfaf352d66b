/* The numbers of a friction contact. */
#ifndef CT_CONTACT_FRICTION_H
#define CT_CONTACT_FRICTION_H

#include "base/clamp.h"
#include "base/fractal.h"
#include <contatto/defs.h>

#include <math.h>

#define CT_FRICTION_EVALUATIONS 80u /* of Lambda, at most, in one search */
#define CT_HEAT_STORES 5u

struct ct_contact;

typedef struct ct_heat_store {
  double warm_k;
  double cools_s; /* to 1/e in this time, at rest */
  double share;   /* of the temperature of steady sliding; sum 1 */
} ct_heat_store;

/* One frozen lambda: its line, or how that changes with lambda. */
typedef struct ct_frozen {
  double step_s;  /* theta h */
  double damping; /* s1' */
  double divisor; /* 1 + theta lambda h */
  double rough;   /* u */
} ct_frozen;

typedef struct ct_friction {
  ct_friction_def values; /* the definition, without its names: the schema moves its numbers */
  ct_law law;
  bool constant_damping; /* the papers' constant sigma_1: not passive */
  ct_roughness_model roughness_model;
  const struct ct_contact *source; /* normal force comes from this impact; null: values.normal_n */

  double z_m;                    /* bristle deflection */
  double z_before_m;             /* the same before the last substep */
  double lambda_per_s;           /* zdot = v - lambda z, frozen over the running substep */
  double lambda_before_per_s[3]; /* of the samples before, the last one first, */
  double lambda_start_per_s;     /* so that the next search starts here */
  double residual_slope;         /* of the last search: where the next one looks first */
  double normal_n;               /* this sample's */
  double bristle_n_m;            /* what z is measured with: sigma_0, or stiffer for the kinetic law */
  double travelled_m;            /* along the surface, for roughness */
  double begun_m;                /* the same a sample ago */
  double slip;                   /* share of the last substep's motion that slipped */
  double last_rub_n;             /* sigma_0 z_theta of the last substep: roughness is never stronger */
  double rough_share;            /* of the roughness that is felt */
  double rub_m_s;                /* velocity of the last substep */
  double rough_root;             /* of this sample: sqrt(1 + u / sigma_0) - 1, u zt is the roughness force */
  double rough_lambda_per_s;     /* it fades at smaller lambda */
  double added_n;                /* roughness of this sample as the papers' added force */
  double line_n, line_n_m;       /* f = line_n + line_n_m d while lambda is frozen */
  ct_frozen frozen;              /* it comes from this, */
  double per_divisor;            /* and 1 / divisor */
  uint64_t seed;                 /* the scene's */
  ct_fractal *surface;           /* rough in its own way: two contacts are not rough alike */

  /* thermal law */
  ct_heat_store *stores; /* film, then string from quick to slow */
  double temperature_k;  /* above the surroundings: the sum of theirs */
  double thermal_mu;     /* at this temperature, which stands still over a step */
} ct_friction;

/* The temperature of a rubbing contact, and what friction makes of it. */

/* mu at the surroundings' temperature. */
static const double ct_cold_mu = 0.4 + 0.45 + 0.35;

/* A contact at the surroundings' temperature, of its film and patch; its stores have their memory. */
void ct_thermal_fill(ct_friction *friction);
/* One step: `lost_j` of rubbing goes in, heat flows off. */
void ct_thermal_warm(ct_friction *friction, double lost_j, double v_m_s, double step_s);
/* mu at a temperature above the surroundings. */
double ct_thermal_mu(double temperature_k);
/* Share of its final temperature that a contact at rest reaches in this time under constant heating. */
double ct_thermal_rise(const ct_friction *friction, double time_s);

/* The line f(d) of friction at one frozen lambda; friction.c has the derivation. */

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
