/* Thumps within the scene: which forces act on a point, and what is still to be heard of them while all
 * sleep. Pickups say at every sample whether they hear the thumps of a body (pickup.c); what nobody hears is
 * not computed. The forces are the normal ones: of impacts, of sources and strikes, and those given from
 * outside.
 *
 * Nothing here is read by bodies, contacts or the ledger. So a group sleeps as if there were no thumps, and
 * pickups go on through the ring alone. */
#include "scene/scene.h"

/* From outside. */
static double pushed_n(const ct_scene *s, const ct_body *b, ct_thump_point *p) {
  const ct_point *point = &b->points[p->point];
  double given_n = p->given_n_s * s->def.rate_hz;
  p->given_n_s = 0;
  return point->force_n[CT_NORMAL] + point->source_n[CT_NORMAL] + given_n;
}

static void add_contact(const ct_contact *c, const ct_body *b, ct_thump *t, double force_n) {
  for (int e = 0; e < 2; e++)
    for (uint32_t i = 0; c->end[e].body == b && i < t->point_count; i++)
      if (t->points[i].port == c->end[e].port)
        t->points[i].now_n -= c->end[e].sign * force_n;
}

/* By impacts: in this sample, or in the one before. */
static void add_contacts(const ct_scene *s, const ct_group *g, const ct_body *b, bool before) {
  uint16_t count;
  ct_contact *const *contacts = ct_group_contacts(s, g, &count);
  for (uint16_t i = 0; i < count; i++)
    if (contacts[i]->kind == &ct_impact_kind)
      add_contact(contacts[i], b, b->thump, before ? contacts[i]->force_n : contacts[i]->force_sum_n);
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
  for (uint32_t i = 0; i < t->point_count; i++)
    t->points[i].now_n = pushed_n(s, b, &t->points[i]);
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
