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

enum { CT_TAIL_BLOCK = 16 }; /* samples that are looked at together */

typedef struct ct_tail {
  const double *x; /* from the strike on */
  size_t count;
  double rate_hz, noise; /* noise: power of a sample of what is beside the strike */
  uint32_t most, modes;  /* the first `fixed` of them have poles that are known */
  uint32_t fixed;
  ct_pole *poles;
  double complex *c; /* amplitudes of the direct sound at sample 0 */
  double level, fall;
  bool expected_only; /* slopes and information are those of what is expected of samples, not of how they
                         scatter */
  /* Of the pass that told the likelihood. Vectors of n = 2 width numbers have the real parts of all modes
   * first, then the imaginary ones; where modes are odd, a silent one follows them. */
  uint32_t width;
  double *off; /* [sample of all blocks] by how much it was off what was expected, in standard deviations */
  double *blocks;  /* see ct_tail_block_of */
  double *views;   /* [sample of a block][n] what each amplitude at its first sample gives to a sample, */
  double *across;  /* [n][sample of a block] the same, */
  double *pushes;  /* [sample of a block][n] how the tail pushes amplitudes, told at the first sample, */
  double *turns;   /* [n] and by what they turn in a whole block */
  double *answers; /* [BLOCK] the direct sound's own first samples; of one push of the size 1 each: */
  double *spread;  /* [BLOCK][BLOCK] covariance of a block's samples, */
  double *shared;  /* [BLOCK][n] of its samples and of the amplitudes after it, */
  double *pushed;  /* [n][n] and of these */
  double *scratch; /* for six vectors, two matrices of n * n and twelve of BLOCK * n */
} ct_tail;

/* What is known of a block of samples. */
typedef struct ct_tail_block {
  double *a, *p; /* [n], [n * n] amplitudes at its first sample, and their covariance */
  double
      *unmix; /* [BLOCK][BLOCK] takes what is off to independent numbers of variance 1, of which each moves */
  double *gains; /* [BLOCK][n] the amplitudes by this */
} ct_tail_block;

static inline ct_tail_block ct_tail_block_of(const ct_tail *t, size_t block) {
  const size_t n = 2 * (size_t)t->width, square = CT_TAIL_BLOCK * CT_TAIL_BLOCK;
  double *a = t->blocks + block * (n + n * n + square + CT_TAIL_BLOCK * n);
  return (ct_tail_block){a, a + n, a + n + n * n, a + n + n * n + square};
}

static inline size_t ct_tail_blocks(const ct_tail *t) {
  return (t->count + CT_TAIL_BLOCK - 1) / CT_TAIL_BLOCK;
}

/* The samples that a block has. */
static inline uint32_t ct_tail_filled(const ct_tail *t, size_t block) {
  size_t left = t->count - block * CT_TAIL_BLOCK;
  return left < CT_TAIL_BLOCK ? (uint32_t)left : CT_TAIL_BLOCK;
}

/* The variance of the tail's r[k]. */
double ct_tail_variance(const ct_tail *t, size_t k);

/* a <- W a and p <- W p W', W what turns amplitudes in a block; with `sign` -1, W' a and W' p W. */
void ct_tail_turn(const ct_tail *t, double sign, double *a, double *p);

/* out[BLOCK][columns] = the block's `unmix` times in[BLOCK][columns]; none for missing samples. */
void ct_tail_unmix(const ct_tail *t, size_t block, uint32_t columns, const double *in, double *out);

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
