/* How a tone pulsates: rate and depth of the repetition in its envelope. */
#ifndef CT_FIT_PULSE_H
#define CT_FIT_PULSE_H

#include <contatto/measure.h>

/* From `count` values of an envelope, `rate_hz` a second. NAN and 0 without a repetition from two periods of
 * it up to hi_hz. Changes the envelope. [setup] */
ct_measured_modulation ct_pulse_measure(double *envelope, size_t count, double rate_hz, double hi_hz);

#endif
