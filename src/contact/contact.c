/* What any two contacts share: bodies. */
#include "contact/contact.h"

double ct_contact_compliance(const ct_contact *i, const ct_contact *j, uint32_t level) {
  double sum = 0;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      const ct_end *p = &i->end[a], *q = &j->end[b];
      if (p->body != q->body || p->body->kind->rigid)
        continue;
      const double *c = p->body->kind->compliance(p->body, level);
      sum += p->sign * q->sign * c[p->port * p->body->port_count + q->port];
    }
  return sum;
}

double ct_contact_own_compliance(ct_contact *c, uint32_t level) {
  uint32_t revision = c->end[0].body->revision + c->end[1].body->revision;
  if (c->revision != revision)
    c->own_valid = c->limit_valid = 0;
  c->revision = revision;
  if (!(c->own_valid >> level & 1)) {
    c->own_compliance[level] = ct_contact_compliance(c, c, level);
    c->own_valid |= 1u << level;
  }
  return c->own_compliance[level];
}

double ct_contact_geometry(const ct_contact *c) {
  double distance = -c->values.gap_m;
  for (int e = 0; e < 2; e++)
    distance += c->end[e].sign * ct_port_x_m(c->end[e].body, c->end[e].port);
  return distance;
}

int ct_level_of_substeps(uint32_t substeps) {
  int level = -1;
  for (; substeps; substeps >>= 1)
    level++;
  return level;
}
