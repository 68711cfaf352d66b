/* Events: changes that the host's audio call brings along, each with its frame. They are carried out in the
 * order of the array, behind all messages of the same sample, and end a stretch as those do. One that comes
 * behind a later one is carried out with that one; one beyond the block when the block ends: both are
 * counted, neither is lost. */
#include "scene/scene.h"

#include <math.h>

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
                  .value = ct_param_within(s, e->handle, e->value),
                  .ramp = ct_ramp_samples(s, e->ramp_s),
                  .unhurried = e->ramp_s < 0};
  ct_param_start(s, &m);
}

void ct_events_apply(ct_scene *s, const ct_io *io, uint32_t frame, uint32_t *next) {
  for (; *next < io->event_count && io->events[*next].frame <= frame; ++*next) {
    const ct_event *e = &io->events[*next];
    s->counters.late_events += e->frame < frame;
    apply(s, e);
  }
}

void ct_events_end(ct_scene *s, const ct_io *io, uint32_t next) {
  for (; next < io->event_count; next++) {
    s->counters.late_events++;
    apply(s, &io->events[next]);
  }
}
