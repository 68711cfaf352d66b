/* The search for lambda: the root of g(lambda) = a(v, zt) |v| - lambda z_ss(v), where v and zt are what
 * lambda leads to. With D = 1 + T lambda, T = theta h, stiff = s0 + u, and the line of friction.c brought
 * under one divisor,
 *
 *   v  = N / M,   N = (d_free - C f_added) D - C z0 (stiff - s1' lambda),   M = (h + C s2) D + C (stiff T +
 * s1') zt = (z0 + T v) / D
 *
 * so that the slope of g is known in closed form: v' = (N' - v M') / M, zt' = (T' v + T v' - zt D') / D.
 * Newton starts where the last four lambdas point to, and is believed when its step is small: the next one
 * would be a millionth of it. Where the slope does not fall, or six steps do not arrive, the root is
 * bracketed from the last lambda towards the residual's sign, so that it stays on its branch. */
#include "base/elementary.h"
#include "base/inline.h"
#include "contact/friction.h"

enum { NEWTON_STEPS = 6 };

static const double small_step = 3e-4; /* of lambda: Newton's next would be about its square */

/* What stays the same while lambda is sought. */
typedef struct search {
  const ct_friction *f;
  double h, compliance, free_m; /* free: d_free less what an added force closes */
  double still_s;               /* h + C s2 */
  double z_ba, z_per_mu;        /* z_ss = mu z_per_mu */
  double per_stribeck;          /* s/m */
  double slope;                 /* of the residual, by the last two evaluations */
  uint32_t evaluations;
} search;

static search prepare(const ct_friction *f, double h, double compliance, double d_free) {
  double z_per_mu = f->normal_n / f->bristle_n_m;
  double z_ba = f->law == CT_ELASTO_PLASTIC ? f->values.breakaway * f->values.mu_dynamic * z_per_mu : 0;
  return (search){.f = f,
                  .h = h,
                  .compliance = compliance,
                  .free_m = d_free - compliance * f->added_n,
                  .still_s = h + compliance * f->values.viscous_n_s_m,
                  .z_ba = z_ba,
                  .z_per_mu = z_per_mu,
                  .per_stribeck = 1 / f->values.stribeck_m_s,
                  .slope = f->residual_slope};
}

/* The motion that a lambda leads to, and its derivative by lambda. */
typedef struct motion {
  double v, zt, v_slope, zt_slope;
} motion;

/* N and M, how they change with lambda, and the line they come from. */
typedef struct line_of_motion {
  double n, m, n_slope, m_slope;
  double step_s, divisor, step_slope, divisor_slope;
} line_of_motion;

/* Only the divisor depends on lambda. */
CT_INLINE line_of_motion midpoint_line(const search *s, double lambda) {
  const ct_friction *f = s->f;
  double half = s->h / 2, divisor = 1 + lambda * half, damping = f->values.bristle_damping_n_s_m;
  double c = s->compliance, c_z0 = c * f->z_m, stiff = f->bristle_n_m;
  return (line_of_motion){.n = s->free_m * divisor - c_z0 * (stiff - damping * lambda),
                          .m = s->still_s * divisor + c * (stiff * half + damping),
                          .n_slope = s->free_m * half + c_z0 * damping,
                          .m_slope = s->still_s * half,
                          .step_s = half,
                          .divisor = divisor,
                          .divisor_slope = half};
}

CT_INLINE line_of_motion any_line(const search *s, double lambda) {
  const ct_friction *f = s->f;
  ct_frozen dz, z = ct_friction_freeze_slope(f, lambda, s->h, &dz);
  double c = s->compliance, c_z0 = c * f->z_m, stiff = f->bristle_n_m + z.rough;
  return (line_of_motion){
      .n = s->free_m * z.divisor - c_z0 * (stiff - z.damping * lambda),
      .m = s->still_s * z.divisor + c * (stiff * z.step_s + z.damping),
      .n_slope = s->free_m * dz.divisor - c_z0 * (dz.rough - dz.damping * lambda - z.damping),
      .m_slope = s->still_s * dz.divisor + c * (dz.rough * z.step_s + stiff * dz.step_s + dz.damping),
      .step_s = z.step_s,
      .divisor = z.divisor,
      .step_slope = dz.step_s,
      .divisor_slope = dz.divisor};
}

CT_INLINE motion motion_at(const search *s, double lambda) {
  line_of_motion l =
      ct_friction_is_midpoint(s->f, lambda, s->h) ? midpoint_line(s, lambda) : any_line(s, lambda);
  double per_m = 1 / l.m, per_divisor = 1 / l.divisor;
  motion x = {.v = l.n * per_m};
  x.zt = (s->f->z_m + l.step_s * x.v) * per_divisor;
  x.v_slope = (l.n_slope - x.v * l.m_slope) * per_m;
  x.zt_slope = (l.step_slope * x.v + l.step_s * x.v_slope - x.zt * l.divisor_slope) * per_divisor;
  return x;
}

/* mu of steady sliding at v, and its derivative by v. */
static inline double sliding_mu(const search *s, double v, double *slope) {
  const ct_friction *f = s->f;
  *slope = 0;
  switch (f->law) {
  case CT_DAHL:
    return f->values.mu_dynamic;
  case CT_THERMAL:
    return f->thermal_mu;
  default: {
    double u = v * s->per_stribeck, rest = ct_friction_static_mu(f) - f->values.mu_dynamic;
    double falling = rest * ct_exp_negative(-(u * u));
    *slope = -2 * u * s->per_stribeck * falling;
    return f->values.mu_dynamic + falling;
  }
  }
}

/* g and z_ss, of which Lambda less lambda is the quotient, and Newton's step to the root. */
typedef struct residual_at {
  double g, z_ss, step; /* step: NaN where the slope is not negative */
} residual_at;

CT_INLINE residual_at evaluate(search *s, double lambda) {
  const ct_friction *f = s->f;
  motion x = motion_at(s, lambda);
  double size = fabs(x.zt), a = 1, a_slope = 0, mu_slope;
  bool bends = f->law == CT_ELASTO_PLASTIC;
  s->evaluations++;
  if (bends && (x.v * x.zt <= 0 || size <= s->z_ba)) /* bristles that only bend ask for no steady state */
    return (residual_at){-lambda, 1, (double)NAN};
  double z_ss = sliding_mu(s, x.v, &mu_slope) * s->z_per_mu, z_ss_slope = mu_slope * s->z_per_mu * x.v_slope;
  if (bends && size < z_ss) { /* a smooth step from 0 to 1 */
    double per_width = 1 / (z_ss - s->z_ba), t = (size - (z_ss + s->z_ba) / 2) * per_width;
    a = (1 + ct_sin_pi(t)) / 2;
    a_slope =
        M_PI / 2 * ct_cos_pi_rough(t) * per_width * (copysign(1, x.zt) * x.zt_slope - z_ss_slope * (0.5 + t));
  }
  double g = a * fabs(x.v) - lambda * z_ss;
  double slope = a_slope * fabs(x.v) + a * copysign(1, x.v) * x.v_slope - z_ss - lambda * z_ss_slope;
  return (residual_at){g, z_ss, slope < 0 ? -g / slope : (double)NAN};
}

CT_OUTLINE double residual(search *s, double lambda) {
  residual_at r = evaluate(s, lambda);
  return r.g / r.z_ss;
}

static bool spent(const search *s) { return s->evaluations >= CT_FRICTION_EVALUATIONS; }

/* Near enough, or at rest: a step would not feel the rest of lambda. */
static inline bool is_found(const search *s, residual_at r, double lambda) {
  return fabs(r.g) <= 1e-10 * lambda * r.z_ss || fabs(r.g) * s->h <= 1e-15 * r.z_ss;
}

static bool found(const search *s, double residual, double lambda) {
  return is_found(s, (residual_at){residual, 1, 0}, lambda);
}

/* Chandrupatla's method between a (residual >= 0) and b (residual < 0), begun with a secant; stops at 1e-10
 * of lambda. */
static double between(search *s, double a, double ra, double b, double rb) {
  double c = a, rc = ra, t = ra / (ra - rb);
  while (!spent(s)) {
    t = ct_clamp(t, 1e-6, 1 - 1e-6);
    double x = a + t * (b - a), rx = residual(s, x);
    s->slope = (rx - ra) / (x - a);
    if ((rx >= 0) == (ra >= 0)) {
      c = a;
      rc = ra;
    } else {
      c = b;
      rc = rb;
      b = a;
      rb = ra;
    }
    a = x;
    ra = rx;
    double best = fabs(ra) < fabs(rb) ? a : b, gap = fabs(b - c) + fabs(b - a);
    if (found(s, ct_least(fabs(ra), fabs(rb)), best) || fabs(b - a) <= 1e-12 * best || gap == 0)
      return best;
    double xi = (a - b) / (c - b), phi = (ra - rb) / (rc - rb);
    bool quadratic = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
    t = quadratic ? ra / (rb - ra) * rc / (rb - rc) + (c - a) / (b - a) * ra / (rc - ra) * rb / (rc - rb)
                  : 0.5;
  }
  return a;
}

/* How far to look for the other side of the root: where the line of this slope crosses zero, and a little
 * beyond. A slope that does not fall as a residual should is not believed. */
static double reach(const search *s, double r) { return 1.02 * fabs(r) / ct_clamp(-s->slope, 0.5, 1e3); }

static void learn(search *s, double from, double r_from, double to, double r_to) {
  s->slope = (r_to - r_from) / (to - from);
}

/* Upwards from a lambda whose residual is positive. */
static double upwards(search *s, double low, double r_low) {
  for (double high = low + reach(s, r_low); !spent(s);) {
    double r = residual(s, high);
    learn(s, low, r_low, high, r);
    if (found(s, r, high))
      return high;
    if (r < 0)
      return between(s, low, r_low, high, r);
    low = high;
    r_low = r;
    high += ct_most(reach(s, r), 4 * r + high);
  }
  return low;
}

/* Downwards from one whose residual is negative; at zero it never is. */
static double downwards(search *s, double high, double r_high) {
  double low = ct_most(high - reach(s, r_high), high / 4);
  for (int tries = 0; !spent(s); tries++) {
    if (tries == 6)
      low = 0;
    double r = residual(s, low);
    learn(s, high, r_high, low, r);
    if ((low == 0 && r <= 0) || found(s, r, low))
      return low;
    if (r >= 0)
      return between(s, low, r, high, r_high);
    high = low;
    r_high = r;
    low /= 4;
  }
  return high;
}

/* Newton from *lambda; true: there. */
static bool newton(search *s, double *lambda) {
  double x = *lambda;
  for (int i = 0; i < NEWTON_STEPS; i++) {
    residual_at r = evaluate(s, x);
    if (is_found(s, r, x) || (x == 0 && r.g <= 0)) {
      *lambda = x;
      return true;
    }
    x += r.step;
    if (!(x > 0)) /* or not a number */
      return false;
    if (fabs(r.step) <= small_step * x) {
      *lambda = x;
      return true;
    }
  }
  return false;
}

static double bracket(search *s, double last) {
  double r = residual(s, last);
  if (found(s, r, last) || (last == 0 && r <= 0))
    return last;
  return r > 0 ? upwards(s, last, r) : downwards(s, last, r);
}

double ct_friction_find_lambda(ct_friction *f, double h, double compliance, double d_free,
                               uint32_t *evaluations) {
  search s = prepare(f, h, compliance, d_free);
  double lambda = f->lambda_start_per_s;
  if (!newton(&s, &lambda))
    lambda = bracket(&s, f->lambda_per_s);
  f->residual_slope = s.slope;
  *evaluations = s.evaluations;
  return lambda;
}
