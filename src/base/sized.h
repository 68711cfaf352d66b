/* Structs that grow. A caller says how large the struct is that he was compiled with (sizeof, by the inline
 * functions of the headers); fields are only ever added at the end. So
 *
 *   an older caller's is shorter: what is read from it ends early, and this library's standard values stand
 * in for the rest; what is written to it ends where it ends; a newer caller's is longer: what lies beyond
 * must be zero, that is, not asked for. */
#ifndef CT_BASE_SIZED_H
#define CT_BASE_SIZED_H

#include <contatto/base.h>

#include <string.h>

/* What every definition begins with. */
typedef struct ct_def_head {
  uint32_t cookie, size;
} ct_def_head;

static inline bool ct_is_zero(const void *bytes, size_t count) {
  const unsigned char *b = (const unsigned char *)bytes;
  for (size_t i = 0; i < count; i++)
    if (b[i])
      return false;
  return true;
}

/* `whole`, which holds `count` bytes of standard values, takes what was given; false when more was asked for
 * than there is. */
static inline bool ct_take_bytes(void *whole, size_t count, const void *given, size_t size) {
  memcpy(whole, given, size < count ? size : count);
  return size <= count || ct_is_zero((const unsigned char *)given + count, size - count);
}

/* The same for a definition: false as well when it was not made by its default function. */
static inline bool ct_take_def(void *whole, const void *given) {
  ct_def_head own, head;
  memcpy(&own, whole, sizeof own);
  if (!given)
    return false;
  memcpy(&head, given, sizeof head);
  if (head.cookie != own.cookie || head.size < sizeof head ||
      !ct_take_bytes(whole, own.size, given, head.size))
    return false;
  memcpy(whole, &own, sizeof own);
  return true;
}

/* The caller's struct takes what there is. */
static inline void ct_give_bytes(void *to, uint32_t size, const void *whole, size_t count) {
  memcpy(to, whole, size < count ? size : count);
  if (size > count)
    memset((unsigned char *)to + count, 0, size - count);
}

/* Rows of an array, each `stride` bytes (0: as this library has them), as rows of this library: those given,
 * or *made, which is the caller's to free. Null: no memory, or more was asked for than there is. */
const void *ct_take_rows(const void *rows, uint32_t count, uint32_t stride, const void *standard, size_t own,
                         void **made);
void ct_rows_drop(void *made); /* null: nothing was made, and nobody is called */

#endif
