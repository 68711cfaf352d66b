/* Where there is a room (room.h), its answer is among the modes that were found: it has thousands. Those that
 * are the body's for sure ring on when it has fallen: a second search, which begins that much after the
 * strike, finds them, and nothing else disturbs their poles there. Everything else that was found is perhaps
 * the room's, short modes of the body among them; it stays for the sound, fitted to what is left.
 *
 * Amplitudes of those whose poles are known so are then freed from its answer (direct.h), together with the
 * strongest other modes, as far as these cannot be the room's answer to one that does. */
#include "modes/in_room.h"
#include "modes/direct.h"
#include "modes/linear.h"
#include "modes/room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Modes ring twice as long as the room, or are not told from it; its t60 is known to a fifth or so at first,
 * then, with the direct sound of modes whose poles are known, to some percent. */
static const double first_times = 1.6, room_times = 1.75;
static const double quite_otherwise = 1.5;             /* a t60: by that factor */
static const double known_times = 1.3;                 /* poles are found when the room is silent */
static const double silent_after = 1;                  /* of the room's t60: 60 dB down */
static const double answer_hz = 25;                    /* the room's answer to a mode is that near to it */
static const double same_hz = 3;                       /* found twice */
static const double sure_errors = 3;                   /* standard errors of a t60 */
static const double onset_s = 0.03;                    /* how much too late a strike may be found */
static const double onset_over = 36, silence_over = 4; /* power over the noise's: of an onset, of silence */
static const double doubtful_error = 0.5;              /* of a gain, as a share of it: perhaps it is 0 */
static const double not_followed = 1; /* error of a gain that was not freed from the room, as a share of it */
/* Of a look's work, the search's share; of all work, the first look's. */
static const double late_share = 0.3, first_share = 0.75;
enum { KNOWN_MOST = 24, OTHERS_MOST = 10 };

static double t60_of(ct_pole p) { return log(1000.0) / p.decay; }

/* ---- is there a room ---- */

/* What is left of a segment without the modes that ring longer than that. */
static void leave_out_longer(const ct_search *s, uint32_t g, double t60_s, double *left) {
  const ct_segment *segment = &s->segments[g];
  memcpy(left, segment->x, segment->count * sizeof *left);
  for (uint32_t i = 0; i < s->fit.count; i++)
    if (t60_of(s->fit.poles[i]) > t60_s)
      ct_fit_add_modes(&s->fit.poles[i], &s->fit.amplitudes[(size_t)g * s->fit.room + i], 1, segment->rate_hz,
                       -1, left, segment->count);
}

/* A room has more modes than there is space for: so where there was space, what all modes leave tells.
 * Otherwise shorter modes than t60 may be the room's: they are, if they and the rest fall in well less. */
static bool find_room(ct_search *s) {
  static const double t60s[] = {3, 2, 1.4, 1, 0.7, 0.5, 0.35, 0.25, 0};
  const size_t count = sizeof t60s / sizeof *t60s;
  size_t first = s->fit.count > s->def->most ? 0 : count - 1;
  for (uint32_t g = 0; g < s->strike_count; g++) {
    double *left = malloc(s->segments[g].count * sizeof *left), room = 0;
    if (!left)
      return false;
    for (size_t k = first; k < count && room == 0; k++) {
      leave_out_longer(s, g, t60s[k], left);
      room = ct_room_t60_s(&s->segments[g], left);
      if (t60s[k] > 0 && room * first_times > t60s[k])
        room = 0;
    }
    s->room_t60_s = fmax(s->room_t60_s, room);
    free(left);
  }
  return true;
}

/* ---- what outlasts it ---- */

/* Searches again, from when the room is silent. No modes where strikes are too short for that. */
static bool search_late(const ct_search *s, ct_search *late) {
  *late = *s;
  late->to = s->from + late_share * (s->to - s->from);
  if (!ct_fit_init(&late->fit, late->segments, s->strike_count, s->fit.room))
    return false;
  for (uint32_t g = 0; g < s->strike_count; g++) {
    size_t skip = (size_t)(silent_after * s->room_t60_s * s->segments[g].rate_hz);
    if ((double)(s->segments[g].count) < (double)skip + CT_MODES_LEAST_S * s->segments[g].rate_hz)
      return true;
    late->segments[g].x += skip;
    late->segments[g].count -= skip;
  }
  return ct_search_find(late, false);
}

static double nearest_hz(const ct_fit *fit, uint32_t count, ct_pole p) {
  double nearest = INFINITY;
  for (uint32_t i = 0; i < count; i++)
    nearest = fmin(nearest, fabs(fit->poles[i].omega - p.omega) / 6.283185307179586);
  return nearest;
}

/* By how much a t60 may be off, as a share of it: what is left of the room's own modes is weak when it is
 * silent, and how long a weak one rings is not known well (docs/recordings.md). */
static double doubt_of(const ct_search *late, uint32_t i) {
  return sure_errors * sqrt(1 / ct_search_over(late, i));
}

/* A fit of modes that ring on when the room is silent first, then all others that were found; returns how
 * many are first, and their doubts. */
static uint32_t gather(const ct_search *s, const ct_search *late, ct_fit *all, double *doubts) {
  for (uint32_t i = 0; i < late->fit.count; i++)
    if (t60_of(late->fit.poles[i]) * (1 - doubt_of(late, i)) > known_times * s->room_t60_s) {
      doubts[all->count] = doubt_of(late, i);
      ct_fit_add(all, late->fit.poles[i]);
    }
  uint32_t known = all->count;
  for (uint32_t i = 0; i < s->fit.count; i++) {
    ct_pole p = s->fit.poles[i];
    if (t60_of(p) > known_times * s->room_t60_s && nearest_hz(all, known, p) < same_hz)
      continue;
    ct_fit_add(all, p);
    all->kinds[all->count - 1] = CT_KIND_ROOM;
  }
  return known;
}

/* ---- how loud they are ---- */

/* Modes of segment g whose direct sound is fitted together: which they are, those with known poles first. */
typedef struct followed {
  uint32_t known, count, modes[KNOWN_MOST + OTHERS_MOST];
} followed;

/* How near two modes are to be taken for one and its answers: in a room a short mode shows as several. */
static double nearness(ct_pole a, ct_pole b) { return 6.283185307179586 * answer_hz + a.decay + b.decay; }

/* The strongest mode of from .. to - 1 that is not followed yet, and with `apart` not near one that is; `to`:
 * none. */
static uint32_t strongest(const ct_fit *all, uint32_t g, const followed *f, uint32_t from, uint32_t to,
                          bool apart) {
  const double *risen = all->risen + (size_t)g * all->room;
  uint32_t best = to;
  for (uint32_t i = from; i < to; i++) {
    bool is_free = best == to || risen[i] > risen[best];
    for (uint32_t k = 0; is_free && k < f->count; k++) {
      ct_pole p = all->poles[i], other = all->poles[f->modes[k]];
      is_free = f->modes[k] != i && (!apart || fabs(p.omega - other.omega) > nearness(p, other));
    }
    best = is_free ? i : best;
  }
  return best;
}

/* Those with known poles, and the strongest others that are no answers to one that is followed. */
static followed choose_followed(const ct_fit *all, uint32_t known, uint32_t g) {
  followed f = {0};
  uint32_t next;
  while (f.count < KNOWN_MOST && (next = strongest(all, g, &f, 0, known, false)) < known)
    f.modes[f.count++] = next;
  f.known = f.count;
  while (f.count < f.known + OTHERS_MOST &&
         (next = strongest(all, g, &f, known, all->count, true)) < all->count)
    f.modes[f.count++] = next;
  return f;
}

/* Power of a sample that is left when the room is silent. */
static double noise_of(const ct_search *late, uint32_t g, bool *memory) {
  size_t count = late->segments[g].count;
  double *left = malloc(count * sizeof *left), sum = 1e-300;
  *memory = left != NULL;
  if (left)
    ct_fit_residual(&late->fit, g, left);
  for (size_t n = 0; left && n < count; n++)
    sum += left[n] * left[n];
  free(left);
  return sum / (double)count;
}

static void tell(const void *s, double fraction) { ct_search_tell(s, fraction); }

/* Fills amplitudes of the direct sound in a segment, and their errors, of the modes that are followed. */
static bool follow(const ct_search *s, const ct_segment *segment, size_t before, ct_room *room,
                   const followed *f, ct_fit *all, uint32_t g) {
  ct_pole poles[KNOWN_MOST + OTHERS_MOST];
  double errors[KNOWN_MOST + OTHERS_MOST];
  ct_fit small = {0};
  bool memory = ct_fit_init(&small, segment, 1, f->count + 1);
  for (uint32_t i = 0; memory && i < f->count; i++)
    ct_fit_add(&small, poles[i] = all->poles[f->modes[i]]);
  ct_direct direct = {f->known, f->count, poles, small.amplitudes, before, false, errors, tell, s};
  memory = memory && ct_fit_judge(&small) && ct_direct_fit(segment, room, &direct);
  for (uint32_t i = 0; memory && direct.found && i < f->known; i++) {
    size_t at = (size_t)g * all->room + f->modes[i];
    all->amplitudes[at] = small.amplitudes[i];
    all->errors[at] = errors[i];
  }
  ct_fit_free(&small);
  return memory;
}

/* Fits all modes without known poles to what the others leave. */
static bool fit_rest(ct_fit *all, uint32_t known, const ct_segment *whole, uint32_t g) {
  ct_segment segment = *whole;
  double complex *amplitudes = all->amplitudes + (size_t)g * all->room;
  double *risen = all->risen + (size_t)g * all->room, *left = malloc(segment.count * sizeof *left);
  ct_fit rest = {0};
  if (left) {
    memcpy(left, segment.x, segment.count * sizeof *left);
    ct_fit_add_modes(all->poles, amplitudes, known, segment.rate_hz, -1, left, segment.count);
  }
  segment.x = left;
  segment.moments = NULL;
  bool memory = left && ct_fit_init(&rest, &segment, 1, all->count - known + 1);
  for (uint32_t i = known; memory && i < all->count; i++)
    ct_fit_add(&rest, all->poles[i]);
  memory = memory && ct_fit_judge(&rest);
  for (uint32_t i = 0; memory && i < all->count; i++)
    if (i < known) {
      risen[i] = 0.25 * ct_square(amplitudes[i]) * segment.rate_hz / all->poles[i].decay;
    } else {
      amplitudes[i] = rest.amplitudes[i - known];
      risen[i] = rest.risen[i - known];
    }
  ct_fit_free(&rest);
  free(left);
  return memory;
}

/* How many samples after strike g the search for what outlasts the room began. */
static ptrdiff_t skipped(const ct_search *s, const ct_search *late, uint32_t g) {
  return late->segments[g].x - s->segments[g].x;
}

/* Takes what still rings of the strike before away from the samples of strike g. False without memory. */
static bool silence_before(const ct_search *s, const ct_search *late, uint32_t g, double *x) {
  uint32_t modes = late->fit.count;
  double complex *at = malloc((modes + 1) * sizeof *at);
  double samples = (double)(s->segments[g].x - s->segments[g - 1].x - skipped(s, late, g - 1));
  for (uint32_t i = 0; at && i < modes; i++) {
    ct_pole p = late->fit.poles[i];
    at[i] = late->fit.amplitudes[(size_t)(g - 1) * late->fit.room + i] *
            cexp((-p.decay + CT_I * p.omega) * samples / s->segments[g].rate_hz);
  }
  if (at)
    ct_fit_add_modes(late->fit.poles, at, modes, s->segments[g].rate_hz, -1, x, s->segments[g].count);
  free(at);
  return at != NULL;
}

/* Adds to amplitudes of strike g what the one before has left of its own, since these are told together. */
static void add_before(const ct_search *s, uint32_t known, uint32_t g, ct_fit *all) {
  double t = (double)(s->segments[g].x - s->segments[g - 1].x) / s->segments[g].rate_hz;
  for (uint32_t i = 0; i < known; i++) {
    ct_pole p = all->poles[i];
    all->amplitudes[(size_t)g * all->room + i] +=
        all->amplitudes[(size_t)(g - 1) * all->room + i] * cexp((-p.decay + CT_I * p.omega) * t);
  }
}

/* The direct sound's amplitudes in segment g; the rest is fitted to what they leave. Adds up the room's t60.
 */
static bool fit_direct(const ct_search *s, const ct_search *late, ct_fit *all, uint32_t known, uint32_t g,
                       double *t60_s) {
  bool memory, rings = g > 0 && s->strikes[g].recording == s->strikes[g - 1].recording;
  ct_room room = {s->room_t60_s, 0, noise_of(late, g, &memory)};
  followed f = choose_followed(all, known, g);
  ct_segment segment = s->segments[g];
  double *x = malloc(segment.count * sizeof *x);
  for (uint32_t i = 0; i < known; i++)
    all->errors[(size_t)g * all->room + i] = not_followed;
  memory = memory && x;
  if (memory && rings) {
    memcpy(x, segment.x, segment.count * sizeof *x);
    memory = silence_before(s, late, g, x);
    segment.x = x;
    segment.moments = NULL;
  }
  memory = memory && follow(s, &segment, rings ? 0 : s->strikes[g].start, &room, &f, all, g);
  if (memory && rings)
    add_before(s, known, g, all);
  memory = memory && fit_rest(all, known, &s->segments[g], g);
  *t60_s += room.t60_s;
  free(x);
  return memory;
}

/* Is in the direct sound of a strike, or was not followed in any. */
static bool is_direct(const ct_search *s, const ct_fit *all, uint32_t mode) {
  double least = not_followed;
  for (uint32_t g = 0; g < s->strike_count; g++)
    least = fmin(least, all->errors[(size_t)g * all->room + mode]);
  return least < doubtful_error || least == not_followed;
}

/* A strike that was found too late: where, in the silence before, samples first stand out of the noise. Modes
 * that were fitted together with the room are no good measure of when they set in. */
static void find_onset(ct_search *s, uint32_t g, double noise) {
  ct_found_strike *strike = &s->strikes[g];
  size_t reach = (size_t)(onset_s * s->segments[g].rate_hz), first = strike->start;
  const double *x = s->recordings[strike->recording].samples;
  double before = 0;
  if (strike->start < 2 * reach)
    return;
  for (size_t n = strike->start - 2 * reach; n < strike->start - reach; n++)
    before += x[n] * x[n] / (double)reach;
  for (size_t n = strike->start; n-- > strike->start - reach;)
    first = x[n] * x[n] > onset_over * noise ? n : first;
  if (before > silence_over * noise)
    return;
  strike->count += strike->start - first;
  s->segments[g].count += strike->start - first;
  strike->start = first;
  s->segments[g].x = x + first;
}

/* The same in all segments; then it is known how long the room rings, and which modes outlast it. */
static bool tell_apart(ct_search *s, const ct_search *late, ct_fit *all) {
  double t60_s = 0, *doubts = calloc(all->room, sizeof *doubts);
  bool memory = doubts != NULL;
  for (uint32_t g = 0; memory && g < s->strike_count && late->fit.count; g++) {
    double noise = noise_of(late, g, &memory);
    if (memory && (g == 0 || s->strikes[g].recording != s->strikes[g - 1].recording))
      find_onset(s, g, noise);
  }
  uint32_t known = memory ? gather(s, late, all, doubts) : 0;
  memory = memory && (all->count == 0 || ct_fit_judge(all));
  double share = (s->to - late->to) / s->strike_count;
  for (uint32_t g = 0; memory && g < s->strike_count && known; g++) {
    s->from = late->to + share * g;
    s->to = s->from + share;
    memory = fit_direct(s, late, all, known, g, &t60_s);
  }
  if (memory && known)
    s->room_t60_s = t60_s / s->strike_count;
  for (uint32_t i = 0; memory && i < known; i++) {
    double t60s = t60_of(all->poles[i]) / (room_times * s->room_t60_s);
    all->kinds[i] = t60s * (1 + doubts[i]) < 1 || !is_direct(s, all, i) ? CT_KIND_ROOM
                    : t60s * (1 - doubts[i]) > 1                        ? CT_KIND_OUTLASTS
                                                                        : CT_KIND_MAY_OUTLAST;
  }
  free(doubts);
  return memory;
}

static bool look(ct_search *s, ct_fit *all) {
  ct_search late = {0};
  bool memory = search_late(s, &late) && ct_fit_init(all, s->segments, s->strike_count, s->fit.room) &&
                tell_apart(s, &late, all);
  ct_fit_free(&late.fit);
  return memory;
}

/* What rings on in the room's silence is looked for anew where the direct sound tells that the room falls
 * quite otherwise than was thought: then other modes outlast it. */
bool ct_in_room(ct_search *s) {
  ct_fit all = {0};
  if (!find_room(s))
    return false;
  if (s->room_t60_s == 0)
    return true;
  const double first_t60_s = s->room_t60_s, end = s->to;
  s->to = s->from + first_share * (end - s->from);
  bool memory = look(s, &all);
  if (memory && fabs(log(s->room_t60_s / first_t60_s)) > log(quite_otherwise)) {
    ct_fit_free(&all);
    s->from = s->to;
    s->to = end;
    memory = look(s, &all);
  }
  if (memory) {
    ct_fit swap = s->fit;
    s->fit = all;
    all = swap;
  }
  ct_fit_free(&all);
  return memory;
}
