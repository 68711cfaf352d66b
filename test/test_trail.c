/* Trails: the path of a ball as it is read while rolling. Exact at the grid, the same on the way back, always
 * ready in time, and, read by a stylus at any speed, free of what the sample rate cannot hold. */
#include "base/hash.h"
#include "drive/trail.h"
#include "measure/fft.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static const double grid_m = 2e-5;

static void *lay(ct_trail *trail, uint32_t most) {
  ct_arena arena = {NULL, 0, 0};
  *trail = (ct_trail){0};
  ct_trail_lay(trail, &arena, most);
  void *memory = malloc(arena.used);
  assert_non_null(memory);
  arena = (ct_arena){memory, arena.used, 0};
  ct_trail_lay(trail, &arena, most);
  return memory;
}

static ct_trail_def over(ct_surface_kind kind, double depth_m, double length_m, double radius_m) {
  ct_surface_values v = {.depth_m = depth_m,
                         .length_m = length_m,
                         .width_octaves = 3,
                         .beta = 2,
                         .density = 1,
                         .gap_m = length_m / 10,
                         .irregularity = 1};
  ct_trail_def def = {.radius_m = radius_m};
  ct_relief_make(&def.relief, kind, &v, grid_m, 3, NULL);
  return def;
}

/* Works until the path around x is known. */
static uint32_t arrive(ct_trail *t, double x_m) {
  uint32_t calls = 0;
  for (; !ct_trail_knows(t, x_m); calls++)
    ct_trail_work(t, x_m, 0, 1);
  return calls;
}

/* ---- exact ---- */

static double height(const ct_trail_def *def, int64_t place) {
  double block[CT_SURFACE_BLOCK];
  ct_relief_fill(&def->relief, def->level, place >> 6, block);
  return block[place & 63];
}

static double search(const ct_trail_def *def, int64_t x) {
  double r = def->radius_m, most = -INFINITY;
  int64_t reach = ct_roll_reach(r, grid_m);
  for (int64_t q = x - reach; q <= x + reach; q++) {
    double d = (double)(q - x) * grid_m;
    most = fmax(most, height(def, q) - d * d / (r + sqrt(fmax(r * r - d * d, 0))));
  }
  return most;
}

static void holds_the_path(void **state) {
  (void)state;
  const ct_surface_kind kinds[] = {CT_SURFACE_NOISE, CT_SURFACE_SINE, CT_SURFACE_TILES};
  for (int i = 0; i < 3; i++) {
    ct_trail_def def = over(kinds[i], 1e-5, 2e-3, 4e-3);
    ct_trail t;
    void *memory = lay(&t, 1000);
    ct_trail_begin(&t, &def, -0.3);
    arrive(&t, -0.3);
    for (int64_t place = t.low; place < t.high; place += 13)
      assert_true(fabs(t.offsets_m[(t.lowest + (uint32_t)(place - t.low)) % t.size] - search(&def, place)) <
                  1e-15);
    free(memory);
  }
}

/* ---- to and fro ---- */

/* Rolls along x(n), and keeps what it reads. */
static uint32_t roll(ct_trail *t, double (*x_at)(uint32_t), uint32_t count, double *read_m) {
  uint32_t late = 0;
  for (uint32_t n = 0; n < count; n++) {
    double x = x_at(n), step = x_at(n + 1) - x;
    late += !ct_trail_knows(t, x);
    read_m[n] = ct_trail_read(t, x);
    ct_trail_work(t, x, step > 0 ? 1 : step < 0 ? -1 : 0, 1);
  }
  return late;
}

enum { WAY = 24000 };

/* At the fastest pace a level is read at: out, back beyond the start, and out again, with sudden turns. */
static double pacing(uint32_t n) {
  double step = CT_SURFACE_PACE * grid_m;
  if (n < WAY)
    return n * step;
  return n < 3 * WAY ? (2.0 * WAY - n) * step : (n - 4.0 * WAY) * step;
}

static void same_way_back(void **state) {
  (void)state;
  const double radii_m[] = {0, 1e-3, 2e-2, 0.16};
  double *read_m = malloc(5 * WAY * sizeof *read_m);
  for (int i = 0; i < 4; i++)
    for (int kind = CT_SURFACE_NOISE; kind <= CT_SURFACE_RAILS; kind++) {
      ct_trail_def def = over((ct_surface_kind)kind, 3e-4, 3e-2, radii_m[i]);
      ct_trail t;
      void *memory = lay(&t, 8000);
      ct_trail_begin(&t, &def, 0);
      arrive(&t, 0);
      assert_int_equal(roll(&t, pacing, 5 * WAY, read_m), 0);
      for (uint32_t n = 1; n < WAY; n++) {
        assert_true(fabs(read_m[2 * WAY - n] - read_m[n]) < 1e-15);
        assert_true(fabs(read_m[4 * WAY + n] - read_m[n]) < 1e-15);
      }
      free(memory);
    }
  free(read_m);
}

/* A shake smaller than the stored stretch, and a rest. */
static double shaking(uint32_t n) { return n < 20000 ? 1e-3 * sin(n * 0.01) : 1e-3 * sin(200); }

static void shakes_and_rests(void **state) {
  (void)state;
  double *read_m = malloc(30000 * sizeof *read_m);
  ct_trail_def def = over(CT_SURFACE_FRACTAL, 1e-5, 1e-2, 1e-2);
  ct_trail t;
  void *memory = lay(&t, 500);
  ct_trail_begin(&t, &def, 0);
  arrive(&t, 0);
  assert_int_equal(roll(&t, shaking, 30000, read_m), 0);
  assert_true(read_m[29999] == read_m[20000]);
  uint64_t before = t.filter.comparisons;
  for (int i = 0; i < 1000; i++)
    ct_trail_work(&t, shaking(29999), 0, 1);
  assert_true(t.filter.comparisons == before); /* at rest there is nothing to do */
  free(memory);
  free(read_m);
}

/* Spikes on a plain throw out whole queues; the work of a sample is bounded and the path still in time. */
static void bounded(void **state) {
  (void)state;
  ct_trail_def def = over(CT_SURFACE_NOISE, 1e-3, 1e-3, 0.16);
  def.relief.values.density = 1e-3;
  ct_trail t;
  void *memory = lay(&t, 8000);
  ct_trail_begin(&t, &def, 0);
  uint32_t calls = arrive(&t, 0);
  uint64_t most = 0;
  for (uint32_t n = 0; n < 100000; n++) {
    uint64_t before = t.filter.comparisons;
    double x = n * CT_SURFACE_PACE * grid_m;
    assert_true(ct_trail_knows(&t, x));
    ct_trail_work(&t, x, 1, 1);
    most = t.filter.comparisons - before > most ? t.filter.comparisons - before : most;
  }
  printf("0.16 m ball on spikes: %u calls to begin, at most %llu comparisons in one\n", calls,
         (unsigned long long)most);
  assert_true(most <= CT_TRAIL_COMPARISONS);
  free(memory);
}

/* A ball's own profile comes back with every turn, on a plain without any. */
static void turns(void **state) {
  (void)state;
  ct_round round;
  ct_arena arena = {NULL, 0, 0};
  ct_round_lay(&round, &arena);
  void *table = malloc(arena.used);
  arena = (ct_arena){table, arena.used, 0};
  ct_round_lay(&round, &arena);
  ct_round_fill(&round, 9, 0);
  ct_trail_def def = over(CT_SURFACE_NOISE, 0, 1e-3, 5e-3);
  def.round = &round;
  def.round_depth_m = 1e-5;
  ct_trail t;
  void *memory = lay(&t, 500);
  double turn_m = 2 * M_PI * def.radius_m, first[100], largest = 0, worst = 0;
  for (int i = 0; i < 100; i++) {
    for (int turn = 0; turn < 3; turn++) {
      double x = 0.1 + turn * turn_m + i * turn_m / 100;
      ct_trail_begin(&t, &def, x);
      arrive(&t, x);
      double offset = ct_trail_read(&t, x);
      first[i] = turn ? first[i] : offset;
      worst = fmax(worst, fabs(offset - first[i])); /* the grid lies elsewhere on the ball: nearly the same */
    }
    largest = fmax(largest, fabs(first[i]));
  }
  printf("own profile up to %.2g m, after a turn within %.2g m\n", largest, worst);
  assert_true(largest > 5e-6 && worst < 1e-2 * largest);
  free(memory);
  free(table);
}

/* ---- a stylus at speed ---- */

enum { LENGTH = 1 << 15 };

/* Strongest part outside the line at `line_hz`, and the line, in dB of the sine's amplitude. Blackman-Harris
 * window of seven terms: side lobes 180 dB down, the main lobe 7 bins to either side. */
static void judge(const double *x, double rate_hz, double line_hz, double *line_db, double *rest_db) {
  static const double a[] = {0.27105140069342, 0.43329793923448, 0.21812299954311, 0.06592544638803,
                             0.01081174209837, 0.00077658482522, 0.00001388721735};
  double complex *y = malloc(LENGTH * sizeof *y), *twiddles = ct_fft_make_twiddles(LENGTH);
  for (int n = 0; n < LENGTH; n++) {
    double window = 0;
    for (int k = 0; k < 7; k++)
      window += (k % 2 ? -1 : 1) * a[k] * cos(2 * M_PI * k * n / LENGTH);
    y[n] = x[n] * window;
  }
  ct_fft_forward(y, LENGTH, twiddles);
  double line = 0, rest = 0;
  for (int k = 0; k < LENGTH / 2; k++) {
    double size = hypot(creal(y[k]), cimag(y[k])) / (a[0] * LENGTH / 2);
    if (fabs(k - line_hz / rate_hz * LENGTH) < 12)
      line = fmax(line, size);
    else
      rest = fmax(rest, size);
  }
  *line_db = 20 * log10(line);
  *rest_db = 20 * log10(rest + 1e-20);
  free(y);
  free(twiddles);
}

static void listen(double rate_hz, double speed_m_s, double *line_db, double *rest_db) {
  const double wave_m = 1e-3, depth_m = 1e-5, step = speed_m_s / rate_hz;
  ct_surface_values v = {.depth_m = depth_m, .length_m = wave_m};
  ct_trail_def def = {.radius_m = 0};
  ct_relief_make(&def.relief, CT_SURFACE_SINE, &v, wave_m / 48, 1, NULL);
  def.level = ct_level_for(wave_m / 48, step);
  ct_trail t;
  void *memory = lay(&t, 0);
  double *x = malloc(LENGTH * sizeof *x);
  ct_trail_begin(&t, &def, 1);
  arrive(&t, 1);
  for (int n = 0; n < LENGTH; n++) {
    assert_true(ct_trail_knows(&t, 1 + n * step));
    x[n] = ct_trail_read(&t, 1 + n * step) / depth_m;
    ct_trail_work(&t, 1 + n * step, 1, 1);
  }
  judge(x, rate_hz, speed_m_s / wave_m, line_db, rest_db);
  free(x);
  free(memory);
}

/* 20 m/s over a sine of 1 mm is 20 kHz. Whatever the speed and rate, there is the line and nothing else above
 * -80 dB; and beyond what the rate can hold there is nothing at all. */
static void nothing_but_the_line(void **state) {
  (void)state;
  const double rates_hz[] = {44100, 48000, 96000, 192000},
               speeds_m_s[] = {0.1, 0.5, 1, 3, 7.3, 12, 20, 30, 61};
  double worst_db = -INFINITY;
  for (int r = 0; r < 4; r++)
    for (int s = 0; s < 9; s++) {
      double line_db, rest_db;
      listen(rates_hz[r], speeds_m_s[s], &line_db, &rest_db);
      worst_db = fmax(worst_db, rest_db);
      if (speeds_m_s[s] == 20)
        printf("%6g Hz, 20 m/s over 1 mm: line %.2f dB, all else below %.0f dB\n", rates_hz[r], line_db,
               rest_db);
      assert_true(rest_db < -80);
      double line_hz = speeds_m_s[s] / 1e-3;
      if (line_hz < 0.25 * rates_hz[r])
        assert_true(line_db > -1.5);
      if (line_hz > 0.5 * rates_hz[r])
        assert_true(line_db < -80);
    }
  double line_db, rest_db;
  listen(48000, 20, &line_db, &rest_db);
  assert_true(line_db > -3);
  printf("36 speeds and rates: nothing above %.0f dB beside the line\n", worst_db);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(holds_the_path),
                                     cmocka_unit_test(same_way_back),
                                     cmocka_unit_test(shakes_and_rests),
                                     cmocka_unit_test(bounded),
                                     cmocka_unit_test(turns),
                                     cmocka_unit_test(nothing_but_the_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
