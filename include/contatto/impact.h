/* What a single impact does, in closed form: Hunt and Crossley's law f = k x^alpha (1 + mu x') between a mass
 * and a wall, or between two free masses seen through their reduced mass (Papetti, Avanzini and Rocchesso
 * 2009, section 2.1). Good to about 1e-13 relative for mu v from 0 to 1e3 and more, contact times to 1e-12.
 *
 * Compression x and its velocity v are positive inwards: a mass arrives with v > 0 and leaves with v < 0. */
#ifndef CONTATTO_IMPACT_H
#define CONTATTO_IMPACT_H

#include "base.h"

CT_DECLARATIONS_BEGIN

/* One impact, from the touch on. */
typedef struct ct_impact_case {
  double mass_kg;     /* against a wall; for two free masses ct_impact_reduced_mass_kg() */
  double stiffness;   /* k, N / m^alpha */
  double exponent;    /* alpha > 0 */
  double damping_s_m; /* mu >= 0 */
  double speed_m_s;   /* v_in > 0: how fast they close when they touch */
} ct_impact_case;

CT_API double ct_impact_reduced_mass_kg(double a_kg, double b_kg); /* [any] */

/* v_out < 0: exact root of eq. 6. It depends on neither mass nor stiffness. [any] */
CT_API double ct_impact_rebound_m_s(double speed_m_s, double damping_s_m);
/* v_out as the paper approximates it, eqs. 7 and 8: fitted at both ends of mu v. [any] */
CT_API double ct_impact_rebound_eq7_m_s(double speed_m_s, double damping_s_m);
/* v_lim = -1 / mu, which no rebound exceeds; minus infinity when nothing is lost. [any] */
CT_API double ct_impact_limit_m_s(double damping_s_m);
/* E = |v_out / v_in|, eq. 5: from 1 (nothing lost) towards 1 / (mu v_in). [any] */
CT_API double ct_impact_restitution(double speed_m_s, double damping_s_m);

/* x on the way through velocity v, eq. 3; 0 outside v_out .. v_in. [any] */
CT_API double ct_impact_compression_m(const ct_impact_case *impact, double v_m_s);
CT_API double ct_impact_largest_compression_m(const ct_impact_case *impact);             /* eq. 4; [any] */
CT_API double ct_impact_force_n(const ct_impact_case *impact, double x_m, double v_m_s); /* eq. 1; [any] */
CT_API double ct_impact_contact_time_s(const ct_impact_case *impact);                    /* eq. 9; [any] */
/* H_tau, eq. 18; of two free masses, without what their common centre carries. [any] */
CT_API double ct_impact_energy_left_j(const ct_impact_case *impact);

/* The k that makes the contact last so long; impact's own stiffness is not read. [any] */
CT_API double ct_impact_stiffness_for(const ct_impact_case *impact, double contact_time_s);

/* Two free masses on a line, before and after. They must be closing: a.v > b.v with a below b. */
typedef struct ct_impact_pair {
  double mass_kg[2], v_m_s[2];
} ct_impact_pair;

CT_API ct_impact_pair ct_impact_pair_after(const ct_impact_pair *before, double damping_s_m); /* [any] */

CT_DECLARATIONS_END

#endif
