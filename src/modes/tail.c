/* Kalman's filter. The state is the amplitudes of all modes at a sample; from one to the next they turn by z,
 * and the tail pushes all of them along c by one random number; at sample 0 they are c and one push. So a
 * sample is the sum of their real parts plus noise; it is expected to be `view' a` with the variance F =
 * view' P view + noise, a and P what the samples before say about the amplitudes, and
 *
 *   K = P view / F,  a <- a + K off,  P <- P - F K K'
 *
 * The sum of -1/2 (off^2 / F + log F) is the log likelihood. It depends on c by what is expected and by its
 * variance: the tail alone tells how loud the modes are beside one another, the first samples tell how loud
 * they are at all.
 *
 * Slopes: the same way back (Koopman and Shephard 1992). With v = view, rho the derivative of the log
 * likelihood by a, and 1/2 (rho rho' - N) that by P, both before a sample is looked at:
 *
 *   rho <- rho + v (off / F - K' rho),  N <- (1 - v K') N (1 - K v') + v v' / F
 *
 * Amplitudes are those at the first sample of a block of some samples, so that P turns once in a block only;
 * in between views and pushes turn. */
#include "modes/tail.h"
#include "base/inline.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Compiled once for any machine and once for registers of four numbers, and chosen when the program is
 * loaded, where that can be done. The loops below add up nothing from one number of a row to the next, and
 * nothing is fused: the numbers are the same. */
#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define CT_WIDE
#endif

enum { BLOCK = 16 };

static size_t blocks_of(const ct_tail *t) { return (t->count + BLOCK - 1) / BLOCK; }

bool ct_tail_init(ct_tail *t, const double *x, size_t count, double rate_hz, uint32_t most) {
  size_t n = 2 * (size_t)most, square = n * n;
  *t = (ct_tail){.x = x, .count = count, .rate_hz = rate_hz, .most = most};
  t->poles = calloc(most + 1, sizeof *t->poles);
  t->c = calloc(most + 1, sizeof *t->c);
  t->gains = malloc((count * n + 1) * sizeof *t->gains);
  t->off = malloc((count + 1) * sizeof *t->off);
  t->spread = malloc((count + 1) * sizeof *t->spread);
  t->starts = malloc((blocks_of(t) * (n + square) + 1) * sizeof *t->starts);
  t->views = malloc((BLOCK * n + 1) * sizeof *t->views);
  t->pushes = malloc((BLOCK * n + 1) * sizeof *t->pushes);
  t->turns = malloc((most + 1) * sizeof *t->turns);
  t->scratch = malloc(((BLOCK + 1) * (n + square) + 4 * n + 1) * sizeof *t->scratch);
  if (t->poles && t->c && t->gains && t->off && t->spread && t->starts && t->views && t->pushes && t->turns &&
      t->scratch)
    return true;
  ct_tail_free(t);
  return false;
}

void ct_tail_free(ct_tail *t) {
  free(t->poles);
  free(t->c);
  free(t->gains);
  free(t->off);
  free(t->spread);
  free(t->starts);
  free(t->views);
  free(t->pushes);
  free(t->turns);
  free(t->scratch);
  *t = (ct_tail){0};
}

/* ---- what stands for a block ---- */

static void fill_tables(ct_tail *t) {
  uint32_t n = 2 * t->modes;
  for (uint32_t i = 0; i < t->modes; i++) {
    double s = t->poles[i].decay / t->rate_hz, w = t->poles[i].omega / t->rate_hz;
    for (int k = 0; k <= BLOCK; k++) {
      double complex z = exp(-s * k) * (cos(w * k) + CT_I * sin(w * k)),
                     push = ct_times(t->c[i], exp(s * k) * (cos(w * k) - CT_I * sin(w * k)));
      if (k == BLOCK) {
        t->turns[i] = z;
        break;
      }
      t->views[(size_t)k * n + 2 * i] = creal(z);
      t->views[(size_t)k * n + 2 * i + 1] = -cimag(z);
      t->pushes[(size_t)k * n + 2 * i] = creal(push);
      t->pushes[(size_t)k * n + 2 * i + 1] = cimag(push);
    }
  }
}

/* The variance of r[k]. */
static double tail_variance(const ct_tail *t, size_t k) {
  double a = t->fall / t->rate_hz;
  return t->level * 2 * a * exp(-2 * a * (double)k);
}

/* The two rows of a mode turn; with `sign` -1 by the transposed matrix. */
CT_INLINE void turn_pair(double complex turn, double sign, double *x, double *y, uint32_t step,
                         uint32_t count) {
  double c = creal(turn), s = sign * cimag(turn);
  for (uint32_t k = 0; k < count * step; k += step) {
    double re = x[k], im = y[k];
    x[k] = c * re - s * im;
    y[k] = s * re + c * im;
  }
}

/* a <- W a and p <- W p W', W the turn of a whole block; with `sign` -1, W' a and W' p W. */
CT_INLINE void turn_all(const ct_tail *t, double sign, double *a, double *p) {
  uint32_t n = 2 * t->modes;
  for (uint32_t i = 0; i < t->modes; i++) {
    turn_pair(t->turns[i], sign, a + 2 * i, a + 2 * i + 1, 1, 1);
    turn_pair(t->turns[i], sign, p + (size_t)2 * i * n, p + (size_t)(2 * i + 1) * n, 1, n);
  }
  for (uint32_t i = 0; i < t->modes; i++)
    turn_pair(t->turns[i], sign, p + 2 * i, p + 2 * i + 1, n, n);
}

/* ---- the way there ---- */

/* out = matrix x, of a symmetric matrix. */
CT_INLINE void multiply(uint32_t n, const double *matrix, const double *x, double *restrict out) {
  memset(out, 0, n * sizeof *out);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++)
      out[k] += x[i] * matrix[(size_t)i * n + k];
}

/* p <- p + u x x' + w y y' */
CT_INLINE void add_squares(uint32_t n, double *restrict p, double u, const double *x, double w,
                           const double *y) {
  for (uint32_t i = 0; i < n; i++) {
    double *restrict row = p + (size_t)i * n, along = u * x[i], across = w * y[i];
    for (uint32_t k = 0; k < n; k++)
      row[k] += along * x[k] + across * y[k];
  }
}

/* Looks at sample k. Returns its share of the log likelihood. */
CT_INLINE double look(ct_tail *t, size_t k, double *a, double *p) {
  uint32_t n = 2 * t->modes;
  const double *view = t->views + k % BLOCK * n, *push = t->pushes + k % BLOCK * n;
  double *gain = t->gains + k * n, q = tail_variance(t, k), f = t->noise, off = t->x[k];
  multiply(n, p, view, gain);
  double along = q * ct_dot(view, push, n);
  for (uint32_t i = 0; i < n; i++) {
    gain[i] += along * push[i];
    f += view[i] * gain[i];
    off -= view[i] * a[i];
  }
  f = fmax(f, t->noise); /* less is rounding */
  add_squares(n, p, q, push, -1 / f, gain);
  for (uint32_t i = 0; i < n; i++) {
    gain[i] /= f;
    a[i] += gain[i] * off;
  }
  t->off[k] = off;
  t->spread[k] = f;
  return -0.5 * (off * off / f + log(f));
}

static double *start_of(const ct_tail *t, size_t block) {
  size_t n = 2 * (size_t)t->modes;
  return t->starts + block * (n + n * n);
}

CT_WIDE double ct_tail_likelihood(ct_tail *t) {
  uint32_t n = 2 * t->modes;
  size_t bytes = ((size_t)n * n + n) * sizeof(double);
  double *a = t->scratch, *p = a + n, sum = 0;
  fill_tables(t);
  memset(a, 0, bytes);
  for (uint32_t i = 0; i < t->modes; i++) {
    a[2 * i] = creal(t->c[i]);
    a[2 * i + 1] = cimag(t->c[i]);
  }
  for (size_t k = 0; k < t->count; k++) {
    if (k % BLOCK == 0 && k > 0)
      turn_all(t, 1, a, p);
    if (k % BLOCK == 0)
      memcpy(start_of(t, k / BLOCK), a, bytes);
    sum += look(t, k, a, p);
  }
  return sum;
}

/* ---- the way back ---- */

typedef struct back {
  double *rho, *big_n;    /* [n], [n * n] */
  double *mixed, *pushed; /* [n] N K, and N times the push */
  double *states;         /* [sample of the block] a and P before its push */
} back;

/* Amplitudes and covariances of a block, again. */
CT_INLINE void fill_states(const ct_tail *t, size_t block, double *states) {
  uint32_t n = 2 * t->modes;
  size_t size = n + (size_t)n * n;
  memcpy(states, start_of(t, block), size * sizeof *states);
  for (size_t k = block * BLOCK; k + 1 < t->count && k + 1 < (block + 1) * BLOCK; k++) {
    double *now = states + k % BLOCK * size, *next = now + size;
    const double *gain = t->gains + k * n;
    for (uint32_t i = 0; i < n; i++)
      next[i] = now[i] + gain[i] * t->off[k];
    memcpy(next + n, now + n, (size_t)n * n * sizeof *next);
    add_squares(n, next + n, tail_variance(t, k), t->pushes + k % BLOCK * n, -t->spread[k], gain);
  }
}

/* rho and N from after sample k was looked at to before. */
CT_INLINE void look_back(const ct_tail *t, size_t k, back *b) {
  uint32_t n = 2 * t->modes;
  const double *view = t->views + k % BLOCK * n, *gain = t->gains + k * n;
  double known = ct_dot(gain, b->rho, n);
  multiply(n, b->big_n, gain, b->mixed);
  double more = 1 / t->spread[k] + ct_dot(gain, b->mixed, n);
  for (uint32_t i = 0; i < n; i++) {
    b->rho[i] += view[i] * (t->off[k] / t->spread[k] - known);
    b->mixed[i] = 0.5 * more * view[i] - b->mixed[i];
  }
  for (uint32_t i = 0; i < n; i++) {
    double *restrict row = b->big_n + (size_t)i * n, x = view[i], y = b->mixed[i];
    const double *mixed = b->mixed;
    for (uint32_t l = 0; l < n; l++)
      row[l] += x * mixed[l] + y * view[l];
  }
}

/* By what the push at sample k depends on: c, level and fall. */
static void add_push_slopes(const ct_tail *t, size_t k, back *b, double *slopes) {
  uint32_t n = 2 * t->modes;
  const double *view = t->views + k % BLOCK * n, *push = t->pushes + k % BLOCK * n;
  double q = tail_variance(t, k), along = ct_dot(b->rho, push, n);
  multiply(n, b->big_n, push, b->pushed);
  double part = 0.5 * q * (along * along - ct_dot(push, b->pushed, n));
  slopes[n] += part;
  slopes[n + 1] += part * (1 - 2 * t->fall / t->rate_hz * (double)k);
  for (uint32_t i = 0; i < n; i += 2) { /* the push is c / z^k; view has z^k */
    double size = view[i] * view[i] + view[i + 1] * view[i + 1];
    double re = q * (b->rho[i] * along - b->pushed[i]) / size,
           im = q * (b->rho[i + 1] * along - b->pushed[i + 1]) / size;
    slopes[i] += view[i] * re + view[i + 1] * im;
    slopes[i + 1] += view[i] * im - view[i + 1] * re;
  }
}

/* By the poles that are not fixed: from the sample before to sample k amplitudes turned by them. */
static void add_pole_slopes(const ct_tail *t, size_t k, const back *b, double *slopes) {
  uint32_t n = 2 * t->modes;
  const double *a = b->states + k % BLOCK * (n + (size_t)n * n), *p = a + n;
  for (uint32_t i = t->fixed; i < t->modes; i++) {
    size_t x = 2 * i, y = x + 1;
    const double *p_x = p + x * n, *p_y = p_x + n, *n_x = b->big_n + x * n, *n_y = n_x + n;
    double re = a[x] + ct_dot(p_x, b->rho, n), im = a[y] + ct_dot(p_y, b->rho, n);
    double *out = slopes + n + 2 + 2 * (size_t)(i - t->fixed);
    out[0] += (b->rho[y] * re - b->rho[x] * im + ct_dot(n_x, p_y, n) - ct_dot(n_y, p_x, n)) / t->rate_hz;
    out[1] += (ct_dot(n_x, p_x, n) + ct_dot(n_y, p_y, n) - b->rho[x] * re - b->rho[y] * im) *
              t->poles[i].decay / t->rate_hz;
  }
}

CT_WIDE void ct_tail_slopes(ct_tail *t, double *slopes) {
  uint32_t n = 2 * t->modes;
  size_t square = (size_t)n * n;
  double *rho = t->scratch;
  back b = {rho, rho + n, rho + n + square, rho + 2 * n + square, rho + 3 * n + square};
  memset(slopes, 0, ct_tail_parameters(t) * sizeof *slopes);
  memset(rho, 0, (n + square) * sizeof *rho);
  for (size_t k = t->count; k-- > 0;) {
    if ((k + 1) % BLOCK == 0 || k + 1 == t->count)
      fill_states(t, k / BLOCK, b.states);
    look_back(t, k, &b);
    if (!t->expected_only)
      add_push_slopes(t, k, &b, slopes);
    if (!t->expected_only && k > 0)
      add_pole_slopes(t, k, &b, slopes);
    if (k % BLOCK == 0 && k > 0)
      turn_all(t, -1, b.rho, b.big_n);
  }
  for (uint32_t i = 0; i < n; i++)
    slopes[i] += b.rho[i];
}
