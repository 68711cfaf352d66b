/* In a block of B samples a pole w = w_c + (a little) differs from the middle w_c of its band by e^(e k),
 * e = (-s + i (w - w_c)) / rate, which is smooth: with u = (2 k + 1 - B) / B in -1 .. 1
 *
 *   e^(e k) = sum over p < P of c_p T_p(u),   so   sum x z^k = sum over p of c_p M_p,
 *   M_p = sum over k of x[k] e^(i w_c k) T_p(u_k)
 *
 * with Chebyshev's polynomials T_p, and the same M_p for all poles of the band. Bands are rate / B wide, and
 * decays at most 2 rate / B: then |e| B / 2 < 1.9, and what the first sixteen leave of e^(e k) is
 * 2 (1.9 / 2)^16 / 16! = 4e-14 of it, and much less for most poles. c_p come from the values of e^(e k) at
 * Chebyshev's points. Over blocks b that start at n_b
 *
 *   sum x z^n = sum over p of c_p W_p,  W_p = sum over b of z^(n_b) M_bp
 *
 * and sum n x z^n likewise, with n_b z^(n_b) and with the coefficients of k e^(e k). */
#include "modes/moments.h"
#include "modes/lanes.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>

enum {
  BLOCK = CT_MOMENT_BLOCK,
  HALF = BLOCK / 2,
  ORDER = CT_MOMENT_ORDER,
  BANDS = HALF + 1,
  STRIP = 64,                    /* blocks whose powers are made together */
  BYTES_MOST = 128 * 1024 * 1024 /* of all bands together */
};

static const double pi = 3.14159265358979323846;

typedef struct block {
  double re[ORDER], im[ORDER];
} block;

typedef struct band {
  block *blocks;
  bool *filled; /* [block] */
} band;

struct ct_moments {
  const double *x;
  double rate_hz;
  size_t blocks, bytes, reads;
  double turn[BLOCK];         /* cos(2 pi k / B) */
  double basis[ORDER][HALF];  /* T_p(u_k) of the first half; the second mirrors it */
  double nodes[ORDER][ORDER]; /* T_p at Chebyshev's points, times what makes sums over them coefficients */
  band bands[BANDS];
};

ct_moments *ct_moments_make(const double *x, size_t count, double rate_hz) {
  ct_moments *m = calloc(1, sizeof *m);
  if (!m)
    return NULL;
  m->x = x;
  m->rate_hz = rate_hz;
  m->blocks = count / BLOCK;
  for (int k = 0; k < BLOCK; k++)
    m->turn[k] = cos(2 * pi * k / BLOCK);
  for (int p = 0; p < ORDER; p++) {
    for (int k = 0; k < HALF; k++)
      m->basis[p][k] = cos(p * acos((2.0 * k + 1 - BLOCK) / BLOCK));
    for (int j = 0; j < ORDER; j++)
      m->nodes[p][j] = (p ? 2.0 : 1.0) / ORDER * cos(p * pi * (j + 0.5) / ORDER);
  }
  return m;
}

void ct_moments_free(ct_moments *m) {
  for (int c = 0; m && c < BANDS; c++) {
    free(m->bands[c].blocks);
    free(m->bands[c].filled);
  }
  free(m);
}

size_t ct_moments_reads(const ct_moments *m) { return m->reads; }

/* Null without memory, or where there is enough already. */
static band *band_of(ct_moments *m, uint32_t c) {
  band *b = &m->bands[c];
  size_t bytes = m->blocks * (sizeof *b->blocks + sizeof *b->filled);
  if (b->filled)
    return b;
  if (bytes > BYTES_MOST - m->bytes)
    return NULL;
  b->blocks = malloc(m->blocks * sizeof *b->blocks);
  b->filled = b->blocks ? calloc(m->blocks, sizeof *b->filled) : NULL;
  if (!b->filled) {
    free(b->blocks);
    *b = (band){NULL, NULL};
    return NULL;
  }
  m->bytes += bytes;
  return b;
}

/* T_p is even or odd like p: so the second half of a block is folded onto the first. */
static void fill_block(ct_moments *m, uint32_t c, const double *x, block *to) {
  double folded[2][2][HALF]; /* [odd p][re, im] */
  for (uint32_t k = 0; k < HALF; k++) {
    uint32_t near = c * k % BLOCK, far = c * (BLOCK - 1 - k) % BLOCK;
    double a = x[k], b = x[BLOCK - 1 - k];
    double a_re = a * m->turn[near], a_im = a * m->turn[(near + 3 * BLOCK / 4) % BLOCK];
    double b_re = b * m->turn[far], b_im = b * m->turn[(far + 3 * BLOCK / 4) % BLOCK];
    folded[0][0][k] = a_re + b_re;
    folded[0][1][k] = a_im + b_im;
    folded[1][0][k] = a_re - b_re;
    folded[1][1][k] = a_im - b_im;
  }
  for (int p = 0; p < ORDER; p++) {
    const double *re = folded[p % 2][0], *im = folded[p % 2][1], *basis = m->basis[p];
    ct_lanes re0 = {0}, re1 = {0}, im0 = {0}, im1 = {0};
    for (int k = 0; k < HALF; k += 4) {
      ct_lanes t0 = ct_load(basis + k), t1 = ct_load(basis + k + 2);
      re0 += t0 * ct_load(re + k);
      re1 += t1 * ct_load(re + k + 2);
      im0 += t0 * ct_load(im + k);
      im1 += t1 * ct_load(im + k + 2);
    }
    to->re[p] = ct_sum_lanes(re0 + re1);
    to->im[p] = ct_sum_lanes(im0 + im1);
  }
  m->reads += BLOCK;
}

/* Coefficients of e^(e k) and of k e^(e k). */
static void fill_coefficients(const ct_moments *m, double complex e, double complex c[ORDER],
                              double complex d[ORDER]) {
  double complex value[ORDER], slope[ORDER];
  for (int j = 0; j < ORDER; j++) {
    double k = 0.5 * (BLOCK * cos(pi * (j + 0.5) / ORDER) + BLOCK - 1), size = exp(creal(e) * k);
    value[j] = size * cos(cimag(e) * k) + CT_I * (size * sin(cimag(e) * k));
    slope[j] = k * value[j];
  }
  for (int p = 0; p < ORDER; p++) {
    c[p] = d[p] = 0;
    for (int j = 0; j < ORDER; j++) {
      c[p] += m->nodes[p][j] * value[j];
      d[p] += m->nodes[p][j] * slope[j];
    }
  }
}

/* W_p and sum n_b z^(n_b) M_bp over a strip of blocks; at[] has z^(n_b), n[] n_b. */
typedef struct sums {
  double re[ORDER], im[ORDER], n_re[ORDER], n_im[ORDER];
} sums;

static void add_strip(const block *blocks, size_t count, const double *at_re, const double *at_im,
                      const double *n, sums *s) {
  for (int p = 0; p < ORDER; p += 2) {
    ct_lanes re = ct_load(s->re + p), im = ct_load(s->im + p);
    ct_lanes n_re = ct_load(s->n_re + p), n_im = ct_load(s->n_im + p);
    for (size_t b = 0; b < count; b++) {
      ct_lanes m_re = ct_load(blocks[b].re + p), m_im = ct_load(blocks[b].im + p);
      ct_lanes a_re = ct_both(at_re[b]), a_im = ct_both(at_im[b]), at_n = ct_both(n[b]);
      ct_lanes t_re = a_re * m_re - a_im * m_im, t_im = a_re * m_im + a_im * m_re;
      re += t_re;
      im += t_im;
      n_re += at_n * t_re;
      n_im += at_n * t_im;
    }
    ct_store(s->re + p, re);
    ct_store(s->im + p, im);
    ct_store(s->n_re + p, n_re);
    ct_store(s->n_im + p, n_im);
  }
}

static double complex power_of(ct_pole pole, double rate_hz, double n) {
  double size = exp(-pole.decay * n / rate_hz), angle = pole.omega * n / rate_hz;
  return size * cos(angle) + CT_I * (size * sin(angle));
}

/* Over blocks first .. last - 1 of the recording; block `first` starts `from` samples after n = 0. */
static void sum_blocks(ct_moments *m, uint32_t c, band *b, size_t first, size_t last, ct_pole pole,
                       double from, sums *s) {
  double complex at = power_of(pole, m->rate_hz, from), turn = power_of(pole, m->rate_hz, BLOCK);
  for (size_t i = first; i < last; i += STRIP) {
    size_t count = last - i < STRIP ? last - i : STRIP;
    double at_re[STRIP], at_im[STRIP], n[STRIP];
    for (size_t k = 0; k < count; k++) {
      if (!b->filled[i + k])
        fill_block(m, c, m->x + (i + k) * BLOCK, &b->blocks[i + k]);
      b->filled[i + k] = true;
      at_re[k] = creal(at);
      at_im[k] = cimag(at);
      n[k] = from + (double)((i - first + k) * BLOCK);
      at = ct_times(at, turn);
    }
    add_strip(b->blocks + i, count, at_re, at_im, n, s);
  }
}

bool ct_moments_sum(ct_moments *m, const double *start, ct_pole pole, size_t *from, size_t *to,
                    double complex *x0, double complex *x1) {
  size_t at = (size_t)(start - m->x), first = (at + *from + BLOCK - 1) / BLOCK, last = (at + *to) / BLOCK;
  double wide = 2 * pi * m->rate_hz / BLOCK, nearest = round(pole.omega / wide);
  if (last > m->blocks)
    last = m->blocks;
  if (first >= last || pole.decay * BLOCK > 2 * m->rate_hz || !(nearest < BANDS))
    return false;
  uint32_t c = (uint32_t)nearest;
  band *b = band_of(m, c);
  if (!b)
    return false;
  sums s = {.re = {0}};
  double complex value[ORDER], slope[ORDER];
  *from = first * BLOCK - at;
  *to = last * BLOCK - at;
  sum_blocks(m, c, b, first, last, pole, (double)*from, &s);
  fill_coefficients(m, (-pole.decay + CT_I * (pole.omega - c * wide)) / m->rate_hz, value, slope);
  for (int p = 0; p < ORDER; p++) {
    double complex w = s.re[p] + CT_I * s.im[p], n = s.n_re[p] + CT_I * s.n_im[p];
    *x0 += ct_times(value[p], w);
    *x1 += ct_times(value[p], n) + ct_times(slope[p], w);
  }
  return true;
}
