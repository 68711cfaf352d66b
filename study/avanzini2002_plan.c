/* Maps are sweeps: each is a plan beside this file, which `contatto sweep NAME` runs as well. */
#include "base/text.h"
#include "study/avanzini2002.h"
#include "sweep/folder.h"
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

ct_result bowed_run_plan(const char *name, uint32_t sounds, uint32_t numbers, double **found,
                         ct_error *error) {
  ct_sweep_plan *plan = NULL;
  double *cells = NULL;
  const size_t row = 1 + (size_t)numbers; /* warnings come first */
  ct_result result = ct_sweep_plan_read(name, &plan, error);
  if (result == CT_OK && (plan->count != sounds || ct_sweep_cell_count(plan) != row))
    result = ct_fail(error, CT_BAD_FILE, "%s: the plan is not for this map", name);
  if (result == CT_OK && !(cells = calloc(sounds * row, sizeof *cells)))
    result = ct_fail(error, CT_NO_MEMORY, "no memory for a map");
  if (result == CT_OK)
    result = ct_sweep_measure(plan, cells, error);
  for (size_t k = 0; k < sounds && result == CT_OK; k++)
    memmove(cells + k * numbers, cells + k * row + 1, numbers * sizeof *cells);
  ct_sweep_plan_free(plan);
  if (result == CT_OK)
    *found = cells;
  else
    free(cells);
  return result;
}
