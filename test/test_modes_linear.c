/* The small eigenproblems of src/modes against LAPACK, which only tests use; without it they are checked
 * against their own equations. */
#include "modes/linear.h"
#include "support/strikes.h"

#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES = 6 };
static const uint32_t sizes[SIZES] = {1, 2, 3, 7, 20, 36};

static double complex draw(uint64_t *random) { return strike_normal(random) + CT_I * strike_normal(random); }

typedef void lapack_zheev(const char *, const char *, const int *, double complex *, const int *, double *,
                          double complex *, const int *, double *, int *, size_t, size_t);
typedef void lapack_zgeev(const char *, const char *, const int *, double complex *, const int *,
                          double complex *, double complex *, const int *, double complex *, const int *,
                          double complex *, const int *, double *, int *, size_t, size_t);

static void *lapack(const char *name) {
  void *library = dlopen("liblapack.so.3", RTLD_NOW);
  if (!library)
    print_message("without LAPACK: %s not compared\n", name);
  return library ? dlsym(library, name) : NULL;
}

static void compare_hermitian(uint32_t n, const double complex *a, const double *values) {
  lapack_zheev *zheev = (lapack_zheev *)lapack("zheev_");
  if (!zheev)
    return;
  int size = (int)n, work_size = 64 * (int)n, info = 0;
  double complex *copy = malloc((size_t)n * n * sizeof *copy),
                 *work = malloc((size_t)work_size * sizeof *work);
  double *w = malloc(n * sizeof *w), *rwork = malloc(3 * n * sizeof *rwork);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      copy[j * n + i] = a[i * n + j];
  zheev("N", "U", &size, copy, &size, w, work, &work_size, rwork, &info, 1, 1);
  assert_int_equal(info, 0);
  for (uint32_t k = 0; k < n; k++)
    assert_true(fabs(values[k] - w[n - 1 - k]) < 1e-12 * n * (1 + fabs(w[n - 1])));
  free(copy);
  free(work);
  free(w);
  free(rwork);
}

static void hermitian(void **state) {
  (void)state;
  uint64_t random = 11;
  for (int s = 0; s < SIZES; s++) {
    uint32_t n = sizes[s];
    double complex *a = malloc((size_t)n * n * sizeof *a), *copy = malloc((size_t)n * n * sizeof *a),
                   *vectors = malloc((size_t)n * n * sizeof *a);
    double *values = malloc(n * sizeof *values);
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j <= i; j++) {
        a[i * n + j] = i == j ? creal(draw(&random)) : draw(&random);
        a[j * n + i] = conj(a[i * n + j]);
      }
    memcpy(copy, a, (size_t)n * n * sizeof *a);
    assert_true(ct_hermitian_eigen(n, copy, values, vectors));
    for (uint32_t k = 0; k < n; k++)
      for (uint32_t i = 0; i < n; i++) { /* A v = lambda v */
        double complex sum = 0;
        for (uint32_t j = 0; j < n; j++)
          sum += a[i * n + j] * vectors[k * n + j];
        assert_true(cabs(sum - values[k] * vectors[k * n + i]) < 1e-12 * n);
      }
    compare_hermitian(n, a, values);
    free(a);
    free(copy);
    free(vectors);
    free(values);
  }
}

/* Each of ours has one of theirs beside it, used once. */
static void compare_general(uint32_t n, const double complex *a, const double complex *values) {
  lapack_zgeev *zgeev = (lapack_zgeev *)lapack("zgeev_");
  if (!zgeev)
    return;
  int size = (int)n, work_size = 64 * (int)n, info = 0;
  double complex *copy = malloc((size_t)n * n * sizeof *copy),
                 *work = malloc((size_t)work_size * sizeof *work);
  double complex *w = malloc(n * sizeof *w);
  double *rwork = malloc(2 * n * sizeof *rwork);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      copy[j * n + i] = a[i * n + j];
  zgeev("N", "N", &size, copy, &size, w, NULL, &size, NULL, &size, work, &work_size, rwork, &info, 1, 1);
  assert_int_equal(info, 0);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++)
      best = cabs(w[i] - values[k]) < cabs(w[best] - values[k]) ? i : best;
    assert_true(cabs(w[best] - values[k]) < 1e-10);
    w[best] = 1e9;
  }
  free(copy);
  free(work);
  free(w);
  free(rwork);
}

static void general(void **state) {
  (void)state;
  uint64_t random = 12;
  for (int s = 0; s < SIZES; s++) {
    uint32_t n = sizes[s];
    double complex *a = malloc((size_t)n * n * sizeof *a), *copy = malloc((size_t)n * n * sizeof *a),
                   *values = malloc(n * sizeof *values), trace = 0, sum = 0;
    for (uint32_t i = 0; i < n * n; i++)
      a[i] = draw(&random);
    memcpy(copy, a, (size_t)n * n * sizeof *a);
    assert_true(ct_general_eigen(n, copy, values));
    for (uint32_t i = 0; i < n; i++) {
      trace += a[i * n + i];
      sum += values[i];
    }
    assert_true(cabs(trace - sum) < 1e-11 * n);
    compare_general(n, a, values);
    free(a);
    free(copy);
    free(values);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hermitian), cmocka_unit_test(general)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
