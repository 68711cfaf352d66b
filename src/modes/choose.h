/* Few modes for many: which of them to keep when there is room for some only. */
#ifndef CT_MODES_CHOOSE_H
#define CT_MODES_CHOOSE_H

#include "modes/fit.h"

/* Leaves `most` modes in the fit: those that together come nearest to segment g in log-spectral distance.
 * They stand for the others, too: gain and decay of each are moved until the levels of the cells it is heard
 * in are nearest to what was recorded, and a band in which nothing rings, between lo_hz and hi_hz, may get a
 * mode of its own. False without memory. */
bool ct_choose(ct_fit *fit, uint32_t g, uint32_t most, double lo_hz, double hi_hz);

#endif
