/* ctest: slow
 * The impact law and the solver, from the inside: the law never decreases and its work is what it stores and
 * loses; solutions agree with slow and sure methods in long double; whole rebounds agree with the closed
 * form. */
#include "contact/solve.h"
#include "support/lab.h"
#include "support/long_run.h"
#include "support/random_scene.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

/* How many are drawn of so many in a long run. */
static int draws(int all) { return long_run() ? all : all / 5; }

/* ---- a body that is nothing but its compliance, and a wall */

static const double *held_compliance(ct_body *body, uint32_t level) {
  return body->as.modal.level[level].compliance;
}

static const ct_body_kind soft_kind = {.name = "soft", .compliance = held_compliance},
                          wall_kind = {.name = "wall", .rigid = true};

typedef struct bench {
  ct_body soft, wall;
  ct_level level;
  double compliance[MOST * MOST];
  ct_contact contacts[MOST], *list[MOST];
  ct_solver solver;
  ct_effort effort;
  void *memory;
} bench;

static void open_bench(bench *b) {
  memset(b, 0, sizeof *b);
  size_t bytes = 1u << 16;
  b->memory = aligned_alloc(CT_ALIGN, bytes);
  ct_arena arena = {b->memory, bytes, 0};
  assert_true(ct_solver_lay(&b->solver, &arena, MOST));
  b->soft.kind = &soft_kind;
  b->wall.kind = &wall_kind;
  b->soft.levels = 1;
  b->soft.as.modal.level = &b->level;
  b->level.compliance = b->compliance;
}

static void close_bench(bench *b) { free(b->memory); }

typedef struct law {
  double stiffness, exponent, damping_s_m, step_s, compression_m, d_free_m;
} law;

static void place(bench *b, uint32_t index, const law *l) {
  ct_contact *c = &b->contacts[index];
  ct_impact_def def = ct_default_impact_def();
  def.stiffness = l->stiffness;
  def.exponent = l->exponent;
  def.damping_s_m = l->damping_s_m;
  memset(c, 0, sizeof *c);
  ct_impact_fill(c, &def);
  c->end[0] = (ct_end){.body = &b->soft, .port = (uint16_t)index, .sign = 1};
  c->end[1] = (ct_end){.body = &b->wall, .port = 0, .sign = -1};
  c->compression_m = l->compression_m;
  c->stored_j =
      l->compression_m > 0 ? l->stiffness * pow(l->compression_m, l->exponent + 1) / (l->exponent + 1) : 0;
  (void)c->kind->parameters_changed(c);
  c->step_s = l->step_s;
  c->per_s = 1 / l->step_s;
  c->d_free_m = l->d_free_m;
  b->list[index] = c;
}

/* ---- the same law, slowly */

static long double true_potential(const law *l, long double x) {
  long double p = (long double)l->exponent + 1;
  return x > 0 ? l->stiffness * powl(x, p) / p : 0;
}

static long double true_force(const law *l, long double d) {
  long double x0 = l->compression_m, p = (long double)l->exponent + 1,
              factor = 1 + l->damping_s_m * d / l->step_s;
  if (factor <= 0)
    return 0;
  if (d == 0)
    return x0 > 0 ? l->stiffness * powl(x0, p - 1) : 0;
  if (x0 > 0 && x0 + d > 0)
    return true_potential(l, x0) * expm1l(p * log1pl(d / x0)) / d * factor;
  return (true_potential(l, x0 + d) - true_potential(l, x0)) / d * factor;
}

/* The root of d + C f(d) = d_free. */
static long double true_root(const law *l, long double compliance, long double d_free) {
  long double high = d_free, low = d_free - compliance * true_force(l, d_free);
  for (int i = 0; i < 300 && low < high; i++) {
    long double middle = low + (high - low) / 2;
    if (middle == low || middle == high)
      break;
    *(middle + compliance * true_force(l, middle) > d_free ? &high : &low) = middle;
  }
  return (low + high) / 2;
}

/* ---- the law */

/* Compression before the step: apart, or up to what a mass at this speed would reach. */
static double draw_compression(random_state *r, const law *l, double mass, double speed) {
  double deepest = pow((l->exponent + 1) * mass * speed * speed / (2 * l->stiffness), 1 / (l->exponent + 1));
  if (random_unit(r) < 0.3)
    return -random_log(r, 1e-12, 1) * fabs(speed) * l->step_s;
  return deepest * random_log(r, 1e-6, 1);
}

static law draw_law(random_state *r, double *compliance) {
  double mass = random_log(r, 1e-9, 1e3), speed = random_log(r, 1e-6, 10);
  law l = {.stiffness = random_log(r, 1e2, 1e14),
           .exponent = random_between(r, 1.01, 3),
           .damping_s_m = random_unit(r) < 0.3 ? 0 : random_log(r, 1e-3, 100),
           .step_s = ldexp(1 / random_log(r, 8000, 384000), -(int)random_below(r, 9))};
  *compliance = l.step_s * l.step_s / (2 * mass);
  l.compression_m = draw_compression(r, &l, mass, speed);
  double way = l.compression_m > 0 && random_unit(r) < 0.5 ? -1 : 1;
  l.d_free_m = way * speed * l.step_s;
  return l;
}

static void law_never_decreases(void **state) {
  (void)state;
  static bench b;
  open_bench(&b);
  random_state r = {31};
  double worst = 0;
  for (int i = 0, n = draws(20000); i < n; i++) {
    double compliance;
    law l = draw_law(&r, &compliance);
    place(&b, 0, &l);
    const ct_contact *c = &b.contacts[0];
    double size = fmax(fabs(l.compression_m), fabs(l.d_free_m)), last = 0;
    for (int k = -40; k <= 40; k++) {
      double d = size * 1.5 * k / 40, force = c->kind->force(c, d).n;
      assert_true(force >= 0);
      worst = fmax(worst, (last - force) / fmax(last, 1e-300));
      last = force;
    }
  }
  printf("law: falls by at most %.2g of itself\n", worst);
  assert_true(worst < 1e-13);
  close_bench(&b);
}

static void law_is_right(void **state) {
  (void)state;
  if (LDBL_MANT_DIG < 60)
    skip();
  static bench b;
  open_bench(&b);
  random_state r = {32};
  double force_error = 0, slope_error = 0;
  for (int i = 0, n = draws(50000); i < n; i++) {
    double compliance, size, step;
    law l = draw_law(&r, &compliance);
    place(&b, 0, &l);
    size = fmax(fabs(l.compression_m), fabs(l.d_free_m));
    double d = size * random_log(&r, 1e-12, 1) * (random_unit(&r) < 0.5 ? -1 : 1), x1 = l.compression_m + d;
    ct_force got = b.contacts[0].kind->force(&b.contacts[0], d);
    long double want = true_force(&l, d);
    force_error = fmax(force_error, (double)fabsl(got.n - want) / fmax((double)want, 1e-300));
    step = 1e-6 * fmin(fabs(x1), fmax(fabs(d), 1e-3 * fabs(l.compression_m)));
    if (1 + l.damping_s_m * (d - step) / l.step_s <= 1e-3)
      continue;
    long double slope = (true_force(&l, d + step) - true_force(&l, d - step)) / (2 * (long double)step);
    slope_error = fmax(slope_error, (double)fabsl(got.slope - slope) / fmax((double)slope, 1e-300));
  }
  printf("law: force off by %.2g, slope by %.2g\n", force_error, slope_error);
  assert_true(force_error < 1e-9);
  assert_true(slope_error < 1e-4);
  close_bench(&b);
}

/* f d = dV + Q, Q >= 0, after every kind of step. */
static void work_is_stored_or_lost(void **state) {
  (void)state;
  static bench b;
  open_bench(&b);
  random_state r = {33};
  double worst = 0;
  for (int i = 0, n = draws(100000); i < n; i++) {
    double compliance;
    law l = draw_law(&r, &compliance);
    place(&b, 0, &l);
    ct_contact *c = &b.contacts[0];
    double d = l.d_free_m * random_between(&r, -1, 1), before = c->stored_j;
    ct_force f = c->kind->force(c, d);
    c->kind->commit(c, d, &f);
    assert_true(c->lost_j >= 0);
    double size = before + c->stored_j + c->lost_j;
    worst = fmax(worst, size > 0 ? fabs(f.n * d - (c->stored_j - before) - c->lost_j) / size : 0);
  }
  printf("law: work minus stored minus lost at most %.2g of them\n", worst);
  assert_true(worst < 1e-13);
  close_bench(&b);
}

/* ---- one contact */

/* Against long doubles, where they are longer. */
static void open_for_one(bench *b) {
  if (LDBL_MANT_DIG < 60)
    skip();
  open_bench(b);
  b->soft.port_count = 1;
}

static void alone_against_bisection(void **state) {
  (void)state;
  static bench b;
  open_for_one(&b);
  random_state r = {34};
  double worst = 0, evaluations = 0, solves = 0;
  uint32_t most = 0;
  for (int i = 0, n = draws(50000); i < n; i++) {
    law l = draw_law(&r, &b.compliance[0]);
    place(&b, 0, &l);
    if (!b.contacts[0].kind->touches(&b.contacts[0], l.d_free_m))
      continue;
    ct_solve(&b.solver, b.list, 1, 0, &b.effort);
    assert_false(b.effort.fell_back);
    long double want = true_root(&l, b.compliance[0], l.d_free_m);
    double size = fabs(l.d_free_m) + (double)fabsl(want);
    worst = fmax(worst, (double)fabsl(b.contacts[0].d_m - want) / size);
    evaluations += b.effort.evaluations;
    solves++;
    most = b.effort.evaluations > most ? b.effort.evaluations : most;
  }
  printf("alone: %.0f solves off by at most %.2g; %.2f evaluations in the mean, %u at most\n", solves, worst,
         evaluations / solves, most);
  assert_true(solves > draws(20000));
  assert_true(worst < 1e-12);
  assert_true(most <= CT_MOST_EVALUATIONS);
  close_bench(&b);
}

/* A contact that hardly moves, on both sides of where the inverse series is the solution: any exponent and
 * damping, and a step of 2^-20 to 2^-6 of the compression. */
static void at_rest_against_the_law(void **state) {
  (void)state;
  static bench b;
  open_for_one(&b);
  random_state r = {35};
  double worst = 0, worst_stored = 0;
  uint32_t once = 0;
  for (int i = 0, n = draws(50000); i < n; i++) {
    law l = draw_law(&r, &b.compliance[0]);
    l.exponent = random_between(&r, 1.000001, 5);
    l.damping_s_m *= random_log(&r, 1e-3, 10);
    l.compression_m = random_log(&r, 1e-9, 1e-2);
    place(&b, 0, &l);
    ct_contact *c = &b.contacts[0];
    /* it begins with the energy it has, which pow has rounded */
    long double x0 = l.compression_m, before = c->stored_j, scale = before / true_potential(&l, x0),
                want = x0 * random_between(&r, -1, 1) * exp2(-random_between(&r, 6, 20)),
                push = b.compliance[0] * scale * true_force(&l, want), size = fabsl(want) + push;
    c->d_free_m = (double)(want + push);
    if (push <= 0 || !(size < 1e3L))
      continue;
    ct_solve(&b.solver, b.list, 1, 0, &b.effort);
    long double stored = before * expl(((long double)l.exponent + 1) * log1pl(want / x0));
    worst = fmax(worst, (double)(fabsl(c->d_m - want) / size));
    worst_stored = fmax(worst_stored, (double)fabsl(c->stored_j / stored - 1));
    once += b.effort.evaluations == 1;
  }
  printf("at rest: off by at most %.2g, stored by %.2g; %u of %d with one evaluation\n", worst, worst_stored,
         once, draws(50000));
  assert_true(worst < 4e-15 && worst_stored < 1e-14);
  assert_true(once > (uint32_t)draws(40000));
  close_bench(&b);
}

/* ---- many contacts */

/* C = A A^T of any rank; one contact in five is the twin of another. */
static void draw_compliance(random_state *r, bench *b, uint32_t n, double size) {
  double a[MOST][MOST];
  uint32_t rank = 1 + random_below(r, n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < rank; k++)
      a[i][k] = i > 0 && random_unit(r) < 0.2 ? a[i - 1][k] : random_between(r, -1, 1);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      b->compliance[i * n + j] = 0;
      for (uint32_t k = 0; k < rank; k++)
        b->compliance[i * n + j] += size * a[i][k] * a[j][k];
    }
  b->soft.port_count = (uint16_t)n;
}

/* Laws whose stiffness over the step is comparable with the bodies', so that slow sweeps arrive. */
static law draw_mild_law(random_state *r, double compliance) {
  law l = {.exponent = random_between(r, 1.05, 2.5),
           .damping_s_m = random_unit(r) < 0.5 ? 0 : random_log(r, 1e-2, 1),
           .step_s = 1 / 48000.0};
  double x = random_log(r, 1e-6, 1e-4);
  l.stiffness = random_log(r, 0.01, 3) / (compliance * pow(x, l.exponent - 1));
  l.compression_m = x * random_between(r, -0.5, 1);
  l.d_free_m = x * random_between(r, -1, 1);
  return l;
}

/* Nonlinear Gauss-Seidel: each contact in turn is solved by bisection with the others' forces held. It
 * descends a convex function, so it arrives, if slowly. */
static uint32_t sweep_until_still(const bench *b, const law *laws, uint32_t n, long double *d) {
  long double force[MOST] = {0};
  for (uint32_t sweep = 1; sweep <= 5000; sweep++) {
    long double moved = 0, size = 0;
    for (uint32_t i = 0; i < n; i++) {
      long double alone = laws[i].d_free_m, now;
      for (uint32_t j = 0; j < n; j++)
        alone -= j == i ? 0 : b->compliance[i * n + j] * force[j];
      d[i] = true_root(&laws[i], b->compliance[i * n + i], alone);
      now = true_force(&laws[i], d[i]);
      moved += fabsl(now - force[i]);
      size += now;
      force[i] = now;
    }
    if (moved <= 1e-14L * size)
      return sweep;
  }
  return 0;
}

static double compare_many(bench *b, const law *laws, uint32_t n, const long double *d) {
  double worst = 0, size = 0;
  for (uint32_t i = 0; i < n; i++)
    size = fmax(size, fabs(laws[i].d_free_m) + (double)fabsl(d[i]));
  for (uint32_t i = 0; i < n; i++)
    worst = fmax(worst, (double)fabsl(b->contacts[i].d_m - d[i]) / size);
  return worst;
}

static void together_against_sweeps(void **state) {
  (void)state;
  static bench b;
  open_bench(&b);
  random_state r = {35};
  double worst = 0;
  uint32_t arrived = 0, most = 0, forces = 0;
  for (int round = 0, rounds = draws(400); round < rounds; round++) {
    uint32_t n = 2 + random_below(&r, MOST - 1);
    double size = random_log(&r, 1e-9, 1e-5);
    law laws[MOST];
    long double d[MOST];
    draw_compliance(&r, &b, n, size);
    ct_solver_forget(&b.solver); /* the table was written behind its back */
    for (uint32_t i = 0; i < n; i++) {
      laws[i] = draw_mild_law(&r, size);
      place(&b, i, &laws[i]);
    }
    ct_solve(&b.solver, b.list, n, 0, &b.effort);
    most = b.effort.evaluations > most ? b.effort.evaluations : most;
    assert_false(b.effort.fell_back);
    if (!sweep_until_still(&b, laws, n, d))
      continue;
    arrived++;
    worst = fmax(worst, compare_many(&b, laws, n, d));
    for (uint32_t i = 0; i < n; i++)
      forces += b.contacts[i].now_n > 0;
  }
  printf("together: %u sets of contacts, %u forces, off by at most %.2g; %u evaluations at most\n", arrived,
         forces, worst, most);
  assert_true(arrived > (uint32_t)draws(300) && forces > (uint32_t)draws(600));
  assert_true(worst < 1e-10);
  close_bench(&b);
}

/* Two equal contacts between the same points share the force: one of twice the stiffness. */
enum { FRAMES = 600 };

static void strike(bool twins, double x[FRAMES], double force[FRAMES]) {
  static double half[2][FRAMES];
  ct_scene *scene = lab_scene(44100, 0);
  const ct_mode_def modes[3] = {{.hz = 400, .t60_s = 1, .mass_kg = 0.05},
                                {.hz = 1000, .t60_s = 0.7, .mass_kg = 0.05},
                                {.hz = 1800, .t60_s = 0.5, .mass_kg = 0.05}};
  lab_modal(scene, "bar", modes, 3);
  lab_mass(scene, "hammer", 0.02, -1e-5, 1.5);
  for (int i = 0; i < (twins ? 2 : 1); i++) {
    ct_impact_def def = lab_law(i ? "right" : "left", "hammer.at", "bar.at", twins ? 1e8 : 2e8, 1.5, 0.3);
    def.substeps = 4;
    lab_touch(scene, def);
  }
  lab_settle(scene);
  ct_tap taps[3] = {{lab_handle(scene, "bar.at.x_m"), x}, {lab_handle(scene, "left.force_n"), half[0]}};
  if (twins)
    taps[2] = (ct_tap){lab_handle(scene, "right.force_n"), half[1]};
  ct_scene_process(scene, &(ct_io){.frames = FRAMES, .taps = taps, .tap_count = twins ? 3 : 2});
  for (int n = 0; n < FRAMES; n++) {
    force[n] = twins ? half[0][n] + half[1][n] : half[0][n];
    if (twins)
      assert_true(fabs(half[0][n] - half[1][n]) <= 1e-9 * fabs(half[0][n]));
  }
  assert_true(lab_ledger_error(scene) < 1e-12);
  ct_scene_destroy(scene);
}

static void twins_share(void **state) {
  (void)state;
  static double x[2][FRAMES], force[2][FRAMES];
  strike(false, x[0], force[0]);
  strike(true, x[1], force[1]);
  double of_x = lab_relative_rms(x[1], x[0], FRAMES), of_force = lab_relative_rms(force[1], force[0], FRAMES);
  printf("twins: x off by %.2g, force by %.2g from one contact of twice the stiffness\n", of_x, of_force);
  assert_true(of_x < 1e-9 && of_force < 1e-9);
}

/* ---- rebounds */

typedef struct throw_at_wall {
  double mass_kg, speed_m_s, stiffness, exponent, damping_s_m, rate_hz, gap_m;
} throw_at_wall;

static double thrown_back(const throw_at_wall *t, ct_quality quality) {
  ct_scene *scene = lab_scene(t->rate_hz, 0);
  lab_mass(scene, "ball", t->mass_kg, 0, t->speed_m_s);
  lab_hand(scene, "wall", t->gap_m, 0);
  ct_impact_def def = lab_law("hit", "ball.at", "wall.at", t->stiffness, t->exponent, t->damping_s_m);
  def.quality = quality;
  lab_touch(scene, def);
  lab_settle(scene);
  ct_handle v = lab_handle(scene, "ball.at.v_m_s"), x = lab_handle(scene, "hit.compression_m");
  for (int n = 0; n < 100000; n++) {
    lab_step(scene, 1);
    if (ct_scene_get(scene, v) < 0 && ct_scene_get(scene, x) < 0)
      break;
  }
  double out = -ct_scene_get(scene, v);
  ct_scene_destroy(scene);
  return out;
}

/* Contact times from two samples down to what `normal` may still resolve. */
static throw_at_wall draw_throw(random_state *r) {
  throw_at_wall t = {.mass_kg = random_log(r, 1e-4, 1),
                     .speed_m_s = random_log(r, 0.05, 3),
                     .exponent = random_between(r, 1.05, 2.5),
                     .damping_s_m = random_log(r, 0.01, 2),
                     .rate_hz = random_unit(r) < 0.5 ? 44100 : 48000};
  double seconds = random_log(r, 0.2, 50) / t.rate_hz, deepest = seconds * t.speed_m_s / 3;
  t.stiffness = (t.exponent + 1) * t.mass_kg * t.speed_m_s * t.speed_m_s / 2 / pow(deepest, t.exponent + 1);
  t.stiffness = fmin(fmax(t.stiffness, 1), 1e16);
  t.gap_m = random_unit(r) * t.speed_m_s / t.rate_hz;
  return t;
}

static void rebounds(void **state) {
  (void)state;
  random_state r = {36};
  double normal = 0, best = 0;
  for (int i = 0; i < 400; i++) {
    throw_at_wall t = draw_throw(&r);
    double want = lab_rebound_m_s(t.speed_m_s, t.damping_s_m);
    normal = fmax(normal, fabs(thrown_back(&t, CT_NORMAL_QUALITY) / want - 1));
    best = fmax(best, fabs(thrown_back(&t, CT_BEST) / want - 1));
  }
  printf("rebound from a wall: off by at most %.3g %% at normal quality, %.3g %% at best\n", 100 * normal,
         100 * best);
  assert_true(normal < 0.014);
  assert_true(best < 0.001);
}

/* Beyond a double's range a contact lets go; what it stored is lost, and nothing is NaN. */
static void absurd_numbers_are_survived(void **state) {
  (void)state;
  static bench b;
  for (uint32_t count = 1; count <= 2; count++) {
    open_bench(&b);
    b.soft.port_count = (uint16_t)count;
    for (uint32_t i = 0; i < count; i++)
      place(&b, i, &(law){1e16, 5, 1000, 1e-5, 1e3, 1e300});
    for (uint32_t i = 0; i < count * count; i++)
      b.compliance[i] = 1e300;
    double before = b.contacts[0].stored_j;
    ct_solve(&b.solver, b.list, count, 0, &b.effort);
    for (uint32_t i = 0; i < count; i++) {
      const ct_contact *c = &b.contacts[i];
      assert_true(isfinite(c->now_n) && isfinite(c->compression_m) && isfinite(c->stored_j) &&
                  isfinite(c->lost_j));
      assert_true(c->stored_j <= before * (1 + 1e-12) || c->now_n > 0);
    }
    close_bench(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(law_never_decreases),
                                     cmocka_unit_test(law_is_right),
                                     cmocka_unit_test(work_is_stored_or_lost),
                                     cmocka_unit_test(alone_against_bisection),
                                     cmocka_unit_test(at_rest_against_the_law),
                                     cmocka_unit_test(together_against_sweeps),
                                     cmocka_unit_test(twins_share),
                                     cmocka_unit_test(rebounds),
                                     cmocka_unit_test(absurd_numbers_are_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
