/* Where bodies start that are at rest: statics, solved before the first sample, so that whatever a preset
 * makes of masses, loads, springs and gains, the scene begins without a blow.
 *
 * At rest a mode of stiffness K = m w^2 stands at x = F / K under all forces F on it, and an impact presses
 * with f = k c^alpha. So the compressions solve
 *
 *   c + S f(c) = c0,   S_ij = sum over modes of g_i g_j / K,   c0: compressions without contact forces
 *
 * which is the form of one step of an island (contact/solve.c), with S for the compliance of a step, and has
 * one solution. A free mode (0 Hz) has no K: it stands where F = 0. That is found by proximal steps: a spring
 * of kappa to where it was, K = kappa for one solve, and again from where it came to. Each step makes F
 * smaller by about kappa over the stiffness of what holds the mode, 1e-3 or so, so ten are plenty. Free modes
 * that no impact holds stay where they were given.
 *
 * Friction does not act at rest, strings and hands stand as they are. Where no rest is found (something is
 * pulled away from all contacts) everything stays as it was given. */
#include "scene/scene.h"

#include <math.h>

static const double prox_rad_s = 2 * M_PI; /* kappa = m times its square */
static const double free_rad2_s2 = 1e-6;   /* modes slower than 1e-3 rad/s are free */
static const double rest_share = 1e-12;    /* of the forces on a free mode, may be left over */
enum { STEPS_MOST = 100 };

typedef struct rest {
  ct_scene *s;
  ct_contact **impacts; /* the solver's list */
  uint32_t count;
} rest;

static bool yields(const ct_body *b) { return b->kind == &ct_modal_kind; }

static bool is_free(const ct_modal *m, uint32_t mode) { return m->stiffness_over_mass[mode] < free_rad2_s2; }

/* How far a contact closes per metre of a mode. */
static double gain_of(const ct_contact *c, const ct_body *b, uint32_t mode) {
  double sum = 0;
  for (int e = 0; e < 2; e++)
    if (c->end[e].body == b)
      sum += c->end[e].sign * b->ports[c->end[e].port].gain[mode];
  return sum;
}

static bool is_held(const rest *r, const ct_body *b, uint32_t mode) {
  for (uint32_t i = 0; i < r->count; i++)
    if (gain_of(r->impacts[i], b, mode) != 0)
      return true;
  return false;
}

/* 1 / K; 0: it stays where it is. */
static double compliance_of(const rest *r, const ct_body *b, uint32_t mode) {
  const ct_modal *m = &b->as.modal;
  if (m->dead[mode])
    return 0;
  if (!is_free(m, mode))
    return 1 / (m->mass[mode] * m->stiffness_over_mass[mode]);
  return is_held(r, b, mode) ? 1 / (m->mass[mode] * prox_rad_s * prox_rad_s) : 0;
}

static double bend_of(const ct_body *b, uint16_t port) {
  return b->ports[port].wants & CT_TOUCHED ? b->as.modal.residual.compliance_m_n : 0;
}

/* Weight and what pushes the points. */
static double outer_n(const ct_body *b, uint32_t mode) {
  const ct_modal *m = &b->as.modal;
  double sum = is_free(m, mode) ? m->gravity[mode] * m->mass[mode] * b->gravity_m_s2 : 0;
  for (uint16_t p = 0; p < b->port_count; p++)
    sum += b->ports[p].external_n * b->ports[p].gain[mode];
  return sum;
}

/* And what the contacts push with; `size` of the terms. */
static double force_on(const rest *r, const ct_body *b, uint32_t mode, double *size_n) {
  double sum = outer_n(b, mode);
  *size_n = fabs(sum);
  for (uint32_t i = 0; i < r->count; i++) {
    double part = gain_of(r->impacts[i], b, mode) * r->s->solver.force[i];
    sum -= part;
    *size_n += fabs(part);
  }
  return sum;
}

/* Scratch of a body that does not step: where its modes are. */
static double *places(const ct_body *b) { return b->as.modal.acceleration; }

/* ---- one proximal step ---- */

static void fill_body(rest *r, const ct_body *b) {
  ct_solver *v = &r->s->solver;
  for (uint32_t k = 0; k < b->as.modal.mode_count; k++) {
    double c = compliance_of(r, b, k), from = c == 0 || is_free(&b->as.modal, k) ? places(b)[k] : 0,
           alone = from + c * outer_n(b, k);
    for (uint32_t i = 0; i < r->count; i++) {
      double gain = gain_of(r->impacts[i], b, k);
      r->impacts[i]->free_m += gain * alone;
      for (uint32_t j = 0; j < r->count && gain != 0; j++)
        v->compliance[i * r->count + j] += gain * c * gain_of(r->impacts[j], b, k);
    }
  }
}

/* What bends at a port itself, and ends that stand still. */
static void fill_end(rest *r, uint32_t i, const ct_end *end) {
  ct_solver *v = &r->s->solver;
  const ct_port *port = &end->body->ports[end->port];
  if (!yields(end->body)) {
    r->impacts[i]->free_m += end->sign * ct_port_x_m(end->body, end->port);
    return;
  }
  double bend = bend_of(end->body, end->port);
  r->impacts[i]->free_m += end->sign * bend * port->external_n;
  for (uint32_t j = 0; j < r->count && bend > 0; j++)
    for (int e = 0; e < 2; e++)
      if (r->impacts[j]->end[e].body == end->body && r->impacts[j]->end[e].port == end->port)
        v->compliance[i * r->count + j] += end->sign * r->impacts[j]->end[e].sign * bend;
}

static bool solve_step(rest *r) {
  ct_solver *v = &r->s->solver;
  ct_solver_forget(v);
  for (uint32_t i = 0; i < r->count; i++) {
    ct_contact *c = r->impacts[i];
    c->free_m = c->offset_m - c->values.gap_m;
    for (uint32_t j = 0; j < r->count; j++)
      v->compliance[i * r->count + j] = 0;
  }
  for (uint32_t i = 0; i < r->count; i++)
    for (int e = 0; e < 2; e++)
      fill_end(r, i, &r->impacts[i]->end[e]);
  for (uint16_t i = 0; i < r->s->parts[CT_PART_BODY].live; i++)
    if (yields(ct_live_body(r->s, i)))
      fill_body(r, ct_live_body(r->s, i));
  for (uint32_t i = 0; i < r->count; i++)
    r->impacts[i]->kind = &ct_impact_rest_kind;
  v->evaluations = 0;
  bool solved = ct_solve_laws(v, r->impacts, r->count);
  for (uint32_t i = 0; i < r->count; i++) {
    r->impacts[i]->kind = &ct_impact_kind;
    r->impacts[i]->now_n = v->force[i];
  }
  return solved;
}

/* True where the forces on every free mode that is held cancel. */
static bool move_body(const rest *r, const ct_body *b) {
  bool still = true;
  for (uint32_t k = 0; k < b->as.modal.mode_count; k++) {
    double size_n, c = compliance_of(r, b, k), force_n = force_on(r, b, k, &size_n);
    bool is_spring = !is_free(&b->as.modal, k);
    if (c == 0)
      continue;
    places(b)[k] = (is_spring ? 0 : places(b)[k]) + c * force_n;
    still &= isfinite(places(b)[k]) && (is_spring || fabs(force_n) <= rest_share * size_n);
  }
  return still;
}

static bool find_rest(rest *r) {
  for (int step = 0; step < STEPS_MOST; step++) {
    bool still = solve_step(r);
    for (uint16_t i = 0; i < r->s->parts[CT_PART_BODY].live; i++)
      if (yields(ct_live_body(r->s, i)))
        still &= move_body(r, ct_live_body(r->s, i));
    if (still)
      return true;
  }
  return false;
}

/* ---- the whole ---- */

static void begin(rest *r) {
  r->impacts = r->s->solver.active;
  for (uint16_t i = 0; i < r->s->parts[CT_PART_CONTACT].live; i++) {
    ct_contact *c = ct_live_contact(r->s, i);
    if (c->kind == &ct_impact_kind)
      r->impacts[r->count++] = c;
  }
  for (uint16_t i = 0; i < r->s->parts[CT_PART_BODY].live; i++) {
    const ct_body *b = ct_live_body(r->s, i);
    for (uint32_t k = 0; yields(b) && k < b->as.modal.mode_count; k++)
      places(b)[k] = b->as.modal.x[k];
  }
}

static void bend_ports(const rest *r, const ct_body *b) {
  for (uint16_t p = 0; p < b->port_count; p++) {
    double force_n = b->ports[p].external_n;
    for (uint32_t i = 0; i < r->count; i++)
      for (int e = 0; e < 2; e++)
        if (r->impacts[i]->end[e].body == b && r->impacts[i]->end[e].port == p)
          force_n -= r->impacts[i]->end[e].sign * r->s->solver.force[i];
    b->ports[p].residual_m = bend_of(b, p) * force_n;
  }
}

static void take_rest(const rest *r) {
  for (uint16_t i = 0; i < r->s->parts[CT_PART_BODY].live; i++) {
    ct_body *b = ct_live_body(r->s, i);
    if (!yields(b))
      continue;
    for (uint32_t k = 0; k < b->as.modal.mode_count; k++)
      ct_modal_set_state(b, k, false, places(b)[k]);
    bend_ports(r, b);
    ct_body_read(b);
  }
  for (uint32_t i = 0; i < r->count; i++) {
    r->impacts[i]->kind->join(r->impacts[i]);
    r->impacts[i]->force_n = r->impacts[i]->now_n = r->s->solver.force[i];
  }
}

void ct_scene_rest(ct_scene *s) {
  rest r = {.s = s};
  ct_params_refresh(s);
  double before = ct_stored_before(s);
  begin(&r);
  if (find_rest(&r))
    take_rest(&r);
  else
    for (uint32_t i = 0; i < r.count; i++)
      r.impacts[i]->now_n = 0;
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live; i++)
    for (uint32_t k = 0; yields(ct_live_body(s, i)) && k < ct_live_body(s, i)->as.modal.mode_count; k++)
      places(ct_live_body(s, i))[k] = 0;
  ct_book_start(s, before);
}
