/* The ERB-rate scale of Glasberg and Moore (1990): bands of equal width on it are equally wide to the ear. */
#ifndef CT_MODES_ERB_H
#define CT_MODES_ERB_H

#include <math.h>

static inline double ct_erb_rate(double hz) { return 21.4 * log10(1 + 0.00437 * hz); }
static inline double ct_erb_hz(double rate) { return (pow(10, rate / 21.4) - 1) / 0.00437; }

#endif
