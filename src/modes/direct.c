/* To a mode that rings longer than the room its answer is, in the end, the same mode with another amplitude:
 * c (1 + R), R = sum r[n] z^-n, which is a random number, and large where the mode hardly outlasts the room.
 * No later sample tells c from c (1 + R). The first ones do, and the tail itself: between the modes it is as
 * loud as those are that drive it. So amplitudes, the room, and poles of modes that do not outlast it are
 * those that make the first moments of a strike likeliest (tail.h).
 At
 * the end the inverse of the information holds the squares of the standard errors (climb.h). */
#include "modes/direct.h"
#include "modes/climb.h"
#include "modes/linear.h"
#include "modes/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WEIGHINGS = 4,
  FIRST_STEPS = 6,
  STEPS = 12,
  LAST_STEPS = 20,
  TWINS_MOST = 4,
  SHIFT_MOST = 3,
  MISSING_MOST = 3
};

static const double reach = 0.8;       /* of the room's t60: what is looked at of a strike; */
static const double first_share = 0.5; /* the first of it tells which modes there are */
static const double most_work = 2e7;   /* samples times squared amplitudes of a pass over all of it; */
static const double trials_work = 3e8; /* of all steps, beyond which no mode is tried to be done without */
static const double usual_work = 5e7;
static const double last_work = 4e7; /* and of all steps of the last climb */
/* In log likelihood: what a mode must be worth to be there. One that is not there, at a given place, is worth
 * more than w with the probability (1 + w) e^-w (half of chi square of four: two of the amplitude, two of the
 * pole). But there are some thousand places, B T cells of frequency and time, and modes are at the best of
 * them: by 12 one false mode is to be expected in a few strikes. Each one that is let in takes some of the
 * sound of a mode near it and makes its gain less certain. */
static const double least_worth = 12;
static const double twin_error =
    0.1; /* of a gain, as a share of it: perhaps it shares its sound with another */
static const double lowest_hz = 30, answer_omega = 2 * 3.14159265358979323846 * 25;
/* What is farther from what was known of the room beforehand, in units of its spread, is no such room. */
static const double believed = 2.5;
static const double error_most = 0.99; /* of a gain, as a share of it */

/* What it takes to fit the direct sound. */
typedef struct direct {
  ct_climb climb;
  double *worths;        /* [modes] */
  ct_point before, best; /* before a trial, and the best of some */
  const ct_direct *modes;
  uint32_t known; /* modes that ring on in the room's silence */
  size_t whole;   /* samples within reach */
} direct;

static void direct_free(direct *d) {
  ct_climb_free(&d->climb);
  ct_point_free(&d->before);
  ct_point_free(&d->best);
  free(d->worths);
}

static bool direct_init(direct *d, const ct_segment *s, const ct_room *room, const ct_direct *modes) {
  double work = 4.0 * modes->modes * modes->modes, most = fmin(0.5 * (double)s->count, most_work / work);
  ct_tail *t = &d->climb.tail;
  *d = (direct){
      .worths = malloc((modes->modes + 1) * sizeof *d->worths), .modes = modes, .known = modes->known};
  d->whole = (size_t)fmin(reach * room->t60_s * s->rate_hz, most);
  bool made = ct_climb_init(&d->climb, s->x, d->whole + SHIFT_MOST, s->rate_hz, modes->modes,
                            log(1000.0) / room->t60_s);
  bool points = ct_point_init(&d->before, modes->modes) && ct_point_init(&d->best, modes->modes);
  if (!made || !points || !d->worths) {
    direct_free(d);
    return false;
  }
  t->count = (size_t)(first_share * (double)d->whole);
  t->noise = room->noise;
  t->modes = modes->modes;
  memcpy(t->poles, modes->poles, modes->modes * sizeof *modes->poles);
  memcpy(t->c, modes->amplitudes, modes->modes * sizeof *modes->amplitudes);
  return true;
}

/* Climbs, and tells how far the work has come: nobody knows how much it will be. */
static bool climb(direct *d, uint32_t fixed, int steps) {
  bool memory = ct_climb_run(&d->climb, fixed, steps);
  d->modes->progress(d->modes->context, d->climb.work / (d->climb.work + usual_work));
  return memory;
}

/* ---- what is there ---- */

/* About how far the log likelihood falls when mode i is left out. */
static double worth_of(ct_climb *c, uint32_t i) {
  double re, im, both, x = creal(c->tail.c[i]), y = cimag(c->tail.c[i]);
  ct_climb_covariance(c, i, &re, &im, &both);
  return 0.5 * (im * x * x - 2 * both * x * y + re * y * y) / (re * im - both * both);
}

static double error_of(ct_climb *c, uint32_t i) {
  double re, im, both, x = creal(c->tail.c[i]), y = cimag(c->tail.c[i]);
  ct_climb_covariance(c, i, &re, &im, &both);
  return sqrt(re * x * x + 2 * both * x * y + im * y * y) / ct_square(c->tail.c[i]);
}

/* Puts modes without known poles that are worth less last, the least of them at the very end; returns how
 * many are worth too little. */
static uint32_t sort_by_worth(direct *d) {
  ct_tail *t = &d->climb.tail;
  uint32_t doubtful = 0;
  ct_climb_factorize(&d->climb);
  for (uint32_t i = d->known; i < t->modes; i++) {
    d->worths[i] = worth_of(&d->climb, i);
    doubtful += d->worths[i] < least_worth;
  }
  for (uint32_t i = d->known + 1; i < t->modes; i++) {
    ct_pole pole = t->poles[i];
    double complex amplitude = t->c[i];
    double own = d->worths[i];
    uint32_t at = i;
    for (; at > d->known && d->worths[at - 1] < own; at--) {
      t->poles[at] = t->poles[at - 1];
      t->c[at] = t->c[at - 1];
      d->worths[at] = d->worths[at - 1];
    }
    t->poles[at] = pole;
    t->c[at] = amplitude;
    d->worths[at] = own;
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

/* A trial: climbs from a point that was changed since it was saved as `before`. True if that comes to the
 * likelihood that is wanted; otherwise all is as before. */
static bool try_run(direct *d, double wanted, int steps, bool *memory) {
  d->climb.wanted = wanted;
  *memory = climb(d, d->known, steps);
  d->climb.wanted = -INFINITY;
  if (!*memory || d->climb.likelihood > wanted)
    return *memory;
  ct_climb_restore(&d->climb, &d->before);
  return false;
}

/* Tries to do without the last modes: once the rest has moved, what that costs must leave more than `saved`
 * of what so many modes have to be worth. */
static bool leave_out(direct *d, uint32_t last, double saved, bool *memory) {
  ct_tail *t = &d->climb.tail;
  ct_climb_save(&d->climb, &d->before);
  t->modes -= last;
  for (uint32_t i = 0; i < last; i++)
    hand_over(t, t->modes + i, t->modes);
  return try_run(d, d->before.likelihood - least_worth * last + saved, STEPS, memory);
}

/* For the information at the point where the climb stands. */
static bool look_around(direct *d) { return climb(d, d->known, 1); }

/* Leaves out what is not worth it: as many as seem so, or half of these, and so on, whichever saves most. One
 * of many may be worth all that they are together. */
static bool drop(direct *d) {
  bool memory = true;
  double saved = 0;
  for (uint32_t last = sort_by_worth(d); last && memory && saved < least_worth * last; last /= 2)
    if (leave_out(d, last, saved, &memory) && memory) {
      saved = d->climb.likelihood - d->before.likelihood + least_worth * last;
      ct_climb_save(&d->climb, &d->best);
      ct_climb_restore(&d->climb, &d->before);
    }
  if (saved > 0)
    ct_climb_restore(&d->climb, &d->best);
  return memory && look_around(d);
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
static bool drop_twins(direct *d) {
  bool memory = true;
  for (uint32_t i = d->climb.tail.modes, tried = 0; memory && i-- > d->known && tried < TWINS_MOST;) {
    ct_climb_factorize(&d->climb);
    if (error_of(&d->climb, i) < twin_error)
      continue;
    put_last(&d->climb.tail, i);
    tried++;
    bool left = leave_out(d, 1, 0, &memory);
    if (memory && !left)
      memory = look_around(d);
  }
  return memory;
}

static bool drop_all(direct *d) {
  bool memory = true;
  for (uint32_t before = 0; memory && d->climb.tail.modes != before && d->climb.work < trials_work;) {
    before = d->climb.tail.modes;
    memory = drop(d);
  }
  return memory && (d->climb.work >= trials_work || drop_twins(d));
}

/* ---- what is missing ---- */

/* So near to a mode that outlasts the room that it may be the room's answer to that. */
static bool is_near_known(const direct *d, ct_pole pole) {
  for (uint32_t k = 0; k < d->known; k++)
    if (fabs(d->climb.tail.poles[k].omega - pole.omega) < answer_omega)
      return true;
  return false;
}

/* By how much every sample was off what was expected, in standard deviations: noise, unless a mode is
 * missing. */
static int find_missing(direct *d, ct_pole *found) {
  ct_tail *t = &d->climb.tail;
  ct_candidate candidates[MISSING_MOST];
  ct_noise noise = {.least = 1e-6};
  int kept = 0;
  ct_tail_likelihood(t);
  const ct_segment segment = {t->off, t->count, t->rate_hz, NULL};
  int count =
      ct_scan(&segment, true, lowest_hz, 0.47 * t->rate_hz, least_worth, &noise, candidates, MISSING_MOST);
  for (int i = 0; i < count; i++)
    if (!is_near_known(d, candidates[i].pole))
      found[kept++] = candidates[i].pole;
  return kept;
}

/* Adds modes, as far as there is room for them, that make the samples likelier. What was there before may be
 * needless then. */
static bool add_missing(direct *d, uint32_t most) {
  ct_tail *t = &d->climb.tail;
  ct_pole poles[MISSING_MOST];
  bool memory = true;
  uint32_t before = t->modes;
  int count = find_missing(d, poles);
  for (int k = 0; k < count && memory && t->modes < most; k++) {
    ct_climb_save(&d->climb, &d->before);
    t->poles[t->modes] = poles[k];
    t->c[t->modes++] = 0; /* without sound no pole is known */
    memory = climb(d, t->modes, FIRST_STEPS);
    if (memory)
      try_run(d, d->before.likelihood + least_worth, FIRST_STEPS, &memory);
  }
  memory = memory && climb(d, d->known, STEPS);
  return memory && (t->modes == before || drop_all(d));
}

/* Amplitudes by weighted least squares. From there on the likelihood rises to where it is highest; from
 * amplitudes that the room has changed it often does not. The likeliest of them: where modes can hardly be
 * told apart they do not converge. */
static bool weigh(direct *d) {
  bool memory = true;
  d->climb.likelihood = ct_climb_likelihood(&d->climb);
  ct_climb_save(&d->climb, &d->before);
  for (int k = 0; k < WEIGHINGS && memory && isfinite(d->climb.likelihood); k++) {
    memory = ct_climb_weigh(&d->climb);
    if (d->climb.likelihood > d->before.likelihood)
      ct_climb_save(&d->climb, &d->before);
  }
  ct_climb_restore(&d->climb, &d->before);
  return memory;
}

/* ---- when it was ---- */

/* Lets the strike be so many samples later. */
static void shift(ct_tail *t, int samples) {
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
static bool try_shift(direct *d, int by, bool *memory) {
  ct_tail *t = &d->climb.tail;
  double x = by > 0 ? t->x[0] : t->x[-1], as_noise = -0.5 * (x * x / t->noise + log(t->noise));
  ct_climb_save(&d->climb, &d->before);
  shift(t, by);
  if (try_run(d, d->before.likelihood - by * as_noise, FIRST_STEPS, memory) || !*memory)
    return *memory;
  t->x -= by;
  t->count += (size_t)by;
  return false;
}

/* The instant of the strike was found without its room, and may be some samples off. Amplitudes stay those at
 * sample 0. */
static bool find_instant(direct *d, size_t before) {
  int earlier = 0, later = 0;
  bool memory = true;
  while (memory && earlier < SHIFT_MOST && (size_t)earlier < before && try_shift(d, -1, &memory))
    earlier++;
  while (memory && earlier == 0 && later < SHIFT_MOST && try_shift(d, 1, &memory))
    later++;
  if (memory && earlier + later > 0)
    memory = climb(d, d->known, STEPS);
  return memory && look_around(d);
}

/* What was found. */
static void tell(direct *d, ct_room *room, ct_direct *modes) {
  const ct_tail *t = &d->climb.tail;
  ct_climb_factorize(&d->climb);
  for (uint32_t i = 0; i < t->modes; i++) {
    double error = error_of(&d->climb, i);
    modes->errors[i] = error < error_most ? error : error_most; /* also where it is no number */
  }
  modes->modes = t->modes;
  memcpy(modes->poles, t->poles, t->modes * sizeof *modes->poles);
  memcpy(modes->amplitudes, t->c, t->modes * sizeof *modes->amplitudes);
  room->level = t->level;
  room->t60_s = log(1000.0) / t->fall;
}

/* With all samples within reach: later ones tell less about poles that fall, but more about the room and so
 * about how loud modes are beside one another. Of many modes, which overlap, they tell little: few steps. */
static bool run_whole(direct *d, const ct_segment *segment) {
  ct_tail *t = &d->climb.tail;
  t->count = (size_t)((ptrdiff_t)d->whole - (t->x - segment->x));
  double steps = last_work / ((double)t->count * t->modes * t->modes);
  return climb(d, d->known, (int)fmin(fmax(steps, FIRST_STEPS), LAST_STEPS));
}

bool ct_direct_fit(const ct_segment *segment, ct_room *room, ct_direct *modes) {
  direct d;
  if (!direct_init(&d, segment, room, modes))
    return false;
  bool memory = weigh(&d) && climb(&d, modes->modes, FIRST_STEPS) && climb(&d, d.known, STEPS) &&
                drop_all(&d) && find_instant(&d, modes->before) && add_missing(&d, modes->modes) &&
                run_whole(&d, segment);
  shift(&d.climb.tail, (int)(segment->x - d.climb.tail.x)); /* amplitudes of sample 0 */
  bool is_room = memory && fabs(ct_climb_level_off(&d.climb)) < believed;
  modes->found = is_room && fabs(ct_climb_fall_off(&d.climb)) < believed;
  if (modes->found)
    tell(&d, room, modes);
  else if (is_room)
    room->t60_s = log(1000.0) / d.climb.tail.fall;
  direct_free(&d);
  return memory;
}
