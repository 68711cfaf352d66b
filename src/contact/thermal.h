/* The temperature of a rubbing contact, and what friction makes of it. */
#ifndef CT_CONTACT_THERMAL_H
#define CT_CONTACT_THERMAL_H

#include "contact/friction.h"

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
