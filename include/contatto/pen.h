/* From pen or pointer samples to what they say about a gesture: speed, acceleration, curvature, pressure, and
 * how fluid it is; while it is drawn (causal) or from a recording (offline).
 *
 * Samples come unevenly, at 60 to 240 Hz. A live pen turns them into motion at any rate, without steps in
 * place or speed, 1.2 sample intervals late: 10 ms at 120 Hz, 5 ms at 240 Hz, and never later than
 * CT_PEN_LATENCY_MOST_S, one interval at 60 Hz: with an audio block of 128 samples still under 20 ms. A
 * sample may come later than its own time says: motion then goes on from what was read last.
 *
 * Rules for what goes wrong: a time that is not after the last one, a number that is not finite, a pressure
 * outside 0 .. 1 are refused. A gap longer than CT_PEN_GAP_S, or a pressure of 0, is a lifted pen: motion
 * comes to rest, and what follows is another stroke. docs/models/action.md has the definitions. */
#ifndef CONTATTO_PEN_H
#define CONTATTO_PEN_H

#include "base.h"

CT_DECLARATIONS_BEGIN

#define CT_PEN_GAP_S 0.1
#define CT_PEN_LATENCY_MOST_S 0.0165

typedef struct ct_pen_sample {
  double time_s, x_m, y_m;
  double pressure; /* 0: not touching .. 1 */
} ct_pen_sample;

/* One moment of a gesture. */
typedef struct ct_motion {
  double time_s, x_m, y_m;
  double speed_m_s;
  double acceleration_m_s2; /* along the path */
  double curvature_1_m;     /* positive to the left; 0 at rest */
  double pressure;
  double log_jerk;   /* log dimensionless jerk: -5.3 for the smoothest reach, lower when jerky */
  double arc_length; /* spectral arc length: -1.4 for the smoothest reach, lower when jerky */
  double fluidity;   /* 0 jerky .. 1 smooth: ct_fluidity() */
} ct_motion;

/* [any] Log dimensionless jerk, brought from its duration to that of a second, on a scale from 0 to 1: 1
 * where the speed swings by half once a second, 0 where it does so seven times a second. */
CT_API double ct_fluidity(double log_jerk, double duration_s);

/* ---- live ---- */

typedef struct ct_pen ct_pen;
CT_API ct_pen *ct_pen_create(void);      /* [setup] null: out of memory */
CT_API void ct_pen_destroy(ct_pen *pen); /* [setup] */

/* A new sample. Refused, with one line, as above; then nothing has changed. [audio] but for `error`, which
 * may be null. */
CT_API ct_result ct_pen_push(ct_pen *pen, const ct_pen_sample *sample, ct_error *error);

/* The gesture at a moment: ask for rising times, at any rate, none earlier than the last sample pushed.
 * log_jerk and arc_length are those of the last second. [audio] */
CT_API ct_motion ct_pen_read(ct_pen *pen, double time_s);

/* How late the motion is now. [audio] */
CT_API double ct_pen_latency_s(const ct_pen *pen);

/* ---- offline ---- */

/* A recording as a whole; log_jerk, arc_length and fluidity are means over the strokes by their duration. */
typedef struct ct_stroke_scores {
  uint32_t strokes;  /* of at least CT_PEN_GAP_S and 4 samples, that move by more than 1 mm/s */
  double duration_s; /* drawing, without lifted pen */
  double length_m;
  double speed_m_s; /* mean */
  double log_jerk, arc_length, fluidity;
} ct_stroke_scores;

/* Checks times and pressures; descriptors at every sample (`motion` may be null; where the pen is lifted all
 * but place and time is 0), with log_jerk, arc_length and fluidity those of the sample's stroke. [setup] */
CT_API ct_result ct_stroke_describe(const ct_pen_sample *samples, size_t count, ct_motion *motion,
                                    ct_stroke_scores *scores, ct_error *error);

typedef enum ct_example {
  CT_EXAMPLE_SMOOTH = 0,
  CT_EXAMPLE_JERKY = 1,
  CT_EXAMPLE_WORD = 2,
  CT_EXAMPLES
} ct_example;

/* Example strokes, evenly sampled at rate_hz; writes at most `max` and returns how many there are. [any] */
CT_API size_t ct_example_stroke(ct_example example, double rate_hz, ct_pen_sample *samples, size_t max);
CT_API const char *ct_example_name(ct_example example); /* [any] "smooth" */

CT_DECLARATIONS_END

#endif
