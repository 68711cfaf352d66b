/* One impact in closed form. With u = mu v the first integral of m v' = -k x^alpha (1 + u) is
 *
 *   V(x) / m + [u - ln(1 + u)] / mu^2 = constant,   V(x) = k x^p / p,   p = alpha + 1
 *
 * (eqs. 3, 4 and 6 of Papetti, Avanzini and Rocchesso 2009). Written down like that it cancels for small u
 * and near both ends of the contact, and divides by mu. Here every V / m is a sum of positive terms in the
 * velocity itself, so that mu = 0 and mu v = 1000 need no cases of their own. */
#include <contatto/impact.h>

#include <math.h>

#define SERIES_BELOW 0.1
#define SERIES_TERMS 18

/* (u - ln(1 + u)) / u^2 = 1/2 - u/3 + u^2/4 - ... */
static double log_defect(double u) {
  if (fabs(u) >= SERIES_BELOW)
    return (u - log1p(u)) / (u * u);
  double sum = 0;
  for (int k = SERIES_TERMS; k-- > 0;)
    sum = 1.0 / (k + 2) - u * sum;
  return sum;
}

/* (exp(-y) - 1 + y) / y^2 = 1/2! - y/3! + y^2/4! - ... */
static double exp_defect(double y) {
  if (fabs(y) >= SERIES_BELOW)
    return (expm1(-y) + y) / (y * y);
  double sum = 0;
  for (int k = SERIES_TERMS; k-- > 0;)
    sum = (1 - y * sum) / (k + 2);
  return sum;
}

static double log1p_over(double u) { return u == 0 ? 1 : log1p(u) / u; }
static double expm1_over(double y) { return y == 0 ? 1 : -expm1(-y) / y; }

/* ---- the rebound ---- */

/* How the mass leaves: e = -v_out / v_in, and l = -ln(1 + mu v_out) / mu, which stays finite where
 * 1 + mu v_out does not differ from 0. */
typedef struct departure {
  double restitution, log_m_s;
} departure;

#define MOST_STEPS 40

/* u < 1: e^2 defect(-e u) = defect(u). The left side is convex in e, so Newton from above only descends. */
static departure leave_gently(double u, double v) {
  double wanted = log_defect(u), e = 1 / (1 + u / 2);
  for (int i = 0; i < MOST_STEPS; i++) {
    double next = e - (e * e * log_defect(-e * u) - wanted) * (1 - e * u) / e;
    if (!(next < e))
      break;
    e = next;
  }
  return (departure){e, e * v * log1p_over(-e * u)};
}

/* u >= 1: t = 1 + u_out solves t - ln t = 1 + P, P = u - ln(1 + u); the smaller root, that is
 * -W0(-exp(-1 - P)). The left side is convex, so Newton from below, exp(-1 - P), only climbs. */
static departure leave_hard(double u, double mu) {
  double p = u - log1p(u), t = exp(-1 - p);
  for (int i = 0; i < MOST_STEPS && t > 0; i++) {
    double next = t + (log(t) - t + 1 + p) * t / (t - 1);
    if (!(next > t))
      break;
    t = next;
  }
  return (departure){(1 - t) / u, (1 + p - t) / mu};
}

static departure leave(double v, double mu) {
  double u = mu * v;
  return u < 1 ? leave_gently(u, v) : leave_hard(u, mu);
}

double ct_impact_restitution(double v, double mu) { return leave(v, mu).restitution; }

double ct_impact_rebound_m_s(double v, double mu) { return -v * leave(v, mu).restitution; }

double ct_impact_limit_m_s(double mu) { return -1 / mu; }

/* v_lim [1 - (1 + u + 2/3 u^2 + 2/9 u^3 + 14/135 u^4) exp(-2u)]; the bracket is about 2u/2 for small u, so it
 * is put together from terms that keep their digits. */
double ct_impact_rebound_eq7_m_s(double v, double mu) {
  double u = mu * v, fall = exp(-2 * u);
  double bracket = 2 * expm1_over(2 * u) - (1 + u * (2.0 / 3 + u * (2.0 / 9 + u * 14.0 / 135))) * fall;
  return -v * bracket;
}

/* ---- the way there ---- */

/* x from V(x) / m. */
static double compression(const ct_impact_case *c, double potential_over_mass) {
  double p = c->exponent + 1;
  return pow(p * c->mass_kg / c->stiffness * potential_over_mass, 1 / p);
}

/* Everything below sees the velocity through l = -ln(1 + mu v) / mu, about -v: it runs from l_in < 0 to l_out
 * > 0. With d = l_end - l from the end of the contact that has the same sign,
 *
 *   V / m = d slope,   slope = l (1 - exp(-mu l)) / (mu l) + d exp(-mu l) exp_defect(mu d) */
static double slope_at(double mu, double l, double d) {
  return l * expm1_over(mu * l) + d * exp(-mu * l) * exp_defect(mu * d);
}

double ct_impact_compression_m(const ct_impact_case *c, double v) {
  double mu = c->damping_s_m, v_in = c->speed_m_s, l = -v * log1p_over(mu * v);
  departure out = leave(v_in, mu);
  if (v >= v_in || v <= -v_in * out.restitution)
    return 0;
  double gap = (v_in - v) / (1 + mu * v);
  double d =
      v > 0 ? -gap * log1p_over(mu * gap) : out.log_m_s - l; /* the first is l_in - l, not cancelling */
  return compression(c, d * slope_at(mu, l, d));
}

double ct_impact_largest_compression_m(const ct_impact_case *c) {
  double v = c->speed_m_s;
  return compression(c, v * v * log_defect(c->damping_s_m * v));
}

double ct_impact_force_n(const ct_impact_case *c, double x, double v) {
  return x > 0 ? c->stiffness * pow(x, c->exponent) * (1 + c->damping_s_m * v) : 0;
}

double ct_impact_energy_left_j(const ct_impact_case *c) {
  double v = ct_impact_rebound_m_s(c->speed_m_s, c->damping_s_m);
  return 0.5 * c->mass_kg * v * v;
}

/* ---- contact time ---- */

/* Time is the integral of dv / (f / m) = dl / (k/m x^alpha) from l_in to l_out (eq. 9), and d = l_end s^p on
 * either side of l = 0 takes the singularity away:
 *
 *   tau = (p m / k)^(1/p)  sum over both sides of  |l_end|^(1/p)  integral 0..1 of |slope|^(-alpha/p) ds */
static double slowness(double end, double mu, double p, double s) {
  double d = end * pow(s, p);
  return pow(fabs(slope_at(mu, end - d, d)), 1 / p - 1);
}

/* s^p is not analytic at 0, so: the double exponential rule, s = 1 / (1 + exp(-pi sinh t)), which does not
 * mind what happens at the ends. */
static double integrate_side(double end, double mu, double p) {
  const double step = 0.0625, pi = 3.14159265358979323846;
  double sum = 0;
  for (int i = -60; i <= 60; i++) {
    double t = i * step, far = exp(-pi * sinh(t)), s = 1 / (1 + far), rest = far / (1 + far);
    double weight = pi * cosh(t) * s * rest;
    if (weight > 0)
      sum += weight * slowness(end, mu, p, s);
  }
  return pow(fabs(end), 1 / p) * sum * step;
}

/* tau of m / k = 1, whatever the units. */
static double unit_time(const ct_impact_case *c) {
  double v = c->speed_m_s, mu = c->damping_s_m, p = c->exponent + 1;
  double l_in = -v * log1p_over(mu * v), l_out = leave(v, mu).log_m_s;
  return pow(p, 1 / p) * (integrate_side(l_in, mu, p) + integrate_side(l_out, mu, p));
}

double ct_impact_contact_time_s(const ct_impact_case *c) {
  return pow(c->mass_kg / c->stiffness, 1 / (c->exponent + 1)) * unit_time(c);
}

/* tau ~ (m / k)^(1/p) and nothing else in it depends on k. */
double ct_impact_stiffness_for(const ct_impact_case *c, double contact_time_s) {
  return c->mass_kg * pow(unit_time(c) / contact_time_s, c->exponent + 1);
}

/* ---- two free masses ---- */

double ct_impact_reduced_mass_kg(double a, double b) { return a > b ? b / (1 + b / a) : a / (1 + a / b); }

/* The contact sees the difference of the two and their reduced mass; each takes its share of the impulse. */
ct_impact_pair ct_impact_pair_after(const ct_impact_pair *before, double mu) {
  ct_impact_pair after = *before;
  const double *m = before->mass_kg;
  double closing = before->v_m_s[0] - before->v_m_s[1];
  double impulse = ct_impact_reduced_mass_kg(m[0], m[1]) * closing * (1 + ct_impact_restitution(closing, mu));
  after.v_m_s[0] -= impulse / m[0];
  after.v_m_s[1] += impulse / m[1];
  return after;
}
