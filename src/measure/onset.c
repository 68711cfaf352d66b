/* Onsets: the spectrum in bands, every millisecond; where the bands together rise far enough above what they
 * were 6 to 12 ms before, something was struck. The time is then read from the waveform.
 *
 * A rise is counted per band in dB, so that a quiet strike on a loud ringing body shows in the bands the
 * ringing has already left. */
#include "contatto/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "measure/fft.h"
#include "measure/windows.h"

enum { bands = 24, gap_frames = 6, past_frames = 12, most_reach = 15 };

static const double hop_s = 0.001, window_s = 0.006;
static const double threshold_db = 4.0; /* mean rise over all bands */
static const double depth_db = 45.0;    /* levels further than this under the loudest band count as silence */
static const double merge_s = 0.03;

/* How the signal is cut into frames. */
typedef struct {
  ct_windows *signal;
  size_t frames, hop, window, fft_count;
  size_t used_bands;
} band_track;

/* The transform of a frame, and the band of each of its bins. */
typedef struct {
  ct_fft_frame frame;
  size_t *bin_band;
} scratch;

static bool scratch_make(scratch *s, band_track *t, double rate_hz) {
  const size_t n = t->fft_count;
  bool seen[bands] = {false};
  s->bin_band = calloc(n, sizeof *s->bin_band);
  if (!ct_fft_frame_make(&s->frame, t->window, n, 0.5) || !s->bin_band)
    return false;
  for (size_t k = 1; k < n / 2; k++) {
    /* Bands of equal ratio from 60 Hz to 16 kHz, or to Nyquist if that is lower. */
    const double at = bands * log(fmax((double)k * rate_hz / (double)n, 60.0) / 60.0) /
                      log(fmin(16000.0, 0.5 * rate_hz) / 60.0);
    s->bin_band[k] = at < bands - 1 ? (size_t)at : bands - 1;
    t->used_bands += !seen[s->bin_band[k]];
    seen[s->bin_band[k]] = true;
  }
  return t->used_bands > 0;
}

/* Levels of frame i in dB. */
static bool fill_frame(const band_track *t, const scratch *s, size_t i, double level[bands]) {
  double power[bands] = {0.0};
  const double *samples = t->signal->at(t->signal, i * t->hop, t->window);
  if (!samples)
    return false;
  if (!ct_signal_is_silent(samples, t->window)) {
    const ct_fft_frame *f = &s->frame;
    for (size_t n = 0; n < f->size; n++)
      f->x[n] = n < f->length ? samples[n] * f->hann[n] : 0.0;
    ct_fft_forward(f->x, f->size, f->twiddles);
    for (size_t k = 1; k < f->size / 2; k++)
      power[s->bin_band[k]] += ct_complex_power(f->x[k]);
  }
  for (int b = 0; b < bands; b++)
    level[b] = ct_signal_power_db(power[b] + 1e-30);
  return true;
}

/* Everything far below the loudest band of the whole signal counts as one floor: a pass of its own. */
static bool find_floor(const band_track *t, const scratch *s, double *floor_db) {
  double top = -CT_INFINITY, level[bands];
  for (size_t i = 0; i < t->frames; i++) {
    if (!fill_frame(t, s, i, level))
      return false;
    for (int b = 0; b < bands; b++)
      top = fmax(top, level[b]);
  }
  *floor_db = top - depth_db;
  return true;
}

/* The last frames' levels, and the rises around the one that is decided on. */
typedef struct {
  double level[past_frames + 1][bands]; /* of frame i at i % (past_frames + 1) */
  double rise[2 * most_reach + 1];      /* of frame i at i % (2 reach + 1) */
  size_t reach;
  double floor_db;
} recent;

/* Mean over the bands of how far frame i stands above the loudest of frames i - 12 .. i - 6, whose windows it
 * does not overlap. Before the signal there is silence. */
static double rise_at(const recent *r, size_t i, size_t used_bands) {
  double sum = 0.0;
  for (size_t b = 0; b < bands; b++) {
    double before = r->floor_db;
    for (size_t back = gap_frames; back <= past_frames && back <= i; back++)
      before = fmax(before, r->level[(i - back) % (past_frames + 1)][b]);
    sum += fmax(r->level[i % (past_frames + 1)][b] - before, 0.0);
  }
  return sum / (double)used_bands;
}

static double *rise_of(recent *r, size_t i) { return &r->rise[i % (2 * r->reach + 1)]; }

static bool next_frame(const band_track *t, const scratch *s, recent *r, size_t i) {
  double *level = r->level[i % (past_frames + 1)];
  if (!fill_frame(t, s, i, level))
    return false;
  for (int b = 0; b < bands; b++)
    level[b] = fmax(level[b], r->floor_db);
  *rise_of(r, i) = rise_at(r, i, t->used_bands);
  return true;
}

/* ---- where in the waveform ---- */

/* A piece of the signal from `first` to before `end`. */
typedef struct {
  const double *samples;
  size_t first, end;
} piece;

/* Energy of the first difference over [start, start + length), which gives the sharp part of a strike its
 * weight. */
static double sharp_energy(const piece *p, size_t start, size_t length) {
  double sum = 0.0;
  for (size_t n = start; n < start + length && n < p->end; n++) {
    const double step = p->samples[n - p->first] - (n ? p->samples[n - 1 - p->first] : 0.0);
    sum += step * step;
  }
  return sum;
}

/* The sample where the 2 ms after it hold most against the 2 ms before it, from 12 ms before frame i to its
 * end; `first` of the piece when it cannot be read. */
static size_t locate(const band_track *t, size_t i) {
  const size_t reach = 2 * t->hop, from = i > past_frames ? (i - past_frames) * t->hop : 0;
  const size_t to = i * t->hop + t->window, step = t->hop / 24 + 1, count = t->signal->count;
  piece p = {.first = from > reach ? from - reach - 1 : 0, .end = to + reach < count ? to + reach : count};
  p.samples = t->signal->at(t->signal, p.first, p.end - p.first);
  double top = 0.0, best = -CT_INFINITY;
  size_t at = from;
  for (size_t n = from; p.samples && n < to; n += step)
    top = fmax(top, sharp_energy(&p, n, reach));
  for (size_t n = from; p.samples && n < to; n += step) {
    const double after = sharp_energy(&p, n, reach);
    const double before = n >= reach ? sharp_energy(&p, n - reach, reach) : sharp_energy(&p, 0, n);
    const double ratio = log((after + 1e-4 * top) / (before + 1e-4 * top));
    if (ratio > best) {
      best = ratio;
      at = n;
    }
  }
  return at;
}

/* ---- finding ---- */

/* Largest rise within merge_s around frame i, the first of equals. */
static bool is_onset(const band_track *t, recent *r, size_t i) {
  const double rise = *rise_of(r, i);
  if (rise < threshold_db)
    return false;
  for (size_t j = i > r->reach ? i - r->reach : 0; j <= i + r->reach && j < t->frames; j++)
    if (*rise_of(r, j) > rise || (j < i && *rise_of(r, j) == rise))
      return false;
  return true;
}

/* Frame i is decided on when the `reach` frames after it are known. */
static size_t find_onsets(const band_track *t, const scratch *s, recent *r, ct_measured_onset *onsets,
                          size_t max) {
  size_t found = 0;
  double last_s = -CT_INFINITY;
  for (size_t known = 0, i = 0; i < t->frames; i++) {
    for (; known < t->frames && known <= i + r->reach; known++)
      if (!next_frame(t, s, r, known))
        return found;
    if (!is_onset(t, r, i))
      continue;
    const double time_s = (double)locate(t, i) / t->signal->rate_hz;
    if (time_s < last_s + 0.5 * merge_s)
      continue;
    if (found < max)
      onsets[found] = (ct_measured_onset){time_s, *rise_of(r, i)};
    found++;
    last_s = time_s;
  }
  return found;
}

static size_t onsets_of(ct_windows *w, ct_measured_onset *onsets, size_t max) {
  band_track t = {
      .signal = w, .hop = (size_t)(hop_s * w->rate_hz), .window = (size_t)(window_s * w->rate_hz)};
  scratch s = {0};
  recent r = {.reach = (size_t)(merge_s / hop_s / 2.0)};
  size_t found = 0;
  if (t.hop == 0 || t.window > w->count)
    return 0;
  t.fft_count = ct_fft_size(t.window);
  t.frames = (w->count - t.window) / t.hop + 1;
  if (scratch_make(&s, &t, w->rate_hz) && find_floor(&t, &s, &r.floor_db))
    found = find_onsets(&t, &s, &r, onsets, max);
  ct_fft_frame_free(&s.frame);
  free(s.bin_band);
  return found;
}

/* ---- high rates ---- */

/* Means of blocks, until the rate is below 88.2 kHz: attacks are not heard above the bands, and noise up
 * there would blur their time. */
typedef struct {
  ct_windows windows; /* first, so that a pointer to it is a pointer to all */
  ct_windows *signal;
  size_t block;
  double *means;
  size_t room;
} thinned;

static const double *at_thinned(ct_windows *windows, size_t start, size_t count) {
  thinned *t = (thinned *)(void *)windows;
  if (!ct_grow(&t->means, &t->room, count, sizeof *t->means))
    return NULL;
  const double *x = t->signal->at(t->signal, start * t->block, count * t->block);
  for (size_t i = 0; x && i < count; i++) {
    double sum = 0.0;
    for (size_t n = i * t->block; n < (i + 1) * t->block; n++)
      sum += x[n];
    t->means[i] = sum / (double)t->block;
  }
  return x ? t->means : NULL;
}

size_t ct_windows_onsets(ct_windows *w, ct_measured_onset *onsets, size_t max) {
  if (!ct_windows_valid(w) || !(ct_windows_energy(w) > 0.0))
    return 0;
  if (w->rate_hz < 88200.0)
    return onsets_of(w, onsets, max);
  thinned t = {.signal = w, .block = (size_t)fmin(w->rate_hz / 44100.0, (double)w->count)};
  t.windows = (ct_windows){
      .at = at_thinned, .count = w->count / t.block, .channels = 1, .rate_hz = w->rate_hz / (double)t.block};
  const size_t found = onsets_of(&t.windows, onsets, max);
  free(t.means);
  return found;
}

size_t ct_measure_onsets(const double *samples, size_t count, double rate_hz, ct_measured_onset *onsets,
                         size_t max) {
  ct_memory_windows m = ct_memory_windows_copy(samples, count, rate_hz);
  const size_t found = ct_windows_onsets(&m.windows, onsets, max);
  ct_memory_windows_free(&m);
  return found;
}
