/* How likely the first moments of a strike in a room are, given its modes and what the room is like.
 *
 * A room answers every sample of the direct sound with a tail r that falls like its reverberation: a strike
 * sounds like m + r * m, m its modes. r[n] is taken as random, normal, of the variance
 *
 *   level (2 fall / rate) e^(-2 fall n / rate),  fall = ln(1000) / t60
 *
 * so that `level` is the energy of the room's answer, of the direct sound's as 1. r[0] is there as well: the
 * instant of a strike is not always known to the sample. */
#ifndef CT_MODES_TAIL_H
#define CT_MODES_TAIL_H

#include "modes/fit.h"

typedef struct ct_tail {
  const double *x; /* from the strike on */
  size_t count;
  double rate_hz, noise; /* noise: power of a sample of what is beside the strike */
  uint32_t most, modes;  /* the first `fixed` of them have poles that are known */
  uint32_t fixed;
  ct_pole *poles;
  double complex *c; /* amplitudes of the direct sound at sample 0 */
  double level, fall;
  /* of the pass that told the likelihood */
  double *gains;         /* [sample * 2 modes] */
  double *off;           /* [sample] by how much it was off what was expected, */
  double *spread;        /* and the variance with which it was */
  double *starts;        /* [block] amplitudes and their covariance at its first sample */
  double *views;         /* [sample of a block * 2 modes] what each amplitude gives to a sample, */
  double *pushes;        /* how the tail pushes amplitudes there, */
  double complex *turns; /* and by what they turn in a whole block */
  double *scratch;
  bool expected_only; /* slopes and information are those of what is expected of samples, not of how they
                         scatter */
} ct_tail;

/* The parameters, in the order of slopes and information: Re and Im of each amplitude, log level, log fall,
 * then omega and log decay of each pole that is not fixed. */
static inline uint32_t ct_tail_parameters(const ct_tail *t) { return 4 * t->modes + 2 - 2 * t->fixed; }

/* Room for `most` modes; none are set, nor the room. False without memory. */
bool ct_tail_init(ct_tail *t, const double *x, size_t count, double rate_hz, uint32_t most);
void ct_tail_free(ct_tail *t);

/* The log likelihood, but for a constant. */
double ct_tail_likelihood(ct_tail *t);

/* Its derivatives by all parameters; after ct_tail_likelihood, as nothing has changed since. */
void ct_tail_slopes(ct_tail *t, double *slopes);

/* Fisher's information about all parameters, matrix[parameters^2]; as ct_tail_slopes. */
bool ct_tail_information(const ct_tail *t, double *matrix);

#endif
