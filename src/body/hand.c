/* Imposed motion: dx = v h whatever the force, compliance 0; at rest, a wall. Its work is the ledger's motion
 * column, booked where the contact sees it. */
#include "body/body.h"

#include <math.h>
#include <string.h>

bool ct_hand_lay(ct_body *body, ct_arena *arena) {
  body->point_count = 1;
  body->port_count = CT_DIRECTIONS;
  body->points = ct_arena_take(arena, 1, sizeof(ct_point));
  body->ports = ct_arena_take(arena, CT_DIRECTIONS, sizeof(ct_port));
  return arena->base && arena->used <= arena->size;
}

void ct_hand_fill(ct_body *body, const ct_hand_def *def) {
  ct_hand *hand = &body->as.hand;
  body->kind = &ct_hand_kind;
  body->predicted = CT_NO_LEVEL;
  memcpy(body->points[0].name, "at", 3);
  for (uint16_t d = 0; d < CT_DIRECTIONS; d++) {
    body->points[0].port[d] = d;
    hand->x_m[d] = hand->at_m[d] = def->x_m[d];
    hand->v_m_s[d] = def->v_m_s[d];
    body->ports[d].x_m = def->x_m[d];
    body->ports[d].v_m_s = def->v_m_s[d];
  }
}

static void hand_begin(ct_body *body) {
  ct_hand *hand = &body->as.hand;
  for (int d = 0; d < CT_DIRECTIONS; d++) {
    hand->step_m[d] = hand->pending_m[d] + hand->v_m_s[d] * body->step_s;
    hand->pending_m[d] = 0;
    body->ports[d].v_m_s = hand->step_m[d] / body->step_s;
  }
}

static void hand_predict(ct_body *body, uint32_t level) {
  for (int d = 0; d < CT_DIRECTIONS; d++)
    body->ports[d].dx_free_m = body->as.hand.step_m[d] * ct_share(level);
}

static const double *hand_compliance(ct_body *body, uint32_t level) {
  (void)level;
  return body->as.hand.zero;
}

/* Once per sample, after every island that touches it has walked its substeps. */
static void hand_advance(ct_body *body, uint32_t level, uint32_t next, ct_tally *tally) {
  (void)level, (void)next, (void)tally;
  for (int d = 0; d < CT_DIRECTIONS; d++) {
    body->as.hand.at_m[d] += body->as.hand.step_m[d];
    body->ports[d].x_m = body->as.hand.at_m[d];
    body->ports[d].contact_n = 0;
  }
}

static double hand_stored(const ct_body *body) {
  (void)body;
  return 0;
}

static double hand_parameters_changed(ct_body *body) {
  (void)body;
  return 0;
}

static ct_pace hand_pace(const ct_body *body) {
  const ct_hand *h = &body->as.hand;
  bool moves = false;
  for (int d = 0; d < CT_DIRECTIONS; d++)
    moves |= h->pending_m[d] != 0 || h->v_m_s[d] != 0 || h->step_m[d] != 0;
  return moves ? CT_MOVES : CT_RESTS;
}

static bool hand_on_tick(ct_body *body) {
  const ct_hand *h = &body->as.hand;
  return isfinite(h->at_m[CT_NORMAL] + h->at_m[CT_TANGENTIAL]);
}

const ct_body_kind ct_hand_kind = {.name = "hand",
                                   .rigid = true,
                                   .begin = hand_begin,
                                   .predict = hand_predict,
                                   .compliance = hand_compliance,
                                   .advance = hand_advance,
                                   .stored_j = hand_stored,
                                   .parameters_changed = hand_parameters_changed,
                                   .on_tick = hand_on_tick,
                                   .pace = hand_pace};
