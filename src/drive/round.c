/* Sums of harmonics, tabulated once per copy; the eccentric first harmonic is no roughness and is left out.
 */
#include "base/hash.h"
#include "drive/surface.h"

#include <math.h>
#include <string.h>

enum { POINTS = 4096, MOST_ROUGH = 256 };

static uint32_t points_of(uint32_t copy) { return (uint32_t)POINTS >> copy; }

void ct_round_lay(ct_round *r, ct_arena *arena) {
  for (uint32_t c = 0; c < CT_ROUND_COPIES; c++)
    r->heights[c] = ct_arena_take(arena, points_of(c), sizeof(float));
}

typedef struct harmonic {
  double amplitude, phase;
} harmonic;

/* A polygon's radius has cusps at its corners: harmonics n, 2n, 3n as 1/j^2. */
static harmonic harmonic_of(uint64_t seed, uint32_t facets, uint32_t h) {
  if (facets) {
    double j = (double)h / facets;
    return (harmonic){h % facets ? 0 : 1 / (j * j), M_PI};
  }
  return (harmonic){1.0 / h, M_PI * ct_hash_even(ct_hash_at(seed, h))};
}

/* Harmonics over a whole turn, by rotation; a few at once, as each waits for its last step. */
enum { AT_ONCE = 4 };

typedef struct turning {
  double c, s, x, y;
} turning;

static turning start(uint32_t count, uint32_t h, harmonic part, double scale) {
  double step = 2 * M_PI * h / count;
  return (turning){cos(step), sin(step), scale * part.amplitude * cos(part.phase),
                   scale * part.amplitude * sin(part.phase)};
}

static void add_turning(float *heights, uint32_t count, turning t[AT_ONCE]) {
  for (uint32_t i = 0; i < count; i++)
    for (int k = 0; k < AT_ONCE; k++) {
      heights[i] += (float)t[k].x;
      double turned = t[k].x * t[k].c - t[k].y * t[k].s;
      t[k].y = t[k].x * t[k].s + t[k].y * t[k].c;
      t[k].x = turned;
    }
}

/* A corner wants many harmonics, of which there are few; a rough ball has all of them, and fewer will do. */
static uint32_t last_harmonic(uint32_t points, uint32_t facets) {
  uint32_t most = points / 5;
  return facets || most < MOST_ROUGH ? most : MOST_ROUGH;
}

static double rms_of(uint64_t seed, uint32_t facets) {
  double power = 0;
  for (uint32_t h = facets ? facets : 2; h <= last_harmonic(POINTS, facets); h += facets ? facets : 1) {
    double a = harmonic_of(seed, facets, h).amplitude;
    power += a * a / 2;
  }
  return sqrt(power);
}

void ct_round_fill(ct_round *r, uint64_t seed, uint32_t facets) {
  double rms = rms_of(seed, facets);
  for (uint32_t c = 0; c < CT_ROUND_COPIES; c++) {
    uint32_t count = points_of(c);
    uint32_t next = facets ? facets : 2, step = facets ? facets : 1, last = last_harmonic(count, facets);
    memset(r->heights[c], 0, count * sizeof *r->heights[c]);
    while (next <= last) {
      turning some[AT_ONCE] = {{0}}; /* those that are left over stay still */
      for (int k = 0; k < AT_ONCE && next <= last; k++, next += step)
        some[k] = start(count, next, harmonic_of(seed, facets, next), 1 / rms);
      add_turning(r->heights[c], count, some);
    }
  }
}

/* Cubic through four points. */
static double read(const float *heights, uint32_t count, double turn) {
  double at = (turn - floor(turn)) * count, base = floor(at), t = at - base, p[4];
  for (uint32_t k = 0; k < 4; k++)
    p[k] = (double)heights[((uint32_t)base + count - 1 + k) % count];
  double slope0 = (p[2] - p[0]) / 2, slope1 = (p[3] - p[1]) / 2, rise = p[2] - p[1];
  return p[1] + t * (slope0 + t * (3 * rise - 2 * slope0 - slope1 + t * (slope0 + slope1 - 2 * rise)));
}

/* The finest copy whose points lie no closer than the places asked for. */
void ct_round_add(const ct_round *r, double depth_m, double first_turn, double turns_per_step,
                  double *heights_m, uint32_t count) {
  uint32_t copy = 0;
  while (copy < CT_ROUND_COPIES && points_of(copy) * fabs(turns_per_step) > 1)
    copy++;
  for (uint32_t i = 0; i < count && copy < CT_ROUND_COPIES; i++)
    heights_m[i] += depth_m * read(r->heights[copy], points_of(copy), first_turn + i * turns_per_step);
}
