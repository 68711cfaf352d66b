/* A complex FFT in double precision. Invariant: sizes are powers of two, and the twiddle table passed in was
 * made for the same size.
 *
 * Own code rather than kissfft because distributions ship kissfft in single precision only, whose rounding
 * (-140 dB) would be the floor of every measure built on it. */
#ifndef CONTATTO_MEASURE_FFT_H
#define CONTATTO_MEASURE_FFT_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* re + i im. C17's CMPLX is missing where the C library does not know the compiler. */
static inline double complex ct_complex(double re, double im) {
  const union {
    double parts[2];
    double complex value;
  } number = {{re, im}};
  return number.value;
}

static inline double ct_complex_power(double complex x) { return creal(x) * creal(x) + cimag(x) * cimag(x); }

/* Smallest power of two >= n, at least 2. */
size_t ct_fft_size(size_t n);

/* The table e^(-2 pi i k / n), k < n / 2, for transforms of n points; free() it. NULL without memory. */
double complex *ct_fft_make_twiddles(size_t n);

/* In place, forward (e^-i), unscaled. */
void ct_fft_forward(double complex *x, size_t n, const double complex *twiddles);

/* The same of n >= 4 real numbers, which lie in x one after the other: bins 0 .. n / 2 instead, so that x has
 * room for n / 2 + 1. The table is that of n points. */
void ct_fft_forward_real(double complex *x, size_t n, const double complex *twiddles);

/* In place, inverse (e^+i), unscaled: forward then inverse multiplies by n. */
void ct_fft_inverse(double complex *x, size_t n, const double complex *twiddles);

/* A Hann window over `length` samples, n + offset of its length into its period, and a transform of `size`
 * points, at least as many. */
typedef struct ct_fft_frame {
  size_t length, size;
  double *hann;
  double complex *x, *twiddles;
} ct_fft_frame;

bool ct_fft_frame_make(ct_fft_frame *frame, size_t length, size_t size, double offset); /* false: no memory */
void ct_fft_frame_free(ct_fft_frame *frame);                                            /* in any case */

#endif
