/* Which modes a sound has. A mode that is struck makes more than one peak of the spectrum: an exponential
 * with s = ln(1000) / t60 that starts suddenly has the skirt
 *
 *   |X(w)| = |X(w0)| / sqrt(1 + ((w - w0) / s)^2)
 *
 * and several strikes, or a noisy excitation, cut combs into it whose teeth are peaks of their own. They
 * stand under that skirt, or a little above it where strikes add up. Where many add up a tooth may stand far
 * above it, even above the mode. It is told by its decay: it has none, while the mode beside it has. */
#include "contatto/measure.h"

#include <stdlib.h>

#include "measure/windows.h"

/* Decays looked at per mode wanted before giving up: what is left is noise. */
enum { tries_per_mode = 3 };

static const double range_db = 60.0, comb_db = 10.0;

/* A decay that is one exponential, and long enough to tell (docs/measure.md). */
static const double most_misfit_db = 1.0, least_range_db = 10.0;

/* How many times the reach of a search for a decay a tooth may be away from its mode. */
static const double tooth_reach = 3.0;

static int louder_first(const void *a, const void *b) {
  const double x = ((const ct_measured_peak *)a)->level_db, y = ((const ct_measured_peak *)b)->level_db;
  return (x < y) - (x > y);
}

/* Where the mode is: by its decay, if it has one. */
static double hz_of(const ct_measured_mode *m) { return isfinite(m->decay.hz) ? m->decay.hz : m->peak.hz; }

static double skirt_db(const ct_measured_mode *m, double hz) {
  if (!(m->decay.t60_s > 0.0))
    return -CT_INFINITY;
  const double away = CT_TWO_PI * (hz - hz_of(m)) * m->decay.t60_s / log(1000.0);
  return m->peak.level_db - 10.0 * log10(1.0 + away * away);
}

static bool same_mode(const ct_measured_mode *m, double hz) {
  return fabs(hz - hz_of(m)) <= ct_signal_mode_reach_hz(hz);
}

static bool explained(const ct_measured_peak *peak, const ct_measured_mode *modes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (same_mode(&modes[i], peak->hz) || peak->level_db < skirt_db(&modes[i], peak->hz) + comb_db)
      return true;
  return false;
}

static bool decays(const ct_measured_mode *m) {
  return m->decay.misfit_db < most_misfit_db && m->decay.range_db > least_range_db;
}

static bool tooth_of(const ct_measured_mode *tooth, const ct_measured_mode *m) {
  return decays(m) && !decays(tooth) &&
         fabs(hz_of(tooth) - hz_of(m)) <= tooth_reach * ct_signal_mode_reach_hz(hz_of(m));
}

static bool listed(const ct_measured_mode *m, const ct_measured_mode *modes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (same_mode(&modes[i], hz_of(m)) && !tooth_of(&modes[i], m))
      return true;
  for (size_t i = 0; i < count; i++)
    if (tooth_of(m, &modes[i]))
      return true;
  return false;
}

/* Adds m at the end, in place of those of the list that are its teeth. */
static size_t add(ct_measured_mode m, ct_measured_mode *modes, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!tooth_of(&modes[i], &m))
      modes[kept++] = modes[i];
  modes[kept] = m;
  return kept + 1;
}

static size_t pick(ct_partials *p, const ct_measured_peak *peaks, size_t peak_count, ct_measured_mode *modes,
                   size_t max) {
  size_t found = 0;
  for (size_t i = 0, tries = 0; i < peak_count && found < max && tries < tries_per_mode * max; i++) {
    if (explained(&peaks[i], modes, found))
      continue;
    tries++;
    const ct_measured_mode m = {peaks[i], ct_partials_decay(p, peaks[i].hz)};
    if (!listed(&m, modes, found))
      found = add(m, modes, found);
  }
  return found;
}

/* Those of the band, the loudest first. */
static size_t choose_peaks(ct_measured_peak *peaks, size_t all, double lo_hz, double hi_hz) {
  size_t kept = 0;
  for (size_t i = 0; i < all; i++)
    if (peaks[i].hz >= lo_hz && peaks[i].hz <= hi_hz)
      peaks[kept++] = peaks[i];
  qsort(peaks, kept, sizeof *peaks, louder_first);
  return kept;
}

static size_t find_modes(ct_partials *p, double lo_hz, double hi_hz, ct_measured_mode *modes, size_t max) {
  const ct_measured_peak top = ct_partials_strongest(p, lo_hz, hi_hz);
  const double floor_db = top.level_db - range_db;
  const size_t all = isfinite(top.hz) ? ct_partials_peaks(p, floor_db, NULL, 0) : 0;
  ct_measured_peak *peaks = all ? malloc(all * sizeof *peaks) : NULL;
  if (!peaks)
    return 0;
  ct_partials_peaks(p, floor_db, peaks, all);
  const size_t found = pick(p, peaks, choose_peaks(peaks, all, lo_hz, hi_hz), modes, max);
  free(peaks);
  return found;
}

size_t ct_measure_modes(const double *samples, size_t count, double rate_hz, double lo_hz, double hi_hz,
                        ct_measured_mode *modes, size_t max) {
  ct_partials *p = ct_partials_make(samples, count, rate_hz);
  const size_t found = p ? find_modes(p, lo_hz, hi_hz, modes, max) : 0;
  ct_partials_free(p);
  return found;
}
