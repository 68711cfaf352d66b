/* All that is measured of one sound: what `contatto measure` prints and what a sweep writes into its table.
 * The numbers are one table of rows; a new measure is a row there and the line that fills it. */
#ifndef CONTATTO_MEASURE_REPORT_H
#define CONTATTO_MEASURE_REPORT_H

#include "contatto/measure.h"
#include "measure/windows.h"

/* The numbers: key, how it is spelled, what it is in words, unit, decimals. */
#define CT_REPORT_ROWS(ROW)                                                                                  \
  ROW(DURATION_S, "duration_s", "duration", "s", 4)                                                          \
  ROW(RATE_HZ, "rate_hz", "sample rate", "Hz", 0)                                                            \
  ROW(CHANNELS, "channels", "channels", "", 0)                                                               \
  ROW(BAD_SAMPLES, "bad_samples", "samples that are no number", "", 0)                                       \
  ROW(RMS_DB, "rms_db", "level (rms)", "dB", 2)                                                              \
  ROW(PEAK_DB, "peak_db", "sample peak", "dB", 2)                                                            \
  ROW(MEAN, "mean", "DC offset", "", 7)                                                                      \
  ROW(INTEGRATED_LUFS, "integrated_lufs", "loudness", "LUFS", 2)                                             \
  ROW(MOMENTARY_MAX_LUFS, "momentary_max_lufs", "loudest 0.4 s", "LUFS", 2)                                  \
  ROW(SHORT_TERM_MAX_LUFS, "short_term_max_lufs", "loudest 3 s", "LUFS", 2)                                  \
  ROW(TRUE_PEAK_DB, "true_peak_db", "true peak", "dBTP", 2)                                                  \
  ROW(PITCH_HZ, "pitch_hz", "pitch", "Hz", 4)                                                                \
  ROW(CLARITY, "clarity", "clarity of pitch", "", 4)                                                         \
  ROW(STRONGEST_HZ, "strongest_hz", "strongest partial", "Hz", 4)                                            \
  ROW(STRONGEST_DB, "strongest_db", "its amplitude", "dB", 2)                                                \
  ROW(HARMONIC_FRACTION, "harmonic_fraction", "power on harmonics", "", 4)                                   \
  ROW(HNR_DB, "hnr_db", "harmonics to rest", "dB", 2)                                                        \
  ROW(BAND_DB, "band_db", "level in the band", "dB", 2)                                                      \
  ROW(CENTROID_HZ, "centroid_hz", "spectral centroid", "Hz", 1)                                              \
  ROW(SPREAD_HZ, "spread_hz", "spectral bandwidth", "Hz", 1)                                                 \
  ROW(ROLLOFF_HZ, "rolloff_hz", "85 % of power below", "Hz", 1)                                              \
  ROW(ROUGHNESS, "roughness", "roughness", "", 4)                                                            \
  ROW(MODULATION_HZ, "modulation_hz", "modulation rate", "Hz", 3)                                            \
  ROW(MODULATION_DEPTH, "modulation_depth", "modulation depth", "", 4)                                       \
  ROW(ONSET_COUNT, "onset_count", "onsets", "", 0)                                                           \
  ROW(CLICK_COUNT, "click_count", "clicks", "", 0)                                                           \
  ROW(WORST_CLICK_DB, "worst_click_db", "strongest candidate click", "dB", 1)                                \
  ROW(EXCERPT_START_S, "excerpt_start_s", "decays, modulation: from", "s", 4)                                \
  ROW(EXCERPT_S, "excerpt_s", "and for", "s", 4)

#define CT_REPORT_KEY(name, ...) CT_REPORT_##name,
typedef enum ct_report_key { CT_REPORT_ROWS(CT_REPORT_KEY) CT_REPORT_VALUES } ct_report_key;

typedef struct ct_report_row {
  const char *key, *words, *unit;
  int decimals; /* 0: a whole number */
} ct_report_row;

extern const ct_report_row ct_report_rows[CT_REPORT_VALUES];

enum {
  CT_REPORT_MODES_MOST = 64,    /* that may be asked for */
  CT_REPORT_MODES_FOUND = 8,    /* that are looked for when none is asked for */
  CT_REPORT_EVENTS_MOST = 1000, /* onsets, clicks */
  CT_REPORT_BANDS_MOST = 12
};

/* What takes time: groups of measures that may be left out. Levels and loudness are always there. */
enum {
  CT_REPORT_TONE = 1,   /* pitch, strongest partial, harmonics */
  CT_REPORT_COLOUR = 2, /* spectrum, roughness, modulation, octaves */
  CT_REPORT_EVENTS = 4, /* onsets, clicks */
  CT_REPORT_MODES = 8   /* frequencies and decays */
};

/* What to look at; all zeros: everything from 20 Hz to 20 kHz. */
typedef struct ct_report_def {
  uint32_t left_out;   /* groups */
  double lo_hz, hi_hz; /* of the band; 0: as above */
  const double *mode_hz;
  size_t mode_count; /* 0: the strongest are found */
} ct_report_def;

/* Numbers that do not exist are NAN. */
typedef struct ct_report {
  double values[CT_REPORT_VALUES];
  double mode_hz[CT_REPORT_MODES_MOST];
  ct_measured_decay decays[CT_REPORT_MODES_MOST];
  size_t mode_count;
  double edges_hz[CT_REPORT_BANDS_MOST + 1], band_db[CT_REPORT_BANDS_MOST];
  size_t band_count;
  ct_measured_onset onsets[CT_REPORT_EVENTS_MOST];
  ct_measured_click clicks[CT_REPORT_EVENTS_MOST];
  size_t onset_count, click_count; /* of all there are, the first EVENTS_MOST are kept */
} ct_report;

/* The first pass, over all channels: length, level, loudness, peaks. Nothing has failed if `bad` samples, as
 * the reader has counted them by the end of it, are told with ct_report_note_bad. */
void ct_report_begin(ct_report *report, ct_windows *all);
void ct_report_note_bad(ct_report *report, size_t bad_samples);
/* Everything else, from the mean of the channels. False: no memory. */
bool ct_report_finish(ct_report *report, const ct_report_def *def, ct_windows *mono);

/* ---- as columns of a table ---- */

enum { CT_REPORT_EVENTS_SHOWN = 8, CT_REPORT_NAME_MAX = 48, CT_REPORT_WORDS_MAX = 96 };

typedef struct ct_report_column {
  char name[CT_REPORT_NAME_MAX], words[CT_REPORT_WORDS_MAX];
  const char *unit;
} ct_report_column;

/* The numbers, the modes that are found, octave bands, the first onsets and clicks. */
uint32_t ct_report_column_count(void);
ct_report_column ct_report_column_at(uint32_t index);
/* NAN where there is no such mode, band or event. */
double ct_report_cell(const ct_report *report, uint32_t index);

#endif
