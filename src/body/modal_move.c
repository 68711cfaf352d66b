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

/* From a number for each shape to one for each mode, in place: from the last mode down, as none has a column
 * beyond its own number. */
static void spread(double *out, const uint16_t *column, const ct_modal *m) {
  for (uint32_t i = m->mode_count; i < m->lanes; i++)
    out[i] = 0;
  for (uint32_t i = m->mode_count; i-- > 0;)
    out[i] = out[column[i]];
}

/* Periodic: nodes k / count, k = 0 .. count-1. Else: nodes k / (count-1), the stencil pushed inside at the
 * ends. */
static void read_table(const ct_body *body, int axis, double place, double *out) {
  const ct_modal *m = &body->as.modal;
  const ct_mode_table *t = &m->table[axis];
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
  if (t->column)
    spread(out, t->column, m);
}

/* The contact sees d_free + dgain . x; the force then acts through the new gains (physics: section 2). */
static void leap(ct_body *body, ct_port *port, const double *gains, bool paid) {
  ct_modal *m = &body->as.modal;
  bool slides = paid && !port->edited;
  body->slid |= slides;
  port->glides = port->edited = false;
  for (uint32_t i = 0; slides && i < m->mode_count; i++)
    port->slide_m += (gains[i] - port->gain[i]) * m->x[i];
  memcpy(port->gain, gains, m->lanes * sizeof *gains);
  body->kernels->over(m->lanes, port->gain_over_mass, port->gain, m->mass);
}

/* Shapes are read once per tick; from one to the next gains run straight, which on so short a way they do
 * anyway. What a point is late by (a tick at most) is far less than its contact is wide. */
static void aim(ct_body *body, ct_port *port, const double *gains, bool paid) {
  ct_modal *m = &body->as.modal;
  port->glides = true;
  port->slides = paid && !port->edited;
  port->edited = false;
  body->gliding = CT_TICK;
  for (uint32_t i = 0; i < m->lanes; i++)
    port->step[i] = (gains[i] - port->gain[i]) / CT_TICK;
  body->kernels->over(m->lanes, port->step_over_mass, port->step, m->mass);
}

static void move_port(ct_body *body, ct_port *port, const double *gains, const ct_point *point) {
  if (point->carried_for > 0 && port->step)
    aim(body, port, gains, ct_point_slides(point));
  else
    leap(body, port, gains, ct_point_slides(point));
}

void ct_modal_glide(ct_body *body) {
  ct_modal *m = &body->as.modal;
  body->gliding--;
  body->slid = true;
  for (uint16_t p = 0; p < body->port_count; p++) {
    ct_port *port = &body->ports[p];
    if (!port->glides)
      continue;
    double slide_m = body->kernels->glide(m->lanes, port->gain, port->gain_over_mass, port->step,
                                          port->step_over_mass, m->x);
    port->slide_m += port->slides ? slide_m : 0;
    port->glides = body->gliding > 0;
  }
  body->revision++;
  body->predicted = m->summed = CT_NO_LEVEL;
}

void ct_modal_glide_on(ct_body *body, uint32_t samples) {
  ct_modal *m = &body->as.modal;
  body->gliding -= samples;
  for (uint16_t p = 0; p < body->port_count; p++) {
    ct_port *port = &body->ports[p];
    if (!port->glides)
      continue;
    body->kernels->glide_on(m->lanes, port->gain, port->step, samples);
    body->kernels->glide_on(m->lanes, port->gain_over_mass, port->step_over_mass, samples);
    port->glides = body->gliding > 0;
  }
  body->revision++;
  body->predicted = CT_NO_LEVEL;
}

static void read_place(ct_body *body, int table, const double place[2]) {
  ct_modal *m = &body->as.modal;
  read_table(body, table, place[0], m->factor);
  if (!m->table[TABLE_V].count)
    return;
  read_table(body, TABLE_V, place[1], m->acceleration); /* free between steps: scratch */
  for (uint32_t i = 0; i < m->lanes; i++)
    m->factor[i] *= m->acceleration[i];
}

void ct_modal_move_point(ct_body *body, ct_point *point) {
  ct_modal *m = &body->as.modal;
  point->moved = false;
  if (!m->table)
    return;
  read_place(body, TABLE_U, point->place);
  move_port(body, &body->ports[point->port[CT_NORMAL]], m->factor, point);
  if (m->table[TABLE_ALONG].count) {
    read_place(body, TABLE_ALONG, point->place);
    move_port(body, &body->ports[point->port[CT_TANGENTIAL]], m->factor, point);
  }
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
  port->gain[mode] = gain;
  port->gain_over_mass[mode] = gain / m->mass[mode];
  port->edited = true;
  ct_modal_gains_changed(body);
}
