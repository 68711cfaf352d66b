/* Few modes for many: which of them to keep when there is room for some only. */
#ifndef CT_MODES_CHOOSE_H
#define CT_MODES_CHOOSE_H

#include "modes/distance.h"
#include "modes/fit.h"

enum { CT_STAND_INS = 3 * CT_CELL_BANDS }; /* so much room a fit must have for them */

typedef struct ct_choice {
  uint32_t most;
  double lo_hz, hi_hz; /* stand-ins are between these */
} ct_choice;

/* Leaves `most` modes in the fit: those that together come nearest to segment g in log-spectral distance.
 * They stand for the others, too: gain and decay of each are moved until the levels of the cells it is heard
 * in are nearest to what was recorded, and a band in which nothing rings may get modes that stand for
 * it. False without memory. */
bool ct_choose(ct_fit *fit, uint32_t g, const ct_choice *choice);

#endif
