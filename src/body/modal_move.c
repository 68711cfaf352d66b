/* Points that move over a modal body: gains read from its shape. A point that a hand moves also slides: over
 * a bent body the contact rises and falls by dgain . x, and that is the hand's work. Where a body that no
 * hand moves carries the point along, nobody would pay for the slide, so there is none: the contact sees the
 * motion gain . dx at its new place and keeps its distance. At 0.1 m/s round a rim the slide is a few
 * thousandths of that motion, (n v / r) / w. */
#include "body/modal.h"

#include <math.h>
#include <string.h>

/* Cubic Lagrange weights for four evenly spaced nodes at -1, 0, 1, 2. */
static void cubic_weights(double t, double weights[4]) {
  weights[0] = -t * (t - 1) * (t - 2) / 6;
  weights[1] = (t + 1) * (t - 1) * (t - 2) / 2;
  weights[2] = -(t + 1) * t * (t - 2) / 2;
  weights[3] = (t + 1) * t * (t - 1) / 6;
}

/* A number for each shape of the table, at a place between its rows. Periodic: nodes k / count, k = 0 ..
 * count-1. Else: nodes k / (count-1), the stencil pushed inside at the ends. */
static void read_table(const ct_body *body, const ct_mode_table *t, double place, double *out) {
  int count = (int)t->count;
  bool ring = t->periodic;
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
    rows[k] = t->rows + (size_t)node * t->width;
  }
  body->kernels->blend(t->width, out, rows, weights);
}

/* The contact sees d_free + dgain . x; the force then acts through the new gains (physics: section 2). */
static void leap(ct_body *body, ct_port *port, const double *gains, bool paid) {
  ct_modal *m = &body->as.modal;
  bool slides = paid && !port->edited;
  body->slid |= slides;
  port->glides = port->edited = false;
  port->gain2 = 0;
  for (uint32_t i = 0; slides && i < m->mode_count; i++)
    port->slide_m += (gains[i] - port->gain[i]) * m->x[i];
  memcpy(port->gain, gains, m->lanes * sizeof *gains);
  body->kernels->over(m->lanes, port->gain_over_mass, port->gain, m->mass);
}

void ct_modal_divide_glide(const ct_body *body, const ct_port *port) {
  const ct_modal *m = &body->as.modal;
  for (int over = CT_AIM_OVER_MASS; over <= CT_STEP_OVER_MASS; over += CT_STEP - CT_AIM)
    body->kernels->over(m->lanes, ct_glide_row(port, over, m->lanes), ct_glide_row(port, over - 1, m->lanes),
                        m->mass);
}

double ct_modal_step_size(const ct_body *body, const ct_port *port) {
  const double *step = ct_glide_row(port, CT_STEP, body->as.modal.lanes);
  return sqrt(body->kernels->dot(body->as.modal.lanes, step, step));
}

/* Shapes are read once per tick; from one to the next gains run straight, which on so short a way they do
 * anyway. What a point is late by (a tick at most) is far less than its contact is wide. */
static void aim(ct_body *body, ct_port *port, const double *gains, bool paid) {
  ct_modal *m = &body->as.modal;
  port->glides = true;
  port->slides = paid && !port->edited;
  port->edited = false;
  body->gliding = CT_TICK;
  double *step = ct_glide_row(port, CT_STEP, m->lanes);
  for (uint32_t i = 0; i < m->lanes; i++)
    step[i] = (gains[i] - port->gain[i]) / CT_TICK;
  memcpy(ct_glide_row(port, CT_AIM, m->lanes), gains, m->lanes * sizeof *gains);
  ct_modal_divide_glide(body, port);
}

static void move_port(ct_body *body, ct_port *port, const double *gains, const ct_point *point) {
  if (point->carried_for > 0 && port->glide)
    aim(body, port, gains, ct_point_slides(point));
  else
    leap(body, port, gains, ct_point_slides(point));
}

double ct_modal_glide_port(const ct_body *body, ct_port *port) {
  ct_bank_glide glide = {port->gain, port->gain_over_mass, port->glide, body->gliding, 0, 0};
  port->glides = body->gliding > 0;
  port->gain2 = 0;
  return body->kernels->glide(body->as.modal.lanes, &glide, body->as.modal.x);
}

void ct_modal_catch_up(ct_body *body) {
  for (uint16_t p = 0; p < body->port_count; p++)
    if (ct_port_lags(&body->ports[p]))
      ct_modal_glide_port(body, &body->ports[p]);
}

/* Gains are so many steps before what they aim at, which they meet exactly; so several samples at once are
 * the same as one after the other, but that only the last one's slide is told. */
void ct_modal_glide(ct_body *body, uint32_t samples) {
  body->gliding -= samples;
  body->slid = true;
  for (uint16_t p = 0; p < body->port_count; p++) {
    ct_port *port = &body->ports[p];
    if (!port->glides || ct_port_lags(port))
      continue;
    double slide_m = ct_modal_glide_port(body, port);
    port->slide_m += port->slides ? slide_m : 0;
  }
  if (body->gliding == 0)
    ct_modal_catch_up(body);
}

void ct_modal_find_glide(ct_body *body) {
  ct_modal *m = &body->as.modal;
  uint16_t count = 0;
  for (uint16_t p = 0; p < body->port_count; p++)
    count = (uint16_t)(count + (body->ports[p].glides && !ct_port_lags(&body->ports[p])));
  m->glides_alone = count == 1 && m->plain && m->only && m->only->glides && !m->has_free_mode;
}

/* The column of a mode's shape. */
static inline uint32_t column(const ct_mode_table *t, uint32_t mode) {
  return t->column ? t->column[mode] : mode;
}

/* To `factor`: from numbers for each shape to one for each mode, from the last mode down, as none has a
 * column beyond its own number. */
static void read_place(ct_body *body, int table, const double place[2]) {
  ct_modal *m = &body->as.modal;
  const ct_mode_table *u = &m->table[table], *v = &m->table[TABLE_V];
  double *out = m->factor, *across = m->acceleration; /* free between steps: scratch */
  read_table(body, u, place[0], out);
  if (v->count)
    read_table(body, v, place[1], across);
  for (uint32_t i = m->mode_count; i < m->lanes; i++)
    out[i] = 0;
  if (v->count && u->column && v->column)
    for (uint32_t i = m->mode_count; i-- > 0;)
      out[i] = out[u->column[i]] * across[v->column[i]];
  else if (v->count || u->column)
    for (uint32_t i = m->mode_count; i-- > 0;)
      out[i] = out[column(u, i)] * (v->count ? across[column(v, i)] : 1);
}

void ct_modal_move_point(ct_body *body, ct_point *point) {
  ct_modal *m = &body->as.modal;
  point->moved = false;
  if (!m->table)
    return;
  ct_modal_catch_up(body);
  read_place(body, TABLE_U, point->place);
  move_port(body, &body->ports[point->port[CT_NORMAL]], m->factor, point);
  if (m->table[TABLE_ALONG].count) {
    read_place(body, TABLE_ALONG, point->place);
    move_port(body, &body->ports[point->port[CT_TANGENTIAL]], m->factor, point);
  }
  ct_modal_find_glide(body);
  ct_modal_gains_changed(body);
}

bool ct_modal_reads_gains(const ct_body *body, const ct_point *point, uint16_t port) {
  const ct_modal *m = &body->as.modal;
  return body->kind == &ct_modal_kind && m->table &&
         m->table[port == point->port[CT_NORMAL] ? TABLE_U : TABLE_ALONG].count > 0;
}

void ct_modal_set_gain(ct_body *body, uint16_t port_index, uint32_t mode, double gain) {
  ct_modal *m = &body->as.modal;
  ct_port *port = &body->ports[port_index];
  ct_modal_catch_up(body);
  if (port->glides) {
    ct_glide_row(port, CT_AIM, m->lanes)[mode] += gain - port->gain[mode];
    ct_modal_divide_glide(body, port);
  }
  port->gain[mode] = gain;
  port->gain2 = 0;
  port->gain_over_mass[mode] = gain / m->mass[mode];
  port->edited = true;
  ct_modal_gains_changed(body);
}
