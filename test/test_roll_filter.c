/* ctest: slow
 * The rolling filter against direct search: the same path on any profile, at any radius, both ways; few
 * comparisons whatever the radius; never more in one call than its quota. */
#include "base/hash.h"
#include "drive/trail.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 3000 };
static const double step_m = 1e-4;

/* ---- profiles ---- */

typedef double profile(int64_t i);

static double white(int64_t i) { return 1e-3 * ct_hash_even(ct_hash_at(7, (uint64_t)i)); }

static double wandering(int64_t i) {
  double sum = 0;
  for (int octave = 0; octave < 8; octave++)
    sum += 1e-4 * (1 << octave) * ct_hash_even(ct_hash_at((uint64_t)octave, (uint64_t)(i >> octave)));
  return sum;
}

static double periodic(int64_t i) { return 5e-4 * sin(0.37 * (double)i); }

static double flat(int64_t i) {
  (void)i;
  return 0.25;
}

/* Steps up and down, taller than many a ball. */
static double steps(int64_t i) { return 0.02 * ct_hash_even(ct_hash_at(3, (uint64_t)(i >> 6))); }

/* Few different heights: circles meet in the same place over and over. */
static double stairs(int64_t i) { return 1e-4 * (double)(ct_hash_at(9, (uint64_t)i) % 3); }

/* Lonely spikes in a plain. */
static double spikes(int64_t i) {
  uint64_t bits = ct_hash_at(5, (uint64_t)i);
  return bits % 97 == 0 ? 1e-2 * ct_hash_even(ct_hash(bits)) : 0;
}

/* A hill as round as a ball of 300 steps: every point carries. */
static double hill(int64_t i) {
  double x = (double)(i % 1000 - 500) * step_m, r = 300 * step_m;
  return fabs(x) < r ? sqrt(r * r - x * x) : 0;
}

/* Falls away faster than any ball can follow: the worst case for the queue, which keeps everything. */
static double downhill(int64_t i) { return -1e-9 * (double)i * (double)i; }
static double uphill(int64_t i) { return 1e-9 * (double)i * (double)i; }

static const struct {
  const char *name;
  profile *at;
} profiles[] = {{"white", white},   {"wandering", wandering}, {"periodic", periodic}, {"flat", flat},
                {"steps", steps},   {"spikes", spikes},       {"hill", hill},         {"downhill", downhill},
                {"uphill", uphill}, {"stairs", stairs}};
enum { PROFILES = sizeof profiles / sizeof profiles[0], ROUGH = 3 /* the first ones */ };

/* ---- the two ways ---- */

static double search(profile *at, int64_t x, double radius_m) {
  int64_t reach = ct_roll_reach(radius_m, step_m);
  double most = -INFINITY;
  for (int64_t q = x - reach; q <= x + reach; q++) {
    double d = (double)(q - x) * step_m;
    most = fmax(most, at(q) - d * d / (radius_m + sqrt(fmax(radius_m * radius_m - d * d, 0))));
  }
  return most;
}

static ct_roll_filter make(void **memory, double radius_m) {
  ct_roll_filter f = {0};
  ct_arena arena = {NULL, 0, 0};
  ct_roll_filter_lay(&f, &arena, ct_roll_reach(radius_m, step_m));
  *memory = malloc(arena.used);
  assert_non_null(*memory);
  arena = (ct_arena){*memory, arena.used, 0};
  ct_roll_filter_lay(&f, &arena, ct_roll_reach(radius_m, step_m));
  ct_roll_filter_start(&f, radius_m, step_m);
  while (!ct_roll_filter_prepare(&f, 100))
    ;
  return f;
}

/* Rolls over POINTS points from `first` on, in a direction, and compares every `every`-th with the search. */
static double worst_difference(ct_roll_filter *f, profile *at, int64_t first, int direction, int every) {
  double worst = 0;
  ct_roll_filter_restart(f);
  for (int64_t n = 0; n < POINTS + 2 * (int64_t)f->reach; n++) {
    uint32_t plenty = 1000000;
    assert_true(ct_roll_filter_feed(f, at(first + direction * n), &plenty));
    if (!ct_roll_filter_ready(f) || n % every)
      continue;
    int64_t x = first + direction * (n - f->reach);
    worst = fmax(worst, fabs(ct_roll_filter_offset_m(f) - search(at, x, f->radius_m)));
  }
  return worst;
}

static void equals_search(void **state) {
  (void)state;
  const double radii[] = {0.3, 1, 1.5, 2, 7, 33.3, 300, 1000.5, 10000};
  double worst = 0;
  for (size_t r = 0; r < sizeof radii / sizeof radii[0]; r++) {
    void *memory;
    ct_roll_filter f = make(&memory, radii[r] * step_m);
    int every = radii[r] > 5000 ? 101 : radii[r] > 500 ? 17 : 1;
    for (int p = 0; p < PROFILES; p++)
      for (int direction = -1; direction <= 1; direction += 2) {
        double apart = worst_difference(&f, profiles[p].at, 12345, direction, every);
        if (apart > 1e-12)
          print_error("%s, radius %g steps, direction %d: %g m apart\n", profiles[p].name, radii[r],
                      direction, apart);
        assert_true(apart <= 1e-12);
        worst = fmax(worst, apart);
      }
    free(memory);
  }
  printf("largest difference from direct search: %.2g m\n", worst);
}

/* ---- cost ---- */

static double comparisons_per_point(ct_roll_filter *f, profile *at, int64_t points) {
  ct_roll_filter_restart(f);
  for (int64_t n = 0; n < 2 * (int64_t)f->reach; n++) {
    uint32_t plenty = 1000000;
    ct_roll_filter_feed(f, at(n), &plenty);
  }
  f->comparisons = 0;
  for (int64_t n = 0; n < points; n++) {
    uint32_t plenty = 1000000;
    ct_roll_filter_feed(f, at(n + 2 * (int64_t)f->reach), &plenty);
  }
  return (double)f->comparisons / (double)points;
}

/* From 1 mm to 1 m on a grid of 0.1 mm: fewer than six comparisons per grid point on every profile, and the
 * same within 20 % at every radius on what surfaces are like: rough, rough at all scales, wavy. (The others
 * cost less while the ball is small enough to touch every point.) */
static void cost_is_flat(void **state) {
  (void)state;
  const double radii_m[] = {1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1};
  enum { RADII = sizeof radii_m / sizeof radii_m[0] };
  double cost[PROFILES][RADII];
  bool bad = false;
  for (int r = 0; r < RADII; r++) {
    void *memory;
    ct_roll_filter f = make(&memory, radii_m[r]);
    for (int p = 0; p < PROFILES; p++) {
      cost[p][r] = comparisons_per_point(&f, profiles[p].at, 60000);
    }
    free(memory);
  }
  for (int p = 0; p < PROFILES; p++) {
    double least = INFINITY, most = 0;
    printf("%-10s comparisons per grid point, 1 mm to 1 m:", profiles[p].name);
    for (int r = 0; r < RADII; r++) {
      printf(" %.2f", cost[p][r]);
      least = fmin(least, cost[p][r]);
      most = fmax(most, cost[p][r]);
    }
    printf("\n");
    bad |= most >= 6 || (p < ROUGH && most > 1.2 * least);
  }
  assert_false(bad);
}

/* One spike behind a long fall throws out the whole queue; with a quota that takes many calls, and the path
 * is the same. */
static void quota_holds(void **state) {
  (void)state;
  void *memory, *other;
  ct_roll_filter f = make(&memory, 0.1), g = make(&other, 0.1);
  uint32_t longest = 0;
  for (int64_t n = 0; n < 4001; n++) {
    double height = n == 3000 ? 1 : downhill(n);
    uint32_t plenty = 1000000, calls = 0;
    assert_true(ct_roll_filter_feed(&g, height, &plenty));
    for (bool done = false; !done; calls++) {
      uint64_t before = f.comparisons;
      uint32_t quota = 16;
      done = ct_roll_filter_feed(&f, height, &quota);
      assert_true(f.comparisons - before <= 16);
      assert_true(done || !ct_roll_filter_ready(&f));
    }
    longest = calls > longest ? calls : longest;
    if (ct_roll_filter_ready(&f))
      assert_true(ct_roll_filter_offset_m(&f) == ct_roll_filter_offset_m(&g));
  }
  printf("calls of 16 comparisons for the highest bump: %u\n", longest);
  assert_true(longest > 50);
  free(memory);
  free(other);
}

/* A radius beyond the room rolls with the room there is; a radius of less than a step is a stylus. */
static void odd_radii(void **state) {
  (void)state;
  void *memory;
  ct_roll_filter f = make(&memory, 0.01);
  ct_roll_filter_start(&f, 5, step_m);
  assert_int_equal(f.reach, f.most);
  ct_roll_filter_start(&f, 0, step_m);
  while (!ct_roll_filter_prepare(&f, 100))
    ;
  for (int64_t n = 0; n < 100; n++) {
    uint32_t plenty = 100;
    ct_roll_filter_feed(&f, white(n), &plenty);
    assert_true(ct_roll_filter_offset_m(&f) == white(n));
  }
  free(memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equals_search), cmocka_unit_test(cost_is_flat),
                                     cmocka_unit_test(quota_holds), cmocka_unit_test(odd_radii)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
