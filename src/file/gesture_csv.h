/* Gestures from comma-separated files: a header row with `time_s` and a control or parameter path per column,
 * then one row per moment. An empty cell: nothing happens to that column in that row. */
#ifndef CT_FILE_GESTURE_CSV_H
#define CT_FILE_GESTURE_CSV_H

#include <contatto/doc.h>

/* Refused with file, line and column: no time_s, a cell too many or few, not a finite number, time that does
 * not rise. Whether the paths exist is for the player to say. [setup] */
ct_result ct_gesture_read(const char *file, ct_gesture **gesture, ct_error *error);
void ct_gesture_free(ct_gesture *gesture);

#endif
