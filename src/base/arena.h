/* Memory in two stages. An arena hands out pieces of one block and never takes them back; with a null base it
 * only counts, so the same code that lays a scene out also tells its size. A pool, inside the arena, hands
 * out and takes back pieces for parts that come and go; it is touched by the set-up thread only. */
#ifndef CT_BASE_ARENA_H
#define CT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_ALIGN 32u       /* of every piece: four doubles, the widest vector there is */
#define CT_SCENE_ALIGN 64u /* of the block they are cut from: a cache line */

typedef struct ct_arena {
  unsigned char *base; /* null: count only */
  size_t size, used;
} ct_arena;

/* Null when counting or when it does not fit (used then exceeds size). Zeroed. */
void *ct_arena_take(ct_arena *arena, size_t count, size_t each);

typedef struct ct_pool_piece {
  size_t at, size;
} ct_pool_piece;

typedef struct ct_pool {
  unsigned char *base;
  size_t size;
  uint32_t count, most;  /* taken pieces, and how many there can be */
  ct_pool_piece *pieces; /* sorted by place */
} ct_pool;

void *ct_pool_take(ct_pool *pool, size_t bytes); /* zeroed; null when there is no room */
void ct_pool_give(ct_pool *pool, const void *piece);
/* Bytes that are free, and the largest piece of them. */
size_t ct_pool_free(const ct_pool *pool, size_t *largest);

#endif
