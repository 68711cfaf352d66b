/* Fractal noise over distance: the same place always has the same roughness, in any order of asking, at any
 * sample rate. */
#ifndef CT_BASE_FRACTAL_H
#define CT_BASE_FRACTAL_H

#include "base/spline.h"

#include <stdint.h>

enum {
  CT_FRACTAL_LAYERS = 16,
  CT_FRACTAL_TERMS = CT_SPLINE_TAPS,     /* of a quintic */
  CT_FRACTAL_POINTS = CT_SPLINE_TAPS + 2 /* of the lattice, that one place is made of */
};

/* Who reads a rough surface. It keeps what neighbouring places share: of every layer the cell of the lattice
 * it was in last, the numbers around it and the quintic over it. All of it follows from seed, place and
 * exponent: a new reader reads the same. */
typedef struct ct_fractal {
  uint64_t seed;
  uint32_t layers;                     /* whose cells hold the place read last: the first ones */
  double exponent;                     /* what amplitude and per_rms are for; NaN: none yet */
  double per_rms;                      /* 1 / rms of the sum of all layers */
  double amplitude[CT_FRACTAL_LAYERS]; /* of each layer */
  double cell[CT_FRACTAL_LAYERS];      /* lattice point below the place; NaN: none yet */
  double point[CT_FRACTAL_LAYERS][CT_FRACTAL_POINTS];
  double term[CT_FRACTAL_TERMS][CT_FRACTAL_LAYERS];
} ct_fractal;

void ct_fractal_begin(ct_fractal *reader, uint64_t seed);

/* Roughness at a place: power ~ (spatial frequency)^exponent over 3 to 1e5 cycles per metre, rms 1 while all
 * of it is slow enough to be heard. `last_m` is the place asked a sample before: what is finer than that walk
 * is left out, since it would alias. [audio] */
double ct_fractal_read(ct_fractal *reader, double place_m, double exponent, double last_m);

/* Seed of a surface of its own for a name. */
uint64_t ct_fractal_seed(uint64_t seed, const char *name);

#endif
