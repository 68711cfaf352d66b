/* The columns of --motion and --energy: what to read at every sample, and under which name to write it. */
#ifndef CT_CLI_COLUMNS_H
#define CT_CLI_COLUMNS_H

#include <contatto/doc.h>

typedef struct cli_columns {
  const char **paths; /* to be resolved in the scene; free() each */
  const char **names; /* in the table; point into paths */
  uint32_t count;
} cli_columns;

/* Every point's displacement and velocity, bodies in alphabetical order, then every contact's force. False:
 * no memory. */
bool cli_columns_add_motion(cli_columns *columns, const ct_doc *doc);
/* What the schema lists under "energy". */
bool cli_columns_add_energy(cli_columns *columns);
void cli_columns_free(cli_columns *columns);

#endif
