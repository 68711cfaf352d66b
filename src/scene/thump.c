/* Thumps within the scene: which forces act on a point, and what is still to be heard of them while all
 * sleep. Pickups say at every sample whether they hear the thumps of a body (pickup.c); what nobody hears is
 * not computed. The forces are the normal ones: of impacts, of sources and strikes, and those given from
 * outside.
 *
 * Nothing here is read by bodies, contacts or the ledger. So a group sleeps as if there were no thumps, and
 * pickups go on through the ring alone. */
#include "scene/scene.h"

/* By impacts: in this sample, or in the one before. */
static void add_contacts(const ct_scene *s, const ct_group *g, const ct_body *b, bool before) {
  uint16_t count;
  ct_contact *const *contacts = ct_group_contacts(s, g, &count);
  for (uint16_t i = 0; i < count; i++)
    for (int e = 0; e < 2 && contacts[i]->kind == &ct_impact_kind; e++) {
      const ct_end *end = &contacts[i]->end[e];
      for (uint32_t k = 0; end->body == b && k < b->thump->point_count; k++)
        if (b->thump->points[k].port == end->port)
          b->thump->points[k].now_n -= end->sign * (before ? contacts[i]->force_n : contacts[i]->force_sum_n);
    }
}

/* A load that was there before anybody listened is no blow. A scene begins without forces, or at rest under
 * those that it is given. */
static void begin(const ct_scene *s, const ct_group *g, const ct_body *b, uint64_t sample) {
  for (uint32_t i = 0; i < b->thump->point_count; i++) {
    ct_thump_point *p = &b->thump->points[i];
    const ct_point *point = &b->points[p->point];
    p->now_n = sample > 0 || s->def.at_rest ? point->force_n[CT_NORMAL] : 0;
  }
  add_contacts(s, g, b, true);
  ct_thump_follow(b->thump);
}

static void feed(const ct_scene *s, const ct_group *g, const ct_body *b, uint64_t sample) {
  ct_thump *t = b->thump;
  if (!t->heard) {
    t->follows = false;
    for (uint32_t i = 0; i < t->point_count; i++)
      t->points[i].given_n_s = 0;
    return;
  }
  t->heard = false;
  if (!t->follows)
    begin(s, g, b, sample);
  for (uint32_t i = 0; i < t->point_count; i++) {
    /* From outside. */
    const ct_point *point = &b->points[t->points[i].point];
    double given_n = t->points[i].given_n_s * s->def.rate_hz;
    t->points[i].given_n_s = 0;
    t->points[i].now_n = point->force_n[CT_NORMAL] + point->source_n[CT_NORMAL] + given_n;
  }
  add_contacts(s, g, b, false);
  ct_thump_feed(t, sample);
}

void ct_thumps_feed(ct_scene *s, const ct_group *g, uint64_t sample) {
  for (uint16_t i = 0; i < g->body_count; i++)
    if (s->group_bodies[g->first_body + i]->thump)
      feed(s, g, s->group_bodies[g->first_body + i], sample);
}

/* An impulse that moves the modes at once. */
void ct_thump_give(ct_body *b, uint16_t point, double impulse_n_s) {
  for (uint32_t i = 0; b->thump && i < b->thump->point_count; i++)
    if (b->thump->points[i].point == point)
      b->thump->points[i].given_n_s += impulse_n_s;
}

void ct_thumps_hear_asleep(ct_scene *s, uint32_t samples) {
  for (uint16_t i = 0; i < s->heard_count; i++) {
    ct_pickup *p = s->heard[i];
    for (uint32_t n = 0; p->thumps && s->groups[p->group].asleep && n < samples; n++)
      p->si[n] = ct_pickup_listen(s, p, s->sample + n);
  }
}
