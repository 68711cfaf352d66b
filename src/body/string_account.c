/* How much rounding may do to a string's energy balance over a sample: see ledger.c. */
#include "body/body.h"

#include <math.h>

/* Cells only move. A filter's output and new state are sums of two products, off by four roundings of their
 * sizes at most; both count squared, so eight of what comes in and of what is stored. What comes in from the
 * bridge side passes a pole and the bridge; from the nut side a pole, two fading cells and the sections. */
static double gross_of_filters(const ct_string *s) {
  double sum = ct_waves_stored_at_ends(s);
  for (uint32_t p = 0; p < s->planes; p++) {
    double bridge = *ct_right(s, &s->plane[p], 0),
           nut = *ct_left(s, &s->plane[p], ct_cells_left(s->cells) - 1);
    sum += 2 * bridge * bridge + (3 + s->loop->sections) * nut * nut;
  }
  return 8 * sum;
}

/* Where forces went in, each cell was rounded as it was added to, and before another port's force came it may
 * have been larger than it is now; and what the ports were said to do is a sum over the cells, of waves that
 * may all but cancel. */
static double gross_of_port(const ct_body *body, uint16_t p) {
  const ct_string *s = &body->as.string;
  const ct_stencil *st = &s->stencils[p];
  double sum = 0, added = fabs(s->mean_n[p]) * s->metres_per_n * body->rate_hz / s->wave_m_s;
  for (uint32_t i = 0; i < CT_SPLINE; i++) {
    uint32_t cell = (uint32_t)st->first + i;
    double put_in = fabs(st->weight[i]) * added,
           right = fabs(*ct_right(s, &s->plane[st->plane], cell)) + put_in,
           left = fabs(*ct_left(s, &s->plane[st->plane], cell)) + put_in;
    sum += 4 * s->wave_j * (right * right + left * left) +
           8 * body->step_s * s->wave_m_s * fabs(s->mean_n[p] * st->weight[i]) * (right + left);
  }
  return sum;
}

/* How far forces move their own ports and one another's: sizes of f . overlap . f, of forces that may cancel.
 */
static double push_size(const ct_body *body) {
  const ct_string *s = &body->as.string;
  double sum = 0;
  for (uint16_t p = 0; p < body->port_count; p++)
    for (uint16_t q = 0; s->mean_n[p] != 0 && q < body->port_count; q++)
      sum += fabs(s->mean_n[p] * s->overlap[p * body->port_count + q] * s->mean_n[q]);
  return sum;
}

double ct_string_gross_j(const ct_body *body) {
  const ct_string *s = &body->as.string;
  double sum = s->wave_j * gross_of_filters(s) + 8 * s->metres_per_n * (s->push_size + push_size(body));
  for (uint16_t p = 0; p < body->port_count; p++)
    sum += s->mean_n[p] != 0 ? gross_of_port(body, p) : 0;
  return sum;
}
