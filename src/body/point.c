/* What acts on points from outside: forces, and who carries them along. */
#include "body/body.h"

/* Such a force is known before the step, so the prediction made without it is stale. One port may serve both
 * directions; then both forces act on it. */
void ct_point_push(ct_body *body, const ct_point *point) {
  double normal_n = point->force_n[CT_NORMAL] + point->knock_n + point->source_n[CT_NORMAL];
  double along_n = point->force_n[CT_TANGENTIAL] + point->source_n[CT_TANGENTIAL];
  for (int d = 0; d < CT_DIRECTIONS; d++) {
    if (!(body->ports[point->port[d]].wants & CT_WANT_FREE))
      ct_body_want(body, point->port[d], CT_WANT_FREE);
    body->ports[point->port[d]].external_n = d == CT_NORMAL ? normal_n : along_n;
  }
  if (point->port[CT_NORMAL] == point->port[CT_TANGENTIAL])
    body->ports[point->port[CT_NORMAL]].external_n += normal_n;
  body->forced = false;
  for (uint16_t p = 0; p < body->port_count; p++)
    body->forced |= body->ports[p].external_n != 0;
  body->predicted = CT_NO_LEVEL;
}

void ct_point_carry(ct_body *body, ct_point *point, int axis, double place, bool leap) {
  if (point->place[axis] == place)
    return;
  point->place[axis] = place;
  point->moved = body->moved = true;
  point->carried_for = leap ? 0 : CT_TICK;
}
