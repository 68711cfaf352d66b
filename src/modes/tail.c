/* Kalman's filter, a block of samples at a time. The state is the amplitudes a of all modes at the block's
 * first sample; from one sample to the next they turn by z, and the tail pushes all of them along c by one
 * random number r[k]; at sample 0 they are c and one push. With everything told at the first sample of a
 * block, row k of V what amplitudes give to its sample k and row j of U how push j moves them, c / z^j,
 *
 *   x = V a + L r + noise,  L[k][j] = Re(sum of c z^(k - j)) for j <= k,  Q = the variances of r
 *
 * so that with a and P what the samples before say about the amplitudes
 *
 *   S = V P V' + L Q L' + noise 1 = G G'   the covariance of what is off, x - V a,
 *   C = V P + L Q U                        that of what is off and of the amplitudes after the block
 *   e = G^-1 (x - V a),  Y = G^-1 C,  a <- a + Y' e,  P <- P + U' Q U - Y' Y
 *
 * and then a and P turn by z^BLOCK. Q falls as e^(-2 fall k / rate), so that its products are the same for
 * all blocks but for a factor. The sum of -1/2 |e|^2 - log det G is the log likelihood. It depends on c by
 * what is expected and by its variance: the tail alone tells how loud the modes are beside one another, the
 * first samples tell how loud they are at all. */
#include "modes/tail.h"
#include "base/inline.h"
#include "modes/lanes.h"
#include "modes/linear.h"
#include "modes/product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = CT_TAIL_BLOCK, SQUARE = BLOCK * BLOCK };

bool ct_tail_init(ct_tail *t, const double *x, size_t count, double rate_hz, uint32_t most) {
  size_t n = 2 * (((size_t)most + 1) & ~(size_t)1), row = BLOCK * n, square = n * n;
  *t = (ct_tail){.x = x, .count = count, .rate_hz = rate_hz, .most = most};
  t->poles = calloc(most + 1, sizeof *t->poles);
  t->c = calloc(most + 1, sizeof *t->c);
  t->off = malloc((ct_tail_blocks(t) * BLOCK + 1) * sizeof *t->off);
  t->blocks = malloc((ct_tail_blocks(t) * (n + square + SQUARE + row) + 1) * sizeof *t->blocks);
  t->views = malloc((4 * row + square + n + BLOCK + SQUARE) * sizeof *t->views);
  t->scratch = malloc((6 * n + 2 * square + 12 * row + 1) * sizeof *t->scratch);
  if (!t->poles || !t->c || !t->off || !t->blocks || !t->views || !t->scratch) {
    ct_tail_free(t);
    return false;
  }
  return true;
}

void ct_tail_free(ct_tail *t) {
  free(t->poles);
  free(t->c);
  free(t->off);
  free(t->blocks);
  free(t->views);
  free(t->scratch);
  *t = (ct_tail){0};
}

/* ---- what is the same for all blocks ---- */

static void fill_mode(ct_tail *t, uint32_t i) {
  double s = t->poles[i].decay / t->rate_hz, w = t->poles[i].omega / t->rate_hz;
  double complex z = exp(-s) * (cos(w) + CT_I * sin(w)), back = exp(s) * (cos(w) - CT_I * sin(w));
  double complex at = 1, push = t->c[i];
  for (size_t k = 0; k < BLOCK; k++) {
    double *view = t->views + k * 2 * t->width + i, *pushes = t->pushes + k * 2 * t->width + i;
    view[0] = creal(at);
    view[t->width] = -cimag(at);
    t->across[i * BLOCK + k] = view[0];
    t->across[(t->width + i) * BLOCK + k] = view[t->width];
    pushes[0] = creal(push);
    pushes[t->width] = cimag(push);
    at = ct_times(at, z);
    push = ct_times(push, back);
  }
  t->turns[i] = creal(at);
  t->turns[t->width + i] = cimag(at);
}

static void fill_tables(ct_tail *t) {
  uint32_t n = 2 * (t->width = (t->modes + 1) & ~1u);
  size_t row = BLOCK * (size_t)n, square = n * (size_t)n;
  double **parts[] = {&t->pushes, &t->across, &t->shared, &t->pushed, &t->turns, &t->answers, &t->spread};
  const size_t sizes[] = {row, row, row, row, square, n, BLOCK, SQUARE};
  double *at = t->views;
  memset(at, 0, (4 * row + square + n + BLOCK + SQUARE) * sizeof *at);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    *parts[i] = at += sizes[i];
  for (uint32_t i = 0; i < t->modes; i++)
    fill_mode(t, i);
  double across[SQUARE] = {0}, falling[SQUARE] = {0}, *pushes = t->scratch; /* L', Q L', Q U */
  for (size_t d = 0; d < BLOCK; d++)
    t->answers[d] = ct_dot(t->views + d * n, t->pushes, n);
  for (size_t j = 0; j < BLOCK; j++) {
    double fallen = exp(-2 * t->fall / t->rate_hz * (double)j);
    for (size_t k = j; k < BLOCK; k++) {
      across[j * BLOCK + k] = t->answers[k - j];
      falling[j * BLOCK + k] = t->answers[k - j] * fallen;
    }
    for (size_t i = 0; i < n; i++)
      pushes[j * n + i] = t->pushes[j * n + i] * fallen;
  }
  ct_add_symmetric(BLOCK, BLOCK, 1, across, falling, t->spread);
  ct_add_product(BLOCK, BLOCK, n, across, 1, BLOCK, pushes, t->shared);
  ct_add_symmetric(n, BLOCK, 1, t->pushes, pushes, t->pushed);
}

double ct_tail_variance(const ct_tail *t, size_t k) {
  double a = t->fall / t->rate_hz;
  return t->level * 2 * a * exp(-2 * a * (double)k);
}

/* ---- block by block ---- */

/* a <- W a and p <- W p W', W the turn of a whole block; with `sign` -1, W' a and W' p W. */
CT_WIDE void ct_tail_turn(const ct_tail *t, double sign, double *restrict a, double *restrict p) {
  const uint32_t m = t->width, n = 2 * m;
  const double *c = t->turns, *s = t->turns + m;
  for (size_t i = 0; i < m; i++) {
    double *restrict x = p + i * n, *restrict y = x + (size_t)m * n, re = a[i], im = a[m + i];
    a[i] = c[i] * re - sign * s[i] * im;
    a[m + i] = sign * s[i] * re + c[i] * im;
    for (size_t l = 0; l < n; l++) {
      double row = x[l], below = y[l];
      x[l] = c[i] * row - sign * s[i] * below;
      y[l] = sign * s[i] * row + c[i] * below;
    }
  }
  for (size_t i = 0; i < n; i++) {
    double *restrict x = p + i * n, *restrict y = x + m;
    for (size_t l = 0; l < m; l++) {
      double left = x[l], right = y[l];
      x[l] = c[l] * left - sign * s[l] * right;
      y[l] = sign * s[l] * left + c[l] * right;
    }
  }
}

/* From S to G^-1, by elimination on both halves of s = [S | 1]. Returns log det G. A pivot, which is the
 * variance of what is off, is not less than the noise's: less is rounding. */
CT_INLINE double unmix(double noise, double *restrict s) {
  double sum = 0, product = 1;
  for (size_t j = 0; j < BLOCK; j++) {
    double *row = s + j * 2 * BLOCK, size = sqrt(fmax(row[j], noise));
    for (size_t l = 0; l < 2 * BLOCK; l++)
      row[l] *= 1 / size;
    for (size_t i = j + 1; i < BLOCK; i++) {
      double *other = s + i * 2 * BLOCK, part = row[i];
      for (size_t l = 0; l < 2 * BLOCK; l++)
        other[l] -= part * row[l];
    }
    product *= size;
    if (j % 4 == 3) {
      sum += log(product);
      product = 1;
    }
  }
  return sum;
}

void ct_tail_unmix(const ct_tail *t, size_t block, uint32_t columns, const double *in, double *out) {
  const double *unmix = ct_tail_block_of(t, block).unmix;
  uint32_t filled = ct_tail_filled(t, block);
  memset(out, 0, BLOCK * (size_t)columns * sizeof *out);
  for (uint32_t k = 0; k < filled; k += 4) /* zeros follow the diagonal */
    ct_add_product(4, k + 4, columns, unmix + (size_t)k * BLOCK, BLOCK, 1, in, out + (size_t)k * columns);
  memset(out + (size_t)filled * columns, 0, (BLOCK - filled) * (size_t)columns * sizeof *out);
}

/* Looks at a block, of which a and P are filled; `seen` is C, to[BLOCK][n]. Returns its share of the log
 * likelihood. */
CT_INLINE double look(ct_tail *t, size_t block, double *seen) {
  const uint32_t n = 2 * t->width, filled = ct_tail_filled(t, block);
  const ct_tail_block b = ct_tail_block_of(t, block);
  double q = ct_tail_variance(t, block * BLOCK), known[SQUARE] = {0}, s[2 * SQUARE] = {0}, off[BLOCK] = {0};
  double *to = t->off + block * BLOCK, sum = 0;
  memset(seen, 0, BLOCK * (size_t)n * sizeof *seen);
  ct_add_product(BLOCK, n, n, t->views, n, 1, b.p, seen);
  ct_add_product(BLOCK, n, BLOCK, seen, n, 1, t->across, known);
  for (size_t k = 0; k < BLOCK; k++) {
    for (size_t l = k; l < filled; l++)
      s[k * 2 * BLOCK + l] = q * t->spread[k * BLOCK + l] + known[k * BLOCK + l];
    s[k * 2 * BLOCK + k] += k < filled ? t->noise : 1;
    s[k * 2 * BLOCK + BLOCK + k] = 1;
    if (k < filled)
      off[k] = t->x[block * BLOCK + k] - ct_dot(t->views + k * n, b.a, n);
    for (size_t i = 0; i < n; i++)
      seen[k * n + i] += q * t->shared[k * n + i];
  }
  double share = -unmix(fmin(t->noise, 1), s);
  for (size_t k = 0; k < BLOCK; k++) {
    memcpy(b.unmix + k * BLOCK, s + k * 2 * BLOCK + BLOCK, BLOCK * sizeof *s);
    to[k] = ct_dot(b.unmix + k * BLOCK, off, (uint32_t)k + 1);
    sum += to[k] * to[k];
  }
  ct_tail_unmix(t, block, n, seen, b.gains);
  return share - 0.5 * sum;
}

/* a and P after a block, told at the first sample of the next one. */
CT_INLINE void go_on(const ct_tail *t, size_t block, double *restrict a, double *restrict p) {
  const uint32_t n = 2 * t->width;
  const ct_tail_block b = ct_tail_block_of(t, block);
  const double q = ct_tail_variance(t, block * BLOCK);
  memcpy(a, b.a, n * sizeof *a);
  for (size_t k = 0; k < BLOCK; k++)
    for (size_t i = 0; i < n; i++)
      a[i] += b.gains[k * n + i] * t->off[block * BLOCK + k];
  for (size_t i = 0; i < (size_t)n * n; i++)
    p[i] = b.p[i] + q * t->pushed[i];
  ct_add_symmetric(n, BLOCK, -1, b.gains, b.gains, p);
  ct_tail_turn(t, 1, a, p);
}

CT_WIDE double ct_tail_likelihood(ct_tail *t) {
  double sum = 0;
  fill_tables(t);
  for (size_t block = 0; block < ct_tail_blocks(t); block++) {
    ct_tail_block b = ct_tail_block_of(t, block);
    if (block == 0) {
      memset(b.p, 0, 4 * (size_t)t->width * t->width * sizeof *b.p);
      memcpy(b.a, t->pushes, 2 * (size_t)t->width * sizeof *b.a);
    } else
      go_on(t, block - 1, b.a, b.p);
    sum += look(t, block, t->scratch);
  }
  return sum;
}
