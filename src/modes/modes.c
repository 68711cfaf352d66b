/* From recordings to what was found in them. */
#include "modes/linear.h"
#include "modes/search.h"
#include "base/sized.h"
#include "modes/choose.h"
#include "modes/moments.h"
#include "base/text.h"
#include "modes/strike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COOKIE 0x0c040de5u

static const double pi = 3.14159265358979323846;
static const double guess_db = 2;       /* a gain that is known worse is a guess */
static const double lasting_most = 0.5; /* of the energy may be in modes that do not fall */

void ct_fill_modes_def(ct_modes_def *to, uint32_t size) {
  ct_modes_def def = {.cookie = COOKIE,
                      .size = size,
                      .lo_hz = 30,
                      .hi_hz = 16000,
                      .most = 40,
                      .false_alarms = 0.005,
                      .least_explained = 0.5};
  ct_give_bytes(to, size, &def, sizeof def);
}

typedef struct holder {
  ct_found_modes shown; /* first: it is what the caller holds */
  ct_found_mode *modes;
  ct_found_strike *strikes;
  ct_found_gain *gains;
  double *place_gains;
} holder;

void ct_modes_free(ct_found_modes *found) {
  holder *h = (holder *)found;
  if (!h)
    return;
  free(h->modes);
  free(h->strikes);
  free(h->gains);
  free(h->place_gains);
  free(h);
}

/* ---- what was found ---- */

static int by_hz(const void *a, const void *b) {
  const ct_found_mode *x = a, *y = b;
  return (x->hz > y->hz) - (x->hz < y->hz);
}

static holder *holder_make(uint32_t modes, uint32_t strikes, uint32_t places) {
  holder *h = calloc(1, sizeof *h);
  if (!h)
    return NULL;
  h->modes = calloc(modes + 1, sizeof *h->modes);
  h->strikes = calloc(strikes + 1, sizeof *h->strikes);
  h->gains = calloc((size_t)modes * strikes + 1, sizeof *h->gains);
  h->place_gains = calloc((size_t)modes * places + 1, sizeof *h->place_gains);
  h->shown = (ct_found_modes){.mode_count = modes,
                              .strike_count = strikes,
                              .place_count = places,
                              .modes = h->modes,
                              .strikes = h->strikes,
                              .gains = h->gains,
                              .place_gains = h->place_gains};
  if (h->modes && h->strikes && h->gains && h->place_gains)
    return h;
  ct_modes_free(&h->shown);
  return NULL;
}

/* A strike on a body that still rings: what is left of the strike before it is taken away. */
static double complex struck(const ct_search *s, uint32_t g, uint32_t mode) {
  double complex c = s->fit.amplitudes[(size_t)g * s->fit.room + mode];
  if (g == 0 || s->strikes[g - 1].recording != s->strikes[g].recording)
    return c;
  double t = (double)(s->strikes[g].start - s->strikes[g - 1].start) / s->segments[g].rate_hz;
  ct_pole p = s->fit.poles[mode];
  return c - s->fit.amplitudes[(size_t)(g - 1) * s->fit.room + mode] * cexp((-p.decay + CT_I * p.omega) * t);
}

/* The standard error of a mode's gain, as a share of it, in the strike where it is heard best; `alone` is
 * that of a mode alone in the noise. */
static double gain_error(const ct_search *s, uint32_t mode, double alone) {
  double most = 0, error = 0;
  for (uint32_t g = 0; g < s->strike_count; g++) {
    size_t at = (size_t)g * s->fit.room + mode;
    if (s->fit.risen[at] > most) {
      most = s->fit.risen[at];
      error = s->fit.errors[at];
    }
  }
  return error > 0 ? error : alone;
}

static void fill_modes(const ct_search *s, holder *h, uint32_t *order) {
  for (uint32_t i = 0; i < s->fit.count; i++) {
    ct_pole p = s->fit.poles[i];
    double over = 2 * ct_search_over(s, i);
    /* Cramér-Rao of one mode alone, E its energy: var c / |c|^2 = 1 / E, and so on (docs/recordings.md) */
    h->modes[i] = (ct_found_mode){.hz = p.omega / (2 * pi),
                                  .t60_s = log(1000.0) / p.decay,
                                  .over_db = 10 * log10(over),
                                  .hz_error = p.decay / (pi * sqrt(2 * over)),
                                  .t60_error_s = 2 * log(1000.0) / p.decay / sqrt(2 * over),
                                  .gain_error = gain_error(s, i, sqrt(2 / over))};
    ct_kind kind = s->fit.kinds[i];
    h->modes[i].stands_in = kind == CT_KIND_STANDS_IN;
    h->modes[i].perhaps_room = kind == CT_KIND_ROOM || (kind != CT_KIND_OUTLASTS && s->room_t60_s > 0);
    h->modes[i].gain_guess = 3 * h->modes[i].gain_error > guess_db / 20 * log(10);
    for (uint32_t k = 0; k < s->fit.count; k++)
      if (k != i && fabs(p.omega - s->fit.poles[k].omega) < p.decay + s->fit.poles[k].decay)
        h->modes[i].beats = true;
  }
  ct_found_mode *sorted = h->modes;
  for (uint32_t i = 0; i < s->fit.count; i++) {
    uint32_t at = i;
    for (; at > 0 && s->fit.poles[order[at - 1]].omega > s->fit.poles[i].omega; at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
  qsort(sorted, s->fit.count, sizeof *sorted, by_hz);
}

static void fill_gains(const ct_search *s, holder *h, const uint32_t *order) {
  uint32_t modes = s->fit.count;
  for (uint32_t g = 0; g < s->strike_count; g++) {
    h->strikes[g] = s->strikes[g];
    for (uint32_t i = 0; i < modes; i++) {
      double complex c = struck(s, g, order[i]);
      h->gains[(size_t)g * modes + i] = (ct_found_gain){cabs(c), carg(c)};
      h->strikes[g].energy += 0.25 * cabs(c) * cabs(c) / s->fit.poles[order[i]].decay;
    }
  }
  /* the mean over strikes at a place; its sign against the first place is the sign of the mode's shape */
  for (uint32_t place = 0; place < h->shown.place_count; place++)
    for (uint32_t i = 0; i < modes; i++) {
      double sum = 0, along = 0;
      uint32_t count = 0;
      for (uint32_t g = 0; g < s->strike_count; g++)
        if (s->strikes[g].place == place) {
          sum += h->gains[(size_t)g * modes + i].gain;
          along += creal(struck(s, g, order[i]) * conj(struck(s, 0, order[i])));
          count++;
        }
      h->place_gains[(size_t)place * modes + i] = count ? copysign(sum / count, along) : 0;
    }
}

static ct_result report(const ct_search *s, uint32_t places, ct_found_modes **found, ct_error *error) {
  holder *h = holder_make(s->fit.count, s->strike_count, places);
  uint32_t *order = malloc((s->fit.count + 1) * sizeof *order);
  if (h && order) {
    fill_modes(s, h, order);
    fill_gains(s, h, order);
    h->shown.explained = s->explained;
    h->shown.noise_db = s->noise_db;
    h->shown.room_t60_s = s->room_t60_s;
  }
  bool memory = h && order;
  free(order);
  if (!memory) {
    ct_modes_free(h ? &h->shown : NULL);
    return ct_fail(error, CT_NO_MEMORY, "modes: out of memory");
  }
  *found = &h->shown;
  return CT_OK;
}

/* ---- strikes ---- */

static void add_strikes(ct_search *s, uint32_t recording, const ct_strike *found, int count) {
  const ct_recording *r = &s->recordings[recording];
  for (int i = 0; i < count && s->strike_count < CT_STRIKES_MOST; i++) {
    size_t end = i + 1 < count ? found[i + 1].at : r->count;
    if ((double)(end - found[i].at) < CT_MODES_LEAST_S * r->rate_hz)
      continue;
    s->strikes[s->strike_count] = (ct_found_strike){
        .recording = recording, .place = r->place, .start = found[i].at, .count = end - found[i].at};
    s->segments[s->strike_count++] =
        (ct_segment){r->samples + found[i].at, end - found[i].at, r->rate_hz, s->moments[recording]};
  }
}

static ct_result find_strikes(ct_search *s, uint32_t count, ct_error *error) {
  for (uint32_t i = 0; i < count; i++) {
    ct_strike strikes[CT_STRIKES_MOST];
    ct_result result = ct_recording_check(&s->recordings[i], i, error);
    if (result != CT_OK)
      return result;
    int most = CT_STRIKES_MOST / (int)count,
        found = ct_strikes_find(&s->recordings[i], strikes, most ? most : 1);
    if (found < 0)
      return ct_fail(error, CT_NO_MEMORY, "modes: out of memory");
    uint32_t before = s->strike_count;
    s->moments[i] =
        ct_moments_make(s->recordings[i].samples, s->recordings[i].count, s->recordings[i].rate_hz);
    if (!s->moments[i])
      return ct_fail(error, CT_NO_MEMORY, "modes: out of memory");
    add_strikes(s, i, strikes, found);
    if (s->strike_count == before)
      return ct_fail(
          error, CT_BAD_VALUE,
          "recording %u: no strike found with %g s after it; noise, or a sound without a beginning", i + 1,
          CT_MODES_LEAST_S);
  }
  return CT_OK;
}

/* Share of the modes' energy that does not fall by 3 dB while it is recorded: of a sound that was not struck.
 */
static double lasting_share(const ct_found_modes *f, const ct_search *s) {
  double all = 0, lasting = 0;
  for (uint32_t g = 0; g < f->strike_count; g++)
    for (uint32_t i = 0; i < f->mode_count; i++) {
      double seconds = (double)s->segments[g].count / s->segments[g].rate_hz, t60 = f->modes[i].t60_s;
      double gain = f->gains[(size_t)g * f->mode_count + i].gain,
             energy = gain * gain * fmin(t60, 9 * seconds);
      all += energy;
      lasting += t60 > 20 * seconds ? energy : 0;
    }
  return lasting / all;
}

/* What was found is not a body's after all; `why` has room for two shares in percent. */
static ct_result refuse(ct_found_modes **found, const char *why, double share, double wanted,
                        ct_error *error) {
  ct_modes_free(*found);
  *found = NULL;
  return ct_fail(error, CT_BAD_VALUE, why, round(100 * share), round(100 * wanted));
}

static ct_result search(ct_search *s, uint32_t places, ct_found_modes **found, ct_error *error) {
  size_t samples = 0;
  for (uint32_t g = 0; g < s->strike_count; g++)
    samples += s->segments[g].count;
  s->threshold = ct_scan_threshold(s->def->false_alarms, samples);
  uint32_t more = s->def->most < 40 ? 20 : s->def->most / 2, room = s->def->most + more + CT_STAND_INS;
  if (!ct_fit_init(&s->fit, s->segments, s->strike_count, room) || !ct_search_run(s))
    return ct_fail(error, CT_NO_MEMORY, "modes: out of memory");
  if (s->fit.count == 0)
    return ct_fail(
        error, CT_BAD_VALUE,
        "no modes: nothing rings %g dB over the noise, which noise alone reaches in %g of 100 recordings",
        round(100 * log10(2 * s->threshold)) / 10, 100 * s->def->false_alarms);
  ct_result result = report(s, places, found, error);
  if (result != CT_OK || !*found)
    return result;
  double least = ct_search_least_explained(s);
  if ((*found)->explained < least)
    return refuse(
        found,
        "modes explain only %g %% of this sound, %g %% are wanted: it is not one struck body (speech, "
        "music, noise?)",
        (*found)->explained, least, error);
  double lasting = lasting_share(*found, s);
  if (lasting > lasting_most)
    return refuse(found,
                  "%g %% of this sound do not fall, %g %% may: it is not one struck body (speech, music?)",
                  lasting, lasting_most, error);
  return result;
}

ct_result ct_modes_find(const ct_recording *recordings, uint32_t count, const ct_modes_def *given,
                        ct_found_modes **found, ct_error *error) {
  ct_modes_def def = ct_default_modes_def();
  if (!recordings || !found || count == 0 || count > CT_STRIKES_MOST || (given && given->cookie != COOKIE))
    return ct_fail(error, CT_BAD_ARGUMENT, "modes: wants 1 to %d recordings and a default definition",
                   CT_STRIKES_MOST);
  if (given)
    memcpy(&def, given, given->size < sizeof def ? given->size : sizeof def);
  *found = NULL;
  ct_search *s = calloc(1, sizeof *s);
  if (!s)
    return ct_fail(error, CT_NO_MEMORY, "modes: out of memory");
  s->recordings = recordings;
  s->def = &def;
  uint32_t places = 1;
  for (uint32_t i = 0; i < count; i++) {
    places = recordings[i].place + 1 > places ? recordings[i].place + 1 : places;
    def.hi_hz = fmin(def.hi_hz, 0.47 * recordings[i].rate_hz);
  }
  def.most = def.most == 0 ? 1 : def.most < CT_FOUND_MOST ? def.most : CT_FOUND_MOST;
  ct_result result = find_strikes(s, count, error);
  if (result == CT_OK)
    result = search(s, places, found, error);
  for (uint32_t i = 0; i < count; i++)
    ct_moments_free(s->moments[i]);
  ct_fit_free(&s->fit);
  free(s);
  return result;
}
