/* How much a modal body moves: what it stores, what is too little to go on, how it falls asleep, and where it
 * is after that. */
#include "body/modal.h"

#include <math.h>

double ct_modal_stored(const ct_body *body) {
  const ct_modal *m = &body->as.modal;
  double sum = 0;
  for (uint32_t i = 0; i < m->mode_count; i++)
    sum += m->mass[i] * (m->v[i] * m->v[i] + m->stiffness_over_mass[i] * m->x[i] * m->x[i]);
  return sum / 2 + (ct_residual_is(body) ? ct_residual_stored(body) : 0);
}

/* 1e-30 m/s is 600 dB under a metre per second; squares of it are still far from denormal. */
bool ct_modal_on_tick(ct_body *body) {
  ct_modal *m = &body->as.modal;
  double sum = m->speed2 = body->kernels->settle(m->lanes, m->x, m->v, m->stiffness_over_mass, 1e-60);
  for (uint16_t p = 0; ct_residual_is(body) && p < body->port_count; p++) {
    double bent = body->ports[p].residual_m;
    sum += fabs(bent);
    body->ports[p].residual_m = fabs(bent) < 1e-30 ? 0 : bent;
  }
  return isfinite(sum);
}

/* What is listened to as a place must not go on unseen. */
ct_pace ct_modal_pace(const ct_body *body) {
  const ct_modal *m = &body->as.modal;
  bool drifts = false;
  for (uint32_t i = 0; i < m->mode_count; i++) {
    if (fabs(m->v[i]) <= CT_STILL_M_S)
      continue;
    bool is_slowed = m->modes[i].t60_s > 0;
    if (m->stiffness_over_mass[i] > 0 || is_slowed || body->forced || m->pull || m->x_count)
      return CT_MOVES;
    drifts = true;
  }
  return drifts ? CT_DRIFTS : CT_RESTS;
}

double ct_modal_rest(ct_body *body) {
  ct_modal *m = &body->as.modal;
  double lost_j = 0;
  for (uint32_t i = 0; i < m->mode_count; i++) {
    double bent_m_s = sqrt(m->stiffness_over_mass[i]) * fabs(m->x[i]);
    if (fabs(m->v[i]) <= CT_STILL_M_S) {
      lost_j += m->mass[i] * m->v[i] * m->v[i] / 2;
      m->v[i] = 0;
    }
    if (m->stiffness_over_mass[i] > 0 && bent_m_s <= CT_STILL_M_S) {
      lost_j += m->mass[i] * bent_m_s * bent_m_s / 2;
      m->x[i] = 0;
    }
  }
  ct_body_read(body);
  return lost_j;
}

void ct_modal_drift(ct_body *body, double seconds) {
  ct_modal *m = &body->as.modal;
  for (uint32_t i = 0; i < m->mode_count; i++)
    m->x[i] += m->v[i] * seconds;
  ct_body_read(body);
}
