/* Pen strokes as tables: time_s, x_m and y_m (or x_mm and y_mm), and pressure from 0 (not touching) to 1. */
#ifndef CT_GUIDE_STROKES_H
#define CT_GUIDE_STROKES_H

#include <contatto/pen.h>

/* Times start at 0 with the first sample. Without a pressure column, or with one of nothing but 0, the pen
 * presses with 0.5 all the time. Refused, by file and line: times that do not rise, recordings of more than
 * an hour, missing numbers, places beyond 10 m, a pressure outside 0 .. 1, other columns. free() the samples.
 * [setup] */
ct_result ct_strokes_read(const char *file, ct_pen_sample **samples, size_t *count, ct_error *error);

/* [setup] */
ct_result ct_strokes_write(const char *file, const ct_pen_sample *samples, size_t count, ct_error *error);

#endif
