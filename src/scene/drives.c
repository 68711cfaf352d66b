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

/* One that stands still with nothing set has nothing to ask. */
static void tick(ct_scene *s, ct_drive *d) {
  if (d->still && d->tuned_at == s->settings)
    return;
  if (d->tuned_at != s->settings)
    weigh(s, d);
  ct_drive_tick(d, s->step_s);
  d->tuned_at = s->settings;
}

/* So many samples as all of them see ahead; an account is kept sample by sample. */
uint32_t ct_drives_begin(ct_scene *s, uint32_t samples) {
  uint32_t to_tick = CT_TICK - s->sample % CT_TICK, count = s->def.ledger ? 1 : samples;
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    ct_drive *d = drive_at(s, i);
    if (to_tick == CT_TICK)
      tick(s, d);
    uint32_t seen = ct_drive_foresee(d, s->step_s, to_tick);
    count = seen < count ? seen : count;
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++)
    ct_drive_run(drive_at(s, i), s->step_s, count);
  return count;
}

static void book(ct_scene *s, const ct_drive_tally *t) {
  ct_sum_add(&s->account.force, t->force_j);
  ct_sum_add(&s->account.motion, t->motion_j);
  ct_sum_add(&s->account.contacts, t->lost_j);
  ct_sum_add(&s->account.work, fabs(t->force_j) + fabs(t->motion_j));
  /* three products, added up to the kinetic energy one by one */
  s->account.gross_j += 4 * (fabs(t->force_j) + fabs(t->motion_j) + fabs(t->lost_j));
}

/* Samples whose path was not known in time. */
static uint32_t late(ct_drive *d) {
  uint32_t late = d->trail[0].late + d->trail[1].late;
  d->trail[0].late = d->trail[1].late = 0;
  return late;
}

/* What is imposed on a drive costs it nothing. */
void ct_drives_end(ct_scene *s, uint32_t count) {
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    ct_drive *d = drive_at(s, i);
    s->counters.late_paths += late(d);
    if (!d->free || d->still)
      continue;
    ct_drive_tally tally = {0, 0, 0};
    ct_drive_settle(d, count, &tally);
    if (s->def.ledger) {
      book(s, &tally);
      s->account.gross_j += 3 * d->kinetic_j;
    }
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
