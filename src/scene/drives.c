/* Drives in their turn: they move before the bodies predict, and settle their account once the contacts'
 * forces are known. Their kinetic energy is stored energy of the scene; what a free one pays for its path
 * leaves it as imposed motion, and what the contact receives comes back the same way. */
#include "scene/scene.h"

#include <math.h>

static ct_drive *drive_at(ct_scene *s, uint16_t i) { return ct_live_drive(s, i); }

/* Masses may have moved: what that makes of the kinetic energy is a parameter's work. */
static void weigh(ct_scene *s, ct_drive *d) {
  double before = d->kinetic_j;
  d->gravity_m_s2 = s->def.gravity_m_s2;
  ct_drive_weigh(d);
  if (d->kinetic_j == before || !s->def.ledger)
    return;
  ct_sum_add(&s->account.parameter, d->kinetic_j - before);
  ct_sum_add(&s->account.work, fabs(d->kinetic_j - before));
}

void ct_drives_begin(ct_scene *s) {
  bool tick = ct_at_tick(s);
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    ct_drive *d = drive_at(s, i);
    if (tick) {
      weigh(s, d);
      ct_drive_tick(d, s->step_s);
    }
    ct_drive_begin(d, s->step_s);
    s->counters.late_paths += d->late;
    d->late = false;
  }
}

static void book(ct_scene *s, const ct_drive_tally *t) {
  ct_sum_add(&s->account.force, t->force_j);
  ct_sum_add(&s->account.motion, t->motion_j);
  ct_sum_add(&s->account.contacts, t->lost_j);
  ct_sum_add(&s->account.work, fabs(t->force_j) + fabs(t->motion_j));
}

/* What is imposed on a drive costs it nothing. */
void ct_drives_end(ct_scene *s) {
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    ct_drive *d = drive_at(s, i);
    if (!d->free || ct_drive_rests(d))
      continue;
    ct_drive_tally tally = {0, 0, 0};
    d->kind->settle(d, &tally);
    if (s->def.ledger)
      book(s, &tally);
  }
}

void ct_drives_travel(ct_scene *s) {
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++)
    if (drive_at(s, i)->plane.body)
      ct_drive_travel(drive_at(s, i), s->sample == 0);
}

void ct_drives_settle(ct_scene *s) {
  double before = s->def.ledger ? ct_stored_j(s) : 0;
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    ct_drive *d = drive_at(s, i);
    d->gravity_m_s2 = s->def.gravity_m_s2;
    if (d->wants_jump)
      d->x_m = d->wish_m;
    ct_drive_start(d, s->step_s);
  }
  ct_book_start(s, before);
}
