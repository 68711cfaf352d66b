/* Pen samples: descriptors against closed forms, live and recorded, at any rate; motion without steps and how
 * late it is; and what is refused. */
#include "base/hash.h"
#include <contatto/pen.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 };

typedef struct recording {
  ct_pen_sample sample[MOST];
  size_t count;
} recording;

typedef void path(double t, ct_pen_sample *sample);

/* Uneven: every time is off its place by up to `jitter` of an interval. */
static void record(recording *r, path *p, double seconds, double rate_hz, double jitter) {
  ct_random random = {3};
  r->count = (size_t)(seconds * rate_hz) + 1;
  for (size_t i = 0; i < r->count; i++) {
    double t = ((double)i + (i ? jitter * ct_random_even(&random) / 2 : 0)) / rate_hz;
    r->sample[i] = (ct_pen_sample){.pressure = 0.5};
    p(t, &r->sample[i]);
    r->sample[i].time_s = t;
  }
}

static ct_stroke_scores described(const recording *r, ct_motion *motion) {
  ct_stroke_scores scores;
  ct_error error;
  if (ct_stroke_describe(r->sample, r->count, motion, &scores, &error) != CT_OK)
    fail_msg("%s", error.text);
  return scores;
}

/* Plays a recording live; `read` gets every moment at `read_hz`. Samples arrive up to `held_s` after their
 * time, in bursts, as a busy browser tells them; it is read for `more_s` beyond the last. */
typedef void reader(void *context, const ct_motion *motion);

static double play_held(const recording *r, double read_hz, double held_s, double more_s, reader *read,
                        void *context) {
  ct_pen *pen = ct_pen_create();
  size_t next = 0;
  for (double n = 0; n / read_hz <= r->sample[r->count - 1].time_s + more_s; n++) {
    double told_s = held_s > 0 ? held_s * floor(n / read_hz / held_s) : n / read_hz;
    while (next < r->count && r->sample[next].time_s <= told_s)
      assert_int_equal(ct_pen_push(pen, &r->sample[next++], NULL), CT_OK);
    ct_motion m = ct_pen_read(pen, n / read_hz);
    read(context, &m);
  }
  double latency = ct_pen_latency_s(pen);
  ct_pen_destroy(pen);
  return latency;
}

static double play(const recording *r, double read_hz, reader *read, void *context) {
  return play_held(r, read_hz, 0, 0, read, context);
}

/* ---- closed forms ---- */

static void circle(double t, ct_pen_sample *s) { /* 20 mm radius, 80 mm/s: curvature 50/m */
  s->x_m = 0.02 * cos(4 * t);
  s->y_m = 0.02 * sin(4 * t);
}

static void faster_and_faster(double t, ct_pen_sample *s) { s->x_m = 0.05 * t + 0.1 * t * t; }

typedef struct means {
  double from_s, speed, curvature, acceleration, count;
} means;

static void add_means(void *context, const ct_motion *m) {
  means *sum = context;
  if (m->time_s < sum->from_s)
    return;
  sum->speed += m->speed_m_s;
  sum->curvature += m->curvature_1_m;
  sum->acceleration += m->acceleration_m_s2;
  sum->count++;
}

static void speed_curvature_acceleration(void **state) {
  (void)state;
  for (double rate = 60; rate <= 240; rate *= 2)
    for (double jitter = 0; jitter < 0.9; jitter += 0.4) {
      recording r;
      static ct_motion motion[MOST];
      means sum = {.from_s = 0.5};
      record(&r, circle, 2, rate, jitter);
      play(&r, 2000, add_means, &sum);
      assert_true(fabs(sum.speed / sum.count / 0.08 - 1) < 0.02);
      assert_true(fabs(sum.curvature / sum.count / 50 - 1) < 0.02);
      assert_true(fabs(sum.acceleration / sum.count) < 0.01); /* of 0.32 m/s^2 towards the centre */
      described(&r, motion);
      for (size_t i = r.count / 4; i < 3 * r.count / 4; i++) {
        assert_true(fabs(motion[i].speed_m_s / 0.08 - 1) < 0.01);
        assert_true(fabs(motion[i].curvature_1_m / 50 - 1) < 0.01);
      }
      sum = (means){.from_s = 0.5};
      record(&r, faster_and_faster, 2, rate, jitter);
      play(&r, 2000, add_means, &sum);
      assert_true(fabs(sum.acceleration / sum.count / 0.2 - 1) < 0.02);
    }
}

/* The smoothest reach of 0.1 m in 1 s: dimensionless jerk 720 / 1.875^2. */
static void reach(double t, ct_pen_sample *s) {
  double u = fmin(t, 1);
  s->x_m = 0.1 * u * u * u * (10 + u * (6 * u - 15));
}

/* Spectral arc length of its speed 30 u^2 (1 - u)^2, whose spectrum is summed finely here. */
static double reach_arc(void) {
  enum { N = 2000, BINS = 4000 };
  static double spectrum[BINS + 1];
  double cut = 0;
  for (int k = 0; k <= BINS; k++) {
    double hz = 10.0 * k / BINS, re = 0, im = 0;
    for (int i = 0; i < N; i++) {
      double u = (i + 0.5) / N, v = 30 * u * u * (1 - u) * (1 - u) / N;
      re += v * cos(2 * M_PI * hz * u);
      im += v * sin(2 * M_PI * hz * u);
    }
    spectrum[k] = hypot(re, im);
    if (spectrum[k] >= 0.05)
      cut = k;
  }
  double length = 0;
  for (int k = 1; k <= cut; k++)
    length += hypot(1 / cut, spectrum[k] - spectrum[k - 1]);
  return -length;
}

static void the_smoothest_reach(void **state) {
  (void)state;
  double arc = reach_arc();
  assert_true(arc < -1.3 && arc > -1.6);
  for (double rate = 60; rate <= 240; rate *= 2) {
    recording r;
    record(&r, reach, 1, rate, 0);
    ct_stroke_scores s = described(&r, NULL);
    assert_true(fabs(s.log_jerk / -log(720 / (1.875 * 1.875)) - 1) < 0.02);
    assert_true(fabs(s.arc_length / arc - 1) < 0.02);
    assert_true(fabs(s.length_m - 0.1) < 1e-3 && s.strokes == 1);
  }
}

/* A speed that swings by half n times a second scores 1 - ln n / ln 7, by definition. */
static double swings_per_s;
static void swinging(double t, ct_pen_sample *s) {
  double w = 2 * M_PI * swings_per_s;
  s->x_m = 0.1 * (t + 0.5 * sin(w * t) / w);
}

static void fluidity_is_swings(void **state) {
  (void)state;
  for (swings_per_s = 1; swings_per_s <= 4; swings_per_s++) {
    recording r;
    record(&r, swinging, 6, 120, 0);
    /* the low-pass takes exp(-ln 2 (f/8)^2 / 2) of the swing */
    double left = exp(-M_LN2 * swings_per_s * swings_per_s / 128);
    double wanted = 1 - (log(swings_per_s) + 0.5 * log(left * 1.5 / (1 + 0.5 * left))) / log(7);
    assert_true(fabs(described(&r, NULL).fluidity - fmin(wanted, 1)) < 0.02);
  }
}

/* ---- rates ---- */

static void add_scores(void *context, const ct_motion *m) {
  double *sum = context;
  if (m->time_s < 0.5 || m->speed_m_s < 0.005 || m->pressure < 0.05)
    return;
  sum[0] += m->log_jerk;
  sum[1] += m->arc_length;
  sum[2] += m->fluidity;
  sum[3]++;
}

typedef struct scores {
  double offline[3], live[3];
} scores;

static scores example_scores(ct_example example, double rate_hz) {
  recording r;
  scores s;
  double sum[4] = {0};
  r.count = ct_example_stroke(example, rate_hz, r.sample, MOST);
  ct_stroke_scores d = described(&r, NULL);
  play(&r, 1000, add_scores, sum);
  const double offline[3] = {d.log_jerk, d.arc_length, d.fluidity};
  for (int i = 0; i < 3; i++) {
    s.offline[i] = offline[i];
    s.live[i] = sum[i] / sum[3];
  }
  return s;
}

/* Two per cent of the score itself, even of a fluidity near 0. */
static void scores_do_not_move(void **state) {
  (void)state;
  for (int e = 0; e < CT_EXAMPLES; e++) {
    scores a = example_scores((ct_example)e, 60), b = example_scores((ct_example)e, 240);
    for (int i = 0; i < 3; i++) {
      double offline = a.offline[i] / b.offline[i] - 1, live = a.live[i] / b.live[i] - 1;
      printf("%s, score %d: moves by %.2f %% recorded, %.2f %% live\n", ct_example_name((ct_example)e), i,
             100 * offline, 100 * live);
      assert_true(fabs(offline) < 0.02 && fabs(live) < 0.02);
    }
  }
}

static void smooth_scores_above_jerky(void **state) {
  (void)state;
  for (double rate = 60; rate <= 240; rate *= 2) {
    scores smooth = example_scores(CT_EXAMPLE_SMOOTH, rate), jerky = example_scores(CT_EXAMPLE_JERKY, rate);
    for (int i = 0; i < 3; i++)
      assert_true(smooth.offline[i] > jerky.offline[i] && smooth.live[i] > jerky.live[i]);
    assert_true(smooth.live[2] > jerky.live[2] + 0.5);
  }
}

/* ---- motion ---- */

enum { TRACE = 48000 * 4 };
typedef struct trace {
  double speed[TRACE];
  size_t count;
} trace;

static void keep_speed(void *context, const ct_motion *m) {
  trace *t = context;
  if (t->count < TRACE)
    t->speed[t->count++] = m->speed_m_s;
}

static void writing(double t, ct_pen_sample *s) { /* speed 0.1 + 0.05 cos(2 pi 2.3 t) along a line */
  double w = 2 * M_PI * 2.3;
  s->x_m = 0.6 * (0.1 * t + 0.05 * sin(w * t) / w);
  s->y_m = 0.8 * (0.1 * t + 0.05 * sin(w * t) / w);
}

/* Delay of the speed's swing by its phase, and what is left when the delayed swing is taken away, re the
 * swing.
 */
static double delay_s(const trace *t, double *left) {
  double re = 0, im = 0, w = 2 * M_PI * 2.3, sum = 0, n = 0;
  for (size_t i = 48000; i < 48000 + 125217; i++) { /* six periods */
    double s = (double)i / 48000;
    re += t->speed[i] * cos(w * s) / 125217 * 2;
    im += t->speed[i] * sin(w * s) / 125217 * 2;
  }
  for (size_t i = 48000; i < 48000 + 125217; i++, n++) {
    double s = (double)i / 48000, rest = t->speed[i] - 0.1 - re * cos(w * s) - im * sin(w * s);
    sum += rest * rest;
  }
  *left = sqrt(sum / n) / (0.05 / sqrt(2));
  return atan2(im, re) / w;
}

static void motion_is_as_late_as_it_says(void **state) {
  (void)state;
  for (double rate = 60; rate <= 240; rate *= 2)
    for (double jitter = 0; jitter < 0.5; jitter += 0.4) {
      recording r;
      static trace t;
      double left;
      t.count = 0;
      record(&r, writing, 4.2, rate, jitter);
      double stated = play(&r, 48000, keep_speed, &t), late = delay_s(&t, &left);
      assert_true(stated <= CT_PEN_LATENCY_MOST_S &&
                  stated >= 0.99 * fmin(1.2 / rate, CT_PEN_LATENCY_MOST_S));
      printf("%3.0f Hz, jitter %.1f: %.2f ms late, %.2f stated; %.4f left\n", rate, jitter, 1000 * late,
             1000 * stated, left);
      /* heard: a tick of the source and a block of 128 samples later at most */
      assert_true(stated + (8 + 128) / 48000.0 < 0.02);
      assert_true(fabs(late - stated) < 0.0005 && late < 0.02);
      assert_true(left < 0.02); /* no zipper: next to nothing but the swing itself */
    }
}

typedef struct steps {
  double last, most;
  bool begun;
} steps;

static void add_step(void *context, const ct_motion *m) {
  steps *s = context;
  if (s->begun)
    s->most = fmax(s->most, fabs(m->speed_m_s - s->last));
  s->last = m->speed_m_s;
  s->begun = true;
}

/* Speed changes by acceleration only, through jitter, a gap, and a pen put down elsewhere. A cubic over T has
 * at most 6 d/T^2 + 4 v/T; a jump of place is no motion. */
static void speed_never_steps(void **state) {
  (void)state;
  for (double rate = 60; rate <= 240; rate *= 2) {
    recording r;
    steps s = {0};
    record(&r, writing, 4, rate, 0.8);
    for (size_t i = r.count / 2; i < r.count; i++) {
      r.sample[i].time_s += 0.15; /* a gap, and elsewhere */
      r.sample[i].x_m += 0.1;
    }
    r.sample[r.count / 4].pressure = 0; /* lifted for a moment */
    play(&r, 48000, add_step, &s);
    assert_true(s.most < 0.15 * 10 * rate / 48000);
    s = (steps){0};
    play_held(&r, 48000, 0.016, 0, add_step, &s);
    assert_true(s.most < 0.15 * 10 * 240 / 48000.0);
  }
}

/* A browser tells a quick pen's samples once a frame, all together: motion is later then, and as even. */
static void bursts_do_not_hurry_it(void **state) {
  (void)state;
  recording r;
  static trace t;
  double left;
  t.count = 0;
  record(&r, writing, 4.2, 240, 0);
  double stated = play_held(&r, 48000, 1 / 60.0, 0, keep_speed, &t), late = delay_s(&t, &left);
  printf("240 Hz in bursts: %.2f ms late, %.2f stated; %.4f left\n", 1000 * late, 1000 * stated, left);
  assert_true(fabs(late - stated) < 0.001 && late < 0.02 && left < 0.05);
}

/* Fluidity is the hand's, whenever its samples come. */
static void keep_last(void *context, const ct_motion *m) { *(ct_motion *)context = *m; }

static void stumbling_is_not_measured(void **state) {
  (void)state;
  for (int e = 0; e < CT_EXAMPLES; e++) {
    recording r;
    ct_motion at_once = {0}, held = {0};
    r.count = ct_example_stroke((ct_example)e, 120, r.sample, MOST);
    play_held(&r, 1000, 0, 0.1, keep_last, &at_once);
    play_held(&r, 1000, 0.05, 0.1, keep_last, &held);
    assert_true(at_once.log_jerk == held.log_jerk && at_once.arc_length == held.arc_length);
    assert_true(at_once.fluidity == held.fluidity);
  }
}

static void a_gap_is_rest(void **state) {
  (void)state;
  recording r;
  record(&r, writing, 1, 120, 0);
  ct_pen *pen = ct_pen_create();
  for (size_t i = 0; i < r.count; i++)
    assert_int_equal(ct_pen_push(pen, &r.sample[i], NULL), CT_OK);
  assert_true(ct_pen_read(pen, 1.0).speed_m_s > 0.04);
  assert_true(ct_pen_read(pen, 1.3).speed_m_s < 0.001);
  ct_pen_destroy(pen);
  for (size_t i = r.count / 2; i < r.count; i++)
    r.sample[i].time_s += 0.2;
  assert_int_equal(described(&r, NULL).strokes, 2);
  r.count = ct_example_stroke(CT_EXAMPLE_WORD, 100, r.sample, MOST);
  assert_int_equal(described(&r, NULL).strokes, 2);
}

/* ---- refused ---- */

static void both_refuse(const ct_pen_sample *bad, const char *words) {
  ct_pen_sample samples[3] = {{0, 0, 0, 0.5}, {0.01, 0.001, 0, 0.5}, *bad};
  ct_stroke_scores unused;
  ct_error error;
  assert_int_equal(ct_stroke_describe(samples, 3, NULL, &unused, &error), CT_BAD_VALUE);
  assert_non_null(strstr(error.text, words));
  assert_non_null(strstr(error.text, "sample 3"));
  ct_pen *pen = ct_pen_create();
  assert_int_equal(ct_pen_push(pen, &samples[0], NULL), CT_OK);
  assert_int_equal(ct_pen_push(pen, &samples[1], NULL), CT_OK);
  ct_motion before = ct_pen_read(pen, 0.012);
  assert_int_equal(ct_pen_push(pen, &samples[2], &error), CT_BAD_VALUE);
  ct_motion after = ct_pen_read(pen, 0.012);
  assert_true(before.x_m == after.x_m && before.speed_m_s == after.speed_m_s);
  assert_int_equal(ct_pen_push(pen, &(ct_pen_sample){0.02, 0.002, 0, 0.5}, NULL), CT_OK);
  ct_pen_destroy(pen);
}

static void bad_samples_are_refused(void **state) {
  (void)state;
  both_refuse(&(ct_pen_sample){0.01, 0, 0, 0.5}, "0.01 s is there twice");
  both_refuse(&(ct_pen_sample){0.005, 0, 0, 0.5}, "times must rise");
  both_refuse(&(ct_pen_sample){0.02, 0, 0, 1.2}, "pressure 1.2 is out of range; wants 0 to 1");
  both_refuse(&(ct_pen_sample){0.02, 0, 0, -0.1}, "pressure -0.1 is out of range");
  both_refuse(&(ct_pen_sample){0.02, NAN, 0, 0.5}, "finite");
  both_refuse(&(ct_pen_sample){INFINITY, 0, 0, 0.5}, "finite");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(speed_curvature_acceleration),
                                     cmocka_unit_test(the_smoothest_reach),
                                     cmocka_unit_test(fluidity_is_swings),
                                     cmocka_unit_test(scores_do_not_move),
                                     cmocka_unit_test(smooth_scores_above_jerky),
                                     cmocka_unit_test(motion_is_as_late_as_it_says),
                                     cmocka_unit_test(speed_never_steps),
                                     cmocka_unit_test(bursts_do_not_hurry_it),
                                     cmocka_unit_test(stumbling_is_not_measured),
                                     cmocka_unit_test(a_gap_is_rest),
                                     cmocka_unit_test(bad_samples_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
