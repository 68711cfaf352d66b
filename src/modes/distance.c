/* What was found, as sound again, and how far that is from what was recorded. */
#include "modes/distance.h"
#include "modes/erb.h"
#include "measure/fft.h"
#include "modes/linear.h"
#include <contatto/modes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BANDS = CT_CELL_BANDS };

static const double frame_s = 0.02, longest_s = 1, floor_ratio = 1e-6; /* 60 dB */
static const double tail_least_s = 2; /* a shorter sound's last tenth may still ring */

void ct_modes_play(const ct_found_modes *found, uint32_t strike, double rate_hz, double *samples,
                   size_t count) {
  memset(samples, 0, count * sizeof *samples);
  for (uint32_t i = 0; i < found->mode_count; i++) {
    const ct_found_gain *g = &found->gains[(size_t)strike * found->mode_count + i];
    ct_pole pole = {2 * M_PI * found->modes[i].hz, log(1000.0) / found->modes[i].t60_s};
    double complex c = g->gain * cos(g->phase_rad) + CT_I * (g->gain * sin(g->phase_rad));
    if (found->modes[i].hz < 0.5 * rate_hz)
      ct_fit_add_modes(&pole, &c, 1, rate_hz, 1, samples, count);
  }
}

/* Power in the bands of one frame, with Hann's window. */
static void fill_bands(const double *x, size_t count, size_t frame, const size_t *edges,
                       double complex *scratch, size_t n, const double complex *twiddles,
                       double power[BANDS]) {
  memset(scratch, 0, n * sizeof *scratch);
  for (size_t k = 0; k < frame && k < count; k++)
    scratch[k] = x[k] * (0.5 - 0.5 * cos(2 * M_PI * ((double)k + 0.5) / (double)frame));
  ct_fft_forward(scratch, n, twiddles);
  for (int b = 0; b < BANDS; b++) {
    power[b] = 0;
    for (size_t k = edges[b]; k < edges[b + 1]; k++)
      power[b] += ct_square(scratch[k]);
  }
}

/* Even in ERB, from 50 Hz on. */
static double edge_hz(double at, double rate_hz) {
  double low = ct_erb_rate(50), high = ct_erb_rate(fmin(16000, 0.5 * rate_hz));
  return ct_erb_hz(low + (high - low) * at / BANDS);
}

double ct_cells_middle_hz(uint32_t band, double rate_hz) { return edge_hz(band + 0.5, rate_hz); }

static void fill_edges(size_t *edges, double rate_hz, size_t n) {
  for (int b = 0; b <= BANDS; b++) {
    edges[b] = (size_t)(edge_hz(b, rate_hz) / rate_hz * (double)n + 0.5);
    if (b > 0 && edges[b] <= edges[b - 1])
      edges[b] = edges[b - 1] + 1;
  }
}

void ct_cells_layout(double rate_hz, size_t *frame, size_t *hop, size_t *points, size_t edges[BANDS + 1]) {
  *frame = (size_t)(frame_s * rate_hz);
  *hop = (size_t)(CT_CELL_HOP_S * rate_hz);
  *points = 2 * ct_fft_size(*frame);
  fill_edges(edges, rate_hz, *points);
}

size_t ct_cells_frames(size_t count, double rate_hz) {
  size_t frame = (size_t)(frame_s * rate_hz), hop = (size_t)(CT_CELL_HOP_S * rate_hz);
  size_t used = (double)count < longest_s * rate_hz ? count : (size_t)(longest_s * rate_hz);
  return used > frame ? (used - frame) / hop + 1 : 1;
}

bool ct_cells_fill(const double *samples, size_t count, double rate_hz, double *cells) {
  size_t frame, hop, n, frames = ct_cells_frames(count, rate_hz), edges[BANDS + 1];
  ct_cells_layout(rate_hz, &frame, &hop, &n, edges);
  double complex *scratch = malloc(n * sizeof *scratch), *twiddles = ct_fft_make_twiddles(n);
  bool memory = scratch && twiddles;
  for (size_t i = 0; memory && i < frames; i++)
    fill_bands(samples + i * hop, count - i * hop, frame, edges, scratch, n, twiddles, cells + i * BANDS);
  free(scratch);
  free(twiddles);
  return memory;
}

double ct_cells_floor(const double *cells, size_t frames) {
  double peak = 0;
  for (size_t i = 0; i < frames * BANDS; i++)
    peak = fmax(peak, cells[i]);
  return floor_ratio * peak;
}

/* Mean power of each band in the last tenth of a sound. */
static bool fill_tail(const double *samples, size_t count, double rate_hz, double tail[BANDS]) {
  size_t length = count / 10, frames = ct_cells_frames(length, rate_hz);
  double *cells = calloc(frames * BANDS, sizeof *cells);
  bool memory = cells && ct_cells_fill(samples + count - length, length, rate_hz, cells);
  memset(tail, 0, BANDS * sizeof *tail);
  for (size_t i = 0; memory && i < frames * BANDS; i++)
    tail[i % BANDS] += cells[i] / (double)frames;
  free(cells);
  return memory;
}

static double distance(const double *samples, const double *other, size_t count, double rate_hz,
                       const double over[BANDS]) {
  size_t cells = ct_cells_frames(count, rate_hz) * BANDS, heard = 0;
  double *one = malloc(2 * cells * sizeof *one), *two = one + cells, sum = 0;
  if (one && count && ct_cells_fill(samples, count, rate_hz, one) &&
      ct_cells_fill(other, count, rate_hz, two)) {
    double least = ct_cells_floor(one, cells / BANDS);
    for (size_t i = 0; i < cells && least > 0; i++)
      if (one[i] > least && one[i] > over[i % BANDS]) {
        double difference = 10 * log10(one[i] / fmax(two[i], least));
        sum += difference * difference;
        heard++;
      }
  }
  free(one);
  return heard ? sqrt(sum / (double)heard) : (double)NAN;
}

double ct_modes_distance_db(const double *samples, const double *other, size_t count, double rate_hz) {
  const double over[BANDS] = {0};
  return distance(samples, other, count, rate_hz, over);
}

double ct_modes_distance_over_noise_db(const double *samples, const double *other, size_t count,
                                       double rate_hz) {
  double over[BANDS] = {0};
  if ((double)count > tail_least_s * rate_hz && !fill_tail(samples, count, rate_hz, over))
    return (double)NAN;
  for (int b = 0; b < BANDS; b++)
    over[b] *= 10;
  return distance(samples, other, count, rate_hz, over);
}
