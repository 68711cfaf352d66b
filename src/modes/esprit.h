/* Poles of one narrow band. */
#ifndef CT_MODES_ESPRIT_H
#define CT_MODES_ESPRIT_H

#include "modes/fit.h"

enum { CT_BAND_SAMPLES = 72, CT_BAND_MODES = 10 };

/* The band around a frequency, shifted to 0 Hz, low-passed and decimated: an analytic signal in which each
 * mode is one complex exponential. */
typedef struct ct_band {
  double omega;      /* rad/s: what became 0 Hz */
  double half_hz;    /* modes up to here on both sides */
  double rate_hz;    /* after decimation: four times half_hz */
  double decimation; /* samples per band sample */
  uint32_t count;
  double complex y[CT_BAND_SAMPLES];
} ct_band;

/* How wide that is made around a mode, from its middle to the edge. */
double ct_band_half_hz(ct_pole around);

/* Around a candidate as wide as its decay asks for. The modes of `fit` within it are put back, from
 * `segment`'s amplitudes; fit may be null. */
bool ct_band_make(ct_band *band, const ct_segment *residual, ct_pole around, const ct_fit *fit,
                  uint32_t segment);

/* Its poles by ESPRIT, of the order that the noise power (per sample, before the band was made) asks for: at
 * most CT_BAND_MODES. Returns how many. */
uint32_t ct_band_poles(const ct_band *band, double noise_power, double threshold, ct_pole *poles);

#endif
