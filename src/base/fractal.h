/* Fractal noise over distance: the same place always has the same roughness, in any order of asking, at any
 * sample rate. */
#ifndef CT_BASE_FRACTAL_H
#define CT_BASE_FRACTAL_H

#include <stdint.h>

/* Roughness at a place: power ~ (spatial frequency)^exponent over 3 to 1e5 cycles per metre, rms 1 while all
 * of it is slow enough to be heard. `last_m` is the place asked a sample before: what is finer than that walk
 * is left out, since it would alias. [audio] */
double ct_fractal(uint64_t seed, double place_m, double exponent, double last_m);

/* Seed of a surface of its own for a name. */
uint64_t ct_fractal_seed(uint64_t seed, const char *name);

#endif
