/* A search under way: the batch of points asked for last, and the best of all. Shared by its local and global
 * parts. */
#ifndef CT_FIT_SEEKER_H
#define CT_FIT_SEEKER_H

#include "base/random.h"
#include "fit/search.h"

#include <math.h>

typedef struct ct_seeker {
  const ct_seek_def *def;
  ct_seek_found *found;
  ct_random random;
  double *points, *residuals, *costs; /* of the batch */
  size_t room;
} ct_seeker;

static inline double ct_seeker_clip(double share) { return fmin(fmax(share, 0), 1); }

/* Square of the distance of two points of n numbers. */
static inline double ct_seeker_apart(const double *a, const double *b, uint32_t n) {
  double sum = 0;
  for (uint32_t j = 0; j < n; j++)
    sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/* For a batch of `count` points. [setup] */
ct_result ct_seeker_make_room(ct_seeker *seeker, uint32_t count, ct_error *error);
/* Asks for the first `count` points of the batch. [setup] */
ct_result ct_seeker_ask(ct_seeker *seeker, uint32_t count, ct_error *error);
/* Every measure of the best point is well within its tolerance: nothing more to search for. [setup] */
bool ct_seeker_is_good(const ct_seeker *seeker);

#endif
