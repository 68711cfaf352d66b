/* Steps are Fisher's: information^-1 slopes, damped as Levenberg and Marquardt do. Each promises to raise the
 * log likelihood by slopes' step / 2 or so; how much of that it keeps tells how much the next one is damped,
 * and what even an undamped one promises, whether it is worth to go on. */
#include "modes/climb.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORRECTIONS = 3 };

/* The room before anything is heard: its level, by a factor of e or so, and the t60 that was found. */
static const double usual_level = 0.25, level_spread = 1, fall_spread = 0.2;
static const double damping_first = 1e-2, damping_least = 1e-6, damping_most = 1e4;
static const double well_kept = 0.25; /* of a promise: the next step is damped less */
static const double enough = 0.02;    /* a promise of less is the last */
static const double exceeded = 4;     /* what is gained in the end may be that much of an undamped promise */

void ct_point_free(ct_point *p) {
  free(p->poles);
  free(p->c);
}

bool ct_point_init(ct_point *p, uint32_t most) {
  *p = (ct_point){.poles = malloc((most + 1) * sizeof *p->poles), .c = malloc((most + 1) * sizeof *p->c)};
  return p->poles && p->c;
}

void ct_climb_save(const ct_climb *c, ct_point *p) {
  const ct_tail *t = &c->tail;
  p->modes = t->modes;
  p->level = t->level;
  p->fall = t->fall;
  p->likelihood = c->likelihood;
  memcpy(p->poles, t->poles, t->modes * sizeof *t->poles);
  memcpy(p->c, t->c, t->modes * sizeof *t->c);
}

void ct_climb_restore(ct_climb *c, const ct_point *p) {
  ct_tail *t = &c->tail;
  t->modes = p->modes;
  t->level = p->level;
  t->fall = p->fall;
  c->likelihood = p->likelihood;
  memcpy(t->poles, p->poles, p->modes * sizeof *t->poles);
  memcpy(t->c, p->c, p->modes * sizeof *t->c);
}

bool ct_climb_init(ct_climb *c, const double *x, size_t count, double rate_hz, uint32_t most, double fall) {
  size_t all = 4 * (size_t)most + 2;
  *c = (ct_climb){.level = usual_level,
                  .fall = fall,
                  .wanted = -INFINITY,
                  .slopes = malloc(all * sizeof *c->slopes),
                  .step = malloc(all * sizeof *c->step),
                  .information = malloc(all * all * sizeof *c->information),
                  .factor = malloc(all * all * sizeof *c->factor)};
  bool tail = ct_tail_init(&c->tail, x, count, rate_hz, most);
  if (!ct_point_init(&c->before, most) || !tail || !c->slopes || !c->step || !c->information || !c->factor) {
    ct_climb_free(c);
    return false;
  }
  c->tail.level = c->level;
  c->tail.fall = c->fall;
  return true;
}

void ct_climb_free(ct_climb *c) {
  ct_tail_free(&c->tail);
  ct_point_free(&c->before);
  free(c->slopes);
  free(c->step);
  free(c->information);
  free(c->factor);
}

/* ---- what is known beforehand ---- */

double ct_climb_level_off(const ct_climb *c) { return log(c->tail.level / c->level) / level_spread; }
double ct_climb_fall_off(const ct_climb *c) { return log(c->tail.fall / c->fall) / fall_spread; }

/* Nothing of the amplitudes: those that modes have when the room is silent, c (1 + R), are of the same tail
 * that the first samples show, and would count it twice. */
double ct_climb_likelihood(ct_climb *c) {
  double x = ct_climb_level_off(c), y = ct_climb_fall_off(c);
  return ct_tail_likelihood(&c->tail) - 0.5 * (x * x + y * y);
}

static void slopes_of(ct_climb *c, double *slopes) {
  size_t n = 2 * (size_t)c->tail.modes;
  ct_tail_slopes(&c->tail, slopes);
  c->work += (double)c->tail.count * c->tail.modes * c->tail.modes;
  slopes[n] -= ct_climb_level_off(c) / level_spread;
  slopes[n + 1] -= ct_climb_fall_off(c) / fall_spread;
}

static bool fill_information(ct_climb *c) {
  size_t all = ct_tail_parameters(&c->tail), n = 2 * (size_t)c->tail.modes;
  if (!ct_tail_information(&c->tail, c->information))
    return false;
  c->information[n * all + n] += 1 / (level_spread * level_spread);
  c->information[(n + 1) * all + n + 1] += 1 / (fall_spread * fall_spread);
  return true;
}

/* ---- steps ---- */

/* The factor of the information, each parameter in units of what it is known to alone. */
static void factorize(ct_climb *c, double damping) {
  uint32_t all = ct_tail_parameters(&c->tail);
  for (size_t i = 0; i < all; i++)
    for (size_t l = 0; l <= i; l++)
      c->factor[i * all + l] = (i == l ? 1 + damping : 1) * c->information[i * all + l] /
                               sqrt(c->information[i * all + i] * c->information[l * all + l]);
  ct_cholesky(all, c->factor);
}

void ct_climb_factorize(ct_climb *c) { factorize(c, 0); }

/* x <- (factored information)^-1 x */
static void solve(const ct_climb *c, double *x) {
  uint32_t all = ct_tail_parameters(&c->tail);
  for (size_t i = 0; i < all; i++)
    x[i] /= sqrt(c->information[i * all + i]);
  ct_cholesky_forward(all, c->factor, x);
  ct_cholesky_back(all, c->factor, x);
  for (size_t i = 0; i < all; i++)
    x[i] /= sqrt(c->information[i * all + i]);
}

void ct_climb_covariance(ct_climb *c, uint32_t i, double *re, double *im, double *both) {
  uint32_t all = ct_tail_parameters(&c->tail);
  memset(c->step, 0, all * sizeof *c->step);
  c->step[2 * i] = 1;
  solve(c, c->step);
  *re = c->step[2 * i];
  *both = c->step[2 * i + 1];
  memset(c->step, 0, all * sizeof *c->step);
  c->step[2 * i + 1] = 1;
  solve(c, c->step);
  *im = c->step[2 * i + 1];
}

static double within(double x, double most) { return fmax(-most, fmin(most, x)); }

/* Goes the step, with poles and the room not farther than what is likely. */
static void move(ct_climb *c) {
  ct_tail *t = &c->tail;
  const double *step = c->step;
  for (uint32_t i = 0; i < t->modes; i++, step += 2)
    t->c[i] += step[0] + CT_I * step[1];
  t->level *= exp(within(step[0], 1));
  t->fall *= exp(within(step[1], 0.3));
  for (uint32_t i = t->fixed; i < t->modes; i++) {
    step += 2;
    t->poles[i].omega += within(step[0], t->poles[i].decay);
    t->poles[i].decay *= exp(within(step[1], 0.5));
  }
}

/* Fills the step; by how much it would raise the likelihood if that were a parabola. */
static double promise(ct_climb *c, double damping) {
  uint32_t all = ct_tail_parameters(&c->tail);
  memcpy(c->step, c->slopes, all * sizeof *c->step);
  factorize(c, damping);
  solve(c, c->step);
  return 0.5 * ct_dot(c->step, c->slopes, all);
}

/* Tries the step, and returns what it gained; not above 0, and the point stays as it was, where that makes
 * the samples no likelier.
 *
 * What two modes near each other are together is known well, how they share it hardly: the likelihood is a
 * narrow ridge, and a bent one, since what they are together is no straight line in poles and amplitudes. A
 * step along it ends beside it, as much lower as the ridge is steep, and without help only tiny ones would
 * pass. So from there steps go back to the ridge: damped enough that they hardly go along it. Where one of
 * these leads down by more than was promised, there is no such ridge. */
static double try_step(ct_climb *c, double promised) {
  ct_climb_save(c, &c->before);
  move(c);
  double likelihood = ct_climb_likelihood(c);
  for (int k = 0; k < CORRECTIONS && !(likelihood > c->likelihood) && isfinite(likelihood); k++) {
    double lower = likelihood;
    slopes_of(c, c->step);
    factorize(c, damping_first);
    solve(c, c->step);
    move(c);
    likelihood = ct_climb_likelihood(c);
    if (likelihood < lower && likelihood < c->likelihood - promised)
      break;
  }
  double gained = likelihood - c->likelihood;
  if (gained > 0)
    c->likelihood = likelihood;
  else
    ct_climb_restore(c, &c->before);
  return gained;
}

bool ct_climb_run(ct_climb *c, uint32_t fixed, int steps) {
  double damping = damping_first;
  c->tail.fixed = fixed;
  c->likelihood = ct_climb_likelihood(c);
  bool moved = true;
  for (int k = 0; k < steps && damping < damping_most; k++) {
    double missing = c->wanted - c->likelihood;
    if (moved) {
      slopes_of(c, c->slopes);
      if (!fill_information(c))
        return false;
      double all_of_it = promise(c, 0);
      if (all_of_it < enough || exceeded * all_of_it < missing)
        break;
    }
    double promised = promise(c, damping);
    if ((steps - k) * promised < missing)
      break;
    double gained = try_step(c, promised);
    moved = gained > 0;
    damping *= gained > well_kept * promised ? 0.1 : moved ? 1 : 10;
    damping = fmax(damping, damping_least);
  }
  return true;
}

bool ct_climb_weigh(ct_climb *c) {
  c->tail.fixed = c->tail.modes;
  c->tail.expected_only = true;
  slopes_of(c, c->slopes);
  bool memory = fill_information(c);
  c->tail.expected_only = false;
  if (memory) {
    promise(c, 0);
    move(c);
    c->likelihood = ct_climb_likelihood(c);
  }
  return memory;
}
