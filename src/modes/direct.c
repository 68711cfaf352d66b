/* To a mode that rings longer than the room its answer is, in the end, the same mode with another amplitude:
 * c (1 + R), R = sum r[n] z^-n, which is a random number, and large where the mode hardly outlasts the room.
 * No later sample tells c from c (1 + R). The first ones do, and the tail itself: between the modes it is as
 * loud as those are that drive it. So amplitudes, the room, and poles of modes that do not outlast it are
 * those that make the first moments of a strike likeliest (tail.h).
 *
 * Steps are Fisher's: information^-1 slopes, damped as Levenberg and Marquardt do. At the end the inverse of
 * the information holds the squares of the standard errors. */
#include "modes/direct.h"
#include "modes/linear.h"
#include "modes/scan.h"
#include "modes/tail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WEIGHINGS = 4,
  FEW_STEPS = 4,
  FIRST_STEPS = 6,
  STEPS = 12,
  LAST_STEPS = 20,
  TWINS_MOST = 4,
  SHIFT_MOST = 3,
  MISSING_MOST = 3,
  CORRECTIONS = 3
};

static const double reach = 0.8;       /* of the room's t60: what is looked at of a strike; */
static const double first_share = 0.5; /* the first of it tells which modes there are */
static const double most_work = 2e7;   /* samples times squared amplitudes of a pass over all of it; */
static const double trials_work = 3e8; /* of all steps, beyond which no mode is tried to be done without */
static const double last_work = 4e7;   /* and of all steps of the last climb */
/* The room before anything is heard: its level, by a factor of e or so, and the t60 that was found. */
static const double usual_level = 0.25, level_spread = 1, fall_spread = 0.2;
/* In log likelihood: what a mode must be worth to be there. One that is not there, at a given place, is worth
 * more than w with the probability (1 + w) e^-w (half of chi square of four: two of the amplitude, two of the
 * pole). But there are some thousand places, B T cells of frequency and time, and modes are at the best of
 * them: by 12 one false mode is to be expected in a few strikes. Each one that is let in takes some of the
 * sound of a mode near it and makes its gain less certain. */
static const double least_worth = 12;
static const double twin_error =
    0.1; /* of a gain, as a share of it: perhaps it shares its sound with another */
static const double lowest_hz = 30, answer_omega = 2 * 3.14159265358979323846 * 25;
static const double hopeless = 1000; /* so much less likely than wanted, after a few steps */
static const double enough = 0.02;   /* a step that lets hope for less is the last */
/* What is farther from what was known of the room beforehand, in units of its spread, is no such room. */
static const double believed = 2.5;
static const double error_most = 0.99; /* of a gain, as a share of it */
static const double damping_first = 1e-2, damping_least = 1e-6;

/* All parameters, to come back to. */
typedef struct point {
  uint32_t modes;
  ct_pole *poles;
  double complex *c;
  double level, fall, likelihood;
} point;

/* What a step needs. */
typedef struct climb {
  ct_tail tail;
  double *slopes, *step, *information, *factor; /* [all], [all], [all * all] twice */
  double *worths;                               /* [modes] */
  point before_step, before_drop;
  double likelihood, wanted; /* wanted: of a trial, which is given up where that is far away */
  double guess;              /* of the room's fall */
  uint32_t known;            /* modes that ring on in the room's silence */
  size_t whole;              /* samples within reach */
  double work;               /* so far: samples times squared amplitudes */
} climb;

static void point_free(point *p) {
  free(p->poles);
  free(p->c);
}

static bool point_init(point *p, uint32_t most) {
  *p = (point){.poles = malloc((most + 1) * sizeof *p->poles), .c = malloc((most + 1) * sizeof *p->c)};
  return p->poles && p->c;
}

static void save(const climb *c, point *p) {
  const ct_tail *t = &c->tail;
  p->modes = t->modes;
  p->level = t->level;
  p->fall = t->fall;
  p->likelihood = c->likelihood;
  memcpy(p->poles, t->poles, t->modes * sizeof *t->poles);
  memcpy(p->c, t->c, t->modes * sizeof *t->c);
}

static void restore(climb *c, const point *p) {
  ct_tail *t = &c->tail;
  t->modes = p->modes;
  t->level = p->level;
  t->fall = p->fall;
  c->likelihood = p->likelihood;
  memcpy(t->poles, p->poles, p->modes * sizeof *t->poles);
  memcpy(t->c, p->c, p->modes * sizeof *t->c);
}

static void climb_free(climb *c) {
  ct_tail_free(&c->tail);
  free(c->slopes);
  free(c->step);
  free(c->information);
  free(c->factor);
  free(c->worths);
  point_free(&c->before_step);
  point_free(&c->before_drop);
}

static bool climb_init(climb *c, const ct_segment *s, const ct_room *room, const ct_direct *modes) {
  double work = 4.0 * modes->modes * modes->modes, most = fmin(0.5 * (double)s->count, most_work / work);
  size_t count = (size_t)fmin(reach * room->t60_s * s->rate_hz, most);
  size_t all = 4 * (size_t)modes->modes + 2;
  *c = (climb){.slopes = malloc(all * sizeof *c->slopes),
               .step = malloc(all * sizeof *c->step),
               .information = malloc(all * all * sizeof *c->information),
               .factor = malloc(all * all * sizeof *c->factor),
               .worths = malloc((modes->modes + 1) * sizeof *c->worths)};
  bool tail = ct_tail_init(&c->tail, s->x, count + SHIFT_MOST, s->rate_hz, modes->modes);
  bool points = point_init(&c->before_step, modes->modes) && point_init(&c->before_drop, modes->modes);
  if (!tail || !points || !c->slopes || !c->step || !c->information || !c->factor || !c->worths) {
    climb_free(c);
    return false;
  }
  c->wanted = -INFINITY;
  c->guess = log(1000.0) / room->t60_s;
  c->known = modes->known;
  c->whole = count;
  c->tail.count = (size_t)(first_share * (double)count);
  c->tail.noise = room->noise;
  c->tail.level = usual_level;
  c->tail.fall = c->guess;
  c->tail.modes = modes->modes;
  memcpy(c->tail.poles, modes->poles, modes->modes * sizeof *modes->poles);
  memcpy(c->tail.c, modes->amplitudes, modes->modes * sizeof *modes->amplitudes);
  return true;
}

/* ---- what is known beforehand ---- */

static double level_off(const climb *c) { return log(c->tail.level / usual_level) / level_spread; }
static double fall_off(const climb *c) { return log(c->tail.fall / c->guess) / fall_spread; }

/* Nothing of the amplitudes: those that modes have when the room is silent, c (1 + R), are of the same tail
 * that the first samples show, and would count it twice. */
static double likelihood_of(climb *c) {
  double x = level_off(c), y = fall_off(c);
  return ct_tail_likelihood(&c->tail) - 0.5 * (x * x + y * y);
}

static void slopes_of(climb *c, double *slopes) {
  size_t n = 2 * (size_t)c->tail.modes;
  ct_tail_slopes(&c->tail, slopes);
  c->work += (double)c->tail.count * c->tail.modes * c->tail.modes;
  slopes[n] -= level_off(c) / level_spread;
  slopes[n + 1] -= fall_off(c) / fall_spread;
}

static bool fill_slopes(climb *c) {
  size_t all = ct_tail_parameters(&c->tail), n = 2 * (size_t)c->tail.modes;
  slopes_of(c, c->slopes);
  if (!ct_tail_information(&c->tail, c->information))
    return false;
  c->information[n * all + n] += 1 / (level_spread * level_spread);
  c->information[(n + 1) * all + n + 1] += 1 / (fall_spread * fall_spread);
  return true;
}

/* ---- steps ---- */

/* The factor of the information, each parameter in units of what it is known to alone. */
static void factorize(climb *c, double damping) {
  uint32_t all = ct_tail_parameters(&c->tail);
  for (size_t i = 0; i < all; i++)
    for (size_t l = 0; l < all; l++)
      c->factor[i * all + l] = (i == l ? 1 + damping : 1) * c->information[i * all + l] /
                               sqrt(c->information[i * all + i] * c->information[l * all + l]);
  ct_cholesky(all, c->factor);
}

/* x <- (factored information)^-1 x */
static void solve(const climb *c, double *x) {
  uint32_t all = ct_tail_parameters(&c->tail);
  for (size_t i = 0; i < all; i++)
    x[i] /= sqrt(c->information[i * all + i]);
  ct_cholesky_forward(all, c->factor, x);
  ct_cholesky_back(all, c->factor, x);
  for (size_t i = 0; i < all; i++)
    x[i] /= sqrt(c->information[i * all + i]);
}

static double within(double x, double most) { return fmax(-most, fmin(most, x)); }

/* Goes the step, with poles and the room not farther than what is likely. */
static void move(climb *c) {
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
static double hope(climb *c, double damping) {
  uint32_t all = ct_tail_parameters(&c->tail);
  memcpy(c->step, c->slopes, all * sizeof *c->step);
  factorize(c, damping);
  solve(c, c->step);
  return 0.5 * ct_dot(c->step, c->slopes, all);
}

/* Tries a step; the point stays as it was where that makes the samples no likelier.
 *
 * What two modes near each other are together is known well, how they share it hardly: the likelihood is a
 * narrow ridge, and a bent one, since what they are together is no straight line in poles and amplitudes. A
 * step along it ends beside it, as much lower as the ridge is steep, and without help only tiny ones would
 * pass. So from there steps go back to the ridge: damped enough that they hardly go along it. */
static bool try_step(climb *c) {
  save(c, &c->before_step);
  move(c);
  double likelihood = likelihood_of(c);
  for (int k = 0; k < CORRECTIONS && !(likelihood > c->likelihood) && isfinite(likelihood); k++) {
    slopes_of(c, c->step);
    factorize(c, damping_first);
    solve(c, c->step);
    move(c);
    likelihood = likelihood_of(c);
  }
  if (likelihood > c->likelihood) {
    c->likelihood = likelihood;
    return true;
  }
  restore(c, &c->before_step);
  return false;
}

/* At most so many steps, with the first `fixed` poles where they are; none where even an undamped one lets
 * hope for hardly anything. False without memory. */
static bool run(climb *c, uint32_t fixed, int steps) {
  double damping = damping_first;
  c->tail.fixed = fixed;
  c->likelihood = likelihood_of(c);
  bool moved = true;
  for (int k = 0; k < steps; k++) {
    if (moved && !fill_slopes(c))
      return false;
    if ((moved && hope(c, 0) < enough) || (k == FEW_STEPS && c->likelihood < c->wanted - hopeless))
      break;
    hope(c, damping);
    moved = try_step(c);
    damping = moved ? fmax(damping / 10, damping_least) : 10 * damping;
  }
  return true;
}

/* ---- what is there ---- */

/* The covariance of the amplitude of mode i: of Re and Im, and between them. */
static void covariance_of(climb *c, uint32_t i, double *re, double *im, double *both) {
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

/* About how far the log likelihood falls when mode i is left out. */
static double worth_of(climb *c, uint32_t i) {
  double re, im, both, x = creal(c->tail.c[i]), y = cimag(c->tail.c[i]);
  covariance_of(c, i, &re, &im, &both);
  return 0.5 * (im * x * x - 2 * both * x * y + re * y * y) / (re * im - both * both);
}

static double error_of(climb *c, uint32_t i) {
  double re, im, both, x = creal(c->tail.c[i]), y = cimag(c->tail.c[i]);
  covariance_of(c, i, &re, &im, &both);
  return sqrt(re * x * x + 2 * both * x * y + im * y * y) / ct_square(c->tail.c[i]);
}

/* Puts modes that are worth less last, the least of them at the very end; returns how many these are. */
static uint32_t sort_by_worth(climb *c, uint32_t known) {
  ct_tail *t = &c->tail;
  uint32_t doubtful = 0;
  factorize(c, 0);
  for (uint32_t i = known; i < t->modes; i++) {
    c->worths[i] = worth_of(c, i);
    doubtful += c->worths[i] < least_worth;
  }
  for (uint32_t i = known + 1; i < t->modes; i++) {
    ct_pole pole = t->poles[i];
    double complex amplitude = t->c[i];
    double own = c->worths[i];
    uint32_t at = i;
    for (; at > known && c->worths[at - 1] < own; at--) {
      t->poles[at] = t->poles[at - 1];
      t->c[at] = t->c[at - 1];
      c->worths[at] = c->worths[at - 1];
    }
    t->poles[at] = pole;
    t->c[at] = amplitude;
    c->worths[at] = own;
  }
  return doubtful;
}

/* Gives what mode i sounds to the nearest of the first modes, if that is so near that the first moments
 * hardly tell them apart: from there on the likelihood rises to where it is highest. */
static void hand_over(ct_tail *t, uint32_t i, uint32_t first) {
  uint32_t best = first;
  double least = INFINITY;
  for (uint32_t k = 0; k < first; k++) {
    double away = fabs(t->poles[k].omega - t->poles[i].omega);
    if (away < fmin(least, answer_omega + t->poles[k].decay + t->poles[i].decay)) {
      least = away;
      best = k;
    }
  }
  if (best < first)
    t->c[best] += t->c[i];
}

/* Tries to do without the last modes; true if the samples are hardly less likely once the rest has moved.
 * Otherwise all is as before. */
static bool leave_out(climb *c, uint32_t last, uint32_t known, bool *memory) {
  save(c, &c->before_drop);
  c->tail.modes -= last;
  for (uint32_t i = 0; i < last; i++)
    hand_over(&c->tail, c->tail.modes + i, c->tail.modes);
  c->wanted = c->before_drop.likelihood - least_worth * last;
  *memory = run(c, known, STEPS);
  bool left = c->likelihood > c->wanted;
  c->wanted = -INFINITY;
  if (!*memory || left)
    return *memory;
  restore(c, &c->before_drop);
  return false;
}

/* Leaves out what is not worth it: as many as seem so, or half of these, and so on, where the likelihood says
 * otherwise. */
static bool drop(climb *c, uint32_t known) {
  bool memory = true;
  for (uint32_t doubtful = sort_by_worth(c, known); doubtful && memory; doubtful /= 2)
    if (leave_out(c, doubtful, known, &memory))
      return memory;
  return memory && run(c, known, 1); /* for the information here */
}

static void put_last(ct_tail *t, uint32_t i) {
  ct_pole pole = t->poles[i];
  double complex amplitude = t->c[i];
  uint32_t after = t->modes - 1 - i;
  memmove(t->poles + i, t->poles + i + 1, after * sizeof *t->poles);
  memmove(t->c + i, t->c + i + 1, after * sizeof *t->c);
  t->poles[t->modes - 1] = pole;
  t->c[t->modes - 1] = amplitude;
}

/* Of two modes that can hardly be told apart one may be needless, though neither seems so. */
static bool drop_twins(climb *c, uint32_t known) {
  bool memory = true;
  for (uint32_t i = c->tail.modes, tried = 0; memory && i-- > known && tried < TWINS_MOST;) {
    factorize(c, 0);
    if (error_of(c, i) < twin_error)
      continue;
    put_last(&c->tail, i);
    tried++;
    bool left = leave_out(c, 1, known, &memory);
    if (memory && !left)
      memory = run(c, known, 1);
  }
  return memory;
}

static bool drop_all(climb *c, uint32_t known) {
  bool memory = true;
  for (uint32_t before = 0; memory && c->tail.modes != before && c->work < trials_work;) {
    before = c->tail.modes;
    memory = drop(c, known);
  }
  return memory && (c->work >= trials_work || drop_twins(c, known));
}

/* ---- what is missing ---- */

/* So near to a mode that outlasts the room that it may be the room's answer to that. */
static bool is_near_known(const climb *c, ct_pole pole) {
  for (uint32_t k = 0; k < c->known; k++)
    if (fabs(c->tail.poles[k].omega - pole.omega) < answer_omega)
      return true;
  return false;
}

/* By how much every sample was off what was expected, in standard deviations: noise, unless a mode is
 * missing.
 */
static int find_missing(climb *c, double *left, ct_pole *found) {
  ct_tail *t = &c->tail;
  ct_candidate candidates[MISSING_MOST];
  ct_noise noise = {.least = 1e-6};
  int kept = 0;
  likelihood_of(c);
  for (size_t k = 0; k < t->count; k++)
    left[k] = t->off[k];
  const ct_segment segment = {left, t->count, t->rate_hz, NULL};
  int count =
      ct_scan(&segment, true, lowest_hz, 0.47 * t->rate_hz, least_worth, &noise, candidates, MISSING_MOST);
  for (int i = 0; i < count; i++)
    if (!is_near_known(c, candidates[i].pole))
      found[kept++] = candidates[i].pole;
  return kept;
}

/* Adds modes, as far as there is room for them, that make the samples likelier. */
static bool add_missing(climb *c, uint32_t most) {
  ct_tail *t = &c->tail;
  ct_pole poles[MISSING_MOST];
  double *left = malloc((t->count + 1) * sizeof *left);
  bool memory = left != NULL;
  int count = memory ? find_missing(c, left, poles) : 0;
  for (int k = 0; k < count && memory && t->modes < most; k++) {
    save(c, &c->before_drop);
    t->poles[t->modes] = poles[k];
    t->c[t->modes++] = 0;
    memory =
        run(c, t->modes, FIRST_STEPS) && run(c, c->known, FIRST_STEPS); /* without sound no pole is known */
    if (memory && c->likelihood < c->before_drop.likelihood + least_worth)
      restore(c, &c->before_drop);
  }
  free(left);
  return memory && run(c, c->known, STEPS);
}

/* Amplitudes by weighted least squares, with weights that follow from the amplitudes before. From there on
 * the likelihood rises to where it is highest; from amplitudes that the room has changed it often does not.
 * The likeliest of them: where modes can hardly be told apart they do not converge.
 */
static bool weigh(climb *c) {
  bool memory = true;
  c->tail.fixed = c->tail.modes;
  c->tail.expected_only = true;
  c->likelihood = likelihood_of(c);
  save(c, &c->before_drop);
  for (int k = 0; k < WEIGHINGS && memory && isfinite(c->likelihood); k++) {
    memory = fill_slopes(c);
    uint32_t all = ct_tail_parameters(&c->tail);
    memcpy(c->step, c->slopes, all * sizeof *c->step);
    factorize(c, 0);
    solve(c, c->step);
    move(c);
    c->likelihood = likelihood_of(c);
    if (c->likelihood > c->before_drop.likelihood)
      save(c, &c->before_drop);
  }
  restore(c, &c->before_drop);
  c->tail.expected_only = false;
  return memory;
}

/* ---- when it was ---- */

/* Lets the strike be so many samples later. */
static void shift(climb *c, int samples) {
  ct_tail *t = &c->tail;
  t->x += samples;
  t->count -= (size_t)samples;
  for (uint32_t i = 0; i < t->modes; i++) {
    double seconds = samples / t->rate_hz;
    double complex turn = cexp((-t->poles[i].decay + CT_I * t->poles[i].omega) * seconds);
    t->c[i] *= turn;
  }
}

/* Tries the strike one sample later (1) or earlier (-1), where the sample between is noise or is not. True if
 * that is likelier. */
static bool try_shift(climb *c, int by, bool *memory) {
  double likelihood = c->likelihood, x = by > 0 ? c->tail.x[0] : c->tail.x[-1];
  double as_noise = -0.5 * (x * x / c->tail.noise + log(c->tail.noise));
  save(c, &c->before_drop);
  shift(c, by);
  *memory = run(c, c->known, FIRST_STEPS);
  if (!*memory || c->likelihood + by * as_noise > likelihood)
    return *memory;
  restore(c, &c->before_drop);
  c->tail.x -= by;
  c->tail.count += (size_t)by;
  return false;
}

/* The instant of the strike was found without its room, and may be some samples off. Amplitudes stay those at
 * sample 0. */
static bool find_instant(climb *c, size_t before) {
  int earlier = 0, later = 0;
  bool memory = true;
  while (memory && earlier < SHIFT_MOST && (size_t)earlier < before && try_shift(c, -1, &memory))
    earlier++;
  while (memory && earlier == 0 && later < SHIFT_MOST && try_shift(c, 1, &memory))
    later++;
  if (memory && earlier + later > 0)
    memory = run(c, c->known, STEPS);
  return memory && run(c, c->known, 1); /* for the information here */
}

/* What was found. */
static void tell(climb *c, ct_room *room, ct_direct *modes) {
  factorize(c, 0);
  for (uint32_t i = 0; i < c->tail.modes; i++) {
    double error = error_of(c, i);
    modes->errors[i] = error < error_most ? error : error_most; /* also where it is no number */
  }
  modes->modes = c->tail.modes;
  memcpy(modes->poles, c->tail.poles, c->tail.modes * sizeof *modes->poles);
  memcpy(modes->amplitudes, c->tail.c, c->tail.modes * sizeof *modes->amplitudes);
  room->level = c->tail.level;
  room->t60_s = log(1000.0) / c->tail.fall;
}

/* With all samples within reach: later ones tell less about poles that fall, but more about the room and so
 * about how loud modes are beside one another. Of many modes, which overlap, they tell little: few steps. */
static bool run_whole(climb *c, const ct_segment *segment) {
  c->tail.count = (size_t)((ptrdiff_t)c->whole - (c->tail.x - segment->x));
  double steps = last_work / ((double)c->tail.count * c->tail.modes * c->tail.modes);
  return run(c, c->known, (int)fmin(fmax(steps, FIRST_STEPS), LAST_STEPS));
}

bool ct_direct_fit(const ct_segment *segment, ct_room *room, ct_direct *modes) {
  climb c;
  if (!climb_init(&c, segment, room, modes))
    return false;
  uint32_t known = modes->known;
  bool memory = weigh(&c) && run(&c, modes->modes, FIRST_STEPS) && run(&c, known, STEPS) &&
                drop_all(&c, known) && find_instant(&c, modes->before) && add_missing(&c, modes->modes) &&
                drop_all(&c, known) && run_whole(&c, segment);
  shift(&c, (int)(segment->x - c.tail.x)); /* amplitudes of sample 0 */
  bool is_room = memory && fabs(level_off(&c)) < believed;
  modes->found = is_room && fabs(fall_off(&c)) < believed;
  if (modes->found)
    tell(&c, room, modes);
  else if (is_room)
    room->t60_s = log(1000.0) / c.tail.fall;
  climb_free(&c);
  return memory;
}
