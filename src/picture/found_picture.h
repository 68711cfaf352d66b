/* A report on modes found in a recording: what was recorded and what the modes make of it. */
#ifndef CT_PICTURE_FOUND_PICTURE_H
#define CT_PICTURE_FOUND_PICTURE_H

#include <contatto/modes.h>

typedef struct ct_found_picture {
  const char *title;
  const ct_found_modes *found;
  uint32_t strike;
  const double *samples; /* of that strike, from its start on */
  double rate_hz;
  double distance_db;
} ct_found_picture;

/* [setup] */
ct_result ct_found_picture_draw(const char *png, const ct_found_picture *picture, ct_error *error);

#endif
