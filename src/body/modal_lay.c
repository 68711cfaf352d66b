/* A modal body's memory and first state: lanes padded for the bank's loops, one set of coefficients per
 * level, tables of mode shapes for points that move, thumps. */
#include "body/modal.h"
#include "body/thump.h"

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

/* Rows of coefficients and losses, and numbers of the ports, level after level. */
static void lay_levels(ct_body *body, ct_arena *arena) {
  ct_modal *m = &body->as.modal;
  const size_t ports = body->port_count, coefficients = 5, losses = body->keeps_ledger ? 7 : 0;
  m->level = ct_arena_take(arena, body->levels, sizeof *m->level);
  ct_losses *kept = losses ? ct_arena_take(arena, body->levels, sizeof *kept) : NULL;
  double *row = take_lanes(arena, (uint32_t)(body->levels * (coefficients + losses) * m->lanes));
  double *number = ct_arena_take(arena, body->levels, ports * (ports + 1) * sizeof *number);
  for (uint16_t i = 0; number && i < body->levels; i++) {
    ct_level *level = &m->level[i];
    const uint32_t n = m->lanes;
    level->rule = (ct_coefficients){row, row + n, row + 2 * n, row + 3 * n, row + 4 * n};
    row += coefficients * n;
    if (kept) {
      level->losses = &kept[i];
      kept[i] = (ct_losses){row, row + n, row + 2 * n, row + 3 * n, row + 4 * n, row + 5 * n, row + 6 * n};
      row += losses * n;
    }
    level->compliance = number;
    level->fall = number + ports * ports;
    number += ports * (ports + 1);
  }
}

/* Modes of a plate share few shapes along each axis: a shape that several modes have is kept once. Looked for
 * are the first so many; what comes later is kept mode by mode. */
enum { SHARED_MOST = 128 };

/* How many columns these shapes take, and which is whose (null: not asked). */
static uint32_t find_columns(const double *shapes, uint32_t modes, uint32_t count, uint16_t *column) {
  uint32_t columns = 0, first[SHARED_MOST];
  for (uint32_t i = 0; i < modes; i++) {
    uint32_t c = 0, known = columns < SHARED_MOST ? columns : SHARED_MOST;
    const double *shape = shapes + (size_t)i * count;
    while (c < known && memcmp(shape, shapes + (size_t)first[c] * count, count * sizeof *shape) != 0)
      c++;
    c = c < known ? c : columns;
    if (c == columns && columns++ < SHARED_MOST)
      first[c] = i;
    if (column)
      column[i] = (uint16_t)c;
  }
  return columns;
}

static ct_mode_table lay_table(const ct_modal *m, ct_arena *arena, const double *shapes, uint32_t count,
                               bool periodic) {
  if (!shapes)
    return (ct_mode_table){0};
  ct_mode_table t = {.count = count, .periodic = periodic};
  t.width = padded(find_columns(shapes, m->mode_count, count, NULL));
  t.column = t.width < m->lanes ? ct_arena_take(arena, m->mode_count, sizeof *t.column) : NULL;
  t.rows = ct_arena_take(arena, count, t.width * sizeof *t.rows);
  return t;
}

static void lay_tables(ct_modal *m, ct_arena *arena, const ct_shape_table *shape) {
  m->table = shape->u ? ct_arena_take(arena, TABLES, sizeof *m->table) : NULL;
  if (!shape->u)
    return;
  ct_mode_table laid[TABLES];
  laid[TABLE_U] = lay_table(m, arena, shape->u, shape->u_count, shape->u_periodic);
  laid[TABLE_V] = lay_table(m, arena, shape->v, shape->v_count, shape->v_periodic);
  laid[TABLE_ALONG] = lay_table(m, arena, shape->along, shape->u_count, shape->u_periodic);
  for (int t = 0; m->table && t < TABLES; t++)
    m->table[t] = laid[t];
}

static void lay_ports(ct_body *body, ct_arena *arena, bool shaped) {
  ct_modal *m = &body->as.modal;
  const uint16_t n = body->port_count;
  m->free_ports = ct_arena_take(arena, n, 3 * sizeof *m->free_ports);
  m->v_ports = m->free_ports ? m->free_ports + n : NULL;
  m->x_ports = m->free_ports ? m->v_ports + n : NULL;
  m->passes = ct_arena_take(arena, n / CT_SUMS + 1u, sizeof *m->passes);
  for (uint16_t i = 0; i < n; i++) {
    double *gain = take_lanes(arena, m->lanes), *over_mass = take_lanes(arena, m->lanes),
           *glide = shaped ? take_lanes(arena, CT_GLIDE_ROWS * m->lanes) : NULL;
    if (body->ports) {
      body->ports[i].gain = gain;
      body->ports[i].gain_over_mass = over_mass;
      body->ports[i].glide = glide;
    }
  }
}

bool ct_modal_lay(ct_body *body, ct_arena *arena, const ct_modal_def *def) {
  ct_modal *m = &body->as.modal;
  m->mode_count = def->mode_count;
  m->lanes = padded(def->mode_count);
  body->point_count = (uint16_t)def->point_count;
  body->port_count = count_ports(def);
  body->points = ct_arena_take(arena, def->point_count, sizeof(ct_point));
  body->ports = ct_arena_take(arena, body->port_count, sizeof(ct_port));
  m->modes = ct_arena_take(arena, m->mode_count, sizeof *m->modes);
  m->dead = ct_arena_take(arena, m->mode_count, 2 * sizeof *m->dead);
  m->still = m->dead ? m->dead + m->mode_count : NULL;
  double **rows[] = {&m->x,       &m->v,     &m->stiffness_over_mass, &m->mass, &m->acceleration, &m->gravity,
                     &m->falling, &m->factor};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    *rows[i] = take_lanes(arena, m->lanes);
  if (def->making.size > 0)
    m->given = ct_arena_take(arena, 1, sizeof *m->given + m->mode_count * sizeof *m->modes);
  lay_levels(body, arena);
  lay_tables(m, arena, &def->shape);
  lay_ports(body, arena, def->shape.u);
  body->thump = ct_thump_lay(arena, def->points, def->point_count, body->rate_hz);
  return arena->base && arena->used <= arena->size;
}

/* ---- filling ---- */

/* Turned from mode after mode to node after node, so that one place reads whole rows of lanes. */
static void fill_table(const ct_modal *m, const ct_mode_table *t, const double *shapes) {
  if (t->column)
    find_columns(shapes, m->mode_count, t->count, t->column);
  for (uint32_t i = 0; i < m->mode_count; i++) {
    double *to = t->rows + (t->column ? t->column[i] : i);
    for (uint32_t node = 0; node < t->count; node++)
      to[(size_t)node * t->width] = shapes[(size_t)i * t->count + node];
  }
}

static void fill_row(const ct_modal *m, ct_port *port, const double *gains) {
  for (uint32_t i = 0; i < m->mode_count; i++)
    port->gain[i] = gains ? gains[i] : 1;
}

static void fill_point(ct_body *body, ct_point *point, const ct_point_def *def, bool apart, uint16_t *port) {
  ct_point_put_name(body, point, def->name);
  point->strike_m_s = CT_STRIKE_M_S;
  point->strike_stiffness = CT_STRIKE_STIFFNESS;
  point->place[0] = def->place_u;
  point->place[1] = def->place_v;
  point->port[CT_NORMAL] = point->port[CT_TANGENTIAL] = *port;
  fill_row(&body->as.modal, &body->ports[(*port)++], def->gains[CT_NORMAL]);
  if (apart) {
    point->port[CT_TANGENTIAL] = *port;
    fill_row(&body->as.modal, &body->ports[(*port)++], def->gains[CT_TANGENTIAL]);
  }
  if (body->as.modal.table)
    ct_modal_move_point(body, point);
}

/* At the start a mode at or above Nyquist is left out; one moved there while sounding stops just below. */
static void fill_modes(ct_body *body, const ct_mode_def *modes) {
  ct_modal *m = &body->as.modal;
  for (uint32_t i = 0; i < m->mode_count; i++) {
    m->modes[i] = modes[i];
    m->dead[i] = modes[i].hz >= body->rate_hz / 2;
    m->still[i] = modes[i].hz == 0;
    body->dropped_modes += m->dead[i];
    m->x[i] = m->dead[i] ? 0 : modes[i].x_m;
    m->v[i] = m->dead[i] ? 0 : modes[i].v_m_s;
  }
  for (uint32_t i = m->mode_count; i < m->lanes; i++)
    m->mass[i] = 1; /* so that 0 over it stays 0 */
}

static void fill_thump(const ct_body *body, const ct_point_def *points) {
  ct_thump_fill(body->thump, points, body->point_count, body->rate_hz);
  for (uint32_t i = 0; i < body->thump->point_count; i++) {
    ct_thump_point *p = &body->thump->points[i];
    p->port = body->points[p->point].port[CT_NORMAL];
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
  ct_body_unpredict(body);
  fill_modes(body, def->modes);
  const double *sources[TABLES] = {def->shape.u, def->shape.v, def->shape.along};
  for (int t = 0; m->table && t < TABLES; t++)
    if (m->table[t].count)
      fill_table(m, &m->table[t], sources[t]);
  m->making = def->making;
  m->residual = (ct_residual){def->residual_m_n, def->residual_n_s_m};
  if (m->given) {
    m->given->making = m->making;
    m->given->residual = m->residual;
    memcpy(m->given->modes, def->modes, def->mode_count * sizeof *def->modes);
  }
  uint16_t port = 0;
  for (uint16_t i = 0; i < body->point_count; i++)
    fill_point(body, &body->points[i], &def->points[i], sideways_apart(def, i), &port);
  if (body->thump)
    fill_thump(body, def->points);
  (void)ct_modal_kind.parameters_changed(body);
  ct_modal_plan(body);
  for (uint16_t p = 0; p < body->port_count; p++) {
    body->ports[p].slide_m = 0;
    body->ports[p].given_kg = ct_modal_free_kg(body, p);
  }
  body->slid = body->moved = false;
}
