/* Whether this is `./check long`, which draws many more cases at random and walks every case of a sweep. */
#ifndef CT_TEST_LONG_RUN_H
#define CT_TEST_LONG_RUN_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool long_run(void) {
  const char *set = getenv("CT_LONG");
  return set && set[0] == '1';
}

#endif
