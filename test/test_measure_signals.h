/* Signals with known answers, and a comparison that prints what it measured. */
#ifndef CONTATTO_TEST_MEASURE_SIGNALS_H
#define CONTATTO_TEST_MEASURE_SIGNALS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define TWO_PI 6.283185307179586476925

typedef struct sound {
  double *samples;
  size_t count;
  double rate_hz;
} sound;

static inline sound make_signal(double duration_s, double rate_hz) {
  const size_t count = (size_t)(duration_s * rate_hz + 0.5);
  double *samples = calloc(count, sizeof *samples);
  assert_non_null(samples);
  return (sound){samples, count, rate_hz};
}

static inline void free_signal(sound *s) {
  free(s->samples);
  s->samples = NULL;
}

/* amplitude e^(-decay (t - start)) sin(2 pi hz (t - start) + phase) from start_s on. */
static inline void add_decaying_sine(sound *s, double start_s, double hz, double amplitude, double phase,
                                     double t60_s) {
  const double rate = isinf(t60_s) ? 0.0 : log(1000.0) / t60_s;
  for (size_t n = 0; n < s->count; n++) {
    const double t = (double)n / s->rate_hz - start_s;
    if (t >= -1e-9)
      s->samples[n] += amplitude * exp(-rate * t) * sin(TWO_PI * hz * t + phase);
  }
}

static inline void add_sine(sound *s, double hz, double amplitude, double phase) {
  add_decaying_sine(s, 0.0, hz, amplitude, phase, (double)INFINITY);
}

/* Uniform noise of the given rms, the same in every run. */
static inline void add_noise(sound *s, double rms, uint64_t seed) {
  uint64_t state = seed * 2654435769u + 88172645463325252u;
  for (size_t n = 0; n < s->count; n++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    s->samples[n] += rms * sqrt(3.0) * ((double)(state >> 11) / 4503599627370496.0 - 1.0);
  }
}

static inline double from_db(double db) { return pow(10.0, db / 20.0); }

static inline void check_near(const char *what, double got, double want, double tolerance) {
  if (!(fabs(got - want) <= tolerance))
    fail_msg("%s: measured %.9g, expected %.9g within %g", what, got, want, tolerance);
}

static inline void check_below(const char *what, double got, double limit) {
  if (!(got < limit))
    fail_msg("%s: measured %.9g, expected below %g", what, got, limit);
}

static inline void check_above(const char *what, double got, double limit) {
  if (!(got > limit))
    fail_msg("%s: measured %.9g, expected above %g", what, got, limit);
}

#endif
