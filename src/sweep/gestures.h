/* Gestures of a plan: copies in one block of memory. */
#ifndef CT_SWEEP_GESTURES_H
#define CT_SWEEP_GESTURES_H

#include <contatto/doc.h>
#include <jansson.h>

/* free() it; null without memory. [setup] */
ct_gesture *ct_sweep_gesture_copy(const ct_gesture *gesture);
/* An object {"time_s": [...], "COLUMN": [...]}; `where` begins messages. [setup] */
ct_result ct_sweep_gesture_read(const json_t *object, const char *where, ct_gesture **gesture,
                                ct_error *error);
/* Sets a copy's cells: the column's row, or all rows that say something. False: no such column or row. [any]
 */
bool ct_sweep_gesture_set(ct_gesture *copy, const char *column, uint32_t row, double value);
/* The column of that name; `columns` when there is none. [any] */
uint32_t ct_sweep_gesture_column(const ct_gesture *gesture, const char *column);

#endif
