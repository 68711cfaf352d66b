/* Memory in two stages. An arena hands out pieces of one block and never takes them back; with a null base it
 * only counts, so the same code that lays a scene out also tells its size. A pool, inside the arena, hands
 * out and takes back pieces for bodies that come and go; it is touched by the set-up thread only. */
#ifndef CT_BASE_ARENA_H
#define CT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_ALIGN 64u /* a cache line, and any vector */

typedef struct ct_arena {
  unsigned char *base; /* null: count only */
  size_t size, used;
} ct_arena;

/* Null when counting or when it does not fit (used then exceeds size). Zeroed. */
void *ct_arena_take(ct_arena *arena, size_t count, size_t each);

#define CT_POOL_PIECES 1024u /* for bodies, surfaces, drives and sources together */

typedef struct ct_pool_piece {
  size_t at, size;
} ct_pool_piece;

typedef struct ct_pool {
  unsigned char *base;
  size_t size;
  uint32_t count; /* taken pieces, sorted by place */
  ct_pool_piece pieces[CT_POOL_PIECES];
} ct_pool;

void *ct_pool_take(ct_pool *pool, size_t bytes); /* zeroed; null when there is no room */
void ct_pool_give(ct_pool *pool, const void *piece);

#endif
