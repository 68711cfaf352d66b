/* Bristle friction, five laws by one mechanism (physics: section 5). v relative velocity, z bristle
 * deflection:
 *
 *   zdot = v - lambda z,  lambda = a(v, z) |v| / z_ss(v) >= 0,  f = s0 z + s1 zdot + s2 v + roughness
 *
 * Over a step h with mean velocity v = d/h, for any frozen lambda >= 0 and any theta >= 1/2,
 *
 *   y = (v - lambda z0)/(1 + theta lambda h),  zt = z0 + theta h y,  z1 = z0 + h y
 *   f = (s0 + u) zt + s1' y + s2 v
 *
 * is affine in d, stores s0 z^2 / 2 and loses, since v = y + lambda zt,
 *
 *   Q = h ((s0 + u) lambda zt^2 + u zt y + s1' v y + s2 v^2 + s0 (theta - 1/2) h y^2)
 *
 * Roughness is u zt: it makes the bristles' force stronger or weaker, and what bristles store stays s0 z^2
 * / 2. As a form in y and zt, Q >= 0 wherever u >= -s0 and
 *
 *   (lambda s1' - u)^2 <= 4 lambda s0 (s1' + s2)
 *
 * (theta > 1/2 only adds to it). That is an interval for s1'. Its lower end is never above (s0/lambda) g^2, g
 * = sqrt(1 + u/s0) - 1, a force of g^2 times the friction; its upper end is (2/lambda)(s0 + u/2 + sqrt(s0^2 +
 * s0 u + s0 s2 lambda)). s1' is s1, or the end it would pass. So friction, rough or not, is passive and
 * exactly booked whether or not lambda has converged, and alone or in an island, since lambda tells the whole
 * line.
 *
 * theta = max(1/2, 1 - 1/(lambda h)) is the midpoint without ringing where a step is long against z_ss / v;
 * the kinetic law, whose bristle is stiff against any step, takes 1. lambda is the root of Lambda(v, zt) -
 * lambda, which is >= 0 at 0 and negative for large lambda; it is searched from the last one towards the
 * residual's sign, so that it stays on its branch. */
#include "base/clamp.h"
#include "contact/contact.h"
#include "base/fractal.h"
#include "contact/thermal.h"

#include <math.h>

/* ---- the law ---- */

/* Refused when built, mu_static < mu_dynamic may still happen while one of them is on its way: then sticking
 * holds as well as sliding, no less. */
static double static_mu(const ct_friction *f) { return ct_most(f->values.mu_static, f->values.mu_dynamic); }

static double sliding_mu(const ct_friction *f, double v) {
  double u = v / f->values.stribeck_m_s;
  switch (f->law) {
  case CT_DAHL:
    return f->values.mu_dynamic;
  case CT_THERMAL:
    return f->thermal_mu;
  default:
    return f->values.mu_dynamic + (static_mu(f) - f->values.mu_dynamic) * exp(-u * u);
  }
}

/* a(v, z), once it is known to be more than 0: 1 where bristles slide, a smooth step before. */
static double adhesion(double size, double z_ba, double z_ss) {
  return size >= z_ss ? 1 : (1 + sin(M_PI * (size - (z_ss + z_ba) / 2) / (z_ss - z_ba))) / 2;
}

/* One frozen lambda: the line f(d), and where it leads. */
typedef struct frozen {
  double theta, damping, divisor;
  double rough; /* u */
} frozen;

/* u, and the least s1' it wants. Where lambda is less than it was counted on, so is g: at rest, with lambda =
 * 0, there is no roughness. */
static inline void roughen(const ct_friction *f, double lambda, frozen *z) {
  double faded = lambda < f->rough_lambda_per_s ? lambda / f->rough_lambda_per_s : 1;
  double g = f->rough_root * faded, least = f->bristle_n_m * g * g;
  z->rough = f->bristle_n_m * (g * (2 + g)); /* never below -s0 */
  if (lambda * z->damping < least)
    z->damping = least / lambda;
}

static inline frozen freeze(const ct_friction *f, double lambda, double h) {
  double s0 = f->bristle_n_m, s1 = f->values.bristle_damping_n_s_m, s2 = f->values.viscous_n_s_m;
  frozen z = {.theta = lambda * h > 2 ? 1 - 1 / (lambda * h) : 0.5, .damping = s1};
  if (f->law == CT_KINETIC)
    z.theta = 1;
  if (f->rough_root != 0)
    roughen(f, lambda, &z);
  double over = lambda * z.damping - z.rough; /* beyond 2 s0 the interval's upper half begins */
  if (!f->constant_damping && over > 2 * s0 && over * over > 4 * lambda * s0 * (z.damping + s2))
    z.damping = 2 / lambda * (s0 + z.rough / 2 + sqrt(s0 * s0 + s0 * z.rough + s0 * s2 * lambda));
  z.divisor = 1 + z.theta * lambda * h;
  return z;
}

/* The bristles' force on the line: held + rise v. */
typedef struct bristles {
  double held_n, rise_n_s_m;
} bristles;

static inline bristles bristles_of(const ct_friction *f, const frozen *z, double lambda, double h) {
  double stiff = f->bristle_n_m + z->rough, rise = (stiff * z->theta * h + z->damping) / z->divisor;
  return (bristles){stiff * f->z_m - rise * lambda * f->z_m, rise};
}

static void set_line(ct_friction *f, double h) {
  frozen z = freeze(f, f->lambda_per_s, h);
  bristles b = bristles_of(f, &z, f->lambda_per_s, h);
  f->line_n_m = (b.rise_n_s_m + f->values.viscous_n_s_m) / h;
  f->line_n = b.held_n + f->added_n;
}

/* ---- the search ---- */

/* What stays the same while lambda is sought. */
typedef struct search {
  const ct_friction *f;
  double h, compliance, d_free;
  double z_ba, z_per_mu; /* z_ss = mu z_per_mu */
  double slope;          /* of the residual, by the last two evaluations */
  uint32_t evaluations;
} search;

static search prepare(const ct_friction *f, double h, double compliance, double d_free) {
  double z_per_mu = f->normal_n / f->bristle_n_m;
  double z_ba = f->law == CT_ELASTO_PLASTIC ? f->values.breakaway * f->values.mu_dynamic * z_per_mu : 0;
  return (search){f, h, compliance, d_free, z_ba, z_per_mu, f->residual_slope, 0};
}

/* Lambda at the motion that a given lambda leads to. Bristles that only bend ask for no steady state. */
static double lambda_of(const search *s, double lambda) {
  const ct_friction *f = s->f;
  frozen z = freeze(f, lambda, s->h);
  bristles b = bristles_of(f, &z, lambda, s->h);
  double v = (s->d_free - s->compliance * (b.held_n + f->added_n)) /
             (s->h + s->compliance * (b.rise_n_s_m + f->values.viscous_n_s_m)); /* on the line of set_line */
  double zt = f->z_m + z.theta * s->h * (v - lambda * f->z_m) / z.divisor, size = fabs(zt), a = 1;
  bool bends = f->law == CT_ELASTO_PLASTIC;
  if (bends && (v * zt <= 0 || size <= s->z_ba))
    return 0;
  double z_ss = sliding_mu(f, v) * s->z_per_mu;
  if (bends)
    a = adhesion(size, s->z_ba, z_ss);
  return a * fabs(v) / z_ss;
}

static double residual(search *s, double lambda) {
  s->evaluations++;
  return lambda_of(s, lambda) - lambda;
}

static bool spent(const search *s) { return s->evaluations >= CT_FRICTION_EVALUATIONS; }

/* Near enough, or at rest: a step would not feel the rest of lambda. */
static bool found(const search *s, double r, double lambda) {
  return fabs(r) <= 1e-10 * lambda || fabs(r) * s->h <= 1e-15;
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

static double find_lambda(search *s, double last) {
  double r = residual(s, last);
  if (found(s, r, last) || (last == 0 && r <= 0))
    return last;
  return r > 0 ? upwards(s, last, r) : downwards(s, last, r);
}

/* Chooses lambda for this closing; true when it is not the one the running solution was made with. */
static bool friction_tune(ct_contact *c, double compliance, double d_free) {
  ct_friction *f = &c->friction;
  double last = f->lambda_per_s;
  c->searched = 0;
  if (f->normal_n <= 0) { /* in the set all the same, when another contact may touch */
    f->line_n = f->line_n_m = 0;
    return false;
  }
  search s = prepare(f, c->step_s, compliance, d_free);
  double next = find_lambda(&s, last);
  c->searched = s.evaluations;
  f->residual_slope = s.slope;
  bool changed = fabs(next - last) > 1e-9 * (next + last);
  f->lambda_per_s = changed ? next : last;
  set_line(f, c->step_s);
  return changed;
}

/* ---- the contact ---- */

static bool friction_touches(const ct_contact *c, double d) {
  (void)d;
  return c->friction.normal_n > 0;
}

static uint32_t friction_level(ct_contact *c, uint32_t level, double compliance, double d_free) {
  (void)compliance, (void)d_free;
  return c->fixed_level > 0 && level < (uint32_t)c->fixed_level ? (uint32_t)c->fixed_level : level;
}

static ct_force friction_force(const ct_contact *c, double d) {
  return (ct_force){.n = c->friction.line_n + c->friction.line_n_m * d, .slope = c->friction.line_n_m};
}

/* Lambda was chosen for this very closing; on its line the solution is closed. */
static ct_alone friction_alone(ct_contact *c, double compliance, double free, uint32_t most) {
  (void)most;
  double e = (free - compliance * c->friction.line_n) / (1 + compliance * c->friction.line_n_m);
  return (ct_alone){.e = e, .force = friction_force(c, e), .evaluations = 1, .arrived = true};
}

/* One step of a pressed contact, at the lambda it was solved with. */
static void rub(ct_contact *c, double d) {
  ct_friction *f = &c->friction;
  double h = c->step_s, v = d / h, lambda = f->lambda_per_s, s0 = f->bristle_n_m;
  frozen z = freeze(f, lambda, h);
  /* zt as written above, brought under one divisor: nothing is subtracted, however large lambda is */
  double y = (v - lambda * f->z_m) / z.divisor, zt = (f->z_m + z.theta * h * v) / z.divisor;
  double bristles_j = h * ((s0 + z.rough) * lambda * zt * zt + z.rough * zt * y + z.damping * v * y +
                           s0 * (z.theta - 0.5) * h * y * y);
  f->z_before_m = f->z_m;
  f->z_m += h * y;
  f->slip = v != 0 ? ct_clamp(1 - y / v, 0, 1) : 0;
  f->last_rub_n = s0 * zt;
  c->noise_j = -f->added_n * d;
  c->stored_j = s0 * f->z_m * f->z_m / 2;
  c->lost_j = bristles_j + h * f->values.viscous_n_s_m * v * v;
  if (f->law == CT_THERMAL)
    ct_thermal_warm(f, bristles_j, v, h);
}

/* With y and zt replaced by the sizes they are sums of, Y and Z, every term of f, dV and Q is a product of a
 * few numbers off by four roundings at most: eight of each will do. z is rounded once more as it is added up,
 * which costs s0 z a rounding of z. And f, which may be the small difference of large ones, moves the bodies
 * by C f = d_free - d: what is cut off f moves them too. */
static double friction_gross_j(const ct_contact *c) {
  const ct_friction *f = &c->friction;
  if (f->normal_n <= 0)
    return 0;
  double h = c->step_s, v = fabs(c->d_m) / h, lambda = f->lambda_per_s, s0 = f->bristle_n_m,
         s2 = f->values.viscous_n_s_m;
  frozen q = freeze(f, lambda, h);
  double y = (v + lambda * fabs(f->z_before_m)) / q.divisor, z = fabs(f->z_before_m) + q.theta * h * y;
  double stiff = s0 + fabs(q.rough);
  double force = stiff * z + q.damping * y + s2 * v + fabs(c->now_n);
  double lost = stiff * lambda * z * z + fabs(q.rough) * z * y + q.damping * v * y + s2 * v * v +
                s0 * (q.theta - 0.5) * h * y * y;
  double bent = s0 * fabs(f->z_m);
  return 8 * h * (force * v + lost + bent * y) + 8 * force * fabs(c->d_free_m - c->d_m) + bent * fabs(f->z_m);
}

/* Along the surface, which begins anew before its places run out of digits. */
static void travel(ct_friction *f, double way_m) {
  double at = f->travelled_m + way_m;
  f->travelled_m = at < 1e9 ? at : 0;
}

static void friction_commit(ct_contact *c, double d, const ct_force *force) {
  (void)force;
  c->lost_j = c->noise_j = 0;
  travel(&c->friction, fabs(d));
  if (c->friction.normal_n > 0)
    rub(c, d);
  else if (c->friction.law == CT_THERMAL)
    ct_thermal_warm(&c->friction, 0, d / c->step_s, c->step_s);
}

static ct_force friction_line(const ct_contact *c, double d) {
  (void)d;
  return friction_force(c, 0);
}

static void friction_commit_line(ct_contact *c, double d, double near) {
  (void)near;
  friction_commit(c, d, NULL);
}

/* Bristles bend no further than static friction holds them; what is let go is lost. At no normal force, all
 * of it. */
static double let_go(ct_contact *c) {
  ct_friction *f = &c->friction;
  double most = static_mu(f) * f->normal_n / f->bristle_n_m, before = c->stored_j;
  if (f->law == CT_THERMAL)
    most = f->knot_mu[0] * f->normal_n / f->bristle_n_m;
  if (fabs(f->z_m) > most)
    f->z_m = copysign(most, f->z_m);
  c->stored_j = f->bristle_n_m * f->z_m * f->z_m / 2;
  return before - c->stored_j;
}

/* Pressed by less than this, it is not pressed: lambda ~ s0 v / (mu f_N) must stay a number. */
static const double least_normal_n = 1e-60;

/* Weaker than this is smooth. */
static const double least_roughness_n = 1e-60;

/* Slower than this even the finest roughness passes at less than 10 Hz. */
static const double silent_m_s = 1e-4;

/* The roughness under the contact, held over a sample: a force along the end that comes first by name,
 * whichever is called a; as strong as the share of the last motion that slipped, never stronger than the
 * bristles were. Passive, it is told as what it makes of the bristles' force, and counts on a quarter of the
 * last lambda. */
static void meet_roughness(ct_contact *c) {
  ct_friction *f = &c->friction;
  double rough = c->end[0].sign * f->values.roughness_n * f->slip *
                 ct_fractal(f->surface, f->travelled_m, f->values.roughness_exponent, f->begun_m);
  double most = fabs(f->last_rub_n);
  rough = ct_clamp(rough, -most, most);
  if (f->roughness_model == CT_ROUGHNESS_ADDED)
    f->added_n = rough;
  else if (most > 0) {
    f->rough_root = sqrt(1 + rough / f->last_rub_n) - 1;
    f->rough_lambda_per_s = ct_most(f->lambda_per_s / 4, silent_m_s * f->bristle_n_m / most);
  }
}

/* Once per sample: this sample's normal force, what it lets go, and the roughness under the contact. Returns
 * what is lost. */
static double friction_begin(ct_contact *c) {
  ct_friction *f = &c->friction;
  double normal = f->source ? f->source->force_n : f->values.normal_n;
  f->normal_n = normal > least_normal_n ? normal : 0;
  f->rough_root = f->added_n = 0;
  if (f->normal_n <= 0)
    f->lambda_per_s = f->slip = f->last_rub_n = 0;
  else if (f->values.roughness_n > least_roughness_n && f->slip > 0)
    meet_roughness(c);
  f->begun_m = f->travelled_m;
  return let_go(c);
}

static double friction_step(ct_contact *c, double d_free, uint32_t *evaluations) {
  *evaluations = CT_REFUSED;
  if (c->fixed_level > 0)
    return 0;
  friction_begin(c);
  ct_force force = {0};
  double compliance = ct_contact_own_compliance(c, 0), d = d_free;
  bool pressed = c->friction.normal_n > 0;
  c->searched = 0;
  if (pressed) {
    friction_tune(c, compliance, d_free);
    ct_alone a = friction_alone(c, compliance, d_free, CT_MOST_EVALUATIONS);
    force = a.force;
    d = a.e;
  }
  if (!isfinite(force.n) || !isfinite(d))
    return 0;
  *evaluations = pressed;
  c->d_m = d;
  c->now_n = force.n;
  friction_commit(c, d, &force);
  return force.n;
}

/* lambda ~ s0 v / (mu f_N) must stay a number here too. */
static const double most_bristle_n_m = 1e30;

/* A stiffness that moves does no work: z ~ 1 / sqrt(s0) keeps s0 z^2 / 2. Where that is more than static
 * friction holds, the next sample begins with letting go. */
static double friction_parameters_changed(ct_contact *c) {
  ct_friction *f = &c->friction;
  double stiff = f->values.bristle_n_m;
  if (f->law == CT_KINETIC) { /* a bristle so stiff that a step cannot bend it: sign(v), set-valued at rest */
    double compliance = ct_contact_own_compliance(c, 0);
    stiff = compliance > 0 ? fmax(stiff, fmin(1e4 / compliance, most_bristle_n_m)) : stiff;
  }
  if (f->bristle_n_m > 0)
    f->z_m *= sqrt(f->bristle_n_m / stiff);
  f->bristle_n_m = stiff;
  c->stored_j = stiff * f->z_m * f->z_m / 2;
  return 0;
}

static void friction_let_go(ct_contact *c) {
  ct_friction *f = &c->friction;
  f->z_m = f->lambda_per_s = f->residual_slope = f->slip = f->last_rub_n = 0;
}

static void friction_join(ct_contact *c) {
  friction_let_go(c);
  c->friction.bristle_n_m = 0;
  c->friction.surface = ct_fractal_seed(c->friction.seed, c->name);
  (void)friction_parameters_changed(c);
}

static void friction_settle(ct_contact *c) {
  if (fabs(c->friction.z_m) < 1e-60)
    c->friction.z_m = 0;
}

void ct_friction_fill(ct_contact *c, const ct_friction_def *def) {
  ct_friction *f = &c->friction;
  c->kind = &ct_friction_kind;
  f->values = (ct_friction_values){def->bristle_n_m, def->bristle_damping_n_s_m, def->viscous_n_s_m,
                                   def->roughness_n, def->roughness_exponent,    def->mu_static,
                                   def->mu_dynamic,  def->stribeck_m_s,          def->breakaway,
                                   def->normal_n};
  f->law = def->law;
  f->constant_damping = def->constant_damping;
  f->roughness_model = def->roughness_model;
  c->fixed_level = ct_level_of_substeps(def->substeps);
  c->end[0].sign = 1;
  c->end[1].sign = -1;
  c->end_count = 2;
  c->step_s = c->per_s = 1;
  ct_thermal_fill(f, def->film_m, def->patch_m);
}

void ct_friction_forget(ct_contact *c, const ct_contact *gone) {
  if (c->friction.source != gone)
    return;
  c->friction.source = NULL;
  c->friction.values.normal_n = 0;
}

const ct_contact_kind ct_friction_kind = {.name = "friction",
                                          .level = friction_level,
                                          .touches = friction_touches,
                                          .force = friction_force,
                                          .alone = friction_alone,
                                          .commit = friction_commit,
                                          .step = friction_step,
                                          .line = friction_line,
                                          .commit_line = friction_commit_line,
                                          .parameters_changed = friction_parameters_changed,
                                          .join = friction_join,
                                          .begin = friction_begin,
                                          .settle = friction_settle,
                                          .tune = friction_tune,
                                          .let_go = friction_let_go,
                                          .gross_j = friction_gross_j};
