/* Starting again. A scene is one block of memory, so its start is a copy of that block: parts where they
 * stand, numbers as built, queues of changes empty. The set-up thread asks by a message; the audio thread
 * lets what sounds fade and puts back every word that differs from the copy. Words that never move are not
 * written, so that the set-up thread may read them meanwhile; what belongs to the set-up thread or is read by
 * any (queues, status), and what counts work (counters), stays as it is. Time inside the scene begins at 0,
 * so that ticks fall as they did; the clock that hosts see goes on. */
#include "base/clamp.h"
#include "base/text.h"
#include "scene/scene.h"

#include <stdlib.h>

/* ---- set-up ---- */

ct_result ct_scene_keep_start(ct_scene *s, ct_error *error) {
  if (!s)
    return ct_fail(error, CT_BAD_ARGUMENT, "keep start: no scene");
  if (s->sample > 0 || s->fault.found)
    return ct_fail(error, CT_BAD_SCENE,
                   "keep start: the scene has started; wants one before its first sample");
  ct_start *start = s->start ? s->start : calloc(1, sizeof *start);
  if (start && !start->image)
    start->image = malloc(s->bytes);
  if (!start || !start->image) {
    free(start);
    return ct_fail(error, CT_NO_MEMORY, "keep start: no memory for %zu bytes", s->bytes);
  }
  s->start = start;
  ct_scene_process(s, &(ct_io){.frames = 0}); /* everybody has taken their place */
  memcpy(start->image, s, s->bytes);
  start->changes = 0;
  return CT_OK;
}

void ct_start_drop(ct_scene *s) {
  if (s->start)
    free(s->start->image);
  free(s->start);
}

static bool under_way(const ct_start *start) {
  return start->resets_asked != atomic_load_explicit(&start->resets_done, memory_order_acquire);
}

ct_result ct_start_check(const ct_scene *s, const char *what, ct_error *error) {
  if (!s->start || !under_way(s->start))
    return CT_OK;
  return ct_fail(error, CT_FULL, "%s: the scene is about to start again; process some samples first", what);
}

ct_result ct_scene_reset(ct_scene *s, double fade_s, ct_error *error) {
  if (!s || !s->start)
    return ct_fail(error, CT_BAD_SCENE,
                   "reset: the scene has not kept its start; wants ct_scene_keep_start() before it sounds");
  if (s->start->changes)
    return ct_fail(error, CT_BAD_SCENE,
                   "reset: parts, controls or followers came or went since its start was kept (%u times); "
                   "build the scene again",
                   s->start->changes);
  ct_message m = {.kind = CT_MESSAGE_RESET, .ramp = ct_ramp_samples(s, fade_s)};
  if (under_way(s->start))
    return CT_OK; /* as it was asked to */
  s->start->resets_asked++;
  if (ct_queue_push(&s->inbox, &m))
    return CT_OK;
  s->start->resets_asked--;
  return ct_full_queue(s, "reset", NULL, 1, error);
}

/* ---- audio ---- */

/* Starts and ends at rest. */
double ct_start_fade(const ct_start *start, uint64_t sample) {
  if (sample >= start->fade_end)
    return 0;
  double t = (double)(start->fade_end - sample) / (double)start->fade_length;
  return ct_walk_gently(t);
}

typedef struct range {
  const void *from;
  size_t bytes;
} range;

enum { LINE = 64 };

static void put_back_line(unsigned char *to, const unsigned char *from, size_t bytes) {
  uint64_t now, then;
  for (size_t i = 0; i < bytes; i += sizeof now) {
    memcpy(&now, to + i, sizeof now);
    memcpy(&then, from + i, sizeof then);
    if (now != then)
      memcpy(to + i, &then, sizeof then);
  }
}

static void put_back(unsigned char *to, const unsigned char *from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += LINE) {
    size_t count = bytes - at < LINE ? bytes - at : LINE;
    if (memcmp(to + at, from + at, count) != 0)
      put_back_line(to + at, from + at, count);
  }
}

/* All of the block but these ranges, which do not overlap; in any order. */
static void put_back_all_but(ct_scene *s, range *kept, int count) {
  unsigned char *block = (unsigned char *)s;
  for (int i = 1; i < count; i++) /* by place */
    for (int k = i; k > 0 && (uintptr_t)kept[k].from < (uintptr_t)kept[k - 1].from; k--) {
      range swap = kept[k];
      kept[k] = kept[k - 1];
      kept[k - 1] = swap;
    }
  size_t at = 0;
  for (int i = 0; i < count; i++) {
    size_t from = (size_t)((const unsigned char *)kept[i].from - block);
    put_back(block + at, s->start->image + at, from - at);
    at = from + kept[i].bytes;
  }
  put_back(block + at, s->start->image + at, s->bytes - at);
}

void ct_start_again(ct_scene *s) {
  ct_start *start = s->start;
  const ct_status *shown = &s->status;
  range kept[] = {
      {&s->owned, sizeof s->owned},
      {&s->start, sizeof(ct_start *)},
      {&s->inbox, sizeof s->inbox},
      {&s->outbox, sizeof s->outbox},
      {s->inbox.items, (size_t)s->inbox.capacity * s->inbox.item_size},
      {s->outbox.items, (size_t)s->outbox.capacity * s->outbox.item_size},
      {s->parts[0].user_data,
       ct_parts_capacity(&s->def) * sizeof(void *)}, /* of all kinds: they lie together */
      {&s->counters, sizeof s->counters},
      {&s->status, sizeof s->status},
      {shown->contacts, s->def.contacts * sizeof *shown->contacts + s->def.channels * sizeof *shown->levels},
  };
  start->origin += s->sample;
  put_back_all_but(s, kept, sizeof kept / sizeof kept[0]);
  start->fade_length = 0;
  start->waiting = false;
  atomic_fetch_add_explicit(&start->resets_done, 1, memory_order_release);
}
