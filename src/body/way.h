/* The way of what rolls freely: a 0 Hz mode of the scene (physics: section 9). Over a step h under the forces
 * F (push and slope, known beforehand), -sigma f (the contact's, where the path rises by sigma per metre) and
 * g e (the ends', see drive/ends.c)
 *
 *   way = h (v + h (F - sigma f + g e) / 2M),   v+ = v + h (F - sigma f + g e) / M
 *
 * so M (v+^2 - v^2) / 2 = (F - sigma f + g e) way exactly, whatever sigma is: the contact closes by sigma way
 * and the way pays f sigma way for it, within the same solve. It slows down, stops and turns back where it
 * cannot climb, and nobody's work is needed. Rolling resistance c then takes speed, h c f / M at most all of
 * it: a loss, never a push. */
#ifndef CT_BODY_WAY_H
#define CT_BODY_WAY_H

#include <math.h>
#include <stdbool.h>

/* Its two ports. */
enum { CT_WAY_PATH, CT_WAY_ALONG, CT_WAY_PORTS };

typedef struct ct_way {
  double x_m, v_m_s;
  double rest_m_s;    /* what v has no digits for: under a steady pull the same rounding would add up */
  double mass_kg;     /* that moves along, turning included */
  double step_s;      /* of a sample; */
  double yield_m_n;   /* step^2 / 2 mass, */
  double gains_m_s_n; /* step / mass */
  double pull_n;      /* push and slope */
  double resistance;  /* newtons per newton of the contact's force */
  double slope;       /* of the path over this sample: the gain at the contact */
  double along;       /* gain at the ends of the way */
  bool held;          /* stands over this sample, whatever pulls */
  double gone_m;      /* in this sample so far */
  double matrix[CT_WAY_PORTS * CT_WAY_PORTS];
} ct_way;

static inline double ct_way_gain(const ct_way *w, int port) {
  return w->held ? 0 : port == CT_WAY_PATH ? w->slope : w->along;
}

/* How far it goes in a share of a sample if nothing touches it. */
static inline double ct_way_alone_m(const ct_way *w, double share) {
  return w->held ? 0 : w->step_s * share * w->v_m_s + w->yield_m_n * (share * share) * w->pull_n;
}

/* What the contact feels of it, m/N. */
static inline double ct_way_compliance(const ct_way *w, double share) {
  return w->held ? 0 : w->slope * w->slope * (w->yield_m_n * (share * share));
}

/* A sample begins. With no speed and nothing stronger than resistance it stands: the contact's last force
 * decides, and `ends_n` of the ends, along the way. */
static inline void ct_way_begin(ct_way *w, double slope, double pressed_n, double ends_n) {
  w->slope = slope;
  w->gone_m = 0;
  w->held = w->v_m_s == 0 && fabs(w->pull_n + ends_n - slope * pressed_n) <= w->resistance * pressed_n;
}

typedef struct ct_way_step {
  double way_m, lost_j; /* lost to resistance */
} ct_way_step;

/* Goes a share of a sample, pushed along by push_n and pressed by pressed_n. */
static inline ct_way_step ct_way_go(ct_way *w, double share, double push_n, double pressed_n) {
  if (w->held)
    return (ct_way_step){0, 0};
  double force_n = w->pull_n + push_n, gain = w->gains_m_s_n * share,
         way_m = w->step_s * share * w->v_m_s + w->yield_m_n * (share * share) * force_n;
  double change = gain * force_n + w->rest_m_s, v = w->v_m_s + change,
         brake = pressed_n > 0 ? gain * w->resistance * pressed_n : 0,
         left = v > brake    ? v - brake
                : v < -brake ? v + brake
                             : 0;
  w->rest_m_s = left == 0 ? 0 : change - (v - w->v_m_s);
  w->v_m_s = left;
  w->x_m += way_m;
  w->gone_m += way_m;
  return (ct_way_step){way_m, w->mass_kg * (v - left) * (v + left) / 2};
}

/* No further than this does it get in that time if nothing touches it: resistance only takes. */
static inline double ct_way_reach_m(const ct_way *w, double seconds) {
  return seconds * (fabs(w->v_m_s) + fabs(w->pull_n) / w->mass_kg * seconds / 2);
}

static inline double ct_way_kinetic_j(const ct_way *w) { return w->mass_kg * w->v_m_s * w->v_m_s / 2; }

#endif
