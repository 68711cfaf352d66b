/* A damped exponential c z^n has the same windowed spectrum in every frame, V(k) = sum over a frame of
 * w[n] z^n e^(-2 pi i k n / N), times c z^(start of the frame) / 2. Hann's window of F samples is three
 * exponentials, so that V is three geometric sums, with q = z e^(-2 pi i k / N) and h = e^(i pi / F)
 *
 *   V = (1 - q^F) (1/2 / (1 - q) - 1/4 h / (1 - q h^2) - 1/4 h^-1 / (1 - q h^-2))
 *
 * and only the few bins around its peak count. The mode's mirror image at negative frequencies, conj(c) times
 * another such spectrum U, lies beyond them for all but the lowest modes. With a the mode's amplitude in a
 * frame the power of a band of the sum S rises by
 *
 *   2 Re(a <V, S> + conj(a) <U, S>) + |a|^2 (<V, V> + <U, U>) + 2 Re(a^2 <V, U>)
 *
 * where only a changes with the mode's gain and phase. */
#include "modes/levels.h"
#include "modes/linear.h"
#include "measure/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BANDS = CT_CELL_BANDS, QUIET_BINS = 5 /* a skirt has a zero at every second one */ };

static const double unheard_db = 6, mirrored_hz = 400;
static const double skirt = 1e-8;     /* of its largest bin's power: what of a mode's spectrum counts */
static const double unchanged = 1e-7; /* of a cell's power, or of the floor, is no change */

void ct_levels_free(ct_levels *l) {
  free(l->memory);
  free(l->twiddles);
  *l = (ct_levels){0};
}

double ct_levels_db(const ct_levels *l, double power) {
  return 10 / log(10.0) * log(power > l->least ? power : l->least);
}

/* Square of a cell's difference. One that is under the floor in the recording is not heard there, nor counted
 * by the distance: it may be some dB over it. */
static double off_by(const ct_levels *l, double power, double wanted) {
  double off = ct_levels_db(l, power) - wanted;
  if (wanted <= ct_levels_db(l, 0))
    off = off > unheard_db ? off - unheard_db : 0;
  return off * off;
}

static bool allocate(ct_levels *l) {
  size_t bins = l->bins * l->frames, cells = l->cells;
  double **parts[] = {&l->sum.re,   &l->sum.im,  &l->wanted,  &l->power, &l->off,  &l->along.re,
                      &l->along.im, &l->back.re, &l->back.im, &l->at.re, &l->at.im};
  double *next = l->memory = calloc(2 * bins + 7 * cells + 2 * l->frames, sizeof *next);
  for (size_t i = 0; next && i < sizeof parts / sizeof *parts; i++) {
    *parts[i] = next;
    next += i < 2 ? bins : i < 9 ? cells : l->frames;
  }
  l->twiddles = ct_fft_make_twiddles(l->n);
  return l->memory && l->twiddles;
}

bool ct_levels_init(ct_levels *l, const ct_segment *s) {
  *l = (ct_levels){.segment = s, .frames = ct_cells_frames(s->count, s->rate_hz)};
  ct_cells_layout(s->rate_hz, &l->frame, &l->hop, &l->n, l->edges);
  l->cells = l->frames * BANDS;
  l->bins = l->edges[BANDS];
  if (!allocate(l) || !ct_cells_fill(s->x, s->count, s->rate_hz, l->along.re))
    return false;
  l->least = ct_cells_floor(l->along.re, l->frames);
  for (size_t f = 0; f < l->frames; f++)
    for (size_t b = 0; b < BANDS; b++)
      l->wanted[b * l->frames + f] = ct_levels_db(l, l->along.re[f * BANDS + b]);
  for (size_t k = 0; k < l->cells; k++)
    l->off[k] = off_by(l, 0, l->wanted[k]);
  return true;
}

double ct_levels_squares(const ct_levels *l) {
  double sum = 0, floor_db = ct_levels_db(l, 0);
  for (size_t k = 0; k < l->cells; k++)
    sum += l->wanted[k] > floor_db ? l->off[k] : 0;
  return sum;
}

/* ---- shapes ---- */

static double complex one_over(double complex x) { return conj(x) / ct_square(x); }

/* What all bins of a shape have in common: z, z^F and h. */
typedef struct root {
  double complex z, end, h;
} root;

static root root_of(const ct_levels *l, ct_pole pole) {
  double s = pole.decay / l->segment->rate_hz, w = pole.omega / l->segment->rate_hz, f = (double)l->frame;
  return (root){exp(-s) * (cos(w) + CT_I * sin(w)), exp(-s * f) * (cos(w * f) + CT_I * sin(w * f)),
                cos(M_PI / f) + CT_I * sin(M_PI / f)};
}

/* e^(-2 pi i k / N) for any k. */
static double complex turn_of(const ct_levels *l, size_t k) {
  k %= l->n;
  return k < l->n / 2 ? l->twiddles[k] : -l->twiddles[k - l->n / 2];
}

/* V / 2 at bin k; at -k where `mirrored`. */
static double complex bin_of(const ct_levels *l, const root *r, size_t k, bool mirrored) {
  double complex turn = turn_of(l, k), end = turn_of(l, k * l->frame);
  double complex q = ct_times(r->z, mirrored ? conj(turn) : turn), h = r->h, up = ct_times(h, h);
  double complex sum = 0.5 * one_over(1 - q) - 0.25 * ct_times(h, one_over(1 - ct_times(q, up))) -
                       0.25 * ct_times(conj(h), one_over(1 - ct_times_conj(q, up)));
  return 0.5 * ct_times(1 - ct_times(r->end, mirrored ? conj(end) : end), sum);
}

/* Fills bins from the peak on to both sides, as far as they count. */
static void fill_bins(const ct_levels *l, const root *r, ct_shape *shape) {
  size_t peak = (size_t)(shape->pole.omega / (2 * M_PI) / l->segment->rate_hz * (double)l->n + 0.5);
  peak = peak < l->bins ? peak : l->bins - 1;
  double most = ct_square(shape->bins[peak] = bin_of(l, r, peak, false));
  shape->from = peak;
  shape->to = peak + 1;
  for (size_t k = peak + 1; k < l->bins && k < shape->to + QUIET_BINS; k++) {
    double power = ct_square(shape->bins[k] = bin_of(l, r, k, false));
    most = power > most ? power : most;
    if (power >= skirt * most)
      shape->to = k + 1;
  }
  for (size_t k = peak; k-- > 0 && k + QUIET_BINS >= shape->from;) {
    double power = ct_square(shape->bins[k] = bin_of(l, r, k, false));
    most = power > most ? power : most;
    if (power >= skirt * most)
      shape->from = k;
  }
}

void ct_shape_aim(const ct_levels *l, ct_shape *shape, ct_pole pole) {
  root r = root_of(l, pole);
  shape->pole = pole;
  shape->mirrored = pole.omega < 2 * M_PI * mirrored_hz;
  fill_bins(l, &r, shape);
  memset(shape->own, 0, sizeof shape->own);
  memset(shape->with, 0, sizeof shape->with);
  for (size_t k = shape->from; shape->mirrored && k < shape->to; k++)
    shape->bins[l->bins + k] = conj(bin_of(l, &r, k, true));
  for (size_t b = 0; b < BANDS; b++)
    for (size_t k = l->edges[b] > shape->from ? l->edges[b] : shape->from;
         k < l->edges[b + 1] && k < shape->to; k++) {
      shape->own[b] += ct_square(shape->bins[k]);
      if (shape->mirrored) {
        shape->own[b] += ct_square(shape->bins[l->bins + k]);
        shape->with[b] += ct_times_conj(shape->bins[k], shape->bins[l->bins + k]);
      }
    }
}

/* ---- sums of them ---- */

/* A mode's amplitude in every frame. */
static void fill_at(ct_levels *l, const ct_shape *shape, double complex amplitude) {
  double t = (double)l->hop / l->segment->rate_hz, size = exp(-shape->pole.decay * t);
  double complex turn = size * cos(shape->pole.omega * t) + CT_I * (size * sin(shape->pole.omega * t));
  for (size_t f = 0; f < l->frames; f++) {
    l->at.re[f] = creal(amplitude);
    l->at.im[f] = cimag(amplitude);
    amplitude = ct_times(amplitude, turn);
  }
}

/* Adds v conj(S) of one bin. */
static void add_product(const ct_levels *l, size_t bin, double complex v, double *re, double *im) {
  const double *s_re = l->sum.re + bin * l->frames, *s_im = l->sum.im + bin * l->frames;
  double v_re = creal(v), v_im = cimag(v);
  for (size_t f = 0; f < l->frames; f++) {
    re[f] += v_re * s_re[f] + v_im * s_im[f];
    im[f] += v_im * s_re[f] - v_re * s_im[f];
  }
}

void ct_levels_look(ct_levels *l, const ct_shape *shape) {
  for (size_t b = 0; b < BANDS; b++) {
    size_t cell = b * l->frames, bytes = l->frames * sizeof(double);
    if (shape->own[b] == 0)
      continue;
    memset(l->along.re + cell, 0, bytes);
    memset(l->along.im + cell, 0, bytes);
    memset(l->back.re + cell, 0, bytes);
    memset(l->back.im + cell, 0, bytes);
    for (size_t k = l->edges[b] > shape->from ? l->edges[b] : shape->from;
         k < l->edges[b + 1] && k < shape->to; k++) {
      add_product(l, k, shape->bins[k], l->along.re + cell, l->along.im + cell);
      if (shape->mirrored)
        add_product(l, k, shape->bins[l->bins + k], l->back.re + cell, l->back.im + cell);
    }
  }
}

double ct_levels_gain(ct_levels *l, const ct_shape *shape, double complex amplitude) {
  double gain = 0;
  fill_at(l, shape, amplitude);
  for (size_t b = 0; b < BANDS; b++) {
    double own = shape->own[b], with_re = 2 * creal(shape->with[b]), with_im = 2 * cimag(shape->with[b]);
    if (own == 0)
      continue;
    for (size_t f = 0, cell = b * l->frames; f < l->frames; f++, cell++) {
      double re = l->at.re[f], im = l->at.im[f], power = l->power[cell];
      double change =
          2 * (re * (l->along.re[cell] + l->back.re[cell]) - im * (l->along.im[cell] - l->back.im[cell])) +
          own * (re * re + im * im) + with_re * (re * re - im * im) - 2 * with_im * re * im;
      if (fabs(change) > unchanged * (power + l->least))
        gain += l->off[cell] - off_by(l, power + change, l->wanted[cell]);
    }
  }
  return gain;
}

/* Adds the mode's share of one bin to the sum; mirror is 0 where it is not heard. */
static void add_bin(ct_levels *l, size_t bin, double complex v, double complex mirror) {
  double *re = l->sum.re + bin * l->frames, *im = l->sum.im + bin * l->frames;
  double along_re = creal(v) + creal(mirror), along_im = cimag(v) + cimag(mirror);
  double across_re = creal(v) - creal(mirror), across_im = cimag(v) - cimag(mirror);
  for (size_t f = 0; f < l->frames; f++) {
    re[f] += l->at.re[f] * along_re - l->at.im[f] * across_im;
    im[f] += l->at.re[f] * along_im + l->at.im[f] * across_re;
  }
}

void ct_levels_add(ct_levels *l, const ct_shape *shape, double complex amplitude) {
  fill_at(l, shape, amplitude);
  for (size_t k = shape->from; k < shape->to; k++)
    add_bin(l, k, shape->bins[k], shape->mirrored ? shape->bins[l->bins + k] : 0);
  for (size_t b = 0; b < BANDS; b++) {
    double *power = l->power + b * l->frames;
    if (shape->own[b] == 0)
      continue;
    memset(power, 0, l->frames * sizeof *power);
    for (size_t k = l->edges[b]; k < l->edges[b + 1]; k++) {
      const double *re = l->sum.re + k * l->frames, *im = l->sum.im + k * l->frames;
      for (size_t f = 0; f < l->frames; f++)
        power[f] += re[f] * re[f] + im[f] * im[f];
    }
    for (size_t f = 0, cell = b * l->frames; f < l->frames; f++, cell++)
      l->off[cell] = off_by(l, power[f], l->wanted[cell]);
  }
}
