/* A scene whose only contact is between two bodies that nothing else happens to, for some samples: a bout. It is
 * the quick way of step.c with everything that is the same from sample to sample looked up once. It must not
 * differ from it by a bit (test_quick). */
#include "base/inline.h"
#include "scene/scene.h"

/* What is counted, kept at hand. */
typedef struct tally {
  uint32_t solves, evaluations, most_evaluations, searched, most_searched;
} tally;

CT_INLINE void count(tally *t, uint32_t evaluations, uint32_t searched) {
  t->solves += evaluations > 0;
  t->evaluations += evaluations;
  t->most_evaluations = evaluations > t->most_evaluations ? evaluations : t->most_evaluations;
  t->searched += searched;
  t->most_searched = searched > t->most_searched ? searched : t->most_searched;
}

static void report(ct_counters *n, const tally *t, uint32_t samples) {
  n->steps += samples;
  n->substeps += samples;
  n->quick_steps += samples;
  n->solves += t->solves;
  n->evaluations += t->evaluations;
  n->friction_evaluations += t->searched;
  if (samples && !n->most_substeps)
    n->most_substeps = 1;
  if (t->most_evaluations > n->most_evaluations)
    n->most_evaluations = t->most_evaluations;
  if (t->most_searched > n->most_friction_evaluations)
    n->most_friction_evaluations = t->most_searched;
}

static bool enter(const ct_end *end, ct_bout *bout) {
  return end->body->kind->enter && end->body->kind->enter(end->body, end->at, bout);
}

/* Alone: no other contact, no body beside the two, one drive at most. */
static bool alone(const ct_scene *s) {
  return s->island_count == 1 && s->islands[0].quick && s->first_other == s->others_end &&
         s->parts[CT_PART_DRIVE].live < 2;
}

CT_INLINE double closes(const ct_end *end) {
  return end->sign * end->at->dx_free_m + end->sign * end->at->slide_m;
}

/* The contact and what acts on it. */
typedef struct bout {
  ct_contact *c;
  ct_drive *d; /* null: none */
  ct_bout end[2];
  tally t;
} bout;

static bool begin(ct_scene *s, bout *b) {
  if (!alone(s))
    return false;
  b->c = s->islands[0].quick;
  b->d = s->parts[CT_PART_DRIVE].live ? ct_live_drive(s, 0) : NULL;
  b->t = (tally){0};
  b->c->step_s = s->step_s;
  b->c->per_s = s->def.rate_hz;
  return enter(&b->c->end[0], &b->end[0]) && enter(&b->c->end[1], &b->end[1]);
}

/* Sample n; false: nothing has happened, and it must be walked. */
CT_INLINE bool step(bout *b, uint32_t n) {
  uint32_t evaluations;
  ct_contact *c = b->c;
  double closed = b->d && !b->d->still ? b->d->step[n].closed_m : 0, gap = c->gap_step_m + closed;
  double force_n = c->kind->step(c, gap + closes(&c->end[0]) + closes(&c->end[1]), &evaluations);
  if (evaluations == CT_REFUSED)
    return false;
  c->offset_m += closed;
  c->gap_step_m = 0;
  c->force_n = force_n;
  if (b->d)
    ct_drive_feel(b->d, n);
  count(&b->t, evaluations, c->searched);
  return true;
}

CT_INLINE void push(bout *b, bool on) {
  double force_n = b->c->force_n;
  ct_bout_push(&b->end[0], -(b->c->end[0].sign * force_n), on);
  ct_bout_push(&b->end[1], -(b->c->end[1].sign * force_n), on);
}

uint32_t ct_bout_run(ct_scene *s, uint32_t first, uint32_t from, uint32_t samples) {
  bout b;
  if (!begin(s, &b))
    return 0;
  uint32_t n = 0;
  for (; n < samples; n++) {
    if (!step(&b, from + n))
      break;
    ct_pickups_listen(s, first + from + n);
    if (s->slid)
      ct_slides_end(s);
    push(&b, n + 1 < samples);
    s->sample++;
    if (ct_at_tick(s)) /* so this was the last one, and nothing has glided on */
      b.c->kind->settle(b.c);
  }
  if (n < samples) /* a slide may be under way */
    s->slid = b.end[0].body->slid = b.end[1].body->slid = true;
  report(&s->counters, &b.t, n);
  return n;
}
