/* Recordings that are looked at as a whole: mono, finite, in memory. */
#ifndef CT_FILE_RECORDING_H
#define CT_FILE_RECORDING_H

#include <contatto/base.h>

typedef struct ct_recorded {
  double *samples; /* free() it */
  size_t count;
  double rate_hz;
} ct_recorded;

/* "-" is standard input. Refused: what is no sound file, is cut short, lasts less than least_s or longer than
 * most_s (`what` says in words what is wanted: "a strike or a few"), or has samples that are not finite.
 * [setup] */
ct_result ct_recording_read(const char *file, double least_s, double most_s, const char *what,
                            ct_recorded *recorded, ct_error *error);

#endif
