/* Sums over the samples of a recording, kept by block and band, so that only the first of many poles that are
 * near to each other takes a pass over the samples. */
#ifndef CT_MODES_MOMENTS_H
#define CT_MODES_MOMENTS_H

#include "modes/fit.h"

enum { CT_MOMENT_BLOCK = 512, CT_MOMENT_ORDER = 16 };

typedef struct ct_moments ct_moments;

/* Of samples x[0 .. count) that stay where and as they are; null without memory. */
ct_moments *ct_moments_make(const double *x, size_t count, double rate_hz);
void ct_moments_free(ct_moments *m); /* null is fine */

/* Adds sum x z^n to *x0 and sum n x z^n to *x1 over the whole blocks among n = *from .. *to - 1, n counted
 * from `start`, a place in x; then *from .. *to is what they cover. False, and nothing is done: there is
 * none, the pole falls too fast, or no memory. */
bool ct_moments_sum(ct_moments *m, const double *start, ct_pole pole, size_t *from, size_t *to,
                    double complex *x0, double complex *x1);

/* Samples that were read to fill blocks, each once for every band. */
size_t ct_moments_reads(const ct_moments *m);

#endif
