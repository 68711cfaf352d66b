/* Signals looked at through windows, so that they need not be in memory whole, and the measures that work
 * that way. The functions of <contatto/measure.h> are these over a signal in memory; memory does not grow
 * with the length but for 80 bytes a second of loudness.
 *
 * Every measure goes through a signal from front to back, a few times at most; only the pieces in front of a
 * window, some 50 ms, are asked for again. */
#ifndef CONTATTO_MEASURE_WINDOWS_H
#define CONTATTO_MEASURE_WINDOWS_H

#include "contatto/measure.h"
#include "measure/signal.h"

typedef struct ct_windows ct_windows;

struct ct_windows {
  /* Frames [start, start + count), all inside, channels interleaved, every sample finite; valid until the
   * next call. Null: they cannot be had, and the measure ends with NAN or what it has found so far. */
  const double *(*at)(ct_windows *windows, size_t start, size_t count);
  size_t count; /* frames */
  size_t channels;
  double rate_hz;
  /* remembered, see ct_windows_active_span */
  bool energy_known;
  double energy;
  size_t active_start, active_end;
};

/* Something to measure: frames, channels, a positive finite rate. */
bool ct_windows_valid(const ct_windows *windows);

/* The frames from `start` on, a few thousand at most: *count of them. Null at the end, and when they cannot
 * be had. */
const double *ct_windows_piece(ct_windows *windows, size_t start, size_t *count);
/* Copies mono samples [start, start + count), as far as they can be had. */
void ct_windows_copy(ct_windows *mono, size_t start, size_t count, double *to);

/* A signal in memory; `at` gives pointers into it. */
typedef struct ct_memory_windows {
  ct_windows windows;
  const double *samples;
} ct_memory_windows;

ct_memory_windows ct_memory_windows_of(const double *samples, size_t count, size_t channels, double rate_hz);
/* A clean copy of it, mono; nothing to measure without memory. */
ct_memory_windows ct_memory_windows_copy(const double *samples, size_t count, double rate_hz);
void ct_memory_windows_free(ct_memory_windows *copy);

/* Of a mono signal, as ct_signal_active_span(). Two passes the first time. */
ct_signal_span ct_windows_active_span(ct_windows *mono, size_t min_count, size_t max_count);
/* Sum of squares; one of the two passes above. */
double ct_windows_energy(ct_windows *mono);

/* ---- all channels ---- */

ct_measured_level ct_windows_level(ct_windows *all);
ct_measured_loudness ct_windows_loudness(ct_windows *all); /* with the true peak */
/* Largest |value| after band-limited interpolation, in dB (dBTP of ITU-R BS.1770-4 annex 2). */
double ct_windows_true_peak_db(ct_windows *all);

/* ---- mono ---- */

ct_measured_pitch ct_windows_pitch(ct_windows *mono, double lo_hz, double hi_hz);
ct_measured_peak ct_windows_strongest_partial(ct_windows *mono, double lo_hz, double hi_hz);
/* All peaks down to depth_db under the strongest. */
size_t ct_windows_strong_peaks(ct_windows *mono, double depth_db, ct_measured_peak *peaks, size_t max);
ct_measured_harmonicity ct_windows_harmonicity(ct_windows *mono, double f0_hz);
double ct_windows_roughness(ct_windows *mono);
size_t ct_windows_onsets(ct_windows *mono, ct_measured_onset *onsets, size_t max);
/* The clicks and, in *worst, the strongest candidate (strength -INFINITY: none). */
size_t ct_windows_clicks(ct_windows *mono, double threshold_db, const ct_measure_interval *exempt,
                         size_t exempt_count, ct_measured_click *clicks, size_t max,
                         ct_measured_click *worst);

/* ---- many questions to one signal in memory ---- */

/* A clean copy of it, mono, and the spectrum that was last looked at: asked again, it is there. */
typedef struct ct_partials ct_partials;

typedef struct ct_signal_part {
  const double *samples;
  size_t count;
  double rate_hz;
} ct_signal_part;

ct_partials *ct_partials_make(const double *samples, size_t count, double rate_hz); /* NULL as the copy's */
void ct_partials_free(ct_partials *partials);
ct_signal_part ct_partials_signal(const ct_partials *partials);
/* As ct_windows_strongest_partial(), ct_measure_peaks() and ct_measure_decay(). */
ct_measured_peak ct_partials_strongest(ct_partials *partials, double lo_hz, double hi_hz);
size_t ct_partials_peaks(ct_partials *partials, double floor_db, ct_measured_peak *peaks, size_t max);
ct_measured_decay ct_partials_decay(ct_partials *partials, double mode_hz);

/* Of an envelope itself, which is destroyed: the second half of ct_measure_modulation(). */
ct_measured_modulation ct_envelope_modulation(double *envelope, size_t count, double rate_hz, double lo_hz,
                                              double hi_hz);
/* Depth between the extremes over one period of a mean and `count` pairs of a cosine and a sine. */
double ct_envelope_depth(double mean, const double *pairs, int count);

/* The power spectrum: made once, read often. Invariant: power is null or holds `bins` mean squares. */
typedef struct ct_power_spectrum {
  double *power;
  size_t bins;
  double bin_hz;
} ct_power_spectrum;

ct_power_spectrum ct_windows_spectrum(ct_windows *mono); /* free() .power */
ct_measured_spectrum ct_power_spectrum_shape(const ct_power_spectrum *spectrum, double lo_hz, double hi_hz);
void ct_power_spectrum_bands(const ct_power_spectrum *spectrum, const double *edges_hz, size_t bands,
                             double *level_db);

#endif
