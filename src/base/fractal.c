/* Layers of band-limited noise, an octave apart, each a sum of smooth bumps with random signs on a lattice of its own. A layer's
 * lattice value comes from hashing its number and seed, so no state is kept and any place can be asked for.
 *
 * Power ~ f^beta means power ~ f^(beta+1) per octave, so layer k has amplitude 2^(k (beta+1)/2). A layer fades out before its
 * waves become shorter than four samples' walk. */
#include "base/fractal.h"

#include <math.h>

enum { LAYERS = 14 };

static const double coarsest_per_m = 8; /* lattice points per metre of the first layer */

static uint64_t hash(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* -1 .. 1, uniform. */
static double lattice(uint64_t seed, int64_t at) { return (double)(int64_t)hash(seed ^ hash((uint64_t)at)) * 0x1p-63; }

/* Cubic B-spline through four random values: band-limited enough, twice differentiable. rms of the sum is 0.2764. */
static double smooth_noise(uint64_t seed, double x) {
  double base = floor(x), t = x - base, u = 1 - t;
  int64_t i = (int64_t)base;
  return (u * u * u * lattice(seed, i - 1) + (3 * t * t * t - 6 * t * t + 4) * lattice(seed, i) +
          (3 * u * u * u - 6 * u * u + 4) * lattice(seed, i + 1) + t * t * t * lattice(seed, i + 2)) /
         6;
}

/* Neighbouring layers overlap, so an octave's power is shared: differences of smooth noise keep each to its own octave. */
static double layer_noise(uint64_t seed, int layer, double x) {
  uint64_t own = hash(seed + (uint64_t)layer);
  return smooth_noise(own, x) - smooth_noise(own, x + 1);
}

double ct_fractal(uint64_t seed, double place_m, double exponent, double last_m) {
  double walk = fabs(place_m - last_m), sum = 0, power = 0, per_m = coarsest_per_m;
  for (int k = 0; k < LAYERS; k++, per_m *= 2) {
    double amplitude = exp2(k * (exponent + 1) / 2), waves = per_m * walk; /* lattice points per sample */
    power += amplitude * amplitude;
    if (waves >= 0.5)
      continue;
    double fade = waves <= 0.25 ? 1 : 2 - 4 * waves;
    sum += amplitude * fade * layer_noise(seed, k, place_m * per_m);
  }
  return sum / sqrt(power * 0.0926); /* 0.0926: mean square of one layer */
}
