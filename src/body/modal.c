/* A modal body: any number of modes, points and directions, x_i'' + g_i x_i' + w_i^2 x_i = sum gain_i f /
 * m_i. Its energy sum m (v^2 + w^2 x^2) / 2 does not depend on the step, so a step may be subdivided at any
 * time without an energy jump; coefficients of a level are computed when first needed after a change. */
#include "body/body.h"
#include "body/response.h"
#include <contatto/material.h>

#include <math.h>
#include <string.h>

static uint32_t padded(uint32_t modes) { return (modes + CT_LANES - 1) / CT_LANES * CT_LANES; }

/* ---- laying out ---- */

static double *take_lanes(ct_arena *arena, uint32_t lanes) {
  return ct_arena_take(arena, lanes, sizeof(double));
}

/* A tangential row of its own, or a shape that says nothing about directions: one port serves both then. */
static bool sideways_apart(const ct_modal_def *def, uint32_t point) {
  return def->points[point].gains[CT_TANGENTIAL] || (def->shape.u && def->shape.along);
}

static uint16_t count_ports(const ct_modal_def *def) {
  uint32_t ports = 0;
  for (uint32_t i = 0; i < def->point_count; i++)
    ports += sideways_apart(def, i) ? 2 : 1;
  return (uint16_t)ports;
}

static void lay_level(ct_level *level, ct_arena *arena, uint32_t lanes, uint32_t ports, bool ledger) {
  level->rule.a12 = take_lanes(arena, lanes);
  level->rule.ii = take_lanes(arena, lanes);
  level->rule.b22 = take_lanes(arena, lanes);
  level->rule.jj = take_lanes(arena, lanes);
  level->rule.kk = take_lanes(arena, lanes);
  if (ledger) {
    level->losses.vv = take_lanes(arena, lanes);
    level->losses.va = take_lanes(arena, lanes);
    level->losses.aa = take_lanes(arena, lanes);
  }
  level->compliance = ct_arena_take(arena, (size_t)ports * ports, sizeof(double));
  level->fall = ct_arena_take(arena, ports, sizeof(double));
}

enum { TABLE_U, TABLE_V, TABLE_ALONG, TABLES };

static void lay_tables(ct_modal *m, ct_arena *arena, const ct_shape_table *shape) {
  bool has_u = shape->u != NULL;
  m->table_count[TABLE_U] = has_u ? shape->u_count : 0;
  m->table_count[TABLE_ALONG] = has_u && shape->along ? shape->u_count : 0;
  m->table_count[TABLE_V] = has_u && shape->v ? shape->v_count : 0;
  m->table_periodic[TABLE_U] = m->table_periodic[TABLE_ALONG] = shape->u_periodic;
  m->table_periodic[TABLE_V] = shape->v_periodic;
  for (int t = 0; t < TABLES; t++)
    if (m->table_count[t])
      m->table[t] = ct_arena_take(arena, (size_t)m->table_count[t] * m->lanes, sizeof(double));
}

bool ct_modal_lay(ct_body *body, ct_arena *arena, const ct_modal_def *def, bool ledger) {
  ct_modal *m = &body->as.modal;
  m->mode_count = def->mode_count;
  m->lanes = padded(def->mode_count);
  body->point_count = (uint16_t)def->point_count;
  body->port_count = count_ports(def);
  body->points = ct_arena_take(arena, def->point_count, sizeof(ct_point));
  body->ports = ct_arena_take(arena, body->port_count, sizeof(ct_port));
  m->modes = ct_arena_take(arena, m->lanes, sizeof(ct_mode_def));
  m->dead = ct_arena_take(arena, m->lanes, sizeof(bool));
  m->free_ports = ct_arena_take(arena, body->port_count, sizeof(uint16_t));
  m->v_ports = ct_arena_take(arena, body->port_count, sizeof(uint16_t));
  m->x_ports = ct_arena_take(arena, body->port_count, sizeof(uint16_t));
  m->passes = ct_arena_take(arena, body->port_count + 1u, sizeof(ct_bank_sums));
  double **rows[] = {&m->x,       &m->v,     &m->stiffness_over_mass, &m->mass, &m->acceleration,
                     &m->gravity, &m->factor};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    *rows[i] = take_lanes(arena, m->lanes);
  for (uint32_t i = 0; i < CT_LEVELS; i++)
    lay_level(&m->level[i], arena, m->lanes, body->port_count, ledger);
  lay_tables(m, arena, &def->shape);
  if (def->making.size > 0)
    m->given = ct_arena_take(arena, m->lanes, sizeof(ct_mode_def));
  for (uint16_t i = 0; i < body->port_count; i++) {
    double *gain = take_lanes(arena, m->lanes), *over = take_lanes(arena, m->lanes);
    if (body->ports) {
      body->ports[i].gain = gain;
      body->ports[i].gain_over_mass = over;
    }
  }
  return arena->base && arena->used <= arena->size;
}

/* ---- filling ---- */

/* Turned from mode after mode to node after node, so that one place reads whole rows of lanes. */
static void fill_table(ct_modal *m, int axis, const double *source) {
  uint32_t count = m->table_count[axis];
  for (uint32_t node = 0; node < count; node++)
    for (uint32_t i = 0; i < m->mode_count; i++)
      m->table[axis][(size_t)node * m->lanes + i] = source[(size_t)i * count + node];
}

static void fill_row(const ct_modal *m, ct_port *port, const double *gains) {
  for (uint32_t i = 0; i < m->mode_count; i++)
    port->gain[i] = gains ? gains[i] : 1;
}

static void fill_point(ct_body *body, ct_point *point, const ct_point_def *def, bool apart, uint16_t *port) {
  memcpy(point->name, def->name, strlen(def->name));
  point->place[0] = def->place_u;
  point->place[1] = def->place_v;
  point->port[CT_NORMAL] = point->port[CT_TANGENTIAL] = *port;
  fill_row(&body->as.modal, &body->ports[(*port)++], def->gains[CT_NORMAL]);
  if (apart) {
    point->port[CT_TANGENTIAL] = *port;
    fill_row(&body->as.modal, &body->ports[(*port)++], def->gains[CT_TANGENTIAL]);
  }
  if (body->as.modal.table_count[0])
    ct_modal_move_point(body, point);
}

/* At the start a mode at or above Nyquist is left out; one moved there while sounding stops just below. */
static void fill_modes(ct_body *body, const ct_mode_def *modes) {
  ct_modal *m = &body->as.modal;
  for (uint32_t i = 0; i < m->mode_count; i++) {
    m->modes[i] = modes[i];
    m->dead[i] = modes[i].hz >= body->rate_hz / 2;
    m->dropped += m->dead[i];
    m->x[i] = m->dead[i] ? 0 : modes[i].x_m;
    m->v[i] = m->dead[i] ? 0 : modes[i].v_m_s;
  }
}

static double heard_hz(const ct_body *body, uint32_t mode) {
  return fmin(body->as.modal.modes[mode].hz, 0.4999 * body->rate_hz);
}

/* Modes from what the body is made of (ct_making); a mode that would leave the audible world stops at its
 * edge. */
static void remake(ct_body *body) {
  ct_modal *m = &body->as.modal;
  const ct_making *now = &m->making, *then = &m->made;
  double density = now->density_kg_m3 / then->density_kg_m3, size = now->size / then->size;
  double stiffness = now->young_pa / then->young_pa;
  double pitch = pow(size, -now->size_power) * sqrt((now->elastic ? stiffness : 1) / density);
  ct_material law = {.global_damping = now->damping_global, .relative_damping = now->damping_relative};
  for (uint32_t i = now->first_mode; i < m->mode_count; i++) {
    m->modes[i].hz = m->given[i].hz * pitch;
    m->modes[i].mass_kg = m->given[i].mass_kg * size * size * size * density;
    if (m->given[i].t60_s > 0)
      m->modes[i].t60_s = ct_material_t60_s(&law, m->modes[i].hz);
  }
  body->remade = false;
}

static void modal_parameters_changed(ct_body *body) {
  ct_modal *m = &body->as.modal;
  if (body->remade && m->given)
    remake(body);
  m->has_free_mode = false;
  for (uint32_t i = 0; i < m->mode_count; i++) {
    double w = 2 * M_PI * heard_hz(body, i);
    m->stiffness_over_mass[i] = m->dead[i] ? 0 : w * w;
    m->mass[i] = m->modes[i].mass_kg;
    m->gravity[i] = w == 0 ? -1 : 0;
    m->has_free_mode |= w == 0;
  }
  for (uint16_t p = 0; p < body->port_count; p++)
    for (uint32_t i = 0; i < m->mode_count; i++)
      body->ports[p].gain_over_mass[i] = body->ports[p].gain[i] / m->mass[i];
  for (uint32_t j = 0; j < CT_LEVELS; j++)
    m->level[j].rule_valid = m->level[j].compliance_valid = false;
  body->revision++;
  body->predicted = CT_NO_LEVEL;
}

/* The sums wanted, two of each kind in a pass. There is always one pass, since the first one also steps. */
static void plan_passes(ct_body *body) {
  ct_modal *m = &body->as.modal;
  m->pass_count = 1;
  m->passes[0] = (ct_bank_sums){0};
  for (uint32_t i = 0; i < m->free_count || i < m->v_count; i++) {
    ct_bank_sums *pass = &m->passes[i / CT_SUMS];
    if (i / CT_SUMS >= m->pass_count)
      m->passes[m->pass_count++] = (ct_bank_sums){0};
    if (i < m->free_count) {
      pass->free_gain[pass->free_count] = body->ports[m->free_ports[i]].gain;
      pass->free_to[pass->free_count++] = &body->ports[m->free_ports[i]].dx_free_m;
    }
    if (i < m->v_count) {
      pass->v_gain[pass->v_count] = body->ports[m->v_ports[i]].gain;
      pass->v_to[pass->v_count++] = &body->ports[m->v_ports[i]].v_m_s;
    }
  }
  m->bank = (ct_bank){.lanes = m->lanes, .x = m->x, .v = m->v};
}

void ct_modal_fill(ct_body *body, const ct_modal_def *def) {
  ct_modal *m = &body->as.modal;
  body->kind = &ct_modal_kind;
  m->integrator = def->integrator;
  body->predicted = CT_NO_LEVEL;
  fill_modes(body, def->modes);
  const double *sources[TABLES] = {def->shape.u, def->shape.v, def->shape.along};
  for (int t = 0; t < TABLES; t++)
    if (m->table_count[t])
      fill_table(m, t, sources[t]);
  m->making = m->made = def->making;
  if (m->given)
    memcpy(m->given, def->modes, def->mode_count * sizeof *m->given);
  uint16_t port = 0;
  for (uint16_t i = 0; i < body->point_count; i++)
    fill_point(body, &body->points[i], &def->points[i], sideways_apart(def, i), &port);
  modal_parameters_changed(body);
  plan_passes(body);
  for (uint16_t p = 0; p < body->port_count; p++)
    body->ports[p].slide_m = 0;
  body->slid = body->moved = false;
}

static void gains_changed(ct_body *body) {
  for (uint32_t j = 0; j < CT_LEVELS; j++)
    body->as.modal.level[j].compliance_valid = false;
  body->revision++;
  body->predicted = CT_NO_LEVEL;
}

/* ---- coefficients ---- */

static void fill_rule(ct_body *body, ct_level *level, uint32_t mode, double h) {
  ct_modal *m = &body->as.modal;
  double w = 2 * M_PI * heard_hz(body, mode), g = ct_damping_from_t60(m->modes[mode].t60_s);
  bool exact = m->integrator == CT_EXACT;
  ct_response r = exact ? ct_response_exact(w, g, h) : ct_response_bilinear(w, g, h);
  if (m->dead[mode])
    r = (ct_response){0, 0, -1};
  level->rule.a12[mode] = r.a12;
  level->rule.ii[mode] = r.ii;
  level->rule.b22[mode] = r.b22;
  level->rule.jj[mode] = m->stiffness_over_mass[mode] * r.ii;
  level->rule.kk[mode] = m->stiffness_over_mass[mode] * r.a12;
  if (!body->keeps_ledger)
    return;
  ct_response_loss loss = exact ? ct_response_loss_exact(w, g, h) : ct_response_loss_bilinear(w, g, h);
  if (m->dead[mode])
    loss = (ct_response_loss){0, 0, 0}; /* pushed like the others, but it does not move */
  level->losses.vv[mode] = m->mass[mode] * loss.vv;
  level->losses.va[mode] = m->mass[mode] * loss.va;
  level->losses.aa[mode] = m->mass[mode] * loss.aa;
}

static ct_level *need_level(ct_body *body, uint32_t index) {
  ct_level *level = &body->as.modal.level[index];
  if (!level->rule_valid) {
    double h = body->step_s * ct_share(index);
    for (uint32_t i = 0; i < body->as.modal.mode_count; i++)
      fill_rule(body, level, i, h);
    level->rule_valid = true;
  }
  return level;
}

/* C_pq = sum gain_p gain_q ii / m: symmetric, positive semi-definite because ii >= 0. */
static const double *modal_compliance(ct_body *body, uint32_t index) {
  ct_level *level = need_level(body, index);
  uint16_t n = body->port_count;
  if (level->compliance_valid)
    return level->compliance;
  for (uint16_t p = 0; p < n; p++)
    for (uint16_t q = 0; q <= p; q++) {
      double c = 0;
      if (body->ports[p].wants & body->ports[q].wants & CT_WANT_FREE)
        c = body->kernels->dot3(body->as.modal.lanes, body->ports[p].gain_over_mass, body->ports[q].gain,
                                level->rule.ii);
      level->compliance[p * n + q] = level->compliance[q * n + p] = c;
    }
  for (uint16_t p = 0; p < n; p++)
    level->fall[p] = body->kernels->dot3(body->as.modal.lanes, body->ports[p].gain, body->as.modal.gravity,
                                         level->rule.ii);
  level->compliance_valid = true;
  return level->compliance;
}

static double row_sum(const ct_body *body, const ct_signed_port *ports, uint32_t count, uint32_t mode) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += ports[i].sign * body->ports[ports[i].port].gain[mode];
  return sum;
}

static double modal_coupling(ct_body *body, uint32_t index, const ct_signed_port *p, uint32_t p_count,
                             const ct_signed_port *q, uint32_t q_count) {
  const ct_modal *m = &body->as.modal;
  const double *ii = need_level(body, index)->rule.ii;
  double sum = 0;
  for (uint32_t i = 0; i < m->mode_count; i++)
    sum += row_sum(body, p, p_count, i) * row_sum(body, q, q_count, i) * ii[i] / m->mass[i];
  return sum;
}

/* ---- stepping ---- */

static void run(ct_body *body, bool step) {
  ct_modal *m = &body->as.modal;
  (step ? body->kernels->step : body->kernels->read)(&m->bank, &m->passes[0]);
  for (uint32_t i = 1; i < m->pass_count; i++)
    body->kernels->read(&m->bank, &m->passes[i]);
  for (uint32_t i = 0; i < m->x_count; i++)
    body->ports[m->x_ports[i]].x_m = ct_port_x_m(body, m->x_ports[i]);
}

static bool pushed(const ct_body *body) {
  for (uint16_t p = 0; p < body->port_count; p++)
    if (body->ports[p].external_n != 0)
      return true;
  return body->gravity_m_s2 != 0 && body->as.modal.has_free_mode;
}

/* The prediction so far is of a body left alone; what forces known beforehand will add to it. */
static void add_known_forces(ct_body *body, uint32_t index) {
  if (!pushed(body))
    return;
  const double *compliance = modal_compliance(body, index), *fall = body->as.modal.level[index].fall;
  for (uint16_t i = 0; i < body->as.modal.free_count; i++) {
    uint16_t p = body->as.modal.free_ports[i];
    double dx = body->gravity_m_s2 * fall[p];
    for (uint16_t q = 0; q < body->port_count; q++)
      dx += compliance[p * body->port_count + q] * body->ports[q].external_n;
    body->ports[p].dx_free_m += dx;
  }
}

static void modal_predict(ct_body *body, uint32_t index) {
  if (body->predicted == index)
    return;
  body->as.modal.bank.next = need_level(body, index)->rule;
  run(body, false);
  add_known_forces(body, index);
  body->predicted = index;
}

/* One force alone goes to the bank as it is; several, or gravity, are summed up as modal accelerations first.
 */
static void gather_forces(ct_body *body, ct_bank *bank) {
  ct_modal *m = &body->as.modal;
  bool falls = body->gravity_m_s2 != 0 && m->has_free_mode;
  uint32_t pushes = 0;
  bank->acceleration = bank->push_gain_over_mass = NULL;
  for (uint16_t i = 0; i < m->free_count; i++) {
    const ct_port *port = &body->ports[m->free_ports[i]];
    double force = port->contact_n + port->external_n;
    pushes += force != 0;
    if (force == 0)
      continue;
    bank->push_gain_over_mass = port->gain_over_mass;
    bank->push_n = force;
  }
  if (pushes < 2 && !falls)
    return;
  for (uint32_t i = 0; i < m->lanes; i++)
    m->acceleration[i] = falls ? body->gravity_m_s2 * m->gravity[i] : 0;
  for (uint16_t i = 0; i < m->free_count; i++) {
    const ct_port *port = &body->ports[m->free_ports[i]];
    double force = port->contact_n + port->external_n;
    if (force != 0)
      body->kernels->push(m->lanes, m->acceleration, port->gain_over_mass, force);
  }
  bank->acceleration = m->acceleration;
}

static double force_on_mode(const ct_bank *bank, uint32_t i) {
  if (bank->acceleration)
    return bank->acceleration[i];
  return bank->push_gain_over_mass ? bank->push_n * bank->push_gain_over_mass[i] : 0;
}

/* Work of external forces and gravity, and the loss over the step, from the state before it. */
static void account(const ct_body *body, const ct_level *level, const ct_bank *bank, ct_tally *tally) {
  const ct_modal *m = &body->as.modal;
  for (uint32_t i = 0; i < m->mode_count; i++) {
    double v = m->v[i], acceleration = force_on_mode(bank, i) - m->stiffness_over_mass[i] * m->x[i];
    double dx = level->rule.a12[i] * v + level->rule.ii[i] * acceleration;
    tally->lost_j += v * (level->losses.vv[i] * v + 2 * level->losses.va[i] * acceleration) +
                     level->losses.aa[i] * acceleration * acceleration;
    tally->force_j += body->gravity_m_s2 * m->gravity[i] * m->mass[i] * dx;
    for (uint16_t p = 0; p < m->free_count; p++) {
      const ct_port *port = &body->ports[m->free_ports[p]];
      tally->force_j += port->external_n * port->gain[i] * dx;
    }
  }
}

static void modal_advance(ct_body *body, uint32_t index, uint32_t next, ct_tally *tally) {
  ct_level *level = need_level(body, index), *after = next == index ? level : need_level(body, next);
  ct_bank *bank = &body->as.modal.bank;
  bank->rule = level->rule;
  bank->next = after->rule;
  gather_forces(body, bank);
  if (tally)
    account(body, level, bank, tally);
  run(body, true);
  for (uint16_t i = 0; i < body->as.modal.free_count; i++)
    body->ports[body->as.modal.free_ports[i]].contact_n = 0;
  add_known_forces(body, next);
  body->predicted = next;
}

static void modal_begin(ct_body *body) {
  if (!body->moved)
    return;
  body->moved = false;
  for (uint16_t i = 0; i < body->point_count; i++)
    if (body->points[i].moved)
      ct_modal_move_point(body, &body->points[i]);
}

static double modal_stored(const ct_body *body) {
  const ct_modal *m = &body->as.modal;
  double sum = 0;
  for (uint32_t i = 0; i < m->mode_count; i++)
    sum += m->mass[i] * (m->v[i] * m->v[i] + m->stiffness_over_mass[i] * m->x[i] * m->x[i]);
  return sum / 2;
}

/* 1e-30 m/s is 600 dB under a metre per second; squares of it are still far from denormal. */
static void modal_settle(ct_body *body) {
  ct_modal *m = &body->as.modal;
  const double tiny = 1e-60;
  for (uint32_t i = 0; i < m->mode_count; i++) {
    if (m->v[i] * m->v[i] + m->stiffness_over_mass[i] * m->x[i] * m->x[i] >= tiny)
      continue;
    m->v[i] = 0;
    if (m->stiffness_over_mass[i] > 0)
      m->x[i] = 0;
  }
}

void ct_body_read(ct_body *body) {
  if (body->kind != &ct_modal_kind)
    return;
  body->predicted = CT_NO_LEVEL;
  modal_predict(body, 0);
}

/* Kept by number, not by arrival: forces are added up in this order, and it must not change a sample. */
static void insert_port(uint16_t *ports, uint16_t *count, uint16_t index) {
  uint16_t at = (*count)++;
  for (; at > 0 && ports[at - 1] > index; at--)
    ports[at] = ports[at - 1];
  ports[at] = index;
}

void ct_body_want(ct_body *body, uint16_t index, uint8_t what) {
  ct_modal *m = &body->as.modal;
  uint8_t fresh = (uint8_t)(what & ~body->ports[index].wants);
  body->ports[index].wants |= what;
  if (body->kind != &ct_modal_kind || !fresh)
    return;
  if (fresh & CT_WANT_FREE) {
    insert_port(m->free_ports, &m->free_count, index);
    gains_changed(body);
  }
  if (fresh & CT_WANT_V)
    insert_port(m->v_ports, &m->v_count, index);
  if (fresh & CT_WANT_X)
    insert_port(m->x_ports, &m->x_count, index);
  plan_passes(body);
  body->predicted = CT_NO_LEVEL;
}

double ct_port_x_m(const ct_body *body, uint16_t port) {
  if (body->kind != &ct_modal_kind)
    return body->ports[port].x_m;
  return body->kernels->dot(body->as.modal.lanes, body->ports[port].gain, body->as.modal.x);
}

double ct_port_v_m_s(const ct_body *body, uint16_t port) {
  if (body->kind != &ct_modal_kind)
    return body->ports[port].v_m_s;
  return body->kernels->dot(body->as.modal.lanes, body->ports[port].gain, body->as.modal.v);
}

/* ---- moving points ---- */

/* Cubic Lagrange weights for four evenly spaced nodes at -1, 0, 1, 2. */
static void cubic_weights(double t, double weights[4]) {
  weights[0] = -t * (t - 1) * (t - 2) / 6;
  weights[1] = (t + 1) * (t - 1) * (t - 2) / 2;
  weights[2] = -(t + 1) * t * (t - 2) / 2;
  weights[3] = (t + 1) * t * (t - 1) / 6;
}

/* Periodic: nodes k / count, k = 0 .. count-1. Else: nodes k / (count-1), the stencil pushed inside at the
 * ends. */
static void read_table(const ct_body *body, int axis, double place, double *out) {
  const ct_modal *m = &body->as.modal;
  int count = (int)m->table_count[axis];
  bool ring = m->table_periodic[axis];
  place = ring ? place - floor(place) : fmin(fmax(place, 0), 1);
  double at = place * (ring ? count : count - 1);
  int base = (int)floor(at);
  if (!ring)
    base = base < 1 ? 1 : base > count - 3 ? count - 3 : base;
  double weights[4];
  cubic_weights(at - base, weights);
  const double *rows[4];
  for (int k = 0; k < 4; k++) {
    int node = base - 1 + k;
    node = ring ? (node + count) % count : node < 0 ? 0 : node >= count ? count - 1 : node;
    rows[k] = m->table[axis] + (size_t)node * m->lanes;
  }
  body->kernels->blend(m->lanes, out, rows, weights);
}

/* The contact sees d_free + dgain . x; the force then acts through the new gains (physics: section 2). */
static void move_port(ct_body *body, ct_port *port, const double *gains) {
  ct_modal *m = &body->as.modal;
  body->slid = true;
  for (uint32_t i = 0; i < m->mode_count; i++) {
    port->slide_m += (gains[i] - port->gain[i]) * m->x[i];
    port->gain[i] = gains[i];
    port->gain_over_mass[i] = gains[i] / m->modes[i].mass_kg;
  }
}

static void read_place(ct_body *body, int table, const double place[2]) {
  ct_modal *m = &body->as.modal;
  read_table(body, table, place[0], m->factor);
  if (!m->table_count[TABLE_V])
    return;
  read_table(body, TABLE_V, place[1], m->acceleration); /* free between steps: scratch */
  for (uint32_t i = 0; i < m->lanes; i++)
    m->factor[i] *= m->acceleration[i];
}

void ct_modal_move_point(ct_body *body, ct_point *point) {
  ct_modal *m = &body->as.modal;
  point->moved = false;
  if (!m->table_count[TABLE_U])
    return;
  read_place(body, TABLE_U, point->place);
  move_port(body, &body->ports[point->port[CT_NORMAL]], m->factor);
  if (m->table_count[TABLE_ALONG]) {
    read_place(body, TABLE_ALONG, point->place);
    move_port(body, &body->ports[point->port[CT_TANGENTIAL]], m->factor);
  }
  gains_changed(body);
}

void ct_modal_set_gain(ct_body *body, uint16_t port_index, uint32_t mode, double gain) {
  ct_modal *m = &body->as.modal;
  ct_port *port = &body->ports[port_index];
  port->slide_m += (gain - port->gain[mode]) * m->x[mode];
  body->slid = true;
  port->gain[mode] = gain;
  port->gain_over_mass[mode] = gain / m->mass[mode];
  gains_changed(body);
}

double ct_modal_mode_value(const ct_body *body, uint32_t mode, bool velocity) {
  return velocity ? body->as.modal.v[mode] : body->as.modal.x[mode];
}

void ct_modal_set_state(ct_body *body, uint32_t mode, bool velocity, double value) {
  if (body->as.modal.dead[mode])
    return;
  (velocity ? body->as.modal.v : body->as.modal.x)[mode] = value;
  body->predicted = CT_NO_LEVEL;
}

const ct_body_kind ct_modal_kind = {.name = "modal",
                                    .rigid = false,
                                    .begin = modal_begin,
                                    .predict = modal_predict,
                                    .compliance = modal_compliance,
                                    .coupling = modal_coupling,
                                    .advance = modal_advance,
                                    .stored_j = modal_stored,
                                    .parameters_changed = modal_parameters_changed,
                                    .settle = modal_settle};
