/* Slips are told by the string's own velocity, which averages to nothing: while it sticks it runs with the
 * bow, so to come back it must run against it. Thresholds follow the bow's speed and nothing else. */
#include "measure/bowed.h"
#include "measure/signal.h"

#include <contatto/measure.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_bowed_regime_names[CT_BOWED_REGIMES] = {"none", "helmholtz", "multiple", "other",
                                                             "raucous"};

static double seconds(const ct_bowing *b, uint32_t n) { return n / b->rate_hz; }

/* ---- slips ---- */

static const double shortest = 0.05; /* of the bow's way in a period */

uint32_t ct_bowed_find_slips(const double *v, uint32_t count, const ct_bowing *b, ct_bowed_slip *slips,
                             uint32_t max) {
  ct_bowed_slip now = {0};
  bool slipping = false;
  uint32_t found = 0;
  for (uint32_t n = 0; n < count; n++) {
    double speed = b->speed_m_s + b->acceleration_m_s2 * n / b->rate_hz;
    if (!slipping && v[n] < 0) {
      slipping = true;
      now = (ct_bowed_slip){.begin_s = seconds(b, n)};
    }
    if (!slipping)
      continue;
    now.distance_m += (speed - v[n]) / b->rate_hz;
    now.end_s = seconds(b, n);
    if (v[n] <= speed / 2)
      continue;
    slipping = false;
    if (now.distance_m < shortest * speed / b->string_hz)
      continue;
    if (found < max)
      slips[found] = now;
    found++;
  }
  return found;
}

/* A list of all slips; null without memory. */
static ct_bowed_slip *all_slips(const double *v, uint32_t count, const ct_bowing *b, uint32_t *found) {
  *found = ct_bowed_find_slips(v, count, b, NULL, 0);
  ct_bowed_slip *slips = calloc(*found + 1, sizeof *slips);
  if (slips)
    ct_bowed_find_slips(v, count, b, slips, *found);
  return slips;
}

/* ---- steady motion ---- */

/* `sorted` is scratch of the same length. */
static double median(const double *v, uint32_t count, double *sorted) {
  memcpy(sorted, v, count * sizeof *v);
  ct_signal_sort(sorted, count);
  return count ? sorted[count / 2] : 0;
}

static bool ever_sticks(const double *v, uint32_t count, double speed) {
  for (uint32_t n = 0; n < count; n++)
    if (fabs(v[n] - speed) < 0.3 * speed)
      return true;
  return false;
}

/* A string let alone in Helmholtz motion goes on with it, ever slower: it is carried only if, stuck, it has
 * the speed of the bow. Helmholtz's corner is away for beta of a period. Rounded corners make that longer,
 * never much shorter; what slips faster and shorter is Raman's and Lawergren's S motion. */
static ct_bowed_regime decide(const ct_bowed_motion *f, const ct_bowing *b) {
  bool at_pitch = fabs(f->slips - 1) < 0.1 && fabs(ct_measure_cents(f->hz, b->string_hz)) < 100,
       carried = fabs(f->stuck_m_s - b->speed_m_s) < 0.1 * b->speed_m_s;
  if (!(f->clarity > 0.9) || !isfinite(f->hz))
    return CT_BOWED_RAUCOUS;
  if (f->slips > 1.5)
    return CT_BOWED_MULTIPLE;
  if (!at_pitch)
    return f->hz < b->string_hz / 1.4 ? CT_BOWED_OTHER : CT_BOWED_RAUCOUS;
  if (!carried)
    return CT_BOWED_NONE;
  return f->slip_share > 0.75 * b->place ? CT_BOWED_HELMHOLTZ : CT_BOWED_OTHER;
}

bool ct_bowed_judge(const double *v, uint32_t count, const ct_bowing *b, ct_bowed_motion *f) {
  uint32_t found;
  ct_bowed_slip *slips = all_slips(v, count, b, &found);
  double *scratch = malloc((count + 1) * sizeof *scratch), slipping_s = 0;
  *f = (ct_bowed_motion){.regime = CT_BOWED_NONE, .hz = NAN};
  if (slips && scratch) {
    for (uint32_t i = 0; i < found; i++)
      slipping_s += slips[i].end_s - slips[i].begin_s;
    ct_measured_pitch pitch =
        ct_measure_pitch(v, count, b->rate_hz, b->string_hz / 5, fmin(12 * b->string_hz, b->rate_hz / 4));
    f->slips = found / (seconds(b, count) * b->string_hz);
    f->slip_share = slipping_s / seconds(b, count);
    f->hz = pitch.hz;
    f->clarity = pitch.clarity;
    f->stuck_m_s = median(v, count, scratch);
    if (found && ever_sticks(v, count, b->speed_m_s))
      f->regime = decide(f, b);
  }
  bool made = slips && scratch;
  free(slips);
  free(scratch);
  return made;
}

/* ---- attack ---- */

enum { FEWEST_INTERVALS = 10 };

static const double uneven = 0.12; /* of a period */

/* One period after the slip before it, both of them slips and not slides with a jerk in every period. */
static bool is_regular(const ct_bowed_slip *slips, uint32_t i, double string_hz) {
  double longer = fmax(slips[i].end_s - slips[i].begin_s, slips[i - 1].end_s - slips[i - 1].begin_s);
  double periods = (slips[i].begin_s - slips[i - 1].begin_s) * string_hz;
  return fabs(periods - 1) < uneven && longer * string_hz < 0.5;
}

/* The first of the slips that follow each other by a period up to the last. */
static uint32_t regular_from(const ct_bowed_slip *slips, uint32_t count, double string_hz) {
  uint32_t from = count - 1;
  while (from > 0 && is_regular(slips, from, string_hz))
    from--;
  return from;
}

static ct_bowed_attack attack_of(const ct_bowed_slip *slips, uint32_t count, double end_s, double string_hz) {
  ct_bowed_attack a = {.first_s = NAN, .periods = NAN, .longest = NAN};
  if (count == 0)
    return a;
  uint32_t from = regular_from(slips, count, string_hz);
  bool lasts = (end_s - slips[count - 1].begin_s) * string_hz < 1.5;
  a.first_s = slips[0].begin_s;
  if (lasts && count - 1 - from >= FEWEST_INTERVALS)
    a.periods = (slips[from].begin_s - a.first_s) * string_hz;
  else
    from = count - 1;
  for (uint32_t i = 1; i <= from; i++) /* fmax passes over NAN */
    a.longest = fmax(a.longest, (slips[i].begin_s - slips[i - 1].end_s) * string_hz);
  return a;
}

bool ct_bowed_is_choked(const ct_bowed_attack *attack) { return attack->longest > 1 + uneven; }

bool ct_bowed_measure_attack(const double *v, uint32_t count, const ct_bowing *b, ct_bowed_attack *attack) {
  uint32_t found;
  ct_bowed_slip *slips = all_slips(v, count, b, &found);
  if (!slips)
    return false;
  *attack = attack_of(slips, found, seconds(b, count), b->string_hz);
  free(slips);
  return true;
}
