/* The pitch of a squeak over time and the regimes it passes through, as the paper reads them from its
 * recordings (figures 4 to 6): noisy, squeaking around a pitch that moves, singing at one that does not, with
 * sudden transitions between.
 *
 * A frame of 64 ms every 20 ms is silent when it is 40 dB under the loudest, noisy when it has no clear
 * pitch. One with a pitch sings when that changes by less than 1 % from the frame before to the frame
 * after, and so do its neighbours, eight in a row or more; else it squeaks. A regime is a stretch of frames
 * of one kind; where the pitch jumps by more than two semitones from one frame to the next, another one
 * begins. Windows that overlap see a jump for three frames, so a stretch that is shorter belongs to the one
 * before it, and a boundary is known to half a window. */
#include "base/text.h"
#include "study/thoret2013.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_FRAMES = 3, LEAST_SUNG = 8 };

static const double window_s = 0.064, hop_s = 0.02, lo_hz = 50, hi_hz = 4000;
static const double silent_db = -40, jump = 0.1225, steady = 0.01;

/* ---- frames to stretches ---- */

typedef struct stretch {
  size_t from, to; /* frames */
  size_t last;     /* of its own kind */
  thoret_kind kind;
} stretch;

static double find_loudest(const thoret_heard *h) {
  double most = -INFINITY;
  for (size_t i = 0; i < h->frame_count; i++)
    most = fmax(most, h->frames[i].level_db);
  return most;
}

static bool is_pitched(thoret_kind kind) { return kind == THORET_SQUEAKS || kind == THORET_SINGS; }

static bool is_steady(const thoret_heard *h, size_t i) {
  if (i == 0 || i + 1 >= h->frame_count)
    return false;
  return fabs(h->frames[i + 1].hz / h->frames[i - 1].hz - 1) < steady; /* NAN: false */
}

static thoret_kind kind_of(const thoret_heard *h, size_t i) {
  if (!(h->frames[i].level_db > h->loudest_db + silent_db))
    return THORET_SILENT;
  if (!isfinite(h->frames[i].hz))
    return THORET_NOISY;
  return is_steady(h, i) ? THORET_SINGS : THORET_SQUEAKS;
}

bool thoret_pitched(const thoret_heard *h, size_t i) { return is_pitched(kind_of(h, i)); }

/* How long the kind of frame i has lasted and will last. */
static size_t run_of(const thoret_kind *kinds, size_t count, size_t i) {
  size_t from = i, to = i;
  while (from > 0 && kinds[from - 1] == kinds[i])
    from--;
  while (to + 1 < count && kinds[to + 1] == kinds[i])
    to++;
  return to - from + 1;
}

static bool goes_on(const thoret_heard *h, const stretch *before, const stretch *next) {
  if (before->kind != next->kind)
    return false;
  return !is_pitched(next->kind) ||
         fabs(log(h->frames[next->from].hz / h->frames[before->last].hz)) < log(1 + jump);
}

/* Adds a stretch to a list, or to the last of it if that goes on; how many there are then. */
static size_t append(const thoret_heard *h, stretch *all, size_t count, stretch next) {
  if (count == 0 || !goes_on(h, &all[count - 1], &next)) {
    all[count] = next;
    return count + 1;
  }
  all[count - 1].to = next.to;
  all[count - 1].last = next.last;
  return count;
}

/* The stretches of all frames, at most THORET_FRAMES; how many. */
static size_t cut(const thoret_heard *h, thoret_kind *kinds, stretch *all) {
  size_t count = 0;
  for (size_t i = 0; i < h->frame_count; i++)
    kinds[i] = kind_of(h, i);
  for (size_t i = 0; i < h->frame_count; i++) {
    bool brief = kinds[i] == THORET_SINGS && run_of(kinds, h->frame_count, i) < LEAST_SUNG;
    count = append(h, all, count, (stretch){i, i + 1, i, brief ? THORET_SQUEAKS : kinds[i]});
  }
  return count;
}

/* What is too short to be told goes to the stretch before it, the first to the one after; what goes on behind
 * it is one again. Frames that were given away so are marked: their pitch is not their regime's. */
static size_t join(const thoret_heard *h, stretch *all, size_t count, bool *given) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool brief = all[i].to - all[i].from < LEAST_FRAMES && (kept > 0 || i + 1 < count);
    for (size_t k = all[i].from; k < all[i].to && brief; k++)
      given[k] = true;
    if (brief && kept > 0)
      all[kept - 1].to = all[i].to;
    else if (brief)
      all[i + 1].from = all[i].from;
    else
      kept = append(h, all, kept, all[i]);
  }
  return kept;
}

/* ---- stretches to regimes ---- */

/* Mean and deviation of the pitch over its own frames. */
static void find_pitch(const thoret_heard *h, const stretch *s, const bool *given, thoret_regime *r) {
  double sum = 0, square = 0;
  size_t count = 0;
  for (size_t i = s->from; i < s->to; i++) {
    double nepers = log(h->frames[i].hz);
    if (given[i])
      continue;
    sum += nepers;
    square += nepers * nepers;
    count++;
  }
  double mean = sum / (double)count;
  r->hz = exp(mean);
  r->spread = sqrt(fmax(0, square / (double)count - mean * mean));
}

static thoret_regime regime_of(const thoret_heard *h, const stretch *s, const bool *given) {
  thoret_regime r = {.kind = s->kind, .hz = NAN, .spread = NAN};
  r.from_s = s->from == 0 ? 0 : h->frames[s->from].time_s - 0.5 * hop_s;
  r.to_s = s->to == h->frame_count ? h->seconds : h->frames[s->to - 1].time_s + 0.5 * hop_s;
  if (is_pitched(s->kind))
    find_pitch(h, s, given, &r);
  return r;
}

static void add_up(thoret_heard *h) {
  double sounds_s = 0, pitched_s = 0, sings_s = 0;
  uint32_t changes = 0;
  for (uint32_t i = 0; i < h->regime_count; i++) {
    const thoret_regime *r = &h->regimes[i];
    double length_s = r->to_s - r->from_s;
    sounds_s += r->kind != THORET_SILENT ? length_s : 0;
    pitched_s += is_pitched(r->kind) ? length_s : 0;
    sings_s += r->kind == THORET_SINGS ? length_s : 0;
    changes += i > 0 && r->kind != THORET_SILENT && r[-1].kind != THORET_SILENT;
  }
  h->pitched = pitched_s / sounds_s;
  h->sings = sings_s / sounds_s;
  h->changes_per_s = changes / sounds_s;
}

/* ---- the range of the pitch ---- */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void find_range(thoret_heard *h, double *sorted) {
  size_t count = 0;
  for (size_t i = 0; i < h->frame_count; i++)
    if (thoret_pitched(h, i))
      sorted[count++] = h->frames[i].hz;
  qsort(sorted, count, sizeof *sorted, by_value);
  h->f0_low_hz = count ? sorted[count / 20] : (double)NAN;
  h->f0_middle_hz = count ? sorted[count / 2] : (double)NAN;
  h->f0_high_hz = count ? sorted[count - 1 - count / 20] : (double)NAN;
}

/* ---- all of it ---- */

ct_result thoret_hear(const double *samples, size_t count, double rate_hz, thoret_heard *h, ct_error *error) {
  stretch *all = calloc(THORET_FRAMES, sizeof *all);
  double *sorted = calloc(THORET_FRAMES, sizeof *sorted);
  thoret_kind *kinds = calloc(THORET_FRAMES, sizeof *kinds);
  bool *given = calloc(THORET_FRAMES, sizeof *given);
  ct_result result = CT_OK;
  if (all && sorted && kinds && given) {
    h->seconds = (double)count / rate_hz;
    size_t made = ct_measure_pitch_track(samples, count, rate_hz, window_s, hop_s, lo_hz, hi_hz, h->frames,
                                         THORET_FRAMES);
    h->frame_count = made < THORET_FRAMES ? made : THORET_FRAMES;
    h->loudest_db = find_loudest(h);
    size_t stretches = join(h, all, cut(h, kinds, all), given);
    h->regime_count = 0;
    for (size_t i = 0; i < stretches && h->regime_count < THORET_REGIMES; i++)
      h->regimes[h->regime_count++] = regime_of(h, &all[i], given);
    add_up(h);
    find_range(h, sorted);
    result = thoret_analyse(samples, count, rate_hz, lo_hz, hi_hz, &h->harmonic, error);
  } else
    result = ct_fail(error, CT_NO_MEMORY, "no memory for regimes");
  free(all);
  free(sorted);
  free(kinds);
  free(given);
  return result;
}
