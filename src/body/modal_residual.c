/* What lies above the modes still yields (physics: section 9). Modes that a body leaves out move as their
 * springs do, at once: without them a hard blow meets too stiff a body, and another one at every sample rate.
 * Per port, in series with the modes, a massless spring of compliance C_r and a dashpot R:
 *
 *   f = x_r / C_r + R dx_r/dt
 *
 * by the midpoint rule over a step h: f = (x_r + dx_r / 2) / C_r + R dx_r / h, so
 *
 *   dx_r = a (f - x_r / C_r),  a = 1 / (1 / (2 C_r) + R / h)
 *
 * affine in f like everything else of a port: a joins its compliance, -a x_r / C_r what it does if left
 * alone. f dx_r = d(x_r^2 / 2 C_r) + R dx_r^2 / h: stored and lost, exactly. Only ports that a contact
 * touches have it. */
#include "body/modal.h"

#include <math.h>

double ct_residual_step(const ct_body *body, uint32_t index) {
  const ct_residual *r = &body->as.modal.residual;
  double h = body->step_s * ct_share(index);
  return r->compliance_m_n > 0 ? 1 / (0.5 / r->compliance_m_n + r->damping_n_s_m / h) : 0;
}

void ct_residual_predict(ct_body *body, uint32_t index) {
  const ct_modal *m = &body->as.modal;
  double per_m = ct_residual_step(body, index) / m->residual.compliance_m_n;
  for (uint16_t i = 0; i < m->free_count; i++) {
    ct_port *port = &body->ports[m->free_ports[i]];
    port->dx_free_m -= port->wants & CT_TOUCHED ? per_m * port->residual_m : 0;
  }
}

void ct_residual_advance(ct_body *body, uint32_t index, ct_tally *tally) {
  const ct_modal *m = &body->as.modal;
  double a = ct_residual_step(body, index), h = body->step_s * ct_share(index);
  for (uint16_t i = 0; i < m->free_count; i++) {
    ct_port *port = &body->ports[m->free_ports[i]];
    if (!(port->wants & CT_TOUCHED))
      continue;
    double dx = a * (port->contact_n + port->external_n - port->residual_m / m->residual.compliance_m_n);
    port->residual_m += dx;
    if (!tally)
      continue;
    tally->lost_j += m->residual.damping_n_s_m * dx * dx / h;
    tally->force_j += port->external_n * dx;
    tally->gross_j += 8 * (fabs(port->contact_n) + fabs(port->external_n)) * fabs(dx) +
                      8 * port->residual_m * port->residual_m / m->residual.compliance_m_n;
  }
}

double ct_residual_stored(const ct_body *body) {
  double sum = 0;
  for (uint16_t p = 0; p < body->port_count; p++)
    sum += body->ports[p].residual_m * body->ports[p].residual_m;
  return sum / (2 * body->as.modal.residual.compliance_m_n);
}

/* As C_r = sum 1 / (m w^2) goes with mass and pitch, and R C_r as 1 / w. The stored energy stays. */
void ct_residual_follow(ct_body *body, double mass, double pitch) {
  ct_modal *m = &body->as.modal;
  double before = m->residual.compliance_m_n,
         now = m->given->residual.compliance_m_n / (mass * pitch * pitch);
  m->residual.compliance_m_n = now;
  m->residual.damping_n_s_m = m->given->residual.damping_n_s_m * mass * pitch;
  for (uint16_t p = 0; p < body->port_count; p++)
    body->ports[p].residual_m *= sqrt(now / before);
}
