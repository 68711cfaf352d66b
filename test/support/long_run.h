/* Whether this is `./check long`, which draws many more cases at random and walks every case of a sweep. */
#ifndef CT_TEST_LONG_RUN_H
#define CT_TEST_LONG_RUN_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline bool long_run(void) {
  const char *set = getenv("CT_LONG");
  return set && set[0] == '1';
}

/* `fixed` for ./check; a seed nobody has seen for the long run, which is printed. CT_SEED gives one back. */
static inline uint64_t long_run_seed(uint64_t fixed) {
  const char *given = getenv("CT_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 10) : long_run() ? (uint64_t)time(NULL) * 1000 : fixed;
  if (given || long_run())
    printf("CT_SEED=%" PRIu64 "\n", seed);
  return seed;
}

#endif
