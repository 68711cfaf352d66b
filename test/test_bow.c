/* ctest: slow
 * The bow, from sound and state. `cello` is in Helmholtz motion for ten seconds at every rate: one slip per
 * period, as long as bow and bridge are apart, as fast as geometry says, in tune. Friction loops are
 * hysteretic, and where the steady curve falls no stretch of them follows it. Too little force slips twice,
 * too much is raucous. */
#include "support/play.h"

#include <contatto/scene.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

enum { STRING_V, BOW_V, FORCE, PRESSED, BRIDGE, TAPS };

static const char *const cello_taps[TAPS] = {"d.bow.tangential_v_m_s", "bow.tangential_v_m_s", "rub.force_n",
                                             "rub.pressed_n", "d.bridge.pull_n"};

typedef struct bowing {
  double *tap[TAPS], *heard;
  size_t frames;
  double rate_hz;
  ct_counters counters;
  ct_ledger ledger;
} bowing;

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

static bowing bow(ct_doc *doc, ct_render_def def) {
  ct_error error = {0};
  ct_render *r = NULL;
  def.taps = cello_taps;
  def.tap_count = TAPS;
  must(ct_render_open(doc, &def, &r, &error), &error);
  bowing b = {.rate_hz = ct_scene_rate_hz(ct_render_scene(r))};
  size_t all = (size_t)ct_render_frames(r);
  for (int i = 0; i < TAPS; i++)
    b.tap[i] = calloc(all, sizeof(double));
  b.heard = calloc(all, sizeof(double));
  ct_render_block block;
  for (must(ct_render_next(r, &block, &error), &error); block.frames;
       must(ct_render_next(r, &block, &error), &error))
    for (uint32_t n = 0; n < block.frames; n++, b.frames++) {
      b.heard[b.frames] = (double)block.outputs[0][n];
      for (int i = 0; i < TAPS; i++)
        b.tap[i][b.frames] = block.taps[i][n];
    }
  b.counters = ct_scene_counters(ct_render_scene(r));
  b.ledger = ct_scene_ledger(ct_render_scene(r));
  ct_render_close(r);
  ct_doc_destroy(doc);
  return b;
}

static void put_away(bowing *b) {
  for (int i = 0; i < TAPS; i++)
    free(b->tap[i]);
  free(b->heard);
}

/* One long bow: speed from nothing within `attack_s`, force throughout. */
static bowing long_bow(ct_doc *doc, double rate_hz, double seconds, double speed_m_s, double force_n,
                       double attack_s) {
  const double time_s[] = {0, attack_s, seconds}, speed[] = {0, speed_m_s, speed_m_s},
               force[] = {force_n, force_n, force_n};
  const char *const paths[] = {"speed", "force"};
  const double *const columns[] = {speed, force};
  ct_gesture gesture = {.rows = 3, .columns = 2, .time_s = time_s, .paths = paths, .values = columns};
  return bow(doc,
             (ct_render_def){.rate_hz = rate_hz, .seconds = seconds, .gesture = &gesture, .ledger = true});
}

/* ---- Helmholtz motion ---- */

typedef struct motion {
  double slips_per_period, fraction, slip_m_s, flybacks_per_period, pitch_hz, clarity;
} motion;

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Flybacks of the bridge's force, from the sound alone: it climbs and falls once per period, and the fall,
 * over a twentieth of a period, is more than half of all there is. */
static uint32_t count_flybacks(const double *force, size_t count, size_t lag) {
  double low = INFINITY, high = -INFINITY;
  uint32_t falls = 0;
  bool falling = false;
  for (size_t i = 0; i < count; i++) {
    low = fmin(low, force[i]);
    high = fmax(high, force[i]);
  }
  for (size_t i = lag; i < count; i++) {
    double change = fabs(force[i] - force[i - lag]);
    bool now = change > (falling ? 0.2 : 0.5) * (high - low);
    falls += now && !falling;
    falling = now;
  }
  return falls;
}

/* A slip: the string below the mean of the bow's speed and Helmholtz's slip speed. */
static motion judge(const bowing *b, double start_s, double seconds, double beta) {
  size_t from = (size_t)(start_s * b->rate_hz), count = (size_t)(seconds * b->rate_hz), slipping = 0;
  const double *v = b->tap[STRING_V] + from;
  double speed = b->tap[BOW_V][from], helmholtz = -speed * (1 - beta) / beta,
         middle = (speed + helmholtz) / 2;
  double *slow = calloc(count, sizeof *slow);
  uint32_t slips = 0;
  for (size_t i = 1; i < count; i++) {
    slips += v[i] < middle && v[i - 1] >= middle;
    if (v[i] < middle)
      slow[slipping++] = v[i];
  }
  qsort(slow, slipping, sizeof *slow, compare);
  ct_measured_pitch p = ct_measure_pitch(b->heard + from, count, b->rate_hz, 60, 1000);
  uint32_t falls = count_flybacks(b->tap[BRIDGE] + from, count, (size_t)(b->rate_hz / p.hz / 20));
  motion m = {.slips_per_period = slips / (seconds * p.hz),
              .fraction = (double)slipping / (double)count,
              .slip_m_s = slipping ? slow[slipping / 2] : 0,
              .flybacks_per_period = falls / (seconds * p.hz),
              .pitch_hz = p.hz,
              .clarity = p.clarity};
  free(slow);
  return m;
}

static void check_helmholtz(const bowing *b, double start_s, double seconds, double beta) {
  motion m = judge(b, start_s, seconds, beta);
  double helmholtz = -b->tap[BOW_V][(size_t)(start_s * b->rate_hz)] * (1 - beta) / beta;
  if (fabs(m.slips_per_period - 1) > 0.02 || fabs(m.flybacks_per_period - 1) > 0.02 ||
      fabs(m.fraction / beta - 1) > 0.2 || fabs(m.slip_m_s / helmholtz - 1) > 0.1 ||
      fabs(ct_measure_cents(m.pitch_hz, 147)) > 10)
    fail_msg("at %g s: %.3f slips and %.3f flybacks per period, fraction %.4f, slips at %.4f m/s (Helmholtz "
             "%.4f), "
             "%.3f Hz",
             start_s, m.slips_per_period, m.flybacks_per_period, m.fraction, m.slip_m_s, helmholtz,
             m.pitch_hz);
}

static void cello_holds_helmholtz_motion(void **state) {
  static const double rates[] = {44100, 48000, 96000};
  (void)state;
  for (int r = 0; r < 3; r++) {
    bowing b = long_bow(play_open("cello", NULL), rates[r], 11.5, 0.1, 1.1, 0.1);
    for (int second = 1; second < 11; second++)
      check_helmholtz(&b, second, 1, 0.08);
    motion m = judge(&b, 6, 1, 0.08);
    printf("cello at %.1f kHz: fraction %.4f for beta 0.08, slips at %.3f m/s, %+.2f cents\n",
           rates[r] / 1000, m.fraction, m.slip_m_s, ct_measure_cents(m.pitch_hz, 147));
    assert_true(fabs(b.ledger.error_j) < 1e-12 * b.ledger.scale_j);
    put_away(&b);
  }
}

/* The demo's own long bows, down and up. */
static void cello_demo_bows_both_ways(void **state) {
  (void)state;
  bowing b = bow(play_open("cello", NULL), (ct_render_def){.ledger = true});
  check_helmholtz(&b, 1, 2, 0.08);
  for (size_t i = 0; i < b.frames; i++) { /* an up-bow is a down-bow seen in the mirror */
    b.tap[STRING_V][i] = -b.tap[STRING_V][i];
    b.tap[BOW_V][i] = -b.tap[BOW_V][i];
  }
  check_helmholtz(&b, 4.6, 2, 0.08);
  put_away(&b);
}

static void paper_values_sing_too(void **state) {
  (void)state;
  bowing b = long_bow(play_open("cello", "paper"), 48000, 5, 0.1, 1.1, 0.1);
  motion m = judge(&b, 2, 3, 0.08);
  printf("paper's mu: %.3f slips per period, fraction %.4f, slips at %.3f m/s, %+.2f cents\n",
         m.slips_per_period, m.fraction, m.slip_m_s, ct_measure_cents(m.pitch_hz, 147));
  assert_true(fabs(m.slips_per_period - 1) < 0.02 && fabs(m.fraction / 0.08 - 1) < 0.2);
  assert_true(fabs(ct_measure_cents(m.pitch_hz, 147)) < 10);
  put_away(&b);
}

/* Temperature instead of bristles: the same motion, in tune. */
static void thermal_rosin_holds_helmholtz_motion(void **state) {
  static const double rates[] = {44100, 48000, 96000};
  (void)state;
  for (int r = 0; r < 3; r++) {
    bowing b = long_bow(play_open("cello", "thermal"), rates[r], 5.5, 0.1, 1.1, 0.1);
    for (int second = 1; second < 5; second++)
      check_helmholtz(&b, second, 1, 0.08);
    motion m = judge(&b, 4, 1, 0.08);
    printf("thermal at %.1f kHz: fraction %.4f for beta 0.08, slips at %.3f m/s, %+.2f cents\n",
           rates[r] / 1000, m.fraction, m.slip_m_s, ct_measure_cents(m.pitch_hz, 147));
    put_away(&b);
  }
}

/* Schelleng: F_max = 2 Z v / (beta (mu_s - mu_d)) = 2.46 N here. Far below the least force it slips more than
 * once, well above the greatest it is no tone any more. */
static void force_has_a_least_and_a_greatest(void **state) {
  static const struct {
    double force_n;
    bool sings;
  } cases[] = {{0.04, false}, {0.6, true}, {1.1, true}, {1.6, true}, {5, false}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bowing b = long_bow(play_open("cello", NULL), 48000, 4, 0.1, cases[i].force_n, 0.1);
    motion m = judge(&b, 2, 2, 0.08);
    bool sings = fabs(m.slips_per_period - 1) < 0.05 && m.clarity > 0.95 &&
                 fabs(ct_measure_cents(m.pitch_hz, 147)) < 20;
    printf("%.2f N: %.2f slips per period, clarity %.2f: %s\n", cases[i].force_n, m.slips_per_period,
           m.clarity, sings ? "sings" : "does not sing");
    assert_true(sings == cases[i].sings);
    put_away(&b);
  }
}

/* ---- friction loops ---- */

typedef struct law {
  const char *preset, *law;
  double mu_static, mu_dynamic, stribeck_m_s; /* 0: the thermal law's measured curve */
} law;

static double steady_mu(const law *l, double v) {
  if (l->stribeck_m_s == 0)
    return 0.4 * exp(-v / 0.01) + 0.45 * exp(-v / 0.1) + 0.35;
  return l->mu_dynamic + (l->mu_static - l->mu_dynamic) * exp(-v * v / (l->stribeck_m_s * l->stribeck_m_s));
}

/* Where the steady curve falls, in units of its height. */
typedef struct loop {
  double apart;    /* friction while the slip speeds up, against while it slows down, at one speed: at most */
  double on;       /* share of the time spent within 0.02 of the curve */
  double followed; /* longest stretch spent there, share of what a period has */
  size_t samples;
} loop;

enum { BINS = 12 };

/* Only where the steady curve falls, by more than a twentieth of its height: beyond, curve and law are the
 * same floor. */
static loop judge_loop(const bowing *b, const law *l, double start_s, double seconds) {
  size_t from = (size_t)(start_s * b->rate_hz), count = (size_t)(seconds * b->rate_hz), run = 0, longest = 0;
  double height = steady_mu(l, 0) - steady_mu(l, 10), sum[2][BINS] = {{0}}, hits[2][BINS] = {{0}}, before = 0;
  loop found = {0};
  for (size_t i = from; i < from + count; i++) {
    double v = b->tap[BOW_V][i] - b->tap[STRING_V][i], mu = b->tap[FORCE][i] / b->tap[PRESSED][i];
    double steady = steady_mu(l, fabs(v));
    bool falls = v > 0.02 && steady - steady_mu(l, 10) > 0.05 * height;
    run = falls && fabs(mu - steady) < 0.02 * height ? run + 1 : 0;
    found.on += run > 0;
    longest = run > longest ? run : longest;
    found.samples += falls;
    int bin = (int)(v / 0.04);
    if (falls && bin < BINS) {
      sum[v > before][bin] += mu;
      hits[v > before][bin]++;
    }
    before = v;
  }
  for (int k = 0; k < BINS; k++)
    if (hits[0][k] > 20 && hits[1][k] > 20)
      found.apart = fmax(found.apart, fabs(sum[0][k] / hits[0][k] - sum[1][k] / hits[1][k]) / height);
  double periods = seconds * 147;
  found.on /= found.samples ? (double)found.samples : 1;
  double along = longest > 1 ? (double)longest - 1 : 0; /* one sample is a crossing */
  found.followed = found.samples ? along / ((double)found.samples / periods) : 1;
  return found;
}

static loop loop_of(const law *l, double rate_hz) {
  ct_doc *doc = play_open("cello", l->preset);
  if (l->law)
    play_set_text(doc, "contacts.rub.law", l->law);
  bowing b = long_bow(doc, rate_hz, 3, 0.1, 1.1, 0.1);
  loop found = judge_loop(&b, l, 1, 2);
  printf("%s%s%s at %.0f kHz: branches %.2f apart, on the curve %.2f of the time, longest stretch %.3f "
         "(%zu samples)\n",
         l->preset, l->law ? ", " : "", l->law ? l->law : "", rate_hz / 1000, found.apart, found.on,
         found.followed, found.samples);
  put_away(&b);
  return found;
}

static void loops_are_hysteretic_and_off_the_curve(void **state) {
  static const law laws[] = {
      {"rosin", NULL, 1.021, 0.507, 0.228}, {"paper", NULL, 0.45, 0.2, 0.228}, {"thermal", NULL, 0, 0, 0}};
  (void)state;
  for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
    for (int high = 0; high < 2; high++) {
      loop found = loop_of(&laws[i], high ? 192000 : 48000);
      assert_true(found.samples > 500);
      assert_true(found.apart > 0.1 && found.on < 0.25);

      assert_true(found.followed < 0.12);
    }
}

/* The control: a law that is the curve lies on it, and this test sees it. */
static void a_curve_is_seen_as_one(void **state) {
  static const law kinetic = {"rosin", "kinetic", 1.021, 0.507, 0.228};
  (void)state;
  loop found = loop_of(&kinetic, 192000);
  assert_true(found.on > 0.8 && found.apart < 0.05);
}

/* ---- work ---- */

/* One step and a handful of evaluations per sample, whatever happens on the string. */
static void bowing_costs_little(void **state) {
  (void)state;
  bowing b = long_bow(play_open("cello", NULL), 48000, 3, 0.1, 1.1, 0.1);
  double evaluations = (double)b.counters.friction_evaluations / (double)b.counters.steps;
  printf("%.2f evaluations of the friction law per sample, at most %u; %u substeps\n", evaluations,
         b.counters.most_friction_evaluations, b.counters.most_substeps);
  assert_true(evaluations < 6 && b.counters.most_friction_evaluations < 60 && b.counters.most_substeps == 1);
  put_away(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cello_holds_helmholtz_motion),
                                     cmocka_unit_test(cello_demo_bows_both_ways),
                                     cmocka_unit_test(paper_values_sing_too),
                                     cmocka_unit_test(thermal_rosin_holds_helmholtz_motion),
                                     cmocka_unit_test(force_has_a_least_and_a_greatest),
                                     cmocka_unit_test(loops_are_hysteretic_and_off_the_curve),
                                     cmocka_unit_test(a_curve_is_seen_as_one),
                                     cmocka_unit_test(bowing_costs_little)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
