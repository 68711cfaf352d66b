/* Symbols are the papers' here: s0 s1 s2 bristle stiffness, its damping, viscous friction; z bristle, y its
 * rate; v = v_resonator - v_exciter; the resonator gets -f, the exciter +f. */
#include "study/avanzini2005_kmethod.h"

#include <math.h>

/* ---- eqs. 1, 3, 5, 6: y = f_NL(v, z), and its derivatives ---- */

typedef struct rate {
  double y, by_v, by_z;
} rate;

/* z_ss without its sign, and its slope over v. */
static void steady(const ct_friction_def *f, double v, double *z_ss, double *slope) {
  double u = v / f->stribeck_m_s, fall = (f->mu_static - f->mu_dynamic) * exp(-u * u);
  *z_ss = (f->mu_dynamic + fall) * f->normal_n / f->bristle_n_m;
  *slope = -2 * u / f->stribeck_m_s * fall * f->normal_n / f->bristle_n_m;
}

typedef struct adhesion {
  double alpha, by_v, by_z;
} adhesion;

static adhesion adhere(const ct_friction_def *f, double v, double z, double z_ss, double slope) {
  double size = fabs(z), z_ba = f->breakaway * f->mu_dynamic * f->normal_n / f->bristle_n_m;
  if (v * z <= 0 || size <= z_ba)
    return (adhesion){0, 0, 0};
  if (size >= z_ss)
    return (adhesion){1, 0, 0};
  double span = z_ss - z_ba, u = M_PI * (size - (z_ss + z_ba) / 2) / span, half = M_PI / 2 * cos(u);
  return (adhesion){(1 + sin(u)) / 2, -half * slope * (size - z_ba) / (span * span),
                    half / span * copysign(1, z)};
}

/* y = v - a |v| z / z_ss */
static rate bristle_rate(const ct_friction_def *f, double v, double z) {
  double z_ss, slope, speed = fabs(v), sign = copysign(1, v);
  steady(f, v, &z_ss, &slope);
  adhesion a = adhere(f, v, z, z_ss, slope);
  double by_v = (a.by_v * speed + a.alpha * sign - a.alpha * speed * slope / z_ss) / z_ss;
  return (rate){v - a.alpha * speed * z / z_ss, 1 - z * by_v, -speed / z_ss * (a.alpha + z * a.by_z)};
}

/* ---- eqs. 11 and 12: one mode ---- */

static kmethod_mode make_mode(double rate_hz, const ct_mode_def *m) {
  double w = 2 * M_PI * m->hz, g = m->t60_s > 0 ? 2 * log(1000) / m->t60_s : 0, w2 = w * w;
  double delta = rate_hz * rate_hz + g * rate_hz / 2 + w2 / 4;
  return (kmethod_mode){.a11 = 1 - w2 / 2 / delta,
                        .a12 = rate_hz / delta,
                        .a21 = -rate_hz * w2 / delta,
                        .a22 = 2 * rate_hz * rate_hz / delta - 1,
                        .b1 = 1 / (4 * delta * m->mass_kg),
                        .b2 = 2 * rate_hz / (4 * delta * m->mass_kg),
                        .x_m = m->x_m,
                        .v_m_s = m->v_m_s};
}

/* With the part of the force that is known: force_n = f(n-1) + what is known of f(n). */
static void predict(kmethod_mode *m, double force_n) {
  double x = m->x_m;
  m->x_m = m->a11 * x + m->a12 * m->v_m_s + m->b1 * force_n;
  m->v_m_s = m->a21 * x + m->a22 * m->v_m_s + m->b2 * force_n;
}

static void correct(kmethod_mode *m, double force_n) {
  m->x_m += m->b1 * force_n;
  m->v_m_s += m->b2 * force_n;
}

/* ---- the loop ---- */

/* Eq. 10 from y(n-1). An iterate that is no number ends it. */
static void newton(kmethod *k, double v, double z) {
  double y = k->y_m_s;
  k->converged = false;
  for (k->iterations = 0; !k->converged && k->iterations < KMETHOD_MOST && isfinite(y);) {
    rate r = bristle_rate(&k->friction, v + k->k1 * y, z + k->k2 * y);
    double next = y - (r.y - y) / (r.by_v * k->k1 + r.by_z * k->k2 - 1);
    k->converged = fabs(next - y) <= KMETHOD_BOUND;
    k->iterations++;
    y = next;
  }
  k->y_m_s = y;
}

static double predict_bodies(kmethod *k) {
  double v = 0, ahead = k->delayed ? k->f_n : 0, known = k->applied_was_n + ahead;
  for (uint32_t j = 0; j < k->modes; j++) {
    predict(&k->resonator[j], -known);
    v += k->resonator[j].v_m_s;
  }
  predict(&k->exciter, known + k->pushed_n + k->push_n);
  k->pushed_n = k->push_n;
  k->applied_n = ahead;
  return v - k->exciter.v_m_s;
}

static void correct_bodies(kmethod *k) {
  for (uint32_t j = 0; j < k->modes; j++)
    correct(&k->resonator[j], -k->f_n);
  correct(&k->exciter, k->f_n);
  k->applied_n = k->f_n;
}

void kmethod_step(kmethod *k) {
  double s0 = k->friction.bristle_n_m, s1 = k->friction.bristle_damping_n_s_m, s2 = k->friction.viscous_n_s_m;
  double z = k->z_m + k->k2 * k->y_m_s, v = predict_bodies(k);
  if (!k->delayed)
    v = (v - k->b * s0 * z) / (1 + s2 * k->b);
  newton(k, v, z);
  k->v_m_s = v + k->k1 * k->y_m_s;
  k->z_m = z + k->k2 * k->y_m_s;
  k->f_n = s0 * k->z_m + s1 * k->y_m_s + s2 * k->v_m_s;
  if (!k->delayed)
    correct_bodies(k);
  k->applied_was_n = k->applied_n;
}

void kmethod_start(kmethod *k, const rub *r, bool delayed) {
  const ct_friction_def *f = &r->friction;
  ct_mode_def mass = {.mass_kg = r->exciter_kg > 0 ? r->exciter_kg : 1e9, .v_m_s = r->speed_m_s};
  *k = (kmethod){.friction = *f, .modes = r->mode_count, .delayed = delayed};
  k->exciter = make_mode(r->rate_hz, &mass);
  k->b = k->exciter.b2;
  for (uint32_t j = 0; j < r->mode_count; j++) {
    k->resonator[j] = make_mode(r->rate_hz, &r->modes[j]);
    k->b += k->resonator[j].b2;
  }
  double s0 = f->bristle_n_m, s1 = f->bristle_damping_n_s_m, s2 = f->viscous_n_s_m;
  k->k2 = 1 / (2 * r->rate_hz);
  k->k1 = delayed ? 0 : -k->b / (1 + s2 * k->b) * (s0 * k->k2 + s1);
  k->v_m_s = k->y_m_s = -r->speed_m_s; /* bristles straight: they bend as fast as it slides */
  k->f_n = k->applied_was_n = s1 * k->y_m_s + s2 * k->v_m_s;
}

double kmethod_velocity_m_s(const kmethod *k) {
  double v = 0;
  for (uint32_t j = 0; j < k->modes; j++)
    v += k->resonator[j].v_m_s;
  return v;
}
