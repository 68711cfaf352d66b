/* One step of the scene, the only thing that steps anything: bodies predict, each island of contacts is
 * solved, bodies advance with the solved forces.
 *
 * An island walks a sample in dyadic substeps of 1 / 2^level: long while nothing touches, short in contact.
 * In flight the step is halved until it ends before the touch or is as short as the contact wants; nothing is
 * lost by it, because bodies propagate exactly at any step. */
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define FINEST (CT_LEVELS - 1)
#define UNITS (1u << FINEST)

/* The longest step that may start at `at` and stay on the dyadic grid. */
static uint32_t aligned_level(uint32_t at) { return at == 0 ? 0 : FINEST - (uint32_t)__builtin_ctz(at); }

static ct_contact **contacts_of(ct_scene *s, const ct_island *island) {
  return s->island_contacts + island->first_contact;
}

/* One end's share of d_free; the imposed part is what no body makes. */
static inline void predict_end(ct_contact *c, const ct_end *end, uint32_t level, double share) {
  ct_body *body = end->body;
  const ct_port *port = &body->ports[end->port];
  if (body->predicted != level)
    body->kind->predict(body, level);
  double alone = end->sign * port->dx_free_m, slid = end->sign * port->slide_m * share;
  c->d_free_m += alone + slid;
  c->imposed_m += body->kind->rigid ? alone + slid : slid;
}

/* d_free of a contact for one substep. */
static inline void predict_contact(ct_scene *s, ct_contact *c, uint32_t level) {
  double share = ct_share(level);
  c->step_s = s->step_s * share;
  c->d_free_m = c->imposed_m = c->gap_step_m * share;
  predict_end(c, &c->end[0], level, share);
  predict_end(c, &c->end[1], level, share);
}

/* What the contacts say about a step of this level. */
typedef struct opinion {
  uint32_t level;
  bool touching, pressed;
} opinion;

static opinion ask(ct_scene *s, const ct_island *island, uint32_t level) {
  opinion said = {.level = level};
  for (uint16_t i = 0; i < island->contact_count; i++) {
    ct_contact *c = contacts_of(s, island)[i];
    predict_contact(s, c, level);
    if (!c->kind->touches(c, c->d_free_m))
      continue;
    uint32_t wanted = c->kind->level(c, level, ct_contact_own_compliance(c, level), c->d_free_m);
    said.touching = true;
    said.pressed |= c->compression_m > 0;
    said.level = wanted > said.level ? wanted : said.level;
  }
  return said;
}

static opinion choose_level(ct_scene *s, const ct_island *island, uint32_t level) {
  for (;;) {
    opinion said = ask(s, island, level);
    if (said.level == level)
      return said;
    level = said.pressed ? said.level : level + 1;
  }
}

static void solve_contacts(ct_scene *s, const ct_island *island, uint32_t level) {
  ct_solver *solver = &s->solver;
  ct_solve(solver, contacts_of(s, island), island->contact_count, level);
  s->counters.solves++;
  s->counters.evaluations += solver->evaluations;
  s->counters.fallbacks += solver->fell_back;
  s->account.rounding += solver->rounding;
  s->counters.friction_evaluations += solver->searches;
  if (solver->longest_search > s->counters.most_friction_evaluations)
    s->counters.most_friction_evaluations = solver->longest_search;
  if (solver->evaluations > s->counters.most_evaluations)
    s->counters.most_evaluations = solver->evaluations;
}

static void fly(ct_scene *s, const ct_island *island) {
  for (uint16_t i = 0; i < island->contact_count; i++)
    ct_contact_pass_by(contacts_of(s, island)[i], contacts_of(s, island)[i]->d_free_m);
}

/* Forces to the ports, work and losses to the ledger. */
static void spread_forces(ct_scene *s, const ct_island *island, double share) {
  for (uint16_t i = 0; i < island->contact_count; i++) {
    ct_contact *c = contacts_of(s, island)[i];
    c->force_sum_n += c->now_n * share;
    for (int e = 0; e < 2; e++)
      c->end[e].body->ports[c->end[e].port].contact_n -= c->end[e].sign * c->now_n;
    if (!s->def.ledger)
      continue;
    ct_sum_add(&s->account.motion, c->now_n * c->imposed_m);
    ct_sum_add(&s->account.work, fabs(c->now_n * c->imposed_m));
    ct_sum_add(&s->account.contacts, c->lost_j);
    ct_sum_add(&s->account.noise, c->noise_j);
    ct_sum_add(&s->account.work, fabs(c->noise_j));
  }
}

static void advance_body(ct_scene *s, ct_body *body, uint32_t level, uint32_t next) {
  ct_tally tally = {0, 0};
  body->kind->advance(body, level, next, s->def.ledger ? &tally : NULL);
  if (!s->def.ledger)
    return;
  ct_sum_add(&s->account.force, tally.force_j);
  ct_sum_add(&s->account.work, fabs(tally.force_j));
  ct_sum_add(&s->account.bodies, tally.lost_j);
}

static bool any_pressed(ct_scene *s, const ct_island *island) {
  for (uint16_t i = 0; i < island->contact_count; i++)
    if (contacts_of(s, island)[i]->compression_m > 0)
      return true;
  return false;
}

/* Once per sample: normal forces, and what they let go. */
static void begin_contacts(ct_scene *s, const ct_island *island) {
  for (uint16_t i = 0; i < island->contact_count; i++) {
    ct_contact *c = contacts_of(s, island)[i];
    if (c->kind->begin)
      ct_sum_add(&s->account.contacts, c->kind->begin(c));
  }
}

static void island_step(ct_scene *s, const ct_island *island) {
  uint32_t substeps = 0, start = 0;
  begin_contacts(s, island);
  for (uint32_t at = 0; at < UNITS; substeps++) {
    opinion said = choose_level(s, island, start);
    if (said.touching)
      solve_contacts(s, island, said.level);
    else
      fly(s, island);
    spread_forces(s, island, ct_share(said.level));
    at += UNITS >> said.level;
    /* while pressed a step does not grow again within the sample: the next prediction is this level's */
    start = at == UNITS ? 0 : aligned_level(at);
    if (at < UNITS && said.level > start && any_pressed(s, island))
      start = said.level;
    for (uint16_t i = 0; i < island->body_count; i++)
      advance_body(s, s->island_bodies[island->first_body + i], said.level, start);
  }
  s->counters.substeps += substeps;
  if (substeps > s->counters.most_substeps)
    s->counters.most_substeps = substeps;
}

/* Bodies that touch nothing, and hands once every island has walked with them. Slides have been walked too.
 */
static void advance_others(ct_scene *s) {
  for (uint16_t i = 0; i < s->body_live; i++) {
    ct_body *b = &s->bodies[s->body_order[i]];
    if (b->kind->rigid || !b->contact_count)
      advance_body(s, b, 0, 0);
    for (uint16_t p = 0; b->slid && p < b->port_count; p++)
      b->ports[p].slide_m = 0;
    b->slid = false;
  }
}

static void finish_contacts(ct_scene *s) {
  for (uint16_t i = 0; i < s->contact_live; i++) {
    ct_contact *c = &s->contacts[s->contact_order[i]];
    c->force_n = c->force_sum_n;
    c->force_sum_n = 0;
    c->gap_step_m = 0;
    if (ct_at_tick(s))
      c->kind->settle(c);
  }
}

void ct_scene_step(ct_scene *s) {
  for (uint16_t i = 0; i < s->island_count; i++)
    island_step(s, &s->islands[i]);
  advance_others(s);
  finish_contacts(s);
  s->sample++;
  s->counters.steps++;
  ct_account_step(s);
}
