/* What any two contacts share: bodies. */
#include "contact/contact.h"

/* The ends of a contact on a body, as signed ports; how many. */
static uint32_t ends_on(const ct_contact *c, const ct_body *body, ct_signed_port ports[CT_ENDS]) {
  uint32_t count = 0;
  for (uint16_t e = 0; e < c->end_count; e++)
    if (c->end[e].body == body)
      ports[count++] = (ct_signed_port){c->end[e].port, c->end[e].sign};
  return count;
}

/* Between two points of one body C_aa + C_bb - 2 C_ab cancels when they move almost together, and a stiff
 * contact would see the rounding as work: there the rows are subtracted before they are squared. */
static double coupling(const ct_contact *i, const ct_contact *j, ct_body *body, uint32_t level) {
  ct_signed_port of_i[CT_ENDS], of_j[CT_ENDS];
  uint32_t ni = ends_on(i, body, of_i), nj = ends_on(j, body, of_j);
  if (nj == 0)
    return 0;
  if (ni > 1 || nj > 1)
    return body->kind->coupling(body, level, of_i, ni, of_j, nj);
  const double *c = body->kind->compliance(body, level);
  return of_i[0].sign * of_j[0].sign * c[of_i[0].port * body->port_count + of_j[0].port];
}

/* An earlier end is on the same body, and has counted this one too. */
static bool counted(const ct_contact *c, uint16_t e) {
  for (uint16_t i = 0; i < e; i++)
    if (c->end[i].body == c->end[e].body)
      return true;
  return false;
}

double ct_contact_compliance(const ct_contact *i, const ct_contact *j, uint32_t level) {
  double sum = 0;
  for (uint16_t e = 0; e < i->end_count; e++)
    if (!i->end[e].body->kind->rigid && !counted(i, e))
      sum += coupling(i, j, i->end[e].body, level);
  return sum;
}

/* Of the two bodies, each end by itself: what the two loops above come down to. */
static double own_compliance(const ct_contact *c, uint32_t level) {
  double sum = 0;
  if (c->end[0].body == c->end[1].body)
    return c->end[0].body->kind->rigid ? 0 : coupling(c, c, c->end[0].body, level);
  for (int e = 0; e < 2; e++) {
    ct_body *body = c->end[e].body;
    if (!body->kind->rigid)
      sum += body->kind->compliance(body, level)[(size_t)c->end[e].port * (body->port_count + 1u)];
  }
  return sum;
}

/* Revisions only rise, so a sum of them that is the same is of the same ones. */
static bool keeps_own(ct_contact *c, uint64_t revision, uint32_t level) {
  if (c->revision != revision)
    c->own_valid = 0;
  c->revision = revision;
  bool kept = c->own_valid >> level & 1;
  c->own_valid |= 1u << level;
  return kept;
}

double ct_contact_renew_compliance(ct_contact *c, uint32_t level) {
  if (!keeps_own(c, c->end[0].body->revision + c->end[1].body->revision, level))
    c->own_compliance[level] = own_compliance(c, level);
  return c->own_compliance[level];
}

/* A way beside it turns with every sample, and may be of a body that leads: then nothing is kept. */
double ct_contact_led_compliance(ct_contact *c, uint32_t level) {
  uint64_t revision = c->turned;
  for (uint16_t e = 0; e < c->end_count; e++)
    revision += c->end[e].body->revision;
  if (c->led_count + 2 < c->end_count || !keeps_own(c, revision, level))
    c->own_compliance[level] = ct_contact_compliance(c, c, level);
  return c->own_compliance[level];
}

void ct_contact_give_up(ct_contact *c) {
  c->lost_j = c->stored_j;
  c->stored_j = c->now_n = c->noise_j = 0;
  if (c->kind->reset)
    c->kind->reset(c);
  c->d_m = c->d_free_m;
  c->compression_m = fmin(0, c->compression_m + c->d_free_m);
}

ct_force ct_contact_end_on_line(const ct_contact *c, double compliance, double near, double *d_m) {
  ct_force line = c->kind->line(c, near);
  *d_m = (c->d_free_m - compliance * line.n) / (1 + compliance * line.slope);
  line.n += line.slope * *d_m;
  return line;
}

/* How far the ways have closed it is in the offset. */
double ct_contact_geometry(const ct_contact *c) {
  double distance = c->offset_m - c->values.gap_m;
  for (uint16_t e = 0; e < 2; e++)
    distance += c->end[e].sign * ct_port_x_m(c->end[e].body, c->end[e].port);
  return distance;
}

int ct_level_of_substeps(uint32_t substeps) {
  int level = -1;
  for (; substeps; substeps >>= 1)
    level++;
  return level;
}
