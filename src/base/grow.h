/* Arrays that grow. For the parts beside the core, which may allocate. */
#ifndef CT_BASE_GROW_H
#define CT_BASE_GROW_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Room for `wanted` items of `size` bytes in *items, a pointer to any array; it doubles, so that adding one
 * by one takes no longer than it should. False without memory: everything is as it was. [setup] */
static inline bool ct_grow(void *items, size_t *room, size_t wanted, size_t size) {
  void *from, *to;
  if (wanted <= *room)
    return true;
  const size_t more = wanted > 2 * *room ? wanted : 2 * *room;
  memcpy(&from, items, sizeof from);
  if (!(to = realloc(from, more * size)))
    return false;
  memcpy(items, &to, sizeof to);
  *room = more;
  return true;
}

#endif
