/* One contact by itself over one step, as each law's file expands it: what a law knows of itself is a
 * constant there, so that nothing is left of the choices below, and its functions are called directly. */
#ifndef CT_CONTACT_SOLVE_ONE_H
#define CT_CONTACT_SOLVE_ONE_H

#include "base/inline.h"
#include "contact/contact.h"

#include <math.h>

/* Of a contact kind; base and tune may be missing. */
typedef struct ct_law_functions {
  double (*base)(const ct_contact *);
  double (*tune)(ct_contact *, double c, double free);
  ct_alone (*alone)(ct_contact *, double c, double free, uint32_t most);
  void (*commit)(ct_contact *, double e, const ct_force *force);
} ct_law_functions;

/* It has not arrived, or where it arrived is no number. */
CT_OUTLINE void ct_solve_one_by_line(ct_contact *c, double compliance, const ct_alone *a, ct_effort *effort) {
  double d = a->e;
  ct_force f = a->force;
  effort->fell_back = true;
  if (!a->arrived)
    f = ct_contact_end_on_line(c, compliance, a->e, &d);
  effort->rounding = fabs(f.n * compliance * f.n);
  c->d_m = d;
  c->now_n = f.n;
  if (!a->arrived && isfinite(f.n) && isfinite(d)) {
    c->kind->commit_line(c, d, a->e);
    return;
  }
  effort->rounding = 0;
  ct_contact_give_up(c);
}

CT_INLINE double ct_solve_one(ct_law_functions law, ct_contact *c, double compliance, double d_free,
                              ct_effort *effort) {
  double base = law.base ? law.base(c) : 0;
  c->base_m = base;
  if (law.tune)
    law.tune(c, compliance, d_free - base);
  ct_alone a = law.alone(c, compliance, d_free - base, CT_MOST_EVALUATIONS);
  *effort = (ct_effort){.evaluations = a.evaluations, .rounding = fabs(a.force.n * compliance * a.force.n)};
  if (law.tune)
    effort->searches = effort->longest_search = c->searched;
  if (!a.arrived || !isfinite((a.force.n - a.force.n) + a.e)) {
    ct_solve_one_by_line(c, compliance, &a, effort);
    return c->now_n;
  }
  c->d_m = base + a.e;
  c->now_n = a.force.n;
  law.commit(c, a.e, &a.force);
  return a.force.n;
}

#endif
