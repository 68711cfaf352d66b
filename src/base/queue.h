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

/* Items that the reader does not see yet: the one `ahead` of the next free place. There is room. */
static inline void ct_queue_write(ct_queue *q, uint32_t ahead, const void *item) {
  uint32_t at = atomic_load_explicit(&q->tail, memory_order_relaxed) + ahead;
  memcpy(ct_queue_item(q, at < 2 * q->capacity ? at : at - 2 * q->capacity), item, q->item_size);
}

/* Now he does, all of them. */
static inline void ct_queue_publish(ct_queue *q, uint32_t count) {
  uint32_t at = atomic_load_explicit(&q->tail, memory_order_relaxed) + count;
  atomic_store_explicit(&q->tail, at < 2 * q->capacity ? at : at - 2 * q->capacity, memory_order_release);
}

static inline bool ct_queue_push(ct_queue *q, const void *item) {
  if (ct_queue_room(q) == 0)
    return false;
  ct_queue_write(q, 0, item);
  ct_queue_publish(q, 1);
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
