/* The limiter every live host ends in: scenes are not normalised behind anybody's back, so a blow may be far
 * over full scale, and loudspeakers and ears want protection. Below its ceiling it changes nothing but the
 * time: samples come out as they went in, bit for bit, ct_limiter_latency() later. */
#ifndef CONTATTO_LIMITER_H
#define CONTATTO_LIMITER_H

#include "base.h"

CT_DECLARATIONS_BEGIN

typedef struct ct_limiter ct_limiter;

typedef struct ct_limiter_def {
  uint32_t cookie, size;
  double rate_hz;
  uint32_t channels; /* 1 to 8, turned down together; a scene of more outputs wants several limiters */
  double ceiling_db; /* no sample leaves above it; true peaks stay within 0.6 dB of it */
  double release_s;  /* time in which the gain comes back by 63 % */
} ct_limiter_def;

CT_API void ct_fill_limiter_def(ct_limiter_def *def,
                                uint32_t size); /* [any] -1 dB, 0.1 s, 2 channels, 48 kHz */
static inline ct_limiter_def ct_default_limiter_def(void) {
  ct_limiter_def def;
  ct_fill_limiter_def(&def, (uint32_t)sizeof def);
  return def;
}

/* With malloc. [setup] */
CT_API ct_result ct_limiter_create(const ct_limiter_def *def, ct_limiter **limiter, ct_error *error);
CT_API void ct_limiter_destroy(ct_limiter *limiter); /* [setup] null is fine */

/* In place. What is not finite becomes silence and is counted. [audio] */
CT_API void ct_limiter_process(ct_limiter *limiter, float *const *channels, uint32_t frames);

/* What was taken in so far leaves fading to nothing within the latency; what is taken in from now on follows
 * as ever. For a host that learns that its scene is of no use any more: it calls this instead of passing on
 * the block it learnt it by, then passes on silence, or something that begins in silence. [audio] */
CT_API void ct_limiter_fade_out(ct_limiter *limiter);

CT_API uint32_t ct_limiter_latency(const ct_limiter *limiter); /* [any] samples */
/* The lowest gain since this was last asked, 0 to 1; 1: nothing was touched. [audio] */
CT_API double ct_limiter_gain(ct_limiter *limiter);
CT_API uint64_t ct_limiter_dropped(const ct_limiter *limiter); /* [audio] samples that were not finite */

CT_DECLARATIONS_END

#endif
