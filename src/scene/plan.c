/* Plans: a scene's start as an image that copies are made of. A scene is one block of memory with pointers
 * into itself, and nothing else in it depends on where it is. So two scenes made in the same way differ in
 * these pointers alone, each by as much as the blocks are apart: comparing them finds every pointer, and no
 * list of them has to be kept. A copy is the image, and the distance added to each. */
#include "base/text.h"
#include "scene/scene.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct ct_plan {
  unsigned char *image;
  size_t bytes;
  uintptr_t base;     /* where the image's pointers point to */
  uint32_t *pointers; /* words of the image that are one */
  uint32_t count;
  bool keeps_start;
};

static uintptr_t word_at(const unsigned char *block, size_t word) {
  uintptr_t value;
  memcpy(&value, block + word * sizeof value, sizeof value);
  return value;
}

/* What is the scene's own, and its definition: the host's, with holes that may hold anything. */
static bool is_left_out(size_t word) {
  size_t at = word * sizeof(uintptr_t);
  return at == offsetof(ct_scene, owned) || at == offsetof(ct_scene, start) ||
         at - offsetof(ct_scene, def) < sizeof(ct_scene_def);
}

/* Changes that wait or have been taken are no part of what was made, and hold no pointers. */
static bool is_within(const unsigned char *at, const void *from, size_t bytes) {
  return (uintptr_t)at - (uintptr_t)from < bytes;
}

static bool is_queued(const ct_scene *s, const unsigned char *at) {
  return is_within(at, s->inbox.items, (size_t)s->inbox.capacity * s->inbox.item_size) ||
         is_within(at, s->outbox.items, (size_t)s->outbox.capacity * s->outbox.item_size) ||
         is_within(at, s->waiting, s->waiting_capacity * sizeof *s->waiting) ||
         is_within(at, s->ramps, s->ramp_capacity * sizeof *s->ramps);
}

/* All words in which the two differ; into `pointers`, unless that is null. False: one is no pointer of
 * theirs. */
static bool find_pointers(const ct_scene *one, const ct_scene *other, uint32_t *pointers, uint32_t *count) {
  const unsigned char *a = (const unsigned char *)one, *b = (const unsigned char *)other;
  *count = 0;
  for (size_t w = 0; w < one->bytes / sizeof(uintptr_t); w++) {
    uintptr_t in_a = word_at(a, w) - (uintptr_t)a, in_b = word_at(b, w) - (uintptr_t)b;
    if (word_at(a, w) == word_at(b, w) || is_left_out(w) || is_queued(one, a + w * sizeof(uintptr_t)))
      continue;
    if (in_a != in_b || in_a > one->bytes)
      return false;
    if (pointers)
      pointers[*count] = (uint32_t)w;
    ++*count;
  }
  return true;
}

static ct_result check_pair(const ct_scene *one, const ct_scene *other, ct_error *error) {
  if (!one || !other || one == other)
    return ct_fail(error, CT_BAD_ARGUMENT, "plan: wants two scenes made in the same way");
  if (one->sample || other->sample || one->bytes != other->bytes ||
      one->bytes / sizeof(uintptr_t) > UINT32_MAX)
    return ct_fail(error, CT_BAD_SCENE,
                   "plan: wants two scenes made in the same way, before their first sample");
  return CT_OK;
}

ct_result ct_plan_create(ct_scene *one, ct_scene *other, ct_plan **plan, ct_error *error) {
  if (!plan)
    return ct_fail(error, CT_BAD_ARGUMENT, "plan: nowhere to put it");
  CT_TRY(check_pair(one, other, error));
  ct_scene_process(one, &(ct_io){.frames = 0}); /* everybody has taken their place */
  ct_scene_process(other, &(ct_io){.frames = 0});
  uint32_t count;
  if (!find_pointers(one, other, NULL, &count))
    return ct_fail(error, CT_BAD_SCENE, "plan: the two scenes were not made in the same way");
  ct_plan *p = calloc(1, sizeof *p);
  if (p) {
    *p = (ct_plan){.image = malloc(one->bytes),
                   .bytes = one->bytes,
                   .base = (uintptr_t)one,
                   .pointers = malloc((count + 1) * sizeof *p->pointers),
                   .keeps_start = one->start != NULL};
  }
  if (!p || !p->image || !p->pointers) {
    ct_plan_destroy(p);
    return ct_fail(error, CT_NO_MEMORY, "plan: no memory for %zu bytes", one->bytes);
  }
  find_pointers(one, other, p->pointers, &p->count);
  memcpy(p->image, one, one->bytes);
  *plan = p;
  return CT_OK;
}

void ct_plan_destroy(ct_plan *p) {
  if (!p)
    return;
  free(p->image);
  free(p->pointers);
  free(p);
}

size_t ct_plan_bytes(const ct_plan *p) { return p->bytes; }

static ct_scene *copy(const ct_plan *p, unsigned char *memory, void *owned) {
  ct_scene *s = (ct_scene *)(void *)memory;
  uintptr_t distance = (uintptr_t)memory - p->base;
  memcpy(memory, p->image, p->bytes);
  for (uint32_t i = 0; i < p->count; i++) {
    uintptr_t moved = word_at(memory, p->pointers[i]) + distance;
    memcpy(memory + p->pointers[i] * sizeof moved, &moved, sizeof moved);
  }
  s->owned = owned;
  s->start = NULL;
  return s;
}

ct_result ct_plan_init(const ct_plan *p, void *memory, size_t bytes, ct_scene **scene, ct_error *error) {
  if (!p || !scene || !memory || (uintptr_t)memory % CT_SCENE_ALIGN != 0)
    return ct_fail(error, CT_BAD_ARGUMENT, "plan: wants memory aligned to %u", CT_SCENE_ALIGN);
  if (bytes < p->bytes)
    return ct_fail(error, CT_NO_MEMORY, "plan: %zu bytes given, %zu needed", bytes, p->bytes);
  ct_scene *made = copy(p, memory, NULL);
  ct_result result = p->keeps_start ? ct_scene_keep_start(made, error) : CT_OK;
  if (result == CT_OK)
    *scene = made;
  return result;
}

ct_result ct_plan_scene(const ct_plan *p, ct_scene **scene, ct_error *error) {
  if (!p || !scene)
    return ct_fail(error, CT_BAD_ARGUMENT, "plan: a null pointer");
  void *block = malloc(p->bytes + CT_SCENE_ALIGN);
  if (!block)
    return ct_fail(error, CT_NO_MEMORY, "plan: no memory for %zu bytes", p->bytes);
  unsigned char *aligned = (unsigned char *)block + (CT_SCENE_ALIGN - (uintptr_t)block % CT_SCENE_ALIGN);
  ct_result result = ct_plan_init(p, aligned, p->bytes, scene, error);
  if (result == CT_OK)
    (*scene)->owned = block;
  else
    free(block);
  return result;
}
