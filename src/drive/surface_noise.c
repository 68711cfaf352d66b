/* Noise over distance, band-limited or fractal: layers an octave apart, each random numbers on a lattice of
 * its own, differenced twice and blurred by a quintic B-spline (as base/fractal.c; a layer's spectrum rises
 * as f^4 to a peak at 0.3 cycles per lattice step and is 73 dB down above 0.8). Layer k has a lattice of 4 *
 * 2^k grid steps; level j of the surface holds the layers from j on, so nothing above 0.2 cycles per grid
 * step of its own.
 *
 * Many points at once are cheap because a spline on a coarse lattice is one on the lattice twice as fine,
 *
 *   fine[2m]     = (6 c[m-1] + 20 c[m] + 6 c[m+1]) / 32
 *   fine[2m + 1] = (c[m-1] + 15 c[m] + 15 c[m+1] + c[m+2]) / 32
 *
 * so all layers are summed as coefficients, from the coarsest down, and one spline is evaluated at the end.
 *
 * A band narrower than an octave has one carrier with random in-phase and quadrature envelopes, splines
 * again: their spectrum, sinc^12 in power, is 3 dB down at 0.185 cycles per lattice step to either side. */
#include "base/hash.h"
#include "base/spline.h"
#include "drive/surface.h"

#include <math.h>
#include <string.h>

enum {
  PER_KNOT = 4,                        /* grid steps of a level per lattice step of its finest layer */
  KNOTS = CT_SURFACE_BLOCK / PER_KNOT, /* in a block */
  WINDOW = KNOTS + CT_SPLINE_TAPS + 2, /* coefficients a block needs, at most */
};

/* Mean squares: of a layer, of an envelope. 1/3 of the uniform numbers, times the spline's autocorrelation
 * c = 15724248, 9738114, 2203488 / 11!: 6 c0 - 8 c1 + 2 c2, and c0. */
static const double layer_power = 20847552.0 / 39916800 / 3, envelope_power = 15724248.0 / 39916800 / 3;

static double layer_per_m(const ct_relief *r, uint32_t layer) {
  return 0.3 / (PER_KNOT * ct_level_step_m(r->grid_m, layer));
}

/* How much of the octave around a frequency lies between two others. */
static double share_of_octave(double per_m, double low_per_m, double high_per_m) {
  double at = log2(per_m), from = fmax(log2(low_per_m), at - 0.5), to = fmin(log2(high_per_m), at + 0.5);
  return fmax(0, to - from);
}

/* Power per octave ~ f^(1 - beta) inside the band, none outside, depth^2 in all. A band that reaches beyond
 * the finest or coarsest layer is given to that one. */
static void share_out(ct_relief *r, double beta, double low_per_m, double high_per_m) {
  double sum = 0;
  low_per_m = fmin(low_per_m, layer_per_m(r, 0) / M_SQRT2);
  high_per_m = fmax(high_per_m, layer_per_m(r, CT_SURFACE_LAYERS - 1) * M_SQRT2);
  for (uint32_t k = 0; k < CT_SURFACE_LAYERS; k++) {
    double per_m = layer_per_m(r, k),
           power = share_of_octave(per_m, low_per_m, high_per_m) * pow(per_m * r->values.length_m, 1 - beta);
    r->layer_gain[k] = sqrt(power);
    sum += power * layer_power;
    if (power > 0)
      r->layers = k + 1;
  }
  for (uint32_t k = 0; k < CT_SURFACE_LAYERS; k++)
    r->layer_gain[k] *= r->values.depth_m / sqrt(sum);
}

void ct_relief_make_noise(ct_relief *r) {
  double centre = 1 / r->values.length_m, half = exp2(r->values.width_octaves / 2);
  if (r->kind == CT_SURFACE_FRACTAL)
    share_out(r, r->values.beta, centre, INFINITY);
  else if (r->values.width_octaves >= 1)
    share_out(r, 0, centre / half, centre * half);
  else {
    r->narrow_per_m = centre * (half + 1 / half) / 2;
    r->narrow_lattice_m = 0.37 / (centre * (half - 1 / half));
  }
}

/* A random number of the lattice; where the surface is sparse, most are none. */
static double lattice(const ct_relief *r, uint64_t seed, int64_t at) {
  uint64_t bits = ct_hash_at(seed, (uint64_t)at);
  return (double)(bits & 0xffffff) < r->values.density * 0x1p24 ? ct_hash_even(bits & ~0xffffffull) : 0;
}

/* ---- layers ---- */

typedef struct window {
  int64_t first;
  uint32_t count;
} window;

/* Coefficients of the next coarser lattice that these follow from. */
static window coarser(window w) {
  int64_t first = (w.first - 2) >> 1, last = (w.first + w.count + 2) >> 1;
  return (window){first, (uint32_t)(last - first + 1)};
}

static void refine(const double *coarse, window of, double *fine, window wanted) {
  for (uint32_t i = 0; i < wanted.count; i++) {
    int64_t j = wanted.first + i;
    const double *c = coarse + ((j >> 1) - of.first);
    fine[i] = j & 1 ? (c[-1] + 15 * (c[0] + c[1]) + c[2]) / 32 : (6 * (c[-1] + c[1]) + 20 * c[0]) / 32;
  }
}

static void add_layer(const ct_relief *r, uint32_t layer, double *coefficients, window w) {
  uint64_t seed = ct_hash(r->seed + layer);
  double gain = r->layer_gain[layer], before, here = lattice(r, seed, w.first - 1),
         after = lattice(r, seed, w.first);
  for (uint32_t i = 0; i < w.count; i++) {
    before = here;
    here = after;
    after = lattice(r, seed, w.first + i + 1);
    coefficients[i] += gain * (before - 2 * here + after);
  }
}

/* From the coarsest layer down to the level's own; the result lies in one of the two buffers. */
static const double *sum_layers(const ct_relief *r, uint32_t level, window finest, double buffer[2][WINDOW]) {
  window w[CT_SURFACE_LAYERS];
  w[level] = finest;
  for (uint32_t k = level; k + 1 < r->layers; k++)
    w[k + 1] = coarser(w[k]);
  double *now = memset(buffer[0], 0, sizeof buffer[0]), *other = buffer[1];
  for (uint32_t k = r->layers; k-- > level;) {
    if (k + 1 < r->layers) {
      refine(now, w[k + 1], other, w[k]);
      double *swap = now;
      now = other;
      other = swap;
    }
    if (r->layer_gain[k] > 0)
      add_layer(r, k, now, w[k]);
  }
  return now;
}

/* The spline over its coefficients, all grid places of a knot together. */
static void evaluate(const double *c, double *heights_m) {
  double by_place[PER_KNOT][CT_SPLINE_TAPS], weights[CT_SPLINE_TAPS][PER_KNOT];
  for (int p = 0; p < PER_KNOT; p++) {
    ct_spline_weights((double)p / PER_KNOT, by_place[p]);
    for (int t = 0; t < CT_SPLINE_TAPS; t++)
      weights[t][p] = by_place[p][t] * (1 / CT_SPLINE_SUM);
  }
  for (int knot = 0; knot < KNOTS; knot++, heights_m += PER_KNOT) {
    double sum[PER_KNOT] = {0};
    for (int t = 0; t < CT_SPLINE_TAPS; t++)
      for (int p = 0; p < PER_KNOT; p++)
        sum[p] += weights[t][p] * c[knot + t];
    memcpy(heights_m, sum, sizeof sum);
  }
}

static void fill_layers(const ct_relief *r, uint32_t level, int64_t block, double *heights_m) {
  double buffer[2][WINDOW];
  window finest = {block * KNOTS - 2, KNOTS + CT_SPLINE_TAPS - 1};
  if (level >= r->layers)
    memset(heights_m, 0, CT_SURFACE_BLOCK * sizeof *heights_m);
  else
    evaluate(sum_layers(r, level, finest, buffer), heights_m);
}

/* ---- one narrow band ---- */

static double envelope(const ct_relief *r, uint64_t seed, int64_t knot,
                       const double weights[CT_SPLINE_TAPS]) {
  double sum = 0;
  for (int t = 0; t < CT_SPLINE_TAPS; t++)
    sum += weights[t] * lattice(r, seed, knot - 2 + t);
  return sum / CT_SPLINE_SUM;
}

/* A level holds the band when its upper edge fits. */
static double band_kept(const ct_relief *r, double step_m) {
  double edge = (r->narrow_per_m + 0.8 / r->narrow_lattice_m) * step_m;
  return fmin(fmax((CT_SURFACE_EDGE - edge) / 0.05, 0), 1);
}

static void fill_narrow(const ct_relief *r, uint32_t level, int64_t block, double *heights_m) {
  double step = ct_level_step_m(r->grid_m, level);
  double gain = r->values.depth_m / sqrt(envelope_power) * band_kept(r, step);
  uint64_t in_phase = ct_hash(r->seed + 101), quadrature = ct_hash(r->seed + 102);
  for (uint32_t i = 0; i < CT_SURFACE_BLOCK; i++) {
    double x = (double)(block * (int64_t)CT_SURFACE_BLOCK + i) * step, turns = x * r->narrow_per_m;
    double knots = x / r->narrow_lattice_m, knot = floor(knots), weights[CT_SPLINE_TAPS];
    heights_m[i] = 0;
    if (gain == 0)
      continue;
    ct_spline_weights(knots - knot, weights);
    double angle = 2 * M_PI * (turns - floor(turns));
    heights_m[i] = gain * (envelope(r, in_phase, (int64_t)knot, weights) * cos(angle) +
                           envelope(r, quadrature, (int64_t)knot, weights) * sin(angle));
  }
}

void ct_relief_fill_noise(const ct_relief *r, uint32_t level, int64_t block, double *heights_m) {
  if (r->narrow_per_m > 0)
    fill_narrow(r, level, block, heights_m);
  else
    fill_layers(r, level, block, heights_m);
}
