/* One unknown closing d per contact (e = d - base inside, see ct_contact_kind.base): r(d) = d + C f(d) -
 * d_free = 0, f_i(d_i) non-decreasing, C positive semi-definite. It is the stationary point of a convex
 * function of q where d = d_free - C q, so there is one solution even for redundant contacts (singular C).
 *
 * Alone, a contact is solved by its own law (ct_contact_kind.solve). Together: Newton with D = diag(f') =
 * S^2,
 *
 *   (I + S C S) u = -S r,   step = u / S on stiff contacts, -r - C S u on others,   dq = f - q + S u
 *
 * and a line search on the directional derivative (f(d + t step) - q - t dq) . step, which rises with t.
 * Neither form divides by a small number, so k from 1e2 to 1e14 over masses from 1e-9 kg meets no
 * cancellation. If the cap is reached, one linear passive step (ct_contact_kind.line) ends the solve: it
 * cannot fail and cannot gain energy. */
#include "contact/scaled.h"

#include <assert.h>

bool ct_solver_lay(ct_solver *s, ct_arena *arena, uint32_t n) {
  s->capacity = n;
  s->kernels = ct_bank_choose();
  s->compliance = ct_arena_take(arena, (size_t)n * n, sizeof(double));
  s->matrix = ct_arena_take(arena, (size_t)n * n, sizeof(double));
  s->kept = n > 1 ? ct_arena_take(arena, (size_t)n * n, sizeof *s->kept) : NULL;
  s->active = ct_arena_take(arena, n, 2 * sizeof *s->active);
  s->known = s->active ? s->active + n : NULL;
  double **rows[] = {&s->force, &s->stored, &s->slope, &s->residual,  &s->root,   &s->step,  &s->push,  &s->d,
                     &s->q,     &s->trial,  &s->near,  &s->direction, &s->scaled, &s->image, &s->pushed};
  const size_t count = sizeof rows / sizeof rows[0];
  double *all = ct_arena_take(arena, n, count * sizeof *all);
  for (size_t i = 0; all && i < count; i++)
    *rows[i] = all + i * n;
  return arena->base && arena->used <= arena->size;
}

void ct_solver_forget(ct_solver *s) {
  s->known_count = 0;
  if (s->kept)
    memset(s->kept, 0, (size_t)s->capacity * s->capacity * sizeof *s->kept);
}

/* ---- one contact ---- */

static inline void solve_one(ct_solver *s, ct_contact *c, double compliance) {
  ct_alone a = c->kind->alone(c, compliance, c->free_m, CT_MOST_EVALUATIONS);
  s->fell_back = false;
  s->evaluations += a.evaluations;
  s->d[0] = a.e;
  s->force[0] = a.force.n;
  s->slope[0] = a.force.slope;
  s->stored[0] = a.force.stored_j;
  if (a.arrived)
    return;
  s->fell_back = true;
  s->near[0] = a.e;
  s->force[0] = ct_contact_end_on_line(c, compliance, a.e, &s->d[0]).n;
}

/* ---- many ---- */

/* Residuals of closings d under forces f; true when every one is down to rounding. A sum of n products is
 * good to about n roundings of their sizes, of which C f is the least sum. */
CT_INLINE bool fits(ct_solver *s, ct_contact *const *c, uint32_t n, const double *d, const double *f) {
  bool done = true;
  multiply(s, n, f, s->pushed);
  for (uint32_t i = 0; i < n; i++) {
    double pushed = s->pushed[i];
    s->residual[i] = d[i] + pushed - c[i]->free_m;
    double left = fabs(s->residual[i]), size = fabs(d[i]) + fabs(c[i]->free_m), most = (4 + n) * eps;
    if (done && left > most * (size + fabs(pushed)))
      done = left <= most * (size + row_size(s->compliance + i * n, f, n));
  }
  return done;
}

/* Forces, roots of slopes and residuals at d; true when every residual is down to rounding. */
CT_INLINE bool evaluate(ct_solver *s, ct_contact *const *c, uint32_t n, const double *d) {
  for (uint32_t i = 0; i < n; i++) {
    ct_force f = c[i]->kind->force(c[i], d[i]);
    s->force[i] = f.n;
    s->slope[i] = f.slope;
    s->stored[i] = f.stored_j;
    s->root[i] = sqrt(ct_most(f.slope, 0));
  }
  s->evaluations++;
  return fits(s, c, n, d, s->force);
}

/* Forces and slopes at a trial far away may overflow; such a trial is only told to come back. */
CT_INLINE bool sane(const ct_solver *s, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!isfinite(s->residual[i]) || !isfinite(s->root[i]))
      return false;
  return true;
}

CT_INLINE double along(const ct_solver *s, uint32_t n, const double *q, double t) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += (s->force[i] - q[i] - t * s->push[i]) * s->step[i];
  return sum;
}

/* Newton's step and the matching change of q; returns the directional derivative at its start. */
CT_INLINE double newton_step(ct_solver *s, uint32_t n, const double *q, bool first) {
  double *u = s->trial;
  for (uint32_t i = 0; i < n; i++) {
    s->residual[i] = -s->residual[i];
    u[i] = s->root[i] * s->residual[i];
  }
  bool moved = n >= LANES && conjugate_gradients(s, n, s->root, u, first ? far_from : near_to);
  if (!moved)
    solve_scaled(s, n, s->root, u);
  unscale(s, n, s->root, s->residual, u, s->push, s->step, moved);
  for (uint32_t i = 0; i < n; i++)
    s->push[i] += s->force[i] - q[i];
  return along(s, n, q, 0);
}

/* Walks along the step until the directional derivative has halved or is negative still; true when solved. */
CT_INLINE bool search(ct_solver *s, ct_contact *const *c, uint32_t n, double *d, double *q, double slope0) {
  double t = 1;
  for (;;) {
    for (uint32_t i = 0; i < n; i++)
      s->trial[i] = d[i] + t * s->step[i];
    bool done = evaluate(s, c, n, s->trial);
    if (!sane(s, n)) {
      t *= 0.01;
      if (s->evaluations >= s->most)
        return false;
      continue;
    }
    double slope = along(s, n, q, t);
    if (done || slope <= 0.5 * fabs(slope0) || t < 1e-8 || s->evaluations >= s->most) {
      for (uint32_t i = 0; i < n; i++)
        q[i] += t * s->push[i];
      memcpy(d, s->trial, n * sizeof *d);
      return done;
    }
    double shrink = fabs(slope0) / (fabs(slope0) + slope);
    t *= ct_clamp(shrink, 0.1, 0.7);
  }
}

/* The last step, once it is so short that every law is a line over it: what it leaves is then C f's rounding,
 * and no law must be asked again. False: forces and residuals are those of no place, and the search that
 * follows finds them anew. */
CT_INLINE bool end_on_step(ct_solver *s, ct_contact *const *c, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    ct_force f = {s->force[i], s->slope[i], s->stored[i]};
    if (!c[i]->kind->extend || !c[i]->kind->extend(c[i], s->d[i], s->step[i], &f))
      return false;
    s->trial[i] = s->d[i] + s->step[i];
    s->force[i] = f.n;
    s->stored[i] = f.stored_j;
  }
  if (!fits(s, c, n, s->trial, s->force))
    return false;
  memcpy(s->d, s->trial, n * sizeof *s->d);
  return true;
}

/* What the solution so far leaves of `start` goes through the same equations: where compliances differ by
 * many orders, the factors alone are good to half the digits, and the rest would be work that nobody did. Kd,
 * in q, is kept beside d: of a stiff contact it has digits that d has no room for. */
static void refine_lines(ct_solver *s, uint32_t n, const double *start) {
  double *left = s->step, *u = s->trial;
  for (uint32_t i = 0; i < n; i++) {
    left[i] = start[i] - s->d[i] - row_product(s->compliance + i * n, s->q, n);
    u[i] = s->root[i] * left[i];
  }
  solve_scaled(s, n, s->root, u);
  unscale(s, n, s->root, left, u, s->push, s->step, false);
  for (uint32_t i = 0; i < n; i++) {
    s->d[i] += s->step[i];
    s->q[i] += s->push[i];
  }
}

/* (I + C K) d = d_free - C b for the frozen lines f = b + K d; in d itself, since the lines start where d
 * does. */
static void end_on_lines(ct_solver *s, ct_contact *const *c, uint32_t n) {
  double *start = s->residual;
  memcpy(s->near, s->d, n * sizeof *s->near);
  for (uint32_t i = 0; i < n; i++) {
    ct_force line = c[i]->kind->line(c[i], s->near[i]);
    s->force[i] = line.n;
    s->slope[i] = line.slope;
    s->root[i] = sqrt(line.slope);
    s->d[i] = s->q[i] = 0;
  }
  for (uint32_t i = 0; i < n; i++)
    start[i] = c[i]->d_free_m - row_product(s->compliance + i * n, s->force, n);
  for (int round = 0; round < 3; round++)
    refine_lines(s, n, start);
  for (uint32_t i = 0; i < n; i++) {
    double intercept = s->force[i];
    s->force[i] += s->q[i];
    s->q[i] = fabs(intercept) + fabs(s->q[i]); /* may be far more than their sum: see `commit` */
  }
  s->fell_back = true;
}

/* ---- where to start ---- */

/* A contact whose law is a line f = b + K d while it is solved: friction, at its frozen lambda. */
static bool is_line(const ct_contact *c) { return c->kind->tune != NULL; }

/* Beside lines one law is a law alone. With K = S^2 and f the law's force, the lines' part of the equations
 * is (I + S C S) u = S (free - C b) - S C_law f, so u = u0 - u1 f, and what is left for the law is
 *
 *   e = free_law - C_law (b + S u0) - (C_law,law - C_law S u1) f
 *
 * Lines alone are solved by u0. True: d and q hold the solution, up to rounding. */
CT_INLINE bool start_from_lines(ct_solver *s, ct_contact *const *c, uint32_t n) {
  double *start = s->residual, *u0 = s->trial, *u1 = s->step, *pushed = s->push;
  uint32_t laws = 0, law = 0;
  for (uint32_t i = 0; i < n && laws < 2; i++)
    if (!is_line(c[i])) {
      laws++;
      law = i;
    }
  if (laws > 1 || (laws && !c[law]->kind->alone))
    return false;
  for (uint32_t i = 0; i < n; i++) {
    ct_force line = is_line(c[i]) ? c[i]->kind->force(c[i], 0) : (ct_force){0};
    s->force[i] = line.n;
    s->root[i] = sqrt(ct_most(line.slope, 0));
  }
  for (uint32_t i = 0; i < n; i++) {
    start[i] = c[i]->free_m - row_product(s->compliance + i * n, s->force, n);
    u0[i] = s->root[i] * start[i];
    u1[i] = s->root[i] * s->compliance[i * n + law];
  }
  factor_scaled(s, n, s->root);
  substitute(s, n, u0);
  ct_alone a = {.arrived = true};
  if (laws) {
    const double *row = s->compliance + law * n;
    double free = start[law], compliance = row[law];
    substitute(s, n, u1);
    for (uint32_t i = 0; i < n; i++) {
      free -= row[i] * s->root[i] * u0[i];
      compliance -= row[i] * s->root[i] * u1[i];
    }
    if (!(compliance > 0) || !isfinite(free))
      return false;
    a = c[law]->kind->alone(c[law], compliance, free, CT_MOST_EVALUATIONS / 2);
    s->evaluations += a.evaluations;
    for (uint32_t i = 0; i < n; i++)
      u0[i] -= u1[i] * a.force.n;
  }
  unscale(s, n, s->root, start, u0, pushed, s->d, false);
  for (uint32_t i = 0; i < n; i++)
    s->q[i] = s->force[i] + pushed[i];
  if (laws) {
    s->d[law] = a.e;
    s->q[law] = a.force.n;
    for (uint32_t i = 0; i < n; i++)
      if (i != law && s->root[i] * s->root[i] * s->compliance[i * n + i] <= 1)
        s->d[i] -= s->compliance[i * n + law] * a.force.n;
  }
  return a.arrived;
}

/* From the last forces, near ones while pressed; where they do not fit this step at all, from none. */
CT_INLINE bool start_from_forces(ct_solver *s, ct_contact *const *c, uint32_t n) {
  double *d = s->d, *q = s->q;
  for (uint32_t i = 0; i < n; i++)
    q[i] = c[i]->now_n;
  multiply(s, n, q, s->pushed);
  for (uint32_t i = 0; i < n; i++)
    d[i] = c[i]->free_m - s->pushed[i];
  bool done = evaluate(s, c, n, d);
  if (sane(s, n))
    return done;
  for (uint32_t i = 0; i < n; i++) {
    q[i] = 0;
    d[i] = c[i]->free_m;
  }
  return evaluate(s, c, n, d);
}

/* Soft contacts, as a heavy body has many: d = free - C f(d) may be put in as it stands, since what is wrong
 * with it shrinks to |S C S| of it, at most the sum of C_ii f'_i. That costs no more than asking the laws,
 * and what is left is short enough for a last step. */
static const double soft = 0.05;

CT_INLINE bool are_soft(const ct_solver *s, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += s->compliance[i * n + i] * s->slope[i];
  return sum < soft;
}

/* True: solved. */
CT_INLINE bool put_forces_in(ct_solver *s, ct_contact *const *c, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    s->q[i] = s->force[i];
    s->d[i] -= s->residual[i];
  }
  bool done = evaluate(s, c, n, s->d);
  return sane(s, n) ? done : start_from_forces(s, c, n);
}

CT_INLINE bool solve_laws(ct_solver *s, ct_contact *const *c, uint32_t n) {
  s->most = s->evaluations + CT_MOST_EVALUATIONS;
  bool done = start_from_lines(s, c, n) && evaluate(s, c, n, s->d);
  if (!done)
    done = start_from_forces(s, c, n);
  bool near = !done && n >= LANES && are_soft(s, n);
  if (near)
    done = put_forces_in(s, c, n);
  for (bool first = !near; !done && s->evaluations < s->most; first = false) {
    double slope = newton_step(s, n, s->q, first);
    if (!(slope < 0))
      break; /* no descent left: rounding */
    if (n >= LANES && end_on_step(s, c, n))
      return true;
    done = search(s, c, n, s->d, s->q, slope);
  }
  return done;
}

/* For two and three contacts expanded without the loops. */
CT_OUTLINE bool solve_two(ct_solver *s, ct_contact *const *c) { return solve_laws(s, c, 2); }
CT_OUTLINE bool solve_three(ct_solver *s, ct_contact *const *c) { return solve_laws(s, c, 3); }
CT_OUTLINE bool solve_many(ct_solver *s, ct_contact *const *c, uint32_t n) { return solve_laws(s, c, n); }

bool ct_solve_laws(ct_solver *s, ct_contact *const *c, uint32_t n) {
  return n == 2 ? solve_two(s, c) : n == 3 ? solve_three(s, c) : solve_many(s, c, n);
}

/* ---- which contacts ---- */

/* A point that is led and a way that turns with its slope change from step to step. */
static inline bool is_steady(const ct_contact *c) { return !c->led_count && c->end_count == 2; }

static inline uint64_t revision_of(const ct_contact *c) {
  return c->end[0].body->revision + c->end[1].body->revision;
}

/* C between two contacts, from the last time it was asked for if no body has changed since. Revisions only
 * rise and are never 0, so a sum of them that is the same is of the same ones. */
static double compliance_between(ct_solver *s, const ct_contact *i, const ct_contact *j, uint32_t level) {
  if (i->number == j->number || !is_steady(i) || !is_steady(j))
    return ct_contact_compliance(i, j, level);
  ct_kept_compliance *kept = &s->kept[i->number * s->capacity + j->number];
  uint64_t key = (revision_of(i) + revision_of(j)) * CT_LEVELS + level;
  if (kept->key != key)
    *kept = (ct_kept_compliance){key, ct_contact_compliance(i, j, level)};
  return kept->m_n;
}

/* Whether compliances between steady contacts are those of the solve before. */
static bool knows(ct_solver *s, ct_contact *const *c, uint32_t n, uint32_t level) {
  uint64_t revision = 0;
  for (uint32_t i = 0; i < n; i++)
    revision += revision_of(c[i]);
  if (s->known_count == n && s->known_level == level && s->known_revision == revision &&
      memcmp(s->known, c, n * sizeof *c) == 0)
    return true;
  s->known_count = n;
  s->known_level = level;
  s->known_revision = revision;
  memcpy(s->known, c, n * sizeof *c);
  return false;
}

static void fill_compliance(ct_solver *s, ct_contact *const *c, uint32_t n, uint32_t level) {
  bool known = knows(s, c, n, level), all_steady = true;
  for (uint32_t i = 0; i < n; i++)
    all_steady &= is_steady(c[i]);
  for (uint32_t i = 0; i < n; i++) {
    s->compliance[i * n + i] = ct_contact_own_compliance(c[i], level);
    for (uint32_t j = 0; j < i && !(known && all_steady); j++)
      if (!known || !is_steady(c[i]) || !is_steady(c[j]))
        s->compliance[i * n + j] = s->compliance[j * n + i] = compliance_between(s, c[i], c[j], level);
    c[i]->base_m = c[i]->kind->base ? c[i]->kind->base(c[i]) : 0;
    c[i]->free_m = c[i]->d_free_m - c[i]->base_m;
  }
}

/* Laws that freeze something (friction its lambda) choose it for the closing that the other contacts' forces
 * leave it; by what share the one that changed most did. */
static double tune(ct_solver *s, ct_contact *const *c, uint32_t n, const double *forces) {
  double most = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!c[i]->kind->tune)
      continue;
    double left = c[i]->free_m;
    for (uint32_t j = 0; j < n; j++)
      left -= j == i ? 0 : s->compliance[i * n + j] * forces[j];
    most = ct_most(most, c[i]->kind->tune(c[i], s->compliance[i * n + i], left));
    s->searches += c[i]->searched;
    s->longest_search = c[i]->searched > s->longest_search ? c[i]->searched : s->longest_search;
  }
  return most;
}

static bool has_tuned(ct_contact *const *c, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (c[i]->kind->tune)
      return true;
  return false;
}

static void solve_frozen(ct_solver *s, ct_contact *const *c, uint32_t n) {
  s->fell_back = false;
  if (n == 1)
    solve_one(s, c[0], s->compliance[0]);
  else if (!ct_solve_laws(s, c, n))
    end_on_lines(s, c, n);
}

/* The last force, gone on as it went; where that is far from it, the last one. */
static double expected_n(const ct_contact *c) {
  double going = 2 * c->now_n - c->before_n;
  return fabs(going - c->now_n) < 0.3 * fabs(c->now_n) ? going : c->now_n;
}

/* Where lambda has changed by less than this for the forces that came out, what they are solved with changes
 * them by far less, and it is not chosen once more. In the scenes a choice changes by a thousandth to a ten
 * thousandth of the one before; a search alone leaves a tenth of this. */
static const double last_change = 1e-6;

/* With every lambda frozen the island is monotone and has one solution; each pass is passive and exactly
 * booked, so stopping early costs accuracy only. Alone, a lambda is found in one search. */
static void solve_set(ct_solver *s, ct_contact *const *c, uint32_t n, uint32_t level) {
  uint32_t before = s->evaluations;
  bool tuned = has_tuned(c, n);
  fill_compliance(s, c, n, level);
  for (uint32_t i = 0; i < n && tuned; i++) {
    s->q[i] = expected_n(c[i]);
    c[i]->before_n = c[i]->now_n;
  }
  if (tuned)
    tune(s, c, n, s->q);
  solve_frozen(s, c, n);
  double change = 1;
  for (uint32_t pass = 1; tuned && n > 1 && pass < CT_FRICTION_PASSES && change > last_change; pass++) {
    change = s->evaluations - before < CT_MOST_EVALUATIONS ? tune(s, c, n, s->force) : 0;
    if (change == 0)
      return;
    for (uint32_t i = 0; i < n; i++)
      c[i]->now_n = s->force[i];
    solve_frozen(s, c, n);
  }
}

/* How far a contact left out closes under the forces found. */
static double closing(ct_solver *s, const ct_contact *c, uint32_t active, uint32_t level) {
  double d = c->d_free_m;
  for (uint32_t j = 0; j < active; j++)
    d -= compliance_between(s, c, s->active[j], level) * s->force[j];
  return d;
}

/* Contacts left out close by what the others do to them; true when one of them would touch after all. */
static bool rest_touches(ct_solver *s, ct_contact *const *contacts, uint32_t n, uint32_t active,
                         uint32_t level) {
  for (uint32_t i = 0; i < n; i++) {
    ct_contact *c = contacts[i];
    if (c->kind->touches(c, c->d_free_m))
      continue;
    c->d_m = closing(s, c, active, level);
    if (c->kind->touches(c, c->d_m))
      return true;
  }
  return false;
}

static inline void commit_one(ct_solver *s, ct_contact *c, uint32_t i) {
  c->d_m = s->fell_back ? s->d[i] : c->base_m + s->d[i];
  c->now_n = s->force[i];
  if (s->fell_back)
    c->kind->commit_line(c, c->d_m, s->near[i]);
  else
    c->kind->commit(c, s->d[i], &(ct_force){s->force[i], s->slope[i], s->stored[i]});
}

static inline bool is_number(const ct_solver *s, uint32_t i) {
  return isfinite(s->force[i]) && isfinite(s->d[i]);
}

/* What a rounding of every product may do: forces times what they move, and on a frozen line forces that may
 * be the small difference of two large ones. */
static double rounding_of(const ct_solver *s, uint32_t n, bool on_lines) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += fabs(s->force[i]) * row_size(s->compliance + i * n, on_lines ? s->q : s->force, n);
  return sum;
}

/* Never less than that, and no loop in a loop: |C_ij| <= sqrt(C_ii C_jj), so sum |f_i C_ij f_j| <= (sum |f_i|
 * sqrt(C_ii))^2 <= n sum C_ii f_i^2. */
static double most_rounding(const ct_solver *s, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += s->compliance[i * n + i] * s->force[i] * s->force[i];
  return n * sum;
}

/* The bodies will close contact i by d_free - C f, whatever the solve says. On frozen lines that span more
 * orders than a double has digits the two may differ, and the difference would be work that nobody did. */
static bool agrees(const ct_solver *s, uint32_t n) {
  double wrong_j = 0, moved_j = 0;
  for (uint32_t i = 0; i < n; i++) {
    double pushed = row_product(s->compliance + i * n, s->force, n);
    wrong_j += s->force[i] * (s->d[i] + pushed - s->active[i]->d_free_m);
    moved_j += fabs(s->force[i] * s->d[i]) + s->active[i]->stored_j;
  }
  return isfinite(moved_j) && fabs(wrong_j) <= 1e-9 * moved_j;
}

/* Contacts side by side, far stiffer than a body so light can tell, may find forces that cancel: then what
 * is rounded off their sum moves the body. Beyond a thousandth of the energy there is, d_free^2 / C and what
 * is stored, that is no solution. */
static bool has_digits(const ct_solver *s, uint32_t n, double rounding) {
  double there_j = 0;
  for (uint32_t i = 0; i < n; i++) {
    double d = s->active[i]->d_free_m, compliance = s->compliance[i * n + i];
    there_j += s->active[i]->stored_j + (compliance > 0 ? d / compliance * d : 0);
  }
  return (4 + n) * eps * rounding <= 1e-3 * there_j;
}

static bool is_solved(ct_solver *s, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!is_number(s, i))
      return false;
  bool on_lines = s->fell_back && n > 1,
       plenty = n == 1 || (!on_lines && has_digits(s, n, most_rounding(s, n)));
  s->rounding = !plenty || s->keeps_account ? rounding_of(s, n, on_lines) : 0;
  return plenty || (has_digits(s, n, s->rounding) && (!s->fell_back || agrees(s, n)));
}

static void commit(ct_solver *s, uint32_t n, bool solved) {
  s->rounding = solved ? s->rounding : 0;
  s->fell_back |= !solved;
  for (uint32_t i = 0; i < n; i++)
    if (solved)
      commit_one(s, s->active[i], i);
    else
      ct_contact_give_up(s->active[i]);
}

static void solve_island(ct_solver *s, ct_contact *const *contacts, uint32_t n, uint32_t level) {
  uint32_t active = 0;
  for (uint32_t i = 0; i < n; i++)
    if (contacts[i]->kind->touches(contacts[i], contacts[i]->d_free_m))
      s->active[active++] = contacts[i];
  solve_set(s, s->active, active, level);
  if (active < n && rest_touches(s, contacts, n, active, level)) {
    memcpy(s->active, contacts, n * sizeof *contacts);
    active = n;
    solve_set(s, s->active, active, level);
  }
  bool solved = is_solved(s, active);
  for (uint32_t i = 0; i < n && active < n; i++)
    if (!contacts[i]->kind->touches(contacts[i], contacts[i]->d_free_m))
      ct_contact_pass_by(contacts[i], solved ? contacts[i]->d_m : contacts[i]->d_free_m);
  commit(s, active, solved);
}

void ct_solve(ct_solver *s, ct_contact *const *contacts, uint32_t n, uint32_t level, ct_effort *effort) {
  if (n == 1) {
    ct_contact *c = contacts[0];
    c->kind->solve(c, ct_contact_own_compliance(c, level), c->d_free_m, effort);
    return;
  }
  assert(n <= s->capacity);
  s->evaluations = s->searches = s->longest_search = 0;
  solve_island(s, contacts, n, level);
  *effort = (ct_effort){s->evaluations, s->searches, s->longest_search, s->fell_back, s->rounding};
}
