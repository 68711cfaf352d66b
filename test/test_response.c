/* The step response of one mode against the matrix exponential in long double, and its losses against the
 * energy balance they were not derived from. */
#include "body/response.h"
#include "support/random_scene.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

typedef struct matrix {
  long double at[3][3];
} matrix;

static matrix product(const matrix *a, const matrix *b) {
  matrix out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      out.at[i][j] = 0;
      for (int k = 0; k < 3; k++)
        out.at[i][j] += a->at[i][k] * b->at[k][j];
    }
  return out;
}

static void add(matrix *a, const matrix *b, long double times) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      a->at[i][j] += times * b->at[i][j];
}

/* exp(m) - 1 by Taylor, then doubling E(2t) = 2 E(t) + E(t)^2: increments only, nothing near 1. */
static matrix exponential_minus_one(matrix m, long double norm) {
  int halvings = 0;
  while (ldexpl(norm, -halvings) > 0.05L)
    halvings++;
  matrix sum = {{{0}}}, term;
  add(&sum, &m, ldexpl(1, -halvings));
  m = term = sum;
  for (int k = 2; k < 20; k++) {
    matrix next = product(&term, &m);
    memset(&term, 0, sizeof term);
    add(&term, &next, 1.0L / k);
    add(&sum, &term, 1);
  }
  for (; halvings > 0; halvings--) {
    matrix square = product(&sum, &sum);
    add(&sum, &sum, 1);
    add(&sum, &square, 1);
  }
  return sum;
}

typedef struct truth {
  long double a12, ii, b22;
} truth;

/* State x / h, v, h a with a held: the exponential over one step. */
static truth exact_truth(double w, double g, double h) {
  long double wh = (long double)w * h, gh = (long double)g * h;
  matrix m = {{{0, 1, 0}, {-wh * wh, -gh, 1}, {0, 0, 0}}};
  matrix e = exponential_minus_one(m, fmaxl(fmaxl(wh * wh, gh), 1));
  return (truth){e.at[0][1] * h, e.at[0][2] * h * h, e.at[1][1]};
}

/* The trapezoidal rule as two equations in x1 and v1, solved by Cramer's rule in increments. */
static truth bilinear_truth(double w, double g, double h) {
  long double half = h / 2.0L, ww = (long double)w * w, det = 1 + g * half + ww * half * half;
  long double dx_of_v = 2 * half / det, dx_of_a = 2 * half * half / det;
  return (truth){dx_of_v, dx_of_a, -(g + ww * half) * 2 * half / det};
}

/* Where the response passes through zero (w h = pi, no damping) only its envelope is a fair measure. */
static double envelope(double w, double g, double h) {
  double s = g / 2;
  return w > s ? exp(-s * h) * fmin(h, 1 / sqrt(w * w - s * s)) : 0;
}

static double relative(double value, long double wanted, double least) {
  double scale = fmax((double)fabsl(wanted), least);
  return (double)fabsl(value - wanted) / scale;
}

typedef struct sample {
  double w, g, h;
} sample;

/* w h over nine decades up to pi, g h up to 100; one in ten near critical, undamped or unsprung. */
static sample draw(random_state *r, double most_wh) {
  double h = random_log(r, 1e-7, 1e-3);
  double wh = random_log(r, 1e-9, most_wh), gh = random_log(r, 1e-9, 100);
  switch (random_below(r, 10)) {
  case 0:
    wh = 0;
    break;
  case 1:
    gh = 0;
    break;
  case 2:
    gh = 2 * wh * (1 + random_log(r, 1e-16, 1e-1) * (random_unit(r) < 0.5 ? -1 : 1));
    break;
  default:
    break;
  }
  return (sample){wh / h, gh / h, h};
}

typedef struct worst {
  double error;
  sample at;
} worst;

static void keep(worst *w, double error, sample at) {
  if (error > w->error || isnan(error))
    *w = (worst){error, at};
}

static void report(const char *what, const worst *w, double limit) {
  printf("%s: relative error at most %.2g, at w h %.3g, g h %.3g\n", what, w->error, w->at.w * w->at.h,
         w->at.g * w->at.h);
  assert_true(w->error < limit);
}

static void need_long_double(void) {
  if (LDBL_MANT_DIG < 60)
    skip();
}

enum { DRAWS = 60000 };

static void exact_against_exponential(void **state) {
  (void)state;
  need_long_double();
  random_state r = {11};
  worst a12 = {0}, ii = {0}, b22 = {0};
  for (int i = 0; i < DRAWS; i++) {
    sample s = draw(&r, M_PI);
    ct_response got = ct_response_exact(s.w, s.g, s.h);
    truth want = exact_truth(s.w, s.g, s.h);
    keep(&a12, relative(got.a12, want.a12, envelope(s.w, s.g, s.h)), s);
    keep(&ii, relative(got.ii, want.ii, 0), s);
    keep(&b22, want.b22 == 0 ? fabs(got.b22) : relative(got.b22, want.b22, 0), s);
  }
  report("exact a12", &a12, 1e-13);
  report("exact ii", &ii, 1e-13);
  report("exact b22", &b22, 1e-13);
}

static void bilinear_against_trapezoid(void **state) {
  (void)state;
  need_long_double();
  random_state r = {12};
  worst all = {0};
  for (int i = 0; i < DRAWS; i++) {
    sample s = draw(&r, 100);
    ct_response got = ct_response_bilinear(s.w, s.g, s.h);
    truth want = bilinear_truth(s.w, s.g, s.h);
    keep(&all, relative(got.a12, want.a12, 0), s);
    keep(&all, relative(got.ii, want.ii, 0), s);
    keep(&all, want.b22 == 0 ? fabs(got.b22) : relative(got.b22, want.b22, 0), s);
  }
  report("bilinear", &all, 1e-14);
}

/* Two halves make a whole, so a step may be subdivided anywhere. */
static void halves_make_a_whole(void **state) {
  (void)state;
  random_state r = {13};
  worst error = {0};
  for (int i = 0; i < DRAWS; i++) {
    sample s = draw(&r, M_PI);
    ct_response whole = ct_response_exact(s.w, s.g, s.h), half = ct_response_exact(s.w, s.g, s.h / 2);
    double x = 0, v = 1;
    for (int k = 0; k < 2; k++) {
      double acc = -s.w * s.w * x, dv = half.b22 * v + half.a12 * acc;
      x += half.a12 * v + half.ii * acc;
      v += dv;
    }
    keep(&error, fabs(x - whole.a12) / s.h, s);
    keep(&error, fabs(v - 1 - whole.b22), s);
  }
  report("two half steps", &error, 1e-14);
}

/* H1 - H0 = W - Q for random states and forces, Q from the loss integrals alone. */
static double imbalance(const ct_response *r, const ct_response_loss *l, sample s, random_state *random) {
  double v = random_between(random, -1, 1),
         x = s.w > 0 ? random_between(random, -1, 1) * fmin(1 / s.w, 1000) : 0;
  double push = random_unit(random) < 0.5
                    ? 0
                    : random_between(random, -1, 1) * fmax(s.w * s.w * fabs(x), fabs(v) / s.h);
  double acc = push - s.w * s.w * x, dx = r->a12 * v + r->ii * acc;
  double x1 = x + dx, v1 = v + r->b22 * v + r->a12 * acc;
  double before = (v * v + s.w * s.w * x * x) / 2, after = (v1 * v1 + s.w * s.w * x1 * x1) / 2;
  double lost = l->vv * v * v + 2 * l->va * v * acc + l->aa * acc * acc, work = push * dx;
  assert_true(lost >= 0);
  return fabs(after - before - work + lost) / (before + after + fabs(work));
}

static void losses_balance(void **state) {
  (void)state;
  random_state r = {14};
  worst exact = {0}, bilinear = {0};
  for (int i = 0; i < DRAWS; i++) {
    sample s = draw(&r, M_PI);
    ct_response by_exact = ct_response_exact(s.w, s.g, s.h), by_rule = ct_response_bilinear(s.w, s.g, s.h);
    ct_response_loss of_exact = ct_response_loss_exact(s.w, s.g, s.h),
                     of_rule = ct_response_loss_bilinear(s.w, s.g, s.h);
    keep(&exact, imbalance(&by_exact, &of_exact, s, &r), s);
    keep(&bilinear, imbalance(&by_rule, &of_rule, s, &r), s);
  }
  report("energy balance, exact", &exact, 1e-13);
  report("energy balance, bilinear", &bilinear, 1e-13);
}

/* ---- the whole range ---- */

/* Every mode that the schema allows, at every rate and substep: from frequencies and decays of 5e-324 to
 * their ends. */
static const double all_hz[] = {0,     5e-324, 1e-308, 1e-200, 1e-160, 1e-100, 1e-30, 1e-12,
                                1e-6,  1e-4,   1e-3,   0.01,   0.1,    1,      10,    100,
                                1000., 4000,   10000,  22049,  47000,  96000,  2e5};
static const double all_t60_s[] = {0,    5e-324, 1e-308, 1e-300, 1e-200, 1e-155, 1e-100, 1e-30, 1e-12, 1e-9,
                                   1e-8, 1e-7,   1e-6,   1e-5,   1e-4,   1e-3,   0.01,   0.1,   1,     1000};
static const double all_rates_hz[] = {1000, 8000, 22050, 44100, 48000, 96000, 192000, 384000, 1e6};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

typedef struct extremes {
  double gain, imbalance;
  uint64_t modes;
} extremes;

/* In v and q = w x a step without force is a matrix; it gains when its largest singular value passes 1. */
static double largest_gain(const ct_response *r, double w) {
  double a = 1 + r->b22, b = -w * r->a12, c = w * r->a12, d = 1 - w * w * r->ii;
  return (hypot(a + d, b - c) + hypot(a - d, b + c)) / 2;
}

static void look_at(const ct_response *r, const ct_response_loss *l, sample s, random_state *random,
                    extremes *e) {
  bool finite = isfinite(r->a12) && isfinite(r->ii) && isfinite(r->b22) && isfinite(l->vv) &&
                isfinite(l->va) && isfinite(l->aa);
  bool passive = r->ii >= 0 && l->vv >= 0 && l->aa >= 0 && l->va * l->va <= l->vv * l->aa * (1 + 1e-12);
  if (!finite || !passive)
    fail_msg("w %g, g %g, h %g: a12 %g, ii %g, b22 %g; loses %g, %g, %g", s.w, s.g, s.h, r->a12, r->ii,
             r->b22, l->vv, l->va, l->aa);
  e->gain = fmax(e->gain, largest_gain(r, s.w) - 1);
  e->imbalance = fmax(e->imbalance, imbalance(r, l, s, random));
  e->modes++;
}

static void no_number_breaks_a_mode(void **state) {
  (void)state;
  random_state random = {15};
  extremes exact = {0}, bilinear = {0};
  for (size_t i = 0; i < COUNT(all_rates_hz); i++)
    for (size_t j = 0; j < COUNT(all_hz); j++)
      for (size_t k = 0; k < COUNT(all_t60_s); k++)
        for (int level = 0; level <= 10; level++) {
          double hz = fmin(all_hz[j], 0.4999 * all_rates_hz[i]);
          sample s = {2 * M_PI * hz, ct_damping_from_t60(all_t60_s[k]), ldexp(1 / all_rates_hz[i], -level)};
          ct_response by_exact = ct_response_exact(s.w, s.g, s.h),
                      by_rule = ct_response_bilinear(s.w, s.g, s.h);
          ct_response_loss of_exact = ct_response_loss_exact(s.w, s.g, s.h),
                           of_rule = ct_response_loss_bilinear(s.w, s.g, s.h);
          look_at(&by_exact, &of_exact, s, &random, &exact);
          look_at(&by_rule, &of_rule, s, &random, &bilinear);
        }
  printf("%llu modes: gain at most %.2g exact, %.2g bilinear; balance to %.2g, %.2g\n",
         (unsigned long long)exact.modes, exact.gain, bilinear.gain, exact.imbalance, bilinear.imbalance);
  assert_true(exact.gain < 1e-14 && bilinear.gain < 1e-14);
  assert_true(exact.imbalance < 1e-13 && bilinear.imbalance < 1e-13);
}

static void damping_from_decay(void **state) {
  (void)state;
  assert_true(ct_damping_from_t60(0) == 0);
  assert_true(ct_damping_from_t60(5e-324) == ct_damping_from_t60(CT_SHORTEST_T60_S));
  for (double t60 = 1e-3; t60 < 100; t60 *= 3) {
    double amplitude = exp(-ct_damping_from_t60(t60) / 2 * t60);
    assert_true(fabs(amplitude / 1e-3 - 1) < 1e-13);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_against_exponential), cmocka_unit_test(bilinear_against_trapezoid),
      cmocka_unit_test(halves_make_a_whole),       cmocka_unit_test(losses_balance),
      cmocka_unit_test(no_number_breaks_a_mode),   cmocka_unit_test(damping_from_decay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
