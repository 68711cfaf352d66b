/* What is heard of a rubbed body, in the words of Table I. */
#ifndef CT_STUDY_AVANZINI2005_HEARD_H
#define CT_STUDY_AVANZINI2005_HEARD_H

#include "study/avanzini2005_rub.h"

typedef enum heard_measure {
  HEARD_LOUDNESS,  /* LUFS, 0 dB at 1 m/s: the loudest 0.4 s */
  HEARD_ROUGHNESS, /* Vassilakis, last half */
  HEARD_NOISE,     /* power off the harmonics against power on them, dB, last half */
  HEARD_CENTROID,  /* Hz, last half */
  HEARD_BANDWIDTH, /* Hz: the spectrum's standard deviation, last half */
  HEARD_ATTACK,    /* s from 20 dB to 3 dB below the level of the last half */
  HEARD_PITCH,     /* Hz of the strongest partial, last half */
  HEARD_MODE,      /* the resonator's mode it is locked to, counted from 1; 0: none within 4 % */
  HEARD_LOCK,      /* s until that mode has nine tenths of all modes' power for good; to the end: never */
  HEARD_TIMBRE,    /* octaves that the centroid moves per second, mean over frames of 40 ms */
  HEARD_MEASURES
} heard_measure;

extern const char *const heard_names[HEARD_MEASURES]; /* as columns: loudness_lufs, ... */

typedef struct heard {
  double of[HEARD_MEASURES]; /* NAN where there is nothing to measure */
  bool sounds;               /* the last half is above -50 dB re 1 m/s */
} heard;

/* Of a second, or of a good part of one. [setup] */
ct_result heard_measure_trace(const rub *rub, const rub_trace *trace, heard *heard, ct_error *error);

#endif
