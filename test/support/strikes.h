/* Synthetic strikes with known modes, and the Cramér-Rao bound of what can be known about them. */
#ifndef CT_TEST_STRIKES_H
#define CT_TEST_STRIKES_H

#include <stddef.h>
#include <stdint.h>

enum { CT_KNOWN_MOST = 256 }; /* modes of a strike */

typedef struct known_mode {
  double hz, t60_s, gain, phase_rad;
  /* standard deviations that no unbiased estimate can fall below */
  double hz_bound, t60_bound_s, gain_bound;
  double over_db; /* energy that no other mode can take over, over the noise's power per sample */
} known_mode;

double strike_random(uint64_t *state); /* 0 .. 1 */
double strike_normal(uint64_t *state);

/* gain cos(2 pi hz t + phase) 10^(-3 t / t60) of each, added from sample `start` on. */
void strike_add(const known_mode *modes, uint32_t count, double rate_hz, size_t start, double *samples,
                size_t length);
void strike_add_noise(double rms, uint64_t *state, double *samples, size_t length);

/* Fills the bounds, for `length` samples from the strike on in white noise: the inverse of Fisher's matrix of
 * all 4 count parameters together, summed sample by sample. Takes the instant of the strike as known. */
void strike_bounds(known_mode *modes, uint32_t count, double rate_hz, size_t length, double noise_rms);

/* Adds to gain_bound what is lost because nobody tells the instant of the strike, sample `start` of the
 * recording: a gain is the one at that instant, g e^(-s h) where it is thought to be h later. The instant has
 * no derivative and so no place in Fisher's matrix. Whoever knows everything else still has to guess h from
 *
 *   log P(h | x) = sum over n >= h of (2 x m - m^2) / (2 v) + const,  m the modes, v the noise's power
 *
 * and no guess has a smaller mean square error than the variance of g e^(-s h) under that probability, which
 * is added to the square of the bound. */
void strike_bounds_add_instant(known_mode *modes, uint32_t count, double rate_hz, double noise_rms,
                               const double *samples, size_t start);

#endif
