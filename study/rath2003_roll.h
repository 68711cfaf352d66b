/* A ball over heights that are at hand, for this study's figures. */
#ifndef CT_STUDY_RATH2003_ROLL_H
#define CT_STUDY_RATH2003_ROLL_H

#include <contatto/base.h>

/* path[i] of a ball over `count` heights at `step_m`; its first and last r / step_m places are not known and
 * stay as they are. `comparisons`, when wanted, counts those of arcs. */
ct_result rath_roll(const double *heights_m, size_t count, double step_m, double radius_m, double *path_m,
                    uint64_t *comparisons, ct_error *error);

#endif
