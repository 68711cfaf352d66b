/* What the modes leave of a strike, as the thump of a point: a response to an impulse that pickups may hear.
 *
 * A body's masses say which impulse J the recorded gains answer to, and with it how the engine's modes ring
 * at a place after such a blow (body.c): all from their full speed, whatever phases were recorded, and some
 * of them in place of many. The thump is the recording minus just that, over J; so the first moments of a
 * blow sound as recorded, and then the modes take over. Of the strikes at a place the one with most energy is
 * taken, with J as much larger as its gains are than the mean of that place.
 *
 * What is left of a recording never ends: there is its noise. So the mean square of what comes later is taken
 * away, and the thump lasts until it has nearly all of the energy that is then left over; from there on it is
 * faded out over a third as long again. A body that is held somewhere does not move under a steady force, so
 * the sum of the response is made zero. */
#include "base/spline.h"
#include "base/text.h"
#include "modes/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double later_s = 0.3;        /* is noise, and what else goes on */
static const double energy_share = 0.999; /* that the thump has before it is faded out */
static const double least_share = 1e-4;   /* of the strike's energy in that time: less is no thump */
static const double least_digit = 1e-4;   /* of its peak: 80 dB under it */
static const double largest_per_kg = 1e6; /* that a scene takes */
static const double highest_hz = 384000, lowest_hz = 1000;

/* From the strike on: what was recorded, in the middle between samples, and what is left of it. */
typedef struct rest {
  double *recorded, *left;
  size_t count, longest; /* longest: of a thump */
  double rate_hz;
} rest;

/* Strikes before it may still ring. */
static void take_earlier(const ct_found_modes *f, uint32_t strike, const ct_recording *from, const rest *r,
                         double *scratch) {
  const ct_found_strike *s = &f->strikes[strike];
  for (uint32_t g = 0; g < strike; g++) {
    if (f->strikes[g].recording != s->recording)
      continue;
    size_t before = s->start - f->strikes[g].start;
    ct_modes_play(f, g, from->rate_hz, scratch, before + r->count);
    for (size_t n = 0; n < r->count; n++)
      r->left[n] -= scratch[before + n];
  }
}

/* A mode after a blow: v = a e^(-s t) (cos(w t) - (s / w) sin(w t)). */
static void take_mode(const ct_found_mode *m, double gain, const rest *r) {
  double s = log(1000) / m->t60_s, w = 2 * pi * m->hz;
  for (size_t n = 0; n < r->count; n++) {
    double t = ((double)n + 0.5) / r->rate_hz;
    r->left[n] -= gain * exp(-s * t) * (cos(w * t) - s / w * sin(w * t));
  }
}

static bool find_rest(const ct_found_modes *f, uint32_t strike, const ct_recording *from, double strength,
                      rest *r) {
  const ct_found_strike *s = &f->strikes[strike];
  double *scratch = malloc((s->start + r->count) * sizeof *scratch);
  r->recorded = calloc(r->count + 1, sizeof *r->recorded);
  r->left = calloc(r->count + 1, sizeof *r->left);
  bool memory = scratch && r->recorded && r->left;
  for (size_t n = 0; memory && n < r->count; n++)
    r->recorded[n] = r->left[n] =
        ct_read_between(from->samples, from->count, (double)(s->start + n) + 0.5, 1);
  if (memory)
    take_earlier(f, strike, from, r, scratch);
  for (uint32_t i = 0; memory && i < f->mode_count; i++)
    take_mode(&f->modes[i], strength * ct_modes_struck_gain(f, s->place, i), r);
  free(scratch);
  return memory;
}

static double mean_square(const double *x, size_t first, size_t end) {
  double sum = 0;
  for (size_t n = first; n < end; n++)
    sum += x[n] * x[n];
  return end > first ? sum / (double)(end - first) : 0;
}

/* Where nearly all energy over the noise has come; 0: there is no thump. */
static size_t energy_end(const rest *r) {
  double noise = mean_square(r->left, r->longest, r->count), sum = 0, most = 0;
  for (size_t n = 0; n < r->longest; n++) {
    sum += r->left[n] * r->left[n] - noise;
    most = fmax(most, sum);
  }
  if (most <= least_share * mean_square(r->recorded, 0, r->longest) * (double)r->longest)
    return 0;
  size_t end = 0;
  for (sum = 0; end < r->longest && sum < energy_share * most; end++)
    sum += r->left[end] * r->left[end] - noise;
  return end;
}

/* In place; its length in samples. */
static size_t cut(const rest *r, double per_impulse) {
  size_t end = energy_end(r), whole = end + end / 3;
  whole = whole < r->longest ? whole : r->longest;
  size_t fade = whole / 4 + 1;
  double sum = 0, weights = 0;
  for (size_t n = 0; n < whole; n++) {
    double t = n + fade < whole ? 0 : (double)(n + fade - whole) / (double)fade;
    double weight = 0.5 + 0.5 * cos(pi * t);
    r->left[n] *= weight * per_impulse;
    sum += r->left[n];
    weights += weight;
  }
  for (size_t n = 0; n < whole; n++) {
    double t = n + fade < whole ? 0 : (double)(n + fade - whole) / (double)fade;
    r->left[n] -= (0.5 + 0.5 * cos(pi * t)) * sum / weights;
  }
  return whole;
}

/* Numbers with few digits, as a file is read by people too; the length without zeros at the end. */
static size_t round_off(double *h, size_t count) {
  double peak = 0;
  for (size_t n = 0; n < count; n++)
    peak = fmax(peak, fabs(h[n]));
  if (!(peak > 0 && peak <= largest_per_kg))
    return 0;
  double per_unit = pow(10, fmax(ceil(-log10(least_digit * peak)), 0));
  for (size_t n = 0; n < count; n++)
    h[n] = round(h[n] * per_unit) / per_unit;
  while (count && h[count - 1] == 0)
    count--;
  return count;
}

/* ---- strikes and places ---- */

static int loudest_strike(const ct_found_modes *f, uint32_t place) {
  int best = -1;
  for (uint32_t g = 0; g < f->strike_count; g++)
    if (f->strikes[g].place == place && (best < 0 || f->strikes[g].energy > f->strikes[best].energy))
      best = (int)g;
  return best;
}

/* How much stronger a strike was than the mean of its place. */
static double strength(const ct_found_modes *f, uint32_t strike) {
  const double *mean = f->place_gains + (size_t)f->strikes[strike].place * f->mode_count;
  double along = 0, square = 0;
  for (uint32_t i = 0; i < f->mode_count; i++) {
    along += f->gains[(size_t)strike * f->mode_count + i].gain * fabs(mean[i]);
    square += mean[i] * mean[i];
  }
  return square > 0 ? along / square : 1;
}

static ct_result write_point(ct_doc *doc, const char *place, const double *h, size_t count, double rate_hz,
                             ct_error *error) {
  char path[160];
  ct_format(path, sizeof path, "bodies.body.points.%s.thump_hz", place);
  ct_result result = ct_doc_set_number(doc, path, rate_hz, error);
  for (size_t n = 0; n < count && result == CT_OK; n++) {
    ct_format(path, sizeof path, "bodies.body.points.%s.thump[%u]", place, (unsigned)n);
    result = ct_doc_set_number(doc, path, h[n], error);
  }
  return result;
}

static ct_result add_thump(const ct_found_modes *f, uint32_t strike, const ct_recording *from,
                           double impulse_n_s, double longest_s, const char *place, double *length_s,
                           ct_doc *doc, ct_error *error) {
  double stronger = strength(f, strike);
  const ct_found_strike *s = &f->strikes[strike];
  rest r = {.rate_hz = from->rate_hz};
  r.count = (size_t)fmin((double)s->count, (longest_s + later_s) * r.rate_hz);
  r.longest = (size_t)fmin((double)r.count, longest_s * r.rate_hz);
  if (r.rate_hz < lowest_hz || r.rate_hz > highest_hz || !(impulse_n_s > 0))
    return CT_OK;
  ct_result result = CT_OK;
  if (find_rest(f, strike, from, stronger, &r)) {
    size_t count = round_off(r.left, cut(&r, 1 / (stronger * impulse_n_s)));
    *length_s = (double)count / r.rate_hz;
    if (count)
      result = write_point(doc, place, r.left, count, r.rate_hz, error);
  } else {
    result = ct_fail(error, CT_NO_MEMORY, "thump: out of memory");
  }
  free(r.recorded);
  free(r.left);
  return result;
}

ct_result ct_modes_add_thumps(const ct_found_modes *f, const ct_recording *recordings,
                              const char *const *places, const ct_modes_weight *weight, double longest_s,
                              double *lengths_s, ct_doc *doc, ct_error *error) {
  if (!f || !recordings || !places || !doc || !(longest_s >= 0 && longest_s <= CT_THUMP_MOST_S))
    return ct_fail(error, CT_BAD_ARGUMENT, "thumps: a null pointer, or not 0 to %g s long", CT_THUMP_MOST_S);
  ct_result result = CT_OK;
  for (uint32_t p = 0; p < f->place_count && result == CT_OK; p++) {
    double length_s = 0;
    int strike = loudest_strike(f, p);
    if (strike >= 0)
      result = add_thump(f, (uint32_t)strike, &recordings[f->strikes[strike].recording],
                         ct_modes_impulse_n_s(f, weight), longest_s, places[p], &length_s, doc, error);
    if (lengths_s)
      lengths_s[p] = length_s;
  }
  return result;
}
