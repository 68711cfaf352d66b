/* ctest: slow
 * Avanzini, Serafin and Rocchesso (2002): the judge of bowed strings on signals that are known, limits
 * against their formulas, and the bowed string against the limits. */
#include "study/avanzini2002.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

/* ---- signals ---- */

enum { RATE = 44100, PERIOD = 300, COUNT = 24 * PERIOD };

static const double string_hz = (double)RATE / PERIOD, speed = 0.1, place = 0.1;

static const ct_bowing steady = {RATE, (double)RATE / PERIOD, 0.1, 0, 0.1};

static uint32_t random_state = 1;

static double random_number(void) { /* -1 .. 1 */
  random_state = random_state * 1664525u + 1013904223u;
  return random_state / 2147483648.0 - 1;
}

/* Stuck to the bow but for `share` of a stretch, in which it comes all the way back, from sample `at` on. */
static void put_stretch(double *v, uint32_t at, uint32_t length, double share, double amplitude) {
  uint32_t slip = (uint32_t)lrint(share * length);
  for (uint32_t n = at; n < at + length && n < COUNT; n++)
    v[n] = n - at < length - slip ? amplitude : -amplitude * (length - slip) / slip;
}

static void put_stretches(double *v, uint32_t length, double share, double amplitude) {
  for (uint32_t at = 0; at < COUNT; at += length)
    put_stretch(v, at, length, share, amplitude);
}

/* As a string's ripples are: a tenth of the bow's speed. */
static void add_ripple(double *v, double size) {
  for (uint32_t n = 0; n < COUNT; n++)
    v[n] += size * speed * random_number();
}

static ct_bowed_motion judge(const double *v) {
  ct_bowed_motion found;
  assert_true(ct_bowed_judge(v, COUNT, &steady, &found));
  return found;
}

static void assert_regime(const double *v, ct_bowed_regime expected) {
  ct_bowed_motion f = judge(v);
  if (f.regime != expected)
    fail_msg("%s instead of %s: %g slips, clarity %g, %g Hz, share %g, stuck at %g",
             ct_bowed_regime_names[f.regime], ct_bowed_regime_names[expected], f.slips, f.clarity, f.hz,
             f.slip_share, f.stuck_m_s);
}

/* ---- the judge ---- */

static void slips_are_found(void **state) {
  (void)state;
  double v[COUNT];
  ct_bowed_slip slips[40];
  put_stretches(v, PERIOD, place, speed);
  uint32_t found = ct_bowed_find_slips(v, COUNT, &steady, slips, 40);
  assert_int_equal(found, 23); /* the last is not over */
  for (uint32_t i = 0; i < found; i++) {
    assert_true(fabs(slips[i].begin_s * RATE - (i * PERIOD + 270)) < 1e-6);
    assert_true(fabs(slips[i].end_s * RATE - (i + 1) * PERIOD) < 1e-6);
    assert_true(fabs(slips[i].distance_m * string_hz / speed - 1) < 0.01); /* all of the bow's way */
  }
  assert_int_equal(ct_bowed_find_slips(v, COUNT, &steady, slips, 3), 23); /* counts beyond its room */
}

/* Dips as deep as the slips, but three samples long: not slips. */
static void short_dips_do_not_count(void **state) {
  (void)state;
  double v[COUNT];
  put_stretches(v, PERIOD, place, speed);
  for (uint32_t at = 100; at < COUNT; at += PERIOD)
    v[at] = v[at + 1] = v[at + 2] = -speed;
  assert_int_equal(ct_bowed_find_slips(v, COUNT, &steady, NULL, 0), 23);
}

static void helmholtz_motion_is_told(void **state) {
  (void)state;
  double v[COUNT];
  for (int ripple = 0; ripple < 3; ripple++) {
    put_stretches(v, PERIOD, place, speed);
    add_ripple(v, 0.1 * ripple);
    assert_regime(v, CT_BOWED_HELMHOLTZ);
  }
  put_stretches(v, PERIOD * 103 / 100, place, speed); /* flattened by half a semitone */
  assert_regime(v, CT_BOWED_HELMHOLTZ);
  put_stretches(v, PERIOD, 2 * place, speed); /* round corners */
  assert_regime(v, CT_BOWED_HELMHOLTZ);
}

static void what_is_not_carried_is_none(void **state) {
  (void)state;
  double v[COUNT];
  put_stretches(v, PERIOD, place, 0.8 * speed); /* rings on by itself */
  assert_regime(v, CT_BOWED_NONE);
  for (uint32_t n = 0; n < COUNT; n++)
    v[n] = 0.5 * speed * sin(2 * M_PI * n / PERIOD); /* slides all the time */
  assert_regime(v, CT_BOWED_NONE);
  for (uint32_t n = 0; n < COUNT; n++)
    v[n] = speed; /* sticks for good */
  assert_regime(v, CT_BOWED_NONE);
  for (uint32_t n = 0; n < COUNT; n++)
    v[n] = 0;
  assert_regime(v, CT_BOWED_NONE);
}

static void multiple_slips_are_told(void **state) {
  (void)state;
  double v[COUNT];
  for (uint32_t at = 0; at < COUNT; at += PERIOD) { /* two, not alike */
    put_stretch(v, at, 120, place, speed);
    put_stretch(v, at + 120, 180, place, speed);
  }
  add_ripple(v, 0.1);
  assert_regime(v, CT_BOWED_MULTIPLE);
  put_stretches(v, PERIOD / 3, place, speed); /* three, alike: an octave and a fifth higher */
  assert_regime(v, CT_BOWED_MULTIPLE);
}

static void other_periods_are_told(void **state) {
  (void)state;
  double v[COUNT];
  put_stretches(v, 2 * PERIOD, place, speed); /* an octave low */
  assert_regime(v, CT_BOWED_OTHER);
  put_stretches(v, 3 * PERIOD, place / 3, speed);
  assert_regime(v, CT_BOWED_OTHER);
  put_stretches(v, PERIOD, place / 2, speed); /* S motion */
  assert_regime(v, CT_BOWED_OTHER);
}

static void disorder_is_raucous(void **state) {
  (void)state;
  double v[COUNT];
  for (uint32_t seed = 1; seed < 6; seed++) {
    random_state = seed;
    for (uint32_t at = 0; at < COUNT;) {
      uint32_t length = (uint32_t)(PERIOD * (1 + 0.6 * random_number()));
      put_stretch(v, at, length, place, speed);
      at += length;
    }
    assert_regime(v, CT_BOWED_RAUCOUS);
  }
}

/* ---- attacks ---- */

static const ct_bowing starting = {RATE, (double)RATE / PERIOD, 0, 2, 0.1};

/* The bow's speed a t, stuck but for these slips; from the last of them on one per period. */
static void put_attack(double *v, const uint32_t *slips, uint32_t count) {
  uint32_t next = 0, at = slips[0];
  for (uint32_t n = 0; n < COUNT; n++) {
    double now = starting.acceleration_m_s2 * n / RATE;
    v[n] = n >= at && n < at + 30 ? -9 * now : now;
    if (n == at + 30)
      at = ++next < count ? slips[next] : at + PERIOD;
  }
}

static ct_bowed_attack attack_of(const double *v) {
  ct_bowed_attack attack;
  assert_true(ct_bowed_measure_attack(v, COUNT, &starting, &attack));
  return attack;
}

static void attacks_are_counted(void **state) {
  (void)state;
  double v[COUNT];
  put_attack(v, (uint32_t[]){700}, 1);
  ct_bowed_attack a = attack_of(v);
  assert_true(fabs(a.first_s * RATE - 700) < 1e-6 && a.periods == 0 && isnan(a.longest));
  put_attack(v, (uint32_t[]){700, 850, 1000, 1150, 1300}, 5); /* twice as often for two periods */
  a = attack_of(v);
  assert_true(fabs(a.periods - 2) < 1e-9 && fabs(a.longest - 0.4) < 1e-9);
  put_attack(v, (uint32_t[]){700, 1300, 1900}, 3); /* half as often for four */
  a = attack_of(v);
  assert_true(fabs(a.periods - 4) < 1e-9 && fabs(a.longest - 1.9) < 1e-9);
  assert_true(bowed_is_accepted(&a));
  for (uint32_t n = 400; n < 700; n++)
    v[n] = -1e-3; /* one long slide first: nothing waits */
  assert_true(fabs(attack_of(v).longest - 1.9) < 1e-9 && fabs(attack_of(v).periods - 5) < 1e-9);
}

static void attacks_that_fail(void **state) {
  (void)state;
  double v[COUNT];
  uint32_t often[60];
  for (uint32_t i = 0; i < 60; i++)
    often[i] = 300 + 115 * i;
  put_attack(v, often, 60);
  ct_bowed_attack a = attack_of(v);
  assert_true(isnan(a.periods) && !ct_bowed_is_choked(&a) && fabs(a.longest - 85.0 / PERIOD) < 1e-9 &&
              !bowed_is_accepted(&a));
  put_attack(v, (uint32_t[]){COUNT}, 1);
  a = attack_of(v);
  assert_true(isnan(a.first_s) && isnan(a.periods));
  put_attack(v, (uint32_t[]){700}, 1);
  for (uint32_t n = 4000; n < COUNT; n++)
    v[n] = starting.acceleration_m_s2 * n / RATE; /* it stops again */
  assert_true(isnan(attack_of(v).periods));
  for (uint32_t n = 0; n < COUNT; n++) /* slides, and is pulled along once in a period */
    v[n] = starting.acceleration_m_s2 * n / RATE * (n % PERIOD < 60 ? 0.9 : -0.2);
  assert_true(isnan(attack_of(v).periods));
}

static void listeners_are_patient_for_so_long(void **state) {
  (void)state;
  const double periods_50_ms = 0.05 * BOW_HZ, periods_90_ms = 0.09 * BOW_HZ;
  assert_true(bowed_is_accepted(&(ct_bowed_attack){0, 0.99 * periods_50_ms, 2}));
  assert_false(bowed_is_accepted(&(ct_bowed_attack){0, 1.01 * periods_50_ms, 2}));
  assert_true(bowed_is_accepted(&(ct_bowed_attack){0, 0.99 * periods_90_ms, 0.5}));
  assert_false(bowed_is_accepted(&(ct_bowed_attack){0, 1.01 * periods_90_ms, 0.5}));
}

/* ---- the loop's measures ---- */

enum { LOOP_RATE = 352800 };

/* One slip per period, its speed up and down as half a sine; friction on the steady curve, moved up by
 * `apart` while it speeds up. */
static void put_loop(const bow *b, bow_trace *t, double apart) {
  double period = b->rate_hz / BOW_HZ;
  for (uint32_t n = 0; n < t->count; n++) {
    double phase = fmod(n, period) / period * 10, slip = phase < 1 ? sin(M_PI * phase) : 0;
    t->speed_m_s[n] = speed;
    t->v_m_s[n] = speed - slip;
    t->force_n[n] = 2 * (bow_steady_mu(&b->friction, slip) + (phase < 0.5 ? apart : 0));
  }
}

static void loops_are_measured(void **state) {
  (void)state;
  enum { SAMPLES = 30000 };
  bow b = bow_cello();
  double *lists = calloc(3 * SAMPLES, sizeof *lists);
  bow_trace t = {
      .v_m_s = lists, .speed_m_s = lists + SAMPLES, .force_n = lists + 2 * SAMPLES, .count = SAMPLES};
  bowed_loop l = {.beta = place};
  assert_non_null(lists);
  b.rate_hz = LOOP_RATE;
  put_loop(&b, &t, 0);
  bowed_measure_loop(&b, &t, 2, &l);
  assert_true(l.on_curve_share == 1 && l.on_curve_longest > 1.7 && l.width < 0.01);
  assert_true(fabs(l.slip_m_s - 0.9) < 1e-3 && fabs(l.helmholtz_m_s - 0.9) < 1e-12);
  put_loop(&b, &t, 0.2);
  bowed_measure_loop(&b, &t, 2, &l);
  assert_true(fabs(l.width - 0.2) < 0.01 && fabs(l.on_curve_share - 0.5) < 0.02);
  assert_true(fabs(l.on_curve_longest - 0.9) < 0.02); /* one way only */
  free(lists);
}

/* ---- limits ---- */

static void limits_are_the_formulas(void **state) {
  (void)state;
  bow b = bow_cello();
  ct_error error = {0};
  double resistance;
  must(bow_resistance_kg_s(&b, &resistance, &error), &error);
  printf("R %.1f kg/s, 2 Z Q/pi %.1f\n", resistance, 2 * 0.506 * 500 / M_PI);
  assert_true(fabs(resistance / (2 * 0.506 * 500 / M_PI) - 1) < 0.02);
  assert_true(fabs(bowed_most_n(&b, 0.1, 0.08) - 2.461) < 0.001);
  assert_true(fabs(bowed_least_n(&b, 160, 0.1, 0.08) - 0.02432) < 1e-5);
  /* F/a: the closed form of the perfect line, and t2 - t1 as it should be on the late one */
  double perfect = bowed_perfect_n_s2_m(&b, 0.1), late = bowed_late_n_s2_m(&b, 0.1, 0.05);
  assert_true(fabs(perfect / (4 * 0.506 / 147 * 0.9 * 1.021 / (0.1 * 0.514 * 0.514)) - 1) < 1e-9);
  double t1 = sqrt(1.021 * late * 0.1 * 0.9 / (147 * 0.506)), t2 = late * 0.1 * 0.514 / (2 * 0.506);
  assert_true(fabs(t2 - t1 - 0.05) < 1e-9);
  assert_true(fabs(bowed_growing_n_s2_m(&b, 0.1) - 0.506 / 147 / (4 * 0.01 * 0.514)) < 1e-9);
}

/* ---- the bowed string ---- */

static bool is_kept(double beta, double normal_n) {
  bow b = bow_cello();
  ct_error error = {0};
  ct_bowed_motion found;
  must(bowed_keep(&b, beta, normal_n, BOWED_WAIT_S, &found, &error), &error);
  return found.regime == CT_BOWED_HELMHOLTZ;
}

/* Between a force that is kept and one that is not: to 7 % in five halvings of a factor of nine. */
static double edge(double beta, double kept_n, double lost_n) {
  assert_true(is_kept(beta, kept_n));
  assert_false(is_kept(beta, lost_n));
  for (int i = 0; i < 5; i++) {
    double middle = sqrt(kept_n * lost_n);
    *(is_kept(beta, middle) ? &kept_n : &lost_n) = middle;
  }
  return sqrt(kept_n * lost_n);
}

static const double places[] = {0.025, 0.04, 0.065, 0.1, 0.15};

enum { PLACES = sizeof places / sizeof places[0] };

static void upper_edge_is_schellengs(void **state) {
  (void)state;
  bow b = bow_cello();
  for (int i = 0; i < PLACES; i++) {
    double most = bowed_most_n(&b, BOWED_SPEED_M_S, places[i]), found = edge(places[i], most / 3, 3 * most);
    printf("beta %g: upper edge %.3g N, F_max %.3g N: %.2f\n", places[i], found, most, found / most);
    assert_true(found / most < 1.5 && most / found < 1.5);
  }
}

static void lower_edge_falls_as_schellengs(void **state) {
  (void)state;
  bow b = bow_cello();
  ct_error error = {0};
  double resistance, ratio[PLACES];
  must(bow_resistance_kg_s(&b, &resistance, &error), &error);
  for (int i = 0; i < PLACES; i++) {
    double least = bowed_least_n(&b, resistance, BOWED_SPEED_M_S, places[i]);
    ratio[i] = edge(places[i], 3.5 * least, least / 3.5) / least;
    printf("beta %g: lower edge at %.2f F_min\n", places[i], ratio[i]);
    assert_true(ratio[i] < 2 && ratio[i] > 0.5);
  }
}

/* From rest at full speed: Helmholtz within the wedge, multiple slips near the bridge, raucous above. */
static void a_bow_put_on(void **state) {
  (void)state;
  const struct {
    double beta, normal_n;
    ct_bowed_regime regime;
  } cases[] = {{0.12, 0.6, CT_BOWED_HELMHOLTZ},
               {0.04, 0.5, CT_BOWED_MULTIPLE},
               {0.12, 8, CT_BOWED_RAUCOUS},
               {0.03, 0.02, CT_BOWED_NONE}};
  bow b = bow_cello();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ct_error error = {0};
    ct_bowed_motion found;
    must(bowed_begin(&b, cases[i].beta, cases[i].normal_n, &found, &error), &error);
    if (found.regime != cases[i].regime)
      fail_msg("beta %g, %g N: %s", cases[i].beta, cases[i].normal_n, ct_bowed_regime_names[found.regime]);
  }
}

static void attacks_follow_the_wedge(void **state) {
  (void)state;
  bow b = bow_cello();
  double perfect = bowed_perfect_n_s2_m(&b, 0.1);
  ct_bowed_attack weak, right, strong;
  ct_error error = {0};
  must(bowed_attack(&b, 0.1, 1.5, 0.3 * perfect * 1.5, &weak, &error), &error);
  must(bowed_attack(&b, 0.1, 1.5, 1.3 * perfect * 1.5, &right, &error), &error);
  must(bowed_attack(&b, 0.1, 0.3, 6 * perfect * 0.3, &strong, &error), &error);
  printf("periods to Helmholtz motion: too weak %g (waits %.2g), right %g, too strong %g (waits %.2g)\n",
         weak.periods, weak.longest, right.periods, strong.periods, strong.longest);
  assert_true(right.periods < 0.5 && bowed_is_accepted(&right));
  assert_true(!bowed_is_accepted(&weak) && !ct_bowed_is_choked(&weak));
  assert_true(!bowed_is_accepted(&strong) && ct_bowed_is_choked(&strong));
}

/* Both laws make loops, with the paper's mu too. Stiff bristles follow the steady curve wherever it is flat;
 * soft ones hardly, the softer the curve's fall the more, and temperature nowhere. */
static void loops_are_loops(void **state) {
  (void)state;
  ct_error error = {0};
  bowed_loop loops[BOWED_LAWS];
  must(bowed_measure_loops(&(ct_study_run){0}, loops, &error), &error);
  for (int i = 0; i < BOWED_LAWS; i++) {
    const bowed_loop *l = &loops[i];
    printf(
        "%s: width %.3f, %.1f %% of the slip on the steady curve, %.2f of its speed along it, %.1f cents\n",
        bowed_law_names[i], l->width, 100 * l->on_curve_share, l->on_curve_longest, l->cents);
    bool stiff = i == BOWED_ROSIN || i == BOWED_STIFF_04 || i == BOWED_STIFF_05;
    assert_true(fabs(l->slips - 1) < 0.06 && l->width > (stiff && i != BOWED_ROSIN ? 0.005 : 0.025));
    assert_true(stiff ? l->on_curve_share > 0.8
                      : l->on_curve_share < (i == BOWED_SOFT_04 ? 0.25 : 0.2) && l->on_curve_longest < 0.2);
  }
}

/* Figure 6: Helmholtz motion at pitch, and no part of the loop on the steady curve. */
static void temperature_makes_helmholtz_motion(void **state) {
  (void)state;
  ct_error error = {0};
  bowed_heat map;
  must(bowed_map_heat(&(ct_study_run){0}, &map, &error), &error);
  const bowed_loop *ours = &map.at[3][3], *before = &map.at[0][BOWED_FILMS - 1];
  printf("film 5 um, patch 0.44 mm: %.1f cents, slips at %.3f of the ideal for %.3f, %.3f on the curve\n",
         ours->cents, ours->slip_m_s / ours->helmholtz_m_s, ours->half_share, ours->on_curve_share);
  assert_true(bowed_is_in_tune(ours) && bowed_is_off_curve(ours));
  assert_true(!bowed_is_in_tune(before)); /* all heat in a film of 75 um cannot */
  for (int f = 0; f < BOWED_FILMS; f++)   /* nor in a film of any thickness, off the curve */
    assert_false(bowed_is_in_tune(&map.at[0][f]) && bowed_is_off_curve(&map.at[0][f]));
}

static void powers_are_fitted(void **state) {
  const double beta[] = {0.02, 0.04, 0.08, 0.16}, exact[] = {8, 2, 0.5, 0.125}, gap[] = {8, NAN, 0.5, 0.125},
               off[] = {8 * 1.1, 2 / 1.1, 0.5 / 1.1, 0.125 * 1.1};
  (void)state;
  bowed_power p = bowed_fit_power(beta, exact, 4);
  assert_true(fabs(p.exponent + 2) < 1e-12 && p.error < 1e-6 && p.points == 4);
  p = bowed_fit_power(beta, gap, 4);
  assert_true(fabs(p.exponent + 2) < 1e-12 && p.points == 3);
  p = bowed_fit_power(beta, off, 4); /* residuals of ln 1.1 across the slope, 2 degrees of freedom */
  double spread = log(2) * log(2) * 5;
  assert_true(fabs(p.exponent + 2) < 1e-12 && fabs(p.error - log(1.1) * sqrt(4 / 2.0 / spread)) < 1e-9);
}

static void alpha_is_as_printed(void **state) {
  (void)state;
  ct_error error = {0};
  bowed_adhesion found;
  must(bowed_draw_adhesion(&(ct_study_run){0}, &found, &error), &error);
  printf("alpha at %u places: within %.1e\n", found.points, found.worst);
  assert_true(found.points > 8000 && found.worst < 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slips_are_found),
                                     cmocka_unit_test(short_dips_do_not_count),
                                     cmocka_unit_test(helmholtz_motion_is_told),
                                     cmocka_unit_test(what_is_not_carried_is_none),
                                     cmocka_unit_test(multiple_slips_are_told),
                                     cmocka_unit_test(other_periods_are_told),
                                     cmocka_unit_test(disorder_is_raucous),
                                     cmocka_unit_test(attacks_are_counted),
                                     cmocka_unit_test(attacks_that_fail),
                                     cmocka_unit_test(listeners_are_patient_for_so_long),
                                     cmocka_unit_test(loops_are_measured),
                                     cmocka_unit_test(limits_are_the_formulas),
                                     cmocka_unit_test(upper_edge_is_schellengs),
                                     cmocka_unit_test(lower_edge_falls_as_schellengs),
                                     cmocka_unit_test(a_bow_put_on),
                                     cmocka_unit_test(attacks_follow_the_wedge),
                                     cmocka_unit_test(loops_are_loops),
                                     cmocka_unit_test(temperature_makes_helmholtz_motion),
                                     cmocka_unit_test(powers_are_fitted),
                                     cmocka_unit_test(alpha_is_as_printed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
