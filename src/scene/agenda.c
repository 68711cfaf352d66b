/* Messages that wait for their sample: a heap by when they are due, and by arrival where that is the same.
 * One that is due later holds up nobody behind it; one that is due now comes after those that were promised
 * this sample before. */
#include "scene/scene.h"

static bool comes_before(const ct_waiting *a, const ct_waiting *b) {
  return a->due != b->due ? a->due < b->due : a->arrival < b->arrival;
}

static void swap(ct_waiting *a, ct_waiting *b) {
  ct_waiting kept = *a;
  *a = *b;
  *b = kept;
}

static void sink(ct_waiting *heap, uint32_t count) {
  for (uint32_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && comes_before(&heap[child + 1], &heap[child]))
      child++;
    if (!comes_before(&heap[child], &heap[at]))
      return;
    swap(&heap[at], &heap[child]);
  }
}

static void wait(ct_scene *s, uint64_t due, const ct_message *m) {
  s->waiting[s->waiting_count] = (ct_waiting){due, s->arrivals++, *m};
  uint32_t at = s->waiting_count++;
  for (; at > 0 && comes_before(&s->waiting[at], &s->waiting[(at - 1) / 2]); at = (at - 1) / 2)
    swap(&s->waiting[at], &s->waiting[(at - 1) / 2]);
}

/* What does not fit stays in the queue until there is room, and what comes behind a reset until that is done.
 */
static void take_in(ct_scene *s) {
  const ct_message *m;
  uint64_t origin = ct_start_origin(s), now = origin + s->sample;
  while (s->waiting_count < s->waiting_capacity && !ct_start_waits(s) && (m = ct_queue_peek(&s->inbox))) {
    s->counters.late_messages += m->at_sample && m->at_sample < now;
    wait(s, m->at_sample > now ? m->at_sample - origin : s->sample, m);
    if (m->kind == CT_MESSAGE_RESET)
      s->start->waiting = true;
    ct_queue_drop(&s->inbox);
  }
}

/* At first the sound fades, if there is any; then it is due. */
static void reset(ct_scene *s, const ct_message *m) {
  ct_start *start = s->start;
  if (start->fade_length || m->ramp == 0 || s->sample == 0 || s->fault.found || !ct_scene_is_sounding(s)) {
    ct_start_again(s);
    return;
  }
  start->fade_length = m->ramp;
  start->fade_end = s->sample + m->ramp;
  wait(s, start->fade_end, m);
}

static void apply(ct_scene *s, const ct_message *message) {
  ct_message m = *message;
  s->placed = false;
  if (m.kind == CT_MESSAGE_RESET)
    reset(s, &m);
  else if (m.kind != CT_MESSAGE_SET)
    ct_roster_apply(s, &m);
  else if (!s->fault.found)
    ct_param_start(s, &m);
  else
    s->counters.dropped_messages++;
}

/* With the heap full of what is due later, what is due now passes it by. A reset needs a place in it. */
static void pass_by(ct_scene *s) {
  const ct_message *m;
  uint64_t now = ct_start_origin(s) + s->sample;
  while (!ct_start_waits(s) && (m = ct_queue_peek(&s->inbox)) && m->at_sample <= now &&
         m->kind != CT_MESSAGE_RESET) {
    s->counters.late_messages += m->at_sample && m->at_sample < now;
    apply(s, m);
    ct_queue_drop(&s->inbox);
  }
}

void ct_agenda_run(ct_scene *s) {
  take_in(s);
  while (s->waiting_count && s->waiting[0].due <= s->sample) {
    ct_message m = s->waiting[0].message;
    s->waiting[0] = s->waiting[--s->waiting_count];
    sink(s->waiting, s->waiting_count);
    apply(s, &m);
    take_in(s); /* there may be room now */
  }
  if (s->waiting_count == s->waiting_capacity)
    pass_by(s);
}
