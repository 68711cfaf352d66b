/* What a modal body's step brings to the ledger: work of external forces and gravity, losses, and how much
 * rounding may have done.
 *
 * A step of a mode is dx = a12 v - jj x + ii a, dv = b22 v - kk x + a12 a, then x += dx, v += dv. Its balance
 *
 *   m (v dv + dv^2 / 2 + K (x dx + dx^2 / 2)) - m a dx + loss = 0,   K = w^2
 *
 * fails by rounding in three ways, all counted in roundings u = 2^-53. With e = sqrt(v^2 + K x^2):
 *
 * 1. The new x and v are rounded once, unless nothing is added to them; dx and dv, sums of three products, by
 *    at most three roundings of the sizes of these. An error (dv, w dx) costs m times its product with the
 *    new (v, w x), so at most the product of their lengths. The new state is at most e + r long, r = (a12 +
 *    w ii) |a|; the sizes are at most e (max(|b22|, jj) + a12 w) + r. So it is at most m (e + r) (C (e + r) +
 *    3 r), C = 1 + 3 (max(|b22|, jj) + a12 w). Not always random: a mass under a constant force is rounded
 *    the same way at every step.
 * 2. The coefficients are rounded, the same way at every step: their defect is the quadratic form above in
 *    (v, x, a), which would be zero. It is computed once, in twice the digits, and added to C.
 * 3. What a contact believes the port to do is a sum over all modes, added up in CT_LANES lanes: so many
 *    roundings of the sum of the sizes |f gain| (e (a12 + jj / w) + ii |a|). */
#include "body/modal.h"

#include <math.h>

/* ---- defects ---- */

/* A sum in twice the digits, and the sizes of its terms. */
typedef struct balance {
  double sum, rest, gross;
} balance;

/* + a b c: the product and what its two roundings cut off. */
static void add(balance *s, double a, double b, double c) {
  double ab = a * b, term = ab * c, cut = fma(ab, c, -term) + fma(a, b, -ab) * c;
  double sum = s->sum + term, part = sum - s->sum;
  s->rest += (s->sum - (sum - part)) + (term - part) + cut;
  s->sum = sum;
  s->gross += fabs(term);
}

static const double rounding = 0x1p-53;

/* What is left of a balance, over `whole`, in roundings. ii cancels by up to eight times, so coefficients are
 * good to some sixteen roundings, and leave no more than that of the sizes of its terms (test_drift): what is
 * beyond is no rounding but a mistake, and must show in the account. */
static double defect(const balance *s, double whole) {
  return whole > 0 ? fmin(fabs(s->sum + s->rest) / rounding, 16 * s->gross) / whole : 0;
}

/* Coefficients of the balance per kilogram. Of the state: |vv| v^2 + |vx v x| + |xx| x^2 is at most so much
 * of v^2 + K x^2. Of the work: |va v a| + |xa x a| + |aa| a^2, of |a| (a12 |v| + jj |x| + ii |a|). */
static void fill_uncertainty(const ct_modal *m, ct_level *level, uint32_t i, ct_response_loss loss) {
  double a12 = level->rule.a12[i], ii = level->rule.ii[i], b22 = level->rule.b22[i], jj = level->rule.jj[i],
         kk = level->rule.kk[i], k = m->stiffness_over_mass[i], w = sqrt(k);
  balance vv = {0, 0, 0}, vx = vv, xx = vv, va = vv, xa = vv, aa = vv;
  add(&vv, b22, 1, 1);
  add(&vv, b22, b22, 0.5);
  add(&vv, k, a12, a12 / 2);
  add(&vv, loss.vv, 1, 1);
  add(&vx, -kk, 1, 1);
  add(&vx, -kk, b22, 1);
  add(&vx, k, a12, 1);
  add(&vx, k, a12, -jj);
  add(&vx, k, loss.va, -2);
  add(&xx, kk, kk, 0.5);
  add(&xx, k, -jj, 1);
  add(&xx, k, jj, jj / 2);
  add(&xx, k, loss.aa, k);
  add(&va, b22, a12, 1);
  add(&va, k, a12, ii);
  add(&va, loss.va, 2, 1);
  add(&xa, -kk, a12, 1);
  add(&xa, k, ii, 1);
  add(&xa, k, -jj, ii);
  add(&xa, jj, 1, 1);
  add(&xa, k, loss.aa, -2);
  add(&aa, a12, a12, 0.5);
  add(&aa, k, ii, ii / 2);
  add(&aa, -ii, 1, 1);
  add(&aa, loss.aa, 1, 1);
  level->losses->state[i] = 1 + 3 * (fmax(fabs(b22), jj) + fabs(a12) * w) +
                            fmax(defect(&vv, 1), defect(&xx, k)) + defect(&vx, 2 * w);
  uint32_t passes = m->lanes / CT_LANES;
  level->losses->work[i] =
      passes + 8.0 + fmax(defect(&va, fabs(a12)), fmax(defect(&aa, ii), defect(&xa, jj)));
  level->losses->reach[i] = (fabs(a12) + w * ii) / m->mass[i];
  level->losses->sway[i] = fabs(a12) + (w > 0 ? fabs(jj) / w : 0);
}

void ct_modal_fill_losses(const ct_body *body, ct_level *level, uint32_t mode, ct_response_loss per_kg) {
  const ct_modal *m = &body->as.modal;
  level->losses->vv[mode] = m->mass[mode] * per_kg.vv;
  level->losses->va[mode] = m->mass[mode] * per_kg.va;
  level->losses->aa[mode] = m->mass[mode] * per_kg.aa;
  if (!m->dead[mode]) {
    fill_uncertainty(m, level, mode, per_kg);
    return;
  }
  ct_losses *l = level->losses; /* pushed like the others, but it does not move */
  l->vv[mode] = l->va[mode] = l->aa[mode] = l->state[mode] = l->work[mode] = l->reach[mode] = l->sway[mode] =
      0;
}

/* ---- a step ---- */

/* Forces on each mode, all in absolute value; false: there are none. */
static bool gather_sizes(const ct_body *body, double *force_n) {
  const ct_modal *m = &body->as.modal;
  bool any = m->pull != NULL;
  for (uint32_t i = 0; i < m->mode_count; i++)
    force_n[i] = any ? fabs(body->gravity_m_s2 * m->gravity[i]) * m->mass[i] : 0;
  for (uint16_t p = 0; p < m->free_count; p++) {
    const ct_port *port = &body->ports[m->free_ports[p]];
    for (uint32_t i = 0; i < m->mode_count && port->gross_n != 0; i++)
      force_n[i] += port->gross_n * fabs(port->gain[i]);
    any |= port->gross_n != 0;
  }
  return any;
}

/* Left alone. A mode without stiffness and loss only goes on: nothing is added to v. */
static double gross_alone(const ct_modal *m, const ct_losses *l, uint32_t i) {
  double v = m->v[i], x = m->x[i];
  return l->state[i] > 1 ? m->mass[i] * l->state[i] * (v * v + m->stiffness_over_mass[i] * x * x) : 0;
}

static double gross_pushed(const ct_modal *m, const ct_level *level, uint32_t i, double force_n) {
  const ct_losses *l = level->losses;
  double v = m->v[i], x = m->x[i], e = sqrt(v * v + m->stiffness_over_mass[i] * x * x),
         r = l->reach[i] * force_n;
  return m->mass[i] * (e + r) * (l->state[i] * (e + r) + 3 * r) +
         l->work[i] * force_n * (l->sway[i] * e + level->rule.ii[i] * force_n / m->mass[i]);
}

static double acceleration_of(const ct_bank *bank, const ct_modal *m, uint32_t i) {
  double a = (bank->acceleration ? bank->acceleration[i] : 0) - m->stiffness_over_mass[i] * m->x[i];
  return a + (bank->push_gain_over_mass ? bank->push_n * bank->push_gain_over_mass[i] : 0);
}

/* Of external forces and gravity. */
static double work_on_mode(const ct_body *body, uint32_t i, double dx) {
  const ct_modal *m = &body->as.modal;
  double sum = body->gravity_m_s2 * m->gravity[i] * m->mass[i] * dx;
  for (uint16_t p = 0; p < m->free_count; p++) {
    const ct_port *port = &body->ports[m->free_ports[p]];
    sum += port->external_n * port->gain[i] * dx;
  }
  return sum;
}

/* A force F on a mode at rest moves it by ii F / m in a step. Gravity's pull is a force of its own. */
static double work_alone(const ct_body *body, const ct_level *level, uint32_t i) {
  const ct_modal *m = &body->as.modal;
  double pull_n = body->gravity_m_s2 * m->gravity[i] * m->mass[i], squares = pull_n * pull_n;
  for (uint16_t p = 0; p < m->free_count; p++) {
    const ct_port *port = &body->ports[m->free_ports[p]];
    double push_n = port->external_n * port->gain[i];
    squares += push_n * push_n;
  }
  return m->dead[i] ? 0 : level->rule.ii[i] / m->mass[i] * squares;
}

void ct_modal_account(const ct_body *body, const ct_level *level, const ct_bank *bank, ct_tally *tally) {
  const ct_modal *m = &body->as.modal;
  const ct_losses *l = level->losses;
  double *force_n = m->factor, lost_j = 0;
  bool pushed = gather_sizes(body, force_n), worked = m->pull || body->forced;
  for (uint32_t i = 0; i < m->mode_count; i++) {
    double v = m->v[i], a = acceleration_of(bank, m, i);
    lost_j += v * (l->vv[i] * v + 2 * l->va[i] * a) + l->aa[i] * a * a;
    if (worked) {
      tally->force_j += work_on_mode(body, i, level->rule.a12[i] * v + level->rule.ii[i] * a);
      tally->alone_j += work_alone(body, level, i);
    }
    tally->gross_j += pushed && force_n[i] > 0 ? gross_pushed(m, level, i, force_n[i]) : gross_alone(m, l, i);
  }
  tally->lost_j += lost_j;
  tally->gross_j += 8 * lost_j;
}
