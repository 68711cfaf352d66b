/* A thump: what is heard of a blow besides the modes, such as the dull knock of a recorded strike. It is a
 * short response h per point, in velocity per impulse, and what is heard of a force F on that point is
 *
 *   v[n + 1] = (1 / rate) sum over k of h[k] F[n - k]
 *
 * with F and h means over each sample: exact for a force that is constant over samples, as it is to modes. It
 * is heard only: nothing acts back on the body, so it is no part of the energy account.
 *
 * A force that stays should cost nothing, as things that rest on each other may do so for long. So the sum is
 * taken by parts, over changes of the force:
 *
 *   v[n + 1] = sum F[n] + sum over k of left[k] (F[n - k] - F[n - k - 1])
 *
 *   sum = (1 / rate) sum over j of h[j],   left[k] = -(1 / rate) sum over j > k of h[j]
 *
 * A change is added to the ring at once, as far as the response is long. Changes that would be heard at less
 * than CT_STILL_M_S, which is what a resting contact makes by rounding, wait until they are larger. */
#include "body/thump.h"
#include "base/spline.h"
#include "body/body.h"

#include <math.h>
#include <string.h>

/* Samples of a response at the scene's rate. */
static uint32_t resampled_count(const ct_point_def *point, double rate_hz) {
  double count = point->thump_count && point->thump ? point->thump_count * rate_hz / point->thump_hz : 0;
  return (uint32_t)ceil(count - 1e-9 * count);
}

ct_thump *ct_thump_lay(ct_arena *arena, const ct_point_def *points, uint32_t count, double rate_hz) {
  uint32_t with = 0, longest = 0;
  size_t samples = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length = resampled_count(&points[i], rate_hz);
    with += length > 0;
    samples += length;
    longest = length > longest ? length : longest;
  }
  if (!with)
    return NULL;
  ct_thump *thump = ct_arena_take(arena, 1, sizeof *thump);
  ct_thump_point *kept = ct_arena_take(arena, with, sizeof *kept);
  double *numbers = ct_arena_take(arena, samples + longest, sizeof *numbers);
  if (!thump || !kept || !numbers)
    return NULL;
  *thump = (ct_thump){.points = kept, .ring = numbers + samples, .point_count = with, .size = longest};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length = resampled_count(&points[i], rate_hz);
    if (!length)
      continue;
    *kept++ = (ct_thump_point){.left = numbers, .count = length, .point = (uint16_t)i};
    numbers += length;
  }
  return thump;
}

/* ---- filling ---- */

/* Each sample is the mean over its time, so it stands for the middle of that. */
static void resample(const ct_point_def *point, double rate_hz, double *to, uint32_t count) {
  double step = point->thump_hz / rate_hz, band = fmin(1, 1 / step);
  for (uint32_t k = 0; k < count; k++)
    to[k] = point->thump_hz == rate_hz
                ? point->thump[k]
                : ct_read_between(point->thump, point->thump_count, (k + 0.5) * step - 0.5, band);
}

static void fill_point(ct_thump_point *p, const ct_point_def *point, double rate_hz) {
  double after = 0, size = 0;
  resample(point, rate_hz, p->left, p->count);
  for (uint32_t k = p->count; k-- > 0;) {
    double h = p->left[k] / rate_hz;
    p->left[k] = -after;
    after += h;
    size += fabs(h);
  }
  p->sum = after;
  p->least_n = size > 0 ? CT_STILL_M_S / size : HUGE_VAL;
}

void ct_thump_fill(ct_thump *thump, const ct_point_def *points, uint32_t count, double rate_hz) {
  ct_thump_point *p = thump->points;
  for (uint32_t i = 0; i < count; i++)
    if (resampled_count(&points[i], rate_hz))
      fill_point(p++, &points[i], rate_hz);
}

/* ---- sample by sample ---- */

static void add_steady(ct_thump *t) {
  double sum = 0;
  for (uint32_t i = 0; i < t->point_count; i++)
    sum += t->points[i].sum * t->points[i].force_n;
  t->steady_m_s = sum;
}

/* Cells of samples up to this one have been heard, and are free for those to come. */
static void clear(ct_thump *t, uint64_t sample) {
  if (sample + 1 - t->cleared >= t->size) {
    memset(t->ring, 0, t->size * sizeof *t->ring);
  } else {
    for (uint64_t n = t->cleared; n <= sample; n++)
      t->ring[n % t->size] = 0;
  }
  t->cleared = sample + 1;
}

static void add_change(ct_thump *t, const ct_thump_point *p, uint64_t sample) {
  double change_n = p->now_n - p->force_n;
  uint32_t from = (uint32_t)((sample + 1) % t->size), straight = t->size - from;
  uint32_t first = p->count < straight ? p->count : straight;
  double *ring = t->ring + from;
  for (uint32_t k = 0; k < first; k++)
    ring[k] += change_n * p->left[k];
  for (uint32_t k = first; k < p->count; k++)
    t->ring[k - first] += change_n * p->left[k];
  if (t->end < sample + 1 + p->count)
    t->end = sample + 1 + p->count;
}

void ct_thump_follow(ct_thump *t) {
  for (uint32_t i = 0; i < t->point_count; i++)
    t->points[i].force_n = t->points[i].now_n;
  t->follows = true;
  add_steady(t);
}

void ct_thump_feed(ct_thump *t, uint64_t sample) {
  bool changed = false;
  if (ct_thump_rings(t, sample))
    clear(t, sample);
  for (uint32_t i = 0; i < t->point_count; i++) {
    ct_thump_point *p = &t->points[i];
    if (fabs(p->now_n - p->force_n) <= p->least_n)
      continue;
    if (t->cleared <= sample)
      clear(t, sample);
    changed = true;
    add_change(t, p, sample);
    p->force_n = p->now_n;
  }
  if (changed)
    add_steady(t);
}
