/* Whether what was fitted as one mode is two. */
#ifndef CT_MODES_SPLIT_H
#define CT_MODES_SPLIT_H

#include "modes/fit.h"

/* What the residual says for two modes in the place of this one, as `over` of scan.h: exponential with mean 1
 * where there is noise only; and where the two may be. */
double ct_split_over(const ct_segment *residual, ct_pole pole, double complex amplitude, double noise,
                     ct_pole pair[2]);

#endif
