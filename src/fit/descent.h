/* A local search: Levenberg and Marquardt on weighted residuals. Slopes are differences, taken once and then
 * corrected by what every step found (Broyden 1965) as long as steps go well. */
#ifndef CT_FIT_DESCENT_H
#define CT_FIT_DESCENT_H

#include "fit/seeker.h"

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

#endif
