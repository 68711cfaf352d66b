/* Radix-2 decimation in time, in place: bit reversal, then log2(n) rounds of butterflies. */
#include "measure/fft.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { CACHED = 2048 }; /* points */

static const double two_pi = 6.283185307179586476925;

size_t ct_fft_size(size_t n) {
  size_t size = 2;
  while (size < n && size <= SIZE_MAX / 4)
    size *= 2;
  return size;
}

double complex *ct_fft_make_twiddles(size_t n) {
  double complex *table = malloc((n / 2) * sizeof *table);
  if (!table)
    return NULL;
  for (size_t k = 0; k < n / 2; k++) {
    const double angle = two_pi * (double)k / (double)n;
    table[k] = ct_complex(cos(angle), -sin(angle));
  }
  return table;
}

static void bit_reverse(double complex *x, size_t n) {
  for (size_t i = 1, j = 0; i < n; i++) {
    size_t bit = n / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      const double complex swap = x[i];
      x[i] = x[j];
      x[j] = swap;
    }
  }
}

/* The complex product is written out: C's own one checks every product for infinities, at three times the
 * cost. */
static inline void butterfly(double complex *a, double complex *b, double w_re, double w_im) {
  const double b_re = creal(*b), b_im = cimag(*b);
  const double t_re = w_re * b_re - w_im * b_im, t_im = w_re * b_im + w_im * b_re;
  const double a_re = creal(*a), a_im = cimag(*a);
  *a = ct_complex(a_re + t_re, a_im + t_im);
  *b = ct_complex(a_re - t_re, a_im - t_im);
}

/* Rounds of butterflies on n points in bit-reversed order, with the table of n * spread points. Halves of
 * what does not fit into a cache are done one after the other: the order of butterflies does not change a
 * result. */
static void rounds(double complex *x, size_t n, const double complex *twiddles, size_t spread, double sign) {
  size_t half = 1;
  if (n > CACHED) {
    rounds(x, n / 2, twiddles, 2 * spread, sign);
    rounds(x + n / 2, n / 2, twiddles, 2 * spread, sign);
    half = n / 2;
  }
  for (; half < n; half *= 2) {
    const size_t stride = n / (2 * half) * spread;
    for (size_t start = 0; start < n; start += 2 * half)
      for (size_t k = 0; k < half; k++) {
        const double complex w = twiddles[k * stride];
        butterfly(&x[start + k], &x[start + k + half], creal(w), sign * cimag(w));
      }
  }
}

static void transform(double complex *x, size_t n, const double complex *twiddles, double sign) {
  bit_reverse(x, n);
  rounds(x, n, twiddles, 1, sign);
}

/* With Z the transform of x[2 m] + i x[2 m + 1], E and O those of the even and of the odd samples:
 * 2 E = Z[k] + conj(Z[n/2 - k]), 2 i O = Z[k] - conj(Z[n/2 - k]), X = E + e^(-2 pi i k / n) O. */
void ct_fft_forward_real(double complex *x, size_t n, const double complex *twiddles) {
  const size_t half = n / 2;
  bit_reverse(x, half);
  rounds(x, half, twiddles, 2, 1.0);
  const double complex z = x[0];
  x[0] = ct_complex(creal(z) + cimag(z), 0);
  x[half] = ct_complex(creal(z) - cimag(z), 0);
  for (size_t k = 1; k <= half / 2; k++) {
    const double complex a = x[k], b = x[half - k], w = twiddles[k];
    const double e_re = 0.5 * (creal(a) + creal(b)), e_im = 0.5 * (cimag(a) - cimag(b));
    const double o_re = 0.5 * (cimag(a) + cimag(b)), o_im = 0.5 * (creal(b) - creal(a));
    const double t_re = creal(w) * o_re - cimag(w) * o_im, t_im = creal(w) * o_im + cimag(w) * o_re;
    x[k] = ct_complex(e_re + t_re, e_im + t_im);
    x[half - k] = ct_complex(e_re - t_re, t_im - e_im);
  }
}

void ct_fft_forward(double complex *x, size_t n, const double complex *twiddles) {
  transform(x, n, twiddles, 1.0);
}

void ct_fft_inverse(double complex *x, size_t n, const double complex *twiddles) {
  transform(x, n, twiddles, -1.0);
}

bool ct_fft_frame_make(ct_fft_frame *f, size_t length, size_t size, double offset) {
  *f = (ct_fft_frame){.length = length,
                      .size = size,
                      .hann = malloc(length * sizeof *f->hann),
                      .x = malloc(size * sizeof *f->x),
                      .twiddles = ct_fft_make_twiddles(size)};
  for (size_t n = 0; f->hann && n < length; n++)
    f->hann[n] = 0.5 - 0.5 * cos(two_pi * ((double)n + offset) / (double)length);
  return f->hann && f->x && f->twiddles;
}

void ct_fft_frame_free(ct_fft_frame *f) {
  free(f->hann);
  free(f->x);
  free(f->twiddles);
}
