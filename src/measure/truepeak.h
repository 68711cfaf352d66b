/* Peak of the waveform between the samples. */
#ifndef CONTATTO_MEASURE_TRUEPEAK_H
#define CONTATTO_MEASURE_TRUEPEAK_H

#include <stddef.h>

/* Largest |value| of all channels after band-limited interpolation, in dB (dBTP of ITU-R BS.1770-4 annex 2).
 */
double ct_true_peak_db(const double *interleaved, size_t frames, size_t channels, double rate_hz);

#endif
