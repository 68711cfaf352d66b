/* A lock-free ring between one writing and one reading thread. Each side owns one index and reads the other's
 * with acquire; an item is visible once the writer's index is released past it. Both run through the ring
 * twice before they begin anew, so that a full ring is not an empty one. */
#ifndef CT_BASE_QUEUE_H
#define CT_BASE_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct ct_queue {
  _Alignas(64) _Atomic uint32_t head; /* reader's */
  _Alignas(64) _Atomic uint32_t tail; /* writer's */
  uint32_t capacity;
  uint32_t item_size;
  unsigned char *items;
} ct_queue;

static inline unsigned char *ct_queue_item(const ct_queue *q, uint32_t index) {
  return q->items + (size_t)(index < q->capacity ? index : index - q->capacity) * q->item_size;
}

static inline uint32_t ct_queue_after(const ct_queue *q, uint32_t index) {
  return index + 1 < 2 * q->capacity ? index + 1 : 0;
}

/* As the writer sees it. */
static inline uint32_t ct_queue_room(ct_queue *q) {
  uint32_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed),
           head = atomic_load_explicit(&q->head, memory_order_acquire);
  return q->capacity - (tail >= head ? tail - head : tail + 2 * q->capacity - head);
}

static inline bool ct_queue_push(ct_queue *q, const void *item) {
  uint32_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
  if (ct_queue_room(q) == 0)
    return false;
  memcpy(ct_queue_item(q, tail), item, q->item_size);
  atomic_store_explicit(&q->tail, ct_queue_after(q, tail), memory_order_release);
  return true;
}

/* The oldest item, still in the ring; null when empty. */
static inline const void *ct_queue_peek(ct_queue *q) {
  uint32_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
  if (head == atomic_load_explicit(&q->tail, memory_order_acquire))
    return NULL;
  return ct_queue_item(q, head);
}

static inline void ct_queue_drop(ct_queue *q) {
  uint32_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
  atomic_store_explicit(&q->head, ct_queue_after(q, head), memory_order_release);
}

#endif
