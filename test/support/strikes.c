#include "test/support/strikes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double strike_random(uint64_t *state) {
  uint64_t x = *state += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

double strike_normal(uint64_t *state) {
  double u = 1 - strike_random(state), v = strike_random(state);
  return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

void strike_add(const known_mode *modes, uint32_t count, double rate_hz, size_t start, double *samples,
                size_t length) {
  for (uint32_t i = 0; i < count; i++)
    for (size_t n = start; n < length; n++) {
      double t = (double)(n - start) / rate_hz, fall = log(1000) * t / modes[i].t60_s;
      if (fall > 40)
        break;
      samples[n] += modes[i].gain * cos(2 * M_PI * modes[i].hz * t + modes[i].phase_rad) * exp(-fall);
    }
}

void strike_add_noise(double rms, uint64_t *state, double *samples, size_t length) {
  for (size_t n = 0; n < length; n++)
    samples[n] += rms * strike_normal(state);
}

/* Derivatives of sample n by Re c, Im c, hz and decay of one mode: x = Re(c e^((-s + i w) t)). */
static void derivatives(const known_mode *m, double t, double row[4]) {
  double s = log(1000) / m->t60_s, w = 2 * M_PI * m->hz, e = exp(-s * t);
  row[0] = e * cos(w * t);
  row[1] = -e * sin(w * t);
  row[2] = -2 * M_PI * t * m->gain * e * sin(w * t + m->phase_rad);
  row[3] = -t * m->gain * e * cos(w * t + m->phase_rad);
}

/* a <- a^-1 of a positive definite matrix, by Gauss and Jordan, after scaling its diagonal to 1. */
static void invert(uint32_t n, double *a) {
  double *scale = malloc(n * sizeof *scale);
  for (uint32_t i = 0; i < n; i++)
    scale[i] = 1 / sqrt(a[(size_t)i * n + i]);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      a[(size_t)i * n + j] *= scale[i] * scale[j];
  for (uint32_t k = 0; k < n; k++) {
    double pivot = 1 / a[(size_t)k * n + k];
    a[(size_t)k * n + k] = 1;
    for (uint32_t j = 0; j < n; j++)
      a[(size_t)k * n + j] *= pivot;
    for (uint32_t i = 0; i < n; i++) {
      double m = i == k ? 0 : a[(size_t)i * n + k];
      if (i == k || m == 0)
        continue;
      a[(size_t)i * n + k] = 0;
      for (uint32_t j = 0; j < n; j++)
        a[(size_t)i * n + j] -= m * a[(size_t)k * n + j];
    }
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      a[(size_t)i * n + j] *= scale[i] * scale[j];
  free(scale);
}

static void fill_fisher(const known_mode *modes, uint32_t count, double rate_hz, size_t length,
                        double *fisher) {
  uint32_t n = 4 * count;
  double *row = malloc(n * sizeof *row);
  memset(fisher, 0, (size_t)n * n * sizeof *fisher);
  for (size_t k = 0; k < length; k++) {
    double t = (double)k / rate_hz;
    uint32_t used = 0, at[CT_KNOWN_MOST];
    for (uint32_t i = 0; i < count; i++)
      if (log(1000) * t / modes[i].t60_s < 14) {
        derivatives(&modes[i], t, row + 4 * i);
        at[used++] = i;
      }
    for (uint32_t a = 0; a < used; a++)
      for (uint32_t b = 0; b <= a; b++)
        for (uint32_t p = 0; p < 4; p++)
          for (uint32_t q = 0; q < 4; q++)
            fisher[(size_t)(4 * at[a] + p) * n + 4 * at[b] + q] += row[4 * at[a] + p] * row[4 * at[b] + q];
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i + 1; j < n; j++)
      fisher[(size_t)i * n + j] = fisher[(size_t)j * n + i];
  free(row);
}

void strike_bounds(known_mode *modes, uint32_t count, double rate_hz, size_t length, double noise_rms) {
  uint32_t n = 4 * count, half = 2 * count;
  double *fisher = calloc((size_t)n * n, sizeof *fisher), v = noise_rms * noise_rms;
  double *gram = calloc((size_t)half * half, sizeof *gram);
  fill_fisher(modes, count, rate_hz, length, fisher);
  for (uint32_t i = 0; i < half; i++)
    for (uint32_t j = 0; j < half; j++)
      gram[(size_t)i * half + j] = fisher[(size_t)(i / 2 * 4 + i % 2) * n + j / 2 * 4 + j % 2];
  invert(n, fisher);
  invert(half, gram);
  for (uint32_t i = 0; i < count; i++) {
    known_mode *m = &modes[i];
    const double *f = fisher + (size_t)4 * i * n + 4 * i, *g = gram + (size_t)2 * i * half + 2 * i;
    double re = cos(m->phase_rad), im = sin(m->phase_rad), decay = log(1000) / m->t60_s;
    m->gain_bound = sqrt(v * (re * re * f[0] + 2 * re * im * f[1] + im * im * f[n + 1]));
    m->hz_bound = sqrt(v * f[2 * n + 2]);
    m->t60_bound_s = sqrt(v * f[3 * n + 3]) * m->t60_s / decay;
    double det = g[0] * g[half + 1] - g[1] * g[1];
    double energy = m->gain * m->gain * (g[half + 1] * re * re - 2 * g[1] * re * im + g[0] * im * im) / det;
    m->over_db = 10 * log10(energy / v);
  }
  free(fisher);
  free(gram);
}

enum { REACH = 2880 }; /* samples on both sides of the strike */

/* The modes together, as if they had rung before the strike, too; nothing is believed to start where they
 * would have been e^30 times as loud. */
static void fill_course(const known_mode *modes, uint32_t count, double rate_hz, double *m) {
  memset(m, 0, 2 * REACH * sizeof *m);
  for (uint32_t i = 0; i < count; i++)
    for (int n = 0; n < 2 * REACH; n++) {
      double t = (n - REACH) / rate_hz, fall = log(1000) * t / modes[i].t60_s;
      if (fall > -30)
        m[n] += modes[i].gain * cos(2 * M_PI * modes[i].hz * t + modes[i].phase_rad) * exp(-fall);
    }
}

/* P(h | x), h = n - REACH. */
static void fill_belief(const double *m, double noise_rms, const double *x, double *belief) {
  double sum = 0, most = -INFINITY, all = 0;
  for (int n = 2 * REACH - 1; n >= 0; n--) {
    sum += (2 * x[n] - m[n]) * m[n] / (2 * noise_rms * noise_rms);
    belief[n] = sum;
    most = fmax(most, sum);
  }
  for (int n = 0; n < 2 * REACH; n++)
    all += belief[n] = exp(belief[n] - most);
  for (int n = 0; n < 2 * REACH; n++)
    belief[n] /= all;
}

static double gain_variance(const known_mode *mode, double rate_hz, const double *belief) {
  double mean = 0, square = 0;
  for (int n = 0; n < 2 * REACH; n++)
    if (belief[n] > 1e-12) {
      double change = expm1(-log(1000) / mode->t60_s * (n - REACH) / rate_hz);
      mean += belief[n] * change;
      square += belief[n] * change * change;
    }
  return mode->gain * mode->gain * fmax(square - mean * mean, 0);
}

void strike_bounds_add_instant(known_mode *modes, uint32_t count, double rate_hz, double noise_rms,
                               const double *samples, size_t start) {
  double *m = malloc(2 * REACH * sizeof *m), *belief = malloc(2 * REACH * sizeof *belief);
  fill_course(modes, count, rate_hz, m);
  fill_belief(m, noise_rms, samples + start - REACH, belief);
  for (uint32_t i = 0; i < count; i++)
    modes[i].gain_bound = hypot(modes[i].gain_bound, sqrt(gain_variance(&modes[i], rate_hz, belief)));
  free(m);
  free(belief);
}
