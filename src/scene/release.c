/* Letting go. What is removed while it presses, rubs or rolls would leave its force behind as a step, which
 * clicks. So it stays for the scene's smoothing time and gets weaker:
 *
 *   left(t) = 1 - (10 t^3 - 15 t^4 + 6 t^5), t = 0..1: from 1 to 0, at rest at both ends
 *
 * Of an impact, stiffness and stored energy are multiplied by it; of friction, the normal force and what is
 * viscous; of a drive, the slope of its path. Each of them only takes energy: V falls with k, bristles lose
 * what a smaller normal force does not hold, and any slope is passive because the contact's force and the way
 * meet the same one. What is taken is a parameter's work in the account.
 *
 * What does not press, or does so no more, goes at once; so does everything before the first sample. */
#include "base/clamp.h"
#include "scene/scene.h"

/* Now, or so many samples ago. */
static double left_after(const ct_scene *s, uint64_t removed_at, uint32_t ago) {
  double length = s->def.smoothing_s * s->def.rate_hz, t = (double)(s->sample - removed_at - ago) / length;
  return t < 1 ? 1 - ct_walk_gently(t) : 0;
}

bool ct_contact_lets_go(ct_scene *s, ct_contact *c) {
  if (s->sample == 0 || !c->kind->touches(c, 0))
    return false;
  c->removed_at = s->sample;
  return true;
}

bool ct_drive_lets_go(ct_scene *s, ct_drive *d) {
  if (s->sample == 0 || d->still)
    return false;
  d->share_left = 1;
  d->removed_at = s->sample;
  return true;
}

/* What it stored goes with its force, and is a parameter's work. */
static void weaken(ct_scene *s, ct_contact *c, double share) {
  double before_j = c->stored_j;
  c->kind->weaken(c, share);
  double taken_j = before_j - c->stored_j;
  ct_sum_add(&s->account.parameter, -taken_j);
  ct_sum_add(&s->account.work, taken_j);
  s->account.stored_j -= taken_j;
  s->account.gross_j += 4 * before_j;
}

/* False: nothing is left of it. */
static bool hold_contact(ct_scene *s, ct_contact *c) {
  double left = left_after(s, c->removed_at, 0);
  if (left <= 0 || !c->kind->touches(c, 0))
    return false;
  weaken(s, c, left / left_after(s, c->removed_at, 1));
  return true;
}

/* What the ends of its way push with goes as its path does. */
static bool hold_drive(ct_scene *s, ct_drive *d) {
  double left = left_after(s, d->removed_at, 0), share = left / d->share_left;
  if (left <= 0)
    return false;
  for (int side = 0; side < CT_WAY_ENDS; side++)
    if (d->near[side])
      weaken(s, &d->stop[side], share);
  d->share_left = left;
  return true;
}

void ct_release_go_on(ct_scene *s) {
  for (uint16_t i = s->parts[CT_PART_DRIVE].live; i-- > 0;)
    if (ct_live_drive(s, i)->removed_at && !hold_drive(s, ct_live_drive(s, i)))
      ct_drive_part(s, s->parts[CT_PART_DRIVE].order[i]);
  for (uint16_t i = s->parts[CT_PART_CONTACT].live; i-- > 0;) {
    ct_contact *c = ct_live_contact(s, i);
    if (c->removed_at && !hold_contact(s, c))
      ct_contact_part(s, s->parts[CT_PART_CONTACT].order[i]);
  }
}
