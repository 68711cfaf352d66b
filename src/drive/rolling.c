/* A ball, wheel or barrel that rolls. Imposed, it moves as told. Free, its speed is its own account.
 *
 * Over a sample the path rises by `climbed` under the contact's force f, which costs f climbed; push and
 * slope bring F way; rolling resistance c takes c f |way|. So
 *
 *   E+ = E - f climbed + F way - c f |way|,   E = M (1 + inertia) v^2 / 2
 *
 * exactly, whatever the way was: v^2 <- v^2 - 2 f climbed / M_eff is the first term of it. The way itself, up
 * to the next tick, is T (v + v+) / 2 with v+ as the mean force since the last one predicts it, -f slope
 * being the path's share: under a constant force the two agree, also where the ball turns back. Resistance
 * stops it, and holds it while nothing stronger pulls. A ball that has no more speed to pay with stops on the
 * next tick; what it owes then (the force was another than predicted, at less than a tick's worth of speed)
 * is booked as imposed motion. */
#include "drive/drive.h"

#include <math.h>

/* Slower than this is standing still: 1e-12 m/s is 20 um in a year. */
static const double standing_m_s = 1e-12;

static double pull_n(const ct_drive *d) {
  return d->values.push_n + d->carried_kg * d->gravity_m_s2 * d->values.slope;
}

/* Speed after a span; -f slope is the path's share of what moves it. */
static double roll_predict(const ct_drive *d, double span_s) {
  double per_n = span_s * d->per_kg, v = d->v_m_s + per_n * (pull_n(d) - d->pressed_n * d->slope),
         held = per_n * d->values.resistance * d->pressed_n;
  if (fabs(v) <= held || fabs(v) < standing_m_s)
    return 0;
  return v > 0 ? v - held : v + held;
}

/* With nothing to pull it, what the path's slope asks for and what resistance holds both grow with the force:
 * where it is held, it is held for good. */
static bool roll_stays(const ct_drive *d) {
  return d->kinetic_j == 0 && d->values.push_n == 0 && d->values.slope == 0 &&
         fabs(d->slope) <= d->values.resistance;
}

/* The impulse goes to the rim, as a force over knock_s; what the rebound lacks is lost. */
static double roll_rebound(ct_drive *d) {
  double before = d->kinetic_j, share = d->values.rebound, speed = fabs(d->v_m_s);
  d->kinetic_j *= share * share;
  d->v_m_s *= -share;
  if (d->rim.body && speed > standing_m_s) {
    d->knock_n_s = d->carried_kg * (1 + share) * speed;
    d->knock_left_s = d->values.knock_s;
  }
  return before - d->kinetic_j;
}

/* Sample by sample, since it stops where it cannot pay. */
static void roll_pay(ct_drive *d, const ct_drive_step *step, uint32_t count, ct_drive_tally *t) {
  double left = d->kinetic_j, pull = pull_n(d), resistance = d->values.resistance;
  for (const ct_drive_step *s = step; s < step + count; s++) {
    double cost = s->force_n * s->climbed_m, gain = pull * s->way_m,
           lost = s->force_n > 0 ? resistance * s->force_n * fabs(s->way_m) : 0, owed = 0;
    left = left - cost + gain - lost;
    if (left < 0) {
      double change = left < -lost ? -lost : left;
      lost += change;
      owed = change - left;
      left = 0;
    }
    t->force_j += gain;
    t->motion_j += owed - cost;
    t->lost_j += lost;
  }
  d->kinetic_j = left;
}

const ct_drive_kind ct_roll_kind = {.name = "roll",
                                    .turns = true,
                                    .stays = roll_stays,
                                    .predict = roll_predict,
                                    .pay = roll_pay,
                                    .rebound = roll_rebound};
