/* Onsets: the spectrum in bands, every millisecond; where the bands together rise far enough above what they
 * were 6 to 12 ms before, something was struck. The time is then read from the waveform.
 *
 * A rise is counted per band in dB, so that a quiet strike on a loud ringing body shows in the bands the
 * ringing has already left. */
#include "contatto/measure.h"

#include <math.h>
#include <stdlib.h>

#include "measure/fft.h"
#include "measure/signal.h"

enum { bands = 24, gap_frames = 6, past_frames = 12 };

static const double hop_s = 0.001, window_s = 0.006;
static const double threshold_db = 4.0; /* mean rise over all bands */
static const double depth_db = 45.0;    /* levels further than this under the loudest band count as silence */
static const double merge_s = 0.03;

/* level[frame * bands + band] in dB, and the strength of a rise at each frame. */
typedef struct {
  double *level;
  double *rise;
  size_t frames, hop, window, fft_count;
  size_t used_bands;
} band_track;

/* Scratch of the transform. */
typedef struct {
  double complex *x, *twiddles;
  double *window;
  size_t *bin_band;
} scratch;

static void scratch_free(scratch *s) {
  free(s->x);
  free(s->twiddles);
  free(s->window);
  free(s->bin_band);
}

/* Bands of equal ratio from 60 Hz to 16 kHz, or to Nyquist if that is lower. */
static size_t band_of(double hz, double top_hz) {
  const double at = bands * log(fmax(hz, 60.0) / 60.0) / log(top_hz / 60.0);
  return at < bands - 1 ? (size_t)at : bands - 1;
}

static bool scratch_make(scratch *s, band_track *t, double rate_hz) {
  const size_t n = t->fft_count;
  bool seen[bands] = {false};
  *s = (scratch){malloc(n * sizeof *s->x), ct_fft_make_twiddles(n), calloc(t->window, sizeof *s->window),
                 calloc(n, sizeof *s->bin_band)};
  if (!s->x || !s->twiddles || !s->window || !s->bin_band)
    return false;
  for (size_t k = 0; k < t->window; k++)
    s->window[k] = 0.5 - 0.5 * cos(CT_TWO_PI * ((double)k + 0.5) / (double)t->window);
  for (size_t k = 1; k < n / 2; k++) {
    s->bin_band[k] = band_of((double)k * rate_hz / (double)n, fmin(16000.0, 0.5 * rate_hz));
    t->used_bands += !seen[s->bin_band[k]];
    seen[s->bin_band[k]] = true;
  }
  return t->used_bands > 0;
}

static void fill_frame(const band_track *t, const scratch *s, const double *samples, double *level) {
  double power[bands] = {0.0};
  for (size_t n = 0; n < t->fft_count; n++)
    s->x[n] = n < t->window ? samples[n] * s->window[n] : 0.0;
  ct_fft_forward(s->x, t->fft_count, s->twiddles);
  for (size_t k = 1; k < t->fft_count / 2; k++)
    power[s->bin_band[k]] += creal(s->x[k]) * creal(s->x[k]) + cimag(s->x[k]) * cimag(s->x[k]);
  for (int b = 0; b < bands; b++)
    level[b] = ct_signal_power_db(power[b] + 1e-30);
}

/* Lifts everything far below the loudest band to one floor; returns the floor. */
static double clamp_levels(band_track *t) {
  double top = -CT_INFINITY;
  for (size_t k = 0; k < t->frames * bands; k++)
    top = fmax(top, t->level[k]);
  for (size_t k = 0; k < t->frames * bands; k++)
    t->level[k] = fmax(t->level[k], top - depth_db);
  return top - depth_db;
}

/* Mean over the bands of how far frame i stands above the loudest of frames i - 12 .. i - 6, whose windows it
 * does not overlap. Before the signal there is silence. */
static double rise_at(const band_track *t, size_t i, double floor_db) {
  double sum = 0.0;
  for (size_t b = 0; b < bands; b++) {
    double before = floor_db;
    for (size_t back = gap_frames; back <= past_frames && back <= i; back++)
      before = fmax(before, t->level[(i - back) * bands + b]);
    sum += fmax(t->level[i * bands + b] - before, 0.0);
  }
  return sum / (double)t->used_bands;
}

static void track_free(band_track *t) {
  free(t->level);
  free(t->rise);
}

static bool track_make(band_track *t, const double *samples, size_t count, double rate_hz) {
  scratch s = {0};
  *t = (band_track){.hop = (size_t)(hop_s * rate_hz), .window = (size_t)(window_s * rate_hz)};
  if (t->hop == 0 || t->window > count)
    return false;
  t->fft_count = ct_fft_size(t->window);
  t->frames = (count - t->window) / t->hop + 1;
  t->level = malloc(t->frames * bands * sizeof *t->level);
  t->rise = malloc(t->frames * sizeof *t->rise);
  const bool ready = t->level && t->rise && scratch_make(&s, t, rate_hz);
  if (ready) {
    for (size_t i = 0; i < t->frames; i++)
      fill_frame(t, &s, samples + i * t->hop, t->level + i * bands);
    const double floor_db = clamp_levels(t);
    for (size_t i = 0; i < t->frames; i++)
      t->rise[i] = rise_at(t, i, floor_db);
  }
  scratch_free(&s);
  return ready;
}

/* Energy of the first difference over [start, start + length), which gives the sharp part of a strike its
 * weight. */
static double sharp_energy(const double *samples, size_t count, size_t start, size_t length) {
  double sum = 0.0;
  for (size_t n = start; n < start + length && n < count; n++) {
    const double step = samples[n] - (n ? samples[n - 1] : 0.0);
    sum += step * step;
  }
  return sum;
}

/* The sample where the 2 ms after it hold most against the 2 ms before it, from 12 ms before frame i to its
 * end. */
static size_t locate(const band_track *t, const double *samples, size_t count, size_t i) {
  const size_t reach = 2 * t->hop, from = i > past_frames ? (i - past_frames) * t->hop : 0;
  const size_t to = i * t->hop + t->window, step = t->hop / 24 + 1;
  double top = 0.0, best = -CT_INFINITY;
  size_t at = from;
  for (size_t n = from; n < to; n += step)
    top = fmax(top, sharp_energy(samples, count, n, reach));
  for (size_t n = from; n < to; n += step) {
    const double after = sharp_energy(samples, count, n, reach);
    const double before =
        n >= reach ? sharp_energy(samples, count, n - reach, reach) : sharp_energy(samples, count, 0, n);
    const double ratio = log((after + 1e-4 * top) / (before + 1e-4 * top));
    if (ratio > best) {
      best = ratio;
      at = n;
    }
  }
  return at;
}

/* Largest rise within merge_s around frame i, the first of equals. */
static bool is_onset(const band_track *t, size_t i) {
  const size_t reach = (size_t)(merge_s / hop_s / 2.0);
  if (t->rise[i] < threshold_db)
    return false;
  for (size_t j = i > reach ? i - reach : 0; j <= i + reach && j < t->frames; j++)
    if (t->rise[j] > t->rise[i] || (j < i && t->rise[j] == t->rise[i]))
      return false;
  return true;
}

/* Means of blocks, in place, until the rate is below 88.2 kHz: attacks are not heard above the bands, and
 * noise up there would blur their time. Returns the block length. */
static size_t thin_out(double *samples, size_t count, double rate_hz) {
  const size_t block = rate_hz < 88200.0 ? 1 : (size_t)fmin(rate_hz / 44100.0, (double)count);
  for (size_t i = 0; i < count / block; i++) {
    double sum = 0.0;
    for (size_t n = i * block; n < (i + 1) * block; n++)
      sum += samples[n];
    samples[i] = sum / (double)block;
  }
  return block;
}

/* Onsets of a clean signal. */
static size_t find_onsets(const double *samples, size_t count, double rate_hz, ct_measured_onset *onsets,
                          size_t max) {
  band_track track = {0};
  size_t found = 0;
  double last_s = -CT_INFINITY;
  if (track_make(&track, samples, count, rate_hz))
    for (size_t i = 0; i < track.frames; i++) {
      if (!is_onset(&track, i))
        continue;
      const double time_s = (double)locate(&track, samples, count, i) / rate_hz;
      if (time_s < last_s + 0.5 * merge_s)
        continue;
      if (found < max)
        onsets[found] = (ct_measured_onset){time_s, track.rise[i]};
      found++;
      last_s = time_s;
    }
  track_free(&track);
  return found;
}

size_t ct_measure_onsets(const double *samples, size_t count, double rate_hz, ct_measured_onset *onsets,
                         size_t max) {
  double *copy = ct_signal_valid(samples, count, rate_hz) ? ct_signal_copy(samples, count) : NULL;
  size_t found = 0;
  if (copy && ct_signal_power(copy, count) > 0.0) {
    const size_t block = thin_out(copy, count, rate_hz);
    found = find_onsets(copy, count / block, rate_hz / (double)block, onsets, max);
  }
  free(copy);
  return found;
}
