/* What the sound cannot tell apart at the end of a search. */
#ifndef CT_FIT_ALIKE_H
#define CT_FIT_ALIKE_H

#include "fit/fit.h"

/* Fills `alike` of what was found. [setup] */
ct_result ct_match_find_alike(const ct_seek_def *search, ct_match_found *found, ct_error *error);

#endif
