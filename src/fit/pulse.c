/* A finger that goes round a glass passes loud and soft places: the envelope repeats, and two to four
 * repetitions are all that two seconds hold. A peak of their spectrum is off by up to 5 %, by where in a
 * period the sound begins, and leaps by an octave where the second harmonic of the pulsation outgrows the
 * first. So a line and four harmonics of a rate are fitted by least squares, which is exact for whatever
 * repeats, and the rate is the one that explains most of the envelope. Every fraction of a rate explains as
 * much: of rates that explain nearly the most, the highest is taken. */
#include "fit/heard.h"
#include "measure/windows.h"

#include <string.h>

enum { HARMONICS = 4, TERMS = 2 + 2 * HARMONICS, RATES_MOST = 4096 };

static const double nearly = 0.85;  /* of what the best rate explains */
static const double spacing = 0.15; /* of rates that are tried, in periods within the envelope */
static const double least = 1e-6;   /* of the envelope's power: weaker is no pulsation */

/* How much of the envelope's power a line and the harmonics of one rate explain. */
static double explain(const double *envelope, size_t count, double omega, double *terms) {
  double m[TERMS * TERMS] = {0}, sums[TERMS], row[TERMS], explained = 0;
  double turn_c = cos(omega), turn_s = sin(omega), c = 1, s = 0;
  memset(terms, 0, TERMS * sizeof *terms);
  for (size_t n = 0; n < count; n++) {
    double high_c = c, high_s = s, next = c * turn_c - s * turn_s;
    row[0] = 1;
    row[1] = (2.0 * (double)n + 1) / (double)count - 1;
    for (int h = 1; h <= HARMONICS; h++) {
      row[2 * h] = high_c;
      row[2 * h + 1] = high_s;
      double higher = high_c * c - high_s * s;
      high_s = high_c * s + high_s * c;
      high_c = higher;
    }
    s = c * turn_s + s * turn_c;
    c = next;
    for (int i = 0; i < TERMS; i++) {
      terms[i] += row[i] * envelope[n];
      for (int j = 0; j <= i; j++)
        m[i * TERMS + j] += row[i] * row[j];
    }
  }
  for (int i = 0; i < TERMS; i++) /* where a period is as long as the envelope, or harmonics fold */
    m[i * TERMS + i] += 1e-6 * (double)count;
  memcpy(sums, terms, sizeof sums);
  ct_signal_solve(m, terms, TERMS);
  for (int i = 0; i < TERMS; i++)
    explained += terms[i] * sums[i];
  return explained;
}

/* Makes the mean 0, in units of what it was, and returns the power about the straight line through it; `line`
 * is what that line explains. */
static double flatten(double *envelope, size_t count, double *line) {
  double mean = 0, along = 0, length = 0, power = 0;
  for (size_t n = 0; n < count; n++)
    mean += envelope[n] / (double)count;
  for (size_t n = 0; n < count; n++) {
    double u = (2.0 * (double)n + 1) / (double)count - 1;
    envelope[n] = mean > 0 ? envelope[n] / mean - 1 : 0;
    along += u * envelope[n];
    length += u * u;
    power += envelope[n] * envelope[n];
  }
  *line = along * along / length;
  return power - *line;
}

/* The top between two rates, by golden sections. */
static double climb(const double *envelope, size_t count, double low, double high, double *terms) {
  for (int i = 0; i < 20; i++) {
    double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
    if (explain(envelope, count, a, terms) > explain(envelope, count, b, terms))
      high = b;
    else
      low = a;
  }
  return 0.5 * (low + high);
}

ct_measured_modulation ct_pulse_measure(double *envelope, size_t count, double rate_hz, double hi_hz) {
  double explained[RATES_MOST], terms[TERMS], line, most = 0;
  double step = CT_TWO_PI * spacing / (double)count, lowest = CT_TWO_PI * 2 / (double)count - step;
  size_t rates = (size_t)fmax((CT_TWO_PI * hi_hz / rate_hz - lowest) / step, 0), best = 0;
  rates = rates < RATES_MOST ? rates : RATES_MOST;
  if (count < 2 * TERMS || rates < 3 || !(flatten(envelope, count, &line) > least * (double)count))
    return (ct_measured_modulation){CT_NAN, 0};
  for (size_t i = 0; i < rates; i++)
    explained[i] = explain(envelope, count, lowest + (double)i * step, terms) - line;
  for (size_t i = 1; i + 1 < rates; i++)
    if (explained[i] >= explained[i - 1] && explained[i] >= explained[i + 1])
      most = fmax(most, explained[i]);
  for (size_t i = 1; i + 1 < rates; i++)
    if (explained[i] >= explained[i - 1] && explained[i] >= explained[i + 1] && explained[i] >= nearly * most)
      best = i;
  if (!best)
    return (ct_measured_modulation){CT_NAN, 0};
  double omega = lowest + (double)best * step;
  omega = climb(envelope, count, omega - step, omega + step, terms);
  explain(envelope, count, omega, terms);
  return (ct_measured_modulation){omega * rate_hz / CT_TWO_PI,
                                  ct_envelope_depth(1 + terms[0], terms + 2, HARMONICS)};
}
