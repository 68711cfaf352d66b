/* 1 in builds with sanitizers, where everything takes several times as long. */
#ifndef CT_TEST_INSTRUMENTED_H
#define CT_TEST_INSTRUMENTED_H

#include <stdbool.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                                   \
    __has_feature(undefined_behavior_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED 0
#endif

/* Whether the sanitizers have time for all that an ordinary run does: `./check long` says so. */
static inline bool sanitized_long(void) {
  const char *set = getenv("CT_SANITIZED_LONG");
  return set && *set == '1';
}

/* What an ordinary build goes through case by case is told in part where a sanitizer looks on. */
static inline bool is_brief(void) { return INSTRUMENTED && !sanitized_long(); }

#endif
