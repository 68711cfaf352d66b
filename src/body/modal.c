/* A modal body: any number of modes, points and directions, x_i'' + g_i x_i' + w_i^2 x_i = sum gain_i f /
 * m_i. Its energy sum m (v^2 + w^2 x^2) / 2 does not depend on the step, so a step may be subdivided at any
 * time without an energy jump; coefficients of a level are computed when first needed after a change. */
#include "base/inline.h"
#include "body/modal.h"
#include <contatto/material.h>

#include <assert.h>
#include <string.h>

static double heard_rad_s(const ct_body *body, uint32_t mode) {
  double w = 2 * M_PI * fmin(body->as.modal.modes[mode].hz, 0.4999 * body->rate_hz);
  return w < CT_LEAST_RAD_S ? 0 : w;
}

/* Modes from what the body is made of (ct_making); a mode that would leave the audible world stops at its
 * edge. */
static void remake(ct_body *body) {
  ct_modal *m = &body->as.modal;
  const ct_making *now = &m->making, *then = &m->given->making;
  const ct_mode_def *given = m->given->modes;
  double density = now->density_kg_m3 / then->density_kg_m3, size = now->size / then->size;
  double stiffness = now->young_pa / then->young_pa;
  double pitch = pow(size, -now->size_power) * sqrt((now->elastic ? stiffness : 1) / density);
  double apart = now->paired ? exp2((now->wonkiness - then->wonkiness) / 2400) : 1;
  ct_material law = {.global_damping = now->damping_global, .relative_damping = now->damping_relative};
  for (uint32_t i = now->first_mode; i < m->mode_count; i++) {
    bool second = (i - now->first_mode) % 2 == 1;
    m->modes[i].hz = given[i].hz * pitch * (second ? apart : 1 / apart);
    m->modes[i].mass_kg = given[i].mass_kg * size * size * size * density;
    if (given[i].t60_s > 0)
      m->modes[i].t60_s = ct_material_t60_s(&law, m->modes[i].hz);
  }
  if (ct_residual_is(body))
    ct_residual_follow(body, size * size * size * density, pitch);
  body->remade = false;
}

static void divide_by_mass(const ct_body *body, ct_port *port) {
  const ct_modal *m = &body->as.modal;
  body->kernels->over(m->lanes, port->gain_over_mass, port->gain, m->mass);
  if (port->glides)
    ct_modal_divide_glide(body, port);
}

/* What the ports make of a mode's place stays with them when the mode itself is put to 0. */
static void keep_place(ct_body *body, uint32_t mode) {
  for (uint16_t p = 0; p < body->port_count; p++)
    body->ports[p].rest_m += body->ports[p].gain[mode] * body->as.modal.x[mode];
  body->as.modal.x[mode] = 0;
}

/* A parameter that moves does no work (physics: section 9). A mode of mass m0 and frequency w0 that becomes
 * one of m1 and w1 keeps its energy m (v^2 + w^2 x^2) / 2, term by term:
 *
 *   v1 = v0 sqrt(m0 / m1),   x1 = x0 (w0 / w1) sqrt(m0 / m1)
 *
 * Kept as they are, x and v would be pumped: a mode stiffened where it is bent and softened where it is not
 * gains at every turn. A free mode has a place but no potential: where it becomes bound, its spring is at
 * rest there. Where a bound one becomes free its place stays, and its potential is lost. Returns that. */
static double carry_over(ct_body *body, uint32_t mode, double mass_kg, double stiffness_over_mass) {
  ct_modal *m = &body->as.modal;
  double mass_before = m->mass[mode], stiff_before = m->stiffness_over_mass[mode], lost_j = 0;
  m->mass[mode] = mass_kg;
  m->stiffness_over_mass[mode] = stiffness_over_mass;
  bool is_new = mass_before == 0;
  if (is_new || (mass_kg == mass_before && stiffness_over_mass == stiff_before))
    return 0;
  double share = sqrt(mass_before / mass_kg);
  m->v[mode] *= share;
  if (stiffness_over_mass == 0)
    lost_j = mass_before * stiff_before * m->x[mode] * m->x[mode] / 2;
  else if (stiff_before == 0)
    keep_place(body, mode);
  else
    m->x[mode] *= sqrt(stiff_before / stiffness_over_mass) * share;
  return lost_j;
}

static double modal_parameters_changed(ct_body *body) {
  ct_modal *m = &body->as.modal;
  double lost_j = 0;
  if (body->remade && m->given)
    remake(body);
  ct_modal_catch_up(body);
  m->has_free_mode = false;
  for (uint32_t i = 0; i < m->mode_count; i++) {
    double w = heard_rad_s(body, i);
    lost_j += carry_over(body, i, m->modes[i].mass_kg, m->dead[i] ? 0 : w * w);
    m->gravity[i] = w == 0 ? -1 : 0;
    m->has_free_mode |= w == 0;
  }
  for (uint16_t p = 0; p < body->port_count; p++)
    divide_by_mass(body, &body->ports[p]);
  ct_modal_find_glide(body);
  for (uint32_t j = 0; j < body->levels; j++)
    m->level[j].rule_valid = false;
  body->revision++;
  ct_body_unpredict(body);
  return lost_j;
}

/* The sums wanted, two of each kind in a pass. There is always one pass, since the first one also steps. */
void ct_modal_plan(ct_body *body) {
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
  m->stepper = body->kernels->pass[m->passes[0].free_count][m->passes[0].v_count];
  m->plain = m->pass_count == 1 && !m->x_count && m->free_count < 2 && !ct_residual_is(body);
  m->only = m->free_count ? &body->ports[m->free_ports[0]] : NULL;
  ct_modal_find_glide(body);
  m->bank.push_gain_over_mass = m->only ? m->only->gain_over_mass : NULL;
  m->bank.acceleration = m->pull;
}

void ct_modal_gains_changed(ct_body *body) {
  body->revision++;
  body->predicted = body->as.modal.summed = CT_NO_LEVEL;
}

/* ---- coefficients ---- */

static void fill_rule(ct_body *body, ct_level *level, uint32_t mode, double h) {
  ct_modal *m = &body->as.modal;
  double w = heard_rad_s(body, mode), g = ct_damping_from_t60(m->modes[mode].t60_s);
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
  ct_modal_fill_losses(body, level, mode,
                       exact ? ct_response_loss_exact(w, g, h) : ct_response_loss_bilinear(w, g, h));
}

CT_OUTLINE void fill_level(ct_body *body, ct_level *level, uint32_t index) {
  double h = body->step_s * ct_share(index);
  for (uint32_t i = 0; i < body->as.modal.mode_count; i++)
    fill_rule(body, level, i, h);
  level->rule_valid = true;
}

static inline ct_level *need_level(ct_body *body, uint32_t index) {
  ct_level *level = &body->as.modal.level[index];
  if (!level->rule_valid)
    fill_level(body, level, index);
  return level;
}

/* C_pq = sum gain_p gain_q ii / m: symmetric, positive semi-definite because ii >= 0. Only ports that are
 * touched or pushed ever have one. */
CT_OUTLINE void fill_compliance(ct_body *body, ct_level *level) {
  const ct_modal *m = &body->as.modal;
  uint16_t n = body->port_count;
  for (uint16_t i = 0; i < m->free_count; i++)
    for (uint16_t j = 0; j <= i; j++) {
      uint16_t p = m->free_ports[i], q = m->free_ports[j];
      level->compliance[p * n + q] = level->compliance[q * n + p] =
          body->kernels->dot3(m->lanes, body->ports[p].gain_over_mass, body->ports[q].gain, level->rule.ii);
    }
  double yields = ct_residual_step(body, (uint32_t)(level - m->level));
  for (uint16_t i = 0; i < m->free_count; i++) {
    const double *gain = body->ports[m->free_ports[i]].gain;
    if (body->ports[m->free_ports[i]].wants & CT_TOUCHED)
      level->compliance[m->free_ports[i] * (n + 1u)] += yields;
    level->fall[m->free_ports[i]] =
        m->has_free_mode ? body->kernels->dot3(m->lanes, gain, m->gravity, level->rule.ii) : 0;
  }
  level->compliance_at = body->revision;
}

static const double *modal_compliance(ct_body *body, uint32_t index) {
  ct_level *level = need_level(body, index);
  if (level->compliance_at != body->revision)
    fill_compliance(body, level);
  return level->compliance;
}

static double row_sum(const ct_body *body, const ct_signed_port *ports, uint32_t count, uint32_t mode) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += ports[i].sign * body->ports[ports[i].port].gain[mode];
  return sum;
}

/* A row of one port, or of two. */
typedef struct row {
  const double *a, *b;
  double sign_a, sign_b;
} row;

static row row_of(const ct_body *body, const ct_signed_port *ports, uint32_t count, bool over_mass) {
  const ct_port *a = &body->ports[ports[0].port], *b = &body->ports[ports[count - 1].port];
  return (row){over_mass ? a->gain_over_mass : a->gain, over_mass ? b->gain_over_mass : b->gain,
               ports[0].sign, count > 1 ? ports[1].sign : 0};
}

/* In CT_LANES sums, which do not wait for one another. */
static double couple_rows(row p, row q, const double *ii, uint32_t lanes) {
  double sums[CT_LANES] = {0}, sum = 0;
  for (uint32_t i = 0; i < lanes; i += CT_LANES)
    for (uint32_t k = 0; k < CT_LANES; k++)
      sums[k] += (p.sign_a * p.a[i + k] + p.sign_b * p.b[i + k]) *
                 (q.sign_a * q.a[i + k] + q.sign_b * q.b[i + k]) * ii[i + k];
  for (uint32_t k = 0; k < CT_LANES; k++)
    sum += sums[k];
  return sum;
}

static double couple_many(const ct_body *body, const ct_signed_port *p, uint32_t p_count,
                          const ct_signed_port *q, uint32_t q_count, const double *ii) {
  const ct_modal *m = &body->as.modal;
  double sum = 0;
  for (uint32_t i = 0; i < m->mode_count; i++)
    sum += row_sum(body, p, p_count, i) * row_sum(body, q, q_count, i) * ii[i] / m->mass[i];
  return sum;
}

static double modal_coupling(ct_body *body, uint32_t index, const ct_signed_port *p, uint32_t p_count,
                             const ct_signed_port *q, uint32_t q_count) {
  const double *ii = need_level(body, index)->rule.ii;
  double sum = p_count <= 2 && q_count <= 2
                   ? couple_rows(row_of(body, p, p_count, false), row_of(body, q, q_count, true), ii,
                                 body->as.modal.lanes)
                   : couple_many(body, p, p_count, q, q_count, ii);
  double yields = ct_residual_is(body) ? ct_residual_step(body, index) : 0;
  for (uint32_t i = 0; yields != 0 && i < p_count; i++)
    for (uint32_t j = 0; j < q_count; j++)
      sum += p[i].port == q[j].port ? p[i].sign * q[j].sign * yields : 0;
  return sum;
}

/* ---- stepping ---- */

/* What one pass has no room for. */
static void read_rest(ct_body *body) {
  ct_modal *m = &body->as.modal;
  for (uint32_t i = 1; i < m->pass_count; i++)
    ct_bank_read(body->kernels, &m->bank, &m->passes[i]);
  for (uint32_t i = 0; i < m->x_count; i++)
    body->ports[m->x_ports[i]].x_m = ct_port_x_m(body, m->x_ports[i]);
}

/* Gravity as accelerations, or null; asked anew with every prediction from scratch, as one follows whenever
 * gravity or the modes have changed. */
static void note_gravity(ct_body *body) {
  ct_modal *m = &body->as.modal;
  bool falls = body->gravity_m_s2 != 0 && m->has_free_mode;
  m->bank.acceleration = m->pull = falls ? m->falling : NULL;
  for (uint32_t i = 0; i < m->lanes && falls; i++)
    m->falling[i] = body->gravity_m_s2 * m->gravity[i];
}

/* What forces known beforehand add to what the ports would do alone. It stays until one of them, a gain or
 * the step's length changes. */
CT_OUTLINE void know_forces(ct_body *body, uint32_t index) {
  const ct_modal *m = &body->as.modal;
  bool known = body->forced || m->pull;
  const double *compliance = known ? modal_compliance(body, index) : NULL, *fall = m->level[index].fall;
  for (uint16_t i = 0; i < m->free_count; i++) {
    uint16_t p = m->free_ports[i];
    double dx = known ? body->gravity_m_s2 * fall[p] : 0;
    for (uint16_t q = 0; body->forced && q < body->port_count; q++)
      dx += compliance[p * body->port_count + q] * body->ports[q].external_n;
    body->ports[p].known_m = dx;
  }
}

/* Steady still: only gains have gone on (ct_modal_glide), and the bank is as it was. */
CT_OUTLINE void sum_ports(ct_body *body, uint32_t index) {
  ct_modal *m = &body->as.modal;
  if (m->steady != index) {
    note_gravity(body);
    m->bank.next = &need_level(body, index)->rule;
    m->steady = CT_NO_LEVEL;
  }
  ct_bank_read(body->kernels, &m->bank, &m->passes[0]);
  if (!m->plain)
    read_rest(body);
  if (ct_residual_is(body))
    ct_residual_predict(body, index);
  m->summed = index;
}

static void modal_predict(ct_body *body, uint32_t index) {
  const ct_modal *m = &body->as.modal;
  if (body->predicted == index)
    return;
  if (m->summed != index)
    sum_ports(body, index);
  const ct_level *level = &m->level[index];
  if (m->free_count == 1 && level->compliance_at == body->revision && level->rule_valid) {
    uint16_t p = m->free_ports[0]; /* nobody else is pushed */
    m->only->known_m = body->gravity_m_s2 * level->fall[p] +
                       level->compliance[(size_t)p * (body->port_count + 1u)] * m->only->external_n;
  } else
    know_forces(body, index);
  body->predicted = index;
}

/* The push so far joins the accelerations and leaves room for the next. */
static void sum_up(ct_body *body, ct_bank *bank) {
  ct_modal *m = &body->as.modal;
  for (uint32_t i = 0; bank->acceleration != m->acceleration && i < m->lanes; i++)
    m->acceleration[i] = bank->acceleration ? bank->acceleration[i] : 0;
  bank->acceleration = m->acceleration;
  body->kernels->push(m->lanes, m->acceleration, bank->push_gain_over_mass, bank->push_n);
}

/* Contact forces are taken from the ports: the next substep starts from none. */
static void gather_forces(ct_body *body, ct_bank *bank) {
  ct_modal *m = &body->as.modal;
  bank->acceleration = m->pull;
  bank->push_gain_over_mass = NULL;
  for (uint16_t i = 0; i < m->free_count; i++) {
    ct_port *port = &body->ports[m->free_ports[i]];
    double force = port->contact_n + port->external_n;
    port->gross_n = fabs(port->contact_n) + fabs(port->external_n);
    port->contact_n = 0;
    if (force == 0)
      continue;
    if (bank->push_gain_over_mass)
      sum_up(body, bank);
    bank->push_gain_over_mass = port->gain_over_mass;
    bank->push_n = force;
  }
}

/* The sums will be those of the next step. What is known of its forces is so already, if it is as long as
 * this one, or if there are none. */
static inline void note_step(ct_body *body, uint32_t index, uint32_t next) {
  bool known = index == next || !(body->forced || body->as.modal.pull);
  body->predicted = known && body->predicted == index ? next : CT_NO_LEVEL;
  body->as.modal.summed = next;
}

/* Touched at several places, read in several passes, keeping account, or for the first time. */
CT_OUTLINE void advance_any(ct_body *body, uint32_t index, uint32_t next, ct_tally *tally) {
  ct_modal *m = &body->as.modal;
  ct_level *level = need_level(body, index), *after = next == index ? level : need_level(body, next);
  m->bank.rule = &level->rule;
  m->bank.next = &after->rule;
  ct_bank bank = m->bank;
  if (ct_residual_is(body))
    ct_residual_advance(body, index, tally);
  gather_forces(body, &bank);
  if (tally)
    ct_modal_account(body, level, &bank, tally);
  ct_bank_step(body->kernels, &bank, &m->passes[0]);
  if (m->pass_count > 1 || m->x_count)
    read_rest(body);
  if (ct_residual_is(body))
    ct_residual_predict(body, next);
}

/* A whole sample, with the next one's glide: within a sample a point stays where it is. */
static void advance_gliding(ct_body *body, double force_n) {
  ct_modal *m = &body->as.modal;
  ct_bank_glide glide = {m->only->gain, m->only->gain_over_mass, m->only->glide, body->gliding - 1, 0, 0};
  uint32_t forcing = (force_n != 0 ? CT_PUSHED : 0) | (m->pull ? CT_ACCELERATED : 0);
  body->kernels->glide_pass[m->v_count][forcing](&m->bank, m->passes, force_n, &glide);
  m->glided = true;
  m->slide_ahead_m = glide.slide_m;
  m->level[0].compliance[m->free_ports[0] * (body->port_count + 1u)] = glide.compliance_m_n;
}

/* The same where one port at most is touched or pushed, without its loops: the second of two steps as long as
 * one another, with everything where the first has left it. */
CT_INLINE void advance_steadily(ct_body *body) {
  ct_modal *m = &body->as.modal;
  double force_n = 0;
  if (m->only) {
    force_n = m->only->contact_n + m->only->external_n;
    m->only->contact_n = 0;
  }
  if (m->only && m->glides_alone && body->glides_ahead && m->steady == 0)
    advance_gliding(body, force_n);
  else if (force_n != 0)
    m->steadily[1][1](&m->bank, m->passes, force_n);
  else
    m->steadily[0][1](&m->bank, m->passes, 0);
}

static void modal_advance(ct_body *body, uint32_t index, uint32_t next, ct_tally *tally) {
  ct_modal *m = &body->as.modal;
  assert(index < body->levels && next < body->levels);
  if (m->steady == index && index == next && !tally) {
    assert(m->summed == index && (body->predicted == index || body->predicted == CT_NO_LEVEL));
    advance_steadily(body);
    return;
  }
  note_step(body, index, next);
  m->steady = m->plain && index == next ? index : CT_NO_LEVEL;
  m->steadily = m->stepper + (m->pull ? CT_ACCELERATED : 0);
  advance_any(body, index, next, tally);
}

/* Whether a point that glides is listened to: then its speed is another sum at every sample. */
static bool hears_glide(const ct_body *body) {
  const ct_modal *m = &body->as.modal;
  for (uint16_t w = 0; body->gliding && w < m->v_count; w++)
    if (body->ports[m->v_ports[w]].glides)
      return true;
  return false;
}

/* The same for several samples, once the first of them has shown that nothing about them changes. */
static bool modal_coast(ct_body *body, uint32_t count, ct_track *track) {
  ct_modal *m = &body->as.modal;
  if (!m->plain || body->forced || hears_glide(body))
    return false;
  if (body->gliding) {
    ct_modal_glide(body, count - 1); /* the first of the samples has begun */
    body->revision++;
    body->predicted = CT_NO_LEVEL; /* but sums will be those of the last sample */
  }
  uint32_t first = m->steady != 0;
  double *after[CT_SUMS] = {track->v_m_s[0] + 1 + first, track->v_m_s[1] + 1 + first};
  track->count = m->v_count;
  for (uint32_t w = 0; w < m->v_count; w++) {
    track->port[w] = m->v_ports[w];
    track->v_m_s[w][0] = *m->passes->v_to[w];
  }
  if (first)
    modal_advance(body, 0, 0, NULL);
  for (uint32_t w = 0; w < m->v_count && first; w++)
    track->v_m_s[w][1] = *m->passes->v_to[w];
  if (count > first)
    body->kernels->coast[m->free_count][m->v_count][m->pull != NULL](&m->bank, m->passes, count - first,
                                                                     after);
  return true;
}

/* No mode gets faster than u, u^2 = v^2 + w^2 x^2, and sum |gain| u is at most the root of sum gain^2 sum
 * u^2; what falls gets faster by g t. A point that glides slides by step . x at every sample that is left,
 * and |x| grows by no more than u t. */
static ct_reach modal_reach(ct_body *body, uint16_t index, double seconds) {
  const ct_modal *m = &body->as.modal;
  ct_port *port = &body->ports[index];
  if (body->forced || ct_residual_is(body))
    return (ct_reach){HUGE_VAL, 0};
  if (port->gain2 == 0)
    port->gain2 = body->kernels->dot(m->lanes, port->gain, port->gain);
  double fastest = sqrt(m->speed2) + (m->pull ? fabs(body->gravity_m_s2) * sqrt(m->mode_count) * seconds : 0),
         gain = sqrt(port->gain2), slide_m = fabs(port->slide_m);
  if (body->gliding && port->glides) {
    double aside = body->gliding * ct_modal_step_size(body, port);
    gain += aside;
    slide_m += aside * (sqrt(body->kernels->dot(m->lanes, m->x, m->x)) + seconds * fastest);
  }
  return (ct_reach){seconds * gain * fastest, slide_m};
}

/* The last step has seen to it. */
static void take_glide(ct_body *body) {
  ct_modal *m = &body->as.modal;
  m->glided = false;
  body->gliding--;
  body->slid = true;
  m->only->slide_m += m->only->slides ? m->slide_ahead_m : 0;
  m->only->glides = body->gliding > 0;
  m->only->gain2 = 0;
  if (body->gliding == 0)
    ct_modal_catch_up(body);
  m->level[0].compliance_at = ++body->revision;
  if (body->forced)
    body->predicted = CT_NO_LEVEL;
}

static void modal_begin(ct_body *body) {
  body->glides_ahead -= body->glides_ahead > 0;
  if (body->as.modal.glided) {
    take_glide(body);
    return;
  }
  for (uint16_t i = 0; body->moved && i < body->point_count; i++)
    if (body->points[i].moved)
      ct_modal_move_point(body, &body->points[i]);
  body->moved = false;
  if (body->gliding) {
    ct_modal_glide(body, 1);
    ct_modal_gains_changed(body);
  }
}

static void modal_unpredict(ct_body *body) { body->as.modal.summed = body->as.modal.steady = CT_NO_LEVEL; }

/* Kept by number, not by arrival: forces are added up in this order, and it must not change a sample. */
static void insert_port(uint16_t *ports, uint16_t *count, uint16_t index) {
  uint16_t at = (*count)++;
  assert(at == 0 || ports[at - 1] != index); /* wanted once only */
  for (; at > 0 && ports[at - 1] > index; at--)
    ports[at] = ports[at - 1];
  ports[at] = index;
}

static void take_port(uint16_t *ports, uint16_t *count, uint16_t index) {
  uint16_t kept = 0;
  for (uint16_t i = 0; i < *count; i++)
    if (ports[i] != index)
      ports[kept++] = ports[i];
  *count = kept;
}

/* Touched, a port may yield more: see modal_residual.c. */
static void modal_wants_changed(ct_body *body, uint16_t index, uint8_t came, uint8_t went) {
  ct_modal *m = &body->as.modal;
  if (body->ports[index].glides)
    ct_modal_glide_port(body, &body->ports[index]); /* it may have lagged */
  if (came & CT_WANT_FREE)
    insert_port(m->free_ports, &m->free_count, index);
  if (went & CT_WANT_FREE)
    take_port(m->free_ports, &m->free_count, index);
  if (came & CT_WANT_V)
    insert_port(m->v_ports, &m->v_count, index);
  if (came & CT_WANT_X)
    insert_port(m->x_ports, &m->x_count, index);
  ct_modal_plan(body);
  if ((came | went) & (CT_WANT_FREE | CT_TOUCHED))
    body->revision++;
  ct_body_unpredict(body);
}

/* gain . state, with the gains of this sample. */
static double now(const ct_body *body, uint16_t index, const double *state) {
  const ct_port *port = &body->ports[index];
  const uint32_t lanes = body->as.modal.lanes;
  if (!ct_port_lags(port))
    return body->kernels->dot(lanes, port->gain, state);
  return body->kernels->dot(lanes, ct_glide_row(port, CT_AIM, lanes), state) -
         body->gliding * body->kernels->dot(lanes, ct_glide_row(port, CT_STEP, lanes), state);
}

static double modal_v_m_s(const ct_body *body, uint16_t port) { return now(body, port, body->as.modal.v); }

static double modal_x_m(const ct_body *body, uint16_t port) {
  double drifted_s = ct_body_drifted_s(body);
  return body->ports[port].rest_m + body->ports[port].residual_m + now(body, port, body->as.modal.x) +
         (drifted_s > 0 ? drifted_s * modal_v_m_s(body, port) : 0);
}

double ct_modal_mode_value(const ct_body *body, uint32_t mode, bool velocity) {
  return velocity ? body->as.modal.v[mode]
                  : body->as.modal.x[mode] + ct_body_drifted_s(body) * body->as.modal.v[mode];
}

void ct_modal_set_state(ct_body *body, uint32_t mode, bool velocity, double value) {
  if (body->as.modal.dead[mode])
    return;
  (velocity ? body->as.modal.v : body->as.modal.x)[mode] = value;
  for (uint16_t p = 0; !velocity && p < body->port_count; p++)
    body->ports[p].rest_m = 0;
  ct_body_unpredict(body);
}

const ct_body_kind ct_modal_kind = {.name = "modal",
                                    .rigid = false,
                                    .begin = modal_begin,
                                    .predict = modal_predict,
                                    .unpredict = modal_unpredict,
                                    .wants_changed = modal_wants_changed,
                                    .x_m = modal_x_m,
                                    .v_m_s = modal_v_m_s,
                                    .free_kg = ct_modal_free_kg,
                                    .compliance = modal_compliance,
                                    .coupling = modal_coupling,
                                    .advance = modal_advance,
                                    .coast = modal_coast,
                                    .reach = modal_reach,
                                    .stored_j = ct_modal_stored,
                                    .parameters_changed = modal_parameters_changed,
                                    .on_tick = ct_modal_on_tick,
                                    .pace = ct_modal_pace,
                                    .rest = ct_modal_rest,
                                    .drift = ct_modal_drift};
