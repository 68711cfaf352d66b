/* Two modes with poles p + d and p - d and the same amplitude are
 *
 *   c/2 e^(p t) (e^(d t) + e^(-d t)) = c e^(p t) (1 + (d t)^2 / 2 + ...)
 *
 * and of unlike ones c and p take up the rest. A fit with one pole makes the residual orthogonal to e^(p t)
 * and, since the pole is at its best, to t e^(p t): the first thing that two modes leave is along
 * t^2 e^(p t). A matched filter for nothing but bumps of a spectrum does not see it. With a_k the
 * coefficients of t^k e^(p t), k < 3, fitted to the residual, d = sqrt(2 a_2 / c), and what a_2 alone
 * explains is the likelihood ratio. Time is counted in decay times, tau = s t. */
#include "modes/split.h"
#include "modes/linear.h"

#include <math.h>
#include <string.h>

static const double span = 12;      /* decay times: what comes later is nothing */
static const double farthest = 1.5; /* widths */
static const double least_decay = 0.3;

/* gram[k] = sum tau^k e^(-2 tau), sums[k] = sum r tau^k e^(-tau - i w t). */
static void correlate(const ct_segment *s, ct_pole pole, double gram[5], double complex sums[3]) {
  double step = pole.decay / s->rate_hz, w = pole.omega / s->rate_hz;
  size_t heard = (size_t)fmin(ceil(span / step), (double)s->count);
  double complex turn = exp(-step) * (cos(w) - CT_I * sin(w)), at = 1;
  memset(gram, 0, 5 * sizeof *gram);
  memset(sums, 0, 3 * sizeof *sums);
  for (size_t n = 0; n < heard; n++) {
    double tau = step * (double)n, power = ct_square(at);
    double complex x = s->x[n] * at;
    for (int k = 0; k < 5; k++, power *= tau)
      gram[k] += power;
    for (int k = 0; k < 3; k++, x *= tau)
      sums[k] += x;
    at = ct_times(at, turn);
  }
}

double ct_split_over(const ct_segment *residual, ct_pole pole, double complex amplitude, double noise,
                     ct_pole pair[2]) {
  double gram[5];
  double complex sums[3], matrix[9], right[6] = {0};
  correlate(residual, pole, gram, sums);
  for (int k = 0; k < 3; k++) {
    for (int j = 0; j < 3; j++)
      matrix[3 * k + j] = gram[k + j];
    right[2 * k] = 2 * sums[k];
  }
  right[5] = 1; /* second column: the last one of the inverse */
  if (!ct_complex_solve(3, matrix, right, 2) || ct_square(amplitude) == 0)
    return 0;
  double complex a = right[4], d = csqrt(2 * a / amplitude);
  double over = ct_square(a) / (4 * creal(right[5]) * noise);
  d *= fmin(1, farthest / (cabs(d) + 1e-30));
  for (int i = 0; i < 2; i++) {
    double sign = i ? -1 : 1;
    pair[i] = (ct_pole){pole.omega + sign * pole.decay * cimag(d),
                        pole.decay * fmax(1 - sign * creal(d), least_decay)};
  }
  return over;
}
