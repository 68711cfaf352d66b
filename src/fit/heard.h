/* What fitting compares of two sounds: one list of measures for tones (a rubbed glass), one for noises (what
 * rolls). Each measure has a tolerance; how far two sounds are apart is counted in tolerances. */
#ifndef CT_FIT_HEARD_H
#define CT_FIT_HEARD_H

#include <contatto/measure.h>

enum { CT_HEARD_MOST = 16 };

typedef enum ct_heard_kind { CT_HEARD_TONE, CT_HEARD_NOISE } ct_heard_kind;

/* How two values of a measure are compared. */
typedef enum ct_heard_scale {
  CT_HEARD_CENTS, /* frequencies, by their interval */
  CT_HEARD_DB,    /* levels, by their difference */
  CT_HEARD_SHARE, /* depths from 0 to 1, by their ratio in dB */
  CT_HEARD_RATE,  /* rates, by their ratio */
  CT_HEARD_SPAN,  /* cents themselves: by their difference, against a tolerance that grows by 5 % of them */
  CT_HEARD_COUNT  /* events per second: by their difference, in the same way */
} ct_heard_scale;

typedef struct ct_heard_row {
  const char *name, *unit;
  ct_heard_scale scale;
  double tolerance; /* cents, dB, ratio or events per second */
  double least;     /* values below it count as this much; NAN for none */
} ct_heard_row;

/* A value is NAN where the sound has none: the rate of a steady level. */
typedef struct ct_heard {
  double value[CT_HEARD_MOST];
} ct_heard;

const ct_heard_row *ct_heard_rows(ct_heard_kind kind, uint32_t *count); /* [any] */
uint32_t ct_heard_level(ct_heard_kind kind); /* index of the level: recordings are not calibrated. [any] */

uint32_t ct_heard_pitch(void); /* index of a tone's pitch. [any] */

/* False for silence or without memory. Takes 0.25 s at least. [setup] */
bool ct_heard_measure(ct_heard_kind kind, const double *samples, size_t count, double rate_hz,
                      ct_heard *heard);

/* A tone: most of it has a pitch that is clear. [setup] */
bool ct_heard_is_tone(const double *samples, size_t count, double rate_hz);

/* Played less recorded: in cents, dB, as a ratio less 1, or events per second. NAN: one of them has none.
 * [any] */
double ct_heard_difference(const ct_heard_row *row, double recorded, double played);
/* The same in tolerances. 0 where the recording has none; far off where only the scene has none. [any] */
double ct_heard_off(const ct_heard_row *row, double recorded, double played);

#define CT_HEARD_FAR 100.0 /* tolerances that a missing value counts for */

/* How a tone pulsates: rate and depth of the repetition in its envelope. */

/* From `count` values of an envelope, `rate_hz` a second. NAN and 0 without a repetition from two periods of
 * it up to hi_hz. Changes the envelope. [setup] */
ct_measured_modulation ct_pulse_measure(double *envelope, size_t count, double rate_hz, double hi_hz);

#endif
