/* The report on a fit: a recording and the scene as spectrograms, their levels over time, and how far each
 * measure is off. */
#ifndef CT_PICTURE_MATCH_PICTURE_H
#define CT_PICTURE_MATCH_PICTURE_H

#include <contatto/base.h>

typedef struct ct_match_sound {
  const double *samples;
  size_t count;
  double rate_hz;
} ct_match_sound;

typedef struct ct_match_picture {
  const char *title;
  ct_match_sound recorded, played;
  const char *const *measures;
  const double *off; /* in tolerances; NAN: not compared */
  uint32_t measure_count;
} ct_match_picture;

/* Needs gnuplot. [setup] */
ct_result ct_match_picture_draw(const char *png, const ct_match_picture *picture, ct_error *error);

#endif
