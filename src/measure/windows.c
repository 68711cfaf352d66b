/* Windows into memory, and where a signal's energy is. */
#include "measure/windows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 4096 };

bool ct_windows_valid(const ct_windows *w) {
  return w->count > 0 && w->channels > 0 && isfinite(w->rate_hz) && w->rate_hz > 0.0;
}

const double *ct_windows_piece(ct_windows *w, size_t start, size_t *count) {
  *count = w->count - start < PIECE ? w->count - start : PIECE;
  return *count ? w->at(w, start, *count) : NULL;
}

void ct_windows_copy(ct_windows *w, size_t start, size_t count, double *to) {
  const double *x;
  for (size_t length; count && (x = ct_windows_piece(w, start, &length)); start += length, to += length) {
    length = length < count ? length : count;
    memcpy(to, x, length * sizeof *to);
    count -= length;
  }
}

static const double *at_memory(ct_windows *windows, size_t start, size_t count) {
  const ct_memory_windows *m = (ct_memory_windows *)(void *)windows;
  (void)count;
  return m->samples + start * windows->channels;
}

ct_memory_windows ct_memory_windows_of(const double *samples, size_t count, size_t channels, double rate_hz) {
  return (ct_memory_windows){{.at = at_memory, .count = count, .channels = channels, .rate_hz = rate_hz},
                             samples};
}

ct_memory_windows ct_memory_windows_copy(const double *samples, size_t count, double rate_hz) {
  const double *copy = ct_signal_valid(samples, count, rate_hz) ? ct_signal_copy(samples, count) : NULL;
  return ct_memory_windows_of(copy, copy ? count : 0, 1, rate_hz);
}

void ct_memory_windows_free(ct_memory_windows *m) {
  free((double *)(uintptr_t)m->samples);
  m->samples = NULL;
}

/* ---- energy ---- */

/* Where the running sum of squares is at 0.1 % and at 99.9 % of the whole; active_start = count: nowhere. */
static void find_active(ct_windows *w) {
  const double *x;
  double sum = 0.0;
  w->active_start = w->count;
  w->active_end = 0;
  for (size_t start = 0, length; (x = ct_windows_piece(w, start, &length)); start += length)
    for (size_t n = 0; n < length; n++) {
      sum += x[n] * x[n];
      if (w->active_start == w->count && sum > 0.001 * w->energy)
        w->active_start = start + n;
      if (sum < 0.999 * w->energy)
        w->active_end = start + n + 2;
    }
}

double ct_windows_energy(ct_windows *w) {
  if (w->energy_known)
    return w->energy;
  const double *x;
  double sum = 0.0;
  for (size_t start = 0, length; (x = ct_windows_piece(w, start, &length)); start += length)
    for (size_t n = 0; n < length; n++)
      sum += x[n] * x[n];
  w->energy = sum / (double)w->count * (double)w->count; /* as a mean power would give it back */
  w->energy_known = true;
  find_active(w);
  return w->energy;
}

ct_signal_span ct_windows_active_span(ct_windows *w, size_t min_count, size_t max_count) {
  const double total = ct_windows_energy(w);
  return ct_signal_span_within(w->count, total > 0.0 ? w->active_start : w->count, w->active_end, min_count,
                               max_count);
}
