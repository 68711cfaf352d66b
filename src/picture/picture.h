/* A picture of a sound: its waveform over its spectrogram, as a PNG drawn by gnuplot. */
#ifndef CT_PICTURE_PICTURE_H
#define CT_PICTURE_PICTURE_H

#include <contatto/base.h>

/* False, and in `missing` nothing else to be done, when there is no gnuplot: the caller goes on without
 * pictures. [setup] */
bool ct_picture_possible(void);

/* [setup] */
ct_result ct_picture_draw(const char *png, const char *title, const double *samples, size_t count,
                          double rate_hz, ct_error *error);

#endif
