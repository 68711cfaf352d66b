/* Layers of noise an octave apart, each random numbers on a lattice of its own, blurred by a quintic B-spline
 * and differenced twice. A layer's lattice value comes from hashing its place and seed, so any
 * place can be asked for.
 *
 * Power ~ f^beta means power ~ f^(beta+1) per octave, so layer k has power 2^(k (beta+1)). A layer's own
 * spectrum, sinc(f)^12 (2 sin(pi f))^4 in cycles per lattice step, rises as f^4 and falls as f^-12: steeper
 * than any beta of -2 .. 2, so that at every frequency the layers next to it decide. It peaks at 0.3 and is
 * 70 dB down above 1.2, so a layer that fades out as a sample's walk grows from half a lattice step to three
 * quarters folds back less than the coarse layers hold. */
#include "base/fractal.h"
#include "base/clamp.h"
#include "base/hash.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double coarsest_per_m = 8; /* lattice points per metre of the first layer */

/* Mean square of a layer: 1/3 of the uniform numbers, times 6 c0 - 8 c1 + 2 c2 of the spline's
 * autocorrelation c = 15724248, 9738114, 2203488 / 11!. */
static const double layer_power = 20847552.0 / 39916800 / 3;

/* So far away no place between two lattice points can be told from another, and the next number is no
 * integer: it is smooth there. */
static const double farthest = 0x1p52;

/* The layer's random numbers around a cell. A neighbour of the last cell needs one new number. */
static void look_up(ct_fractal *r, uint32_t k, double cell) {
  double *point = r->point[k];
  uint64_t seed = ct_hash(r->seed + k), first = (uint64_t)(int64_t)cell, from = 0;
  if (cell == r->cell[k] + 1) {
    from = CT_FRACTAL_POINTS - 1;
    memmove(point, point + 1, (CT_FRACTAL_POINTS - 1) * sizeof *point);
  }
  for (uint64_t i = from; i < CT_FRACTAL_POINTS; i++)
    point[i] = ct_hash_even(ct_hash_at(seed, first + i));
  r->cell[k] = cell;
}

/* The quintic over a cell: the spline's weights (base/spline.h), times second differences of the lattice's
 * numbers, by powers of t. */
static void expand(ct_fractal *r, uint32_t k) {
  const double *v = r->point[k];
  double d[CT_SPLINE_TAPS];
  for (int i = 0; i < CT_SPLINE_TAPS; i++)
    d[i] = (v[i] - 2 * v[i + 1] + v[i + 2]) / CT_SPLINE_SUM;
  r->term[0][k] = d[0] + 26 * d[1] + 66 * d[2] + 26 * d[3] + d[4];
  r->term[1][k] = 5 * (d[4] - d[0]) + 50 * (d[3] - d[1]);
  r->term[2][k] = 10 * (d[0] + d[4]) + 20 * (d[1] + d[3]) - 60 * d[2];
  r->term[3][k] = 10 * (d[4] - d[0]) + 20 * (d[1] - d[3]);
  r->term[4][k] = 5 * (d[0] + d[4]) - 20 * (d[1] + d[3]) + 30 * d[2];
  r->term[5][k] = d[5] - d[0] + 5 * (d[1] - d[4]) + 10 * (d[3] - d[2]);
}

static void weigh(ct_fractal *r, double exponent) {
  double growth = exp2((exponent + 1) / 2), amplitude = 1, power = 0;
  for (uint32_t k = 0; k < CT_FRACTAL_LAYERS; k++, amplitude *= growth) {
    r->amplitude[k] = amplitude;
    power += amplitude * amplitude;
  }
  r->exponent = exponent;
  r->per_rms = 1 / sqrt(power * layer_power);
}

/* Layers coarse enough to be heard at this walk from sample to sample. */
static uint32_t heard(double walk_m) {
  uint32_t count = 0;
  for (double steps = coarsest_per_m * walk_m; count < CT_FRACTAL_LAYERS && steps < 0.75; steps *= 2)
    count++;
  return count;
}

/* Place within each layer's cell, 0 .. 1, after moving to that cell. So far away that it cannot be told, 0 in
 * a cell of nothing. */
static void enter_cells(ct_fractal *r, uint32_t layers, double place_m, double *within) {
  double x = coarsest_per_m * place_m;
  for (uint32_t k = 0; k < layers; k++, x *= 2) {
    within[k] = x - r->cell[k];
    if (within[k] >= 0 && within[k] < 1)
      continue;
    bool near = fabs(x) < farthest;
    within[k] = near ? x - floor(x) : 0;
    if (near) {
      look_up(r, k, floor(x));
      expand(r, k);
    } else {
      for (uint32_t i = 0; i < CT_FRACTAL_TERMS; i++)
        r->term[i][k] = 0;
      r->cell[k] = (double)NAN;
    }
  }
}

double ct_fractal_read(ct_fractal *r, double place_m, double exponent, double last_m) {
  double walk = fabs(place_m - last_m), within[CT_FRACTAL_LAYERS], sum = 0;
  uint32_t layers = heard(walk);
  if (exponent != r->exponent)
    weigh(r, exponent);
  enter_cells(r, layers, place_m, within);
  double steps = coarsest_per_m * walk; /* of the lattice, per sample */
  for (uint32_t k = 0; k < layers; k++, steps *= 2) {
    double t = within[k];
    double value = r->term[0][k] +
                   t * (r->term[1][k] +
                        t * (r->term[2][k] + t * (r->term[3][k] + t * (r->term[4][k] + t * r->term[5][k]))));
    sum += r->amplitude[k] * ct_least(1, 3 - 4 * steps) * value;
  }
  return sum * r->per_rms;
}

void ct_fractal_begin(ct_fractal *r, uint64_t seed) {
  r->seed = seed;
  r->exponent = (double)NAN;
  for (uint32_t k = 0; k < CT_FRACTAL_LAYERS; k++)
    r->cell[k] = (double)NAN;
}

uint64_t ct_fractal_seed(uint64_t seed, const char *name) {
  for (; *name; name++)
    seed = ct_hash(seed ^ (unsigned char)*name);
  return seed;
}
