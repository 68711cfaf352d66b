/* All measures of one sound. Loudness, true peak and sample peak see the channels as they are; everything
 * else listens to their mean. The signal is read in windows, a few times over, so that its length does not
 * matter to memory. */
#include "measure/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXCERPT_MOST = 1 << 22 }; /* samples: 87 s at 48 kHz */

#define ROW(name, ...) [CT_REPORT_##name] = {__VA_ARGS__},
const ct_report_row ct_report_rows[CT_REPORT_VALUES] = {CT_REPORT_ROWS(ROW)};
#undef ROW

/* What a measure works on. */
typedef struct work {
  ct_report *report;
  ct_windows *mono;
  double lo_hz, hi_hz, pitch_lo_hz, pitch_hi_hz;
  double *excerpt; /* decays and modulation want their part of the sound in memory */
  size_t excerpt_start, excerpt_count;
} work;

/* ---- the first pass */

void ct_report_begin(ct_report *report, ct_windows *all) {
  double *v = report->values;
  for (int i = 0; i < CT_REPORT_VALUES; i++)
    v[i] = CT_NAN;
  const ct_measured_level level = ct_windows_level(all);
  const ct_measured_loudness loudness = ct_windows_loudness(all);
  v[CT_REPORT_DURATION_S] = (double)all->count / all->rate_hz;
  v[CT_REPORT_RATE_HZ] = all->rate_hz;
  v[CT_REPORT_CHANNELS] = (double)all->channels;
  v[CT_REPORT_BAD_SAMPLES] = 0;
  v[CT_REPORT_RMS_DB] = level.rms_db;
  v[CT_REPORT_PEAK_DB] = level.peak_db;
  v[CT_REPORT_MEAN] = level.mean;
  v[CT_REPORT_INTEGRATED_LUFS] = loudness.integrated_lufs;
  v[CT_REPORT_MOMENTARY_MAX_LUFS] = loudness.momentary_max_lufs;
  v[CT_REPORT_SHORT_TERM_MAX_LUFS] = loudness.short_term_max_lufs;
  v[CT_REPORT_TRUE_PEAK_DB] = loudness.true_peak_db;
}

void ct_report_note_bad(ct_report *report, size_t bad_samples) {
  report->values[CT_REPORT_BAD_SAMPLES] = (double)bad_samples;
}

/* ---- the excerpt */

/* All of it, or, of a longer sound, what lies around its loudest sample, most of it after that. */
static size_t excerpt_start(ct_windows *mono, size_t count) {
  const double *x;
  size_t loudest = 0;
  double peak = 0.0;
  for (size_t at = 0, length; count < mono->count && (x = ct_windows_piece(mono, at, &length)); at += length)
    for (size_t n = 0; n < length; n++)
      if (fabs(x[n]) > peak) {
        peak = fabs(x[n]);
        loudest = at + n;
      }
  const size_t start = loudest > count / 8 ? loudest - count / 8 : 0;
  return start < mono->count - count ? start : mono->count - count;
}

static bool take_excerpt(work *w) {
  ct_windows *mono = w->mono;
  w->excerpt_count = mono->count < EXCERPT_MOST ? mono->count : EXCERPT_MOST;
  w->excerpt_start = excerpt_start(mono, w->excerpt_count);
  w->excerpt = calloc(w->excerpt_count, sizeof *w->excerpt);
  if (w->excerpt)
    ct_windows_copy(mono, w->excerpt_start, w->excerpt_count, w->excerpt);
  w->report->values[CT_REPORT_EXCERPT_START_S] = (double)w->excerpt_start / mono->rate_hz;
  w->report->values[CT_REPORT_EXCERPT_S] = (double)w->excerpt_count / mono->rate_hz;
  return w->excerpt != NULL;
}

/* ---- everything else */

static void measure_tone(work *w) {
  double *v = w->report->values;
  const ct_measured_pitch pitch = ct_windows_pitch(w->mono, w->pitch_lo_hz, w->pitch_hi_hz);
  const ct_measured_peak top = ct_windows_strongest_partial(w->mono, w->lo_hz, w->hi_hz);
  const ct_measured_harmonicity harmonic = ct_windows_harmonicity(w->mono, pitch.hz);
  v[CT_REPORT_PITCH_HZ] = pitch.hz;
  v[CT_REPORT_CLARITY] = pitch.clarity;
  v[CT_REPORT_STRONGEST_HZ] = top.hz;
  v[CT_REPORT_STRONGEST_DB] = top.level_db;
  v[CT_REPORT_HARMONIC_FRACTION] = harmonic.fraction;
  v[CT_REPORT_HNR_DB] = harmonic.hnr_db;
}

static void measure_colour(work *w) {
  double *v = w->report->values;
  const double edges_hz[2] = {w->lo_hz, w->hi_hz};
  ct_power_spectrum spectrum = ct_windows_spectrum(w->mono);
  const ct_measured_spectrum shape = ct_power_spectrum_shape(&spectrum, w->lo_hz, w->hi_hz);
  const ct_measured_modulation modulation =
      ct_measure_modulation(w->excerpt, w->excerpt_count, w->mono->rate_hz, 1.0, 100.0);
  ct_power_spectrum_bands(&spectrum, edges_hz, 1, &v[CT_REPORT_BAND_DB]);
  ct_report *r = w->report;
  const double top_hz = fmin(16000.0, w->mono->rate_hz / 2.0 / sqrt(2.0));
  const size_t edges = ct_measure_octave_edges(1, 31.5, top_hz, r->edges_hz, CT_REPORT_BANDS_MOST + 1);
  r->band_count = edges ? edges - 1 : 0;
  ct_power_spectrum_bands(&spectrum, r->edges_hz, r->band_count, r->band_db);
  free(spectrum.power);
  v[CT_REPORT_CENTROID_HZ] = shape.centroid_hz;
  v[CT_REPORT_SPREAD_HZ] = shape.spread_hz;
  v[CT_REPORT_ROLLOFF_HZ] = shape.rolloff_hz;
  v[CT_REPORT_ROUGHNESS] = ct_windows_roughness(w->mono);
  v[CT_REPORT_MODULATION_HZ] = modulation.rate_hz;
  v[CT_REPORT_MODULATION_DEPTH] = modulation.depth;
}

static void measure_events(work *w) {
  ct_report *r = w->report;
  ct_measured_click worst;
  r->onset_count = ct_windows_onsets(w->mono, r->onsets, CT_REPORT_EVENTS_MOST);
  r->click_count =
      ct_windows_clicks(w->mono, CT_MEASURE_CLICK_DB, NULL, 0, r->clicks, CT_REPORT_EVENTS_MOST, &worst);
  r->values[CT_REPORT_ONSET_COUNT] = (double)r->onset_count;
  r->values[CT_REPORT_CLICK_COUNT] = (double)r->click_count;
  r->values[CT_REPORT_WORST_CLICK_DB] = worst.strength_db;
}

/* Those asked for, or the strongest in the band. */
static void measure_modes(work *w, const ct_report_def *def) {
  ct_report *r = w->report;
  ct_measured_mode modes[CT_REPORT_MODES_FOUND];
  if (def->mode_count) {
    r->mode_count = def->mode_count < CT_REPORT_MODES_MOST ? def->mode_count : CT_REPORT_MODES_MOST;
    memcpy(r->mode_hz, def->mode_hz, r->mode_count * sizeof *r->mode_hz);
    ct_measure_decays(w->excerpt, w->excerpt_count, w->mono->rate_hz, r->mode_hz, r->mode_count, r->decays);
    return;
  }
  r->mode_count = ct_measure_modes(w->excerpt, w->excerpt_count, w->mono->rate_hz, w->lo_hz, w->hi_hz, modes,
                                   CT_REPORT_MODES_FOUND);
  for (size_t i = 0; i < r->mode_count; i++) {
    r->mode_hz[i] = modes[i].peak.hz;
    r->decays[i] = modes[i].decay;
  }
}

bool ct_report_finish(ct_report *report, const ct_report_def *def, ct_windows *mono) {
  const bool band = def->hi_hz > 0;
  work w = {.report = report,
            .mono = mono,
            .lo_hz = band ? def->lo_hz : 20.0,
            .hi_hz = fmin(band ? def->hi_hz : 20000.0, 0.5 * mono->rate_hz),
            .pitch_lo_hz = band ? def->lo_hz : 30.0,
            .pitch_hi_hz = band ? fmin(def->hi_hz, 0.5 * mono->rate_hz) : 5000.0};
  if (!take_excerpt(&w))
    return false;
  if (!(def->left_out & CT_REPORT_TONE))
    measure_tone(&w);
  if (!(def->left_out & CT_REPORT_COLOUR))
    measure_colour(&w);
  if (!(def->left_out & CT_REPORT_EVENTS))
    measure_events(&w);
  if (!(def->left_out & CT_REPORT_MODES))
    measure_modes(&w, def);
  free(w.excerpt);
  return true;
}

/* ---- as one row of numbers: first the table's own, then so many of each list */

/* What each item of a list has: "mode 3: frequency" is the column mode_3_hz. */
typedef struct field {
  const char *list, *name, *words, *unit;
} field;

enum { MODE_FIELDS = 6, EVENT_FIELDS = 2, OCTAVES = 10 };

static const field mode_fields[MODE_FIELDS] = {
    {"mode", "asked_hz", "where it was looked for", "Hz"},
    {"mode", "hz", "frequency", "Hz"},
    {"mode", "t60_s", "time to fall by 60 dB", "s"},
    {"mode", "level_db", "amplitude at its onset", "dB"},
    {"mode", "range_db", "how far its fall was followed", "dB"},
    {"mode", "misfit_db", "scatter about an even fall", "dB"},
};
static const field onset_fields[EVENT_FIELDS] = {
    {"onset", "s", "when", "s"},
    {"onset", "db", "by how much the sound rises", "dB"},
};
static const field click_fields[EVENT_FIELDS] = {
    {"click", "s", "when", "s"},
    {"click", "db", "how far it stands out", "dB"},
};
static const int octave_hz[OCTAVES] = {32, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16000};

enum {
  FIRST_MODE = CT_REPORT_VALUES,
  FIRST_OCTAVE = FIRST_MODE + CT_REPORT_MODES_FOUND * MODE_FIELDS,
  FIRST_ONSET = FIRST_OCTAVE + OCTAVES,
  FIRST_CLICK = FIRST_ONSET + CT_REPORT_EVENTS_SHOWN * EVENT_FIELDS,
  COLUMNS = FIRST_CLICK + CT_REPORT_EVENTS_SHOWN * EVENT_FIELDS
};

uint32_t ct_report_column_count(void) { return COLUMNS; }

static ct_report_column listed(const field *fields, uint32_t each, uint32_t index) {
  const field *f = &fields[index % each];
  const unsigned number = index / each + 1;
  ct_report_column c = {.unit = f->unit};
  snprintf(c.name, sizeof c.name, "%s_%u_%s", f->list, number, f->name);
  snprintf(c.words, sizeof c.words, "%s %u: %s", f->list, number, f->words);
  return c;
}

ct_report_column ct_report_column_at(uint32_t index) {
  if (index >= FIRST_CLICK)
    return listed(click_fields, EVENT_FIELDS, index - FIRST_CLICK);
  if (index >= FIRST_ONSET)
    return listed(onset_fields, EVENT_FIELDS, index - FIRST_ONSET);
  if (index < FIRST_OCTAVE && index >= FIRST_MODE)
    return listed(mode_fields, MODE_FIELDS, index - FIRST_MODE);
  ct_report_column c = {.unit = "dB"};
  if (index >= FIRST_OCTAVE) {
    snprintf(c.name, sizeof c.name, "octave_%d_db", octave_hz[index - FIRST_OCTAVE]);
    snprintf(c.words, sizeof c.words, "level in the octave about %d Hz", octave_hz[index - FIRST_OCTAVE]);
    return c;
  }
  c.unit = ct_report_rows[index].unit;
  snprintf(c.name, sizeof c.name, "%s", ct_report_rows[index].key);
  snprintf(c.words, sizeof c.words, "%s", ct_report_rows[index].words);
  return c;
}

static double mode_cell(const ct_report *r, uint32_t index) {
  const uint32_t mode = index / MODE_FIELDS;
  if (mode >= r->mode_count)
    return CT_NAN;
  const ct_measured_decay *d = &r->decays[mode];
  const double cells[MODE_FIELDS] = {r->mode_hz[mode], d->hz,       d->t60_s,
                                     d->level_db,      d->range_db, d->misfit_db};
  return cells[index % MODE_FIELDS];
}

double ct_report_cell(const ct_report *r, uint32_t index) {
  if (index < FIRST_MODE)
    return r->values[index];
  if (index < FIRST_OCTAVE)
    return mode_cell(r, index - FIRST_MODE);
  if (index < FIRST_ONSET)
    return index - FIRST_OCTAVE < r->band_count ? r->band_db[index - FIRST_OCTAVE] : CT_NAN;
  const bool click = index >= FIRST_CLICK;
  const uint32_t at = index - (click ? FIRST_CLICK : FIRST_ONSET), event = at / EVENT_FIELDS;
  if (event >= (click ? r->click_count : r->onset_count))
    return CT_NAN;
  if (at % EVENT_FIELDS)
    return click ? r->clicks[event].strength_db : r->onsets[event].strength_db;
  return click ? r->clicks[event].time_s : r->onsets[event].time_s;
}
