/* The numbers of a friction contact. */
#ifndef CT_CONTACT_FRICTION_H
#define CT_CONTACT_FRICTION_H

#include "base/fractal.h"
#include <contatto/defs.h>

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

#endif
