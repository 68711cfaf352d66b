/* The way as a body, so that islands, substeps and the account know it as any other. */
#include "body/body.h"

static void way_begin(ct_body *body) { (void)body; }

static void way_predict(ct_body *body, uint32_t level) {
  const ct_way *w = &body->as.way;
  double alone_m = ct_way_alone_m(w, ct_share(level));
  for (int p = 0; p < CT_WAY_PORTS; p++)
    body->ports[p].dx_free_m = ct_way_gain(w, p) * alone_m;
  body->predicted = level;
}

static const double *way_compliance(ct_body *body, uint32_t level) {
  ct_way *w = &body->as.way;
  double share = ct_share(level);
  for (int p = 0; p < CT_WAY_PORTS; p++)
    for (int q = 0; q < CT_WAY_PORTS; q++)
      w->matrix[p * CT_WAY_PORTS + q] =
          ct_way_gain(w, p) * ct_way_gain(w, q) * (w->yield_m_n * (share * share));
  return w->matrix;
}

static double gain_sum(const ct_way *w, const ct_signed_port *ports, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += ports[i].sign * ct_way_gain(w, ports[i].port);
  return sum;
}

static double way_coupling(ct_body *body, uint32_t level, const ct_signed_port *p, uint32_t p_count,
                           const ct_signed_port *q, uint32_t q_count) {
  const ct_way *w = &body->as.way;
  double share = ct_share(level);
  return gain_sum(w, p, p_count) * gain_sum(w, q, q_count) * (w->yield_m_n * (share * share));
}

/* Sizes of the terms of M (v+^2 - v^2) / 2 = F way, each as often as it is rounded: v+ once, and F, way and
 * dv are sums of a few products, off by six roundings of their sizes at most. */
static double gross_of_step(const ct_way *w, double share, double size_n) {
  double dv = w->gains_m_s_n * share * size_n, speed = fabs(w->v_m_s) + dv,
         way_m = w->step_s * share * fabs(w->v_m_s) + w->yield_m_n * (share * share) * size_n;
  return w->held ? 0 : w->mass_kg * speed * (speed + 6 * dv) + 8 * size_n * way_m;
}

/* The contact presses the path by what it pushes it with. */
static void way_advance(ct_body *body, uint32_t level, uint32_t next, ct_tally *tally) {
  ct_way *w = &body->as.way;
  ct_port *path = &body->ports[CT_WAY_PATH], *along = &body->ports[CT_WAY_ALONG];
  double share = ct_share(level), push_n = w->slope * path->contact_n, ends_n = w->along * along->contact_n;
  double gross_j = tally ? gross_of_step(w, share, fabs(w->pull_n) + fabs(push_n) + fabs(ends_n)) : 0;
  ct_way_step gone = ct_way_go(w, share, push_n + ends_n, -path->contact_n);
  (void)next;
  if (tally) {
    tally->force_j += w->pull_n * gone.way_m;
    tally->lost_j += gone.lost_j;
    tally->gross_j += gross_j + 8 * gone.lost_j;
  }
  path->contact_n = along->contact_n = 0;
  along->x_m = w->along * w->x_m;
  body->predicted = CT_NO_LEVEL;
}

/* Of its path the drive knows more: see ct_drive_reach_m. */
static ct_reach way_reach(ct_body *body, uint16_t port, double seconds) {
  double far_m = body->as.way.along * ct_way_reach_m(&body->as.way, seconds);
  return (ct_reach){port == CT_WAY_ALONG ? far_m : HUGE_VAL, 0};
}

static double way_stored(const ct_body *body) { return ct_way_kinetic_j(&body->as.way); }

static double way_parameters_changed(ct_body *body) {
  (void)body;
  return 0;
}

static bool way_on_tick(ct_body *body) { return isfinite(body->as.way.x_m) && isfinite(body->as.way.v_m_s); }

const ct_body_kind ct_way_kind = {.name = "way",
                                  .rigid = false,
                                  .begin = way_begin,
                                  .predict = way_predict,
                                  .compliance = way_compliance,
                                  .coupling = way_coupling,
                                  .advance = way_advance,
                                  .reach = way_reach,
                                  .stored_j = way_stored,
                                  .parameters_changed = way_parameters_changed,
                                  .on_tick = way_on_tick};
