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

static void rise(ct_waiting *heap, uint32_t at) {
  for (; at > 0 && comes_before(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2)
    swap(&heap[at], &heap[(at - 1) / 2]);
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

/* What does not fit stays in the queue until there is room. */
static void take_in(ct_scene *s) {
  const ct_message *m;
  while (s->waiting_count < s->waiting_capacity && (m = ct_queue_peek(&s->inbox))) {
    uint64_t due = m->at_sample > s->sample ? m->at_sample : s->sample;
    s->waiting[s->waiting_count] = (ct_waiting){due, s->arrivals++, *m};
    rise(s->waiting, s->waiting_count++);
    ct_queue_drop(&s->inbox);
  }
}

static void apply_first(ct_scene *s) {
  ct_message m = s->waiting[0].message;
  s->waiting[0] = s->waiting[--s->waiting_count];
  sink(s->waiting, s->waiting_count);
  if (m.kind != CT_MESSAGE_SET)
    ct_roster_apply(s, &m);
  else if (!s->fault.found)
    ct_param_start(s, &m);
}

void ct_agenda_run(ct_scene *s) {
  take_in(s);
  while (s->waiting_count && s->waiting[0].due <= s->sample) {
    apply_first(s);
    take_in(s); /* there may be room now */
  }
}
