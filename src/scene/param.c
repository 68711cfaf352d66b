/* Parameters on their way: messages start ramps, ramps move numbers, numbers mark what must be recomputed.
 * Audio-rate numbers move at every sample, others on ticks counted from sample 0, so block size cannot
 * matter. Coefficients are never interpolated: a matrix half-way between two passive ones may gain energy. */
#include "base/clamp.h"
#include "base/text.h"
#include "scene/scene.h"
#include <contatto/material.h>

#include <math.h>
#include <string.h>

static bool same(ct_handle a, ct_handle b) {
  return a.row == b.row && a.object == b.object && a.item == b.item && a.element == b.element &&
         a.generation == b.generation;
}

/* ---- reading and writing one number ---- */

/* What the handle was made for is still there. */
bool ct_param_live(const ct_scene *s, ct_handle h) {
  ct_part part = ct_part_of((ct_section)ct_row_at(h.row)->section);
  return part == CT_PART_KINDS || s->parts[part].here[h.object] == h.generation;
}

static unsigned char *base_of(const ct_scene *s, const ct_row *row, ct_handle h) {
  switch ((ct_section)row->section) {
  case CT_IN_SCENE:
    return (unsigned char *)(uintptr_t)&s->def;
  case CT_IN_BODY:
    return (unsigned char *)&s->bodies[h.object].as.hand;
  case CT_IN_SHAPE:
    return (unsigned char *)&s->bodies[h.object].as.modal;
  case CT_IN_STRING:
    return (unsigned char *)&s->bodies[h.object].as.string;
  case CT_IN_MODE:
    return (unsigned char *)&s->bodies[h.object].as.modal.modes[h.item];
  case CT_IN_POINT:
    return (unsigned char *)&s->bodies[h.object].points[h.item];
  case CT_IN_CONTACT:
    return (unsigned char *)&s->contacts[h.object];
  case CT_IN_SURFACE:
    return (unsigned char *)&s->surfaces[h.object];
  case CT_IN_DRIVE:
    return (unsigned char *)&s->drives[h.object];
  case CT_IN_SOURCE:
    return (unsigned char *)&s->sources[h.object];
  case CT_IN_REGION:
    return (unsigned char *)&s->sources[h.object].action.regions[h.item];
  case CT_IN_REGION_LIST: {
    ct_region *r = &s->sources[h.object].action.regions[h.item];
    return (unsigned char *)(row->field == CT_REGION_LIST_TABLE_HZ
                                 ? &r->table.hz[h.element]
                                 : &r->corner[row->field - CT_REGION_LIST_X][h.element]);
  }
  case CT_IN_PICKUP:
    return (unsigned char *)&s->pickups[h.object];
  default:
    return NULL;
  }
}

/* A source's own numbers are read with every block; the map's and its regions' have to be drawn first. */
static void write_source(ct_scene *s, const ct_row *row, ct_handle h, double *number, double value) {
  ct_action *action = &s->sources[h.object].action;
  *number = value;
  if (row->section == CT_IN_SOURCE)
    action->redrawn |= row->field == CT_SOURCE_WIDTH;
  else
    ct_action_region_changed(action, h.item);
}

static double *number_at(const ct_scene *s, const ct_row *row, ct_handle h) {
  unsigned char *base = row->live ? base_of(s, row, h) : NULL;
  return base ? (double *)(void *)(base + row->offset) : NULL;
}

static uint16_t gain_port(const ct_scene *s, const ct_row *row, ct_handle h) {
  const ct_point *point = &s->bodies[h.object].points[h.item];
  return point->port[row->field == CT_GAINS_TANGENTIAL ? CT_TANGENTIAL : CT_NORMAL];
}

/* What carries a point along a shape reads its gains there, tick by tick: one set meanwhile would be gone
 * within a few samples, with a click. */
static bool shape_has_gain(const ct_scene *s, const ct_row *row, ct_handle h) {
  const ct_body *body = &s->bodies[h.object];
  const ct_point *point = &body->points[h.item];
  bool carried = point->leader != NULL;
  for (uint16_t i = 0; i < s->parts[CT_PART_DRIVE].live; i++) {
    const ct_spot *plane = &ct_live_drive(s, i)->plane;
    carried |= plane->body == body && plane->point == h.item;
  }
  return carried && ct_modal_reads_gains(body, point, gain_port(s, row, h));
}

static double read_point(const ct_scene *s, const ct_row *row, ct_handle h) {
  const ct_body *body = &s->bodies[h.object];
  if (row->field == CT_POINT_PULL)
    return ct_string_pull_n(body, body->points[h.item].port[CT_TANGENTIAL]);
  bool sideways = row->field == CT_POINT_TANGENTIAL_X || row->field == CT_POINT_TANGENTIAL_V;
  uint16_t port = body->points[h.item].port[sideways ? CT_TANGENTIAL : CT_NORMAL];
  bool x = row->field == CT_POINT_X || row->field == CT_POINT_TANGENTIAL_X;
  return x ? ct_port_x_m(body, port) : ct_port_v_m_s(body, port);
}

/* As its force counts: positive where the ends come together, or where a slides along b. */
static double relative_m_s(const ct_contact *c) {
  return c->end[0].sign * ct_port_v_m_s(c->end[0].body, c->end[0].port) +
         c->end[1].sign * ct_port_v_m_s(c->end[1].body, c->end[1].port);
}

static double read_energy(const ct_scene *s, const ct_row *row) {
  ct_ledger l = ct_scene_ledger(s);
  double column;
  memcpy(&column, (const unsigned char *)&l + row->offset, sizeof column);
  return column;
}

double ct_param_read(const ct_scene *s, ct_handle h) {
  const ct_row *row = ct_row_at(h.row);
  if (!ct_param_live(s, h))
    return 0;
  const double *number = number_at(s, row, h);
  if (number)
    return *number;
  switch ((ct_section)row->section) {
  case CT_IN_MODE:
    return ct_modal_mode_value(&s->bodies[h.object], h.item, row->field == CT_MODE_V);
  case CT_IN_POINT:
    return read_point(s, row, h);
  case CT_IN_GAINS:
    return s->bodies[h.object].ports[gain_port(s, row, h)].gain[h.element];
  case CT_IN_CONTACT:
    return relative_m_s(&s->contacts[h.object]);
  case CT_IN_CONTROL:
    return s->controls[h.object].value;
  case CT_IN_DRIVE:
    return row->field == CT_DRIVE_THROW ? s->drives[h.object].v_m_s : ct_drive_place_m(&s->drives[h.object]);
  case CT_IN_ENERGY:
    return read_energy(s, row);
  default:
    return 0;
  }
}

/* Contacts of a body that was put somewhere start anew from where it is. */
static void rejoin(ct_scene *s, const ct_body *body) {
  for (uint16_t i = 0; i < s->parts[CT_PART_CONTACT].live; i++) {
    ct_contact *c = ct_live_contact(s, i);
    if (c->end[0].body == body || c->end[1].body == body)
      c->kind->join(c);
  }
}

/* Throwing a body: the jump is work done by a force. */
static void throw_mode(ct_scene *s, const ct_row *row, ct_handle h, double value) {
  double before = ct_stored_before(s);
  ct_body *body = &s->bodies[h.object];
  ct_modal_set_state(body, h.item, row->field == CT_MODE_V, value);
  ct_body_read(body);
  if (row->field == CT_MODE_X)
    rejoin(s, body);
  ct_book_jump(s, &s->account.force, before);
}

/* A string let go or struck: a jump, like a throw. A modal body's strike takes its time. */
static void excite(ct_scene *s, const ct_row *row, ct_handle h, double value) {
  double before = ct_stored_before(s);
  ct_body *body = &s->bodies[h.object];
  if (body->kind == &ct_modal_kind) {
    ct_strike_begin(s, h.object, h.item, value);
    return;
  }
  if (row->field == CT_POINT_STRIKE)
    ct_string_strike(body, &body->points[h.item], value);
  else {
    ct_string_pluck(body, &body->points[h.item], value);
    rejoin(s, body);
  }
  ct_book_jump(s, &s->account.force, before);
}

static void write_point(ct_scene *s, const ct_row *row, ct_handle h, double *number, double value) {
  ct_body *body = &s->bodies[h.object];
  ct_point *point = &body->points[h.item];
  *number = value;
  if (row->field == CT_POINT_PLUCK || row->field == CT_POINT_STRIKE)
    excite(s, row, h, value);
  else if (row->field == CT_POINT_FORCE || row->field == CT_POINT_TANGENTIAL_FORCE)
    ct_point_push(body, point);
  else if (row->field != CT_POINT_STRIKE_SPEED && row->field != CT_POINT_STRIKE_STIFFNESS)
    ct_point_put(body, point);
}

/* Stiffness and contact time say the same thing. */
static void keep_pair(ct_contact *c, uint32_t field) {
  if (field == CT_CONTACT_TIME)
    ct_impact_follow_time(c);
  else if (field == CT_CONTACT_STIFFNESS)
    ct_impact_follow_stiffness(c);
  else if (field == CT_CONTACT_EXPONENT)
    ct_impact_follow_exponent(c);
}

/* What presses and roughens a rub: no state of the bristles depends on it. */
bool ct_param_is_read_afresh(const ct_scene *s, const ct_row *row, ct_handle h) {
  return s->contacts[h.object].kind == &ct_friction_kind && row->shown.rate == CT_RATE_AUDIO;
}

/* Before the first sample a place is where things start; later it is a way to walk. */
static void write_contact(ct_scene *s, const ct_row *row, ct_handle h, double *number, double value) {
  ct_contact *c = &s->contacts[h.object];
  double change = value - *number;
  *number = value;
  keep_pair(c, row->field);
  if (ct_param_is_read_afresh(s, row, h))
    return;
  if (row->field != CT_CONTACT_GAP)
    s->changed = c->changed = true;
  else if (s->sample == 0) {
    double before = ct_stored_before(s);
    c->kind->join(c);
    ct_book_start(s, before);
  } else
    c->gap_step_m -= change;
}

static void write_hand(ct_scene *s, const ct_row *row, ct_handle h, double *number, double value) {
  ct_body *body = &s->bodies[h.object];
  ct_hand *hand = &body->as.hand;
  double change = value - *number;
  *number = value;
  if (row->field != CT_BODY_X && row->field != CT_BODY_TANGENTIAL_X)
    return;
  int d = row->field == CT_BODY_X ? CT_NORMAL : CT_TANGENTIAL;
  if (s->sample == 0) {
    double before = ct_stored_before(s);
    body->ports[d].x_m = hand->at_m[d] = value;
    rejoin(s, body);
    ct_book_start(s, before);
  } else
    hand->pending_m[d] += change;
}

/* Along the row of materials, by what the material there differs from the one here: a body that is not quite
 * any of them (wood that rings longer) stays so, and does not leap when the walk begins. */
static void walk_material(ct_making *making, double from, double to) {
  ct_material before = ct_material_along(from), after = ct_material_along(to);
  making->density_kg_m3 *= after.density_kg_m3 / before.density_kg_m3;
  making->young_pa *= after.young_pa / before.young_pa;
  making->damping_global += after.global_damping - before.global_damping;
  making->damping_relative += after.relative_damping - before.relative_damping;
}

static void write_making(ct_body *body, const ct_row *row, double *number, double value) {
  if (row->field == CT_SHAPE_FIELD_MATERIAL_AT)
    walk_material(&body->as.modal.making, *number, value);
  *number = value;
  body->changed = body->remade = true;
}

/* Thrown, put somewhere else, or one of its numbers: those act on the next tick. Before the first sample it
 * starts there. */
static void write_drive(ct_scene *s, const ct_row *row, ct_handle h, double *number, double value) {
  ct_drive *d = &s->drives[h.object];
  if (number)
    *number = value;
  else if (row->field == CT_DRIVE_PLACE)
    ct_drive_put(d, value);
  else {
    double before = ct_stored_before(s);
    ct_drive_throw(d, value);
    ct_book_jump(s, &s->account.force, before);
    if (d->free && s->sample > 0)
      ct_drive_meet_ends(s, d);
  }
}

static void write_control(ct_scene *s, ct_handle h, double value) {
  ct_control *control = &s->controls[h.object];
  control->value = value;
  if (control->trigger && value == 0)
    return;
  for (uint16_t i = 0; i < control->count; i++) {
    const ct_target *t = &s->targets[control->first + i];
    bool waits = ct_row_at(t->handle.row)->shown.rate == CT_RATE_TICK && !ct_at_tick(s) && !control->trigger;
    if (waits || !ct_param_live(s, t->handle))
      continue;
    ct_param_apply(s, t->handle, ct_control_target_value(control, t, value));
  }
}

double *ct_param_number(const ct_scene *s, ct_handle h) { return number_at(s, ct_row_at(h.row), h); }

/* The body that a number belongs to: its own, or the first of its contact's. Null: none. */
ct_body *ct_param_body(const ct_scene *s, ct_handle h) {
  switch ((ct_section)ct_row_at(h.row)->section) {
  case CT_IN_BODY:
  case CT_IN_SHAPE:
  case CT_IN_STRING:
  case CT_IN_MODE:
  case CT_IN_POINT:
  case CT_IN_GAINS:
    return &s->bodies[h.object];
  case CT_IN_CONTACT:
    return s->contacts[h.object].end[0].body;
  case CT_IN_DRIVE:
    return s->drives[h.object].contact->end[0].body;
  default:
    return NULL;
  }
}

/* What a number belongs to wakes before it is written. Of those that belong to no body, gravity and surfaces
 * concern everybody; a control's targets wake by themselves, and what a source pushes never sleeps. */
static void wake_for(ct_scene *s, const ct_row *row, ct_handle h) {
  ct_body *body = ct_param_body(s, h);
  if (body)
    ct_wake_body(s, body);
  else if (row->section == CT_IN_SCENE || row->section == CT_IN_SURFACE)
    ct_wake_all(s);
}

void ct_param_apply(ct_scene *s, ct_handle h, double value) {
  s->dirty = true;
  s->change_count++;
  const ct_row *row = ct_row_at(h.row);
  wake_for(s, row, h);
  double *number = number_at(s, row, h);
  switch ((ct_section)row->section) {
  case CT_IN_BODY:
    write_hand(s, row, h, number, value);
    return;
  case CT_IN_POINT:
    write_point(s, row, h, number, value);
    return;
  case CT_IN_GAINS:
    if (!shape_has_gain(s, row, h))
      ct_modal_set_gain(&s->bodies[h.object], gain_port(s, row, h), h.element, value);
    return;
  case CT_IN_CONTACT:
    write_contact(s, row, h, number, value);
    return;
  case CT_IN_DRIVE:
    write_drive(s, row, h, number, value);
    return;
  case CT_IN_CONTROL:
    write_control(s, h, value);
    return;
  case CT_IN_MODE:
  case CT_IN_STRING:
    if (!number) { /* a mode's state */
      throw_mode(s, row, h, value);
      return;
    }
    *number = value;
    s->changed = s->bodies[h.object].changed = true;
    return;
  case CT_IN_SHAPE:
    s->changed = true;
    write_making(&s->bodies[h.object], row, number, value);
    return;
  case CT_IN_SOURCE:
  case CT_IN_REGION:
  case CT_IN_REGION_LIST:
    write_source(s, row, h, number, value);
    return;
  default:
    *number = value;
  }
}

/* ---- ramps ---- */

static bool moves_every_sample(const ct_scene *s, ct_handle h) {
  const ct_row *row = ct_row_at(h.row);
  return row->section == CT_IN_CONTROL ? s->controls[h.object].audio_rate : row->shown.rate == CT_RATE_AUDIO;
}

static bool at_once(const ct_scene *s, const ct_message *m) {
  const ct_row *row = ct_row_at(m->handle.row);
  bool trigger = row->section == CT_IN_CONTROL && s->controls[m->handle.object].trigger;
  bool at_start = s->sample == 0 && (m->unhurried || m->ramp == 0);
  return at_start || trigger || row->shown.rate == CT_RATE_TRIGGER ||
         (m->ramp == 0 && row->section != CT_IN_CONTROL && moves_every_sample(s, m->handle));
}

static ct_ramp *find_ramp(ct_scene *s, ct_handle h) {
  for (uint32_t i = 0; i < s->ramp_count; i++)
    if (same(s->ramps[i].handle, h))
      return &s->ramps[i];
  return NULL;
}

static ct_ramp *new_ramp(ct_scene *s) {
  s->ramps_changed = true;
  if (s->ramp_count < s->ramp_capacity)
    return &s->ramps[s->ramp_count++];
  s->counters.dropped_messages++;
  return NULL;
}

static void forget_ramp(ct_scene *s, ct_handle h) {
  ct_ramp *ramp = find_ramp(s, h);
  if (!ramp)
    return;
  *ramp = s->ramps[--s->ramp_count];
  s->ramps_changed = true;
}

double ct_ramp_value(const ct_ramp *r, uint64_t sample) {
  uint64_t gone = sample - r->start;
  if (gone >= r->length)
    return r->to;
  double t = (double)gone / (double)r->length;
  if (r->gentle)
    t = ct_walk_gently(t);
  if (r->reciprocal)
    return r->to > 0 ? (t > 0 ? r->to / t : 0) : r->from / (1 - t);
  return r->log ? ct_walk_log(r->from, r->to, t) : ct_walk_line(r->from, r->to, t);
}

void ct_param_start(ct_scene *s, const ct_message *m) {
  if (!ct_param_live(s, m->handle)) {
    s->counters.dropped_messages++;
    return;
  }
  if (at_once(s, m)) {
    forget_ramp(s, m->handle);
    ct_param_apply(s, m->handle, m->value);
    return;
  }
  /* one ramp takes over from another where that one stands now, not where it was last looked at */
  ct_ramp *ramp = find_ramp(s, m->handle);
  double from = ramp ? ct_ramp_value(ramp, s->sample) : ct_param_read(s, m->handle);
  const ct_row *row = ct_row_at(m->handle.row);
  ct_scale scale = row->section == CT_IN_CONTROL ? s->controls[m->handle.object].scale : row->shown.scale;
  /* A time to fall by 60 dB of 0 means it never does. On a straight way to 1 s it would pass a microsecond.
   */
  bool decay = row->field == CT_MODE_T60 || row->field == CT_STRING_T60;
  if (ramp || (ramp = new_ramp(s)))
    *ramp = (ct_ramp){.handle = m->handle,
                      .from = from,
                      .to = m->value,
                      .start = s->sample,
                      .length = m->ramp,
                      .log = scale == CT_LOG && from > 0 && m->value > 0,
                      .gentle = m->unhurried,
                      .reciprocal = decay && (from == 0) != (m->value == 0)};
}

/* A slow number must have seen a tick at or after its ramp's end before the ramp may go. */
static bool advance_ramp(ct_scene *s, const ct_ramp *r) {
  if (!ct_param_live(s, r->handle))
    return false;
  bool control = ct_row_at(r->handle.row)->section == CT_IN_CONTROL,
       every_sample = moves_every_sample(s, r->handle);
  if (!every_sample && !ct_at_tick(s))
    return true;
  uint64_t gone = s->sample - r->start;
  if (every_sample && !control && gone > r->length)
    return false; /* its end was reached within a stretch */
  ct_param_apply(s, r->handle, ct_ramp_value(r, s->sample));
  return !(gone >= r->length && (ct_at_tick(s) || !control));
}

/* Returns what could not be carried over and is lost, J. */
static double refresh_changed(ct_scene *s) {
  double bodies_j = 0, contacts_j = 0;
  for (uint16_t i = 0; i < s->parts[CT_PART_BODY].live; i++) {
    ct_body *b = ct_live_body(s, i);
    if (b->gravity_m_s2 != s->def.gravity_m_s2)
      ct_body_unpredict(b);
    b->gravity_m_s2 = s->def.gravity_m_s2;
    if (!b->changed)
      continue;
    bodies_j += b->kind->parameters_changed(b);
    b->changed = false;
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_CONTACT].live; i++) {
    ct_contact *c = ct_live_contact(s, i);
    if (c->changed)
      contacts_j += c->kind->parameters_changed(c);
    c->changed = false;
  }
  ct_sum_add(&s->account.bodies, bodies_j);
  ct_sum_add(&s->account.contacts, contacts_j);
  s->changed = false;
  s->gravity_taken = s->def.gravity_m_s2;
  return bodies_j + contacts_j;
}

void ct_params_refresh(ct_scene *s) {
  if (s->changed) {
    double before = s->def.ledger ? s->account.stored_j : 0;
    double lost = refresh_changed(s);
    ct_book_jump(s, &s->account.parameter, before - lost);
  } else if (ct_at_tick(s) && s->gravity_taken != s->def.gravity_m_s2)
    (void)refresh_changed(s);
}

/* Ramps, then what they changed, then the state to be read at this sample. */
void ct_params_begin_sample(ct_scene *s) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->ramp_count; i++)
    if (advance_ramp(s, &s->ramps[i]))
      s->ramps[kept++] = s->ramps[i];
  s->ramps_changed |= kept < s->ramp_count;
  s->ramp_count = kept;
  if (ct_at_tick(s)) /* a string goes on retuning, from tick to tick */
    for (uint16_t i = 0; i < s->awake_count; i++) {
      const ct_group *g = ct_awake_group(s, i);
      for (uint16_t k = 0; k < g->body_count; k++)
        s->changed |= s->group_bodies[g->first_body + k]->changed;
    }
  ct_params_refresh(s);
  s->dirty = false;
  ct_bodies_begin_sample(s);
}

/* ---- controls: a value over a range, turned into the values of its targets ---- */

static double place_in_range(const ct_control *c, double value) {
  if (c->max == c->min)
    return 0;
  if (c->scale == CT_LOG && c->min > 0 && value > 0)
    return ct_log_ratio(value, c->min) / ct_log_ratio(c->max, c->min);
  return (value - c->min) / (c->max - c->min);
}

ct_result ct_control_check(const ct_control *c, const char *path, double value, ct_error *error) {
  if ((value >= c->min && value <= c->max) || (c->trigger && value == 0))
    return CT_OK;
  return ct_fail(error, CT_BAD_VALUE, "%s: %g is out of range; wants %g to %g", path, value, c->min, c->max);
}

double ct_control_target_value(const ct_control *c, const ct_target *target, double value) {
  bool in_log = target->scale == CT_LOG && target->from > 0 && target->to > 0;
  double t = place_in_range(c, value);
  return in_log ? ct_walk_log(target->from, target->to, t) : ct_walk_line(target->from, target->to, t);
}
