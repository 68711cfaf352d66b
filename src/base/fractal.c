/* Layers of noise an octave apart, each random numbers on a lattice of its own, blurred by a quintic B-spline
 * and differenced twice. A layer's lattice value comes from hashing its place and seed, so no state is kept
 * and any place can be asked for.
 *
 * Power ~ f^beta means power ~ f^(beta+1) per octave, so layer k has power 2^(k (beta+1)). A layer's own
 * spectrum, sinc(f)^12 (2 sin(pi f))^4 in cycles per lattice step, rises as f^4 and falls as f^-12: steeper
 * than any beta of -2 .. 2, so that at every frequency the layers next to it decide. It peaks at 0.3 and is
 * 70 dB down above 1.2, so a layer that fades out as a sample's walk grows from half a lattice step to three
 * quarters folds back less than the coarse layers hold. */
#include "base/fractal.h"
#include "base/hash.h"
#include "base/spline.h"

#include <math.h>

enum { LAYERS = 16, TAPS = CT_SPLINE_TAPS + 2 };

static const double coarsest_per_m = 8; /* lattice points per metre of the first layer */

/* Mean square of a layer: 1/3 of the uniform numbers, times 6 c0 - 8 c1 + 2 c2 of the spline's
 * autocorrelation c = 15724248, 9738114, 2203488 / 11!. */
static const double layer_power = 20847552.0 / 39916800 / 3;

/* So far away no place between two lattice points can be told from another, and the next number is no
 * integer: it is smooth there. */
static const double farthest = 0x1p52;

static double layer_noise(uint64_t seed, double x) {
  if (!(fabs(x) < farthest))
    return 0;
  double base = floor(x), spline[CT_SPLINE_TAPS], value[TAPS], sum = 0;
  uint64_t first = (uint64_t)(int64_t)base;
  ct_spline_weights(x - base, spline);
  for (uint64_t i = 0; i < TAPS; i++)
    value[i] = ct_hash_even(ct_hash_at(seed, first + i));
  for (int i = 0; i < CT_SPLINE_TAPS; i++)
    sum += spline[i] * (value[i] - 2 * value[i + 1] + value[i + 2]);
  return sum / CT_SPLINE_SUM;
}

double ct_fractal(uint64_t seed, double place_m, double exponent, double last_m) {
  double walk = fabs(place_m - last_m), growth = exp2((exponent + 1) / 2);
  double sum = 0, power = 0, amplitude = 1, per_m = coarsest_per_m;
  for (uint64_t k = 0; k < LAYERS; k++, per_m *= 2, amplitude *= growth) {
    double steps = per_m * walk; /* of the lattice, per sample */
    power += amplitude * amplitude;
    if (steps < 0.75)
      sum += amplitude * fmin(1, 3 - 4 * steps) * layer_noise(ct_hash(seed + k), place_m * per_m);
  }
  return sum / sqrt(power * layer_power);
}

uint64_t ct_fractal_seed(uint64_t seed, const char *name) {
  for (; *name; name++)
    seed = ct_hash(seed ^ (unsigned char)*name);
  return seed;
}
