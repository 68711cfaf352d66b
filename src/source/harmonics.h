/* All harmonics of a pitch at once, sum over k of k^-a sin(k theta), faded out before Nyquist, at the same
 * cost whether there are two of them or twenty thousand. */
#ifndef CT_SOURCE_HARMONICS_H
#define CT_SOURCE_HARMONICS_H

#include <stdint.h>

#define CT_HARMONIC_TERMS 24u /* decays at most */
#define CT_HARMONIC_BLOCK 8u  /* samples computed together, even */

#define CT_HARMONIC_HZ_MIN 1.0
#define CT_HARMONIC_HZ_MAX 10000.0
#define CT_HARMONIC_EXPONENT_MAX 4.0

typedef struct ct_harmonics ct_harmonics;
typedef void ct_harmonics_kernel(const ct_harmonics *h, const double turns[CT_HARMONIC_BLOCK],
                                 double out[CT_HARMONIC_BLOCK]);

struct ct_harmonics {
  ct_harmonics_kernel *kernel;
  double full_hz, none_hz; /* harmonics are whole up to the one and gone at the other */
  double hz[2], exponent;  /* that the numbers below are for: f0 from the block's start to its end */
  /* k^-a as a sum of geometric series, share exp(-k t), share ~ t^a: t halves from term to term */
  double dyadic_decay[CT_HARMONIC_TERMS], dyadic_loss[CT_HARMONIC_TERMS], dyadic_power[CT_HARMONIC_TERMS];
  double rest_share[2], rest_t[2]; /* all slower ones as two, in units of the slowest dyadic one's */
  double norm;                     /* ln 2 / Gamma(a) */
  /* the terms for this pitch, slowest first: t, share, exp(-t), 1 - exp(-t) */
  double t[CT_HARMONIC_TERMS], share[CT_HARMONIC_TERMS];
  double decay[CT_HARMONIC_TERMS], loss[CT_HARMONIC_TERMS];
  double knot[2][CT_HARMONIC_TERMS]; /* what is left of a term at both ends of the fade, order[] */
  uint32_t reach, count;             /* terms that reach the fade, all terms */
  double order[2];                   /* the fade's ends as k: whole part plus one */
  /* and the rest, and one over the fade's width: at the block's start, and per sample */
  double part[2], part_step[2], narrow, narrow_step;
};

/* [any] Exponent 0 .. 4. */
void ct_harmonics_init(ct_harmonics *h, double rate_hz, double exponent);
void ct_harmonics_set_exponent(ct_harmonics *h, double exponent);

/* [any] The fundamental over the block to come, from its first sample to the one after its last: harmonics
 * fade with it. */
void ct_harmonics_set_hz(ct_harmonics *h, double from_hz, double to_hz);

/* [any] The sum at theta = 2 pi turns, -1/2 <= turns <= 1/2, for a block of samples. */
void ct_harmonics_block(const ct_harmonics *h, const double turns[CT_HARMONIC_BLOCK],
                        double out[CT_HARMONIC_BLOCK]);

/* The inner loop for each instruction set this machine can run, the fastest first, null beyond the last. */
ct_harmonics_kernel *ct_harmonics_kernel_at(uint32_t index);

#endif
