/* Surfaces: the spectrum asked for, the same heights in any order, and levels that hold the same surface
 * without what their grid cannot hold. */
#include "support/lab.h"

#include "base/hash.h"
#include "drive/surface.h"
#include "measure/fft.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 1 << 15, BLOCKS = POINTS / CT_SURFACE_BLOCK, STRETCHES = 8 };
static const double grid_m = 2e-5;

static ct_surface_values usual(void) {
  return (ct_surface_values){.depth_m = 1e-5,
                             .length_m = 2e-3,
                             .width_octaves = 2,
                             .beta = 2,
                             .density = 1,
                             .gap_m = 1e-3,
                             .irregularity = 0.5};
}

static ct_relief relief_of(ct_surface_kind kind, ct_surface_values values) {
  ct_relief r;
  ct_relief_make(&r, kind, &values, grid_m, 11, NULL);
  return r;
}

static void read(const ct_relief *r, uint32_t level, int64_t first_block, uint32_t blocks, double *heights) {
  for (uint32_t b = 0; b < blocks; b++)
    ct_relief_fill(r, level, first_block + b, heights + b * CT_SURFACE_BLOCK);
}

static double *room(size_t count) {
  double *values = calloc(count, sizeof *values);
  assert_non_null(values);
  return values;
}

/* ---- spectrum ---- */

/* Power per cycle per grid step, mean over stretches, Blackman-Harris window (side lobes 92 dB down). */
static double *spectrum_of(const ct_relief *r, uint32_t level) {
  double *power = room(POINTS / 2), *heights = room(POINTS);
  double complex *x = malloc(POINTS * sizeof *x), *twiddles = ct_fft_make_twiddles(POINTS);
  for (int s = 0; s < STRETCHES; s++) {
    read(r, level, s * 10000 - 20000, BLOCKS, heights);
    for (uint32_t i = 0; i < POINTS; i++) {
      double t = 2 * M_PI * i / POINTS;
      x[i] = heights[i] * (0.35875 - 0.48829 * cos(t) + 0.14128 * cos(2 * t) - 0.01168 * cos(3 * t));
    }
    ct_fft_forward(x, POINTS, twiddles);
    for (uint32_t k = 0; k < POINTS / 2; k++)
      power[k] += (creal(x[k]) * creal(x[k]) + cimag(x[k]) * cimag(x[k])) / (0.2579 * POINTS) / STRETCHES;
  }
  free(x);
  free(twiddles);
  free(heights);
  return power;
}

/* Mean of a spectrum between two frequencies in cycles per grid step. */
static double mean_power(const double *power, double low, double high) {
  uint32_t first = (uint32_t)ceil(low * POINTS), last = (uint32_t)ceil(high * POINTS);
  double sum = 0;
  for (uint32_t k = first; k < last; k++)
    sum += power[k];
  return sum / (last - first);
}

static double rms_of(const ct_relief *r) {
  double *heights = room(POINTS), sum = 0;
  for (int s = 0; s < STRETCHES; s++) {
    read(r, 0, s * 100000, BLOCKS, heights);
    for (uint32_t i = 0; i < POINTS; i++)
      sum += heights[i] * heights[i];
  }
  free(heights);
  return sqrt(sum / POINTS / STRETCHES);
}

static void depth_is_rms(void **state) {
  (void)state;
  const double widths[] = {0.1, 0.5, 1, 2, 4};
  for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
    ct_surface_values v = usual();
    v.width_octaves = widths[i];
    ct_relief r = relief_of(CT_SURFACE_NOISE, v);
    double rms = rms_of(&r);
    printf("noise %g octaves wide: rms %.3f of the depth asked for\n", widths[i], rms / v.depth_m);
    assert_true(fabs(rms / v.depth_m - 1) < 0.08);
  }
}

/* Band-limited noise: middle and width as asked, the width where the power has halved. Layers an octave apart
 * cannot have edges steeper than their own, so wide bands are judged by what lies within and without. */
static void bands(void **state) {
  (void)state;
  const double widths[] = {0.2, 0.5, 0.9};
  for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
    ct_surface_values v = usual();
    v.width_octaves = widths[i];
    ct_relief r = relief_of(CT_SURFACE_NOISE, v);
    double *power = spectrum_of(&r, 0), sum = 0, first = 0, second = 0;
    for (uint32_t k = 0; k < POINTS / 2; k++) {
      double per_m = k / (POINTS * grid_m);
      sum += power[k];
      first += power[k] * per_m;
      second += power[k] * per_m * per_m;
    }
    double centre = first / sum, spread = sqrt(second / sum - centre * centre);
    double half = exp2(widths[i] / 2), low = half / v.length_m, high = 1 / half / v.length_m;
    /* sinc^12 is nearly exp(-2 (pi f)^2): half power at 0.185 cycles per lattice step, deviation 1 / 2 pi */
    double expected = (low - high) / (2 * M_PI) / 0.37;
    printf("%g octaves: centre %.1f /m (asked %.1f), spread %.1f /m (sinc^12: %.1f)\n", widths[i], centre,
           (low + high) / 2, spread, expected);
    assert_true(fabs(centre / ((low + high) / 2) - 1) < 0.02);
    assert_true(fabs(spread / expected - 1) < 0.1);
    free(power);
  }
  ct_surface_values v = usual();
  v.width_octaves = 4;
  v.length_m = 4e-3;
  ct_relief r = relief_of(CT_SURFACE_NOISE, v);
  double *power = spectrum_of(&r, 0), centre = grid_m / v.length_m;
  double low = mean_power(power, centre / 3, centre), high = mean_power(power, centre, centre * 3);
  printf("4 octaves: halves %.2f dB apart; two octaves outside %.0f and %.0f dB down\n",
         10 * log10(high / low), 10 * log10(mean_power(power, centre / 32, centre / 16) / low),
         10 * log10(mean_power(power, centre * 16, centre * 20) / high));
  assert_true(fabs(10 * log10(high / low)) < 2);
  assert_true(mean_power(power, centre / 32, centre / 16) < 0.03 * low);
  assert_true(mean_power(power, centre * 16, centre * 20) < 1e-3 * high);
  free(power);
}

/* Fractal: slope of the spectrum -beta over two decades. */
static void slopes(void **state) {
  (void)state;
  enum { OCTAVES = 6 };
  for (int beta = 0; beta <= 3; beta++) {
    ct_surface_values v = usual();
    v.beta = beta;
    v.length_m = 0.1;
    ct_relief r = relief_of(CT_SURFACE_FRACTAL, v);
    double *power = spectrum_of(&r, 0), at[OCTAVES], mean[OCTAVES];
    for (int o = 0; o < OCTAVES; o++) {
      at[o] = 0.0012 * exp2(o);
      mean[o] = mean_power(power, at[o] / M_SQRT2, at[o] * M_SQRT2);
    }
    double slope = lab_fitted_order(at, mean, OCTAVES);
    printf("beta %d: slope %.3f over six octaves\n", beta, slope);
    assert_true(fabs(slope + beta) < 0.12);
    free(power);
  }
}

/* ---- levels ---- */

static const ct_surface_kind kinds[] = {CT_SURFACE_NOISE,  CT_SURFACE_FRACTAL, CT_SURFACE_TILES,
                                        CT_SURFACE_BOARDS, CT_SURFACE_COBBLES, CT_SURFACE_RAILS};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Every kind, at every level: nothing above the edge (60 dB under the strongest part), and below a quarter of
 * it the same power as level 0. */
static void levels_agree(void **state) {
  (void)state;
  ct_surface_values v = usual();
  v.length_m = 0.05;
  v.width_octaves = 8;
  for (int i = 0; i < KINDS; i++) {
    ct_relief r = relief_of(kinds[i], v);
    double *fine = spectrum_of(&r, 0);
    for (uint32_t level = 1; level <= 3; level++) {
      double *coarse = spectrum_of(&r, level), strongest = 0, above = 0;
      for (uint32_t k = 0; k < POINTS / 2; k++) {
        strongest = fmax(strongest, coarse[k]);
        if (k > POINTS * 0.24)
          above = fmax(above, coarse[k]);
      }
      /* the same power per cycle per metre */
      double scale = 1u << level, apart_db = 10 * log10(scale * mean_power(coarse, 0.002, 0.02) /
                                                        mean_power(fine, 0.002 / scale, 0.02 / scale));
      printf("kind %d level %u: %.0f dB above its edge, %.2f dB from level 0 below\n", kinds[i], level,
             10 * log10(above / strongest), apart_db);
      assert_true(10 * log10(above / strongest) < -60);
      assert_true(fabs(apart_db) < 1.5);
      free(coarse);
    }
    free(fine);
  }
}

/* The same places of two levels differ by what the finer one has more, not by chance. */
static void levels_coincide(void **state) {
  (void)state;
  ct_surface_values v = usual();
  v.length_m = 0.05;
  v.beta = 3;
  ct_relief r = relief_of(CT_SURFACE_FRACTAL, v);
  double *fine = room(POINTS), *coarse = room(POINTS), difference = 0, sum = 0;
  read(&r, 0, 64, BLOCKS, fine);
  read(&r, 2, 16, BLOCKS / 4, coarse);
  for (uint32_t i = 0; i < POINTS / 4; i++) {
    difference += (fine[4 * i] - coarse[i]) * (fine[4 * i] - coarse[i]);
    sum += fine[4 * i] * fine[4 * i];
  }
  printf("beta 3: level 2 is within %.4f of level 0\n", sqrt(difference / sum));
  assert_true(difference < 1e-3 * sum);
  free(fine);
  free(coarse);
}

static void any_order(void **state) {
  (void)state;
  double a[CT_SURFACE_BLOCK], b[CT_SURFACE_BLOCK], other[CT_SURFACE_BLOCK];
  for (int i = 0; i < KINDS; i++) {
    ct_relief r = relief_of(kinds[i], usual());
    for (uint64_t n = 0; n < 50; n++) {
      int64_t block = (int64_t)(ct_hash(n) % 200001) - 100000;
      ct_relief_fill(&r, 0, block, a);
      ct_relief_fill(&r, 0, block + 1, other);
      ct_relief_fill(&r, 0, block, b);
      assert_memory_equal(a, b, sizeof a);
      assert_memory_not_equal(a, other, sizeof a);
    }
  }
}

/* No seams: neighbours across the border of two blocks differ no more than neighbours inside. */
static void no_seams(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    ct_surface_values v = usual();
    v.length_m = 0.02;
    ct_relief r = relief_of(kinds[i], v);
    for (uint32_t level = 0; level < 3; level++) {
      double *h = room(POINTS), inside = 0, across = 0;
      read(&r, level, -200, BLOCKS, h);
      for (uint32_t n = 1; n + 1 < POINTS; n++) {
        double bend = fabs(h[n + 1] - 2 * h[n] + h[n - 1]);
        if (n % CT_SURFACE_BLOCK == 0 || n % CT_SURFACE_BLOCK == 63)
          across = fmax(across, bend);
        else
          inside = fmax(inside, bend);
      }
      assert_true(across <= 1.5 * inside);
      free(h);
    }
  }
}

/* Sparse noise: as high, but rarer. */
static void density(void **state) {
  (void)state;
  ct_surface_values v = usual();
  ct_relief dense = relief_of(CT_SURFACE_NOISE, v);
  v.density = 0.01;
  ct_relief sparse = relief_of(CT_SURFACE_NOISE, v);
  double *h = room(POINTS);
  uint32_t flat[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    read(i ? &sparse : &dense, 0, 0, BLOCKS, h);
    for (uint32_t n = 0; n < POINTS; n++)
      flat[i] += fabs(h[n]) < 1e-3 * v.depth_m;
  }
  printf("flat places: %.1f %% dense, %.1f %% at a density of 0.01\n", 100.0 * flat[0] / POINTS,
         100.0 * flat[1] / POINTS);
  assert_true(flat[0] < POINTS / 100);
  assert_true(flat[1] > POINTS / 2);
  assert_true(fabs(rms_of(&sparse) / rms_of(&dense) / 0.1 - 1) < 0.25); /* sqrt(density) */
  free(h);
}

/* ---- a scan, a ball ---- */

static void scan(void **state) {
  (void)state;
  enum { COUNT = 4001 };
  const double step_m = 5e-5, wave_m = 2e-3;
  double *heights = room(COUNT);
  for (int i = 0; i < COUNT; i++)
    heights[i] = cos(2 * M_PI * i * step_m / wave_m);
  ct_scan s = {0};
  ct_arena arena = {NULL, 0, 0};
  ct_scan_lay(&s, &arena, COUNT);
  void *memory = malloc(arena.used);
  arena = (ct_arena){memory, arena.used, 0};
  ct_scan_lay(&s, &arena, COUNT);
  ct_scan_fill(&s, heights, COUNT, step_m, 0, 1);
  ct_surface_values v = usual();
  ct_relief r;
  ct_relief_make(&r, CT_SURFACE_SCAN, &v, grid_m, 1, &s);
  double *h = room(POINTS), worst = 0;
  read(&r, 0, 0, BLOCKS, h); /* 0.65 m of a scan of 0.2 m: mirrored three times */
  for (int i = 0; i < POINTS; i++) {
    double x = i * grid_m, length = (COUNT - 1) * step_m;
    x = fmod(x, 2 * length);
    x = x > length ? 2 * length - x : x;
    worst = fmax(worst, fabs(h[i] / v.depth_m - cos(2 * M_PI * x / wave_m)));
  }
  printf("scan of a wave: within %.2g\n", worst);
  assert_true(worst < 1e-3);
  /* where a level cannot hold it, it is not there */
  read(&r, 6, 0, 8, h);
  for (int i = 0; i < 512; i++)
    assert_true(fabs(h[i]) < 0.02 * v.depth_m);
  free(h);
  free(memory);
  free(heights);
}

static void a_ball_repeats(void **state) {
  (void)state;
  ct_round round;
  ct_arena arena = {NULL, 0, 0};
  ct_round_lay(&round, &arena);
  void *memory = malloc(arena.used);
  for (uint32_t facets = 0; facets < 9; facets += 8) {
    arena = (ct_arena){memory, arena.used, 0};
    ct_round_lay(&round, &arena);
    ct_round_fill(&round, 5, facets);
    double a[500] = {0}, b[500] = {0}, power = 0;
    ct_round_add(&round, 2e-6, 0, 1.0 / 500, a, 500);
    ct_round_add(&round, 2e-6, 7, 1.0 / 500, b, 500);
    for (int i = 0; i < 500; i++) {
      assert_true(fabs(a[i] - b[i]) < 1e-12);
      if (facets)
        assert_true(fabs(a[i] - a[(i + 500 / 4) % 500]) < 2e-9); /* 8 sides: the same every quarter */
      power += a[i] * a[i] / 500;
    }
    printf("a ball with %u facets: rms %.3f of its depth\n", facets, sqrt(power) / 2e-6);
    assert_true(fabs(sqrt(power) / 2e-6 - 1) < 0.02);
  }
  free(memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(depth_is_rms),  cmocka_unit_test(bands),           cmocka_unit_test(slopes),
      cmocka_unit_test(levels_agree),  cmocka_unit_test(levels_coincide), cmocka_unit_test(any_order),
      cmocka_unit_test(no_seams),      cmocka_unit_test(density),         cmocka_unit_test(scan),
      cmocka_unit_test(a_ball_repeats)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
