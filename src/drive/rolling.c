/* A ball, wheel or barrel that rolls. Imposed, it moves as told. Free, its speed is its own account.
 *
 * Over a sample the path rises by `climbed` under the contact's force f, which costs f climbed; push and
 * slope bring F way; rolling resistance c takes c f |way|. So
 *
 *   E+ = E - f climbed + F way - c f |way|,   E = M (1 + inertia) v^2 / 2
 *
 * exactly, whatever the way was: v^2 <- v^2 - 2 f climbed / M_eff is the first term of it. The way itself is
 * h (v + v+) / 2 with v+ as the force of the last sample predicts it, -f slope being the path's share: under
 * a constant force the two agree, also where the ball turns back. Resistance stops it, and holds it while
 * nothing stronger pulls. A ball that has no more speed to pay with stops; what it owes then (the force was
 * another than predicted, at less than one sample's worth of speed) is booked as imposed motion. */
#include "drive/drive.h"

#include <math.h>

/* Slower than this is standing still: 1e-12 m/s is 20 um in a year. */
static const double standing_m_s = 1e-12;

static double pull_n(const ct_drive *d) {
  return d->values.push_n + d->carried_kg * d->gravity_m_s2 * d->values.slope;
}

static double pressed_n(const ct_drive *d) { return d->contact->force_n > 0 ? d->contact->force_n : 0; }

static double predict(const ct_drive *d, double step_s) {
  double pressed = pressed_n(d), per_n = step_s * d->per_kg,
         v = d->v_m_s + per_n * (pull_n(d) - pressed * d->slope),
         held = per_n * d->values.resistance * pressed;
  if (fabs(v) <= held || fabs(v) < standing_m_s)
    return 0;
  return v > 0 ? v - held : v + held;
}

/* No further than the end of the way. */
static double stop_at_end(ct_drive *d, double way) {
  const ct_drive_values *v = &d->values;
  double to = d->x_m + way;
  d->struck = false;
  if (v->low_m >= v->high_m || (to >= v->low_m && to <= v->high_m))
    return way;
  double end = to > v->high_m ? v->high_m : v->low_m;
  d->struck = (end - d->x_m) * way >= 0 && way != 0; /* else it was put outside: let it come in */
  return d->struck ? end - d->x_m : way;
}

/* With nothing to pull it, what the path's slope asks for and what resistance holds both grow with the force:
 * where it is held, it is held for good. */
static bool roll_stays(const ct_drive *d) {
  return d->free && d->kinetic_j == 0 && d->values.push_n == 0 && d->values.slope == 0 &&
         fabs(d->slope) <= d->values.resistance;
}

static double roll_advance(ct_drive *d, double step_s) {
  if (!d->free)
    return stop_at_end(d, ct_drive_follow(d, step_s));
  d->next_m_s = d->moved_kg > 0 ? predict(d, step_s) : d->v_m_s;
  return stop_at_end(d, step_s * (d->v_m_s + d->next_m_s) / 2);
}

/* The impulse goes to the rim, as a force over knock_s; what the rebound lacks is lost. */
static double rebound(ct_drive *d) {
  double before = d->kinetic_j, share = d->values.rebound, speed = fabs(d->v_m_s);
  d->kinetic_j *= share * share;
  d->v_m_s *= -share;
  if (d->rim.body && speed > standing_m_s) {
    d->knock_n_s = d->carried_kg * (1 + share) * speed;
    d->knock_left_s = d->values.knock_s;
  }
  return before - d->kinetic_j;
}

static void roll_settle(ct_drive *d, ct_drive_tally *t) {
  double cost = d->contact->force_n * d->climbed_m, gain = pull_n(d) * d->way_m,
         lost = d->values.resistance * pressed_n(d) * fabs(d->way_m);
  double left = d->kinetic_j - cost + gain - lost, owed = 0;
  if (d->next_m_s == 0 || left < 0) { /* stands; the last of its speed went into resistance */
    double change = left < -lost ? -lost : left;
    lost += change;
    owed = change - left;
    left = 0;
  }
  d->kinetic_j = left;
  d->v_m_s = copysign(sqrt(2 * left * d->per_kg), d->next_m_s);
  if (d->struck)
    lost += rebound(d);
  t->force_j = gain;
  t->motion_j = owed - cost;
  t->lost_j = lost;
}

const ct_drive_kind ct_roll_kind = {
    .name = "roll", .turns = true, .stays = roll_stays, .advance = roll_advance, .settle = roll_settle};
