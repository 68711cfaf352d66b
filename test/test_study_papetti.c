/* Papetti, Avanzini and Rocchesso (2009): every figure of table 1 as printed
 * (test/data/papetti2009_table1.csv), the four methods, the corrections, and what the engine does instead. */
#include "study/papetti2009.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

static papetti_errors measure(int number, int method, ct_quality quality) {
  ct_error error = {0};
  papetti_errors e;
  must(papetti_measure(&papetti_cases[number - 1], (wall_methods)method, quality, &e, &error), &error);
  return e;
}

static wall_trace play(const wall *w, wall_run_def def) {
  ct_error error = {0};
  wall_trace t;
  must(wall_run(w, &def, &t, &error), &error);
  return t;
}

static wall wall_of(int number, double factor) {
  return (wall){.impact = papetti_cases[number - 1], .step_s = 1 / (PAPETTI_RATE_HZ * factor)};
}

/* ---- table 1 ---- */

static double of_quantity(const papetti_errors *e, const char *quantity) {
  if (strcmp(quantity, "x_max") == 0)
    return e->x_max_pct[0];
  assert_true(strcmp(quantity, "v_out") == 0 || strcmp(quantity, "h_tau") == 0);
  return strcmp(quantity, "v_out") == 0 ? e->v_out_pct[0] : e->h_tau_pct[0];
}

/* A published number, or "not exceeded": then at most 0. Returns how many numbers there were. */
static int check_cell(const char *text, double pct) {
  char *end;
  double printed = strtod(text, &end);
  if (end == text) {
    assert_string_equal(text, "not exceeded");
    assert_true(pct <= 0);
    return 0;
  }
  if (!(fabs(pct - printed) <= 0.001))
    fail_msg("%+.6f %% where %s is printed", pct, text);
  return 1;
}

static void table_1(void **state) {
  (void)state;
  char line[200], quantity[16], cells[4][24];
  int numbers = 0, number;
  FILE *file = fopen(CT_TEST_DATA "/papetti2009_table1.csv", "r");
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file)) {
    assert_int_equal(sscanf(line, "%d,%15[^,],%23[^,],%23[^,],%23[^,],%23[^,\r\n]", &number, quantity,
                            cells[0], cells[1], cells[2], cells[3]),
                     6);
    for (int method = WALL_AM1; method <= WALL_RK4; method++) {
      papetti_errors e = measure(number, method, CT_NORMAL_QUALITY);
      numbers += check_cell(cells[method], of_quantity(&e, quantity));
    }
  }
  fclose(file);
  assert_int_equal(numbers, 18);
}

/* The engine, against the exact root. */
static void table_1_engine(void **state) {
  (void)state;
  for (int number = 1; number <= 2; number++) {
    papetti_errors normal = measure(number, WALL_CONTATTO, CT_NORMAL_QUALITY),
                   best = measure(number, WALL_CONTATTO, CT_BEST);
    printf("case %d, engine: v_out %+.4f %%, at best %+.5f %%\n", number, normal.v_out_pct[1],
           best.v_out_pct[1]);
    assert_true(normal.x_max_pct[1] <= 0 && fabs(normal.v_out_pct[1]) < 0.1);
    assert_true(best.x_max_pct[1] <= 0 && fabs(best.v_out_pct[1]) < 0.01);
  }
}

/* ---- methods ---- */

/* All five converge to the exact root as the rate grows: at 16 times the rate no more is left than first
 * order would leave of the worst in table 1. */
static void methods_converge(void **state) {
  (void)state;
  for (int number = 1; number <= 2; number++)
    for (int method = 0; method < WALL_METHODS; method++) {
      wall w = wall_of(number, 16);
      wall_trace t = play(&w, (wall_run_def){.method = (wall_methods)method, .samples = 4000, .once = true});
      double exact = ct_impact_rebound_m_s(w.impact.speed_m_s, w.impact.damping_s_m);
      double pct = 100 * (t.at[t.count - 1].v_m_s / exact - 1);
      double x_pct = 100 * (wall_trace_largest_x_m(&t) / ct_impact_largest_compression_m(&w.impact) - 1);
      printf("case %d at 16 x 44.1 kHz, %s: v_out %+.5f %%, x_max %+.5f %%\n", number,
             wall_method_names[method], pct, x_pct);
      assert_true(fabs(pct) < 5.0 / 16 && fabs(x_pct) < 5.0 / 16);
      wall_trace_free(&t);
    }
}

static double largest_rise(const wall_trace *t) {
  double rise = -INFINITY;
  for (uint32_t n = 1; n < t->count; n++)
    rise = fmax(rise, t->energy_j[n] / t->energy_j[0] - t->energy_j[n - 1] / t->energy_j[0]);
  return rise;
}

/* Eq. 24, H(n+1) <= H(n): the engine always, at any quality and moment of arrival; none of AM1, Verlet, Heun
 * in case 1. */
static void energy_falls(void **state) {
  (void)state;
  for (int number = 1; number <= 2; number++)
    for (int moment = 0; moment < 16; moment++)
      for (int quality = CT_DRAFT; quality <= CT_BEST; quality++) {
        wall w = wall_of(number, 1);
        wall_run_def def = {.method = WALL_CONTATTO, .samples = 40, .quality = (ct_quality)quality};
        def.x_m = -w.impact.speed_m_s * w.step_s * moment / 16;
        wall_trace t = play(&w, def);
        assert_true(largest_rise(&t) < 1e-15);
        wall_trace_free(&t);
      }
  for (int method = WALL_AM1; method <= WALL_HEUN; method++) {
    wall w = wall_of(1, 1);
    wall_trace t = play(&w, (wall_run_def){.method = (wall_methods)method, .samples = 40});
    assert_true(largest_rise(&t) > 0.01);
    wall_trace_free(&t);
  }
}

/* Section 4.2, on each method: with both corrections it leaves with eq. 7 and never passes x_max; each alone
 * does its own part only. */
static void corrections(void **state) {
  (void)state;
  for (int i = 0; i < 2 * 4 * 4; i++) {
    wall w = wall_of(1 + i / 16, 1);
    wall_corrections how = {i & 1, i >> 1 & 1};
    wall_trace t =
        play(&w, (wall_run_def){.method = (wall_methods)(i >> 2 & 3), .corrections = how, .samples = 40});
    double eq7 = ct_impact_rebound_eq7_m_s(w.impact.speed_m_s, w.impact.damping_s_m);
    double limit = ct_impact_largest_compression_m(&w.impact);
    assert_true(!how.clip || wall_trace_largest_x_m(&t) <= limit);
    assert_true(how.restore == (t.at[t.count - 1].v_m_s == eq7));
    wall_trace_free(&t);
  }
  wall w = wall_of(1, 1);
  wall_trace t = play(&w, (wall_run_def){.method = WALL_VERLET, .corrections = {false, true}, .samples = 40});
  assert_true(wall_trace_largest_x_m(&t) > ct_impact_largest_compression_m(&w.impact));
  wall_trace_free(&t);
}

/* The truth that figure 8 is measured with: without gravity it is the closed form. */
static void true_contact(void **state) {
  (void)state;
  for (int number = 1; number <= 2; number++) {
    wall w = wall_of(number, 1);
    const ct_impact_case *c = &w.impact;
    wall_contact contact = wall_contact_true(&w, c->speed_m_s);
    double v = fabs(contact.v_out_m_s / ct_impact_rebound_m_s(c->speed_m_s, c->damping_s_m) - 1);
    double time = fabs(contact.time_s / ct_impact_contact_time_s(c) - 1);
    printf("case %d in fine steps: v_out off by %.1e, contact time by %.1e\n", number, v, time);
    assert_true(v < 1e-9 && time < 1e-8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(table_1),          cmocka_unit_test(table_1_engine),
                                     cmocka_unit_test(methods_converge), cmocka_unit_test(energy_falls),
                                     cmocka_unit_test(corrections),      cmocka_unit_test(true_contact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
