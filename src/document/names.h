/* Finding things in a list by name: a hash table of their indices. The names stay where they are and are
 * asked for.
 */
#ifndef CT_DOCUMENT_NAMES_H
#define CT_DOCUMENT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define CT_NO_NAME UINT32_MAX

/* Starts as zeros. */
typedef struct ct_names {
  uint32_t *slots; /* index + 1; 0: free */
  uint32_t size;   /* a power of two, or 0 */
  uint32_t used;
} ct_names;

/* The name of the index-th item of a list. */
typedef const char *ct_name_of(const void *list, uint32_t index);

/* The index of the first item added under that name, or CT_NO_NAME. */
uint32_t ct_names_find(const ct_names *names, const char *name, ct_name_of *name_of, const void *list);
/* False without memory, and then nothing has changed. */
bool ct_names_add(ct_names *names, uint32_t index, ct_name_of *name_of, const void *list);
/* While the item still has its name. */
void ct_names_remove(ct_names *names, uint32_t index, ct_name_of *name_of, const void *list);
void ct_names_clear(ct_names *names);

#endif
