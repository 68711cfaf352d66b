/* Sources, and strikes from outside (strike.c), on the audio thread. Their forces are known before the step,
 * so they are external forces of the points they feed, and their work is booked as such. A block is made at
 * every tick, so block sizes of the host cannot matter; sources are summed in order of their names. */
#include "scene/scene.h"

_Static_assert(CT_ACTION_BLOCK == CT_TICK, "a source's block lasts from tick to tick");

static ct_point *point_of(const ct_scene *s, const ct_source *source) {
  return &s->bodies[source->body].points[source->point];
}

/* Nothing of it is left at its point. */
void ct_source_silence(ct_scene *s, uint16_t slot) {
  ct_point *point = point_of(s, &s->sources[slot]);
  point->source_n[CT_NORMAL] = point->source_n[CT_TANGENTIAL] = 0;
  ct_point_push(&s->bodies[s->sources[slot].body], point);
}

static void play(ct_scene *s, ct_source *source, uint64_t sample) {
  if (sample % CT_TICK == 0) {
    ct_action_block(&source->action, source->block_n);
    source->region = source->action.map.now;
  }
  if (source->fade_step < 0)
    source->fade = source->fade > -source->fade_step ? source->fade + source->fade_step : 0;
  source->push_n = source->fade * source->block_n[sample % CT_TICK];
  point_of(s, source)->source_n[source->direction] += source->push_n;
}

static bool feeds(const ct_scene *s, const ct_source *source, const ct_group *g) {
  return !g || &s->groups[s->bodies[source->body].group] == g;
}

void ct_sources_feed(ct_scene *s, const ct_group *g, uint64_t sample) {
  uint16_t live = s->parts[CT_PART_SOURCE].live;
  ct_strikes_clear(s);
  for (uint16_t i = 0; i < live; i++) {
    ct_point *point = point_of(s, ct_live_source(s, i));
    if (feeds(s, ct_live_source(s, i), g))
      point->source_n[CT_NORMAL] = point->source_n[CT_TANGENTIAL] = 0;
  }
  for (uint16_t i = 0; i < live; i++)
    if (feeds(s, ct_live_source(s, i), g))
      play(s, ct_live_source(s, i), sample);
  ct_strikes_play(s);
  for (uint16_t i = 0; i < live; i++) {
    const ct_source *source = ct_live_source(s, i);
    if (feeds(s, source, g))
      ct_point_push(&s->bodies[source->body], point_of(s, source));
  }
  ct_strikes_push(s);
}
