/* Thumps: what a pickup hears of a blow besides the modes. The reference is the sum over all forces so far,
 *
 *   v[n + 1] = (1 / rate) sum over k of h[k] F[n - k]
 *
 * of mean forces F that the engine tells itself, taken term by term. */
#include "support/lab.h"
#include <contatto/doc.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000, LENGTH = 300, FRAMES = 4000 };

/* A noisy knock of 6 ms. */
static void make_response(double *h, uint32_t count) {
  uint32_t random = 12345;
  for (uint32_t k = 0; k < count; k++) {
    random = random * 1664525u + 1013904223u;
    h[k] = 20 * ((double)random / 4294967296.0 - 0.4) * exp(-6.0 * k / count);
  }
}

typedef struct options {
  bool ledger, at_rest, no_strikes;
  double thump, rate_hz, thump_hz;
  uint32_t length;
  ct_listen listen;
} options;

static const options plain = {
    .thump = 1, .rate_hz = RATE, .thump_hz = RATE, .length = LENGTH, .listen = CT_VELOCITY};

/* A bar with a thump at two points, and a ball that falls on one of them, bounces and comes to lie there. */
static ct_scene *bar_and_ball(options o) {
  static double h[RATE], other[RATE];
  static const ct_mode_def modes[] = {{.hz = 430, .t60_s = 0.05, .mass_kg = 0.2},
                                      {.hz = 1900, .t60_s = 0.03, .mass_kg = 0.3}};
  make_response(h, o.length);
  for (uint32_t k = 0; k < o.length; k++)
    other[k] = h[o.length - 1 - k];
  ct_point_def points[] = {
      {.name = "hit", .thump = h, .thump_hz = o.thump_hz, .thump_count = o.length},
      {.name = "bare"},
      {.name = "end", .thump = other, .thump_hz = o.thump_hz, .thump_count = o.length / 2}};
  ct_modal_def bar = ct_default_modal_def();
  bar.name = "bar";
  bar.modes = modes;
  bar.mode_count = 2;
  bar.points = points;
  bar.point_count = 3;
  ct_scene_def def = ct_default_scene_def();
  def.rate_hz = o.rate_hz;
  def.ledger = o.ledger;
  def.at_rest = o.at_rest;
  def.gravity_m_s2 = 9.81;
  def.strikes = o.no_strikes ? 0 : def.strikes;
  ct_scene *s = lab_scene_from(&def);
  lab_body(s, &bar);
  lab_mass(s, "ball", 0.01, o.at_rest ? 0 : 0.002, 0);
  ct_impact_def touch = lab_law("touch", "ball.at", "bar.hit", 1e6, 1.5, 20);
  touch.from_above = true;
  lab_touch(s, touch);
  ct_pickup_def out = ct_default_pickup_def();
  out.name = "out";
  out.at = "bar.bare";
  out.listen = o.listen;
  out.thump = o.thump;
  ct_error error;
  lab_must(ct_added(ct_scene_add_pickup(s, &out, &error), &error), &error);
  return s;
}

typedef struct heard {
  double raw[FRAMES], v[FRAMES], force_n[FRAMES], place_m[FRAMES];
} heard;

/* Blocks of `block` samples, or of many lengths for 0. */
static void play(ct_scene *s, uint32_t block, heard *h) {
  ct_tap taps[] = {{.handle = lab_handle(s, "bar.bare.v_m_s")},
                   {.handle = lab_handle(s, "touch.force_n")},
                   {.handle = lab_handle(s, "ball.at.x_m")}};
  for (uint32_t at = 0, n = 0; at < FRAMES; n++) {
    uint32_t frames = block ? block : 1 + n * 7 % 97;
    frames = frames < FRAMES - at ? frames : FRAMES - at;
    double *raw = h->raw + at;
    taps[0].values = h->v + at;
    taps[1].values = h->force_n + at;
    taps[2].values = h->place_m + at;
    ct_scene_process(s, &(ct_io){.frames = frames, .raw = &raw, .taps = taps, .tap_count = 3});
    at += frames;
  }
}

/* The tapped force at sample n is that over the step before it. */
static double summed(const double *h, uint32_t count, const double *force_n, uint32_t n, double rate_hz) {
  double sum = 0;
  for (uint32_t k = 0; k < count && k < n; k++)
    sum += h[k] * force_n[n - k];
  return sum / rate_hz;
}

static heard one, two;

static void a_contact_is_convolved(void **state) {
  (void)state;
  static double h[LENGTH];
  make_response(h, LENGTH);
  options o = plain;
  o.thump = 0.7;
  ct_scene *s = bar_and_ball(o);
  play(s, 64, &one);
  double most = 0, off = 0, loudest_n = 0;
  for (uint32_t n = 1; n < FRAMES; n++) {
    double thump = 0.7 * summed(h, LENGTH, one.force_n, n, RATE) * -1;
    most = fmax(most, fabs(thump));
    off = fmax(off, fabs(one.raw[n] - one.v[n] - thump));
    loudest_n = fmax(loudest_n, one.force_n[n]);
  }
  printf("up to %.3g m/s under %.3g N, off by %.2g\n", most, loudest_n, off);
  assert_true(loudest_n > 1 && most > 1e-3);
  assert_true(off < 1e-12 * most * LENGTH);
  ct_scene_destroy(s);
}

/* Strikes from outside push by their mean force over each sample, which adds up to the impulse, whether they
 * take their time or are given at once; forces along the surface do not. A response of one sample tells the
 * force itself. */
static void strikes_and_forces_are_taken(void **state) {
  (void)state;
  double h[2];
  make_response(h, 2);
  for (int given = 0; given < 2; given++) {
    options o = plain;
    o.length = 2;
    o.no_strikes = given;
    for (int i = 0; i < 2; i++) {
      o.thump = i;
      ct_scene *s = bar_and_ball(o);
      lab_settle(s);
      lab_set(s, "ball.modes.0.x_m", 5, 0, 0);
      lab_set(s, "bar.end.strike_n_s", 0.02, 0, 100);
      lab_set(s, "bar.end.force_n", 3, 0, 1000);
      lab_set(s, "bar.end.tangential_force_n", 7, 0, 2000);
      play(s, 100, i ? &one : &two);
      ct_scene_destroy(s);
    }
    double impulse_n_s = 0, most_n = 0;
    for (uint32_t n = 1; n < FRAMES; n++) {
      double force_n = (one.raw[n] - two.raw[n]) * RATE / h[1];
      impulse_n_s += n <= 1000 ? force_n / RATE : 0;
      most_n = fmax(most_n, force_n);
      if (n <= 100 || n > 1000)
        assert_true(fabs(force_n - (n > 1000 ? 3 : 0)) < 1e-9);
    }
    printf("%.12g N s, up to %.4g N\n", impulse_n_s, most_n);
    assert_true(fabs(impulse_n_s - 0.02) < 1e-12);
    assert_true(given ? fabs(most_n / (0.02 * RATE) - 1) < 1e-9 : most_n < 100);
  }
}

/* A block more or less, an account or none, change nothing. */
static void blocks_and_accounts_change_nothing(void **state) {
  (void)state;
  static const uint32_t blocks[] = {1, 0, 8, 13, FRAMES};
  ct_scene *s = bar_and_ball(plain);
  play(s, 64, &one);
  ct_scene_destroy(s);
  for (int ledger = 0; ledger < 2; ledger++)
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
      options o = plain;
      o.ledger = ledger;
      s = bar_and_ball(o);
      play(s, blocks[i], &two);
      assert_memory_equal(&one, &two, sizeof one);
      ct_scene_destroy(s);
    }
}

/* Bodies and the account do not know of it, asleep or awake; nor does anybody when it is off. */
static void nothing_else_changes(void **state) {
  (void)state;
  ct_ledger ledgers[3];
  uint64_t steps[3];
  options o = plain;
  o.ledger = true;
  for (int i = 0; i < 3; i++) {
    o.thump = i == 0 ? 0 : 50.0 * i;
    o.length = i == 2 ? 2 * LENGTH : LENGTH;
    ct_scene *s = bar_and_ball(o);
    play(s, 64, i ? &two : &one);
    lab_step(s, 2 * RATE);
    ledgers[i] = ct_scene_ledger(s);
    steps[i] = ct_scene_counters(s).group_steps;
    if (i == 0)
      assert_memory_equal(one.raw, one.v, sizeof one.v);
    assert_memory_equal(one.v, two.v, i ? sizeof one.v : 0);
    assert_memory_equal(one.place_m, two.place_m, i ? sizeof one.v : 0);
    assert_memory_equal(&ledgers[0], &ledgers[i], sizeof ledgers[0]);
    assert_int_equal(steps[0], steps[i]);
    ct_scene_destroy(s);
  }
}

/* The group sleeps while the thump is still to be heard: a body without any ringing, a response that is
 * silent at first. What is heard is what would be heard awake. */
static void sleep_does_not_cut_it(void **state) {
  (void)state;
  enum { LONG = 4800 };
  static double h[LONG], raw[2 * LONG];
  static const ct_mode_def mode = {.hz = 15000, .t60_s = 1e-4, .mass_kg = 0.2};
  for (int k = 0; k < LONG; k++)
    h[k] = k < LONG / 2 ? 0 : sin(0.1 * k);
  for (int listen = CT_VELOCITY; listen <= CT_ACCELERATION; listen++) {
    ct_scene_def def = ct_default_scene_def();
    ct_scene *s = lab_scene_from(&def);
    ct_point_def hit = {.name = "hit", .thump = h, .thump_hz = RATE, .thump_count = LONG};
    ct_modal_def block = ct_default_modal_def();
    block.name = "block";
    block.modes = &mode;
    block.mode_count = 1;
    block.points = &hit;
    block.point_count = 1;
    lab_body(s, &block);
    ct_pickup_def out = ct_default_pickup_def();
    out.name = "out";
    out.at = "block.hit";
    out.listen = (ct_listen)listen;
    out.thump = 1;
    ct_error error;
    lab_must(ct_added(ct_scene_add_pickup(s, &out, &error), &error), &error);
    lab_settle(s);
    lab_set(s, "block.hit.strike_stiffness", 1e16, 0, 0);
    lab_set(s, "block.hit.strike_n_s", 1, 0, 10);
    uint64_t awake = 0;
    bool slept = false;
    for (uint32_t n = 0; n < 2 * LONG; n += 60) {
      double *to = raw + n;
      ct_scene_process(s, &(ct_io){.frames = 60, .raw = &to});
      uint64_t steps = ct_scene_counters(s).group_steps;
      slept |= n > 100 && n < LONG / 2 && steps == awake;
      awake = steps;
      if (n + 60 < LONG + 10)
        assert_true(ct_scene_is_sounding(s));
    }
    assert_true(slept);
    double worst = 0;
    for (uint32_t n = LONG / 2 + 100; n < LONG; n++) {
      /* an impulse of 1 N s within a sample or two, somewhere at its middle */
      double v = sin(0.1 * (n - 11.5)), a = RATE * (sin(0.1 * (n - 11.5)) - sin(0.1 * (n - 12.5)));
      worst =
          fmax(worst, fabs(raw[n] - (listen == CT_VELOCITY ? v : a)) / (listen == CT_VELOCITY ? 1 : 4800));
    }
    printf("asleep: off by %.3g\n", worst);
    assert_true(worst < 0.15);
    for (uint32_t n = LONG + 100; n < 2 * LONG; n++)
      assert_true(raw[n] == 0);
    ct_scene_destroy(s);
  }
}

/* At another rate it is the same sound: of a slow response, within its samples' distance. */
static void rates_sound_the_same(void **state) {
  (void)state;
  static const double rates[] = {16000, 44100, 96000};
  enum { COUNT = 2400 };
  static double h[COUNT], raw[20000];
  for (int k = 0; k < COUNT; k++) /* 300 Hz, from and to rest */
    h[k] = sin(2 * M_PI * 300 * (k + 0.5) / RATE) * pow(sin(M_PI * (k + 0.5) / COUNT), 2);
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
    ct_scene_def def = ct_default_scene_def();
    def.rate_hz = rates[i];
    def.strikes = 0; /* all at once */
    ct_scene *s = lab_scene_from(&def);
    static const ct_mode_def mode = {.hz = 0, .mass_kg = 1e6};
    ct_point_def hit = {.name = "hit", .thump = h, .thump_hz = RATE, .thump_count = COUNT};
    ct_modal_def block = ct_default_modal_def();
    block.name = "block";
    block.modes = &mode;
    block.mode_count = 1;
    block.points = &hit;
    block.point_count = 1;
    lab_body(s, &block);
    ct_pickup_def out = ct_default_pickup_def();
    out.name = "out";
    out.at = "block.hit";
    out.thump = 1;
    ct_error error;
    lab_must(ct_added(ct_scene_add_pickup(s, &out, &error), &error), &error);
    lab_settle(s);
    lab_set(s, "block.hit.strike_n_s", 1, 0, 0);
    uint32_t frames = (uint32_t)(0.1 * rates[i]);
    double *to = raw, worst = 0;
    ct_scene_process(s, &(ct_io){.frames = frames, .raw = &to});
    for (uint32_t n = 1; n < frames; n++) {
      double t = (n - 0.5) / rates[i],
             v = t < 0.05 ? sin(2 * M_PI * 300 * t) * pow(sin(M_PI * t / 0.05), 2) : 0;
      worst = fmax(worst, fabs(raw[n] - 1e-6 - v));
    }
    printf("%g Hz: off by %.2g\n", rates[i], worst);
    assert_true(worst < 1e-4);
    ct_scene_destroy(s);
  }
}

/* A load that is there when it is turned on, or from the start of a scene at rest, is no blow. */
static void a_load_is_no_blow(void **state) {
  (void)state;
  options o = plain;
  o.at_rest = true;
  ct_scene *s = bar_and_ball(o);
  lab_settle(s);
  play(s, 64, &one);
  double least = 1e9, most = -1e9;
  for (uint32_t n = 1; n < FRAMES; n++) {
    least = fmin(least, one.raw[n]);
    most = fmax(most, one.raw[n]);
  }
  printf("at rest: %.3g to %.3g m/s under %.3g N\n", least, most, one.force_n[FRAMES - 1]);
  assert_true(one.force_n[FRAMES - 1] > 0.09);
  assert_true(most - least < 1e-8);
  ct_scene_destroy(s);
}

/* What is started again sounds as it did; so does a copy. */
static void starts_again(void **state) {
  (void)state;
  ct_error error;
  ct_scene *s = bar_and_ball(plain), *other = bar_and_ball(plain), *copy = NULL;
  ct_plan *plan = NULL;
  lab_must(ct_plan_create(s, other, &plan, &error), &error);
  lab_must(ct_plan_scene(plan, &copy, &error), &error);
  lab_must(ct_scene_keep_start(s, &error), &error);
  play(s, 64, &one);
  lab_must(ct_scene_reset(s, 0, &error), &error);
  play(s, 64, &two);
  assert_memory_equal(one.raw, two.raw, sizeof one.raw);
  play(copy, 64, &two);
  assert_memory_equal(one.raw, two.raw, sizeof one.raw);
  ct_scene_destroy(s);
  ct_scene_destroy(other);
  ct_scene_destroy(copy);
  ct_plan_destroy(plan);
}

/* Whoever listens, and what is listened to, may go in the middle of it. */
static void parts_come_and_go(void **state) {
  (void)state;
  ct_error error;
  for (int what = 0; what < 2; what++) {
    ct_scene *s = bar_and_ball(plain);
    lab_step(s, 1100);
    lab_must(ct_scene_remove(s, "out", &error), &error);
    if (what == 1) {
      lab_must(ct_scene_remove(s, "touch", &error), &error);
      lab_must(ct_scene_remove(s, "bar", &error), &error);
    }
    lab_step(s, 5000);
    if (what == 0) {
      ct_pickup_def again = ct_default_pickup_def();
      again.name = "out";
      again.at = "bar.bare";
      again.thump = 1;
      lab_must(ct_added(ct_scene_add_pickup(s, &again, &error), &error), &error);
      lab_step(s, 5000);
      lab_set(s, "out.thump", 0, 0.01, 0);
    }
    lab_step(s, 5000);
    assert_true(ct_scene_finite(s));
    ct_scene_destroy(s);
  }
}

/* ---- refusals and documents ---- */

static void refuse(const char *text, const char *why) {
  ct_doc *doc = ct_doc_create();
  ct_build_def def = ct_default_build_def();
  ct_scene *s = NULL;
  ct_error error = {.text = ""};
  ct_result result = ct_doc_read_json(doc, "test", text, strlen(text), NULL, NULL, &error);
  if (result == CT_OK)
    result = ct_doc_build(doc, &def, &s, NULL, NULL, &error);
  if (result == CT_OK || !strstr(error.text, why) || strchr(error.text, '\n'))
    fail_msg("%s\n  should be refused for '%s', was: %s", text, why, error.text);
  ct_doc_destroy(doc);
}

#define BAR "'contatto': 1, 'bodies': {'bar': {'modes': [{'hz': 440}], 'points': {'hit': {"
#define OUT "}}}}, 'pickups': {'out': {'at': 'bar.hit'"

static char *quoted(const char *text) {
  static char made[8][2000];
  static int turn;
  char *to = made[turn++ % 8];
  snprintf(to, sizeof made[0], "%s", text);
  for (char *c = to; *c; c++)
    *c = *c == '\'' ? '"' : *c;
  return to;
}

static void bad_values_are_refused(void **state) {
  (void)state;
  refuse(quoted("{" BAR "'thump': [1e7]" OUT "}}}"), "wants -1e+06 to 1e+06 1/kg");
  refuse(quoted("{" BAR "'thump': [1], 'thump_hz': 10" OUT "}}}"), "thump_hz");
  refuse(quoted("{" BAR "'thump': [1, 2, 3]" OUT ", 'thump': -1}}}"), "thump");
  refuse(quoted("{" BAR "'thump': [1, 2, 3]" OUT ", 'thump': 1, 'listen': 'displacement'}}}"),
         "heard as velocity or acceleration");
  refuse(quoted("{'contatto': 1, 'bodies': {'s': {'kind': 'string', 'string': {'hz': 200}, 'points': {'hit': "
                "{'thump': [1]}}}}}"),
         "thump belongs to points of modal bodies");
  ct_point_def hit = {.name = "hit", .thump = (const double[]){1, NAN}, .thump_hz = RATE, .thump_count = 2};
  ct_mode_def mode = {.hz = 440, .t60_s = 1, .mass_kg = 1};
  ct_modal_def bar = ct_default_modal_def();
  bar.name = "bar";
  bar.modes = &mode;
  bar.points = &hit;
  bar.mode_count = bar.point_count = 1;
  ct_scene *s = lab_scene(RATE, 0);
  ct_error error;
  static double long_one[5000];
  assert_int_equal(ct_added(ct_scene_add_modal(s, &bar, &error), &error), CT_BAD_VALUE);
  assert_non_null(strstr(error.text, "bar.hit.thump.1"));
  hit.thump = long_one;
  hit.thump_count = 5000;
  assert_int_equal(ct_added(ct_scene_add_modal(s, &bar, &error), &error), CT_BAD_VALUE);
  assert_non_null(strstr(error.text, "longer than 0.1 s"));
  hit.thump = NULL;
  assert_int_equal(ct_added(ct_scene_add_modal(s, &bar, &error), &error), CT_BAD_ARGUMENT);
  ct_scene_destroy(s);
}

/* Written and read again, it is the same; a pickup's can be set while it sounds. */
static void documents_keep_it(void **state) {
  (void)state;
  const char *text = quoted("{" BAR "'thump': [1, -0.5, 0.25], 'thump_hz': 44100" OUT ", 'thump': 0.5}}}");
  ct_doc *doc = ct_doc_create(), *again = ct_doc_create();
  ct_error error;
  char *first = NULL, *second = NULL;
  size_t length = 0, other = 0;
  lab_must(ct_doc_read_json(doc, "test", text, strlen(text), NULL, NULL, &error), &error);
  lab_must(ct_doc_write_json(doc, NULL, 0, &length, &error), &error);
  first = malloc(length + 1);
  lab_must(ct_doc_write_json(doc, first, length + 1, &length, &error), &error);
  lab_must(ct_doc_read_json(again, "test", first, length, NULL, NULL, &error), &error);
  second = malloc(length + 1);
  lab_must(ct_doc_write_json(again, second, length + 1, &other, &error), &error);
  assert_string_equal(first, second);
  assert_non_null(strstr(first, "thump_hz"));
  ct_build_def def = ct_default_build_def();
  ct_scene *s = NULL;
  lab_must(ct_doc_build(again, &def, &s, NULL, NULL, &error), &error);
  assert_true(lab_get(s, "out.thump") == 0.5);
  lab_set(s, "out.thump", 2, 0, 0);
  lab_step(s, 10);
  assert_true(lab_get(s, "out.thump") == 2);
  ct_scene_destroy(s);
  ct_doc_destroy(doc);
  ct_doc_destroy(again);
  free(first);
  free(second);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_contact_is_convolved),
      cmocka_unit_test(strikes_and_forces_are_taken),
      cmocka_unit_test(blocks_and_accounts_change_nothing),
      cmocka_unit_test(nothing_else_changes),
      cmocka_unit_test(sleep_does_not_cut_it),
      cmocka_unit_test(rates_sound_the_same),
      cmocka_unit_test(a_load_is_no_blow),
      cmocka_unit_test(starts_again),
      cmocka_unit_test(parts_come_and_go),
      cmocka_unit_test(bad_values_are_refused),
      cmocka_unit_test(documents_keep_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
