/* Fractal noise over distance: the same place always has the same roughness, in any order of asking, at any sample rate. */
#ifndef CT_BASE_FRACTAL_H
#define CT_BASE_FRACTAL_H

#include <stdint.h>

/* Roughness at a place: rms about 1, power ~ (spatial frequency)^exponent over 1e1 .. 1e5 cycles per metre. `last_m` is the
 * place asked a sample before: what is finer than that walk is left out, since it would alias. [audio] */
double ct_fractal(uint64_t seed, double place_m, double exponent, double last_m);

#endif
