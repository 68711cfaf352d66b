/* A modal body's memory and first state: lanes padded for the bank's loops, one set of coefficients per
 * level, tables of mode shapes for points that move. */
#include "body/modal.h"

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
    level->losses.state = take_lanes(arena, lanes);
    level->losses.work = take_lanes(arena, lanes);
    level->losses.reach = take_lanes(arena, lanes);
    level->losses.sway = take_lanes(arena, lanes);
  }
  level->compliance = ct_arena_take(arena, (size_t)ports * ports, sizeof(double));
  level->fall = ct_arena_take(arena, ports, sizeof(double));
}

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
  m->still = ct_arena_take(arena, m->lanes, sizeof(bool));
  m->free_ports = ct_arena_take(arena, body->port_count, sizeof(uint16_t));
  m->v_ports = ct_arena_take(arena, body->port_count, sizeof(uint16_t));
  m->x_ports = ct_arena_take(arena, body->port_count, sizeof(uint16_t));
  m->passes = ct_arena_take(arena, body->port_count + 1u, sizeof(ct_bank_sums));
  double **rows[] = {&m->x,       &m->v,     &m->stiffness_over_mass, &m->mass, &m->acceleration, &m->gravity,
                     &m->falling, &m->factor};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    *rows[i] = take_lanes(arena, m->lanes);
  for (uint32_t i = 0; i < CT_LEVELS; i++)
    lay_level(&m->level[i], arena, m->lanes, body->port_count, ledger);
  lay_tables(m, arena, &def->shape);
  if (def->making.size > 0)
    m->given = ct_arena_take(arena, m->lanes, sizeof(ct_mode_def));
  for (uint16_t i = 0; i < body->port_count; i++) {
    double *rows_of[4] = {NULL, NULL, NULL, NULL};
    for (int k = 0; k < (def->shape.u ? 4 : 2); k++)
      rows_of[k] = take_lanes(arena, m->lanes);
    if (body->ports) {
      body->ports[i].gain = rows_of[0];
      body->ports[i].gain_over_mass = rows_of[1];
      body->ports[i].step = rows_of[2];
      body->ports[i].step_over_mass = rows_of[3];
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
    m->still[i] = modes[i].hz == 0;
    m->dropped += m->dead[i];
    m->x[i] = m->dead[i] ? 0 : modes[i].x_m;
    m->v[i] = m->dead[i] ? 0 : modes[i].v_m_s;
  }
}

double ct_modal_free_kg(const ct_body *body, uint16_t port) {
  const ct_modal *m = &body->as.modal;
  const double *gain = body->ports[port].gain;
  double compliance = 0;
  for (uint32_t i = 0; i < m->mode_count; i++)
    if (m->modes[i].hz == 0)
      compliance += gain[i] * gain[i] / m->modes[i].mass_kg;
  return compliance > 0 ? 1 / compliance : 0;
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
  m->residual = m->residual_given = (ct_residual){def->residual_m_n, def->residual_n_s_m};
  if (m->given)
    memcpy(m->given, def->modes, def->mode_count * sizeof *m->given);
  uint16_t port = 0;
  for (uint16_t i = 0; i < body->point_count; i++)
    fill_point(body, &body->points[i], &def->points[i], sideways_apart(def, i), &port);
  (void)ct_modal_kind.parameters_changed(body);
  ct_modal_plan(body);
  for (uint16_t p = 0; p < body->port_count; p++) {
    body->ports[p].slide_m = 0;
    body->ports[p].given_kg = ct_modal_free_kg(body, p);
  }
  body->slid = body->moved = false;
}
