/* Where the compiler's own idea of what to inline costs nanoseconds: the way taken at every sample in one
 * piece, and what is seldom taken out of it. */
#ifndef CT_BASE_INLINE_H
#define CT_BASE_INLINE_H

#define CT_INLINE static inline __attribute__((always_inline))
#define CT_OUTLINE static __attribute__((noinline))

#endif
