/* Maps: who is where, how boundaries are crossed, and what is refused. */
#include "support/action_lab.h"
#include <contatto/measure.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000;

/* Two regions that meet at a speed of 0.1 m/s, the middle of the plane. */
static void prepare_two(action_lab *lab, ct_boundary boundary) {
  static const double slow[] = {0.01, 0.1}, fast[] = {0.1, 1}, all[] = {0, 1};
  action_lab_prepare(lab, CT_SQUEAKY_GLASS);
  lab->def.boundary = boundary;
  lab->def.exponent = 3; /* no jumps of its own */
  lab->def.region_count = 2;
  lab->regions[0].name = "squeak";
  lab->regions[1].name = "sing";
  lab->regions[1].behaviour = lab->regions[1].morph_to = CT_BOWED_STRING;
  lab->regions[0].x = slow;
  lab->regions[1].x = fast;
  lab->regions[0].y = lab->regions[1].y = all;
  lab->regions[0].corner_count = lab->regions[1].corner_count = 2;
}

typedef struct crossing {
  double ms; /* until the pitch is a mode's */
  double click_db;
} crossing;

static crossing cross(ct_boundary boundary, double mode_hz) {
  enum { COUNT = 24000, AT = 12000 };
  action_lab lab;
  double *y = malloc(COUNT * sizeof *y);
  crossing c = {.ms = INFINITY};
  prepare_two(&lab, boundary);
  action_lab_make(&lab, rate_hz);
  lab.action.regions[1].locked_hz = &mode_hz;
  for (size_t i = 0; i < COUNT; i += CT_ACTION_BLOCK) {
    lab.action.signal[CT_SPEED] = i < AT ? 0.05 : 0.2;
    ct_action_block(&lab.action, y + i);
    if (i >= AT && isinf(c.ms) && fabs(lab.action.hz / mode_hz - 1) < 1e-6)
      c.ms = 1000 * ((double)(i - AT) + CT_ACTION_BLOCK) / rate_hz;
  }
  c.click_db = ct_measure_worst_click(y + 480, COUNT - 480, rate_hz, NULL, 0).strength_db;
  action_lab_free(&lab);
  free(y);
  return c;
}

static void boundaries_are_crossed_at_once(void **state) {
  (void)state;
  const double modes_hz[] = {300, 1200, 4000};
  for (int b = CT_SUDDEN; b <= CT_HYSTERETIC; b++)
    for (int m = 0; m < 3; m++) {
      crossing c = cross((ct_boundary)b, modes_hz[m]);
      assert_true(c.ms <= 5 && c.ms > 1);
      assert_true(c.click_db < CT_MEASURE_CLICK_DB);
    }
}

/* From any behaviour to any other: all that makes it up has arrived within 5 ms, and nothing clicks. */
static void cross_between(ct_behaviour from, ct_behaviour to) {
  enum { COUNT = 9600, AT = 4800, SOON = AT + 240 };
  action_lab lab;
  double *y = malloc(COUNT * sizeof *y), mode_hz = 700;
  prepare_two(&lab, CT_SUDDEN);
  lab.def.noise_n = 0; /* blows are sudden by nature */
  lab.regions[0].behaviour = lab.regions[0].morph_to = from;
  lab.regions[1].behaviour = lab.regions[1].morph_to = to;
  action_lab_make(&lab, rate_hz);
  lab.action.regions[0].locked_hz = lab.action.regions[1].locked_hz = &mode_hz;
  ct_voice end = ct_behaviour_voice(to);
  for (size_t i = 0; i < COUNT; i += CT_ACTION_BLOCK) {
    lab.action.signal[CT_SPEED] = i < AT ? 0.09 : 0.11;
    ct_action_block(&lab.action, y + i);
    const double *part = lab.action.voice.part;
    for (int k = CT_VOICE_HARMONICS; i + CT_ACTION_BLOCK == SOON && k <= CT_VOICE_NOISE; k++)
      assert_true(fabs(part[k] - end.part[k]) < 1e-9);
  }
  double click_db = ct_measure_worst_click(y + 480, COUNT - 480, rate_hz, NULL, 0).strength_db;
  if (!(click_db < CT_MEASURE_CLICK_DB))
    fail_msg("%s to %s: a click of %.1f dB", ct_behaviour_name(from), ct_behaviour_name(to), click_db);
  action_lab_free(&lab);
  free(y);
}

static void any_boundary_is_crossed_at_once(void **state) {
  (void)state;
  for (int from = 0; from < CT_BEHAVIOURS; from++)
    for (int to = 0; to < CT_BEHAVIOURS; to++)
      if (from != to)
        cross_between((ct_behaviour)from, (ct_behaviour)to);
}

/* In units of the plane the boundary is at 1/2 and the width 0.05: held until 0.55 one way, 0.45 the other.
 */
static void hysteresis_holds(void **state) {
  (void)state;
  action_lab lab;
  double block[CT_ACTION_BLOCK];
  prepare_two(&lab, CT_HYSTERETIC);
  action_lab_make(&lab, rate_hz);
  double up = 0, down = 0;
  for (int i = 0; i <= 2000; i++) {
    double place = i <= 1000 ? i / 1000.0 : 2 - i / 1000.0;
    uint32_t before = lab.action.map.now;
    lab.action.signal[CT_SPEED] = 0.01 * pow(100, place);
    ct_action_block(&lab.action, block);
    if (before == 0 && lab.action.map.now == 1)
      up = place;
    if (before == 1 && lab.action.map.now == 0)
      down = place;
  }
  assert_true(fabs(up - 0.55) < 0.002 && fabs(down - 0.45) < 0.002);
  /* to and fro across the edge, within the width: nothing happens */
  uint32_t changes = 0;
  for (int i = 0; i < 1000; i++) {
    uint32_t before = lab.action.map.now;
    lab.action.signal[CT_SPEED] = 0.01 * pow(100, 0.5 + 0.04 * sin(i));
    ct_action_block(&lab.action, block);
    changes += lab.action.map.now != before;
  }
  assert_int_equal(changes, 0);
  action_lab_free(&lab);
}

static void blends_run_evenly(void **state) {
  (void)state;
  action_lab lab;
  double last = 0;
  prepare_two(&lab, CT_BLENDED);
  action_lab_make(&lab, rate_hz);
  for (double x = 0.4; x <= 0.6; x += 0.001) {
    double weights[2], wanted = fmin(fmax((x - 0.45) / 0.1, 0), 1);
    ct_map_weigh(&lab.action.map, (double[2]){x, 0.5}, weights);
    wanted *= wanted * (3 - 2 * wanted);
    assert_true(fabs(weights[0] + weights[1] - 1) < 1e-12 && weights[1] >= last - 1e-12);
    assert_true(fabs(weights[1] - wanted) < 1e-9);
    last = weights[1];
  }
  action_lab_free(&lab);
}

/* ---- signals ---- */

/* Any two signals make a plane; all but speed with their sign: here a stroke that turns left or right, speeds
 * up or slows down. */
static void any_two_signals(void **state) {
  (void)state;
  double block[CT_ACTION_BLOCK];
  for (int i = 0; i < CT_SIGNALS; i++)
    for (int k = 0; k < CT_SIGNALS; k++) {
      static const double low[] = {-2, 0}, high[] = {0, 2}, all[] = {-2, 2};
      action_lab lab;
      prepare_two(&lab, CT_SUDDEN);
      lab.def.x = (ct_axis_def){(ct_signal)i, -2, 2, CT_LINEAR};
      lab.def.y = (ct_axis_def){(ct_signal)k, -2, 2, CT_LINEAR};
      lab.regions[0].x = low;
      lab.regions[1].x = high;
      lab.regions[0].y = lab.regions[1].y = all;
      lab.regions[0].x_power = lab.regions[1].x_power = 1; /* no law on an axis through 0 */
      if (i == k)
        continue;
      action_lab_make(&lab, rate_hz);
      for (int sign = -1; sign <= 1; sign += 2) {
        lab.action.signal[i] = sign;
        ct_action_block(&lab.action, block);
        assert_int_equal(lab.action.map.now, sign > 0 || i == CT_SPEED);
        assert_true(isfinite(lab.action.hz) && isfinite(block[CT_ACTION_BLOCK - 1]));
      }
      action_lab_free(&lab);
    }
}

/* ---- geometry ---- */

/* A Schelleng wedge over bow position (x) and force (y), both on log scales: F_max ~ 1/beta, F_min ~ 1/beta^2
 * are straight lines there. */
static const double wedge_x[3][4] = {{0.02, 0.02, 0.2, 0.2}, {0.02, 0.2, 0.2, 0.02}, {0.02, 0.2, 0.2, 0.02}};
static const double wedge_y[3][4] = {
    {0.4, 0.8, 0.08, 0.004}, {0.8, 0.08, 10, 10}, {0.001, 0.001, 0.004, 0.4}};

static void prepare_wedge(action_lab *lab) {
  static const char *const names[] = {"helmholtz", "raucous", "surface"};
  action_lab_prepare(lab, CT_BOWED_STRING);
  lab->def.x = (ct_axis_def){CT_POSITION, 0.02, 0.2, CT_LOG};
  lab->def.y = (ct_axis_def){CT_PRESSURE, 0.001, 10, CT_LOG};
  lab->def.region_count = 3;
  for (int i = 0; i < 3; i++) {
    lab->regions[i].name = names[i];
    lab->regions[i].x = wedge_x[i];
    lab->regions[i].y = wedge_y[i];
    lab->regions[i].corner_count = 4;
  }
}

static void a_wedge_is_a_wedge(void **state) {
  (void)state;
  action_lab lab;
  prepare_wedge(&lab);
  action_lab_make(&lab, rate_hz);
  for (double beta = 0.021; beta < 0.2; beta *= 1.1)
    for (double force = 0.0011; force < 10; force *= 1.23) {
      double most = 0.016 / beta, least = 1.6e-4 / (beta * beta), weights[3];
      const double place[2] = {ct_axis_place(&lab.def.x, beta), ct_axis_place(&lab.def.y, force)};
      if (fabs(log(force / most)) < 1e-3 || fabs(log(force / least)) < 1e-3)
        continue;
      ct_map_weigh(&lab.action.map, place, weights);
      assert_int_equal(lab.action.map.now, force > most ? 1 : force < least ? 2 : 0);
    }
  action_lab_free(&lab);
}

static void refused(action_lab *lab, const char *what, const char *where) {
  ct_error error;
  const char *said = action_lab_refusal(lab, &error);
  if (!strstr(said, what) || !strstr(said, where))
    fail_msg("'%s' does not say '%s' and '%s'", said, what, where);
}

static void holes_and_overlaps_are_named(void **state) {
  (void)state;
  action_lab lab;
  prepare_wedge(&lab);
  const double thin[4] = {0.8, 0.08, 9, 10}; /* raucous leaves a corner free */
  lab.regions[1].y = thin;
  refused(&lab, "a hole in the map at position", "pressure 9.");
  prepare_wedge(&lab);
  const double thick[4] = {0.8, 0.06, 10, 10}; /* raucous reaches into helmholtz */
  lab.regions[1].y = thick;
  refused(&lab, "'helmholtz' and 'raucous' overlap at position", "pressure 0.2");
  prepare_wedge(&lab);
  lab.def.region_count = 2;
  refused(&lab, "a hole in the map at position", "no region is there");
  prepare_two(&lab, CT_SUDDEN);
  lab.regions[1].corner_count = 0;
  refused(&lab, "region 'sing': no corners", "alone");
  prepare_two(&lab, CT_SUDDEN);
  const double outside[2] = {0.1, 2};
  lab.regions[1].x = outside;
  refused(&lab, "region 'sing': x.1 is 2", "speed 0.01 to 1");
  prepare_wedge(&lab);
  const double knot[4] = {0.02, 0.2, 0.02, 0.2};
  lab.regions[0].x = knot;
  refused(&lab, "region 'helmholtz': its outline crosses itself", "position");
  prepare_two(&lab, CT_SUDDEN);
  lab.def.x.min = 0;
  refused(&lab, "x is logarithmic from 0", "above 0");
  prepare_two(&lab, CT_SUDDEN);
  lab.def.y.max = 0;
  refused(&lab, "y runs from 0 to 0", "min below max");
}

/* Random cuts of the plane into strips that share slanted edges have neither; a corner moved has both or one.
 */
static void random_partitions(void **state) {
  (void)state;
  ct_random random = {5};
  for (int round = 0; round < 200; round++) {
    action_lab lab;
    double x[4][4], y[4][4];
    action_lab_prepare(&lab, CT_RUBBING);
    lab.def.x = (ct_axis_def){CT_FLUIDITY, 0, 1, CT_LINEAR};
    lab.def.region_count = 4;
    double low = 0, high = 0;
    for (int i = 0; i < 4; i++) {
      double low_to = i == 3 ? 1 : low + (1 - low) * 0.6 * ct_random_share(&random);
      double high_to = i == 3 ? 1 : high + (1 - high) * 0.6 * ct_random_share(&random);
      const double xs[4] = {low, low_to, high_to, high}, ys[4] = {0, 0, 1, 1};
      memcpy(x[i], xs, sizeof xs);
      memcpy(y[i], ys, sizeof ys);
      lab.regions[i].x = x[i];
      lab.regions[i].y = y[i];
      lab.regions[i].corner_count = 4;
      low = low_to;
      high = high_to;
    }
    ct_error error;
    assert_string_equal(action_lab_refusal(&lab, &error), "");
    int moved = (int)(ct_random_bits(&random) % 3);
    x[moved][1] += 0.01 + 0.1 * ct_random_share(&random);
    assert_true(strstr(action_lab_refusal(&lab, &error), "overlap") || strstr(error.text, "crosses itself") ||
                strstr(error.text, "x.1"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boundaries_are_crossed_at_once),
                                     cmocka_unit_test(any_boundary_is_crossed_at_once),
                                     cmocka_unit_test(hysteresis_holds),
                                     cmocka_unit_test(blends_run_evenly),
                                     cmocka_unit_test(any_two_signals),
                                     cmocka_unit_test(a_wedge_is_a_wedge),
                                     cmocka_unit_test(holes_and_overlaps_are_named),
                                     cmocka_unit_test(random_partitions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
