/* Amplitudes of known poles from samples that are looked at one after the other, the last first. */
#ifndef CT_MODES_BACKWARD_H
#define CT_MODES_BACKWARD_H

#include "modes/fit.h"

typedef struct ct_backward {
  uint32_t modes, n; /* n = 2 modes */
  double *a;         /* [n] Re and Im of each amplitude at the sample looked at last */
  double *p; /* [n * n] their covariance, in units of the noise's power: blocks of two up to the diagonal */
  double complex *turn; /* [modes] 1 / z */
  double *gain;         /* [n] */
} ct_backward;

/* What the samples from `skip` on say about amplitudes of these poles. False without memory. */
bool ct_backward_init(ct_backward *b, const ct_pole *poles, uint32_t modes, const ct_segment *segment,
                      size_t skip);
void ct_backward_free(ct_backward *b);

/* Goes one sample back, and looks at it: x. Returns by how much it was off what later ones let expect, and
 * the variance (in units of the noise's) with which they do. */
double ct_backward_step(ct_backward *b, double x, double *variance);

#endif
