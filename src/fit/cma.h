/* CMA-ES (Hansen, "The CMA Evolution Strategy: A Tutorial", 2016). */
#ifndef CT_FIT_CMA_H
#define CT_FIT_CMA_H

#include "fit/seeker.h"

/* Asks for at most `most` points around `from`. With a higher round it looks farther around. [setup] */
ct_result ct_cma_run(ct_seeker *seeker, const double *from, uint32_t round, uint32_t most, ct_error *error);

#endif
