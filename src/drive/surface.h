/* Surfaces: heights over distance on a fixed grid. The height at a grid place follows from the surface's
 * numbers and its seed alone, so any place can be asked for in any order, and rolling back meets the same
 * bumps. Level j of a surface is the same surface without what is too fine for a grid 2^j times as wide: fast
 * motion reads a coarser level instead of aliasing. */
#ifndef CT_DRIVE_SURFACE_H
#define CT_DRIVE_SURFACE_H

#include "base/arena.h"
#include <contatto/defs.h>

#define CT_SURFACE_BLOCK 64u  /* grid points made at a time */
#define CT_SURFACE_LEVELS 12u /* grid steps from 1 to 2^11 */
#define CT_SURFACE_LAYERS 18u /* octaves of noise: from 13 grid steps to 2 million */

/* Live numbers of a surface; the schema points into it. */
typedef struct ct_surface_values {
  double depth_m;       /* rms of noise; amplitude of a sine; depth of what is periodic; scale of a scan */
  double length_m;      /* centre wavelength of noise, longest of fractal; period of the others */
  double width_octaves; /* of band-limited noise */
  double beta;          /* fractal: power ~ 1 / (spatial frequency)^beta */
  double density;       /* of noise: share of places that are rough at all */
  double gap_m;         /* width of a joint */
  double irregularity;  /* 0: all tiles alike */
} ct_surface_values;

/* A measured profile, with its coarser copies: copy j keeps every 2^j-th point of what was below half its
 * Nyquist. Beyond its ends it is mirrored. */
#define CT_SCAN_COPIES 16u
typedef struct ct_scan {
  double step_m;
  uint32_t copies, count[CT_SCAN_COPIES];
  double *heights[CT_SCAN_COPIES]; /* in units of depth_m */
} ct_scan;

/* A surface at one moment, ready to be read: what follows from its numbers, computed once. */
typedef struct ct_relief {
  ct_surface_kind kind;
  uint32_t layers; /* of noise; beyond them there is none; behind `kind`, as no hole is left so: see
                      scene/plan.c */
  uint64_t seed;
  double grid_m;
  ct_surface_values values;
  const ct_scan *scan;
  double layer_gain[CT_SURFACE_LAYERS];  /* height per unit of the layer's random numbers */
  double narrow_per_m, narrow_lattice_m; /* noise of less than an octave: carrier, lattice of its envelope */
} ct_relief;

/* Spatial frequency, in cycles per grid step of a level, above which a level holds nothing. */
#define CT_SURFACE_EDGE 0.2
/* So many grid steps a sample may cross. */
#define CT_SURFACE_PACE (0.5 / CT_SURFACE_EDGE)

void ct_relief_make(ct_relief *relief, ct_surface_kind kind, const ct_surface_values *values, double grid_m,
                    uint64_t seed, const ct_scan *scan);

/* Heights at grid places block * CT_SURFACE_BLOCK and on, of a level. [audio] */
void ct_relief_fill(const ct_relief *relief, uint32_t level, int64_t block,
                    double heights_m[CT_SURFACE_BLOCK]);

/* The kinds. */
void ct_relief_make_noise(ct_relief *relief);
void ct_relief_fill_noise(const ct_relief *relief, uint32_t level, int64_t block, double *heights_m);
void ct_relief_fill_cells(const ct_relief *relief, uint32_t level, int64_t block, double *heights_m);
void ct_relief_fill_scan(const ct_relief *relief, uint32_t level, int64_t block, double *heights_m);

/* Room for a scan of `count` heights; with a null arena base it only counts. */
void ct_scan_lay(ct_scan *scan, ct_arena *arena, uint32_t count);
/* Takes the heights in, (height - mean) / rms, and makes the coarser copies. */
void ct_scan_fill(ct_scan *scan, const double *heights, uint32_t count, double step_m, double mean,
                  double rms);

/* Grid step of a level. */
static inline double ct_level_step_m(double grid_m, uint32_t level) { return grid_m * (double)(1u << level); }

/* The level to read when a sample crosses so many metres: nothing in it lies above half the sample rate. */
uint32_t ct_level_for(double grid_m, double metres_per_sample);

/* A ball's own profile: how far it is from round, over one turn. It joins the profile of the plane (Rath
 * 2003, section 3), and repeats. */

#define CT_ROUND_COPIES 8u

/* Copy j has 4096 / 2^j points and no harmonic beyond a fifth of that; a rough one none beyond the 256th. */
typedef struct ct_round {
  float *heights[CT_ROUND_COPIES]; /* rms 1 */
} ct_round;

void ct_round_lay(ct_round *round, ct_arena *arena);
/* Facets: a polygon with so many sides; 0: rough all round, power of harmonic h ~ 1 / h^2. */
void ct_round_fill(ct_round *round, uint64_t seed, uint32_t facets);

/* Adds `depth_m` of it at `count` places, `turns_per_step` apart. [audio] */
void ct_round_add(const ct_round *round, double depth_m, double first_turn, double turns_per_step,
                  double *heights_m, uint32_t count);

#endif
