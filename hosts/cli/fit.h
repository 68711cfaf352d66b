/* What `contatto fit` tells: as text and as JSON. */
#ifndef CT_CLI_FIT_H
#define CT_CLI_FIT_H

#include "fit/fit.h"
#include "hosts/cli/cli.h"

void fit_print(const ct_match_def *def, const ct_match_found *found);
json_t *fit_tree(const ct_match_def *def, const ct_match_found *found);

#endif
