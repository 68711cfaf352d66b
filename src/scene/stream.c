/* Numbers that move at every sample without ending a stretch: forces and places of points, hands, gaps,
 * normal forces, roughness, what pulls a free drive and the speed of an imposed one, told by the host's
 * inputs or by ramps, directly or through a control. The first sample of a stretch takes them as anything
 * that is set (param.c); for the others a group takes its own as it comes to them, and a drive when it plans
 * them. Whatever else moves at every sample (a stiffness, a pickup's pan) makes every sample a stretch of its
 * own. */
#include "base/clamp.h"
#include "scene/scene.h"

#include <assert.h>
#include <math.h>

/* What a number acts on, once it is written. */
static bool find_kind(const ct_row *row, const ct_scene *s, ct_handle h, ct_stream_kind *kind) {
  switch ((ct_section)row->section) {
  case CT_IN_POINT:
    *kind = row->field == CT_POINT_FORCE || row->field == CT_POINT_TANGENTIAL_FORCE ? CT_STREAM_FORCE
            : row->field == CT_POINT_PLACE_U || row->field == CT_POINT_PLACE_V      ? CT_STREAM_POINT_PLACE
                                                                                    : CT_STREAM_NUMBER;
    return true;
  case CT_IN_BODY:
    *kind = row->field == CT_BODY_X || row->field == CT_BODY_TANGENTIAL_X ? CT_STREAM_HAND_PLACE
                                                                          : CT_STREAM_NUMBER;
    return s->bodies[h.object].kind->rigid;
  case CT_IN_CONTACT:
    *kind = row->field == CT_CONTACT_GAP ? CT_STREAM_GAP : CT_STREAM_NUMBER;
    return row->field == CT_CONTACT_GAP || ct_param_is_read_afresh(s, row, h);
  case CT_IN_DRIVE:
    *kind = s->drives[h.object].free       ? CT_STREAM_PULL
            : row->field == CT_DRIVE_SPEED ? CT_STREAM_SPEED
                                           : CT_STREAM_NUMBER; /* nothing pulls what is imposed */
    return true;
  default:
    return false;
  }
}

/* False: it does not stream, or there are too many. */
static bool add_stream(ct_scene *s, ct_streams *list, ct_stream from, ct_handle h) {
  const ct_row *row = ct_row_at(h.row);
  if (row->shown.rate != CT_RATE_AUDIO || !ct_param_live(s, h))
    return true; /* it waits for the tick, or for ever */
  if (list->count == CT_STREAMS || !find_kind(row, s, h, &from.kind))
    return false;
  bool pulls = from.kind == CT_STREAM_PULL;
  from.drive = pulls || from.kind == CT_STREAM_SPEED ? &s->drives[h.object] : NULL;
  from.body = pulls ? &from.drive->way : ct_param_body(s, h);
  from.number = ct_param_number(s, h);
  assert(from.body && from.number);
  if (from.kind == CT_STREAM_FORCE) {
    from.point = &from.body->points[h.item];
    from.direction = row->field == CT_POINT_FORCE ? CT_NORMAL : CT_TANGENTIAL;
    from.port = &from.body->ports[from.point->port[from.direction]];
  } else if (from.kind == CT_STREAM_POINT_PLACE) {
    from.point = &from.body->points[h.item];
    list->moves_points = true;
  } else if (from.kind == CT_STREAM_HAND_PLACE)
    from.pending_m = &from.body->as.hand.pending_m[row->field == CT_BODY_X ? CT_NORMAL : CT_TANGENTIAL];
  else if (from.kind == CT_STREAM_GAP)
    from.contact = &s->contacts[h.object];
  else if (from.kind == CT_STREAM_PULL)
    from.drive->streamed = true;
  list->at[list->count++] = from;
  return true;
}

static bool add_streams(ct_scene *s, ct_streams *list, ct_stream from, ct_handle h) {
  const ct_row *row = ct_row_at(h.row);
  from.min = row->shown.min;
  from.max = row->shown.max;
  from.first = true;
  if (row->section != CT_IN_CONTROL)
    return add_stream(s, list, from, h);
  ct_control *c = &s->controls[h.object];
  if (c->trigger)
    return false;
  from.control = c;
  from.min = c->min;
  from.max = c->max;
  for (uint16_t i = 0; i < c->count; i++) {
    uint32_t before = list->count;
    from.target = &s->targets[c->first + i];
    if (!add_stream(s, list, from, from.target->handle))
      return false;
    from.first &= list->count == before;
  }
  return true;
}

static bool find_streams(ct_scene *s, const ct_io *io, ct_streams *list) {
  list->count = 0;
  list->moves_points = false;
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++)
    ct_live_drive(s, i)->streamed = false;
  for (uint32_t i = 0; i < io->input_count; i++) {
    ct_stream from = {.values = io->inputs[i].values};
    if (ct_param_live(s, io->inputs[i].handle) && !add_streams(s, list, from, io->inputs[i].handle))
      return false;
  }
  for (uint32_t i = 0; i < s->ramp_count; i++)
    if (!add_streams(s, list, (ct_stream){.ramp = &s->ramps[i]}, s->ramps[i].handle))
      return false;
  return true;
}

/* Told no number at this sample, which would have woken it, it is asleep; one that comes within the stretch
 * must wake it there. */
static bool any_sleeps(const ct_streams *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->at[i].body->asleep)
      return true;
  return false;
}

bool ct_streams_begin(ct_scene *s, const ct_io *io, uint32_t frame, ct_streams *list) {
  list->start = s->sample;
  list->frame = frame;
  if (!list->found || s->ramps_changed)
    list->fit = find_streams(s, io, list);
  list->found = true;
  s->ramps_changed = false;
  return list->fit && !any_sleeps(list);
}

/* What it is told at sample n of the stretch; false: nothing. */
static bool read_value(ct_scene *s, const ct_streams *list, const ct_stream *f, uint32_t n, double *value) {
  if (f->ramp) {
    uint64_t sample = list->start + n;
    *value = ct_ramp_value(f->ramp, sample);
    return f->control || sample - f->ramp->start <= f->ramp->length; /* an earlier end has been reached */
  }
  double told = f->values[list->frame + n];
  *value = told;
  if (told >= f->min && told <= f->max)
    return true;
  if (!isfinite(told)) {
    s->counters.dropped_inputs += f->first;
    return false;
  }
  *value = ct_clamp(told, f->min, f->max);
  s->counters.clamped_inputs += f->first;
  return true;
}

static void write_value(const ct_stream *f, double value) {
  double change = value - *f->number;
  *f->number = value;
  switch (f->kind) {
  case CT_STREAM_FORCE:
    ct_port_push(f->body, f->port, ct_point_force_n(f->point, f->direction));
    f->body->kind->predict(f->body, 0);
    return;
  case CT_STREAM_POINT_PLACE:
    ct_point_put(f->body, f->point);
    return;
  case CT_STREAM_HAND_PLACE:
    *f->pending_m += change;
    return;
  case CT_STREAM_GAP:
    f->contact->gap_step_m -= change;
    return;
  case CT_STREAM_PULL:
    ct_drive_pull(f->drive);
    return;
  default:
    return;
  }
}

/* The same of the number that it is, or whose control is told. */
static bool read_number(ct_scene *s, const ct_streams *list, const ct_stream *f, uint32_t n, double *value) {
  if (!read_value(s, list, f, n, value))
    return false;
  if (f->control) {
    f->control->value = *value;
    *value = ct_control_target_value(f->control, f->target, *value);
  }
  return true;
}

void ct_streams_take(ct_scene *s, ct_group *g, uint32_t n) {
  const ct_streams *list = s->streams;
  uint16_t group = (uint16_t)(g - s->groups);
  for (const ct_stream *f = list->at, *end = f + list->count; f < end; f++) {
    double value;
    if (f->body->group != group || f->kind == CT_STREAM_SPEED || !read_number(s, list, f, n, &value))
      continue;
    write_value(f, value);
    g->leading |= f->body->moved;
  }
}

/* The first sample of a stretch has been taken already. */
bool ct_streams_tell(ct_scene *s, ct_drive *d, uint32_t from, uint32_t count) {
  const ct_streams *list = s->streams;
  bool any = false;
  for (uint32_t n = 0; n < count; n++) {
    for (const ct_stream *f = list->at, *end = f + list->count; f < end; f++) {
      bool own = f->kind == CT_STREAM_SPEED && f->drive == d;
      double value;
      any |= own;
      if (own && from + n > 0 && read_number(s, list, f, from + n, &value))
        *f->number = value;
    }
    d->told_m_s[n] = d->values.speed_m_s;
  }
  return any;
}
