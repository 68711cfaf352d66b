/* What acts on points from outside: forces, and who carries them along. */
#include "body/body.h"

#include <math.h>

/* Such a force is known before the step, so the prediction made without it is stale. One port may serve both
 * directions; then both forces act on it. */
static void push_port(ct_body *body, uint16_t index, double force_n) {
  ct_port *port = &body->ports[index];
  port->external_n = force_n;
  if (force_n == 0)
    ct_body_release(body, index);
  else if (!(port->wants & CT_WANT_FREE))
    ct_body_want(body, index, CT_WANT_FREE);
}

void ct_point_push(ct_body *body, const ct_point *point) {
  double normal_n = point->force_n[CT_NORMAL] + point->source_n[CT_NORMAL];
  double along_n = point->force_n[CT_TANGENTIAL] + point->source_n[CT_TANGENTIAL];
  if (point->port[CT_NORMAL] == point->port[CT_TANGENTIAL]) {
    push_port(body, point->port[CT_NORMAL], along_n + normal_n);
  } else {
    push_port(body, point->port[CT_NORMAL], normal_n);
    push_port(body, point->port[CT_TANGENTIAL], along_n);
  }
  body->forced = normal_n != 0 || along_n != 0;
  for (uint16_t p = 0; !body->forced && p < body->port_count; p++)
    body->forced = body->ports[p].external_n != 0;
  body->predicted = CT_NO_LEVEL;
}

/* No further than a message may put it: a millimetre may be any number of places. */
static const double farthest_place = 1e6;

void ct_point_carry(ct_body *body, ct_point *point, int axis, double place, bool leap) {
  place = fmin(fmax(place, -farthest_place), farthest_place);
  if (point->place[axis] == place)
    return;
  point->place[axis] = place;
  point->moved = body->moved = true;
  point->put = false;
  point->carried_for = leap ? 0 : CT_TICK;
}
