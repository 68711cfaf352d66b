/* Noticing that a scene is no longer finite. Every sample written is looked at, and on every tick the state
 * of every part; so what nobody listens to is found within a tick, and the answer does not depend on the
 * block size. From the first number that is not finite on, the scene stands still and writes silence: its
 * state is of no use any more, and stepping it would only cost time. Time and the queue go on. */
#include "base/sized.h"
#include "base/text.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

static bool source_finite(const ct_scene *s, uint16_t slot) { return isfinite(s->sources[slot].push_n); }

static bool drive_finite(const ct_scene *s, uint16_t slot) {
  const ct_drive *d = &s->drives[slot];
  return isfinite(d->x_m) && isfinite(d->v_m_s) && isfinite(d->way.as.way.v_m_s) && isfinite(d->offset_m);
}

static bool contact_finite(const ct_scene *s, uint16_t slot) {
  const ct_contact *c = &s->contacts[slot];
  return isfinite(c->force_n) && isfinite(c->stored_j) && isfinite(c->compression_m);
}

static bool body_finite(const ct_scene *s, uint16_t slot) {
  const ct_body *b = &s->bodies[slot];
  double sum = b->kind->stored_j(b);
  for (uint16_t p = 0; p < b->port_count; p++)
    sum += fabs(b->ports[p].x_m) + fabs(b->ports[p].v_m_s);
  return isfinite(sum);
}

static bool pickup_finite(const ct_scene *s, uint16_t slot) {
  const ct_pickup *p = &s->pickups[slot];
  return isfinite(p->blocked_in) && isfinite(p->blocked_out);
}

/* Slot of the first of a kind that is not finite, -1: all are. */
static int find(const ct_scene *s, ct_part part, bool (*finite)(const ct_scene *, uint16_t)) {
  for (uint16_t i = 0; i < s->parts[part].live; i++)
    if (!finite(s, s->parts[part].order[i]))
      return s->parts[part].order[i];
  return -1;
}

/* In which order parts are blamed: what pushes before what is pushed. A contact comes after its bodies: its
 * law never hands on a force that is no number, but it reads where they are. */
static const struct {
  ct_part part;
  bool (*finite)(const ct_scene *, uint16_t slot);
} watched[] = {{CT_PART_SOURCE, source_finite},
               {CT_PART_DRIVE, drive_finite},
               {CT_PART_BODY, body_finite},
               {CT_PART_CONTACT, contact_finite},
               {CT_PART_PICKUP, pickup_finite}};

/* The scene stands still from here on. Where no part is to blame by itself but their sum, the first one of a
 * kind stands for it. */
static void stop(ct_scene *s, uint64_t sample, ct_part otherwise) {
  int slot = -1;
  ct_part part = otherwise;
  for (size_t i = 0; slot < 0 && i < sizeof watched / sizeof watched[0]; i++) {
    part = watched[i].part;
    slot = find(s, part, watched[i].finite);
  }
  if (slot < 0) {
    part = otherwise;
    slot = s->parts[part].order[0];
  }
  s->fault = (ct_fault){.found = true, .sample = ct_start_origin(s) + sample, .kind = ct_part_word(part)};
  memcpy(s->fault.name, ct_part_name(s, part, (uint16_t)slot), sizeof s->fault.name);
  for (uint16_t i = 0; i < s->parts[CT_PART_PICKUP].live; i++) {
    ct_pickup *p = ct_live_pickup(s, i);
    p->blocked_in = p->blocked_out = 0;
  }
}

static bool contacts_finite(const ct_scene *s) {
  uint16_t count;
  for (uint16_t i = 0; i < s->awake_count; i++) {
    ct_contact *const *contacts = ct_group_contacts(s, ct_awake_group(s, i), &count);
    for (uint16_t k = 0; k < count; k++)
      if (!isfinite(contacts[k]->force_n + contacts[k]->stored_j + contacts[k]->compression_m))
        return false;
  }
  return true;
}

/* Bodies have been looked at on the tick. */
void ct_fault_look(ct_scene *s, bool bodies_finite) {
  if (!bodies_finite || find(s, CT_PART_SOURCE, source_finite) >= 0 ||
      find(s, CT_PART_DRIVE, drive_finite) >= 0 || !contacts_finite(s))
    stop(s, s->sample, CT_PART_BODY);
}

/* A sample that cannot be written: not finite, or too large for a float. */
void ct_fault_heard(ct_scene *s, uint64_t sample) { stop(s, sample, CT_PART_PICKUP); }

/* Standing still: pickups hear nothing, so that those on their way out fade and leave. */
void ct_fault_run(ct_scene *s, uint32_t samples) {
  for (uint16_t i = 0; i < s->parts[CT_PART_PICKUP].live; i++)
    for (uint32_t n = 0; n < samples; n++)
      ct_live_pickup(s, i)->si[n] = 0;
  for (uint16_t i = 0; i < s->parts[CT_PART_SOURCE].live; i++)
    if (ct_live_source(s, i)->fade_step < 0)
      ct_live_source(s, i)->fade = 0;
  s->sample += samples;
  s->counters.nonfinite_samples += samples;
}

bool ct_scene_finite(const ct_scene *s) { return !s->fault.found; }

void ct_scene_fault_sized(const ct_scene *s, ct_fault *to, uint32_t size) {
  ct_give_bytes(to, size, &s->fault, sizeof s->fault);
}

/* ---- whether a scene kept its promises: one place that says so, for every host ---- */

/* A comparison with a NaN is never true. */
bool ct_ledger_kept(const ct_ledger *l) {
  return isfinite(l->stored_j) && isfinite(l->allowance_j) && fabs(l->error_j) <= l->allowance_j;
}

ct_result ct_scene_judge(const ct_scene *s, ct_error *error) {
  if (s->fault.found)
    return ct_fail(error, CT_NOT_FINITE, "%s '%s' stopped being finite at %g s", s->fault.kind, s->fault.name,
                   (double)s->fault.sample / s->def.rate_hz);
  ct_ledger l = ct_scene_ledger(s);
  if (s->def.ledger && !ct_ledger_kept(&l))
    return ct_fail(error, CT_BROKEN, "the energy account is broken: its error is %g J, rounding allows %g J",
                   l.error_j, l.allowance_j);
  return CT_OK;
}
