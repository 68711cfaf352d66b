/* Levels of a sound in cells of time and frequency: what log-spectral distances are made of. */
#ifndef CT_MODES_DISTANCE_H
#define CT_MODES_DISTANCE_H

#include "modes/fit.h"

enum { CT_CELL_BANDS = 30 };
#define CT_CELL_HOP_S 0.01

/* How a sound is cut: samples of a frame and from one to the next, points of the transform, and the first bin
 * of each band, one more of them than bands. Frames have Hann's window. */
void ct_cells_layout(double rate_hz, size_t *frame, size_t *hop, size_t *points,
                     size_t edges[CT_CELL_BANDS + 1]);
/* Frames of a sound, over its first second at most. */
size_t ct_cells_frames(size_t count, double rate_hz);
/* Power in cells[frame * CT_CELL_BANDS + band]. False without memory. */
bool ct_cells_fill(const double *samples, size_t count, double rate_hz, double *cells);
double ct_cells_middle_hz(uint32_t band, double rate_hz);
/* 60 dB under the loudest cell. */
double ct_cells_floor(const double *cells, size_t frames);

#endif
