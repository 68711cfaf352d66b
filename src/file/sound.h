/* Sound files read by windows (measure/windows.h): of any length, in little memory. */
#ifndef CT_FILE_SOUND_H
#define CT_FILE_SOUND_H

#include "measure/windows.h"
#include <contatto/base.h>

#define CT_SOUND_MOST_S 86400.0     /* a longer file is refused */
#define CT_SOUND_MOST_HZ 1000000    /* so is a faster one */
#define CT_SOUND_MOST_CHANNELS 1024 /* and one of more channels */

typedef struct ct_sound ct_sound;

/* "-" is standard input. What cannot be gone back in, a pipe for instance, is first copied to a temporary
 * file. Refused: what is no sound file, empty, or beyond the limits above. [setup] */
ct_result ct_sound_open(const char *file, ct_sound **sound, ct_error *error);
void ct_sound_close(ct_sound *sound); /* null is fine */

/* All channels; and their mean. Samples that are no finite numbers read as 0. [setup] */
ct_windows *ct_sound_all(ct_sound *sound);
ct_windows *ct_sound_mono(ct_sound *sound);

/* After a pass over all channels: what of it were no finite numbers, and whether everything could be read.
 * [setup]
 */
size_t ct_sound_bad_samples(const ct_sound *sound);
ct_result ct_sound_check(const ct_sound *sound, ct_error *error);

/* Recordings that are looked at as a whole: mono, finite, in memory. */

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
