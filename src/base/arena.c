/* See arena.h. Pool pieces are kept sorted by place, so a free gap is what lies between two neighbours. */
#include "base/arena.h"

#include <string.h>

static size_t round_up(size_t bytes) { return (bytes + CT_ALIGN - 1) / CT_ALIGN * CT_ALIGN; }

void *ct_arena_take(ct_arena *arena, size_t count, size_t each) {
  bool countable = !each || count <= (SIZE_MAX / 2) / each;
  size_t bytes = countable ? round_up(count * each) : SIZE_MAX, at = arena->used;
  arena->used = at > SIZE_MAX - bytes ? SIZE_MAX : at + bytes; /* cannot fit: the caller sees used > size */
  if (!arena->base || arena->used > arena->size)
    return NULL;
  memset(arena->base + at, 0, bytes);
  return arena->base + at;
}

void *ct_pool_take(ct_pool *pool, size_t bytes) {
  bytes = round_up(bytes ? bytes : 1);
  size_t end = 0;
  uint32_t i = 0;
  for (; i < pool->count; i++) {
    if (pool->pieces[i].at - end >= bytes)
      break;
    end = pool->pieces[i].at + pool->pieces[i].size;
  }
  if (pool->count == pool->most || end > pool->size || pool->size - end < bytes)
    return NULL;
  memmove(&pool->pieces[i + 1], &pool->pieces[i], (pool->count - i) * sizeof pool->pieces[0]);
  pool->pieces[i] = (ct_pool_piece){.at = end, .size = bytes};
  pool->count++;
  memset(pool->base + end, 0, bytes);
  return pool->base + end;
}

void ct_pool_give(ct_pool *pool, const void *piece) {
  for (uint32_t i = 0; i < pool->count; i++) {
    if (pool->base + pool->pieces[i].at != (const unsigned char *)piece)
      continue;
    pool->count--;
    memmove(&pool->pieces[i], &pool->pieces[i + 1], (pool->count - i) * sizeof pool->pieces[0]);
    return;
  }
}

size_t ct_pool_free(const ct_pool *pool, size_t *largest) {
  size_t end = 0, free = 0;
  *largest = 0;
  for (uint32_t i = 0; i <= pool->count; i++) {
    size_t gap = (i < pool->count ? pool->pieces[i].at : pool->size) - end;
    *largest = gap > *largest ? gap : *largest;
    free += gap;
    end += gap + (i < pool->count ? pool->pieces[i].size : 0);
  }
  return free;
}
