/* Surfaces by kind; the sine among them. A level keeps a sine that its grid can hold, and none that it
 * cannot. */
#include "drive/surface.h"

#include <math.h>

/* Full up to 0.17 cycles per grid step, gone at CT_SURFACE_EDGE. */
static double kept(double cycles_per_step) {
  return fmin(fmax((CT_SURFACE_EDGE - cycles_per_step) / (CT_SURFACE_EDGE - 0.17), 0), 1);
}

static void fill_sine(const ct_relief *r, uint32_t level, int64_t block, double *heights_m) {
  double per_step = ct_level_step_m(r->grid_m, level) / r->values.length_m;
  double amplitude = r->values.depth_m * kept(per_step);
  for (uint32_t i = 0; i < CT_SURFACE_BLOCK; i++) {
    double turns = (double)(block * (int64_t)CT_SURFACE_BLOCK + i) * per_step;
    heights_m[i] = amplitude == 0 ? 0 : amplitude * sin(2 * M_PI * (turns - floor(turns)));
  }
}

void ct_relief_make(ct_relief *r, ct_surface_kind kind, const ct_surface_values *values, double grid_m,
                    uint64_t seed, const ct_scan *scan) {
  *r = (ct_relief){.kind = kind, .seed = seed, .grid_m = grid_m, .values = *values, .scan = scan};
  if (kind == CT_SURFACE_NOISE || kind == CT_SURFACE_FRACTAL)
    ct_relief_make_noise(r);
}

void ct_relief_fill(const ct_relief *r, uint32_t level, int64_t block, double heights_m[CT_SURFACE_BLOCK]) {
  switch (r->kind) {
  case CT_SURFACE_NOISE:
  case CT_SURFACE_FRACTAL:
    ct_relief_fill_noise(r, level, block, heights_m);
    return;
  case CT_SURFACE_SINE:
    fill_sine(r, level, block, heights_m);
    return;
  case CT_SURFACE_SCAN:
    ct_relief_fill_scan(r, level, block, heights_m);
    return;
  default:
    ct_relief_fill_cells(r, level, block, heights_m);
  }
}

uint32_t ct_level_for(double grid_m, double metres_per_sample) {
  uint32_t level = 0;
  while (level + 1 < CT_SURFACE_LEVELS &&
         metres_per_sample > CT_SURFACE_PACE * ct_level_step_m(grid_m, level) * (1 + 1e-9))
    level++;
  return level;
}
