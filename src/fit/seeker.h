/* A search under way: the batch of points asked for last, and the best of all. Shared by its local and global
 * parts. */
#ifndef CT_FIT_SEEKER_H
#define CT_FIT_SEEKER_H

#include "base/hash.h"
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

/* ---- descent.c: a local search ---- */

/* Levenberg and Marquardt on weighted residuals. Slopes are differences, taken once and then corrected by
 * what every step found (Broyden 1965) as long as steps go well. */
enum { CT_DESCENT_DAMPINGS = 4, CT_DESCENT_FAILS_MOST = 4 };

typedef struct ct_descent {
  double start[CT_SEARCH_MOST], point[CT_SEARCH_MOST], cost, damping, width;
  double *residuals, *jacobian;
  uint32_t fails, stages;
  bool fresh, known; /* slopes: taken at this very point; good enough to go on with */
} ct_descent;

/* [setup] */
ct_result ct_descent_start(const ct_seeker *seeker, const double *from, ct_descent *descent, ct_error *error);
void ct_descent_free(ct_descent *descent); /* zeros are fine */
/* To a point of the batch asked for last. [setup] */
void ct_descent_move(const ct_seeker *seeker, uint32_t index, ct_descent *descent);
/* For about as many points as `rounds` with new slopes ask for, until `most` were asked for in all, all is
 * good, or it has failed too often. [setup] */
ct_result ct_descent_go(ct_seeker *seeker, ct_descent *descent, uint32_t rounds, uint32_t most,
                        ct_error *error);

/* ---- cma.c: a global search ---- */

/* CMA-ES (Hansen, "The CMA Evolution Strategy: A Tutorial", 2016): asks for at most `most` points around
 * `from`. With a higher round it looks farther around. [setup] */
ct_result ct_cma_run(ct_seeker *seeker, const double *from, uint32_t round, uint32_t most, ct_error *error);

#endif
