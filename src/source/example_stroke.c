/* Example strokes, as formulas of time.
 *
 *   smooth   three rows of loops drawn at an even pace: x = drift + a cos, y = b sin at 1.2 Hz
 *   jerky    the same path, walked in starts and stops (six a second) by a trembling hand (9 Hz, 0.3 mm)
 *   word     "elle": handwriting as two oscillations (Hollerbach 1981), 3 letters a second, tall for l and
 * low for e; then the pen is lifted and draws the line under it
 *
 * All start and end at rest: the path is walked by a smooth step at both ends. */
#include <contatto/pen.h>

#include <math.h>

static const char *const names[CT_EXAMPLES] = {"smooth", "jerky", "word"};

const char *ct_example_name(ct_example e) { return e < CT_EXAMPLES ? names[e] : ""; }

/* Path time over 0 .. total seconds: even pace with a quarter second of speeding up and of slowing down. */
static double pace(double t, double total) {
  const double ramp = 0.25;
  double u = fmin(fmax(t, 0), total), end = total - u;
  if (u < ramp)
    return u * u * u / (ramp * ramp) * (1 - u / (2 * ramp));
  if (end < ramp)
    return total - ramp - end * end * end / (ramp * ramp) * (1 - end / (2 * ramp));
  return u - ramp / 2;
}

static ct_pen_sample loops(double t, double total) {
  double s = pace(t, total), w = 2 * M_PI * 1.2;
  return (ct_pen_sample){.x_m = 0.012 * s + 0.009 * cos(w * s) - 0.009,
                         .y_m = 0.011 * sin(w * s),
                         .pressure = 0.5 + 0.15 * sin(2 * M_PI * 0.6 * s)};
}

/* Speed runs between 5 % and 195 % six times a second. */
static ct_pen_sample trembling_loops(double t, double total) {
  const double w = 2 * M_PI * 9, stops = 2 * M_PI * 6;
  ct_pen_sample p = loops(t - 0.95 * sin(stops * t) / stops, total);
  p.x_m += 0.0003 * sin(w * t);
  p.y_m += 0.0003 * sin(1.13 * w * t + 1);
  return p;
}

/* Letter heights in turn, from one loop's foot to the next. */
static ct_pen_sample word(double s) {
  static const double height_m[] = {0.0025, 0.0065, 0.0065, 0.0025};
  const double letters_per_s = 3, letters = 4;
  double at = fmin(s * letters_per_s, letters - 1e-9), turn = 2 * M_PI * at;
  int i = (int)at;
  return (ct_pen_sample){.x_m = 0.004 * at - 0.0018 * sin(turn) + 0.25 * height_m[i] * (1 - cos(turn)) / 2,
                         .y_m = height_m[i] * (1 - cos(turn)) / 2,
                         .pressure = 0.55 - 0.15 * cos(turn)};
}

static ct_pen_sample written_word(double t) {
  const double word_s = 4.0 / 3 + 0.25, lifted_s = 0.3, line_s = 0.8;
  if (t <= word_s)
    return word(pace(t, word_s));
  double u = fmin((t - word_s - lifted_s) / line_s, 1);
  if (u < 0)
    return (ct_pen_sample){.x_m = 0.016, .y_m = 0, .pressure = 0};
  double s = u * u * u * (10 + u * (6 * u - 15));
  return (ct_pen_sample){.x_m = 0.001 + 0.016 * s, .y_m = -0.002, .pressure = 0.6};
}

size_t ct_example_stroke(ct_example example, double rate_hz, ct_pen_sample *samples, size_t max) {
  const double seconds[CT_EXAMPLES] = {5, 5, 4.0 / 3 + 0.25 + 0.3 + 0.8};
  if (example >= CT_EXAMPLES || !(rate_hz > 0))
    return 0;
  size_t count = (size_t)(seconds[example] * rate_hz) + 1;
  for (size_t i = 0; i < count && i < max && samples; i++) {
    double t = (double)i / rate_hz, total = seconds[example];
    samples[i] = example == CT_EXAMPLE_SMOOTH  ? loops(t, total)
                 : example == CT_EXAMPLE_JERKY ? trembling_loops(t, total)
                                               : written_word(t);
    samples[i].time_s = t;
  }
  return count;
}
