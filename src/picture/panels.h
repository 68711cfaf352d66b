/* Sheets that compare a recording with something: two spectrograms above, on one scale, and panels below. */
#ifndef CT_PICTURE_PANELS_H
#define CT_PICTURE_PANELS_H

#include <contatto/base.h>
#include <stdio.h>

typedef struct ct_panel_sound {
  const char *title;
  const double *samples;
  size_t count;
  double rate_hz;
} ct_panel_sound;

/* The sheet with its title and both spectrograms. [setup] */
ct_result ct_panels_begin(FILE *script, const char *png, const char *title, const ct_panel_sound sounds[2],
                          ct_error *error);
void ct_panels_end(FILE *script);

#endif
