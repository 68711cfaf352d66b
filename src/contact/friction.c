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
 * lambda, which is >= 0 at 0 and negative for large lambda: see friction_search.c. */
#include "contact/friction.h"
#include "base/clamp.h"
#include "contact/solve_one.h"

#include <math.h>

static void set_line(ct_friction *f, double h, double per_h) {
  ct_frozen z = ct_friction_freeze(f, f->lambda_per_s, h);
  double stiff = f->bristle_n_m + z.rough, per_divisor = 1 / z.divisor;
  f->frozen = z;
  f->per_divisor = per_divisor;
  f->line_n_m = ((stiff * z.step_s + z.damping) * per_divisor + f->values.viscous_n_s_m) * per_h;
  f->line_n = (stiff - z.damping * f->lambda_per_s) * f->z_m * per_divisor + f->added_n;
}

/* Chooses lambda for this closing. One that differs by less than 1e-9 stays, and with it the solution that
 * was made; with 1e-7 instead, the adhesion of a steady slide was wrong by 2e-8 (test_study_avanzini2002). */
static double friction_tune(ct_contact *c, double compliance, double d_free) {
  ct_friction *f = &c->friction;
  double last = f->lambda_per_s;
  c->searched = 0;
  if (f->normal_n <= 0) { /* in the set all the same, when another contact may touch */
    f->line_n = f->line_n_m = 0;
    return 0;
  }
  double next = ct_friction_find_lambda(f, c->step_s, compliance, d_free, &c->searched);
  double change = fabs(next - last), both = next + last;
  bool changed = change > 1e-9 * both;
  f->lambda_per_s = f->lambda_start_per_s = changed ? next : last;
  set_line(f, c->step_s, c->per_s);
  return changed ? change / both : 0;
}

/* ---- the contact ---- */

static bool friction_touches(const ct_contact *c, double d) {
  (void)d;
  return c->friction.normal_n > 0;
}

static uint32_t friction_level(ct_contact *c, uint32_t level, double d_free) {
  (void)d_free;
  if (c->friction.normal_n <= 0)
    return CT_APART;
  c->own_m_n = ct_contact_own_compliance(c, level);
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

/* Roughness fades while the motion will stop within this time. */
static const double stopping_s = 2e-4;

/* How much of the roughness is felt: the share that slips, but less where motion is about to stop, and after
 * a stop no more than was slid: bristles meet the surface anew over their own length. A roughness that came
 * and went with each step's share would flip a light body about rest, step by step: that clicks. */
static void follow_roughness(ct_friction *f, double v, double h) {
  double braked = fabs(v - f->rub_m_s), length = fabs(f->z_m), slid = fabs(v) * h, target = f->slip;
  bool stops = v * f->rub_m_s < 0 || fabs(v) < fabs(f->rub_m_s);
  if (stops && fabs(v) * h < stopping_s * braked)
    target *= v * f->rub_m_s < 0 ? 0 : fabs(v) * h / (stopping_s * braked);
  f->rough_share = target < f->rough_share || length <= 0
                       ? target
                       : f->rough_share + (target - f->rough_share) * slid / (slid + length);
  f->rub_m_s = v;
}

/* One step of a pressed contact, at the lambda it was solved with. */
static void rub(ct_contact *c, double d) {
  ct_friction *f = &c->friction;
  double h = c->step_s, v = d * c->per_s, lambda = f->lambda_per_s, s0 = f->bristle_n_m;
  ct_frozen z = f->frozen;
  /* zt as written above, brought under one divisor: nothing is subtracted, however large lambda is */
  double y = (v - lambda * f->z_m) * f->per_divisor, zt = (f->z_m + z.step_s * v) * f->per_divisor;
  bool asked = !c->unbooked || f->law == CT_THERMAL; /* what is lost */
  double bristles_j = asked ? h * ((s0 + z.rough) * lambda * zt * zt + z.rough * zt * y + z.damping * v * y +
                                   s0 * (z.step_s - h / 2) * y * y)
                            : 0;
  f->z_before_m = f->z_m;
  f->z_m += h * y;
  f->slip = v != 0 ? ct_clamp(1 - y / v, 0, 1) : 0;
  f->last_rub_n = s0 * zt;
  if (f->values.roughness_n > 0)
    follow_roughness(f, v, h);
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
  ct_frozen q = ct_friction_freeze(f, lambda, h);
  double y = (v + lambda * fabs(f->z_before_m)) / q.divisor, z = fabs(f->z_before_m) + q.step_s * y;
  double stiff = s0 + fabs(q.rough);
  double force = stiff * z + q.damping * y + s2 * v + fabs(c->now_n);
  double lost = stiff * lambda * z * z + fabs(q.rough) * z * y + q.damping * v * y + s2 * v * v +
                s0 * (q.step_s - h / 2) * y * y;
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
static double clamp_bristles(ct_contact *c) {
  ct_friction *f = &c->friction;
  double most = ct_friction_static_mu(f) * f->normal_n / f->bristle_n_m, before = c->stored_j;
  if (f->law == CT_THERMAL)
    most = ct_cold_mu * f->normal_n / f->bristle_n_m;
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
  double rough = c->end[0].sign * f->values.roughness_n * f->rough_share *
                 ct_fractal_read(f->surface, f->travelled_m, f->values.roughness_exponent, f->begun_m);
  double most = fabs(f->last_rub_n);
  rough = ct_clamp(rough, -most, most);
  if (f->roughness_model == CT_ROUGHNESS_ADDED)
    f->added_n = rough;
  else if (most > 0) {
    f->rough_root = sqrt(1 + rough / f->last_rub_n) - 1;
    f->rough_lambda_per_s = ct_most(f->lambda_per_s / 4, silent_m_s * f->bristle_n_m / most);
  }
}

/* Lambda goes on as it went, on a straight line unless it leaps, and where its course is smooth on a cubic
 * through the last four. Smooth is where the two agree closely: elsewhere, where sticking turns into sliding,
 * a cubic may point to another branch than the one lambda is on. */
static double where_lambda_points(const ct_friction *f) {
  const double *before = f->lambda_before_per_s;
  double last = f->lambda_per_s, line = 2 * last - before[0];
  double cubic = 4 * (last + before[1]) - 6 * before[0] - before[2];
  if (fabs(cubic - line) < 0.03 * last && fabs(line - last) < 0.1 * last)
    return cubic;
  return line > last / 2 && line < 2 * last ? line : last;
}

static void remember_lambda(ct_friction *f, double lambda) {
  f->lambda_before_per_s[2] = f->lambda_before_per_s[1];
  f->lambda_before_per_s[1] = f->lambda_before_per_s[0];
  f->lambda_before_per_s[0] = lambda;
}

/* Once per sample: this sample's normal force, what it lets go, and the roughness under the contact. Returns
 * what is lost. */
static double friction_begin(ct_contact *c) {
  ct_friction *f = &c->friction;
  double normal = f->source ? f->source->force_n : f->values.normal_n;
  f->normal_n = normal > least_normal_n ? normal : 0;
  f->rough_root = f->added_n = 0;
  f->lambda_start_per_s = where_lambda_points(f);
  remember_lambda(f, f->lambda_per_s);
  if (f->normal_n <= 0)
    f->lambda_start_per_s = f->lambda_per_s = f->slip = f->last_rub_n = f->rough_share = f->rub_m_s = 0;
  else if (f->values.roughness_n > least_roughness_n && f->rough_share > 0)
    meet_roughness(c);
  f->begun_m = f->travelled_m;
  return clamp_bristles(c);
}

static double friction_solve(ct_contact *c, double compliance, double d_free, ct_effort *effort) {
  ct_law_functions law = {NULL, friction_tune, friction_alone, friction_commit};
  return ct_solve_one(law, c, compliance, d_free, effort);
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

static void friction_reset(ct_contact *c) {
  ct_friction *f = &c->friction;
  f->z_m = f->lambda_per_s = f->lambda_start_per_s = f->residual_slope = f->slip = f->last_rub_n =
      f->rough_share = f->rub_m_s = 0;
  for (int i = 0; i < 3; i++)
    remember_lambda(f, 0);
}

/* From the normal force as it is now, whoever pressed. Bristles let go by themselves as it falls. */
static void friction_weaken(ct_contact *c, double share) {
  ct_friction *f = &c->friction;
  if (f->source)
    f->values.normal_n = f->normal_n;
  f->source = NULL;
  f->values.normal_n *= share;
  f->values.viscous_n_s_m *= share;
}

static void friction_join(ct_contact *c) {
  friction_reset(c);
  c->friction.bristle_n_m = 0;
  ct_fractal_begin(c->friction.surface, ct_fractal_seed(c->friction.seed, c->name));
  (void)friction_parameters_changed(c);
}

static void friction_on_tick(ct_contact *c) {
  if (fabs(c->friction.z_m) < 1e-60)
    c->friction.z_m = 0;
}

/* Heat goes on flowing; what is bent stays bent. */
static bool friction_rests(const ct_contact *c) {
  return c->friction.law != CT_THERMAL || c->friction.temperature_k < 1e-9;
}

void ct_friction_lay(ct_contact *c, ct_arena *arena) {
  c->friction.surface = ct_arena_take(arena, 1, sizeof *c->friction.surface);
  c->friction.stores = ct_arena_take(arena, CT_HEAT_STORES, sizeof *c->friction.stores);
}

void ct_friction_fill(ct_contact *c, const ct_friction_def *def) {
  ct_friction *f = &c->friction;
  c->kind = &ct_friction_kind;
  f->values = *def;
  f->values.name = f->values.a = f->values.b = f->values.normal_from = NULL; /* the host's memory */
  f->law = def->law;
  f->constant_damping = def->constant_damping;
  f->roughness_model = def->roughness_model;
  c->fixed_level = ct_level_of_substeps(def->substeps);
  c->end[0].sign = 1;
  c->end[1].sign = -1;
  c->end_count = 2;
  c->step_s = c->per_s = 1;
  ct_thermal_fill(f);
}

void ct_friction_forget(ct_contact *c, const ct_contact *gone) {
  if (c->kind != &ct_friction_kind || c->friction.source != gone)
    return;
  c->friction.source = NULL;
  c->friction.values.normal_n = 0;
}

const ct_contact_kind ct_friction_kind = {.name = "friction",
                                          .level = friction_level,
                                          .solve = friction_solve,
                                          .touches = friction_touches,
                                          .force = friction_force,
                                          .alone = friction_alone,
                                          .commit = friction_commit,
                                          .line = friction_line,
                                          .commit_line = friction_commit_line,
                                          .parameters_changed = friction_parameters_changed,
                                          .join = friction_join,
                                          .begin = friction_begin,
                                          .on_tick = friction_on_tick,
                                          .rests = friction_rests,
                                          .tune = friction_tune,
                                          .reset = friction_reset,
                                          .weaken = friction_weaken,
                                          .gross_j = friction_gross_j};
