/* Sleep: a group in which nothing has moved for a while is not stepped until something is done to it. It
 * costs nothing then, however much there is of it.
 *
 * Still is what is slower than CT_STILL_M_S, 280 dB under a metre per second, mode by mode, over STILL_TICKS
 * ticks: an oscillation stays that slow for so long only if its amplitude is that small as well, or its
 * period some minutes. What is left of its motion is taken away and booked as lost in bodies; places, and
 * what bends under a load, stay as they are. So nothing clicks: falling asleep and waking change velocities
 * by less than CT_STILL_M_S.
 *
 * A hammer that flies away for good sleeps too: its free modes go on by v t, which is all that a step would
 * do with them (ct_body_drifted_s). It must be past all contacts and part from them, with nothing that pulls.
 *
 * A group falls asleep on ticks and by its own state only, and wakes at the sample at which something is set,
 * so that neither block sizes nor an account can change a sample. */
#include "scene/scene.h"

enum { STILL_TICKS = 8 };

/* ---- waking ---- */

/* True: it has drifted. */
static bool wake(ct_body *b) {
  bool drifted = b->asleep && b->pace == CT_DRIFTS;
  if (drifted)
    b->kind->drift(b, ct_body_drifted_s(b));
  b->asleep = false;
  return drifted;
}

/* What has drifted tells its contacts, which are all apart, how far. */
void ct_wake_group(ct_scene *s, ct_group *g) {
  uint16_t count;
  ct_contact *const *contacts = ct_group_contacts(s, g, &count);
  bool drifted = false;
  g->asleep = false;
  g->still_ticks = 0;
  s->awake_stale = true;
  for (uint16_t i = 0; i < g->body_count; i++)
    drifted |= wake(s->group_bodies[g->first_body + i]);
  for (uint16_t i = 0; i < count && drifted; i++)
    contacts[i]->kind->on_tick(contacts[i]);
}

/* While groups have still to be found, the rest of its own wakes when they are. */
void ct_wake_body(ct_scene *s, ct_body *b) {
  ct_group *g = s->groups_stale ? NULL : &s->groups[b->group];
  if (g && g->asleep)
    ct_wake_group(s, g);
  else if (g)
    g->still_ticks = 0;
  else if (b->asleep)
    wake(b);
}

void ct_wake_contact(ct_scene *s, const ct_contact *c) {
  for (uint16_t e = 0; e < c->end_count; e++)
    if (!s->wall || c->end[e].body != &s->wall->body)
      ct_wake_body(s, c->end[e].body);
}

void ct_wake_all(ct_scene *s) {
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live; i++)
    ct_wake_body(s, ct_live_body(s, i));
}

/* ---- falling asleep ---- */

/* Apart, and parting. */
static bool flies_away(const ct_contact *c) {
  double closing_m_s = 0;
  if (c->kind != &ct_impact_kind || c->compression_m >= 0)
    return false;
  for (uint16_t e = 0; e < c->end_count; e++)
    closing_m_s += c->end[e].sign * ct_port_v_m_s(c->end[e].body, c->end[e].port);
  return closing_m_s <= 0;
}

static bool is_at_rest(const ct_contact *c) {
  return !c->changed && c->gap_step_m == 0 && (!c->kind->rests || c->kind->rests(c));
}

/* One that a body leads stands with it; a free one stands where resistance holds it. */
static bool stands(const ct_drive *d) {
  const ct_way *w = &d->way.as.way;
  return !d->changing && !d->wants_jump && !d->jumping && (d->led || d->v_m_s == 0) &&
         (!d->free || (w->v_m_s == 0 && w->held));
}

static bool drives_stand(const ct_scene *s, const ct_group *g) {
  for (uint16_t i = 0; i < g->drive_count; i++)
    if (!stands(s->group_drives[g->first_drive + i]))
      return false;
  return true;
}

/* How its bodies move, the liveliest of them. */
static ct_pace pace_of(const ct_scene *s, const ct_group *g) {
  ct_pace most = CT_RESTS;
  for (uint16_t i = 0; i < g->body_count && most != CT_MOVES; i++) {
    const ct_body *b = s->group_bodies[g->first_body + i];
    if (b->moved || b->gliding || b->slid || b->changed)
      return CT_MOVES;
    ct_pace pace = b->kind->pace(b);
    most = pace > most ? pace : most;
  }
  return most;
}

static bool looks_still(const ct_scene *s, const ct_group *g) {
  uint16_t count;
  ct_contact *const *contacts = ct_group_contacts(s, g, &count);
  if (g->has_source || g->slid || !g->body_count || !drives_stand(s, g))
    return false;
  ct_pace pace = pace_of(s, g);
  if (pace == CT_MOVES || (pace == CT_DRIFTS && g->drive_count))
    return false;
  for (uint16_t i = 0; i < count; i++)
    if (pace == CT_DRIFTS ? !flies_away(contacts[i]) : !is_at_rest(contacts[i]))
      return false;
  return true;
}

/* From here on the pickup hears the same all the time, but for thumps (thump.c). */
static void hear_rest(ct_scene *s, ct_pickup *p) {
  if (p->thumps)
    return;
  double si = ct_pickup_listen(s, p, s->sample);
  if (!p->reads && p->listen == CT_ACCELERATION)
    si = 0;
  for (uint32_t n = 0; n < CT_TICK; n++)
    p->si[n] = si;
}

static bool all_still(const ct_scene *s, const ct_group *g) {
  for (uint16_t i = 0; i < g->body_count; i++) {
    const ct_body *b = s->group_bodies[g->first_body + i];
    if (b->kind->is_still && !b->kind->is_still(b))
      return false;
  }
  return true;
}

static void fall_asleep(ct_scene *s, ct_group *g) {
  double lost_j = 0;
  g->asleep = s->awake_stale = true;
  for (uint16_t i = 0; i < g->body_count; i++) {
    ct_body *b = s->group_bodies[g->first_body + i];
    b->pace = b->kind->pace(b);
    lost_j += b->kind->rest ? b->kind->rest(b) : 0;
    b->asleep = true;
    b->asleep_since = s->sample;
  }
  ct_sum_add(&s->account.bodies, lost_j);
  for (uint16_t i = 0; i < g->pickup_count; i++)
    hear_rest(s, s->group_pickups[g->first_pickup + i]);
}

/* Who moves is looked at again on every eighth tick only. */
void ct_sleep_look(ct_scene *s) {
  bool anew = s->sample % (STILL_TICKS * CT_TICK) == 0;
  for (uint16_t i = 0; i < s->awake_count; i++) {
    ct_group *g = ct_awake_group(s, i);
    if (!anew && g->still_ticks == 0)
      continue;
    g->still_ticks = looks_still(s, g) ? (uint16_t)(g->still_ticks + 1) : 0;
    if (g->still_ticks < STILL_TICKS)
      continue;
    if (all_still(s, g))
      fall_asleep(s, g);
    g->still_ticks = 0;
  }
}
