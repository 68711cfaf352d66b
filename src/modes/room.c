/* A room answers a strike with thousands of modes that all fall alike, and at all frequencies: also where the
 * body has no mode. They are too many to be found one by one, so they are in what the modes found leave. If
 * in most bands that falls, and in the same time, it is taken for a room; what a body's own modes leave falls
 * in each band in another time. */
#include "modes/room.h"
#include "modes/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BANDS = CT_CELL_BANDS, FRAMES_LEAST = 6, BANDS_LEAST = 8, BANDS_FEW = 5 };

static const double over_noise = 4; /* power: what of a band counts */
static const double range = 3e-3;
static const double alike = 1.5;       /* factor between bands that fall in the same time, */
static const double alike_share = 0.6; /* and the share of bands that must; */
static const double few_alike =
    1.3; /* all of a few must, and more so: a lone mode's room is heard near it only */

/* The time a band takes to fall by 60 dB, from the straight line through its levels as long as they are over
 * its noise and within 25 dB of the loudest: later on long modes show that were not quite met. 0: it does not
 * fall. */
static double fall_of(const double *cells, size_t frames, size_t band, double noise) {
  double n = 0, t = 0, tt = 0, y = 0, ty = 0, loudest = 0;
  for (size_t f = 0; f < frames; f++)
    loudest = fmax(loudest, cells[f * BANDS + band]);
  double least = fmax(over_noise * noise, range * loudest);
  size_t last = 0;
  for (size_t f = 0; f < frames; f++)
    last = cells[f * BANDS + band] > least && f <= last + 3 ? f : last;
  for (size_t f = 0; f <= last && last > 0; f++) {
    if (cells[f * BANDS + band] <= noise)
      continue;
    double at = (double)f * CT_CELL_HOP_S, level = 10 * log10(cells[f * BANDS + band] - noise);
    n += 1, t += at, tt += at * at, y += level, ty += at * level;
  }
  double slope = n < FRAMES_LEAST ? 0 : (n * ty - t * y) / (n * tt - t * t);
  return slope < 0 ? -60 / slope : 0;
}

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median, if most are near it; of a few bands, if all are. */
static double agreed(double *times, int count) {
  bool few = count < BANDS_LEAST;
  double most = few ? few_alike : alike, share = few ? 1 : alike_share;
  if (count < BANDS_FEW)
    return 0;
  qsort(times, (size_t)count, sizeof *times, rising);
  double middle = times[count / 2];
  int near = 0;
  for (int i = 0; i < count; i++)
    near += times[i] < most * middle && times[i] * most > middle;
  return near >= share * count ? middle : 0;
}

double ct_room_t60_s(const ct_segment *s, const double *rest) {
  size_t tail = s->count / 10, frames = ct_cells_frames(s->count, s->rate_hz);
  size_t last = ct_cells_frames(tail, s->rate_hz);
  double *cells = malloc((frames + last) * BANDS * sizeof *cells), times[BANDS], result = 0;
  if (cells && ct_cells_fill(rest, s->count, s->rate_hz, cells) &&
      ct_cells_fill(rest + s->count - tail, tail, s->rate_hz, cells + frames * BANDS)) {
    int count = 0;
    for (size_t b = 0; b < BANDS; b++) {
      double noise = 1e-30;
      for (size_t f = frames; f < frames + last; f++)
        noise += cells[f * BANDS + b] / (double)last;
      times[count] = fall_of(cells, frames, b, noise);
      count += times[count] > 0;
    }
    result = agreed(times, count);
  }
  free(cells);
  return result;
}
