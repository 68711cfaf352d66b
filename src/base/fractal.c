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
#include <string.h>

/* Lattice points per metre of each layer. */
static const double per_m[CT_FRACTAL_LAYERS] = {0x1p3,  0x1p4,  0x1p5,  0x1p6,  0x1p7,  0x1p8,
                                                0x1p9,  0x1p10, 0x1p11, 0x1p12, 0x1p13, 0x1p14,
                                                0x1p15, 0x1p16, 0x1p17, 0x1p18};

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
 * numbers, by powers of t; all of it CT_SPLINE_SUM times too large, which per_rms sets right. */
static void expand(ct_fractal *r, uint32_t k) {
  const double *v = r->point[k];
  double d[CT_SPLINE_TAPS];
  for (int i = 0; i < CT_SPLINE_TAPS; i++)
    d[i] = v[i] - 2 * v[i + 1] + v[i + 2];
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
  r->per_rms = 1 / (CT_SPLINE_SUM * sqrt(power * layer_power));
}

/* Layers coarse enough to be heard where the first one's walk from sample to sample is so many lattice steps:
 * those with steps 2^k < 3/4, k from 0. With steps = f 2^e, 1 <= f < 2, that is k < -e, or -e - 1 where f is
 * 3/2 or more; both are read from the digits of the number. */
static uint32_t heard(double steps) {
  uint64_t bits;
  memcpy(&bits, &steps, sizeof bits);
  int exponent = (int)(bits >> 52) - 1023, count = -exponent - (int)(bits >> 51 & 1);
  return count < 0 ? 0 : count < CT_FRACTAL_LAYERS ? (uint32_t)count : CT_FRACTAL_LAYERS;
}

/* Moves a layer to the cell of this place, in lattice steps; the place within it, 0 .. 1. So far away that it
 * cannot be told, 0 in a cell of nothing. */
static double enter_cell(ct_fractal *r, uint32_t k, double x) {
  if (fabs(x) < farthest) {
    look_up(r, k, floor(x));
    expand(r, k);
    return x - floor(x);
  }
  for (uint32_t i = 0; i < CT_FRACTAL_TERMS; i++)
    r->term[i][k] = 0;
  r->cell[k] = (double)NAN;
  return 0;
}

/* Layers are looked at eight by eight, without asking which of the last ones are heard. */
enum { BATCH = 8 };
_Static_assert(CT_FRACTAL_LAYERS % BATCH == 0, "layers come in whole batches");

/* Place within each layer's cell. Cells of a layer are halves of those of the layer before: where one has not
 * been left, none of the coarser ones has, if they were all entered at the same place. */
static inline void enter_cells(ct_fractal *r, uint32_t layers, double place_m, double *within) {
  for (uint32_t first = 0; first < layers; first += BATCH)
    for (uint32_t k = first; k < first + BATCH; k++)
      within[k] = per_m[k] * place_m - r->cell[k];
  for (uint32_t k = layers; k-- > 0;) {
    if (!(within[k] >= 0 && within[k] < 1))
      within[k] = enter_cell(r, k, per_m[k] * place_m);
    else if (k < r->layers)
      break;
  }
  r->layers = layers;
}

/* The layers' quintics there. */
static inline void add_powers(const ct_fractal *r, uint32_t layers, const double *within, double *value) {
  for (uint32_t first = 0; first < layers; first += BATCH)
    for (uint32_t k = first; k < first + BATCH; k++) {
      double t = within[k];
      double low = r->term[0][k] + t * (r->term[1][k] + t * r->term[2][k]);
      double high = r->term[3][k] + t * (r->term[4][k] + t * r->term[5][k]);
      value[k] = r->amplitude[k] * (low + t * t * t * high);
    }
}

double ct_fractal_read(ct_fractal *r, double place_m, double exponent, double last_m) {
  double steps = per_m[0] * fabs(place_m - last_m), sum = 0;
  double within[CT_FRACTAL_LAYERS], value[CT_FRACTAL_LAYERS];
  uint32_t layers = heard(steps);
  if (exponent != r->exponent)
    weigh(r, exponent);
  if (!layers)
    return 0;
  enter_cells(r, layers, place_m, within);
  add_powers(r, layers, within, value);
  /* the last one fades; all others walk less than half a step */
  value[layers - 1] *= ct_least(1, 3 - 4 * steps * (double)(1u << (layers - 1)));
  for (uint32_t k = 0; k < layers; k++)
    sum += value[k];
  return sum * r->per_rms;
}

void ct_fractal_begin(ct_fractal *r, uint64_t seed) {
  r->seed = seed;
  r->exponent = (double)NAN;
  r->layers = 0;
  for (uint32_t k = 0; k < CT_FRACTAL_LAYERS; k++)
    r->cell[k] = (double)NAN;
}

uint64_t ct_fractal_seed(uint64_t seed, const char *name) {
  for (; *name; name++)
    seed = ct_hash(seed ^ (unsigned char)*name);
  return seed;
}
