/* A drive that follows a body which no hand moves: a cart whose wheel runs over a rail, a wheel whose own
 * tread comes round. What the path does to the contact is paid by the motion of that body, as a free ball's
 * way pays (body/way.h): the leader's port is an end of the contact whose sign is the path's slope sigma over
 * the sample. The contact closes by sigma dx, its force f pushes the leader by -sigma f, and dx is solved
 * with f: so the work of motion is 0, the account is exact for any sigma, and bumps slow the leader down.
 *
 * The slope is the path's secant over the way that the leader would go at its speed. Where the leader then
 * is, its own modes say. */
#include "drive/drive.h"

#include <math.h>

/* On a shorter way the difference of two heights has too few digits, and the path's slope will do. */
static const double shortest_m = 1e-9;

/* How far the centre of mass would rise over a way. */
static double rise_of_lean(ct_drive *d, double way_m) {
  if (d->lean_m == 0)
    return 0;
  if (way_m != d->turn_way_m)
    ct_drive_aim(d, way_m);
  return d->lean_m * (d->sine * d->turn_cosine + d->cosine * d->turn_sine - d->sine);
}

/* So much of the leader's way as it goes along: it stands while it is put somewhere else and, if it rolls, at
 * the ends of its own way. */
static double goes_along(ct_drive *d, double way_m) {
  if (d->jumping)
    return 0;
  return d->kind->turns ? ct_drive_stop_at_end(d, way_m) : way_m;
}

static double slope_over(ct_drive *d, double way_m) {
  double goes_m = goes_along(d, way_m);
  if (d->jumping || (way_m != 0 && goes_m == 0))
    return 0;
  if (fabs(way_m) < shortest_m)
    return ct_drive_slope_here(d);
  return (ct_drive_climb(d, d->x_m + goes_m) + rise_of_lean(d, goes_m)) / way_m;
}

void ct_led_run(ct_drive *d, double step_s) {
  const ct_body *b = d->leader.body;
  double speed = ct_port_v_m_s(b, b->points[d->leader.point].port[CT_TANGENTIAL]);
  d->leader_m = ct_drive_leader_m(d);
  d->v_m_s = d->next_m_s = speed;
  if (d->changing)
    ct_drive_grow_other(d, d->x_m, step_s);
  d->path_m[d->now] = ct_trail_read(&d->trail[d->now], d->x_m);
  if (d->blend_step > 0)
    d->path_m[!d->now] = ct_trail_read(&d->trail[!d->now], d->x_m);
  double slope = slope_over(d, speed * step_s);
  d->ahead[0] = isfinite(slope) ? slope : 0;
  d->v_m_s = d->next_m_s;
}

/* A leader that is put somewhere else between two samples takes nothing along: only what it goes counts. */
void ct_led_arrive(ct_drive *d) {
  double gone_m = ct_drive_leader_m(d) - d->leader_m, rise_m = d->ahead[0] * gone_m;
  d->contact->offset_m += rise_m;
  d->offset_m += rise_m;
  double way_m = goes_along(d, gone_m);
  if (isfinite(way_m)) {
    d->x_m += way_m;
    if (d->kind->turns && way_m != 0)
      (void)ct_drive_lean(d, way_m);
  }
  if (d->changing)
    ct_drive_blend_on(d);
  if (ct_drive_blended(d))
    ct_drive_take_over(d);
}
