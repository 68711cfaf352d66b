/* Open addressing, at most half full. */
#include "document/doc.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, its high bits mixed into the low ones that choose the slot. */
static uint32_t hash_of(const char *name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *name; name++)
    hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  return (uint32_t)(hash ^ hash >> 32);
}

uint32_t ct_names_find(const ct_names *n, const char *name, ct_name_of *name_of, const void *list) {
  if (n->size == 0)
    return CT_NO_NAME;
  for (uint32_t at = hash_of(name);; at++) {
    uint32_t slot = n->slots[at & (n->size - 1)];
    if (slot == 0)
      return CT_NO_NAME;
    if (strcmp(name_of(list, slot - 1), name) == 0)
      return slot - 1;
  }
}

static void put(uint32_t *slots, uint32_t size, const char *name, uint32_t index) {
  uint32_t at = hash_of(name);
  while (slots[at & (size - 1)])
    at++;
  slots[at & (size - 1)] = index + 1;
}

static bool grow(ct_names *n, ct_name_of *name_of, const void *list) {
  uint32_t size = n->size ? 2 * n->size : 16;
  uint32_t *slots = calloc(size, sizeof *slots);
  if (!slots)
    return false;
  for (uint32_t i = 0; i < n->size; i++)
    if (n->slots[i])
      put(slots, size, name_of(list, n->slots[i] - 1), n->slots[i] - 1);
  free(n->slots);
  n->slots = slots;
  n->size = size;
  return true;
}

bool ct_names_add(ct_names *n, uint32_t index, ct_name_of *name_of, const void *list) {
  if (2 * (n->used + 1) > n->size && !grow(n, name_of, list))
    return false;
  put(n->slots, n->size, name_of(list, index), index);
  n->used++;
  return true;
}

/* What follows without a gap may have been pushed away from its own slot: each is put in anew. */
void ct_names_remove(ct_names *n, uint32_t index, ct_name_of *name_of, const void *list) {
  uint32_t at = n->size ? hash_of(name_of(list, index)) : 0, mask = n->size - 1;
  while (n->size && n->slots[at & mask] && n->slots[at & mask] != index + 1)
    at++;
  if (n->size == 0 || n->slots[at & mask] == 0)
    return;
  n->slots[at & mask] = 0;
  n->used--;
  for (at++; n->slots[at & mask]; at++) {
    uint32_t moved = n->slots[at & mask] - 1;
    n->slots[at & mask] = 0;
    put(n->slots, n->size, name_of(list, moved), moved);
  }
}

void ct_names_clear(ct_names *n) {
  free(n->slots);
  *n = (ct_names){0};
}
