/* A report as one row of numbers: first the table's own, then so many of each list. */
#include "measure/report.h"

#include <stdio.h>

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
