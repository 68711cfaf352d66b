/* The audio call. Frame n: changes that are due, then the state at sample n is read, then the scene steps to
 * n + 1. No allocation, lock, file, print or system call from here on down. */
#include "scene/scene.h"

#include <math.h>

static double within(ct_scene *s, const ct_handle h, double value) {
  const ct_schema_row *row = &ct_row_at(h.row)->shown;
  double min = row->min, max = row->max;
  if (ct_row_at(h.row)->section == CT_IN_CONTROL) {
    const ct_control *c = &s->controls[h.object];
    if (c->trigger && value == 0)
      return 0; /* no strike, though 0 may be out of its range */
    min = c->min;
    max = c->max;
  }
  double kept = fmin(fmax(value, min), max);
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

static void write_taps(ct_scene *s, const ct_io *io, uint32_t frame) {
  for (uint32_t i = 0; i < io->tap_count; i++)
    io->taps[i].values[frame] = ct_param_read(s, io->taps[i].handle);
}

void ct_scene_process(ct_scene *s, const ct_io *io) {
  if (io->frames == 0) {
    ct_agenda_run(s);
    if (s->sample == 0 && s->parts[CT_PART_DRIVE].live)
      ct_drives_settle(s);
  }
  for (uint32_t frame = 0; frame < io->frames; frame++) {
    if (!ct_agenda_idle(s))
      ct_agenda_run(s);
    take_inputs(s, io, frame);
    if (!ct_params_idle(s))
      ct_params_begin_sample(s);
    if (s->parts[CT_PART_SOURCE].live)
      ct_sources_feed(s);
    ct_pickups_write(s, io, frame);
    write_taps(s, io, frame);
    ct_scene_step(s);
    if (s->leaving)
      ct_roster_sweep(s);
  }
}

double ct_scene_get(const ct_scene *s, ct_handle handle) { return ct_param_read(s, handle); }

uint64_t ct_scene_sample(const ct_scene *s) { return s->sample; }

ct_counters ct_scene_counters(const ct_scene *s) { return s->counters; }
