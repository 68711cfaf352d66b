/* The ends of a free drive's way: two impact contacts between the way and the rim's point, or a wall where no
 * rim is named. A contact is asked for nothing while its end is far: it joins when the ball may reach it.
 *
 * Where the rim touches. What rolls over the floor without slipping has one speed, and a blow J at a height y
 * above the floor changes it by M (1 + I) dv = J y / r. The floor gives no blow of its own where y = (1 + I)
 * r (the centre of percussion: a billiard cushion is that high), and then J = M dv, the momentum of the
 * ball's mass alone. So the rim is met there: gain 1 + I at the end, through which the contact feels the mass
 * M (1 + I) / (1 + I)^2 = M / (1 + I).
 *
 * How hard. An exponent of 1 makes the time of contact independent of the speed: tau sqrt(m / k), which is
 * knock_s for k = m (tau / knock_s)^2. Hunt and Crossley's rebound e depends on u = mu v_in alone, by
 *
 *   u - ln(1 + u) = -e u - ln(1 - e u)
 *
 * (closed.c), so mu = u(e) / v_in with the speed it comes with: chosen on ticks, and not while pressed. tau
 * depends on e alone, from pi for e = 1 to sqrt(2 / e) for small e; in between
 *
 *   tau sqrt(e) = sqrt 2 + (pi - sqrt 2) e + 0.181 e (1 - e)
 *
 * is within 1 % of its integral. The rim yields, so both are what they say for a rim that is heavy. */
#include "drive/drive.h"

#include <math.h>

/* A rebound below this is none; a ball slower than this rebounds less, or it would never rest at an end. */
static const double least_rebound = 0.01, slow_m_s = 1e-3;

/* u(e): the left side less the right is rising in u, from 0, and infinite at u = 1 / e. */
static double damping_for(double e) {
  double low = 0, high = 1 / e;
  for (int i = 0; i < 60 && e < 1; i++) {
    double u = (low + high) / 2, over = u * (1 + e) - log1p(u) + log1p(-e * u);
    *(over > 0 ? &low : &high) = u;
  }
  return low;
}

void ct_drive_fill_ends(ct_drive *d) {
  for (int side = 0; side < CT_WAY_ENDS; side++) {
    ct_contact *c = &d->stop[side];
    ct_impact_fill(c, &(ct_impact_def){
                          .stiffness = 1, .exponent = 1, .quality = CT_END_QUALITY, .contact_speed_m_s = 1});
    (void)c->kind->parameters_changed(c);
  }
}

/* Two ticks at this speed and under these forces. A harder blow may carry it over an end unseen; it is then
 * met where it is. */
bool ct_drive_nears(const ct_drive *d, int side) {
  const ct_way *w = &d->way.as.way;
  bool has_ends = d->free && d->values.low_m < d->values.high_m;
  if (d->near[side] && d->stop[side].compression_m > 0)
    return true;
  double span_s = 2 * CT_TICK * w->step_s,
         pull = fabs(w->pull_n) + d->contact->force_n * (fabs(d->slope) + d->values.resistance),
         reach = span_s * (fabs(w->v_m_s) + span_s * pull / w->mass_kg);
  return has_ends && (side == CT_LOW_END ? w->x_m - d->values.low_m : d->values.high_m - w->x_m) <= reach;
}

void ct_drive_set_end(ct_drive *d, int side) {
  const ct_way *w = &d->way.as.way;
  ct_contact *c = &d->stop[side];
  if (d->rebound != d->values.rebound || d->rebound_time == 0) {
    double e = fmax(d->values.rebound, least_rebound);
    d->rebound = d->values.rebound;
    d->rebound_u = damping_for(e);
    d->rebound_time = (M_SQRT2 + (M_PI - M_SQRT2) * e + 0.181 * e * (1 - e)) / sqrt(e);
  }
  if (c->compression_m > 0)
    return;
  double mass = w->mass_kg / (w->along * w->along), per_s = d->rebound_time / d->values.knock_s;
  c->values.stiffness = mass * per_s * per_s;
  c->values.damping_s_m = d->rebound_u / fmax(w->along * fabs(w->v_m_s), slow_m_s);
  c->values.gap_m = w->along * (side == CT_LOW_END ? -d->values.low_m : d->values.high_m);
  c->limit_valid = 0;
}
