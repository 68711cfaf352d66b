/* What every measure needs of a signal: a clean copy, windows, decibels, its active part, and one sinusoid of
 * it. */
#ifndef CONTATTO_MEASURE_SIGNAL_H
#define CONTATTO_MEASURE_SIGNAL_H

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define CT_TWO_PI 6.283185307179586476925

/* The C library's are floats, which the compilers are asked to warn about. */
#define CT_NAN ((double)NAN)
#define CT_INFINITY ((double)INFINITY)

/* A part of a signal, by sample index. */
typedef struct ct_signal_span {
  size_t start;
  size_t count;
} ct_signal_span;

/* True if there is anything to measure: samples, a positive finite rate. */
bool ct_signal_valid(const double *samples, size_t count, double rate_hz);

/* Copy with NaN and infinite samples as 0; free() it. NULL if empty or without memory. */
double *ct_signal_copy(const double *samples, size_t count);

/* 10 log10, -INFINITY for 0. */
double ct_signal_power_db(double power);

/* Nothing but zeros. */
bool ct_signal_is_silent(const double *samples, size_t count);

double ct_signal_power(const double *samples, size_t count);

/* Where the energy is: from `start` to `end`, 0.1 % to 99.9 % of the cumulated energy, widened to at least
 * min_count samples and cut to at most max_count. A window over a short sound in a long file would else rest
 * mostly on silence. start = count: there is no energy. */
ct_signal_span ct_signal_span_within(size_t count, size_t start, size_t end, size_t min_count,
                                     size_t max_count);

/* Four-term Blackman-Harris window (side lobes -92 dB, main lobe 4 bins to each side), periodic form; free()
 * it. */
double *ct_signal_make_window(size_t count);

/* value of sum over n of samples[n] window[n] e^(-i omega n), with its first two derivatives by omega. */
typedef struct ct_signal_line {
  double complex value, slope, curvature;
} ct_signal_line;

ct_signal_line ct_signal_transform_at(const double *samples, const double *window, size_t count,
                                      double omega);

/* The frequency (radians per sample) of the local maximum of the windowed spectrum next to omega, by Newton's
 * method; moves at most max_shift. NAN if it did not settle. */
double ct_signal_refine_peak(const double *samples, const double *window, size_t count, double omega,
                             double max_shift);

/* How far from the frequency asked for a mode is looked for. */
static inline double ct_signal_mode_reach_hz(double hz) { return fmin(fmax(0.01 * hz, 3.0), 20.0); }

/* Magnitude spectrum of samples times window, zero-padded to fft_count: fft_count / 2 + 1 values; free() it.
 */
double *ct_signal_make_magnitude(const double *samples, const double *window, size_t count, size_t fft_count);

/* Smallest first. */
void ct_signal_sort(double *values, size_t count);

/* Solves m x = v for a positive definite n x n matrix stored row by row, of which only the lower triangle is
 * read; x replaces v, and m is used up (Cholesky). */
void ct_signal_solve(double *m, double *v, size_t n);

#endif
