/* Every set of the modal bank's loops this machine can run against a plain scalar loop, for any number of
 * lanes and sums; padding lanes hold zeros and stay zero. */
#include "body/bank.h"
#include "support/random_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LANES = 520, GAINS = 4, MOST_ROWS = 70 };

static const double limit = 1e-13; /* of the sum of absolute values */

enum { RULE, NEXT = RULE + 5, ACCELERATION = NEXT + 5, OVER_MASS, OUT, ROWS };
/* within RULE and NEXT */
enum { A12, II, B22, JJ, KK };

/* One bank's numbers; `modes` lanes are alive, the rest is padding. */
typedef struct bench {
  uint32_t lanes, modes;
  double x[MOST_LANES], v[MOST_LANES];
  double row[ROWS][MOST_LANES];
  ct_coefficients rule, next; /* the rows by name */
  double gain[GAINS][MOST_LANES];
} bench;

static void fill(random_state *r, double *row, uint32_t modes, double size) {
  memset(row, 0, MOST_LANES * sizeof *row);
  for (uint32_t i = 0; i < modes; i++)
    row[i] = random_between(r, -size, size);
}

static void make_bench(random_state *r, bench *b, uint32_t lanes) {
  static const double size[ROWS] = {0.1, 0.01, 0.2, 0.03, 0.3, 0.05, 0.002, 0.1, 0.01, 0.2, 3, 1, 0};
  b->lanes = lanes;
  b->modes = lanes - random_below(r, CT_LANES);
  fill(r, b->x, b->modes, 1);
  fill(r, b->v, b->modes, 1);
  for (int k = 0; k < ROWS; k++)
    fill(r, b->row[k], b->modes, size[k]);
  for (int p = 0; p < GAINS; p++)
    fill(r, b->gain[p], b->modes, 1);
}

/* Forces come one at a time, summed up, both, or not at all. */
typedef enum forcing { UNFORCED, PUSHED, SUMMED, BOTH, FORCINGS } forcing;

static const double push_n = 1.7;

static ct_coefficients coefficients(bench *b, int first) {
  return (ct_coefficients){b->row[first + A12], b->row[first + II], b->row[first + B22], b->row[first + JJ],
                           b->row[first + KK]};
}

static ct_bank bank_of(bench *b, forcing forced) {
  ct_bank bank = {.lanes = b->lanes, .x = b->x, .v = b->v};
  bank.acceleration = forced == SUMMED || forced == BOTH ? b->row[ACCELERATION] : NULL;
  bank.push_gain_over_mass = forced == PUSHED || forced == BOTH ? b->row[OVER_MASS] : NULL;
  bank.push_n = push_n;
  b->rule = coefficients(b, RULE);
  b->next = coefficients(b, NEXT);
  bank.rule = &b->rule;
  bank.next = &b->next;
  return bank;
}

/* dx = a12 v - jj x + ii a, dv = b22 v - kk x + a12 a. */
static void scalar_step(bench *b, forcing forced) {
  double(*rule)[MOST_LANES] = b->row + RULE;
  for (uint32_t i = 0; i < b->lanes; i++) {
    double x = b->x[i], v = b->v[i], a = 0;
    if (forced == SUMMED || forced == BOTH)
      a += b->row[ACCELERATION][i];
    if (forced == PUSHED || forced == BOTH)
      a += push_n * b->row[OVER_MASS][i];
    b->x[i] += rule[A12][i] * v - rule[JJ][i] * x + rule[II][i] * a;
    b->v[i] += rule[B22][i] * v - rule[KK][i] * x + rule[A12][i] * a;
  }
}

static double apart(double a, double b, double scale) {
  return scale > 0 ? fabs(a - b) / scale : fabs(a - b);
}

/* Worst difference of a pass's sums, each over its own sum of absolute values. */
static double sums_error(const bench *b, const ct_bank_sums *s) {
  double most = 0;
  for (uint32_t p = 0; p < s->free_count + s->v_count; p++) {
    bool speed = p >= s->free_count;
    const double *gain = speed ? s->v_gain[p - s->free_count] : s->free_gain[p];
    double sum = 0, size = 0, got = speed ? *s->v_to[p - s->free_count] : *s->free_to[p];
    for (uint32_t i = 0; i < b->lanes; i++) {
      double free = b->row[NEXT + A12][i] * b->v[i] - b->row[NEXT + JJ][i] * b->x[i];
      double part = gain[i] * (speed ? b->v[i] : free);
      sum += part;
      size += fabs(part);
    }
    assert_true(isfinite(got));
    most = fmax(most, apart(got, sum, size));
  }
  return most;
}

static double row_error(const double *a, const double *b, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    most = fmax(most, apart(a[i], b[i], fabs(a[i]) + fabs(b[i]) + 0.1));
  return most;
}

static void padding_is_zero(const double *row, const bench *b) {
  for (uint32_t i = b->modes; i < b->lanes; i++)
    assert_true(row[i] == 0);
}

/* One step with its sums, then a plain reading of the same. */
static double step_error(const ct_bank_kernels *k, random_state *r, uint32_t lanes, uint32_t sums,
                         forcing forced) {
  static bench mine, plain;
  double found[2 * CT_SUMS];
  make_bench(r, &mine, lanes);
  plain = mine;
  ct_bank_sums s = {.free_count = sums / (CT_SUMS + 1), .v_count = sums % (CT_SUMS + 1)};
  for (uint32_t p = 0; p < CT_SUMS; p++) {
    s.free_gain[p] = mine.gain[p];
    s.v_gain[p] = mine.gain[CT_SUMS + p];
    s.free_to[p] = &found[p];
    s.v_to[p] = &found[CT_SUMS + p];
    found[p] = found[CT_SUMS + p] = (double)NAN;
  }
  ct_bank bank = bank_of(&mine, forced);
  ct_bank_step(k, &bank, &s);
  scalar_step(&plain, forced);
  double most = fmax(row_error(mine.x, plain.x, lanes), row_error(mine.v, plain.v, lanes));
  padding_is_zero(mine.x, &mine);
  padding_is_zero(mine.v, &mine);
  most = fmax(most, sums_error(&plain, &s));
  ct_bank_read(k, &bank, &s);
  assert_true(row_error(mine.x, plain.x, lanes) <= most); /* reading moves nothing */
  return fmax(most, sums_error(&plain, &s));
}

static double push_error(const ct_bank_kernels *k, random_state *r, uint32_t lanes) {
  static bench b, plain;
  make_bench(r, &b, lanes);
  plain = b;
  double force = random_between(r, -5, 5);
  k->push(lanes, b.row[ACCELERATION], b.row[OVER_MASS], force);
  for (uint32_t i = 0; i < lanes; i++)
    plain.row[ACCELERATION][i] += force * plain.row[OVER_MASS][i];
  padding_is_zero(b.row[ACCELERATION], &b);
  return row_error(b.row[ACCELERATION], plain.row[ACCELERATION], lanes);
}

static double dot_error(const ct_bank_kernels *k, random_state *r, uint32_t lanes) {
  static bench b;
  make_bench(r, &b, lanes);
  double two = 0, three = 0, size_two = 0, size_three = 0;
  for (uint32_t i = 0; i < lanes; i++) {
    double part = b.gain[0][i] * b.gain[1][i];
    two += part;
    size_two += fabs(part);
    three += part * b.row[RULE + II][i];
    size_three += fabs(part * b.row[RULE + II][i]);
  }
  return fmax(apart(k->dot(lanes, b.gain[0], b.gain[1]), two, size_two),
              apart(k->dot3(lanes, b.gain[0], b.gain[1], b.row[RULE + II]), three, size_three));
}

static double blend_error(const ct_bank_kernels *k, random_state *r, uint32_t lanes) {
  static bench b;
  make_bench(r, &b, lanes);
  const double *rows[4] = {b.gain[0], b.gain[1], b.gain[2], b.gain[3]};
  double weights[4], wanted[MOST_LANES];
  for (int i = 0; i < 4; i++)
    weights[i] = random_between(r, -1, 2);
  for (uint32_t i = 0; i < lanes; i++)
    wanted[i] =
        weights[0] * rows[0][i] + weights[1] * rows[1][i] + weights[2] * rows[2][i] + weights[3] * rows[3][i];
  k->blend(lanes, b.row[OUT], rows, weights);
  padding_is_zero(b.row[OUT], &b);
  return row_error(b.row[OUT], wanted, lanes);
}

/* A symmetric matrix of any size times a vector, without padding: nothing beyond n is written. */
static double multiply_error(const ct_bank_kernels *k, random_state *r, uint32_t n) {
  static double matrix[MOST_ROWS * MOST_ROWS];
  double v[MOST_ROWS] = {0}, out[MOST_ROWS + 1], most = 0;
  for (uint32_t i = 0; i < n; i++) {
    v[i] = random_between(r, -1, 1);
    for (uint32_t j = 0; j <= i; j++)
      matrix[i * n + j] = matrix[j * n + i] = random_between(r, -1, 1);
  }
  out[n] = 7;
  k->multiply(n, matrix, v, out);
  assert_true(out[n] == 7);
  for (uint32_t i = 0; i < n; i++) {
    double sum = 0, size = 0;
    for (uint32_t j = 0; j < n; j++) {
      sum += matrix[i * n + j] * v[j];
      size += fabs(matrix[i * n + j] * v[j]);
    }
    most = fmax(most, apart(out[i], sum, size));
  }
  return most;
}

static void steps_and_readings(void **state) {
  (void)state;
  for (const ct_bank_kernels *const *set = ct_bank_all(); *set; set++) {
    random_state r = {21};
    double most = 0;
    for (uint32_t lanes = CT_LANES; lanes <= MOST_LANES; lanes += CT_LANES)
      for (uint32_t sums = 0; sums < (CT_SUMS + 1) * (CT_SUMS + 1); sums++)
        for (int forced = 0; forced < FORCINGS; forced++)
          most = fmax(most, step_error(*set, &r, lanes, sums, (forcing)forced));
    printf("%s: step and read off by %.2g\n", (*set)->name, most);
    assert_true(most < limit);
  }
}

/* Several steps in one go are, to the bit, as many passes. */
static void coasting_is_stepping(const ct_bank_kernels *k, random_state *r, uint32_t lanes, uint32_t sums,
                                 uint32_t count, bool falls) {
  static bench b, stepped;
  double track[CT_SUMS][CT_TICK], free_m[2] = {0}, v_m_s[CT_SUMS], wanted[CT_SUMS];
  make_bench(r, &b, lanes);
  stepped = b;
  ct_bank_sums s = {.free_count = sums / (CT_SUMS + 1), .v_count = sums % (CT_SUMS + 1)};
  for (uint32_t p = 0; p < CT_SUMS; p++) {
    s.free_gain[p] = b.gain[p];
    s.v_gain[p] = b.gain[CT_SUMS + p];
    s.free_to[p] = &free_m[0];
    s.v_to[p] = &v_m_s[p];
  }
  ct_bank bank = bank_of(&b, falls ? SUMMED : UNFORCED);
  bank.next = bank.rule;
  k->coast[s.free_count][s.v_count][falls](&bank, &s, count, (double *[]){track[0], track[1]});
  bank = bank_of(&stepped, falls ? SUMMED : UNFORCED);
  bank.next = bank.rule;
  s.free_to[0] = &free_m[1];
  for (uint32_t p = 0; p < CT_SUMS; p++)
    s.v_to[p] = &wanted[p];
  for (uint32_t n = 0; n < count; n++) {
    ct_bank_step(k, &bank, &s);
    for (uint32_t p = 0; p < s.v_count; p++)
      assert_memory_equal(&wanted[p], &track[p][n], sizeof(double));
  }
  assert_memory_equal(v_m_s, wanted, s.v_count * sizeof *wanted);
  assert_memory_equal(&free_m[0], &free_m[1], sizeof *free_m);
  assert_memory_equal(b.x, stepped.x, sizeof b.x);
  assert_memory_equal(b.v, stepped.v, sizeof b.v);
}

static void coasting(void **state) {
  (void)state;
  for (const ct_bank_kernels *const *set = ct_bank_all(); *set; set++) {
    random_state r = {24};
    for (uint32_t lanes = CT_LANES; lanes <= 68; lanes += CT_LANES)
      for (uint32_t sums = 0; sums < 2 * (CT_SUMS + 1); sums++)
        for (uint32_t count = 1; count <= CT_TICK; count++)
          for (int falls = 0; falls < 2; falls++)
            coasting_is_stepping(*set, &r, lanes, sums, count, falls);
  }
}

static double over_error(const ct_bank_kernels *k, random_state *r, uint32_t lanes) {
  static bench b;
  make_bench(r, &b, lanes);
  double wanted[MOST_LANES];
  for (uint32_t i = 0; i < lanes; i++)
    b.row[OUT][i] = i < b.modes ? random_between(r, 0.1, 2) : 1;
  for (uint32_t i = 0; i < lanes; i++)
    wanted[i] = b.gain[0][i] / b.row[OUT][i];
  k->over(lanes, b.row[OVER_MASS], b.gain[0], b.row[OUT]);
  padding_is_zero(b.row[OVER_MASS], &b);
  return row_error(b.row[OVER_MASS], wanted, lanes);
}

static void other_loops(void **state) {
  (void)state;
  for (const ct_bank_kernels *const *set = ct_bank_all(); *set; set++) {
    random_state r = {22};
    double push = 0, dot = 0, blend = 0, over = 0;
    for (uint32_t lanes = CT_LANES; lanes <= MOST_LANES; lanes += CT_LANES) {
      push = fmax(push, push_error(*set, &r, lanes));
      over = fmax(over, over_error(*set, &r, lanes));
      dot = fmax(dot, dot_error(*set, &r, lanes));
      blend = fmax(blend, blend_error(*set, &r, lanes));
    }
    double product = 0;
    for (uint32_t n = 1; n <= MOST_ROWS; n++)
      product = fmax(product, multiply_error(*set, &r, n));
    printf("%s: push off by %.2g, dot by %.2g, blend by %.2g, matrix by %.2g\n", (*set)->name, push, dot,
           blend, product);
    assert_true(push < limit && over == 0 && dot < limit && blend < limit && product < limit);
  }
}

/* Every third mode is as good as silent, every second one free, one is no number. */
static void what_is_silent_becomes_none(void **state) {
  (void)state;
  static bench b, was;
  random_state r = {23};
  for (const ct_bank_kernels *const *set = ct_bank_all(); *set; set++)
    for (uint32_t lanes = 4; lanes <= 24; lanes += 4) {
      double *stiffness = b.row[OUT], sum = 0;
      make_bench(&r, &b, lanes);
      for (uint32_t i = 0; i < b.modes; i++) {
        stiffness[i] = i % 2 ? 1e6 : 0;
        b.x[i] *= i % 3 ? 1 : 1e-40;
        b.v[i] *= i % 3 ? 1 : 1e-40;
        sum += b.v[i] * b.v[i] + stiffness[i] * b.x[i] * b.x[i];
      }
      was = b;
      assert_true(fabs((*set)->settle(lanes, b.x, b.v, stiffness, 1e-60) - sum) <= limit * sum);
      for (uint32_t i = 0; i < lanes; i++) {
        assert_true(b.v[i] == (i % 3 ? was.v[i] : 0));
        assert_true(b.x[i] == (i % 3 || stiffness[i] == 0 ? was.x[i] : 0));
      }
      b.v[0] = (double)NAN;
      assert_true(isnan((*set)->settle(lanes, b.x, b.v, stiffness, 1e-60)) && isnan(b.v[0]));
    }
}

static void chosen_is_one_of_all(void **state) {
  (void)state;
  bool found = false;
  for (const ct_bank_kernels *const *set = ct_bank_all(); *set; set++)
    found |= *set == ct_bank_choose();
  assert_true(found);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_and_readings), cmocka_unit_test(coasting), cmocka_unit_test(other_loops),
      cmocka_unit_test(what_is_silent_becomes_none), cmocka_unit_test(chosen_is_one_of_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
