/* The likeliest parameters of a strike in a room (tail.h), from a guess on. */
#ifndef CT_MODES_CLIMB_H
#define CT_MODES_CLIMB_H

#include "modes/tail.h"

/* All parameters, to come back to. */
typedef struct ct_point {
  uint32_t modes;
  ct_pole *poles;
  double complex *c;
  double level, fall, likelihood;
} ct_point;

typedef struct ct_climb {
  ct_tail tail;
  double level, fall; /* of the room, as they are expected beforehand */
  double likelihood;
  double wanted; /* of a trial, which is given up where that cannot be reached; else -infinity */
  double work;   /* so far: samples times squared amplitudes */
  double *slopes, *step, *information, *factor; /* [all], [all], [all * all] twice */
  ct_point before;                              /* a step */
} ct_climb;

/* Of count samples and at most so many modes. None are set yet, and the room is the expected one, of that
 * fall. */
bool ct_climb_init(ct_climb *c, const double *x, size_t count, double rate_hz, uint32_t most, double fall);
void ct_climb_free(ct_climb *c);

bool ct_point_init(ct_point *p, uint32_t most);
void ct_point_free(ct_point *p);
void ct_climb_save(const ct_climb *c, ct_point *p);
void ct_climb_restore(ct_climb *c, const ct_point *p);

/* By how many of its spreads the room differs from the expected one. */
double ct_climb_level_off(const ct_climb *c);
double ct_climb_fall_off(const ct_climb *c);

/* Log likelihood of the samples and of the room. */
double ct_climb_likelihood(ct_climb *c);

/* At most so many steps, with the first `fixed` poles where they are; it ends where even an undamped step
 * promises hardly anything. `information` is that of the last point. False without memory. */
bool ct_climb_run(ct_climb *c, uint32_t fixed, int steps);

/* One step of weighted least squares: amplitudes that suit best what is expected of samples, with the weights
 * that follow from the amplitudes before. False without memory. */
bool ct_climb_weigh(ct_climb *c);

/* Factorizes the information; then the covariance of the amplitude of mode i: of Re and Im, and between. */
void ct_climb_factorize(ct_climb *c);
void ct_climb_covariance(ct_climb *c, uint32_t i, double *re, double *im, double *both);

#endif
