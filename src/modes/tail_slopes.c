/* Slopes of the likelihood, the same way back (Koopman and Shephard 1992), a block at a time. With rho the
 * derivative of the log likelihood by a and 1/2 (rho rho' - N) that by P, after a block and before it turns,
 * and everything of it times G^-1, as tail.c makes it (e, Y; V too):
 *
 *   h = e - Y rho,  R = 1 + Y N Y'
 *   by S   1/2 (h h' - R),   by C   h rho' + Y N,   by V   h a' + ((h h' - R) V + by C) P
 *   rho <- rho + V' h,  N <- N + V' X + X' V,  X = 1/2 R V - Y N
 *
 * and then by a and P as they were before they turned. S, C and P have the tail's variance as a factor of
 * what is the same for all blocks: what is summed over blocks is told to c, the room and the poles at the
 * end. */
#include "base/inline.h"
#include "modes/lanes.h"
#include "modes/linear.h"
#include "modes/product.h"
#include "modes/tail.h"

#include <math.h>
#include <string.h>

enum { BLOCK = CT_TAIL_BLOCK, SQUARE = BLOCK * BLOCK };

typedef struct back {
  uint32_t n;
  size_t row;          /* numbers of [BLOCK][n] */
  double *rho, *big_n; /* [n], [n * n] */
  double *views;       /* [3][BLOCK][n] V, X and V again */
  double *mixed;       /* [BLOCK][n] Y N, then the derivative by C, */
  double *across;      /* [n][BLOCK] Y', */
  double *moved;       /* [BLOCK][n] and the derivative by V */
  double h[BLOCK], r[SQUARE];
  double *by_pushed; /* sums over blocks, of derivatives by what `spread`, `shared` and `pushed` stand for */
  double *by_shared, by_spread[SQUARE];
  double *by_views;
  double by_level, by_fall;
} back;

/* Fills h, R, V, X and Y N of a block. */
CT_INLINE void look_back(const ct_tail *t, size_t block, back *b) {
  const uint32_t n = b->n, filled = ct_tail_filled(t, block);
  const double *gains = ct_tail_block_of(t, block).gains, *off = t->off + block * BLOCK;
  double *x = b->views + b->row;
  ct_tail_unmix(t, block, n, t->views, b->views);
  memcpy(b->views + 2 * b->row, b->views, b->row * sizeof *b->views);
  for (size_t k = 0; k < BLOCK; k++) {
    b->h[k] = off[k] - ct_dot(gains + k * n, b->rho, n);
    for (size_t i = 0; i < n; i++)
      b->across[i * BLOCK + k] = gains[k * n + i];
  }
  if (t->expected_only)
    return;
  memset(b->mixed, 0, b->row * sizeof *b->mixed);
  memset(b->r, 0, sizeof b->r);
  memset(x, 0, b->row * sizeof *x);
  ct_add_product(BLOCK, n, n, gains, n, 1, b->big_n, b->mixed);
  ct_add_product(BLOCK, n, BLOCK, b->mixed, n, 1, b->across, b->r);
  for (size_t k = 0; k < filled; k++)
    b->r[k * BLOCK + k] += 1;
  ct_add_product(BLOCK, BLOCK, n, b->r, BLOCK, 1, b->views, x);
  for (size_t i = 0; i < b->row; i++)
    x[i] = 0.5 * x[i] - b->mixed[i];
}

/* Adds the derivatives by S, C and P after the block, and by V where poles are free. */
CT_INLINE void add_sums(const ct_tail *t, size_t block, back *b) {
  const uint32_t n = b->n;
  const ct_tail_block at = ct_tail_block_of(t, block);
  const double q = ct_tail_variance(t, block * BLOCK);
  double by_s[SQUARE], half[SQUARE] = {0}, whole[SQUARE] = {0}, share = 0;
  for (size_t k = 0; k < BLOCK; k++) {
    for (size_t l = 0; l < BLOCK; l++)
      by_s[k * BLOCK + l] = b->h[k] * b->h[l] - b->r[k * BLOCK + l];
    for (size_t i = 0; i < n; i++)
      b->mixed[k * n + i] += b->h[k] * b->rho[i];
  }
  ct_add_product(BLOCK, BLOCK, BLOCK, at.unmix, 1, BLOCK, by_s, half);
  ct_add_product(BLOCK, BLOCK, BLOCK, half, BLOCK, 1, at.unmix, whole);
  memset(b->moved, 0, b->row * sizeof *b->moved);
  ct_add_product(BLOCK, BLOCK, n, at.unmix, 1, BLOCK, b->mixed, b->moved);
  for (size_t k = 0; k < SQUARE; k++)
    b->by_spread[k] += 0.5 * q * whole[k];
  for (size_t i = 0; i < b->row; i++)
    b->by_shared[i] += q * b->moved[i];
  for (size_t i = 0; i < n; i++) {
    double *restrict to = b->by_pushed + i * n;
    const double *pushed = t->pushed + i * n, *row = b->big_n + i * n;
    for (size_t l = 0; l < n; l++)
      to[l] += 0.5 * q * (b->rho[i] * b->rho[l] - row[l]);
    share += 0.5 * (b->rho[i] * ct_dot(pushed, b->rho, n) - ct_dot(pushed, row, n));
  }
  share += 0.5 * ct_dot(whole, t->spread, SQUARE) + ct_dot(b->moved, t->shared, (uint32_t)b->row);
  b->by_level += q * share;
  b->by_fall += q * share * (1 - 2 * t->fall / t->rate_hz * (double)(block * BLOCK));
  if (t->fixed == t->modes)
    return;
  ct_add_product(BLOCK, BLOCK, n, by_s, BLOCK, 1, b->views, b->mixed);
  for (size_t k = 0; k < BLOCK; k++)
    for (size_t i = 0; i < n; i++)
      b->moved[k * n + i] = b->h[k] * at.a[i];
  ct_add_product(BLOCK, n, n, b->mixed, n, 1, at.p, b->moved);
  ct_add_product(BLOCK, BLOCK, n, at.unmix, 1, BLOCK, b->moved, b->by_views);
}

/* rho and N as they were before the block. */
CT_INLINE void go_back(const ct_tail *t, back *b) {
  for (size_t k = 0; k < BLOCK; k++)
    for (size_t i = 0; i < b->n; i++)
      b->rho[i] += b->h[k] * b->views[k * b->n + i];
  if (!t->expected_only)
    ct_add_symmetric(b->n, 2 * BLOCK, 1, b->views, b->views + b->row, b->big_n);
}

/* By the poles that are not fixed: amplitudes turned by them before the block. */
static void add_turn_slopes(const ct_tail *t, size_t block, const back *b, double *slopes) {
  const uint32_t m = t->width, n = b->n;
  const ct_tail_block at = ct_tail_block_of(t, block);
  const double seconds = BLOCK / t->rate_hz;
  for (uint32_t i = t->fixed; i < t->modes; i++) {
    const size_t x = i, y = m + i;
    const double *p_x = at.p + x * n, *p_y = at.p + y * n, *n_x = b->big_n + x * n, *n_y = b->big_n + y * n;
    double re = at.a[x] + ct_dot(p_x, b->rho, n), im = at.a[y] + ct_dot(p_y, b->rho, n);
    double *out = slopes + 2 * (size_t)t->modes + 2 + 2 * (size_t)(i - t->fixed);
    out[0] += (b->rho[y] * re - b->rho[x] * im + ct_dot(n_x, p_y, n) - ct_dot(n_y, p_x, n)) * seconds;
    out[1] += (ct_dot(n_x, p_x, n) + ct_dot(n_y, p_y, n) - b->rho[x] * re - b->rho[y] * im) *
              t->poles[i].decay * seconds;
  }
}

/* From derivatives by L Q L', L Q U and U' Q U to those by the answers m[k - j] = L[k][j], by U (moved[j][n])
 * and by the fall of Q. With F = (by L Q L') L, H = (by L Q U) U' and W = U (by U' Q U) that is, for each j,
 * Q[j] (2 F + H)[k][j], Q[j] (L' (by L Q U) + 2 W)[j] and sum of L (F + H) + U W. */
static void untie(const ct_tail *t, back *b, double answers[BLOCK]) {
  const uint32_t n = b->n;
  double f[SQUARE] = {0}, h[SQUARE] = {0}, lower[SQUARE] = {0}, *w = b->moved;
  for (size_t k = 0; k < BLOCK; k++)
    for (size_t j = 0; j <= k; j++)
      lower[k * BLOCK + j] = t->answers[k - j];
  for (size_t k = 0; k < BLOCK; k++)
    for (size_t j = 0; j < BLOCK; j++)
      h[k * BLOCK + j] = ct_dot(b->by_shared + k * n, t->pushes + j * n, n);
  ct_add_product(BLOCK, BLOCK, BLOCK, b->by_spread, BLOCK, 1, lower, f);
  memset(w, 0, b->row * sizeof *w);
  ct_add_product(BLOCK, n, n, t->pushes, n, 1, b->by_pushed, w);
  for (size_t j = 0; j < BLOCK; j++) {
    double fallen = 2 * t->fall / t->rate_hz * (double)j, q = exp(-fallen);
    double by_q = ct_dot(t->pushes + j * n, w + j * n, n);
    for (size_t i = 0; i < n; i++)
      w[j * n + i] *= 2 * q;
    for (size_t k = j; k < BLOCK; k++) {
      double l = t->answers[k - j], by_f = f[k * BLOCK + j], by_h = h[k * BLOCK + j];
      by_q += l * (by_f + by_h);
      answers[k - j] += q * (2 * by_f + by_h);
      for (size_t i = 0; i < n; i++)
        w[j * n + i] += q * l * b->by_shared[k * n + i];
    }
    b->by_fall -= fallen * q * by_q;
  }
}

/* By amplitude and pole of mode i, on which answers Re(c z^k), pushes c / z^k and views z^k depend. */
static void add_mode_slopes(const ct_tail *t, uint32_t i, const back *b, const double answers[BLOCK],
                            double *slopes) {
  const uint32_t m = t->width;
  double complex by_c = 0;
  double by_omega = 0, by_decay = 0;
  for (size_t k = 0; k < BLOCK; k++) {
    const double *view = t->views + k * b->n + i, *push = t->pushes + k * b->n + i;
    const double *by_push = b->moved + k * b->n + i, *by_view = b->by_views + k * b->n + i;
    double complex z = view[0] - CT_I * view[m], p = push[0] + CT_I * push[m];
    double complex along = ct_times_conj(p, by_push[0] + CT_I * by_push[m]);
    along -= ct_times(by_view[0] + CT_I * by_view[m] + answers[k] * t->c[i], z);
    by_c += ct_times(z, by_push[0] + CT_I * by_push[m]) / ct_square(z) + answers[k] * conj(z);
    by_omega += (double)k / t->rate_hz * cimag(along);
    by_decay += (double)k / t->rate_hz * creal(along);
  }
  slopes[2 * i] += creal(by_c);
  slopes[2 * i + 1] += cimag(by_c);
  if (i < t->fixed)
    return;
  double *out = slopes + 2 * (size_t)t->modes + 2 + 2 * (size_t)(i - t->fixed);
  out[0] += by_omega;
  out[1] += by_decay * t->poles[i].decay;
}

static void add_sum_slopes(const ct_tail *t, back *b, double *slopes) {
  double answers[BLOCK] = {0};
  untie(t, b, answers);
  for (uint32_t i = 0; i < t->modes; i++)
    add_mode_slopes(t, i, b, answers, slopes);
  slopes[2 * t->modes] += b->by_level;
  slopes[2 * t->modes + 1] += b->by_fall;
}

CT_WIDE void ct_tail_slopes(ct_tail *t, double *slopes) {
  const uint32_t n = 2 * t->width;
  const size_t row = BLOCK * (size_t)n, square = n * (size_t)n;
  back b = {.n = n, .row = row, .big_n = t->scratch};
  b.by_pushed = b.big_n + square;
  b.by_shared = b.by_pushed + square;
  b.by_views = b.by_shared + row;
  b.rho = b.by_views + row;
  memset(t->scratch, 0, (2 * square + 2 * row + n) * sizeof *t->scratch);
  b.views = b.rho + n;
  b.mixed = b.views + 3 * row;
  b.across = b.mixed + row;
  b.moved = b.across + row;
  memset(slopes, 0, ct_tail_parameters(t) * sizeof *slopes);
  for (size_t block = ct_tail_blocks(t); block-- > 0;) {
    look_back(t, block, &b);
    if (!t->expected_only)
      add_sums(t, block, &b);
    go_back(t, &b);
    if (block > 0) {
      add_turn_slopes(t, block, &b, slopes);
      ct_tail_turn(t, -1, b.rho, b.big_n);
    }
  }
  if (!t->expected_only)
    add_sum_slopes(t, &b, slopes);
  for (uint32_t i = 0; i < t->modes; i++) {
    slopes[2 * i] += b.rho[i];
    slopes[2 * i + 1] += b.rho[t->width + i];
  }
}
