/* One step of the scene, the only thing that steps anything: bodies predict, each island of contacts is
 * solved, bodies advance with the solved forces.
 *
 * An island walks a sample in dyadic substeps of 1 / 2^level: long while nothing touches, short in contact.
 * In flight the step is halved until it ends before the touch or is as short as the contact wants; nothing is
 * lost by it, because bodies propagate exactly at any step. */
#include "base/inline.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define FINEST (CT_LEVELS - 1)
#define UNITS (1u << FINEST)

/* The longest step that may start at `at` and stay on the dyadic grid. */
static uint32_t aligned_level(uint32_t at) { return at == 0 ? 0 : FINEST - (uint32_t)__builtin_ctz(at); }

/* One end's share of d_free; the imposed part is what no body makes. */
static inline void predict_end(ct_contact *c, const ct_end *end, uint32_t level, double share) {
  ct_body *body = end->body;
  const ct_port *port = end->at;
  if (body->predicted != level)
    body->kind->predict(body, level);
  double alone = end->sign * port->dx_free_m,
         slid = port->rolled ? 0 : end->sign * ct_port_felt_m(port, body->step_s) * share;
  c->d_free_m += alone + slid;
  c->imposed_m += body->kind->rigid ? alone + slid : slid;
}

/* d_free of a contact for one substep. */
static inline void predict_contact(ct_scene *s, ct_contact *c, uint32_t level) {
  double share = ct_share(level);
  c->step_s = s->step_s * share;
  c->per_s = s->def.rate_hz * ct_substeps(level);
  c->d_free_m = c->imposed_m = c->gap_step_m * share;
  for (uint16_t e = 0; e < c->end_count; e++)
    predict_end(c, &c->end[e], level, share);
}

/* An island on its walk. Inlined for one contact, and for a scene without a ledger, the loops and the account
 * vanish: the same source is the fast path. */
typedef struct walk {
  ct_scene *s;
  const ct_island *island;
  ct_contact **contacts;
  uint16_t count;
  bool ledger;
} walk;

/* What the contacts say about a step of this level. */
typedef struct opinion {
  uint32_t level;
  bool touching, pressed;
} opinion;

CT_INLINE opinion ask(const walk *w, uint32_t level) {
  opinion said = {.level = level};
  for (uint16_t i = 0; i < w->count; i++) {
    ct_contact *c = w->contacts[i];
    predict_contact(w->s, c, level);
    if (!c->kind->touches(c, c->d_free_m))
      continue;
    uint32_t wanted = c->kind->level(c, level, ct_contact_own_compliance(c, level), c->d_free_m);
    said.touching = true;
    said.pressed |= c->compression_m > 0;
    said.level = wanted > said.level ? wanted : said.level;
  }
  return said;
}

CT_INLINE opinion choose_level(const walk *w, uint32_t level) {
  for (;;) {
    opinion said = ask(w, level);
    if (said.level == level)
      return said;
    level = said.pressed ? said.level : level + 1;
  }
}

static void count_solve(ct_scene *s, const ct_solver *solver) {
  ct_counters *c = &s->counters;
  c->solves++;
  c->evaluations += solver->evaluations;
  c->fallbacks += solver->fell_back;
  c->friction_evaluations += solver->searches;
  if (solver->longest_search > c->most_friction_evaluations)
    c->most_friction_evaluations = solver->longest_search;
  if (solver->evaluations > c->most_evaluations)
    c->most_evaluations = solver->evaluations;
}

/* A solve ends where residuals d + C f - free are down to 2 (4 + n) roundings of the sizes of their terms;
 * what is left of them, and what was cut off d_free as its parts were added up, is work of the force. */
static double gross_of_contact(const ct_contact *c, uint16_t n, double share) {
  double parts = fabs(c->gap_step_m) * share;
  for (uint16_t e = 0; e < c->end_count; e++)
    parts += fabs(c->end[e].sign) * (fabs(c->end[e].at->dx_free_m) +
                                     fabs(ct_port_felt_m(c->end[e].at, c->end[e].body->step_s)) * share);
  return fabs(c->now_n) * (2 * (4.0 + n) * (fabs(c->d_m) + fabs(c->d_free_m)) + 6 * parts) +
         4 * fabs(c->noise_j) + c->kind->gross_j(c);
}

CT_INLINE void solve(const walk *w, uint32_t level) {
  ct_solver *solver = &w->s->solver;
  if (w->count == 1)
    ct_solve_alone(solver, w->contacts[0], level);
  else
    ct_solve(solver, w->contacts, w->count, level);
  count_solve(w->s, solver);
  if (w->ledger)
    w->s->account.gross_j += 2 * (4.0 + w->count) * solver->rounding;
}

CT_INLINE void fly(const walk *w) {
  for (uint16_t i = 0; i < w->count; i++)
    ct_contact_pass_by(w->contacts[i], w->contacts[i]->d_free_m);
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
    ct_contact *c = w->contacts[i];
    c->force_sum_n += c->now_n * share;
    for (uint16_t e = 0; e < c->end_count; e++)
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

CT_INLINE bool any_pressed(const walk *w) {
  for (uint16_t i = 0; i < w->count; i++)
    if (w->contacts[i]->compression_m > 0)
      return true;
  return false;
}

/* Once per sample: normal forces, and what they let go. */
CT_INLINE void begin_contacts(const walk *w) {
  for (uint16_t i = 0; i < w->count; i++)
    if (w->contacts[i]->kind->begin)
      ct_sum_add(&w->s->account.contacts, w->contacts[i]->kind->begin(w->contacts[i]));
}

/* While pressed a step does not grow again within the sample: the next prediction is this level's. */
CT_INLINE uint32_t next_level(const walk *w, uint32_t at, uint32_t level) {
  uint32_t longest = at == UNITS ? 0 : aligned_level(at);
  return at < UNITS && level > longest && any_pressed(w) ? level : longest;
}

CT_INLINE uint32_t walk_sample(const walk *w) {
  uint32_t substeps = 0, start = 0;
  ct_body *const *bodies = w->s->island_bodies + w->island->first_body;
  begin_contacts(w);
  for (uint32_t at = 0; at < UNITS; substeps++) {
    opinion said = choose_level(w, start);
    if (said.touching)
      solve(w, said.level);
    else
      fly(w);
    spread_forces(w, ct_share(said.level));
    at += UNITS >> said.level;
    start = next_level(w, at, said.level);
    for (uint16_t i = 0; i < w->island->body_count; i++)
      advance_body(w->s, bodies[i], said.level, start, w->ledger);
  }
  return substeps;
}

/* ---- the quick way ----
 * Most islands are one contact, most samples one step of its law, and an account is seldom kept: then the
 * walk above comes down to this. It must not differ from it by a bit (test_quick). */

CT_INLINE double predict_end_quickly(const ct_end *end) {
  if (end->body->predicted != 0)
    end->body->kind->predict(end->body, 0);
  double alone = end->sign * end->at->dx_free_m;
  return end->at->rolled ? alone : alone + end->sign * ct_port_felt_m(end->at, end->body->step_s);
}

CT_INLINE void count_quickly(ct_counters *n, uint32_t evaluations, uint32_t searched) {
  n->quick_steps++;
  n->friction_evaluations += searched;
  if (searched > n->most_friction_evaluations)
    n->most_friction_evaluations = searched;
  n->solves += evaluations > 0;
  n->evaluations += evaluations;
  n->most_evaluations = evaluations > n->most_evaluations ? evaluations : n->most_evaluations;
}

CT_INLINE void push_end(const ct_end *end, double force_n) {
  ct_body *body = end->body;
  if (body->kind->push) {
    body->kind->push(body, end->at, -(end->sign * force_n));
    return;
  }
  end->at->contact_n -= end->sign * force_n;
  if (!body->kind->rigid)
    body->kind->advance(body, 0, 0, NULL);
}

/* False: nothing has happened, and the sample must be walked. */
CT_INLINE bool step_quickly(ct_scene *s, ct_contact *c) {
  uint32_t evaluations;
  double d_free = c->gap_step_m;
  for (uint16_t e = 0; e < c->end_count; e++)
    d_free += predict_end_quickly(&c->end[e]);
  c->step_s = s->step_s;
  c->per_s = s->def.rate_hz;
  double force_n = c->kind->step(c, d_free, &evaluations);
  if (evaluations == CT_REFUSED)
    return false;
  for (uint16_t e = 0; e < c->end_count; e++)
    push_end(&c->end[e], force_n);
  c->force_sum_n = force_n;
  count_quickly(&s->counters, evaluations, c->searched);
  return true;
}

static void island_step(ct_scene *s, const ct_island *island) {
  ct_contact **contacts = s->island_contacts + island->first_contact;
  uint32_t substeps = 1;
  if (!island->quick || !step_quickly(s, island->quick))
    substeps = island->contact_count == 1 && !s->def.ledger
                   ? walk_sample(&(walk){s, island, contacts, 1, false})
                   : walk_sample(&(walk){s, island, contacts, island->contact_count, s->def.ledger});
  s->counters.substeps += substeps;
  if (substeps > s->counters.most_substeps)
    s->counters.most_substeps = substeps;
}

/* Bodies that touch nothing, and hands once every island has walked with them. */
CT_INLINE void advance_others(ct_scene *s, const ct_group *g) {
  for (uint16_t i = 0; i < g->other_count; i++)
    advance_body(s, s->group_others[g->first_other + i], 0, 0, s->def.ledger);
}

/* Slides have been walked. */
void ct_slides_end(ct_scene *s, ct_group *g) {
  for (uint16_t i = 0; i < g->body_count; i++) {
    ct_body *b = s->group_bodies[g->first_body + i];
    for (uint16_t p = 0; b->slid && p < b->port_count; p++)
      b->ports[p].slide_m = 0;
    b->slid = false;
  }
  g->slid = false;
}

CT_INLINE void finish_contacts(const ct_scene *s, const ct_group *g) {
  uint16_t count;
  ct_contact *const *contacts = ct_group_contacts(s, g, &count);
  for (uint16_t i = 0; i < count; i++) {
    ct_contact *c = contacts[i];
    c->force_n = c->force_sum_n;
    c->force_sum_n = 0;
    c->gap_step_m = 0;
  }
}

static void settle_contacts(const ct_scene *s, const ct_group *g) {
  uint16_t count;
  ct_contact *const *contacts = ct_group_contacts(s, g, &count);
  for (uint16_t i = 0; i < count; i++)
    contacts[i]->kind->settle(contacts[i]);
}

CT_INLINE void step(ct_scene *s, ct_group *g, uint32_t n) {
  ct_drive *const *drives = s->group_drives + g->first_drive;
  for (uint16_t i = 0; i < g->drive_count; i++)
    ct_drive_lead(drives[i], n);
  for (uint16_t i = 0; i < g->island_count; i++)
    island_step(s, &s->islands[g->first_island + i]);
  advance_others(s, g);
  if (g->slid)
    ct_slides_end(s, g);
  for (uint16_t i = 0; i < g->drive_count; i++)
    ct_drive_feel(drives[i], n, drives[i]->contact->force_sum_n);
  finish_contacts(s, g);
}

/* Hands and gliding points go on, forces change; the first sample of a stretch has begun. */
CT_INLINE void begin_next(ct_scene *s, ct_group *g, uint32_t at) {
  if (g->leading)
    ct_leaders_begin_sample(s, g);
  if (s->feed_count)
    ct_feeds_take(s, g, at);
}

/* Samples that drives have gone, from number `first` of the stretch; the first of them has begun. */
static void run_group(ct_scene *s, ct_group *g, uint32_t first, uint32_t count) {
  for (uint32_t n = 0; n < count; n++) {
    if (n > 0)
      begin_next(s, g, first + n);
    n += g->quick ? ct_bout_run(s, g, first, n, count - n) : 0;
    if (n == count)
      break;
    if (s->taps)
      ct_taps_read(s, g, first + n);
    ct_pickups_listen(s, g, first + n);
    step(s, g, n);
  }
  if ((s->sample + count) % CT_TICK == 0)
    settle_contacts(s, g);
}

/* The same where nothing touches: of `step`, this is left. */
static void run_untouched(ct_scene *s, ct_group *g, uint32_t first, uint32_t count) {
  for (uint32_t n = 0; n < count; n++) {
    if (n > 0)
      begin_next(s, g, first + n);
    if (s->taps)
      ct_taps_read(s, g, first + n);
    ct_pickups_listen(s, g, first + n);
    advance_others(s, g);
    if (g->slid)
      ct_slides_end(s, g);
  }
}

void ct_scene_run(ct_scene *s, uint32_t samples) {
  bool driven = s->parts[CT_PART_DRIVE].live > 0, ledger = s->def.ledger;
  for (uint32_t done = 0, count; done < samples; done += count) {
    for (uint16_t i = 0; done > 0 && i < s->awake_count; i++)
      begin_next(s, ct_awake_group(s, i), done);
    count = driven ? ct_drives_begin(s, samples - done) : ledger ? 1 : samples - done;
    ct_groups_refresh(s); /* a drive may have come near the end of its way */
    for (uint16_t i = 0; i < s->awake_count; i++) {
      ct_group *g = ct_awake_group(s, i);
      (g->island_count ? run_group : run_untouched)(s, g, done, count);
    }
    s->sample += count;
    s->counters.steps += count;
    s->counters.group_steps += (uint64_t)count * s->awake_count;
    if (driven)
      ct_drives_end(s, count);
    if (ledger)
      ct_account_step(s);
  }
}
