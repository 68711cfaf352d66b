/* The model of the bank and one contact in plain C, for comparison: one array per quantity, one loop per
 * task, nothing but the compiler to make it fast. */
#include "hosts/cli/bench.h"

#include <math.h>
#include <stdlib.h>

static bool make_arrays(bench_reference *r) {
  double **arrays[] = {&r->x, &r->v, &r->a12, &r->ii, &r->a22, &r->stiffness, &r->gain, &r->gain_over_mass};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (!(*arrays[i] = calloc(r->modes, sizeof(double))))
      return false;
  return true;
}

void bench_reference_free(bench_reference *r) {
  double *arrays[] = {r->x, r->v, r->a12, r->ii, r->a22, r->stiffness, r->gain, r->gain_over_mass};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    free(arrays[i]);
}

/* Exact propagation over a step h of x'' + g x' + w^2 x = f/m: a12 = exp(-s h) sin(d h)/d with s = g/2, d^2 =
 * w^2 - s^2; ii = integral of a12 = (1 - a11)/w^2. */
static void set_mode(bench_reference *r, uint32_t i, const ct_mode_def *m) {
  double h = r->step_s, w = 2 * M_PI * m->hz, g = m->t60_s > 0 ? 2 * log(1000) / m->t60_s : 0, s = g / 2;
  double d = sqrt(w * w - s * s), decay = exp(-s * h);
  double a12 = decay * sin(d * h) / d, a11 = decay * cos(d * h) + s * a12;
  r->x[i] = m->x_m;
  r->v[i] = m->v_m_s;
  r->a12[i] = a12;
  r->ii[i] = (1 - a11) / (w * w);
  r->a22[i] = 1 - w * w * r->ii[i] - g * a12;
  r->stiffness[i] = w * w;
  r->gain[i] = 1;
  r->gain_over_mass[i] = 1 / m->mass_kg;
  r->compliance += r->ii[i] / m->mass_kg;
}

bool bench_reference_init(bench_reference *r, const ct_mode_def *modes, uint32_t count,
                          const ct_mode_def *hammer, const ct_impact_def *contact, double rate_hz) {
  *r = (bench_reference){.modes = count,
                         .step_s = 1 / rate_hz,
                         .hammer_x = hammer->x_m,
                         .hammer_v = hammer->v_m_s,
                         .hammer_kg = hammer->mass_kg,
                         .contact_stiffness = contact->stiffness,
                         .exponent = contact->exponent,
                         .damping_s_m = contact->damping_s_m};
  if (!make_arrays(r))
    return false;
  for (uint32_t i = 0; i < count; i++)
    set_mode(r, i, &modes[i]);
  r->compliance += r->step_s * r->step_s / (2 * r->hammer_kg);
  return true;
}

static void advance(bench_reference *r, double force_n) {
  for (uint32_t i = 0; i < r->modes; i++) {
    double acceleration = r->gain_over_mass[i] * force_n - r->stiffness[i] * r->x[i];
    double dx = r->a12[i] * r->v[i] + r->ii[i] * acceleration;
    r->v[i] = r->a22[i] * r->v[i] + r->a12[i] * acceleration;
    r->x[i] += dx;
  }
}

static double velocity(const bench_reference *r) {
  double sum = 0;
  for (uint32_t i = 0; i < r->modes; i++)
    sum += r->gain[i] * r->v[i];
  return sum;
}

static double free_increment(const bench_reference *r) {
  double sum = 0;
  for (uint32_t i = 0; i < r->modes; i++)
    sum += r->gain[i] * (r->a12[i] * r->v[i] - r->ii[i] * r->stiffness[i] * r->x[i]);
  return sum;
}

__attribute__((noinline)) void bench_reference_ring(bench_reference *r, double *out, uint32_t frames) {
  for (uint32_t n = 0; n < frames; n++) {
    out[n] = velocity(r);
    advance(r, 0);
  }
}

static double potential(const bench_reference *r, double x) {
  double p = r->exponent + 1;
  return x > 0 ? r->contact_stiffness * pow(x, p) / p : 0;
}

/* Discrete gradient: f = [V(x + d) - V(x)]/d max(0, 1 + mu d/h). */
static double contact_force(const bench_reference *r, double d) {
  double x = r->compression, shape = fmax(0, 1 + r->damping_s_m * d / r->step_s);
  if (fabs(d) < 1e-15)
    return x > 0 ? r->contact_stiffness * pow(x, r->exponent) : 0;
  return (potential(r, x + d) - potential(r, x)) / d * shape;
}

/* Root of d + C f(d) = d_free by the secant method, down to where the difference of potentials is rounding.
 */
static double solve(const bench_reference *r, double d_free) {
  enum { MOST = 30 };
  double a = d_free, ga = r->compliance * contact_force(r, a);
  double b = a - ga * 0.5, gb = b + r->compliance * contact_force(r, b) - d_free;
  for (int i = 0; i < MOST && gb != ga && fabs(b - a) > 1e-12 * fabs(b) + 1e-17; i++) {
    double next = b - gb * (b - a) / (gb - ga);
    a = b;
    ga = gb;
    b = next;
    gb = b + r->compliance * contact_force(r, b) - d_free;
  }
  return b;
}

__attribute__((noinline)) void bench_reference_touch(bench_reference *r, const double *force_n, double *out,
                                                     uint32_t frames) {
  double h = r->step_s;
  for (uint32_t n = 0; n < frames; n++) {
    out[n] = velocity(r);
    double hammer_free = h * r->hammer_v + h * h / 2 * force_n[n] / r->hammer_kg;
    double d = solve(r, hammer_free - free_increment(r));
    double f = contact_force(r, d), a = (force_n[n] - f) / r->hammer_kg;
    r->compression += d;
    r->hammer_x += h * r->hammer_v + h * h / 2 * a;
    r->hammer_v += h * a;
    advance(r, f);
  }
}
