/* Rounds. Each looks at what is left (scan.c), zooms into the band around what sticks out, guesses the poles
 * there together with those found before (esprit.c), fits all of them to the samples (fit.c), and leaves out
 * those that explain no more energy than noise would. It ends when nothing sticks out any more. */
#include "modes/linear.h"
#include "modes/search.h"
#include "modes/choose.h"
#include "modes/esprit.h"
#include "modes/in_room.h"
#include "modes/instant.h"
#include "modes/split.h"
#include "modes/strike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  ROUNDS_MOST = 12,
  CANDIDATES_MOST = 200,
  TRIED_MOST = 48,
  STEPS = 5,
  STEPS_ALONE = 8,
  LAST_STEPS = 15,
  EXACT_STEPS = 4 /* from a tenth of an error to none of it */
};

static const double pi = 3.14159265358979323846;
/* Nearer than so many widths a mode may take its neighbour's place; and it is tried up to that far over the
 * threshold. */
static const double crowd = 3, doubtful = 30;
static const double least_share = 0.03; /* of a mode's energy must be its own */
static const double much_wider = 6;     /* a band that says nothing about the one in it */
enum { CROWDED = 4 };                   /* modes in a band that are not thrown away together */
/* What is done of the search after its rounds, and of all work after the search and after the room. */
static const double rounds_share = 0.8, search_share = 0.5, room_share = 0.9;
static const double longest_s = 20; /* of a strike: enough for any decay */

double ct_search_over(const ct_search *s, uint32_t mode) {
  double most = 0;
  for (uint32_t g = 0; g < s->strike_count; g++) {
    double noise = ct_noise_at(&s->noise[g], s->fit.poles[mode].omega / (2 * pi));
    most = fmax(most, s->fit.risen[(size_t)g * s->fit.room + mode] / (2 * noise));
  }
  return most;
}

/* ---- instants ---- */

/* Where a start has moved, amplitudes and squares are others. */
static bool refine_starts(ct_search *s) {
  bool moved = false, memory = true;
  for (uint32_t g = 0; g < s->strike_count && memory; g++) {
    ct_found_strike *strike = &s->strikes[g];
    size_t start = ct_instant(s, g, &memory), end = strike->start + strike->count;
    moved = moved || start != strike->start;
    strike->start = start;
    strike->count = end - start;
    s->segments[g].x = s->recordings[strike->recording].samples + start;
    s->segments[g].count = strike->count;
  }
  return memory && (!moved || ct_fit_run(&s->fit, 2));
}

/* ---- guesses ---- */

static bool in_range(const ct_search *s, ct_pole p) {
  double hz = p.omega / (2 * pi);
  return hz >= s->def->lo_hz && hz <= s->def->hi_hz && p.decay < 0.1 * s->segments[0].rate_hz;
}

/* Poles so near to each other that a fit could not tell them. */
static bool has_near(const ct_fit *fit, ct_pole p) {
  for (uint32_t i = 0; i < fit->count; i++)
    if (fabs(fit->poles[i].omega - p.omega) < 0.02 * fmin(p.decay, fit->poles[i].decay) &&
        fabs(log(fit->poles[i].decay / p.decay)) < 0.02)
      return true;
  return false;
}

/* Room is kept for modes that stand for a band (choose.c). */
static bool is_full(const ct_search *s) { return s->fit.count + CT_STAND_INS >= s->fit.room; }

static bool add_pole(ct_search *s, ct_pole p) {
  double least = 0.3 * s->segments[0].rate_hz / (double)s->segments[0].count;
  p.decay = fmax(p.decay, least);
  if (!in_range(s, p) || has_near(&s->fit, p) || is_full(s))
    return false;
  ct_fit_add(&s->fit, p);
  return true;
}

static uint32_t count_within(const ct_fit *fit, const ct_band *band) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < fit->count; i++)
    count += fabs(fit->poles[i].omega - band->omega) <= 2 * pi * band->half_hz;
  return count;
}

static void remove_within(ct_fit *fit, const ct_band *band) {
  for (uint32_t i = fit->count; i-- > 0;)
    if (fabs(fit->poles[i].omega - band->omega) <= 2 * pi * band->half_hz)
      ct_fit_remove(fit, i);
}

/* Zooms into the band around a candidate. What ESPRIT finds there takes the place of the band's modes when it
 * is more than they were; otherwise, or when `joining`, the candidate joins them. */
static bool guess_band(ct_search *s, uint32_t g, const ct_segment *residual, const ct_candidate *c,
                       bool joining, ct_band *band) {
  ct_pole poles[CT_BAND_MODES];
  uint32_t found = 0, kept = 0;
  bool made = ct_band_make(band, residual, c->pole, &s->fit, g);
  uint32_t within = count_within(&s->fit, band);
  if (made && !(joining && within) && within < CROWDED)
    found = ct_band_poles(band, ct_noise_at(&s->noise[g], c->pole.omega / (2 * pi)), s->threshold, poles);
  for (uint32_t i = 0; i < found; i++)
    if (fabs(poles[i].omega - band->omega) <= 2 * pi * band->half_hz && in_range(s, poles[i]) &&
        poles[i].decay > -0.5 * s->segments[g].rate_hz / (double)s->segments[g].count)
      poles[kept++] = poles[i];
  if (kept <= count_within(&s->fit, band))
    return add_pole(s, c->pole);
  remove_within(&s->fit, band);
  bool added = false;
  for (uint32_t i = 0; i < kept; i++)
    added = add_pole(s, poles[i]) || added;
  return added;
}

/* Bands of one round do not overlap: what is left between them comes next time. But what dies at once may be
 * the skirts of many others together, and its band is very wide: those are looked at all the same. */
static bool is_dealt_with(const ct_band *bands, int count, ct_pole p) {
  for (int i = 0; i < count; i++)
    if (bands[i].half_hz < much_wider * ct_band_half_hz(p) &&
        fabs(bands[i].omega - p.omega) < 2 * pi * bands[i].half_hz + 4 * p.decay)
      return true;
  return false;
}

/* Sure candidates, and close to modes that are there also doubtful ones: those modes may have swallowed most
 * of it. The test of the whole fit decides. */
static bool is_worth_trying(const ct_search *s, const ct_candidate *c) {
  if (c->over > s->threshold)
    return true;
  for (uint32_t i = 0; i < s->fit.count; i++)
    if (fabs(s->fit.poles[i].omega - c->pole.omega) < crowd * (s->fit.poles[i].decay + c->pole.decay))
      return true;
  return false;
}

/* Where room is short, what is heard most comes first: a candidate counts by how far it stands over the modes
 * that are already there within a critical band. */
static double worth_of(const ct_search *s, uint32_t g, const ct_candidate *c) {
  double hz = c->pole.omega / (2 * pi), wide = 24.7 + 0.108 * hz, noise = ct_noise_at(&s->noise[g], hz);
  double energy = 2 * c->over * noise, there = energy;
  for (uint32_t i = 0; i < s->fit.count; i++)
    if (fabs(s->fit.poles[i].omega / (2 * pi) - hz) < 0.5 * wide)
      there += s->fit.risen[(size_t)g * s->fit.room + i];
  return log(c->over) * sqrt(energy / there);
}

static void sort_by_worth(const ct_search *s, uint32_t g, ct_candidate *found, int count) {
  double worth[CANDIDATES_MOST];
  for (int i = 0; i < count; i++) {
    ct_candidate c = found[i];
    double w = worth_of(s, g, &c);
    int at = i;
    for (; at > 0 && worth[at - 1] < w; at--) {
      worth[at] = worth[at - 1];
      found[at] = found[at - 1];
    }
    worth[at] = w;
    found[at] = c;
  }
}

/* Looks at one segment's residual. Returns how many bands got new poles; negative: no memory. */
static int guess_segment(ct_search *s, uint32_t g, bool joining) {
  ct_segment residual = s->segments[g];
  double *left = malloc(residual.count * sizeof *left);
  ct_candidate *found = malloc(CANDIDATES_MOST * sizeof *found);
  ct_band *bands = malloc(CANDIDATES_MOST * sizeof *bands);
  int added = left && found && bands ? 0 : -1, dealt = 0;
  if (added == 0) {
    ct_fit_residual(&s->fit, g, left);
    residual.x = left;
    residual.moments = NULL;
    int count = ct_scan(&residual, joining, s->def->lo_hz, s->def->hi_hz, 0.5 * s->threshold, &s->noise[g],
                        found, CANDIDATES_MOST);
    added = count < 0 ? -1 : 0;
    sort_by_worth(s, g, found, count);
    if (count > TRIED_MOST)
      count = TRIED_MOST;
    for (int i = 0; i < count; i++)
      if (is_worth_trying(s, &found[i]) && !is_dealt_with(bands, dealt, found[i].pole))
        added += guess_band(s, g, &residual, &found[i], joining, &bands[dealt++]);
  }
  free(left);
  free(found);
  free(bands);
  return added;
}

/* ---- tests ---- */

/* The share of a mode's energy that no other can take over: a small one tells two that cancel each other,
 * which an attack that is not sudden asks for. */
static double own_share(const ct_search *s, uint32_t mode) {
  double most = 0;
  for (uint32_t g = 0; g < s->strike_count; g++) {
    double complex c = s->fit.amplitudes[(size_t)g * s->fit.room + mode];
    double size = creal(c) * creal(c) + cimag(c) * cimag(c);
    double energy = 0.25 * size * s->segments[g].rate_hz / s->fit.poles[mode].decay;
    most = fmax(most, s->fit.risen[(size_t)g * s->fit.room + mode] / energy);
  }
  return most;
}

/* Leaves out, one after the other, the weakest mode that is not over the threshold, or not itself. */
static bool prune(ct_search *s) {
  for (;;) {
    if (s->fit.count == 0)
      return true;
    if (!ct_fit_judge(&s->fit))
      return false;
    uint32_t weakest = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < s->fit.count; i++) {
      double over = ct_search_over(s, i);
      if (!in_range(s, s->fit.poles[i]))
        over = 0;
      if (own_share(s, i) < least_share)
        over = fmin(over, 0.5 * s->threshold * own_share(s, i));
      if (over < least) {
        least = over;
        weakest = i;
      }
    }
    if (least >= s->threshold)
      return true;
    ct_fit_remove(&s->fit, weakest);
  }
}

/* What a fit costs: the squares it leaves, and for each mode what noise alone would give one. */
static double price_of(const ct_search *s) {
  double price = s->fit.squares;
  for (uint32_t i = 0; i < s->fit.count; i++) {
    double least = INFINITY;
    for (uint32_t g = 0; g < s->strike_count; g++)
      least = fmin(least, ct_noise_at(&s->noise[g], s->fit.poles[i].omega / (2 * pi)));
    price += 2 * s->threshold * least;
  }
  return price;
}

/* Has a neighbour near enough for either to take the other's place if it may move. */
static bool is_crowded(const ct_fit *fit, uint32_t mode) {
  ct_pole p = fit->poles[mode];
  for (uint32_t i = 0; i < fit->count; i++)
    if (i != mode && fabs(fit->poles[i].omega - p.omega) < crowd * (fit->poles[i].decay + p.decay))
      return true;
  return false;
}

/* Leaves a mode out and lets all others move: true if that costs no more than noise would. The search goes on
 * without it then. */
static bool leave_out(ct_search *s, uint32_t mode, bool *memory) {
  ct_fit other;
  double noise = INFINITY, before = s->fit.squares;
  for (uint32_t g = 0; g < s->strike_count; g++)
    noise = fmin(noise, ct_noise_at(&s->noise[g], s->fit.poles[mode].omega / (2 * pi)));
  *memory = ct_fit_copy(&other, &s->fit);
  if (!*memory)
    return false;
  ct_fit_remove(&other, mode);
  *memory = ct_fit_run(&other, STEPS_ALONE);
  bool needless = *memory && other.squares - before < 2 * s->threshold * noise;
  if (needless) {
    ct_fit swap = s->fit;
    s->fit = other;
    other = swap;
  }
  ct_fit_free(&other);
  return needless;
}

/* Two modes close to each other may be one that was split in two: the test above keeps the other where it is,
 * and so thinks too much of both. */
static bool join_split(ct_search *s) {
  bool memory = s->fit.count == 0 || ct_fit_judge(&s->fit);
  for (uint32_t i = s->fit.count; memory && i-- > 0;)
    if (is_crowded(&s->fit, i) && ct_search_over(s, i) < doubtful * s->threshold)
      leave_out(s, i, &memory);
  return memory;
}

/* Takes `other` for the fit if it costs less; frees the one that is not kept. */
static bool take_cheaper(ct_search *s, ct_fit *other) {
  double price = price_of(s);
  ct_fit swap = s->fit;
  s->fit = *other;
  bool cheaper = price_of(s) < price;
  if (!cheaper)
    s->fit = swap;
  ct_fit_free(cheaper ? &swap : other);
  return cheaper;
}

/* Puts two modes in the place of one, if that is cheaper. */
static bool split_mode(ct_search *s, uint32_t mode, const ct_pole pair[2]) {
  ct_fit other;
  if (!ct_fit_copy(&other, &s->fit))
    return false;
  ct_fit_remove(&other, mode);
  ct_fit_add(&other, pair[0]);
  ct_fit_add(&other, pair[1]);
  bool memory = ct_fit_run(&other, LAST_STEPS);
  if (memory)
    take_cheaper(s, &other);
  else
    ct_fit_free(&other);
  return memory;
}

/* Looks at the residual of every mode in the strike where it is loudest. */
static bool try_splits(ct_search *s) {
  bool memory = true;
  double enough = log((s->fit.count + 1) / s->def->false_alarms);
  for (uint32_t g = 0; g < s->strike_count && memory; g++) {
    ct_segment residual = s->segments[g];
    double *left = malloc(residual.count * sizeof *left);
    memory = left != NULL;
    if (memory)
      ct_fit_residual(&s->fit, g, left);
    residual.x = left;
    residual.moments = NULL;
    for (uint32_t i = s->fit.count; memory && i-- > 0;) {
      ct_pole pair[2], p = s->fit.poles[i];
      double complex c = s->fit.amplitudes[(size_t)g * s->fit.room + i];
      double noise = ct_noise_at(&s->noise[g], p.omega / (2 * pi));
      if (!is_full(s) && ct_split_over(&residual, p, c, noise, pair) > enough)
        memory = split_mode(s, i, pair);
    }
    free(left);
  }
  return memory;
}

void ct_search_tell(const ct_search *s, double fraction) {
  if (s->def->progress)
    s->def->progress(s->def->context, s->from + fraction * (s->to - s->from));
}

/* Whatever was left out, the others are fitted again. */
static bool fit_and_test(ct_search *s, uint32_t steps) {
  for (uint32_t before = UINT32_MAX; s->fit.count < before;) {
    before = s->fit.count;
    if (!ct_fit_run(&s->fit, steps) || !prune(s))
      return false;
  }
  return true;
}

/* The strike whose modes are loudest. */
static uint32_t loudest(const ct_search *s) {
  uint32_t best = 0;
  double most = 0;
  for (uint32_t g = 0; g < s->strike_count; g++) {
    double energy = 0;
    for (uint32_t i = 0; i < s->fit.count; i++)
      energy += s->fit.risen[(size_t)g * s->fit.room + i];
    if (energy > most) {
      most = energy;
      best = g;
    }
  }
  return best;
}

/* Keeps the fit as it was before when the round has not lowered its price: *better tells. */
static bool run_round(ct_search *s, bool joining, bool *better) {
  ct_fit before;
  if (!ct_fit_copy(&before, &s->fit))
    return false;
  int added = 0;
  bool memory = true;
  for (uint32_t g = 0; g < s->strike_count && memory; g++) {
    int here = guess_segment(s, g, joining);
    memory = here >= 0;
    added += here;
  }
  memory = memory && (!added || fit_and_test(s, STEPS));
  *better = memory && added;
  if (*better && before.count)
    *better = !take_cheaper(s, &before);
  else
    ct_fit_free(&before);
  return memory;
}

/* Energy over the noise: of the signal, and what the modes leave of it. The noise is what is left in the last
 * quarter of a segment. */
static bool weigh(ct_search *s) {
  double all = 0, rest = 0, noises = 0, samples = 0;
  for (uint32_t g = 0; g < s->strike_count; g++) {
    const ct_segment *segment = &s->segments[g];
    double *left = malloc(segment->count * sizeof *left), here = 0, after = 0, noise = 0;
    if (!left)
      return false;
    ct_fit_residual(&s->fit, g, left);
    size_t tail = segment->count / 4;
    for (size_t n = 0; n < segment->count; n++) {
      here += segment->x[n] * segment->x[n];
      after += left[n] * left[n];
      noise += n >= segment->count - tail ? left[n] * left[n] : 0;
    }
    free(left);
    noise *= (double)segment->count / (double)tail;
    s->strikes[g].explained = here > noise ? fmin(fmax(1 - (after - noise) / (here - noise), 0), 1) : 0;
    all += fmax(here - noise, 0);
    rest += fmax(after - noise, 0);
    noises += noise;
    samples += (double)segment->count;
  }
  s->explained = all > 0 ? fmax(1 - rest / all, 0) : 0;
  s->noise_db = 10 * log10(noises / samples + 1e-30);
  return true;
}

static void fill_least_noise(ct_search *s) {
  for (uint32_t g = 0; g < s->strike_count; g++)
    s->noise[g].least = ct_recording_least_noise(&s->recordings[s->strikes[g].recording]);
}

static void limit_segments(ct_search *s) {
  for (uint32_t g = 0; g < s->strike_count; g++) {
    size_t most = (size_t)(longest_s * s->segments[g].rate_hz);
    if (s->segments[g].count > most)
      s->segments[g].count = s->strikes[g].count = most;
  }
}

/* Rounds, as long as they find something. */
static bool run_rounds(ct_search *s, bool instants) {
  int fruitless = 0;
  for (int round = 0; round < ROUNDS_MOST && fruitless < 2 && !is_full(s); round++) {
    bool better;
    if (!run_round(s, fruitless > 0, &better))
      return false;
    fruitless = better ? 0 : fruitless + 1;
    if (instants && round < 3 && s->fit.count && !refine_starts(s))
      return false;
    ct_search_tell(s, rounds_share * (round + 1) / ROUNDS_MOST);
  }
  return true;
}

bool ct_search_find(ct_search *s, bool instants) {
  if (!run_rounds(s, instants))
    return false;
  for (int again = 0; again < 2; again++) {
    if (!fit_and_test(s, LAST_STEPS) || !try_splits(s) || !join_split(s) || (instants && !refine_starts(s)))
      return false;
    ct_search_tell(s, rounds_share + (1 - rounds_share) * (again + 1) / 3);
  }
  if (!fit_and_test(s, LAST_STEPS))
    return false;
  s->fit.exact = true;
  return ct_fit_run(&s->fit, EXACT_STEPS) && prune(s);
}

bool ct_search_run(ct_search *s) {
  s->to = search_share;
  limit_segments(s);
  fill_least_noise(s);
  if (!ct_search_find(s, true) || !weigh(s))
    return false;
  if (s->explained < ct_search_least_explained(s))
    return true; /* no struck body: the caller says so */
  s->from = search_share;
  s->to = room_share;
  if (s->fit.count && !ct_in_room(s))
    return false;
  s->from = room_share;
  s->to = 1;
  ct_search_tell(s, 0);
  uint32_t strike = loudest(s);
  const ct_choice choice = {s->def->most, s->def->lo_hz, s->def->hi_hz};
  if (s->fit.count > s->def->most && !ct_choose(&s->fit, strike, &choice))
    return false;
  ct_search_tell(s, 1);
  return true;
}
