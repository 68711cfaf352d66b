/* A strike that starts at sample n0 leaves the squares
 *
 *   sum over n < n0 of y^2 + sum over n >= n0 of (x - m)^2
 *
 * with m its modes and y = x - (what still rings of the strike before it). In white noise the n0 that makes
 * them smallest is the likeliest instant. Two looks: far around with the modes as they were fitted from where
 * the strike was thought to start; then near, and for each n0 with the amplitudes that are best for it, since
 * amplitudes that were fitted to silence before the strike have bent to it. Where several instants are nearly
 * as likely, because modes cancel one another there, their mean is taken: it has the least square error. */
#include "modes/instant.h"
#include "modes/backward.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>

static const double far_s = 0.06, near_s = 0.0025;
static const double loudest_nepers = 30; /* how far back a mode is believed to have rung */

/* Samples from `first` on, where `start` is where the strike was thought to be. */
typedef struct window {
  size_t first, start, count;
  double *m, *y; /* [count] its modes, and what is left of the strike before */
} window;

static const ct_found_strike *strike_before(const ct_search *s, uint32_t g) {
  bool has = g > 0 && s->strikes[g - 1].recording == s->strikes[g].recording;
  return has ? &s->strikes[g - 1] : NULL;
}

/* Adds factor times the modes of a strike, as they ring around `zero`, its sample 0. */
static void add_course(const ct_search *s, uint32_t g, double zero, double factor, double *out,
                       size_t count) {
  const double complex *c = s->fit.amplitudes + (size_t)g * s->fit.room;
  for (uint32_t i = 0; i < s->fit.count; i++) {
    ct_pole p = s->fit.poles[i];
    double per_sample = p.decay / s->segments[g].rate_hz, turn = p.omega / s->segments[g].rate_hz;
    double reach = loudest_nepers / per_sample, first = fmax(ceil(zero - reach), 0);
    double complex at = factor * c[i] * cexp((first - zero) * (-per_sample + CT_I * turn)),
                   z = cexp(-per_sample + CT_I * turn);
    for (double n = first; n < (double)count && n < zero + reach; n++) {
      out[(size_t)n] += creal(at);
      at = ct_times(at, z);
    }
  }
}

static bool window_make(const ct_search *s, uint32_t g, size_t start, double reach_s, window *w) {
  const ct_found_strike *strike = &s->strikes[g], *before = strike_before(s, g);
  const ct_recording *r = &s->recordings[strike->recording];
  size_t reach = (size_t)(reach_s * r->rate_hz), least = before ? before->start + 1 : 0;
  size_t end = strike->start + strike->count, last = start + (end - start) / 2;
  w->first = start > least + reach ? start - reach : least;
  w->start = start;
  w->count = (start + reach < last ? start + reach : last) - w->first;
  w->m = calloc(w->count + 1, sizeof *w->m);
  w->y = calloc(w->count + 1, sizeof *w->y);
  if (!w->m || !w->y)
    return false;
  add_course(s, g, (double)strike->start - (double)w->first, 1, w->m, w->count);
  for (size_t n = 0; n < w->count; n++)
    w->y[n] = r->samples[w->first + n];
  if (before)
    add_course(s, g - 1, (double)before->start - (double)w->first, -1, w->y, w->count);
  return true;
}

static void window_free(window *w) {
  free(w->m);
  free(w->y);
}

/* With the modes as they are. */
static size_t look_far(const window *w, const double *x) {
  double sum = 0, best = 0;
  size_t at = w->start;
  for (size_t n = w->count; n-- > 0;) {
    double off = x[n] - w->m[n];
    sum += off * off - w->y[n] * w->y[n];
    if (sum < best) {
      best = sum;
      at = w->first + n;
    }
  }
  return at;
}

/* The mean of an instant of which exp(-squares / 2) is the likelihood. */
static size_t mean_of(const window *w, const double *squares) {
  double best = INFINITY, all = 0, sum = 0;
  for (size_t n = 0; n < w->count; n++)
    best = fmin(best, squares[n]);
  for (size_t n = 0; n < w->count; n++) {
    double likelihood = squares[n] >= best ? exp((best - squares[n]) / 2) : 0; /* or no number at all */
    all += likelihood;
    sum += likelihood * (double)n;
  }
  return all > 0 ? w->first + (size_t)(sum / all + 0.5) : w->start;
}

/* Power of a sample that the modes leave in the last quarter of a strike: an attack that is not sudden is not
 * noise. */
static double noise_of(const ct_search *s, uint32_t g, bool *memory) {
  size_t count = s->segments[g].count, tail = count / 4;
  double *left = malloc(count * sizeof *left), sum = 0;
  *memory = left != NULL;
  if (left)
    ct_fit_residual(&s->fit, g, left);
  for (size_t n = count - tail; left && n < count; n++)
    sum += left[n] * left[n];
  free(left);
  return sum / (double)tail + 1e-300;
}

/* With the best amplitudes for every start: the likelihood of a sample is the normal one of what was expected
 * from those after it. */
static size_t look_near(const ct_search *s, uint32_t g, window *w, const double *x, bool *memory) {
  ct_backward b;
  const ct_found_strike *strike = &s->strikes[g];
  size_t end = strike->start + strike->count, skip = w->first + w->count - w->start;
  const double *start = s->recordings[strike->recording].samples + w->start;
  const ct_segment segment = {start, end - w->start, s->segments[g].rate_hz, s->segments[g].moments};
  double sum = 0, variance, noise = noise_of(s, g, memory);
  if (!*memory || !ct_backward_init(&b, s->fit.poles, s->fit.count, &segment, skip)) {
    *memory = false;
    return w->start;
  }
  for (size_t n = w->count; n-- > 0;) {
    double off = ct_backward_step(&b, x[n], &variance);
    sum += (off * off / variance - w->y[n] * w->y[n]) / noise + log(variance);
    w->m[n] = sum;
  }
  ct_backward_free(&b);
  return mean_of(w, w->m);
}

size_t ct_instant(const ct_search *s, uint32_t g, bool *memory) {
  const double *samples = s->recordings[s->strikes[g].recording].samples;
  size_t at = s->strikes[g].start;
  for (int look = 0; look < 2 && *memory; look++) {
    window w;
    *memory = window_make(s, g, at, look ? near_s : far_s, &w);
    if (*memory)
      at = look ? look_near(s, g, &w, samples + w.first, memory) : look_far(&w, samples + w.first);
    window_free(&w);
  }
  return at;
}
