/* Hunt-Crossley by the discrete gradient (physics: section 4). Compression x, x1 = x0 + d over a step h:
 *
 *   V(x) = k x^p / p for x > 0 (p = alpha + 1), 0 for x <= 0
 *   f(d) = [V(x1) - V(x0)] / d * max(0, 1 + mu d / h)
 *
 * so f d = dV + Q with Q = dV mu d / h >= 0: whatever k, h and the phase of arrival, energy is stored, given
 * back or lost, never made. Both factors are non-negative, non-decreasing and convex in d: the first because
 * V' = k max(0, x)^alpha is convex for alpha >= 1, the linear spring included. */
#include "base/clamp.h"
#include "base/inline.h"
#include "contact/solve_one.h"
#include <contatto/impact.h>

#include <math.h>

static double power(const ct_contact *c) { return c->values.exponent + 1; }

static inline double raised(const ct_contact *c, double x) {
  return c->hertz ? x * x * sqrt(x) : pow(x, power(c));
}

static double potential(const ct_contact *c, double x) {
  return x > 0 ? c->values.stiffness * raised(c, x) / power(c) : 0;
}

/* The gradient quotient (V1 - V0) / d, its slope, and V1. */
typedef struct quotient {
  double value, slope, stored_j;
} quotient;

/* Leaving or apart: V1 = 0. Slope of -V0 / d is V0 / d^2. */
static quotient quotient_leaving(double v0, double d) {
  if (v0 == 0)
    return (quotient){0, 0, 0};
  return (quotient){-v0 / d, v0 / (d * d), 0};
}

/* Arriving from x0 <= 0. */
static quotient quotient_arriving(const ct_contact *c, double x1, double d) {
  double v1 = potential(c, x1), value = v1 / d;
  return (quotient){value, (power(c) * v1 / x1 - value) / d, v1};
}

/* Pressed before and after: V1 - V0 = V0 ((1 + r)^p - 1) = V0 r P, r = d / x0, so (V1 - V0) / d = P V0 / x0
 * with slope P' V0 / x0^2, and nothing must cancel in P. Two spheres (Hertz, p = 5/2) have it in closed form:
 * with s = sqrt(1 + r), s^5 - 1 = (s - 1)(s^4 + s^3 + s^2 + s + 1) and s - 1 = r / (s + 1). Up to
 * an eighth P is a polynomial of binomials for any p, cut where what is left is below rounding; beyond, where
 * d is not small, it comes from the functions of the library. */
typedef struct series {
  double p, slope;
} series;

/* P and P' for a small r: up to 2^-9 six terms, up to 2^-5 eleven. In pairs and pairs of pairs, so that one
 * product waits for three others and not for ten. */
static inline series six_terms(const double *b, double r) {
  double r2 = r * r, r4 = r2 * r2;
  return (series){(b[0] + b[1] * r) + r2 * (b[2] + b[3] * r) + r4 * (b[4] + b[5] * r),
                  (b[1] + 2 * b[2] * r) + r2 * (3 * b[3] + 4 * b[4] * r) + r4 * (5 * b[5])};
}

static inline series eleven_terms(const double *b, double r) {
  double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  double low = (b[0] + b[1] * r) + r2 * (b[2] + b[3] * r),
         middle = (b[4] + b[5] * r) + r2 * (b[6] + b[7] * r);
  double low_slope = (b[1] + 2 * b[2] * r) + r2 * (3 * b[3] + 4 * b[4] * r);
  double middle_slope = (5 * b[5] + 6 * b[6] * r) + r2 * (7 * b[7] + 8 * b[8] * r);
  return (series){low + r4 * middle + r8 * ((b[8] + b[9] * r) + r2 * b[10]),
                  low_slope + r4 * middle_slope + r8 * (9 * b[9] + 10 * b[10] * r)};
}

/* The same by Horner, up to an eighth. */
static series all_terms(const double *b, double r) {
  series s = {b[CT_BINOMIALS - 1], 0};
  for (uint32_t k = CT_BINOMIALS - 1; k-- > 0;) {
    s.slope = s.slope * r + s.p;
    s.p = s.p * r + b[k];
  }
  return s;
}

/* P' = (3 s^3 + 6 s^2 + 4 s + 2) / 2 (s + 1)^2. */
static inline series hertzian(double r) {
  double s = sqrt(ct_most(1 + r, 0)), square = s * s, per = 1 / (1 + s);
  return (series){(square * (square + s + 1) + (s + 1)) * per,
                  (square * (1.5 * s + 3) + (2 * s + 1)) * per * per};
}

static inline series near(const ct_contact *c, double r) {
  double size = fabs(r);
  if (size < 0x1p-9)
    return six_terms(c->binomial, r);
  if (c->hertz)
    return hertzian(r);
  return size < 0x1p-5 ? eleven_terms(c->binomial, r) : all_terms(c->binomial, r);
}

static inline bool impact_pressed(const ct_contact *c) { return c->compression_m > 0 && c->stored_j > 0; }

/* Where a step starts from, with what every evaluation within it needs. */
typedef struct start {
  double x0, v0, base, per_x0, per_m; /* per_m: V0 / x0; both zero unless pressed */
  double mu_per_h;
  bool pressed;
} start;

CT_INLINE start start_of(const ct_contact *c) {
  start b = {.x0 = c->compression_m, .v0 = c->stored_j, .base = c->base_m};
  b.pressed = impact_pressed(c);
  b.per_x0 = b.pressed ? 1 / b.x0 : 0;
  b.per_m = b.v0 * b.per_x0;
  b.mu_per_h = c->values.damping_s_m * c->per_s;
  return b;
}

static inline quotient quotient_near(const ct_contact *c, const start *b, double r) {
  series s = near(c, r);
  return (quotient){b->per_m * s.p, b->per_m * b->per_x0 * s.slope, b->v0 + b->v0 * r * s.p};
}

static quotient quotient_far(const ct_contact *c, double x0, double v0, double d) {
  double p = power(c), gain = expm1(p * log1p(d / x0)), v1 = v0 + v0 * gain, value = v0 * gain / d;
  return (quotient){value, (p * v1 / (x0 + d) - value) / d, v1};
}

static inline quotient quotient_pressed(const ct_contact *c, const start *b, double d) {
  double r = d * b->per_x0;
  return c->hertz || fabs(r) < 0.125 ? quotient_near(c, b, r) : quotient_far(c, b->x0, b->v0, d);
}

/* Not pressed before, or not after. */
CT_OUTLINE quotient quotient_edge(const ct_contact *c, const start *b, double x1, double d) {
  if (d <= 0 && b->x0 <= 0)
    return (quotient){0, 0, 0};
  if (d == 0)
    return (quotient){0, 0, b->v0};
  return x1 <= 0 ? quotient_leaving(b->v0, d) : quotient_arriving(c, x1, d);
}

static void fill_binomials(ct_contact *c) {
  double term = 1, p = power(c);
  c->hertz = c->values.exponent == 1.5;
  for (uint32_t k = 0; k < CT_BINOMIALS; k++) {
    term *= (p - k) / (k + 1);
    c->binomial[k] = term;
  }
}

/* The solver's unknown is e = d - base. Across a gap (x0 < 0) base is -x0, so that e is the new compression
 * itself: as x0 + d it would lose the digits that a stiff contact turns into newtons. */
static inline double closing(const start *b, double e) { return b->base + e; }

static inline double compressed(const start *b, double e) { return b->base > 0 ? e : b->x0 + e; }

static inline quotient quotient_at(const ct_contact *c, const start *b, double e) {
  double x1 = compressed(b, e), d = closing(b, e);
  return b->pressed && x1 > 0 ? quotient_pressed(c, b, d) : quotient_edge(c, b, x1, d);
}

static inline double impact_base(const ct_contact *c) { return c->compression_m < 0 ? -c->compression_m : 0; }

static inline bool impact_touches(const ct_contact *c, double d) {
  return c->compression_m > 0 || c->compression_m + d > 0;
}

CT_INLINE ct_force force_at(const ct_contact *c, const start *b, double e) {
  double factor = 1 + b->mu_per_h * closing(b, e);
  quotient q = quotient_at(c, b, e);
  if (factor <= 0)
    return (ct_force){0, 0, q.stored_j};
  return (ct_force){q.value * factor, q.slope * factor + q.value * b->mu_per_h, q.stored_j};
}

static ct_force impact_force(const ct_contact *c, double e) {
  start b = start_of(c);
  return force_at(c, &b, e);
}

/* At or above the root of e + C f(e) = free. From apart: V1 <= d_free^2 / C bounds the compression. */
CT_OUTLINE double guess_apart(const ct_contact *c, const start *b, double compliance, double free) {
  double p = power(c), d_free = closing(b, free),
         most = pow(p * d_free * d_free / (c->values.stiffness * compliance), 1 / p);
  return ct_least(b->base > 0 ? most : most - b->x0, free);
}

/* Pressed: one Newton step from rest, and for a small one what the law's curvature makes of it. */
CT_INLINE double guess(const ct_contact *c, const start *b, double compliance, double free) {
  if (!b->pressed)
    return compliance > 0 ? guess_apart(c, b, compliance, free) : free;
  const double *k = c->binomial;
  double slope = b->per_m * (k[1] * b->per_x0 + k[0] * b->mu_per_h);
  double bend = b->per_m * b->per_x0 * (k[2] * b->per_x0 + k[1] * b->mu_per_h);
  double per_slope = 1 / (1 + compliance * slope); /* known before `free` is: the division waits for nobody */
  double e = ct_least((free - compliance * b->per_m * k[0]) * per_slope, free);
  return fabs(e) < 0.125 * b->x0 ? e - compliance * bend * per_slope * e * e : e;
}

static inline bool is_converged(double residual, double e, double pushed, double free) {
  return fabs(residual) <= 4.440892098500626e-16 * (fabs(e) + fabs(pushed) + fabs(free));
}

/* Pressed: with r = e / x0 the law is G(r) = r + K P(r) (1 + m r) = free / x0, K = C V0 / x0^2, m = mu x0 /
 * h. Its coefficients g_k are known before `free` is, and so are those of its inverse (Lagrange): with a_k =
 * g_k / g1 and s = (free / x0 - g0) / g1,
 *
 *   r = s - a2 s^2 + (2 a2^2 - a3) s^3 + (5 a2 a3 - 5 a2^3 - a4) s^4 + ...
 *
 * What is left out goes as 14 a2^4 s^5: while |s| (1 + a2) < 2^-12 it is below 2^-56, so at rest, or nearly,
 * this is the solution. No Newton, and one division for all: everything here waits for x0, which the
 * step before has only just found. Farther away it is where Newton starts. */
static const double at_rest = 0x1p-12, nearby = 0.25;

typedef struct inverse {
  double size; /* |s| (1 + a2) */
  double r;
  double factor, force_n, stored_j; /* at rest; factor: what damping does to the force */
  double per_x0;
} inverse;

CT_INLINE inverse invert(const ct_contact *c, double compliance, double free) {
  const double *b = c->binomial;
  double x0 = c->compression_m, v0 = c->stored_j, m = c->values.damping_s_m * c->per_s * x0, square = x0 * x0,
         yield = compliance * v0;
  double below = square + yield * (b[1] + m * b[0]), per = 1 / (x0 * below), per_x0 = per * below,
         per_below = per * x0;
  double share = yield * per_below, a2 = share * (b[2] + m * b[1]), a3 = share * (b[3] + m * b[2]),
         a4 = share * (b[4] + m * b[3]);
  double s = (free * x0 - yield * b[0]) * per_below, s2 = s * s;
  double r = (s - a2 * s2) + s2 * (s * (2 * a2 * a2 - a3) + s2 * (5 * a2 * (a3 - a2 * a2) - a4)), r2 = r * r;
  double p = (b[0] + b[1] * r) + r2 * ((b[2] + b[3] * r) + r2 * b[4]), factor = 1 + m * r;
  return (inverse){fabs(s) * (1 + a2), r, factor, v0 * per_x0 * factor * p, v0 + v0 * r * p, per_x0};
}

/* A Newton step shorter than this share of x0 and of h / mu, over which quotient and damping change, leaves
 * nothing that a double could hold, (1e-8)^2; so its line is the law there, and what is stored follows from
 * the force, f d = dV + Q. Not where damping has all but clipped the force: there the one follows badly from
 * the other. */
static const double last_step = 1e-8;

static inline bool is_last_step(const start *b, const ct_alone *a, double next) {
  return b->pressed && a->force.n > 0 && fabs(next - a->e) * (b->per_x0 + b->mu_per_h) <= last_step &&
         next > -0.5 * b->x0 && b->mu_per_h * next > -0.75;
}

CT_INLINE ct_alone take_last_step(const start *b, ct_alone a, double next) {
  a.force.n += a.force.slope * (next - a.e);
  a.force.stored_j = b->v0 + a.force.n * next / (1 + b->mu_per_h * next);
  a.e = next;
  a.arrived = true;
  return a;
}

static bool impact_extend(const ct_contact *c, double e, double step, ct_force *force) {
  start b = start_of(c);
  ct_alone a = {.e = e, .force = *force};
  if (!is_last_step(&b, &a, e + step))
    return false;
  *force = take_last_step(&b, a, e + step).force;
  return true;
}

/* Rounding is all that is left of the residual, and it is the law's: where damping has all but clipped the
 * force, 1 + mu d / h has few digits. On a stiff contact e has them all, and so has the force that moves the
 * bodies by it. */
static inline ct_alone take_bodies_force(ct_alone a, double compliance, double free) {
  if (compliance * a.force.slope > 1)
    a.force.n = ct_most(0, (free - a.e) / compliance);
  return a;
}

/* Newton, which descends monotonically after its first step because e + C f(e) is convex: once it rises,
 * rounding is all that is left. */
CT_OUTLINE ct_alone solve_by_newton(const ct_contact *c, double compliance, double free, double from_e,
                                    uint32_t most) {
  start b = start_of(c);
  ct_alone a = {.e = from_e < HUGE_VAL ? from_e : guess(c, &b, compliance, free)};
  for (a.evaluations = 1; a.evaluations <= most; a.evaluations++) {
    a.force = force_at(c, &b, a.e);
    double pushed = compliance * a.force.n, residual = a.e + pushed - free;
    a.arrived = is_converged(residual, a.e, pushed, free);
    if (a.arrived)
      return a;
    double next = a.e - residual / (1 + compliance * a.force.slope);
    if (is_last_step(&b, &a, next))
      return take_last_step(&b, a, next);
    a.arrived = next >= a.e && a.evaluations > 1;
    if (a.arrived)
      return take_bodies_force(a, compliance, free);
    a.e = next;
  }
  a.evaluations = most;
  return a;
}

/* Not where damping has all but clipped the force: see is_last_step. */
static inline bool rests(const inverse *i) { return i->size < at_rest && i->factor > 0.25; }

/* One Newton step from there, which mostly is the last. False: it is not. */
CT_INLINE bool solve_by_one_step(const ct_contact *c, const inverse *i, double compliance, double free,
                                 ct_alone *a) {
  if (!(i->size < nearby && i->factor > 0.25 && (c->hertz || fabs(i->r) < 0.125)))
    return false;
  series s = near(c, i->r);
  double v0 = c->stored_j, per_m = v0 * i->per_x0, mu_per_h = c->values.damping_s_m * c->per_s;
  double e = i->r * c->compression_m, g = per_m * s.p, force_n = g * i->factor;
  double slope = per_m * i->per_x0 * s.slope * i->factor + g * mu_per_h;
  double step = (free - e - compliance * force_n) / (1 + compliance * slope), next = e + step;
  force_n += slope * step;
  *a = (ct_alone){next, {force_n, slope, v0 + force_n * next / (1 + mu_per_h * next)}, 1, true};
  return fabs(step) * (i->per_x0 + mu_per_h) <= last_step && force_n > 0;
}

/* Where Newton may start; infinity: it must guess. */
static inline double start_from(const ct_contact *c, const inverse *i) {
  return i->size < nearby ? i->r * c->compression_m : HUGE_VAL;
}

/* At rest e must go with what is stored: as what the force leaves of `free` it would lose its digits where a
 * step yields far more than x0. */
CT_INLINE ct_alone solve_alone(ct_contact *c, double compliance, double free, uint32_t most) {
  if (!impact_pressed(c))
    return solve_by_newton(c, compliance, free, HUGE_VAL, most);
  inverse i = invert(c, compliance, free);
  ct_alone a;
  if (!rests(&i))
    return solve_by_one_step(c, &i, compliance, free, &a)
               ? a
               : solve_by_newton(c, compliance, free, start_from(c, &i), most);
  return (ct_alone){i.r * c->compression_m, {i.force_n, 0, i.stored_j}, 1, true};
}

static ct_alone impact_alone(ct_contact *c, double compliance, double free, uint32_t most) {
  return solve_alone(c, compliance, free, most);
}

/* f d = dV + Q with f = g (1 + t), t = mu d / h, so Q = f d t / (1 + t): no difference of potentials, which
 * would cancel when little is stored and much is lost. Where damping has all but clipped the force, 1 + t has
 * few digits left, and Q = t dV has all of them. Where it is clipped to zero, all that was given up is lost.
 */
static inline double lost_over(double force_n, double d, double t, double gained_j) {
  if (1 + t > 0.25)
    return force_n * d * (t / (1 + t));
  return 1 + t > 0 ? t * gained_j : -gained_j;
}

static inline void impact_commit(ct_contact *c, double e, const ct_force *force) {
  double before = c->stored_j, d = c->base_m + e, t = c->values.damping_s_m * c->per_s * d;
  c->compression_m = c->base_m > 0 ? e : c->compression_m + e;
  c->stored_j = force->stored_j;
  c->lost_j = c->unbooked ? 0 : lost_over(force->n, d, t, c->stored_j - before);
}

/* Whatever the quotient g is, f = g (1 + t) and dV = g d come from the same g, so the balance f d = dV + Q is
 * off only by the products they are made of: f by six roundings, d V by four, Q by six, V by the sum it is.
 */
static double impact_gross_j(const ct_contact *c) {
  double work = fabs(c->now_n * c->d_m), lost = fabs(c->lost_j);
  return 6 * work + 4 * (work + lost) + 6 * lost + 2 * c->stored_j;
}

/* The quadratised step: psi = sqrt(2 V), f = g psi0 + (g^2 / 2 + R) d stores (psi0 + g d)^2 / 2 and loses R
 * d^2 for any g, R >= 0; g is taken from psi's difference quotient at the last iterate, so it is the law to
 * first order: (psi1 - psi0) / d = 2 ((V1 - V0) / d) / (psi1 + psi0), in which nothing cancels. At rest d is
 * 1e-19 m, psi1 - psi0 is rounding, and a contact that had come to rest leapt by a fifth of its force. */
typedef struct quadratic {
  double psi, g, loss;
} quadratic;

static quadratic quadratise(const ct_contact *c, double e) {
  quadratic q = {.psi = sqrt(2 * c->stored_j)};
  start b = start_of(c);
  double d = closing(&b, e);
  if (1 + b.mu_per_h * d <= 0)
    return q;
  quotient law = quotient_at(c, &b, e);
  double psi_sum = sqrt(2 * fmax(law.stored_j, 0)) + q.psi;
  q.g = psi_sum > 0 ? 2 * fmax(law.value, 0) / psi_sum : 0;
  q.loss = fmax(0, law.value) * b.mu_per_h;
  return q;
}

static ct_force impact_line(const ct_contact *c, double e) {
  quadratic q = quadratise(c, e);
  return (ct_force){.n = q.g * q.psi, .slope = q.g * q.g / 2 + q.loss};
}

/* Compression follows the stored energy, so that nothing is gained when they disagree. */
static void impact_commit_line(ct_contact *c, double d, double near) {
  quadratic q = quadratise(c, near);
  double psi = q.psi + q.g * d, x1 = c->compression_m + d, p = power(c);
  c->lost_j = q.loss * d * d;
  if (psi > 0 && q.g > 0) {
    c->stored_j = psi * psi / 2;
    c->compression_m = pow(p * c->stored_j / c->values.stiffness, 1 / p);
    return;
  }
  double left = psi * psi / 2, kept = q.g > 0 ? 0 : fmin(left, potential(c, x1));
  c->lost_j += left - kept;
  c->stored_j = kept;
  c->compression_m = kept > 0 ? pow(p * kept / c->values.stiffness, 1 / p) : fmin(x1, 0);
}

static void law_changed(ct_contact *c) {
  c->limit_valid = 0;
  fill_binomials(c);
}

/* A law that changes under a pressed contact does no work: the compression becomes the one that stores the
 * same energy, V = k x^p / p, so x = (p V / k)^(1/p). */
static double impact_parameters_changed(ct_contact *c) {
  law_changed(c);
  if (impact_pressed(c))
    c->compression_m = pow(power(c) * c->stored_j / c->values.stiffness, 1 / power(c));
  return 0;
}

/* V scales with k: at the same compression the same share of the force. Limits of energy stay those of the
 * stiffer law, which are on the safe side. */
static void impact_weaken(ct_contact *c, double share) {
  c->values.stiffness *= share;
  c->stored_j *= share;
}

/* ---- how many substeps ---- */

/* Substeps wanted per contact time, and the finest level allowed. */
static const struct {
  double steps;
  uint32_t finest;
} wanted[] = {[CT_DRAFT] = {4, 2}, [CT_NORMAL_QUALITY] = {16, 8}, [CT_HIGH] = {32, 9}, [CT_BEST] = {64, 10}};

uint32_t ct_impact_finest(ct_quality quality, uint32_t substeps) {
  return substeps ? (uint32_t)ct_level_of_substeps(substeps) : wanted[quality].finest;
}

/* Lossless contact of a mass m with energy E lasts T = 2 sqrt(pi) Gamma(1+q)/Gamma(1/2+q) x_max sqrt(m / 2E),
 * x_max = (p E / k)^q, q = 1/p <= 1/2: T falls as E^(q - 1/2), so T >= N h_j means E below a limit. The mass
 * felt over the step is m = h^2 / 2C. A linear spring (alpha = 1, q = 1/2) takes half a period, pi sqrt(m /
 * k), at any energy: no energy is too much for a level, or any is. */
static double energy_limit(const ct_contact *c, uint32_t level, double compliance) {
  double h = c->end[0].body->step_s * ct_share(level), mass = h * h / (2 * compliance), q = 1 / power(c);
  double shape = log(2 * sqrt(M_PI) * tgamma(1 + q) / tgamma(0.5 + q));
  double at_one_joule = shape + q * log(power(c) / c->values.stiffness) + 0.5 * log(mass / 2);
  double margin = at_one_joule - log(wanted[c->quality].steps * h);
  if (q >= 0.5)
    return margin >= 0 ? HUGE_VAL : 0;
  return exp(margin / (0.5 - q));
}

/* A point that moves changes the compliance at every sample; the limit is a rule of thumb and need not follow
 * closer than a twentieth. */
static inline bool limit_is_known(const ct_contact *c, uint32_t level, double compliance) {
  double kept = c->limit_compliance[level];
  return c->limit_valid >> level & 1 && fabs(compliance - kept) <= 0.05 * kept;
}

static double limit_j(ct_contact *c, uint32_t level, double compliance) {
  if (!limit_is_known(c, level, compliance)) {
    c->energy_limit_j[level] = energy_limit(c, level, compliance);
    c->limit_compliance[level] = compliance;
    c->limit_valid |= 1u << level;
  }
  return c->energy_limit_j[level];
}

/* The energy is m v^2 / 2 with m = h^2 / 2C, v = d / h, and what is stored already. */
CT_OUTLINE uint32_t choose_level(ct_contact *c, uint32_t level, double compliance, double d_free) {
  if (compliance <= 0)
    return level;
  double energy_j = d_free * d_free / (4 * compliance) + c->stored_j;
  while (level < wanted[c->quality].finest && !(energy_j <= limit_j(c, level, compliance)))
    compliance = ct_contact_own_compliance(c, ++level);
  return level;
}

/* Mostly it is little, which is seen without a division. */
static uint32_t impact_level(ct_contact *c, uint32_t level, double d_free) {
  if (!impact_touches(c, d_free))
    return CT_APART;
  double compliance = c->own_m_n = ct_contact_own_compliance(c, level);
  if (c->fixed_level >= 0)
    return level > (uint32_t)c->fixed_level ? level : (uint32_t)c->fixed_level;
  if (limit_is_known(c, level, compliance) &&
      d_free * d_free <= 4 * compliance * (c->energy_limit_j[level] - c->stored_j))
    return level;
  return choose_level(c, level, compliance, d_free);
}

static double impact_solve(ct_contact *c, double compliance, double d_free, ct_effort *effort) {
  ct_law_functions law = {impact_base, NULL, solve_alone, impact_commit};
  return ct_solve_one(law, c, compliance, d_free, effort);
}

/* ---- hardness as a contact time ---- */

/* At one speed, exponent and damping a contact lasts t with k t^p = m times a number of its own (eq. 9): its
 * hardness, known once the mass is. The integral behind it is done when the contact is set up; from then on a
 * time and a stiffness are a power apart, cheap enough for the audio thread. */
void ct_impact_follow_time(ct_contact *c) {
  if (c->hardness > 0 && c->values.contact_time_s > 0)
    c->values.stiffness = fmin(
        fmax(c->hardness / pow(c->values.contact_time_s, power(c)), CT_STIFFNESS_LEAST), CT_STIFFNESS_MOST);
}

void ct_impact_follow_stiffness(ct_contact *c) {
  c->values.contact_time_s = pow(c->hardness / c->values.stiffness, 1 / power(c));
}

/* What is heard stays: stiffness and time keep their values and are a pair of the new law. */
void ct_impact_follow_exponent(ct_contact *c) {
  c->hardness = c->values.stiffness * pow(c->values.contact_time_s, power(c));
}

/* The mass felt over a sample is m = h^2 / 2C. Between two hands there is none, and no time either. */
static void impact_harden(ct_contact *c) {
  double h = c->end[0].body->step_s, compliance = ct_contact_own_compliance(c, 0);
  if (!(compliance > 0))
    return;
  c->hardness = c->unit_hardness * h * h / (2 * compliance);
  if (c->values.contact_time_s > 0)
    ct_impact_follow_time(c);
  else
    ct_impact_follow_stiffness(c);
}

/* ---- joining ---- */

/* While apart it is set right by the bodies' geometry; pressed, it keeps its own compression, since
 * recomputing it from bodies far from the origin would lose the account. Never into the contact: that would
 * store energy nobody brought. */
static void impact_on_tick(ct_contact *c) {
  if (c->compression_m <= 0)
    c->compression_m = fmin(0, ct_contact_geometry(c));
}

static void impact_join(ct_contact *c) {
  if (c->hardness == 0) /* new, not thrown */
    impact_harden(c);
  law_changed(c);
  c->compression_m = ct_contact_geometry(c);
  c->stored_j = potential(c, c->compression_m);
}

void ct_impact_fill(ct_contact *c, const ct_impact_def *def) {
  c->kind = &ct_impact_kind;
  c->values =
      (ct_impact_values){def->stiffness, def->exponent, def->damping_s_m, def->gap_m, def->contact_time_s};
  c->unit_hardness = ct_impact_stiffness_for(&(ct_impact_case){.mass_kg = 1,
                                                               .exponent = def->exponent,
                                                               .damping_s_m = def->damping_s_m,
                                                               .speed_m_s = def->contact_speed_m_s},
                                             1);
  c->quality = def->quality;
  c->from_above = def->from_above;
  c->fixed_level = ct_level_of_substeps(def->substeps);
  c->end[0].sign = def->from_above ? -1 : 1;
  c->end[1].sign = -c->end[0].sign;
  c->end_count = 2;
  c->step_s = c->per_s = 1;
}

const ct_contact_kind ct_impact_kind = {.name = "impact",
                                        .level = impact_level,
                                        .solve = impact_solve,
                                        .touches = impact_touches,
                                        .base = impact_base,
                                        .force = impact_force,
                                        .extend = impact_extend,
                                        .alone = impact_alone,
                                        .commit = impact_commit,
                                        .line = impact_line,
                                        .commit_line = impact_commit_line,
                                        .parameters_changed = impact_parameters_changed,
                                        .join = impact_join,
                                        .on_tick = impact_on_tick,
                                        .weaken = impact_weaken,
                                        .gross_j = impact_gross_j};

/* f = k x^alpha */
static ct_force rest_force(const ct_contact *c, double x_m) {
  double alpha = c->values.exponent, over = x_m > 0 ? pow(x_m, alpha - 1) : 0;
  return (ct_force){.n = c->values.stiffness * over * fmax(x_m, 0),
                    .slope = alpha * c->values.stiffness * over};
}

const ct_contact_kind ct_impact_rest_kind = {.name = "impact at rest", .force = rest_force};
