/* Sheets of several panels, spectrograms above: what reports on recordings have in common. */
#ifndef CT_PICTURE_PANELS_H
#define CT_PICTURE_PANELS_H

#include <contatto/base.h>
#include <stdio.h>

/* Edges as shares of the sheet. */
typedef struct ct_panel {
  double left, right, top, bottom;
} ct_panel;

/* The sheet, with its title and a scale of colours at the right of its upper half. [setup] */
void ct_panels_begin(FILE *script, const char *png, const char *title);
void ct_panels_beside(FILE *script); /* the next panel stands beside one that has said what the axes are */
void ct_panels_end(FILE *script);

void ct_panel_place(FILE *script, const ct_panel *panel);
/* Tics at 50 Hz, 100 Hz ... of an axis ('x' or 'y') between two frequencies; in_log: the axis shows their
 * logarithm. [setup] */
void ct_panel_log_tics(FILE *script, char axis, double low_hz, double high_hz, bool in_log);
/* Colours from *top_db down; NAN: from what is loudest here, which *top_db then is. [setup] */
ct_result ct_panel_spectrogram(FILE *script, const ct_panel *panel, const double *samples, size_t count,
                               double rate_hz, const char *title, double *top_db, ct_error *error);

#endif
