/* The columns of --motion and --energy: what to read at every sample, and under which name to write it. */
#ifndef CT_CLI_COLUMNS_H
#define CT_CLI_COLUMNS_H

#include "hosts/cli/cli.h"

typedef struct cli_columns {
  const char **paths; /* to be resolved in the scene; free() each */
  const char **names; /* in the table; point into paths */
  uint32_t count;
} cli_columns;

/* The states of all parts: what the schema marks as such, in order of kinds and names. With patterns, only
 * those whose short or long path matches one of them (*, ? and [] as in file names). A pattern that matches
 * no state chooses parameters, modes and controls instead; one that matches nothing is an error. */
ct_result cli_columns_add_motion(cli_columns *columns, const ct_scene *scene, const cli_list *patterns,
                                 ct_error *error);
/* What the schema lists under "energy". */
ct_result cli_columns_add_energy(cli_columns *columns, ct_error *error);
void cli_columns_free(cli_columns *columns);

#endif
