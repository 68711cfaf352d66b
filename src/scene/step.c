/* The step of the scene; nothing else steps anything. A group runs a whole stretch, sample by sample: drives
 * lead, each island of contacts is walked, what no contact touches moves on, drives feel the force.
 *
 * An island walks a sample in dyadic substeps of 1 / 2^level: long while nothing touches, short in contact.
 * In each, bodies predict, contacts are solved, bodies advance with the solved forces. In flight the step is
 * halved until it ends before the touch or is as short as the contact wants; nothing is lost by it, because
 * bodies propagate exactly at any step.
 *
 * Everything here is expanded by `run_group` for no contact, one and many, with a ledger and without, and
 * `walk_sample` for one step in a sample and for several: what is constant there vanishes. */
#include "base/inline.h"
#include "scene/scene.h"

#include <assert.h>
#include <math.h>

#define FINEST (CT_LEVELS - 1)
#define UNITS (1u << FINEST)

/* The longest step that may start at `at` and stay on the dyadic grid. */
static uint32_t aligned_level(uint32_t at) { return at == 0 ? 0 : FINEST - (uint32_t)__builtin_ctz(at); }

/* An island on its walk. */
typedef struct walk {
  ct_scene *s;
  ct_contact *const *contacts;
  ct_contact *first; /* of them */
  ct_body *const *bodies;
  uint16_t count, body_count; /* of contacts, of bodies */
  uint16_t ends;              /* that every contact has; 0: they differ */
  const bool *slid;           /* some port slides in this sample; null: none ever does */
  bool ledger;
} walk;

CT_INLINE ct_contact *contact_at(const walk *w, uint16_t i) {
  return w->count == 1 ? w->first : w->contacts[i];
}

CT_INLINE uint16_t end_count(const walk *w, const ct_contact *c) { return w->ends ? w->ends : c->end_count; }

/* One end's share of d_free; the imposed part is what no body makes. */
CT_INLINE double predict_end(const walk *w, const ct_end *end, uint32_t level, double share,
                             double *imposed) {
  ct_body *body = end->body;
  const ct_port *port = end->at;
  if (body->predicted != level)
    body->kind->predict(body, level);
  double alone = end->sign * ct_port_free_m(port), slid = 0;
  if (w->slid && *w->slid && port->slide_m != 0 && !port->rolled)
    slid = end->sign * ct_port_felt_m(port, body->step_s) * share;
  *imposed += body->kind->rigid ? alone + slid : slid;
  return alone + slid;
}

/* d_free of a contact for one substep. */
CT_INLINE double predict_contact(const walk *w, ct_contact *c, uint32_t level) {
  double share = ct_share(level);
  c->step_s = w->s->step_s * share;
  c->per_s = w->s->def.rate_hz * ct_substeps(level);
  double d_free = c->gap_step_m * share, imposed = d_free;
  for (uint16_t e = 0; e < end_count(w, c); e++)
    d_free += predict_end(w, &c->end[e], level, share, &imposed);
  if (w->ledger)
    c->imposed_m = imposed;
  return c->d_free_m = d_free;
}

/* What the contacts ask of a step predicted at some level: the finest level that one of them wants. In words
 * that a compiler keeps apart. */
typedef struct level_request {
  uint32_t level;
  uint64_t touching, pressed;
} level_request;

CT_INLINE level_request ask(const walk *w, uint32_t level) {
  level_request r = {.level = level};
  for (uint16_t i = 0; i < w->count; i++) {
    ct_contact *c = contact_at(w, i);
    uint32_t wanted = c->kind->level(c, level, predict_contact(w, c, level));
    if (wanted == CT_APART)
      continue;
    r.touching = true;
    r.pressed |= c->compression_m > 0;
    r.level = wanted > r.level ? wanted : r.level;
  }
  return r;
}

/* Goes on from a request that was not met: a pressed contact gets its level at once, one that is about to
 * touch is approached by halves. */
static level_request choose_level(const walk *w, uint32_t level, level_request r) {
  while (r.level != level) {
    level = r.pressed ? r.level : level + 1;
    r = ask(w, level);
  }
  return r;
}

CT_INLINE void count_solve(ct_counters *n, const ct_effort *effort) {
  n->solves++;
  n->evaluations += effort->evaluations;
  n->fallbacks += effort->fell_back;
  n->friction_evaluations += effort->searches;
  if (effort->longest_search > n->most_friction_evaluations)
    n->most_friction_evaluations = effort->longest_search;
  if (effort->evaluations > n->most_evaluations)
    n->most_evaluations = effort->evaluations;
}

/* A solve ends where residuals d + C f - free are down to 2 (4 + n) roundings of the sizes of their terms;
 * what is left of them, and what was cut off d_free as its parts were added up, is work of the force. */
static double gross_of_contact(const ct_contact *c, uint16_t n, double share) {
  double parts = fabs(c->gap_step_m) * share;
  for (uint16_t e = 0; e < c->end_count; e++) {
    const ct_port *port = c->end[e].at;
    parts += fabs(c->end[e].sign) *
             (fabs(ct_port_free_m(port)) + fabs(ct_port_felt_m(port, c->end[e].body->step_s)) * share);
  }
  return fabs(c->now_n) * (2 * (4.0 + n) * (fabs(c->d_m) + fabs(c->d_free_m)) + 6 * parts) +
         4 * fabs(c->noise_j) + c->kind->gross_j(c);
}

CT_INLINE void solve(const walk *w, uint32_t level) {
  ct_effort effort;
  ct_contact *first = w->first;
  if (w->count == 1)
    first->kind->solve(first, first->own_m_n, first->d_free_m, &effort);
  else
    ct_solve(&w->s->solver, w->contacts, w->count, level, &effort);
  count_solve(&w->s->counters, &effort);
  if (w->ledger)
    w->s->account.gross_j += 2 * (4.0 + w->count) * effort.rounding;
}

CT_INLINE void fly(const walk *w) {
  for (uint16_t i = 0; i < w->count; i++)
    ct_contact_pass_by(contact_at(w, i), contact_at(w, i)->d_free_m);
}

static void book_contact(ct_account *a, const ct_contact *c) {
  ct_sum_add(&a->motion, c->now_n * c->imposed_m);
  ct_sum_add(&a->work, fabs(c->now_n * c->imposed_m));
  ct_sum_add(&a->contacts, c->lost_j);
  ct_sum_add(&a->noise, c->noise_j);
  ct_sum_add(&a->work, fabs(c->noise_j));
}

/* Forces to the ports, work and losses to the ledger. */
CT_INLINE void spread_forces(const walk *w, double share) {
  for (uint16_t i = 0; i < w->count; i++) {
    ct_contact *c = contact_at(w, i);
    c->force_sum_n += c->now_n * share;
    for (uint16_t e = 0; e < end_count(w, c); e++)
      c->end[e].at->contact_n -= c->end[e].sign * c->now_n;
    if (w->ledger) {
      w->s->account.gross_j += gross_of_contact(c, w->count, share);
      book_contact(&w->s->account, c);
    }
  }
}

static void advance_and_book(ct_scene *s, ct_body *body, uint32_t level, uint32_t next) {
  ct_tally tally = {0, 0, 0, 0};
  body->kind->advance(body, level, next, &tally);
  ct_sum_add(&s->account.force, tally.force_j);
  ct_sum_add(&s->account.work, fabs(tally.force_j));
  ct_sum_add(&s->account.bodies, tally.lost_j);
  s->account.gross_j += tally.gross_j;
  s->account.alone_j += tally.alone_j;
}

CT_INLINE void advance_body(ct_scene *s, ct_body *body, uint32_t level, uint32_t next, bool ledger) {
  if (ledger)
    advance_and_book(s, body, level, next);
  else
    body->kind->advance(body, level, next, NULL);
}

/* One substep at the level that was chosen for it; bodies then predict the next one. */
CT_INLINE void substep(const walk *w, bool touching, uint32_t level) {
  if (touching)
    solve(w, level);
  else
    fly(w);
  if (touching || w->ledger)
    spread_forces(w, ct_share(level));
}

CT_INLINE void advance_bodies(const walk *w, uint32_t level, uint32_t next) {
  for (uint16_t i = 0; i < w->body_count; i++)
    advance_body(w->s, w->bodies[i], level, next, w->ledger);
}

CT_INLINE bool any_pressed(const walk *w) {
  for (uint16_t i = 0; i < w->count; i++)
    if (contact_at(w, i)->compression_m > 0)
      return true;
  return false;
}

/* While pressed a step does not grow again within the sample: the next prediction is this level's. */
static uint32_t next_level(const walk *w, uint32_t at, uint32_t level) {
  uint32_t longest = at == UNITS ? 0 : aligned_level(at);
  return at < UNITS && level > longest && any_pressed(w) ? level : longest;
}

/* A sample of several substeps; how many. */
static uint32_t walk_finely(const walk *w, level_request asked) {
  uint32_t substeps = 0, start = 0;
  level_request r = choose_level(w, 0, asked);
  for (uint32_t at = 0;;) {
    assert(r.level <= FINEST && at % (UNITS >> r.level) == 0); /* on the dyadic grid */
    substep(w, r.touching, r.level);
    substeps++;
    at += UNITS >> r.level;
    start = next_level(w, at, r.level);
    advance_bodies(w, r.level, start);
    if (at == UNITS)
      return substeps;
    r = choose_level(w, start, ask(w, start));
  }
}

/* Once per sample: normal forces, and what they let go. */
CT_INLINE void begin_contacts(const walk *w) {
  for (uint16_t i = 0; i < w->count; i++)
    if (contact_at(w, i)->kind->begin)
      ct_sum_add(&w->s->account.contacts, contact_at(w, i)->kind->begin(contact_at(w, i)));
}

CT_INLINE void walk_sample(const walk *w) {
  begin_contacts(w);
  level_request r = ask(w, 0);
  uint32_t substeps = 1;
  if (r.level == 0) {
    substep(w, r.touching, 0);
    advance_bodies(w, 0, 0);
  } else {
    substeps = walk_finely(w, r);
  }
  w->s->counters.substeps += substeps;
  if (substeps > w->s->counters.most_substeps)
    w->s->counters.most_substeps = substeps;
}

/* What there is to solve in a group: nothing; one contact of two ends, in a group that nothing reads but
 * pickups and nothing else moves, or nothing but drives; one contact; any number of them. */
typedef enum solved { NOTHING, ONE_ALONE, ONE_DRIVEN, ONE, MANY } solved;

CT_INLINE walk island_walk(ct_scene *s, const ct_group *g, const ct_island *island, solved what,
                           bool ledger) {
  return (walk){.s = s,
                .contacts = s->island_contacts + island->first_contact,
                .first = s->island_contacts[island->first_contact],
                .bodies = s->island_bodies + island->first_body,
                .count = what == MANY ? island->contact_count : 1,
                .body_count = island->body_count,
                .ends = what == ONE_ALONE || what == ONE_DRIVEN ? 2 : 0,
                .slid = what == ONE_ALONE || what == ONE_DRIVEN ? NULL : &g->slid,
                .ledger = ledger};
}

/* ---- groups ---- */

/* Bodies that touch nothing, and hands once every island has walked with them. */
CT_INLINE void advance_others(ct_scene *s, const ct_group *g, bool ledger) {
  for (uint16_t i = 0; i < g->other_count; i++)
    advance_body(s, s->group_others[g->first_other + i], 0, 0, ledger);
}

void ct_group_end_slides(ct_scene *s, ct_group *g) {
  for (uint16_t i = 0; g->slid && i < g->body_count; i++) {
    ct_body *b = s->group_bodies[g->first_body + i];
    for (uint16_t p = 0; b->slid && p < b->port_count; p++)
      b->ports[p].slide_m = 0;
    b->slid = false;
  }
  g->slid = false;
}

/* Slides have been walked; thumps take the forces of the sample. */
static void end_sample(ct_scene *s, ct_group *g, uint64_t sample) {
  if (g->has_thump)
    ct_thumps_feed(s, g, sample);
  ct_group_end_slides(s, g);
}

CT_INLINE void finish_contacts(ct_contact *const *contacts, uint16_t count) {
  for (uint16_t i = 0; i < count; i++) {
    ct_contact *c = contacts[i];
    assert(!isnan(c->force_sum_n)); /* what is no number gives up in the solve */
    c->force_n = c->force_sum_n;
    c->force_sum_n = 0;
    c->gap_step_m = 0;
  }
}

static void tick_contacts(const ct_scene *s, const ct_group *g) {
  uint16_t count;
  ct_contact *const *contacts = ct_group_contacts(s, g, &count);
  for (uint16_t i = 0; i < count; i++)
    contacts[i]->kind->on_tick(contacts[i]);
}

/* Numbers move, hands and gliding points go on, sources push; the first sample of a stretch has begun. */
CT_INLINE void begin_next(ct_scene *s, ct_group *g, uint32_t at, uint64_t sample) {
  if (s->streams)
    ct_streams_take(s, g, at);
  if (g->leading)
    ct_leaders_begin_sample(s, g);
  if (g->has_source)
    ct_sources_feed(s, g, sample);
}

/* Pickups of a group that just read a number: where it is, and where it goes. */
#define EARS 4u
typedef struct ears {
  uint32_t count; /* 0: there are others, or more */
  const double *reads[EARS];
  double *si[EARS];
} ears;

CT_INLINE ears ears_of(const ct_scene *s, const ct_group *g) {
  ears e = {.count = g->pickup_count <= EARS ? g->pickup_count : 0};
  for (uint32_t i = 0; i < e.count; i++) {
    ct_pickup *p = s->group_pickups[g->first_pickup + i];
    e.reads[i] = p->reads;
    e.si[i] = p->si;
    if (!p->reads || p->fresh)
      e.count = 0;
  }
  return e;
}

CT_INLINE void listen(ct_scene *s, const ct_group *g, const ears *e, uint32_t at, uint64_t sample) {
  for (uint32_t i = 0; i < e->count; i++)
    e->si[i][at] = *e->reads[i];
  if (!e->count)
    ct_pickups_listen(s, g, at, sample);
}

/* Samples that drives have planned, from number `first` of the stretch; the first of them has begun. */
CT_INLINE void run(ct_scene *s, ct_group *g, uint32_t first, uint32_t count, solved what, bool ledger) {
  const ct_island *islands = &s->islands[g->first_island];
  ct_drive *const *drives = s->group_drives + g->first_drive;
  const bool alone = what == ONE_ALONE || what == ONE_DRIVEN, one = alone || what == ONE;
  uint16_t contact_count, drive_count = what == NOTHING || what == ONE_ALONE ? 0 : g->drive_count,
                          island_count = what == NOTHING ? 0
                                         : one           ? 1
                                                         : g->island_count;
  ct_contact *const *contacts = ct_group_contacts(s, g, &contact_count);
  walk w = {.s = s};
  if (one)
    w = island_walk(s, g, islands, what, ledger);
  ears heard = ears_of(s, g);
  bool moves_points = s->streams && s->streams->moves_points; /* then nobody knows the next gains yet */
  for (uint16_t i = 0; g->leading && !moves_points && i < g->body_count; i++) {
    ct_body *b = s->group_bodies[g->first_body + i];
    b->glides_ahead = b->gliding < count - 1 ? b->gliding : count - 1;
  }
  for (uint32_t n = 0; n < count; n++) {
    if (n > 0 && !alone)
      begin_next(s, g, first + n, s->sample + n);
    if (s->taps && !alone)
      ct_taps_read(s, g, first + n);
    listen(s, g, &heard, first + n, s->sample + n);
    for (uint16_t i = 0; i < drive_count; i++)
      ct_drive_lead(drives[i], n);
    for (uint16_t i = 0; i < island_count; i++) {
      if (!one)
        w = island_walk(s, g, &islands[i], MANY, ledger);
      walk_sample(&w);
    }
    if (!alone)
      advance_others(s, g, ledger);
    if (!alone && (g->slid || g->has_thump))
      end_sample(s, g, s->sample + n);
    for (uint16_t i = 0; i < drive_count; i++)
      ct_drive_feel(drives[i], n, drives[i]->contact->force_sum_n);
    finish_contacts(contacts, what == NOTHING ? 0 : one ? 1 : contact_count);
  }
  if (what != NOTHING && (s->sample + count) % CT_TICK == 0)
    tick_contacts(s, g);
}

static void run_alone(ct_scene *s, ct_group *g, uint32_t first, uint32_t count) {
  if (g->drive_count)
    run(s, g, first, count, ONE_DRIVEN, false);
  else
    run(s, g, first, count, ONE_ALONE, false);
}

static bool is_alone(const ct_scene *s, const ct_group *g) {
  return !(s->streams || s->taps || g->leading || g->slid || g->has_source || g->has_thump || g->other_count);
}

static void run_group(ct_scene *s, ct_group *g, uint32_t first, uint32_t count) {
  const ct_island *first_island = &s->islands[g->first_island];
  bool one = g->island_count == 1 && first_island->contact_count == 1;
  if (ct_group_flies(s, g, count))
    ct_group_fly(s, g, first, count);
  else if (s->def.ledger)
    run(s, g, first, count, MANY, true);
  else if (g->island_count == 0 && g->drive_count == 0)
    run(s, g, first, count, NOTHING, false);
  else if (!one)
    run(s, g, first, count, MANY, false);
  else if (s->island_contacts[first_island->first_contact]->end_count == 2 && is_alone(s, g))
    run_alone(s, g, first, count);
  else
    run(s, g, first, count, ONE, false);
}

void ct_scene_run(ct_scene *s, uint32_t samples) {
  bool driven = s->parts[CT_PART_DRIVE].live > 0, ledger = s->def.ledger;
  s->counters.stretches++;
  for (uint32_t done = 0, count; done < samples; done += count) {
    for (uint16_t i = 0; done > 0 && i < s->awake_count; i++)
      begin_next(s, ct_awake_group(s, i), done, s->sample);
    count = driven ? ct_drives_begin(s, done, samples - done) : ledger ? 1 : samples - done;
    ct_groups_refresh(s); /* a drive may have come near the end of its way */
    for (uint16_t i = 0; i < s->awake_count; i++)
      run_group(s, ct_awake_group(s, i), done, count);
    s->sample += count;
    s->counters.steps += count;
    s->counters.group_steps += (uint64_t)count * s->awake_count;
    if (driven)
      ct_drives_end(s, count);
    if (ledger)
      ct_account_step(s);
  }
}
