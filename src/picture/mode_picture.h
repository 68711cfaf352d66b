/* A picture of a body: the shapes of its lowest modes over its spectrum, decay time against frequency. */
#ifndef CT_PICTURE_MODE_PICTURE_H
#define CT_PICTURE_MODE_PICTURE_H

#include <contatto/defs.h>

/* A mode's shape at a place, from the body's tables, by straight lines between samples: for the eye. [any] */
double ct_mode_along(const ct_shape_table *shape, uint32_t mode, double u); /* its factor along u */
double ct_mode_across(const ct_shape_table *shape, uint32_t mode,
                      double v); /* along v; 1 when there is none */

/* How a shape is drawn. */
typedef enum ct_mode_view {
  CT_VIEW_NONE, /* a list of modes: nothing is known of their shapes */
  CT_VIEW_LINE, /* bar, string, tube, chain */
  CT_VIEW_FLAT, /* plate, membrane, mesh: u along the first side, v along the second */
  CT_VIEW_DISC, /* disc, drum: u radius, v angle */
  CT_VIEW_RING, /* ring: u angle */
  CT_VIEW_CUP   /* glass, bell, bowl: u angle, v height */
} ct_mode_view;

ct_mode_view ct_mode_view_of(const ct_shape_table *shape); /* [any] */

typedef struct ct_mode_picture {
  const char *title;
  const ct_mode_def *modes;
  uint32_t count;
  ct_shape_table shape;      /* u null: the spectrum alone */
  const char *const *labels; /* one per mode, for its panel */
} ct_mode_picture;

/* Drawn by gnuplot, as a PNG. [setup] */
ct_result ct_mode_picture_draw(const char *png, const ct_mode_picture *picture, ct_error *error);

#endif
