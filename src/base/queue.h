/* A lock-free ring between one writing and one reading thread. Each side owns one index and reads the other's
 * with acquire; an item is visible once the writer's index is released past it. */
#ifndef CT_BASE_QUEUE_H
#define CT_BASE_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct ct_queue {
  _Alignas(64) _Atomic uint32_t head; /* reader's */
  _Alignas(64) _Atomic uint32_t tail; /* writer's */
  uint32_t capacity;                  /* a power of two */
  uint32_t item_size;
  unsigned char *items;
} ct_queue;

static inline bool ct_queue_push(ct_queue *q, const void *item) {
  uint32_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
  if (tail - atomic_load_explicit(&q->head, memory_order_acquire) >= q->capacity)
    return false;
  memcpy(q->items + (size_t)(tail & (q->capacity - 1)) * q->item_size, item, q->item_size);
  atomic_store_explicit(&q->tail, tail + 1, memory_order_release);
  return true;
}

/* The oldest item, still in the ring; null when empty. */
static inline const void *ct_queue_peek(ct_queue *q) {
  uint32_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
  if (head == atomic_load_explicit(&q->tail, memory_order_acquire))
    return NULL;
  return q->items + (size_t)(head & (q->capacity - 1)) * q->item_size;
}

static inline void ct_queue_drop(ct_queue *q) {
  uint32_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
  atomic_store_explicit(&q->head, head + 1, memory_order_release);
}

static inline uint32_t ct_queue_room(ct_queue *q) {
  uint32_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
  return q->capacity - (tail - atomic_load_explicit(&q->head, memory_order_acquire));
}

#endif
