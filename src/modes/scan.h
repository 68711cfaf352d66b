/* Where in a residual another mode may be, and how loud the noise is there. */
#ifndef CT_MODES_SCAN_H
#define CT_MODES_SCAN_H

#include "modes/fit.h"

enum { CT_NOISE_BANDS = 32 };

/* Noise power per sample (of a white noise as dense as the noise is at that frequency), on a scale even in
 * ERB; between the middles of bands it runs straight in log. */
typedef struct ct_noise {
  double rate_hz;
  double least; /* power per sample: what the recording's own steps make, whatever is seen */
  double power[CT_NOISE_BANDS];
} ct_noise;

double ct_noise_at(const ct_noise *noise, double hz);

typedef struct ct_candidate {
  ct_pole pole;
  double over; /* energy over the noise's share of it: exponential with mean 1 where there is noise only */
} ct_candidate;

/* How far `over` must reach for a false alarm in that share of recordings of so many samples. */
double ct_scan_threshold(double false_alarms, size_t count);

/* All candidates over the threshold between lo_hz and hi_hz that no stronger one explains, strongest first:
 * at most `most`, returns how many. Fills the noise; `settled`: nothing was found any more. Negative: no
 * memory. */
int ct_scan(const ct_segment *residual, bool settled, double lo_hz, double hi_hz, double threshold,
            ct_noise *noise, ct_candidate *found, int most);

#endif
