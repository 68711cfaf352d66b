/* A group whose only contact is between two bodies that nothing else happens to, for some samples: a bout. It
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

/* The contact and what acts on it: what stays the same. */
typedef struct bout {
  ct_contact *c;
  double (*step)(ct_contact *, double d_free, uint32_t *evaluations);
  ct_drive *d;         /* null: none that moves */
  ct_way *way;         /* its, when it is free */
  const double *heard; /* by the only pickup, */
  double *si;          /* which keeps it here; null: there are more, or it must listen for itself */
  ct_bout end[2];
  const ct_feed *feed[2]; /* that pushes an end, sample by sample; null: none */
  double sign[2];
  bool glides; /* a point is carried along */
} bout;

/* And what does not. */
typedef struct course {
  double alone_m[2];             /* what the ends do if left alone */
  double known_n[2], known_m[2]; /* see ct_bout: in this sample; and in the next one */
  bool slides;                   /* some port does, or may */
  tally t;
} course;

static void listen_to_one(const ct_scene *s, const ct_group *g, bout *b) {
  ct_pickup *p = g->pickup_count == 1 ? s->group_pickups[g->first_pickup] : NULL;
  b->heard = p && !p->fresh ? p->reads : NULL;
  b->si = b->heard ? p->si : NULL;
}

/* False: there are two of them, it pushes elsewhere, or the end is carried along as well. */
static bool find_feed(const ct_scene *s, bout *b, int e) {
  uint32_t found = 0;
  b->feed[e] = NULL;
  for (uint32_t i = 0; i < s->feed_count; i++)
    if (ct_feed_body(s, &s->feeds[i]) == b->end[e].body) {
      b->feed[e] = &s->feeds[i];
      found++;
    }
  b->end[e].known |= found > 0;
  return found == 0 || (found == 1 && ct_feed_port(s, b->feed[e]) == b->end[e].port && !b->end[e].glides);
}

static bool begin(ct_scene *s, const ct_group *g, bout *b) {
  b->c = g->quick;
  if (!enter(&b->c->end[0], &b->end[0]) || !enter(&b->c->end[1], &b->end[1]))
    return false;
  b->d = g->drive_count && !s->group_drives[g->first_drive]->still ? s->group_drives[g->first_drive] : NULL;
  b->way = b->d && b->d->free ? &b->d->way.as.way : NULL;
  listen_to_one(s, g, b);
  if (!find_feed(s, b, 0) || !find_feed(s, b, 1))
    return false;
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
CT_INLINE void end_slides(ct_scene *s, ct_group *g, const bout *b, course *o) {
  if (g->slid)
    ct_slides_end(s, g);
  b->end[0].port->slide_m = b->end[1].port->slide_m = 0;
  o->slides = b->glides;
}

/* What a feed brings to the next sample of the stretch. */
CT_INLINE void feed(ct_scene *s, const bout *b, course *o, int e, uint32_t next) {
  ct_feed_take(s, b->feed[e], next);
  b->end[e].body->predicted = 0; /* as below */
  o->known_n[e] = b->end[e].port->external_n;
  o->known_m[e] = ct_bout_known_m(&b->end[e], o->known_n[e]);
}

CT_INLINE void push(ct_scene *s, const bout *b, course *o, double force_n, uint32_t at, bool on) {
  for (int e = 0; e < 2; e++) {
    double pushed_n = -b->sign[e] * force_n + o->known_n[e];
    if (b->feed[e] && on)
      feed(s, b, o, e, at + 1);
    o->alone_m[e] = ct_bout_push(&b->end[e], pushed_n, o->known_m[e], on);
  }
  if (b->glides && on)
    ct_contact_note_compliance(b->c, *b->end[0].compliance_m_n + *b->end[1].compliance_m_n);
}

/* Sample `at` of the stretch, n of those that drives have gone. False: nothing has happened, and it must be
 * walked. */
CT_INLINE bool step(ct_scene *s, ct_group *g, const bout *b, course *o, uint32_t at, uint32_t n, bool on) {
  uint32_t evaluations;
  ct_contact *c = b->c;
  if (s->taps)
    ct_taps_read(s, g, at);
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
    ct_pickups_listen(s, g, at);
  if (o->slides)
    end_slides(s, g, b, o);
  push(s, b, o, force_n, at, on);
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

uint32_t ct_bout_run(ct_scene *s, ct_group *g, uint32_t first, uint32_t from, uint32_t samples) {
  bout found;
  if (!begin(s, g, &found))
    return 0;
  const bout b = found; /* a copy that nobody else has seen need not be read again after every call */
  course o = {.slides = g->slid || b.glides};
  for (int e = 0; e < 2; e++) {
    o.alone_m[e] = b.end[e].port->dx_free_m;
    o.known_n[e] = b.end[e].known_n;
    o.known_m[e] = ct_bout_known_m(&b.end[e], o.known_n[e]);
  }
  uint32_t n = 0;
  while (n < samples && step(s, g, &b, &o, first + from + n, from + n, n + 1 < samples))
    n++;
  if (n < samples) /* a slide may be under way */
    g->slid = b.end[0].body->slid = b.end[1].body->slid = true;
  report(&s->counters, &o.t, n);
  return n;
}
