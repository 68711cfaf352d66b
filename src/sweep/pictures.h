/* The pictures of a data set. */
#ifndef CT_SWEEP_PICTURES_H
#define CT_SWEEP_PICTURES_H

#include "sweep/columns.h"
#include "sweep/sweep.h"

/* histograms.png and contact.png; wants gnuplot and a sound that did not fail. [setup] */
ct_result ct_sweep_draw(const ct_sweep_def *def, const ct_sweep_rows *rows, ct_sweep_columns *columns,
                        ct_error *error);

#endif
