/* Bessel functions, roots, integrals and eigenvalues against published tables and closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/eigen.h"
#include "base/elementary.h"
#include "base/special.h"

#include <math.h>

static void assert_near(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance))
    fail_msg("%.17g is not %.17g within %g", value, wanted, tolerance);
}

/* Abramowitz and Stegun (1964), tables 9.1 and 9.8. */
static void test_bessel_values(void **state) {
  (void)state;
  assert_near(ct_bessel_j(0, 0.0), 1.0, 0.0);
  assert_near(ct_bessel_j(3, 0.0), 0.0, 0.0);
  assert_near(ct_bessel_j(0, 1.0), 0.765197686557966552, 1e-15);
  assert_near(ct_bessel_j(1, 1.0), 0.440050585744933516, 1e-15);
  assert_near(ct_bessel_j(2, 10.0), 0.254630313685120623, 1e-15);
  assert_near(ct_bessel_j(0, 10.0), -0.245935764451348335, 1e-15);
  assert_near(ct_bessel_i_scaled(0, 1.0), 0.465759607593640, 1e-14);
  assert_near(ct_bessel_i_scaled(1, 1.0), 0.207910415349708, 1e-14);
  assert_near(ct_bessel_i_scaled(0, 10.0), 0.127833337163428, 1e-14);
}

/* J_{m-1} + J_{m+1} = (2m/x) J_m and I_{m-1} - I_{m+1} = (2m/x) I_m, each side computed on its own. */
static void test_bessel_recurrences(void **state) {
  (void)state;
  for (int m = 1; m < 120; m += 7)
    for (double x = 0.3; x < 400.0; x *= 1.37) {
      double j = ct_bessel_j(m - 1, x) + ct_bessel_j(m + 1, x);
      assert_near(j, 2.0 * m / x * ct_bessel_j(m, x), 1e-14 * (1.0 + 2.0 * m / x));
      double i = ct_bessel_i_scaled(m - 1, x) - ct_bessel_i_scaled(m + 1, x);
      assert_near(i, 2.0 * m / x * ct_bessel_i_scaled(m, x), 1e-14 * ct_bessel_i_scaled(m - 1, x));
    }
}

static double bessel(double x, const void *order) { return ct_bessel_j(*(const int *)order, x); }

/* Abramowitz and Stegun (1964), table 9.5. */
static void test_bessel_roots(void **state) {
  (void)state;
  static const double first_roots[4][3] = {{2.4048255576957728, 5.5200781102863106, 8.6537279129110122},
                                           {3.8317059702075123, 7.0155866698156188, 10.173468135062722},
                                           {5.1356223018406826, 8.4172441403998649, 11.619841172149059},
                                           {6.3801618959239835, 9.7610231299816697, 13.015200721698434}};
  for (int m = 0; m < 4; m++) {
    double x = 0.5;
    for (int n = 0; n < 3; n++) {
      x = ct_root_above(bessel, &m, n ? x + 0.5 : x, 0.5, 20.0);
      assert_near(x, first_roots[m][n], 4e-15 * first_roots[m][n]);
    }
  }
}

static double parabola(double x, const void *shift) { return x * x - *(const double *)shift; }

static void test_root_is_found_to_the_last_bits(void **state) {
  (void)state;
  double two = 2.0;
  assert_near(ct_root_between(parabola, &two, 0.0, 2.0), sqrt(2.0), 3e-16);
  assert_near(ct_root_between(parabola, &two, 0.0, 1e6), sqrt(2.0), 3e-16);
}

static void test_missing_root_is_told(void **state) {
  (void)state;
  double minus_one = -1.0;
  assert_true(isinf(ct_root_above(parabola, &minus_one, 0.0, 0.5, 10.0)));
}

static double high_power(double x, const void *power) { return pow(x, *(const double *)power); }

static void test_integral_of_high_power(void **state) {
  (void)state;
  double power = 31.0; /* 16 points are exact up to degree 31 */
  assert_near(ct_integrate(high_power, &power, 0.0, 1.0, 1), 1.0 / 32.0, 1e-16);
  assert_near(ct_integrate(high_power, &power, 0.0, 1.0, 5), 1.0 / 32.0, 1e-16);
}

enum { N = 24 };

/* The second difference matrix: eigenvalues 4 sin^2(k pi / 2(N+1)). */
static double second_difference(int i, int j) {
  return i == j ? 2.0 : (i - j == 1 || j - i == 1) ? -1.0 : 0.0;
}

static void check_pairs(const double *values, const double *vectors) {
  double product = 1.0, wanted = N + 1.0; /* determinant of the second difference matrix */
  for (int k = 0; k < N; k++) {
    product *= values[k];
    for (int i = 0; i < N; i++) {
      double sum = 0.0;
      for (int j = 0; j < N; j++)
        sum += second_difference(i, j) * vectors[k * N + j];
      assert_near(sum, values[k] * vectors[k * N + i], 1e-14);
    }
  }
  assert_near(product, wanted, 1e-11);
}

static void check_orthonormal(const double *vectors) {
  for (int a = 0; a < N; a++)
    for (int b = 0; b <= a; b++) {
      double sum = 0.0;
      for (int i = 0; i < N; i++)
        sum += vectors[a * N + i] * vectors[b * N + i];
      assert_near(sum, a == b ? 1.0 : 0.0, 1e-14);
    }
}

static void test_eigen_tridiagonal(void **state) {
  (void)state;
  double diagonal[N], off[N], vectors[N * N];
  for (int i = 0; i < N; i++)
    diagonal[i] = 2.0, off[i] = -1.0;
  assert_true(ct_eigen_tridiagonal(N, diagonal, off, vectors));
  check_pairs(diagonal, vectors);
  check_orthonormal(vectors);
}

static void test_eigen_symmetric(void **state) {
  (void)state;
  double matrix[N * N], values[N], vectors[N * N];
  for (int i = 0; i < N * N; i++)
    matrix[i] = second_difference(i / N, i % N);
  assert_true(ct_eigen_symmetric(N, matrix, values, vectors));
  check_pairs(values, vectors);
  check_orthonormal(vectors);
}

/* Equal eigenvalues, zero blocks, one row: what chains with cut springs give. */
static void test_eigen_degenerate(void **state) {
  (void)state;
  double diagonal[4] = {3.0, 3.0, 0.0, 3.0}, off[4] = {0.0, 0.0, 0.0, 0.0}, vectors[16];
  assert_true(ct_eigen_tridiagonal(4, diagonal, off, vectors));
  assert_near(diagonal[0] + diagonal[1] + diagonal[2] + diagonal[3], 9.0, 0.0);
  double one[1] = {7.0}, value[1], vector[1];
  assert_true(ct_eigen_symmetric(1, one, value, vector));
  assert_near(value[0], 7.0, 0.0);
}

/* exp and sin of friction against the C library's. */
static void test_elementary(void **state) {
  (void)state;
  for (double x = 0; x > -700; x -= 0.0137)
    assert_near(ct_exp_negative(x) / exp(x), 1, 1e-13);
  assert_near(ct_exp_negative(-800), 0, 0);
  assert_near(ct_exp_negative(-INFINITY), 0, 0);
  for (double t = -0.5; t <= 0.5; t += 1e-4) {
    assert_near(ct_sin_pi(t), sin(M_PI * t), 1e-15);
    assert_near(ct_cos_pi_rough(t), cos(M_PI * t), 5e-7);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elementary),
      cmocka_unit_test(test_bessel_values),
      cmocka_unit_test(test_bessel_recurrences),
      cmocka_unit_test(test_bessel_roots),
      cmocka_unit_test(test_root_is_found_to_the_last_bits),
      cmocka_unit_test(test_missing_root_is_told),
      cmocka_unit_test(test_integral_of_high_power),
      cmocka_unit_test(test_eigen_tridiagonal),
      cmocka_unit_test(test_eigen_symmetric),
      cmocka_unit_test(test_eigen_degenerate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
