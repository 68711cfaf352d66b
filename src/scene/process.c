/* The audio call. Frame n: changes that are due, then the state at sample n is read, then the scene steps to
 * n + 1. No allocation, lock, file, print or system call from here on down. */
#include "base/clamp.h"
#include "base/sized.h"
#include "scene/scene.h"

#include <math.h>

/* Taken to its row's or control's range, and counted. */
static double within(ct_scene *s, ct_handle h, double value) {
  const ct_row *row = ct_row_at(h.row);
  double min = row->shown.min, max = row->shown.max;
  if (row->section == CT_IN_CONTROL) {
    const ct_control *c = &s->controls[h.object];
    if (c->trigger && value == 0)
      return 0; /* no strike, though 0 may be out of its range */
    min = c->min;
    max = c->max;
  }
  double kept = ct_clamp(value, min, max);
  s->counters.clamped_inputs += kept != value;
  return kept;
}

static void take_inputs(ct_scene *s, const ct_io *io, uint32_t frame) {
  for (uint32_t i = 0; i < io->input_count; i++) {
    ct_handle h = io->inputs[i].handle;
    double value = io->inputs[i].values[frame];
    ct_rate rate = ct_row_at(h.row)->shown.rate;
    if (!ct_param_live(s, h))
      continue;
    if (!isfinite(value))
      s->counters.dropped_inputs++;
    else if (rate == CT_RATE_AUDIO || (rate == CT_RATE_TICK && ct_at_tick(s)))
      ct_param_apply(s, h, within(s, h, value));
  }
}

/* ---- events ---- */

/* Events: changes that the host's audio call brings along, each with its frame. They are carried out in the
 * order of the array, behind all messages of the same sample, and end a stretch as those do. One that comes
 * behind a later one is carried out with that one; one beyond the block when the block ends: both are
 * counted, neither is lost. */
static bool is_sensible(const ct_scene *s, const ct_event *e) {
  return e->handle.row < ct_schema_count() && ct_param_live(s, e->handle) &&
         ct_row_at(e->handle.row)->shown.rate != CT_RATE_STATE && isfinite(e->value) && !isnan(e->ramp_s);
}

static void apply(ct_scene *s, const ct_event *e) {
  if (s->fault.found || !is_sensible(s, e)) {
    s->counters.dropped_events++;
    return;
  }
  ct_message m = {.kind = CT_MESSAGE_SET,
                  .handle = e->handle,
                  .value = within(s, e->handle, e->value),
                  .ramp = ct_ramp_samples(s, e->ramp_s),
                  .unhurried = e->ramp_s < 0};
  ct_param_start(s, &m);
}

static void apply_events(ct_scene *s, const ct_io *io, uint32_t frame, uint32_t *next) {
  for (; *next < io->event_count && io->events[*next].frame <= frame; ++*next) {
    const ct_event *e = &io->events[*next];
    s->counters.late_events += e->frame < frame;
    apply(s, e);
  }
}

static void end_events(ct_scene *s, const ct_io *io, uint32_t next) {
  for (; next < io->event_count; next++) {
    s->counters.late_events++;
    apply(s, &io->events[next]);
  }
}

/* ---- status ---- */

/* What other threads may read while the scene sounds: numbers that the audio thread writes at the end of each
 * of its calls, each whole by itself. They are for meters, games and hosts that want to know when to stop;
 * what has to be exact to the sample is tapped.
 *
 * A contact's generation is written before the first force of its own, and read after the force: whoever sees
 * a force of its successor sees the successor's generation, too. */

/* Groups that step, or pickups that have not yet faded after their groups fell asleep. */
static bool is_sounding(const ct_scene *s) {
  bool sounding = s->groups_stale || s->awake_count > 0;
  for (uint16_t i = 0; i < s->heard_count && !sounding; i++)
    sounding = !ct_pickup_is_silent(s->heard[i], s->sample);
  return sounding && !s->fault.found;
}

static void write_status(ct_scene *s, uint32_t frames) {
  ct_status *shown = &s->status;
  atomic_store_explicit(&shown->sample, ct_start_origin(s) + s->sample, memory_order_relaxed);
  atomic_store_explicit(&shown->sounding, is_sounding(s), memory_order_relaxed);
  for (uint32_t c = 0; frames && c < s->def.channels; c++) {
    ct_shown_level *output = &shown->levels[c];
    atomic_store_explicit(&output->level, output->loudest, memory_order_relaxed);
    output->loudest = 0;
  }
  for (uint16_t i = 0; i < s->parts[CT_PART_CONTACT].live; i++) {
    const ct_contact *c = ct_live_contact(s, i);
    double force = s->fault.found ? 0 : c->force_n;
    atomic_store_explicit(&shown->contacts[c - s->contacts].force_n, force, memory_order_release);
  }
}

void ct_status_show_contact(ct_scene *s, uint16_t slot, uint32_t generation) {
  ct_shown_contact *shown = &s->status.contacts[slot];
  atomic_store_explicit(&shown->generation, generation, memory_order_relaxed);
  atomic_store_explicit(&shown->force_n, 0, memory_order_release);
}

uint64_t ct_scene_sample(const ct_scene *s) {
  return atomic_load_explicit(&s->status.sample, memory_order_relaxed);
}

bool ct_scene_is_sounding(const ct_scene *s) {
  return atomic_load_explicit(&s->status.sounding, memory_order_relaxed);
}

double ct_scene_level(const ct_scene *s, uint32_t channel) {
  if (channel >= s->def.channels)
    return 0;
  return (double)atomic_load_explicit(&s->status.levels[channel].level, memory_order_relaxed);
}

double ct_scene_contact_force_n(const ct_scene *s, ct_handle contact) {
  const ct_row *row = ct_row_at(contact.row);
  if (!row || ct_part_of((ct_section)row->section) != CT_PART_CONTACT || contact.object >= s->def.contacts)
    return 0;
  const ct_shown_contact *shown = &s->status.contacts[contact.object];
  double force = atomic_load_explicit(&shown->force_n, memory_order_acquire);
  uint32_t there = atomic_load_explicit(&shown->generation, memory_order_relaxed);
  return there == contact.generation ? force : 0;
}

/* ---- taps ---- */

static const uint16_t no_group = UINT16_MAX; /* it stays as it is for a stretch */

/* Of what belongs to no body. */
static bool stays_for_a_stretch(ct_section section, bool streamed) {
  return (section == CT_IN_CONTROL && !streamed) || section == CT_IN_SCENE || section == CT_IN_PICKUP;
}

/* Whose state a handle reads; false: one that is known only between stretches. */
static bool find_tap_group(const ct_scene *s, ct_handle h, bool streamed, uint16_t *group) {
  *group = no_group;
  if (!ct_param_live(s, h))
    return true;
  const ct_body *body = ct_param_body(s, h);
  if (!body || body->asleep)
    return body ? body->pace != CT_DRIFTS
                : stays_for_a_stretch((ct_section)ct_row_at(h.row)->section, streamed);
  *group = body->group;
  return true;
}

/* False: every sample has to be a stretch of its own. Drives know where they are between stretches only. */
static bool note_taps(const ct_scene *s, const ct_io *io, uint32_t frame, bool streamed, ct_taps *taps) {
  taps->tap = io->taps;
  taps->count = io->tap_count;
  taps->frame = frame;
  if (io->tap_count > CT_TAPS || (io->tap_count && (s->parts[CT_PART_DRIVE].live || s->fault.found)))
    return false;
  for (uint32_t i = 0; i < taps->count; i++)
    if (!find_tap_group(s, io->taps[i].handle, streamed, &taps->group[i]))
      return false;
  return true;
}

void ct_taps_read(ct_scene *s, const ct_group *g, uint32_t n) {
  const ct_taps *t = s->taps;
  uint16_t group = (uint16_t)(g - s->groups);
  for (uint32_t i = 0; i < t->count; i++)
    if (t->group[i] == group)
      t->tap[i].values[t->frame + n] = ct_param_read(s, t->tap[i].handle);
}

/* Of a whole stretch: those that nobody reads while it runs. */
static void write_still_taps(ct_scene *s, const ct_taps *t, uint32_t count) {
  for (uint32_t i = 0; i < t->count; i++) {
    double value = t->group[i] == no_group ? ct_param_read(s, t->tap[i].handle) : 0;
    for (uint32_t n = 0; t->group[i] == no_group && n < count; n++)
      t->tap[i].values[t->frame + n] = value;
  }
}

/* Everything that may move a parameter, at this sample. */
static void begin_sample(ct_scene *s, const ct_io *io, uint32_t frame, ct_streams *streams,
                         uint32_t *next_event) {
  uint32_t first = *next_event;
  bool told = !ct_agenda_idle(s);
  if (told)
    ct_agenda_run(s);
  apply_events(s, io, frame, next_event);
  if (told || *next_event > first)
    streams->found = false;
  if (s->fault.found)
    return;
  take_inputs(s, io, frame);
  ct_groups_refresh(s);
  if (!ct_params_idle(s))
    ct_params_begin_sample(s);
  else
    ct_scene_lead(s);
  if (s->parts[CT_PART_SOURCE].live || s->strike_count)
    ct_sources_feed(s, NULL, s->sample);
}

/* How many samples from here nothing but the physics moves: up to the next tick, and no message is due. */
static uint32_t quiet_frames(const ct_scene *s, uint32_t left) {
  if (s->strike_count || s->leaving || s->dirty)
    return 1;
  uint64_t quiet = CT_TICK - s->sample % CT_TICK;
  if (s->waiting_count && s->waiting[0].due - s->sample < quiet)
    quiet = s->waiting[0].due - s->sample;
  return quiet < left ? (uint32_t)quiet : left;
}

/* From a sample that has begun, at most up to the frame `end`. */
static uint32_t run_frames(ct_scene *s, const ct_io *io, uint32_t frame, uint32_t end, ct_streams *streams) {
  ct_taps taps;
  bool streamed = ct_streams_begin(s, io, frame, streams),
       tapped = note_taps(s, io, frame, streams->count > 0, &taps);
  uint32_t quiet = streamed && tapped ? quiet_frames(s, end - frame) : 1;
  s->streams = streamed && streams->count ? streams : NULL;
  if (tapped)
    write_still_taps(s, &taps, quiet);
  for (uint32_t i = 0; !tapped && i < io->tap_count; i++)
    io->taps[i].values[frame] = ct_param_read(s, io->taps[i].handle);
  s->taps = tapped && taps.count ? &taps : NULL;
  if (s->thumps && !s->fault.found)
    ct_thumps_hear_asleep(s, quiet);
  if (s->fault.found)
    ct_fault_run(s, quiet);
  else
    ct_scene_run(s, quiet);
  s->taps = NULL;
  s->streams = NULL;
  ct_pickups_write(s, io, frame, quiet);
  return quiet;
}

/* Before the first sample; once, and again when something has changed. */
static void take_places(ct_scene *s) {
  if (s->sample > 0 || s->placed)
    return;
  if (s->parts[CT_PART_DRIVE].live)
    ct_drives_start(s);
  if (s->def.at_rest)
    ct_scene_rest(s);
  s->placed = true;
}

void ct_scene_process_sized(ct_scene *s, const ct_io *given, uint32_t size) {
  ct_io taken = {0}, *io = &taken;
  ct_take_bytes(&taken, sizeof taken, given, size);
  if (io->frames == 0) {
    ct_agenda_run(s);
    take_places(s);
  }
  uint32_t next_event = 0;
  ct_streams streams;
  streams.found = false;
  for (uint32_t frame = 0; frame < io->frames;) {
    begin_sample(s, io, frame, &streams, &next_event);
    frame += run_frames(s, io, frame, ct_events_next(io, next_event), &streams);
    if (s->leaving) {
      ct_roster_sweep(s);
      streams.found = false;
    }
  }
  end_events(s, io, next_event);
  write_status(s, io->frames);
}

double ct_scene_get(const ct_scene *s, ct_handle handle) { return ct_param_read(s, handle); }

void ct_scene_counters_sized(const ct_scene *s, ct_counters *to, uint32_t size) {
  ct_give_bytes(to, size, &s->counters, sizeof s->counters);
}
