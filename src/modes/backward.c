/* Recursive least squares, backwards in time: Kalman's filter. Amplitudes are those at the sample looked at,
 * so that from one sample to the one before it each turns by 1 / z, and a sample is the sum of their real
 * parts plus noise, x = phi' a + noise, phi = (1, 0, 1, 0, ...). Given what later samples say, a of
 * covariance p, it is expected with the variance 1 + phi' p phi (in units of the noise's), and then
 *
 *   g = p phi / (1 + phi' p phi),  a <- a + g (x - phi' a),  p <- p - g phi' p.
 *
 * The squares that least squares leaves of all samples so far grow by (x - phi' a)^2 / (1 + phi' p phi): one
 * pass tells them for every sample that the strike might have started at. */
#include "modes/backward.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of what a mode that rings out tells about its amplitude: so much is taken as known beforehand, for modes of
 * which nothing is left at `skip`. */
static const double known_before = 1e-8;

void ct_backward_free(ct_backward *b) {
  free(b->a);
  free(b->p);
  free(b->turn);
  free(b->gain);
  *b = (ct_backward){0};
}

/* p = matrix^-1 and a = p right. */
static void solve(ct_backward *b, double *matrix, const double *right) {
  uint32_t n = b->n;
  ct_cholesky(n, matrix);
  for (uint32_t i = 0; i < n; i++) {
    double *row = b->p + (size_t)i * n;
    memset(row, 0, n * sizeof *row);
    row[i] = 1;
    ct_cholesky_forward(n, matrix, row);
    ct_cholesky_back(n, matrix, row);
    for (uint32_t k = 0; k < n; k++)
      b->a[i] += row[k] * right[k];
  }
}

bool ct_backward_init(ct_backward *b, const ct_pole *poles, uint32_t modes, const ct_segment *segment,
                      size_t skip) {
  uint32_t n = 2 * modes;
  size_t square = (size_t)n * n + 1;
  *b = (ct_backward){.modes = modes, .n = n};
  b->a = calloc(n + 1, sizeof *b->a);
  b->p = malloc(square * sizeof *b->p);
  b->turn = malloc((modes + 1) * sizeof *b->turn);
  b->gain = malloc((n + 1) * sizeof *b->gain);
  double *matrix = malloc(square * sizeof *matrix);
  const ct_segment later = {segment->x + skip, segment->count - skip, segment->rate_hz, segment->moments};
  bool memory =
      b->a && b->p && b->turn && b->gain && matrix && ct_fit_equations(poles, modes, &later, matrix, b->gain);
  for (uint32_t i = 0; memory && i < modes; i++) {
    double s = poles[i].decay / segment->rate_hz, w = poles[i].omega / segment->rate_hz;
    b->turn[i] = exp(s) * (cos(w) - CT_I * sin(w));
    for (uint32_t k = 2 * i; k < 2 * i + 2; k++)
      matrix[(size_t)k * n + k] += known_before / s;
  }
  if (memory)
    solve(b, matrix, b->gain);
  else
    ct_backward_free(b);
  free(matrix);
  return memory;
}

/* a and p one sample earlier: columns turn, then rows. */
static void turn_back(ct_backward *b) {
  uint32_t n = b->n;
  for (uint32_t i = 0; i < b->modes; i++) {
    double re = creal(b->turn[i]), im = cimag(b->turn[i]), *x = b->p + (size_t)2 * i * n, *y = x + n;
    for (uint32_t k = 0; k <= i; k++) {
      double c = creal(b->turn[k]), s = cimag(b->turn[k]), *x2 = x + 2 * k, *y2 = y + 2 * k;
      double x_re = c * x2[0] - s * x2[1], x_im = s * x2[0] + c * x2[1];
      double y_re = c * y2[0] - s * y2[1], y_im = s * y2[0] + c * y2[1];
      x2[0] = re * x_re - im * y_re;
      x2[1] = re * x_im - im * y_im;
      y2[0] = im * x_re + re * y_re;
      y2[1] = im * x_im + re * y_im;
    }
    double old = b->a[2 * i];
    b->a[2 * i] = re * old - im * b->a[2 * i + 1];
    b->a[2 * i + 1] = im * old + re * b->a[2 * i + 1];
  }
}

/* p phi: sums of even rows, of which the part beyond the diagonal stands in a column. */
static void fill_gain(ct_backward *b) {
  memset(b->gain, 0, b->n * sizeof *b->gain);
  for (uint32_t i = 0; i < b->n; i += 2) {
    const double *x = b->p + (size_t)i * b->n, *y = x + b->n;
    double x_sum = 0, y_sum = 0;
    for (uint32_t k = 0; k < i; k += 2) {
      b->gain[k] += x[k];
      b->gain[k + 1] += x[k + 1];
      x_sum += x[k];
      y_sum += y[k];
    }
    b->gain[i] += x_sum + x[i];
    b->gain[i + 1] += y_sum + y[i];
  }
}

double ct_backward_step(ct_backward *b, double x, double *variance) {
  uint32_t n = b->n;
  double expected = 1, off = x;
  turn_back(b);
  fill_gain(b);
  for (uint32_t i = 0; i < n; i += 2) {
    expected += b->gain[i];
    off -= b->a[i];
  }
  expected = fmax(expected, 1); /* less is rounding, where modes are hardly to be told apart */
  for (uint32_t i = 0; i < n; i++) {
    double share = b->gain[i] / expected, *row = b->p + (size_t)i * n;
    b->a[i] += share * off;
    for (uint32_t k = 0; k <= i; k++)
      row[k] -= share * b->gain[k];
    if (i % 2) /* copied: rounding would grow in their difference */
      b->p[(size_t)(i - 1) * n + i] = row[i - 1];
  }
  *variance = expected;
  return off;
}
