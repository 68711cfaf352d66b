/* Rows of an array whose struct has grown. */
#include "base/sized.h"

#include <stdlib.h>

const void *ct_take_rows(const void *rows, uint32_t count, uint32_t stride, const void *standard, size_t own,
                         void **made) {
  if (!rows || count == 0 || stride == 0 || stride == own)
    return rows;
  unsigned char *copy = (unsigned char *)calloc(count, own);
  *made = copy;
  for (uint32_t i = 0; copy && i < count; i++) {
    memcpy(copy + i * own, standard, own);
    if (!ct_take_bytes(copy + i * own, own, (const unsigned char *)rows + (size_t)i * stride, stride))
      return NULL;
  }
  return copy;
}

void ct_rows_drop(void *made) {
  if (made)
    free(made);
}
