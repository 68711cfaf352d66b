/* A scene whose only contact is between two bodies that nothing else happens to, for some samples: a bout. It
 * is the quick way of step.c with everything that is the same from sample to sample looked up once. It must
 * not differ from it by a bit (test_quick). */
#include "base/inline.h"
#include "scene/scene.h"

/* What is counted, kept at hand. */
typedef struct tally {
  uint32_t solves, evaluations, most_evaluations, searched, most_searched;
} tally;

CT_INLINE void count(tally *t, uint32_t evaluations, uint32_t searched) {
  t->solves += evaluations != 0;
  t->evaluations += evaluations;
  t->most_evaluations = evaluations > t->most_evaluations ? evaluations : t->most_evaluations;
  if (!searched)
    return;
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

/* Alone: no other contact, no body beside the two, one drive at most, which moves it. */
static bool alone(const ct_scene *s) {
  uint16_t drives = s->parts[CT_PART_DRIVE].live;
  return s->island_count == 1 && s->islands[0].quick && s->first_other == s->others_end &&
         (drives == 0 || (drives == 1 && ct_live_drive(s, 0)->contact == s->islands[0].quick));
}

/* The contact and what acts on it: what stays the same. */
typedef struct bout {
  ct_contact *c;
  double (*step)(ct_contact *, double d_free, uint32_t *evaluations);
  ct_drive *d;         /* null: none that moves */
  ct_way *way;         /* its, when it is free */
  const double *heard; /* by the only pickup, */
  double *si;          /* which keeps it here; null: there are more, or it must listen for itself */
  ct_bout end[2];
  double sign[2];
  bool glides; /* a point is carried along */
} bout;

/* And what does not. */
typedef struct course {
  double alone_m[2]; /* what the ends do if left alone */
  bool slides;       /* some port does, or may */
  tally t;
} course;

static void listen_to_one(const ct_scene *s, bout *b) {
  ct_pickup *p = s->parts[CT_PART_PICKUP].live == 1 ? ct_live_pickup(s, 0) : NULL;
  b->heard = p && !p->fresh ? p->reads : NULL;
  b->si = b->heard ? p->si : NULL;
}

static bool begin(ct_scene *s, bout *b) {
  if (!alone(s))
    return false;
  b->c = s->islands[0].quick;
  if (!enter(&b->c->end[0], &b->end[0]) || !enter(&b->c->end[1], &b->end[1]))
    return false;
  b->d = s->parts[CT_PART_DRIVE].live && !ct_live_drive(s, 0)->still ? ct_live_drive(s, 0) : NULL;
  b->way = b->d && b->d->free ? &b->d->way.as.way : NULL;
  listen_to_one(s, b);
  b->step = b->c->kind->step;
  b->glides = b->end[0].glides || b->end[1].glides;
  b->c->step_s = s->step_s;
  b->c->per_s = s->def.rate_hz;
  for (int e = 0; e < 2; e++)
    b->sign[e] = b->c->end[e].sign;
  return true;
}

CT_INLINE double closes(const bout *b, const course *o, int e) {
  double alone = b->sign[e] * o->alone_m[e];
  const ct_port *port = b->end[e].port;
  return o->slides && !port->rolled ? alone + b->sign[e] * ct_port_felt_m(port, b->c->step_s) : alone;
}

/* The slides of this sample have been walked; a gliding port makes its next one in the push. */
CT_INLINE void end_slides(ct_scene *s, const bout *b, course *o) {
  if (s->slid)
    ct_slides_end(s);
  b->end[0].port->slide_m = b->end[1].port->slide_m = 0;
  o->slides = b->glides;
}

CT_INLINE void push(const bout *b, course *o, double force_n, bool on) {
  bool pushed = force_n != 0;
  o->alone_m[0] = ct_bout_push(&b->end[0], -b->sign[0] * force_n, pushed, on);
  o->alone_m[1] = ct_bout_push(&b->end[1], -b->sign[1] * force_n, pushed, on);
  if (b->glides && on)
    ct_contact_note_compliance(b->c, *b->end[0].compliance_m_n + *b->end[1].compliance_m_n);
}

/* Sample `at` of the stretch, n of those that drives have gone. False: nothing has happened, and it must be
 * walked. */
CT_INLINE bool step(ct_scene *s, const bout *b, course *o, uint32_t at, uint32_t n, bool on) {
  uint32_t evaluations;
  ct_contact *c = b->c;
  double closed = b->d && !b->way ? b->d->ahead[n] : 0,
         d_free = c->gap_step_m + closed + closes(b, o, 0) + closes(b, o, 1);
  if (b->way) {
    ct_drive_lead_way(b->d, n, c->force_n, 0);
    d_free += ct_way_gain(b->way, CT_WAY_PATH) * ct_way_alone_m(b->way, 1);
  }
  double force_n = b->step(c, d_free, &evaluations);
  if (evaluations == CT_REFUSED)
    return false;
  if (b->si)
    b->si[at] = *b->heard;
  else
    ct_pickups_listen(s, at);
  if (o->slides)
    end_slides(s, b, o);
  push(b, o, force_n, on);
  c->gap_step_m = 0;
  c->force_n = force_n;
  c->offset_m += closed;
  if (b->way) {
    ct_way_go(b->way, 1, b->way->slope * -force_n, force_n);
    ct_drive_feel(b->d, n, force_n);
  }
  count(&o->t, evaluations, c->searched);
  return true;
}

uint32_t ct_bout_run(ct_scene *s, uint32_t first, uint32_t from, uint32_t samples) {
  bout found;
  if (!begin(s, &found))
    return 0;
  const bout b = found; /* a copy that nobody else has seen need not be read again after every call */
  course o = {.alone_m = {b.end[0].port->dx_free_m, b.end[1].port->dx_free_m}, .slides = s->slid || b.glides};
  uint32_t n = 0;
  while (n < samples && step(s, &b, &o, first + from + n, from + n, n + 1 < samples))
    n++;
  if (n < samples) /* a slide may be under way */
    s->slid = b.end[0].body->slid = b.end[1].body->slid = true;
  s->sample += n;
  if (n && ct_at_tick(s)) /* so the last one was stepped, and nothing has glided on */
    b.c->kind->settle(b.c);
  report(&s->counters, &o.t, n);
  return n;
}
