/* What bodies of any kind have in common: ports that are read, and points that forces push and others carry.
 */
#include "base/text.h"
#include "body/body.h"

#include <math.h>

void ct_point_put_name(const ct_body *body, ct_point *point, const char *name) {
  if (name && *name)
    ct_put_name(point->name, name);
  else
    ct_format(point->name, sizeof point->name, "#%u", (unsigned)(point - body->points));
}

void ct_body_unpredict(ct_body *body) {
  body->predicted = CT_NO_LEVEL;
  if (body->kind->unpredict)
    body->kind->unpredict(body);
}

void ct_body_read(ct_body *body) {
  ct_body_unpredict(body);
  body->kind->predict(body, 0);
}

static void change_wants(ct_body *body, uint16_t index, uint8_t came, uint8_t went) {
  ct_port *port = &body->ports[index];
  port->wants = (uint8_t)((port->wants | came) & ~went);
  if ((came | went) && body->kind->wants_changed)
    body->kind->wants_changed(body, index, came, went);
}

void ct_body_want(ct_body *body, uint16_t index, uint8_t what) {
  change_wants(body, index, (uint8_t)(what & ~body->ports[index].wants), 0);
}

/* No force pushes it any more; unless it is touched, nobody asks what it would do. */
static void release_port(ct_body *body, uint16_t index) {
  if ((body->ports[index].wants & (CT_WANT_FREE | CT_TOUCHED)) == CT_WANT_FREE)
    change_wants(body, index, 0, CT_WANT_FREE);
}

void ct_body_untouch(ct_body *body, uint16_t index) {
  change_wants(body, index, 0, CT_TOUCHED);
  if (body->ports[index].external_n == 0)
    release_port(body, index);
}

double ct_port_x_m(const ct_body *body, uint16_t port) {
  return body->kind->x_m ? body->kind->x_m(body, port) : body->ports[port].x_m;
}

double ct_port_v_m_s(const ct_body *body, uint16_t port) {
  return body->kind->v_m_s ? body->kind->v_m_s(body, port) : body->ports[port].v_m_s;
}

void ct_port_push_changes(ct_body *body, ct_port *port) {
  uint16_t index = (uint16_t)(port - body->ports);
  if (port->external_n == 0)
    release_port(body, index);
  else
    ct_body_want(body, index, CT_WANT_FREE);
  body->forced = false;
  for (uint16_t p = 0; !body->forced && p < body->port_count; p++)
    body->forced = body->ports[p].external_n != 0;
}

void ct_point_push(ct_body *body, const ct_point *point) {
  for (int d = 0; d < CT_DIRECTIONS; d++)
    ct_port_push(body, &body->ports[point->port[d]], ct_point_force_n(point, d));
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
